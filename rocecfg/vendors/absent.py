"""What a part of a configuration says nothing about, by the words of the lines that would."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping


def list_absent(subjects: Mapping[str, tuple[str, str]], lines: Iterable[str]) -> tuple[str, ...]:
    """The subjects of rules that none of these lines is about, each with how the system writes it.

    `subjects`: of each those words, and the pattern that a line on it has.
    """
    text = "\n".join(lines)
    return tuple(
        f"{subject} ({words})"
        for subject, (words, pattern) in subjects.items()
        if re.search(pattern, text, re.MULTILINE) is None
    )
