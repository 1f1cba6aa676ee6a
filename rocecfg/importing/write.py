"""The text of an imported intent: sections, equal switches together, comments on guesses and on what is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing import naming
from rocecfg.importing.build import BuiltIntent, DeviceBody, PortsBody
from rocecfg.importing.format import Mapped
from rocecfg.importing.grouping import group_switches
from rocecfg.importing.links import FoundLinks
from rocecfg.importing.page import GAP, PageKey, write_page
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.importing.texts import SwitchText
from rocecfg.model import Span
from rocecfg.source.document import Document
from rocecfg.source.write import Value

_MOST_NOTES = 30  # above one key: nobody reads more
_NO_CLASSES = "none: no DSCP map, PFC or scheduler is set, so the defaults of the switches apply"
_NO_SHARE = (
    "rocecfg: ignore[ets-zero] -- what the switch gives this queue is unknown: state its bandwidth, a share or strict"
)
_SHORT = "rocecfg: ignore[ets-sum] -- the shares of the switch sum to less than 100%"
_WHOLE = 100  # percent
_NEAR = 0.01  # percent: what shares may miss the whole by
_MOST_NAMED = 4  # files, ports: beyond, their number says more


class Import(NamedTuple):
    """All there is to write."""

    name: str  # of the fabric
    named_after: str  # what that is guessed from
    built: BuiltIntent
    switches: Sequence[SwitchText]
    cabling: FoundLinks
    files: Sequence[Document]  # the configurations
    documents: Sequence[Document]  # all, by number


def write_intent(given: Import, warnings: Sequence[str] = ()) -> str:
    """The whole file; `warnings`: on what cannot be done with it yet, at its head."""
    sections = [section for section in _make_sections(given) if section.value or section.key == "classes"]
    entries = [sections[0]]
    for section in sections[1:]:
        entries += [GAP, section]
    return write_page(entries, [*_write_head(given), *warnings])


def _write_head(given: Import) -> Iterator[str]:
    count = len(given.switches)
    yield (
        f"What {count} switch{'es' * (count != 1)} run{'s' * (count == 1)}, written by `rocecfg import` from "
        f"{_join_first([document.path for document in given.files], 'files')}."
    )
    yield (
        "Check what is marked as guessed. Left out, since switches do not know it: hosts, workload, what ports "
        "connect to."
    )
    if given.cabling.disputed:
        ports = _join_first([f"{name}:{port}" for name, port in given.cabling.disputed], "ports")
        yield f"Links are left out if statements on a port's far end contradict each other: {ports}."


def _make_sections(given: Import) -> Iterator[PageKey]:
    built = given.built
    yield PageKey("rocecfg", "1")
    fabric = [PageKey("name", given.name, beside=f"guessed: {given.named_after}")]
    if built.mtu is not None:
        fabric.append(PageKey("mtu", built.mtu))
    yield PageKey("fabric", tuple(fabric))
    yield PageKey("classes", _make_class_entries(built.classes), () if built.classes else (_NO_CLASSES,))
    for key, stated in (("pfc", built.pfc), ("buffers", built.buffers), ("defaults", built.defaults)):
        yield PageKey(key, tuple(PageKey(k, v) for k, v in stated.items()))
    yield from _make_device_section(given)
    wording = "guessed: from the switches' neighbours in LLDP, tables or descriptions"
    yield PageKey("links", given.cabling.links, (wording,))


def _make_class_entries(classes: Mapping[str, Value]) -> tuple[PageKey, ...]:
    """Classes, each with what its name is guessed from; what several have in common above the first."""
    reported: set[str] = set()
    entries = []
    unshared, short = _find_unshared(classes), _find_short(classes)
    for name, value in classes.items():
        stated: Value | tuple[PageKey, ...] = value
        if name == short and isinstance(value, dict):
            stated = tuple(PageKey(key, of, (_SHORT,) * (key == "bandwidth")) for key, of in value.items())
        why = naming.explain_guess(name)
        above = () if why in reported else (why,)
        entries.append(PageKey(name, stated, (*above, _NO_SHARE) if name in unshared else above))
        reported.add(why)
    return tuple(entries)


def _find_unshared(classes: Mapping[str, Value]) -> frozenset[str]:
    """The classes of which no share is known, on queues of their own, where the others share all there is.

    On EOS such is a queue below a round-robin one of which nothing is said: what it gets is not published.
    """
    shares = {queue: stated["bandwidth"] for stated, queue in _list_queues(classes) if "bandwidth" in stated}
    numbers = [float(str(share).removesuffix("%")) for share in shares.values() if share != "strict"]
    if sum(numbers) < _WHOLE:
        return frozenset()
    return frozenset(
        name
        for name, (stated, queue) in zip(classes, _list_queues(classes), strict=True)
        if queue not in shares and "guaranteed" not in stated
    )


def _find_short(classes: Mapping[str, Value]) -> str | None:
    """The last class with a share, where each says what it has and all come to less than the whole."""
    queues = list(_list_queues(classes))
    shares = {queue: str(stated["bandwidth"]) for stated, queue in queues if "bandwidth" in stated}
    numbers = [float(share.removesuffix("%")) for share in shares.values() if share != "strict"]
    if not numbers or sum(numbers) >= _WHOLE - _NEAR or any(queue not in shares for _, queue in queues):
        return None
    turns = (str(stated.get("bandwidth", "strict")) != "strict" for stated, _ in queues)
    return [name for name, takes_turns in zip(classes, turns, strict=True) if takes_turns][-1]


def _list_queues(classes: Mapping[str, Value]) -> Iterator[tuple[Mapping[str, Value], str]]:
    """What is said of each class, and its queue; of a class that says none, its traffic class, else its priority."""
    for value in classes.values():
        stated = value if isinstance(value, dict) else {}
        yield stated, next((str(stated[key]) for key in ("queue", "tc", "priority") if key in stated), "")


def _make_device_section(given: Import) -> Iterator[PageKey]:
    """The groups of switches; notes on several of them above all."""
    groups = group_switches(given.built.boxes, given.switches)
    notes = [_collect_notes(group.switches) for group in groups]
    # what is true of switches that differ is told where they stand with the others
    times = Counter(text for own, group in zip(notes, groups, strict=True) if not group.differs for text in own)
    entries = []
    for group, own in zip(groups, notes, strict=True):
        names = sorted((switch.name for switch in group.switches), key=by_number)
        reported = {text: places for text, places in own.items() if times[text] == 1 and not group.differs}
        above = ("unlike the others:",) if group.differs else tuple(_write_notes(reported, len(names), given.documents))
        entries.append(PageKey(fold_short(names), tuple(_make_device_entries(group.box, given.built.classes)), above))
    shared = {text: places for text, places in _collect_notes(given.switches).items() if times[text] > 1}
    yield PageKey("devices", tuple(entries), tuple(_write_notes(shared, len(given.switches), given.documents)))


def _make_device_entries(box: DeviceBody, shared: Mapping[str, Value]) -> Iterator[PageKey]:
    for key, value in box.stated.items():
        if key == "role" and box.guessed:
            yield PageKey(key, value, beside=box.guessed)
        elif key == "classes" and isinstance(value, dict) and value.keys() - shared.keys():
            new = {name: stated for name, stated in value.items() if name not in shared and "priority" in stated}
            changed = tuple(PageKey(name, stated) for name, stated in value.items() if name not in new)
            yield PageKey(key, (*changed, *_make_class_entries(new)))
        else:
            yield PageKey(key, value)
    if box.ports:
        yield PageKey("ports", tuple(PageKey(fold_short(part.names), part.stated) for part in bundle_lags(box.ports)))


def _collect_notes(switches: Sequence[SwitchText]) -> dict[str, dict[str, Span]]:
    """What an intent cannot say, and of which switches it is true, with the place."""
    found: dict[str, dict[str, Span]] = {}
    for switch in switches:
        for note in switch.notes:
            found.setdefault(note.text, {}).setdefault(switch.name, note.at)
    return found


def _write_notes(notes: Mapping[str, Mapping[str, Span]], count: int, documents: Sequence[Document]) -> Iterator[str]:
    """Notes as comments; `count`: the switches that they stand above, which are named where not all are intended."""
    for text, places in list(notes.items())[:_MOST_NOTES]:
        of = f"{fold_short(sorted(places, key=by_number))}: " if len(places) < count else ""
        first = next(iter(places.values()))
        document = documents[first.doc]
        more = f" and {len(places) - 1} more" if len(places) > 1 else ""
        yield f"not in this intent: {of}{text} ({document.path}:{document.place(first.start)[0]}{more})"
    if len(notes) > _MOST_NOTES:
        yield f"not in this intent: {len(notes) - _MOST_NOTES} more things"


def _join_first(names: Sequence[str], what: str) -> str:
    if len(names) <= _MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:2])} and {len(names) - 2} more {what}"


def bundle_lags(parts: Iterable[PortsBody]) -> list[PortsBody]:
    """The rows of a switch's ports, in the order that people count.

    Of ports that differ in their LAGs alone, a row for each LAG; or, where that is fewer, one for the first port of
    each, one for the second, and so on, with the LAGs as a node set that pairs with the ports.
    """
    alike: dict[Mapped, list[PortsBody]] = {}
    for part in parts:
        alike.setdefault(Mapped({key: value for key, value in part.stated.items() if key != "lag"}), []).append(part)
    rows = [row for found in alike.values() for row in _bundle_rows(found)]
    return sorted(rows, key=lambda row: by_number(row.names[0]))


def _bundle_rows(parts: Sequence[PortsBody]) -> list[PortsBody]:
    """The rows of ports that differ in their LAGs alone."""
    without = [part for part in parts if "lag" not in part.stated]
    within = sorted((part for part in parts if "lag" in part.stated), key=lambda part: by_number(part.names[0]))
    most = max((len(part.names) for part in within), default=0)
    if len(within) <= most:
        return without + within
    rows = []
    for nth in range(most):
        having = [part for part in within if len(part.names) > nth]
        lags = fold_short(str(part.stated["lag"]) for part in having)
        names = tuple(part.names[nth] for part in having)
        rows.append(PortsBody(names, Mapped({**having[0].stated, "lag": lags})))
    return without + rows
