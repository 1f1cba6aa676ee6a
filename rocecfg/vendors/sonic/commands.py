"""Commands that are typed at a SONiC switch around a change of its buffers (sonic-utilities, sonic-swss-common)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rocecfg.core.nodeset import fold_for_shell
from rocecfg.model import PortGroup
from rocecfg.vendors.sonic.keys import join_priorities, parse_range

SAVE = "sudo config save -y"
LOOK = "say 'How it works now'"  # in a script, before what shows it and the save
PATCH = "sudo config apply-patch"
DELETE = "sonic-db-cli CONFIG_DB DEL"
REMOVE = "sonic-db-cli CONFIG_DB HDEL"
HISTORY = "pfc_stat_history"  # of a row of PFC_WD
_APPLIED = {"BUFFER_PG": "BUFFER_PG_TABLE", "BUFFER_QUEUE": "BUFFER_QUEUE_TABLE"}  # in APPL_DB, as buffermgrd writes it
_GROUP = "SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP"
_GROUP_PROFILE = "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"
_QUEUE = "SAI_OBJECT_TYPE_QUEUE"
_QUEUE_CURVE = "SAI_QUEUE_ATTR_WRED_PROFILE_ID"
POLL = "100"  # ms, what orchagent polls at unless told otherwise (orchdaemon.cpp, PFC_WD_POLL_MSECS)
# A field that YANG does not know. The last field takes its row with it, and orchagent takes the deletion of
# PFC_WD|GLOBAL for that of a port, and crashes (pfcwdorch.cpp, deleteEntry, up to 202605): another one comes first.
FORGET_FORCED_DROP = (
    f"sonic-db-cli CONFIG_DB HSETNX 'PFC_WD|GLOBAL' POLL_INTERVAL {POLL}",
    f"{REMOVE} 'PFC_WD|GLOBAL' BIG_RED_SWITCH",
)
END_FORCED_DROP = ("sudo pfcwd big_red_switch disable", *FORGET_FORCED_DROP)


def verify_commands(*, ecn_counters: bool) -> tuple[str, ...]:
    """Show PFC, its watchdog, ECN, headroom and queues as they work. `ecn_counters`: the release counts marks."""
    return (
        "show pfc priority",
        "show pfc counters",
        "show pfcwd config",
        "show pfcwd stats",
        "show ecn",
        *(("show queue wredcounters",) if ecn_counters else ()),
        "show priority-group drop counters",
        "show priority-group watermark headroom",
        "show queue counters",
    )


def for_each_port(ports: Sequence[str], command: str) -> str:
    """A command with $PORT in it, for each port."""
    if len(ports) == 1:
        return command.replace("$PORT", ports[0])
    return f"for PORT in {' '.join(ports)}; do {command}; done"


SHUT, START = "sudo config interface shutdown $PORT", "sudo config interface startup $PORT"
IS_UP = '[ "$(sonic-db-cli CONFIG_DB HGET "PORT|$PORT" admin_status)" = up ]'
RECORD = (
    "~/rocecfg-ports-up"  # ports that go down: in the home of whoever types, as a task list removes a script's folder
)


def fold_ports(lines: Sequence[str], ports: Iterable[PortGroup]) -> tuple[str, ...]:
    """Lines with the lists of ports in them as ranges of bash: `Ethernet{0..248..8}`."""
    names = {name for port in ports for name in port.names}

    def fold_run(words: re.Match[str]) -> str:
        runs = groupby(words[0].split(" "), names.__contains__)
        return " ".join(fold_for_shell(tuple(run)) if known else " ".join(run) for known, run in runs)

    return tuple(re.sub(r"[\w/.-]+(?: [\w/.-]+)+", fold_run, line) for line in lines)


def restart_for_length(priorities: Sequence[int], length: str) -> str:
    """Restarts $PORT where its headroom is for another length: buffermgrd calls it pg_lossless_SPEED_LENGTH_profile."""
    profile = f'"$(sonic-db-cli APPL_DB HGET "BUFFER_PG_TABLE:$PORT:{join_priorities(priorities)[0]}" profile)"'
    return f"case {profile} in *_{length}_*) ;; *) {SHUT}; {START} ;; esac"


def print_row(table: str, index: str) -> str:
    """Prints the key of a row of $PORT in CONFIG_DB, if it is there."""
    return f'sonic-db-cli CONFIG_DB KEYS "{table}|$PORT|{index}"'


def shut_ports(ports: Sequence[str]) -> str:
    """Takes ports down."""
    return for_each_port(ports, SHUT)


def start_ports(ports: Sequence[str]) -> str:
    """Brings ports up: a row of PORT is written, at which buffermgrd looks the headroom up again."""
    return for_each_port(ports, START)


def stop_watchdog(ports: Sequence[str]) -> str:
    """Stops the watchdog of ports: their rows of PFC_WD go (pfcwd/main.py)."""
    return f"sudo pfcwd stop {' '.join(ports)}"


def start_watchdog(rows: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Starts the watchdog of ports that have PFC by then; those with equal rows in one line. `rows`: of PFC_WD.

    From 202511 the command writes a field that its flag turns on (pfcwd/main.py), and else has it off.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for port, row in rows.items():
        action = f"--action {shlex.quote(row['action'])} " if "action" in row else ""
        history = " --pfc-stat-history" if row.get(HISTORY) == "enable" else ""
        options = f"{action}--restoration-time {shlex.quote(row['restoration_time'])}{history}"
        alike.setdefault((options, shlex.quote(row["detection_time"])), []).append(port)
    for (options, detection), ports in alike.items():
        yield f"sudo pfcwd start {options} {' '.join(ports)} {detection}"


def delete_rows(table: str, keys: Iterable[str]) -> list[str]:
    """Deletes rows of CONFIG_DB, there or not."""
    return [for_each_port(ports, f'{DELETE} "{table}|$PORT|{index}"') for index, ports in _ports_by_index(keys).items()]


def print_still_bound(table: str, keys: Iterable[str], *, zeroes: bool = False) -> list[str]:
    """Print something as long as orchagent has not taken the deletion of these rows.

    A row of APPL_DB is gone when orchagent takes its deletion (sonic-swss-common, consumer_state_table_pops.lua); what
    is written after that is another batch. QUEUE has no row there: its number has a WRED profile in ASIC_DB.
    `zeroes`: in the dynamic buffer model a deleted row of a shut port may keep a zero profile until another covers
    its numbers (sonic-swss, cfgmgr/buffermgrdyn.cpp, handleDelSingleBufferObjectOnAdminDownPort).
    """
    indexes = _ports_by_index(keys)
    alike: dict[tuple[str, ...], list[str]] = {}
    for port in dict.fromkeys(port for ports in indexes.values() for port in ports):
        alike.setdefault(tuple(index for index, ports in indexes.items() if port in ports), []).append(port)
    if table in _APPLIED and zeroes:
        return [
            for_each_port(ports, f'echo $PORT $(sonic-db-cli APPL_DB HGET "{_APPLIED[table]}:$PORT:{index}" profile)')
            + " | grep ' ' | grep -v _zero_"
            for index, ports in indexes.items()
        ]
    if table in _APPLIED:
        return [
            for_each_port(
                ports, f"sonic-db-cli APPL_DB KEYS \"{_APPLIED[table]}:$PORT:*\" | grep -E ':({'|'.join(found)})$'"
            )
            for found, ports in alike.items()
        ]
    return [
        _query_each_number(ports, _numbers_of(found), "COUNTERS_QUEUE_NAME_MAP", _QUEUE, _QUEUE_CURVE)
        + " | grep 'oid:0x[1-9a-f]'"
        for found, ports in alike.items()
    ]


def print_unbound(
    groups: Mapping[str, Sequence[int]], loop: Callable[[Sequence[str], str], str] = for_each_port
) -> list[str]:
    """Print the priority groups without a buffer profile in ASIC_DB. `groups`: those that need one, by port.

    `loop`: makes one line of ports and a command with $PORT in it.
    """
    alike: dict[tuple[int, ...], list[str]] = {}
    for port, found in groups.items():
        if found:
            alike.setdefault(tuple(found), []).append(port)
    return [
        _query_each_number(ports, found, "COUNTERS_PG_NAME_MAP", _GROUP, _GROUP_PROFILE, loop)
        + " | grep -v 'oid:0x[1-9a-f]'"
        for found, ports in alike.items()
    ]


def print_bound_otherwise(profiles: Mapping[str, str]) -> list[str]:
    """Print the ports whose group has another profile than it is to have. `profiles`: by key, `Ethernet0|3-4`."""
    alike: dict[tuple[str, str], list[str]] = {}
    for key, profile in profiles.items():
        port, _, index = key.rpartition("|")
        alike.setdefault((index, profile), []).append(port)
    return [
        for_each_port(ports, f'echo $PORT $(sonic-db-cli APPL_DB HGET "BUFFER_PG_TABLE:$PORT:{index}" profile)')
        + f" | grep -v {shlex.quote(profile)}"
        for (index, profile), ports in alike.items()
    ]


def _query_each_number(
    ports: Sequence[str],
    numbers: Sequence[int],
    oids: str,
    kind: str,
    attribute: str,
    loop: Callable[[Sequence[str], str], str] = for_each_port,
) -> str:
    """What ASIC_DB has of an attribute of each number of each port, a line each."""
    oid = f"$(sonic-db-cli COUNTERS_DB HGET {oids} $PORT:$N)"
    line = f'echo $PORT $N $(sonic-db-cli ASIC_DB HGET "ASIC_STATE:{kind}:{oid}" {attribute})'
    if len(numbers) == 1:
        return loop(ports, line.replace("$N", str(numbers[0])))
    return loop(ports, f"for N in {' '.join(map(str, numbers))}; do {line}; done")


def _ports_by_index(keys: Iterable[str]) -> dict[str, list[str]]:
    """`3-4` -> the ports with such a key."""
    out: dict[str, list[str]] = {}
    for key in keys:
        port, _, index = key.rpartition("|")
        out.setdefault(index, []).append(port)
    return dict(sorted(out.items()))


def _numbers_of(indexes: Iterable[str]) -> list[int]:
    return sorted({n for index in indexes for n in parse_range(index)})
