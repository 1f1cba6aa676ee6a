"""Intents with slips of the kind that fixes fix, written as people write: comments, both layouts, quotes or none."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import yaml
from hypothesis import strategies as st
from test_render_refuses import Intent, one_of

WAIVER = "rocecfg: ignore"


class Raw(str):
    """A scalar that is written just so."""

    __slots__ = ()


# -- fabrics in which nothing is wrong ---------------------------------------------------------------------------------

BOXES = {  # vendor, platform, release, two ports
    "broadcom": ("sonic", "arista-7060x6-64pe", "202405", "Ethernet0", "Ethernet8"),
    "dynamic": ("sonic", "nvidia-sn4700", "202505", "Ethernet0", "Ethernet8"),
    "nvue": ("spectrum", "nvidia-sn5600", "5.14", "swp1", "swp2"),
    "eos": ("arista", "arista-7060x6-64pe", "4.33.2F", "Ethernet1/1", "Ethernet2/1"),
}


def sound(box: str) -> Intent:
    """Two leaves below a spine, and hosts."""
    vendor, platform, version, first, last = BOXES[box]
    ports = {
        first: {"speed": "400G", "faces": "host", "cable": "3m"},
        last: {"speed": "400G", "faces": "switch", "cable": "5m"},
    }
    return {
        "rocecfg": 1,
        "fabric": {"name": "lab", "mtu": 9000},
        "classes": {
            "rdma": {
                "carries": ["rdma"],
                "dscp": 26,
                "priority": 3,
                "lossless": True,
                "bandwidth": 60,
                "ecn": {"kmin": "400KB", "kmax": "1600KB", "pmax": "5%"},
            },
            "cnp": {"carries": ["cnp"], "dscp": 48, "priority": 6, "bandwidth": "strict"},
            "control": {"carries": ["control"], "dscp": 56, "priority": 7, "bandwidth": "strict"},
            "storage": {"carries": ["storage"], "dscp": [18, 20], "priority": 2, "bandwidth": 20},
            "default": {"carries": ["default"], "dscp": "rest", "priority": 0, "bandwidth": 20},
        },
        "pfc": {
            "watchdog": {
                "detection_time": "200ms",
                "restoration_time": "400ms",
                "poll_interval": "100ms",
                "action": "drop",
            }
        },
        "defaults": {"vendor": vendor, "platform": platform, "version": version},
        "devices": {
            "leaf[01-02]": {"role": "leaf", "ports": {name: dict(port) for name, port in ports.items()}},
            "spine01": {"role": "spine", "ports": {name: {**port, "faces": "switch"} for name, port in ports.items()}},
        },
        "hosts": {"gpu[01-02]": {"nic": "connectx-7", "rdma_dscp": 26, "cnp_dscp": 48, "pfc_priorities": [3]}},
    }


# -- slips -------------------------------------------------------------------------------------------------------------


def put(stated: Intent, path: str, value: Any) -> None:
    """Set what a path of keys leads to; `*` is the first key there. Nothing where a section is absent."""
    *above, last = path.split("/")
    for key in above:
        inner = stated.get(next(iter(stated), "") if key == "*" else key)
        if not isinstance(inner, dict):
            return
        stated = inner
    if value is None:
        stated.pop(last, None)
    else:
        stated[last] = value


def renamed(stated: Intent, path: str, name: str) -> None:
    *above, last = path.split("/")
    for key in above:
        stated = stated.get(key, {})
        if not isinstance(stated, dict):
            return
    for key in list(stated):  # in its place
        stated[name if key == last else key] = stated.pop(key)


class Slip(NamedTuple):
    """A slip that a rule's fix fixes: the paths that it sets or the key that it misspells, on a box where it is one."""

    rule: str
    sets: dict[str, Any]
    misspells: str = ""
    box: str | None = None


