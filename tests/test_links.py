"""Links: pairs in written order, CSV files, and what they tell of the ports at their ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import FABRIC, POLICY, fabric, findings, loaded, port, rocecfg, rules

from rocecfg.core.nodeset import names_of

DEVICES = """\
devices:
  leaf[1-2]:
    ports: {"Ethernet[0-3]": {speed: 400G}}
  spine[1-2]:
    ports: {"Ethernet[0-3]": {speed: 400G}}
"""


def with_links(links: str, devices: str = DEVICES) -> str:
    return f"{POLICY}{devices}links:\n{links}"


# -- a mesh ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cables", [1, 2])
def test_a_mesh_joins_each_device_of_a_tier_with_each_of_the_next(cables: int, tmp_path: Path) -> None:
    devices = (
        f"devices:\n  leaf[1-3]: {{ports: {{'Ethernet[10-{9 + 2 * cables}]': {{speed: 400G}}}}}}\n"
        f"  spine[1-2]: {{ports: {{'Ethernet[0-{3 * cables - 1}]': {{speed: 400G}}}}}}\n"
    )
    mesh = f'leaf: "leaf[1-3]:Ethernet[10-{9 + 2 * cables}]", spine: "spine[1-2]:Ethernet[0-{3 * cables - 1}]"'
    of = fabric(tmp_path, with_links(f"  - {{mesh: {{{mesh}}}, cable: 30m}}\n", devices))
    found = [
        (a, x, b, y)
        for link in of.links
        for (a, x), (b, y) in zip(
            [(d, p) for d in names_of(link.a_device) for p in names_of(link.a_port)],
            [(d, p) for d in names_of(link.b_device) for p in names_of(link.b_port)],
            strict=True,
        )
    ]
    assert sorted(found) == sorted(
        (f"leaf{n + 1}", f"Ethernet{10 + m * cables + k}", f"spine{m + 1}", f"Ethernet{n * cables + k}")
        for n in range(3)
        for m in range(2)
        for k in range(cables)
    )
    assert {link.cable for link in of.links} == {30}
    assert port(of, "leaf3", "Ethernet10").faces == "switch"


@pytest.mark.parametrize(
    ("mesh", "rule", "told"),
    [
        ('leaf: "leaf[1-2]:Ethernet[0-2]", spine: "spine[1-2]:Ethernet[0-2]"', "schema-pair", "3 ports of each leaf"),
        (
            'leaf: "leaf[1-2]:Ethernet[0-1]", spine: "spine[1-2]:Ethernet[0-2]"',
            "schema-pair",
            "give each spine 2 ports",
        ),
        ('leaf: "leaf[1-2]:Ethernet[0-1]"', "schema-value", "joins two tiers, and here are 1"),
        ('leaf: "leaf[1-2]", spine: "spine[1-2]:Ethernet[0-1]"', "schema-nodeset", "write leaf01:Ethernet0"),
        ('leaf: "leef[1-2]:Ethernet[0-1]", spine: "spine[1-2]:Ethernet[0-1]"', "schema-ref", "neither in devices"),
    ],
)
def test_a_mesh_that_does_not_come_out_even_is_one_error(mesh: str, rule: str, told: str, tmp_path: Path) -> None:
    hosts = "hosts: {gpu1: {}}\n"
    (finding,) = findings(tmp_path, f"{with_links(f'  - {{mesh: {{{mesh}}}}}')}\n{hosts}")
    assert finding.rule == rule
    assert told in f"{finding.message} {finding.help}"


# -- what a link says of its ports -------------------------------------------------------------------------------------


def test_a_port_faces_a_switch_where_its_link_leads_to_one_else_a_host(tmp_path: Path) -> None:
    text = with_links(
        '  - {a: "leaf1:Ethernet[0-1]", b: "spine[1-2]:Ethernet0"}\n  - {a: "gpu1:nic0", b: "leaf1:Ethernet2"}\n'
    )
    of = fabric(tmp_path, text)
    assert [port(of, "leaf1", f"Ethernet{n}").faces for n in range(4)] == ["switch", "switch", "host", "host"]
    assert port(of, "spine2", "Ethernet0").faces == "switch"
    assert port(of, "spine2", "Ethernet1").faces == "host"
    assert port(of, "leaf2", "Ethernet0").faces == "host"


def test_faces_may_be_stated_and_then_links_do_not_matter(tmp_path: Path) -> None:
    devices = DEVICES.replace("{speed: 400G}", "{speed: 400G, faces: edge}")
    of = fabric(tmp_path, with_links("  - {a: leaf1:Ethernet0, b: spine1:Ethernet0}\n", devices))
    assert port(of, "leaf1", "Ethernet0").faces == "edge"


def test_ends_pair_in_written_order_devices_outer_ports_inner(tmp_path: Path) -> None:
    """leaf2 first: its two ports meet spine1, those of leaf1 meet a host."""
    links = '  - {a: "leaf[2,1]:Ethernet[0-1]", b: "spine1:Ethernet[0-1],gpu"}\n'
    assert rules(tmp_path, with_links(links)) == ["schema-pair"]
    links = (
        '  - {a: "leaf[2,1]:Ethernet[0-1]", b: "spine[1-2]:Ethernet[3,2]", cable: 5m}\n'
        '  - {a: "leaf1:Ethernet3", b: "gpu[9]:nic0", cable: 2m}\n'
    )
    of = fabric(tmp_path, with_links(links))
    (first, second) = of.links
    assert (first.a_device, first.a_port, first.b_device, first.b_port) == (
        "leaf[2,1]",
        "Ethernet[0-1]",
        "spine[1-2]",
        "Ethernet[3,2]",
    )
    assert (first.cable, second.cable) == (5, 2)


CABLE = """\
devices:
  leaf1: {ports: {"Ethernet[0-3]": {speed: 400G, faces: host%s}}%s}
