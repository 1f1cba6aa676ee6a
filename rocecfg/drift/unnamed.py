"""Ports that a switch runs and the intent does not name: up, and configured for traffic."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.drift.intended import IntendedDevice
from rocecfg.model import Span
from rocecfg.model.switch import Port, Switch
from rocecfg.rules import ERROR, WARNING

# LAGs, which a port's intent names, and ports inside a switch: to other chips of it, or to its own processor
_NO_FRONT_PORT = re.compile(
    r"Port-?Channel.*|ae\d+|bond.*|Ethernet-(?:BP|IB|Rec).*|(?:Management|mgmt|eth\d).*", re.IGNORECASE
)

ANY_PORT = "*"  # of known ports: whichever


class UnnamedPorts(NamedTuple):
    """Ports that are alike in this."""

    names: tuple[str, ...]
    priorities: tuple[int, ...]  # lossless there
    at: Span

    @property
    def severity(self) -> str:
        """How bad it is: what is lossless and unknown pauses its neighbours."""
        return ERROR if self.priorities else WARNING


def find_unnamed_ports(meant: IntendedDevice, switch: Switch, known: Collection[str]) -> Iterator[UnnamedPorts]:
    """The ports in use that are not meant, those with lossless priorities first; `known`: ports to leave out.

    Of an intent that names no ports of the device, nothing can be told.
    """
    if not meant.ports or any(group.implied or not group.names for group in meant.device.ports):
        return
    found: dict[tuple[int, ...], tuple[list[str], Span]] = {}
    for port in switch.ports:
        if not _is_in_use(port, switch):
            continue
        names = [
            each
            for each in port.names
            if not (each in meant.ports or each in known or _NO_FRONT_PORT.fullmatch(each) is not None)
        ]
        if names:
            found.setdefault(tuple(sorted(port.pfc)), ([], port.at))[0].extend(names)
    for priorities, (names, at) in sorted(found.items(), reverse=True):
        yield UnnamedPorts(tuple(names), priorities, at)


def _is_in_use(port: Port, switch: Switch) -> bool:
    """Whether a port is up, and anything is set for its traffic.

    A port of SONiC is down unless it is said to be up; what has PFC from a profile of all ports (NVUE) is in use where
    it is told to be up, is switched or routed, or has a profile of its own.
    """
    running, kind = port.running, switch.running.kind
    up = running.up if running is not None else None
    faces = port.section.get("faces")
    by_silence = up is None and kind == "config_db" and switch.running.whole
    if up is False or by_silence or (faces is not None and faces.value == "management"):
        return False
    layer = port.section.get("layer")
    # EOS: a port that nothing is said of is switched, or as a statement before all interfaces has it
    linked = layer is not None and (kind != "eos" or layer.at.start > port.at.start)
    bound = running is not None and bool(running.maps)
    paused = bool(port.pfc) and (kind != "nvue" or up is True)
    return linked or bound or paused or "lag" in port.section
