"""Where other rules tell already of what a network operating system cannot express: one mistake is one finding."""

from __future__ import annotations

from rocecfg.model import Device, Fabric
from rocecfg.model.views import make_views
from rocecfg.rules.base import ERROR, OFF, Rule
from rocecfg.rules.ecn import ecn_order
from rocecfg.rules.ets import ets_sum, ets_zero
from rocecfg.rules.mix_classes import mix_class_shared, mix_pg_shared
from rocecfg.rules.mix_map import mix_map_total, mix_tc_chain
from rocecfg.rules.pfc import pfc_global_pause
from rocecfg.rules.watchdog import watchdog_priorities

_CHAIN = (mix_tc_chain, mix_pg_shared, mix_class_shared)
_REPORTED_BY: dict[str, tuple[Rule, ...]] = {  # by reading
    "class.bandwidth": (ets_zero,),
    "class.dscp for part of the code points": (mix_map_total,),
    "class.bandwidth for part of the queues": (ets_zero, ets_sum),
    "class.bandwidth differs on a queue": (ets_sum, mix_class_shared),
    "class.ecn differs on a queue": (mix_class_shared,),
    "class.ecn for part of a queue": (mix_class_shared,),
    "class.lossless differs on a queue": (mix_class_shared,),
    "class.lossless differs on a priority": (mix_class_shared,),
    "class.queue differs on a priority": (mix_class_shared,),
    "class.queue differs on a tc": (mix_class_shared,),
    "class.pg differs on a tc": (mix_class_shared,),
    "class.lossless alone": (mix_map_total,),
    "class.tc unlike priority": _CHAIN,
    "class.queue unlike priority": _CHAIN,
    "class.pg unlike priority": _CHAIN,
    "port.flowcontrol": (pfc_global_pause,),
    "port.watchdog.priorities": (watchdog_priorities,),
}
_RANGE_REPORTED_BY: dict[str, tuple[Rule, ...]] = {"class.ecn.kmin": (ecn_order,)}  # a kmin of 0, or above kmax


def is_reported_elsewhere(
    what: str, fabric: Fabric, device: Device, cls: str | None, *, of_range: bool = False
) -> bool:
    """Whether another rule finds, as an error, what a reading of that name is about; `cls` is the class concerned.

    `of_range`: it is about a value outside its range.
    """
    others = _REPORTED_BY.get(what, ()) + (_RANGE_REPORTED_BY.get(what, ()) if of_range else ())
    return any(_reports_error(other, fabric, device, cls) for other in others)


def _reports_error(other: Rule, fabric: Fabric, device: Device, cls: str | None) -> bool:
    if other.check is None or (fabric.mode == "lossy" and other.by_kind.get("lossy") == OFF):
        return False
    seen = make_views(device) if other.by_maps else (device,)
    of: list[tuple[object, ...]] = [(fabric, there) for there in seen]
    if other.scope == "port":
        of = [(fabric, there, port) for there in seen for port in there.ports]
    elif other.scope == "cls":
        of = [(fabric, there, c) for there in seen for c in there.classes if c.name == cls]
    return any(hit.severity in (None, ERROR) for elements in of for hit in other.check(*elements))