PORT = "devices/*/ports/*"
SLIPS = [
    Slip("schema-yaml-trap", {"classes/rdma/priority": Raw("03")}),
    Slip("schema-yaml-trap", {"classes/cnp/lossless": Raw("no")}),
    Slip("schema-yaml-trap", {"defaults/version": Raw("5.14")}),
    Slip("schema-priority-range", {"pfc/watchdog/priorities": [3, 3]}),
    Slip("schema-priority-range", {"hosts/*/pfc_priorities": [3, 3]}),
    Slip("schema-kib", {"classes/rdma/ecn/kmax": "1600KiB"}),
    Slip("schema-dead-override", {"defaults/mtu": 9000, "devices/*/mtu": 9000}),
    Slip("schema-dead-override", {"devices/*/pfc": {"watchdog": {"detection_time": "200ms"}}}),
    Slip("schema-dead-override", {"devices/*/classes": {"rdma": {"dscp": 26, "bandwidth": 60}}}),
    Slip("schema-dead-override", {"devices/*/trust": "dscp", f"{PORT}/trust": "dscp", f"{PORT}/fec": "rs"}),
    Slip("hygiene-order", {"pfc/watchdog/priorities": [4, 3]}),
    Slip("hygiene-order", {"hosts/*/pfc_priorities": [6, 2, 3]}),
    Slip("watchdog-missing", {"pfc": None}),
    Slip("watchdog-missing", {"pfc/watchdog": None, "pfc/headroom": "auto"}),
    Slip("watchdog-missing", {"pfc/watchdog": "off"}),
    Slip("watchdog-missing", {"devices/spine01/pfc": {"watchdog": "off"}}),
    Slip("schema-unknown-key", {}, "classes/rdma/bandwidth:bandwith"),
    Slip("schema-unknown-key", {}, "classes/rdma/lossless:lossles"),
    Slip("schema-unknown-key", {}, "pfc/watchdog:watchog"),
    Slip("schema-ref", {"devices/*/classes": {"rmda": {"bandwidth": 60}}}),
    Slip("schema-ref", {f"{PORT}/classes": ["rdma", "cnp", "contrl", "default"]}),
    Slip("schema-value", {"pfc/watchdog/action": "dropp"}),
    Slip("schema-value", {f"{PORT}/faces": "hosst"}),
    Slip("schema-platform", {"defaults/asic": "tomahawk4"}),
    Slip("pfc-missing-rdma", {"classes/rdma/lossless": None}),
    Slip("pfc-missing-rdma", {"classes/rdma/lossless": False}),
    Slip("pfc-global-pause", {f"{PORT}/flowcontrol": "rx"}),
    Slip("pfc-global-pause", {"defaults/flowcontrol": "on"}),
    Slip("watchdog-host", {f"{PORT}/pfc": {"watchdog": "off"}}),
    Slip("watchdog-priorities", {"pfc/watchdog/priorities": [4]}),
    Slip("watchdog-multiple", {"pfc/watchdog/detection_time": "250ms"}),
    Slip("watchdog-multiple", {"pfc/watchdog/restoration_time": "450ms"}),
    Slip("watchdog-action-hw", {f"{PORT}/pfc": {"watchdog": {"action": "alert"}}}, box="broadcom"),
    Slip("ecn-weight", {"classes/rdma/ecn/weight": 3}),
    Slip("ecn-color", {"classes/rdma/ecn/colors": ["red", "yellow"]}, box="broadcom"),
    Slip("mix-map-total", {"classes/default/dscp": 0}),
    Slip("mix-map-total", {"classes/default/dscp": None}),
    Slip("mix-into-lossless", {"classes/rdma/dscp": "24-31", "classes/rdma/marks": 26}),
    Slip("mix-into-lossless", {"fabric/classification": "vendor"}, box="eos"),
    Slip("mix-tc-chain", {"classes/rdma/queue": 4}, box="dynamic"),
    Slip("mix-tc-chain", {"classes/rdma/pg": 4}, box="broadcom"),
    Slip("mix-pg-shared", {"classes/storage/pg": 3, "classes/rdma/pg": 3}),
    Slip("mix-pg-shared", {"classes/rdma/pg": 0}),
    Slip("mix-sonic-stock", {"fabric/classification": "vendor"}, box="broadcom"),
    Slip("mix-trust", {f"{PORT}/trust": "pcp"}),
    Slip("mix-trust", {"defaults/trust": "none"}),
    Slip("ets-sum", {"classes/rdma/bandwidth": 80}),
    Slip("ets-sum", {"classes/rdma/bandwidth": 10}),
    Slip("ets-cnp", {"classes/cnp/bandwidth": 10, "classes/rdma/bandwidth": 50}),
    Slip("ets-shaper", {"classes/rdma/max_rate": "80%"}),
    Slip("ets-shaper", {"classes/rdma/max_rate": "200G"}),
    Slip(
        "buffer-mtu",
        {"buffers": {"lossless_mtu": "64B", "small_packets": "100%"}, "fabric/path_mtu": 4096},
        box="dynamic",
    ),
    Slip("buffer-xon", {"pfc/headroom": {"size": "300KB", "xon": "30KB", "xoff": "260KB"}}, box="nvue"),
    Slip(
        "buffer-xon",
        {
            "pfc/headroom": {"size": "20KB", "xon": "40KB", "xoff": "88KB"},
            "buffers": {"alpha": 1, "shared_headroom": "2MB"},
        },
        box="dynamic",
    ),
    Slip("buffer-gearbox", {"pfc/headroom": "350KB", f"{PORT}/macsec": {"pfc_frames": "clear"}}, box="eos"),
    Slip("hygiene-waiver-unused", {}),
    Slip("hygiene-unknown-traffic", {"classes/rdma/carries": ["roce"]}),
    Slip("hygiene-unknown-traffic", {"classes/rdma/carries": "NCCL"}),
]
TOO_MUCH = [  # protection where none belongs: taken off by hand, by no fix
    Slip("pfc-rdma-only", {"classes/storage/lossless": True}),
    Slip("pfc-rdma-only", {"classes/bulk": {"carries": ["backup"], "dscp": 10, "priority": 4, "lossless": True}}),
    Slip("pfc-control-prio", {"classes/control/lossless": True}),
    Slip("pfc-cnp", {"classes/cnp/lossless": True}),
    Slip("pfc-prio0", {"classes/storage/lossless": True, "classes/storage/dscp": [0, 18]}),
    Slip("pfc-mgmt-port", {f"{PORT}/faces": "management", f"{PORT}/classes": ["rdma", "default"]}),
    Slip("ecn-queue", {"classes/cnp/ecn": {"kmin": "400KB", "kmax": "1600KB", "pmax": "5%"}}),
]


