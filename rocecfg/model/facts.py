"""Facts about chips, boxes and network operating systems, as the profiles state them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class Limit(NamedTuple):
    """A range that a NOS accepts for one setting, from release `since` up to and including `until`."""

    what: str  # path of the setting, e.g. "watchdog.detection_time"
    low: float
    high: float
    unit: str  # "ms", "B", "percent", "m", "": the unit of low and high, and of the model's value
    since: str | None
    until: str | None
    source: str


class Lack(NamedTuple):
    """Something a NOS cannot express, from release `since` up to and including `until`.

    `what` is the path of the setting; `path%step` stands for its values between whole steps, `path^2` for those that
    are no power of 2.
    """

    what: str
    values: tuple[str, ...]  # the values concerned; (): any
    severity: str  # error | warning | info
    message: str  # what the problem is
    since: str | None
    until: str | None
    source: str
    mend: str = ""  # what to write instead
    on: tuple[str, ...] = ()  # kinds of switch concerned: chips, chip families, buffer models; (): all


@dataclass(frozen=True, slots=True, eq=False)
class Nos:
    """A network operating system: the releases known, its limits and what it lacks."""

    name: str  # sonic | spectrum | arista
    title: str
    releases: tuple[str, ...]  # oldest first
    default_release: str  # rendered for when the intent names none; said as assumed
    limits: tuple[Limit, ...]
    lacks: tuple[Lack, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Asic:
    """A switch chip. Sizes in bytes, speeds in bit/s; None means unknown, never zero."""

    name: str  # the profile's file name, e.g. "tomahawk5"
    title: str
    nos: tuple[str, ...]  # operating systems known to run on it
    families: dict[str, str]  # NOS -> the NOS's word for the family, e.g. arista: strata
    speeds: tuple[int, ...]
    capacity: int | None
    cell: int | None
    usable_buffer: int | None
    lossless_pool: int | None
    shallow: bool  # on-chip shared buffer only (no HBM): headroom is scarce
    sources: dict[str, str]  # key -> source of that figure
    marks: dict[str, str]  # key -> V | M | D | U, how sure


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
    headroom: tuple[tuple[int, tuple[int, ...]], ...]  # SONiC traditional: (speed, cable metres known), else ()
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class Platform:
    """A real switch: its chip, its front ports, and how each NOS names them."""

    name: str
    title: str
    asic: str
    boxes: dict[str, Box] = field(default_factory=dict)
    source: str = ""
