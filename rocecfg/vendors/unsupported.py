"""What a text is that is not a configuration rocecfg reads: told by its content, so that a refusal can say it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.core.records import NamedTuple

_HEAD = 200_000  # characters looked at
_AS_NVUE = "give the output of `nv config show -o yaml`"


class Likeness(NamedTuple):
    """What a text looks like."""

    what: str  # in words
    fix: str = ""  # what to give instead; may be empty
    at: int = 0  # where that shows


class _Kind(NamedTuple):
    """What texts of a kind have at the beginning of some line, or at their own."""

    states: re.Pattern[str]
    what: str
    fix: str = ""


def _kind_of_lines(pattern: str, what: str, fix: str = "") -> _Kind:
    return _Kind(re.compile(rf"^(?:{pattern})", re.MULTILINE), what, fix)


_BEFORE = r"[ \t]*(?:[^\s#>\]]{0,80}[#>\]] ?)?"  # blanks, and a prompt
_IOS = "a configuration of IOS, which is not supported"
_SWITCHD = "Cumulus Linux's switchd (qos_features.conf, traffic.conf)"
_SYSTEMS = {  # by name: how lines begin that no system prints or takes which is read
    "H3C Comware": (
        r"priority-flow-control (?:deadlock|no-drop dot1p|dot1p \d|poolid)",
        r"qos (?:wrr|wfq) (?:be|af\d|ef|cs\d|byte-count|weight)\b",
        r"qos map-table (?:(?:color )?dot1p-|dscp-)",
        r"qos wred (?:queue table|apply \S|queue \d)",
        r"port link-mode (?:bridge|route)|irf-port |irf mac-address |version 7\.1\.\d+, ",
        r"interface (?:(?:Ten|Twenty-?Five)-GigabitEthernet|\w+GigE\d+/\d+/\d+\s*$)",
    ),
    "Huawei VRP": (
        r"dcb pfc(?:\s*$| (?:enable|priority|buffer|deadlock)\S*)|dcb ets-profile |ai-ecn\b|drop-profile \S+\s*$",
        r"interface (?:\d+GE|GE|XGigabitEthernet|Eth-Trunk|MEth|Vbdif) ?\d|!Software Version V\d+R\d+|assign forward ",
    ),
    "Onyx (MLNX-OS)": (
        r"dcb priority-flow-control (?:enable|priority)|interface ethernet \d+/\d+ |roce lossless\s*$",
        r"traffic pool \S+ (?:type|map) |## Running database ",
    ),
    "Dell OS10": (
        r"! Version 10\.|interface ethernet\d+/\d+/\d+|service-policy (?:input|output) type ",
        r"trust-map |qos-map traffic-class |trust dscp-map |pfc-cos \d",
    ),
    "Nokia SR OS": (
        r"# TiMOS-|exit all\s*$|/configure (?:card|port|qos|router) ",
        r"configure \{\s+(?:aaa|card|chassis|filter|lag|log|port|qos|router|service|system)\b[^{};]{0,80}\{",
    ),
    "Cisco IOS XR": (r"!! IOS XR Configuration|hw-module profile |interface \w+GigE\d+/\d+/\d+/\d+",),
    "MikroTik RouterOS": (r"# .{0,40}by RouterOS|/interface (?:ethernet|bridge|vlan|bonding)\b",),
    "Extreme EXOS": (r"# Module \w+ configuration\.|configure (?:snmp sysName|vlan \S+ |ports? \d)",),
    "FortiOS": (r"#config-version=|config system (?:global|interface)\s*$",),
    "Enterprise SONiC's command line (Dell, Broadcom: the management framework's)": (
        r"roce enable\b|(?:qos )?buffer init lossless|qos (?:wred-policy|scheduler-policy) |queue \d wred-policy ",
        r"qos[- ]map (?:dscp-tc|dot1p-tc|tc-queue|tc-pg|tc-dscp|tc-dot1p|pfc-priority-(?:queue|pg)) ",
        r"priority-flow-control watchdog |interface-naming standard|sonic-cli\s*$",
    ),
    "Aruba AOS-CX": (
        r"!Version ArubaOS-CX|; vsf|vsf member |interface \d+/\d+/\d+\s*$|interface lag \d+",
        r"qos (?:queue|schedule|threshold)-profile |apply qos (?:queue|schedule)-profile ",
        r"flow-control (?:rxtx|rx) priority|qos (?:dscp|cos)-map \d+ local-priority|map queue \d local-priority",
    ),
    _SWITCHD: (
        r"(?<![ \t])(?:source|traffic|remark)\.(?:packet_|port_group|priority_group|cos|dscp)\S* *= *\S",
        r"(?<![ \t])(?:link_pause|pfc|ecn_red)\.(?:\S+\.)?(?:port_group_list|port_set|cos_list|egress_queue_list)[ =]",
        r"(?<![ \t])(?:link_pause|pfc|ecn_red)\.(?:\S+\.)?(?:[tr]x_enable|ecn_enable|min_threshold_bytes) *= *\S",
        r"(?<![ \t])(?:(?:default_|port_)egress_sched|priority_group)\.\S+ *= *\S",
    ),
    "Ruijie RGOS": (  # as public configurations have it: `version S6220_RGOS 11.0(5)B9`
        r"version \S*_?RGOS \d|interface (?:range )?[Aa]ggregate[Pp]ort \d|[Aa]ggregate[Pp]ort load-balance ",
        r"sysmac [\da-f]{4}\.[\da-f]{4}\.[\da-f]{4}\s*$|webmaster level \d |interface TFGigabitEthernet \d",
    ),
    "OcNOS": (
        r"hardware-profile (?:filter|statistics|flowcontrol|portmode|service-queue|profile\d) |qos enable\s*$",
        r"interface (?:xe|ce|cd)\d+(?:/\d+)?\s*$|! ?Software version: \S*OcNOS",
    ),
    "AsterNOS": (  # the names are those that its easy RoCE gives
        r"interface mgmt 0\s*$|ip address [\d.]+/\d+ gw ",
        r".{0,60}\broce_loss\w+_(?:class_map|diffserv_map|ecn|profile)\b",
    ),
    "PicOS": (r"set interface (?:gigabit|aggregate)-ethernet ",),
}
_WEAK = (  # lines that several systems take, none of them read: told where nothing else says whose a text is
    ("H3C Comware, or a system like it", (r"priority-flow-control (?:enable|auto)\s*$",)),
)
_INSTEAD = {  # what to give of those that are read in another form
    "Enterprise SONiC's command line (Dell, Broadcom: the management framework's)": "give /etc/sonic/config_db.json",
    _SWITCHD: _AS_NVUE,
    "AsterNOS": "give /etc/sonic/config_db.json",
}
_FOREIGN = tuple(
    _Kind(
        re.compile(pattern, re.MULTILINE), f"a configuration of {name}, which is not supported", _INSTEAD.get(name, "")
    )
    for name, pattern in (
        *((name, rf"^{_BEFORE}(?:{'|'.join(marks)})") for name, marks in _SYSTEMS.items()),
        *((name, rf"^{_BEFORE}(?:{'|'.join(marks)})") for name, marks in _WEAK),
    )
)

_BESIDE_SONIC = (  # files of a SONiC switch beside config_db that a chip starts by
    _kind_of_lines(
        r"SAI_[A-Z][A-Z_]*[ \t]*=",
        "a SAI profile of a SONiC switch (sai.profile), a second way beside config_db: the chip's file that it names"
        " may set buffers, pauses and queues",
        "give config_db.json, and check what that file sets",
    ),
    _kind_of_lines(
        r"(?:pbmp_\w+|portmap_[\d.]+|mmu_\w+|buf\.[\w.]+|bcm_\w+|sai_\w+|pfc_deadlock_\w+|phy_chain_\w+\{[\d.]+\})"
        r"(?:\.\w+)?[ \t]*=|bcm_device:[ \t]*$|[ ]+(?:PC_PM_CORE|PC_PORT_PHYS_MAP|TM_[A-Z_]+):[ \t]*$",
        "properties of a Broadcom chip (config.bcm of SONiC), a second way beside config_db: they may set buffers"
        " (mmu_init_config, buf.), what a PFC deadlock does, and queues of the CPU",
        "give config_db.json, and look at these lines of it",
    ),
)
_BESIDE_NVUE = (
    _kind_of_lines(
        "|".join(_SYSTEMS[_SWITCHD]),
        f"a file of {_SWITCHD}, a second way beside NVUE: it may set PFC, pauses, ECN, maps and queues",
        "check whether switchd reads it, or NVUE writes it",
    ),
)
_KINDS = (
    *_BESIDE_SONIC,
    _Kind(
        re.compile(r"\{\{-? ?[$\w.]|\{%-? ?\w|\$\{\w"),
        "a template",
        "give its rendered result",
    ),
    _kind_of_lines(r"""[ \t]+["']?version["']?:[ \t]*["']?HBN """, "NVUE of a DPU (HBN), not of a switch"),
    _kind_of_lines(
        r"[ \t]*(?:\S{1,99}[#$>][ \t]*)?(?:sudo )?net (?:add|del|commit|pending|show) ?",
        "NCLU (net add), the commands of Cumulus Linux before 5.0",
        _AS_NVUE,
    ),
    _kind_of_lines(
        r"iface \S+(?: inet6? \S+)?[ \t]*$",
        "/etc/network/interfaces of Linux, which has no QoS settings",
        _AS_NVUE,
    ),
    _kind_of_lines(
        r"frr (?:version|defaults) |service integrated-vtysh-config",
        "a configuration of FRR, which has no QoS settings",
        "give the switch configuration next to it: config_db.json of SONiC, or NVUE",
    ),
    _kind_of_lines(r"Current configuration : \d+ bytes|version 1[2-7]\.\d+\s*$", _IOS),
    *_FOREIGN,
    _Kind(
        re.compile(r'^\s*[\[{][^:]{0,200}"openconfig-[\w-]+:'),
        "a configuration of OpenConfig, models that several systems take beside their own, which is not supported",
        "give what the switch prints of its own: `info` on SR Linux, `show running-config`, config_db.json",
    ),
    _kind_of_lines(
        r"Building configuration\.\.\.|Current configuration : \d|service timestamps (?:debug|log) |"
        r"interface (?:\w*GigabitEthernet|\w*GigE)\d",
        _IOS,
    ),
    _kind_of_lines(
        r"set (?:version \d|system host-name |interfaces \S+-\d|class-of-service |groups |chassis )|"
        r"## Last (?:commit|changed): |(?:system|interfaces|class-of-service|chassis) \{",
        "a Junos configuration that is not of a QFX switch: routers (MX, PTX) and firewalls have other queues",
        "give the output of `show configuration` of a QFX, without statements that only routers have",
    ),
    _kind_of_lines(r"apiVersion: \S+", "a manifest of Kubernetes"),
    _kind_of_lines(r"(?:- |  )(?:hosts|import_playbook|ansible.builtin.import_playbook): \S", "a playbook of Ansible"),
)


def names_other_system(text: str) -> bool:
    """Whether a text has lines that only a system prints which is not read."""
    return any(kind.states.search(text) for kind in _FOREIGN)


def find_second_way(text: str) -> Likeness | None:
    """What a file of a switch is that may change QoS beside its configuration; None for any other text."""
    head = text[:_HEAD]
    found = ((kind, kind.states.search(head)) for kind in (*_BESIDE_SONIC, *_BESIDE_NVUE))
    return next((Likeness(kind.what, kind.fix, at.start()) for kind, at in found if at is not None), None)


def identify_unsupported(text: str) -> Likeness | None:
    """What a text that no reader takes looks like; None where that is not known."""
    return next(_find_likenesses(text[:_HEAD]), None)


def _find_likenesses(head: str) -> Iterator[Likeness]:
    if not head.strip():
        yield Likeness("empty")
    if "\0" in head:
        yield Likeness("no text: it has NUL bytes", "save text as UTF-8", head.index("\0"))
    for kind in _KINDS:
        found = kind.states.search(head)
        if found is not None:
            yield Likeness(kind.what, kind.fix, found.start())
