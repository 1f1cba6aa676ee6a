"""What has become of rules that releases had: their old names go on working (docs/stability.md)."""

from __future__ import annotations

RENAMED: dict[str, str] = {}
"""Old name -> name. An entry stays for two minor releases and a year at least; the code of a rule never changes."""

REMOVED: dict[str, str] = {}
"""Name or code of a rule that is gone -> what to do instead. No entry ever goes: neither is used again."""
