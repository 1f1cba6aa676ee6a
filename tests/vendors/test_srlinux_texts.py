"""SR Linux: one tree in four spellings, what is wrong in a text, and what several statements show together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from intents import rocecfg

from rocecfg.linting.judge import judge
from rocecfg.model.stated import strip_places
from rocecfg.model.switch import Switch
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import part
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.running import fabric_of, read_drafts
from rocecfg.vendors.srlinux.reading.statements import parse_statements

LINES = """\
--{ + running }--[  ]--
A:leaf01# info flat
set / system name host-name leaf01
set / interface ethernet-1/1 mtu 9216
set / interface ethernet-1/1 subinterface 0 type routed ip-mtu 9202
set / qos explicit-congestion-notification
set / qos queues queue unicast-3 queue-index 3
set / qos queues pfc-queue pfc-3 queue-index 3
set / qos forwarding-classes forwarding-class fc3 output unicast-queue unicast-3
set / qos classifiers dscp-policy roce dscp AF31 forwarding-class fc3
set / qos pfc-mapping-profile roce received-traffic unicast-mapping pfc-queue pfc-3 pfc-pause-frame-priority [ 3 ]
set / qos pfc-mapping-profile roce received-traffic unicast-mapping pfc-queue pfc-3 forwarding-class [ fc3 ]
set / qos pfc-mapping-profile roce received-pfc-pause-frames queue unicast-3 pfc-pause-frame-priority 3
set / qos pfc-mapping-profile roce received-pfc-pause-frames queue unicast-3 enable-pfc true
set / qos pfc-mapping-profile roce received-pfc-pause-frames deadlock enable true
set / qos linecard 1 forwarding-complex 0 input pfc-buffer-reservation 10
set / qos interfaces interface ethernet-1/1 interface-ref interface ethernet-1/1
set / qos interfaces interface ethernet-1/1 pfc pfc-mapping-profile roce pfc-enable true
set / qos interfaces interface ethernet-1/1.0 interface-ref interface ethernet-1/1
set / qos interfaces interface ethernet-1/1.0 interface-ref subinterface 0
set / qos interfaces interface ethernet-1/1.0 input classifiers dscp-policy roce
"""
BRACES = """\
interface ethernet-1/1 {
    description "to spine1 port 1"
    mtu 9216
}
qos {
    explicit-congestion-notification {
    }
    pfc-mapping-profile roce {
        received-traffic {
            unicast-mapping {
                pfc-queue pfc-3 {
                    forwarding-class [
                        fc3
                        fc4
                    ]
                }
            }
        }
    }
}
system {
    name {
        host-name leaf02
    }
}
"""
_SENT = {"pfc-queue-name": "pfc-3", "pfc-pause-frame-priority": 3, "forwarding-class": ["fc3"]}
_OBEYED = {"queue-name": "unicast-3", "pfc-pause-frame-priority": 3, "enable-pfc": True}
TREE = {
    "srl_nokia-system:system": {"srl_nokia-system-name:name": {"host-name": "leaf01"}},
    "srl_nokia-interfaces:interface": [
        {"name": "ethernet-1/1", "mtu": 9216, "subinterface": [{"index": 0, "type": "srl_nokia-interfaces:routed",
                                                                "ip-mtu": 9202}]}
    ],
    "srl_nokia-qos:qos": {
        "explicit-congestion-notification": {},
        "queues": {"queue": [{"name": "unicast-3", "queue-index": 3}],
                   "pfc-queue": [{"pfc-queue-name": "pfc-3", "queue-index": 3}]},
        "forwarding-classes": {"forwarding-class": [{"name": "fc3", "output": {"unicast-queue": "unicast-3"}}]},
        "classifiers": {"dscp-policy": [{"name": "roce", "dscp": [{"value": 26, "forwarding-class": "fc3"}]}]},
        "pfc-mapping-profile": [
            {"name": "roce", "received-traffic": {"unicast-mapping": {"pfc-queue": [_SENT]}},
             "received-pfc-pause-frames": {"queue": [_OBEYED], "deadlock": {"enable": True}}}
        ],
        "linecard": [{"slot": 1, "forwarding-complex": [{"name": "0", "input": {"pfc-buffer-reservation": 10}}]}],
        "interfaces": {"interface": [
            {"interface-id": "ethernet-1/1", "interface-ref": {"interface": "ethernet-1/1"},
             "pfc": {"pfc-mapping-profile": "roce", "pfc-enable": True}},
            {"interface-id": "ethernet-1/1.0", "interface-ref": {"interface": "ethernet-1/1", "subinterface": 0},
             "input": {"classifiers": {"dscp-policy": "roce"}}},
        ]},
    },
}  # fmt: skip


def read(text: str) -> Switch:
    (switch,) = part("srlinux", "reader").read(Document(0, "leaf01", text))
    return switch


def meaning(text: str) -> object:
    """What a switch amounts to, without places."""
    switch = read(text)
    chain = tuple(tuple(val.value for val in of) for of in switch.chain)
    ports = [
        (p.names, strip_places(p.section), tuple(p.pfc), {q: strip_places(s) for q, s in p.queues.items()}, p.running)
        for p in switch.ports
    ]
    return switch.name, chain, ports, [problem.rule for problem in switch.problems]


def found(text: str) -> set[str]:
    sources = Sources()
    document = sources.add("leaf01.cli", text)
    judged, failed = judge(fabric_of("leaf01.cli", [(document, read_drafts(document, "srlinux"))], [], sources))
    assert not failed
    return {each.rule.name for each in judged}


def test_four_spellings_say_the_same() -> None:
    plain = {key.rpartition(":")[2]: value for key, value in TREE.items()}
    updates = [{"path": f"/{key}", "value": value} for key, value in plain.items() if key != "interface"]
    updates += [{"path": "/interface[name=ethernet-1/1]", "value": plain["interface"][0]}]
    texts = [LINES, json.dumps(TREE, indent=1), json.dumps(plain), json.dumps(updates)]
    texts.append(
        f"--{{ + running }}--[  ]--\nA:leaf01# info | as json\n{texts[1]}\n--{{ + running }}--[  ]--\nA:leaf01#\n"
    )
    assert {vendor_of(text) for text in texts} == {"srlinux"}
    first, *others = map(meaning, texts)
    for other in others:
        assert other == first
    words = [one.words for one in parse_statements(Document(0, "leaf02", BRACES))]
    below = ("qos", "pfc-mapping-profile", "roce", "received-traffic", "unicast-mapping", "pfc-queue", "pfc-3")
    assert words == [
        ("interface", "ethernet-1/1", "description", "to spine1 port 1"),
        ("interface", "ethernet-1/1", "mtu", "9216"),
        ("qos", "explicit-congestion-notification"),
        (*below, "forwarding-class", "fc3"),
        (*below, "forwarding-class", "fc4"),
        ("system", "name", "host-name", "leaf02"),
    ]
    assert found(LINES) <= {"ecn-missing", "hygiene-absent"}  # no poll counts for its timers of 750 ms
    switch = read(LINES)
    assert switch.chain.dscp[26].value == 3
    assert switch.chain.dscp[27].value == 0
    assert list(switch.ports[0].pfc) == [3]
    assert switch.ports[0].section["mtu"].value == 9202
    assert switch.problems == ()
    assert switch.fates.counts[1:] == (0, 0, 0, 0)


@pytest.mark.conformance
def test_samples_are_read_whole_and_nothing_false_is_found(shared: Path) -> None:
    """ecn-static-xoff is right: their PFC queues pause below kmax."""
    folder = shared / "samples" / "srlinux"
    known = {
        "made-leaf-h4.json": {"ecn-static-xoff"},
        "made-leaf-h4.set": {"ecn-static-xoff"},
        "made-leaf-h4-as-json.json": {"ecn-static-xoff"},
        "made-leaf-h4-v24.10.json": {"ecn-static-xoff"},
        "made-leaf-d5.info": {"ecn-static-xoff"},
        "made-leaf-x3b.json": set(),
        "nvd-collapsed-spine2-short.cli": set(),
    }
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in known}
    assert {name: vendor_of(text) for name, text in texts.items()} == dict.fromkeys(known, "srlinux")
    assert {name: found(text) - {"hygiene-absent"} for name, text in texts.items()} == known
    assert meaning(texts["made-leaf-h4.json"]) == meaning(texts["made-leaf-h4.set"])
    for text in texts.values():
        fates = read(text).fates
        assert fates.unjudged == ()


def test_what_is_cut_off_or_wrong_is_told_with_its_place() -> None:
    for text, message in (
        ("interface ethernet-1/1 {\n    mtu 9216\n", "is not closed: the text is cut off"),
        ("interface ethernet-1/1 {\n}\n}\n", "this '}' has no '{'"),
        ("set / qos classifiers dscp-policy a dscp 26 forwarding-class [ fc3\n", "has no ']'"),
        ("set / qos\nfrobnicate / qos\n", "begins no set line"),
        ('set / interface ethernet-1/1 description "x\n', 'this " is not closed'),
        ("classifiers {\n    dscp-policy a {\n    }\n}\n", "without qos"),
        ('[{"value": 1}]', "an entry without a path"),
        ('{"qos": {', "not JSON"),
    ):
        with pytest.raises(SourceError) as error:
            read(text)
        assert message in error.value.message, text
    wrong = LINES.replace("dscp AF31", "dscp 64").replace("enable-pfc true", "enable-pfc maybe")
    assert {problem.rule for problem in read(wrong).problems} == {"device-value", "srlinux-ecn-off"} - {
        "srlinux-ecn-off"
    }


def test_what_no_model_refuses_is_found() -> None:
    for old, new, rule in (
        (" pfc-enable true", "", "srlinux-pfc-off"),
        ("pfc pfc-mapping-profile roce pfc-enable true", "pfc pfc-enable true", "srlinux-no-mapping"),
        ("pfc-queue pfc-3 forwarding-class [ fc3 ]", "pfc-queue pfc-3 pfc-pause-frame-priority 3", "srlinux-pfc-queue"),
        ("set / qos linecard 1 forwarding-complex 0 input pfc-buffer-reservation 10\n", "", "srlinux-reservation"),
        (" input classifiers dscp-policy roce", "", "srlinux-default-map"),
        ("set / system", "set / interface ethernet-1/1 subinterface 1 type routed\nset / system",
         "srlinux-default-map"),
        ("enable-pfc true", "enable-pfc false", "pfc-one-way"),
        ("deadlock enable true", "deadlock detection-timer 100", "watchdog-missing"),
        (" ip-mtu 9202", "", "rdma-mtu"),
        ("dscp-policy roce\n", "dscp-policy roces\n", "device-ref"),
        ("set / system", "set / interface ethernet-1/1 ethernet flow-control receive true\nset / system",
         "pfc-global-pause"),
    ):  # fmt: skip
        assert old in LINES
        assert rule not in found(LINES), rule
        assert rule in found(LINES.replace(old, new)), rule


def test_what_was_deleted_is_not_there() -> None:
    gone = "delete / qos interfaces interface ethernet-1/1 pfc\n"
    assert list(read(LINES + gone).ports[0].pfc) == []
    assert list(read(gone + LINES).ports[0].pfc) == [3]


def test_files_of_a_folder_are_found_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "leaf01.cli").write_text(LINES, encoding="utf-8")
    (tmp_path / "leaf02.info").write_text(BRACES, encoding="utf-8")
    out = rocecfg(tmp_path, "lint", "--format", "json", ".").stdout
    assert '"devices": 2,' in out
