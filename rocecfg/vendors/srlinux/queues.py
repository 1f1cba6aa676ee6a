"""How queues send, mark and hold, as the intent says it of a kind of port."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.agreement import curve_in_bytes, first_stated
from rocecfg.vendors.base import CannotRender

_PAUSE = (5, 4)  # a PFC queue pauses at 5/4 of kmax: with EDA's defaults kmax is 80 percent of it (nokia-eda/catalog)
_PUBLISHED = 52110640  # bytes that a lossless queue may hold in Nokia's published fabrics, on H4 and H5 (ddb47fb0)
_UNMARKED = 1024000  # bytes: queueMaximumBurstSize of EDA's rocev2QoS (nokia-eda/catalog ccd7a146)
_SHARE = 2  # of the chip's buffer: of 113 MB on H4 that is about as much
RESERVATION = 10  # percent of the buffer for headroom: Nokia's published fabrics (ddb47fb0)
_LOSSY = 10  # of that, a queue that is not lossless: 5211064 B there


class Slope(NamedTuple):
    """A marking curve, bytes and percent."""

    low: int
    high: int
    chance: int
    weight: int


class Input(NamedTuple):
    """An input of the scheduler."""

    queue: int
    strict: bool
    weight: int | None
    peak: int | None


def list_members(device: Device, port: PortGroup) -> dict[int, list[TrafficClass]]:
    """The classes of each queue on a port."""
    members: dict[int, list[TrafficClass]] = {}
    for cls in device.all_classes_on(port):
        members.setdefault(cls.queue, []).append(cls)
    return dict(sorted(members.items()))


def make_inputs(members: dict[int, list[TrafficClass]]) -> tuple[Input, ...]:
    """What the scheduler serves."""
    out = []
    for queue, classes in members.items():
        share = first_stated(classes, lambda c: c.bandwidth)
        peak = first_stated(classes, lambda c: c.max_percent)
        strict = classes[0].strict
        out.append(
            Input(
                queue,
                strict,
                None if strict or share is None else int(share),
                None if peak is None else int(peak),
            )
        )
    return tuple(out)


def find_curve(port: PortGroup, classes: list[TrafficClass]) -> Slope | None:
    """The curve of a queue on a port; None: it does not mark."""
    crossing = [cls for cls in classes if cls.name in port.classes]
    ecn = curve_in_bytes(crossing[0], port.speed) if crossing else None
    return None if ecn is None else Slope(ecn.kmin, ecn.kmax, int(ecn.pmax), ecn.weight)


def find_limit(device: Device, curve: Slope, *, lossless: bool, at: TrafficClass) -> int:
    """Bytes that a queue which marks may hold: ECN needs a limit, beyond which packets are dropped."""
    stated, chip = device.buffers.queue_limit, device.asic.usable_buffer if device.asic is not None else None
    limit = stated or (chip // _SHARE if chip is not None else _PUBLISHED)
    limit = limit if lossless else max(limit // _LOSSY, curve.high * 2)
    if limit <= curve.high:
        raise CannotRender(
            f"class {at.name}: kmax is not below the {limit} bytes that its queue may hold",
            "lower kmax, or raise buffers.queue_limit",
            (at.at("ecn"),),
        )
    return limit


def find_pause(device: Device, curve: Slope | None) -> int:
    """The fill at which a PFC queue pauses: above kmax, so that ECN marks first; without a curve as EDA has it.

    No more than what the buffer has for each PFC queue, beside headroom, unless that is below kmax. Left to the system
    it is 50 KiB, which a port of 400G fills in a microsecond.
    """
    count = sum((len(port.names) or 1) * len(port.pfc) for port in device.ports)
    chip = device.asic.usable_buffer if device.asic is not None else None
    usual = _UNMARKED if curve is None else curve.high * _PAUSE[0] // _PAUSE[1]
    room = usual if chip is None else chip * (100 - RESERVATION) // 100 // max(1, count)
    return max(0 if curve is None else curve.high + 1, min(usual, room))
