"""The rules as Prometheus evaluates them, by promtool's clock: a pause storm fires its alerts, a calm fabric none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from counted import EXPORTERS, STRUCK, count
from watched_intents import OURS, WHOLE, promtool, rendered

pytestmark = pytest.mark.conformance
SCRAPE = 30  # seconds, as WHOLE says
CALM, END = 60, 90  # minutes: until the storm begins, and until the test ends
STORM = (
    "RocePfcPausedAlways",
    "RocePfcPausedOften",
    "RocePfcPausedTime",
    "RoceWatchdogStorm",
    "RoceWatchdogStormLasts",
)


def scraped() -> list[dict[str, str]]:
    """The series that Prometheus has of all exporters."""
    found: dict[str, list[int]] = {}
    for now in range(0, END * 60 + 1, SCRAPE):
        for exporter in EXPORTERS:
            target = {"instance": f"{exporter}:9100", "job": exporter}
            for name, labels, value in [*count(exporter, now, max(0, now - CALM * 60)), ("up", {}, 1)]:
                series = ", ".join(f'{key}="{text}"' for key, text in (labels | target).items())
                found.setdefault(f"{name}{{{series}}}", []).append(value)
    return [{"series": series, "values": " ".join(map(str, values))} for series, values in found.items()]


def asked(minutes: int, expression: str, *samples: tuple[str, int]) -> dict[str, Any]:
    return {
        "expr": expression,
        "eval_time": f"{minutes}m",
        "exp_samples": [{"labels": labels, "value": value} for labels, value in samples],
    }


def test_a_pause_storm_fires_the_alerts_and_a_calm_fabric_none(tmp_path: Path) -> None:
    rendered(tmp_path, WHOLE, OURS)
    device, port = STRUCK
    seen = "count by (alertname, alertstate, device, port) (last_over_time(ALERTS[{minutes}m]))"
    fired = 'count by (alertname, device, port) (last_over_time(ALERTS{alertstate="firing"}[1h]))'
    where = [(f'{{alertname="{name}", device="{device}", port="{port}"}}', 1) for name in STORM]
    test = {
        "interval": f"{SCRAPE}s",
        "input_series": scraped(),
        "promql_expr_test": [
            asked(CALM, "count(roce:device:series)", ("{}", 4)),
            asked(CALM, "count(roce:pfc_rx_frames:rate == 300)", ("{}", 14)),
            asked(CALM, "count(roce:watchdog_storms:increase == 0)", ("{}", 12)),
            asked(CALM, seen.format(minutes=CALM)),  # nor is any waiting to fire, from the first moment on
            asked(END, fired, *where),
        ],
    }
    rules = yaml.safe_load((tmp_path / "lab-roce-rules.yaml").read_text(encoding="utf-8"))
    told = {
        "rule_files": ["lab-roce-rules.yaml"],
        "evaluation_interval": f"{SCRAPE}s",
        "group_eval_order": [group["name"] for group in rules["groups"]],  # else any: alerts before what they ask
        "tests": [test],
    }
    (tmp_path / "storm.yaml").write_text(yaml.safe_dump(told), encoding="utf-8")
    done = promtool("test", "rules", "storm.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
