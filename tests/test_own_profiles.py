"""Profiles of the user's own, in rocecfg-profiles/ beside an intent: they add, change, and their slips are told."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import jsonschema
import pytest
from checkout import ROOT, clean_environment, run
from hatchling.builders.wheel import WheelBuilder
from intents import POLICY, rocecfg, write
from ruamel.yaml import YAML

from rocecfg.core.data import data_path
from rocecfg.intent import load
from rocecfg.model import ProfileFact
from rocecfg.profiles import KINDS, SHIPPED, Library, ProfileError, UnknownProfile, library_in
from rocecfg.profiles.files import find_package
from rocecfg.profiles.schema import json_schema

INTENT = POLICY + "defaults: {vendor: sonic, asic: tomahawk5}\n"
CITED = 'mark: V, source: "measured on our boxes"'


def own(folder: Path, **files: str) -> Library:
    """A library with profiles of one's own: `asics__x` is asics/x.yaml."""
    for name, text in files.items():
        kind, _, stem = name.partition("__")
        path = folder / "rocecfg-profiles" / kind / f"{stem.replace('_', '-')}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Library(str(folder / "rocecfg-profiles"))


def test_a_profile_that_extends_its_own_name_changes_the_shipped_one(tmp_path: Path) -> None:
    library = own(tmp_path, asics__tomahawk5=f"extends: tomahawk5\nusable_buffer: {{value: 160MB, {CITED}}}\n")
    ours, theirs = library.asic("tomahawk5"), SHIPPED.asic("tomahawk5")
    assert (ours.usable_buffer, ours.cell) == (160_000_000, theirs.cell)
    assert theirs.usable_buffer != ours.usable_buffer
    assert ours.fact("usable_buffer") == ProfileFact(
        "rocecfg-profiles/asics/tomahawk5", "usable_buffer", "measured on our boxes", "V"
    )


def test_a_platform_may_differ_under_one_nos_alone(tmp_path: Path) -> None:
    library = own(
        tmp_path, platforms__our_box="extends: nvidia-sn5600\ntitle: Our box\nnos: {spectrum: {speeds: [400G, 800G]}}\n"
    )
    assert library.box("our-box", "spectrum").speeds == (400 * 10**9, 800 * 10**9)  # type: ignore[union-attr]
    theirs = SHIPPED.box("nvidia-sn5600", "sonic")
    assert theirs is not None
    assert library.box("our-box", "sonic").ports == theirs.ports  # type: ignore[union-attr]
    assert library.title("platforms", "our-box") == "Our box"
    assert "our-box" in library.names("platforms")
    assert "our-box" not in SHIPPED.names("platforms")


def test_an_intent_uses_the_profiles_beside_it(tmp_path: Path) -> None:
    own(tmp_path, asics__tomahawk5=f"extends: tomahawk5\nlossless_pool: {{value: 100MB, {CITED}}}\n")
    write(tmp_path, {"fabric.yaml": INTENT})
    fabric = load(str(tmp_path / "fabric.yaml")).fabric
    assert fabric is not None
    assert fabric.devices[0].pools.lossless == 100_000_000
    out = rocecfg(tmp_path, "show", "--origins", expect=0).stdout
    assert "profile rocecfg-profiles/asics/tomahawk5 lossless_pool (measured on our boxes)" in out
    listed = rocecfg(tmp_path, "profiles", "--kind", "asics", expect=0).stdout.splitlines()
    (line,) = (line for line in listed if line.split()[0] == "tomahawk5")
    assert line.endswith("[rocecfg-profiles/asics]")


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("extends: tomahawk5\nusable_bufer: {value: 1MB}\n", "2:15", "usable_bufer is not a key of this profile"),
        (f"extends: tomahawk5\ncell: {{value: 254, {CITED}}}\n", "2:15", "cell|value: .*unit"),
        ("extends: tomahawk5\ncell: {value: 254B, mark: X, source: s}\n", "2:27", "mark is X"),
        ("extends: tomahawk5\ncell: {value: 254B}\n", "2:7", "mark is missing"),
        ("extends: tomahwk5\n", "1:1", "did you mean tomahawk5"),
        ("title: t\ntitle: u\n", "2:1", "title appears twice here"),
        ("- a\n", "1:1", "is a mapping"),
        ("title: [\n", "2:1", "not YAML"),
        ("title: alone\n", "1:1", "holds is missing"),
        ("title: alone\nholds: any\n", "1:1", "nos is missing"),
    ],
)
def test_a_slip_in_ones_own_profile_has_its_place_and_exit_2(
    text: str, place: str, message: str, tmp_path: Path
) -> None:
    own(tmp_path, asics__tomahawk5=text)
    write(tmp_path, {"fabric.yaml": INTENT})
    for command in ("lint", "show"):
        done = rocecfg(tmp_path, command, expect=2)
        output = done.stdout + done.stderr
        assert re.search(rf"tomahawk5\.yaml:{place}\b", output)
        assert "Traceback" not in output
    with pytest.raises(Exception, match=message):  # SourceError, of which ProfileError is one
        Library(str(tmp_path / "rocecfg-profiles")).asic("tomahawk5")


