"""Statements on queues, PFC and buffers that are not understood: which settings they may touch, and of which ports."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rocecfg.model import Span
from rocecfg.model.stated import Unread
from rocecfg.vendors.junos.reading.binding import find_binding
from rocecfg.vendors.junos.reading.cos import Cos
from rocecfg.vendors.junos.reading.idle import UsedObjects
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.statements import Statement, join_words
from rocecfg.vendors.junos.settings import COS, TABLE, settings_of
from rocecfg.vendors.table import is_of_port

_ENDS = 2  # fill levels of a ramp


def list_unread(
    cos: Cos, lines: Sequence[Statement], strange: Iterable[Statement], kinds: list[Kind], reported: dict[Span, str]
) -> Iterator[Unread]:
    """The statements. `reported`: why one is not checked, by its place."""
    everywhere = tuple(name for kind in kinds for name in kind.names)
    for line in cos.unknown:
        yield from _split_by_scope(line, reported.get(line.at, "is not understood"), _reached_ports(cos, line, kinds))
    at_fault = {place for place, _, _ in cos.wrong}
    for line in cos.lines:
        row = TABLE.find_whole((COS, *line.words))
        if line.at in at_fault:
            yield from _split_by_scope(line, reported[line.at], _reached_ports(cos, line, kinds))
        elif row is not None and row.unjudged:
            yield from _split_by_scope(line, row.unjudged.format(*line.words), everywhere, row.says)
    yield from _list_curves(cos, kinds)
    yield from _list_packet_sizes(cos)
    for line in strange:
        if line.words[1:2] in (("class-of-service",), ("interfaces",)):
            yield Unread(line.at, f"what `{line.words[0]}` leaves is unknown", (), (), None, join_words(line.words))
    for line, message in list_scripts(lines):
        yield Unread(line.at, message, (), (), None, join_words(line.words))
    for line in lines:
        if line.words[:2] == ("protocols", "dcbx"):
            yield Unread(line.at, "DCBX is not checked", ("dcbx",), everywhere, None, join_words(line.words))


_ASKS = ("show ", "ping ", "traceroute ", "file ", "monitor ", "request support ")  # commands that change nothing
_TOUCHES = re.compile(r"class-of-service|interfaces|firewall|forwarding-options|groups|load ")


def list_scripts(lines: Iterable[Statement]) -> Iterator[tuple[Statement, str]]:
    """Event policies and commit scripts that may change what is checked, tunnels, and what is said of them."""
    for line in lines:
        match line.words:
            case ("event-options", "policy", name, "then", "change-configuration", "commands", command) if (
                _TOUCHES.search(command)
            ):
                what = f"event policy {name[:60]} changes the configuration by itself"
            case ("event-options", "policy", name, "then", "execute-commands", "commands", command) if (
                not command.startswith(_ASKS)
            ):
                what = f"event policy {name[:60]} runs `{command[:60]}`, which may change more than is configured"
            case ("event-options", "policy", name, "then", "event-script", script, *_):
                what = f"event policy {name[:60]} runs script {script[:60]}, which may change the configuration"
            case ("system", "scripts", "commit", "file", name, *_):
                what = f"commit script {name[:60]} may change what is committed"
            case ("interfaces", port, "unit", _, "tunnel", "destination", *_):
                # Juniper's pages tell it of routers and firewalls alone (copy-tos-to-outer-ip-header)
                what = f"tunnel {port[:60]}, whose outer header may lack RDMA's DSCP and ECN"
            case _:
                continue
        yield line, f"{what}: not checked"


def _split_by_scope(
    line: Statement, message: str, ports: tuple[str, ...], says: tuple[str, ...] = ()
) -> Iterator[Unread]:
    """Of ports, and of the switch as a whole. `says`: on what it bears, where that is less than all of its section."""
    topics = says or settings_of(line.words)
    mine = tuple(topic for topic in topics if is_of_port(topic) or topic == "stops")  # which profiles of ports say
    own = tuple(topic for topic in topics if topic not in mine)
    if mine and ports:
        yield Unread(line.at, message, mine, ports, None, join_words(line.words))
    if own or not topics:
        yield Unread(line.at, message, own, (), None, join_words(line.words))


def _reached_ports(cos: Cos, line: Statement, kinds: list[Kind]) -> tuple[str, ...]:
    """The ports that a statement may reach."""
    words = line.words
    if words[0] != "interfaces" or len(words) < 2:
        return tuple(name for kind in kinds for name in kind.names)
    lags = {name: kind.section["lag"].value if "lag" in kind.section else None for kind in kinds for name in kind.names}
    return tuple(
        name
        for name, lag in lags.items()
        if words[1] in (name, lag) or find_binding(cos, name, lag) != find_binding(cos, "", None)
    )


def _list_curves(cos: Cos, kinds: list[Kind]) -> Iterator[Unread]:
    """Drop profiles in use that are no ramp from 0 between two fill levels, by which a scheduler marks."""
    used = UsedObjects(cos, kinds)
    ports = tuple(name for kind in kinds for name in kind.names)
    for name in sorted(used.drops & cos.drops.keys()):
        fills, chances = (cos.drops[name].get(key, []) for key in ("fill-level", "drop-probability"))
        if len(fills) != _ENDS or len(chances) != _ENDS or chances[0].value != 0:
            for place in (*chances, *fills)[:1]:
                wording = ", ".join(f"{a.value}:{b.value}" for a, b in zip(fills, chances, strict=False))
                message = (
                    f"drop profile {name} ({wording}) is not a ramp from 0 percent between two fill levels: not checked"
                )
                yield Unread(place.at, message, ("ecn",), ports, None, f"drop-profiles {name} {wording}")


def _list_packet_sizes(cos: Cos) -> Iterator[Unread]:
    """Sizes of lossless packets that differ, or are stated here and not there: an intent has one for a switch."""
    paused = [own for profile in cos.profiles.values() for own in profile.input.values() if "pfc" in own]
    sizes = [own["mru"] for own in paused if "mru" in own]
    for own in paused if sizes else ():
        if "mru" not in own:
            message = f"pfc without an mru where another profile or code point has mru {sizes[0].value}: not checked"
            yield Unread(own["pfc"].at, message, ("buffers",), (), None, "pfc without mru")
        elif own["mru"].value != sizes[0].value:
            size = own["mru"]
            message = f"mru {size.value} where another profile or code point has {sizes[0].value}: not checked"
            yield Unread(size.at, message, ("buffers",), (), None, f"mru {size.value}")
