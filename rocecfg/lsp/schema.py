"""The format at a place: what stands there, what it means, and in words what it may be. Read from its JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from rocecfg.intent.fields import PREFIX, SHARE, THRESHOLD
from rocecfg.intent.schema import json_schema
from rocecfg.intent.types import (
    DEVICE_NAME,
    HWSKU,
    LENGTH,
    NAME,
    PATH,
    PERCENT,
    PORT_NAME,
    PROSE,
    RATE,
    SIZE,
    TIME,
    VERSION,
    WORD,
)

ITEM = "[]"  # an item of a list, in a path
Path = tuple[str, ...]  # keys from the root, ITEM for items of lists
Schema = dict[str, Any]

_AMOUNTS = (SIZE, TIME, RATE, LENGTH, PERCENT, SHARE, THRESHOLD)
_NAMED = (*_AMOUNTS, PREFIX, NAME, WORD, VERSION, HWSKU, PROSE, PATH, DEVICE_NAME)
_MOST = 12  # words of an enumeration that are told


@cache
def _load_root() -> Schema:
    return json_schema()


@cache
def _index_wants() -> dict[str, str]:
    """Pattern -> what it means in words."""
    return {one.schema()["pattern"]: one.wants for one in (*_NAMED, PORT_NAME)}


def find_schemas(path: Path) -> list[Schema]:
    """What may stand at a place, alternatives side by side; nothing where the format knows no such place."""
    found = list(_iter_alternatives(_load_root()))
    for part in path:
        found = [inner for schema in found for below in _step_into(schema, part) for inner in _iter_alternatives(below)]
    return found


def describe_key(path: Path) -> str:
    """What the key at the end of a path means; empty where the format says nothing, as of a name of the user's."""
    found = list(_iter_alternatives(_load_root()))
    meaning = ""
    for part in path:
        steps = [below for schema in found for below in _step_into(schema, part)]
        meaning = next((str(s["description"]) for s in steps if "description" in s), "")
        found = [inner for below in steps for inner in _iter_alternatives(below)]
    return meaning


def list_keys(path: Path) -> dict[str, Schema]:
    """The keys that a mapping at a place may have."""
    return {name: below for schema in find_schemas(path) for name, below in schema.get("properties", {}).items()}


def list_words(path: Path) -> list[str]:
    """The words that may stand at a place, as far as the format closes the list."""
    out: list[str] = []
    for schema in find_schemas(path):
        if schema.get("type") == "boolean":
            out += ("true", "false")
        out += map(str, (*schema.get("enum", ()), *([schema["const"]] if "const" in schema else [])))
    known = dict.fromkeys(out)
    return [word for word in known if word == word.lower() or word.lower() not in known]


_UNITS = {  # as people write them -> what they are
    "B": "bytes",
    "KB": "10^3 bytes",
    "MB": "10^6 bytes",
    "GB": "10^9 bytes",
    "KiB": "2^10 bytes",
    "MiB": "2^20 bytes",
    "GiB": "2^30 bytes",
    "us": "microseconds",
    "ms": "milliseconds",
    "s": "seconds",
    "min": "minutes",
    "K": "kbit/s",
    "M": "Mbit/s",
    "G": "Gbit/s",
    "T": "Tbit/s",
    "mm": "millimetres",
    "cm": "centimetres",
    "m": "metres",
    "km": "kilometres",
    "%": "percent",
}


def list_units(path: Path, number: str) -> dict[str, str]:
    """The units that a number may have at a place, and what each is; none where it needs none."""
    patterns = [schema["pattern"] for schema in find_schemas(path) if "pattern" in schema]
    wanting = [pattern for pattern in patterns if not re.search(pattern, number)]
    return {unit: name for unit, name in _UNITS.items() if any(re.search(one, number + unit) for one in wanting)}


def describe_place(path: Path) -> str:
    """What may stand at a place, in words."""
    return describe(find_schemas(path))


def describe(schemas: Iterable[Schema]) -> str:
    """Alternatives in words."""
    return ", or ".join(dict.fromkeys(filter(None, (_describe_one(schema) for schema in schemas))))


def list_alternatives(schema: Schema) -> list[Schema]:
    """The alternatives of a schema."""
    return list(_iter_alternatives(schema))


def _iter_alternatives(schema: Schema) -> Iterator[Schema]:
    if "anyOf" in schema:
        for one in schema["anyOf"]:
            yield from _iter_alternatives(one)
    else:
        yield schema


def _step_into(schema: Schema, part: str) -> Iterator[Schema]:
    if part == ITEM:
        if "items" in schema:
            yield schema["items"]
    elif part in schema.get("properties", {}):
        yield schema["properties"][part]
    elif isinstance(schema.get("additionalProperties"), dict):
        yield schema["additionalProperties"]


def _describe_one(schema: Schema) -> str:
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        shown = [str(word) for word in schema["enum"][:_MOST]]
        return " | ".join(shown) + (" | …" if len(schema["enum"]) > _MOST else "")
    kind = schema.get("type")
    if kind == "array":
        return f"a list of {describe(list_alternatives(schema['items'])) or 'values'}"
    if kind == "object":
        names = ", ".join(list(schema.get("properties", ()))[:_MOST])
        more = ", …" if len(schema.get("properties", ())) > _MOST else ""
        return f"a mapping ({names}{more})" if names else "a mapping"
    if kind == "boolean":
        return "true or false"
    if kind in ("integer", "number"):
        word = "a whole number" if kind == "integer" else "a number"
        return f"{word} from {schema['minimum']:g} to {schema['maximum']:g}"
    return _index_wants().get(schema.get("pattern", ""), "")
