"""Statements below `/qos` that are not understood, and those that do nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model import Span
from rocecfg.model.stated import Unread, Val
from rocecfg.model.switch import Idle
from rocecfg.vendors.srlinux.limits import DEFAULT_MAP
from rocecfg.vendors.srlinux.reading.binding import find_row_target
from rocecfg.vendors.srlinux.reading.kinds import Kind
from rocecfg.vendors.srlinux.reading.objects import Objects
from rocecfg.vendors.srlinux.reading.statements import Words, join_words
from rocecfg.vendors.srlinux.settings import is_beside, settings_of
from rocecfg.vendors.table import is_of_port


def list_unread(objects: Objects, kinds: list[Kind], reported: dict[Span, str]) -> Iterator[Unread]:
    """Which settings they may touch, and of which ports. `reported`: why one is not checked, by its place."""
    everywhere = tuple(name for kind in kinds for name in kind.names)
    known = {line.at: line for line in (*objects.unknown, *(line for line, _ in objects.unjudged))}
    wrong = {at for at, _, _ in objects.wrong}
    known |= {line.at: line for line in objects.lines if line.at in wrong}
    for at, line in known.items():
        topics = settings_of(line.words)
        mine = tuple(topic for topic in topics if is_of_port(topic) or topic == "stops")
        rest = tuple(topic for topic in topics if topic not in mine)
        ports = _find_ports(objects, line.words, everywhere)
        message = reported.get(at, "is not understood")
        if mine and ports:
            yield Unread(at, message, mine, ports, None, join_words(line.words))
        if rest or not topics:
            yield Unread(at, message, rest, (), None, join_words(line.words))
    for kind in kinds:
        if kind.binding.sorting and "pfc" in kind.binding.port:
            for unit, at in kind.binding.bare:
                message = f"subinterface {unit[:10]} has no dscp-policy: {DEFAULT_MAP}"
                yield Unread(at, message, ("trust",), tuple(kind.names), None, f"subinterface {unit[:10]}")


def _find_ports(objects: Objects, words: Words, everywhere: tuple[str, ...]) -> tuple[str, ...]:
    if words[1:3] != ("interfaces", "interface") or len(words) < 4:
        return everywhere
    row = objects.get("bound", words[3])
    port = find_row_target(words[3], row)[0] if row is not None else words[3].partition(".")[0]
    return tuple(name for name in everywhere if name == port) or everywhere


def list_idle(objects: Objects, kinds: Iterable[Kind]) -> Iterator[Idle]:
    """Statements of objects that no port has."""
    if not objects.whole or not any(kind.names for kind in kinds):
        return
    used = {(key, val.value) for row in objects.of("bound").values() for key, val in row.items()}
    system = objects.get("system")
    if system is not None and isinstance(system.get("ecn", Val(value=True, at=system.at)).value, str):
        used.add(("rewrite", system["ecn"].value))
    managed = {val.value for row in objects.of("bound-queues").values() for val in row.values()}
    for line in objects.lines:
        if not is_beside(line.words) and not _is_used(line.words, used, managed):
            yield Idle(line.at, join_words(line.words))


def _is_used(words: Words, used: set[tuple[str, str]], managed: set[str]) -> bool:
    match words[1:]:
        case ("pfc-mapping-profile", name, *_):
            return ("mapping", name) in used
        case ("buffer-management", "buffer-allocation-profile", name, *_):
            return ("groups", name) in used or ("limits", name) in used
        case ("buffer-management", "queue-management-profile", name, *_):
            return name in managed
        case ("scheduler-policies", "scheduler-policy", name, *_):
            return ("scheduler", name) in used
        case ("classifiers", "dscp-policy", name, *_):
            return any((key, name) in used for key in ("dscp", "ipv4", "ipv6"))
        case ("classifiers", "dot1p-policy", name, *_):
            return ("dot1p", name) in used
        case ("rewrite-rules", "dscp-policy", name, *_):
            return ("rewrite", name) in used
    return True
