"""Buffer profiles of egress queues: whether one is for lossless queues, which are to have no limit of their own.

The stock configuration of a platform names that profile egress_lossless_profile (sonic-buildimage, buffers_config.j2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.vendors.sonic.keys import parse_range, referenced_name, replace_overlapping

LOSSLESS = "egress_lossless_profile"
_NO_LIMIT = 7  # dynamic_th: 2^7, what stock profiles of lossless queues have
_FIELDS = ("size", "dynamic_th", "static_th")

Row = Mapping[str, str]


def keeps_lossless(name: str, profile: Row | None, stock: Row | None, pools: Mapping[str, Row]) -> bool:
    """Whether a queue with this profile is as a lossless one of the switch is to be.

    `profile`: the row of that name; `stock`: the row of egress_lossless_profile; None: not there. `pools`: the rows of
    BUFFER_POOL by name. Without a stock profile, what draws from a pool for lossy traffic is not.
    """
    if profile is None:
        return False
    if name == LOSSLESS:
        return True
    pool = referenced_name(profile.get("pool", ""))
    drawn = pools.get(pool, {})
    if drawn.get("type") == "both":  # chips that admit at ingress for both directions
        return True
    if "lossy" in pool:
        return False
    if stock is None or _has_no_limit(profile, drawn):
        return True
    return pool == referenced_name(stock.get("pool", "")) and all(profile.get(f) == stock.get(f) for f in _FIELDS)


def _has_no_limit(profile: Row, pool: Row) -> bool:
    static, size = profile.get("static_th", ""), pool.get("size", "")
    if static.isdecimal() and size.isdecimal():
        return int(static) >= int(size)
    return profile.get("dynamic_th") == str(_NO_LIMIT)


def bind_lossless_queues(
    target: dict[str, dict[str, dict[str, str]]], lossless: Mapping[str, Iterable[int]], ref: str
) -> None:
    """BUFFER_QUEUE binds every lossless queue to the platform's lossless egress profile, where it has that.

    `lossless`: the queues, by port; `ref`: how the release refers to that profile.
    """
    profiles, pools = target.get("BUFFER_PROFILE", {}), target.get("BUFFER_POOL", {})
    stock = profiles.get(LOSSLESS)
    if stock is None:
        return
    table = target.get("BUFFER_QUEUE", {})
    bound = set()
    for key, row in table.items():
        port, _, index = key.partition("|")
        name = referenced_name(row.get("profile", ""))
        if port in lossless and keeps_lossless(name, profiles.get(name), stock, pools):
            bound |= {(port, n) for n in parse_range(index)}
    added = {
        f"{port}|{queue}": {"profile": ref}
        for port, queues in lossless.items()
        for queue in queues
        if (port, queue) not in bound
    }
    if added:
        target["BUFFER_QUEUE"] = replace_overlapping({**table, **added}, added)
