"""The text against what others know of EOS: a grammar of its QoS lines, and Arista's own AVD as a second writer."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

import arista_factory as make
import pytest
from arista_avd import EXEMPT, exemption, structured
from arista_devices import devices, family_of, fixed
from arista_lines import Line, lines_of
from conformance import run_validator
from hypothesis import HealthCheck, given, settings

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device

DEVICES = fixed()


def _validate(eos_validator: Path, family: str, files: list[Path]) -> CompletedProcess[str]:
    return run_validator(eos_validator, "--strict", "--platform", family, *files)


@pytest.mark.conformance
@pytest.mark.parametrize("family", ["strata", "sand"])
def test_every_line_is_known_to_the_grammar(eos_validator: Path, tmp_path: Path, family: str) -> None:
    files = []
    for name, device in DEVICES.items():
        if family_of(device) == family:
            files.append(tmp_path / f"{name}.cfg")
            files[-1].write_text(render(make.fabric(device), device).file("switch"))
    done = _validate(eos_validator, family, files)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 errors") == len(files)
    assert "warning" not in done.stdout


@pytest.mark.conformance
def test_the_grammar_would_notice(eos_validator: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.cfg"
    for device, old, new in (
        (DEVICES["leaf"], "", ""),  # strata's queues on sand
        (DEVICES["spine"], " bytes ", " segments "),
        (DEVICES["spine"], "pause watchdog default", "watchdog default"),
        (DEVICES["spine"], "timeout 0.40", "timeout 400"),
    ):
        wrong.write_text(render(make.fabric(device), device).body.replace(old, new))
        assert _validate(eos_validator, "sand", [wrong]).returncode == 1, new


@pytest.mark.conformance
@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(device=devices())
def test_random_devices_are_known_to_the_grammar(eos_validator: Path, tmp_path: Path, device: Device) -> None:
    file = tmp_path / "random.cfg"
    file.write_text(render(make.fabric(device), device).body)
    done = _validate(eos_validator, family_of(device), [file])
    assert done.returncode == 0, done.stdout


def _ours_and_avds(device: Device) -> tuple[list[Line], list[Line]]:
    pyavd = pytest.importorskip("pyavd")
    ours = lines_of(render(make.fabric(device), device).body)
    named = {path[0].split()[1]: line.split()[1] for path, line in ours if line.startswith("service-profile")}
    profiles = [line.split()[2] for path, line in ours if not path and line.startswith("qos profile")]
    names = {p.key: named[p.names[0]] if p.names else profiles[0] for p in device.ports}
    config = structured(device, names)
    checked = pyavd.validate_structured_config(config)
    assert [(v.path, v.message) for v in checked.validation_result.violations] == []
    theirs = lines_of(pyavd.get_device_config(config))
    theirs.remove(((), "hostname switch"))  # AVD needs one; the writer's text names no device
    return ours, theirs


@pytest.mark.parametrize("name", DEVICES)
def test_avd_prints_the_same_lines(name: str) -> None:
    ours, theirs = _ours_and_avds(DEVICES[name])
    common = [line for line in ours if exemption(line) is None]
    assert set(common) == set(theirs)
    assert common == theirs  # in the order that AVD aligned with EOS 4.35


def test_every_exemption_is_needed() -> None:
    pytest.importorskip("pyavd")
    used = set()
    for device in DEVICES.values():
        ours, theirs = _ours_and_avds(device)
        used |= {exemption(line) for line in set(ours) - set(theirs)}
    assert used - {None} == set(EXEMPT)
