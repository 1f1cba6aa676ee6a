"""SONiC's own tests of its YANG models, as CONFIG_DB: cases that these refuse, and cases that they take."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

_SIGNS = ("eStr", "eStrKey")  # a case that has one is refused
_KEYS = ("hostname", "asic_name", "port", "ifname", "name", "pg_num", "qindex")  # in the order of the models' keys


class Case(NamedTuple):
    """A case with its name in SONiC's tests."""

    name: str
    refused: bool
    config: dict[str, Any]


def cases(shared: Path) -> list[Case]:
    """All cases, in the order of their files."""
    folder = shared / "data" / "sonic-model-tests"
    found = []
    for verdicts in sorted((folder / "tests").glob("*.json")):
        configs = json.loads((folder / "tests_config" / verdicts.name).read_text(encoding="utf-8"))
        for name, stated in json.loads(verdicts.read_text(encoding="utf-8")).items():
            refused = any(sign in stated for sign in _SIGNS)
            found.append(Case(f"{verdicts.stem}: {name}", refused, config_db(configs[name])))
    return found


def config_db(modules: dict[str, Any]) -> dict[str, Any]:
    """YANG's JSON of a case as CONFIG_DB has it."""
    out: dict[str, Any] = {}
    for table, below in (item for module in modules.values() for item in module.items()):
        rows = out.setdefault(_bare(table), {})
        for name, value in below.items():
            for key, row in [_listed(each) for each in value] if isinstance(value, list) else [(_bare(name), value)]:
                rows[key] = {field: _text(given) for field, given in row.items()}
    return out


def _listed(row: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A row of a list: its key, and its fields; a list in it has the fields of a map, a name and a value each."""
    fields: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            fields.update(tuple(each.values()) for each in value)
        elif name not in _KEYS:
            fields[name] = value
    return "|".join(str(row[key]) for key in _KEYS if key in row), fields


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _bare(name: str) -> str:
    return name.rpartition(":")[2]
