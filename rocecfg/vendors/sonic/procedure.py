"""How a change is brought to SONiC: in parts, in the planner's order, saved once (sonic-utilities).

What a step disturbs depends on the rows that it changes: `change.steps` says it.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.procedure import Procedure, Save
from rocecfg.vendors.sonic import commands
from rocecfg.vendors.sonic.change.steps import FIRST_RELEASE
from rocecfg.vendors.sonic.release import MASTER, release_of

_COPY = "/etc/sonic/config_db.{label}.json"
_RELOAD = "sudo config reload -y"
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
    back=(f"sudo cp {_COPY} /etc/sonic/config_db.json", _RELOAD),
    back_note="config reload restarts the services of the switch: its links go down, so drain it first. A file that is "
    "named to it is validated by YANG from 202505 on, config_db.json is not",
)


def procedure_of(device: Device) -> Procedure:
    """By release: master validates /etc/sonic/config_db.json too, unless it is forced (config/main.py, reload)."""
    release = release_of(device).number
    back = (*PROCEDURE.back[:-1], f"{_RELOAD} -f") if release >= MASTER else PROCEDURE.back
    # each move of a patch must leave a configuration that YANG takes (generic_config_updater, FullConfigMoveValidator)
    validating = "config apply-patch and config rollback" if release >= FIRST_RELEASE else ""
    return PROCEDURE._replace(back=back, validating=validating)
