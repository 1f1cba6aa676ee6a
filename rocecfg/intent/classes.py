"""Traffic classes of a device: defaults of tc, queue and pg, `rest`, marking curves, and the maps they amount to."""

from __future__ import annotations

from rocecfg.core.units import Percent
from rocecfg.intent.dscp import CS6, REST
from rocecfg.intent.precedence import ECN_WHOLE, overlay, section, settle
from rocecfg.intent.values import nearest, only_near
from rocecfg.model import ALL_COLORS, AUTO, Computed, Default, Ecn, EcnPercent, Origin, QosMaps, Span, TrafficClass
from rocecfg.model.catalogue import list_sorting
from rocecfg.model.fix import Fix, rename
from rocecfg.model.stated import MISSING, OFF, Problem, Section, Val
from rocecfg.model.traffic import fold_kind, is_known_kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

IN_MAPS = list_sorting()
_LOSSY = Default("a class is lossy unless it says lossless: true")
Sections = dict[str, tuple[Section, Span]]  # class name -> what is said of it, and where


def merge_sections(base: Sections, over: dict[str, Val], problems: list[Problem]) -> Sections:
    """Class sections with a device's or port's changes laid upon them; `off` takes a class away."""
    out = dict(base)
    for name, val in over.items():
        if val.value is MISSING:
            continue
        if val.value == OFF:
            if out.pop(name, None) is None:
                problems.append(_no_class_problem(name, val.at, base))
        elif name in out:
            known, at = out[name]
            out[name] = (overlay(known, val.value, ECN_WHOLE), at)
        elif "priority" in val.value:
            out[name] = (val.value, val.at)
        else:
            problems.append(_no_class_problem(name, val.at, base))
    return out


def _no_class_problem(name: str, at: Span, base: Sections) -> Problem:
    meant = only_near(name, base)
    remedy = Fix(f"write {meant}", safe=False, changes=(rename(at, meant),)) if meant is not None else None
    return Problem("schema-ref", at, f"there is no class {name}", nearest(name, base), fix=remedy)


def resolve_on_port(table: Table, given: dict[str, Val], problems: list[Problem]) -> tuple[Table, frozenset[str]]:
    """The classes of a device as a port that says `said` has them, and the names of those that it takes off.

    A class that is taken off keeps its place in maps and scheduler, which stay the device's, but gives way to what
    the port changes.
    """
    off = frozenset(name for name, val in given.items() if val.value == OFF)
    changes: dict[str, Val] = {}
    for name, val in given.items():
        if val.value is not MISSING and name not in table.sections:
            problems.append(_no_class_problem(name, val.at, table.sections))
        elif name not in off:
            changes[name] = val
    sections = merge_sections(table.sections, changes, problems)
    if not any(section(val).keys() & IN_MAPS for val in changes.values()):
        return Table(sections, problems), off
    if off:
        sections = _drop_claimed_points(sections, off)
        sections = _drop_taken_numbers(sections, off)
    return Table(sections, problems, off), off


def _drop_taken_numbers(sections: Sections, off: frozenset[str]) -> Sections:
    """Class sections, those in `off` without code points where one of the others has taken their numbers."""
    classes = Table(sections, []).classes
    taken = {number for c in classes if c.name not in off for number in c.numbers}
    left = [c.name for c in classes if c.name in off and c.dscps and not taken.isdisjoint(c.numbers)]
    out = dict(sections)
    for name in left:
        given, at = sections[name]
        out[name] = ({**given, "dscp": Val([], given["dscp"].at)}, at)
    return out


