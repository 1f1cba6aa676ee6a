"""The tables of a switch's CONFIG_DB as plain rows, and what is intended in the names that the switch uses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rocecfg.source.document import Document
from rocecfg.vendors.changes import align_names
from rocecfg.vendors.sonic.keys import parse_range, referenced_name
from rocecfg.vendors.sonic.reading.forms import read_config_db
from rocecfg.vendors.sonic.settings import QUEUE_REFERENCES, SORTING

Row = dict[str, str]
Table = dict[str, Row]
Tables = dict[str, Table]


def tables_in(document: Document) -> Tables | None:
    """The tables of RoCE in a text, whatever form it has; None where they are of several ASICs."""
    form = read_config_db(document)
    spaces = [space for space in form.spaces.values() if space.tables]
    if len(spaces) > 1:
        return None
    return {
        name: {key: {field: cell.text for field, cell in row.cells.items()} for key, row in rows.items()}
        for space in spaces
        for name, rows in space.tables.items()
    }


def text_with(document: Document, tables: Tables) -> str:
    """The text with these tables in place of its own; all else of a whole config_db.json stays."""
    try:
        whole: Any = json.loads(document.text, parse_float=str, parse_int=_parse_integer)  # 1e999 is no float to write
    except ValueError:
        whole = {}
    nested = isinstance(whole, dict) and any(name in whole for name in tables)
    kept = {k: v for k, v in whole.items() if "|" not in k and ":" not in k} if nested else {}
    return json.dumps({**kept, **tables}, indent=4)


_MOST_DIGITS = 400  # Python refuses to read and to write longer ones


def _parse_integer(text: str) -> int | str:
    return int(text) if len(text) <= _MOST_DIGITS else text


def with_names_of_switch(meant: Tables, config: Tables) -> Tables:
    """What is intended, its maps and profiles under the names of those that serve the same ports and queues there."""
    out = {table: {key: dict(row) for key, row in rows.items()} for table, rows in meant.items()}
    for field, table in SORTING.items():
        _rename(out, config, table, "PORT_QOS_MAP", field, lambda key: [key])
    for field, table in QUEUE_REFERENCES.items():
        _rename(out, config, table, "QUEUE", field, _queues_of_key)
    return out


def _queues_of_key(key: str) -> list[tuple[str, int]]:
    port, _, index = key.rpartition("|")
    return [(port, n) for n in parse_range(index)]


def _rename(
    meant: Tables, config: Tables, table: str, binding: str, field: str, places_of: Callable[[str], list[Any]]
) -> None:
    have, want = config.get(table, {}), meant.get(table, {})
    same = {name: row == want.get(name, row) for name, row in have.items()}
    wanted = dict(_bound_names(meant, binding, field, places_of))
    ours = set(meant.get("PORT_QOS_MAP", {}))
    # What marks in a queue of our ports that nothing is meant for is a leftover, and counts for nothing; what schedules
    # it takes part in the shares of the port. Maps are meant for the switch as a whole, ports beside ours included.
    running = {
        place: name
        for place, name in _bound_names(config, binding, field, places_of)
        if place in wanted or (not isinstance(place, str) and (place[0] not in ours or field == "scheduler"))
    }
    of_queues = table in QUEUE_REFERENCES.values()  # maps are settings of the switch
    parts = _split_by_running(wanted, running) if of_queues else {}
    names = align_names({place: f"{name}{parts.get(place, '')}" for place, name in wanted.items()}, running, same)
    meant[table] = {names.get(name, name): row for name, row in want.items()}
    for key, row in meant.get(binding, {}).items():
        if field in row:
            old = referenced_name(row[field])
            part = next((parts[place] for place in places_of(key) if place in parts), "")
            name = names.get(old + part, old)
            row[field] = row[field].replace(old, name)
            if part and old in want:
                meant[table][name] = dict(want[old])
    if not meant[table]:
        del meant[table]


def _split_by_running(wanted: Mapping[Any, str], running: Mapping[Any, str]) -> dict[Any, str]:
    """The places of one name that is intended where the switch has several, each with no other places: a mark for each.

    Two that become equal stay two, with a field changed in place: to fold them moves queues, and each port flaps.
    """
    at: dict[str, set[Any]] = {}
    serving: dict[str, set[Any]] = {}
    for names, found in ((wanted, at), (running, serving)):
        for place, name in names.items():
            found.setdefault(name, set()).add(place)
    out: dict[Any, str] = {}
    for name, places in at.items():
        own = {running[place] for place in places if place in running and serving[running[place]] <= places}
        for other in sorted(own, key=lambda other: (other == name, len(serving[other]), other))[:-1]:
            out |= dict.fromkeys(serving[other], f"\n{other}")
    return out


def _bound_names(
    tables: Tables, binding: str, field: str, places_of: Callable[[str], list[Any]]
) -> Iterator[tuple[Any, str]]:
    for key, row in tables.get(binding, {}).items():
        if field in row and key != "global":
            yield from ((place, referenced_name(row[field])) for place in places_of(key))
