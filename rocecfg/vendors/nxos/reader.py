"""Reads what a switch with NX-OS runs: `show running-config`, a part of it, or a script that is typed."""

from __future__ import annotations

import re
from functools import partial

from rocecfg.model import Origin, Running, RunningPort, Span
from rocecfg.model.frozen import replace
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import Chain, Neighbour, Port, Switch
from rocecfg.profiles.releases import plain_release
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors import descriptions
from rocecfg.vendors.absent import list_absent
from rocecfg.vendors.nxos.fates import weigh_lines
from rocecfg.vendors.nxos.reading.config import DOUBTED, Config
from rocecfg.vendors.nxos.reading.findings import (
    find_problems,
    is_auto,
    list_idle,
    list_unread,
    policy_of,
)
from rocecfg.vendors.nxos.reading.kinds import Kind, group_ports, list_settings
from rocecfg.vendors.nxos.reading.queues import read_running_queues, read_sendings
from rocecfg.vendors.nxos.reading.sorting import Sorter, find_network_policy, priorities_of
from rocecfg.vendors.nxos.settings import CLASS_MTU_UNSAID, QOS, QUEUING, Pause

_COMMAND = re.compile(r"^!Command: show running-config(?P<rest>.*)$", re.MULTILINE)
_SUBJECTS = {
    "PFC": ("policy-map type network-qos", r"pause (?:pfc-cos|buffer-size|no-drop)"),
    "the PFC watchdog": ("priority-flow-control watch-dog-interval", r"priority-flow-control watch-dog"),
    "ECN": ("random-detect", r"random-detect"),
    "queues": ("policy-map type queuing", r"^policy-map queuing"),
    "maps": ("policy-map type qos", r"^policy-map qos"),
    "ports": ("interface Ethernet", r"^interface Ethernet"),
    "speeds": ("speed", r"^interface \S+ speed "),
}


def read(document: Document, release: str | None = None) -> list[Switch]:
    """The switch in a text. `release`: what it runs, where it does not say so. Raises SourceError."""
    config = Config(document)
    if not config.lines:
        raise SourceError(document.path, "this text has no line of NX-OS", "give it the output of show running-config")
    asked = _COMMAND.search(document.text)
    name = config.globals.get("name")
    part = asked is not None and bool(asked["rest"].strip(" \r"))
    whole = name is not None and bool(config.ports) and not part
    first = name.at if name is not None else config.lines[0].at
    at = Span(first.doc, first.start, first.start + 1)
    sorter = Sorter(config, at)
    kinds = [kind for kind in group_ports(config) if kind.is_used]
    usual = _find_usual_chain(config, kinds, sorter)
    found = find_problems(config, kinds, sorter, whole=whole)
    reading = _Reading(config, sorter, usual, whole=whole, at=at)
    return [
        Switch(
            name.value if name is not None else None,
            at,
            _device_section(config, kinds, release, at),
            usual,
            tuple(reading.make_port(kind) for kind in kinds),
            _make_running(config, at, whole=whole),
            found,
            tuple(_list_neighbours(config)),
            word="tc",
            unread=tuple(list_unread(config, kinds)),
            idle=tuple(list_idle(config, whole=whole)),
            weigh=partial(weigh_lines, config, found, document.number),
        )
    ]


def _find_usual_chain(config: Config, kinds: list[Kind], sorter: Sorter) -> Chain:
    """How most ports sort packets, those that have a policy."""
    votes: dict[str, int] = {}
    for kind in kinds:
        name = policy_of(config, kind)
        if name is not None:
            weight = 1000 if kind.mode == "on" and sorter.no_drop else 1
            votes[name] = votes.get(name, 0) + weight * len(kind.names)
    if not votes and not kinds:
        votes = {name: 1 for of, name in config.policies if of == QOS}
    return sorter.chain_of(max(votes, key=lambda each: votes[each]) if votes else None)


