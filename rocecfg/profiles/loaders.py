"""Profiles as the model's facts, one function for each kind: chips, cards, workloads, thresholds, headroom, curves.

Of a platform: what it says of its hardware, and of one system's buffers on it.
"""

from __future__ import annotations

from rocecfg.core.units import parse_length, parse_percent, parse_rate, parse_size, parse_time
from rocecfg.model.facts import (
    Asic,
    ChosenCurve,
    CurveTable,
    Family,
    HeadroomRow,
    HeadroomTable,
    Nic,
    PoolSet,
    Workload,
)
from rocecfg.model.lanes import Cages
from rocecfg.profiles.files import Entry
from rocecfg.profiles.format import ASIC, NIC, WORKLOAD, read_figures

_MOST = 4096  # cages, and lanes of one: beyond is a slip
ANY = "any"  # how many senders is not known


def load_asic(name: str, file: str, stated: Entry) -> Asic:
    """A switch chip."""
    title = stated.text("title")
    values, sources, marks = read_figures(stated, ASIC)
    for key in ("nos", "shallow"):
        if key not in sources:
            raise stated.fail(f"{key} is missing", f"write {key}: {{value: ..., mark: ..., source: ...}}")
    stated.done()
    return Asic(name=name, file=file, title=title, sources=sources, marks=marks, **values)


def load_nic(name: str, file: str, stated: Entry) -> Nic:
    """A network card."""
    title = stated.text("title")
    values, sources, marks = read_figures(stated, NIC)
    stated.done()
    return Nic(name=name, file=file, title=title, sources=sources, marks=marks, **values)


def load_workload(name: str, file: str, stated: Entry) -> Workload:
    """A workload."""
    source, mark = stated.cited()
    values, sources, marks = read_figures(stated, WORKLOAD)
    known = Workload(
        name=name,
        file=file,
        title=stated.text("title"),
        judged_by=stated.texts("judged_by"),
        intent=stated.tree("intent"),
        why=stated.text("why"),
        source=source,
        mark=mark,
        sources=sources,
        marks=marks,
        **values,
    )
    stated.done()
    return known


def load_family(name: str, file: str, stated: Entry) -> Family:
    """A family of ECN thresholds."""
    source, mark = stated.cited()
    known = Family(
        name=name,
        file=file,
        title=stated.text("title"),
        scaled=stated.flag("scaled", absent=False),
        speed=stated.maybe_quantity("speed", parse_rate),
        kmin=stated.quantity("kmin", parse_size),
        kmax=stated.quantity("kmax", parse_size),
        pmax=stated.quantity("pmax", parse_percent),
        judged=stated.text("judged"),
        source=source,
        mark=mark,
    )
    if known.scaled and known.speed is None:
        raise stated.fail("a scaled family needs the speed its thresholds are stated for", "write speed: 25G")
    stated.done()
    return known


def load_headroom_table(_: str, file: str, stated: Entry) -> HeadroomTable:
    """A headroom table."""
    source, mark = stated.cited()
    stated.text("title")
    rows: dict[int, dict[int, HeadroomRow]] = {}
    for speed, cables in stated.entry("rows").quantities(parse_rate):
        row = {}
        for metres, sizes in cables.quantities(parse_length):
            if metres != int(metres):
                raise sizes.fail(f"a cable of {metres} m: tables list whole metres")
            row[int(metres)] = HeadroomRow(
                size=sizes.quantity("size", parse_size),
                xon=sizes.quantity("xon", parse_size),
                xoff=sizes.quantity("xoff", parse_size),
                xon_offset=sizes.maybe_quantity("xon_offset", parse_size),
                dynamic_th=sizes.quantity("dynamic_th", int),
            )
            sizes.done()
        rows[speed] = dict(sorted(row.items()))
    stated.done()
    return HeadroomTable(file, dict(sorted(rows.items())), source, mark)


# -- the marking curves of a chip, written by docs/curves.py: what `ecn: auto` takes -----------------------------------


def parse_senders(text: str) -> tuple[int, int | None] | None:
    """`2-16` as the least and most, `257-` without a most, `any` as None; ValueError for anything else."""
    if text == ANY:
        return None
    least, dash, most = text.partition("-")
    if not (dash and least.isdecimal() and (most == "" or (most.isdecimal() and int(least) <= int(most)))):
        raise ValueError(f"{text!r} is not a range of senders: write 2-16, 257- or {ANY}")
    return int(least), int(most) if most else None


def load_curve_table(_: str, file: str, stated: Entry) -> CurveTable:
    """A table, from its profile."""
    source, mark = stated.cited()
    stated.text("title")
    rows: dict[int, dict[tuple[int, int | None] | None, ChosenCurve]] = {}
    for speed, ranges in stated.entry("rows").quantities(parse_rate):
        row = {}
        for senders, curve in ranges.quantities(parse_senders):
            row[senders] = ChosenCurve(
                kmin=curve.quantity("kmin", parse_size),
                kmax=curve.quantity("kmax", parse_size),
                pmax=curve.quantity("pmax", parse_percent),
                used=curve.quantity("used", parse_percent),
                wait=curve.quantity("wait", parse_time) * 1e3,
            )
            curve.done()
        if None not in row:
            raise ranges.fail("no curve for any number of senders", f"write {ANY}: {{kmin: ..., kmax: ..., pmax: ...}}")
        rows[speed] = row
    stated.done()
    return CurveTable(file, rows, source, mark)


# -- a platform's cages with their lanes, and its pools ----------------------------------------------------------------


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
    """HwSKU -> the pools of its templates, in all releases."""
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
            releases=row.texts("releases"),
            source=source,
            mark=mark,
        )
        for sku in row.texts("hwskus"):
            for other in out.get(sku, ()):
                both = {*pools.releases} & {*other.releases}
                same = [t for t in pools.templates if t in other.templates]
                if same and (both or not (pools.releases or other.releases)):
                    when = min(both, default="all releases that no other entry names")
                    raise row.fail(
                        f"two sets of pools of {sku}, template {same[0]}, hold in {when}", "leave one of them"
                    )
            out[sku] = (*out.get(sku, ()), pools)
        row.done()
    return out
