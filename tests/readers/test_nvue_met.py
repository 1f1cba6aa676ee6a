"""Texts of NVUE as they are met: wrapped by tools, pasted from terminals, of newer releases, of bonds alone."""

from __future__ import annotations

import json

import pytest
from nvue_text import device, lint, loaded, port

from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.spectrum.change.leaves import running_leaves
from rocecfg.vendors.spectrum.reader import read

BODY = {
    "header": {"model": "VX", "nvue-api-version": "nvue_v1", "version": "Cumulus Linux 5.14.0"},
    "qos": {"roce": {"enable": "on", "mode": "lossless"}},
    "interface": {"swp1": {"type": "swp", "link": {"mtu": 9100}}},
    "system": {"hostname": "leaf01"},
}


@pytest.mark.parametrize(
    "around",
    [
        lambda body: body,
        lambda body: {"changed": False, "failed": False, "message": body},
        lambda body: {"leaf01": {"result": {"message": body}}, "failed": False},
        lambda body: [{"header": body["header"]}, {"set": {k: v for k, v in body.items() if k != "header"}}],
    ],
    ids=["body", "module", "deeper", "operations"],
)
def test_what_a_tool_puts_around_a_configuration_is_looked_through(around: object) -> None:
    assert callable(around)
    text = json.dumps(around(BODY), indent=1)
    assert vendor_of(text) == "spectrum"
    found = device(text)
    assert found.names == ("leaf01",)
    assert port(text, "swp1").mtu == 9100
    assert "watchdog-missing" in {
        reported.rule for reported in lint(text)
    }  # it was read: RoCE is on, and nothing watches


def test_two_configurations_in_one_mapping_are_none() -> None:
    text = json.dumps({"leaf01": BODY, "leaf02": BODY})
    with pytest.raises(SourceError, match="more than one configuration"):
        read(Document(0, "all.json", text))


def test_a_mapping_without_an_object_of_nvue_is_none() -> None:
    with pytest.raises(SourceError, match="not NVUE"):
        read(Document(0, "x.yaml", "changed: false\nmessage: {rc: 0}\n"))


_HEADER = "- header:\n    version: Cumulus Linux 5.14.0\n    model: VX\n    nvue-api-version: nvue_v1\n"
_BELOW = "    interface:\n      swp1:\n        type: swp\n    qos:\n      roce:\n        enable: on\n"


def test_a_text_that_sets_nothing_is_refused() -> None:
    """A header says who the switch is and sets nothing, whatever stands below it."""
    for text, why in {
        _HEADER: "nothing is set in the file",
        f"{_HEADER}- set: {{}}\n": "nothing is set in the file",
        f"{_HEADER}- set:\n": "nothing is set in the file",
        _HEADER + _BELOW: "interface is below header",
        "- {}\n": "nothing is set in the file",
    }.items():
        with pytest.raises(SourceError, match=why):
            read(Document(0, "leaf01.yaml", text))


def test_what_stands_below_a_header_is_no_setting() -> None:
    """Two objects below it are two errors; a header as a switch writes it, and what is only unset, are none."""
    text = f"{_HEADER}{_BELOW}- set:\n    qos:\n      roce:\n        enable: on\n"
    found = [reported for reported in lint(text) if reported.rule == "device-unknown"]
    assert [(reported.severity, reported.line) for reported in found] == [("error", 5), ("error", 8)]
    for fine in (f"{_HEADER}- set:\n{_BELOW}", "- unset:\n    qos:\n      roce: {}\n"):
        assert "device-unknown" not in {reported.rule for reported in lint(fine)}


def test_a_switch_whose_settings_are_all_unset_is_compared() -> None:
    text = "- header:\n    version: Cumulus Linux 5.14.0\n- set:\n    qos:\n      roce: {}\n- unset:\n    qos: {}\n"
    assert not running_leaves(Document(0, "leaf01.yaml", text), None).all


