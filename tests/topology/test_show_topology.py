"""`rocecfg show --topology`: the fabric as a whole, in text that is the same for the same fabric."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from intents import POLICY, fabric, rocecfg, write
from topology_cases import Wiring, clos

from rocecfg.intent import load
from rocecfg.report.topology import WIDE, render_topology
from rocecfg.source.document import Sources

EXAMPLES = ROOT / "examples"


def rows(text: str) -> dict[str, list[list[str]]]:
    """Rows by their first word, in cells that two spaces part; what goes on below is left out."""
    out: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        if line and not line.startswith(" "):
            cells = [cell.strip() for cell in line.split("  ") if cell.strip()]
            out.setdefault(cells[0], []).append(cells[1:])
    return out


def test_train_256_is_shown(tmp_path: Path) -> None:
    first = rocecfg(tmp_path, "show", EXAMPLES / "train-256", "--topology", expect=0, PYTHONHASHSEED="1").stdout
    again = rocecfg(tmp_path, "show", EXAMPLES / "train-256", "--topology", expect=0, PYTHONHASHSEED="2").stdout
    assert first == again
    found = rows(first)
    assert first.startswith("fabric train-256: 6 switches, 32 hosts, 384 cables that RDMA crosses\n")
    assert found["spine"] == [["2", "spine", "spine[01-02]"]]
    assert found["hosts"][0] == ["32", "gpu[01-32]"]
    assert found["leaf"] == [
        ["4", "leaf", "leaf[01-04]"],
        ["1:1", "1:1", "2:1", "1.03:1", "25.6 Tbit/s by 25.6 Tbit/s"],  # 32/31 without one of 32 uplinks
    ]
    assert found["hosts - leaf"] == [["256", "102.4 Tbit/s", "256 x 400G"]]
    assert found["leaf - spine"] == [["128", "102.4 Tbit/s", "128 x 800G"]]
    assert found["rails"][0] == ["0-7, in 1 group of hosts that are cabled alike"]
    assert found["PFC deadlock"][0][0].startswith("none: links have ranks that rise along every route")
    assert "spine01 (spine): every host still reaches all others" in first


@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.iterdir() if p.is_dir()))
def test_every_example_fits_the_terminal(name: str) -> None:
    of = load(str(EXAMPLES / name / "fabric.yaml"), Sources()).fabric
    assert of is not None
    text = list(render_topology(of))
    assert max(map(len, text)) <= WIDE
    assert all(line == line.rstrip() for line in text)


def test_the_published_one_is_8_to_1() -> None:
    of = load(str(EXAMPLES / "train-256-as-published" / "fabric.yaml"), Sources()).fabric
    assert of is not None
    assert rows("\n".join(render_topology(of)))["leaf"][1] == [
        "8:1",
        "8:1",
        "16:1",
        "16:1",
        "12.8 Tbit/s by 1.6 Tbit/s",
    ]


def test_roles_that_nobody_stated_are_said_to_be_inferred(tmp_path: Path) -> None:
    wiring = clos(2, 2, 2)
    del wiring.roles["leaf1"]
    wiring.roles |= {"spine0": "aggregation", "spine1": "aggregation"}
    found = rows("\n".join(render_topology(fabric(tmp_path, wiring.text()))))
    assert found["leaf"][0][1] == "leaf; none, inferred"
    assert found["spine"][0][1] == "aggregation, tier inferred"


def test_uneven_leaves_show_the_usual_and_the_worst(tmp_path: Path) -> None:
    wiring = clos(3, 2, 2)
    for n in range(4):
        wiring.host(f"more{n}", "leaf2")
    found = rows("\n".join(render_topology(fabric(tmp_path, wiring.text()))))
    assert found["leaf"][1][:4] == ["1:1", "3:1", "6:1", "6:1"]
    assert found["leaf"][1][4].startswith("800 Gbit/s to 2.4 Tbit/s by")


def test_planes_are_named(tmp_path: Path) -> None:
    wiring = Wiring()
    for plane in "ab":
        spine, leaf = wiring.switch(f"{plane}-spine", "spine"), wiring.switch(f"{plane}-leaf", "leaf")
        wiring.cable(leaf, spine)
        wiring.host("gpu0", leaf)
    text = "\n".join(render_topology(fabric(tmp_path, wiring.text())))
    assert "2 that no cable between switches joins: a-spine,a-leaf; b-spine,b-leaf" in text


def test_a_spine_whose_loss_cuts_hosts_off(tmp_path: Path) -> None:
    text = "\n".join(render_topology(fabric(tmp_path, clos(4, 1, 2).text())))
    assert "spine0 (spine): 6 hosts of 8 cut off" in text  # those of one leaf reach each other


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["fabric.yaml", "leaf0", "--topology"], 2, "name no device"),
        (["gone.yaml", "--topology"], 2, "gone.yaml:1:1: cannot be read"),
        (["policy.yaml", "--topology"], 0, "fabric lab: the intent names no devices"),
    ],
)
def test_what_is_no_topology_is_said(tmp_path: Path, arguments: list[str], code: int, word: str) -> None:
    write(tmp_path / "a", {"fabric.yaml": clos(1, 1, 1).text(), ".git/x": ""})
    write(tmp_path / "b", {"policy.yaml": POLICY, ".git/x": ""})
    done = rocecfg(tmp_path / ("b" if "policy.yaml" in arguments else "a"), "show", *arguments, expect=code)
    assert word in done.stdout + done.stderr


def test_ten_thousands_of_cables_take_seconds(tmp_path: Path) -> None:
    """40 pods of 32 leaves and 8 spines, and 32 cores: 40,960 cables in a CSV file."""
    cables = ["a_device,a_port,b_device,b_port,cable"]
    for pod in range(40):
        for leaf in range(32):
            at = f"p{pod}-leaf{leaf}"
            cables += [f"{at},Ethernet{16 + s},p{pod}-spine{s},Ethernet{leaf},30m" for s in range(8)]
            cables += [f"gpu{pod}x{leaf}x{h},nic0,{at},Ethernet{h},3m" for h in range(16)]
        for spine in range(8):
            cables += [f"p{pod}-spine{spine},Ethernet{32 + c},core{c},Ethernet{pod * 8 + spine},99m" for c in range(32)]
    devices = """devices:
  "p[0-39]-leaf[0-31]":
    {role: leaf, ports: {"Ethernet[0-15]": {speed: 400G, faces: host}, "Ethernet[16-23]": {speed: 800G, faces: switch}}}
  "p[0-39]-spine[0-7]": {role: spine, ports: {"Ethernet[0-63]": {speed: 800G, faces: switch}}}
  "core[0-31]": {role: superspine, ports: {"Ethernet[0-319]": {speed: 800G, faces: switch}}}
links: [cables.csv]
"""
    write(tmp_path, {"fabric.yaml": POLICY + devices, "cables.csv": "\n".join(cables) + "\n"})
    of = load(str(tmp_path / "fabric.yaml"), Sources()).fabric
    assert of is not None
    text = "\n".join(render_topology(of))
    assert len(cables) - 1 == 40 * 32 * 24 + 40 * 8 * 32
    found = rows(text)
    assert found["leaf"][1][:2] == ["1:1", "1:1"]  # 16 x 400G by 8 x 800G
    assert found["spine"][1][:2] == ["1:1", "1:1"]  # 32 x 800G by 32 x 800G
    assert max(map(len, text.splitlines())) <= WIDE


def test_the_page_shows_what_is_printed(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "topology.md").read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(EXAMPLES)
    done = rocecfg(tmp_path, "show", "examples/train-256", "--topology", expect=0)
    _, _, shown = page.partition("$ rocecfg show examples/train-256 --topology\n")
    beginning, more, _ = shown.partition("…\n```\n")
    assert more
    assert len(beginning) > 500
    assert done.stdout.startswith(beginning)
