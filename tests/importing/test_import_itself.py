"""What is imported does not differ from what it was imported from, or import says in what."""

from __future__ import annotations

from pathlib import Path

import pytest
from imported import check_import
from importing_whole import write_whole
from intents import rocecfg
from sampling import part

from rocecfg import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FABRICS = ("auto", "train-256", "rail-512", "converged")
SYSTEMS = ("sonic", "nvue", "eos", "junos")


@pytest.mark.parametrize("name", FABRICS)
def test_examples(tmp_path: Path, name: str) -> None:
    write_whole(load(str(EXAMPLES / name / "fabric.yaml")), tmp_path / "running")
    files = sorted(path for path in (tmp_path / "running").iterdir() if path.is_file())
    for number, path in enumerate(part(files, "rocecfg/importing")):
        check_import(path, tmp_path / str(number))


@pytest.mark.conformance
@pytest.mark.parametrize("system", SYSTEMS)
def test_configurations_of_other_people(shared: Path, tmp_path: Path, system: str) -> None:
    folder = shared / "samples" / system
    for number, path in enumerate(sorted(path for path in folder.iterdir() if path.is_file())):
        if path.suffix != ".md":
            check_import(path, tmp_path / str(number))


def test_a_switch_without_class_of_service_keeps_its_own_classes(tmp_path: Path) -> None:
    """Nothing replaces its forwarding classes, which are Junos's own, and no port gets a classifier without entries."""
    running = "set system host-name leaf1\nset interfaces et-0/0/0 mtu 9216\n"
    running += "set interfaces et-0/0/0 unit 0 family inet address 192.0.2.1/31\n"
    (tmp_path / "leaf1.conf").write_text(running, encoding="utf-8")
    check_import(tmp_path / "leaf1.conf", tmp_path / "made")
    for form in ([], ["--as", "set"]):
        done = rocecfg(tmp_path / "made", "render", "fabric.yaml", "--vendor", "junos", *form, expect=0)
        lines = [line for line in done.stdout.splitlines() if not line.startswith("#")]
        assert not [line for line in lines if "class-of-service" in line or "forwarding-classes" in line]
        assert any("9216" in line for line in lines)
