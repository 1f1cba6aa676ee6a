"""Names: of interfaces, of switches, of what they run."""

from __future__ import annotations

import re
from functools import lru_cache

from rocecfg.core.records import NamedTuple

_KINDS = {"et": "Ethernet", "po": "Port-Channel", "ma": "Management"}
_NUMBERS = re.compile(r"\s*(\d+(?:/\d+){0,3})(?:-(\d+(?:/\d+){0,3}))?\s*")
_MOST = 4096  # interfaces of one range

_DEVICE = re.compile(r"! device: (\S+) \(([^,()]*), ?(?:EOS-)?(\d[\w.]*)")
_BOOT = re.compile(r"! boot system \S*?EOS(?:64)?-(\d[\w.]*?)(?:-\w+)?\.swi")
_COMMAND = "! Command: show running-config"
_WHOLE = frozenset({"all", "sanitized"})  # what may follow, where the whole is shown

# Which chip the boxes of a series have, where none of the profiles is the box itself.
_SERIES = (
    (re.compile(r"7050[A-Z]X3"), "trident3"),
    (re.compile(r"7260CX3"), "tomahawk2"),
    (re.compile(r"7060[A-Z]X4"), "tomahawk3"),
    (re.compile(r"(?:7060[A-Z]X5|7388)"), "tomahawk4"),
    (re.compile(r"7060X6"), "tomahawk5"),
    (re.compile(r"(?:7280[A-Z]{1,2}R3|7500R3|7800R3|7808R3|7804R3|7812R3|7816R3)"), "jericho2"),
    (re.compile(r"(?:7280R4|78\d\dR4)"), "jericho3"),
)
_SAND = re.compile(r"(?:7020|7280|7500|75\d\d|7800|78\d\d)")
_STRATA = re.compile(r"(?:7010|7050|7060|7250|7260|7300|73\d\d)")


class Head(NamedTuple):
    """What the comments before a running-config say."""

    device: str | None = None
    model: str | None = None  # DCS-7060X6-64PE
    release: str | None = None
    at: int = 0  # where
    run_all: bool = False  # every default is printed
    running: bool = False  # it is the output of a switch
    part: bool = False  # and only a section of it


def read_head(comments: list[tuple[str, int]]) -> Head:
    """What these lines tell of the switch."""
    head = Head()
    for line, at in comments:
        found = _DEVICE.match(line)
        if found:
            head = head._replace(device=found[1], model=found[2], release=found[3], at=at, running=True)
        elif line.startswith(_COMMAND):
            words = line.removeprefix(_COMMAND).split()
            head = head._replace(running=True, run_all="all" in words, part=not _WHOLE.issuperset(words))
        elif head.release is None and (booted := _BOOT.match(line)):
            head = head._replace(release=booted[1], at=at)
    return head


def family_of(model: str | None) -> str | None:
    """The chip family of a model of switch: strata or sand; None: unknown."""
    number = (model or "").removeprefix("DCS-")
    return "sand" if _SAND.match(number) else "strata" if _STRATA.match(number) else None


@lru_cache(maxsize=256)
def box_of(model: str) -> tuple[str, str] | None:
    """The profile that stands for a model: `platform` or `asic`, and its name; None: there is none."""
    from rocecfg.profiles.files import shipped_names  # few texts name their switch

    known = frozenset(shipped_names("platforms"))
    name = model.removeprefix("DCS-")
    parts = name.lower().split("-")
    for end in range(len(parts), 0, -1):
        platform = f"arista-{'-'.join(parts[:end])}"
        if platform in known:
            return "platform", platform
    return next((("asic", asic) for series, asic in _SERIES if series.match(name)), None)


@lru_cache(maxsize=8192)
def expand_interfaces(text: str) -> tuple[str, ...] | None:
    """The ports that the name of an interface, or of a range of them, stands for; None if it cannot be read."""
    kind = re.match(r"[A-Za-z-]+", text)
    if kind is None:
        return None
    prefix = _KINDS.get(kind[0][:2].lower())
    if prefix is None:
        return None
    out: list[str] = []
    for part in text[kind.end() :].split(","):
        found = _NUMBERS.fullmatch(part.removeprefix(kind[0]))
        if found is None:
            return None
        numbers = _expand_numbers(found[1], found[2] or found[1])
        if not numbers or len(out) + len(numbers) > _MOST:
            return None
        out += [prefix + number for number in numbers]
    return tuple(dict.fromkeys(out))


def _expand_numbers(first: str, last: str) -> list[str]:
    """`1/1` to `4` or `1/4`: the numbers of a range, whose ends differ in one place."""
    low, high = first.split("/"), last.split("/")
    high = low[: len(low) - len(high)] + high
    if len(low) != len(high):
        return []
    differing = [i for i, (a, b) in enumerate(zip(low, high, strict=True)) if a != b]
    if not differing:
        return [first]
    if len(differing) > 1:
        return []
    at = differing[0]
    begin, end = int(low[at]), int(high[at])
    return ["/".join((*low[:at], str(n), *low[at + 1 :])) for n in range(begin, min(end, begin + _MOST) + 1)]
