"""Access lists of EOS on ports, routed VLANs and sub-interfaces: of IPv4, of IPv6, and of MAC addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread
from rocecfg.model.switch import Chain, Port
from rocecfg.vendors.arista.reading.blocks import ConfigBlocks
from rocecfg.vendors.arista.reading.names import expand_interfaces
from rocecfg.vendors.arista.reading.policies import Packet, entry_takes, parse_entry
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.packet_filters import (
    DROPS,
    ODD,
    ROCE_PORT,
    BoundFilter,
    Entry,
    FilterEffect,
    FoundFilter,
    Match,
    find_rdma,
)

_KINDS = ("ip", "ipv6", "mac")
_OTHERS = re.compile(r"^interface (?:[Vv]l\S.*|(?P<base>\S+)\.\d+)\s*\n(?P<lines>(?:[ \t].*\n?)*)", re.MULTILINE)
_BINDS = re.compile(
    rf"^[ \t]+(?P<kind>{'|'.join(_KINDS)}) access-group (?P<name>\S+) (?P<way>in|out)\s*$", re.MULTILINE
)
_MAC_LIST = re.compile(r"^mac access-list (?P<name>\S+)[ \t\r]*\n(?P<lines>(?:[ \t].*\n?)*)", re.MULTILINE)
_PACKET = Packet("udp", ROCE_PORT, None)
_NO_ENTRIES = ("remark", "statistics", "counters", "fragment-rules", "resequence", "description", "no", "default")
_Line = tuple[str, Span]


class AccessLists:
    """The lists of a text, and where they are bound."""

    def __init__(self, config: ConfigBlocks, kinds: Sequence[AlikePorts], text: str, doc: int, start: int) -> None:
        self._lists: dict[str, list[_Line]] = {
            name: [(line, block.span(n)) for n, line in enumerate(block.lines)] for name, block in config.lists.items()
        }
        self._bound: dict[tuple[str, str, str], list[tuple[tuple[str, ...], Span]]] = {}  # (): of VLANs or LAGs
        if "access-group" not in text:
            return
        for found in _MAC_LIST.finditer(text):
            at = Span(doc, start + found.start(), start + found.start("lines") - 1)
            self._lists[f"mac {found['name']}"] = [
                (line.strip(), at) for line in found["lines"].splitlines() if line.strip()[:1] not in ("", "!")
            ]
        for kind in kinds:
            for of in _KINDS:
                for way in ("in", "out"):
                    given = kind.state.get(f"{of} acl {way}")
                    if given is not None:
                        place = kind.names, given.at
                        self._bound.setdefault((of, given.value, way), []).append(place)
        for other in _OTHERS.finditer(text):
            base = other["base"]  # a sub-interface is its port's
            ports = expand_interfaces(base) or () if base is not None and not base.lower().startswith("po") else ()
            for found in _BINDS.finditer(other["lines"]):
                first = start + other.start("lines")
                at = Span(doc, first + found.start("kind"), first + found.end("way"))
                self._bound.setdefault((found["kind"], found["name"], found["way"]), []).append((ports, at))

    def list_bound(self, ports: Sequence[Port], chain: Chain) -> Iterator[FoundFilter]:
        """Those that take what comes in or goes out of ports."""
        for (kind, name, way), places in self._bound.items():
            lines = self._lists.get(f"{kind} {name}")
            if not lines:
                continue
            names = {name for of, _ in places for name in of}
            on = [port for port in ports if not names.isdisjoint(port.names)]
            if not on and all(of for of, _ in places):
                continue
            reached = tuple(each for port in on for each in port.names if each in names)
            entries = tuple(entry for line, at in lines if (entry := _parse_entry(kind, line, at)) is not None)
            unsure = (
                "" if kind != "ipv6" or any(str(ROCE_PORT) in line for line, _ in lines) else "whether RDMA is IPv6"
            )
            wording = f"{kind} access list {name}"
            bound = BoundFilter(wording, places[0][1], way, reached, entries, drops_rest=True, unsure=unsure)
            yield FoundFilter(bound, find_rdma(on or ports, chain), "\n".join(line for line, _ in lines))

    def _list_missing(self) -> Iterator[tuple[str, tuple[str, ...], Span]]:
        for (kind, name, _), places in self._bound.items():
            if f"{kind} {name}" not in self._lists:
                yield from ((f"{kind} access list {name[:80]}", of, at) for of, at in places)

    def check_missing(self) -> Iterator[Problem]:
        """Those that are bound and that nothing defines."""
        for wording, _, at in self._list_missing():
            words = f"{wording} is bound here but not defined: not checked"
            yield Problem("device-unread", at, words, "give the text that defines it, or remove the line")

    def list_missing_unread(self) -> Iterator[Unread]:
        """The same: what they do is not compared."""
        for wording, of, at in self._list_missing():
            yield Unread(at, f"{wording} is bound here but missing from the text", (), of, None, wording)


def _parse_entry(kind: str, line: str, at: Span) -> Entry | None:
    words = line.split()
    if words[0].isdigit():
        words = words[1:]
    if words[:1] not in (["permit"], ["deny"]):
        if not words or words[0] in _NO_ENTRIES:
            return None
        match = Match(other="an entry that is not known here")
        return Entry(at, f"`{line[:60]}`", match, (FilterEffect(ODD, words[0], at),), ends=True)
    dscps = None
    if kind == "mac":
        takes = True if words[1:3] == ["any", "any"] and len(words) == 3 else None
    else:
        entry = parse_entry(line)
        dscps = entry.dscps if entry is not None else None
        takes = entry_takes(entry._replace(dscps=None), _PACKET) if entry is not None else None
    other = "" if takes is not None else "addresses, or what else it asks for"
    match = Match(dscps=dscps, never=takes is False, other=other)
    return Entry(at, f"`{line[:60]}`", match, (FilterEffect(DROPS),) if words[0] == "deny" else (), ends=True)
