"""Keys of NVUE that the published schema leaves open, and what they may be.

Source: NVIDIA's user guide of Cumulus Linux, Quality of Service and the NVUE object reference: switch priorities and
traffic classes 0-7, DSCP 0-63, PCP 0-7, the traffic pools and the one profile of mappings of queues.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_MOST = 4096  # names that a range may stand for
_NUMBER = re.compile(r"(\d+)(?:-(\d+))?")
_NAMED = re.compile(r"(.*?)(\d+)(?:-(\d+))?")
_INTERFACE = re.compile(r"(?:swp\d+(?:s\d+)?|eth\d+|lo|[a-zA-Z][A-Za-z0-9_.-]*)(?:\.\d+)?")

Check = Callable[[str], str | None]  # what is wrong with a key; None: nothing


def expand_key(key: str) -> list[str]:
    """The names that a key with ranges stands for: `4,5,7`, `0-3`, `swp1-4,6`, `swp6s0-1`. Raises ValueError."""
    out: list[str] = []
    prefix = ""
    for part in key.split(","):
        bare = _NUMBER.fullmatch(part) if prefix else None
        named = _NAMED.fullmatch(part)
        if bare is not None:
            first, last = bare.groups()
        elif named is not None:
            prefix, first, last = named.groups()
        else:
            prefix = ""
            out.append(part)
            continue
        low, high = int(first), int(last or first)
        if high < low or high - low > _MOST:
            raise ValueError(f"bad range {part!r}")
        out += [f"{prefix}{number}" for number in range(low, high + 1)]
    return out


def find_key_fault(path: tuple[str, ...]) -> str | None:
    """What is wrong with the last key of a path; None: nothing that is known."""
    joined = "/".join(key.replace("/", "_") for key in path)
    for pattern, check in _KEYS:
        if pattern.fullmatch(joined):
            wrong = check(path[-1])
            if wrong is not None:
                return wrong
    return None


def _number_check(high: int) -> Check:
    def check(key: str) -> str | None:
        try:
            right = all(name.isdigit() and int(name) <= high for name in expand_key(key))
        except ValueError as error:
            return str(error)
        return None if right else f"must be 0..{high}"

    return check


def _word_check(*names: str) -> Check:
    return lambda key: None if key in names else f"must be one of {', '.join(sorted(names))}"


def _check_interface(key: str) -> str | None:
    try:
        right = all(_INTERFACE.fullmatch(name) for name in expand_key(key))
    except ValueError as error:
        return str(error)
    return None if right else "is not a name of an interface, nor a range of them"


_BUFFERS = "qos/advance-buffer-config/[^/]+"
_KEYS = tuple(
    (re.compile(pattern), check)
    for pattern, check in (
        ("interface/[^/]+", _check_interface),
        (
            "qos/traffic-pool/[^/]+",
            _word_check("default-lossy", "default-lossless", "mc-lossy", "roce-lossy", "roce-lossless"),
        ),
        ("qos/(egress-queue-mapping|advance-buffer-config)/[^/]+", _word_check("default-global")),
        ("qos/(traffic-pool|pfc|remark|egress-queue-mapping)/[^/]+/switch-priority/[^/]+", _number_check(7)),
        ("qos/(congestion-control|egress-scheduler|egress-shaper)/[^/]+/traffic-class/[^/]+", _number_check(7)),
        ("qos/mapping/[^/]+/dscp/[^/]+", _number_check(63)),
        ("qos/mapping/[^/]+/pcp/[^/]+", _number_check(7)),
        (f"{_BUFFERS}/egress-lossy-buffer/traffic-class/[^/]+", _number_check(15)),
        (f"{_BUFFERS}/egress-lossy-buffer/multicast-switch-priority/[^/]+", _number_check(7)),
        (f"{_BUFFERS}/(in|e)gress-(service-)?pool/[^/]+", _number_check(7)),
        (
            f"{_BUFFERS}/ingress-lossy-buffer/priority-group/[^/]+",
            _word_check("bulk", *(f"service{n}" for n in range(1, 8))),
        ),
        ("interface/[^/]+/packet-trim/egress-eligibility/traffic-class/[^/]+", _number_check(7)),
    )
)
