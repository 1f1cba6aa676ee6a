"""A switch with NVUE as far as its command line goes: what is set is a tree, `nv set` lays upon it, `nv unset` cuts.

Written against NVIDIA's pages on NVUE, not against the code that makes changes: ranges are taken apart, and the last
word of a command is a value, but where the schema has a set of numbers.
"""

from __future__ import annotations

import copy
import shlex
from collections.abc import Iterable
from itertools import product
from typing import Any

import yaml
from spectrum_tree import expand

Tree = dict[str, Any]
_SETS = {("qos", "pfc"), ("qos", "traffic-pool")}  # whose switch-priority is a set of numbers


class Refused(AssertionError):
    """What `nv config apply` would not take."""


class Switch:
    """What is applied."""

    def __init__(self, commands: Iterable[str]) -> None:
        self.tree: Tree = {}
        self.apply(commands, check=False)

    def apply(self, commands: Iterable[str], *, check: bool = True) -> None:
        """Take commands as a pending revision and apply it."""
        pending = copy.deepcopy(self.tree)
        for command in commands:
            verb, words, value = _parsed(command)
            for path in product(*map(expand, words)):
                if verb == "set":
                    _set(pending, path, value)
                else:
                    _unset(pending, path)
        if check and (missing := undefined(pending) - undefined(self.tree)):
            raise Refused(f"bound and not defined: {missing}")
        self.tree = pending

    def text(self, head: str) -> str:
        """What `nv config show -o yaml` prints."""
        return head + yaml.safe_dump([{"set": self.tree}], sort_keys=False)

    def ports(self) -> set[str]:
        """The interfaces with QoS."""
        return {name for name, stated in self.tree.get("interface", {}).items() if "qos" in stated}


def operations(commands: Iterable[str]) -> list[Tree]:
    """Commands as the operations that `nv config patch` takes."""
    out = []
    for command in commands:
        verb, words, value = _parsed(command)
        tree: Any = {} if value is None else value
        for word in reversed(words):
            tree = {word: tree}
        out.append({verb: tree})
    return out


def _parsed(command: str) -> tuple[str, list[str], str | None]:
    nv, verb, *words = shlex.split(command)
    assert nv == "nv", command
    assert verb in ("set", "unset"), command
    a_set = (words[0], words[1]) in _SETS and words[-2] == "switch-priority"
    return verb, words, None if a_set or verb == "unset" else words.pop()


def undefined(tree: Tree) -> set[tuple[str, str, str]]:
    """Ports and the profiles that they are bound to and that are not there."""
    return {
        (port, kind, bound["profile"])
        for port, stated in tree.get("interface", {}).items()
        for kind, bound in stated.get("qos", {}).items()
        if isinstance(bound, dict) and "profile" in bound
        if bound["profile"] != "default-global" and not tree.get("qos", {}).get(kind, {}).get(bound["profile"])
    }


def _set(tree: Tree, path: tuple[str, ...], value: str | None) -> None:
    for word in path[:-1]:
        tree = tree.setdefault(word, {})
    if value is None:
        tree.setdefault(path[-1], {})
    else:
        tree[path[-1]] = value


def _unset(tree: Tree, path: tuple[str, ...]) -> None:
    """A branch; what is empty without it goes too."""
    if path[0] not in tree:
        return
    if len(path) == 1:
        del tree[path[0]]
        return
    if isinstance(tree[path[0]], dict):
        _unset(tree[path[0]], path[1:])
        if not tree[path[0]]:
            del tree[path[0]]
