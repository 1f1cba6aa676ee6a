"""Values as the intent writes them: the opposite of what its schema's types read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from rocecfg.core import units
from rocecfg.core.units import Percent, show_rate
from rocecfg.intent.buffer_schema import CURVE
from rocecfg.intent.fields import PART, SHARE, THRESHOLD, Version
from rocecfg.intent.shapes import Either, Inherited, Listed, Obj
from rocecfg.intent.types import BYTES, LENGTH, MICROSECONDS, PERCENT, RATE, SECONDS, SIZE, TIME, Bool, Type
from rocecfg.intent.values import Context
from rocecfg.model import ALL_COLORS, Buffers, Device, Ecn, EcnPercent, Headroom, Span
from rocecfg.model.catalogue import list_fields
from rocecfg.model.stated import Val
from rocecfg.source.write import Value
from rocecfg.source.yaml import Scalar

_SIZES = {topic: tuple(list_fields(topic, units.BYTES).values()) for topic in ("headroom", "buffers")}
_DECIMAL = (("GB", 10**9), ("MB", 10**6), ("KB", 10**3))
_BINARY = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
_LONG = 10_000  # ms; from here on whole seconds are said as such
_NOWHERE = Span(0, 0, 0)


class Unsayable(ValueError):
    """A value that the format does not take; the text says which."""


class Quoted(str):
    """A text that stands in quotes wherever it is written."""

    __slots__ = ()


class Mapped(dict[str, Value]):
    """A mapping that can be counted; nobody changes it."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset((key, str(value)) for key, value in self.items()))


class SizeUnits:
    """How sizes are written: one family of units for a whole file, since KB and KiB side by side are misread."""

    def __init__(self, sizes: Iterable[int]) -> None:
        """`sizes`, in bytes: the family in which more of them are whole numbers is taken; KB, MB, GB if neither."""
        found = set(sizes)
        decimal = sum(size % 1000 == 0 for size in found)
        binary = sum(size % 1024 == 0 for size in found)
        self._units = _BINARY if binary > decimal else _DECIMAL

    def show(self, size: int) -> str:
        """Bytes in the largest unit in which they are a whole number."""
        for unit, factor in self._units:
            if size and size % factor == 0:
                return f"{size // factor}{unit}"
        return f"{size}B"


def collect_sizes(device: Device) -> Iterator[int]:
    """Every size that a switch states, in bytes."""
    curves = [cls.ecn for cls in device.classes]
    for port in device.ports:
        curves += [cls.ecn for cls in port.overrides]
        if isinstance(port.headroom, Headroom):
            yield from _collect_ints(port.headroom, _SIZES["headroom"])
    for curve in curves:
        if isinstance(curve, Ecn):
            yield from (curve.kmin, curve.kmax)
    yield from _collect_ints(device.buffers, _SIZES["buffers"])


def _collect_ints(of: Buffers | Headroom, fields: Iterable[str]) -> Iterator[int]:
    yield from (value for field in fields if isinstance(value := getattr(of, field), int))


def format_number(value: float) -> str:
    """A number in full: no exponent, nothing rounded."""
    return str(int(value)) if float(value).is_integer() else format(Decimal(repr(float(value))), "f")


def format_time(ms: float) -> str:
    """200ms; 30s where it is long and whole."""
    return f"{format_number(ms / 1000)}s" if ms >= _LONG and ms % 1000 == 0 else f"{format_number(ms)}ms"


def format_value(of: Type, value: Any, sizes: SizeUnits) -> Value:
    """A value of a type as its text, or as lists and mappings of texts. Raises Unsayable."""
    if isinstance(of, Inherited):
        return format_value(of.of, value, sizes)
    if isinstance(of, Either):
        return value if isinstance(value, str) and value in of.words else format_value(of.of, value, sizes)
    if isinstance(of, Obj) and isinstance(value, dict):
        return {key: format_value(of.keys[key].type, val.value, sizes) for key, val in value.items() if key in of.keys}
    if isinstance(of, Listed) and isinstance(value, list):
        return [format_value(of.of, val.value, sizes) for val in value]
    return _format_leaf(of, value, sizes)


def _format_leaf(of: Type, value: Any, sizes: SizeUnits) -> str:
    """The text of a single value, if the type reads the same value from it."""
    text = _format_text(of, value, sizes)
    for written in (text, Quoted(text)):
        context = Context(0, [])
        read = of.read(Scalar(0, len(text), text, plain=written is text), context)
        if read == value and not context.problems:
            return written
    raise Unsayable(text)


def _format_text(of: Type, value: Any, sizes: SizeUnits) -> str:
    if isinstance(value, str):
        return Quoted(value) if isinstance(of, Version) else value
    if isinstance(of, Bool):
        return "true" if value else "false"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Unsayable(f"that is {type(value).__name__}")
    if isinstance(value, Percent) or of in (PERCENT, PART):
        return f"{format_number(value)}%"
    if of in (SIZE, BYTES, THRESHOLD):
        return sizes.show(int(value))
    if of in (TIME, MICROSECONDS, SECONDS):
        return format_time(value)
    if of in (RATE, SHARE):
        return show_rate(int(value))
    return f"{format_number(value)}m" if of is LENGTH else format_number(value)


def format_curve(of: Ecn | EcnPercent, sizes: SizeUnits) -> Mapped:
    """A marking curve: what is the default anyway (weight 0, all colours) goes without saying. Raises Unsayable."""
    parts: dict[str, Any] = {"kmin": of.kmin, "kmax": of.kmax, "pmax": of.pmax}
    if of.weight:
        parts["weight"] = of.weight
    if set(of.colors) != set(ALL_COLORS):
        parts["colors"] = [Val(color, _NOWHERE) for color in of.colors]
    return Mapped({key: _format_part(key, value, sizes) for key, value in parts.items()})


def _format_part(key: str, value: Any, sizes: SizeUnits) -> Value:
    try:
        return format_value(CURVE.keys[key].type, value, sizes)
    except Unsayable as error:
        raise Unsayable(f"{key} {error}") from None


def format_headroom(of: Headroom | str, sizes: SizeUnits) -> Value:
    """auto, a size, or its parts. Raises Unsayable."""
    if not isinstance(of, Headroom):
        return of
    given = {key: value for key in ("size", "xon", "xoff") if (value := getattr(of, key)) is not None}
    parts = Mapped({key: format_value(SIZE, value, sizes) for key, value in given.items()})
    return parts if len(parts) > 1 else parts["size"]


def format_dscps(points: Iterable[int]) -> Value:
    """Code points as people write them: 26, or [0, 8-15]."""
    runs: list[list[int]] = []
    for point in sorted(points):
        if runs and runs[-1][-1] == point - 1:
            runs[-1].append(point)
        else:
            runs.append([point])
    texts: list[Value] = []
    for run in runs:
        texts += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else [str(point) for point in run]
    return texts[0] if len(texts) == 1 else texts
