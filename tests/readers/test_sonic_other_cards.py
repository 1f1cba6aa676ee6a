"""SONiC on a chassis: rows of QUEUE and BUFFER_QUEUE for ports of other cards, HOST|ASIC|PORT|N, are their own."""

from __future__ import annotations

import copy
from typing import Any

import sonic_sound
from sonic_clean import PORTS, lay
from sonic_text import findings

HERE, THERE = "leaf01|asic0", "leaf02|Asic0"


def chassis(*, named: bool = True) -> dict[str, Any]:
    """A card with rows for the ports of another; not `named`: as sonic-cfggen -t prints the tables alone."""
    config = sonic_sound.line_card()
    wred = {"wred_profile": "AZURE_LOSSLESS"}  # the stock template binds a scheduler to its own active ports alone
    lay(config, {"QUEUE": {f"{THERE}|{port}|3": dict(wred) for port in PORTS}})
    lay(config, {"BUFFER_QUEUE": {f"{THERE}|{port}|3": {"profile": "egress_lossless_profile"} for port in PORTS}})
    if not named:
        del config["DEVICE_METADATA"]
    return config


def told(config: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(f.rule.name, f.severity, f.message) for f in findings(config) if f.severity != "info"]


def test_rows_for_other_cards_are_not_rows_of_a_port_of_the_same_name() -> None:
    assert told(chassis()) == []
    assert told(chassis(named=False)) == []


def test_each_field_and_row_of_another_card_matters() -> None:
    """Its scheduler aside, which is that card's."""
    expected = {"QUEUE": {"ecn-missing"}, "BUFFER_QUEUE": {"buffer-lossy-queue", "device-value"}}
    for named in (True, False):
        sound = chassis(named=named)
        for table, rules in expected.items():
            for key in [key for key in sound[table] if key.startswith(THERE)]:
                without_row, without_field = copy.deepcopy(sound), copy.deepcopy(sound)
                del without_row[table][key]
                without_field[table][key] = {"scheduler": "scheduler.1"} if table == "QUEUE" else {}
                for config in (without_row, without_field):
                    found = {rule for rule, _, _ in told(config)}
                    assert found, (table, key)
                    assert found <= rules, (table, key, found)


def test_what_is_said_of_another_card() -> None:
    config = lay(chassis(), {"QUEUE": {f"{THERE}|Ethernet8|3": {"wred_profile": None, "scheduler": "scheduler.1"}}})
    ((rule, severity, message),) = told(config)
    assert (rule, severity) == ("ecn-missing", "error")
    assert f"QUEUE|{THERE}|Ethernet8|3" in message
    lossy = {"pool": "egress_lossless_pool", "size": "1518", "dynamic_th": "0"}
    config = lay(chassis(), {"BUFFER_PROFILE": {"egress_lossy_profile": lossy}})
    lay(config, {"BUFFER_QUEUE": {f"{THERE}|Ethernet8|3": {"profile": "egress_lossy_profile"}}})
    assert ("buffer-lossy-queue", "error") in [(rule, severity) for rule, severity, _ in told(config)]


def test_the_card_s_own_rows_are_judged_as_before() -> None:
    for named in (True, False):
        own = {"QUEUE": {f"{HERE}|{port}|3": {"wred_profile": None} for port in PORTS}}
        assert [rule for rule, _, _ in told(lay(chassis(named=named), own))] == ["ecn-missing"]
    overlap = lay(chassis(), {"QUEUE": {f"{HERE}|Ethernet0|3-4": {"wred_profile": "AZURE_LOSSLESS"}}})
    assert [rule for rule, _, _ in told(overlap)] == ["sonic-overlap"]
    overlap = lay(chassis(), {"QUEUE": {f"{THERE}|Ethernet0|3-4": {"wred_profile": "AZURE_LOSSLESS"}}})
    assert [rule for rule, _, _ in told(overlap)] == ["sonic-overlap"]
