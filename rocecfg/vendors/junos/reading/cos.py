"""`class-of-service`: what its statements define, by name, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rocecfg.core.digits import is_number
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.vendors.junos.domain import is_beside
from rocecfg.vendors.junos.limits import DSCP_ALIASES, TAG_ALIASES, code_of, rate
from rocecfg.vendors.junos.reading.statements import Statement, Words

DSCP, TAG = "dscp", "ieee-802.1"
WIDTH = {DSCP: 6, TAG: 3}
Named = dict[str, dict[str, Val]]


class CongestionProfile:
    """A congestion-notification-profile: PFC of a port, in both directions."""

    def __init__(self, at: Span) -> None:
        self.at = at
        self.input: dict[tuple[str, int], dict[str, Val]] = {}  # (dscp or ieee-802.1, code point) -> pfc, mru, xon
        self.output: dict[int, list[Val]] = {}  # priority -> queues that its pauses stop
        self.watchdog: dict[str, Val] | None = None
        self.watched_at = at
        self.cable: Val | None = None

    @property
    def code_point_kinds(self) -> set[str]:
        """What its input side goes by."""
        return {kind for kind, _ in self.input}


class Cos:
    """What `class-of-service` says."""

    def __init__(self) -> None:
        self.whole = True  # False: of a part, which may name what another part defines
        self.classes: Named = {}  # queue, no-loss, pfc-priority
        self.classifiers: dict[tuple[str, str], dict[int, Val]] = {}  # code point -> forwarding class
        self.imports: dict[tuple[str, str], Val] = {}
        self.colours: dict[str, Val] = {}  # loss priorities other than low that classifiers give
        self.drops: dict[str, dict[str, list[Val]]] = {}  # fill-level, drop-probability
        self.profiles: dict[str, CongestionProfile] = {}
        self.maps: Named = {}  # forwarding class -> scheduler
        self.schedulers: Named = {}
        self.bound: Named = {}  # interface or wildcard -> profile, map, dscp, ieee-802.1, fixed, rewrite
        self.wild: list[str] | None = None  # those of bound that are wildcards, the wider first; None: not sorted yet
        self.rewrites: dict[str, dict[str, Val]] = {}  # forwarding class -> DSCP
        self.partitions: dict[tuple[str, str], dict[str, Val]] = {}  # (ingress, lossless) -> percent, dynamic-threshold
        self.aliases: dict[str, dict[str, int]] = {DSCP: dict(DSCP_ALIASES), TAG: dict(TAG_ALIASES)}
        self.unknown: list[Statement] = []  # statements that are not understood, without `class-of-service`
        self.wrong: list[tuple[Span, str, str]] = []  # values that none can be: where, what, the fix
        self.lines: list[Statement] = []  # all of it, without `class-of-service`

    def list_unknown(self, *beginning: str) -> list[Words]:
        """The rest of the statements that begin so and are not understood: a newer Junos may have them."""
        many = len(beginning)
        return [line.words[many:] for line in self.unknown if tuple(line.words[:many]) == beginning]

    def queue_of(self, name: str) -> Val | None:
        """The queue of a forwarding class that is configured."""
        return self.classes.get(name, {}).get("queue")


def read_cos(lines: Sequence[Statement]) -> Cos:
    """What the statements below `class-of-service` define."""
    cos = Cos()
    own = [
        line._replace(words=line.words[1:])
        for line in lines
        if line.words[0] == "class-of-service" and len(line.words) > 1
    ]
    cos.lines = own
    for line in own:  # names of code points before what uses them
        match line.words:
            case ("code-point-aliases", kind, name, code) if kind in WIDTH:
                number = code_of(code, {}, WIDTH[kind])
                if number is not None:
                    cos.aliases[kind][name] = number
    for line in own:
        reader = _READERS.get(line.words[0])
        known = reader is not None and reader(cos, line.words[1:], line.at)
        if not known and not is_beside(line.words):
            cos.unknown.append(line)
    return cos


def _parse_number(cos: Cos, text: str, low: int, high: int, what: str, at: Span) -> Val | None:
    """A whole number in its range; told where it is none."""
    if is_number(text) and low <= int(text) <= high:
        return Val(int(text), at)
    cos.wrong.append((at, f"{what} {text[:40]} is no number from {low} to {high}", "correct the number"))
    return None


def _read_forwarding_classes(cos: Cos, words: Words, at: Span) -> bool:
    match words:
        case ("class", name):
            cos.classes.setdefault(name, {})
        case ("class", name, "queue-num", number):
            _set_value(cos.classes, name, "queue", _parse_number(cos, number, 0, 11, "queue-num", at))
        case ("class", name, "no-loss"):
            _set_value(cos.classes, name, "no-loss", Val(value=True, at=at))
        case ("class", name, "pfc-priority", number):
            _set_value(cos.classes, name, "pfc-priority", _parse_number(cos, number, 0, 7, "pfc-priority", at))
        case ("queue", number, name):
            _set_value(cos.classes, name, "queue", _parse_number(cos, number, 0, 11, "queue", at))
        case _:
            return False
    return True


def _set_value(into: Named, name: str, key: str, val: Val | None) -> None:
    own = into.setdefault(name, {})
    if val is not None:
        own[key] = val


def _read_classifiers(cos: Cos, words: Words, at: Span) -> bool:
    match words:
        case (("dscp" | "ieee-802.1") as kind, name):
            cos.classifiers.setdefault((kind, name), {})
        case (("dscp" | "ieee-802.1") as kind, name, "import", other):
            cos.classifiers.setdefault((kind, name), {})
            cos.imports[kind, name] = Val(other, at)
        case (
            ("dscp" | "ieee-802.1") as kind,
            name,
            "forwarding-class",
            of,
            "loss-priority",
            colour,
            "code-points" | "code-point",
            code,
        ):
            number = code_of(code, cos.aliases[kind], WIDTH[kind])
            codes = cos.classifiers.setdefault((kind, name), {})
            if number is None:
                known = f"{WIDTH[kind]} bits such as {'011010' if kind == DSCP else '011'}, or an alias"
                cos.wrong.append((at, f"code point {code[:40]} of classifier {name} is none", f"write {known}"))
            else:
                codes[number] = Val(of, at)
            if colour != "low":
                cos.colours[name] = Val(colour, at)
        case _:
            return False
    return True


def _read_drop_profiles(cos: Cos, words: Words, at: Span) -> bool:
    match words:
        case (name,) | (name, "interpolate"):
            cos.drops.setdefault(name, {})
        case (name, "interpolate", ("fill-level" | "drop-probability") as key, number):
            val = _parse_number(cos, number, 0, 100, key, at)
            if val is not None:
                cos.drops.setdefault(name, {}).setdefault(key, []).append(val)
        case (name, "fill-level", fill, "drop-probability", probability):
            for key, number in (("fill-level", fill), ("drop-probability", probability)):
                val = _parse_number(cos, number, 0, 100, key, at)
                if val is not None:
                    cos.drops.setdefault(name, {}).setdefault(key, []).append(val)
        case _:
            return False
    return True


def _read_shared_buffer(cos: Cos, words: Words, at: Span) -> bool:
    match words:
        case (("ingress" | "egress") as side, "buffer-partition", name, "percent", number):
            _set_partition(cos, side, name, "percent", _parse_number(cos, number, 0, 100, "percent", at))
        case (("ingress" | "egress") as side, "buffer-partition", name, "dynamic-threshold", number):
            _set_partition(
                cos, side, name, "dynamic-threshold", _parse_number(cos, number, 0, 10, "dynamic-threshold", at)
            )
        case (("ingress" | "egress") as side, "percent", number):
            _set_partition(cos, side, "", "percent", _parse_number(cos, number, 0, 100, "percent", at))
        case _:
            return False
    return True


def _set_partition(cos: Cos, side: str, name: str, key: str, val: Val | None) -> None:
    own = cos.partitions.setdefault((side, name), {})
    if val is not None:
        own[key] = val


def _read_congestion_profiles(cos: Cos, words: Words, at: Span) -> bool:
    profile = cos.profiles.get(words[0]) if words else None
    if profile is None and words:
        profile = cos.profiles[words[0]] = CongestionProfile(at)
    if profile is None:
        return False
    match words[1:]:
        case () | ("input",) | ("output",) | ("output", "ieee-802.1"):
            pass
        case ("pfc-watchdog",):
            _get_or_add_watchdog(profile, at)
        case ("pfc-watchdog", ("poll-interval" | "detection" | "recovery") as key, number):
            val = _parse_number(cos, number, 1, 2**32 - 1 if key == "detection" else 65535, key, at)
            if val is not None:
                _get_or_add_watchdog(profile, at)[key] = val
        case ("pfc-watchdog", "watchdog-action", ("drop" | "forward") as action):
            _get_or_add_watchdog(profile, at)["watchdog-action"] = Val(action, at)
        case ("input", "cable-length", metres):
            profile.cable = _parse_number(cos, metres, 1, 200_000, "cable-length", at) or profile.cable
        case ("input", ("dscp" | "ieee-802.1") as kind, "code-point", code, *rest):
            return _read_input(cos, profile, kind, code, tuple(rest), at)
        case ("output", "ieee-802.1", "code-point", code, "flow-control-queue", number):
            priority = code_of(code, cos.aliases[TAG], WIDTH[TAG])
            queue = _parse_number(cos, number, 0, 7, "flow-control-queue", at)
            if priority is None:
                cos.wrong.append((at, f"code point {code[:40]} is none of 802.1p", "write three bits, such as 011"))
            elif queue is not None:
                profile.output.setdefault(priority, []).append(queue)
        case _:
            return False
    return True


def _get_or_add_watchdog(profile: CongestionProfile, at: Span) -> dict[str, Val]:
    if profile.watchdog is None:
        profile.watchdog, profile.watched_at = {}, at
    return profile.watchdog


def _read_input(cos: Cos, profile: CongestionProfile, kind: str, code: str, rest: Words, at: Span) -> bool:
    number = code_of(code, cos.aliases[kind], WIDTH[kind])
    if number is None:
        cos.wrong.append((at, f"code point {code[:40]} is none of {kind}", f"write {WIDTH[kind]} bits, or an alias"))
        return True
    own = profile.input.setdefault((kind, number), {})
    match rest:
        case ():
            pass
        case ("pfc",):
            own["pfc"] = Val(value=True, at=at)
        case (("mru" | "xon") as key, value):
            val = _parse_number(cos, value, 1 if key == "mru" else 0, 100_000, key, at)
            if val is not None:
                own[key] = val
        case _:
            return False
    return True


def _read_interfaces(cos: Cos, words: Words, at: Span) -> bool:
    if not words:
        return False
    own = cos.bound.setdefault(words[0], {})
    rest = words[1:]
    if len(rest) >= 2 and rest[0] == "unit":
        rest = rest[2:]
    match rest:
        case ():
            pass
        case ("congestion-notification-profile", name):
            own["profile"] = Val(name, at)
        case ("scheduler-map", name):
            own["map"] = Val(name, at)
        case ("forwarding-class", name):
            own["fixed"] = Val(name, at)
        case ("classifiers", ("dscp" | "ieee-802.1") as kind, name):
            own[kind] = Val(name, at)
        case ("rewrite-rules", "dscp", name):
            own["rewrite"] = Val(name, at)
        case _:
            return False
    return True


def _read_scheduler_maps(cos: Cos, words: Words, at: Span) -> bool:
    match words:
        case (name,):
            cos.maps.setdefault(name, {})
        case (name, "forwarding-class", of, "scheduler", scheduler):
            _set_value(cos.maps, name, of, Val(scheduler, at))
        case _:
            return False
    return True


def _read_schedulers(cos: Cos, words: Words, at: Span) -> bool:
    if not words:
        return False
    name, rest = words[0], words[1:]
    own = cos.schedulers.setdefault(name, {})
    match rest:
        case ():
            pass
        case ("transmit-rate" | "shaping-rate", *_):
            return _read_rate(cos, name, rest, at)
        case ("priority", text):
            own["priority"] = Val(text, at)
        case ("explicit-congestion-notification",):
            own["ecn"] = Val(value=True, at=at)
        case ("drop-profile-map", "loss-priority", colour, "protocol", _, "drop-profile", profile):
            if colour in ("any", "low"):
                own["drops"] = Val(profile, at)
            else:
                own.setdefault("other drops", Val(profile, at))
        case ("buffer-dynamic-threshold", number):
            _set_value(
                cos.schedulers, name, "threshold", _parse_number(cos, number, 0, 10, "buffer-dynamic-threshold", at)
            )
        case _:
            return False
    return True


def _read_rate(cos: Cos, name: str, words: Words, at: Span) -> bool:
    """The guarantee and the shaper of a scheduler."""
    own = cos.schedulers[name]
    match words:
        case ("transmit-rate", "percent", number):
            _set_value(cos.schedulers, name, "percent", _parse_number(cos, number, 0, 100, "transmit-rate percent", at))
        case ("shaping-rate", "percent", number):
            _set_value(
                cos.schedulers, name, "shaped percent", _parse_number(cos, number, 1, 100, "shaping-rate percent", at)
            )
        case ("transmit-rate", ("exact" | "rate-limit") as word):  # the rate is a cap, too
            own["cap"] = Val(word, at)
        case ("transmit-rate", text) if rate(text) is not None:
            own["rate"] = Val(text, at)
        case ("shaping-rate", text) if rate(text) is not None:
            own["shaped"] = Val(text, at)
        case _:
            return False
    return True


def _read_rewrite_rules(cos: Cos, words: Words, at: Span) -> bool:
    match words:
        case ("dscp", name):
            cos.rewrites.setdefault(name, {})
        case ("dscp", name, "forwarding-class", of, "loss-priority", _, "code-point", code):
            number = code_of(code, cos.aliases[DSCP], WIDTH[DSCP])
            if number is None:
                cos.wrong.append((at, f"code point {code[:40]} of rewrite rule {name} is none", "write six bits"))
            else:
                cos.rewrites.setdefault(name, {})[of] = Val(number, at)
        case _:
            return False
    return True


_READERS: dict[str, Callable[[Cos, Words, Span], bool]] = {
    "forwarding-classes": _read_forwarding_classes,
    "classifiers": _read_classifiers,
    "drop-profiles": _read_drop_profiles,
    "shared-buffer": _read_shared_buffer,
    "congestion-notification-profile": _read_congestion_profiles,
    "interfaces": _read_interfaces,
    "scheduler-maps": _read_scheduler_maps,
    "schedulers": _read_schedulers,
    "rewrite-rules": _read_rewrite_rules,
}
