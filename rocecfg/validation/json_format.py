"""Verdicts as JSON, version 1: what is written, and its schema."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.jsonform import (
    COUNT,
    FLAG,
    LINE,
    LINE_OR_NULL,
    TEXT,
    WORD,
    WORD_OR_NULL,
    Field,
    always,
    fields,
    listed,
    one_of,
    schema_document,
    text_of,
)
from rocecfg.core.records import NamedTuple
from rocecfg.source.document import SourceError
from rocecfg.validation.run import ValidationRun
from rocecfg.vendors import VENDORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.core.jsonform import Schema

_FAULT = fields(
    Field("line", LINE_OR_NULL, "line in the file, from 1; null where nothing of the text is to blame alone"),
    Field("where", TEXT, "path in the model's terms (TABLE|key|field, objects of NVUE), or the line of EOS itself"),
    Field("message", WORD, "what the model refuses"),
)
_FILE = fields(
    Field("path", WORD, "the file"),
    Field("vendor", one_of(VENDORS), "whose configuration it is"),
    Field("valid", FLAG, "whether the model takes it"),
    Field("model", WORD, "what checked: the model, with its release or folder", "verdict.model"),
    Field("release", WORD_OR_NULL, "release that was checked for; null: the model is of none", "verdict.release"),
    Field("faults", listed(_FAULT), "what the model refuses", "verdict.faults"),
    Field("assumed", listed(TEXT), "what the text does not say and the model wants to know", "verdict.assumed"),
    Field("not_judged", listed(TEXT), "parts of the text that no model covers", "verdict.unjudged"),
)
_ERROR = fields(
    Field("path", WORD, "the file that could not be checked"),
    Field("line", LINE, "line, from 1"),
    Field("column", LINE, "column in code points, from 1"),
    Field("message", WORD, "why"),
    Field("help", TEXT, "what fixes it; empty where nothing is known"),
)
_SUMMARY = fields(
    Field("judged", COUNT, "files that were checked", lambda run: len(run.judged)),
    Field("valid", COUNT, "of these, files that their models take", lambda run: len(run.judged) - len(run.refused)),
    Field("refused", COUNT, "of these, files with faults", lambda run: len(run.refused)),
    Field("faults", COUNT, "faults in all files", lambda run: sum(len(one.verdict.faults) for one in run.judged)),
    Field("errors", COUNT, "files that should have been checked and could not be", lambda run: len([*_errors(run)])),
    Field("others", COUNT, "files of folders that are not a configuration", lambda run: len(run.others)),
    Field("ignored", COUNT, "files and folders that .gitignore and settings name, passed over"),
)
FORM = fields(
    Field("version", always(1), "of this format"),
    Field("files", listed(_FILE), "what was checked", "judged"),
    Field("errors", listed(_ERROR), "what could not be checked", lambda run: list(_errors(run))),
    Field("summary", _SUMMARY, "totals", lambda run: run),
)


class _Error(NamedTuple):
    path: str
    line: int
    column: int
    message: str
    help: str


def render(run: ValidationRun) -> str:
    """The verdicts of a run."""
    return text_of(FORM, run)


def json_schema() -> Schema:
    """JSON Schema 2020-12 of the format."""
    return schema_document("validation", "rocecfg validate --format json, version 1", FORM)


def _errors(run: ValidationRun) -> Iterator[_Error]:
    for error in run.errors:
        assert isinstance(error, SourceError)
        yield _Error(error.path, error.line, error.column, error.message, error.help)
    for unable in run.unable:
        yield from (_Error(path, 1, 1, unable.error.message, unable.error.help) for path in unable.paths)
