"""Plans from what switches run: three systems, each in its own terms, and what is said of what is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from rollout_cases import LOSSY, MARKED, MOVED, RDMA, clos, intent, planned, rocecfg

from rocecfg.drift.intended import read_switches
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.rollout import markdown
from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.statements import join_words, parse_statements

QFX = 'defaults: {vendor: junos, platform: juniper-qfx5240-64od, version: {junos: "23.4R2"}}'
OTHERS = {
    "spectrum": ('defaults: {vendor: spectrum, platform: nvidia-sn5600, version: {spectrum: "5.14"}}', "swp"),
    "arista": ('defaults: {vendor: arista, platform: arista-7060x6-64pe, version: {arista: "4.33.2F"}}', "/1"),
    "junos": (f"{QFX}\nbuffers: {{queue_limit: 4MB}}", "et"),
}
SONIC = 'defaults: {vendor: sonic, platform: arista-7060x6-64pe, version: {sonic: "202511"}}'


def of(vendor: str, text: str) -> str:
    """An intent for another system: its defaults, and its names of ports."""
    if vendor == "sonic":
        return text
    defaults, name = OTHERS[vendor]
    assert SONIC in text
    text = text.replace(SONIC, defaults)
    for n in range(64, -1, -1):
        port = {"swp": f"swp{n + 1}", "et": f"et-0/0/{n}"}.get(name, f"Ethernet{n + 1}/1")
        for after in (":", '"'):
            text = text.replace(f"Ethernet{8 * n}{after}", f"<{port}>{after}")
    return text.replace("<", "").replace(">", "").replace(", restoration_time: 400ms", "")


def run(folder: Path, old: str, new: str) -> Path:
    """A folder with what the switches run by an older intent, and the new intent beside it."""
    case = planned(folder, old, new)
    (folder / "run").mkdir()
    for name, one in case.differing.items():
        text = re.sub('"hostname": "[^"]*"', f'"hostname": "{name}"', one.found.document.text)
        (folder / "run" / f"{name}.cfg").write_text(text, encoding="utf-8")
    return folder / "new.yaml"


def plan(folder: Path, *arguments: object, expect: int = 0) -> Any:
    done = rocecfg(folder, "plan", *arguments, "--format", "json", "--no-lint", expect=expect)
    return json.loads(done.stdout)


def test_the_plan_is_the_same_whichever_way_it_is_told_what_runs(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    new = run(tmp_path, intent(MOVED, *fabric), intent(RDMA, *fabric))
    by_intent = plan(tmp_path, new, "--running-intent", "old.yaml")
    by_switch = plan(tmp_path, new, "--running", "run")
    assert by_switch["from"] is None
    assert by_switch["stages"] == by_intent["stages"]
    assert by_switch["changes"] == by_intent["changes"]


def test_a_switch_without_a_configuration_is_not_planned_and_said(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    new = run(tmp_path, intent(MARKED, *fabric), intent(RDMA, *fabric))
    found = plan(tmp_path, new, "--running", "run/leaf1.cfg", "run/spine1.cfg")
    assert [stage["devices"] for stage in found["stages"]] == [["leaf1"], ["spine1"]]
    assert found["absent"] == ["leaf2"]
    text = rocecfg(tmp_path, "plan", new, "--running", "run/leaf1.cfg", "--no-lint", expect=0).stdout
    assert "not in this plan: leaf2,spine1 (no running configuration was given)" in text


def test_a_configuration_that_cannot_be_read_makes_the_plan_partial(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    new = run(tmp_path, intent(MARKED, *fabric), intent(RDMA, *fabric))
    (tmp_path / "run" / "leaf2.cfg").write_text('{"PORT": {', encoding="utf-8")
    found = plan(tmp_path, new, "--running", "run/leaf1.cfg", "--running", "run/leaf2.cfg", expect=2)
    assert [stage["devices"] for stage in found["stages"]] == [["leaf1"]]
    assert "leaf2.cfg" in found["refused"][0]


def test_configurations_of_strangers_are_no_plan(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=1)
    new = run(tmp_path, intent(MARKED, *fabric), intent(RDMA, *fabric))
    (tmp_path / "run" / "leaf1.cfg").rename(tmp_path / "other.json")
    text = (tmp_path / "other.json").read_text(encoding="utf-8")
    (tmp_path / "other.json").write_text(text.replace('"leaf1"', '"other"'), encoding="utf-8")
    done = rocecfg(tmp_path, "plan", new, "--running", "other.json", "--no-lint", expect=2)
    assert "nothing to plan: no configuration is of a device of the intent" in done.stderr


@pytest.mark.parametrize("change", [(RDMA, MOVED), (LOSSY, RDMA), (MARKED, RDMA)], ids=["moves", "comes", "ecn"])
@pytest.mark.parametrize("vendor", OTHERS)
def test_one_commit_holds_the_whole_change(tmp_path: Path, vendor: str, change: tuple[str, str]) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, *(of(vendor, intent(rdma, *fabric)) for rdma in change))
    part = case.plan.stages[0].parts[0]
    (act,) = part.acts
    one = case.differing["leaf1"]
    text = one.found.document.text
    if vendor == "spectrum":
        text = "\n".join(_commands(text)) + "\n"
    if vendor == "junos":
        text = "".join(f"set {join_words(line.words)}\n" for line in parse_statements(one.found.document).active)
    text += "".join(f"{line}\n" for line in act.step.lines)
    (switch,) = read_switches(Document(one.found.document.number, "after", text), one.meant.device)
    left = {
        port: wanted for port, wanted in wanted_of(SwitchComparer().find_differing(one.meant, switch)).items() if wanted
    }
    assert not left


def _commands(text: str) -> list[str]:
    """Operations of NVUE as the commands that say the same."""
    out: list[str] = []

    def walk(verb: str, path: list[str], node: object) -> None:
        if isinstance(node, dict) and node:
            for key, value in node.items():
                walk(verb, [*path, str(key)], value)
        else:
            out.append(" ".join(["nv", verb, *path, *([] if node in ({}, None) else [str(node)])]))

    for operation in yaml.load(text, yaml.BaseLoader):  # noqa: S506 - scalars stay text
        for verb, tree in operation.items():
            if verb in ("set", "unset"):
                walk(verb, [], tree)
    return out


@pytest.mark.parametrize(
    ("vendor", "save", "back", "seen"),
    [
        (
            "sonic",
            "sudo config checkpoint rocecfg-stage-1",
            "sudo cp /etc/sonic/config_db.rocecfg-stage-1.json /etc/sonic/config_db.json",
            "show pfcwd stats",
        ),
        ("spectrum", "nv config history", 'nv config apply "$REV"', "nv show interface swp1 qos pfc-watchdog"),
        (
            "arista",
            "configure checkpoint save rocecfg-stage-1",
            "configure replace checkpoint:rocecfg-stage-1",
            "show priority-flow-control counters watchdog",
        ),
        (
            "junos",
            "show configuration | save rocecfg-stage-1.conf",
            "configure exclusive",
            "show class-of-service congestion-notification",
        ),
    ],
)
def test_each_system_is_saved_checked_and_returned_in_its_own_words(
    tmp_path: Path, vendor: str, save: str, back: str, seen: str
) -> None:
    fabric = clos(leaves=2, spines=1)
    case = planned(tmp_path, *(of(vendor, intent(rdma, *fabric)) for rdma in (LOSSY, RDMA)))
    part = case.plan.stages[0].parts[0]
    assert part.save[0].startswith(save)
    assert part.back[0] == back
    assert seen in part.verify


@pytest.mark.parametrize(
    ("version", "drain"),
    [
        ("5.12", "nv set router bgp graceful-shutdown on"),
        ("5.14", "nv set maintenance unit all-protocols mode enabled"),
    ],
)
def test_cumulus_is_drained_as_its_release_can(tmp_path: Path, version: str, drain: str) -> None:
    fabric = clos(leaves=2, spines=1)
    texts = [of("spectrum", intent(rdma, *fabric)).replace('"5.14"', f'"{version}"') for rdma in (RDMA, MOVED)]
    part = planned(tmp_path, *texts).plan.stages[0].parts[0]
    assert part.drain == (drain, "nv config apply")


SAVES = re.compile(r"(sudo config save -y|nv config save|copy running-config startup-config)$")  # of all that runs
_OLDER = ("spectrum", '"5.14"', '"5.8"')  # whose nv config apply saves nothing


@pytest.mark.parametrize("vendor", ["sonic", *OTHERS, "older"])
def test_it_is_saved_once_and_when_traffic_is_back(tmp_path: Path, vendor: str) -> None:
    """What drains a switch is a part of its configuration: saved before it is taken back, a reboot brings it back."""
    fabric = clos(leaves=2, spines=1)
    of_it, *release = _OLDER if vendor == "older" else (vendor, "", "")
    texts = [of(of_it, intent(rdma, *fabric)).replace(*release) for rdma in (RDMA, MOVED)]
    case = planned(tmp_path, *texts)
    part = case.plan.stages[0].parts[0]
    assert part.drain
    assert part.undrain
    for act in part.acts:
        assert not any(SAVES.search(text) for text in (act.step.how, act.step.told, *act.step.lines))
    told = [line.strip() for line in markdown.render(case.plan).splitlines()]
    one = told[: told.index("### Verify")]
    saves = [at for at, line in enumerate(one) if SAVES.search(line)]
    if vendor == "junos":
        assert (saves, part.keep) == ([], ())
        assert "Nothing to save" in part.keep_note
        assert f"- {part.keep_note}" in one
    else:
        assert len(saves) == len([each for each in case.plan.stages[0].parts if each.keep])
        assert len(part.keep) == 1
        assert saves[0] > max(at for at, line in enumerate(one[: saves[0]]) if line in part.undrain)
    if of_it == "spectrum":
        assert ("saves by itself" in part.keep_note) == (vendor == "spectrum")
        assert "--confirm" in part.acts[0].step.how
