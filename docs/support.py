"""The support matrix, computed: set a setting to two values, and see what each system makes of it.

A cell is never declared. An intent is resolved with the one value and with the other, for a vendor and a release; both
are rendered, both texts read back, and a switch that runs the one is brought to the other.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from rocecfg import CannotRender, Fabric, IntentError, lint, load, read_config
from rocecfg.cli.starter import find_front_ports
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.drift.changes import work_out_fix
from rocecfg.drift.files import RunningConfiguration
from rocecfg.drift.intended import read_intended_settings, read_switches
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.model.catalogue import CATALOGUE, SECTION, Setting, setting
from rocecfg.model.stated import OFF
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Sources
from rocecfg.vendors import TABLE, part

Intent = dict[str, Any]

_SPEED = 400 * 10**9  # bit/s of the ports
_CURVE = {"kmin": "300KB", "kmax": "1200KB", "pmax": "20%"}
_WATCHDOG = {"detection_time": "200ms", "restoration_time": "400ms", "poll_interval": "100ms", "action": "drop"}
_SHARES = {"300KB": "30%", "600KB": "40%", "1200KB": "60%", "2400KB": "80%"}  # of a queue, where a system counts so
_HEADROOM = {"size": "80KB", "xon": "20KB", "xoff": "40KB"}
_TRIMMING = {"size": "256B", "dscp": 5, "classes": ["default"]}
_SECTION: dict[str, Intent] = {"trimming": _TRIMMING, "watchdog": _WATCHDOG, "headroom": _HEADROOM, "ecn": _CURVE}
SAMPLES: dict[str, tuple[Any, ...]] = {  # path -> a value, and one or several others, of which one must do
    row.path: tuple(_SECTION[row.name.rpartition(".")[2]] if value == SECTION else value for value in row.samples)
    for row in CATALOGUE
    if row.samples
}
JUDGED = {  # settings that no switch is told, and what they are for
    "fabric.": "of the fabric: rules, sizes and advice",
    **{row.path: row.judged for row in CATALOGUE if row.judged},
}
_SECOND_LOSSLESS = ("ports[].watchdog.priorities",)  # that need a second lossless class
_FOR_LOSSY = tuple(f"classes[].{name}" for name in ("max_rate", "max_percent", "guaranteed_rate", "guaranteed_percent"))
_PERCENT_OF = {"classes[].max_percent": "max_rate", "classes[].guaranteed_percent": "guaranteed_rate"}
_REFUSALS = ("nos-unsupported", "schema-nos-range")  # rules that say what a system or release cannot express


class Cell(NamedTuple):
    """What a system makes of a setting. `refused`: who refuses it, and why; "": nobody does."""

    written: bool = False
    read: bool = False
    changed: bool = False
    refused: str = ""

    def __str__(self) -> str:
        if self.refused:
            return "refused"
        words = [word for word, yes in zip(("written", "read", "changed"), self[:3], strict=True) if yes]
        return "yes" if len(words) == 3 else ", ".join(words) or "-"


class Row(NamedTuple):
    """A setting, and the cells of vendors and releases in the order of `columns`."""

    setting: Setting
    cells: tuple[Cell, ...]


class Column(NamedTuple):
    """A system and one of its releases."""

    vendor: str
    title: str
    release: str


def columns() -> list[Column]:
    """Of each system the oldest release, the one rendered by default, and the newest."""
    out = []
    for row in TABLE:
        nos = SHIPPED.nos(row.name)
        oldest = next(release for release in nos.releases if is_rendered(Column(row.name, row.title, release)))
        chosen = dict.fromkeys((oldest, nos.default_release, nos.releases[-1]))
        out += [Column(row.name, row.title, release) for release in chosen]
    return out


def is_rendered(column: Column) -> bool:
    """Whether anything is rendered for a release at all."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            resolve_side(setting("device.role"), column, "leaf", "off", folder)
        except CannotRender:
            return False
    return True


