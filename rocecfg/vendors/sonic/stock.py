"""What a load leaves of the stock configuration of SONiC though it does not fit, and the ports it concerns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rocecfg.model import Device, PortGroup
from rocecfg.vendors.sonic import ecn, overlap
from rocecfg.vendors.sonic.keys import join_priorities
from rocecfg.vendors.sonic.maps import STOCK
from rocecfg.vendors.sonic.view import Plan

LOSSLESS = (3, 4)  # what `config qos reload` makes lossless: PFC, WRED and BUFFER_PG port|3-4
GROUPS = "3-4"
_BROADCOM = "broadcom"


def find_unfit(plan: Plan) -> list[PortGroup]:
    """Ports whose stock row of BUFFER_PG does not fit their priorities."""
    return [p for p in plan.ports if join_priorities(p.pfc) != (GROUPS,)]


def is_taken_down(port: PortGroup) -> bool:
    """Whether it keeps a priority whose stock row goes: it is down while its groups have no profile."""
    return bool(set(port.pfc) & set(LOSSLESS))


def keys_freed(ports: Iterable[PortGroup]) -> list[str]:
    """Keys of BUFFER_PG, `3-4` first, that overlap the stock row and are deleted before the load."""
    made = dict.fromkeys(group for port in ports for group in join_priorities(port.pfc))
    return [group for group in (GROUPS, *made) if overlap.overlaps(f"PORT|{GROUPS}", f"PORT|{group}")]


def ports_restarted(plan: Plan) -> list[PortGroup]:
    """Ports whose cable length becomes headroom only when they are started."""
    if plan.buffers.model != "traditional" or plan.release.cable_acts:
        return []
    return [p for p, group in zip(plan.ports, plan.view["groups"], strict=True) if group["cable"]]


def ports_started(plan: Plan, shut: Sequence[PortGroup]) -> list[PortGroup]:
    """Ports that are started after the load: those that were taken down, and those whose cable length waits for it."""
    return [*shut, *(p for p in ports_restarted(plan) if p not in shut)]


def stale_fields(plan: Plan) -> Iterator[tuple[str, str, str, list[PortGroup]]]:
    """Fields of the stock configuration that a merge leaves and that must go: what, key, fields, and of which ports."""
    for queue in LOSSLESS:
        unmarked = [
            port
            for port, group in zip(plan.ports, plan.view["groups"], strict=True)
            if "wred_profile" not in group["queues"].get(str(queue), {})
        ]
        yield f"wred_profile {ecn.MAIN} of queue {queue}", f"QUEUE|$PORT|{queue}", "wred_profile", unmarked
    if not plan.release.empty_mask:
        lossy = [p for p in plan.ports if not p.pfc]
        what = "pfc_enable (an empty one is legal only from 202505)"
        yield what, "PORT_QOS_MAP|$PORT", "pfc_enable pfcwd_sw_enable", lossy
    other = [p for p in plan.ports if p.trust != "dscp"]
    what = "dscp_to_tc_map of ports that do not trust DSCP"
    yield what, "PORT_QOS_MAP|$PORT", "dscp_to_tc_map", other


def watchdog_rows(plan: Plan) -> dict[str, dict[str, str]]:
    """The rows of PFC_WD that are loaded, by port: the watchdog is started for these."""
    return {port: group["watchdog"] for group in plan.view["groups"] if group["watchdog"] for port in group["ports"]}


def may_have_one_action(device: Device) -> bool:
    """Whether the chip may be one of which the SDK ends storms in hardware."""
    family = device.asic.families.get("sonic") if device.asic is not None else device.family
    return family in (None, _BROADCOM)


def one_action(device: Device, plan: Plan) -> str | None:
    """The watchdog's action, where a Broadcom chip may have one for all ports; None where there is none, or several.

    Where the SDK ends storms in hardware, orchagent refuses another one while any port is watched (pfcwdorch.cpp,
    createEntry: task_invalid_entry, which is not tried again): the port has PFC then, and no watchdog.
    """
    actions = {row.get("action", "drop") for row in watchdog_rows(plan).values()}
    return actions.pop() if may_have_one_action(device) and len(actions) == 1 else None


def say_one_action(action: str) -> str:
    """What is to be known of ports that the intent does not name."""
    return (
        "if the SDK ends pause storms in hardware, one watchdog action applies to all ports: while a port outside "
        f"the intent has another action than {action}, orchagent refuses the watchdog of these ports, and only logs "
        "it; set one action for all first"
    )


def left_unwatched(plan: Plan) -> list[PortGroup]:
    """Lossless ports for which the intent has no watchdog: one that runs is stopped, and stays so."""
    return [p for p in plan.ports if p.pfc and p.watchdog is None]


def rewritten(plan: Plan) -> str:
    """What is loaded under names that ports beside those of the intent may bind, in words; "" where nothing is."""
    maps = [table for table, rows in plan.view["map_tables"].items() if STOCK in rows]
    curve = [f"WRED profile {ecn.MAIN}"] if ecn.MAIN in plan.view["wred"] else []
    return ", ".join(([f"the maps {STOCK} of {', '.join(maps)}"] if maps else []) + curve)


def unbound_queues(plan: Plan) -> list[int]:
    """Lossless queues that the stock BUFFER_QUEUE does not bind to a lossless profile."""
    return sorted({n for p in plan.ports for n in p.pfc} - set(LOSSLESS))


def other_mtus(device: Device, plan: Plan) -> Iterator[tuple[int, int, list[PortGroup]]]:
    """MTUs (B) that are intended and not those of a port where nothing is set, that one, and the ports, by MTU."""
    stock = device.nos.stock_mtu if device.nos is not None else None
    if stock is None:
        return
    own = [p for p in plan.ports if not p.lag]  # what a member of a PortChannel has is its PortChannel's
    for mtu in sorted({p.mtu for p in own if p.mtu is not None and p.mtu != stock}):
        yield mtu, stock, [p for p in own if p.mtu == mtu]
