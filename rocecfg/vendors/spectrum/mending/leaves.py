"""What is set, leaf by leaf: `qos pfc default-global tx` -> `enable`; a member of a list is a leaf without a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.vendors.mending import aligned
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.schema import GLOBAL

Path = tuple[str, ...]
MEMBER = ""  # what a leaf without a value holds


class Leaves:
    """The leaves of a tree."""

    def __init__(self, tree: Node) -> None:
        self.all: dict[Path, str] = dict(_leaves((), tree))

    def below(self, *path: str) -> dict[Path, str]:
        """The leaves below a path, by what follows it."""
        size = len(path)
        return {found[size:]: value for found, value in self.all.items() if found[:size] == path and found[size:]}

    def bound(self, kind: str) -> dict[str, str]:
        """The profile of a kind that each interface is bound to."""
        return {
            path[1]: value
            for path, value in self.all.items()
            if len(path) == 5 and path[0] == "interface" and path[2:] == ("qos", kind, "profile")
        }


def _leaves(path: Path, node: Node) -> Iterator[tuple[Path, str]]:
    if node.value is not None:
        yield path, str(node.value)
    elif not node.below:
        yield path, MEMBER
    for name, below in node.below.items():
        yield from _leaves((*path, name), below)


def names(kind: str, meant: Leaves, have: Leaves, places: Mapping[str, str]) -> dict[str, str]:
    """For each profile of a kind that is meant, the name to use: the one that serves its ports already, where one does.

    `places`: by port, the interface that its profiles are bound at. `default-global` serves ports that nobody lists
    too, so no profile takes its place.
    """
    want_at, have_at = meant.bound(kind), have.bound(kind)
    want = {port: want_at.get(at, GLOBAL) for port, at in places.items()}
    found = {port: have_at.get(at, GLOBAL) for port, at in places.items()}
    serving = {at: name for at, name in have_at.items() if at not in places.values()}
    running: dict[str, str] = {**serving, **{p: n for p, n in found.items() if n != GLOBAL or want[p] == GLOBAL}}
    known = {path[2] for path in have.all if path[:2] == ("qos", kind) and len(path) > 2}
    same = {name: have.below("qos", kind, name) == meant.below("qos", kind, name) for name in known}
    out = aligned(want, running, same)
    if GLOBAL in out and out[GLOBAL] not in (GLOBAL, *have_at.values()):
        out[GLOBAL] = GLOBAL
    return out
