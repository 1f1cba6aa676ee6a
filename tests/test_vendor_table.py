"""Vendors stand in one table: what it names exists, and the command line takes names and aliases from it."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from intents import POLICY, rocecfg, write

from rocecfg.profiles import SHIPPED
from rocecfg.profiles.releases import SYSTEMS
from rocecfg.vendors import PARTS, TABLE, VENDORS, part, row


def test_intents_speak_of_the_vendors_in_the_table() -> None:
    assert VENDORS == SYSTEMS
    assert sorted(VENDORS) == SHIPPED.names("nos")
    packages = {p.parent.name for p in (ROOT / "rocecfg" / "vendors").glob("*/__init__.py")}
    assert packages == set(VENDORS)


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_vendor_has_all_its_modules(vendor: str) -> None:
    for name in PARTS:
        assert part(vendor, name).__doc__
    assert callable(importlib.import_module(f"rocecfg.rollout.{vendor}").whole)
    of = row(vendor)
    assert SHIPPED.nos(vendor).title == of.title
    assert vendor in SHIPPED.platform(of.platform).boxes


def test_a_word_stands_for_one_vendor() -> None:
    words = [word for of in TABLE for word in (of.name, *of.aliases)]
    assert len(words) == len(set(words))


@pytest.mark.parametrize(
    ("alias", "vendor"),
    [("cumulus", "spectrum"), ("nvue", "spectrum"), ("nvidia", "spectrum"), ("eos", "arista")],
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


@pytest.mark.parametrize("word", ["cisco", "EOS", ""])
def test_a_word_that_is_no_vendor_is_refused(word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "render", "--vendor", word, expect=2)
    assert f"{word!r} is not one of 'sonic', 'spectrum', 'arista', 'host', 'prometheus', 'all'." in done.stderr


@pytest.mark.parametrize("word", ["", "cisco", "eos"])
def test_only_names_are_vendors_below_the_command_line(word: str) -> None:
    with pytest.raises(ValueError, match="known: sonic, spectrum, arista"):
        row(word)


# -- no literal of a vendor's name beside the table, profiles and vendors' packages ------------------------------------

OWN_RULE = "a rule of that system alone: it fires on no other, and its page and messages name the system"
SIZING = "how SONiC and NVUE work out what a port has; to go to their packages, as `derive` of the Protocol"
EXCEPTIONS = {  # modules that name a vendor all the same, and why; what is mended leaves
    "drift/intended.py": "what SONiC derives for a port and nobody renders: its facts are drift's own types",
    "rules/common.py": "a SONiC switch tells two ToRs of a rack by the priorities with PFC alone",
    "rules/mix_map.py": OWN_RULE,
    "rules/running_buffer.py": OWN_RULE,
    "rules/running_eos.py": OWN_RULE,
    "rules/running_mix.py": OWN_RULE,
    "rules/running_nvue.py": OWN_RULE,
    "rules/running_sonic.py": OWN_RULE,
    "rules/running_watchdog.py": OWN_RULE,
    "rules/watchdog_hosts.py": OWN_RULE,
    "rules/watchdog_timers.py": OWN_RULE,
    "sizing/headroom.py": SIZING,
    "sizing/pools.py": SIZING,
    "telemetry/plan.py": "SONiC's counters of marked packets came with a release that its package knows",
}
OWN_RULES = [module for module, why in EXCEPTIONS.items() if why == OWN_RULE]
WORDS = {word for of in TABLE for word in (of.name, *of.aliases)}


def _literals(module: Path, *, rules: bool) -> Iterator[str]:
    """Where a module names a vendor. `rules`: what `@rule(vendors=...)` has does not count."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    declared = {
        id(inner)
        for node in ast.walk(tree)
        if rules and isinstance(node, ast.keyword) and node.arg == "vendors"
        for inner in ast.walk(node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in declared and node.value in WORDS:
            yield f"{module.name}:{node.lineno}: {node.value!r}"


def test_nobody_names_a_vendor_beside_the_table() -> None:
    """A further vendor must not have to be looked for; see EXCEPTIONS for what still names one."""
    package = ROOT / "rocecfg"
    found: dict[str, list[str]] = {}
    for module in sorted(package.rglob("*.py")):
        name = module.relative_to(package).as_posix()
        if not name.startswith(("vendors/", "profiles/")) and (places := list(_literals(module, rules=False))):
            found[name] = places
    assert {name: places for name, places in found.items() if name not in EXCEPTIONS} == {}
    assert set(EXCEPTIONS) - set(found) == set(), "no longer needed: take it out"


@pytest.mark.parametrize("module", OWN_RULES)
def test_a_rule_of_one_system_says_so_in_its_declaration_alone(module: str) -> None:
    path = ROOT / "rocecfg" / module
    assert list(_literals(path, rules=True)) == []
