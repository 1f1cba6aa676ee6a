"""From the statements that run and those that are to be to the lines between: one commit."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.vendors.changes import Step
from rocecfg.vendors.procedure import make_step
from rocecfg.vendors.srlinux.procedure import PROCEDURE
from rocecfg.vendors.srlinux.reading.statements import Words, join_words
from rocecfg.vendors.srlinux.settings import TABLE
from rocecfg.vendors.table import VALUE

Lines = dict[Words, None]  # in written order
_ORDER = ("queues", "forwarding-classes", "classifiers", "buffer-management", "pfc-mapping-profile",
          "scheduler-policies", "linecard", "explicit-congestion-notification", "interfaces")  # fmt: skip
_PRIORITY = "pfc-pause-frame-priority"  # a list of one where priorities are listed: it is emptied before it is set


def plan_steps(running: Lines, target: Lines, *, listed: bool) -> tuple[Step, ...]:
    """The change; () where there is none. A list of values that loses one is deleted, and set anew.

    `listed`: of a release in which a PFC priority is such a list.
    """
    cut = {words[:-1] for words in running if words not in target and _is_several(words)}
    new = [words for words in target if words not in running or (words[:-1] in cut and _is_several(words))]
    lines = list(_delete_lines(running, target, new, listed=listed))
    lines += (f"set / {format_words(words, listed=listed)}" for words in sorted(new, key=_rank))
    return (make_step(PROCEDURE, lines, lines),) if lines else ()


def _is_several(words: Words) -> bool:
    """Whether a statement is one value of several."""
    row = TABLE.find_whole(words)
    return row is not None and row.key.endswith("[]")


def _is_in_list(words: Words, *, listed: bool) -> bool:
    return _is_several(words) or (listed and words[-2:-1] == (_PRIORITY,))


def format_words(words: Words, *, listed: bool = False) -> str:
    """A statement as a set line has it: a value of a list in brackets."""
    if _is_in_list(words, listed=listed):
        return f"{join_words(words[:-1])} [ {join_words(words[-1:])} ]"
    return join_words(words)


def _rank(words: Words) -> int:
    return _ORDER.index(words[1]) if words[0] == "qos" and words[1] in _ORDER else len(_ORDER)


def _delete_lines(running: Lines, target: Lines, new: list[Words], *, listed: bool) -> Iterator[str]:
    """A delete for each statement that goes and has no new value; of an object that goes whole, one for all."""
    renewed = {words[:-1] for words in new}
    gone: Lines = {}
    for words in running:
        if words in target:
            continue
        if words[:-1] in renewed and not _is_in_list(words, listed=listed):
            continue
        gone[_widest(words, target)] = None
    yield from (f"delete / {join_words(words)}" for words in sorted(gone, key=lambda w: -_rank(w)))


def _widest(words: Words, target: Lines) -> Words:
    """The widest object that nothing is left of; else the leaf, without its value."""
    for end in range(3, len(words)):
        row = TABLE.find_whole(words[:end])
        if row is not None and row.into and not row.key and not any(other[:end] == words[:end] for other in target):
            return words[:end]
    whole = TABLE.find_whole(words)
    return words[:-1] if whole is None or whole.path[-1] == VALUE else words
