"""What a configuration of SR Linux states, and why a switch may do the same without one of its statements."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself
from rocecfg.vendors.srlinux.reading.statements import parse_statements

REASONS = (
    *by_itself("no class of the intent comes this way", "qos classifiers", "qos forwarding-classes", "qos queues"),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each statement, and where it stands."""
    for one in parse_statements(document):
        yield one.words, one.at.start, one.at.end
