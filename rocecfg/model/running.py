"""What a switch's own configuration says beyond what an intent can: the typed place that rules on device files read.

An intent's devices have none of it. Every field's None means: the configuration does not say.
"""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.model.fabric import WithOrigins
from rocecfg.model.frozen import dataclass, field
from rocecfg.model.origin import Origin


@dataclass(frozen=True, slots=True)
class RunningPool(WithOrigins):
    """A buffer pool. Sizes in bytes."""

    name: str
    direction: str  # ingress | egress | both
    lossless: bool | None = None
    mode: str | None = None  # dynamic | static thresholds
    size: int | None = None
    percent: float | None = None  # share of the buffer, where that is how it is said
    of_buffers: bool = False  # that is a share that an intent states, in `buffers.pools`
    priorities: tuple[int, ...] | None = None  # switch priorities that draw from it, where that is how it is said
    shared_headroom: int | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RunningGroup(WithOrigins):
    """An ingress priority group of a port, and the buffer profile bound to it. Bytes."""

    number: int
    profile: str | None = None  # its name in the configuration
    lossless: bool | None = None
    pool: str | None = None
    size: int | None = None
    xon: int | None = None
    xoff: int | None = None
    xon_offset: int | None = None  # sending resumes this far below the threshold
    alpha: float | None = None  # share of the free pool
    static: int | None = None  # a fixed threshold of shared use instead; 0: no limit
    computed: bool | None = None  # the switch works the sizes out by itself
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    @property
    def pauses_at(self) -> int | None:
        """The fill at which a fixed threshold has it pause: what it has reserved comes first. None: at no fixed one."""
        if not self.static:
            return None
        size, headroom = self.size or 0, self.xoff or 0
        return self.static + (size - headroom if size >= headroom else size)  # some chips count headroom in the size


@dataclass(frozen=True, slots=True)
class RunningQueue(WithOrigins):
    """An egress queue of a port, beyond its class's scheduling and marking curve. Bytes."""

    number: int
    discards: bool | None = None  # WRED or RED drops here, beside or instead of marking
    counted: bool | None = None  # marked packets are counted
    scheduling: str | None = None  # of a queue that shares bandwidth: DWRR (counts bytes) | WRR (counts packets)
    turns: bool | None = None  # it is told to take turns; False: it has a share, and may be strict all the same
    ecn_curves: tuple[tuple[str, int | None, int | None, int | None], ...] = ()  # colours with a curve of their own
    keeps: bool | None = None  # its buffer profile is one for lossless queues, of those that the switch has
    profile: str | None = None  # buffer profile
    pool: str | None = None
    size: int | None = None  # reserved, beside what it shares
    alpha: float | None = None
    static: int | None = None  # a fixed threshold of shared use; 0: no limit
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    @property
    def limit(self) -> int | None:
        """The most that a fixed threshold lets it hold; None: it sets no limit."""
        return self.static + (self.size or 0) if self.static else None


@dataclass(frozen=True, slots=True)
class RunningLeft(WithOrigins):
    """Rows for lossless traffic on priorities that PFC is off for, on a port of which that is known."""

    why: str  # what the configuration says of PFC there
    rows: tuple[tuple[str, int, str], ...] = ()  # table, priority, the profile bound or "": ascending by priority
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RunningPort(WithOrigins):
    """What the ports of a group say beyond an intent's."""

    up: bool | None = None  # administratively
    in_use: bool = False  # front ports that are up, and set for traffic
    explained: bool = False  # a finding of the reader says why PFC is on none of their priorities
    obeys: tuple[int, ...] | None = None  # priorities whose pauses are obeyed, where they are not those of PFC
    sends: tuple[int, ...] | None = None  # priorities that pauses are sent for, where they are not those of PFC
    partly_paused: tuple[int, ...] = ()  # of those of PFC: not all packets are paused, or by a number nothing states
    maps: tuple[tuple[str, str], ...] | None = None  # maps and profiles bound: kind of map, its name
    dangling: tuple[str, ...] = ()  # kinds of maps of which the port names one that is not there
    groups: tuple[RunningGroup, ...] = ()
    queues: tuple[RunningQueue, ...] = ()
    lag_mtu: int | None = None  # IP MTU, bytes, that is stated for their LAG
    dcbx: str | None = None  # on | off, as the ports say it
    dcbx_version: str | None = None  # ieee | cee
    unmarked: int | None = None  # 802.1p value or priority of packets without a mark that is trusted
    tags: tuple[
        int, ...
    ] = ()  # traffic class of each 802.1p value, of packets without a DSCP, on ports that trust both
    flowcontrol_headroom: tuple[tuple[str, int], ...] = ()  # for 802.3x pause, as stated: bytes, and cable length (m)
    unmarked_dscp: int | None = None  # DSCP of packets whose DSCP is not trusted
    overlaps: tuple[tuple[str, str, str], ...] = ()  # SONiC: table, and the numbers of two rows that share some
    no_headroom: str | None = None  # why the switch makes no lossless priority group here though PFC is on
    sorted_into: tuple[int, ...] = ()  # traffic classes that a policy on the port puts packets into, before the maps
    adaptive: bool | None = None  # adaptive routing is on here
    trimmed: tuple[int, ...] | None = ()  # queues whose packets are trimmed, where trimming is on and that is how it is
    # said; None: no profile of a queue, which would say so, is known here
    left: RunningLeft | None = None  # rows for lossless traffic where PFC is off
    role: str | None = None  # SONiC's word for what it leads to, where that is inside the box: Int | Inb | Rec | Dpc
    offers: tuple[int, ...] | None = None  # bit/s, by autonegotiation; (): all that the port has; None: it is off
    lanes: int | None = None  # of the port, where it offers all that it has
    fastest: int | None = None  # bit/s: the most that it may negotiate; None: it does not, or nobody knows
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Running(WithOrigins):
    """What a device's configuration says beyond an intent's device."""

    kind: str  # config_db | nvue | eos
    roce: str | None = None  # NVUE's mode of `qos roce`, or off
    whole: bool = True  # False: a fragment, whose silence says nothing
    absent: tuple[str, ...] = ()  # what nothing in the text is about: subject and where it would stand
    pools: tuple[RunningPool, ...] = ()
    typed: tuple[str, str] | None = None  # SONiC: `type LeafRouter`, and the role that it amounts to
    remarks: tuple[tuple[int, int], ...] = ()  # traffic class -> DSCP written into what is sent
    watchdog_blind: bool | None = None  # the counters that the watchdog reads are off
    watchdog_forced: bool | None = None  # SONiC's BIG_RED_SWITCH: lossless queues drop, storm or not
    recovers: bool | None = None  # ports that the watchdog takes down come back by themselves
    counts_marks: bool | None = None  # marked packets are counted
    tunnels: bool | None = None  # VXLAN or another tunnel is configured
    copies_dscp: bool | None = None  # DSCP and ECN bits are carried into the tunnel's header and back
    copied_by: tuple[str, ...] = ()  # the lines that say so, where there are several
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


__all__ = ["Running", "RunningGroup", "RunningLeft", "RunningPool", "RunningPort", "RunningQueue"]
