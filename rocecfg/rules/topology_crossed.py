"""Cables that are crossed: rule TOP919."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.crossings import Crossing, Misled, crossings
from rocecfg.analysis.graph import Graph, graph
from rocecfg.model import Fabric
from rocecfg.rules.base import OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.topology_capacity import locate_link


@rule(
    "TOP919",
    "topology-crossed",
    WARNING,
    source="what most switches or hosts of a kind have is what was intended: the cables of the others say so",
    by_kind={"running": OFF},
    needs=("links",),
    graph=True,
)
def topology_crossed(fabric: Fabric) -> Iterator[Hit]:
    """Two cables are crossed, or one goes to another switch than the cables of similar switches or hosts."""
    found = graph(fabric)
    for crossing in crossings(fabric):
        yield _report_pair(fabric, found, crossing) if crossing.other else _report_stray(fabric, found, crossing.first)


def _report_pair(fabric: Fabric, found: Graph, crossing: Crossing) -> Hit:
    first, other = crossing.first, crossing.other
    assert other is not None
    names = found.names
    return Hit(
        f"{_format_cables(found, first)} and {_format_cables(found, other)} are crossed: if swapped, both "
        f"{'switches' if first.node < found.switches else 'hosts'} are cabled like the others of their kind. Now "
        f"{names[first.node]} has fewer cables to {names[first.meant]}, and {names[other.node]} to "
        f"{names[other.meant]}",
        (locate_link(fabric, first.node, first.leads),),
        f"swap them: {names[first.node]} to {names[first.meant]}, and {names[other.node]} to {names[other.meant]}",
        ((locate_link(fabric, other.node, other.leads), "the other one"),),
    )


def _report_stray(fabric: Fabric, found: Graph, slip: Misled) -> Hit:
    names = found.names
    return Hit(
        f"{_format_cables(found, slip)} {'has' if slip.cables == 1 else 'have'} no counterpart: "
        f"{'switches' if slip.node < found.switches else 'hosts'} cabled like {names[slip.like]} have "
        f"{'it' if slip.cables == 1 else 'them'} to {names[slip.meant]}",
        (locate_link(fabric, slip.node, slip.leads),),
        f"cable {names[slip.node]} to {names[slip.meant]} there",
    )


def _format_cables(found: Graph, slip: Misled) -> str:
    """`the cable leaf1:Ethernet0 -- spine2:Ethernet8`, or how many of a bundle."""
    bundle = found.bundle(slip.node, slip.leads)
    if bundle.cables == 1:
        return f"the cable {' -- '.join(found.ports(slip.node, slip.leads))}"
    many = f"{slip.cables} of the {bundle.cables} cables" if slip.cables < bundle.cables else "the cables"
    return f"{many} from {found.names[slip.node]} to {found.names[slip.leads]}"


RULES: tuple[Rule, ...] = (topology_crossed,)
