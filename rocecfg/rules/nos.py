"""What a box and its network operating system can do: rules SCH009, SCH010, SCH011 and SCH020.

Nothing here knows a vendor: the facts of `profiles/` decide. What they do not say is unknown, and stays silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from math import ceil, frexp, inf

from rocecfg.core.units import show_number, show_rate, show_size, show_time
from rocecfg.model import Device, Fabric, Headroom, Origin, PortGroup, Span, spans_of
from rocecfg.model.fabric import kept_with_fabric
from rocecfg.profiles import MARKS, applies, is_build_of, release_key
from rocecfg.profiles.releases import is_no_branch, newest_before
from rocecfg.profiles.settings import SETTINGS
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.covered_elsewhere import is_reported_elsewhere
from rocecfg.rules.nos_settings import Holder, Reading, read_settings
from rocecfg.rules.per_port import read_differences
from rocecfg.sizing.templates import buffer_model

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Box, Lack, Limit, Nos

# Boxes have up to two ports for service beside the lanes that a chip's capacity counts: of 25G, or of 100G with the
# largest chips (SONiC's HwSKU SN6600_LD-P128C2: 128 x 800G, 2 x 100G). As bit/s, and as a part of the capacity.
_SERVICE_PORTS, _SERVICE_PART = 50 * 10**9, 512
VERIFIED = "V"
REFUSED = "render refuses it"  # ends the message of a refusal that is no error, since it is not verified
_NEWEST = 6  # releases that are listed
_ALIKE = 1e-9  # what floats may leave of a whole multiple
_SHORT = {"percent": "%", "m": "m"}
_ON_DEVICE = "render refuses it on devices with"
_OF_SOURCE = {"M": "from memory of {}", "D": "derived from {}", "U": "unverified: {}"}  # how sure, by its mark
_WORKED_OUT = {  # the fix where a limit is on something that the intent does not say outright
    "port.watchdog.detection in polls": "lower detection_time, or raise poll_interval",
    "port.headroom.size less xoff": "lower xoff, or write the size alone",
    "port.headroom.size less xoff and xon": "lower xon, or write the size alone",
    "device.buffers.pools sum": "lower one of the pools",
    "class.ecn.kmin of the queue limit": "write kmin and kmax of at most buffers.queue_limit",
    "class.ecn.kmax of the queue limit": "write kmin and kmax of at most buffers.queue_limit",
}
_SHARES = ", and change the shares of other classes, to sum to 100%"
_ALSO = {  # what else to do, where another value of the setting alone would not be sound
    ("class.bandwidth", "or more"): _SHARES,
    ("class.bandwidth", "or less"): _SHARES,
    ("port.watchdog.poll", "or more"): ", with detection_time and restoration_time no shorter than it",
}


def _format_value(value: float | str, unit: str) -> str:
    if isinstance(value, str):
        return value
    if abs(value) == inf:
        return "any"
    if unit == "ms":
        return show_time(value)
    if unit == "B":
        return show_size(int(value))
    if unit == "bytes":
        return f"{int(value)}B"
    if unit == "bit/s":
        return show_rate(int(value))
    return show_number(value) + _SHORT.get(unit, "")


# -- what its NOS takes ------------------------------------------------------------------------------------------------


def _get_release(device: Device, nos: Nos) -> str:
    return device.release or nos.default_release


def _format_release(device: Device, nos: Nos) -> str:
    """`SONiC 202405`, said as assumed where none is named; one that nobody has seen as of the nearest that is known."""
    newest = _find_newest_before(device)
    if newest is not None:
        return f"{nos.title} as of {newest}, the newest that is known before {device.version},"
    if _is_before_all(device, nos):
        return f"{nos.title} as of {nos.known_since}, the oldest that is known after {device.version},"
    return f"{nos.title} {_get_release(device, nos)}{'' if device.version else ' (assumed)'}"


def _format_known_until(device: Device) -> str:
    """` as of 202605`, where a device runs a release later than those of which anything is known."""
    newest = _find_newest_before(device)
    return f" as of {newest}" if newest is not None else ""


def _explain_lack(device: Device, what: str, lack: Lack) -> str:
    """Why it is so: `... (tables of 202411, taken for 202412)` where it follows from tables of another release."""
    box = device.box
    if box is None or not SETTINGS[what].of_tables or not box.tables:
        return lack.message
    told = device.version is None and box.release == device.release  # `SONiC 202405 (assumed)` says it
    return lack.message if told else f"{lack.message} (tables{box.tables})"


def _find_newest_before(device: Device) -> str | None:
    """The newest release that is known, where a device runs a later one, of which nothing is."""
    nos = device.nos
    return newest_before(nos.releases, nos.name, device.version) if nos is not None and device.version else None


def _is_before_all(device: Device, nos: Nos) -> bool:
    """Whether a device runs an earlier release than all whose sources were read."""
    version, since = device.version, nos.known_since
    placed = version is not None and since is not None and _is_placeable(nos, version)
    return placed and not _is_in_force(since, None, nos, version or "")


def _rate_by_certainty(device: Device, mark: str, severity: str, *, of_release: bool = False) -> str:
    """How bad a refusal is: no error, where it is not verified, or of a release that nobody has seen.

    `of_release`: each release has tables of its own, and one that is assumed may not be the one that runs.
    """
    sure = mark == VERIFIED and _find_newest_before(device) is None and not (of_release and not device.version)
    return severity if severity != ERROR or sure else WARNING


def _is_in_force(since: str | None, until: str | None, nos: Nos, release: str) -> bool:
    """Whether a fact holds for the release; of a release nobody can place, only what holds for all."""
    try:
        return applies(since, until, nos.name, release)
    except ValueError:
        return since is None and until is None


def _is_placeable(nos: Nos, release: str) -> bool:
    try:
        release_key(nos.name, release)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=64)
def _limits_in_force(nos: Nos, release: str) -> dict[str, Limit]:
    return {limit.what: limit for limit in nos.limits if _is_in_force(limit.since, limit.until, nos, release)}


@lru_cache(maxsize=64)
def _lacks_in_force(nos: Nos, release: str) -> dict[str, list[Lack]]:
    out: dict[str, list[Lack]] = {}
    for lack in nos.lacks:
        if _is_in_force(lack.since, lack.until, nos, release):
            out.setdefault(lack.what, []).append(lack)
    return out


def _filter_by_hardware(device: Device, lacks: Iterable[Lack]) -> Iterator[Lack]:
    """Those that are so on the chip of a device and with its buffer model."""
    for lack in lacks:
        if not lack.on or not _hardware_names(device).isdisjoint(lack.on):
            yield lack


def _hardware_names(device: Device) -> frozenset[str | None]:
    """What `on` of a lack may name: the chip, its family in the words of the NOS, the buffer model."""
    return frozenset((device.asic.name if device.asic is not None else None, device.family, buffer_model(device)))


def _name_setting(fabric: Fabric, what: str) -> str:
    """A setting by its key in an intent; of a switch as it runs, in words that any switch has."""
    words = SETTINGS[what].words
    return words.replace(".", " ").replace("_", " ") if fabric.running else words


def _describe_request(what: str, value: float | str) -> str:
    """What is asked for, in words, with its value."""
    asked = SETTINGS[what]
    shown = _format_value(value, asked.unit or "")
    if "{}" in asked.words:
        return asked.words.format(shown)
    if " " in shown and " " in asked.words and asked.words[-1] != "," and not shown.startswith(("(", "of ")):
        shown = f"({shown})"
    return f"{asked.words} {shown}".rstrip()


def _is_outside(limit: Limit | None, value: float | str) -> bool:
    return limit is not None and not isinstance(value, str) and not limit.low <= value <= limit.high


def _is_taken_by_some_release(fabric: Fabric, device: Device, what: str, value: float) -> bool:
    """Whether a switch runs what some release takes: which one it has is not told, and must be one of those."""
    if not fabric.running or device.version is not None or device.nos is None:
        return False
    return any(limit.what == what and not _is_outside(limit, value) for limit in device.nos.limits)


@kept_with_fabric
def _distinct_systems(fabric: Fabric) -> tuple[Device, ...]:
    """One device of each kind of system that the fabric has."""
    return tuple({(d.vendor, d.version, _hardware_names(d)): d for d in fabric.devices if d.nos is not None}.values())


def _takes_value(device: Device, what: str, value: float | str) -> bool:
    """Whether the system of a device takes a value."""
    nos = device.nos
    assert nos is not None
    release = _get_release(device, nos)
    limit = _limits_in_force(nos, release).get(what)
    return not _is_outside(limit, value) and not any(
        lack.severity == ERROR and _is_lacking(lack, value)
        for lack in _filter_by_hardware(device, _lacks_in_force(nos, release).get(what, ()))
    )


def _rate_by_place(fabric: Fabric, device: Device, what: str, value: float | str, holder: Holder, field: str) -> str:
    """How bad it is that a device cannot have a value, by where that is written.

    A warning where it is fabric-wide and another system in the fabric takes it: the intent is for these too.
    """
    spans = spans_of(holder.at(field)) or spans_of(holder.at(""))
    wide = bool(spans) and what != "qos" and fabric.fabric_wide.issuperset(spans)
    taken = wide and any(
        other.vendor != device.vendor and _takes_value(other, what, value) for other in _distinct_systems(fabric)
    )
    return WARNING if taken else ERROR


def _narrow_fix(device: Device, severity: str, fix: str) -> str:
    """The fix; of a fabric-wide value that other systems take, of these devices alone."""
    if severity != WARNING or device.nos is None:
        return fix
    return f"{_ON_DEVICE} {device.nos.title}; on these alone {fix}, or state default"


def _format_mark(mark: str, silent: str = "") -> str:
    """How sure a refusal is, where it is not verified: rocecfg writes no such thing, and render refuses it.

    `silent`: the source that it rests on, where that is not told: what it does not have, others may.
    """
    sure = _OF_SOURCE[mark].format(silent) if silent and mark != VERIFIED else MARKS[mark]
    return "" if mark == VERIFIED else f" [{sure}; {REFUSED}]"


@rule(
    "SCH011",
    "schema-nos-range",
    ERROR,
    source="SONiC YANG models, NVUE OpenAPI schema, EOS command ranges, as profiles/nos cites them one by one",
)
def nos_range(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A value outside the range that the switch's operating system accepts in that release."""
    return find_out_of_range(fabric, device)