def _drop_claimed_points(sections: Sections, off: frozenset[str]) -> Sections:
    """Class sections, those in `off` without the code points that one of the others claims."""
    stated = [
        val for name, (given, _) in sections.items() if name not in off and (val := given.get("dscp")) is not None
    ]
    claimed = {point.value for val in stated if isinstance(val.value, list) for point in val.value}
    has_rest = any(val.value == REST for val in stated)
    out = dict(sections)
    for name in off & sections.keys():
        given, at = sections[name]
        dscp = given.get("dscp")
        if dscp is not None and isinstance(dscp.value, list):
            left = [point for point in dscp.value if point.value not in claimed]
            out[name] = ({**given, "dscp": Val(left, dscp.at)}, at)
        elif dscp is not None and dscp.value == REST and has_rest:
            out[name] = ({**given, "dscp": Val([], dscp.at)}, at)
    return out


class Table:
    """The classes of a device, its maps, and which classes could not be read whole."""

    __slots__ = ("broken", "by_name", "classes", "maps", "sections")

    def __init__(self, sections: Sections, problems: list[Problem], yielding: frozenset[str] = frozenset()) -> None:
        """`yielding`: classes that claim no number which another one wants."""
        self.sections = sections
        self.broken = {name for name, (given, _) in sections.items() if any(v.value is MISSING for v in given.values())}
        claimed: set[int] = set()
        resting: list[tuple[str, Span]] = []
        for name, (given, _) in sections.items():
            dscp = given.get("dscp")
            if dscp is None or dscp.value is MISSING:
                continue
            if dscp.value == REST:
                resting.append((name, dscp.at))
            else:
                claimed.update(v.value for v in dscp.value)
        resting.sort(key=lambda stated: (stated[1].doc, stated[1].start))  # what a device or port changes comes last
        for name, at in resting[1:]:
            first = resting[0]
            problems.append(
                Problem(
                    "schema-rest",
                    at,
                    f"`rest` is in {first[0]} and in {name}: only one class can take the unclaimed code points",
                    "name the code points of one of them",
                    ((first[1], "the first rest"),),
                )
            )
        rest = tuple(d for d in range(64) if d not in claimed)
        taker = resting[0][0] if resting else None
        self.classes = tuple(
            build_class(n, given, at, problems, self.broken, rest=rest if n == taker else None)
            for n, (given, at) in sections.items()
        )
        self.by_name = {c.name: c for c in self.classes}
        self.maps = build_maps(self.classes, yielding)


def build_class(
    name: str,
    given: Section,
    at: Span,
    problems: list[Problem],
    broken: set[str],
    *,
    rest: tuple[int, ...] | None = None,
    lossy: Default = _LOSSY,
) -> TrafficClass:
    """A class of which an intent or a switch says `given`. It is `broken` without a priority, or a whole curve.

    `rest`: the code points that it takes as the one with `dscp: rest`. `lossy`: why it is so where nothing is said.
    """
    given, takes_rest = settle(given), rest is not None
    origins: dict[str, Origin] = {"": at, "lossless": lossy, **{key: val.at for key, val in given.items()}}
    if not _is_read("priority", given):
        broken.add(name)
    kinds = _resolve_kinds(name, given, origins, takes_rest=takes_rest)
    lossless = bool(_get_value("lossless", given)) and _get_value("priority", given) is not None
    numbers = _resolve_numbers(name, given, at, origins, problems, control="control" in kinds, lossless=lossless)
    if takes_rest and lossless:
        problems.append(
            Problem(
                "schema-rest",
                given["dscp"].at,
                f"{name} is lossless: it cannot take the rest of the code points",
                "name its code points: unmarked packets must not be able to pause the fabric",
            )
        )
    ecn, by_speed = _resolve_ecn(given.get("ecn"), name, problems, broken)
    profiled = section(given.get("ecn")).get("profiled")
    return TrafficClass(
        name=name,
        carries=kinds,
        dscps=_list_code_points(given, origins, lossless=lossless) if rest is None else rest,
        rest=takes_rest,
        **numbers,
        lossless=lossless,
        **_read_shares(given),
        ecn=ecn,
        ecn_by_speed=by_speed,
        profiled=profiled is not None and profiled.value is True,
        marks=tuple(v.value for v in _get_value("marks", given) or ()),
        networks=tuple(v.value for v in _get_value("networks", given) or ()),
        origins=origins,
    )


