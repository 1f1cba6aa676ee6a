"""Where the thing that a name stands for is declared, and where else it is named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator

from lsprotocol.types import Location, Position, Range

from rocecfg.core.nodeset import NodeSetError, node_set
from rocecfg.custom_rules.files import folder_of
from rocecfg.lsp import profiles, switch_texts
from rocecfg.lsp.completion import Names
from rocecfg.lsp.fabrics import JudgedFabric, is_in_format
from rocecfg.lsp.intent_names import find_mentions
from rocecfg.lsp.mentions import (
    FILE,
    NODE,
    PORT,
    PROFILE,
    ROLE,
    RULE,
    Mention,
    have_in_common,
    mean_the_same,
    narrow_to_name,
)
from rocecfg.lsp.outline import OutlineEntry, make_outline
from rocecfg.lsp.protocol import Lines, uri_of
from rocecfg.lsp.texts import OpenText
from rocecfg.model import Link, Span
from rocecfg.report.pages import page_path
from rocecfg.rules import find_rule
from rocecfg.source.bounds import Bounds
from rocecfg.source.patterns import Expansion, TooMany, is_pattern

_TOP = Range(Position(0, 0), Position(0, 0))  # of a file that stands for what it holds


class KnownNames:
    """The names in texts, found once for each text."""

    def __init__(self) -> None:
        self._of: dict[str, tuple[str, bool, tuple[Mention, ...]]] = {}  # by absolute path

    def find(self, path: str, text: str, judged: list[JudgedFabric]) -> tuple[Mention, ...]:
        """The names in the text of a file. `checked`: the fabrics that it belongs to."""
        known = self._of.get(path)
        if known is None or known[0] is not text or known[1] != bool(judged):
            known = self._of[path] = (text, bool(judged), _find_names(path, text, judged))
        return known[2]

    def keep(self, paths: Iterable[str]) -> None:
        """Forget all others."""
        wanted = set(paths)
        self._of = {path: known for path, known in list(self._of.items()) if path in wanted}


def _find_names(path: str, text: str, judged: list[JudgedFabric]) -> tuple[Mention, ...]:
    if _is_ours(path, text, judged):
        return find_mentions(path, text)
    scan = switch_texts.scan_text(text)
    return scan.mentions if scan is not None else ()


def _is_ours(path: str, text: str, judged: list[JudgedFabric]) -> bool:
    """Whether a file is one of a fabric's: an intent, its links, its house rules; or a profile."""
    if folder_of(path) is not None or profiles.kind_of_file(path) is not None:
        return True
    return bool(judged) if path.endswith(".csv") else is_in_format(path, text, judged)


class _File:
    """A file with its names."""

    __slots__ = ("lines", "names", "uri")

    def __init__(self, uri: str, lines: Lines, names: tuple[Mention, ...]) -> None:
        self.uri = uri
        self.lines = lines
        self.names = names

    def location(self, mention: Mention) -> Location:
        """Where a name stands."""
        return Location(self.uri, self.lines.range(mention.start, mention.end))


