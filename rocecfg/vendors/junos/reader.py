"""Reads what a switch with Junos runs: `show configuration`, as text with braces or as set lines, or a part of it."""

from __future__ import annotations

import re
from functools import partial

from rocecfg.model import Origin, Running, RunningPool, RunningPort, Span
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import Chain, Neighbour, Port, Switch
from rocecfg.profiles.releases import plain_release
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors import descriptions
from rocecfg.vendors.absent import list_absent
from rocecfg.vendors.junos.balancing import EXCLUDED, FAMILIES, HASH, KINDS, MODE, OTHERS, PATH
from rocecfg.vendors.junos.fates import weigh_statements
from rocecfg.vendors.junos.limits import ACTION, ALPHA_1, OBEYED, POLL, POLLS, RECOVERY
from rocecfg.vendors.junos.reading.binding import find_binding, is_pattern
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, CongestionProfile, Cos, read_cos
from rocecfg.vendors.junos.reading.filters import Filters
from rocecfg.vendors.junos.reading.findings import find_problems
from rocecfg.vendors.junos.reading.findings_ports import find_missing_classifier, is_passed_over
from rocecfg.vendors.junos.reading.groups import expand_groups
from rocecfg.vendors.junos.reading.idle import list_idle
from rocecfg.vendors.junos.reading.interfaces import Interface, list_settings, read_interfaces, span_of_default
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.queues import read_running_queues, read_sendings
from rocecfg.vendors.junos.reading.routers import ForeignStatement, find_router_statement
from rocecfg.vendors.junos.reading.sorting import Sorter, find_partly_paused, find_paused_priorities
from rocecfg.vendors.junos.reading.statements import Statement, join_words, parse_statements
from rocecfg.vendors.junos.reading.unread import list_unread

_STATED = ("lossless", "lossy")  # the partitions at ingress that an intent states
_TUNNEL, _VTEP = frozenset({"vxlan", "vni"}), "vtep-source-interface"
_COPYING = (
    "forwarding-options"  # QFX copy DSCP and ECN into the outer header and back but for these (Juniper's CLI pages)
)
_NOT_COPIED = frozenset({"vxlan-disable-copy-tos-encap", "vxlan-disable-copy-tos-decap"})
_BELOW_COS = frozenset(
    {"classifiers", "drop-profiles", "forwarding-classes", "scheduler-maps", "schedulers", "shared-buffer",
     "congestion-notification-profile"}
)  # fmt: skip


_SUBJECTS = {
    "PFC": ("congestion-notification-profile", r"^class-of-service congestion-notification-profile"),
    "the PFC watchdog": ("pfc-watchdog", r"pfc-watchdog"),
    "buffers": ("shared-buffer", r"^class-of-service shared-buffer"),
    "ECN": ("drop-profiles", r"^class-of-service drop-profiles"),
    "queues": ("forwarding-classes", r"^class-of-service forwarding-classes"),
    "shares": (
        "schedulers, scheduler-maps",
        r"(?s)\A(?=.*^class-of-service schedulers)(?=.*^class-of-service scheduler-maps)",
    ),
    "maps": ("classifiers", r"^class-of-service classifiers"),
    "ports": ("interfaces", r"^interfaces (et|xe|ge)-"),
    "speeds": ("speed", r"^interfaces \S+ speed "),
}


def read(document: Document, release: str | None = None) -> list[Switch]:
    """The switch in a text. `release`: what it runs, where it does not say so. Raises SourceError."""
    given = parse_statements(document)
    lines, missing = expand_groups(given.active)
    heads = {line.words[0] for line in lines}
    if not heads & {"class-of-service", "interfaces", "system"} or (
        heads & _BELOW_COS and not heads & {"class-of-service", "system"}  # with the interfaces of class-of-service
    ):
        raise _make_nothing_error(document, lines)
    foreign = find_router_statement(lines)
    if foreign is not None:
        raise _make_router_error(document, foreign)
    name = _find_value(lines, ("system", "host-name"))
    version = _find_value(lines, ("version",))
    at = span_of_default(name.at if name is not None else lines[0].at)
    cos = read_cos(lines)
    ports = read_interfaces(lines)
    whole = cos.whole = name is not None and bool(ports)
    sorter = Sorter(cos, at)
    kinds = _group_ports(cos, ports, _management_ports(lines), whole=whole, at=at)
    usual = _majority_chain(kinds, sorter)
    filters = Filters(cos, lines, kinds, sorter)
    problems, reported = find_problems(cos, kinds, missing, sorter, ports, lines, whole=whole)
    found = (*problems, *filters.check(whole=whole))
    return [
        Switch(
            name.value if name is not None else None,
            at,
            _device_section(cos, version, release, at) | _load_balancing_section(lines),
            usual,
            tuple(_make_port(cos, kind, usual, sorter, whole=whole) for kind in kinds),
            _make_running(cos, kinds, lines, at, whole=whole),
            found,
            tuple(_list_neighbours(ports)),
            word="queue",
            unread=(*list_unread(cos, lines, given.strange, kinds, reported), *filters.list_unread()),
            idle=tuple(list_idle(cos, given.inactive, kinds)),
            weigh=partial(weigh_statements, given, found, document.number),
        )
    ]


