"""Known faults of releases and chips, as profiles/errata has them: rule SCH028."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rocecfg.model import Device, Fabric, Origin, PortGroup
from rocecfg.profiles import MARKS
from rocecfg.profiles.systems import find_errata
from rocecfg.rules.base import ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import is_management, kept_with_device
from rocecfg.rules.ops_exporters import find_exporter

_STREAMING = ("cumulus-otlp", "gnmic-openconfig")  # profiles/exporters whose counters the switch itself streams
_READS_BUFFERS = "gnmic-openconfig"
_CAGES = 64  # of the largest boxes with Spectrum-4: more ports are what NVIDIA calls a high port scale


@rule(
    "SCH028",
    "nos-erratum",
    WARNING,
    worst=ERROR,
    source="issue trackers of the systems, as profiles/errata cites them one by one",
)
def nos_erratum(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The release has a known bug on this chip, and the configuration triggers it."""
    nos = device.nos
    if nos is None or is_management(port):
        return
    release = f"{device.release or nos.default_release}{'' if device.version else ' (assumed)'}"
    for erratum in find_errata(device):
        at = _WHEN[erratum.when](fabric, device, port) if erratum.when in _WHEN else None
        if at is None:
            continue
        sure = "" if erratum.mark == "V" else f"; {MARKS[erratum.mark]}"
        fixed = f"up to {erratum.until}" if erratum.until is not None else "no release is known to have it fixed"
        fixed += f", as of {erratum.looked}" if erratum.until is None and erratum.looked is not None else ""
        yield Hit(
            f"{nos.title} {release}, {erratum.number}: {erratum.message} ({fixed}{sure})",
            at,
            erratum.fix,
            severity=erratum.severity,
        )


def _may_lose_pfc(port: PortGroup) -> bool:
    """Whether the watchdog takes PFC off a priority that is stormed: an alert leaves it as it is."""
    return bool(port.pfc) and port.watchdog is not None and port.watchdog.action != "alert"


def _may_lose_all_pfc(port: PortGroup) -> bool:
    """Whether PFC may be off for every priority of the port: one that is not watched keeps it."""
    watched = port.watchdog.priorities if port.watchdog is not None else None
    return _may_lose_pfc(port) and (watched is None or set(port.pfc) <= set(watched))


def _locate_one_priority(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    """Where the chip is stated: no setting of the port avoids the fault."""
    return (device.at("platform", "asic"), port.at()) if len(port.pfc) == 1 and _may_lose_all_pfc(port) else None


def _locate_several_priorities(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    if len(port.pfc) < 2 or not _may_lose_all_pfc(port):
        return None
    lossless = sorted((cls for cls in device.classes_on(port) if cls.lossless), key=lambda cls: -cls.priority)
    return (*(cls.at("lossless") for cls in lossless[:-1]), port.at("classes"), port.at())


def _locate_several_ports(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    several = _may_lose_pfc(port) and _count_losing(device) > 1
    return (port.at("watchdog"), port.at()) if several else None


@kept_with_device
def _count_losing(device: Device) -> int:
    """The ports that may lose PFC; without names they are every port of a switch, so several."""
    return sum(len(port.names) or _CAGES for port in device.ports if _may_lose_pfc(port))


def _locate_dropped_storm(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    return (port.at("watchdog"), port.at()) if _drops_storms(device, port) else None


def _locate_dropped_storms(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    several = _drops_storms(device, port) and _count_dropping(device) > 1
    return (port.at("watchdog"), port.at()) if several else None


def _drops_storms(device: Device, port: PortGroup) -> bool:
    """Whether the watchdog drops what is queued for a priority that is stormed; None: it does so by itself."""
    return bool(port.pfc) and port.watchdog is not None and port.watchdog.action in ("drop", None)


@kept_with_device
def _count_dropping(device: Device) -> int:
    return sum(len(port.names) or _CAGES for port in device.ports if _drops_storms(device, port))


def _locate_broken_out(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    mark = device.nos.split_mark if device.nos is not None else None
    apart = mark is not None and any(re.search(rf"[0-9]{re.escape(mark)}[0-9]", name) for name in port.names)
    return (device.at("version"), port.at()) if apart else None


def _locate_read_buffers(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    return (fabric.at("telemetry"), device.at("version")) if find_exporter(fabric, device) == _READS_BUFFERS else None


def _locate_streamed_ports(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    if find_exporter(fabric, device) not in _STREAMING or port.watchdog is None or not port.pfc:
        return None
    return (fabric.at("telemetry"), device.at("version")) if _count_watched(device) > _CAGES else None


@kept_with_device
def _count_watched(device: Device) -> int:
    return sum(len(port.names) for port in device.ports if port.pfc and port.watchdog is not None)


def _locate_secured_port(fabric: Fabric, device: Device, port: PortGroup) -> tuple[Origin, ...] | None:
    return (port.at("macsec"), port.at()) if port.pfc and port.macsec is not None else None


_WHEN: dict[str, Callable[[Fabric, Device, PortGroup], tuple[Origin, ...] | None]] = {
    "several lossless priorities of a port are watched": _locate_several_priorities,
    "the one lossless priority of a port is watched": _locate_one_priority,
    "several ports are watched": _locate_several_ports,
    "more than 64 lossless ports are watched, and their counters streamed": _locate_streamed_ports,
    "lossless priorities are on a port with MACsec": _locate_secured_port,
    "a storm is dropped": _locate_dropped_storm,
    "storms on several ports are dropped": _locate_dropped_storms,
    "ports are broken out": _locate_broken_out,
    "buffers are read by gNMI": _locate_read_buffers,
}

RULES: tuple[Rule, ...] = (nos_erratum,)
