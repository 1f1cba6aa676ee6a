"""Names that a configuration of Junos uses: what each is defined by, and which are defined nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.validation.junos_schema import LIST, OPAQUE
from rocecfg.validation.junos_tree import JunosNode, find_below

_ALIASES = frozenset(["be", "ef", "nc1", "nc2"]) | {
    *(f"af{group}{drop}" for group in range(1, 5) for drop in range(1, 4)),
    *(f"cs{number}" for number in range(1, 8)),
}
_TAG_ALIASES = frozenset(["be", "be1", "ef", "ef1", "af11", "af12", "nc1", "nc2"])
_OWN_CLASSES = frozenset(
    ["best-effort", "fcoe", "no-loss", "network-control", "mcast", "expedited-forwarding", "assured-forwarding"]
)
_OF_PORTS = {  # below interfaces of class-of-service: statement -> the list that defines its value, and what that is
    "scheduler-map": ("scheduler-maps", "scheduler map"),
    "congestion-notification-profile": ("congestion-notification-profile", "congestion notification profile"),
    "dedicated-buffer-profile": ("dedicated-buffer-profile", "dedicated buffer profile"),
    "decn-profile": ("decn-profile", "DECN profile"),
}


class Missing(NamedTuple):
    """A name that is used and not defined. `known`: those that are."""

    line: int
    where: str
    what: str
    name: str
    known: tuple[str, ...]


class _Use(NamedTuple):
    node: JunosNode
    name: str | None
    known: Iterable[str]
    what: str


def find_missing(root: JunosNode) -> Iterator[Missing]:
    """The names used by class-of-service and by filters' classes that are not defined in the configuration."""
    cos = root.one("class-of-service")
    if cos is None:
        return
    classes = _defined_classes(cos)
    uses = [*_uses_in_tables(cos, classes), *_uses_in_scheduling(cos, classes), *_uses_in_interfaces(cos, classes)]
    firewall = root.one("firewall")
    for then in find_below(firewall, "then") if firewall is not None else ():
        cls = then.one("forwarding-class")
        if cls is not None and cls.values:
            uses.append(_Use(cls, cls.values[-1], classes, "forwarding class"))
    for use in uses:
        if isinstance(use, Missing):
            yield use
        elif use.name is not None and use.name not in use.known and not use.name.startswith("<"):
            yield Missing(use.node.line, use.node.path(), use.what, use.name, tuple(use.known))


def find_missing_filters(root: JunosNode) -> Iterator[Missing]:
    """The filters that interfaces name and no firewall has: asked only of a configuration that is whole."""
    known: dict[str, set[str]] = {}
    firewall = root.one("firewall")
    if firewall is not None:
        for family in firewall.all("family"):
            for child in family.everything():
                known.setdefault(child.name, set()).update(child.named("filter"))
        known.setdefault("inet", set()).update(firewall.named("filter"))
    interfaces = root.one("interfaces")
    ports = interfaces.all("interface") if interfaces is not None else []
    families = (each for port in ports for unit in port.all("unit") for each in unit.below.get("family", {}).values())
    for child in (child for family in families for child in family.everything()):
        filters = child.one("filter") if child.kind != OPAQUE else None
        if filters is None or filters.kind == OPAQUE:
            continue
        have = known.get(child.name, set()) | known.get("any", set())
        for use in filters.everything():
            name = use.first if use.key else _last_value(use, ("filter-name", "name"))
            if use.name in ("input", "output") and name and name not in have:
                yield Missing(use.line, use.path(), f"firewall filter for family {child.name}", name, tuple(have))


def _last_value(node: JunosNode, names: Iterable[str]) -> str | None:
    return next((each.values[-1] for each in node.everything() if each.name in names and each.values), None)


def _defined_classes(cos: JunosNode) -> set[str]:
    """The forwarding classes that there are."""
    classes = cos.one("forwarding-classes")
    if classes is None:
        return {*_OWN_CLASSES}
    by_queue = (name for queue in classes.all("queue") for name in queue.all("class-name") if name.values)
    return {*_OWN_CLASSES, *classes.named("class"), *(name.values[-1] for name in by_queue)}


def _tables_of_kind(tables: JunosNode | None, kind: str) -> set[str]:
    """The classifiers, or rewrite rules, of a kind."""
    return {"default"} | (tables.named(kind) if tables is not None else set())


