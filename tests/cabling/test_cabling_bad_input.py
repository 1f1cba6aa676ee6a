"""Files that are cut off, mixed, or none: one error with the place, nothing half taken, and never a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cables import cabling, cabling_of, links, read
from loops import loop
from test_cabling_samples import SAMPLES, topology

from rocecfg.cabling import NoCables
from rocecfg.source.document import SourceError, Sources

__all__ = ["topology"]  # the folder of samples
CSV = (
    "a_device,a_port,b_device,b_port,cable\nleaf1,Ethernet0,spine1,Ethernet8,3m\nleaf2,Ethernet0,spine1,Ethernet16,3m\n"
)
CLOSED = (".json", ".xml", ".dot")  # formats whose end shows


def error(text: str, name: str = "leaf1.txt") -> SourceError:
    with pytest.raises(SourceError) as caught:
        cabling({name: text})
    return caught.value


@loop("name", SAMPLES)
def test_a_file_that_is_cut_off_gives_one_error_or_is_whole_up_to_there(topology: Path, name: str) -> None:
    path = min(topology.glob(SAMPLES[name]))
    text = path.read_text(encoding="utf-8")
    whole = links(cabling({path.name: text}))
    rng = random.Random(7)  # noqa: S311 - places, not keys
    for cut in sorted(rng.randrange(1, len(text.rstrip()) - 1) for _ in range(25)):
        try:
            found = links(cabling({path.name: text[:cut]}))
        except SourceError as problem:
            line, most = problem.line, text.count("\n", 0, cut) + 1
        else:
            line, most = 1, 1
            assert path.suffix not in CLOSED, cut
            assert len(found) <= len(whole)
        assert 1 <= line <= most


@loop("name", SAMPLES)
def test_a_damaged_file_is_no_traceback(topology: Path, name: str) -> None:
    path = min(topology.glob(SAMPLES[name]))
    text = path.read_text(encoding="utf-8")
    rng = random.Random(11)  # noqa: S311
    for _ in range(40):
        at, length = rng.randrange(len(text)), rng.randrange(1, 30)
        damage = rng.choice(["", "}", "]", '"', "{", "null", "[1", ",,", "\x00", "<", "é\u2028", ": -", "\n\n"])
        sources = Sources()
        try:
            cabling_of([sources.add(path.name, text[:at] + damage + text[at + length :])])
        except SourceError as problem:
            line = problem.line
        else:
            line = 1
        assert line >= 1


def test_a_cut_in_json_is_told_at_its_end() -> None:
    problem = error('{"lldp": {"interface": [\n{"swp1": {"chassis"')
    assert "cut off" in problem.message
    assert problem.line == 2


def test_two_answers_in_one_file_are_an_error() -> None:
    problem = error('{"lldp": {}}\n{"lldp": {}}\n')
    assert (problem.line, problem.column) == (2, 1)
    table = "Port  Neighbor Device ID  Neighbor Port ID  TTL\nEt1   spine1              Ethernet9         120\n\n"
    problem = error(table + table)
    assert problem.line == 4
    assert "a second device" in problem.message


def test_a_table_with_fewer_rows_than_it_counts_was_cut() -> None:
    text = """\
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine1          Ethernet8       BR            x
--------------------------------------------------
Total entries displayed:  3
"""
    assert "lists 1 neighbours and counts 3" in error(text).message


@pytest.mark.parametrize(
    "text",
    [
        "Port  Neighbor Device ID  Neighbor Port ID  TTL\nEt1   spine1              Ethernet9         120\nEt2   spi",
        """\
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine1          Ethernet""",
    ],
)
def test_a_row_that_is_cut_is_no_link(text: str) -> None:
    assert "cut off" in error(text).message


def test_a_length_without_a_unit_is_left_out_and_said() -> None:
    found = cabling({"cables.csv": CSV.replace("spine1,Ethernet16,3m", "spine1,Ethernet16,3")})
    assert list(links(found).values()) == [3, None]
    assert "'3' is none with a unit" in found.notes[0].why


def test_a_row_with_other_columns_stops_the_table() -> None:
    problem = error(CSV + "leaf3,Ethernet0,sp", "cables.csv")
    assert problem.line == 4
    assert "3 cells where the heading has 5" in problem.message


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("", "empty"),
        ("id,name,site\n1,leaf1,ams\n", "its columns are id, name, site"),
        ("# Cabling\n\nSee the spreadsheet.\n", "begins with '# Cabling'"),
        ("rocecfg: 1\nfabric: {name: lab}\n", "is an intent"),
        ('{"DEVICE_METADATA": {}}', "config_db.json"),
        ("all:\n  children: {}\n", "Ansible inventory"),
        ("<html><body>Login</body></html>", "XML that begins with <html>"),
        ("hostname leaf1\n!\ninterface Ethernet1\n", "begins with 'hostname leaf1'"),
    ],
)
def test_what_a_file_looks_like_is_said(text: str, stated: str) -> None:
    problem = error(text)
    assert isinstance(problem, NoCables)
    assert stated in problem.message


def test_entities_of_xml_are_not_read() -> None:
    bomb = '<!DOCTYPE lldp [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<lldp>&b;</lldp>'
    assert "document type" in error(bomb).message


def test_nesting_without_end_is_an_error() -> None:
    for text in ("[" * 100_000, '{"a":' * 100_000, "<a>" * 100_000, "- " * 10_000 + "x"):
        assert error(text).line >= 1


@pytest.mark.nightly
def test_300_000_rows_are_read() -> None:
    rows = "".join(f"leaf{n // 64},Ethernet{n % 64},gpu{n},nic0,3m\n" for n in range(300_000))
    assert len(read(CSV.splitlines()[0] + "\n" + rows, "cables.csv")) == 300_000
