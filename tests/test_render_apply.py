"""`rocecfg render -o`: how to apply the files stands beside them, for people and as a script that runs."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import HANG, ROOT
from intents import POLICY, rocecfg, write
from sonic_orch import Switch

NOTES, SCRIPT = "APPLY-leaf.md", "APPLY-leaf.sh"
PORTS = ["Ethernet0", "Ethernet8", "Ethernet256"]  # of a leaf, with PFC
DEVICES = """\
defaults: {vendor: sonic, platform: arista-7060x6-64pe, version: {sonic: "202505", arista: "4.33.2F"}}
devices:
  leaf[01-02]:
    ports:
      "Ethernet[0-8/8]": {speed: 400G, faces: host, cable: 3m}
      "Ethernet256": {speed: 800G, faces: switch, cable: 30m}
      "Ethernet384": {speed: 100G, faces: storage, cable: 10m, classes: [default, control]}
  spine[01-02]:
    vendor: arista
    ports: {"Ethernet[1-2]/1": {speed: 800G, faces: switch, cable: 30m}}
"""
FABRIC = POLICY.replace("pfc:\n", "pfc:\n  headroom: auto\n") + DEVICES
DEFAULT = "  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}\n"
GROUP = "SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP"
STORAGE = "  storage: {carries: [storage], dscp: 18, priority: 4, lossless: true, bandwidth: 20}\n"

# A switch as far as the script sees it: it logs what is typed. Files in $SWITCH say what it answers.
SHIMS = {
    "sudo": 'exec "$@"',
    "hostname": 'cat "$SWITCH/name"',
    "sleep": ":",
    "config": 'echo "config $*" >> "$SWITCH/log"',
    "pfcwd": 'echo "pfcwd $*" >> "$SWITCH/log"',
    "show": 'echo "show $*" >> "$SWITCH/log"; false',
    # NVIDIA 4449947: in 5.13 a relative path has no effect; 4616352: 5.14.0 returns 1 for changes that it shows
    "nv": """\
echo "nv $*" >> "$SWITCH/log"
RELEASE=$(cat "$SWITCH/release" 2> /dev/null || true)
case "$*" in
  "config patch "*) [ -r "$3" ] || exit 1
    case "$RELEASE $3" in 5.13*" /"*) touch "$SWITCH/pending" ;; 5.13*) ;; *) touch "$SWITCH/pending" ;; esac ;;
  "set "*|"unset "*) touch "$SWITCH/pending" ;;
  "config diff") if [ -e "$SWITCH/broken" ]; then echo "nvued does not answer" >&2; exit 1; fi
    if [ -e "$SWITCH/same" ] || [ ! -e "$SWITCH/pending" ]; then exit 0; fi
    echo "- set: {qos: {}}"; case "$RELEASE" in 5.14*) exit 1 ;; esac ;;
  "config apply --confirm-yes") [ ! -e "$SWITCH/unknown" ] || exit 2 ;;
  "config apply"*--confirm) if [ -e "$SWITCH/refuses" ]; then exit 1; fi; rm -f "$SWITCH/pending" ;;
esac""",
    "sonic-db-cli": """\
echo "$*" >> "$SWITCH/log"
case "$1 $2 $3" in
  "CONFIG_DB HGET DEVICE_METADATA|localhost") cat "$SWITCH/model" ;;
  "CONFIG_DB HGET PFC_WD|"*) if [ "$4" = action ]; then echo drop
    elif grep -qsx "${3#PFC_WD|}" "$SWITCH/watched"; then echo 200; fi ;;
  "CONFIG_DB HGET PORT|"*) if [ -e "$SWITCH/unread" ]; then exit 1; fi
    if grep -qsx "${3#PORT|}" "$SWITCH/off"; then echo down; else echo up; fi ;;
  "APPL_DB KEYS "*) if [ -e "$SWITCH/down" ]; then echo "cannot reach redis" >&2; exit 1; fi
    if [ -e "$SWITCH/stuck" ]; then echo "${3%?}3-4"; fi ;;
  "APPL_DB HGET "*) cat "$SWITCH/profile" ;;
  "CONFIG_DB KEYS PORT_QOS_MAP|*") if [ -e "$SWITCH/rows" ]; then cat "$SWITCH/rows"; fi ;;
  "CONFIG_DB KEYS PFC_WD|*") if [ -e "$SWITCH/dogs" ]; then cat "$SWITCH/dogs"; fi ;;
  "CONFIG_DB KEYS "*) if grep -qs x "$SWITCH/back"; then : > "$SWITCH/back"; echo "$3"; fi ;;
  "COUNTERS_DB HGET "*) echo oid:0x1a ;;
  "ASIC_DB HGET "*) cat "$SWITCH/bound" ;;
