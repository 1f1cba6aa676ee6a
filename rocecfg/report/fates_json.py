"""What became of the statements of configurations, as JSON has it."""

from __future__ import annotations

from rocecfg.core.jsonform import COUNT, LINE, TEXT, Field, fields, listed, one_of, or_null
from rocecfg.core.records import NamedTuple
from rocecfg.model.fates import FATES, Fates
from rocecfg.report.fates import quote_statement
from rocecfg.report.places import locate_span
from rocecfg.source.document import Sources


class LocatedFates(NamedTuple):
    """The fates as JSON has them."""

    total: int
    counts: tuple[int, ...]
    unjudged: tuple[_Group, ...]


class _Group(NamedTuple):
    fate: str
    number: int
    text: str
    why: str
    path: str
    line: int


_GROUP = fields(
    Field("fate", one_of(FATES[2:]), "what becomes of them"),
    Field("count", COUNT, "how many", "number"),
    Field("text", TEXT, "the first of them, without secrets"),
    Field("why", TEXT, "why they are neither checked nor foreign"),
    Field("path", TEXT, "its file"),
    Field("line", LINE, "its line, from 1"),
)
STATEMENTS = or_null(
    fields(
        Field("total", COUNT, "statements of device configurations and lines of hosts' output, each of one fate"),
        Field("judged", COUNT, "read into the model", lambda of: of.counts[0]),
        Field("foreign", COUNT, "cannot touch RoCE, by the list of the vendor", lambda of: of.counts[1]),
        Field("as_text", COUNT, "RoCE's, without a model: compared as they are written", lambda of: of.counts[2]),
        Field(
            "second_way",
            COUNT,
            "can change RoCE from outside: snippets, scripts, filters",
            lambda of: of.counts[3],
        ),
        Field("unknown", COUNT, "in no list", lambda of: of.counts[4]),
        Field("unjudged", listed(_GROUP), "those that are neither checked nor foreign, by kind"),
    )
)


def locate_fates(fates: Fates | None, sources: Sources) -> LocatedFates | None:
    """The fates with the places of what is not judged."""
    if fates is None:
        return None
    found = ((one, quote_statement(one, sources), locate_span(one.at, sources)) for one in fates.unjudged)
    groups = tuple(_Group(one.fate, one.number, text, one.why, at.path, at.line) for one, text, at in found)
    return LocatedFates(fates.total, fates.counts, groups)
