"""Where what a name means is declared, and where else it stands: in the text as it is being typed, and other files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from intents import POLICY
from lsp_client import Client, Json, spot

import rocecfg
from rocecfg.core.data import data_path

PARTS = """\
devices:
  leaf[01-02]:
    role: leaf
    vendor: sonic
    platform: nvidia-sn5600
    classes: {storage: {queue: 2}}
    ports:
      "Ethernet[0-56/8]": {speed: 400G, faces: host, classes: [rdma, cnp]}
      "Ethernet[64-120/8]": {speed: 400G, faces: switch, lag: PortChannel1}
  spine01:
    role: spine
    ports:
      swp[1-16]: {speed: 400G}
hosts:
  gpu[1-2]:
    nic: connectx-7
    ports: {"mlx5_[0-3]": {rail: 0}}
"""
ROOT = (
    POLICY.replace("  cnp: ", "  storage: {carries: [storage], dscp: 18, priority: 2}\n  cnp: ")
    + """\
include: [parts.yaml, gone.yaml]
vlans: {100: {devices: "leaf[01-02]", class: storage}}
links:
  - {a: "leaf02:Ethernet[64-72/8]", b: "spine01:swp[1-2]"}
  - a: 'gpu1:mlx5_0'
    b: leaf01:Ethernet0
  - {mesh: {leaf: "leaf01:Ethernet88", spine: "spine01:swp16"}}
  - links.csv
