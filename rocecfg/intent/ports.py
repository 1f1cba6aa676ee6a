"""Port groups of a device: which classes cross them, PFC priorities, watchdog, headroom."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.intent.classes import IN_MAPS, Table, resolve_on_port, sorting_key
from rocecfg.intent.links import NOTHING, End
from rocecfg.intent.port_settings import ALL_CLASSES, CrossingClasses, Watched, build_port, cross_all, resolve_watchdog
from rocecfg.intent.precedence import pick, recommend, report_repeats
from rocecfg.intent.values import nearest, only_near
from rocecfg.model import Default, Origin, PortGroup, ProfileFact, QosMaps, Span
from rocecfg.model.fix import Fix, replace
from rocecfg.model.stated import MISSING, Problem, Section, Val

_BY_PORT = ("ecn", *IN_MAPS)  # what of a class may differ on a port


# the same for every port there is
_MANAGEMENT = Default("a management port carries no lossless class")
_ENDS = {  # by whether its link leads to a switch
    True: ("switch", Default("its link leads to a switch")),
    False: ("host", Default("no link connects it to a switch, so it faces hosts")),
}


class Around(NamedTuple):
    """What a port inherits from: the layers, narrowest first, and the device's classes."""

    device: Section
    defaults: Section
    fabric: Section  # the top level: pfc, buffers, the MTU
    recommended: dict[str, ProfileFact]  # what of that is the workload's, and its profile
    table: Table


class Ports:
    """Makes the port groups of devices; what ports share with all others is computed once."""

    def __init__(self, problems: list[Problem]) -> None:
        self._problems = problems
        self.broken: set[str] = set()  # classes with changes on ports that could not be read
        self._maps: dict[QosMaps, QosMaps] = {}  # of ports that sort as none of the device's others: each once
        self._watchdogs: dict[tuple[int, ...], Watched] = {}

    def build_group(
        self,
        names: tuple[str, ...],
        key: str,
        given: Section,
        at: Origin,
        around: Around,
        linked: End = NOTHING,
    ) -> PortGroup:
        """One group of ports, without what profiles make of it. `linked`: what links add to what the ports say."""
        if linked.cable is not None:
            self._report_two_cables(linked.cable, pick("cable", given))
            given = {**given, "cable": linked.cable}
        layers = (given, around.device, around.defaults, around.fabric)
        origins: dict[str, Origin] = {"": at}
        stated, faces = pick("faces", *layers), None
        if stated is None and names:
            faces, origins["faces"] = _ENDS[bool(linked.to_switch)]
        management = stated is not None and stated.value == "management"
        port = build_port(
            names,
            key,
            origins,
            layers,
            self._resolve_classes(given.get("classes"), around.table, management=management),
            self._resolve_watchdog(given, around),
            faces=faces,
        )
        recommend("mtu", origins, around.recommended, *layers[:-1])
        return port

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

    def _resolve_watchdog(self, given: Section, around: Around) -> Watched:
        if "pfc" in given or "pfc" in around.device:
            return resolve_watchdog(self._problems, around.fabric, around.defaults, around.device, given)
        key = (id(around.fabric), id(around.defaults))  # both live as long as this object
        known = self._watchdogs.get(key)
        if known is None:
            known = self._watchdogs[key] = resolve_watchdog(self._problems, around.fabric, around.defaults)
        return known

    def _resolve_classes(self, val: Val | None, table: Table, *, management: bool) -> CrossingClasses:
        if val is None or val.value is MISSING:
            if management:
                return CrossingClasses(tuple(c.name for c in table.classes if not c.lossless), (), _MANAGEMENT)
            return cross_all(table.classes, ALL_CLASSES)
        if isinstance(val.value, dict):
            return self._resolve_changes(val.value, table, val.at)
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
        return cross_all((c for c in table.classes if c.name in names), val.at)

    def _resolve_changes(self, given: dict[str, Val], table: Table, at: Span) -> CrossingClasses:
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
        found = cross_all((c for c in changed.classes if c.name not in off), at)
        differing = tuple(c for c in changed.classes if c != table.by_name.get(c.name))
        if all(sorting_key(c) == sorting_key(table.by_name.get(c.name)) for c in differing):
            return found._replace(overrides=differing)
        maps = table.maps if changed.maps == table.maps else self._maps.setdefault(changed.maps, changed.maps)
        return found._replace(overrides=differing, maps=maps)
