"""What Windows prints of NICs: Get-NetAdapterQos, Get-NetQosFlowControl, -Policy and -TrafficClass; prompts and all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rocecfg.core.records import NamedTuple
from rocecfg.hosts.state import PRIORITIES, WINDOWS, NicState, SendingClass, unexpected_text
from rocecfg.model import Span
from rocecfg.source.document import Document

_WINDOWS = re.compile(
    r"^(?:OperationalFlowControl *:| +NumTCs\(Max/ETS/PFC\) *:|NetworkProfile *:|"
    r"Priority +Enabled +PolicySet\b|Name +Algorithm +Bandwidth\(%\))",
    re.MULTILINE,
)
_PROMPT = re.compile(r"^\[(?P<host>[\w.-]+)\]: PS ")
_FIELD = re.compile(r"^(?P<key>[A-Z]\w*)\s*:\s*(?P<value>.*)$")
_TABLE = re.compile(r"^Priority\s+Enabled\s+PolicySet\b")
_ROW = re.compile(r"^\s*(?P<number>\d)\s+(?P<value>\S+)\s+(?:Global|AdapterSpecific\s+\d+\s+(?P<alias>.*))$")
_RDMA = re.compile(r"^\s*NetDirect\s+\d+\s+(?P<value>\S+)$")  # of OperationalClassifications
_SENDING = re.compile(  # of OperationalTrafficClasses: number, ETS or Strict, share, priorities
    r"^(?:OperationalTrafficClasses *:)?\s+(?P<number>[0-7])\s+(?P<kind>ETS|Strict)\s+(?:(?P<share>\d+)%\s+)?"
    r"(?P<value>[0-7](?:[-,][0-7])*)$"
)
_SHARED = re.compile(  # a row of Get-NetQosTrafficClass
    r"^\S.*?\s+(?P<kind>ETS|Strict)\s+(?:(?P<share>\d+)\s+)?(?P<value>[0-7](?:[-,][0-7])*)\s+"
    r"(?:Global|AdapterSpecific\s+\d+\s+(?P<alias>.*))$"
)
_PAUSED = re.compile(r"^Priorit(?:y|ies) (?P<list>[0-7](?:[-, ]+[0-7])*) Enabled$")
_READ = frozenset({"Name", "Enabled", "OperationalFlowControl", "NetDirectPort"})
_WHOLE = {"All Priorities Disabled": (), "All Priorities Enabled": tuple(range(PRIORITIES))}
_FLAGS = {"True": True, "False": False}


def is_windows(text: str) -> bool:
    """Whether a text holds output of Windows' commands."""
    return _WINDOWS.search(text) is not None


class _Value(NamedTuple):
    text: str
    at: Span
    line: int  # where its line begins


class _Sends(NamedTuple):
    """A traffic class, in a row."""

    host: str | None
    adapter: str | None  # None: of all that say nothing else
    priorities: tuple[int, ...]
    sends: SendingClass


class _Object:
    """Lines `Key : Value` up to the next name: an adapter, or a policy."""

    def __init__(self, host: str | None) -> None:
        self.host = host
        self.fields: dict[str, _Value] = {}
        self.rdma: _Value | None = None
        self.sending: list[_Sends] = []


class _Row(NamedTuple):
    host: str | None
    adapter: str | None  # None: of all that say nothing else
    number: int
    paused: bool
    at: Span
    table: Span  # its heading


def read(document: Document) -> tuple[list[NicState], set[int]]:
    """The NICs that a text tells of, in its order, and where lines begin that do.

    Raises SourceError with the place of what cannot be read.
    """
    return _Reader(document).read()


def _parse_list(text: str) -> tuple[int, ...]:
    """The priorities of `2,4-5`."""
    out: set[int] = set()
    for part in re.split(r"[, ]+", text):
        first, _, last = part.partition("-")
        out.update(range(int(first), int(last or first) + 1) if first else ())
    return tuple(sorted(out))


def _add_sending(nic: NicState, rows: list[_Sends]) -> None:
    for number, row in enumerate(rows):
        nic.sending[number] = row.sends
        nic.class_of.update(dict.fromkeys(row.priorities, number))
        nic.places.setdefault("sending", row.sends.at)


