"""The forms in which NVUE comes: all of them say the same, wherever they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from nvue_text import device, lint, port, rules, switch
from same_model import differences

from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.spectrum.reader import read

LIST = """\
- header:
    model: vx
    nvue-api-version: nvue_v1
    rev-id: 1.0
    version: Cumulus Linux 5.14.0
- set:
    system:
      hostname: leaf01
    qos:
      roce:
        enable: on
        mode: lossless
      mapping:
        default-global:
          trust: l3
          dscp:
            '26':
              switch-priority: 3
      congestion-control:
        default-global:
          traffic-class:
            '3':
              ecn: enable
              min-threshold: 400000
              max-threshold: 1600000
              probability: 5
      pfc-watchdog:
        polling-interval: 200
        robustness: 2
    interface:
      swp1-4,swp6:
        link:
          mtu: 9000
        qos:
          pfc-watchdog:
            state: enable
      swp7s0-1,swp8s0:
        type: swp
"""
BODY = "\n".join(line.removeprefix("    ") for line in LIST.split("- set:\n")[1].splitlines())
COMMANDS = """\
nv set system hostname leaf01
nv set qos roce enable on
nv set qos roce mode lossless
nv set qos mapping default-global trust l3
nv set qos mapping default-global dscp 26 switch-priority 3
nv set qos congestion-control default-global traffic-class 3 ecn enable
nv set qos congestion-control default-global traffic-class 3 min-threshold 400000
nv set qos congestion-control default-global traffic-class 3 max-threshold 1600000
nv set qos congestion-control default-global traffic-class 3 probability 5
nv set qos pfc-watchdog polling-interval 200
nv set qos pfc-watchdog robustness 2
nv set interface swp1-4,swp6 link mtu 9000
nv set interface swp1-4,swp6 qos pfc-watchdog state enable
nv set interface swp7s0-1,swp8s0 type swp
"""
TREE = {
    "system": {"hostname": "leaf01"},
    "qos": {
        "roce": {"enable": "on", "mode": "lossless"},
        "mapping": {"default-global": {"trust": "l3", "dscp": {"26": {"switch-priority": "3"}}}},
        "congestion-control": {
            "default-global": {
                "traffic-class": {
                    "3": {"ecn": "enable", "min-threshold": 400000, "max-threshold": "1600000", "probability": 5}
                }
            }
        },
        "pfc-watchdog": {"polling-interval": 200, "robustness": 2},
    },
    "interface": {
        "swp1-4,swp6": {"link": {"mtu": 9000}, "qos": {"pfc-watchdog": {"state": "enable"}}},
        "swp7s0-1,swp8s0": {"type": "swp"},
    },
}
FORMS = {
    "body": BODY,
    "json body": json.dumps(TREE),
    "json, indented": json.dumps(TREE, indent=2),
    "json operations": json.dumps([{"header": {"version": "Cumulus Linux 5.14.0"}}, {"set": TREE}]),
    "mapping of operations": "set:\n" + LIST.split("- set:\n")[1],
    "commands": COMMANDS,
    "commands of a session": "".join(f"cumulus@leaf01:mgmt:~$ {line}\n" for line in COMMANDS.splitlines()),
    "commands with sudo": "#!/bin/bash\nset -e\n" + COMMANDS.replace("nv set", "sudo nv set") + "nv config apply -y\n",
    "one line": COMMANDS.replace("\n", "; "),
    "windows": COMMANDS.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_says_the_same(name: str) -> None:
    reference, other = device(LIST), device(FORMS[name], "5.14.0")
    assert differences(reference, other) == []
    assert other == reference
    assert switch(FORMS[name]).name == "leaf01"


@pytest.mark.parametrize("name", ["body", "json body", "json operations", "commands"])
def test_every_form_is_recognised(name: str) -> None:
    assert vendor_of(FORMS[name]) == "spectrum"


def test_what_is_read() -> None:
    found = device(LIST)
    names = [n for group in found.ports for n in group.names]
    assert sorted(names) == ["swp1", "swp2", "swp3", "swp4", "swp6", "swp7s0", "swp7s1", "swp8s0"]
    assert port(LIST, "swp6").mtu == 9000
    assert port(LIST, "swp8s0").mtu == 9216  # what Cumulus Linux has
    dog = port(LIST, "swp1").watchdog
    assert dog is not None
    assert (dog.detection, dog.poll) == (400, 200)
    assert port(LIST, "swp7s0").watchdog is None
    assert found.version == "5.14.0"


# -- YAML --------------------------------------------------------------------------------------------------------------


def test_values_are_as_yaml_1_2_has_them() -> None:
    """`on` is no boolean, `11:11` no number, an integer key no string: NVUE writes all of them plain."""
    text = """\
