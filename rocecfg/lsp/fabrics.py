"""The fabrics that open files belong to, checked as `rocecfg lint` judges them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping

from lsprotocol.types import Diagnostic, PositionEncodingKind

from rocecfg.config.find import Finder, find_policies
from rocecfg.core.nodeset import fold_set
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import files_of, folder_of
from rocecfg.intent import Loaded, load
from rocecfg.linting.discover import discover, list_member_paths
from rocecfg.linting.roots import is_root
from rocecfg.linting.run import Run, lint
from rocecfg.lsp.diagnostics import EditorPlaces, make_diagnostics, make_error_diagnostics
from rocecfg.lsp.texts import Cache, Snapshot, Stale, Texts
from rocecfg.model import TrafficClass
from rocecfg.source.document import Document, SourceError, Sources


class JudgedFabric(NamedTuple):
    """A fabric as of some texts, and what was found in it."""

    root: str  # absolute path
    loaded: Loaded
    run: Run | None  # None: settings that cannot be used
    members: frozenset[str]  # absolute paths of its files, of house rules too
    where: EditorPlaces
    diagnostics: Mapping[str, list[Diagnostic]]  # by absolute path
    classes: Mapping[str, str]  # names of its classes, as far as they were ever readable, and what each is
    own_rules: Mapping[str, str]  # names of the team's own rules, and what each says


class Judgement(NamedTuple):
    """What judging came to."""

    judged: dict[str, JudgedFabric]  # by root
    gone: frozenset[str]  # roots that no open file belongs to any more


def lint_fabrics(fabrics: list[Loaded], sources: Sources) -> Run:
    """What `rocecfg lint` finds with the settings of these fabrics. Raises SourceError for settings that are wrong."""
    finder = Finder()
    policies = find_policies(finder, [one.root for one in fabrics])
    return lint(fabrics, sources, today=time.strftime("%Y-%m-%d"), policies=policies)


class Job:
    """Judges the fabrics of some files, in a thread of its own."""

    def __init__(
        self,
        wanted: Mapping[str, bool],
        known: Mapping[str, JudgedFabric],
        snapshot: Snapshot,
        cache: Cache,
        encoding: PositionEncodingKind,
        stale: Callable[[], bool],
    ) -> None:
        """`wanted`: absolute path -> whether the fabrics it belongs to are to be looked for again."""
        self._wanted = wanted
        self._known = known
        self._snapshot = snapshot
        self._cache = cache
        self._encoding = encoding
        self._texts = Texts(snapshot, cache, stale)
        self._stale = stale

    def run(self) -> Judgement:
        """Judge. Raises Stale as soon as that is no longer wanted."""
        live = {root: one for root, one in self._known.items() if one.members & self._snapshot.keys()}
        loaded: dict[str, Loaded] = {}
        lost = {path for path, anew in self._wanted.items() if anew}
        for path in self._wanted.keys() - lost:
            roots = [root for root, judged in live.items() if path in judged.members]
            self._load(roots, loaded)
            if not any(root in loaded and path in self._find_members(loaded[root]) for root in roots):
                lost.add(path)
        open_ones = tuple(sorted(lost & self._snapshot.keys()))
        for found in discover(open_ones, self._texts).fabrics if open_ones else ():
            loaded.setdefault(os.path.abspath(found.root), found)
        touched = [root for root, judged in live.items() if judged.members & lost]
        self._load(touched, loaded)
        needed = {root: one for root, one in loaded.items() if self._find_members(one) & self._snapshot.keys()}
        judged = {root: self._judge(root, one) for root, one in needed.items()}
        after = {**{root: one for root, one in live.items() if root not in touched}, **judged}
        self._cache.keep({path for one in after.values() for path in one.members})
        return Judgement(judged, frozenset(self._known.keys() - after.keys()))

    def _load(self, roots: Iterable[str], into: dict[str, Loaded]) -> None:
        for root in roots:
            if root not in into and self._exists(root):
                into[root] = load(root, self._texts)

    def _exists(self, root: str) -> bool:
        return root in self._snapshot or os.path.isfile(root)

    def _find_members(self, loaded: Loaded) -> frozenset[str]:
        found = frozenset(list_member_paths(loaded))
        known = self._known.get(os.path.abspath(loaded.root))
        if loaded.errors and known is not None:  # what a file names that cannot be read for now still belongs to it
            found |= {path for path in known.members if self._exists(path)}
        return found

    def _judge(self, root: str, loaded: Loaded) -> JudgedFabric:
        if self._stale():
            raise Stale
        known = self._known.get(root)
        where = EditorPlaces(self._texts, self._snapshot, self._encoding, os.path.dirname(root))
        run: Run | None = None
        try:
            run = lint_fabrics([loaded], self._texts)
            found = make_diagnostics(run.findings, where)
        except SourceError as error:
            found = make_error_diagnostics(error, where)
        classes = known.classes if known is not None else {}
        if loaded.fabric is not None and not loaded.fabric.broken:
            classes = {c.name: "" for device in loaded.fabric.devices for c in device.classes}
            classes |= {c.name: _describe_class(c) for device in loaded.fabric.devices[:1] for c in device.classes}
        return JudgedFabric(
            root, loaded, run, self._find_members(loaded), where, found, classes, self._list_own_rules(loaded.root)
        )

    def _list_own_rules(self, root: str) -> dict[str, str]:
        if not files_of(root):
            return {}
        from rocecfg.custom_rules.rules import rules_for

        return {rule.name: rule.summary for rule in rules_for(root, self._texts).rules}


def _describe_class(cls: TrafficClass) -> str:
    """What a class is, in words."""
    points = fold_set(tuple(map(str, cls.dscps))).removeprefix("[").removesuffix("]")
    parts = [f"priority {cls.priority}", "lossless" if cls.lossless else "lossy"]
    return ", ".join([*parts, *([f"DSCP {points}"] if points else [])])


def is_intent(text: str) -> bool:
    """Whether a text, whole or half typed, means to be an intent."""
    return is_root(text.encode("utf-8", "surrogatepass"))


def is_in_format(path: str, text: str, known: Iterable[JudgedFabric]) -> bool:
    """Whether a file is written in the format of intents: not the team's rules or links, nor somebody else's YAML."""
    if folder_of(path) is not None or path.endswith(".csv"):
        return False
    return is_intent(text) or (any(path in judged.members for judged in known) and not _lists_cables(path, text))


def _lists_cables(path: str, text: str) -> bool:
    """Whether a text is a file of links that others wrote: a lab's topology is YAML too."""
    from rocecfg.cabling import statements_of

    try:
        statements_of(Document(0, path, text))
    except SourceError:
        return False
    return True


def merge_diagnostics(known: Iterable[JudgedFabric], path: str) -> list[Diagnostic]:
    """What is to be said of a file: what all the fabrics that it belongs to say, each thing once."""
    out: list[Diagnostic] = []
    for judged in known:
        out += [one for one in judged.diagnostics.get(path, ()) if one not in out]
    return out
