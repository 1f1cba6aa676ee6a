"""EOS configurations line by line, by an independent grammar: each line taken out, changed, and misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from changed_configurations import CHANGED, DELETED, OPPOSITE, REFUSED, Change, Statement, module
from eos_grammar import TOKEN, choose, load_grammar, refused, values, written

from rocecfg.linting.rendering import render_files
from rocecfg.vendors.arista.domain import is_beside, settings_of

_OPENS = "@"  # the entry of a mode
# Tokens by which a line says what it is about, and not what of it: another one is another statement.
_SELECTS = re.compile(
    r"(?<!to )(?<![\w-])(?:priority|priority-group|(?:uc-|mc-)?tx-queue|queue|drop-precedence"
    r"|map traffic-class) \{(?:prio|pg|q|dp|tc):[\d-]+\}"
    r"|\{\w+\*:[\d-]+\}|\{send\|receive\}|\{unicast\|multicast\}|port \{timer\|action\}"
    r"|\{(?:action\|default timeout|tx-queue\|uc-tx-queue).*?\}"
)
_SPEEDS = ("100g-4", "25g")
_ANY = {"W", "REST", "IFS"}


class _Form(NamedTuple):
    modes: tuple[str, ...]
    pattern: str  # `no ` before it where it exists so alone
    line: re.Pattern[str]
    enters: str
    plain: bool  # a line of other features, around those of RoCE


def forms(tool: Path) -> list[_Form]:
    """The grammar's forms."""
    grammar = load_grammar(str(tool))
    out = [
        _Form(modes, pattern, grammar.compile_pattern(pattern)[0], enters, platform == "plain")
        for modes, pattern, enters, _, platform in grammar.GRAMMAR
    ]
    for modes, pattern, _ in grammar.NEG:
        line = re.compile(f"^no {grammar.compile_pattern(pattern)[0].pattern[1:]}")
        out.append(_Form(modes, f"no {pattern}", line, "", plain=False))
    return out


class _Place(NamedTuple):
    """A line, and where it stands."""

    number: int
    mode: str
    above: tuple[str, ...]
    form: _Form
    line: str
    taken_back: bool


def _places(lines: list[str], known: list[_Form], grammar: ModuleType) -> Iterator[_Place]:
    stack: list[tuple[str, int, str]] = [("global", -1, "")]
    for number, raw in enumerate(lines):
        line, indent = raw.strip(), len(raw) - len(raw.lstrip())
        if not line or line[0] == "!":
            continue
        while len(stack) > 1 and stack[-1][1] >= indent:
            stack.pop()
        mode = stack[-1][0]
        body = line.removeprefix("no ")
        here = [form for form in known if mode in form.modes]
        form = next((f for f in here if f.line.match(line)), None) or next(
            (f for f in here if f.line.match(body)), None
        )
        if form is None:
            if indent == 0:
                stack.append(("foreign", indent, line))
            continue
        yield _Place(number, mode, tuple(s[2] for s in stack[1:]), form, line, body != line)
        if form.enters and body == line:
            entered = grammar.iface_mode(line) if form.enters == "@interface" else form.enters
            stack.append((entered, indent, line))


def statements(text: str, tool: Path) -> Iterator[Statement]:
    """The lines of a text that the grammar has and that bear on something, with what is done to each.

    Of ports that are told the same it is those of the first.
    """
    lines, known = text.split("\n"), forms(tool)
    seen = set()
    for place in _places(lines, known, load_grammar(str(tool))):
        above = tuple(re.sub(r"(?:Ethernet|Port-Channel)[\d/.]+", "PORT", line) for line in place.above)
        if (above, place.line) in seen or place.form.enters == "@interface" or is_beside(place.line):
            continue
        seen.add((above, place.line))
        settings = frozenset(settings_of(place.line))
        words = "\n".join((*place.above, place.line))
        name = (
            f"{place.mode}: {'no ' if place.taken_back and place.form.pattern[:3] != 'no ' else ''}{place.form.pattern}"
        )
        yield Statement(name, words, settings, tuple(_changes(lines, place, known)))


def _changes(lines: list[str], place: _Place, known: list[_Form]) -> Iterator[Change]:
    before, raw, after = lines[: place.number], lines[place.number], lines[place.number + 1 :]
    indent = raw[: len(raw) - len(raw.lstrip())]
    inside = next((n for n, line in enumerate(after) if line.strip() and not line.startswith(f"{indent} ")), len(after))
    gone = after[inside:] if place.form.enters and not place.taken_back else after
    yield Change(DELETED, "", "\n".join((*before, *gone)))
    for kind, line in _others(place, known):
        yield Change(kind, line, "\n".join((*before, indent + line, *after)))


