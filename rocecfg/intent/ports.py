"""Port groups of a device: which classes cross them, PFC priorities, watchdog, headroom."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.intent.classes import IN_MAPS, Table, resolve_on_port, sorting_key
from rocecfg.intent.derived import NOTHING as UNSIZED
from rocecfg.intent.derived import Sizes
from rocecfg.intent.links import NOTHING, End
from rocecfg.intent.port_settings import plain_settings, resolve_headroom, resolve_watchdog
from rocecfg.intent.precedence import pick, pick_plain, recommend, report_repeats
from rocecfg.intent.values import nearest, only_near
from rocecfg.model import Computed, Default, Origin, PortGroup, ProfileFact, QosMaps, TrafficClass, Watchdog
from rocecfg.model.fix import Fix, replace
from rocecfg.model.stated import MISSING, Problem, Section, Val

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BY_PORT = ("ecn", *IN_MAPS)  # what of a class may differ on a port


# the same for every port there is
_PFC = Computed("priorities of the lossless classes that cross it")
_CLASSES = Default("all classes of the device")


class Around(NamedTuple):
    """What a port inherits from: the layers, narrowest first, and the device's classes."""

    device: Section
    defaults: Section
    fabric: Section  # the top level: pfc, buffers
    own: Section  # the section `fabric`, with what its workload recommends
    recommended: dict[str, ProfileFact]  # which of that the workload does, and its profile
    table: Table
    sizes: Sizes


class _Crossing(NamedTuple):
    """What crosses a port."""

    names: tuple[str, ...]  # of classes, in the order of the device's
    paused: frozenset[int]  # priorities of the lossless ones
    differing: tuple[TrafficClass, ...] = ()  # classes that are not as on the device otherwise
    maps: QosMaps | None = None  # where classes are not sorted, or paused, as on the device otherwise


def _collect_crossing(classes: Iterable[TrafficClass]) -> _Crossing:
    found = tuple(classes)
    return _Crossing(tuple(c.name for c in found), frozenset(c.priority for c in found if c.lossless))


