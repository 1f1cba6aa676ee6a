"""Slips of a first intent: one finding at the slip, whose help says what to write; written so, it is gone."""

from __future__ import annotations

import json
from pathlib import Path

import click
from intents import POLICY, rocecfg

from rocecfg.cli import cli
from rocecfg.cli.other_words import COMMANDS as COMMANDS_ELSEWHERE
from rocecfg.cli.other_words import OPTIONS

INTENT = POLICY + (
    "devices:\n  leaf01:\n    ports:\n      Ethernet[0-120/8]: {speed: 400G, faces: host, cable: 3m}\n"
    "      Ethernet[128-248/8]: {speed: 800G, faces: switch, cable: 30m}\n"
    "hosts:\n  gpu[01-16]: {nic: connectx-7, rdma_dscp: 24, pfc_priorities: [5], cable_len: 2m, tos: 106}\n"
)

SLIPS = [  # what stands there, what is written instead, what the help says
    ("priority: 3", "priority: TC3", "write 3"),
    ("priority: 3", "priority: three", "write 3"),
    ("priority: 3", 'priority: "3,4"', "write one number: 3 or 4"),
    ("priority: 3", "priority: 9", "it must be 7 or less"),
    ("speed: 400G", "speed: 4x100G", "write 100G"),
    ("pmax: 5%", "pmax: 1/20", "write 5%"),
    ("action: drop", "action: log", "did you mean alert?"),
    ("detection_time: 200ms", "timeout: 200ms", "did you mean detection_time?"),
    ("poll_interval: 100ms", "polling_interval: 100ms", "did you mean poll_interval?"),
    ("fabric: {", "fabric: {oversubscription: non-blocking, ", 'write "1:1"'),
    ("fabric: {", "fabric: {congestion_control: yes please, ", "a mapping of kind"),
    ("rocecfg: 1", "rocecfg: 2", "version 2 is unknown"),
    ("rocecfg: 1", "rocecfg: 1.0", "write 1"),
    ("Ethernet[0-120/8]", "Ethernet0-Ethernet120", "write Ethernet[0-120], or with a step, Ethernet[0-120/8]"),
    ("Ethernet[0-120/8]:", "Ethernet0-120/8:", "write Ethernet[0-120/8]"),
    (" Ethernet[0-120/8]", ' "Ethernet0,8,16"', "write Ethernet[0,8,16]"),
    ("Ethernet[0-120/8]", "Ethernet[0-120:8]", "write Ethernet[0-120/8]"),
    ("Ethernet[0-120/8]", "Ethernet[0..120]", "write Ethernet[0-120]"),
    ("Ethernet[0-120/8]", '"Ethernet{0-120/8}"', "write Ethernet[0-120/8]"),
    ("Ethernet[0-120/8]", "Ethernet 0", "write Ethernet0"),
    ("Ethernet[0-120/8]: {", "Ethernet[0-120/8]:{", "write a blank after the colon"),
    ("      Ethernet[0-120/8]", "    - Ethernet[0-120/8]", "without -"),
    ("cable: 3m", "cable: 10ft", "10ft is 3.1m, rounded up"),
    ("cable: 3m}", "cable: 118in}", "118in is 3m, rounded up"),
    ("cable: 3m", "cable: 3 meters", "write 3m"),
    ("cable: 3m", "cable: DAC", "write a length such as 3m"),
    ("cable: 3m", "cable: {length: 3m}", "write 3m"),
    ("cable: 3m", "cable_length: 3m", "did you mean cable?"),
    ("faces: host", "faces: spine", "did you mean switch?"),
    ("faces: host", "faces: GPU", "did you mean host?"),
    ("faces: host", "type: host", "did you mean faces?"),
    ("speed: 400G", "speed: 400GbE", "write 400G"),
    ("speed: 400G", "rate: 400G", "did you mean speed?"),
    ("speed: 400G", "speed:400G", "write speed: 400G"),
    ("  leaf01:\n", "   leaf01:\n  leaf02:\n", "indent it to column 1, as line"),
    ("  leaf01:\n", "  - name: leaf01\n", "write each name as a key"),
    ("    ports:\n", "    interfaces:\n", "did you mean ports?"),
    ("dscp: 26", "dscp: 0x1a", "write 26"),
    ("priority: 3", "cos: 3", "did you mean priority?"),
    ("lossless: true", "lossless: enabled", "write true"),
    ("lossless: true", "no-drop: true", "did you mean lossless?"),
    ("bandwidth: 60", "weight: 60", "did you mean bandwidth?"),
    ("bandwidth: 60", "bandwidth: 60 percent", "write 60"),
    ("bandwidth: 60", "bandwidth: dwrr 60", "write 60"),
    ("bandwidth: 60", "bandwidth: 60G", "max_rate and guaranteed"),
    ("kmin: 400KB", "kmin: 400k", "write 400KB"),
    ("kmin: 400KB", "kmin: 400 kilobytes", "write 400KB"),
    ("kmin: 400KB", "min_threshold: 400KB", "did you mean kmin?"),
    ("detection_time: 200ms", "detection: 200ms", "did you mean detection_time?"),
    ("action: drop", "action: discard", "did you mean drop?"),
    ("  watchdog: {", "  watchdog: on # {", "write {detection_time: 200ms,"),
    ("fabric: {", "fabric: lab # {", "write fabric: {name: lab}"),
    ("dscp: 26", "dscp: [26 27]", "write 26, 27"),
    ("dscp: 26", "tos: 104", "did you mean dscp?"),
    ("  leaf01:\n", "  leaf01\n", "write leaf01:"),
    ("pfc:\n", "pfc: on\n", "take the value out"),
    ("dscp: 26", "dscp: 26,", "one too many"),
    ("dscp: 26", "dscp: 24..31", "write 24-31"),
    ("dscp: rest", "dscp: all", "write rest"),
    ("dscp: rest", "dscp: '*'", "write rest"),
    ("priority: 3", "priority: [3]", "write 3"),
    ("lossless: true", "pfc: true", "did you mean lossless?"),
    ("carries: [rdma]", "carry: [rdma]", "did you mean carries?"),
    ("priority: 6, bandwidth: strict", "priority: 6, bandwidth: sp", "did you mean strict?"),
    ("priority: 6, bandwidth: strict", "priority: 6, scheduler: strict", "did you mean bandwidth?"),
    ("fabric: {", "fabric: {mtu: 9k, ", "write 9000"),
    ("  leaf01:\n", "  leaf[1-4:\n", "write leaf[1-4]"),
    ("  leaf01:\n", "  leaf*:\n", "such as leaf[01-04]"),
    ("  leaf01:\n", "  leaf01..04:\n", "write leaf[01-04]"),
    ("Ethernet[0-120/8]: {", "Ethernet[0-120/8] {", "write a colon after Ethernet[0-120/8]"),
    ("Ethernet[0-120/8]: {speed: 400G, faces: host, cable: 3m}", "Ethernet[0-120/8]: speed: 400G", "{speed: ...}"),
    ("faces: host, cable: 3m}", "faces: host, cable: 3m", "write } at the end of line 14"),
    ("faces: host", "faces: [host]", "write host"),
    ("speed: 400G, ", "speed: 400G; ", "a comma instead of ; before faces"),
    ("rdma_dscp: 24", "dscp: 24", "did you mean rdma_dscp?"),
    ("pfc_priorities: [5]", "pfc: [5]", "did you mean pfc_priorities?"),
    ("pfc_priorities: [5]", "pfc_priorities: 5", "write [5]"),
    ("pfc_priorities: [5]", "pfc_priorities: [0,0,0,1,0,0,0,0]", "write [3]"),
    ("cable_len: 2m", "cable: 2m", "did you mean cable_len?"),
    ("tos: 106", "traffic_class: 106", "did you mean tos?"),
]


