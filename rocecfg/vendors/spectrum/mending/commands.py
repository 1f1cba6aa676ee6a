"""Leaves to set and to unset as commands, ranges folded as NVUE writes them, and as text behind a configuration."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rocecfg.vendors.mending import BRIEF_PAUSE, HITLESS, Step
from rocecfg.vendors.spectrum.disturbs import WHY, mark
from rocecfg.vendors.spectrum.mending.leaves import MEMBER, Path
from rocecfg.vendors.spectrum.mending.paths import Made
from rocecfg.vendors.spectrum.ranges import fold_numbers, fold_ports, parse_port
from rocecfg.vendors.spectrum.reading.commands import are_commands

_HOW = "type it; nv config diff; nv config apply; nv config save"

Line = tuple[str, Path, str]  # verb, path, value


def steps(made: Made) -> tuple[Step, ...]:
    """The commands: what is set before what is unset, and what disturbs nothing before what does."""
    lines: list[Line] = [("set", path, value) for path, value in made.set.items()]
    lines += [("unset", path, MEMBER) for path in made.unset]
    out = []
    for worst in (HITLESS, BRIEF_PAUSE):
        mine = [line for line in lines if mark(line[1]) == worst]
        if mine:
            out.append(Step(_HOW, worst, WHY[worst], tuple(_folded(mine))))
    return tuple(out)


def text_after(text: str, made: Made) -> str:
    """The text of a configuration with this behind it."""
    if are_commands(text):
        return f"{text.rstrip()}\n" + "".join(f"{line}\n" for line in _plain(made))
    operations: list[dict[str, Any]] = []
    if made.set:
        operations.append({"set": _tree(made.set.items())})
    if made.unset:
        operations.append({"unset": _tree((path, MEMBER) for path in made.unset)})
    if not operations:
        return text
    begin = text.lstrip()[:1]
    more = "".join(f"- {json.dumps(operation)}\n" for operation in operations)
    if begin == "[":
        return text.rstrip().removesuffix("]") + "".join(f", {json.dumps(each)}" for each in operations) + "]\n"
    if any(line.startswith("- ") for line in text.splitlines()):
        return f"{text.rstrip()}\n{more}"
    return "- set:\n" + "".join(f"    {line}\n" for line in text.splitlines()) + more  # the body of a request


def _plain(made: Made) -> Iterable[str]:
    for path, value in made.set.items():
        yield " ".join(("nv set", *path, value)).rstrip()
    for path in made.unset:
        yield " ".join(("nv unset", *path))


def _tree(leaves: Iterable[tuple[Path, str]]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for path, value in leaves:
        node = root
        for name in path[:-1]:
            node = node.setdefault(name, {})
        node[path[-1]] = value if value != MEMBER else {}
    return root


def _folded(lines: list[Line]) -> Iterable[str]:
    """One command for ports, and for numbers, that are told the same."""
    by_ports: dict[Line, list[str]] = {}
    for verb, path, value in lines:
        port = path[1] if path[0] == "interface" else ""
        key = (verb, ("interface", "", *path[2:]) if port else path, value)
        by_ports.setdefault(key, []).append(port)
    numbered: dict[tuple[str, Path, Path, str, tuple[str, ...]], list[str]] = {}
    for (verb, path, value), ports in by_ports.items():
        at = next((i for i in range(len(path) - 1, 1, -1) if path[i].isdigit()), len(path))
        key_ = (verb, path[:at], path[at + 1 :], value, tuple(ports))
        numbered.setdefault(key_, []).extend(path[at : at + 1])
    for (verb, before, after, value, ports_), numbers in numbered.items():
        keys = [fold_numbers(sorted(map(int, numbers)))] if numbers else []
        for port in _interfaces(ports_):
            words = ("interface", port, *before[2:]) if port else before
            yield " ".join(word for word in ("nv", verb, *words, *keys, *after, value) if word)


def _interfaces(ports: tuple[str, ...]) -> tuple[str, ...]:
    front = tuple(port for port in ports if parse_port(port) is not None)
    return (*fold_ports(front), *(port for port in ports if parse_port(port) is None))
