"""Where marking curves stand: once for a class, by port speed, and on a switch or port only where that differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import parse_rate
from rocecfg.importing.format import Mapped
from rocecfg.model.stated import OFF
from rocecfg.source.write import Value

Curve = Mapped | str | None  # auto: marked, at thresholds that are not known; None: not marked


class Marked(NamedTuple):
    """Ports of one speed (None: not known) that a class crosses, and its curve there."""

    speed: str | None
    curve: Curve
    weight: int  # how many ports


class Curves(NamedTuple):
    """A class's marking: the curve on ports of these speeds, and on those of any other."""

    main: Curve = None
    by_speed: tuple[tuple[str, Mapped], ...] = ()

    def at(self, speed: str | None) -> Curve:
        """The curve on ports of that speed."""
        return dict(self.by_speed).get(speed or "", self.main)

    def text(self) -> Value:
        """As an intent has it: off, a curve, curves by speed."""
        if not self.by_speed:
            return self.main if self.main is not None else OFF
        main = self.main if isinstance(self.main, Mapped) else {}
        return {**main, "by_speed": {speed: dict(curve) for speed, curve in self.by_speed}}


class PlacedCurves(NamedTuple):
    """Where the curves of a class stand; None: what is wider holds."""

    top: Curves
    switches: tuple[Curves | None, ...]
    ports: tuple[tuple[Curves | None, ...], ...]


def place_curves(switches: Sequence[Sequence[Marked | None]], *, shared: bool) -> PlacedCurves:
    """Place the curves of a class. `switches`: the ports of each, None where the class does not cross them.

    `shared`: the class is said once for all switches, not on each that has it.
    """
    crossed = [[port for port in ports if port is not None] for ports in switches]
    top = _find_usual(port for ports in crossed for port in ports) if shared else Curves()
    own: list[Curves | None] = []
    rest: list[tuple[Curves | None, ...]] = []
    for ports, all_ports in zip(crossed, switches, strict=True):
        usual = _find_usual(ports)
        here = usual if _count_differing(ports, usual) < _count_differing(ports, top) else None
        own.append(here)
        held = here if here is not None else top
        rest.append(tuple(None if p is None or held.at(p.speed) == p.curve else Curves(p.curve) for p in all_ports))
    return PlacedCurves(top, tuple(own), tuple(rest))


def _count_differing(ports: Iterable[Marked], curves: Curves) -> int:
    return sum(p.weight for p in ports if curves.at(p.speed) != p.curve)


def _find_usual(ports: Iterable[Marked]) -> Curves:
    """The curves that most ports of each speed have."""
    counted: dict[str | None, Counter[Curve]] = defaultdict(Counter)
    for speed, curve, weight in ports:
        counted[speed][curve] += weight
    usual = {speed: votes.most_common(1)[0][0] for speed, votes in counted.items()}
    weights: Counter[Curve] = Counter()
    for speed, curve in usual.items():
        weights[curve] += counted[speed].total()
    if None in usual:  # ports of no known speed can only have what holds for any
        main = usual[None]
    elif None in weights:  # by_speed has no word for off
        main = None
    else:
        main = _choose_main(usual, weights)
    if isinstance(main, str):  # nothing stands beside auto
        return Curves(main)
    named = {s: curve for s, curve in usual.items() if s is not None and isinstance(curve, Mapped) and curve != main}
    return Curves(main, tuple((speed, named[speed]) for speed in sorted(named, key=parse_rate)))


def _choose_main(usual: Mapping[str | None, Curve], weights: Counter[Curve]) -> Curve:
    """The curve of most ports; of equally many, that of the slower ones."""
    speeds = sorted((speed for speed in usual if speed is not None), key=parse_rate)
    return max((usual[speed] for speed in speeds), key=lambda curve: weights[curve], default=None)
