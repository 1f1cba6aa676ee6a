"""Rows of BUFFER_PG, BUFFER_QUEUE and QUEUE that cover the same number of a port: why their order matters, and which.

sonic-swss, orchagent/bufferorch.cpp (processPriorityGroup, processQueue; 202311 to master): the DEL of `PORT|3-4`
binds the null profile to 3 and 4, whatever other rows say of them, and the SET of `PORT|3` is skipped where the orch
remembers the same profile for that very key. So a row that stays is lost with one that goes, and is not bound again
unless it was deleted too. Rows taken in one batch are worked off by key, 3 before 3-4 (orch.cpp, addToSync), from
202411 deletions first: neither the order of a patch nor that of a load decides. orchagent/qosorch.cpp
(handleQueueTable) takes scheduler and WRED profile off all numbers of a deleted row of QUEUE likewise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from rocecfg.vendors.sonic.keys import parse_range

TABLES = ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE")

Row = dict[str, str]


def overlaps(a: str, b: str) -> bool:
    """Whether two keys, `Ethernet0|3` and `Ethernet0|3-4`, share a number of one port."""
    (port, _, here), (other, _, there) = a.rpartition("|"), b.rpartition("|")
    return port == other and not set(parse_range(here)).isdisjoint(parse_range(there))


def find_deleted_first(table: str, have: Collection[str], want: Collection[str]) -> tuple[str, ...]:
    """The keys of `have` to delete before any of `want` is written, so that each of these is bound in the end.

    Those that go and cover a number of one that stays, and those that stay and lose a number so. In BUFFER_PG also
    those that go and cover one that comes: buffermgrd may write it at any time. In the other tables apply-patch does,
    after it has deleted those that go (sonic-utilities, patch_sorter.py, KeyLevelMoveGenerator).
    """
    by_port = keys_by_port(have)
    wanted = keys_by_port(want if table == "BUFFER_PG" else [key for key in want if key in have])
    found: dict[str, None] = {}
    for port, keys in by_port.items():
        stay = wanted.get(port, [])
        here = {key for key in keys if key not in want and any(overlaps(key, other) for other in stay)}
        while more := {key for key in keys if key not in here and any(overlaps(key, other) for other in here)}:
            here |= more
        found |= dict.fromkeys(key for key in keys if key in here)
    return tuple(found)


def keys_by_port(keys: Iterable[str]) -> Mapping[str, list[str]]:
    """The keys of each port, each once."""
    out: dict[str, list[str]] = {}
    for key in dict.fromkeys(keys):
        out.setdefault(key.rpartition("|")[0], []).append(key)
    return out
