"""What a configuration of Junos states, and why a switch may do the same without one of its statements."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself
from rocecfg.vendors.junos.reading.statements import parse_statements

_COS = "class-of-service"
REASONS = (
    *by_itself("no class of the intent comes this way", f"{_COS} classifiers", f"{_COS} forwarding-classes"),
    *by_itself("a port sends pauses only for what a notification profile names", "interfaces * ether-options"),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each statement that is in force, and where it stands."""
    for one in parse_statements(document).active:
        yield one.words, one.at.start, one.at.end
