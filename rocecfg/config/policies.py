"""The policies of a run: one for each fabric, from its settings, its environment and the command line."""

from __future__ import annotations

from rocecfg.config.find import Finder
from rocecfg.config.policy import Policy, policy
from rocecfg.config.values import Layer, Setting, Settings
from rocecfg.source.document import SourceError


class Policies:
    """Called with a fabric's root file, gives its policy; the same settings file is read once."""

    def __init__(self, finder: Finder, command: Layer, environment: str | None = None) -> None:
        self._finder = finder
        self._command = command
        self._environment = environment
        self._known: dict[str, Policy] = {}

    def __call__(self, root: str) -> Policy:
        """Raises SourceError for settings that are wrong."""
        if root not in self._known:
            self._known[root] = policy(root, self._finder.settings(root), self._command, self._environment)
        return self._known[root]

    def outputs(self, roots: list[str]) -> tuple[tuple[Setting, ...], Settings | None]:
        """The outputs that the settings of these fabrics ask for, and which settings those are.

        Raises SourceError where two settings files ask for different ones.
        """
        first: Settings | None = None
        for root in roots:
            found = self._finder.settings(root)
            if found is None or not found.output:
                continue
            if first is not None and first.path != found.path:
                raise SourceError(
                    found.path,
                    f"output is also set in {first.path}, and this run reads both",
                    "say --output, or lint one at a time",
                )
            first = found
        return (first.output if first else ()), first