def _find(folder: Path, *texts: str) -> list[list[dict[str, str]]]:
    """What lint says of how each text is written, by one run."""
    for number, text in enumerate(texts):
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    found = json.loads(rocecfg(folder, "lint", ".", "--format", "json").stdout)["findings"]
    schema = [f for f in found if f["name"].startswith("schema-")]
    return [[f for f in schema if f["path"] == f"{number}.yaml"] for number in range(len(texts))]


def test_the_help_says_what_to_write(tmp_path: Path) -> None:
    for right, slip, _ in SLIPS:
        assert INTENT.count(right) == 1, (right, slip)
    right, *found = _find(tmp_path, INTENT, *(INTENT.replace(right, slip) for right, slip, _ in SLIPS))
    assert right == []
    wrong = []
    for (_, slip, told), findings in zip(SLIPS, found, strict=True):
        said = [f"{f['message']} {f.get('help') or ''}" for f in findings]
        if len(said) != 1 or told not in said[0]:
            wrong.append((slip, told, said))
    assert wrong == []


def test_a_section_at_the_wrong_level_is_sent_where_it_belongs(tmp_path: Path) -> None:
    moved = INTENT.replace("pfc:\n  watchdog:", "watchdog:")
    assert moved != INTENT
    assert "move it below pfc: pfc: {watchdog: ...}" in _find(tmp_path, moved)[0][0]["help"]


def test_the_help_fits_the_shape_of_what_is_there(tmp_path: Path) -> None:
    """Near misses: a mapping is no single value, two numbers are no mask, and no word of a list is like any."""
    of_class, listed, others = _find(
        tmp_path,
        INTENT.replace("lossless: true", "pfc: {watchdog: off}"),
        INTENT.replace("[5]", "[0, 1]"),
        INTENT.replace("priority: 6, bandwidth: strict", "priority: 6, bandwidth: lots"),
    )
    assert "lossless?" not in of_class[0]["help"]
    assert listed == []
    assert "did you mean" not in (others[0]["help"] or "")


