"""From files to one merged section: includes, their loops, and keys that two files both set."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator

from rocecfg.intent.filling import FabricReader
from rocecfg.intent.repeated import unfold
from rocecfg.model import Span
from rocecfg.model.fix import Fix, replace
from rocecfg.model.stated import MISSING, Problem, Section, Val
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.source.patterns import Expansion, TooMany, is_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FABRIC_WIDE = (
    "fabric",
    "classes",
    "pfc",
    "buffers",
    "load_balancing",
    "trimming",
    "defaults",
)  # sections that hold for every device
_MOST_NESTED = 32  # files that include one another; more is a mistake, and would exhaust the stack


class Read:
    """What the files of one fabric say, and what was wrong with them."""

    __slots__ = (
        "alike",
        "bounds",
        "errors",
        "expansion",
        "files",
        "merged",
        "nameless",
        "problems",
        "root",
        "section",
    )

    def __init__(self, root: str, *, allowed: Iterable[str] = ()) -> None:
        """`allowed`: folders outside the repository that files may be in."""
        self.root = root
        self.bounds = Bounds(os.path.dirname(root), allowed)
        self.expansion = Expansion(self.bounds)
        self.files: list[Document] = []
        self.section: Section = {}
        self.problems: list[Problem] = []
        self.nameless: set[str] = set()  # sections with a key that could not be read: what they name is not known
        self.errors: list[SourceError] = []  # files that could not be read at all
        # document and start of a device -> what all share that are equal but for what is their own, and its end
        self.alike: dict[tuple[int, int], tuple[Hashable, int]] = {}
        self.merged: set[str] = set()  # keys of devices of which several files say something

    def fabric_wide(self) -> frozenset[Span]:
        """Where it is said what holds for every device, of whatever system."""
        top = self.section
        return frozenset(span for key in _FABRIC_WIDE if key in top for span in _list_spans(top[key]))


def _list_spans(val: Val) -> Iterator[Span]:
    """Where a value and all that is in it are written."""
    yield val.at
    inner = val.value.values() if isinstance(val.value, dict) else val.value if isinstance(val.value, list) else ()
    for each in inner:
        if isinstance(each, Val):
            yield from _list_spans(each)


def read(root: str, sources: Sources) -> Read:
    """Read an intent and all it includes. What cannot be read is in `errors`, the rest is read all the same."""
    out = Read(root, allowed=sources.allowed)
    run = _Run(FabricReader(by_shape=sources.by_shape), out.expansion)
    sources.awaited += 1
    _read_file(root, run.resolve_name(root), sources, out, run, ())
    return out


def _read_file(path: str, real: str, sources: Sources, out: Read, run: _Run, chain: tuple[str, ...]) -> None:
    """`real`: what the file is really called."""
    if real in run.done:
        return
    run.done.add(real)
    try:
        document = sources.read(path)
        section, context = run.reader.read(document, out.problems)
    except SourceError as error:
        out.errors.append(error)
        return
    out.files.append(document)
    out.alike.update(((document.number, start), known) for start, known in context.alike.items())
    out.nameless |= context.nameless
    if not isinstance(section, dict):
        return
    if context.decimal and context.binary:
        out.problems.append(_report_mixed(context.decimal, context.binary))
    includes = section.pop("include", None)
    _merge(out.section, section, out, "")
    for pattern in includes.value if includes is not None and includes.value is not MISSING else ():
        wrong = _include(pattern, document, sources, out, run, (*chain, path))
        if wrong is not None:
            out.errors.append(SourceError(path, *wrong, *document.place(pattern.at.start)))


def _include(
    pattern: Val, document: Document, sources: Sources, out: Read, run: _Run, chain: tuple[str, ...]
) -> tuple[str, str] | None:
    """Read the files that a pattern means; what is wrong with the first that cannot be meant, and the fix."""
    try:
        found = _list_included(document.path, pattern, out)
    except TooMany as many:
        return f"include {pattern.value!r} {many}", many.help
    above = {run.resolve_name(c) for c in chain}
    wrong = None
    sources.awaited += len(found)
    for name in found:
        real = run.resolve_name(name)
        if not out.bounds.hold_real(real):
            wrong = wrong or out.bounds.describe_refusal(f"include {name}", name)
        elif real in above:
            loop = " -> ".join(os.path.basename(c) for c in (*chain, name))
            wrong = wrong or (f"include loop: {loop}", "remove one of these includes")
        elif len(chain) > _MOST_NESTED:
            wrong = wrong or (
                f"includes are nested deeper than {_MOST_NESTED} files",
                "include from fewer levels",
            )
        else:
            _read_file(name, real, sources, out, run, chain)
    return wrong


def _report_mixed(decimal: list[tuple[Span, int]], binary: list[tuple[Span, int]]) -> Problem:
    """KB and KiB in one file; the fix writes the same sizes in the kind that is used first."""
    first, later = sorted((decimal, binary))
    given = _format_decimal if first is decimal else _format_binary
    return Problem(
        "schema-kib",
        later[0][0],
        "KB (1000 bytes) and KiB (1024 bytes) are mixed in one file",
        "use one of them: they differ by 2.4 %, MB and MiB by 4.9 %",
        ((first[0][0], "the other kind, first used here"),),
        fix=Fix(
            f"write the same sizes in {'KB' if first is decimal else 'KiB'}",
            safe=True,
            changes=tuple(replace(at, given(size)) for at, size in dict(later).items()),
        ),
    )


def _format_decimal(size: int) -> str:
    whole, rest = divmod(size, 1000)
    return f"{whole}.{rest:03}".rstrip("0").rstrip(".") + "KB"


def _format_binary(size: int) -> str:
    return f"{size // 1024}KiB" if size % 1024 == 0 else f"{size}B"


class _Run:
    """What the files of one fabric have in common: who reads them, and which of them are one under several names."""

    def __init__(self, reader: FabricReader, expansion: Expansion) -> None:
        self.reader = reader
        self._plain = expansion.plain
        self.done: set[str] = set()
        self._folders: dict[str, str] = {}

    def resolve_name(self, path: str) -> str:
        """What a file is really called; links are followed, folder by folder only once a run."""
        if path not in self._plain and os.path.islink(path):
            return os.path.realpath(path)
        folder, name = os.path.split(path)
        real = self._folders.get(folder)
        if real is None:
            real = self._folders[folder] = os.path.realpath(folder)
        return f"{real}/{name}"


def _list_included(path: str, pattern: Val, out: Read) -> list[str]:
    folder = os.path.dirname(path)
    full = os.path.join(folder, pattern.value)
    names = [full]
    if is_pattern(pattern.value):
        names = sorted(os.path.join(folder, name) for name in out.expansion.list_paths(pattern.value, folder))
    # those out of bounds are refused, and whether they are there is not told
    names = [n for n in names if n in out.expansion.plain or os.path.isfile(n) or not out.bounds.hold(n)]
    if folder.startswith(os.pardir):  # from a folder below the root: ../racks/a.yaml may be a.yaml here
        names = [os.path.relpath(n) for n in names]
    if not names:
        out.problems.append(
            Problem("schema-ref", pattern.at, f"include {pattern.value!r} matches no file", f"looked for {full}")
        )
    return names


def _merge(into: dict[Any, Any], more: dict[Any, Any], out: Read, where: str) -> None:
    """Merge mappings key by key; a value that two files set differently is reported with both places."""
    for key, val in more.items():
        have = into.get(key)
        if have is None:
            into[key] = val
            continue
        if where == "devices.":
            have = into[key] = Val(unfold(have.value), have.at)
            val = Val(unfold(val.value), val.at)  # noqa: PLW2901
        if isinstance(have.value, dict) and isinstance(val.value, dict):
            if where == "devices.":
                out.merged.add(key)
            _merge(have.value, val.value, out, f"{where}{key}.")
        elif isinstance(have.value, list) and isinstance(val.value, list) and key == "links":
            have.value.extend(val.value)
        elif MISSING not in (have.value, val.value) and not is_same(have.value, val.value):
            out.problems.append(
                Problem(
                    "schema-duplicate-key",
                    val.at,
                    f"{where}{key} has another value in another file",
                    "keep one of the two",
                    ((have.at, "the other value, which is used"),),
                )
            )


def is_same(a: Any, b: Any) -> bool:
    """Whether two read values are equal, wherever they were written."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_same(a[k].value, b[k].value) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(is_same(x.value, y.value) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)
