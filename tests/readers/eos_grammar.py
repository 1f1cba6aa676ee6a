"""The independent grammar of EOS that ships with the validators, and lines made from its patterns."""

from __future__ import annotations

import random
import re
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import ModuleType

UNDER = {  # the grammar's modes, and what a line of them stands below
    "global": [],
    "eth": ["interface Ethernet1/1"],
    "qos-profile": ["qos profile P"],
    "tx-queue": ["qos profile P", "tx-queue 3"],
    "uc-tx-queue": ["interface Ethernet1/1", "uc-tx-queue 3"],
    "mc-tx-queue": ["qos profile P", "mc-tx-queue 3"],
    "mmu": ["platform trident mmu queue profile M"],
    "vxlan": ["interface Vxlan1"],
}
FILLED = {"W": "NAME", "REST": "anything", "IFS": "Ethernet1/1"}


@cache
def load_grammar(tool: str) -> ModuleType:
    """The validator at this path, as a module."""
    loader = SourceFileLoader("validate_eos", tool)
    spec = spec_from_loader("validate_eos", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def line_of(pattern: str, chance: random.Random) -> str:
    """A line that the grammar's pattern matches: values drawn from its ranges."""

    def fill(token: re.Match[str]) -> str:
        body = token[1]
        if body in FILLED:
            return FILLED[body]
        name, colon, limits = body.partition(":")
        if colon and re.match(r"^[a-z0-9]+\*?$", name):
            low, high = limits.split("-")
            number = chance.uniform(float(low), float(high))
            places = 2 if name.startswith("f2") else 3 if name.startswith("f3") else 0
            return f"{number:.{places}f}" if places else str(round(number) if float(high) < 1e6 else low)
        return chance.choice(body.split("|"))

    optional = re.sub(r"\[([^\]]*)\]", lambda found: found[1] if chance.random() < 0.5 else "", pattern)
    return re.sub(r"\{([^{}]+)\}", fill, optional)


def text_below(mode: str, line: str) -> str:
    """The line below what it belongs to."""
    above = UNDER[mode]
    return "\n".join([*("   " * n + text for n, text in enumerate(above)), "   " * len(above) + line, ""])
