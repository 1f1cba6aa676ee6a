"""What goes wrong with SONiC in particular, and only the switch's own configuration shows: rules SON801 to SON807."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.units import show_size, show_time
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.bound import running_lossless_classes
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF, is_lossless_port
from rocecfg.rules.common import (
    LOSSY_OFF,
    PRIORITIES,
    is_judged_by_priority,
    is_management,
    join_words,
    paused_priorities,
    queue_of,
)
from rocecfg.rules.watchdog import judged_watchdog, locate_watchdog_field

_TRADITIONAL = "traditional"
_LOSSY_INSIDE = ("Inb", "Rec", "Dpc")  # no RDMA: qos_config.j2 turns PFC on for none of these
_UNPAUSED = {
    ERROR: "These packets are dropped when their queue fills, as if they were lossy, and their headroom is wasted",
    WARNING: "The watchdog has nothing to watch",
}


def _format_priorities(priorities: list[int]) -> str:
    return f"{'priority' if len(priorities) == 1 else 'priorities'} {join_words(map(str, priorities))}"


@rule(
    "SON801",
    "sonic-asym",
    WARNING,
    source="sonic-swss, orchagent/portsorch.cpp: pfc_asym on obeys pauses of all priorities; issue 1128",
    by_kind=LOSSY_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_asym(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Pauses of lossy priorities are obeyed too, but the watchdog does not watch these."""
    running, dog = port.running, judged_watchdog(port)
    if running is None or running.obeys is None or dog is None:
        return
    seen = port.pfc if dog.priorities is None else dog.priorities
    blind = [p for p in running.obeys if p not in seen and p not in port.pfc]
    if blind:
        yield Hit(
            f"the port obeys pauses of {_format_priorities(blind)} (pfc_asym), but the watchdog does not watch them: "
            "a pause storm there stops a queue permanently",
            (running.at("obeys"), port.at()),
            related=((dog.at("priorities"), "the watched priorities"),),
        )


