"""Which switch ports the NICs of hosts are cabled to, as rules and the NIC side of a configuration see them.

Hosts are listed in groups, and so are the ports: each kind of port that a group hangs on is told once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from rocecfg.analysis.hosts import HostNics, host_nics, stated_hosts
from rocecfg.analysis.ports import list_wires
from rocecfg.core.nodeset import name_set, names_of
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import dscp_of
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass, kept_with_fabric
from rocecfg.model.views import make_port_view, make_views
from rocecfg.rules.common import format_priorities, is_management


class NicEnd(NamedTuple):
    """NIC ports of one name in a group of hosts, and the equal switch ports that they are cabled to."""

    nic: str  # the NIC port, as links name it
    hosts: tuple[str, ...]  # in the order of the links
    device: Device
    port: PortGroup
    names: tuple[str, ...]  # leaf01:Ethernet0, where each of them leads

    @property
    def where(self) -> str:
        """`gpu01:nic0 -- leaf01:Ethernet0 and 31 more links`."""
        more = len(self.hosts) - 1
        first = f"{self.hosts[0]}:{self.nic} -- {self.names[0]}"
        return f"{first} and {more} more link{'s' * (more != 1)}" if more else first


@kept_with_fabric  # several rules ask
def nic_ends(fabric: Fabric) -> Mapping[str, tuple[NicEnd, ...]]:
    """For each group of hosts, and each kind of NIC in one, the switch ports its NICs are cabled to.

    () where no link leads to a known switch.
    """
    stated = stated_hosts(fabric)
    keys = {name: key for key in stated for name in name_set(key)}
    found: dict[str, dict[tuple[str, int, int], tuple[NicEnd, list[str], list[str]]]] = {key: {} for key in stated}
    if keys and fabric.links:
        devices = {name: device for device in fabric.devices for name in device.names}
        ports: dict[int, dict[str, PortGroup]] = {}
        for host, nic, switch, name in iter_host_cables(fabric, keys):
            device = devices.get(switch)
            port = _find_port(device, name, ports) if device is not None else None
            if device is None or port is None:
                continue
            kind = (nic, id(device), id(port))
            _, hosts, names = found[keys[host]].setdefault(kind, (NicEnd(nic, (), device, port, ()), [], []))
            hosts.append(host)
            names.append(f"{switch}:{name}")
    out = {
        key: tuple(end._replace(hosts=tuple(hosts), names=tuple(names)) for end, hosts, names in ends.values())
        for key, ends in found.items()
    }
    for nics in host_nics(fabric):
        if nics.nics is not None:
            of_kind = name_set(nics.nics)
            out[nics.key] = tuple(end for end in out[nics.hosts] if end.nic in of_kind)
    return out


def iter_host_cables(fabric: Fabric, hosts: Mapping[str, object]) -> Iterator[tuple[str, str, str, str]]:
    """Each cable that ends at one of these hosts: the host, its NIC port, what the other end is of, and its port."""
    to_hosts = [link for link in fabric.links if _names_any(link.a_device, hosts) or _names_any(link.b_device, hosts)]
    for wire in list_wires(to_hosts):
        a, b = wire[:2], wire[2:4]
        for (host, nic), (other, port) in ((a, b), (b, a)):
            if host in hosts:
                yield host, nic, other, port


def _names_any(devices: str, known: Mapping[str, object]) -> bool:
    """Whether a node set names one of these; most are a single name."""
    if "[" not in devices and "," not in devices:
        return devices in known
    return any(name in known for name in names_of(devices))


def index_ports(device: Device, known: dict[int, dict[str, PortGroup]]) -> dict[str, PortGroup]:
    """The ports of a device by name. `known`: of devices that were asked for, which many switches share."""
    ports = known.get(id(device))
    if ports is None:
        ports = known[id(device)] = {name: port for port in device.ports for name in port.names}
    return ports


def _find_port(device: Device, name: str, known: dict[int, dict[str, PortGroup]]) -> PortGroup | None:
    """The ports of that name; those that stand for every port where the intent names none."""
    ports = index_ports(device, known)
    return ports.get(name) or next((port for port in device.ports if port.implied), None)


def find_misfit(fabric: Fabric, device: Device, hosts: str, fits: Callable[[Device], bool]) -> Device | None:
    """A device as the ports sort that a group of hosts is cabled to, if it does not fit them; None if it does.

    Where ports sort in several ways and no link tells which the hosts hang on, one that fits is enough.
    """
    sorting = make_views(device)
    linked = False
    if any(port.maps is not None for port in device.ports):
        ends = {id(end.port): end.port for end in nic_ends(fabric).get(hosts, ()) if end.device is device}
        linked = bool(ends)
        sorting = tuple(make_port_view(device, port) for port in ends.values()) or sorting
    bad = [seen for seen in sorting if not fits(seen)]
    return bad[0] if bad and (linked or len(bad) == len(sorting)) else None


def rdma_classes_on(device: Device, port: PortGroup, nics: HostNics | None = None) -> list[TrafficClass]:
    """The classes of RDMA that cross a port, lossless ones first; none on a management port.

    `nics`: those that are cabled to it. What they mark their RDMA for comes first; where a host has several kinds, it
    is their own alone.
    """
    if is_management(port):
        return []
    crossing = device.classes_on(port)
    own = rdma_classes_marked_by(nics, crossing)
    if own:
        return own
    sent = classes_sent_by(nics, crossing)
    others = sorted((c for c in crossing if "rdma" in c.carries), key=lambda c: not c.lossless)
    return [*sent, *(c for c in others if c not in sent)]


def rdma_classes_marked_by(nics: HostNics | None, classes: Iterable[TrafficClass]) -> list[TrafficClass]:
    """The classes of RDMA or storage, of these, that NICs of one kind among several mark their RDMA for."""
    dscp = nics.value.get("rdma_dscp") if nics is not None and nics.nics is not None else None
    return _classes_of_rdma(classes, dscp.value) if dscp is not None else []


def classes_sent_by(nics: HostNics | None, classes: Iterable[TrafficClass]) -> list[TrafficClass]:
    """The classes of RDMA or storage, of these, that RDMA of these NICs is in; [] where that is not known."""
    dscp = sent_dscp(nics) if nics is not None else None
    return _classes_of_rdma(classes, dscp) if dscp is not None else []


def sent_dscp(nics: HostNics) -> int | None:
    """The DSCP that all RDMA of NICs leaves with: what the NIC forces, else what is stated of them."""
    forced, stated = nics.value.get("tos"), nics.value.get("rdma_dscp")
    if forced is not None and forced.value:
        return dscp_of(forced.value)
    return stated.value if stated is not None else None


def _classes_of_rdma(classes: Iterable[TrafficClass], dscp: int) -> list[TrafficClass]:
    found = (c for c in classes if dscp in c.dscps and not c.rest)
    return [c for c in found if not {"rdma", "storage"}.isdisjoint(c.carries)]


def rdma_ends(fabric: Fabric, nics: HostNics) -> list[NicEnd]:
    """The ends of NICs at ports that their RDMA crosses: what is stated of them is stated of these."""
    return [end for end in nic_ends(fabric)[nics.key] if rdma_classes_on(end.device, end.port, nics)]


def find_rdmaless_ends(fabric: Fabric, nics: HostNics, at: Origin) -> list[NicEnd]:
    """The ends of NICs that send RDMA at ports that no class of RDMA crosses; `at`: where it is stated that they do.

    What is stated of a host holds for the NICs of it that are cabled for RDMA: the others may be for anything.
    """
    own = nic_ends(fabric)[nics.key]
    of_host = any(value.at == at for value in nics.host.values())
    crossed = {
        host
        for end in (nic_ends(fabric)[nics.hosts] if of_host else ())
        if _may_take_rdma(end, nics) and not is_management(end.port)
        for host in end.hosts
    }
    out = []
    for end in own:
        if is_management(end.port) or _may_take_rdma(end, nics):
            continue
        left = [n for n, host in enumerate(end.hosts) if host not in crossed]
        if left:
            out.append(end._replace(hosts=tuple(end.hosts[n] for n in left), names=tuple(end.names[n] for n in left)))
    return out


def _may_take_rdma(end: NicEnd, nics: HostNics) -> bool:
    crossing = end.device.classes_on(end.port)
    return any(cls.may_carry_rdma for cls in crossing) or bool(classes_sent_by(nics, crossing))


def ports_facing_hosts(fabric: Fabric, nics: HostNics | None = None) -> list[tuple[Device, PortGroup]]:
    """The kinds of ports that RDMA of hosts, or of these NICs, crosses, links aside."""
    return [
        (device, port)
        for device in fabric.devices
        for port in device.ports
        if port.faces in (None, "host") and rdma_classes_on(device, port, nics)
    ]


def locate_pfc(device: Device, port: PortGroup) -> tuple[Origin, str] | None:
    """Where it is said which priority a switch port pauses, and that in words; None where it pauses none."""
    if not port.pfc:
        return None
    cls = next((c for c in device.classes_on(port) if c.lossless and c.priority in port.pfc), None)
    words = f"PFC of the switch is on {format_priorities(port.pfc)}"
    return (cls.at("priority") if cls is not None else port.at("classes")), words
