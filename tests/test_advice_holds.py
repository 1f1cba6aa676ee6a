"""Advice that the next rule refuses is none: what helps and fixes tell to write is written, and linted again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from agreement_cases import CASES, SWITCHES, written
from offers import list_faults, list_offers
from page_cases import INTENT, laid_out, pages
from sampling import few

CURVES = {
    "junos": {"kmin": "55%", "kmax": "90%", "pmax": "100%"},
    "": {"kmin": "400KB", "kmax": "1600KB", "pmax": "5%"},
}
DOG = {"detection_time": "200ms", "restoration_time": "400ms", "poll_interval": "100ms", "action": "drop"}
RDMA = {"carries": "[rdma]", "dscp": "26", "priority": "3", "lossless": "true"}

# What people write, by the key: too small, too large, in another unit, of another system. Between bars.
ECN = {
    "kmin": "0B|1B|200B|5KB|150000|1600KB|2MB|60%|90%|55.5%|120%|0",
    "kmax": "0B|400KB|3GB|257MB|100%|120%|50%|60.5%|1KB",
    "pmax": "0%|0.5%|0.05|2.5%|500%|1%",
    "weight": "4|16",
    "colors": "[]|[green]|[red]|[yellow, red]",
}
TIMERS = {
    "detection_time": "1ms|9ms|50ms|99ms|105ms|205ms|250ms|1s|4s|90s|200|200.5ms|0ms",
    "restoration_time": "1ms|50ms|100ms|205ms|450ms|2s|90s|400.5ms",
    "poll_interval": "1ms|10ms|50ms|99ms|105ms|200ms|400ms|1s|2s|6s|70s|33.3ms",
    "action": "forward|alert|errdisable|kill",
    "priorities": "[2]|[3, 4]|[9]",
}
ALL_TIMERS = "100/100/50 50/50/50 2000/4000/1000 300/600/200 600/1200/400 150/300/75 400/200/100 800/1600/800"
HEADROOM = (
    "100|1KB|18KB|40KB|100KB|200KB|1MB|40MB|{size: 40KB}|{size: 40KB, xon: 1KB, xoff: 20KB}|"
    "{size: 400KB, xon: 300KB, xoff: 350KB}|{size: 900KB, xon: 1KB, xoff: 880KB}"
)
BUFFERS = (
    "alpha: 0.3|alpha: 0.01|alpha: 16|alpha: 128|alpha: 0.03125|pools: {lossless: 5%}|"
    "pools: {lossless: 60%, lossy: 60%}|pools: {lossless: 100%}|pools: {lossless: 90%, lossy: 10%}|"
    "shared_headroom: off|shared_headroom: 1KB|shared_headroom: 300MB|oversubscribe: 2|oversubscribe: 1000|"
    "oversubscribe: 2.5|lossless_mtu: 1024B|lossless_mtu: 20KB|lossless_mtu: 9100|small_packets: 12.5%|"
    "small_packets: 100%|queue_limit: 1KB|queue_limit: 300MB|queue_limit: 1MB|private_headroom: 1KB|"
    "model: traditional|model: dynamic|response: 802.3|template: t9"
)
FABRIC = (
    "mtu: 1500|mtu: 600|mtu: 9216|mtu: 9500|mtu: 65535|path_mtu: 9000|rtt: 1ms|rtt: 8us|incast: 1000|mode: lossy|"
    "mode: semi-lossless|congestion_control: none|ecn_family: hpcc|kind: frontend|classification: vendor"
)
CLASS = {
    "priority": "9|0|7",
    "pg": "4|9",
    "queue": "5|9",
    "tc": "4",
    "dscp": "106|[24-31]|48",
    "lossless": "false",
    "carries": "[RDMA]|[roce]",
}
SHARE = (
    "0|0.3|59.5|100|90|50|61|strict|150|60, max_rate: 1500bit/s|60, max_rate: 5T|60, max_rate: 0|60, max_rate: 12.5%|"
    "60, guaranteed: 12.5%|60, guaranteed: 5T|60, guaranteed: 10G|60, guaranteed: 0"
)
PORT = (
    "mtu: 9216|mtu: 1500|mtu: 65535|fec: none|fec: rss|trust: pcp|trust: none|flowcontrol: rx|alpha: 0.3|"
    "faces: management|faces: hots|layer: 2|lag: bond1|lag: ae1|macsec: true|pfc: {watchdog: off}|"
    "pfc: {headroom: 40KB}|classes: [default]"
)
DEVICE = (
    "role: leef|dcbx: willing|dcbx: off|mac_age: 300s|load_balancing: {mode: spray}|load_balancing: {mode: adaptive}|"
    "load_balancing: {hash: [dest-qp]}|trimming: {classes: [rdma]}|telemetry: {scrape_interval: 5m}"
)
OWN = "priority: 6, bandwidth: 10|priority: 3, bandwidth: strict|priority: 6, bandwidth: strict, max_rate: 0"


def _flow(pairs: dict[str, str]) -> str:
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs.items())}}}"


def _lines(pairs: dict[str, str]) -> str:
    return "\n    ".join(f"{key}: {value}" for key, value in pairs.items())


def _each(table: dict[str, str]) -> Iterator[dict[str, str]]:
    for key, values in table.items():
        for value in values.split("|"):
            yield {key: value}


def slips(vendor: str) -> Iterator[dict[str, str]]:
    """Sections of an intent, each with one value that few switches are to have."""
    curve = CURVES.get(vendor, CURVES[""])
    yield from ({"ecn": f"ecn: {_flow({**curve, **one})}"} for one in _each(ECN))
    yield from ({"ecn": f"ecn: {word}"} for word in ("off", "auto"))
    yield {"ecn": ""}
    yield from ({"pfc": f"pfc: {{watchdog: {_flow({**DOG, **one})}}}"} for one in _each(TIMERS))
    for times in ALL_TIMERS.split():
        detection, restoration, poll = (f"{time}ms" for time in times.split("/"))
        dog = {**DOG, "detection_time": detection, "restoration_time": restoration, "poll_interval": poll}
        yield {"pfc": f"pfc: {{watchdog: {_flow(dog)}}}"}
    yield from ({"pfc": text} for text in ("", "pfc: {watchdog: off}", "pfc: {watchdog: vendor-default}"))
    yield from ({"pfc": f"pfc: {{watchdog: {_flow(DOG)}, headroom: {one}}}"} for one in HEADROOM.split("|"))
    yield from ({"rest": f"buffers: {{{one}}}"} for one in BUFFERS.split("|"))
    yield from ({"fabric": f"fabric: {{name: t, {one}}}"} for one in FABRIC.split("|"))
    yield from ({"rdma": _lines({**RDMA, **one})} for one in _each(CLASS))
    yield from ({"share": f"bandwidth: {one}".replace(", ", "\n    ")} for one in SHARE.split("|"))
    yield from ({"second": one} for one in PORT.split("|"))
    yield from ({"switch": f"{SWITCHES[vendor][0]}\n  {one}"} for one in DEVICE.split("|"))
    yield from ({"more": f"own: {{carries: [our-own], dscp: 20, {one}}}"} for one in OWN.split("|"))


def check(folder: Path, texts: Iterable[tuple[str, str | None]]) -> None:
    """No help on an intent, judged as that vendor's, offers what does not hold: one that holds on each system."""
    known: dict[str | None, set[tuple[str, ...]]] = {}
    wrong = []
    for text, vendor in texts:
        path = laid_out(folder, re.sub(r"[ \t]+#.*", "", text))
        own = re.search(r"\bvendor: (\w+)", text)
        wrong += list_faults(path, vendor, known.setdefault(vendor or (own[1] if own is not None else None), set()))
    assert not wrong, "\n".join(["", *wrong])


