"""Names of interfaces, written out and in short, one or a range of them."""

from __future__ import annotations

import re

_RANGE = re.compile(
    r"(?P<kind>[a-z-]+)?(?P<head>(?:\d+/){0,2})(?P<low>\d+)(?:-(?:[a-z]*)(?:(?:\d+/){0,2})(?P<high>\d+))?"
)
_MOST = 4096  # of one range
PORT = re.compile(r"Ethernet\d+/\d+(?:/\d+)?|port-channel\d+")


def expand_interfaces(text: str) -> tuple[str, ...]:
    """The interfaces that `Ethernet1/1-3, Eth1/7` names, as NX-OS writes them; () where they have no queues."""
    out: list[str] = []
    kind = ""
    for part in re.sub(r"\s+", "", text.lower()).split(","):
        found = _RANGE.fullmatch(part)
        if found is None:
            return ()
        kind = found["kind"] or kind
        low, high = int(found["low"]), int(found["high"] or found["low"])
        if not 0 <= high - low < _MOST:
            return ()
        if len(kind) >= 1 and "ethernet".startswith(kind) and found["head"]:
            out += [f"Ethernet{found['head']}{number}" for number in range(low, high + 1)]
        elif len(kind) >= 2 and "port-channel".startswith(kind) and not found["head"]:
            out += [f"port-channel{number}" for number in range(low, high + 1)]
        else:
            return ()
    return tuple(out)
