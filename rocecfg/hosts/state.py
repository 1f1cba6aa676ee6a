"""What is read of a NIC port from the output of a host's tools, and which host's it is."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from rocecfg.analysis.hosts import stated_hosts
from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Span
from rocecfg.model.fates import Fates
from rocecfg.source.document import Document, SourceError

PRIORITIES = 8
ROCE_PORT = 4791  # UDP port of RoCEv2
LINUX, WINDOWS = "linux", "windows"  # whose tools print it, and fix it
_PARTS = re.compile(r"[-_.:]")


@dataclass(slots=True)
class SendingClass:
    """A traffic class of a NIC, as far as its output says what it is."""

    at: Span
    limit: Span | None = None  # where a limit stands; None: unlimited, or not said
    share: int | None = None  # percent of sending
    share_at: Span | None = None
    strict: bool = False
    own: Span | None = None  # where it has an algorithm of the maker's own, which mlnx_qos and dcb call vendor


@dataclass(slots=True)
class NicState:
    """What is read of one NIC port; None or {}: the output does not say it."""

    at: Span  # where its output begins
    host: str | None = None  # of the prompt
    interface: str | None = None
    pfc: tuple[int, ...] | None = None
    trust: str | None = None  # pcp | dscp
    cable: int | None = None  # metres
    pauses: tuple[str, ...] | None = None  # sides with 802.3x pause: RX, TX
    priority_of: dict[int, int] = field(default_factory=dict)  # DSCP -> priority
    places: dict[str, Span] = field(
        default_factory=dict
    )  # pfc, trust, cable, pauses, rdma, dcbx, and the words of `firmware`
    rdma_priority: int | None = None  # that the host's QoS policy puts RDMA on (Windows)
    of_default: bool = False  # by the policy for whatever no other one matches
    enabled: bool | None = None  # whether QoS is on for the adapter (Windows)
    dcbx: str | None = None  # who negotiates DCBX, as the driver has it: os | firmware
    firmware: dict[str, bool] = field(default_factory=dict)  # of LLDP and DCBX in a card's own settings: whether on
    card: str | None = None  # whose settings these are: a PCI address, or a device of mst
    system: str = LINUX
    mapped: dict[int, Span] = field(default_factory=dict)  # DSCP -> place
    buffers: tuple[int, ...] = ()  # bytes of each receive buffer
    buffer_of: tuple[int, ...] = ()  # the receive buffer of each priority
    sending: dict[int, SendingClass] = field(default_factory=dict)  # by number of the traffic class
    class_of: dict[int, int] = field(default_factory=dict)  # priority -> traffic class
    ports: dict[int, tuple[int, Span]] = field(default_factory=dict)  # UDP port -> priority
    fw_lldp: bool | None = None  # whether the firmware's LLDP agent is on, of drivers that have it as a private flag
    unread: list[Span] = field(default_factory=list)  # lines that are about QoS, and are not judged


def unexpected_text(document: Document, at: Span, wanted: str) -> SourceError:
    """What is said of a text that stands where something else is wanted."""
    line, column = document.place(at.start)
    there = document.text[at.start : at.end]
    fix = "give the whole output of the tool"
    return SourceError(document.path, f"expected {wanted}, not {there!r}", fix, line, column)


class HostOutput(NamedTuple):
    """What is read of a text, and what becomes of its lines."""

    nics: list[NicState]
    fates: Fates


class PlacedNic(NamedTuple):
    """A NIC port and the host it is in."""

    state: NicState
    host: str
    label: str | None  # the NIC port as the intent names it, or what the file's name says
    filed: str | None = None  # what the file's name says, where the output says otherwise

    @property
    def name(self) -> str:
        """`gpu01:nic0`, for a message."""
        part = self.label or self.state.interface
        return f"{self.host}:{part}" if part else self.host

    @property
    def device(self) -> str:
        """The interface, for a command."""
        return self.state.interface or "DEVICE"


def place_nics(found: list[NicState], path: str, hosts: frozenset[str] | None) -> list[PlacedNic]:
    """The NICs of a file with their hosts, as far as they are known ones; `hosts` None: whatever the names say.

    A host is told by the name of the file (gpu01-nic0.txt, gpu01.txt), by its folder (gpu01/nic0.txt), or by the
    prompt before a command.
    """
    stem = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    by_name = _split_host(stem, hosts) or ((folder, stem) if hosts is not None and folder in hosts else None)
    out = []
    for state in found:
        prompted = state.host.split(".")[0] if state.host is not None else None
        if hosts is None:
            out.append(PlacedNic(state, prompted or stem, None))
        elif by_name is not None:
            other = len(found) == 1 and _is_of_other_adapter(state, by_name[1])
            label = by_name[1] if len(found) == 1 and not other else state.interface
            out.append(PlacedNic(state, by_name[0], label, by_name[1] if other else None))
        elif prompted in hosts:
            out.append(PlacedNic(state, prompted or "", state.interface))
    return out


def _is_of_other_adapter(state: NicState, part: str | None) -> bool:
    """Whether Windows calls an adapter otherwise than the file's name, of which nothing says that it is the same."""
    if state.system != WINDOWS or not state.interface or not part:
        return False
    return _plain_name(state.interface) != _plain_name(part)


def _plain_name(name: str) -> str:
    """A name without what a file's name has no place for."""
    return "".join(filter(str.isalnum, name.casefold()))


def _split_host(stem: str, hosts: frozenset[str] | None) -> tuple[str, str | None] | None:
    """`gpu01-nic0` as gpu01 and nic0: the longest beginning that is a host."""
    if hosts is None:
        return None
    if stem in hosts:
        return stem, None
    cuts = [match.start() for match in _PARTS.finditer(stem)]
    for cut in reversed(cuts):
        if stem[:cut] in hosts:
            return stem[:cut], stem[cut + 1 :]
    return None


def listed_hosts(fabric: Fabric) -> frozenset[str]:
    """The hosts that an intent lists."""
    return frozenset().union(*(name_set(key) for key in stated_hosts(fabric)))
