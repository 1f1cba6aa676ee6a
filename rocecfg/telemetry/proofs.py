"""The tests that `promtool test rules` runs: each alert fires on its series, and is silent just short of that.

promtool opens a database for each test, which takes longer than the rules do: what does not disturb each other is in
one test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.telemetry.parts import Alert
from rocecfg.telemetry.promql import duration

_LABEL = re.compile(r"\{\{ \$labels\.(\w+) \}\}")


class Check(NamedTuple):
    """What an alert is to be at some time: firing with these labels, or (None) silent."""

    alert: str
    at: str
    labels: Mapping[str, str] | None
    annotations: Mapping[str, str]


class Test(NamedTuple):
    """Series, and what alerts make of them."""

    name: str
    series: dict[str, str]
    checks: list[Check]
    alone: bool


def tests(alerts: Iterable[Alert]) -> list[Test]:
    """The tests of some alerts: first those in which they fire, then those in which they do not."""
    alerts = list(alerts)
    fire: list[Test] = []
    silent: list[Test] = []
    for alert in alerts:
        at = duration(alert.after)
        labels = {**alert.expected, **alert.labels, "severity": alert.severity}
        annotations = {
            "summary": _expanded(alert.summary, labels),
            "description": _expanded(alert.description, labels),
        }
        _add(fire, alert, {s.series: s.fires for s in alert.samples}, Check(alert.name, at, labels, annotations))
        if all(s.silent for s in alert.samples):
            _add(silent, alert, {s.series: s.silent for s in alert.samples}, Check(alert.name, at, None, {}))
    return [
        test._replace(name=f"{said}, {n} of {len(of)}")
        for said, of in (("alerts fire", fire), ("alerts are silent just short of it", silent))
        for n, test in enumerate(of, 1)
    ]


def _expanded(text: str, labels: Mapping[str, str]) -> str:
    return _LABEL.sub(lambda found: labels.get(found[1], ""), text)


def _add(tests: list[Test], alert: Alert, series: dict[str, str], check: Check) -> None:
    """Put a check where its series are not there with other values, nor the alert; else into a test of its own."""
    for test in tests:
        taken = any(test.series.get(name, values) != values for name, values in series.items())
        if not (taken or test.alone or alert.alone or any(c.alert == check.alert for c in test.checks)):
            test.series.update(series)
            test.checks.append(check)
            return
    tests.append(Test("", series, [check], alert.alone))
