"""How the fabric is watched: rules OPS701 to OPS706, on the section `telemetry`.

An intent without that section, or without its list of metrics or alerts, says nothing of them: the rules are silent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.units import show_number, show_rate, show_time
from rocecfg.model import Fabric, Origin, PortGroup, Watchdog
from rocecfg.model.watched import (
    CNP,
    DROP,
    ECN,
    ERRORS,
    FLAPS,
    INGRESS,
    PAUSE,
    QUEUE,
    SEQUENCE,
    WATCHDOG,
    find_subjects,
    is_state,
    is_storm,
    merge_subjects,
)
from rocecfg.physics.pause import full_pause_rate, longest_pause
from rocecfg.physics.watchdog import action_window
from rocecfg.rules.amounts import show_wait
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, join_words
from rocecfg.rules.watchdog import judged_watchdog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_SCRAPE = 30_000  # ms
_CALLED = {  # a name for each that an intent can give
    PAUSE: "pfc-frames",
    WATCHDOG: "watchdog-events",
    DROP: "queue-drops",
    ECN: "ecn-marked",
    QUEUE: "queue-watermark",
    INGRESS: "pg-watermark",
    ERRORS: "fec-errors",
    FLAPS: "link-flaps",
    CNP: "cnp",
    SEQUENCE: "out-of-sequence",
}


def _telemetry_section(fabric: Fabric) -> Mapping[str, Any]:
    """What the intent says of telemetry, by key; empty where it says nothing, or that there is none."""
    stated = fabric.facts.get("telemetry")
    return stated if isinstance(stated, dict) else {}


def _find_names(fabric: Fabric, key: str) -> tuple[list[str], Origin] | None:
    """The names in a list of the section, and where it is; None where the intent has no such list."""
    stated = _telemetry_section(fabric).get(key)
    return ([v.value for v in stated.value], stated.at) if stated is not None else None


def _iter_lossless_ports(fabric: Fabric) -> Iterator[PortGroup]:
    for device in fabric.devices:
        for port in device.ports:
            if port.pfc:
                yield port


def _collect_watchdogs(fabric: Fabric) -> dict[int, Watchdog]:
    """The watchdogs of lossless ports, each once."""
    found = (judged_watchdog(port) for port in _iter_lossless_ports(fabric))
    return {id(w): w for w in found if w is not None}


@rule(
    "OPS701",
    "ops-telemetry-missing",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 5: pause frames, drops and latency are monitored on every port",
    needs=("telemetry",),
)
def ops_telemetry_missing(fabric: Fabric) -> Iterator[Hit]:
    """Nothing reads the switches' counters."""
    if fabric.facts.get("telemetry") != "none":
        return
    unseen = (
        "a drop that costs RDMA throughput goes unseen"
        if fabric.mode == "lossy"
        else "a pause storm, a drop in a lossless queue and packets discarded by the watchdog go unseen until jobs hang"
    )
    yield Hit(
        f"telemetry: none: {unseen}",
        (fabric.at("telemetry"),),
        "collect the counters and state it: telemetry: {exporter: ..., scrape_interval: 10s, "
        "alerts: [pause, drops, watchdog]}",
    )


# -- metrics -----------------------------------------------------------------------------------------------------------


def _iter_needed_subjects(fabric: Fabric) -> Iterator[str]:
    """What has to be collected to tell a storm from congestion, and congestion from bad optics, in this fabric."""
    paused = fabric.mode != "lossy" and any(_iter_lossless_ports(fabric))
    if paused:
        yield PAUSE
        if _collect_watchdogs(fabric):
            yield WATCHDOG
        yield INGRESS
    if fabric.congestion_control != "none":
        yield ECN
    yield from (QUEUE, DROP, ERRORS, FLAPS)
    if "hosts" in fabric.sections:
        if fabric.congestion_control != "none":
            yield CNP
        yield SEQUENCE


