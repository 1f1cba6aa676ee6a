"""Where NX-OS says the settings of the catalogue: in policies, below `system qos`, at interfaces, of the switch.

The words of a line stand behind those of the blocks that it is in: `policy-map queuing NAME class c-out-8q-q3
bandwidth remaining percent 50`. `take` gets the words behind the path of its row.
"""

from __future__ import annotations

from collections.abc import Callable

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model.catalogue import plain_coding
from rocecfg.vendors.table import Path, Row, Table, make_rows

QOS, NETWORK, QUEUING = "qos", "network-qos", "queuing"  # types of policies and classes
SYSTEM = "system-qos"
OTHER_PORT = "other-interface"  # in the place of `interface` where what is named has no queues
CLASS_MTU_UNSAID = 1500  # bytes, of a network-qos class that states none
MODES = ("on", "off", "auto")
_SENDING = "shares ecn max_rate guaranteed discards"
_UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
_RATES = {"bps": 1, "kbps": 10**3, "mbps": 10**6, "gbps": 10**9}
_GUIDE = "NX-OS QoS guide 9.3(x)"
_CLI = "NX-OS command reference 9.3(x)"
DSCP_NAMES = {
    "default": 0, "ef": 46,
    **{f"cs{n}": 8 * n for n in range(1, 8)},
    **{f"af{n}{drop}": 8 * n + 2 * drop for n in range(1, 5) for drop in range(1, 4)},
}  # fmt: skip
_FEC = {"rs-fec": "rs", "rs-ieee": "rs", "kp-fec": "rs", "fc-fec": "fc", "off": "none"}
_PRECEDENCES = ("routine", "priority", "immediate", "flash", "flash-override", "critical", "internet", "network")


class Pause(NamedTuple):
    """`pause` of a class: what makes it no-drop. Bytes."""

    priorities: tuple[int, ...]  # (): not stated
    size: int | None = None
    xoff: int | None = None  # pauses are sent from this fill on
    xon: int | None = None
    receives: bool = False  # it honours pauses and sends none


class Watch(NamedTuple):
    """`watch-dog-interval` of a port."""

    word: str  # on, off
    acts: bool = True  # else it writes a log, and the storm goes on
    polls: int | None = None  # until it acts, in place of the switch's multiplier


class Curve(NamedTuple):
    """`random-detect`. Bytes; None: the system's own."""

    kmin: int | None
    kmax: int | None
    pmax: int
    weight: int
    marks: bool  # `ecn`; else it drops


def whole(low: int, high: int) -> Callable[[Path], int | None]:
    """A whole number in its range, and no word more."""
    return lambda rest: int(rest[0]) if len(rest) == 1 and is_number(rest[0]) and low <= int(rest[0]) <= high else None


def _take_word(*words: str) -> Callable[[Path], str | None]:
    return lambda rest: rest[0] if len(rest) == 1 and (not words or rest[0] in words) else None


def _take_first(rest: Path) -> str | None:
    return rest[0] if rest else None


_SIDE = _take_word("on", "off", "desired")


def _take_rest(rest: Path) -> str:
    return " ".join(rest)


def list_numbers(text: str, high: int, names: dict[str, int] | None = None) -> tuple[int, ...] | None:
    """`24-31,cs6` as numbers; None for what is none."""
    found: list[int] = []
    for part in text.split(","):
        low, dash, last = part.partition("-")
        if names is not None and part in names:
            found.append(names[part])
        elif is_number(low, 3) and (not dash or is_number(last, 3)) and int(low) <= int(last or low) <= high:
            found.extend(range(int(low), int(last or low) + 1))
        else:
            return None
    return tuple(dict.fromkeys(found))


def _take_dscps(rest: Path) -> tuple[int, ...] | None:
    return list_numbers("".join(rest), 63, DSCP_NAMES)


def _take_cos(rest: Path) -> tuple[int, ...] | None:
    return list_numbers("".join(rest), 7)


def _take_precedences(rest: Path) -> tuple[int, ...] | None:
    found = list_numbers("".join(rest), 7, {name: n for n, name in enumerate(_PRECEDENCES)})
    return None if found is None else tuple(8 * n + low for n in found for low in range(8))


def _take_level(rest: Path) -> int | None:
    return 1 if not rest else int(rest[1]) if rest[0] == "level" and whole(1, 8)(rest[1:]) is not None else None


