"""Devices of which few had to be worked out, since the others are like one of these, and links that few ask for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import itemgetter

from rocecfg.model.fabric import Device, Link
from rocecfg.model.frozen import replace
from rocecfg.nodeset import names_of
from rocecfg.records import NamedTuple

_FILE = itemgetter(Link._fields.index("doc"))


class Other(NamedTuple):
    """Devices with the settings of another one, written the same way in a file of their own."""

    like: Device
    key: str  # the node set as written
    names: tuple[str, ...]


class Fleet(Sequence[Device]):
    """All devices in their order, made when somebody goes through them: most are content with `distinct`.

    The places of an `Other` are those of the device that it is like, and its hostname is not known.
    """

    def __init__(
        self,
        distinct: tuple[Device, ...],
        others: Iterable[tuple[Device, frozenset[str]]],
        all_of_them: Callable[[], Iterable[Device | Other]],
    ) -> None:
        """`others`: the names of the switches besides that are like a device."""
        self.distinct = distinct
        self._others = tuple(others)
        self._entries = all_of_them
        self._made: tuple[Device, ...] | None = None

    def _devices(self) -> tuple[Device, ...]:
        if self._made is None:
            self._made = tuple(
                replace(entry.like, key=entry.key, names=entry.names, hostname=None)
                if isinstance(entry, Other)
                else entry
                for entry in self._entries()
            )
        return self._made

    def __len__(self) -> int:
        return len(self._devices())

    def __iter__(self) -> Iterator[Device]:
        return iter(self._devices())

    def __getitem__(self, at: int | slice) -> Device | tuple[Device, ...]:  # type: ignore[override]
        return self._devices()[at]

    def named(self) -> Iterator[tuple[Device, Collection[str]]]:
        """The devices that were worked out, each with names: its own, and those of further ones like it."""
        yield from ((device, device.names) for device in self.distinct)
        yield from self._others

    def keys(self, wanted: Collection[int]) -> tuple[str, ...]:
        """The keys of devices that were worked out, by their identity, and of those that are like one of them."""
        if not any(id(device) in wanted for device, _ in self._others):
            return tuple(device.key for device in self.distinct if id(device) in wanted)
        entries = ((entry, entry.like if isinstance(entry, Other) else entry) for entry in self._entries())
        return tuple(entry.key for entry, like in entries if id(like) in wanted)


class Cables(Sequence[Link]):
    """All links of a fabric in their order; those in files that are not read are fetched when somebody asks."""

    def __init__(
        self, read: tuple[Link, ...], others: Callable[[], list[Link]], near: Callable[[], list[Link] | None]
    ) -> None:
        """`others`: the links in files that are not read; `near`: those that matter to what is told, None for all."""
        self.read = read
        self._fetch = others
        self._fetch_near = near
        self._all: tuple[Link, ...] | None = None

    def _links(self) -> tuple[Link, ...]:
        if self._all is None:
            self._all = ordered(self.read, self._fetch())
        return self._all

    @property
    def near(self) -> tuple[Link, ...]:
        """The links that matter to what is reported."""
        found = self._fetch_near()
        return self._links() if found is None else ordered(self.read, found)

    def __bool__(self) -> bool:
        return bool(self.read) or bool(self._links())

    def __len__(self) -> int:
        return len(self._links())

    def __iter__(self) -> Iterator[Link]:
        return iter(self._links())

    def __getitem__(self, at: int | slice) -> Link | tuple[Link, ...]:  # type: ignore[override]
        return self._links()[at]


def ordered(read: Iterable[Link], others: Iterable[Link]) -> tuple[Link, ...]:
    """Links as reading all files would give them: file by file."""
    return tuple(sorted((*read, *others), key=_FILE))


def far(link: Link) -> tuple[str, ...]:
    """The devices that a link leads to."""
    return (*names_of(link.a_device), *names_of(link.b_device))