class Navigator:
    """Answers for one text, as of its fabrics' last judgement, of that very text."""

    def __init__(
        self, path: str, buffer: OpenText, judged: Iterable[JudgedFabric], known: KnownNames, allowed: tuple[str, ...]
    ) -> None:
        """`allowed`: folders outside the repository that files of a fabric may be in."""
        self._path = path
        self._buffer = buffer
        self._judged = list(judged)
        self._known = known
        self._allowed = allowed

    def find_definition(self, offset: int) -> list[Location]:
        """Where what is named at an offset is declared; empty where that is nowhere."""
        pointed = self._find_pointed(offset)
        if pointed is None:
            return []
        if pointed.kind == FILE:
            return self._find_files(pointed)
        if pointed.kind.startswith(PROFILE):
            file = profiles.find_file(pointed.kind.removeprefix(PROFILE), pointed.text, self._path)
            return [Location(uri_of(file), _TOP)] if file is not None else []
        if pointed.kind == RULE and (rule := find_rule(pointed.text)) is not None:
            file = page_path(rule.name)
            return [Location(uri_of(file), _TOP)] if file is not None else []
        found = list(self._find_declared(lambda m: mean_the_same(m, pointed)))
        if not found and pointed.kind == PORT:  # a host whose ports nobody lists
            found = list(self._find_declared(lambda m: m.kind == NODE and have_in_common(m.text, pointed.of)))
        return _drop_repeated(found)

    def find_references(self, offset: int, *, declared: bool) -> list[Location]:
        """Where what is named at an offset is named. `declared`: also where it is declared."""
        pointed = self._find_pointed(offset)
        if pointed is None or pointed.kind == FILE:
            return []
        found = [
            file.location(mention)
            for file in self._list_files()
            for mention in file.names
            if mean_the_same(mention, pointed) and (declared or not mention.declared)
        ]
        return _drop_repeated(found + list(self._find_foreign(pointed)))

    def make_outline(self) -> list[OutlineEntry]:
        """The parts of the text."""
        text = self._buffer.text
        if _is_ours(self._path, text, self._judged):
            return make_outline(self._path, text)
        scan = switch_texts.scan_text(text)
        return scan.entries if scan is not None else []

    def _find_pointed(self, offset: int) -> Mention | None:
        here = [m for m in self._list_own() if m.start <= offset <= m.end]
        # behind a name's last character is still at it, unless another one begins there
        best = min(here, key=lambda m: (m.end - m.start, m.end == offset), default=None)
        return narrow_to_name(best, self._buffer.text, offset) if best is not None else None

    def _list_own(self) -> tuple[Mention, ...]:
        return self._known.find(self._path, self._buffer.text, self._judged)

    def _list_files(self) -> Iterator[_File]:
        """The files of the fabrics, the text itself first."""
        yield _File(self._buffer.uri, self._buffer.lines, self._list_own())
        seen = {self._path}
        for judged in self._judged:
            where = judged.where
            for document in where.sources.documents:
                path = os.path.abspath(document.path)
                if path in seen or path not in judged.members or not document.is_read:
                    continue
                seen.add(path)
                lines = where.lines(document.path)
                yield _File(where.uri(path), lines, self._known.find(path, document.text, [judged]))

    def _find_declared(self, wanted: Callable[[Mention], bool]) -> Iterator[Location]:
        for file in self._list_files():
            yield from (file.location(m) for m in file.names if m.declared and wanted(m))

    def _find_foreign(self, pointed: Mention) -> Iterator[Location]:
        """The lines of others' files of links that name a device or port: the fabric knows them."""
        if pointed.kind not in (NODE, PORT):
            return
        for judged in self._judged:
            documents = judged.where.sources.documents
            fabric = judged.loaded.fabric
            named: dict[int, bool] = {}  # documents whose names are known word by word
            for link in fabric.links if fabric is not None else ():
                if link.doc not in named:
                    path = os.path.abspath(documents[link.doc].path)
                    named[link.doc] = bool(self._known.find(path, documents[link.doc].text, [judged]))
                if not named[link.doc]:
                    yield from (judged.where.location(at) for at in _find_ends(link, pointed))

    def _find_files(self, pointed: Mention) -> list[Location]:
        """The files that a path or a pattern means, within the bounds of the fabric."""
        folder = os.path.dirname(self._path)
        out: dict[str, Location] = {}
        for judged in self._judged:
            bounds = Bounds(os.path.dirname(judged.root), self._allowed)
            names = [pointed.text]
            if is_pattern(pointed.text):
                try:
                    names = sorted(Expansion(bounds).list_paths(pointed.text, folder))
                except TooMany:
                    continue
            for name in names:
                path = os.path.abspath(os.path.join(folder, name))
                if bounds.hold(path) and (path in judged.members or os.path.isfile(path)):
                    out.setdefault(path, Location(judged.where.uri(path), _TOP))
        return list(out.values())


_MOST_SPELLED = 64  # names of a node set that are offered one by one


def collect_names(judged: list[JudgedFabric], known: KnownNames) -> Names:
    """The names that the files of fabrics declare, for completion."""
    nodes: dict[str, str] = {}
    roles: dict[str, str] = {}
    for one in judged:
        for document in one.where.sources.documents:
            path = os.path.abspath(document.path)
            if path not in one.members or not document.is_read:
                continue
            for name in known.find(path, document.text, [one]):
                if name.kind == ROLE and name.declared:
                    roles.setdefault(name.text, "")
                elif name.kind == NODE and name.declared:
                    where = os.path.relpath(path, one.where.folder)
                    nodes.update(dict.fromkeys(_spell_out(name.text), f"declared in {where}"))
    classes = {name: about for one in judged for name, about in one.classes.items()}
    return Names(classes, {name: about for one in judged for name, about in one.own_rules.items()}, nodes, roles)


def _spell_out(text: str) -> list[str]:
    """A node set, and its names where these are few."""
    try:
        found = node_set(text) if "[" in text or "," in text else ()
    except NodeSetError:
        return []
    return [text, *(found if len(found) <= _MOST_SPELLED else ())]


def _find_ends(link: Link, pointed: Mention) -> Iterator[Span]:
    """The ends of a link that are what is pointed at."""
    for device, port, at in ((link.a_device, link.a_port, link.a_at), (link.b_device, link.b_port, link.b_at)):
        here = Mention(NODE, device, 0, 0) if pointed.kind == NODE else Mention(PORT, port, 0, 0, of=device)
        if mean_the_same(here, pointed):
            yield at


def _drop_repeated(found: Iterable[Location]) -> list[Location]:
    out: dict[tuple[str, int, int, int], Location] = {}
    for one in found:
        at = one.range
        out.setdefault((one.uri, at.start.line, at.start.character, at.end.character), one)
    return list(out.values())
