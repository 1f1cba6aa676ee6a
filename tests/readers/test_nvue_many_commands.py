"""Scripts of many `nv` commands: what they amount to does not depend on how the steps between are kept."""

from __future__ import annotations

import random
from typing import Any

import pytest
from loops import loop
from sampling import part

from rocecfg.model import Span
from rocecfg.source.document import Sources
from rocecfg.source.yaml import Scalar
from rocecfg.vendors.running import read_drafts
from rocecfg.vendors.spectrum.reading.commands import IdleWords, parse_commands
from rocecfg.vendors.spectrum.reading.nodes import GrowingTree, Node
from rocecfg.vendors.spectrum.reading.objects import ReadContext
from rocecfg.vendors.spectrum.reading.operations import read_configuration
from rocecfg.vendors.spectrum.reading.schema import ROOT
from rocecfg.vendors.spectrum.reading.spelling import Spelling

SETTINGS = (
    "interface {ports} ip address 10.0.0.{n}/31",
    "interface {ports} ip vrf blue",
    "interface {ports} link state up",
    "interface {ports} link mtu 92{n}",
    "interface {ports} link breakout 4x",
    "interface {ports} link lanes {n}",
    "interface {ports} bridge domain br_default vlan {n}",
    "interface {ports} qos pfc profile p{n}",
    "interface {ports} description 'to-{n}'",
    "interface {ports}",
    "vrf default router bgp neighbor 10.0.0.{n} remote-as {n}",
    "vrf default router bgp neighbor ~",
    "vrf default router bgp neighbor fe80::{n} remote-as {n}",
    "vrf default router bgp neighbor swp{n} remote-as external",
    "vrf default router bgp neighbor 10.0.0.{n}",
    "router policy prefix-list own rule {n} match any",
    "qos roce",
    "qos roce enable on",
    "qos pfc p{n} switch-priority {n}",
    "qos pfc p{n} switch-priority 8",
    "qos mapping default-global dscp {n} switch-priority 3",
    "qos mapping default-global dscp 0-{n}",
    "system hostname leaf{n}",
)
PORTS = ("swp1", "swp2", "swp1-2", "swp1-4", "swp3-4", "swp4,swp6", "bond1")


def script(chance: random.Random) -> str:
    """Commands of few kinds on few ports, so that they meet, repeat and undo each other."""
    lines = []
    for _ in range(chance.randrange(2, 40)):
        if chance.random() < 0.05:
            lines.append("nv config apply")
            continue
        verb = "unset" if chance.random() < 0.2 else "set"
        reported = chance.choice(SETTINGS).format(ports=chance.choice(PORTS), n=chance.randrange(4))
        if chance.random() < (0.5 if verb == "unset" else 0.15):
            words = reported.split()
            reported = " ".join(words[: chance.randrange(1, len(words) + 1)])
        lines.append(f"nv {verb} {reported}")
    return "\n".join(lines) + "\n"


def laid(old: Node | None, new: Node, known: dict[Any, Node]) -> Node:
    """`new` upon `old`, each level copied; the same two are laid upon each other once a command."""
    if old is None or old is new or new.value is not None or old.value is not None:
        return new
    key = id(old), id(new)
    if key not in known:
        below = dict(old.below)
        below.update({name: laid(below.get(name), node, known) for name, node in new.below.items()})
        known[key] = Node(old.at, None, below)
    return known[key]


def less(old: Node, gone: Node) -> Node:
    """`old` without the branches of `gone`."""
    below = dict(old.below)
    for name, node in gone.below.items():
        if name in below and node.below and below[name].value is None:
            below[name] = less(below[name], node)
        else:
            below.pop(name, None)
    return old._replace(below=below)


def one_by_one(text: str) -> Node:
    """What a script amounts to: every command read, every step a tree of its own."""
    document = Sources().add("leaf.nv", text)
    tree, kept = Node(Span(document.number, 0, 0)), []
    for command in parse_commands(document, frozenset(ROOT.entries), IdleWords()):
        if command.tree is None:
            continue
        gone = command.verb == "unset"
        read = ReadContext(document.number, [], Spelling(None), commands=True, unset=gone)
        found = ROOT.read("", Scalar(0, 0, "", plain=True), command.tree, read)
        if found is None:
            continue
        kept += [tree, found]  # so that no id is given twice
        tree = less(tree, found) if gone else laid(tree, found, {})
    return tree


def plain(node: Node) -> Any:
    """All of a node, comparable: places, values, order."""
    return node.at, node.value, [(name, plain(below)) for name, below in node.below.items()]


def alike(tree: Node) -> list[list[str]]:
    """The ports that share one node: they are reported together."""
    groups: dict[int, list[str]] = {}
    for name, node in tree.items("interface"):
        groups.setdefault(id(node), []).append(name)
    return list(groups.values())


@loop("seed", part(range(400), "rocecfg/vendors/spectrum"))
def test_commands_amount_to_the_same_as_one_by_one(seed: int) -> None:
    text = script(random.Random(seed))  # noqa: S311 - no secret
    document = Sources().add("leaf.nv", text)
    tree = read_configuration(document, None).tree
    expected = one_by_one(text)
    assert plain(tree) == plain(expected), text
    assert alike(tree) == alike(expected), text


def test_a_command_more_copies_nothing_of_what_was_set() -> None:
    grown = GrowingTree(Span(0, 0, 0))

    def put(*path: str) -> None:
        node = Node(Span(0, 0, 0))
        for name in reversed(path):
            node = Node(Span(0, 0, 0), None, {name: node})
        grown.put(node)

    def neighbors() -> Any:
        found = grown.tree().get("vrf", "default", "router", "bgp", "neighbor")
        assert found is not None
        return found.below

    put("vrf", "default", "router", "bgp", "neighbor", "10.0.0.1")
    put("vrf", "default", "router", "bgp", "neighbor", "10.0.0.2")
    before = neighbors()
    put("vrf", "default", "router", "bgp", "neighbor", "10.0.0.3")
    assert neighbors() is before
    assert list(before) == ["10.0.0.1", "10.0.0.2", "10.0.0.3"]


def test_what_two_ports_share_does_not_change_with_one_of_them() -> None:
    text = "nv set interface swp1-2 link mtu 9216\nnv set interface swp1-2 qos pfc profile p\n"
    text += "nv set interface swp1 link mtu 1500\nnv unset interface swp2 qos\n"
    tree = read_configuration(Sources().add("leaf.nv", text), None).tree
    mtus = [found.value for name in ("swp1", "swp2") if (found := tree.val("interface", name, "link", "mtu"))]
    assert mtus == [1500, 9216]
    assert tree.get("interface", "swp1", "qos") is not None
    assert tree.get("interface", "swp2", "qos") is None


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("", 1),  # said again: the breakout and QoS on its parts are one step all the same
        ("nv config apply\n", 0),
    ],
)
def test_a_breakout_counts_in_the_step_that_says_it(between: str, expected: int) -> None:
    breakout = "nv set interface swp1 link breakout 4x\n"
    text = f"{breakout}{between}nv set interface swp1s0 qos pfc profile default-global\n"
    switches = read_drafts(Sources().add("leaf.nv", text), "spectrum")
    assert [p.rule for p in switches[0].problems].count("nvue-breakout-apply") == expected
    again = f"{breakout}nv config apply\n{breakout}nv set interface swp1s0 qos pfc profile default-global\n"
    switches = read_drafts(Sources().add("leaf.nv", again), "spectrum")
    assert [p.rule for p in switches[0].problems].count("nvue-breakout-apply") == 1
