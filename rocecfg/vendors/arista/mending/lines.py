"""From a setting that is not as meant to the lines of EOS that say it, and the modes they are typed in."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.catalogue import What
from rocecfg.vendors.arista.mending.statements import Line, Said, Settings, says
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.mending import aligned

_WATCHDOG: dict[str, tuple[Key, ...]] = {
    "detection_time": ("timeout",),
    "restoration_time": ("recovery",),
    "poll_interval": ("polling",),
    "action": ("action", "override"),
    "priorities": (),
    "": ("watchdog", "timeout", "recovery", "polling", "action", "override"),
}
_TIMES = ("timeout", "recovery", "polling")
_NUMBERED = {
    "max_rate": ("shape",),
    "guaranteed": ("guaranteed",),
    "discards": ("drop",),
    "ecn": ("ecn", "count"),
    "counted": ("count",),
}
_PRIORITIES: tuple[Key, ...] = tuple(("prio", n) for n in range(8))
_OF_PORT: dict[str, tuple[Key, ...]] = {
    "pfc": ("pfc", *_PRIORITIES),
    "obeys": ("pfc", *_PRIORITIES),
    "sends": ("pfc", *_PRIORITIES),
    "trust": ("trust",),
    "mtu": ("mtu",),
    "flowcontrol": ("send", "receive"),
    "unmarked": ("unmarked",),
    "dcbx": ("dcbx",),
}
_MARKS = {"dscp": "dscp", "pcp": "cos"}  # of packets, and EOS's word
_ONLY_PORT = frozenset({"mtu", "dcbx", "send", "receive", "profile"})  # never in a profile
_GONE = {  # what is typed behind `no`, where that is not the line itself
    "ecn": "random-detect ecn",
    "count": "random-detect ecn count",
    "drop": "random-detect drop",
    "share": "bandwidth percent",
    "guaranteed": "bandwidth guaranteed",
    "shape": "shape rate",
    "strict": "priority",
    "pfc": "priority-flow-control",
    "watchdog": "priority-flow-control pause watchdog",
    "trust": "qos trust",
    "unmarked": "qos cos",
    "mtu": "mtu",
    "dcbx": "dcbx mode",
    "send": "flowcontrol send",
    "receive": "flowcontrol receive",
    "profile": "service-profile",
}
_GLOBALLY_GONE = {
    "timeout": "priority-flow-control pause watchdog default timeout",
    "recovery": "priority-flow-control pause watchdog default recovery-time",
    "polling": "priority-flow-control pause watchdog default polling-interval",
    "action": "priority-flow-control pause watchdog action",
    "override": "priority-flow-control pause watchdog override action drop",
    "all off": "priority-flow-control all off",
    "rewrite": "qos rewrite dscp",
    "recovers": "errdisable recovery cause stuck-queue",
}

Place = tuple[str, str]  # mode and name: ("", "") is global, ("qos profile", "ROCE"), ("interface", "Ethernet1/1")
GLOBALLY: Place = ("", "")


class Typed(dict[tuple[Place, str], dict[str, None]]):
    """Lines by the place and the queue they are typed in, in order."""

    def add(self, place: Place, queue: str, text: str) -> None:
        """A line, once."""
        self.setdefault((place, queue), {})[text] = None


class Made:
    """The lines to type: definitions and bindings, then what takes old lines back."""

    def __init__(self) -> None:
        self.new = Typed()
        self.old = Typed()

    def __bool__(self) -> bool:
        return bool(self.new or self.old)


class Lines:
    """Collects the lines for settings that are not as meant."""

    def __init__(self, meant: Said, have: Said) -> None:
        self.meant = meant
        self.have = have
        self.beyond: dict[str, None] = {}
        self._made = Made()
        want = {port: name for port in meant.ports if (name := meant.profile_of(port)) is not None}
        serving = {port: name for port in have.ports if (name := have.profile_of(port)) is not None}
        same = {
            name: says(settings) == says(meant.profiles.get(name, settings)) for name, settings in have.profiles.items()
        }
        self.names = aligned(want, serving, same)

    def made(self) -> Made:
        """All lines so far."""
        return self._made

    def mend(self, port: str | None, what: What) -> None:
        """Type what makes one setting what is meant; None: a setting of the switch as a whole."""
        if port is None:
            self._of_switch(what)
        elif what.topic == "watchdog":
            self._watchdog(port, what.part)
        elif what.topic == "shares":
            queue = int(what.part)
            self._settings(port, (("strict", queue), ("share", queue)))
        elif what.topic in _NUMBERED and what.number is not None:
            self._settings(port, tuple((key, what.number) for key in _NUMBERED[what.topic]))
        elif what.topic in _OF_PORT:
            self._settings(port, _OF_PORT[what.topic])
            if what.topic == "pfc":
                self._globally("all off")
        elif what.topic in ("headroom", "group"):
            self._mmu()
        else:
            self.beyond[f"{port}: {what.topic} is not set by a command on queues or PFC"] = None

    def _of_switch(self, what: What) -> None:
        if what.topic in _MARKS and what.number is not None:
            self._code(_MARKS[what.topic], what.number)
        elif what.topic in ("buffers", "pool"):
            self._mmu()
        elif what.topic == "recovers":
            self._globally("recovers")
        elif what.topic == "counts_marks":
            self._globally("ecn counters")
        elif what.topic == "remarks":
            self._globally("rewrite")
        else:
            self.beyond[f"{what.topic} is not set by a command on queues or PFC"] = None

    def _code(self, mark: str, code: int) -> None:
        """The way of a code point or of an 802.1p value: its traffic class, and the queue of that."""
        way = self.meant.globals.get((mark, code))
        if way is not None:
            line = Line(way.value, f"qos map {mark} {code} to traffic-class {way.value}")
            self._put(GLOBALLY, (mark, code), self.have.globals, line)
            self._globally(("tc", int(str(way.value))))
        elif (mark, code) in self.have.globals:  # EOS's own map is meant
            self._made.old.add(GLOBALLY, "", f"no qos map {mark} {code}")

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _settings(self, port: str, keys: tuple[Key, ...]) -> None:
        """Settings of a port: in its profile where they are meant there, else below the interface."""
        meant = self.meant.in_force(port)
        own = self.have.ports.get(port, {})
        bound = self._bind(port)
        profile = self.have.profiles.get(bound, {}) if bound is not None else {}
        for key in keys:
            name = key if isinstance(key, str) else key[0]
            wanted = meant.get(key)
            if bound is None or name in _ONLY_PORT:
                self._put(("interface", port), key, own, wanted)
                continue
            self._put(("qos profile", bound), key, profile, wanted)
            stray = own.get(key)
            if stray is not None and (wanted is None or stray.value != wanted.value):
                self._take_back(("interface", port), key, stray)

    def _bind(self, port: str) -> str | None:
        """The profile meant for a port, under its name on the switch: bound, and defined if it is not there."""
        meant = self.meant.profile_of(port)
        if meant is None:
            return self.have.profile_of(port)
        name = self.names.get(meant, meant)
        if name not in self.have.profiles:
            for key, line in self.meant.profiles.get(meant, {}).items():
                self._put(("qos profile", name), key, {}, line)
        if self.have.profile_of(port) != name:
            self._made.new.add(("interface", port), "", f"service-profile {name}")
        return name

    def _watchdog(self, port: str, part: str) -> None:
        keys = _WATCHDOG[part]
        self._settings(port, tuple(key for key in keys if key == "watchdog"))
        profile = self.meant.profile_of(port)
        own = self.meant.profiles.get(profile, {}) if profile is not None else {}
        if any(key in own for key in _TIMES) or any(key in self.have.in_force(port) for key in (*_TIMES, "action")):
            timers = _TIMES if any(key in _TIMES for key in keys) else ()
            self._settings(port, (*timers, *(("action",) if "action" in keys else ())))
        for key in keys:
            if key != "watchdog" and key not in own:
                self._globally(key)

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _globally(self, key: Key) -> None:
        self._put(GLOBALLY, key, self.have.globals, self.meant.globals.get(key))

    def _mmu(self) -> None:
        for name, settings in self.meant.mmu.items():
            for key, line in settings.items():
                self._put(("platform trident mmu queue profile", name), key, self.have.mmu.get(name, {}), line)
        for key in ("mmu", "pool"):
            if key in self.meant.globals:
                self._globally(key)

    # -- lines ---------------------------------------------------------------------------------------------------------

    def _put(self, place: Place, key: Key, have: Settings, wanted: Line | None) -> None:
        """What makes a setting in one place what is wanted there."""
        old = have.get(key)
        if wanted is None:
            if old is not None:
                self._take_back(place, key, old)
        elif old is None or old.value != wanted.value:
            queue = (_opener(have, key) or wanted.queue) if wanted.queue else ""
            self._made.new.add(place, queue, wanted.text)

    def _take_back(self, place: Place, key: Key, line: Line) -> None:
        name = key if isinstance(key, str) else key[0]
        if name == "prio" and not isinstance(key, str):
            text = f"priority-flow-control priority {key[1]}"
        elif place == GLOBALLY:
            text = _GLOBALLY_GONE.get(name, line.text)
        elif name in _TIMES:
            text = "priority-flow-control pause watchdog port timer"
        elif name == "action":
            text = "priority-flow-control pause watchdog port action"
        else:
            text = _GONE.get(name, line.text)
        if name == "trust":  # `no qos trust` would mean: trust nothing
            self._made.old.add(place, line.queue, "default qos trust")
        elif line.text.startswith("no "):  # `no priority`, and silence means strict
            self._made.old.add(place, line.queue, line.text.removeprefix("no "))
        else:
            self._made.old.add(place, line.queue, f"no {text}")


def _opener(have: Settings, key: Key) -> str:
    """The line that opens a queue, as the switch has it: some say `tx-queue` where others say `uc-tx-queue`."""
    if isinstance(key, str):
        return ""
    return next((line.queue for other, line in have.items() if other[1:] == key[1:] and line.queue), "")


def places(typed: Typed) -> Iterator[tuple[Place, dict[str, list[str]]]]:
    """Each place with its lines by queue; the global ones last, since they may name what others define."""
    found: dict[Place, dict[str, list[str]]] = {}
    for (place, queue), lines in typed.items():
        found.setdefault(place, {})[queue] = list(lines)
    order = ("platform trident mmu queue profile", "qos profile", "interface", "")
    yield from sorted(found.items(), key=lambda item: order.index(item[0][0]))
