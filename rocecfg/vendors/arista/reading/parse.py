"""One line of a mode as what it sets, or as what is wrong with it. The same line is parsed once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.arista.domain import is_beside
from rocecfg.vendors.arista.reading import typos
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.commands import FORMS, GONE, MULTICAST, NO_FORMS, REFUSED, Form, Key
from rocecfg.vendors.arista.reading.grammar import (
    FormMatch,
    RefusedValue,
    find_misspelling,
    format_pattern,
    match_form,
)
from rocecfg.vendors.arista.reading.modes import GLOBAL, PORT, PROFILE, QUEUE

State = dict[Key, Val]  # settings of a block, each with the place of the last line on it

_SECONDS = ("timeout", "recovery-time", "polling-interval")
_LONGEST = 100  # characters of a line that a message quotes


class Fault(NamedTuple):
    """What is wrong with a line, or not checked of it."""

    rule: str
    message: str
    help: str = ""
    severity: str | None = None  # None: the rule's own
    meant: str = ""  # the line without its slip


class ParsedLine(NamedTuple):
    """What a line sets."""

    sets: tuple[tuple[Key, Any], ...] = ()
    fault: Fault | None = None
    unread: str = ""  # what it is about, where that is not judged


@lru_cache(maxsize=16384)
def parse_line(mode: str, line: str) -> ParsedLine:
    """What a line of a mode sets; what one in a queue does has the queue's number in its key."""
    head, inside, text = line.rpartition(IN_QUEUE)
    if not inside:
        return _parse_command(mode, text)
    kind, number = head.split(" ")
    found = _parse_command(QUEUE, text)
    if kind == "mc-tx-queue":
        return found._replace(sets=(), unread=MULTICAST)
    if not (is_number(number) and int(number) < 8):
        return found._replace(sets=())  # of a queue that there is not
    return found._replace(sets=tuple(((str(key), int(number)), value) for key, value in found.sets))


def _parse_command(mode: str, text: str, *, corrected: bool = False) -> ParsedLine:
    """One command. `corrected`: it is what a misspelt line is taken to mean, and is corrected no further."""
    words = text.split(" ")
    if words[0] in ("no", "default"):
        return _parse_negative(mode, words) or ParsedLine(fault=_explain_unknown(mode, text))
    if words[0] in typos.FIRST and typos.explain_slip(text) is not None:
        return ParsedLine(fault=_explain_unknown(mode, text))
    refused: tuple[Form, FormMatch] | None = None
    for form in _find_candidates(mode, words[0]):
        got = match_form(form.pattern, words)
        if got is None:
            continue
        if refused is not None and "..." in form.pattern:
            break  # a command that takes anything is not what a refused value belongs to
        if not got.wrong:
            sets = tuple(form.list_set(got.values))
            return ParsedLine(sets, unread=form.unread or ("" if sets or is_beside(text) else "what it sets"))
        refused = refused or (form, got)
    if refused is None:
        fault = _explain_unknown(mode, text)
        sets = typos.read_as_meant(text)
        if not sets and fault.meant and not corrected:
            sets = _parse_command(mode, fault.meant, corrected=True).sets
        return ParsedLine(sets, fault)  # so that no other rule tells of the same slip
    form, got = refused
    fault = Fault(
        "device-value", f"{quote_line(text)}: {'; '.join(map(_explain_refusal, got.wrong))}", _suggest_fix(got.wrong)
    )
    of_lists = all(isinstance(got.values.get(wrong.name), list) for wrong in got.wrong)
    lists = tuple(form.list_set(got.values)) if of_lists else ()  # the other numbers of a list are taken
    return ParsedLine(lists + tuple((key, REFUSED) for key in form.spoils), fault)


@lru_cache(maxsize=256)
def _find_candidates(mode: str, word: str) -> tuple[Form, ...]:
    return tuple(form for form in FORMS.get(mode, ()) if form.pattern.partition(" ")[0] == word)


def _parse_negative(mode: str, words: list[str]) -> ParsedLine | None:
    for pattern, form in NO_FORMS.get(mode, ()):
        got = match_form(pattern, words[1:])
        if got is not None and not got.wrong:
            return ParsedLine(tuple(form.list_taken_back(got.values, words[0])))
    return None


