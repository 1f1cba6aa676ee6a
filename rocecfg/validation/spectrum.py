"""NVUE of Cumulus Linux by NVIDIA's published schema, as the package nvueschema has it for each release.

Every key is looked up in the release's tree of objects, every value in its type, range, words and pattern, and the
keys that the schema leaves open in `nvue_keys`. What relates two places of a configuration is not a matter of a schema.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Any

from rocecfg.source.document import Document, SourceError
from rocecfg.validation import nvue_types as types
from rocecfg.validation.nvue_keys import find_key_fault
from rocecfg.validation.nvue_text import (
    VERBS,
    Command,
    NvueLeaf,
    NvueTree,
    are_commands,
    read_commands,
    read_operations,
    release_of,
)
from rocecfg.validation.verdict import Fault, JudgeOptions, Verdict

Path = tuple[str, ...]
RELEASE = re.compile(r"\d{1,3}\.\d{1,3}(?:\.\d{1,3})?")  # how one is written
_SNIPPETS: Path = ("system", "config", "snippet")  # a file's name and its text, which NVUE does not look at
_NEAR = 0.5  # of difflib's likeness
_SHOWN = 12  # keys that are listed where none is near


def judge(document: Document, asked: JudgeOptions) -> Verdict:
    """Judge by the release of `asked.releases`, else by the one that the text names; SourceError where neither does.

    A release after those that have a schema is judged by the last, which refuses no word that it lacks then. With
    `asked.any_release`, a text that names none has the faults that it has in all.
    """
    release = next(filter(RELEASE.fullmatch, asked.releases), None) or release_of(document)
    releases, package = types.list_releases(), types.name_package()
    if release is None:
        if not asked.any_release:
            message = "names no release of Cumulus Linux, and each has a schema of its own"
            raise SourceError(document.path, message, "say it: --release 5.14")
        faults, unjudged = _judge_by_all(document, releases)
        title = f"NVUE's schemas of Cumulus Linux {releases[0]} to {releases[-1]} ({package})"
        return Verdict(title, None, tuple(faults), (), tuple(unjudged))
    wanted = ".".join(release.split(".")[:2])
    later = not asked.strict and _key_of(wanted) > _key_of(releases[-1])
    if wanted not in releases and not later:
        message = f"{package} has no schema of Cumulus Linux {release}"
        fix = f"it has {releases[0]} to {releases[-1]}: give the nearest, --release {releases[-1]}"
        raise SourceError(document.path, message, fix)
    by = releases[-1] if later else wanted
    faults, unjudged = _judge_by(document, by)
    newer = [fault for fault in faults if later and fault.may_be_newer()]
    return Verdict(
        f"NVUE's schema of Cumulus Linux {by} ({package})",
        release,
        tuple(fault for fault in faults if fault not in newer),
        (f"that {release} accepts what {by} accepts: the schemas here end with it",) if later else (),
        (
            *(f"line {one.line}: {one.where}: {one.message}: {release} may have it" for one in newer),
            *unjudged,
            "how settings of different places go together (rocecfg lint does)",
        ),
        exact=not later,
        newer=tuple(newer),
    )


def _key_of(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def _judge_by_all(document: Document, releases: tuple[str, ...]) -> tuple[list[Fault], list[str]]:
    """The faults that a text has by the schema of each release, as the last one tells them."""
    faults, unjudged = _judge_by(document, releases[-1])
    for release in reversed(releases[:-1]):
        if not faults:
            break
        refused = {fault.where for fault in _judge_by(document, release)[0]}
        # a release that lacks what a setting stands below, refuses that
        faults = [fault for fault in faults if any(f"{fault.where} ".startswith(f"{where} ") for where in refused)]
    return faults, unjudged


def _judge_by(document: Document, release: str) -> tuple[list[Fault], list[str]]:
    """What the schema of a release, one of those that there are, refuses of a text; and what it does not judge."""
    walk = _TreeJudge()
    root = types.root_of(release)
    others: list[str] = []
    if are_commands(document.text):
        for command in read_commands(document, others):
            walk.judge_command(root, command)
    else:
        for verb, tree in read_operations(document):
            if verb in VERBS:
                walk.judge_node(root, None, tree, (), unset=verb == "unset")
            else:
                walk.refuse(tree.at, (verb,) if verb else (), "is no operation; there are header, set and unset")
    return walk.faults, [f"a line that is neither nv set nor nv unset ({other})" for other in others]


class _TreeJudge:
    """A configuration along the tree of types."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def refuse(self, line: int, path: Path, message: str, *, unknown: bool = False) -> None:
        """Note a fault; ports that have it alike are one to the reader."""
        known = ("interface", "*", *path[2:]) if path[:1] == ("interface",) and len(path) > 2 else path
        self.faults.append(Fault(line, " ".join(path) or "/", message, f"{known}\n{message}", unknown))

    def judge_node(self, kind: Any, field: Any, value: NvueTree | NvueLeaf, path: Path, *, unset: bool) -> None:
        """Judge what stands at a path. `kind`: its type; `field`: the leaf that it is, if it is one."""
        inner = types.below_any(kind)
        model = types.is_model(kind)
        if inner is not None and (isinstance(value, NvueTree) or value.value is None or not model):
            self._judge_user_keys(inner, value, path, unset=unset)
        elif model:
            self._judge_named_keys(types.fields_of(kind), value, path, unset=unset)
        elif not (unset and _is_empty(value)):
            self._judge_value(kind, field, value, path)

    def _judge_user_keys(self, inner: Any, value: NvueTree | NvueLeaf, path: Path, *, unset: bool) -> None:
        """A mapping with keys of the user's choice."""
        for key, below in self._items_below(value, path):
            here = (*path, key)
            self._judge_key(here, below.at)
            if not types.is_bare(inner):
                self.judge_node(inner, None, below, here, unset=unset)
            elif not _is_empty(below) and isinstance(below, NvueLeaf) and path != _SNIPPETS:
                self.refuse(below.at, here, f"takes no value, and has {_show_value(below)}")

    def _judge_named_keys(self, fields: dict[str, Any], value: NvueTree | NvueLeaf, path: Path, *, unset: bool) -> None:
        """A mapping whose keys the schema names."""
        for key, below in self._items_below(value, path):
            here = (*path, key)
            if key not in fields:
                self.refuse(below.at, here, _describe_unknown_key(key, fields), unknown=True)
            else:
                self.judge_node(fields[key].annotation, fields[key], below, here, unset=unset)

    def _items_below(self, value: NvueTree | NvueLeaf, path: Path) -> Iterable[tuple[str, NvueTree | NvueLeaf]]:
        """What stands below keys; a value in their place is refused."""
        if isinstance(value, NvueTree):
            return value.below.items()
        if not _is_empty(value):
            self.refuse(value.at, path, f"has keys below it, not the value {_show_value(value)}")
        return ()

    def _judge_key(self, path: Path, line: int) -> None:
        wrong = find_key_fault(path)
        if wrong is not None:
            self.refuse(line, path, f"the key {path[-1]!r} {wrong}")

    def _judge_value(self, kind: Any, field: Any, value: NvueTree | NvueLeaf, path: Path) -> None:
        plain = _as_python(value)
        title = types.title(kind)
        if isinstance(plain, bool):
            self.refuse(value.at, path, f"{str(plain).lower()} is a flag, but the schema takes {title}")
            return
        wrong = types.wrong_value(field, plain) if field is not None else None
        if wrong is not None:
            self.refuse(value.at, path, f"{_show_value(value)}: {wrong}")

    def judge_command(self, kind: Any, command: Command) -> None:
        """Judge a line of `nv set` or `nv unset`: its words are keys up to a leaf, and the rest is the value."""
        field: Any = None
        path: Path = ()
        for number, word in enumerate(command.words):
            inner = types.below_any(kind)
            if inner is not None:
                path = (*path, word)
                self._judge_key(path, command.at)
                rest = " ".join(command.words[number + 1 :])
                if types.is_bare(inner):
                    if rest and path[:-1] != _SNIPPETS:
                        self.refuse(command.at, path, f"takes no value, and has {rest!r}")
                    return
                kind, field = inner, None
            elif types.is_model(kind):
                fields = types.fields_of(kind)
                path = (*path, word)
                if word not in fields:
                    self.refuse(command.at, path, _describe_unknown_key(word, fields), unknown=True)
                    return
                kind, field = fields[word].annotation, fields[word]
            else:
                self._judge_written(command, field, path, " ".join(command.words[number:]))
                return
        if command.verb == "set" and field is not None and not types.is_model(kind) and types.below_any(kind) is None:
            self.refuse(command.at, path, f"needs a value: {types.title(kind)}")

    def _judge_written(self, command: Command, field: Any, path: Path, value: str) -> None:
        if command.verb == "unset":
            self.refuse(command.at, path, f"unset takes no value, and has {value!r}")
            return
        wrong = types.wrong_value(field, value) if field is not None else None
        if wrong is not None:
            self.refuse(command.at, path, f"{value!r}: {wrong}")


def _is_empty(value: NvueTree | NvueLeaf) -> bool:
    return not value.below if isinstance(value, NvueTree) else value.value is None


def _as_python(value: NvueTree | NvueLeaf) -> Any:
    return {key: _as_python(of) for key, of in value.below.items()} if isinstance(value, NvueTree) else value.value


def _show_value(value: NvueTree | NvueLeaf) -> str:
    return repr(_as_python(value))[:80]


def _describe_unknown_key(key: str, fields: dict[str, Any]) -> str:
    near = difflib.get_close_matches(key, fields, 3, _NEAR)
    tail = f"near: {', '.join(near)}" if near else f"here: {', '.join(sorted(fields)[:_SHOWN])}"
    return f"no such key in this release; {tail}"
