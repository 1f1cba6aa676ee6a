"""The hosts of an intent, and the NICs in them by kind, as rules, files and pages see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Origin, kept_with_fabric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class HostNics(NamedTuple):
    """NICs of one kind in a group of hosts."""

    key: str  # as messages call them: the hosts, and which of their NICs where a host has several kinds
    hosts: str  # node set
    nics: str | None  # node set of their ports; None: all NICs of the host are of this kind
    value: Mapping[str, Any]  # what is stated of them, by key: value and place (`.value`, `.at`)
    host: Mapping[str, Any]  # what is stated of the host
    at: Origin

    @property
    def of_gpus(self) -> bool:
        """Whether they are what the GPUs' libraries send on: where a host has one kind of NIC, these."""
        return self.nics is None or not nics_beside_gpus(self.host).issuperset(name_set(self.nics))

    def includes(self, host: str, nic: str) -> bool:
        """Whether a NIC port of a host is one of these."""
        return host in name_set(self.hosts) and (self.nics is None or nic in name_set(self.nics))


def stated_hosts(fabric: Fabric) -> Mapping[str, Any]:
    """The groups of hosts, disjoint, each as a mapping of what is stated of it to value and place."""
    hosts = fabric.facts.get("hosts", {})
    return {key: host for key, host in hosts.items() if isinstance(host.value, dict)}


@kept_with_fabric  # most rules on hosts ask
def host_nics(fabric: Fabric) -> tuple[HostNics, ...]:
    """The NICs of all hosts, by group of hosts and kind, in the order of the intent."""
    out: list[HostNics] = []
    for key, host in stated_hosts(fabric).items():
        kinds = host.value.get("nics")
        if kinds is None:
            out.append(HostNics(key, key, None, host.value, host.value, host.at))
        else:
            for nics, kind in kinds.value.items():
                out.append(HostNics(f"{key}:{nics}", key, nics, kind.value, host.value, kind.at))
    return tuple(out)


def each_stated(fabric: Fabric, key: str) -> Iterator[tuple[HostNics, Any]]:
    """The NICs of which `key` is stated, and the value with its place."""
    for nics in host_nics(fabric):
        value = nics.value.get(key)
        if value is not None:
            yield nics, value


class FirstKind:
    """What is stated once for several kinds of NIC is found wrong once, for the first kind it is wrong for."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Origin, str] = {}

    def takes(self, at: Origin, nics: HostNics) -> bool:
        """Whether what stands at a place was found wrong for no other kind before."""
        return self._found.setdefault(at, nics.key) == nics.key


def nics_beside_gpus(host: Mapping[str, Any]) -> frozenset[str]:
    """The NIC ports of a host with several kinds of NIC that are not its GPUs'.

    Its GPUs' are the kind of which there are as many as GPUs, else the one of which there are most.
    """
    kinds, gpus = host.get("nics"), host.get("gpus")
    by_profile: dict[object, frozenset[str]] = {}
    for ports, kind in kinds.value.items() if kinds is not None else ():
        named = kind.value.get("nic")
        profile = named.value if named is not None else ports
        by_profile[profile] = by_profile.get(profile, frozenset()) | name_set(ports)
    found = list(by_profile.values())
    as_many = [ports for ports in found if gpus is not None and len(ports) == gpus.value] or found
    most = max((len(ports) for ports in as_many), default=0)
    own = next((ports for ports in as_many if len(ports) == most), frozenset[str]())
    return frozenset[str]().union(*found) - own
