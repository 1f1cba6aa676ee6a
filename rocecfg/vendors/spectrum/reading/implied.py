"""What is in force where a text says nothing: what `qos roce` implies by its mode, and the release's own defaults.

From the Cumulus Linux user guide: the table of RoCE defaults and `nv show qos roce` of 5.14 to 5.18, the sections on
classification, egress queues, egress scheduler and ECN; and the configuration of a fresh switch.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.vendors.spectrum.reading.operations import Configuration

LOSSLESS = "lossless"
SINGLE_POOL = "lossless-single-ipool"
LOSSY = "lossy"
MULTI_TC = "lossy-multi-tc"
WITH_PFC = (LOSSLESS, SINGLE_POOL)
_CLASSIC = (LOSSLESS, SINGLE_POOL, LOSSY)  # one class of RoCE, on SP and TC 3, and CNPs on 6

ROCE_PRIORITY = 3
_ROCE_QUEUES = (0, 0, 0, 3, 0, 0, 6, 0)
_ROCE_TURNS: dict[int, float | str] = {0: 50, 3: 50, 6: "strict"}
_FRESH_TURNS: dict[int, float | str] = {tc: 12 + tc % 2 for tc in range(8)}
_MULTI_TURNS: dict[int, float | str] = dict(enumerate((4, 8, 18, 22, 22, 22, 4, 0)))
_MULTI_DSCP = {1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 3, **dict.fromkeys(range(11, 41), 4)}
_MULTI_LATER = dict.fromkeys(range(41, 51), 5)  # of 5.15 and later; in priority 0 before
_CABLE, _ROCE_CABLE = 10, 100  # metres
_KIB = 1024


class ImpliedCurve(NamedTuple):
    """A marking curve: bytes, percent."""

    kmin: int
    kmax: int
    pmax: int


CURVE = ImpliedCurve(150_000, 1_500_000, 100)
_MULTI_CURVE = ImpliedCurve(163 * _KIB, 234 * _KIB, 5)


class Basis(NamedTuple):
    """What stands behind a text's silence."""

    mode: str | None  # of `qos roce`; None: it is off
    at: Span  # where that is said, else the whole
    stated: bool  # whether the text says anything of `qos roce`
    known: bool  # whether silence means the default: not in a part of a configuration without `qos roce`
    later: bool  # 5.15 or later

    @property
    def classic(self) -> bool:
        """Whether RoCE has one class, as in all modes up to 5.13."""
        return self.mode in _CLASSIC

    @property
    def pauses(self) -> dict[int, Span]:
        """The switch priorities with PFC."""
        return {ROCE_PRIORITY: self.at} if self.mode in WITH_PFC else {}

    @property
    def trust(self) -> str | None:
        """What packets are sorted by: l2, l3, both, port; None: unknown."""
        if self.mode is not None:
            return "both"
        return "l2" if self.known else None

    @property
    def dscp(self) -> tuple[int, ...]:
        """The switch priority of each DSCP where DSCPs are trusted."""
        if self.mode != MULTI_TC:
            return tuple(dscp // 8 for dscp in range(64))
        own = {**_MULTI_DSCP, **_MULTI_LATER} if self.later else _MULTI_DSCP
        return tuple(own.get(dscp, 0) for dscp in range(64))

    @property
    def queues(self) -> tuple[int, ...]:
        """The traffic class of each switch priority."""
        return _ROCE_QUEUES if self.classic else tuple(range(8))

    @property
    def turns(self) -> dict[int, float | str] | None:
        """How traffic classes are served, those not named when nobody else sends; None: unknown."""
        if not self.known:
            return None
        return _ROCE_TURNS if self.classic else _MULTI_TURNS if self.mode == MULTI_TC else _FRESH_TURNS

    @property
    def marked(self) -> tuple[int, ...] | None:
        """The traffic classes that ECN marks; None: unknown."""
        if not self.known:
            return None
        return (0, 3) if self.classic else (1, 2, 3) if self.mode == MULTI_TC else (0,)

    @property
    def curve(self) -> ImpliedCurve:
        """The curve that they are marked by."""
        return _MULTI_CURVE if self.mode == MULTI_TC else CURVE

    @property
    def pools(self) -> dict[str, int]:
        """Percent of the buffer by traffic pool."""
        return {"default-lossy": 50, "roce-lossless": 50} if self.mode == LOSSLESS else {"default-lossy": 100}

    def cable(self, *, bound: bool) -> Val:
        """The length that headroom is sized for, in metres. `bound`: by a profile of the port's own."""
        return Val(float(_CABLE if bound or self.mode not in WITH_PFC else _ROCE_CABLE), self.at)


def find_basis(given: Configuration) -> Basis:
    """What stands behind the silence of a configuration."""
    node = given.tree.get("qos", "roce")
    qos = given.tree.get("qos")
    at = qos.at if qos is not None else given.tree.at
    mode: str | None = None
    if node is not None:
        at = node.at
        turned = node.val("enable") or node.val("state")
        chosen = node.val("mode")
        if turned is None or turned.value in ("on", "enabled"):
            mode = chosen.value if chosen is not None else LOSSLESS
        at = (chosen or turned or Val(None, at)).at if mode is not None else (turned or Val(None, at)).at
    later = given.spelling.is_at_least((5, 15)) is not False
    known = (given.whole or node is not None) and not (mode or "").startswith("dci")
    return Basis(mode, at, node is not None, known, later)
