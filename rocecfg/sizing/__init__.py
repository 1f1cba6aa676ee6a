"""What the numbers of a device come to: headroom, pools, alpha and ECN thresholds, each with its working.

Physics knows formulas, profiles know figures; here the two meet for one kind of device. Nothing is guessed: where a
figure is unknown the answer is None, and says so.
"""

from __future__ import annotations

from rocecfg.sizing.chip import Chip
from rocecfg.sizing.headroom import Need, needed, room
from rocecfg.sizing.marking import Aims, Limits, automatic, limits, scaled
from rocecfg.sizing.pools import pools, share

__all__ = ["Aims", "Chip", "Limits", "Need", "automatic", "limits", "needed", "pools", "room", "scaled", "share"]
