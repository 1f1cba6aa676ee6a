"""What a configuration of SR Linux states, and why a switch may do the same without one of its statements."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself
from rocecfg.vendors.srlinux.reading.statements import parse_statements

REASONS = (
    *by_itself(
        "a slope for all drop probabilities marks packets of each",
        "qos classifiers dscp-policy * dscp * drop-probability",
    ),
    *by_itself("the DSCP goes to the same queue, or no class of the intent uses it", "qos classifiers"),
    *by_itself(
        "one of another name has the same number, or no class of the intent uses it",
        "qos forwarding-classes",
        "qos queues",
    ),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each statement, and where it stands."""
    for one in parse_statements(document):
        yield one.words, one.at.start, one.at.end
