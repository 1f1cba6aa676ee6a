"""`qos` of NVUE in every release from 5.0 to 5.19: keys, types, ranges, since and until when.

From the OpenAPI documents that NVIDIA publishes for 5.0 to 5.18; the keys of collections, which these leave open, from
its user guide; what is new in 5.19 from the user guide's list of new commands, which tells no ranges.
"""

from __future__ import annotations

from rocecfg.vendors.spectrum.reading.leaves import FreeText, Integer, OneOf
from rocecfg.vendors.spectrum.reading.objects import Keyed, KeySpec, Obj, SchemaType, SetMember

QOS_SINCE = (5, 3)
LATER = (5, 4)  # remark, link-pause, egress-shaper, advance-buffer-config
WATCHDOG = (5, 6)
SHARED_HEADROOM = (5, 17)
TRIGGERS = (5, 19)  # what the PFC watchdog goes by, beside received pause frames
ENABLE = (5, 14)  # the last with `enable: on`
STATE = (5, 15)  # the first with `state: enabled`
_MANAGEMENT = (5, 10)
_SERVICE_POOLS = (5, 11)

POOLS = ("default-lossy", "default-lossless", "mc-lossy", "roce-lossy", "roce-lossless")
GROUPS = ("bulk", *(f"service{n}" for n in range(1, 8)))
GLOBAL = "default-global"
UNLIMITED = 2_147_483_647  # kbit/s: the most, which is no limit
ALPHAS = {
    "alpha_0": 0.0,
    **{f"alpha_1_{2**n}": 1 / 2**n for n in range(7, 0, -1)},
    **{f"alpha_{2**n}": float(2**n) for n in range(7)},
    "alpha_infinity": float("inf"),
}

_MEMBER = SetMember()
_NAME = FreeText()
_PERCENT = Integer(0, 100)
_BYTES = Integer(1, None, "bytes")
_ALLOCATION = Integer(0, 4_294_967_295, "bytes")
_ENABLED = OneOf("enable", "disable")
_PRIORITIES = Keyed("switch priority", _MEMBER, most=7)


def on_off_keys(instead: str = "") -> dict[str, KeySpec]:
    """What turns an object on: `enable: on` up to 5.14, `state: enabled` since."""
    return {
        "enable": KeySpec(OneOf("on", "off"), None, ENABLE, f"write {instead} state enabled".replace("  ", " ")),
        "state": KeySpec(OneOf("enabled", "disabled"), STATE, None, f"write {instead} enable on".replace("  ", " ")),
    }


def _by_profile(of: SchemaType) -> Keyed:
    return Keyed("profile", of)


def _by_global_profile(of: SchemaType) -> Keyed:
    return Keyed("profile", of, names=(GLOBAL,))


