"""Reads what a switch with SR Linux runs: `info`, `info flat`, config.json, or a part of it."""

from __future__ import annotations

from functools import partial

from rocecfg.model import Origin, Running, RunningPool, RunningPort, Span
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import Chain, Neighbour, Port, Switch
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors import descriptions
from rocecfg.vendors.absent import list_absent
from rocecfg.vendors.srlinux.fates import weigh_statements
from rocecfg.vendors.srlinux.limits import DETECTION, RECOVERY
from rocecfg.vendors.srlinux.reading.binding import Binding, Bindings
from rocecfg.vendors.srlinux.reading.findings import find_problems
from rocecfg.vendors.srlinux.reading.interfaces import (
    LAG,
    PORT,
    Interface,
    Mtus,
    list_settings,
    read_interfaces,
    span_of_default,
)
from rocecfg.vendors.srlinux.reading.kinds import Kind
from rocecfg.vendors.srlinux.reading.objects import Objects, read_objects
from rocecfg.vendors.srlinux.reading.queues import read_groups, read_headroom, read_running_queues, read_sendings
from rocecfg.vendors.srlinux.reading.sorting import Pfc, Sorter
from rocecfg.vendors.srlinux.reading.statements import Statement, parse_statements
from rocecfg.vendors.srlinux.reading.unread import list_idle, list_unread
from rocecfg.vendors.srlinux.settings import split_leaves

_HEADS = frozenset({"interface", "qos", "system", "network-instance", "acl", "platform"})
_BELOW_QOS = frozenset(
    {"classifiers", "forwarding-classes", "pfc-mapping-profile", "buffer-management", "scheduler-policies", "queues"}
)
_SUBJECTS = {
    "PFC": ("pfc-mapping-profile", r"^qos pfc-mapping-profile"),
    "the PFC watchdog": ("deadlock", r"received-pfc-pause-frames deadlock"),
    "buffers": ("buffer-allocation-profile", r"^qos buffer-management buffer-allocation-profile"),
    "ECN": ("queue-management-profile", r"^qos buffer-management queue-management-profile"),
    "queues": ("queues", r"^qos queues queue"),
    "shares": ("scheduler-policies", r"^qos scheduler-policies"),
    "maps": ("classifiers", r"^qos classifiers"),
    "ports": ("interface", r"^interface ethernet-"),
    "speeds": ("port-speed", r"^interface \S+ ethernet port-speed "),
}


def read(document: Document, release: str | None = None) -> list[Switch]:
    """The switch in a text. `release`: what it runs, which no text says. Raises SourceError."""
    lines = [line._replace(words=words) for line in parse_statements(document) for words in split_leaves(line.words)]
    heads = {line.words[0] for line in lines}
    if not heads & _HEADS:
        raise _make_nothing_error(document, lines)
    name = next((Val(line.words[3], line.at) for line in lines if _is_name(line)), None)
    at = span_of_default(name.at if name is not None else lines[0].at)
    objects = read_objects(lines)
    ports = read_interfaces(lines)
    whole = objects.whole = name is not None and any(PORT.fullmatch(port) for port in ports)
    sorter, bindings = Sorter(objects, at), Bindings(objects)
    kinds = _group_ports(bindings, ports, Mtus(lines, at, whole=whole), at, whole=whole)
    usual = _majority_chain(kinds, sorter)
    problems, reported = find_problems(objects, kinds, sorter, whole=whole)
    return [
        Switch(
            name.value if name is not None else None,
            at,
            _device_section(release, at),
            usual,
            tuple(_Maker(objects, sorter, usual, kind).make_port() for kind in kinds),
            _make_running(objects, lines, at, whole=whole),
            problems,
            tuple(_list_neighbours(ports)),
            word="queue",
            unread=tuple(list_unread(objects, kinds, reported)),
            idle=tuple(list_idle(objects, kinds)),
            weigh=partial(weigh_statements, lines, problems, document.number),
        )
    ]


def _is_name(line: Statement) -> bool:
    return line.words[:3] == ("system", "name", "host-name") and len(line.words) == 4


def _make_nothing_error(document: Document, lines: list[Statement]) -> SourceError:
    first = next((line for line in lines if line.words[0] in _BELOW_QOS), None)
    if first is not None:
        return SourceError(
            document.path,
            f"'{first.words[0]}' is at the top level, without qos",
            "give the output of `info` for the whole tree, or put it below qos",
            *document.place(first.at.start),
        )
    return SourceError(
        document.path,
        "this text has no statement of SR Linux that RoCE needs: no interface, qos or system",
        "give it the output of info, info flat or info | as json at the top of the tree",
    )


