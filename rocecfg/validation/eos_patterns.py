"""The forms of EOS lines as regular expressions, and the numbers in a line against the ranges of its form."""

from __future__ import annotations

import re
from functools import cache, cached_property

from rocecfg.core.records import NamedTuple
from rocecfg.validation.eos_forms import FORMS, NEGATIVE, LineForm

_VARYING = re.compile(r"[{\[]")
_TOKEN = re.compile(r"\{([^{}]+)\}")
_NUMBER = re.compile(r"([a-z0-9]+)(\*?):([\d.]+)-([\d.]+)")
_NAMES = {"W": r"\S+", "REST": r"\S.*", "IFS": r"[A-Za-z][\w\-]*[\d/.,\-]*(?: ?[\d/.,\-]+)*"}
_BOTH_THRESHOLDS = re.compile(r"minimum-threshold (\d+) (\w+) maximum-threshold (\d+) (\w+)")
_SEPARATOR = re.compile(r"[ ,\-]")


class _Range(NamedTuple):
    """The bounds of a number, or of each in a list."""

    name: str
    low: float
    high: float
    places: int  # after the point, at most
    many: bool


class CompiledForm:
    """A form, compiled once a line begins as it does: a configuration has few of all forms."""

    def __init__(self, form: LineForm) -> None:
        self.form = form
        self._lead = _VARYING.split(form.pattern, 1)[0]  # every line of it begins so

    def match(self, line: str) -> re.Match[str] | None:
        """The match of a line that has the form."""
        return self.regex.fullmatch(line) if line.startswith(self._lead) else None

    @property
    def regex(self) -> re.Pattern[str]:
        """What a line has to be."""
        return self._compiled[0]

    @property
    def ranges(self) -> tuple[_Range, ...]:
        """Of the regex's groups, in order."""
        return self._compiled[1]

    @cached_property
    def _compiled(self) -> tuple[re.Pattern[str], tuple[_Range, ...]]:
        return _compile(self.form.pattern)


class MatchedForm(NamedTuple):
    """The form of a line in a mode."""

    form: LineForm
    wrong: tuple[str, ...]  # numbers out of range


@cache
def compiled_forms(*, negative: bool) -> tuple[CompiledForm, ...]:
    """All forms; `negative`: with those that stand behind `no` and `default` alone."""
    return tuple(map(CompiledForm, (*FORMS, *NEGATIVE) if negative else FORMS))


@cache
def find_form(mode: str, line: str, *, negative: bool) -> MatchedForm | None:
    """The form of a line, without its `no`, in a mode: one whose ranges hold it if there is any, else the first."""
    first: MatchedForm | None = None
    for pattern in compiled_forms(negative=negative):
        if mode not in pattern.form.modes:
            continue
        match = pattern.match(line)
        if match is None:
            continue
        wrong = _range_faults(pattern.ranges, match.groups(), line)
        if not wrong:
            return MatchedForm(pattern.form, ())
        first = first or MatchedForm(pattern.form, wrong)
    return first


def find_modes(line: str, *, negative: bool) -> list[str]:
    """The modes in which a line would have a form."""
    found = {mode for p in compiled_forms(negative=negative) if p.match(line) for mode in p.form.modes}
    return sorted(found)


def _compile(pattern: str) -> tuple[re.Pattern[str], tuple[_Range, ...]]:
    """A form's pattern as a regular expression, with the ranges of its groups."""
    parts: list[str] = []
    ranges: list[_Range] = []
    at = 0
    for token in _TOKEN.finditer(pattern):
        parts.append(_literal_pattern(pattern[at : token.start()]))
        at = token.end()
        number = _NUMBER.fullmatch(token[1])
        if token[1] in _NAMES:
            parts.append(_NAMES[token[1]])
        elif number is None:
            parts.append("(?:" + "|".join(map(re.escape, token[1].split("|"))) + ")")
        else:
            name, many = number[1], bool(number[2])
            places = {"f2": 2, "f3": 3}.get(name, 0)
            ranges.append(_Range(name, float(number[3]), float(number[4]), places, many))
            parts.append(r"(\d+(?:[ ,\-]\d+)*)" if many else r"(\d+(?:\.\d+)?)" if places else r"(\d+)")
    parts.append(_literal_pattern(pattern[at:]))
    return re.compile("".join(parts)), tuple(ranges)


def _literal_pattern(text: str) -> str:
    groups = {"[": "(?:", "]": ")?"}
    return "".join(groups.get(part, re.escape(part)) for part in re.split(r"([\[\]])", text))


def _range_faults(ranges: tuple[_Range, ...], groups: tuple[str | None, ...], line: str) -> tuple[str, ...]:
    """What is wrong with the numbers of a line."""
    wrong: list[str] = []
    for of, group in zip(ranges, groups, strict=True):
        if group is None:
            continue
        for number in _SEPARATOR.split(group) if of.many else [group]:
            decimals = number.partition(".")[2]
            if of.places and len(decimals) > of.places:
                wrong.append(f"{number} has more than {of.places} decimals")
            if not of.low <= float(number) <= of.high:
                wrong.append(f"{of.name}: {number} is outside {of.low:g}-{of.high:g}")
    both = _BOTH_THRESHOLDS.search(line)
    if both is not None:
        low, unit, high, other = both.groups()
        if unit != other:
            wrong.append(f"minimum and maximum threshold have different units ({unit}, {other})")
        elif int(low) > int(high):
            wrong.append(f"minimum-threshold {low} is above maximum-threshold {high}")
    return tuple(wrong)