esac""",
}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """What FABRIC is rendered to."""
    return rendered(tmp_path, FABRIC)


def rendered(folder: Path, intent: str, *options: str) -> Path:
    write(folder, {"fabric.yaml": intent})
    rocecfg(folder, "render", "-o", "out", *options, expect=0)
    return folder / "out"


def listed(out: Path) -> list[str]:
    return sorted(path.name for path in out.iterdir() if path.name.startswith("APPLY"))


def run(
    out: Path, script: str, *arguments: str, expect: int = 0, name: str = "leaf01", keys: str = "", **answers: str
) -> tuple[list[str], str]:
    """Run a script on a switch that answers so; what was typed there, and what the script said."""
    switch = out.parent / "switch"
    (switch / "bin").mkdir(parents=True, exist_ok=True)
    for shim, body in SHIMS.items():
        (switch / "bin" / shim).write_text(f"#!/bin/bash\n{body}\n")
        (switch / "bin" / shim).chmod(0o755)
    answers = {"name": name, "model": "", "bound": "oid:0x19", "profile": "pg_lossless_400000_3m_profile", **answers}
    for file, text in {**answers, "log": ""}.items():
        (switch / file).write_text(text)
    done = subprocess.run(
        ["bash", out / script, *arguments],
        env={"PATH": f"{switch / 'bin'}:{os.environ['PATH']}", "SWITCH": str(switch), "HOME": str(switch)},
        input=keys,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == expect, done.stdout + done.stderr
    return (switch / "log").read_text().splitlines(), done.stdout + done.stderr


def typed_by_hand(notes: str) -> list[str]:
    """What the notes have to type on the switch up to the save."""
    blocks = re.findall(r"```\n(.*?)```", notes.partition("## The same as a script")[0], re.DOTALL)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if not line.startswith(("scp ", "ssh "))]


def run_notes(out: Path, notes: str = NOTES, **answers: str) -> list[str]:
    """Paste what notes have into a shell of a switch; what was typed there."""
    (out / "pasted.sh").write_text("\n".join(typed_by_hand((out / notes).read_text())))
    return run(out, "pasted.sh", **answers)[0]


def shortened(typed: list[str]) -> list[str]:
    """What was typed, the port left out and each thing once where it stands for several ports in a row."""
    lines = [re.sub(r"Ethernet\d+", "PORT", line) for line in typed if not line.startswith("show ")]
    return [line for n, line in enumerate(lines) if line not in lines[max(0, n - 2) : n]]


def test_notes_and_script_of_each_group(out: Path) -> None:
    assert listed(out) == [NOTES, SCRIPT, "APPLY-spine.md"]
    notes = (out / NOTES).read_text()
    for heading in ("What it disturbs", "In this order", "Check", "Save", "The same as a script"):
        assert f"\n## {heading}\n" in notes
    assert "leaf[01-02]" in notes
    assert "copy running-config startup-config" in (out / "APPLY-spine.md").read_text()
    script = (out / SCRIPT).read_text()
    assert "Ethernet[" not in script.split("set -eu", 1)[1]
    for checker in (["bash", "-n"], ["shellcheck"]):
        if shutil.which(checker[0]):
            assert subprocess.run([*checker, out / SCRIPT], check=False).returncode == 0


def test_script_types_what_the_notes_say_in_their_order(out: Path) -> None:
    typed, _ = run(out, SCRIPT, "--yes")
    assert shortened(typed) == [
        "CONFIG_DB HGET DEVICE_METADATA|localhost buffer_model",
        "CONFIG_DB KEYS PORT_QOS_MAP|*",
        "CONFIG_DB KEYS PFC_WD|*",
        "CONFIG_DB HGET PORT|PORT admin_status",
        "config interface shutdown PORT",
        "CONFIG_DB DEL BUFFER_PG|PORT|3-4",
        "CONFIG_DB DEL BUFFER_PG|PORT|3",
        "APPL_DB KEYS BUFFER_PG_TABLE:PORT:*",
        "pfcwd stop PORT PORT PORT PORT",
        f"config load -y {out / 'leaf01.json'}",
        "CONFIG_DB KEYS BUFFER_PG|PORT|3-4",
        "pfcwd start --action drop --restoration-time 400 PORT PORT PORT 200",
        "config interface startup PORT",
        "COUNTERS_DB HGET COUNTERS_PG_NAME_MAP PORT:3",
        f"ASIC_DB HGET ASIC_STATE:{GROUP}:oid:0x1a SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE",
        "CONFIG_DB HDEL QUEUE|PORT|3 wred_profile",
        "CONFIG_DB HDEL QUEUE|PORT|4 wred_profile",
        "config save -y",
    ]
    for word in ("shutdown", "startup"):
        assert [line.split()[-1] for line in typed if f"interface {word}" in line] == PORTS
    pasted = [line.replace("leaf01.json", str(out / "leaf01.json")) for line in run_notes(out)]
    looked_up = [line for line in pasted if "admin_status" in line]
    assert pasted[0] == looked_up[0], "only ports that are up are shut, and only these are waited for"
    assert len(looked_up) == 2 * len(PORTS)
    assert shortened([line for line in pasted if line not in looked_up]) == shortened(typed)[4:]


def test_the_watchdog_of_ports_that_the_intent_does_not_name_is_left_alone(out: Path) -> None:
    """`pfcwd stop` without names is every port's (sonic-utilities, pfcwd/main.py)."""
    named = {*PORTS, "Ethernet384"}
    typed, _ = run(out, SCRIPT, "--yes", back="x")
    stops = [n for n, line in enumerate(typed) if line.startswith("pfcwd stop")]
    assert all(set(typed[n].split()[2:]) == named for n in stops)
    assert all(typed[n + 1].startswith("config load") for n in stops)  # nothing between them writes a row
    assert len(stops) == sum("config load" in line for line in typed) == 2
    (start,) = (line.split() for line in typed if line.startswith("pfcwd start"))
    assert named.intersection(start) == set(PORTS)  # Ethernet384 has no lossless class
    assert typed.index(" ".join(start)) > stops[-1]