def _others(place: _Place, known: list[_Form]) -> Iterator[tuple[str, str]]:
    """Two other values of each token; where there is none the opposite; and what EOS refuses."""
    form, tokens, words = _taken_apart(place)
    sign = "no " if place.line != place.line.removeprefix("no ") else ""
    selecting = {found.start() + found[0].index("{") for found in _SELECTS.finditer(form)}
    starts = [found.start() for found in TOKEN.finditer(form)]
    changed = False
    for n, body in enumerate(tokens):
        if starts[n] not in selecting and not sign:
            for word in [each for each in _values(form, body) if each != words[n]][:2]:
                changed = True
                yield CHANGED, sign + _filled(form, [*words[:n], word, *words[n + 1 :]])
        wrong = refused(body)
        if wrong and not sign:
            yield REFUSED, _filled(form, [*words[:n], wrong, *words[n + 1 :]])
    if not changed:
        yield from ((OPPOSITE, line) for line in _opposites(place, known))


def _values(form: str, body: str) -> tuple[str, ...]:
    return _SPEEDS if form.startswith("speed") else values(body)


def _taken_apart(place: _Place) -> tuple[str, list[str], list[str]]:
    """The form with what of it may be left out as it is here, its tokens, and the words that stand for them."""
    pattern, line = place.form.pattern.removeprefix("no "), place.line.removeprefix("no ")
    for kept in product((True, False), repeat=pattern.count("[")):
        each = iter(kept)
        form = choose(pattern, lambda: next(each))  # noqa: B023 - used at once
        fixed = TOKEN.split(form)
        tokens = [found[1] for found in TOKEN.finditer(form)]
        found = re.fullmatch("".join(_token(p) if n % 2 else re.escape(p) for n, p in enumerate(fixed)), line)
        if found is not None:
            return form, tokens, list(found.groups())
    raise AssertionError(place)


def _token(body: str) -> str:
    if ":" in body and "|" not in body:
        return r"([\d.]+)" if "*" not in body else r"(\d[\d ,-]*)"
    return "(.+)" if body == "REST" else r"(\S+(?: [\d/]+)?)" if body in _ANY else f"({body})"


def _filled(form: str, words: list[str]) -> str:
    each = iter(words)
    return TOKEN.sub(lambda _: next(each), form)


def _opposites(place: _Place, known: list[_Form]) -> Iterator[str]:
    """What takes a line back; or, of one that takes something back, lines that say it."""
    if place.line == place.line.removeprefix("no "):
        yield f"no {place.line}"
        return
    head = place.line.removeprefix("no ")
    number = re.search(r"\d+", head)
    for line in (line for form in known if place.mode in form.modes for line in _all_of(form.pattern)):
        stated = re.sub(r"\d+", number[0], line, count=1) if number is not None else line
        if stated.startswith(head):
            yield stated


def whole_switches(platform: str = "arista-7060x6-64pe", model: str = "DCS-7060X6-64PE") -> dict[str, str]:
    """A leaf and a spine as switches hold them, with what is none of RoCE's matter. `model`: as their head names it."""
    configurations = module("configurations")
    vendor, form, make = configurations.KINDS["eos"]
    naming = configurations.generate.NAMINGS[vendor]
    configurations.generate.NAMINGS[vendor] = naming._replace(platform=platform)
    fabric = configurations._fabric(10, vendor)  # noqa: SLF001 - a script's
    configurations.generate.NAMINGS[vendor] = naming
    devices = {name: device for device in fabric.devices for name in device.names}
    rendered = list(enumerate(render_files(fabric, vendor, form=form)))
    return {
        file.device: make(f"eos-{file.device}", number, devices[file.device], file.text).replace(
            "DCS-7060X6-64PE", model
        )
        for number, file in (rendered[0], rendered[-1])
    }


def _all_of(pattern: str) -> Iterator[str]:
    """Lines of the pattern with any of the values, as long as these are few."""
    form = choose(pattern, lambda: False)
    words = [values(found[1]) for found in TOKEN.finditer(form)]
    yield from written(pattern)
    yield from (_filled(form, list(each)) for each in product(*words) if prod(map(len, words)) <= _FEW)


