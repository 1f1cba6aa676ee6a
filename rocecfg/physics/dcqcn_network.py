"""DCQCN on paths of several queues, sender by sender, with marks drawn at random: `dcqcn_random` for a small network.

A queue passes on what leaves it, in the proportions of what arrives, and every queue on its path may mark a packet: the
part that is marked is `1 - prod(1 - p)`. A mark of one queue comes, or what it changes arrives, later by what waits in
the others on the path. What single packets add to a queue is as of one queue alone.

A queue that takes from links which together carry no more than its own never fills, and is none here: so the second of
two equal links in a row that all senders cross. Queues of a packet or two, where the packets of several links meet, are
not told from empty ones.

Senders begin at their share of the slowest link on their path; the second half of the time counts.

Source: as of `dcqcn_random`. What passes on from queue to queue is derived here, and held to packets
(tests/advice/referee/network.csv).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import inf, isfinite, prod, sqrt
from operator import mul
from random import Random
from typing import NamedTuple

from rocecfg.physics.dcqcn import Curve, Params, check_inputs
from rocecfg.physics.dcqcn_random import Bottleneck
from rocecfg.physics.dcqcn_senders import MOST_SENDERS, Senders, are_few, draw_poisson

_EVERY = 2  # steps between two samples


class LinkQueue(NamedTuple):
    """The queue before a link."""

    speed: float  # bit/s
    curve: Curve


class SenderGroup(NamedTuple):
    """Senders whose packets cross the same queues."""

    flows: int
    line: float  # bit/s, of each
    path: tuple[int, ...]  # numbers of queues, in the order in which packets cross them


class QueueRun(NamedTuple):
    """What a queue did in the second half. Sizes in bytes, shares 0 to 1."""

    mean: float
    sd: float
    low: float  # 1 % of the time it was below
    high: float  # 1 % of the time it was above
    empty: float  # share of the time
    beyond: float  # share of the time above kmax
    utilisation: float  # share of the link's capacity


class NetworkRun(NamedTuple):
    """What a network did in the second half."""

    queues: tuple[QueueRun, ...]
    rates: tuple[float, ...]  # bit/s, of each group together


def simulate(
    queues: Sequence[LinkQueue], groups: Sequence[SenderGroup], params: Params, *, seconds: float = 0.15, seed: int = 1
) -> NetworkRun:
    """Senders on paths of several queues. The same seed gives the same run.

    ValueError where a number cannot be, a path is none, or there are too many senders.
    """
    _check_network(queues, groups, params, seconds)
    random = Random(seed)  # noqa: S311 - chance, not secrets
    run = _Run(queues, groups, params, random)
    steps = round(seconds * 1e6 / run.step)
    half = steps // 2
    for number in range(1, steps + 1):
        if number == half:
            run.start_counting()
        run.advance(number)
    return run.summarize(steps - half)


def _check_network(queues: Sequence[LinkQueue], groups: Sequence[SenderGroup], params: Params, seconds: float) -> None:
    if not groups:
        raise ValueError("no senders")
    flows = sum(group.flows for group in groups)
    if flows > MOST_SENDERS:
        raise ValueError(f"{flows} senders: at most {MOST_SENDERS} are simulated one by one")
    for speed, curve in queues:
        check_inputs(speed, 1, params)
        if not (0 <= curve.kmin <= curve.kmax and 0 <= curve.pmax <= 1):
            raise ValueError(f"{curve} is no marking curve: 0 <= kmin <= kmax and 0 <= pmax <= 1 must hold")
    for group in groups:
        check_inputs(group.line, group.flows, params)
        if not group.path or len(set(group.path)) < len(group.path):
            raise ValueError(f"the path {group.path} is empty, or crosses a queue twice")
        if not all(0 <= number < len(queues) for number in group.path):
            raise ValueError(f"the path {group.path} crosses a queue that there is not")
    if not (isfinite(seconds) and seconds >= 0.01):
        raise ValueError(f"{seconds} s: at least 0.01 s")


def _can_fill(queues: Sequence[LinkQueue], groups: Sequence[SenderGroup], number: int) -> bool:
    """Whether what feeds a queue can be more than its link carries."""
    own, links = 0.0, set()
    for flows, line, path in groups:
        if path[0] == number:
            own += flows * line
        elif number in path:
            links.add(path[path.index(number) - 1])
    return own + sum(queues[link].speed for link in links) > queues[number].speed * (1 + 1e-9)


class _Run:
    """A network in time. Bytes and us."""

    def __init__(
        self, queues: Sequence[LinkQueue], groups: Sequence[SenderGroup], params: Params, random: Random
    ) -> None:
        self.params, self.random = params, random
        fills = [n for n in range(len(queues)) if _can_fill(queues, groups, n)]
        flows = [sum(group.flows for group in groups if n in group.path) for n in range(len(queues))]
        times = [flows[n] * params.packet * 8e6 / queues[n].speed for n in fills]
        self.step = step = min(max(min(times, default=2.0), 1.0), 2.0)
        self.queues = [
            _Queue(Bottleneck(speed / 8e6, max(number, 1), curve, params.packet, step, inf))
            for number, (speed, curve) in zip(flows, queues, strict=True)
        ]
        self.paths = [group.path for group in groups]
        self.groups = []
        for group in groups:
            share = min(group.line, *(queues[n].speed / flows[n] for n in group.path)) / 8e6
            senders = Senders(group.line / 8e6, share * group.flows, group.flows, params, step, random)
            path = [self.queues[n] for n in group.path if n in fills]
            members = _Members(senders, path)
            self.groups.append(members)
            for hop, queue in enumerate(path):
                queue.feeds.append((members, path[:hop]))
        self.slots = len(self.groups[0].senders.slots)
        self.filled = [self.queues[n] for n in fills]
        self.coming: defaultdict[int, list[tuple[Senders, int]]] = defaultdict(list)  # CNPs by step
        self.counts = False

    def start_counting(self) -> None:
        """Begin to count."""
        self.counts = True
        for queue in self.queues:
            queue.own.start_counting()

    def advance(self, number: int) -> None:
        """One step on."""
        now, random, filled = number * self.step, self.random, self.filled
        draw = random.random
        for queue in filled:
            queue.advance(draw() + draw() + draw() - 1.5)
        for queue in filled:
            queue.passes = queue.next
            if queue.marks:
                for members, sender in queue.draw_marked(now, random):
                    at = now + self.params.delay_us + members.delay_elsewhere(queue)
                    self.coming[max(int(at / self.step), number)].append((members.senders, sender))
        for senders, sender in self.coming.pop(number, ()):
            senders.cut(sender, now)
        slot = number % self.slots
        for group in self.groups:
            if group.senders.slots[slot]:
                group.senders.raise_rates(slot, now)
        if self.counts and number % _EVERY == 0:
            for queue in filled:
                queue.seen.append(queue.own.size)
            for group in self.groups:
                group.count()

    def summarize(self, steps: int) -> NetworkRun:
        """Of so many steps since it was forgotten."""
        rates = [group.passed / group.counted for group in self.groups]
        queues = []
        for number, queue in enumerate(self.queues):
            if queue in self.filled:
                queues.append(queue.summarize(steps))
            else:
                through = sum(rate for rate, path in zip(rates, self.paths, strict=True) if number in path)
                queues.append(QueueRun(0.0, 0.0, 0.0, 0.0, 1.0, 0.0, through / queue.own.capacity))
        return NetworkRun(tuple(queues), tuple(rate * 8e6 for rate in rates))


class _Members:
    """Senders, and the queues on their path."""

    def __init__(self, senders: Senders, path: list[_Queue]) -> None:
        self.senders, self.path = senders, path
        self.passed, self.counted = 0.0, 0  # bytes/us that arrive, summed over the samples

    def count(self) -> None:
        """Take a sample of what arrives."""
        rate = self.senders.total
        for queue in self.path:
            rate *= queue.passes
        self.passed += rate
        self.counted += 1

    def delay_elsewhere(self, queue: _Queue) -> float:
        """What waits on the path in other queues, us."""
        return sum(other.level / other.own.capacity for other in self.path if other is not queue)


class _Queue:
    """A queue of a network."""

    def __init__(self, own: Bottleneck) -> None:
        self.own = own
        self.feeds: list[tuple[_Members, list[_Queue]]] = []  # with the queues that they cross before
        self.level = 0.0  # bytes that wait, single packets left out: what has arrived and is not passed on
        self.arriving = 0.0  # bytes/us
        self.passes = self.next = 1.0  # what leaves by what arrives
        self.marks = 0.0  # the part of what leaves
        self.seen: list[float] = []

    def advance(self, chance: float) -> None:
        """One step on, with what other queues passed on in the last."""
        arriving = 0.0
        for members, before in self.feeds:
            rate = members.senders.total
            for queue in before:
                rate *= queue.passes
            arriving += rate
        own = self.own
        self.arriving, self.marks = arriving, own.advance(arriving, chance)
        leaving = own.capacity
        self.level += (arriving - leaving) * own.step
        if self.level < 0:
            leaving += self.level / own.step
            self.level = 0.0
        self.next = leaving / arriving

    def draw_marked(self, now: float, random: Random) -> Iterator[tuple[_Members, int]]:
        """The senders that get a CNP for what leaves in this step, but for packets that were marked before."""
        draw, marks = random.random, self.marks
        packets = self.arriving * self.passes * self.own.step / self.own.packet
        if are_few(marks, packets):
            for _ in draw_poisson(marks * packets, draw):
                members, before = self._draw_by_rate(draw)
                if not before or draw() < _unmarked_share(before):
                    sender = members.senders.draw_by_rate(draw)
                    if members.senders.answer_mark(sender, now):
                        yield members, sender
            return
        for members, before in self.feeds:
            rate = members.senders.total * prod(queue.passes for queue in before) * self.passes
            part = marks * _unmarked_share(before)
            for sender in members.senders.draw_marked(part, rate * self.own.step / self.own.packet, now, random):
                yield members, sender

    def _draw_by_rate(self, draw: Callable[[], float]) -> tuple[_Members, list[_Queue]]:
        """Senders, as likely as much arrives of theirs."""
        left = draw() * self.arriving
        for feed in self.feeds:
            rate = feed[0].senders.total
            for queue in feed[1]:
                rate *= queue.passes
            left -= rate
            if left < 0:
                break
        return feed

    def summarize(self, steps: int) -> QueueRun:
        """Of so many steps."""
        own, seen = self.own, sorted(self.seen)
        count = len(seen)
        mean = sum(seen) / count
        variance = sum(map(mul, seen, seen)) / count - mean**2
        return QueueRun(
            mean,
            sqrt(max(variance, 0.0)),
            seen[count // 100] if seen[count // 100] > own.floor else 0.0,
            seen[-1 - count // 100],
            sum(1 for size in seen if size <= own.floor) / count,
            sum(1 for size in seen if size > own.curve.kmax) / count,
            1 - min(max(own.idle, 0.0) / (own.capacity * own.step * steps), 1.0),
        )


def _unmarked_share(before: list[_Queue]) -> float:
    """The part of the packets that these queues do not mark."""
    return prod(1 - queue.marks for queue in before)
