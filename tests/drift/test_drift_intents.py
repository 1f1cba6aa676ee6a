"""Any intent: its own rendering is no drift, and a switch that was given another one is led back to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from drift_cases import SUFFIX, WHOLE, apply
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sampling import of_system, share, systems
from test_render_refuses import intents

from rocecfg.drift.changes import fix_devices
from rocecfg.drift.run import Drift, find_drift
from rocecfg.intent import Loaded, load
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Sources
from rocecfg.vendors.base import CannotRender

FORM = {"junos": "set"}  # which lines a change can be added to; elsewhere the usual one
UNTRUSTED = "qos map cos, on ports with PFC that trust no marking: not checked"  # of EOS, and said so
WHOLE_SWEEP = 100  # intents a vendor, of which some half can be rendered
ABOUT = ("rocecfg/drift", "rocecfg/model", "tests/drift/test_drift_intents")


def rendered(text: str, vendor: str, folder: Path) -> tuple[Loaded, Sources, Device, str] | None:
    """The intent, its only device and what is rendered for it; None where it cannot be."""
    path = folder / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    sources = Sources()
    loaded = load(str(path), sources, vendor)
    if loaded.fabric is None:
        return None
    try:
        (file,) = render_files(loaded.fabric, vendor, form=FORM.get(vendor))
    except CannotRender:
        return None
    return loaded, sources, loaded.fabric.devices[0], file.text


def against(loaded: Loaded, read: Sources, path: Path, text: str) -> Drift:
    path.write_text(text, encoding="utf-8")
    sources = Sources()
    sources.documents = list(read.documents)
    return find_drift([loaded], [str(path)], sources)


def settled(found: Drift) -> list[Any]:
    """What `drift --partial` would not pass over."""
    unread = [each for each in found.uncovered if not each.silent and each.why != UNTRUSTED]
    return [*found.differences, *unread, *found.refused, *found.running.errors]


@pytest.mark.parametrize("vendor", systems(SHIPPED.names("nos"), *ABOUT))
def test_any_intent(vendor: str, tmp_path: Path) -> None:
    path = tmp_path / f"leaf01{SUFFIX[vendor]}"
    tally = {"rendered": 0, "drifting": 0}
    most = share(WHOLE_SWEEP, *ABOUT, *of_system(vendor))

    @settings(
        max_examples=most, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.tuples(intents(vendor), intents(vendor)))
    def holds(texts: tuple[str, str]) -> None:
        meant = rendered(texts[0], vendor, tmp_path)
        if meant is None:
            return
        loaded, sources, device, text = meant
        tally["rendered"] += 1
        assert settled(against(loaded, sources, path, text)) == []
        if not device.names or (vendor == "sonic" and "watchdog: vendor-default" in texts[0]):
            return  # a switch that the watchdog is left to has rows of its own making
        whole = against(loaded, sources, path, WHOLE[vendor]("leaf01", device, text))
        assert (settled(whole), whole.uncovered) == ([], [])
        other = rendered(_on_the_same_box(*texts), vendor, tmp_path)
        if other is None:
            return
        runs = WHOLE[vendor]("leaf01", other[2], other[3])
        found = against(loaded, sources, path, runs)
        if not found.differing:
            return
        tally["drifting"] += 1
        change = fix_devices(found)["leaf01"]
        assert change.left == {}
        after = apply(runs, change.change.steps, tmp_path)
        assert settled(against(loaded, sources, path, after)) == []

    holds()
    assert tally["rendered"] * 5 > most
    assert tally["drifting"] > 0


def _on_the_same_box(one: str, other: str) -> str:
    """Another intent, for the switch and the ports of the first, at its speeds, LAGs and layers.

    No change of QoS sets these, nor the buffer model that SONiC starts with.
    """
    of, stated = yaml.safe_load(one), yaml.safe_load(other)
    stated["defaults"] = of["defaults"]
    stated["buffers"] = {
        **{key: value for key, value in (stated.get("buffers") or {}).items() if key != "model"},
        **{key: value for key, value in (of.get("buffers") or {}).items() if key == "model"},
    }
    ports = of["devices"]["leaf01"]["ports"]
    own = list(stated.get("devices", of["devices"])["leaf01"]["ports"].values())
    stated["devices"] = {
        "leaf01": {
            "ports": {
                name: {
                    **{key: value for key, value in (theirs or {}).items() if key not in ("lag", "layer")},
                    **{key: mine[key] for key in ("speed", "lag", "layer") if key in (mine or {})},
                }
                for (name, mine), theirs in zip(ports.items(), own, strict=True)
            }
        }
    }
    return yaml.safe_dump(stated, sort_keys=False)
