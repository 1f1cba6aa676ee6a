"""`rocecfg import` as it is typed: what it reads, what it writes, and what it says when it cannot."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment
from checkout import run as execute
from click.testing import CliRunner, Result
from importing_switches import linted, loaded
from intents import rocecfg, write

from rocecfg.cli import cli
from rocecfg.importing import WouldNotLoad, check_loads
from rocecfg.intent import load

HERE = Path(__file__).resolve().parent
SITE = ("leaf1.json", "leaf2.json", "leaf3.json", "spine1.cfg")
SECRETS = (
    "Zq8x1Lw0pR7v",
    "t0psecret-tacacs",
    "c0mmunity-string",
    "$6$2Jx4mBb0pR1c",
    "privilege 15",
    "rack 7",
    "00:11:22",
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three SONiC leaves and an EOS spine, in the current folder."""
    shutil.copytree(HERE / "site", tmp_path / "site")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "site"


# what rocecfg's own rendering adds to the site: a map that its leaves lack, the spine's guarantee and its counters
DRIFT = (
    "rocecfg: drift cannot compare counters that are polled: not as rocecfg renders it, and whether the effect is the "
    "same is unknown: BUFFER_POOL_WATERMARK.FLEX_COUNTER_STATUS, PG_DROP.FLEX_COUNTER_STATUS, "
    "PG_WATERMARK.FLEX_COUNTER_STATUS and 3 more\n"
    "rocecfg: drift would find differences on 4 switches: maps bound to the port, guaranteed rate of queue 3, "
    "counter of marked packets of queue 3; `rocecfg drift` shows what and where\n"
)


def run(*args: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["import", *args], input=stdin)


@pytest.mark.usefixtures("site")
def test_a_small_site_as_a_person_would_write_it() -> None:
    done = run("site")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == (HERE / "site.golden.yaml").read_text(encoding="utf-8")
    read, _, rest = done.stderr.partition("\n")
    assert read.startswith("rocecfg: read 949 statements: ")
    assert rest == DRIFT


@pytest.mark.usefixtures("site")
def test_what_is_written_loads_and_lints() -> None:
    done = run("site", "-o", "fabric.yaml")
    assert done.exit_code == 0
    assert done.stdout == ""
    written, read, rest = done.stderr.split("\n", maxsplit=2)
    assert written == "rocecfg: fabric.yaml written"
    assert read.startswith("rocecfg: read 949 statements: ")
    assert rest == DRIFT
    again = load("fabric.yaml")
    assert again.problems == []
    assert again.errors == []
    names = {finding.rule.name for finding in linted(Path("fabric.yaml").read_text(encoding="utf-8")).findings}
    assert not {name for name in names if name.startswith("schema-")}


def test_no_secret_gets_into_the_intent(site: Path) -> None:
    given = "".join(path.read_text(encoding="utf-8") for path in site.iterdir())
    done = run("site")
    for secret in SECRETS:
        assert secret in given
        assert secret not in done.stdout
        assert secret not in done.stderr


@pytest.mark.usefixtures("site")
def test_files_of_several_vendors_are_one_fabric() -> None:
    by_folder = run("site").stdout
    by_file = run(*(f"site/{name}" for name in SITE)).stdout
    assert by_file == by_folder
    assert run("site/leaf1.json", "site").stdout == by_folder  # a file that is given twice is read once


def test_a_folder_is_read_for_what_is_in_it(site: Path) -> None:
    expected = run("site").stdout
    (site / "fabric.yaml").write_text(expected, encoding="utf-8")
    (site / "README.txt").write_text("what the switches of this site run\n", encoding="utf-8")
    (site / "photo.json").write_bytes(b"\x89PNG\0\0")
    assert run("site").stdout == expected


def test_standard_input_is_a_file(site: Path) -> None:
    done = run("-", stdin=(site / "leaf1.json").read_bytes())
    assert done.exit_code == 0
    assert "# What 1 switch runs, written by `rocecfg import` from <stdin>.\n" in done.stdout
    assert "\n  leaf1:\n" in done.stdout
    assert loaded(done.stdout).problems == []


def test_a_nameless_switch_on_standard_input_gets_a_name(site: Path) -> None:
    tables = json.loads((site / "leaf1.json").read_text(encoding="utf-8"))
    del tables["DEVICE_METADATA"]["localhost"]["hostname"]
    done = run("-", stdin=json.dumps(tables).encode())
    assert done.exit_code == 0, done.stderr
    assert loaded(done.stdout).problems == []
    assert "\n  stdin:\n" in done.stdout


@pytest.mark.usefixtures("site")
def test_from_says_what_a_file_is() -> None:
    short = json.dumps({"DSCP_TO_TC": {}})  # no table that SONiC has: nothing to tell it by
    Path("bare.txt").write_text(short, encoding="utf-8")
    refused = run("bare.txt")
    assert refused.exit_code == 2
    assert "bare.txt:1:1: is not a known switch configuration (give --from sonic" in refused.stderr
    assert run("--from", "sonic", "bare.txt").exit_code == 0


def test_an_old_file_is_replaced_as_a_whole(site: Path) -> None:
    target = Path("fabric.yaml")
    target.write_text("rocecfg: 1\n", encoding="utf-8")
    assert run("site", "-o", "fabric.yaml").exit_code == 0
    assert target.read_text(encoding="utf-8") == run("site").stdout
    assert sorted(path.name for path in site.parent.iterdir()) == ["fabric.yaml", "site"]  # nothing half written


