"""What a collective does to the queues of two tiers of links, where both hold it back."""

from __future__ import annotations

from functools import lru_cache

from rocecfg.advice.advise import PACKET
from rocecfg.advice.port_kinds import find_port_kinds
from rocecfg.advice.predict import Unpredictable, physics_curve, predict
from rocecfg.advice.wording import show_share
from rocecfg.analysis.traffic import Series
from rocecfg.core.records import NamedTuple
from rocecfg.model import Ecn, Fabric
from rocecfg.physics import dcqcn
from rocecfg.physics.dcqcn_network import LinkQueue, QueueRun, SenderGroup, simulate

# The referee's cases (tests/advice/referee/network.csv): the model was right there, and nobody has looked beyond.
_FEWEST_FLOWS = 8  # on a link
_MOST_FLOWS = {4: 64, 8: 32}  # on a link, by how many others they go on to at most
_MOST_APART = 20.0  # us between two packets of a sender (`dcqcn_random`)
_LINKS = 6  # of each tier, that stand for more: their queues are 5 % to 9 % shorter than those of 8 links by packets
_MOST_BEYOND = 0.001  # share of the time above kmax: where there is more, the queues down are far from those of packets
_SECONDS = 0.1  # of all links at a time


class TierQueues(NamedTuple):
    """What the queues of one tier do. Bytes, shares 0 to 1."""

    mean: float
    sd: float
    beyond: float  # share of the time above kmax; with two tiers next to nothing
    utilisation: float


def predict_series(fabric: Fabric, series: Series) -> tuple[TierQueues, TierQueues | None]:
    """The queues up, and those down: None where what comes up a link all goes down one, and no queue can form.

    Raises Unpredictable.
    """
    if fabric.congestion_control == "none":
        raise Unpredictable("fabric.congestion_control is none: no sender reacts to marks")
    params = dcqcn.PAPER._replace(packet=fabric.path_mtu or PACKET)
    return _predict_tiers(series, _find_curve(fabric, series.speed), params)


def _find_curve(fabric: Fabric, speed: int) -> dcqcn.Curve:
    """The one curve of the ports of that speed between switches."""
    curves = {
        physics_curve(curve) if isinstance(curve, Ecn) else None
        for curve in (
            kind.cls.ecn_at(speed)
            for kind in find_port_kinds(fabric)
            if kind.port.speed == speed and kind.port.faces in {None, "switch"}
        )
    }
    if len(curves) > 1:
        raise Unpredictable("their ports have several ECN curves")
    (curve,) = curves or {None}
    if curve is None:
        raise Unpredictable("their ports have no ECN curve with thresholds in bytes")
    return curve


@lru_cache(maxsize=64)
def _predict_tiers(series: Series, curve: dcqcn.Curve, params: dcqcn.Params) -> tuple[TierQueues, TierQueues | None]:
    flows = round(series.flows)
    if flows < 1:
        raise Unpredictable("fewer flows than links")
    apart = flows * params.packet * 8e6 / series.speed
    if apart > _MOST_APART:
        raise Unpredictable(
            f"packets of a sender are {apart:.3g} us apart, and beyond {_MOST_APART:g} us model and packets part"
        )
    if series.onward == 1:
        one = predict(series.speed, flows, curve, params)
        return TierQueues(one.mean, one.sd, one.beyond, one.utilisation), None
    most = next((most for onward, most in _MOST_FLOWS.items() if series.onward <= onward), 0)
    if not most:
        raise Unpredictable(
            f"flows of a link go on to {series.onward} others, and packets were simulated for up to {max(_MOST_FLOWS)}"
        )
    if not _FEWEST_FLOWS <= flows <= most:
        raise Unpredictable(
            f"{flows} flows on a link that go on to {series.onward} others: packets were simulated for "
            f"{_FEWEST_FLOWS} to {most}"
        )
    links = min(series.onward, _LINKS)
    queue = LinkQueue(float(series.speed), curve)
    groups = [
        SenderGroup(_part_of_flows(flows, links, (down - up) % links), float(series.line), (up, links + down))
        for up in range(links)
        for down in range(links)
    ]
    try:
        run = simulate([queue] * 2 * links, groups, params, seconds=_SECONDS)
    except ValueError as error:
        raise Unpredictable(str(error)) from error
    up, down = _average_queues(run.queues[:links]), _average_queues(run.queues[links:])
    beyond = max(up.beyond, down.beyond)
    if beyond > _MOST_BEYOND:
        raise Unpredictable(f"they swing beyond kmax, {show_share(beyond)} of the time, where model and packets part")
    return up, down


def _part_of_flows(flows: int, links: int, number: int) -> int:
    """One of so many parts of the flows, as even as can be."""
    return flows // links + (number < flows % links)


def _average_queues(queues: tuple[QueueRun, ...]) -> TierQueues:
    def mean(field: str) -> float:
        total: float = sum(getattr(queue, field) for queue in queues)
        return total / len(queues)

    return TierQueues(mean("mean"), mean("sd"), mean("beyond"), mean("utilisation"))
