"""Ports that are taken down for a change of their headroom, and what is typed while they are.

Two things need it. Rows that overlap are deleted, and their deletion is seen, before one of them is written again
(`overlap`). And a new cable length becomes headroom, up to 202505 in the traditional model, only when the port is
started (`looked_up`). In between a priority group may be without its profile, and PFC without headroom drops what
arrives after a pause: so the ports are down meanwhile. CABLE_LENGTH and pfc_enable come before the deletion, since
buffermgrd writes rows from what it remembers of them: once it has both, nothing brings a deleted row back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.mending import PORT_FLAP, Step
from rocecfg.vendors.sonic import commands, looked_up, overlap
from rocecfg.vendors.sonic.change.tables import Row, Tables, named
from rocecfg.vendors.sonic.change.written import written
from rocecfg.vendors.sonic.headroom import COMPUTED
from rocecfg.vendors.sonic.release import Release

FIRST = ("CABLE_LENGTH", "PORT_QOS_MAP")  # applied between the shutdown and the deletion
THEN = ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE")  # and after it
_ON_SWITCH = "run it on the switch"
_LOOK = "run it on the switch, and go on when it prints nothing"
_DOWN = (
    "the ports stay down until their groups are bound: a priority group without a profile has no headroom, and with "
    "PFC on it drops what arrives after a pause"
)
_DELETED = (
    "orchagent takes the profile off every number of a deleted row, and skips a row that it holds to be unchanged: "
    "what overlaps is deleted together, and written only after that was seen"
)
_STARTED = (
    "buffermgrd looks the headroom up for the length and the priorities that the ports have now: up to 202505 it does "
    "so at the start of a port, and not for a new length alone"
)
_STARTED_COMPUTED = "the ports come up with the priority groups that are bound now"
_SEEN = "a row of APPL_DB is gone when orchagent has taken its deletion; written before that, a row may be skipped"
_BOUND = "it names what lacks its profile: a group that has none in ASIC_DB can look right in CONFIG_DB"


class Held(NamedTuple):
    """What a change holds: the ports that it takes down, and by table the keys that are deleted first."""

    ports: tuple[str, ...]
    keys: Mapping[str, tuple[str, ...]]

    @property
    def any(self) -> bool:
        """Whether there is anything to hold."""
        return bool(self.ports) or any(self.keys.values())


def held(config: Tables, target: Tables, release: Release, rebound: Iterable[str], *, traditional: bool) -> Held:
    """What a change from `config` to `target` holds. `rebound`: keys of BUFFER_PG that the switch is to bind anew.

    Ports that are administratively down are not among its ports: nobody starts them.
    """
    keys = {table: tuple(_first(table, config, target, traditional=traditional)) for table in overlap.TABLES}
    ports = dict.fromkeys(key.rpartition("|")[0] for found in keys.values() for key in found)
    if traditional:
        ports |= dict.fromkeys(_to_start(config, target, release, rebound))
    return Held(tuple(port for port in ports if is_up(config, port)), keys)


def is_up(config: Tables, port: str) -> bool:
    """Whether a port is up; also where only a part of the configuration is known, without a table PORT."""
    return "PORT" not in config or config["PORT"].get(port, {}).get("admin_status") == "up"


def by_switch(config: Tables, target: Tables, own: Iterable[str]) -> tuple[str, ...]:
    """Keys of BUFFER_PG that the switch binds anew by itself: to another generated profile. `own`: keys of ours."""
    before, after, ours = config.get("BUFFER_PG", {}), target.get("BUFFER_PG", {}), set(own)
    changed = [key for key, row in after.items() if key in before and before[key] != row and key not in ours]
    return tuple(key for key in changed if _generated(before[key]) and _generated(after[key]))


def _first(table: str, config: Tables, target: Tables, *, traditional: bool) -> Iterator[str]:
    """The keys of a table to delete first; also rows that buffermgrd has written by then."""
    have, want = list(config.get(table, {})), set(target.get(table, {}))
    if table != "BUFFER_PG" or not traditional:
        yield from overlap.deleted_first(table, have, want)
        return
    made = {key for port in target.get("PORT_QOS_MAP", {}) for key in looked_up.keys_made(target, port)}
    have += sorted(made)
    want |= made
    found = set(overlap.deleted_first(table, have, want))
    # A generated row that goes alone: written anew at the next start of its port, unless pfc_enable is changed by then.
    found |= {key for key, row in config.get(table, {}).items() if key not in want and _generated(row)}
    yield from (key for key in dict.fromkeys(have) if key in found)


def _to_start(config: Tables, target: Tables, release: Release, rebound: Iterable[str]) -> Iterator[str]:
    """Ports whose headroom is looked up anew only when they are started."""
    stale = {key.rpartition("|")[0] for key in rebound}
    for port, row in target.get("PORT_QOS_MAP", {}).items():
        changes = looked_up.length_of(config, port) != looked_up.length_of(target, port)
        if row.get("pfc_enable") and (changes or port in stale) and not (changes and release.cable_acts):
            yield port


def _generated(row: Row) -> bool:
    return looked_up.GENERATED.fullmatch(row.get("profile", "")) is not None


# -- steps -------------------------------------------------------------------------------------------------------------


def shut(hold: Held) -> Iterator[Step]:
    """Take the ports down."""
    if hold.ports:
        yield Step(_ON_SWITCH, PORT_FLAP, _DOWN, (commands.shut(hold.ports),), ordered=True)


def delete(hold: Held) -> Iterator[Step]:
    """Delete the rows, and see that orchagent has taken it."""
    lines = [line for table, keys in hold.keys.items() for line in commands.delete(table, keys)]
    if lines:
        yield Step(_ON_SWITCH, PORT_FLAP, _DELETED, tuple(lines), ordered=True)
        checks = [line for table, keys in hold.keys.items() for line in commands.still_bound(table, keys)]
        yield Step(_LOOK, PORT_FLAP, _SEEN, tuple(checks), ordered=True)


def again(hold: Held, target: Tables) -> dict[str, dict[str, Row]]:
    """The rows that are written once the deletion was seen, those that the switch writes by itself aside."""
    profiles = target.get("BUFFER_PROFILE", {})
    out: dict[str, dict[str, Row]] = {}
    for table, keys in hold.keys.items():
        for key, row in target.get(table, {}).items():
            made = table == "BUFFER_PG" and named(row.get("profile", "")) not in (COMPUTED, *profiles)
            if not made and any(overlap.overlaps(key, gone) for gone in keys):
                out.setdefault(table, {})[key] = row
    return out


def write(rows: Tables) -> Iterator[Step]:
    """Write rows anew."""
    lines = written([{"op": "add", "path": f"/{table}", "value": found} for table, found in rows.items()], {})
    if lines:
        yield Step(_ON_SWITCH, PORT_FLAP, "only now: the rows that it overlapped are gone", lines, ordered=True)


def start(hold: Held, target: Tables, *, traditional: bool) -> Iterator[Step]:
    """Bring the ports up, and see that each lossless group has its profile."""
    if not hold.ports:
        return
    why = _STARTED if traditional else _STARTED_COMPUTED
    yield Step(_ON_SWITCH, PORT_FLAP, why, (commands.start(hold.ports),), ordered=True)
    masks = {port: target.get("PORT_QOS_MAP", {}).get(port, {}).get("pfc_enable", "") for port in hold.ports}
    groups = {port: sorted({int(p) for p in mask.split(",") if p.isdigit()}) for port, mask in masks.items()}
    meant = (
        {key: name for port in hold.ports for key, name in looked_up.profiles_made(target, port)} if traditional else {}
    )
    own = {key for key, row in target.get("BUFFER_PG", {}).items() if not _generated(row)}
    lines = [
        *commands.not_bound_to({key: name for key, name in meant.items() if key not in own}),
        *commands.unbound(groups),
    ]
    if lines:
        yield Step(_LOOK, PORT_FLAP, _BOUND, tuple(lines), ordered=True)
