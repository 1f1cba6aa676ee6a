"""A small SONiC switch: what sonic-swss makes of rows on buffers, batch by batch, as its sources have it.

Independent of rocecfg: commands and patches go in, and which profile each priority group and queue has comes out.

- CONFIG_DB to APPL_DB: cfgmgr/buffermgr.cpp, traditional model. Rows of BUFFER_PG and BUFFER_QUEUE are copied; a row of
  PORT, a changed pfc_enable, and from 202511 a changed CABLE_LENGTH write `pg_lossless_SPEED_LENGTH_profile` into
  BUFFER_PG of CONFIG_DB (doSpeedUpdateTask, doPortQosTableTask, doCableTask). On mellanox and barefoot the rows of a
  port that is down go. Rows that fitted earlier priorities stay.
- CONFIG_DB to APPL_DB, dynamic model (cfgmgr/buffermgrdyn.cpp): rows are copied while their port is up; the rows of a
  port go when it is shut, and come back when it is started.
- APPL_DB to orchagent: a deletion and a write of one key that are not taken yet are one write (sonic-swss-common,
  producerstatetable.cpp and consumer_state_table_pops.lua); what is pending is taken as one batch.
- orchagent/bufferorch.cpp, processPriorityGroup and processQueue: a deletion binds null to every number of the key; a
  write of the profile that is remembered for that key is skipped. A batch is worked off by key (orch.cpp, addToSync);
  up to 202405 each at once, from 202411 all deletions and then all writes (processPriorityGroupBulk).
- orchagent/qosorch.cpp, handleQueueTable: a deletion takes scheduler and WRED profile off every number of the key.
- orchagent/pfcwdorch.cpp, registerInWdDb: a row of PFC_WD that is written arms the watchdog for the priorities of
  pfcwd_sw_enable at that time, and is tried again while there are none; those that come later are not armed.
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
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in out]


class Switch:
    """One that was booted with `config`. `lazy` draws what nobody can tell.

    Whether orchagent leaves a row for a later batch, and in which order a patch's tables and rows are worked off.
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
        self.release = release
        self.dynamic = dynamic
        self.clears = vendor in ("mellanox", "barefoot")
        self.lazy = lazy
        self.applied: dict[str, dict[str, str]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.pending: dict[str, dict[str, str | None]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.remembered: dict[str, dict[str, str]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.bound: dict[tuple[str, str, int], str] = {}  # table, port, number
        self.cables = {p: v for row in config.get("CABLE_LENGTH", {}).values() for p, v in row.items()}
        self.masks = {p: row.get("pfc_enable", "") for p, row in config.get("PORT_QOS_MAP", {}).items()}
        self.saved: list[Tables] = []
        self.armed: dict[str, set[str]] = {}
        for port in config.get("PFC_WD", {}):
            self._arm(port)
        for table in self.applied:
            for key, row in self.config.get(table, {}).items():
                self._copy(table, key, row["profile"])
        for key, row in self.config.get("QUEUE", {}).items():
            self._queue(key, row)
        self.take()

    # -- what is done to it --------------------------------------------------------------------------------------------

    def patch(self, operations: Iterable[Mapping[str, Any]]) -> None:
        """`config apply-patch`: ports that are up are shut for a change of their queues, groups or maps."""
        after = jsonpatch.apply_patch(json.loads(json.dumps(self.config)), [dict(op) for op in operations])
        flapping = [
            port
            for port, row in self.config["PORT"].items()
            if row.get("admin_status") == "up" and self._touched(port, self.config) != self._touched(port, after)
        ]
        for port in flapping:
            self._write("PORT", port, {"admin_status": "down"})
        moves: list[tuple[str, str]] = []
        for table in sorted({*self.config, *after}):
            before, now = self.config.get(table, {}), after.get(table, {})
            found = [key for key in (*before, *now) if before.get(key) != now.get(key)]
            moves += dict.fromkeys((table, key) for key in (reversed(found) if self.lazy() else found))
        for table, key in reversed(moves) if self.lazy() else moves:
            if key not in after.get(table, {}):
                self._delete(table, key)
                continue
            row = after[table][key]
            for field in [field for field in self.config.get(table, {}).get(key, {}) if field not in row]:
                del self.config[table][key][field]
            self._write(table, key, {k: v for k, v in row.items() if (table, k) != ("PORT", "admin_status")})
        for port in flapping:
            self._write("PORT", port, {"admin_status": "up"})

    @staticmethod
    def _touched(port: str, tables: Tables) -> list[Any]:
        return [
            {k: v for k, v in tables.get(table, {}).items() if k == port or k.startswith(f"{port}|")}
            for table in ("BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE")
        ]

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
        if words[:2] == ["sonic-db-cli", "COUNTERS_DB"]:
            return [words[4]]
        if words[:2] == ["sonic-db-cli", "ASIC_DB"]:
            self.take()
            port, _, number = words[3].split(":", 2)[2].rpartition(":")
            table = "BUFFER_PG" if "PRIORITY_GROUP" in words[3] else "wred_profile"
            return ["oid:0x0" if self.bound.get((table, port, int(number)), NULL) == NULL else "oid:0x1a000000000123"]
        if words[:4] == ["sudo", "config", "interface", "shutdown"]:
            self._write("PORT", words[4], {"admin_status": "down"})
        elif words[:4] == ["sudo", "config", "interface", "startup"]:
            self._write("PORT", words[4], {"admin_status": "up"})
        elif words == ["sudo", "config", "save", "-y"]:
            self.saved.append(json.loads(json.dumps(self.config)))
        elif words[:3] == ["sudo", "pfcwd", "stop"]:
            for port in words[3:]:
                self._delete("PFC_WD", port)
        elif words[:3] == ["sudo", "pfcwd", "start"]:
            self._start_watchdog(words[3:])
        else:
            raise AssertionError(f"no such command: {line}")
        return []

    def _start_watchdog(self, words: list[str]) -> None:
        """sonic-utilities, pfcwd/main.py: a port without pfc_enable is skipped."""
        row: Row = {}
        while words[0].startswith("--"):
            row[words[0].removeprefix("--").replace("-", "_")] = words[1]
            words = words[2:]
        *ports, row["detection_time"] = words
        for port in ports:
            if "pfc_enable" in self.config["PORT_QOS_MAP"].get(port, {}):
                self._delete("PFC_WD", port)
                self._write("PFC_WD", port, row)

    def _arm(self, port: str) -> None:
        mask = self.config.get("PORT_QOS_MAP", {}).get(port, {}).get("pfcwd_sw_enable", "")
        if port != "GLOBAL":
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
                self.config[table][row].pop(field, None)
            self._write(table, row, {})
        return []

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
        row = self.config[table][key]
        if table == "PORT_QOS_MAP" and self.armed.get(key) == set():
            self._arm(key)
        if table in self.applied:
            if not self.dynamic or self._is_up(key.partition("|")[0]):
                self._copy(table, key, row["profile"])
        elif table == "QUEUE":
            self._queue(key, row)
        elif table == "PFC_WD":
            self._arm(key)
        elif self.dynamic:
            if table == "PORT":
                self._refresh(key)
        elif table == "PORT":
            self._look_up(key)
        elif table == "PORT_QOS_MAP" and "pfc_enable" in row and self.masks.get(key) != row["pfc_enable"]:
            self.masks[key] = row["pfc_enable"]
            self._look_up(key)
        elif table == "CABLE_LENGTH":
            for port, length in row.items():
                changes = self.cables.get(port) != length
                self.cables[port] = length
                if changes and self.release >= 202511:
                    self._look_up(port)

    def _delete(self, table: str, key: str) -> None:
        there = self.config.get(table, {}).pop(key, None)
        if there is None:
            return
        if table == "PFC_WD":
            self.armed.pop(key, None)
        elif table in self.applied:
            self._copy(table, key, None)
        elif table == "QUEUE":
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

    def _refresh(self, port: str) -> None:
        """Dynamic model: the rows of a port that is shut go, those of one that is started come."""
        for key, row in self.config.get("BUFFER_PG", {}).items():
            if key.startswith(f"{port}|"):
                self._copy("BUFFER_PG", key, row["profile"] if self._is_up(port) else None)

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
        for n in numbers(index):
            for field in ("scheduler", "wred_profile"):
                if field in row:
                    self.bound[field, port, n] = row[field]

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
            if self._is_up(port) and self.bound.get(("BUFFER_PG", port, n), NULL) == NULL
        ]