"""


@pytest.mark.parametrize(
    ("link", "on_port", "on_device", "default", "cable"),
    [
        ("", "", "", "", None),
        ("", "", "", "9m", 9),
        ("", "", "8m", "9m", 8),
        ("", "7m", "8m", "9m", 7),
        ("6m", "7m", "8m", "9m", 6),
        ("6m", "", "", "", 6),
        ("0.5km", "", "", "", 500),
        ("1.5m", "", "", "", 1.5),
    ],
)
def test_a_cable_is_the_links_the_ports_the_devices_or_the_default(
    link: str, on_port: str, on_device: str, default: str, cable: float | None, tmp_path: Path
) -> None:
    text = POLICY + CABLE % (f", cable: {on_port}" if on_port else "", f", cable: {on_device}" if on_device else "")
    text += f"defaults: {{vendor: sonic{f', cable: {default}' if default else ''}}}\n"
    text += f"links:\n  - {{a: gpu1:nic0, b: leaf1:Ethernet0{f', cable: {link}' if link else ''}}}\n"
    of = fabric(tmp_path, text)
    assert port(of, "leaf1", "Ethernet0").cable == cable
    elsewhere = float((on_port or on_device or default or "0m").removesuffix("m")) or None
    assert port(of, "leaf1", "Ethernet1").cable == elsewhere


def test_devices_of_one_key_part_where_their_links_differ(tmp_path: Path) -> None:
    of = fabric(tmp_path, with_links("  - {a: leaf1:Ethernet0, b: spine1:Ethernet0, cable: 40m}\n"))
    assert [(d.key, d.names) for d in of.devices][:2] == [("leaf1", ("leaf1",)), ("leaf2", ("leaf2",))]
    assert port(of, "leaf1", "Ethernet0").cable == 40
    assert port(of, "leaf2", "Ethernet0").cable is None
    without = fabric(tmp_path, POLICY + DEVICES)
    assert [d.key for d in without.devices] == ["leaf[1-2]", "spine[1-2]"]


# -- what is wrong with a link -----------------------------------------------------------------------------------------


def test_ends_that_do_not_pair_show_both_counts(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, with_links('  - {a: "leaf[1-2]:Ethernet[0-3]", b: "spine1:Ethernet[0-3]"}\n'))
    assert (found.rule, found.text) == ("schema-pair", '"spine1:Ethernet[0-3]"')
    assert "8 ports at a, 4 at b" in found.message
    assert found.related == ((17, "8 ports"),)


def test_an_end_with_more_ports_than_any_fabric_is_refused_at_once(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, with_links('  - {a: "x[0-9999]:e[0-9999]", b: "y[0-9999]:e[0-9999]"}\n'))
    assert found.rule == "schema-nodeset"
    assert "100000000 ports" in found.message


HOSTS = 'hosts: {"gpu[1-4]": {gpus: 8}}\n'


def test_a_device_that_nobody_names_is_told_once_where_hosts_are_listed(tmp_path: Path) -> None:
    links = "  - {a: gpu1:nic0, b: leaf1:Ethernet0}\n" + "".join(
        f"  - {{a: gpu{n}:nic1, b: laef1:Ethernet{n}}}\n" for n in range(1, 4)
    )
    (found,) = findings(tmp_path, with_links(links) + HOSTS)
    assert (found.rule, found.text, found.line) == ("schema-ref", "laef1:Ethernet1", 18)
    assert found.message == "laef1 is neither in devices nor in hosts"
    assert found.help == "did you mean leaf1?"
    assert rules(tmp_path, with_links(links.replace("laef1", "srv1"))) == []  # without hosts, anything may be one


@pytest.mark.parametrize(
    ("end", "rule"),
    [
        ("leaf1", "schema-nodeset"),
        ('":Ethernet0"', "schema-type"),
        ('"leaf1:"', "schema-type"),
        ('"leaf1:Ethernet[0"', "schema-nodeset"),
        ('"leaf 1:Ethernet0"', "schema-name"),
        ("[leaf1, Ethernet0]", "schema-type"),
    ],
)
def test_an_end_is_device_colon_port(end: str, rule: str, tmp_path: Path) -> None:
    assert rules(tmp_path, with_links(f"  - {{a: {end}, b: spine1:Ethernet0}}\n")) == [rule]


# -- CSV ---------------------------------------------------------------------------------------------------------------

CSV = """\
a_device,a_port,b_device,b_port,cable
# spares are left out
leaf1,Ethernet[0-1],spine[1-2],Ethernet0,30m