class _Reading:
    """The ports of a switch; those whose queues send alike share one object."""

    def __init__(self, config: Config, sorter: Sorter, usual: Chain, *, whole: bool, at: Span) -> None:
        self.config = config
        self.sorter = sorter
        self.usual = usual
        self.whole = whole
        self.at = at
        self._queues: dict[str | None, dict[int, Section]] = {}

    def make_port(self, kind: Kind) -> Port:
        """The ports of a kind, as the model has them."""
        config, name = self.config, policy_of(self.config, kind)
        pfc = self._find_pfc(kind)
        section = list_settings(kind, whole=self.whole)
        self._bound_mtu(section, pfc)
        trust = self._find_trust(kind, name)
        if trust is not None:
            section["trust"] = trust
        if pfc:
            section["pfc"] = Val(self._read_pfc(kind), next(iter(pfc.values())))
        bound = kind.stated.get("output") or config.system.get("output")
        policy = config.find_policy(QUEUING, bound)
        key = bound.value if bound is not None and policy is not None else None
        if key not in self._queues:
            self._queues[key] = read_sendings(config, policy) if policy is not None else {}
        chain = self.sorter.chain_of(name) if name is not None else self.usual
        own = None if chain is self.usual or _sorts_alike(chain, self.usual) else chain
        mode = kind.stated.get("mode")
        unpaused = mode.at if mode is not None and mode.value[0] == "off" else None
        running = self._make_running_port(kind, chain, name)
        if policy is not None:
            running = replace(running, queues=read_running_queues(config, policy))
        return Port(tuple(kind.names), kind.at, section, pfc, self._queues[key], running, unpaused, own)

    def _find_pfc(self, kind: Kind) -> dict[int, Span]:
        if kind.mode != "on" or "override" in self.config.globals:
            return {}
        found = {p: each.pause.at for each in self.sorter.no_drop for p in priorities_of(self.config, each)}
        place = kind.stated["mode"].at
        return dict.fromkeys(sorted(found), place)

    def _bound_mtu(self, section: Section, pfc: dict[int, Span]) -> None:
        """RDMA's packets are no larger than what its class takes, whatever the port does."""
        found = find_network_policy(self.config)
        own = section.get("mtu")
        for each in self.sorter.no_drop if found is not None and pfc and own is not None else ():
            stated = found[1].classes[each.name] if found is not None else {}
            size = stated.get("mtu") or Val(CLASS_MTU_UNSAID, each.pause.at)
            if f"{DOUBTED}mtu" not in stated and own is not None and size.value < own.value:
                section["mtu"] = own = size

    def _find_trust(self, kind: Kind, name: str | None) -> Val | None:
        if name is None:
            known = self.whole or any(QOS in port.stated for port in self.config.ports.values())
            return Val("none", kind.at) if known and (self.whole or "mode" in kind.stated) else None
        marks = self.sorter.read_marks(name)
        at = (kind.stated.get(QOS) or self.config.system[QOS]).at
        return Val("pcp" if marks.dscp is None and marks.cos is not None else "dscp", at)

    def _read_pfc(self, kind: Kind) -> Section:
        """The watchdog of lossless ports, and their headroom where it is stated."""
        out: Section = {"watchdog": self._read_watchdog(kind)}
        sizes = [each.pause.value for each in self.sorter.no_drop if each.pause.value.size is not None]
        place = next((each.pause.at for each in self.sorter.no_drop if each.pause.value.size is not None), kind.at)
        bound = kind.stated.get("input") or self.config.system.get("input")
        policy = self.config.find_policy(QUEUING, bound)
        for name, stated in policy.classes.items() if policy is not None else ():
            if "pause" in stated and self.config.group_of(QUEUING, name) in {
                each.group for each in self.sorter.no_drop
            }:
                sizes, place = [stated["pause"].value], stated["pause"].at
        if sizes and sizes[0].size is not None:
            pause: Pause = sizes[0]
            room: Section = {"size": Val(pause.size, place), "xon": Val(pause.xon, place)}
            if pause.xoff is not None and pause.size is not None and pause.size >= pause.xoff:
                room["xoff"] = Val(pause.size - pause.xoff, place)
            out["headroom"] = Val(room, place)
        return out

    def _read_watchdog(self, kind: Kind) -> Val:
        own, of_switch = kind.stated.get("watch"), self.config.globals.get("watch")
        if own is None or own.value.word == "off" or not own.value.acts:
            return Val(OFF, own.at if own is not None else kind.at)
        if (of_switch is not None and of_switch.value == "off") or (of_switch is None and self.whole):
            return Val(OFF, of_switch.at if of_switch is not None else own.at)
        given = self.config.globals
        polls = given.get("shutdown") if own.value.polls is None else Val(own.value.polls, own.at)
        if "interval" not in given or polls is None:
            return Val("vendor-default", own.at)
        interval = given["interval"]
        section: Section = {
            "detection_time": Val(interval.value * polls.value, polls.at),
            "poll_interval": interval,
            "action": Val("drop", own.at),
        }
        restore = given.get("auto-restore") or given.get("fixed-restore")
        if restore is not None:
            section["restoration_time"] = Val(interval.value * restore.value, restore.at)
        return Val(section, own.at)

    def _make_running_port(self, kind: Kind, chain: Chain, name: str | None) -> RunningPort:
        shut = kind.stated.get("shutdown")
        origins: dict[str, Origin] = {"": kind.at}
        unmarked = None
        if name is None and self.whole:
            unmarked = chain.priority[0].value
            origins["unmarked"] = kind.at
        mode = kind.stated.get("mode")
        dcbx = None
        if mode is not None:
            dcbx = "on" if "send-tlv" in mode.value else None if mode.value[0] == "auto" else "off"
            origins["dcbx"] = mode.at
        pauses = self._find_pfc(kind)
        silent = [each for each in self.sorter.no_drop if each.pause.value.receives] if pauses else []
        sends = None
        if silent:
            mute = {p for each in silent for p in priorities_of(self.config, each)}
            sends = tuple(p for p in pauses if p not in mute)
            origins["sends"] = silent[0].pause.at
        return RunningPort(
            up=None if shut is None else not shut.value,
            explained=is_auto(kind, self.sorter, name) or "override" in self.config.globals,
            sends=sends,
            dcbx=dcbx,
            unmarked=unmarked,
            origins=origins,
        )


