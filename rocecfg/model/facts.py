"""Facts about chips, boxes, network cards, workloads and operating systems, as the profiles state them."""

from __future__ import annotations

from functools import lru_cache

from rocecfg.core.records import NamedTuple
from rocecfg.model.frozen import dataclass, field
from rocecfg.model.lanes import Cages, Layout, build_layout
from rocecfg.model.origin import ProfileFact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Limit(NamedTuple):
    """A range that a NOS accepts for one setting, from release `since` up to and including `until`."""

    what: str  # the setting, e.g. "port.watchdog.detection": a key of rocecfg.profiles.settings.SETTINGS
    low: float
    high: float
    unit: str  # of low and high, and of the model's value: a key of rocecfg.profiles.settings.UNITS
    since: str | None
    until: str | None
    source: str
    mark: str = "V"  # how sure: V | M | D | U


class Lack(NamedTuple):
    """Something a NOS cannot express, from release `since` up to and including `until`."""

    what: str  # the setting, and what of it: a key of rocecfg.profiles.settings.SETTINGS
    values: tuple[str, ...]  # the values concerned; (): any
    severity: str  # error | warning | info
    message: str  # what the problem is
    since: str | None
    until: str | None
    source: str
    fix: str = ""  # what to write instead
    on: tuple[str, ...] = ()  # kinds of switch concerned: chips, chip families, buffer models; (): all
    step: float | None = None  # only values that are no whole multiple of it; 0: that are no power of 2; None: any
    mark: str = "V"  # how sure: V | M | D | U

    @property
    def always(self) -> bool:
        """Whether it is lacking in every release and on any switch."""
        return not (self.on or self.since or self.until)


WATCHDOG_STOPPED, ADAPTIVE_OFF = "the watchdog is stopped under traffic", "adaptive routing is turned off"
ERRATA_OF_CHANGES = (WATCHDOG_STOPPED, ADAPTIVE_OFF)  # whoever brings a change to a switch asks for these
ERRATA_UNASKED = ("what is printed avoids it", "no setting decides")
ERRATA_WHEN = (  # what an erratum may depend on; rules.errata asks for each of the first
    "several lossless priorities of a port are watched",
    "the one lossless priority of a port is watched",
    "several ports are watched",
    "more than 64 lossless ports are watched, and their counters streamed",
    "lossless priorities are on a port with MACsec",
    "a storm is dropped",
    "storms on several ports are dropped",
    "ports are broken out",
    "buffers are read by gNMI",
    *ERRATA_OF_CHANGES,
    *ERRATA_UNASKED,
)


class Erratum(NamedTuple):
    """A known fault of a release on some chips, from `since` up to and including `until`."""

    number: str  # as its tracker names it
    when: str  # one of ERRATA_WHEN
    on: tuple[str, ...]  # chips; (): all
    severity: str  # error | warning | info
    message: str  # what happens
    fix: str
    since: str | None
    until: str | None  # None: not known to be fixed
    source: str
    mark: str
    boxes: tuple[str, ...] = ()  # platforms; (): all
    looked: str | None = None  # the month in which its tracker was looked at, as "2026-08"


class StockCurve(NamedTuple):
    """A marking curve that an operating system ships for a chip. Bytes, percent, bit/s."""

    nos: str
    name: str  # of the profile or template that holds it
    kmin: int
    kmax: int
    pmax: float
    speeds: tuple[int, ...]  # ports it is for; (): all


