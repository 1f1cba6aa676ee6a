"""All the way round: an intent, rendered, read, imported and rendered again; and configurations of other people."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from importing_switches import linted, loaded, meaning
from importing_whole import write_whole

from rocecfg import load
from rocecfg.cli import cli
from rocecfg.importing import Imported, import_intent, read_configurations
from rocecfg.linting.devices import load as load_running
from rocecfg.linting.rendering import render_files
from rocecfg.model import Fabric
from rocecfg.source.document import Sources

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FABRICS = ("auto", "train-256", "rail-1024", "rail-512", "converged")
# What a switch's configuration says of RoCE, whatever it leaves unsaid of speeds, cables and boxes.
ROCE_OF_DEVICE = ("shares",)
ROCE_OF_PORT = ("pfc", "watchdog", "ecn", "trust", "flowcontrol")
SECRETS = ("hunter2", "s3cr3t", "$6$salt", "hashed-password", "sha512", "00:11:22")


def _imported(folder: Path) -> Imported:
    sources = Sources()
    return import_intent(str(folder), read_configurations([str(folder)], sources, None), sources)


def _fabric(text: str) -> Fabric:
    again = loaded(text)
    assert again.errors == []
    # a HwSKU that no profile has is told
    assert [p for p in again.problems if (p.rule, p.severity) != ("schema-undefined", "info")] == []
    assert again.fabric is not None
    return again.fabric


def _roce(fabric: Fabric) -> dict[str, Any]:
    return {
        name: {
            **{key: device[key] for key in ROCE_OF_DEVICE},
            "packets": {point: (queue, *more) for point, (queue, _, *more) in device["packets"].items()},
            "ports": {p: {key: port[key] for key in ROCE_OF_PORT} for p, port in device["ports"].items()},
        }
        for name, device in meaning(fabric).items()
    }


@pytest.mark.parametrize("name", FABRICS)
def test_what_is_rendered_is_imported_as_it_was_meant(tmp_path: Path, name: str) -> None:
    fabric = load(str(EXAMPLES / name / "fabric.yaml"))
    for file in render_files(fabric, None):
        (tmp_path / file.name).write_text(file.text, encoding="utf-8")
    made = _imported(tmp_path)
    again = _fabric(made.text)
    assert made.running.fabric is not None
    assert meaning(again) == meaning(made.running.fabric)
    assert _roce(again) == _roce(fabric)


@pytest.mark.parametrize("name", FABRICS)
def test_whole_switches_are_rendered_again_to_the_same_bytes(tmp_path: Path, name: str) -> None:
    fabric = load(str(EXAMPLES / name / "fabric.yaml"))
    first = write_whole(fabric, tmp_path / "running")
    made = _imported(tmp_path / "running")
    assert not any(secret in made.text for secret in SECRETS)
    again = _fabric(made.text)
    assert made.running.fabric is not None
    assert meaning(again) == meaning(made.running.fabric)
    assert _wires(again) == _wires(fabric)
    second = {file.device: file.text for file in render_files(again, None)}
    assert {switch: _body(text) for switch, text in second.items()} == {s: _body(text) for s, text in first.items()}


def _body(text: str) -> str:
    """What goes to a switch: comments tell what is known of the fabric besides."""
    return re.sub(r"^[#!] .*\n", "", text, flags=re.MULTILINE)


def _wires(fabric: Fabric) -> set[frozenset[tuple[str, str]]]:
    """Every cable between two switches."""
    from rocecfg.core.nodeset import node_set

    switches = {name for device in fabric.devices for name in device.names}
    out: set[frozenset[tuple[str, str]]] = set()
    for link in fabric.links:
        a = [(d, p) for d in node_set(link.a_device) for p in node_set(link.a_port)]
        b = [(d, p) for d in node_set(link.b_device) for p in node_set(link.b_port)]
        out |= {frozenset(ends) for ends in zip(a, b, strict=True) if {end[0] for end in ends} <= switches}
    return out


@pytest.mark.parametrize("form", ["nvue", "commands"])
def test_both_forms_of_nvue_are_one_intent(tmp_path: Path, form: str) -> None:
    fabric = load(str(EXAMPLES / "train-256" / "fabric.yaml"))
    texts = {}
    for file in render_files(fabric, "spectrum", form=form):
        (tmp_path / file.name).write_text(file.text, encoding="utf-8")
        texts[file.name] = file.text
    assert texts
    assert _roce(_fabric(_imported(tmp_path).text)) == _roce(fabric)


# -- configurations of other people ------------------------------------------------------------------------------------

SAMPLES = (
    "eos/avd-5stage-spine-dangling-profile.cfg",
    "eos/avd-platform-mmu.cfg",
    "eos/avd-qos.cfg",
    "eos/real-7260cx-4.19.1F-run-all.cfg",
    "nvue/era-2-8-9-400-core-01.nv",
    "nvue/era-2-8-9-400-core-01.yaml",
    "sonic/buffers-sn4600c-t1-dynamic.json",
    "sonic/qos-arista7060x6-th5.json",
    "sonic/qos-brackets-3_0_1.json",
    "sonic/qos-config-reload-output.json",
    "sonic/qos-dell9332-th3.json",
    "sonic/voq-t2-linecard-newfmt.json",
)


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    folder = shared / "samples"
    if not folder.is_dir():
        pytest.skip(f"no device configurations at {folder}: set ROCECFG_SHARED to the folder that holds samples/")
    return folder


@pytest.mark.parametrize("name", SAMPLES)
def test_real_configurations_come_back_as_they_are(samples: Path, name: str) -> None:
    path = str(samples / name)
    done = CliRunner().invoke(cli, ["import", path])
    assert done.exit_code == 0, done.stderr
    sources = Sources()
    running = load_running(path, [path], sources, None, given=True)
    assert running is not None
    assert running.fabric is not None
    again = _fabric(done.stdout)
    assert linted(done.stdout).failed == []
    (have,), (ran,) = meaning(again).values(), meaning(running.fabric).values()
    if not again.devices[0].classes:  # none is set: what the system does anyway goes without saying
        ran |= {key: {} for key in ("packets", "shares", "numbers")}
        for port in ran["ports"].values():
            port["ecn"] = set()
    ran["ports"] = {name: port for name, port in ran["ports"].items() if name in have["ports"]}
    assert have == ran


def test_real_configurations_together_are_one_fabric(samples: Path) -> None:
    done = CliRunner().invoke(cli, ["import", *(str(samples / name) for name in SAMPLES)])
    assert done.exit_code == 0, done.stderr
    assert len([n for device in _fabric(done.stdout).devices for n in device.names]) == len(SAMPLES)
