"""A fabric of which few files are read: what has to be known of the others, and what stands for them.

The devices of a file that says nothing but devices and links depend on the files that say more, and on links. Where
none of these changed since all was read, they are what they were. Of files whose devices were alike, and alike
written, the first is read; `Other` devices stand for the rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from time import time_ns

from rocecfg.intent.overlap import Group
from rocecfg.intent.values import Section
from rocecfg.model import Device, Link, Span
from rocecfg.model.fleet import Cables, Fleet, Other, far, ordered
from rocecfg.nodeset import fold, names_of
from rocecfg.records import NamedTuple

PLAIN = frozenset({"devices", "links"})  # the sections of a file whose change reaches nobody else's devices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.intent.links import End, Stated


class Notes:
    """What reading a whole fabric shows of each file, by the number of its document."""

    __slots__ = ("begun", "devices", "included", "sections", "stated")

    def __init__(self) -> None:
        self.begun = time_ns()  # before any file was read
        self.sections: dict[int, tuple[str, ...]] = {}
        self.devices: dict[int, tuple[str, ...]] = {}  # the keys below devices
        self.included: dict[int, list[tuple[str, list[str]]]] = {}  # patterns and the paths they match
        self.stated: dict[str, Stated] = {}  # by the name of a device

    def file(self, number: int, section: Section) -> None:
        """A file was read."""
        self.sections[number] = tuple(section)
        self.devices[number] = device_keys(section)


def device_keys(section: Section) -> tuple[str, ...]:
    """The node sets below `devices` in a file's section."""
    val = section.get("devices")
    return tuple(val.value) if val is not None and isinstance(val.value, dict) else ()


class Kin(NamedTuple):
    """Files whose devices are alike."""

    like: int  # the document of the first, which is read
    names: tuple[tuple[str, ...], ...]  # of their devices: by the place of the key, whichever file it is in


class Stand(NamedTuple):
    """A file that is not read."""

    like: int  # the document of the file that its devices are like
    devices: tuple[tuple[str, tuple[str, ...]], ...]  # key and names of each


class Known(ABC):
    """What somebody knows of files that are not read; files are meant by the numbers of their documents."""

    @abstractmethod
    def links(self) -> list[Link]:
        """All links in them."""

    @abstractmethod
    def leading(self, names: frozenset[str]) -> list[Link]:
        """The links in them that lead to these devices."""

    @abstractmethod
    def order(self) -> Sequence[int]:
        """The files that devices stand in, read or not, in the order of the devices."""

    @abstractmethod
    def stand(self, number: int) -> Stand | None:
        """A file that is not read; None for one that is."""


class Reached(Exception):
    """Links of changed files lead to devices that were taken for unchanged: their names."""

    def __init__(self, names: frozenset[str]) -> None:
        super().__init__()
        self.names = names