def test_script_names_ports_that_start_default_does_not_take(tmp_path: Path) -> None:
    """It takes those in DEVICE_NEIGHBOR: on others a watchdog that ran is stopped, and the switch starts none."""
    own = re.sub(r"watchdog: \{.*\}", "watchdog: vendor-default", FABRIC)
    assert "vendor-default" in own
    out = rendered(tmp_path, own, "--no-lint", "--vendor", "sonic")
    (script,) = (name for name in listed(out) if name.endswith(".sh"))
    typed, words = run(out, script, "--yes", watched="Ethernet0\nEthernet8\n")
    assert not any(line.startswith("pfcwd start ") for line in typed)
    assert "pfcwd start_default" in typed
    without = [line for line in words.splitlines() if "without watchdog" in line]
    assert without == ["without watchdog, not in DEVICE_NEIGHBOR: Ethernet256"]


def test_script_names_other_ports_whose_maps_the_load_rewrites(out: Path) -> None:
    rows = ["global", *PORTS, "Ethernet12", "Ethernet384", "Ethernet300"]
    _, words = run(out, SCRIPT, "--yes", rows="".join(f"PORT_QOS_MAP|{port}\n" for port in rows))
    (line,) = (line for line in words.splitlines() if "not in the intent" in line)
    assert line.endswith("that may bind them: Ethernet12 Ethernet300")
    assert "the maps AZURE of DSCP_TO_TC_MAP" in line
    assert "not in the intent" not in run(out, SCRIPT, "--yes", rows="PORT_QOS_MAP|Ethernet0\n")[1]
    assert "also for ports not in the intent that bind them" in " ".join((out / NOTES).read_text().split())


CASES = Path(__file__).parent / "drift" / "sonic_apply"


def stock_switch(release: int, *, watched: bool, lazy: Callable[[], bool] = lambda: False) -> Switch:
    """A leaf with stock rows, and a port beside those of the intent."""
    running = json.loads((CASES / "run40.json").read_text(encoding="utf-8"))
    for table in ("PORT", "PORT_QOS_MAP", "PFC_WD"):
        running[table]["Ethernet16"] = dict(running[table]["Ethernet8"])
    running["BUFFER_PG"]["Ethernet16|3-4"] = dict(running["BUFFER_PG"]["Ethernet8|3-4"])
    if not watched:
        for port in ("Ethernet0", "Ethernet8"):
            del running["PFC_WD"][port]
    return Switch(running, release, lazy=lazy)


def replay(typed: list[str], switch: Switch, out: Path) -> bool:
    """Type what changes something; whether the stock row is back when it is looked for."""
    back = False
    for line in typed:
        words = line.split()
        if words[:2] == ["config", "load"]:
            switch.files[words[3]] = json.loads((out / words[3]).read_text(encoding="utf-8"))
        if words[0] in ("config", "pfcwd"):
            switch.type(f"sudo {line}")
        elif words[0] == "CONFIG_DB" and words[1] in ("DEL", "HDEL", "HSET"):
            switch.type(f"sonic-db-cli {line}")
        elif words[1] == "KEYS":
            switch.take()
            back = line == "CONFIG_DB KEYS BUFFER_PG|Ethernet0|3-4" and "Ethernet0|3-4" in switch.config["BUFFER_PG"]
    switch.take()
    return back


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("watched", [True, False])
@pytest.mark.parametrize("release", ["202405", "202505", "202511"])
def test_what_the_script_types_leaves_no_port_without_watchdog_or_headroom(
    tmp_path: Path, release: str, *, watched: bool, late: bool
) -> None:
    """On a switch as sonic-swss has it: also a port that the intent does not name, and where no watchdog ran before.

    So do the notes, which the script replaces, where nothing has to be done a second time.
    """
    out = rendered(tmp_path, (CASES / "i40.yaml").read_text().replace('"202505"', f'"{release}"'), "--no-lint")
    (notes, script) = listed(out)
    typed = run(out, script, "--yes")[0] if late else run_notes(out, notes)
    assert typed[-1] == "config save -y"
    switch = stock_switch(int(release), watched=watched, lazy=lambda: late)
    other = dict(switch.config["PFC_WD"]["Ethernet16"])
    if replay(typed, switch, out):
        switch = stock_switch(int(release), watched=watched, lazy=lambda: late)
        replay(run(out, script, "--yes", back="x")[0], switch, out)
    assert (switch.without_watchdog(), switch.without_headroom()) == ([], [])
    assert switch.config["PFC_WD"]["Ethernet16"] == other
    assert switch.armed == {"Ethernet0": {"3"}, "Ethernet8": {"3"}, "Ethernet16": {"3", "4"}}
    assert all(row["admin_status"] == "up" for row in switch.config["PORT"].values())
    assert "Ethernet0|3-4" not in switch.config["BUFFER_PG"]
    assert switch.saved == [switch.config]


