"""The gate of `config apply-patch`: what it refuses of a patch, by release and HwSKU, before anything is applied.

It looks at PFC_WD, BUFFER_POOL, BUFFER_PROFILE and (up to 202505) WRED_PROFILE, field by field; see gate_facts for
the sources. An HwSKU it does not list is refused for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.sonic.gate_facts import CHIPS, FIRST_RELEASE, HWSKUS, WITHOUT_GATE
from rocecfg.vendors.sonic.release import Release

Operation = Mapping[str, object]  # op, path, value
_GLOBAL = ("/PFC_WD/GLOBAL", "/PFC_WD/GLOBAL/POLL_INTERVAL")


class _Rule(NamedTuple):
    fields: tuple[str, ...]
    operations: tuple[str, ...]
    headroom: bool = False  # dated as headroom, not as tuning


_TIMERS = ("action", "detection_time", "restoration_time", "global/poll_interval", "")
_CHANGES = ("add", "remove", "replace")
_POOL = _Rule(
    ("ingress_lossless_pool/xoff", "ingress_lossless_pool/size", "egress_lossy_pool/size"), ("replace",), headroom=True
)
_PROFILE = (_Rule(("dynamic_th",), ("replace",)), _Rule(("xoff",), ("replace",), headroom=True))
_CURVE = ("green_min_threshold", "green_max_threshold", "green_drop_probability")


def chip_of(hwsku: str | None, asic: str | None, release: Release) -> str | None:
    """The gate's own name of the chip behind a HwSKU in this release; None if it does not know it."""
    name = (hwsku or "").lower()
    if name.startswith("cisco-8") or (asic or "").startswith("silicon-one"):
        return "cisco-8000"
    if (asic or "").startswith("teralynx"):
        return "marvell-teralynx"
    for chip, since, until, skus in HWSKUS:
        if not since <= release.number <= (until or release.number):
            continue
        for sku in map(str.lower, skus):
            if name == sku or (not chip.startswith("spc") and sku in name):
                return chip
    return None


def find_refusals(
    operations: Sequence[Operation], removed: Iterable[object], release: Release, chip: str | None
) -> list[str]:
    """The paths that the gate refuses, in order. `removed` are the values that the patch takes away.

    The gate diffs the whole configuration again, and that diff turns a removed value which is added elsewhere into a
    "move", an operation that no rule allows.
    """
    gone = list(removed)
    return [
        str(op["path"])
        for op in operations
        if not _passes(op, release, chip)
        or (op["op"] == "add" and op["value"] in gone and _rules_for(op, release) is not None)
    ]


def _rules_for(op: Operation, release: Release) -> tuple[_Rule, ...] | None:
    """The rules for the table of an operation; None where the gate lets everything pass."""
    number = release.number
    if number < FIRST_RELEASE or number in WITHOUT_GATE:
        return None
    table, *rest = _split_path(op)
    if table == "PFC_WD":
        return (_Rule(_TIMERS if number < 202511 else (*_TIMERS, "pfc_stat_history"), _CHANGES),)
    if table == "BUFFER_POOL":
        return (_POOL,) if number < 202511 else (_Rule((), ()),)
    if table == "BUFFER_PROFILE":
        return None if number >= 202511 and len(rest) == 1 else _PROFILE
    if table == "WRED_PROFILE" and number < 202511:
        prefix = "azure_lossless/" if number < 202505 else ""
        return (_Rule(tuple(prefix + field for field in _CURVE), ("replace",)),)
    return None


def _passes(op: Operation, release: Release, chip: str | None) -> bool:
    if op["op"] == "remove" and op["path"] in _GLOBAL:
        return False
    rules = _rules_for(op, release)
    if rules is None:
        return True
    known = CHIPS.get(chip or "")
    if known is None or release.number < known.since:
        return False
    for field in _touched_fields(op, release):
        rule = next((rule for rule in rules if field in rule.fields), None)
        if rule is None or op["op"] not in rule.operations:
            return False
        first = known.headroom if rule.headroom else known.tuning
        if not first or (release.date is not None and release.date < first):
            return False
    return True


def _touched_fields(op: Operation, release: Release) -> list[str]:
    """The fields an operation touches, as the gate spells them.

    Row names with a digit are dropped, what is left of the path is lower case, but keys of a value keep their case:
    adding the row GLOBAL is therefore refused where adding its POLL_INTERVAL is not.
    """
    table, *rest = _split_path(op)
    by_field = (table == "WRED_PROFILE" and release.number >= 202505) or (
        table == "BUFFER_PROFILE" and release.number >= 202511
    )
    stem = rest if by_field else [part for part in rest if not any(c.isdigit() for c in part)]
    path = "/".join(stem).lower()
    value = op.get("value")
    names = [f"{path}/{key}" if path else key for key in value] if isinstance(value, dict) else [path]
    return [name.rpartition("/")[2] for name in names] if by_field else names


def _split_path(op: Operation) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in str(op["path"]).split("/")[1:]]