def _take_pause(rest: Path) -> Pause | None:
    match rest:
        case ("pfc-cos", *_) if (found := list_numbers("".join(w for w in rest[1:] if w != "receive"), 7)) is not None:
            return Pause(found, receives=rest[-1] == "receive")
        case ("buffer-size", size, "pause-threshold", xoff, "resume-threshold", xon, *more) if (
            is_number(size) and is_number(xoff) and is_number(xon)
        ):
            cos = list_numbers("".join(w for w in more[1:] if w != "receive"), 7) if more[:1] == ["pfc-cos"] else ()
            named = cos if cos is not None else ()
            return Pause(named, int(size), int(xoff), int(xon), receives=more[-1:] == ["receive"])
        case ("no-drop",):
            return Pause(())
        case ("no-drop", "pfc-cos", *_) if (found := list_numbers("".join(rest[2:]), 7)) is not None:
            return Pause(found)
    return None


def _take_size(number: str, unit: str) -> int | None:
    return int(number) * _UNITS[unit] if is_number(number) and unit in _UNITS else None


def _take_curve(rest: Path) -> Curve | None:
    marks = rest[-1:] == ("ecn",)
    words = tuple(word for word in (rest[:-1] if marks else rest) if word != "cap-average")
    if not words or words[0] == "threshold":  # random-detect [threshold burst-optimized|mesh-optimized] [ecn]
        return Curve(None, None, 100, 0, marks)
    match words:
        case ("minimum-threshold", low, unit, "maximum-threshold", high, other, *more):
            kmin, kmax = _take_size(low, unit), _take_size(high, other)
            given = dict(zip(more[::2], more[1::2], strict=False))
            pmax, weight = given.get("drop-probability", "100"), given.get("weight", "0")
            good = is_number(pmax) and int(pmax) <= 100 and is_number(weight) and int(weight) <= 15
            if kmin is not None and kmax is not None and good:
                return Curve(kmin, kmax, int(pmax), int(weight), marks)
    return None


def _take_shape(rest: Path) -> int | None:
    match rest:
        case ("min", _, _, "max", high, unit) if is_number(high) and unit in _RATES:
            return int(high) * _RATES[unit]
    return None


def _take_speed(rest: Path) -> int | None:
    number = whole(10, 1_600_000)(rest)
    return None if number is None else number * 10**6


def _take_channel(rest: Path) -> str | None:
    return f"port-channel{rest[0]}" if rest and is_number(rest[0], 5) else None


def _take_watch(rest: Path) -> Watch | None:
    match rest:
        case ("on" | "off",):
            return Watch(rest[0])
        case ("on", *more) if more[:1] == ["disable-action"] or more[:1] == ["interface-multiplier"]:
            acts = more[0] != "disable-action"
            polls = more if acts else more[1:]
            if not polls:
                return Watch("on", acts)
            if polls[0] == "interface-multiplier" and (number := whole(0, 40)(tuple(polls[1:]))) is not None:
                return Watch("on", acts, number)
    return None


def _take_mode(rest: Path) -> tuple[str, ...] | None:
    return rest if rest and rest[0] in MODES else None


POLLS_UNJUDGED = "with interface-multiplier the watchdog of the port has a time of its own: it is not checked"

