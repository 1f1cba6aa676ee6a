"""Load balancing of NVUE: what ECMP hashes, and adaptive routing of the switch and of its ports."""

from __future__ import annotations

from rocecfg.model.stated import Section, Val
from rocecfg.vendors.spectrum.balancing import HASHED
from rocecfg.vendors.spectrum.reading.nodes import Node

HASH = ("system", "forwarding", "ecmp-hash")
ROUTING = ("router", "adaptive-routing")
ON = ("on", "enabled")


def read_switched(node: Node | None) -> Val | None:
    """Whether an object of NVUE is turned on, by either of its spellings; None: nothing is said."""
    given = None if node is None else node.val("state") or node.val("enable")
    return None if given is None else Val(given.value in ON, given.at)


def read_balancing(tree: Node) -> Val | None:
    """Load balancing as an intent states it, as far as anything is said of it."""
    found: Section = {}
    routed = read_switched(tree.get(*ROUTING))
    if routed is not None:
        found["mode"] = Val("adaptive" if routed.value else "ecmp", routed.at)
    hashed = tree.get(*HASH)
    if hashed is not None and any(hashed.val(leaf) is not None for leaf, _ in HASHED.values()):
        fields = []
        for name, (leaf, usual) in HASHED.items():
            given = hashed.val(leaf)
            if (given.value in ON) if given is not None else usual:
                fields.append(Val(name, given.at if given is not None else hashed.at))
        found["hash"] = Val(fields, hashed.at)
    return Val(found, next(iter(found.values())).at) if found else None


def list_inner_hashes(tree: Node) -> tuple[str, ...]:
    """What is hashed besides, of which an intent has no word: fields of inner headers."""
    hashed = tree.get(*HASH)
    known = {leaf for leaf, _ in HASHED.values()}
    below = hashed.below.items() if hashed is not None else ()
    return tuple(leaf for leaf, given in below if leaf not in known and given.value in ON)
