"""Ports that a switch runs and the intent does not name: up, and configured for traffic."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rocecfg.core.port_names import is_front_port
from rocecfg.core.records import NamedTuple
from rocecfg.drift.intended import IntendedDevice
from rocecfg.model import Span
from rocecfg.model.switch import Switch
from rocecfg.rules import ERROR, WARNING
from rocecfg.vendors.in_use import is_in_use

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
        if not is_in_use(port, switch):
            continue
        names = [each for each in port.names if not (each in meant.ports or each in known or not is_front_port(each))]
        if names:
            found.setdefault(tuple(sorted(port.pfc)), ([], port.at))[0].extend(names)
    for priorities, (names, at) in sorted(found.items(), reverse=True):
        yield UnnamedPorts(tuple(names), priorities, at)