def settings() -> list[Setting]:
    """The settings that an intent states for switches, in the catalogue's order."""
    return [
        row
        for row in CATALOGUE
        if row.intent
        and row.path.startswith(("device.", "classes[].", "ports[]."))
        and row.path.count("[]") == (not row.path.startswith("device."))
    ]


def is_judged_only(path: str) -> bool:
    """Whether a setting is told to no switch."""
    return any(path == known or (known.endswith(".") and path.startswith(known)) for known in JUDGED)


def rows() -> Iterator[Row]:
    """A row for every setting that switches are told."""
    of = columns()
    with tempfile.TemporaryDirectory() as folder:
        for each in settings():
            if not is_judged_only(each.path):
                yield Row(each, tuple(cell(each, column, folder) for column in of))


# -- an intent with one value ------------------------------------------------------------------------------------------


def _counted(column: Column, value: Any) -> Any:
    """A value of ECN thresholds as the system counts: in bytes, or in percent of the queue's buffer."""
    if isinstance(value, dict):
        return {key: _counted(column, part) for key, part in value.items()}
    in_bytes = SHIPPED.nos(column.vendor).knows("class.ecn.kmin") or not isinstance(value, str)
    return value if in_bytes else _SHARES.get(value, value)


def make_intent(column: Column, key: Setting, value: Any, watchdog: Any) -> Intent:
    """An intent of one switch with two ports that states one value."""
    of = next(row for row in TABLE if row.name == column.vendor)
    platform = SHIPPED.platform(of.platform)
    classes: Intent = {
        "rdma": {"dscp": 26, "priority": 3, "lossless": True, "bandwidth": 50, "ecn": _counted(column, _CURVE)},
        "cnp": {"dscp": 48, "priority": 6, "bandwidth": "strict"},
        "default": {"dscp": "rest", "priority": 0, "bandwidth": 50},
    }
    if key.path == "classes[].bandwidth":  # with which the others must not come to more than 100
        classes["default"]["bandwidth"] = 40
    if key.path in _SECOND_LOSSLESS:
        classes["rdma2"] = {"dscp": 34, "priority": 4, "lossless": True, "carries": "rdma", "bandwidth": 10}
        classes["default"]["bandwidth"] = 40
    faces = "switch" if "load_balancing" in key.intent else "host"
    ports = {
        name: {"faces": faces, "speed": f"{_SPEED // 10**9}G", "cable": "5m"}
        for name in find_front_ports(platform, platform.boxes[column.vendor]).names[:2]
    }
    device: Intent = {"vendor": column.vendor, "platform": of.platform, "version": column.release, "role": "leaf"}
    intent: Intent = {
        "rocecfg": 1,
        "fabric": {"name": "matrix"},
        "classes": classes,
        "pfc": {"watchdog": deepcopy(watchdog)},  # a value may be put into it
        "devices": {"leaf01": {**device, "ports": ports}},
    }
    if key.path in _FOR_LOSSY:
        places = [classes["default"]]
    elif key.path.startswith("classes[]."):
        places = [classes["rdma"]]
    elif key.intent.startswith("pfc."):  # of all ports: some of it holds for a switch as a whole
        places = [intent]
    elif key.path.startswith("ports[]."):
        places = list(ports.values())
    else:
        places = [intent["devices"]["leaf01"]]
    for place in places:
        _put(place, key.intent, _counted(column, value) if ".ecn" in key.path else value)
    return intent


def _put(place: Intent, path: str, value: Any) -> None:
    """State a value; what else a section needs to be one stands beside it."""
    first, dot, rest = path.partition(".")
    if not dot:
        place[first] = value
        return
    if not isinstance(place.get(first), dict):
        place[first] = dict(_SECTION.get(first, {}))
    _put(place[first], rest, value)


# -- what becomes of it ------------------------------------------------------------------------------------------------