def _make_nothing_error(document: Document, lines: list[Statement]) -> SourceError:
    first = next((line for line in lines if line.words[0] in _BELOW_COS), None)
    if first is not None:
        return SourceError(
            document.path,
            f"'{first.words[0]}' is at the top level, without class-of-service",
            "give the output of `show configuration` for the whole hierarchy, or put it below class-of-service",
            *document.place(first.at.start),
        )
    return SourceError(
        document.path,
        "this text has no Junos statement that RoCE needs: no system, interfaces or class-of-service",
        "give it the output of show configuration",
    )


def _make_router_error(document: Document, foreign: ForeignStatement) -> SourceError:
    return SourceError(
        document.path,
        (
            f"not of a QFX switch: `{join_words(foreign.line.words)[:80]}` is {foreign.what}, whose queues and "
            "buffers differ"
        ),
        "give the output of `show configuration` of a QFX, without statements that only routers and firewalls have",
        *document.place(foreign.line.at.start),
    )


def _find_value(lines: list[Statement], path: tuple[str, ...]) -> Val | None:
    found = [line for line in lines if line.words[: len(path)] == path and len(line.words) == len(path) + 1]
    return Val(found[-1].words[-1], found[-1].at) if found else None


def _group_ports(cos: Cos, ports: dict[str, Interface], managing: set[str], *, whole: bool, at: Span) -> list[Kind]:
    """The ports in use, those together that say the same; one without a name where wildcards are all there is."""
    alike: dict[object, Kind] = {}
    for name, port in _list_single_ports(cos, ports, at).items():
        lag = port.stated["lag"].value if "lag" in port.stated else None
        own = name in cos.bound or (lag is not None and lag in cos.bound)
        if not (port.used or own):
            continue  # no address, VLAN, description or MTU: nothing runs over it, whatever a wildcard gives it
        found = _make_kind(cos, port, ports.get(lag) if lag is not None else None, lag, managing, whole=whole)
        alike.setdefault(_kind_key(found), found).names.append(name)
    if not alike and not whole and cos.bound:
        pattern = next(iter(cos.bound))
        place = next((val.at for val in cos.bound[pattern].values()), at)
        return [Kind([], span_of_default(place), dict(cos.bound[pattern]), {}, None, uplink=False)]
    return list(alike.values())


def _list_single_ports(cos: Cos, ports: dict[str, Interface], at: Span) -> dict[str, Interface]:
    """The ports that are neither split nor LAGs, those among them that class-of-service alone names."""
    joined = {port.stated["lag"].value for port in ports.values() if "lag" in port.stated}
    named = {name: port for name, port in ports.items() if not (port.parts or name in joined)}
    for name, given in cos.bound.items():
        if name not in ports and not is_pattern(name) and name not in joined:
            place = next((val.at for val in given.values()), at)
            named[name] = Interface(name, place)
    return named


def _make_kind(
    cos: Cos, port: Interface, upper: Interface | None, lag: str | None, managing: set[str], *, whole: bool
) -> Kind:
    """What is told of a port, with what it has from its LAG. `upper`: that LAG, where the text has it."""
    binding = find_binding(cos, port.name, lag)
    tagged = TAG in binding and DSCP not in binding  # beside a classifier by DSCP it may be for nothing
    settings = dict(list_settings(port, whole=whole and upper is None, tagged=tagged))
    if upper is not None:
        settings = {**dict(list_settings(upper, whole=whole, tagged=tagged)), **settings}
    down = "up" in port.stated or (upper is not None and "up" in upper.stated)  # `disable` is all there is
    described = port.stated.get("description")
    uplink = False if port.name in managing else is_uplink(port.name, described.value if described is not None else "")
    return Kind([], port.at, binding, settings, False if down else None, uplink)


