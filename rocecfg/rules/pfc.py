"""Which priorities may pause a link: rules PFC101 to PFC109.

One mistake is one finding, so the rules give way to each other: a management port speaks for itself, eight
lossless priorities are `pfc-all` and nothing else, and a lossless CNP or control class, or one that takes unmarked
packets, is named by the rule that knows the consequence, not by `pfc-rdma-only` as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule

_PRIORITIES = 8
_CONTROL = frozenset((6, 7))  # network control where no class says otherwise: CS6 and CS7 land there
_DUAL_TOR = frozenset((2, 3, 4, 6))  # 3 and 4 from hosts, 2 and 6 for what bounces to the other ToR
_LOSSY_OFF = {"lossy": OFF}  # without PFC there is nothing to judge
_AFFORDABLE = 2  # lossless priorities that the headroom of an on-chip buffer carries


def is_management(port: PortGroup) -> bool:
    """Whether these are management or console ports: the intent says so, or their names do (eth0, Management1)."""
    return port.faces == "management" or _any_management(port.names)


@lru_cache(maxsize=1024)  # nearly every rule asks, and devices share their port names
def _any_management(names: tuple[str, ...]) -> bool:
    return any(
        low == "eth0" or low.startswith(("mgmt", "management", "console")) or (low[:2] == "ma" and low[2:3].isdigit())
        for low in map(str.lower, names)
    )


def _judged(port: PortGroup) -> bool:
    """Whether rules on single priorities have a say: not where the port, or PFC on all eight, is the mistake."""
    return len(port.pfc) < _PRIORITIES and not is_management(port)


def _words(priorities: tuple[int, ...] | list[int]) -> str:
    return f"{'priority' if len(priorities) == 1 else 'priorities'} {', '.join(map(str, priorities))}"


def _lossless_at(device: Device, port: PortGroup, priority: int) -> list[TrafficClass]:
    return [c for c in device.classes_on(port) if c.lossless and c.priority == priority]


def _sharers(device: Device, port: PortGroup, cls: TrafficClass) -> tuple[tuple[Origin, str], ...]:
    """The lossless classes that give PFC to the priority of `cls`, as related places."""
    return tuple(
        (c.at("lossless"), f"class {c.name} makes priority {c.priority} lossless")
        for c in _lossless_at(device, port, cls.priority)
        if c.name != cls.name
    )


def _lossless(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The lossless classes of a port, the most doubtful first: those without RDMA, then by falling priority."""
    found = [c for c in device.classes_on(port) if c.lossless]
    return sorted(found, key=lambda c: ("rdma" in c.carries, -c.priority))


def _is_cnp(cls: TrafficClass) -> bool:
    return "cnp" in cls.carries


def _is_control(cls: TrafficClass) -> bool:
    """Network control, but for a class that carries CNPs too: `pfc-cnp` names that one."""
    return "control" in cls.carries and not _is_cnp(cls)


def _implied_control(fabric: Fabric, device: Device) -> frozenset[int]:
    """Priorities of network control where no class carries it: 6 and 7, unless CNPs or dual ToR claim them."""
    for cls in device.classes:
        if "control" in cls.carries:
            return frozenset()
    claimed = {c.priority for c in device.classes if _is_cnp(c)}
    return _CONTROL - claimed - (_DUAL_TOR if fabric.dual_tor else frozenset())


