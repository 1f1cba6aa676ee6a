"""Files of public projects, each with the links that it amounts to: samples/topology has sources and licences."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from cables import cabling_of
from loops import loop

from rocecfg.cabling import CONTRADICTORY, LEFT_OUT, CableEnd, Cabling
from rocecfg.source.document import Sources

SAMPLES = {
    "air-era-243": "air/era-243.json",
    "avd-single-dc": "avd/single-dc-topology.csv",
    "avd-single-dc-structured": "avd/single-dc-structured/*",
    "batfish-evpn-l3": "batfish/*",
    "clab-clos02": "containerlab/clos02.clab.yml",
    "cumulus-dual-evpn": "cumulus/dual-evpn/*",
    "cumulus-lldpctl-leaf02": "cumulus/leaf02.lldpctl.json",
    "cumulus-nv-leaf01": "cumulus/leaf01.nv-show-interface-lldp.json",
    "descr-connected-security": "descriptions/connected-security/*",
    "dot-era-243": "dot/era-243.dot",
    "eos-arista1": "eos/arista1.*",
    "eos-fabric": "eos/fabric/*",
    "eos-lab1": "eos/lab1.*",
    "eos-leaf7": "eos/leaf7.*",
    "junos-fabric": "junos/fabric/*",
    "junos-mx1": "junos/mx1.*",
    "junos-vmx1": "junos/vmx1.*",
    "minigraph-2700-t0": "sonic/mellanox-2700-t0.minigraph.xml",
    "nautobot-rest": "nautobot/cables.json",
    "netbox-export": "netbox/cables-export.csv",
    "netbox-graphql": "netbox/graphql-cables.json",
    "netbox-rest": "netbox/cables.json",
    "nxos-fabric": "nxos/fabric/*",
    "nxos-n9k1": "nxos/n9k1.*",
    "sonic-lab-links": "sonic/sonic_lab_links.csv",
    "sonic-lldpctl": "sonic/arc-switch1025.lldpctl.json",
    "sonic-t0-2": "sonic/T0-2.show-lldp-table.txt",
}
DOUBLE = {"minigraph-2700-t0": 24}  # ports in two links of the file: one is taken, and both are named
Pair = frozenset[CableEnd]


@pytest.fixture(scope="session")
def topology(shared: Path) -> Path:
    folder = shared / "samples" / "topology"
    if not folder.is_dir():
        pytest.skip(f"no files of cables at {folder}: set ROCECFG_SHARED to the folder that holds samples/")
    return folder


def read(topology: Path, name: str) -> Cabling:
    sources = Sources()
    return cabling_of([sources.read(str(path)) for path in sorted(topology.glob(SAMPLES[name]))])


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def pair(row: dict[str, str]) -> Pair:
    return frozenset((CableEnd(row["a_device"], row["a_port"]), CableEnd(row["b_device"], row["b_port"])))


def metres(cable: str) -> float | None:
    return float(cable.removesuffix("m")) if cable else None


@loop("name", SAMPLES)
def test_the_links_of_a_file_are_those_that_it_amounts_to(topology: Path, name: str) -> None:
    found = read(topology, name)
    have = {frozenset((cable.a, cable.b)): cable.metres for cable in found.cables}
    truth = {pair(row): metres(row["cable"]) for row in rows(topology / "truth" / f"{name}.links.csv")}
    assert len(have) == len(found.cables)
    assert have.items() <= truth.items()
    missing = {end for link in truth.keys() - have.keys() for end in link}
    disputed = {note.a for note in found.notes if note.kind == CONTRADICTORY}
    assert len(truth) - len(have) == len(missing & disputed) == DOUBLE.get(name, 0)


@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_left_out_is_said(topology: Path, name: str) -> None:
    """By the near end, since the far one has no name in some."""
    path = topology / "truth" / f"{name}.notes.csv"
    if not path.is_file():
        pytest.skip("nothing is left out")
    stated = {
        end for note in read(topology, name).notes if note.kind == LEFT_OUT for end in (note.a, note.b) if end.port
    }
    for row in rows(path):
        if row["what"] == "left-out":
            ends = {CableEnd(row["a_device"], row["a_port"]), CableEnd(row["b_device"], row["b_port"])}
            assert ends & stated, row


def test_both_outputs_of_one_fabric_are_the_same_links(topology: Path) -> None:
    """AVD's documentation and its structured configurations."""
    both = [read(topology, name) for name in ("avd-single-dc", "avd-single-dc-structured")]
    first, second = ({frozenset((cable.a, cable.b)) for cable in found.cables} for found in both)
    assert first == second
