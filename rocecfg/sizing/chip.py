"""What all ports of a kind of device have in common when their numbers are computed."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Buffers, Computed

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic, Box, Device, Nos, Platform, PortGroup

TRADITIONAL = "traditional"
DYNAMIC = "dynamic"


class SizedChip(NamedTuple):
    """A chip in a box under an operating system, and what the intent says of its buffers."""

    nos: Nos | None
    asic: Asic | None
    box: Box | None
    platform: Platform | None
    release: str | None  # stated, or the one assumed
    buffers: Buffers
    role: str | None

    @property
    def tables(self) -> str:
        """Whose headroom table and pools they are, where that is not plainly its release."""
        return self.box.tables if self.box is not None else ""

    @property
    def formula(self) -> bool:
        """Whether the switch computes headroom by SONiC's formula for Spectrum."""
        return self.buffers.model == DYNAMIC and self.asic is not None and self.asic.headroom_formula is not None

    @property
    def looked_up(self) -> bool:
        """Whether the switch looks headroom up in a table that is known."""
        return self.buffers.model == TRADITIONAL and self.box is not None and self.box.headroom is not None


def name_other_tables(device: Device, port: PortGroup | None, what: tuple[str, ...]) -> str:
    """` of 202505, taken for 202508`: of which release the tables are that some numbers come from.

    `what`: which of `room` and `alpha` of a port, or of all, and `pools`. "" where these are of tables of the device's
    own release, or are stated or worked out without any.
    """
    box = device.box
    if not what or box is None or not box.tables or box.release == device.release:
        return ""
    found = [of.origins.get(key) for of in (device.ports if port is None else (port,)) for key in what]
    found += device.pools.origins.values() if "pools" in what else ()
    rests = any(isinstance(origin, Computed) and box.tables in origin.formula for origin in found)
    return box.tables if rests else ""
