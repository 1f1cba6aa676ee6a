"""What a configuration becomes: in all that is in scope as it is rendered, else as it is, under the names it has."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.core.digits import is_number
from rocecfg.model.catalogue import What
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable
from rocecfg.vendors.junos.change.config import Edited, SetConfig
from rocecfg.vendors.junos.change.schedulers import Schedulers, list_parts
from rocecfg.vendors.junos.limits import ETHERNET, bits
from rocecfg.vendors.junos.limits import TAG as TAG_BYTES
from rocecfg.vendors.junos.reading.binding import is_pattern
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, WIDTH
from rocecfg.vendors.junos.settings import COS, PROFILES, TABLE
from rocecfg.vendors.table import PORT, Path, Row

_SORTING = frozenset({"dscp", "pcp", "trust", "unmarked"})
_MRU = TABLE.list_set_by(What("buffers", part="lossless_mtu"))
_BINDING = {"profile": (PROFILES[1],), "fixed": ("forwarding-class",)}  # else by its kind of classifier


def list_unsettable(scope: Wanted) -> tuple[str, ...]:
    """What in a scope no statement that is rendered sets."""
    return name_unsettable(scope, lambda _, what: what.topic in TABLE.changed, "by a statement on queues or PFC")


class TargetStatements(Edited):
    """The statements that a configuration is to have."""

    def __init__(self, have: SetConfig, meant: SetConfig, scope: Wanted) -> None:
        super().__init__(have, meant, _match_class_names(have, meant))
        self.beyond: list[str] = []
        self._names = {key: self._match_names(key) for key in ("profile", "map", DSCP, TAG)}
        self._schedulers = Schedulers(self, self._names["map"])
        topics = {what.topic for settings in scope.values() for what in settings}
        if topics & {*_SORTING, "pfc", "obeys", "sends", "stops", "pauses"}:
            self._fix_forwarding_classes()
        for port, settings in scope.items():
            if port is None:
                self._fix_switch(settings)
            else:
                self._fix_port(port, settings)
        if have.named:
            self.forget_unused()

    # -- names ---------------------------------------------------------------------------------------------------------

    def _rendered_ports(self) -> list[str]:
        """The ports that are rendered."""
        named = dict.fromkeys((*self.meant.cos.bound, *self.meant.ports))
        own = [name for name in named if name not in self.have.ports or not self.have.ports[name].is_lag]
        members = [name for name, port in self.have.ports.items() if self.have.lag_of(name) in named]
        return list(dict.fromkeys((*own, *members)))

    def _rendered_binding(self, port: str, key: str) -> str | None:
        """What is intended to be bound to a port: rendered for its LAG, where it is in one."""
        stated = self.meant.cos.bound.get(port) or self.meant.cos.bound.get(self.have.name_in_cos(port), {})
        return stated[key].value if key in stated else None

    def _match_names(self, key: str) -> dict[str, str]:
        meant = {
            port: name for port in self._rendered_ports() if (name := self._rendered_binding(port, key)) is not None
        }
        # of a wildcard the ports in use are all there is: its object may change where these are meant alike
        in_use = {
            name
            for name, port in self.have.ports.items()
            if (port.used or name in self.have.cos.bound) and not port.is_lag  # which its members stand for
        }
        in_use |= {name for name in self.have.cos.bound if name not in self.have.ports and not is_pattern(name)}
        running = {port: name for port in {*meant, *in_use} if (name := self.have.bound_to(port, key)) is not None}
        names = {name for kind, name in self.have.cos.classifiers if kind == key}
        names |= {"profile": self.have.cos.profiles.keys(), "map": self.have.cos.maps.keys()}.get(key, set())
        return align_names(meant, running, dict.fromkeys(names, False))

    # -- the switch ----------------------------------------------------------------------------------------------------

    def _fix_forwarding_classes(self) -> None:
        """Each class that is rendered, on its queue; others of the queue as lossless as it is."""
        section = (COS, "forwarding-classes", "class")
        for name, stated in self.meant.cos.classes.items():
            queue = stated["queue"].value
            own = self.classes[name]
            on_queue = [
                n for n, other in self.have.cos.classes.items() if other.get("queue") and other["queue"].value == queue
            ]
            for each in dict.fromkeys((own, *on_queue)):
                for words in [w for w in self.lines if w[:3] == (*section[:2], "queue") and w[4:] == (each,)]:
                    del self.lines[words]  # the other way to say it: two would be two queues of a class
                kept = [w for w in self.lines if w[:4] == (*section, each) and w[4:5] == ("policing-priority",)]
                self.replace(
                    (*section, each),
                    (*kept, *((*section, each, *words[4:]) for words in self.meant.statements_below(*section, name))),
                )

        meant = {stated["queue"].value for stated in self.meant.cos.classes.values()}
        for name, stated in self.have.cos.classes.items() if self.have.named else ():
            if "queue" in stated and stated["queue"].value not in meant and name not in self.classes.values():
                for word in ("no-loss", "pfc-priority"):  # of what nothing is sorted into, and nobody pauses
                    self.replace((*section, name, word), ())

    def _fix_switch(self, settings: Iterable[What]) -> None:
        for what in settings:
            rows = TABLE.list_set_by(what)
            if what.topic in ("dscp", "pcp"):
                kind = DSCP if what.topic == "dscp" else TAG
                self._fix_classifier(kind, what.number)
                if what.number is not None:
                    self._bind_where_wrong(kind, what.number)
                    self._stop_pausing(kind, what.number)
            elif any(row.path[:2] == PROFILES for row in rows):
                for port in self._rendered_ports():
                    both = self._rendered_binding(port, "profile") and self.have.bound_to(port, "profile")
                    if both or rows != _MRU:
                        self._fix_profile(port, rows)
            elif what.topic in ("buffers", "pool"):
                for words in self.meant.statements_below(COS, "shared-buffer"):
                    self.put(words)
            elif what.topic == "remarks":
                for words in [w for w in self.lines if w[:2] == (COS, "interfaces") and "rewrite-rules" in w]:
                    del self.lines[words]
            else:
                self.take_parts((), (), (row.path for row in rows))

    def _fix_classifier(self, kind: str, code: int | None) -> None:
        """The class of a code point, or of all; whichever object the ports have under their rendered one."""
        for meant, name in self._names[kind].items():
            codes = self.meant.cos.classifiers.get((kind, meant), {})
            known = self.have.cos.classifiers.get((kind, name))
            if known is None:
                self.take_object((COS, "classifiers", kind, meant), name)
                continue
            written = {words[-1]: words for words in self.meant.statements_below(COS, "classifiers", kind, meant)}
            for number in range(2 ** WIDTH[kind]) if code is None else (code,):
                word = bits(number, WIDTH[kind])
                for words in [
                    w
                    for w in self.lines
                    if w[:4] == (COS, "classifiers", kind, name) and self._is_code(w, kind, number)
                ]:
                    wanted = codes.get(number)
                    if wanted is None or words[5] != self.classes[wanted.value]:
                        del self.lines[words]
                if number in codes:
                    self.add(self.rename(written[word], name, 4))

    def _is_code(self, words: Path, kind: str, number: int) -> bool:
        word = words[-1]
        aliases = self.have.cos.aliases[kind]
        return words[4:5] == ("forwarding-class",) and (
            int(word, 2) == number if not set(word) - {"0", "1"} else aliases.get(word) == number
        )

    def _bind_where_wrong(self, kind: str, code: int) -> None:
        """Ports on which a code point leads elsewhere by a classifier that is not changed: others have it too."""
        for port in self._rendered_ports():
            meant, running = self._rendered_binding(port, kind), self.have.bound_to(port, kind)
            if meant is not None and running is not None:
                wanted = _find_class(self.meant, kind, meant, code)
                if _find_class(self.have, kind, running, code) != (wanted and self.classes[wanted]):
                    self._bind_classifier(port, kind, meant)

    def _stop_pausing(self, kind: str, code: int) -> None:
        """PFC for a code point that was lossless, and is not meant to be: it would pause for what may be dropped."""
        for port in self._rendered_ports():
            meant, running = self._rendered_binding(port, "profile"), self.have.bound_to(port, "profile")
            profile = self.have.cos.profiles.get(running or "")
            if meant is None or profile is None or (kind, code) not in profile.input:
                continue
            if (kind, code) not in self.meant.cos.profiles[meant].input:
                self._fix_profile(port, TABLE.list_set_by(What("pfc")))

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _fix_port(self, port: str, settings: Iterable[What]) -> None:
        topics = {what.topic for what in settings}
        if topics & _SORTING:
            self._fix_sorting(port)
        followed = (*settings, What("pfc")) if "trust" in topics else settings  # PFC goes by the same marks
        rows = [row for what in followed for row in TABLE.list_set_by(what)]
        if any(row.path[:2] == PROFILES for row in rows):
            self._fix_profile(port, rows)
        if any(list_parts(what) for what in settings):
            self._fix_schedulers(port, settings)
        if "mtu" in topics:
            self._fix_mtu(port)
        if "flowcontrol" in topics:
            place = ("interfaces", self.have.name_in_cos(port))
            self.take_parts(place, place, (row.path[2:] for row in rows if row.path[1] == PORT and len(row.path) > 3))

    def _fix_sorting(self, port: str) -> None:
        place = self.have.name_in_cos(port)
        below = (COS, "interfaces", place)
        for kind in (DSCP, TAG):
            meant = self._rendered_binding(port, kind)
            if meant is None:
                self._unbind(port, kind)
            else:
                self._bind_classifier(port, kind, meant)
        fixed = self._rendered_binding(port, "fixed")
        if fixed is None:
            self._unbind(port, "fixed")
        else:
            new = (*below, "unit", "*", "forwarding-class", self.classes[fixed])
            for words in [w for w in self.lines if w[:3] == below and w[-2:-1] == ("forwarding-class",) and w != new]:
                del self.lines[words]
            self.add(new)
        for kind in (DSCP, TAG):
            if self._rendered_binding(port, kind) is not None:
                self._fix_classifier(kind, None)

    def _bind_classifier(self, port: str, kind: str, meant: str) -> None:
        below, name = (COS, "interfaces", self.have.name_in_cos(port)), self._names[kind][meant]
        if self.have.bound_to(port, kind) != name:
            for words in [w for w in self.lines if w[:3] == below and w[-3:-1] == ("classifiers", kind)]:
                del self.lines[words]
            self.add((*below, "unit", "*", "classifiers", kind, name))

    def _unbind(self, port: str, key: str) -> None:
        """Take away what is bound to a port; what a wildcard binds can only be taken from all of its ports."""
        if self.have.bound_to(port, key) is None:
            return
        below = (COS, "interfaces", self.have.name_in_cos(port))
        path = _BINDING.get(key, ("classifiers", key))
        own = [w for w in self.lines if w[:3] == below and w[-1 - len(path) : -1] == path]
        for words in own:
            del self.lines[words]
        if not own:
            wild = f"{port}: its {path[-1]} comes from a wildcard of class-of-service interfaces"
            self.beyond.append(f"{wild}: name the ports instead")

    def _fix_profile(self, port: str, rows: Iterable[Row]) -> None:
        """What rows say of the profile of a port: it is bound, and defined if it is not there."""
        meant = self._rendered_binding(port, "profile")
        if meant is None:
            self._unbind(port, "profile")
            return
        name, running = self._names["profile"][meant], self.have.bound_to(port, "profile")
        rendered, own = (*PROFILES, meant), (*PROFILES, name)
        source = running if running in self.have.cos.profiles else None
        if source is None:
            self.take_object(rendered, name)
        else:
            if name != source and not any(w[:3] == own for w in self.lines):
                for words in self.have.statements_below(*PROFILES, source):
                    self.add((*own, *words[3:]))
            paths = [row.path for row in rows if row.path[:2] == PROFILES]
            paused = any(path[-1] == "pfc" for path in paths)
            if paused and any(words[-2] == "mru" for words in self.meant.statements_below(*rendered)):
                paths += [row.path for row in _MRU]
            self.take_parts(rendered, own, (path[3:] for path in paths))
            for words in [w for w in self.lines if w[:3] == own and w[-2] in ("xon", "mru")] if paused else ():
                if (*words[:-2], "pfc") not in self.lines:  # beside which alone they may stand
                    del self.lines[words]
        if running != name:
            self.put((COS, "interfaces", self.have.name_in_cos(port), PROFILES[1], name))

    def _fix_schedulers(self, port: str, settings: Iterable[What]) -> None:
        meant = self._rendered_binding(port, "map")
        if meant is None:
            return
        running = self.have.bound_to(port, "map")
        name = self._schedulers.fix_map(meant, running, settings)
        if running != name:
            self.put((COS, "interfaces", self.have.name_in_cos(port), "scheduler-map", name))

    def _fix_mtu(self, port: str) -> None:
        place = self.have.name_in_cos(port)
        wanted = self.meant.statements_below("interfaces", place, "mtu") or self.meant.statements_below(
            "interfaces", port, "mtu"
        )
        for words in wanted:
            self.put(("interfaces", place, "mtu", words[-1]))
            room = int(words[-1]) - ETHERNET - (TAG_BYTES if self._rendered_binding(port, TAG) else 0)
            for own in [
                w for w in self.lines if w[:3] == ("interfaces", place, "unit") and w[4:7] == ("family", "inet", "mtu")
            ]:
                if is_number(own[-1]) and int(own[-1]) != room:  # a unit's own would hold, or be refused
                    del self.lines[own]


class _ClassNames(dict[str, str]):
    """By the name of a class that is rendered, the name on the switch. What is not defined there is Junos' own."""

    def __missing__(self, name: str) -> str:
        return name


