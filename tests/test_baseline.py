"""Baselines: what a team knows of is not told again, however its text is moved about; and fingerprints themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from intents import POLICY, TODAY, loaded, rocecfg, write

from rocecfg.linting.baseline import fingerprint, fingerprints
from rocecfg.linting.run import lint as run_lint

BAD = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")  # ets-sum
BASE = ["--baseline", "known.json"]
_LINES = BAD.splitlines(keepends=True)
_TURNED = "  default: {bandwidth:  30, priority: 0, dscp: rest, carries: [default]}\n"
WARNED = BAD.replace("kmin: 400KB", "kmin: 400KB, weight: 7")  # and ecn-weight


def lint(cwd: Path, *arguments: str, expect: int | None = None) -> list[str]:
    """`path: rule` of what a run tells, but for absent sections."""
    out = rocecfg(cwd, "lint", "--format", "concise", *arguments, expect=expect).stdout.splitlines()[:-1]
    return [f"{line.split(':')[0]}: {line.split()[3].rstrip(':')}" for line in out if "hygiene-absent" not in line]


def known(folder: Path, text: str = BAD) -> None:
    """A fabric whose findings are all in its baseline."""
    write(folder, {"fabric.yaml": text})
    rocecfg(folder, "lint", *BASE, "--update-baseline", expect=0)


# -- what is known is not told -----------------------------------------------------------------------------------------


def test_what_is_known_is_not_told_and_what_is_new_is(tmp_path: Path) -> None:
    known(tmp_path)
    report = json.loads(rocecfg(tmp_path, "lint", *BASE, "--format", "json", expect=0).stdout)
    assert report["findings"] == []
    assert report["summary"]["suppressed"] == 1
    write(tmp_path, {"fabric.yaml": WARNED})
    assert lint(tmp_path, *BASE) == ["fabric.yaml: ecn-weight"]
    assert lint(tmp_path, expect=1) == ["fabric.yaml: ecn-weight", "fabric.yaml: ets-sum"]


def test_the_settings_may_name_it(tmp_path: Path) -> None:
    write(tmp_path, {"rocecfg.toml": 'baseline = "known.json"\n', "sub/fabric.yaml": BAD})
    rocecfg(tmp_path / "sub", "lint", "--update-baseline", expect=0)
    assert (tmp_path / "known.json").exists()
    assert lint(tmp_path, expect=0) == lint(tmp_path / "sub", expect=0) == []
    assert lint(tmp_path, "sub/fabric.yaml", expect=0) == []
    assert lint(tmp_path, "--isolated", expect=1) == ["sub/fabric.yaml: ets-sum"]


@pytest.mark.parametrize(
    "text",
    [
        f"\n\n# a word\n{BAD}",
        BAD.replace("\n", "\r\n"),
        "".join([*_LINES[:3], *_LINES[5:7][::-1], *_LINES[3:5], _TURNED, *_LINES[8:]]),
        BAD.replace(
            "  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 30}",
            "  default:\n    carries: [default]\n    dscp: rest\n    priority: 0\n    bandwidth: 30  # too little",
        ),
        BAD.replace("bandwidth: 60", "bandwidth: 65"),  # the same shares are short, of another sum
        BAD + "devices:\n  leaf[1-9]: {}\n",
    ],
    ids=["lines", "crlf", "keys reordered", "block style", "numbers of the message", "more devices"],
)
def test_a_finding_is_known_wherever_it_moves(text: str, tmp_path: Path) -> None:
    known(tmp_path)
    write(tmp_path, {"fabric.yaml": text})
    assert "ets-sum" in "".join(lint(tmp_path, expect=1))
    assert lint(tmp_path, *BASE, "--fail-on", "warning", expect=0) == []


@pytest.mark.parametrize(
    "text",
    [
        BAD.replace("bandwidth: 30", "bandwidth: 20"),  # the value itself
        BAD.replace("default:", "other:"),
    ],
)
def test_another_mistake_at_the_same_place_is_new(text: str, tmp_path: Path) -> None:
    known(tmp_path)
    write(tmp_path, {"fabric.yaml": text})
    assert lint(tmp_path, *BASE, expect=1) == ["fabric.yaml: ets-sum", "known.json: hygiene-baseline"]


def test_a_file_or_root_with_a_new_name_is_known(tmp_path: Path) -> None:
    top, classes = BAD[: BAD.index("classes:")], BAD[BAD.index("classes:") :]
    write(tmp_path, {"a/fabric.yaml": f"include: [classes.yaml]\n{top}", "a/classes.yaml": classes})
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=0)
    (tmp_path / "a" / "classes.yaml").rename(tmp_path / "a" / "kinds.yaml")
    write(tmp_path, {"a/fabric.yaml": f"include: [kinds.yaml]\n{top}"})
    assert lint(tmp_path, *BASE, "--fail-on", "warning", expect=0) == []
    (tmp_path / "a").rename(tmp_path / "b")
    assert lint(tmp_path, *BASE, "--fail-on", "warning", expect=0) == []


def test_findings_that_nothing_tells_apart_are_counted(tmp_path: Path) -> None:
    link = '  - {{a: "leaf1:Ethernet{}", b: "spine[1-2]:Ethernet0"}}\n'
    two = POLICY + "links:\n" + link.format(0) + link.format(8)
    known(tmp_path, two)
    assert lint(tmp_path, *BASE, "--fail-on", "warning", expect=0) == []
    write(tmp_path, {"fabric.yaml": two + link.format(8)})
    assert lint(tmp_path, *BASE, expect=1) == ["fabric.yaml: schema-pair"]
    write(tmp_path, {"fabric.yaml": POLICY + "links:\n" + link.format(8)})
    assert lint(tmp_path, *BASE, "--fail-on", "warning", expect=1) == ["known.json: hygiene-baseline"]


def test_a_shared_file_of_two_fabrics_is_known_in_both(tmp_path: Path) -> None:
    top, classes = BAD[: BAD.index("classes:")], BAD[BAD.index("classes:") :]
    write(tmp_path, {f"{n}.yaml": f"include: [parts/c.yaml]\n{top}" for n in "ab"})
    write(tmp_path, {"parts/c.yaml": classes, ".git/x": ""})
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=0)
    for arguments in ([], ["a.yaml"], ["parts/c.yaml"]):
        assert lint(tmp_path, *BASE, "--fail-on", "warning", *arguments, expect=0) == []


def test_what_cannot_be_read_is_never_known(tmp_path: Path) -> None:
    known(tmp_path)
    write(tmp_path, {"fabric.yaml": "rocecfg: ["})
    before = (tmp_path / "known.json").read_bytes()
    assert lint(tmp_path, *BASE, expect=2) == ["fabric.yaml: schema-syntax"]
    assert "stays as it is" in rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=2).stderr
    assert (tmp_path / "known.json").read_bytes() == before


# -- entries no longer needed ------------------------------------------------------------------------------------------


def test_an_entry_that_finds_nothing_is_told_at_its_line(tmp_path: Path) -> None:
    known(tmp_path, WARNED)
    write(tmp_path, {"fabric.yaml": BAD})
    report = json.loads(rocecfg(tmp_path, "lint", *BASE, "--format", "json", expect=0).stdout)
    (found,) = report["findings"]
    assert (found["name"], found["severity"], found["path"]) == ("hygiene-baseline", "warning", "known.json")
    assert found["message"] == "1 entry finds nothing any more: ecn-weight in fabric.yaml"
    assert '"rule": "ecn-weight"' in (tmp_path / "known.json").read_text().splitlines()[found["line"] - 1]
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=0)
    assert lint(tmp_path, *BASE, "--fail-on", "warning", expect=0) == []


def test_nothing_is_said_of_entries_about_which_nothing_is_known(tmp_path: Path) -> None:
    known(tmp_path, WARNED)
    write(tmp_path, {"fabric.yaml": POLICY, "other.yaml": POLICY, "broken/fabric.yaml": "rocecfg: ["})
    gone = ["known.json: hygiene-baseline"]
    assert lint(tmp_path, *BASE, "fabric.yaml") == gone
    assert lint(tmp_path, *BASE, "fabric.yaml", "--select", "pfc,hygiene") == []
    assert lint(tmp_path, *BASE, "fabric.yaml", "--ignore", "ets,ecn") == []
    assert lint(tmp_path, *BASE, "fabric.yaml", "--ignore", "hygiene-baseline") == []
    assert lint(tmp_path, *BASE, "other.yaml") == []
    write(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 60", "bandwidth: sixty")})
    assert gone[0] not in lint(tmp_path, *BASE, "fabric.yaml")
    write(tmp_path, {"fabric.yaml": "rocecfg: ["})
    assert lint(tmp_path, *BASE, "fabric.yaml") == ["fabric.yaml: schema-syntax"]


def test_an_update_keeps_what_was_not_judged(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": WARNED, "b.yaml": BAD})
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=0)
    before = (tmp_path / "known.json").read_text()
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", "a.yaml", "--select", "ets", expect=0)
    assert (tmp_path / "known.json").read_text() == before
    write(tmp_path, {"a.yaml": POLICY})
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", "a.yaml", "--select", "ets", expect=0)
    value = json.loads(before)
    value["fabrics"]["a.yaml"] = [e for e in value["fabrics"]["a.yaml"] if e["rule"] != "ets-sum"]
    assert json.loads((tmp_path / "known.json").read_text()) == value


# -- the file ----------------------------------------------------------------------------------------------------------


def test_the_file_is_sorted_one_finding_a_line(tmp_path: Path) -> None:
    write(tmp_path, {"z.yaml": WARNED, "a.yaml": BAD})
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=0)
    text = (tmp_path / "known.json").read_text()
    value = json.loads(text)
    assert value["version"] == 1
    assert list(value["fabrics"]) == ["a.yaml", "z.yaml"]
    (ets,) = (e for e in value["fabrics"]["a.yaml"] if e["rule"] == "ets-sum")
    assert (ets["path"], ets["place"], ets["times"]) == ("a.yaml", "classes.default.bandwidth", 1)
    assert "sum to 90%" in ets["message"]
    entries = [line.strip() for line in text.splitlines() if '"rule"' in line]
    assert len(entries) == sum(map(len, value["fabrics"].values())) == 3
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", "z.yaml", "a.yaml", expect=0, PYTHONHASHSEED="7")
    assert (tmp_path / "known.json").read_text() == text


def test_a_clean_fabric_makes_an_empty_one(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    rocecfg(tmp_path, "lint", *BASE, "--update-baseline", expect=0)
    assert json.loads((tmp_path / "known.json").read_text()) == {"version": 1, "fabrics": {}}
    assert lint(tmp_path, *BASE, expect=0) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "there is no such baseline"),
        ("", "not JSON"),
        ("{\n [", "known.json:2:2: not JSON"),
        ("[" * 100_000, "no"),
        ("[]", "lacks a version"),
        ('{"version": 2}', "version 2; known: 1"),
        ('{"version": 1}', "fabrics"),
        ('{"version": 1, "fabrics": {"a": 3}}', "fabrics"),
        ('{"version": 1, "fabrics": {"a": [{"rule": "x"}]}}', "is not a finding"),
        ('{"version": 1, "fabrics": {"a": [3]}}', "is not a finding"),
    ],
)
def test_a_file_that_is_no_baseline_is_an_error(text: str | None, words: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD, **({"known.json": text} if text is not None else {})})
    done = rocecfg(tmp_path, "lint", *BASE, expect=2)
    assert done.stderr.startswith("rocecfg: known.json:")
    assert words in done.stderr


def test_an_update_wants_to_know_which(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD, "rocecfg.toml": ""})
    assert "--baseline FILE" in rocecfg(tmp_path, "lint", "--update-baseline", expect=2).stderr


# -- fingerprints ------------------------------------------------------------------------------------------------------


def prints(folder: Path, text: str, files: dict[str, str | bytes] | None = None) -> dict[str, str]:
    """Fingerprint by rule, with paths taken relative to the folder."""
    read, sources = loaded(folder, text, files)
    run = run_lint([read], sources, today=TODAY)
    return {f.rule.name: fingerprint(f, sources, str(folder)) for f in run.findings}


def test_a_fingerprint_depends_on_the_file_and_not_on_where_it_is_read_from(tmp_path: Path) -> None:
    first = prints(tmp_path / "a", BAD)
    assert prints(tmp_path / "b", f"# x\n{BAD}") == first
    split = prints(
        tmp_path / "c", f"include: [x.yaml]\n{BAD[: BAD.index('classes:')]}", {"x.yaml": BAD[BAD.index("classes:") :]}
    )
    assert split["ets-sum"] != first["ets-sum"]
    assert len(set(first.values())) == len(first)
    assert all(len(p) == 32 and int(p, 16) >= 0 for p in first.values())


def test_fingerprints_of_a_line_of_links_is_its_text(tmp_path: Path) -> None:
    text = POLICY + "links: [cabling.csv]\n"
    first = prints(tmp_path / "a", text, {"cabling.csv": "leaf1,Ethernet0\n"})
    assert prints(tmp_path / "b", text, {"cabling.csv": "# moved\n\nleaf1,Ethernet0\n"}) == first
    other = prints(tmp_path / "c", text, {"cabling.csv": "leaf2,Ethernet0\n"})
    assert other["schema-pair"] != first["schema-pair"]


def test_findings_that_share_a_fingerprint_can_be_told_apart(tmp_path: Path) -> None:
    link = '  - {a: "leaf1:Ethernet0", b: "spine[1-2]:Ethernet0"}\n'
    read, sources = loaded(tmp_path, POLICY + "links:\n" + link + link)
    found = [f for f in run_lint([read], sources, today=TODAY).findings if f.rule.name == "schema-pair"]
    assert len({fingerprint(f, sources) for f in found}) == 1
    assert len(set(fingerprints(found, sources))) == len(found) == 2