def _resolve_numbers(
    name: str,
    given: Section,
    at: Span,
    origins: dict[str, Origin],
    problems: list[Problem],
    *,
    control: bool,
    lossless: bool,
) -> dict[str, Any]:
    """Priority, traffic class, queue and priority group: each as stated, else what follows from those before it."""
    if "priority" not in given:
        remedy = "write priority: 0-7, its PFC priority"
        problems.append(Problem("schema-required", at, f"class {name} has no priority", remedy))
    # a stand-in: what is known to be unreadable is judged no further
    priority = given["priority"].value if _is_read("priority", given) else 0
    tc, queue, pg = _get_value("tc", given), _get_value("queue", given), _get_value("pg", given)
    if not _is_read("tc", given):
        tc = priority
        origins["tc"] = Computed("the priority", (origins.get("priority", at),))
    if not _is_read("queue", given):
        queue = tc
        origins["queue"] = Computed("the traffic class", (origins["tc"],))
    if not _is_read("pg", given) and lossless:
        pg = priority
        origins["pg"] = Computed("the priority, since it is lossless", (origins["lossless"],))
    elif not _is_read("pg", given):
        pg = 7 if control else 0
        origins["pg"] = Computed("7 for control" if control else "0 for lossy classes", (at,))
    return {"priority": priority, "tc": tc, "queue": queue, "pg": pg}


Curve = Ecn | EcnPercent


def _resolve_ecn(
    val: Val | None, name: str, problems: list[Problem], broken: set[str]
) -> tuple[Any, tuple[tuple[int, Curve], ...]]:
    """How a class is marked: its curve, AUTO or None, and curves by port speed. It is `broken` if one is unreadable."""
    if val is None or val.value is MISSING or val.value in (None, OFF):
        return None, ()
    if val.value == AUTO:
        return AUTO, ()
    by_speed: dict[Any, Val] = section(val.value.get("by_speed"))
    own = {key: part for key, part in val.value.items() if key not in ("by_speed", "profiled")}
    stated = [(speed, part) for speed, part in by_speed.items() if part.value is not MISSING]
    found = [(speed, _build_curve(part.value, part.at, name, problems)) for speed, part in stated]
    speeds = tuple(sorted((speed, curve) for speed, curve in found if curve is not None))
    # a curve only by_speed is fine; then ports of other speeds have none
    asked = bool(own) or not speeds
    main = _build_curve(own, val.at, name, problems) if asked else None
    if (asked and main is None) or len(speeds) < len(by_speed):
        broken.add(name)
    return main, speeds


def _is_read(key: str, given: Section) -> bool:
    """Whether a key is there, and what it says could be read."""
    return key in given and given[key].value is not MISSING


def _get_value(key: str, given: Section) -> Any:
    """The bare value of a key; None where it is not there, or could not be read."""
    val = given.get(key)
    return None if val is None or val.value is MISSING else val.value


def _resolve_kinds(name: str, given: Section, origins: dict[str, Origin], *, takes_rest: bool) -> tuple[str, ...]:
    """What a class carries: as stated, else what it is called; default where that is unknown and it takes the rest."""
    carries = _get_value("carries", given)
    if carries is not None:
        return tuple(dict.fromkeys(fold_kind(v.value) for v in carries))
    kind = fold_kind(name)
    known = is_known_kind(kind)
    if takes_rest and not known and not _get_value("lossless", given):
        origins["carries"] = Default("dscp: rest: what no other class claims")
        return ("default",)
    origins["carries"] = Default("the class's name" + ("" if known else ", a word of your own"))
    return (kind,)


def _list_code_points(given: Section, origins: dict[str, Origin], *, lossless: bool) -> tuple[int, ...]:
    """The code points that a class names, ascending; the place of CS6 is noted where the class is lossless."""
    stated = _get_value("dscp", given)
    if not isinstance(stated, list):
        return ()
    for point in stated:
        if lossless and point.value == CS6 and "cs6" not in origins:  # what carries it must not be paused
            origins["cs6"] = point.at
    return tuple(sorted(point.value for point in stated))


