"""JSON that is written, and its JSON Schema, from one declaration: a key's meaning, its type, where its value is from.

REACH = fields(Field("device", WORD, "devices", lambda of: short(of.devices)), Field("ports", COUNT, "how many"))
listed(REACH).write(found)   # [{"device": "leaf[01-02]", "ports": 4}]
listed(REACH).schema         # {"type": "array", "items": {"type": "object", "properties": ...}}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from operator import attrgetter

from rocecfg.core.records import NamedTuple
from rocecfg.core.site import schema_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]


class Form(NamedTuple):
    """A type of JSON: its schema, and how a value is written in it."""

    schema: Schema
    write: Callable[[Any], Any]


class Field(NamedTuple):
    """A key of an object."""

    name: str
    form: Form
    means: str
    get: str | Callable[[Any], Any] = ""  # path of the attribute, or a function of the element; "": named as the key


def plain(schema: Schema) -> Form:
    """Values that are JSON as they are."""
    return Form(schema, _unchanged)


def _unchanged(value: Any) -> Any:
    return value


TEXT = plain({"type": "string"})
TEXT_OR_NULL = plain({"type": ["string", "null"]})
WORD = plain({"type": "string", "minLength": 1})
WORD_OR_NULL = plain({"type": ["string", "null"], "minLength": 1})
COUNT = plain({"type": "integer", "minimum": 0})
LINE = plain({"type": "integer", "minimum": 1})
LINE_OR_NULL = plain({"type": ["integer", "null"], "minimum": 1})
FLAG = plain({"type": "boolean"})
VALUE = plain({})
PATCH = Form({"type": "object"}, dict)  # an operation of RFC 6902


def always(value: Any) -> Form:
    """That value, whatever the element is."""
    return Form({"const": value}, lambda _: value)


def one_of(words: tuple[str, ...]) -> Form:
    """One of some words."""
    return plain({"enum": list(words)})


def listed(of: Form, least: int = 0) -> Form:
    """A list, of at least so many."""
    more = {"minItems": least} if least else {}
    return Form({"type": "array", "items": of.schema, **more}, lambda values: [of.write(value) for value in values])


def listed_or_null(of: Form) -> Form:
    """A list; null for an empty one."""
    schema = {"type": ["array", "null"], "minItems": 1, "items": of.schema}
    return Form(schema, lambda values: [of.write(value) for value in values] or None)


def or_null(of: Form) -> Form:
    """null for None."""
    return Form({"anyOf": [of.schema, {"type": "null"}]}, lambda value: None if value is None else of.write(value))


def fields(*of: Field) -> Form:
    """An object that has all of these keys; a later release may add others."""
    properties = {field.name: {**field.form.schema, "description": field.means} for field in of}
    getters = [(field.name, field.form.write, _getter(field)) for field in of]
    return Form(
        {"type": "object", "properties": properties, "required": list(properties)},
        lambda element: {name: write(get(element)) for name, write, get in getters},
    )


def _getter(field: Field) -> Callable[[Any], Any]:
    if "const" in field.form.schema:
        return _unchanged
    return attrgetter(field.get or field.name) if isinstance(field.get, str) else field.get


def text_of(form: Form, element: Any) -> str:
    """What is printed: the element as JSON."""
    return json.dumps(form.write(element), indent=1, ensure_ascii=False) + "\n"


def schema_document(name: str, title: str, form: Form) -> Schema:
    """JSON Schema 2020-12 of a format. Keys may be added within a version; none changes its meaning or goes."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id(name),
        "title": title,
        **form.schema,
    }
