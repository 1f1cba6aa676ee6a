"""`# rocecfg: ignore[...]`: what it silences, and what is said of one that should not be there."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, TODAY, findings, judged, rocecfg

from rocecfg.rules import BY_NAME

# a warning or error that a waiver can silence, on a line of its own
TEXT = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")
RULE = "ets-sum"
LINE = 8


def found(tmp_path: Path, comment: str = "", above: str = "") -> list[str]:
    """The rules that find something, with a comment at the end of the line, or lines above it."""
    lines = TEXT.splitlines()
    lines[LINE - 1] += comment
    if above:
        lines[LINE - 1 : LINE - 1] = above.splitlines()
    return [f.rule for f in findings(tmp_path, "\n".join(lines) + "\n")]


def test_without_a_waiver_it_is_found(tmp_path: Path) -> None:
    assert found(tmp_path) == [RULE]


@pytest.mark.parametrize(
    "comment",
    [
        "  # rocecfg: ignore[ets-sum] -- migration",
        "  # rocecfg: ignore[ ets-sum ] -- migration",
        f"  # rocecfg: ignore[ets-sum] until={TODAY} -- migration",
        "  # rocecfg: ignore[ets-sum] until=2099-12-31 -- migration",
        "  #rocecfg: ignore[ets-sum]   --   migration",
        "  # see the ticket # rocecfg: ignore[ets-sum] -- migration",
    ],
)
def test_at_the_end_of_the_line(comment: str, tmp_path: Path) -> None:
    assert found(tmp_path, comment) == []


@pytest.mark.parametrize(
    "above",
    [
        "  # rocecfg: ignore[ets-sum] -- migration",
        "# rocecfg: ignore[ets-sum] -- migration",
        "  # rocecfg: ignore[ets-sum] -- migration\n  # and a word about it\n",
        "  # rocecfg: ignore[ets-sum] -- migration\n\n",
    ],
)
def test_on_a_line_of_its_own_above(above: str, tmp_path: Path) -> None:
    assert found(tmp_path, above=above) == []


def test_a_code_names_a_rule_too(tmp_path: Path) -> None:
    assert found(tmp_path, f"  # rocecfg: ignore[{BY_NAME[RULE].code}] -- migration") == []


def test_two_lines_further_up_is_no_longer_above(tmp_path: Path) -> None:
    text = TEXT.replace("  control:", "  # rocecfg: ignore[ets-sum] -- migration\n  control:")
    assert sorted(f.rule for f in findings(tmp_path, text)) == [RULE, "hygiene-waiver-unused"]


def test_several_rules_in_one_bracket(tmp_path: Path) -> None:
    text = TEXT.replace("dscp: rest", "dscp: 0")
    assert sorted(f.rule for f in findings(tmp_path, text)) == [RULE, "mix-map-total"]
    both = text.replace("bandwidth: 30}", "bandwidth: 30}  # rocecfg: ignore[ets-sum, mix-map-total] -- migration")
    got, run = judged(tmp_path, both)
    assert [f.rule for f in got if f.rule != "hygiene-absent"] == []
    assert run.summary.suppressed == 2


def test_crlf_makes_no_difference(tmp_path: Path) -> None:
    text = TEXT.replace("bandwidth: 30}", "bandwidth: 30}  # rocecfg: ignore[ets-sum] -- migration")
    assert findings(tmp_path, text.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("comment", "about"),
    [
        ("  # rocecfg: ignore[ets-sum]", "hygiene-waiver-reason"),
        ("  # rocecfg: ignore[ets-sum] --", "hygiene-waiver-reason"),
        ("  # rocecfg: ignore[ets-sum] migration", "hygiene-waiver-reason"),
        ("  # rocecfg: ignore[ets-sum] until=2026-06-29 -- migration", "hygiene-waiver-expired"),
        ("  # rocecfg: ignore[ets-sum] until=2099-6-1 -- migration", "hygiene-waiver-expired"),
        ("  # rocecfg: ignore[ets-sum] until=2099-02-30 -- migration", "hygiene-waiver-expired"),
        ("  # rocecfg: ignore[ets-summ] -- migration", "hygiene-waiver-unknown"),
        ("  # rocecfg: ignore[] -- migration", "hygiene-waiver-unknown"),
        ("  # rocecfg: ignore[ecn-missing] -- migration", "hygiene-waiver-unused"),
    ],
)
def test_a_waiver_that_does_not_count_leaves_the_finding_and_is_told(comment: str, about: str, tmp_path: Path) -> None:
    assert sorted(found(tmp_path, comment)) == sorted([RULE, about])


def test_a_rule_that_cannot_be_silenced_in_a_line_says_so(tmp_path: Path) -> None:
    text = POLICY[: POLICY.index("pfc:")]
    (missing,) = findings(tmp_path, text)
    assert missing.rule == "watchdog-missing"
    lines = text.splitlines()
    lines[missing.line - 1] += "  # rocecfg: ignore[watchdog-missing] -- we like to live dangerously"
    got = findings(tmp_path, "\n".join(lines) + "\n")
    assert sorted(f.rule for f in got) == ["hygiene-waiver-refused", "watchdog-missing"]


def test_a_watchdog_between_switches_may_be_waived_where_hosts_are_watched(tmp_path: Path) -> None:
    devices = """\
