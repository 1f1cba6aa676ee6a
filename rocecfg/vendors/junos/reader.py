"""Reads what a switch with Junos runs: `show configuration`, as text with braces or as set lines, or a part of it."""

from __future__ import annotations

import re

from rocecfg.model import Origin, Running, RunningPool, RunningPort, Span
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.model.switch import Chain, Neighbour, Port, Switch
from rocecfg.profiles.releases import plain_release
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.descriptions import far_end as others
from rocecfg.vendors.junos.balancing import EXCLUDED, FAMILIES, HASH, KINDS, MODE, OTHERS, PATH
from rocecfg.vendors.junos.limits import ACTION, ALPHA_1, OBEYED, POLL, POLLS, RECOVERY
from rocecfg.vendors.junos.reading.binding import bound, is_pattern
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, Cos, Profile, read_cos
from rocecfg.vendors.junos.reading.findings import findings
from rocecfg.vendors.junos.reading.groups import expanded
from rocecfg.vendors.junos.reading.idle import idle
from rocecfg.vendors.junos.reading.interfaces import Interface, interfaces, section
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.queues import running_queues, sendings
from rocecfg.vendors.junos.reading.sorting import Sorter, paused
from rocecfg.vendors.junos.reading.statements import Statement, statements
from rocecfg.vendors.junos.reading.unread import unread

_BELOW_COS = frozenset(
    {"classifiers", "drop-profiles", "forwarding-classes", "scheduler-maps", "schedulers", "shared-buffer",
     "congestion-notification-profile"}
)  # fmt: skip


def read(document: Document, release: str | None = None) -> list[Switch]:
    """The switch in a text. `release`: what it runs, where it does not say so. Raises SourceError."""
    given = statements(document)
    lines, missing = expanded(given.active)
    if not any(line.words[0] in ("class-of-service", "interfaces", "system") for line in lines):
        raise _nothing(document, lines)
    name = _one(lines, ("system", "host-name"))
    version = _one(lines, ("version",))
    at = name.at if name is not None else lines[0].at
    whole = name is not None and any(line.words[0] == "interfaces" for line in lines)
    cos = read_cos(lines)
    ports = interfaces(lines)
    sorter = Sorter(cos, at)
    kinds = _kinds(cos, ports, whole=whole, at=at)
    usual = _usual(kinds, sorter)
    problems, reported = findings(cos, kinds, missing, sorter, ports, lines, whole=whole)
    return [
        Switch(
            name.value if name is not None else None,
            at,
            _device(cos, version, release, at) | _balanced(lines),
            usual,
            tuple(_port(cos, kind, usual, sorter, whole=whole) for kind in kinds),
            _running(cos, kinds, at, whole=whole),
            problems,
            tuple(_neighbours(ports)),
            word="queue",
            unread=tuple(unread(cos, lines, given.strange, kinds, reported)),
            idle=tuple(idle(cos, given.inactive, kinds)),
        )
    ]


def _nothing(document: Document, lines: list[Statement]) -> SourceError:
    first = lines[0] if lines else None
    if first is not None and first.words[0] in _BELOW_COS:
        return SourceError(
            document.path,
            f"'{first.words[0]}' stands at the top, where class-of-service is missing",
            "give what show configuration prints without a hierarchy behind it, or put it below class-of-service",
            *document.place(first.at.start),
        )
    return SourceError(
        document.path,
        "no statement of Junos that RoCE needs stands in this text: no system, interfaces or class-of-service",
        "give it the output of show configuration",
    )


def _one(lines: list[Statement], path: tuple[str, ...]) -> Val | None:
    found = [line for line in lines if line.words[: len(path)] == path and len(line.words) == len(path) + 1]
    return Val(found[-1].words[-1], found[-1].at) if found else None


