"""Traffic classes that share a queue and all that is set for it: one class of an intent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocecfg.importing.texts import ClassText, PortText
from rocecfg.source.write import Value

Classes = Mapping[int, ClassText]
Ports = Sequence[PortText]


def joined(classes: Classes, ports: Ports) -> tuple[dict[int, ClassText], list[PortText]]:
    """The classes of a switch, those that packets cannot tell apart as one, and its ports in these terms.

    Lossy classes are one where they leave by one queue, are buffered in one priority group, and cross the same ports
    with the same marking: NVUE's `qos roce` puts six switch priorities into queue 0. They keep the number of that
    queue where one of them has it. Where ports sort by 802.1p values, or by maps of their own, each stays what it is:
    there its number says which packets it takes.
    """
    if any(port.own or port.settings.get("trust") != "dscp" for port in ports):
        return dict(classes), list(ports)
    alike: dict[object, list[int]] = {}
    for tc, cls in classes.items():
        shares = tuple(sorted((key, str(value)) for key, value in cls.shares.items()))
        crossed = tuple((tc in port.crossing, _hashable(port.ecn.get(tc))) for port in ports)
        key = tc if cls.lossless else (cls.queue, cls.pg, shares, crossed)
        alike.setdefault(key, []).append(tc)
    out = {}
    for tcs in alike.values():
        kept = next((tc for tc in tcs if tc == classes[tc].queue), min(tcs))
        dscps = tuple(sorted(point for tc in tcs for point in classes[tc].dscps))
        out[kept] = classes[kept]._replace(dscps=dscps)
    return out, [_of(port, out) for port in ports]


def _of(port: PortText, classes: Classes) -> PortText:
    ecn = {tc: curve for tc, curve in port.ecn.items() if tc in classes}
    return port._replace(crossing=port.crossing & classes.keys(), ecn=ecn)


def _hashable(curve: Value | None) -> object:
    return curve if curve is None or isinstance(curve, str) else str(curve)