def test_rules_ask_the_systems_profile_for_what_it_ships(tmp_path: Path) -> None:
    """The map that `classification: vendor` keeps is a figure: one's own image may ship another."""
    kept = INTENT.replace("{name: lab}", "{name: lab, classification: vendor}", 1)
    assert kept != INTENT
    write(tmp_path, {"fabric.yaml": kept})
    lost = "DSCP 26 of class rdma"
    assert lost in rocecfg(tmp_path, "lint", "--format", "concise").stdout
    own(tmp_path, nos__sonic=f'extends: sonic\nstock_map: {{value: {{0: rest, 3: "26", 6: "48"}}, {CITED}}}\n')
    assert lost not in rocecfg(tmp_path, "lint", "--format", "concise").stdout


def test_what_is_sized_by_a_systems_profile_is_rendered_by_it(tmp_path: Path) -> None:
    """Else the numbers that `show` and rules go by would be of another switch than the one that is configured."""
    intent = POLICY + "defaults: {vendor: spectrum, platform: nvidia-sn5600}\n"
    write(tmp_path, {"fabric.yaml": intent})
    assert "memory-percent: 50" in rocecfg(tmp_path, "render", "--vendor", "spectrum", expect=0).stdout
    own(tmp_path, nos__spectrum=f"extends: spectrum\nlossless_share: {{value: 60%, {CITED}}}\n")
    rendered = rocecfg(tmp_path, "render", "--vendor", "spectrum", expect=0).stdout
    assert "memory-percent: 60" in rendered
    assert "memory-percent: 40" in rendered


@pytest.mark.parametrize("field", ["lossless_mtu: 4096B", "small_packets: 30%"])
def test_sonics_traffic_pattern_has_the_profiles_other_half(field: str, tmp_path: Path) -> None:
    intent = POLICY + "defaults: {vendor: sonic, platform: nvidia-sn5600, version: '202405'}\n"
    write(tmp_path, {"fabric.yaml": intent + f"buffers: {{{field}}}\n"})
    row = '"mtu": "4096", "small_packet_percentage": "70"' if "mtu" in field else '"mtu": "2048"'
    own(
        tmp_path,
        nos__sonic=f'extends: sonic\nstock_small_packets: {{value: {{"201811": 70%}}, {CITED}}}\n'
        f"stock_lossless_mtu: {{value: 2048B, {CITED}}}\n",
    )
    rendered = " ".join(rocecfg(tmp_path, "render", "--vendor", "sonic", expect=0).stdout.split())
    assert row in rendered


@pytest.mark.parametrize("words", ["60-70", "-1", "20-", "x", "3-1"])
def test_a_code_point_that_is_none_is_refused(words: str, tmp_path: Path) -> None:
    own(tmp_path, nos__sonic=f'extends: sonic\nstock_map: {{value: {{3: "{words}"}}, {CITED}}}\n')
    with pytest.raises(Exception, match=f"3: {words} is not a traffic class and its DSCPs"):
        Library(str(tmp_path / "rocecfg-profiles")).nos("sonic")


