"""One list of cables from the statements of all files: the same cable once, and what is not sure said."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from rocecfg.cabling.names import is_mac, is_management, why_unsayable
from rocecfg.cabling.statements import (
    AMBIGUOUS,
    CONTRADICTORY,
    INCOMPLETE,
    LEFT_OUT,
    ONE_SIDED,
    CableEnd,
    LeftOut,
    Page,
    StatedCable,
    Statement,
)
from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number

Pair = frozenset[CableEnd]


class MergedCable(NamedTuple):
    """A cable: its ends as the first statement has them, its length in m, and where that statement stands."""

    a: CableEnd
    b: CableEnd
    metres: float | None
    document: int
    at: int


class Doubt(NamedTuple):
    """What was left out, or is not sure."""

    kind: str  # left-out | one-sided | ambiguous | contradictory | incomplete
    a: CableEnd
    b: CableEnd
    why: str
    document: int
    at: int

    @property
    def ends(self) -> str:
        """What it is about: two ports, or one."""
        return f"{self.a} -- {self.b}" if any(self.b) else str(self.a)


class Cabling(NamedTuple):
    """What files say of cables."""

    cables: list[MergedCable]
    notes: list[Doubt]


class _FromFile(NamedTuple):
    document: int
    stated: StatedCable


def merge_statements(
    files: Iterable[tuple[int, Iterable[Statement]]], *, management: bool = False, names: Iterable[str] = ()
) -> Cabling:
    """The cables of all files, by their numbers.

    `management`: with those of the management network; `names`: what devices are called, where that is known.
    """
    notes: list[Doubt] = []
    all_said: list[_FromFile] = []
    pages: list[tuple[int, Page]] = []
    for number, statements in files:
        for statement in statements:
            if isinstance(statement, LeftOut):
                notes.append(_note_of(number, statement))
            elif isinstance(statement, Page):
                pages.append((number, statement))
            else:
                all_said.append(_FromFile(number, statement))
    known = _DeviceNames((one.stated for one in all_said), names)
    taken: dict[Pair, list[_FromFile]] = {}
    unresolved: list[_FromFile] = []
    called = rename_far_ports(known.rename_devices(one.stated) for one in all_said)
    for one, stated in zip(all_said, called, strict=True):
        if not management and _is_management(stated):
            notes.append(_note_of(one.document, _leave_out(stated, "of the management network")))
        elif stated.by is not None and not _names_port(stated.b):
            unresolved.append(_FromFile(one.document, stated))
        elif (why := why_unsayable(stated.a) or why_unsayable(stated.b)) is not None:
            notes.append(_note_of(one.document, _leave_out(stated, why)))
        elif stated.a == stated.b:
            notes.append(_note_of(one.document, _leave_out(stated, "both ends are one port")))
        else:
            taken.setdefault(frozenset((stated.a, stated.b)), []).append(_FromFile(one.document, stated))
    _resolve_far_ports(unresolved, taken, notes)
    cables = _choose_cables(taken, notes)
    reporting = {stated.by for ones in taken.values() for _, stated in ones if stated.by is not None}
    notes += _note_one_sided(cables, taken, reporting)
    notes += _note_incomplete(pages)
    return Cabling(cables, sorted(notes, key=lambda note: (note.document, note.at)))


def _note_of(document: int, left: LeftOut) -> Doubt:
    return Doubt(left.kind, left.a, left.b, left.why, document, left.at)


def _leave_out(stated: StatedCable, why: str) -> LeftOut:
    return LeftOut(LEFT_OUT, stated.a, stated.b, why, stated.at)


def _names_port(far: CableEnd) -> bool:
    return bool(far.port) and not is_mac(far.port) and not is_number(far.port)


def _is_management(stated: StatedCable) -> bool:
    return stated.management or (stated.out_of_band and (is_management(stated.a) or is_management(stated.b)))


class _DeviceNames:
    """Devices as they call themselves: others may add a domain to a name, or leave it out."""

    def __init__(self, stated: Iterable[StatedCable], names: Iterable[str]) -> None:
        self._own: dict[str, dict[str, None]] = defaultdict(dict)
        self._given = {name.casefold(): name for name in names}
        for one in stated:
            if one.by is not None:
                for form in (one.by.casefold(), one.by.partition(".")[0].casefold()):
                    self._own[form][one.by] = None

    def rename_devices(self, stated: StatedCable) -> StatedCable:
        """The statement with its devices as they call themselves, or as they are known to be called."""
        a, b = self._rename_end(stated.a), self._rename_end(stated.b)
        return stated._replace(a=a, b=b, by=a.device if stated.by is not None else None)

    def _rename_end(self, end: CableEnd) -> CableEnd:
        for form in (end.device.casefold(), end.device.partition(".")[0].casefold()):
            if form in self._given:
                return end._replace(device=self._given[form])
        for form in (end.device.casefold(), end.device.partition(".")[0].casefold()):
            found = self._own.get(form, {})
            if end.device in found:
                return end
            if len(found) == 1:
                return end._replace(device=next(iter(found)))
        return end


def _resolve_far_ports(unresolved: Sequence[_FromFile], taken: dict[Pair, list[_FromFile]], notes: list[Doubt]) -> None:
    """Far ports that their neighbour did not name: what the far device says of this port tells, if it does."""
    back: dict[tuple[CableEnd, str], list[CableEnd]] = defaultdict(list)
    for ones in taken.values():
        for _, stated in ones:
            if stated.by is not None:
                back[stated.b, stated.a.device].append(stated.a)
    for one in unresolved:
        stated = one.stated
        found = dict.fromkeys(back.get((stated.a, stated.b.device), ()))
        if len(found) == 1:
            end = next(iter(found))
            taken[frozenset((stated.a, end))].append(_FromFile(one.document, stated._replace(b=end)))
            continue
        what = "a MAC address" if is_mac(stated.b.port) else "an interface index" if stated.b.port else "nothing"
        notes.append(_note_of(one.document, _leave_out(stated, f"the neighbour names its port by {what}")))


def _choose_cables(taken: Mapping[Pair, Sequence[_FromFile]], notes: list[Doubt]) -> list[MergedCable]:
    """A cable for each pair of ports; of several at one port the one that most is said for, or none."""
    ends = Counter(end for pair in taken for end in pair)
    weight = {pair: len({stated.by for _, stated in ones}) for pair, ones in taken.items()}
    dropped: set[Pair] = set()
    disputed = {end for end, count in ends.items() if count > 1}
    at_end: dict[CableEnd, list[Pair]] = defaultdict(list)
    for pair in taken:
        for end in pair & disputed:
            at_end[end].append(pair)
    for end, pairs in at_end.items():
        best = max(pairs, key=lambda pair: weight[pair])  # the first of equals
        seen = [pair for pair in pairs if all(stated.by == end.device for _, stated in taken[pair])]
        unsure = len(seen) == len(pairs)  # the port's own device sees several neighbours there, and none of them it
        dropped.update(pair for pair in pairs if unsure or pair != best)
        first = taken[best][0]
        others = ", ".join(str(_other_end(pair, end)) for pair in pairs)
        kept = "none is taken" if unsure else f"{_other_end(best, end)} is taken"
        kind = AMBIGUOUS if unsure else CONTRADICTORY
        why = f"{len(pairs)} cables end at this port: {others}; {kept}"
        notes.append(Doubt(kind, end, CableEnd("", ""), why, first.document, first.stated.at))
    cables = []
    for pair, ones in taken.items():
        if pair not in dropped:
            document, stated = ones[0]
            cables.append(MergedCable(stated.a, stated.b, _agree_on_length(ones, notes), document, stated.at))
    return cables


def _other_end(pair: Pair, end: CableEnd) -> CableEnd:
    return next(iter(pair - {end}), end)


def _agree_on_length(ones: Sequence[_FromFile], notes: list[Doubt]) -> float | None:
    """The length that is stated; None where two are, which is noted."""
    lengths = list(dict.fromkeys(stated.metres for _, stated in ones if stated.metres is not None))
    if len(lengths) < 2:
        return lengths[0] if lengths else None
    document, stated = ones[0]
    words = " and ".join(f"{show_number(length)} m" for length in lengths)
    notes.append(Doubt(CONTRADICTORY, stated.a, stated.b, f"the cable is recorded with {words}", document, stated.at))
    return None


def _note_one_sided(
    cables: Iterable[MergedCable], taken: Mapping[Pair, Sequence[_FromFile]], reporting: set[str]
) -> Iterable[Doubt]:
    """Cables that only one end saw, where seeing is how they are known."""
    for cable in cables:
        ones = taken[frozenset((cable.a, cable.b))]
        sides = {stated.by for _, stated in ones}
        if None not in sides and len(sides) == 1 and cable.a.device != cable.b.device:
            far = cable.b.device if cable.a.device in sides else cable.a.device
            why = f"{far} does not see it" if far in reporting else f"nothing is known from {far}"
            yield Doubt(
                ONE_SIDED, cable.a, cable.b, f"only {next(iter(sides))} sees it: {why}", cable.document, cable.at
            )


def _note_incomplete(pages: Iterable[tuple[int, Page]]) -> Iterable[Doubt]:
    """A note for each list of which not all pages are here."""
    lists: dict[str, dict[tuple[str, str], tuple[int, Page]]] = defaultdict(dict)
    for number, page in pages:
        lists[page.of].setdefault((page.before, page.after), (number, page))
    for held in lists.values():
        here = sum(page.held for _, page in held.values())
        count = max(page.total for _, page in held.values())
        ends = all(any(not address[side] for address in held) for side in (0, 1))
        if here < count or not ends:
            starts = {
                _page_offset(page.after) - page.held if page.after else page.total - page.held
                for _, page in held.values()
            }
            gaps = (one for one in held.values() if one[1].after and _page_offset(one[1].after) not in starts)
            number, page = next(gaps, next(iter(held.values())))
            why = f"{here} of {count or 'more'} records were read; also fetch {page.after or page.before}"
            yield Doubt(INCOMPLETE, CableEnd("", ""), CableEnd("", ""), why, number, page.at)


def _page_offset(address: str) -> int:
    """How many records stand before the page that an address asks for; -1 where it does not say."""
    found = re.search(r"[?&]offset=(\d{1,9})(?:&|$)", address)
    return int(found[1]) if found is not None else -1


Ports = Mapping[str, AbstractSet[str]]  # of each device that says what it sees: the ports on which it does


def rename_far_ports(stated: Iterable[StatedCable]) -> list[StatedCable]:
    """The statements of devices on their neighbours, each far port by the name under which its own device speaks of it.

    A far device that reports, and not on a port of that name, may call it by another one: the one that its neighbour
    heard as description; or the only port on which it sees this device under a name that is not one of its either.
    """
    found = list(stated)
    ports: dict[str, set[str]] = defaultdict(set)
    for one in found:
        if one.by is not None:
            ports[one.by].add(one.a.port)
    named = [_rename_by_description(one, ports) for one in found]
    return _rename_only_ports(named, ports)


def _is_unknown_far_port(one: StatedCable, ports: Ports) -> bool:
    return one.by is not None and one.b.device in ports and one.b.port not in ports[one.b.device]


def _rename_by_description(one: StatedCable, ports: Ports) -> StatedCable:
    if _is_unknown_far_port(one, ports) and one.described in ports[one.b.device]:
        return one._replace(b=CableEnd(one.b.device, one.described))
    return one


def _rename_only_ports(named: Sequence[StatedCable], ports: Ports) -> list[StatedCable]:
    strange: dict[tuple[str, str], list[CableEnd]] = defaultdict(list)  # from one device to another: the near ports
    for one in named:
        if _is_unknown_far_port(one, ports):
            strange[one.a.device, one.b.device].append(one.a)
    out = []
    for one in named:
        here = strange.get((one.a.device, one.b.device), [])
        back = strange.get((one.b.device, one.a.device), [])
        alone = _is_unknown_far_port(one, ports) and len(here) == len(back) == 1
        out.append(one._replace(b=back[0]) if alone else one)
    return out
