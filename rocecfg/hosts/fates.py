"""What becomes of each line that a host's tools print: exactly one fate, as of the statements of switches."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator

from rocecfg.hosts.state import PlacedNic
from rocecfg.model import Span
from rocecfg.model.fates import FATES, FOREIGN, JUDGED, TEXT, WAY, Fates, UnjudgedStatements
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document
from rocecfg.vendors.fates import NOBODY_KNOWS, WRITES, Fate

_Row = tuple[re.Pattern[str], Fate]
_HEADING = Fate(FOREIGN, "a heading, a remark or a rule below one")
_SILENT = Fate(FOREIGN, "a command that tells nothing of queues, pauses or marks, and its output")
_READ = Fate(JUDGED)
_WRITING = Fate(WAY, "what it writes for the driver may set marks, pauses, ECN or rates")
_NAMED = Fate(TEXT, "on QoS, and compared with nothing here")
_PROMPT = re.compile(
    r"(?:(?:\(\w+\) )?\[?[\w.-]+@[\w.-]+[^#$%>]*[#$%>]|[$#](?=\s|$)|(?:\[[\w.-]+\]: )?PS [^>]*>)\s*"
    r"(?:sudo\s+(?:-\w+\s+)*)?(?P<command>\S*)"
)


def _row(fate: Fate, *either: str) -> _Row:
    return re.compile("|".join(either)), fate


_COMMANDS = (  # whose output may stand among what is known
    _row(_HEADING, r"(?:mlnx_qos|dcb|ethtool|mlxconfig|mstconfig|Get-(?:NetAdapter|Net)Qos\w*)$"),
    _row(
        _SILENT,
        r"(?:uname|hostname|hostnamectl|date|uptime|whoami|pwd|cd|ls|echo|exit|logout|clear|history|numactl|lscpu)?$",
        r"(?:lspci|lsmod|modinfo|mst|flint|mlxfwmanager|nvidia-smi|dmidecode|ofed_info|show_gids|ibdev2netdev)$",
        r"(?:ibv_devinfo|ibv_devices|ibstat|ibstatus|Get-(?:NetAdapter|Date)|hostname\.exe)$",
    ),
    _row(
        Fate(WAY, "filters, queues and rates of the host itself may sort, drop or hold back what it sends"),
        r"(?:tc|iptables|ip6tables|nft|ebtables|ovs-\w+|bridge|devlink)$",
    ),
    _row(
        Fate(TEXT, "what RDMA is marked with, or who speaks LLDP: compared with nothing here"),
        r"(?:cma_roce_\w+|mlxreg|mlxdump|rdma|lldptool|lldpctl|lldpcli)$",
    ),
)
_SETTING = r"[*\s]*(?:RO\s+)?"  # mlxconfig marks what is not the default, and what cannot be set
_VALUE = r"\w*(?:\[[\d.]+\])?\s+\S"
_LINES = (
    _row(
        _HEADING,
        r"\s*[-=#*_][-=#*_\s]+$|\s*#|[\w ./()-]+:\s*$|-[EWI]- |Device #\d|Configurations:|\s+Hardware\s+Current\s*$",
        r"\s*(?:priority|buffer)\s+[\dN]|\s*priority:\s*\d*\s*$|\s*TC TSA |Name +Algorithm |\s*Protocol +Port/Type ",
        r"Operational\w+ *: (?:TC TSA|Protocol) ",
    ),
    _row(
        Fate(FOREIGN, "which card it is"),
        r"(?:Device type|Name|Description|Device|Firmware|PCI device|Base MAC|Base GUID):",
    ),
    _row(Fate(FOREIGN, "how a link came to the pause that RX and TX tell"), r"Autonegotiate:|[RT]X negotiated:"),
    _row(Fate(FOREIGN, "counters, and a figure that the driver computes"), r"\s*(?:requests|indications|delay)\b"),
    _row(Fate(FOREIGN, "what the card can do, and that it takes over nothing"), r"\s*(?:pfc-cap \d|willing off\b)"),
    _row(
        Fate(FOREIGN, "a flag of the driver on packets of the kernel, functions or the link"),
        r"(?:rx_cqe_moder|tx_cqe_moder|rx_cqe_compress|rx_striding_rq|rx_no_csum_complete|xdp_tx_mpwqe) *:",
        r"(?:skb_tx_mpwqe|tx_port_ts|per_channel_stats|skb_xmit_more|tx_xdp_hw_checksum|hw_lro|sniffer) *:",
        r"(?:link-down-on-close|vf-true-promisc-support|vf-vlan-pruning|mdd-auto-reset-vf|legacy-rx|MFP) *:",
        r"(?:LinkPolling|flow-director-atr|veb-stats|hw-atr-eviction|total-port-shutdown) *:",
        r"(?:disable-source-pruning|dropless_rq) *:",
    ),
    _row(
        Fate(TEXT, "of RoCE in the card's firmware, and compared with nothing here"),
        _SETTING + r"\w*(?:ROCE|CNP|DCQCN|RPG_|CLAMP|DCE_TCP|RATE_TO|RATE_REDUCE|INITIAL_ALPHA|MIN_TIME_BETWEEN|PFC|"
        r"QOS|TRUST|DCB|LLDP|BUFFER|ECN|PRIO|NUM_OF_TC|NUM_OF_VL|ZERO_TOUCH|TX_SCHED|RDMA_|IB_CC)" + _VALUE,
    ),
    _row(
        Fate(FOREIGN, "of the card towards its host: functions, memory, boot, link"),
        _SETTING + r"(?:PCI|PCIE|PF|VF|PER_PF|NUM_OF_VFS|NUM_OF_PF|NUM_PF|NUM_VF|NON_PREFETCHABLE|STRICT_VF|SRIOV|BOOT|"
        r"LEGACY_BOOT|EXP_ROM|UEFI|IBM|ADVANCED_PCI|MEMIC|UCTX|MKEY|SAFE_MODE|SW_RECOVERY|RESET_WITH|PARTIAL_RESET|"
        r"MAX_ACC|REAL_TIME_CLOCK|ALLOW_RD|FLEX|PROG_PARSE|ICM_CACHE|INT_LOG|LOG_MAX|LOG_DCR|DCR|LRO_LOG|ESWITCH|"
        r"HAIRPIN|INTERNAL_CPU|ECPF|NVME|VIRTIO|KEEP|DO_NOT_CLEAR|AUTO_POWER|LINK_TYPE|DUP_MAC|UNKNOWN_UPLINK|MPFS|PHY|"
        r"RENEG|IP_OVER_VXLAN|TUNNEL_IP|HOST_CHAINING)(?:_" + _VALUE + r"|\s+\S)",
        _SETTING + r"(?:CQE_COMPRESSION|TRACER_ENABLE|PORT_OWNER)\s+\S",
    ),
    _row(
        Fate(FOREIGN, "what the adapter can do"),
        r"\s*(?:Capabilities|MacSecBypass|DcbxSupport|NumTCs\([\w/]+\)) *:",
    ),
    _row(
        Fate(FOREIGN, "what the other end says; what the adapter runs stands under Operational"),
        r"Remote(?:TrafficClasses|FlowControl|Classifications) *:",
    ),
    _row(
        Fate(FOREIGN, "which packets a policy is for; what it does with them is on other lines"),
        r"(?:Owner|Precedence|JobObject|Version|InstanceID|PolicyStore|Caption|ElementName|Template|NetworkProfile) *:",
        r"(?:IP(?:Protocol|Src|Dst|Port)\w*|AppPathName\w*|User\w*|URI\w*|PSComputerName|IfIndex|IfAlias) *:",
    ),
    _row(
        Fate(TEXT, "what a policy of the host does with packets, compared with nothing here"),
        r"(?:DSCPValue|MinBandwidthWeight|ThrottleRate\w*|PriorityValue) *:",
    ),
    _row(
        Fate(FOREIGN, "what other traffic is put on"),
        r"\s*(?:Default|TCP/UDP|TCP|UDP|Ethertype)\s+(?:\S+\s+)?[0-7]$",
    ),
)


def weigh_lines(document: Document, read: Collection[int], unread: Iterable[Span]) -> Fates:
    """The fates of the lines that say something.

    `read`: where lines begin that a reader took; `unread`: what of them it does not judge.
    """
    counts = dict.fromkeys(FATES, 0)
    groups: dict[tuple[Fate, str], list[Span]] = {}
    named = sorted(span.start for span in unread)
    beside: Fate | None = None  # of the output of another command
    at = 0
    for line in document.text.splitlines(keepends=True):
        begin, words = at, line.strip()
        at += len(line)
        if not words:
            continue
        if begin in read:
            beside, fate = None, _READ
        elif (command := _find_command(words)) is not None:
            fate = command
            beside = None if command is _HEADING else command
        else:
            fate = beside or _find(_LINES, line.rstrip()) or NOBODY_KNOWS
        if bisect_left(named, begin) < bisect_left(named, at):
            fate = _NAMED
        counts[fate.name] += 1
        if fate.name not in (JUDGED, FOREIGN):
            start = begin + line.index(words)
            groups.setdefault((fate, words.split()[0]), []).append(Span(document.number, start, start + len(words)))
    unjudged = (
        UnjudgedStatements(places[0], fate.name, len(places), fate.why, word) for (fate, word), places in groups.items()
    )
    return Fates(tuple(counts.values()), tuple(unjudged))


def _find_command(words: str) -> Fate | None:
    """The fate of a prompt with a command, and of what the command prints; None: the line is no such thing."""
    prompt = _PROMPT.match(words)
    if prompt is None or words == "#":
        return None
    found = _WRITING if WRITES.search(words) else _find(_COMMANDS, prompt["command"])
    return found if found is not None or words[0] == "#" else NOBODY_KNOWS  # of #: a remark, for all that is known


def _find(rows: Iterable[_Row], words: str) -> Fate | None:
    return next((fate for row, fate in rows if row.match(words) is not None), None)


def find_unread(nics: Iterable[PlacedNic], fates: Fates, document: Document) -> Iterator[Problem]:
    """Lines of an output that nothing judges: each that a NIC's QoS is read from, and others once by kind."""
    text, named = document.text, set[int]()
    for nic in nics:
        for at in nic.state.unread:
            named.add(document.place(at.start)[0])
            yield Problem(
                "nic-unread",
                at,
                f"{nic.name}: {text[at.start : at.end]!r} is not checked",
                "look at it yourself",
            )
    by_reason: dict[str, list[UnjudgedStatements]] = {}
    for group in fates.unjudged:
        if document.place(group.at.start)[0] not in named:
            by_reason.setdefault(group.why, []).append(group)
    for why, groups in by_reason.items():
        at = groups[0].at
        more = sum(group.number for group in groups) - 1
        several = f" and {more} more line{'s' * (more != 1)} are" if more else " is"
        words = " ".join(text[at.start : at.end].split())
        wording = f"{words!r}{several} not checked: {why}"
        yield Problem("nic-unread", at, wording, "look at it yourself", places=tuple(group.at for group in groups[1:]))
