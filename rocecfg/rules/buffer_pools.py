"""What headroom takes of the buffer, and pools have of it: rules BUF605, BUF609, BUF610 and BUF650.

What is not known is counted as nothing, so what is found is found for certain: sums are at least those told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_size
from rocecfg.model import Device, Ecn, Fabric, Headroom, Origin, PortGroup, TrafficClass
from rocecfg.physics import pools as physics
from rocecfg.rules.base import ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import (
    UNPAUSED_OFF,
    LinkKind,
    bytes_after_pause,
    default_xoff,
    is_lossless_port,
    link_kind,
    minimum_headroom,
    needed_headroom,
)

DYNAMIC = "dynamic"
_USUAL_RATIO = 4.0  # headroom promised per byte of pool; SONiC's stock tables come to 1.1 to 3.8
_LEAST_SHARE = 20  # percent of the buffer; `qos roce` gives 50, NVIDIA's reference architectures 90
_TABLES = 300  # metres, the longest that SONiC's headroom tables list
_LONG = 500  # metres; SONiC's longest default within a site, between spines
_MB = 10**6
_KB = 1000


def shared_headroom_pool(device: Device) -> int | None:
    """Bytes of the pool that headroom is drawn from; 0: each priority group has its own; None: unknown."""
    pool = device.pools.shared_headroom
    if not pool and device.buffers.oversubscribe is not None:
        return None  # the switch makes a pool of that ratio
    return device.nos.stock_shared_headroom if pool is None and device.nos is not None else pool


class _Part(NamedTuple):
    """Headroom of one group of ports."""

    port: PortGroup
    ports: int
    priorities: int
    each: int  # bytes for a priority of a port

    @property
    def total(self) -> int:
        return self.ports * self.priorities * self.each


def _list_parts(device: Device, each: Callable[[Headroom], int], private: int | None = None) -> list[_Part]:
    """What the headroom of the device's ports comes to, as far as known, the largest part first.

    `each`: what counts of the headroom of one priority, in bytes; `private`: what counts in its place where the port
    states no headroom of its own.
    """
    parts = []
    for port in device.ports:
        if not port.names or not is_lossless_port(port):
            continue
        size = private if private is not None and not isinstance(port.headroom, Headroom) else None
        if size is None and port.room is not None:
            size = each(port.room)
        if size is not None:
            parts.append(_Part(port, len(port.names), len(port.pfc), size))
    return sorted(parts, key=lambda part: -part.total)


def _list_private_parts(device: Device, pool: int | None) -> list[_Part]:
    """What priority groups keep free for themselves: all of their headroom, or what they have beside a pool."""
    return _list_parts(device, _reserved_bytes if pool == 0 else _guaranteed_bytes, device.buffers.private_headroom)


def _iter_minimum_parts(fabric: Fabric, device: Device) -> Iterator[_Part]:
    """What the headroom of ports of which it is not known comes to on any chip."""
    for port in device.ports:
        of = link_kind(fabric, device, port) if port.room is None and port.names and is_lossless_port(port) else None
        if of is not None:
            yield _Part(port, len(port.names), len(port.pfc), minimum_headroom(of).total)


def _reserved_bytes(room: Headroom) -> int:
    """What a priority group keeps free where headroom is not shared."""
    return max(room.size, bytes_after_pause(room))


def _guaranteed_bytes(room: Headroom) -> int:
    """What a priority group keeps free beside a shared headroom pool."""
    return 0 if room.xoff is None else room.size


def _total_bytes(parts: list[_Part]) -> int:
    return physics.add_headrooms((part.ports, part.priorities, part.each) for part in parts)


def _format_sum(parts: list[_Part]) -> str:
    """`64 ports x 2 priorities x 835406 B + ... = 106.9 MB`; equal terms are one."""
    counts: dict[tuple[int, int], int] = {}
    for part in parts:
        counts[part.priorities, part.each] = counts.get((part.priorities, part.each), 0) + part.ports
    terms = " + ".join(
        f"{ports} port{'s' if ports > 1 else ''} x {n} {'priorities' if n > 1 else 'priority'} x {each} B"
        for (n, each), ports in counts.items()
    )
    return f"{terms} = {_format_megabytes(_total_bytes(parts))}"


def _format_megabytes(size: float) -> str:
    return f"{size / _MB:.1f} MB"


def _locate_sum(device: Device, parts: list[_Part]) -> tuple[Origin, ...]:
    """The place of a sum: where its largest part is stated, else the device."""
    largest = parts[0].port.headroom
    if isinstance(largest, Headroom):
        return largest.at("xoff", "size"), device.at()
    private = device.buffers.origins.get("private_headroom")
    return (device.at(),) if private is None else (private, device.at())


def _format_remedies(device: Device, parts: list[_Part], *ways: str) -> str:
    """Ways out, of which the first is the nearest; fewer lossless priorities where there are several."""
    more = ["make fewer priorities lossless"] if any(part.priorities > 1 for part in parts) else []
    if not any(isinstance(part.port.headroom, Headroom) for part in parts):
        more.append("correct the cables")
    return ", or ".join([*ways, *more])


@rule(
    "BUF605",
    "buffer-pool",
    ERROR,
    source="Bai et al., NSDI'23, section 7.1: oversubscribe with a reasonable ratio; stock pools of SONiC: 1.1 to 3.8",
    by_kind=UNPAUSED_OFF,
    of_tables=("room", "pools"),
)
def buffer_pool(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """All ports together have more headroom than the buffer holds, or than the shared headroom pool covers."""
    pool, total = shared_headroom_pool(device), device.pools.total
    private = _judge_private_headroom(device, pool, total)
    if private is not None or pool is None:
        yield from () if private is None else (private,)
        return
    parts = _list_parts(device, bytes_after_pause) if pool else _list_private_parts(device, 0)
    if pool and (device.running is not None or device.buffers.shared_headroom is not None):
        parts = sorted([*parts, *_iter_minimum_parts(fabric, device)], key=lambda part: -part.total)
    if total is not None and pool > total and device.buffers.shared_headroom is not None:
        yield Hit(
            f"shared_headroom {show_size(pool)} exceeds the buffer of {_format_megabytes(total)}: the switch cannot "
            "reserve it",
            (device.buffers.at("shared_headroom"),),
            f"set shared_headroom: {_format_pool_of_ratio(parts, _USUAL_RATIO)}" if parts else "leave it out",
        )
    elif not parts or _judge_long_links(fabric, device):
        return
    elif pool:
        yield from _judge_oversubscription(fabric, device, parts, pool)
    elif total is not None and _total_bytes(parts) > total:
        yield Hit(
            f"the headroom of all ports ({_format_megabytes(_total_bytes(parts))}) exceeds the buffer of "
            f"{_format_megabytes(total)}: the switch cannot reserve it. Sum: {_format_sum(parts)}",
            _locate_sum(device, parts),
            _format_remedies(device, parts, *_suggest_smaller_headroom(device, parts, total)),
        )


def _judge_private_headroom(device: Device, pool: int | None, total: int | None) -> Hit | None:
    """Stated private headroom that does not fit beside the pool; without a pool it is counted as any headroom is."""
    stated = device.buffers.private_headroom
    parts = _list_private_parts(device, pool) if stated is not None and pool != 0 else []
    if total is None or not parts or _total_bytes(parts) + (pool or 0) <= total:
        return None
    beside = f" with a shared headroom pool of {_format_megabytes(pool)}" if pool else ""
    most = max(total - (pool or 0), 0) // sum(part.ports * part.priorities for part in parts)
    return Hit(
        f"the private headroom of all ports ({_format_megabytes(_total_bytes(parts))}){beside} exceeds the buffer of "
        f"{_format_megabytes(total)}: the switch cannot reserve it. Sum: {_format_sum(parts)}",
        _locate_sum(device, parts),
        _format_remedies(device, parts, f"set private_headroom of {show_size(most // _KB * _KB)} or less"),
    )


def _format_pool_of_ratio(parts: list[_Part], ratio: float) -> str:
    """A shared headroom pool of that ratio, as it is written."""
    return show_size(ceil(_total_bytes(parts) / ratio / _KB) * _KB)


def _suggest_smaller_headroom(device: Device, parts: list[_Part], total: int) -> Iterator[str]:
    """How headroom of which each priority group has its own comes to fit."""
    if isinstance(parts[0].port.headroom, Headroom):
        most = total // sum(part.ports * part.priorities for part in parts)
        yield f"set headroom of {show_size(most // _KB * _KB)} or less on average"
    if device.buffers.model == DYNAMIC:
        yield f"share it with buffers.shared_headroom: {_format_pool_of_ratio(parts, _USUAL_RATIO)}"


def _judge_oversubscription(fabric: Fabric, device: Device, parts: list[_Part], pool: int) -> Iterator[Hit]:
    buffers, workload = device.buffers, fabric.workload
    limit, why = _USUAL_RATIO, "stock pools have 1.1 to 3.8"
    if buffers.oversubscribe is not None:
        limit, why = buffers.oversubscribe, "buffers.oversubscribe"
    elif workload is not None and workload.headroom_ratio is not None:
        limit, why = workload.headroom_ratio, f"headroom_ratio of {workload.name}"
    ratio = physics.oversubscription(_total_bytes(parts), pool)
    if ratio <= limit:
        return
    stated = buffers.shared_headroom is not None
    wanted = _format_pool_of_ratio(parts, limit)
    way = f"set shared_headroom: {wanted}" if stated else f"use a HwSKU or template whose headroom pool has {wanted}"
    if not stated and buffers.model == DYNAMIC:
        way = f"set buffers.shared_headroom: {wanted}"
    yield Hit(
        f"the headroom of all ports ({_format_megabytes(_total_bytes(parts))}) is {ratio:.1f} times the shared "
        f"headroom pool of {_format_megabytes(pool)}, above the limit of {show_number(limit)}: packets are lost when "
        f"many ports pause at once ({why}). Sum: {_format_sum(parts)}",
        (buffers.at("shared_headroom"), device.at()) if stated else _locate_sum(device, parts),
        _format_remedies(device, parts, way),
        severity=WARNING,
    )


@rule(
    "BUF609",
    "buffer-shared-left",
    WARNING,
    source="derived: what headroom leaves must hold every lossless queue until its marking begins",
    by_kind=UNPAUSED_OFF,
    of_tables=("room", "pools"),
)
def buffer_shared_left(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Headroom leaves so little of the buffer that marking cannot begin on all lossless queues."""
    total, pool = device.pools.total, shared_headroom_pool(device)
    if total is None:
        return
    parts = _list_private_parts(device, pool)
    reserved = _total_bytes(parts)
    left = physics.shared_bytes(total, reserved, pool or 0)
    queues = list(_iter_marked_queues(device))
    wanted = sum(curve.kmin * ports for curve, _, ports in queues)
    if left == total or not 0 <= left < wanted <= total:
        return  # below 0 is buffer-pool's; more than all there is, is not because of headroom
    count = sum(ports for *_, ports in queues)
    curve, cls, _ = max(queues, key=lambda queue: queue[0].kmin * queue[2])
    kmin = left // count // _KB * _KB
    way = f"set kmin of {show_size(kmin)} or less on average" if kmin else "lower the headroom"
    taken = [
        f"{_format_megabytes(size)} {what}" for size, what in ((reserved, "reserved"), (pool, "headroom pool")) if size
    ]
    yield Hit(
        f"{' - '.join([f'{_format_megabytes(total)} buffer', *taken])} = {_format_megabytes(left)} are left, but "
        f"{count} lossless queues hold {_format_megabytes(wanted)} before marking begins on all of them (n x kmin): "
        "pauses come first",
        (curve.at("kmin"), curve.at(), device.at()),
        _format_remedies(device, parts, way),
        cls=cls.name,
    )


