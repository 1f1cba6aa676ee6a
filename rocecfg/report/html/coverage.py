"""What a page rests on: what was read and judged, and what was not read, not understood, not judged or not compared.

Silence of the rules is a claim about the left column alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.analysis.ports import list_wires
from rocecfg.core.records import NamedTuple
from rocecfg.intent import Loaded
from rocecfg.linting.run import Run
from rocecfg.model import Fabric, Span
from rocecfg.report.html.ports import Kind
from rocecfg.report.html.words import count
from rocecfg.report.places import place
from rocecfg.rules import BY_NAME, OFF, name_fabric_kinds
from rocecfg.rules.base import RUNNING

MOST = 100  # reasons that are listed
_NAMED = 4  # files that are named
_RUNNING = "not for the configurations of running switches"


class Row(NamedTuple):
    """One subject: what was covered of it, and what was not; empty: nothing was left."""

    name: str
    covered: str
    left: str


class Coverage(NamedTuple):
    """The table of a fabric, and the statements of its switches that were not understood: places and reason."""

    rows: tuple[Row, ...]
    statements: tuple[tuple[str, str], ...]
    more: int  # reasons that are not listed


def coverage(loaded: Loaded, fabric: Fabric | None, run: Run, ports: Iterable[Kind]) -> Coverage:
    """What was covered of one fabric; None where nothing but its files is known. `ports`: its kinds of ports."""
    rows = [_files(loaded)]
    if fabric is not None:
        rows += _of_fabric(loaded, fabric, run, list(ports))
    alike: dict[str, list[Span]] = {}
    for one in loaded.unread:
        alike.setdefault(one.message, []).append(one.at)
    listed = tuple((_places(spans, run), message) for message, spans in [*alike.items()][:MOST])
    return Coverage(tuple(rows), listed, max(0, len(alike) - MOST))


def _places(spans: list[Span], run: Run) -> str:
    at = place(spans[0], run.sources)
    more = f" and {count(len(spans) - 1, 'more place')}" if len(spans) > 1 else ""
    return f"{at.path}:{at.line}{more}"


def _files(loaded: Loaded) -> Row:
    errors = dict.fromkeys(error.path for error in loaded.errors)
    read = [path for path in loaded.files if path not in errors]
    left = f"{_named([*errors])[0]} not read: {_named([*errors])[1]}" if errors else ""
    return Row("files", ": ".join(filter(None, _named(read))), left)


def _named(paths: list[str]) -> tuple[str, str]:
    more = [f"and {len(paths) - _NAMED:,} more"] if len(paths) > _NAMED else []
    return count(len(paths), "file"), ", ".join([*paths[:_NAMED], *more])


def _of_fabric(loaded: Loaded, fabric: Fabric, run: Run, ports: list[Kind]) -> Iterator[Row]:
    switches, number = fabric.extent()
    yield Row(
        "switches", f"{count(switches, 'switch')}, {count(number, 'port')}" if switches else "none named: a policy", ""
    )
    if fabric.running:
        unread = len(loaded.unread)
        left = f"{count(unread, 'statement')} not understood, listed below" if unread else ""
        yield Row("statements", "" if unread else "all on queues, PFC and buffers understood", left)
    if fabric.broken:
        left = f"{', '.join(sorted(fabric.broken))}: values that cannot be read, so rules on them are silent"
        yield Row("classes", "", left)
    yield _cables(fabric)
    yield from _headroom(ports)
    yield _rules(fabric, run, run.rules.get(loaded.root, frozenset()))
    if fabric.running:
        yield Row("intent", "", "not compared with an intent: rocecfg drift INTENT --running PATH does")
    else:
        yield Row("what runs", "", "not compared with what the switches run: rocecfg drift INTENT --running PATH does")


def _cables(fabric: Fabric) -> Row:
    number = sum(1 for _ in list_wires(fabric.links))
    if fabric.nameless:
        unknown = ", ".join(sorted(fabric.nameless))
        return Row(
            "cables",
            count(number, "cable") if number else "",
            f"names in {unknown} cannot be read: no paths are judged",
        )
    if number:
        between = " that switches name neighbours of" if fabric.running else ""
        return Row("cables", f"{count(number, 'cable')}{between}", "")
    return Row("cables", "", "none known: paths, deadlock and the two ends of links are not judged")


def _headroom(ports: list[Kind]) -> Iterator[Row]:
    """Of how many lossless ports the headroom is judged, and why of others it is not."""
    lossless = [kind for kind in ports if kind.unjudged is not None]
    if not lossless:
        return
    known = sum(kind.ports for kind in lossless if not kind.unjudged)
    why: dict[str, int] = {}
    for kind in lossless:
        if kind.unjudged:
            why[kind.unjudged] = why.get(kind.unjudged, 0) + kind.ports
    left = "; ".join(f"{count(number, 'port')}: {reason}" for reason, number in why.items())
    yield Row("headroom", f"{count(known, 'lossless port')} judged" if known else "", left)


def _rules(fabric: Fabric, run: Run, names: frozenset[str]) -> Row:
    """How many rules judged the fabric, and for what the others were silent."""
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
        missing = [section for section in rule.needs if section not in fabric.sections]
        if name in failed:
            reason = "failed"
        elif name not in names:
            reason = "left out by the settings"
        elif _off(rule.severity, [rule.by_kind.get(kind) for kind in alike]):
            reason = _RUNNING if fabric.running else "off on a fabric of this kind"
        elif missing:
            reason = _RUNNING if fabric.running else f"no {missing[0]}"
        elif rule.vendors and vendors.isdisjoint(rule.vendors):
            reason = "for systems that no switch here has"
        elif rule.graph and fabric.nameless:
            reason = "names that cannot be read"
        else:
            reason = ""
        if reason:
            silent[reason] = silent.get(reason, 0) + 1
        else:
            judged += 1
    reported = sorted(silent.items(), key=lambda item: (-item[1], item[0]))
    also = f", and {own} of your own" if own else ""
    return Row("rules", f"{judged} judged{also}", ", ".join(f"{reason} ({number})" for reason, number in reported))


def _off(severity: str, by_kind: list[str | None]) -> bool:
    return severity == OFF or OFF in by_kind
