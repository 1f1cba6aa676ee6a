"""What a cache says of a fabric: its files, what they include, whose devices are alike, and where links lead."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby

from rocecfg.engine.cache_files import Place, dumped, packed
from rocecfg.engine.cache_tree import Gone, digest, survey
from rocecfg.engine.likeness import likeness
from rocecfg.engine.waivers import MARK
from rocecfg.intent.links import ends
from rocecfg.intent.partial import PLAIN, Notes
from rocecfg.model import Device, Fabric, Link, Span
from rocecfg.model.fleet import far
from rocecfg.nodeset import names_of
from rocecfg.profiles.kinds import FOLDER as PROFILES
from rocecfg.records import NamedTuple
from rocecfg.source.document import Document, read_bytes
from rocecfg.topology.ports import footing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rocecfg.intent import Loaded

Names = tuple[str, ...]


class Index(NamedTuple):
    """Files are meant by their numbers, which are those of their documents: reading all of them gives them in order."""

    root: str  # the name of the root file, which is number 0
    alone: tuple[int, ...]  # files that say more than devices and links: a change reaches the whole fabric
    always: tuple[int, ...]  # other files that are always read
    folders: tuple[tuple[Any, ...], ...]  # Folder
    digests: dict[int, bytes]  # of files whose state does not tell whether they were changed
    included: tuple[tuple[int, str, tuple[int, ...]], ...]  # by which file, the pattern, which files
    paths: tuple[tuple[int, Names], ...]  # a file, and the paths from there to the next files, which it includes
    kinds: tuple[tuple[tuple[int, ...], tuple[Names, ...]], ...]  # files with devices alike, and Kin.names of them
    places: tuple[Place, ...]  # where in the cache the facts of a file are
    order: Place  # where in the cache it says which files devices stand in, in the order of the devices
    profiles: tuple[tuple[str, bytes], ...]  # the team's own
    calm: bool  # whether the rules on the fabric as a graph find nothing


class Facts(NamedTuple):
    """What is only asked about a few files."""

    keys: Names  # below devices
    devices: tuple[tuple[str, Names], ...]  # key and names of what they came to
    links: tuple[tuple[Any, ...], ...]  # Link
    fed: tuple[int, ...]  # files to whose devices the links in this one add something
    leading: tuple[int, ...]  # files with links that lead to devices of this one
    footing: tuple[int, int, int]  # what the rules on the fabric as a graph see of its devices


def profiles(base: str) -> tuple[tuple[str, bytes], ...]:
    """The files of profiles beside an intent, by its folder, with what tells their texts apart. Raises SourceError."""
    top = os.path.join(base, PROFILES)
    found = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
    return tuple((os.path.relpath(path, top), digest(read_bytes(path))) for path in sorted(found))


def build(loaded: Loaded, documents: Sequence[Document], notes: Notes) -> tuple[Index, bytes]:
    """The index and the parts of a cache for a fabric that was read as a whole.

    Raises Gone for a fabric that is not to be read in parts, and OSError where a file is gone.
    """
    if loaded.fabric is None or [d.path for d in documents[: len(loaded.files)]] != [*loaded.files]:
        raise Gone
    fabric = _Fabric(loaded.fabric, documents[: len(loaded.files)], notes)
    folders, digests = survey(fabric.documents, notes.included, fabric.plain, notes.begun)
    facts = fabric.facts()
    places, parts = packed([*(dumped(tuple(each)) for each in facts), dumped(tuple(fabric.by_file))])
    always = (n for n, plain in enumerate(fabric.plain) if plain and is_odd(fabric.documents[n]))
    index = Index(
        os.path.basename(loaded.root),
        tuple(n for n, plain in enumerate(fabric.plain) if not plain),
        tuple(always),
        tuple(map(tuple, folders)),
        digests,
        *_included(fabric.documents, notes),
        fabric.kinds(),
        places[:-1],
        places[-1],
        profiles(os.path.dirname(loaded.root)),
        is_calm(loaded),
    )
    return index, parts


def is_calm(loaded: Loaded) -> bool:
    """Whether the rules on the fabric as a graph find nothing, whatever is asked of it."""
    from rocecfg.engine.judge import judge
    from rocecfg.rules.whole import ON_GRAPH

    return judge(loaded, ON_GRAPH) == ([], [])


def is_odd(document: Document) -> bool:
    """Whether a file is to be read in any case: what its waivers silence is counted."""
    return MARK in document.text


def by_file(devices: Iterable[Device]) -> dict[int, list[Device]]:
    """The devices of each file, files in the order of the devices. Raises Gone where a file's are not together."""
    out: dict[int, list[Device]] = {}
    last = None
    for device in devices:
        at = device.at("")
        number = at.doc if isinstance(at, Span) else 0
        if number != last and number in out:
            raise Gone
        last = number
        out.setdefault(number, []).append(device)
    return out


