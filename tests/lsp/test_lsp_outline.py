"""Outlines of texts; and of switches' configurations also where a port's map or profile is declared, and who has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from intents import POLICY
from lsp_client import Client, Json, edited, spot

MODERN = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
EOS = """\
! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.2F)
hostname leaf1
!
qos map dscp 26 to traffic-class 3
!
qos profile ROCE-400G
   qos trust dscp
   priority-flow-control on
   service-policy type qos input MARKS
   !
   tx-queue 3
      bandwidth percent 60
!
policy-map type quality-of-service MARKS
   class RDMA
      set traffic-class 3
   class class-default
!
class-map type qos match-any RDMA
   match dscp 26
!
platform trident mmu queue profile DEEP
   egress unicast queue 3 threshold 1/8
!
interface Ethernet1/1
   description Jörg 🚀
   service-profile ROCE-400G
   channel-group 7 mode active
interface Ethernet2/1
   service-profile NOWHERE
interface Port-Channel7
   no switchport
router bgp 65001
   neighbor x remote-as 1
!
platform trident mmu queue profile DEEP apply
"""
SONIC = """\
{
  "PORT": {"Ethernet0": {"speed": "400000", "description": "Jörg 🚀"}, "Ethernet8": {}},
  "BUFFER_POOL": {"ingress_lossless_pool": {"mode": "dynamic"}},
  "BUFFER_PROFILE": {"lossless": {"pool": "[BUFFER_POOL|ingress_lossless_pool]"}, "lossy": {"pool": "no_pool"}},
  "BUFFER_PG": {"Ethernet0|3-4": {"profile": "[BUFFER_PROFILE|lossless]"}},
  "BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "lossy,lossless"}},
  "SCHEDULER": {"scheduler.0": {"type": "DWRR"}},
  "WRED_PROFILE": {"AZURE": {"ecn": "ecn_all"}},
  "QUEUE": {"Ethernet0,Ethernet8|3": {"scheduler": "scheduler.0", "wred_profile": "AZURE"}},
  "DSCP_TO_TC_MAP": {"AZURE": {"3": "3"}},
  "TC_TO_QUEUE_MAP": {"AZURE": {"3": "3"}},
  "CABLE_LENGTH": {"AZURE": {"Ethernet8": "5m"}},
  "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE", "pfc_enable": "3,4"}}
}
"""
NVUE = """\
- header: {model: x}
- set:
    interface:
      swp1-32:
        qos:
          pfc: {profile: rdma-pfc}
          congestion-control: {profile: none-such}
      bond1:
        bond: {member: {swp1-32: {}}}
    qos:
      pfc:
        rdma-pfc: {switch-priority: 3}
      congestion-control:
        default-global: {}
"""
COMMANDS = """\
# nv set qos pfc commented-out tx enable
nv set qos pfc rdma-pfc switch-priority 3
nv set qos pfc rdma-pfc tx enable
nv set interface swp1-32 qos pfc profile rdma-pfc
nv set interface swp1-32 link state up
"""


def _symbols(editor: Client, uri: str) -> list[Any]:
    return list(editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) or [])


def _names(symbols: list[Json]) -> list[Any]:
    """Names, each with those below it, where there are any."""
    return [(s["name"], _names(s["children"])) if s.get("children") else s["name"] for s in symbols]


@pytest.fixture(scope="module")
def _session(tmp_path_factory: pytest.TempPathFactory) -> Any:
    client = Client(tmp_path_factory.mktemp("workspace"), **MODERN)
    yield client
    assert client.stop() == (0, "")


INTENT = (
    POLICY
    + """\
devices:
  leaf[01-02]: # 🚀
    role: leaf
    vendor: sonic
    ports:
      "Ethernet[0-56/8]": {speed: 400G, faces: host}
hosts: {gpu1: {nic: connectx-7}}
links:
  - {a: "leaf01:Ethernet0", b: gpu1:p0, cable: 3m}
  - {mesh: {leaf: "leaf[01-02]:Ethernet56", spine: "spine01:Ethernet[0-1]"}, cable: 30m}
  - cabling.csv
