"""What becomes of each statement of SR Linux: checked, compared as text, none of RoCE's, or unknown.

The branches of the tree are those of Nokia's models (nokia/srlinux-yang-models, v24.10.3 and v25.3.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from rocecfg.model.fates import FOREIGN, JUDGED, Fates
from rocecfg.model.stated import Problem
from rocecfg.vendors.fates import (
    NOBODY_KNOWS,
    Fate,
    FateTable,
    Noted,
    Path,
    Statement,
    as_text,
    foreign,
    judged,
    make_statement,
    may_change,
    weigh,
)
from rocecfg.vendors.srlinux.reading import statements
from rocecfg.vendors.srlinux.reading.interfaces import LAG, PORT
from rocecfg.vendors.srlinux.settings import QOS, is_beside

_OTHER = "other-interface"  # in the place of `interface` where what is named is no port with queues
_ROWS = (
    *judged(QOS, "system name host-name", "system mtu default-port-mtu|default-ip-mtu"),
    *judged("interface * mtu|admin-state|description|vlan-tagging|breakout-mode"),
    *judged("interface * ethernet port-speed|aggregate-id|auto-negotiate|flow-control|forward-error-correction"),
    *judged("interface * transceiver forward-error-correction"),
    *judged("interface * subinterface * type|ip-mtu|l2-mtu|admin-state|description|vlan"),
    *judged("interface * subinterface * ipv4|ipv6 address|unnumbered|admin-state|router-advertisement"),
    *as_text("an MTU that no model is read for here", "system mtu"),
    *foreign(
        "of the interface, and no queue, buffer or pause frame",
        "interface * loopback-mode|sflow|tpid|lag|ethernet|transceiver|bridge-table|phys-channel|p4rt|name",
        "interface * subinterface * ipv4|ipv6|bridge-table|anycast-gw|local-mirror-destination|ra-guard|uuid|name",
        "interface * breakout-mode",
    ),
    *foreign("no port with queues: loopback, management, bridged routing, system", _OTHER),
    *foreign("access lists, which do nothing until a port has them", "acl"),
    *may_change("an access list at a port: it may drop RoCEv2", "acl interface|subinterface"),
    *may_change("scripts that run on events, which may change the configuration", "system event-handler"),
    *foreign("management of the box: logins, time, names, logs, interfaces of management", "system"),
    *foreign(
        "routing and tunnels: which way packets go, not how they queue",
        "network-instance|routing-policy|tunnel|tunnel-interface|bfd|segment-routing|oam|maintenance",
    ),
    *foreign("which cards a box has, and how the chip's tables are shared", "platform"),
)
_TABLE = FateTable(_ROWS)
_BESIDE = Fate(FOREIGN, "nothing that is compared hangs on it")
_OPENED = Fate(JUDGED)  # a port or subinterface without a statement in it


def _find(path: Path) -> Fate:
    if path[0] == QOS and is_beside(path):
        return _BESIDE
    if path[0] == "interface" and (len(path) == 2 or (len(path) == 4 and path[2] == "subinterface")):
        return _OPENED
    return _TABLE.find(path) or NOBODY_KNOWS


def weigh_statements(given: Sequence[statements.Statement], problems: Iterable[Problem], doc: int) -> Fates:
    """The fates of all statements."""
    return weigh(partial(_list_statements, given), _find, problems, doc)


def _list_statements(given: Sequence[statements.Statement], is_noted: Noted) -> Iterator[Statement]:
    del is_noted  # every statement has its place
    for one in given:
        words = one.words
        if words[0] == "interface" and len(words) > 1 and not (PORT.fullmatch(words[1]) or LAG.fullmatch(words[1])):
            words = (_OTHER, *words[1:])
        yield make_statement(words, one.at.start, one.at.end)
