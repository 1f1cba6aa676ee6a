"""From Python: load, lint and render, as pure functions over plain values."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, run
from intents import FABRIC, POLICY, write

import rocecfg
from rocecfg.linting.judge import RuleFailed
from rocecfg.model import Fabric
from rocecfg.source.document import SourceError
from rocecfg.vendors.base import CannotRender


def load(folder: Path, text: str, files: dict[str, str | bytes] | None = None, **options: str) -> Fabric:
    write(folder, {"fabric.yaml": text, **(files or {})})
    return rocecfg.load(str(folder / "fabric.yaml"), **options)


def test_a_fabric_is_loaded_linted_and_rendered(tmp_path: Path) -> None:
    fabric = load(tmp_path, FABRIC)
    assert isinstance(fabric, Fabric)
    assert [f.rule.name for f in rocecfg.lint(fabric)] == ["nos-erratum"]  # of release and chip: no intent avoids it
    sonic, arista = rocecfg.render(fabric, "sonic"), rocecfg.render(fabric, "arista")
    assert list(sonic) == ["leaf01.json", "leaf02.json"]
    assert list(arista) == ["spine01.cfg", "spine02.cfg"]
    assert '"DSCP_TO_TC_MAP"' in sonic["leaf01.json"]
    assert rocecfg.render(fabric, "spectrum") == {}


def test_findings_are_values(tmp_path: Path) -> None:
    fabric = load(tmp_path, POLICY.replace("bandwidth: 40}", "bandwidth: 30}"))
    found = rocecfg.lint(fabric)
    assert [(f.rule.name, f.severity) for f in found] == [("ets-sum", "error")]
    assert rocecfg.lint(fabric) == rocecfg.lint(fabric)


def test_loading_leaves_nothing_behind(tmp_path: Path) -> None:
    first = load(tmp_path, FABRIC)
    texts = rocecfg.render(first, "sonic")
    load(tmp_path, FABRIC.replace("priority: 3", "priority: 4"))
    assert rocecfg.render(first, "sonic") == texts
    assert rocecfg.render(load(tmp_path, FABRIC), "sonic") == texts


def test_a_vendor_may_be_given(tmp_path: Path) -> None:
    fabric = load(tmp_path, POLICY, vendor="spectrum")
    assert list(rocecfg.render(fabric, "spectrum")) == ["lab-spectrum.yaml"]


def test_fabrics_and_findings_travel_between_processes(tmp_path: Path) -> None:
    fabric = load(tmp_path, FABRIC.replace("bandwidth: 60", "bandwidth: 50"))
    copy = pickle.loads(pickle.dumps(fabric))  # noqa: S301 - our own bytes
    assert rocecfg.render(copy, "sonic") == rocecfg.render(fabric, "sonic")
    found = rocecfg.lint(fabric)
    assert found
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own bytes
    assert [f.message for f in rocecfg.lint(copy)] == [f.message for f in found]


@pytest.mark.parametrize(
    ("there", "instead", "place"),
    [
        ("priority: 3", "priority: 9", "fabric.yaml:4:50: 9 is not a whole number from 0 to 7"),
        ("kmin: 400KB", "kmin: 400", "fabric.yaml:5:25: 400 has no unit"),
        ("name: lab", "nam: lab", "fabric.yaml:2:10: unknown key 'nam' in fabric"),
    ],
)
def test_what_is_wrong_raises_with_its_place(there: str, instead: str, place: str, tmp_path: Path) -> None:
    with pytest.raises(rocecfg.IntentError) as caught:
        load(tmp_path, POLICY.replace(there, instead))
    assert str(caught.value) == f"{tmp_path}{os.sep}{place}"


def test_a_warning_does_not_stop_loading(tmp_path: Path) -> None:
    fabric = load(tmp_path, POLICY.replace("lossless: true", "lossless: on"))
    assert fabric.devices[0].cls("rdma").lossless


@pytest.mark.parametrize("text", ["rocecfg: [", b"rocecfg: \xff", "rocecfg: 1\ninclude: fabric.yaml\n"])
def test_what_cannot_be_read_raises(text: str | bytes, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": text})
    with pytest.raises(SourceError) as caught:
        rocecfg.load(str(tmp_path / "fabric.yaml"))
    assert str(caught.value).startswith(f"{tmp_path}{os.sep}fabric.yaml:")


def test_a_file_that_is_not_there_raises(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="No such file"):
        rocecfg.load(str(tmp_path / "nope.yaml"))
    with pytest.raises(SourceError, match="is not a file"):
        rocecfg.load(str(tmp_path))


def test_what_cannot_be_rendered_raises(tmp_path: Path) -> None:
    with pytest.raises(CannotRender, match="names no vendor"):
        rocecfg.render(load(tmp_path, POLICY), "sonic")


def test_a_rule_that_breaks_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocecfg.rules import BY_NAME

    def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(BY_NAME["ets-sum"], "check", breaks)
    with pytest.raises(RuleFailed, match="ets-sum"):
        rocecfg.lint(load(tmp_path, POLICY))


def test_importing_costs_nothing() -> None:
    """The package itself loads no more than its version and its functions."""
    done = subprocess.run(
        [sys.executable, "-c", "import sys, rocecfg; print(sorted(m for m in sys.modules if m.startswith('rocecfg')))"],
        env=clean_environment(PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['rocecfg']"


# Loads an intent while a thread compiles patterns, and looks at `re.compile` wherever Python is about to import.
BESIDE = """
import re, sys, threading
mine = re.compile
swapped, wrong, done = [], [], threading.Event()
sys.addaudithook(lambda event, _: event == "import" and re.compile is not mine and swapped.append(event))

def compile_all():
    number = 0
    while not done.is_set():
        number += 1
        try:
            re.match(re.compile(f"a{number}"), "b")
        except Exception as error:
            wrong.append(repr(error))

thread = threading.Thread(target=compile_all)
thread.start()
try:
    import rocecfg
    rocecfg.load(sys.argv[1])
finally:
    done.set()
    thread.join()
assert "yaml" in sys.modules, "the intent was not read by PyYAML"
print(f"{len(wrong)} errors beside it, {len(swapped)} imports with another re.compile")
sys.exit(bool(wrong or swapped or re.compile is not mine))
"""


def test_the_first_load_leaves_re_compile_to_other_threads(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    run(sys.executable, "-c", BESIDE, "fabric.yaml", cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT)))


def test_the_types_of_what_is_given_and_raised_are_at_the_top(tmp_path: Path) -> None:
    fabric = load(tmp_path, FABRIC)
    device = fabric.devices[0]
    assert (type(fabric), type(device), type(device.ports[0])) == (rocecfg.Fabric, rocecfg.Device, rocecfg.PortGroup)
    assert all(isinstance(finding, rocecfg.Finding) for finding in rocecfg.lint(fabric))
    for name in rocecfg.__all__:
        assert getattr(rocecfg, name).__class__ is not None
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = rocecfg.Nothing
