"""Lines that were written for EOS and that it does not have: other systems' words, and slips that are often made."""

from __future__ import annotations

import re
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.arista.reading.commands import REFUSED, Key

_PFC = "priority-flow-control"
_DOG = f"{_PFC} pause watchdog"
_ECN = "random-detect ecn minimum-threshold N kbytes maximum-threshold N kbytes"
_MMU = "platform trident mmu queue profile NAME"
_BELOW = "queues are set below `tx-queue N` or `uc-tx-queue N` of a `qos profile`, attached by `service-profile NAME`"


class Slip(NamedTuple):
    """Why a line is not one of EOS, and what EOS writes."""

    why: str
    fix: str
    old: bool = False  # some releases took it, or may yet: not known to be refused by all


class _KnownSlip(NamedTuple):
    pattern: str
    slip: Slip
    meant: tuple[tuple[Key, Any], ...] = ()  # what is taken as said all the same, so that no other rule repeats it


_OTHERS_POLICY = Slip(
    f"NX-OS has it; {_BELOW}",
    "write qos profile NAME with its queues, and service-profile NAME below interfaces",
    old=True,
)
_NO_DROP = Slip(
    "a priority is lossless by no-drop", f"write {_PFC} priority N no-drop below an interface or qos profile"
)
_KNOWN = (
    _KnownSlip(
        rf"{_PFC} mode on",
        Slip("NX-OS and old releases of EOS (seen in 4.13) have it", f"write {_PFC} on", old=True),
        (("pfc", True),),
    ),
    _KnownSlip(
        rf"{_PFC} mode\b", Slip("NX-OS and old releases of EOS have it", f"write {_PFC} on, or no {_PFC}", old=True)
    ),
    _KnownSlip(
        rf"{_PFC} priority [0-7](?: (?:enable|disable|on|off|no drop|nodrop|lossless|lossy))?$",
        Slip("it does not make the priority lossless", f"write {_PFC} priority N no-drop"),
    ),
    _KnownSlip(
        rf"{_DOG} (?:port )?action (?:no-drop|forward|alert|log|shutdown)",
        Slip("the watchdog drops, disables the port or notifies", f"write {_DOG} action drop (or errdisable)"),
    ),
    _KnownSlip(
        rf"{_DOG} (?:default )?(?:action \S+ )?(?:timer|timeout|detect|recover|restor|poll)",
        Slip("it sets each time on its own, in seconds", f"write {_DOG} default timeout 0.20"),
        (("timeout", REFUSED), ("recovery", REFUSED), ("polling", REFUSED)),
    ),
    _KnownSlip(
        rf"(?:{_PFC} (?:watchdog|watch-dog|watch dog)|(?:qos )?pfc[- ]?(?:watchdog|wd)|watchdog)\b",
        Slip("EOS writes pause watchdog", f"write {_DOG}, with default timeout, default recovery-time and action"),
        (("timeout", REFUSED),),
    ),
    _KnownSlip(
        r"random-detect ecn min\w*-threshold \S+ max\w*-threshold \S+|random-detect ecn (?!delay).*threshold.*\d",
        Slip("each threshold needs its unit (bytes, kbytes, mbytes or segments) after a space", f"write {_ECN}"),
        (("ecn", REFUSED),),
    ),
    _KnownSlip(
        r"random-detect ecn(?! (?:count|delay)\b)",
        Slip("it names both thresholds, each with its unit", f"write {_ECN}"),
        (("ecn", REFUSED),),
    ),
    _KnownSlip(
        r"(?:random-detect (?:min|max)\w*|(?:qos )?(?:ecn|wred))\b",
        Slip("EOS writes random-detect ecn, with both thresholds", f"write {_ECN}"),
        (("ecn", REFUSED),),
    ),
    _KnownSlip(r"(?:lossless|no-drop|(?:traffic-class|priority|queue) [0-7] (?:no-drop|lossless))\b", _NO_DROP),
    _KnownSlip(
        r"(?:qos )?dscp [\d ,-]+ (?:to )?traffic-class\b|qos map (?:dscp-|cos-)|qos-maps?\b",
        Slip("one command of the switch maps code points", "write qos map dscp N to traffic-class N"),
    ),
    _KnownSlip(r"qos map dscp [\d ,-]+$", Slip("where to is missing", "write qos map dscp N to traffic-class N")),
    _KnownSlip(
        r"qos map (?:dscp|cos) [\d ,-]+ (?:to )?(?:queue|tx-queue|uc-tx-queue|tc|priority|traffic-class)\b",
        Slip(
            "DSCPs map to traffic classes, and these to queues",
            "write qos map dscp N to traffic-class N and qos map traffic-class N to tx-queue N",
        ),
    ),
    _KnownSlip(
        r"qos map (?:tc [\d ,-]+|traffic-class [\d ,-]+ (?:to )?(?:queue|priority|pg)\b)",
        Slip("traffic classes map to transmit queues", "write qos map traffic-class N to tx-queue N"),
    ),
    _KnownSlip(
        r"qos map traffic-class [\d ,-]+$",
        Slip("where to is missing", "write qos map traffic-class N to tx-queue N"),
    ),
    _KnownSlip(
        r"qos[-_ ]?profiles?\b",
        Slip("a profile has a name of one word, and `qos profile` is two", "write qos profile NAME"),
    ),
    _KnownSlip(
        r"interface range ", Slip("IOS and NX-OS have it", "write the range alone, as interface Ethernet1/1-4/1")
    ),
    _KnownSlip(
        r"i\w{4,10} (?:Et|et|Po|po|Ma)[a-z-]*[1-9]",
        Slip("interface is misspelt, so EOS applies the lines below it to the block entered before", "write interface"),
    ),
    _KnownSlip(r"bandwidth priority\b", Slip("NX-OS has it", "a strict queue is priority strict")),
    _KnownSlip(r"bandwidth remaining\b", Slip("IOS and NX-OS have it", "write no priority and bandwidth percent N")),
    _KnownSlip(
        r"(?:bandwidth (?:\d|weight|ratio|share)|(?:scheduler )?(?:d?wrr|weight)\b)",
        Slip("a share after strict queues is a percentage", "write no priority and bandwidth percent N"),
    ),
    _KnownSlip(
        r"priority (?:\d|low|high|level|round-robin|rr|wrr|dwrr)|strict(?:-priority)?\b|scheduler (?:strict|sp)\b",
        Slip("a queue is strict, or takes its turn", "write priority strict, or no priority and bandwidth percent N"),
    ),
    _KnownSlip(
        r"shape (?:average|peak|percent|\d)",
        Slip("a shaper has a rate", "write shape rate N percent, or shape rate N in kbit/s"),
    ),
    _KnownSlip(
        r"(?:uc-|mc-)?tx-queue \S+ (?!name\b)",
        Slip("it opens the queue; its settings are separate lines below it", "write them below tx-queue N"),
    ),
    _KnownSlip(
        r"queue [0-7]\b",
        Slip("the command is tx-queue, and its settings are below it", "write tx-queue N, and them below"),
    ),
    _KnownSlip(
        r"(?:qos |hardware )?(?:buffers?|buffer-\w+|headroom)\b|queue-limit\b",
        Slip("buffers are set by a profile of the chip, where it has one", f"write {_MMU}, or remove the line"),
    ),
    _KnownSlip(r"(?:policy|class)-map type (?:tx-queue|queuing|network-qos)\b", _OTHERS_POLICY),
    _KnownSlip(
        r"(?:policy|class)-map type (?!qos |quality-of-service )(?:qua|qo)\S*",
        Slip("the type is qos, or quality-of-service in full", "write policy-map type quality-of-service NAME"),
    ),
    _KnownSlip(r"service-policy type (?:tx-queue|queuing|network-qos)\b", _OTHERS_POLICY),
    _KnownSlip(
        r"flowcontrol (?:pfc|priority)\b",
        Slip("that is 802.3x, which pauses all priorities", f"write {_PFC} on, and {_PFC} priority N no-drop"),
    ),
    _KnownSlip(
        r"flowcontrol (?:rx|tx|both|on|off)\b", Slip("it needs send or receive", "write flowcontrol receive off")
    ),
    _KnownSlip(
        r"dcbx?\b",
        Slip("DCBX is set on each interface", "write dcbx mode ieee there, or no dcbx mode", old=True),
    ),
    _KnownSlip(
        r"(?:roce|rdma|dcqcn|congestion-control)\b",
        Slip("PFC is priority-flow-control", f"write {_PFC} on", old=True),
    ),
    _KnownSlip(
        r"(?:qos )?pfc\b",
        Slip("PFC is priority-flow-control", f"write {_PFC} on, and {_PFC} priority N no-drop"),
    ),
    _KnownSlip(
        rf"{_PFC} (?:enabled?|disabled?|off|auto|no-drop|lossless)\b",
        Slip("it is on or off; further lines name the lossless priorities", f"write {_PFC} on, or no {_PFC}"),
    ),
    _KnownSlip(
        r"(?:mls qos|trust|qos (?:enable|on))\b",
        Slip(
            "QoS needs no command to turn it on; ports trust DSCP or CoS",
            "write qos trust dscp below interfaces",
            old=True,
        ),
    ),
    _KnownSlip(r"qos trust \S", Slip("it trusts cos or dscp", "write qos trust dscp")),
)


# Commands of many kinds, of which only the slips are told.
FIRST = frozenset({"policy-map", "class-map", "service-policy", "hardware"})


def _find_known_slip(text: str) -> _KnownSlip | None:
    return next((known for known in _KNOWN if re.match(known.pattern, text)), None)


def explain_slip(text: str) -> Slip | None:
    """What is wrong with a line that is not a command of its mode, where it is known to be a slip."""
    known = _find_known_slip(text)
    return known.slip if known is not None else None


def read_as_meant(text: str) -> tuple[tuple[Key, Any], ...]:
    """What such a line is taken to say all the same."""
    known = _find_known_slip(text)
    return known.meant if known is not None else ()
