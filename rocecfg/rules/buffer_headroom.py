"""Headroom against what its links need: rules BUF601, BUF602 and BUF612. The arithmetic is `rocecfg.physics`'.

One headroom may be stated for many kinds of ports, all over a fabric: it is checked once, by all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import AUTO, Device, Fabric, Headroom, Origin, PortGroup, kept_with_fabric
from rocecfg.model.frozen import replace
from rocecfg.physics import headroom as physics
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, is_management
from rocecfg.sizing.chip import SizedChip
from rocecfg.sizing.headroom import find_need
from rocecfg.sizing.headroom import size_headroom as sized

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic

UNPAUSED_OFF = {**LOSSY_OFF, "semi-lossless": OFF}  # switches pause nobody there, so headroom stays empty
_PATH_MTUS = (4096, 2048, 1024, 512, 256)
_ROCE_HEADERS = 60  # IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4
_ETHERNET = physics.frame(0)
_MOST_NAMED = 3  # other kinds of ports told beside the worst
_KB = 1000
_LEGACY = "legacy"
_802_3, _SCALED = "802.3", "802.3-scaled"  # 905 and 1810 quanta at 800G


class LinkKind(NamedTuple):
    """What the headroom of a port depends on: its chip, its link and what is sent over it."""

    chip: SizedChip
    speed: int  # bit/s
    metres: float
    mtu: int  # IP MTU, bytes
    frame: int  # largest RoCEv2 L2 frame, bytes

    @property
    def asic(self) -> Asic | None:
        """The chip itself."""
        return self.chip.asic

    def __str__(self) -> str:
        return f"{show_rate(self.speed)} over {show_number(self.metres)} m"


def is_lossless_port(port: PortGroup) -> bool:
    """Whether rules on buffers look at these ports: lossless ones, but for what `pfc-mgmt-port` tells of."""
    return bool(port.pfc) and not is_management(port)


def path_mtu(fabric: Fabric, port: PortGroup) -> int:
    """Bytes of payload in the largest RoCE packet: as stated, as far as the port's MTU has room for it."""
    largest = _PATH_MTUS[0] if port.mtu is None else largest_payload(port.mtu)
    return largest if fabric.path_mtu is None else min(fabric.path_mtu, largest)


def largest_payload(mtu: int) -> int:
    """Bytes of payload in the largest RoCE packet over IPv4 that an IP MTU has room for: packets do not fragment."""
    return next((m for m in _PATH_MTUS if m <= mtu - _ROCE_HEADERS), _PATH_MTUS[-1])


def ip_mtu(fabric: Fabric, device: Device, port: PortGroup) -> int:
    """The IP MTU, bytes: as stated, the operating system's own, or what the largest RoCE packet needs at least."""
    if port.mtu is not None:
        return port.mtu
    if device.nos is not None and device.nos.stock_mtu is not None:
        return device.nos.stock_mtu
    return physics.roce_frame(path_mtu(fabric, port)) - _ETHERNET


def link_kind(fabric: Fabric, device: Device, port: PortGroup) -> LinkKind | None:
    """What the headroom of these ports depends on; None where speed or cable is not known."""
    if port.fastest is None or port.cable is None:
        return None
    chip = SizedChip(device.nos, device.asic, device.box, device.platform, device.release, device.buffers, None)
    frame = physics.roce_frame(path_mtu(fabric, port))
    return LinkKind(chip, port.fastest, port.cable, ip_mtu(fabric, device, port), frame)


@lru_cache(maxsize=4096)
def needed_headroom(of: LinkKind, school: str | None = None) -> physics.Terms | None:
    """What such a link needs with the chip's own figures; None where they are not known.

    `school` is that of the peer's response time; by default the one that the intent states, or the chip's.
    """
    school = school or of.chip.buffers.response
    if of.asic is None:
        return None
    need = find_need(of.asic if school is None else replace(of.asic, response=school), of.speed, of.metres, of.mtu)
    return need.terms if need is not None else None


@lru_cache(maxsize=4096)
def default_xoff(of: LinkKind) -> int | None:
    """What the switch itself gives such a link where nothing is stated: xoff by its table or formula."""
    room, _ = sized(of.chip, of.speed, of.metres, of.mtu, AUTO)
    return room.xoff if room is not None else None


@lru_cache(maxsize=4096)
def _compute_minimum(speed: int, metres: float, frame: int, school: str | None) -> physics.Terms:
    return physics.find_floor(speed, metres, frame, school or _LEGACY)


