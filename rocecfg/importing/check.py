"""Whether an imported intent loads: what is written is tried first."""

from __future__ import annotations

from rocecfg.intent import Loaded, load
from rocecfg.linting.discover import Overlaid
from rocecfg.rules import BY_NAME, ERROR


class WouldNotLoad(Exception):
    """An import that its own loader refuses: our fault, never the user's."""


def check(path: str, text: str, running: Loaded) -> Loaded:
    """The text, loaded as if it stood at `path`. Raises WouldNotLoad.

    What was wrong in the configurations too (a port that the platform does not have) is no fault of the import.
    """
    loaded = load(path, Overlaid(path, text.encode()))
    known = {problem.rule for problem in running.problems}
    for error in loaded.errors:
        raise WouldNotLoad(str(error))
    for problem in loaded.problems:
        if (problem.severity or BY_NAME[problem.rule].severity) == ERROR and problem.rule not in known:
            line = text.count("\n", 0, problem.at.start) + 1
            raise WouldNotLoad(f"line {line}: {problem.message}")
    return loaded
