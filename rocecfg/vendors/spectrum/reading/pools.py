"""Traffic pools and advanced buffers: who shares what part of the buffer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rocecfg.model import RunningPool, Span
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.spectrum.reading.implied import ROCE_PRIORITY, SINGLE_POOL
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.qos import PRIORITIES, QosProfiles
from rocecfg.vendors.spectrum.reading.schema_qos import ALPHAS, GLOBAL

LOSSLESS_POOLS = ("roce-lossless", "default-lossless")
_SERVICE_POOL = {"default-lossy": "0", "default-lossless": "1", "roce-lossless": "1", "mc-lossy": "2"}
_KEYS = {"ingress": ("ingress-service-pool", "ingress-pool"), "egress": ("egress-service-pool", "egress-pool")}


def get_advanced_buffers(qos: QosProfiles) -> Node:
    """What is set below `advance-buffer-config default-global`."""
    return qos.profile("advance-buffer-config", GLOBAL) or Node(qos.tree.at)


def read_percents(qos: QosProfiles) -> dict[str, Val]:
    """Percent of the buffer by traffic pool: as stated, else as implied."""
    found: dict[str, Val] = {}
    if qos.basis.known:
        found = {name: Val(percent, qos.basis.at) for name, percent in qos.basis.pools.items()}
    for name, node in qos.tree.items("traffic-pool"):
        given = node.val("memory-percent")
        if given is not None:
            found[name] = given
    return found


def read_shares(qos: QosProfiles) -> Section:
    """The shares of the lossless and the lossy pool, as an intent has them; nothing where they make no sense."""
    stated = {name for name, node in qos.tree.items("traffic-pool") if node.val("memory-percent") is not None}
    found = read_percents(qos)
    lossless = [name for name in LOSSLESS_POOLS if name in found]
    if not stated or qos.basis.mode == SINGLE_POOL or sum(val.value for val in found.values()) > 100:
        return {}
    shares: Section = {}
    if len(lossless) == 1:
        shares["lossless"] = found[lossless[0]]
    if "default-lossy" in found:
        shares["lossy"] = found["default-lossy"]
    return shares


def read_alpha(qos: QosProfiles) -> Val | None:
    """The share of the free pool that a lossless priority group may take, where it is set."""
    given = get_advanced_buffers(qos).val("ingress-lossless-buffer", "shared-alpha")
    if given is None or given.value == "alpha_infinity":
        return None
    return Val(ALPHAS[given.value], given.at)


def read_pools(qos: QosProfiles) -> tuple[RunningPool, ...]:
    """Every pool in force. A service pool that is set stands for the traffic pool it belongs to."""
    service = dict(_list_service_pools(qos))
    found = []
    for name, percent in read_percents(qos).items():
        number = _SERVICE_POOL.get(name)
        own = [way for way in _KEYS if (way, number) not in service]
        if own:
            direction = "both" if len(own) == len(_KEYS) else own[0]
            usual = Val("dynamic", qos.tree.at)
            pool = _make_pool(name, direction, percent, usual, lossless=name in LOSSLESS_POOLS)
            found.append(replace(_add_priorities(pool, qos), of_buffers=True))
    for (way, number), node in service.items():
        percent = node.val("memory-percent") or Val(None, node.at)
        found.append(
            _make_pool(f"{way}-service-pool {number}", way, percent, _find_threshold_mode(qos, way, int(number)))
        )
    return tuple(found)


def _make_pool(name: str, direction: str, percent: Val, mode: Val, *, lossless: bool | None = None) -> RunningPool:
    at: dict[str, Span] = {"": percent.at, "percent": percent.at, "mode": mode.at}
    return RunningPool(name, direction, lossless, mode.value, percent=percent.value, origins=at)


def _add_priorities(pool: RunningPool, qos: QosProfiles) -> RunningPool:
    """The pool with the switch priorities that are said to draw from it, else those that do by default."""
    given = qos.tree.get("traffic-pool", pool.name, "switch-priority")
    if given is not None and given.below:
        numbers, at = tuple(sorted(map(int, given.below))), given.at
    elif qos.basis.known:
        numbers, at = _usual_priorities(pool.name, qos), qos.basis.at
    else:
        return pool
    return replace(pool, priorities=numbers, origins={**pool.origins, "priorities": at})


def _usual_priorities(name: str, qos: QosProfiles) -> tuple[int, ...]:
    """RoCE's priority in the lossless pool of `qos roce`, and in the default pool what no other has."""
    if name != "default-lossy":
        return (ROCE_PRIORITY,) if name == "roce-lossless" else ()
    taken = {int(sp) for other, node in qos.tree.items("traffic-pool") for sp, _ in node.items("switch-priority")}
    if "roce-lossless" in qos.basis.pools and not qos.tree.items("traffic-pool", "roce-lossless", "switch-priority"):
        taken.add(ROCE_PRIORITY)
    return tuple(sp for sp in PRIORITIES if sp not in taken)


def _list_service_pools(qos: QosProfiles) -> Iterator[tuple[tuple[str, str], Node]]:
    node = get_advanced_buffers(qos)
    for way, keys in _KEYS.items():
        for key in keys:
            for number, given in node.items(key):
                if given.val("memory-percent") is not None:
                    yield (way, number), given


def get_threshold_mode(qos: QosProfiles, way: str, number: int) -> str:
    """Whether a service pool has static or dynamic thresholds."""
    return str(_find_threshold_mode(qos, way, number).value)


def _find_threshold_mode(qos: QosProfiles, way: str, number: int) -> Val:
    for key in _KEYS[way]:
        given = get_advanced_buffers(qos).val(key, str(number), "mode")
        if given is not None:
            return given
    return Val("dynamic", qos.tree.at)
