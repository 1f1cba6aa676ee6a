"""A part of a configuration is told as one, on each system, and what it lacks is no finding; a whole one is whole."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import eos_sound
import nvue_sound
import pytest
from intents import rocecfg
from junos_text import INTENTS, rendered
from loops import loop
from one_switch import findings_of, loaded_as, only_device

from rocecfg.model import Running

NAMES = {"arista": "leaf01.cfg", "spectrum": "leaf01.yaml", "junos": "leaf01.conf"}


def running(vendor: str, text: str) -> Running:
    of = only_device(loaded_as(vendor, NAMES[vendor], text)[0]).running
    assert of is not None
    return of


def told(vendor: str, text: str) -> set[tuple[str, str]]:
    """What is found at warning or above."""
    found = findings_of(loaded_as(vendor, NAMES[vendor], text)[0])
    return {(f.rule.name, f.message) for f in found if f.severity != "info"}


PARTS = {  # texts that users give, and the subjects that they are silent on
    ("arista", "hostname leaf01\npriority-flow-control pause watchdog action drop\n"): (
        "PFC",
        "ECN",
        "queues",
        "ports",
    ),
    ("arista", "hostname leaf01\nqos map dscp 26 to traffic-class 3\n"): ("PFC", "the PFC watchdog", "ECN"),
    (
        "arista",
        "! Command: show running-config section qos\nhostname leaf01\ninterface Ethernet1\n   qos trust dscp\n",
    ): ("PFC", "ECN"),
    ("arista", "interface Ethernet1\n   priority-flow-control on\n"): ("the PFC watchdog", "ECN", "queues"),
    ("spectrum", "- set:\n    system: {hostname: leaf01}\n    qos:\n      roce: {mode: lossless}\n"): ("ports",),
    ("spectrum", "- set:\n    interface:\n      swp1: {qos: {pfc: {profile: P}}}\n"): ("ECN", "queues", "buffers"),
    ("spectrum", "nv set qos pfc default-global switch-priority 3\n"): ("the PFC watchdog", "ECN", "ports"),
    ("spectrum", "nv set interface swp1-2 link mtu 9216\n"): ("PFC", "the PFC watchdog", "ECN", "queues", "maps"),
    ("spectrum", "- set:\n    interface:\n      swp1: {link: {mtu: 9216}}\n"): ("PFC", "ECN"),
    ("junos", "set system host-name leaf01\nset class-of-service forwarding-classes class R queue-num 3 no-loss\n"): (
        "PFC",
        "the PFC watchdog",
        "ECN",
        "ports",
    ),
    ("junos", "set system host-name leaf01\nset interfaces em0 unit 0 family inet dhcp\n"): ("PFC", "ports"),
}


@loop("given", PARTS)
def test_a_part_says_what_it_is_silent_on(given: tuple[str, str], tmp_path: Path) -> None:
    vendor, text = given
    of = running(vendor, text)
    assert not of.whole
    absent = {each.partition(" (")[0] for each in of.absent}
    assert absent >= set(PARTS[given]), absent
    (tmp_path / NAMES[vendor]).write_text(text, encoding="utf-8")
    last = rocecfg(tmp_path, "lint", "--no-config", NAMES[vendor]).stdout.splitlines()[-1]
    assert "only part of a configuration, not checked: " in last
    assert not any(word in last.partition("not checked: ")[2] for word in ("hostname", "host-name"))


def soundly(folder: Path) -> Iterator[tuple[str, str]]:
    for name in ("LEAF", "SPINE", "MIXED", "GUIDE", "SORTED"):
        yield "arista", getattr(eos_sound, name)
    yield "spectrum", nvue_sound.LEAF
    yield "junos", "system { host-name leaf01; }\n" + rendered(next(iter(INTENTS.values())), folder)


def test_a_whole_configuration_stays_whole(tmp_path: Path) -> None:
    for vendor, text in soundly(tmp_path):
        of = running(vendor, text)
        assert (of.whole, of.absent) == (True, ()), text[:300]


CUT = {  # texts with the name and the ports of a switch, and the subjects that they have no line on
    ("arista", "hostname leaf01\ninterface Ethernet1\n   mtu 9214\n"): ("PFC", "ECN", "queues", "maps"),
    ("spectrum", "nv set system hostname leaf01\nnv set interface swp1 link mtu 9216\n"): ("PFC", "ECN", "maps"),
    ("junos", "set system host-name leaf01\nset interfaces et-0/0/0 mtu 9216\n"): ("PFC", "ECN", "queues", "maps"),
    (
        "sonic",
        '{"DEVICE_METADATA": {"localhost": {"hwsku": "ACS-MSN2700"}}, "PORT": {"Ethernet0": {}}}',
    ): ("PFC", "the PFC watchdog", "ECN", "queues"),
}


@loop("given", CUT)
def test_what_looks_whole_says_what_it_has_no_line_on(given: tuple[str, str], tmp_path: Path) -> None:
    vendor, text = given
    name = {**NAMES, "sonic": "config_db.json"}[vendor]
    (tmp_path / name).write_text(text, encoding="utf-8")
    last = rocecfg(tmp_path, "lint", "--no-config", name).stdout.splitlines()[-1]
    head, _, told = last.partition("; syntax not checked")[0].partition("; no line on ")
    assert "part of a configuration" not in head, last
    assert told.endswith(": checked as not set, which is wrong if the file is only a part"), last
    assert all(f"{subject} (" in told for subject in CUT[given]), last
    assert ("buffers (" in told) is (vendor == "sonic"), last  # which others may leave to the system


@pytest.mark.skipif("ROCECFG_SHARED" not in os.environ, reason="ROCECFG_SHARED names no folder with published samples")
def test_published_configurations_are_whole() -> None:
    samples = Path(os.environ["ROCECFG_SHARED"]) / "samples"
    for vendor, name in (
        ("arista", "eos/avd-5stage-spine-dangling-profile.cfg"),
        ("arista", "eos/real-7260cx-4.19.1F-run-all.cfg"),
        ("junos", "junos/inference-leaf1-qfx5130.conf"),
        ("junos", "junos/mtb-spine1-qfx5240.conf"),
        ("spectrum", "nvue/era-2-8-9-400-core-01.nv"),
    ):
        text = (samples / name).read_text(encoding="utf-8")
        assert running(vendor, text).whole, name


WHO = r"(?m)^(?:! Command.*|! device.*|hostname .*|set system .*)\n"  # what says which switch a text is of
LEFT = r"(?m)^[a-z].*\n(?:^ .*\n)*"  # a block at the left edge
OF_QOS = r"(?m)^ {6}[a-z-]+:.*\n(?:^ {8}.*\n)*"  # what is below `qos` of NVUE


SAID = {"device-ref", "ecn-vendor-default"}  # others of the kind are there; `qos roce` sets a curve by itself


def parts(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Parts of sound configurations, each with the texts that are left of it without one of its blocks."""
    for vendor, text in soundly(folder):
        if vendor == "arista":
            part = re.sub(WHO, "", text)
            found = [match.group() for match in re.finditer(LEFT, part)]
            yield vendor, part, [part.replace(block, "") for block in found]
    for text in (nvue_sound.LEAF, nvue_sound.STATED):
        part = "- set:\n    qos:\n" + "".join(re.findall(OF_QOS, text.partition("\n    qos:\n")[2]))
        yield "spectrum", part, [part.replace(block, "") for block in re.findall(OF_QOS, part)]
    part = re.sub(WHO, "", rendered(next(iter(INTENTS.values())), folder, "set"))
    kinds = dict.fromkeys(" ".join(line.split()[:3]) for line in part.splitlines() if line.startswith("set "))
    yield "junos", part, [re.sub(rf"(?m)^{re.escape(kind)} .*\n", "", part) for kind in kinds]


def test_a_part_of_a_sound_configuration_is_sound(tmp_path: Path) -> None:
    """Whatever block it lacks, of a text that does not say which switch it is of."""
    for vendor, part, without in parts(tmp_path):
        assert not running(vendor, part).whole
        before = told(vendor, part)
        assert len(without) > 2
        for less in without:
            new = {rule for rule, _ in told(vendor, less) - before} - SAID
            assert not new, (vendor, new, set(part.splitlines()) - set(less.splitlines()))
