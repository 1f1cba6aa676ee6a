"""What is rendered against what runs, setting by setting: what differs to the same effect, and what nobody states.

Drift against an intent compares what settings amount to. Beside that, what is rendered and runs otherwise is listed
with the reason why it comes to the same, and what runs and is in no rendering is counted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.drift.configurations import compare_configurations
from rocecfg.drift.intended import IntendedDevice
from rocecfg.model import AUTO, Span
from rocecfg.model.catalogue import What
from rocecfg.model.compare import Gap
from rocecfg.model.switch import Switch
from rocecfg.source.document import Document
from rocecfg.vendors import part
from rocecfg.vendors.opaque import Shape

# -- statement by statement: asked of a switch whose settings are all as intended; a table of its system says why ------

_ANY = "*"
_BY_DEFAULT = "in other words, or by default, the switch does what the intent states"
_Words = tuple[str, ...]
Stated = tuple[_Words, int, int]  # words of a statement, and where it stands


class SameEffect(NamedTuple):
    """A statement that is rendered and does not run so, and why it has the same effect."""

    text: str
    why: str


def list_rendered(vendor: str, document: Document) -> tuple[Stated, ...]:
    """The statements of a rendering."""
    return tuple(part(vendor, "stating").list_stated(document))


def find_same_effect(
    vendor: str, rendered: Iterable[Stated], running: Document, told: Iterable[Span]
) -> Iterator[SameEffect]:
    """The statements of a rendering that do not run as they are, without those that settings are `told` of."""
    runs = {words for words, _, _ in part(vendor, "stating").list_stated(running)}
    missing = [one for one in rendered if one[0] not in runs]
    if not missing:
        return
    begun = {words[:end] for words in runs for end in range(1, len(words) + 1)}
    places = {at.start for at in told}
    for words, start, end in missing:
        if not any(start <= place < end for place in places):
            yield SameEffect(" ".join(words), _find_reason(vendor, words, begun))


def _find_reason(vendor: str, words: _Words, begun: set[_Words]) -> str:
    """The reason of the table, if what the statement stands below is there under the name that is rendered."""
    for row, why in part(vendor, "stating").REASONS:
        if len(row) <= len(words) and all(own in (_ANY, word) for own, word in zip(row, words, strict=False)):
            named = max((n for n, own in enumerate(row, 1) if own == _ANY), default=0)
            return why if not named or words[:named] in begun else _BY_DEFAULT
    return _BY_DEFAULT


# -- setting by setting ------------------------------------------------------------------------------------------------

_SORTING = "packets of each class still go to the intended queue, and are paused as intended"
_PAUSES = "PFC is off for this priority: its pauses are neither obeyed nor sent"
_ROUNDED = "within the rounding of the system"
_SHARE = "the share is the same, or no class of the intent uses the queue"


class _Same(NamedTuple):
    """A setting that is another one's, and why another value of it may have the same effect."""

    topic: str  # where that one is told, this is, too
    why: str


_AS_MEANT = "it has the effect of the intent"
_SAME: dict[str, _Same] = {  # by topic, or topic and beginning of the part
    **dict.fromkeys(("dscp", "tc_of_dscp", "queue_of", "group_of", "priority_of"), _Same("dscp", _SORTING)),
    **dict.fromkeys(("pcp", "tc_of_pcp"), _Same("pcp", _SORTING)),
    **dict.fromkeys(("stops", "pauses"), _Same("pfc", _PAUSES)),
    **dict.fromkeys(("weight", "scheduling", "turns"), _Same("shares", _SHARE)),
    "watchdog": _Same("pfc", _AS_MEANT),  # without PFC, which is told, there is nothing to watch
    "idle": _Same("idle", "it has no effect here"),
    "dcbx": _Same("dcbx", "the intent states whether DCBX is on, but not its version"),
    "ecn.wred_": _Same("ecn", "the chip marks by `ecn` only, whether WRED drops or not"),
    **dict.fromkeys(("ecn.kmin", "ecn.kmax", "ecn.pmax"), _Same("ecn", _ROUNDED)),
    "ecn.": _Same("ecn", "not stated, but the default of the queue"),
}
NO_REASON = "not as rocecfg renders it, and whether the effect is the same is unknown"
_KEPT = 8  # texts that others are compared with
_NO_SETTINGS = frozenset({"unread", "port", "up"})  # told apart


class OtherStatement(NamedTuple):
    """A setting that is rendered and runs otherwise, or that runs and is in no rendering."""

    what: What
    meant: Hashable | None  # None: it is in no rendering
    running: Hashable | None  # None: nothing says it
    why: str  # why it has the same effect, or NO_REASON; empty: the intent does not state it
    at: Span | None
    ports: tuple[str, ...]  # (): the switch
    rendered_at: Span | None = None


class Others(NamedTuple):
    """What of a switch is not as rendered, beside what is told as a difference."""

    settings: tuple[OtherStatement, ...]
    statements: tuple[SameEffect, ...]  # of the rendering that do not run as they are


