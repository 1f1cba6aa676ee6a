"""What numbers of the model come to, computed once for each distinct kind of device and port."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.model import AUTO, Device, Headroom, Origin, Pools, PortGroup, TrafficClass
from rocecfg.model.frozen import replace
from rocecfg.sizing.chip import SizedChip

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded where there is a chip: a policy may need none of it
    from typing import Any

    from rocecfg.model import Asic, Box
    from rocecfg.sizing.marking import Aims, Demand

    Copies = dict[int, tuple[Device, Device]]


class Sized(NamedTuple):
    """What a lossless priority group of a port gets."""

    room: Headroom | None
    alpha: float | None
    alpha_at: Origin | None


_DYNAMIC = "dynamic"  # buffer model


def _size_pools(chip: SizedChip) -> Pools:
    from rocecfg.sizing.pools import size_pools

    return size_pools(chip)


class Sizes:
    """The numbers of devices with one chip, box, release and buffers; what their ports share is computed once."""

    def __init__(self, chip: SizedChip) -> None:
        self.chip = chip
        # of a policy for no chip and no system nothing is known but what it states
        self._bare = chip.asic is None and chip.nos is None
        self.pools = Pools() if self._bare else _size_pools(chip)
        self._ports: dict[tuple[Any, ...], Sized] = {}

    def fill_in(self, port: PortGroup) -> PortGroup:
        """Lossless ports with the headroom and alpha of their priority groups; others as they are."""
        if not port.pfc:
            return port
        box = self.chip.box
        port = _find_fastest(port, box)
        model = self.chip.buffers.model or (box.buffer_model if box is not None else None)
        # a table of headroom is looked up by the speed as configured; what a switch works out is for the fastest one
        sized = self._size_port(port.fastest if model == _DYNAMIC else port.speed, port.cable, port.mtu, port.headroom)
        found = {"room": sized.room.at() if sized.room is not None else None, "alpha": sized.alpha_at}
        origins = {**port.origins, **{key: at for key, at in found.items() if at is not None}}
        return replace(port, room=sized.room, alpha=sized.alpha, origins=origins)

    def _size_port(
        self, speed: int | None, cable: float | None, mtu: int | None, stated: Headroom | str | None
    ) -> Sized:
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


def _find_fastest(port: PortGroup, box: Box | None) -> PortGroup:
    """A port that offers all speeds it has: the fastest of the box's that its lanes carry."""
    running = port.running
    if running is None or running.offers != () or running.lanes is None or box is None or not box.cages:
        return port
    most = running.lanes * max(cages.lane for cages in box.cages)
    fitting = [speed for speed in box.speeds if speed <= most]
    return replace(port, running=replace(running, fastest=max(fitting))) if fitting else port


# -- ecn: auto ---------------------------------------------------------------------------------------------------------


def size_curves(devices: list[Device], copies: Copies, find_aims: Callable[[], Aims]) -> list[Device]:
    """The devices with `ecn: auto` computed: of a chip and a speed one curve all over the fabric.

    A class stays as it is where nobody can know. `copies`: as of `Fabric`, brought up to date.
    """
    asking: dict[tuple[Asic, int], list[_Asking]] = {}
    for device in devices:
        for asic, speed, one in _list_asking(device):
            asking.setdefault((asic, speed), []).append(one)
    if not asking:
        return devices
    curves = _Curves(find_aims(), asking)
    out = [curves.fill_in(device) for device in devices]
    now = {id(before): after for before, after in zip(devices, out, strict=True)}
    fresh = {id(now[id(copy)]): (now[id(copy)], now.get(id(of), of)) for copy, of in copies.values()}
    copies.clear()
    copies.update(fresh)
    return out


class _Asking(NamedTuple):
    """A class that is to have a curve, and the ports of one speed of a device that it is for."""

    device: Device
    cls: TrafficClass
    ports: tuple[PortGroup, ...]


def _list_asking(device: Device) -> Iterator[tuple[Asic, int, _Asking]]:
    asic = device.asic
    if asic is None:
        return
    stated = [(cls, device.ports) for cls in device.classes if cls.ecn == AUTO]
    stated += [(cls, (port,)) for port in device.ports for cls in port.overrides if cls.ecn == AUTO]
    for cls, ports in stated:
        crossed = [port for port in ports if cls.name in port.classes]
        for speed in sorted({port.speed for port in crossed if port.speed is not None}):
            yield asic, speed, _Asking(device, cls, tuple(port for port in crossed if port.speed == speed))


class _Curves:
    """What `ecn: auto` comes to, by chip and speed."""

    def __init__(self, aims: Aims, asking: dict[tuple[Asic, int], list[_Asking]]) -> None:
        from rocecfg.sizing.marking import merge_demands

        self._aims = aims
        known: dict[tuple[Any, ...], Demand] = {}
        self._demands = {
            of: merge_demands(self._find_demand(*of, one, known) for one in every) for of, every in asking.items()
        }
        self._filled: dict[tuple[int, Asic, tuple[int, ...]], tuple[TrafficClass, TrafficClass]] = {}

    def _find_demand(self, asic: Asic, speed: int, one: _Asking, known: dict[tuple[Any, ...], Demand]) -> Demand:
        from rocecfg.sizing.marking import Demand, find_limits

        device, cls, ports = one
        sharing = sum(len(port.names) for port in device.ports if port.pfc)
        count = sharing or (asic.capacity // speed if asic.capacity is not None else None)
        kinds = tuple(dict.fromkeys((port.alpha, port.cable, port.mtu) for port in ports))
        key = (asic, speed, device.pools, count, cls.lossless, kinds)
        found = known.get(key)
        if found is None:
            tightest = min(ports, key=lambda port: port.alpha if port.alpha is not None else 0)
            longest = max((port.cable for port in ports if port.cable is not None), default=None)
            alpha = tightest.alpha if cls.lossless else None  # PFC bounds no lossy queue
            bounds = find_limits(device.pools.lossless, alpha, count, speed, longest, self._aims)
            mtu = max((port.mtu for port in ports if port.mtu is not None), default=None)
            facts = (device.pools.at("lossless"), tightest.at("alpha"))
            found = known[key] = Demand(bounds, mtu, facts)
        return found

    def fill_in(self, device: Device) -> Device:
        """The device with its curves; itself where it has none."""
        speeds: dict[int, list[int]] = {}
        for _, speed, one in _list_asking(device):
            speeds.setdefault(id(one.cls), []).append(speed)
        if not speeds or device.asic is None:
            return device
        asic = device.asic

        def fill(cls: TrafficClass) -> TrafficClass:
            return self._fill_class(cls, asic, tuple(speeds[id(cls)])) if id(cls) in speeds else cls

        ports = tuple(
            replace(port, overrides=tuple(map(fill, port.overrides)))
            if any(id(cls) in speeds for cls in port.overrides)
            else port
            for port in device.ports
        )
        return replace(device, classes=tuple(map(fill, device.classes)), ports=ports)

    def _fill_class(self, cls: TrafficClass, asic: Asic, speeds: tuple[int, ...]) -> TrafficClass:
        from rocecfg.sizing.marking import find_curve

        key = (id(cls), asic, speeds)
        known = self._filled.get(key)
        if known is None:
            at, speeds = cls.at("ecn"), tuple(dict.fromkeys(speeds))
            curves = [(speed, find_curve(self._aims, asic, speed, self._demands[asic, speed], at)) for speed in speeds]
            # the class goes in too: while it lives nothing else has its id
            known = self._filled[key] = cls, replace(cls, ecn_by_speed=tuple(curves))
        return known[1]