def _uses_in_tables(cos: JunosNode, classes: set[str]) -> Iterator[_Use | Missing]:
    named = cos.one("code-point-aliases")
    for word, what in (("classifiers", "classifier"), ("rewrite-rules", "rewrite rule")):
        tables = cos.one(word)
        for table in tables.everything() if tables is not None else []:
            if table.kind != LIST or not table.active:
                continue
            aliases = {each.first for each in named.all(table.name)} if named is not None else set()
            aliases |= _ALIASES if table.name.startswith("dscp") else _TAG_ALIASES
            taken = table.one("import")
            if taken is not None:
                yield _Use(taken, table.value("import"), _tables_of_kind(tables, table.name), what)
            for cls in table.all("forwarding-class"):
                yield _Use(cls, cls.first, classes, "forwarding class")
                yield from _unknown_aliases(table, cls, aliases)


def _unknown_aliases(table: JunosNode, cls: JunosNode, aliases: set[str]) -> Iterator[Missing]:
    for loss in cls.all("loss-priority"):
        for word in ("code-points", "code-point"):
            codes = loss.one(word)
            for code, line in zip(codes.values, codes.lines, strict=False) if codes is not None else ():
                if re.fullmatch("[01]+", code) is None and code not in aliases:
                    yield Missing(line, table.path(), "code point alias", code, tuple(aliases))


def _uses_in_scheduling(cos: JunosNode, classes: set[str]) -> Iterator[_Use]:
    schedulers, curves = cos.named("schedulers"), cos.named("drop-profiles")
    for cls in (cls for each in cos.all("scheduler-maps") for cls in each.all("forwarding-class")):
        yield _Use(cls, cls.first, classes, "forwarding class")
        yield from _use_of_leaf(cls, "scheduler", schedulers, "scheduler")
    for curve in (curve for each in cos.all("schedulers") for curve in each.all("drop-profile-map")):
        yield from _use_of_leaf(curve, "drop-profile", curves, "drop profile")
    for cls in (cls for each in cos.all("forwarding-class-sets") for cls in each.all("class")):
        yield _Use(cls, cls.first, classes, "forwarding class")
    for each in cos.all("traffic-control-profiles"):
        yield from _use_of_leaf(each, "scheduler-map", cos.named("scheduler-maps"), "scheduler map")
    for profile in cos.all("congestion-notification-profile"):
        output = profile.one("output")
        for cls in output.all("class") if output is not None else []:
            yield _Use(cls, cls.first, classes, "forwarding class")


def _use_of_leaf(node: JunosNode, word: str, known: Iterable[str], what: str) -> Iterator[_Use]:
    leaf = node.one(word)
    if leaf is not None:
        yield _Use(leaf, node.value(word), known, what)


def _uses_in_interfaces(cos: JunosNode, classes: set[str]) -> Iterator[_Use]:
    lists = {word: (cos.named(of), what) for word, (of, what) in _OF_PORTS.items()}
    lists["forwarding-class"] = (classes, "forwarding class")
    profiles, sets = cos.named("traffic-control-profiles"), cos.named("forwarding-class-sets")
    interfaces = cos.one("interfaces")
    for port in interfaces.all("interface") if interfaces is not None else []:
        places = [port, *port.all("unit")]
        for word, (known, what) in lists.items():
            for place in places:
                yield from _use_of_leaf(place, word, known, what)
        chosen = port.all("forwarding-class-set")
        for each in chosen:
            yield _Use(each, each.first, sets, "forwarding class set")
        for each in (*chosen, port):
            output = each.one("output-traffic-control-profile")
            if output is not None and output.one("profile-name") is not None:
                yield _Use(output, output.value("profile-name"), profiles, "traffic control profile")
        for place in places:
            yield from _bound_tables(cos, place)
    multicast = cos.one("multi-destination")
    bound = multicast.one("classifiers") if multicast is not None else None
    for each in bound.everything() if bound is not None else ():
        yield _Use(
            each, each.value("classifier-name"), _tables_of_kind(cos.one("classifiers"), each.name), "classifier"
        )


def _bound_tables(cos: JunosNode, place: JunosNode) -> Iterator[_Use]:
    """The classifiers and rewrite rules that a port or a unit of it uses."""
    for word, what in (("classifiers", "classifier"), ("rewrite-rules", "rewrite rule")):
        bound = place.one(word)
        for each in bound.everything() if bound is not None else ():
            if not each.active:
                continue
            leaves = (leaf.values[-1] for leaf in each.everything() if "name" in leaf.name and leaf.values)
            name = each.first if each.key else next(leaves, None)
            yield _Use(each, name, _tables_of_kind(cos.one(word), each.name), f"{each.name} {what}")
