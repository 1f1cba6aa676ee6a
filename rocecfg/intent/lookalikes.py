"""Devices that are equal but for their names and places: the first of them is resolved, the others are made from it.

Where the texts of two devices in files of one shape (`filling`) are equal but for what says nothing of how they behave
(names, addresses, descriptions: `repeated`), all that they amount to is equal, except where it came from: the same
places in another file, which are computed when somebody asks.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.intent.nodeset_merge import MergedNames
from rocecfg.intent.precedence import pick_plain
from rocecfg.intent.read import Read
from rocecfg.intent.repeated import own_values
from rocecfg.model import Computed, Device, Origin, PortGroup, Span, spans_of
from rocecfg.model.fabric import WithOrigins
from rocecfg.model.frozen import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SHARED = ("room", "alpha")  # of a port: worked out once for all devices of a chip, so their origins are the first's


class MovedOrigins(Mapping[str, Origin]):
    """The origins of one device's values, for another one whose text stands at the same places of another file."""

    __slots__ = ("_block", "_doc", "_first")

    def __init__(self, first: Mapping[str, Origin], block: Span, doc: int) -> None:
        """`block`: the text of the device that `first` is of; what came from elsewhere did so for both."""
        self._first = first
        self._block = block
        self._doc = doc

    def __getitem__(self, key: str) -> Origin:
        return _move_origin(self._first[key], self._block, self._doc)

    def __iter__(self) -> Iterator[str]:
        return iter(self._first)

    def __len__(self) -> int:
        return len(self._first)


def _move_origin(origin: Origin, block: Span, doc: int) -> Origin:
    if isinstance(origin, Span):
        return origin._replace(doc=doc) if _is_within(origin, block) else origin
    if isinstance(origin, Computed):
        return origin._replace(inputs=tuple(_move_origin(part, block, doc) for part in origin.inputs))
    return origin


def _is_within(span: Span, block: Span) -> bool:
    return span.doc == block.doc and block.start <= span.start and span.end <= block.end


class First(NamedTuple):
    """The first of some devices that are equal but for names and places."""

    device: Device
    block: Span  # its text
    own_dogs: tuple[bool, ...]  # by port: whether its watchdog is stated there

    def copy(self, group: MergedNames) -> Device:
        """The device of another group that is equal to it."""
        doc = group.at.doc
        origins = MovedOrigins(self.device.origins, self.block, doc)
        return replace(
            self.device,
            names=group.names,
            key=group.key,
            hostname=pick_plain("hostname", {}, own_values(group.section)),
            ports=tuple(
                self._copy_port(port, own, doc) for port, own in zip(self.device.ports, self.own_dogs, strict=True)
            ),
            origins=origins,
        )

    def _copy_port(self, port: PortGroup, own_dog: bool, doc: int) -> PortGroup:
        dog = port.watchdog
        if dog is not None and own_dog:
            dog = replace(dog, origins=MovedOrigins(dog.origins, self.block, doc))
        return replace(port, watchdog=dog, origins=MovedOrigins(port.origins, self.block, doc))


class Lookalikes:
    """Tells which devices of an intent are equal but for names and places."""

    def __init__(self, read: Read) -> None:
        self._alike = read.alike
        self._merged = read.merged

    def make_key(self, group: MergedNames) -> Hashable | None:
        """What is equal of groups whose devices are; None where nothing is known of that."""
        known = self._alike.get(group.at[:2])
        return known[0] if known is not None and group.alone and group.key not in self._merged else None

    def make_first(self, group: MergedNames, devices: list[Device]) -> First | None:
        """The device that was made of a group with a key, for others to be made from; None where that cannot be."""
        block = group.at._replace(end=self._alike[group.at[:2]][1])
        if len(devices) != 1 or not _is_movable(devices[0], block):
            return None
        dogs = (port.watchdog for port in devices[0].ports)
        return First(devices[0], block, tuple(dog is not None and _is_written_in(dog, block) for dog in dogs))


def _is_movable(device: Device, block: Span) -> bool:
    """Whether nothing that devices share came from the text of this one."""
    shared: list[Any] = [
        *device.classes,
        device.maps,
        device.buffers,
        device.pools,
        device.load_balancing,
        device.trimming,
        *device.taken_off,
    ]
    for port in device.ports:
        shared += [port.headroom, port.room, port.maps, *port.overrides]
        if any(_is_within(span, block) for key in _SHARED for span in spans_of(port.origins.get(key))):
            return False
    return not any(_is_written_in(part, block) for part in shared if isinstance(part, WithOrigins))


def _is_written_in(part: WithOrigins, block: Span) -> bool:
    """Whether some value in it was written there."""
    if any(_is_within(span, block) for origin in part.origins.values() for span in spans_of(origin)):
        return True
    inner = [getattr(part, name) for name in ("ecn", "ecn_by_speed") if hasattr(part, name)]
    curves = [inner[0], *(curve for _, curve in inner[1])] if inner else []
    return any(_is_written_in(curve, block) for curve in curves if isinstance(curve, WithOrigins))
