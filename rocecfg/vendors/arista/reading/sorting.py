"""Where packets are not sorted as the text seems to say."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import ranges
from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.model.switch import TCS
from rocecfg.vendors.arista.reading.maps import OWN
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.ports import find_lossless, get_trust
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_CONTROL = 7
_CS6 = 48
_EF = 46  # RFC 3246
_OTHERS_TELL = frozenset({*range(8), _CS6})


def check_sorting(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """What is wrong with the maps, for these ports."""
    yield from _check_rewriting(switch)
    yield from _check_untrusted_dscp(switch, kinds)
    yield from _check_default_map(switch, kinds)
    yield from _check_mixed_dscps(switch, kinds)
    yield from _check_cnps(switch, kinds)
    yield from _check_cos(switch, kinds)
    yield from _check_queue_map(switch, kinds)


def _check_rewriting(switch: Switchwide) -> Iterator[Problem]:
    """Maps to DSCP that write into packets, without the command that makes them do so."""
    rewrite = switch.globals.get("rewrite")
    if rewrite is not None:
        left = sorted(set(TCS) - {key[1] for key in switch.globals if key[0] == "remark"})
        if left:
            yield Problem(
                "device-unread",
                rewrite.at,
                f"qos rewrite dscp: what it writes into packets of traffic class {ranges(left)}, which no `qos map "
                "traffic-class to dscp` lists, is not checked",
            )
    if rewrite is not None or switch.head.run_all:
        return
    for key, val in switch.globals.items():
        if key[0] == "remark":
            yield Problem(
                "eos-map-direction",
                val.at,
                f"qos map traffic-class {key[1]} to dscp {val.value} classifies nothing: it writes DSCP {val.value} "
                f"into packets that traffic class {key[1]} sends, and only with `qos rewrite dscp`, which is missing",
                f"to classify packets, write qos map dscp {val.value} to traffic-class {key[1]}",
            )


def _check_untrusted_dscp(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """The code point that packets are sorted by on ports that trust no marking."""
    for kind in kinds:
        val = kind.state.get("untrusted")
        if val is not None and get_trust(switch, kind) == "none":
            yield Problem("device-unread", val.at, f"qos dscp {val.value}, on ports that trust no marking: not checked")


def _check_default_map(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """Code points that are lossless because EOS's own map leads them there."""
    given = {key[1] for key in switch.globals if key[0] == "dscp"}
    if not (given or switch.whole):
        return
    reported: dict[int, Span] = {}
    for kind in kinds:
        trust = kind.state.get("trust")
        if trust is None or trust.value == "dscp":
            for priority, at in find_lossless(switch, kind).items():
                reported.setdefault(priority, at)
    for priority, at in reported.items():
        own = [dscp for dscp, tc in enumerate(OWN) if tc == priority and dscp not in given]
        if own:
            yield Problem(
                "eos-default-map",
                at,
                f"priority {priority} is lossless, and EOS's default map maps DSCP {ranges(own)} to its traffic "
                "class: any packet with these DSCPs may pause the fabric",
                "map them elsewhere: `qos map dscp N to traffic-class N`, for each DSCP that RDMA does not use",
            )


