"""How many statements a text has, as its system counts them, told without a reader of ours but for Junos."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml

from rocecfg.source.document import Sources
from rocecfg.vendors.junos.reading.statements import parse_statements


def count_statements(vendor: str, text: str) -> int:
    """The statements of a text, as its system has them."""
    if vendor == "sonic":
        return count_leaves(json.loads(text), lists=False)
    if vendor == "spectrum" and re.search(r"^nv (un)?set ", text, re.MULTILINE) is None:
        return sum(count_leaves(below) for one in yaml.safe_load(text) for below in one.values())
    if vendor == "junos":  # as `display set` has them: a line may set several leaves, and a list has many values
        given = parse_statements(Sources().add("leaf01.conf", text))
        return len(given.active) + len(given.inactive) + len(given.strange)
    if vendor == "spectrum":  # words in quotes may have several lines
        text = re.sub(r"\"[^\"]*\"|'[^']*'", "x", text)
    ends = ("exit", "end") if vendor == "arista" else ()
    mark = "!" if vendor == "arista" else "#"
    return sum(line.strip() not in ("", *ends) and not line.strip().startswith(mark) for line in text.splitlines())


def count_leaves(value: Any, *, lists: bool = True) -> int:
    """The leaves of a tree; `lists`: a list has many, else it is the value of one field."""
    if value and isinstance(value, dict):
        return sum(count_leaves(one, lists=lists) for one in value.values())
    return len(value) if value and lists and isinstance(value, list) else 1


# Statements that no system has yet, one for each section: none is refused, and none is passed over in silence.
FUTURE = {
    "sonic": """TABLE_OF_TOMORROW x y
        BUFFER_OF_TOMORROW x y
        PORT Ethernet0 of_tomorrow
        PFC_WD Ethernet0 of_tomorrow
        BUFFER_POOL ingress_lossless_pool of_tomorrow
        QUEUE Ethernet0|3 of_tomorrow
        SCHEDULER s of_tomorrow
        WRED_PROFILE w of_tomorrow
        SWITCH_HASH GLOBAL of_tomorrow
        SWITCH_TRIMMING GLOBAL of_tomorrow
        DEVICE_METADATA localhost of_tomorrow
        PORTCHANNEL PortChannel1 of_tomorrow
        ACL_RULE A|R OF_TOMORROW
        TUNNEL t of_tomorrow
        INTERFACE Ethernet0 of_tomorrow
        FLEX_COUNTER_TABLE PFCWD OF_TOMORROW""",
    "spectrum": """of-tomorrow x
        qos of-tomorrow x
        qos roce of-tomorrow
        qos pfc default-global of-tomorrow
        qos congestion-control default-global traffic-class 3 of-tomorrow
        qos mapping default-global of-tomorrow
        qos egress-scheduler default-global traffic-class 3 of-tomorrow
        qos egress-shaper p of-tomorrow
        qos link-pause p of-tomorrow
        qos remark default-global of-tomorrow
        qos traffic-pool roce-lossless of-tomorrow
        qos advance-buffer-config default-global of-tomorrow
        qos pfc-watchdog of-tomorrow
        interface swp1 of-tomorrow x
        interface swp1 qos of-tomorrow
        interface swp1 link of-tomorrow
        interface swp1 packet-trim of-tomorrow
        interface swp1 router adaptive-routing of-tomorrow
        router of-tomorrow x
        router adaptive-routing of-tomorrow
        system of-tomorrow x
        system config of-tomorrow
        system forwarding of-tomorrow
        system forwarding ecmp-hash of-tomorrow
        nve vxlan of-tomorrow
        service of-tomorrow x""",
    "arista": """of-tomorrow 3
        qos of-tomorrow 3
        priority-flow-control of-tomorrow
        platform of-tomorrow 3
        hardware of-tomorrow
        load-balance of-tomorrow
        errdisable of-tomorrow
        ip of-tomorrow
        qos map of-tomorrow 3
        qos profile P; of-tomorrow 3
        platform trident mmu queue profile P; of-tomorrow 3
        interface Vxlan1; vxlan of-tomorrow
        interface Ethernet1/1; of-tomorrow 3
        interface Ethernet1/1; priority-flow-control of-tomorrow
        interface Ethernet1/1; qos of-tomorrow
        interface Ethernet1/1; tx-queue 3; of-tomorrow 3
        interface Ethernet1/1; dcbx of-tomorrow
        interface Ethernet1/1; mtu of-tomorrow
        interface Ethernet1/1; ip of-tomorrow
        interface Ethernet1/1; hardware of-tomorrow""",
    "junos": """of-tomorrow x
        class-of-service of-tomorrow x
        class-of-service schedulers s of-tomorrow 3
        class-of-service forwarding-classes class C of-tomorrow 3
        class-of-service congestion-notification-profile P of-tomorrow 3
        class-of-service congestion-notification-profile P input dscp code-point 011010 of-tomorrow
        class-of-service congestion-notification-profile P pfc-watchdog of-tomorrow 3
        class-of-service shared-buffer of-tomorrow 3
        class-of-service interfaces et-0/0/0 of-tomorrow x
        class-of-service drop-profiles p of-tomorrow 3
        class-of-service classifiers dscp D of-tomorrow 3
        class-of-service rewrite-rules dscp D of-tomorrow 3
        class-of-service scheduler-maps m of-tomorrow 3
        interfaces et-0/0/0 of-tomorrow 3
        interfaces et-0/0/0 ether-options of-tomorrow 3
        interfaces et-0/0/0 unit 0 of-tomorrow 3
        interfaces et-0/0/0 unit 0 family inet of-tomorrow 3
        forwarding-options of-tomorrow
        forwarding-options enhanced-hash-key of-tomorrow
        firewall of-tomorrow
        system of-tomorrow 3
        chassis of-tomorrow 3
        protocols of-tomorrow 3
        protocols dcbx of-tomorrow
        vlans V of-tomorrow 3""",
}
OF_TOMORROW = [(vendor, line.strip()) for vendor, lines in FUTURE.items() for line in lines.splitlines()]