def _build_curve(given: Section, at: Span, name: str, problems: list[Problem]) -> Curve | None:
    """The marking curve that is stated of a class at `at`; None where parts of it are missing or unreadable."""
    lacking = [k for k in ("kmin", "kmax", "pmax") if k not in given]
    if lacking:
        problems.append(
            Problem(
                "schema-required",
                at,
                f"ecn of {name} lacks {', '.join(lacking)}",
                "write ecn: {kmin: ..., kmax: ..., pmax: ...}; an ecn replaces the inherited one whole",
            )
        )
    if lacking or any(v.value is MISSING for v in given.values()):
        return None
    ends = given["kmin"], given["kmax"]
    shares = [end for end in ends if isinstance(end.value, Percent)]
    if len(shares) == 1:
        problems.append(
            Problem(
                "schema-value",
                shares[0].at,
                f"ecn of {name} has one threshold as a size, and one in percent of the queue's buffer",
                "write both in the same way",
            )
        )
        return None
    origins: dict[str, Origin] = {k: v.at for k, v in given.items()}
    origins[""] = at
    colors = given.get("colors")
    weight = given.get("weight")
    if weight is None:
        origins["weight"] = Default("0: marking on the instantaneous queue, as DCTCP and DCQCN expect")
    if colors is None:
        origins["colors"] = Default("all colours")
    return (EcnPercent if shares else Ecn)(
        ends[0].value,
        ends[1].value,
        given["pmax"].value,
        weight.value if weight is not None else 0,
        ALL_COLORS if colors is None or colors.value == "all" else tuple(v.value for v in colors.value),
        origins,
    )


def _read_shares(given: Section) -> dict[str, Any]:
    """What a class has of the bandwidth, and the least and the most of it, as fields of the model."""
    share = _get_value("bandwidth", given)
    out = {"strict": share == "strict", "bandwidth": share if isinstance(share, (int, float)) else None}
    for key, bound in (("max_rate", "max"), ("guaranteed", "guaranteed")):
        value = _get_value(key, given)
        in_percent = isinstance(value, Percent)
        out[f"{bound}_rate"] = None if value is None or in_percent else int(value)
        out[f"{bound}_percent"] = float(value) if in_percent else None
    return out


def build_maps(classes: tuple[TrafficClass, ...], yielding: frozenset[str] = frozenset()) -> QosMaps:
    """The chain of maps that classes amount to; TCs and priorities that nobody uses map to themselves, and to PG 0.

    Where classes want different things of one number, the order of their claims decides, not that of the text:
    rules tell of the conflict, and what they tell besides must not hang on which class is written last.
    """
    dscp: list[int | None] = [None] * 64
    queue: list[int | None] = list(range(8))
    pg: list[int | None] = [0] * 8
    pfc_queue: list[int | None] = list(range(8))
    pfc_pg: list[int | None] = list(range(8))
    # the last to write is the first to claim
    for c in sorted(classes, key=lambda c: (c.name in yielding, c.claim), reverse=True):
        for point in c.dscps:
            dscp[point] = c.tc
        queue[c.tc] = c.queue
        pg[c.tc] = c.pg
        pfc_queue[c.priority] = c.queue
        if c.lossless:
            pfc_pg[c.priority] = c.pg
    computed = Computed("from the classes", tuple(c.at("") for c in classes))
    return QosMaps(tuple(dscp), tuple(queue), tuple(pg), tuple(pfc_queue), tuple(pfc_pg), {"": computed})


def sorting_key(cls: TrafficClass | None) -> tuple[object, ...]:
    """What packets of a class meet, but for how they are sent: what maps follow from."""
    return () if cls is None else (cls.dscps, cls.priority, cls.tc, cls.queue, cls.pg, cls.lossless, cls.carries)
