"""What is set, leaf by leaf: `qos pfc default-global tx` -> `enable`; a member of a list is a leaf without a value."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.spectrum.reading.nodes import Node, walk_leaves
from rocecfg.vendors.spectrum.reading.operations import read_configuration

Path = tuple[str, ...]
MEMBER = ""  # what a leaf without a value holds
_MTU = ("link", "mtu")


class Leaves:
    """The leaves of a configuration, or those that it is to have."""

    def __init__(self, values: Mapping[Path, str], at: Mapping[str, str] | None = None, *, whole: bool = False) -> None:
        """`at`: of a rendering, the interface that each port's settings stand at; `whole`: it is all that is set."""
        self.all = dict(values)
        self.at = dict(at or {})
        self.whole = whole

    def below(self, *path: str) -> dict[Path, str]:
        """The leaves below a path, by what follows it."""
        size = len(path)
        return {found[size:]: value for found, value in self.all.items() if found[:size] == path and found[size:]}

    def profile_names(self, kind: str) -> set[str]:
        """The profiles of a kind, by name."""
        return {path[2] for path in self.all if path[:2] == ("qos", kind) and len(path) > 2}

    def bound_profiles(self, kind: str) -> dict[str, str]:
        """The profile of a kind that each interface is bound to."""
        return {
            path[1]: value
            for path, value in self.all.items()
            if path[0] == "interface" and path[2:] == ("qos", kind, "profile")
        }

    def used_profiles(self) -> set[Path]:
        """The profiles that interfaces are bound to, defined or not."""
        return {
            ("qos", path[3], value)
            for path, value in self.all.items()
            if len(path) == 5 and (path[0], path[2], path[4]) == ("interface", "qos", "profile")
        }


def running_leaves(document: Document, release: str | None) -> Leaves:
    """What a switch's configuration sets; `release`: where the text names none."""
    found = read_configuration(document, release)
    return Leaves(_list_leaves(found.tree), whole=found.whole)


def rendered_leaves(document: Document, device: Device) -> Leaves:
    """What is rendered for a device, and the MTU that its ports are intended to have at least.

    What is told of a port that is a bond's member stands at the bond.
    """
    ports = [(name, group.lag or name, group.mtu) for group in device.ports for name in group.names]
    tree = read_configuration(document, device.version).tree
    mtus: dict[Path, str] = {("interface", at, *_MTU): str(mtu) for _, at, mtu in ports if mtu is not None}
    return Leaves({**_list_leaves(tree), **mtus}, {name: at for name, at, _ in ports})


def _list_leaves(tree: Node) -> dict[Path, str]:
    return {path: MEMBER if leaf.value is None else str(leaf.value) for path, leaf in walk_leaves(tree)}
