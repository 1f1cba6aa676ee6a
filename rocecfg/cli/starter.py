"""The starter intent of `rocecfg init`: for a platform or a policy, tried before anybody gets to see it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rocecfg.cli.cluster import (
    Cluster,
    ClusterCables,
    StarterRefused,
    describe_oversubscription,
    plan_cabling,
    render_cluster,
)
from rocecfg.core.nodeset import fold, node_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate, show_size
from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.linting.run import lint
from rocecfg.model import Box, Platform
from rocecfg.profiles import Library
from rocecfg.source.document import Sources
from rocecfg.vendors import part
from rocecfg.vendors.base import CannotRender

FILE = "fabric.yaml"
TAKEN = {48: "CNPs", 56: "network control"}  # DSCPs of the starter's other classes
LOSSLESS = (1, 5)  # priorities left for RDMA: 0 is everything else, 6 the CNPs, 7 network control
_SLOWEST = 10_000_000_000  # bit/s; ports below it have no place in a fabric for RDMA
_MOST_PORTS = 16
_COUNT = re.compile(r"(\d+) (?:cages of \d+ )?x (\d+)G")  # 32 x 400G; 64 cages of 2 x 400G


__all__ = [
    "Cluster",
    "StarterChoices",
    "StarterRefused",
    "list_platforms",
    "list_speeds",
    "make_starter",
    "plan_cluster",
]


class StarterChoices(NamedTuple):
    """What the user says."""

    vendor: str
    platform: str | None  # None: a policy, without devices
    release: str
    name: str
    dscp: int
    priority: int
    speed: int  # bit/s
    cluster: Cluster | None = None  # None: one leaf


class StarterPorts(NamedTuple):
    """The front ports that a starter takes: the first ones of a platform, unsplit, all alike."""

    names: tuple[str, ...]
    speed: int | None  # bit/s they are made for; None: not known


def list_platforms(library: Library, vendor: str) -> list[str]:
    """The platforms on which that operating system runs RDMA losslessly on the first ports, sorted."""
    found = []
    for name in library.names("platforms"):
        box = library.box(name, vendor, at=library.assumed_release(vendor, name))
        if box is not None and box.lossless and list_speeds(library, vendor, name):
            found.append(name)
    return found


def list_speeds(library: Library, vendor: str, platform: str, release: str | None = None) -> list[int]:
    """The speeds in bit/s that the platform's first front ports may run at, ascending; [] where nobody knows.

    Of the release to assume where none is named.
    """
    release = release or library.assumed_release(vendor, platform)
    known = library.platform(platform)
    box = library.box(platform, vendor, at=release) or known.boxes[vendor]
    top = find_front_ports(known, box).speed
    of = box.speeds or library.asic(known.asic).speeds or ((top,) if top is not None else ())
    if box.headroom is not None and box.buffer_model != "dynamic":
        of = tuple(s for s in of if s in box.headroom.rows)  # SONiC only looks its headroom up there
    return [s for s in of if s >= _SLOWEST and (top is None or s <= top)]


def find_front_ports(platform: Platform, box: Box) -> StarterPorts:
    """The first front ports of a platform under one operating system.

    Profiles list every name a port may have, those of split ports too: these are the cages that carry the speed of the
    title. Where none does so whole, or lanes are not known, how many ports there are stands in the title.
    """
    alternative = platform.title.partition(" or ")[0]
    counts = [(int(n), int(g) * 10**9) for n, g in _COUNT.findall(alternative)]
    count, speed = counts[0] if counts else (_MOST_PORTS, None)
    cages = box.layout.cages if box.layout is not None else ()
    made = [c.whole or c.names[0] for c in cages if c.of.lanes * c.of.lane == speed]
    if made:
        return StarterPorts(tuple(made[: min(count, _MOST_PORTS)]), speed)
    names = node_set(box.ports).names
    whole = part(box.nos, "front").whole_ports
    return StarterPorts(tuple(whole(names, sum(n for n, _ in counts))[: min(count, _MOST_PORTS)]), speed)


def make_starter(wanted: StarterChoices, library: Library, folder: str) -> str:
    """The text of the intent, with as much left to rocecfg as the platform's figures allow. Raises Refused."""
    why = ""
    for ecn_auto, headroom in ((True, True), (True, False), (False, True), (False, False)):
        lines = _render_lines(wanted, library, ecn_auto=ecn_auto, headroom=headroom)
        text = "".join(f"{line}\n" for line in lines)
        problem = _find_problem(text, wanted.vendor, folder)
        if problem is None:
            return text
        why = problem  # of the last one, which asks least of the platform
    raise StarterRefused(why)


