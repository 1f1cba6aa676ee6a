"""A small SONiC switch: what sonic-swss makes of rows on buffers, batch by batch, as its sources have it.

Independent of rocecfg: commands and patches go in, and which profile each priority group and queue has comes out.

- CONFIG_DB to APPL_DB: cfgmgr/buffermgr.cpp, traditional model. Rows of BUFFER_PG and BUFFER_QUEUE are copied; a row of
  PORT, a changed pfc_enable, and from 202511 a changed CABLE_LENGTH write `pg_lossless_SPEED_LENGTH_profile` into
  BUFFER_PG of CONFIG_DB (doSpeedUpdateTask, doPortQosTableTask, doCableTask). On mellanox and barefoot the rows of a
  port that is down go. Rows that fitted earlier priorities stay.
- CONFIG_DB to APPL_DB, dynamic model (cfgmgr/buffermgrdyn.cpp): rows are copied while their port is up; the groups of a
  port go when it is shut, and come back when it is started. On mellanox its queues have zero profiles meanwhile, those
  that no row is for too, and a row that is deleted then stays in APPL_DB with one (reclaimReservedBufferForPort,
  handleDelSingleBufferObjectOnAdminDownPort, handleSetSingleBufferObjectOnAdminDownPort).
- APPL_DB to orchagent: a deletion and a write of one key that are not taken yet are one write (sonic-swss-common,
  producerstatetable.cpp and consumer_state_table_pops.lua); what is pending is taken as one batch.
- orchagent/bufferorch.cpp, processPriorityGroup and processQueue: a deletion binds null to every number of the key; a
  write of the profile that is remembered for that key is skipped. A batch is worked off by key (orch.cpp, addToSync);
  up to 202405 each at once, from 202411 all deletions and then all writes (processPriorityGroupBulk).
- A group or queue has a name in COUNTERS_DB while a row binds it to a profile that is no zero profile
  (createPortBufferPgCounters, removePortBufferPgCounters); from 202411 also without one, unless the switch is told so.
- orchagent/qosorch.cpp, handleQueueTable: a deletion takes scheduler and WRED profile off every number of the key; a
  field that the key had and has no more is taken off too.
- orchagent/qosorch.cpp, handleSchedulerTable and WredMapHandler: a row that is written sets the attributes of its
  fields, and no other: what a field said stays in force once it is taken out. A row that a queue has is not deleted.
- orchagent/pfcwdorch.cpp, registerInWdDb: a row of PFC_WD that is written arms the watchdog for the priorities of
  pfcwd_sw_enable that orchagent knows at that time, and is tried again while there are none; those that come later are
  not armed. stopWdOnPort disarms all.
- `config load` writes all rows in one transaction (sonic-swss-common, configdb.cpp, mod_config); each daemon then
  serves the table first that it served longest ago (select.cpp, poll_descriptors), a table without rows at boot never.
- `config apply-patch` (sonic-utilities, generic_config_updater/patch_sorter.py): rows go and come before fields change,
  each field by itself; one port after the other is shut for its groups, queues and maps, and started again; what is
  referred to goes last.
- Redis deletes a row with its last field.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import jsonpatch

Row = dict[str, str]
Tables = dict[str, dict[str, Row]]
NULL = "null"
_ZERO = "zero_profile"  # in the name of each
_SHUTTING = ("BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE")  # of a port: shut for a change by patch
_SERVED = {  # by daemon, its tables of CONFIG_DB
    "orchagent": ("PFC_WD", "PORT_QOS_MAP", "QUEUE", "SCHEDULER", "WRED_PROFILE"),
    "buffermgrd": ("BUFFER_PG", "BUFFER_QUEUE", "CABLE_LENGTH", "PORT", "PORT_QOS_MAP"),
}
_REFERRED = {  # table -> those that name its rows
    **dict.fromkeys(("SCHEDULER", "WRED_PROFILE"), ("QUEUE",)),
    "BUFFER_PROFILE": ("BUFFER_PG", "BUFFER_QUEUE"),
    "BUFFER_POOL": ("BUFFER_PROFILE",),
}
_OF_QUEUES = {"scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE"}
_LOOP = re.compile(r"for (\w+) in ([^;]*); do (.*); done(.*)")
_INNER = re.compile(r"\$\(((?:[^()]|\((?:[^()])*\))*)\)")


def numbers(index: str) -> range:
    low, _, high = index.partition("-")
    return range(int(low), int(high or low) + 1)


def runs(mask: str) -> list[str]:
    """`3,4,6` -> 3-4 and 6, as generateIdListFromMap has it."""
    out: list[list[int]] = []
    for n in sorted({int(p) for p in mask.split(",") if p}):
        if out and out[-1][-1] == n - 1:
            out[-1].append(n)
        else:
            out.append([n])
    return [_join(run) for run in out]


def _join(run: list[int]) -> str:
    return str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def _is_zero(profile: str | None) -> bool:
    return profile is not None and _ZERO in profile


class Switch:
    """One that was booted with `config`. `lazy` draws what nobody can tell.

    Whether orchagent leaves a row for a later batch, in which order a patch's tables and rows are worked off, in which
    order a daemon served its tables at boot, and whether names of groups come and go. `files`: what is loaded, by name.
    """

    def __init__(
        self,
        config: Tables,
        release: int,
        *,
        dynamic: bool = False,
        vendor: str = "broadcom",
        lazy: Callable[[], bool] = lambda: False,
    ) -> None:
        self.config: Tables = json.loads(json.dumps(config))
        self.files: dict[str, Tables] = {}
        self.release = release
        self.dynamic = dynamic
        self.clears = vendor in ("mellanox", "barefoot")
        self.zeroes = dynamic and vendor == "mellanox"
        self.lazy = lazy
        self.names_go = release < 202411 or lazy()
        self.served = {daemon: self._order_of_boot(tables) for daemon, tables in _SERVED.items()}
        self.applied: dict[str, dict[str, str]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.pending: dict[str, dict[str, str | None]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.remembered: dict[str, dict[str, str]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.bound: dict[tuple[str, str, int], str] = {}  # table, port, number
        self.cables = {p: v for row in config.get("CABLE_LENGTH", {}).values() for p, v in row.items()}
        self.masks = {p: row.get("pfc_enable", "") for p, row in config.get("PORT_QOS_MAP", {}).items()}
        self.watched = {p: row.get("pfcwd_sw_enable", "") for p, row in config.get("PORT_QOS_MAP", {}).items()}
        self.saved: list[Tables] = []
        self.armed: dict[str, set[str]] = {}
        self.scheduled: dict[str, Row] = {}  # rows of QUEUE as orchagent remembers them
        self.forced = {  # table, name: the attributes of schedulers and curves
            (table, name): dict(row) for table in _OF_QUEUES.values() for name, row in config.get(table, {}).items()
        }
        self.spare: dict[str, set[str]] = {}  # queues of shut ports with a zero profile and no row
        for port in config.get("PFC_WD", {}):
            self._arm(port)
        for table in self.applied:
            for key, row in self.config.get(table, {}).items():
                self._copy_row(table, key, row["profile"])
        for port in self.config.get("PORT", {}):
            if self.zeroes and not self._is_up(port):
                self._refresh(port)
        for key, row in self.config.get("QUEUE", {}).items():
            self._queue(key, row)
        self.take()

    def _order_of_boot(self, tables: Iterable[str]) -> list[str]:
        """Those without rows were never served; the others in an order that nobody can tell."""
        empty = [table for table in tables if not self.config.get(table)]
        rest = [table for table in tables if table not in empty]
        return [*empty, *(reversed(rest) if self.lazy() else rest)]

    # -- what is done to it --------------------------------------------------------------------------------------------

    def patch(self, operations: Iterable[Mapping[str, Any]]) -> None:
        """`config apply-patch`: first what shuts no port, then port by port, at last what nothing names any more."""
        have: Tables = json.loads(json.dumps(self.config))  # what the switch writes by itself is none of the patch's
        after: Tables = jsonpatch.apply_patch(json.loads(json.dumps(self.config)), [dict(op) for op in operations])
        for _ in range(2):
            self._move(have, after, [table for table in {**have, **after} if table not in _SHUTTING], None)
            for port in have.get("PORT", {}):
                if self._shutting(port, have) == self._shutting(port, after):
                    continue
                was_up = self._is_up(port)
                if was_up:
                    self._write("PORT", port, {"admin_status": "down"})
                self._move(have, after, _SHUTTING, port)
                if was_up:
                    self._write("PORT", port, {"admin_status": "up"})
            self._move(have, after, _SHUTTING, "global")
        assert {t: r for t, r in have.items() if r} == {t: r for t, r in after.items() if r}

    def _move(self, have: Tables, after: Tables, tables: Iterable[str], port: str | None) -> None:
        """Rows that go, rows that come, and then fields. `port`: whose rows; None: of all."""
        moves = [
            (table, key)
            for table in sorted(tables)
            for key in dict.fromkeys((*have.get(table, {}), *after.get(table, {})))
            if port in (None, key.partition("|")[0]) and have.get(table, {}).get(key) != after.get(table, {}).get(key)
        ]
        moves = moves[::-1] if self.lazy() else moves
        gone = [(table, key) for table, key in moves if key not in after.get(table, {})]
        come = [(table, key) for table, key in moves if key not in have.get(table, {})]
        for table, key in gone:
            if not self._is_named(have, table, key):
                del have[table][key]
                self._delete(table, key)
        for table, key in come:
            have.setdefault(table, {})[key] = dict(after[table][key])
            self._write(table, key, after[table][key])
        for table, key in moves:
            if (table, key) in gone or (table, key) in come:
                continue
            row, running = after[table][key], have[table][key]
            for field in [field for field in running if field not in row]:
                self._remove_field(table, key, field)
            changed = [(field, text) for field, text in row.items() if running.get(field) != text]
            for field, text in reversed(changed) if self.lazy() else changed:
                self._write(table, key, {field: text})
            have[table][key] = dict(row)

    @staticmethod
    def _is_named(tables: Tables, table: str, key: str) -> bool:
        """Whether a row is referred to."""
        names = (key, f"[{table}|{key}]")
        return any(
            text in names
            for other in _REFERRED.get(table, ("PORT_QOS_MAP",) if table.endswith("_MAP") else ())
            for row in tables.get(other, {}).values()
            for text in row.values()
        )

    @staticmethod
    def _shutting(port: str, tables: Tables) -> list[Any]:
        return [
            {k: v for k, v in tables.get(table, {}).items() if k == port or k.startswith(f"{port}|")}
            for table in _SHUTTING
        ]

    def load(self, tables: Tables) -> None:
        """`config load`: one transaction, and each daemon serves its tables in the order of `served`."""
        for table, rows in tables.items():
            for key, row in rows.items():
                self.config.setdefault(table, {}).setdefault(key, {}).update(row)
        for daemon, order in self.served.items():
            for table in [table for table in order if tables.get(table)]:
                for key in tables[table]:
                    if key in self.config.get(table, {}):
                        self._serve(daemon, table, key)

    def type(self, line: str) -> list[str]:
        """A line at its shell; what it prints."""
        loop = _LOOP.fullmatch(line)
        if loop is not None:
            name, words, body, rest = loop.groups()
            out = [text for word in words.split() for text in self.type(re.sub(rf"\${name}\b", word, body))]
        elif "; do " not in line and " | " in line:
            first, _, rest = line.partition(" | ")
            out, rest = self.type(first), f" | {rest}"
        else:
            out, rest = self._command(line), ""
        for part in rest.split(" | ")[1:]:
            command, *options, pattern = shlex.split(part)
            assert command == "grep", part
            out = [text for text in out if (re.search(pattern, text) is None) == ("-v" in options)]
        return out

    def _command(self, line: str) -> list[str]:
        while (inner := _INNER.search(line)) is not None:
            line = line.replace(inner[0], " ".join(self._command(inner[1])))
        words = shlex.split(line)
        if words[0] in ("echo", "sleep"):
            return [" ".join(words[1:])] if words[0] == "echo" else []
        if words[:2] == ["sonic-db-cli", "CONFIG_DB"]:
            return self._database(*words[2:])
        if words[:2] == ["sonic-db-cli", "APPL_DB"]:
            return self._appl(*words[2:])
        if words[:2] in (["sonic-db-cli", "COUNTERS_DB"], ["sonic-db-cli", "ASIC_DB"]):
            return [self._look(words)]
        if words[0] == "sudo" and words[1:3] in (["pfcwd", "stop"], ["pfcwd", "start"]):
            self._pfcwd(*words[2:])
        elif words[:4] == ["sudo", "config", "interface", "shutdown"]:
            self._write("PORT", words[4], {"admin_status": "down"})
        elif words[:4] == ["sudo", "config", "interface", "startup"]:
            self._write("PORT", words[4], {"admin_status": "up"})
        elif words[:4] == ["sudo", "config", "load", "-y"]:
            self.load(self.files[words[4]])
        elif words == ["sudo", "config", "save", "-y"]:
            self.saved.append(json.loads(json.dumps(self.config)))
        else:
            raise AssertionError(f"no such command: {line}")
        return []

    def _look(self, words: list[str]) -> str:
        """What COUNTERS_DB and ASIC_DB say of a group or queue."""
        self.take()
        if words[1] == "COUNTERS_DB":
            table = "BUFFER_PG" if "_PG_" in words[3] else "BUFFER_QUEUE"
            port, _, number = words[4].rpartition(":")
            return words[4] if self._has_name(table, port, int(number)) else ""
        port, _, number = words[3].split(":", 2)[2].rpartition(":")
        table = "BUFFER_PG" if "PRIORITY_GROUP" in words[3] else "wred_profile"
        if not number:
            return ""
        return "oid:0x0" if self.bound.get((table, port, int(number)), NULL) == NULL else "oid:0x1a000000000123"

    def _pfcwd(self, verb: str, *words: str) -> None:
        if verb == "start":
            self._start_watchdog(list(words))
        else:
            for port in words or list(self.config["PORT"]):
                self._delete("PFC_WD", port)

    def _start_watchdog(self, words: list[str]) -> None:
        """sonic-utilities, pfcwd/main.py: a port without pfc_enable is skipped; the first one's history is for all."""
        row: Row = {}
        while words[0].startswith("--"):
            if words[0] == "--pfc-stat-history":
                assert self.release >= 202511, "no such option"
                row["pfc_stat_history"] = "enable"
                words = words[1:]
                continue
            assert words[0] in ("--action", "--restoration-time"), "no such option"
            row[words[0].removeprefix("--").replace("-", "_")] = words[1]
            words = words[2:]
        *ports, row["detection_time"] = words
        row.setdefault("restoration_time", str(2 * int(row["detection_time"])))
        assert set(ports) <= self.config["PORT"].keys(), "invalid options"
        for port in ports:
            if "pfc_enable" in self.config["PORT_QOS_MAP"].get(port, {}):
                if self.release >= 202511:
                    have = self.config.get("PFC_WD", {}).get(port, {})
                    row.setdefault("pfc_stat_history", have.get("pfc_stat_history", "disable"))
                self._delete("PFC_WD", port)
                self._write("PFC_WD", port, dict(row))

    def _arm(self, port: str) -> None:
        mask = self.watched.get(port, "")
        row = self.config.get("PFC_WD", {}).get(port, {})
        known = {"detection_time", "restoration_time", "action"} | (
            {"pfc_stat_history"} if self.release >= 202511 else set()
        )
        if "detection_time" in row and row.keys() <= known:  # else orchagent refuses the row
            self.armed.setdefault(port, set()).update(p for p in mask.split(",") if p)

    def _database(self, verb: str, key: str, *fields: str) -> list[str]:
        table, _, row = key.partition("|")
        if verb == "HSET":
            self._write(table, row, dict(zip(fields[::2], fields[1::2], strict=True)))
        elif verb == "DEL":
            self._delete(table, row)
        elif verb == "KEYS":
            pattern = re.compile(re.escape(row).replace(r"\*", ".*"))
            return [f"{table}|{name}" for name in self.config.get(table, {}) if pattern.fullmatch(name)]
        else:
            assert verb == "HDEL", verb
            for field in fields:
                self._remove_field(table, row, field)
        return []

    def _remove_field(self, table: str, key: str, field: str) -> None:
        have = self.config.get(table, {}).get(key, {})
        if have.keys() == {field}:
            self._delete(table, key)
        elif field in have:
            del have[field]
            self._write(table, key, {})

    def _appl(self, verb: str, key: str, *fields: str) -> list[str]:
        self.take()  # who looks again and again waits for orchagent
        table, _, rest = key.partition(":")
        rows = self.applied[table.removesuffix("_TABLE")]
        if verb == "KEYS":
            assert rest.endswith(":*")
            return [f"{table}:{name.replace('|', ':')}" for name in rows if name.startswith(rest[:-2] + "|")]
        assert (verb, fields) == ("HGET", ("profile",))
        return [rows.get(rest.replace(":", "|"), "")]

    # -- CONFIG_DB and buffermgrd --------------------------------------------------------------------------------------

    def _write(self, table: str, key: str, fields: Row) -> None:
        self.config.setdefault(table, {}).setdefault(key, {}).update(fields)
        for daemon in self.served:
            self._serve(daemon, table, key)

    def _serve(self, daemon: str, table: str, key: str) -> None:
        """A daemon takes a row that was written."""
        row = self.config[table][key]
        if table in (order := self.served[daemon]):
            order.append(order.pop(order.index(table)))
        if daemon == "orchagent":
            self._serve_orchagent(table, key, row)
        elif table in self.applied:
            self._copy_row(table, key, row["profile"])
        elif self.dynamic:
            if table == "PORT":
                self._refresh(key)
        elif table == "PORT":
            self._look_up(key)
        elif table == "PORT_QOS_MAP" and "pfc_enable" in row and self.masks.get(key) != row["pfc_enable"]:
            self.masks[key] = row["pfc_enable"]
            self._look_up(key)
        elif table == "CABLE_LENGTH":
            self._remember_cables(row)

    def _serve_orchagent(self, table: str, key: str, row: Row) -> None:
        if table == "PORT_QOS_MAP":
            self.watched[key] = row.get("pfcwd_sw_enable", "")
            if self.armed.get(key) == set():
                self._arm(key)
        elif table == "QUEUE":
            self._queue(key, row)
        elif table == "PFC_WD":
            self._arm(key)
        elif table in _OF_QUEUES.values():
            self.forced.setdefault((table, key), {}).update(row)

    def _remember_cables(self, row: Row) -> None:
        for port, length in row.items():
            changes = self.cables.get(port) != length
            self.cables[port] = length
            if changes and self.release >= 202511:
                self._look_up(port)

    def _delete(self, table: str, key: str) -> None:
        there = self.config.get(table, {}).pop(key, None)
        if there is None:
            return  # no event
        if not self.config[table]:
            del self.config[table]
        for order in self.served.values():
            if table in order:
                order.append(order.pop(order.index(table)))
        if table == "PFC_WD":
            self.armed.pop(key, None)
        elif table in self.applied:
            self._copy_row(table, key, None)
        elif table in _OF_QUEUES.values():
            assert not self._is_named(self.config, table, key), "it is pending, and writes of this name wait"
            self.forced.pop((table, key), None)
        elif table == "QUEUE":
            self.scheduled.pop(key, None)
            port, _, index = key.rpartition("|")
            for n in numbers(index):
                self.bound["scheduler", port, n] = self.bound["wred_profile", port, n] = NULL

    def _is_up(self, port: str) -> bool:
        return self.config["PORT"].get(port, {}).get("admin_status") == "up"

    def _look_up(self, port: str) -> None:
        row = self.config["PORT"].get(port, {})
        if port not in self.cables or self.cables[port] == "0m" or port not in self.masks or "speed" not in row:
            return
        profile = f"pg_lossless_{row['speed']}_{self.cables[port]}_profile"
        for index in runs(self.masks[port]):
            key = f"{port}|{index}"
            here = self.config.get("BUFFER_PG", {}).get(key, {}).get("profile")
            if not self._is_up(port) and self.clears:
                if here == profile:
                    self._delete("BUFFER_PG", key)
            elif here != profile:
                self._write("BUFFER_PG", key, {"profile": profile})

    def _copy_row(self, table: str, key: str, profile: str | None) -> None:
        """A row of CONFIG_DB that was written or deleted, to APPL_DB."""
        port, _, index = key.rpartition("|")
        if not self.dynamic or self._is_up(port):
            self._copy(table, key, profile)
        elif table == "BUFFER_PG":
            if profile is None:
                self._copy(table, key, None)
        elif not self.zeroes:
            self._copy(table, key, profile)
        elif profile is None:
            self._leave_zeroed(port, index)
        else:
            self._zero(port, index)

    def _zero(self, port: str, index: str) -> None:
        """A row of queues of a shut port: no other zero profile may cover them."""
        mine = set(numbers(index))
        covering = next((each for each in sorted(self.spare.get(port, ())) if mine <= set(numbers(each))), None)
        if covering is not None:
            self.spare[port].remove(covering)
            if covering != index:
                self._copy("BUFFER_QUEUE", f"{port}|{covering}", None)
            for rest in runs(",".join(map(str, set(numbers(covering)) - mine))):
                self.spare[port].add(rest)
                self._copy("BUFFER_QUEUE", f"{port}|{rest}", f"egress_lossy_{_ZERO}")
        self._copy("BUFFER_QUEUE", f"{port}|{index}", f"egress_lossy_{_ZERO}")

    def _leave_zeroed(self, port: str, index: str) -> None:
        """Queues of a shut port whose row is deleted: their zero profile stays, together with that of neighbours."""
        spare, mine = self.spare.setdefault(port, set()), set(numbers(index))
        beside = []
        for each in sorted(spare):
            other = set(numbers(each))
            if not mine & other and len(runs(",".join(map(str, mine | other)))) == 1:
                beside.append(each)
                mine |= other
        for each in (*beside, *([index] if beside else [])):
            self._copy("BUFFER_QUEUE", f"{port}|{each}", None)
        spare.difference_update(beside)
        spare.add(_join(sorted(mine)))
        if beside:
            self._copy("BUFFER_QUEUE", f"{port}|{_join(sorted(mine))}", f"egress_lossy_{_ZERO}")

    def _refresh(self, port: str) -> None:
        """Dynamic model: a port that is shut gives its buffers back, one that is started takes them."""
        is_up = self._is_up(port)
        for key, row in self.config.get("BUFFER_PG", {}).items():
            if key.startswith(f"{port}|"):
                self._copy("BUFFER_PG", key, row["profile"] if is_up else None)
        if not self.zeroes or is_up == (port not in self.spare):
            return
        rows = {k: row for k, row in self.config.get("BUFFER_QUEUE", {}).items() if k.startswith(f"{port}|")}
        if is_up:
            for each in self.spare.pop(port):
                self._copy("BUFFER_QUEUE", f"{port}|{each}", None)
        else:
            used = {n for key in rows for n in numbers(key.rpartition("|")[2])}
            self.spare[port] = set(runs(",".join(str(n) for n in range(8) if n not in used)))
            for each in self.spare[port]:
                self._copy("BUFFER_QUEUE", f"{port}|{each}", f"egress_lossy_{_ZERO}")
        for key, row in rows.items():
            self._copy("BUFFER_QUEUE", key, row["profile"] if is_up else f"egress_lossy_{_ZERO}")

    # -- APPL_DB and orchagent -----------------------------------------------------------------------------------------

    def _copy(self, table: str, key: str, profile: str | None) -> None:
        self.pending[table][key] = profile
        if not self.lazy():
            self.take()

    def take(self) -> None:
        """Orchagent takes what is pending."""
        for table, batch in self.pending.items():
            calls: list[tuple[str, str, str]] = []
            for key in sorted(batch):
                profile = batch[key]
                if profile is None:
                    self.applied[table].pop(key, None)
                    if self.remembered[table].pop(key, None) is not None:
                        calls.append(("DEL", key, NULL))
                else:
                    self.applied[table][key] = profile
                    if self.remembered[table].get(key) != profile:
                        self.remembered[table][key] = profile
                        calls.append(("SET", key, profile))
            if self.release >= 202411:
                calls.sort(key=lambda call: call[0])
            for _, key, profile in calls:
                port, _, index = key.rpartition("|")
                for n in numbers(index):
                    self.bound[table, port, n] = profile
            batch.clear()

    def _queue(self, key: str, row: Row) -> None:
        port, _, index = key.rpartition("|")
        before = self.scheduled.get(key, {})
        self.scheduled[key] = dict(row)
        for n in numbers(index):
            for field in ("scheduler", "wred_profile"):
                if field in row or field in before:
                    self.bound[field, port, n] = row.get(field, NULL)

    def _has_name(self, table: str, port: str, number: int) -> bool:
        """Whether COUNTERS_DB names a group or queue."""
        profile = self.bound.get((table, port, number), NULL)
        return not self.names_go or (profile != NULL and not _is_zero(profile))

    def forced_otherwise(self) -> list[tuple[str, str, str]]:
        """Fields that are in force on a queue, and that its row does not say: by table, row and field."""
        return sorted(
            {
                (table, name, field)
                for row in self.config.get("QUEUE", {}).values()
                for by, table in _OF_QUEUES.items()
                if (name := row.get(by, "").strip("[]").rpartition("|")[2])
                for field, text in self.forced.get((table, name), {}).items()
                if self.config.get(table, {}).get(name, {}).get(field) != text
            }
        )

    def without_watchdog(self) -> list[tuple[str, str]]:
        """Priorities with PFC that no watchdog is armed for, on ports that are up."""
        return [
            (port, p)
            for port, row in self.config["PORT_QOS_MAP"].items()
            for p in row.get("pfc_enable", "").split(",")
            if p and self._is_up(port) and p not in self.armed.get(port, set())
        ]

    def without_headroom(self) -> list[tuple[str, int]]:
        """Groups of ports that are up, with PFC on and no profile."""
        self.take()
        return [
            (port, n)
            for port, row in self.config["PORT_QOS_MAP"].items()
            for n in (int(p) for p in row.get("pfc_enable", "").split(",") if p)
            if self._is_up(port)
            and ((profile := self.bound.get(("BUFFER_PG", port, n), NULL)) == NULL or _is_zero(profile))
        ]
