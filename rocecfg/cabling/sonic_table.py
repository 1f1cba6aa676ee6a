"""SONiC's `show lldp table`, as sonic-utilities' lldpshow prints it."""

from __future__ import annotations

import re

from rocecfg.cabling.columns import rows
from rocecfg.cabling.names import port_name
from rocecfg.cabling.neighbours import neighbour
from rocecfg.cabling.statements import Statements

TABLE = re.compile(r"^LocalPort\s+RemoteDevice\s+RemotePortID\s+Capability(?:\s+RemotePortDescr)?\s*$", re.MULTILINE)


def read_table(given: str, local: str) -> Statements:
    """A neighbour a row; the number of them below a rule."""
    for at, cells in rows(given, TABLE, counted=True):
        port, device, far_port = cells[:3]
        yield neighbour(local, port, device, far_port, _one_word(cells[4]) if len(cells) > 4 else "", at)


def _one_word(words: str) -> str:
    """A description that is a port's name: `leaf1:Ethernet4`, said of this end, is none."""
    return port_name(words) if ":" not in words else ""
