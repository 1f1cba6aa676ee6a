"""What the lines of a running-config state: classes, policies, what `system qos` and interfaces bind."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Section, Val
from rocecfg.source.document import Document
from rocecfg.vendors.nxos.reading.lines import Line, parse_lines
from rocecfg.vendors.nxos.settings import NETWORK, OTHER_PORT, POLLS_UNJUDGED, QOS, QUEUING, SYSTEM, TABLE, Watch
from rocecfg.vendors.table import Path, Row

_OWNED_AT_PORTS = frozenset({"priority-flow-control", "service-policy", "flowcontrol"})
_OWNED = frozenset({"priority-flow-control"})
_SWITCHED = ("access",)
_FLAGS = frozenset({"switchport", "shutdown"})  # whose `no` says something too
_BUILT_IN = (  # classes that exist without being defined: of 8 queues, and of 4
    {f"c-8q-nq{n}": n for n in range(1, 8)} | {"c-8q-nq-default": 0},
    {f"c-out-8q-q{n}": n for n in range(1, 8)} | {"c-out-8q-q-default": 0},
    {f"c-in-q{n}": n for n in range(1, 8)} | {"c-in-q-default": 0},
    {f"c-in-8q-q{n}": n for n in range(1, 8)} | {"c-in-8q-q-default": 0},
    {f"c-nq{n}": n for n in range(1, 4)} | {"c-nq-default": 0, "class-default": 0},
    {f"c-out-q{n}": n for n in range(1, 4)} | {"c-out-q-default": 0},
)
BUILT_IN = {name: number for names in _BUILT_IN for name, number in names.items()}
DEFAULT = "class-default"
DOUBTED = "doubted "  # before a key: its value was not understood
OWN_POLICIES = ("default-", "default_")  # names of policies that the system has begin so


class ClassMap:
    """A class-map: what it takes, whichever of its lines fits."""

    def __init__(self, at: Span, kind: str) -> None:
        self.at = at
        self.all = kind == "match-all"
        self.matches: list[tuple[str, Val]] = []  # dscp, cos, group, other


class PolicyMap:
    """A policy-map: its classes in order."""

    def __init__(self, at: Span) -> None:
        self.at = at
        self.classes: dict[str, Section] = {}
        self.places: dict[str, Span] = {}


class Interface:
    """An interface with queues."""

    def __init__(self, at: Span) -> None:
        self.at = at
        self.stated: Section = {}


class Wrong(NamedTuple):
    """A line with a value that NX-OS does not take, or that is in no list."""

    line: Line
    row: Row | None  # None: no such line is known


class Config:
    """A running-config, taken apart."""

    def __init__(self, document: Document) -> None:
        self.lines = parse_lines(document)
        self.globals: Section = {}
        self.system: Section = {}
        self.system_at: Span | None = None
        self.class_maps: dict[tuple[str, str], ClassMap] = {}
        self.policies: dict[tuple[str, str], PolicyMap] = {}
        self.ports: dict[str, Interface] = {}
        self.wrong: list[Wrong] = []
        self.unjudged: list[tuple[Line, Row]] = []
        for line in self.lines:
            self._read(line)

    def group_of(self, kind: str, name: str) -> int | None:
        """The qos-group that a class of a queuing or network-qos policy is for."""
        own = self.class_maps.get((kind, name))
        if own is None:
            return BUILT_IN.get(name)
        groups = [val.value for key, val in own.matches if key == "group"]
        return groups[0] if len(groups) == 1 else BUILT_IN.get(name)

    def find_policy(self, kind: str, bound: Val | None) -> PolicyMap | None:
        """The policy that is bound by a name."""
        return self.policies.get((kind, bound.value)) if bound is not None else None

    def _read(self, line: Line) -> None:
        head, words = line.path[:1], line.words
        if line.negated and words[0] in ("class-map", "policy-map", "class"):
            self._remove(line)
            return
        if head == ("interface",):
            for name in line.names:
                port = self.ports.setdefault(name, Interface(line.at))
                self._state(port.stated, line, ("interface", name, *words))
        elif head in (("class-map",), ("policy-map",)):
            self._read_policy(line)
        elif head == (SYSTEM,):
            self.system_at = self.system_at or line.at
            self._state(self.system, line, line.whole)
        elif line.path[:2] == ("vlan", "configuration"):
            self._state({}, line, line.whole)
        elif head != (OTHER_PORT,) and not line.path and not line.names:
            self._state(self.globals, line, words)

    def _read_policy(self, line: Line) -> None:
        what, kind, name, *inner = line.path
        if kind not in (QOS, NETWORK, QUEUING):
            return
        if what == "class-map":
            own = self.class_maps.setdefault((kind, name), ClassMap(line.at, line.kind))
            stated: Section = {}
            self._state(stated, line._replace(negated=False), line.whole)
            if line.negated:
                own.matches = [(key, left) for key, val in own.matches if (left := _without(val, stated.get(key)))]
            else:
                own.matches += stated.items()
            return
        policy = self.policies.setdefault((kind, name), PolicyMap(line.at))
        if inner:
            policy.places.setdefault(inner[1], line.at)
            self._state(policy.classes.setdefault(inner[1], {}), line, line.whole)

    def _remove(self, line: Line) -> None:
        """Take away what `no` names."""
        rest = [word for word in line.words[1:] if word not in ("type", "match-any", "match-all", "match-first")]
        name = rest[-1] if rest else ""
        kind = rest[0] if len(rest) > 1 else line.path[1] if line.words[0] == "class" and line.path[1:] else QOS
        if line.words[0] == "class-map":
            self.class_maps.pop((kind, name), None)
        elif line.words[0] == "policy-map":
            self.policies.pop((kind, name), None)
        elif line.path[:1] == ("policy-map",) and (kind, line.path[2]) in self.policies:
            self.policies[kind, line.path[2]].classes.pop(name, None)

    def _state(self, into: Section, line: Line, words: Path) -> None:
        """Keep what a line says, by its row."""
        if not line.words:
            return
        row = TABLE.find(words)
        if row is None or not row.key:
            if row is None and _is_owned(line):
                self.wrong.append(Wrong(line, None))
            return
        if line.negated:
            into.pop(row.key, None)
            if row.key in _FLAGS and len(line.words) == 1:
                into[row.key] = Val(value=False, at=line.at)
            elif row.key == "autoneg":
                into[row.key] = Val("off", line.at)
            elif row.key == "mode":
                into[row.key] = Val(("auto",), line.at)
            return
        if row.key == "switchport" and words[3:4] and words[3] not in _SWITCHED:
            return
        value = row.take(words[len(row.path) :]) if row.take is not None else None
        if value is None:
            if _is_owned(line) or row.key == "mtu":
                self.wrong.append(Wrong(line, row))
                into[f"{DOUBTED}{row.key}"] = Val(value=True, at=line.at)
            return
        if isinstance(value, Watch) and value.polls is not None:
            self.unjudged.append((line, row._replace(unjudged=POLLS_UNJUDGED)))
        if row.unjudged:
            self.unjudged.append((line, row))
        into[row.key] = Val(value, line.at)


def _without(val: Val, gone: Val | None) -> Val | None:
    """What a match has left when a line is taken back: each value is for itself."""
    if gone is None or not isinstance(val.value, tuple):
        return None if gone is not None and gone.value == val.value else val
    left = tuple(code for code in val.value if code not in gone.value)
    return Val(left, val.at) if left else None


def _is_owned(line: Line) -> bool:
    """Whether a line is one on queues, PFC or classes, so that it is to be understood."""
    head = line.path[:1]
    if head == ("interface",):
        return line.words[0] in _OWNED_AT_PORTS
    return head in (("class-map",), ("policy-map",), (SYSTEM,)) or (not line.path and line.words[0] in _OWNED)