@rule(
    "OPS702",
    "ops-metrics",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 5; SONiC WRED and ECN statistics (off by default)",
    needs=("telemetry",),
)
def ops_metrics(fabric: Fabric) -> Iterator[Hit]:
    """The collected metrics cannot tell a pause storm from congestion or from bad optics."""
    stated = _find_names(fabric, "metrics")
    if stated is None:
        return
    names, at = stated
    have, opaque = merge_subjects(names)
    lacking = [what for what in _iter_needed_subjects(fabric) if what not in have]
    if lacking:
        yield Hit(
            f"metrics lack {join_words(lacking)}: without them a pause storm, congestion and bad optics look alike"
            + _format_doubt(opaque),
            (at,),
            f"collect them and add {', '.join(_CALLED[what] for what in lacking)}, or the names your exporter has",
            severity=INFO if opaque else None,
        )


def _format_doubt(opaque: tuple[str, ...]) -> str:
    """What names that say nothing leave open."""
    return f" (unless {join_words(opaque)} covers that: the name does not show it)" if opaque else ""


# -- alerts ------------------------------------------------------------------------------------------------------------


def _find_alerts_without(fabric: Fabric, what: str) -> tuple[Origin, str, bool] | None:
    """Where alerts are stated of which none is about `what`, what is left open, and whether something is."""
    stated = _find_names(fabric, "alerts")
    if stated is None:
        return None
    names, at = stated
    have, opaque = merge_subjects(names)
    return None if what in have else (at, _format_doubt(opaque), bool(opaque))


@rule(
    "OPS703",
    "ops-alert-pause",
    WARNING,
    source="IEEE 802.1Qbb: one frame pauses for 65535 quanta of 512 bit times at most",
    by_kind=LOSSY_OFF,
    needs=("telemetry",),
)
def ops_alert_pause(fabric: Fabric) -> Iterator[Hit]:
    """No alert covers the rate or duration of pauses."""
    found = _find_alerts_without(fabric, PAUSE)
    if found is None and any(_iter_lossless_ports(fabric)):
        yield from _judge_storm_alerts(fabric)
    if found is None or not any(_iter_lossless_ports(fabric)):
        return
    at, perhaps, unsure = found
    speeds = sorted({p.speed for p in _iter_lossless_ports(fabric) if p.speed is not None}) or [100 * 10**9]
    rates = join_words(f"{full_pause_rate(s):.0f} frames/s at {show_rate(s)}" for s in speeds)
    pauses = join_words(show_wait(round(longest_pause(s), 4)) for s in speeds)
    yield Hit(
        f"no alert on pauses{perhaps}: a slow receiver pauses again and again, but never long enough for the watchdog "
        f"to detect it, and goes unseen. A port that is paused all the time receives at least {rates} per priority: "
        f"speed / (65535 x 512 bit), since one frame pauses for at most {pauses}",
        (at,),
        "alert on a sustained pause rate or share of time paused, and add pause to alerts",
        severity=INFO if unsure else None,
    )


def _judge_storm_alerts(fabric: Fabric) -> Iterator[Hit]:
    """Where pauses are alerted on by the word of storms alone."""
    stated = _find_names(fabric, "alerts")
    if stated is None:
        return
    names, at = stated
    about = [name for name in names if PAUSE in find_subjects(name)]
    if merge_subjects(names)[1] or not all(is_storm(name) for name in about):
        return
    yield Hit(
        f"{join_words(about)} covers pause storms, but no alert covers short pauses: a slow receiver pauses its "
        "port again and again, never as long as the watchdog's detection time, and slows down everything that "
        "shares the switch",
        (at,),
        "alert if a priority is paused for a tenth of the time or more, and add pause to alerts",
        severity=INFO,
    )


