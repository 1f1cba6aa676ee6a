"""How traffic is spread over equal paths: by a hash, or dynamically (DLB), where the chip is known to do that.

The command and its choices are in aristanetworks/avd issue 4920, which names Arista's page on DLB of ECMP groups, of
4.24.2F. By AVD's schema flows are kept in sets of entries (flow-set-size), as Broadcom's chips do for flowlets. Which
chips do it is not published as text; Juniper's switches with these do.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.arista.reading.commands import BALANCING
from rocecfg.vendors.arista.release import Target
from rocecfg.vendors.base import CannotRender

MODES = {"dynamic": "flowlet", "hash": "ecmp"}  # words of the command, and the mode of an intent that each is
_CHIPS = ("tomahawk3", "tomahawk4", "tomahawk5")
_SINCE = (4, 24, 2)


def line_of(device: Device, target: Target) -> str | None:
    """The line that says it; None where nothing is said. CannotRender for DLB that is not known to be there.

    A hash is what every chip does by itself: it is said where it may have been turned off.
    """
    stated = device.load_balancing
    known = device.asic is not None and device.asic.name in _CHIPS
    known = known and target.release is not None and target.release >= _SINCE
    if stated is None or stated.mode is None or (stated.mode == "ecmp" and not known):
        return None
    if not known:
        raise CannotRender(
            f"whether this switch balances flowlets ({BALANCING} dynamic) is unknown: EOS does from 4.24.2F on, on "
            "chips like Tomahawk 3 to 5",
            "state platform or asic, and version; or write mode: ecmp",
            (stated.at("mode"),),
        )
    word = next(word for word, mode in MODES.items() if mode == stated.mode)
    return f"{BALANCING} {word}"
