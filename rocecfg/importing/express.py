"""From a switch as the model has it to the texts of an intent; what an intent cannot say is noted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from rocecfg.core.units import Percent
from rocecfg.importing.curves import Curve
from rocecfg.importing.format import SizeUnits, Unsayable, format_curve, format_headroom, format_value
from rocecfg.importing.own_maps import OnPort, match_classes
from rocecfg.importing.texts import SHARES, SPREAD, UNLESS_SAID, ClassText, PortText, SwitchText
from rocecfg.importing.timers import express_timers
from rocecfg.importing.unsupported import Unsaid, UnsaidOnSwitch, note_port, note_switch
from rocecfg.intent.schema import CLASS, DEVICE, PORT
from rocecfg.intent.shapes import PORTS
from rocecfg.model import AUTO, Device, PortGroup, Span, TrafficClass, spans_of
from rocecfg.source.write import Value
from rocecfg.vendors import part
from rocecfg.vendors.draft import Draft

_OF_NO_USE = frozenset(("pfc", "hostname", *SPREAD))  # what of a switch's settings is said elsewhere, or is its name
_OF_PORT = tuple(key for key in PORT.keys if key in PortGroup.__slots__ and key not in ("classes", "macsec"))
_PLACES = 4  # of a percentage: what eight of them lose by it stays far below what a scheduler can tell apart
_STRICT = "strict"
_NUMBERS = range(8)  # of priorities, queues and priority groups, as an intent has them


def express_switch(name: str, draft: Draft, device: Device, sizes: SizeUnits) -> SwitchText:
    """A switch as an intent says it. `device`: the model of the same switch."""
    return _Expression(draft, device, sizes).express(name)


class _Floors:
    """The classes guaranteed just what the vendor's writer guarantees to watched queues by itself, as EOS's does."""

    def __init__(self, vendor: str | None) -> None:
        self._floor: int | None = part(vendor, "writer").WATCHED_FLOOR if vendor is not None else None  # bit/s
        self._found: dict[int, set[bool]] = {}  # by traffic class: whether ports that have it are watched

    def add(self, tc: int, cls: TrafficClass, *, watched: bool) -> None:
        """A traffic class of the switch that crosses ports, as it is there."""
        if self._floor is not None and cls.guaranteed_rate == self._floor:
            self._found.setdefault(tc, set()).add(watched)

    def is_implied(self, cls: TrafficClass) -> bool:
        """Whether an intent that leaves the guarantee of a class out is rendered with it all the same."""
        known = self._floor is not None and cls.guaranteed_rate == self._floor
        return known and self._found.get(cls.tc) == {True}


class _Expression:
    def __init__(self, draft: Draft, device: Device, sizes: SizeUnits) -> None:
        self.draft = draft
        self.device = device
        self.sizes = sizes
        self.notes = UnsaidOnSwitch()
        self.here: tuple[str, ...] = ()  # the ports looked at
        self.floors = _Floors(device.vendor)
        self.classes, sorted_by = match_classes(device)
        self.sorted_by = dict(zip(map(id, device.ports), sorted_by, strict=True))
        # traffic classes that only ports with maps of their own have
        self.of_some = {cls.tc for name, cls in self.classes.items() if name not in {c.name for c in device.classes}}

    def express(self, name: str) -> SwitchText:
        """The switch, under a name."""
        classes = {cls.tc: self._express_class(cls) for cls in self.classes.values()}
        found = [self._express_port(port) for port in self.device.ports if self._is_used(port)]
        ports = [port for port in found if port is not None]
        self.here = ()
        self._note_switch(ports)
        classes = {tc: self._drop_implied_floor(cls) for tc, cls in classes.items()}
        if self.device.running is not None and not self.device.running.remarks:  # which are by traffic class
            classes, ports = join_classes(classes, ports)
        classes = _round_bandwidths(classes)
        stated = {key: val for key, val in self.draft.stated.items() if key in DEVICE.keys and key not in _OF_NO_USE}
        settings = self._express_settings(DEVICE.keys, {key: (val.value, val.at) for key, val in stated.items()})
        own = (port.running for port in self.device.ports if port.running is not None)
        trimmed = frozenset(queue for running in own for queue in running.trimmed or ())
        typed = self.device.running.typed if self.device.running is not None else None
        return SwitchText(
            name, settings, classes, tuple(ports), self.notes.list_all(), self.draft.unset, trimmed, typed
        )

    def _is_used(self, port: PortGroup) -> bool:
        """Whether ports are configured, or up. Of those that are neither nothing is intended, which is noted."""
        bound = any(each.running is not None and each.running.maps for each in self.device.ports)
        whole = self.device.running is not None and self.device.running.whole
        if not bound or port.running is None or not whole:
            return True
        if port.running.up or port.running.maps or isinstance(port.at("trust"), Span):
            return True
        self.notes.add(Unsaid("left out: neither up nor bound to any map", _locate(port, "")), port.names)
        return False

    def _note_switch(self, ports: Iterable[PortText]) -> None:
        running, buffers = self.device.running, self.device.buffers
        if running is None:
            return
        pools = {"lossless": buffers.lossless_pool, "lossy": buffers.lossy_pool}
        shares = {key: share for key, share in pools.items() if share is not None}
        errdisables = any(port.timers.action == "errdisable" for port in ports)
        for note in note_switch(running, _locate(self.device, ""), self.sizes, shares, errdisables=errdisables):
            self.notes.add(note)

    def _drop_implied_floor(self, found: ClassText) -> ClassText:
        cls = next(cls for cls in self.classes.values() if cls.tc == found.tc)
        if not self.floors.is_implied(cls):
            return found
        return found._replace(shares={key: value for key, value in found.shares.items() if key != "guaranteed"})

    def _express_class(self, cls: TrafficClass) -> ClassText:
        numbers = {"priority": cls.priority, "queue": cls.queue, "pg": cls.pg}
        for key, number in numbers.items():
            if number not in _NUMBERS:
                self._add_note(f"{key} {number} of tc {cls.tc}: an intent has 0 to 7", _locate(cls, key))
                numbers[key] = 0 if key == "pg" and not cls.lossless else cls.tc
        shares = {key: (share, _locate(cls, key)) for key in SHARES if (share := _find_share(cls, key)) is not None}
        return ClassText(
            tc=cls.tc,
            dscps=cls.dscps,
            **numbers,
            lossless=cls.lossless,
            shares=self._express_settings(CLASS.keys, shares, f"tc {cls.tc}"),
        )

    def _express_port(self, port: PortGroup) -> PortText | None:
        names, at = port.names, _locate(port, "")
        strange = [name for name in names if not PORTS.fits.fits(name)]
        if strange:
            ports = f"{len(strange)} port{'s' * (len(strange) != 1)}"
            self.notes.add(Unsaid(f"{ports} with a name that an intent does not accept", at))
            names = tuple(name for name in names if name not in strange)
            if not names:
                return None
        self.here = names
        settings = self._express_port_settings(port)
        sorted_by = self.sorted_by[id(port)]
        crossing = self._find_crossing(port, sorted_by)
        own = {self.classes[name].tc: self._express_class(cls) for name, cls in (sorted_by or {}).items()}
        dog, notes = express_timers(port.watchdog, port.pfc, port.at("watchdog"))
        for tc, cls in crossing.items():
            self.floors.add(tc, cls, watched=cls.lossless and dog.word != "off")
        if port.running is not None:
            notes += note_port(port.running, port.pfc, at)
        for note in notes:
            self.notes.add(note, names)
        return PortText(
            names,
            settings,
            frozenset(crossing),
            port.pfc,
            {tc: self._express_curve(tc, cls) for tc, cls in crossing.items()},
            dog,
            self._express_headroom(port),
            own,
        )

    def _express_port_settings(self, port: PortGroup) -> dict[str, Any]:
        stated = {key: (getattr(port, key), at) for key in _OF_PORT if isinstance(at := port.origins.get(key), Span)}
        if "cable" in stated and port.cable is None:
            self._add_note("a cable of no length", stated.pop("cable")[1])
        offers = port.running.offers if port.running is not None else None
        if offers and "speed" in stated and port.speed not in offers:  # what is configured beside it is not what runs
            stated["speed"] = offers[-1], stated["speed"][1]
        settings = {**UNLESS_SAID, **self._express_settings(PORT.keys, stated)}
        if port.macsec is not None:
            settings["macsec"] = {"pfc_frames": port.macsec} if port.macsec != "unstated" else {}
        return settings

    def _find_crossing(self, port: PortGroup, sorted_by: OnPort | None) -> dict[int, TrafficClass]:
        """The classes that cross a port, as they are there, by their traffic class on the switch."""
        if sorted_by is not None:
            here = dict(sorted_by)
        else:
            here = {cls.name: cls for cls in self.device.classes_on(port) if cls.name in self.classes}
        out = {}
        for name, cls in here.items():
            usual = self.classes[name]
            if sorted_by is None and usual.tc in self.of_some:
                continue
            out[usual.tc] = cls
            for key in SHARES:
                share = _find_share(cls, key)
                if share is not None and share != _find_share(usual, key):
                    at = _locate(cls, key)
                    text = self._express_settings(CLASS.keys, {key: (share, at)}, f"tc {usual.tc}").get(key)
                    if text is not None:
                        self._add_note(f"{key} of tc {usual.tc} is {text}: an intent has one for the switch", at)
        return out

    def _express_settings(
        self, keys: Mapping[str, Any], stated: Mapping[str, tuple[Any, Span]], where: str = ""
    ) -> dict[str, Any]:
        """What an intent says under known keys; what the format takes no such value for is noted."""
        out: dict[str, Any] = {}
        for key, (value, at) in stated.items():
            if value is not None:
                try:
                    out[key] = format_value(keys[key].type, value, self.sizes)
                except Unsayable as error:
                    self._add_note(f"{key} {error}{f' ({where})' if where else ''}", at)
        return out

    def _express_curve(self, tc: int, cls: TrafficClass) -> Curve:
        if cls.ecn is None:
            if cls.name in self.draft.broken and "ecn" in cls.origins:
                self._add_note(f"ECN without kmin, kmax or pmax (tc {tc})", _locate(cls, "ecn"))
            return None
        if cls.ecn == AUTO:
            self._add_note(f"the thresholds at which tc {tc} is marked", _locate(cls, "ecn"))
            return AUTO
        try:
            return format_curve(cls.ecn, self.sizes)
        except Unsayable as error:
            self._add_note(f"ECN {error} (tc {tc})", _locate(cls, "ecn"))
            return None

    def _express_headroom(self, port: PortGroup) -> Any:
        try:
            return format_headroom(port.headroom, self.sizes) if port.headroom is not None else None
        except Unsayable as error:
            self._add_note(f"headroom {error}", _locate(port, "headroom"))
            return None

    def _add_note(self, text: str, at: Span) -> None:
        self.notes.add(Unsaid(text, at), self.here)


def _locate(of: Device | PortGroup | TrafficClass, field: str) -> Span:
    """Where a value is stated."""
    return next(iter((*spans_of(of.at(field)), *spans_of(of.at("")))), Span(0, 0, 0))


def _find_share(cls: TrafficClass, key: str) -> float | str | None:
    """How a class sends, shares to as many places as anybody reads: some are computed from weights."""
    if key == "bandwidth":
        share: float | str | None = _STRICT if cls.strict else cls.bandwidth
    else:
        share = getattr(cls, f"{key}_rate" if key == "guaranteed" else key)
        percent = cls.guaranteed_percent if key == "guaranteed" else cls.max_percent
        share = Percent(percent) if share is None and percent is not None else share
    if isinstance(share, float):
        rounded = round(share, _PLACES)  # a plain number, of a share too
        return Percent(rounded) if isinstance(share, Percent) else rounded
    return share


def _round_bandwidths(classes: Mapping[int, ClassText]) -> dict[int, ClassText]:
    """The classes of a switch, the shares of their queues as people write them."""
    stated = {cls.queue: str(cls.shares["bandwidth"]) for cls in classes.values() if "bandwidth" in cls.shares}
    shares = {queue: float(share) for queue, share in stated.items() if share != _STRICT}
    whole = round_to_whole(shares) or {}
    return {
        tc: cls._replace(shares={**cls.shares, "bandwidth": str(whole[cls.queue])}) if cls.queue in whole else cls
        for tc, cls in classes.items()
    }


Classes = Mapping[int, ClassText]
Ports = Sequence[PortText]


def join_classes(classes: Classes, ports: Ports) -> tuple[dict[int, ClassText], list[PortText]]:
    """The classes of a switch, those that packets cannot tell apart as one, and its ports in these terms.

    Lossy classes are one where they leave by one queue, are buffered in one priority group, and cross the same ports
    with the same marking: NVUE's `qos roce` puts six switch priorities into queue 0. They keep the number of that
    queue where one of them has it. Where ports sort by 802.1p values, or by maps of their own, each stays what it is:
    there its number says which packets it takes.
    """
    if any(port.own or port.settings.get("trust") != "dscp" for port in ports):
        return dict(classes), list(ports)
    alike: dict[object, list[int]] = {}
    for tc, cls in classes.items():
        shares = tuple(sorted((key, str(value)) for key, value in cls.shares.items()))
        crossed = tuple((tc in port.crossing, _make_hashable(port.ecn.get(tc))) for port in ports)
        key = tc if cls.lossless else (cls.queue, cls.pg, shares, crossed)
        alike.setdefault(key, []).append(tc)
    out = {}
    for tcs in alike.values():
        kept = next((tc for tc in tcs if tc == classes[tc].queue), min(tcs))
        dscps = tuple(sorted(point for tc in tcs for point in classes[tc].dscps))
        out[kept] = classes[kept]._replace(dscps=dscps)
    return out, [_keep_classes(port, out) for port in ports]


def _keep_classes(port: PortText, classes: Classes) -> PortText:
    ecn = {tc: curve for tc, curve in port.ecn.items() if tc in classes}
    return port._replace(crossing=port.crossing & classes.keys(), ecn=ecn)


def _make_hashable(curve: Value | None) -> object:
    return curve if curve is None or isinstance(curve, str) else str(curve)


_WHOLE = 100
_NEAR = 0.01  # percent: how far shares of 1/8 and the like may miss the whole by, as they are written
_LOST = 1  # percentage points: less than this no scheduler that takes whole weights tells apart


def round_to_whole(shares: Mapping[int, float]) -> dict[int, int] | None:
    """Shares of queues, in percent, as whole numbers from 1 that sum to 100; equal ones stay equal where they can.

    None where that changes one by a percentage point or more, or where they sum to something else: who set them so
    has to see it.
    """
    if abs(sum(shares.values()) - _WHOLE) > _NEAR:
        return None
    out = {queue: max(1, math.floor(share)) for queue, share in shares.items()}
    left = _WHOLE - sum(out.values())
    for queue in _choose_rounded_up(shares, out, left):
        out[queue] += 1
    if left < 0:  # those that were less than one cost the largest
        out[max(out, key=out.__getitem__)] += left
    return out if all(abs(out[queue] - share) < _LOST for queue, share in shares.items()) else None


def _choose_rounded_up(shares: Mapping[int, float], floors: Mapping[int, int], left: int) -> list[int]:
    """The queues that are rounded up: as many as are left over, all that are equal or none, else the largest rests."""
    if left <= 0:
        return []
    rest = {queue: share - floors[queue] for queue, share in shares.items()}
    equal: dict[float, list[int]] = {}
    for queue, share in shares.items():
        equal.setdefault(share, []).append(queue)
    found = [
        [queue for group in chosen for queue in group]
        for count in range(1, len(equal) + 1)
        for chosen in combinations(equal.values(), count)
        if sum(map(len, chosen)) == left
    ]
    if found:
        return max(found, key=lambda queues: sum(rest[queue] for queue in queues))
    return sorted(rest, key=lambda queue: -rest[queue])[:left]
