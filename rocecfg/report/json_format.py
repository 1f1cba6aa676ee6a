"""Findings as JSON, version 1: what is written, and its schema."""

from __future__ import annotations

from typing import Any

from rocecfg.core.jsonform import (
    COUNT,
    FLAG,
    LINE,
    TEXT,
    TEXT_OR_NULL,
    WORD,
    WORD_OR_NULL,
    Field,
    always,
    fields,
    listed,
    listed_or_null,
    one_of,
    or_null,
    schema_document,
    text_of,
)
from rocecfg.core.records import NamedTuple
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.fates_json import STATEMENTS, locate_fates
from rocecfg.report.pages import make_url
from rocecfg.report.places import Place, fold_devices, fold_ports, locate_finding, locate_span
from rocecfg.rules.base import SEVERITIES
from rocecfg.source.document import Sources


class _Related(NamedTuple):
    at: Place
    message: str


class _Shown(NamedTuple):
    """A finding with its places as lines and columns."""

    of: Finding
    at: Place
    related: tuple[_Related, ...]
    folded: tuple[_Shown, ...]


_RELATED = fields(
    Field("path", TEXT, "file of the second place", "at.path"),
    Field("line", LINE, "its line, from 1", "at.line"),
    Field("column", LINE, "its column, from 1, in code points", "at.column"),
    Field("message", TEXT, "what is there"),
)
_FIX = fields(
    Field("safe", FLAG, "true: `--fix` makes it; false: only `--unsafe-fixes` does, for it changes what a switch does"),
    Field("description", TEXT, "what it changes"),
)
_FOLDED = fields(
    Field("rule", WORD, "code of its rule", "of.rule.code"),
    Field("name", WORD, "name of its rule", "of.rule.name"),
    Field("severity", one_of(SEVERITIES[::-1]), "how bad it is", "of.severity"),
    Field("message", WORD, "what is wrong, with the values", "of.message"),
    Field("path", TEXT, "its file", "at.path"),
    Field("line", LINE, "its line, from 1", "at.line"),
    Field("column", LINE, "its column, from 1, in code points", "at.column"),
    Field("device", WORD_OR_NULL, "devices that it reaches, as a node set", lambda shown: fold_devices(shown.of)),
    Field("port", WORD_OR_NULL, "ports that it reaches, as a node set", lambda shown: fold_ports(shown.of)),
    Field("class", WORD_OR_NULL, "traffic class it is about", "of.cls"),
)
_FINDING = fields(
    Field("rule", WORD, "code of the rule, which never changes", "of.rule.code"),
    Field("name", WORD, "name of the rule, which `rocecfg explain` takes", "of.rule.name"),
    Field("severity", one_of(SEVERITIES[::-1]), "how bad it is on this kind of fabric", "of.severity"),
    Field("message", WORD, "what is wrong, with the values", "of.message"),
    Field("path", TEXT, "file, as it was named or found from the current folder", "at.path"),
    Field("line", LINE, "line of the place, from 1", "at.line"),
    Field("column", LINE, "column of the place, from 1, in code points", "at.column"),
    Field("end_line", LINE, "line where the place ends", "at.end_line"),
    Field("end_column", LINE, "column behind the last character of the place", "at.end_column"),
    Field(
        "device",
        WORD_OR_NULL,
        "devices that the cause reaches, as a node set; null: none in particular",
        lambda shown: fold_devices(shown.of),
    ),
    Field(
        "port",
        WORD_OR_NULL,
        "ports that it reaches, as a node set; null: not about ports",
        lambda shown: fold_ports(shown.of),
    ),
    Field("class", WORD_OR_NULL, "traffic class it is about; null: none in particular", "of.cls"),
    Field("devices", COUNT, "how many devices it reaches", lambda shown: len(shown.of.devices)),
    Field("ports", COUNT, "how many ports it reaches, over all devices", "of.port_count"),
    Field("help", WORD_OR_NULL, "how to fix it; null: see the message", lambda shown: shown.of.help or None),
    Field(
        "related",
        listed_or_null(_RELATED),
        "other places that belong to it, as the value it conflicts with; null: none",
    ),
    Field(
        "folded",
        listed_or_null(_FOLDED),
        "findings that are shown under it: the same at other places, and what follows from it; null: none",
    ),
    Field("fix", or_null(_FIX), "the change that `--fix` makes; null: none is known", "of.fix"),
    Field(
        "url",
        TEXT_OR_NULL,
        "page about the rule on the web; null: the site is not published, or it is a team's own rule, which has none",
        lambda shown: make_url(shown.of.rule),
    ),
)
_SUMMARY = fields(
    Field("files", COUNT, "files checked"),
    Field("fabrics", COUNT, "fabrics checked"),
    Field("devices", COUNT, "devices in them"),
    Field("ports", COUNT, "ports of these devices"),
    Field("errors", COUNT, "findings of severity error"),
    Field("warnings", COUNT, "findings of severity warning"),
    Field("infos", COUNT, "findings of severity info"),
    Field("suppressed", COUNT, "findings that a waiver, the settings or a baseline silences"),
    Field(
        "not_understood",
        COUNT,
        "statements of device configurations on queues, PFC and buffers that were not understood",
    ),
    Field("folded", COUNT, "findings that are shown under these, since they have the same cause"),
    Field("elsewhere", COUNT, "findings on lines that did not change, left out by `--since`"),
    Field("ignored_files", COUNT, "files below the given folders that .gitignore names: not looked at"),
    Field("ignored_folders", COUNT, "folders that it names, each with all that is in it"),
    Field("excluded_files", COUNT, "files that `exclude` of the settings names: not looked at"),
    Field("excluded_folders", COUNT, "folders that it names, each with all that is in it"),
    Field("silent_rules", COUNT, "rules that were skipped, since the intent lacks their section"),
    Field("silent_sections", listed(TEXT), "the sections that those rules need"),
    Field("absent", listed(TEXT), "what parts of configurations do not contain, so it was not checked"),
    Field("unset", listed(TEXT), "what whole configurations have no line on: checked as not set"),
    Field("unmodelled", TEXT, "why models did not check all syntax; empty: they did, or there was none"),
)
_RUN = fields(
    Field("version", always(1), "version of this format"),
    Field(
        "findings",
        listed(_FINDING),
        "one finding a cause, by file, place, code and message",
        lambda run: [_locate(finding, run.sources) for finding in run.causes],
    ),
    Field("summary", _SUMMARY, "how much was checked, and how much was found"),
    Field(
        "statements",
        STATEMENTS,
        "what became of the statements of device configurations; null: there are none",
        lambda run: locate_fates(run.summary.fates, run.sources),
    ),
)


def _locate(finding: Finding, sources: Sources) -> _Shown:
    related = tuple(_Related(locate_span(span, sources), word) for span, word in finding.related)
    return _Shown(
        finding, locate_finding(finding, sources), related, tuple(_locate(f, sources) for f in finding.folded)
    )


def render(run: Run, *, color: bool = False) -> str:
    """The envelope `{version, findings, summary}`; `color` is there for all formats and unused here."""
    del color
    return text_of(_RUN, run)


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1."""
    return schema_document("findings", "rocecfg findings, version 1: what `rocecfg lint --format json` writes", _RUN)