def _kind_key(kind: Kind) -> object:
    """What is equal for ports that are told the same."""
    return (
        tuple((k, v.value) for k, v in kind.binding.items()),
        tuple((k, v.value) for k, v in kind.section.items()),
        kind.up,
        kind.uplink,
    )


def _majority_chain(kinds: list[Kind], sorter: Sorter) -> Chain:
    """How most ports sort packets: by DSCP those that have such a classifier, by 802.1p those that have one."""
    by: dict[str, Section] = {}
    for key in (DSCP, TAG, "profile"):
        votes: dict[str, int] = {}
        for kind in kinds:
            if key in kind.binding:
                weight = (len(kind.names) or 1) * (1000 if "profile" in kind.binding else 1)
                votes[kind.binding[key].value] = votes.get(kind.binding[key].value, 0) + weight
        if votes:
            name = max(votes, key=lambda each: votes[each])
            by[key] = next(kind.binding for kind in kinds if key in kind.binding and kind.binding[key].value == name)
    return sorter.chain_of({key: binding[key] for key, binding in by.items()})


def _find_own_chain(kind: Kind, usual: Chain, sorter: Sorter) -> Chain | None:
    """How ports sort packets, where they do so otherwise than most; by what they have no classifier for, as these."""
    chain = sorter.chain_of(kind.binding)
    if DSCP not in kind.binding:
        chain = chain._replace(dscp=usual.dscp)
    if TAG not in kind.binding:
        chain = chain._replace(tags=usual.tags)
    if "profile" not in kind.binding:
        chain = chain._replace(stops=usual.stops)
    same = all(
        tuple(val.value for val in here) == tuple(val.value for val in there)
        for here, there in zip(chain, usual, strict=True)
    )
    return None if same else chain


def _make_port(cos: Cos, kind: Kind, usual: Chain, sorter: Sorter, *, whole: bool) -> Port:
    binding = kind.binding
    profile = cos.profiles.get(binding["profile"].value) if "profile" in binding else None
    pfc = find_paused_priorities(cos, profile, binding, sorter.at) if profile is not None else {}
    given: Section = dict(kind.section)
    trust = _find_trust(kind, whole=whole)
    if trust is not None:
        given["trust"] = trust
    if pfc and profile is not None:
        given["pfc"] = Val({"watchdog": read_watchdog(profile)}, next(iter(pfc.values())))
    if profile is not None and profile.cable is not None:
        given["cable"] = Val(float(profile.cable.value), profile.cable.at)
    name = binding["map"].value if "map" in binding else None
    return Port(
        tuple(kind.names),
        kind.at,
        given,
        pfc,
        read_sendings(cos, name, sorter.at) if name is not None else {},
        _make_running_port(cos, kind, profile, pfc, sorter),
        None,
        _find_own_chain(kind, usual, sorter),
    )


def _make_running_port(
    cos: Cos, kind: Kind, profile: CongestionProfile | None, pfc: dict[int, Span], sorter: Sorter
) -> RunningPort:
    """What an intent has no word for. `pfc`: the priorities that the port pauses."""
    binding = kind.binding
    chain = sorter.chain_of(binding)
    name = binding["map"].value if "map" in binding else None
    origins: dict[str, Origin] = {"": kind.at}
    obeys = None
    if profile is not None and (profile.output or profile.input):
        obeys = _find_obeyed_priorities(profile, chain, sorter)
        origins["obeys"] = next((queues[0].at for queues in profile.output.values()), profile.at)
    unmarked = None
    if "fixed" in binding:
        queue = cos.queue_of(binding["fixed"].value)
        if queue is not None and queue.value < len(chain.priority):
            unmarked = chain.priority[queue.value].value
            origins["unmarked"] = binding["fixed"].at
    return RunningPort(
        up=kind.up,
        explained=(profile is not None and find_missing_classifier(kind, profile) is not None)
        or is_passed_over(cos, kind),
        obeys=obeys if obeys != tuple(pfc) else None,
        partly_paused=find_partly_paused(cos, profile, binding, sorter.at) if profile is not None else (),
        queues=read_running_queues(cos, name, sorter.at) if name is not None else (),
        unmarked=unmarked,
        origins=origins,
    )


