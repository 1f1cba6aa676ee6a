"""Advice as JSON, version 1. The unit of a number ends its key."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rocecfg.advice.advise import Advice, Advised, JudgedCurve
from rocecfg.advice.checks import Bound
from rocecfg.advice.predict import LEFT_OUT, MODEL, Prediction
from rocecfg.advice.wording import show_origins
from rocecfg.source.document import Sources


def render(found: Iterable[Advised], sources: Sources, sweeps: list[Any] | None = None) -> str:
    """The envelope `{version, fabrics, model, left_out}`; `sweeps`: what was swept of each fabric."""
    fabrics = list(found)
    envelope = {
        "version": 1,
        "fabrics": [_fabric(one, sources, sweeps[n] if sweeps else None) for n, one in enumerate(fabrics)],
        "model": MODEL,
        "left_out": list(LEFT_OUT),
    }
    return json.dumps(envelope, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _fabric(of: Advised, sources: Sources, sweep: Any) -> dict[str, Any]:
    aims, params = of.aims, of.params
    return {
        "fabric": of.fabric.name,
        "path": of.root,
        "notes": list(of.notes),
        "asked": {
            "incast": aims.incast,
            "rtt_us": round_figure(aims.rtt * 1e3) if aims.rtt is not None else None,
            "hop_delay_us": round_figure(aims.delay * 1e3) if aims.delay is not None else None,
            "ecn_family": aims.family.name if aims.family is not None else None,
            "sources": show_origins(aims.inputs, sources),
        },
        "dcqcn": {
            "g": params.g,
            "additive_increase_bit_per_s": params.r_ai,
            "byte_counter_bytes": params.byte_counter,
            "timer_us": params.timer_us,
            "cnp_interval_us": params.tau_us,
            "alpha_timer_us": params.tau_alpha_us,
            "fast_recovery": params.f,
            "feedback_delay_us": params.delay_us,
            "packet_bytes": params.packet,
            "hyper_increase_bit_per_s": params.r_hai,
            "nic": of.nic.name if of.nic is not None else None,
        },
        "kinds": [_kind(n, one, sources) for n, one in enumerate(of.advices, 1)],
        "sweep": sweep,
    }


def _kind(number: int, of: Advice, sources: Sources) -> dict[str, Any]:
    kind, port, device = of.kind, of.kind.port, of.kind.device
    return {
        "kind": number,
        "class": kind.cls.name,
        "reach": [{"devices": devices, "ports": ports} for devices, ports in kind.reach],
        "ports": kind.total,
        "vendor": device.vendor,
        "version": kind.chip.release,
        "platform": device.platform.name if device.platform is not None else None,
        "asic": device.asic.name if device.asic is not None else None,
        "role": kind.role,
        "faces": port.faces,
        "speed_bit_per_s": port.speed,
        "cable_m": port.cable,
        "further_feedback_delay_us": round_figure(of.far_us),
        "mtu_bytes": port.mtu,
        "pool_bytes": device.pools.lossless,
        "pool_sources": show_origins((device.pools.origins.get("lossless"),), sources),
        "ports_sharing_pool": kind.sharing,
        "settings": {
            s.key: {
                "now": s.now,
                "now_from": next(iter(show_origins((s.now_at,), sources)), None),
                "advised": s.advised,
                "same": s.same,
                "why": s.why,
                "sources": show_origins(s.origins, sources),
            }
            for s in of.settings
        },
        "checks": {
            c.key: {
                "bound": c.what,
                "grave": c.grave,
                "formula": c.formula,
                "now": _bound(c.now),
                "advised": _bound(c.advised),
            }
            for c in of.checks
        },
        "verdict": {"change": of.verdict.change, "why": of.verdict.why} if of.verdict is not None else None,
        "first_burst_bytes": round_figure(of.burst),
        "prediction": {"now": _side(of.now), "advised": _side(of.advised)},
        "published": [{"family": family.name, **_curve(side), **_side(side)} for family, side in of.published],
    }


def _curve(of: JudgedCurve) -> dict[str, Any]:
    assert of.curve is not None  # a family has one
    return {"kmin_bytes": of.curve.kmin, "kmax_bytes": of.curve.kmax, "pmax_percent": of.curve.pmax}


def _bound(of: Bound) -> dict[str, Any]:
    return {"limit_bytes": round_figure(of.limit), "holds": of.holds}


def _side(of: JudgedCurve) -> dict[str, Any]:
    got = of.prediction
    return {
        "not_computed": of.why_not or None,
        "marking_percent": round_figure(got.marking * 100) if got else None,
        "queue_bytes": round_figure(got.queue) if got else None,
        "delay_us": round_figure(got.delay_us) if got else None,
        "settles": got.steady if got else None,
        "queue_low_bytes": round_figure(got.low) if got else None,
        "queue_high_bytes": round_figure(got.high) if got else None,
        "queue_mean_bytes": round_figure(got.mean) if got else None,
        "queue_sd_bytes": round_figure(got.sd) if got else None,
        "empty_percent": round_figure(got.empty * 100) if got else None,
        "above_kmax_percent": round_figure(got.beyond * 100) if got else None,
        "utilisation_percent": round_figure(got.utilisation * 100) if got else None,
        "paused_percent": round_figure(got.paused * 100) if got and got.paused is not None else None,
        "simulated": got.simulated if got else None,
        "answered_late": _late_prediction(of.late) if of.late is not None else None,
        "largest_incast": of.largest,
        "pause_at_bytes": round_figure(of.pause),
        "time_to_pause_us": round_figure(of.fill_us),
        "burst_without_pause_bytes": round_figure(of.burst_fits),
    }


def _late_prediction(of: Prediction) -> dict[str, Any]:
    return {
        "queue_mean_bytes": round_figure(of.mean),
        "queue_sd_bytes": round_figure(of.sd),
        "utilisation_percent": round_figure(of.utilisation * 100),
    }


def round_figure(number: float | None) -> float | None:
    """Six digits: more the model does not know, and other machines' libraries differ in the last ones."""
    return float(f"{number:.6g}") if number is not None else None