class RestComparer:
    """Lists what else differs on switches; of those whose texts differ in opaque words alone, once."""

    def __init__(self) -> None:
        self._known: dict[int, deque[tuple[Shape, int, Others]]] = {}  # by what is meant
        self._rendered: dict[int, tuple[Stated, ...]] = {}  # the same

    def list_others(
        self,
        meant: IntendedDevice,
        switch: Switch,
        document: Document | None,
        told: Iterable[What],
        places: Collection[Span],
        *,
        differs: bool,
    ) -> Others:
        """What differs beside the settings that are told.

        `document`: of the switch; None: others stand in it, too. `places`: what of it differences tell. `differs`: some
        setting does: a statement that does not run as it is may be of that one, and is not listed.
        """
        whats = tuple(told)
        topics = frozenset(what.topic for what in whats)
        if document is None:
            return Others(_list_others(meant, switch, topics, places), ())
        text = document.text
        lines = text.split("\n")
        known = self._known.setdefault(id(meant), deque(maxlen=_KEPT))
        for shape, number, others in known:
            if number == len(lines) and shape.compare(text, lines) is not None:
                return others._replace(settings=tuple(one._replace(at=None) for one in others.settings))
        settings = _list_others(meant, switch, topics, places)
        everything = (meant.facts, *(port.facts for port in meant.ports.values()))
        at = {one.rendered_at for one in settings}
        at |= {facts[what].at for facts in everything for what in whats if what in facts}
        as_meant = switch.running.whole and not differs
        found = Others(settings, tuple(self._list_statements(meant, document, at)) if as_meant else ())
        known.append((Shape(text, lines), len(lines), found))
        return found

    def _list_statements(
        self, meant: IntendedDevice, document: Document, at: Iterable[Span | None]
    ) -> Iterator[SameEffect]:
        """What of the rendering does not run as it is. `at`: places of settings that are told."""
        vendor, number = meant.device.vendor or "", meant.switch.at.doc
        rendered = self._rendered.get(id(meant))
        if rendered is None:
            rendered = list_rendered(vendor, Document(number, document.path, meant.text))
            self._rendered[id(meant)] = rendered
        return find_same_effect(
            vendor, rendered, document, [one for one in at if one is not None and one.doc == number]
        )


def _list_others(
    meant: IntendedDevice, switch: Switch, told: frozenset[str], places: Collection[Span]
) -> tuple[OtherStatement, ...]:
    """What runs otherwise than it is rendered, and what no intent states; of a part that alone."""
    found = (one for one in _find_others(meant, switch, told) if one.why != NO_REASON or one.at not in places)
    return tuple(one for one in found if switch.running.whole or not one.why)


def _find_others(meant: IntendedDevice, switch: Switch, told: frozenset[str]) -> Iterator[OtherStatement]:
    """`told`: the topics of settings that are told as differences, or as not compared."""
    topics = told | _NO_SETTINGS
    everything = (meant.facts, *(port.facts for port in meant.ports.values()))
    compared = {(what.topic, what.part) for facts in everything for what in facts}
    for apart in compare_configurations(meant.switch, switch, once=False):
        for gap in apart.gaps:
            same = _find_same(gap.what)
            if gap.what.topic in topics or (same is not None and same.topic in topics):
                continue
            why = same.why if same is not None else _AS_MEANT if gap.what[::2] in compared else NO_REASON
            one = _explain(meant, gap, why, apart.ports or ())
            if one is not None:
                yield one


def _explain(meant: IntendedDevice, gap: Gap, why: str, ports: tuple[str, ...]) -> OtherStatement | None:
    stated = gap.meant is not None and gap.meant.at.doc == meant.switch.at.doc
    running = gap.running.value if gap.running is not None else None
    at = gap.running.at if gap.running is not None else None
    if gap.meant is None or not stated or gap.meant.value == AUTO:
        return OtherStatement(gap.what, None, running, "", at, ports) if gap.running is not None else None
    return OtherStatement(gap.what, gap.meant.value, running, why, at, ports, gap.meant.at)


def _find_same(what: What) -> _Same | None:
    name = f"{what.topic}.{what.part}"
    return _SAME.get(what.topic) or next((one for begin, one in _SAME.items() if name.startswith(begin)), None)


class UnstatedSetting(NamedTuple):
    """A setting that runs and no intent states."""

    what: What
    value: Hashable
    at: Span | None  # the first
    numbers: dict[str, None]  # queues, priorities or code points
    devices: dict[str, None]


class OthersTally:
    """Takes what differs beside differences of one device after the other."""

    def __init__(self) -> None:
        self.same: dict[str, tuple[dict[What, None], dict[str, None]]] = {}  # by reason: the settings, the devices
        self.statements: dict[str, tuple[dict[str, None], dict[str, None]]] = {}  # the same of statements
        self.unstated: dict[Hashable, UnstatedSetting] = {}  # by setting, without its number, and value
        self.number = 0  # of settings that run and no intent states, over all ports

    def add_device(self, name: str, others: Others) -> None:
        """Add a device."""
        for statement in others.statements:
            texts, devices = self.statements.setdefault(statement.why, ({}, {}))
            texts[statement.text] = devices[name] = None
        for one in others.settings:
            if one.why == NO_REASON:
                continue  # told as not compared
            if one.why:
                settings, devices = self.same.setdefault(one.why, ({}, {}))
                settings[one.what] = devices[name] = None
            else:
                self.number += len(one.ports) or 1
                key = one.what.topic, one.what.part, one.running
                known = self.unstated.setdefault(key, UnstatedSetting(one.what, one.running, one.at, {}, {}))
                known.devices[name] = None
                if one.what.number is not None:
                    known.numbers[str(one.what.number)] = None
