"""The objects of NVUE that bear on RoCE, in every release from 5.0 to 5.19: the whole, and what ports have.

From the OpenAPI documents that NVIDIA publishes, as `schema_qos`.
"""

from __future__ import annotations

from rocecfg.vendors.spectrum.domain import LINK_BESIDE
from rocecfg.vendors.spectrum.reading.leaves import FreeText, Integer, OneOf
from rocecfg.vendors.spectrum.reading.objects import Free, Keyed, KeySpec, Obj, SetMember
from rocecfg.vendors.spectrum.reading.schema_qos import (
    ENABLE,
    GLOBAL,
    LATER,
    QOS,
    QOS_SINCE,
    SHARED_HEADROOM,
    STATE,
    TRIGGERS,
    WATCHDOG,
    on_off_keys,
)

_TRIM = (5, 14)
_MEMBER = SetMember()
_NAME = FreeText()

_PROFILE = Obj({"profile": _NAME})
PORT_QOS = Obj(
    {
        "mapping": KeySpec(_PROFILE, QOS_SINCE),
        "pfc": KeySpec(_PROFILE, QOS_SINCE),
        "congestion-control": KeySpec(_PROFILE, QOS_SINCE),
        "egress-scheduler": KeySpec(_PROFILE, QOS_SINCE),
        "egress-shaper": KeySpec(_PROFILE, LATER),
        "link-pause": KeySpec(_PROFILE, LATER),
        "remark": KeySpec(_PROFILE, LATER),
        "pfc-watchdog": KeySpec(
            Obj(
                {"state": OneOf("enable", "disable")},
                never={"enable": "write pfc-watchdog state enable", "profile": "write pfc-watchdog state enable"},
            ),
            WATCHDOG,
        ),
        "headroom": KeySpec(
            Obj({"lossy": Obj({"extra-threshold": Integer(192, 1_236_480, "bytes", (TRIGGERS, 1_818_368))})}), (5, 16)
        ),
        "shared-headroom-pool": KeySpec(OneOf("enabled", "disabled"), SHARED_HEADROOM),
    },
    never={
        "pfc-enable": "write pfc profile NAME, or qos pfc default-global for all ports",
        "roce": "RoCE is turned on for the whole switch: write qos roce",
        "trust": "write mapping profile NAME",
        "ecn": "write congestion-control profile NAME",
        "scheduler": "write egress-scheduler profile NAME",
    },
)  # fmt: skip
_SPEEDS = ("10M", "100M", "1G", "10G", "25G", "40G", "50G", "100G", "200G", "400G", "800G")
_LINK = Obj(
    {
        "mtu": Integer(552, 9216, "bytes"),
        "speed": OneOf("auto", *_SPEEDS),
        "fec": OneOf("auto", "baser", "off", "rs", "driver-auto"),
        "auto-negotiate": OneOf("on", "off", enabled=STATE, disabled=STATE),
        "breakout": Keyed("breakout", Obj({}, others=True)),
        "state": Obj({"up": _MEMBER, "down": _MEMBER}),
    },
    beside=LINK_BESIDE,
)
_ADAPTIVE = Obj({**on_off_keys(), "link-utilization-threshold": _NAME, "profile": _NAME}, others=True)
_NOT_HERE = dict.fromkeys(
    ("pfc", "roce", "ecn", "dcb", "priority-flow-control", "pfc-watchdog", "congestion-control", "mapping"),
    "write qos ..., and bind a profile with interface PORTS qos",
)
_ADDRESSES = Keyed("address", _MEMBER)
_IP_UNTIL = KeySpec(
    Obj({"address": _ADDRESSES, "vrf": _NAME}, others=True), None, ENABLE, "write ipv4, and vrf beside it"
)
_IP_SINCE = KeySpec(Obj({"address": _ADDRESSES}, others=True), STATE, None, "write ip address")
_INTERFACE = Obj(
    {
        "type": _NAME,
        "description": _NAME,
        "link": _LINK,
        "qos": PORT_QOS,
        "bond": Obj({"member": Keyed("interface", _MEMBER)}, others=True),
        "bridge": Obj({"domain": Keyed("bridge", Obj({}, others=True))}, others=True),
        "ip": _IP_UNTIL,
        "ipv4": _IP_SINCE,
        "ipv6": _IP_SINCE,
        "vrf": KeySpec(_NAME, STATE, None, "write ip vrf"),
        "router": Obj({"adaptive-routing": _ADAPTIVE}, others=True),
        "acl": Free(),
        "packet-trim": KeySpec(
            Obj({"egress-eligibility": Obj({"traffic-class": Keyed("traffic class", _MEMBER, most=7)})}), _TRIM
        ),
    },
    others=True,
    never=_NOT_HERE,
    slips=("qos", "link"),
)
_VXLAN = Obj(
    {
        **on_off_keys("nve vxlan"),
        "encapsulation": Obj({"dscp": Obj({"action": OneOf("derive", "copy", "set")}, others=True)}, others=True),
        "decapsulation": Obj({"dscp": Obj({"action": OneOf("derive", "copy", "preserve")}, others=True)}, others=True),
    },
    others=True,
)
_ECMP_HASH = Obj(
    {
        leaf: OneOf("on", "off", enabled=STATE, disabled=STATE)
        for leaf in (
            *("destination-ip", "destination-port", "gtp-teid", "ingress-interface", "inner-destination-ip"),
            *(
                "inner-destination-port",
                "inner-ip-protocol",
                "inner-ipv6-label",
                "inner-source-ip",
                "inner-source-port",
            ),
            *("ip-protocol", "ipv6-label", "source-ip", "source-port"),
        )
    }
)
_PACKET_TRIM = Obj(
    {
        "state": OneOf("enabled", "disabled"),
        "size": Integer(256, 1024, "bytes"),
        "remark": Obj({"dscp": Integer(0, 63, word="port-level")}),
        "switch-priority": Integer(0, 7),
    },
    others=True,
)
_TRIGGER = Obj({"trigger": Obj({"buffer": Obj({}, others=True)}, others=True)}, others=True)
_WJH = Obj({"channel": Keyed("channel", _TRIGGER)}, others=True)
_SPAN = Obj({"span": Obj({}, others=True)}, others=True)
_SYSTEM = Obj(
    {
        "hostname": _NAME,
        "config": Obj({"snippet": Free()}, others=True),
        "forwarding": Obj({"ecmp-hash": _ECMP_HASH, "packet-trim": KeySpec(_PACKET_TRIM, _TRIM)}, others=True),
        "wjh": _WJH,
        "port-mirror": Obj({"session": Keyed("session", _SPAN)}, others=True),
    },
    others=True,
    never=_NOT_HERE,
)
_NEIGHBORS = Obj(
    {"bgp": Obj({"neighbor": Keyed("interface", Obj({}, others=True), addresses=False)}, others=True)}, others=True
)  # fmt: skip
ROOT = Obj(
    {
        "qos": QOS,
        "acl": Free(),
        "interface": Keyed("interface", _INTERFACE),
        "system": _SYSTEM,
        "platform": Obj({"hostname": Obj({"value": _NAME}, others=True)}, others=True),
        "nve": Obj({"vxlan": _VXLAN}, others=True),
        "router": Obj({"adaptive-routing": _ADAPTIVE}, others=True),
        "vrf": Keyed("VRF", Obj({"router": _NEIGHBORS}, others=True)),
        "header": Obj({"model": _NAME, "version": _NAME}, others=True),
    },
    others=True,
    never={word: f"write qos {word}" for word in ("pfc", "roce", "pfc-watchdog", "congestion-control", "traffic-pool")}
    | {"ecn": "write qos congestion-control", "dcb": "write qos pfc"},
    slips=("qos", "interface"),
)

__all__ = ["GLOBAL", "ROOT"]
