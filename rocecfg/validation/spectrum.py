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
from rocecfg.validation.nvue_keys import find_key_fault
from rocecfg.validation.nvue_text import (
    VERBS,
    Command,
    Leaf,
    Tree,
    are_commands,
    read_commands,
    read_operations,
    release_of,
)
from rocecfg.validation.verdict import INSTALL, CannotJudge, Fault, JudgeOptions, Verdict

Path = tuple[str, ...]
RELEASE = re.compile(r"\d{1,3}\.\d{1,3}(?:\.\d{1,3})?")  # how one is written
_NEAR = 0.5  # of difflib's likeness
_SHOWN = 12  # keys that are listed where none is near


def judge(document: Document, asked: JudgeOptions) -> Verdict:
    """Judge by the release of `asked.releases`, else by the one that the text names; SourceError where neither does."""
    release = next(filter(RELEASE.fullmatch, asked.releases), None) or release_of(document)
    if release is None:
        message = "names no release of Cumulus Linux, but each has its own schema"
        raise SourceError(document.path, message, "say it: --release 5.14")
    types = _load_types()
    wanted = ".".join(release.split(".")[:2])
    if wanted not in types.RELEASES:
        known = f"{types.RELEASES[0]} to {types.RELEASES[-1]}"
        message = f"{types.PACKAGE} has no schema of Cumulus Linux {release}"
        raise SourceError(document.path, message, f"it has {known}: give the nearest, --release {types.RELEASES[-1]}")
    walk = _TreeJudge(types)
    root = types.root_of(wanted)
    others: list[str] = []
    if are_commands(document.text):
        for command in read_commands(document, others):
            walk.judge_command(root, command)
    else:
        for verb, tree in read_operations(document):
            if verb in VERBS:
                walk.judge_node(root, None, tree, (), unset=verb == "unset")
            else:
                walk.refuse(tree.at, (verb,) if verb else (), "is not an operation; there are header, set and unset")
    unjudged = [f"a line that is neither nv set nor nv unset ({other})" for other in others]
    return Verdict(
        f"NVUE's schema of Cumulus Linux {wanted} ({types.PACKAGE})",
        release,
        tuple(walk.faults),
        (),
        (*unjudged, "whether settings of different places fit together (rocecfg lint checks it)"),
    )


def _load_types() -> Any:
    try:
        from rocecfg.validation import nvue_types
    except ImportError as error:
        raise CannotJudge(f"NVUE's schema is not here: there is no {error.name}", INSTALL) from None
    return nvue_types