def _match_class_names(have: SetConfig, meant: SetConfig) -> dict[str, str]:
    """For each class that is rendered, the name on the switch: of the one on its queue, or that moves there."""
    out = _ClassNames()
    by_queue: dict[int, str] = {}
    for name, stated in have.cos.classes.items():
        if "queue" in stated:
            by_queue.setdefault(stated["queue"].value, name)
    wanted = {stated["queue"].value for stated in meant.cos.classes.values()}
    moving = {
        name for name, stated in have.cos.classes.items() if "queue" in stated and stated["queue"].value not in wanted
    }
    for name, stated in meant.cos.classes.items():
        queue = stated["queue"].value
        if queue in by_queue:
            out[name] = by_queue[queue]
            continue
        same = [each for each in moving if _code_points_of(have, each) & _code_points_of(meant, name)]
        fresh, number = name, 2
        while fresh in have.cos.classes and fresh not in moving:
            fresh, number = f"{name}-{number}", number + 1
        out[name] = min(same) if same else fresh
        moving.discard(out[name])
    return out


def _find_class(config: SetConfig, kind: str, name: str, code: int) -> str | None:
    """The class that a classifier gives a code point."""
    found = config.cos.classifiers.get((kind, name), {}).get(code)
    return found.value if found is not None else None


def _code_points_of(config: SetConfig, name: str) -> set[tuple[str, int]]:
    """The code points that lead to a class."""
    return {
        (kind, code)
        for (kind, _), codes in config.cos.classifiers.items()
        for code, val in codes.items()
        if val.value == name
    }
