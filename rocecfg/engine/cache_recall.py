"""Reading the files of a fabric that matter for a lint, by what a cache says of the others."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from rocecfg.engine.cache_files import Opened
from rocecfg.engine.cache_index import Facts, Index, by_file, profiles
from rocecfg.engine.cache_tree import Gone, State, changed
from rocecfg.engine.discover import Found
from rocecfg.engine.roots import above
from rocecfg.intent import load
from rocecfg.intent.partial import Kin, Known, Notes, Reached, Rest, Stand
from rocecfg.model import Fabric, Link
from rocecfg.model.fleet import far
from rocecfg.records import NamedTuple
from rocecfg.source.document import Sources
from rocecfg.topology.ports import footing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.engine.finding import Finding
    from rocecfg.engine.run import Run
    from rocecfg.settings.policies import Policies

_MOST_READ = 200  # files; beyond, and beyond half of all, reading the rest too is not much more
_EXACT = ("link-", "path-", "role-", "ecn-role-")  # rules on the fabric that reckon with devices which stand for others
_MOST_CHANGED = 32  # files that nobody asked about; after so many, all are read and noted anew
_ROUNDS = 4
_LINKS = Facts._fields.index("links")
_new = tuple.__new__


class Recalled(NamedTuple):
    """A fabric of which the files that matter for a lint were read."""

    found: Found
    sources: Sources
    reading: Reading

    def holds(self, run: Run, policies: Policies | None) -> bool:
        """Whether reading all files would report the same.

        Not where what is reported reaches devices that stand for others, or where findings in all files are counted.
        """
        if run.failed or run.unreadable:
            return False
        for loaded in self.found.fabrics:
            policy = policies(loaded.root) if policies is not None else None
            if policy is not None and (policy.baseline is not None or policy.per_file):
                return False
        return all(self._is_exact(finding) for finding in run.findings)

    def _is_exact(self, finding: Finding) -> bool:
        if finding.devices:
            return self.reading.shared.isdisjoint(finding.devices)
        if finding.rule.scope == "fabric":
            return finding.rule.name.startswith(_EXACT)
        spans = [finding.at, *(span for span, _ in finding.related)]
        return all(span is not None and not self.reading.is_vague(span.doc) for span in spans)


class Seen:
    """A cache as it is seen from the current folder. Its methods raise Gone where all files have to be read."""

    def __init__(self, opened: Opened, root: str, allowed: tuple[str, ...]) -> None:
        self.allowed = allowed
        self.opened = opened
        self.index = Index(*opened.index)
        self.root = root
        self.base = os.path.dirname(root)
        self.documents = self._paths()
        self._facts: dict[int, Facts] = {}

    def facts(self, number: int) -> Facts:
        """The facts of a file."""
        if number not in self._facts:
            self._facts[number] = Facts(*self.opened.part(self.index.places[number]))
        return self._facts[number]

    def _paths(self) -> tuple[str, ...]:
        """The paths of all files, as reading them gives them."""
        out = [self.root]
        for by, paths in self.index.paths:
            folder = os.path.dirname(out[by])
            before = os.path.join(folder, "")
            found = [before + path for path in paths]
            if folder.startswith(os.pardir):
                found = [_short(path) for path in found]
            out += found
        return tuple(out)

    def recalled(self, paths: tuple[str, ...]) -> Recalled:
        """The fabric as far as these files need it."""
        index = self.index
        chains = [frozenset(self._relative(folder) for folder in above(path)) for path in paths]
        chain = frozenset[str]().union(*chains)
        if not all(os.curdir in each for each in chains) or not chain <= {folder[0] for folder in index.folders}:
            raise Gone
        if index.profiles != profiles(self.base):
            raise Gone
        asked = frozenset(self._number(path) for path in paths)
        states = changed(self.base, index.folders, index.digests, chain)
        more: frozenset[int] = frozenset()
        for _ in range(_ROUNDS):
            reading = Reading(self, asked, states, more)
            sources = Sources(self.allowed)
            sources.expect(self.documents)
            try:
                loaded = load(self.root, sources, rest=reading.rest, notes=reading.notes)
            except Reached as reached:
                more |= reading.holding(reached.names)
                continue
            if loaded.errors or loaded.fabric is None or not reading.rest.fits:
                raise Gone
            focus = frozenset(map(os.path.abspath, paths))
            calm = index.calm and reading.is_calm(loaded.fabric)
            found = Found([loaded._replace(files=self.documents, calm=calm)], focus, [])
            return Recalled(found, sources, reading)
        raise Gone

    def _number(self, path: str) -> int:
        """The number of a file that was asked about."""
        folder, name = os.path.split(path)
        relative = self._relative(folder or os.curdir)
        for where, *_, members in self.index.folders:
            if where == relative:
                for member, number, _ in members:
                    if member == name:
                        return int(number)
        raise Gone

    def _relative(self, folder: str) -> str:
        return os.path.relpath(folder, self.base or os.curdir)


class Reading(Known):
    """Which files are read, and what is known of the others."""

    def __init__(self, seen: Seen, asked: frozenset[int], states: Mapping[int, State], more: frozenset[int]) -> None:
        """`states`: what changed files are now. `more`: files whose devices those asked about or changed reach."""
        index = seen.index
        self.seen = seen
        self.states = states
        self.touched = touched = asked.union(states)
        if not touched.isdisjoint(index.alone) or len(states.keys() - asked) > _MOST_CHANGED:
            raise Gone
        self.notes = Notes()
        self.apart = apart = {*touched, *more, *(other for number in touched for other in seen.facts(number).fed)}
        always = {*index.always, *(other for number in index.always for other in seen.facts(number).fed)}
        self.read = {*apart, *always, *index.alone}
        firsts = [next((n for n in numbers if n not in apart), None) for numbers, _ in index.kinds]
        self.read.update(first for first in firsts if first is not None)
        if len(self.read) > min(_MOST_READ, len(index.places) // 2):
            raise Gone
        self._likes: dict[int, int] = {}  # by the place of a kind, the file that stands for those that are not read
        kins = []
        for kind, ((numbers, names), first) in enumerate(zip(index.kinds, firsts, strict=True)):
            if first is not None and not self.read.issuperset(numbers):
                self._likes[kind] = first
                kins.append(Kin(first, names))
        self.shared = frozenset(self._devices(self._likes.values()))
        included = {
            (number, pattern): [seen.documents[n] for n in numbers if n in self.read]
            for number, pattern, numbers in index.included
        }
        before = {number: seen.facts(number).keys for number in touched}
        settled = frozenset(self._devices({*apart, *index.alone}))
        self.rest = Rest(kins, frozenset(self._devices(self.read)), settled, included, before, self)

    def _devices(self, numbers: Iterable[int]) -> Iterator[str]:
        return (name for number in numbers for _, names in self.seen.facts(number).devices for name in names)

    def is_vague(self, number: int) -> bool:
        """Whether others may stand for a file, or it for others."""
        return number not in self.read or number in self._likes.values()

    def is_calm(self, fabric: Fabric) -> bool:
        """Whether the files that may have changed say of the fabric as a graph what they said before."""
        devices = by_file(fabric.distinct)
        links: dict[int, list[Link]] = {}
        for link in getattr(fabric.links, "read", ()):
            links.setdefault(link.doc, []).append(link)
        for number in self.touched:
            facts = self.seen.facts(number)
            if [link[:4] for link in links.get(number, ())] != [link[:4] for link in facts.links]:
                return False
            if footing(devices.get(number, ())) != facts.footing:
                return False
        return True

    def holding(self, names: frozenset[str]) -> frozenset[int]:
        """The files that devices stand in which say nothing but devices and links."""
        out: set[int] = set()
        for numbers, known in self.seen.index.kinds:
            for found in known:
                if len(found) == len(numbers):  # a name each
                    out.update(n for n, name in zip(numbers, found, strict=True) if name in names)
                elif not names.isdisjoint(found):
                    out.update(n for n in numbers if not names.isdisjoint(self._devices((n,))))
        return frozenset(out)

    def links(self) -> list[Link]:
        """All links in files that are not read."""
        return self._links(number for number in range(len(self.seen.documents)) if number not in self.read)

    def leading(self, names: frozenset[str]) -> list[Link]:
        """The links in them that lead to these devices."""
        ends = self.holding(names).union(self.seen.index.alone)
        holders = ends.union(*(self.seen.facts(number).leading for number in ends)) - self.read
        return [link for link in self._links(sorted(holders)) if not names.isdisjoint(far(link))]

    def _links(self, numbers: Iterable[int]) -> list[Link]:
        opened, places = self.seen.opened, self.seen.index.places
        told = (opened.part(places[number])[_LINKS] for number in numbers)  # as plain tuples: there may be very many
        return [_new(Link, link) for links in told for link in links]

    def order(self) -> Sequence[int]:
        """The files that devices stand in, read or not, in the order of the devices."""
        order: Sequence[int] = self.seen.opened.part(self.seen.index.order)
        return order

    def stand(self, number: int) -> Stand | None:
        """A file that is not read; None for one that is."""
        if number in self.read:
            return None
        kind = next(k for k, (numbers, _) in enumerate(self.seen.index.kinds) if number in numbers)
        return Stand(self._likes[kind], self.seen.facts(number).devices)


def _short(path: str) -> str:
    """A path that begins above the current folder, in as few words as there are: ../racks/a.yaml may be a.yaml here."""
    folder, name = os.path.split(path)
    relative = _relative(folder)
    return name if relative == os.curdir else os.path.join(relative, name)


@cache
def _relative(folder: str) -> str:
    return os.path.relpath(folder)