def find_out_of_range(fabric: Fabric, device: Device, *, refused: bool = False) -> Iterator[Hit]:
    """Values outside their ranges. `refused`: what else tells of them does not matter."""
    if device.nos is None:
        return
    limits = _limits_in_force(device.nos, _get_release(device, device.nos))
    for what, value, holder, field, cls in read_settings(fabric, device):
        limit = limits.get(what)
        if limit is None or isinstance(value, str) or not _is_outside(limit, value):
            continue
        if not refused and is_reported_elsewhere(what, fabric, device, cls, of_range=True):
            continue
        if _is_taken_by_some_release(fabric, device, what, value):
            continue
        unit = "bytes" if what.startswith("port.mtu") else limit.unit  # 9216, as everybody writes it, not 9KiB
        low, high, stated = (_format_value(v, unit) for v in (limit.low, limit.high, value))
        span = (
            f"up to {high}" if limit.low == -inf else f"from {low} on" if limit.high == inf else f"from {low} to {high}"
        )
        nearest, side = (limit.low, "or more") if value < limit.low else (limit.high, "or less")
        # the intent has an MTU as a bare number
        text = show_number(nearest) if what.startswith("port.mtu") else _format_value(nearest, unit)
        bound = _WORKED_OUT.get(what, f"write {text} {side}{_ALSO.get((what, side), '')}")
        severity = _rate_by_place(fabric, device, what, value, holder, field)
        yield Hit(
            f"{_format_release(device, device.nos)} accepts {_name_setting(fabric, what)} {span}, not {stated} "
            f"({limit.source}{_format_mark(limit.mark)})",
            (holder.at(field), holder.at("")),
            _narrow_fix(device, severity, bound),
            severity=_rate_by_certainty(device, limit.mark, severity),
            cls=cls,
            ports=_ports_of_holder(holder),
        )


