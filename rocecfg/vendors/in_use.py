"""Whether a port of a running configuration is up, and anything is set for its traffic."""

from __future__ import annotations

from rocecfg.model.switch import Port, Switch


def is_in_use(port: Port, switch: Switch) -> bool:
    """Whether a port is up, and switched, routed, in a LAG or lossless because its configuration says so.

    A port of SONiC is down unless it is said to be up. What has PFC from a profile of all ports (NVUE) is in use where
    it is told to be up, or has a profile of its own.
    """
    running, kind = port.running, switch.running.kind
    up = running.up if running is not None else None
    faces = port.section.get("faces")
    by_silence = up is None and kind == "config_db" and switch.running.whole
    if up is False or by_silence or (faces is not None and faces.value == "management"):
        return False
    layer = port.section.get("layer")
    # EOS: a port that nothing is said of is switched, or as a statement before all interfaces has it
    linked = layer is not None and (kind != "eos" or layer.at.start > port.at.start)
    bound = running is not None and bool(running.maps)
    paused = bool(port.pfc) and (kind != "nvue" or up is True)
    return linked or bound or paused or "lag" in port.section
