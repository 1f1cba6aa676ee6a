"""What a running-config of NX-OS states, line by line, and why a switch may do the same without one of them."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself
from rocecfg.vendors.nxos.reading.lines import parse_lines

REASONS = (
    *by_itself("packets that no class takes are in qos-group 0", "policy-map qos * class class-default"),
    *by_itself("802.3x is off by default", "interface * flowcontrol"),
    *by_itself("nothing is sent to an unused queue", "policy-map queuing * class *"),
    *by_itself("the MTU of a class limits what its port takes", "policy-map network-qos * class * mtu"),
    *by_itself("a class-map is used where a policy names it", "class-map qos *"),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each line with those of the blocks that it stands in, and where it stands."""
    for line in parse_lines(document):
        if line.words:
            sign = ("no",) if line.negated else ()
            yield (*line.path, *sign, *line.words), line.at.start, line.at.end