def minimum_headroom(of: LinkKind) -> physics.Terms:
    """What such a link needs on any chip, with the response time that the intent states of its peers."""
    return _compute_minimum(of.speed, of.metres, of.frame, of.chip.buffers.response)


def _describe_assumptions(school: str | None) -> str:
    """What that counts with."""
    stated = school is not None and school != _LEGACY
    response = f"response of the peer by {school}, as stated" if stated else "shortest response"
    return f"({response}, cells filled without loss, RoCE packets alone)"


def bytes_after_pause(room: Headroom) -> int:
    """The bytes that may still arrive after the pause; all of it where the headroom is not told apart."""
    return room.size if room.xoff is None else room.xoff


def _round_up_to_kb(size: int) -> int:
    """The next value in whole KB, for people to write."""
    return ceil(size / _KB) * _KB


# -- what the intent states --------------------------------------------------------------------------------------------


class _Verdict(NamedTuple):
    """What is wrong with one stated headroom, and on which of its kinds of ports."""

    by: str  # name of the rule
    hit: Hit
    kinds: frozenset[LinkKind]


@kept_with_fabric  # asked for every group of ports
def _judge_stated_headrooms(fabric: Fabric) -> Mapping[tuple[Origin, Headroom], _Verdict]:
    """What is wrong with each stated headroom, by its place."""
    stated: dict[tuple[Origin, Headroom], dict[LinkKind, None]] = {}
    for device in fabric.devices:
        for port in device.ports:
            if isinstance(port.headroom, Headroom) and is_lossless_port(port):
                found = link_kind(fabric, device, port)
                if found is not None:
                    stated.setdefault((port.headroom.at(), port.headroom), {})[found] = None
    out = {}
    for (at, room), kinds in stated.items():
        verdict = (
            _judge_too_small(room, tuple(kinds))
            or _judge_wasteful(room, tuple(kinds))
            or _judge_peer_response(room, tuple(kinds))
        )
        if verdict is not None:
            out[at, room] = verdict
    return out


def _report_verdict(fabric: Fabric, device: Device, port: PortGroup, by: str) -> Iterator[Hit]:
    """What that rule has to say of the headroom stated for these ports."""
    if not isinstance(port.headroom, Headroom) or not is_lossless_port(port):
        return
    verdict = _judge_stated_headrooms(fabric).get((port.headroom.at(), port.headroom))
    if verdict is not None and verdict.by == by and link_kind(fabric, device, port) in verdict.kinds:
        yield verdict.hit


def _locate_headroom(room: Headroom) -> tuple[Origin, ...]:
    return (room.at("xoff", "size"), room.at())


def _format_headroom(room: Headroom) -> str:
    """`xoff 100KB`, or `headroom 100KB` where only a size is stated."""
    return f"headroom {show_size(room.size)}" if room.xoff is None else f"xoff {show_size(room.xoff)}"


def _format_raised(room: Headroom, bound: int) -> str:
    """The stated headroom with room for `bound` bytes after the pause, as it is written."""
    bound = _round_up_to_kb(bound)
    if room.xoff is None:
        return show_size(bound)
    size = room.size + (bound - room.xoff if room.size >= room.xoff else 0)  # where the size holds xoff
    xon = f"xon: {show_size(room.xon)}, " if room.xon is not None else ""
    return f"{{size: {show_size(size)}, {xon}xoff: {show_size(bound)}}}"


def _describe_other_links(kinds: Sequence[tuple[LinkKind, physics.Terms]]) -> str:
    """The kinds of ports beside the worst, with what they need."""
    reported = [f"{of} needs {terms.total} B" for of, terms in kinds[:_MOST_NAMED]]
    if len(kinds) > _MOST_NAMED:
        reported.append(f"and {len(kinds) - _MOST_NAMED} more")
    return f"; also too little for other ports: {', '.join(reported)}" if reported else ""


def _rank_links(found: Mapping[LinkKind, physics.Terms]) -> list[tuple[LinkKind, physics.Terms]]:
    """Worst first; of ports that differ in nothing that is told, one."""
    reported: dict[str, tuple[LinkKind, physics.Terms]] = {}
    for of, terms in sorted(found.items(), key=lambda item: -item[1].total):
        reported.setdefault(str(of), (of, terms))
    return list(reported.values())


