"""What NVUE states, setting by setting, and why a switch may do the same without one of them."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself
from rocecfg.vendors.spectrum.reading.nodes import walk_leaves
from rocecfg.vendors.spectrum.reading.operations import read_configuration

REASONS = (
    *by_itself("qos roce is on unless it is turned off, and lossless unless it is lossy", "qos roce enable|mode"),
    *by_itself("qos roce halves the buffer between the pools", "qos traffic-pool * memory-percent"),
    *by_itself("qos roce has its priority in the lossless pool, and PFC for it", "qos traffic-pool * switch-priority"),
    *by_itself(
        "qos roce has it so", "qos pfc * switch-priority", "qos egress-queue-mapping *", "qos egress-scheduler *"
    ),
    *by_itself("qos roce trusts both, and of IP packets that is DSCP", "qos mapping * trust"),
    *by_itself("0 is what Cumulus Linux has where nothing is set", "qos mapping * port-default-sp"),
    *by_itself("a DSCP goes to its eighth where nothing is set", "qos mapping * dscp"),
    *by_itself("PFC is on both ways where nothing is set", "qos pfc * tx|rx"),
    *by_itself("qos roce marks, and drops nothing early", "qos congestion-control * traffic-class * ecn|red"),
    *by_itself("100 ms is what Cumulus Linux has where nothing is set", "qos pfc-watchdog polling-interval"),
    *by_itself("a watchdog that is there is on unless it is turned off", "interface * qos pfc-watchdog"),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each setting, its value the last, and where it stands."""
    for path, leaf in walk_leaves(read_configuration(document, None).tree):
        yield (path if leaf.value is None else (*path, str(leaf.value))), leaf.at.start, leaf.at.end
