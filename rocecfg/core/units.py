"""Sizes, times, rates, lengths and percents as people write them, with their units; exact, no floats on the way.

Every parser takes the text of one scalar and returns a plain number, or raises ValueError whose text says what is
wrong and, where the answer is plain, what to write. A number without a unit is refused: vendors read the same
number as ms or s, bytes or kilobytes.
"""

from __future__ import annotations

from math import ceil

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_SIZES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_TIMES = {"us": 1, "µs": 1, "ms": 10**3, "s": 10**6, "min": 60 * 10**6}  # in µs
_RATES = {"bit/s": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_RATES |= {f"{k}{tail}": v for k, v in list(_RATES.items())[1:] for tail in ("bit/s", "bps")}
_LENGTHS = {"mm": 1, "cm": 10, "m": 1000, "km": 10**6}  # in mm
_MEANT = {  # how else people write units, in small letters -> ours, of whichever kind is wanted
    **dict.fromkeys(("k", "kbyte", "kbytes", "kilobyte", "kilobytes"), "KB"),
    **dict.fromkeys(("m", "mbyte", "mbytes", "megabyte", "megabytes"), "MB"),
    **dict.fromkeys(("gbe", "ge", "gb", "gb/s", "gbit", "gbits"), "G"),
    **dict.fromkeys(("byte", "bytes"), "B"),
    **dict.fromkeys(("msec", "msecs", "millis", "millisecond", "milliseconds"), "ms"),
    **dict.fromkeys(("sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("usec", "microsecond", "microseconds"), "us"),
    **dict.fromkeys(("minute", "minutes"), "min"),
    **dict.fromkeys(("meter", "meters", "metre", "metres", "mtr"), "m"),
    **dict.fromkeys(("percent", "pct", "per cent"), "%"),
}
_DIGITS = frozenset("0123456789")
_FEW_PACKETS = 16_000  # bytes: thresholds and headroom are more than one jumbo frame; published ones end at 12.8 MB
_MINUTE = 60_000  # ms
_MINUTES = 100_000  # ms: no timer of a switch is so long
_FASTEST = 3200  # Gbit/s of a port
_MOST_DIGITS = 24  # of one number: what goes beyond is no quantity, and would not fit a float


def _split_quantity(text: str) -> tuple[str, str, str]:
    """`12.5 MB` -> ("12", "5", "MB"); ValueError if it does not begin with a decimal number."""
    i = 0
    size = len(text)
    while i < size and text[i] in _DIGITS:
        i += 1
    whole, frac = text[:i], ""
    if i < size and text[i] == ".":
        j = i + 1
        while j < size and text[j] in _DIGITS:
            j += 1
        frac, i = text[i + 1 : j], j
        if not frac:
            raise ValueError(f"{text!r} is not a number with a unit")
    if not whole:
        raise ValueError(f"{text!r} is not a number with a unit")
    if len(whole) + len(frac) > _MOST_DIGITS:
        raise ValueError(f"{text[:_MOST_DIGITS]!r}... has more than {_MOST_DIGITS} digits")
    return whole, frac, text[i:].strip()


def _scale(text: str, units: dict[str, int], what: str, meant: Callable[[str, int, int], Offer]) -> tuple[int, int]:
    """The value as numerator and denominator in the table's base unit.

    `meant`: from a bare number, as text and as numerator and denominator, to what was most likely meant.
    """
    whole, frac, unit = _split_quantity(text)
    factor = units.get(unit)
    if factor is None:
        if not unit:
            raise MissingUnit(f"{what} needs a unit", *meant(text, int(whole + frac), 10 ** len(frac)))
        folded = {k.casefold(): k for k in units}
        near = folded.get(unit.casefold()) or next(
            (u for u in _MEANT.get(unit.casefold(), "").split() if u in units), ""
        )
        words = f"{unit!r} is not a unit of {what}"
        if near:
            raise WrongUnit(f"{words}; write {near}", f"{text[: -len(unit)].strip()}{near}")
        raise ValueError(f"{words}; known: {', '.join(units)}")
    return int(whole + frac) * factor, 10 ** len(frac)


class MissingUnit(ValueError):
    """A bare number where a unit is needed.

    `offer` is the text most likely meant; `why` is what the number then is, where it does not just get a unit.
    """

    def __init__(self, message: str, offer: str, why: str = "") -> None:
        super().__init__(f"{message}; did you mean {offer}?")
        self.offer = offer
        self.why = why


class WrongUnit(ValueError):
    """A unit that is written in another way; `offer` is the text meant."""

    def __init__(self, message: str, offer: str) -> None:
        super().__init__(message)
        self.offer = offer


Offer = tuple[str, str]  # what to write instead of a bare number, and what the number then is: `offer` and `why` above


def _guess_size(text: str, top: int, bottom: int) -> Offer:
    """Bytes from a few packets on, as SONiC and NVUE count; KB below, where bytes would be less than two packets."""
    if bottom != 1 or top < _FEW_PACKETS:
        return f"{text}KB", ""
    shown = show_size(top)
    return shown, "" if shown == f"{text}B" else f"{text} bytes"


def _guess_time(text: str, top: int, bottom: int) -> Offer:
    """Milliseconds, but for fractions, which EOS has of seconds, and for what would be minutes."""
    if 0 < top < bottom:
        return f"{text}s", ""
    return f"{text}{'us' if top >= _MINUTES * bottom else 'ms'}", ""


def _guess_rate(text: str, top: int, bottom: int) -> Offer:
    """Gbit/s up to the fastest ports, Mbit/s as SONiC has port speeds, bit/s."""
    if bottom != 1 or top <= _FASTEST:
        return f"{text}G", ""
    if top <= _FASTEST * 1000:
        return show_rate(top * _RATES["M"]), f"{text} Mbit/s"
    return show_rate(top), f"{text} bit/s"


def _guess_percent(text: str, top: int, bottom: int) -> Offer:
    """A fraction of 1 below 1, as the literature has probabilities; from there on a percentage."""
    if 0 < top < bottom:
        return f"{show_number(100 * top / bottom)}%", f"{text} as a fraction of 1"
    return f"{text}%", "100% as a fraction of 1" if top == bottom else ""


def _guess_length(text: str, top: int, bottom: int) -> Offer:  # noqa: ARG001 - as the others
    return f"{text}m", ""


def _to_number(top: int, bottom: int) -> float:
    """An int where the value is whole, so that 200 ms prints as 200."""
    return top // bottom if top % bottom == 0 else top / bottom


def parse_size(text: str) -> int:
    """Bytes. KB/MB/GB are powers of 1000, KiB/MiB/GiB of 1024; fractions of a byte are refused."""
    top, bottom = _scale(text, _SIZES, "a size", _guess_size)
    if top % bottom:
        raise ValueError(f"{text} is not a whole number of bytes")
    return top // bottom


def parse_time(text: str) -> float:
    """Milliseconds, from us, ms, s or min."""
    top, bottom = _scale(text, _TIMES, "a time", _guess_time)
    return _to_number(top, bottom * 1000)


def parse_rate(text: str) -> int:
    """Bit/s, from 400G, 800Gbit/s, 25Gbps and the like."""
    top, bottom = _scale(text, _RATES, "a rate", _guess_rate)
    if top % bottom:
        raise ValueError(f"{text} is not a whole number of bit/s")
    return top // bottom


_FEET = {"ft": 0.3048, "feet": 0.3048, "foot": 0.3048, "in": 0.0254, "yd": 0.9144}  # in metres, by definition


def parse_length(text: str) -> float:
    """Metres, from cm, m or km."""
    try:
        top, bottom = _scale(text, _LENGTHS, "a length", _guess_length)
    except ValueError:
        whole, frac, unit = _split_quantity(text)
        if unit not in _FEET:
            raise
        metres = float(f"{whole}.{frac or 0}") * _FEET[unit]
        offer = f"{ceil(metres * 10) / 10:g}m"
        raise WrongUnit(f"{unit!r} is not a unit of a length; {text} is {offer}, rounded up", offer) from None
    return _to_number(top, bottom * 1000)


def parse_percent(text: str) -> float:
    """Percent, 0 to 100 and beyond: `5%` is 5. The range is the caller's to judge."""
    top, bottom = _scale(text, {"%": 1}, "a percentage", _guess_percent)
    return _to_number(top, bottom)


class Percent(float):
    """A share in percent where a rate could stand, which is a plain number of bit/s: 5 % are not 5 bit/s."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Percent) and float(self) == float(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(("%", float(self)))

    def __reduce__(self) -> tuple[type[Percent], tuple[float]]:
        return Percent, (float(self),)


# -- marks -------------------------------------------------------------------------------------------------------------

_ECT0 = 2  # of the two ECN bits: the packet may be marked


def tos_of(dscp: int) -> int:
    """The ToS byte (traffic class of IPv6) of RoCE packets: DSCP x 4 + 2, DSCP 26 being 106.

    The DSCP has the upper six bits (RFC 2474), ECT(0) the lower two (RFC 3168): without it a switch drops what it would
    mark, and where nothing is marked it does no harm.
    """
    return dscp * 4 + _ECT0


def dscp_of(tos: int) -> int:
    """The DSCP of a ToS byte, whatever its ECN bits are: 26 of 104 to 107."""
    return tos >> 2


# -- in words ----------------------------------------------------------------------------------------------------------


def show_number(value: float) -> str:
    """`200`, `0.5`, `123456.7`: at most six decimals, no trailing zeros, never an exponent."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def show_size(size: int) -> str:
    """Bytes in the largest unit that keeps the number exact and short: 800KB, 1MiB, 1500B."""
    for unit in ("GB", "MB", "KB"):
        if size and size % (_SIZES[unit] // 10) == 0 and size >= _SIZES[unit]:
            return f"{show_number(size / _SIZES[unit])}{unit}"
    for unit in ("GiB", "MiB", "KiB"):
        if size and size % _SIZES[unit] == 0:
            return f"{size // _SIZES[unit]}{unit}"
    return f"{size}B"


def show_rate(rate: int) -> str:
    """Bit/s as networks name them, exactly: 400G, 2.5G, 100M."""
    for unit in ("T", "G", "M", "K"):
        if rate >= _RATES[unit] and (unit != "T" or rate % _RATES["T"] == 0):
            whole, rest = divmod(rate, _RATES[unit])
            digits = f"{rest:0{len(str(_RATES[unit])) - 1}d}".rstrip("0")
            return f"{whole}.{digits}{unit}" if digits else f"{whole}{unit}"
    return f"{rate}bit/s"


def show_time(ms: float) -> str:
    """A time in ms as people read it: 8us, 200ms, 5min, 90s; below a minute in milliseconds, as timers are set."""
    if 0 < ms < 1:
        return f"{show_number(ms * 1000)}us"
    if ms < _MINUTE:
        return f"{show_number(ms)}ms"
    return f"{show_number(ms / _MINUTE)}min" if ms % _MINUTE == 0 else f"{show_number(ms / 1000)}s"


def show_length(metres: float) -> str:
    """Metres with their unit: 30m."""
    return f"{show_number(metres)}m"


def show_percent(value: float) -> str:
    """Percent to four significant digits: 60%, 33.33%, 0.05%."""
    return f"{show_number(float(f'{value:.4g}'))}%"


def ranges(numbers: Iterable[int]) -> str:
    """Ascending numbers in few words: `0-7, 9`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{low}" if low == high else f"{low}-{high}" for low, high in runs)


# -- units of settings -------------------------------------------------------------------------------------------------

BYTES = "bytes"
MS = "ms"
RATE = "bit/s"
PERCENT = "percent"
METRES = "m"
NUMBER = "number"  # without a unit: an MTU in bytes as everybody writes it, a priority, an alpha
NUMBERS = "numbers"
WORD = "word"
WORDS = "words"
FLAG = "flag"
ON_OFF = "on or off"
OFF_ON = "off or on"  # of what is said by its being off

_SHOW: dict[str, Callable[[float], str]] = {
    BYTES: lambda value: show_size(int(value)),
    MS: show_time,
    RATE: lambda value: show_rate(int(value)),
    PERCENT: show_percent,
    METRES: show_length,
}
_FLAGS = {ON_OFF: ("on", "off"), OFF_ON: ("off", "on")}


def show(unit: str, value: object) -> str:
    """A value in its unit; names as they are, of several one beside the other, and yes or no where it is a flag."""
    if isinstance(value, bool):
        return _FLAGS.get(unit, ("yes", "no"))[not value]
    if isinstance(value, Percent):
        return show_percent(value)
    if isinstance(value, (int, float)):
        return _SHOW.get(unit, show_number)(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return str(value)
