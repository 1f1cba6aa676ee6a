"""Cables of NetBox and Nautobot: answers of REST and GraphQL, of cables and of interfaces.

NetBox since 3.3 has lists of terminations on both sides; NetBox before and Nautobot one on each. Key names after
netbox/dcim/api/serializers and nautobot/dcim/api/serializers.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rocecfg.cabling.lengths import parse_metres
from rocecfg.cabling.names import device_name, is_other, port_name
from rocecfg.cabling.statements import AMBIGUOUS, LEFT_OUT, CableEnd, LeftOut, Page, StatedCable, Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text, get_in

_FAR = ("connected_endpoints", "connected_endpoint", "connected_interface", "link_peers", "link_peer")
_INTERFACE = "interface"
_DEPTH = "ask with ?depth=1 (Nautobot: 2), or in GraphQL for name and device { name }"
_GOING = "decommissioning"


def is_json(value: Any) -> bool:
    """Whether it holds cables, or interfaces with what they are connected to."""
    return next(_find_records(value), None) is not None or _is_empty(value)


def _is_empty(value: Any) -> bool:
    """An answer without any record: `{"count": 0, "results": []}`."""
    return isinstance(value, dict) and value.get("results") == [] and "count" in value


def _find_records(value: Any, device: str = "") -> Iterator[tuple[str, PlacedMapping, str]]:
    """Cables and interfaces, wherever the answer has them, with the device around them."""
    for below in as_items(value):
        if not isinstance(below, PlacedMapping):
            continue
        kind = _record_kind(below)
        if kind:
            yield kind, below, device
            continue
        inner = as_text(below.get("name")) if "interfaces" in below else device
        for part in below.values():
            if isinstance(part, (dict, list)):
                yield from _find_records(part, inner)


def _record_kind(record: PlacedMapping) -> str:
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
    yield from _read_pages(value)
    for kind, record, device in _find_records(value):
        if kind == "cable":
            yield from _read_cable(record)
        elif kind == "connection":
            yield StatedCable(_read_end(record["interface_a"]), _read_end(record["interface_b"]), record.at)
        else:
            yield from _read_interface(record, device)


def _read_pages(value: Any) -> Statements:
    """What REST says of an answer that has not all: the addresses of the pages before and after it, and the count."""
    for answer in as_mappings(value):
        before, after = as_text(answer.get("previous")), as_text(answer.get("next"))
        if "results" in answer and (before or after):
            count = answer.get("count")
            of = (after or before).partition("?")[0]
            held = len(as_items(answer["results"]))
            yield Page(of, held, count if isinstance(count, int) else 0, before, after, answer.at)


def _read_cable(record: PlacedMapping) -> Statements:
    sides = []
    for side in ("a", "b"):
        found = as_mappings(record.get(f"{side}_terminations")) or as_mappings(record.get(f"termination_{side}"))
        kind = as_text(record.get(f"termination_{side}_type"))
        sides.append(
            [(_read_end(each), _termination_type(each) or kind) for each in found] or [(CableEnd("", ""), kind)]
        )
    a, b = sides
    (first, kind), (second, other) = a[0], b[0]
    if len(a) != 1 or len(b) != 1:
        why = f"a cable from {len(a)} to {len(b)} ports: its lanes are not stated"
        yield LeftOut(AMBIGUOUS, first, second, why, record.at)
    elif (strange := _why_no_port(kind, first) or _why_no_port(other, second)) is not None:
        yield LeftOut(LEFT_OUT, first, second, strange, record.at)
    elif not (first.device and second.device):
        yield LeftOut(LEFT_OUT, first, second, f"the device is not in the answer ({_DEPTH})", record.at)
    elif _read_choice(record.get("status")) == _GOING:
        yield LeftOut(LEFT_OUT, first, second, "the cable is being removed (decommissioning)", record.at)
    else:
        yield StatedCable(first, second, record.at, metres=_read_length(record))


def _why_no_port(kind: str, end: CableEnd) -> str | None:
    """Why that is not a port for data: by its type, or where that is not told by its name."""
    word = kind.rpartition(".")[2].casefold().removesuffix("type")
    if word and word != _INTERFACE:
        return f"a termination is not an interface ({kind})"
    return f"{end.port!r} is not a data port, by its name" if not word and is_other(end.port) else None


def _termination_type(termination: PlacedMapping) -> str:
    return as_text(termination.get("object_type") or termination.get("__typename"))


def _read_end(termination: Any) -> CableEnd:
    of = get_in(termination, "object") or termination
    device = get_in(of, "device")
    named = as_text(get_in(device, "name")) or as_text(get_in(device, "display"))
    return CableEnd(device_name(named), port_name(as_text(get_in(of, "name")) or as_text(get_in(of, "display"))))


def _read_interface(record: PlacedMapping, device: str) -> Statements:
    here = _read_end(record)
    here = here._replace(device=here.device or device_name(device))
    url = as_text(record.get("url"))
    if is_other(here.port) or ("/dcim/" in url and "/interfaces/" not in url):
        yield LeftOut(LEFT_OUT, here, CableEnd("", ""), "no port for data by its name or its kind", record.at)
        return
    far = next((found for key in _FAR if (found := as_mappings(record.get(key)))), [])
    if len(far) > 1:
        yield LeftOut(
            AMBIGUOUS, here, _read_end(far[0]), f"connected to {len(far)} ports: its lanes are not stated", record.at
        )
    elif far:
        yield StatedCable(here, _read_end(far[0]), record.at, metres=_read_length(record.get("cable")))


def _read_choice(value: Any) -> str:
    """A choice: NetBox's `{"value": ...}`, Nautobot's `{"name": ...}`, GraphQL's word."""
    found = get_in(value, "value") or get_in(value, "name") or value
    return as_text(found).casefold()


def _read_length(record: Any) -> float | None:
    length = as_text(get_in(record, "length"))
    unit = _read_choice(get_in(record, "length_unit"))
    return parse_metres(f"{length} {unit}") if length and unit else None
