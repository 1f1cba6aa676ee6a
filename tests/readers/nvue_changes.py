"""NVUE configurations setting by setting, by the published models: taken out, changed, given what is refused."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import yaml
from changed_configurations import CHANGED, DELETED, OPPOSITE, REFUSED, Change, Statement, module
from test_nvue_conformance import KEYS, Path_
from test_nvue_every_setting import Setting, settings

from rocecfg.linting.rendering import render_files
from rocecfg.vendors.spectrum.domain import is_beside, settings_of
from rocecfg.vendors.spectrum.reading.schema_qos import WATCHDOG
from rocecfg.vendors.spectrum.settings import PROFILED

_OTHERS = {"0": "5", "3": "5", "up": "down", "down": "up", "2x": "4x", "4x": "2x", "8x": "2x"}  # names of members
_WRONG = {"switch-priority": "9", "breakout": "3y"}
Release = tuple[int, int]


class _Text(yaml.SafeLoader):
    """Takes every value as it is written."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - as the class above it has it


def release_of(text: str) -> Release:
    """The release that the header names."""
    found = re.search(r"Cumulus Linux (\d+)\.(\d+)", text)
    assert found is not None
    return int(found[1]), int(found[2])


def known(path: Path_) -> Path_:
    """The path as the settings of a release have it: with one key for all of a collection."""
    out = list(path)
    for n, word in enumerate(path[:-1]):
        if word in KEYS and not (n and path[n - 1] == "interface"):
            out[n + 1] = KEYS[word]
    if len(out) > 2 and out[0] == "qos" and out[1] in (*PROFILED, "egress-queue-mapping", "advance-buffer-config"):
        out[2] = "default-global"
    return tuple(out)


def in_domain(path: Path_) -> bool:
    return path[:1] == ("qos",) or (path[:1] == ("interface",) and path[2:3] in (("qos",), ("link",)))


def _leaves(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, str | None]]:
    if isinstance(node, dict) and node:
        for key, below in node.items():
            yield from _leaves(below, (*path, key))
    else:
        yield path, node if isinstance(node, str) else None


def statements(text: str, *, every: bool = True) -> Iterator[Statement]:
    """The settings of a list of operations, with what is done to each.

    `every`: else of code points that are mapped alike only the first two.
    """
    operations = yaml.load(text, _Text)  # noqa: S506 - a safe loader
    of = {each.path: each for each in settings(release_of(text))}
    seen: dict[tuple[Any, ...], int] = {}
    for number, operation in enumerate(operations):
        for path, value in _leaves(operation.get("set") or {}):
            if not in_domain(path) or is_beside(path):
                continue
            alike = (known(path), path[1:3], value)
            seen[alike] = seen.get(alike, 0) + 1
            if not every and "dscp" in path[:-1] and seen[alike] > 2:
                continue
            changes = tuple(
                Change(kind, new, _written(operations, number, path, change))
                for kind, new, change in _others(path, value, of.get(known(path)))
            )
            yield Statement(" ".join(known(path)), _words(path, value), _named(path), changes)


def _words(path: Path_, value: str | None) -> str:
    wording = " ".join((*path, value)) if value is not None else " ".join(path)
    return re.sub(r"^(interface \S+) ", r"\1\n", wording)


def _named(path: Path_) -> frozenset[str]:
    return frozenset(settings_of(path))


_Done = tuple[str | None, str | dict[str, Any] | None]  # the last key and what stands there; None: nothing


def _others(path: Path_, value: str | None, setting: Setting | None) -> Iterator[tuple[str, str, _Done]]:
    key = path[-1]
    yield DELETED, "", (None, None)
    if value is None:
        other = _OTHERS.get(key, ("1", "2")[key == "1"] if path[-2] == "switch-priority" else None)
        if other is not None:
            yield CHANGED if key.isdigit() else OPPOSITE, other, (other, {})
        if path[-2] in _WRONG:
            yield REFUSED, _WRONG[path[-2]], (_WRONG[path[-2]], {})
        return
    assert setting is not None, path
    for other in [str(each) for each in setting.values if str(each) != value and each != {}][:2]:
        yield CHANGED, other, (key, other)
    yield REFUSED, str(setting.refused), (key, setting.refused)


def _written(operations: list[Any], number: int, path: Path_, change: _Done) -> str:
    """The operations with another key, or value, at a path."""
    changed = list(operations)
    changed[number] = {"set": _changed(operations[number]["set"], path, change)}
    return _text(changed)


def _changed(node: dict[str, Any], path: Path_, change: _Done) -> dict[str, Any]:
    word, *rest = path
    if rest:
        return {**node, word: _changed(node[word], tuple(rest), change)}
    items = (change if key == word else (key, below) for key, below in node.items())
    return {key: below for key, below in items if key is not None}


def normal(text: str) -> str:
    """A text as its changes are written."""
    return _text(yaml.load(text, _Text))  # noqa: S506 - a safe loader


def _text(operations: list[Any]) -> str:
    """Operations as YAML, each verb's in one line of JSON."""
    return "".join(f"- {verb}: {json.dumps(stated)}\n" for each in operations for verb, stated in each.items())


