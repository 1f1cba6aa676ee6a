"""SONiC: values that mean something else than an amount: 0 for no limit, off or whatever the chip has."""

from __future__ import annotations

from typing import Any, NamedTuple

from loops import loop
from sonic_clean import changed
from sonic_text import findings

PROFILE, POOL = "egress_lossless_profile", "egress_lossless_pool"
SIZE = 113_620_296  # of the pool


class Special(NamedTuple):
    """A field, one value of it, what that means, and where this is from."""

    table: str
    key: str
    field: str
    value: str
    meaning: str
    source: str


SAI = "opencomputeproject/SAI"
SWSS = "sonic-net/sonic-swss e6b0c5b5"
SPECIAL = (
    Special("BUFFER_PROFILE", PROFILE, "static_th", "0", "no limit to shared use", f"{SAI} inc/saibuffer.h 91e6b860"),
    Special("SCHEDULER", "scheduler.1", "cir", "0", "no guarantee", f"{SAI} inc/saischeduler.h, MIN_BANDWIDTH_RATE"),
    Special("BUFFER_PROFILE", "ingress_lossy_profile", "static_th", "0", "no limit", f"{SAI} inc/saibuffer.h 91e6b860"),
    Special("BUFFER_POOL", POOL, "xoff", "0", "no shared headroom", "sonic-yang-models, sonic-buffer-pool.yang"),
    Special(
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "AZURE", "over_subscribe_ratio", "0", "off", f"{SWSS} buffermgrdyn.cpp"
    ),
)


@loop("special", SPECIAL)
def test_a_value_with_a_meaning_of_its_own_is_no_amount(special: Special) -> None:
    """In a sound configuration such a value is as sound, and no message has it for a quantity."""
    rows: dict[str, Any] = {special.field: special.value}
    if special.table == "DEFAULT_LOSSLESS_BUFFER_PARAMETER":
        rows["default_dynamic_th"] = "0"
    told = [f for f in findings(changed(**{special.table: {special.key: rows}})) if f.severity != "info"]
    assert not told, [f.message for f in told]


def egress(size: int, threshold: str, value: int) -> list[tuple[str, str]]:
    """What is said of a lossless queue with this reserved size and threshold."""
    profile = {"static_th": None, "size": str(size), threshold: str(value)}
    found = findings(changed(BUFFER_PROFILE={PROFILE: profile}))
    return [(f.severity, f.message) for f in found if f.rule.name == "buffer-egress-drop"]


def test_what_a_queue_has_reserved_counts_beside_its_threshold() -> None:
    assert not egress(340_000, "static_th", 0)
    assert not egress(SIZE, "static_th", 1)
    assert not egress(SIZE - 4_000_000, "static_th", 4_000_000)
    ((severity, message),) = egress(340_000, "static_th", 4_000_000)
    assert severity == "error"
    assert "may hold 4340KB (340KB of its own and 4MB shared)" in message
    ((severity, message),) = egress(0, "static_th", 4_000_000)
    assert (severity, "may hold 4MB of the" in message) == ("error", True)
    ((severity, _),) = egress(0, "static_th", SIZE * 498 // 1000)  # half of a memory a little smaller than the pool
    assert severity == "info"


def test_what_a_queue_has_reserved_counts_beside_its_share() -> None:
    ((severity, message),) = egress(0, "dynamic_th", -2)  # alpha 1/4: a fifth
    assert (severity, "may hold 20% of it" in message) == ("error", True)
    ((severity, message),) = egress(SIZE // 2, "dynamic_th", -2)  # and a fifth of the other half
    assert (severity, "may hold 60% of it" in message) == ("info", True)


def paused(**fields: str) -> list[str]:
    """What is said of groups that pause at a fixed size; kmax is 1600 kB."""
    profile = {"dynamic_th": None, **fields}
    pools = {"ingress_lossless_pool": {"mode": "static"}}
    found = findings(changed(BUFFER_PROFILE={"pg_lossless_400000_40m_profile": profile}, BUFFER_POOL=pools))
    return [f.message for f in found if f.rule.name == "ecn-static-xoff"]


def test_where_a_group_pauses() -> None:
    assert not paused(static_th="0")  # at no fixed point
    assert not paused(static_th="1600000")  # and 1270 B of its own
    assert not paused(static_th="100000", size="1600000", xoff="80000")  # 1.52 MB before its headroom, and 100 kB
    (message,) = paused(static_th="1000000", size="500000", xoff="424434")  # 75,566 B before its headroom
    assert "pauses at a fixed 1075566B" in message


def test_a_negative_number_is_refused_and_compared_with_nothing() -> None:
    """It is told at its line as out of range; no other message counts with it."""
    wred = {f"green_{end}_threshold": "-1" for end in ("min", "max")}
    for table, key, fields in (
        ("BUFFER_PROFILE", PROFILE, {"static_th": "-1"}),
        ("BUFFER_POOL", POOL, {"size": "-1"}),
        ("WRED_PROFILE", "AZURE_LOSSLESS", wred),
        ("PFC_WD", "Ethernet0", {"restoration_time": "-1"}),
    ):
        found = findings(changed(**{table: {key: fields}}))
        assert any(f.rule.name in ("device-value", "watchdog-times") for f in found), (table, fields)
        counted = [f.message for f in found if "-1B" in f.message or "-1ms" in f.message]
        assert not counted, counted
