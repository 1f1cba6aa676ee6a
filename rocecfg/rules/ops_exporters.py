"""Whether what exports the switches' counters has those that a lossless fabric needs: rule OPS770."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric, Origin
from rocecfg.model.watched import ECN, PAUSE, WATCHDOG, merge_subjects
from rocecfg.rules.base import WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words
from rocecfg.rules.watchdog import judged_watchdog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.profiles.exporters import Exporter

_METRICS = {  # what is seen: the metrics that show it, and what it is called
    PAUSE: (("pfc-rx-frames", "pfc-rx-duration"), "received PFC frames or pause time"),
    WATCHDOG: (("watchdog-detected",), "pause storms that the watchdog detected"),
    ECN: (("ecn-marked",), "ECN-marked packets"),
}
_HARM = {
    PAUSE: "a slow receiver, which pauses again and again but never long enough for the watchdog, goes unseen",
    WATCHDOG: "packets that the watchdog discards go unseen",
    ECN: "nobody sees whether ECN works or only PFC slows senders down",
}


@rule(
    "OPS770",
    "ops-exporter",
    WARNING,
    source="profiles/exporters: the metrics of each exporter with their sources",
    needs=("telemetry",),
)
def ops_exporter(fabric: Fabric) -> Iterator[Hit]:
    """The exporter has no known metric for PFC, the watchdog or ECN."""
    stated = fabric.facts.get("telemetry")
    known: dict[str, Exporter] = fabric.facts.get("exporters", {})
    if not isinstance(stated, dict) or "exporter" not in stated:
        return
    metrics = stated.get("metrics")
    elsewhere = merge_subjects(v.value for v in metrics.value)[0] if metrics is not None else frozenset()
    reported: set[tuple[str, tuple[str, ...]]] = set()
    for device in fabric.devices:
        named = _find_exporter(stated["exporter"], device)
        exporter = known.get(named[0]) if named is not None else None
        if named is None or exporter is None:
            continue
        lacking = tuple(
            what
            for what in _iter_needed_subjects(fabric, device)
            if what not in elsewhere and not exporter.metrics.keys() & set(_METRICS[what][0])
        )
        if not lacking or (exporter.name, lacking) in reported:
            continue
        reported.add((exporter.name, lacking))
        yield Hit(
            f"{exporter.name} has no known metric for {join_words(_METRICS[what][1] for what in lacking)}: "
            f"{'; '.join(_HARM[what] for what in lacking)}",
            (named[1], fabric.at("telemetry")),
            "collect them with another exporter and name them in metrics, or, if yours exports them, add their "
            "names in "
            f"rocecfg-profiles/exporters/{exporter.name}.yaml (extends: {exporter.name})",
            vendors=frozenset((device.vendor,)),
        )


def find_exporter(fabric: Fabric, device: Device) -> str | None:
    """The exporter that the section `telemetry` names for a device; None where it names none."""
    stated = fabric.facts.get("telemetry")
    named = _find_exporter(stated["exporter"], device) if isinstance(stated, dict) and "exporter" in stated else None
    return named[0] if named is not None else None


def _find_exporter(stated: object, device: Device) -> tuple[str, Origin] | None:
    """The exporter that the section names for a device, and where."""
    value, at = stated.value, stated.at  # type: ignore[attr-defined]
    if not isinstance(value, dict):
        return value, at
    own = value.get(device.vendor)
    return (own.value, own.at) if own is not None else None


def _iter_needed_subjects(fabric: Fabric, device: Device) -> Iterator[str]:
    """What has to be seen on a switch."""
    if fabric.mode != "lossy" and any(port.pfc for port in device.ports):
        yield PAUSE
        if any(judged_watchdog(port) is not None for port in device.ports):
            yield WATCHDOG
    if fabric.congestion_control != "none" and any(c.ecn or c.ecn_by_speed for c in device.rdma):
        yield ECN


RULES: tuple[Rule, ...] = (ops_exporter,)
