"""From what NVUE has set and what it becomes to the commands between, and to text behind a configuration."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.vendors.changes import Step
from rocecfg.vendors.procedure import Procedure, make_step
from rocecfg.vendors.spectrum.change.leaves import MEMBER, Leaves, Path
from rocecfg.vendors.spectrum.ranges import fold_numbers, fold_ports, parse_port
from rocecfg.vendors.spectrum.reading.commands import are_commands

_LAST_NAME = 2  # where the name of a profile stands, which may be digits
_LEAST = {"interface": 4, "qos": 3}  # words of a path that goes whole: no more than an object of QoS

Line = tuple[str, Path, str]  # verb, path, value


class LeafDifference(NamedTuple):
    """What is set and what is unset. No path of one is at or above one of the other."""

    set: dict[Path, str]
    unset: tuple[Path, ...]


def find_difference(running: Leaves, target: Leaves) -> LeafDifference:
    """What leads from one to the other."""
    changed = {path: value for path, value in target.all.items() if running.all.get(path) != value}
    gone = (path for path in running.all if path not in target.all)
    return LeafDifference(changed, _outermost_paths(gone, target.all))


def plan_steps(running: Leaves, target: Leaves, procedure: Procedure) -> tuple[Step, ...]:
    """The change: the commands for leaves that differ, applied at once; () where none does.

    `nv config apply` takes all that is pending or refuses all of it: a change is one apply, in any order.
    """
    made = find_difference(running, target)
    lines: list[Line] = [("set", path, value) for path, value in made.set.items()]
    lines += [("unset", path, MEMBER) for path in made.unset]
    if not lines:
        return ()
    commands = (_join_words(verb, *path, value) for verb, path, value in lines)
    return (make_step(procedure, commands, _fold_commands(lines)),)


def _outermost_paths(gone: Iterable[Path], target: Mapping[Path, str]) -> tuple[Path, ...]:
    """Paths that take all of `gone` away and nothing else: a profile that goes whole is one of them."""
    kept = {*target, *(path[:size] for path in target for size in range(len(path)))}
    out: dict[Path, None] = {}
    for path in gone:
        if path in kept:  # it was empty, and gets what is below it
            continue
        size = len(path)
        while size > _LEAST.get(path[0], len(path)) and path[: size - 1] not in kept:
            size -= 1
        out[path[:size]] = None
    return tuple(out)


def append_to_text(text: str, made: LeafDifference) -> str:
    """The text of a configuration with this behind it."""
    if are_commands(text):
        return f"{text.rstrip()}\n" + "".join(f"{line}\n" for line in _plain_commands(made))
    operations: list[dict[str, Any]] = []
    if made.set:
        operations.append({"set": _build_tree(made.set.items())})
    if made.unset:
        operations.append({"unset": _build_tree((path, MEMBER) for path in made.unset)})
    if not operations:
        return text
    begin = text.lstrip()[:1]
    more = "".join(f"- {json.dumps(operation)}\n" for operation in operations)
    if begin == "[":
        return text.rstrip().removesuffix("]") + "".join(f", {json.dumps(each)}" for each in operations) + "]\n"
    if any(line.startswith("- ") for line in text.splitlines()):
        return f"{text.rstrip()}\n{more}"
    return "- set:\n" + "".join(f"    {line}\n" for line in text.splitlines()) + more  # the body of a request


def _plain_commands(made: LeafDifference) -> Iterable[str]:
    for path, value in made.set.items():
        yield _join_words("nv", "set", *path, value)
    for path in made.unset:
        yield _join_words("nv", "unset", *path)


def _join_words(*words: str) -> str:
    """Words as they are typed in a shell; those that are empty left out."""
    return " ".join(shlex.quote(word) for word in words if word)


def _build_tree(leaves: Iterable[tuple[Path, str]]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for path, value in leaves:
        node = root
        for name in path[:-1]:
            node = node.setdefault(name, {})
        node[path[-1]] = value if value != MEMBER else {}
    return root


def _fold_commands(lines: list[Line]) -> Iterable[str]:
    """One command for ports, and for numbers, that are told the same."""
    by_ports: dict[Line, list[str]] = {}
    for verb, path, value in lines:
        port = path[1] if path[0] == "interface" else ""
        key = (verb, ("interface", "", *path[2:]) if port else path, value)
        by_ports.setdefault(key, []).append(port)
    numbered: dict[tuple[str, Path, Path, str, tuple[str, ...]], list[str]] = {}
    for (verb, path, value), ports in by_ports.items():
        at = next((i for i in range(len(path) - 1, _LAST_NAME, -1) if is_number(path[i])), len(path))
        key_ = (verb, path[:at], path[at + 1 :], value, tuple(ports))
        numbered.setdefault(key_, []).extend(path[at : at + 1])
    for (verb, before, after, value, ports_), numbers in numbered.items():
        keys = [fold_numbers(sorted(map(int, numbers)))] if numbers else []
        for port in _fold_interfaces(ports_):
            words = ("interface", port, *before[2:]) if port else before
            yield _join_words("nv", verb, *words, *keys, *after, value)


def _fold_interfaces(ports: tuple[str, ...]) -> tuple[str, ...]:
    front = tuple(port for port in ports if parse_port(port) is not None)
    return (*fold_ports(front), *(port for port in ports if parse_port(port) is None))
