"""NVIDIA's published schema of NVUE as package nvueschema writes it: which keys stand below one, what a value may be.

The package has Python modules, a class for each object and a line for each key. They are read as text: to import the
classes of one release takes a second, and a configuration touches a few dozen of its thousand. No code of the package
runs, and nothing has to be kept on disk between runs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib.machinery import PathFinder
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import decode, read_bytes
from rocecfg.validation.verdict import INSTALL, CannotJudge

_PACKAGE, _ROOT = "nvueschema", "NvueConfig"
_MODULE = re.compile(r"v(\d+)_(\d+)\.py")
_CLASS = "\nclass {}(BaseModel):\n"
_KEY = re.compile(r'^    (\w+): (.*?) = Field\(None(?:, alias="([^"]*)")?', re.MULTILINE)
_NAMED = re.compile(r"^([A-Z]\w*) = (Annotated\[.*\])$", re.MULTILINE)
_TOKEN = re.compile(r'r?"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|\w+|[][(),=]')
_ESCAPED = re.compile(r"\\(.)")
_WHOLE = re.compile(r"\s*[-+]?\d+(?:\.0*)?\s*", re.ASCII)
_DECIMAL = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*", re.ASCII)
_FOUR = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}", re.ASCII)

ANY, MODEL, MAPPING, CHOICE, WORDS, EMPTY, LIST, PLAIN = (
    "any", "model", "mapping", "choice", "words", "empty", "list", "plain",
)  # fmt: skip


class SchemaKind(NamedTuple):
    """A type. `form` says what `of` holds: keys, kinds, words, or the name of a plain type with its bounds."""

    form: str
    of: Any = None
    least: float | None = None  # of a number, or of the length of a text
    most: float | None = None
    pattern: str | None = None


class SchemaKey(NamedTuple):
    """A key of an object."""

    annotation: SchemaKind


class _Unreadable(Exception):
    """A type in a form that is not known here: the package is another version."""


class SchemaObject:
    """An object of the schema, whose keys are read once one is asked for."""

    def __init__(self, schema: _Schema, name: str) -> None:
        self._schema = schema
        self._name = name

    @cached_property
    def fields(self) -> dict[str, SchemaKey]:
        """Its keys."""
        return {key: SchemaKey(self._schema.kind(kind)) for key, kind in self._schema.keys_of(self._name)}


class _Schema:
    """The schema of one release."""

    def __init__(self, path: str) -> None:
        self._text = decode(path, read_bytes(path))
        self._named = dict(_NAMED.findall(self._text[: max(self._text.find("\nclass "), 0)]))
        self._models: dict[str, SchemaObject] = {}
        self._kinds: dict[str, SchemaKind] = {}

    def keys_of(self, name: str) -> Iterator[tuple[str, str]]:
        """The keys of a class, each with its type as it is written."""
        head = _CLASS.format(name)
        begin = self._text.find(head)
        if begin < 0:
            raise _unreadable(f"no class {name}")
        end = self._text.find("\nclass ", begin + len(head))
        for match in _KEY.finditer(self._text, begin, end if end >= 0 else len(self._text)):
            yield match[3] or match[1], match[2]

    def model(self, name: str) -> SchemaKind:
        """The type of an object."""
        known = self._models.get(name)
        if known is None:
            known = self._models[name] = SchemaObject(self, name)
        return SchemaKind(MODEL, known)

    def kind(self, text: str) -> SchemaKind:
        """The type that an annotation says."""
        known = self._kinds.get(text)
        if known is None:
            try:
                known, rest = self._parse(_TOKEN.findall(text)[::-1])
            except (_Unreadable, IndexError, ValueError):
                rest = [text]
            if rest or known is None:
                raise _unreadable(text[:80])
            self._kinds[text] = known
        return known

    def _parse(self, left: list[str]) -> tuple[SchemaKind, list[str]]:
        """A type, and what of the tokens, the next at the end, is left behind it."""
        name = left.pop()
        if name in _SIMPLE:
            return _SIMPLE[name], left
        if name in self._named:
            return self.kind(self._named[name]), left
        if name.startswith(_ROOT):
            return self.model(name), left
        if not left or left.pop() != "[":
            raise _Unreadable
        if name == "Literal":
            words = tuple(_to_value(part) for part in iter(left.pop, "]") if part != ",")
            return SchemaKind(WORDS, words), left
        parts: list[SchemaKind] = []
        bounds: dict[str, Any] = {}
        while True:
            if left[-1] in _LIMITS:
                bounds |= _parse_limits(left)
            else:
                parts.append(self._parse(left)[0])
            if left.pop() == "]":
                break
        return _combine(name, parts, bounds), left


_SIMPLE = {
    "Any": SchemaKind(ANY),
    "None": SchemaKind(EMPTY),
    "SecretStr": SchemaKind(PLAIN, "str"),
    **{
        name: SchemaKind(PLAIN, name)
        for name in ("str", "int", "float", "IPv4Address", "IPv6Address", "IPv4Network", "IPv6Network")
    },
}
_LIMITS = frozenset(("Field", "BeforeValidator"))
_BOUNDS = {"ge": "least", "min_length": "least", "le": "most", "max_length": "most", "pattern": "pattern"}


def _parse_limits(left: list[str]) -> dict[str, Any]:
    """What `Field(ge=0, le=7)` or `BeforeValidator(partial(_validate_string, min_length=1))` asks of a value."""
    out: dict[str, Any] = {}
    depth = 0
    while True:
        part = left.pop()
        depth += (part == "(") - (part == ")")
        if left[-1] == "=":
            left.pop()
            out[_known_bound(part)] = _to_value(left.pop())
        if not depth and part == ")":
            return out


def _known_bound(word: str) -> str:
    if word not in _BOUNDS:
        raise _Unreadable
    return _BOUNDS[word]


def _to_value(token: str) -> str | float:
    if token[0] == "r":
        return token[2:-1]
    if token[0] == '"':
        return _ESCAPED.sub(r"\1", token[1:-1])
    return float(token) if "." in token else int(token)


def _combine(name: str, parts: list[SchemaKind], bounds: dict[str, Any]) -> SchemaKind:
    if name == "Optional":
        return SchemaKind(CHOICE, (*_flatten(parts), SchemaKind(EMPTY)))
    if name == "Union":
        return SchemaKind(CHOICE, tuple(_flatten(parts)))
    if name == "Annotated":
        limited = parts[0]
        return limited._replace(**{bound: _tighter(limited, bound, value) for bound, value in bounds.items()})
    if name in {"Dict", "List"}:
        return SchemaKind(MAPPING if name == "Dict" else LIST, parts[-1])
    raise _Unreadable


def _tighter(kind: SchemaKind, bound: str, value: Any) -> Any:
    """A bound, which a type that has a name may have already."""
    if bound == "pattern":
        return value if kind.pattern is None else f"(?=.*(?:{value}))(?:.*(?:{kind.pattern}))"
    before = getattr(kind, bound)
    return value if before is None else (max if bound == "least" else min)(before, value)


def _flatten(parts: list[SchemaKind]) -> Iterator[SchemaKind]:
    """The kinds that a value may be, in their order and each once."""
    found = (inner for part in parts for inner in (part.of if part.form == CHOICE else (part,)))
    yield from dict.fromkeys(kind for kind in found if kind.form != EMPTY)


def _unreadable(what: str) -> CannotJudge:
    return CannotJudge(f"this version of {_PACKAGE} cannot be read here ({what})", INSTALL)


# -- what is installed -------------------------------------------------------------------------------------------------


@cache
def _find_folder() -> str | None:
    spec = PathFinder.find_spec(_PACKAGE)
    places = spec.submodule_search_locations if spec is not None else None
    folder = os.path.join(next(iter(places)), "models") if places else ""
    return folder if os.path.isdir(folder) else None


@cache
def name_package() -> str:
    """The package, with its version."""
    folder = os.path.dirname(os.path.dirname(_folder()))
    found = [name for name in os.listdir(folder) if name.startswith(f"{_PACKAGE}-") and name.endswith(".dist-info")]
    return found[0].removesuffix(".dist-info").replace("-", " ") if found else _PACKAGE


@cache
def list_releases() -> tuple[str, ...]:
    """The releases whose schema the package has, ascending."""
    found = (_MODULE.fullmatch(name) for name in os.listdir(_folder()))
    numbers = sorted((int(match[1]), int(match[2])) for match in found if match is not None)
    return tuple(f"{major}.{minor}" for major, minor in numbers)


@cache
def root_of(release: str) -> SchemaKind:
    """The type of a whole configuration of a release, one of `list_releases`."""
    return _Schema(os.path.join(_folder(), f"v{release.replace('.', '_')}.py")).model(_ROOT)


def _folder() -> str:
    folder = _find_folder()
    if folder is None:
        raise CannotJudge(f"NVUE's schema is not here: there is no {_PACKAGE}", INSTALL)
    return folder


# -- what stands below a key, and what a value may be ------------------------------------------------------------------


def fields_of(kind: SchemaKind) -> dict[str, SchemaKey]:
    """The keys that a type names, those of each object that it may be; {}: it is none."""
    return {key: field for model in _models(kind) for key, field in model.fields.items()}


def is_model(kind: SchemaKind) -> bool:
    """Whether a type names keys."""
    return bool(_models(kind))


def below_any(kind: SchemaKind) -> SchemaKind | None:
    """The type below any key; None: not every key may stand there."""
    inner: SchemaKind | None = next((of.of for of in _choices(kind) if of.form == MAPPING), None)
    return inner


def is_bare(kind: SchemaKind) -> bool:
    """Whether a key has nothing below it that the schema knows."""
    return [of.form for of in _choices(kind)] == [ANY]


def wrong_value(field: SchemaKey, value: Any) -> str | None:
    """What is wrong with the value of a field; None: nothing."""
    kind = field.annotation
    if value is None or any(_takes(of, value) for of in _choices(kind)):
        return None if value is not None or kind.form in {CHOICE, ANY} else "must have a value"
    return f"must be {title(kind)}"


def title(kind: SchemaKind) -> str:
    """What a type takes, in a few words."""
    return " or ".join(dict.fromkeys(_title_of(of) for of in _choices(kind)))


def _models(kind: SchemaKind) -> list[SchemaObject]:
    return [of.of for of in _choices(kind) if of.form == MODEL]


def _choices(kind: SchemaKind) -> tuple[SchemaKind, ...]:
    """What a type may be, but for nothing at all."""
    return tuple(of for of in kind.of if of.form != EMPTY) if kind.form == CHOICE else (kind,)


def _takes(kind: SchemaKind, value: Any) -> bool:
    if kind.form == ANY:
        return True
    if kind.form == WORDS:
        return value in kind.of
    if kind.form == LIST:
        return isinstance(value, list) and not any(wrong_value(SchemaKey(kind.of), each) for each in value)
    return kind.form == PLAIN and _PLAIN[kind.of](kind, value)


def _takes_text(kind: SchemaKind, value: Any) -> bool:
    if not isinstance(value, str) or not _is_within(kind, len(value)):
        return False
    return kind.pattern is None or re.search(kind.pattern, value) is not None


def _takes_whole(kind: SchemaKind, value: Any) -> bool:
    if isinstance(value, str):
        return _WHOLE.fullmatch(value) is not None and _is_within(kind, int(float(value)))
    return isinstance(value, (int, float)) and value == int(value) and _is_within(kind, value)


def _takes_decimal(kind: SchemaKind, value: Any) -> bool:
    if isinstance(value, str):
        return _DECIMAL.fullmatch(value) is not None and _is_within(kind, float(value))
    return isinstance(value, (int, float)) and _is_within(kind, value)


def _takes_address(kind: SchemaKind, value: Any) -> bool:
    if isinstance(value, str) and kind.of == "IPv4Address" and _FOUR.fullmatch(value):
        return True
    import ipaddress  # takes longer to load than most files to judge

    made: Callable[[Any], Any] = getattr(ipaddress, kind.of)
    try:
        made(value)
    except ValueError:
        return False
    return True


def _is_within(kind: SchemaKind, number: float) -> bool:
    return (kind.least is None or number >= kind.least) and (kind.most is None or number <= kind.most)


_PLAIN: dict[str, Callable[[SchemaKind, Any], bool]]
_PLAIN = {"str": _takes_text, "int": _takes_whole, "float": _takes_decimal}
_PLAIN |= dict.fromkeys(("IPv4Address", "IPv6Address", "IPv4Network", "IPv6Network"), _takes_address)
_WORDED = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "IPv4Address": "an IPv4 address",
    "IPv6Address": "an IPv6 address",
    "IPv4Network": "an IPv4 prefix",
    "IPv6Network": "an IPv6 prefix",
}


def _title_of(kind: SchemaKind) -> str:
    if kind.form == WORDS:
        return "|".join(map(str, kind.of))
    if kind.form == LIST:
        return f"a list of {title(kind.of)}"
    if kind.form in {MODEL, MAPPING}:
        return "keys"
    if kind.form == ANY:
        return "anything"
    bounds = _describe_bounds(kind)
    matching = f" that matches {kind.pattern}" if kind.pattern is not None else ""
    return f"{_WORDED[kind.of]}{bounds}{matching}"


def _describe_bounds(kind: SchemaKind) -> str:
    unit = " characters" if kind.of == "str" else ""
    before = " of" if unit else " from"
    if kind.least is not None and kind.most is not None:
        return f"{before} {kind.least} to {kind.most}{unit}"
    if kind.least is not None:
        return f"{before} {kind.least}{unit} or more"
    return f"{before} at most {kind.most}{unit}" if kind.most is not None else ""
