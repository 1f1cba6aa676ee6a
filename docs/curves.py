"""Write profiles/curves: the marking curve of each chip, port speed and range of incast that `ecn: auto` renders.

    nice python docs/curves.py

Every curve of a grid is put through the model with chance (`rocecfg.physics.dcqcn_random`) under 4, 16, 64 and 256
senders, with the paper's parameters, 4096 B packets and 50 us from a mark to the cut. Thresholds of the grid are KB per
Gbit/s, so chips share its runs. Of the curves that keep the bounds before PFC on a chip all of whose ports are lossless
at that speed (`rocecfg.physics.ecn`, with the tightest alpha that the chip's tables give), and whose pmax holds the
range's senders, those serve that use the link as well as the best of them does, within what `rocecfg advise` calls a
loss; of these the one behind which 99 % of the packets wait least, in the mean over the range. Senders that no curve
holds (256 to a port of 25G: their least rates fill it) choose none; a range of none else is not in the table, and `any`
serves. Ten minutes on two cores.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from rocecfg.advice.compare import USED_LOSS
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import Asic
from rocecfg.physics import ecn
from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.physics.dcqcn_linear import most_senders
from rocecfg.physics.dcqcn_random import simulate
from rocecfg.profiles import SHIPPED

FOLDER = Path(__file__).resolve().parent.parent / "profiles" / "curves"
SENDERS = PAPER._replace(packet=4096)
G = 10**9
SPEEDS = tuple(gbit * G for gbit in (25, 40, 50, 100, 200, 400, 800))
KMIN = (0.3, 0.5, 1.0, 2.0)
"""KB per Gbit/s. The least is twice `C x RTT / 7` at 8 us: the model has no senders that start and stop."""
KMAX = (0.55, 0.95, 1.5, 2.2, 2.9, 4.3, 9.0)
PMAX = (5.0, 20.0, 100.0)
"""Percent: what is published for ramps (SONiC and Azure, HPCC, NVIDIA). Cisco's 7 % is to the model as 5 %."""
FLOWS = (4, 16, 64, 256)
RANGES: dict[str, tuple[int, ...]] = {  # senders -> those that stand for them
    "2-16": (4, 16),
    "17-64": (16, 64),
    "65-256": (64, 256),
    "257-": (256,),
    "any": FLOWS,
}
_MOST_PORTS = 512  # no shipped box has more; where one does, `auto` lowers what it takes
_SHORTEST = 1.8  # times kmin that kmax must be
_HELD = 1e3  # us: a queue that is longer grows on; kmax of the grid is 72 us at the most


class Point(NamedTuple):
    """A curve of the grid under some senders."""

    speed: int
    kmin: float  # KB per Gbit/s
    kmax: float
    pmax: float  # percent
    flows: int


class Found(NamedTuple):
    """What the model makes of it."""

    used: float  # share of the link
    wait: float  # us that 1 % of the packets wait longer than


def grid(speed: int) -> Iterator[Point]:
    """The points of one speed."""
    for kmax in KMAX:
        for kmin in KMIN:
            if kmax >= _SHORTEST * kmin:
                for pmax in PMAX:
                    yield from (Point(speed, kmin, kmax, pmax, flows) for flows in FLOWS)


def solve(point: Point) -> Found:
    """One run of the model: 0.1 s of traffic, and 0.06 s of that of 256 senders, which take longer."""
    gbit = point.speed / G
    curve = Curve(point.kmin * gbit * 1e3, point.kmax * gbit * 1e3, point.pmax / 100)
    run = simulate(point.speed, point.flows, curve, SENDERS, seconds=0.1 if point.flows < max(FLOWS) else 0.06)
    return Found(run.utilisation, ecn.queue_delay_us(run.high, point.speed))


class Chosen(NamedTuple):
    """A row of the table. Bytes, percent; `used` is the least of the range, `wait` the most."""

    kmin: int
    kmax: int
    pmax: float
    used: float
    wait: float


