"""Numbers whose unit is likely another one than is written, and speeds and FEC that no link has."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.core.units import Percent, show_rate
from rocecfg.model.stated import Problem, Val
from rocecfg.physics.headroom import roce_frame
from rocecfg.vendors.arista.reading.commands import REFUSED
from rocecfg.vendors.arista.reading.curves import convert_to_bytes
from rocecfg.vendors.arista.reading.parse import State, quote_line
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.ports import find_lossless
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_PACKET = roce_frame(4096)  # bytes of the largest RoCEv2 frame
_LIKE_PERCENT = 100_000  # bit/s: what `shape rate 100` comes to
_M, _G = 10**6, 10**9
_ETHERNET = frozenset(
    [n * _M for n in (10, 100, 1000, 2500, 5000)] + [n * _G for n in (10, 25, 40, 50, 100, 200, 400, 800, 1600)]
)
_RATE = re.compile(r"(\d{1,6}(?:\.\d)?)([gt]?)(full|half)?(?:-(\d+))?")
_SCALE = {"g": _G, "t": 1000 * _G, "": _M}
_PAM4 = 50 * _G  # bit/s of a lane: from here on lanes carry PAM4, which has no link without RS-FEC
_ALL_PAM4 = 400 * _G  # bit/s of a port: no faster one has slower lanes; 200G has them in 8 of 25G too


def check_units(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """What is wrong with the numbers of the profiles and of the ports, once each."""
    reported: set[tuple[str, int]] = set()
    states = [*switch.profiles.values(), *(kind.stated for kind in kinds)]
    found = (each for state in states for each in (*_check_curves(switch, state), *_check_shapers(switch, state)))
    for problem in (
        *found,
        *(each for kind in kinds for each in (*_check_link(switch, kind), *_check_port_shaper(switch, kind))),
    ):
        key = problem.message, problem.at.start
        if key not in reported:
            reported.add(key)
            yield problem


def _check_port_shaper(switch: Switchwide, kind: AlikePorts) -> Iterator[Problem]:
    """A shaper of a whole lossless port, below its rate."""
    val, speed = kind.state.get("port shape"), _parse_speed(kind)
    if val is None or val.value is None or not find_lossless(switch, kind):
        return
    if isinstance(val.value, Percent):
        below = val.value < 100
    else:
        below = val.value <= _LIKE_PERCENT or (speed is not None and val.value < speed)
    if below:
        yield Problem(
            "ets-shaper",
            val.at,
            f"{_quote(switch, val)} shapes a lossless port below its rate: its queues fill and pause the senders "
            "while the link has room",
            "write `no shape rate`; if the port must follow a carrier's rate, take RDMA off it",
        )


def _parse_speed(kind: AlikePorts) -> int | None:
    """Bits a second, as the port says it; None where it does not."""
    given = kind.state.get("speed")
    words = given.value.lower().split() if given is not None else []
    found = next((one for word in reversed(words) if (one := _RATE.fullmatch(word))), None)
    return None if found is None else round(float(found[1]) * _SCALE[found[2]])


def _quote(switch: Switchwide, val: Val) -> str:
    return quote_line(switch.document.text[val.at.start : val.at.end].strip())


def _check_curves(switch: Switchwide, state: State) -> Iterator[Problem]:
    for key, val in state.items():
        if key[0] != "ecn" or val.value in (None, REFUSED):
            continue
        low, unit, _, unit2, *_ = val.value
        if unit != unit2:
            yield Problem(
                "eos-unit",
                val.at,
                f"{_quote(switch, val)} counts one threshold in {unit} and the other in {unit2}: EOS prints one unit "
                "for both, and may refuse the line",
                f"write both in {unit}",
            )
            continue
        size = convert_to_bytes(low, unit, None, switch.cell if unit == "segments" else None)
        if size is not None and size < _PACKET:
            usual = "; probably kbytes was intended" if unit == "bytes" else ""
            yield Problem(
                "eos-unit",
                val.at,
                f"the minimum threshold, {low} {unit}, is less than one RoCE packet of {_PACKET} B (path MTU 4096): "
                f"marking begins with the first packet that waits, and senders slow down without congestion{usual}",
                "write minimum-threshold N kbytes maximum-threshold N kbytes",
            )


def _check_shapers(switch: Switchwide, state: State) -> Iterator[Problem]:
    for key, val in state.items():
        if key[0] != "shape" or val.value is None or isinstance(val.value, Percent) or val.value > _LIKE_PERCENT:
            continue
        yield Problem(
            "eos-unit",
            val.at,
            f"{_quote(switch, val)} of queue {key[1]} is a shaper of {show_rate(val.value)}: without a unit EOS "
            "counts in kbit/s, so the queue sends next to nothing",
            f"write shape rate {val.value // 1000} percent, if that was intended",
        )


def _check_link(switch: Switchwide, kind: AlikePorts) -> Iterator[Problem]:
    """A speed that is none, and FEC that the lanes of a speed do not work with."""
    given = kind.state.get("speed")
    words = given.value.lower().split() if given is not None else []
    found = next((one for word in reversed(words) if (one := _RATE.fullmatch(word))), None)
    if given is None or found is None:
        return
    rate = round(float(found[1]) * _SCALE[found[2]])
    if rate not in _ETHERNET or not (found[2] or found[3]):
        yield Problem(
            "device-value",
            given.at,
            f"{_quote(switch, given)}: {'no Ethernet link has that speed' if found[2] or found[3] else 'no unit'}; "
            "EOS writes gigabits with g, and the lanes after a dash",
            "write the gigabits and lanes of the port, such as speed 400g-8",
            severity=None if rate not in _ETHERNET else "warning",  # AVD's examples have `forced 10000`
        )
        return
    fec = kind.state.get("fec")
    lanes = int(found[4] or 0)
    carries = rate / lanes >= _PAM4 if lanes else rate >= _ALL_PAM4
    if fec is None or fec.value not in ("none", "fire-code") or not carries:
        return
    yield Problem(
        "eos-fec",
        fec.at,
        f"{_quote(switch, fec)} on ports of {show_rate(rate)}"
        + (f" over {lanes} lane{'s' * (lanes > 1)}" if lanes else "")
        + ": lanes of 50G and more use PAM4, and their links come up only with Reed-Solomon FEC",
        "write error-correction encoding reed-solomon, at both ends",
        ((given.at, "the speed"),),
    )