def _iter_marked_queues(device: Device) -> Iterator[tuple[Ecn, TrafficClass, int]]:
    """The curve of each lossless class on each group of ports, and on how many ports."""
    for port in device.ports:
        if is_lossless_port(port):
            for cls in device.classes_on(port):
                curve = cls.ecn_at(port.speed) if cls.lossless else None
                if isinstance(curve, Ecn):
                    yield curve, cls, len(port.names)


@rule(
    "BUF610",
    "buffer-long-link",
    ERROR,
    source="Bai et al., NSDI'23, section 7.1: long links take deep buffers; half of the buffer is this tool's bound",
    by_kind=UNPAUSED_OFF,
)
def buffer_long_link(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Long links need more headroom than an on-chip buffer can spare, or than the switch is known to reserve."""
    if port.cable is None or not is_lossless_port(port):
        return
    beyond = _judge_long_links(fabric, device)
    if port.cable > _LONG:
        yield from beyond
    known = device.nos.headroom_reach if device.nos is not None else None
    if not beyond and port.cable > (known or _TABLES) and port.room is None and not fabric.running:
        yield from _judge_unknown_headroom(fabric, device, port)


def _judge_unknown_headroom(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A long cable where the system sizes headroom, and nobody here knows how far its buffer goes."""
    by = device.nos.sizes_headroom if device.nos is not None else None
    of = link_kind(fabric, device, port)
    deep = device.asic is not None and not device.asic.shallow
    if device.nos is None or by is None or of is None or deep or isinstance(port.headroom, Headroom):
        return
    least, need = minimum_headroom(of).total, needed_headroom(of)
    ports = sum(
        len(p.names) for p in device.ports if (p.speed, p.cable) == (port.speed, port.cable) and is_lossless_port(p)
    )
    sized, way = f"sizes it by {by}", "set buffers.pools to leave as much"
    if by == "itself":
        sized, way = "sizes it without the cable length", "where that is less, use another switch there"
        if (reach := device.nos.headroom_reach) is not None:
            sized = f"sizes it for {show_number(reach)} m at most"
            way = "set it on the switch by hand, or use another switch there"
        most = max((limit.high for limit in device.nos.limits if limit.what == "port.headroom.size"), default=None)
        enough = ceil(max(least, need.total if need is not None else 0) / _KB) * _KB
        if len(port.pfc) == 1 and most is not None and enough <= most:
            way = f"state pfc.headroom: {show_size(enough)} or more"
    yield Hit(
        f"{of} needs headroom of {show_size(ceil(least / _KB) * _KB)} or more a port and lossless priority, "
        f"{show_size(ceil(least * max(ports, 1) / _KB) * _KB)} for all {ports} such ports here: {device.nos.title} "
        f"{sized}, and drops lossless packets after a pause if its buffer has less",
        (port.at("cable"), port.at()),
        f"ask the vendor how much the switch reserves at that length and {way}, or carry no lossless class over "
        "this link",
        severity=WARNING,
    )


def _judge_long_links(fabric: Fabric, device: Device) -> list[Hit]:
    """One finding for all long links of a device.

    Where headroom is shared, it may be promised as often as the usual ratio, but the pool must hold that of one link.
    """
    total, what = _find_headroom_memory(device)
    if total is None:
        return []
    parts: list[tuple[_Part, tuple[str, str]]] = []
    for port in device.ports:
        if port.cable is None or port.cable <= _LONG or not port.names or not is_lossless_port(port):
            continue
        kind = link_kind(fabric, device, port)
        if kind is not None:
            need, why = _least_needed_bytes(kind)
            parts.append((_Part(port, len(port.names), len(port.pfc), need), (str(kind), why)))
    if not parts:
        return []
    pool = shared_headroom_pool(device)
    ratio = (device.buffers.oversubscribe or _USUAL_RATIO) if pool != 0 else 1
    links = [part for part, _ in parts]
    worst, (of, working) = max(parts, key=lambda part: part[0].each)
    most = int(total * ratio / 2 / worst.each / worst.priorities)
    if pool and worst.each > pool:
        told = (
            f"one priority at {of} needs headroom of {_format_megabytes(worst.each)}, more than the whole shared "
            f"headroom pool of {_format_megabytes(pool)}. Needed: {working}"
        )
        most = 0
    elif _total_bytes(links) / ratio > total / 2:
        shared = f" ({show_number(ratio)} times oversubscribed)" if ratio > 1 else ""
        told = (
            f"long links need headroom of {_format_megabytes(_total_bytes(links))}{shared}, more than half of the "
            f"{what} of {_format_megabytes(total)}: too little is left for queues. Sum: {_format_sum(links)}; one "
            f"priority at {of}: {working}"
        )
    else:
        return []
    return [
        Hit(
            told,
            (worst.port.at("cable"), device.at()),
            "end such links on a switch with external packet memory"
            + (f", or keep at most {most} of them on this one" if most else ""),
        )
    ]


def _find_headroom_memory(device: Device) -> tuple[int | None, str]:
    """The bytes that headroom is taken from, and what they are; None: not known, or external memory.

    Of a chip that nobody knows, the lossless pool of its configuration with the headroom that it shares.
    """
    if device.asic is not None:
        return (device.pools.total if device.asic.shallow else None), "buffer"
    pool = device.pools.lossless if device.running is not None else None
    return (None if pool is None else pool + (device.pools.shared_headroom or 0)), "lossless pool"


def _least_needed_bytes(of: LinkKind) -> tuple[int, str]:
    """What a link needs, by the chip's own figures or by what the switch itself gives, whichever is less."""
    terms, own = needed_headroom(of) or minimum_headroom(of), default_xoff(of)
    if own is not None and own < terms.total:
        return own, f"{own} B by the switch's own table or formula"
    return terms.total, terms.working()


@rule(
    "BUF650",
    "buffer-pool-share",
    WARNING,
    source="Cumulus Linux user guide, RoCE: equal pools; NVIDIA enterprise-ras, core switches: 90 %; the bound of "
    "20 % is this tool's own",
    by_kind=UNPAUSED_OFF,
    vendors=("spectrum",),  # where pools are shares of the buffer
)
def buffer_pool_share(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The lossless pool's share of the buffer is less than half of its traffic's share of the bandwidth."""
    share = device.buffers.lossless_pool
    if share is None or share >= _LEAST_SHARE:
        return
    ports = [port for port in device.ports if is_lossless_port(port)]
    sent = [of for port in ports if (of := _sum_lossless_shares(device, port)) is not None]
    if not ports or (sent and 2 * share >= max(sent)):
        return
    count = sum(len(port.names) for port in ports)
    have = f"{show_number(share)}% of the buffer"
    if device.pools.lossless is not None:
        have += f", {_format_megabytes(device.pools.lossless)}"
    if count:
        have += f", for {count} port{'s' * (count > 1)}"
    against = " but its traffic gets whatever the scheduler gives it"
    if sent:
        against = f" but its traffic may take {show_number(max(sent))}% of the bandwidth"
    without = device.running is not None and device.running.roce == "off"
    yield Hit(
        f"the lossless pool has {have},{against}: a burst fills it, and pauses begin before marking slows any "
        "sender down; `qos roce` gives it 50%, NVIDIA's reference architectures 90%",
        (device.buffers.at("lossless_pool"), device.at()),
        "set buffers.pools: {lossless: 50%, lossy: 50%}, or more for lossless",
        variant="without" if without else "",
    )


def _sum_lossless_shares(device: Device, port: PortGroup) -> float | None:
    """Percent of the bandwidth that lossless classes may take of these ports; None where that is not known."""
    queues: dict[int, float] = {}
    for cls in device.classes_on(port):
        if cls.lossless and cls.priority in port.pfc:
            if cls.strict:
                return 100
            if cls.bandwidth is None:
                return None
            queues[cls.queue] = cls.bandwidth
    return sum(queues.values()) if queues else None


RULES: tuple[Rule, ...] = (buffer_pool, buffer_shared_left, buffer_long_link, buffer_pool_share)
