"""How a change is brought to SONiC: in parts, in the planner's order, saved once (sonic-utilities).

What a step disturbs depends on the rows that it changes: `change.steps` says it.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.procedure import Procedure, Save
from rocecfg.vendors.sonic import commands

_COPY = "/etc/sonic/config_db.{label}.json"
PROCEDURE = Procedure(
    title="",
    load=("sudo config load -y FILE",),
    show=(),
    commit=(),
    minutes=0,
    confirm=(),
    save=Save(
        (commands.SAVE,),
        "Until then a reboot brings back the whole of what was saved before.",
        "nothing was saved: fix it and run this again. Ports may be down and the watchdog stopped; back, with all "
        "links down: sudo config reload -y",
    ),
    aside=(f"sudo config save -y {_COPY}",),
    drain=("sudo config bgp shutdown all",),
    undrain=("sudo config bgp startup all",),
    back=(f"sudo config reload -y {_COPY}", commands.SAVE),
    back_note="config reload restarts the services of the switch: its links go down, so drain it first",
)


def procedure_of(device: Device) -> Procedure:  # noqa: ARG001 - as of every system
    """The same for all releases."""
    return PROCEDURE
