"""What a profile may say: the figures of chips, network cards and workloads, each with how it is written and read.

A figure is a mapping of `value`, `mark` and `source`. One that is absent is unknown.
"""

from __future__ import annotations

from collections.abc import Callable

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import parse_length, parse_percent, parse_rate, parse_size, parse_time
from rocecfg.model.facts import StockCurve
from rocecfg.physics.spectrum import GENERATIONS
from rocecfg.profiles.files import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CODES = tuple(range(64))  # the DSCPs there are
TIMERS = ("detection", "restoration", "poll")
GROWTH = ("by ports", "by ports, poll at most 1s")
PAUSES = ("size - xoff", "size + share of the pool")
HEADROOM_BY = ("the cable length", "itself")
SCHOOLS = ("legacy", "802.3", "802.3-scaled")


class Figure(NamedTuple):
    """A figure that a profile may state: its key, what it means, and how its `value` is read."""

    key: str
    means: str
    written: str  # a key of _READERS
    words: tuple[str, ...] = ()  # those a word may be
    absent: Any = None  # what stands for unknown
    formula: bool | None = None  # of chips only whose headroom SONiC computes by formula (False: of the others only)


ASIC = (
    Figure("nos", "operating systems known to run on it", "words", absent=()),
    Figure("families", "the operating system's own word for the chip's family", "pairs", absent={}),
    Figure("speeds", "port speeds", "rates", absent=()),
    Figure("capacity", "switching capacity", "rate"),
    Figure("lane", "the fastest rate of a lane: ports of eight such lanes have two pipelines", "rate", formula=True),
    Figure("cell", "unit in which packets are buffered", "size"),
    Figure("nominal_buffer", "packet buffer as the data sheet has it", "size"),
    Figure("usable_buffer", "packet buffer that the operating system can hand out", "size"),
    Figure("lossless_pool", "shared pool of lossless priority groups in a usual template", "size"),
    Figure("shallow", "whether all of the buffer is on the chip", "flag"),
    Figure("partitions", "parts of the buffer, each serving some of the ports", "whole"),
    Figure("packing", "buffer bytes that a byte on the wire takes in its tables: packets fill whole cells", "number"),
    Figure("response", "which figures for the peer's response time its shipped tables follow", "word", SCHOOLS),
    Figure(
        "default_response",
        "KiB that arrive during the peer's response, at speeds without a figure",
        "number",
        formula=True,
    ),
    Figure("pipeline", "latency of the pipeline, as bytes of headroom", "size", formula=True),
    Figure("mac_phy", "KiB that arrive during the latency of MAC and PHY", "number", formula=True),
    Figure("mac_delay", "latency of MAC and pipeline", "time", formula=False),
    Figure("tile_delay", "latency between tiles", "time", formula=True),
    Figure("extra_xoff", "bytes that its formula adds to xoff", "size", formula=True),
    Figure(
        "shared_headroom_per_port", "headroom that a port may draw from the shared headroom pool", "size", formula=True
    ),
    Figure(
        "headroom_formula",
        "the formula by which SONiC's dynamic model computes headroom",
        "word",
        ("spectrum",),
        formula=True,
    ),
    Figure("alpha", "shares of the free pool that shipped tables give a lossless group", "fractions", absent=()),
    Figure("ecn_step", "what ECN thresholds are rounded to", "size"),
    Figure("lossless_queues", "lossless queues a port has in what is shipped", "whole"),
    Figure("priority_groups", "priority groups of a port", "whole"),
    Figure("stock_ecn", "ECN thresholds that operating systems ship for it", "curves", absent=()),
)
NIC = (
    Figure("speed", "fastest port", "rate"),
    Figure("trust", "what it classifies by by default", "word", ("pcp", "dscp")),
    Figure("cable", "cable length it assumes by default", "length"),
    Figure("rdma_dscp", "DSCP of its RDMA packets", "whole"),
    Figure("cnp_dscp", "DSCP of its CNPs", "whole"),
    Figure("cnp_priority", "priority of its CNPs", "whole"),
    Figure("cnp_interval", "least time between two CNPs", "time"),
    Figure("ecn", "whether DCQCN is on by default", "word", ("on", "off")),
    Figure(
        "adaptive_routing",
        "whether it accepts packets of a queue pair in any order by default",
        "word",
        ("on", "off"),
    ),
    Figure("coalescing", "who thins out CNPs", "word", ("receiver", "sender")),
    Figure("pfc", "PFC by default", "text"),
    Figure("dcqcn", "DCQCN's parameters in its firmware", "pairs", absent={}),
)
NOS = (
    Figure("stock_mtu", "IP MTU of a port for which none is stated", "size"),
    Figure("switched_mtus", "all IP MTUs that a switched port takes", "wholes", absent=()),
    Figure("stock_map", "DSCPs of each traffic class in the map that it ships", "dscps"),
    Figure("stock_ecn", "ECN thresholds that it ships for chips in general", "curves", absent=()),
    Figure("stock_cable", "cable length that headroom is sized for where none is stated", "length"),
    Figure("stock_shared_headroom", "shared headroom pool where none is stated", "size"),
    Figure("buffer_models", "headroom models that it can follow", "words", absent=()),
    Figure("pauses_at", "how full a priority group is when it pauses", "word", PAUSES),
    Figure("sizes_headroom", "by what it sizes headroom that the configuration does not state", "word", HEADROOM_BY),
    Figure("headroom_reach", "longest cable that headroom of its own is for", "length"),
    Figure("ecn_rounded_up", "whether ECN thresholds read back as the chip's next whole step", "flag"),
    Figure("by_priority", "whether watchdog and headroom take a priority's number for that of queue and group", "flag"),
    Figure("control_queues", "queues that it keeps for network control", "wholes", absent=()),
    Figure("split_mark", "what stands before the number of a part in the name of a split port", "text"),
    Figure("train", "numbers of a release that distinguish release trains", "whole"),
    Figure("watchdog_polls", "polls that detection and restoration time must each have room for", "whole", absent=1),
    Figure("families", "its names for chip families", "words", absent=()),
    Figure("stock_watchdog", "detection, restoration and poll of its own watchdog", "times", absent={}),
    Figure("stock_timers", "how its own watchdog timers grow, by first release", "words since", GROWTH, ()),
    Figure(
        "placeholder_pools",
        "sizes of a lossless pool that it ships for chips they were not made for",
        "sizes",
        absent=(),
    ),
    Figure("buffer_templates", "template of its pools for a device's role; other: for any other", "pairs", absent={}),
    Figure("lossless_share", "part of the buffer that lossless traffic has where no share is stated", "percent"),
    Figure("stock_alpha", "share of the free pool where none is stated, by buffer model or any", "shares", absent={}),
    Figure("stock_lossless_mtu", "bytes of a lossless packet in its headroom formula where none are stated", "size"),
    Figure("stock_small_packets", "small packets in that formula, by first release", "percents since", absent=()),
    Figure("headroom_generations", "generation of that formula, by first release", "words since", GENERATIONS, ()),
    Figure("counts_marks", "first release that counts marked packets", "release"),
    Figure("written_since", "first release whose statements are written; earlier ones have others", "release"),
    Figure("written_until", "last release whose statements are written; later ones have others", "release"),
    Figure("dual_tor", "whether what it ships for two ToRs of a rack pauses priorities 2, 3, 4 and 6", "flag"),
    Figure("drops_without_ect", "whether it drops packets without ECT in a queue whose others it marks", "flag"),
    Figure("lag_mtu", "whether the MTU of a LAG is stated for the LAG, and not for its ports", "flag"),
    Figure("keeps_schedulers", "whether a queue that no class has keeps its scheduler in a change", "flag"),
    Figure("unwatched_cores", "whether cores that are published for it have no watchdog between switches", "flag"),
    Figure("port_speeds", "whether its configuration names the speed of every port", "flag"),
    Figure("commits", "releases whose headroom tables and pools are known, and the commits", "pairs", absent={}),
)
WORKLOAD = (
    Figure("ecn", "the family of ECN thresholds that `ecn: auto` takes", "text"),
    Figure("rtt", "base round trip assumed where the intent states none", "time"),
    Figure("queue_delay", "delay that a hop may add at kmax", "time"),
    Figure("headroom_ratio", "headroom promised per byte of shared headroom pool, at most", "number"),
    Figure("incast", "senders to one receiver assumed where the intent states none", "whole"),
)