def _find_problem(text: str, vendor: str, folder: str) -> str | None:
    """What is wrong with the text; None if it lints without an error or a warning, and renders.

    A fault of the release on the chip is not one of the text's: no intent avoids it.
    """
    sources = Sources()
    path = os.path.join(folder, FILE)
    sources.add(path, text)
    loaded = load(path, sources)
    if loaded.errors or loaded.fabric is None:
        return str(loaded.errors[0])  # a profile of the user's that cannot be read
    run = lint([loaded], sources)
    if run.failed:
        return str(run.failed[0])
    found = [f for f in run.findings if f.severity != "info" and f.rule.name != "nos-erratum"]
    if found:
        return f"{found[0].rule.name}: {found[0].message}"
    try:
        for _ in render_files(loaded.fabric, vendor):
            pass
    except CannotRender as error:
        return error.message
    return None


def plan_cluster(of: Cluster, library: Library, vendor: str, platform: str, release: str, speed: int) -> ClusterCables:
    """The ports of a cluster. `speed`: of the hosts' ports, bit/s. Raises StarterRefused."""
    known = library.platform(platform)
    box = library.box(platform, vendor, at=release) or known.boxes[vendor]
    return plan_cabling(of, known, box.layout, speed)


def _describe_topology(cluster: Cluster | None, cabling: ClusterCables | None) -> Iterator[str]:
    if cluster is None or cabling is None:
        return
    yield f"  topology: {'rail' if cluster.rails > 1 else 'clos'}"
    ratio = describe_oversubscription(cabling)
    if ratio is not None:
        yield f'  oversubscription: "{ratio}" # down to up, of each leaf'


