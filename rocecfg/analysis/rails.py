"""Rails: the NICs of hosts that share a leaf, so that GPUs of one number talk over one hop.

The rail of a NIC is what `hosts` says of its port; in a fabric whose topology is `rail` its number, where hosts say
none. A rail group is hosts that are cabled alike: rail by rail on the same leaves. What is a group and what is a slip
follows from how many hosts are cabled so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rocecfg.analysis.graph import SHIFT, graph
from rocecfg.analysis.hosts import nics_beside_gpus, stated_hosts
from rocecfg.analysis.ports import list_wires, plans
from rocecfg.core.nodeset import names_of
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Link, Origin, kept_with_fabric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class RailNic(NamedTuple):
    """A NIC port and the switch port that it is cabled to."""

    host: str
    port: str
    rail: int | None  # None: not known
    stated: bool  # the rail is: it is no number that was read off the port's name
    leaf: str
    leaf_port: str
    link: Link

    @property
    def name(self) -> str:
        """`gpu01:nic0`."""
        return f"{self.host}:{self.port}"

    @property
    def far(self) -> str:
        """`leaf01:Ethernet0`."""
        return f"{self.leaf}:{self.leaf_port}"


class RailGroup(NamedTuple):
    """Hosts that are cabled alike."""

    hosts: tuple[str, ...]
    leaves: Mapping[int, tuple[str, ...]]  # rail -> its leaves


class StrayNic(NamedTuple):
    """A NIC that is on another leaf than its rail is in the group of its host."""

    nic: RailNic
    meant: tuple[str, ...]  # the leaves of its rail there
    like: str  # a host of the group
    here: tuple[int, ...]  # the rails that groups have on the leaf it is on; (): none
    swap: RailNic | None  # a NIC of the same host on a leaf of this one's rail, that belongs on this one's leaf


class MisdeclaredNic(NamedTuple):
    """A NIC of one rail at a switch or port that the intent gives another one."""

    nic: RailNic
    rail: int  # the switch's, or the port's
    at: Origin  # where that is said


class Rails(NamedTuple):
    """The rails of a fabric."""

    groups: tuple[RailGroup, ...]
    strays: tuple[StrayNic, ...]
    declared: tuple[MisdeclaredNic, ...]  # against what switches say of themselves

    @property
    def numbers(self) -> tuple[int, ...]:
        """The rails that there are, ascending."""
        return tuple(sorted({rail for group in self.groups for rail in group.leaves}))


@kept_with_fabric  # the rules on rails and the report ask
def cabled_nics(fabric: Fabric) -> dict[str, list[RailNic]]:
    """The NIC ports of each host that are cabled to ports that RDMA crosses, in the order of the links."""
    found, known = graph(fabric), plans(fabric)
    rails = {(host, port): rail for host, port, rail in _stated_rails(fabric)}
    numbered = fabric.topology == "rail"
    others = {
        name: nics_beside_gpus(host.value) for key, host in stated_hosts(fabric).items() for name in names_of(key)
    }
    out: dict[str, list[RailNic]] = {}
    seen: set[tuple[str, str]] = set()
    for wire in list_wires(fabric.links):
        a, b, link = wire[:2], wire[2:4], wire[4]
        host, leaf = (b, a) if a[0] in known else (a, b)
        if host[0] in known or leaf[0] not in known or host in seen or leaf in seen:
            continue
        number = found.numbers.get(host[0])
        if number is None or (found.numbers[leaf[0]] << SHIFT | number) not in found.bundles:
            continue  # no cable between them carries RDMA
        end = known[leaf[0]].end(leaf[1])
        if end is None or not any("rdma" in cls.carries for cls in end.device.classes_on(end.port)):
            continue
        seen.update((host, leaf))
        rail = rails.get(host)
        stated = rail is not None
        if rail is None and numbered:
            beside = host[1] in others.get(host[0], ())  # stor0 is on no rail of gpu0
            rail = None if beside else _trailing_number(host[1])
        out.setdefault(host[0], []).append(RailNic(*host, rail, stated, *leaf, link))
    return out


def _stated_rails(fabric: Fabric) -> Iterator[tuple[str, str, int]]:
    """What hosts say of their ports: host, port, rail."""
    for key, host in stated_hosts(fabric).items():
        for rail, ports in _ports_by_rail(host.value).items():
            for name in names_of(key):
                for port in ports:
                    yield name, port, rail


def _ports_by_rail(host: Mapping[str, Any]) -> dict[int, list[str]]:
    out: dict[int, list[str]] = {}
    ports = host.get("ports")
    for key, port in (ports.value if ports is not None else {}).items():
        rail = port.value.get("rail")
        if rail is not None:
            out.setdefault(rail.value, []).extend(names_of(key))
    return out


def _kind_of(host: Mapping[str, Any]) -> object:
    """What hosts have in common that may be cabled alike, written in one entry or in many."""
    rails_of = ((port, rail) for rail, ports in _ports_by_rail(host).items() for port in ports)
    plain = (host[key].value if key in host else None for key in ("nic", "gpus"))
    kinds = host["nics"].value if "nics" in host else {}
    return *plain, tuple(sorted(rails_of)), tuple(sorted(names for key in kinds for names in names_of(key)))


def _trailing_number(port: str) -> int | None:
    """The number at the end of a name: 3 of `nic3`, `mlx5_3` or `eth3`."""
    digits = port[len(port.rstrip("0123456789")) :]
    return int(digits) if digits and len(digits) < 5 else None


@kept_with_fabric
def rails(fabric: Fabric) -> Rails:
    """The rail groups of a fabric, and the NICs that are cabled as no group is."""
    if fabric.topology != "rail" and next(_stated_rails(fabric), None) is None:
        return Rails((), (), ())
    kinds = {
        name: kind
        for key, host in stated_hosts(fabric).items()
        for kind in (_kind_of(host.value),)
        for name in names_of(key)
    }
    apart: dict[object, dict[str, list[RailNic]]] = {}
    for host, all_ports in cabled_nics(fabric).items():
        ports = [nic for nic in all_ports if nic.rail is not None]
        if len({nic.rail for nic in ports}) > 1:
            kind = kinds.get(host) or tuple(sorted(nic.port for nic in ports))
            apart.setdefault(kind, {})[host] = ports
    groups: list[RailGroup] = []
    strays: list[StrayNic] = []
    for hosts in apart.values():
        of_kind, lost = _group_hosts(hosts)
        groups += of_kind
        strays += lost
    return Rails(tuple(groups), tuple(strays), tuple(_find_misdeclared(fabric)))


_Cabling = tuple[tuple[int, tuple[str, ...]], ...]  # rail, and the leaves it is on


def _leaves_by_rail(ports: list[RailNic]) -> _Cabling:
    by_rail: dict[int, set[str]] = {}
    for nic in ports:
        if nic.rail is not None:
            by_rail.setdefault(nic.rail, set()).add(nic.leaf)
    return tuple((rail, tuple(sorted(leaves))) for rail, leaves in sorted(by_rail.items()))


def _group_hosts(hosts: Mapping[str, list[RailNic]]) -> tuple[list[RailGroup], list[StrayNic]]:
    """Hosts of one kind by how they are cabled: the commonest ways are groups, what mixes these is astray."""
    alike: dict[_Cabling, list[str]] = {}
    for host, ports in hosts.items():
        alike.setdefault(_leaves_by_rail(ports), []).append(host)
    groups: list[tuple[list[str], _Cabling]] = []
    of: dict[tuple[int, str], int] = {}  # rail and leaf -> the number of the group that has them
    first: dict[str, int] = {}  # leaf -> the first group on it
    on: dict[str, set[int]] = {}  # leaf -> the rails that groups have on it
    mixed: list[tuple[list[str], int]] = []
    for cabling, names in sorted(alike.items(), key=lambda item: -len(item[1])):  # stable: else as first cabled
        places = [(rail, leaf) for rail, leaves in cabling for leaf in leaves]
        near = Counter(of[place] for place in places if place in of).most_common(1)
        if near:
            mixed.append((names, near[0][0]))
            continue
        beside = Counter(first[leaf] for _, leaf in places if leaf in first).most_common(1)
        if beside and 2 * len(names) <= len(groups[beside[0][0]][0]):
            mixed.append((names, beside[0][0]))  # other rails on the same leaves: a few are a slip, many are meant so
            continue
        of.update(dict.fromkeys(places, len(groups)))
        for rail, leaf in places:
            first.setdefault(leaf, len(groups))
            on.setdefault(leaf, set()).add(rail)
        groups.append((list(names), cabling))
    strays: list[StrayNic] = []
    for names, number in mixed:
        for name in names:
            found = list(_find_strays(hosts[name], groups[number], on))
            strays += found
            if not found:  # it only lacks cables
                groups[number][0].append(name)
    return [RailGroup(tuple(names), dict(cabling)) for names, cabling in groups], strays


def _find_strays(
    ports: list[RailNic], group: tuple[list[str], _Cabling], on: Mapping[str, set[int]]
) -> Iterator[StrayNic]:
    leaves = dict(group[1])
    for nic in ports:
        intended = leaves.get(nic.rail) if nic.rail is not None else None
        if intended is None or nic.leaf in intended:
            continue
        crossed = (n for n in ports if n.leaf in intended and n.rail is not None and nic.leaf in leaves.get(n.rail, ()))
        swap = next((n for n in crossed if n.leaf not in leaves.get(n.rail or 0, ())), None)
        yield StrayNic(nic, intended, group[0][0], tuple(sorted(on.get(nic.leaf, ()))), swap)


def _find_misdeclared(fabric: Fabric) -> Iterator[MisdeclaredNic]:
    """NICs whose rail is not that of the switch or of the port, as far as these say one."""
    by_port: dict[str, dict[str, tuple[int, Origin]]] = {}
    by_device: dict[str, tuple[int, Origin]] = {}
    for device in fabric.devices:
        ports = {
            name: (port.rail, port.at("rail")) for port in device.ports if port.rail is not None for name in port.names
        }
        for name in device.names:
            if ports:
                by_port[name] = ports
            if device.rail is not None:
                by_device[name] = device.rail, device.at("rail")
    if not by_port and not by_device:
        return
    for ports_of in cabled_nics(fabric).values():
        for nic in ports_of:
            stated = by_port.get(nic.leaf, {}).get(nic.leaf_port) or by_device.get(nic.leaf)
            if stated is not None and nic.rail is not None and stated[0] != nic.rail:
                yield MisdeclaredNic(nic, *stated)
