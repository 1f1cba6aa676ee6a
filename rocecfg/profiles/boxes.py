"""What a platform's profile says of its hardware and of one NOS's buffers on it: cages with their lanes, and pools."""

from __future__ import annotations

from rocecfg.core.units import parse_rate, parse_size
from rocecfg.model.facts import PoolSet
from rocecfg.model.lanes import Cages
from rocecfg.profiles.files import Entry

_MOST = 4096  # cages, and lanes of one: beyond is a slip


def cages_of(stated: Entry) -> tuple[tuple[Cages, ...], str]:
    """The cages of a platform, and where they are known from; () where they are not."""
    if "cages" not in stated:
        return (), ""
    fact = stated.entry("cages")
    source, _ = fact.cited()
    out = []
    for row in fact.entries("value"):
        fewest = row.entry("fewest").numbers(parse_rate) if "fewest" in row else ()
        lanes = row.quantity("lanes", int)
        cages = Cages(row.quantity("count", int), lanes, row.quantity("lane", parse_rate), fewest)
        if not (0 < cages.number <= _MOST and 0 < lanes <= _MOST and cages.lane > 0):
            raise row.fail(f"count and lanes are 1 to {_MOST}, and a lane has a rate")
        if any(not 0 < most <= lanes for _, most in fewest):
            raise row.fail(f"fewest: a port takes 1 to {lanes} lanes, as many as there are")
        out.append(cages)
        row.done()
    fact.done()
    return tuple(out), source


def pools_of(stated: Entry) -> dict[str, tuple[PoolSet, ...]]:
    """HwSKU -> the pools of its templates."""
    out: dict[str, tuple[PoolSet, ...]] = {}
    for row in stated.entries("pools"):
        source, mark = row.cited()
        pools = PoolSet(
            templates=row.texts("templates"),
            ingress_lossless=row.maybe_quantity("ingress_lossless", parse_size),
            shared_headroom=row.maybe_quantity("shared_headroom", parse_size),
            ingress_lossy=row.maybe_quantity("ingress_lossy", parse_size),
            egress_lossless=row.maybe_quantity("egress_lossless", parse_size),
            egress_lossy=row.maybe_quantity("egress_lossy", parse_size),
            mode=row.word("mode", ("dynamic", "static")),
            source=source,
            mark=mark,
        )
        for sku in row.texts("hwskus"):
            out[sku] = (*out.get(sku, ()), pools)
        row.done()
    return out