class Rest:
    """What stands for the files that are not read, while the others are read and resolved."""

    def __init__(
        self,
        kins: Sequence[Kin],
        read: frozenset[str],
        settled: frozenset[str],
        included: Mapping[tuple[int, str], list[str]],
        changed: Mapping[int, tuple[str, ...]],
        known: Known,
    ) -> None:
        """Files are meant by the numbers of their documents.

        `read`: names of the devices that are read; `settled`: of those that stand for no others, whatever links add.
        `included`: the paths to read, by file and pattern. `changed`: files that are not as they were, with the keys
        that they had below devices.
        """
        self.names = frozenset(chain.from_iterable(names for kin in kins for names in kin.names)) - read
        self.stated: dict[str, Stated] = {}  # by the name of a device, read or not, once it was asked for
        self.is_unlike = True  # whether no device that may have changed is now like a later one that stands for others
        self._alike: frozenset[str] = frozenset()  # devices that are like an earlier one which may have changed
        self.fits = True  # whether what was read leaves the other files' devices as they were
        self._kins = kins
        self._devices_read = read
        self._settled = settled
        self._included = included
        self._changed = changed
        self._known = known
        self._keys: dict[int, tuple[str, ...]] = {}  # of files that were read

    # -- reading -------------------------------------------------------------------------------------------------------

    def file(self, number: int, section: Section) -> None:
        """A file was read."""
        self._keys[number] = device_keys(section)
        before = self._changed.get(number)
        if before is not None and not (PLAIN.issuperset(section) and device_keys(section) == before):
            self.fits = False

    def included(self, number: int, pattern: str) -> list[str]:
        """The files to read of those that a pattern in a file matches."""
        return self._included[number, pattern]

    # -- resolving -----------------------------------------------------------------------------------------------------

    def without(self, found: list[Group]) -> list[Group]:
        """Groups without the devices that are not read: a wide node set of the root may speak of these too."""
        out = []
        for group in found:
            names = tuple(name for name in group.names if name not in self.names)
            if len(names) == len(group.names):
                out.append(group)
            elif names:
                out.append(group._replace(key=fold(names), names=names))
        return out

    def ends(self, read: tuple[Link, ...], stated: Mapping[str, Stated]) -> dict[str, dict[str, End]]:
        """What links add to the ports of devices that are read, whatever files they stand in. Raises Reached."""
        from rocecfg.intent.links import ends

        every: dict[str, Stated] = {}
        for kin in self._kins:
            for key, names in zip(self._keys[kin.like], kin.names, strict=True):
                every.update(dict.fromkeys(names, stated[names_of(key)[0]]))
        every.update(stated)
        self.stated = every
        reached = ends([link for link in read if link.doc in self._changed], every).keys() - self._settled
        if reached:
            raise Reached(frozenset(reached))
        return ends(ordered(read, self._known.leading(self._devices_read)), every)

    def links(self, read: tuple[Link, ...]) -> Cables:
        """All links."""
        return Cables(read, self._known.links, lambda: self._near(read))

    def _near(self, read: tuple[Link, ...]) -> list[Link] | None:
        """What leads to devices that may have changed, and to their neighbours: None where these stand for others."""
        if not self.is_unlike:
            return None
        own = self._settled | self._alike
        every = (*read, *self._known.leading(own))
        told = (link for link in every if link.doc in self._changed or not own.isdisjoint(far(link)))
        return self._known.leading(own.union(*map(far, told)))

    def fleet(self, devices: list[Device]) -> Fleet:
        """All devices, of which these were worked out."""
        self._compare(devices)
        return Fleet(tuple(devices), self._others(devices), lambda: self._all(devices))

    def _others(self, devices: list[Device]) -> Iterator[tuple[Device, frozenset[str]]]:
        by_name = {name: device for device in devices for name in device.names}
        for kin in self._kins:
            for key, names in zip(self._keys[kin.like], kin.names, strict=True):
                yield by_name[names_of(key)[0]], self.names.intersection(names)

    def _compare(self, devices: list[Device]) -> None:
        """Find the devices that are like one before them which may have changed: rules tell of both at the first."""
        by_name = {name: device for device in devices for name in device.names}
        standing = {id(by_name[names_of(key)[0]]) for kin in self._kins for key in self._keys[kin.like]}
        earlier: list[Device] = []
        alike: list[Device] = []
        for device in devices:
            if not self._settled.isdisjoint(device.names):
                earlier.append(device)
            elif any(device == other and _ports(device) == _ports(other) for other in earlier):
                alike.append(device)
        self._alike = frozenset(name for device in alike for name in device.names)
        self.is_unlike = not any(id(device) in standing for device in alike)

    def _all(self, devices: list[Device]) -> Iterator[Device | Other]:
        read: dict[int, list[Device]] = {}
        for device in devices:
            at = device.at("")
            read.setdefault(at.doc if isinstance(at, Span) else 0, []).append(device)
        for number in self._known.order():
            stand = self._known.stand(number)
            if stand is None:
                yield from read[number]
            else:
                for like, (key, names) in zip(read[stand.like], stand.devices, strict=True):
                    yield Other(like, key, names)


def _ports(device: Device) -> tuple[tuple[str, ...], ...]:
    return tuple(port.names for port in device.ports)
