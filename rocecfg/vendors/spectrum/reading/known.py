"""What the checks on a configuration look at, and how they put ports and numbers into words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.switch import Port
from rocecfg.vendors.spectrum.ranges import fold_numbers
from rocecfg.vendors.spectrum.reading.implied import Basis
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.operations import Configuration
from rocecfg.vendors.spectrum.reading.ports import BoundPorts
from rocecfg.vendors.spectrum.reading.qos import PriorityMapping, QosProfiles
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL

_BONDS = ("bond", "peerlink")
_MOST = 4  # ports that a message names


class ResolvedConfig(NamedTuple):
    """A configuration, and what it amounts to."""

    stated: Configuration
    qos: QosProfiles
    places: list[BoundPorts]
    ports: tuple[Port, ...]  # of the places, in their order; or one for every port where none is named
    members: dict[str, tuple[str, Span]]  # the bond of each port that is in one
    usual: PriorityMapping  # the one that most ports sort by
    interfaces: tuple[tuple[tuple[str, ...], Node], ...]  # what stands at interfaces, those with the same together
    lossless: Mapping[int, Span]  # the switch priorities with PFC on some port, and where that is said

    @property
    def basis(self) -> Basis:
        """What stands behind its silence."""
        return self.qos.basis

    def is_bond(self, name: str, node: Node) -> bool:
        """Whether an interface is a bond."""
        kind = node.val("type")
        if kind is not None:
            return kind.value in _BONDS
        return node.get("bond") is not None or name.startswith(_BONDS) or name in {b for b, _ in self.members.values()}


def find_lossless(ports: Iterable[Port]) -> dict[int, Span]:
    """The switch priorities with PFC on some port, and where that is said."""
    found: dict[int, Span] = {}
    for port in ports:
        for sp, at in port.pfc.items():
            found.setdefault(sp, at)
    return dict(sorted(found.items()))


def group_interfaces(tree: Node) -> tuple[tuple[tuple[str, ...], Node], ...]:
    """What stands at interfaces, those with the same together; not at variables of a script."""
    alike: dict[int, tuple[list[str], Node]] = {}
    for name, node in tree.items("interface"):
        if name[:1] != "$":
            alike.setdefault(id(node), ([], node))[0].append(name)
    return tuple((tuple(names), node) for names, node in alike.values())


def find_mappings(known: ResolvedConfig) -> dict[str, tuple[PriorityMapping, list[str]]]:
    """The maps in force, by the name of their profile, with the ports that each is for."""
    found: dict[str, tuple[PriorityMapping, list[str]]] = {}
    for place in known.places:
        name = place.in_force("mapping")
        found.setdefault(name, (known.qos.mapping(name), []))[1].extend(place.names)
    return found or {GLOBAL: (known.qos.mapping(GLOBAL), [])}


def format_ports(names: Iterable[str]) -> str:
    """Words for ports: `swp1, swp2 and 30 more`."""
    names = list(names)
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more


def format_numbers(found: Iterable[int]) -> str:
    """Words for numbers: `24-31`."""
    return fold_numbers(sorted(found))
