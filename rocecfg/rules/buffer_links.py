"""What links say that headroom is sized by, at the switch and in the NIC: rules BUF603 and BUF614."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil

from rocecfg.analysis.hosts import FirstKind, HostNics, host_nics
from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_size
from rocecfg.model import Device, Fabric, Headroom, PortGroup
from rocecfg.physics.headroom import nic_headroom
from rocecfg.rules.base import WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF, ip_mtu, is_lossless_port
from rocecfg.rules.common import LOSSY_OFF
from rocecfg.rules.hosts import nic_priorities
from rocecfg.rules.hosts_commands import MLX5, cable_command, driver_of
from rocecfg.rules.hosts_ends import index_ports, iter_host_cables

_NEAR = 1  # metres that may be rounded away
_KB = 1000


@rule(
    "BUF603",
    "buffer-cable-missing",
    WARNING,
    source="SONiC buffers_config.j2; Cumulus Linux guide, RoCE: headroom follows the cable length configured",
    by_kind=UNPAUSED_OFF,
)
def buffer_cable_missing(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A lossless port has no cable length, on a switch that sizes headroom by it."""
    if port.cable is not None or "cable" in port.origins:  # stated, if not so that it could be read
        return
    if port.implied or isinstance(port.headroom, Headroom) or not is_lossless_port(port):
        return
    if device.running is not None and not device.running.whole:
        return  # a part of a configuration, which may be in another
    if port.running is not None and port.running.no_headroom is not None:
        return  # buffer-cable-bucket
    if device.nos is None:
        return
    if device.nos.stock_cable is not None:
        without = f"{device.nos.title} then sizes it for {show_number(device.nos.stock_cable)} m"
    elif device.buffers.model in device.nos.buffer_models:
        without = (
            f"{device.nos.title} then makes none"
            if fabric.running
            else (
                f"{device.nos.title} then keeps the length set on the switch, and creates no headroom if there is none"
            )
        )
    else:
        return
    bare = all(p.cable is None for p in device.ports if is_lossless_port(p))
    yield Hit(
        f"a lossless port has no cable length, which sizes its headroom; {without}",
        (device.at() if bare else port.at(), port.at()),
        "state cable on the link, the port or the device, such as cable: 5m",
    )


# -- the NIC ---------------------------------------------------------------------------------------------------------


class _HostPort(NamedTuple):
    """A lossless port that a host hangs on."""

    device: Device
    port: PortGroup
    name: str  # device:port


@rule(
    "BUF614",
    "buffer-nic",
    WARNING,
    source="Linux, drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c, calculate_xoff",
    by_kind=LOSSY_OFF,
    needs=("hosts",),
)
def buffer_nic(fabric: Fabric) -> Iterator[Hit]:
    """A NIC assumes a shorter cable than it has, or has less receive buffer than its link needs."""
    stated: dict[str, list[HostNics]] = {}  # by host
    for nics in host_nics(fabric):
        if "cable_len" in nics.value or "buffer" in nics.value:
            for name in name_set(nics.hosts):
                stated.setdefault(name, []).append(nics)
    if not stated:
        return
    first = FirstKind()
    for nics, found in _find_host_ports(fabric, stated):
        for at, hit in ((key, hit) for key, of in _FINDS for hit in of(fabric, nics, found)):
            if first.takes(nics.value[at].at, nics):
                yield hit


def _find_host_ports(fabric: Fabric, hosts: Mapping[str, list[HostNics]]) -> list[tuple[HostNics, list[_HostPort]]]:
    """For each kind of NIC the lossless switch ports with a cable that it hangs on, equal ones once."""
    devices = {name: device for device in fabric.devices for name in device.names}
    ports: dict[int, dict[str, PortGroup]] = {}
    kinds: dict[str, tuple[HostNics, dict[tuple[int, str], _HostPort]]] = {}
    for host, nic_port, switch, name in iter_host_cables(fabric, hosts):
        device = devices.get(switch)
        nics = next((n for n in hosts[host] if n.includes(host, nic_port)), None)
        if nics is None or device is None:
            continue
        group = index_ports(device, ports).get(name)
        if group is not None and group.cable is not None and is_lossless_port(group):
            ends = kinds.setdefault(nics.key, (nics, {}))[1]
            ends.setdefault((id(device), group.key), _HostPort(device, group, f"{switch}:{name}"))
    return [(nics, list(ends.values())) for nics, ends in kinds.values()]


def _cable_length(end: _HostPort) -> float:
    return end.port.cable or 0


def _judge_cable_length(fabric: Fabric, nics: HostNics, ends: list[_HostPort]) -> Iterator[Hit]:
    """Where the NIC was told a shorter cable than it has."""
    reported = nics.value.get("cable_len")
    longest = max(ends, key=_cable_length)
    metres = _cable_length(longest)
    if reported is None or not isinstance(reported.value, int | float) or reported.value + _NEAR > metres:
        return
    wanted = nic_priorities(fabric, longest.device, longest.port, nics)
    lacks = ""
    if longest.port.speed is not None:
        speed = longest.port.speed
        lacks = f" {nic_headroom(speed, metres, 0) - nic_headroom(speed, reported.value, 0):.0f} B"
    yield Hit(
        f"the NIC sizes its headroom for {show_number(reported.value)} m, but the cable at {longest.name} has "
        f"{show_number(metres)} m: the headroom is{lacks} too small (2.16 B x m x Gbit/s), and packets for the host "
        "are lost after a pause",
        (reported.at,),
        (
            f"configure the NIC ({cable_command(driver_of(nics), ceil(metres), wanted)}) and set cable_len: "
            f"{ceil(metres)}m"
        ),
        ((longest.port.at("cable"), "the cable"),),
    )


def _judge_receive_buffer(fabric: Fabric, nics: HostNics, ends: list[_HostPort]) -> Iterator[Hit]:
    """Where a NIC of the mlx5 driver has less receive buffer than that driver would want."""
    stated = nics.value.get("buffer")
    if stated is None or driver_of(nics) != MLX5:  # whose rule it is
        return
    own = nics.value.get("mtu")
    worst = (0, "", "")
    for end in ends:
        if end.port.speed is None:
            continue
        frame = own.value if own is not None else ip_mtu(fabric, end.device, end.port)
        speed, metres = end.port.speed, _cable_length(end)
        working = f"(301 + 2.16 x {show_number(metres)} m) x {speed / 10**9:g} Gbit/s + 2.72 x MTU {frame} B"
        worst = max(worst, (ceil(round(nic_headroom(speed, metres, frame), 3)), working, end.name))
    need, working, name = worst
    if stated.value >= need:
        return
    bound = ceil(need / _KB) * _KB
    yield Hit(
        f"a receive buffer of {show_size(stated.value)} is less than the {need} B of headroom that the NIC needs at "
        f"{name}: packets for the host are lost after it pauses. Needed: {working} = {need} B",
        (stated.at,),
        f"give the lossless priorities {show_size(bound)} or more (mlnx_qos --buffer_size), and set buffer to it",
    )


_FINDS = (
    ("cable_len", _judge_cable_length),
    ("buffer", _judge_receive_buffer),
)  # what it judges, by the key that is wrong

RULES: tuple[Rule, ...] = (buffer_cable_missing, buffer_nic)
