"""One fault each in a sound configuration of NVUE, in both forms: found by the rule whose matter it is."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from conformance import run_validator
from loops import loop
from nvue_sound import LEAF, SPINE, STATED
from nvue_text import lint

SOUND = {"leaf": LEAF, "spine": SPINE, "tor": STATED}
RELEASES = {"spine": ("5.15", "5.18"), "leaf": ("5.14",), "tor": ("5.9",)}
NOT_FOUND = "not found"


class Fault(NamedTuple):
    """A change of a sound configuration, and the rules that find it; (): none does, for the reason in `why`."""

    name: str
    base: str
    rules: tuple[str, ...]
    before: str  # whole lines, one place of the base
    after: str
    why: str

    @property
    def text(self) -> str:
        """The configuration with the fault."""
        base = SOUND[self.base]
        assert f"\n{base}".count(f"\n{self.before}") == 1, self.name
        return f"\n{base}".replace(f"\n{self.before}", f"\n{self.after}")[1:]


def faults() -> list[Fault]:
    """The changes of nvue_one_fault.txt."""
    text = (Path(__file__).parent / "nvue_one_fault.txt").read_text(encoding="utf-8")
    out = []
    for part in text.split("\n== ")[1:]:
        head, *lines = part.splitlines()
        base, rest = head.split(": ", 1)
        name, rules = rest.rsplit(": ", 1)
        before = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "-"))
        after = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "+"))
        why = " ".join(line[2:] for line in lines if line.startswith("# "))
        out.append(Fault(name, base, () if rules == NOT_FOUND else tuple(rules.split()), before, after, why))
    return out


FAULTS = faults()


@pytest.mark.parametrize("name", SOUND)
def test_the_sound_ones_are_clean(name: str) -> None:
    assert lint(SOUND[name]) == []


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "release"), [(name, each) for name, all_ in RELEASES.items() for each in all_])
def test_the_sound_ones_are_what_nvue_takes(name: str, release: str, nvue_validator: Path, tmp_path: Path) -> None:
    (tmp_path / "sound").write_text(SOUND[name], encoding="utf-8")
    done = run_validator(nvue_validator, "--version", release, tmp_path / "sound")
    assert done.returncode == 0, done.stdout + done.stderr


# What is told of NVIDIA's published cores, and what an engineer does about it.
PUBLISHED = {
    "watchdog-missing": "turns the watchdog on at the ports in LAGs and between switches, or waives it with a reason",
    "ecn-vendor-default": "measures, and states the curve",
}


@pytest.mark.parametrize("form", ["yaml", "nv"])
def test_a_published_configuration_has_no_error_and_warnings_to_act_on(form: str, shared: Path) -> None:
    text = (shared / "samples" / "nvue" / f"era-2-8-9-400-core-01.{form}").read_text(encoding="utf-8")
    found = [reported for reported in lint(text) if reported.severity != "info"]
    assert {reported.rule: reported.severity for reported in found} == dict.fromkeys(PUBLISHED, "warning")
    assert len(found) == len(PUBLISHED)  # each once


@loop("fault", [each for each in FAULTS if each.rules], lambda fault: f"{fault.base}-{fault.name}")
def test_one_fault_is_found(fault: Fault) -> None:
    found = {reported.rule: reported for reported in lint(fault.text)}
    assert set(fault.rules) <= set(found)
    assert all(found[rule].help for rule in fault.rules)  # what to type


def test_nearly_all_that_can_be_known_is_found() -> None:
    """At least 100 changes, all different; of those that are not found the reason is given."""
    left = [each for each in FAULTS if not each.rules]
    assert len({(each.base, each.text) for each in FAULTS}) == len(FAULTS) > 200
    assert all(each.why for each in left)
    assert len(left) <= len(FAULTS) // 20


# Changes near to one of the faults that are right.
NEAR = {
    "a cable of 3 m on all ports": (SPINE, "cable-length 50", "cable-length 3"),
    "pools by half": (SPINE, "lossy memory-percent 30", "lossy memory-percent 29"),
    "a fifth of the buffer": (
        SPINE,
        "lossy memory-percent 30\nnv set qos traffic-pool roce-lossless memory-percent 70",
        "lossy memory-percent 80\nnv set qos traffic-pool roce-lossless memory-percent 20",
    ),
    "RDMA's share as others have it": (
        SPINE,
        "traffic-class 0 bw-percent 30\n",
        "traffic-class 0 bw-percent 30\nnv set qos egress-scheduler default-global traffic-class 7 mode strict\n",
    ),
    "CNPs where they are": (
        SPINE,
        "nv set qos mapping default-global trust l3\n",
        "nv set qos mapping default-global trust l3\nnv set qos mapping default-global dscp 48 switch-priority 6\n",
    ),
    "CNPs remarked as they are": (
        LEAF,
        "            '3':\n              dscp: 26",
        "            '6':\n              dscp: 48",
    ),
    "egress as Cumulus Linux has it": (
        SPINE,
        "nv set qos roce state",
        (
            "nv set qos advance-buffer-config default-global egress-lossless-buffer shared-alpha alpha_infinity\n"
            "nv set qos roce state"
        ),
    ),
    "the watchdog of one more poll": (LEAF, "robustness: 2", "robustness: 3"),
    "bonds of one speed": (LEAF, "            swp31-32: {}", "            swp30-32: {}"),
    "thresholds of a lossy queue that nothing marks": (
        SPINE,
        "nv set qos roce state",
        (
            "nv set qos congestion-control default-global traffic-class 1 ecn disable\n"
            "nv set qos congestion-control default-global traffic-class 1 min-threshold 150\nnv set qos roce state"
        ),
    ),
    "a port that is broken out": (
        LEAF,
        "      swp31-32:\n        link:",
        (
            "      swp40s0-1:\n        link:\n          speed: 400G\n        qos:\n          pfc-watchdog:\n"
            "            state: enable\n      swp40:\n        link:\n          breakout:\n            2x: {}\n"
            "      swp31-32:\n        link:"
        ),
    ),
    "keys that name the same ports in part": (
        LEAF,
        "      swp31-32:\n",
        "      swp31:\n        description: a\n      swp31-32:\n",
    ),
    "a rate within the port's": (
        SPINE,
        "nv set qos roce state",
        (
            "nv set qos egress-shaper s port-max-rate 800000000\n"
            "nv set qos egress-shaper s traffic-class 0 max-rate 400000000\n"
            "nv set qos egress-shaper s traffic-class 0 min-rate 1000000\n"
            "nv set interface swp1-16 qos egress-shaper profile s\nnv set qos roce state"
        ),
    ),
}


@loop("name", NEAR)
def test_near_misses_are_no_faults(name: str) -> None:
    base, old, new = NEAR[name]
    assert base.count(old) == 1
    found = [reported for reported in lint(base.replace(old, new)) if reported.rule != "device-unread"]
    assert [reported for reported in found if reported.severity != "info"] == []
