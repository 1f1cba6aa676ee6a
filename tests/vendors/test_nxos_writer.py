"""NX-OS: what is written for an intent, what reading it back gives, and the change between two of them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from intents import POLICY, fabric, rules

from rocecfg.linting import devices
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import Change
from rocecfg.vendors.nxos.change import plan_change
from rocecfg.vendors.nxos.change.tree import Tree
from rocecfg.vendors.nxos.fixes import FIXES
from rocecfg.vendors.nxos.reader import read

BOXES = {
    "cisco-93180yc-fx3": ("Ethernet1/[1-48]", "25G"),
    "cisco-9332d-gx2b": ("Ethernet1/[1-32]", "400G"),
    "cisco-9336c-fx2": ("Ethernet1/[1-36]", "100G"),
    "cisco-9364c": ("Ethernet1/[1-64]", "100G"),
    "cisco-9364d-gx2a": ("Ethernet1/[1-64]", "400G"),
    "cisco-9364e-sg2": ("Ethernet1/[1-64]", "800G"),
}
NXOS = POLICY.partition("  watchdog: ")[0] + "  watchdog: vendor-default\n"


def text_of(folder: Path, policy: str = NXOS, box: str = "cisco-9332d-gx2b", more: str = "", port: str = "") -> str:
    names, speed = BOXES[box]
    policy += f"defaults: {{vendor: nxos, platform: {box}, version: '10.5(3)', mtu: 9000}}\n"
    policy += f'devices: {{leaf01: {{{more}ports: {{"{names}": {{speed: {speed}{port}}}}}}}}}\n'
    (file,) = render_files(fabric(folder, policy), "nxos")
    return file.text


@pytest.mark.conformance
def test_all_boxes_are_written_as_the_validator_has_it_and_read_back_clean(tmp_path: Path, shared: Path) -> None:
    """And variants: 802.1p, DCBX, a port-channel, a lossy fabric, a shaper, two curves by speed."""
    variants = {
        "tags": text_of(tmp_path, port=", trust: pcp"),
        "dcbx": text_of(tmp_path, more="dcbx: on, "),
        "lag": text_of(tmp_path, port=", lag: port-channel7"),
        "rx": text_of(tmp_path, port=", flowcontrol: rx"),
        "lossy": text_of(tmp_path, NXOS.replace("lossless: true", "lossless: false")),
        "rate": text_of(
            tmp_path,
            NXOS.replace("56, priority: 7, bandwidth: strict", "56, priority: 7, bandwidth: strict, max_rate: 5G"),
        ),
    }
    files = []
    for name, text in {**{box: text_of(tmp_path, box=box) for box in BOXES}, **variants}.items():
        path = tmp_path / f"{name}.cfg"
        path.write_text(f"hostname leaf01\n{text}", encoding="utf-8")
        files.append(str(path))
    tool = str(shared / "tools" / "validate-nxos")
    done = subprocess.run([sys.executable, tool, "--strict", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    for box in BOXES:
        sources = Sources()
        loaded = devices.load(str(tmp_path), [str(tmp_path / f"{box}.cfg")], sources, None, given=True)
        assert loaded is not None
        assert [f.rule.name for f in judge(loaded)[0] if f.severity != "info"] == []


def test_reading_back_gives_what_was_meant(tmp_path: Path) -> None:
    (switch,) = read(Document(0, "leaf01.cfg", f"hostname leaf01\n{text_of(tmp_path)}"))
    assert [(code, val.value) for code, val in enumerate(switch.chain.dscp) if val.value] == [(26, 3), (48, 6), (56, 7)]
    (port,) = switch.ports
    assert (set(port.pfc), port.section["mtu"].value, port.section["trust"].value) == ({3}, 9000, "dscp")
    assert port.section["pfc"].value["watchdog"].value == "vendor-default"
    assert [number for number, sent in port.queues.items() if sent["bandwidth"].value == "strict"] == [6, 7]
    assert (port.queues[3]["bandwidth"].value, port.queues[0]["bandwidth"].value) == (60, 40)
    assert {key: val.value for key, val in port.queues[3]["ecn"].value.items()} == {
        "kmin": 400_000,
        "kmax": 1_600_000,
        "pmax": 5,
        "weight": 0,
    }


def test_what_is_bound_is_defined_above(tmp_path: Path) -> None:
    text = text_of(tmp_path)
    lines = [line.split() for line in text.splitlines()]
    defined = set()
    for words in lines:
        if words[:1] in (["class-map"], ["policy-map"]):
            defined.add(words[-1])
        elif words[:1] == ["service-policy"]:
            assert words[-1] in defined
    assert text.index("system qos") < text.index("interface ")


def test_what_nxos_cannot_say_is_refused(tmp_path: Path) -> None:
    refused = {
        "strict queues have to be the highest": NXOS.replace(
            "priority: 7, bandwidth: strict", "priority: 7, bandwidth: 10"
        ).replace("40}", "30}"),
        "queue of a lossless class": NXOS.replace("priority: 3,", "priority: 3, tc: 4,"),
        "qos-group 0": NXOS.replace("priority: 3,", "priority: 0,").replace(
            "dscp: rest, priority: 0", "dscp: rest, priority: 1"
        ),
        "percent": NXOS.replace("kmin: 400KB, kmax: 1600KB", "kmin: 20%, kmax: 60%"),
        "guaranteed": NXOS.replace("bandwidth: 40}", "bandwidth: 40, guaranteed: 10%}"),
        "action": NXOS.replace("vendor-default", "{detection_time: 200ms, action: forward}"),
    }
    for word, policy in refused.items():
        with pytest.raises(CannotRender, match=word):
            text_of(tmp_path, policy)
    with pytest.raises(CannotRender, match="system jumbomtu"):
        text_of(tmp_path, port=", layer: 2")
    text_of(tmp_path, port=", layer: 2, mtu: 9216")
    text_of(tmp_path, port=", layer: 3")
    with pytest.raises(CannotRender, match="mode auto"):
        text_of(tmp_path, more="dcbx: auto, ")


def test_a_cable_longer_than_headroom_of_its_own_reaches_is_told(tmp_path: Path) -> None:
    for metres, told in ((100, False), (101, True)):
        text_of(tmp_path, port=f", cable: {metres}m")
        assert ("buffer-long-link" in rules(tmp_path, (tmp_path / "fabric.yaml").read_text())) == told


def lines_of(change: Change) -> list[str]:
    return [line.strip() for step in change.steps for line in step.lines]


def test_a_change_types_only_what_differs_and_leads_there(tmp_path: Path) -> None:
    from rocecfg.model.catalogue import What

    meant = text_of(tmp_path)
    device = fabric(tmp_path, (tmp_path / "fabric.yaml").read_text()).devices[0]
    running = f"hostname leaf01\n{meant}".replace("match dscp 26", "match dscp 27").replace("ROCE-", "SITE-")
    running = running.replace("maximum-threshold 1600000", "maximum-threshold 900000").replace("mode on", "mode off", 1)
    document = Document(0, "leaf01.cfg", running)
    wanted = {
        None: frozenset({What("dscp", 26), What("dscp", 27)}),
        "Ethernet1/1": frozenset({What("pfc"), What("ecn", 3, "kmax")}),
    }
    change = plan_change(meant, document, wanted, device)
    assert lines_of(change) == [
        "class-map type qos match-any SITE-RDMA",
        "match dscp 26",
        "policy-map type queuing SITE-OUT",
        "class type queuing c-out-8q-q3",
        "random-detect minimum-threshold 400000 bytes maximum-threshold 1600000 bytes drop-probability 5 weight 0 ecn",
        "class-map type qos match-any SITE-RDMA",
        "no match dscp 27",
        "interface Ethernet1/1",
        "priority-flow-control mode on",
    ]
    assert change.steps[-1].save == "copy running-config startup-config"
    (after,), (goal,) = (read(Document(0, "x", text)) for text in (change.after, f"hostname leaf01\n{meant}"))
    assert [val.value for val in after.chain.dscp] == [val.value for val in goal.chain.dscp]
    assert {name: set(port.pfc) for port in after.ports for name in port.names} == {
        name: set(port.pfc) for port in goal.ports for name in port.names
    }
    assert plan_change(meant, Document(0, "x", change.after), {}, device).steps == ()


def test_what_is_undone_is_the_whole_line_behind_no(tmp_path: Path) -> None:
    """Cisco's reference has no shorter form of a share, an MTU or a shaper."""
    from rocecfg.model.catalogue import What

    meant = text_of(tmp_path)
    device = fabric(tmp_path, (tmp_path / "fabric.yaml").read_text()).devices[0]
    shaped = "    shape min 0 mbps max 9000 mbps\n"
    running = f"hostname leaf01\n{meant}".replace(
        "    priority level 1\n", f"    bandwidth remaining percent 9\n{shaped}", 1
    )
    wanted = {"Ethernet1/1": frozenset({What("shares"), What("max_rate", 7)})}
    typed = lines_of(plan_change(meant, Document(0, "leaf01.cfg", running), wanted, device))
    assert [line for line in typed if line.startswith("no ")] == [
        "no bandwidth remaining percent 9",
        "no shape min 0 mbps max 9000 mbps",
    ]


