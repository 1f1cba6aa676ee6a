"""The resolved plan as JSON, version 1: what is written, and its schema."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rocecfg.core.jsonform import (
    TEXT,
    VALUE,
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
from rocecfg.model.fates import Fates, add_up_fates
from rocecfg.report.fates_json import STATEMENTS, LocatedFates, locate_fates
from rocecfg.report.plan import Origins, PlanElement, PlanRow, make_path
from rocecfg.source.document import Sources


class _Value(NamedTuple):
    of: PlanElement
    row: PlanRow
    origins: Origins


class _Shown(NamedTuple):
    of: PlanElement
    origins: Origins


class _Plan(NamedTuple):
    elements: list[_Shown]
    statements: LocatedFates | None


def _make_json_value(value: Any) -> Any:
    """A value as JSON has it; a profile by its name, anything else in words."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, (tuple, list)):
        return [_make_json_value(each) for each in value]
    return str(getattr(value, "name", value))


_VALUE = fields(
    Field("path", WORD, "name of the setting, as `--key` takes it", lambda value: make_path(value.of, value.row)),
    Field(
        "value", VALUE, "what is in effect: bytes, milliseconds, bit/s", lambda value: _make_json_value(value.row.value)
    ),
    Field("text", TEXT, "the same as it is shown, with its unit", "row.text"),
    Field("origin", TEXT, "where it came from", lambda value: value.origins(value.row.origin)),
    Field("note", TEXT, "what else is to be known of it", "row.note"),
)
_ELEMENT = fields(
    Field("kind", one_of(("fabric", "device", "class", "ports")), "what the values are of", "of.kind"),
    Field("name", TEXT, "name of the fabric or the class; node set of the devices or the ports", "of.name"),
    Field(
        "device",
        WORD_OR_NULL,
        "devices that a class or ports are of, as a node set; null: every device, or the fabric",
        lambda shown: (shown.of.device.key or None) if shown.of.device is not None else None,
    ),
    Field(
        "values",
        listed(_VALUE),
        "its values",
        lambda shown: [_Value(shown.of, row, shown.origins) for row in shown.of.rows],
    ),
)
_PLAN = fields(
    Field("version", always(1), "version of this format"),
    Field("elements", listed(_ELEMENT), "the fabric, then each device with its classes and ports"),
    Field(
        "statements",
        STATEMENTS,
        "what became of the statements of device configurations; null: there are none",
    ),
)


def render(found: Iterable[PlanElement], origins: Origins, fates: list[Fates], sources: Sources) -> str:
    """The elements of plans, each with the words for where its values came from, and the fates of statements."""
    return text_of(
        _PLAN,
        _Plan(
            [_Shown(element, origins) for element in found],
            locate_fates(add_up_fates(fates) if fates else None, sources),
        ),
    )


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1."""
    return schema_document("show", "rocecfg show, version 1: what `rocecfg show --format json` writes", _PLAN)
