"""The PFC watchdog of a port: its own timers and action, else the switch's, else those of EOS."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rocecfg.model import Span
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.vendors.arista.reading.commands import ITSELF, REFUSED
from rocecfg.vendors.arista.reading.parse import State

_ACTIONS = {"drop": "drop", "notify-only": "alert", "errdisable": "errdisable"}
_TIMES = {"detection_time": "timeout", "restoration_time": "recovery", "poll_interval": "polling"}


def watchdog(own: State, globals_: State, pfc: Iterable[int], at: Span) -> Val:
    """The watchdog of a port with PFC on the priorities `pfc`. `own`: the port's settings, with its profile's.

    It is on unless `no priority-flow-control pause watchdog` is said. Where neither times nor action are said it is
    the vendor's default: EOS's own times are not published.
    """
    on = own.get("watchdog")
    if on is not None and on.value is False:
        return Val(OFF, on.at)
    given = {key: own.get(name) or globals_.get(name) for key, name in _TIMES.items()}
    action = _action(own, globals_)
    at = on.at if on is not None else at
    if action is None and all(val is None for val in given.values()):
        return Val("vendor-default", at)
    section: Section = {key: _time(val, at) for key, val in given.items()}
    section["action"] = action if action is not None else Val("errdisable", at)  # what EOS does unless told
    section["priorities"] = Val([Val(priority, at) for priority in pfc], at)
    return Val(section, at)


def _action(own: State, globals_: State) -> Val | None:
    override = globals_.get("override")
    if override is not None:
        return Val("drop", override.at)
    given = own.get("action") or globals_.get("action")
    return None if given is None else Val(_ACTIONS[given.value], given.at)


def _time(given: Val | None, at: Span) -> Val:
    """Seconds as ms; None where EOS's own time holds."""
    if given is None or given.value == ITSELF:
        return Val(None, given.at if given is not None else at)
    return Val(MISSING if given.value == REFUSED else _milliseconds(given.value), given.at)


def _milliseconds(seconds: float) -> Any:
    ms = round(seconds * 1000, 6)
    return int(ms) if ms == int(ms) else ms
