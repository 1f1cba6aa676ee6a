"""`rocecfg plan` as a user runs it: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import click
import jsonschema
import pytest
from intents import rocecfg as in_a_process
from rollout_cases import rocecfg

from rocecfg.cli import cli
from rocecfg.cli.inputs import VendorChoice
from rocecfg.rollout.json_format import json_schema

ROOT = Path(__file__).resolve().parent.parent.parent
CONVERGED = ROOT / "examples" / "converged"


def older(folder: Path, *edits: tuple[str, str, str]) -> Path:
    """The converged example as it was: texts replaced, by file."""
    path = folder / "older"
    shutil.copytree(CONVERGED, path)
    for name, now, then in edits:
        text = (path / name).read_text(encoding="utf-8")
        assert now in text
        (path / name).write_text(text.replace(now, then), encoding="utf-8")
    return path


KMIN = ("classes.yaml", "kmin: 300KB", "kmin: 200KB")
PRIORITY = ("classes.yaml", "priority: 3", "priority: 5")


def test_without_what_runs_there_is_no_plan(tmp_path: Path) -> None:
    done = in_a_process(tmp_path, "plan", CONVERGED, expect=2)
    assert done.stdout == ""
    assert "what runs now is unknown: give --running DIR, or --running-intent OLD_INTENT" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_intent_is_not_its_own_past(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", CONVERGED / "fabric.yaml", expect=2)
    assert "is the intent itself" in done.stderr


def test_from_means_a_kind_of_switch_in_every_command(tmp_path: Path) -> None:
    context = click.Context(cli)
    commands = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    kinds = {
        (name, type(option.type))
        for name, command in commands.items()
        for option in (command.params if command is not None else ())
        if "--from" in option.opts and not getattr(option, "hidden", False)
    }
    assert kinds == {(name, VendorChoice) for name in ("lint", "import", "report", "validate")}
    new = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", older(tmp_path, KMIN), expect=0)
    old = rocecfg(tmp_path, "plan", CONVERGED, "--from", tmp_path / "older", expect=0)
    assert old.stdout == new.stdout
    assert "--from is called --running-intent now" in old.stderr
    assert new.stderr == ""


def test_both_answers_are_one_too_many(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", older(tmp_path), "--running", tmp_path, expect=2)
    assert "not both" in done.stderr


@pytest.mark.parametrize("format_", ["markdown", "json"])
def test_nothing_to_do(tmp_path: Path, format_: str) -> None:
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", older(tmp_path), "--format", format_, expect=0)
    if format_ == "json":
        found = json.loads(done.stdout)
        assert found["stages"] == []
        counts = {"devices": 6, "changing": 0, "stages": 0}
        assert found["summary"] == {**counts, "settings": None, "ports": None, "not_compared": None}
    else:
        assert "Nothing to do: 6 devices as intended." in done.stdout
        assert "## Stage" not in done.stdout


def test_an_ecn_threshold_goes_leaf_by_leaf(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", older(tmp_path, KMIN), expect=0)
    lines = done.stdout.splitlines()
    assert "4 devices to change in 4 stages; 2 devices as intended (spine[01-02])." in lines
    stages = [line for line in lines if line.startswith("## Stage")]
    assert stages == [f"## Stage {n}: leaf0{n}" for n in (1, 2, 3, 4)]
    assert "  nv set qos congestion-control default-global traffic-class 3 min-threshold 300000" in lines
    # DSCP 26 is 26 << 2 = 104; with ECT(0), binary 10, it is 106
    assert (
        "  ib_write_bw -d $DEV -x $GID --tclass=106 -q 4 -D 30 --report_gbits --out_json --out_json_file=$OUT $SERVER"
        in lines
    )
    assert any("NCCL_IB_TC=106" in line for line in lines)
    assert "  sudo config checkpoint rocecfg-stage-3" in lines
    assert '  nv config apply "$REV"' in lines


def test_the_json_is_as_the_published_schema_says(tmp_path: Path) -> None:
    published = json.loads((ROOT / "docs" / "plan.schema.json").read_text(encoding="utf-8"))
    assert published == json_schema()
    then = older(tmp_path, PRIORITY)
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", then, "--format", "json", "--no-lint", expect=0)
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(published).validate(found)
    assert found["from"] == str(then / "fabric.yaml")
    for seed in ("1", "2", "3"):  # the order of sets changes with it
        arguments = ("plan", CONVERGED, "--running-intent", then, "--format", "json", "--no-lint")
        again = in_a_process(tmp_path, *arguments, expect=0, PYTHONHASHSEED=seed)
        assert again.stdout == done.stdout


def test_a_folder_gets_the_changes_as_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", older(tmp_path, KMIN), "-o", f"{out}/", expect=0)
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*.*")) == [
        "plan.md",
        "stage-1/leaf01-1.sh",
        "stage-2/leaf02-1.sh",
        "stage-3/leaf03-1.json",
        "stage-3/leaf03-2.sh",
        "stage-4/leaf04-1.json",
        "stage-4/leaf04-2.sh",
        "traffic/otg-incast.json",
        "traffic/otg-pause-storm.json",
    ]
    assert json.loads((out / "stage-3" / "leaf03-1.json").read_text(encoding="utf-8")) == [
        {"op": "replace", "path": "/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold", "value": "300000"}
    ]
    assert "`stage-3/leaf03-1.json`" in (out / "plan.md").read_text(encoding="utf-8")


def test_a_file_gets_the_plan(tmp_path: Path) -> None:
    rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", older(tmp_path, KMIN), "-o", "plan.md", expect=0)
    assert (tmp_path / "plan.md").read_text(encoding="utf-8").startswith("# Rollout plan: converged\n")


def test_the_section_rollout_is_heeded(tmp_path: Path) -> None:
    older(tmp_path, KMIN)
    now = tmp_path / "now"
    shutil.copytree(CONVERGED, now)
    with (now / "fabric.yaml").open("a", encoding="utf-8") as stream:
        stream.write(
            "rollout:\n  from: ../older/fabric.yaml\n  window: Sunday 02:00\n  rollback: none\n  stages:\n"
            '    - {devices: "leaf[03-04]", window: now, validate: [counters]}\n'
            "    - {devices: leaf01, validate: none}\n"
        )
    found = json.loads(rocecfg(tmp_path, "plan", now, "--format", "json", expect=0).stdout)
    assert [(s["devices"], s["given"], s["window"], s["validate"]) for s in found["stages"]] == [
        (["leaf03", "leaf04"], True, "now", ["counters"]),
        (["leaf01"], True, "Sunday 02:00", []),
        (["leaf02"], False, "Sunday 02:00", ["counters", "perftest", "nccl-tests"]),
    ]
    assert all(part["save"] == part["rollback"] == [] for s in found["stages"] for part in s["parts"])


def test_an_intent_with_errors_is_not_planned(tmp_path: Path) -> None:
    now = tmp_path / "now"
    shutil.copytree(CONVERGED, now)
    text = (now / "classes.yaml").read_text(encoding="utf-8")
    (now / "classes.yaml").write_text(text.replace("kmin: 300KB", "kmin: 1MB"), encoding="utf-8")
    done = rocecfg(tmp_path, "plan", now, "--running-intent", CONVERGED, expect=2)
    assert "ecn-order" in done.stderr
    assert "nothing planned: fix the intent, or give --no-lint" in done.stderr
    done = rocecfg(tmp_path, "plan", now, "--running-intent", CONVERGED, "--no-lint", expect=2)
    assert "ecn-order: kmin 1MB is above kmax 900KB" in done.stderr
    assert "Nothing could be planned" in done.stdout


def test_what_cannot_be_read_ends_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text("rocecfg: 1\nclasses: [\n", encoding="utf-8")
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", "old.yaml", expect=2)
    assert "old.yaml:" in done.stderr
    assert "Traceback" not in done.stderr
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", "missing.yaml", expect=2)
    assert "missing.yaml" in done.stderr


def test_new_and_vanished_devices_are_told(tmp_path: Path) -> None:
    then = older(tmp_path, ("spines.yaml", '"spine[01-02]":', '"spine[02-03]":'), ("cabling.csv", "spine01", "spine03"))
    found = json.loads(
        rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", then, "--format", "json", expect=0).stdout
    )
    assert (found["absent"], found["gone"]) == (["spine01"], ["spine03"])
    text = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", then, expect=0).stdout
    assert "not in this plan: spine01 (new, the older intent does not have them)" in text


def test_a_device_that_changes_its_system_is_refused(tmp_path: Path) -> None:
    then = older(tmp_path, ("leaves.yaml", "vendor: spectrum", "vendor: arista"))
    done = rocecfg(tmp_path, "plan", CONVERGED, "--running-intent", then, "--no-lint", expect=2)
    assert "leaf[01-02]: goes from arista to spectrum" in done.stderr


@pytest.mark.parametrize(
    ("options", "why"),
    [(("--vendor", "sonic"), "the intent names no ports for it"), ((), "the intent names no vendor for it")],
)
def test_a_policy_has_no_older_one(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    """It names no ports, so that nothing differs must not be read as nothing to do."""
    text = (ROOT / "examples" / "policy" / "fabric.yaml").read_text(encoding="utf-8")
    (tmp_path / "old.yaml").write_text(text.replace("kmin: 400KB", "kmin: 300KB"), encoding="utf-8")
    (tmp_path / "new.yaml").write_text(text, encoding="utf-8")
    done = rocecfg(tmp_path, "plan", "new.yaml", "--running-intent", "old.yaml", *options, expect=2)
    assert why in done.stderr
    assert "Nothing to do" not in done.stdout
