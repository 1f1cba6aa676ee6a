"""`rocecfg lint --fix`, `--unsafe-fixes` and `--diff` as a user runs them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from intents import POLICY, rocecfg, write

SLIPS = POLICY.replace("priority: 3,", "priority: 03,").replace("pmax: 5%}}", "pmax: 5%, weight: 3}}  # why")
SAFE = SLIPS.replace("priority: 03,", "priority: 3,")
ALL = SAFE.replace("weight: 3", "weight: 0")


def piped(cwd: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return rocecfg(cwd, "lint", *arguments, stdin=text)


def test_fix_writes_what_is_safe_and_tells_of_the_rest(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SLIPS})
    done = rocecfg(tmp_path, "lint", "--fix", "--format", "concise", expect=0)
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == SAFE
    assert done.stderr == "rocecfg: 1 finding fixed in 1 file; 1 more with --unsafe-fixes\n"
    assert "ecn-weight" in done.stdout
    assert "schema-yaml-trap" not in done.stdout


def test_a_missing_watchdog_is_added_only_with_unsafe_fixes(tmp_path: Path) -> None:
    """64 ports to hosts would drop what a watchdog drops: `--fix` leaves what is rendered as it is, byte by byte."""
    bare = POLICY[: POLICY.index("pfc:")] + (
        "defaults: {vendor: sonic, platform: arista-7060x6-64pe}\n"
        'devices:\n  leaf01:\n    ports:\n      "Ethernet[0-504/8]": {speed: 800G, faces: host, cable: 3m}\n'
    )
    write(tmp_path, {"fabric.yaml": bare})
    render = ("render", ".", "--vendor", "sonic", "--no-lint")
    before = rocecfg(tmp_path, *render, expect=0).stdout
    done = rocecfg(tmp_path, "lint", "--fix", expect=1)
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == bare
    assert done.stderr == "rocecfg: 0 findings fixed; 1 more with --unsafe-fixes\n"
    assert rocecfg(tmp_path, *render, expect=0).stdout == before
    assert "PFC_WD" not in before
    rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", expect=0)
    assert "PFC_WD" in rocecfg(tmp_path, *render, expect=0).stdout


def test_unsafe_fixes_are_made_when_asked_for_and_a_second_time_nothing_is(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SLIPS})
    done = rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", "--fail-on", "warning", expect=0)
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == ALL
    assert done.stderr == "rocecfg: 2 findings fixed in 1 file\n"
    again = rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", expect=0)
    assert again.stderr == ""
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == ALL


def test_diff_shows_and_writes_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SLIPS})
    done = rocecfg(tmp_path, "lint", "--diff", expect=1)
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == SLIPS
    patched = subprocess.run(
        ["git", "apply", "--unidiff-zero", "-p0", "-"], cwd=tmp_path, input=done.stdout, text=True, check=False
    )
    assert patched.returncode == 0
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == SAFE
    clean = rocecfg(tmp_path, "lint", "--diff", expect=0)
    assert clean.stdout == ""


def test_only_findings_that_were_asked_for_are_fixed(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SLIPS})
    rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", "--select", "ecn-weight", expect=0)
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == SLIPS.replace("weight: 3", "weight: 0")


def test_what_is_waived_is_not_fixed(tmp_path: Path) -> None:
    text = SLIPS.replace("# why", "# rocecfg: ignore[ecn-weight] -- measured")
    write(tmp_path, {"fabric.yaml": text})
    rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", expect=0)
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == text.replace("03", "3")


def test_a_fix_that_is_not_made_says_where_and_why(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 60,", "bandwidth: 60, max_rat: 400,")
    write(tmp_path, {"fabric.yaml": text})
    done = rocecfg(tmp_path, "lint", "--fix", "--unsafe-fixes", expect=1)
    assert done.stderr == (
        "rocecfg: fabric.yaml:4: schema-unknown-key is not fixed: it would cause a new error: schema-unit\n"
    )
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == text


def test_byte_order_mark_line_ends_mode_and_link_stay(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + SLIPS.replace("\n", "\r\n").encode()
    write(tmp_path, {"real/fabric.yaml": data})
    (tmp_path / "real" / "fabric.yaml").chmod(0o640)
    (tmp_path / "fabric.yaml").symlink_to(tmp_path / "real" / "fabric.yaml")
    rocecfg(tmp_path, "lint", "--fix", "fabric.yaml", expect=0)
    assert (tmp_path / "fabric.yaml").is_symlink()
    assert (tmp_path / "real" / "fabric.yaml").read_bytes() == b"\xef\xbb\xbf" + SAFE.replace("\n", "\r\n").encode()
    assert (tmp_path / "real" / "fabric.yaml").stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in (tmp_path / "real").iterdir()) == ["fabric.yaml"]


def test_standard_input_is_answered_with_the_fixed_text(tmp_path: Path) -> None:
    done = piped(tmp_path, SLIPS, "--fix", "-")
    assert (done.returncode, done.stdout) == (0, SAFE)
    done = piped(tmp_path, SAFE, "--fix", "-", "--output", "json=out.json")
    assert done.stdout == SAFE
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert "ecn-weight" in {f["name"] for f in report["findings"]}
    done = piped(tmp_path, "a: [\n", "--fix", "-")
    assert done.returncode == 2
    assert not list(tmp_path.glob("*.yaml"))


def test_standard_input_changes_no_other_file(tmp_path: Path) -> None:
    top, part = SLIPS.split("pfc:")
    write(tmp_path, {"fabric.yaml": f"{top}include: [pfc.yaml]\n", "pfc.yaml": f"pfc:{part}"})
    done = piped(tmp_path, f"pfc:{part}", "--fix", "--stdin-filename", "pfc.yaml", "-")
    assert done.stdout == f"pfc:{part}"
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == f"{top}include: [pfc.yaml]\n"


def test_json_tells_of_the_fix(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SLIPS})
    found = json.loads(rocecfg(tmp_path, "lint", "--format", "json", expect=0).stdout)["findings"]
    assert {f["name"]: f["fix"] for f in found if f["fix"] is not None} == {
        "schema-yaml-trap": {"safe": True, "description": "write 3"},
        "ecn-weight": {"safe": False, "description": "write weight: 0"},
    }


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--unsafe-fixes"], "--unsafe-fixes: give --fix or --diff too"),
        (["--fix", "--update-baseline", "--baseline", "b.json"], "--update-baseline: not together with --fix"),
    ],
)
def test_what_makes_no_sense_together_is_refused(arguments: list[str], reported: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SLIPS})
    done = rocecfg(tmp_path, "lint", *arguments, expect=2)
    assert reported in done.stderr
    assert (tmp_path / "fabric.yaml").read_text(encoding="utf-8") == SLIPS


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    write(tmp_path, {"in/fabric.yaml": SLIPS})
    folder = tmp_path / "in"
    blocker = subprocess.run(["id", "-u"], capture_output=True, text=True, check=True).stdout.strip()
    if blocker == "0":
        pytest.skip("root may write everywhere")
    folder.chmod(0o500)
    try:
        done = rocecfg(tmp_path, "lint", "--fix", "in", expect=2)
    finally:
        folder.chmod(0o700)
    assert "cannot be written" in done.stderr
    assert (folder / "fabric.yaml").read_text(encoding="utf-8") == SLIPS