def test_a_switch_that_says_nothing_gets_all_of_it(tmp_path: Path) -> None:
    from rocecfg.model.catalogue import What

    meant = text_of(tmp_path)
    device = fabric(tmp_path, (tmp_path / "fabric.yaml").read_text()).devices[0]
    ports = list(Tree(Document(0, "m", meant)).config.ports)
    bare = "hostname leaf01\n" + "".join(f"interface {port}\n  no switchport\n" for port in ports)
    each = frozenset(What(topic) for topic in ("pfc", "trust", "watchdog", "shares", "mtu")) | {What("ecn", 3)}
    wanted = {None: frozenset(What("dscp", code) for code in range(64)), **dict.fromkeys(ports, each)}
    change = plan_change(meant, Document(0, "leaf01.cfg", bare), wanted, device)
    (after,), (goal,) = (read(Document(0, "x", text)) for text in (change.after, f"hostname leaf01\n{meant}"))
    assert after.problems == ()
    assert [val.value for val in after.chain.dscp] == [val.value for val in goal.chain.dscp]
    assert {name: set(port.pfc) for port in after.ports for name in port.names} == {port: {3} for port in ports}
    assert after.ports[0].queues == goal.ports[0].queues or {
        n: {k: v.value for k, v in q.items() if k != "ecn"} for n, q in after.ports[0].queues.items()
    } == {n: {k: v.value for k, v in q.items() if k != "ecn"} for n, q in goal.ports[0].queues.items()}
    lines = lines_of(change)
    assert lines.index("policy-map type network-qos ROCE-NQ") < lines.index("service-policy type network-qos ROCE-NQ")
    assert lines.index("service-policy type network-qos ROCE-NQ") < lines.index("priority-flow-control mode on")


