"""Runs that every report format must be able to tell."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from intents import FABRIC, POLICY, TODAY, write

from rocecfg.linting.discover import discover
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run, Summary, lint
from rocecfg.model import Fabric
from rocecfg.rules import BY_NAME, Hit, Rule
from rocecfg.rules.base import rule
from rocecfg.source.document import Sources

# Errors with a second place, a fix and a reach; a warning; an info; wide characters before a place.
BAD = (
    POLICY.replace("name: lab", "name: lab, description: '日本 ü', 'k{0}[x](y)': 100%, peak: 1")
    .replace("priority: 6", "priority: 6, priority: 5")
    .replace("priority: 7", "priority: 07")
    .replace("kmin: 400KB", "kmin: 400KiB")
    .replace("bandwidth: 40}", "bandwidth: 30}")
    + 'devices:\n  leaf[1-4]: {ports: {"Ethernet[0-31]": {speed: 400G, faces: host}}}\n'
)
# What finds something in these texts; rules that the catalogue gains later leave the tests as they are.
RULES = tuple(
    BY_NAME[name]
    for name in (
        "schema-syntax",
        "schema-unknown-key",
        "schema-duplicate-key",
        "schema-yaml-trap",
        "schema-kib",
        "schema-type",
        "ets-sum",
        "watchdog-missing",
    )
)
ODD = "a b/c:d,é%0A%41#?.yaml"  # a path that each format has to write in its own way


@rule("TST901", "test-broken", "warning", source="a test")
def broken(fabric: Fabric) -> Iterator[Hit]:
    """A rule that raises."""
    raise ValueError(f"no {fabric.name}: 100%\n]]> <b>")
    yield


def run_of(*paths: str, rules: tuple[Rule, ...] = RULES) -> Run:
    """What linting files of the current folder finds."""
    sources = Sources()
    return lint(discover(paths, sources).fabrics, sources, rules=rules, today=TODAY)


def findings() -> Run:
    write(Path(), {"fabric.yaml": BAD})
    return run_of("fabric.yaml")


def clean() -> Run:
    write(Path(), {"fabric.yaml": FABRIC})
    return run_of("fabric.yaml")


def unreadable() -> Run:
    write(Path(), {"syntax.yaml": "rocecfg: 1\nx: [\n", "bytes.yaml": b"rocecfg: 1\nx: \xff\n", "folder.yaml/x": ""})
    return run_of("syntax.yaml", "bytes.yaml", "missing.yaml", "folder.yaml")


def odd_path() -> Run:
    write(Path(), {ODD: BAD})
    return run_of(ODD)


def not_utf8() -> Run:
    name = os.fsdecode(b"b\xff.yaml")
    Path(name).write_text(BAD, encoding="utf-8")
    return run_of(name)


def steering() -> Run:
    """Names and values that would steer a terminal, a log or an XML parser."""
    name = "\x1b[2J\n::warning::x\u202e.yaml"
    write(
        Path(), {name: POLICY.replace("name: lab", '"]]>\\e[2J\\r\\n::error::\\uFFFE": 3'), "links.csv": "a,\x1b,b\n"}
    )
    return run_of(name)


def failed_rule() -> Run:
    write(Path(), {"fabric.yaml": BAD})
    return run_of("fabric.yaml", rules=(*RULES, broken))


def placeless() -> Run:
    """A finding about a fabric that came from no text."""
    found = BY_NAME["watchdog-missing"]
    finding = Finding(found, "error", "PFC without a watchdog", "set one", None, devices=("leaf1",), port_count=4)
    return Run([finding], Summary(0, 1, 1, 4, 1, 0, 0, 0), [], unreadable=False, sources=Sources(), failing=True)


def two_fabrics() -> Run:
    more = {
        "b/fabric.yaml": BAD,
        "a/fabric.yaml": "include: [more.yaml]\n" + FABRIC,
        "a/more.yaml": "fabric: {mtu: 1500}",
    }
    write(Path(), more)
    return run_of("b/fabric.yaml", "a/fabric.yaml")


RUNS: tuple[Callable[[], Run], ...] = (
    findings,
    clean,
    unreadable,
    odd_path,
    not_utf8,
    steering,
    failed_rule,
    placeless,
    two_fabrics,
)
