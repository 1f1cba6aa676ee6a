"""Settings of NVUE on QoS that are not understood: what they may touch of an intent, and on which ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread
from rocecfg.model.switch import Port
from rocecfg.source.document import Document
from rocecfg.source.yaml import Map, Scalar, Seq, compose
from rocecfg.vendors.spectrum.domain import is_read, list_unknown_topics
from rocecfg.vendors.spectrum.reading.commands import are_commands
from rocecfg.vendors.spectrum.reading.names import NotNames, expand_names
from rocecfg.vendors.spectrum.reading.nodes import Node, format_setting, walk_leaves
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.settings import PROFILED

_MODES = ("mode", "rewrite")  # by which other settings beside them count
_WATCHDOG = ("qos", "pfc-watchdog")
_RULES = frozenset({"device-unread", "device-unknown", "device-value", "device-second-way", "buffer-egress-drop"})


def find_unread(
    document: Document, tree: Node, ports: tuple[Port, ...], problems: Iterable[Problem]
) -> Iterator[Unread]:
    """The settings of a configuration that are not understood. `problems`: what is wrong with it."""
    found = [problem for problem in problems if problem.rule in _RULES]
    if not found:
        return
    root = None if are_commands(document.text) else compose(document)
    for problem in found:
        path = _split_line(document.text, problem.at) if root is None else tuple(_find_path(root, problem.at.start))
        text = _format_unread(tree, path) or " ".join((*path, *_split_value(root, document.text, problem.at.start)))
        yield from (one._replace(text=text) for one in _make_unread(path, problem, ports))


def _format_unread(tree: Node, path: tuple[str, ...]) -> str:
    """What is set where a path leads, and is not read; with a mode all that stands beside it; empty where none is."""
    node, at = tree, 0
    for at, word in enumerate(path):
        names = _expand_names(word) if at and path[at - 1] == "interface" else (word,)
        found = node.get(names[0]) if names else None
        if found is None:
            if node.value is None:  # no key that is known, or a value that is none
                return ""
            break
        if found.value is not None and (word in _MODES or path[: at + 1][:2] == _WATCHDOG):
            break
        node = found
    else:
        at += 1
    given = (
        [format_setting(each, leaf) for each, leaf in walk_leaves(node, path[:at]) if not is_read(each)] if at else []
    )
    return "\n".join(sorted(given))


def _split_value(node: Any, text: str, start: int) -> list[str]:
    """The words below the key of YAML that a place is at, or in whose value it is; of commands none."""
    if type(node) is Seq:
        return next((_split_value(item, text, start) for item in node.items if item.start <= start <= item.end), [])
    for key, value in node.pairs if type(node) is Map else ():
        if value is not None and key.start <= start < max(key.end, value.end):
            deeper = start >= value.start and type(value) is not Scalar
            return _split_value(value, text, start) if deeper else text[value.start : value.end].split()
    return []


def _expand_names(word: str) -> tuple[str, ...]:
    try:
        return tuple(expand_names(word))
    except NotNames:
        return ()


def _make_unread(path: tuple[str, ...], problem: Problem, ports: tuple[Port, ...]) -> Iterator[Unread]:
    at, message = problem.at, problem.message
    if path[:1] == ("interface",) and len(path) > 1:
        kind = path[3] if path[2:3] == ("qos",) and len(path) > 3 else ""
        topics = (*list_unknown_topics(kind, of_port=True), *list_unknown_topics(kind, of_port=False))
        yield Unread(at, message, topics, tuple(_find_named_ports(path[1], ports)))
        return
    kind, profile = (*path[1:3], "", "")[:2] if path[:1] == ("qos",) else ("", "")
    bound = tuple(_find_bound_ports(kind, profile, ports)) if kind in PROFILED and profile else _list_ports(ports)
    everywhere = profile in ("", GLOBAL) or kind not in PROFILED
    numbers = [word for before, word in pairwise(path) if before == "traffic-class" and is_number(word)]
    queue = int(numbers[0]) if numbers else None
    mine, own = (list_unknown_topics(kind, of_port=of_port) for of_port in (True, False))
    if bound and (mine or not everywhere):
        yield Unread(at, message, mine if everywhere else (*mine, *own), bound, queue)
    if everywhere and (own or not mine):
        yield Unread(at, message, own)


def _split_line(text: str, at: Span) -> tuple[str, ...]:
    """The words behind `nv set` on the line of a place."""
    begin = text.rfind("\n", 0, at.start) + 1
    end = text.find("\n", at.start)
    words = text[begin : len(text) if end < 0 else end].split()
    first = next((n for n, word in enumerate(words) if word in ("set", "unset")), -1)
    return tuple(words[first + 1 :])


def _find_path(node: Any, start: int) -> Iterator[str]:
    """The keys that lead to a place, those of operations and headers left out."""
    if type(node) is Seq:
        for item in node.items:
            if item.start <= start <= item.end:
                yield from _find_path(item, start)
                return
    elif type(node) is Map:
        for key, value in node.pairs:
            if key.start <= start < max(key.end, value.end if value is not None else 0):
                if key.text not in ("set", "unset"):
                    yield key.text
                if value is not None and start >= value.start and type(value) is not Scalar:
                    yield from _find_path(value, start)
                return


def _find_named_ports(name: str, ports: tuple[Port, ...]) -> Iterator[str]:
    """The ports that a key of `interface` stands for, and the members of its bonds."""
    names = frozenset(_expand_names(name))
    for port in ports:
        lag = port.section.get("lag")
        yield from port.names if lag is not None and lag.value in names else (n for n in port.names if n in names)


def _find_bound_ports(kind: str, profile: str, ports: tuple[Port, ...]) -> Iterator[str]:
    for port in ports:
        maps = dict(port.running.maps or ()) if port.running is not None else {}
        if maps.get(kind, GLOBAL) == profile:
            yield from port.names


def _list_ports(ports: tuple[Port, ...]) -> tuple[str, ...]:
    return tuple(name for port in ports for name in port.names)