@dataclass(frozen=True, slots=True, eq=False)
class Nos:
    """A network operating system: the releases known, its limits and what it lacks, and what it does by itself."""

    name: str  # as an intent has it
    title: str
    releases: tuple[str, ...]  # oldest first
    default_release: str  # rendered for when the intent names none; said as assumed
    as_of: str  # the day of the newest source of these facts, as 2026-08-23
    limits: tuple[Limit, ...]
    lacks: tuple[Lack, ...]
    known_since: str | None = None  # the oldest release that its sources are of; None: not told
    errata: tuple[Erratum, ...] = ()
    refuses: frozenset[str] = frozenset()  # contradictions, of rocecfg.profiles.settings.REFUSALS
    stock_mtu: int | None = None  # IP MTU, bytes, of a port for which none is stated
    switched_mtus: tuple[int, ...] = ()  # all that a switched port takes, bytes; (): any
    stock_map: tuple[int | None, ...] | None = None  # traffic class of each DSCP in the map that it ships
    stock_ecn: tuple[StockCurve, ...] = ()  # for chips in general
    stock_cable: float | None = None  # metres that headroom is sized for where none are stated
    stock_shared_headroom: int | None = None  # bytes of the pool where none is stated; None: unknown
    buffer_models: tuple[str, ...] = ()  # dynamic, traditional: that it can be told to follow
    pauses_at: str | None = None  # how full a priority group is then: "size - xoff", "size + share of the pool"
    sizes_headroom: str | None = None  # where it is not stated, by "the cable length" or "itself"; None: neither
    headroom_reach: float | None = None  # metres of cable that headroom of its own is for; None: unknown
    ecn_rounded_up: bool | None = None  # ECN thresholds read back as the chip's next whole step
    by_priority: bool | None = None  # watchdog and headroom take a priority's number for that of queue and group
    control_queues: tuple[int, ...] = ()  # that it keeps for network control
    split_mark: str | None = None  # before the number of a part in a port's name: swp1s0, Ethernet1/1
    train: int | None = None  # numbers of a release that tell trains apart: 202405, 4.33, 5.14
    watchdog_polls: int = 1  # that detection and restoration time must each have room for
    families: tuple[str, ...] = ()  # of chips, that it tells apart
    stock_watchdog: dict[str, float] = field(default_factory=dict)  # detection, restoration, poll of its own, ms
    stock_timers: tuple[tuple[str, str], ...] = ()  # first release -> how its own watchdog timers grow
    placeholder_pools: tuple[int, ...] = ()  # bytes of lossless pools that it ships for chips they were not made for
    buffer_templates: dict[str, str] = field(default_factory=dict)  # role -> its template of pools; other: any other's
    lossless_share: float | None = None  # percent of the buffer that lossless traffic has where no share is stated
    stock_alpha: dict[str, float] = field(default_factory=dict)  # buffer model, or any -> alpha where none is stated
    stock_lossless_mtu: int | None = None  # bytes of a lossless packet in its headroom formula where none are stated
    stock_small_packets: tuple[tuple[str, float], ...] = ()  # first release -> percent in that formula
    headroom_generations: tuple[tuple[str, str], ...] = ()  # first release -> generation of that formula
    written_since: str | None = None  # the first release whose statements are written; None: any
    written_until: str | None = None  # the last
    counts_marks: str | None = None  # first release that counts packets marked CE; None: all do, or nobody knows
    dual_tor: bool | None = None  # what it ships for two ToRs of a rack pauses priorities 2, 3, 4 and 6
    drops_without_ect: bool | None = None  # it drops packets without ECT in a queue whose others it marks
    lag_mtu: bool | None = None  # the MTU of a LAG is stated for the LAG, and not for its ports
    keeps_schedulers: bool | None = None  # a queue that no class has keeps its scheduler: without one the chip decides
    unwatched_cores: bool | None = None  # cores published for it have no watchdog between switches
    port_speeds: bool | None = None  # its configuration names the speed of every port
    commits: dict[str, str] = field(default_factory=dict)  # releases whose tables of buffers are known -> where read
    sources: dict[str, str] = field(default_factory=dict)  # key -> source of that figure
    marks: dict[str, str] = field(default_factory=dict)  # key -> V | M | D | U, how sure

    def least(self, what: str) -> float | None:
        """The least value of a setting, one of SETTINGS, that any release takes; None: no range is known."""
        return min((limit.low for limit in self.limits if limit.what == what), default=None)

    def takes(self, what: str, value: str) -> bool:
        """Whether it has a setting, one of SETTINGS, and that value of it, in any release and on any switch."""
        return not any(
            lack.what == what and lack.always and lack.step is None and (not lack.values or value in lack.values)
            for lack in self.lacks
        )

    def knows(self, what: str) -> bool:
        """Whether it has a setting, one of SETTINGS, in any release and on any switch."""
        return _knows(self, what)


@lru_cache(maxsize=256)  # of few systems, and asked for every device
def _knows(nos: Nos, what: str) -> bool:
    return not any(lack.what == what and lack.always and lack.step is None and not lack.values for lack in nos.lacks)


