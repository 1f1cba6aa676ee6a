"""Many fabrics checked in several processes. What is found, and its order, is the same with any number of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import RuleFailed, judge
from rocecfg.linting.workers import count_cores, map_in_processes
from rocecfg.rules import Rule, find_rule, get_rule

_LONG = 3.0  # seconds of judging that are worth starting processes, each of which takes half a second of its own


Task = tuple[Loaded, tuple[Rule, ...], Mapping[str, tuple[str, ...]]]  # what `judge` takes
Outcome = tuple[list[Finding], list[RuleFailed]]
_Sent = tuple[Loaded, tuple[str, ...], Mapping[str, tuple[str, ...]]]  # rules by their names: they hold functions


def judge_in_processes(
    tasks: Sequence[Task], jobs: int | None, clock: Callable[[], float] = time.perf_counter
) -> Iterator[Outcome]:
    """What `judge` gives for each, in their order.

    `jobs`: processes; None: more than one where they save time, by a `clock` that counts seconds.
    """
    done = 0
    if jobs is None:
        start = clock()
        for task in tasks:
            yield judge(*task)
            done += 1
            left = (clock() - start) / done * (len(tasks) - done)
            if left > _LONG:  # at the pace so far
                jobs = count_cores()
                break
    rest = tasks[done:]
    movable = [task for task in rest if _is_movable(task)] if (jobs or 1) > 1 else []
    found = (
        map_in_processes(_judge_packed, [_pack_task(task) for task in movable], jobs or 1) if len(movable) > 1 else None
    )
    for task in rest:
        if found is None or not _is_movable(task):
            yield judge(*task)
        else:
            findings, failed = next(found)
            yield findings, [_rebuild_failure(name, text) for name, text in failed]


def _is_movable(task: Task) -> bool:
    """Whether a task can be sent: a team's own rules cannot, and without a fabric there is nothing to do."""
    loaded, rules, _ = task
    return loaded.fabric is not None and all(find_rule(rule.name) is rule for rule in rules)


def _pack_task(task: Task) -> _Sent:
    loaded, rules, left = task
    return loaded, tuple(rule.name for rule in rules), left


def _rebuild_failure(rule: str, text: str) -> RuleFailed:
    """A failure as it was raised in another process."""
    failure = RuleFailed.__new__(RuleFailed, text)
    failure.rule = get_rule(rule)
    return failure


def _judge_packed(sent: _Sent) -> tuple[list[Finding], list[tuple[str, str]]]:
    loaded, rules, left = sent
    findings, failed = judge(loaded, tuple(map(get_rule, rules)), left)
    return findings, [(failure.rule.name, str(failure)) for failure in failed]