# -- what is taken for NVUE --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "nv set qos roce",
        "cumulus@leaf01:mgmt:~$ nv set qos roce",
        "root@leaf01:~# nv unset qos roce",
        "admin@leaf01:~$ sudo nv set qos roce mode lossless",
    ],
)
def test_commands_are_known_with_the_prompt_before_them(line: str) -> None:
    assert vendor_of(f"Some words.\n{line}\n") == "spectrum"


@pytest.mark.parametrize(
    "text",
    [
        '{"lockfileVersion": 3, "packages": {"a": {"set": {"b": 1}, "interface": {}}}}',
        '{"openapi": "3.0.0", "components": {"schemas": {"interface": {"type": "object"}}}}',
        '{"vrf": {"interfaces": {"interface": {"Ethernet1": {}}}}}'.replace('"vrf"', '"default"'),
        "interface:\n  mgmt: eth0\nsystem:\n  timezone: Etc/UTC\n",
        "router:\n  bgp: {as: 65001}\nqos:\n  map:\n    cos: [0 to traffic-class 1]\n",
        "qos:\n  test_qos.py:\n    skip: {reason: none}\n",
        "- hosts: leafs\n  tasks:\n    - nvidia.nvue.command:\n        commands:\n          - nv set qos roce\n",
        "#!/bin/sh\nwhile ! nv config show; do sleep 1; done\nnv config replace /etc/nvue.yaml\nnv config apply -y\n",
        "# nv set qos roce\necho nothing\n",
        "- header: {version: 'x'}\n- set:\n    interface:\n      {{ item.name }}:\n        type: swp\n",
        "{% for p in ports %}\nnv set interface {{ p }} type swp\n{% endfor %}\n",
        "- header:\n    model: BLUEFIELD\n    version: HBN 2.4.0\n- set:\n    qos: {roce: {enable: on}}\n",
    ],
    ids=[
        "lock",
        "openapi",
        "state of another vendor",
        "variables",
        "structured",
        "marks of tests",
        "playbook",
        "applies only",
        "comment",
        "template of yaml",
        "template of commands",
        "dpu",
    ],
)
def test_what_only_has_words_of_nvue_is_not_taken_for_it(text: str) -> None:
    assert vendor_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "qos:\n  roce:\n    enable: on\n",
        "interface:\n  swp1-4:\n    type: swp\n",
        "interface:\n  bond1:\n    bridge:\n      domain:\n        br_default: {}\n",
        '{"interface": {"eth0": {"type": "eth"}}}',
        '{"qos": {"pfc": {"default-global": {"switch-priority": {"3": {}}}}}}',
    ],
)
def test_bodies_of_requests_are_taken_for_nvue(text: str) -> None:
    assert vendor_of(text) == "spectrum"


# -- what would go unread ----------------------------------------------------------------------------------------------


def test_commands_for_another_shell_are_told() -> None:
    (reported,) = lint('ssh leaf01 "\n  nv set qos roce mode lossless\n  nv config apply -y"\n')
    assert (reported.rule, reported.line) == ("device-unread", 2)
    assert "inside quotes" in reported.message


def test_a_variable_is_no_port_and_no_error() -> None:
    text = "nv set qos roce mode lossless\nfor p in 1 2; do\nnv set interface $p qos pfc-watchdog state enable\ndone\n"
    found = {(t.rule, t.line) for t in lint(text)}
    assert ("device-unread", 3) in found
    assert not any(rule == "nvue-watchdog-port" for rule, _ in found)
    assert loaded(text)[0].fabric is not None


def test_another_system_of_nvue_is_told() -> None:
    (reported,) = (t for t in lint("- header: {version: 25.02.1234}\n- set: {system: {hostname: a}}\n"))
    assert (reported.rule, reported.severity) == ("device-unread", "info")
    assert "25.02.1234 is not a release of Cumulus Linux" in reported.message


@pytest.mark.parametrize(("version", "rules"), [("5.13.0", []), ("4.4.0", ["nos-release-unknown"])])
def test_a_release_of_which_facts_are_known_goes_without_a_word(version: str, rules: list[str]) -> None:
    found = lint(f"- header: {{version: Cumulus Linux {version}}}\n- set: {{system: {{hostname: a}}}}\n")
    assert [each.rule for each in found] == rules


