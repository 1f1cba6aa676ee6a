"""Folders of YANG models that a user may name, with a small model of our own, so that any clone can try them."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from conformance import lacking
from intents import rocecfg, write

from rocecfg.source.document import Document, SourceError
from rocecfg.validation.sonic_tables import complete_tables, read
from rocecfg.validation.verdict import CannotJudge
from rocecfg.validation.yang import read_tables
from rocecfg.validation.yang_models import branch_of, find_models

QUEUE = """\
module sonic-queue {
    // a comment, and "quotes" in it
    yang-version 1.1;
    namespace "http://example.org/queue";
    prefix queue;
    import sonic-maps { prefix maps; }
    container sonic-queue {
        container QUEUE {
            list QUEUE_LIST {
                key "ifname qindex";
                leaf ifname { type leafref { path "/port:sonic-port/port:PORT/port:PORT_LIST/port:name"; } }
                leaf qindex { type string { pattern "[0-7]" + "(-[0-7])?"; } }
                uses maps:bound;
                leaf-list colours { type string; }
            }
        }
        container MAP {
            list MAP_LIST {
                key name;
                leaf name { type string; }
                list MAP { key tc; leaf tc { type string { pattern "[0-7]"; } } leaf queue { type uint8; } }
            }
        }
    }
}
""".replace(
    "import sonic-maps { prefix maps; }", "import sonic-maps { prefix maps; }\n    import sonic-port { prefix port; }"
)
MAPS = """\
module sonic-maps {
    yang-version 1.1;
    namespace "http://example.org/maps";
    prefix maps;
    grouping bound { choice which { case one { leaf scheduler { type {{ kind }}; } } } }
}
"""
PORT = """\
module sonic-port {
    yang-version 1.1;
    namespace "http://example.org/port";
    prefix port;
    container sonic-port {
        container PORT { list PORT_LIST { key name; leaf name { type string; }
            leaf speed { type uint32; } leaf lanes { type string; } } }
    }
}
"""
TEMPLATE = MAPS.replace("{{ kind }}", '{% if yang_model_type == "cvl" %}uint8{% else %}string{% endif %}')
MODELS = {
    "yang-models/sonic-queue.yang": QUEUE,
    "yang-models/sonic-port.yang": PORT,
    "yang-templates/sonic-maps.yang.j2": TEMPLATE,
}
PLAIN = {"sonic-queue.yang": QUEUE, "sonic-port.yang": PORT, "sonic-maps.yang": MAPS.replace("{{ kind }}", "string")}
TABLES = {"QUEUE": {"Ethernet0|3": {"scheduler": "s", "colours": ["green"]}}, "MAP": {"AZURE": {"3": "3"}}}


@pytest.fixture(autouse=True)
def installed() -> None:
    if find_spec("oopt_gnpy_libyang") is None:
        lacking("oopt_gnpy_libyang is not installed: pip install 'rocecfg[validate]'")


def judged(folder: Path, tables: object, *options: str, expect: int) -> str:
    write(folder, {"a.json": json.dumps(tables, indent=1)})
    done = rocecfg(folder, "validate", "--from", "sonic", "a.json", *options, expect=expect)
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("place", "named", "model"),
    [
        ("m", "m", "m\n"),
        ("m/src/sonic-yang-models", "m", "m/src/sonic-yang-models\n"),  # a checkout of sonic-buildimage
        ("m/202405", "m/202405", "m/202405 (202405)\n"),
        ("m/202405/src/sonic-yang-models", "m", "m/202405/src/sonic-yang-models (202405)\n"),
    ],
)
def test_where_models_may_be(place: str, named: str, model: str, tmp_path: Path) -> None:
    write(tmp_path / place, MODELS)
    stated = judged(tmp_path, TABLES, "--yang", named, "--release", "SONiC.20240531.17", expect=0)
    assert f"checked by SONiC's YANG models in {model}" in stated


def test_models_as_a_switch_has_them_and_another_release(tmp_path: Path) -> None:
    write(tmp_path / "202311", PLAIN)
    stated = judged(tmp_path, TABLES, "--yang", "202311", "--release", "202405", expect=0)
    assert "assumed: the switch runs 202405, but the models are for 202311\n" in stated
    write(tmp_path / "any", PLAIN)
    stated = judged(tmp_path, TABLES, "--yang", "any", "--release", "202405", expect=0)
    assert (
        "assumed: the models are assumed to be for 202405, which the switch runs: their folder does not state it\n"
        in stated
    )


def test_a_release_that_the_folder_has_not(tmp_path: Path) -> None:
    write(tmp_path / "m" / "202311", PLAIN)
    write(tmp_path / "m" / "master", PLAIN)
    stated = judged(tmp_path, TABLES, "--yang", "m", "--release", "202405", expect=2)
    assert "m has models of 202311, master, but none of 202405 (name a folder of them with --yang DIR" in stated
    assert "(202311)" in judged(tmp_path, {**TABLES, **versions("version_202311_03")}, "--yang", "m", expect=0)


def versions(text: str) -> dict[str, object]:
    return {"VERSIONS": {"DATABASE": {"VERSION": text}}}


@pytest.mark.parametrize(
    ("change", "line", "message"),
    [
        ({"QUEUE": {"Ethernet0|9": {}}}, 3, 'QUEUE|Ethernet0|9|qindex: Unsatisfied pattern - "9" does'),
        ({"QUEUE": {"Ethernet0": {}}}, 3, "QUEUE|Ethernet0: fits no list of the model: its key has 1 parts"),
        ({"QUEUE": {"Ethernet0|3": {"schedular": "s"}}}, 4, "QUEUE|Ethernet0|3|schedular: no such field in this"),
        ({"QUEUE": {"Ethernet0|3": "s"}}, 3, "QUEUE|Ethernet0|3: is not an object with fields"),
        ({"QUEUE": {"Ethernet0|3": {"colours": 3}}}, 4, "QUEUE|Ethernet0|3|colours: 3 is not a list"),
        ({"QUEUE": []}, 2, "QUEUE: is not an object with rows"),
        ({"PORT": {"Ethernet0": {"lanes": "1"}}, "QUEUE": {"Eth9|3": {}}}, 8, "QUEUE|Eth9|3|ifname: Invalid leafref"),
        ({"MAP": {"AZURE": {"8": "3"}}}, 3, 'MAP|AZURE|MAP: Unsatisfied pattern - "8" does'),
        ({"MAP": {"AZURE": {"3": "300"}}}, 4, "MAP|AZURE|3: "),
    ],
)  # fmt: skip
def test_what_is_wrong_has_its_row_and_its_line(
    change: dict[str, object], line: int, message: str, tmp_path: Path
) -> None:
    write(tmp_path / "m", PLAIN)
    stated = judged(tmp_path, change, "--yang", "m", expect=1)
    assert f"a.json:{line}: {message}" in stated
    assert stated.count("a.json:") == 1


def test_rows_as_redis_has_them_and_several_asics(tmp_path: Path) -> None:
    write(tmp_path / "m", PLAIN)
    flat = {"QUEUE|Ethernet0|3": {"type": "hash", "value": {"scheduler": "s", "colours@": "green,red"}}}
    judged(tmp_path, flat, "--yang", "m", expect=0)
    flat["QUEUE|Ethernet8|9"] = {"type": "hash", "value": {}}
    assert "QUEUE|Ethernet8" in judged(tmp_path, flat, "--yang", "m", expect=1)
    spaces = {"localhost": {}, "asic0": TABLES, "asic1": {"QUEUE": {"Ethernet0|9": {}}}}
    assert "asic1|QUEUE|Ethernet0" in judged(tmp_path, spaces, "--yang", "m", expect=1)


@pytest.mark.parametrize(
    "text", ["module sonic-queue {", "hello", "", "module sonic-queue { leaf x { type string; }", "{" * 5000]
)
def test_a_broken_model_is_named(text: str, tmp_path: Path) -> None:
    write(tmp_path / "m", {**PLAIN, "sonic-queue.yang": text})
    stated = judged(tmp_path, TABLES, "--yang", "m", expect=2)
    assert "m/sonic-queue.yang:1:1: is not a module of YANG (copy the folder of models again)" in stated


def test_models_that_libyang_or_jinja_do_not_take(tmp_path: Path) -> None:
    write(tmp_path / "m", {**PLAIN, "sonic-queue.yang": QUEUE.replace("type string;", "type strin;")})
    assert "libyang refuses the module sonic-queue: " in judged(tmp_path, TABLES, "--yang", "m", expect=2)
    write(tmp_path / "n", {**MODELS, "yang-templates/sonic-maps.yang.j2": "{% if %}"})
    stated = judged(tmp_path, TABLES, "--yang", "n", expect=2)
    assert "n/yang-templates/sonic-maps.yang.j2 is not a template of a model" in stated
    write(
        tmp_path / "o",
        {**MODELS, "yang-templates/sonic-maps.yang.j2": "{{ ().__class__.__bases__[0].__subclasses__() }}"},
    )
    assert "is not a template of a model: access to attribute '__class__'" in judged(
        tmp_path, TABLES, "--yang", "o", expect=2
    )


def test_groupings_of_other_modules_are_found(tmp_path: Path) -> None:
    write(tmp_path, PLAIN)
    queue = read_tables(str(tmp_path))["QUEUE"].node.lists["QUEUE_LIST"]
    assert (queue.keys, queue.leafs, queue.leaf_lists) == (
        ("ifname", "qindex"),
        {"ifname", "qindex", "scheduler"},
        {"colours"},
    )


def test_no_folder_is_refused_with_what_to_do() -> None:
    with pytest.raises(CannotJudge, match="src/sonic-yang-models of github"):
        find_models(None, "202405")


@pytest.mark.parametrize(
    ("text", "branch"),
    [("202405", "202405"), ("SONiC.20240531.17", "202405"), ("version_202411_01", "202411"), ("master", "master"),
     ("Master", "master"), ("4.1.1", None), ("202499", None), ("version_4_0_3", None)],
)  # fmt: skip
def test_branches(text: str, branch: str | None) -> None:
    assert branch_of(text) == branch


def test_a_part_is_completed_with_what_its_rows_name() -> None:
    text = json.dumps(
        {"QUEUE": {"Ethernet8|3": {}, "leaf|asic0|Ethernet16|3": {}}, "BUFFER_PG": {"Ethernet0|3": {"profile": "NULL"}}}
    )
    (tables,) = read(Document(0, "a.json", text)).spaces.values()
    whole, assumed = complete_tables(tables)
    assert list(whole["PORT"]) == ["Ethernet0", "Ethernet8", "Ethernet16"]
    assert len({row["lanes"] for row in whole["PORT"].values()}) == 3
    assert assumed == [
        "DEVICE_METADATA|localhost: buffer_model dynamic, as its buffers have it",
        "rows of PORT: Ethernet[0-16/8]",
    ]
    assert "PORT" not in tables


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"secret": "word", **{f"m/{name}": text for name, text in PLAIN.items()}})
    (tmp_path / "m" / "more.yang").symlink_to(tmp_path / "secret")
    stated = judged(tmp_path, TABLES, "--yang", "m", expect=2)
    assert "m/more.yang is a link that leads out of m (copy the models themselves there)" in stated
    assert "word" not in stated


@pytest.mark.parametrize(
    "grouping",
    [
        "grouping bound { uses bound; }",
        "grouping bound { container c { list l { uses bound; } } }",
        "grouping bound { uses other; } grouping other { leaf a { type string; } uses bound; }",
    ],
)
def test_a_grouping_that_uses_itself_is_an_error_of_its_file(grouping: str, tmp_path: Path) -> None:
    """RFC 7950, section 7.12: a grouping must not reference itself, neither directly nor by others."""
    maps = f'module sonic-maps {{ yang-version 1.1; namespace "http://example.org/maps"; prefix maps; {grouping} }}\n'
    write(tmp_path, {**PLAIN, "sonic-maps.yang": maps})
    with pytest.raises(SourceError, match=r"sonic-maps\.yang.*uses itself"):
        read_tables(str(tmp_path))