def make(slip: Slip, stated: Intent) -> None:
    if slip.misspells:
        path, _, name = slip.misspells.partition(":")
        renamed(stated, path, name)
    for path, value in slip.sets.items():
        put(stated, path, value)


# -- texts -------------------------------------------------------------------------------------------------------------


class Comment(NamedTuple):
    """A comment, and the keys that lead to where it stands; numbers count the items of a list."""

    text: str
    path: tuple[str | int, ...]


class Written(NamedTuple):
    text: str
    comments: tuple[Comment, ...]


@cache
def is_plain(value: str) -> bool:
    """Whether it is the same word without quotes."""
    return re.fullmatch(r"[A-Za-z0-9][\w./%-]*", value) is not None and yaml.safe_load(value) == value


class _Writer:
    def __init__(self, rng: random.Random, waivers: list[str]) -> None:
        self.rng = rng
        self.waivers = waivers
        self.comments: list[Comment] = []
        self.lines: list[str] = []

    def _comment(self, path: tuple[str | int, ...], often: float) -> str:
        if self.waivers and path and self.rng.random() < 0.2:
            return f"  # {WAIVER}[{self.waivers.pop()}] -- kept since the move"
        if self.rng.random() >= often:
            return ""
        text = f"# c{len(self.comments)}: {self.rng.choice(['as agreed', 'see [rack] 7', 'a: {b}', 'x, y'])}"
        self.comments.append(Comment(text, path))
        return f"  {text}"

    def pairs(self, stated: Intent, path: tuple[str | int, ...], indent: str) -> None:
        for key, value in stated.items():
            here = (*path, key)
            above = self._comment(here, 0.1).strip()
            if above:
                self.lines.append(f"{indent}{above}")
            self._pair(f"{indent}{self.scalar(key, flow=False)}:", value, here, indent)
            if not path and self.rng.random() < 0.2:
                self.lines.append("")

    def _pair(self, head: str, value: Any, path: tuple[str | int, ...], indent: str) -> None:
        inline = len(path) > 1 and self.rng.random() < 0.5
        if isinstance(value, dict) and value and not inline:
            self.lines.append(head + self._comment(path, 0.2))
            self.pairs(value, path, indent + "  ")
        elif isinstance(value, list) and value and (self.rng.random() < 0.3 or isinstance(value[0], dict)):
            self.lines.append(head + self._comment(path, 0.2))
            deeper = indent + "  " * self.rng.randint(0, 1)
            for number, item in enumerate(value):
                own = self._comment((*path, number), 0.2)
                self.lines.append(f"{deeper}- {self.flow(item)}{own}")
        elif isinstance(value, dict) and len(value) > 2 and self.rng.random() < 0.3:
            self._braces(head, value, path, indent)
        else:
            self.lines.append(f"{head} {self.flow(value)}{self._comment(path, 0.2)}")

    def _braces(self, head: str, value: Intent, path: tuple[str | int, ...], indent: str) -> None:
        """A mapping in braces over several lines, with comments in it."""
        self.lines.append(f"{head} {{{self._comment(path, 0.2)}")
        last = list(value)[-1]
        for key, inner in value.items():
            comma = "," if key != last or self.rng.random() < 0.5 else ""
            pair = f"{self.scalar(key, flow=True)}: {self.flow(inner)}{comma}"
            self.lines.append(f"{indent}  {pair}{self._comment((*path, key), 0.2)}")
        self.lines.append(f"{indent}}}")

    def flow(self, value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.scalar(k, flow=True)}: {self.flow(v)}" for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.flow, value)) + "]"
        return self.scalar(value, flow=True)

    def scalar(self, value: Any, *, flow: bool) -> str:
        if isinstance(value, Raw):
            return str(value)
        if isinstance(value, bool):
            return str(value).lower()
        if not isinstance(value, str):
            return f"{value}"
        plain = is_plain(value)
        if plain and self.rng.random() < 0.8:
            return value
        if not flow and re.fullmatch(r"[A-Za-z][\w./\[\]-]*", value) and self.rng.random() < 0.5:
            return value  # a node set as a key outside braces
        quote = self.rng.choice("'\"")
        return f"{quote}{value}{quote}"


