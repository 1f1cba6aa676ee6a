"""The older intent that a rollout starts from, where the rules on its stages need it."""

from __future__ import annotations

import os

from rocecfg.core.records import NamedTuple
from rocecfg.intent.precedence import pick, section
from rocecfg.intent.read import Read, read
from rocecfg.intent.resolve import resolve
from rocecfg.model import Fabric, Span
from rocecfg.source.document import SourceError, Sources


class Previous(NamedTuple):
    """What `rollout.from` names."""

    name: str  # as written
    at: Span
    fabric: Fabric | None  # None: it could not be read
    why: str  # why it could not


def previous(found: Read, sources: Sources, vendor: str | None) -> Previous | None:
    """The intent that `rollout.from` names, where stages are stated: without them nothing can be apart.

    It is read on its own: what is wrong with it is told where it is linted, not here.
    """
    rollout = section(found.section.get("rollout"))
    named, stages = pick("from", rollout), pick("stages", rollout)
    if named is None or stages is None or not stages.value:
        return None
    path = os.path.normpath(os.path.join(os.path.dirname(sources.documents[named.at.doc].path), named.value))
    if not found.bounds.hold(path):
        return Previous(named.value, named.at, None, found.bounds.refusal(named.value, path)[0])
    if not os.path.isfile(path):
        return Previous(named.value, named.at, None, f"there is no file {path}")
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
