"""Ports that are taken down for a change, and what is typed while they are.

Three things need it. Rows that overlap are deleted, and their deletion is seen, before one of them is written again
(`overlap`). A new cable length becomes headroom, up to 202505 in the traditional model, only when the port is started
(`looked_up`). And the watchdog is armed for the priorities that a port has when its row of PFC_WD comes (sonic-swss,
orchagent/pfcwdorch.cpp, registerInWdDb): where these change it is stopped before and started after, as one that is in
a storm turns PFC on again for the priority that it held (pfcactionhandler.cpp). Rows and priorities are never in one
patch: apply-patch adds rows before it changes fields. In between a priority group may be
without its profile, and PFC without headroom drops what arrives after a pause, or a lossless class without its
watchdog: so the ports are down meanwhile. CABLE_LENGTH and pfc_enable come before the deletion, since buffermgrd writes
rows from what it remembers of them: once it has both, nothing brings a deleted row back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.changes import HITLESS, PORT_FLAP, Step
from rocecfg.vendors.sonic import commands, looked_up, overlap
from rocecfg.vendors.sonic.change.safe import is_up
from rocecfg.vendors.sonic.change.tables import Row, Tables
from rocecfg.vendors.sonic.change.written import start_commands, write_commands
from rocecfg.vendors.sonic.headroom import COMPUTED
from rocecfg.vendors.sonic.keys import parse_priorities, parse_range, referenced_name
from rocecfg.vendors.sonic.release import Release

_QUEUES = "BUFFER_QUEUE"
_ON_SWITCH = "run it on the switch"
LOOK = "run it on the switch, and continue once it prints nothing"
_DOWN = (
    "the ports stay down until their groups are bound and their watchdog runs: a priority group without a profile "
    "has no headroom, and drops packets that arrive after a pause"
)
_STOPPED = "the watchdog keeps watching the priorities that it was started for: it is stopped while they change"
_ARMED = "started again, for the current priorities of the ports"
_DELETED = (
    "orchagent removes the profile from every number of a deleted row, and skips a row that looks unchanged: "
    "overlapping rows are deleted together, and written only once they are gone"
)
_STARTED = (
    "buffermgrd looks up headroom for the current length and priorities of a port: up to 202505 only when the port "
    "starts, not when only the length changes"
)
_REMEMBERED = (
    "buffermgrd remembers the priorities that pfc_enable had before it was removed, and writes these rows at every "
    "start of the port until swss is restarted; without PFC they only hold buffer"
)
_STARTED_COMPUTED = "the ports come up with the priority groups that are bound now"
_SEEN = "a row leaves APPL_DB once orchagent has processed its deletion; a row written earlier may be skipped"
_BOUND = "it lists groups without a profile: a group that has none in ASIC_DB can look right in CONFIG_DB"


class Held(NamedTuple):
    """What a change holds: the ports that it takes down, by table the keys that are deleted first, and watchdogs."""

    ports: tuple[str, ...]
    keys: Mapping[str, tuple[str, ...]]
    stopped: tuple[str, ...]  # ports whose watchdog is stopped
    started: Mapping[str, Row]  # ports whose watchdog is started, and their rows of PFC_WD

    @property
    def any(self) -> bool:
        """Whether there is anything to hold."""
        return bool(self.ports or self.stopped or self.started) or any(self.keys.values())


def find_held(config: Tables, target: Tables, release: Release, rebound: Iterable[str], *, traditional: bool) -> Held:
    """What a change from `config` to `target` holds. `rebound`: keys of BUFFER_PG that the switch is to bind again.

    Ports that are administratively down are not among its ports: nobody starts them.
    """
    keys = {
        table: tuple(_keys_deleted_first(table, config, target, traditional=traditional)) for table in overlap.TABLES
    }
    ports = dict.fromkeys(key.rpartition("|")[0] for found in keys.values() for key in found)
    if traditional:
        ports |= dict.fromkeys(_ports_to_start(config, target, release, rebound))
    mask = release.watched_by
    stopped = tuple(port for port in config.get("PFC_WD", {}) if _is_watched_otherwise(config, target, port, mask))
    started = {
        port: row for port, row in target.get("PFC_WD", {}).items() if _is_watched_otherwise(config, target, port, mask)
    }
    ports |= dict.fromkeys((*stopped, *started))
    return Held(tuple(port for port in ports if is_up(config, port)), keys, stopped, started)


def find_rebound_by_switch(config: Tables, target: Tables, own: Iterable[str]) -> tuple[str, ...]:
    """Keys of BUFFER_PG that the switch binds again by itself: to another generated profile. `own`: keys of ours."""
    before, after, ours = config.get("BUFFER_PG", {}), target.get("BUFFER_PG", {}), set(own)
    changed = [key for key, row in after.items() if key in before and before[key] != row and key not in ours]
    return tuple(key for key in changed if _is_generated(before[key]) and _is_generated(after[key]))


def _keys_deleted_first(table: str, config: Tables, target: Tables, *, traditional: bool) -> Iterator[str]:
    """The keys of a table to delete first; also rows that buffermgrd has written by then."""
    have, want = list(config.get(table, {})), set(target.get(table, {}))
    if table != "BUFFER_PG" or not traditional:
        yield from overlap.find_deleted_first(table, have, want)
        return
    made = {key for port in target.get("PORT_QOS_MAP", {}) for key in looked_up.keys_generated(target, port)}
    have += sorted(made)
    want |= made
    found = set(overlap.find_deleted_first(table, have, want))
    # A generated row that goes alone: written anew at the next start of its port, unless pfc_enable is changed by then.
    found |= {
        key
        for key, row in config.get(table, {}).items()
        if key not in want and _is_generated(row) and parse_range(key.rpartition("|")[2])
    }
    yield from (key for key in dict.fromkeys(have) if key in found)


def _ports_to_start(config: Tables, target: Tables, release: Release, rebound: Iterable[str]) -> Iterator[str]:
    """Ports whose headroom is looked up again only when they are started."""
    stale = {key.rpartition("|")[0] for key in rebound}
    for port, row in target.get("PORT_QOS_MAP", {}).items():
        changes = looked_up.length_of(config, port) != looked_up.length_of(target, port)
        if row.get("pfc_enable") and (changes or port in stale) and not (changes and release.cable_acts):
            yield port


def _is_watched_otherwise(config: Tables, target: Tables, port: str, mask: str) -> bool:
    """Whether the priorities that the watchdog of a port is for change."""
    before, after = (tables.get("PORT_QOS_MAP", {}).get(port, {}).get(mask, "") for tables in (config, target))
    return set(before.split(",")) != set(after.split(","))


def _is_generated(row: Row) -> bool:
    return looked_up.GENERATED.fullmatch(row.get("profile", "")) is not None


# -- steps -------------------------------------------------------------------------------------------------------------


def shut_ports(hold: Held) -> Iterator[Step]:
    """Take the ports down."""
    if hold.ports:
        yield Step(_ON_SWITCH, PORT_FLAP, _DOWN, (commands.shut_ports(hold.ports),), ordered=True)


def stop_watchdog(hold: Held) -> Iterator[Step]:
    """Stop the watchdog of ports whose priorities change."""
    if hold.stopped:
        yield Step(_ON_SWITCH, HITLESS, _STOPPED, (commands.stop_watchdog(hold.stopped),), ordered=True)


def start_watchdog(hold: Held, release: Release) -> Iterator[Step]:
    """Start it, with the timers that are intended."""
    lines = start_commands(hold.started, release)
    if lines:
        yield Step(_ON_SWITCH, HITLESS, _ARMED, lines, ordered=True)


def delete_rows_of_queues(hold: Held, *, traditional: bool) -> Iterator[Step]:
    """Delete rows of BUFFER_QUEUE before ports are shut, where a deletion after that is none.

    The dynamic buffer model keeps them with a zero profile then, and deletes them at the start of the port, together
    with the writes of those that they overlap (cfgmgr/buffermgrdyn.cpp): up to 202405 the deletion may come last.
    """
    if not traditional:
        yield from _delete_rows({table: keys for table, keys in hold.keys.items() if table == _QUEUES}, zeroes=True)


def delete_rows(hold: Held, *, traditional: bool) -> Iterator[Step]:
    """Delete the other rows, and see that orchagent has taken it."""
    keys = {table: keys for table, keys in hold.keys.items() if traditional or table != _QUEUES}
    yield from _delete_rows(keys, zeroes=not traditional)


def _delete_rows(keys_of: Mapping[str, tuple[str, ...]], *, zeroes: bool) -> Iterator[Step]:
    lines = [line for table, keys in keys_of.items() for line in commands.delete_rows(table, keys)]
    if lines:
        yield Step(_ON_SWITCH, PORT_FLAP, _DELETED, tuple(lines), ordered=True)
        checks = [
            line for table, keys in keys_of.items() for line in commands.print_still_bound(table, keys, zeroes=zeroes)
        ]
        yield Step(LOOK, PORT_FLAP, _SEEN, tuple(checks), ordered=True)


def without_watchdogs(hold: Held, config: Tables) -> Tables:
    """What runs while watchdogs are stopped."""
    rows = {port: row for port, row in config.get("PFC_WD", {}).items() if port not in hold.stopped}
    return {
        **{table: kept for table, kept in config.items() if table != "PFC_WD"},
        **({"PFC_WD": rows} if rows else {}),
    }


def target_before_deletion(hold: Held, config: Tables, target: Tables) -> Tables:
    """What is to run before rows are deleted and watchdogs started: what these have to do with stays as it is."""
    out = dict(target)
    for table, keys in hold.keys.items():
        gone = overlap.keys_by_port(keys)
        rows = {key: row for key, row in target.get(table, {}).items() if not _overlaps_any(key, gone)}
        stay = {key: row for key, row in config.get(table, {}).items() if _overlaps_any(key, gone)}
        out[table] = {**rows, **stay}
    out["PFC_WD"] = {port: row for port, row in target.get("PFC_WD", {}).items() if port not in hold.started}
    return out


def _overlaps_any(key: str, gone: Mapping[str, list[str]]) -> bool:
    """Whether a row overlaps one of those that go."""
    return any(overlap.overlaps(key, other) for other in gone.get(key.rpartition("|")[0], ()))


def rows_written_anew(hold: Held, target: Tables) -> dict[str, dict[str, Row]]:
    """The rows that are written once the deletion was seen, those that the switch writes by itself aside."""
    profiles = target.get("BUFFER_PROFILE", {})
    out: dict[str, dict[str, Row]] = {}
    for table, keys in hold.keys.items():
        gone = overlap.keys_by_port(keys)
        for key, row in target.get(table, {}).items():
            made = table == "BUFFER_PG" and referenced_name(row.get("profile", "")) not in (COMPUTED, *profiles)
            if not made and _overlaps_any(key, gone):
                out.setdefault(table, {})[key] = row
    return out


def write_rows(rows: Tables) -> Iterator[Step]:
    """Write rows again."""
    lines = write_commands([{"op": "add", "path": f"/{table}", "value": found} for table, found in rows.items()], {})
    if lines:
        yield Step(_ON_SWITCH, PORT_FLAP, "only now: the overlapping rows are gone", lines, ordered=True)


def start_ports(hold: Held, target: Tables, *, traditional: bool) -> Iterator[Step]:
    """Bring the ports up, and see that each lossless group has its profile."""
    if not hold.ports:
        return
    why = _STARTED if traditional else _STARTED_COMPUTED
    yield Step(_ON_SWITCH, PORT_FLAP, why, (commands.start_ports(hold.ports),), ordered=True)
    masks = {port: target.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "") for port in hold.ports}
    groups = {port: sorted(parse_priorities(mask)) for port, mask in masks.items()}
    meant = (
        {key: name for port in hold.ports for key, name in looked_up.profiles_generated(target, port)}
        if traditional
        else {}
    )
    own = {key for key, row in target.get("BUFFER_PG", {}).items() if not _is_generated(row)}
    lines = [
        *commands.print_bound_otherwise({key: name for key, name in meant.items() if key not in own}),
        *commands.print_unbound(groups),
    ]
    if lines:
        yield Step(LOOK, PORT_FLAP, _BOUND, tuple(lines), ordered=True)


def delete_rows_again(hold: Held, config: Tables, target: Tables) -> Iterator[Step]:
    """Delete the rows that the start of a port has brought back, where its pfc_enable is gone and not empty.

    buffermgrd takes the priorities of a port from that field where it is written (cfgmgr/buffermgr.cpp,
    doPortQosTableTask): a field that is removed changes nothing of what it remembers.
    """

    def has_mask(tables: Tables, port: str) -> bool:
        return "pfc_enable" in tables.get("PORT_QOS_MAP", {}).get(port, {})

    silent = {port for port in hold.ports if has_mask(config, port) and not has_mask(target, port)}
    keys = tuple(key for key in hold.keys.get("BUFFER_PG", ()) if key.rpartition("|")[0] in silent)
    lines = tuple(commands.delete_rows("BUFFER_PG", keys)) if keys else ()
    if lines:
        yield Step(_ON_SWITCH, HITLESS, _REMEMBERED, lines, ordered=True)
