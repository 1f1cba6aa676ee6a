"""Every statement of a configuration has exactly one fate, and the counts add up to the file."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import eos_sound
import nvue_sound
import pytest
import yaml
from junos_text import INTENTS, rendered, rules
from one_switch import loaded_as
from sampling import part
from sonic_clean import clean
from statements import FUTURE, OF_TOMORROW, count_statements

from rocecfg.model.fates import FATES, Fates
from rocecfg.report.fates import quote_statement
from rocecfg.source.document import Document, SourceError
from rocecfg.validation import arista
from rocecfg.validation.verdict import JudgeOptions

CORPORA = Path(__file__).parents[1] / "corpora"


def fates(vendor: str, text: str) -> Fates:
    found = loaded_as(vendor, "leaf01.txt", text)[0].fates
    assert found is not None
    return found


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Configurations of all systems."""
    for of in (eos_sound.LEAF, eos_sound.SPINE, eos_sound.MIXED, eos_sound.GUIDE, eos_sound.SORTED):
        yield "arista", of
    for of in (nvue_sound.LEAF, nvue_sound.SPINE, nvue_sound.STATED):
        yield "spectrum", of
    for name in list(INTENTS)[:3]:
        for form in ("curly", "set"):
            yield "junos", re.sub(r"(?m)^#.*\n", "", rendered(INTENTS[name], folder, form))
    yield "sonic", json.dumps(clean())
    for text in (CORPORA / "exports.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        head, _, _, body = text.split("\n", maxsplit=3)
        yield head.partition(" ")[0], body


def test_the_counts_add_up_to_the_file(tmp_path: Path) -> None:
    for vendor, text in texts(tmp_path):
        found = fates(vendor, text)
        assert sum(found.counts) == found.total == count_statements(vendor, text), (vendor, text[:200])
        of = dict(zip(FATES, found.counts, strict=True))
        assert sum(group.number for group in found.unjudged) == of["as text"] + of["second way"] + of["unknown"]


@pytest.mark.conformance
def test_the_counts_add_up_to_every_sample_and_few_are_unknown(shared: Path) -> None:
    total = unknown = 0
    for path in sorted(shared.glob("samples/*/*")):
        vendor = {"eos": "arista", "nvue": "spectrum"}.get(path.parent.name, path.parent.name)
        if vendor not in FUTURE or path.suffix not in (".json", ".yaml", ".nv", ".cfg", ".conf"):
            continue
        text = path.read_text(encoding="utf-8")
        found = fates(vendor, text)
        assert found.total == count_statements(vendor, text), path
        total += found.total
        unknown += found.counts[-1]
    assert total > 10_000
    assert unknown < total / 1000


def prune(chosen: random.Random, tree: Any) -> Any:
    """A tree with parts left out, and values of other kinds in it."""
    if isinstance(tree, dict):
        return {key: prune(chosen, below) for key, below in tree.items() if chosen.random() > 0.2}
    odd = ("x", 7, None, True, [], {}, {"a": 1}, [1, 2])
    return chosen.choice(odd) if chosen.random() < 0.05 else tree


def test_the_counts_add_up_to_a_tree_that_is_pruned(tmp_path: Path) -> None:
    chosen = random.Random("trees")  # noqa: S311 - the same cases each time
    tried = 0
    for vendor, text in texts(tmp_path):
        if vendor not in ("sonic", "spectrum") or text.startswith("nv "):
            continue
        tree = json.loads(text) if vendor == "sonic" else list(yaml.safe_load_all(text))[-1]
        for _ in range(2):
            pruned = prune(chosen, tree) if vendor == "sonic" else [prune(chosen, one) for one in tree]
            mixed = json.dumps(pruned, indent=1) if vendor == "sonic" else yaml.safe_dump(pruned)
            try:
                found = fates(vendor, mixed)
            except (SourceError, AssertionError):  # what is no configuration of it is refused
                continue
            tried += 1
            assert found.total == sum(found.counts) == count_statements(vendor, mixed), mixed
    assert tried > 4


def test_the_counts_add_up_to_a_file_that_is_cut_and_shuffled(tmp_path: Path) -> None:
    chosen = random.Random("fates")  # noqa: S311 - the same cases each time
    tried = 0
    for vendor, text in texts(tmp_path):
        lines = text.splitlines()
        if vendor == "sonic" or (vendor == "junos" and not text.startswith("set ")):
            continue
        if vendor == "spectrum" and not lines[0].startswith("nv "):
            continue
        for _ in range(2):
            mixed = [line for line in chosen.sample(lines, len(lines) // 2) if line.strip()]
            try:
                found = fates(vendor, "\n".join(mixed))
            except SourceError:
                continue
            tried += 1
            assert found.total == count_statements(vendor, "\n".join(mixed)), (vendor, mixed)
    assert tried > 8


def of_tomorrow(vendor: str, statement: str, sound: str) -> str:
    """A sound configuration with a statement more."""
    if vendor == "sonic":
        table, key, field = statement.split()
        config = clean()
        config.setdefault(table, {}).setdefault(key, {})[field] = "3"
        return json.dumps(config, indent=1)
    if vendor == "spectrum":
        tree: Any = {}
        for word in reversed(statement.split()):
            tree = {word: tree}
        return sound + yaml.safe_dump([{"set": tree}])
    if vendor == "arista":
        lines = statement.split("; ")
        return sound + "".join(f"{' ' * 3 * depth}{line}\n" for depth, line in enumerate(lines))
    return f"{sound}set {statement}\n"


def test_a_statement_of_tomorrow_is_named(tmp_path: Path) -> None:
    sound = {"arista": eos_sound.LEAF, "spectrum": nvue_sound.LEAF, "sonic": ""}
    sound["junos"] = rendered(next(iter(INTENTS.values())), tmp_path, "set")
    silent = []
    for vendor, statement in part(OF_TOMORROW, "rocecfg/vendors"):
        loaded, sources = loaded_as(vendor, "leaf01.txt", of_tomorrow(vendor, statement, sound[vendor]))
        assert loaded.fates is not None
        told = [*(quote_statement(group, sources) for group in loaded.fates.unjudged)]
        told += [problem.message for problem in loaded.problems]
        silent += [] if any("tomorrow" in each.lower() for each in told) else [(vendor, statement)]
    assert not silent


SLIPS = (  # near misses of the above: lines that no EOS takes, and that are not newer
    "qos map dscp 26 to trafic-class 3",
    "interface Ethernet1/1; priority-flow-control priorty 3 no-drop",
    "interface Ethernet1/1; tx-queue 3; bandwith percent 30",
    "interface Ethernet1/1; priority-flow-control priority 9 no-drop",
    "interface Ethernet1/1; tx-queue 3; random-detect ecn minimum-threshold 10 maximum-threshold 20",
)


def test_validate_refuses_no_line_of_a_later_eos() -> None:
    """What the grammar may not know yet is named as not judged; a slip is refused, and so is the line with `strict`."""
    base = arista.judge(Document(0, "leaf01.cfg", eos_sound.LEAF), JudgeOptions())
    for statement in (words for vendor, words in OF_TOMORROW if vendor == "arista"):
        document = Document(0, "leaf01.cfg", of_tomorrow("arista", statement, eos_sound.LEAF))
        verdict = arista.judge(document, JudgeOptions())
        assert verdict.faults == (), statement
        new = [each for each in verdict.unjudged if each not in base.unjudged]
        assert new, statement
        assert "tomorrow" in new[0] or "about something else" in new[0], statement
        assert arista.judge(document, JudgeOptions(strict=True)).faults, statement
    for slip in SLIPS:
        document = Document(0, "leaf01.cfg", of_tomorrow("arista", slip, eos_sound.LEAF))
        assert arista.judge(document, JudgeOptions()).faults, slip


@pytest.mark.parametrize(
    ("action", "bound", "fate"),
    [
        ("of-tomorrow 3", True, "second way"),
        ("set of-tomorrow 3", True, "second way"),
        ("of-tomorrow 3", False, None),  # no port has the list
        ("permit", True, None),
        ("set cos 3", True, None),
    ],
)
def test_an_action_that_is_not_known_may_change_rdma(action: str, bound: bool, fate: str | None) -> None:
    lines = ["acl A type ipv4", "acl A rule 10 match ip udp dest-port 4791", f"acl A rule 10 action {action}"]
    lines += ["interface swp1 acl A inbound"] if bound else []
    text = "".join(f"nv set {line}\n" for line in (*lines, "qos roce mode lossless", "interface swp1 type swp"))
    found = fates("spectrum", text)
    assert [group.fate for group in found.unjudged] == ([fate] if fate is not None else [])
    assert found.total == len(text.splitlines())


def test_a_script_that_writes_a_file_of_the_system_is_a_second_way() -> None:
    sound = "nv set qos roce mode lossless\nnv set interface swp1 type swp\n"
    features = "/etc/cumulus/datapath/qos/qos_features.conf"
    for line, way in (
        (f"echo pfc.a.cos_list=[4] > {features}", True),
        (f"printf pfc.a.cos_list=[4] | sudo tee -a {features}", True),
        ("echo done > /tmp/log", False),
        (f"cat {features}", False),
    ):
        loaded, _ = loaded_as("spectrum", "leaf01.nv", f"{sound}{line}\n")
        told = [each.message for each in loaded.problems if each.rule == "device-second-way"]
        assert len(told) == way, (line, told)
        assert loaded.fates is not None
        assert [one.fate for one in loaded.fates.unjudged] == ["second way"] * way, line


FILTERS = {  # by system: a list on a port, with an action that no release has; and words that it has instead
    ("arista", "of-tomorrow 3", "count RDMA"): """traffic-policies
   traffic-policy TP
      match ROCE ipv4
         protocol udp destination port 4791
         actions
            {}
interface Ethernet1/1
   traffic-policy input TP
""",
    ("arista ", "of-tomorrow", "permit"): """ip access-list AL
   10 {} udp any any eq 4791
   20 permit ip any any
interface Ethernet1/1
   ip access-group AL in
""",
    ("junos", "of-tomorrow", "count c"): """set firewall family inet filter F term t then {}
set interfaces et-0/0/2 unit 0 family inet filter input F
""",
    ("junos ", "then of-tomorrow 3", "then accept"): """set firewall family ethernet-switching filter F term t {}
set interfaces et-0/0/2 unit 0 family ethernet-switching filter input F
""",
}


def test_an_action_of_tomorrow_in_a_filter_is_a_second_way(tmp_path: Path) -> None:
    """Of any system where RoCE crosses it; and of the same filter with an action that is known, none."""
    sound = {"arista": eos_sound.LEAF}
    sound["junos"] = rendered(next(iter(INTENTS.values())), tmp_path, "set")
    for (system, odd, known), text in FILTERS.items():
        vendor = system.strip()
        for words, told in ((odd, True), (known, False)):
            loaded, _ = loaded_as(vendor, "leaf01.txt", sound[vendor] + text.format(words))
            messages = [each.message for each in loaded.problems if each.rule == "device-second-way"]
            assert [("omorrow" in each) for each in messages] == [True] * told, (vendor, words, messages)
            assert loaded.fates is not None
            assert any(one.fate == "second way" for one in loaded.fates.unjudged) == told, (vendor, words)
    config = clean()
    config["ACL_TABLE"] = {"A": {"type": "L3", "ports": ["Ethernet0"], "stage": "ingress"}}
    for action, told in (("OF_TOMORROW", True), ("FORWARD", False)):
        config["ACL_RULE"] = {"A|R": {"PRIORITY": "9", "L4_DST_PORT": "4791", "PACKET_ACTION": action}}
        found = fates("sonic", json.dumps(config, indent=1))
        assert any(one.fate == "second way" for one in found.unjudged) == told, action


EOS_FATES = {  # of lines that a list of what cannot touch RoCE might take in, and of their neighbours that it may
    "interface Ethernet1/1; l2 mtu 1500": "second way",
    "interface Ethernet1/1; no l2 mtu": "foreign",
    "interface Ethernet1/1; l2-protocol encapsulation dot1q vlan 3": "foreign",
    "interface Ethernet1/1; service-policy type pbr input P": "second way",
    "interface Ethernet1/1; ip verify unicast source reachable-via rx": "second way",
    "interface Ethernet1/1; unidirectional send-only": "second way",
    "interface Ethernet1/1; link-debounce up 3": "foreign",
    "interface Ethernet1/1; dcbx application ether 35078 priority 3": "as text",
    "interface Ethernet1/1; traffic-loopback source system device mac": "foreign",
    "interface Ethernet1/1; ip address 192.0.2.1/31": "foreign",
    "interface Ethernet1/1; storm-control broadcast level 1": "foreign",
    "platform headroom-pool 3": "unknown",
    "platform trident of-tomorrow 3": "unknown",
    "platform sand of-tomorrow 3": "unknown",
    "platform trident diag modreg X 1": "second way",
    "agent StrataMmu shutdown": "second way",
    "platform trident headroom-pool limit 3": "unknown",
    "platform trident forwarding-table partition 2": "foreign",
    "hardware buffer of-tomorrow": "unknown",
    "hardware counter feature ip in": "foreign",
    "queue-monitor length": "foreign",
    "router bgp 65001": "foreign",
    "daemon Agent": "second way",
}


JUNOS_FATES = {  # of what no setting hangs on: buffers and marks are of RoCE
    "class-of-service schedulers S buffer-size percent 20": "as text",
    "class-of-service dedicated-buffer ingress percent 20": "as text",
    "class-of-service rewrite-rules ieee-802.1 R forwarding-class F loss-priority low code-point 011": "as text",
    "class-of-service traceoptions flag all": "foreign",
    "class-of-service apply-macro owner team AI": "foreign",
    "class-of-service schedulers S apply-macro owner team AI": "foreign",
    "class-of-service host-outbound-traffic forwarding-class RDMA": "as text",
    "interfaces et-0/0/2 unit 0 family inet policer input P": "second way",
    "interfaces et-0/0/2 unit 0 family inet6 rpf-check": "second way",
    "interfaces irb unit 10 family inet rpf-check": "second way",
    "interfaces lo0 unit 0 family inet rpf-check": "foreign",
    "interfaces irb unit 10 family inet mtu 1500": "as text",
    "interfaces irb unit 10 family inet address 192.0.2.1/24": "foreign",
    "interfaces lo0 unit 0 family inet mtu 1500": "foreign",
}


def test_buffers_and_marks_of_junos_are_not_foreign(tmp_path: Path) -> None:
    sound = rendered(next(iter(INTENTS.values())), tmp_path, "set")
    base = fates("junos", sound)
    wrong = []
    for statement, fate in JUNOS_FATES.items():
        found = fates("junos", f"{sound}set {statement}\n")
        more = [name for name, n, before in zip(FATES, found.counts, base.counts, strict=True) if n > before]
        wrong += [] if more == [fate] else [(statement, more)]
    assert wrong == []


def test_a_queue_of_the_switch_itself_hides_no_finding_on_schedulers(tmp_path: Path) -> None:
    """Of what is in force of the schedulers of ports it changes nothing; nor does a note."""
    sound = re.sub("(?m)^.* shaping-rate .*\n", "", rendered(next(iter(INTENTS.values())), tmp_path, "set"))
    before = rules(sound)
    assert "junos-strict-unbounded" in before
    for more in ("host-outbound-traffic forwarding-class RDMA", "apply-macro owner team AI"):
        assert rules(f"{sound}set class-of-service {more}\n") == before, more


def test_the_mtu_of_a_routed_vlan_is_as_text() -> None:
    text = f"{eos_sound.LEAF}interface Vlan10\n   mtu 1500\n   ip address 192.0.2.1/24\n"
    assert [(one.fate, one.number) for one in fates("arista", text).unjudged] == [("as text", 1)]


def test_what_cannot_touch_roce_on_eos() -> None:
    base = fates("arista", eos_sound.LEAF)
    wrong = []
    for statement, fate in EOS_FATES.items():
        found = fates("arista", of_tomorrow("arista", statement, eos_sound.LEAF))
        more = [name for name, n, before in zip(FATES, found.counts, base.counts, strict=True) if n > before]
        wrong += [] if more == (["judged"] * statement.startswith("interface")) + [fate] else [(statement, more)]
    assert wrong == []