class Ports:
    """Makes the port groups of devices; what ports share with all others is computed once."""

    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self.broken: set[str] = set()  # classes with changes on ports that could not be read
        self._maps: dict[QosMaps, QosMaps] = {}  # of ports that sort as none of the device's others: each once
        self._watchdogs: dict[tuple[int, ...], tuple[Watchdog | None, Origin | None]] = {}

    def build_group(
        self,
        names: tuple[str, ...],
        key: str,
        given: Section,
        at: Origin,
        around: Around,
        linked: End = NOTHING,
        *,
        implied: bool = False,
    ) -> PortGroup:
        """One group of ports. `linked`: what links add to what the ports say."""
        origins: dict[str, Origin] = {"": at}
        layers = (given, around.device, around.defaults)
        settings = plain_settings(origins, *layers)
        speed = settings["speed"]
        faces = pick_plain("faces", origins, *layers)
        if faces is None and not implied:
            faces = "switch" if linked.to_switch else "host"
            origins["faces"] = Default(
                "its link leads to a switch"
                if linked.to_switch
                else ("no link connects it to a switch, so it faces hosts")
            )
        if linked.cable is not None:
            cable = linked.cable.value
            origins["cable"] = linked.cable.at
            self._report_two_cables(linked.cable, pick("cable", given))
        else:
            cable = pick_plain("cable", origins, *layers)
            unread = next((layer["cable"] for layer in layers if "cable" in layer), None)
            if unread is not None and unread.value is MISSING:
                origins["cable"] = unread.at  # stated, if not readable: not missing
        mtu = pick_plain("mtu", origins, *layers, around.own)
        recommend("mtu", origins, around.recommended, *layers)
        dog, dog_at = self._resolve_watchdog(given, around)
        if dog_at is not None:
            origins["watchdog"] = dog_at
        room, room_at = resolve_headroom(speed, *layers, around.fabric)
        if room_at is not None:
            origins["headroom"] = room_at
        crossing = self._resolve_classes(given.get("classes"), faces, origins, around.table)
        lossless = sorted(crossing.paused)
        origins["pfc"] = _PFC
        sized = around.sizes.size_port(speed, cable, mtu, room) if lossless else UNSIZED
        if sized.room is not None:
            origins["room"] = sized.room.at()
        if sized.alpha_at is not None:
            origins["alpha"] = sized.alpha_at
        return PortGroup(
            names=names,
            key=key,
            classes=crossing.names,
            pfc=tuple(lossless),
            faces=faces,
            cable=cable,
            mtu=mtu,
            watchdog=dog,
            headroom=room,
            room=sized.room,
            alpha=sized.alpha,
            rail=pick_plain("rail", origins, given),
            implied=implied,
            overrides=crossing.differing,
            maps=crossing.maps,
            origins=origins,
            **settings,
        )

    def _report_two_cables(self, of_link: Val, of_port: Val | None) -> None:
        """Report a port that says another length than its link: the device's and the defaults' may be overridden."""
        if of_port is None:
            return
        own, link = (f"{show_number(val.value)} m" for val in (of_port, of_link))
        self._problems.append(
            Problem(
                "link-cable",
                of_link.at,
                f"a link states a cable of {link}, but its port one of {own}: headroom is sized for the link",
                "state the length once: remove cable from the link or from the port",
                ((of_port.at, f"{own} at the port"),),
            )
        )

    def _resolve_watchdog(self, given: Section, around: Around) -> tuple[Watchdog | None, Origin | None]:
        if "pfc" in given or "pfc" in around.device:
            return resolve_watchdog(self._problems, around.fabric, around.defaults, around.device, given)
        key = (id(around.fabric), id(around.defaults))  # both live as long as this object
        known = self._watchdogs.get(key)
        if known is None:
            known = self._watchdogs[key] = resolve_watchdog(self._problems, around.fabric, around.defaults)
        return known

    def _resolve_classes(
        self, val: Val | None, faces: str | None, origins: dict[str, Origin], table: Table
    ) -> _Crossing:
        if val is None or val.value is MISSING:
            if faces == "management":
                origins["classes"] = Default("a management port carries no lossless class")
                return _Crossing(tuple(c.name for c in table.classes if not c.lossless), frozenset())
            origins["classes"] = _CLASSES
            return _collect_crossing(table.classes)
        origins["classes"] = val.at
        if isinstance(val.value, dict):
            return self._resolve_changes(val.value, table)
        names = []
        for item in val.value:
            if item.value in table.by_name:
                names.append(item.value)
            else:
                meant = only_near(item.value, table.by_name)
                remedy = Fix(f"write {meant}", safe=False, changes=(replace(item.at, meant),)) if meant else None
                help = nearest(item.value, table.by_name)
                self._problems.append(
                    Problem("schema-ref", item.at, f"there is no class {item.value}", help, fix=remedy)
                )
        return _collect_crossing(c for c in table.classes if c.name in names)

    def _resolve_changes(self, given: dict[str, Val], table: Table) -> _Crossing:
        for name, val in given.items():
            if not isinstance(val.value, dict):
                if val.value is MISSING:
                    self.broken.add(name)
                continue
            for key, part in val.value.items():
                if key not in _BY_PORT and part.value is not MISSING:
                    self.broken.add(name)  # what was meant for the class there is not known
                    self._problems.append(
                        Problem(
                            "schema-port-class",
                            part.at,
                            f"{key} of class {name} is set on a port; only {', '.join(_BY_PORT)} can differ by port",
                            "set it on the device",
                        )
                    )
            if name in table.sections:
                report_repeats(val.value, table.sections[name][0], self._problems, f"{name}.")
        changed, off = resolve_on_port(table, given, self._problems)
        self.broken |= changed.broken
        found = _collect_crossing(c for c in changed.classes if c.name not in off)
        differing = tuple(c for c in changed.classes if c != table.by_name.get(c.name))
        if all(sorting_key(c) == sorting_key(table.by_name.get(c.name)) for c in differing):
            return found._replace(differing=differing)
        maps = table.maps if changed.maps == table.maps else self._maps.setdefault(changed.maps, changed.maps)
        return found._replace(differing=differing, maps=maps)
