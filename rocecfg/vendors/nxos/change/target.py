"""What a configuration becomes: in all that is in scope as it is rendered, else as it is, under the names it has."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rocecfg.core.units import ranges
from rocecfg.model.catalogue import What
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable, settings_in_order
from rocecfg.vendors.nxos.change.tree import GLOBALLY, Lines, Tree
from rocecfg.vendors.nxos.reading.config import DEFAULT, OWN_POLICIES
from rocecfg.vendors.nxos.settings import CLASS_MTU_UNSAID, NETWORK, QOS, QUEUING, SYSTEM, TABLE
from rocecfg.vendors.table import Path

_SORTING = frozenset({"trust", "unmarked"})
_PAUSES = frozenset({"pfc", "obeys", "sends", "stops", "pauses"})
_SENDING = frozenset({"shares", "ecn", "max_rate", "guaranteed", "discards"})
_SHARING = ("share", "percent", "strict")
_KEYS = {"ecn": ("curve",), "discards": ("curve",), "max_rate": ("shape",), "shares": _SHARING, "guaranteed": _SHARING}
_KINDS = {QOS: QOS, "output": QUEUING}


def list_unsettable(scope: Wanted) -> tuple[str, ...]:
    """What in a scope no line that is rendered sets."""
    return name_unsettable(scope, lambda _, what: what.topic in TABLE.changed, "by a line on queues or PFC")


class TargetTree:
    """The blocks that a configuration is to have."""

    def __init__(self, have: Tree, meant: Tree, scope: Wanted) -> None:
        self.have, self.meant = have, meant
        self.blocks: dict[Path, Lines] = {path: dict(lines) for path, lines in have.blocks.items()}
        self.beyond: list[str] = []
        self.rendered = [name for name in meant.config.ports if not name.startswith("port-channel")]
        channels = {name for name in meant.config.ports if name.startswith("port-channel")}
        self.rendered += [
            name for name in have.config.ports if have.place_of(name)[1] in channels and name not in channels
        ]
        self.names = {key: self._match_names(key) for key in _KINDS}
        of_running = have.config.system.get(NETWORK)
        self.network = of_running.value if of_running is not None else None
        for port, what in settings_in_order(scope):
            self._fix(port, what)
        if have.whole:
            self._forget_unused()

    # -- names ---------------------------------------------------------------------------------------------------------

    def _meant_policy(self, port: str, key: str) -> str | None:
        """The policy that is rendered for a port, or for its port-channel."""
        for name in (self.have.place_of(port)[1], port):
            own = self.meant.config.ports.get(name)
            if own is not None and key in own.stated:
                return str(own.stated[key].value)
        of_switch = self.meant.config.system.get(key)
        return of_switch.value if of_switch is not None else None

    def _match_names(self, key: str) -> dict[str, str]:
        kind = _KINDS[key]
        meant = {port: name for port in self.rendered if (name := self._meant_policy(port, key)) is not None}
        ports = dict.fromkeys((*self.have.ports, *meant))
        running = {
            port: name
            for port in ports
            if (name := self.have.bound_to(port, key)) is not None and (kind, name) in self.have.config.policies
        }
        known = [name for of, name in self.have.config.policies if of == kind]
        return align_names(meant, running, dict.fromkeys(known, False))

    # -- settings ------------------------------------------------------------------------------------------------------

    def _fix(self, port: str | None, what: What) -> None:
        topic = what.topic
        ports = self.rendered if port is None else [port]
        if topic in ("dscp", "pcp"):
            self._fix_mark(ports, "dscp" if topic == "dscp" else "cos", what.number)
            return
        if topic in _PAUSES:
            self._fix_network()
        fix = _OF_PORT.get(topic)
        if fix is not None:
            for each in ports:
                fix(self, each, what)

    def _fix_mode(self, port: str, _: What) -> None:
        self._take_port_lines(port, ("mode",))
        if " mode on" in self._meant_lines(port).get("mode", ""):
            self.blocks[GLOBALLY].pop("override", None)

    def _fix_dcbx(self, port: str, _: What) -> None:
        self._take_port_lines(port, ("mode",))
        if "lldp" in self.meant.blocks[GLOBALLY]:
            self._put(GLOBALLY, "lldp", self.meant.blocks[GLOBALLY]["lldp"])

    def _fix_watchdog(self, port: str, _: What) -> None:
        self._take_port_lines(port, ("watch",))
        if "on" in self._meant_lines(port).get("watch", "").split():
            self._put(GLOBALLY, "watch", self.meant.blocks[GLOBALLY]["watch"])

    def _meant_lines(self, port: str) -> Lines:
        """What is rendered for a port, or for its port-channel."""
        place = self.have.place_of(port)
        return self.meant.blocks.get(place) or self.meant.blocks.get(("interface", port), {})

    def _take_port_lines(self, port: str, keys: Iterable[str]) -> None:
        place, meant = self.have.place_of(port), self._meant_lines(port)
        for key in keys:
            if key in meant:
                self._put(place, key, meant[key])
                if place != ("interface", port) and key in self.blocks.get(("interface", port), {}):
                    self._put(("interface", port), key, meant[key])

    def _put(self, place: Path, key: str, text: str) -> None:
        self.blocks.setdefault(place, {})[key] = text

    # -- classification ------------------------------------------------------------------------------------------------

    def _bind_input(self, port: str, _: What | None = None) -> None:
        place = self.have.place_of(port)
        meant = self._meant_policy(port, QOS)
        own = self.blocks.setdefault(place, {})
        if meant is None:
            own.pop(QOS, None)
            if QOS in self.have.config.system:
                self.beyond.append(f"{port}: system qos classifies for all ports: unbind it there by hand")
            return
        name = self.names[QOS][meant]
        self._define_input(meant, name)
        bound = self.have.bound_to(port, QOS)
        if bound != name or (QOS in own and own[QOS].split()[-1] != name):
            own[QOS] = f"service-policy type qos input {name}"

    def _define_input(self, meant: str, name: str) -> None:
        """A policy that classifies as rendered, unless it is there."""
        if ("policy-map", QOS, name) in self.blocks:
            return
        for path, lines in self.meant.below(QOS, meant).items():
            self.blocks[("policy-map", QOS, name, *path[3:])] = dict(lines)
            if len(path) > 4 and path[4] != DEFAULT:
                self.blocks[("class-map", QOS, path[4])] = dict(self.meant.blocks[("class-map", QOS, path[4])])

    def _fix_mark(self, ports: list[str], word: str, number: int | None) -> None:
        """The qos-group of a code point or 802.1p value, on the ports that go by it."""
        for meant, name in self.names[QOS].items():
            marks = self.meant.sorter.read_marks(meant)
            wanted = marks.dscp if word == "dscp" else marks.cos
            if wanted is None:
                continue
            if ("policy-map", QOS, name) not in self.blocks:
                self._define_input(meant, name)
            else:
                for code in range(len(wanted)) if number is None else (number,):
                    self._move_mark(name, meant, word, code, wanted[code].value)
            for port in ports:
                bound = self.have.bound_to(port, QOS)
                if self._meant_policy(port, QOS) == meant and bound is not None and bound != name:
                    self._bind_input(port)

    def _move_mark(self, name: str, meant: str, word: str, code: int, group: int) -> None:
        classes = {
            path[4]: lines for path, lines in self.blocks.items() if path[:3] == ("policy-map", QOS, name) and path[4:]
        }
        groups = {of: int(lines["group"].split()[-1]) if "group" in lines else 0 for of, lines in classes.items()}
        rest = groups.get(DEFAULT, 0)
        holding = [of for of in groups if of != DEFAULT and code in self._codes_of(of, word)]
        if groups.get(holding[0], rest) == group if holding else rest == group:
            return
        for of in holding:
            self._write_codes(of, word, [each for each in self._codes_of(of, word) if each != code])
        if group == rest:
            return
        target = next(
            (of for of, own in groups.items() if own == group and of != DEFAULT and self._is_plain(of, word)), None
        )
        if target is None:
            rendered = self.meant.config.policies[QOS, meant].classes
            own = (
                of
                for of, stated in rendered.items()
                if of != DEFAULT and "group" in stated and stated["group"].value == group
            )
            target = next(own, f"ROCE-GROUP-{group}")
            while target in groups:
                target += "-2"
            self.blocks[("class-map", QOS, target)] = {}
            self.blocks[("policy-map", QOS, name, "class", target)] = {"group": f"set qos-group {group}"}
        self._write_codes(target, word, sorted({*self._codes_of(target, word), code}))

    def _codes_of(self, of: str, word: str) -> list[int]:
        out: list[int] = []
        for text in self.blocks.get(("class-map", QOS, of), {}):
            words = tuple(text.split())
            row = TABLE.find(("class-map", QOS, of, *words))
            if row is not None and row.key == word and row.take is not None:
                out += row.take(words[len(row.path) - 3 :]) or ()
        return out

    def _is_plain(self, of: str, word: str) -> bool:
        """Whether a class goes by marks of this kind alone."""
        lines = self.blocks.get(("class-map", QOS, of), {})
        return bool(lines) and all(text.split()[1] == word for text in lines if text.startswith("match "))

    def _write_codes(self, of: str, word: str, codes: list[int]) -> None:
        place = ("class-map", QOS, of)
        own = self.blocks.get(place, {})
        kept = {}
        for text, line in own.items():
            row = TABLE.find((*place, *text.split()))
            if row is None or row.key != word:
                kept[text] = line
        if codes:
            text = f"match {word} {ranges(codes)}"
            kept[text] = text
        self.blocks[place] = kept

    # -- PFC -----------------------------------------------------------------------------------------------------------

    def _fix_network(self) -> None:
        """The network-qos policy pauses what is rendered to be paused, and nothing else."""
        meant = self.meant.config.system[NETWORK].value
        name = self.network
        if name is None or name.startswith(OWN_POLICIES) or (NETWORK, name) not in self.have.config.policies:
            known = (NETWORK, meant) in self.have.config.policies
            name = meant
            if not known:
                for path, lines in self.meant.below(NETWORK, meant).items():
                    self.blocks[path] = dict(lines)
            self._put((SYSTEM,), NETWORK, f"service-policy type network-qos {name}")
        wanted = {
            self.meant.config.group_of(NETWORK, path[4]): lines
            for path, lines in self.meant.below(NETWORK, meant).items()
            if len(path) > 4
        }
        own = {
            path: lines for path, lines in self.blocks.items() if path[:3] == ("policy-map", NETWORK, name) and path[4:]
        }
        by_group = {
            self.have.config.group_of(NETWORK, path[4])
            if (NETWORK, path[4]) in self.have.config.class_maps
            else self.meant.config.group_of(NETWORK, path[4]): path
            for path in own
        }
        for group, path in by_group.items():
            if "pause" not in wanted.get(group, {}):
                self.blocks[path].pop("pause", None)
        for group, lines in wanted.items():
            if "pause" not in lines:
                continue
            if group in by_group:
                self._put(by_group[group], "pause", self._keep_sizes(by_group[group], lines["pause"]))
            else:
                self.blocks[("policy-map", NETWORK, name, "class", f"c-8q-nq{group}")] = dict(lines)

    def _keep_sizes(self, place: Path, meant: str) -> str:
        """The line that pauses, as it is where it says the same priorities with sizes of its own."""
        have = self.blocks[place].get("pause", "")
        return have if have.startswith("pause buffer-size") and have.endswith(meant.removeprefix("pause ")) else meant

    # -- queues --------------------------------------------------------------------------------------------------------

    def _fix_queues(self, port: str, what: What) -> None:
        meant = self._meant_policy(port, "output")
        if meant is None:
            return
        name, running = self.names["output"][meant], self.have.bound_to(port, "output")
        if ("policy-map", QUEUING, name) not in self.blocks:
            of = self.have if running is not None and (QUEUING, running) in self.have.config.policies else self.meant
            source = running if of is self.have and running is not None else meant
            for path, lines in of.below(QUEUING, source).items():
                self.blocks[("policy-map", QUEUING, name, *path[3:])] = dict(lines)
        numbers = range(8) if what.number is None or _KEYS[what.topic] == _SHARING else (what.number,)
        classes = {
            self.have.config.group_of(QUEUING, path[4]): path
            for path in self.blocks
            if path[:3] == ("policy-map", QUEUING, name) and path[4:]
        }
        for path, lines in self.meant.below(QUEUING, meant).items():
            queue = self.meant.config.group_of(QUEUING, path[4]) if path[4:] else None
            if queue is None or queue not in numbers:
                continue
            place = classes.get(queue, ("policy-map", QUEUING, name, *path[3:]))
            if place not in self.blocks:
                self.blocks[place] = dict(lines)
                continue
            for key in _KEYS[what.topic]:
                if key in lines:
                    self._put(place, key, lines[key])
                else:
                    self.blocks[place].pop(key, None)
        if running != name:
            self._bind_output(port, name)

    def _bind_output(self, port: str, name: str) -> None:
        """At the system where that is what all ports have, and they are rendered; else at the port."""
        of_switch = self.have.config.system.get("output")
        others = {*self.have.ports} - {*self.rendered}
        usual = self.meant.config.system.get("output")
        mine = usual is not None and self.names["output"].get(usual.value) == name
        if mine and (of_switch is None or of_switch.value not in self.names["output"].values()) and not others:
            self._put((SYSTEM,), "output", f"service-policy type queuing output {name}")
            if "output" not in self.blocks.get(self.have.place_of(port), {}):
                return
        self._put(self.have.place_of(port), "output", f"service-policy type queuing output {name}")

    # -- ports ---------------------------------------------------------------------------------------------------------

    def _fix_mtu(self, port: str, _: What) -> None:
        meant = self._meant_lines(port).get("mtu")
        if meant is None:
            return
        self._take_port_lines(port, ("mtu",))
        if self.have.place_of(port) != ("interface", port):
            self._put(("interface", port), "mtu", meant)
        size = int(meant.split()[-1])
        bound = self.have.config.system.get(NETWORK)
        for path, lines in self.blocks.items():
            of = path[:3] == ("policy-map", NETWORK, bound.value if bound is not None else "") and len(path) > 4
            stated = int(lines["mtu"].split()[-1]) if "mtu" in lines else CLASS_MTU_UNSAID
            if of and stated < size:
                lines["mtu"] = meant

    def _fix_flowcontrol(self, port: str, _: What) -> None:
        place, meant = self.have.place_of(port), self._meant_lines(port)
        for side in ("receive", "send"):
            own = self.blocks.get(place, {})
            if side in meant:
                self._put(place, side, meant[side])
            elif side in own and own[side].split()[-1] != "off":
                self._put(place, side, f"flowcontrol {side} off")

    # -- what is left over ---------------------------------------------------------------------------------------------

    def _forget_unused(self) -> None:
        """Take away policies and class-maps that something named before, and that nothing names any more."""
        before, after = _list_named(self.have.blocks), _list_named(self.blocks)
        for kind, name in before - after:
            for path in [path for path in self.blocks if path[:3] == ("policy-map", kind, name)]:
                del self.blocks[path]
        left = {path[4] for path in self.blocks if path[:2] == ("policy-map", QOS) and path[4:]}
        were = {path[4] for path in self.have.blocks if path[:2] == ("policy-map", QOS) and path[4:]}
        for name in were - left:
            self.blocks.pop(("class-map", QOS, name), None)
        for path in [path for path in self.blocks if path[:2] == ("class-map", QOS) and not self.blocks[path]]:
            if self.have.blocks.get(path):  # it takes nothing any more
                del self.blocks[path]
                for other in [p for p in self.blocks if p[:2] == ("policy-map", QOS) and p[4:] == path[2:]]:
                    del self.blocks[other]


_OF_PORT: dict[str, Callable[[TargetTree, str, What], None]] = {  # how a topic is set at a port
    **dict.fromkeys(_SORTING, TargetTree._bind_input),  # noqa: SLF001 - the class's own
    **dict.fromkeys(_PAUSES, TargetTree._fix_mode),  # noqa: SLF001
    **dict.fromkeys(_SENDING, TargetTree._fix_queues),  # noqa: SLF001
    "dcbx": TargetTree._fix_dcbx,  # noqa: SLF001
    "watchdog": TargetTree._fix_watchdog,  # noqa: SLF001
    "mtu": TargetTree._fix_mtu,  # noqa: SLF001
    "flowcontrol": TargetTree._fix_flowcontrol,  # noqa: SLF001
}


def _list_named(blocks: dict[Path, Lines]) -> set[tuple[str, str]]:
    """The policies that are bound, by type and name."""
    out = set()
    for path, lines in blocks.items():
        if path[:1] in ((SYSTEM,), ("interface",)):
            for key, kind in ((QOS, QOS), ("output", QUEUING), ("input", QUEUING), (NETWORK, NETWORK)):
                if key in lines:
                    words = [word for word in lines[key].split() if word != "no-stats"]
                    out.add((kind, words[-1]))
    return out