def _sorts_alike(one: Chain, other: Chain) -> bool:
    return all(
        tuple(val.value for val in here) == tuple(val.value for val in there)
        for here, there in zip(one, other, strict=True)
    )


def _device_section(config: Config, kinds: list[Kind], release: str | None, at: Span) -> Section:
    section: Section = {"vendor": Val("nxos", at)}
    version = config.globals.get("version")
    if version is not None:
        try:
            section["version"] = Val(plain_release("nxos", version.value), version.at)
        except ValueError:
            section["version"] = version
    elif release is not None:
        section["version"] = Val(release, at)
    told = [kind.stated["mode"] for kind in kinds if kind.mode == "on" and "send-tlv" in kind.stated["mode"].value]
    if told:
        section["dcbx"] = Val("on", told[0].at)
    return section


def _make_running(config: Config, at: Span, *, whole: bool) -> Running:
    origins: dict[str, Origin] = {"": at}
    tunnel = config.globals.get("tunnels")
    if tunnel is not None:
        origins["tunnels"] = tunnel.at
    return Running(
        "nxos",
        whole=whole,
        absent=list_absent(_SUBJECTS, (" ".join(line.whole) for line in config.lines), whole=whole),
        tunnels=tunnel is not None or (False if whole else None),
        origins=origins,
    )


def _list_neighbours(config: Config) -> list[Neighbour]:
    out = []
    for name, port in config.ports.items():
        given = port.stated.get("description")
        far = descriptions.far_end(given.value) if given is not None else None
        if given is not None and far is not None and not name.startswith("port-channel"):
            out.append(Neighbour(name, *far, given.at))
    return out
