"""What holds of lint for any intent: order tells it nothing, no rule breaks, findings have places, the rest renders."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import quick_yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sampling import share, systems
from test_render_refuses import CLASS, DEVICE, NUMBER, PORT, TIMERS, Intent, changes, one_of
from test_render_refuses import intents as of_one_switch

from rocecfg.intent import load
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Sources
from rocecfg.vendors.base import CannotRender

ABOUT = ("rocecfg/rules", "rocecfg/linting", "rocecfg/intent", "rocecfg/source")
MOST = share(60, *ABOUT)  # intents a vendor
RUN = settings(
    max_examples=MOST,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate,),  # an intent is read soon enough as it is; making it smaller takes minutes
    suppress_health_check=list(HealthCheck),
)
VENDORS = SHIPPED.names("nos")
NAMES = one_of("pause", "drops", "watchdog", "PFC_WD_STATUS", "queue-watermark", "ecn", "site-set-7", "all")
TELEMETRY = st.one_of(
    one_of("none"),
    st.fixed_dictionaries(
        {},
        optional={
            "scrape_interval": one_of("1s", "30s", "5min"),
            "alerts": st.lists(NAMES, max_size=3, unique=True),
            "metrics": st.lists(NAMES, max_size=4, unique=True),
        },
    ),
)
CLAIMED = one_of(20, [20, 26], [26, 48], [0, 48, 56])
STAGES = st.lists(
    one_of("leaf01", "spine01", "leaf01,spine01", "leaf02").map(lambda d: {"devices": d}), min_size=1, max_size=2
)
HOST = {
    "nic": one_of("connectx-7", "thor2"),
    "rdma_dscp": one_of(26, 20, 48),
    "cnp_dscp": one_of(48, 4),
    "pfc_priorities": one_of([3], [4, 3], []),
    "global_pause": st.booleans(),
    "firmware": one_of("28.39.1002", "28.40.1000"),
}


@st.composite
def intents(draw: st.DrawFn, vendor: str) -> Intent:
    """A sound intent of one switch with a few changes, and a spine, hosts, telemetry or a rollout beside it."""
    stated: Intent = quick_yaml.load(draw(of_one_switch(vendor)))
    if "bulk" in stated["classes"] and draw(st.booleans()):
        stated["classes"]["bulk"]["dscp"] = draw(CLAIMED)
        stated["classes"]["more"] = {"priority": draw(NUMBER), "dscp": draw(CLAIMED), **changes(draw, CLASS)}
    devices = stated.get("devices")
    if devices is not None and draw(st.booleans()):
        devices["leaf01"]["role"] = "leaf"
        ports = {name: dict(port) for name, port in devices["leaf01"]["ports"].items()}
        for port in ports.values():
            port.update(changes(draw, PORT, 1))
        devices["spine01"] = {"role": "spine", "ports": ports, **changes(draw, DEVICE, 1)}
        if draw(st.booleans()):
            devices["spine01"]["pfc"] = {"watchdog": draw(TIMERS)}
        first, last = ports
        stated["links"] = [{"a": f"leaf01:{last}", "b": f"spine01:{last}"}, {"a": f"leaf01:{first}", "b": "gpu01:nic0"}]
        stated["hosts"] = {"gpu01": changes(draw, HOST), "gpu02": changes(draw, HOST)}
        if draw(st.booleans()):
            devices["leaf[01-02]"] = changes(draw, DEVICE, 1)
        if draw(st.booleans()):
            stated["rollout"] = {"stages": draw(STAGES)}
    if draw(st.booleans()):
        stated["telemetry"] = draw(TELEMETRY)
    return stated


class Seen(NamedTuple):
    """What a finding is, whatever order its message names classes in, and whichever of two equal ones it stands at."""

    severity: str
    rule: str
    devices: tuple[str, ...]
    ports: tuple[str, ...]
    port_count: int


class Outcome(NamedTuple):
    findings: list[Seen]
    refusal: str | None
    rendered: bool


def written(folder: Path, parts: dict[str, Intent]) -> Path:
    for name, part in parts.items():
        tree = json.loads(json.dumps(part))  # nothing stands in it twice, which would be written as an alias
        (folder / name).write_text(quick_yaml.dump(tree), encoding="utf-8")
    return folder / next(iter(parts))


def linted(path: Path, vendor: str, *, render: bool = False) -> Outcome:
    """Lint as the command line does; every finding's place is inside its file, and no rule raises."""
    sources = Sources()
    loaded = load(str(path), sources, vendor)
    assert loaded.errors == []
    found, failed = judge(loaded)
    assert [str(f) for f in failed] == []
    out = []
    for f in found:
        assert f.at is not None, f"{f.rule.name} has no place: {f.message}"
        spans = [f.at, *(span for span, _ in f.related)]
        for span in spans:
            text = sources.documents[span.doc].text
            assert 0 <= span.start <= span.end <= len(text), f.rule.name
            assert text[span.start : span.end].strip(), f"{f.rule.name} underlines nothing"
        assert f.message
        out.append(Seen(f.severity, f.rule.name, tuple(sorted(f.devices)), tuple(sorted(f.ports)), f.port_count))
    refusal = None
    rendered = False
    if render and loaded.fabric is not None and all(f.severity != "error" for f in found):
        try:
            rendered = bool(list(render_files(loaded.fabric, vendor)))
        except CannotRender as refused:
            refusal = refused.message
    return Outcome(sorted(out), refusal, rendered)


