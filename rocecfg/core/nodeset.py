"""Node sets in ClusterShell's notation: `leaf[01-32]`, `Ethernet[0-248/8]`, `a,b[1,3-5]x[0-1]`, order as written.

Unlike ClusterShell nothing is sorted or made unique: the order pairs the ends of links. Zero padding and steps are
kept, several brackets make the product with the last one fastest. Groups (`@`) and set operators are not part of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product

from rocecfg.core.digits import is_number

_NUMBERS = re.compile("([0-9]+)")
_SHORT = 60  # characters of a node set in a sentence
_NAMED = 3  # names in its place where it is longer
_DIGITS = 9  # of a number in a bracket
MAX_NAMES = 1_000_000  # names one expression may stand for: beyond is a slip of the keyboard, or an attack


_BARE_RANGE = re.compile(r"([^\[\],]*?[A-Za-z_])(\d{1,5})(?:-|\.\.\.?)(?:\1)?(\d{1,5}(?:/\d{1,4})?)")


class NodeSetError(ValueError):
    """An expression that is not a node set; the text says why."""


class _Range:
    """`07-31/8`: numbers with their padding."""

    __slots__ = ("numbers", "width")

    def __init__(self, numbers: range, width: int) -> None:
        self.numbers = numbers
        self.width = width

    def __iter__(self) -> Iterator[str]:
        width = self.width
        return (f"{n:0{width}d}" for n in self.numbers) if width else map(str, self.numbers)


_Part = str | tuple[_Range, ...]  # literal text, or what stands in a bracket


def _parse_number(text: str, whole: str) -> int:
    if not is_number(text, _DIGITS):
        raise NodeSetError(f"{text!r} in {whole!r} is not a number of a range")
    return int(text)


def _parse_bracket(body: str, whole: str) -> tuple[_Range, ...]:
    ranges = []
    for piece in body.split(","):
        span, slash, step_text = (part.strip() for part in piece.partition("/"))
        low_text, dash, high_text = (part.strip() for part in span.partition("-"))
        low = _parse_number(low_text, whole)
        high = _parse_number(high_text, whole) if dash else low
        step = _parse_number(step_text, whole) if slash else 1
        if step == 0:
            raise NodeSetError(f"step 0 in {whole!r}")
        if high < low:
            raise NodeSetError(f"{span!r} in {whole!r} runs backwards; write {high_text}-{low_text}")
        padded = len(low_text) > 1 and low_text[0] == "0"
        if dash and (padded or (len(high_text) > 1 and high_text[0] == "0")) and len(low_text) != len(high_text):
            raise NodeSetError(f"{span!r} in {whole!r} pads its ends to different widths")
        ranges.append(_Range(range(low, high + 1, step), len(low_text) if padded else 0))
    return tuple(ranges)


def _split_terms(text: str) -> Iterator[str]:
    """Split at commas outside brackets."""
    depth = start = 0
    for i, char in enumerate(text):
        if char == "[":
            depth += 1
        elif char == "]":
            depth -= 1
        elif char == "," and depth == 0:
            yield text[start:i]
            start = i + 1
        if depth not in (0, 1):
            raise NodeSetError(f"brackets in {text!r} do not match")
    if depth:
        raise NodeSetError(f"{text!r} lacks a closing ]")
    yield text[start:]


def _parse_parts(term: str) -> tuple[_Part, ...]:
    parts: list[_Part] = []
    rest = term
    while rest:
        before, open_, tail = rest.partition("[")
        if before:
            parts.append(before)
        if open_:
            body, _, rest = tail.partition("]")
            parts.append(_parse_bracket(body, term))
        else:
            rest = ""
    return tuple(parts)


class NodeSet:
    """A parsed expression. `len()` costs arithmetic only; iterating gives the names in written order."""

    __slots__ = ("_len", "_names", "_terms", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        terms = []
        total = 0
        for raw in _split_terms(text):
            term = raw.strip()
            if not term:
                raise NodeSetError(f"{text!r} has an empty name")
            parts = _parse_parts(term)
            count = 1
            for part in parts:
                if not isinstance(part, str):
                    count *= sum(len(r.numbers) for r in part)
                elif any(c in "@&!^" or c.isspace() for c in part):
                    raise NodeSetError(f"{term!r}: groups, set operators and blanks are not part of a node set")
            terms.append(parts)
            total += count
        if total > MAX_NAMES:
            raise NodeSetError(f"{text!r} stands for {total} names; at most {MAX_NAMES} are taken")
        self._terms = tuple(terms)
        self._len = total
        self._names: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return self._len

    @property
    def names(self) -> tuple[str, ...]:
        """All names, in written order."""
        if self._names is None:
            out: list[str] = []
            for parts in self._terms:
                if len(parts) == 1 and isinstance(parts[0], str):
                    out.append(parts[0])
                    continue
                choices = [(p,) if isinstance(p, str) else tuple(n for r in p for n in r) for p in parts]
                out.extend(map("".join, product(*choices)))
            self._names = tuple(out)
        return self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)


@lru_cache(maxsize=16384)
def node_set(text: str) -> NodeSet:
    """Parse once: the same keys come back for every device. Raises NodeSetError."""
    return NodeSet(text)


def names_of(text: str) -> tuple[str, ...]:
    """The names of a node set, in written order; a plain name costs nothing."""
    return node_set(text).names if "[" in text or "," in text else (text,)


def are_plain(texts: Iterable[str]) -> bool:
    """Whether each of these node sets is a name, which stands for itself."""
    return not any("[" in text or "," in text for text in set(texts))


@lru_cache(maxsize=4096)
def name_set(text: str) -> frozenset[str]:
    """The names of a node set, for membership."""
    return frozenset(node_set(text).names)


@lru_cache(maxsize=4096)
def disjoint(texts: tuple[str, ...]) -> bool:
    """Whether no name stands under two of these node sets, nor twice in one."""
    seen: set[str] = set()
    total = 0
    for text in texts:
        names = names_of(text)
        total += len(names)
        seen.update(names)
    return len(seen) == total


def fold(names: tuple[str, ...]) -> str:
    """Names as a short node set for people: `leaf[01-03]`, `p[1-9]-leaf[1-8]`, or as they come. Order kept."""
    runs: list[tuple[list[list[str]], int]] = []  # names of a run, each in pieces; which piece varies (-1: not known)
    for name in names:
        pieces = _NUMBERS.split(name)  # `Ethernet1/12` -> Ethernet, 1, /, 12, "": text and numbers take turns
        if runs:
            run, at = runs[-1]
            varying = _find_only_difference(run[-1], pieces)
            if varying is not None and at in (-1, varying):
                run.append(pieces)
                runs[-1] = (run, varying)
                continue
        runs.append(([pieces], -1))
    return ",".join("".join(pieces) for pieces, _ in _fold_terms([_fold_run(run, at) for run, at in runs]))


@lru_cache(maxsize=4096)  # many findings are about ports of the same names
def fold_set(names: tuple[str, ...]) -> str:
    """As `fold`, where the order means nothing: names of one form together, by their numbers."""
    forms: dict[tuple[str, ...], list[tuple[list[int], str]]] = {}
    for name in names:
        pieces = _NUMBERS.split(name)
        forms.setdefault(tuple(pieces[::2]), []).append((list(map(int, pieces[1::2])), name))
    return fold(tuple(name for alike in forms.values() for _, name in sorted(alike)))


def fold_for_shell(names: tuple[str, ...]) -> str:
    """As `fold`, as words of bash: `leaf{01..03} Ethernet{0..248..8} swp{1,5}`."""

    def braced(bracket: re.Match[str]) -> str:
        numbers = [piece.replace("-", "..").replace("/", "..") for piece in bracket[1].split(",")]
        ranges = [f"{{{piece}}}" if ".." in piece else piece for piece in numbers]
        return ranges[0] if len(ranges) == 1 else f"{{{','.join(ranges)}}}"

    return " ".join(re.sub(r"\[([^]]*)\]", braced, term) for term in _split_terms(fold(names)))


def fold_some(names: tuple[str, ...]) -> str:
    """Names as a short node set; of many that have nothing in common, the first, and how many more there are."""
    text = fold(names)
    more = len(names) - _NAMED
    return text if len(text) <= _SHORT or more <= 0 else f"{', '.join(names[:_NAMED])} and {more} more"


_Term = tuple[list[str], int]  # pieces of names, brackets among them, and which is the first of these (-1: none)


def _find_only_difference(a: list[str], b: list[str]) -> int | None:
    """Which piece of two names differs; None where another number of pieces, or anything but one number, does."""
    if len(a) != len(b):
        return None
    differ = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
    if len(differ) != 1 or not differ[0] % 2 or max(len(a[differ[0]]), len(b[differ[0]])) > _DIGITS:
        return None
    return differ[0]


def _fold_run(run: list[list[str]], at: int) -> _Term:
    first = run[0]
    if at < 0:
        return first, at
    return [*first[:at], _fold_digits([pieces[at] for pieces in run]), *first[at + 1 :]], at


def _fold_terms(terms: list[_Term]) -> list[_Term]:
    """Terms that have the same brackets, and differ in one number before these, as one: the last bracket is fastest."""
    while True:
        runs: list[tuple[list[list[str]], int, int]] = []  # as in `fold`, and the first bracket so far
        for pieces, first in terms:
            if runs:
                run, at, bracket = runs[-1]
                varying = _find_only_difference(run[-1], pieces) if bracket == first and first > 0 else None
                if varying is not None and varying < first and at in (-1, varying):
                    run.append(pieces)
                    runs[-1] = (run, varying, bracket)
                    continue
            runs.append(([pieces], -1, first))
        if len(runs) == len(terms):
            return terms
        terms = [_fold_run(run, at) if at >= 0 else (run[0], bracket) for run, at, bracket in runs]


def fold_grid(names: tuple[str, ...]) -> str:
    """Names as `fold` has them, with their last number apart: `Ethernet[1-64]/[1,5]`, `swp[1-4]s[0-1]`."""
    lasts: dict[str, list[str]] = {}
    for name in names:
        pieces = _NUMBERS.split(name)
        apart = len(pieces) > 3 and not pieces[-1] and len(pieces[-2]) <= _DIGITS  # two numbers or more, the last last
        head, last = ("".join(pieces[:-2]), pieces[-2]) if apart else (name, "")
        lasts.setdefault(head, []).append(last)
    heads: dict[tuple[str, ...], list[str]] = {}
    for head, digits in lasts.items():
        heads.setdefault(tuple(digits), []).append(head)
    return ",".join(
        term + (_fold_digits(list(digits)) if digits[0] else "")
        for digits, alike in heads.items()
        for term in _split_terms(fold(tuple(alike)))
    )


def _is_padded(digits: str) -> bool:
    return len(digits) > 1 and digits[0] == "0"


def _fold_digits(digits: list[str]) -> str:
    if len(digits) == 1:
        return digits[0]
    pieces: list[str] = []
    i = 0
    while i < len(digits):
        j = i
        step = 0
        while j + 1 < len(digits):
            gap = int(digits[j + 1]) - int(digits[j])
            padded = _is_padded(digits[i]) or _is_padded(digits[j + 1])
            if gap <= 0 or (step and gap != step) or (padded and len(digits[j + 1]) != len(digits[i])):
                break
            step = gap
            j += 1
        if j - i >= 2 or (j > i and step == 1):
            pieces.append(f"{digits[i]}-{digits[j]}" + (f"/{step}" if step > 1 else ""))
            i = j + 1
        else:
            pieces.append(digits[i])
            i += 1
    return f"[{','.join(pieces)}]"


def bracket_range(name: str) -> str | None:
    """`leaf[01-02]` for `leaf01-02`, which is one name; None where it does not look like a range."""
    match = _BARE_RANGE.fullmatch(name)
    if match is None:
        return None
    stem, low, high = match.groups()
    last = high.partition("/")[0]
    return f"{stem}[{low}-{high}]" if int(low) < int(last) and len(low) <= len(last) else None


_SPAN = re.compile(r"(?<=\[)(\d+)(?:\.\.\.?|[-–:~])(\d+)(?:[:;](\d+))?(?=\])")


def mend(text: str) -> str:
    """A text that is no node set, as the one meant: `leaf[01-02]` for `leaf{01..02}`, `[0-56/8]` for `[0-56:8]`."""
    plain = re.sub(r"\s", "", text).translate(str.maketrans("{}()", "[][]"))
    if plain.rpartition("[")[2].count("]") == 0 and plain.count("[") == plain.count("]") + 1:
        plain += "]"
    return _SPAN.sub(lambda m: f"{m[1]}-{m[2]}" + (f"/{m[3]}" if m[3] else ""), plain)


def bracket_ranges(names: Iterable[str]) -> dict[str, str]:
    """Those of some names that look like ranges, with their brackets; none of a scheme of names, as `leaf2-1` shows."""
    alike = {name: match[1] for name in names if (match := _BARE_RANGE.fullmatch(name)) is not None}
    meant = {name: bracket_range(name) for name in alike}
    scheme = {alike[name] for name, found in meant.items() if found is None}
    count = Counter(one for found in meant.values() if found is not None for one in names_of(found))
    return {
        name: found
        for name, found in meant.items()
        if found is not None and alike[name] not in scheme and all(count[one] == 1 for one in names_of(found))
    }
