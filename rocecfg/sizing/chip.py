"""What all ports of a kind of device have in common when their numbers are computed."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Buffers

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic, Box, Nos, Platform

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
