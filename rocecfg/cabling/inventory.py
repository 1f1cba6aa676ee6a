"""Cables of NetBox and Nautobot: answers of REST and GraphQL, of cables and of interfaces.

NetBox since 3.3 has lists of terminations on both sides; NetBox before and Nautobot one on each. Key names after
netbox/dcim/api/serializers and nautobot/dcim/api/serializers.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.cabling.lengths import metres
from rocecfg.cabling.names import device_name, is_other, port_name
from rocecfg.cabling.statements import AMBIGUOUS, LEFT_OUT, End, Left, Page, Said, Statements
from rocecfg.cabling.tree import Placed, get, items, mappings, text

_CABLES = ("cable_list", "cables", "results", "data")
_FAR = ("connected_endpoints", "connected_endpoint", "connected_interface", "link_peers", "link_peer")
_INTERFACE = "interface"
_DEPTH = "ask with ?depth=1 (Nautobot: 2), or in GraphQL for name and device { name }"
_GOING = "decommissioning"


def is_json(value: Any) -> bool:
    """Whether it holds cables, or interfaces with what they are connected to."""
    return next(_records(value), None) is not None or _is_empty(value)


def _is_empty(value: Any) -> bool:
    """An answer without any record: `{"count": 0, "results": []}`."""
    return isinstance(value, dict) and value.get("results") == [] and "count" in value


def _records(value: Any, device: str = "") -> Iterator[tuple[str, Placed, str]]:
    """Cables and interfaces, wherever the answer has them, with the device around them."""
    for below in items(value):
        if not isinstance(below, Placed):
            continue
        kind = _kind(below)
        if kind:
            yield kind, below, device
            continue
        inner = text(below.get("name")) if "interfaces" in below else device
        for part in below.values():
            if isinstance(part, (dict, list)):
                yield from _records(part, inner)


def _kind(record: Placed) -> str:
    keys = record.keys()
    if {"a_terminations", "b_terminations"} <= keys or {"termination_a", "termination_b"} <= keys:
        return "cable"
    if {"termination_a_id", "termination_b_id"} <= keys:
        return "cable"
    if {"interface_a", "interface_b"} <= keys:
        return "connection"
    return "interface" if "name" in keys and not keys.isdisjoint(_FAR) else ""


def read_json(value: Any, _: str) -> Statements:
    """A statement a cable; of interfaces one for each that is connected, told from both sides."""
    yield from _pages(value)
    for kind, record, device in _records(value):
        if kind == "cable":
            yield from _cable(record)
        elif kind == "connection":
            yield Said(_end(record["interface_a"]), _end(record["interface_b"]), record.at)
        else:
            yield from _interface(record, device)


def _pages(value: Any) -> Statements:
    """What REST says of an answer that has not all: the addresses of the pages before and after it, and the count."""
    for answer in mappings(value):
        before, after = text(answer.get("previous")), text(answer.get("next"))
        if "results" in answer and (before or after):
            count = answer.get("count")
            of = (after or before).partition("?")[0]
            held = len(items(answer["results"]))
            yield Page(of, held, count if isinstance(count, int) else 0, before, after, answer.at)


def _cable(record: Placed) -> Statements:
    sides = []
    for side in ("a", "b"):
        found = mappings(record.get(f"{side}_terminations")) or mappings(record.get(f"termination_{side}"))
        kind = text(record.get(f"termination_{side}_type"))
        sides.append([(_end(each), _type(each) or kind) for each in found] or [(End("", ""), kind)])
    a, b = sides
    (first, kind), (second, other) = a[0], b[0]
    if len(a) != 1 or len(b) != 1:
        why = f"a cable from {len(a)} to {len(b)} ports: which lane is which is not stated"
        yield Left(AMBIGUOUS, first, second, why, record.at)
    elif (strange := _strange(kind, first) or _strange(other, second)) is not None:
        yield Left(LEFT_OUT, first, second, strange, record.at)
    elif not (first.device and second.device):
        yield Left(LEFT_OUT, first, second, f"the device is not in the answer ({_DEPTH})", record.at)
    elif _word(record.get("status")) == _GOING:
        yield Left(LEFT_OUT, first, second, "the cable is being taken away (decommissioning)", record.at)
    else:
        yield Said(first, second, record.at, metres=_length(record))


def _strange(kind: str, end: End) -> str | None:
    """Why that is no port for data: by its type, or where that is not told by its name."""
    word = kind.rpartition(".")[2].casefold().removesuffix("type")
    if word and word != _INTERFACE:
        return f"a termination is no interface ({kind})"
    return f"{end.port!r} is no port for data by its name" if not word and is_other(end.port) else None


def _type(termination: Placed) -> str:
    return text(termination.get("object_type") or termination.get("__typename"))


def _end(termination: Any) -> End:
    of = get(termination, "object") or termination
    device = get(of, "device")
    named = text(get(device, "name")) or text(get(device, "display"))
    return End(device_name(named), port_name(text(get(of, "name")) or text(get(of, "display"))))


def _interface(record: Placed, device: str) -> Statements:
    here = _end(record)
    here = here._replace(device=here.device or device_name(device))
    url = text(record.get("url"))
    if is_other(here.port) or ("/dcim/" in url and "/interfaces/" not in url):
        yield Left(LEFT_OUT, here, End("", ""), "no port for data by its name or its kind", record.at)
        return
    far = next((found for key in _FAR if (found := mappings(record.get(key)))), [])
    if len(far) > 1:
        yield Left(AMBIGUOUS, here, _end(far[0]), f"connected to {len(far)} ports: which lane is which", record.at)
    elif far:
        yield Said(here, _end(far[0]), record.at, metres=_length(record.get("cable")))


def _word(value: Any) -> str:
    """A choice: NetBox's `{"value": ...}`, Nautobot's `{"name": ...}`, GraphQL's word."""
    found = get(value, "value") or get(value, "name") or value
    return text(found).casefold()


def _length(record: Any) -> float | None:
    length = text(get(record, "length"))
    unit = _word(get(record, "length_unit"))
    return metres(f"{length} {unit}") if length and unit else None
