"""What is read of a NIC port from the output of a host's tools."""

from __future__ import annotations

from dataclasses import dataclass, field

from rocecfg.model import Span
from rocecfg.source.document import Document, SourceError

PRIORITIES = 8
LINUX, WINDOWS = "linux", "windows"  # whose tools print it, and fix it


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


def unexpected_text(document: Document, at: Span, wanted: str) -> SourceError:
    """What is said of a text that stands where something else is wanted."""
    line, column = document.place(at.start)
    there = document.text[at.start : at.end]
    fix = "give the output as the tool printed it, whole"
    return SourceError(document.path, f"{there!r} where {wanted} is wanted", fix, line, column)
