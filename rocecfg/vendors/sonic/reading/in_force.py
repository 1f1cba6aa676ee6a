"""Every field of CONFIG_DB on RoCE where it takes effect: references followed, names of profiles and maps left out.

Two configurations are compared by these. An intent has no word for most of them, so they are no part of the model.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from rocecfg.model.catalogue import What
from rocecfg.model.switch import Fact, Facts
from rocecfg.source.document import Document
from rocecfg.vendors.sonic import domain
from rocecfg.vendors.sonic.reading.context import Context, referenced_name
from rocecfg.vendors.sonic.reading.fields import MASK
from rocecfg.vendors.sonic.reading.forms import HOST, Namespace, read_config_db
from rocecfg.vendors.sonic.reading.indexed import NumberedRows, RowsByPort
from rocecfg.vendors.sonic.reading.maps import find_maps
from rocecfg.vendors.sonic.reading.rows import Row, cells_of, parse_number, parse_priorities
from rocecfg.vendors.sonic.settings import (
    BESIDE,
    BINDINGS,
    COUNTERS,
    FIELDS,
    MAPS,
    METADATA,
    PFC_WD_GLOBAL,
    PORT,
    Field,
    topic_of,
)

_MBIT = 10**6  # PORT counts Mbit/s
_ANY = Field("any")
_LISTS = {"BUFFER_PORT_INGRESS_PROFILE_LIST": "ingress", "BUFFER_PORT_EGRESS_PROFILE_LIST": "egress"}
_OF_PORT = ("PORT", "PFC_WD", *_LISTS)
_OF_SWITCH = {  # tables whose rows are the switch's own, and how their fields are told apart: by the row, or not
    "BUFFER_POOL": "{}.",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": "{}.",
    "LOSSLESS_TRAFFIC_PATTERN": "{}.",
    "SWITCH_TRIMMING": "",
    "FLEX_COUNTER_TABLE": "{}.",
}
_OF_SWITCH_MAP = "that of the switch"  # in PORT_QOS_MAP|global
_HIGHEST = 7  # traffic class that a port's maps are filled in to


def read_in_force(document: Document, space: str | None, release: str | None) -> dict[str, Facts]:
    """The settings of a switch, or of one ASIC of it, in a text that was read before."""
    form = read_config_db(document)
    host = form.spaces.get(HOST) or Namespace(None)
    return _Walk(
        Context(document.number, form.get_or_add_space(space), host, release, patch=form.patch)
    ).collect_settings()


class _Walk:
    """Goes from a port, or the switch, to all that its rows name; rows that are not reached so are put whole."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._indexed = RowsByPort(ctx)
        self._reached: set[tuple[str, str]] = set()  # table and key

    def collect_settings(self) -> dict[str, Facts]:
        switch = self._collect_switch()
        known: dict[Hashable, Facts] = {}
        ports: dict[str, Facts] = {}
        for name in self._indexed.list_ports():
            rows = [self._ctx.row(table, name) for table in _OF_PORT] + [self._indexed.qos.get(name)]
            numbers = self._indexed.rows_by_number((name,))
            lengths = tuple(row.get(name) for row in self._ctx.table("CABLE_LENGTH").values())
            key = tuple(id(row.cells) if row else 0 for row in rows), lengths, self._indexed.signature(name)
            if key not in known:
                known[key] = self._collect_port(name, rows, numbers)
            ports[name] = known[key]
            self._mark_port_reached(rows, numbers)
        self._put_unreached(switch, ports)
        return {"": switch, **ports}

    def _mark_port_reached(self, rows: list[Row | None], numbers: NumberedRows) -> None:
        for table, row in zip((*_OF_PORT, "PORT_QOS_MAP"), rows, strict=True):
            if row is not None:
                self._reached.add((table, row.key))
        self._reached.update(("QUEUE", row.key) for both in numbers.queues.values() for row in both if row is not None)
        self._reached.update(("BUFFER_PG", row.key) for row in numbers.groups.values())
        self._reached.update(("BUFFER_QUEUE", row.key) for row in numbers.egress.values())

    def _put_unreached(self, switch: Facts, ports: Mapping[str, Facts]) -> None:
        """Rows that no port and nothing of the switch leads to: they do nothing as long as that is so."""
        for table in sorted(domain.QOS - {"CABLE_LENGTH"}):
            for key, row in self._ctx.table(table).items():
                if (table, key) not in self._reached:
                    stated = tuple(sorted(f"{field} {text}" for field, text in row.cells.texts.items()))
                    switch[What("idle", None, f"{table}|{key}")] = Fact(stated, row.at)
        for table, rows in self._ctx.space.unjudged.items():
            for key, row in rows.items():
                stated = tuple(sorted(f"{field} {text}" for field, text in row.cells.texts.items()))
                switch[What("unread", None, f"{table}|{key}")] = Fact(stated, row.at)
        for key, row in self._ctx.table("VLAN").items():
            if "mtu" in row.cells:
                switch[What("unread", None, f"VLAN|{key} mtu")] = Fact(row.get("mtu"), row.locate("mtu"))
        for key, row in self._ctx.table("CABLE_LENGTH").items():
            for name, cell in row.cells.items():
                if name not in ports:
                    switch[What("idle", None, f"CABLE_LENGTH|{key} {name}")] = Fact(cell.text, row.locate_cell(cell))

    # -- a port --------------------------------------------------------------------------------------------------------

    def _collect_port(self, name: str, rows: list[Row | None], numbers: NumberedRows) -> Facts:
        out: Facts = {}
        port, dog, ingress, egress, qos = rows
        self._put_fields(out, "PORT", port, PORT)
        self._put_fields(out, "PFC_WD", dog, FIELDS["PFC_WD"])
        if qos is not None:
            self._put_binding(out, qos)
        for lengths in self._ctx.table("CABLE_LENGTH").values():
            cell = lengths.cells.get(name)
            if cell is not None:
                metres = parse_number(cell.text.removesuffix("m")) if cell.text.endswith("m") else None
                out[What("cable")] = Fact(cell.text if metres is None else metres, lengths.locate_cell(cell))
        for queue, (scheduler, wred) in numbers.queues.items():
            self._put_referenced(out, "QUEUE", scheduler, "scheduler", queue)
            self._put_referenced(out, "QUEUE", wred, "wred_profile", queue)
        for table, bound_to in (("BUFFER_PG", numbers.groups), ("BUFFER_QUEUE", numbers.egress)):
            for n, row in bound_to.items():
                self._put_referenced(out, table, row, "profile", n)
        for (table, side), listed in zip(_LISTS.items(), (ingress, egress), strict=True):
            if listed is not None:
                for n, profile in enumerate((listed.get("profile_list") or "").split(",")):
                    self._follow_reference(out, table, listed, "profile_list", profile, None, f"{side} {n + 1}.")
        return out

    def _put_binding(self, out: Facts, qos: Row) -> None:
        """What a row of PORT_QOS_MAP binds, map by map, and the priorities that it names."""
        self._put_fields(out, "PORT_QOS_MAP", qos, FIELDS["PORT_QOS_MAP"])
        self._put_referenced(out, "PORT_QOS_MAP", qos, "scheduler", None)
        for (field, table), name in zip(BINDINGS.items(), find_maps(self._ctx, qos), strict=True):
            row = self._ctx.row(table, name) if name is not None else None
            if row is not None:
                self._reached.add((table, row.key))
                self._put_entries(out, table, row)
            if name is not None:
                value = (
                    f"{name}, which is not there" if row is None else "bound" if field in qos.cells else _OF_SWITCH_MAP
                )
                out[What("maps", None, field)] = Fact(value, qos.locate(field))

    def _put_entries(self, out: Facts, table: str, row: Row) -> None:
        """Where a map leads from each number."""
        topic, (low, high) = topic_of(table, ""), domain.NUMBERS[MAPS[table][0]]
        if table not in domain.WITHOUT_ENTRY and not self._ctx.patch:
            for n in range(low, high + 1 if topic == "tc_of_dscp" else _HIGHEST + 1):
                out[_name_entry(topic, str(n))] = Fact(int(domain.DEFAULT_ENTRY), self._ctx.at)
        for key, cell in row.cells.items():
            value = parse_number(cell.text)
            out[_name_entry(topic, key)] = Fact(cell.text if value is None else value, row.locate_cell(cell))

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _collect_switch(self) -> Facts:
        ctx, out = self._ctx, Facts()
        self._put_fields(out, "DEVICE_METADATA", ctx.row("DEVICE_METADATA", "localhost"), METADATA)
        everywhere = ctx.row("PORT_QOS_MAP", "global")
        if everywhere is not None:
            self._reached.add(("PORT_QOS_MAP", "global"))
            self._put_binding(out, everywhere)
        watchdog = ctx.row("PFC_WD", "GLOBAL")
        self._reached.add(("PFC_WD", "GLOBAL"))
        if watchdog is not None or ctx.whole:
            self._put_fields(out, "PFC_WD", watchdog or Row(ctx.doc, "GLOBAL", 0, 0, 0, _EMPTY), PFC_WD_GLOBAL)
        for table, prefix in _OF_SWITCH.items():
            for key, row in ctx.table(table).items():
                self._reached.add((table, key))
                self._put_fields(out, table, row, FIELDS.get(table, COUNTERS), prefix=prefix.format(key))
        return out

    # -- rows ----------------------------------------------------------------------------------------------------------

    def _put_referenced(self, out: Facts, table: str, row: Row | None, field: str, n: int | None) -> None:
        """What the row does that a field names."""
        if row is not None and field in row.cells:
            self._follow_reference(out, table, row, field, row.get(field) or "", n, "")

    def _follow_reference(
        self, out: Facts, table: str, row: Row, field: str, text: str, n: int | None, prefix: str
    ) -> None:
        to = FIELDS[table][field].table
        name, topic = referenced_name(text, to), topic_of(table, field)
        found = self._ctx.row(to, name)
        value = "bound" if found is not None else name
        out[What(topic, n, f"{prefix}{field}")] = Fact(value, row.locate(field))
        if found is not None:
            self._reached.add((to, name))
            own = topic if to == "BUFFER_PROFILE" or n is None else ""
            self._put_fields(out, to, found, FIELDS[to], n, prefix, own)

    def _put_fields(
        self,
        out: Facts,
        table: str,
        row: Row | None,
        known: Mapping[str, Field],
        n: int | None = None,
        prefix: str = "",
        topic: str = "",
    ) -> None:
        """Puts the fields of a row, and the defaults of those that it leaves out.

        `topic`: the setting that all of them are parts of; "": each is of its own. Maps are put entry by entry.
        """
        if row is None:
            return
        more = () if table in BESIDE else row.cells
        for name in dict.fromkeys((*known, *more)):
            if table == "PORT_QOS_MAP" and name in known and known[name].kind == "ref":
                continue
            own = topic or topic_of(table, name)
            what = What(own, n, "" if own == name else f"{prefix}{name}")
            cell = row.cells.get(name)
            if cell is not None:
                out[what] = Fact(_parse_value(name, known.get(name, _ANY), cell.text), row.locate_cell(cell))
            elif (silence := known[name].default) is not None and not self._ctx.patch:
                out[what] = Fact(_parse_value(name, known[name], silence), self._ctx.at)


def _name_entry(topic: str, key: str) -> What:
    """The entry of a map. DSCPs that are written on the way out are one setting."""
    n = parse_number(key)
    if topic == "remarks":
        return What(topic, None, f"tc {key}")
    return What(topic, n) if n is not None else What(topic, None, key)


def _parse_value(name: str, field: Field, text: str) -> Hashable:
    if field.kind == "mask" and MASK.fullmatch(text) is not None:
        return parse_priorities(text)
    value = parse_number(text) if field.kind == "number" else None
    if value is None:
        return text
    return value * _MBIT if name == "speed" else value


_EMPTY = cells_of({})
