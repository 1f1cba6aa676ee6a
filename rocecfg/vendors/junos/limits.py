"""What Junos says of queues and buffers by itself, and the arithmetic between its units and those of an intent."""

from __future__ import annotations

import re

QUEUES = range(8)  # for unicast; 8 to 11 are for multidestination traffic on Junos OS
PRIORITIES = range(8)
ETHERNET = 14  # bytes of a frame's header, which a physical MTU counts; a tag adds 4
TAG = 4
OWN_MTU = 1514  # physical, where none is stated
ALPHA_1 = 7  # dynamic-threshold of alpha 1: alpha = 2 ** (N - 7)
POLL, POLLS, RECOVERY, ACTION = 100, 2, 200, "drop"  # ms, polls, ms: of pfc-watchdog where nothing is said
OBEYED = {3: 3, 4: 4}  # priority -> queue that obeys its pauses, where a profile has no output side
OWN_CLASSES = {  # name -> queue and whether it is no-loss, of classes that nobody configured
    "best-effort": (0, False),
    "fcoe": (3, True),
    "no-loss": (4, True),
    "network-control": (7, False),
}
DSCP_ALIASES = {
    "be": 0, "ef": 46, "nc1": 48, "nc2": 56,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{n}{drop}": 8 * n + 2 * drop for n in range(1, 5) for drop in range(1, 4)},
}  # fmt: skip
TAG_ALIASES = {"be": 0, "be1": 1, "ef": 2, "ef1": 3, "af11": 4, "af12": 5, "nc1": 6, "nc2": 7}
_RATE = re.compile(r"(\d{1,18}(?:\.\d{1,18})?)([kmg]?)", re.IGNORECASE)
_SCALE = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}


def rate(text: str) -> int | None:
    """`16g` in bit/s; None where it is not a rate."""
    found = _RATE.fullmatch(text)
    return None if found is None else round(float(found[1]) * _SCALE[found[2].lower()])


def format_rate(bits: int) -> str:
    """A rate in bit/s as Junos writes it, in the largest unit in which it is whole."""
    for unit in ("g", "m", "k"):
        if bits % _SCALE[unit] == 0:
            return f"{bits // _SCALE[unit]}{unit}"
    return str(bits)


def code_of(text: str, aliases: dict[str, int], width: int) -> int | None:
    """A code point by its bits or its alias; None for a word that is neither."""
    if len(text) == width and not set(text) - {"0", "1"}:
        return int(text, 2)
    return aliases.get(text)


def bits(code: int, width: int) -> str:
    """A code point in bits: 26 is 011010."""
    return f"{code:0{width}b}"