EDITS = (  # of a switch that has what is rendered: what stands there instead
    ("match dscp 26", "match dscp 27"),
    ("    set qos-group 3\n", ""),
    ("    pause pfc-cos 3\n", ""),
    ("    mtu 9216\n    pause", "    pause"),
    ("    pause pfc-cos 3\n", "    pause pfc-cos 3 receive\n"),
    ("interval on\n!\ninterface Ethernet1/2\n", "interval on disable-action\n!\ninterface Ethernet1/2\n"),
    ("    priority level 1\n", "    bandwidth remaining percent 9\n"),
    ("maximum-threshold 1600000", "maximum-threshold 900000"),
    (" weight 0 ecn", " weight 0"),
    ("  service-policy type network-qos ROCE-NQ\n", ""),
    ("priority-flow-control watch", "priority-flow-control override-interface mode off\npriority-flow-control watch"),
    ("match dscp 26", "match dscp 26-27"),
    ("match dscp 26", "match dscp 26,30\n  match dscp 27-28\n  no match dscp 28,30"),
    ("watch-dog-interval on\n!\n", "watch-dog-interval off\n!\n"),
    ("  priority-flow-control mode on\n", ""),
    ("  service-policy type qos input ROCE-IN\n", ""),
    ("  mtu 9000\n", "  mtu 1500\n"),
    ("  priority-flow-control mode on\n", "  flowcontrol receive on\n  priority-flow-control mode on\n"),
)