_ROCE = Obj(
    {
        **on_off_keys("qos roce"),
        "mode": OneOf(
            "lossless", "lossy",
            lossless_single_ipool=(5, 12), lossy_multi_tc=(5, 14), dci_1=(5, 18), dci_custom=(5, 18),
        ),
        "cable-length": KeySpec(
            Integer(1, 100_000, "metres"), None, (5, 2), "write qos pfc default-global cable-length"
        ),
    }
)  # fmt: skip
_MAPPING = Obj(
    {
        "trust": OneOf("l2", "l3", "port", "both"),
        "port-default-sp": Integer(0, 7),
        "dscp": Keyed("DSCP", Obj({"switch-priority": Integer(0, 7)}), most=63),
        "pcp": Keyed("PCP", Obj({"switch-priority": Integer(0, 7)}), most=7),
    },
    never={"default-sp": "did you mean port-default-sp?", "dscp-tc": "write dscp N switch-priority N"},
)
_PAUSE = {
    "tx": _ENABLED,
    "rx": _ENABLED,
    "cable-length": Integer(1, 100_000, "metres"),
    "port-buffer": _BYTES,
    "xoff-threshold": _BYTES,
    "xon-threshold": _BYTES,
}
_PFC = Obj(
    {
        **_PAUSE,
        "switch-priority": _PRIORITIES,
        "small-packet-probability": KeySpec(_PERCENT, SHARED_HEADROOM),
    },
    never={
        "priority": "write switch-priority",
        "cos": "write switch-priority",
        "enable": "write tx enable and rx enable",
        "watchdog": "write qos pfc-watchdog, and interface PORTS qos pfc-watchdog state enable",
    },
)
_CONGESTION = Obj(
    {
        "traffic-class": Keyed(
            "traffic class",
            Obj(
                {
                    "ecn": _ENABLED,
                    "red": _ENABLED,
                    "min-threshold": _BYTES,
                    "max-threshold": _BYTES,
                    "probability": _PERCENT,
                    "mode": KeySpec(OneOf("absolute", "relative"), SHARED_HEADROOM),
                    "min-threshold-percent": KeySpec(_PERCENT, SHARED_HEADROOM),
                    "max-threshold-percent": KeySpec(_PERCENT, SHARED_HEADROOM),
                },
                never={"kmin": "write min-threshold", "kmax": "write max-threshold", "pmax": "write probability"},
            ),
            most=7,
        )
    },
    never={"ecn": "write traffic-class N ecn enable"},
)
_SCHEDULER = Obj(
    {
        "traffic-class": Keyed(
            "traffic class",
            Obj(
                {"mode": OneOf("dwrr", "strict"), "bw-percent": _PERCENT},
                never={"weight": "write bw-percent", "bandwidth": "write bw-percent"},
            ),
            most=7,
        )
    }
)
_RATE = Integer(0, UNLIMITED, "kbit/s, or packets/s where the mode is pps")
_SHAPER = Obj(
    {
        "mode": KeySpec(OneOf("kbps", "pps"), (5, 16)),
        "port-max-rate": _RATE,
        "traffic-class": Keyed("traffic class", Obj({"min-rate": _RATE, "max-rate": _RATE}), most=7),
    }
)
_REMARK = Obj(
    {
        "rewrite": OneOf("l2", "l3", "both"),
        "switch-priority": Keyed("switch priority", Obj({"dscp": Integer(0, 63), "pcp": Integer(0, 7)}), most=7),
    }
)
_POOL = Obj({"memory-percent": Integer(1, 100), "switch-priority": _PRIORITIES})

# -- advanced buffers --------------------------------------------------------------------------------------------------

_SHARING = {"service-pool": Integer(0, 7), "shared-alpha": OneOf(*ALPHAS), "shared-bytes": _ALLOCATION}
_REGION = Obj({**_SHARING, "reserved": _ALLOCATION})
_GROUP = Obj(
    {
        **_REGION.entries,
        "name": _NAME,
        "headroom": KeySpec(_ALLOCATION, _MANAGEMENT),
        "switch-priority": _PRIORITIES,
    }
)


def _by_service_pool(least: int) -> Keyed:
    settings = {
        "infinite": OneOf("true", "false"),
        "memory-percent": Integer(least, 100),
        "mode": OneOf("static", "dynamic"),
        "reserved": _ALLOCATION,
        "shared-alpha": OneOf(*ALPHAS),
        "shared-bytes": _ALLOCATION,
    }
    return Keyed("service pool", Obj(settings), most=7)


_OLD_POOL, _SERVICE_POOL = _by_service_pool(0), _by_service_pool(1)
_SHARED_HEADROOM = Integer(19_456, 2_621_440, "bytes")
_BUFFERS = Obj(
    {
        "ingress-lossy-buffer": Obj({"priority-group": Keyed("priority group", _GROUP, names=GROUPS)}),
        "ingress-lossless-buffer": Obj(_SHARING),
        "egress-lossless-buffer": _REGION,
        "egress-lossy-buffer": Obj(
            {
                "traffic-class": Keyed("traffic class", _REGION, most=15),
                "multicast-switch-priority": Keyed("switch priority", _REGION, most=7),
                "multicast-port": Obj({"reserved": _ALLOCATION, "shared-bytes": _ALLOCATION}),
            }
        ),
        "ingress-mgmt-buffer": KeySpec(Obj({**_REGION.entries, "headroom": _ALLOCATION}), _MANAGEMENT),
        "egress-mgmt-buffer": KeySpec(_REGION, _MANAGEMENT),
        "ingress-pool": KeySpec(_OLD_POOL, None, _MANAGEMENT, "write ingress-service-pool"),
        "egress-pool": KeySpec(_OLD_POOL, None, _MANAGEMENT, "write egress-service-pool"),
        "ingress-service-pool": KeySpec(_SERVICE_POOL, _SERVICE_POOLS, None, "write ingress-pool"),
        "egress-service-pool": KeySpec(_SERVICE_POOL, _SERVICE_POOLS, None, "write egress-pool"),
        "shared-headroom": KeySpec(
            Obj(
                {
                    "required-headroom-per-pg": _SHARED_HEADROOM,
                    "exclusive-headroom-per-pg": _SHARED_HEADROOM,
                    "oversubscription-ratio": Integer(1, 256),
                }
            ),
            SHARED_HEADROOM,
        ),
    }
)