def test_what_helps_offer_holds_in_the_examples_of_the_rules(tmp_path: Path) -> None:
    shown = [block.text for blocks in pages().values() for block in blocks if block.kind == INTENT]
    check(tmp_path, few((text, vendor) for text in shown for vendor in (None, *SWITCHES)))


def test_what_helps_offer_holds_where_a_system_has_limits(tmp_path: Path) -> None:
    check(tmp_path, few((written(vendor, stated), None) for vendor, stated, _ in CASES.values()))


def test_what_helps_offer_holds_where_one_value_is_wrong(tmp_path: Path) -> None:
    check(tmp_path, few((written(vendor, slip), None) for vendor in SWITCHES for slip in slips(vendor)))


def test_offers_are_read_as_they_are_written() -> None:
    table = {
        "kmin: 36864B or 49152B": ["kmin: 36864B", "kmin: 49152B"],
        "set detection_time: 300ms or more on spine switches": ["detection_time: 300ms"],
        "set headroom: 791KB or more, or auto": ["headroom: 791KB"],
        "remove lossless: true from class storage": [],
        "give CNPs a class of their own: carries: [cnp], bandwidth: strict": [],
        "write 100ms or more": ["100ms"],
        "write dscp: rest in class default": ["dscp: rest"],
    }
    assert {help: [str(offer) for offer in list_offers(help, "")] for help in table} == table