defaults: {vendor: spectrum, version: "5.14", cable: 5m}
devices:
  leaf01: {ports: {swp1: {speed: 400G, faces: host}}}
  spine01:
    pfc:
      watchdog: off  # rocecfg: ignore[watchdog-missing] -- as the published core has it
    ports:
      swp1: {speed: 400G, faces: switch}
"""
    assert not {"watchdog-missing", "hygiene-waiver-refused"}.intersection(
        f.rule for f in findings(tmp_path, POLICY + devices)
    )
    unwatched = POLICY + devices.replace("faces: host}", "faces: host, pfc: {watchdog: off}}")
    assert "hygiene-waiver-refused" in [f.rule for f in findings(tmp_path, unwatched)]


@pytest.mark.parametrize(
    "system", ["vendor: sonic", 'vendor: arista, version: "4.33.2F", asic: tomahawk5', "mtu: 9000"]
)
def test_a_watchdog_between_switches_is_not_waived_where_no_such_core_is_published(system: str, tmp_path: Path) -> None:
    devices = f"""\
defaults: {{{system}, cable: 5m}}
devices:
  leaf01: {{ports: {{Ethernet1/1: {{speed: 400G, faces: host}}}}}}
  spine01:
    pfc:
      watchdog: off  # rocecfg: ignore[watchdog-missing] -- as another vendor has it
    ports:
      Ethernet1/1: {{speed: 400G, faces: switch}}
