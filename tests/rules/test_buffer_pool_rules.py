"""Rules on the buffer that headroom takes, on values stated of it, and on NICs, at their bounds."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rule_factory
from intents import POLICY, findings
from rule_factory import RDMA, device, hits

from rocecfg.core.units import parse_size
from rocecfg.intent import load
from rocecfg.linting.judge import judge
from rocecfg.model import Buffers, Device, Ecn, Headroom, Pools, PortGroup, Span, Workload
from rocecfg.profiles import SHIPPED
from rocecfg.rules import BY_NAME, Hit
from rocecfg.source.document import Sources
from rocecfg.vendors import VENDORS

G = 10**9
MB = 10**6
TH5 = SHIPPED.asic("tomahawk5")
SPECTRUM3 = SHIPPED.asic("spectrum3")
HERE = Span(0, 10, 20)


def ports(count: int, room: Headroom | None, *, stated: bool = False, **more: Any) -> PortGroup:
    """A number of lossless ports that get this headroom."""
    known: dict[str, Any] = {"pfc": (3,), "speed": 800 * G, "cable": 300.0, "mtu": 9000, **more}
    names = tuple(f"Ethernet{n}" for n in range(count))
    return PortGroup(names, "p", ("rdma",), headroom=room if stated else None, room=room, **known)


def switch(*groups: PortGroup, total: int | None = 100 * MB, shared: int | None = None, **more: Any) -> Device:
    """A switch with these ports and pools; `shared`: its shared headroom pool."""
    known: dict[str, Any] = {"asic": TH5, "pools": Pools(total, total, shared), **more}
    vendor = known.pop("vendor", "sonic")
    return replace(device(known.pop("rdma", RDMA), vendor=vendor, ports=groups), **known)


def of(rule: str, on: Device, **facts: Any) -> list[Hit]:
    """What one rule finds on the switch."""
    return hits(BY_NAME[rule], on, **facts)


def severities(rule: str, on: Device, **facts: Any) -> list[str]:
    return [hit.severity or BY_NAME[rule].severity for hit in of(rule, on, **facts)]


# -- buffer-pool -------------------------------------------------------------------------------------------------------


def test_private_headroom_must_fit_into_the_buffer() -> None:
    assert of("buffer-pool", switch(ports(50, Headroom(2 * MB)), shared=0)) == []
    (hit,) = of("buffer-pool", switch(ports(50, Headroom(2 * MB + 1)), shared=0))
    assert "50 ports x 1 priority x 2000001 B = 100.0 MB" in hit.message
    assert severities("buffer-pool", switch(ports(50, Headroom(2 * MB + 1)), shared=0)) == ["error"]


def test_private_headroom_is_its_whole_size_for_each_priority() -> None:
    room = Headroom(2 * MB, 1 * MB, 1 * MB)  # NVIDIA's: xon and xoff
    assert severities("buffer-pool", switch(ports(26, room, pfc=(3, 4)), shared=0)) == ["error"]
    beside = Headroom(0, 0, 2 * MB)  # Broadcom's: a guarantee, and xoff beside it
    assert severities("buffer-pool", switch(ports(51, beside), shared=0)) == ["error"]


def test_what_would_fit_is_offered_and_passes() -> None:
    wide = ports(64, Headroom(3 * MB, origins={"": HERE, "size": HERE}), stated=True)
    (hit,) = of("buffer-pool", switch(wide, vendor="spectrum"))
    assert hit.at[0] == HERE
    found = re.search(r"headroom of (\w+)", hit.help)
    assert found is not None
    assert of("buffer-pool", switch(ports(64, Headroom(parse_size(found[1]))), vendor="spectrum")) == []


@pytest.mark.parametrize("vendor", [*sorted({*VENDORS} - {"spectrum"}), None])
def test_where_it_is_not_known_whether_headroom_is_shared_nothing_is_said(vendor: str | None) -> None:
    assert of("buffer-pool", switch(ports(64, Headroom(3 * MB)), vendor=vendor)) == []


def test_ports_whose_headroom_is_unknown_count_as_nothing() -> None:
    assert of("buffer-pool", switch(ports(64, None), shared=0)) == []
    assert severities("buffer-pool", switch(ports(64, None), ports(51, Headroom(2 * MB)), shared=0)) == ["error"]


def test_a_shared_pool_may_be_promised_four_times() -> None:
    assert of("buffer-pool", switch(ports(40, Headroom(1 * MB)), shared=10 * MB)) == []
    on = switch(ports(41, Headroom(1 * MB)), shared=10 * MB)
    assert severities("buffer-pool", on) == ["warning"]
    (hit,) = of("buffer-pool", on)
    assert "41.0 MB" in hit.message
    assert "4.1 times" in hit.message
    assert "above the limit of 4" in hit.message
    assert "10250KB" in hit.help


def test_in_a_shared_pool_only_what_comes_after_the_pause_counts() -> None:
    room = Headroom(3 * MB, 2 * MB, 1 * MB)
    assert of("buffer-pool", switch(ports(40, room), shared=10 * MB)) == []


def test_the_ratio_is_the_stated_one_or_the_workloads() -> None:
    on = switch(ports(30, Headroom(1 * MB)), shared=10 * MB)
    workload = replace(SHIPPED.workload("ai-training"), headroom_ratio=2.5)
    assert isinstance(workload, Workload)
    assert severities("buffer-pool", on, workload=workload) == ["warning"]
    stated = replace(on, buffers=Buffers(oversubscribe=3))
    assert of("buffer-pool", stated, workload=workload) == []
    assert severities("buffer-pool", replace(on, buffers=Buffers(oversubscribe=2.9))) == ["warning"]


def test_a_ratio_without_a_pool_makes_one() -> None:
    of_ratio = Buffers(model="dynamic", oversubscribe=2)
    assert of("buffer-pool", switch(ports(64, Headroom(3 * MB)), shared=0, buffers=of_ratio)) == []


def test_a_stated_pool_must_fit_into_the_buffer() -> None:
    buffers = Buffers(model="dynamic", shared_headroom=101 * MB, origins={"shared_headroom": HERE})
    (hit,) = of("buffer-pool", switch(ports(40, Headroom(1 * MB)), shared=101 * MB, buffers=buffers))
    assert hit.at[0] == HERE
    assert "10MB" in hit.help  # a quarter of 40 MB
    shipped = switch(ports(40, Headroom(1 * MB)), shared=101 * MB)  # the template's own: not the user's doing
    assert of("buffer-pool", shipped) == []


# -- whole intents -----------------------------------------------------------------------------------------------------

INTENT = """\
rocecfg: 1
fabric: {{name: stock, mtu: 9100, dual_tor: {dual}}}
defaults: {{vendor: {vendor}, platform: {platform}, version: {version}, cable: {cable}}}
classes:
  rdma: {{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 40, ecn: {ecn}}}
{second}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 20}}
pfc:
  headroom: auto
  watchdog: {{detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
devices:
  leaf01: {{ports: {{"Ethernet[0-{last}]": {{speed: {speed}}}}}}}
"""
SECOND = "  rdma2: {carries: [rdma], dscp: 18, priority: 4, lossless: true, bandwidth: 40, ecn: off}"


def stock(folder: Path, platform: str, speed: int, count: int, cable: str, *, priorities: int = 1) -> dict[str, str]:
    """Findings on buffers of a SONiC switch whose headroom is left to it, by name, with their messages."""
    gbits = speed // G
    text = INTENT.format(
        vendor="sonic",
        version="master",
        platform=platform,
        cable=cable,
        last=count - 1,
        speed=f"{gbits}G",
        dual="true" if priorities > 1 else "false",
        second=SECOND if priorities > 1 else "",
        ecn=f"{{kmin: {gbits}KB, kmax: {4 * gbits}KB, pmax: 5%}}",
    )
    path = folder / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    found, failed = judge(load(str(path), Sources()))
    assert failed == []
    return {f.rule.name: f.message for f in found if f.rule.code.startswith("BUF")}


def test_published_sums_of_a_tomahawk_5(tmp_path: Path) -> None:
    """64 x 800G: 93.4 MB at 5 m and 207.6 MB at 300 m with two priorities, from a pool of 33.4 MB."""
    assert stock(tmp_path, "dell-z9864f", 800 * G, 64, "5m", priorities=2) == {}
    far = stock(tmp_path, "dell-z9864f", 800 * G, 64, "300m", priorities=2)
    assert list(far) == ["buffer-pool"]
    assert "(207.6 MB) is 6.2 times the shared headroom pool of 33.4 MB" in far["buffer-pool"]
    assert stock(tmp_path, "dell-z9864f", 800 * G, 64, "300m") == {}


def test_stock_headroom_with_one_lossless_priority_is_clean(tmp_path: Path) -> None:
    """Every SONiC box with a headroom table, all ports at its best speed, cables of up to 40 m."""
    judged = 0
    for name in SHIPPED.names("platforms"):
        box = SHIPPED.box(name, "sonic", None) if "sonic" in SHIPPED.platform(name).boxes else None
        capacity = SHIPPED.asic(SHIPPED.platform(name).asic).capacity
        if box is None or box.headroom is None or capacity is None:
            continue
        speed = max(box.headroom.rows)
        for cable in [c for c in box.headroom.rows[speed] if c <= 40]:
            judged += 1
            assert stock(tmp_path, name, speed, capacity // speed, f"{cable}m") == {}, (name, cable)
    assert judged > 80


# -- buffer-long-link --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shared", [None, 0, 33_374_584])
def test_many_links_of_300_m_are_not_long(shared: int | None) -> None:
    assert of("buffer-long-link", switch(ports(64, None), total=162_539_680, shared=shared)) == []


def test_a_long_link_must_fit_into_half_of_the_buffer() -> None:
    # 800G over 10 km on a Tomahawk 5: 3.024 x (9038 + 84 + 10 MB + 115840 + 83000) + 9038 = 30877916 B
    two = switch(ports(2, None, cable=10_000.0, origins={"cable": HERE}), total=162_539_680, shared=0)
    assert of("buffer-long-link", two) == []
    three = replace(two, ports=(ports(3, None, cable=10_000.0, origins={"cable": HERE}),))
    (hit,) = of("buffer-long-link", three)
    assert "30877916 B" in hit.message
    assert hit.at[0] == HERE
    assert "at most 2 of them" in hit.help
    assert of("buffer-long-link", replace(three, pools=Pools(162_539_680, None, 40 * MB))) == []  # shared


def test_the_pool_must_hold_the_headroom_of_one_long_link() -> None:
    one = switch(ports(1, None, cable=10_000.0), total=162_539_680, shared=30_877_915)
    (hit,) = of("buffer-long-link", one)
    assert "30.9 MB" in hit.message
    assert of("buffer-long-link", replace(one, pools=Pools(162_539_680, None, 30_877_916))) == []


def test_long_links_belong_on_deep_buffers() -> None:
    deep = switch(ports(36, None, speed=400 * G, cable=10_000.0), total=10**8, asic=SHIPPED.asic("jericho2"), shared=0)
    assert of("buffer-long-link", deep) == []


def test_one_cause_is_one_finding() -> None:
    on = switch(ports(16, Headroom(31 * MB), cable=10_000.0), total=162_539_680, shared=0)
    assert [name for name, _ in rule_factory.found("BUF60", on)] == []
    assert len(of("buffer-long-link", on)) == 1


# -- buffer-shared-left ------------------------------------------------------------------------------------------------


def marked(kmin: int) -> Any:
    return replace(RDMA, ecn=Ecn(kmin, 4 * MB, 5, origins={"kmin": HERE}))


def test_what_headroom_leaves_must_hold_every_queue_up_to_kmin() -> None:
    room = Headroom(1 * MB)
    assert of("buffer-shared-left", switch(ports(50, room), shared=0, rdma=marked(1 * MB))) == []
    on = switch(ports(50, room), shared=0, rdma=marked(1 * MB + 1))
    assert severities("buffer-shared-left", on) == ["warning"]
    (hit,) = of("buffer-shared-left", on)
    assert "100.0 MB buffer - 50.0 MB reserved = 50.0 MB" in hit.message
    assert hit.at[0] == HERE
    assert "kmin of 1MB" in hit.help


def test_a_shared_pool_takes_its_size_beside_what_is_guaranteed() -> None:
    room = Headroom(100_000, 0, 2 * MB)
    assert of("buffer-shared-left", switch(ports(50, room), shared=45 * MB, rdma=marked(1 * MB))) == []
    assert len(of("buffer-shared-left", switch(ports(50, room), shared=45 * MB + 1, rdma=marked(1 * MB)))) == 1


def test_where_headroom_takes_nothing_it_is_not_to_blame() -> None:
    assert of("buffer-shared-left", switch(ports(50, None), rdma=marked(3 * MB))) == []
    assert of("buffer-shared-left", switch(ports(50, Headroom(1 * MB)), shared=0, rdma=marked(3 * MB))) == []


# -- buffer-mtu --------------------------------------------------------------------------------------------------------


def lossless_mtu(size: int | None, model: str = "dynamic", small: float | None = None) -> Device:
    buffers = Buffers(model=model, lossless_mtu=size, small_packets=small, origins={"lossless_mtu": HERE})
    return switch(ports(1, None), asic=SPECTRUM3, buffers=buffers)


def test_the_lossless_packet_is_at_least_the_path_mtu_or_the_default() -> None:
    # where all packets are small, the share of these in bytes does not rise as lossless ones get smaller
    assert severities("buffer-mtu", lossless_mtu(64, small=100), path_mtu=4096) == ["error"]
    assert severities("buffer-mtu", lossless_mtu(64, small=100)) == ["warning"]  # 9000 has room for 4096
    assert severities("buffer-mtu", lossless_mtu(4095), path_mtu=4096) == ["info"]
    assert of("buffer-mtu", lossless_mtu(4096), path_mtu=4096) == []
    assert of("buffer-mtu", lossless_mtu(1024), path_mtu=1024) == []
    assert of("buffer-mtu", lossless_mtu(None)) == []
    assert severities("buffer-mtu", lossless_mtu(None), path_mtu=4096) == ["info"]  # SONiC's own 1024
    assert of("buffer-mtu", lossless_mtu(1024, "traditional"), path_mtu=4096) == []  # not rendered there


def test_what_is_stated_is_judged_as_the_same_value_is_by_default() -> None:
    for path_mtu in (None, 256, 1024, 2048, 4096):
        for model in ("dynamic", "traditional"):
            both = [severities("buffer-mtu", lossless_mtu(size, model), path_mtu=path_mtu) for size in (None, 1024)]
            assert both[0] == both[1], (path_mtu, model)


# -- buffer-xon --------------------------------------------------------------------------------------------------------


def resumed(vendor: str, size: int, xon: int | None, xoff: int | None, **more: Any) -> Device:
    room = Headroom(size, xon, xoff, {"": HERE, "xon": HERE})
    return switch(ports(1, room, stated=True, alpha=1.0), vendor=vendor, **more)


def test_nvue_wants_two_frames_between_pause_and_resume() -> None:
    # the pause begins at size - xoff = 40000; two frames of 9018 B
    assert of("buffer-xon", resumed("spectrum", 300_000, 21_964, 260_000)) == []
    (hit,) = of("buffer-xon", resumed("spectrum", 300_000, 21_965, 260_000))
    assert hit.severity == "warning"
    assert "21964B" in hit.help
    assert of("buffer-xon", resumed("spectrum", 300_000, 40_000, 260_000)) == []  # schema-nos-range tells
    assert of("buffer-xon", resumed("spectrum", 300_000, 30_000, None)) == []


def test_sonic_on_nvidia_resumes_where_it_pauses() -> None:
    pool = {"asic": SPECTRUM3, "shared": 2 * MB}
    assert of("buffer-xon", resumed("sonic", 40_000, 40_000, 88_000, **pool)) == []
    assert severities("buffer-xon", resumed("sonic", 40_000, 40_001, 88_000, **pool)) == ["error"]
    private = resumed("sonic", 40_000, 40_001, 88_000, asic=SPECTRUM3, shared=0)
    assert of("buffer-xon", private) == []
    assert severities("buffer-zero-shared", private) == ["error"]


def test_sonic_on_broadcom_pauses_at_the_share_of_the_pool_at_most() -> None:
    # alpha 1 of 100 MB: one queue alone is paused at 50 MB, and size 8000 beside it
    assert of("buffer-xon", resumed("sonic", 8_000, 18_432, 400_000)) == []
    assert severities("buffer-xon", resumed("sonic", 8_000, 50_008_000, 400_000)) == ["error"]
    assert severities("buffer-xon", resumed("sonic", 8_000, 50_007_999, 400_000)) == ["warning"]
    assert of("buffer-xon", resumed("sonic", 8_000, 50_008_000 - 2 * 9018, 400_000)) == []
    assert of("buffer-xon", resumed("sonic", 8_000, 50_008_000, 400_000, pools=Pools())) == []


# -- buffer-alpha ------------------------------------------------------------------------------------------------------


def test_alpha_of_a_sixteenth_is_the_least() -> None:
    def stated(alpha: float | None, **more: Any) -> list[str]:
        return severities("buffer-alpha", switch(ports(1, None), buffers=Buffers(alpha=alpha), **more))

    assert stated(1 / 16) == []
    assert stated(1 / 32) == ["warning"]
    assert stated(None) == []
    assert stated(1 / 64, asic=SHIPPED.asic("jericho2")) == []
    assert stated(1 / 64, asic=None) == []
    (hit,) = of("buffer-alpha", switch(ports(1, None), buffers=Buffers(alpha=1 / 64)))
    assert "1538461 B of 100MB" in hit.message  # 100 MB / 65
    assert "5882352 B" in hit.message  # 100 MB / 17


# -- buffer-zero-shared ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "more", "count"),
    [
        (127_999, {"shared": 0}, 1),
        (128_000, {"shared": 0}, 0),
        (40_000, {"shared": 2 * MB}, 0),
        (40_000, {"shared": None}, 0),  # not known
        (40_000, {"shared": 0, "buffers": Buffers(model="dynamic", oversubscribe=2)}, 0),
        (40_000, {"shared": 0, "asic": TH5}, 0),  # a guarantee there
    ],
)
def test_a_size_without_room_for_xoff_needs_a_pool(size: int, more: dict[str, Any], count: int) -> None:
    on = resumed("sonic", size, 40_000, 88_000, **{"asic": SPECTRUM3, **more})
    assert len(of("buffer-zero-shared", on)) == count


# -- buffer-nic --------------------------------------------------------------------------------------------------------

HOSTED = """\
rocecfg: 1
fabric: {{name: hosted, mtu: 9000}}
defaults: {{vendor: arista, platform: arista-7060x6-64pe, version: 4.33.2F}}
classes:
  rdma: {{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60,
         ecn: {{kmin: 400KB, kmax: 1600KB, pmax: 5%}}}}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 40}}