def test_other_devices_of_the_group_take_their_own_file(out: Path) -> None:
    assert f"config load -y {out / 'leaf02.json'}" in run(out, SCRIPT, "--yes", name="leaf02")[0]
    assert f"config load -y {out / 'leaf02.json'}" in run(out, SCRIPT, "--yes", "leaf02", name="sw7")[0]


@pytest.mark.parametrize("name", ["spine01", "leaf", "leaf0", "leaf03"])
def test_script_refuses_other_switches(name: str, out: Path) -> None:
    typed, words = run(out, SCRIPT, "--yes", name=name, expect=2)
    assert typed == []
    assert f"not for {name}" in words


@pytest.mark.parametrize(
    ("answers", "reached", "words"),
    [
        ({"model": "dynamic"}, "CONFIG_DB HGET", "does not run the traditional buffer model"),
        ({"stuck": ""}, "CONFIG_DB DEL", "still_bound, after 60 s still"),
        ({"down": ""}, "CONFIG_DB DEL", "after 60 s still: cannot reach redis"),
        ({"unread": ""}, "CONFIG_DB HGET PORT|", ""),
        ({"bound": "oid:0x0"}, "config interface startup", "unbound, after 60 s still: Ethernet0 3 oid:0x0"),
    ],
)
def test_script_stops_before_the_save_where_a_check_fails(
    answers: dict[str, str], reached: str, words: str, out: Path
) -> None:
    typed, answer = run(out, SCRIPT, "--yes", expect=1, **answers)
    assert any(line.startswith(reached) for line in typed)
    assert "config save -y" not in typed
    assert words in answer
    assert ("nothing was saved" in answer) == ("model" not in answers)
    assert not answers.keys() & {"stuck", "down"} or not any("config load" in line for line in typed)
    assert "unread" not in answers or typed[3:] == ["CONFIG_DB HGET PORT|Ethernet0 admin_status"]


def flapped(typed: list[str], word: str) -> list[str]:
    """The ports that were shut, or started."""
    return [line.split()[-1] for line in typed if f"config interface {word}" in line]


def test_ports_that_were_down_stay_down_and_are_not_waited_for(out: Path) -> None:
    typed, words = run(out, SCRIPT, "--yes", off="Ethernet8\n")
    assert flapped(typed, "shutdown") == flapped(typed, "startup") == ["Ethernet0", "Ethernet256"]
    assert "administratively down, and left down: Ethernet8\n" in words
    assert "COUNTERS_DB HGET COUNTERS_PG_NAME_MAP Ethernet8:3" not in typed
    typed, words = run(out, SCRIPT, "--yes", off="\n".join(PORTS))
    assert flapped(typed, "shutdown") == flapped(typed, "startup") == []
    assert typed[-1] == "config save -y"
    assert "left so" not in run(out, SCRIPT, "--yes", off="")[1]


def test_ports_that_a_run_left_down_are_started_by_the_next(out: Path) -> None:
    typed, _ = run(out, SCRIPT, "--yes", off="Ethernet8\n", stuck="", expect=1)
    assert flapped(typed, "startup") == []
    (out.parent / "switch" / "stuck").unlink()
    typed, _ = run(out, SCRIPT, "--yes", off="\n".join(PORTS))
    assert flapped(typed, "startup") == ["Ethernet0", "Ethernet256"]
    typed, _ = run(out, SCRIPT, "--yes", off="\n".join(PORTS))  # what was recorded is done with
    assert flapped(typed, "startup") == []


def test_stock_row_that_comes_back_is_deleted_and_the_file_loaded_again(out: Path) -> None:
    typed, _ = run(out, SCRIPT, "--yes", back="x")
    loads = [n for n, line in enumerate(typed) if "config load" in line]
    assert len(loads) == 2
    assert "CONFIG_DB DEL BUFFER_PG|Ethernet0|3-4" in typed[loads[0] : loads[1]]


