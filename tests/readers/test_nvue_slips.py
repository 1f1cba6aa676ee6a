"""Slips in the text itself: each is one finding at its place, and what is set below it is judged all the same."""

from __future__ import annotations

import pytest
from nvue_sound import LEAF, SPINE
from nvue_text import Found, lint
from one_switch import findings_of, loaded_as

from rocecfg.linting.causes import fold_by_cause
from rocecfg.source.document import SourceError

DOG = "      pfc-watchdog:\n        polling-interval: 100\n        robustness: 2\n"


def changed(text: str, old: str, new: str) -> list[Found]:
    assert text.count(old) == 1
    return lint(text.replace(old, new))


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def test_a_key_that_stands_twice_is_an_error_with_what_is_lost() -> None:
    twice = "      pfc-watchdog:\n        robustness: 3\n"
    (reported,) = changed(LEAF, DOG, DOG + twice)
    assert (reported.rule, reported.severity) == ("schema-duplicate-key", "error")
    assert reported.line == line_of(LEAF, DOG) + 3
    assert "pfc-watchdog appears twice" in reported.message
    assert "drop 2 settings below the first" in reported.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("          rx: enable\n", "          rx: enable\n          rx: enable\n"),  # with one value
        ("      swp31-32:\n", "      swp33-64:\n        description: spines\n      swp31-32:\n"),
        ("- set:\n    system:\n", "- set:\n    router: {}\n  set:\n    system:\n"),
        ("    nve:\n", "    qos: {}\n    nve:\n"),
    ],
)
def test_a_key_that_stands_twice_wherever_it_is(old: str, new: str) -> None:
    assert [reported.rule for reported in changed(LEAF, old, new)] == ["schema-duplicate-key"]


def test_names_under_two_keys_are_no_key_that_stands_twice() -> None:
    assert changed(LEAF, "      swp31-32:\n", "      swp31:\n        description: a\n      swp31-32:\n") == []


def test_operations_that_are_no_list() -> None:
    """NVUE refuses the file; the bare tree of a REST body, which is one in JSON, is something else."""
    body = LEAF.replace("- header:", "  header:").replace("- set:", "  set:")
    (reported,) = lint(body)
    assert (reported.rule, reported.severity, reported.line) == ("device-value", "error", 1)
    assert "`- header:`" in reported.help
    assert [t.rule for t in lint('{"qos": {"pfc-watchdog": {"robustness": 3}}}')] == []


def test_a_second_document_says_what_to_do() -> None:
    with pytest.raises(SourceError, match="one document a file"):
        lint(LEAF.replace("- set:", "---\n- set:"))


TC6 = "            '6':\n              mode: strict"
TC16 = "            '16':\n              bw-percent: 160"
POLL = "      pfc-watchdog:\n        polling-interval: 100"
POOL = "        roce-lossless:\n          memory-percent: 60"
PFC = "      pfc:\n        default-global:\n          switch-priority:\n            '3'"


@pytest.mark.parametrize(
    ("old", "new", "below"),
    [
        (TC6, TC16, "bw-percent"),
        (POLL, POLL.replace("dog", "dgo").replace("100", "50"), "polling-interval"),
        (POOL, POOL.replace("lossless", "losless").replace("60", "600"), "memory-percent"),
        (PFC, PFC.replace("pfc", "pcf").replace("3", "8"), "switch priority 8"),
    ],
)
def test_values_below_a_refused_key_are_judged(old: str, new: str, below: str) -> None:
    found = [reported for reported in changed(LEAF, old, new) if reported.rule.startswith("device-")]
    key, value = found
    assert key.severity == value.severity == "error"
    assert value.line > key.line
    assert below in value.message


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [
        ("      congestion-control:", "      congestion-contol:", "congestion-control"),
        ("      roce:", "      rcoe:", "roce"),
        ("    qos:\n      roce", "    qso:\n      roce", "qos"),
        ("        roce-lossless:", "        roce-losless:", "roce-lossless"),
        ("              min-threshold: 400000", "              min-treshold: 400000", "min-threshold"),
    ],
)
def test_a_slip_is_one_finding_and_is_read_as_it_was_meant(old: str, new: str, meant: str) -> None:
    (reported,) = changed(LEAF, old, new)
    assert reported.severity == "error"
    assert reported.line == line_of(LEAF, old)
    assert reported.help == f"did you mean {meant}?"


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [
        ("nv set interface swp1-64 qos", "nv ste interface swp1-64 qos", "set"),
        ("nv set interface swp1-64 qos", "nv set interfaces swp1-64 qos", "interface"),
        ("nv set interface swp1-64 qos", "nv set interface swp1-64 qoss", "qos"),
        ("nv set qos roce state", "nv set qso roce state", "qos"),
    ],
)
def test_a_slip_in_a_command_is_told(old: str, new: str, meant: str) -> None:
    (reported,) = changed(SPINE, old, new)
    assert (reported.rule, reported.severity) == ("device-unknown", "error")
    assert reported.help == f"did you mean {meant}?"


def test_other_commands_and_objects_of_nv_are_no_slips() -> None:
    more = "nv show interface swp1\nnv config save\nnv set mlag enable on\nnv set acl a rule 1 action permit\n"
    assert lint(SPINE + more) == []


def test_one_slip_in_several_lines_is_one_finding() -> None:
    paths = ("mapping default-global dscp 26", "mapping default-global dscp 48", "pfc default-global")
    text = "".join(f"nv set qos {path} switch-priorty 3\n" for path in paths)
    loaded, _ = loaded_as("spectrum", "leaf01.nv", f"nv set system hostname leaf01\n{text}")
    slips = [one for one in fold_by_cause(findings_of(loaded)) if "switch-priorty" in one.message]
    assert len(slips) == 1
    assert len(slips[0].folded) == len(paths) - 1