"""
    found = {f.rule: f.severity for f in findings(tmp_path, POLICY + devices)}
    assert found["watchdog-missing"] == "error"
    assert "hygiene-waiver-refused" in found


def test_a_waiver_of_a_rule_that_does_not_exist_says_which_it_may_mean(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40}", "bandwidth: 40}  # rocecfg: ignore[ets-summ] -- migration")
    (found,) = findings(tmp_path, text)
    assert (found.rule, found.help) == ("hygiene-waiver-unknown", "did you mean ets-sum?")


def test_a_rule_that_cannot_be_silenced_in_a_line_names_the_other_way(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40}", "bandwidth: 40}  # rocecfg: ignore[watchdog-missing] -- lab")
    (found,) = findings(tmp_path, text)
    assert "ignore in rocecfg.toml" in found.help


def test_what_is_said_of_a_waiver_cannot_be_waived(tmp_path: Path) -> None:
    comment = "  # rocecfg: ignore[hygiene-waiver-unused] -- no # rocecfg: ignore[ecn-missing] -- x"
    assert "hygiene-waiver-refused" in found(tmp_path, comment)


@pytest.mark.parametrize(
    "description",
    [
        "'text # rocecfg: ignore[ecn-order] -- x'",
        '"text # rocecfg: ignore[ecn-order] -- x"',
        ">-\n    text\n    # rocecfg: ignore[ecn-order] -- x",
        "|\n    # rocecfg: ignore[ecn-order] -- x\n    more",
        "'over\n    # rocecfg: ignore[ecn-order] -- x\n    lines'",
        "plain#rocecfg: ignore[ecn-order] -- x",
    ],
)
def test_a_hash_inside_a_string_is_no_comment(description: str, tmp_path: Path) -> None:
    text = POLICY.replace("fabric: {name: lab}", f"fabric:\n  name: lab\n  description: {description}")
    assert [f.rule for f in findings(tmp_path, text) if f.rule.startswith("hygiene")] == []


def test_a_comment_after_a_block_scalar_is_one(tmp_path: Path) -> None:
    text = POLICY.replace(
        "fabric: {name: lab}",
        "fabric:\n  name: lab\n  description: >-\n    text\n\n# rocecfg: ignore[ecn-order] -- x",
    )
    assert [f.rule for f in findings(tmp_path, text)] == ["hygiene-waiver-unused"]


def test_deeply_aliased_texts_are_searched_for_strings_all_the_same(tmp_path: Path) -> None:
    """Each anchor nests 50 deep, and the next one holds it: expanded, that is deeper than any stack."""
    lines = ["# rocecfg: ignore[ecn-order] -- x", "a0: &a0 'x'"]
    lines += [f"a{i}: &a{i} {'[' * 50}*a{i - 1}{']' * 50}" for i in range(1, 100)]
    got = {f.rule for f in findings(tmp_path, POLICY + "\n".join(lines) + "\n")}
    assert got == {"schema-unknown-key", "hygiene-waiver-unused"}


# -- on the command line -----------------------------------------------------------------------------------------------

WAIVED = TEXT.replace("bandwidth: 30}", "bandwidth: 30}  # rocecfg: ignore[ets-sum] -- migration")


def lint(tmp_path: Path, text: str, *arguments: str, expect: int) -> list[str]:
    (tmp_path / "fabric.yaml").write_text(text)
    out = rocecfg(tmp_path, "lint", "--format", "concise", *arguments, expect=expect).stdout
    return [line.split()[3].rstrip(":") for line in out.splitlines()[:-1] if "hygiene-absent" not in line]


def test_no_ignores_reports_what_is_waived(tmp_path: Path) -> None:
    assert lint(tmp_path, WAIVED, expect=0) == []
    assert lint(tmp_path, WAIVED, "--no-ignores", expect=1) == [RULE]


def test_a_waiver_of_a_rule_that_is_not_asked_for_is_not_unused(tmp_path: Path) -> None:
    assert lint(tmp_path, WAIVED, "--select", "pfc,watchdog,hygiene", expect=0) == []
    assert lint(tmp_path, WAIVED, "--ignore", "ets", expect=0) == []


def test_findings_about_waivers_can_be_left_out_as_any_other(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 6", "priority: 6  # rocecfg: ignore[ets-sum] -- x\n   ")
    assert lint(tmp_path, text, "--fail-on", "warning", expect=1) == ["hygiene-waiver-unused"]
    assert lint(tmp_path, text, "--fail-on", "warning", "--ignore", "hygiene-waiver-unused", expect=0) == []
    assert lint(tmp_path, text, "--fail-on", "warning", "--select", "ets", expect=0) == []


def test_a_waiver_is_not_unused_where_its_rule_could_not_judge(tmp_path: Path) -> None:
    broken = WAIVED.replace("bandwidth: 60", "bandwidth: sixty")
    assert lint(tmp_path, broken, expect=1) == ["schema-type"]
    unread = f"include: [more.yaml]\n{WAIVED}"
    (tmp_path / "more.yaml").write_text("a: [")
    assert lint(tmp_path, unread, expect=2) == ["schema-syntax"]


def test_a_waiver_in_an_included_file_counts_there(tmp_path: Path) -> None:
    top, classes = WAIVED[: WAIVED.index("classes:")], WAIVED[WAIVED.index("classes:") :]
    assert findings(tmp_path, f"include: [classes.yaml]\n{top}", {"classes.yaml": classes}) == []


def test_a_waiver_in_a_file_of_links(tmp_path: Path) -> None:
    text = POLICY + "links: [cabling.csv]\n"
    files: dict[str, str | bytes] = {"cabling.csv": "# rocecfg: ignore[schema-pair] -- to be cabled\nleaf1,Ethernet0\n"}
    assert [f.rule for f in findings(tmp_path, text, {"cabling.csv": "leaf1,Ethernet0\n"})] == ["schema-pair"]
    assert findings(tmp_path, text, files) == []