def quote_line(text: str) -> str:
    """A line as a message has it."""
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[:_LONGEST]}…`"


def _explain_refusal(wrong: RefusedValue) -> str:
    unit = " seconds" if wrong.name in _SECONDS else ""
    places = f", at most {wrong.places} decimals" if wrong.places else ""
    return f"EOS takes {wrong.name} {wrong.range}{unit}{places}, not {wrong.text}"


def _suggest_fix(wrong: Iterable[RefusedValue]) -> str:
    """The likely fix: times that were written in milliseconds, thresholds the wrong way."""
    for one in wrong:
        if one.name in _SECONDS:
            milliseconds = int(one.text.partition(".")[0])
            if 60 < milliseconds <= 60_000:
                return f"EOS counts in seconds: {milliseconds} ms is {milliseconds / 1000:.2f}"
            return "EOS counts in seconds"
    return ""


def _explain_unknown(mode: str, text: str) -> Fault:
    """What is wrong with a line that has no form of its mode: an error where no known release takes it."""
    elsewhere = _find_mode_of(text, but=mode)
    if elsewhere:
        severity = "error" if text.split(" ", 1)[0] in _WHOLLY_KNOWN else None
        message = f"{quote_line(text)} is in the wrong mode"
        return Fault("device-unknown", message, f"it belongs below {elsewhere}", severity)
    slip = typos.explain_slip(text)
    if slip is not None:
        severity = None if slip.old else "error"
        return Fault("device-unknown", f"{quote_line(text)} is not a command of EOS: {slip.why}", slip.fix, severity)
    words = text.split(" ")
    for form in (form for each in dict.fromkeys((mode, *_AROUND)) for form in FORMS.get(each, ())):
        slipped = find_misspelling(form.pattern, words)
        if slipped is not None:
            message = f"{quote_line(text)} is not a command of EOS: {slipped[0]} is {slipped[1]} misspelt"
            meant = " ".join(slipped[1] if word == slipped[0] else word for word in words)
            return Fault("device-unknown", message, f"nearest: {format_pattern(form.pattern)}", "error", meant)
    return Fault(
        "device-unknown",
        f"{quote_line(text)} is not a known EOS command here",
        _suggest_nearest(mode, text),
    )


# Begin commands whose modes are known: in another one they are refused by every release.
_WHOLLY_KNOWN = frozenset({"qos", "priority-flow-control", "random-detect", "bandwidth", "priority", "shape"})
_AROUND = (QUEUE, PROFILE, PORT, GLOBAL)  # a misspelt line is kept in the mode it stands in, whichever it is for
_WHERE = {PORT: "an interface", PROFILE: "an interface or `qos profile NAME`", QUEUE: "a queue, such as `tx-queue 3`"}


def _find_mode_of(text: str, but: str) -> str:
    words = text.split(" ")
    for mode, where in reversed(_WHERE.items()):
        forms = [f for f in _find_candidates(mode, words[0]) if "..." not in f.pattern]
        if mode != but and any(match_form(form.pattern, words) for form in forms):
            return where
    return ""


def _suggest_nearest(mode: str, text: str) -> str:
    """The known form that is most like a line."""
    from difflib import get_close_matches  # only where something is wrong

    near = {format_pattern(form.pattern): None for form in FORMS.get(mode, ()) if "..." not in form.pattern}
    found = get_close_matches(text[:_LONGEST], near, 1, 0.5)
    return f"nearest: {found[0]}" if found else ""


def read_state(
    block: Block,
    mode: str,
    found: list[Problem],
    unread: dict[str, list[Span]],
    overridden: list[tuple[Key, Val]],
    before: State | None = None,
) -> State:
    """What the lines of a block set, the last one on a setting first. Adds what is wrong to `found`.

    `unread` collects what is not checked: what it is about, with its lines; `overridden` what a later line says
    otherwise; `before` is what was set when the same mode was entered earlier.
    """
    state: State = dict(before or {})
    for index, line in enumerate(block.lines):
        sets, fault, topic = parse_line(mode, line)
        at = None
        if fault is not None:
            at = block.span(index)
            found.append(Problem(fault.rule, at, fault.message, fault.help, severity=fault.severity))
        if topic:
            at = at or block.span(index)
            unread.setdefault(topic, []).append(at)
        if not sets:
            continue
        at = at or block.span(index)
        for key, value in sets:
            old = state.get(key)
            if value is GONE:
                _take_back(state, key)
                key = denied_key(key)  # noqa: PLW2901 - what is kept of it
                old = old or state.get(key)
                state[key] = Val(None, at)
            else:
                old = state.pop(denied_key(key), None) or old
                state[key] = Val(value, at)
            if old is not None and old.at != at:
                overridden.append((key, old))
                if _contradicts(key, old.value, value):
                    found.append(_report_contradiction(key, old, at))
    return state


_ONCE = frozenset(
    {"ecn", "share", "dscp", "cos", "tc", "profile", "policy", "timeout", "recovery", "polling", "action"}
)


def _contradicts(key: Key, old: Any, new: Any) -> bool:
    """Whether two lines of one block set a thing that has one value to two."""
    name = key if isinstance(key, str) else key[0]
    return name in _ONCE and old not in (None, new) and REFUSED not in (old, new) and new is not GONE


def _report_contradiction(key: Key, old: Val, at: Span) -> Problem:
    what = key if isinstance(key, str) else f"{key[0]} {key[1]}"
    return Problem(
        "device-conflict",
        at,
        f"{what} is set twice to different values: the last line applies, the earlier one does nothing",
        "keep one of them",
        ((old.at, "set here first"),),
    )


def denied_key(key: Key) -> Key:
    """The key under which it is kept that a setting is taken back: `no random-detect ecn` says something too."""
    return f"no {key}" if isinstance(key, str) else (f"no {key[0]}", key[1])


def _take_back(state: State, key: Key) -> None:
    state.pop(key, None)
    if key[0] == "queue":
        for other in [k for k in state if isinstance(k, tuple) and k[0] != "prio" and k[1] == key[1]]:
            del state[other]
