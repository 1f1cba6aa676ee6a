"""JSON and YAML as plain values, of which mappings remember where they stand."""

from __future__ import annotations

import json
from json.decoder import JSONArray, JSONObject, scanstring  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any

from rocecfg.cabling.statements import Broken
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Node, Scalar, compose


class PlacedMapping(dict[str, Any]):
    """A mapping, and the offset at which it begins."""

    __slots__ = ("at",)

    def __init__(self, values: Any, at: int) -> None:
        super().__init__(values)
        self.at = at


class _Decoder(json.JSONDecoder):
    """Reads objects as Placed. Of a key that appears twice, the last one counts, as in every reader of JSON."""

    def __init__(self) -> None:
        super().__init__(strict=False)
        self.parse_object = self._object
        self.parse_array = JSONArray
        self.parse_string = scanstring
        self.memo: dict[str, str] = {}
        self.scan_once = py_make_scanner(self)

    @staticmethod
    def _object(state: tuple[str, int], *args: Any) -> tuple[PlacedMapping, int]:
        values, end = JSONObject(state, *args)
        return PlacedMapping(values, state[1] - 1), end


def from_json(text: str) -> Any:
    """The value of a JSON text. Raises Broken with the place of what is wrong."""
    try:
        return _Decoder().decode(text)
    except json.JSONDecodeError as error:
        if _is_cut_off(text, error.pos):
            message = "is JSON that ends in the middle: the file was cut off"
            raise Broken(message, "fetch it again, whole", len(text.rstrip())) from None
        raise Broken(f"is not JSON from here on: {error.msg}", "", error.pos) from None
    except RecursionError:
        raise Broken("is nested too deeply to be a list of cables") from None


def _is_cut_off(text: str, at: int) -> bool:
    """Whether it is the end of the text that is wrong, or a string that never ends."""
    return not text[at:].strip() or (text[at : at + 1] == '"' and '"' not in text[at + 1 :].replace('\\"', ""))


def from_yaml(document: Document) -> Any:
    """The value of a YAML text, scalars as texts. Raises Broken."""
    try:
        node = compose(document)
    except SourceError as error:
        at = sum(len(line) + 1 for line in document.text.split("\n")[: error.line - 1]) + error.column - 1
        raise Broken(error.message, error.help, at) from None
    return _to_value(node)


def _to_value(node: Node | None) -> Any:
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Map):
        return PlacedMapping(((key.text, _to_value(child)) for key, child in node.pairs), node.start)
    return [_to_value(item) for item in node.items]


def as_text(value: Any) -> str:
    """A word or number as text; empty for what is neither."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def as_items(value: Any) -> list[Any]:
    """A list as it is, nothing as an empty one, and any other value as a list of one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def as_mappings(value: Any) -> list[PlacedMapping]:
    """The mappings of a list, or the one that stands in its place."""
    return [item for item in as_items(value) if isinstance(item, PlacedMapping)]


def get_in(value: Any, *path: str) -> Any:
    """What stands below keys, one in the other; None where there is nothing."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value
