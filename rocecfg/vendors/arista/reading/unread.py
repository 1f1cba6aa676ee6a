"""Lines on queues, PFC and buffers that are not understood: which settings they may touch, and of which ports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread
from rocecfg.vendors.arista.domain import OF_SWITCH, settings_of
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.idle import list_policy_blocks
from rocecfg.vendors.arista.reading.modes import GLOBAL, MMU, PORT, PROFILE, VIRTUAL, VXLAN
from rocecfg.vendors.arista.reading.names import expand_interfaces
from rocecfg.vendors.arista.reading.parse import denied_key, parse_line, quote_line
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_RULES = frozenset({"device-unread", "device-unknown", "device-value"})


class _ModeLine(NamedTuple):
    mode: str
    text: str


def find_unread(switch: Switchwide, kinds: list[AlikePorts], problems: Iterable[Problem]) -> Iterator[Unread]:
    """The statements of a switch that are not understood, each text once. `problems`: what is wrong with it."""
    noted = {problem.at.start: problem.message for problem in problems if problem.rule in _RULES}
    noted.update(_find_denials(switch, kinds))
    if not noted and not any("policy" in kind.state for kind in kinds):
        return
    blocks = list(_list_blocks(switch))
    messages: dict[_ModeLine, str] = {}
    for block, mode in blocks:
        for index, text in enumerate(block.lines):
            message = noted.get(block.span(index).start) or _explain_unread(mode, text)
            if message:
                messages.setdefault(_ModeLine(mode, text), message)
    found: dict[_ModeLine, tuple[Span, dict[str, None]]] = {}
    for block, mode in blocks:
        for index, text in enumerate(block.lines):
            line = _ModeLine(mode, text)
            if line in messages:
                _, ports = found.setdefault(line, (block.span(index), {}))
                ports.update(dict.fromkeys(_list_ports(block, mode, kinds)))
    for line, (at, names) in found.items():
        wording = "\n".join((line.text.replace(IN_QUEUE, " "), *_list_policy_lines(switch, line)))
        yield from (one._replace(text=wording) for one in _make_unread(line, at, messages[line], tuple(names), kinds))


def _list_policy_lines(switch: Switchwide, line: _ModeLine) -> Iterator[str]:
    """What stands in the policy-map that a line binds, and in the class-maps that it names."""
    known = switch.config.sorting
    for key, value in parse_line(line.mode, line.text).sets if line.mode in (PORT, PROFILE) else ():
        for name in list_policy_blocks(known, value) if key == "policy" else ():
            yield from (text for block in known[name] for text in (block.name, *block.lines))


def _make_unread(
    line: _ModeLine, at: Span, message: str, names: tuple[str, ...], kinds: list[AlikePorts]
) -> Iterator[Unread]:
    head, _, text = line.text.rpartition(IN_QUEUE)
    topics = settings_of(text)
    number = head.split(" ")[-1]
    queue = int(number) if is_number(number) else None
    if line.mode in (GLOBAL, MMU, VXLAN):
        mine = tuple(topic for topic in topics if topic not in OF_SWITCH)
        own = tuple(topic for topic in topics if topic in OF_SWITCH)
        everywhere = tuple(name for kind in kinds for name in kind.names)
        if mine and everywhere:
            yield Unread(at, message, mine, everywhere)
        if own or not topics:
            yield Unread(at, message, own)
    elif names or line.mode == VIRTUAL:  # a profile that no port has does nothing
        yield Unread(at, message, topics, names, queue)


def _find_denials(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[tuple[int, str]]:
    """Lines below a port that take back what its profile says: which of the two holds is not documented."""
    for kind in kinds:
        of = switch.profiles.get(kind.profile.value, {}) if kind.profile is not None else {}
        for key, val in kind.stated.items() if not switch.head.run_all else ():
            if any(denied_key(own) == key for own in of):
                yield (
                    val.at.start,
                    "it removes, below the port, a line of its profile: which of them applies is unknown",
                )


def _list_blocks(switch: Switchwide) -> Iterator[tuple[Block, str]]:
    config = switch.config
    yield config.globals, GLOBAL
    yield from ((block, PROFILE) for block in config.profiles.values())
    yield from ((block, MMU) for block in config.mmu.values())
    yield from ((block, PORT) for block in config.ports)
    yield from ((block, VIRTUAL) for block in config.virtual)
    yield from ((block, VXLAN) for block in config.vxlan)


def _explain_unread(mode: str, text: str) -> str:
    """What is not understood of a line; empty where all of it is."""
    if mode in (VIRTUAL, VXLAN):
        return ""
    sets, fault, topic = parse_line(mode, text)
    if fault is not None:
        return fault.message
    if topic:
        return f"{topic}: recognised, not checked"
    if any(key == "policy" for key, _ in sets):
        return f"{quote_line(text)} classifies packets before the maps do: its effect is not checked"
    return ""


def _list_ports(block: Block, mode: str, kinds: list[AlikePorts]) -> Iterator[str]:
    """The ports that a line of a block is for."""
    if mode == PROFILE:
        yield from (
            n for kind in kinds if kind.profile is not None and kind.profile.value == block.name for n in kind.names
        )
    elif mode == PORT:
        named = set(expand_interfaces(block.name) or ())
        for kind in kinds:
            group = kind.stated.get("group")
            if group is not None and f"Port-Channel{group.value}" in named:
                yield from kind.names
            else:
                yield from (name for name in kind.names if name in named)
