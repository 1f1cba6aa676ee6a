"""What names of metrics and alerts are about.

An intent names them as the user's exporter and rules do (`SAI_QUEUE_STAT_DROPPED_PACKETS`, `PfcStorm`, `fec-errors`): a
name is read by the words in it. One that says nothing to this table may be about anything, so rules are less sure then.
"""

from __future__ import annotations

from collections.abc import Iterable

PAUSE = "PFC frames or pause duration per priority"
WATCHDOG = "watchdog storms detected and restored"
DROP = "drops per queue"
ECN = "ECN-marked packets"
QUEUE = "queue watermarks"
INGRESS = "priority-group and headroom watermarks"
ERRORS = "FEC or CRC errors"
FLAPS = "link flaps"
CNP = "CNPs sent and handled by the NICs"
SEQUENCE = "out-of-sequence packets at the NICs"
OTHER = "what no rule asks for"

ALL = frozenset((PAUSE, WATCHDOG, DROP, ECN, QUEUE, INGRESS, ERRORS, FLAPS, CNP, SEQUENCE))
_WORDS: dict[str, frozenset[str]] = {
    PAUSE: frozenset(("pause", "pauses", "paused", "xoff", "storm", "storms", "pfc")),
    WATCHDOG: frozenset(("watchdog", "wd", "pfcwd", "storm", "storms", "deadlock", "deadlocks")),
    DROP: frozenset(("drop", "drops", "dropped", "discard", "discards", "discarded", "loss", "lost")),
    ECN: frozenset(("ecn", "ce", "mark", "marks", "marked", "marking", "wred")),
    ERRORS: frozenset(("fec", "crc", "fcs", "ber", "symbol", "error", "errors", "codeword", "codewords")),
    FLAPS: frozenset(("flap", "flaps", "flapping", "link", "links", "carrier", "updown", "oper")),
    CNP: frozenset(("cnp", "cnps")),
    SEQUENCE: frozenset(("sequence", "seq", "oos", "ooo", "nak", "naks", "retransmit", "retransmits")),
    OTHER: frozenset(("bgp", "bfd", "lldp", "ntp", "route", "routes", "cpu", "memory", "disk", "optics"))
    | frozenset(("fan", "fans", "psu", "power", "temperature"))
    | frozenset(("bandwidth", "throughput", "utilization", "utilisation", "bytes", "packets", "octets")),
}
_HIGH = frozenset(("watermark", "watermarks", "hwm", "occupancy", "depth", "backlog", "peak", "headroom"))
_LENGTH = frozenset(("length", "usage", "used", "max", "high"))
_BUFFER = frozenset(("queue", "queues", "buffer", "buffers", "pg", "voq"))
_AT_EGRESS = frozenset(("queue", "queues", "egress", "voq"))
_AT_INGRESS = frozenset(("pg", "ingress", "headroom", "xoff"))
_STORM = frozenset(("storm", "storms"))
_STATE = frozenset(("state", "states", "status"))
# words that name no one thing: a set of alerts may hold everything
_WHOLE = frozenset(
    ("all", "any", "default", "defaults", "standard", "everything", "roce", "rocev", "rdma", "qos", "lossless")
)
WATCHED_WORDS = (
    "pause",
    "watchdog",
    "drops",
    "ecn",
    "queue-watermark",
    "pg-watermark",
    "fec",
    "flaps",
    "cnp",
    "sequence",
)
_FILLING = frozenset(
    ("alert", "alerts", "alarm", "alarms", "rule", "rules", "metric", "metrics", "counter", "counters")
)


def find_subjects(name: str) -> frozenset[str]:
    """What a metric or alert of that name is about; empty where the name does not say."""
    words = _split_words(name)
    own = frozenset(w for w in words if not w.isdigit()) - _FILLING
    if own <= _WHOLE:
        return ALL
    if own == {"pfc"}:
        return frozenset((PAUSE, WATCHDOG))
    found = {what for what, known in _WORDS.items() if words & known}
    if words & _HIGH or (words & _LENGTH and words & _BUFFER):
        found.discard(PAUSE)  # the room above XOFF, not a pause
        ingress, egress = words & _AT_INGRESS, words & _AT_EGRESS
        found.update({QUEUE} if egress or not ingress else (), {INGRESS} if ingress or not egress else ())
    if {WATCHDOG, DROP} & found and not words & (_WORDS[PAUSE] - {"pfc"}):
        found.discard(PAUSE)  # pfc-watchdog, pfc-drops
    return frozenset(found)


def is_state(name: str) -> bool:
    """Whether a metric of that name says how things are now, and not how often something happened."""
    return not _split_words(name).isdisjoint(_STATE)


def is_storm(name: str) -> bool:
    """Whether a name speaks of storms and of no other pause."""
    words = _split_words(name)
    return not words.isdisjoint(_STORM) and words.isdisjoint(_WORDS[PAUSE] - _STORM - {"pfc"})


def merge_subjects(names: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """What metrics or alerts of these names are about together, and the names that do not say."""
    found: set[str] = set()
    opaque = []
    for name in names:
        about = find_subjects(name)
        found |= about
        if not about:
            opaque.append(name)
    return frozenset(found), tuple(opaque)


def _split_words(name: str) -> frozenset[str]:
    """The words of a name, in small letters: apart at punctuation, digits, and where a capital begins one."""
    name = name.replace("RoCE", "Roce")  # one word, whatever its capitals
    out: list[str] = []
    before = ""
    for n, char in enumerate(name):
        after = name[n + 1 : n + 2]
        begins = (
            not before.isalnum()
            or before.isdigit() != char.isdigit()
            or (char.isupper() and (before.islower() or (before.isupper() and after.islower())))
        )
        if char.isalnum():
            if begins:
                out.append("")
            out[-1] += char.lower()
        before = char
    return frozenset(out)
