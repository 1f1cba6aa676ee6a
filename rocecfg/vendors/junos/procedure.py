"""How a change is brought to Junos: one commit, confirmed. What is committed is what the switch starts with."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP
from rocecfg.vendors.procedure import LINES, Effect, Procedure, Save

VERIFY = (
    "show class-of-service forwarding-class",
    "show class-of-service congestion-notification",
    "show class-of-service interface",
    "show class-of-service shared-buffer",
    "show interfaces queue",
)
_MINUTES = 5
# activate takes the tag `inactive:` back: Juniper, en_US/junos13.2/topics/reference/command-summary/activate.html
_COS = r"(?:set|delete|activate) class-of-service "
_TOPICS = "Juniper, Traffic Management User Guide for QFX"
EFFECTS = (
    Effect(
        rf"{_COS}congestion-notification-profile \S+ pfc-watchdog",
        HITLESS,
        "takes effect at commit, without touching queues or buffers",
        f"{_TOPICS}, pfc-watchdog: polls queues, no queue, no buffer (inferred)",
    ),
    Effect(
        rf"{_COS}(?:congestion-notification-profile |shared-buffer|dedicated-buffer|forwarding-classes|"
        r"interfaces \S+ (?:congestion-notification|dedicated-buffer)-profile)|(?:set|delete|activate) interfaces \S+ "
        "(?:mtu|ether-options|gigether-options|aggregated-ether-options)",
        PORT_FLAP,
        "a PFC change blocks the port and drops packets of all its queues until it is done; a buffer change stops "
        "traffic on all ports (Juniper): drain the switch first if jobs run",
        f"{_TOPICS}, congestion-notification-profile and shared-buffer: the notes on disruption",
    ),
    Effect(
        rf"{_COS}(?:classifiers|code-point-aliases|drop-profiles|scheduler-maps|schedulers|rewrite-rules|"
        r"traffic-control-profiles|forwarding-class-sets|forwarding-policy|interfaces)\b|"
        r"(?:set|delete|activate) (?:forwarding-options|protocols dcbx)\b",
        BRIEF_PAUSE,
        "classification and scheduling change at commit; how long a port is disturbed is not documented: use a window",
        f"{_TOPICS}: documents no disruption for classifiers, schedulers and drop profiles",
    ),
)
PROCEDURE = Procedure(
    title="One commit",
    load=("configure exclusive", "load set terminal", f"{LINES}, then Ctrl-D"),
    show=("show | compare", "commit check"),
    commit=(f"commit confirmed {_MINUTES}",),
    minutes=_MINUTES,
    confirm=("commit",),
    save=Save(
        (),
        "Nothing to save: Junos boots with the last commit.",
        "it rolls back by itself unless confirmed",
    ),
    aside=("show configuration | save {label}.conf",),
    drain=(
        "configure exclusive",
        "set protocols bgp graceful-shutdown sender local-preference 0",
        "commit and-quit",
    ),
    undrain=("configure exclusive", "delete protocols bgp graceful-shutdown", "commit and-quit"),
    back=("configure exclusive", "load override {label}.conf", "commit"),
    back_note=(
        f"until a second commit confirms it, waiting {_MINUTES} minutes also rolls back; after load override all "
        "processes read the configuration again (Juniper)"
    ),
    effects=EFFECTS,
    copy="scp FILE SWITCH:/var/tmp/",
    load_file=("configure exclusive", "load set /var/tmp/FILE"),
)


def procedure_of(device: Device) -> Procedure:  # noqa: ARG001 - as of every system
    """The same for all releases; the change as set and delete lines."""
    return PROCEDURE
