"""What is recognised and not checked: each such setting is told, so that silence means that all was looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.vendors.spectrum.domain import is_judged
from rocecfg.vendors.spectrum.reading.forwarding import find_turned_on, list_inner_hashes, list_unread_parts
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, format_numbers, format_ports
from rocecfg.vendors.spectrum.reading.nodes import walk_leaves
from rocecfg.vendors.spectrum.reading.objects import shorten_word
from rocecfg.vendors.spectrum.reading.pools import get_advanced_buffers
from rocecfg.vendors.spectrum.reading.qos import PRIORITIES
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL, UNLIMITED
from rocecfg.vendors.spectrum.settings import HASH

# Files of snippets of which no QoS hangs, unless their lines name some: routing, logs, time, SNMP, logins, interfaces.
_HARMLESS = re.compile(
    r"frr|snmp|ntp|chrony|ssh|syslog|motd|issue|banner|lldpd|ifupdown2_eni|network/interfaces|sudoers"
)
_TOUCHES = re.compile(r"\b(?:mtu|pfc|ecn|qos|mlnx_qos|tc qdisc|link-speed|buffer_size)\b|/cumulus/", re.IGNORECASE)


def _report_unread(at: Span, what: str, why: str = "") -> Problem:
    return Problem("device-unread", at, f"{what}: read, but not checked", why)


def note_unpublished_modes(known: ResolvedConfig) -> Iterator[Problem]:
    """Modes whose settings are not published."""
    mode = known.basis.mode
    if mode is not None and mode.startswith("dci"):
        wording = (
            f"qos roce mode {mode} implies settings that are not published: settings that are not stated are unknown"
        )
        yield Problem("device-unread", known.basis.at, wording, "`nv show qos roce` lists them on the switch")


def note_advanced_buffers(known: ResolvedConfig) -> Iterator[Problem]:
    """Advanced buffers beyond pools, alpha of lossless groups and priorities of groups."""
    for region, node in get_advanced_buffers(known.qos).below.items():
        leaves = walk_leaves(node, ("qos", "advance-buffer-config", GLOBAL, region))
        left = dict.fromkeys(path[-1] for path, leaf in leaves if leaf.value is not None and not is_judged(path))
        infinite = node.val("shared-alpha")
        if region == "ingress-lossless-buffer" and infinite is not None and infinite.value == "alpha_infinity":
            left["shared-alpha"] = None
        if region == "egress-lossless-buffer" and infinite is not None and infinite.value != "alpha_infinity":
            del left["shared-alpha"]  # buffer-egress-drop
        if left:
            yield _report_unread(node.at, f"advance-buffer-config {region} ({', '.join(left)})")


def note_ecn_by_percent(known: ResolvedConfig) -> Iterator[Problem]:
    """Thresholds relative to the buffer, which no curve in bytes stands for."""
    for name, node in known.qos.tree.items("congestion-control"):
        for tc, given in node.items("traffic-class"):
            mode = given.val("mode")
            if mode is not None and mode.value == "relative":
                ends = (given.val(f"{end}-threshold-percent") for end in ("min", "max"))
                percents = " to ".join(f"{end.value} %" if end is not None else "unset" for end in ends)
                yield _report_unread(mode.at, f"relative thresholds of traffic class {tc} in {name} ({percents})")


def note_watchdog_triggers(known: ResolvedConfig) -> Iterator[Problem]:
    """What the watchdog of 5.19 goes by beside pause frames, and when it restores a queue."""
    given = known.qos.tree.items("pfc-watchdog")
    found = {key: timer for key, timer in given if not is_judged(("qos", "pfc-watchdog", key))}
    if found:
        first, *others = (timer.at for timer in found.values())
        yield _report_unread(first, f"pfc-watchdog ({', '.join(found)})")._replace(places=tuple(others))


def note_shapers(known: ResolvedConfig) -> Iterator[Problem]:
    """Shapers of ports, those that count packets, and those of a global profile that ports may have unbound."""
    unbound = any("egress-shaper" not in place.bound for place in known.places) or not known.places
    for name, node in known.qos.tree.items("egress-shaper"):
        whole, mode = node.val("port-max-rate"), node.val("mode")
        if mode is not None and mode.value == "pps":
            yield _report_unread(mode.at, f"egress-shaper profile {name} counts packets")
        elif whole is not None and whole.value not in (0, UNLIMITED):
            yield _report_unread(whole.at, f"port-max-rate of egress-shaper profile {name}")
        zeros = [(whole, f"port-max-rate 0 of egress-shaper profile {name}")]
        for tc, rates in node.items("traffic-class"):
            most = rates.val("max-rate")
            zeros.append((most, f"max-rate 0 of traffic class {tc} in egress-shaper profile {name}"))
        for rate, wording in zeros:
            if rate is not None and rate.value == 0:
                unsaid = f"{wording}, which no page of NVIDIA documents"
                yield _report_unread(rate.at, unsaid, f"unset it if no limit is intended ({UNLIMITED} kbit/s)")
        for tc, rates in node.items("traffic-class") if name == GLOBAL and unbound else ():
            given = [f"{key} {rate.value}" for key, rate in rates.below.items() if rate.value not in (0, UNLIMITED)]
            if given:
                wording = f"egress-shaper profile {name} of traffic class {tc} ({', '.join(given)})"
                yield _report_unread(rates.at, f"{wording}, on ports that bind no profile")


def note_remarks(known: ResolvedConfig) -> Iterator[Problem]:
    """Remarking by port, and that of 802.1p values."""
    for name, node in known.qos.tree.items("remark"):
        if name != GLOBAL and node.below:
            yield _report_unread(node.at, f"remark profile {name}")
        rewrite = node.val("rewrite")
        if name == GLOBAL and rewrite is not None and rewrite.value in ("l2", "both"):
            reported = format_numbers(int(sp) for sp, of in node.items("switch-priority") if of.val("pcp") is not None)
            if reported:
                yield _report_unread(
                    rewrite.at, f"802.1p values that {name} writes into packets of switch priority {reported}"
                )


def note_priorities_of_frames(known: ResolvedConfig) -> Iterator[Problem]:
    """802.1p values sorted into other priorities, where that bears on lossless ones."""
    seen: set[str] = set()
    for place in known.places:
        name = place.in_force("mapping")
        mapping = known.qos.mapping(name)
        if name in seen or mapping.trust is None or mapping.trust.value not in ("l2", "both"):
            continue
        seen.add(name)
        torn = [p for p in PRIORITIES if mapping.pcp[p].value != p and {p, mapping.pcp[p].value} & set(known.lossless)]
        if torn:
            at = mapping.pcp[torn[0]].at
            yield _report_unread(
                at, f"mapping {name} gives 802.1p value {format_numbers(torn)} another switch priority"
            )


def note_port_headroom(known: ResolvedConfig) -> Iterator[Problem]:
    """What ports have of headroom beside PFC profiles."""
    for names, node in known.interfaces:
        for path in (("qos", "headroom"), ("qos", "shared-headroom-pool")):
            given = node.get(*path)
            if given is not None:
                yield _report_unread(given.at, f"{' '.join(path)} of {format_ports(names)}")
    small = {
        pfc.small_packets.value: pfc.small_packets.at
        for place in known.places
        if (pfc := known.qos.pfc(place.in_force("pfc"))).small_packets is not None
    }
    usual = known.qos.pfc(GLOBAL).small_packets
    for percent, at in small.items():
        if usual is None or percent != usual.value:
            yield _report_unread(at, f"small-packet-probability {percent} of some ports")


def note_variables(known: ResolvedConfig) -> Iterator[Problem]:
    """Interfaces that a script names by a variable."""
    for name, node in known.stated.tree.items("interface"):
        if name[:1] == "$":
            wording = f"{shorten_word(name)} is a variable of the script: its ports are unknown"
            yield _report_unread(node.at, wording, "lint the output of `nv config show -o commands`")


def note_trimming(known: ResolvedConfig) -> Iterator[Problem]:
    """What of packet trimming is not read, or left to defaults that are not published."""
    on = find_turned_on(known.stated.tree)
    found = tuple(list_unread_parts(known.stated.tree, known.qos))
    if on is not None and found:
        yield _report_unread(on.at, f"packet trimming ({', '.join(found)})")


def note_hashed_fields(known: ResolvedConfig) -> Iterator[Problem]:
    """What ECMP hashes besides the fields that an intent has words for."""
    found = list_inner_hashes(known.stated.tree)
    first = known.stated.tree.get(*HASH, found[0]) if found else None
    if first is not None:
        yield _report_unread(first.at, f"ecmp-hash ({', '.join(found)})")


def note_snippets(known: ResolvedConfig) -> Iterator[Problem]:
    """Snippets: files that NVUE writes as they are, and of which it knows nothing."""
    for name, node in known.stated.tree.items("system", "config", "snippet"):
        files = node.get("file")
        written = next(iter(files.below), "") if files is not None else name  # a flexible one, or one by its file
        given = (node, *(below for _, below in node.items()))
        content = " ".join(word for each in given for word in each.below)
        harmless = _HARMLESS.search(written) is not None and _TOUCHES.search(content) is None
        if not harmless:
            what = f"snippet {shorten_word(name)}" + (f" writes {written[:80]}" if files is not None else "")
            wording = f"{what}: a file outside NVUE, which may set PFC, ECN, buffers or ports; not checked"
            yield Problem("device-second-way", node.at, wording, "use NVUE's own settings, if it has them")


CHECKS = (
    note_snippets,
    note_unpublished_modes,
    note_advanced_buffers,
    note_ecn_by_percent,
    note_watchdog_triggers,
    note_shapers,
    note_remarks,
    note_priorities_of_frames,
    note_port_headroom,
    note_variables,
    note_trimming,
    note_hashed_fields,
)
