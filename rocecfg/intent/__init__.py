"""The intent: its format, reading it, and resolving it to the model."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rocecfg.core.records import NamedTuple
from rocecfg.intent.precedence import pick, section
from rocecfg.intent.read import Read, read
from rocecfg.intent.resolve import resolve
from rocecfg.intent.values import near
from rocecfg.model import Fabric, Span
from rocecfg.model.frozen import replace
from rocecfg.model.stated import Problem, Unread
from rocecfg.source.document import SourceError, Sources

TYPE_CHECKING = False
if TYPE_CHECKING:  # of switches alone
    from rocecfg.model.fates import Fates


class Loaded(NamedTuple):
    """One fabric as far as it could be read."""

    root: str
    fabric: Fabric | None  # None where a file could not be read: what is missing must not be judged
    files: tuple[str, ...]
    problems: list[Problem]
    errors: list[SourceError]
    unread: tuple[Unread, ...] = ()  # statements of device configurations
    fates: Fates | None = None  # of all statements of device configurations; None: it is an intent
    alike: Mapping[int, int] = {}  # documents of device configurations that differ from an earlier one in names alone
    refused: Sequence[Problem] = ()  # what the models of switches' systems refuse
    unmodelled: str = ""  # why these did not judge all of it


def load(root: str, sources: Sources | None = None, vendor: str | None = None) -> Loaded:
    """Read and resolve the intent whose root file is `root`; `vendor` is taken for devices that name none.

    Never raises for what is wrong in the files: problems have places in texts of `sources`, errors name files that
    could not be read.
    """
    sources = sources if sources is not None else Sources()
    return load_read(read_texts(root, sources), sources, vendor)


def read_texts(root: str, sources: Sources) -> Read:
    """What the intent's root file and those that it includes say; files of links are not read."""
    with _without_collector():
        return read(root, sources)


def load_read(found: Read, sources: Sources, vendor: str | None) -> Loaded:
    """The intent whose texts were read already, as `load` has it."""
    with _without_collector():
        try:
            fabric = _resolve_all(found, sources, vendor) if not found.errors else None
        except SourceError as error:  # a profile of the user's that cannot be read
            found.errors.append(error)
            fabric = None
    files = tuple(d.path for d in found.files)
    return Loaded(found.root, fabric if not found.errors else None, files, found.problems, found.errors)


@contextmanager
def _without_collector() -> Iterator[None]:
    """Millions of small tuples and no cycles: the collector would cost several times the parsing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _resolve_all(found: Read, sources: Sources, vendor: str | None) -> Fabric:
    """The fabric, and the one that a rollout with stages starts from."""
    if "rollout" not in found.section:
        return resolve(found, sources, vendor)
    before = _load_previous(found, sources, vendor)
    fabric = resolve(found, sources, vendor)
    return fabric if before is None else replace(fabric, facts={**fabric.facts, "previous": before})


class Previous(NamedTuple):
    """What `rollout.from` names."""

    name: str  # as written
    at: Span
    fabric: Fabric | None  # None: it could not be read
    why: str  # why it could not
    meant: str | None = None  # a file beside it whose name it is likely a slip of


def _load_previous(found: Read, sources: Sources, vendor: str | None) -> Previous | None:
    """The intent that `rollout.from` names, where it cannot be there, or stages are stated: else nothing can be apart.

    It is read on its own: what is wrong with it is told where it is linted, not here.
    """
    rollout = section(found.section.get("rollout"))
    named, stages = pick("from", rollout), pick("stages", rollout)
    if named is None:
        return None
    path = os.path.normpath(os.path.join(os.path.dirname(sources.documents[named.at.doc].path), named.value))
    if not found.bounds.hold(path):
        return Previous(named.value, named.at, None, found.bounds.describe_refusal(named.value, path)[0])
    if not os.path.exists(path):
        folder, name = os.path.split(path)
        beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        meant = near(name, (each for each in beside if each != name and each.endswith((".yaml", ".yml", ".json"))))
        return Previous(named.value, named.at, None, f"there is no file {path}", meant)
    if stages is None or not stages.value:
        return None
    if not os.path.isfile(path):
        return Previous(named.value, named.at, None, f"{path} is not a file")
    own = Sources(sources.allowed)
    own.by_shape = sources.by_shape
    try:
        older = read(path, own)
        if older.errors:
            return Previous(named.value, named.at, None, older.errors[0].message)
        fabric = resolve(older, own, vendor)
    except SourceError as error:
        return Previous(named.value, named.at, None, error.message)
    return Previous(named.value, named.at, fabric, "")
