"""What a running-config becomes: the tree of it, with the settings in scope as they are rendered."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.nodeset import fold
from rocecfg.model.catalogue import What
from rocecfg.vendors.arista.change.tree import (
    GLOBALLY,
    OF_MMU,
    OF_PORT,
    OF_PROFILE,
    Line,
    Place,
    Settings,
    Tree,
    values_of,
)
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable, settings_in_order

_EIGHT = range(8)  # priorities, traffic classes, queues
_TIMES = ("timeout", "recovery", "polling")  # below a port or in a profile, one line sets all three
_WATCHDOG: dict[str, tuple[str, ...]] = {  # by part of the setting
    "detection_time": _TIMES,
    "restoration_time": _TIMES,
    "poll_interval": _TIMES,
    "action": ("action", "override"),
    "priorities": (),
    "": ("watchdog", *_TIMES, "action", "override"),
}
_NUMBERED = {  # by queue
    "max_rate": ("shape",),
    "guaranteed": ("guaranteed",),
    "discards": ("drop",),
    "ecn": ("ecn", "count"),
    "counted": ("count",),
}
_NEVER_IN_PROFILE: dict[str, tuple[Key, ...]] = {
    "mtu": ("mtu",),
    "flowcontrol": ("send", "receive"),
    "dcbx": ("dcbx",),
}
_OF_PORT: dict[str, tuple[Key, ...]] = {
    "pfc": ("pfc", *(("prio", n) for n in _EIGHT)),
    "trust": ("trust",),
    "unmarked": ("unmarked",),
    **_NEVER_IN_PROFILE,
}
_BELOW_PORT = frozenset(key for keys in _NEVER_IN_PROFILE.values() for key in keys)
_ALL_OFF = "all off"
_GLOBAL: dict[str, tuple[Key, ...]] = {
    "recovers": ("recovers",),
    "counts_marks": ("ecn counters",),
    "remarks": ("rewrite",),
    "load_balancing": ("balancing",),
}
_BUFFERS = ("headroom", "group", "buffers")  # MMU profiles are the switch's, whichever port they are told of
_MARKS = {"dscp": "dscp", "pcp": "cos"}  # of packets, in EOS's words


def make_target(running: Tree, rendered: Tree, scope: Wanted) -> Tree:
    """What `running` becomes: in all that is in scope as `rendered`, else as it is.

    `scope`: by port the settings that differ. Profiles keep the names that they have on the switch where they serve the
    same ports.
    """
    made = _TargetTree(running, rendered)
    for port, what in settings_in_order(scope):
        if port is None:
            made.fix_switch(what)
        else:
            made.fix_port(port, what)
    if "hostname" in running.settings_at(
        GLOBALLY
    ):  # all that the switch has; of a part nobody knows what else is bound
        made.forget_unused()
    return Tree(made.blocks, running.elsewhere)


def list_unsettable(scope: Wanted) -> tuple[str, ...]:
    """What in a scope no line that is rendered sets."""
    return name_unsettable(scope, _is_settable, "by a command on queues or PFC")


def _is_settable(port: str | None, what: What) -> bool:
    """Whether some line that is rendered sets it."""
    return _is_settable_on_switch(what) if port is None else _is_settable_on_port(what)


def list_exposed_ports(running: Tree, becomes: Tree, rendered: Tree) -> tuple[str, ...]:
    """Ports that nobody means and that are lossless once `all off` is gone, a line for those of equal priorities."""
    if _ALL_OFF not in running.settings_at(GLOBALLY) or _ALL_OFF in becomes.settings_at(GLOBALLY):
        return ()
    found: dict[tuple[str, str], list[str]] = {}
    for port, own in becomes.modes_opened_by(OF_PORT).items():
        if (OF_PORT, port) not in rendered.blocks and (priorities := _pfc_priorities(becomes.in_force(port))):
            off = "priority-flow-control" if "pfc" in own else f"service-profile {becomes.profile_of(port)}"
            found.setdefault((", ".join(map(str, priorities)), off), []).append(port)
    return tuple(
        f"{fold(tuple(ports))}: this change makes them lossless (priority {priorities}), since it removes "
        f"priority-flow-control all off, and the intent does not name these ports: type no {off} below each in the "
        "same session, or state them in the intent"
        for (priorities, off), ports in found.items()
    )


def _pfc_priorities(settings: Settings) -> tuple[int, ...]:
    """The priorities for which a port has PFC."""
    on = settings.get("pfc")
    if on is None or on.value is not True:
        return ()
    return tuple(n for n in _EIGHT if (line := settings.get(("prio", n))) is not None and line.value is True)


def _is_settable_on_switch(what: What) -> bool:
    return what.topic in _GLOBAL or what.topic == "buffers" or (what.topic in _MARKS and what.number is not None)


def _is_settable_on_port(what: What) -> bool:
    return what.topic in ("watchdog", "headroom", "group", "shares") or bool(_line_keys(what))


def _line_keys(what: What) -> tuple[Key, ...]:
    """The lines of a port that say a setting; (): none does."""
    if what.topic in _NUMBERED:
        return tuple((key, what.number) for key in _NUMBERED[what.topic]) if what.number is not None else ()
    return _OF_PORT.get(what.topic, ())


class _TargetTree:
    def __init__(self, running: Tree, rendered: Tree) -> None:
        self.running = running
        self.rendered = rendered
        self.blocks = dict(running.blocks)  # settings are replaced, never changed: they are shared
        self.names = _match_profile_names(running, rendered)

    def fix_switch(self, what: What) -> None:
        if what.topic in _MARKS and what.number is not None:
            self._fix_code_point(_MARKS[what.topic], what.number)
        elif what.topic in _BUFFERS:
            self._fix_mmu()
        for key in _GLOBAL.get(what.topic, ()):
            self._fix_global(key)

    def fix_port(self, port: str, what: What) -> None:
        if what.topic == "watchdog":
            self._fix_watchdog(port, what.part)
        elif what.topic in _BUFFERS:
            self._fix_mmu()
            self._set_line((OF_PORT, port), "mmu", self.rendered.settings_at((OF_PORT, port)).get("mmu"))
        elif what.topic == "shares":  # of a queue that nobody means, a weight takes from all
            meant = self.rendered.in_force(port)
            strays = [n for n in _EIGHT if ("strict", n) not in meant]  # each that is rendered is strict or is not
            self._fix_port_lines(
                port, [(key, n) for n in dict.fromkeys((int(what.part), *strays)) for key in ("strict", "share")]
            )
        else:
            self._fix_port_lines(port, _line_keys(what))
            if what.topic == "pfc":
                self._remove_all_off()

    def forget_unused(self) -> None:
        """Take away the profiles that nothing names any more."""
        for mode, name in self.running.used_profiles() - Tree(self.blocks).used_profiles():
            if name not in self.running.elsewhere:
                self.blocks.pop((mode, name), None)

    def _fix_code_point(self, mark: str, code: int) -> None:
        """The way of a code point or of an 802.1p value: its traffic class, and the queue of that."""
        self._fix_global((mark, code))
        way = self.rendered.settings_at(GLOBALLY).get((mark, code))
        for tc in _EIGHT:  # which one EOS's own map leads to, where that is meant, depends on the platform
            if way is None or way.value == tc:
                self._fix_global(("tc", tc))

    def _fix_mmu(self) -> None:
        for name, settings in self.rendered.modes_opened_by(OF_MMU).items():
            for key, line in settings.items():
                self._set_line((OF_MMU, name), key, line)
        for key in ("mmu", "pool"):
            if key in self.rendered.settings_at(GLOBALLY):
                self._fix_global(key)

    def _fix_watchdog(self, port: str, part: str) -> None:
        keys = _WATCHDOG[part]
        self._fix_port_lines(port, keys)
        own = self.rendered.in_force(port)
        for key in keys:
            if key not in own:
                self._fix_global(key)

    def _fix_port_lines(self, port: str, keys: Sequence[Key]) -> None:
        """Settings of a port: in its profile where they are intended there, else below the interface."""
        if not keys:
            return
        meant = self.rendered.in_force(port)
        own = self.running.settings_at((OF_PORT, port))
        bound = self._bind_profile(port)
        for key in keys:
            wanted = meant.get(key)
            if bound is None or key in _BELOW_PORT:
                self._set_line((OF_PORT, port), key, wanted)
                continue
            self._set_line((OF_PROFILE, bound), key, wanted)
            stray = own.get(key)
            if stray is not None and (wanted is None or stray.value != wanted.value):
                self._set_line((OF_PORT, port), key, None)

    def _bind_profile(self, port: str) -> str | None:
        """The profile meant for a port, under its name on the switch: bound, and defined if it is not there."""
        meant = self.rendered.profile_of(port)
        if meant is None:
            return self.running.profile_of(port)
        name = self.names.get(meant, meant)
        self.blocks.setdefault((OF_PROFILE, name), self.rendered.settings_at((OF_PROFILE, meant)))
        self._set_line((OF_PORT, port), "profile", Line(name, f"service-profile {name}"))
        return name

    def _remove_all_off(self) -> None:
        """Remove `all off` if it is not intended: the settings that it hid on intended ports must then match too."""
        hid = _ALL_OFF in self.blocks.get(GLOBALLY, {})
        self._fix_global(_ALL_OFF)
        if hid and _ALL_OFF not in self.blocks.get(GLOBALLY, {}):
            for port in self.rendered.modes_opened_by(OF_PORT):
                self._fix_port_lines(port, _OF_PORT["pfc"])

    def _fix_global(self, key: Key) -> None:
        self._set_line(GLOBALLY, key, self.rendered.settings_at(GLOBALLY).get(key))

    def _set_line(self, place: Place, key: Key, wanted: Line | None) -> None:
        have: Settings = self.blocks.get(place, {})
        old = have.get(key)
        if wanted is None:
            if old is not None:
                self.blocks[place] = {other: line for other, line in have.items() if other != key}
        elif old is None or old.value != wanted.value:
            self.blocks[place] = {**have, key: wanted}


def _match_profile_names(running: Tree, rendered: Tree) -> dict[str, str]:
    """For each profile that is rendered, the name to use on the switch."""
    meant, have = rendered.modes_opened_by(OF_PROFILE), running.modes_opened_by(OF_PROFILE)
    return align_names(
        _bound_profiles(rendered),
        _bound_profiles(running),
        {name: values_of(settings) == values_of(meant.get(name, settings)) for name, settings in have.items()},
    )


def _bound_profiles(tree: Tree) -> dict[str, str]:
    return {port: name for port in tree.modes_opened_by(OF_PORT) if (name := tree.profile_of(port)) is not None}