def choose(speed: int, senders: str, most: tuple[float, float], found: dict[Point, Found]) -> Chosen | None:
    """The curve of a range below the bounds `most` of kmin and kmax, bytes; None where the grid has none."""
    gbit = speed / G
    last = None if senders == "any" else int(senders.partition("-")[2] or 10**6)
    serving: dict[tuple[float, float, float], dict[int, Found]] = {}
    for point in grid(speed):
        below = point.kmin * gbit * 1e3 < most[0] and point.kmax * gbit * 1e3 < most[1]
        holds = last is None or most_senders(speed, point.pmax / 100, SENDERS) >= last
        run = found[point]
        if below and holds and point.flows in RANGES[senders] and run.wait < _HELD:
            serving.setdefault(point[1:4], {})[point.flows] = run
    held = {flows for runs in serving.values() for flows in runs}
    serving = {curve: runs for curve, runs in serving.items() if runs.keys() == held}
    if not serving:
        return None
    best = {flows: max(runs[flows].used for runs in serving.values()) for flows in held}

    def lost(runs: dict[int, Found]) -> float:
        return max(best[flows] - run.used for flows, run in runs.items())

    bearable = max(USED_LOSS, min(map(lost, serving.values())))
    curve, runs = min(
        ((curve, runs) for curve, runs in serving.items() if lost(runs) <= bearable),
        key=lambda one: sum(run.wait for run in one[1].values()),
    )
    kmin, kmax, pmax = curve
    return Chosen(
        round(kmin * gbit * 1e3),
        round(kmax * gbit * 1e3),
        pmax,
        min(run.used for run in runs.values()),
        max(run.wait for run in runs.values()),
    )


def bounds(asic: Asic, speed: int) -> tuple[float, float] | None:
    """What kmin and kmax stay below where every port of the chip is lossless at that speed; None: not known."""
    if not (asic.shallow and asic.lossless_pool and asic.alpha and asic.capacity):
        return None
    alpha, ports = min(asic.alpha), min(asic.capacity // speed, _MOST_PORTS)
    pool = asic.lossless_pool
    kmax = min(ecn.kmax_bound(alpha, pool, ports), ecn.kmax_hard(alpha, pool))
    return ecn.kmin_bound(alpha, pool, ports), kmax


def table(asic: Asic, found: dict[Point, Found]) -> list[str]:
    """The rows of a chip, as YAML; none where its bounds are not known."""
    lines = []
    for speed in SPEEDS:
        most = bounds(asic, speed)
        if most is None or (asic.speeds and speed not in asic.speeds):
            continue
        rows = [(senders, choose(speed, senders, most, found)) for senders in RANGES]
        if rows[-1][1] is None:
            continue
        lines.append(f"  {show_rate(speed)}:")
        for senders, row in rows:
            if row is None:
                continue
            lines.append(
                f"    {senders}: {{kmin: {show_size(row.kmin)}, kmax: {show_size(row.kmax)}, "
                f"pmax: {show_number(row.pmax)}%, used: {row.used * 100:.2f}%, wait: {row.wait:.1f}us}}"
            )
    return lines


def main() -> None:
    """The tables of all shipped chips; those of chips without bounds are not written."""
    points = [point for speed in SPEEDS for point in grid(speed)]
    with ProcessPoolExecutor(2) as pool:
        found = dict(zip(points, pool.map(solve, points, chunksize=8), strict=True))
    today = datetime.now(tz=UTC).date()
    FOLDER.mkdir(exist_ok=True)
    for name in SHIPPED.names("asics"):
        asic = SHIPPED.asic(name)
        rows = table(asic, found)
        if not rows:
            continue
        assert asic.lossless_pool is not None
        wording = (
            f"python docs/curves.py, {today}: DCQCN with marks by chance (SIGCOMM'15 parameters, {SENDERS.packet} B, "
            f"{show_number(SENDERS.delay_us)} us), all ports lossless, pool {show_size(asic.lossless_pool)}, "
            f"alpha {show_number(min(asic.alpha))}"
        )
        head = [f"title: Marking curves for {asic.title}", "mark: D", f'source: "{wording}"', "rows:"]
        (FOLDER / f"{name}.yaml").write_text("\n".join([*head, *rows]) + "\n", encoding="utf-8")
        print(f"{name}: {len(rows)} lines", file=sys.stderr)


if __name__ == "__main__":
    main()
