"""What goes wrong with NX-OS in particular, and only its own configuration shows: NXO801 to NXO813.

The reader of its configurations finds these: each is about lines, of which the model has only what they come to.
"""

from __future__ import annotations

from rocecfg.rules.base import ERROR, WARNING, Rule, running_rule

_GUIDE = "NX-OS QoS guide 9.3(x)"

RULES: tuple[Rule, ...] = (
    running_rule(
        "NXO801",
        "nxos-network-qos",
        ERROR,
        "NX-OS: a network-qos policy with no-drop classes is not bound below system qos.",
        source=f"{_GUIDE}, network-qos: bound to system qos alone; without it the default policy has no no-drop class",
    ),
    running_rule(
        "NXO802",
        "nxos-pfc-auto",
        ERROR,
        "NX-OS: a port sorts into a no-drop class with PFC in mode auto, which needs DCBX.",
        source=f"{_GUIDE}, priority-flow-control mode; batfish/batfish cba18733: auto is the default",
    ),
    running_rule(
        "NXO803",
        "nxos-watchdog-half",
        ERROR,
        "NX-OS: the watchdog is on at ports and off for the switch, or the reverse.",
        source=f"{_GUIDE}, PFC watchdog: on globally and on each port",
    ),
    running_rule(
        "NXO804",
        "nxos-class-mtu",
        ERROR,
        "NX-OS: a no-drop class has a smaller MTU than its ports.",
        source="Cisco-NX-OS-device.yang 9.3(1): mtu of a network-qos class, 1500 by default",
    ),
    running_rule(
        "NXO805",
        "nxos-match-all",
        WARNING,
        "NX-OS: a match-all class with several kinds of match takes what any of them fits.",
        source="NX-OS QoS guide 7.x of Nexus 9000: match-all works as match-any",
    ),
    running_rule(
        "NXO806",
        "nxos-override",
        ERROR,
        "NX-OS: PFC is turned off for all ports.",
        source="NX-OS command reference 9.3(x), priority-flow-control override-interface mode off",
    ),
    running_rule(
        "NXO807",
        "nxos-send-tlv",
        WARNING,
        "NX-OS: ports announce PFC by LLDP, which is not on.",
        source="NX-OS command reference 9.3(x), priority-flow-control mode on send-tlv; feature lldp",
    ),
    running_rule(
        "NXO808",
        "nxos-pfc-cos",
        WARNING,
        "NX-OS: a no-drop class pauses another priority than the number of its qos-group.",
        source="NX-OS QoS guide 10.6(x), network-qos: CoS and qos-group of a no-drop class are to be equal",
    ),
    running_rule(
        "NXO809",
        "nxos-empty-class",
        ERROR,
        "NX-OS: a class of a policy in use matches nothing.",
        source=f"{_GUIDE}, class-map: a class takes what one of its match lines fits",
    ),
    running_rule(
        "NXO810",
        "nxos-no-share",
        ERROR,
        "NX-OS: a queue that packets are sorted into gets no bandwidth.",
        source=f"{_GUIDE}, bandwidth remaining percent: a share of what strict queues leave; 0 is none",
    ),
    running_rule(
        "NXO811",
        "nxos-untagged",
        ERROR,
        "NX-OS: a port sorts by CoS, and is an access port, whose packets have no tag.",
        source="IEEE 802.1Q: the priority is in the tag; Azure/AzureLocal-Supportability 2f67159f has trunks",
    ),
    running_rule(
        "NXO812",
        "nxos-watchdog-logs",
        ERROR,
        "NX-OS: the watchdog of a port only writes a log, and ends no pause storm.",
        source="NX-OS command reference 9.3(x), watch-dog-interval on disable-action; model leaf disableAction",
    ),
    running_rule(
        "NXO813",
        "nxos-pause-receive",
        ERROR,
        "NX-OS: a no-drop class obeys pauses and sends none.",
        source="NX-OS command reference 9.3(x), pause pfc-cos receive",
    ),
)