class _Reader:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._host: str | None = None
        self._objects: list[_Object] = []
        self._rows: list[_Row] = []
        self._table: Span | None = None
        self._shares: list[_Sends] = []
        self._offset = 0
        self._lines: set[int] = set()

    def read(self) -> tuple[list[NicState], set[int]]:
        for line in self._document.text.splitlines(keepends=True):
            if self._read_line(line.rstrip()):
                self._lines.add(self._offset)
            self._offset += len(line)
        nics = [*self._read_adapters()]
        known = {(nic.host, nic.interface) for nic in nics}
        hosts = {nic.host for nic in nics}
        # what is set for all adapters tells of those that say nothing of themselves
        tables = [*self._read_tables()]
        apart = {n.host: [other for other in tables if other.interface and other.host == n.host] for n in tables}
        for found in tables:
            if found.interface is None and apart[found.host]:  # an adapter's own rows go before the global ones
                if all(other.pfc != found.pfc for other in apart[found.host]):
                    apart[found.host][0].unread.append(found.places["pfc"])
            elif (found.host, found.interface) not in known and (found.interface or found.host not in hosts):
                nics.append(found)
        nics = self._tell_adapters_apart(nics)
        self._apply_policies(nics)
        for nic in nics:
            if not nic.sending:
                rows = [row for row in self._shares if row.host == nic.host]
                own = [row for row in rows if row.adapter == nic.interface]
                _add_sending(nic, own or [row for row in rows if row.adapter is None])
        return [nic for nic in nics if nic.places], self._lines

    def _tell_adapters_apart(self, nics: list[NicState]) -> list[NicState]:
        """Each adapter that has traffic classes of its own as a NIC, with what is set for all."""
        for host in dict.fromkeys(row.host for row in self._shares):
            known = {nic.interface for nic in nics if nic.host == host}
            whole = next((nic for nic in nics if nic.host == host and nic.interface is None), None)
            rows = {row.adapter: row.sends.at for row in self._shares if row.host == host}
            apart = [name for name in rows if name is not None and name not in known]
            for name in apart or ([] if known else rows):
                of = whole or NicState(rows[name], host, system=WINDOWS)
                nics.append(replace(of, interface=name, places=dict(of.places), sending={}, class_of={}))
            nics = [nic for nic in nics if nic is not whole or not apart]
        return nics

    def _read_line(self, line: str) -> bool:
        """Whether a line tells of a NIC."""
        if (prompt := _PROMPT.match(line)) is not None:
            self._host = prompt["host"]
        if _TABLE.match(line):
            self._table = Span(self._document.number, self._offset, self._offset + len(line))
        elif self._table is not None and line[:1].isdigit():
            self._read_row(line, self._table)
        elif (match := _RDMA.match(line)) is not None and self._objects:
            self._objects[-1].rdma = self._value_of(match)
        elif (match := _SENDING.match(line)) is not None and self._objects:
            self._objects[-1].sending.append(self._make_sends(match, None))
        elif (match := _SHARED.match(line)) is not None:
            self._shares.append(self._make_sends(match, match["alias"]))
        else:
            match = _FIELD.match(line)
            return match is not None and self._read_field(match)
        return True

    def _make_sends(self, match: re.Match[str], adapter: str | None) -> _Sends:
        begin = self._offset + match.start("share")
        share = int(match["share"]) if match["share"] is not None else None
        share_at = Span(self._document.number, begin, self._offset + match.end("share")) if match["share"] else None
        at = self._value_of(match).at
        sends = SendingClass(at, share=share, share_at=share_at, strict=match["kind"] == "Strict")
        return _Sends(self._host, adapter, _parse_list(match["value"]), sends)

    def _read_field(self, match: re.Match[str]) -> bool:
        """Whether a field tells of a NIC; what of a policy does is told once all of it is read."""
        key = match["key"]
        self._table = None
        if key == "Name":
            self._objects.append(_Object(self._host))
        elif not self._objects:
            return False
        here = self._objects[-1]
        if key == "PSComputerName":
            here.host = match["value"] or here.host
        here.fields.setdefault(key, self._value_of(match))
        return key in _READ

    def _read_row(self, line: str, table: Span) -> None:
        match = _ROW.match(line)
        value = _FLAGS.get(match["value"]) if match is not None else None
        if match is None or value is None or int(match["number"]) >= PRIORITIES:
            at = Span(self._document.number, self._offset, self._offset + len(line))
            raise unexpected_text(
                self._document, at, "a row with a priority from 0 to 7, True or False, and its policy set"
            )
        at = self._value_of(match).at
        self._rows.append(_Row(self._host, match["alias"] or None, int(match["number"]), value, at, table))

    def _value_of(self, match: re.Match[str]) -> _Value:
        begin, end = match.span("value")
        at = Span(self._document.number, self._offset + begin, self._offset + end)
        return _Value(match["value"], at, self._offset)

    # -- NICs ----------------------------------------------------------------------------------------------------------

    def _read_adapters(self) -> Iterator[NicState]:
        for found in self._objects:
            enabled, pfc = found.fields.get("Enabled"), found.fields.get("OperationalFlowControl")
            if enabled is None and pfc is None:
                continue
            nic = NicState(found.fields["Name"].at, found.host, found.fields["Name"].text, system=WINDOWS)
            if enabled is not None:
                nic.enabled = _FLAGS.get(enabled.text)
                if nic.enabled is None:
                    raise unexpected_text(self._document, enabled.at, "True or False")
            _add_sending(nic, found.sending)
            if nic.enabled is False and enabled is not None:
                nic.pfc, nic.places["pfc"] = (), enabled.at
            elif pfc is not None:
                nic.pfc, nic.places["pfc"] = self._parse_paused(pfc), pfc.at
                if found.rdma is not None:
                    nic.rdma_priority, nic.places["rdma"] = self._parse_priority(found.rdma), found.rdma.at
            yield nic

    def _parse_paused(self, value: _Value) -> tuple[int, ...]:
        """The priorities of `Priority 3 Enabled`."""
        if value.text in _WHOLE:
            return _WHOLE[value.text]
        match = _PAUSED.match(value.text)
        if match is None:
            raise unexpected_text(
                self._document, value.at, "Priority N Enabled, with N from 0 to 7, or All Priorities Disabled"
            )
        return _parse_list(match["list"])

    def _read_tables(self) -> Iterator[NicState]:
        """What Get-NetQosFlowControl prints, by host and adapter."""
        apart: dict[tuple[str | None, str | None, Span], list[_Row]] = {}
        for row in self._rows:
            apart.setdefault((row.host, row.adapter, row.table), []).append(row)
        for (host, adapter, table), rows in apart.items():
            if {row.number for row in rows} != set(range(PRIORITIES)):
                raise unexpected_text(self._document, table, "a row below for each of the priorities 0 to 7")
            nic = NicState(table, host, adapter, system=WINDOWS)
            nic.pfc = tuple(row.number for row in rows if row.paused)
            nic.places["pfc"] = next((row.at for row in rows if row.paused), table)
            yield nic

    def _apply_policies(self, nics: list[NicState]) -> None:
        """Put RDMA on the priority that a policy gives it, where no adapter says which one it runs."""
        for policy in self._objects:
            if "NetworkProfile" not in policy.fields:
                continue
            port, template = (policy.fields.get(key) for key in ("NetDirectPort", "Template"))
            value = policy.fields.get("PriorityValue")
            rdma = port is not None or (template is not None and template.text == "Default")
            if value is None or not value.text or not rdma:
                continue
            number = self._parse_priority(value)
            self._lines.add(value.line)
            own = [nic for nic in nics if nic.host == policy.host]
            if not own:
                own = [NicState(value.at, policy.host, system=WINDOWS)]
                nics += own
            for nic in own:
                if "rdma" not in nic.places or (port is not None and nic.of_default):
                    nic.rdma_priority, nic.places["rdma"], nic.of_default = number, value.at, port is None

    def _parse_priority(self, value: _Value) -> int:
        if not (value.text.isdecimal() and int(value.text) < PRIORITIES):
            raise unexpected_text(self._document, value.at, "a priority from 0 to 7")
        return int(value.text)
