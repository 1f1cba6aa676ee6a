"""What was measured against what the intent predicts.

Source: nccl-tests, PERFORMANCE.md: the bus bandwidth of a collective compares with that of the slowest link it uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import host_nics
from rocecfg.core.nodeset import names_of
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import Fabric
from rocecfg.physics.goodput import ON_THE_WIRE, goodput
from rocecfg.rollout.results import Nccl, Perftest
from rocecfg.rules.hosts_ends import nic_ends

_G = 10**9
_BITS = 8
PATH_MTU = 4096  # bytes, where neither the result nor the intent says
_ABOVE = 1.02  # more than this share of what is predicted cannot be


class Predicted(NamedTuple):
    """A bound and how it comes about."""

    value: float  # Gbit/s of perftest, GB/s of nccl-tests
    unit: str
    working: str


class MeasuredResult(NamedTuple):
    """A result against its bound."""

    title: str
    measured: float
    unit: str
    predicted: Predicted | None
    good: bool
    notes: tuple[str, ...]

    @property
    def share(self) -> float | None:
        """Percent of what is predicted; None where nothing is."""
        return None if self.predicted is None else 100 * self.measured / self.predicted.value


def list_rdma_speeds(fabric: Fabric) -> tuple[int, ...]:
    """The speeds, in bit/s, of ports to hosts that RDMA crosses, ascending."""
    found = {
        port.speed
        for device in fabric.devices
        for port in device.ports
        if port.speed is not None
        and port.faces in (None, "host")
        and any("rdma" in cls.carries for cls in device.classes_on(port))
    }
    return tuple(sorted(found))


def judge_result(fabric: Fabric, result: Perftest | Nccl, *, speed: int | None, least: float) -> MeasuredResult:
    """A result; good if it reaches `least` percent of its bound. `speed`: of the NIC, bit/s; None: the intent's one."""
    if isinstance(result, Perftest):
        return _judge_perftest(fabric, result, speed, least)
    return _judge_nccl(fabric, result, least)


def _judge_perftest(fabric: Fabric, result: Perftest, speed: int | None, least: float) -> MeasuredResult:
    known = list_rdma_speeds(fabric)
    of = speed if speed is not None else known[0] if len(known) == 1 else None
    pairs = f", {result.queue_pairs} queue pairs" if result.queue_pairs else ""
    size = f", messages of {result.size} B" if result.size else ""
    title = f"perftest {result.test}{pairs}{size}"
    if of is None:
        why = f"NICs have several speeds ({', '.join(map(show_rate, known))}): give --speed" if known else _NO_SPEED
        return MeasuredResult(title, result.average, "Gbit/s", None, good=False, notes=(why,))
    mtu = result.path_mtu or fabric.path_mtu or PATH_MTU
    bound = goodput(of, mtu) / _G
    working = f"{show_rate(of)} x {mtu} B / ({mtu} B + {ON_THE_WIRE} B of headers and gap)"
    predicted = Predicted(bound, "Gbit/s", working)
    return _make_verdict(title, result.average, predicted, least, tuple(_note_impossible(result.average, bound)))


_NO_SPEED = "the intent has no port to hosts with a speed that RDMA crosses: give --speed"


def _note_impossible(measured: float, bound: float) -> Iterator[str]:
    if measured > _ABOVE * bound:
        yield "more than the link carries: without --report_gbits perftest counts MB/s, or both directions (-b)"


def _judge_nccl(fabric: Fabric, result: Nccl, least: float) -> MeasuredResult:
    title = f"nccl-tests {result.test}, {result.ranks} ranks on {result.hosts} hosts, {result.size} B"
    wrong = (
        ((f"{result.wrong} values are wrong: data were corrupted, so the bandwidth does not count"),)
        if result.wrong
        else ()
    )
    found = _predict_busbw(fabric, result)
    if isinstance(found, str):
        return MeasuredResult(title, result.busbw, "GB/s", None, good=False, notes=(found, *wrong))
    verdict = _make_verdict(title, result.busbw, found, least, ())
    above = ("more than the NICs carry: part of it used another path, such as NVLink",)
    notes = (*(above if result.busbw > _ABOVE * found.value else ()), *wrong)
    return verdict._replace(good=verdict.good and not wrong, notes=notes)


def _predict_busbw(fabric: Fabric, result: Nccl) -> Predicted | str:
    """The bus bandwidth that the NICs of the slowest host bound; or why none is known."""
    if result.hosts < 2:
        return "of one host: nothing crosses the fabric"
    each = max(1, result.ranks // result.hosts)
    bounds: list[tuple[float, str]] = []
    for nics in host_nics(fabric):
        rates = {end.nic: rate for end in nic_ends(fabric)[nics.key] if (rate := end.port.speed) is not None}
        used = sorted(rates.values(), reverse=True)[:each]
        if not nics.of_gpus or not used:
            continue
        mtu = fabric.path_mtu or PATH_MTU
        total = sum(goodput(rate, mtu) for rate in used) / _BITS / _G
        host = names_of(nics.hosts)[0]
        bounds.append(
            (total, f"{len(used)} NICs of {host} for {each} ranks, {show_rate(sum(used))} together, less headers")
        )
    if not bounds:
        return "the intent states no hosts with links to ports of a known speed: nothing is predicted"
    value, working = min(bounds)
    return Predicted(value, "GB/s", f"{working}; busbw is the rate of the slowest NIC")


def _make_verdict(
    title: str, measured: float, predicted: Predicted, least: float, notes: tuple[str, ...]
) -> MeasuredResult:
    good = measured >= predicted.value * least / 100 and not notes
    return MeasuredResult(title, measured, predicted.unit, predicted, good, notes)


def render_verdict(verdict: MeasuredResult, least: float) -> Iterator[str]:
    """A verdict in words, with its formula."""
    share = verdict.share
    if verdict.predicted is None or share is None:
        yield f"{verdict.title}: {verdict.measured:.1f} {verdict.unit}, not compared"
    else:
        word = "" if verdict.good else f", less than {least:g} %" if share < least else ", not good"
        yield (
            f"{verdict.title}: {verdict.measured:.1f} of {verdict.predicted.value:.1f} {verdict.unit} "
            f"({share:.0f} %{word})"
        )
        yield f"  predicted: {verdict.predicted.working}"
    yield from (f"  {note}" for note in verdict.notes)
