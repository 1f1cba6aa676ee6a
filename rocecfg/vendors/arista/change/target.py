"""What a running-config becomes: the tree of it, with the settings in scope as they are rendered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

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
from rocecfg.vendors.arista.domain import TABLE
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.arista.reading.modes import GLOBAL, PORT, PROFILE, QUEUE
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable, settings_in_order
from rocecfg.vendors.table import N

_EIGHT = range(8)  # priorities, traffic classes, queues
_OF_PORT = (PORT, PROFILE, QUEUE)
_IN_PROFILE = {row.key for row in TABLE.rows if row.into == PROFILE}
_ALL_OFF = "all off"
_BUFFERS = ("headroom", "group", "buffers")  # MMU profiles are the switch's, whichever port they are told of


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
    return bool(_list_keys(what, *((GLOBAL,) if port is None else _OF_PORT)))


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


@lru_cache(maxsize=1024)
def _list_keys(what: What, *modes: str) -> tuple[Key, ...]:
    """What the lines set, in these modes, that a change of a setting sets; of lines by queue or code point its own."""
    number = int(what.part) if what.part.isdecimal() else what.number  # of shares
    keys: dict[Key, None] = {}
    for row in TABLE.list_set_by(what):
        if row.into not in modes or not row.key:
            continue
        if row.into == QUEUE or N in row.path:
            numbers = _EIGHT if row.into != QUEUE and row.into in _OF_PORT else () if number is None else (number,)
            keys |= dict.fromkeys((row.key, each) for each in numbers)
        else:
            keys[row.key] = None
    return tuple(keys)


class _TargetTree:
    def __init__(self, running: Tree, rendered: Tree) -> None:
        self.running = running
        self.rendered = rendered
        self.blocks = dict(running.blocks)  # settings are replaced, never changed: they are shared
        self.names = _match_profile_names(running, rendered)

    def fix_switch(self, what: What) -> None:
        if what.topic in _BUFFERS:
            self._fix_mmu()
            return
        for key in _list_keys(what, GLOBAL):
            self._fix_on_switch(key)

    def fix_port(self, port: str, what: What) -> None:
        if what.topic == "watchdog":
            if what.part != "priorities":  # those of PFC
                self._fix_watchdog(port, _list_keys(what, *_OF_PORT, GLOBAL))
        elif what.topic in _BUFFERS:
            self._fix_mmu()
            self._set_line((OF_PORT, port), "mmu", self.rendered.settings_at((OF_PORT, port)).get("mmu"))
        elif what.topic == "shares":  # of a queue that nobody means, a weight takes from all
            meant = self.rendered.in_force(port)
            strays = [n for n in _EIGHT if ("strict", n) not in meant]  # each that is rendered is strict or is not
            numbers = dict.fromkeys((int(what.part), *strays))
            self._fix_port_lines(port, [key for n in numbers for key in _list_keys(What("shares", n), *_OF_PORT)])
        else:
            self._fix_port_lines(port, _list_keys(what, *_OF_PORT))
            if what.topic == "pfc":
                self._remove_all_off()
            elif what.topic == "trust":  # the map of tags counts once ports sort by it
                tags = [key for n in _EIGHT for key in _list_keys(what._replace(number=n), GLOBAL)]
                for key in (key for key in tags if key in self.rendered.settings_at(GLOBALLY)):
                    self._fix_on_switch(key)

    def forget_unused(self) -> None:
        """Take away the profiles that nothing names any more."""
        for mode, name in self.running.used_profiles() - Tree(self.blocks).used_profiles():
            if name not in self.running.elsewhere:
                self.blocks.pop((mode, name), None)

    def _fix_on_switch(self, key: Key) -> None:
        """A setting of the switch; of a code point or an 802.1p value also the queue of its traffic class."""
        self._fix_global(key)
        way = self.rendered.settings_at(GLOBALLY).get(key)
        for tc in _EIGHT if not isinstance(key, str) else ():
            if way is None or way.value == tc:  # which one EOS's own map leads to depends on the platform
                self._fix_global(("tc", tc))

    def _fix_mmu(self) -> None:
        for name, settings in self.rendered.modes_opened_by(OF_MMU).items():
            for key, line in settings.items():
                self._set_line((OF_MMU, name), key, line)
        for key in ("mmu", "pool"):
            if key in self.rendered.settings_at(GLOBALLY):
                self._fix_global(key)

    def _fix_watchdog(self, port: str, keys: Sequence[Key]) -> None:
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
            if bound is None or (isinstance(key, str) and key not in _IN_PROFILE):
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
                self._fix_port_lines(port, _list_keys(What("pfc"), *_OF_PORT))

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