def _render_lines(wanted: StarterChoices, library: Library, *, ecn_auto: bool, headroom: bool) -> Iterator[str]:
    cabling = None
    if wanted.cluster is not None and wanted.platform is not None:
        of = wanted.vendor, wanted.platform, wanted.release, wanted.speed
        cabling = plan_cluster(wanted.cluster, library, *of)
    yield from (
        "# yaml-language-server: $schema=./intent.schema.json",
        "# What this RoCEv2 fabric must do. In this folder:",
        "#   rocecfg lint      says what would freeze or slow it",
        "#   rocecfg show      prints every value in effect, and where it is from",
        f"#   rocecfg render --vendor {wanted.vendor} -o rendered      writes the configuration, a file a switch",
        "rocecfg: 1 # version of this format",
        "",
        "fabric:",
        f'  name: "{wanted.name}"',
        "  kind: backend # only RDMA and what it needs; converged: shared with other traffic",
        "  workload: ai-training # sets the limits that lint checks; ai-inference, storage-rdma, converged",
        "  mtu: 9000 # IP MTU in bytes, on every port",
        *_describe_topology(wanted.cluster, cabling),
        "",
        "# Each kind of traffic has a class, once for the whole fabric.",
        "classes:",
        "  # RDMA alone is lossless: PFC runs on its priority and on no other.",
        "  rdma:",
        "    carries: [rdma]",
        f"    dscp: {wanted.dscp} # what the NICs send",
        f"    priority: {wanted.priority}",
        "    lossless: true",
        "    bandwidth: 90 # percent; those of the classes that are not strict add up to 100",
        "    # ECN slows senders down well before PFC has to pause them.",
    )
    quiet, restoration = "it has been quiet for 400 ms", "restoration_time: 400ms"
    system = library.nos(wanted.vendor)
    if not system.knows("port.watchdog.restoration"):
        quiet, restoration = "a poll finds it quiet", ""
    drops = system.takes("port.watchdog.action", "drop")
    acting = "its packets are dropped" if drops else "pauses are ignored"
    if system.knows("port.watchdog.detection"):
        timers = ["detection_time: 200ms", *([restoration] if restoration else [])]
        timers += ["poll_interval: 100ms"] if system.knows("port.watchdog.poll") else []
        timers += ["action: drop"] if drops else []
        storm, watchdog = "paused for 200 ms", f"{{{', '.join(timers)}}}"
    else:
        storm, watchdog = "that stays paused for the system's own time", "vendor-default"
    low, high = _scale_ecn(wanted.speed)
    if not library.nos(wanted.vendor).knows("class.ecn.kmin"):
        yield "    # Percent of the queue's buffer, as this system counts: measure, and adjust."
        yield "    ecn: {kmin: 55%, kmax: 90%, pmax: 100%}"
    elif ecn_auto:
        yield f"    ecn: auto # from chip, port speed and workload; your own: {{kmin: {low}, kmax: {high}, pmax: 5%}}"
    else:
        yield f"    # 1 KB and 4 KB per Gbit/s of a {show_rate(wanted.speed)} port: measure, and adjust."
        yield f"    {_state_ecn(wanted.speed)}"
    yield from (
        "  # Congestion notifications overtake the congestion that they report.",
        "  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}",
        "  # Network control, never paused. DSCP 56 holds for routers told to mark it: FRR and EOS send BGP and BFD as",
        "  # CS6 = 48, which goes with the CNPs. Where they stay on 48, use one class: carries: [cnp, control].",
        "  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}",
        "  # Every other code point, so that nothing gets lossless treatment by accident.",
        "  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 10}",
        "",
        "pfc:",
        f"  # A queue {storm} is a storm: {acting} until {quiet}.",
        f"  watchdog: {watchdog}",
    )
    if headroom:
        yield "  headroom: auto # room for what still arrives after a pause was sent, by port speed and cable"
    yield ""
    yield "defaults: # for every switch, and every port of every switch"
    yield f"  vendor: {wanted.vendor}"
    yield f'  version: "{wanted.release}" # the release that runs; in quotes, since it is not a number'
    if wanted.platform is not None:
        known = library.platform(wanted.platform)
        yield f"  platform: {wanted.platform} # {known.title}; `rocecfg profiles` lists all"
        if cabling is None or wanted.cluster is None:
            yield from _render_devices(find_front_ports(known, known.boxes[wanted.vendor]), wanted.speed)
        else:
            later = f"detection_time: 400ms{', restoration_time: 800ms' if restoration else ''}"
            later = later if system.knows("port.watchdog.detection") else ""
            scaled = not ecn_auto and library.nos(wanted.vendor).knows("class.ecn.kmin") and cabling.top != wanted.speed
            uplink = _state_ecn(cabling.top) if scaled else ""
            yield from render_cluster(wanted.cluster, cabling, wanted.dscp, wanted.priority, later, uplink)


def _scale_ecn(speed: int) -> tuple[str, str]:
    """kmin and kmax for ports of a speed in bit/s, where the chip's curve is not known."""
    low, high = (show_size(speed // 10**9 * each) for each in (1000, 4000))
    return low, high


def _state_ecn(speed: int) -> str:
    low, high = _scale_ecn(speed)
    return f"ecn: {{kmin: {low}, kmax: {high}, pmax: 5%}}"


def _render_devices(ports: StarterPorts, speed: int) -> Iterator[str]:
    half = (len(ports.names) + 1) // 2
    yield ""
    yield "# Keys are node sets: leaf[01-32] stands for 32 switches."
    yield "devices:"
    yield "  leaf01:"
    yield "    role: leaf"
    yield "    ports: # the first ones of this platform: replace them with yours"
    for names, faces, cable in ((ports.names[:half], "host", "3m"), (ports.names[half:], "switch", "30m")):
        if names:
            yield f'      "{fold(names)}": {{speed: {show_rate(speed)}, faces: {faces}, cable: {cable}}}'