def _kinds(cos: Cos, ports: dict[str, Interface], *, whole: bool, at: Span) -> list[Kind]:
    """The ports in use, those together that say the same; one without a name where wildcards are all there is."""
    joined = {port.stated["lag"].value for port in ports.values() if "lag" in port.stated}
    named = {name: port for name, port in ports.items() if not (port.parts or name in joined)}
    for name, given in cos.bound.items():
        if name not in ports and not is_pattern(name) and name not in joined:
            place = next((val.at for val in given.values()), at)
            named[name] = Interface(name, place)
    alike: dict[object, Kind] = {}
    for name, port in named.items():
        lag = port.stated["lag"].value if "lag" in port.stated else None
        own = name in cos.bound or (lag is not None and lag in cos.bound)
        if not (port.used or own):
            continue  # no address, VLAN, description or MTU: nothing runs over it, whatever a wildcard gives it
        binding = bound(cos, name, lag)
        upper = ports.get(lag) if lag is not None else None
        settings = dict(section(port, whole=whole and upper is None, tagged=TAG in binding))
        if upper is not None:
            settings = {**dict(section(upper, whole=whole, tagged=TAG in binding)), **settings}
        up = port.stated["up"].value if "up" in port.stated else None
        uplink = "description" in port.stated and is_uplink(port.stated["description"].value)
        key = (
            tuple((k, v.value) for k, v in binding.items()),
            tuple((k, v.value) for k, v in settings.items()),
            up,
            uplink,
            tuple(val.value for val in port.filters),
        )
        kind = alike.get(key)
        if kind is None:
            kind = alike[key] = Kind([], port.at, binding, settings, up, port.filters, uplink)
        kind.names.append(name)
    if not alike and not whole and cos.bound:
        pattern = next(iter(cos.bound))
        place = next((val.at for val in cos.bound[pattern].values()), at)
        return [Kind([], place, dict(cos.bound[pattern]), {}, None, [], uplink=False)]
    return list(alike.values())


def _usual(kinds: list[Kind], sorter: Sorter) -> Chain:
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
    return sorter.chain({key: binding[key] for key, binding in by.items()})


def _own(kind: Kind, usual: Chain, sorter: Sorter) -> Chain | None:
    """How ports sort packets, where they do so otherwise than most; by what they have no classifier for, as these."""
    chain = sorter.chain(kind.binding)
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


def _port(cos: Cos, kind: Kind, usual: Chain, sorter: Sorter, *, whole: bool) -> Port:
    chain = sorter.chain(kind.binding)
    binding = kind.binding
    profile = cos.profiles.get(binding["profile"].value) if "profile" in binding else None
    pfc = paused(cos, profile, binding, sorter.at) if profile is not None else {}
    given: Section = dict(kind.section)
    trust = _trust(kind, whole=whole)
    if trust is not None:
        given["trust"] = trust
    if pfc and profile is not None:
        given["pfc"] = Val({"watchdog": watchdog(profile)}, next(iter(pfc.values())))
    if profile is not None and profile.cable is not None:
        given["cable"] = Val(float(profile.cable.value), profile.cable.at)
    name = binding["map"].value if "map" in binding else None
    origins: dict[str, Origin] = {"": kind.at}
    obeys = None
    if profile is not None and (profile.output or profile.input):
        obeys = tuple(priority for priority, val in enumerate(chain.stops) if val.value is not None)
        if not profile.output:  # the system's own: only what there is a queue for is paused
            obeys = tuple(p for p in obeys if OBEYED.get(p) in sorter.lossless)
        first = next((queues[0].at for queues in profile.output.values()), profile.at)
        origins["obeys"] = first
    unmarked = None
    if "fixed" in binding:
        queue = cos.queue_of(binding["fixed"].value)
        if queue is not None and queue.value < len(chain.priority):
            unmarked = chain.priority[queue.value].value
            origins["unmarked"] = binding["fixed"].at
    running = RunningPort(
        up=kind.up,
        obeys=obeys if obeys != tuple(pfc) else None,
        queues=running_queues(cos, name, sorter.at) if name is not None else (),
        unmarked=unmarked,
        origins=origins,
    )
    return Port(
        tuple(kind.names),
        kind.at,
        given,
        pfc,
        sendings(cos, name, sorter.at) if name is not None else {},
        running,
        None,
        _own(kind, usual, sorter),
    )


