"""Noting in a cache what became of a few files, without reading all the others again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from rocecfg.engine.cache_files import dumped, packed
from rocecfg.engine.cache_index import Facts, Index, by_file, is_calm, is_odd
from rocecfg.engine.cache_recall import Reading, Recalled
from rocecfg.engine.cache_tree import digest_of, is_fresh
from rocecfg.engine.likeness import likeness
from rocecfg.intent.links import ends
from rocecfg.model import Fabric, Link
from rocecfg.model.fleet import far
from rocecfg.nodeset import names_of
from rocecfg.topology.ports import footing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ENOUGH = 4  # files to be looked at each time; fewer cost less than writing the cache


def updated(recalled: Recalled) -> tuple[Index, bytes] | None:
    """The index and the parts of the cache as they are now; None where that is not worth it, or not that simple."""
    reading = recalled.reading
    (loaded,) = recalled.found.fabrics
    if loaded.fabric is None or loaded.fabric.broken or loaded.read is None or loaded.read.nameless:
        return None
    stirred = not loaded.calm and reading.seen.index.calm
    costly = reading.states and (stirred or not reading.rest.is_unlike)  # all links are followed each time
    if not costly and len(reading.states) < _ENOUGH and _aged(reading) < _ENOUGH:
        return None
    kinds = [_Kind(*kind) for kind in reading.seen.index.kinds]
    return _Update(recalled, loaded.fabric, kinds).made() if all(kind.is_simple for kind in kinds) else None


def _aged(reading: Reading) -> int:
    """How many files were told by their texts, and need not be any more."""
    index, begun = reading.seen.index, reading.notes.begun
    members = (member for *_, members in index.folders for member in members) if index.digests else ()
    return sum(number in index.digests and not is_fresh(state, begun) for _, number, state in members)


class _Kind:
    """Files with devices alike, each of them with one name for each key."""

    def __init__(self, numbers: Iterable[int], names: Iterable[Iterable[str]]) -> None:
        self.numbers = list(numbers)
        self.names = [list(each) for each in names]

    @property
    def is_simple(self) -> bool:
        return all(len(each) == len(self.numbers) for each in self.names)

    def remove(self, number: int) -> None:
        at = self.numbers.index(number)
        del self.numbers[at]
        for each in self.names:
            del each[at]

    def add(self, number: int, names: Iterable[str]) -> None:
        at = bisect_left(self.numbers, number)
        self.numbers.insert(at, number)
        for each, name in zip(self.names, names, strict=True):
            each.insert(at, name)


class _Update:
    def __init__(self, recalled: Recalled, fabric: Fabric, kinds: list[_Kind]) -> None:
        self.reading = recalled.reading
        (loaded,) = recalled.found.fabrics
        self.calm = loaded.calm or is_calm(loaded)
        self.documents = recalled.sources.documents
        self.fabric = fabric
        self.kinds = kinds
        self.seen = recalled.reading.seen
        self.index = self.seen.index
        self.by_file = by_file(fabric.distinct)
        self.plain = [True] * len(self.documents)
        for number in self.index.alone:
            self.plain[number] = False
        self.links: dict[int, list[Link]] = {}  # of files that are read
        for link in getattr(fabric.links, "read", ()):
            self.links.setdefault(link.doc, []).append(link)
        self.owners: dict[str, int] = {}  # the file that a device stands in
        for kind in kinds:
            self.owners.update((name, n) for names in kind.names for n, name in zip(kind.numbers, names, strict=True))
        self.owners.update((name, n) for n, found in self.by_file.items() for device in found for name in device.names)

    def made(self) -> tuple[Index, bytes] | None:
        if not self._sort():
            return None
        opened, index = self.seen.opened, self.index
        facts = self._facts()
        raw = (opened.raw(place) for place in index.places)
        places, parts = packed(
            [
                *(dumped(tuple(facts[n])) if n in facts else part for n, part in enumerate(raw)),
                opened.raw(index.order),
            ]
        )
        touched = self.reading.touched
        odd = {n for n in touched if is_odd(self.documents[n])}
        return index._replace(
            always=tuple(sorted({*index.always} - touched | odd)),
            folders=self._folders(),
            digests=self._digests(),
            kinds=tuple((tuple(kind.numbers), tuple(map(tuple, kind.names))) for kind in self.kinds if kind.numbers),
            places=places[:-1],
            order=places[-1],
            calm=self.calm,
        ), parts

    def _sort(self) -> bool:
        """Put the changed files where they belong now; False where that is not simple."""
        known: dict[object, _Kind] = {}
        for kind in self.kinds:
            first = next((n for n in kind.numbers if n not in self.reading.apart), None)
            if first is not None:
                known[self._what(first)] = kind
        for number in sorted(self.reading.apart.difference(self.index.alone)):
            before = next(kind for kind in self.kinds if number in kind.numbers)
            keys = self.seen.facts(number).keys
            what = self._what(number)
            if what not in known:
                known[what] = _Kind((), ((),) * len(keys))
                self.kinds.append(known[what])
            names = [names_of(key) for key in keys]
            if any(len(each) != 1 for each in names):
                return False
            before.remove(number)
            known[what].add(number, (name for (name,) in names))
        return True

    def _what(self, number: int) -> object:
        """What is equal for files of one kind."""
        keys = self.seen.facts(number).keys
        stated = self.reading.rest.stated
        said = tuple(tuple(stated[names_of(key)[0]].items()) for key in keys)
        return self.reading.notes.sections[number], said, likeness(number, self.by_file.get(number, ()), self.plain)

    def _facts(self) -> dict[int, Facts]:
        """The facts of the files that they are not as they were of."""
        touched, old = self.reading.touched, self.seen.facts
        leading = {number: {*old(number).leading} for number in touched}
        for number in touched:
            before = {self.owners.get(name, number) for link in old(number).links for name in far(Link(*link))}
            now = {self.owners.get(name, number) for link in self.links.get(number, ()) for name in far(link)}
            for other in before ^ now - {number}:
                leading.setdefault(other, {*old(other).leading}).symmetric_difference_update({number})
        out = {n: old(n)._replace(leading=tuple(sorted(found))) for n, found in leading.items()}
        for number in self.reading.apart:
            devices = tuple((device.key, device.names) for device in self.by_file.get(number, ()))
            out[number] = out.get(number, old(number))._replace(devices=devices)
        for number in touched:
            links = tuple(map(tuple, self.links.get(number, ())))
            out[number] = out[number]._replace(links=links, footing=footing(self.by_file.get(number, ())))
        for number in touched.union(*(out[number].leading for number in touched)):
            facts = out.get(number, old(number))
            adding = ends([Link(*link) for link in facts.links], self.reading.rest.stated)
            fed = {self.owners[name] for name in adding} - {number}
            out[number] = facts._replace(fed=tuple(sorted(fed)))
        return out

    def _folders(self) -> tuple[tuple[Any, ...], ...]:
        states = self.reading.states
        return tuple(
            (*rest, tuple((name, number, states.get(number, state)) for name, number, state in members))
            for *rest, members in self.index.folders
        )

    def _digests(self) -> dict[int, bytes]:
        """Of the files that were written so short a time ago that their states do not tell yet."""
        begun = self.reading.notes.begun
        out = {}
        for *_, members in self._folders():
            for _, number, state in members:
                if is_fresh(state, begun):
                    known = self.index.digests.get(number) if number not in self.reading.states else None
                    out[number] = known or digest_of(self.documents[number])
        return out
