"""How far from the hosts each switch is: the tiers of a Clos, and the roles that go with them.

A role that is one of the field's own words decides; any other switch counts from the nearest that is known, from hosts
where no role tells. Where all switches have hosts (torus, mesh, dragonfly, one switch) there is one tier.
"""

from __future__ import annotations

from rocecfg.analysis.graph import Graph, graph
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, Span, kept_with_fabric

_OF_ROLE = {"leaf": 1, "tor": 1, "rail": 1, "spine": 2, "superspine": 3, "core": 3}
TIER_ROLES = tuple(_OF_ROLE)
"""The words that say a tier."""
_ROLES = ("leaf", "spine", "superspine")
_FLAT = frozenset(("dragonfly", "torus", "mesh"))


class Tiers(NamedTuple):
    """The tier of each switch, counted from 1 at the hosts; 0: no path to a host is known."""

    of: tuple[int, ...]
    top: int

    def switches(self, tier: int) -> list[int]:
        """The switches of a tier."""
        return [n for n, found in enumerate(self.of) if found == tier]

    def role(self, tier: int) -> str:
        """What a tier is called where nobody named it."""
        return _ROLES[tier - 1] if 1 <= tier <= len(_ROLES) else f"tier {tier}"


def tier_by_links(fabric: Fabric, device: Device) -> int | None:
    """The tier of a device as its links tell, the highest of its switches; None where none of them has a link."""
    found, levels = graph(fabric), tiers(fabric)
    numbers = [n for name in device.names if (n := found.numbers.get(name)) is not None and n < found.switches]
    return max((levels.of[n] for n in numbers if found.hosts(n) or found.uplinks(n)), default=None)


def tier_of_role(role: str | None) -> int:
    """The tier that a role's word says; 0 where it is the user's own word, or there is none."""
    return _OF_ROLE.get(role or "", 0)


@kept_with_fabric
def tiers(fabric: Fabric) -> Tiers:
    """The tiers of a fabric, from its links, roles and what ports face."""
    found = graph(fabric)
    if fabric.topology in _FLAT:
        return Tiers((1,) * found.switches, min(found.switches, 1))
    of = [tier_of_role(plan.device.role) for plan in found.plans]
    _count_upwards(found, of)
    return Tiers(tuple(of), max(of, default=0))


def _count_upwards(found: Graph, of: list[int]) -> None:
    """Fill in the switches whose role says nothing: one tier above the lowest that is known next to them.

    Below it where that one has nothing below yet: a spine stands on leaves, whether or not somebody named these.
    """
    if not any(of):
        _set_first_tier(found, of)
    fronts: dict[int, list[int]] = {}
    for n, tier in enumerate(of):
        if tier:
            fronts.setdefault(tier, []).append(n)
    while fronts:
        tier = min(fronts)
        for n in fronts.pop(tier):
            unknown = [other for other in found.uplinks(n) if not of[other]]
            if not unknown:
                continue
            stands = tier == 1 or any(0 < of[other] < tier for other in found.uplinks(n))
            above = 0 if tier == 1 and _are_pair(found, n, unknown[0]) else 1
            for other in unknown:
                of[other] = 1 if found.hosts(other) else tier + above if stands else tier - 1
                fronts.setdefault(of[other], []).append(other)


def _are_pair(found: Graph, a: int, b: int) -> bool:
    """Whether two switches are joined to no others, and neither has a role that tells: which is above nobody knows."""
    alone = len(found.uplinks(a)) == len(found.uplinks(b)) == 1
    return alone and not any(tier_of_role(found.plans[n].device.role) for n in (a, b))


def _set_first_tier(found: Graph, of: list[int]) -> None:
    """The first tier where no role tells: switches with hosts; where no link leads to one, with ports that face hosts.

    A switch with ports to the edge is not one of the tiers above: it hangs beside the leaves.
    """
    cabled = len(found.names) > found.switches
    for n, plan in enumerate(found.plans):
        faces = {port.faces for port in plan.device.ports if isinstance(port.origins.get("faces"), Span)}
        if found.hosts(n) or "edge" in faces or ("host" in faces and (not cabled or not found.near[n])):
            of[n] = 1