def _group_ports(bindings: Bindings, ports: dict[str, Interface], mtus: Mtus, at: Span, *, whole: bool) -> list[Kind]:
    """The ports in use, those together that say the same."""
    alike: dict[object, Kind] = {}
    named = {name: port for name, port in ports.items() if PORT.fullmatch(name)}
    members = {port.stated["lag"].value for port in named.values() if "lag" in port.stated}
    for name in bindings.names:
        if PORT.fullmatch(name) and name not in ports:
            row = bindings.find(name).row
            named[name] = Interface(name, row.at if row is not None else at)
        elif LAG.fullmatch(name) and name not in members and not whole:
            named[name] = ports.get(name) or Interface(name, at)
    for name, port in named.items():
        lag = port.stated["lag"].value if "lag" in port.stated else None
        binding = bindings.find(name, lag)
        if not (port.stated or port.units or binding.row is not None or binding.units):
            continue
        upper = ports.get(lag) if lag is not None else None
        settings = dict(list_settings(upper, mtus)) if upper is not None else {}
        settings = {**settings, **dict(list_settings(port, mtus))}
        units = port.units or (upper.units if upper is not None else {})
        if whole:
            binding = binding.restrict(units)
        up = port.stated["up"].value if "up" in port.stated else None
        kind = Kind([], port.at, binding, settings, up)
        alike.setdefault(_kind_key(kind), kind).names.append(name)
    return list(alike.values())


def _kind_key(kind: Kind) -> object:
    """What is equal for ports that are told the same."""
    of = kind.binding
    return (
        tuple((k, v.value) for k, v in of.port.items()),
        tuple((unit, tuple((k, v.value) for k, v in row.items() if k != "interface")) for unit, row in of.units),
        tuple(unit for unit, _ in (*of.astray, *of.bare)),
        tuple((k, v.value) for k, v in of.managements.items()),
        tuple((k, v.value) for k, v in kind.section.items()),
        kind.up,
    )


def _majority_chain(kinds: list[Kind], sorter: Sorter) -> Chain:
    """How most ports sort packets, those with PFC first."""
    votes: dict[int, tuple[int, Chain]] = {}
    for kind in kinds:
        chain = sorter.chain_of(kind.binding)
        weight = len(kind.names) * (1000 if "mapping" in kind.binding.port else 1)
        count, _ = votes.get(id(chain), (0, chain))
        votes[id(chain)] = count + weight, chain
    if votes:
        return max(votes.values(), key=lambda vote: vote[0])[1]
    return sorter.chain_of(Binding({}, (), {}, None))


