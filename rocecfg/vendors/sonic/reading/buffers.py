"""Buffers: pools, the profiles of priority groups and queues, cable lengths, and whether headroom comes about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import RunningGroup, RunningPool, RunningQueue, Span
from rocecfg.model.frozen import replace
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.sonic import egress
from rocecfg.vendors.sonic.reading.context import Context, referenced_name
from rocecfg.vendors.sonic.reading.rows import Row
from rocecfg.vendors.sonic.settings import locate_values, read_values

POOL = "ingress_lossless_pool"
_LOSSY_POOL = "ingress_lossy_pool"
COMPUTED = "NULL"  # dynamic model: "calculate for me"
_BY_MANAGER = "pg_lossless_"  # profiles that buffermgrd makes
_USUAL = "AZURE"
_SUMMED = ("size", "xon", "xoff")
_OF_QUEUE = ("size", "alpha", "static")  # of a profile
_PORT_LISTS = {  # and the side whose profiles do not belong there
    "BUFFER_PORT_INGRESS_PROFILE_LIST": "egress",
    "BUFFER_PORT_EGRESS_PROFILE_LIST": "ingress",
}


class BufferProfile(NamedTuple):
    """A BUFFER_PROFILE row. Bytes."""

    row: Row | None  # None: not in the text
    lossless: bool | None
    pool: str | None
    values: Mapping[str, Any]  # of fields, by the names that settings have
    places: Mapping[str, Span]


class Buffers:
    """The buffer tables of a switch; what ports share is computed once."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._profiles: dict[str, BufferProfile] = {}
        local = ctx.row("DEVICE_METADATA", "localhost")
        self.model = local.get("buffer_model") if local is not None else None
        self.model_at = local.locate("buffer_model") if local is not None else ctx.at
        self.cables = self._read_cable_lengths()  # port -> length as written, and where

    def _read_cable_lengths(self) -> dict[str, tuple[str, Span]]:
        out: dict[str, tuple[str, Span]] = {}
        for key, row in self._ctx.table("CABLE_LENGTH").items():
            for port, cell in row.cells.items():
                at, known = row.locate_cell(cell), out.get(port)
                if known is not None and known[0] != cell.text:
                    words = (
                        "another group has a different length for this port: buffermgrd uses whichever it reads last"
                    )
                    related = ((known[1], "the other"),)
                    self._ctx.notes.report(
                        "device-conflict", "CABLE_LENGTH", key, at, words, "keep one", related=related
                    )
                out[port] = cell.text, at
        return out

    # -- the device ----------------------------------------------------------------------------------------------------

    def read_section(self, lossless: Sequence[RunningGroup]) -> Section:
        """The intent's `buffers` of the device. `lossless`: the groups that lossless profiles are bound to."""
        out: Section = {}
        if self.model in ("dynamic", "traditional"):
            out["model"] = Val(self.model, self.model_at)
        pool = self._ctx.row("BUFFER_POOL", POOL)
        shared = read_values(pool, "pool").get("shared_headroom") if pool is not None else None
        if shared is not None and shared.value:
            out["shared_headroom"] = shared
        shares = {
            name: percent
            for name, key in (("lossless", POOL), ("lossy", _LOSSY_POOL))
            if (row := self._ctx.row("BUFFER_POOL", key)) is not None
            and (percent := read_values(row, "pool").get("percent")) is not None
        }
        if shares:
            out["pools"] = Val(shares, next(iter(shares.values())).at)
        self._add_lossless_defaults(out, shared="shared_headroom" in out)
        alphas = {group.alpha for group in lossless if group.alpha is not None}
        if "alpha" not in out and len(alphas) == 1:
            first = next(group for group in lossless if group.alpha is not None)
            at = first.origins.get("alpha")
            out["alpha"] = Val(alphas.pop(), at if isinstance(at, Span) else self._ctx.at)
        return out

    def _add_lossless_defaults(self, out: Section, *, shared: bool) -> None:
        row = self._usual_or_first_row("DEFAULT_LOSSLESS_BUFFER_PARAMETER")
        if row is not None and self.model != "traditional":
            said = read_values(row, "parameter")
            ratio = said.get("oversubscribe")
            if ratio is not None and not ratio.value:
                del said["oversubscribe"]
                if not shared:
                    said["shared_headroom"] = Val("off", ratio.at)
            out.update(said)
            if "max_headroom_size" in row.cells:
                at = row.locate_name(row.cells["max_headroom_size"])
                words = (
                    "the YANG model has no max_headroom_size, which stock templates write: config apply-patch and "
                    "config replace refuse the configuration"
                )
                table = "DEFAULT_LOSSLESS_BUFFER_PARAMETER"
                self._ctx.notes.report("device-unread", table, row.key, at, words)
        row = self._usual_or_first_row("LOSSLESS_TRAFFIC_PATTERN")
        if row is not None:
            out.update(read_values(row, "pattern"))

    def _usual_or_first_row(self, table: str) -> Row | None:
        rows = self._ctx.table(table)
        return rows.get(_USUAL) or next(iter(rows.values()), None)

    def list_pools(self) -> tuple[RunningPool, ...]:
        """The pools, as BUFFER_POOL has them."""
        return tuple(self._make_pool(name, row) for name, row in self._ctx.table("BUFFER_POOL").items())

    def _make_pool(self, name: str, row: Row) -> RunningPool:
        said = {key: val.value for key, val in read_values(row, "pool").items()}
        direction = said.setdefault("direction", "egress" if "egress" in name else "ingress")
        if self.model == "traditional" and "size" not in row.cells and self._ctx.whole:
            what = "size is missing, and only the dynamic buffer model computes it: orchagent cannot create the pool"
            self._ctx.notes.report("device-value", "BUFFER_POOL", name, row.at, what)
        # the dynamic model passes over it; else orchagent hands it on, to a pool that pausing packets may draw from
        if said.get("shared_headroom") and name != POOL and (self.model == "dynamic" or direction == "egress"):
            what = f"xoff, the shared headroom, belongs to {POOL}: here it does nothing"
            self._ctx.notes.report("device-unknown", "BUFFER_POOL", name, row.locate_name(row.cells["xoff"]), what)
        return RunningPool(
            name=name,
            lossless=True if "lossless" in name else False if "lossy" in name else None,
            of_buffers=name in (POOL, _LOSSY_POOL),
            origins={"": row.at, **locate_values(row, "pool")},
            **said,
        )

    # -- profiles ------------------------------------------------------------------------------------------------------

    def find_profile(self, name: str) -> BufferProfile:
        """A profile by its name."""
        known = self._profiles.get(name)
        if known is None:
            known = self._profiles[name] = self._read_profile(name)
        return known

    def _read_profile(self, name: str) -> BufferProfile:
        row = self._ctx.row("BUFFER_PROFILE", name)
        if row is None:
            lossless = True if name == COMPUTED or name.startswith(_BY_MANAGER) else None
            return BufferProfile(None, lossless, None, {}, {})
        pool = referenced_name(row.get("pool") or "", "BUFFER_POOL") or None
        lossless = "xoff" in row.cells or row.get("headroom_type") == "dynamic"
        self._check_thresholds(name, row, pool, lossless=lossless)
        values = {key: val.value for key, val in read_values(row, "profile").items()}
        return BufferProfile(row, lossless, pool, values, locate_values(row, "profile"))

    def _check_thresholds(self, name: str, row: Row, pool: str | None, *, lossless: bool) -> None:
        """A profile's threshold is of the kind that its pool has; lossy profiles of stock templates are not."""
        if "dynamic_th" in row.cells and "static_th" in row.cells:
            words = "dynamic_th and static_th exclude each other"
            at = row.locate_name(row.cells["static_th"])
            related = ((row.locate("dynamic_th"), "dynamic_th"),)
            self._ctx.notes.report("device-conflict", "BUFFER_PROFILE", name, at, words, "keep one", related=related)
            return
        pool_row = self._ctx.row("BUFFER_POOL", pool) if pool is not None else None
        if pool_row is None or not lossless:
            return
        mode = pool_row.get("mode")
        wrong = {"dynamic": "static_th", "static": "dynamic_th"}.get(mode or "")
        if wrong is not None and wrong in row.cells:
            words = f"{wrong} in a lossless profile whose pool {pool} is {mode}"
            at, related = row.locate_name(row.cells[wrong]), ((pool_row.locate("mode"), "the pool's mode"),)
            fix = f"write {'dynamic_th' if mode == 'dynamic' else 'static_th'}"
            self._ctx.notes.report("device-conflict", "BUFFER_PROFILE", name, at, words, fix, related=related)

    def make_group(self, n: int, row: Row) -> RunningGroup:
        """A priority group with the profile that a row of BUFFER_PG binds to it."""
        name = referenced_name(row.get("profile") or "", "BUFFER_PROFILE")
        known = self.find_profile(name)
        self._check_direction("BUFFER_PG", row, known, "egress")
        return RunningGroup(
            number=n,
            profile=name or None,
            lossless=known.lossless,
            pool=known.pool,
            computed=self._is_computed(name, known),
            origins={"": row.at, "profile": row.locate("profile"), **known.places},
            **known.values,
        )

    def _is_computed(self, name: str, known: BufferProfile) -> bool | None:
        """Whether the switch sizes a group with this profile as it does any other; None: of a part, not known."""
        if name == COMPUTED or (name.startswith(_BY_MANAGER) and self.model != "dynamic"):
            return True
        if known.row is None:
            return False if self._ctx.whole else None
        row = self._usual_or_first_row("DEFAULT_LOSSLESS_BUFFER_PARAMETER")
        usual = row.get("default_dynamic_th") if row is not None else None
        return known.row.get("headroom_type") == "dynamic" and known.row.get("dynamic_th") in (None, usual)

    def make_queue(self, n: int, row: Row, sent: RunningQueue | None) -> RunningQueue:
        """An egress queue with the profile that a row of BUFFER_QUEUE binds to it."""
        name = referenced_name(row.get("profile") or "", "BUFFER_PROFILE")
        known = self.find_profile(name)
        self._check_direction("BUFFER_QUEUE", row, known, "ingress")
        origins = {"": row.at, "profile": row.locate("profile")}
        origins |= {key: at for key, at in known.places.items() if key in _OF_QUEUE}
        given = sent or RunningQueue(n)
        return replace(
            given,
            profile=name or None,
            pool=known.pool,
            size=known.values.get("size"),
            alpha=known.values.get("alpha"),
            static=known.values.get("static"),
            keeps=self._keeps_lossless(name, known),
            origins={**given.origins, **origins},
        )

    def make_unbound_queue(self, n: int, sent: RunningQueue | None) -> RunningQueue | None:
        """An egress queue that no row of BUFFER_QUEUE names: the chip's own profile serves it."""
        known = self._ctx.whole and self._ctx.has("BUFFER_QUEUE")
        if not known or self._ctx.row("BUFFER_PROFILE", egress.LOSSLESS) is None:
            return sent
        return replace(sent or RunningQueue(n), keeps=False)

    def _keeps_lossless(self, name: str, known: BufferProfile) -> bool | None:
        if known.row is None and not self._ctx.whole:
            return None
        stock = self._ctx.row("BUFFER_PROFILE", egress.LOSSLESS)
        pools = {key: row.cells.texts for key, row in self._ctx.table("BUFFER_POOL").items()}
        own = known.row.cells.texts if known.row is not None else None
        return egress.keeps_lossless(name, own, stock.cells.texts if stock is not None else None, pools)

    def find_lossy(self, row: Row) -> str | None:
        """The profile that a row of BUFFER_QUEUE binds, if it is one for lossy traffic by its name or its pool's."""
        name = referenced_name(row.get("profile") or "", "BUFFER_PROFILE")
        known = self.find_profile(name)
        lossy = "lossy" in name or "lossy" in (known.pool or "")
        return name if lossy and self._keeps_lossless(name, known) is False else None

    def find_trimming(self, row: Row) -> Span | None:
        """Where the profile that a row of BUFFER_QUEUE binds says that packets are trimmed; None: it does not."""
        known = self.find_profile(referenced_name(row.get("profile") or "", "BUFFER_PROFILE"))
        if known.row is None or known.row.get("packet_discard_action") != "trim":
            return None
        return known.row.locate("packet_discard_action")

    def check_trimmed(self, n: int, row: Row) -> None:
        """Notes a lossless queue whose profile has packets trimmed: PFC is there so that none is."""
        trims = self.find_trimming(row)
        if trims is not None:
            words = f"PFC is on for priority {n}, but the profile of its queue trims packets: they exclude each other"
            at, related = row.locate("profile"), ((trims, "the profile trims"),)
            self._ctx.notes.report("device-conflict", "BUFFER_QUEUE", row.key, at, words, related=related)

    def check_port_lists(self) -> None:
        """Notes profiles of ports as a whole that draw from pools of the other side."""
        for table, wrong in _PORT_LISTS.items():
            for row in self._ctx.table(table).values():
                for name in (row.get("profile_list") or "").split(","):
                    self._check_direction(
                        table, row, self.find_profile(referenced_name(name, "BUFFER_PROFILE")), wrong, "profile_list"
                    )

    def _check_direction(self, table: str, row: Row, known: BufferProfile, wrong: str, field: str = "profile") -> None:
        pool = self._ctx.row("BUFFER_POOL", known.pool) if known.pool is not None else None
        if pool is not None and pool.get("type") == wrong:
            words = f"its profile draws from {known.pool}, a pool of the {wrong} side"
            related = ((pool.locate("type"), f"{wrong} here"),)
            self._ctx.notes.report("device-conflict", table, row.key, row.locate(field), words, related=related)


def find_stated_headroom(groups: Mapping[int, RunningGroup], pfc: Sequence[int]) -> Val | None:
    """The headroom that all lossless priority groups of a port are given in so many words; None: not so."""
    own = [groups[n] for n in pfc if n in groups]
    if not own or len(own) < len(pfc) or any(g.size is None or not g.lossless or g.xoff is None for g in own):
        return None
    first = own[0]
    if any((g.size, g.xon, g.xoff) != (first.size, first.xon, first.xoff) for g in own):
        return None
    parts: Section = {}
    for key in _SUMMED:
        at, value = first.origins.get(key), getattr(first, key)
        if value is not None and isinstance(at, Span):
            parts[key] = Val(value, at)
    at = first.origins.get("profile")
    parts.setdefault("xon", Val(0, parts["xoff"].at))  # SAI's default: such profiles have xon_offset alone
    return Val(parts, at if isinstance(at, Span) else parts["size"].at)