def read_figures(given: Entry, known: tuple[Figure, ...]) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """The values of the figures of a profile, their sources and their marks, by key."""
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    marks: dict[str, str] = {}
    for figure in known:
        if figure.key not in given:
            values[figure.key] = figure.absent
            continue
        fact = given.entry(figure.key)
        sources[figure.key], marks[figure.key] = fact.cited()
        values[figure.key] = _READERS[figure.written](fact, figure)
        fact.done()
    return values, sources, marks


def _read_since(given: Entry, parse: Callable[[str], Any]) -> tuple[tuple[str, Any], ...]:
    """`{"201811": 100%, "202411": 50%}`: what holds from a release on; the releases ascend."""
    try:
        return tuple((first, parse(value)) for first, value in given.pairs("value").items())
    except ValueError as error:
        raise given.fail(str(error)) from None


def _read_words_since(given: Entry, figure: Figure) -> tuple[tuple[str, str], ...]:
    steps = _read_since(given, str)
    for _, word in steps:
        if word not in figure.words:
            raise given.fail(f"{word!r} is not one of its words", f"write one of {', '.join(figure.words)}")
    return steps


def _read_shares(given: Entry, _: Figure) -> dict[str, float]:
    try:
        return {model: parse_fraction(value) for model, value in given.pairs("value").items()}
    except ValueError as error:
        raise given.fail(str(error), "write {dynamic: 1}, or {any: 1/4}") from None


