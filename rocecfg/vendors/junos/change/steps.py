"""From the statements that run and those that are to be to the lines between: one commit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.vendors.changes import Step
from rocecfg.vendors.junos.balancing import PATH
from rocecfg.vendors.junos.change.config import Lines
from rocecfg.vendors.junos.procedure import PROCEDURE
from rocecfg.vendors.junos.reading.statements import Words, join_words
from rocecfg.vendors.junos.settings import COS
from rocecfg.vendors.procedure import make_step

_SEVERAL = frozenset(  # what stands behind these does not take the place of another: values, and what is on by its name
    {"code-points", "flow-control-queue", "ecmp-dlb", "hash-mode", "inet", "inet6"}
)  # fmt: skip
_NAMED = frozenset(  # words behind which the name of an entry stands: nothing ends there
    {"forwarding-class", "loss-priority", "unit", "dscp", "ieee-802.1", "drop-profile-map", "protocol"}
)  # fmt: skip
_IN_ORDER = ("drop-profiles",)  # whose values stand in pairs: a profile is taken away and written again
# In the order in which they are typed, so that they also are in order for whoever reads them: what goes first frees
# names and code points; then what is defined, before what binds it.
_ORDER = (
    "forwarding-classes", "classifiers", "drop-profiles", "schedulers", "scheduler-maps", "shared-buffer",
    "congestion-notification-profile", "interfaces",
)  # fmt: skip


def plan_steps(running: Lines, target: Lines, active: Iterable[Words] = ()) -> tuple[Step, ...]:
    """The change; () where there is none. `active`: what is activated beside what is set."""
    gone = [words for words in running if words not in target]
    before, after = _list_ordered(running), _list_ordered(target)
    renewed = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    gone += [words for words in running if words[:3] in renewed]
    new = [words for words in target if words[:3] in renewed or words not in running]
    lines = [*_delete_lines(gone, target, new), *(f"set {join_words(words)}" for words in sorted(new, key=_rank))]
    lines += [f"activate {join_words(words)}" for words in active]
    if not lines:
        return ()
    return (make_step(PROCEDURE, lines, lines),)


def _list_ordered(lines: Lines) -> dict[Words, list[Words]]:
    """The statements of each object whose values stand in order, those of one list together."""
    found: dict[Words, list[Words]] = {}
    for words in sorted(lines, key=lambda each: each[:-1]):
        if words[1:2] == _IN_ORDER:
            found.setdefault(words[:3], []).append(words)
    return found


def _rank(words: Words) -> int:
    section = words[1] if words[0] == COS else ""
    return _ORDER.index(section) if section in _ORDER else -1


def _delete_lines(gone: Iterable[Words], target: Lines, new: Iterable[Words]) -> Iterator[str]:
    stated: dict[str, None] = {}
    changed = {words[:-1] for words in new}
    for words in gone:
        if words[1:2] != _IN_ORDER and words[:-1] in changed and words[-2] not in _SEVERAL:
            continue  # another value of the same statement takes its place
        stated[f"delete {join_words(_widest_deletable(words, target))}"] = None
    yield from sorted(stated, key=lambda line: -_rank(tuple(line.split()[1:])))


def _widest_deletable(words: Words, target: Lines) -> Words:
    """What is deleted for a statement: the widest part of the hierarchy that nothing is left of."""
    least = _count_object_words(words)
    for end in range(least, len(words)):
        part = words[:end]
        if part[1:2] == _IN_ORDER:
            return words[:3]
        if not _is_cut(part) and not any(other[:end] == part for other in target):
            return part
    return words


def _count_object_words(words: Words) -> int:
    """How many words name the object that a statement belongs to."""
    if words[:3] == PATH:  # one of ways that exclude each other goes whole
        return 4
    if words[0] != COS:
        return len(words)
    return 4 if words[1] == "forwarding-classes" else 3


def _is_cut(part: Words) -> bool:
    """Whether a part of a statement ends where the name of an entry has to follow."""
    if part[-3:-1] == ("drop-profile-map", "loss-priority"):  # the protocol is a part of the name too
        return True
    if part[-1] not in _NAMED:
        return False
    if part[-1] in ("dscp", "ieee-802.1"):  # a container of input and output, and a kind of classifier
        return part[-2] not in ("input", "output")
    return True
