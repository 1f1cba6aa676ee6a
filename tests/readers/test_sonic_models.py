"""SONiC's own tests of its YANG models: what these refuse is found, and what they take is not blamed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sonic_text
from conformance import SonicYang
from sonic_models import Case, cases

pytestmark = pytest.mark.conformance

_PART = "no PORT in the text: a part that is loaded beside the switch's own PORT looks the same"
_ABSENT = "the text does not have the table at all: a part beside which the switch has it looks the same, told as info"
MISSED = {
    "qos: QUEUE_PORT_NOT_EXIST": _PART,
    "qos: VOQ_QUEUE_LOCAL_MISSING_PORT": _PART,
    "qos: QUEUE_SCHEDULER_NOT_EXIST": _ABSENT,
    "qos: QUEUE_WRED_NOT_EXIST": _ABSENT,
    "qosmaps: PORT_QOS_MAP_APPLY_NON_EXISTS_MAPS": _ABSENT,
    "qosmaps: PORT_QOS_MAP_APPLY_NON_EXISTS_SCHEDULER": _ABSENT,
}
_SIDE = "the case's egress_lossless_pool is of type ingress: YANG does not look, the queue draws from the wrong side"
_PRIORITY = "orchagent/qosorch.cpp knows no priority of a scheduler, and refuses the row"
BLAMED = {
    "buffer_queue: BUFFER_QUEUE_CORRECT_PROFILE_VALUE": ({"device-conflict"}, _SIDE),
    "buffer_queue: VOQ_BUFFER_QUEUE_CONFIG": ({"device-conflict"}, _SIDE),
    "qos: SCHEDULER_VALID": ({"device-unknown"}, _PRIORITY),
    "qos: SCHEDULER_VALID_NAME": ({"device-unknown"}, _PRIORITY),
    "qosmaps: PORT_QOS_MAP_APPLY_MAPS": (
        {"mix-class-shared", "mix-map-total", "mix-tc-chain"},
        "PFC is on for 3 and 4, and the maps have no entry for these: both lead to queue 0",
    ),
}


def blame(case: Case) -> set[str]:
    """The rules that find an error or a warning."""
    found = sonic_text.findings(case.config, "master")
    return {f.rule.name for f in found if f.severity in ("error", "warning")}


def test_there_are_as_many_cases_as_sonic_has(shared: Path) -> None:
    known = cases(shared)
    assert (len(known), sum(case.refused for case in known)) == (145, 89)


def test_what_the_models_refuse_is_found(shared: Path) -> None:
    missed = {case.name for case in cases(shared) if case.refused and not blame(case)}
    assert missed == set(MISSED)
    told = {
        f.rule.name
        for case in cases(shared)
        if MISSED.get(case.name) == _ABSENT
        for f in sonic_text.findings(case.config)
    }
    assert "device-ref" in told


def test_what_the_models_take_is_not_blamed(shared: Path) -> None:
    blamed = {case.name: found for case in cases(shared) if not case.refused and (found := blame(case))}
    assert blamed == {name: rules for name, (rules, _) in BLAMED.items()}


def test_each_case_is_as_the_models_take_it(shared: Path, sonic_yang: SonicYang, tmp_path: Path) -> None:
    """The cases are told apart as SONiC's tests say, once they are written as CONFIG_DB."""
    from sonic_checks import faults, validate

    known = cases(shared)
    for n, case in enumerate(known):
        (tmp_path / f"{n}.json").write_text(json.dumps(case.config), encoding="utf-8")
    verdicts = validate(sonic_yang, "master", *(tmp_path / f"{n}.json" for n in range(len(known))))
    refused = {int(Path(file).stem) for file in faults(v for v in verdicts if v["errors"])}
    assert [case.name for n, case in enumerate(known) if (n in refused) != case.refused] == []
