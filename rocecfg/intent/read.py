"""From files to one merged section: includes, their loops, and keys that two files both set."""

from __future__ import annotations

import os
from typing import Any

from rocecfg.intent.schema import INTENT
from rocecfg.intent.values import MISSING, Context, Problem, Section, Val
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.source.yaml import compose


class Read:
    """What the files of one fabric say, and what was wrong with them."""

    __slots__ = ("errors", "files", "problems", "root", "section")

    def __init__(self, root: str) -> None:
        self.root = root
        self.files: list[Document] = []
        self.section: Section = {}
        self.problems: list[Problem] = []
        self.errors: list[SourceError] = []  # files that could not be read at all


def read(root: str, sources: Sources) -> Read:
    """Read an intent and all it includes. What cannot be read is in `errors`, the rest is read all the same."""
    out = Read(root)
    _file(root, sources, out, {}, ())
    return out


def _file(path: str, sources: Sources, out: Read, done: dict[str, bool], chain: tuple[str, ...]) -> None:
    key = os.path.normpath(path)
    if key in done:
        return
    done[key] = True
    try:
        document = sources.read(path)
        node = compose(document)
    except SourceError as error:
        out.errors.append(error)
        return
    out.files.append(document)
    if node is None:
        return
    context = Context(document.number, out.problems)
    section = INTENT.read(node, context)
    del node
    if not isinstance(section, dict):
        return
    if context.decimal and context.binary:
        out.problems.append(
            Problem(
                "schema-kib",
                max(context.decimal, context.binary),
                "KB (1000 bytes) and KiB (1024 bytes) are mixed in one file",
                "use one of them: they differ by 2.4 %, MB and MiB by 4.9 %",
                ((min(context.decimal, context.binary), "the other kind, first used here"),),
            )
        )
    includes = section.pop("include", None)
    _merge(out.section, section, out.problems, "")
    if includes is not None:
        above = {os.path.normpath(c) for c in (*chain, path)}
        for pattern in includes.value if includes.value is not MISSING else ():
            for name in _matches(path, pattern, out):
                if os.path.normpath(name) in above:
                    line, column = document.place(pattern.at.start)
                    loop = " -> ".join(os.path.basename(c) for c in (*chain, path, name))
                    out.errors.append(
                        SourceError(path, f"include loop: {loop}", "remove one of these includes", line, column)
                    )
                    continue
                _file(name, sources, out, done, (*chain, path))


def _matches(path: str, pattern: Val, out: Read) -> list[str]:
    full = os.path.join(os.path.dirname(path), pattern.value)
    if any(c in pattern.value for c in "*?["):
        from glob import glob

        names = sorted(glob(full, recursive=True))
        names = [n for n in names if os.path.isfile(n)]
    else:
        names = [full] if os.path.isfile(full) else []
    if not names:
        out.problems.append(
            Problem("schema-ref", pattern.at, f"include {pattern.value!r} matches no file", f"looked for {full}")
        )
    return names


def _merge(into: dict[Any, Any], more: dict[Any, Any], problems: list[Problem], where: str) -> None:
    """Merge mappings key by key; a value that two files set differently is reported with both places."""
    for key, val in more.items():
        have = into.get(key)
        if have is None:
            into[key] = val
        elif isinstance(have.value, dict) and isinstance(val.value, dict):
            _merge(have.value, val.value, problems, f"{where}{key}.")
        elif isinstance(have.value, list) and isinstance(val.value, list) and key == "links":
            have.value.extend(val.value)
        elif not same(have.value, val.value):
            problems.append(
                Problem(
                    "schema-duplicate-key",
                    val.at,
                    f"{where}{key} has another value in another file",
                    "keep one of the two",
                    ((have.at, "the other value, which is used"),),
                )
            )


def same(a: Any, b: Any) -> bool:
    """Whether two read values are equal, wherever they were written."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k].value, b[k].value) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x.value, y.value) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)