class _Side(NamedTuple):
    """One of the two values, resolved and rendered."""

    fabric: Fabric
    device: Device
    text: str
    value: Any  # as the intent's model has it

    def as_read(self, key: Setting) -> Any:
        """The value as the rendered text has it."""
        return _value(key, read_config(self.text, self.device.vendor, name="leaf01", release=self.device.version))


def cell(key: Setting, column: Column, folder: str) -> Cell:
    """What a system and release make of a setting; an intent is written to `folder`."""
    if key.path not in SAMPLES:
        raise ValueError(f"{key.path}: give its row two samples, or say in `judged` what it is for")
    first, *others = SAMPLES[key.path]
    cells = []
    for other in others:
        cells.append(_of_values(key, column, (first, other), folder))
        if not cells[-1].refused:
            return cells[-1]
    return cells[0]


def _of_values(key: Setting, column: Column, values: tuple[Any, Any], folder: str) -> Cell:
    try:
        one, other = (resolve_side(key, column, value, find_watchdog(column), folder) for value in values)
    except (CannotRender, IntentError) as error:
        return Cell(refused=getattr(error, "message", str(error)).removeprefix(_named(column)))
    written = one.text != other.text
    if not written and (given := find_refusal(one.fabric, other.fabric)):
        return Cell(refused=given.removeprefix(_named(column)))
    reads = [side.as_read(key) == side.value for side in (one, other)]
    return Cell(written, all(reads) and one.value != other.value, written and _is_changed(one, other))


def _named(column: Column) -> str:
    return f"{column.title} {column.release} "


@cache
def find_watchdog(column: Column) -> Any:
    """The fullest watchdog that a release has, which is no matter where another setting is looked at."""
    with tempfile.TemporaryDirectory() as folder:
        for watchdog in (_WATCHDOG, "vendor-default"):
            with suppress(CannotRender):
                if not find_refusal(resolve_side(setting("device.role"), column, "leaf", watchdog, folder).fabric):
                    return watchdog
    return OFF


