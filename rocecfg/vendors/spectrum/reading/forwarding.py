"""How NVUE forwards: what ECMP hashes, adaptive routing of the switch and of its ports, and packet trimming."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.stated import Section, Val
from rocecfg.vendors.spectrum.balancing import HASHED
from rocecfg.vendors.spectrum.domain import is_judged
from rocecfg.vendors.spectrum.reading.nodes import Node, walk_leaves
from rocecfg.vendors.spectrum.reading.qos import QosProfiles
from rocecfg.vendors.spectrum.settings import HASH, ROUTING, TRIMMED, TRIMMING, read_values

ON = ("on", "enabled")
_NEEDED = ("size", "dscp", "queue")


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


def find_turned_on(tree: Node) -> Val | None:
    """Where trimming is turned on; None where it is off, which is the default."""
    state = tree.val(*TRIMMING, "state")
    return state if state is not None and state.value == "enabled" else None


def read_trimming(tree: Node, qos: QosProfiles) -> Val | None:
    """Trimming as an intent states it; None where it is off, or in part left to defaults, which are not published."""
    on = find_turned_on(tree)
    if on is None:
        return None
    found = read_values(tree, "trimming.*")
    if "queue" in found:
        found["queue"] = found["queue"]._replace(value=qos.queues[found["queue"].value].value)
    return Val(found, on.at) if all(key in found for key in _NEEDED) else None


def list_unread_parts(tree: Node, qos: QosProfiles) -> Iterator[str]:
    """What of trimming that is on is not read, or not told."""
    if find_turned_on(tree) is None:
        return
    leaves = walk_leaves(tree.get(*TRIMMING) or Node(tree.at))
    yield from dict.fromkeys(path[0] for path, _ in leaves if not is_judged((*TRIMMING, *path)))
    if read_trimming(tree, qos) is None:
        yield "size, DSCP or switch priority left to defaults that are not published"


def list_trimmed_queues(node: Node) -> tuple[int, ...]:
    """The traffic classes of a port whose packets are trimmed, ascending."""
    return tuple(sorted(int(tc) for tc, _ in node.items(*TRIMMED)))
