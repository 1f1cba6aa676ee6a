"""Access lists of EOS beside those of IPv4 on ports: of IPv6, of MAC addresses, and on routed VLANs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rocecfg.model import Span
from rocecfg.model.switch import Chain, Port
from rocecfg.vendors.arista.reading.blocks import ConfigBlocks
from rocecfg.vendors.arista.reading.names import expand_interfaces
from rocecfg.vendors.arista.reading.policies import Packet, takes_packet
from rocecfg.vendors.packet_filters import (
    DROPS,
    ROCE_PORT,
    BoundFilter,
    Effect,
    Entry,
    FoundFilter,
    Match,
    find_rdma,
)

_BINDS = re.compile(
    r"^(?:interface (?P<interface>\S.*?)|"
    r"[ \t]+(?P<kind>ip|ipv6|mac) access-group (?P<name>\S+) (?P<way>in|out)|\S.*?)\s*$",
    re.MULTILINE,
)
_MAC_LIST = re.compile(r"^mac access-list (?P<name>\S+)[ \t\r]*\n(?P<lines>(?:[ \t].*\n?)*)", re.MULTILINE)
_PACKET = Packet("udp", ROCE_PORT, None)
_Line = tuple[str, Span]


class AccessLists:
    """The lists of a text, and where they are bound."""

    def __init__(self, config: ConfigBlocks, text: str, doc: int, start: int) -> None:
        self._lists: dict[str, list[_Line]] = {
            name: [(line, block.span(n)) for n, line in enumerate(block.lines)] for name, block in config.lists.items()
        }
        self._bound: dict[tuple[str, str, str], list[tuple[str, Span]]] = {}
        if "access-group" not in text:
            return
        for found in _MAC_LIST.finditer(text):
            at = Span(doc, start + found.start(), start + found.start("lines") - 1)
            self._lists[f"mac {found['name']}"] = [
                (line.strip(), at) for line in found["lines"].splitlines() if line.strip()[:1] not in ("", "!")
            ]
        interface = ""
        for found in _BINDS.finditer(text):
            if found["name"] is None:
                interface = found["interface"] or ""
            elif interface and (found["kind"] != "ip" or interface.startswith(("Vl", "vl"))):
                at = Span(doc, start + found.start("kind"), start + found.end("way"))
                self._bound.setdefault((found["kind"], found["name"], found["way"]), []).append((interface, at))

    def list_bound(self, ports: Sequence[Port], chain: Chain) -> Iterator[FoundFilter]:
        """Those that take what comes in or goes out of ports."""
        for (kind, name, way), places in self._bound.items():
            lines = self._lists.get(f"{kind} {name}")
            if not lines:
                continue
            names = {port for interface, _ in places for port in (*(expand_interfaces(interface) or ()), interface)}
            on = [port for port in ports if not names.isdisjoint(port.names)]
            if not on and not any(interface.startswith(("Vl", "vl")) for interface, _ in places):
                continue
            reached = tuple(each for port in on for each in port.names if each in names)
            entries = tuple(entry for line, at in lines if (entry := _parse_entry(kind, line, at)) is not None)
            unsure = (
                "" if kind != "ipv6" or any(str(ROCE_PORT) in line for line, _ in lines) else "whether RDMA is IPv6"
            )
            wording = f"{kind} access list {name}"
            bound = BoundFilter(wording, places[0][1], way, reached, entries, drops_rest=True, unsure=unsure)
            yield FoundFilter(bound, find_rdma(on or ports, chain), "\n".join(line for line, _ in lines))


def _parse_entry(kind: str, line: str, at: Span) -> Entry | None:
    words = line.split()
    if words[0].isdigit():
        words = words[1:]
    if words[:1] not in (["permit"], ["deny"]):
        return None
    if kind == "mac":
        takes = True if words[1:3] == ["any", "any"] and len(words) == 3 else None
    else:
        takes = takes_packet(line, _PACKET)
    match = Match(never=takes is False, other="" if takes is not None else "addresses, or what else it asks for")
    return Entry(at, f"`{line[:60]}`", match, (Effect(DROPS),) if words[0] == "deny" else (), ends=True)
