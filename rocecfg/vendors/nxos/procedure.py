"""How a change is brought to NX-OS: line by line, after a checkpoint, which is what a rollback returns to.

Lines take effect as they are typed. `network-qos` carves the buffers again, so the switch is drained first.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP
from rocecfg.vendors.procedure import LINES, Effect, Procedure, Save

SAVE = "copy running-config startup-config"
VERIFY = (
    "show policy-map system type network-qos",
    "show queuing interface ethernet 1/1",
    "show interface priority-flow-control",
    "show queuing pfc-queue",
    "show running-config ipqos",
)
_GUIDE = "NX-OS QoS guide"
EFFECTS = (
    Effect(
        r"(?:no )?(?:priority-flow-control watch-dog|feature lldp)",
        HITLESS,
        "takes effect at once, without touching queues or buffers",
        f"{_GUIDE} 10.5(x), PFC watchdog: polls queues (inferred)",
    ),
    Effect(
        r"(?:no )?priority-flow-control mode",
        BRIEF_PAUSE,
        "PFC on a port changes at once, and does not take the port down",
        f"{_GUIDE} 9.3(x): turning PFC on does not flap the port",
    ),
    Effect(
        r"(?:no )?(?:class-map type qos|policy-map type qos|match |class (?!type)|"
        r"set (?:qos-group|dscp|cos|precedence)|service-policy type qos|system qos)",
        BRIEF_PAUSE,
        "classification changes at once; how long a port is disturbed is not documented: use a window",
        f"{_GUIDE} 9.3(x): documents no disruption for policies of type qos",
    ),
    Effect(
        r"(?:no )?priority-flow-control override-interface",
        PORT_FLAP,
        "PFC changes on all ports at once, and buffers are set aside for it: drain the switch first",
        f"{_GUIDE} 10.x: buffers of no-drop classes are taken when PFC comes on (inferred)",
    ),
    Effect(
        r"(?:no )?flowcontrol",
        PORT_FLAP,
        "802.3x pause of a port changes; whether its link goes down for it is not documented: drain the port first",
        f"{_GUIDE} 9.3(x): documents no disruption for flowcontrol (assumed)",
    ),
    Effect(
        "",
        PORT_FLAP,
        "a queuing policy that changes loses packets on all ports, and network-qos carves the buffers again, with "
        "drops on any port: drain the switch first",
        f"{_GUIDE} 9.3(x), queuing; Azure/AzureLocal-Supportability 2f67159f: a class MTU starts buffer carving",
    ),
)
PROCEDURE = Procedure(
    title="One script",
    load=("configure terminal", LINES, "end"),
    show=(),
    commit=(),
    minutes=0,
    confirm=(),
    save=Save(
        (SAVE,),
        "Until then a reload restores the saved configuration.",
        "nothing was saved: a reload restores the saved configuration",
    ),
    aside=("checkpoint {label}",),
    drain=("configure terminal", "system mode maintenance", "end"),
    undrain=("configure terminal", "no system mode maintenance", "end"),
    back=("rollback running-config checkpoint {label}", SAVE),
    back_note="a rollback types what differs line by line, so it disturbs as the change did",
    effects=EFFECTS,
    copy="scp FILE SWITCH:bootflash:",
    load_file=("copy bootflash:FILE running-config",),
)


def procedure_of(device: Device) -> Procedure:  # noqa: ARG001 - as of every system
    """The same for all releases."""
    return PROCEDURE
