"""Traffic classes as an intent has them: once for the fabric, and what differs on a switch or a port."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.importing import naming
from rocecfg.importing.curves import Curves, Marked, PlacedCurves, place_curves
from rocecfg.importing.format import format_dscps
from rocecfg.importing.naming import Names
from rocecfg.importing.texts import SHARES, ClassText, PortText, SwitchText
from rocecfg.intent.dscp import REST
from rocecfg.model.stated import OFF
from rocecfg.source.write import Value

_RANK = {naming.RDMA: 0, naming.CNP: 1, naming.CONTROL: 2, None: 3, naming.DEFAULT: 4}
_SAID_FIRST = ("dscp", "priority", "lossless", "tc", "queue", "pg", *SHARES)  # each follows from those before it
_WRITTEN = ("dscp", "priority", "tc", "queue", "pg", "lossless", *SHARES)

Wanted = dict[str, Any]  # a class of a switch: dscp as numbers or rest, the shares as texts, None where not said


class Classes(NamedTuple):
    """The classes of a fabric: name -> what is said of it there."""

    top: Mapping[str, Value]
    switches: tuple[dict[str, Value], ...]  # what differs on each; `off` takes a class away
    ports: tuple[tuple[dict[str, Value], ...], ...]  # what differs on each group of ports of each


def place_classes(switches: Sequence[SwitchText], names: Sequence[Names]) -> Classes:
    """The classes of switches, of which each has these names for its traffic classes."""
    wanted = [
        {own[tc]: _collect_wanted(switch.classes[tc], own[tc], switch) for tc in own}
        for switch, own in zip(switches, names, strict=True)
    ]
    shared: dict[str, Wanted] = {}
    placed: dict[str, PlacedCurves] = {}
    for name in _order_names(wanted):
        have = [own[name] for own in wanted if name in own]
        if 2 * len(have) >= len(switches):
            shared[name] = _find_needed(_find_usual(have), {}, name)
        rows = [_collect_marking(switch, own, name) for switch, own in zip(switches, names, strict=True)]
        placed[name] = place_curves(rows, shared=name in shared)
    return Classes(
        {name: _write_class(name, given, placed[name].top, new=True) for name, given in shared.items()},
        tuple(
            _write_on_switch(wanted[n], shared, {name: where.switches[n] for name, where in placed.items()})
            for n in range(len(switches))
        ),
        tuple(
            tuple(
                _write_on_port(own, switch, port, shared, {name: where.ports[n][p] for name, where in placed.items()})
                for p, port in enumerate(switch.ports)
            )
            for n, (switch, own) in enumerate(zip(switches, names, strict=True))
        ),
    )


def _order_names(wanted: Iterable[Mapping[str, Wanted]]) -> list[str]:
    """All names: lossless ones first, `default` last."""
    tcs: dict[str, int] = {}
    for own in wanted:
        for name, cls in own.items():
            tcs[name] = min(cls["tc"], tcs.get(name, cls["tc"]))
    return sorted(tcs, key=lambda name: (_RANK[naming.guess_kind(name)], tcs[name]))


def _collect_wanted(cls: ClassText, name: str, switch: SwitchText) -> Wanted:
    others = {point for other in switch.classes.values() if other.tc != cls.tc for point in other.dscps}
    rests = name == naming.DEFAULT and not cls.lossless and {*range(64)} - others == {*cls.dscps}
    return {
        "dscp": REST if rests else cls.dscps,
        "priority": cls.priority,
        "lossless": cls.lossless,
        "tc": cls.tc,
        "queue": cls.queue,
        "pg": cls.pg,
        **{key: cls.shares.get(key) for key in SHARES},
    }


def _find_usual(have: Sequence[Wanted]) -> Wanted:
    """What most switches want of a class, key by key; nothing of a key that some leave unsaid."""
    out: Wanted = {}
    for key in have[0]:
        values: list[Hashable] = [each[key] for each in have]
        out[key] = None if None in values else Counter(values).most_common(1)[0][0]
    return out


def _find_needed(wanted: Wanted, inherited: Wanted, name: str) -> Wanted:
    """What has to be said beside what is inherited for a class to come to what is wanted."""
    given: Wanted = {}
    for key in _SAID_FIRST:
        value = wanted[key]
        if value is not None and _resolve({**inherited, **given}, name).get(key) != value:
            given[key] = value
    return given


def _resolve(given: Wanted, name: str) -> Wanted:
    """What a class comes to of which this is said; the same as the resolver makes of it."""
    priority, lossless = given.get("priority"), given.get("lossless", False)
    tc = given.get("tc", priority)
    pg = priority if lossless else 7 if naming.guess_kind(name) == naming.CONTROL else 0
    return {"dscp": (), "lossless": lossless, "tc": tc, "queue": tc, "pg": pg, **given}


def _collect_marking(switch: SwitchText, own: Names, name: str) -> list[Marked | None]:
    """The marking of a class on each group of ports; None where it does not cross them."""
    tc = next((tc for tc, known in own.items() if known == name), None)
    return [
        Marked(port.speed, port.ecn[tc], max(1, len(port.names))) if tc in port.crossing else None
        for port in switch.ports
    ]


def _write_on_switch(
    wanted: Mapping[str, Wanted], shared: Mapping[str, Wanted], curves: Mapping[str, Curves | None]
) -> dict[str, Value]:
    """What is said of the classes on one switch."""
    out: dict[str, Value] = {}
    for name, placed in curves.items():
        if name not in wanted:
            if name in shared:
                out[name] = OFF
            continue
        given = _find_needed(wanted[name], shared.get(name, {}), name)
        text = _write_class(name, given, placed, new=name not in shared)
        if text:
            out[name] = text
    return out


def _write_class(name: str, given: Wanted, curves: Curves | None, *, new: bool) -> dict[str, Value]:
    """A class as it is written; `new`: where nothing wider says anything of it."""
    out: dict[str, Value] = {}
    kind = naming.guess_kind(name)
    if new and kind is not None:
        out["carries"] = [kind]
    for key in _WRITTEN:
        if key in given:
            out[key] = _write_value(key, given[key])
    if curves is not None and not (new and curves == Curves()):
        out["ecn"] = curves.text()
    return out


def _write_value(key: str, value: Any) -> Value:
    if key == "dscp":
        return REST if value == REST else format_dscps(value)
    return str(value).lower() if isinstance(value, (bool, int)) else value


def _write_on_port(
    own: Names, switch: SwitchText, port: PortText, shared: Mapping[str, Wanted], curves: Mapping[str, Curves | None]
) -> dict[str, Value]:
    """What is said of the classes on a group of ports."""
    out: dict[str, Value] = {name: OFF for tc, name in own.items() if tc not in port.crossing}
    for tc, name in own.items():
        if tc in port.own:
            inherited = shared.get(name, {})
            inherited = {
                **inherited,
                **_find_needed(_collect_wanted(switch.classes[tc], name, switch), inherited, name),
            }
            text = _write_class(
                name, _find_needed(_collect_wanted_on_port(port, tc, name, switch), inherited, name), None, new=False
            )
            if text:
                out[name] = text
    for name, placed in curves.items():
        if placed is not None:
            before = out.get(name)
            out[name] = {**(before if isinstance(before, dict) else {}), "ecn": placed.text()}
    return out


def _collect_wanted_on_port(port: PortText, tc: int, name: str, switch: SwitchText) -> Wanted:
    """A class as ports sort it by maps of their own; shares are the switch's."""
    cls = port.own[tc]
    others = {point for n, other in port.own.items() if n != tc for point in other.dscps}
    # what a class that does not cross them keeps of its code points
    others |= {point for n, other in switch.classes.items() if n not in port.own for point in other.dscps}
    rests = name == naming.DEFAULT and not cls.lossless and {*range(64)} - others == {*cls.dscps}
    usual = _collect_wanted(switch.classes[tc], name, switch)
    numbers = {"priority": cls.priority, "lossless": cls.lossless, "tc": cls.tc, "queue": cls.queue, "pg": cls.pg}
    return {**usual, **numbers, "dscp": REST if rests else cls.dscps}
