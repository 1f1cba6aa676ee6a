"""What leaves take in by what they send up: rule TOP906.

Ports alone tell it of a leaf, so that no links are needed. What follows links is loaded only where there is something
to follow.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric, Span
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule


@rule(
    "TOP906",
    "topology-oversub",
    WARNING,
    worst=ERROR,
    source="an all-reduce sends as much up as it takes in: beyond 1:1 uplinks are where PFC begins; 2:1 is tolerable",
    by_kind={"lossy": INFO, "running": OFF},
    needs=("devices",),
    graph=True,
)
def topology_oversub(fabric: Fabric) -> Iterator[Hit]:
    """Switches take in more RDMA from below than their uplinks carry, or more than the stated ratio."""
    if not ("links" in fabric.sections or any(map(_has_uplinks, fabric.devices))):
        return
    from rocecfg.rules.topology_capacity import judge_oversubscription

    yield from judge_oversubscription(fabric)


def _has_uplinks(device: Device) -> bool:
    """Whether a device says of ports that they face hosts, and of others that they face switches."""
    faces = {port.faces for port in device.ports if isinstance(port.origins.get("faces"), Span)}
    return "switch" in faces and not faces.isdisjoint(("host", "storage"))


RULES: tuple[Rule, ...] = (topology_oversub,)