@rule(
    "SON802",
    "sonic-unscheduled",
    WARNING,
    source="sonic-queue.yang and sonic-swss, orchagent/qosorch.cpp: a queue without scheduler keeps the chip's own",
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_unscheduled(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A lossless queue has no scheduler, while other queues of the port have one."""
    if port.running is None or not is_judged_by_priority(port):
        return
    others = [c for c in device.classes_on(port) if c.strict or c.bandwidth is not None]
    for cls in running_lossless_classes(device, port):
        if cls.strict or cls.bandwidth is not None or not others:
            continue
        queue, first = queue_of(device, cls), others[0]
        yield Hit(
            f"queue {queue} is lossless but has no scheduler, while other queues of the port have one: the chip "
            "chooses its share, and a queue that drains slowly pauses its senders",
            (cls.at("queue"), port.at("classes"), port.at()),
            related=((first.at("bandwidth"), f"the scheduler of queue {queue_of(device, first)}"),),
            cls=cls.name,
        )


@rule(
    "SON803",
    "sonic-one-poll",
    INFO,
    source="sonic-swss issue 4784 and sonic-mgmt issue 14589: with one poll a detection, storms are found polls late",
    by_kind=LOSSY_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_one_poll(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The detection time is one poll interval: a single poll decides."""
    dog = judged_watchdog(port)
    if port.running is None or dog is None or dog.detection is None or dog.detection != dog.poll:
        return
    yield Hit(
        f"detection_time and POLL_INTERVAL are both {show_time(dog.detection)}, so one poll decides: a pause storm "
        "that begins between two polls is detected two or three intervals later, and one that lasts "
        f"{show_time(dog.detection)} may count at once",
        locate_watchdog_field(port, dog, "poll"),
        related=((dog.at("detection"), "the detection time"),),
    )


@rule(
    "SON804",
    "sonic-pool-size",
    ERROR,
    source="data sheets, as profiles/asics cites them; sonic-buildimage issue 28657",
    by_kind=UNPAUSED_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_pool_size(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A buffer pool is larger than the chip's buffer: its size is for another chip."""
    asic = device.asic
    if device.running is None or asic is None or asic.nominal_buffer is None or not asic.shallow:
        return
    for pool in device.running.pools:
        for size, field in ((pool.size, "size"), (pool.shared_headroom, "shared_headroom")):
            if size is None or size <= asic.nominal_buffer:
                continue
            what = "has" if field == "size" else "keeps a shared headroom of"
            yield Hit(
                f"{pool.name} {what} {show_size(size)}, more than the whole buffer of {asic.title}, "
                f"{show_size(asic.nominal_buffer)}: the size is for another chip, and thresholds derived from it "
                "are never reached",
                (pool.at(field), pool.at()),
            )
            break


@rule(
    "SON805",
    "sonic-group-missing",
    WARNING,
    source="sonic-swss, cfgmgr/buffermgr.cpp writes BUFFER_PG; sonic-buildimage issue 23354 on ports left out",
    by_kind=UNPAUSED_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_group_missing(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The switch has lossless priority groups, but this port or priority with PFC has none."""
    running = port.running
    if (
        running is None
        or running.no_headroom is not None
        or device.buffers.model != _TRADITIONAL
        or not is_lossless_port(port)
    ):
        return
    if device.running is None or not device.running.whole or running.up is not True or len(port.pfc) == PRIORITIES:
        return
    made = next((g for p in device.ports if p.running is not None for g in p.running.groups if g.lossless), None)
    bare = [n for n in port.pfc if all(g.number != n for g in running.groups)]
    if made is not None and bare:
        yield Hit(
            f"PFC is on for {_format_priorities(bare)}, but BUFFER_PG has no row for it here, while the switch has "
            "such rows elsewhere: without one, pauses have no headroom, and packets are dropped",
            (port.at("classes"), port.at()),
            related=((made.at(), "a row of another port"),),
        )


@rule(
    "SON807",
    "sonic-unpaused",
    ERROR,
    source="sonic-utilities, pfc/main.py writes pfc_enable alone; sonic-swss, cfgmgr/buffermgr.cpp keeps BUFFER_PG",
    by_kind=LOSSY_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_unpaused(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC is off for a priority that still has rows for lossless traffic: its packets are dropped, not paused."""
    left = port.running.left if port.running is not None else None
    if left is None or is_management(port) or (port.running is not None and port.running.role in _LOSSY_INSIDE):
        return
    rows = {n: [row for row in left.rows if row[1] == n] for n in sorted({row[1] for row in left.rows})}
    grouped = {n for n, found in rows.items() if any(table == "BUFFER_PG" for table, _, _ in found)}
    if port.pfc:  # stock rows for 3 and 4 are usual where one of the two is paused: it counts what other ports pause
        bare = grouped & paused_priorities(device)
    else:
        bare = grouped | {n for n, found in rows.items() if len(found) > 1}  # ECN alone is RDMA that is meant lossy
    only_watched = {n for n, found in rows.items() if found[0][0] == "pfcwd_sw_enable"} if not port.pfc else set()
    for numbers, severity in ((sorted(bare), ERROR), (sorted(only_watched - bare) if not bare else [], WARNING)):
        if not numbers:
            continue
        everywhere = "" if paused_priorities(device) else ", as on every port"
        yield Hit(
            f"PFC is off for {_format_priorities(numbers)} here{everywhere} ({left.why}), but rows for lossless "
            f"traffic are left: {_format_rows(rows, numbers)}. {_UNPAUSED[severity]}. `config interface pfc "
            "priority PORT N off`, or a row of PORT_QOS_MAP rewritten without pfc_enable, leaves such rows behind",
            (left.at(), port.at()),
            related=((left.at("rows"), "a row that is left"),) if left.at("rows") != left.at() else (),
            severity=severity,
            fill=(("PRIORITY", str(numbers[0]) if len(numbers) == 1 else "PRIORITY"),),
        )


def _format_rows(rows: Mapping[int, list[tuple[str, int, str]]], numbers: list[int]) -> str:
    """Rows that are left, those of one table and profile together: `BUFFER_PG 3, 4 (NAME) and pfcwd_sw_enable 3, 4`."""
    found: dict[tuple[str, str], list[int]] = {}
    for n in numbers:
        for table, _, name in rows[n]:
            found.setdefault((table, name), []).append(n)
    return join_words(
        f"{table} {', '.join(map(str, at))}{f' ({name})' if name else ''}" for (table, name), at in found.items()
    )


@rule(
    "SON806",
    "sonic-overlap",
    WARNING,
    source="sonic-swss, orchagent/bufferorch.cpp (processPriorityGroup, processQueue), qosorch.cpp (handleQueueTable)",
    vendors=("sonic",),
    on=RUNNING,
)
def sonic_overlap(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Two rows of a port cover the same priority group or queue: deleting one removes the setting of the other too."""
    running = port.running
    if running is None:
        return
    for table, one, other in running.overlaps[:1]:
        more = len(running.overlaps) - 1
        yield Hit(
            f"{table} has rows for {one} and {other} of one port{f' (and {more} more)' if more else ''}: if one is "
            f"deleted, orchagent removes {_TAKEN[table]} from every number of it, also from those of the other row, "
            "while CONFIG_DB looks right",
            (running.at("overlaps"), port.at()),
            fill=(("TABLE", table), ("KEY", one), ("OTHER", other)),
        )


_TAKEN = {
    "BUFFER_PG": "the buffer profile, and so the headroom,",
    "BUFFER_QUEUE": "the buffer profile",
    "QUEUE": "scheduler and WRED profile",
}

RULES: tuple[Rule, ...] = (
    sonic_asym,
    sonic_unscheduled,
    sonic_one_poll,
    sonic_pool_size,
    sonic_group_missing,
    sonic_overlap,
    sonic_unpaused,
)