def _included(
    documents: Sequence[Document], notes: Notes
) -> tuple[tuple[tuple[int, str, tuple[int, ...]], ...], tuple[tuple[int, Names], ...]]:
    """Which files include which: by pattern, and by number. Raises Gone where that is not all there is to it."""
    numbers = {d.path: d.number for d in documents}
    included = []
    by: dict[int, tuple[int, str]] = {}
    for number, found in notes.included.items():
        folder = os.path.dirname(documents[number].path)
        for pattern, matched in found:
            if not matched or any(path not in numbers for path in matched):
                raise Gone
            included.append((number, pattern, tuple(numbers[path] for path in matched)))
            for path in matched:
                by.setdefault(numbers[path], (number, _below(folder, path, pattern)))
    if sorted(by) != [*range(1, len(documents))]:  # files of links are named elsewhere
        raise Gone
    runs = groupby((by[number] for number in range(1, len(documents))), key=lambda one: one[0])
    return tuple(included), tuple((number, tuple(path for _, path in run)) for number, run in runs)


def _below(folder: str, path: str, pattern: str) -> str:
    """A path as a pattern in a file of that folder gave it. Raises Gone where that cannot be told from the path."""
    odd = os.path.normpath(pattern) != pattern
    if folder.startswith(os.pardir):  # there it was made short
        if odd:
            raise Gone
        return os.path.relpath(path, folder)
    if odd and os.pardir in pattern:  # which leads elsewhere if what is before it is a link
        raise Gone
    return path.removeprefix(os.path.join(folder, ""))


class _Fabric:
    """A fabric by the files that its devices stand in. Raises Gone where devices stand in several."""

    def __init__(self, fabric: Fabric, documents: Sequence[Document], notes: Notes) -> None:
        self.fabric = fabric
        self.documents = documents
        self.notes = notes
        self.numbers = range(len(documents))
        self.plain = [n in notes.sections and PLAIN.issuperset(notes.sections[n]) for n in self.numbers]
        self.by_file = by_file(fabric.devices)
        self.owners = {name: n for n, found in self.by_file.items() for device in found for name in device.names}
        for number in self.numbers:
            for key in notes.devices.get(number, ()) if self.plain[number] else ():
                if any(self.owners.get(name) != number for name in names_of(key)):
                    raise Gone

    def kinds(self) -> tuple[tuple[tuple[int, ...], tuple[Names, ...]], ...]:
        """Files that say nothing but devices and links, those with devices alike together."""
        found: dict[object, list[int]] = {}
        for number in self.numbers:
            if self.plain[number]:
                keys = self.notes.devices[number]
                said = tuple(id(self.notes.stated[names_of(key)[0]]) for key in keys)
                what = likeness(number, self.by_file.get(number, ()), self.plain)
                found.setdefault((self.notes.sections[number], len(keys), said, what), []).append(number)
        return tuple((tuple(numbers), self._names(numbers)) for numbers in found.values())

    def _names(self, numbers: list[int]) -> tuple[Names, ...]:
        of_each = zip(*(self.notes.devices[number] for number in numbers), strict=True)
        return tuple(tuple(name for key in keys for name in names_of(key)) for keys in of_each)

    def facts(self) -> list[Facts]:
        """The facts of each file."""
        links: list[list[Link]] = [[] for _ in self.numbers]
        for link in self.fabric.links:
            links[link.doc].append(link)
        leading: list[dict[int, None]] = [{} for _ in self.numbers]
        for number, own in enumerate(links):
            for link in own:
                for name in far(link):
                    other = self.owners.get(name, number)
                    if other != number:
                        leading[other][number] = None
        return [
            Facts(
                self.notes.devices.get(number, ()),
                tuple((device.key, device.names) for device in self.by_file.get(number, ())),
                tuple(map(tuple, links[number])),
                tuple(sorted({self.owners[name] for name in ends(links[number], self.notes.stated)} - {number})),
                tuple(leading[number]),
                footing(self.by_file.get(number, ())),
            )
            for number in self.numbers
        ]
