"""The switch as such: what DEVICE_METADATA and the tables for the whole switch say."""

from __future__ import annotations

from rocecfg.core.roles import guess_role
from rocecfg.model import Origin, Running, RunningPool
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.sonic.balancing import HASHED
from rocecfg.vendors.sonic.reading import boxes
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.maps import Sorting
from rocecfg.vendors.sonic.reading.rows import shorten
from rocecfg.vendors.sonic.settings import read_values

# SONiC counts its tiers from the hosts and calls the second one "leaf": in a fabric's words that is a spine. Images
# have type LeafRouter until somebody writes another: where the host name tells another role, neither is taken.
ROLES = {
    "ToRRouter": "leaf",
    "BackEndToRRouter": "leaf",
    "LeafRouter": "spine",
    "BackEndLeafRouter": "spine",
    "SpineRouter": "superspine",
    "BackEndSpineRouter": "superspine",
    "LowerSpineRouter": "superspine",
    "UpperSpineRouter": "superspine",
    "FabricSpineRouter": "superspine",
}
_MOST = {"size": 2**32 - 1, "dscp": 63, "queue": 7}  # of trimming, what the rest is known of
_REMAPPED = {"decap_dscp_to_tc_map", "encap_tc_to_dscp_map"}  # a tunnel with them carries classes in its own way


def read_section(ctx: Context, buffers: Section) -> Section:
    """The intent's keys of the device."""
    out: Section = {"vendor": Val("sonic", ctx.at)}
    if ctx.reported is not None:
        out["version"] = Val(shorten(ctx.reported), ctx.release_at)
    local = ctx.row("DEVICE_METADATA", "localhost")
    if local is not None:
        hwsku = local.get("hwsku")
        if hwsku and boxes.is_plausible_hwsku(hwsku):
            out["hwsku"] = Val(hwsku, local.locate("hwsku"))
            platform = boxes.platform_of(hwsku, local.get("platform"))
            if platform is not None:
                out["platform"] = Val(platform, local.locate("hwsku"))
        role = ROLES.get(local.get("type") or "")
        if role is not None and guess_role(local.get("hostname") or "") in (None, role):
            out["role"] = Val(role, local.locate("type"))
        if local.get("switch_type") == "voq":
            out["switch_type"] = Val("voq", local.locate("switch_type"))
    hashed = _read_hashing(ctx)
    if hashed is not None:
        out["load_balancing"] = hashed
    trimming = _read_trimming(ctx)
    if trimming is not None:
        out["trimming"] = trimming
    if buffers:
        out["buffers"] = Val(buffers, next(iter(buffers.values())).at)
    return out


def _read_hashing(ctx: Context) -> Val | None:
    """What ECMP hashes, where an intent has a word for each field."""
    row = ctx.row("SWITCH_HASH", "GLOBAL")
    text = row.get("ecmp_hash") if row is not None else None
    if row is None or not text:
        return None
    named = {field: name for name, field in HASHED.items()}
    fields = [field.strip() for field in text.split(",")]
    if not named.keys() >= set(fields):
        return None
    at = row.locate("ecmp_hash")
    return Val({"hash": Val([Val(name, at) for name in HASHED if HASHED[name] in fields], at)}, at)


def _read_trimming(ctx: Context) -> Val | None:
    """Packet trimming, where its size, DSCP and queue are numbers, or the queue follows from the DSCP."""
    row = ctx.row("SWITCH_TRIMMING", "GLOBAL")
    if row is None:
        return None
    found = {key: val for key, val in read_values(row, "trimming").items() if val.value <= _MOST[key]}
    lacking = _MOST.keys() - found.keys()
    if lacking == {"queue"} and row.get("queue_index") == "dynamic":
        lacking = set()
    return None if lacking else Val(found, row.at)


def find_name(ctx: Context) -> str | None:
    """The hostname, with the ASIC where it is one of several."""
    local = ctx.row("DEVICE_METADATA", "localhost")
    host = (local.get("hostname") if local is not None else None) or None
    if ctx.space.name in (None, "localhost"):
        return host
    return f"{host}-{ctx.space.name}" if host is not None else ctx.space.name


