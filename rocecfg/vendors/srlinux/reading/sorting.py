"""How packets are sorted: classifiers, forwarding classes, queues, PFC priorities."""

from __future__ import annotations

from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.model.switch import Chain
from rocecfg.vendors.srlinux.limits import TCS, own_class_of
from rocecfg.vendors.srlinux.reading.binding import Binding
from rocecfg.vendors.srlinux.reading.objects import Objects, Values

_CONTROL = 7  # the class of network control, which is told with its own number as an intent has it


class Pfc:
    """What a pfc-mapping-profile has a port do."""

    def __init__(self, objects: Objects, name: str) -> None:
        self.sent: dict[int, Span] = {}  # priorities that pauses are sent for
        self.obeyed: dict[int, Span] = {}  # and those whose pauses stop a queue
        self.priority: dict[int, Val] = {}  # by output queue
        self.group: dict[int, Val] = {}  # by output queue: the PFC queue
        self.stops: dict[int, Val] = {}  # by priority: the output queue
        self.empty: list[tuple[str, Span]] = []  # PFC queues that nothing fills
        self.maps_received = bool(objects.below("sent", name))
        for (queue,), own in objects.below("sent", name).items():
            self._read_sent(objects, queue, own)
        on = {int(p): own for (p,), own in objects.below("priorities", name).items() if p.isdigit() and len(p) == 1}
        for (queue,), own in objects.below("obeyed", name).items():
            given = own.get("priority")
            number = objects.queue_of(queue)
            if given is None or number is None:
                continue
            switch = own.get("on")
            other = on.get(given.value)
            newer = other.get("on") if other is not None else None
            if (switch is not None and switch.value) or (newer is not None and newer.value):
                self.obeyed[given.value] = (newer or switch or given).at
                self.stops[given.value] = Val(number, given.at)
                self.priority.setdefault(number, given)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The PFC queues that some class fills."""
        return tuple(sorted({val.value for val in self.group.values()}))

    def _read_sent(self, objects: Objects, queue: str, own: Values) -> None:
        given = own.get("priority")
        classes, tags = own.several.get("classes[]", []), own.several.get("tags[]", [])
        if given is None:
            return
        if not classes and not tags:
            self.empty.append((queue, given.at))
            return
        self.sent[given.value] = given.at
        number = objects.pfc_queue_of(queue)
        for of in classes:
            led = objects.queue_of_class(of.value)
            if led is not None:
                self.priority[led] = given
                if number is not None:
                    self.group[led] = Val(number, of.at)


class Sorter:
    """The chains of a switch's ports: those that sort alike have one object."""

    def __init__(self, objects: Objects, at: Span) -> None:
        self.objects = objects
        self.at = at
        given = Span(at.doc, at.start, at.start)
        self._own = tuple(Val(queue, given) for queue in TCS)
        self._chains: dict[object, Chain] = {}
        self._pfc: dict[str, Pfc] = {}

    def pfc_of(self, binding: Binding) -> Pfc | None:
        """What the mapping profile of a port says; None: it has none that is here."""
        name = binding.port.get("mapping")
        if name is None or self.objects.get("mappings", name.value) is None:
            return None
        if name.value not in self._pfc:
            self._pfc[name.value] = Pfc(self.objects, name.value)
        return self._pfc[name.value]

    def chain_of(self, binding: Binding) -> Chain:
        """How packets are sorted on a port."""
        dscp, tag, mapping = binding.dscp, binding.sorting.get("dot1p"), binding.port.get("mapping")
        key = tuple(val.value if val is not None else None for val in (dscp, tag, mapping))
        if key not in self._chains:
            pfc = self.pfc_of(binding)
            self._chains[key] = Chain(
                self._queues_of("dscp", dscp, 64),
                self._own,
                self._find_groups(pfc),
                tuple(pfc.priority.get(tc, own) if pfc is not None else own for tc, own in enumerate(self._own)),
                self._queues_of("dot1p", tag, 8) if tag is not None else (),
                self._find_stopped(pfc),
            )
        return self._chains[key]

    def _find_groups(self, pfc: Pfc | None) -> tuple[Val, ...]:
        """The PFC queue of each class: what is not lossless fills none, and is told as the one that none of them is."""
        if pfc is None or not pfc.maps_received:
            return self._own
        if any(val.value == 0 for val in pfc.group.values()):
            return tuple(pfc.group.get(tc, own) for tc, own in enumerate(self._own))
        return tuple(pfc.group.get(tc, own if tc == _CONTROL else self._own[0]) for tc, own in enumerate(self._own))

    def _queues_of(self, kind: str, name: Val | None, count: int) -> tuple[Val, ...]:
        """The queue of each code point: what a policy leaves out is fc0, and without a policy the default one holds."""
        out = []
        known = name is not None and self.objects.get(kind, name.value) is not None
        for code in range(count):
            if name is None:
                of = f"fc{own_class_of(code) if kind == 'dscp' else code}"
                out.append(Val(self.objects.queue_of_class(of), self.at))
                continue
            entry = self.objects.get(kind, name.value, str(code))
            if entry is not None and "class" in entry:
                out.append(Val(self.objects.queue_of_class(entry["class"].value), entry["class"].at))
            else:
                out.append(Val(self.objects.queue_of_class("fc0") if known else None, self.at))
        return tuple(out)

    def _find_stopped(self, pfc: Pfc | None) -> tuple[Val, ...]:
        """The queue that a pause of each priority stops; None: none does."""
        if pfc is None:
            return ()
        return tuple(pfc.stops.get(priority, Val(None, self.at)) for priority in TCS)