def test_every_edit_shows_and_its_change_takes_it_back(tmp_path: Path) -> None:
    from rocecfg.drift.changes import fix_devices
    from rocecfg.drift.run import find_drift
    from rocecfg.intent import load

    whole = f"!Command: show running-config\nversion 10.5(3)\nhostname leaf01\n{text_of(tmp_path)}"
    for old, new in EDITS:
        assert old in whole, old
        (tmp_path / "leaf01.cfg").write_text(whole.replace(old, new, 1), encoding="utf-8")
        sources = Sources()
        found = find_drift([load(str(tmp_path / "fabric.yaml"), sources)], [str(tmp_path / "leaf01.cfg")], sources)
        assert found.differences, old
        (fixed,) = fix_devices(found).values()
        assert (fixed.left, fixed.change.beyond) == ({}, ()), old


@pytest.mark.conformance
def test_what_fixes_say_to_type_is_taken(tmp_path: Path, shared: Path) -> None:
    """Each command below what its fix says: the validator tries the modes that there are."""
    heads = {
        "no priority-flow-control watch-dog-interval": "interface Ethernet1/1",
        "service-policy type network-qos": "system qos",
        "match": "class-map type qos match-any C",
        "no match": "class-map type qos match-any C",
        "set": "policy-map type qos P\n  class class-default",
        "no set": "policy-map type qos P\n  class class-default",
        "pause": "policy-map type network-qos N\n  class type network-qos c-8q-nq3",
        "no pause": "policy-map type network-qos N\n  class type network-qos c-8q-nq3",
        **dict.fromkeys(
            ("bandwidth", "random-detect", "no random-detect", "shape", "no shape", "priority level", "no priority"),
            "policy-map type queuing Q\n  class type queuing c-out-8q-q7",
        ),
        **dict.fromkeys(
            ("priority-flow-control mode", "flowcontrol", "mtu", "speed", "switchport", "service-policy type qos"),
            "interface Ethernet1/1",
        ),
    }
    values = {"MIN": "150000", "MAX": "3000000", "P": "7", "NAME": "NAME", "N": "3"}
    first: list[str] = []  # of the switch, before any block
    lines = ["policy-map type network-qos NAME", "  class type network-qos c-8q-nq3", "    mtu 9216"]
    lines += ["policy-map type qos NAME", "  class class-default"]
    for command in {each for fix in FIXES.values() for each in re.findall(r"`([^`]+)`", fix)}:
        if command.startswith("show "):
            continue
        typed = re.sub(r"\b(MIN|MAX|P|NAME|N)\b", lambda word: values[word[0]], command)
        typed = typed.replace("mtu 3", "mtu 9216").replace("speed 3", "speed 100000")
        typed = re.sub(r"(size|threshold) 3\b", r"\1 50000", typed)
        head = next(
            (
                of
                for words, of in sorted(heads.items(), key=lambda p: -len(p[0]))
                if f"{typed} ".startswith(f"{words} ")
            ),
            "",
        )
        indent = "    " if "class " in head else "  "
        if head:
            lines += [*head.splitlines(), f"{indent}{typed}"]
        else:
            first.append(typed)
    (tmp_path / "typed.cfg").write_text("\n".join([*first, *lines, ""]), encoding="utf-8")
    tool = str(shared / "tools" / "validate-nxos")
    done = subprocess.run(
        [sys.executable, tool, "--fragment", str(tmp_path / "typed.cfg")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