def _find_obeyed_priorities(profile: CongestionProfile, chain: Chain, sorter: Sorter) -> tuple[int, ...]:
    """The priorities whose pauses stop a queue."""
    obeys = tuple(priority for priority, val in enumerate(chain.stops) if val.value is not None)
    if not profile.output:  # the system's own: only what there is a queue for is paused
        obeys = tuple(p for p in obeys if OBEYED.get(p) in sorter.lossless)
    return obeys


def _find_trust(kind: Kind, *, whole: bool) -> Val | None:
    for key, word in (("dscp", "dscp"), (TAG, "pcp"), ("fixed", "none")):
        if key in kind.binding:
            return Val(word, kind.binding[key].at)
    return Val("none", kind.at) if whole or kind.binding else None


def _device_section(cos: Cos, version: Val | None, release: str | None, at: Span) -> Section:
    section: Section = {"vendor": Val("junos", at)}
    if version is not None:
        try:
            section["version"] = Val(plain_release("junos", version.value), version.at)
        except ValueError:
            section["version"] = version
    elif release is not None:
        section["version"] = Val(release, at)
    buffers = _buffers_section(cos)
    if buffers:
        section["buffers"] = Val(buffers, next(iter(buffers.values())).at)
    return section


def _load_balancing_section(lines: list[Statement]) -> Section:
    """What is spread over equal paths, where dynamic load balancing is on and is an intent's; what is hashed."""
    out = _hash_section(lines)
    size = len(PATH)
    given = [line for line in lines if line.words[:size] == PATH and len(line.words) > size]
    found = {line.words[size]: line.at for line in given if line.words[size] in (*KINDS, *OTHERS)}
    if len(found) == 1 and found.keys() <= KINDS.keys():
        ((kind, at),) = found.items()
        out["mode"] = Val(KINDS[kind], at)
    return {"load_balancing": Val(out, next(iter(out.values())).at)} if out else {}


def _hash_section(lines: list[Statement]) -> Section:
    """What is hashed, where something is said of it that holds for IPv4 and IPv6 alike."""
    size = len(HASH)
    given = {line.words[size:]: line.at for line in lines if line.words[:size] == HASH}
    excluded = [
        {field for field, words in EXCLUDED.items() if (family, words[n]) in given} for n, family in enumerate(FAMILIES)
    ]
    if excluded[0] != excluded[1] or any(words[:1] == MODE[:1] and words[:2] != MODE for words in given):
        return {}
    stated = [at for words, at in given.items() if words[:1] == MODE[:1] or words[:1] in [(f,) for f in FAMILIES]]
    if not stated:
        return {}
    return {"hash": Val([Val(field, stated[0]) for field in EXCLUDED if field not in excluded[0]], stated[0])}


def _buffers_section(cos: Cos) -> Section:
    """Partitions of the ingress side: pools, and the alpha of the lossless one."""
    out: Section = {}
    parts = {name: given for (side, name), given in cos.partitions.items() if side == "ingress"}
    pools = {
        name: Val(float(parts[name]["percent"].value), parts[name]["percent"].at)
        for name in _STATED
        if "percent" in parts.get(name, {})
    }
    if pools:
        out["pools"] = Val(pools, next(iter(pools.values())).at)
    threshold = parts.get("lossless", {}).get("dynamic-threshold")
    if threshold is not None:
        out["alpha"] = Val(2.0 ** (threshold.value - ALPHA_1), threshold.at)
    sizes = [s["mru"] for profile in cos.profiles.values() for s in profile.input.values() if "mru" in s]
    if sizes:
        out["lossless_mtu"] = sizes[0]
    return out