class _Maker:
    """One port of the switch."""

    def __init__(self, objects: Objects, sorter: Sorter, usual: Chain, kind: Kind) -> None:
        self._objects, self._kind, self._usual = objects, kind, usual
        self._binding = kind.binding
        self._chain = sorter.chain_of(kind.binding)
        self._profile = sorter.pfc_of(kind.binding)
        on = self._binding.port.get("pfc")
        self._pfc: Pfc | None = self._profile if on is not None and on.value else None

    def make_port(self) -> Port:
        kind, binding = self._kind, self._binding
        paused = self._find_paused()
        groups = tuple(sorted({val.value for val in self._pfc.group.values()})) if self._pfc is not None else ()
        if self._pfc is not None and not self._pfc.maps_received:
            groups = tuple(sorted({val.value for val in self._pfc.stops.values()}))
        given: Section = dict(kind.section)
        trust = self._find_trust()
        if trust is not None:
            given["trust"] = trust
        if paused:
            dog = self._read_watchdog()
            room = read_headroom(self._objects, binding, groups)
            pfc = {"watchdog": dog} if dog is not None else {}
            if room is not None:
                pfc["headroom"] = Val({"size": room}, room.at)
            if pfc:
                given["pfc"] = Val(pfc, next(iter(pfc.values())).at)
        used = tuple(sorted({val.value for val in (*self._chain.dscp, *self._chain.tags) if val.value is not None}))
        on = binding.port.get("pfc")
        running = self._make_running(paused, groups)
        same = all(
            tuple(val.value for val in here) == tuple(val.value for val in there)
            for here, there in zip(self._chain, self._usual, strict=True)
        )
        return Port(
            tuple(kind.names),
            kind.at,
            given,
            paused,
            read_sendings(self._objects, binding, used),
            running,
            on.at if on is not None and not paused else None,
            None if same else self._chain,
        )

    def _find_paused(self) -> dict[int, Span]:
        if self._pfc is None:
            return {}
        return dict(sorted((self._pfc.sent or self._pfc.obeyed).items()))

    def _make_running(self, paused: dict[int, Span], groups: tuple[int, ...]) -> RunningPort:
        origins: dict[str, Origin] = {"": self._kind.at}
        obeys = sends = None
        if self._pfc is not None and paused:
            obeys = tuple(sorted(self._pfc.obeyed))
            sends = tuple(sorted(self._pfc.sent)) if self._pfc.maps_received else None
            origins["obeys"] = next(iter(self._pfc.obeyed.values()), next(iter(paused.values())))
            origins["sends"] = next(iter(self._pfc.sent.values()), next(iter(paused.values())))
        return RunningPort(
            up=self._kind.up,
            explained=self._profile is not None and not paused,
            obeys=obeys if obeys != tuple(paused) else None,
            sends=sends if sends != tuple(paused) else None,
            groups=read_groups(
                self._objects,
                self._binding,
                groups,
                self._kind.at,
                shared=self._pfc is not None and self._pfc.maps_received,
            )
            if paused
            else (),
            queues=read_running_queues(self._objects, self._binding),
            origins=origins,
        )

    def _read_watchdog(self) -> Val | None:
        """Deadlock recovery of the mapping profile: it has pauses ignored for a time."""
        name = self._binding.port["mapping"]
        own = self._objects.get("mappings", name.value)
        if own is None:
            return None
        on = own.get("watched")
        if on is None or not on.value:
            return Val(OFF, on.at if on is not None else own.at)
        return Val(
            {
                "detection_time": own.get("detection", Val(DETECTION, on.at)),
                "restoration_time": own.get("recovery", Val(RECOVERY, on.at)),
            },
            on.at,
        )

    def _find_trust(self) -> Val | None:
        sorting = self._binding.sorting
        if self._binding.dscp is not None:
            return Val("dscp", self._binding.dscp.at)
        if "dot1p" in sorting:
            return Val("pcp", sorting["dot1p"].at)
        return None


def _device_section(release: str | None, at: Span) -> Section:
    section: Section = {"vendor": Val("srlinux", at)}
    if release is not None:
        section["version"] = Val(release, at)
    return section


def _make_running(objects: Objects, lines: list[Statement], at: Span, *, whole: bool) -> Running:
    pools = tuple(
        RunningPool(
            f"pfc-buffer-reservation {slot}/{complex_of}",
            "ingress",
            percent=float(own["percent"].value),
            origins={"": own["percent"].at, "percent": own["percent"].at},
        )
        for (slot, complex_of), own in objects.of("reserve").items()
        if "percent" in own
    )
    remarks, where = _find_remarks(objects)
    origins: dict[str, Origin] = {"": at}
    if where is not None:
        origins["remarks"] = where
    tunnel = next((line.at for line in lines if line.words[0] == "tunnel-interface"), None)
    if tunnel is not None:
        origins["tunnels"] = tunnel
    return Running(
        "srlinux",
        whole=whole,
        absent=list_absent(_SUBJECTS, (" ".join(line.words) for line in lines), whole=whole),
        pools=pools,
        remarks=remarks,
        tunnels=tunnel is not None or (False if whole else None),
        origins=origins,
    )


def _find_remarks(objects: Objects) -> tuple[tuple[tuple[int, int], ...], Span | None]:
    """What is written into packets on the way out, by queue: of the policy that most subinterfaces have."""
    count: dict[str, int] = {}
    for row in objects.of("bound").values():
        if "rewrite" in row:
            count[row["rewrite"].value] = count.get(row["rewrite"].value, 0) + 1
    if not count:
        return (), None
    found: dict[int, Val] = {}
    for (of,), own in objects.below("rewritten", max(count, key=lambda name: count[name])).items():
        queue = objects.queue_of_class(of)
        if queue is not None and "dscp" in own:
            found[queue] = own["dscp"]
    return tuple((queue, val.value) for queue, val in sorted(found.items())), next((v.at for v in found.values()), None)


def _list_neighbours(ports: dict[str, Interface]) -> list[Neighbour]:
    out = []
    for name, port in ports.items():
        given = port.stated.get("description")
        far = descriptions.far_end(given.value) if given is not None and PORT.fullmatch(name) else None
        if given is not None and far is not None:
            out.append(Neighbour(name, *far, given.at))
    return out
