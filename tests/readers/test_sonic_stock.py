"""SONiC's own outputs and test inputs: rows of them, and what is said of each, argued one by one.

All `sample_output` of sonic-config-engine (sonic-buildimage 086b03bd), the configurations among the tests of
sonic-utilities (691b1bbc), and buffers, QoS and port tables of the HwSKUs of sonic-buildimage were linted; these stand
for their kinds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import sonic_sound
from loops import loop
from sonic_clean import PORTS, changed, clean, each, lay
from sonic_text import findings

POOL, PROFILE = "egress_lossless_pool", "egress_lossless_profile"
BUFFERS = ("DEVICE_METADATA", "PORT", "CABLE_LENGTH", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE")
TOGETHER = ",".join(PORTS)
LOSSY = {"pool": "egress_lossy_pool", "size": "1518", "dynamic_th": "0"}


class Stock(NamedTuple):
    """Rows of a file, the rules that speak at warning or error, and why they are right, or silent."""

    source: str
    config: dict[str, Any]
    rules: set[str]
    why: str


def kept(config: dict[str, Any], *tables: str) -> dict[str, Any]:
    return {table: rows for table, rows in config.items() if table in tables}


def one_key(config: dict[str, Any], table: str) -> dict[str, Any]:
    """With the rows of a table that all ports have alike as one row of all ports."""
    rows = {
        key.replace(PORTS[0], TOGETHER): row for key, row in config[table].items() if key.startswith(f"{PORTS[0]}|")
    }
    return {**config, table: rows}


def voq(config: dict[str, Any]) -> dict[str, Any]:
    for n in (1, 2):
        config["QUEUE"] |= {f"lc{n}|Asic{n}|{p}|3": {"wred_profile": "AZURE_LOSSLESS"} for p in PORTS}
        config["BUFFER_QUEUE"] |= {f"lc{n}|Asic{n}|{p}|3": {"profile": PROFILE} for p in PORTS}
    return config


STOCK = (
    Stock(
        "device/marvell/arm64-marvell_db98cx8580_32cd-r0/FALCON32X25G, buffers_defaults_t1.j2",
        changed(BUFFER_PROFILE={PROFILE: {"size": "340000", "static_th": "0"}}),
        set(),
        "0 sets no limit",
    ),
    Stock(
        "device/inventec/x86_64-inventec_d6332-r0/INVENTEC-D6332, buffers_defaults_t1.j2",
        changed(BUFFER_POOL={POOL: {"size": "32786432"}}, BUFFER_PROFILE={PROFILE: {"static_th": "3995680"}}),
        {"buffer-egress-drop"},
        "an eighth of the pool is a limit",
    ),
    Stock(
        "device/arista/x86_64-arista_7060x6_64pe/Arista-7060X6-64PE-C224O8, buffers_defaults_t1.j2",
        changed(
            BUFFER_POOL={"egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "9000000"}},
            BUFFER_PROFILE={"egress_lossy_profile": LOSSY},
            BUFFER_QUEUE={f"{p}|3": {"profile": "egress_lossy_profile"} for p in PORTS},
        ),
        {"buffer-lossy-queue"},
        "all queues are lossy, and qos_config.j2 turns PFC on for 3 and 4",
    ),
    Stock(
        "sample_output/py3/qos-arista7800r3a-36dm2-c36-lc.json and 27 others",
        kept(voq(sonic_sound.line_card()), "QUEUE", "BUFFER_QUEUE", "PORT_QOS_MAP", "SCHEDULER", "WRED_PROFILE"),
        set(),
        "rows of ports of three cards",
    ),
    Stock(
        "sample_output/py3/qos-mellanox4700-o28-t1-smartswitch_dyn.json",
        kept(
            lay(clean(), {"PORT_QOS_MAP": {PORTS[1]: {"tc_to_pg_map": "AZURE_DPC", "pfc_enable": None}}}),
            *("PORT_QOS_MAP", "QUEUE", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE"),
        ),
        set(),
        "where AZURE_DPC leads, the part does not say",
    ),
    Stock(
        "sample_output/py3/l2switch.json",
        lay(kept(clean(), "DEVICE_METADATA", "PORT"), {"PORT": each({"speed": None})}),
        {"device-value"},
        "sonic-port.yang has speed as mandatory",
    ),
    Stock(
        "sample_output/msn27.32ports.json",
        one_key(one_key(clean(), "BUFFER_PG"), "BUFFER_QUEUE"),
        {"device-unknown"},
        "orchagent takes a key of several ports, and sonic-buffer-pg.yang refuses it",
    ),
    Stock(
        "sonic-utilities tests/db_migrator_input/config_db/acs-msn3700-t1-version_2_0_0.json and 188 others",
        kept(clean(), *BUFFERS),
        set(),
        "without PORT_QOS_MAP nothing is known of PFC",
    ),
    Stock(
        "sonic-utilities tests/mock_tables/asic0/config_db.json",
        changed(
            WRED_PROFILE={"AZURE_LOSSLESS": {f"wred_{color}_enable": "false" for color in ("green", "yellow", "red")}}
        ),
        {"ecn-color", "ecn-missing"},
        "Broadcom marks what WRED picks, and it is off for all colours",
    ),
    Stock(
        "sonic-utilities tests/counterpoll_input/config_db.json",
        changed(PFC_WD=None),
        {"watchdog-missing"},
        "a whole configuration with PFC and without PFC_WD runs no watchdog",
    ),
)


@loop("stock", STOCK)
def test_what_is_said_of_stock_rows(stock: Stock) -> None:
    assert {f.rule.name for f in findings(stock.config) if f.severity != "info"} == stock.rules, stock.why
