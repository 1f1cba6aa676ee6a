"""Vendors stand in one table: what it names exists, and the command line takes names and aliases from it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import pytest
from checkout import ROOT
from intents import POLICY, rocecfg, write

from rocecfg import vendors
from rocecfg.cli import group
from rocecfg.profiles import SHIPPED
from rocecfg.profiles.releases import SYSTEMS, UNKNOWN_SYSTEMS
from rocecfg.vendors import TABLE, VENDORS, MissingPart, part, row
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.protocol import Match, Vendor


def test_intents_speak_of_the_vendors_in_the_table() -> None:
    assert VENDORS == SYSTEMS
    assert sorted(VENDORS) == SHIPPED.names("nos")
    packages = {p.parent.name for p in (ROOT / "rocecfg" / "vendors").glob("*/__init__.py")}
    assert packages == set(VENDORS)


def test_tests_and_benchmarks_take_the_vendors_from_the_table() -> None:
    """Where three are listed by name, the next one would be left out unseen."""
    word = rf"[\"'](?:{'|'.join(VENDORS)})[\"'],?\s*"
    listed = re.compile(rf"[(\[{{]\s*(?:{word}){{3,}}[)\]}}]|for \w+ in (?:{word}){{3,}}:")
    files = (file for folder in ("tests", "benchmarks", "docs") for file in (ROOT / folder).rglob("*.py"))
    assert [str(file) for file in files if listed.search(file.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_package_offers_what_every_vendors_does(vendor: str) -> None:
    for name, of in get_type_hints(Vendor).items():
        module = part(vendor, name)
        assert module.__doc__
        wanted = {member for member in vars(of) if not member.startswith("_")}
        assert wanted
        assert {member for member in wanted if not hasattr(module, member)} == set()
    of = row(vendor)
    assert SHIPPED.nos(vendor).title == of.title
    assert vendor in SHIPPED.platform(of.platform).boxes
    here = {path.stem for path in (ROOT / "rocecfg" / "vendors" / vendor).glob("*.py")}
    assert not {"ansible", "balancing", "fates", "notes", "queues", "release", "view"} - here  # called alike everywhere


def test_a_vendor_without_some_module_is_refused_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of one that is being added: its row first, its modules one after the other."""
    monkeypatch.setitem(vendors._BY_NAME, "further", row("arista")._replace(name="further"))  # noqa: SLF001
    with pytest.raises(MissingPart, match=r"there is no rocecfg\.vendors\.further\.writer \(CONTRIBUTING\.md"):
        part("further", "writer")
    with pytest.raises(MissingPart, match=r"there is no rocecfg\.vendors\.further\.rollout "):
        part("further", "rollout")
    monkeypatch.setattr("rocecfg.vendors.detect.VENDORS", ("further", *VENDORS))
    assert vendor_of("hostname leaf01\n!\ninterface Ethernet1/1\n   mtu 9214\n") == "arista"
    monkeypatch.setattr(group.cli, "main", lambda **_: part("further", "reader"))
    with pytest.raises(SystemExit) as end:
        group.run_cli()
    assert end.value.code == 2


def _is_further(head: str) -> Match | None:
    return Match(sure=True, ours=True) if "further" in head else None


