"""What a configuration becomes: in all that is in scope as it is rendered, under the names that the switch has."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.model.catalogue import What
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Wanted, align_names, name_unsettable
from rocecfg.vendors.srlinux.change.steps import Lines, format_words
from rocecfg.vendors.srlinux.reading.binding import Bindings, find_row_target
from rocecfg.vendors.srlinux.reading.interfaces import Subinterface, read_interfaces
from rocecfg.vendors.srlinux.reading.objects import Objects, read_objects
from rocecfg.vendors.srlinux.reading.statements import Statement, Words, parse_statements
from rocecfg.vendors.srlinux.settings import QOS, TABLE, split_leaves

_PFC = frozenset({"pfc", "obeys", "sends", "stops", "pauses", "watchdog"})
_SORTING = frozenset({"dscp", "pcp", "trust", "unmarked"})
_SENDING = frozenset({"shares", "max_rate"})
_MARKING = frozenset({"ecn", "discards"})
_HOLDING = frozenset({"group", "headroom"})
_LIMITS = frozenset({"egress"})
_KINDS = {  # of objects that ports name: the path before their name, and how a row binds them
    "mapping": (("pfc-mapping-profile",), ("pfc", "pfc-mapping-profile")),
    "groups": (("buffer-management", "buffer-allocation-profile"), ("input", "pfc-buffer-allocation-profile")),
    "limits": (("buffer-management", "buffer-allocation-profile"), ("output", "buffer-allocation-profile")),
    "scheduler": (("scheduler-policies", "scheduler-policy"), ("output", "scheduler", "scheduler-policy")),
    "dscp": (("classifiers", "dscp-policy"), ("input", "classifiers", "dscp-policy")),
}
_CHANGED = {"mapping": _PFC, "groups": _HOLDING, "limits": _MARKING | _LIMITS, "scheduler": _SENDING}
_MANAGEMENT = ("buffer-management", "queue-management-profile")
_RESERVE = "pool"
_SETTABLE = _PFC | _SORTING | _SENDING | _MARKING | _HOLDING | _LIMITS | {"mtu", _RESERVE}


def list_unsettable(scope: Wanted) -> tuple[str, ...]:
    """What in a scope no statement that is rendered sets."""
    return name_unsettable(scope, lambda _, what: what.topic in _SETTABLE, "by a statement on queues or PFC")


class _Config:
    """A text as statements, and what they define."""

    def __init__(self, document: Document) -> None:
        self.statements = [
            Statement(words, line.at) for line in parse_statements(document) for words in split_leaves(line.words)
        ]
        self.objects: Objects = read_objects(self.statements)
        self.bindings = Bindings(self.objects)
        self.ports = read_interfaces(self.statements)

    def row_of(self, port: str) -> str:
        """The name of a port's row, or of its LAG's."""
        return self.lag_of(port) or port

    def lag_of(self, port: str) -> str | None:
        """The LAG that a port is in."""
        known = self.ports.get(port)
        return known.stated["lag"].value if known is not None and "lag" in known.stated else None

    def units_of(self, port: str) -> dict[str, Subinterface]:
        """Its subinterfaces, or its LAG's."""
        known = (self.ports[name].units for name in (port, self.lag_of(port)) if name in self.ports)
        return next((units for units in known if units), {}) if self.objects.whole else {}

    def bound(self, port: str, key: str) -> str | None:
        """The object of a kind that a port has."""
        found = self.bindings.find(port, self.lag_of(port)).restrict(self.units_of(port))
        if key == "dscp":
            return found.dscp.value if found.dscp is not None else None
        return found.port[key].value if key in found.port else None


