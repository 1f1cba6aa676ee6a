"""SONiC configurations for tests: read as `lint` reads them, and made whole around what is rendered."""

from __future__ import annotations

import json
from typing import Any

from one_switch import findings_of, loaded_as, only_device

from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.model import Device
from rocecfg.model.stated import Problem
from rocecfg.model.switch import Switch
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.sonic.reader import read

MBIT = 10**6


def document(text: str | dict[str, Any] | list[Any], path: str = "leaf01.json") -> Document:
    return Sources().add(path, text if isinstance(text, str) else json.dumps(text, indent=4))


def switches(text: str | dict[str, Any] | list[Any], release: str | None = None) -> list[Switch]:
    return read(document(text), release)


def switch(text: str | dict[str, Any] | list[Any], release: str | None = None) -> Switch:
    (found,) = switches(text, release)
    return found


def reported(
    text: str | dict[str, Any] | list[Any], rule: str | None = None, release: str | None = None
) -> list[Problem]:
    """What reading finds, of one rule or of all."""
    return [p for s in switches(text, release) for p in s.problems if rule in (None, p.rule)]


def loaded(text: str | dict[str, Any] | list[Any], release: str | None = None) -> Loaded:
    return loaded_as("sonic", "leaf01.json", text if isinstance(text, str) else json.dumps(text, indent=4), release)[0]


def device(text: str | dict[str, Any] | list[Any], release: str | None = None) -> Device:
    return only_device(loaded(text, release))


def findings(text: str | dict[str, Any] | list[Any], release: str | None = None) -> list[Finding]:
    """Everything that a lint of the file says, but for open faults of a release that no setting avoids.

    No rule may fail.
    """
    return [f for f in findings_of(loaded(text, release)) if (f.rule.name, f.severity) != ("nos-erratum", "info")]


def names(text: str | dict[str, Any] | list[Any], release: str | None = None) -> set[str]:
    """The rules that find something."""
    return {f.rule.name for f in findings(text, release)}


def whole(config: dict[str, Any], dev: Device, **metadata: str) -> dict[str, Any]:
    """A rendered configuration with what a switch's own has besides: who it is, and its ports."""
    local = {"hostname": dev.names[0] if dev.names else "leaf01", "hwsku": dev.hwsku or "unknown"}
    if dev.buffers.model is not None:
        local["buffer_model"] = dev.buffers.model
    ports = {}
    for port in dev.ports:
        for name in port.names:
            row = {"admin_status": "up", "lanes": "1", "mtu": str(port.mtu or 9100)}
            if port.speed is not None:
                row["speed"] = str(port.speed // MBIT)
            ports[name] = row
    out = dict(config)
    out["DEVICE_METADATA"] = {
        "localhost": {**local, **config.get("DEVICE_METADATA", {}).get("localhost", {}), **metadata}
    }
    out["PORT"] = ports
    return out
