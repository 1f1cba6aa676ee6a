"""DCQCN sender by sender, with marks drawn at random: what a queue does where swings are not small.

The queue is bytes that flow in and out in steps of 1 or 2 us, and each sender has a rate, a target and an alpha of
its own. Packets that leave are marked by chance and pick their sender by its rate; a CNP reaches it after the feedback
delay. What single packets add to the queue, as those of N senders arrive one by one, is noise of variance `N/12`
packets^2 that fades in a sixth of the time between two packets of a sender: it lifts a queue that runs empty by some
0.5 sqrt(N) packets, which is why a step ends with `floor` bytes at least.

Senders begin at their share of the link with alpha 0.05 and an empty queue, and the second half of the time counts: the
swings with which that begins die down, or they stay. The same seed gives the same run.

A change of rate acts at once. A sender whose packets are 20 us and more apart is late in that: its next packet is timed
by the old rate. An overloaded queue of such senders (128 of them at 100G) is some 15 % shorter than here.

A mark within tau after a CNP is lost, unless `late` has it answered with a CNP at the end of tau: so SIGCOMM'15,
section 3, reads, and so does the sender of HPCC's ns-3 in effect. More cuts follow a longer queue then: with a tau of
50 us it swings by 200 and 690 KB where it else rests within 40 (8 senders at 100G, 16 at 400G). With the 4 us of
ConnectX cards both come to the same (tests/advice/test_referee_ns3.py).

Source: the algorithm, SIGCOMM'15, section 3 and figure 7, with hyper increase once both counters have passed F.
"""

from collections import deque
from math import exp, inf, isfinite, sqrt
from operator import mul
from random import Random
from typing import NamedTuple

from rocecfg.physics.dcqcn import Curve, Params, check_inputs, marking_share
from rocecfg.physics.dcqcn_senders import MOST_SENDERS, Senders

_EVERY = 2  # steps between two samples
_UNSEEN = 0.5826  # of the sd of a step: how far beyond its ends noise goes within it (Broadie et al., 1997)


class Run(NamedTuple):
    """What a queue did: `mean` to `pauses` are of the second half. Sizes in bytes, shares 0 to 1."""

    times_us: tuple[float, ...]
    queues: tuple[float, ...]  # at those times
    mean: float
    sd: float
    low: float  # 1 % of the time it was below
    high: float  # 1 % of the time it was above
    empty: float  # share of the time
    beyond: float  # share of the time above kmax
    utilisation: float  # share of the link's capacity
    paused: float  # share of the time in which PFC held senders
    pauses: int  # times that it began to


def simulate(
    speed: float,
    flows: int,
    curve: Curve,
    params: Params,
    *,
    seconds: float = 0.2,
    seed: int = 1,
    pause: float = inf,
    samples: int = 600,
) -> Run:
    """`flows` senders to one link of `speed` bit/s. PFC holds the queue at `pause` bytes; `inf`: never.

    `samples` points of the queue are kept. ValueError where a number cannot be, or there are too many senders.
    """
    check_inputs(speed, flows, params)
    if flows > MOST_SENDERS:
        raise ValueError(f"{flows} senders: at most {MOST_SENDERS} are simulated one by one")
    if not (0 <= curve.kmin <= curve.kmax and 0 <= curve.pmax <= 1):
        raise ValueError(f"{curve} is no marking curve: 0 <= kmin <= kmax and 0 <= pmax <= 1 must hold")
    if not (isfinite(seconds) and seconds >= 0.01 and pause > 0):
        raise ValueError(f"{seconds} s with a pause at {pause}: at least 0.01 s and above 0 B")
    random = Random(seed)  # noqa: S311 - chance, not secrets
    capacity = speed / 8e6
    step = min(max(flows * params.packet / capacity / 5, 1.0), 2.0)
    steps = round(seconds * 1e6 / step)
    senders = Senders(capacity, capacity, flows, params, step, random)
    queue = Bottleneck(capacity, flows, curve, params.packet, step, pause)
    coming: deque[tuple[float, int]] = deque()  # CNPs: when, to whom
    draw, slots, delay = random.random, len(senders.slots), params.delay_us
    leaving = capacity * step / params.packet
    half, seen = steps // 2, []
    kept = [round(steps * n / (samples - 1)) for n in range(samples)]
    course, due = [0.0], 1
    for number in range(1, steps + 1):
        now = number * step
        if number == half:
            queue.start_counting()
        part = queue.advance(senders.total, draw() + draw() + draw() - 1.5)
        if senders.owed:
            coming.extend((now + delay, sender) for sender in senders.answer_late(now))
        if part:
            coming.extend((now + delay, sender) for sender in senders.draw_marked(part, leaving, now, random))
        while coming and coming[0][0] <= now:
            senders.cut(coming.popleft()[1], now)
        if senders.slots[number % slots]:
            senders.raise_rates(number % slots, now)
        if number > half and number % _EVERY == 0:
            seen.append(queue.size)
        while due < samples and kept[due] <= number:
            course.append(queue.size if queue.size > queue.floor else 0.0)
            due += 1
    return _summarize(queue, seen, steps - half, [n * step for n in kept], course)


class Bottleneck:
    """The bottleneck. Bytes and us."""

    def __init__(self, capacity: float, flows: int, curve: Curve, packet: float, step: float, pause: float) -> None:
        self.capacity, self.curve, self.step, self.pause = capacity, curve, step, pause
        self.packet = packet
        self.resume = max(pause - 2 * packet, 0.0)
        self.kept = exp(-6 * step * capacity / (flows * packet))  # of the noise, from step to step
        self.noise = 2 * sqrt(flows / 12 * (1 - self.kept**2)) * packet  # times a sum of three draws, whose sd is 1/2
        self.floor = _UNSEEN * sqrt(2 * flows / 12 * (1 - self.kept)) * packet
        self.size = self.jitter = 0.0
        self.holding = False
        self.start_counting()

    def start_counting(self) -> None:
        """Begin to count."""
        self.idle, self.held, self.pauses = 0.0, 0, 0

    def advance(self, total: float, chance: float) -> float:
        """One step on with so many bytes/us; the part of the leaving packets that is marked."""
        before, self.jitter = self.jitter, self.kept * self.jitter + self.noise * chance
        size = self.size + (total - self.capacity) * self.step + self.jitter - before
        if size < self.floor:
            self.idle += self.floor - size
            size = self.floor
        if size >= self.pause:
            size = self.pause
            self.held += 1
            self.pauses += not self.holding
            self.holding = True
        elif size < self.resume:
            self.holding = False
        self.size = size
        return marking_share(size, self.curve)


def _summarize(queue: Bottleneck, seen: list[float], steps: int, times: list[float], course: list[float]) -> Run:
    count = len(seen)
    mean = sum(seen) / count
    variance = sum(map(mul, seen, seen)) / count - mean**2
    seen.sort()
    return Run(
        tuple(times),
        tuple(course),
        mean,
        sqrt(max(variance, 0.0)),
        seen[count // 100] if seen[count // 100] > queue.floor else 0.0,
        seen[-1 - count // 100],
        sum(1 for size in seen if size <= queue.floor) / count,
        sum(1 for size in seen if size > queue.curve.kmax) / count,
        1 - min(max(queue.idle, 0.0) / (queue.capacity * queue.step * steps), 1.0),
        queue.held / steps,
        queue.pauses,
    )
