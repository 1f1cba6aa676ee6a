"""Reads what the NVUE writer prints, by means of its own, and checks that it makes sense as a whole.

A leaf is the words of one `nv set` command with one key a word: ("qos", "pfc", "default-global", "tx", "enable").
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import product
from typing import Any

import yaml
from ruamel.yaml import YAML

from rocecfg.model import Device, Fabric

Leaf = tuple[str, ...]
_SPAN = re.compile(r"(.*?)(\d+)-(\d+)")


def expand(word: str) -> list[str]:
    """`0-2,5`, `swp1-2,swp4s0-1`: every key a word stands for."""
    if not re.fullmatch(r"(swp)?\d[\d,\-swp]*", word):
        return [word]
    out = []
    for piece in word.split(","):
        span = _SPAN.fullmatch(piece)
        out += [f"{span[1]}{n}" for n in range(int(span[2]), int(span[3]) + 1)] if span else [piece]
    return out


def from_yaml(text: str) -> set[Leaf]:
    """The leaves of `- set:` as a YAML 1.2 reader has them; every key must be a string."""
    document = YAML(typ="safe", pure=True).load(text)
    assert isinstance(document, list)
    assert [list(operation) for operation in document] == [["set"]]
    return _leaves(document[0]["set"])


def from_yaml_1_1(text: str) -> set[Leaf]:
    """The same by a YAML 1.1 reader, which takes `on` for a boolean."""
    return _leaves(yaml.safe_load(text)[0]["set"], {True: "on", False: "off"})


def _leaves(tree: dict[Any, Any], booleans: dict[bool, str] | None = None) -> set[Leaf]:
    found: set[Leaf] = set()
    for key, value in tree.items():
        assert isinstance(key, str), f"key {key!r} is not a string"
        below: set[Leaf]
        if isinstance(value, dict):
            below = _leaves(value, booleans) if value else {()}
        else:
            assert isinstance(value, str | int), value
            below = {((booleans or {})[value] if isinstance(value, bool) else str(value),)}
        found |= {(name, *rest) for name in expand(key) for rest in below}
    return found


def from_commands(text: str) -> set[Leaf]:
    """The leaves of `nv set` lines."""
    found: set[Leaf] = set()
    for line in text.splitlines():
        verb, action, *words = line.split(" ")
        assert (verb, action) == ("nv", "set"), line
        found |= set(product(*map(expand, words)))
    return found


class Config:
    """A configuration by object, with what a port gets once its bound profiles replace the global ones."""

    def __init__(self, leaves: set[Leaf]) -> None:
        self.leaves = leaves
        self.tree: dict[str, Any] = {}
        for leaf in leaves:
            at = self.tree
            for word in leaf[:-1]:
                at = at.setdefault(word, {})
            at.setdefault(leaf[-1], {})
        self.qos = self.tree["qos"]
        self.bound: dict[str, dict[str, str]] = defaultdict(dict)
        self.watchdog: dict[str, str] = {}
        for port, below in self.tree.get("interface", {}).items():
            for name, stated in below["qos"].items():
                if name == "pfc-watchdog":
                    self.watchdog[port] = value(stated["state"])
                else:
                    self.bound[port][name] = value(stated["profile"])

    def on(self, port: str | None, name: str) -> Any:
        """The settings of an object in force on a port; None: on a port that nothing is bound to."""
        profile = self.bound.get(port or "", {}).get(name, "default-global")
        return self.qos[name][profile]


def value(stated: dict[str, Any]) -> str:
    """The one value below a key."""
    (only,) = stated
    return str(only)


def check_whole(leaves: set[Leaf], *, every_dscp: bool = True) -> Config:
    """Asserts what NVUE's pages ask of any configuration; gives it by object."""
    config = Config(leaves)
    qos = config.qos
    pools = {sp: name for name, pool in qos["traffic-pool"].items() for sp in pool["switch-priority"]}
    assert sum(len(pool["switch-priority"]) for pool in qos["traffic-pool"].values()) == 8, "an SP in two pools"
    assert set(pools) == set("01234567")
    assert sum(int(value(pool["memory-percent"])) for pool in qos["traffic-pool"].values()) <= 100
    lossless = {sp for sp, name in pools.items() if name == "roce-lossless"}
    queues = {
        sp: value(stated["traffic-class"])
        for sp, stated in qos["egress-queue-mapping"]["default-global"]["switch-priority"].items()
    }
    assert set(queues) == set("01234567")
    assert not {queues[sp] for sp in lossless} & {tc for sp, tc in queues.items() if sp not in lossless}
    turns = qos["egress-scheduler"]["default-global"]["traffic-class"]
    assert set(turns) == set("01234567")
    for turn in turns.values():
        assert ("bw-percent" in turn) == (value(turn["mode"]) == "dwrr")
    assert sum(int(value(t["bw-percent"])) for t in turns.values() if "bw-percent" in t) <= 100
    for profile in qos["congestion-control"].values():
        assert set(profile["traffic-class"]) == set("01234567")
        for marking in profile["traffic-class"].values():
            if value(marking["ecn"]) == "enable":
                assert value(marking["red"]) == "disable"
                assert 1 <= int(value(marking["min-threshold"])) <= int(value(marking["max-threshold"]))
                assert 1 <= int(value(marking["probability"])) <= 100
    for profile in qos["mapping"].values():
        assert value(profile["port-default-sp"]) not in lossless
        keys = {"l3": ("dscp", 64), "l2": ("pcp", 8)}.get(value(profile["trust"]))
        if keys and (every_dscp or keys[0] == "pcp"):
            assert set(profile[keys[0]]) == {str(n) for n in range(keys[1])}
    for profile in qos.get("pfc", {}).values():
        assert set(profile.get("switch-priority", ())) <= lossless
        assert "cable-length" in profile or value(profile["tx"]) == value(profile["rx"]) == "disable"
    defined = {
        (name, profile)
        for name in ("mapping", "pfc", "congestion-control", "egress-shaper")
        for profile in qos.get(name, ())
    }
    used = {(name, profile) for port in config.bound.values() for name, profile in port.items()}
    assert used == {(name, profile) for name, profile in defined if profile != "default-global"}
    for port, state in config.watchdog.items():
        assert port.startswith("swp")
        assert "switch-priority" in config.on(port, "pfc"), f"watchdog {state} on {port}, which has no PFC"
    return config


