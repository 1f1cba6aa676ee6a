"""The facts of profiles/: they load, cite their sources, agree with each other and with SONiC's own tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from loops import loop

from rocecfg.core.data import data_path
from rocecfg.core.nodeset import name_set, node_set
from rocecfg.intent import load
from rocecfg.model import Lack, Limit
from rocecfg.profiles import KINDS, SHIPPED, UnknownProfile, applies, plain_release, release_key
from rocecfg.rules.nos import asic_nos
from rocecfg.source.document import Sources
from rocecfg.vendors.sonic.release import parse_release

LOADERS: dict[str, Callable[[str], Any]] = {kind: partial(SHIPPED.load, kind) for kind in KINDS}
BOXES = [(name, nos) for name in SHIPPED.names("platforms") for nos in SHIPPED.platform(name).boxes]
G = 10**9


def raw(kind: str, name: str) -> Any:
    return yaml.load(Path(data_path("profiles", kind, f"{name}.yaml")).read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506


def mappings(tree: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(tree, dict):
        yield path, tree
        for key, value in tree.items():
            yield from mappings(value, f"{path}/{key}")
    elif isinstance(tree, list):
        for n, value in enumerate(tree):
            yield from mappings(value, f"{path}[{n}]")


# -- the files ---------------------------------------------------------------------------------------------------------


@loop(("kind", "name"), [(k, n) for k in LOADERS for n in SHIPPED.names(k)])
def test_every_profile_loads_and_has_a_title(kind: str, name: str) -> None:
    assert LOADERS[kind](name) is LOADERS[kind](name)
    assert len(SHIPPED.title(kind, name)) > 2


@loop(("kind", "name"), [(k, n) for k in KINDS for n in SHIPPED.names(k)])
def test_every_figure_says_where_it_is_from_and_how_sure(kind: str, name: str) -> None:
    marked = 0
    for path, stated in mappings(raw(kind, name)):
        if path.endswith("/headroom") or re.search(r"/headroom\[\d+\]$", path):
            continue  # which table a HwSKU has: the table cites its source
        if {
            "value",
            "low",
            "high",
            "severity",
            "ports",
            "default_release",
            "why",
            "rows",
            "hwskus",
            "judged",
        } & stated.keys():
            assert stated.get("mark") in {"V", "M", "D", "U"}, path
            assert len(stated.get("source", "")) > 8, path
            marked += 1
    assert marked


# -- names -------------------------------------------------------------------------------------------------------------


@loop(
    "name",
    [
        "../nos/sonic",
        "..",
        "",
        "/etc/passwd",
        "tomahawk5/",
        "tomahawk5\n",
        "tomahawk5\0",
        "Tomahawk5",
        "-x",
        "x" * 5000,
    ],
)
@loop("kind", LOADERS)
def test_names_that_are_no_profile_are_refused(kind: str, name: str) -> None:
    with pytest.raises(UnknownProfile) as caught:
        LOADERS[kind](name)
    assert caught.value.name == name
    assert len(str(caught.value)) < 150
    assert "\n" not in str(caught.value)


def test_a_name_whose_words_stand_in_another_order_means_the_boxes_that_have_them_all() -> None:
    with pytest.raises(UnknownProfile) as caught:
        SHIPPED.platform("nokia-7220-ixr-h4")
    assert caught.value.near == ("nokia-ixr7220-h4-32d", "nokia-ixr7220-h4-64d")


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownProfile, match="no platform profile is called 'nvidia-sn560'") as caught:
        SHIPPED.platform("nvidia-sn560")
    assert "nvidia-sn5600" in caught.value.near[:2]


def test_an_unknown_kind_is_no_empty_list() -> None:
    with pytest.raises(ValueError, match="workloads"):
        SHIPPED.names("workload")


# -- releases ----------------------------------------------------------------------------------------------------------


@loop("release", SHIPPED.nos("sonic").releases)
def test_sonics_writer_and_its_profile_tell_the_same_of_a_release(release: str) -> None:
    nos, of = SHIPPED.nos("sonic"), parse_release(release)
    assert of is not None
    assert of.ecn_counters == applies(nos.counts_marks, None, "sonic", release)


@loop("nos", SHIPPED.names("nos"))
def test_releases_ascend_and_hold_the_default(nos: str) -> None:
    facts = SHIPPED.nos(nos)
    keys = [release_key(nos, r) for r in facts.releases]
    assert keys == sorted(set(keys))
    assert facts.default_release in facts.releases


@loop("nos", SHIPPED.names("nos"))
def test_limits_are_ranges_of_known_releases(nos: str) -> None:
    facts = SHIPPED.nos(nos)
    dated: list[Limit | Lack] = [*facts.limits, *facts.lacks]
    for fact in dated:
        for release in (fact.since, fact.until):
            assert release is None or any(f"{known}.".startswith(f"{release}.") for known in facts.releases), fact
    for limit in facts.limits:
        assert limit.low < limit.high, limit
    for release in facts.releases:
        now = [limit.what for limit in facts.limits if applies(limit.since, limit.until, nos, release)]
        assert len(now) == len(set(now)), f"two limits of one setting in {release}"
    for lack in facts.lacks:
        assert lack.message, lack
        assert lack.fix, lack


@loop("asic", SHIPPED.names("asics"))
def test_systems_know_the_families_of_chips(asic: str) -> None:
    for nos, family in SHIPPED.asic(asic).families.items():
        assert family in SHIPPED.nos(nos).families


def test_sonic_polls_at_most_once_a_second_since_202511() -> None:
    facts = SHIPPED.nos("sonic")
    high = {
        release: limit.high
        for release in ("202505", "202511", "master")
        for limit in facts.limits
        if limit.what == "port.watchdog.poll" and applies(limit.since, limit.until, "sonic", release)
    }
    assert high == {"202505": 3000, "202511": 1000, "master": 1000}


@loop(
    ("nos", "ascending"),
    [
        ("sonic", ["202012", "202311", "202405", "202405.1", "20240510.02", "202505", "master"]),
        ("spectrum", ["5.2", "5.9", "5.10", "5.14", "5.14.1", "5.15"]),
        ("arista", ["4.22.0F", "4.28.10.1M", "4.30.3M", "4.33", "4.33.2F", "4.33.10F", "4.36.0F"]),
    ],
)
def test_releases_sort_as_they_came_out(nos: str, ascending: list[str]) -> None:
    keys = [release_key(nos, r) for r in ascending]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@loop(
    ("nos", "version"),
    [
        ("sonic", "5.14"),
        ("sonic", "202413"),
        ("sonic", "latest"),
        ("sonic", ""),
        ("sonic", "\u0662\u0660\u0662\u0664\u0660\u0665"),
        ("spectrum", "5"),
        ("spectrum", "202405"),
        ("spectrum", "5.14.1.2"),
        ("spectrum", "v5.14"),
        ("arista", "5.14"),
        ("arista", "4"),
        ("arista", "4.33.2F2"),
        ("sonic", "SONiC.mybranch.0-dirty-20240510.120000"),
        ("sonic", "SONiC."),
        ("sonic", "Cumulus Linux 5.14"),
        ("spectrum", "EOS-4.33.2F"),
        ("arista", "4..2F"),
        ("nobody", "10.4"),
    ],
)
def test_nonsense_is_no_release(nos: str, version: str) -> None:
    with pytest.raises(ValueError, match=r"not a release|not a NOS"):
        release_key(nos, version)


@loop(
    ("nos", "version", "plain"),
    [
        ("sonic", "202405", "202405"),
        ("sonic", "SONiC.202405", "202405"),
        ("sonic", "sonic.202405", "202405"),
        ("sonic", "SONIC-202405", "202405"),
        ("sonic", "SONiC.202405.123-abc", "202405.123"),
        ("sonic", "SONiC-OS-202405.784-0a1b2c3d4", "202405.784"),
        ("sonic", "202405.04", "202405.04"),
        ("sonic", "SONiC.20240510.02", "20240510.02"),
        ("sonic", "SONiC.master.921-0a1b2c3d4", "master"),
        ("sonic", "Master", "master"),
        ("arista", "EOS-4.33.2F", "4.33.2F"),
        ("arista", "eos-4.33.2f", "4.33.2F"),
        ("arista", "vEOS-4.31.1F", "4.31.1F"),
        ("arista", "4.33.2F-38195967.4332F", "4.33.2F"),
        ("spectrum", "Cumulus Linux 5.14", "5.14"),
        ("spectrum", "cumulus-linux-5.14.0", "5.14.0"),
        ("spectrum", "CL 5.16.1", "5.16.1"),
    ],
)
def test_a_release_may_be_written_as_the_switch_shows_it(nos: str, version: str, plain: str) -> None:
    assert plain_release(nos, version) == plain
    assert release_key(nos, version) == release_key(nos, plain)


@loop(
    ("since", "until", "version", "expected"),
    [
        (None, None, "5.9", True),
        ("5.15", None, "5.14.2", False),
        ("5.15", None, "5.15", True),
        (None, "5.14", "5.14.2", True),
        (None, "5.14", "5.15", False),
        ("5.6", "5.14", "5.10", True),
    ],
)
def test_a_range_of_releases_takes_in_both_ends(
    since: str | None, until: str | None, version: str, expected: bool
) -> None:
    assert applies(since, until, "spectrum", version) is expected


# -- boxes and chips ---------------------------------------------------------------------------------------------------


@loop(("name", "nos"), BOXES)
def test_port_names_are_a_node_set_without_repeats(name: str, nos: str) -> None:
    names = node_set(SHIPPED.platform(name).boxes[nos].ports).names
    assert len(names) == len(set(names)) > 20  # the smallest: 12 x 25G and 3 x 100G in lanes


@loop("name", SHIPPED.names("platforms"))
def test_a_platform_fits_its_chip(name: str) -> None:
    platform = SHIPPED.platform(name)
    asic = SHIPPED.asic(platform.asic)
    for nos, box in platform.boxes.items():
        assert nos in asic.nos
        assert not asic.speeds or set(box.speeds) <= set(asic.speeds)
        if box.since is not None:
            assert box.since in SHIPPED.nos(nos).releases
        if nos == "sonic":
            assert box.hwsku
            assert box.buffer_model in ("dynamic", "traditional")
            assert box.pfc_to_pg == (box.buffer_model == "dynamic"), (
                "the stock template emits it for the same two families"
            )
            assert box.lossless == (box.headroom is not None)
        if nos == "arista":
            assert asic.families[nos] in ("strata", "sand")


def test_the_ports_of_a_mixed_breakout_are_known_under_each_nos() -> None:
    boxes = SHIPPED.platform("arista-7060x6-64pe").boxes
    assert name_set("Ethernet[0-248/8],Ethernet[256-376/8],Ethernet384") <= name_set(boxes["sonic"].ports)
    assert name_set("Ethernet[1-16]/1") <= name_set(boxes["arista"].ports)
    assert "Ethernet514" not in name_set(boxes["sonic"].ports)
    assert "Ethernet65/1" not in name_set(boxes["arista"].ports)


def test_a_stated_hwsku_has_its_own_headroom_and_first_release() -> None:
    assumed = SHIPPED.box("arista-7060x6-64pe", "sonic")
    assert assumed is SHIPPED.platform("arista-7060x6-64pe").boxes["sonic"]
    stated = SHIPPED.box("arista-7060x6-64pe", "sonic", "Arista-7060X6-64PE-O128S2")
    assert stated is not None
    assert stated.headroom is not None
    assert (stated.since, list(stated.headroom.rows), list(stated.headroom.rows[400 * G])) == (
        "202505",
        [400 * G],
        [5, 40, 150],
    )
    lossy = SHIPPED.box("arista-7060x6-64pe", "sonic", "Arista-7060X6-64PE")
    assert lossy is not None
    assert not lossy.lossless
    unknown = SHIPPED.box("arista-7060x6-64pe", "sonic", "Our-Own")
    assert unknown is not None
    assert (unknown.hwsku, unknown.headroom, unknown.pools, unknown.lossless) == ("Our-Own", None, (), True)
    assert SHIPPED.box("dell-z9664f", "arista") is None


def test_a_hwsku_younger_than_the_release_is_an_error_when_stated_and_a_warning_when_assumed(tmp_path: Path) -> None:
    intent = """
