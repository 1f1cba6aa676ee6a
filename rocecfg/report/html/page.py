"""The whole page: what it says of each fabric, put into the template. The same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from markupsafe import Markup

from rocecfg.analysis.paths import NO_CABLES, lacks_cables
from rocecfg.core.data import data_path
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_size
from rocecfg.intent import Loaded
from rocecfg.intent.secrets import find_secret
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.model import Fabric
from rocecfg.report.html import buffer_svg, collectives, fabric_svg, paths, ports
from rocecfg.report.html.buffers import MOST, Buffer, BufferMark, list_buffers
from rocecfg.report.html.coverage import CoverageTable, measure_coverage
from rocecfg.report.html.drawn import NARROW, Drawn, lay_out_fabric
from rocecfg.report.html.palette import DARK, LIGHT, declare_variables
from rocecfg.report.html.paths import (
    STORM_FORMULA,
    Pauses,
    StormCosts,
    Tier,
    judge_pauses,
    list_oversubscription,
    table_storm_costs,
)
from rocecfg.report.html.qos import Treatment, list_treatments
from rocecfg.report.html.queues import Predictions, predict_queues
from rocecfg.report.html.safe import finalize
from rocecfg.report.html.verdict import make_anchor, make_verdict
from rocecfg.report.html.words import format_count, format_rate
from rocecfg.report.masking import mask_secrets
from rocecfg.report.places import Place, describe_folded, describe_reach, locate_finding, locate_span
from rocecfg.report.plan import Origins, list_elements
from rocecfg.report.text import render_totals
from rocecfg.rules import SEVERITIES, Rule
from rocecfg.rules.amounts import format_rough_size
from rocecfg.source.document import Sources

if TYPE_CHECKING:
    from jinja2 import Environment


# -- findings ----------------------------------------------------------------------------------------------------------


MOST_FINDINGS = 200  # findings of one rule that are shown: the page stays one that a browser opens
_WIDE = 160  # characters of a source line that are shown
_ONE_LINE = 2000  # characters of a line that is a whole file, as programs write JSON: only the place is shown of it


class Excerpt(NamedTuple):
    """A source line, cut at the place that a finding is about."""

    before: str
    marked: str
    after: str


class ShownFinding(NamedTuple):
    """A finding in words."""

    severity: str
    where: str  # path:line:column
    line: int
    excerpt: Excerpt | None
    message: str
    related: tuple[tuple[str, str], ...]  # place, and the word about it
    help: str
    fix: str  # what --fix does about it; empty: nothing
    reach: str


class FindingGroup(NamedTuple):
    """The findings of one rule at one severity."""

    severity: str
    rule: Rule
    items: tuple[ShownFinding, ...]
    more: int  # that are not shown

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return make_anchor(self.rule, self.severity)


def group_findings(run: Run) -> list[FindingGroup]:
    """The findings of a run, gravest first, then by the code of their rule, each in the order of the run."""
    found: dict[tuple[int, str], list[Finding]] = {}
    for finding in run.fold_over_files()[0]:
        found.setdefault((-SEVERITIES.index(finding.severity), finding.rule.code), []).append(finding)
    return [
        FindingGroup(
            of[0].severity,
            of[0].rule,
            tuple(_show_finding(finding, run.sources) for finding in of[:MOST_FINDINGS]),
            max(0, len(of) - MOST_FINDINGS),
        )
        for _, of in sorted(found.items())
    ]


def _show_finding(finding: Finding, sources: Sources) -> ShownFinding:
    at = locate_finding(finding, sources)
    related = []
    for span, word in finding.related:
        there = locate_span(span, sources)
        related.append((f"{there.path}:{there.line}:{there.column}", word))
    fix = ""
    if finding.fix is not None:
        fix = f"{finding.fix.description} ({'--fix' if finding.fix.safe else '--fix --unsafe-fixes'})"
    return ShownFinding(
        finding.severity,
        f"{at.path}:{at.line}:{at.column}",
        at.line,
        _make_excerpt(finding, at, sources),
        finding.message,
        tuple(related),
        finding.help,
        fix,
        "; ".join((*([far] if (far := describe_reach(finding)) else ()), *describe_folded(finding))),
    )


def _make_excerpt(finding: Finding, at: Place, sources: Sources) -> Excerpt | None:
    """The line that a finding is about; None where there is none, or it holds a secret."""
    document = sources.documents[finding.at.doc] if finding.at is not None else sources.find_known(finding.path)
    if document is None:
        return None
    line = mask_secrets(document.line(at.line))
    start = min(at.column - 1, len(line))
    end = min(at.end_column - 1 if at.end_line == at.line else len(line), len(line))
    end = max(end, min(start + 1, len(line)))
    if len(line) > _ONE_LINE:  # what stands beside the place may be anything, a password too
        line, start, end = line[start : min(end, start + _WIDE)], 0, min(end - start, _WIDE)
    if find_secret(line) is not None or not line.strip():
        return None
    shift = max(0, min(start - _WIDE // 3, len(line) - _WIDE))
    before = ("…" if shift else "") + line[shift:start]
    marked, after = line[start : min(end, shift + _WIDE)], line[end : shift + _WIDE]
    if shift + _WIDE < len(line):
        after += "…"
    return Excerpt(before, marked, after)


# -- the page ----------------------------------------------------------------------------------------------------------


_FACTS = ("kind", "mode", "congestion_control", "workload", "topology", "path_mtu", "rtt", "incast")


class Picture(NamedTuple):
    """The fabric drawn."""

    screen: str  # CSS class of the screens that it is for
    svg: Markup
    by: str  # what shares a box, in words


class DrawnBuffer(NamedTuple):
    """A kind of port with its drawings, for wide and for narrow screens, and the table behind them."""

    kind: Buffer
    pictures: tuple[tuple[str, Markup], ...]
    figures: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """All that is said of one fabric."""

    anchor: str
    name: str
    root: str
    facts: tuple[tuple[str, str, str], ...]  # name, value, origin
    pictures: tuple[Picture, ...]  # of the fabric: one for wide screens and paper, one for narrow ones; (): no switch
    bundles: tuple[tuple[str, ...], ...]
    boxes: tuple[tuple[str, ...], ...]
    ports: tuple[ports.KindOfPort, ...]
    more_ports: int
    tiers: tuple[Tier, ...]
    collectives: tuple[tuple[str, str], ...]
    pauses: Pauses | None
    storms: StormCosts | None
    paths: paths.HostPaths | None
    buffers: tuple[DrawnBuffer, ...]
    more_buffers: int
    queues: Predictions | None
    treatments: tuple[Treatment, ...]
    coverage: CoverageTable
    unsized: int  # lossless ports whose headroom could not be judged


def render(fabrics: list[Loaded], run: Run, *, version: str, title: str = "") -> str:
    """The page on these fabrics, and on what the run found in them; without a title they name it."""
    sections: list[Section] = []
    unread = [str(error) for loaded in fabrics for error in loaded.errors]
    run = run._replace(summary=run.fold_over_files()[1])
    running = any(loaded.fabric is not None and loaded.fabric.running for loaded in fabrics)
    for loaded in fabrics:
        if loaded.fabric is not None:
            sections.append(_make_section(len(sections) + 1, loaded, loaded.fabric, run))
    names = [section.name for section in sections]
    text: str = (
        _make_environment()
        .get_template("page.html.j2")
        .render(
            title=title or ", ".join(names) or "fabric",
            version=version,
            sections=sections,
            groups=group_findings(run),
            summary=run.summary,
            totals=render_totals(run.summary, run.sources).strip(),
            failed=[str(failure) for failure in run.failed],
            unread=unread,
            verdict=make_verdict(
                run,
                len(fabrics),
                running=running,
                unread=len(unread),
                unsized=sum(s.unsized for s in sections),
                undecided=[
                    *(s.pauses.unjudged for s in sections if s.pauses and s.pauses.unjudged),
                    *(NO_CABLES for loaded in fabrics if loaded.fabric is not None and lacks_cables(loaded.fabric)),
                ],
            ),
            light=declare_variables(LIGHT),
            dark=declare_variables(DARK),
            assumed=collectives.ASSUMED,
            storm_formula=STORM_FORMULA,
        )
    )
    return text


def _make_environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(data_path("templates", "report")),
        undefined=StrictUndefined,
        autoescape=True,  # names and comments are whatever somebody wrote
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def _make_section(number: int, loaded: Loaded, fabric: Fabric, run: Run) -> Section:
    origin = Origins(run.sources)
    found = lay_out_fabric(fabric)
    kinds = list_buffers(fabric)
    spread = judge_pauses(fabric)
    of_ports = ports.list_port_kinds(fabric, run.findings)
    return Section(
        f"fabric-{number}",
        fabric.name or "unnamed fabric",
        loaded.root,
        tuple(_list_facts(fabric, origin)),
        tuple(_make_pictures(fabric, found, spread.circle if spread else frozenset())),
        _list_bundles(found),
        _list_boxes(found),
        tuple(of_ports[: ports.MOST]),
        max(0, len(of_ports) - ports.MOST),
        tuple(list_oversubscription(fabric)),
        tuple(collectives.list_collectives(fabric, predicted=True)),
        spread,
        table_storm_costs(fabric) if spread else None,
        paths.survey_host_paths(fabric),
        tuple(_draw_buffer(kind, origin) for kind in kinds[:MOST]),
        max(0, len(kinds) - MOST),
        predict_queues(loaded, run.sources),
        tuple(list_treatments(fabric)),
        measure_coverage(loaded, fabric, run, of_ports),
        ports.count_unsized(of_ports),
    )


def _make_pictures(fabric: Fabric, found: Drawn | None, circle: frozenset[frozenset[str]]) -> Iterator[Picture]:
    title = f"Fabric {fabric.name}"
    if found is not None:
        yield Picture("roomy", fabric_svg.draw_fabric(found, title, circle), found.by)
    few = lay_out_fabric(fabric, NARROW)
    if few is not None:
        yield Picture("small", fabric_svg.draw_fabric(few, title, circle, fabric_svg.NARROW), few.by)


def _draw_buffer(kind: Buffer, origin: Origins) -> DrawnBuffer:
    screens = (("roomy", buffer_svg.draw_buffer(kind)), ("small", buffer_svg.draw_buffer(kind, buffer_svg.NARROW)))
    return DrawnBuffer(kind, tuple((css, svg) for css, svg in screens if svg is not None), _list_figures(kind, origin))


def _list_facts(fabric: Fabric, origin: Origins) -> list[tuple[str, str, str]]:
    rows = {row.name: row for row in next(list_elements(fabric)).rows}
    switches, ports = fabric.extent()
    counted = (
        f"{format_count(switches, 'switch')}, {format_count(ports, 'port')}"
        if switches
        else "no switch is named: a policy"
    )
    out = [("size", counted, "counted")]
    if fabric.running:
        out.append(("read from", "the switches' own configurations", ""))
    known = [rows[name] for name in _FACTS if name in rows]
    return [*out, *((row.name.replace("_", " "), row.text, origin(row.origin)) for row in known)]


def _list_bundles(found: Drawn | None) -> tuple[tuple[str, ...], ...]:
    if found is None:
        return ()
    return tuple(
        (
            found.boxes[bundle.a].title,
            found.boxes[bundle.b].title,
            f"{bundle.cables:,}",
            bundle.cables_in_words,
            format_rate(bundle.rate) if bundle.rate is not None else "unknown",
        )
        for bundle in found.bundles
    )


def _list_boxes(found: Drawn | None) -> tuple[tuple[str, ...], ...]:
    if found is None:
        return ()
    ordered = sorted(found.boxes, key=lambda box: -box.tier)
    return tuple((box.title, box.role, box.counted, box.about) for box in ordered)


def _format_exact(mark: BufferMark) -> str:
    return show_size(int(mark.size)) if mark.exact else format_rough_size(mark.size)


def _format_places(mark: BufferMark, origin: Origins) -> str:
    more = f", and {format_count(mark.places - 1, 'more place')}" if mark.places > 1 else ""
    return f"{origin(mark.origin)}{more}"


def _list_figures(kind: Buffer, origin: Origins) -> tuple[tuple[str, ...], ...]:
    rows = [
        (m.name, m.what, _format_exact(m), m.cells, _format_places(m, origin), m.lane) for m in reversed(kind.marks)
    ]
    if kind.ecn is not None:
        ecn = kind.ecn
        rows.append(("pmax", "packets marked at kmax", f"{ecn.pmax:g}%", "", origin(ecn.at("pmax")), "egress"))
    if kind.alpha is not None:
        value, at = kind.alpha
        rows.append(("alpha", "share of what is free of B", f"{value:g}", "", origin(at), "limit"))
    return tuple(rows)