"leaf2", Ethernet0 ,spine1,Ethernet1,
leaf2,Ethernet1,spine2,Ethernet1
"""


def test_a_csv_file_is_links(tmp_path: Path) -> None:
    text = with_links("  - cabling.csv\n  - {a: gpu1:nic0, b: leaf1:Ethernet3}\n")
    of = fabric(tmp_path, text, {"cabling.csv": CSV})
    assert [(x.a_device, x.a_port, x.b_device, x.b_port, x.cable) for x in of.links] == [
        ("leaf1", "Ethernet[0-1]", "spine[1-2]", "Ethernet0", 30),
        ("leaf2", "Ethernet0", "spine1", "Ethernet1", None),
        ("leaf2", "Ethernet1", "spine2", "Ethernet1", None),
        ("gpu1", "nic0", "leaf1", "Ethernet3", None),
    ]
    assert port(of, "leaf1", "Ethernet1").cable == 30
    assert port(of, "leaf2", "Ethernet1").faces == "switch"


def test_a_csv_file_without_heading_and_with_crlf_reads_the_same(tmp_path: Path) -> None:
    bare = "\r\n".join(line for line in CSV.splitlines() if line.startswith(("leaf", '"'))).encode()
    text = with_links("  - cabling.csv\n")
    assert fabric(tmp_path, text, {"cabling.csv": bare}).links[0].cable == 30
    assert len(fabric(tmp_path, text, {"cabling.csv": b"\xef\xbb\xbf" + bare}).links) == 3


@pytest.mark.parametrize(
    ("row", "rule", "word"),
    [
        ("leaf1,Ethernet3,spine1", "schema-pair", "3 columns"),
        ("leaf1,Ethernet3,spine1,Ethernet3,3m,x", "schema-pair", "6 columns"),
        ("leaf1,Ethernet[2-3],spine1,Ethernet3", "schema-pair", "2 ports at a, 1 at b"),
        ("leaf1,Ethernet3,spine1,Ethernet3,3", "schema-unit", "3 has no unit"),
        ("leaf1,Ethernet3,spine1,Ethernet3,0m", "schema-range", "0m is out of range"),
        ("leaf1,Ethernet[3,spine1,Ethernet3", "schema-nodeset", "lacks a closing ]"),
        ("leaf 1,Ethernet3,spine1,Ethernet3", "schema-name", "cannot be the name of a device"),
        ("leaf1,,spine1,Ethernet3", "schema-type", "expected a node set of ports"),
        ("x" * 200_000 + ",Ethernet3,spine1,Ethernet3", "schema-pair", "1 columns"),
    ],
)
def test_a_wrong_row_is_told_at_its_line(row: str, rule: str, word: str, tmp_path: Path) -> None:
    text = with_links("  - cabling.csv\n")
    found = findings(tmp_path, text, {"cabling.csv": f"{CSV}{row}\n"})
    assert [(f.rule, f.path, f.line, f.column) for f in found] == [(rule, "cabling.csv", 7, 1)]
    assert word in found[0].message
    assert len(found[0].message) < 1000


def test_a_file_of_links_that_is_not_there_is_told(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, with_links("  - cabeling.csv\n"))
    assert (found.rule, found.text) == ("schema-ref", "cabeling.csv")


def test_a_file_of_links_that_cannot_be_read_leaves_the_fabric_unjudged(tmp_path: Path) -> None:
    read, _ = loaded(tmp_path, with_links("  - cabling.csv\n"), {"cabling.csv": b"leaf1,\xff"})
    assert read.fabric is None
    assert [(Path(e.path).name, e.line, e.column) for e in read.errors] == [("cabling.csv", 1, 7)]


def test_findings_in_a_csv_file_reach_the_user(tmp_path: Path) -> None:
    """The file of links is part of the fabric: given the fabric its findings show, and given it the fabric is found."""
    (tmp_path / "fabric.yaml").write_text(with_links("  - cabling.csv\n"))
    (tmp_path / "cabling.csv").write_text("leaf1,Ethernet0,spine1\n")
    for path in ("fabric.yaml", "."):
        done = rocecfg(tmp_path, "lint", "--format", "concise", path, expect=1)
        assert done.stdout.startswith("cabling.csv:1:1: error SCH021 schema-pair")
    (tmp_path / ".git").mkdir()
    done = rocecfg(tmp_path, "lint", "--format", "concise", "cabling.csv", expect=1)
    assert done.stdout.startswith("cabling.csv:1:1: error SCH021 schema-pair")


def test_the_whole_fabric_pairs(tmp_path: Path) -> None:
    of = fabric(tmp_path, FABRIC)
    assert len(of.links) == 6
    assert port(of, "leaf02", "Ethernet256").cable == 30