- set:
    router: {policy: {community-list: {11: {rule: {100: {community: {11:11: {}}}}}}}}
    qos:
      roce: {state: enabled, mode: lossless}
      pfc: {default-global: {switch-priority: {3: {}}, cable-length: '30'}}
"""
    (group,) = device(text).ports
    assert (group.pfc, group.cable) == ((3,), 30)


def test_long_keys_as_yaml_writes_them() -> None:
    parts = ",".join(f"swp{n}s0-1" for n in range(1, 65))
    text = (
        "- set:\n    qos: {roce: {mode: lossless}}\n    interface:\n"
        f"      ? {parts}\n      : qos:\n          pfc-watchdog:\n            state: enable\n"
    )
    assert len(parts) > 600
    assert sum(len(group.names) for group in device(text).ports if group.watchdog is not None) == 128


def test_later_operations_win_and_unset_takes_away() -> None:
    text = """\
- set: {qos: {roce: {state: enabled, mode: lossless}, pfc: {default-global: {cable-length: 30, rx: disable}}}}
- set: {qos: {pfc: {default-global: {cable-length: 40}}}, interface: {swp1-2: {qos: {pfc-watchdog: {state: enable}}}}}
- unset: {qos: {pfc: {default-global: {rx: {}}}}, interface: {swp2: {qos: {}}}}
"""
    assert port(text, "swp1").cable == 40
    assert port(text, "swp1").watchdog is not None
    assert port(text, "swp2").watchdog is None
    assert "pfc-one-way" not in rules(text)
    assert "device-conflict" not in rules(text)


@pytest.mark.parametrize(
    "unset",
    [
        "- unset: {interface: {swp1: {link: {lanes: {}}, bridge: {domain: {br_default: {vlan: {'10': {}}}}}}}}\n",
        "- unset: {interface: {swp1: {acl: {}}}, vrf: {default: {router: {bgp: {neighbor: {10.0.0.1: {}}}}}}}\n",
    ],
)
def test_to_unset_what_is_not_read_takes_nothing_else_away(unset: str) -> None:
    text = """\
- set:
    qos: {roce: {mode: lossless}}
    interface:
      swp1: {link: {speed: 400G, mtu: 9216, lanes: 8}, bridge: {domain: {br_default: {vlan: {'10': {}}}}}, acl: {a: {}}}
      swp2: {link: {speed: 400G}}
    vrf: {default: {router: {bgp: {neighbor: {swp2: {}, 10.0.0.1: {}}}}}}
"""
    assert device(text + unset).ports == device(text).ports
    assert port(text + unset, "swp1").speed == 400_000_000_000


def test_one_port_under_two_keys() -> None:
    """What the keys say apart is merged; what they say against each other is told, once."""
    text = """\
- set:
    interface:
      swp1-4: {link: {mtu: 9000}}
      swp3-6:
        link: {mtu: 9216}
        description: same port
"""
    (reported,) = [reported for reported in lint(text) if reported.rule == "device-conflict"]
    assert (reported.line, reported.severity) == (5, "warning")
    assert reported.message.startswith("9216 here, 9000 elsewhere")
    assert (port(text, "swp1").mtu, port(text, "swp6").mtu) == (9000, 9216)


# -- commands ----------------------------------------------------------------------------------------------------------


def test_quotes_comments_and_lines_that_go_on() -> None:
    text = """\
