"""A field of a scheduler or curve that goes: orchagent keeps what it said, so queues are bound to another row."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from loops import loop
from sonic_factory import device, ports, stock
from sonic_orch import Switch

from rocecfg.model.catalogue import What
from rocecfg.vendors.sonic.change import make_target, plan_steps, switch_of

PORTS = ("Ethernet0", "Ethernet8")
BOX = device(ports(*PORTS), version="202505")
SHARES, RATE, CURVE = What("shares", None, "3"), What("max_rate", 3), What("ecn", 3, "colors")
CAPPED = {"type": "DWRR", "weight": "14", "meter_type": "bytes", "cir": "1", "pir": "5000000000"}
PLAIN = {"type": "DWRR", "weight": "14"}
MARKS: dict[str, str] = {
    "ecn": "ecn_all",
    **{f"wred_{color}_enable": "true" for color in ("green", "yellow", "red")},
    **{
        f"{color}_{end}": value
        for color in ("green", "yellow", "red")
        for end, value in (("min_threshold", "1000"), ("max_threshold", "2000"), ("drop_probability", "5"))
    },
}


def without(row: dict[str, str], *fields: str) -> dict[str, str]:
    return {field: text for field, text in row.items() if field not in fields}


@loop(
    ("table", "what", "before", "after", "moves"),
    [
        ("SCHEDULER", RATE, CAPPED, PLAIN, True),  # a cap that is taken off stays on the queue
        ("SCHEDULER", RATE, {**CAPPED, "pbs": "9000"}, PLAIN, True),  # a burst without its rate is refused by YANG
        ("SCHEDULER", RATE, {**CAPPED, "cir": "1000"}, without(CAPPED, "pir") | {"cir": "1000"}, True),
        ("SCHEDULER", RATE, {**CAPPED, "meter_type": "packets"}, without(CAPPED, "meter_type"), True),
        ("WRED_PROFILE", CURVE, MARKS, without(MARKS, "wred_yellow_enable"), True),
        ("WRED_PROFILE", CURVE, MARKS, without(MARKS, "ecn"), True),
        # near misses: what is in force is what the row says
        ("SCHEDULER", RATE, CAPPED, {**CAPPED, "pir": "6000000000"}, False),
        ("SCHEDULER", RATE, PLAIN, CAPPED, False),
        ("SCHEDULER", RATE, {**PLAIN, "meter_type": "packets"}, PLAIN, False),  # the unit of no rate
        ("SCHEDULER", SHARES, PLAIN, {"type": "STRICT"}, False),  # a strict queue has no weight
        ("WRED_PROFILE", CURVE, {**MARKS, "wred_red_enable": "false"}, without(MARKS, "wred_red_enable"), False),
        ("WRED_PROFILE", CURVE, MARKS, {**MARKS, "wred_red_enable": "false"}, False),
    ],
)
def test_what_is_taken_out_is_no_longer_in_force(
    table: str, what: What, before: dict[str, str], after: dict[str, str], *, moves: bool
) -> None:
    field, name = {"SCHEDULER": ("scheduler", "scheduler.1"), "WRED_PROFILE": ("wred_profile", "AZURE_LOSSLESS")}[table]
    config, rendered = stock(*PORTS), stock(*PORTS)
    config[table][name], rendered[table][name] = dict(before), dict(after)
    scope = dict.fromkeys(PORTS, frozenset({what}))
    found = make_target(config, rendered, scope, BOX).tables
    bound = {found["QUEUE"][f"{port}|3"][field] for port in PORTS}
    assert (bound != {config["QUEUE"]["Ethernet0|3"][field]}) == moves
    (now,) = (ref.strip("[]").rpartition("|")[2] for ref in bound)
    assert found[table][now] == after
    for seed in range(6):
        chance = Random(seed)  # noqa: S311 - no secret
        switch = Switch(config, 202511, lazy=lambda chance=chance: chance.random() < 0.5)
        for step in plan_steps(switch_of(BOX, config, {}), found):
            if step.operations:
                switch.patch(step.operations)
            assert [text for line in step.lines for text in switch.type(line)] == [], step.lines
        of_row = {each for each in switch.forced_otherwise() if each[0] == table}
        assert {each for each in of_row if each[2] not in ("weight", "meter_type", *_of_colors_off(after))} == set()
    again = make_target(found, rendered, scope, BOX).tables
    assert again == found  # nothing is left to do


def _of_colors_off(row: dict[str, str]) -> list[str]:
    off = [color for color in ("green", "yellow", "red") if row.get(f"wred_{color}_enable", "false") == "false"]
    return [f for color in off for f in MARKS if color in f and (f != f"wred_{color}_enable" or f not in row)]


def test_the_small_switch_keeps_what_a_field_said() -> None:
    """As orchagent does: without this the cases above would say nothing."""
    config: dict[str, Any] = stock(*PORTS)
    config["SCHEDULER"]["scheduler.1"] = dict(CAPPED)
    switch = Switch(config, 202511)
    assert switch.forced_otherwise() == []
    switch.type("sonic-db-cli CONFIG_DB HDEL 'SCHEDULER|scheduler.1' pir cir meter_type")
    assert ("SCHEDULER", "scheduler.1", "pir") in switch.forced_otherwise()
    assert "pir" not in json.dumps(switch.config)