def shuffled(value: Any, order: random.Random) -> Any:
    """The same with the keys of every mapping in another order, and links too."""
    if isinstance(value, list):
        items = [shuffled(item, order) for item in value]
        if items and isinstance(items[0], dict) and "a" in items[0]:
            order.shuffle(items)
        return items
    if not isinstance(value, dict):
        return value
    keys = list(value)
    order.shuffle(keys)
    return {key: shuffled(value[key], order) for key in keys}


def apart(stated: Intent, order: random.Random) -> dict[str, Intent]:
    """The same in several files that the first one includes, classes and devices one by one."""
    names = ["b.yaml", "c.yaml", "d.yaml"]
    parts: dict[str, Intent] = {"fabric.yaml": {"rocecfg": 1, "fabric": stated["fabric"]}, **{n: {} for n in names}}
    for key, value in stated.items():
        if key in {"rocecfg", "fabric"}:
            continue
        if key in {"classes", "devices", "hosts"}:
            for name, body in value.items():
                parts[order.choice(names)].setdefault(key, {})[name] = body
        else:
            parts[order.choice(names)][key] = value
    used = [name for name in names if parts[name]]
    order.shuffle(used)
    return {"fabric.yaml": {**parts["fabric.yaml"], "include": used}, **{name: parts[name] for name in used}}


@pytest.mark.parametrize("vendor", systems(VENDORS, *ABOUT))
def test_order_does_not_change_what_is_found(vendor: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(vendor)
    tally = {"findings": 0}

    @RUN
    @given(intents(vendor), st.integers(0, 2**32))
    def holds(stated: Intent, seed: int) -> None:
        order = random.Random(seed)  # noqa: S311 - an order, no secret
        first = linted(written(folder, {"fabric.yaml": stated}), vendor).findings
        tally["findings"] += len(first)
        again = linted(written(folder, {"fabric.yaml": shuffled(stated, order)}), vendor).findings
        assert again == first
        in_files = linted(written(folder, apart(shuffled(stated, order), order)), vendor).findings
        assert in_files == first

    holds()
    assert tally["findings"] > MOST  # else it says nothing


@pytest.mark.parametrize("vendor", systems(VENDORS, *ABOUT))
def test_what_lint_passes_renders_or_is_refused(vendor: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp(vendor)
    tally = {"rendered": 0}

    @RUN
    @given(intents(vendor))
    def holds(stated: Intent) -> None:
        outcome = linted(written(folder, {"fabric.yaml": stated}), vendor, render=True)
        tally["rendered"] += outcome.rendered
        refusal = outcome.refusal
        warned = ("nos-unsupported", "schema-nos-range")  # of what is not verified, or missing
        told = any(f.rule in warned for f in outcome.findings)
        assert refusal is None or told, f"lint passes, but: {refusal}"

    holds()
    assert tally["rendered"]  # else it says nothing; some of the examples are tried