def test_ports_that_their_bond_alone_names_are_ports() -> None:
    text = (
        "- set:\n    system: {hostname: leaf01}\n"
        "    qos:\n      roce: {enable: on, mode: lossless}\n"
        "      pfc: {long: {switch-priority: {'3': {}}, cable-length: 300}}\n"
        "    interface:\n"
        "      bond1: {bond: {member: {swp27: {}, swp28: {}}}, link: {mtu: 9000}, qos: {pfc: {profile: long}}}\n"
    )
    group = port(text, "swp27")
    assert (group.names, group.mtu, group.lag) == (("swp27", "swp28"), 9000, "bond1")
    assert group.cable == 300.0
    assert [t.line for t in lint(text) if t.rule == "watchdog-missing"] == [5]


def test_a_member_that_has_its_own_interface_is_one_port() -> None:
    text = "nv set system hostname a\nnv set interface bond1 bond member swp1-2\nnv set interface swp1 link mtu 9100\n"
    assert [(g.names, g.mtu) for g in device(text).ports] == [(("swp1",), 9100), (("swp2",), 9216)]


# -- Cumulus Linux 5.19 ------------------------------------------------------------------------------------------------

TRIGGERS = """\
nv set system hostname leaf01
nv set qos roce state enabled
nv set qos roce mode lossless
nv set interface swp1 qos pfc-watchdog state enable
nv set qos pfc-watchdog polling-interval 100
nv set qos pfc-watchdog recovery-interval 400
nv set qos pfc-watchdog rx-pause-threshold 5
nv set qos pfc-watchdog rx-pause-duration state enabled
nv set qos pfc-watchdog rx-pause-duration multiplier 3
nv set qos pfc-watchdog transmit-queue-threshold percent 50
nv set qos pfc-watchdog tx-frames-threshold value 10
"""


@pytest.mark.parametrize("release", ["5.19", None])
def test_what_the_watchdog_goes_by_since_5_19_is_told_once(release: str | None) -> None:
    (reported,) = (t for t in lint(TRIGGERS, release) if t.rule.startswith("device"))
    assert (reported.rule, reported.line) == ("device-unread", 6)
    assert "recovery-interval, rx-pause-threshold, rx-pause-duration, transmit-queue-threshold" in reported.message


def test_before_5_19_there_is_none_of_it() -> None:
    text = "nv set system hostname a\nnv set qos pfc-watchdog recovery-interval 400\n"
    reported = [t for t in lint(text, "5.18") if t.rule == "device-unknown"]
    assert [(t.line, "came with 5.19" in t.message) for t in reported] == [(2, True)]


@pytest.mark.parametrize(
    ("release", "size", "refused"),
    [("5.18", 1_236_480, 0), ("5.18", 1_236_481, 1), ("5.19", 1_818_368, 0), ("5.19", 1_818_369, 1)],
)
def test_lossy_headroom_has_a_higher_end_since_5_19(release: str, size: int, refused: int) -> None:
    text = f"nv set system hostname a\nnv set interface swp1 qos headroom lossy extra-threshold {size}\n"
    assert len([t for t in lint(text, release) if t.rule == "device-value"]) == refused


# -- sizes of headroom -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("xon", "severity"), [(75_000, "warning"), (74_999, "warning"), (75_001, "error")])
def test_the_switch_itself_sizes_xon_like_xoff(xon: int, severity: str) -> None:
    """`nv show interface swp1 qos pfc` of the user guide has both at 18.94 KB."""
    text = (
        "nv set system hostname a\nnv set interface swp1 type swp\nnv set qos roce state enabled\n"
        "nv set qos roce mode lossless\nnv set qos pfc default-global port-buffer 363000\n"
        f"nv set qos pfc default-global xoff-threshold 75000\nnv set qos pfc default-global xon-threshold {xon}\n"
    )
    (reported,) = (t for t in lint(text) if t.rule == "nvue-explicit-buffer")
    assert reported.severity == severity
