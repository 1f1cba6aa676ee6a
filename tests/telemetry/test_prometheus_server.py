"""The rules in a Prometheus that scrapes: a pause storm fires their alerts, where it is; a calm fabric fires none.

The rules are those rendered, but for their times, which are a sixtieth: half a second for thirty.
"""

from __future__ import annotations

import json
import re
import subprocess
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from checkout import HANG
from stub_exporters import Fabric, served
from watched_intents import OURS, WHOLE, needed, rendered

pytestmark = pytest.mark.conformance
FASTER = 60
STORM = {
    "RoceWatchdogStorm",
    "RoceWatchdogStormLasts",
    "RocePfcPausedAlways",
    "RocePfcPausedOften",
    "RocePfcPausedTime",
}
UNITS = {"s": 1000, "m": 60_000, "h": 3_600_000}
TIME = re.compile(r"(?m)(?<=\[)(\d+)([smh])(?=\])|(?<=^    interval: )(\d+)([smh])$|(?<=^        for: )(\d+)([smh])$")


def hastened(rules: str) -> str:
    """The rules with each time a sixtieth of what it is."""

    def shorter(found: re.Match[str]) -> str:
        number, unit = (part for part in found.groups() if part is not None)
        return f"{int(number) * UNITS[unit] // FASTER}ms"

    return TIME.sub(shorter, rules)


def times(rules: str) -> list[str]:
    """All times of rules, however they are laid out."""
    found = []
    for group in yaml.safe_load(rules)["groups"]:
        found.append(group["interval"])
        for rule in group["rules"]:
            found += [rule["for"]] if "for" in rule else []
            found += re.findall(r"\[([^\]]*)\]", re.sub(r'"[^"]*"', "", rule["expr"]))
    return found


class Server(NamedTuple):
    """A Prometheus that runs, and the fabric it scrapes."""

    address: str
    fabric: Fabric

    def ask(self, what: str, **parameters: str) -> Any:
        url = f"{self.address}/api/v1/{what}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=HANG) as answer:  # noqa: S310 -- a server that the test started
            return json.load(answer)["data"]

    def rules(self) -> list[dict[str, Any]]:
        return [rule for group in self.ask("rules")["groups"] for rule in group["rules"]]

    def query(self, expression: str) -> list[dict[str, str]]:
        """The labels of what an expression gives now."""
        return [series["metric"] for series in self.ask("query", query=expression)["result"]]

    def fired(self) -> set[tuple[str, str, str]]:
        """Name, switch, port of each alert that fires, or did; not those on scrapes, which a busy machine misses."""
        found = self.query('last_over_time(ALERTS{alertstate="firing", alertname!~"RoceSwitch.*"}[1h])')
        return {(of["alertname"], of.get("device", ""), of.get("port", "")) for of in found}

    def until(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + HANG
        while not true():
            assert time.monotonic() < end, self.fired()
            time.sleep(0.2)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Scrapes of all exporters of the fabric."""
    program = needed("prometheus")
    fabric = Fabric()
    exporters = served(fabric)
    rules = rendered(tmp_path, WHOLE, OURS)["lab-roce-rules.yaml"]
    assert sorted(set(times(rules))) == ["15m", "1h", "1m", "2m", "30s", "5m"]
    assert {time[-2:] for time in times(hastened(rules))} == {"ms"}
    (tmp_path / "rules.yaml").write_text(hastened(rules), encoding="utf-8")
    at = f"127.0.0.1:{exporters.server_address[1]}"
    jobs = [
        {
            "job_name": name,
            "metrics_path": f"/{name}",
            "static_configs": [{"targets": [at], "labels": {"instance": f"{name}:9100"}}],
        }
        for name in fabric.pages()
    ]
    settings = {
        "global": {"scrape_interval": "500ms", "scrape_timeout": "500ms"},
        "rule_files": ["rules.yaml"],
        "scrape_configs": jobs,
    }
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    log = tmp_path / "log"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [program, "--config.file=prometheus.yml", "--storage.tsdb.path=data", "--web.listen-address=127.0.0.1:0"],
            cwd=tmp_path,
            stdout=stream,
            stderr=stream,
        )
    try:
        yield Server(f"http://{_address(log)}", fabric)
    finally:
        process.terminate()
        process.wait(HANG)
        exporters.shutdown()
        exporters.server_close()


def _address(log: Path) -> str:
    """Where it listens, once it says that it is ready."""
    end = time.monotonic() + HANG
    while "Server is ready" not in (stated := log.read_text("utf-8")):
        assert time.monotonic() < end, stated
        time.sleep(0.05)
    found = re.search(r"Listening on.*address=(127\.0\.0\.1:[1-9]\d*)", stated)
    assert found, stated
    return found[1]


def test_a_pause_storm_fires_the_alerts_and_a_calm_fabric_none(server: Server) -> None:
    server.until(lambda: len(server.query("roce:device:series")) == 4)
    server.until(lambda: len(server.query("roce:pfc_rx_frames:rate > 200 and roce:pfc_rx_frames:rate < 400")) == 14)
    server.until(lambda: len(server.query("roce:watchdog_storms:increase == 0")) == 12)
    server.until(lambda: not server.query("ALERTS"))  # of the first moment, when nothing was scraped yet
    time.sleep(3)
    while server.query("min_over_time(up[3s]) == 0"):  # a machine that is busy with other work lets scrapes run out
        time.sleep(1)
    assert server.query("last_over_time(ALERTS[3s])") == []  # nor is any waiting to fire

    server.fabric.storm("leaf01", "Ethernet8")
    server.until(lambda: {name for name, *_ in server.fired()} >= STORM)
    assert server.fired() == {(name, "leaf01", "Ethernet8") for name in STORM}
    assert [rule["lastError"] for rule in server.rules() if rule["health"] != "ok"] == []