def test_a_folder_says_its_version_and_the_format_that_its_profiles_need(tmp_path: Path) -> None:
    ours = f"extends: tomahawk5\nusable_buffer: {{value: 160MB, {CITED}}}\n"
    library = own(tmp_path, asics__tomahawk5=ours)
    assert (library.versions(), SHIPPED.versions()) == ({"rocecfg-profiles": None}, {})
    about = tmp_path / "rocecfg-profiles" / "about.yaml"
    about.write_text('format: "1"\nversion: "2026-11"\n', encoding="utf-8")
    assert own(tmp_path).versions() == {"rocecfg-profiles": "2026-11"}
    assert "rocecfg-profiles is version 2026-11" in rocecfg(tmp_path, "profiles", "--age", expect=0).stdout
    for text, told in (
        ('format: "2"\n', r"about.yaml:1:1: these profiles are of format 2, and this rocecfg reads format 1"),
        ('version: "3"\n', r"about.yaml:1:1: .*format"),
        ('format: "1"\nversions: "3"\n', r"about.yaml:2:11: versions"),
    ):
        about.write_text(text, encoding="utf-8")
        with pytest.raises(ProfileError, match=told):
            own(tmp_path).asic("tomahawk5")


def test_profiles_that_extend_each_other_are_refused(tmp_path: Path) -> None:
    library = own(tmp_path, asics__a="extends: b\n", asics__b="extends: a\n")
    with pytest.raises(ProfileError, match="extends a profile that extends it"):
        library.asic("a")


def test_an_unknown_name_is_looked_for_among_ones_own_too(tmp_path: Path) -> None:
    library = own(tmp_path, nics__our_card="title: Our card\nholds: any\n")
    with pytest.raises(UnknownProfile) as caught:
        library.nic("our-cart")
    assert caught.value.near[0] == "our-card"
    assert library.nic("our-card").speed is None


# -- the published format ----------------------------------------------------------------------------------------------


def typed(kind: str, name: str) -> Any:
    """As an editor reads it: YAML 1.2."""
    return YAML(typ="safe", pure=True).load(Path(data_path("profiles", kind, f"{name}.yaml")))


@pytest.mark.parametrize("kind", KINDS)
def test_every_shipped_profile_keeps_to_the_published_schema(kind: str, tmp_path: Path) -> None:
    schema = json_schema(kind)
    assert json.loads(rocecfg(tmp_path, "schema", "--profile", kind, expect=0).stdout) == schema
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    names = SHIPPED.names(kind)
    assert names
    for name in names:
        wrong = [f"{name}: {list(e.absolute_path)}: {e.message}" for e in checker.iter_errors(typed(kind, name))]
        assert not wrong


def test_the_schema_refuses_what_the_loader_refuses() -> None:
    checker = jsonschema.Draft202012Validator(json_schema("asics"))
    good = typed("asics", "tomahawk5")
    assert checker.is_valid(good)
    assert not checker.is_valid({**good, "capcity": good["capacity"]})
    assert not checker.is_valid({**good, "cell": {"value": 254, "mark": "V", "source": "x"}})
    assert not checker.is_valid({**good, "cell": {"value": "254B", "mark": "V"}})
    assert not checker.is_valid({key: value for key, value in good.items() if key != "shallow"})
    assert checker.is_valid({"extends": "tomahawk5"})


@pytest.mark.parametrize("ports", ["x y[0-127]", "Ethernet[0-", "Ethernet[4294967296-4294967297]", "@all", "a,,b"])
def test_ports_that_are_no_node_set_are_an_error_at_their_place(ports: str, tmp_path: Path) -> None:
    text = f'extends: nvidia-sn5600\ntitle: Our box\nnos:\n  sonic: {{ports: "{ports}"}}\n'
    with pytest.raises(ProfileError, match="ports: ") as raised:
        own(tmp_path, platforms__our_box=text).box("our-box", "sonic")
    assert (raised.value.line, raised.value.column) == (4, 18)


# -- an installed package of profiles ----------------------------------------------------------------------------------

