"""What several lines show together, and what is not understood."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.nodeset import fold
from rocecfg.core.units import show_number
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread, Val
from rocecfg.model.switch import Idle
from rocecfg.vendors.nxos.reading.config import BUILT_IN, DEFAULT, DOUBTED, OWN_POLICIES, Config, Wrong
from rocecfg.vendors.nxos.reading.kinds import Kind
from rocecfg.vendors.nxos.reading.lines import Line
from rocecfg.vendors.nxos.reading.sorting import Sorter, find_network_policy, priorities_of
from rocecfg.vendors.nxos.settings import CLASS_MTU_UNSAID, NETWORK, QOS, QUEUING, TABLE
from rocecfg.vendors.table import is_of_port

_TITLES = {QOS: "type qos", NETWORK: "type network-qos", QUEUING: "type queuing"}


def _show(line: Line) -> str:
    return " ".join((*(("no",) if line.negated else ()), *line.words))[:100]


def _message_of(wrong: Wrong) -> tuple[str, str, str]:
    text = _show(wrong.line)
    if wrong.row is None:
        return "device-unknown", f"`{text}` is no line on queues, PFC or classes that is known here", ""
    return "device-value", f"`{text}` has a value that NX-OS does not take", "see what show running-config has of it"


def find_problems(config: Config, kinds: list[Kind], sorter: Sorter, *, whole: bool) -> tuple[Problem, ...]:
    """What is wrong, and what is not judged."""
    found = [
        Problem(rule, wrong.line.at, text, fix) for wrong in config.wrong for rule, text, fix in (_message_of(wrong),)
    ]
    for line, row in config.unjudged:
        found.append(Problem("device-unread", line.at, _explain(line, row.unjudged, len(row.path)), alike=row.unjudged))
    found += _find_dangling(config, whole=whole)
    found += _check_network(config, kinds, sorter, whole=whole)
    found += _check_classes(config)
    found += _check_ports(config, kinds, sorter, whole=whole)
    found += _check_tags(config, kinds, sorter)
    found += _check_queues(config, kinds, sorter)
    return tuple(dict.fromkeys(found))


def _explain(line: Line, text: str, size: int) -> str:
    words = line.whole if line.path[:1] != ("interface",) else ("interface", line.names[0], *line.words)
    return text.replace("{rest}", " ".join(words[size:])[:60]).format(*words)


# -- names -------------------------------------------------------------------------------------------------------------


def _list_bound(config: Config) -> Iterator[tuple[str, Val]]:
    """Each policy that is bound: its type and name."""
    for key, kind in ((NETWORK, NETWORK), ("output", QUEUING), ("input", QUEUING), (QOS, QOS)):
        if key in config.system:
            yield kind, config.system[key]
        for port in config.ports.values() if key != NETWORK else ():
            if key in port.stated:
                yield kind, port.stated[key]


def _find_dangling(config: Config, *, whole: bool) -> Iterator[Problem]:
    """Policies that are bound and not defined, classes that are named and not defined."""
    places: dict[tuple[str, str], dict[Span, None]] = {}
    for kind, val in _list_bound(config):
        known = (kind, val.value) in config.policies or val.value.startswith(OWN_POLICIES)
        if not known and (whole or any(of == kind for of, _ in config.policies)):
            places.setdefault((f"policy-map {_TITLES[kind]}", val.value), {})[val.at] = None
    for (kind, _), policy in config.policies.items():
        for of in policy.classes:
            own = (kind, of) in config.class_maps or of == DEFAULT or (kind != QOS and of in BUILT_IN)
            told = whole or kind != QOS or any(each == kind for each, _ in config.class_maps)
            if told and not own:
                places.setdefault((f"class-map {_TITLES[kind]}", of), {})[policy.places[of]] = None
    for (what, name), (first, *more) in places.items():
        message = f"{what} {name[:60]} is named here but not defined"
        yield Problem("device-ref", first, message, "define it, or name another", places=tuple(more))


def list_unbound(config: Config) -> Iterator[tuple[str, str]]:
    """Policies that nothing binds, by type and name."""
    bound = {(kind, val.value) for kind, val in _list_bound(config)}
    yield from (key for key in config.policies if key not in bound)


def list_idle(config: Config, *, whole: bool) -> Iterator[Idle]:
    """Lines of policies that nothing binds, and of classes that no bound policy has."""
    idle = set(list_unbound(config)) if whole or config.system_at is not None else set()
    used = {
        (kind, of)
        for (kind, name), policy in config.policies.items()
        if (kind, name) not in idle
        for of in policy.classes
    }
    for line in config.lines:
        what, *key = line.path[:3] if len(line.path) >= 3 else ("",)
        gone = (what == "policy-map" and tuple(key) in idle) or (
            what == "class-map" and tuple(key) in config.class_maps and tuple(key) not in used and whole
        )
        if gone and line.words:
            yield Idle(line.at, " ".join(line.whole))


# -- network-qos -------------------------------------------------------------------------------------------------------


def _check_network(config: Config, kinds: list[Kind], sorter: Sorter, *, whole: bool) -> Iterator[Problem]:
    in_force = find_network_policy(config)
    for (kind, name), policy in config.policies.items():
        paused = [stated["pause"] for stated in policy.classes.values() if "pause" in stated]
        if kind == NETWORK and paused and in_force is None and (whole or config.system_at is not None):
            yield Problem(
                "nxos-network-qos",
                policy.at,
                f"network-qos policy {name[:60]} has no-drop classes and is not bound: without it no port sends or "
                "obeys a pause, whatever priority-flow-control mode says",
                f"below system qos: service-policy type network-qos {name[:60]}",
            )
    ports = [kind for kind in kinds if kind.mode == "on"]
    if whole and ports and in_force is not None and not sorter.no_drop:
        yield Problem(
            "nxos-network-qos",
            ports[0].stated["mode"].at,
            f"PFC is on at {fold(tuple(name for kind in ports for name in kind.names))}, and no class of network-qos "
            f"policy {in_force[0][:60]} is no-drop: no port sends or obeys a pause",
            "below the network-qos class of RDMA's qos-group: pause pfc-cos N",
        )
    off = config.globals.get("override")
    if off is not None:
        yield Problem(
            "nxos-override",
            off.at,
            "priority-flow-control override-interface mode off: PFC is off on all ports, whatever they say",
            "remove it: no priority-flow-control override-interface mode off",
        )
    for each in sorter.no_drop if ports else ():
        if each.pause.value.receives:
            numbers = ", ".join(map(show_number, priorities_of(config, each)))
            yield Problem(
                "nxos-pause-receive",
                each.pause.at,
                f"class {each.name} has receive: the switch obeys pauses of priority {numbers} and sends none, so "
                "packets that come when its buffer is full are dropped",
                f"below class {each.name}: pause pfc-cos {numbers.replace(' ', '')}",
            )
    for each in sorter.no_drop:
        stated = in_force[1].classes[each.name] if in_force is not None else {}
        size = stated["mtu"].value if "mtu" in stated else CLASS_MTU_UNSAID
        larger = {
            name: kind.stated["mtu"].value
            for kind in kinds
            if "mtu" in kind.stated and kind.stated["mtu"].value > size and kind.mode == "on"
            for name in kind.names
        }
        if larger and f"{DOUBTED}mtu" not in stated:
            own = "by default" if "mtu" not in stated else "stated"
            yield Problem(
                "nxos-class-mtu",
                stated["mtu"].at if "mtu" in stated else each.pause.at,
                f"no-drop class {each.name} has an MTU of {size} B ({own}), below the {max(larger.values())} B of "
                f"{fold(tuple(larger))}: larger packets of RDMA are dropped, and its pause buffer is too small",
                f"below class {each.name}: mtu {max(larger.values())}",
            )


# -- classes -----------------------------------------------------------------------------------------------------------


def _check_classes(config: Config) -> Iterator[Problem]:
    idle = {*list_unbound(config)}
    for (kind, name), policy in config.policies.items():
        for of in policy.classes if kind == QOS and (kind, name) not in idle else ():
            own = config.class_maps.get((QOS, of))
            if own is not None and not own.matches:
                yield Problem(
                    "nxos-empty-class",
                    own.at,
                    f"class {of[:60]} of policy {name[:60]} matches nothing: what it is for goes into qos-group 0",
                    f"below class-map type qos match-any {of[:60]}: match dscp N, or match cos N",
                )
    for (kind, name), own in config.class_maps.items():
        keys = list(dict.fromkeys(key for key, _ in own.matches))
        if kind == QOS and own.all and len(keys) > 1:
            yield Problem(
                "nxos-match-all",
                own.at,
                f"class {name[:60]} is match-all with {' and '.join(keys)}: Nexus 9000 takes packets that any of them "
                "fits, not all",
                f"write it as it works: class-map type qos match-any {name[:60]}, or one kind of match",
            )


# -- ports -------------------------------------------------------------------------------------------------------------


def is_auto(kind: Kind, sorter: Sorter, policy: str | None) -> bool:
    """Whether ports sort into a no-drop class, and have PFC only where DCBX has it agreed."""
    return kind.mode == "auto" and sorts_into_no_drop(sorter, policy)


def sorts_into_no_drop(sorter: Sorter, policy: str | None) -> bool:
    """Whether a policy leads anything into a no-drop class."""
    groups = {each.group for each in sorter.no_drop}
    marks = sorter.read_marks(policy)
    return policy is not None and any(val.value in groups for val in (*(marks.dscp or ()), *(marks.cos or ())))


def _check_queues(config: Config, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """Queues that packets are sorted into, and that get no bandwidth beside the others."""
    bound = config.system.get("output")
    policy = config.find_policy(QUEUING, bound)
    used = {
        val.value
        for kind in kinds
        for marks in (sorter.read_marks(policy_of(config, kind)),)
        for val in (*(marks.dscp or ()), *(marks.cos or ()))
    }
    if policy is None:
        return
    for name, stated in policy.classes.items():
        given = [stated[key].value for key in ("share", "percent") if key in stated]
        if config.group_of(QUEUING, name) in used and "strict" not in stated and not any(given):
            yield Problem(
                "nxos-no-share",
                next((stated[key].at for key in ("share", "percent") if key in stated), policy.places[name]),
                f"queue {name} gets packets and no bandwidth: it is served when all others are empty",
                f"below class type queuing {name}: bandwidth remaining percent N, or priority level N",
            )


def _check_tags(config: Config, kinds: list[Kind], sorter: Sorter) -> Iterator[Problem]:
    """Ports that sort by CoS, and take no tagged packets."""
    for kind in kinds:
        marks = sorter.read_marks(policy_of(config, kind))
        mode = kind.stated.get("port mode")
        switched = "switchport" in kind.stated and kind.stated["switchport"].value is not False
        plain = (mode.value == "access" if mode is not None else switched) and "trunk" not in kind.stated
        if (
            marks.dscp is None
            and marks.cos is not None
            and plain
            and sorts_into_no_drop(sorter, policy_of(config, kind))
        ):
            yield Problem(
                "nxos-untagged",
                mode.at if mode is not None else kind.stated["switchport"].at,
                f"{fold(tuple(kind.names))}: packets are sorted by CoS, which a tag carries, and the port is an access "
                "port: RDMA comes without one, and goes into qos-group 0",
                "switchport mode trunk, with the storage VLAN tagged; or classify by DSCP",
            )


def _check_ports(config: Config, kinds: list[Kind], sorter: Sorter, *, whole: bool) -> Iterator[Problem]:
    watched = [kind for kind in kinds if "watch" in kind.stated and kind.stated["watch"].value.word == "on"]
    for kind in watched:
        if not kind.stated["watch"].value.acts:
            yield Problem(
                "nxos-watchdog-logs",
                kind.stated["watch"].at,
                f"{fold(tuple(kind.names))}: with disable-action the watchdog only writes a log: a pause storm goes "
                "on, and can stop the fabric",
                "priority-flow-control watch-dog-interval on, without disable-action",
            )
    switch = config.globals.get("watch")
    off = switch is None or switch.value == "off"
    lossless = [kind for kind in kinds if kind.mode == "on" and sorter.no_drop]
    doubted = any(wrong.row is not None and wrong.row.key == "watch" for wrong in config.wrong)
    if watched and off and whole and not doubted:
        names = tuple(name for kind in watched for name in kind.names)
        yield Problem(
            "nxos-watchdog-half",
            watched[0].stated["watch"].at,
            f"the watchdog is on at {fold(names)} and off for the switch: nothing is watched",
            "priority-flow-control watch-dog-interval on, of the switch",
        )
    if not off and switch is not None and lossless and not watched:
        yield Problem(
            "nxos-watchdog-half",
            switch.at,
            "the watchdog is on for the switch and at no port: nothing is watched",
            "priority-flow-control watch-dog-interval on, below each lossless port",
        )
    autos = [kind for kind in kinds if is_auto(kind, sorter, policy_of(config, kind))]
    for kind in autos:
        stated = kind.stated.get("mode")
        how = "mode auto" if stated is not None else "mode auto, the default"
        yield Problem(
            "nxos-pfc-auto",
            stated.at if stated is not None else kind.stated[QOS].at if QOS in kind.stated else kind.at,
            f"{fold(tuple(kind.names))}: packets go into a no-drop class, and PFC is in {how}: it is on only where the "
            "far end agrees by DCBX, else RDMA is dropped here",
            "priority-flow-control mode on",
        )
    if "lldp" not in config.globals and whole:
        tlv = [kind.stated["mode"] for kind in kinds if "send-tlv" in kind.stated.get("mode", Val((), kind.at)).value]
        if tlv:
            yield Problem(
                "nxos-send-tlv",
                tlv[0].at,
                "send-tlv has the port announce its PFC by LLDP, and feature lldp is not on",
                "feature lldp, or leave send-tlv out",
                places=tuple(dict.fromkeys(val.at for val in tlv[1:] if val.at != tlv[0].at)),
            )
    for each in sorter.no_drop:
        stated_priorities = priorities_of(config, each)
        if stated_priorities != (each.group,):
            numbers = ", ".join(map(show_number, stated_priorities))
            yield Problem(
                "nxos-pfc-cos",
                each.pause.at,
                f"class {each.name} is qos-group {each.group} and pauses priority {numbers}: its queue and its pauses "
                "have different numbers, and priority and group of the same number meet",
                f"pause pfc-cos {each.group}, and have NICs send pauses for priority {each.group}",
            )


def policy_of(config: Config, kind: Kind) -> str | None:
    """The policy by which ports sort: their own, or the switch's."""
    bound = kind.stated.get(QOS) or config.system.get(QOS)
    return bound.value if bound is not None else None


