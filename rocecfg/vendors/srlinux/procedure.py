"""How a change is brought to SR Linux: one commit, confirmed, then saved; a checkpoint is what one returns to.

Commands are those of Nokia's NAPALM driver, of containerlab and of learn.srlinux.dev (srl-labs/learn-srlinux 84c9427d).
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP
from rocecfg.vendors.procedure import LINES, Effect, Procedure, Save

VERIFY = (
    "info from state / qos interfaces interface * pfc",
    "info from state / qos interfaces interface * output queues",
    "info from state / qos linecard 1 forwarding-complex 0 input",
    "info / qos pfc-mapping-profile *",
)
_MINUTES = 5
_QOS = r"(?:set|delete) / qos "
_BGP = "set / network-instance default protocols bgp admin-state"
_NO_PAGE = "no page of Nokia's says what it disturbs on a port that is up"
EFFECTS = (
    Effect(
        rf"{_QOS}(?:pfc-mapping-profile \S+ received-pfc-pause-frames deadlock|explicit-congestion-notification)",
        HITLESS,
        "takes effect at commit, without touching queues or buffers",
        "srl_nokia-qos: timers and marking, no queue, no buffer (inferred)",
    ),
    Effect(
        rf"{_QOS}(?:pfc-mapping-profile|queues|forwarding-classes|buffer-management buffer-allocation-profile|linecard|"
        r"interfaces interface \S+ (?:pfc|input pfc-buffer-allocation-profile|output buffer-allocation-profile))\b|"
        r"delete / qos (?:buffer-management|interfaces(?: interface \S+(?: input| output)?)?)$|"  # with what is in it
        r"(?:set|delete) / interface \S+ (?:mtu|ethernet)\b",
        PORT_FLAP,
        f"{_NO_PAGE}: PFC, buffers and MTU may stop a port for a time; drain the switch first if jobs run",
        _NO_PAGE,
    ),
    Effect(
        rf"{_QOS}(?:classifiers|buffer-management|scheduler-policies|rewrite-rules|interfaces)\b|"
        r"(?:set|delete) / interface \S+ subinterface ",
        BRIEF_PAUSE,
        "classification, marking and scheduling change at commit; how long a port is disturbed is not documented: use "
        "a window",
        _NO_PAGE,
    ),
)
PROCEDURE = Procedure(
    title="One commit",
    load=("enter candidate private", LINES),
    show=("diff /", "commit validate"),
    commit=(f"commit confirmed timeout {_MINUTES * 60}",),
    minutes=_MINUTES,
    confirm=("tools system configuration confirmed-accept",),
    save=Save(
        ("save startup",),
        "Until then, a reboot brings back the configuration that was saved last.",
        "it rolls back by itself unless confirmed",
    ),
    aside=("tools system configuration generate-checkpoint name {label}",),
    drain=("enter candidate private", f"{_BGP} disable", "commit now"),
    undrain=("enter candidate private", f"{_BGP} enable", "commit now"),
    back=("tools system configuration checkpoint {label} revert", "save startup"),
    back_note=f"revert commits by itself; until it is confirmed, waiting {_MINUTES} minutes also rolls back",
    effects=EFFECTS,
    copy="scp FILE SWITCH:/tmp/",
    load_file=("enter candidate private", "source /tmp/FILE"),
)


def procedure_of(device: Device) -> Procedure:  # noqa: ARG001 - as of every system
    """The same for all releases."""
    return PROCEDURE
