"""Text made visible: what would steer a terminal, or end a line in the log of a CI system, is shown as an escape.

Names of files and values come from repositories that nobody need trust. Whatever is printed for people goes through
`visible`, a line at a time; formats for programs have escapes of their own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BEGIN = "\x1b["
_COLORS = ("0m", "1m", "31;1m", "33;1m", "34;1m", "36;1m")  # the only codes that we print


def visible(line: str, *, tab: str = "\\t", color: bool = False) -> str:
    r"""A line with escapes for all that has no shape of its own: `\x1b`, `\n`, `\u202e`.

    Those are control characters (C0, DEL, C1), what changes the direction of writing, separators of lines, blanks that
    look like others, and bytes of a file's name that are no text. `tab`: what is printed for one; `color`: our own
    codes of colour stay. A line that is visible stays as it is.
    """
    if line.isprintable():
        return line
    if color and _BEGIN in line:
        first, *rest = line.split(_BEGIN)
        return visible(first, tab=tab) + "".join(_split_code(part, tab) for part in rest)
    return "".join(c if c.isprintable() else tab if c == "\t" else _escape(c) for c in line)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _split_code(part: str, tab: str) -> str:
    """What stands behind the beginning of a code: the code, if it is one of ours, and the text after it."""
    ours = next((code for code in _COLORS if part.startswith(code)), None)
    if ours is None:
        return visible(_BEGIN + part, tab=tab)
    return _BEGIN + ours + visible(part[len(ours) :], tab=tab)


def visible_text(lines: Iterable[str], *, color: bool = False) -> str:
    """Lines, each visible, as one text that ends in a line break."""
    return "".join(f"{visible(line, color=color)}\n" for line in lines)


def visible_diff(before: str, after: str, old: str, new: str) -> str:
    r"""A unified diff, as `patch` and git read it. Tabs and CRLF stay; only "\n" ends a line, as it does for these.

    `old`, `new`: the names of the two texts.
    """
    from difflib import unified_diff

    out: list[str] = []
    for line in unified_diff(_split_lines(before), _split_lines(after), visible(old), visible(new)):
        text = line.removesuffix("\n")
        out.append(visible(text.removesuffix("\r"), tab="\t") + "\r" * text.endswith("\r"))
        if text == line:
            out.append("\\ No newline at end of file")
    return "".join(f"{line}\n" for line in out)


def _split_lines(text: str) -> list[str]:
    """Lines with their ends; other line breaks of Unicode are text to `patch`."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
