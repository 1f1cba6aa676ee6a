"""What numbers of the model come to, worked out once for each distinct kind of device and port."""

from __future__ import annotations

from collections.abc import Callable

from rocecfg.core.records import NamedTuple
from rocecfg.model import AUTO, Headroom, Origin, Pools, PortGroup, TrafficClass
from rocecfg.model.frozen import replace
from rocecfg.sizing.chip import Chip

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded where there is a chip: a policy may need none of it
    from typing import Any

    from rocecfg.sizing.marking import Aims


class Sized(NamedTuple):
    """What a lossless priority group of a port gets."""

    room: Headroom | None
    alpha: float | None
    alpha_at: Origin | None


def _size_pools(chip: Chip) -> Pools:
    from rocecfg.sizing.pools import size_pools

    return size_pools(chip)


NOTHING = Sized(None, None, None)


class Sizes:
    """The numbers of devices with one chip, box, release and buffers; what their ports share is worked out once."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        # of a policy for no chip and no system nothing is known but what it states
        self._bare = chip.asic is None and chip.nos is None
        self.pools = Pools() if self._bare else _size_pools(chip)
        self._ports: dict[tuple[Any, ...], Sized] = {}
        self._classes: dict[tuple[Any, ...], tuple[TrafficClass, TrafficClass]] = {}

    def size_port(
        self, speed: int | None, cable: float | None, mtu: int | None, stated: Headroom | str | None
    ) -> Sized:
        """Headroom and alpha of a lossless priority group on such ports."""
        if self._bare:
            at = self.chip.buffers.origins.get("alpha")
            return Sized(stated if isinstance(stated, Headroom) else None, self.chip.buffers.alpha, at)
        key = (speed, cable, mtu, stated)
        known = self._ports.get(key)
        if known is None:
            from rocecfg.sizing.headroom import size_headroom
            from rocecfg.sizing.pools import find_alpha

            got, row = size_headroom(self.chip, speed, cable, mtu, stated)
            table = self.chip.box.headroom if self.chip.box is not None else None
            known = self._ports[key] = Sized(got, *find_alpha(self.chip, table, row))
        # equal sizes may be stated in several places: each port keeps its own
        return known._replace(room=stated) if isinstance(stated, Headroom) else known

    def size_curves(self, cls: TrafficClass, ports: list[PortGroup], aims: Callable[[], Aims]) -> TrafficClass:
        """A class with `ecn: auto`, and what that is on ports of each speed there is; itself where nobody can know."""
        crossed = [p for p in ports if cls.name in p.classes and p.speed is not None]
        return self._size_curves(cls, crossed, ports, aims)

    def size_overrides(self, ports: list[PortGroup], aims: Callable[[], Aims]) -> list[PortGroup]:
        """The ports, with `ecn: auto` that is stated for some of them worked out."""
        return [
            replace(port, overrides=tuple(self._size_curves(c, [port], ports, aims) for c in port.overrides))
            if port.speed is not None and any(c.ecn == AUTO for c in port.overrides)
            else port
            for port in ports
        ]

    def _size_curves(
        self, cls: TrafficClass, crossed: list[PortGroup], ports: list[PortGroup], aims: Callable[[], Aims]
    ) -> TrafficClass:
        asic = self.chip.asic
        if cls.ecn != AUTO or asic is None or not crossed:
            return cls
        sharing = sum(len(p.names) for p in ports if p.pfc)
        kinds = tuple(dict.fromkeys((p.speed, p.alpha, p.cable, p.mtu) for p in crossed))
        key = (id(cls), kinds, sharing)
        known = self._classes.get(key)
        if known is None:
            from rocecfg.sizing.marking import find_curve, find_limits

            asked = aims()
            curves = []
            for speed in sorted({p.speed for p in crossed if p.speed is not None}):
                same = [p for p in crossed if p.speed == speed]
                tightest = min(same, key=lambda p: p.alpha if p.alpha is not None else 0)
                longest = max((p.cable for p in same if p.cable is not None), default=None)
                count = sharing or (asic.capacity // speed if asic.capacity is not None else None)
                alpha = tightest.alpha if cls.lossless else None  # PFC bounds no lossy queue
                bounds = find_limits(self.pools.lossless, alpha, count, speed, longest, asked)
                facts = (self.pools.at("lossless"), tightest.at("alpha"))
                mtu = max((p.mtu for p in same if p.mtu is not None), default=None)
                curves.append((speed, find_curve(asked, asic, mtu, speed, bounds, cls.at("ecn"), facts)))
            # the class goes in too: while it lives nothing else has its id
            known = self._classes[key] = cls, replace(cls, ecn_by_speed=tuple(curves))
        return known[1]
