"""Types of the published NVUE models (pydantic's): which keys stand below one, and whether a value is of one."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from nvueschema.models import _versions
from pydantic import BaseModel, TypeAdapter, ValidationError

RELEASES: tuple[str, ...] = tuple(_versions.VERSIONS)
PACKAGE = f"nvueschema {version('nvueschema')}"

_adapters: dict[int, TypeAdapter[Any]] = {}  # by identity: fields live as long as their models, and have no hash


def root_of(release: str) -> Any:
    """The type of a whole configuration of a release, one of RELEASES."""
    return importlib.import_module(f"nvueschema.models.v{release.replace('.', '_')}").NvueConfig


def unwrapped(kind: Any) -> Any:
    """A type without the None that it may be instead."""
    while get_origin(kind) is Union:
        others = [of for of in get_args(kind) if of is not type(None)]
        if len(others) != 1:
            break
        kind = others[0]
    return kind


def fields_of(kind: Any) -> dict[str, Any]:
    """The keys that a type names, those of each model that it may be; {}: it is not a model."""
    return {(field.alias or name): field for model in _models(kind) for name, field in model.model_fields.items()}


def is_model(kind: Any) -> bool:
    """Whether a type names keys."""
    return bool(_models(kind))


def below_any(kind: Any) -> Any:
    """The type below any key; None: not every key may stand there."""
    kind = unwrapped(kind)
    for of in get_args(kind) if get_origin(kind) is Union else (kind,):
        inner = unwrapped(of)
        if get_origin(inner) is dict:
            return get_args(inner)[1]
    return None


def is_bare(kind: Any) -> bool:
    """Whether a key has nothing below it that the schema knows."""
    return unwrapped(kind) is Any


def wrong_value(field: Any, value: Any) -> str | None:
    """What is wrong with the value of a field; None: nothing."""
    known = _adapters.get(id(field))
    if known is None:
        kind = field.annotation
        if field.metadata:
            kind = Annotated[(kind, *field.metadata)]
        known = _adapters[id(field)] = TypeAdapter(kind)
    try:
        known.validate_python(value)
    except ValidationError as error:
        return str(error.errors()[0]["msg"])
    return None


def title(kind: Any) -> str:
    """What a type takes, in a few words."""
    kind = unwrapped(kind)
    if get_origin(kind) is Literal:
        return "|".join(map(str, get_args(kind)))
    if get_origin(kind) is Annotated:
        return title(get_args(kind)[0])
    if get_origin(kind) is Union:
        return " or ".join(dict.fromkeys(title(of) for of in get_args(kind) if of is not type(None)))
    return str(getattr(kind, "__name__", kind))


def _models(kind: Any) -> list[type[BaseModel]]:
    kind = unwrapped(kind)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    if get_origin(kind) is Union:
        return [model for of in get_args(kind) for model in _models(of)]
    return []