"""
)


def test_outline_of_an_intent(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", INTENT)
    found = _symbols(editor, uri)
    assert _names(found) == [
        "rocecfg",
        ("fabric", ["name"]),
        ("classes", ["rdma", "cnp", "control", "default"]),
        ("pfc", ["watchdog"]),
        ("devices", [("leaf[01-02]", ["role", "vendor", ("ports", ["Ethernet[0-56/8]"])])]),
        ("hosts", [("gpu1", ["nic"])]),
        ("links", ["leaf01:Ethernet0 - gpu1:p0", "leaf[01-02]:Ethernet56 - spine01:Ethernet[0-1]", "cabling.csv"]),
    ]
    (leaf,) = found[4]["children"]
    assert leaf["detail"] == "role leaf, vendor sonic"
    assert leaf["children"][2]["children"][0]["detail"] == "speed 400G, faces host"
    for symbol in _all(found):
        assert _covers(symbol["range"], symbol["selectionRange"]), symbol["name"]
    line, column = spot(INTENT, "leaf[01-02]:")
    assert leaf["selectionRange"] == {
        "start": {"line": line, "character": column},
        "end": {"line": line, "character": column + len("leaf[01-02]")},
    }


def _all(symbols: list[Json]) -> list[Json]:
    return [s for symbol in symbols for s in (symbol, *_all(symbol.get("children", [])))]


def _covers(outer: Json, inner: Json) -> bool:
    def key(at: Json) -> tuple[int, int]:
        return at["line"], at["character"]

    return key(outer["start"]) <= key(inner["start"]) <= key(inner["end"]) <= key(outer["end"])


def test_outline_without_a_tree(tmp_path: Path) -> None:
    editor = Client(tmp_path)
    uri = editor.open(tmp_path / "fabric.yaml", INTENT)
    found = _symbols(editor, uri)
    above = {s["name"]: s.get("containerName") for s in found}
    assert above["rdma"] == "classes"
    assert above["Ethernet[0-56/8]"] == "ports"
    assert {s["location"]["uri"] for s in found} == {uri}
    assert editor.stop() == (0, "")


def test_outline_of_house_rules_and_profiles(editor: Client, tmp_path: Path) -> None:
    rules = "rules:\n  - {name: own-queue, for: class, expect: {queue: {unique: true}}}\n  - for: port\n"
    uri = editor.open(tmp_path / "rocecfg-rules.yaml", rules)
    assert _names(_symbols(editor, uri)) == ["own-queue", "(no name)"]
    path = tmp_path / "rocecfg-profiles" / "nics" / "ours.yaml"
    path.parent.mkdir(parents=True)
    uri = editor.open(path, "extends: connectx-7\ntitle: ours\n")
    assert _names(_symbols(editor, uri)) == ["extends", "title"]


def test_outline_of_a_half_typed_text(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", INTENT + "defaults:\n  vendor: sonic\n  plat\n")
    assert _names(_symbols(editor, uri))[-1] == ("defaults", ["vendor"])
    editor.replace(uri, "")
    assert _symbols(editor, uri) == []


def test_outline_of_eos(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "leaf1.cfg", EOS)
    assert _names(_symbols(editor, uri)) == [
        "qos map dscp 26 to traffic-class 3",
        ("qos profile ROCE-400G", ["tx-queue 3"]),
        ("policy-map type quality-of-service MARKS", ["class RDMA"]),
        "class-map type qos match-any RDMA",
        "platform trident mmu queue profile DEEP",
        "interface Ethernet1/1",
        "interface Ethernet2/1",
        "interface Port-Channel7",
    ]
    for symbol in _all(_symbols(editor, uri)):
        assert _covers(symbol["range"], symbol["selectionRange"]), symbol["name"]


def test_outline_of_sonic(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "config_db.json", SONIC)
    found = _names(_symbols(editor, uri))
    assert found[0] == ("PORT", ["Ethernet0", "Ethernet8"])
    assert [name if isinstance(name, str) else name[0] for name in found] == list(json.loads(SONIC))


def test_outline_of_nvue(editor: Client, tmp_path: Path) -> None:
    wanted = [
        ("interface", ["swp1-32", "bond1"]),
        ("qos", [("pfc", ["rdma-pfc"]), ("congestion-control", ["default-global"])]),
    ]
    uri = editor.open(tmp_path / "leaf.yaml", NVUE)
    assert _names(_symbols(editor, uri)) == wanted
    body = {"set": {"interface": {"swp1-32": {"qos": {"pfc": {"profile": "x"}}}}, "qos": {"pfc": {"x": {}}}}}
    uri = editor.open(tmp_path / "leaf.json", json.dumps([body], indent=2))
    assert _names(_symbols(editor, uri)) == [("interface", ["swp1-32"]), ("qos", [("pfc", ["x"])])]
    uri = editor.open(tmp_path / "leaf.nv", COMMANDS)
    assert _names(_symbols(editor, uri)) == ["pfc rdma-pfc", "interface swp1-32"]


def _found(editor: Client, method: str, uri: str, text: str, part: str, more: int) -> list[str]:
    """The line from 1 and the text of each place, in order."""
    line, column = spot(text, part, more)
    before = text.splitlines()[line][:column]
    params = editor.at(uri, line, len(before.encode("utf-16-le")) // 2)
    if method == "references":
        params = params | {"context": {"includeDeclaration": True}}
    out = []
    for place in editor.ask(f"textDocument/{method}", params) or []:
        assert place["uri"] == uri
        at = place["range"]["start"]
        cut = edited(text, [{"range": place["range"], "newText": "\0"}])
        word = text[len(cut.partition("\0")[0]) : len(text) - len(cut.partition("\0")[2])]
        out.append(f"{at['line'] + 1}: {word}")
    return sorted(out, key=lambda one: int(one.partition(":")[0]))


@pytest.mark.parametrize(
    ("part", "more", "wanted"),
    [
        pytest.param("service-profile ROCE", 18, ["6: ROCE-400G"], id="a port's profile"),
        pytest.param("input MARKS", 7, ["14: MARKS"], id="a profile's policy"),
        pytest.param("class RDMA", 7, ["19: RDMA"], id="a policy's class"),
        pytest.param("class class-default", 8, [], id="the class that always is"),
        pytest.param("DEEP apply", 1, ["22: DEEP"], id="the profile of the chip's memory"),
        pytest.param("channel-group 7", 14, ["31: Port-Channel7"], id="the LAG of a port"),
        pytest.param("NOWHERE", 2, [], id="a profile that there is not"),
    ],
)
def test_definition_in_eos(editor: Client, tmp_path: Path, part: str, more: int, wanted: list[str]) -> None:
    uri = editor.open(tmp_path / "leaf1.cfg", EOS)
    assert _found(editor, "definition", uri, EOS, part, more) == wanted


def test_references_in_eos(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "leaf1.cfg", EOS)
    assert _found(editor, "references", uri, EOS, "profile ROCE", 9) == ["6: ROCE-400G", "27: ROCE-400G"]


@pytest.mark.parametrize(
    ("part", "more", "wanted"),
    [
        pytest.param("BUFFER_PROFILE|lossless", 3, ["4: lossless"], id="the profile of a priority group, in brackets"),
        pytest.param("BUFFER_POOL|ing", 14, ["3: ingress_lossless_pool"], id="the pool of a profile, in brackets"),
        pytest.param("lossy,lossless", 1, ["4: lossy"], id="the first of a list"),
        pytest.param("lossy,lossless", 8, ["4: lossless"], id="the second"),
        pytest.param('"scheduler": "scheduler.0', 16, ["7: scheduler.0"], id="a scheduler by its bare name"),
        pytest.param('wred_profile": "AZURE', 17, ["8: AZURE"], id="a curve, not the map of the same name"),
        pytest.param('dscp_to_tc_map": "AZURE', 19, ["10: AZURE"], id="a map, not the other of the same name"),
        pytest.param("Ethernet0|3", 3, ["2: Ethernet0"], id="the port of a priority group"),
        pytest.param("Ethernet0,Ethernet8|3", 12, ["2: Ethernet8"], id="the second port of a queue"),
        pytest.param('"Ethernet8": "5m"', 3, ["2: Ethernet8"], id="the port of a length"),
        pytest.param("no_pool", 3, [], id="a pool that there is not"),
        pytest.param("DWRR", 1, [], id="a word"),
    ],
)
def test_definition_in_sonic(editor: Client, tmp_path: Path, part: str, more: int, wanted: list[str]) -> None:
    uri = editor.open(tmp_path / "config_db.json", SONIC)
    assert _found(editor, "definition", uri, SONIC, part, more) == wanted


def test_references_in_sonic(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "config_db.json", SONIC)
    assert _found(editor, "references", uri, SONIC, '"lossless"', 2) == [
        "4: lossless",
        "5: [BUFFER_PROFILE|lossless]",
        "6: lossless",
    ]


def test_a_half_typed_config_db(editor: Client, tmp_path: Path) -> None:
    text = SONIC.replace('"pfc_enable": "3,4"}}\n}', '"pfc_enable": "3')
    uri = editor.open(tmp_path / "config_db.json", text)
    assert _found(editor, "definition", uri, text, '"scheduler": "scheduler.0', 16) == ["7: scheduler.0"]


def test_definition_in_nvue(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "leaf.yaml", NVUE)
    assert _found(editor, "definition", uri, NVUE, "profile: rdma-pfc", 10) == ["12: rdma-pfc"]
    assert _found(editor, "definition", uri, NVUE, "none-such", 2) == []
    assert _found(editor, "definition", uri, NVUE, "{swp1-32", 2) == ["4: swp1-32"]
    assert _found(editor, "references", uri, NVUE, "rdma-pfc: {", 2) == ["6: rdma-pfc", "12: rdma-pfc"]
    uri = editor.open(tmp_path / "leaf.nv", COMMANDS)
    assert _found(editor, "definition", uri, COMMANDS, "profile rdma-pfc", 10) == ["2: rdma-pfc"]
    assert len(_found(editor, "references", uri, COMMANDS, "profile rdma-pfc", 10)) == 3


def test_configurations_are_read_as_they_are_typed(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "leaf1.cfg", EOS)
    editor.replace(uri, EOS.replace("qos profile ROCE-400G", "!\nqos profile ROCE-800G"))
    text = EOS.replace("qos profile ROCE-400G", "!\nqos profile ROCE-800G")
    assert _found(editor, "definition", uri, text, "service-profile ROCE", 18) == []
    text = text.replace("service-profile ROCE-400G", "service-profile ROCE-800G")
    editor.replace(uri, text)
    assert _found(editor, "definition", uri, text, "service-profile ROCE", 18) == ["7: ROCE-800G"]


def test_texts_of_nobody(editor: Client, tmp_path: Path) -> None:
    for name, text in (
        ("a.json", '{"a": 1}'),
        ("a.txt", "hello\n"),
        ("b.yaml", "a: 1\n"),
        ("c.json", "[[[["),
        ("d", ""),
    ):
        uri = editor.open(tmp_path / name, text)
        assert _symbols(editor, uri) == []
        assert editor.ask("textDocument/definition", editor.at(uri, 0, 2)) in (None, [])
