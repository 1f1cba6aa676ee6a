"""What NVUE's settings bear on, below `qos` and at ports below `qos` and `link`; and of which nothing is to be known.

Every path there is read, or told as not checked, or stands in `BESIDE`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.spectrum.settings import TABLE
from rocecfg.vendors.table import Path, Row, is_of_port


class Beside(NamedTuple):
    """Paths of NVUE that set nothing which is compared: why not, and who says so."""

    path: str
    why: str
    source: str


LINK_BESIDE = frozenset(  # settings of `link` that no QoS hangs on; a key that is not known here is told
    {
        *("duplex", "lanes", "fast-linkup", "flap-protection", "mac-address", "tx-squelch"),
        *("debounce", "apsu-mode", "module-precoding", "dot1x"),
    }
)
_SCHEMA = "NVUE schema of 5.14"
BESIDE = (
    Beside(
        f"interface \\S+ link (?:{'|'.join(sorted(LINK_BESIDE))}).*",
        "of the link, no QoS",
        f"{_SCHEMA}, /interface/{{interface-id}}/link",
    ),
    Beside(
        "qos advance-buffer-config \\S+ ingress-lossy-buffer priority-group \\S+ name",
        "a label that nothing uses",
        f"{_SCHEMA}, /qos/advance-buffer-config/{{profile-id}}/ingress-lossy-buffer/priority-group/"
        "{priority-group-id}: name, an alias",
    ),
    Beside(
        "interface \\S+ link breakout \\S+ .+",
        "which lanes; into how many is read",
        f"{_SCHEMA}, /interface/{{interface-id}}/link/breakout/{{mode-id}}",
    ),
)
# Objects whose settings are told apart where something in them is not judged, and what else counts beside that.
_APART = ("pfc-watchdog", "advance-buffer-config", "remark")
_MARKED = ("ecn", "red")  # of a traffic class with thresholds in percent
_BESIDE = re.compile("|".join(f"(?:{one.path})" for one in BESIDE))


def settings_of(path: Path) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that what is set at a path bears on; (): not known which."""
    row = TABLE.find(path)
    rows = (row,) if row is not None else _list_rows(*(path[3:4] if path[0] == "interface" else path[1:2]))
    return tuple(dict.fromkeys(name.partition(".")[0] for each in rows for name in (*each.says, *each.sure)))


@cache
def list_unknown_topics(kind: str, *, of_port: bool) -> tuple[str, ...]:
    """The settings, of ports or of the switch, not known where something at a kind of QoS is not understood."""
    topics = dict.fromkeys(name.partition(".")[0] for row in _list_rows(kind) for name in row.says)
    return tuple(topic for topic in topics if is_of_port(topic) is of_port)


def _list_rows(kind: str = "") -> tuple[Row, ...]:
    """The rows of an object of `qos`, and of its bindings to ports."""
    return tuple(row for row in TABLE.rows if ("qos", kind) in (row.path[:2], row.path[2:4]))


def is_beside(path: Iterable[str]) -> bool:
    """Whether nothing that is compared hangs on what is set at a path."""
    return _BESIDE.fullmatch(" ".join(path)) is not None


def is_judged(path: Path) -> bool:
    """Whether what is set at a path is read, and not told as not judged."""
    row = TABLE.find(path)
    return row is not None and row.judged


def is_read(path: Path) -> bool:
    """Whether a setting is read, of an object below `qos` of which something is not judged."""
    return path[:2] == ("qos", "mapping") or (is_judged(path) and (path[1] in _APART or path[-1] in _MARKED))
