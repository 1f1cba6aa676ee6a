"""What a page rests on: what was read and checked, and what was not read, not understood, not checked or not compared.

Silence of the rules is a claim about the left column alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from rocecfg.analysis.ports import list_wires
from rocecfg.core.records import NamedTuple
from rocecfg.intent import Loaded
from rocecfg.linting.run import Run
from rocecfg.model import Fabric, Span
from rocecfg.report.html.ports import KindOfPort
from rocecfg.report.html.words import format_count
from rocecfg.report.places import locate_span
from rocecfg.rules import BY_NAME, OFF, Rule, name_fabric_kinds
from rocecfg.rules.base import RUNNING

MOST = 100  # reasons that are listed
_NAMED = 4  # files that are named
_RUNNING = "not for the configurations of running switches"


class CoverageRow(NamedTuple):
    """One subject: what was covered of it, and what was not; empty: nothing was left."""

    name: str
    covered: str
    left: str


class CoverageTable(NamedTuple):
    """The table of a fabric, and the statements of its switches that were not understood: places and reason."""

    rows: tuple[CoverageRow, ...]
    statements: tuple[tuple[str, str], ...]
    more: int  # reasons that are not listed


def measure_coverage(loaded: Loaded, fabric: Fabric | None, run: Run, ports: Iterable[KindOfPort]) -> CoverageTable:
    """What was covered of one fabric; None where nothing but its files is known. `ports`: its kinds of ports."""
    rows = [_count_files(loaded)]
    if fabric is not None:
        rows += _list_fabric_rows(loaded, fabric, run, list(ports))
    alike: dict[str, list[Span]] = {}
    for one in loaded.unread:
        alike.setdefault(one.message, []).append(one.at)
    listed = tuple((_format_places(spans, run), message) for message, spans in [*alike.items()][:MOST])
    return CoverageTable(tuple(rows), listed, max(0, len(alike) - MOST))


def _format_places(spans: list[Span], run: Run) -> str:
    at = locate_span(spans[0], run.sources)
    more = f" and {format_count(len(spans) - 1, 'more place')}" if len(spans) > 1 else ""
    return f"{at.path}:{at.line}{more}"


def _count_files(loaded: Loaded) -> CoverageRow:
    errors = dict.fromkeys(error.path for error in loaded.errors)
    read = [path for path in loaded.files if path not in errors]
    left = f"{_join_names([*errors])[0]} not read: {_join_names([*errors])[1]}" if errors else ""
    return CoverageRow("files", ": ".join(filter(None, _join_names(read))), left)


def _join_names(paths: list[str]) -> tuple[str, str]:
    more = [f"and {len(paths) - _NAMED:,} more"] if len(paths) > _NAMED else []
    return format_count(len(paths), "file"), ", ".join([*paths[:_NAMED], *more])


def _list_fabric_rows(loaded: Loaded, fabric: Fabric, run: Run, ports: list[KindOfPort]) -> Iterator[CoverageRow]:
    switches, number = fabric.extent()
    yield CoverageRow(
        "switches",
        f"{format_count(switches, 'switch')}, {format_count(number, 'port')}" if switches else "none named: a policy",
        "",
    )
    if fabric.running:
        unread = len(loaded.unread)
        left = f"the effect of {format_count(unread, 'statement')} is not known, listed below" if unread else ""
        yield CoverageRow("statements", "" if unread else "all statements on queues, PFC and buffers understood", left)
    if fabric.broken:
        left = f"{', '.join(sorted(fabric.broken))}: values that cannot be read, so rules on them are skipped"
        yield CoverageRow("classes", "", left)
    yield _count_cables(fabric)
    yield from _count_headroom(ports)
    yield _count_rules(fabric, run, run.rules.get(loaded.root, frozenset()))
    if fabric.running:
        yield CoverageRow("intent", "", "not compared with an intent: rocecfg drift INTENT --running PATH does")
    else:
        yield CoverageRow(
            "what runs", "", "not compared with running configurations: rocecfg drift INTENT --running PATH does"
        )


def _count_cables(fabric: Fabric) -> CoverageRow:
    number = sum(1 for _ in list_wires(fabric.links))
    if fabric.nameless:
        unknown = ", ".join(sorted(fabric.nameless))
        return CoverageRow(
            "cables",
            format_count(number, "cable") if number else "",
            f"names in {unknown} cannot be read: paths are not checked",
        )
    if number:
        between = " that switches name neighbours of" if fabric.running else ""
        return CoverageRow("cables", f"{format_count(number, 'cable')}{between}", "")
    return CoverageRow("cables", "", "none known: paths, deadlock and the two ends of links are not checked")


def _count_headroom(ports: list[KindOfPort]) -> Iterator[CoverageRow]:
    """Of how many lossless ports the headroom is checked, and why of others it is not."""
    lossless = [kind for kind in ports if kind.unjudged is not None]
    if not lossless:
        return
    known = sum(kind.ports for kind in lossless if not kind.unjudged)
    why: dict[str, int] = {}
    for kind in lossless:
        if kind.unjudged:
            why[kind.unjudged] = why.get(kind.unjudged, 0) + kind.ports
    left = "; ".join(f"{format_count(number, 'port')}: {reason}" for reason, number in why.items())
    yield CoverageRow("headroom", f"{format_count(known, 'lossless port')} checked" if known else "", left)


def _count_rules(fabric: Fabric, run: Run, names: frozenset[str]) -> CoverageRow:
    """How many rules checked the fabric, and for what the others were silent."""
    alike = name_fabric_kinds(
        fabric.mode, fabric.kind, fabric.congestion_control, fabric.dual_tor, running=fabric.running
    )
    failed = {failure.rule.name for failure in run.failed}
    vendors = {device.vendor for device in fabric.devices}
    silent: dict[str, int] = {}
    judged = 0
    own = len(names.difference(BY_NAME))
    for name, rule in BY_NAME.items():
        if rule.on == RUNNING and not fabric.running:
            continue  # there is nothing in an intent that it is about
        off = _is_off(rule.severity, [rule.by_kind.get(kind) for kind in alike])
        reason = "failed" if name in failed else _explain_silence(rule, fabric, vendors, asked=name in names, off=off)
        if reason:
            silent[reason] = silent.get(reason, 0) + 1
        else:
            judged += 1
    reported = sorted(silent.items(), key=lambda item: (-item[1], item[0]))
    also = f", and {own} of your own" if own else ""
    return CoverageRow(
        "rules", f"{judged} checked{also}", ", ".join(f"{reason} ({number})" for reason, number in reported)
    )


def _explain_silence(rule: Rule, fabric: Fabric, vendors: AbstractSet[str | None], *, asked: bool, off: bool) -> str:
    """Why a rule does not judge a fabric; empty where it does."""
    missing = [section for section in rule.needs if section not in fabric.sections]
    if not asked:
        return "left out by the settings"
    if off:
        return _RUNNING if fabric.running else "off on a fabric of this kind"
    if missing:
        return _RUNNING if fabric.running else f"no {missing[0]}"
    if rule.vendors and vendors.isdisjoint(rule.vendors):
        return "for systems that no switch here runs"
    return "names that cannot be read" if rule.graph and fabric.nameless else ""


def _is_off(severity: str, by_kind: list[str | None]) -> bool:
    return severity == OFF or OFF in by_kind
