"""The ports of a switch: what `interfaces` says of each, as far as RoCE goes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rocecfg.core.digits import is_number
from rocecfg.model import Span
from rocecfg.model.catalogue import plain_coding
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.junos.limits import ETHERNET, OWN_MTU, TAG, rate
from rocecfg.vendors.junos.reading.statements import Statement, Words

PORT = re.compile(r"(?:et|xe|ge|mge)-\d+/\d+/\d+(?::\d+)?|ae\d+")
_FEW = frozenset({"unit", "family", "inet", "inet6", "0"})  # words of a port that nothing runs over


class Interface:
    """A port or LAG: what stands below it."""

    def __init__(self, name: str, first: Span) -> None:
        """`first`: its first statement."""
        self.name = name
        self.at = span_of_default(first)
        self.stated: dict[str, Val] = {}
        self.used = False
        self.parts = False  # it is split: its parts are ports

    @property
    def is_lag(self) -> bool:
        """Whether it is a bundle of ports."""
        return self.name.startswith("ae")


def span_of_default(first: Span) -> Span:
    """The place of what nothing says, by the first statement of what it is said of: where that begins.

    Not the statement itself, which may state the very setting, and would pass for a default.
    """
    return Span(first.doc, first.start, first.start + 1)


def read_interfaces(lines: Iterable[Statement]) -> dict[str, Interface]:
    """The ports that are configured, by name."""
    found: dict[str, Interface] = {}
    for line in lines:
        if line.words[0] != "interfaces" or len(line.words) < 2 or PORT.fullmatch(line.words[1]) is None:
            continue
        name = line.words[1]
        port = found.get(name)
        if port is None:
            port = found[name] = Interface(name, line.at)
        _read_statement(port, line.words[2:], line.at)
    for port in found.values():
        if ":" in port.name:
            whole = found.get(port.name.partition(":")[0])
            if whole is not None:
                whole.parts = whole.parts or port.used
                if "speed" in whole.stated:  # of each part: number-of-sub-ports says how many there are
                    port.stated.setdefault("speed", whole.stated["speed"])
    return found


def _read_statement(port: Interface, words: Words, at: Span) -> None:
    if words[:1] == ("unit",) and len(words) > 2:
        _read_unit(port, words[2:], at)
        return
    match words:
        case ("mtu", number) if is_number(number):
            port.stated["physical"] = Val(int(number), at)
            port.used = True
        case ("speed", text):
            speed = rate(text)
            if speed:
                port.stated["speed"] = Val(speed, at)
        case ("number-of-sub-ports", _):
            port.parts = True
        case ("disable",):
            port.stated["up"] = Val(value=False, at=at)
        case ("description", words_of):
            port.stated["description"] = Val(words_of, at)
            port.used = True
        case ("vlan-tagging",) | ("flexible-vlan-tagging",):
            port.stated["tags"] = Val(1 if words[0] == "vlan-tagging" else 2, at)
        case (("ether-options" | "gigether-options"), *rest):
            _read_ethernet(port, tuple(rest), at)
        case ("native-vlan-id", _) | ("encapsulation", _) | ("aggregated-ether-options", *_):
            port.used = True


def _read_unit(port: Interface, words: Words, at: Span) -> None:
    if not _FEW.issuperset(words):
        port.used = True
    match words:
        case ("family", "inet", "mtu", number) if is_number(number):
            known = port.stated.get("mtu")
            if known is None or int(number) < known.value:  # of several units, what all of them carry
                port.stated["mtu"] = Val(int(number), at)
        case ("family", "inet" | "inet6", "address", *_):
            port.stated["layer"] = Val(3, at)
        case ("family", "ethernet-switching", *_):
            port.stated["layer"] = Val(2, at)


def _read_ethernet(port: Interface, words: Words, at: Span) -> None:
    match words:
        case ("802.3ad", lag):
            port.stated["lag"] = Val(lag, at)
            port.used = True
        case ("flow-control",):
            port.stated["flowcontrol"] = Val("on", at)
        case ("no-flow-control",):
            port.stated["flowcontrol"] = Val("off", at)
        case ("configured-flow-control", ("rx-buffers" | "tx-buffers") as side, ("on" | "off") as state):
            port.stated[side] = Val(state == "on", at)
        case (("auto-negotiation" | "no-auto-negotiation") as word,):
            port.stated["autoneg"] = Val("off" if word.startswith("no-") else "on", at)
        case ("fec", word):
            port.stated["fec"] = Val(plain_coding(word), at)


def list_settings(port: Interface, *, whole: bool, tagged: bool) -> Iterator[tuple[str, Val]]:
    """What ports say in the terms of an intent.

    `whole`: silence means the system's own value; `tagged`: the port goes by the tags of packets.
    """
    given = port.stated
    for key in ("speed", "fec", "autoneg", "layer", "lag"):
        if key in given:
            yield key, given[key]
    mtu = _find_ip_mtu(given, port.at, whole=whole, tagged=tagged)
    if mtu is not None:
        yield "mtu", mtu
    pauses = _find_flow_control(given)
    if pauses is not None:
        yield "flowcontrol", pauses


def _find_ip_mtu(given: Section, at: Span, *, whole: bool, tagged: bool) -> Val | None:
    """The IP MTU: what a unit says, and at most what the physical MTU leaves behind header and tags."""
    physical = given.get("physical") or (Val(OWN_MTU, at) if whole else None)
    if physical is None:
        return given.get("mtu")
    tags = given["tags"].value if "tags" in given else int(tagged)
    room = Val(physical.value - ETHERNET - TAG * tags, physical.at)
    own = given.get("mtu")
    return own if own is not None and own.value <= room.value else room


def _find_flow_control(given: Section) -> Val | None:
    if "rx-buffers" not in given and "tx-buffers" not in given:
        return given.get("flowcontrol")
    rx, tx = given.get("rx-buffers"), given.get("tx-buffers")
    word = {(False, False): "off", (True, False): "rx", (False, True): "tx", (True, True): "on"}
    at = (rx or tx or given["flowcontrol"]).at
    return Val(word[rx is not None and bool(rx.value), tx is not None and bool(tx.value)], at)
