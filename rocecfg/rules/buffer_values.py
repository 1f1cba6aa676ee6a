"""Single values of the buffers that an intent states: rules BUF606, BUF607, BUF608 and BUF613."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_number, show_size
from rocecfg.model import Device, Fabric, Headroom, Origin, PortGroup
from rocecfg.model.fix import replace
from rocecfg.model.frozen import replace as with_fields
from rocecfg.physics.ecn import kmax_hard
from rocecfg.physics.headroom import frame, roce_frame
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.bound import find_priority_group, running_lossless_classes
from rocecfg.rules.buffer_headroom import (
    UNPAUSED_OFF,
    LinkKind,
    default_xoff,
    ip_mtu,
    is_lossless_port,
    link_kind,
    path_mtu,
)
from rocecfg.rules.buffer_pools import DYNAMIC, shared_headroom_pool

_LEAST_ALPHA = 1 / 16
_HYSTERESIS = 2  # MTUs between pause and resume
_BY_XOFF, _BY_SHARE = "size - xoff", "size + share of the pool"  # how full a priority group is when it pauses


@rule(
    "BUF606",
    "buffer-mtu",
    ERROR,
    source="sonic-swss, cfgmgr/buffer_headroom_mellanox.lua: lossless MTU, the packet that the peer has just begun",
    by_kind=UNPAUSED_OFF,
)
def buffer_mtu(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The packet size used for headroom is smaller than the largest RoCE packet."""
    stated, usual = device.buffers.lossless_mtu, device.nos.stock_lossless_mtu if device.nos is not None else None
    counted = usual if stated is None else stated
    if counted is None or device.buffers.model == "traditional" or (stated is None and device.buffers.model != DYNAMIC):
        return
    if device.nos is not None and device.nos.least("device.buffers.lossless_mtu") is None:
        return  # its system has no such value, which nos-unsupported tells
    ports = [port for port in device.ports if is_lossless_port(port) and not isinstance(port.headroom, Headroom)]
    largest = max((path_mtu(fabric, port) for port in ports), default=0)
    if counted >= largest:
        return
    if not _counts_less(fabric, device, ports, counted, largest):
        if fabric.path_mtu is not None or counted != usual:
            yield _tell_other_size(fabric, device, counted, largest)
        return
    where = f"path MTU {largest} B"
    if fabric.path_mtu is None:
        where += " fits the ports' MTU"
    yield Hit(
        f"{'a lossless packet of' if fabric.running else 'lossless_mtu'} {show_size(counted)} is smaller than the "
        f"{roce_frame(largest)} B of a RoCE packet ({where}, 82 B of headers): headroom counts "
        f"{roce_frame(largest) - counted} B too little for a packet that the peer has just begun to send, and lossless "
        "packets can be lost after a pause",
        (device.buffers.at("lossless_mtu"),),
        f"set lossless_mtu: {show_size(roce_frame(largest))}",
        ((fabric.at("path_mtu"), "the path MTU"),) if fabric.path_mtu is not None else (),
        severity=WARNING if fabric.path_mtu is None else ERROR,
        fix=unsafe_fix(
            "raise lossless_mtu", replace, device.buffers.origins.get("lossless_mtu"), show_size(roce_frame(largest))
        ),
    )


def _counts_less(fabric: Fabric, device: Device, ports: list[PortGroup], counted: int, largest: int) -> bool:
    """Whether headroom comes out smaller than by the system's default and by the packets that are sent.

    The formula adds a frame of the port's MTU besides, and the share of small packets falls as packets grow.
    """
    usual = device.nos.stock_lossless_mtu if device.nos is not None else None
    if counted == usual:
        return False
    known = False
    for port in ports:
        kind = link_kind(fabric, device, port)
        sizes = [_size_by(kind, size) for size in (counted, roce_frame(largest), usual) if kind is not None and size]
        if None in sizes or not sizes:
            continue
        known = True
        own, *others = (size for size in sizes if size is not None)
        if own < min(others):
            return True
    return not known and (usual is None or counted < usual)


def _size_by(kind: LinkKind, lossless_mtu: int) -> int | None:
    buffers = with_fields(kind.chip.buffers, lossless_mtu=lossless_mtu)
    return default_xoff(kind._replace(chip=kind.chip._replace(buffers=buffers)))