# -- the whole ---------------------------------------------------------------------------------------------------------

_NEVER = {  # what tutorials and generators write
    "ecn": "write congestion-control PROFILE traffic-class N ecn enable",
    "wred": "write congestion-control PROFILE traffic-class N red enable",
    "red": "write congestion-control PROFILE traffic-class N red enable",
    "map": "write mapping PROFILE dscp N switch-priority N",
    "maps": "write mapping PROFILE dscp N switch-priority N",
    "dscp": "write mapping PROFILE dscp N switch-priority N",
    "trust": "write mapping PROFILE trust l3",
    "scheduler": "write egress-scheduler PROFILE traffic-class N",
    "ets": "write egress-scheduler PROFILE traffic-class N",
    "shaper": "write egress-shaper PROFILE",
    "watchdog": "write pfc-watchdog polling-interval and robustness, and interface PORTS qos pfc-watchdog state enable",
    "pause": "write link-pause PROFILE",
    "buffer": "write traffic-pool NAME memory-percent, or advance-buffer-config",
    "buffer-pool": "write traffic-pool NAME memory-percent",
    "priority-flow-control": "write pfc PROFILE switch-priority N",
}
QOS = Obj(
    {
        "roce": _ROCE,
        "mapping": KeySpec(_by_profile(_MAPPING), QOS_SINCE),
        "egress-queue-mapping": KeySpec(
            _by_global_profile(
                Obj({"switch-priority": Keyed("switch priority", Obj({"traffic-class": Integer(0, 7)}), most=7)})
            ),
            QOS_SINCE,
        ),
        "egress-scheduler": KeySpec(_by_profile(_SCHEDULER), QOS_SINCE),
        "congestion-control": KeySpec(_by_profile(_CONGESTION), QOS_SINCE),
        "pfc": KeySpec(_by_profile(_PFC), QOS_SINCE),
        "traffic-pool": KeySpec(Keyed("traffic pool", _POOL, names=POOLS), QOS_SINCE),
        "link-pause": KeySpec(_by_profile(Obj(_PAUSE)), LATER),
        "egress-shaper": KeySpec(_by_profile(_SHAPER), LATER),
        "remark": KeySpec(_by_profile(_REMARK), LATER),
        "advance-buffer-config": KeySpec(_by_global_profile(_BUFFERS), LATER),
        "pfc-watchdog": KeySpec(
            Obj(
                {
                    "polling-interval": Integer(100, 5000, "milliseconds"),
                    "robustness": Integer(1, 1000),
                    "recovery-interval": KeySpec(_NAME, TRIGGERS),
                    "rx-pause-threshold": KeySpec(_NAME, TRIGGERS),
                    "rx-pause-duration": KeySpec(Obj({"state": _NAME, "multiplier": _NAME}), TRIGGERS),
                    "transmit-queue-threshold": KeySpec(Obj({"state": _NAME, "percent": _NAME}), TRIGGERS),
                    "tx-frames-threshold": KeySpec(Obj({"state": _NAME, "value": _NAME}), TRIGGERS),
                },
                never={
                    "state": "write interface PORTS qos pfc-watchdog state enable",
                    "enable": "write interface PORTS qos pfc-watchdog state enable",
                    "detection-time": "write polling-interval and robustness: their product is the detection time",
                    "restoration-time": "NVUE has none: a queue is restored after one polling interval without pauses",
                    "timeout": "write polling-interval and robustness: their product is the detection time",
                    "action": "NVUE has none: a queue in a pause storm drops what arrives",
                },
            ),
            WATCHDOG,
        ),
    },
    never=_NEVER,
)
