"""Tables whose keys are ports and numbers, `Ethernet0|3-4`, taken apart: port -> number -> row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.vendors.sonic.domain import PORT_NAME
from rocecfg.vendors.sonic.reading.context import Context, parse_indexes
from rocecfg.vendors.sonic.reading.rows import Row, shorten

_OF_VOQS = ("QUEUE", "BUFFER_QUEUE")
_MOST = {"QUEUE": 48, "BUFFER_QUEUE": 15, "BUFFER_PG": 7}  # the CPU port has up to 49 queues
_VOQ_PARTS = 4
_CPU = "CPU"
_EVERYWHERE = {"PORT_QOS_MAP": "global", "PFC_WD": "GLOBAL"}

_OF_QUEUES = ("scheduler", "wred_profile")
Entry = tuple[str, str, Row]  # table, numbers as written, row


class NumberedRows(NamedTuple):
    """What the rows of a port say by number."""

    queues: dict[int, tuple[Row | None, Row | None]]  # the row that names its scheduler, and its WRED profile's
    groups: dict[int, Row]
    egress: dict[int, Row]
    overlaps: list[tuple[str, str, str, Row]]  # table, numbers of two rows that share some, and the latter


def _find_overlaps(entries: Sequence[Entry]) -> Iterator[tuple[str, str, str, Row]]:
    """Rows of one port that share a number and say nothing different of it: those that do are told as that."""
    for n, (table, text, row) in enumerate(entries):
        for other_table, other, before in entries[:n]:
            differ = any(row.get(field) != before.get(field) for field in row.cells.keys() & before.cells.keys())
            if other_table == table and not differ and set(parse_indexes(text) or ()) & set(parse_indexes(other) or ()):
                yield table, other, text, row


class RowsByPort:
    """The rows of PORT_QOS_MAP, QUEUE, BUFFER_PG and BUFFER_QUEUE by port."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        local = ctx.row("DEVICE_METADATA", "localhost")
        self._voq = local is not None and local.get("switch_type") == "voq"
        host, asic = (local.get("hostname"), local.get("asic_name")) if local is not None else (None, None)
        self._here = (host or "", (asic or "").lower()) if host else self._guess_card()
        self._ports = ctx.table("PORT")
        # on a VOQ switch without a name, rows may be for ports of other line cards
        self._checked = ctx.whole or (ctx.ported and (not self._voq or bool(host)))
        self._good: dict[str, tuple[str, ...]] = {}  # keys of one port each that nothing is wrong with
        self._rows: dict[str, list[Entry]] = {}
        self.elsewhere: dict[str, list[Entry]] = {}  # ports of other cards, HOST|ASIC|PORT: the same of them
        self.qos: dict[str, Row] = {}
        for key, row in ctx.table("PORT_QOS_MAP").items():
            for port in self._accepted_ports("PORT_QOS_MAP", key, row):
                self.qos[port] = row
        for table in _MOST:
            self._index_table(table)
        for table in ("PFC_WD", "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST"):
            for key, row in ctx.table(table).items():
                self._accepted_ports(table, key, row)

    def _guess_card(self) -> tuple[str, str]:
        """The host and the ASIC whose rows have most schedulers, where the text does not say whose it is.

        Stock templates give rows for ports of other cards none. The first of several that have as many.
        """
        found: dict[tuple[str, str], int] = {}
        for table in _OF_VOQS:
            for key, row in self._ctx.table(table).items():
                parts = key.split("|")
                if len(parts) == _VOQ_PARTS:
                    card = parts[0], parts[1].lower()
                    found[card] = found.get(card, 0) + ("scheduler" in row.cells)
        return max(found, key=found.__getitem__) if len(found) > 1 else ("", "")

    def list_ports(self) -> dict[str, Span]:
        """All ports of the text, and where each is named first; those of PORT first."""
        out: dict[str, Span] = {}
        for name, row in self._ports.items():
            if PORT_NAME.fullmatch(name) is not None:
                out[name] = row.at
        for rows in (self.qos, {k: r for k, r in self._ctx.table("PFC_WD").items() if k != "GLOBAL"}):
            for name, row in rows.items():
                if name not in out:
                    out[name] = row.at
        for name, entries in self._rows.items():
            if name not in out:
                out[name] = entries[0][2].at
        for row in self._ctx.table("CABLE_LENGTH").values():
            for name, cell in row.cells.items():
                if name not in out:
                    out[name] = row.locate_name(cell)
        return {name: at for name, at in out.items() if self._is_port(name)}

    def signature(self, port: str) -> tuple[tuple[str, str, int], ...]:
        """What the rows of a port say: equal for ports of which they say the same."""
        return tuple([(table, text, id(row.cells)) for table, text, row in self._rows.get(port, ())])

    def rows_by_number(self, ports: Sequence[str]) -> NumberedRows:
        """The rows of ports of one kind, by number. Notes the numbers that stand in two rows."""
        out = NumberedRows({}, {}, {}, [])
        entries: Sequence[Entry] = self._rows.get(ports[0]) or self.elsewhere.get(ports[0]) or ()
        for table, text, row in entries:
            for n in parse_indexes(text) or ():
                if table == "QUEUE":
                    before = out.queues.get(n, (None, None))
                    both = [row if field in row.cells else None for field in _OF_QUEUES]
                    for field, old, new in zip(_OF_QUEUES, before, both, strict=True):
                        self._note_conflict(table, text, n, field, old, new, ports)
                    out.queues[n] = (both[0] or before[0], both[1] or before[1])
                    continue
                found = out.groups if table == "BUFFER_PG" else out.egress
                self._note_conflict(table, text, n, "profile", found.get(n), row, ports)
                found[n] = row
        out.overlaps.extend(_find_overlaps(entries))
        return out

    def _note_conflict(
        self, table: str, text: str, n: int, field: str, old: Row | None, new: Row | None, ports: Sequence[str]
    ) -> None:
        if old is None or new is None or old.get(field) == new.get(field):
            return
        words = f"number {n} is also in another row of the port with a different value: the last one written wins"
        related = ((old.at, "the other row"),)
        for port in ports:
            key = f"{port}|{text}"
            self._ctx.notes.report("device-conflict", table, key, new.at, words, "let no two overlap", related=related)

    def _is_port(self, name: str) -> bool:
        return PORT_NAME.fullmatch(name) is not None and (not self._ctx.whole or name in self._ports)

    def _accepted_ports(self, table: str, key: str, row: Row) -> tuple[str, ...]:
        """The ports of a key: one, or several with commas between, as orchagent takes and YANG does not."""
        known = self._good.get(key)
        if known is not None:
            return known
        if key == _EVERYWHERE.get(table) or key == _CPU:
            return ()
        notes = self._ctx.notes
        if "," in key:
            words = "one key for several ports: orchagent accepts it, but YANG refuses the configuration"
            notes.report("device-unknown", table, key, row.at, words, "write a row for each port")
        out, good = [], "," not in key
        for port in key.split(",") if table != "PFC_WD" else (key,):
            if PORT_NAME.fullmatch(port) is None:
                notes.report("device-value", table, key, row.at, f"{shorten(port)!r} is not a port")
                good = False
                continue
            if self._checked and port not in self._ports:
                words = f"PORT has no {shorten(port)}: the row does nothing"
                notes.report("device-ref", table, key, row.at, words, severity=self._ctx.severity_of_absence)
                good = False
            out.append(port)
        if good:
            self._good[key] = tuple(out)
        return tuple(out)

    # -- keys with a number --------------------------------------------------------------------------------------------

    def _split_key(self, table: str, key: str, row: Row) -> tuple[str, str, bool] | None:
        """The ports and the numbers of a key, and whether they are of another card; None where it is not read."""
        parts = key.split("|") if "|" in key else key.rsplit(":", 1)
        notes = self._ctx.notes
        if len(parts) == _VOQ_PARTS and table != "BUFFER_PG":
            host, asic = self._here
            elsewhere = bool(host) and (parts[0] != host or (bool(asic) and parts[1].lower() != asic))
            return "|".join(parts[:3]) if elsewhere else parts[2], parts[3], elsewhere
        if len(parts) != 2:
            notes.report("device-value", table, key, row.at, "the key is not a port and its numbers, PORT|3-4")
            return None
        if self._voq and table != "BUFFER_PG":
            words = "on a VOQ switch the key has four parts, HOST|ASIC|PORT|3: orchagent refuses the row"
            notes.report("device-value", table, key, row.at, words)
        return parts[0], parts[1], False

    def _index_table(self, table: str) -> None:
        """Puts the rows of a table with their ports."""
        numbers: dict[str, bool] = {}
        good, rows = self._good, self._rows
        plain = not (self._voq and table != "BUFFER_PG")
        for key, row in self._ctx.table(table).items():
            port, bar, text = key.partition("|")
            ports, here = good.get(port) if bar and plain else None, rows
            if ports is None:
                parts = self._split_key(table, key, row)
                if parts is None:
                    continue
                port, text, other = parts
                ports, here = ((port,), self.elsewhere) if other else (self._accepted_ports(table, port, row), rows)
            fits = numbers.get(text)
            if fits is None:
                found = parse_indexes(text)
                fits = numbers[text] = found is not None and found[-1] <= _MOST[table]
            if not fits:
                words = f"{shorten(text)!r} is neither a number nor a range that rises: orchagent refuses the row"
                self._ctx.notes.report("device-value", table, key, row.at, words, "such as 3, or 3-4")
                continue
            for name in ports:
                if name in here:
                    here[name].append((table, text, row))
                else:
                    here[name] = [(table, text, row)]