OURS = f"extends: tomahawk5\nusable_buffer: {{value: 160MB, {CITED}}}\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of `rocecfg_profiles` where it is installed: unpacked from a wheel, built as docs/profiles.md says."""
    source = tmp_path / "source" / "rocecfg_profiles"
    (source / "asics").mkdir(parents=True)
    (source / "__init__.py").touch()
    (source / "about.yaml").write_text('format: "1"\nversion: "2026.11"\n', encoding="utf-8")
    (source / "asics" / "tomahawk5.yaml").write_text(OURS, encoding="utf-8")
    (block,) = re.findall(r"(?s)^```toml\n(.*?)^```", (ROOT / "docs" / "profiles.md").read_text("utf-8"), re.MULTILINE)
    (source.parent / "pyproject.toml").write_text(block, encoding="utf-8")
    (made,) = WheelBuilder(str(source.parent)).build(directory=str(tmp_path / "dist"), versions=["standard"])
    assert Path(made).name == "rocecfg_profiles-2026.11-py2.py3-none-any.whl"
    with ZipFile(made) as wheel:
        wheel.extractall(tmp_path / "site")
    monkeypatch.syspath_prepend(tmp_path / "site")
    find_package.cache_clear()
    yield tmp_path / "site" / "rocecfg_profiles"
    find_package.cache_clear()


def test_a_package_of_profiles_comes_before_the_shipped_ones(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = tmp_path / "fabric"
    beside.mkdir()
    library = library_in(str(beside))
    assert library is library_in(str(tmp_path))
    assert (library.asic("tomahawk5").usable_buffer, library.asic("tomahawk5").cell) == (160_000_000, 254)
    assert library.asic("tomahawk5").file == "rocecfg_profiles/asics/tomahawk5"
    assert library.versions() == {"rocecfg_profiles": "2026.11"}
    assert SHIPPED.asic("tomahawk5").usable_buffer != 160_000_000
    assert "rocecfg_profiles" not in sys.modules  # its folder is read, and no code of it is run
    # a repository's own comes first, and extends it
    own(beside, asics__tomahawk5=f"extends: tomahawk5\ncell: {{value: 208B, {CITED}}}\n")
    both = library_in(str(beside)).asic("tomahawk5")
    assert (both.usable_buffer, both.cell, both.file) == (160_000_000, 208, "rocecfg-profiles/asics/tomahawk5")
    # the command line, in a process of its own
    env = clean_environment(PYTHONPATH=f"{ROOT}{os.pathsep}{package.parent}")
    told = run(sys.executable, "-m", "rocecfg", "profiles", "--age", cwd=tmp_path, env=env).stdout
    assert "rocecfg_profiles is version 2026.11" in told
    # a folder of a repository that is called so is no package, though python -m finds it
    monkeypatch.chdir(package.parent)
    find_package.cache_clear()
    assert library_in(str(tmp_path)) is SHIPPED


def test_a_package_of_profiles_is_checked_before_one_is_used(package: Path) -> None:
    about = package / "about.yaml"
    for text, told in (
        (None, r"about\.yaml:1:1: about\.yaml is missing: which format"),
        ('format: "2"\n', r"about\.yaml:1:1: these profiles are of format 2"),
        ('version: "3"\n', r"about\.yaml:1:1: format is missing"),
    ):
        about.unlink(missing_ok=True)
        if text is not None:
            about.write_text(text, encoding="utf-8")
        with pytest.raises(ProfileError, match=told):
            Library(package=find_package()).asic("tomahawk4")
    about.write_text('format: "1"\n', encoding="utf-8")
    (package / "asic").mkdir()
    with pytest.raises(ProfileError, match=r"about\.yaml:1:1: asic is no kind of profile"):
        Library(package=find_package()).asic("tomahawk4")
    (package / "asic").rmdir()
    (package / "asics" / "tomahawk5.yaml").write_text("title: T\n", encoding="utf-8")
    with pytest.raises(ProfileError, match=r"rocecfg_profiles.asics.tomahawk5\.yaml:1:1: holds is missing"):
        Library(package=find_package()).asic("tomahawk5")
