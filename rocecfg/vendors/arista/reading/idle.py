"""Lines that are understood and do nothing here: of profiles that no port has, of what is off, said otherwise later.

And names of profiles that are not there, and shares of queues that are strict.

A queue that does not differ from another one, or a value that is EOS's own, is no such line: it is in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model.stated import Val
from rocecfg.model.switch import Idle, Port
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.queues import STRICT
from rocecfg.vendors.arista.reading.switchwide import Switchwide
from rocecfg.vendors.arista.release import SAND

_TIMES = ("timeout", "polling", "recovery")
_OF_PFC = frozenset({"pfc", "prio", "watchdog", "action", *_TIMES})


def find_idle_lines(
    switch: Switchwide, kinds: list[AlikePorts], ports: Iterable[tuple[AlikePorts, Port]], *, tagged: bool
) -> Iterator[Idle]:
    """The lines. `kinds`: all there are; `ports`: those that packets cross; `tagged`: some sort by 802.1p."""
    yield from _find_unapplied_blocks(switch, kinds)
    crossed = list(ports)
    left = {kind.names for kind in kinds} - {kind.names for kind, _ in crossed}
    for kind in kinds:
        if kind.names in left:
            yield from (_mark_line_idle(switch, key, val, kind.names) for key, val in kind.state.items())
    yield from _find_overridden_lines(switch, crossed)
    watched = [kind for kind, port in crossed if port.pfc]
    for kind, port in crossed:
        if not port.pfc:
            of_pfc = {key: val for key, val in kind.state.items() if _name_of_key(key) in _OF_PFC}
            yield from (_mark_line_idle(switch, key, val, kind.names) for key, val in of_pfc.items())
        yield from (
            _mark_line_idle(switch, key, val, kind.names) for key, val in _find_ineffective_settings(switch, kind, port)
        )
    yield from (_mark_line_idle(switch, key, val, ()) for key, val in switch.overridden)
    for key, val in _find_idle_globals(switch, watched, tagged=tagged):
        yield _mark_line_idle(switch, key, val, ())


def _find_ineffective_settings(switch: Switchwide, kind: AlikePorts, port: Port) -> Iterator[tuple[Key, Val]]:
    """Profiles that a port names and the text does not have, and shares of its strict queues."""
    for key, known in (("profile", switch.profiles), ("mmu", switch.mmus)):
        val = kind.state.get(key)
        if val is not None and val.value not in known:
            yield key, val
    for number, sending in port.queues.items():
        share, bandwidth = kind.state.get(("share", number)), sending.get("bandwidth")
        if share is not None and bandwidth is not None and bandwidth.value == STRICT:
            yield ("share", number), share


def _find_unapplied_blocks(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Idle]:
    """Profiles, policies and class-maps that nothing applies."""
    config = switch.config
    bound = {kind.profile.value for kind in kinds if kind.profile is not None}
    applied = {val.value for state in (switch.globals, *(k.state for k in kinds)) if (val := state.get("mmu"))}
    used = {
        name
        for kind in kinds
        if (val := kind.state.get("policy"))
        for name in list_policy_blocks(config.sorting, val.value)
    }
    if any(kind.names for kind in kinds):
        yield from (
            each for n, block in config.profiles.items() if n not in bound for each in _mark_block_idle(block, n)
        )
    yield from (each for n, block in config.mmu.items() if n not in applied for each in _mark_block_idle(block, n))
    for name, blocks in config.sorting.items():
        for block in blocks if name not in used else ():
            yield Idle(block.at, block.name)
            yield from _mark_block_idle(block, block.name)


def _find_overridden_lines(switch: Switchwide, crossed: list[tuple[AlikePorts, Port]]) -> Iterator[Idle]:
    """Lines of profiles that every port with the profile says otherwise: the port's line holds."""
    bound: dict[str, list[AlikePorts]] = {}
    for kind, _ in crossed:
        if kind.profile is not None:
            bound.setdefault(kind.profile.value, []).append(kind)
    for name, kinds in bound.items():
        for key, val in switch.profiles.get(name, {}).items():
            if all(key in kind.stated and kind.state[key] is kind.stated[key] for kind in kinds):
                yield _mark_line_idle(switch, key, val, ())


def list_policy_blocks(known: dict[str, list[Block]], name: str) -> Iterator[str]:
    """A policy-map and the class-maps that it names, as far as there are such."""
    if name in known:
        yield name
        for block in known[name]:
            named = (line.removeprefix("class ").split(" ")[0] for line in block.lines if line.startswith("class "))
            yield from (each for each in named if each in known)


def _mark_block_idle(block: Block, name: str) -> Iterator[Idle]:
    yield from (Idle(block.span(n), f"{name}: {line.replace(IN_QUEUE, ' ')}") for n, line in enumerate(block.lines))


def _find_idle_globals(switch: Switchwide, watched: list[AlikePorts], *, tagged: bool) -> Iterator[tuple[Key, Val]]:
    """`watched`: ports with PFC, and so with a watchdog."""
    given = switch.globals
    for own in (*_TIMES, "action"):
        overridden = all(own in kind.state for kind in watched) or (own == "action" and "override" in given)
        if own in given and overridden:
            yield own, given[own]
    if not watched:
        yield from ((key, given[key]) for key in ("override", "all off") if key in given)
    if "mmu" in given and given["mmu"].value not in switch.mmus:
        yield "mmu", given["mmu"]
    if switch.family != SAND and "ecn counters" in given:
        yield "ecn counters", given["ecn counters"]
    rewritten = "rewrite" in given
    for key, val in given.items():
        if (key[0] == "remark" and not rewritten) or (key[0] == "cos" and not tagged):
            yield key, val


def _name_of_key(key: Key) -> str:
    return key if isinstance(key, str) else key[0]


def _mark_line_idle(switch: Switchwide, key: Key, val: Val, names: tuple[str, ...]) -> Idle:
    text = switch.document.text[val.at.start : val.at.end].strip()
    number = "" if isinstance(key, str) else f" ({key[1]})"  # of a list, or of a queue
    return Idle(val.at, f"{text}{number}", names)
