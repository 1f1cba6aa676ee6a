"""The ports of a switch: what `/interface` says of each, as far as RoCE goes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rocecfg.core.digits import is_number
from rocecfg.model import Span
from rocecfg.model.catalogue import plain_coding
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.srlinux.limits import ETHERNET, OWN_IP_MTU, OWN_PORT_MTU, TAG
from rocecfg.vendors.srlinux.reading.statements import Statement, Words
from rocecfg.vendors.srlinux.settings import STATE, take_speed

PORT = re.compile(r"ethernet-\d+/\d+(?:/\d+)?")
LAG = re.compile(r"lag\d+")


class Subinterface:
    """What is said of one."""

    def __init__(self, at: Span) -> None:
        self.at = at
        self.stated: dict[str, Val] = {}

    @property
    def up(self) -> bool:
        """Whether it is not shut down."""
        return "up" not in self.stated or bool(self.stated["up"].value)

    @property
    def routed(self) -> bool:
        """Whether it is: what has no type, and an address or an MTU of IP, is."""
        if "type" in self.stated:
            return bool(self.stated["type"].value == "routed")
        return "address" in self.stated or "ip-mtu" in self.stated


class Interface:
    """A port or LAG: what stands below it."""

    def __init__(self, name: str, first: Span) -> None:
        """`first`: its first statement."""
        self.name = name
        self.at = span_of_default(first)
        self.stated: dict[str, Val] = {}
        self.units: dict[str, Subinterface] = {}


def span_of_default(first: Span) -> Span:
    """The place of what nothing says, by the first statement of what it is said of: where that begins."""
    return Span(first.doc, first.start, first.start + 1)


class Mtus:
    """What the system says of MTUs, for whatever says none itself; None: nothing is known."""

    def __init__(self, lines: Iterable[Statement], at: Span, *, whole: bool) -> None:
        self.port = Val(OWN_PORT_MTU, at) if whole else None
        self.ip = Val(OWN_IP_MTU, at) if whole else None
        for line in lines:
            match line.words:
                case ("system", "mtu", "default-port-mtu", text) if is_number(text):
                    self.port = Val(int(text), line.at)
                case ("system", "mtu", "default-ip-mtu", text) if is_number(text):
                    self.ip = Val(int(text), line.at)


def read_interfaces(lines: Iterable[Statement]) -> dict[str, Interface]:
    """The ports and LAGs that are configured, by name; not those that are split."""
    found: dict[str, Interface] = {}
    split = set()
    for line in lines:
        if line.words[0] != "interface" or len(line.words) < 2:
            continue
        name = line.words[1]
        if PORT.fullmatch(name) is None and LAG.fullmatch(name) is None:
            continue
        port = found.setdefault(name, Interface(name, line.at))
        if line.words[2:3] == ("breakout-mode",):
            split.add(name)
        _read_statement(port, line.words[2:], line.at)
    return {name: port for name, port in found.items() if name not in split}


def _read_statement(port: Interface, words: Words, at: Span) -> None:
    match words:
        case ("subinterface", index, *rest):
            _read_unit(port.units.setdefault(index, Subinterface(at)), tuple(rest), at)
        case ("mtu", number) if is_number(number):
            port.stated["mtu"] = Val(int(number), at)
        case ("admin-state", word) if STATE(word) is not None:
            port.stated["up"] = Val(STATE(word), at)
        case ("description", text):
            port.stated["description"] = Val(text, at)
        case ("vlan-tagging", word):
            port.stated["tags"] = Val(word == "true", at)
        case ("ethernet", "port-speed", text):
            speed = take_speed(text)
            if speed:
                port.stated["speed"] = Val(speed, at)
        case ("ethernet", "aggregate-id", lag):
            port.stated["lag"] = Val(lag, at)
        case ("ethernet", "auto-negotiate", word):
            port.stated["autoneg"] = Val("on" if word == "true" else "off", at)
        case ("ethernet", "flow-control", ("receive" | "transmit") as side, word):
            port.stated[side] = Val(word == "true", at)
        case ("ethernet", "forward-error-correction", "fec-option", word) | (
            "transceiver",
            "forward-error-correction",
            word,
        ):
            coding = {"disabled": "none", "base-r": "fc"}.get(word) or ("rs" if word.startswith("rs-") else word)
            port.stated["fec"] = Val(plain_coding(coding), at)


def _read_unit(unit: Subinterface, words: Words, at: Span) -> None:
    match words:
        case ("type", word):
            unit.stated["type"] = Val(word, at)
        case (("ip-mtu" | "l2-mtu") as key, number) if is_number(number):
            unit.stated[key] = Val(int(number), at)
        case ("admin-state", word) if STATE(word) is not None:
            unit.stated["up"] = Val(STATE(word), at)
        case (("ipv4" | "ipv6"), ("address" | "unnumbered" | "router-advertisement"), *_) | (
            ("ipv4" | "ipv6"),
            "admin-state",
            "enable",
        ):
            unit.stated.setdefault("address", Val(value=True, at=at))


def list_settings(port: Interface, mtus: Mtus) -> Iterator[tuple[str, Val]]:
    """What ports say in the terms of an intent."""
    for key in ("speed", "fec", "autoneg", "lag"):
        if key in port.stated:
            yield key, port.stated[key]
    routed = [unit for unit in port.units.values() if unit.routed]
    bridged = [unit for unit in port.units.values() if "type" in unit.stated and not unit.routed]
    if routed or bridged:
        first = (routed or bridged)[0]
        yield "layer", Val(3 if routed else 2, (first.stated.get("type") or Val(None, first.at)).at)
    mtu = _find_ip_mtu(port, routed, bridged, mtus)
    if mtu is not None:
        yield "mtu", mtu
    pauses = _find_flow_control(port.stated)
    if pauses is not None:
        yield "flowcontrol", pauses


def _find_ip_mtu(port: Interface, routed: list[Subinterface], bridged: list[Subinterface], mtus: Mtus) -> Val | None:
    """The IP MTU that all subinterfaces carry, and at most what the port leaves behind header and tag."""
    physical = port.stated.get("mtu") or mtus.port
    tag = TAG if "tags" in port.stated and port.stated["tags"].value else 0
    found = [Val(physical.value - ETHERNET - tag, physical.at)] if physical is not None else []
    found += [val for unit in routed if (val := unit.stated.get("ip-mtu") or mtus.ip) is not None]
    found += [Val(val.value - ETHERNET - tag, val.at) for unit in bridged if (val := unit.stated.get("l2-mtu"))]
    if not routed and not bridged and "mtu" not in port.stated:
        return None  # nothing runs over it
    return min(found, key=lambda val: int(val.value), default=None)


def _find_flow_control(given: Section) -> Val | None:
    rx, tx = given.get("receive"), given.get("transmit")
    if rx is None and tx is None:
        return None
    word = {(False, False): "off", (True, False): "rx", (False, True): "tx", (True, True): "on"}
    on = bool(rx and rx.value), bool(tx and tx.value)
    place = rx if rx is not None and (rx.value or tx is None) else tx
    assert place is not None
    return Val(word[on], place.at)
