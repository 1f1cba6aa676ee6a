"""The intent: its format, reading it, and resolving it to the model."""

from __future__ import annotations

import gc

from rocecfg.core.records import NamedTuple
from rocecfg.intent.read import Read, read
from rocecfg.intent.resolve import resolve
from rocecfg.model import Fabric
from rocecfg.model.frozen import replace
from rocecfg.model.stated import NotUnderstood, Problem
from rocecfg.source.document import SourceError, Sources


class Loaded(NamedTuple):
    """One fabric as far as it could be read."""

    root: str
    fabric: Fabric | None  # None where a file could not be read: what is missing must not be judged
    files: tuple[str, ...]
    problems: list[Problem]
    errors: list[SourceError]
    unread: tuple[NotUnderstood, ...] = ()  # statements of device configurations


def load(root: str, sources: Sources | None = None, vendor: str | None = None) -> Loaded:
    """Read and resolve the intent whose root file is `root`; `vendor` is taken for devices that name none.

    Never raises for what is wrong in the files: problems have places in texts of `sources`, errors name files that
    could not be read.
    """
    sources = sources if sources is not None else Sources()
    collecting = gc.isenabled()
    gc.disable()  # millions of small tuples and no cycles: the collector costs several times the parsing
    try:
        found: Read = read(root, sources)
        fabric = _resolved(found, sources, vendor) if not found.errors else None
    except SourceError as error:  # a profile of the user's that cannot be read
        found.errors.append(error)
        fabric = None
    finally:
        if collecting:
            gc.enable()
    files = tuple(d.path for d in found.files)
    return Loaded(root, fabric if not found.errors else None, files, found.problems, found.errors)


def _resolved(found: Read, sources: Sources, vendor: str | None) -> Fabric:
    """The fabric, and the one that a rollout with stages starts from."""
    if "rollout" not in found.section:
        return resolve(found, sources, vendor)
    from rocecfg.intent.previous import previous  # few intents have one

    before = previous(found, sources, vendor)
    fabric = resolve(found, sources, vendor)
    return fabric if before is None else replace(fabric, facts={**fabric.facts, "previous": before})
