"""NVUE of Cumulus Linux: from the texts that a switch gives, or that are given to it, to what is in force on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from rocecfg.model import Running, Span
from rocecfg.model.stated import Problem, Section, Val
from rocecfg.model.switch import Chain, Switch
from rocecfg.source.document import Document
from rocecfg.vendors.absent import list_absent
from rocecfg.vendors.packet_filters import check_filters, list_unread_filters
from rocecfg.vendors.spectrum.fates import weigh_settings
from rocecfg.vendors.spectrum.reading import (
    check_buffers,
    check_maps,
    check_ports,
    check_profiles,
    check_queues,
    check_unread,
)
from rocecfg.vendors.spectrum.reading.filters import find_access_lists
from rocecfg.vendors.spectrum.reading.forwarding import read_balancing, read_trimming
from rocecfg.vendors.spectrum.reading.idle import find_idle_settings
from rocecfg.vendors.spectrum.reading.implied import find_basis
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, find_lossless, group_interfaces
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.operations import Configuration, read_configuration
from rocecfg.vendors.spectrum.reading.pools import read_alpha, read_pools, read_shares
from rocecfg.vendors.spectrum.reading.ports import (
    find_bonds,
    find_neighbours,
    find_own_chain,
    find_tagged_mapping,
    find_usual_mapping,
    group_ports,
    read_every_port,
    read_port,
)
from rocecfg.vendors.spectrum.reading.qos import PRIORITIES, PriorityMapping, QosProfiles
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.reading.unread import find_unread

_MODEL = re.compile(r"M?SN([0-9]{4}[A-Z]?)", re.IGNORECASE)
_WRITES_DSCP = ("l3", "both")
_CARRIED = {"encapsulation": ("copy",), "decapsulation": ("preserve", "copy")}


def read(
    document: Document, release: str | None = None, silent: Iterable[str] = (), bonds: Mapping[str, str] | None = None
) -> list[Switch]:
    """The switch that a text of NVUE configures: a list of operations, a REST body, JSON, or `nv set` commands.

    `release`: of Cumulus Linux, where the text names none; `silent`: ports that the switch has, whether they are named
    or not; `bonds`: the bond of each port that is in one, which another text says. Raises SourceError for a text that
    is not one of these.
    """
    given = read_configuration(document, release)
    basis = find_basis(given)
    qos = QosProfiles(given.tree, basis)
    members = {port: (bond, given.tree.at) for port, bond in (bonds or {}).items()} | find_bonds(given.tree)
    found = group_ports(given.tree, members, silent)
    usual = find_usual_mapping(qos, found)
    ports = tuple(read_port(place, given, qos) for place in found) or (read_every_port(given, qos),)
    known = ResolvedConfig(given, qos, found, ports, members, usual, group_interfaces(given.tree), find_lossless(ports))
    chain = _make_chain(qos, usual, find_tagged_mapping(qos, found), frozenset(known.lossless))
    ports = (
        tuple(port._replace(chain=find_own_chain(place, qos, chain)) for place, port in zip(found, ports, strict=False))
        or ports
    )
    qos_at = given.tree.get("qos")
    at = qos_at.at if qos_at is not None else given.tree.at
    read_problems = (*given.problems, *find_problems(known))
    lists = find_access_lists(given.tree, ports, chain)
    problems = (*read_problems, *lists.problems, *check_filters(lists.filters))
    return [
        Switch(
            _find_name(given),
            at,
            dict(_read_section(given, qos, at)),
            chain,
            ports,
            _read_running(given, qos),
            problems,
            find_neighbours(given.tree),
            "sp",
            (
                *find_unread(document, given.tree, ports, read_problems),
                *list_unread_filters(lists.filters),
            ),
            tuple(find_idle_settings(known)),
            weigh=partial(weigh_settings, document, given, problems),
        )
    ]


def _find_name(given: Configuration) -> str | None:
    name = given.tree.val("system", "hostname") or given.tree.val("platform", "hostname", "value")
    return None if name is None else str(name.value)


def _find_platform(given: Configuration) -> str | None:
    """The box, where the header names one that is known: SN5600, MSN4700. A simulated switch is a VX."""
    match = _MODEL.fullmatch(given.model or "")
    if match is None:
        return None
    from rocecfg.profiles.files import shipped_names  # few headers name a box

    name = f"nvidia-sn{match[1].lower()}"
    return name if name in shipped_names("platforms") else None


def _read_section(given: Configuration, qos: QosProfiles, at: Span) -> Iterator[tuple[str, Val]]:
    yield "vendor", Val("spectrum", at)
    if given.spelling.release is not None:
        yield "version", Val(given.spelling.release, at)
    platform = _find_platform(given)
    if platform is not None:
        yield "platform", Val(platform, at)
    name = _find_name(given)
    if name is not None:
        yield "hostname", Val(name, at)
    balanced = read_balancing(given.tree)
    if balanced is not None:
        yield "load_balancing", balanced
    trimming = read_trimming(given.tree, qos)
    if trimming is not None:
        yield "trimming", trimming
    buffers: Section = {}
    pools = read_shares(qos)
    if pools:
        buffers["pools"] = Val(pools, at)
    alpha = read_alpha(qos)
    if alpha is not None:
        buffers["alpha"] = alpha
    small = qos.pfc(GLOBAL).small_packets
    if small is not None:
        buffers["small_packets"] = small
    if buffers:
        yield "buffers", Val(buffers, at)


def _make_chain(
    qos: QosProfiles, usual: PriorityMapping, tagged: PriorityMapping | None, lossless: frozenset[int]
) -> Chain:
    """How packets are sorted. Switch priorities are what traffic classes are elsewhere, and what is paused."""
    at = qos.tree.at
    return Chain(
        usual.dscp,
        qos.queues,
        tuple(Val(sp if sp in lossless else 0, at) for sp in PRIORITIES),
        tuple(Val(sp, at) for sp in PRIORITIES),
        () if tagged is None else tagged.pcp,
    )


def _read_running(given: Configuration, qos: QosProfiles) -> Running:
    tree = given.tree
    remark = qos.profile("remark", GLOBAL)
    rewrite = remark.val("rewrite") if remark is not None else None
    remarks: list[tuple[int, int]] = []
    origins = {"": qos.tree.at}
    if remark is not None and rewrite is not None and rewrite.value in _WRITES_DSCP:
        origins["remarks"] = rewrite.at
        for sp, of in remark.items("switch-priority"):
            written = of.val("dscp")
            if written is not None:
                remarks.append((int(sp), written.value))
    vxlan = tree.get("nve", "vxlan")
    tunnels = copies = None
    if vxlan is not None:
        turned = vxlan.val("enable") or vxlan.val("state")
        tunnels = turned is None or turned.value in ("on", "enabled")
        copies = all(_read_action(tree, way) in words for way, words in _CARRIED.items())
        origins["tunnels"] = origins["copies_dscp"] = vxlan.at
    origins["roce"] = qos.basis.at
    return Running(
        "nvue",
        roce=(qos.basis.mode or "off") if qos.basis.stated or given.whole else None,
        whole=given.whole,
        absent=_list_absent(given, qos),
        pools=read_pools(qos),
        remarks=tuple(sorted(remarks)),
        tunnels=tunnels if vxlan is not None or not given.whole else False,
        copies_dscp=copies,
        origins=origins,
    )


_SUBJECTS = {
    "PFC": ("qos pfc, qos roce", r"qos pfc "),
    "the PFC watchdog": ("qos pfc-watchdog", r"qos pfc-watchdog "),
    "buffers": ("qos traffic-pool", r"qos (traffic-pool|advance-buffer-config) "),
    "ECN": ("qos congestion-control", r"qos congestion-control "),
    "queues": ("qos egress-scheduler, qos egress-queue-mapping", r"qos egress-(scheduler|queue-mapping) "),
    "maps": ("qos mapping", r"qos mapping "),
    "ports": ("interface swp", r"^interface \S*swp"),
    "speeds": ("interface swp link speed", r"^interface \S+ link speed "),
}
_ALWAYS = ("the PFC watchdog", "ports", "speeds")  # what `qos roce` says nothing about


def _list_absent(given: Configuration, qos: QosProfiles) -> tuple[str, ...]:
    """What a text says nothing about; `qos roce` sets the rest."""
    subjects = {key: words for key, words in _SUBJECTS.items() if not qos.basis.stated or key in _ALWAYS}
    return list_absent(subjects, _iter_paths("", given.tree), whole=given.whole)


def _iter_paths(path: str, node: Node) -> Iterator[str]:
    for name, below in node.below.items():
        yield f"{path}{name} "
        yield from _iter_paths(f"{path}{name} ", below)


def _read_action(tree: Node, way: str) -> str | None:
    given = tree.val("nve", "vxlan", way, "dscp", "action")
    return None if given is None else str(given.value)


def find_problems(known: ResolvedConfig) -> Iterator[Problem]:
    """Everything that reading finds, beside what is wrong with single settings."""
    for check in (
        *check_profiles.CHECKS,
        *check_ports.CHECKS,
        *check_buffers.CHECKS,
        *check_maps.CHECKS,
        *check_queues.CHECKS,
        *check_unread.CHECKS,
    ):
        yield from check(known)
