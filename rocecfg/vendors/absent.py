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
    return tuple(
        f"{subject} ({words})"
        for subject, (words, pattern) in subjects.items()
        if (not whole or subject in _EVERYWHERE) and re.search(pattern, text, re.MULTILINE) is None
    )