def _unmarked(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The lossless classes in which packets that nobody marked land, but for CNP and control classes."""
    if port.trust == "dscp":
        tc = device.maps.dscp_to_tc[0]  # None: the chip's own default, not known here
        sharing = [c for c in device.classes if c.tc == tc]
        owners = [c for c in sharing if 0 in c.dscps] or sharing
    else:  # frames without a tag have priority 0
        owners = [c for c in device.classes if c.priority == 0]
    # A class that is not lossless itself but shares an RDMA class's priority is what mix-class-shared tells.
    return [c for c in owners if c.lossless and c.priority in port.pfc and not _is_cnp(c) and not _is_control(c)]


def _named_elsewhere(fabric: Fabric, device: Device, port: PortGroup) -> set[int]:
    """Priorities that `pfc-cnp`, `pfc-control-prio` or `pfc-prio0` name when they are lossless."""
    special = {c.priority for c in device.classes if _is_cnp(c) or _is_control(c)}
    return special | _implied_control(fabric, device) | {c.priority for c in _unmarked(device, port)}


@rule(
    "PFC101",
    "pfc-missing-rdma",
    ERROR,
    source="Bai et al., NSDI'23, section 2.4: first-generation NICs took hundreds of microseconds to recover one loss",
    by_kind={"lossy": OFF, "semi-lossless": WARNING},
)
def pfc_missing_rdma(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """RDMA crosses a port on a priority without PFC: congestion drops it."""
    if is_management(port):
        return
    for cls in device.classes_on(port):
        if "rdma" not in cls.carries or cls.priority in port.pfc:
            continue
        if cls.lossless:
            here, mend = (port.at("pfc"), port.at()), f"turn PFC on for priority {cls.priority} on these ports"
        else:
            here = (cls.at("lossless"), cls.at())
            mend = f"set lossless: true on class {cls.name}; where RDMA is meant to be lossy, set fabric.mode: lossy"
        yield Hit(
            f"class {cls.name} carries RDMA, but PFC is off on its priority {cls.priority}: "
            "congestion drops packets, and one loss makes the NIC send the window again",
            here,
            mend,
            cls=cls.name,
        )


@rule(
    "PFC102",
    "pfc-rdma-only",
    ERROR,
    source="IEEE 802.1Qbb: a pause stops everything on that priority",
    by_kind=_LOSSY_OFF,
)
def pfc_rdma_only(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC is on for a priority that no RDMA class uses."""
    extra = set(port.pfc).difference(c.priority for c in device.rdma)
    if not extra or not _judged(port):
        return
    extra -= _named_elsewhere(fabric, device, port)
    if fabric.dual_tor:
        extra -= _DUAL_TOR
    nobody = []
    for priority in sorted(extra):
        classes = _lossless_at(device, port, priority)
        if not classes:
            nobody.append(priority)
        for cls in classes:
            yield Hit(
                f"class {cls.name} (priority {priority}) is lossless but carries no RDMA ({', '.join(cls.carries)}): "
                "one more source of pauses, and one more headroom on every port",
                (cls.at("lossless"), port.at("pfc")),
                f"remove lossless: true from class {cls.name}; if it does carry RDMA (NVMe-oF over RoCE, say), "
                "add rdma to its carries",
                cls=cls.name,
            )
    if nobody:
        yield Hit(
            f"PFC is on for {_words(nobody)}, which no RDMA class uses: more sources of pauses, and headroom wasted",
            (port.at("pfc"),),
            "take what no RDMA class uses off the list of PFC priorities",
        )


@rule(
    "PFC103",
    "pfc-count",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 2, and Bai et al., NSDI'23, section 7.1: "
    "headroom is per port and priority, and two lossless priorities were what the buffer carried",
    by_kind={"lossy": OFF, "semi-lossless": OFF},
)
def pfc_count(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """More lossless priorities than the headroom of the chip carries, or than RDMA needs."""
    count = len(port.pfc)
    if count < _AFFORDABLE or not _judged(port) or (fabric.dual_tor and _DUAL_TOR.issuperset(port.pfc)):
        return
    lossless = _lossless(device, port)
    here = (*(c.at("lossless") for c in lossless), port.at("pfc"))
    related = tuple((c.at("lossless"), f"class {c.name} is lossless too") for c in lossless[1:])
    if count > _AFFORDABLE:
        chip = device.asic
        if chip is not None and not chip.shallow:
            return
        where = "on a chip without external buffer" if chip else "and the chip is not stated"
        yield Hit(
            f"{count} lossless priorities ({', '.join(map(str, port.pfc))}) {where}: "
            f"each takes headroom on every port, and on-chip buffers carry {_AFFORDABLE}",
            here,
            f"keep at most {_AFFORDABLE} classes lossless: those that carry RDMA"
            + ("" if chip else "; or state the platform or asic, if its buffer is external"),
            related,
            severity=ERROR if chip else WARNING,
        )
    else:
        rdma = {c.priority for c in device.rdma}
        crossing = {c.priority for c in device.classes_on(port) if "rdma" in c.carries}
        # A second priority that is no RDMA class's at all is pfc-rdma-only's, and so on.
        if len(crossing) == 1 and rdma.issuperset(port.pfc) and not fabric.dual_tor:
            yield Hit(
                f"PFC is on for {_words(port.pfc)}, but a single RDMA class crosses these ports "
                f"({_words(sorted(crossing))}): the headroom of the other is reserved for nothing",
                (port.at("pfc"), *here),
                "turn PFC off on the priority whose class does not cross these ports",
                severity=WARNING,
            )


@rule(
    "PFC104",
    "pfc-all",
    ERROR,
    source="follows from IEEE 802.1Qbb: eight paused priorities are a paused link",
    by_kind=_LOSSY_OFF,
)
def pfc_all(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on all eight priorities is link pause: control traffic and CNPs stop too."""
    if len(port.pfc) < _PRIORITIES or is_management(port):
        return
    lossless = _lossless(device, port)
    yield Hit(
        "PFC is on for all 8 priorities: a pause stops the whole link, control traffic and CNPs included",
        (*(c.at("lossless") for c in lossless), port.at("pfc")),
        "keep PFC on the priority of the RDMA class only",
        tuple((c.at("lossless"), f"class {c.name} is lossless too") for c in lossless[1:]),
    )


@rule(
    "PFC105",
    "pfc-global-pause",
    ERROR,
    source="Nokia SR Linux and NVIDIA Cumulus QoS documentation: PFC and 802.3x pause exclude each other on a port",
    by_kind=_LOSSY_OFF,
)
def pfc_global_pause(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """802.3x pause beside PFC on one port: they exclude each other, and link pause stops everything."""
    if not port.pfc or is_management(port):
        return
    if port.flowcontrol != "off":
        yield Hit(
            f"802.3x flow control ({port.flowcontrol}) on a port with PFC: the two exclude each other, "
            "and link pause stops control traffic and CNPs with the rest",
            (port.at("flowcontrol"),),
            "set flowcontrol: off",
        )
    for hosts, place in _pausing_nics(fabric) if port.faces != "switch" else ():
        yield Hit(
            f"the NICs of {hosts} have 802.3x pause on, and the switch ports they lead to have PFC: "
            "the two exclude each other, and link pause stops control traffic and CNPs with the rest",
            (place,),
            "turn it off on the NIC (ethtool -A DEVICE rx off tx off) and set global_pause: false",
        )


@lru_cache(maxsize=1)  # asked for every group of ports, and there may be as many groups of hosts
def _pausing_nics(fabric: Fabric) -> tuple[tuple[str, Origin], ...]:
    """The hosts, as written, whose NICs have 802.3x pause on, and where that is said."""
    hosts = fabric.facts.get("hosts", {})
    said = ((key, host.value.get("global_pause")) for key, host in hosts.items())
    return tuple((key, pause.at) for key, pause in said if pause is not None and pause.value is True)


@rule(
    "PFC106",
    "pfc-control-prio",
    ERROR,
    source="SONiC keeps TC and priority group 7 for control traffic",
    by_kind=_LOSSY_OFF,
)
def pfc_control_prio(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on a priority of network control: paused BGP, BFD and LACP reroute traffic into the storm."""
    if not _judged(port):
        return
    consequence = "a pause holds BGP, BFD and LACP, sessions drop, and the reroute feeds the storm"
    for cls in device.classes:
        if cls.priority in port.pfc and _is_control(cls):
            yield Hit(
                f"PFC is on for priority {cls.priority} of class {cls.name}, which carries control: {consequence}",
                (cls.at("lossless"),) if cls.lossless else (cls.at("priority"), port.at("pfc")),
                f"remove lossless: true from class {cls.name}"
                if cls.lossless
                else f"keep class {cls.name} and lossless traffic on different priorities",
                _sharers(device, port, cls),
                cls=cls.name,
            )
    for priority in sorted(_implied_control(fabric, device).intersection(port.pfc)):
        yield Hit(
            f"PFC is on for priority {priority}, which is network control's where no class carries it: {consequence}",
            (*(c.at("lossless") for c in _lossless_at(device, port, priority)), port.at("pfc")),
            "use one of priorities 1 to 5, or give network control a class of its own (carries: [control])",
        )


@rule(
    "PFC107",
    "pfc-cnp",
    ERROR,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 3.3: CNPs are sent with high priority",
    by_kind=_LOSSY_OFF,
)
def pfc_cnp(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on the priority of CNPs: the congestion holds back the signal that would end it."""
    if not _judged(port):
        return
    for cls in device.classes:
        if cls.priority not in port.pfc or not _is_cnp(cls):
            continue
        if "rdma" in cls.carries:
            here = (cls.at("carries"), cls.at("lossless"))
            mend = "give CNPs a class of their own: not lossless, bandwidth: strict"
        elif cls.lossless:
            here = (cls.at("lossless"), port.at("pfc"))
            mend = f"remove lossless: true from class {cls.name}"
        else:
            here = (cls.at("priority"), port.at("pfc"))
            mend = f"give class {cls.name} a priority without PFC (6 is usual), with bandwidth: strict"
        yield Hit(
            f"PFC is on for priority {cls.priority} of class {cls.name}, which carries CNPs: congestion holds back "
            "the signal that tells senders to slow down",
            here,
            mend,
            _sharers(device, port, cls),
            cls=cls.name,
        )


@rule(
    "PFC108",
    "pfc-prio0",
    ERROR,
    source="priority 0 and DSCP 0 are what IEEE 802.1Q and RFC 2474 give to packets that nobody marked",
    by_kind={"backend": WARNING, "lossy": OFF},
)
def pfc_prio0(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """RDMA on priority 0, or DSCP 0 in a lossless class: every unmarked packet may pause the fabric."""
    if not _judged(port):
        return
    zero = [c for c in device.classes_on(port) if "rdma" in c.carries and c.priority == 0]
    for cls in zero:
        yield Hit(
            f"class {cls.name} carries RDMA on priority 0, the priority of every frame that nobody marked: "
            "any of them may pause the fabric",
            (cls.at("priority"),),
            "use a priority that has to be asked for, 3 by custom, on switches and NICs",
            cls=cls.name,
        )
    for cls in () if zero else _unmarked(device, port):
        if cls.rest:
            continue  # schema-rest: a lossless class cannot take the rest
        if "rdma" in cls.carries:
            here, mend = (cls.at("dscp"),), f"take DSCP 0 out of class {cls.name}, and let senders mark RDMA"
        else:
            here, mend = (cls.at("lossless"),), f"remove lossless: true from class {cls.name}"
        yield Hit(
            f"packets that nobody marked land in class {cls.name}, which is lossless (priority {cls.priority}): "
            "each of them may pause the fabric",
            here,
            mend,
            cls=cls.name,
        )


@rule(
    "PFC109",
    "pfc-mgmt-port",
    ERROR,
    source="no RDMA runs on a management port, and a pause there stops operations",
    by_kind=_LOSSY_OFF,
    needs=("devices",),
)
def pfc_mgmt_port(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on a management, out-of-band or console port."""
    if not port.pfc or not is_management(port):
        return
    yield Hit(
        f"PFC is on for {_words(port.pfc)} on a management port: no RDMA runs there, and a pause locks operators out",
        (port.at("classes"), port.at("faces"), port.at()),
        "set faces: management, and take lossless classes off its classes",
    )


RULES: tuple[Rule, ...] = (
    pfc_missing_rdma,
    pfc_rdma_only,
    pfc_count,
    pfc_all,
    pfc_global_pause,
    pfc_control_prio,
    pfc_cnp,
    pfc_prio0,
    pfc_mgmt_port,
)
