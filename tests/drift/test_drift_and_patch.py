"""SONiC: what drift changes is all that `render --as patch` would, and lint finds nothing new after it."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import jsonpatch
import pytest
from drift_cases import ROOT, apply, change, running, stated
from sonic_meaning import amounts_to
from sonic_switches import Case, Config
from test_drift_sonic import CASES

from rocecfg.drift.changes import render_patch
from rocecfg.drift.run import find_drift
from rocecfg.intent import Loaded, load
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources
from rocecfg.vendors.draft import draft_of
from rocecfg.vendors.running import fabric_of
from rocecfg.vendors.sonic.reader import read

EXAMPLE = ROOT / "examples" / "auto" / "fabric.yaml"


class Switch:
    """A switch, and the intent that it is to run."""

    def __init__(self, intent: Path, name: str, config: Config, folder: Path) -> None:
        self.sources = Sources()
        self.loaded: Loaded = load(str(intent), self.sources, "sonic")
        self.name = name
        self.config = config
        self.folder = folder

    def after(self) -> tuple[Config, bool]:
        """What it runs once drift's change is made; and whether nothing differs then."""
        path = self.folder / f"{self.name}.json"
        path.write_text(json.dumps(self.config, indent=1), encoding="utf-8")
        found = find_drift([self.loaded], [str(path)], self.sources)
        assert not found.refused
        if not found.differing:
            return self.config, True
        fixed = change(found)
        text = apply(path.read_text(encoding="utf-8"), fixed.change.steps, self.folder)
        path.write_text(text, encoding="utf-8")
        left = find_drift([self.loaded], [str(path)], self.sources)
        assert (left.differing == []) == (fixed.left == {}), stated(left)
        config: Config = json.loads(text)
        return config, not left.differing

    def patch(self, config: Config) -> list[dict[str, Any]]:
        """The operations of `render --as patch`."""
        assert self.loaded.fabric is not None
        (device,) = (device for device in self.loaded.fabric.devices if self.name in device.names)
        text = render_patch(self.loaded.fabric, device, "running.json", json.dumps(config), self.sources, None)
        operations: list[dict[str, Any]] = json.loads(text.body)
        return operations


def errors(config: Config) -> Counter[str]:
    """What lint has against a configuration, by rule."""
    sources = Sources()
    document = sources.add("running.json", json.dumps(config))
    read_ = [draft_of(switch)._replace(name=switch.name or "any") for switch in read(document)]
    findings, failed = judge(fabric_of("", [(document, read_)], [], sources))
    assert not failed
    return Counter(finding.rule.code for finding in findings if finding.severity == "error")


