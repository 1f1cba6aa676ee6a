"""A Grafana dashboard of the recorded series: what it shows, as plain values for the template."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.physics.pause import full_pause_rate
from rocecfg.telemetry import records
from rocecfg.telemetry.parts import Record
from rocecfg.telemetry.plan import WatchPlan
from rocecfg.telemetry.promql import show_duration

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_WIDE, _HIGH = 12, 8  # of a panel, in Grafana's grid of 24 columns
_SOURCE = {"type": "prometheus", "uid": "${datasource}"}
_SWITCH = 'fabric="$fabric", device=~"$device"'
_HOST = 'fabric="$fabric", device=~"$host"'
_PORT = "{{device}} {{port}}"
_CLASS = "{{device}} {{port}} {{class}}"


class _View(NamedTuple):
    """A panel: the series it shows and how."""

    name: str
    title: str
    unit: str
    legend: str
    description: str
    line: tuple[float, str] | None = None  # a threshold, and what it is


_VIEWS = (
    _View(records.RATES["pfc-rx-frames"], "PFC frames received", "pps", _CLASS, "By the peer, to pause this port."),
    _View(records.RATES["pfc-tx-frames"], "PFC frames sent", "pps", _CLASS, "By this port, to pause its peer."),
    _View(records.TIMES["pfc-rx-duration"], "Time paused by the peer", "percentunit", _CLASS, "", (1, "all the time")),
    _View(records.COUNTS["watchdog-detected"][0], "PFC watchdog: storms", "short", _CLASS, "Detected."),
    _View(records.OPEN, "PFC watchdog: storms that last", "short", _CLASS, "Detected and not restored."),
    _View(records.COUNTS["queue-drops"][0], "Drops in lossless queues", "short", _CLASS, "One is too many."),
    _View(records.COUNTS["pg-drops"][0], "Drops at the ingress", "short", _CLASS, "One is too many."),
    _View(records.RATES["ecn-marked"], "Packets marked", "pps", _CLASS, "ECN, by the queue that they left from."),
    _View(records.QUEUE, "Longest queue of late", "bytes", _CLASS, "The watermark."),
    _View(records.QUEUE_KMIN, "Longest queue, of kmin", "percentunit", _CLASS, "", (1, "kmin: marking begins")),
    _View(records.QUEUE_KMAX, "Longest queue, of kmax", "percentunit", _CLASS, "", (1, "kmax: everything is marked")),
    _View(records.HEADROOM, "Most headroom in use", "bytes", _CLASS, "The watermark."),
    _View(
        records.HEADROOM_RATIO, "Most headroom in use, of what the plan gives", "percentunit", _CLASS, "", (1, "all")
    ),
    _View(records.COUNTS["carrier-changes"][0], "Links: changes", "short", _PORT, "Up or down."),
    _View(records.COUNTS["fec-uncorrected"][0], "Errors that FEC did not correct", "short", _PORT, ""),
    _View(records.COUNTS["port-errors"][0], "Frames received with errors", "short", _PORT, ""),
    _View(records.RATES["nic-pfc-rx-frames"], "NICs: PFC frames received", "pps", _CLASS, "From the switch."),
    _View(records.RATES["nic-pfc-tx-frames"], "NICs: PFC frames sent", "pps", _CLASS, "By hosts that cannot keep up."),
    _View(records.TIMES["nic-pfc-rx-duration"], "NICs: time paused", "percentunit", _CLASS, "", (1, "all the time")),
    _View(records.RATES["nic-ecn-marked"], "NICs: marked packets received", "pps", _PORT, ""),
    _View(records.RATES["nic-cnp-sent"], "NICs: CNPs sent", "pps", _PORT, "For marked packets."),
    _View(records.RATES["nic-cnp-handled"], "NICs: CNPs handled", "pps", _PORT, "By senders, which slow down."),
    _View(records.RATES["nic-out-of-sequence"], "NICs: packets out of sequence", "pps", _PORT, ""),
    _View(records.REPORTING, "Switches: series scraped", "short", "{{device}}", "None: the switch is not scraped."),
)


def dashboard(plan: WatchPlan, recorded: Sequence[Record]) -> dict[str, Any]:
    """The template's variables: the dashboard's name, its variables, and a panel for all that is recorded."""
    known = {record.name for record in recorded}
    views = [view for view in _VIEWS if view.name in known]
    firing = _target("A", 'ALERTS{fabric="$fabric", alertstate="firing"}', "{{alertname}} {{device}} {{port}}")
    panels = [_panel(0, "Alerts firing", "short", "", [firing])]
    for n, view in enumerate(views, 1):
        match = _HOST if view.name.startswith("roce:nic_") else _SWITCH
        targets = [_target("A", f"{view.name}{{{match}}}", view.legend), *_threshold_lines(plan, view)]
        panels.append(_panel(n, view.title, view.unit, view.description, targets))
    by_host = next((view.name for view in views if view.name.startswith("roce:nic_")), None)
    by_switch = next((view.name for view in reversed(views) if not view.name.startswith("roce:nic_")), None)
    first = by_switch or by_host or records.REPORTING
    variables: list[dict[str, Any]] = [
        {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus"},
        _variable("fabric", "Fabric", f"label_values({first}, fabric)", several=False),
        _variable("device", "Switch", f'label_values({first}{{fabric="$fabric"}}, device)', several=True),
    ]
    if by_host is not None:
        hosts = f'label_values({by_host}{{fabric="$fabric"}}, device)'
        variables.append(_variable("host", "Host", hosts, several=True))
    return {
        "uid": f"roce-{plan.fabric}"[:40],
        "title": f"RoCE: {plan.fabric}",
        "refresh": show_duration(plan.scrape),
        "variables": variables,
        "panels": panels,
    }


def _threshold_lines(plan: WatchPlan, view: _View) -> list[dict[str, Any]]:
    """The thresholds of a panel as lines."""
    if view.name == records.RATES["pfc-rx-frames"]:
        speeds = sorted({group.speed for group in plan.groups if group.speed is not None})
        lines = [(float(floor(full_pause_rate(s))), f"paused all the time at {show_rate(s)}") for s in speeds]
    else:
        lines = [view.line] if view.line is not None else []
    return [_target(chr(ord("B") + n), f"vector({value:g})", label) for n, (value, label) in enumerate(lines)]


def _target(ref: str, expression: str, legend: str) -> dict[str, Any]:
    return {"refId": ref, "datasource": _SOURCE, "expr": expression, "legendFormat": legend}


def _variable(name: str, label: str, query: str, *, several: bool) -> dict[str, Any]:
    more = {"multi": True, "includeAll": True, "allValue": ".*"} if several else {"multi": False, "includeAll": False}
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": _SOURCE,
        "definition": query,
        "query": {"query": query, "refId": name},
        "refresh": 2,
        "sort": 1,
        **more,
    }


def _panel(n: int, title: str, unit: str, description: str, targets: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": n + 1,
        "type": "timeseries",
        "title": title,
        "description": description,
        "datasource": _SOURCE,
        "grid": {"h": _HIGH, "w": _WIDE, "x": n % 2 * _WIDE, "y": n // 2 * _HIGH},
        "field": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "targets": targets,
    }
