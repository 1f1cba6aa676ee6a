"""What goes with the rules: how to load them, what has to be turned on, and what is left out, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.profiles.exporters import SUBJECTS, Exporter
from rocecfg.rules.ops_words import ALL, subjects
from rocecfg.telemetry.parts import Alert
from rocecfg.telemetry.plan import Group, Plan
from rocecfg.telemetry.promql import duration

_INSTEAD = {"carrier-changes": "oper-status", "oper-status": "carrier-changes"}  # one of them is enough


def notes(plan: Plan, every: Sequence[Alert], wanted: Sequence[Alert]) -> dict[str, tuple[str, ...]]:
    """The notes of each file, a line each."""
    lines = [
        f"{plan.fabric}: recording and alert rules for Prometheus, from the intent of the fabric.",
        "Apply with: a line under rule_files in prometheus.yml, and a reload of Prometheus.",
        f"Check with: promtool check rules FILE, and promtool test rules {plan.fabric}-roce-rules-test.yaml.",
    ]
    if not plan.scrape_said:
        lines.append(
            f"scrape_interval is not stated: windows are for {duration(plan.scrape)}, and fit one that is shorter."
        )
    for group in _one_each(plan):
        lines += _needs(group.exporter)
        lines += _unknown(group.exporter)
    if plan.markless and any("ecn-marked" in group.exporter.metrics for group in plan.groups):
        lines.append(
            f"{', '.join(plan.markless)}: SONiC counts marked packets from 202411 (FLEX_COUNTER_TABLE WRED_ECN_QUEUE, "
            "which rocecfg render turns on): until then there are no marks to see."
        )
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
    unserved = tuple(_unserved(plan, every))
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


def _unserved(plan: Plan, every: Sequence[Alert]) -> Iterator[str]:
    """Alerts that the intent asks for and nothing can give."""
    served = {about for alert in every for about in alert.about}
    for word in plan.alerts or ():
        about = subjects(word)
        if about and not about & served and about < ALL:
            yield (
                f"telemetry.alerts asks for {word}: no exporter of the intent has a metric known for it, so nothing "
                "alerts on it."
            )


def _one_each(plan: Plan) -> list[Group]:
    return list({group.exporter.name: group for group in plan.everything}.values())


def _needs(exporter: Exporter) -> Iterator[str]:
    by_need: dict[str, list[str]] = {}
    for key, metric in exporter.metrics.items():
        if metric.needs is not None:
            by_need.setdefault(metric.needs, []).append(key)
    for need, keys in by_need.items():
        yield f"{exporter.name}, {', '.join(keys)}: {need}."


def _unknown(exporter: Exporter) -> Iterator[str]:
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
