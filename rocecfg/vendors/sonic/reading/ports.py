"""Ports: rows of all tables brought together, once for all ports of which the same is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Origin, RunningGroup, RunningLeft, RunningPort, RunningQueue, Span
from rocecfg.model.stated import MISSING, Section, Val
from rocecfg.model.switch import Chain, Port
from rocecfg.vendors.sonic.domain import INSIDE
from rocecfg.vendors.sonic.reading import maps
from rocecfg.vendors.sonic.reading.buffers import Buffers, find_stated_headroom
from rocecfg.vendors.sonic.reading.context import Context, referenced_name
from rocecfg.vendors.sonic.reading.headroom import HeadroomReasons, Reason
from rocecfg.vendors.sonic.reading.indexed import NumberedRows, RowsByPort
from rocecfg.vendors.sonic.reading.links import Links
from rocecfg.vendors.sonic.reading.map_bindings import Bound
from rocecfg.vendors.sonic.reading.queues import Queues
from rocecfg.vendors.sonic.reading.rows import Row, parse_number, parse_priorities, shorten
from rocecfg.vendors.sonic.reading.watchdog import Watchdogs
from rocecfg.vendors.sonic.settings import BINDINGS, PORT, read_values

_STOCK_MTU = PORT["mtu"](PORT["mtu"].default or "")  # what portmgrd sets where PORT has none
_MBIT = 10**6
_PRIORITIES = tuple(range(8))
_ON = ("on", "1")  # of autoneg
_OF_PORTS = (*PORT, "macsec", "pfc_encryption_mode", "adv_speeds", "role")  # what is read of PORT


class PortRows(NamedTuple):
    """All rows on one port."""

    port: Row | None
    qos: Row | None
    dog: Row | None
    cable: tuple[str, Span] | None


class Ports:
    """Makes the ports of a switch."""

    def __init__(
        self,
        ctx: Context,
        indexed: RowsByPort,
        buffers: Buffers,
        dogs: Watchdogs,
        reasons: HeadroomReasons,
        usual: Bound,
        chains: Mapping[int, Chain],
    ) -> None:
        """`usual`: the maps of most ports; `chains`: by the cells of rows of PORT_QOS_MAP that sort otherwise."""
        self._usual = dict(zip(BINDINGS, usual, strict=True))
        self._ctx = ctx
        self._chains = chains
        self._indexed = indexed
        self._buffers = buffers
        self._dogs = dogs
        self._reasons = reasons
        self._links = Links(ctx)
        self.groups: list[RunningGroup] = []  # with lossless profiles, of all kinds of ports

    def make_ports(self, names: Mapping[str, Span], queues: Queues) -> Iterator[Port]:
        """One port for each kind; `names`: all ports, and where each is first named."""
        kinds: dict[object, tuple[list[str], PortRows]] = {}
        rows, maps, dogs = self._ctx.table("PORT"), self._indexed.qos, self._ctx.table("PFC_WD")
        cables = self._buffers.cables
        for name in names:
            given = PortRows(rows.get(name), maps.get(name), dogs.get(name), cables.get(name))
            port, qos, dog, cable = given
            texts = port.cells.texts if port is not None else {}
            kind = (
                port is None,
                tuple([texts.get(field) for field in _OF_PORTS]),
                _count_lanes(texts) if texts.get("autoneg") in _ON else None,
                id(qos.cells) if qos is not None else None,
                id(dog.cells) if dog is not None else None,
                cable[0] if cable is not None else None,
                self._indexed.signature(name),
                self._links.signature(name),
            )
            known = kinds.get(kind)
            if known is None:
                kinds[kind] = [name], given
            else:
                known[0].append(name)
        for group, given in kinds.values():
            section = self._read_section(group[0], given.port)
            yield self._make_port(tuple(group), names[group[0]], given, section, queues)

    def _read_section(self, name: str, row: Row | None) -> Section:
        """What PORT and the tables on links say."""
        out: Section = {}
        if row is not None:
            out = read_values(row, "port")
            if self._ctx.whole:
                out.setdefault("mtu", Val(_STOCK_MTU, row.at))
            if row.get("macsec"):
                mode = row.get("pfc_encryption_mode") or "bypass"
                frames = Val("clear" if mode == "bypass" else "encrypted", row.locate("macsec"))
                out["macsec"] = Val({"pfc_frames": frames}, row.locate("macsec"))
        out.update(self._links.read_section(name))
        return out

    def _make_port(self, names: tuple[str, ...], at: Span, given: PortRows, section: Section, queues: Queues) -> Port:
        enabled, where = read_values(given.qos, "masks", silence=True)["pfc"] if given.qos is not None else ((), at)
        pfc = dict.fromkeys(enabled, where)
        section.update(self._read_trust(given.qos, at))
        self._add_cable(section, given)
        rows = self._indexed.rows_by_number(names)
        groups = {n: self._buffers.make_group(n, row) for n, row in rows.groups.items()}
        self.groups += [group for n, group in groups.items() if group.lossless and n in enabled]
        parts: Section = {}
        dog = self._dogs.read_watchdog(given.dog, given.qos, at)
        if dog is not None:
            parts["watchdog"] = dog
        room = find_stated_headroom(groups, enabled) if enabled else None
        if room is not None:
            parts["headroom"] = room
        if parts:
            section["pfc"] = Val(parts, next(iter(parts.values())).at)
        own = self._chains.get(id(given.qos.cells)) if given.qos is not None else None
        used = None if own is None else maps.list_used_queues(own, enabled)
        sending, sent = queues.read_queues(rows.queues, given.qos.at if given.qos is not None else at, used)
        filled = self._find_filled_groups(given.qos, own)
        running = self._make_running(at, given, rows, section, enabled, groups, sent, filled)
        if given.qos is not None and (name := given.qos.get("scheduler")) is not None:
            self._note_scheduler(names, given.qos, referenced_name(name, "SCHEDULER"))
        return Port(names, at, section, pfc, sending, running, chain=own)

    def _find_filled_groups(self, qos: Row | None, own: Chain | None) -> frozenset[int] | None:
        """The priority groups that a port with maps of its own sorts into, as far as known; None: as most ports do."""
        if own is not None:
            return maps.list_used_groups(own)
        field, table = "tc_to_pg_map", BINDINGS["tc_to_pg_map"]
        name = referenced_name(qos.get(field) or "", table) if qos is not None else ""
        return frozenset() if name and name != self._usual[field] and self._ctx.row(table, name) is None else None

    def _note_scheduler(self, names: tuple[str, ...], qos: Row, name: str) -> None:
        """Notes what a scheduler does that serves ports as a whole."""
        row = self._ctx.row("SCHEDULER", name)
        rates = [f"{rate} {row.get(rate)}" for rate in ("cir", "pir") if rate in row.cells] if row is not None else []
        words = f"scheduler {shorten(name)} of a whole port ({', '.join(rates) or 'without a rate'}) is not checked"
        for port in names:
            self._ctx.notes.report("device-unread", "PORT_QOS_MAP", port, qos.locate("scheduler"), words)

    def _read_trust(self, qos: Row | None, at: Span) -> Section:
        """What the port classifies by; not told where a part of a configuration may leave it to another part."""
        ctx = self._ctx
        if qos is None:
            everywhere = ctx.whole and ctx.row("PORT_QOS_MAP", "global") is not None
            return {"trust": Val("dscp", at)} if everywhere else {}
        word = maps.find_trust(maps.find_maps(ctx, qos))
        if word == "none" and not (ctx.whole or (not ctx.patch and qos.cells.keys() & BINDINGS.keys())):
            return {}
        return {
            "trust": Val(word, qos.locate("dscp_to_tc_map" if "dscp_to_tc_map" in qos.cells else "dot1p_to_tc_map"))
        }

    def _add_cable(self, section: Section, given: PortRows) -> None:
        if given.cable is None:
            return
        text, at = given.cable
        metres = parse_number(text.removesuffix("m")) if text.endswith("m") else None
        section["cable"] = Val(metres or MISSING, at)  # 0m: stated, and no length

    def _make_running(
        self,
        at: Span,
        given: PortRows,
        rows: NumberedRows,
        section: Section,
        enabled: tuple[int, ...],
        groups: Mapping[int, RunningGroup],
        sent: tuple[RunningQueue, ...],
        filled: frozenset[int] | None,
    ) -> RunningPort:
        asymmetric = given.port is not None and given.port.get("pfc_asym") == "on" and bool(enabled)
        reason = self._reasons.find_reason(given.port, given.cable, section, enabled, groups)
        trimmed, trims = self._find_trimmed(rows, enabled)
        lag_mtu = self._links.find_lag_mtu(section["lag"].value) if "lag" in section else None
        offers, role = _read_offers(given.port), given.port.get("role") if given.port is not None else None
        named = maps.find_maps(self._ctx, given.qos) if given.qos is not None else ()
        up = read_values(given.port, "state").get("up") if given.port is not None else None
        return RunningPort(
            up=up.value if up is not None else None,
            obeys=_PRIORITIES if asymmetric else None,
            sends=enabled if asymmetric else None,
            lag_mtu=lag_mtu[0] if lag_mtu is not None else None,
            maps=tuple((field, name) for field, name in zip(BINDINGS, named, strict=False) if name) or None,
            dangling=self._find_dangling(named),
            groups=tuple(groups[n] for n in sorted(groups)),
            queues=self._make_queues(rows, enabled, sent),
            overlaps=tuple(found[:3] for found in rows.overlaps),
            no_headroom=reason.words if reason is not None else None,
            trimmed=trimmed,
            left=_find_leftovers(self._ctx, given.qos, given.dog, enabled, groups, rows.queues, filled),
            role=role if role in INSIDE else None,
            offers=offers,
            lanes=_count_lanes(given.port.cells.texts) if given.port is not None and offers == () else None,
            fastest=max(offers) if offers else None,
            origins=_collect_origins(at, given, rows, reason, trims, asymmetric=asymmetric)
            | ({"lag_mtu": lag_mtu[1]} if lag_mtu is not None else {}),
        )

    def _make_queues(
        self, rows: NumberedRows, enabled: tuple[int, ...], sent: tuple[RunningQueue, ...]
    ) -> tuple[RunningQueue, ...]:
        """The egress queues with their buffers, ascending; what is trimmed of those that PFC is on for is noted."""
        leaving = rows.egress
        egress = {q: self._buffers.make_queue(q, row, None) for q, row in leaving.items() if q not in _PRIORITIES}
        sending = {queue.number: queue for queue in sent}
        for n in _PRIORITIES:
            own = sending.get(n)
            queue = (
                self._buffers.make_queue(n, leaving[n], own)
                if n in leaving
                else self._buffers.make_unbound_queue(n, own)
            )
            if queue is not None:
                egress[n] = queue
        for n in enabled:
            if n in leaving:
                self._buffers.check_trimmed(n, leaving[n])
        return tuple(egress[n] for n in sorted(egress))

    def _find_trimmed(
        self, rows: NumberedRows, enabled: tuple[int, ...]
    ) -> tuple[tuple[int, ...] | None, Origin | None]:
        """The queues whose packets are trimmed, ascending, and where the first is said to be; lossless ones are noted.

        Without SWITCH_TRIMMING nothing says what trimmed packets become, and orchagent has none trimmed.
        """
        if not rows.egress:
            return None, None
        if self._ctx.row("SWITCH_TRIMMING", "GLOBAL") is None:
            return (), None
        found = {n: self._buffers.find_trimming(row) for n, row in sorted(rows.egress.items()) if n not in enabled}
        queues = tuple(n for n, at in found.items() if at is not None)
        return queues, found[queues[0]] if queues else None

    def _find_dangling(self, named: Bound) -> tuple[str, ...]:
        """The fields that name a map which is not there: orchagent waits for it, and sets nothing of the row."""
        if not self._ctx.whole:
            return ()
        pairs = zip(BINDINGS.items(), named, strict=False)
        return tuple(field for (field, table), name in pairs if name and self._ctx.row(table, name) is None)


def _collect_origins(
    at: Span, given: PortRows, rows: NumberedRows, reason: Reason | None, trims: Origin | None, *, asymmetric: bool
) -> dict[str, Origin]:
    """Where what a port does beyond the words of an intent is said. `trims`: where the first queue is trimmed."""
    origins: dict[str, Origin] = {"": at}
    if rows.overlaps:
        origins["overlaps"] = rows.overlaps[0][3].at
    if asymmetric and given.port is not None:
        origins["obeys"] = origins["sends"] = given.port.locate("pfc_asym")
    if given.port is not None:
        origins["up"] = given.port.locate("admin_status")
        origins["fastest"] = given.port.locate("adv_speeds" if "adv_speeds" in given.port.cells else "autoneg")
    if reason is not None:
        origins["no_headroom"] = reason.at
    if trims is not None:
        origins["trimmed"] = trims
    if given.qos is not None:
        origins["maps"] = given.qos.at
        origins |= {field: given.qos.locate(field) for field in BINDINGS}
    return origins


def _read_offers(port: Row | None) -> tuple[int, ...] | None:
    """The speeds that autonegotiation offers, ascending; (): all that the port has; None: it is off, or not known."""
    if port is None or port.get("autoneg") not in _ON:
        return None
    listed = port.get("adv_speeds") or "all"
    if listed == "all":
        return ()
    speeds = [parse_number(text) for text in listed.split(",")]
    return tuple(sorted({speed * _MBIT for speed in speeds if speed})) if all(speeds) else None


def _count_lanes(texts: Mapping[str, str]) -> int | None:
    return len(texts["lanes"].split(",")) if texts.get("lanes") else None


# -- what is left where pfc_enable was emptied or lost -----------------------------------------------------------------


_NOT_MARKING = (None, "ecn_none")


def _find_leftovers(
    ctx: Context,
    qos: Row | None,
    dog: Row | None,
    enabled: tuple[int, ...],
    groups: Mapping[int, RunningGroup],
    queues: Mapping[int, tuple[Row | None, Row | None]],
    filled: frozenset[int] | None,
) -> RunningLeft | None:
    """The lossless rows of a port on priorities that are not `enabled`; None: no such row, or PFC is not known.

    PFC off deletes none of them: `config interface pfc priority PORT N off` writes pfc_enable alone, and buffermgrd
    makes rows of BUFFER_PG for what is on, and keeps those that are there.

    `qos`, `dog`: its rows of PORT_QOS_MAP and PFC_WD; `groups`, `queues`: by number, as BUFFER_PG and QUEUE have them;
    `filled`: the priority groups that packets are sorted into there, None: those of most ports.
    """
    if not ctx.has("PORT_QOS_MAP") or (
        not ctx.whole and (qos is None or (ctx.patch and "pfc_enable" not in qos.cells))
    ):
        return None  # another part of the configuration may turn PFC on
    watched = parse_priorities(qos.get("pfcwd_sw_enable") or "") if qos is not None and dog is not None else ()
    groups = {n: group for n, group in groups.items() if filled is None or n in filled}
    idle = [n for n in _PRIORITIES if n not in enabled]
    rows = [row for n in idle for row in _list_lossless_rows(ctx, n, watched, groups.get(n), queues.get(n))]
    if not rows:
        return None
    places = (groups[n].at("profile") for n in idle if n in groups and groups[n].lossless)
    first = next((place for place in places if isinstance(place, Span)), None)
    at = qos.locate("pfc_enable") if qos is not None else first or ctx.at
    return RunningLeft(_explain_pfc_off(ctx, qos), tuple(rows), {"": at, "rows": first or at})


def _list_lossless_rows(
    ctx: Context,
    n: int,
    watched: tuple[int, ...],
    group: RunningGroup | None,
    queue: tuple[Row | None, Row | None] | None,
) -> Iterator[tuple[str, int, str]]:
    """The rows that make one priority lossless: the table or the field, the number, and the profile."""
    wred = queue[1] if queue is not None else None
    if group is not None and group.lossless:
        yield "BUFFER_PG", n, group.profile or ""
    if wred is not None and (name := _find_marking_profile(ctx, wred)) is not None:
        yield "QUEUE", n, name
    if n in watched:
        yield "pfcwd_sw_enable", n, ""


def _explain_pfc_off(ctx: Context, qos: Row | None) -> str:
    if qos is None:
        return "PORT_QOS_MAP has no row for it"
    stated = qos.get("pfc_enable")
    if stated is None:
        return "its row of PORT_QOS_MAP has no pfc_enable"
    if parse_priorities(stated):
        return f"pfc_enable is {stated}"
    known = ctx.stated_release
    refused = "" if known is not None and known.empty_mask else ", beside which YANG up to 202411 refuses every patch"
    return f"pfc_enable is empty{refused}"


def _find_marking_profile(ctx: Context, queue: Row) -> str | None:
    """The WRED profile of a row of QUEUE, if it marks."""
    name = referenced_name(queue.get("wred_profile") or "", "WRED_PROFILE")
    row = ctx.row("WRED_PROFILE", name)
    return name if row is not None and row.get("ecn") not in _NOT_MARKING else None
