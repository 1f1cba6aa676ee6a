"""A dashboard judged by Grafana's schema of it, as the models that Grafana generates from that schema have it."""

from __future__ import annotations

import enum
import importlib.util
import json
import types
import typing
from collections.abc import Iterator
from typing import Any

from conformance import lacking

# Every dashboard that Grafana exports has it, and its list of variables shows it; the schema does not know it.
UNDOCUMENTED = ("/templating/list/*/definition",)


def faults(board: dict[str, Any]) -> list[str]:
    """What the schema of Grafana 11.6 does not have, or has with another type: each as the path to it."""
    if importlib.util.find_spec("grafana_foundation_sdk") is None:
        lacking("grafana-foundation-sdk is not installed: pip install '.[test]'")
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.cog.plugins import register_default_plugins
    from grafana_foundation_sdk.models.dashboard import Dashboard

    register_default_plugins()
    model = Dashboard.from_json(board)
    kept = json.loads(json.dumps(model, cls=JSONEncoder))
    return [*_unknown(board, kept, ""), *_other(model, Dashboard, "")]


def _unknown(given: Any, kept: Any, at: str) -> Iterator[str]:
    """Keys that the models did not keep."""
    if isinstance(given, dict):
        for key, value in given.items():
            if not isinstance(kept, dict) or key not in kept:
                if f"{at}/{key}" not in UNDOCUMENTED:
                    yield f"{at}/{key}: unknown"
            else:
                yield from _unknown(value, kept[key], f"{at}/{key}")
    elif isinstance(given, list):
        for each, its in zip(given, kept, strict=True):
            yield from _unknown(each, its, f"{at}/*")


def _other(value: Any, wanted: Any, at: str) -> Iterator[str]:
    """Values of another type than the models name."""
    options = typing.get_args(wanted) if typing.get_origin(wanted) in (typing.Union, types.UnionType) else (wanted,)
    found = [list(_one(value, option, at)) for option in options]
    yield from min(found, key=lambda faults: (any(fault.startswith(f"{at}: ") for fault in faults), len(faults)))


def _one(value: Any, wanted: Any, at: str) -> Iterator[str]:
    origin = typing.get_origin(wanted)
    if origin is typing.Literal:
        right = value in typing.get_args(wanted)
    elif origin is list:
        right = isinstance(value, list)
        for each in value if right else ():
            yield from _other(each, typing.get_args(wanted)[0], f"{at}/*")
    elif isinstance(wanted, type) and issubclass(wanted, enum.Enum):
        right = value in [member.value for member in wanted]
    elif hasattr(value, "to_json"):
        right = isinstance(value, wanted)
        for name, its in typing.get_type_hints(type(value)).items():
            yield from _other(getattr(value, name), its, f"{at}/{name.removesuffix('_val')}")
    elif wanted is float:
        right = type(value) in (int, float)
    else:
        plain = origin or wanted
        right = type(value) is plain or plain in (object, Any)
    if not right:
        yield f"{at}: {value!r} is no {wanted}"
