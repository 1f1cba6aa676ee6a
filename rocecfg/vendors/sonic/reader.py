"""Reads CONFIG_DB, in any of the forms that it comes in, to what the switch is set to do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rocecfg.model.fates import Fates, add_up_fates
from rocecfg.model.stated import Unread
from rocecfg.model.switch import Port, Switch
from rocecfg.source.document import Document
from rocecfg.vendors.packet_filters import check_filters, list_unread_filters
from rocecfg.vendors.sonic.domain import QOS
from rocecfg.vendors.sonic.fates import weigh_rows
from rocecfg.vendors.sonic.reading import device
from rocecfg.vendors.sonic.reading.buffers import Buffers
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.entries import check_entries, check_idle, check_repeats
from rocecfg.vendors.sonic.reading.fields import check_fields
from rocecfg.vendors.sonic.reading.filters import list_access_lists
from rocecfg.vendors.sonic.reading.forms import HOST, ConfigDb, Namespace, StatedPart, read_config_db
from rocecfg.vendors.sonic.reading.headroom import HeadroomReasons
from rocecfg.vendors.sonic.reading.in_force import read_in_force
from rocecfg.vendors.sonic.reading.indexed import RowsByPort
from rocecfg.vendors.sonic.reading.links import list_neighbours
from rocecfg.vendors.sonic.reading.map_bindings import Binding
from rocecfg.vendors.sonic.reading.maps import find_own_chains, find_sorting
from rocecfg.vendors.sonic.reading.other_cards import check_other_cards
from rocecfg.vendors.sonic.reading.ports import Ports
from rocecfg.vendors.sonic.reading.queues import Queues
from rocecfg.vendors.sonic.reading.refs import check_refs, check_tables
from rocecfg.vendors.sonic.reading.watchdog import Watchdogs
from rocecfg.vendors.sonic.settings import BINDINGS, read_values, topics_of


def read(document: Document, release: str | None = None) -> list[Switch]:
    """The switch that a text configures, or each ASIC of one that has several.

    `release`: the community branch it runs, such as "202405"; by default what the database's own version says. Where
    neither tells, defaults are those of the release that is rendered for. Raises SourceError for what is not JSON.
    """
    form = read_config_db(document)
    host = form.spaces.get(HOST) or Namespace(None)
    several = [space for name, space in form.spaces.items() if name != HOST or len(form.spaces) == 1]
    found = [_read_switch(form, document, space, host, release) for space in several]
    rest = [*form.strays, *(host.stated if host not in several else ())]  # of the box as a whole
    if found and rest:
        found[0] = found[0]._replace(weigh=partial(_weigh_with, rest, found[0], document))
    return found


def _weigh_with(rest: list[StatedPart], switch: Switch, document: Document) -> Fates:
    """The fates of a switch's rows, and of rows of the box."""
    return add_up_fates((switch.fates, weigh_rows(document.text, rest, switch.problems, document.number)))


def _read_switch(form: ConfigDb, document: Document, space: Namespace, host: Namespace, release: str | None) -> Switch:
    ctx = Context(document.number, space, host, release, patch=form.patch)
    check_repeats(ctx, form.places.repeated)
    for at, operation in form.skipped:
        ctx.notes.report("device-unread", "an operation", "", at, f"{operation} is not followed")
    check_tables(ctx)
    check_fields(ctx)
    check_entries(ctx)
    check_refs(ctx)
    indexed, buffers = RowsByPort(ctx), Buffers(ctx)
    buffers.check_port_lists()
    names = indexed.list_ports()
    bindings = _group_bindings(indexed)
    sorted_by = find_sorting(ctx, bindings)
    used = {sorted_by.chain.queue[tc].value for tc in sorted_by.used}
    dogs = Watchdogs(ctx)
    own = find_own_chains(ctx, sorted_by, bindings)
    makes = Ports(ctx, indexed, buffers, dogs, HeadroomReasons(ctx, buffers), sorted_by.maps, own)
    queues = Queues(ctx, sorted(used))
    ports = tuple(makes.make_ports(names, queues))
    check_other_cards(ctx, indexed, ports, sorted_by.chain, queues, buffers)
    check_idle(ctx, indexed.qos, queues.marking)
    filters = tuple(list_access_lists(ctx, ports, sorted_by.chain))
    running = device.make_running(ctx, buffers.list_pools(), sorted_by, forced=dogs.forced)
    section = device.read_section(ctx, buffers.read_section(makes.groups))
    problems = (*ctx.notes.list_problems(), *check_filters(filters))  # after all that adds to them
    return Switch(
        device.find_name(ctx),
        ctx.at,
        section,
        sorted_by.chain,
        ports,
        running,
        problems,
        list_neighbours(ctx),
        unread=(*_list_unread(ctx, ports), *list_unread_filters(filters)),
        # the text is read again: a lint does not need it
        in_force=partial(read_in_force, document, space.name, release),
        weigh=partial(weigh_rows, document.text, space.stated, problems, ctx.doc),
    )


def _group_bindings(indexed: RowsByPort) -> list[Binding]:
    """The kinds of rows of PORT_QOS_MAP, and for how many ports each is."""
    counts: dict[int, list[str]] = {}
    for port, row in indexed.qos.items():
        counts.setdefault(id(row.cells), []).append(port)
    out = []
    for ports in counts.values():
        row = indexed.qos[ports[0]]
        out.append(Binding(row, len(ports), read_values(row, "masks", silence=True)["pfc"].value))
    return out


# -- rows on queues, PFC and buffers that are not understood -----------------------------------------------------------


_RULES = frozenset({"device-unread", "device-unknown", "device-value"})


def _list_unread(ctx: Context, ports: tuple[Port, ...]) -> Iterator[Unread]:
    """Notes on rows that are not checked, unknown or refused: which settings of which ports they may touch."""
    known = {name for port in ports for name in port.names}
    sorting = {name for port in ports if port.chain is not None for name in port.names}
    for rule, table, keys, at, words in ctx.notes.list_notes():
        if rule not in _RULES or not (table in QOS or rule == "device-unread"):
            continue
        field, _, rest = words.partition(" ")
        if rest.startswith("is missing"):
            continue  # compared as absent
        topics = topics_of(table, field)
        named = tuple(dict.fromkeys(name for key in keys for name in key.partition("|")[0].split(",") if name in known))
        if rule == "device-unread" and field in BINDINGS and named and sorting.issuperset(named):
            continue  # lint judges the maps of most ports alone; what these lead to is known all the same
        yield Unread(at, f"{table}: {words}", topics, named)
