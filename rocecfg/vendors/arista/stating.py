"""What a running-config states, line by line, and why a switch may do the same without one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.source.document import Document
from rocecfg.vendors.fates import Path, by_itself

_LINE = re.compile(r"^([ \t]*)([^\s!].*?)[ \t\r]*$", re.MULTILINE)
_PORTS = ("interface *", "qos profile *")
REASONS = (
    *by_itself("a priority is not lossless by default", *(f"{of} no priority-flow-control priority" for of in _PORTS)),
    *by_itself(
        "the watchdog is on where PFC is, unless it is taken back",
        *(f"{of} priority-flow-control pause watchdog" for of in _PORTS),
    ),
    *by_itself("802.3x is off by default", *(f"{of} flowcontrol" for of in _PORTS)),
    *by_itself("a queue does not mark by default", *(f"{of} uc-tx-queue|tx-queue * no random-detect" for of in _PORTS)),
    *by_itself(
        "a queue is strict, or takes turns below one that does, by default",
        *(f"{of} uc-tx-queue|tx-queue * priority" for of in _PORTS),
        *(f"{of} uc-tx-queue|tx-queue * no priority" for of in _PORTS),
    ),
    *by_itself("EOS's own map, or another line, leads these to the same class", "qos map dscp"),
    *by_itself(
        "by default, or by another line, traffic classes lead to the queues of their numbers", "qos map traffic-class"
    ),
)


def list_stated(document: Document) -> Iterator[tuple[Path, int, int]]:
    """The words of each line with those of the lines that it stands below, and where it stands."""
    above: list[tuple[int, Path]] = []
    last: tuple[Path, int, int] | None = None
    for found in _LINE.finditer(document.text):
        depth, words = len(found[1]), tuple(found[2].split())
        while above and above[-1][0] >= depth:
            above.pop()
        if last is not None and not (above and above[-1][1] is last[0]):
            yield last  # a line that others stand below is stated by them
        path = (*above[-1][1], *words) if above else words
        above.append((depth, path))
        last = path, found.start(2), found.end(2)
    if last is not None:
        yield last