class _TreeJudge:
    """A configuration along the tree of types."""

    def __init__(self, types: Any) -> None:
        self.faults: list[Fault] = []
        self._types = types

    def refuse(self, line: int, path: Path, message: str) -> None:
        """Note a fault; ports that have it alike are one to the reader."""
        known = ("interface", "*", *path[2:]) if path[:1] == ("interface",) and len(path) > 2 else path
        self.faults.append(Fault(line, " ".join(path) or "/", message, f"{known}\n{message}"))

    def judge_node(self, kind: Any, field: Any, value: Tree | Leaf, path: Path, *, unset: bool) -> None:
        """Judge what stands at a path. `kind`: its type; `field`: the leaf that it is, if it is one."""
        types = self._types
        inner = types.below_any(kind)
        model = types.is_model(kind)
        if inner is not None and (isinstance(value, Tree) or value.value is None or not model):
            self._judge_user_keys(inner, value, path, unset=unset)
        elif model:
            self._judge_named_keys(types.fields_of(kind), value, path, unset=unset)
        elif not (unset and _is_empty(value)):
            self._judge_value(kind, field, value, path)

    def _judge_user_keys(self, inner: Any, value: Tree | Leaf, path: Path, *, unset: bool) -> None:
        """A mapping with keys of the user's choice."""
        for key, below in self._items_below(value, path):
            here = (*path, key)
            self._judge_key(here, below.at)
            if not self._types.is_bare(inner):
                self.judge_node(inner, None, below, here, unset=unset)
            elif not _is_empty(below) and isinstance(below, Leaf):
                self.refuse(below.at, here, f"takes no value, but has {_show_value(below)}")

    def _judge_named_keys(self, fields: dict[str, Any], value: Tree | Leaf, path: Path, *, unset: bool) -> None:
        """A mapping whose keys the schema names."""
        for key, below in self._items_below(value, path):
            here = (*path, key)
            if key not in fields:
                self.refuse(below.at, here, _describe_unknown_key(key, fields))
            else:
                self.judge_node(fields[key].annotation, fields[key], below, here, unset=unset)

    def _items_below(self, value: Tree | Leaf, path: Path) -> Iterable[tuple[str, Tree | Leaf]]:
        """What stands below keys; a value in their place is refused."""
        if isinstance(value, Tree):
            return value.below.items()
        if not _is_empty(value):
            self.refuse(value.at, path, f"has keys below it, not the value {_show_value(value)}")
        return ()

    def _judge_key(self, path: Path, line: int) -> None:
        wrong = find_key_fault(path)
        if wrong is not None:
            self.refuse(line, path, f"the key {path[-1]!r} {wrong}")

    def _judge_value(self, kind: Any, field: Any, value: Tree | Leaf, path: Path) -> None:
        plain = _as_python(value)
        title = self._types.title(kind)
        if isinstance(plain, bool):
            self.refuse(value.at, path, f"{str(plain).lower()} is a flag, but the schema takes {title}")
            return
        wrong = self._types.wrong_value(field, plain) if field is not None else None
        if wrong is not None:
            self.refuse(value.at, path, f"{_show_value(value)}: {_with_title(wrong, title)}")

    def judge_command(self, kind: Any, command: Command) -> None:
        """Judge a line of `nv set` or `nv unset`: its words are keys up to a leaf, and the rest is the value."""
        types = self._types
        field: Any = None
        path: Path = ()
        for number, word in enumerate(command.words):
            inner = types.below_any(kind)
            if inner is not None:
                path = (*path, word)
                self._judge_key(path, command.at)
                rest = " ".join(command.words[number + 1 :])
                if types.is_bare(inner):
                    if rest:
                        self.refuse(command.at, path, f"takes no value, and has {rest!r}")
                    return
                kind, field = inner, None
            elif types.is_model(kind):
                fields = types.fields_of(kind)
                path = (*path, word)
                if word not in fields:
                    self.refuse(command.at, path, _describe_unknown_key(word, fields))
                    return
                kind, field = fields[word].annotation, fields[word]
            else:
                self._judge_written(command, kind, field, path, " ".join(command.words[number:]))
                return
        if command.verb == "set" and field is not None and not types.is_model(kind) and types.below_any(kind) is None:
            self.refuse(command.at, path, f"needs a value: {types.title(kind)}")

    def _judge_written(self, command: Command, kind: Any, field: Any, path: Path, value: str) -> None:
        if command.verb == "unset":
            self.refuse(command.at, path, f"unset takes no value, and has {value!r}")
            return
        wrong = self._types.wrong_value(field, value) if field is not None else None
        if wrong is not None:
            self.refuse(command.at, path, f"{value!r}: {_with_title(wrong, self._types.title(kind))}")


def _with_title(wrong: str, title: str) -> str:
    """What is wrong, and what the schema takes, where that is not said yet."""
    return wrong if all(word in wrong for word in title.split("|")) else f"{wrong} (the schema takes {title})"


def _is_empty(value: Tree | Leaf) -> bool:
    return not value.below if isinstance(value, Tree) else value.value is None


def _as_python(value: Tree | Leaf) -> Any:
    return {key: _as_python(of) for key, of in value.below.items()} if isinstance(value, Tree) else value.value


def _show_value(value: Tree | Leaf) -> str:
    return repr(_as_python(value))[:80]


def _describe_unknown_key(key: str, fields: dict[str, Any]) -> str:
    near = difflib.get_close_matches(key, fields, 3, _NEAR)
    tail = f"near: {', '.join(near)}" if near else f"here: {', '.join(sorted(fields)[:_SHOWN])}"
    return f"no such key in this release; {tail}"