@dataclass(frozen=True, slots=True, eq=False)
class Asic:
    """A switch chip. Sizes in bytes, speeds in bit/s, delays in ms; None or () means unknown, never zero."""

    name: str  # the profile's file name, e.g. "tomahawk5"
    file: str  # the profile as it is cited, e.g. "asics/tomahawk5"
    title: str
    nos: tuple[str, ...] = ()  # operating systems known to run on it
    families: dict[str, str] = field(default_factory=dict)  # NOS -> the NOS's word for the family, e.g. arista: strata
    speeds: tuple[int, ...] = ()
    capacity: int | None = None
    lane: int | None = None  # fastest rate of one lane
    cell: int | None = None
    nominal_buffer: int | None = None  # what the data sheet says
    usable_buffer: int | None = None  # what the operating system can hand out of it
    lossless_pool: int | None = None  # shared pool of the lossless priority groups in a usual template
    shallow: bool = True  # on-chip shared buffer only (no HBM): headroom is scarce
    partitions: int | None = None  # parts that the buffer is split into, each serving some of the ports
    packing: float | None = None  # buffer bytes taken by a byte on the wire, as its tables have it
    response: str | None = (
        None  # school of the peer's response time in its shipped tables: legacy | 802.3 | 802.3-scaled
    )
    default_response: float | None = None  # KiB, at speeds that the school has no figure for
    pipeline: int | None = None  # latency of its pipeline, as bytes of headroom
    mac_phy: float | None = None  # latency of MAC and PHY, as KiB of headroom
    mac_delay: float | None = None  # latency of MAC and pipeline, where known as a time
    tile_delay: float | None = None
    extra_xoff: int | None = None
    shared_headroom_per_port: int | None = None
    headroom_formula: str | None = None  # spectrum: SONiC's dynamic model computes headroom
    alpha: tuple[
        float, ...
    ] = ()  # shares of the free pool that shipped tables give a lossless priority group, usual first
    ecn_step: int | None = None  # what ECN thresholds are rounded to
    lossless_queues: int | None = None
    priority_groups: int | None = None
    stock_ecn: tuple[StockCurve, ...] = ()
    sources: dict[str, str] = field(default_factory=dict)  # key -> source of that figure
    marks: dict[str, str] = field(default_factory=dict)  # key -> V | M | D | U, how sure

    def fact(self, key: str) -> ProfileFact:
        """The origin of one of its figures."""
        return ProfileFact(self.file, key, self.sources.get(key, ""), self.marks.get(key, "U"))


class HeadroomRow(NamedTuple):
    """Headroom of a lossless priority group at one speed and cable length. Bytes."""

    size: int
    xon: int
    xoff: int
    xon_offset: int | None
    dynamic_th: int  # n of alpha = 2^n


class HeadroomTable(NamedTuple):
    """A pg_profile_lookup.ini: what SONiC's traditional model gives, and NVIDIA ships beside its formula."""

    file: str  # the profile as it is cited
    rows: dict[int, dict[int, HeadroomRow]]  # speed in bit/s -> cable in whole metres -> row, both ascending
    source: str
    mark: str

    def fact(self, key: str) -> ProfileFact:
        """The origin of one of its figures."""
        return ProfileFact(self.file, key, self.source, self.mark)


class PoolSet(NamedTuple):
    """Buffer pools of a SONiC template. Bytes; None: not stated there."""

    templates: tuple[str, ...]  # t0, t1, ...
    ingress_lossless: int | None
    shared_headroom: int | None  # xoff of the ingress lossless pool; None: each priority group has its own
    ingress_lossy: int | None  # None: one ingress pool for all
    egress_lossless: int | None
    egress_lossy: int | None
    mode: str  # dynamic | static: how priority groups share the ingress lossless pool
    source: str
    mark: str
    releases: tuple[str, ...] = ()  # it holds in these; (): in all for which no other names them


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """A platform as one NOS sees it."""

    nos: str
    hwsku: str | None
    ports: str  # node set of every port name the NOS may use on it, breakouts included
    speeds: tuple[int, ...]  # bit/s
    since: str | None  # first release
    lossless: bool  # False where the NOS ships no lossless support on it
    buffer_model: str | None  # SONiC: dynamic | traditional
    pfc_to_pg: bool  # SONiC: PFC_PRIORITY_TO_PRIORITY_GROUP_MAP is used on this platform
    headroom: HeadroomTable | None  # SONiC: the HwSKU's table
    source: str
    pools: tuple[PoolSet, ...] = ()  # SONiC: the HwSKU's templates
    gearbox: float | None = None  # ms that a gearbox before the chip adds each way; None: there is none
    cages: tuple[Cages, ...] = ()  # in the order of `ports`; (): not known, or its port names do not follow them
    cages_source: str = ""
    release: str | None = None  # whose headroom and pools these are; None: they are not told apart
    tables: str = ""  # ` of 202411, taken for 202412`: what to say of them; "": they are those of the release asked for
    skipped: bool = False  # that release does not have the HwSKU, though earlier ones do
    unheld: str = ""  # which headroom table is left out, since it does not hold in that release

    @property
    def layout(self) -> Layout | None:
        """Its cages and their lanes under the names of its ports; None where they are not known."""
        return build_layout(self.ports, self.cages) if self.cages else None


@dataclass(frozen=True, slots=True, eq=False)
class Platform:
    """A real switch: its chip, its front ports, and how each NOS names them."""

    name: str
    file: str  # the profile as it is cited
    title: str
    asic: str
    boxes: dict[str, Box] = field(default_factory=dict)
    source: str = ""
    mark: str = "U"

    def fact(self, key: str, source: str = "", mark: str = "V") -> ProfileFact:
        """The origin of something it says; by default of which chip it has."""
        return ProfileFact(self.file, key, source or self.source, mark if source else self.mark)


