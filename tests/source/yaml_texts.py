"""Random YAML texts as people write them: blocks and brackets, quotes, comments, blank lines, either line break."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

KEYS = ["a", "kmin", "leaf[01-02]", "Ethernet[0-8/8]", "x y", "on", "3", "ü", "pfc", "it's"]
WORDS = [
    "1",
    "400KB",
    "5%",
    "off",
    "03",
    "a: b",
    "# no comment",
    "it's",
    'say "hi"',
    "",
    "-",
    "x,y",
    "é",
    "11:11",
    "[3",
]
COMMENTS = ["# why", "# a: b", "# 'quoted", '# "also', "# [x, {y", "#- item", "# rocecfg: ignore[ets-sum] -- reason"]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A text whose root is a block mapping."""
    lines = _map(draw, 0, 0)
    if draw(st.booleans()):
        lines.insert(0, "---")
    text = "\n".join(lines)
    if any(mark in text for mark in "|>") or draw(st.booleans()):  # without it a block of text ends otherwise
        text += "\n"
    return text.replace("\n", "\r\n") if draw(st.integers(0, 3)) == 0 else text


def _quoted(draw: st.DrawFn, word: str, *, plain: bool) -> str:
    styles = ["'" + word.replace("'", "''") + "'", '"' + word.replace('"', '\\"') + '"']
    return draw(st.sampled_from([word, *styles] if plain else styles))


def _scalar(draw: st.DrawFn) -> str:
    word = draw(st.sampled_from(WORDS))
    return _quoted(draw, word, plain=word in ("1", "400KB", "5%", "off", "03", "é", "11:11", "it's"))


def _key(draw: st.DrawFn, taken: set[str], *, flow: bool) -> str:
    key = draw(st.sampled_from([k for k in KEYS if k not in taken]))
    taken.add(key)
    return _quoted(draw, key, plain=not (flow and "[" in key))


def _flow(draw: st.DrawFn, depth: int, indent: int) -> str:
    """A value in brackets, on one line or several."""
    kind = draw(st.sampled_from(["scalar", "map", "seq"] if depth < 3 else ["scalar"]))
    if kind == "scalar":
        return _scalar(draw)
    parts = []
    taken: set[str] = set()
    for _ in range(draw(st.integers(0, 3))):
        value = _flow(draw, depth + 1, indent)
        parts.append(f"{_key(draw, taken, flow=True)}: {value}" if kind == "map" else value)
    opening, closing = "{}" if kind == "map" else "[]"
    layout = draw(st.sampled_from(["tight", "loose", "lines", "broken"]))
    pad = " " * (indent + 2)
    if not parts or layout == "tight":
        return f"{opening}{', '.join(parts)}{closing}"
    if layout == "loose":
        return f"{opening} {' , '.join(parts)}{', ' if draw(st.booleans()) else ' '}{closing}"
    if layout == "broken":
        return f"{opening}{parts[0]}" + "".join(f",\n{pad}{part}" for part in parts[1:]) + closing
    ends = [","] * (len(parts) - 1) + [draw(st.sampled_from(["", ","]))]
    inner = "".join(f"\n{pad}{part}{end}{_trailing(draw)}" for part, end in zip(parts, ends, strict=True))
    return f"{opening}{_trailing(draw)}{inner}\n{pad}{closing}"


def _trailing(draw: st.DrawFn) -> str:
    return draw(st.sampled_from(["", "", "", " ", "   " + draw(st.sampled_from(COMMENTS))]))


def _between(draw: st.DrawFn, indent: int) -> list[str]:
    pick = draw(st.integers(0, 7))
    own = " " * indent + draw(st.sampled_from(COMMENTS))
    return {0: [""], 1: [own], 2: ["", own], 3: [draw(st.sampled_from(COMMENTS))]}.get(pick, [])


def _value(draw: st.DrawFn, depth: int, indent: int) -> tuple[str, list[str]]:
    """What stands on the line of the key or dash, and the lines below it."""
    kind = draw(
        st.sampled_from(["scalar", "scalar", "flow", "map", "seq", "text", "nothing"] if depth < 3 else ["scalar"])
    )
    deeper = indent + draw(st.sampled_from([2, 4]))
    if kind == "map":
        return _trailing(draw), _map(draw, depth + 1, deeper)
    if kind == "seq":
        return _trailing(draw), _seq(draw, depth + 1, deeper)
    if kind == "text":
        mark = draw(st.sampled_from(["|", ">-", "|-", "|+"]))
        lines = [" " * deeper + "first # text", "", " " * deeper + "second: text"] + [""] * draw(st.integers(0, 2))
        return f" {mark}", lines
    if kind == "nothing":
        return _trailing(draw), []
    first, *more = (_flow(draw, depth, indent) if kind == "flow" else _scalar(draw)).split("\n")
    if not more:
        return f" {first}{_trailing(draw)}", []
    return f" {first}", [*more[:-1], more[-1] + _trailing(draw)]


def _map(draw: st.DrawFn, depth: int, indent: int) -> list[str]:
    lines: list[str] = []
    taken: set[str] = set()
    for _ in range(draw(st.integers(1, 4))):
        lines += _between(draw, indent)
        head, below = _value(draw, depth, indent)
        lines += [f"{' ' * indent}{_key(draw, taken, flow=False)}:{head}", *below]
    return lines


def _seq(draw: st.DrawFn, depth: int, indent: int) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += _between(draw, indent)
        if depth < 3 and draw(st.integers(0, 3)) == 0:  # a mapping that begins behind the dash
            inner: list[Any] = _map(draw, depth + 1, indent + 2)
            while inner[0].strip() == "" or inner[0].strip().startswith("#"):
                inner.pop(0)
            lines += [f"{' ' * indent}- {inner[0].strip()}", *inner[1:]]
            continue
        head, below = _value(draw, depth, indent)
        lines += [f"{' ' * indent}-{head}", *below]
    return lines
