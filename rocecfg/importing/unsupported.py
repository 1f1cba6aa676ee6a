"""What a switch's configuration says and an intent has no word for: listed as comments, so that nothing gets lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.importing.format import SizeUnits, format_number
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.model import Origin, Running, RunningPool, RunningPort, Span, spans_of

_NOWHERE = Span(0, 0, 0)


class Unsaid(NamedTuple):
    """What an intent cannot say, and where the switch says it."""

    text: str
    at: Span


class UnsaidOnSwitch:
    """Notes on one switch; what is true of several groups of its ports is told once."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Span, list[str]]] = {}

    def add(self, note: Unsaid, ports: Iterable[str] = ()) -> None:
        """Take a note on the switch, or on these ports of it."""
        self._found.setdefault(note.text, (note.at, []))[1].extend(ports)

    def list_all(self) -> tuple[Unsaid, ...]:
        """All notes, those on ports with their names."""
        return tuple(Unsaid(f"{_prefix_ports(ports)}{text}", at) for text, (at, ports) in self._found.items())


def _prefix_ports(ports: Iterable[str]) -> str:
    names = sorted(set(ports), key=by_number)
    return f"{fold_short(names)}: " if names else ""


def note_switch(
    running: Running, at: Span, sizes: SizeUnits, shares: Mapping[str, float], *, errdisables: bool
) -> Iterator[Unsaid]:
    """Notes on a switch as a whole.

    `shares`: percent of its lossless and lossy pools, which an intent can say; `errdisables`: whether its watchdog
    takes ports down.
    """

    def note(field: str, text: str) -> Unsaid:
        return Unsaid(text, first_span(running.at(field), at))

    if not running.whole:
        yield note("whole", "this is part of a configuration; the rest is unknown")
    pools = [pool for pool in running.pools if not _is_share(pool, shares)]
    if pools:
        listed = "; ".join(_describe_pool(pool, sizes) for pool in pools)
        yield Unsaid(f"buffer pools: {listed}", first_span(pools[0].at(""), first_span(running.at("pools"), at)))
    if running.remarks:
        rewritten = ", ".join(f"tc {tc} to {dscp}" for tc, dscp in running.remarks)
        yield note("remarks", f"DSCP is rewritten in what is sent: {rewritten}")
    for field, unusual, text in (
        ("watchdog_blind", True, "the counters that the watchdog reads are off"),
        ("watchdog_forced", True, "the watchdog is forced on: lossless queues drop, storm or not"),
        ("recovers", False, "ports that the watchdog takes down stay down until somebody comes"),
        ("recovers", True, "ports that the watchdog takes down come back by themselves"),
        ("tunnels", True, "VXLAN or another tunnel is configured"),
        ("copies_dscp", False, "DSCP and ECN bits are not carried into the tunnel's header and back"),
    ):
        if getattr(running, field) is unusual and (field != "recovers" or errdisables):
            yield note(field, text)


def note_port(running: RunningPort, pfc: tuple[int, ...], at: Span) -> Iterator[Unsaid]:
    """Notes on ports that are told the same; `pfc`: their priorities with PFC."""

    def note(field: str, text: str) -> Unsaid:
        return Unsaid(text, first_span(running.at(field), at))

    for field, does in (("obeys", "pauses are obeyed"), ("sends", "pauses are sent")):
        priorities = getattr(running, field)
        if priorities is not None and tuple(sorted(priorities)) != pfc:
            listed = " ".join(map(str, priorities)) or "none"
            yield note(field, f"PFC is not the same both ways: {does} on priorities {listed}")
    if running.no_headroom is not None:
        yield note("no_headroom", f"PFC is on, and the ports get no headroom: {running.no_headroom}")
    if running.up is False:
        yield note("up", "administratively down")
    dropping = " ".join(str(queue.number) for queue in running.queues if queue.discards)
    if dropping:
        first = next(queue for queue in running.queues if queue.discards)
        yield Unsaid(f"WRED drops in queues {dropping}", first_span(first.at("discards"), at))
    sized = [of for of in (*running.groups, *running.queues) if _has_own_buffers(of)]
    if sized:
        yield Unsaid("buffers of single priority groups and queues", first_span(sized[0].at(""), at))


def _has_own_buffers(of: object) -> bool:
    """Whether a queue, or a group whose headroom is not the port's, has buffers of its own."""
    if getattr(of, "lossless", None):
        return getattr(of, "alpha", None) is not None or getattr(of, "static", None) is not None
    return any(getattr(of, field, None) is not None for field in ("size", "alpha", "static"))


def _is_share(pool: RunningPool, shares: Mapping[str, float]) -> bool:
    """Whether `buffers.pools` says all there is of a pool."""
    stated = shares.get("lossless" if pool.lossless else "lossy")
    return pool.percent is not None and pool.percent == stated and pool.size is None and not pool.shared_headroom


def _describe_pool(pool: RunningPool, sizes: SizeUnits) -> str:
    words = [pool.name, pool.direction]
    if pool.mode is not None:
        words.append(pool.mode)
    if pool.size is not None:
        words.append(sizes.show(pool.size))
    if pool.percent is not None:
        words.append(f"{format_number(pool.percent)}%")
    if pool.shared_headroom:
        words.append(f"with {sizes.show(pool.shared_headroom)} of shared headroom")
    return " ".join(words)


def first_span(origin: Origin, otherwise: Span = _NOWHERE) -> Span:
    """The first place at which something is stated."""
    return next(iter(spans_of(origin)), otherwise)