class TargetStatements:
    """The statements that a configuration is to have."""

    def __init__(self, running: Document, rendered: Document, scope: Wanted) -> None:
        self._run, self._meant = _Config(running), _Config(rendered)
        self.have: Lines = dict.fromkeys(line.words for line in self._run.statements)
        self.lines: Lines = dict(self.have)
        self.beyond: list[str] = []
        self._meant_lines = [line.words for line in self._meant.statements]
        self._words = self._match_words()
        self._names = {key: self._match_names(key) for key in _KINDS}
        topics = {what.topic for settings in scope.values() for what in settings}
        if topics & (_SETTABLE - {"mtu"}):
            self._define_queues()
        for port, settings in scope.items():
            self._fix({what.topic for what in settings}, self._list_rendered() if port is None else [port], settings)

    def text(self) -> str:
        """The whole configuration as set lines."""
        return "".join(f"set / {format_words(words)}\n" for words in self.lines)

    # -- names ---------------------------------------------------------------------------------------------------------

    def _match_words(self) -> dict[tuple[str, str], str]:
        """For queues, PFC queues and classes as rendered, what the switch calls that of the same number."""
        out: dict[tuple[str, str], str] = {}
        for kind, number in (
            ("queues", Objects.queue_of),
            ("pfc-queues", Objects.pfc_queue_of),
            ("classes", Objects.queue_of_class),
        ):
            known: dict[int | None, str] = {}
            for (name,) in self._run.objects.of(kind):
                known.setdefault(number(self._run.objects, name), name)
            for (name,) in self._meant.objects.of(kind):
                out[kind, name] = known.get(number(self._meant.objects, name), name)
        return out

    def _rename(self, words: Words) -> Words:
        """A rendered statement with the switch's names for queues and classes."""
        out = list(words)
        for at, word in enumerate(words[:-1]):
            kind = {"queue": "queues", "queue-name": "queues", "unicast-queue": "queues", "pfc-queue": "pfc-queues",
                    "forwarding-class": "classes"}.get(word)  # fmt: skip
            if kind is not None:
                out[at + 1] = self._words.get((kind, words[at + 1]), words[at + 1])
        return tuple(out)

    def _list_rendered(self) -> list[str]:
        """The ports that are rendered; of a LAG its members."""
        out = []
        for name in self._meant.bindings.names:
            members = [port for port in self._run.ports if self._run.lag_of(port) == name]
            out += members or [name]
        return out

    def _meant_name(self, port: str, key: str) -> str | None:
        return self._meant.bound(port, key) or self._meant.bound(self._run.row_of(port), key)

    def _match_names(self, key: str) -> dict[str, str]:
        rendered = self._list_rendered()
        meant = {port: name for port in rendered if (name := self._meant_name(port, key)) is not None}
        ports = {*rendered, *self._run.ports, *self._run.bindings.names}
        running = {port: name for port in ports if (name := self._run.bound(port, key)) is not None}
        section = _KINDS[key][0]
        names = {words[1 + len(section)] for words in self.have if words[1 : 1 + len(section)] == section}
        return align_names(meant, running, dict.fromkeys(names, False))

    # -- statements ----------------------------------------------------------------------------------------------------

    def _put(self, words: Words) -> None:
        """A statement of one value, in the place of another of it."""
        row = TABLE.find_whole(words)
        if row is None or not row.key.endswith("[]"):
            for other in [w for w in self.lines if w[:-1] == words[:-1] and len(w) == len(words)]:
                if row is None or row.key:
                    del self.lines[other]
        self.lines[words] = None

    def _replace(self, path: Words, new: Iterable[Words]) -> None:
        """All that stands below a path."""
        wanted = tuple(new)
        for words in [w for w in self.lines if w[: len(path)] == path and w not in wanted]:
            del self.lines[words]
        for words in wanted:
            self.lines[words] = None

    def _take_object(self, section: Words, meant: str, name: str) -> None:
        """An object that is rendered, under a name of the switch."""
        path = (QOS, *section, meant)
        new = [
            self._rename((QOS, *section, name, *w[len(path) :])) for w in self._meant_lines if w[: len(path)] == path
        ]
        self._replace((QOS, *section, name), new)

    def _define_queues(self) -> None:
        """Queues, PFC queues and classes that are rendered; one of the same number is there under its own name."""
        for words in self._meant_lines:
            if words[1:2] in (("queues",), ("forwarding-classes",)):
                self._put(self._rename(words))

    def _fix(self, topics: set[str], ports: list[str], settings: Iterable[What]) -> None:
        del settings
        for port in ports:
            for key, changed in _CHANGED.items():
                if topics & changed:
                    self._fix_object(port, key)
            if topics & _PFC:
                self._fix_enable(port)
            if topics & _MARKING:
                self._fix_marking(port)
            if topics & _SORTING:
                self._fix_sorting(port)
            if "mtu" in topics:
                self._fix_mtu(port)
        if topics & {*_HOLDING, *_PFC, _RESERVE}:
            for words in self._meant_lines:
                if words[1:2] == ("linecard",):
                    self._put(words)

    def _row(self, port: str) -> Words:
        """The row of a port; one is made where there is none."""
        name = self._run.row_of(port)
        for (row,), own in self._run.objects.of("bound").items():
            if find_row_target(row, own) == (name, None):
                return (QOS, "interfaces", "interface", row)
        path = (QOS, "interfaces", "interface", name)
        self._put((*path, "interface-ref", "interface", name))
        return path

    def _fix_object(self, port: str, key: str) -> None:
        section, leaf = _KINDS[key]
        meant, row = self._meant_name(port, key), self._row(port)
        if meant is None:
            self._replace((*row, *leaf), ())
            return
        name = self._names[key].get(meant, meant)
        self._take_object(section, meant, name)
        self._put((*row, *leaf, name))

    def _fix_enable(self, port: str) -> None:
        row = self._row(port)
        if self._meant_name(port, "mapping") is None:
            self._replace((*row, "pfc", "pfc-enable"), ())
        else:
            self._put((*row, "pfc", "pfc-enable", "true"))

    def _fix_marking(self, port: str) -> None:
        """The profile of each queue, under its own name, and ECN of the whole switch."""
        row = self._row(port)
        meant = self._meant.bindings.find(port, self._run.lag_of(port)).managements
        wanted = {self._words.get(("queues", queue), queue): val.value for queue, val in meant.items()}
        path = (*row, "output", "queues", "queue")
        for words in [w for w in self.lines if w[: len(path)] == path and w[len(path)] not in wanted]:
            del self.lines[words]
        for queue, profile in wanted.items():
            self._take_object(_MANAGEMENT, profile, profile)
            self._put((*path, queue, "queue-management-profile", profile))
        if wanted and not any(w[1:2] == ("explicit-congestion-notification",) for w in self.lines):
            self.lines[QOS, "explicit-congestion-notification"] = None

    def _fix_sorting(self, port: str) -> None:
        meant, name = self._meant_name(port, "dscp"), self._run.row_of(port)
        if meant is None:
            return
        own = self._names["dscp"].get(meant, meant)
        self._take_object(_KINDS["dscp"][0], meant, own)
        rows = {
            unit: row
            for (row,), of in self._run.objects.of("bound").items()
            for to, unit in (find_row_target(row, of),)
            if to == name and unit is not None
        }
        there = self._run.units_of(port) or rows or {"0": None}
        for unit in there:
            if unit not in rows:
                path = (QOS, "interfaces", "interface", f"{name}.{unit}")
                self._put((*path, "interface-ref", "interface", name))
                self._put((*path, "interface-ref", "subinterface", unit))
        for row in (rows.get(unit, f"{name}.{unit}") for unit in there):
            self._put((QOS, "interfaces", "interface", row, "input", "classifiers", "dscp-policy", own))

    def _fix_mtu(self, port: str) -> None:
        name = self._run.row_of(port)
        for words in self._meant_lines:
            if words[:2] == ("interface", name) and words[-2] in ("mtu", "ip-mtu"):
                self._put(words)
                if words[-2] == "ip-mtu":
                    for other in [w for w in self.lines if w[:2] == words[:2] and w[-2] == "ip-mtu"]:
                        self._put((*other[:-1], words[-1]))