@rule(
    "SCH020",
    "nos-unsupported",
    ERROR,
    source="NVUE OpenAPI schema, SONiC YANG models, AVD's EOS schema; see profiles/nos",
    by_kind={"running": OFF},  # what a switch's own configuration asks for, its system can express
)
def nos_unsupported(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Something the intent asks for that the switch's operating system cannot express."""
    return find_inexpressible(fabric, device)


def find_inexpressible(fabric: Fabric, device: Device, *, refused: bool = False) -> Iterator[Hit]:
    """What cannot be expressed. `refused`: what is not merely left out, whatever else tells of it."""
    if device.nos is None:
        return
    release = _get_release(device, device.nos)
    limits, lacks = _limits_in_force(device.nos, release), _lacks_in_force(device.nos, release)
    by_port = ((reading, _ports_of_holder(reading[2])) for reading in read_settings(fabric, device))
    apart = (
        (reading, ()) for reading in read_differences(device) if reading[4] is None or not fabric.broken
    )  # a difference is of both sides, whichever comes first
    for (what, value, holder, field, cls), ports in chain(by_port, apart):
        for lack in _filter_by_hardware(device, lacks[what]) if what in lacks else ():
            if not _is_lacking(lack, value) or (lack.step is not None and _is_outside(limits.get(what), value)):
                continue
            at = holder.at(field)
            if refused and lack.severity != ERROR:
                continue
            if lack.severity == INFO and not isinstance(at, Span):
                continue  # a default nobody wrote: nothing was asked for
            if not refused and is_reported_elsewhere(what, fabric, device, cls):
                continue
            severity = lack.severity
            if severity == ERROR:
                severity = _rate_by_place(fabric, device, what, value, holder, field)
            cannot = "cannot" if lack.mark == VERIFIED else "is not known to"
            missing = SETTINGS[what].missing
            sure = _format_mark(lack.mark, "" if missing else lack.source) if lack.severity == ERROR else ""
            yield Hit(
                f"{_format_release(device, device.nos)} {cannot} express {_describe_request(what, value)}: "
                f"{_explain_lack(device, what, lack)}{sure}",
                (at, holder.at("")),
                _narrow_fix(device, severity, lack.fix) if severity != lack.severity else lack.fix,
                severity=INFO if missing else _rate_by_certainty(device, lack.mark, severity),
                cls=cls,
                ports=ports,
                missing=missing,
            )


def find_refusals(device: Device, readings: Iterable[Reading]) -> dict[str, str]:
    """Why `schema-nos-range` or `nos-unsupported` would speak of values that nobody has stated yet, by their field."""
    nos, out = device.nos, dict[str, str]()
    if nos is None:
        return out
    system, release = _format_release(device, nos), _get_release(device, nos)
    limits, lacks = _limits_in_force(nos, release), _lacks_in_force(nos, release)
    for what, value, _, field, _ in readings:
        if not isinstance(value, str) and _is_outside(limits.get(what), value):
            out.setdefault(field, f"{system} does not take {_describe_request(what, value)}")
        for lack in _filter_by_hardware(device, lacks.get(what, ())):
            if _is_lacking(lack, value):
                out.setdefault(
                    field,
                    f"{system} cannot express {_describe_request(what, value)}: {_explain_lack(device, what, lack)}",
                )
    return out


def _ports_of_holder(holder: Holder) -> tuple[PortGroup, ...]:
    """The ports that a value is of, where one group of them has it."""
    return (holder,) if isinstance(holder, PortGroup) else ()


def _is_lacking(lack: Lack, value: float | str) -> bool:
    if lack.step is None:
        return not lack.values or (value if isinstance(value, str) else show_number(value)) in lack.values
    if isinstance(value, str):
        return False
    if not lack.step:
        return frexp(value)[0] != 0.5
    whole = value / lack.step
    return abs(whole - round(whole)) > _ALIKE


@rule(
    "SCH030",
    "nos-release-unknown",
    INFO,
    source="profiles/nos: the releases whose facts are known",
)
def nos_release_unknown(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A release that rocecfg has no facts about: newer or older than all it knows, or not a known branch."""
    nos, version = device.nos, device.version
    if nos is not None:
        for told in device.unheld:
            runs = f"{nos.title} {_get_release(device, nos)}{'' if device.version else ' (assumed)'}"
            apart = ", its chip apart" if "platforms/" in told else ""
            what = f"{told}, and {runs} runs here: nothing is checked or computed by it{apart}"
            yield Hit(what, (device.at("version"), device.at("platform", "asic")), "correct version, or the profile")
    if nos is None or version is None or not _is_placeable(nos, version):
        return
    newest = _find_newest_before(device)
    if newest is not None:
        known = f"the newest release that rocecfg knows (as of {nos.as_of})"
        told = f"{nos.title} {version} is later than {newest}, {known}"
        fix = f"check the release notes of {version}, and update rocecfg once it knows it; or correct version"
        yield Hit(f"{told}: {_say_use(nos, version)} {newest}", (device.at("version"),), fix)
    elif _is_before_all(device, nos):
        told = f"{nos.title} {version} is earlier than {nos.known_since}, the oldest release whose sources were read"
        fix = f"check what {version} lacks that {nos.known_since} has; or correct version"
        yield Hit(f"{told} (as of {nos.as_of}): {_say_use(nos, version)} that one", (device.at("version"),), fix)
    elif is_no_branch((*nos.releases, *nos.commits) if nos.commits else (), nos.name, version):
        told = f"{version} is not a known branch of {nos.title}: it is linted as the branch before it"
        yield Hit(told, (device.at("version"),), f"branches: {', '.join(nos.releases[-_NEWEST:])}")


def _say_use(nos: Nos, version: str) -> str:
    """What is done by the facts of another release; one with other statements is linted alone."""
    written = applies(nos.written_since, nos.written_until, nos.name, version)
    return "it is linted and rendered as" if written else "no statements of it are rendered, and it is linted as"


# -- what its box is ---------------------------------------------------------------------------------------------------


@rule(
    "SCH009",
    "schema-asic-nos",
    ERROR,
    source="sonic-net/sonic-buildimage, device folders by release; product lists, as profiles/platforms cites them",
    by_kind={"running": OFF},  # the box runs what it runs
)
def asic_nos(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A network operating system that the box or its chip does not run, not yet, or not losslessly."""
    nos = device.nos
    if nos is None:
        return
    platform, asic, box = device.platform, device.asic, device.box
    where = (device.at("vendor"), device.at("platform", "asic"))
    runs = ""
    if platform is not None and nos.name not in platform.boxes:
        runs = f"{nos.title}{_format_known_until(device)} is not known to run on {platform.name}; known there: "
        runs += ", ".join(platform.boxes)
    elif platform is None and asic is not None and asic.nos and nos.name not in asic.nos:
        runs = f"{nos.title}{_format_known_until(device)} is not known to run on {asic.title}; known there: "
        runs += ", ".join(asic.nos)
    if runs:
        fix, severity = "correct vendor, or the platform", _rate_by_certainty(device, VERIFIED, ERROR)
        if nos.commits:  # an open system: its makers' repository has no such box, others may build one
            runs, severity = f"{runs} ({nos.sources['commits']} of {nos.as_of}: no folder for it)", WARNING
        yield Hit(runs, where, fix, ((where[1], "the box"),), severity=severity)
    elif platform is not None and box is not None:
        yield from _judge_release(device, nos, platform.name, platform.boxes[nos.name].since, box)
        for hit in find_without_headroom(device):
            severity = _rate_by_certainty(device, VERIFIED, ERROR, of_release=True)
            yield hit._replace(help=f"{'' if device.version else 'state version, or '}{hit.help}", severity=severity)


def _judge_release(device: Device, nos: Nos, platform: str, first: str | None, box: Box) -> Iterator[Hit]:
    """`first`: the first release for the box; `box` says it for its HwSKU."""
    with_hwsku, release = box.since, _get_release(device, nos)
    if not _is_placeable(nos, release):
        return  # nobody knows how old it is
    where = (device.at("version") if device.version else device.at("platform"), device.at("platform"))
    if first is not None and not _is_in_force(first, None, nos, release):
        yield Hit(
            f"{_format_release(device, nos)} does not support {platform}: the first release that does is {first}",
            where,
            f'write version: "{first}" or later',
            severity=ERROR if device.version else WARNING,
        )
        return
    stated = "hwsku" in device.origins and bool(spans_of(device.at("hwsku")))
    if box.skipped and box.release is not None and is_build_of(nos.name, release, box.release):
        yield Hit(
            f"{_format_release(device, nos)} has no HwSKU {device.hwsku}, though {with_hwsku} has",
            (device.at("hwsku"), *where) if stated else where,
            "name another release, or another hwsku",
            severity=ERROR if stated and device.version else WARNING,
        )
    elif with_hwsku is not None and not _is_in_force(with_hwsku, None, nos, release):
        yield Hit(
            f"{_format_release(device, nos)} has no HwSKU {device.hwsku} with the headroom table it needs, which "
            f"begins with {with_hwsku}",
            (device.at("hwsku"), *where) if stated else where,
            f'write version: "{with_hwsku}" or later, or another hwsku',
            severity=ERROR if stated and device.version else WARNING,
        )


def find_without_headroom(device: Device, *, refused: bool = False) -> Iterator[Hit]:
    """Lossless ports for which the box has no headroom. `refused`: what else tells of them does not matter."""
    nos, box = device.nos, device.box
    if nos is None or box is None:
        return
    yield from _judge_headroom_table(device, nos, box, refused=refused)
    # nor does a headroom of one's own have a pool to come from
    if not box.lossless and any(port.pfc for port in device.ports):
        name = device.platform.name if device.platform is not None else "this box"
        what = f"HwSKU {box.hwsku} of {name}" if box.hwsku else name
        yield Hit(
            f"{_format_release(device, nos)} ships no lossless headroom for {what}: PFC would run without any and "
            f"packets would be lost ({box.source}{box.tables and f', facts{box.tables}'})",
            (device.at("hwsku", "platform"), device.at("platform")),
            "name a hwsku that has a headroom table, or remove the lossless classes from its ports",
        )


def _judge_headroom_table(device: Device, nos: Nos, box: Box, *, refused: bool) -> Iterator[Hit]:
    """Lossless ports for whose speed or cable the box has no headroom listed, where its NOS only looks it up."""
    if box.headroom is None or buffer_model(device) == "dynamic":
        return
    lengths = box.headroom.rows
    table, source = (
        f"the headroom table of HwSKU {box.hwsku}",
        f"{box.headroom.source}{box.tables and f', table{box.tables}'}",
    )
    system = _format_release(device, nos)
    harm = "PFC would run without headroom and packets would be lost"
    for port in device.ports:
        if not port.pfc or port.speed is None or port.cable is None or isinstance(port.headroom, Headroom):
            continue
        if port.speed in lengths:
            longest = max(lengths[port.speed])
            if ceil(port.cable) > longest and (port.room is None or (refused and port.headroom is None)):
                yield Hit(
                    f"{system} has no cable of {show_number(port.cable)} m at {show_rate(port.speed)} in {table}, "
                    f"which ends at {longest} m: {harm} ({source})",
                    (port.at("cable"),),
                    "correct the cable, or state pfc.headroom: {size, xon, xoff}",
                )
        elif refused or not box.speeds or port.speed in box.speeds:  # else schema-port-speed
            yield Hit(
                f"{system} has no {show_rate(port.speed)} in {table}, which has "
                f"{', '.join(map(show_rate, sorted(lengths)))}: {harm} ({source})",
                (port.at("speed"),),
                "name a hwsku whose table has it, or state pfc.headroom: {size, xon, xoff}",
            )


@rule(
    "SCH010",
    "schema-port-speed",
    ERROR,
    source="data sheets and port maps, as profiles/asics and profiles/platforms cite them",
    by_kind={"running": OFF},  # the ports are there, whether a profile knows of them or not
)
def port_speed(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A port speed that the box or its chip does not have, or more ports than the chip can carry."""
    asic, box = device.asic, device.box
    title = asic.title if asic is not None else ""
    speeds, source = (asic.speeds, asic.sources.get("speeds", "")) if asic is not None else ((), "")
    if box is not None and box.speeds and device.platform is not None:
        title, speeds, source = device.platform.name, box.speeds, box.source
    seen: set[tuple[int, Origin]] = set()
    total = 0
    for port in device.ports:
        if port.speed is None or port.inside:
            continue
        total += len(port.names) * port.speed
        key = (port.speed, port.at("speed"))
        if speeds and port.speed not in speeds and key not in seen:
            seen.add(key)
            yield Hit(
                f"{title} has no {show_rate(port.speed)} port{_format_known_until(device)}; it has "
                f"{', '.join(map(show_rate, speeds))} ({source})",
                (port.at("speed"),),
                "write a speed it has, or another platform",
                severity=_rate_by_certainty(device, VERIFIED, ERROR),
            )
    if asic is not None and asic.capacity is not None and total > asic.capacity + _service_capacity(asic.capacity):
        yield Hit(
            f"the ports add up to {show_rate(total)}, and {asic.title} carries {show_rate(asic.capacity)} "
            f"({asic.sources['capacity']})",
            (device.at(),),
            "remove ports, or lower their speeds: a broken-out port takes lanes of its neighbours",
        )


def _service_capacity(capacity: int) -> int:
    """What the ports for service may add to a chip's capacity, bit/s."""
    return max(_SERVICE_PORTS, capacity // _SERVICE_PART)


RULES: tuple[Rule, ...] = (asic_nos, port_speed, nos_range, nos_unsupported, nos_release_unknown)
