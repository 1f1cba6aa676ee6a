"""`class-of-service`: what its statements define, by name, each with its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.vendors.junos.limits import DSCP_ALIASES, TAG_ALIASES, code_of
from rocecfg.vendors.junos.reading.grammar import NOTE
from rocecfg.vendors.junos.reading.statements import Statement, Words
from rocecfg.vendors.junos.settings import COS, TABLE, Whole, is_beside, without_unit
from rocecfg.vendors.table import KEY, PROFILE, VALUE, N, Row

DSCP, TAG = "dscp", "ieee-802.1"
WIDTH = {DSCP: 6, TAG: 3}
Named = dict[str, dict[str, Val]]


class CongestionProfile:
    """A congestion-notification-profile: PFC of a port, in both directions."""

    def __init__(self, at: Span) -> None:
        self.at = at
        self.input: dict[tuple[str, int], dict[str, Val]] = {}  # (dscp or ieee-802.1, code point) -> pfc, mru, xon
        self.output: dict[int, list[Val]] = {}  # priority -> queues that its pauses stop
        self.watchdog: dict[str, Val] | None = None
        self.watched_at = at
        self.cable: Val | None = None

    @property
    def code_point_kinds(self) -> set[str]:
        """What its input side goes by."""
        return {kind for kind, _ in self.input}

    def add(self, words: Words, key: str, code: Any, val: Val) -> None:
        """What a statement below its name says."""
        match words:
            case ("pfc-watchdog", *_):
                if self.watchdog is None:
                    self.watchdog, self.watched_at = {}, val.at
                if key:
                    self.watchdog[key] = val
            case ("input", "cable-length", _):
                self.cable = val
            case ("input", kind, "code-point", *_):
                own = self.input.setdefault((kind, code), {})
                if key:
                    own[key] = val
            case ("output", _, "code-point", *_):
                self.output.setdefault(code, []).append(val)


class Cos:
    """What `class-of-service` says."""

    def __init__(self) -> None:
        self.whole = True  # False: of a part, which may name what another part defines
        self.classes: Named = {}  # queue, no-loss, pfc-priority
        self.classifiers: dict[tuple[str, str], dict[int, Val]] = {}  # code point -> forwarding class
        self.imports: dict[tuple[str, str], Val] = {}
        self.drops: dict[str, dict[str, list[Val]]] = {}  # fill-level, drop-probability
        self.profiles: dict[str, CongestionProfile] = {}
        self.maps: Named = {}  # forwarding class -> scheduler
        self.schedulers: Named = {}
        self.bound: Named = {}  # interface or wildcard -> profile, map, dscp, ieee-802.1, fixed, rewrite
        self.wild: list[str] | None = None  # those of bound that are wildcards, the wider first; None: not sorted yet
        self.rewrites: dict[str, dict[str, Val]] = {}  # forwarding class -> DSCP
        self.partitions: dict[tuple[str, str], dict[str, Val]] = {}  # (ingress, lossless) -> percent, dynamic-threshold
        self.aliases: dict[str, dict[str, int]] = {DSCP: dict(DSCP_ALIASES), TAG: dict(TAG_ALIASES)}
        self.unknown: list[Statement] = []  # statements that are not understood, without `class-of-service`
        self.wrong: list[tuple[Span, str, str]] = []  # values that none can be: where, what, the fix
        self.lines: list[Statement] = []  # all of it, without `class-of-service`

    def list_unknown(self, *beginning: str) -> list[Words]:
        """The rest of the statements that begin so and are not understood: a newer Junos may have them."""
        many = len(beginning)
        return [line.words[many:] for line in self.unknown if tuple(line.words[:many]) == beginning]

    def queue_of(self, name: str) -> Val | None:
        """The queue of a forwarding class that is configured."""
        return self.classes.get(name, {}).get("queue")


def read_cos(lines: Sequence[Statement]) -> Cos:
    """What the statements below `class-of-service` define."""
    cos = Cos()
    cos.lines = [line._replace(words=line.words[1:]) for line in lines if line.words[0] == COS and len(line.words) > 1]
    for line in cos.lines:  # names of code points before what uses them
        match line.words:
            case ("code-point-aliases", kind, name, code) if kind in WIDTH:
                number = code_of(code, {}, WIDTH[kind])
                if number is not None:
                    cos.aliases[kind][name] = number
    for line in cos.lines:
        words = without_unit(line.words)
        if NOTE in words:
            continue
        row = TABLE.find_whole((COS, *words))
        if row is None or not row.into:
            _name_object(cos, words, line.at)
        elif _read_row(cos, row, words, line.at):
            continue
        if not is_beside(line.words):
            cos.unknown.append(line)
    return cos


def _name_object(cos: Cos, words: Words, at: Span) -> None:
    """The object of a statement that is not understood: of these it is there, whatever else is said of it."""
    for end in (6, 2):
        row = TABLE.find_whole((COS, *words[:end]))
        if row is not None and row.into in ("bound", "schedulers", "profiles") and not row.key:
            _read_row(cos, row, words[:end], at)
            return


def _read_row(cos: Cos, row: Row, words: Words, at: Span) -> bool:
    """What a statement says: that there is an object, or a value of it. False: it is not understood."""
    holes = dict(zip(row.path[1:], words, strict=True))
    several = row.into in ("classifiers", "partitions")  # kinds of them, or sides
    name = (words[1], holes.get(PROFILE, "")) if several else holes[PROFILE]
    own = getattr(cos, row.into).setdefault(name, CongestionProfile(at) if row.into == "profiles" else {})
    code: int | None = None
    if N in holes:
        kind = words[3] if row.into == "profiles" else words[1]
        code = code_of(holes[N], cos.aliases[kind], WIDTH[kind])
        if code is None:
            known = f"write {WIDTH[kind]} bits such as {'011010' if kind == DSCP else '011'}, or an alias"
            what = words[0].removesuffix("s").replace("-", " ")
            cos.wrong.append((at, f"code point {holes[N][:40]} of {what} {holes[PROFILE]} does not exist", known))
            return True
    pairs = [(row.key or holes.get(KEY, ""), holes.get(VALUE, words[-1]))]
    if row.into == "drops" and KEY in holes:  # one statement says both
        pairs.insert(0, ("fill-level", holes[KEY]))
    for key, text in pairs:
        value = row.take(text) if row.take is not None else text
        if value is not None:
            _set_value(cos, row, own, name, key, code, Val(value, at))
        elif isinstance(row.take, Whole):
            low, high = row.take
            message = f"{_name_number(row)} {text[:40]} is not a number from {low} to {high}"
            cos.wrong.append((at, message, "correct the number"))
        else:
            return False
    return True


def _set_value(cos: Cos, row: Row, own: Any, name: Any, key: str, code: int | None, val: Val) -> None:
    """A value of an object; nothing where a statement only names it."""
    if row.into == "profiles":
        own.add(row.path[3:], row.key, code, val)
    elif key == "import":
        cos.imports[name] = val
    elif row.into == "drops" and key:
        own.setdefault(key, []).append(val)
    elif code is not None:  # a classifier gives it a class, a rewrite rule gives it to one
        own[key or code] = val._replace(value=code) if key else val
    elif key:
        own[key] = val


def _name_number(row: Row) -> str:
    """What a number is of, as Junos calls it."""
    before = row.path[: row.path.index(VALUE)]
    return " ".join(before[-2:] if before[-1] == "percent" and before[-2] != PROFILE else before[-1:])
