"""The timers of the PFC watchdog that a system takes by itself."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Nos
from rocecfg.physics.watchdog import stock_timers
from rocecfg.profiles import value_in_release

_UNCAPPED = "by ports"


class OwnTimers(NamedTuple):
    """A system's own timers, ms."""

    detection: float
    restoration: float | None  # None: not known
    poll: float | None
    source: str
    by_ports: bool  # they grow with the number of ports


def possible_timers(nos: Nos | None, version: str | None, ports: int) -> tuple[OwnTimers, ...]:
    """All that a watchdog left to the system may have: where timers grow with ports, only those in use may be counted.

    Source: sonic-utilities, pfcwd/main.py, counted every port of the switch and now counts those with PFC.
    """
    if nos is None or not nos.stock_timers:
        own = own_timers(nos, version, ports)
        return () if own is None else (own,)
    known = (own_timers(nos, version, used) for used in range(1, ports + 1))
    return tuple(dict.fromkeys(own for own in known if own is not None))


def own_timers(nos: Nos | None, version: str | None, ports: int) -> OwnTimers | None:
    """What a watchdog left to the system takes on a switch with so many ports; None where that is not known.

    `version`: the release, the profile's default where None; one that nobody can place counts as new. `ports` may be 0:
    then timers that grow with it are not known.
    """
    if nos is None:
        return None
    if nos.stock_timers:
        if not ports:
            return None
        growth = value_in_release(nos.stock_timers, nos.name, version or nos.default_release)
        time, poll = stock_timers(ports, capped=growth != _UNCAPPED)
        return OwnTimers(time, time, poll, nos.sources["stock_timers"], by_ports=True)
    own = nos.stock_watchdog
    if "detection" not in own:
        return None
    source = nos.sources["stock_watchdog"]
    return OwnTimers(own["detection"], own.get("restoration"), own.get("poll"), source, by_ports=False)
