"""Reads what a switch with EOS runs: `show running-config`, with or without `all`, or a part of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from rocecfg.model import Origin, Running, Span
from rocecfg.model.stated import Section, Val
from rocecfg.model.switch import Neighbour, Switch
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.absent import list_absent
from rocecfg.vendors.arista.balancing import MODES
from rocecfg.vendors.arista.fates import weigh_lines
from rocecfg.vendors.arista.reading.access_lists import AccessLists
from rocecfg.vendors.arista.reading.blocks import ConfigBlocks
from rocecfg.vendors.arista.reading.buffers import get_mmu_profile, read_buffers
from rocecfg.vendors.arista.reading.findings import find_foreign_lines, find_problems, read_vxlan
from rocecfg.vendors.arista.reading.idle import find_idle_lines
from rocecfg.vendors.arista.reading.maps import make_chain, read_remarks
from rocecfg.vendors.arista.reading.port_groups import AlikePorts, group_ports, make_profile_ports
from rocecfg.vendors.arista.reading.ports import read_port, sorts_by_tag
from rocecfg.vendors.arista.reading.rdma_policies import find_policy_classes
from rocecfg.vendors.arista.reading.scan import scan
from rocecfg.vendors.arista.reading.scripts import check_scripts, list_unread_scripts
from rocecfg.vendors.arista.reading.switchwide import Switchwide
from rocecfg.vendors.arista.reading.traffic_policies import TrafficPolicies
from rocecfg.vendors.arista.reading.unread import find_unread
from rocecfg.vendors.arista.release import SAND
from rocecfg.vendors.descriptions import far_end
from rocecfg.vendors.packet_filters import check_filters, list_unread_filters

_DEVICE = "! device: "
_SUBJECTS = {
    "PFC": ("priority-flow-control", r"^\s*priority-flow-control (?!pause watchdog)"),
    "the PFC watchdog": ("priority-flow-control pause watchdog", r"^\s*priority-flow-control pause watchdog"),
    "buffers": ("platform trident mmu", r"^\s*platform trident mmu"),
    "ECN": ("random-detect ecn", r"random-detect ecn"),
    "queues": ("tx-queue", r"tx-queue"),
    "maps": ("qos map", r"^\s*qos (map|trust)"),
    "ports": ("interface Ethernet", r"^\s*interface Et"),
    "speeds": ("speed", r"^\s*speed "),
}


def read(document: Document, release: str | None = None) -> list[Switch]:
    """The switches of a text, one after the other where it holds several. `release`: what they run, if not stated.

    What is wrong inside comes with the switch, as problems. Raises SourceError for a text in which nothing is EOS's.
    """
    found = [_read_switch(document, text, start, release) for text, start in _split_switches(document.text)]
    switches = [switch for switch in found if switch is not None]
    if not switches:
        raise SourceError(
            document.path,
            "this text has no EOS command that RoCE needs: no interface, profile, map or PFC",
            "give it the output of show running-config",
        )
    return switches


def _split_switches(text: str) -> list[tuple[str, int]]:
    """The text of each switch and where it begins: every `show running-config` names its switch in a comment."""
    if text.count(_DEVICE) < 2:
        return [(text, 0)]
    starts = [match.start() for match in re.finditer(r"^(?:! Command: .*\n)?! device: ", text, re.MULTILINE)]
    if len(starts) < 2:
        return [(text, 0)]
    starts[0] = 0
    return [(text[a:b], a) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def _read_switch(document: Document, text: str, start: int, release: str | None) -> Switch | None:
    config = scan(text, document.number, start)
    if not _says_anything(config):
        return None
    switch = Switchwide(document, config, release)
    kinds = group_ports(switch)
    if not kinds:
        kinds = make_profile_ports(switch)
    mmu = get_mmu_profile(switch, switch.globals.get("mmu"))
    crossed = _drop_empty_lags(switch, kinds)
    ports = tuple(read_port(switch, kind, mmu, find_policy_classes(switch, kind)) for kind in crossed)
    tagged = any(sorts_by_tag(port) for port in ports)
    lossless = {priority for port in ports for priority in port.pfc}
    section = _read_section(switch)
    dcbx = [val for kind in kinds if (val := kind.state.get("dcbx")) is not None]
    if dcbx:
        section["dcbx"] = next((val for val in dcbx if val.value == "on"), dcbx[0])
    buffers = read_buffers(switch, mmu)
    if buffers:
        section["buffers"] = Val(buffers, next(iter(buffers.values())).at)
    reported = (*find_problems(switch, kinds), *find_foreign_lines(switch))  # before what they add to is read
    problems = tuple(dict.fromkeys((*switch.problems, *reported)))  # of a profile once, whatever has it
    chain = make_chain(switch, lossless, tagged=tagged)
    policies = TrafficPolicies(text, document.number, start)
    access = AccessLists(config, kinds, text, document.number, start)
    filters = (*policies.list_bound(ports, chain), *access.list_bound(ports, chain))
    found = (
        *problems,
        *policies.check(whole=switch.whole),
        *check_filters(filters),
        *access.check_missing(),
        *check_scripts(text, document.number, start),
    )
    return Switch(
        switch.name,
        switch.at,
        section,
        chain,
        ports,
        _read_running(switch, kinds, text),
        found,
        tuple(find_neighbours(text, document.number, start)),
        unread=(
            *find_unread(switch, kinds, problems),
            *list_unread_filters(filters),
            *access.list_missing_unread(),
            *list_unread_scripts(text, document.number, start),
        ),
        idle=(
            *dict.fromkeys(find_idle_lines(switch, kinds, zip(crossed, ports, strict=True), tagged=tagged)),
            *policies.list_idle(),
        ),
        weigh=partial(weigh_lines, text, start, config, found, document.number),
    )


def _drop_empty_lags(switch: Switchwide, kinds: list[AlikePorts]) -> list[AlikePorts]:
    """Of the kinds those that packets cross: not LAGs of a whole switch that none of its ports is in."""
    ports = [kind for kind in kinds if not kind.is_lag]
    return ports if switch.whole and ports else kinds


def _says_anything(config: ConfigBlocks) -> bool:
    return bool(config.ports or config.profiles or config.mmu or config.globals.lines)


def _read_section(switch: Switchwide) -> Section:
    section: Section = {"vendor": Val("arista", switch.at)}
    head = switch.locate_in_head("! device: ", switch.head.at)
    if switch.release is not None:
        section["version"] = Val(switch.release, head if switch.head.release is not None else switch.at)
    balancing = switch.globals.get("balancing")
    if balancing is not None:
        section["load_balancing"] = Val({"mode": Val(MODES[balancing.value], balancing.at)}, balancing.at)
    if switch.box is not None:
        kind, name = switch.box
        section[kind] = Val(name, head)
    return section


def _read_running(switch: Switchwide, kinds: list[AlikePorts], text: str) -> Running:
    given = switch.globals
    tunnels, copying, where = read_vxlan(switch.config.vxlan)
    origins: dict[str, Origin] = {"": switch.at}
    if where is not None:
        origins["tunnels"] = origins["copies_dscp"] = origins["copied_by"] = where
    recovers = given.get("recovers")
    counters = given.get("ecn counters")
    remarked = next((val for key, val in given.items() if key[0] == "remark"), None)
    for key, val in (("recovers", recovers), ("counts_marks", counters), ("remarks", remarked)):
        if val is not None:
            origins[key] = val.at
    return Running(
        "eos",
        whole=switch.whole,
        absent=list_absent(_SUBJECTS, re.sub(r"(?m)^[ \t]*!.*", "", text).splitlines(), whole=switch.whole),
        remarks=read_remarks(switch),
        recovers=recovers.value if recovers is not None else False if switch.whole else None,
        counts_marks=_counts_marks(switch, kinds),
        tunnels=tunnels if tunnels or not switch.whole else False,
        copies_dscp=bool(copying) if tunnels else None,
        copied_by=tuple(copying),
        origins=origins,
    )


def _counts_marks(switch: Switchwide, kinds: list[AlikePorts]) -> bool | None:
    """Whether marked packets are counted: by queue, which on Jericho switches takes a counter feature besides."""
    counted = any(key[0] == "count" for kind in kinds for key in kind.state)
    if switch.family == SAND:
        counted = "ecn counters" in switch.globals
    return counted or (False if switch.whole else None)


_LINE = re.compile(
    r"^(?:interface (?P<port>Ethernet[0-9/]+)[ \r]*|[ \t]+description (?P<words>.*)|(?P<other>[^ \t!\n].*))$",
    re.MULTILINE,
)


def find_neighbours(text: str, doc: int, start: int) -> Iterator[Neighbour]:
    """The far ends that the text of a switch names. `start`: where in its document the text begins."""
    port: str | None = None
    for line in _LINE.finditer(text):
        if line["words"] is None:
            port = line["port"]  # None: a line of something else
            continue
        far = far_end(line["words"].strip('" \r'))
        if port is not None and far is not None:
            yield Neighbour(port, *far, Span(doc, start + line.start("words"), start + line.end("words")))
