"""From a fabric to files: Prometheus rules, a test of them for promtool, and a Grafana dashboard."""

from __future__ import annotations

import json
from functools import lru_cache

from rocecfg.model import Fabric
from rocecfg.profiles.library import Library
from rocecfg.rules.ops_words import covered
from rocecfg.telemetry import alerts as switches
from rocecfg.telemetry import nics
from rocecfg.telemetry.dashboard import dashboard
from rocecfg.telemetry.notes import notes
from rocecfg.telemetry.parts import Alert, tick
from rocecfg.telemetry.plan import Plan, plan
from rocecfg.telemetry.promql import duration
from rocecfg.telemetry.proofs import tests
from rocecfg.telemetry.records import records
from rocecfg.vendors.base import CannotRender, Text, environment, fill
from rocecfg.vendors.rendering import File

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jinja2 import Template

VENDOR = "prometheus"


def files(fabric: Fabric, library: Library, *, templates: str | None = None) -> list[File]:
    """The rules, their test and the dashboard, in this order. `templates`: the user's folder, whose files win.

    Raises CannotRender where the intent does not say what exports the counters, or there is nothing to write.
    """
    watched = plan(fabric, library)
    recorded = records(watched)
    if not recorded:
        names = ", ".join(sorted({group.exporter.name for group in watched.groups}))
        raise CannotRender(
            f"nothing that is looked at here is known to be exported by {names}",
            "write the names of its metrics in rocecfg-profiles/exporters/, beside the intent",
            (fabric.at("telemetry"),),
        )
    every = [*switches.alerts(watched), *nics.alerts(watched)]
    wanted = _asked_for(watched, every)
    said = notes(watched, every, wanted)
    groups = [f"roce-{watched.fabric}-records", *([f"roce-{watched.fabric}-alerts"] if wanted else [])]
    stem = f"{watched.fabric}-roce"
    shared: dict[str, Any] = {"names": groups, "interval": duration(watched.scrape)}
    shown = [_shown(alert) for alert in wanted]
    texts: dict[str, dict[str, Any]] = {
        "rules.yaml": {**shared, "records": recorded, "alerts": shown},
        "rules-test.yaml": {
            **shared,
            "tick": duration(tick(watched)),
            "rules": f"{stem}-rules.yaml",
            "tests": tests(wanted),
        },
        "dashboard.json": dashboard(watched, recorded),
    }
    out = []
    for name, values in texts.items():
        suffix = name[name.rindex(".") :]
        comment = "# " if suffix == ".yaml" else None
        body = fill(_template, f"{name}.j2", templates, **values)
        text = Text(body, said.get(name, ()), comment, suffix)
        out.append(File(f"{stem}-{name}", text.file(None), None, VENDOR, text))
    return out


@lru_cache(maxsize=16)
def _template(name: str, overrides: str | None) -> Template:
    jinja = environment(VENDOR, overrides)
    jinja.filters["string"] = _string
    jinja.filters["list_of_strings"] = lambda texts: f"[{', '.join(map(_string, texts))}]"
    jinja.filters["json"] = _string
    return jinja.get_template(name)


def _string(value: Any) -> str:
    """A value as JSON, which YAML takes as well: a text in double quotes."""
    return json.dumps(value, ensure_ascii=False)


def _asked_for(watched: Plan, every: list[Alert]) -> list[Alert]:
    """The alerts that the intent asks for: all, where it does not list them or a name of its list could be any."""
    if watched.alerts is None:
        return every
    about, opaque = covered(watched.alerts)
    return every if opaque else [alert for alert in every if not alert.about or about.intersection(alert.about)]


def _shown(alert: Alert) -> dict[str, Any]:
    return {
        "name": alert.name,
        "expression": alert.expression,
        "hold": duration(alert.hold) if alert.hold else "",
        "labels": {"severity": alert.severity, **alert.labels},
        "annotations": {"summary": alert.summary, "description": alert.description},
    }
