"""Real configurations of the five families: every finding was looked at, and stands here with its reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rocecfg.linting import devices
from rocecfg.linting.judge import judge
from rocecfg.source.document import Sources
from rocecfg.vendors import VENDORS

GOLDEN = Path(__file__).parent / "samples_golden.txt"
LINE = re.compile(r"(error|warning|info) ([a-z0-9-]+) (\d+): \S.*")


def expected() -> dict[str, set[tuple[str, str, int]]]:
    """Sample -> (severity, rule, line) of each finding."""
    out: dict[str, set[tuple[str, str, int]]] = {}
    sample = ""
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            sample = line[3:]
            out[sample] = set()
        elif line and not line.startswith("#"):
            found = LINE.fullmatch(line)
            assert found, line
            out[sample].add((found[1], found[2], int(found[3])))
    return out


EXPECTED = expected()


@pytest.mark.conformance
@pytest.mark.parametrize("sample", EXPECTED)
def test_findings_of_a_sample(sample: str, shared: Path) -> None:
    sources = Sources()
    path = str(shared / "samples" / sample)
    loaded = devices.load(path, [path], sources, None, given=True)
    assert loaded is not None
    found, failed = judge(loaded)
    assert not failed
    places = {
        (f.severity, f.rule.name, sources.documents[f.at.doc].place(f.at.start)[0]) for f in found if f.at is not None
    }
    assert places == EXPECTED[sample]


@pytest.mark.conformance
def test_every_sample_is_here(shared: Path) -> None:
    samples = shared / "samples"
    there = {
        str(p.relative_to(samples))
        for system in ("eos", "junos", "nvue", "nxos", "sonic")
        for p in samples.glob(f"{system}/*")
        if p.is_file() and p.name != "README.md"
    }
    assert set(EXPECTED) == there


@pytest.mark.conformance
def test_all_samples_are_one_fabric_of_all_vendors(shared: Path) -> None:
    sources = Sources()
    paths = sorted(str(shared / "samples" / sample) for sample in EXPECTED)
    loaded = devices.load(str(shared / "samples"), paths, sources, None, given=True)
    assert loaded is not None
    assert loaded.fabric is not None
    assert {device.vendor for device in loaded.fabric.devices} == set(VENDORS) - {
        "srlinux"
    }  # whose samples are read in tests/vendors
    assert len({name for device in loaded.fabric.devices for name in device.names}) >= len(EXPECTED)
    assert not judge(loaded)[1]