def _make_running(cos: Cos, kinds: list[Kind], lines: list[Statement], at: Span, *, whole: bool) -> Running:
    pools = tuple(
        RunningPool(
            f"{side} {name}",
            side,
            lossless=name == "lossless",
            percent=float(given["percent"].value) if "percent" in given else None,
            of_buffers=side == "ingress" and name in _STATED,
            origins={"": next(iter(given.values())).at, **{key: val.at for key, val in given.items()}},
        )
        for (side, name), given in cos.partitions.items()
        if name and given
    )
    remarks, where = _find_remarks(cos, kinds)
    origins: dict[str, Origin] = {"": at}
    if where is not None:
        origins["remarks"] = where
    tunnel = next((line.at for line in lines if {*line.words[1:]} >= _TUNNEL or _VTEP in line.words), None)
    apart = next(
        (line.at for line in lines if line.words[0] == _COPYING and not _NOT_COPIED.isdisjoint(line.words)), None
    )
    if tunnel is not None:
        origins["tunnels"], origins["copies_dscp"] = tunnel, apart or tunnel
    return Running(
        "junos",
        whole=whole,
        absent=list_absent(_SUBJECTS, (" ".join(line.words) for line in lines), whole=whole),
        pools=pools,
        remarks=remarks,
        tunnels=tunnel is not None or (False if whole else None),
        copies_dscp=apart is None if tunnel is not None else None,
        origins=origins,
    )


def _find_remarks(cos: Cos, kinds: list[Kind]) -> tuple[tuple[tuple[int, int], ...], Span | None]:
    """What is written into packets on the way out, by queue: of the rewrite rule that most ports have."""
    count: dict[str, int] = {}
    for kind in kinds:
        if "rewrite" in kind.binding:
            name = kind.binding["rewrite"].value
            count[name] = count.get(name, 0) + len(kind.names)
    if not count:
        return (), None
    given = cos.rewrites.get(max(count, key=lambda name: count[name]), {})
    found = {}
    for of, code in given.items():
        queue = cos.queue_of(of)
        if queue is not None and queue.value < 8:
            found[queue.value] = code
    return tuple((queue, val.value) for queue, val in sorted(found.items())), next((v.at for v in found.values()), None)


def _list_neighbours(ports: dict[str, Interface]) -> list[Neighbour]:
    out = []
    for name, port in ports.items():
        given = port.stated.get("description")
        far = parse_far_end(given.value) if given is not None else None
        if given is not None and far is not None:
            out.append(Neighbour(name, *far, given.at))
    return out


_FACING = re.compile(
    r"(?:(?i:facing[_ ]|(?:link |connected |uplink |downlink )?to[ _.]))?"
    r"(?P<device>[A-Za-z][\w.-]*?)[ :_/]+(?P<port>(?:et|xe|ge)-\d+/\d+/\d+(?::\d+)?)"
)

_SWITCH_PORT = re.compile(r"(?:et|xe|ge)-\d|Ethernet\d|swp\d")


_MANAGEMENT = re.compile(r"(?<![a-z0-9])(?:oob|mgmt|mgt|management|out[ -]of[ -]band|console)", re.IGNORECASE)


def is_uplink(port: str, description: str) -> bool | None:
    """Whether a description names a port of a switch as the far end, in the network that data go through.

    Ports named ge- are of 1 Gbit/s: what they lead to is for management. None: the description names no far end.
    """
    if port.startswith("ge-") or _MANAGEMENT.search(description) is not None:
        return False
    far = parse_far_end(description)
    return None if far is None else _SWITCH_PORT.match(far[1]) is not None


def _management_ports(lines: list[Statement]) -> set[str]:
    """The ports of routing instances for management, as `mgmt_junos`."""
    return {
        line.words[3].partition(".")[0]
        for line in lines
        if line.words[0] == "routing-instances"
        and len(line.words) == 4
        and line.words[2] == "interface"
        and _MANAGEMENT.search(line.words[1]) is not None
    }


def parse_far_end(description: str) -> tuple[str, str] | None:
    """The device and its port; None where the words say something else."""
    found = _FACING.fullmatch(description.strip())
    return (found["device"], found["port"]) if found is not None else descriptions.far_end(description)


def read_watchdog(profile: CongestionProfile) -> Val:
    """The watchdog of a port with that profile, in ms: it watches the queues of the output side."""
    given = profile.watchdog
    if given is None:
        return Val(OFF, profile.at)
    at = profile.watched_at
    if not given:
        return Val("vendor-default", at)
    poll = given.get("poll-interval", Val(POLL, at))
    polls = given.get("detection", Val(POLLS, at))
    section: Section = {
        "detection_time": Val(polls.value * poll.value, polls.at),
        "restoration_time": given.get("recovery", Val(RECOVERY, at)),
        "poll_interval": poll,
        "action": given.get("watchdog-action", Val(ACTION, at)),
    }
    if profile.output:
        watched = [Val(priority, queues[0].at) for priority, queues in sorted(profile.output.items())]
        section["priorities"] = Val(watched, at)
    return Val(section, at)
