"""The PFC watchdog that rocecfg would set: timers by tier, so that storms end where they begin."""

from __future__ import annotations

from rocecfg.advice.kinds import Kind
from rocecfg.advice.setting import Setting
from rocecfg.model import Default
from rocecfg.physics.watchdog import usual_restoration, window

_POLL = 100  # ms, the shortest that SONiC and NVUE take
_STEP = 200  # ms, SONiC's own detection time on up to 32 ports
_TIERS = {"spine": 1, "superspine": 2}
_POLL_AT = Default("100 ms, the shortest poll interval that SONiC and NVUE take")
_STEP_AT = Default("200 ms, SONiC's own detection time on up to 32 ports (sonic-utilities, pfcwd start_default)")
_TWICE_AT = Default("sonic-utilities, pfcwd start: the restoration time is twice the detection time")


def watchdog(kind: Kind) -> tuple[Setting, ...]:
    """State, detection time, restoration time, poll interval and action. Times are in ms."""
    tier = _TIERS.get(kind.device.role or "", 0)
    detection, why = _detection(tier)
    restoration = usual_restoration(detection, _POLL)
    now = kind.port.watchdog
    at = kind.port.at("watchdog") if now is not None or "watchdog" in kind.port.origins else None
    state = "off" if now is None else "vendor-default" if now.vendor_default else "on"
    if now is None or now.vendor_default:
        timers: tuple[float | None, ...] = (None, None, None)
        action, places = None, (at,) * 4
    else:
        timers, action = (now.detection, now.restoration, now.poll), now.action
        places = (now.at("detection"), now.at("restoration"), now.at("poll"), now.at("action"))
    return (
        Setting("watchdog", state, at, "on", "one NIC that never stops pausing freezes every queue behind it"),
        Setting("watchdog_detection_ms", timers[0], places[0], detection, why, (_STEP_AT, _POLL_AT)),
        Setting(
            "watchdog_restoration_ms",
            timers[1],
            places[1],
            restoration,
            f"twice the detection time: 2 x {detection} ms",
            (_TWICE_AT,),
        ),
        Setting("watchdog_poll_ms", timers[2], places[2], _POLL, "the shortest: storms are seen soonest", (_POLL_AT,)),
        Setting("watchdog_action", action, places[3], "drop", "the only action that ends a storm on every system"),
    )


def _detection(tier: int) -> tuple[int, str]:
    """The detection time of a tier, 0 at the hosts, and its working."""
    time = _STEP
    why = f"acts within {window(time, _POLL)[1]:g} ms"
    for _ in range(tier):
        below = window(time, _POLL)[1]
        time = (int(below) // _STEP + 1) * _STEP
        why = f"the next {_STEP} ms step above {below:g} ms, by when the tier below has acted"
    return time, why
