"""What SONiC's own YANG models refuse of a file on RoCE is found in it."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
import sonic_text
from conformance import SonicYang
from sonic_checks import RELEASES, faults, validate
from sonic_clean import changed, clean
from test_sonic_pitfalls import MISTAKES

pytestmark = pytest.mark.conformance

RELEASE = "202405"
ODD = [
    "",
    "-1",
    "8",
    "9",
    "16",
    "64",
    "100",
    "101",
    "1001",
    "4000",
    "-9",
    "70000",
    "9" * 11,
    "x",
    "true",
    "STRICT",
    "3,4",
]
ODD += ["0m", "[X|Y]", "NULL", "AZURE", "on", "1.5", " 3", "3 ", "007", "+3", "0x3", "Ethernet0"]


def with_lanes(config: dict[str, Any]) -> dict[str, Any]:
    """Each port on a lane of its own, as the models want them."""
    out = copy.deepcopy(config)
    for n, row in enumerate(out.get("PORT", {}).values()):
        row["lanes"] = str(n + 1)
    return out


def refused(sonic_yang: SonicYang, folder: Path, release: str, configs: dict[str, Any]) -> set[str]:
    """The names of those that the models of a release refuse."""
    for name, config in configs.items():
        (folder / f"{name}.json").write_text(json.dumps(with_lanes(config)), encoding="utf-8")
    verdicts = validate(sonic_yang, release, *(folder / f"{name}.json" for name in configs))
    assert len(verdicts) == len(configs)
    return {Path(file).stem for file in faults(v for v in verdicts if v["errors"])}


@pytest.mark.parametrize("release", RELEASES)
def test_the_clean_configuration_is_one(sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    assert refused(sonic_yang, tmp_path, release, {"clean": clean()}) == set()


def test_what_the_models_refuse_of_known_mistakes_is_found(sonic_yang: SonicYang, tmp_path: Path) -> None:
    configs = {str(n): changed(**case.tables) for n, case in enumerate(MISTAKES)}
    bad = refused(sonic_yang, tmp_path, RELEASE, configs)
    assert len(bad) > 25
    missed = [MISTAKES[int(n)].name for n in bad if not sonic_text.names(configs[n], RELEASE)]
    assert missed == []


def mutants(count: int, seed: int) -> dict[str, Any]:
    """The clean configuration with one field of a table on RoCE replaced, taken away or added."""
    chance = random.Random(seed)  # noqa: S311 - the same mutants each time
    base = clean() | {
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"default_dynamic_th": "0", "over_subscribe_ratio": "0"}},
        "LOSSLESS_TRAFFIC_PATTERN": {"AZURE": {"mtu": "4096", "small_packet_percentage": "100"}},
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": "3"}},
        "DOT1P_TO_TC_MAP": {"AZURE": {str(n): str(n) for n in range(8)}},
    }
    out = {}
    for n in range(count):
        config = copy.deepcopy(base)
        table = chance.choice([t for t in config if t not in ("DEVICE_METADATA", "PORT")])
        row = config[table][chance.choice(list(config[table]))]
        field = chance.choice(list(row))
        how = chance.choice(["replace", "replace", "replace", "remove", "add"])
        if how == "replace":
            row[field] = chance.choice(ODD)
        elif how == "remove":
            del row[field]
        else:
            row[chance.choice(["foo", "mode"])] = "1"
        out[f"{n}-{table}-{how}"] = config
    return out


def test_what_the_models_refuse_of_any_one_field_is_found(sonic_yang: SonicYang, tmp_path: Path) -> None:
    configs = mutants(120, seed=7)
    bad = refused(sonic_yang, tmp_path, RELEASE, configs)
    assert len(bad) > 30
    assert sorted(n for n in bad if not sonic_text.names(configs[n], RELEASE)) == []