def _tell_other_size(fabric: Fabric, device: Device, counted: int, largest: int) -> Hit:
    """Another packet than is sent, by which nothing is lost, whether it is stated or the default."""
    stated = device.buffers.lossless_mtu is not None
    default = "" if stated else ", the default of LOSSLESS_TRAFFIC_PATTERN"
    return Hit(
        f"the path MTU is {largest} B, but headroom is computed for lossless packets of "
        f"{show_size(counted)}{default}: that is not too small, since a frame of the port's MTU is added, but it "
        "does not match the packets that are sent",
        (device.buffers.at("lossless_mtu"),) if stated else (fabric.at("path_mtu"),),
        f"set buffers: {{lossless_mtu: {show_size(roce_frame(largest))}}} to match these packets",
        ((fabric.at("path_mtu"), "the path MTU"),) if stated and fabric.path_mtu is not None else (),
        severity=INFO,
    )


def _counts_as_on_spectrum(device: Device) -> bool:
    """Whether headroom is counted as on NVIDIA's chips: its size holds what arrives before and after the pause."""
    return device.asic is not None and device.asic.headroom_formula is not None


def _pause_point(device: Device) -> str | None:
    """How full a priority group is when it pauses, in the words of the system's profile."""
    return device.nos.pauses_at if device.nos is not None else None


def _pause_level(device: Device, port: PortGroup, room: Headroom) -> tuple[int, str] | None:
    """How full a priority group is when it pauses, at most, and in words; None where nobody can know."""
    xoff, pool = room.xoff or 0, device.pools.lossless
    if _pause_point(device) == _BY_XOFF:
        return (room.size - xoff, f"size {show_size(room.size)} - xoff {show_size(xoff)}") if xoff else None
    if _pause_point(device) != _BY_SHARE:
        return None
    if _counts_as_on_spectrum(device):
        return (
            (room.size, f"size {show_size(room.size)}, with a shared headroom pool")
            if shared_headroom_pool(device)
            else None
        )
    if device.asic is None or port.alpha is None or pool is None:
        return None
    share = int(kmax_hard(port.alpha, pool))
    words = f"size + alpha B/(1 + alpha) with alpha {show_number(port.alpha)}, B {show_size(pool)}"
    return room.size + share, words


