"""SONiC: every value of a complete switch is deleted, and changed, one by one: drift tells it, or it means the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import pytest
from drift_cases import apply, change, stated
from sampling import part, share
from sonic_switches import INTENTS, Case, Config

from rocecfg.drift.run import Drift

MAPS = (
    "DSCP_TO_TC_MAP",
    "TC_TO_QUEUE_MAP",
    "TC_TO_PRIORITY_GROUP_MAP",
    "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
)
TABLES = (
    *("PORT_QOS_MAP", *MAPS, "QUEUE", "SCHEDULER", "WRED_PROFILE", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG"),
    *("BUFFER_QUEUE", "CABLE_LENGTH", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "PFC_WD"),
)
PARTS = (  # of tables that hold more than RoCE's
    ("PORT", "Ethernet0", "speed"),
    ("PORT", "Ethernet0", "mtu"),
    ("DEVICE_METADATA", "localhost", "buffer_model"),
    ("FLEX_COUNTER_TABLE", "PFCWD", "FLEX_COUNTER_STATUS"),
)
OTHERS = {  # other values that fields take
    "pfc_enable": ("4",),
    "pfcwd_sw_enable": ("4",),
    "action": ("alert",),
    "ecn": ("ecn_none", "ecn_green"),
    "mode": ("static",),
    "buffer_model": ("dynamic", "traditional"),
    "FLEX_COUNTER_STATUS": ("disable",),
    "mtu": ("1500",),
    "speed": ("100000",),
    "dynamic_th": ("-3",),
    "default_dynamic_th": ("-3",),
}
PORT = "Ethernet0"  # the other port is told the same
SAMPLED = {"CABLE_LENGTH": (PORT,), "DSCP_TO_TC_MAP": ("0", "8", "26", "48", "56", "63")}


class Changed(NamedTuple):
    """One value, deleted (`to` None) or changed; `field` None: a row that is deleted."""

    table: str
    key: str
    field: str | None
    to: str | None

    @property
    def kind(self) -> tuple[object, ...]:
        """What changes of one field have in common: in a map, whichever entry it is."""
        own = (self.key, self.field) if self.table not in MAPS else ()
        return self.table, self.to is None, *own

    def made(self, config: Config) -> Config:
        rows = deepcopy(config)
        if self.field is None:
            del rows[self.table][self.key]
        elif self.to is None:
            del rows[self.table][self.key][self.field]
        else:
            rows[self.table][self.key][self.field] = self.to
        return rows


def changes(config: Config) -> Iterator[Changed]:
    for table in TABLES:
        for key, row in config.get(table, {}).items():
            of = key.partition("|")[0]
            if key == "OTHER" or (of in config["PORT"] and of != PORT):
                continue
            yield Changed(table, key, None, None)
            for field in SAMPLED.get(table, row):
                yield Changed(table, key, field, None)
                yield from (Changed(table, key, field, to) for to in others(config, table, field, row[field]))
    for table, key, field in PARTS:
        yield Changed(table, key, field, None)
        yield from (Changed(table, key, field, to) for to in others(config, table, field, config[table][key][field]))


def others(config: Config, table: str, field: str, value: str) -> list[str]:
    if table == "SCHEDULER" and field == "type":
        found = ["WRR", "DWRR", "STRICT"]
    elif table == "BUFFER_POOL" and field == "type":
        found = ["ingress", "egress"]
    elif field in OTHERS:
        found = list(OTHERS[field])
    elif field.endswith("_map"):
        found = ["OTHER", "NOWHERE"]
    elif field.startswith("wred_") and field.endswith("_enable"):
        found = ["false"]
    elif field in ("scheduler", "wred_profile"):
        found = [*list(config[field.upper() if field == "scheduler" else "WRED_PROFILE"])[:2], "NOWHERE"]
    elif field == "profile":
        own = "static_lossless" if table == "BUFFER_PG" else "egress_lossless_profile"
        found = ["egress_lossy_profile", own, "NOWHERE"]
    elif field == "pool":
        found = ["ingress_lossless_pool", "egress_lossy_pool"]
    elif table in MAPS:
        found = ["1", "3"]
    elif table == "CABLE_LENGTH":
        found = ["300m"]
    else:
        found = [str(int(value) * 3 // 2 + 1)]
    return [to for to in found if to != value]


Found = Callable[[str, Changed], bool]
LEADS_NOWHERE = ("1", "2", "4", "5")  # traffic classes that no DSCP is sorted into
EGRESS = ("egress_lossless_pool", "egress_lossy_pool", "egress_lossless_profile", "egress_lossy_profile")
# What stays silent, and why it means the same.
SAME: list[tuple[str, Found]] = [
    (
        "SAI: what a map leaves out goes to 0, where these are intended to go",
        lambda _, c: (
            c.to is None
            and (c.table, c.field in ("26", "48", "56")) == ("DSCP_TO_TC_MAP", False)
            and c.field is not None
        ),
    ),
    (
        "as above",
        lambda _, c: (
            c.to is None
            and (c.table, c.field) in {("TC_TO_QUEUE_MAP", "0"), *(("TC_TO_PRIORITY_GROUP_MAP", tc) for tc in "06")}
        ),
    ),
    (
        "no DSCP leads to this traffic class",
        lambda _, c: c.table in ("TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP") and c.field in LEADS_NOWHERE,
    ),
    (
        "PFC is off for this priority: its pauses are neither obeyed nor sent",
        lambda _, c: c.table in MAPS[3:] and c.field not in ("3", None),
    ),
    (
        "NVIDIA's chips mark by `ecn` alone (sending.py), so the curve is in force without WRED",
        lambda name, c: (
            name in ("computed", "sized") and (c.field or "").startswith("wred_") and c.table == "WRED_PROFILE"
        ),
    ),
    ("orchagent's own action is drop", lambda _, c: (c.table, c.field, c.to) == ("PFC_WD", "action", None)),
    ("orchagent polls at 100 ms", lambda _, c: (c.table, c.key, c.to) == ("PFC_WD", "GLOBAL", None)),
    ("portmgrd sets 9100 where PORT has no mtu", lambda _, c: (c.table, c.field, c.to) == ("PORT", "mtu", None)),
    (
        "a boot and config reload take it from init_cfg.json: the platform's own model is the one meant",
        lambda _, c: (c.table, c.to) == ("DEVICE_METADATA", None),
    ),
    ("init_cfg.json enables the counters", lambda _, c: (c.table, c.to) == ("FLEX_COUNTER_TABLE", None)),
    (
        "stock pools and profiles of egress: the intent states nothing of them, lint judges them (BUF615)",
        lambda name, c: (
            c.table in ("BUFFER_POOL", "BUFFER_PROFILE")
            and c.key in EGRESS
            and (c.field is not None or c.key != "egress_lossless_profile")
            and not (name == "sized" and c.key == "egress_lossy_pool")
        ),
    ),
    (
        "lossy queues: the intent states nothing of their buffer profile",
        lambda _, c: c.table == "BUFFER_QUEUE" and not c.key.endswith("|3"),
    ),
    (
        "the intent states no pool: it is the stock one",
        lambda name, c: (
            name in ("computed", "looked up") and (c.table, c.key) == ("BUFFER_POOL", "ingress_lossless_pool")
        ),
    ),
    ("a profile that nothing refers to", lambda _, c: c.key == "static_lossless"),
    (
        "every lossless group has a profile with its own alpha",
        lambda name, c: name == "sized" and (c.table, c.to) == ("DEFAULT_LOSSLESS_BUFFER_PARAMETER", None),
    ),
]
# What is told and no change of settings of QoS fixes.
BEYOND = {
    ("PORT", "speed"): "not a QoS setting",
    ("DEVICE_METADATA", "buffer_model"): "restart swss",
    ("BUFFER_PROFILE", None): "it comes with the platform's buffer templates",
}


ABOUT = ("rocecfg/vendors/sonic", "rocecfg/drift", "rocecfg/model")


class Swept(NamedTuple):
    """What drift finds of every change of a switch."""

    name: str
    case: Case
    silent: list[Changed]
    reported: list[Changed]
    first: list[tuple[Changed, Drift]]  # of each kind of change that is told, the first one
    passed_over: list[Changed]  # of the silent ones, those that are listed nowhere


def list_unstated(found: Drift) -> set[object]:
    """What `--unstated` lists: settings, their values and numbers."""
    return {(one.what, one.value, *one.numbers) for one in found.others.unstated.values()}


@pytest.fixture(scope="module", params=INTENTS)
def swept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Swept:
    """Every change, read and compared once for all that is asked of it."""
    out = Swept(request.param, Case(request.param, tmp_path_factory.mktemp("swept")), [], [], [], [])
    seen = set()
    usual = list_unstated(out.case.against(out.case.config()))
    every = list(changes(out.case.config()))
    assert len(every) > 150
    for each in part(every, *ABOUT):
        found = out.case.against(each.made(out.case.config()))
        (out.reported if found.differing or found.refused else out.silent).append(each)
        listed = found.differing or found.refused or found.uncovered or found.others.same or found.others.statements
        if not listed and list_unstated(found) == usual:
            out.passed_over.append(each)
        if found.differing and each.kind not in seen:
            seen.add(each.kind)
            out.first.append((each, found))
    return out


def test_every_value_that_is_changed_is_told(swept: Swept) -> None:
    assert stated(swept.case.against(swept.case.config())) == []
    unexplained = [each for each in swept.silent if not any(same(swept.name, each) for _, same in SAME)]
    assert unexplained == []
    # an exception that hides something told is none
    wrong = [(why, each) for each in swept.reported for why, same in SAME if same(swept.name, each)]
    assert wrong == []


def test_what_means_the_same_is_listed(swept: Swept) -> None:
    """With the reason, or by --unstated where the intent says nothing of it."""
    of_nobody = ("PORT", "mtu")  # not rendered, and by itself what it was
    assert [each for each in swept.passed_over if (each.table, each.field) != of_nobody or each.to is not None] == []


def test_exceptions_are_few_and_each_is_needed(tmp_path: Path) -> None:
    assert len(SAME) <= 30
    needed = {
        number
        for name in INTENTS
        for each in changes(Case(name, tmp_path).config())
        for number, (_, same) in enumerate(SAME)
        if same(name, each)
    }
    assert needed == set(range(len(SAME)))


def test_the_change_of_every_value_leads_back(swept: Swept, tmp_path: Path) -> None:
    """One field of a kind in each table; DSCPs and colours beside the first are fixed as that is."""
    for each, found in swept.first:
        fixed = change(found)
        beyond = BEYOND.get((each.table, each.field))
        if beyond is not None and fixed.left:
            assert any(beyond in line for line in fixed.change.beyond), each
            continue
        assert fixed.left == {}, each
        text = json.dumps(each.made(swept.case.config()), indent=1)
        after = apply(text, fixed.change.steps, tmp_path)
        assert stated(swept.case.against(after)) == [], each
    assert len(swept.first) > share(60, *ABOUT)