_SUBJECTS = {  # of rules, by the tables of which at least one has to be there
    "PFC": ("PORT_QOS_MAP",),
    "the PFC watchdog": ("PFC_WD",),
    "headroom and buffers": ("BUFFER_PG", "BUFFER_PROFILE", "BUFFER_POOL", "BUFFER_QUEUE"),
    "cable lengths": ("CABLE_LENGTH",),
    "ECN": ("WRED_PROFILE",),
    "queues": ("QUEUE",),
    "ports": ("PORT",),
}


def _list_absent(ctx: Context) -> tuple[str, ...]:
    """What a configuration says nothing about; lengths of cables a whole one may leave to the default."""
    ports = ctx.table("PORT").values()
    speeds = ("speeds (PORT speed)",) if ports and not any("speed" in row.cells for row in ports) else ()
    return (
        *(
            f"{subject} ({', '.join(tables)})"
            for subject, tables in _SUBJECTS.items()
            if not any(ctx.table(table) for table in tables) and not (ctx.whole and subject == "cable lengths")
        ),
        *(() if ctx.whole else speeds),
    )


def make_running(ctx: Context, pools: tuple[RunningPool, ...], sorted_by: Sorting, *, forced: bool) -> Running:
    """What the configuration says beyond an intent's device."""
    origins: dict[str, Origin] = {"": ctx.at}
    if sorted_by.remarks_at is not None:
        origins["remarks"] = sorted_by.remarks_at
    everywhere, counters = ctx.row("PFC_WD", "GLOBAL"), ctx.row("FLEX_COUNTER_TABLE", "PFCWD")
    blind = counters.get("FLEX_COUNTER_STATUS") == "disable" if counters is not None else None
    if counters is not None:
        origins["watchdog_blind"] = counters.locate("FLEX_COUNTER_STATUS")
    if everywhere is not None:
        origins["watchdog_forced"] = everywhere.locate("BIG_RED_SWITCH")
    marks = ctx.row("FLEX_COUNTER_TABLE", "WRED_ECN_QUEUE")
    counted: bool | None = None
    if marks is not None:
        counted = marks.get("FLEX_COUNTER_STATUS") == "enable"
        origins["counts_marks"] = marks.locate("FLEX_COUNTER_STATUS")
    elif ctx.whole and ctx.release.ecn_counters:
        counted = False
    tunnels = [*ctx.table("TUNNEL").values(), *ctx.table("VXLAN_TUNNEL").values()]
    copied = {
        row.get("dscp_mode") == "uniform" and row.get("ecn_mode") in (None, "copy_from_outer", "standard")
        for row in ctx.table("TUNNEL").values()
        if "dscp_mode" in row.cells and not row.cells.keys() & _REMAPPED
    }
    if tunnels:
        origins["tunnels"] = tunnels[0].at
        origins["copies_dscp"] = tunnels[0].locate("dscp_mode")
    trimming = ctx.row("SWITCH_TRIMMING", "GLOBAL")
    if trimming is not None and _read_trimming(ctx) is None:
        fields = ", ".join(f"{name} {shorten(text)}" for name, text in trimming.cells.texts.items())
        words = f"trimmed packets leave with another DSCP and queue ({fields}); the effect is not checked"
        ctx.notes.report("device-unread", "SWITCH_TRIMMING", "GLOBAL", trimming.at, words)
    local = ctx.row("DEVICE_METADATA", "localhost")
    word = (local.get("type") if local is not None else None) or ""
    return Running(
        kind="config_db",
        whole=ctx.whole,
        typed=(f"type {word}", ROLES[word]) if word in ROLES else None,
        absent=_list_absent(ctx),
        pools=pools,
        remarks=sorted_by.remarks,
        watchdog_blind=blind,
        watchdog_forced=forced or None,
        counts_marks=counted,
        tunnels=True if tunnels else (False if ctx.whole else None),
        copies_dscp=copied.pop() if len(copied) == 1 else None,
        origins=origins,
    )