@pytest.mark.parametrize(("vendor", "tool"), [("sonic", "sonic-db-cli"), ("spectrum", "nv")])
def test_script_does_nothing_where_it_is_not_on_a_switch(vendor: str, tool: str, tmp_path: Path) -> None:
    out = rendered(tmp_path, POLICY, "--vendor", vendor)
    run(out, f"APPLY-lab-{vendor}.sh", "--yes")
    (tmp_path / "switch" / "bin" / tool).unlink()
    done = subprocess.run(
        ["bash", out / f"APPLY-lab-{vendor}.sh", "--yes"],
        env={"PATH": f"{tmp_path / 'switch' / 'bin'}:{os.environ['PATH']}", "SWITCH": str(tmp_path / "switch")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "run it on the switch" in done.stderr


def test_script_asks_before_it_disturbs_and_before_it_saves(out: Path) -> None:
    typed, words = run(out, SCRIPT, keys="", expect=1)
    looked = ["HGET DEVICE_METADATA|localhost buffer_model", "KEYS PORT_QOS_MAP|*", "KEYS PFC_WD|*"]
    assert typed == [f"CONFIG_DB {each}" for each in looked]
    assert f"{len(PORTS)} ports go down if they are up" in words
    assert "nothing was saved" not in words  # nothing was begun
    typed, words = run(out, SCRIPT, keys="\n", expect=1)
    assert "config save -y" not in typed
    assert "nothing was saved" in words
    assert "config save -y" in run(out, SCRIPT, keys="\n\n")[0]


def test_only_ports_whose_cable_length_changed_are_started_anew(tmp_path: Path) -> None:
    both = FABRIC.replace(DEFAULT, STORAGE + DEFAULT.replace("40", "20")).replace("cable: 30m", "cable: 4m")
    out = rendered(tmp_path, both, "--no-lint", "--vendor", "sonic")
    (script,) = (name for name in listed(out) if name.endswith(".sh"))
    # 30 m at 400G and 5 m at 800G are what 202505's pg_profile_lookup.ini has next for the cables of 3 m and 4 m
    for length, ports in {"30m": PORTS[2:], "5m": PORTS[:2], "300m": PORTS}.items():
        typed, _ = run(out, script, "--yes", profile=f"pg_lossless_400000_{length}_profile")
        changed = [line.split()[2:] for line in typed if "config interface" in line]
        assert changed == [[word, port] for port in ports for word in ("shutdown", "startup")]
        deleted = {line for line in typed if line.startswith("CONFIG_DB DEL")}
        assert deleted == {"CONFIG_DB DEL BUFFER_PG|Ethernet384|3-4"}  # elsewhere the stock row fits


def test_policy_has_notes_and_script_too(tmp_path: Path) -> None:
    out = rendered(tmp_path, POLICY, "--vendor", "sonic")
    typed, _ = run(out, "APPLY-lab-sonic.sh", "--yes", name="any")
    assert shortened(typed) == [f"config load -y {out / 'lab-sonic.json'}", "config save -y"]


RELEASES = ["5.3", "5.8", "5.9", "5.11", "5.13", "5.14", "5.15", "5.18"]  # of Cumulus Linux
ADAPTIVE = """\
load_balancing: {mode: adaptive}
defaults: {vendor: spectrum, platform: nvidia-sn5600, version: "RELEASE", speed: 400G, cable: 5m, fec: rs, layer: 3}
devices:
  leaf[01-02]: {role: leaf, ports: {"swp[1-2]s[0-1]": {faces: host}, "swp[33,35]": {speed: 800G, faces: switch}}}
"""


OLD_NVUE = ADAPTIVE.replace("RELEASE", "5.8")


def of_nvue(tmp_path: Path, release: str, form: str) -> Path:
    """What a fabric is rendered to. 5.3 has no watchdog, and so none is meant."""
    text = POLICY.replace("lossless: true, ", "") if release == "5.3" else POLICY
    intent = text.replace("pfc:\n", "pfc:\n  headroom: auto\n") + ADAPTIVE.replace("RELEASE", release)
    return rendered(tmp_path, intent, "--no-lint", "--as", form)


TYPED = [("nvue", release) for release in RELEASES] + [("commands", release) for release in ("5.3", "5.13", "5.18")]


@pytest.mark.parametrize(("form", "release"), TYPED)
def test_nvue_script_and_notes_type_the_same_whatever_the_release_answers(
    tmp_path: Path, release: str, form: str
) -> None:
    out = of_nvue(tmp_path, release, form)
    (name,) = (path.name for path in out.glob("leaf01.*"))
    typed, _ = run(out, "APPLY-leaf.sh", "--yes", release=release)
    loaded = [f"nv config patch {out / name}"] if form == "nvue" else []
    expected = [*loaded, "nv config diff", "nv config apply --assume-yes --confirm"]
    assert [line for line in typed if not line.startswith("nv set")][: len(expected)] == expected
    assert typed[-2:] == ["nv config apply --confirm-yes", "nv config save"]
    (out.parent / "switch" / "log").write_text("")
    hand = typed_by_hand((out / "APPLY-leaf.md").read_text())
    switch = out.parent / "switch"
    done = subprocess.run(
        ["bash", "-c", "\n".join(hand)],
        cwd=out,
        env={"PATH": f"{switch / 'bin'}:{os.environ['PATH']}", "SWITCH": str(switch)},
        check=True,
        capture_output=True,
        text=True,
        timeout=HANG,
    )
    assert "- set: {qos: {}}" in done.stdout, "what is loaded is pending"
    told = (switch / "log").read_text().splitlines()
    others = [f"nv show interface swp{port}" for port in ("1s1", "2s0", "2s1", "33", "35")]
    assert [line for line in told if line.startswith(tuple(others)) and "qos pfc-watchdog" in line] == [
        f"{other} qos pfc-watchdog" for other in others
    ]
    told = [line for line in told if not line.startswith(tuple(others))]
    assert told == [line.replace(" --assume-yes", "") for line in typed]


def test_nvue_script_stops_and_says_what_comes_back_by_itself(tmp_path: Path) -> None:
    out = of_nvue(tmp_path, "5.14", "nvue")
    for answer, last in (("broken", "nv config diff"), ("refuses", "nv config apply --assume-yes --confirm")):
        typed, words = run(out, "APPLY-leaf.sh", "--yes", expect=1, release="5.14", **{answer: ""})
        assert typed[-1] == last
        assert "nothing was saved" not in words, "from 5.9 on what is applied is saved by itself"
        assert "minutes after it was applied" in words
        (out.parent / "switch" / answer).unlink()
    typed, words = run(out, "APPLY-leaf.sh", keys="\n\n", expect=1, release="5.14")
    assert "nv config apply --confirm" in typed
    assert "nv config apply --confirm-yes" not in typed
    assert "nv config save" not in typed


def test_nvue_script_confirms_nothing_where_nothing_changes(tmp_path: Path) -> None:
    out = of_nvue(tmp_path, "5.14", "nvue")
    typed, words = run(out, "APPLY-leaf.sh", "--yes", release="5.14", same="")
    assert not any(line.startswith("nv config apply") for line in typed)
    assert typed[-1] == "nv config save"
    assert "Nothing changes" in words


def test_nvue_script_confirms_what_a_run_before_it_left_with_its_timer_running(tmp_path: Path) -> None:
    """Then nothing differs, and unconfirmed it would return after the script said that it is done."""
    out = of_nvue(tmp_path, "5.14", "nvue")
    run(out, "APPLY-leaf.sh", keys="\n\n", expect=1, release="5.14")  # nobody answers whether it works
    typed, words = run(out, "APPLY-leaf.sh", "--yes", release="5.14", same="")
    assert typed[-2:] == ["nv config apply --confirm-yes", "nv config save"]
    assert "an earlier run applied this" in words
    typed, words = run(out, "APPLY-leaf.sh", "--yes", release="5.14", same="")
    assert "nv config apply --confirm-yes" not in typed
    (out.parent / "switch" / "same").unlink()
    typed, words = run(out, "APPLY-leaf.sh", "--yes", expect=1, release="5.14", unknown="")
    assert "NVIDIA's pages do not list --confirm-yes" in words
    assert "nv config save" not in typed
    assert "NVIDIA's pages do not list --confirm-yes" in (out / "APPLY-leaf.md").read_text()


@pytest.mark.parametrize("action", ["drop", "alert"])
def test_ports_watched_with_another_action_are_named_before_anything_is_asked(tmp_path: Path, action: str) -> None:
    """Where the chip has one for all, orchagent refuses the watchdog of the ports that the load gives another one."""
    out = rendered(tmp_path, FABRIC.replace("action: drop", f"action: {action}"), "--no-lint")
    _, words = run(out, SCRIPT, "--yes", dogs="PFC_WD|GLOBAL\nPFC_WD|Ethernet0\nPFC_WD|Ethernet32\n")
    assert ("orchagent refuses the watchdog of these ports" in words) == (action == "alert")
    assert words.find("give all one action first: Ethernet32\n") < words.find("Record which ports are up")
    assert (f"another action than {action}" in (out / NOTES).read_text()) == (action == "alert")


def test_scripts_that_save_a_drained_switch_say_so(tmp_path: Path) -> None:
    """Before they ask, and in the last line: `config bgp shutdown all` and graceful shutdown are saved with it."""
    for at, intent in enumerate((FABRIC, POLICY.replace("pfc:\n", "pfc:\n  headroom: auto\n") + OLD_NVUE)):
        (tmp_path / str(at)).mkdir()
        out = rendered(tmp_path / str(at), intent)
        _, words = run(out, "APPLY-leaf.sh", "--yes", release="5.8")
        assert "once traffic is back: " in words.splitlines()[-1]
        assert re.search(r"(?:sudo )?(?:nv )?config save", words.splitlines()[-1])
    _, words = run(of_nvue(tmp_path / "quiet", "5.14", "nvue"), "APPLY-leaf.sh", "--yes", release="5.14")
    assert words.splitlines()[-1] == "== Done"


@pytest.mark.parametrize("release", RELEASES)
def test_nvue_notes_say_what_a_reboot_brings_back_in_that_release(tmp_path: Path, release: str) -> None:
    notes = (of_nvue(tmp_path, release, "nvue") / "APPLY-leaf.md").read_text()
    saved = notes.partition("## Save\n")[2].partition("## ")[0]
    auto = tuple(map(int, release.split("."))) >= (5, 9)
    assert ("a reboot restores the saved configuration" in saved) != auto
    assert ("saves by itself (auto-save" in saved) == auto
    assert "nv config save" in saved
    restarts = tuple(map(int, release.split("."))) <= (5, 12)
    disturbs = notes.partition("## What it disturbs\n")[2].partition("## ")[0]
    assert ("restarts switchd" in disturbs) == restarts
    assert ("It cannot drain the switch" in notes) == restarts


def test_patch_has_a_script_with_what_is_typed_around_it(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    rocecfg(tmp_path, "render", "-o", "old", expect=0)
    running = json.loads((tmp_path / "old" / "leaf01.json").read_text())
    running["PORT"] = {
        port: {"admin_status": "up", "speed": "400000", "lanes": "1"}
        for port in running["PORT_QOS_MAP"]
        if port != "global"
    }
    running["DEVICE_METADATA"] = {"localhost": {"hostname": "leaf01", "hwsku": "Arista-7060X6-64PE-B-P32O64"}}
    write(
        tmp_path,
        {
            "running.json": json.dumps(running),
            "fabric.yaml": FABRIC.replace("bandwidth: 60", "bandwidth: 70").replace("bandwidth: 40", "bandwidth: 30"),
        },
    )
    patch = ("--device", "leaf01", "--as", "patch", "--running", "running.json")
    rocecfg(tmp_path, "render", "-o", "out", *patch, expect=0)
    out = tmp_path / "out"
    assert listed(out) == ["APPLY-leaf01.md", "APPLY-leaf01.sh"]
    typed, _ = run(out, "APPLY-leaf01.sh", "--yes")
    assert shortened(typed) == [
        f"config apply-patch -d {out / 'leaf01.json'}",
        f"config apply-patch {out / 'leaf01.json'}",
        "config save -y",
    ]


def test_check_diff_and_rewriting_hold_for_them_as_for_devices(tmp_path: Path, out: Path) -> None:
    rocecfg(tmp_path, "render", "-o", "out", "--check", expect=0)
    (out / SCRIPT).write_text("echo mine\n")
    assert f"out/{SCRIPT}: not what" in rocecfg(tmp_path, "render", "-o", "out", "--check", expect=1).stdout
    assert "-echo mine" in rocecfg(tmp_path, "render", "-o", "out", "--diff", expect=1).stdout
    assert "1 of 7 files written" in rocecfg(tmp_path, "render", "-o", "out", expect=0).stderr
    rocecfg(tmp_path, "render", "-o", "out", "--check", expect=0)


def test_one_device_has_the_files_of_its_group(tmp_path: Path, out: Path) -> None:
    before = (out / SCRIPT).read_bytes()
    assert "0 of 3 files" in rocecfg(tmp_path, "render", "-o", "out", "--device", "leaf02", expect=0).stderr
    assert (out / SCRIPT).read_bytes() == before
    assert len(listed(out)) == 3


def test_files_of_groups_that_are_no_more_are_removed(tmp_path: Path, out: Path) -> None:
    write(
        out,
        {
            "APPLY-mine.md": "notes of mine\n",
            "APPLY-other.sh": "# rocecfg render: how to apply, fabric x, vendor sonic\n",
        },
    )
    write(tmp_path, {"fabric.yaml": FABRIC.replace("leaf[01-02]", "tor[01-02,05]")})
    check = rocecfg(tmp_path, "render", "-o", "out", "--no-lint", "--check", expect=1).stdout
    assert f"out/{NOTES}: its group of devices no longer exists" in check
    assert "2 removed" in rocecfg(tmp_path, "render", "-o", "out", "--no-lint", expect=0).stderr
    assert listed(out) == [
        "APPLY-mine.md",
        "APPLY-other.sh",
        "APPLY-spine.md",
        "APPLY-tor.md",
        "APPLY-tor.sh",
    ]
    rocecfg(tmp_path, "render", "-o", "out", "--no-lint", "--vendor", "arista", expect=0)
    assert "APPLY-tor.sh" in listed(out)


def test_groups_that_are_called_alike_are_told_apart(tmp_path: Path) -> None:
    """leaf01 is applied otherwise than leaf02 and leaf03, and a leaf without a number stands beside them."""
    devices = (
        '  leaf01: {ports: {"Ethernet[0-8/8]": {speed: 400G, cable: 3m}}}\n'
        '  leaf[02-03]: {ports: {"Ethernet[0-16/8]": {speed: 400G, cable: 3m}}}\n'
        '  leaf: {ports: {"Ethernet[0-24/8]": {speed: 400G, cable: 3m}}}\n'
    )
    head = POLICY.replace("pfc:\n", "defaults: {vendor: sonic, platform: arista-7060x6-64pe}\npfc:\n  headroom: auto\n")
    out = rendered(tmp_path, f"{head}devices:\n{devices}", "--no-lint")
    assert [name for name in listed(out) if name.endswith(".md")] == [
        "APPLY-leaf.md",
        "APPLY-leaf01.md",
        "APPLY-leaf02+1.md",
    ]
    assert "leaf[02-03]" in (out / "APPLY-leaf02+1.md").read_text()


def test_standard_error_has_a_page_at_most_for_many_groups(tmp_path: Path) -> None:
    devices = "".join(
        f'  sw{n:02}: {{ports: {{"Ethernet[0-{8 * n}/8]": {{speed: 400G, cable: 3m}}}}}}\n' for n in range(1, 31)
    )
    head = POLICY.replace("pfc:\n", "defaults: {vendor: sonic, platform: arista-7060x6-64pe}\npfc:\n  headroom: auto\n")
    out = rendered(tmp_path, f"{head}devices:\n{devices}", "--no-lint")
    assert len(listed(out)) == 60
    done = rocecfg(tmp_path, "render", "-o", "out", "--no-lint", expect=0)
    assert len(done.stderr) < 2000
    assert "22 more groups of devices: out/APPLY-*.md" in done.stderr


def test_what_reads_the_folder_back_passes_over_them(tmp_path: Path, out: Path) -> None:
    drift = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "out", "--partial", expect=0)
    assert "APPLY" not in drift.stdout + drift.stderr
    lint = rocecfg(tmp_path, "lint", "out", "--format", "json")
    assert json.loads(lint.stdout)["summary"]["files"] == 4
    assert "APPLY" not in lint.stdout + lint.stderr
    assert listed(out)


def test_without_a_folder_notes_stay_on_standard_error(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    done = rocecfg(tmp_path, "render", "--device", "leaf01", expect=0)
    assert "# Apply with: sudo config load -y FILE" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fabric.yaml"]


PLACEHOLDER = re.compile(r"<[a-z]|…|(?<![$\w|])(?!PORT in )(?:PORTS?|NAME|FILE|SWITCH|DEVICE|REV|N)(?!\w)")


def test_no_line_of_a_note_has_a_placeholder_and_a_shell_takes_those_for_one(tmp_path: Path) -> None:
    """Of the examples, which have all four systems; their EOS and Junos lines are in the table of printed commands."""
    shell, found = [], []
    for example in ("auto", "converged", "rail-512"):
        rocecfg(tmp_path, "render", str(ROOT / "examples" / example), "-o", example, expect=0)
        for note in sorted((tmp_path / example).glob("APPLY-*.md")):
            text = note.read_text(encoding="utf-8")
            lines = [line for block in re.findall(r"```\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
            found += [
                f"{note.name}: {line.strip()}" for line in lines if PLACEHOLDER.search(line.replace('"PORT|$PORT"', ""))
            ]
            shell += [line for line in lines if "vendor arista" not in text and "vendor junos" not in text]
            said = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
            found += re.findall(r"\b(?:sudo|nv|no qos profile|set interfaces) [^;`]*?(?<!\$)\b(?:PORTS?|NAME)\b", said)
        heads = ((path.name, path.read_text(encoding="utf-8")[:3000]) for path in (tmp_path / example).iterdir())
        found += [f"{name}: FILE" for name, head in heads if re.search(r"(?m)^[#!].*\bFILE\b(?!=)", head)]
    assert found == []
    done = subprocess.run(["bash", "-n"], input="\n".join(shell), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, len(shell) > 50) == (0, "", True)


@pytest.mark.parametrize(
    ("vendor", "platform", "typed"),
    [
        ("arista", "arista-7060x6-64pe", ["scp a01.cfg a01:/mnt/flash/", "copy flash:a01.cfg session-config"]),
        ("junos", "juniper-qfx5240-64od", ["scp a01.conf a01:/var/tmp/", "load replace /var/tmp/a01.conf"]),
        ("spectrum", "nvidia-sn5600", ["scp a01.yaml a01:", "ssh a01", 'nv config patch "$PWD/a01.yaml"']),
    ],
)
def test_lines_of_notes_can_be_pasted(vendor: str, platform: str, typed: list[str], tmp_path: Path) -> None:
    """For the first device of a group; no line stands for another, and devices of two kinds name the file."""
    devices = f"defaults: {{vendor: {vendor}, platform: {platform}}}\ndevices: {{'a[01-02],b01': {{}}}}\n"
    policy = POLICY if vendor != "junos" else re.sub("ecn: {.*?}", "ecn: {kmin: 55%, kmax: 90%, pmax: 100%}", POLICY)
    write(tmp_path, {"fabric.yaml": policy + devices})
    rocecfg(tmp_path, "render", "fabric.yaml", "-o", "out", expect=0)
    notes = (tmp_path / "out" / "APPLY-a+b.md").read_text(encoding="utf-8")
    lines = [line.strip() for block in notes.split("```")[1::2] for line in block.strip().splitlines()]
    assert [line for line in lines if line in typed] == typed
    assert [line for line in lines if re.search(r"FILE|SWITCH|\(the lines\)|Ctrl", line)] == []
    assert "The lines below are for a01" in notes