def resolve_side(key: Setting, column: Column, value: Any, watchdog: Any, folder: str) -> _Side:
    """An intent with the value, as it is resolved and rendered."""
    path = os.path.join(folder, "fabric.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(make_intent(column, key, value, watchdog), file)
    fabric = load(path)
    device = fabric.devices[0]
    text = next(render_files(fabric, column.vendor)).rendering.body
    return _Side(fabric, device, text, _value(key, fabric))


def _value(key: Setting, fabric: Fabric) -> Any:
    """The value of a setting on the first port, or of the class that DSCP 26, or the lossy one that DSCP 0, is of."""
    device = fabric.devices[0]
    port = device.ports[0]
    classes = device.classes_on(port) or device.classes
    if key.path.startswith("ports[]."):
        element: Any = port
        path = SCOPES["port"][key.name]
    elif key.path.startswith("classes[]."):
        code = 0 if key.path in _FOR_LOSSY else 26
        moved = key.path == "classes[].dscp"
        element = next((cls for cls in classes if (cls.priority == 3 if moved else code in cls.dscps)), None)
        path = SCOPES["class"][key.name]
    else:
        element = device
        path = SCOPES["device"][key.path.removeprefix("device.")]
    if element is None:
        return None
    if key.path == "ports[].classes":  # what a lossless class that is left out takes along
        return [port.pfc]
    found = [reading.value for reading in path.read(element)]
    if not found and key.path in _PERCENT_OF:  # of the speed, as systems say it that have rates alone
        rate = getattr(element, _PERCENT_OF[key.path])
        return [rate * 100 / _SPEED] if rate is not None else []
    if key.path == "classes[].bandwidth":  # weights say what share of all of them a class has
        whole = sum(cls.bandwidth or 0 for cls in device.classes)
        return [round(element.bandwidth * 100 / whole)] if element.bandwidth else []
    if not found and key.path == "device.mtu":
        return [port.mtu]
    return found


def find_refusal(*fabrics: Fabric) -> str:
    """What lint says that the system or release cannot express."""
    for fabric in fabrics:
        for finding in lint(fabric):
            if finding.rule.name in _REFUSALS:
                return finding.message
    return ""


def _is_changed(one: _Side, other: _Side) -> bool:
    """Whether a switch that runs the one is brought to the other."""
    sources = Sources()
    vendor = other.device.vendor or ""
    whole = part(vendor, "rollout").complete_config(one.text, "leaf01", one.device)
    document = sources.add("leaf01", whole)
    means = read_intended_settings(other.fabric, other.device, sources, None)
    switch = read_switches(document, other.device)[0]
    wanted = wanted_of(SwitchComparer().find_differing(means, switch))
    if not wanted:
        return False
    fixed = work_out_fix(
        Compared("leaf01", means, RunningConfiguration(document, vendor, switch, "leaf01", alone=True), wanted)
    )
    return bool(fixed.change.steps) and not fixed.left


# -- the page ----------------------------------------------------------------------------------------------------------


def page() -> str:
    """The matrix as Markdown."""
    systems = {title: [c.release for c in of] for title, of in groupby(columns(), key=lambda column: column.title)}
    notes: dict[str, int] = {}
    heads = [f"{title} {_JOIN.join(releases)}" for title, releases in systems.items()]
    lines = [_ABOUT, f"| setting | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for row in rows():
        _check_rendered(row)
        shown = iter([_shown(each, notes) for each in row.cells])
        cells = [_joined([next(shown) for _ in releases]) for releases in systems.values()]
        lines.append(f"| `{row.setting.path}` | {' | '.join(cells)} |")
    lines += ["", "## Reasons", ""]
    lines += [f"{number}. {text}" for text, number in notes.items()]
    lines += ["", "## Settings that are rendered for no switch", "", "| setting | what it is for |", "|---|---|"]
    lines += [f"| {', '.join(f'`{path}`' for path in of)} | {why} |" for why, of in _judged().items()]
    return "\n".join(lines) + "\n"


def _check_rendered(row: Row) -> None:
    if not any(each.written or each.refused for each in row.cells):
        raise ValueError(
            f"{row.setting.path}: it is rendered for no system, and none refuses it: say in `judged` what it is for"
        )


def _shown(cell: Cell, notes: dict[str, int]) -> str:
    if not cell.refused:
        return str(cell)
    return f"no ({notes.setdefault(_EXPRESS.sub('', cell.refused), len(notes) + 1)})"


def _joined(cells: list[str]) -> str:
    """The cells of a system's releases: one if they are alike."""
    return _JOIN.join(cells if len(set(cells)) > 1 else cells[:1])


def _judged() -> dict[str, list[str]]:
    """What it is for -> the settings that are rendered for no switch."""
    found: dict[str, list[str]] = {}
    of_fabric = (row.path for row in CATALOGUE if row.path.startswith("fabric."))
    for path in (*of_fabric, *(row.path for row in settings() if is_judged_only(row.path))):
        found.setdefault(_purpose(path), []).append(path)
    return found


def _purpose(path: str) -> str:
    return next(why for known, why in JUDGED.items() if path == known or path.startswith(known))


_JOIN = " / "  # between the releases of a system
_EXPRESS = re.compile(r"^(cannot|is not known to) express [^:]*: ")  # which setting is refused: its row has it
_ABOUT = """\
# What each system and release supports

Each setting of the [intent](intent.md) on three releases of a system: the oldest that rocecfg knows, the one that it
renders by default, and the newest. One word stands for all three; else `/` separates them. The table is computed: two
values of a setting are rendered and read back, and `rocecfg drift` changes a switch from one to the other.

| cell | means |
|---|---|
| `yes` | written, read back as stated, and changed by what `rocecfg drift` prints |
| `written`, `read`, `changed` | only that |
| `-` | the system has no such setting, and nothing is rendered |
| `no` | `lint` and `render` refuse the setting; the number is the reason below |

This page is generated: `python docs/regenerate.py`.
"""