def _judge_too_small(room: Headroom, kinds: tuple[LinkKind, ...]) -> _Verdict | None:
    have = bytes_after_pause(room)
    own = {of: terms for of in kinds if (terms := needed_headroom(of)) is not None}
    enough = max((terms.total for terms in (*own.values(), *map(minimum_headroom, kinds))), default=0)
    broken = {of: terms for of in kinds if have < (terms := minimum_headroom(of)).total}
    if broken:
        (worst, terms), *others = _rank_links(broken)
        message = (
            f"{_format_headroom(room)} is below the {terms.total} B that any chip needs at {worst}: lossless "
            f"packets are lost after a pause{_describe_other_links(others)}. Needed: {terms.working()} "
            f"{_describe_assumptions(worst.chip.buffers.response)}"
        )
        fix = f"set headroom: {_format_raised(room, enough)} or more, or auto"
        return _Verdict("buffer-headroom", Hit(message, _locate_headroom(room), fix, severity=ERROR), frozenset(broken))
    short = {of: terms for of, terms in own.items() if have < terms.total and have < _needed_or_default(of, terms)}
    if not short:
        return None
    (worst, terms), *others = _rank_links(short)
    title = worst.asic.title if worst.asic is not None else ""
    message = (
        f"{_format_headroom(room)} is below the {terms.total} B that {title} needs at "
        f"{worst}: lossless packets may be lost after a pause{_describe_other_links(others)}. Needed: "
        f"{terms.working()}; this assumes packets that fill its "
        f"cells worst (x {terms.packing:.4g}) and MTU {worst.mtu} B at both ends"
    )
    fix = f"set headroom: {_format_raised(room, enough)} or more, or auto"
    return _Verdict("buffer-headroom", Hit(message, _locate_headroom(room), fix, severity=WARNING), frozenset(short))


def _needed_or_default(of: LinkKind, terms: physics.Terms) -> int:
    """What the switch itself gives such a link, if less: its table may know better, unless the intent does."""
    return terms.total if of.chip.buffers.response is not None else default_xoff(of) or terms.total


def _judge_wasteful(room: Headroom, kinds: tuple[LinkKind, ...]) -> _Verdict | None:
    """Only where no port that it is stated for needs half of it, and memory is scarce on all of them."""
    own = {of: terms for of in kinds if (terms := needed_headroom(of)) is not None}
    if len(own) < len(kinds) or not all(of.asic is not None and of.asic.shallow for of in kinds):
        return None
    worst, terms = _rank_links(own)[0]
    if bytes_after_pause(room) <= 2 * terms.total:
        return None
    ports = str(worst) if len(kinds) == 1 else f"these ports, at most {worst},"
    hit = Hit(
        f"{_format_headroom(room)} is more than twice what {ports} can fill: it takes memory from the shared "
        f"buffer, and pauses come sooner. Needed: {terms.working()}",
        _locate_headroom(room),
        f"set headroom: {_format_raised(room, terms.total)}, or auto",
    )
    return _Verdict("buffer-headroom-waste", hit, frozenset(kinds))


def _judge_peer_response(room: Headroom, kinds: tuple[LinkKind, ...]) -> _Verdict | None:
    """800G links for which the headroom is enough with one of the two response times, and too little with the other."""
    have = bytes_after_pause(room)
    between = {}
    for of in kinds:
        if of.chip.buffers.response is not None or of.asic is None or of.asic.response not in (None, _802_3):
            continue
        short, long = needed_headroom(of, _802_3), needed_headroom(of, _SCALED)
        if short is not None and long is not None and short.total <= have < long.total:
            between[of] = long
    if not between:
        return None
    (worst, terms), *_ = _rank_links(between)
    hit = Hit(
        f"{_format_headroom(room)} is enough at {worst} only if the peer responds to a pause within 905 quanta of 512 "
        "bit; with 1810 it is too little. Which value an 800G peer has is not published. Needed for 1810: "
        f"{terms.working()}",
        _locate_headroom(room),
        f"set headroom: {_format_raised(room, terms.total)}, or buffers.response: 802.3 if the peer is known to have "
        "905",
    )
    return _Verdict("buffer-peer-response", hit, frozenset(between))


# -- the rules ---------------------------------------------------------------------------------------------------------


