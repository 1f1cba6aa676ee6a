"""A whole switch as NVIDIA published it, in both forms: read alike, and as a person reads it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from nvue_text import device, lint, loaded, on, switch
from same_model import ASPECTS, differences

from rocecfg.model import Device

FORMS = ("yaml", "nv")


@pytest.fixture(scope="module")
def texts(shared: Path) -> dict[str, str]:
    folder = shared / "samples" / "nvue"
    return {form: (folder / f"era-2-8-9-400-core-01.{form}").read_text(encoding="utf-8") for form in FORMS}


@pytest.fixture(scope="module")
def core(texts: dict[str, str]) -> Device:
    return device(texts["yaml"])


def test_both_forms_are_one_model(texts: dict[str, str], core: Device) -> None:
    other = device(texts["nv"], "5.13.0")
    assert differences(core, other, ASPECTS) == []
    assert other == core
    for a, b in zip(core.ports, other.ports, strict=True):
        assert replace(a, names=(), key="") == replace(b, names=(), key="")
        assert a.names == b.names


def test_the_header_names_the_release(texts: dict[str, str], core: Device) -> None:
    assert core.version == "5.13.0"
    assert device(texts["nv"]).version is None  # commands have no header
    assert switch(texts["yaml"]).name == switch(texts["nv"]).name == "core-01"


def test_ports_are_the_parts_of_those_broken_out(core: Device) -> None:
    names = [name for group in core.ports for name in group.names]
    assert len(names) == len(set(names))
    # 4x: swp1-3, 52-53; 2x: swp4-51; 8x: swp55, 57, 61, 63; off: swp56, 58, 62, 64; nothing said of swp54, 59, 60
    assert sum(n.startswith("swp1s") for n in names) == 4
    assert sum(n.startswith("swp51s") for n in names) == 2
    assert sum(n.startswith("swp61s") for n in names) == 8
    assert not {"swp1", "swp4", "swp55", "swp56", "swp64", "swp54", "eth0", "lo", "vlan200", "bond1s0"} & set(names)
    assert len(names) == 5 * 4 + 48 * 2 + 4 * 8


def test_roce_is_expanded(core: Device) -> None:
    assert {c.name for c in core.classes} == {f"sp{n}" for n in range(8)}
    sp3, sp6, sp0 = core.cls("sp3"), core.cls("sp6"), core.cls("sp0")
    assert sp3.dscps == tuple(range(24, 32))
    assert (sp3.priority, sp3.queue, sp3.lossless, sp3.carries) == (3, 3, True, ("rdma",))
    assert (sp6.dscps, sp6.queue, sp6.strict, sp6.ecn) == (tuple(range(48, 56)), 6, True, None)
    assert {core.cls(f"sp{n}").queue for n in (0, 1, 2, 4, 5, 7)} == {0}
    assert (sp3.bandwidth, sp0.bandwidth) == (50, 50)
    for marked in (sp3, sp0):
        assert not isinstance(marked.ecn, str)
        assert marked.ecn is not None
        assert (marked.ecn.kmin, marked.ecn.kmax, marked.ecn.pmax) == (150_000, 1_500_000, 100)
    assert {(p.pfc, p.cable, p.trust, p.mtu, p.headroom) for p in core.ports} == {((3,), 100.0, "dscp", 9216, "auto")}


def test_pools(core: Device) -> None:
    assert (core.buffers.lossless_pool, core.buffers.lossy_pool) == (90, 10)
    assert core.running is not None
    assert {(p.name, p.percent, p.lossless) for p in core.running.pools} == {
        ("default-lossy", 10, False),
        ("roce-lossless", 90, True),
    }
    assert core.running.whole
    assert core.running.tunnels
    assert core.running.copies_dscp


def test_the_watchdog_is_on_ports_to_gpus_alone(core: Device) -> None:
    watched = {name for p in core.ports if p.watchdog is not None for name in p.names}
    assert watched == {f"swp{n}s{lane}" for n in range(4, 28) for lane in (0, 1)}
    dog = next(p.watchdog for p in core.ports if p.watchdog is not None)
    assert (dog.detection, dog.restoration, dog.poll, dog.action, dog.priorities) == (300, 100, 100, "drop", (3,))


def test_links_bonds_and_layers(core: Device) -> None:
    of = {name: p for p in core.ports for name in p.names}
    assert (of["swp4s0"].layer, of["swp1s0"].layer, of["swp28s0"].layer, of["swp61s0"].layer) == (2, 2, 3, 3)
    assert (of["swp1s0"].lag, of["swp57s7"].lag, of["swp4s0"].lag) == ("bond1s0", "bond57s7", None)
    assert of["swp4s0"].speed is None
    assert on(core, "swp28s1")["sp3"].lossless


@pytest.mark.parametrize("form", FORMS)
def test_findings(texts: dict[str, str], form: str) -> None:
    """NVIDIA's own reference leaves ports between switches, to storage and out of the fabric without watchdog."""
    found = lint(texts[form])
    assert {(reported.rule, reported.severity) for reported in found if reported.rule != "nvue-breakout-apply"} == {
        ("watchdog-missing", "warning"),
        ("ecn-vendor-default", "warning"),
        ("nvue-default-map", "info"),
    }
    assert ("nvue-breakout-apply" in {reported.rule for reported in found}) == (
        form == "nv"
    )  # the YAML is what a switch wrote
    missing = next(reported for reported in found if reported.rule == "watchdog-missing")
    assert missing.help == "nv set interface PORTS qos pfc-watchdog state enable"
    line = texts[form].splitlines()[missing.line - 1]
    assert "swp28s0-1" in line


@pytest.mark.parametrize("form", FORMS)
def test_a_published_core_is_without_error(texts: dict[str, str], form: str) -> None:
    """Its ports to GPUs are watched; with theirs off, too, nothing ends a storm there, and that is an error."""
    assert "error" not in {reported.severity for reported in lint(texts[form])}
    words = ("state: enable", "state: disable") if form == "yaml" else ("state enable", "state disable")
    (reported,) = (reported for reported in lint(texts[form].replace(*words)) if reported.rule == "watchdog-missing")
    assert reported.severity == "error"


def test_a_port_of_the_kind_that_is_watched_lacks_one(texts: dict[str, str]) -> None:
    text = texts["yaml"].replace("swp27s0-1\n      : bridge", "swp27s0\n      : bridge")
    text += "- set: {interface: {swp27s1: {bridge: {domain: {br_default: {access: 900}}}}}}\n"
    found = {reported.severity: reported.message for reported in lint(text) if reported.rule == "watchdog-missing"}
    assert set(found) == {"error", "warning"}
    assert "the 47 that do are switched ports outside LAGs" in found["warning"]


@pytest.mark.parametrize("form", FORMS)
def test_no_secret_and_no_name_of_a_user_is_repeated(texts: dict[str, str], form: str) -> None:
    fabric, _ = loaded(texts[form].replace("REDACTED", "hunter2"))
    assert "hunter2" not in repr(fabric.fabric) + repr(fabric.problems)