def _read_times(given: Entry, _: Figure) -> dict[str, float]:
    """`{detection: 300ms, poll: 100ms}`, in ms; what is not known is left out."""
    pairs = given.pairs("value")
    strange = [timer for timer in pairs if timer not in TIMERS]
    if strange:
        raise given.fail(f"{strange[0]} is not a timer of a watchdog", f"write one of {', '.join(TIMERS)}")
    try:
        return {timer: parse_time(value) for timer, value in pairs.items()}
    except ValueError as error:
        raise given.fail(str(error), "write {detection: 300ms, poll: 100ms}") from None


def parse_fraction(text: str) -> float:
    """A number, or a fraction of whole numbers such as 1/4; ValueError otherwise."""
    top, slash, bottom = text.partition("/")
    if not slash:
        return float(text)
    if not (top.isdigit() and bottom.isdigit() and int(bottom)):
        raise ValueError(f"{text!r} is not a number or fraction")
    return int(top) / int(bottom)


def _quantity_reader(parse: Callable[[str], Any]) -> Callable[[Entry, Figure], Any]:
    return lambda given, _: given.quantity("value", parse)


def _read_curves(given: Entry, _: Figure) -> tuple[StockCurve, ...]:
    out = []
    for row in given.entries("value"):
        out.append(
            StockCurve(
                nos=row.text("nos"),
                name=row.text("name"),
                kmin=row.quantity("kmin", parse_size),
                kmax=row.quantity("kmax", parse_size),
                pmax=row.quantity("pmax", parse_percent),
                speeds=row.parsed("speeds", parse_rate),
            )
        )
        row.done()
    return tuple(out)


def _read_dscps(given: Entry, _: Figure) -> tuple[int | None, ...]:
    """The traffic class of each DSCP, from `{0: "8-15, 40", 1: rest}`; None: in none of them."""
    rest: int | None = None
    found: dict[int, int] = {}
    for tc, words in given.pairs("value").items():
        try:
            if words == "rest":
                rest = int(tc)
                continue
            for word in words.split(","):
                low, dash, high = word.partition("-")
                first = _CODES.index(int(low))
                last = _CODES.index(int(high if dash else low), first)
                found.update(dict.fromkeys(_CODES[first : last + 1], int(tc)))
        except ValueError:
            raise given.fail(
                f"{tc}: {words} is not a traffic class and its DSCPs", 'write 3: "24-31, 34", or rest'
            ) from None
    return tuple(found.get(dscp, rest) for dscp in _CODES)


_READERS: dict[str, Callable[[Entry, Figure], Any]] = {
    "size": _quantity_reader(parse_size),
    "time": _quantity_reader(parse_time),
    "rate": _quantity_reader(parse_rate),
    "length": _quantity_reader(parse_length),
    "number": _quantity_reader(float),
    "whole": _quantity_reader(int),
    "wholes": lambda stated, _: stated.parsed("value", int),
    "dscps": _read_dscps,
    "text": lambda stated, _: stated.text("value"),
    "flag": lambda stated, _: stated.flag("value", absent=False),
    "word": lambda stated, figure: stated.word("value", figure.words),
    "words": lambda stated, _: stated.texts("value"),
    "pairs": lambda stated, _: stated.pairs("value"),
    "sizes": lambda stated, _: stated.parsed("value", parse_size),
    "rates": lambda stated, _: stated.parsed("value", parse_rate),
    "fractions": lambda stated, _: stated.parsed("value", parse_fraction),
    "curves": _read_curves,
    "percent": _quantity_reader(parse_percent),
    "shares": _read_shares,
    "times": _read_times,
    "release": lambda stated, _: stated.text("value"),
    "percents since": lambda stated, _: _read_since(stated, parse_percent),
    "words since": _read_words_since,
}