@pytest.mark.parametrize(
    ("content", "stated"),
    [
        (b'{"PORT": {"Ethernet0": {', "broken.json:1:"),
        (b'{"PORT": "\xff\xfe"}', "broken.json:1:11: byte 0xff is not UTF-8"),
        (b"", "broken.json:1:1: is not a known switch configuration"),
        (b"rocecfg: 1\nfabric: {name: lab}\n", "broken.json:1:1: is an intent already"),
    ],
)
@pytest.mark.usefixtures("site")
def test_one_file_that_cannot_be_read_stops_it_all(content: bytes, stated: str) -> None:
    Path("broken.json").write_bytes(content)
    Path("fabric.yaml").write_text("kept\n", encoding="utf-8")
    done = run("site", "broken.json", "-o", "fabric.yaml")
    assert done.exit_code == 2
    assert done.stdout == ""
    assert stated in done.stderr
    assert Path("fabric.yaml").read_text(encoding="utf-8") == "kept\n"


@pytest.mark.usefixtures("site")
def test_what_is_not_there_is_said() -> None:
    done = run("site/leaf9.json")
    assert done.exit_code == 2
    assert "site/leaf9.json" in done.stderr
    assert "No such file" in done.stderr
    Path("empty").mkdir()
    done = run("empty")
    assert done.exit_code == 2
    assert "empty:1:1: no configuration of a switch in it or below" in done.stderr


def test_the_configurations_are_never_overwritten(site: Path) -> None:
    before = (site / "leaf1.json").read_bytes()
    done = run("site/leaf1.json", "-o", "site/leaf1.json")
    assert done.exit_code == 2
    assert "that is one of the files to be read" in done.stderr
    assert (site / "leaf1.json").read_bytes() == before


@pytest.mark.usefixtures("site")
def test_an_output_that_cannot_be_written_is_said() -> None:
    done = run("site", "-o", "nowhere/fabric.yaml")
    assert done.exit_code == 2
    assert "nowhere/fabric.yaml cannot be written" in done.stderr


def test_what_is_wrong_in_the_configurations_is_counted(site: Path) -> None:
    tables = json.loads((site / "leaf1.json").read_text(encoding="utf-8"))
    tables["QUEUE"]["Ethernet0|3"]["scheduler"] = "nowhere"
    (site / "leaf1.json").write_text(json.dumps(tables, indent=4), encoding="utf-8")
    done = run("site")
    assert done.exit_code == 0
    assert "while reading: 1 error" in done.stderr
    assert "`rocecfg lint site` shows them" in done.stderr
    shown = CliRunner().invoke(cli, ["lint", "site"])
    assert "device-ref" in shown.stdout


def test_an_import_that_would_not_load_is_caught_before_anybody_gets_it() -> None:
    running = load(str(HERE / "site.golden.yaml"))
    with pytest.raises(WouldNotLoad, match="line 2: 9 is not a whole number"):
        check_loads("fabric.yaml", "rocecfg: 1\nclasses: {rdma: {priority: 9}}\nfabric: {name: lab}\n", running)
    with pytest.raises(WouldNotLoad):
        check_loads("fabric.yaml", "rocecfg: [1\n", running)


@pytest.mark.usefixtures("site")
def test_the_same_configurations_give_the_same_bytes() -> None:
    texts = set()
    for seed in ("1", "2", "3"):
        environment = clean_environment(PYTHONPATH=str(ROOT), PYTHONHASHSEED=seed)
        done = execute(sys.executable, "-m", "rocecfg", "import", "site", env=environment, cwd=Path.cwd())
        assert done.returncode == 0, done.stderr
        texts.add(done.stdout)
    assert len(texts) == 1


EOS_LEAF = """\
! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)
hostname leaf01
qos map dscp 26 to traffic-class 3
priority-flow-control pause watchdog default timeout 0.2
priority-flow-control pause watchdog default recovery-time 0.4
priority-flow-control pause watchdog default polling-interval 0.1
priority-flow-control pause watchdog action drop
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 400 kbytes maximum-threshold 1600 kbytes max-mark-probability 5 weight 0
   uc-tx-queue 0
      no priority
      bandwidth percent 40
interface Ethernet1/1
   speed 400g-8
   mtu 9214
   no switchport
   service-profile ROCE
"""


def test_a_queue_of_which_no_share_is_known_is_no_error_of_the_import(tmp_path: Path) -> None:
    """EOS's own map leads packets to queues 1 and 2, below a round-robin one: what these get is not published."""
    write(tmp_path, {"leaf01.cfg": EOS_LEAF})
    assert "error" not in rocecfg(tmp_path, "lint", "--no-config", "leaf01.cfg", expect=0).stdout
    text = rocecfg(tmp_path, "import", "leaf01.cfg", expect=0).stdout
    write(tmp_path, {"fabric.yaml": text})
    assert text.count("# rocecfg: ignore[ets-zero] -- ") == 2
    found = rocecfg(tmp_path, "lint", "--no-config", "fabric.yaml", expect=0).stdout
    assert "ets-zero" not in found
    assert "hygiene-waiver" not in found
    known = EOS_LEAF.replace(
        "percent 40\n", "percent 40\n" + "".join(f"   uc-tx-queue {queue}\n      priority strict\n" for queue in (1, 2))
    )
    write(tmp_path, {"leaf01.cfg": known})
    assert "ignore[" not in rocecfg(tmp_path, "import", "leaf01.cfg", expect=0).stdout
