"""What `mlnx_qos`, `dcb`, `ethtool`, `mlxconfig` and Windows print of NICs, in files with prompts and all."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.hosts import windows
from rocecfg.hosts.fates import weigh_lines
from rocecfg.hosts.state import PRIORITIES, ROCE_PORT, HostOutput, NicState, SendingClass, unexpected_text
from rocecfg.model import Span
from rocecfg.source.document import Document, SourceError

# a command of which the output follows, with the interface it is about
_COMMAND = re.compile(
    r"(?:^|[\s#$>])(?:mlnx_qos\b.*?\s(?:-i\s*|--interface[= ])(?P<qos>[\w.@-]+)|dcb\b.*?\bdev\s+(?P<dcb>[\w.@-]+)|"
    r"ethtool\s+(?:-a|--show-pause|--show-priv-flags)\s+(?P<ethtool>[\w.@-]+))"
)
_OF_CARD = re.compile(r"(?:^|[\s#$>])m(?:lx|st)config\b.*?\s(?:-d\s*|--dev[= ])(?P<card>\S+)")
_NEXT_CARD = re.compile(r"^Device #\d+:")
_CARD = re.compile(r"^Device:\s+(?P<card>\S+)")
_FIRMWARE = re.compile(  # one value, or with -e the default, the current and that of the next boot
    r"^[*\s]*(?:RO\s+)?(?P<key>LLDP_NB_(?:DCBX|RX_MODE|TX_MODE)|DCBX_(?:IEEE|CEE|WILLING))_P(?P<port>\d+)\s+"
    r"(?P<value>\S.*?)\s*$"
)
_STATE = re.compile(r"(?:\w+\()?(?P<number>\d+)\)?")
_DCBX = re.compile(r"^DCBX mode: *(?P<value>OS|Firmware) controlled")
_PROMPT = re.compile(r"^\s*\[?[\w.-]+@(?P<host>[\w.-]+)")
_PAUSE = re.compile(r"^Pause parameters for (?P<name>[\w.@-]+):")
_LINK_PAUSE = re.compile(r"^(?P<side>RX|TX):\s+(?P<value>on|off)\b")
_TRUST = re.compile(r"^Priority trust state: *(?P<value>\S*)")
_CABLE = re.compile(r"^Cable len: *(?P<value>\S*)")
_ENABLED = re.compile(r"^\s+enabled\s+(?P<value>\S.*?)\s*$")
_MAPPED = re.compile(r"^\s*prio:(?P<priority>\d) dscp:(?P<value>[\d,]+)")
_BUFFERS = re.compile(r"^Receive buffer size \(bytes\): *(?P<value>[\d,]*\d)")
_BUFFER_OF = re.compile(r"^\s+buffer\s+(?P<value>\d.*?)\s*$")
_SENDING = re.compile(
    r"^tc: *(?P<number>\d+) ratelimit: *(?P<value>[^,]+), tsa: *(?P<kind>\w+)(?:, bw: *(?P<share>\d+)%)?"
)
_SENT = re.compile(r"^\s+priority: +(?P<value>[0-7])\s*$")
_BY_CLASS = re.compile(r"^\s*(?:\S+ ets-cap .*?)?(?P<key>tc-bw|tc-tsa|prio-tc|tc-maxrate)\s+(?P<value>\S.*?)\s*$")
_PORT_PRIO = re.compile(r"^\s*(?:dgram-port|port)-prio\s+(?P<value>\S.*?)\s*$")
_OWN = "vendor"
_FLAGS = re.compile(r"^Private flags for (?P<name>[\w.@-]+):")
_AGENT = re.compile(r"^fw-lldp-agent\s*: *(?P<value>on|off)\b")
_UNJUDGED = re.compile(  # QoS that these tools print, and nothing here judges
    r"^\s*(?P<value>(?:default-prio|ethtype-prio|stream-port-prio|pcp-prio|reco-tc-bw|reco-tc-tsa|reco-prio-tc|prio-buffer|"
    r"buffer-size|apptrust|order|prio-dscp|prio-pcp|total-size)\s+\S.*?|default priority: *\d\S*|Receive buffer size.*|"
    r"willing on\b.*?|pfc-cap [0-7] .*?|(?:host|lld-managed)(?: +(?:ieee|cee|static))+)\s*$"
)
_PRIO_PFC = re.compile(r"(?:^|\s)prio-pfc\s+(?P<value>\S.*?)\s*$")
_DSCP_PRIO = re.compile(r"^\s*dscp-prio\s+(?P<value>\S.*?)\s*$")
_NAMED = {  # dcb shows code points by the names of iproute2's rt_dsfield
    "default": 0,
    "EF": 46,
    **{f"CS{n}": 8 * n for n in range(8)},
    **{f"AF{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)},
}


def read(document: Document) -> HostOutput:
    """The NICs that a text tells of, in its order. Raises SourceError with the place of what cannot be read."""
    nics, lines = windows.read(document) if windows.is_windows(document.text) else _Reader(document).read()
    return HostOutput(nics, weigh_lines(document, lines, (at for nic in nics for at in nic.unread)))


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._found: list[NicState] = []
        self._cards: dict[tuple[str | None, str | None, str], NicState] = {}  # by host, card, and number of its port
        self._card: str | None = None
        self._host: str | None = None
        self._offset = 0

    def read(self) -> tuple[list[NicState], set[int]]:
        """The NICs, and where lines begin that tell of them."""
        lines: set[int] = set()
        for line in self._document.text.splitlines(keepends=True):
            if self._read_line(line.rstrip("\r\n")):
                lines.add(self._offset)
            self._offset += len(line)
        for nic in self._found:
            own = [each.own for each in nic.sending.values() if each.own is not None]
            if len(own) < len(nic.sending):  # beside others; drivers have it for all unless told otherwise
                nic.unread += own
        nics = [nic for nic in (*self._found, *self._cards.values()) if nic.places or nic.mapped or nic.unread]
        return nics, lines

    def _read_line(self, line: str) -> bool:
        """Whether a line tells of a NIC."""
        command = _COMMAND.search(line)
        if command is not None:
            self._read_prompt(line)
            self._switch_to(command["qos"] or command["dcb"] or command["ethtool"])
        elif (match := _PAUSE.match(line) or _FLAGS.match(line)) is not None:
            self._switch_to(match["name"])
        elif (match := _LINK_PAUSE.match(line)) is not None:
            nic = self._current_nic()
            if not nic.pauses:  # the place of the first side that is on
                nic.places["pauses"] = self._span_of(match)
            nic.pauses = (nic.pauses or ()) + ((match["side"],) if match["value"] == "on" else ())
        elif (match := _TRUST.match(line)) is not None:
            self._read_trust(match)
        elif (match := _DCBX.match(line)) is not None:
            nic = self._nic_for("dcbx")
            nic.dcbx = match["value"].lower()
            nic.places["dcbx"] = self._span_of(match)
        elif (match := _CABLE.match(line)) is not None:
            self._read_cable(match)
        else:
            return self._read_firmware(line) or self._read_queues(line) or self._read_priorities(line)
        return True

    def _read_firmware(self, line: str) -> bool:
        """Whether a line is mlxconfig's, or the command for it."""
        if (match := _OF_CARD.search(line) or _CARD.match(line)) is not None:
            self._read_prompt(line)
            self._card = match["card"]
        elif _NEXT_CARD.match(line) is not None:
            self._card = None
        elif (match := _FIRMWARE.match(line)) is not None:
            self._read_setting(match)
        return match is not None

    def _read_queues(self, line: str) -> bool:
        """Whether a line is on receive buffers, traffic classes, ports or what nothing judges."""
        nic = self._found[-1] if self._found else None
        if (match := _BUFFERS.match(line)) is not None:
            nic = self._nic_for("buffers")
            nic.buffers = tuple(map(int, match["value"].split(",")))[:PRIORITIES]
            nic.places["buffers"] = self._span_of(match)
        elif nic is not None and "pfc" in nic.places and (match := _BUFFER_OF.match(line)) is not None:
            self._read_buffer_of(nic, match)
        elif (match := _SENDING.match(line)) is not None:
            self._read_sending(match)
        elif nic is not None and nic.sending and (match := _SENT.match(line)) is not None:
            nic.class_of[int(match["value"])] = list(nic.sending)[-1]
        elif (match := _BY_CLASS.match(line)) is not None:
            self._read_by_class(match)
        elif (match := _PORT_PRIO.match(line)) is not None:
            for item in self._iter_pairs(match, 65536, PRIORITIES, "UDP ports with priorities from 0 to 7"):
                nic = self._current_nic()
                nic.ports[int(item[1])] = int(item[2]), item[3]
                nic.places.setdefault("ports", item[3])
                if int(item[1]) != ROCE_PORT:
                    nic.unread.append(item[3])
        elif (match := _AGENT.match(line)) is not None:
            nic = self._nic_for("fw_lldp")
            nic.fw_lldp, nic.places["fw_lldp"] = match["value"] == "on", self._span_of(match)
        elif (match := _UNJUDGED.match(line)) is not None:
            self._current_nic().unread.append(self._span_of(match))
        return match is not None

    def _read_buffer_of(self, nic: NicState, match: re.Match[str]) -> None:
        words = match["value"].split()
        if len(words) != PRIORITIES or not all(word.isdecimal() and int(word) < PRIORITIES for word in words):
            raise self._error(match, "a receive buffer from 0 to 7 for each of the priorities 0 to 7")
        nic.buffer_of, nic.places["buffer_of"] = tuple(map(int, words)), self._span_of(match)

    def _read_sending(self, match: re.Match[str]) -> None:
        number = int(match["number"])
        nic = self._current_nic()
        if nic.interface is None and number in nic.sending:
            nic = NicState(Span(self._document.number, self._offset, self._offset), self._host)
            self._found.append(nic)
        begin = self._offset + match.start("share")
        at = Span(self._document.number, self._offset, self._offset + match.end("kind"))
        nic.sending.pop(number, None)
        nic.sending[number] = SendingClass(
            self._span_of(match),
            self._span_of(match) if match["value"].strip() != "unlimited" else None,
            int(match["share"]) if match["share"] is not None else None,
            Span(self._document.number, begin, self._offset + match.end("share")) if match["share"] else None,
            match["kind"] == "strict",
            at if match["kind"] == _OWN else None,
        )
        nic.places.setdefault("sending", self._span_of(match))

    def _read_by_class(self, match: re.Match[str]) -> None:
        """What `dcb ets` and `dcb maxrate` print, by number."""
        nic = self._current_nic()
        key, wanted = match["key"], "numbers from 0 to 7, each with its value"
        for _, number, value, at in self._iter_pairs(match, PRIORITIES, None, wanted):
            if key == "prio-tc":
                nic.class_of[int(number)] = int(value) if value.isdecimal() else 0
                continue
            found = nic.sending.setdefault(int(number), SendingClass(at))
            if key == "tc-tsa":
                found.strict, found.own = value == "strict", at if value == _OWN else None
            elif key == "tc-bw":
                found.share, found.share_at = (int(value), at) if value.isdecimal() else (None, None)
            elif value not in ("0", "0bit", "0B"):  # no limit
                found.limit = at
        nic.places.setdefault("sending", self._span_of(match))

    def _iter_pairs(
        self, match: re.Match[str], numbers: int, values: int | None, wanted: str
    ) -> Iterator[tuple[str, str, str, Span]]:
        """`0:20 1:30`: each pair, its two sides, and where it stands."""
        begin = self._offset + match.start("value")
        for item in re.finditer(r"\S+", match["value"]):
            number, _, value = item[0].partition(":")
            sides = ((number, numbers), (value, values))
            if not value or any(top is not None and not (s.isdecimal() and int(s) < top) for s, top in sides):
                raise self._error(match, wanted)
            yield item[0], number, value, Span(self._document.number, begin + item.start(), begin + item.end())

    def _read_setting(self, match: re.Match[str]) -> None:
        values = match["value"].split()
        state = _STATE.fullmatch(values[1] if len(values) > 2 else values[0])  # current, before that of the next boot
        if state is None:
            return  # N/A: the card has no such setting
        key = (self._host, self._card, match["port"])
        if key not in self._cards:
            at = Span(self._document.number, self._offset, self._offset)
            self._cards[key] = NicState(at, self._host, card=self._card)
        nic = self._cards[key]
        nic.firmware[match["key"]] = state["number"] != "0"
        begin = self._offset + match.start("key")
        nic.places[match["key"]] = Span(self._document.number, begin, self._offset + match.end("value"))

    def _read_priorities(self, line: str) -> bool:
        """Whether a line is on PFC, or on what leads to which priority."""
        if (match := _ENABLED.match(line)) is not None:
            self._read_pfc(match, match["value"].split(), {"0": False, "1": True})
        elif (match := _PRIO_PFC.search(line)) is not None:
            numbered = [item.partition(":") for item in match["value"].split()]
            if [number for number, *_ in numbered] != [str(n) for n in range(PRIORITIES)]:
                raise self._error(match, "on or off for each of the priorities 0 to 7")
            self._read_pfc(match, [value for *_, value in numbered], {"off": False, "on": True})
        elif (match := _MAPPED.match(line)) is not None:
            for item in re.finditer(r"[^,]+", match["value"]):
                self._read_map(match, item, item[0], match["priority"])
        elif (match := _DSCP_PRIO.match(line)) is not None:
            nic = self._current_nic()
            nic.trust = "dscp"  # the drivers trust DSCP as long as there is such an entry
            nic.places.setdefault("trust", self._span_of(match))
            for item in re.finditer(r"\S+", match["value"]):
                number, _, priority = item[0].partition(":")
                self._read_map(match, item, str(_NAMED.get(number, number)), priority)
        return match is not None

    def _read_cable(self, match: re.Match[str]) -> None:
        if not match["value"].isdecimal():
            raise self._error(match, "a cable length of whole metres")
        nic = self._nic_for("cable")
        nic.cable = int(match["value"])
        nic.places["cable"] = self._span_of(match)

    def _read_trust(self, match: re.Match[str]) -> None:
        value = match["value"]
        if value not in ("pcp", "dscp", "none"):
            raise self._error(match, "pcp, dscp or none")
        nic = self._nic_for("trust")
        nic.trust = value if value != "none" else None  # what mlnx_qos says where it cannot tell
        nic.places["trust"] = self._span_of(match)

    def _read_pfc(self, match: re.Match[str], words: list[str], values: dict[str, bool]) -> None:
        if len(words) != PRIORITIES or not values.keys() >= set(words):
            raise self._error(match, f"{' or '.join(values)} for each of the priorities 0 to 7")
        nic = self._nic_for("pfc")
        nic.pfc = tuple(n for n, word in enumerate(words) if values[word])
        nic.places["pfc"] = self._span_of(match)

    def _read_map(self, match: re.Match[str], item: re.Match[str], number: str, priority: str) -> None:
        if not (number.isdecimal() and int(number) < 64 and priority.isdecimal() and int(priority) < PRIORITIES):
            raise self._error(match, "DSCPs from 0 to 63 with priorities from 0 to 7")
        nic = self._current_nic()
        nic.priority_of[int(number)] = int(priority)
        begin = self._offset + match.start("value")
        nic.mapped[int(number)] = Span(self._document.number, begin + item.start(), begin + item.end())

    def _read_prompt(self, line: str) -> None:
        """The host, where a command stands behind its prompt."""
        prompt = _PROMPT.match(line)
        self._host = prompt["host"] if prompt is not None else self._host

    # -- which NIC it is -----------------------------------------------------------------------------------------------

    def _switch_to(self, interface: str) -> None:
        """What follows is about this interface."""
        for value in self._found:
            if value.interface == interface and value.host == self._host:
                self._found.remove(value)
                self._found.append(value)
                return
        self._found.append(NicState(Span(self._document.number, self._offset, self._offset), self._host, interface))

    def _current_nic(self) -> NicState:
        if not self._found:
            self._found.append(NicState(Span(self._document.number, self._offset, self._offset), self._host))
        return self._found[-1]

    def _nic_for(self, what: str) -> NicState:
        """The NIC that a line is about: another one where the same was told of this one, and no command named it."""
        nic = self._current_nic()
        if what in nic.places and nic.interface is None:
            self._found.append(NicState(Span(self._document.number, self._offset, self._offset), self._host))
        return self._found[-1]

    # -- places --------------------------------------------------------------------------------------------------------

    def _span_of(self, match: re.Match[str]) -> Span:
        begin = self._offset + match.start("value")
        return Span(self._document.number, begin, self._offset + match.end("value"))

    def _error(self, match: re.Match[str], wanted: str) -> SourceError:
        return unexpected_text(self._document, self._span_of(match), wanted)