# -- what is not understood --------------------------------------------------------------------------------------------


def list_unread(config: Config, kinds: list[Kind]) -> Iterator[Unread]:
    """The lines on queues, PFC and classes that are not understood: which settings they may touch, and where."""
    everywhere = tuple(name for kind in kinds for name in kind.names)
    idle = {*list_unbound(config)}
    given = [(wrong.line, wrong.row, _message_of(wrong)[1]) for wrong in config.wrong]
    given += [(line, row, _explain(line, row.unjudged, len(row.path))) for line, row in config.unjudged]
    for line, row, message in given:
        if line.path[:1] == ("policy-map",) and line.path[1:3] in idle:
            continue
        says = row.says if row is not None else _says_of(line)
        ports = tuple(name for name in line.names if name in everywhere) if line.names else everywhere
        text = " ".join(line.whole)
        mine = tuple(topic for topic in says if is_of_port(topic))
        own = tuple(topic for topic in says if topic not in mine)
        if mine and ports:
            yield Unread(line.at, message, mine, ports, None, text)
        if own or not says:
            yield Unread(line.at, message, own, (), None, text)


def _says_of(line: Line) -> tuple[str, ...]:
    """What lines of a block bear on, of which this is one that is in no list."""
    names: dict[str, None] = {}
    kind = line.path[1:2]
    for row in TABLE.rows:
        if row.path[:1] == line.path[:1] and (row.path[1:2] == kind or line.path[:1] == ("interface",)):
            names.update(dict.fromkeys(row.says))
    return tuple(name.partition(".")[0] for name in names)
