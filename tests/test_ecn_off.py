"""The word `off` for ECN: lint, render and the switch that is read back mean the same queues of the same ports."""

from __future__ import annotations

from pathlib import Path

from agreement_cases import CURVES, SECTIONS, SWITCHES, written
from intents import findings
from sampling import part

from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

OFF = "classes: {rdma: {ecn: off}}"


def ways(vendor: str) -> dict[str, tuple[dict[str, str], tuple[bool, bool]]]:
    """Where `off` may stand, and whether the first and the second port then mark."""
    stated = CURVES.get(vendor, SECTIONS["ecn"])
    curve = stated.removeprefix("ecn: ")
    return {
        "class": ({"ecn": "ecn: off"}, (False, False)),
        "device": ({"switch": f"{SWITCHES[vendor][0]}\n  {OFF}"}, (False, False)),
        "one port": ({"second": OFF}, (True, False)),
        "both ports": ({"first": OFF, "second": OFF}, (False, False)),
        "but one port": ({"ecn": "ecn: off", "second": f"classes: {{rdma: {{ecn: {curve}}}}}"}, (False, True)),
        "one port of a speed": ({"ecn": f"ecn: {{by_speed: {{400G: {curve}}}}}", "second": OFF}, (True, False)),
    }


def marked(device: Device) -> tuple[bool, ...]:
    """Whether the queue of priority 3 is marked, of each port."""
    return tuple(
        any(cls.ecn_at(port.speed) for cls in device.classes_on(port) if cls.priority == 3)
        for port in device.ports
        for _ in port.names
    )


def test_off_is_off_in_what_lints_renders_and_runs(tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    cases = [(vendor, name, *case) for vendor in SWITCHES for name, case in ways(vendor).items()]
    for vendor, name, stated, wanted in part(cases):
        path.write_text(written(vendor, stated), encoding="utf-8")
        fabric = load(str(path), Sources()).fabric
        assert fabric is not None
        assert marked(fabric.devices[0]) == wanted, (vendor, name)
        found = [f for f in findings(tmp_path, written(vendor, stated)) if f.rule == "ecn-missing"]
        assert (found != []) is (wanted != (True, True)), (vendor, name)
        sources = Sources()
        file = next(f for f in render_files(fabric, vendor) if f.name.startswith("leaf01."))
        document = sources.add(file.name, file.text)
        running = fabric_of(file.name, [(document, read_drafts(document, vendor))], [], sources).fabric
        assert running is not None
        assert marked(running.devices[0]) == wanted, (vendor, name)


def test_a_word_that_is_none_is_answered_with_all_that_may_stand_there(tmp_path: Path) -> None:
    (found,) = [f for f in findings(tmp_path, written("sonic", {"ecn": "ecn: on"})) if f.severity == "error"]
    assert found.help == "known: auto, a mapping of kmin, kmax, pmax, or off"