rocecfg: 1
fabric: {name: t}
classes: {rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 100}}
pfc: {watchdog: {detection_time: 200ms}}
defaults: {vendor: sonic, platform: arista-7060x6-64pe, version: "202405", hwsku: Arista-7060X6-64PE-B-P64}
"""
    severities = []
    for text in (intent, intent.replace(", hwsku: Arista-7060X6-64PE-B-P64", "")):
        (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
        fabric = load(str(tmp_path / "fabric.yaml"), Sources()).fabric
        assert fabric is not None
        (device,) = fabric.devices
        box = SHIPPED.box("arista-7060x6-64pe", "sonic", device.hwsku)
        assert asic_nos.check is not None
        (hit,) = asic_nos.check(fabric, replace(device, box=box))
        assert "begins with 202505" in hit.message
        severities.append(hit.severity)
    assert severities == ["error", "warning"]


def test_what_is_unknown_is_none_and_not_zero() -> None:
    silicon = SHIPPED.asic("silicon-one-g200")
    assert (silicon.cell, silicon.usable_buffer, silicon.lossless_pool, silicon.speeds) == (None, None, None, ())


def test_a_chip_says_where_a_figure_is_from() -> None:
    asic = SHIPPED.asic("spectrum4")
    assert asic.usable_buffer == 158_229_504
    assert asic.cell == 192
    assert asic.marks["cell"] == "V"
    assert "asic_table.j2" in asic.sources["cell"]


def test_a_recommended_mtu_carries_path_mtu_4096_and_fits_every_nos() -> None:
    limits = {
        nos: next(limit for limit in SHIPPED.nos(nos).limits if limit.what == "port.mtu")
        for nos in SHIPPED.names("nos")
    }
    recommended = [SHIPPED.workload(n).intent.get("fabric", {}).get("mtu") for n in SHIPPED.names("workloads")]
    assert any(recommended)
    for mtu in filter(None, recommended):
        assert int(mtu) >= 40 + 8 + 12 + 16 + 4096 + 4, "IPv6, UDP, BTH, RETH, payload, ICRC"
        assert all(limit.low <= int(mtu) <= limit.high for limit in limits.values())


def test_a_workload_recommends_no_watchdog_and_no_ecn() -> None:
    for name in SHIPPED.names("workloads"):
        assert set(SHIPPED.workload(name).intent) <= {"fabric"}


# -- against SONiC's own tables ----------------------------------------------------------------------------------------


@pytest.mark.conformance
def test_headroom_tables_are_those_of_sonic(shared: Path) -> None:
    theirs: dict[str, dict[tuple[int, int], tuple[int, ...]]] = {}
    with (shared / "data" / "sonic_headroom.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            figures = (row["size_b"], row["xon_b"], row["xoff_b"], row["dyn_th"], row["xon_offset_b"] or "-1")
            rows = theirs.setdefault(row["hwsku"], {})
            rows[int(row["speed_mbps"]) * 10**6, int(row["cable_m"])] = tuple(map(int, figures))
    compared = set()
    for name in SHIPPED.names("platforms"):
        for table in raw("platforms", name)["nos"].get("sonic", {}).get("headroom", []):
            if "releases" in table and "master" not in table["releases"]:
                continue  # tests/test_tables_by_release.py has those
            for sku in theirs.keys() & table["hwskus"].keys():
                ours = {
                    (speed, metres): (*row[:3], row.dynamic_th, -1 if row.xon_offset is None else row.xon_offset)
                    for speed, cables in SHIPPED.headroom(table["table"]).rows.items()
                    for metres, row in cables.items()
                }
                assert ours == theirs[sku], f"{name}: {sku}"
                compared.add(table["table"])
    assert len(compared) > 30


def test_every_headroom_table_is_that_of_some_box() -> None:
    used = {
        table["table"]
        for name in SHIPPED.names("platforms")
        for table in raw("platforms", name)["nos"].get("sonic", {}).get("headroom", [])
    }
    assert used == set(SHIPPED.names("headroom"))


@pytest.mark.conformance
def test_buffers_are_those_of_sonic(shared: Path) -> None:
    sizes: dict[str, set[int]] = {}
    with (shared / "data" / "sonic_buffer_pools.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["size_b"]:
                sizes.setdefault(row["pool"], set()).add(int(row["size_b"]))
    compared = 0
    for name in SHIPPED.names("asics"):
        asic = SHIPPED.asic(name)
        if asic.usable_buffer is not None:
            assert asic.usable_buffer in sizes["egress_lossless_pool"] | sizes["ingress_lossless_pool"], name
            assert asic.lossless_pool in sizes["ingress_lossless_pool"], name
            compared += 1
    assert compared > 15
