"""What a configuration says nothing about, by the words of the lines that would."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_EVERYWHERE = frozenset({"PFC", "the PFC watchdog", "ECN", "queues", "maps"})
"""Subjects on which each switch with RoCE has lines: one that says who it is and lacks them may be cut."""


def list_absent(subjects: Mapping[str, tuple[str, str]], lines: Iterable[str], *, whole: bool) -> tuple[str, ...]:
    """The subjects of rules that none of these lines is about, each with how the system writes it.

    `subjects`: of each those words, and the pattern that a line on it has. `whole`: the text looks like all of a
    switch, of which a subject may also be left to the system.
    """
    text = "\n".join(lines)
    absent = [subject for subject, (_, line) in subjects.items() if re.search(line, text, re.MULTILINE) is None]
    return tuple(
        f"{subject} ({subjects[subject][0]})"
        for subject in absent
        if (not whole or subject in _EVERYWHERE) and not (subject == "speeds" and "ports" in absent)
    )