def _judge_private_headroom(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Stated private headroom that is all there is, and less than what arrives after a pause."""
    private = device.buffers.private_headroom
    of = link_kind(fabric, device, port)
    if (
        private is None
        or device.buffers.shared_headroom != 0
        or of is None
        or private >= (terms := minimum_headroom(of)).total
    ):
        return
    enough = max(terms.total, need.total if (need := needed_headroom(of)) is not None else 0)
    yield Hit(
        f"private_headroom {show_size(private)} is below the {terms.total} B that any chip needs at {of}, and "
        f"shared_headroom is off: lossless packets are lost after a pause. Needed: {terms.working()} "
        f"{_describe_assumptions(device.buffers.response)}",
        (device.buffers.at("private_headroom"),),
        f"set private_headroom: {show_size(_round_up_to_kb(enough))} or more",
    )


@rule(
    "BUF601",
    "buffer-headroom",
    ERROR,
    source="IEEE 802.1Qbb and 802.3 31B.3.7, terms as in SONiC's headroom script; chips as profiles/asics cites them",
    by_kind=UNPAUSED_OFF,
    of_tables=("room",),
)
def buffer_headroom(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The headroom is too small for speed and cable: lossless packets are dropped after a pause."""
    if isinstance(port.headroom, Headroom):
        yield from _report_verdict(fabric, device, port, "buffer-headroom")
        if is_lossless_port(port) and link_kind(fabric, device, port) is None:
            yield from _judge_partly_known_link(fabric, device, port, port.headroom)
        return
    if port.fastest is None or port.cable is None or not is_lossless_port(port):
        return
    yield from _judge_private_headroom(fabric, device, port)
    if port.room is None:
        return  # of long cables buffer-long-link tells
    school = device.buffers.response
    terms = _compute_minimum(port.fastest, port.cable, physics.roce_frame(path_mtu(fabric, port)), school)
    of = link_kind(fabric, device, port) if bytes_after_pause(port.room) < terms.total else None
    if of is None:
        return
    enough = max(terms.total, need.total if (need := needed_headroom(of)) is not None else 0)
    yield Hit(
        f"the switch's own headroom for {of}, xoff {bytes_after_pause(port.room)} B, is below the {terms.total} B "
        f"that any chip needs: lossless packets are lost after a pause. Needed: {terms.working()} "
        f"{_describe_assumptions(school)}",
        (port.at("cable"), port.at("speed"), port.at()),
        f"state pfc.headroom: {{size, xon, xoff}} with xoff: {show_size(_round_up_to_kb(enough))}, or correct the "
        "cable",
    )


def _judge_partly_known_link(fabric: Fabric, device: Device, port: PortGroup, room: Headroom) -> Iterator[Hit]:
    """Headroom that is too small whatever the speed or the cable is, of which one or both are not known."""
    school = device.buffers.response
    terms = _compute_minimum(port.fastest or 0, port.cable or 0, physics.roce_frame(path_mtu(fabric, port)), school)
    if bytes_after_pause(room) >= terms.total:
        return
    link = "any link needs" if port.fastest is None else f"any chip needs at {show_rate(port.fastest)}"
    unknown = [word for word, known in (("speed", port.fastest), ("cable length", port.cable)) if known is None]
    yield Hit(
        f"{_format_headroom(room)} is below the {terms.total} B that {link}, whatever the {' and '.join(unknown)}: "
        f"lossless packets are lost after a pause. Needed: {terms.working()} {_describe_assumptions(school)}",
        _locate_headroom(room),
        "set headroom: auto, or the size for speed and cable that rocecfg advise prints",
    )


@rule(
    "BUF602",
    "buffer-headroom-waste",
    INFO,
    source="Bai et al., NSDI'23, section 9: incidents go with a small shared buffer; the factor 2 is this tool's own",
    by_kind=UNPAUSED_OFF,
)
def buffer_headroom_waste(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The stated headroom is more than twice what any of its links can fill."""
    yield from _report_verdict(fabric, device, port, "buffer-headroom-waste")


@rule(
    "BUF612",
    "buffer-peer-response",
    INFO,
    source="SONiC's headroom script has 905 quanta at 800G, Broadcom's tables fit 1810; 802.3's own is unknown",
    by_kind=UNPAUSED_OFF,
)
def buffer_peer_response(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """800G: whether the stated headroom is enough depends on the peer's response time, which is not published."""
    yield from _report_verdict(fabric, device, port, "buffer-peer-response")


RULES: tuple[Rule, ...] = (buffer_headroom, buffer_headroom_waste, buffer_peer_response)