@pytest.mark.parametrize(("line", "otherwise"), [("", "arista"), ("Building configuration...\n", None)])
def test_how_others_are_told_needs_no_word_of_a_further_vendor(
    line: str, otherwise: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its texts may have lines that EOS has too, and such by which EOS knows that they are not its own."""
    module = ModuleType("rocecfg.vendors.further.detect")
    monkeypatch.setattr(module, "detect", _is_further, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(vendors._BY_NAME, "further", row("arista")._replace(name="further"))  # noqa: SLF001
    monkeypatch.setattr("rocecfg.vendors.detect.VENDORS", (*VENDORS, "further"))
    text = f"{line}interface Ethernet1/1\n  mtu 9216\n"
    assert vendor_of(text) == otherwise
    assert vendor_of(f"further\n{text}") == "further"


def test_a_word_stands_for_one_vendor() -> None:
    words = [word for of in TABLE for word in (of.name, *of.aliases)]
    assert len(words) == len(set(words))
    assert not {*words, *(of.title for of in TABLE)} & {*UNKNOWN_SYSTEMS, *UNKNOWN_SYSTEMS.values()}


@pytest.mark.parametrize(
    ("alias", "vendor"),
    [
        *(("cumulus", "spectrum"), ("nvue", "spectrum"), ("nvidia", "spectrum"), ("eos", "arista")),
        *(("juniper", "junos"), ("qfx", "junos"), ("cisco", "nxos"), ("nexus", "nxos"), ("nx-os", "nxos")),
    ],
)
def test_the_command_line_takes_an_alias(alias: str, vendor: str, tmp_path: Path) -> None:
    rocecfg(tmp_path, "init", "--yes", "--vendor", alias, expect=0)
    assert f"  vendor: {vendor}\n" in (tmp_path / "fabric.yaml").read_text(encoding="utf-8")
    by_alias, by_name = (
        rocecfg(tmp_path, "render", "--vendor", word, "--device", "leaf01", expect=0).stdout for word in (alias, vendor)
    )
    assert by_alias == by_name != ""


def test_lint_takes_an_alias_for_what_wrote_a_file(tmp_path: Path) -> None:
    write(tmp_path, {"running.txt": "hostname leaf01\n!\ninterface Ethernet1/1\n   mtu 9214\n"})
    by_alias, by_name = (
        rocecfg(tmp_path, "lint", "--from", word, "--format", "json", "running.txt") for word in ("eos", "arista")
    )
    assert (by_alias.returncode, by_alias.stdout) == (by_name.returncode, by_name.stdout)
    assert '"devices": 1,' in by_alias.stdout


@pytest.mark.parametrize("word", ["nobody", "EOSX", ""])
def test_a_word_that_is_no_vendor_is_refused(word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "render", "--vendor", word, expect=2)
    known = ", ".join((*VENDORS, "host", "prometheus", "all"))
    assert f"{word!r} is not one of {known}" in done.stderr


@pytest.mark.parametrize("word", ["", "nobody", "eos"])
def test_only_names_are_vendors_below_the_command_line(word: str) -> None:
    with pytest.raises(ValueError, match=f"known: {', '.join(VENDORS)}"):
        row(word)


# -- no literal of a vendor's name beside the table, profiles and vendors' packages ------------------------------------

WORDS = {word for of in TABLE for word in (of.name, *of.aliases)}
PACKAGE = ROOT / "rocecfg"
ELSEWHERE = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if not path.relative_to(PACKAGE).as_posix().startswith(("vendors/", "profiles/"))
]


def _declared(tree: ast.Module) -> Iterator[ast.Constant]:
    """The vendors in `@rule(vendors=...)`: of rules on one system alone, whose pages and messages name it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
            for keyword in node.keywords:
                if keyword.arg == "vendors":
                    yield from (inner for inner in ast.walk(keyword.value) if isinstance(inner, ast.Constant))


def test_nobody_names_a_vendor_beside_the_table() -> None:
    """A further vendor must not have to be looked for: what a system does is asked of its profile, or its package."""
    found = []
    for path in ELSEWHERE:
        text = path.read_text(encoding="utf-8")
        if not any(word in text for word in (*WORDS, "vendors")):
            continue
        tree = ast.parse(text)
        declared = list(_declared(tree)) if path.parent.name == "rules" else []
        assert {word.value for word in declared} <= set(VENDORS)
        allowed = {id(word) for word in declared}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in allowed:
                continue
            named = set(VENDORS) & set(re.findall(r"\w+", node.value))
            if node.value in WORDS or len(named) > 2:  # a list in a message, where a further one would be missing
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.value!r}")
    assert found == []


def test_a_plan_asks_the_vendors_package() -> None:
    """A further vendor needs no module in the room of plans, as it needs none in drift's."""
    names = {path.stem for room in ("rollout", "drift") for path in (PACKAGE / room).glob("*.py")}
    assert names & set(VENDORS) == set()


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_vendors_package_names_no_other(vendor: str) -> None:
    others = {word for of in TABLE if of.name != vendor for word in (of.name, *of.aliases)}
    found = [
        f"{path.name}:{node.lineno}: {node.value!r}"
        for path in sorted((PACKAGE / "vendors" / vendor).rglob("*.py"))
        if any(word in (text := path.read_text(encoding="utf-8")) for word in others)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and node.value in others
    ]
    assert found == []


def _imported(path: Path) -> Iterator[str]:
    """The modules that a file which speaks of vendors imports, wherever in it, by their whole names."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if re.search(r"vendors|from +\.", text) else ():
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name} imports from where it stands"
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_nobody_else_imports_a_vendors_package() -> None:
    """Vendors know nothing of each other, nor does anyone of them: `vendors.part` loads what is asked for."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        own = path.relative_to(PACKAGE).parts[:2]
        for module in _imported(path):
            package = module.split(".")[1:3]
            if package[:1] == ["vendors"] and {*package[1:]} & {*VENDORS} and tuple(package) != own:
                found.append(f"{path.relative_to(PACKAGE)}: {module}")
    assert found == []
