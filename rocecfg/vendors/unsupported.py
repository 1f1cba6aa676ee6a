"""What a text is that is no configuration rocecfg reads: told by its content, so that a refusal can say it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.core.records import NamedTuple

_HEAD = 200_000  # characters looked at
_AS_NVUE = "give what nv config show -o yaml prints"


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


_KINDS = (
    _Kind(
        re.compile(r"\{\{-? ?[$\w.]|\{%-? ?\w|\$\{\w"),
        "a template",
        "give what it is rendered to",
    ),
    _kind_of_lines(r"""[ \t]+["']?version["']?:[ \t]*["']?HBN """, "NVUE of a DPU (HBN), which is no switch"),
    _kind_of_lines(
        r"[ \t]*(?:\S{1,99}[#$>][ \t]*)?(?:sudo )?net (?:add|del|commit|pending|show) ?",
        "NCLU (net add), the commands of Cumulus Linux before 5.0",
        _AS_NVUE,
    ),
    _kind_of_lines(
        r"iface \S+(?: inet6? \S+)?[ \t]*$",
        "/etc/network/interfaces of Linux, which says nothing of QoS",
        _AS_NVUE,
    ),
    _kind_of_lines(
        r"frr (?:version|defaults) |service integrated-vtysh-config",
        "a configuration of FRR, which says nothing of QoS",
        "give what the switch has beside it: config_db.json of SONiC, or NVUE",
    ),
    _kind_of_lines(
        r"[ \t]*(?:dcb priority-flow-control (?:enable|priority)|interface ethernet \d+/\d+ |"
        r"traffic pool \S+ (?:type|map) |## Running database )",
        "a configuration of Onyx (MLNX-OS)",
    ),
    _kind_of_lines(
        r"!Command: show running-config|vdc \S+ id \d|feature (?:bgp|lldp|lacp|interface-vlan|nv overlay)\s*$|"
        r"boot nxos ",
        "a configuration of NX-OS",
    ),
    _kind_of_lines(r"! Version 10\.|interface ethernet\d+/\d+/\d+", "a configuration of Dell OS10"),
    _kind_of_lines(
        r"Building configuration\.\.\.|Current configuration : \d|service timestamps (?:debug|log) |"
        r"interface (?:\w*GigabitEthernet|\w*GigE)\d",
        "a configuration of IOS",
    ),
    _kind_of_lines(
        r"set (?:version \d|system host-name |interfaces \S+-\d|class-of-service |groups |chassis )|"
        r"## Last (?:commit|changed): |(?:system|interfaces|class-of-service|chassis) \{",
        "a configuration of Junos that is not a QFX switch's: routers (MX, PTX) and firewalls have other queues",
        "give what show configuration prints on a QFX, without what only routers have",
    ),
    _kind_of_lines(r"apiVersion: \S+", "a manifest of Kubernetes"),
    _kind_of_lines(r"(?:- |  )(?:hosts|import_playbook|ansible.builtin.import_playbook): \S", "a playbook of Ansible"),
)


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