def _trust(kind: Kind, *, whole: bool) -> Val | None:
    for key, word in (("dscp", "dscp"), (TAG, "pcp"), ("fixed", "none")):
        if key in kind.binding:
            return Val(word, kind.binding[key].at)
    return Val("none", kind.at) if whole or kind.binding else None


def _device(cos: Cos, version: Val | None, release: str | None, at: Span) -> Section:
    section: Section = {"vendor": Val("junos", at)}
    if version is not None:
        try:
            section["version"] = Val(plain_release("junos", version.value), version.at)
        except ValueError:
            section["version"] = version
    elif release is not None:
        section["version"] = Val(release, at)
    buffers = _buffers(cos)
    if buffers:
        section["buffers"] = Val(buffers, next(iter(buffers.values())).at)
    return section


def _balanced(lines: list[Statement]) -> Section:
    """What is spread over equal paths, where dynamic load balancing is on and is an intent's; what is hashed."""
    out = _hashed(lines)
    size = len(PATH)
    given = [line for line in lines if line.words[:size] == PATH and len(line.words) > size]
    found = {line.words[size]: line.at for line in given if line.words[size] in (*KINDS, *OTHERS)}
    if len(found) == 1 and found.keys() <= KINDS.keys():
        ((kind, at),) = found.items()
        out["mode"] = Val(KINDS[kind], at)
    return {"load_balancing": Val(out, next(iter(out.values())).at)} if out else {}


def _hashed(lines: list[Statement]) -> Section:
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


def _buffers(cos: Cos) -> Section:
    """Partitions of the ingress side: pools, and the alpha of the lossless one."""
    out: Section = {}
    parts = {name: given for (side, name), given in cos.partitions.items() if side == "ingress"}
    pools = {
        name: Val(float(parts[name]["percent"].value), parts[name]["percent"].at)
        for name in ("lossless", "lossy")
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


def _running(cos: Cos, kinds: list[Kind], at: Span, *, whole: bool) -> Running:
    pools = tuple(
        RunningPool(
            f"{side} {name}",
            side,
            lossless=name == "lossless",
            percent=float(given["percent"].value) if "percent" in given else None,
            origins={"": next(iter(given.values())).at, **{key: val.at for key, val in given.items()}},
        )
        for (side, name), given in cos.partitions.items()
        if name and given
    )
    remarks, where = _remarks(cos, kinds)
    origins: dict[str, Origin] = {"": at}
    if where is not None:
        origins["remarks"] = where
    return Running("junos", whole=whole, pools=pools, remarks=remarks, origins=origins)


def _remarks(cos: Cos, kinds: list[Kind]) -> tuple[tuple[tuple[int, int], ...], Span | None]:
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


def _neighbours(ports: dict[str, Interface]) -> list[Neighbour]:
    out = []
    for name, port in ports.items():
        given = port.stated.get("description")
        far = far_end(given.value) if given is not None else None
        if given is not None and far is not None:
            out.append(Neighbour(name, *far, given.at))
    return out


_FACING = re.compile(
    r"(?:(?i:facing[_ ]|(?:link |connected |uplink |downlink )?to[ _.]))?"
    r"(?P<device>[A-Za-z][\w.-]*?)[ :_/]+(?P<port>(?:et|xe|ge)-\d+/\d+/\d+(?::\d+)?)"
)

_SWITCH_PORT = re.compile(r"(?:et|xe|ge)-\d|Ethernet\d|swp\d")


def is_uplink(description: str) -> bool:
    """Whether a description names a port of a switch as the far end."""
    far = far_end(description)
    return far is not None and _SWITCH_PORT.match(far[1]) is not None


def far_end(description: str) -> tuple[str, str] | None:
    """The device and its port; None where the words say something else."""
    found = _FACING.fullmatch(description.strip())
    return (found["device"], found["port"]) if found is not None else others(description)


def watchdog(profile: Profile) -> Val:
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