rollout: {stages: [{devices: leaf01}, {devices: "spine01,leaf02"}]}
"""
).replace("name: lab}", "name: lab, workload: ai-training, oversubscription: {leaf: '2:1'}}")
CSV = 'a_device,a_port,b_device,b_port,cable\ngpu2,mlx5_[0-1],leaf01,"Ethernet[8,16]",3m\n'


@pytest.fixture
def fabric(tmp_path: Path) -> Path:
    """A fabric of three files."""
    (tmp_path / "parts.yaml").write_text(PARTS, encoding="utf-8")
    (tmp_path / "links.csv").write_text(CSV, encoding="utf-8")
    root = tmp_path / "fabric.yaml"
    root.write_text(ROOT, encoding="utf-8")
    return root


def _texts(fabric: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in fabric.parent.iterdir() if path.is_file()}


def _cut(places: list[Json], fabric: Path, texts: dict[str, str] | None = None) -> list[tuple[str, int, str]]:
    """File, line from 1, and the text of each place."""
    texts = _texts(fabric) | (texts or {})
    out = []
    for place in places:
        name = place["uri"].rpartition("/")[2]
        start, end = place["range"]["start"], place["range"]["end"]
        assert start["line"] == end["line"]
        line = texts[name].splitlines()[start["line"]]
        units = line.encode("utf-16-le")
        out.append((name, start["line"] + 1, units[2 * start["character"] : 2 * end["character"]].decode("utf-16-le")))
    return out


def _definition(editor: Client, uri: str, text: str, part: str, more: int = 0) -> list[Json]:
    return _places(editor.ask("textDocument/definition", editor.at(uri, *spot(text, part, more))))


def _places(found: Any) -> list[Json]:
    return found if isinstance(found, list) else [] if found is None else [found]


@pytest.mark.parametrize(
    ("part", "more", "name", "found"),
    [
        pytest.param("class: storage", 8, "fabric.yaml", ["storage"], id="a class"),
        pytest.param("leaf02:Ether", 2, "parts.yaml", ["leaf[01-02]"], id="the device of a link's end, quoted"),
        pytest.param("leaf02:Ether", 9, "parts.yaml", ["Ethernet[64-120/8]"], id="the ports of a link's end"),
        pytest.param("spine01:swp", 3, "parts.yaml", ["spine01"], id="the other end"),
        pytest.param("spine01:swp", 9, "parts.yaml", ["swp[1-16]"], id="its port"),
        pytest.param("spine01:swp16", 3, "parts.yaml", ["spine01"], id="a tier of a mesh"),
        pytest.param("gpu1:mlx5_0", 1, "parts.yaml", ["gpu[1-2]"], id="a host"),
        pytest.param("gpu1:mlx5_0", 6, "parts.yaml", ["mlx5_[0-3]"], id="a host's port"),
        pytest.param("leaf01:Ethernet0", 16, "parts.yaml", ["Ethernet[0-56/8]"], id="behind the last character"),
        pytest.param('"leaf[01-02]", class', 4, "parts.yaml", ["leaf[01-02]"], id="devices of a VLAN"),
        pytest.param("{devices: leaf01}", 12, "parts.yaml", ["leaf[01-02]"], id="devices of a stage"),
        pytest.param("spine01,leaf02", 10, "parts.yaml", ["leaf[01-02]"], id="one of several names"),
        pytest.param("oversubscription: {leaf", 20, "parts.yaml", ["leaf"], id="a role"),
    ],
)
def test_definition_in_the_fabric(
    editor: Client, fabric: Path, part: str, more: int, name: str, found: list[str]
) -> None:
    uri = editor.open(fabric)
    places = _cut(_definition(editor, uri, ROOT, part, more), fabric)
    assert [(file, text) for file, _, text in places] == [(name, text) for text in found]


@pytest.mark.parametrize(
    ("part", "more", "found"),
    [
        pytest.param("[rdma, cnp]", 7, ("fabric.yaml", "cnp"), id="a class of a port"),
        pytest.param("{storage:", 3, ("fabric.yaml", "storage"), id="a class of a device"),
        pytest.param("leaf[01-02]:", 3, ("parts.yaml", "leaf[01-02]"), id="the declaration itself"),
    ],
)
def test_definition_from_an_included_file(
    editor: Client, fabric: Path, part: str, more: int, found: tuple[str, str]
) -> None:
    uri = editor.open(fabric.parent / "parts.yaml")
    ((name, _, text),) = _cut(_definition(editor, uri, PARTS, part, more), fabric)
    assert (name, text) == found


def test_definition_from_a_file_of_links(editor: Client, fabric: Path) -> None:
    uri = editor.open(fabric.parent / "links.csv")
    for part, more, wanted in (("gpu2", 1, "gpu[1-2]"), ("mlx5", 2, "mlx5_[0-3]"), ("8,16]", 0, "Ethernet[0-56/8]")):
        assert [t for _, _, t in _cut(_definition(editor, uri, CSV, part, more), fabric)] == [wanted]


def test_definition_of_profiles(editor: Client, fabric: Path) -> None:
    uri = editor.open(fabric.parent / "parts.yaml")
    for part, file in (("nvidia-sn5600", "platforms/nvidia-sn5600"), ("connectx-7", "nics/connectx-7")):
        (place,) = _definition(editor, uri, PARTS, part, 3)
        assert place["uri"] == Path(data_path("profiles", f"{file}.yaml")).as_uri()
        assert place["range"]["start"] == {"line": 0, "character": 0}
    (place,) = _definition(editor, editor.open(fabric), ROOT, "ai-training")
    assert place["uri"].endswith("/profiles/workloads/ai-training.yaml")


def test_definition_of_the_teams_own_profile(editor: Client, fabric: Path) -> None:
    own = fabric.parent / "rocecfg-profiles" / "platforms"
    own.mkdir(parents=True)
    box = own / "nvidia-sn5600.yaml"
    box.write_text("extends: nvidia-sn5600\ntitle: ours\n", encoding="utf-8")
    (place,) = _definition(editor, editor.open(fabric.parent / "parts.yaml"), PARTS, "nvidia-sn5600")
    assert place["uri"] == box.as_uri()
    text = box.read_text(encoding="utf-8")
    (place,) = _definition(editor, editor.open(box), text, "nvidia-sn5600")  # what it extends: the shipped one
    assert place["uri"] == Path(data_path("profiles", "platforms", "nvidia-sn5600.yaml")).as_uri()


def test_definition_of_files(editor: Client, fabric: Path) -> None:
    uri = editor.open(fabric)
    for part in ("parts.yaml", "links.csv"):
        (place,) = _definition(editor, uri, ROOT, part, 3)
        assert place["uri"] == (fabric.parent / part).as_uri()
    assert _definition(editor, uri, ROOT, "gone.yaml", 3) == []  # there is none
    version = editor.replace(uri, ROOT.replace("[parts.yaml, gone.yaml]", "'p*.yaml'"))
    editor.diagnostics(uri, version)
    text = ROOT.replace("[parts.yaml, gone.yaml]", "'p*.yaml'")
    assert [p["uri"] for p in _definition(editor, uri, text, "p*.y", 2)] == [(fabric.parent / "parts.yaml").as_uri()]


def test_definition_never_leads_out_of_the_repository(editor: Client, tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text("a: 1\n", encoding="utf-8")
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    text = POLICY + "include: [../secret.yaml, /etc/passwd, '../*.yaml']\nlinks: [../secret.yaml]\n"
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    uri = editor.open(folder / "fabric.yaml")
    for part in ("../secret.yaml, /", "/etc/passwd", "../*", "[../secret.yaml]"):
        assert _definition(editor, uri, text, part, 3) == []


def test_definition_of_the_rule_that_a_waiver_names(editor: Client, tmp_path: Path) -> None:
    rules = "rules:\n  - {name: own-queue, for: class, expect: {queue: {unique: true}}}\n"
    (tmp_path / "rocecfg-rules.yaml").write_text(rules, encoding="utf-8")
    text = POLICY.replace("lab}", "lab}  # rocecfg: ignore[ets-cnp, MIX406, house/own-queue, no-such] -- why")
    uri = editor.open(tmp_path / "fabric.yaml", text)
    pages = Path(rocecfg.__file__).parent / "rules" / "pages"
    (place,) = _definition(editor, uri, text, "ets-cnp", 2)
    assert place["uri"] == (pages / "ets-cnp.md").as_uri()
    (place,) = _definition(editor, uri, text, "MIX406", 2)  # a code stands for the name
    assert place["uri"].startswith(pages.as_uri() + "/mix-")
    (place,) = _definition(editor, uri, text, "own-queue", 2)
    assert place["uri"] == (tmp_path / "rocecfg-rules.yaml").as_uri()
    assert place["range"]["start"] == {"line": 1, "character": rules.splitlines()[1].index("own-queue")}
    assert _definition(editor, uri, text, "no-such", 2) == []
    found = editor.ask("textDocument/references", _with(editor.at(uri, *spot(text, "own-queue")), declared=True))
    assert {place["uri"].rpartition("/")[2] for place in found} == {"fabric.yaml", "rocecfg-rules.yaml"}


def test_definition_of_an_anchor(editor: Client, tmp_path: Path) -> None:
    text = POLICY + "devices:\n  a: {ports: &rails {E1: {speed: 400G}}}\n  b: {ports: *rails}\n"
    uri = editor.open(tmp_path / "fabric.yaml", text)
    (place,) = _definition(editor, uri, text, "*rails", 3)
    assert place["range"]["start"]["character"] == text.splitlines()[place["range"]["start"]["line"]].index("&rails")


def test_where_there_is_no_definition(editor: Client, fabric: Path) -> None:
    uri = editor.open(fabric)
    for part in ("rocecfg: 1", "kmin", "400KB", "true", "100: {"):
        assert _definition(editor, uri, ROOT, part) == []
    assert _places(editor.ask("textDocument/definition", editor.at(uri, 999, 999))) == []


def _with(at: Json, *, declared: bool) -> Json:
    return at | {"context": {"includeDeclaration": declared}}


@pytest.mark.parametrize(
    ("name", "part", "more", "declared", "others"),
    [
        pytest.param(
            "fabric.yaml",
            "storage: {",
            1,
            ("fabric.yaml", "storage"),
            {("fabric.yaml", "storage"), ("parts.yaml", "storage")},
            id="a class",
        ),
        pytest.param(
            "parts.yaml",
            "leaf[01-02]",
            1,
            ("parts.yaml", "leaf[01-02]"),
            {
                ("fabric.yaml", "leaf[01-02]"),
                ("fabric.yaml", "leaf02"),
                ("fabric.yaml", "leaf01"),
                ("fabric.yaml", "spine01,leaf02"),
                ("links.csv", "leaf01"),
            },
            id="devices",
        ),
        pytest.param(
            "parts.yaml",
            "Ethernet[0-56",
            3,
            ("parts.yaml", "Ethernet[0-56/8]"),
            {("fabric.yaml", "Ethernet0"), ("links.csv", "Ethernet[8,16]")},
            id="ports",
        ),
        pytest.param("parts.yaml", "role: spine", 7, ("parts.yaml", "spine"), set(), id="a role nobody names"),
    ],
)
def test_references(
    editor: Client,
    fabric: Path,
    name: str,
    part: str,
    more: int,
    declared: tuple[str, str],
    others: set[tuple[str, str]],
) -> None:
    text = (fabric.parent / name).read_text(encoding="utf-8")
    uri = editor.open(fabric.parent / name)
    at = editor.at(uri, *spot(text, part, more))
    found = _cut(_places(editor.ask("textDocument/references", _with(at, declared=True))), fabric)
    assert {(file, word) for file, _, word in found} == {declared} | others
    found = _cut(_places(editor.ask("textDocument/references", _with(at, declared=False))), fabric)
    assert {(file, word) for file, _, word in found} == others


def test_references_in_a_file_of_links_that_others_wrote(editor: Client, tmp_path: Path) -> None:
    dot = 'graph G {\n  "leaf01":"swp1" -- "spine01":"swp9"\n  "leaf02":"swp1" -- "spine01":"swp10"\n}\n'
    (tmp_path / "topology.dot").write_text(dot, encoding="utf-8")
    text = POLICY + "devices:\n  leaf[01-02]: {}\n  spine01: {}\nlinks: [topology.dot]\n"
    uri = editor.open(tmp_path / "fabric.yaml", text)
    for part, lines in (("leaf[01", [2, 3]), ("spine01", [2, 3])):
        at = _with(editor.at(uri, *spot(text, part)), declared=False)
        found = _places(editor.ask("textDocument/references", at))
        assert [(p["uri"].rpartition("/")[2], p["range"]["start"]["line"] + 1) for p in found] == [
            ("topology.dot", line) for line in lines
        ]


def test_ports_of_other_devices_are_others(editor: Client, tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n  a: {ports: {'E[1-4]': {speed: 400G}}}\n  b: {ports: {'E[1-4]': {speed: 400G}}}\n"
        "links:\n  - {a: 'a:E1', b: 'b:E1'}\n  - {a: 'a:E9', b: 'c:E1'}\n"
    )
    uri = editor.open(tmp_path / "fabric.yaml", text)
    (first,) = _definition(editor, uri, text, "a:E1", 2)
    (second,) = _definition(editor, uri, text, "b:E1", 2)
    assert second["range"]["start"]["line"] == first["range"]["start"]["line"] + 1
    (device,) = _definition(editor, uri, text, "a:E9", 2)  # no such port: where the device is
    assert device["range"]["start"]["line"] == first["range"]["start"]["line"]
    assert _definition(editor, uri, text, "c:E1", 2) == []


def test_unsaved_texts_count(editor: Client, fabric: Path) -> None:
    root = editor.open(fabric)
    part = editor.open(fabric.parent / "parts.yaml")
    changed = "# a new first line\n" + PARTS.replace("spine01:", "spine[01-09]:")
    editor.replace(part, changed)
    ((name, line, text),) = _cut(_definition(editor, root, ROOT, "spine01:swp", 3), fabric, {"parts.yaml": changed})
    assert (name, text) == ("parts.yaml", "spine[01-09]")
    assert line == changed[: changed.index("spine[")].count("\n") + 1


def test_positions_behind_characters_outside_ascii(editor: Client, tmp_path: Path) -> None:
    """Columns are counted in UTF-16: an emoji is two."""
    text = POLICY.replace("lab}", "lab, description: 🚀🚀}") + (
        "devices: {a: {description: Jörg 🚀, ports: {E1: {description: 🚀, speed: 400G}}}}\n"
        "links: [{description: 🚀é, a: 'a:E1', b: 'h:p'}]\n"
    )
    path = tmp_path / "fabric 🚀.yaml"
    uri = editor.open(path, text)
    line, column = spot(text, "a:E1", 2)
    before = text.splitlines()[line][:column]
    units = len(before.encode("utf-16-le")) // 2
    assert units == column + 1
    (place,) = _places(editor.ask("textDocument/definition", editor.at(uri, line, units)))
    assert place["uri"] == uri
    declared = text.splitlines()[place["range"]["start"]["line"]].encode("utf-16-le")
    start, end = place["range"]["start"]["character"], place["range"]["end"]["character"]
    assert declared[2 * start : 2 * end].decode("utf-16-le") == "E1"
    outline = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert outline


def test_a_half_typed_text_is_still_understood(editor: Client, fabric: Path) -> None:
    for broken in (ROOT + "defaults:\n  vendor: sonic\n  plat\n", ROOT + "routing: {algo\n", "half\n" + ROOT):
        uri = editor.open(fabric, broken)
        ((name, _, text),) = _cut(
            _definition(editor, uri, broken, "class: storage", 8), fabric, {"fabric.yaml": broken}
        )
        assert (name, text) == ("fabric.yaml", "storage")
        editor.close(uri)


def test_yaml_of_others_is_left_alone(editor: Client, tmp_path: Path) -> None:
    text = "kind: Deployment\nclasses: {a: {b: 1}}\n"
    uri = editor.open(tmp_path / "k8s.yaml", text)
    assert _definition(editor, uri, text, "a: {") == []
    assert not editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    at = _with(editor.at(uri, 1, 11), declared=True)
    assert not editor.ask("textDocument/references", at)


def test_node_sets_that_are_wrong(editor: Client, tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf[1-: {role: leaf}\n  x: {}\nvlans: {1: {devices: 'leaf[1-'}}\n"
    uri = editor.open(tmp_path / "fabric.yaml", text)
    editor.diagnostics(uri)
    assert len(_definition(editor, uri, text, "'leaf[1-'", 3)) <= 1
    assert _definition(editor, uri, text, "lossless") == []


def test_two_fabrics_that_share_a_file(editor: Client, tmp_path: Path) -> None:
    for name in ("one", "two"):
        text = POLICY + f"include: shared.yaml\ndevices: {{{name}: {{}}}}\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    shared = "defaults: {classes: {rdma: {queue: 3}}}\n"
    (tmp_path / "shared.yaml").write_text(shared, encoding="utf-8")
    uri = editor.open(tmp_path / "shared.yaml")
    found = _definition(editor, uri, shared, "rdma")
    assert sorted(place["uri"].rpartition("/")[2] for place in found) == ["one.yaml", "two.yaml"]
