"""Real files, as switches and SONiC's own tools wrote them; what is expected was read out of them by eye."""

from __future__ import annotations

from pathlib import Path

import pytest
import sonic_text

from rocecfg.model import Device, Ecn, PortGroup

SAMPLES = (
    "qos-arista7060x6-th5",
    "qos-dell9332-th3",
    "buffers-sn4600c-t1-dynamic",
    "qos-brackets-3_0_1",
    "qos-config-reload-output",
    "voq-t2-linecard-newfmt",
)


@pytest.fixture
def sample(shared: Path, request: pytest.FixtureRequest) -> str:
    return (shared / "samples" / "sonic" / f"{request.param}.json").read_text(encoding="utf-8")


def only(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("sample", [name], indirect=True)


def port(dev: Device, name: str) -> PortGroup:
    return next(p for p in dev.ports if name in p.names)


def shares(dev: Device) -> dict[int, float]:
    return {c.queue: round(c.bandwidth, 2) for c in dev.classes if c.bandwidth is not None}


@pytest.mark.parametrize("sample", SAMPLES, indirect=True)
def test_every_sample_is_read_and_judged(sample: str) -> None:
    for found in sonic_text.findings(sample):
        assert found.at is not None
        assert found.message.isprintable()


@only("qos-arista7060x6-th5")
def test_tomahawk_5_after_qos_reload(sample: str) -> None:
    dev = sonic_text.device(sample)
    assert sum(len(p.names) for p in dev.ports) == 130
    front, service = port(dev, "Ethernet0"), port(dev, "Ethernet512")
    assert (front.pfc, len(front.names)) == ((3, 4), 128)
    assert (service.pfc, service.names) == ((), ("Ethernet512", "Ethernet513"))
    assert {c.tc: c.dscps for c in dev.classes if c.tc} == {1: (47,), 3: (3,), 4: (4,), 5: (46,), 6: (44,)}
    assert len(dev.cls("tc0").dscps) == 59
    assert [c.ecn for c in dev.classes if c.lossless] == [Ecn(131072, 262144, 5)] * 2
    assert all(c.ecn is None for c in dev.classes if not c.lossless)
    # weights 10 but for 20 on queue 3 and 70 on queue 6, on the six queues in use: 130 in all
    assert shares(dev) == {0: 7.69, 1: 7.69, 3: 15.38, 4: 7.69, 5: 7.69, 6: 53.85}
    assert {p.trust for p in dev.ports} == {"dscp"}
    # a part of a configuration: it says nothing of watchdogs and cables, and lacks none
    assert dev.running is not None
    assert not dev.running.whole
    assert sonic_text.findings(sample) == []


@only("qos-dell9332-th3")
def test_weights_are_shares(sample: str) -> None:
    dev = sonic_text.device(sample)
    # 1 for each queue but 100 for queue 4: 106 in all
    assert shares(dev) == {0: 0.94, 1: 0.94, 2: 0.94, 3: 0.94, 4: 94.34, 5: 0.94, 6: 0.94}
    assert {p.pfc for p in dev.ports} == {(3, 4)}
    assert sonic_text.reported(sample) == []
    assert sonic_text.names(sample) == {"ecn-vendor-default"}


@only("buffers-sn4600c-t1-dynamic")
def test_buffers_of_the_dynamic_model(sample: str) -> None:
    dev = sonic_text.device(sample)
    assert (dev.buffers.alpha, dev.buffers.lossless_mtu, dev.buffers.small_packets) == (1, 1024, 50)
    assert dev.running is not None
    assert {p.name: (p.direction, p.lossless, p.size) for p in dev.running.pools} == {
        "ingress_lossless_pool": ("ingress", True, None),
        "egress_lossless_pool": ("egress", True, 60817392),
        "egress_lossy_pool": ("egress", False, None),
    }
    usual = port(dev, "Ethernet24").running
    dual = next(p.running for p in dev.ports if p.running and any(g.number == 6 for g in p.running.groups))
    assert usual is not None
    assert [(g.number, g.lossless, g.profile) for g in usual.groups] == [
        (0, False, "ingress_lossy_profile"),
        (3, True, "NULL"),
        (4, True, "NULL"),
    ]
    assert [g.number for g in dual.groups if g.lossless] == [2, 3, 4, 6]
    assert sonic_text.findings(sample) == []


@only("qos-brackets-3_0_1")
def test_a_whole_configuration_with_references_in_brackets(sample: str) -> None:
    switch = sonic_text.switch(sample)
    assert switch.name == "sonic"
    assert {k: v.value for k, v in switch.section.items() if k != "buffers"} == {
        "vendor": "sonic",
        "hwsku": "DellEMC-Z9264f-C64",
        "platform": "dell-z9264f",
        "role": "spine",  # SONiC's LeafRouter: the tier above the one that hosts hang on
    }
    dev = sonic_text.device(sample)
    assert {(p.speed, len(p.names), p.mtu, p.pfc) for p in dev.ports} == {
        (100 * 10**9, 64, 9100, (3, 4)),
        (10 * 10**9, 2, 9100, (3, 4)),
    }
    front = port(dev, "Ethernet0")
    assert front.headroom is not None
    assert (front.headroom.size, front.headroom.xon, front.headroom.xoff) == (1248, 2288, 177632)  # type: ignore[union-attr]
    assert front.alpha == 1 / 8  # dynamic_th -3
    assert (dev.pools.lossless, dev.pools.shared_headroom) == (35621248, 7847424)
    # weights 14 and 15 on seven queues
    assert shares(dev) == {0: 14, 1: 14, 2: 14, 3: 15, 4: 15, 5: 14, 6: 14}
    (unknown,) = sonic_text.reported(sample)
    assert unknown.rule == "device-unknown"
    assert unknown.message.startswith("BUFFER_PROFILE|egress_lossy_profile: there is no field mode here")
    assert "watchdog-missing" in sonic_text.names(sample)


@only("qos-brackets-3_0_1")
def test_brackets_are_refused_from_202111_on(sample: str) -> None:
    assert [p for p in sonic_text.reported(sample, "device-value", "202106") if "bracket" in p.message] == []
    (first, *_) = [p for p in sonic_text.reported(sample, "device-value", "202111") if "brackets" in p.message]
    assert first.help == "write AZURE"
    assert "PORT_QOS_MAP|Ethernet0 (and 65 more)" in first.message


@only("qos-config-reload-output")
def test_a_dry_run_for_no_ports(sample: str) -> None:
    dev = sonic_text.device(sample)
    assert {p.pfc for p in dev.ports} == {()}
    assert sum(len(p.names) for p in dev.ports) == 32
    assert {p.cable for p in dev.ports} == {300}
    assert sonic_text.findings(sample) == []


@only("voq-t2-linecard-newfmt")
def test_a_line_card_of_a_voq_chassis(sample: str) -> None:
    switch = sonic_text.switch(sample)
    assert switch.name == "Linecard1"
    assert switch.section["switch_type"].value == "voq"
    assert "role" not in switch.section  # its type, Spine, is none that SONiC knows
    assert [(n.port, n.device, n.far_port) for n in switch.neighbours if n.port == "Ethernet4"] == [
        ("Ethernet4", "ARISTA01T3", "Ethernet2")
    ]
    dev = sonic_text.device(sample)
    assert sum(len(p.names) for p in dev.ports) == 32
    member, routed = port(dev, "Ethernet0"), port(dev, "Ethernet8")
    assert (member.lag, member.layer, member.pfc) == ("PortChannel0002", 3, (3, 4))
    assert (routed.lag, routed.layer) == (None, 3)
    role, *values = [p.message for p in sonic_text.reported(sample, "device-value")]
    assert "type 'Spine'" in role
    assert [m.partition(":")[0] for m in values] == [
        "QUEUE|Ethernet8|0 (and 20 more)",
        "BUFFER_QUEUE|Ethernet0|5-6 (and 8 more)",
    ]
    assert all("four parts" in m for m in values)