@rule(
    "BUF607",
    "buffer-xon",
    ERROR,
    source="802.1Qbb; Zhu et al., SIGCOMM'15, section 4: resume two MTUs below the pause",
    by_kind=UNPAUSED_OFF,
    of_tables=("alpha", "pools"),
)
def buffer_xon(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The pause ends at or just below the level at which it begins, so the port sends pause after pause."""
    yield from _judge_missing_hysteresis(device, port)
    below = None if fabric.running else _judge_pause_below_packet(fabric, device, port)  # there: nvue-explicit-buffer
    if below is not None:
        yield below
        return
    room = port.headroom
    if not isinstance(room, Headroom) or room.xon is None or not is_lossless_port(port):
        return
    level = _pause_level(device, port, room)
    if level is None:
        return
    high, words = level
    usual = _counts_as_on_spectrum(device) and _pause_point(device) == _BY_SHARE  # there both are one by design
    drop = high - room.xon
    at: tuple[Origin, ...] = (room.at("xon"), room.at())
    if drop < 0 or (drop == 0 and not usual):
        if _pause_point(device) == _BY_XOFF:
            return  # schema-nos-range
        good = high if usual else max(0, high - _HYSTERESIS * frame(ip_mtu(fabric, device, port)))
        yield Hit(
            f"the pause ends at xon {show_size(room.xon)} but begins at {high} B at most ({words}): it ends as it "
            "begins, and the port keeps sending pauses",
            at,
            f"set xon: {show_size(good)} or less",
            fix=unsafe_fix(f"write xon: {show_size(good)}", replace, room.origins.get("xon"), show_size(good)),
        )
        return
    gap = _HYSTERESIS * frame(ip_mtu(fabric, device, port))
    if usual or drop >= gap:
        return
    remedy = (
        f"set xon: {show_size(high - gap)} or less" if high > gap else f"set size: {show_size(room.size + gap - drop)}"
    )
    yield Hit(
        f"the pause ends at xon {show_size(room.xon)}, only {drop} B below the {high} B at which it begins "
        f"({words}) and less than two frames of {frame(ip_mtu(fabric, device, port))} B: every few packets cause "
        "another pause",
        at,
        remedy,
        severity=WARNING,
        fix=unsafe_fix(f"write xon: {show_size(high - gap)}", replace, room.origins.get("xon"), show_size(high - gap))
        if high > gap
        else None,
    )


def _judge_pause_below_packet(fabric: Fabric, device: Device, port: PortGroup) -> Hit | None:
    """Where the pause goes out at `size - xoff`: a level that one packet reaches."""
    room = port.headroom
    if not isinstance(room, Headroom) or room.xoff is None or not is_lossless_port(port):
        return None
    packet = frame(ip_mtu(fabric, device, port))
    level = room.size - room.xoff
    if _pause_point(device) != _BY_XOFF or not 0 < level < packet:  # below 1 B: schema-nos-range
        return None
    return Hit(
        f"the pause begins at {level} B (size {show_size(room.size)} - xoff {show_size(room.xoff)}), less than one "
        f"packet of {packet} B: every packet causes a pause",
        (room.at("xoff"), room.at()),
        "write headroom: auto, as NVIDIA advises, or a larger size",
    )


def _judge_missing_hysteresis(device: Device, port: PortGroup) -> Iterator[Hit]:
    """Of a SONiC switch as it runs: profiles that neither say when a pause ends nor how far below its beginning."""
    if (
        _pause_point(device) != _BY_SHARE
        or device.asic is None
        or _counts_as_on_spectrum(device)
        or not is_lossless_port(port)
    ):
        return  # NVIDIA's chips go by xon alone
    for cls in running_lossless_classes(device, port):
        group = find_priority_group(device, port, cls)
        if group is not None and group.lossless and group.xoff and not group.xon and not group.xon_offset:
            yield Hit(
                f"xon and xon_offset of the profile of priority group {group.number} are both 0, but the pause ends "
                "at the larger of xon and (start level - xon_offset): it ends as it begins, and the port keeps "
                "sending pauses",
                (group.at("xon_offset", "xon", "profile"), group.at(), port.at()),
                "set xon_offset to two packets or more, as pg_profile_lookup.ini does",
                cls=cls.name,
            )


@rule(
    "BUF608",
    "buffer-alpha",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 6.2 (from memory): 1/64 instead of 1/16 on a new switch made pause storms",
    by_kind=UNPAUSED_OFF,
    of_tables=("pools",),
)
def buffer_alpha(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Alpha is so small that a queue pauses long before the buffer is full."""
    alpha, asic = device.buffers.alpha, device.asic
    if alpha is None or alpha >= _LEAST_ALPHA or asic is None or not asic.shallow:
        return
    if not any(is_lossless_port(port) for port in device.ports):
        return
    pool = device.pools.lossless
    pause = ""
    if pool is not None:
        now, then = int(kmax_hard(alpha, pool)), int(kmax_hard(_LEAST_ALPHA, pool))
        pause = (
            f": alone it pauses at {now} B of {show_size(pool)}, with 1/16 at {then} B. Threshold: alpha B/(1 + alpha)"
        )
    usual = next((a for a in asic.alpha if a >= _LEAST_ALPHA), None)
    stock = f"; stock tables have {show_number(usual)} on {asic.title}" if usual is not None else ""
    yield Hit(
        f"alpha {show_number(alpha)} is below 1/16, so a queue pauses while most of the buffer is free{pause}",
        (device.buffers.at("alpha"),),
        f"set alpha: {show_number(_LEAST_ALPHA)} or more{stock}",
    )


@rule(
    "BUF613",
    "buffer-zero-shared",
    ERROR,
    source="sonic-swss, cfgmgr/buffer_pool_mellanox.lua, and the dynamic headroom design: size is xon + xoff then",
    by_kind=UNPAUSED_OFF,
)
def buffer_zero_shared(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The headroom size leaves no room for xoff, and there is no shared headroom pool."""
    room = port.headroom
    if (
        not isinstance(room, Headroom)
        or room.xoff is None
        or not _counts_as_on_spectrum(device)
        or not is_lossless_port(port)
    ):
        return
    if _pause_point(device) != _BY_SHARE:
        return  # what a size has room for is schema-nos-range's there
    xon = room.xon or 0
    if room.size >= xon + room.xoff or shared_headroom_pool(device) != 0:
        return
    remedy = f"set size: {show_size(xon + room.xoff)}"
    if device.buffers.model == DYNAMIC:
        remedy += ", or share headroom with buffers.shared_headroom or buffers.oversubscribe"
    yield Hit(
        f"headroom of {show_size(room.size)} is less than xon {show_size(xon)} + xoff {show_size(room.xoff)} = "
        f"{xon + room.xoff} B, and there is no shared headroom pool: the port drops packets that arrive after a pause",
        (room.at("size"), room.at()),
        remedy,
    )


RULES: tuple[Rule, ...] = (buffer_mtu, buffer_xon, buffer_alpha, buffer_zero_shared)