_FEW = 10
_HEAD = """\
! Command: show running-config
! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)
!
hostname leaf01
!
"""
_USUAL = """\
qos profile USUAL
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 60
!
"""
_QUEUES = ("tx-queue", "uc-tx-queue", "mc-tx-queue")
_PORTS = 16  # in a part


def made(tool: Path) -> list[str]:
    """A configuration with every form of the grammar once, in parts: those of ports and queues on a port each.

    What undoes the rest stands in parts of its own: what takes something back, and what turns PFC off.
    """
    known = [form for form in forms(tool) if not form.plain and form.enters != "@interface"]
    mapped = iter(range(1, 8))
    switchwide, last, ports = [], [], []
    for form in known:
        line = _one(form, mapped)
        for mode in form.modes:
            if mode in _WITHOUT_PORTS:
                block = "".join(_WITHOUT_PORTS[mode](line, form, known))
                (last if line.startswith("no ") or line.endswith(_UNDOING) else switchwide).append(block)
            else:
                ports.append(_on_a_port(mode, line, len(ports) + 1))
    ports = [port for port in ports if port]
    parts = [ports[n : n + _PORTS] for n in range(0, len(ports), _PORTS)]
    switchwide.sort(key=lambda block: not block.startswith("interface"))  # a mode of others has such lines too
    parts[:0] = [["".join(switchwide), ports[0]]]
    parts += [[block, ports[0]] for block in last if block]
    return [f"{_HEAD}{_USUAL}{''.join(part)}end\n" for part in parts]


_UNDOING = ("priority-flow-control all off", "override action drop")


def _one(form: _Form, mapped: Iterator[int]) -> str:
    """A line of the form. Traffic classes are mapped once each, and to what they are not mapped to by default."""
    line = next(iter(written(form.pattern)))
    if line.startswith("qos map traffic-class") and "-queue" in line:
        tc = next(mapped)
        return re.sub(r"traffic-class \d(.*-queue) \d", rf"traffic-class {tc}\1 {tc - 1}", line)
    if "-threshold" in line and "minimum" in line:
        return re.sub(
            r"threshold \d+ \w+ maximum-threshold \d+ \w+", "threshold 10 kbytes maximum-threshold 90 kbytes", line
        )
    return line


def _mmu(_: str, form: _Form, known: list[_Form]) -> Iterator[str]:
    if form.pattern == next(each.pattern for each in known if each.modes == ("mmu",)):  # with the first all
        lines = "".join(f"   {next(iter(written(each.pattern)))}\n" for each in known if each.modes == ("mmu",))
        yield f"platform trident mmu queue profile M\n{lines}!\nplatform trident mmu queue profile M apply\n!\n"


def _vxlan(line: str, _: _Form, _known: list[_Form]) -> Iterator[str]:
    yield f"interface Vxlan1\n   {line}\n!\n"


def _global(line: str, form: _Form, known: list[_Form], depth: int = 0) -> Iterator[str]:
    """A line of the global mode, and below what opens a mode its lines."""
    if form.enters in ("qos-profile", "mmu"):
        return
    yield f"{'   ' * depth}{line}\n"
    for below in known if form.enters else ():
        if form.enters in below.modes:
            yield from _global(next(iter(written(below.pattern))), below, known, depth + 1)
    if not depth:
        yield "!\n"


_WITHOUT_PORTS = {"global": _global, "mmu": _mmu, "vxlan": _vxlan}


def _clash(one: str, other: str) -> bool:
    return one.startswith("qos trust") and other.startswith("qos trust")


def _on_a_port(mode: str, line: str, number: int) -> str:
    """A line of a port, a profile or a queue, on a port of its own."""
    profile = "USUAL"
    head = f"interface Ethernet{number}/1\n   no switchport\n"
    if mode == "qos-profile" or f"   {line}\n" in _USUAL:  # else the port says again what its profile says
        profile = f"P{number}"
        kept = [each for each in _USUAL.split("\n") if each.strip() != line and not _clash(each.strip(), line)]
        at = kept.index("   !")
        added = (f"   {line}",) if mode == "qos-profile" else ()
        head = "\n".join((*kept[:at], *added, *kept[at:])).replace("USUAL", profile) + head
    if mode == "qos-profile":
        return f"{head}   service-profile {profile}\n!\n"
    own = f"   {mode} 3\n      {line}\n" if mode in _QUEUES else f"   {line}\n" if mode == "eth" else ""
    return f"{head}   service-profile {profile}\n{own}!\n" if own else ""
