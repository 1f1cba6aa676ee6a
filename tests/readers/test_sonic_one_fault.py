"""One fault at a time in sound SONiC configurations is found; and sound ones are left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sonic_text
from conformance import SonicYang
from loops import loop
from sonic_checks import faults, validate
from sonic_clean import lay
from sonic_fault import Fault
from sonic_faults_buffers import FAULTS as OF_BUFFERS
from sonic_faults_buffers import UNKNOWN
from sonic_faults_qos import FAULTS as OF_QOS
from sonic_sound import SOUND

FAULTS = [*OF_QOS, *OF_BUFFERS]
SHARE = 0.95  # of the faults that the text tells

# What is said of sound configurations, and why an engineer would act on it.
TOLD = {
    "two classes": {("warning", "nos-erratum")},  # storms on both at once: the watchdog lifts again and again
}
# Files of SONiC's own, as they stand: the errors of others are looked at in samples_golden.txt.
STOCK = {
    "buffers-sn4600c-t1-dynamic": set(),
    "qos-arista7060x6-th5": set(),
    "qos-config-reload-output": set(),
    "qos-dell9332-th3": {("warning", "ecn-vendor-default")},  # 1 MiB and 2 MiB at 400G: thresholds of a lab
}


def faulty(fault: Fault) -> Any:
    config = SOUND[fault.base]()
    return lay(config, fault.change)


def found(fault: Fault) -> bool:
    """Whether one of the rules that are to find it does: in what is sound they are silent, as is tested below."""
    return not set(fault.rules.split()).isdisjoint(sonic_text.names(faulty(fault), fault.release))


@loop("fault", FAULTS, lambda fault: fault.name)
def test_a_fault_is_found(fault: Fault) -> None:
    assert found(fault), sonic_text.names(faulty(fault), fault.release)


@loop("name", UNKNOWN)
def test_what_the_text_does_not_tell_is_not_guessed(name: str) -> None:
    assert not found(UNKNOWN[name][0]), "found by now: it belongs into FAULTS"


def test_nearly_all_faults_are_found() -> None:
    assert len(FAULTS) >= 100
    assert len({(fault.name, fault.base) for fault in FAULTS}) == len(FAULTS)
    assert len(FAULTS) / (len(FAULTS) + len(UNKNOWN)) >= SHARE


@pytest.mark.parametrize("name", SOUND)
def test_a_sound_configuration_is_left_alone(name: str) -> None:
    reported = {(f.severity, f.rule.name) for f in sonic_text.findings(SOUND[name]())}
    assert reported == TOLD.get(name, set())


@pytest.mark.conformance
@pytest.mark.parametrize("name", STOCK)
def test_a_stock_configuration_has_no_error(name: str, shared: Path) -> None:
    text = (shared / "samples" / "sonic" / f"{name}.json").read_text(encoding="utf-8")
    assert {(f.severity, f.rule.name) for f in sonic_text.findings(text)} == STOCK[name]


@pytest.mark.conformance
@pytest.mark.parametrize("release", ["202405", "202511", "master"])
def test_sound_configurations_are_valid(release: str, sonic_yang: SonicYang, tmp_path: Path) -> None:
    names = [name for name in SOUND if name not in ("bracketed", "parts")]  # of an old release; no single text
    for number, name in enumerate(names):
        (tmp_path / f"{number}.json").write_text(json.dumps(SOUND[name]()), encoding="utf-8")
    assert faults(validate(sonic_yang, release, *(tmp_path / f"{number}.json" for number in range(len(names))))) == {}
