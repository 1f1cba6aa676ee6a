"""Senders of DCQCN, each with a rate, a target and an alpha of its own: when they rise, and whom a mark cuts.

Source: the algorithm, SIGCOMM'15, section 3 and figure 7, with hyper increase once both counters have passed F.
"""

from collections.abc import Callable, Iterator
from math import ceil, exp, inf, log1p
from random import Random

from rocecfg.physics.dcqcn import Params

MOST_SENDERS = 512
"""More take longer than anybody waits: some 10 s of work for a run of 0.2 s with so many."""

_FAIR_ALPHA = 0.05
_LIKELY = 0.3  # from that marking on each sender is asked, not each packet
_FEW = 20.0  # marks in a step, up to which they are drawn one by one


class Senders:
    """Rates of `flows` senders that are marked alike, and when each is raised next. Bytes and us.

    They begin with even parts of `total`, which is what they send together, and alpha 0.05; each sends at most `line`.
    """

    def __init__(self, line: float, total: float, flows: int, params: Params, step: float, random: Random) -> None:
        self.params = params
        self.line, self.total = line, total
        self.step = step
        share = total / flows
        self.increase, self.leap = params.r_ai / 8e6, params.r_hai / 8e6
        self.least = min(params.least / 8e6, share)
        self.rate = [share] * flows
        self.target = list(self.rate)
        self.alpha = [_FAIR_ALPHA] * flows
        self.calm = [0.0] * flows  # since when alpha has not been raised
        self.cnp = [-inf] * flows
        self.owed: dict[int, float] = {}  # senders whose next CNP waits for the end of tau, and when that is
        self.sent = [0.0] * flows  # bytes since the byte counter last fired
        self.counted = [0.0] * flows  # when that was reckoned
        self.by_bytes = [0] * flows  # rounds
        self.by_time = [0] * flows
        self.timer = [params.timer_us * (1 - random.random()) for _ in range(flows)]
        self.plan = [0] * flows  # which of the planned raises holds
        self.slots: list[list[tuple[int, int]]] = [[] for _ in range(ceil(params.timer_us / step) + 3)]
        for sender in range(flows):
            self._plan_raise(sender, 0.0)

    def _plan_raise(self, sender: int, now: float) -> None:
        """Note when the sender's timer or byte counter fires next."""
        full = now + (self.params.byte_counter - self.sent[sender]) / self.rate[sender]
        at = min(self.timer[sender], full)
        self.slots[max(ceil(at / self.step), round(now / self.step) + 1) % len(self.slots)].append(
            (sender, self.plan[sender])
        )

    def raise_rates(self, slot: int, now: float) -> None:
        """Raise the rates that are due in this step."""
        due, self.slots[slot] = self.slots[slot], []
        # most of a run is spent here: no attribute is looked up, and nothing called that a comparison does, for each
        of, line, step, slots, plans = self.params, self.line, self.step, self.slots, self.plan
        rates, targets, timers, sent, counted = self.rate, self.target, self.timer, self.sent, self.counted
        by_bytes, by_time, counter, last = self.by_bytes, self.by_time, of.byte_counter, of.f
        total, soonest, count = self.total, round(now / step) + 1, len(self.slots)
        for sender, plan in due:
            if plan != plans[sender]:
                continue
            before = rate = rates[sender]
            bytes_sent = sent[sender] + rate * (now - counted[sender])
            counted[sender] = now
            events = 0
            if bytes_sent * (1 + 1e-9) >= counter:
                rounds, bytes_sent = divmod(bytes_sent * (1 + 1e-9), counter)
                events = int(rounds)
                by_bytes[sender] += events
            sent[sender] = bytes_sent
            if timers[sender] <= now + 1e-6:
                by_time[sender] += 1
                timers[sender] += of.timer_us
                events += 1
            more = 0.0
            if by_bytes[sender] > last or by_time[sender] > last:
                both = by_bytes[sender] > last and by_time[sender] > last
                more = self.leap if self.leap and both else self.increase
            target = targets[sender]
            for _ in range(events):
                target += more
                if target > line:  # noqa: PLR1730
                    target = line
                rate = (target + rate) / 2
                if rate > line:  # noqa: PLR1730
                    rate = line
            targets[sender], rates[sender] = target, rate
            total += rate - before
            # as `_plan_raise` has it
            at = now + (counter - bytes_sent) / rate
            if at > timers[sender]:  # noqa: PLR1730
                at = timers[sender]
            number = ceil(at / step)
            if number < soonest:  # noqa: PLR1730
                number = soonest
            slots[number % count].append((sender, plan))
        self.total = total

    def cut(self, sender: int, now: float) -> None:
        """A CNP has come."""
        of = self.params
        rate = self.rate[sender]
        alpha = self.alpha[sender] * (1 - of.g) ** int((now - self.calm[sender]) / of.tau_alpha_us)
        slower = max(rate * (1 - alpha / 2), self.least)
        self.target[sender], self.rate[sender] = rate, slower
        self.total += slower - rate
        self.alpha[sender] = (1 - of.g) * alpha + of.g
        self.calm[sender] = self.counted[sender] = now
        self.sent[sender] = 0.0
        self.by_bytes[sender] = self.by_time[sender] = 0
        self.timer[sender] = now + of.timer_us
        self.plan[sender] += 1
        self._plan_raise(sender, now)

    def draw_marked(self, part: float, packets: float, now: float, random: Random) -> list[int]:
        """The senders that get a CNP, as `packets` leave in this step of which a `part` is marked."""
        draw = random.random
        if are_few(part, packets):
            hit = [self.draw_by_rate(draw) for _ in draw_poisson(part * packets, draw)]
        else:
            missed = log1p(-part) if part < 1 else 0.0
            each = packets / self.total  # packets of a sender for each byte/us that it has
            late, tau, cnp, whole = self.params.late, self.params.tau_us, self.cnp, part >= 1
            hit = [
                sender
                for sender, rate in enumerate(self.rate)
                if (late or now - cnp[sender] >= tau)
                and draw() < (rate * each if whole else 1 - exp(missed * rate * each))
            ]
        return [sender for sender in hit if self.answer_mark(sender, now)]

    def draw_by_rate(self, draw: Callable[[], float]) -> int:
        """A sender, each as likely as it is fast."""
        flows = len(self.rate)
        most = 2 * self.total / flows
        for _ in range(64):
            sender = int(draw() * flows)
            if draw() * most < self.rate[sender]:
                return sender
        return sender

    def answer_mark(self, sender: int, now: float) -> bool:
        """Whether a mark brings the sender a CNP now: if it did, it has one more from now on."""
        if now - self.cnp[sender] < self.params.tau_us:
            if self.params.late:
                self.owed[sender] = self.cnp[sender] + self.params.tau_us
            return False
        self.owed.pop(sender, None)
        self.cnp[sender] = now
        return True

    def answer_late(self, now: float) -> list[int]:
        """The senders that get a CNP for an earlier mark, as their tau has ended."""
        due = [sender for sender, at in self.owed.items() if at <= now]
        for sender in due:
            del self.owed[sender]
            self.cnp[sender] = now
        return due


def are_few(part: float, packets: float) -> bool:
    """Whether the marks of a step, a `part` of so many packets, are so few that they are drawn one by one."""
    return part < _LIKELY and part * packets < _FEW


def draw_poisson(mean: float, draw: Callable[[], float]) -> Iterator[None]:
    """Yield so many times as a Poisson distribution of a small mean has it."""
    still, product = exp(-mean), draw()
    while product > still:
        product *= draw()
        yield
