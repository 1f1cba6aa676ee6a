"""From a setting that is not as intended to the fields of CONFIG_DB that say it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from rocecfg.model.catalogue import What
from rocecfg.vendors import join_some
from rocecfg.vendors.sonic import egress, trimmed
from rocecfg.vendors.sonic.change.tables import Row, Tables
from rocecfg.vendors.sonic.headroom import COMPUTED
from rocecfg.vendors.sonic.keys import (
    covering_key,
    join_priorities,
    parse_priorities,
    referenced_name,
    replace_overlapping,
)
from rocecfg.vendors.sonic.looked_up import find_stale
from rocecfg.vendors.sonic.settings import BINDINGS, PFC_WD_GLOBAL, SORTING, TABLE, TRUSTED, fields_set_by

_START_DEFAULT = (
    "the watchdog is left to the switch: run sudo pfcwd start_default, which takes ports in DEVICE_NEIGHBOR, and save"
)
_RESTART = (
    "buffer_model is read when swss starts, and buffer rows have another meaning in the other model: set it in "
    "DEVICE_METADATA|localhost while the switch is drained, save, and restart swss (sonic-swss, buffermgrd)"
)
_HASH = (
    "the ECMP hash changes for all traffic at once, and flows move to other paths: sudo config switch-hash global "
    "ecmp-hash FIELD ..., the fields as they are rendered in SWITCH_HASH"
)
_BY_HAND = {What("buffers", None, "model"): _RESTART, What("load_balancing", None, "hash"): _HASH}
_SPEED = (
    "the speed of a port is not a QoS setting, and its lanes, breakout and far end must change with it: sudo config "
    "interface speed PORT MBIT, or where autoneg is on sudo config interface advertised-speeds PORT MBIT"
)
_GENERATED = re.compile(r"pg_lossless_\d+_\d+m_profile|NULL")
_LOOKED_UP = (
    "BUFFER_PG|{0} names a profile that does not follow speed and cable length. Until buffermgrd binds one that "
    "does, the group has no headroom; it binds one when the port starts: sudo config interface shutdown {1}; "
    "sonic-db-cli CONFIG_DB DEL 'BUFFER_PG|{0}'; sudo config interface startup {1}"
)
_NO_EGRESS = (
    f"BUFFER_PROFILE has no {egress.LOSSLESS}, which a lossless queue needs: it comes with the platform's buffer "
    "templates"
)
_LEANING = (
    "PORT_QOS_MAP|global has a DSCP map, which applies to ports without their own map. The intent does not name {}, "
    "which have none: give them a map, then sonic-db-cli CONFIG_DB DEL 'PORT_QOS_MAP|global'"
)


class Rows:
    """The rows as they are to be: `target` begins as what runs, and takes what is intended setting by setting."""

    def __init__(
        self,
        meant: Tables,
        target: Tables,
        mtus: Mapping[str, int | None],
        trims: Mapping[str, Collection[int]],
        *,
        looked_up: bool,
    ) -> None:
        """What is not rendered: `mtus` of the intent's ports; `trims`: the queues that are to trim, by port.

        `looked_up`: headroom is, by speed and cable length.
        """
        self.meant = meant
        self._looked_up = looked_up
        self._mtus = mtus
        self._trimmed = trims
        self.target = target
        self.beyond: dict[str, None] = {}

    def fix_setting(self, port: str | None, what: What) -> None:
        """Make one setting what is intended; None: a setting of the switch as a whole."""
        if port is None:
            self._fix_switch(what)
        elif what.topic == "watchdog":
            self._fix_watchdog(port, what)
        elif fields_set_by("WRED_PROFILE", what) and what.number is not None:
            self._fix_curve(port, what.number, what)
        elif fields_set_by("SCHEDULER", what):
            self._fix_scheduler(port, what.number if what.number is not None else int(what.part), what)
        elif masks := [field for field in fields_set_by("PORT_QOS_MAP", what) if field not in BINDINGS]:
            self._take_fields("PORT_QOS_MAP", port, masks)
            self._fix_priority_groups(port)
        elif maps := fields_set_by("PORT_QOS_MAP", what):
            self._fix_maps(port, maps)
            if what.topic == "trust":
                self._drop_global_map(port)
        elif what.topic == "mtu":
            self._get_or_add_row("PORT", port)["mtu"] = str(self._mtus[port])
        elif what.topic == "speed":
            self.beyond[_SPEED] = None
        else:
            self._fix_buffers_of_port(port, what)

    def _fix_buffers_of_port(self, port: str, what: What) -> None:
        if what.topic == "egress" and what.number is not None:
            self._fix_egress_profile(port, what.number)
        elif what.topic == "trimmed":
            self.beyond |= dict.fromkeys(trimmed.bind_trimmed_queues(self.target, self._trimmed, port))
        elif what.topic == "cable":
            self._fix_cable(port)
        elif what.topic in ("headroom", "group"):
            self._fix_priority_groups(port)
        elif what.topic == "bound":
            self._bind_generated_profiles(port)
        else:
            self.beyond[f"{port}: {what.topic} is not set in CONFIG_DB's tables on QoS"] = None

    def _fix_switch(self, what: What) -> None:
        if what.topic in TRUSTED and what.number is not None:
            self._fix_code_point(TRUSTED[what.topic], str(what.number))
        elif what.topic in ("stops", "pauses"):
            self._fix_pfc_maps(str(what.number))
        elif what in _BY_HAND:
            self.beyond[_BY_HAND[what]] = None
        elif what.topic in ("buffers", "pool"):
            for table in dict.fromkeys(row.path[0] for row in TABLE.list_set_by(what)):
                for key, fields in self.meant.get(table, {}).items():
                    self._take_fields(table, key)
                    if table == "BUFFER_POOL":
                        settle_pool(self.target[table][key], fields)
        elif what.topic == "trimming":
            self._take_fields("SWITCH_TRIMMING", "GLOBAL")
        elif what.topic == "watchdog_blind":
            self._get_or_add_row("FLEX_COUNTER_TABLE", "PFCWD")["FLEX_COUNTER_STATUS"] = "enable"
        elif what.topic == "watchdog_forced":
            self._get_or_add_row("PFC_WD", "GLOBAL").pop("BIG_RED_SWITCH", None)
        elif what.topic == "remarks":
            for row in self.target.get("PORT_QOS_MAP", {}).values():
                row.pop("tc_to_dscp_map", None)
        else:
            self.beyond[f"{what.topic} is not set in CONFIG_DB's tables on QoS"] = None

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _fix_maps(self, port: str, fields: Iterable[str]) -> None:
        self._take_fields("PORT_QOS_MAP", port, fields)
        row = self.meant.get("PORT_QOS_MAP", {}).get(port, {})
        for field in fields:
            if field in row:
                self._take_fields(SORTING[field], referenced_name(row[field]))

    def _drop_global_map(self, port: str) -> None:
        """A port without a DSCP map sorts by the one of the row `global` (qosorch.cpp, handleGlobalQosMap).

        The map goes with the row alone, and not where the field does; other fields of it orchagent passes over.
        """
        rows, meant = self.target.get("PORT_QOS_MAP", {}), self.meant.get("PORT_QOS_MAP", {})
        row = rows.get("global", {})
        if "dscp_to_tc_map" not in row or "dscp_to_tc_map" in meant.get(port, {}) or "global" in meant:
            return
        leaning = [
            other
            for other in self.target.get("PORT", {})
            if other not in meant and "dscp_to_tc_map" not in rows.get(other, {})
        ]
        if leaning:
            self.beyond[_LEANING.format(join_some(leaning, 6))] = None
            return
        del rows["global"]
        for other in meant:  # ports that are down sorted by it too: without it they need what is meant for them
            if other in rows and "dscp_to_tc_map" not in rows[other]:
                self._fix_maps(other, fields_set_by("PORT_QOS_MAP", What("trust")))

    def _fix_priority_groups(self, port: str) -> None:
        """The priority groups of a port: those that are intended, and no other lossless ones."""
        wanted = {k: r for k, r in self.meant.get("BUFFER_PG", {}).items() if k.rpartition("|")[0] == port}
        masks = self.meant.get("PORT_QOS_MAP", {}).get(port, {})
        paused = parse_priorities(masks.get("pfc_enable", ""))
        rows = self.target.get("BUFFER_PG", {})
        for key in [k for k in rows if k.rpartition("|")[0] == port and k not in wanted]:
            fits = key.rpartition("|")[2] in join_priorities(paused) and not wanted
            if self._is_lossless(rows[key]) and not fits:
                del rows[key]
            elif fits and not _GENERATED.fullmatch(referenced_name(rows[key].get("profile", ""))):
                self.beyond[_LOOKED_UP.format(key, port)] = None
        if wanted:
            self.target["BUFFER_PG"] = replace_overlapping({**rows, **wanted}, wanted)
            for row in wanted.values():
                if referenced_name(row["profile"]) in self.meant.get("BUFFER_PROFILE", {}):
                    self._take_fields("BUFFER_PROFILE", referenced_name(row["profile"]))

    def _is_lossless(self, row: Row) -> bool:
        name = referenced_name(row.get("profile", ""))
        profile = self.target.get("BUFFER_PROFILE", {}).get(name, {})
        return name == COMPUTED or name.startswith("pg_lossless_") or "xoff" in profile

    def _fix_watchdog(self, port: str, what: What) -> None:
        meant, fields = self.meant.get("PFC_WD", {}), fields_set_by("PFC_WD", what)
        if what.part == "poll_interval":
            self._take_fields("PFC_WD", "GLOBAL", fields)
            return
        self._take_fields("PORT_QOS_MAP", port, fields_set_by("PORT_QOS_MAP", what))
        if "DEVICE_METADATA" in self.meant:  # as rendered, it leaves the watchdog to the switch
            self._take_fields("DEVICE_METADATA", "localhost", fields_set_by("DEVICE_METADATA", what))
            self.beyond[_START_DEFAULT] = None
            return
        if port not in meant:
            self.target.get("PFC_WD", {}).pop(port, None)
            return
        self._take_fields("PFC_WD", port, [field for field in fields if field not in PFC_WD_GLOBAL])
        if "GLOBAL" in meant and "GLOBAL" not in self.target["PFC_WD"]:
            self._take_fields("PFC_WD", "GLOBAL")

    def _fix_curve(self, port: str, queue: int, what: What) -> None:
        row = self._separate_queue(port, queue)
        profile = self.meant.get("QUEUE", {}).get(f"{port}|{queue}", {}).get("wred_profile")
        if profile is None:
            row.pop("wred_profile", None)
            self._drop_if_empty("QUEUE", f"{port}|{queue}")
            return
        row["wred_profile"] = self._keep_spelling(row.get("wred_profile"), profile)
        self._take_fields("WRED_PROFILE", referenced_name(profile), fields_set_by("WRED_PROFILE", what))

    def _fix_scheduler(self, port: str, queue: int, what: What) -> None:
        scheduler = self.meant.get("QUEUE", {}).get(f"{port}|{queue}", {}).get("scheduler")
        if scheduler is None:
            return
        row = self._separate_queue(port, queue)
        row["scheduler"] = self._keep_spelling(row.get("scheduler"), scheduler)
        self._take_fields("SCHEDULER", referenced_name(scheduler), fields_set_by("SCHEDULER", what))

    def _fix_cable(self, port: str) -> None:
        for name, lengths in self.meant.get("CABLE_LENGTH", {}).items():
            if port not in lengths:
                continue
            table = self.target.setdefault("CABLE_LENGTH", {})
            holding = next((group for group, row in table.items() if port in row), None)
            for group, row in table.items():
                if group != holding:
                    row.pop(port, None)  # buffermgrd takes whichever group it reads last
            table.setdefault(holding or next(iter(table), name), {})[port] = lengths[port]
        self._bind_generated_profiles(port)

    def _bind_generated_profiles(self, port: str) -> None:
        """The generated profiles that the switch binds for the cable length of a port; where it looks headroom up."""
        for key, profile in tuple(find_stale(self.target)):
            if key.rpartition("|")[0] == port and self._looked_up:
                self.target["BUFFER_PG"][key] = {"profile": profile}

    def _fix_egress_profile(self, port: str, queue: int) -> None:
        """The buffer profile of a lossless queue."""
        if egress.LOSSLESS not in self.target.get("BUFFER_PROFILE", {}):
            self.beyond[_NO_EGRESS] = None
            return
        refs = self.meant.get("PORT_QOS_MAP", {}).get(port, {}).values()
        bracketed = any(ref.startswith("[") for ref in refs)  # as the release refers to rows
        ref = f"[BUFFER_PROFILE|{egress.LOSSLESS}]" if bracketed else egress.LOSSLESS
        egress.bind_lossless_queues(self.target, {port: (queue,)}, ref)

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _fix_code_point(self, sorting: str, code: str) -> None:
        """The way of a code point or 802.1p value: its traffic class, and the queue, group and priority of that."""
        for row in self.meant.get("PORT_QOS_MAP", {}).values():
            maps = {table: referenced_name(row[field]) for field, table in SORTING.items() if field in row}
            tc = self.meant.get(sorting, {}).get(maps.get(sorting, ""), {}).get(code)
            if tc is None:
                continue
            queue = self.meant.get("TC_TO_QUEUE_MAP", {}).get(maps.get("TC_TO_QUEUE_MAP", ""), {}).get(tc)
            to_queue = self.meant.get("MAP_PFC_PRIORITY_TO_QUEUE", {}).get(
                maps.get("MAP_PFC_PRIORITY_TO_QUEUE", ""), {}
            )
            priorities = tuple(p for p, q in to_queue.items() if q == queue)
            for table, fields in (
                (sorting, (code,)),
                ("TC_TO_QUEUE_MAP", (tc,)),
                ("TC_TO_PRIORITY_GROUP_MAP", (tc,)),
                ("MAP_PFC_PRIORITY_TO_QUEUE", priorities),
                ("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", priorities),
            ):
                if table in maps:
                    self._take_fields(table, maps[table], fields)
        for port, meant in self.meant.get("PORT_QOS_MAP", {}).items():
            have = self.target.get("PORT_QOS_MAP", {}).get(port)
            if have is not None:
                have.update(
                    {field: self._keep_spelling(have.get(field), meant[field]) for field in SORTING if field in meant}
                )

    def _fix_pfc_maps(self, priority: str) -> None:
        """Which queue a pause stops, and which priority group it is sent for."""
        for field in ("pfc_to_queue_map", "pfc_to_pg_map"):
            for row in self.meant.get("PORT_QOS_MAP", {}).values():
                if field in row:
                    self._take_fields(SORTING[field], referenced_name(row[field]), (priority,))
        for port in self.meant.get("PORT_QOS_MAP", {}):
            if port in self.target.get("PORT_QOS_MAP", {}):
                self._take_fields("PORT_QOS_MAP", port, ("pfc_to_queue_map", "pfc_to_pg_map"))

    # -- rows ----------------------------------------------------------------------------------------------------------

    def _get_or_add_row(self, table: str, key: str) -> Row:
        return self.target.setdefault(table, {}).setdefault(key, {})

    def _take_fields(self, table: str, key: str, fields: Iterable[str] | None = None) -> None:
        """Make fields of a row what is meant; None: all that is meant. A row that is not there comes whole."""
        meant = self.meant.get(table, {}).get(key)
        have = self.target.get(table, {}).get(key)
        if meant is None:
            for field in fields or ():
                if have is not None:
                    have.pop(field, None)
            return
        if have is None:
            self._get_or_add_row(table, key).update(meant)
            return
        for field in meant if fields is None else fields:
            if field in meant:
                have[field] = meant[field]
            else:
                have.pop(field, None)

    def _separate_queue(self, port: str, queue: int) -> Row:
        """The row of one queue alone; what a row said of several stays said of the others."""
        key = f"{port}|{queue}"
        table = self.target.setdefault("QUEUE", {})
        if key in table:
            return table[key]
        covering = covering_key(table, port, queue)
        own = dict(table[covering]) if covering is not None else {}
        self.target["QUEUE"] = replace_overlapping({**table, key: own}, {key: own})
        return self.target["QUEUE"][key]

    def _drop_if_empty(self, table: str, key: str) -> None:
        if not self.target.get(table, {}).get(key, {"": ""}):
            del self.target[table][key]

    @staticmethod
    def _keep_spelling(have: str | None, want: str) -> str:
        """A reference as it stands, where it names the same row."""
        return have if have is not None and referenced_name(have) == referenced_name(want) else want


def settle_pool(row: Row, meant: Row) -> None:
    """A pool has a size or a percentage of the buffer: YANG refuses both (sonic-buffer-pool.yang)."""
    for stated, other in (("percentage", "size"), ("size", "percentage")):
        if stated in meant:
            row.pop(other, None)
            return