def written(stated: Intent, seed: int, waivers: list[str]) -> Written:
    """An intent as text. `waivers`: names of rules to be silenced somewhere, which may be where they find nothing."""
    writer = _Writer(random.Random(seed), list(waivers))  # noqa: S311 - a layout, no secret
    writer.pairs(stated, (), "")
    return Written("\n".join(writer.lines) + "\n", tuple(writer.comments))


WAIVED = one_of("ecn-weight", "ets-sum", "mix-cnp", "buffer-xon", "hygiene-order", "schema-kib")


@st.composite
def slipped(draw: st.DrawFn, first: Slip, others: Callable[[str], st.SearchStrategy[Intent]]) -> Written:
    """A text with that slip in it, and up to three more. `others(vendor)`: intents to start from besides sound ones."""
    chosen = [first, *draw(st.lists(st.sampled_from(SLIPS), max_size=3))]
    wanted = [slip.box for slip in chosen if slip.box is not None]
    box = wanted[0] if wanted else draw(st.sampled_from(sorted(BOXES)))
    stated = sound(box) if wanted or draw(st.integers(0, 2)) < 2 else draw(others(BOXES[box][0]))
    for slip in chosen:
        make(slip, stated)
    if not wanted and draw(st.booleans()):
        stated["defaults"].pop("vendor", None)
    to_waive = any(slip.rule == "hygiene-waiver-unused" for slip in chosen)
    waivers = draw(st.lists(WAIVED, min_size=1, max_size=2)) if to_waive else []
    return written(stated, draw(st.integers(0, 2**32)), waivers)