# the leaves' QoS: it's here
nv set system message pre-login 'Welcome
nv set qos roce mode lossy
it'"'"'s a switch'  # a comment with a ' in it
nv set qos roce \\
    mode lossless   # the end
echo "nv set qos roce mode lossy"
nv set interface swp1 description "to \\"spine01\\" swp1"
nv set interface 'swp1' qos pfc-watchdog
"""
    assert port(text, "swp1").pfc == (3,)
    assert port(text, "swp1").watchdog is not None


def test_ranges_over_keys() -> None:
    text = """\
nv set qos roce mode lossless
nv set qos pfc default-global switch-priority 3,5
nv set qos congestion-control default-global traffic-class 0-2,5-7 ecn disable
nv set interface swp1,4-5,swp7s0,swp8s1 qos pfc-watchdog state enable
"""
    found = device(text)
    assert found.ports[0].pfc == (3, 5)
    assert {n for group in found.ports for n in group.names} == {"swp1", "swp4", "swp5", "swp7s0", "swp8s1"}
    assert {c.name for c in found.classes if c.ecn is not None} == {"sp3"}


def test_later_commands_win_without_a_word() -> None:
    text = """\
nv set qos roce mode lossless
nv set qos pfc default-global cable-length 10
nv set qos pfc default-global cable-length 20
nv set qos congestion-control default-global traffic-class 0-7 ecn disable
nv set qos congestion-control default-global traffic-class 3 ecn enable
nv unset interface swp9
nv set interface swp1-2 qos pfc-watchdog
nv unset interface swp2 qos pfc-watchdog
"""
    found = device(text)
    assert {p.cable for p in found.ports} == {20}
    assert {c.name for c in found.classes if c.ecn is not None} == {"sp3"}
    assert [p.names for p in found.ports if p.watchdog is not None] == [("swp1",)]
    assert "device-conflict" not in rules(text)


def test_the_head_of_a_script_names_the_release() -> None:
    text = "# RoCE settings for Cumulus Linux 5.16.1, NVUE\nnv set qos roce state enabled\n"
    assert device(text).version == "5.16.1"
    assumed = text.replace(", NVUE", " (assumed: the intent states no version), NVUE")
    assert device(assumed).version is None
    assert device(assumed, "5.17").version == "5.17"
    assert device("# from Cumulus Linux 5.9\n# to Cumulus Linux 5.16\nnv set qos roce mode lossless\n").version is None


# -- what cannot be read -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("nv set qos roce mode 'lossless\n", 1, "quote"),
        ("- set:\n    qos: {roce: {\n", 3, "not YAML"),
        ("- sett:\n    qos: {}\n", 1, "list of operations"),
        ("- set: {}\n- qos\n", 2, "list of operations"),
        ("", 1, "the file is empty"),
        ("{}\n", 1, "the file is empty"),
        ("[]\n", 1, "list of operations"),
        ("qos\n", 1, "list of operations"),
        ("- set:\n    a: [\n", 3, "not YAML"),
    ],
)
def test_what_is_no_nvue_is_an_error_with_its_place(text: str, line: int, word: str) -> None:
    with pytest.raises(SourceError) as caught:
        read(Document(0, "leaf01.yaml", text))
    assert caught.value.line == line
    assert word in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "- set:\n    qos: lossless\n",
        "- set:\n    qos: [roce]\n",
        "- set:\n    interface: swp1\n",
        "- set:\n    qos: {roce: [on]}\n",
        "- set:\n    qos: {pfc: {default-global: 3}}\n",
        "- set: qos\n",
    ],
)
def test_a_wrong_shape_is_told_and_the_rest_read(text: str) -> None:
    reported = lint(text)
    assert all(t.severity == "error" for t in reported if t.rule == "device-value")
    assert "device-value" in {t.rule for t in reported}


def test_the_samples_have_both_line_ends(shared: Path) -> None:
    """A file that went through Windows reads the same."""
    text = (shared / "samples" / "nvue" / "era-2-8-9-400-core-01.nv").read_text(encoding="utf-8")
    assert device(text.replace("\n", "\r\n")) == device(text)
