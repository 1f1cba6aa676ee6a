"""What must not be, between any two steps of a change: dangers, each a predicate on the rows of that moment.

A port that is administratively down carries nothing, so nothing is dangerous there: the planner takes ports down for
the time in which they would be in danger (`steps`). What was so before the change, and what is intended to be so after
it, is not a matter of order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.sonic import egress
from rocecfg.vendors.sonic.change.tables import Tables
from rocecfg.vendors.sonic.keys import parse_range, referenced_name
from rocecfg.vendors.sonic.looked_up import length_of
from rocecfg.vendors.sonic.settings import QUEUE_REFERENCES, SORTING

Place = tuple[str, str]  # the port in danger, and what of it: a priority, or a field


class Moment(NamedTuple):
    """The rows between two steps, and what they are to become."""

    tables: Tables
    target: Tables
    watched_by: str  # the field of PORT_QOS_MAP that says what is watched


class Danger(NamedTuple):
    """One danger. `places`: where a moment has it; `why`: what happens then, and the source."""

    name: str
    why: str
    places: Callable[[Moment], Iterator[Place]]


REFERENCES = {  # table -> field -> table that it names a row of
    "PORT_QOS_MAP": SORTING,
    "QUEUE": QUEUE_REFERENCES,
    "BUFFER_PG": {"profile": "BUFFER_PROFILE"},
    "BUFFER_QUEUE": {"profile": "BUFFER_PROFILE"},
}
_MADE_BY_SWITCH = ("NULL", "pg_lossless_")


def _find_other_length(moment: Moment) -> Iterator[Place]:
    for port, priority in lossless_priorities(moment.tables):
        if length_of(moment.tables, port) != length_of(moment.target, port):
            yield port, priority


def _find_unwatched(moment: Moment) -> Iterator[Place]:
    for port, priority in lossless_priorities(moment.tables):
        watched = moment.tables["PORT_QOS_MAP"][port].get(moment.watched_by, "").split(",")
        if port not in moment.tables.get("PFC_WD", {}) or priority not in watched:
            yield port, priority


def _find_on_lossy_profile(moment: Moment) -> Iterator[Place]:
    profiles, pools = (moment.tables.get(table, {}) for table in ("BUFFER_PROFILE", "BUFFER_POOL"))
    stock = profiles.get(egress.LOSSLESS)
    bound = {
        (key.rpartition("|")[0], str(number)): referenced_name(row.get("profile", ""))
        for key, row in moment.tables.get("BUFFER_QUEUE", {}).items()
        for number in parse_range(key.rpartition("|")[2])
    }
    for place in lossless_priorities(moment.tables):
        name = bound.get(place)
        if name in profiles and not egress.keeps_lossless(name, profiles[name], stock, pools):
            yield place


def _find_dangling(moment: Moment) -> Iterator[Place]:
    for table, fields in REFERENCES.items():
        for key, row in moment.tables.get(table, {}).items():
            for field, to in fields.items():
                name = referenced_name(row.get(field, ""))
                if name and not name.startswith(_MADE_BY_SWITCH) and name not in moment.tables.get(to, {}):
                    yield key.partition("|")[0], f"{table}|{key} {field} {name}"


DANGERS = (
    Danger(
        "cable length before PFC",
        "buffermgrd sizes headroom for the length that it knows: with a shorter one, packets that arrive after a "
        "pause are dropped (sonic-swss, cfgmgr/buffermgr.cpp, doSpeedUpdateTask)",
        _find_other_length,
    ),
    Danger(
        "profile before binding",
        "orchagent waits for a missing row, and the port has none of its settings (sonic-swss, "
        "orchagent/qosorch.cpp, resolveFieldRefValue)",
        _find_dangling,
    ),
    Danger(
        "no lossless queue on a lossy profile",
        "a queue with a limit of its own drops what PFC holds back at ingress (sonic-buildimage, buffers_config.j2)",
        _find_on_lossy_profile,
    ),
    Danger(
        "no class lossless without watchdog",
        "a pause storm stops every queue behind it until somebody intervenes (sonic-swss, orchagent/pfcwdorch.cpp)",
        _find_unwatched,
    ),
)


def lossless_priorities(tables: Tables) -> Iterator[Place]:
    """The ports and their priorities with PFC."""
    for port, row in tables.get("PORT_QOS_MAP", {}).items():
        yield from ((port, priority) for priority in row.get("pfc_enable", "").split(",") if priority)


def is_up(config: Tables, port: str) -> bool:
    """Whether a port is up; also where only a part of the configuration is known, without a table PORT."""
    return "PORT" not in config or config["PORT"].get(port, {}).get("admin_status") == "up"


def find_endangered(before: Tables, moment: Moment) -> Iterator[tuple[Danger, Place]]:
    """What is in danger at a moment on ports that are up, and was not before, nor is intended to be after."""
    for danger in DANGERS:
        ends = {place for tables in (before, moment.target) for place in danger.places(moment._replace(tables=tables))}
        for place in danger.places(moment):
            if place not in ends and is_up(moment.tables, place[0]):
                yield danger, place