# `key` of a row is the name under which the value is kept; `by`: the settings whose change sets the line.
# fmt: off
_PFC = "pfc obeys sends stops pauses"
_ROWS: tuple[tuple[Row, ...], ...] = (
    make_rows("class-map qos PROFILE match dscp", "dscp", key="dscp", take=_take_dscps),
    make_rows("class-map qos PROFILE match cos", "pcp", key="cos", take=_take_cos),
    make_rows("class-map qos PROFILE match precedence", "dscp", key="dscp", take=_take_precedences),
    make_rows("class-map qos PROFILE match ip dscp", "dscp", key="dscp", take=_take_dscps),
    make_rows("class-map qos PROFILE match", "dscp pcp", by="", key="other", take=_take_rest,
              unjudged="class {2} also takes packets by `match {rest}`: what it sorts is not checked"),
    make_rows("class-map network-qos|queuing PROFILE match qos-group", _PFC, by="", key="group", take=whole(0, 7)),
    make_rows("class-map network-qos|queuing PROFILE match cos", _PFC, by="", key="cos", take=_take_cos),
    make_rows("class-map network-qos|queuing PROFILE match", _PFC, by="", key="other", take=_take_rest,
              unjudged="which qos-group class {2} is for is not known"),
    make_rows("class-map|policy-map * PROFILE description", beside="words for people", source=_CLI),
    make_rows("policy-map qos PROFILE class KEY set qos-group", "dscp pcp", key="group", take=whole(0, 7)),
    make_rows("policy-map qos PROFILE class KEY set dscp|cos|precedence", "remarks", by="", key="remark",
              take=_take_rest, unjudged="class {4} writes other marks into packets: what comes of it is not checked"),
    make_rows("policy-map qos PROFILE class KEY police", "dscp", by="", key="police", take=_take_rest,
              unjudged="class {4} has a policer, which may drop its packets"),
    make_rows("policy-map network-qos PROFILE class KEY mtu", by="mtu", key="mtu", take=whole(576, 9216)),
    make_rows("policy-map network-qos PROFILE class KEY pause", _PFC, key="pause", take=_take_pause),
    make_rows("policy-map network-qos PROFILE class KEY congestion-control", "ecn", by="", key="congestion",
              take=_take_rest, beside="tail drop, or what the queuing policy says", source=_CLI),
    make_rows("policy-map network-qos PROFILE class KEY set cos", by="", key="cos", take=whole(0, 7),
              beside="marks of what leaves on Nexus 3000", source="microsoft/SDN 242fb0c3"),
    make_rows("policy-map queuing PROFILE class KEY bandwidth remaining percent", "shares", key="share",
              take=whole(0, 100)),
    make_rows("policy-map queuing PROFILE class KEY bandwidth percent", "shares guaranteed", key="percent",
              take=whole(0, 100)),
    make_rows("policy-map queuing PROFILE class KEY priority", "shares", key="strict", take=_take_level),
    make_rows("policy-map queuing PROFILE class KEY shape", "max_rate", key="shape", take=_take_shape),
    make_rows("policy-map queuing PROFILE class KEY random-detect", "ecn discards", key="curve", take=_take_curve),
    make_rows("policy-map queuing PROFILE class KEY random-detect non-ecn", "ecn discards", by="", key="other curve",
              take=_take_rest, unjudged="the curve by which packets without ECN are dropped is not checked"),
    make_rows("policy-map queuing PROFILE class KEY queue-limit", "egress", by="", key="limit", take=_take_rest,
              unjudged="how much of the buffer queue {4} may take is not checked"),
    make_rows("policy-map queuing PROFILE class KEY afd", "ecn discards", by="", key="afd", take=_take_rest,
              unjudged="approximate fair dropping in queue {4} is not checked"),
    make_rows("policy-map queuing PROFILE class KEY pause", "headroom", by="", key="pause", take=_take_pause),
    make_rows(f"{SYSTEM} service-policy type network-qos", _PFC, key=NETWORK, take=_take_first),
    make_rows(f"{SYSTEM} service-policy type queuing output", _SENDING, key="output",
              take=_take_first),
    make_rows(f"{SYSTEM} service-policy type queuing input", "headroom", by="", key="input",
              take=_take_first),
    make_rows(f"{SYSTEM} service-policy type qos input", "dscp pcp trust", by="", key=QOS,
              take=_take_first),
    make_rows(f"{SYSTEM} fex queue-limit", "egress", by="", key="fex", take=_take_rest,
              unjudged="queues of fabric extenders are not checked"),
    make_rows("interface PORT service-policy type qos input", "dscp pcp trust unmarked", key=QOS,
              take=_take_first),
    make_rows("interface PORT service-policy input", "dscp pcp trust unmarked", key=QOS,
              take=_take_first),
    make_rows("interface PORT service-policy type queuing output", _SENDING, key="output",
              take=_take_first),
    make_rows("interface PORT service-policy type queuing input", "headroom", by="", key="input",
              take=_take_first),
    make_rows("interface PORT service-policy type qos output", "remarks", by="", key="qos output", take=_take_rest,
              unjudged="a policy on what leaves is not checked"),
    make_rows("interface PORT priority-flow-control mode", f"{_PFC} dcbx", key="mode", take=_take_mode),
    make_rows("interface PORT priority-flow-control watch-dog-interval", "watchdog", key="watch", take=_take_watch),
    make_rows("interface PORT flowcontrol receive", "flowcontrol", key="receive", take=_SIDE),
    make_rows("interface PORT flowcontrol send", "flowcontrol", key="send", take=_SIDE),
    make_rows("interface PORT mtu", "mtu", key="mtu", take=whole(64, 9216)),
    make_rows("interface PORT speed", "speed", by="", key="speed", take=_take_speed),
    make_rows("interface PORT speed auto", "speed", by=""),
    make_rows("interface PORT fec", "fec", by="", key="fec",
              take=lambda rest: _FEC.get(rest[0], plain_coding(rest[0])) if len(rest) == 1 else None),
    make_rows("interface PORT fec auto", "fec", by=""),
    make_rows("interface PORT negotiate auto", "autoneg", by="", key="autoneg", take=lambda _: "on"),
    make_rows("interface PORT channel-group", "lag", by="", key="lag", take=_take_channel),
    make_rows("interface PORT switchport mode", "layer", by="", key="port mode", take=_take_first),
    make_rows("interface PORT switchport trunk", "layer", by="", key="trunk", take=_take_rest),
    make_rows("interface PORT switchport", "layer", by="", key="switchport", take=lambda _: 2),
    make_rows("interface PORT ip address", "layer", by="", key="address", take=lambda _: 3),
    make_rows("interface PORT ipv6 address", "layer", by="", key="address", take=lambda _: 3),
    make_rows("interface PORT ip unnumbered", "layer", by="", key="address", take=lambda _: 3),
    make_rows("interface PORT shutdown", "up", by="", key="shutdown", take=lambda _: True),
    make_rows("interface PORT description", by="", key="description", take=_take_rest),
    make_rows("priority-flow-control watch-dog-interval", "watchdog", key="watch", take=_take_word("on", "off")),
    make_rows("priority-flow-control watch-dog interval", "watchdog", by="", key="interval", take=whole(1, 10_000)),
    make_rows("priority-flow-control watch-dog shutdown-multiplier", "watchdog", by="", key="shutdown",
              take=whole(0, 1000)),
    make_rows("priority-flow-control auto-restore multiplier", "watchdog", by="", key="auto-restore",
              take=whole(0, 1000)),
    make_rows("priority-flow-control fixed-restore multiplier", "watchdog", by="", key="fixed-restore",
              take=whole(0, 1000)),
    make_rows("priority-flow-control watch-dog internal-interface-multiplier", by="", key="internal",
              take=whole(0, 1000), beside="ports inside the switch", source=_GUIDE),
    make_rows("priority-flow-control watch-dog forced", "watchdog", by="", key="forced", take=_take_rest,
              unjudged="what a forced watchdog does is not published"),
    make_rows("priority-flow-control override-interface mode off", _PFC, by="", key="override", take=lambda _: True),
    make_rows("hostname|switchname", by="", key="name", take=_take_word()),
    make_rows("version", by="", key="version", take=_take_first),
    make_rows("feature lldp", "dcbx", by="dcbx", key="lldp", take=lambda _: True),
    make_rows("lldp tlv-select dcbxp", "dcbx", by="", key="dcbxp", take=_take_rest),
    make_rows("hardware qos", "buffers", by="", key="hardware", take=_take_rest,
              unjudged="`hardware qos {rest}` changes queues or buffers of the chip: not checked"),
    make_rows("vlan configuration PROFILE service-policy type qos input", "dscp pcp trust", by="", key="vlan",
              take=_take_rest,
              unjudged="a policy of VLAN {2} sorts packets of its ports that have none of their own: not checked"),
    make_rows("vlan configuration PROFILE service-policy input", "dscp pcp trust", by="", key="vlan", take=_take_rest,
              unjudged="a policy of VLAN {2} sorts packets of its ports that have none of their own: not checked"),
    make_rows("hardware access-list tcam region qos", "dscp pcp", by="", key="tcam", take=_take_word("0"),
              unjudged="this region of the chip has no room for policies of type qos: if they work is not checked"),
    make_rows("hardware profile pfc", "buffers headroom", by="", key="hardware", take=_take_rest,
              unjudged="`hardware profile pfc {rest}` changes buffers of the chip: not checked"),
    make_rows("platform qos", "buffers", by="", key="platform", take=_take_rest,
              unjudged="`platform qos {rest}` changes buffers of the chip: not checked"),
    make_rows("link-level-flow-control watch-dog-interval", by="", key="llfc", take=_take_rest,
              beside="a watchdog of 802.3x", source="developer.cisco.com NX-API reference 9.3(x)"),
    make_rows("qos statistics|qos-policies", by="", key="statistics", take=_take_rest, beside="counters", source=_CLI),
    make_rows("feature nv overlay", by="", key="tunnels", take=lambda _: True),
)
# fmt: on
TABLE = Table(row for rows in _ROWS for row in rows)
