"""PyYAML without what its C parser never uses: half of its loading is compiling patterns of its pure reader."""

from __future__ import annotations

import re
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any


class _Pattern:
    """A pattern that is compiled when it is used."""

    __slots__ = ("_given", "_made")

    def __init__(self, *given: Any) -> None:
        self._given = given
        self._made: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._made is None:
            self._made = re.compile(*self._given)
        return getattr(self._made, name)


def pyyaml() -> ModuleType:
    """The module `yaml`; when it is loaded here, its patterns are compiled as late as they are used."""
    found = sys.modules.get("yaml")
    if found is None:
        compile_ = re.compile
        re.compile = _Pattern  # type: ignore[assignment]
        try:
            import yaml
        finally:
            re.compile = compile_
        found = yaml
    return found
