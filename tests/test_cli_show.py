"""`rocecfg show`, `explain`, `rules` and `profiles`: what is known, and where it came from."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from checkout import ROOT
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.profiles.releases import UNKNOWN_SYSTEMS
from rocecfg.rules import ALL

WORD, UNKNOWN = next(iter(UNKNOWN_SYSTEMS.items()))


@pytest.fixture
def fabric(tmp_path: Path) -> Path:
    write(tmp_path, {"fabric.yaml": FABRIC})
    return tmp_path


def shown(folder: Path, *arguments: str) -> dict[str, tuple[str, str]]:
    """Each value that is shown, by the block it stands in and its name: the value and its origin."""
    out = {}
    block: list[str] = []
    for line in rocecfg(folder, "show", "--origins", *arguments, expect=0).stdout.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        words = line.split()
        if words[0] in {"fabric", "device", "class", "ports"} and "  " not in line.strip():
            block = [*block[:depth], " ".join(words[:2])]
            continue
        match = re.fullmatch(
            r" *(\S+) +(.*?) {1,}((?:\S+\.ya?ml:\d+|default:|computed:|profile |the repository).*)", line
        )
        assert match is not None, line
        out[f"{'/'.join(block[:depth])}/{match[1]}"] = (match[2].strip(), match[3])
    return out


def line_of(text: str) -> int:
    """The line of FABRIC that a text stands in."""
    return next(n for n, line in enumerate(FABRIC.splitlines(), 1) if text in line)


def test_every_value_is_shown_with_where_it_came_from(fabric: Path) -> None:
    values = shown(fabric, "fabric.yaml", "leaf01")
    device = "device leaf[01-02]"
    assert values["fabric train-64/kind"] == ("backend", f"fabric.yaml:{line_of('kind:')}")
    assert values["fabric train-64/mode"] == ("lossless", "default: lossless unless stated")
    assert values[f"{device}/vendor"] == ("sonic", f"fabric.yaml:{line_of('vendor: sonic')}")
    assert values[f"{device}/role"] == ("leaf", f"fabric.yaml:{line_of('role: leaf')}")
    assert values[f"{device}/mtu"] == ("9000", f"fabric.yaml:{line_of('mtu: 9000')}")
    asic = values[f"{device}/asic"]
    assert asic[0] == "tomahawk5"
    assert asic[1].startswith("profile platforms/arista-7060x6-64pe asic (")
    rdma = f"{device}/class rdma"
    assert values[f"{rdma}/dscp"] == ("26", f"fabric.yaml:{line_of('dscp: [26]')}")
    assert values[f"{rdma}/tc"] == ("3", f"computed: the priority [fabric.yaml:{line_of('priority: 3')}]")
    assert values[f"{rdma}/ecn.kmin"] == ("700KB", f"fabric.yaml:{line_of('kmin: 700KB')}")
    assert values[f"{rdma}/ecn.800G.kmin"] == ("900KB", f"fabric.yaml:{line_of('800G: {kmin')}")
    assert values[f"{device}/class cnp/ecn"] == ("off", "default: off unless stated")
    assert values[f"{device}/class storage/dscp"][0] == "18 20"
    assert values[f"{device}/class default/dscp"][0] == "0-17 19 21-25 27-47 49-55 57-63"
    assert values[f"{device}/class default/dscp"][1].endswith("(rest)")
    port = f"{device}/ports Ethernet[0-248/8]"
    assert values[f"{port}/speed"] == ("400G", f"fabric.yaml:{line_of('Ethernet[0-248/8]')}")
    assert values[f"{port}/cable"][0] == "3m"
    assert values[f"{port}/watchdog.detection"] == ("200ms", f"fabric.yaml:{line_of('watchdog: {detection_time: 200')}")
    assert values[f"{port}/pfc"][0] == "3"
    assert values[f"{device}/ports Ethernet[384]/classes"][0] == "control storage default"


def test_a_device_is_shown_by_its_name_alone(fabric: Path) -> None:
    by_name = rocecfg(fabric, "show", "spine02", expect=0).stdout
    assert by_name == rocecfg(fabric, "show", ".", "spine02", expect=0).stdout
    assert by_name == rocecfg(fabric, "show", "fabric.yaml", "spine02", expect=0).stdout
    assert "device spine[01-02] (2 devices, 16 ports each)" in by_name
    assert "leaf" not in by_name.replace("two leaves", "")
    assert "400ms" in by_name


def test_all_devices_are_shown_without_a_name(fabric: Path) -> None:
    out = rocecfg(fabric, "show", expect=0).stdout
    assert [line.split()[1] for line in out.splitlines() if line.startswith("device ")] == [
        "leaf[01-02]",
        "spine[01-02]",
    ]


def test_a_release_that_nobody_names_is_shown_as_assumed(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY + "defaults: {vendor: sonic}\n"})
    out = rocecfg(tmp_path, "show", expect=0).stdout
    assert re.search(r"^  version +\d{6} +default: assumed", out, re.MULTILINE)


def test_a_policy_is_shown_for_the_vendor_asked(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    out = rocecfg(tmp_path, "show", "--vendor", "arista", expect=0).stdout
    assert "device every device" in out
    assert re.search(r"^  vendor +arista +default: the vendor asked for", out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["leaf99"], "there is no device leaf99"),
        (["fabric.yaml", "leaf99"], "there is no device leaf99"),
        (["gone.yaml", "leaf01"], "gone.yaml:1:1: cannot be read"),
        (["stray.yaml"], "stray.yaml belongs to no intent"),
        (["broken.yaml"], "broken.yaml:2:1: not YAML"),
    ],
)
def test_what_cannot_be_shown_is_said(arguments: list[str], word: str, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    write(folder, {"fabric.yaml": FABRIC, "stray.yaml": "x: 1\n", ".git/x": ""})
    if "broken.yaml" in arguments:
        write(folder, {"broken.yaml": "rocecfg: [\n"})
    done = rocecfg(folder, "show", *arguments, expect=2)
    assert word in done.stderr


def test_a_fabric_with_findings_is_shown_all_the_same(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC.replace("priority: 3", "priority: 9")})
    assert "device leaf[01-02]" in rocecfg(tmp_path, "show", expect=0).stdout


def test_origins_are_short_unless_asked_for(fabric: Path) -> None:
    short = rocecfg(fabric, "show", "leaf01", expect=0).stdout
    line = next(line for line in short.splitlines() if line.split()[:2] == ["asic", "tomahawk5"])
    assert line.endswith("profile platforms/arista-7060x6-64pe asic")
    assert re.search(r"^ +tc +3 +computed: the priority$", short, re.MULTILINE)
    assert re.search(r"^ +mode +lossless +default: lossless unless stated$", short, re.MULTILINE)
    full = rocecfg(fabric, "show", "leaf01", "--origins", expect=0).stdout
    assert [line.split()[:2] for line in full.splitlines()] == [line.split()[:2] for line in short.splitlines()]
    assert "(sonic-net/sonic-buildimage" in full


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("kmin", {"ecn.kmin", "ecn.800G.kmin"}),
        ("ecn.kmin", {"ecn.kmin"}),
        ("classes.rdma.priority", {"priority"}),
        ("device.mtu", {"mtu"}),
        ("watchdog.action", {"watchdog.action"}),
    ],
)
def test_a_key_shows_its_values_alone_and_what_they_are_of(key: str, names: set[str], fabric: Path) -> None:
    values = shown(fabric, "leaf01", "--key", key)
    assert {place.rpartition("/")[2] for place in values} == names
    assert all(place.startswith("device leaf[01-02]/") for place in values)


def test_a_key_that_nothing_has_is_said(fabric: Path) -> None:
    assert "nothing has a value 'kmim'" in rocecfg(fabric, "show", "--key", "kmim", expect=2).stderr


def test_a_plan_is_json_by_its_schema(fabric: Path) -> None:
    from jsonschema import Draft202012Validator

    from rocecfg.report.plan_json import json_schema

    plan = json.loads(rocecfg(fabric, "show", "leaf01", "--format", "json", expect=0).stdout)
    Draft202012Validator(json_schema()).validate(plan)
    rdma = next(e for e in plan["elements"] if (e["kind"], e["name"]) == ("class", "rdma"))
    assert rdma["device"] == "leaf[01-02]"
    kmin = next(value for value in rdma["values"] if value["path"] == "classes.rdma.ecn.kmin")
    assert (kmin["value"], kmin["text"]) == (700_000, "700KB")
    assert kmin["origin"] == f"fabric.yaml:{line_of('kmin: 700KB')}"
    watchdog = [v for e in plan["elements"] for v in e["values"] if v["path"] == "ports.watchdog.detection"]
    assert (watchdog[0]["value"], watchdog[0]["text"]) == (200, "200ms")


# -- explain, rules, profiles ------------------------------------------------------------------------------------------


def test_explain_prints_a_page_by_name_or_code(tmp_path: Path) -> None:
    by_name = rocecfg(tmp_path, "explain", "watchdog-missing", expect=0).stdout
    assert by_name.startswith("# watchdog-missing (")
    code = next(r.code for r in ALL if r.name == "watchdog-missing")
    for word in (code, code.lower()):
        assert rocecfg(tmp_path, "explain", word, expect=0).stdout == by_name
    assert rocecfg(tmp_path, "explain", "watchdog", "missing", expect=0).stdout == by_name


@pytest.mark.parametrize(
    ("word", "answer"),
    [("watchdog-mising", "did you mean watchdog-missing?"), ("xyzzy", "`rocecfg rules` lists them")],
)
def test_explain_offers_what_could_be_meant(word: str, answer: str, tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "explain", word, expect=2)
    assert done.stderr == f"rocecfg: there is no rule '{word}'; {answer}\n"


def test_rules_are_listed_in_each_format(tmp_path: Path) -> None:
    text = rocecfg(tmp_path, "rules", expect=0).stdout.splitlines()
    rows = json.loads(rocecfg(tmp_path, "rules", "--format", "json", expect=0).stdout)["rules"]
    table = rocecfg(tmp_path, "rules", "--format", "markdown", expect=0).stdout.splitlines()
    assert {row["name"] for row in rows} == {r.name for r in ALL}
    assert len(text) == len(rows) == len(table) - 2 == len(ALL)
    assert [line.split()[0] for line in text] == sorted(r.code for r in ALL)


def test_profiles_are_listed_and_printed(tmp_path: Path) -> None:
    out = rocecfg(tmp_path, "profiles", expect=0).stdout
    assert "tomahawk5" in out
    assert "arista-7060x6-64pe" in out
    assert "source" in rocecfg(tmp_path, "profiles", "tomahawk5", expect=0).stdout
    assert "there is no profile 'nope'" in rocecfg(tmp_path, "profiles", "nope", expect=2).stderr
    assert rocecfg(tmp_path, "profiles", "../../pyproject", expect=2).stdout == ""


def test_the_age_of_facts(tmp_path: Path) -> None:
    """Each fact is counted once, with a day where its source has one; what is newest is what `--version` names."""
    out = rocecfg(tmp_path, "profiles", "--age", "--format", "json", expect=0).stdout
    age = {body["name"]: body for body in json.loads(out)["age"]}
    counted = Counter[str]()
    for path in (ROOT / "profiles").glob("*/*.yaml"):
        counted += Counter(re.findall(r"\bmark: ([VDMU])\b", path.read_text(encoding="utf-8")))
    assert sum((Counter(body["marks"]) for body in age.values()), Counter[str]()) == counted
    assert age["SONiC"]["newest"] == "202605 and master"
    assert age["headroom"]["undated"] == 0  # each names the commit of its table
    assert age["nics"]["day"] == ""
    newest = max(body["day"] for body in age.values())
    assert rocecfg(tmp_path, "--version", expect=0).stdout.splitlines()[1] == f"newest source of its facts: {newest}"
    text = rocecfg(tmp_path, "profiles", "--age", expect=0).stdout.splitlines()
    assert [line.split("  ")[0] for line in text] == ["facts of", *age]
    assert "leave out the name" in rocecfg(tmp_path, "profiles", "--age", "tomahawk5", expect=2).stderr


def test_maps_of_ports_are_shown_where_they_differ(tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n  leaf1:\n    ports:\n      Ethernet0: {speed: 400G, faces: host, cable: 3m}\n"
        "      Ethernet8: {speed: 400G, faces: host, cable: 3m, classes: {rdma: {dscp: [24], priority: 4}}}\n"
    )
    write(tmp_path, {"fabric.yaml": text})
    values = shown(tmp_path)
    here = "device leaf1/ports Ethernet8"
    assert {name.removeprefix(f"{here}/"): value for name, (value, _) in values.items() if "rdma." in name} == {
        "rdma.dscp": "24",
        "rdma.priority": "4",
        "rdma.tc": "4",
        "rdma.queue": "4",
        "rdma.pg": "4",
    }
    assert values[f"{here}/rdma.dscp"][1] == "fabric.yaml:15"
    assert values[f"{here}/default.dscp"][0].startswith("0-23 25-47")


def test_a_configuration_is_shown_in_the_words_of_an_intent(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.cfg": "hostname leaf01\n!\ninterface Ethernet1/1\n   mtu 9214\n   flowcontrol send off\n"})
    out = rocecfg(tmp_path, "show", "leaf01.cfg", expect=0).stdout
    assert re.search(r"^ +mtu +9214 ", out, re.MULTILINE)
    assert "None" not in out  # what has no word of its own is no Python either


def test_rules_are_filtered_by_words(tmp_path: Path) -> None:
    found = rocecfg(tmp_path, "rules", "watchdog", "restor", expect=0).stdout.splitlines()
    assert found
    assert all("watchdog" in line.lower() and "restor" in line.lower() for line in found)
    only = json.loads(rocecfg(tmp_path, "rules", "wdg201", "--format", "json", expect=0).stdout)["rules"]
    assert [rule["name"] for rule in only] == ["watchdog-missing"]
    assert "no rule has 'junk'" in rocecfg(tmp_path, "rules", "junk", expect=2).stderr


def test_a_word_lists_the_rules_on_it(tmp_path: Path) -> None:
    on_watchdog = rocecfg(tmp_path, "explain", "watchdog", expect=0).stdout
    assert "watchdog-missing" in on_watchdog
    assert all("watchdog" in line for line in on_watchdog.splitlines() if re.match(r"[A-Z]{3}\d", line))
    assert rocecfg(tmp_path, "explain", "pfcwd", expect=0).stdout == on_watchdog
    assert "WDG201" in rocecfg(tmp_path, "rules", "pfcwd", expect=0).stdout
    listed = json.loads(rocecfg(tmp_path, "explain", "headroom", "--format", "json", expect=0).stdout)["rules"]
    assert "buffer-headroom" in {rule["name"] for rule in listed}
    assert "did you mean watchdog-missing?" in rocecfg(tmp_path, "explain", "watchdog-misssing", expect=2).stderr


def test_help_of_lint_has_every_option_once_and_the_usual_ones_first(tmp_path: Path) -> None:
    out = rocecfg(tmp_path, "lint", "--help", expect=0).stdout
    listed = re.findall(r"^  (?:-\w, )?(--[\w-]+)", out, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert {f"--{word}" for word in ("select", "fix", "baseline", "environment", "jobs", "help")} <= set(listed)
    usual = out.partition("Advanced:")[0]
    assert "--fail-on" in usual
    assert "--show-settings" not in usual


@pytest.mark.parametrize(
    ("word", "meant"), [("check", "lint"), ("generate", "render"), ("diff", "drift"), ("version", "--version")]
)
def test_commands_of_other_tools_are_answered(word: str, meant: str, tmp_path: Path) -> None:
    assert f"there is no command '{word}'; write rocecfg {meant}" in rocecfg(tmp_path, word, expect=2).stderr


def test_pages_and_profiles_are_json_too(tmp_path: Path) -> None:
    rule = json.loads(rocecfg(tmp_path, "explain", "WDG201", "--format", "json", expect=0).stdout)
    assert (rule["rule"], rule["name"], rule["severity"]) == ("WDG201", "watchdog-missing", "error")
    assert rule["page"] == rocecfg(tmp_path, "explain", "WDG201", expect=0).stdout
    listed = json.loads(rocecfg(tmp_path, "profiles", "--kind", "asics", "--format", "json", expect=0).stdout)[
        "profiles"
    ]
    (title,) = [each["title"] for each in listed if each["name"] == "tomahawk5"]
    assert title.startswith("Broadcom Tomahawk 5")
    reported = json.loads(rocecfg(tmp_path, "profiles", "tomahawk5", "--format", "json", expect=0).stdout)["profiles"]
    chip, curves = reported  # the chip, and what `ecn: auto` takes on it
    assert chip["usable_buffer"]["source"]
    assert curves["rows"]["400G"]["any"]["kmin"]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["explain", "WDG291"], "did you mean WDG201 (watchdog-missing)?"),
        (["profiles", "sn4700"], "did you mean nvidia-sn4700"),
        (["profiles", "tomahwk5"], "did you mean tomahawk5"),
        (["rendr"], "there is no command 'rendr'; did you mean render?"),
        (["lnit"], "did you mean init or lint?"),
        (["render", "--vendor", "sonik"], "did you mean sonic?"),
        (["render", "--vendor", WORD], f"{UNKNOWN} is neither written nor read"),
        (["show", "leaf1"], "did you mean leaf01?"),
    ],
)
def test_a_slip_is_answered_with_what_could_be_meant(arguments: list[str], answer: str, fabric: Path) -> None:
    assert answer in rocecfg(fabric, *arguments, expect=2).stderr


@pytest.mark.parametrize(
    ("vendor", "help_"),
    [
        ("cumulus", "did you mean spectrum?"),
        ("eos", "did you mean arista?"),
        (WORD, f"{UNKNOWN} is neither written nor"),
    ],
)
def test_an_intent_with_another_name_of_a_system_is_told_ours(vendor: str, help_: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY + f"defaults: {{vendor: {vendor}}}\n"})
    out = rocecfg(tmp_path, "lint", expect=1).stdout
    assert f"'{vendor}' is not one of" in out
    assert help_ in out


def on_terminal(folder: Path, *arguments: str, columns: int, pager: str = "cat") -> str:
    """What a terminal of so many columns and 24 lines shows."""
    import fcntl
    import os
    import pty
    import struct
    import subprocess
    import sys
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    done = subprocess.Popen(
        [sys.executable, "-m", "rocecfg", *arguments],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**{k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}, "PAGER": pager, "TERM": "xterm"},
        close_fds=True,
    )
    os.close(slave)
    out = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    os.close(master)
    assert done.wait() == 0
    return out.decode().replace("\r\n", "\n")


def test_on_a_terminal_a_long_plan_is_folded_and_goes_through_the_pager(fabric: Path) -> None:
    shown = on_terminal(fabric, "show", "leaf01", "--origins", columns=100, pager="sed s/^/PAGED:/")
    lines = shown.splitlines()
    assert all(line.startswith("PAGED:") for line in lines)
    texts = [line.removeprefix("PAGED:") for line in lines]
    assert all(len(text) <= 100 or " " not in text.strip() for text in texts)  # a long path is left whole
    plain = rocecfg(fabric, "show", "leaf01", "--origins", expect=0).stdout
    assert " ".join(" ".join(texts).split()) == " ".join(plain.split())


def test_a_short_answer_is_not_paged(fabric: Path) -> None:
    shown = on_terminal(fabric, "show", "leaf01", "--key", "ecn.kmin", columns=100, pager="sed s/^/PAGED:/")
    assert "PAGED:" not in shown
    assert "ecn.kmin" in shown


def test_beside_what_auto_takes_stands_what_others_set(tmp_path: Path) -> None:
    example = str(ROOT / "examples" / "auto")
    out = rocecfg(tmp_path, "show", example, "leaf01", expect=0).stdout
    (line,) = [line for line in out.splitlines() if line.split()[0] == "ecn.800G.published"]
    for words in ("nvidia 150KB/1.5MB/100%", "sonic 1MiB/2MiB/5%", "azure 1MB/2MB/5%", "hpcc 3.2MB/12.8MB/20%"):
        assert words in line
    assert "published" not in rocecfg(tmp_path, "show", example, "leaf01", "--key", "ecn", expect=0).stdout
    assert "published" not in rocecfg(tmp_path, "show", str(ROOT / "examples" / "train-256"), expect=0).stdout


@pytest.mark.parametrize(
    ("example", "old", "new", "reported"),
    [
        ("auto", "", "", False),  # the tables of both chips serve, and nothing is compared with the workload's family
        ("auto", "workload:", "ecn_family: hpcc\n  workload:", True),
        ("auto", "ecn: auto", "ecn: {kmin: 1MB, kmax: 2MB, pmax: 5%}", True),  # what is written is compared with it
    ],
)
def test_the_family_of_thresholds_is_shown_where_it_counts(
    example: str, old: str, new: str, reported: bool, tmp_path: Path
) -> None:
    text = (ROOT / "examples" / example / "fabric.yaml").read_text(encoding="utf-8")
    assert old in text
    write(tmp_path, {"fabric.yaml": text.replace(old, new) if old else text})
    facts = rocecfg(tmp_path, "show", "fabric.yaml", expect=0).stdout.partition("\ndevice ")[0]
    assert ("ecn_family" in facts) == reported
