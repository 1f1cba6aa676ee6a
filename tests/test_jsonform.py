"""JSON and its schema from one declaration: what is written is what the schema says, key by key."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

from rocecfg.core.jsonform import (
    COUNT,
    PATCH,
    TEXT,
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

INNER = fields(Field("name", WORD, "a name"), Field("count", COUNT, "how many", lambda of: len(of.things)))
WHOLE = fields(
    Field("version", always(1), "version"),
    Field("kind", one_of(("a", "b")), "kind"),
    Field("path", WORD_OR_NULL, "path", "inner.path"),
    Field("inner", INNER, "an object", "inner"),
    Field("all", listed(INNER, 1), "objects"),
    Field("none", listed_or_null(INNER), "objects, or null", lambda _: ()),
    Field("perhaps", or_null(INNER), "an object, or null", lambda _: None),
    Field("operations", listed(PATCH), "operations"),
    Field("texts", listed(TEXT), "texts"),
)


def element(**changed: Any) -> SimpleNamespace:
    inner = SimpleNamespace(name="x", things=(1, 2), path=None)
    of = {"kind": "a", "inner": inner, "all": (inner,), "operations": ({"op": "add"},), "texts": ("t",)}
    return SimpleNamespace(**{**of, **changed})


def wrong(of: Any) -> list[str]:
    schema = schema_document("x", "X", WHOLE)
    jsonschema.Draft202012Validator.check_schema(schema)
    return [e.message for e in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text_of(WHOLE, of)))]


def test_what_is_written_keeps_to_the_schema_and_has_its_keys_in_order() -> None:
    of = element()
    assert wrong(of) == []
    written = json.loads(text_of(WHOLE, of))
    assert list(written) == WHOLE.schema["required"] == list(WHOLE.schema["properties"])
    assert written["inner"] == {"name": "x", "count": 2}
    assert (written["none"], written["perhaps"], written["path"]) == (None, None, None)


@pytest.mark.parametrize("changed", [{"kind": "c"}, {"all": ()}, {"texts": (1,)}])
def test_what_the_declaration_excludes_breaks_the_schema(changed: dict[str, Any]) -> None:
    assert wrong(element(**changed))


def test_every_key_is_described() -> None:
    for key, schema in WHOLE.schema["properties"].items():
        assert schema["description"], key