pfc: {{watchdog: {{detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}}}
devices:
  "leaf[1-2]": {{ports: {{"Ethernet[1-8]/1": {{speed: 400G, cable: 10m}}}}}}
links:
  - {{a: "gpu[1-4]:nic[0-1]", b: "leaf1:Ethernet[1-8]/1"}}
  - {{a: "leaf2:Ethernet1/1", b: "gpu5:nic0", cable: 30m}}
hosts:
  "gpu[1-4]": {{{first}}}
  gpu5: {{{second}}}
"""


def nics(folder: Path, first: str, second: str = "") -> list[str]:
    """Messages on NICs: four hosts with cables of 10 m on one leaf, one with 30 m on another."""
    path = folder / "fabric.yaml"
    path.write_text(HOSTED.format(first=first, second=second), encoding="utf-8")
    found, failed = judge(load(str(path), Sources()))
    assert failed == []
    assert {f.rule.name for f in found if f.rule.code.startswith(("BUF", "SCH"))} <= {"buffer-nic"}
    return [f.message for f in found if f.rule.name == "buffer-nic"]


def test_a_nic_is_told_the_length_of_its_own_cable(tmp_path: Path) -> None:
    assert nics(tmp_path, "cable_len: 10m", "cable_len: 30m") == []
    assert nics(tmp_path, "cable_len: 9.5m", "cable_len: 100m") == []  # rounded
    (message,) = nics(tmp_path, "cable_len: 10m", "cable_len: 10m")
    assert "leaf2:Ethernet1/1 has 30 m" in message
    assert "17280 B" in message  # 2.16 x 20 m x 400 Gbit/s
    (message,) = nics(tmp_path, "cable_len: 5m")
    assert "leaf1:Ethernet1/1 has 10 m" in message


def test_a_nic_has_the_receive_buffer_that_its_driver_wants(tmp_path: Path) -> None:
    # (301 + 2.16 x 10) x 400 + 2.72 x 9000 = 153520
    assert nics(tmp_path, "nic: connectx-7, buffer: 153520B") == []
    (message,) = nics(tmp_path, "nic: connectx-7, buffer: 153519B")
    assert "153520 B" in message
    assert nics(tmp_path, "nic: connectx-7, mtu: 1500, buffer: 133120B") == []
    assert len(nics(tmp_path, "nic: connectx-7, mtu: 1500, buffer: 133119B")) == 1
    assert nics(tmp_path, "nic: thor2, buffer: 100KB") == []  # another driver
    assert nics(tmp_path, "buffer: 100KB") == []


@pytest.mark.parametrize(("shared", "reported"), [("{}", True), ("{shared_headroom: off}", False)])
def test_a_pool_that_is_off_takes_nothing_though_sonic_cannot_be_told(
    shared: str, reported: bool, tmp_path: Path
) -> None:
    policy = POLICY.replace("kmin: 400KB, kmax: 1600KB", "kmin: 2100KB, kmax: 2400KB").replace(
        "pfc:\n", f"buffers: {shared}\npfc:\n  headroom: 320KB\n"
    )
    devices = (
        "defaults: {vendor: sonic, platform: dell-z9864f, version: master, cable: 5m}\n"
        'devices: {leaf01: {ports: {"Ethernet[0-504/8]": {speed: 800G, faces: switch}}}}\n'
    )
    names = {found.rule for found in findings(tmp_path, policy + devices)}
    assert ("buffer-shared-left" in names) == reported  # 162.5 MB - 33.4 MB of the template's pool < 64 x 2.1 MB
