"""The ports of a switch that say the same, together, each with what its port-channel says."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.nxos.reading.config import Config

_OF_CHANNEL = (
    "qos",
    "output",
    "input",
    "mode",
    "watch",
    "switchport",
    "port mode",
    "trunk",
    "address",
)  # the port-channel's hold
_POLICIES = ("qos", "output", "input")  # that a member states: they do not hold
_BESIDE = frozenset({"description", "shutdown", "speed", "fec", "autoneg"})  # of a port that nothing runs over


class Kind(NamedTuple):
    """Ports that say the same."""

    names: list[str]
    at: Span
    stated: Section

    @property
    def is_used(self) -> bool:
        """Whether anything but a name, a speed or its being down is said of them."""
        return not _BESIDE.issuperset(self.stated)

    @property
    def mode(self) -> str:
        """Of PFC: on, off, auto; auto where nothing is said."""
        return self.stated["mode"].value[0] if "mode" in self.stated else "auto"


def group_ports(config: Config) -> list[Kind]:
    """The ports with cages, those that say the same together, and port-channels whose members are not told."""
    alike: dict[object, Kind] = {}
    joined = {port.stated["lag"].value for port in config.ports.values() if "lag" in port.stated}
    for name, port in config.ports.items():
        if name in joined:
            continue
        stated = dict(port.stated)
        lag = stated.get("lag")
        channel = config.ports.get(lag.value) if lag is not None else None
        if channel is not None:
            stated = {key: val for key, val in stated.items() if key not in _POLICIES}
            stated.update({key: channel.stated[key] for key in _OF_CHANNEL if key in channel.stated})
            if "mtu" in channel.stated and "mtu" not in stated:
                stated["mtu"] = channel.stated["mtu"]
        key = tuple((key, val.value) for key, val in sorted(stated.items()) if key != "description")
        alike.setdefault(key, Kind([], Span(port.at.doc, port.at.start, port.at.start + 1), stated)).names.append(name)
    return list(alike.values())


def list_settings(kind: Kind, *, whole: bool) -> Section:
    """What ports say in the terms of an intent."""
    out: Section = {}
    stated = kind.stated
    for key in ("speed", "fec", "autoneg", "lag", "mtu"):
        if key in stated:
            out[key] = stated[key]
    if "mtu" not in out and whole:
        out["mtu"] = Val(1500, kind.at)
    layer = next((stated[key] for key in ("address", "switchport", "port mode", "trunk") if key in stated), None)
    if layer is not None:
        out["layer"] = Val(3 if layer.value in (False, 3) else 2, layer.at)
    ways = {side: stated[side] for side in ("receive", "send") if side in stated}
    if ways:
        rx, tx = (side in ways and ways[side].value != "off" for side in ("receive", "send"))
        word = {(False, False): "off", (True, False): "rx", (False, True): "tx", (True, True): "on"}[rx, tx]
        out["flowcontrol"] = Val(word, next(iter(ways.values())).at)
    return out