@rule(
    "OPS704",
    "ops-alert-drop",
    ERROR,
    source="a lossless queue drops only where headroom, maps or PFC are wrong",
    by_kind={"lossy": INFO},
    needs=("telemetry",),
)
def ops_alert_drop(fabric: Fabric) -> Iterator[Hit]:
    """No alert covers drops in a lossless queue."""
    found = _find_alerts_without(fabric, DROP)
    lossy = fabric.mode == "lossy"
    if found is None or not (any(d.rdma for d in fabric.devices) if lossy else any(_iter_lossless_ports(fabric))):
        return
    at, perhaps, unsure = found
    why = (
        "each costs a retransmission"
        if lossy
        else "a single drop in a lossless queue means that headroom, maps or PFC are wrong, and RDMA pays for each"
    )
    yield Hit(
        f"no alert on drops{perhaps}: {why}",
        (at,),
        f"alert on {'drops of the RDMA queue' if lossy else 'any drop of a lossless queue'}, and add drops to alerts",
        severity=INFO if unsure else None,
    )


@rule(
    "OPS705",
    "ops-alert-wd",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 4.3: the watchdog discards the lossless packets of a port in a storm",
    by_kind=LOSSY_OFF,
    needs=("telemetry",),
)
def ops_alert_wd(fabric: Fabric) -> Iterator[Hit]:
    """No alert covers watchdog events."""
    found = _find_alerts_without(fabric, WATCHDOG)
    if found is None or not _collect_watchdogs(fabric):
        return
    at, perhaps, unsure = found
    yield Hit(
        f"no alert on watchdog events{perhaps}: each one discarded RDMA packets, and the NIC or switch that caused "
        "it does it again until somebody fixes it",
        (at,),
        "alert on every storm detected, and add watchdog to alerts",
        severity=INFO if unsure else None,
    )


# -- scrape interval ---------------------------------------------------------------------------------------------------


@rule(
    "OPS706",
    "ops-scrape",
    WARNING,
    source="a rate is averaged over the interval; a state that begins and ends within it is not seen",
    needs=("telemetry",),
)
def ops_scrape(fabric: Fabric) -> Iterator[Hit]:
    """Counters are read too rarely to show a pause storm."""
    stated = _telemetry_section(fabric).get("scrape_interval")
    if stated is None:
        return
    interval: float = stated.value
    if interval > _MOST_SCRAPE:
        dogs = (
            [w for w in _collect_watchdogs(fabric).values() if w.detection is not None]
            if fabric.mode != "lossy"
            else []
        )
        hidden = "a short storm or burst vanishes in the average"
        if dogs:
            dog = min(dogs, key=lambda w: w.detection or 0)
            longest = action_window(dog.detection or 0, dog.poll)[1]
            hidden = (
                f"a pause storm that the watchdog ends after {show_time(longest)} is {longest / interval:.1%} of "
                "the average"
            )
        yield Hit(
            f"scrape_interval {_format_seconds(interval)} is longer than 30s: {hidden}",
            (stated.at,),
            "set 30s or less, e.g. 10s",
        )
        return
    yield from _judge_state_metrics(fabric, interval, stated.at)


def _format_seconds(ms: float) -> str:
    return f"{show_number(ms / 1000)}s"


def _judge_state_metrics(fabric: Fabric, interval: float, at: Origin) -> Iterator[Hit]:
    """Where storms are collected as a state only, which is over before it is read."""
    stated = _find_names(fabric, "metrics")
    about = (
        [n for n in stated[0] if WATCHDOG in find_subjects(n)] if stated is not None and fabric.mode != "lossy" else []
    )
    if not about or not all(map(is_state, about)):
        return
    dogs = [w for w in _collect_watchdogs(fabric).values() if w.restoration is not None]
    dog = min(dogs, key=lambda w: w.restoration or 0, default=None)
    if dog is None or dog.restoration is None or interval <= dog.restoration:
        return
    yield Hit(
        f"{join_words(about)} is a state, read every {_format_seconds(interval)}: a pause storm is over "
        f"{show_time(dog.restoration)} (restoration_time) after its last pause, so most go unseen",
        (at,),
        "collect the counters of pause storms detected and restored instead: they also count what happened in between",
        ((dog.at("restoration", "detection"), "the restoration time"),),
    )


RULES: tuple[Rule, ...] = (
    ops_telemetry_missing,
    ops_metrics,
    ops_alert_pause,
    ops_alert_drop,
    ops_alert_wd,
    ops_scrape,
)
