"""How a change is brought to EOS: one configuration session, committed with a timer, confirmed, saved apart.

What is typed is in the running-config once it is confirmed, `quiesce` of maintenance mode too; a reload starts with
the startup-config. So the copy to it is made once, after traffic is back.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.changes import HITLESS, PORT_FLAP
from rocecfg.vendors.procedure import LINES, Effect, Procedure, Save

SESSION = "configure session roce"
SHOW_DIFFS = "show session-config diffs"
SAVE = "copy running-config startup-config"
VERIFY = (  # shows PFC, its watchdog, ECN and queues as they work
    "show priority-flow-control",
    "show priority-flow-control counters",
    "show priority-flow-control counters watchdog",
    "show qos interfaces ecn counters queue",
    "show interfaces counters queue detail",
)
_MINUTES = 5
TIMER = f"commit timer 00:{_MINUTES:02}:00"
_UNIT = ("configure", "maintenance", "unit System")
_MANUAL = "Arista EOS manual"
EFFECTS = (
    Effect(
        r"(?:(?:no|default) )?(?:priority-flow-control pause watchdog (?:default|action|override|port)|"
        r"random-detect ecn count|hardware counter|errdisable recovery)\b",
        HITLESS,
        "takes effect at commit, without touching queues or buffers",
        f"{_MANUAL}, counters and the watchdog's times: no queue, no buffer (inferred)",
    ),
    Effect(
        "",
        PORT_FLAP,
        "maps, queues, PFC and buffers change at commit for all traffic, and changes that others make while the "
        "session is open are overwritten; whether ports flap is not documented: drain them first if jobs run",
        f"{_MANUAL}: documents no disruption for commands on queues, maps, PFC or buffers; Configure Session: a "
        "commit overwrites other changes made since the session was created",
    ),
)
# Neither in the manual, in AVD nor in a `show running-config all`: the tests' table of printed commands.
UNCHECKED = (
    r"(?:no|default) priority-flow-control pause watchdog$|no priority-flow-control pause watchdog (?:default|action)\b"
    r"|no random-detect ecn count$|default priority$|no qos (?:rewrite dscp|profile \S+)$"
)
PROCEDURE = Procedure(
    title="One session",
    load=(SESSION, LINES),
    show=(SHOW_DIFFS,),
    commit=(TIMER,),
    minutes=_MINUTES,
    confirm=(f"{SESSION} commit",),
    save=Save(
        (SAVE,),
        "Until then a reboot restores the saved configuration.",
        "nothing was saved: it rolls back by itself unless confirmed",
    ),
    aside=("configure checkpoint save {label}",),
    drain=(*_UNIT, "quiesce", "end", "show maintenance"),
    undrain=(*_UNIT, "no quiesce", "end", "show maintenance"),
    back=("configure replace checkpoint:{label}", SAVE),  # as Arista's own test tool: aristanetworks/vane 4b36c5ce
    back_note=(
        f"while the commit timer runs, {SESSION} abort also rolls back, and so does waiting. The checkpoint takes "
        "effect at once; Arista's test tool types these commands (aristanetworks/vane), no page of its manual was "
        "found: try one first"
    ),
    effects=EFFECTS,
    unchecked=UNCHECKED,
    copy="scp FILE SWITCH:/mnt/flash/",
    load_file=(SESSION, "copy flash:FILE session-config"),  # as Arista's own tools: aristanetworks/anta 2c1b884e
)


def procedure_of(device: Device) -> Procedure:  # noqa: ARG001 - as of every system
    """The same for all releases."""
    return PROCEDURE