def _check_cnps(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """DSCP 48 led away from EOS's own traffic class for it, to that of unmarked packets."""
    given, plain = switch.globals.get(("dscp", _CS6)), switch.globals.get(("dscp", 0))
    unmarked = OWN[0] if plain is None else plain.value
    paused = {tc for kind in kinds if get_trust(switch, kind) in (None, "dscp") for tc in find_lossless(switch, kind)}
    if given is not None and paused and given.value == unmarked and unmarked not in paused:
        yield Problem(
            "mix-cnp",
            given.at,
            f"DSCP {_CS6}, which NICs use for CNPs and routers for BGP (CS6) by default, maps to traffic class "
            f"{given.value}, as unmarked packets (DSCP 0) do: CNPs wait behind bulk traffic, and senders slow down "
            "late",
            f"write qos map dscp {_CS6} to traffic-class {OWN[_CS6]}"
            if given.value != OWN[_CS6]
            else f"map bulk traffic elsewhere: qos map dscp 0 to traffic-class {OWN[0]}",
        )


def _check_mixed_dscps(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """Code points of unlike traffic that the text itself leads to one lossless traffic class.

    Unmarked packets and CNPs there are pfc-prio0's and pfc-cnp's.
    """
    paused = {tc for kind in kinds if get_trust(switch, kind) == "dscp" for tc in find_lossless(switch, kind)}
    for tc in sorted(paused):
        led = {
            int(key[1]): val
            for key, val in switch.globals.items()
            if key[0] == "dscp" and val.value == tc and key[1] not in _OTHERS_TELL
        }
        blocks = {dscp // 8 for dscp in led}
        if len(blocks) < 2:
            continue
        usual = max(blocks, key=lambda block: (block == tc, sum(dscp // 8 == block for dscp in led)))
        odd = sorted(dscp for dscp in led if dscp // 8 != usual)
        voice = f" ({_EF} is EF, usually voice)" if _EF in odd else ""
        yield Problem(
            "mix-into-lossless",
            led[odd[0]].at,
            f"DSCP {ranges(sorted(led))} map to lossless traffic class {tc}{voice}: RDMA usually has one "
            "DSCP in a fabric, and other packets with these DSCPs may pause it",
            "map the DSCPs that RDMA does not use elsewhere: qos map dscp N to traffic-class N",
            severity="warning" if voice else "info",
        )


def _check_cos(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """802.1p values that lead to a lossless traffic class of another number, on ports that sort by them.

    Ports that trust nothing are sorted by the value that they give to packets themselves, which is not judged.
    """
    given = {int(key[1]): val for key, val in switch.globals.items() if key[0] == "cos"}
    if not given:
        return
    sorting = [(get_trust(switch, kind), find_lossless(switch, kind)) for kind in kinds]
    paused = {priority for trust, priorities in sorting if trust == "pcp" for priority in priorities}
    for cos, val in sorted(given.items()):
        if val.value in paused and val.value != cos:
            yield Problem(
                "mix-tc-chain",
                val.at,
                f"802.1p value {cos} maps to traffic class {val.value}, which is paused as priority {val.value}: the "
                f"sender obeys only pauses of {cos}, and keeps sending",
                f"write qos map cos {cos} to traffic-class {cos}, and have RDMA tagged {val.value}",
            )
    if any(trust == "none" and priorities for trust, priorities in sorting):
        at = next(iter(given.values())).at
        yield Problem("device-unread", at, "qos map cos, on ports with PFC that trust no marking: not checked")


def _check_queue_map(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """Lossless traffic classes that are sent from another queue than the one of their number; and that of control."""
    for tc in TCS:
        queue = switch.globals.get(("tc", tc))
        if queue is not None and (tc == _CONTROL) != (queue.value == _CONTROL):
            yield Problem(
                "mix-tc-chain",
                queue.at,
                f"traffic class {tc} maps to queue {queue.value}: EOS keeps traffic class {_CONTROL} and queue "
                f"{_CONTROL} for control traffic, tied together (its manual, by second sources)",
                f"map traffic class {_CONTROL} to queue {_CONTROL}, and no other class to that queue",
                severity="warning",
            )
    for priority in sorted({priority for kind in kinds for priority in find_lossless(switch, kind)}):
        queue = switch.globals.get(("tc", priority))
        if queue is not None and queue.value != priority:
            yield Problem(
                "mix-tc-chain",
                queue.at,
                f"priority {priority} is lossless, but traffic class {priority} is sent from queue {queue.value}: EOS "
                f"has no command that ties a priority to another queue number, so a pause of priority {priority} may "
                "not stop it",
                f"write qos map traffic-class {priority} to tx-queue {priority}",
                severity="warning",
            )
