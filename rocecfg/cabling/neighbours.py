"""A neighbour that a device saw (LLDP, CDP) as a statement: which of its port's names can be one."""

from __future__ import annotations

from rocecfg.cabling.names import device_name, is_mac, port_name
from rocecfg.cabling.statements import AMBIGUOUS, LEFT_OUT, CableEnd, LeftOut, StatedCable, Statement
from rocecfg.core.digits import is_number

__all__ = ["AMBIGUOUS", "neighbour_statement"]


def neighbour_statement(
    local: str,
    port: str,
    far: str,
    far_port: str,
    described: str,
    at: int,
    *,
    kind: str = "",
    chassis: str = "",
) -> Statement:
    """What `local` saw on a port. `kind`: of the far port's id, as the system calls it; `described`: its description.

    A MAC address, or the index of an interface, is not a name: then the description counts, if it is one word. Else the
    far device may tell, which is seen when all files are put together.
    """
    here = CableEnd(device_name(local), port_name(port))
    name, words = port_name(far_port), port_name(described)
    if is_mac(name) or is_number(name) or not name or kind in ("mac", "ip"):
        name = words if _is_name(words) else name
    there = CableEnd(device_name(far), name)
    if not there.device or is_mac(there.device):
        whose = f" (chassis {chassis or there.device})" if chassis or there.device else ""
        return LeftOut(LEFT_OUT, here, there._replace(device=""), f"the neighbour gives no system name{whose}", at)
    return StatedCable(here, there, at, by=here.device, described=words)


def _is_name(words: str) -> bool:
    """Whether a description is a port's name by its look: one word with a number in it, and no address."""
    return bool(words) and " " not in words and any(c.isdigit() for c in words) and not is_mac(words)