def check_asked(config: Config, fabric: Fabric, device: Device) -> None:
    """Asserts that every packet and every port is treated as the model says."""
    queue_of = {
        sp: value(stated["traffic-class"])
        for sp, stated in config.qos["egress-queue-mapping"]["default-global"]["switch-priority"].items()
    }
    for c in device.classes:
        assert queue_of[str(c.priority)] == str(c.queue)
        assert (
            str(c.priority)
            in config.qos["traffic-pool"].get("roce-lossless", {"switch-priority": ()})["switch-priority"]
        ) == (c.lossless and any(c.priority in group.pfc for group in device.ports))
        turn = config.qos["egress-scheduler"]["default-global"]["traffic-class"][str(c.queue)]
        assert value(turn["mode"]) == ("strict" if c.strict else "dwrr")
        if c.bandwidth is not None and not c.strict:
            assert float(value(turn["bw-percent"])) == c.bandwidth
    for group in device.ports:
        for port in group.names or (None,):
            at = group.lag or port
            mapping = config.on(at, "mapping")
            assert value(mapping["trust"]) == {"dscp": "l3", "pcp": "l2", "none": "port"}[group.trust]
            for c in device.classes:
                if group.trust == "dscp" and not (c.rest and fabric.classification == "vendor"):
                    assert {value(mapping["dscp"][str(d)]["switch-priority"]) for d in c.dscps} <= {str(c.priority)}
                if group.trust == "pcp":
                    assert value(mapping["pcp"][str(c.priority)]["switch-priority"]) == str(c.priority)
            pfc = config.on(at, "pfc") if "pfc" in config.qos else {}
            assert set(pfc.get("switch-priority", ())) == {str(p) for p in group.pfc}
            if group.pfc and group.cable is not None:
                assert max(1, group.cable) <= int(value(pfc["cable-length"])) < max(1, group.cable) + 1
            if group.pfc and port is not None:
                assert config.watchdog[port] == ("enable" if group.watchdog else "disable")
            elif port is not None:
                assert port not in config.watchdog
            marked = config.on(at, "congestion-control")["traffic-class"]
            curves = {str(c.queue): c.ecn_at(group.speed) for c in device.classes_on(group) if c.ecn_at(group.speed)}
            assert {tc for tc, stated in marked.items() if value(stated["ecn"]) == "enable"} == set(curves)
            for tc, curve in curves.items():
                assert curve is not None
                assert curve != "auto"
                stated = [int(value(marked[tc][k])) for k in ("min-threshold", "max-threshold", "probability")]
                assert stated == [curve.kmin, curve.kmax, curve.pmax]