def meaning(switch: Switch, config: Config) -> dict[str, Any]:
    """What rows do to packets: all but counters, which the intent has polled."""
    assert switch.loaded.fabric is not None
    device = next(device for device in switch.loaded.fabric.devices if switch.name in device.names)
    ports = [name for group in device.ports for name in group.names]
    tables = ("BUFFER_POOL", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN", "DEVICE_METADATA")
    return {
        **{port: amounts_to(config, port) for port in ports},
        **{table: config.get(table) for table in tables},
        "polled": config["PFC_WD"].get("GLOBAL"),
        "counted": config["FLEX_COUNTER_TABLE"].get("PFCWD"),
    }


def holds(switch: Switch) -> None:
    after, settled = switch.after()
    assert settled
    patched = jsonpatch.apply_patch(deepcopy(after), switch.patch(after))
    assert meaning(switch, patched) == meaning(switch, after)
    new = errors(after) - errors(switch.config)
    assert not new


# -- running files -----------------------------------------------------------------------------------------------------


@cache
def _module(name: str, path: Path) -> Any:
    sys.path.insert(0, str(path.parent))
    try:
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


def _without_pfc(config: Config) -> None:
    """PFC was off when the box's templates were filled in: one row of BUFFER_QUEUE for all, and no watchdog."""
    for port in config["PORT"]:
        for field in ("pfc_enable", "pfcwd_sw_enable"):
            del config["PORT_QOS_MAP"][port][field]
        for queues in ("0-2", "3", "4-7"):
            del config["BUFFER_QUEUE"][f"{port}|{queues}"]
        config["BUFFER_QUEUE"][f"{port}|0-7"] = {"profile": "egress_lossy_profile"}
        del config["PFC_WD"][port]


def test_a_lossless_queue_takes_the_lossless_egress_profile(tmp_path: Path) -> None:
    """Drift's change is followed by no drift, an empty patch, and no finding of lint on the queue that would drop."""
    case = Case("computed", tmp_path)
    config = case.config()
    _without_pfc(config)
    assert ("egress", 3, "") in stated(case.against(config))
    switch = Switch(tmp_path / "fabric.yaml", "leaf01", config, tmp_path)
    after, _ = switch.after()
    assert after["BUFFER_QUEUE"]["Ethernet0|3"] == {"profile": "egress_lossless_profile"}
    assert after["BUFFER_QUEUE"]["Ethernet0|0-2"] == {"profile": "egress_lossy_profile"}
    holds(switch)


@pytest.mark.sweep("rocecfg/vendors/sonic", "rocecfg/drift", "rocecfg/model")
@pytest.mark.parametrize("how", [each for each, _ in CASES], ids=lambda v: v.__name__)
def test_after_what_was_changed_on_a_switch(tmp_path: Path, how: Callable[[Config], None]) -> None:
    config: Config = json.loads(running("auto", "leaf01"))
    how(config)
    holds(Switch(EXAMPLE, "leaf01", config, tmp_path))


@pytest.mark.parametrize("name", ["computed", "sized", "traditional"])
def test_after_stock_rows(tmp_path: Path, name: str) -> None:
    """What `config qos reload` leaves on a box: two lossless priorities, another curve, another watchdog."""
    Case(name, tmp_path)
    hwsku, model = ("ACS-MSN4700", "dynamic") if name != "traditional" else ("Arista-7060X6-64PE-B-P32O64", name)
    factory = _module("sonic_factory", ROOT / "tests" / "vendors" / "sonic_factory.py")
    config = factory.stock("Ethernet0", "Ethernet8", hwsku=hwsku, model=model)
    config["DEVICE_METADATA"]["localhost"]["hostname"] = "leaf01"
    config["PFC_WD"] = {"GLOBAL": {"POLL_INTERVAL": "200"}}
    holds(Switch(tmp_path / "fabric.yaml", "leaf01", config, tmp_path))


def _whole_switches(intent: Path) -> Iterator[tuple[str, str]]:
    _, _, whole = _module("configurations", ROOT / "benchmarks" / "configurations.py").KINDS["sonic"]
    fabric = load(str(intent)).fabric
    assert fabric is not None
    devices = {name: device for device in fabric.devices for name in device.names}
    for number, file in enumerate(render_files(fabric, "sonic")):
        name = file.device or ""
        yield name, whole(name, number, devices[name], file.text)


def test_on_complete_switches(tmp_path: Path) -> None:
    """With neighbours, addresses and names of their own, one leaf and one spine, PFC taken off some of their ports."""
    generate = _module("generate", ROOT / "benchmarks" / "generate.py")
    intent = generate.write(tmp_path / "fabric", 10, "nodesets", "sonic")
    switches = list(_whole_switches(intent))
    for name, text in (switches[0], switches[-1]):
        config = json.loads(text)
        assert Switch(intent, name, config, tmp_path).after() == (config, True)
        for port in list(config["PFC_WD"])[1:9]:
            del config["PFC_WD"][port]
            config["PORT_QOS_MAP"][port] |= {"pfc_enable": "3,4", "pfcwd_sw_enable": ""}
        holds(Switch(intent, name, config, tmp_path))