def test_shares_as_fractions_are_not_scaled(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(INTENT.replace("bandwidth: 60", "bandwidth: 0.6"), encoding="utf-8")
    found = json.loads(rocecfg(tmp_path, "lint", "a.yaml", "--format", "json").stdout)["findings"]
    (wrong,) = (f for f in found if f["name"] == "ets-sum")
    assert "rdma 60" in wrong["help"]
    assert not wrong["fix"]


COMMANDS = [  # as somebody types it, and what the answer names
    ("init x --vendor sonic --platform SN9999", "unknown platform 'SN9999'"),
    ("init x --vendor sonic --platform SN5600 --leaves 4", "give --spines and --hosts-per-leaf too"),
    ("init x --vendor sonic --platform SN5600 --leaves 4 --spines 2 --hosts-per-leaf 99", "fewer --hosts-per-leaf"),
    ("init x --vendor dell", "Dell SmartFabric OS10 is neither written nor read"),
    ("explain pfc-watchdog", "rocecfg explain watchdog"),
    ("explain pfc-missing", "did you mean pfc-missing-rdma?"),
    ("rules watchdgo", "did you mean watchdog?"),
    ("render --no-lint a.yaml", "give -o DIR"),
    ("show a.yaml --key watchdg", "did you mean watchdog?"),
    ("plan a.yaml", "--running DIR"),
    ("drift a.yaml", "--running"),
    ("init x --dscp af3", "or a name such as af31"),
    ("init x --priority three", "write 3"),
    ("init x --leaves 4k", "write 4000"),
    ("init x --tc 3", "Did you mean '--priority'?"),
    ("init x --asic th5", "Did you mean '--platform'?"),
    ("init x --version 202405", "Did you mean '--release'?"),
    ("lint --os sonic", "Did you mean '--from'?"),
    ("render --os sonic", "Did you mean '--vendor'?"),
    ("render --switch leaf01", "Did you mean '--device'?"),
    ("render --format set", "Did you mean '--as'?"),
    ("render --dry-run", "Did you mean '--diff'?"),
    ("lint --exclude ecn", "Did you mean '--ignore'?"),
    ("lint --strict", "Did you mean '--fail-on warning'?"),
    ("lint --json", "Did you mean '--format json'?"),
    ("lint --no-color", "Did you mean '--color never'?"),
    ("drift a.yaml --against x", "Did you mean '--running'?"),
    ("show --class rdma", "Did you mean '--key'?"),
    ("advise a.yaml --packet 4096", "did you mean 4096B?"),
    ("init x --speed fast", "a rate such as 400G"),
    ("topology", "write rocecfg show --topology"),
    ("simulate", "write rocecfg advise"),
    ("drift-all", "did you mean drift"),
    ("lint --outpt json", "Did you mean '--output'?"),
    ("drift a.yaml --running a.yaml --device leaf1", "did you mean leaf01?"),
]


def test_every_option_of_another_tool_has_one_here() -> None:
    known = {name: _list_options(name) for name in cli.list_commands(click.Context(cli))}
    every = set().union(*known.values())
    assert [word for word, offers in OPTIONS.items() for o in offers if o.partition(" ")[0] not in every] == []
    assert [word for word in OPTIONS if all(word in options for options in known.values())] == []
    assert {words.split()[0].rstrip(":,") for words in COMMANDS_ELSEWHERE.values()} <= {*known, "--version", "--help"}
    assert COMMANDS_ELSEWHERE.keys().isdisjoint(known)


def _list_options(name: str) -> set[str]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return {option for param in command.params for option in param.opts} | {"--help"}


def test_a_name_of_a_dscp_is_one_on_the_command_line(tmp_path: Path) -> None:
    rocecfg(tmp_path, "init", "x", "--yes", "--dscp", "AF32", expect=0)
    assert "dscp: 28" in (tmp_path / "x" / "fabric.yaml").read_text(encoding="utf-8")


def test_a_wrong_command_line_is_answered_with_a_right_one(tmp_path: Path) -> None:
    text = INTENT.replace("leaf01:", "leaf[01-02]:").replace("devices:", "defaults: {vendor: sonic}\ndevices:")
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    told = {line: rocecfg(tmp_path, *line.split(), expect=2).stderr for line, _ in COMMANDS}
    assert [(line, told[line]) for line, words in COMMANDS if words not in told[line]] == []
    assert "leaf[01-02]" in told["render --no-lint a.yaml"]


def test_no_column_is_named_where_the_indentation_is_right(tmp_path: Path) -> None:
    ((found,),) = _find(tmp_path, INTENT.replace("speed: 400G", "speed: 400G: 1"))
    assert "indent" not in found["help"]


def test_a_device_that_links_misspell_is_told_without_hosts_too(tmp_path: Path) -> None:
    """Hosts need not be listed, so a name that is none of a device may be one of theirs: a letter off is not."""
    links = INTENT.partition("hosts:")[0] + 'links:\n  - {a: "FAR:nic0", b: "leaf01:Ethernet0"}\n'
    slip, *hosts = _find(tmp_path, *(links.replace("FAR", far) for far in ("leafs02", "gpu02", "leaf02", "deaf")))
    assert [(f["severity"], f["help"]) for f in slip] == [("warning", "did you mean leaf01?")]
    assert hosts[0] == hosts[1] == []
