"""The configurations among the tests of SONiC's own tools, reduced to what concerns RoCE.

Run by hand: `PYTHONPATH=tests python tests/corpora/sample_configurations.py BUILDIMAGE COMMIT UTILITIES COMMIT`, which
are clones of sonic-net/sonic-buildimage and sonic-net/sonic-utilities; it writes `samples.txt` beside it, which
`reduced.py` reads.

Taken is what lint recognizes as a configuration of SONiC and has QoS or buffers, but for what a test expects as its
result, and of one switch in several versions of its database the first and the last. Left out are tables that no rule
reads, fields of ports and of the switch that say nothing of RoCE, and an MTU of 9100 and `pfc_asym` off, which are
SONiC's defaults.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

from linted import SAMPLES, said
from reduced import Config, written
from stock_configurations import files

from rocecfg.linting.devices import find_vendor

_TABLES = re.compile(
    r"PORT|CABLE_LENGTH|PFC_WD|BUFFER_\w+|QUEUE|DEVICE_METADATA|WRED_PROFILE|SCHEDULER|\w+_MAP|MAP_\w+|VERSIONS"
    r"|SWITCH_TRIMMING|FLEX_COUNTER_TABLE|PORTCHANNEL\w*|DEFAULT_LOSSLESS_BUFFER_PARAMETER|LOSSLESS_TRAFFIC_PATTERN"
)
_OF_ROCE = re.compile(r"(PFC_WD|BUFFER_\w+|QUEUE|WRED_PROFILE|SCHEDULER|\w+_TO_\w+|PORT_QOS_MAP|CABLE_LENGTH)(\|.*)?")
_VERSION = re.compile(r"version_[\d_]+")
_FIELDS = {
    "PORT": {"speed", "fec", "lanes", "mtu", "admin_status", "autoneg", "role", "pfc_asym", "adv_speeds"},
    "DEVICE_METADATA": {"hostname", "hwsku", "platform", "type", "subtype", "switch_type", "buffer_model", "asic_name"},
}
_DEFAULTS = {"mtu": "9100", "pfc_asym": "off"}
_PATHS = re.compile(r"(src/sonic-config-engine/)?tests/(?!.*expected).*\.json")


def _kept(table: str, row: dict[str, Any]) -> dict[str, Any]:
    known = _FIELDS.get(table)
    return row if known is None else {k: v for k, v in row.items() if k in known and _DEFAULTS.get(k) != v}


def reduced(config: dict[str, Any]) -> Config:
    """What concerns RoCE in a configuration."""
    out: Config = {}
    for name, rows in config.items():
        table, bar, _ = name.partition("|")
        if _TABLES.fullmatch(table) and isinstance(rows, dict):
            out[name] = _kept(table, rows) if bar else {key: _kept(table, row) for key, row in rows.items()}
    return out


def samples(short: str, mirror: str, commit: str) -> Iterator[tuple[str, Config]]:
    """The configurations of a repository, by path."""
    for path, body, is_link in files(mirror, commit, _PATHS):
        if is_link or not path.endswith(".json"):
            continue
        text = body.decode()
        try:
            config = json.loads(text)
        except ValueError:
            continue
        if find_vendor(text) != "sonic" or '"expireat"' in text:  # the latter: what redis-dump prints
            continue
        kept = reduced(config)
        if any(_OF_ROCE.fullmatch(table) for table in kept):
            yield f"{short}/{path.rpartition('tests/')[2]}", kept


def main(buildimage: str, at: str, utilities: str, then: str) -> None:
    every = dict((*samples("buildimage", buildimage, at), *samples("utilities", utilities, then)))
    series: dict[str, list[str]] = {}
    for name in sorted(every):
        series.setdefault(_VERSION.sub("", name), []).append(name)
    configs = {name: every[name] for names in series.values() for name in dict.fromkeys((names[0], names[-1]))}
    found = {name: frozenset(rule for _, rule, _ in said(config)) for name, config in configs.items()}
    head = (
        f"# sonic-net/sonic-buildimage {at} src/sonic-config-engine/tests and sonic-net/sonic-utilities {then} tests\n"
    )
    SAMPLES.write_text(head + written(configs, found), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