@dataclass(frozen=True, slots=True, eq=False)
class Nic:
    """A network card as it comes: bit/s, metres, ms; None means unknown."""

    name: str
    file: str
    title: str
    speed: int | None
    trust: str | None  # pcp | dscp
    cable: float | None
    rdma_dscp: int | None
    cnp_dscp: int | None
    cnp_priority: int | None
    cnp_interval: float | None
    ecn: str | None  # on | off: DCQCN of a fresh card
    adaptive_routing: str | None  # on | off: whether a fresh card takes packets of a queue pair in any order
    coalescing: str | None  # receiver | sender: who thins out CNPs
    pfc: str | None
    dcqcn: dict[str, str]  # parameters as the vendor names and writes them
    sources: dict[str, str]
    marks: dict[str, str]


class Family(NamedTuple):
    """Published ECN thresholds under one name. Bytes, percent, bit/s."""

    name: str
    file: str
    title: str
    scaled: bool  # thresholds grow with the port's speed
    speed: int | None  # that the thresholds are stated for
    kmin: int
    kmax: int
    pmax: float
    judged: str  # what they were made for, or what is known of them
    source: str
    mark: str


class ChosenCurve(NamedTuple):
    """A marking curve that a model chose, and what it says of it over a range of senders. Bytes, percent, us.

    Of one between two of them (see `CurveTable.curve`) the model says nothing: `used` and `wait` are None.
    """

    kmin: int
    kmax: int
    pmax: float
    used: float | None  # percent of the link, at the least
    wait: float | None  # that 1 % of the packets wait longer than, at the most


class CurveTable(NamedTuple):
    """The marking curves of a chip: what `ecn: auto` takes."""

    file: str
    # by port speed in bit/s and the least and most senders (None: more, too); None: how many is not known
    rows: dict[int, dict[tuple[int, int | None] | None, ChosenCurve]]
    source: str
    mark: str

    def curve(self, speed: int, senders: int | None) -> ChosenCurve | None:
        """The curve for ports of that speed and so many senders; None where the table does not have the speed.

        A row holds from the middle of its range on; below, it is approached from the row before in equal ratios, so
        that one sender more is a small step. Beyond the last range that one for any number is.
        """
        ranges = self.rows.get(speed, {})
        usual = ranges.get(None)
        if senders is None or usual is None:
            return usual
        known: list[tuple[int, int | None, ChosenCurve]] = [
            (*of, curve) for of, curve in ranges.items() if of is not None
        ]
        last = known[-1][1] if known else 1
        if last is not None:
            known.append((last + 1, None, usual))
        before = found = usual
        for number, (first, end, curve) in enumerate(known):
            full = (first + end) // 2 if end is not None else 2 * first
            if not number or senders >= full:
                found = curve
            elif senders >= first:
                return _between(before, curve, (senders - first + 1) / (full - first + 1))
            if end is not None and senders <= end:
                return found
            before = curve
        return found

    def fact(self, key: str) -> ProfileFact:
        """The origin of one of its figures."""
        return ProfileFact(self.file, key, self.source, self.mark)


def _between(a: ChosenCurve, b: ChosenCurve, part: float) -> ChosenCurve:
    """The curve at that part of the way between two."""
    if a[:3] == b[:3]:
        return b
    kmin, kmax, pmax = (x * (y / x) ** part for x, y in zip(a[:3], b[:3], strict=True))
    return ChosenCurve(round(kmin), round(kmax), float(round(pmax)), None, None)


@dataclass(frozen=True, slots=True, eq=False)
class Workload:
    """What a fabric is for: what it is checked by, and the values recommended where the intent has none."""

    name: str
    file: str
    title: str
    judged_by: tuple[str, ...]
    intent: dict[str, Any]  # a fragment of an intent, scalars as text; {}: nothing is recommended
    why: str  # why these values
    source: str
    mark: str
    ecn: str | None  # the family that `ecn: auto` takes
    rtt: float | None  # ms, base round trip assumed where none is stated
    queue_delay: float | None  # ms a hop may add at kmax
    headroom_ratio: float | None  # headroom promised per byte of shared headroom pool, at most
    incast: int | None  # senders to one receiver assumed where none is stated
    sources: dict[str, str]
    marks: dict[str, str]

    def fact(self, key: str) -> ProfileFact:
        """The origin of one of its figures."""
        return ProfileFact(self.file, key, self.sources.get(key, self.source), self.marks.get(key, self.mark))
