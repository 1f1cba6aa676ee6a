"""From a fabric to files: Prometheus rules, a test of them for promtool, and a Grafana dashboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric
from rocecfg.model.watched import ALL, find_subjects, merge_subjects
from rocecfg.profiles.exporters import SUBJECTS, Exporter
from rocecfg.profiles.library import Library
from rocecfg.telemetry import alerts as switches
from rocecfg.telemetry import nics
from rocecfg.telemetry.dashboard import dashboard
from rocecfg.telemetry.parts import Alert, tick_ms
from rocecfg.telemetry.plan import WatchedGroup, WatchPlan, make_plan
from rocecfg.telemetry.promql import show_duration
from rocecfg.telemetry.records import make_records
from rocecfg.vendors.base import CannotRender, File, RenderedText, environment, fill_template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jinja2 import Template


VENDOR = "prometheus"


def render_files(fabric: Fabric, library: Library, *, templates: str | None = None) -> list[File]:
    """The rules, their test and the dashboard, in this order. `templates`: the user's folder, whose files win.

    Raises CannotRender where the intent does not say what exports the counters, or there is nothing to write.
    """
    watched = make_plan(fabric, library)
    recorded = make_records(watched)
    if not recorded:
        names = ", ".join(sorted({group.exporter.name for group in watched.groups}))
        raise CannotRender(
            f"nothing that is looked at here is known to be exported by {names}",
            "write the names of its metrics in rocecfg-profiles/exporters/, beside the intent",
            (fabric.at("telemetry"),),
        )
    every = [*switches.alerts(watched), *nics.alerts(watched)]
    wanted = _choose_alerts(watched, every)
    noted = write_notes(watched, every, wanted)
    groups = [f"roce-{watched.fabric}-records", *([f"roce-{watched.fabric}-alerts"] if wanted else [])]
    stem = f"{watched.fabric}-roce"
    shared: dict[str, Any] = {"names": groups, "interval": show_duration(watched.scrape)}
    shown = [_rule_values(alert) for alert in wanted]
    texts: dict[str, dict[str, Any]] = {
        "rules.yaml": {**shared, "records": recorded, "alerts": shown},
        "rules-test.yaml": {
            **shared,
            "tick": show_duration(tick_ms(watched)),
            "rules": f"{stem}-rules.yaml",
            "tests": build_tests(wanted),
        },
        "dashboard.json": dashboard(watched, recorded),
    }
    out = []
    for name, values in texts.items():
        suffix = name[name.rindex(".") :]
        comment = "# " if suffix == ".yaml" else None
        body = fill_template(_template, f"{name}.j2", templates, **values)
        text = RenderedText(body, noted.get(name, ()), comment, suffix)
        out.append(File(f"{stem}-{name}", text.file(None), None, VENDOR, text))
    return out


@lru_cache(maxsize=16)
def _template(name: str, overrides: str | None) -> Template:
    jinja = environment(VENDOR, overrides)
    jinja.filters["string"] = _to_json
    jinja.filters["list_of_strings"] = lambda texts: f"[{', '.join(map(_to_json, texts))}]"
    jinja.filters["json"] = _to_json
    return jinja.get_template(name)


def _to_json(value: Any) -> str:
    """A value as JSON, which YAML takes as well: a text in double quotes."""
    return json.dumps(value, ensure_ascii=False)


def _choose_alerts(watched: WatchPlan, every: list[Alert]) -> list[Alert]:
    """The alerts that the intent asks for: all, where it does not list them or a name of its list could be any."""
    if watched.alerts is None:
        return every
    about, opaque = merge_subjects(watched.alerts)
    return every if opaque else [alert for alert in every if not alert.about or about.intersection(alert.about)]


def _rule_values(alert: Alert) -> dict[str, Any]:
    return {
        "name": alert.name,
        "expression": alert.expression,
        "hold": show_duration(alert.hold) if alert.hold else "",
        "labels": {"severity": alert.severity, **alert.labels},
        "annotations": {"summary": alert.summary, "description": alert.description},
    }


# -- tests -------------------------------------------------------------------------------------------------------------

# The tests that `promtool test rules` runs: each alert fires on its series, and is silent just short of that.
#
# promtool opens a database for each test, which takes longer than the rules do: what does not disturb each other is in
# one test.


_LABEL = re.compile(r"\{\{ \$labels\.(\w+) \}\}")


class AlertCheck(NamedTuple):
    """What an alert is to be at some time: firing with these labels, or (None) silent."""

    alert: str
    at: str
    labels: Mapping[str, str] | None
    annotations: Mapping[str, str]


class AlertTest(NamedTuple):
    """Series, and what alerts make of them."""

    name: str
    series: dict[str, str]
    checks: list[AlertCheck]
    alone: bool


def build_tests(alerts: Iterable[Alert]) -> list[AlertTest]:
    """The tests of some alerts: first those in which they fire, then those in which they do not."""
    alerts = list(alerts)
    fire: list[AlertTest] = []
    silent: list[AlertTest] = []
    for alert in alerts:
        at = show_duration(alert.after)
        labels = {**alert.expected, **alert.labels, "severity": alert.severity}
        annotations = {
            "summary": _expand_labels(alert.summary, labels),
            "description": _expand_labels(alert.description, labels),
        }
        _add_check(
            fire, alert, {s.series: s.fires for s in alert.samples}, AlertCheck(alert.name, at, labels, annotations)
        )
        if all(s.silent for s in alert.samples):
            _add_check(silent, alert, {s.series: s.silent for s in alert.samples}, AlertCheck(alert.name, at, None, {}))
    return [
        test._replace(name=f"{outcome}, {n} of {len(of)}")
        for outcome, of in (("alerts fire", fire), ("alerts are silent just short of it", silent))
        for n, test in enumerate(of, 1)
    ]


def _expand_labels(text: str, labels: Mapping[str, str]) -> str:
    return _LABEL.sub(lambda found: labels.get(found[1], ""), text)


def _add_check(tests: list[AlertTest], alert: Alert, series: dict[str, str], check: AlertCheck) -> None:
    """Put a check where its series are not there with other values, nor the alert; else into a test of its own."""
    for test in tests:
        taken = any(test.series.get(name, values) != values for name, values in series.items())
        if not (taken or test.alone or alert.alone or any(c.alert == check.alert for c in test.checks)):
            test.series.update(series)
            test.checks.append(check)
            return
    tests.append(AlertTest("", series, [check], alert.alone))


# -- notes -------------------------------------------------------------------------------------------------------------


_INSTEAD = {"carrier-changes": "oper-status", "oper-status": "carrier-changes"}  # one of them is enough


def write_notes(plan: WatchPlan, every: Sequence[Alert], wanted: Sequence[Alert]) -> dict[str, tuple[str, ...]]:
    """The notes of each file, a line each."""
    lines = [
        f"{plan.fabric}: recording and alert rules for Prometheus, from the intent of the fabric.",
        "Apply with: a line under rule_files in prometheus.yml, and a reload of Prometheus.",
        f"Check with: promtool check rules FILE, and promtool test rules {plan.fabric}-roce-rules-test.yaml.",
    ]
    if not plan.scrape_said:
        lines.append(
            f"scrape_interval is not stated: windows are for {show_duration(plan.scrape)}, and fit one that is shorter."
        )
    for group in _group_per_exporter(plan):
        lines += _note_needs(group.exporter)
        lines += _note_unknown(group.exporter)
    if any("ecn-marked" in group.exporter.metrics for group in plan.groups):
        lines += [
            f"{', '.join(keys)}: {title} counts marked packets from {since} ({source}): until then there are no marks "
            "to see."
            for (title, since, source), keys in plan.markless.items()
        ]
    if any(group.speed is None for group in plan.groups):
        lines.append("No alert on the rate of PFC frames where the port's speed is not stated: it decides how many.")
    if plan.hosts is None:
        lines.append(
            "No alert on marks without CNPs: that needs the network cards' counters, telemetry.hosts: node-exporter."
        )
    elif not plan.hosts.place.devices:
        lines.append("The intent has no section hosts: every host that Prometheus scrapes counts as one of the fabric.")
    if plan.reorders:
        lines.append("No alert on packets out of sequence: routing is adaptive, so they overtake each other.")
    left = [alert.name for alert in every if alert not in wanted]
    if left:
        lines.append(f"Not among telemetry.alerts, so left out: {', '.join(left)}.")
    unserved = tuple(_note_unserved(plan, every))
    return {
        "rules.yaml": (*lines, *unserved),
        "rules-test.yaml": (
            f"{plan.fabric}: what the rules beside this file do, for promtool test rules.",
            "Each alert fires on series beyond its threshold and is silent just short of it.",
        ),
        "dashboard.json": (  # JSON has no comments, so these go to the terminal
            "A Grafana dashboard: Dashboards, New, Import; it asks for the Prometheus that has the rules beside it.",
            *unserved,
        ),
    }


def _note_unserved(plan: WatchPlan, every: Sequence[Alert]) -> Iterator[str]:
    """Alerts that the intent asks for and nothing can give."""
    served = {about for alert in every for about in alert.about}
    for word in plan.alerts or ():
        about = find_subjects(word)
        if about and not about & served and about < ALL:
            yield (
                f"telemetry.alerts asks for {word}: no exporter of the intent has a metric known for it, so nothing "
                "alerts on it."
            )


def _group_per_exporter(plan: WatchPlan) -> list[WatchedGroup]:
    return list({group.exporter.name: group for group in plan.everything}.values())


def _note_needs(exporter: Exporter) -> Iterator[str]:
    by_need: dict[str, list[str]] = {}
    for key, metric in exporter.metrics.items():
        if metric.needs is not None:
            by_need.setdefault(metric.needs, []).append(key)
    for need, keys in by_need.items():
        yield f"{exporter.name}, {', '.join(keys)}: {need}."


def _note_unknown(exporter: Exporter) -> Iterator[str]:
    has = exporter.metrics
    missing = [
        subject.key
        for subject in SUBJECTS.values()
        if subject.side == exporter.side and subject.key not in has and _INSTEAD.get(subject.key) not in has
    ]
    unmeasured = [key for key, metric in has.items() if not metric.measured]
    where = f"rocecfg-profiles/exporters/{exporter.name}.yaml (extends: {exporter.name})"
    if missing:
        yield f"{exporter.name} has no metric known for {', '.join(missing)}: no rule on these; add yours in {where}."
    if unmeasured:
        yield (
            f"{exporter.name} does not document the unit of {', '.join(unmeasured)}: no rule on these; once you "
            f"measured it, write unit in {where}."
        )
