"""A lint that a cache spares most files: it says what one that reads them all says, and nothing can make it lie."""

from __future__ import annotations

import contextlib
import json
import os
import random
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cache_cases import (
    SPINE,
    any_fabric,
    by_cache,
    edited,
    files_read,
    name_of,
    plain_device,
    plain_fabric,
    repository,
    rewrite,
    whole,
)
from checkout import ROOT, clean_environment, run
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from intents import write

from rocecfg.engine import cache_update
from rocecfg.engine.cache import recall

LEAF = "devices/leaf15.yaml"
FIRST = ["fabric.yaml", "devices/leaf01.yaml", "devices/spine06.yaml"]  # the root, and one file of each kind
SETTLED = 2.2  # seconds after which a file's times tell whether it was written again


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for caches."""
    monkeypatch.setenv("ROCECFG_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def fabric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a fabric of 24 devices; the current folder."""
    repository(tmp_path / "repository", plain_fabric())
    monkeypatch.chdir(tmp_path / "repository")
    return tmp_path / "repository"


@pytest.fixture
def known(fabric: Path) -> Path:
    """The same, once linted: a cache knows it."""
    whole(LEAF, noting=True)
    return fabric


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Change a file in one place."""
    content = (folder / name).read_text(encoding="utf-8")
    assert content.count(old) == 1
    (folder / name).write_text(content.replace(old, new), encoding="utf-8")


def same(*paths: str) -> str:
    """What a lint by the cache says in few words, which is what one that reads all files says, in every format."""
    told = by_cache(*paths)
    assert told is not None
    assert told == whole(*paths)
    return told["concise"]


# -- what is read ------------------------------------------------------------------------------------------------------


def test_what_changed_is_read_and_one_file_of_each_kind(known: Path) -> None:
    assert files_read(LEAF) == [*FIRST[:2], LEAF, FIRST[2]]
    change(known, "devices/leaf20.yaml", "cable: 5m", "cable: 6m")
    assert files_read(LEAF) == [*FIRST[:2], LEAF, "devices/leaf20.yaml", FIRST[2]]


def test_the_first_of_a_kind_is_no_longer_like_the_others_once_it_changes(known: Path) -> None:
    change(known, "devices/leaf01.yaml", "cable: 5m", "cable: 6m")
    assert files_read("devices/leaf01.yaml") == [*FIRST[:2], "devices/leaf02.yaml", FIRST[2]]
    same("devices/leaf01.yaml")


def test_nothing_is_known_before_the_first_lint_and_of_small_fabrics(fabric: Path) -> None:
    assert files_read(LEAF) is None
    for number in range(12, 25):
        (fabric / "devices" / f"{'spine' if number % 6 == 0 else 'leaf'}{number:02}.yaml").unlink()
    whole("devices/leaf01.yaml", noting=True)
    assert files_read("devices/leaf01.yaml") is None


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("fabric.yaml", "mtu: 9000", "mtu: 9100"),  # reaches all devices
        (LEAF, "devices:", "pfc: {watchdog: off}\ndevices:"),  # does so too
        (LEAF, "leaf15:", "leaf99:"),  # another device
        (LEAF, "leaf15:", "leaf14:"),  # which another file has too
        (LEAF, "devices:", "devices: ["),  # not YAML
    ],
)
def test_what_reaches_other_files_has_all_of_them_read(known: Path, name: str, old: str, new: str) -> None:
    change(known, name, old, new)
    assert files_read(LEAF) is None


def test_files_that_come_and_go_have_all_of_them_read(known: Path) -> None:
    write(known, {"devices/notes.txt": "no intent", "devices/.leaf15.yaml.swp": "an editor's"})
    same(LEAF)
    write(known, {"devices/new.yaml": plain_device(25)})
    assert files_read(LEAF) is None
    (known / "devices" / "new.yaml").unlink()
    same(LEAF)
    (known / "devices" / "leaf20.yaml").unlink()
    assert files_read(LEAF) is None


def test_a_second_root_above_has_all_of_them_read(known: Path) -> None:
    write(known, {"compose.yaml": "services: {}\n"})
    same(LEAF)
    write(known, {"other.yaml": f"rocecfg: 1\ninclude: [{LEAF}]\n"})
    assert files_read(LEAF) is None


def test_a_file_that_becomes_a_link_has_all_of_them_read(known: Path) -> None:
    (known / LEAF).unlink()
    (known / LEAF).symlink_to("leaf14.yaml")
    assert files_read(LEAF) is None


def test_own_profiles_have_all_of_them_read_when_they_change(fabric: Path) -> None:
    profile = (ROOT / "profiles" / "platforms" / "arista-7060x6-64pe.yaml").read_text(encoding="utf-8")
    write(fabric, {"rocecfg-profiles/platforms/own.yaml": profile})
    whole(LEAF, noting=True)
    same(LEAF)
    write(fabric, {"rocecfg-profiles/platforms/own.yaml": profile + "# more\n"})
    assert files_read(LEAF) is None


def test_a_file_is_known_wherever_one_stands(known: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same(str(known / LEAF))
    same("./devices/../devices/leaf15.yaml")
    monkeypatch.chdir(known / "devices")
    assert "leaf15.yaml" in (files_read("leaf15.yaml") or [])
    change(known, LEAF, "cable: 5m", "cable: 5")
    assert same("leaf15.yaml").startswith("leaf15.yaml:")


# -- what is said ------------------------------------------------------------------------------------------------------


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate,),  # a fabric is read soon enough as it is; making it smaller takes minutes
    suppress_health_check=list(HealthCheck),
)
@given(st.integers(0, 10**9))
def test_any_lint_by_the_cache_says_what_reading_all_says(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - no secret
    folder = tmp_path_factory.mktemp("fabric")
    files = any_fabric(rng)
    repository(folder, files)
    names = [name for name in files if name.startswith("devices/")]
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(folder):
        patch.setattr(cache_update, "_ENOUGH", rng.choice([1, 4]))  # how soon changes are written to the cache
        whole(rng.choice(names), noting=True)
        for _ in range(5):
            changed = {rng.choice(names), *rng.sample(names, rng.choice([0, 0, 1]))}
            for name in changed:
                files[name] = edited(rng, files[name])
            rewrite(folder, files)
            given_ = (*changed, *rng.sample(names, rng.choice([0, 0, 1])))
            told = by_cache(*given_)
            if told is None:
                whole(*given_, noting=True)
            else:
                assert told == whole(*given_), (seed, given_)


def test_a_mistake_is_told(known: Path) -> None:
    change(known, LEAF, "cable: 5m", "cable: 5")
    assert "schema-unit" in same(LEAF)


def test_a_mistake_elsewhere_is_not_told_and_where_it_reaches_is(known: Path) -> None:
    change(known, "devices/spine18.yaml", "    ports:", "    mtu: 1500\n    ports:")
    assert same(LEAF).startswith("clean")
    link = 'links:\n  - {a: "leaf15:Ethernet0", b: "spine18:Ethernet0"}\n'
    change(known, LEAF, "faces: host, cable: 5m}\n", f"faces: host, cable: 5m}}\n{link}")
    assert "link-mtu" in same("devices/spine18.yaml")


def test_an_odd_one_of_a_role_is_told_with_all_that_are_like_it(fabric: Path) -> None:
    odd = "    classes: {rdma: {ecn: {kmin: 1MB, kmax: 3MB, pmax: 20%}}}\n"
    write(fabric, {f"devices/leaf{n:02}.yaml": plain_device(n, odd) for n in (2, 3, 4, 5, 7)})
    whole(LEAF, noting=True)
    change(fabric, LEAF, "    ports:", f"{odd}    ports:")
    assert "ecn-role-skew" in whole("devices/leaf02.yaml")["concise"]
    same(LEAF)
    told = by_cache("devices/leaf02.yaml")
    assert told is None or told == whole("devices/leaf02.yaml")


def test_a_link_gives_a_cable_to_the_other_end_and_takes_it_back(fabric: Path) -> None:
    bare = plain_device(15, links='links:\n  - {a: "leaf15:Ethernet0", b: "spine18:Ethernet0"}\n')
    spine = plain_device(18).replace(", cable: 30m", "")
    write(fabric, {LEAF: bare, "devices/spine18.yaml": spine})
    whole(LEAF, noting=True)
    write(fabric, {LEAF: bare.replace('spine18:Ethernet0"', 'spine18:Ethernet0", cable: 90km')})
    assert "devices/spine18.yaml" in (files_read(LEAF) or [])
    assert LEAF in same(LEAF)
    whole(LEAF, noting=True)
    write(fabric, {LEAF: bare})
    assert "devices/spine18.yaml" in (files_read(LEAF) or [])
    same(LEAF)
    same("devices/spine18.yaml")


def test_waivers_elsewhere_are_counted(fabric: Path) -> None:
    waived = "pfc: {watchdog: {detection_time: 2s}}  # rocecfg: ignore[watchdog-slow] -- agreed"
    change(fabric, "devices/leaf20.yaml", "    ports:", f"    {waived}\n    ports:")
    whole(LEAF, noting=True)
    assert "devices/leaf20.yaml" in (files_read(LEAF) or [])
    assert "waived" in same(LEAF)


def test_an_unknown_name_is_told_where_it_is_first(fabric: Path) -> None:
    change(fabric, "fabric.yaml", "defaults:", "hosts: {h1: {nic: connectx-7}}\ndefaults:")
    link = 'links:\n  - {{a: "{}:Ethernet64", b: "nobody:nic0"}}\n'
    for name in ("leaf02", "leaf08", "leaf15"):
        path = fabric / "devices" / f"{name}.yaml"
        path.write_text(path.read_text(encoding="utf-8") + link.format(name), encoding="utf-8")
    whole(LEAF, noting=True)
    assert by_cache(LEAF) is None  # where links lead to is not known
    for name in ("leaf02", "leaf08", "leaf15"):
        change(fabric, f"devices/{name}.yaml", "nobody:nic0", "h1:nic0" if name == "leaf02" else f"h1:{name}")
    whole(LEAF, noting=True)
    change(fabric, "devices/leaf08.yaml", "h1:leaf08", "nobody:nic0")
    change(fabric, LEAF, "h1:leaf15", "nobody:nic1")
    assert "schema-ref" not in same(LEAF)
    assert "schema-ref" in same("devices/leaf08.yaml")


def test_settings_house_rules_and_baselines_count_as_ever(known: Path) -> None:
    change(known, LEAF, "cable: 5m", "cable: 300m")
    rule = "{name: short, for: port, path: cable, operator: le, value: 100m, severity: warning}"
    write(known, {"rocecfg-rules.yaml": f"rules:\n  - {rule}\n"})
    assert "house/short" in same(LEAF)
    write(known, {"rocecfg.toml": 'ignore = ["house"]\n'})
    assert "house/short" not in same(LEAF)
    write(known, {"rocecfg.toml": '[per-file-ignores]\n"devices/leaf15.yaml" = ["house"]\n'})
    assert by_cache(LEAF) is None  # findings in all files are counted
    write(known, {"rocecfg.toml": 'baseline = "known.json"\n', "known.json": '{"version": 1, "fabrics": {}}'})
    assert by_cache(LEAF) is None


def test_changes_find_their_way_into_the_cache(known: Path) -> None:
    for number in (1, 2, 3, 4, 5):
        change(known, f"devices/leaf{number:02}.yaml", "cable: 5m", "cable: 6m")
    assert same(LEAF).startswith("clean")
    read = files_read(LEAF) or []
    assert [name for name in read if name <= "devices/leaf05.yaml"] == ["devices/leaf01.yaml"]
    assert "devices/leaf07.yaml" in read  # the first of those that are as they were
    same("devices/leaf03.yaml")


# -- files that are written while somebody looks -----------------------------------------------------------------------


def test_a_change_of_the_same_length_and_time_is_seen(known: Path) -> None:
    before = (known / LEAF).stat()
    change(known, LEAF, "cable: 5m", "cable: 5k")
    os.utime(known / LEAF, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "schema-unit" in same(LEAF)
    assert LEAF in (files_read("devices/leaf20.yaml") or [])


@pytest.mark.usefixtures("known")
def test_a_file_that_was_just_written_is_told_by_its_text(cache: Path) -> None:
    (written,) = cache.iterdir()
    fresh = written.stat().st_mtime_ns
    time.sleep(SETTLED)
    same(LEAF)
    assert written.stat().st_mtime_ns > fresh  # noted: its times will do from now on
    noted = written.stat().st_mtime_ns
    same(LEAF)
    assert written.stat().st_mtime_ns == noted


# -- the cache itself --------------------------------------------------------------------------------------------------


def _linted(folder: Path, *arguments: str, expect: int = 0, **environment: str) -> str:
    env = clean_environment(PYTHONPATH=str(ROOT), **environment)
    return run(sys.executable, "-m", "rocecfg", "lint", *arguments, cwd=folder, env=env, expect=expect).stdout


def test_the_command_writes_and_uses_it(fabric: Path, cache: Path) -> None:
    assert _linted(fabric, LEAF).startswith("clean in 1 fabric, 25 files, 24 devices")
    assert len(list(cache.iterdir())) == 1
    change(fabric, LEAF, "cable: 5m", "cable: 5")
    told = _linted(fabric, LEAF, expect=1)
    assert told == _linted(fabric, "--no-cache", LEAF, expect=1)
    assert json.loads(_linted(fabric, "--format", "json", LEAF, expect=1))["summary"]["devices"] == 24


def test_it_is_not_for_all_lints(fabric: Path, cache: Path) -> None:
    for arguments in ((".",), ("fabric.yaml",), ("--no-cache", LEAF), ("--diff", LEAF), ("--show-settings", LEAF)):
        _linted(fabric, *arguments)
    assert not cache.exists()


def test_it_is_below_the_users_caches(fabric: Path, tmp_path: Path) -> None:
    _linted(fabric, LEAF, ROCECFG_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "xdg"))
    assert len(list((tmp_path / "xdg" / "rocecfg").iterdir())) == 1
    _linted(fabric, LEAF, ROCECFG_CACHE_DIR="", XDG_CACHE_HOME="", HOME=str(tmp_path / "home"))
    assert len(list((tmp_path / "home" / ".cache" / "rocecfg").iterdir())) == 1


def test_it_is_for_its_user_alone_and_holds_no_text_of_people(known: Path, cache: Path) -> None:
    change(known, LEAF, "number 15", "the key to the cage is under the mat")
    whole(LEAF, noting=True)
    (written,) = cache.iterdir()
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert b"the mat" not in written.read_bytes()
    assert b"10.0.0.15" not in written.read_bytes()


@contextlib.contextmanager
def _spoilt(path: Path, content: bytes) -> Iterator[None]:
    before = path.read_bytes()
    path.write_bytes(content)
    yield
    path.write_bytes(before)


@pytest.mark.usefixtures("known")
def test_a_damaged_one_is_as_good_as_none(cache: Path) -> None:
    (written,) = cache.iterdir()
    content = written.read_bytes()
    for cut in (0, 5, 20, 40, len(content) // 2):
        with _spoilt(written, content[:cut]):
            assert files_read(LEAF) is None
    rng = random.Random(1)  # noqa: S311 - no secret
    for _ in range(60):
        at = rng.randrange(len(content))
        with _spoilt(written, content[:at] + bytes([content[at] ^ 0x41]) + content[at + 1 :]):
            told = by_cache(LEAF)
            assert told is None or told == whole(LEAF)
    with _spoilt(written, b"\0" * len(content)):
        assert files_read(LEAF) is None
    same(LEAF)


@pytest.mark.usefixtures("known")
def test_one_that_others_may_write_is_not_read(cache: Path) -> None:
    (written,) = cache.iterdir()
    for path, mode in ((cache, 0o777), (written, 0o666)):
        before = path.stat().st_mode
        path.chmod(mode)
        assert files_read(LEAF) is None
        path.chmod(before)
    same(LEAF)


def test_where_none_can_be_written_none_is_missed(fabric: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (str(tmp_path / "file"), str(tmp_path / "file" / "below"), "/proc/nothing"):
        assert _linted(fabric, LEAF, ROCECFG_CACHE_DIR=place).startswith("clean")
    assert _linted(fabric, LEAF, ROCECFG_CACHE_DIR="", XDG_CACHE_HOME="", HOME="relative").startswith("clean")


def test_several_may_write_it_at_once(fabric: Path, cache: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        told = list(
            pool.map(lambda name: _linted(fabric, f"devices/{name}.yaml"), ("leaf01", "leaf02", "leaf03", "leaf04"))
        )
    assert all(one.startswith("clean") for one in told)
    assert [path.suffix for path in cache.iterdir()] == [".cache"]
    same(LEAF)


@pytest.mark.usefixtures("fabric")
def test_few_are_kept(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    for number in range(80):
        (cache / f"{number:08x}.cache").write_bytes(b"old")
        os.utime(cache / f"{number:08x}.cache", (number, number))
    whole(LEAF, noting=True)
    kept = {path.name for path in cache.iterdir()}
    assert len(kept) == 64
    assert "0000004f.cache" in kept
    assert "00000000.cache" not in kept
    same(LEAF)


# -- the fabric as a graph ---------------------------------------------------------------------------------------------

SLOWER = (
    "    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}\n"  # pauses travel up: spines wait longer
)


def clos(folder: Path) -> None:
    """Eight leaves, each with a cable to each of four spines; the other leaves have none."""
    leaves = (1, 2, 3, 4, 5, 7, 8, 15)
    for n in range(1, 25):
        more, links = SLOWER if n % SPINE == 0 else "", ""
        if n in leaves:
            far = [f"{name_of(SPINE * k)}:Ethernet{8 * leaves.index(n)}" for k in range(1, 5)]
            links = "".join(f'  - {{a: "{name_of(n)}:Ethernet{8 * k}", b: "{end}"}}\n' for k, end in enumerate(far))
        write(folder, {f"devices/{name_of(n)}.yaml": plain_device(n, more, "links:\n" + links if links else "")})


def is_calm() -> bool:
    """Whether the rules on the graph are left out."""
    recalled = recall((LEAF,))
    assert recalled is not None
    return recalled.found.fabrics[0].calm


def test_the_graph_is_judged_again_only_where_something_in_it_changed(fabric: Path) -> None:
    clos(fabric)
    assert whole(LEAF, noting=True)["concise"].startswith("clean")
    assert is_calm()
    change(fabric, LEAF, "number 15", "number fifteen")
    change(fabric, LEAF, "faces: switch, cable: 30m", "faces: switch, cable: 31m")
    assert is_calm()
    same(LEAF)
    change(fabric, LEAF, "speed: 400G, faces: switch", "speed: 100G, faces: switch")
    assert not is_calm()
    assert by_cache(LEAF) is None  # and something is found
    assert "topology-oversub" in whole(LEAF)["concise"]


def test_a_cable_that_moves_is_seen(fabric: Path) -> None:
    clos(fabric)
    whole(LEAF, noting=True)
    change(fabric, LEAF, "spine24:", "spine18:")
    assert not is_calm()
    assert by_cache(LEAF) is None
    assert "link-one-end" in whole(LEAF)["concise"]


# -- start-up ----------------------------------------------------------------------------------------------------------

WATCH = """
import os, sys
leave = os._exit
def told(code):
    print("loaded", *sys.modules, file=sys.stderr)
    sys.stderr.flush()
    leave(code)
os._exit = told
from rocecfg.cli import main
main()
"""


def test_the_command_line_is_not_loaded_for_it(known: Path) -> None:
    env = clean_environment(PYTHONPATH=str(ROOT))
    command = [sys.executable, "-c", WATCH, "lint", "--only-intents", LEAF]
    done = subprocess.run(command, cwd=known, env=env, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("clean")
    loaded = set(done.stderr.split())
    assert "rocecfg.engine.judge" in loaded
    assert not loaded & {
        "click",
        "typing",
        "dataclasses",
        "inspect",
        "netaddr",
        "rocecfg.rules.every",
        "rocecfg.rules.whole",
        "rocecfg.vendors",
    }
