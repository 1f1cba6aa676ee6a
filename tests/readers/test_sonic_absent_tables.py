"""SONiC: a table that is not in the text is not one without rows: nothing is known of what it says."""

from __future__ import annotations

from typing import Any

import sonic_sound
from loops import loop
from sonic_clean import clean, each
from sonic_text import findings

# In a whole configuration, as a switch saves it, a table without rows is left out, and so the absence of these says
# something: the rules that tell of it.
SAYS: dict[str, set[str]] = {
    "PFC_WD": {"watchdog-missing"},
    "QUEUE": {"ecn-missing"},
    "WRED_PROFILE": {"ecn-missing", "device-ref"},
    "DSCP_TO_TC_MAP": {"pfc-rdma-only", "device-ref"},
    **{table: {"device-ref"} for table in ("TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE")},
    **{table: {"device-ref"} for table in ("SCHEDULER", "BUFFER_PROFILE")},
    "BUFFER_POOL": {"device-ref", "buffer-cable-bucket"},
    "CABLE_LENGTH": {"buffer-cable-missing"},
    "BUFFER_PG": {"buffer-cable-bucket"},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"buffer-cable-bucket"},
    "LOSSLESS_TRAFFIC_PATTERN": {"buffer-cable-bucket"},
}
KINDS = (sonic_sound.leaf, sonic_sound.dynamic, sonic_sound.shared, sonic_sound.line_card, sonic_sound.two_classes)


def told(config: dict[str, Any]) -> set[tuple[str, str]]:
    """What is said at warning or above."""
    return {(f.rule.name, f.message) for f in findings(config) if f.severity != "info"}


@loop("make", KINDS)
def test_a_part_of_a_sound_configuration_is_sound(make: Any) -> None:
    """Whatever table is left out of a part, which does not say which box it is for or has no ports."""
    for missing in ("DEVICE_METADATA", "PORT"):
        part = make()
        del part[missing]
        before = told(part)
        for table in part:
            new = told({name: rows for name, rows in part.items() if name != table}) - before
            assert not new, (missing, table, new)


@loop("make", KINDS)
def test_what_a_whole_configuration_says_without_a_table(make: Any) -> None:
    whole = make()
    before = told(whole)
    for table in whole:
        new = {rule for rule, _ in told({name: rows for name, rows in whole.items() if name != table}) - before}
        assert new <= SAYS.get(table, set()), (table, new)


def test_buffers_and_ports_alone_say_nothing_of_pfc() -> None:
    """As test files of sonic-utilities 691b1bbc are."""
    kept = ("DEVICE_METADATA", "PORT", "CABLE_LENGTH", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE")
    part = {table: rows for table, rows in clean().items() if table in kept}
    assert not told(part)
    assert not told(part | {table: clean()[table] for table in ("QUEUE", "WRED_PROFILE", "SCHEDULER")})


def test_a_table_that_is_there_and_empty_says_that_pfc_is_off() -> None:
    for rows in ({}, each({"dscp_to_tc_map": "AZURE"})):
        assert "sonic-unpaused" in {rule for rule, _ in told({**clean(), "PORT_QOS_MAP": rows})}, rows
