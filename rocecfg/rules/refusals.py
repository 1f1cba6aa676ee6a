"""What a system cannot take of a device, for which no text must be written: the same facts that lint judges by.

Lint tells each of these, as an error or as a warning that render refuses it. It leaves out what another rule tells
already, what is waived, and what does not count in some kinds of fabric; here nothing is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric
from rocecfg.model.views import make_views
from rocecfg.profiles.settings import ECN_ORDER
from rocecfg.rules import get_rule
from rocecfg.rules.base import Hit, Rule
from rocecfg.rules.ecn import ecn_order
from rocecfg.rules.ets import ets_sum
from rocecfg.rules.mix_classes import mix_dscp_dup
from rocecfg.rules.nos import (
    asic_nos,
    find_inexpressible,
    find_out_of_range,
    find_without_headroom,
    nos_range,
    nos_unsupported,
)
from rocecfg.rules.watchdog_timers import watchdog_poll

_OF_CLASS, _OF_PORT = (ecn_order,), (watchdog_poll,)
_OF_MAPS = (mix_dscp_dup, ets_sum)


def list_refused(fabric: Fabric, device: Device) -> Iterator[tuple[Rule, Hit]]:
    """Why no text is written for a device, with the rule that says so."""
    yield from ((nos_unsupported, hit) for hit in find_inexpressible(fabric, device, refused=True))
    yield from ((nos_range, hit) for hit in find_out_of_range(fabric, device, refused=True))
    yield from ((asic_nos, hit) for hit in find_without_headroom(device, refused=True))
    for port in device.ports:
        dog = port.watchdog if port.pfc else None
        if dog is not None and dog.detection is None and not dog.vendor_default:
            what = "the watchdog has no detection_time"
            yield get_rule("schema-required"), Hit(what, (dog.at("detection"),), "write detection_time: 200ms")
    for seen in make_views(device):
        for rule, of in _contradictions(fabric, seen):
            assert rule.check is not None
            yield from ((rule, hit) for hit in rule.check(*of) if _is_refused(device, rule, hit))


def _contradictions(fabric: Fabric, device: Device) -> Iterator[tuple[Rule, tuple[object, ...]]]:
    """The rules on what contradicts itself, and what they are asked of."""
    yield from ((rule, (fabric, device)) for rule in _OF_MAPS)
    yield from ((rule, (fabric, device, cls)) for rule in _OF_CLASS for cls in device.classes)
    yield from ((rule, (fabric, device, port)) for rule in _OF_PORT for port in device.ports)


def _is_refused(device: Device, rule: Rule, hit: Hit) -> bool:
    """Whether no system can have it, or this one says that it refuses it."""
    if rule is mix_dscp_dup or hit.refused == ECN_ORDER:
        return True
    return device.nos is not None and hit.refused in device.nos.refuses
