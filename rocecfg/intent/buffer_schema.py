"""The sections `ecn`, `pfc` and `buffers` of the intent: marking, the watchdog, headroom and pools."""

from __future__ import annotations

from rocecfg.intent.fields import PART, THRESHOLD
from rocecfg.intent.shapes import ByShape, Either, Key, Keyed, Listed, Obj, make_inheritable
from rocecfg.intent.types import (
    BYTES,
    HEADROOM,
    PERCENT,
    RATE,
    SIZE,
    TIME,
    WORD,
    Bool,
    Int,
    Number,
    Type,
    Words,
)
from rocecfg.intent.values import Context
from rocecfg.model.stated import OFF
from rocecfg.source.yaml import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PRIORITY = Int(0, 7, "schema-priority-range")
_PRIORITIES = Listed(_PRIORITY, unique="schema-priority-range", order="hygiene-order")
_BOOL = Bool()

_CURVE = {
    "kmin": Key(THRESHOLD, "queue length at which marking begins", "min minthreshold minimum minth"),
    "kmax": Key(THRESHOLD, "queue length from which every packet is marked", "max maxthreshold maximum maxth"),
    "pmax": Key(
        PERCENT,
        "marking probability just below kmax",
        "probability prob maxprobability maxprob markprobability markingprobability dropprobability",
    ),
    "weight": Key(Int(0, 15), "averaging exponent; 0 marks on the instantaneous queue"),
    "colors": Key(Either(("all",), Listed(Words("green", "yellow", "red"), unique="schema-value")), "colours marked"),
}
_POINTS = ("kmin", "kmax", "pmax")
CURVE = Obj("ecn", _CURVE, main=_POINTS)
ECN = Either(
    (OFF, "auto"),
    Obj(
        "ecn",
        {
            **_CURVE,
            "by_speed": Key(Keyed("curves by port speed", RATE, CURVE), "curves by port speed"),
            "profiled": Key(_BOOL, "whether the values were found by measuring this fabric; default false"),
        },
        main=_POINTS,
    ),
)

WATCHDOG = Either(
    (OFF, "vendor-default"),
    Obj(
        "watchdog",
        make_inheritable(
            {
                "detection_time": Key(
                    TIME,
                    "how long a queue may stay paused before it is called a storm",
                    "detection detect detectiontimeout",
                ),
                "restoration_time": Key(
                    TIME,
                    "how long a storm must be over before the queue is lossless again",
                    "restoration restore restoretime recovery recoverytime recoverytimeout",
                ),
                "poll_interval": Key(TIME, "how often queues are looked at", "poll polling polltime interval"),
                "action": Key(
                    Words("drop", "forward", "alert", "errdisable", drop="discard", errdisable="shutdown shut disable"),
                    "what happens to a queue in a pause storm",
                ),
                "priorities": Key(_PRIORITIES, "watched priorities; default: all lossless ones"),
            }
        ),
        main=("detection_time",),
        example="{detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}",
    ),
)
_HEADROOM_PARTS = Obj(
    "headroom",
    {
        "size": Key(SIZE, "bytes reserved for a lossless priority group"),
        "xon": Key(SIZE, "occupancy at which the pause ends"),
        "xoff": Key(SIZE, "bytes that may still arrive after the pause was sent"),
    },
    required=("size",),
)
_HEADROOM_ONE = ByShape("auto, a size, or {size, xon, xoff}", Either(("auto",), HEADROOM), _HEADROOM_PARTS)


class _Headroom(Type):
    """auto | a size | {size, xon, xoff} | {by_speed: {400G: ...}}."""

    wants = "auto, a size, {size, xon, xoff}, or these by_speed"
    _by_speed = Obj(
        "headroom", {"by_speed": Key(Keyed("headroom by port speed", RATE, _HEADROOM_ONE), "by port speed")}
    )

    def read(self, node: Node, ctx: Context) -> Any:
        pairs = getattr(node, "pairs", None)
        of = self._by_speed if pairs and any(k.text == "by_speed" for k, _ in pairs) else _HEADROOM_ONE
        return of.read(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [_HEADROOM_ONE.schema(), self._by_speed.schema()]}


PFC = Obj(
    "pfc",
    make_inheritable(
        {
            "watchdog": Key(WATCHDOG, "PFC watchdog: timers and action", "pfcwd pfcwatchdog wd"),
            "headroom": Key(_Headroom(), "headroom of a lossless priority group"),
        }
    ),
)
_POOLS = Obj("pools", make_inheritable({"lossless": Key(PART, "lossless pool"), "lossy": Key(PART, "lossy pool")}))
BUFFERS = Obj(
    "buffers",
    make_inheritable(
        {
            "model": Key(Words("dynamic", "traditional"), "SONiC buffer model"),
            "template": Key(WORD, "buffer template (t0, t1, ...)"),
            "alpha": Key(Number(1 / 256, 128), "share of the free pool one priority group may take"),
            "pools": Key(_POOLS, "pool shares"),
            "shared_headroom": Key(Either((OFF,), SIZE), "shared headroom pool"),
            "private_headroom": Key(
                SIZE, "headroom that each lossless priority group keeps for itself: checked, and rendered for no switch"
            ),
            "queue_limit": Key(
                SIZE,
                "all that a queue can hold, dedicated or static: Junos has thresholds in percent of it",
            ),
            "oversubscribe": Key(Number(1, 65535), "headroom promised per byte of shared headroom pool"),
            "lossless_mtu": Key(BYTES, "bytes of one lossless packet"),
            "small_packets": Key(PART, "share of small packets assumed"),
            "response": Key(Words("legacy", "802.3"), "response time of the peer"),
        },
        "pools",
    ),
)
