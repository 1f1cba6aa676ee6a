"""How a change is brought to SONiC: in parts, in the planner's order, saved once (sonic-utilities).

What a step disturbs depends on the fields that it changes, and on whether apply-patch shuts a port for them, which
`change.steps` knows.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS
from rocecfg.vendors.procedure import Effect, Procedure, Save
from rocecfg.vendors.sonic import commands
from rocecfg.vendors.sonic.release import FIRST_PATCHED, MASTER, release_of

_COPY = "/etc/sonic/config_db.{label}.json"
_RELOAD = "sudo config reload -y"
_OF_BUFFERS = (
    "BUFFER_POOL|BUFFER_PROFILE|BUFFER_PG|BUFFER_QUEUE|CABLE_LENGTH|DEFAULT_LOSSLESS_BUFFER_PARAMETER|"
    "LOSSLESS_TRAFFIC_PATTERN"
)
_OF_PAUSES = "TC_TO_PRIORITY_GROUP_MAP|MAP_PFC_PRIORITY_TO_QUEUE|PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"
_QUIET = (
    "DSCP_TO_TC_MAP|DOT1P_TO_TC_MAP|TC_TO_QUEUE_MAP|SCHEDULER|WRED_PROFILE|QUEUE|PFC_WD|SWITCH_TRIMMING|"
    "FLEX_COUNTER_TABLE"
)
EFFECTS = (  # of fields: /TABLE/row/field
    Effect(
        rf"/(?:{_OF_BUFFERS}|{_OF_PAUSES})(?:/|$)|/PORT/[^/]+/mtu$|"
        r"/PORT_QOS_MAP/[^/]+/(?:pfc_enable|tc_to_pg_map|pfc_to_queue_map|pfc_to_pg_map)$",
        BRIEF_PAUSE,
        "buffers and PFC change under traffic, and packets may be lost for a moment: use a window",
        "sonic-swss orchagent/bufferorch.cpp and qosorch.cpp: objects of queues and ports are written again (inferred)",
    ),
    Effect(
        rf"/(?:{_QUIET})(?:/|$)|/PORT_QOS_MAP(?:/[^/]+(?:/(?:dscp_to_tc_map|dot1p_to_tc_map|tc_to_queue_map|"
        r"pfcwd_sw_enable))?)?$|/DEVICE_METADATA/localhost/default_pfcwd_status$",
        HITLESS,
        "takes effect while traffic runs",
        "sonic-swss orchagent/qosorch.cpp and pfcwdorch.cpp: attributes are set in place, and no port is shut "
        "(inferred)",
    ),
)
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
        "nothing was saved: fix it and run this again. Ports may be down and the watchdog stopped. To roll back, "
        "with all links down: sudo config reload -y",
    ),
    aside=(f"sudo config save -y {_COPY}",),
    drain=("sudo config bgp shutdown all",),
    undrain=("sudo config bgp startup all",),
    back=(f"sudo cp {_COPY} /etc/sonic/config_db.json", _RELOAD),
    back_note=(
        "config reload restarts the services of the switch: its links go down, so drain it first. From 202505 on, "
        "YANG validates a file given by name, but not config_db.json"
    ),
    effects=EFFECTS,
)


def procedure_of(device: Device) -> Procedure:
    """By release: master validates /etc/sonic/config_db.json too, unless it is forced (config/main.py, reload)."""
    release = release_of(device).number
    back = (*PROCEDURE.back[:-1], f"{_RELOAD} -f") if release >= MASTER else PROCEDURE.back
    # each move of a patch must leave a configuration that YANG takes (generic_config_updater, FullConfigMoveValidator)
    validating = "config apply-patch and config rollback" if release >= FIRST_PATCHED else ""
    return PROCEDURE._replace(back=back, validating=validating)
