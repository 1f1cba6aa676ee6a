"""SONiC: tables that nobody judges and that bear on RoCE: lint names them, drift compares them as they stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from intents import rocecfg
from loops import loop
from sonic_clean import clean
from sonic_text import findings

from rocecfg.vendors.sonic.domain import BY_OTHER_WAYS, OTHERS

# SONiC pull 2098 (link-level retry), sonic-buildimage issue 22264 (ARS); and tables about queues that have no model
TABLES = (*(f"{beginning}PORT" for beginning in BY_OTHER_WAYS), *sorted(OTHERS), "PFC_OF_TOMORROW", "NEW_BUFFER_CAP")


def dump(config: dict[str, Any]) -> dict[str, Any]:
    """As redis has it: the table and the key in one."""
    return {f"{table}|{key}": row for table, rows in config.items() for key, row in rows.items()}


@loop("table", TABLES)
def test_a_table_without_a_model_is_named_and_compared(table: str, tmp_path: Path) -> None:
    row = {"mode": "static", "limit": "3"}
    with_it = {**clean(), table: {"Ethernet0": row}}
    told = [f for f in findings(with_it) if table in f.message]
    assert all(f.severity == "info" for f in told)
    assert bool(told) is (table not in OTHERS), (
        told
    )  # the latter have been in SONiC for long, and stock files have them
    for form in (dict, dump):
        kept, running = tmp_path / f"{form.__name__}.json", tmp_path / "running.json"
        for before, after, same in (
            (clean(), with_it, False),
            (with_it, clean(), False),
            (with_it, {**clean(), table: {"Ethernet0": {**row, "limit": "4"}}}, False),
            (with_it, with_it, True),
        ):
            kept.write_text(json.dumps(form(before)))
            running.write_text(json.dumps(form(after)))
            done = rocecfg(tmp_path, "drift", kept, "--running", running)
            assert (table in done.stdout, done.returncode) == (not same, 0 if same else 1), done.stdout


def test_a_table_that_is_none_of_roce_s_is_neither_named_nor_compared(tmp_path: Path) -> None:
    with_it = {**clean(), "NTP_SERVER": {"192.0.2.1": {"iburst": "on"}}}
    assert findings(with_it) == []
    (tmp_path / "kept.json").write_text(json.dumps(clean()))
    (tmp_path / "running.json").write_text(json.dumps(with_it))
    assert rocecfg(tmp_path, "drift", "kept.json", "--running", "running.json").returncode == 0