_PROFILES = {
    "mapping": {"trust": "l3", "port-default-sp": "1", "dscp": {"26": {"switch-priority": "4"}}},
    "pfc": {"switch-priority": {"4": {}}, "cable-length": "30"},
    "congestion-control": {
        "traffic-class": {"3": {"ecn": "enable", "min-threshold": "1000", "max-threshold": "9000", "probability": "7"}}
    },
    "egress-scheduler": {"traffic-class": {"3": {"mode": "dwrr", "bw-percent": "70"}}},
    "egress-shaper": {"traffic-class": {"3": {"max-rate": "1000000"}}},
    "remark": {"rewrite": "l3", "switch-priority": {"3": {"dscp": "10"}}},
    "link-pause": {"tx": "enable", "rx": "enable"},
}


def made(release: Release) -> str:
    """A configuration with every setting of a release, as far as one does not exclude another.

    swp1 binds profiles of its own, swp2 and swp3 have the global ones, and swp4 is broken out.
    """
    body: dict[str, Any] = {
        "system": {"hostname": "leaf01"},
        "interface": {
            "swp1": {"link": {"state": {"up": {}}}},
            "swp2-3": {"link": {"mtu": "9216"}},
            "swp4": {"link": {"breakout": {"2x": {}}}},
        },
        "qos": {kind: {"P": copy.deepcopy(of)} for kind, of in _PROFILES.items()},
    }
    for each in settings(release):
        if each.path[2:] not in (("link", "breakout", "2x"), ("link", "state", "down")):
            _set(body, each.path, _value(each))
    for path in _MEMBERS:
        _set(body, path, {})
    if release >= WATCHDOG:
        _set(body, ("interface", "swp2-3", "qos", "pfc-watchdog", "state"), "enable")
    head = {"model": "SN5600", "nvue-api-version": "nvue_v1", "version": f"Cumulus Linux {release[0]}.{release[1]}.0"}
    return _text([{"header": head}, {"set": body}])


def _set(node: dict[str, Any], path: Path_, value: Any) -> None:
    for word in path[:-1]:
        node = node.setdefault(word, {})
    node[path[-1]] = value


_BULK = ("priority-group", "bulk", "switch-priority", "0")
_MEMBERS = (
    ("qos", "pfc", "default-global", "switch-priority", "3"),
    ("qos", "traffic-pool", "roce-lossless", "switch-priority", "3"),
    (*("qos", "advance-buffer-config", "default-global", "ingress-lossy-buffer"), *_BULK),
)
_PREFERRED = ("enable", "on", "enabled", "lossless", "both", "dwrr", "absolute", "kbps", "dynamic")
_CHOSEN = {"min-threshold": "1000", "max-threshold": "90000", "service-pool": "1", "port-buffer": "900000"}


def _value(setting: Setting) -> Any:
    key = setting.path[-1]
    if key in ("profile", "name"):
        return "P"
    words = [word for word in _PREFERRED if word in setting.values]
    return _CHOSEN.get(key) or (words[0] if words else str(setting.values[len(setting.values) // 2]))


def whole_switches(form: str = "nvue", version: str = "5.14") -> dict[str, str]:
    """A leaf and a spine as switches hold them, with what is none of RoCE's matter."""
    configurations = module("configurations")
    vendor, form_, make = configurations.KINDS[form]
    naming = configurations.generate.NAMINGS[vendor]
    configurations.generate.NAMINGS[vendor] = naming._replace(version=version)
    fabric = configurations._fabric(10, vendor)  # noqa: SLF001 - a script's
    configurations.generate.NAMINGS[vendor] = naming
    devices = {name: device for device in fabric.devices for name in device.names}
    rendered = list(enumerate(render_files(fabric, vendor, form=form_)))
    return {
        file.device: make(f"{form}-{file.device}", number, devices[file.device], file.text)
        for number, file in (rendered[0], rendered[-1])
    }


def commands_of(text: str, release: Release) -> Iterator[Statement]:
    """The settings of `nv set` commands, with what is done to each line."""
    of = {each.path: each for each in settings(release)}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        words = tuple(line.removeprefix("nv set ").split())
        if not line.startswith("nv set ") or not in_domain(words) or is_beside(words) or "$" in line:
            continue
        setting = of.get(known(words[:-1]))
        path, value = (words[:-1], words[-1]) if setting is not None else (words, None)
        if is_beside(path):
            continue

        def written(change: _Done, path: Path_ = path, number: int = number) -> str:
            key, new = change
            stated = [*path[:-1], key or "", *([str(new)] if isinstance(new, str) else ())]
            return "\n".join((*lines[:number], *([f"nv set {' '.join(stated)}"] if key else ()), *lines[number + 1 :]))

        changes = tuple(
            Change(kind, new, written(change))
            for kind, new, change in _others(path, value, setting)
            if not isinstance(change[1], list)
        )
        yield Statement(" ".join(known(path)), _words(path, value), _named(path), changes)
