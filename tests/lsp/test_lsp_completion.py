"""What may be written at a place; `|` marks it in the texts below."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY
from lsp_client import Client, edited, spot


def _labels(editor: Client, folder: Path, more: str) -> set[str]:
    """What is offered at the mark, behind a policy."""
    return set(_items(editor, folder, POLICY + more))


def _items(editor: Client, folder: Path, marked: str) -> dict[str, dict[str, object]]:
    text = marked.replace("|", "", 1)
    uri = editor.open(folder / "fabric.yaml", text)
    return editor.complete(uri, *spot(marked, "|"))


@pytest.mark.parametrize(
    ("more", "offered", "not_offered"),
    [
        pytest.param("|", {"devices", "links", "hosts"}, {"fabric", "classes", "kmin"}, id="top level"),
        pytest.param("defaults:\n  ve|\n", {"vendor", "platform"}, {"ports", "kmin"}, id="in a block"),
        pytest.param("defaults:\n  |\n  vendor: sonic\n", {"platform"}, {"vendor"}, id="beside a key further down"),
        pytest.param("defaults: {vendor: sonic, |}\n", {"platform"}, {"vendor"}, id="in braces"),
        pytest.param("defaults: {vendor: sonic,\n  |\n", {"platform"}, {"vendor"}, id="in open braces"),
        pytest.param("defaults:\n  vendor: |\n", {"sonic", "arista"}, {"platform"}, id="a closed word"),
        pytest.param("defaults:\n  vendor: 'so|'\n", {"sonic"}, {"platform"}, id="a closed word in quotes"),
        pytest.param("defaults: {drop_incomplete_arp: |", {"true", "false"}, {"yes"}, id="a boolean"),
        pytest.param("defaults:\n  pfc:\n    watchdog: |\n", {"off", "vendor-default"}, {"auto"}, id="or a section"),
        pytest.param("defaults:\n  pfc:\n    watchdog:\n      |\n", {"off", "detection_time"}, {"auto"}, id="or words"),
        pytest.param("devices:\n  leaf1:\n    ports:\n      E1: {|", {"speed", "cable"}, {"vendor"}, id="of a port"),
        pytest.param("links:\n  - {|", {"a", "b", "cable"}, {"speed"}, id="in a list"),
        pytest.param("links:\n  - a: x:y\n    |", {"b", "cable"}, {"a"}, id="in a block of a list"),
        pytest.param("half typed\ndefaults:\n  vendor: |\n", {"sonic"}, set(), id="behind a broken line"),
        pytest.param("defaults:\n  vendor: |\nhosts: {{{\n", {"sonic"}, set(), id="before a broken line"),
        pytest.param("defaults:\n  platform: |\n", {"nvidia-sn5600"}, {"tomahawk5", "connectx-7"}, id="platforms"),
        pytest.param("defaults:\n  asic: |\n", {"tomahawk5"}, {"nvidia-sn5600"}, id="chips"),
        pytest.param("hosts: {gpu1: {nic: |", {"connectx-7"}, {"tomahawk5"}, id="network cards"),
        pytest.param(
            "devices: {a: {ports: {E1: {classes: [cnp, |]}}}}\n", {"rdma"}, {"vendor"}, id="classes of a port"
        ),
        pytest.param(
            "devices:\n  a:\n    classes:\n      |\n", {"rdma", "control"}, {"dscp"}, id="classes of a device"
        ),
        pytest.param("vlans: {100: {class: |", {"rdma"}, {"dscp"}, id="class of a VLAN"),
    ],
)
def test_what_is_offered(editor: Client, tmp_path: Path, more: str, offered: set[str], not_offered: set[str]) -> None:
    found = _labels(editor, tmp_path, more)
    assert offered <= found
    assert not found & not_offered


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("# vendor: |\n", id="in a comment"),
        pytest.param("defaults: {version: {sonic: '2025|05'}}\n", id="in a text of the user's"),
        pytest.param("defaults:\n  vendor:|\n", id="at the colon"),
        pytest.param("no_such_key:\n  |\n", id="below an unknown key"),
    ],
)
def test_where_nothing_is_offered(editor: Client, tmp_path: Path, more: str) -> None:
    assert _labels(editor, tmp_path, more) == set()


def test_names_of_fabric_words(editor: Client, tmp_path: Path) -> None:
    marked = POLICY.replace("name: lab", "workload: |")
    assert {"ai-training"} <= set(_items(editor, tmp_path, marked))
    marked = POLICY.replace("name: lab", "ecn_family: |")
    assert {"hpcc"} <= set(_items(editor, tmp_path, marked))
    marked = POLICY.replace("[rdma]", "[|]")
    assert {"rdma", "storage"} <= set(_items(editor, tmp_path, marked))
    marked = POLICY.replace("dscp: rest", "dscp: |")
    found = set(_items(editor, tmp_path, marked))
    assert {"rest", "af31", "ef"} <= found
    assert "AF31" not in found


def test_the_teams_own_profiles(editor: Client, tmp_path: Path) -> None:
    own = tmp_path / "rocecfg-profiles" / "platforms"
    own.mkdir(parents=True)
    (own / "our-box.yaml").write_text("extends: nvidia-sn5600\ntitle: the box of rack 9\n", encoding="utf-8")
    found = _items(editor, tmp_path, POLICY + "defaults: {platform: |")
    assert found["our-box"]["documentation"] == "the box of rack 9"
    assert "nvidia-sn5600" in found


@pytest.mark.parametrize(
    ("more", "label", "becomes"),
    [
        pytest.param("defaults:\n  ve|\n", "vendor", "defaults:\n  vendor: \n", id="a value follows"),
        pytest.param("defaults:\n  cl|\n", "classes", "defaults:\n  classes:\n", id="a section follows"),
        pytest.param("defaults: {cl|}\n", "classes", "defaults: {classes: }\n", id="in braces"),
        pytest.param("defaults:\n  ve|nor: sonic\n", "vendor", "defaults:\n  vendor: sonic\n", id="a key that has one"),
        pytest.param("defaults: {vendor: so|}\n", "sonic", "defaults: {vendor: sonic}\n", id="a word"),
        pytest.param(
            "# 🚀\ndefaults: {role: 🚀, ve|}\n", "vendor", "# 🚀\ndefaults: {role: 🚀, vendor: }\n", id="emoji"
        ),
    ],
)
def test_what_is_taken_is_written(editor: Client, tmp_path: Path, more: str, label: str, becomes: str) -> None:
    marked = POLICY + more
    text = marked.replace("|", "", 1)
    uri = editor.open(tmp_path / "fabric.yaml", text)
    line, column = spot(marked, "|")
    before = marked[: marked.index("|")].rpartition("\n")[2]
    units = len(before.encode("utf-16-le")) // 2
    assert units >= column
    item = editor.complete(uri, line, units)[label]
    assert edited(text, [item["textEdit"]]) == POLICY + becomes


def test_rules_of_a_waiver(editor: Client, tmp_path: Path) -> None:
    text = POLICY.replace("name: lab}", "name: lab}  # rocecfg: ignore[ets-cnp, hyg")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    line, column = spot(text, "hyg", 3)
    found = editor.complete(uri, line, column)
    assert "hygiene-absent" in found
    assert found["hygiene-absent"]["detail"].startswith("HYG910")
    assert "ets-cnp" not in found  # it is there already
    assert "watchdog-missing" not in found  # it cannot be silenced in a line
    assert edited(text, [found["hygiene-absent"]["textEdit"]]) == text.replace(", hyg", ", hygiene-absent")


def test_an_included_file_that_is_broken(editor: Client, tmp_path: Path) -> None:
    root = tmp_path / "fabric.yaml"
    root.write_text(POLICY + "include: part.yaml\n", encoding="utf-8")
    part = tmp_path / "part.yaml"
    part.write_text("defaults:\n  vendor: \n", encoding="utf-8")
    uri = editor.open(part)
    assert "sonic" in editor.complete(uri, 1, 10)
    editor.replace(uri, "defaults:\n  vendor: sonic\n  ro")
    assert "role" in editor.complete(uri, 2, 4)


def test_other_files_of_a_fabric_have_other_keys(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text("a_device,a_port,b_device,b_port,cable\n", encoding="utf-8")
    (tmp_path / "fabric.yaml").write_text(POLICY + "links: [links.csv]\n", encoding="utf-8")
    rules = editor.open(tmp_path / "rocecfg-rules.yaml", "rules: []\n")
    links = editor.open(tmp_path / "links.csv")
    for uri in (rules, links):
        editor.diagnostics(uri)
        assert editor.complete(uri, 0, 0) == {}
        assert editor.hover(uri, 0, 1) == ""


def test_the_teams_own_rules_can_be_waived(editor: Client, tmp_path: Path) -> None:
    rules = "rules:\n  - {name: own-queue, for: class, expect: {queue: {unique: true}}}\n"
    (tmp_path / "rocecfg-rules.yaml").write_text(rules, encoding="utf-8")
    text = POLICY.replace("name: lab}", "name: lab}  # rocecfg: ignore[")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    assert "house/own-queue" in editor.complete(uri, *spot(text, "ignore[", 7))


def _documented(item: dict[str, object]) -> str:
    return f"{item.get('detail', '')}\n{item.get('documentation', '')}"


def test_each_key_and_word_says_what_it_means(editor: Client, tmp_path: Path) -> None:
    editor.diagnostics(editor.open(tmp_path / "fabric.yaml", POLICY))  # what classes are is known once it was judged
    keys = _items(editor, tmp_path, POLICY + "defaults:\n  |\n")
    assert _documented(keys["cable"]) == "default, or a length such as 3m\ncable length"
    assert _documented(keys["vendor"]).startswith("sonic | spectrum | arista")
    assert all(item.get("detail") or item.get("documentation") for item in keys.values())
    for more, word, meaning in (
        ("defaults: {vendor: |}\n", "sonic", "network operating system"),
        ("defaults: {pfc: {watchdog: {action: |}}}\n", "drop", "what happens to a queue in a pause storm"),
        ("defaults: {pfc: {watchdog: |}}\n", "off", "PFC watchdog"),
        ("defaults: {drop_incomplete_arp: |}\n", "true", "drop lossless packets whose ARP entry is incomplete"),
        ("vlans: {1: {class: |}}\n", "rdma", "priority 3, lossless, DSCP 26"),
    ):
        assert meaning in _documented(_items(editor, tmp_path, POLICY + more)[word]), word


@pytest.mark.parametrize(
    ("more", "wanted", "meaning"),
    [
        pytest.param("defaults: {cable: 30|}\n", {"30m", "30cm", "30km", "30mm"}, "metres", id="a length"),
        pytest.param("defaults: {speed: 400|}\n", {"400G", "400M", "400T"}, "Gbit/s", id="a rate"),
        pytest.param("devices: {a: {arp_timeout: 5|}}\n", {"5s", "5ms", "5us", "5min"}, "seconds", id="a time"),
        pytest.param("defaults: {buffers: {shared_headroom: 2|}}\n", {"2MiB", "2MB"}, "2^20 bytes", id="a size"),
        pytest.param("defaults: {buffers: {shared_headroom: 2M|}}\n", {"2MiB", "2MB"}, "2^20 bytes", id="half a unit"),
        pytest.param("defaults: {buffers: {shared_headroom: 1.5|}}\n", {"1.5MB"}, "10^6 bytes", id="a fraction"),
    ],
)
def test_a_number_is_offered_its_units(
    editor: Client, tmp_path: Path, more: str, wanted: set[str], meaning: str
) -> None:
    found = _items(editor, tmp_path, POLICY + more)
    assert wanted <= set(found)
    assert any(meaning in _documented(found[one]) for one in wanted)


def test_no_unit_is_offered_where_none_belongs(editor: Client, tmp_path: Path) -> None:
    for more in ("defaults: {mtu: 90|}\n", "defaults: {vendor: 3|}\n", "defaults: {cable: |}\n"):
        assert not [label for label in _labels(editor, tmp_path, more) if label[:1].isdigit()]


@pytest.mark.parametrize(
    ("more", "wanted"),
    [
        pytest.param("vlans: {1: {devices: |}}\n", {"leaf01", '"leaf[01-02]"', "spine01"}, id="devices of a VLAN"),
        pytest.param("rollout: {stages: [{devices: '|'}]}\n", {"leaf02", "leaf[01-02]"}, id="of a stage, in quotes"),
        pytest.param("links:\n  - a: |\n", {"leaf01", "gpu1"}, id="an end of a link"),
        pytest.param("links:\n  - mesh: {leaf: |}\n", {"leaf01", "gpu1"}, id="a tier of a mesh"),
        pytest.param("fabric: {oversubscription: {|\n", {"tor"}, id="roles of the oversubscription"),
        pytest.param("defaults: {role: |}\n", {"tor"}, id="a role"),
        pytest.param("telemetry: {exporter: |}\n", {"sonic-exporter"}, id="an exporter"),
    ],
)
def test_names_of_the_fabric(editor: Client, tmp_path: Path, more: str, wanted: set[str]) -> None:
    (tmp_path / "parts.yaml").write_text(
        "devices:\n  leaf[01-02]: {role: tor}\n  spine01: {}\nhosts: {gpu1: {nic: connectx-7}}\n", encoding="utf-8"
    )
    policy = POLICY.replace("fabric: {name: lab}\n", "") if more.startswith("fabric:") else POLICY
    whole = policy + "include: parts.yaml\n"
    uri = editor.open(tmp_path / "fabric.yaml", whole)
    editor.diagnostics(uri)
    marked = whole + more
    editor.replace(uri, marked.replace("|", "", 1))
    found = editor.complete(uri, *spot(marked, "|"))
    assert wanted <= set(found)


def test_rules_of_a_waiver_say_what_they_find(editor: Client, tmp_path: Path) -> None:
    text = POLICY.replace("lab}", "lab}  # rocecfg: ignore[")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    found = editor.complete(uri, *spot(text, "ignore[", 7))
    assert all(item["documentation"] for item in found.values())
