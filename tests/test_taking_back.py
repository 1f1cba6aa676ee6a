"""`default`: a device, port or class takes back what it would inherit, and what then holds is the vendor's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import FABRIC, POLICY, device, fabric, findings, port, rocecfg, write

STATED = FABRIC.replace(
    "defaults:\n", "defaults:\n  buffers: {alpha: 0.25, small_packets: 50%}\n  fec: rs\n  dcbx: off\n"
)
LEAF02 = "  leaf02: {{{}}}\n  spine[01-02]:\n"


def with_leaf02(words: str, text: str = STATED) -> str:
    """The fabric, with more said of leaf02 alone."""
    return text.replace("  spine[01-02]:\n", LEAF02.format(words))


def test_a_device_takes_back_a_value_of_defaults(tmp_path: Path) -> None:
    of = fabric(tmp_path, with_leaf02("buffers: {alpha: default}, fec: default, dcbx: default"))
    first, second = device(of, "leaf01"), device(of, "leaf02")
    assert (first.buffers.alpha, first.dcbx, first.ports[0].fec) == (0.25, "off", "rs")
    assert (second.buffers.alpha, second.dcbx, second.ports[0].fec) == (None, None, None)
    assert second.buffers.small_packets == 50  # the rest is inherited
    # what then holds is what the platform's own tables give, not what was taken back
    assert first.ports[0].alpha == 0.25
    plain = fabric(tmp_path, FABRIC)
    assert second.ports[0].alpha == device(plain, "leaf02").ports[0].alpha != 0.25


def test_a_device_takes_back_what_the_fabric_and_its_workload_state(tmp_path: Path) -> None:
    of = fabric(tmp_path, with_leaf02("mtu: default"))
    assert (device(of, "leaf01").mtu, device(of, "leaf02").mtu) == (9000, None)
    of = fabric(tmp_path, with_leaf02("mtu: default", STATED.replace("  mtu: 9000\n", "", 1)))
    assert device(of, "leaf02").mtu is None


def test_a_port_takes_back_a_value_of_its_device(tmp_path: Path) -> None:
    text = STATED.replace(
        "{speed: 100G, faces: storage, cable: 10m,", "{speed: 100G, faces: storage, cable: default, fec: default,"
    ).replace("    role: leaf\n", "    role: leaf\n    cable: 7m\n")
    of = fabric(tmp_path, text)
    assert port(of, "leaf01", "Ethernet384").cable is None
    assert port(of, "leaf01", "Ethernet384").fec is None
    assert port(of, "leaf01", "Ethernet0").fec == "rs"


def test_a_timer_and_a_whole_watchdog_are_taken_back(tmp_path: Path) -> None:
    of = fabric(tmp_path, with_leaf02("pfc: {watchdog: {restoration_time: default, detection_time: 300ms}}"))
    dog = port(of, "leaf02", "Ethernet0").watchdog
    assert dog is not None
    assert (dog.detection, dog.restoration) == (300, 600)  # twice the detection time, as where nobody states it
    of = fabric(tmp_path, with_leaf02("pfc: {watchdog: default, headroom: default}"))
    assert port(of, "leaf02", "Ethernet0").watchdog is None
    assert port(of, "leaf02", "Ethernet0").headroom is None
    assert port(of, "leaf01", "Ethernet0").headroom == "auto"


def test_a_class_takes_back_what_the_fabric_states_of_it(tmp_path: Path) -> None:
    text = FABRIC.replace("    bandwidth: 60\n", "    bandwidth: 60\n    max_rate: 300G\n    tc: 4\n")
    of = fabric(tmp_path, with_leaf02("classes: {rdma: {max_rate: default, tc: default, ecn: default}}", text))
    rdma = next(c for c in device(of, "leaf02").classes if c.name == "rdma")
    assert (rdma.max_rate, rdma.tc, rdma.ecn, rdma.bandwidth) == (None, 3, None, 60)
    other = next(c for c in device(of, "leaf01").classes if c.name == "rdma")
    assert (other.max_rate, other.tc) == (300 * 10**9, 4)


def test_a_class_on_a_port_too(tmp_path: Path) -> None:
    text = FABRIC.replace("cable: 3m}\n", "cable: 3m, classes: {rdma: {ecn: default}}}\n", 1)
    of = fabric(tmp_path, text)
    (changed,) = port(of, "leaf01", "Ethernet0").overrides
    assert (changed.name, changed.ecn, changed.ecn_by_speed) == ("rdma", None, ())


def test_a_narrower_set_takes_back_what_a_wider_one_states(tmp_path: Path) -> None:
    text = FABRIC.replace("    role: leaf\n", "    role: leaf\n    fec: fc\n")
    of = fabric(tmp_path, with_leaf02("fec: default", text.replace("defaults:\n", "defaults:\n  fec: rs\n")))
    assert device(of, "leaf01").ports[0].fec == "fc"
    assert device(of, "leaf02").ports[0].fec is None  # neither the wider set's nor the defaults'


def test_words_of_the_format_stay_values(tmp_path: Path) -> None:
    """`default` is a kind of traffic, and the name of DSCP 0."""
    text = POLICY.replace("carries: [default], dscp: rest", "carries: default, dscp: default")
    cls = fabric(tmp_path, text).devices[0].classes[-1]
    assert (cls.carries, cls.dscps) == (("default",), (0,))


@pytest.mark.parametrize("words", ["vendor: default", "description: default", "ports: default"])
def test_what_is_no_inherited_value_is_not_taken_back(words: str, tmp_path: Path) -> None:
    of = findings(tmp_path, with_leaf02(words))
    assert any(f.rule.startswith("schema-") for f in of) is (not words.startswith("description"))


def test_a_priority_cannot_be_taken_back(tmp_path: Path) -> None:
    found = findings(tmp_path, with_leaf02("classes: {rdma: {priority: default}}"))
    assert ("schema-type", "default") in [(f.rule, f.text) for f in found]


def test_taking_back_is_no_repeat_and_repeating_it_is(tmp_path: Path) -> None:
    taken = STATED.replace("    role: leaf\n", "    role: leaf\n    fec: default\n")
    assert [f for f in findings(tmp_path, taken) if f.rule == "schema-dead-override"] == []
    text = taken.replace("faces: host, cable: 3m}", "faces: host, cable: 3m, fec: default}")
    (one,) = [f for f in findings(tmp_path, text) if f.rule == "schema-dead-override"]
    assert one.text == "default"


def test_what_is_taken_back_is_not_rendered_and_not_shown(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 60", "bandwidth: 60, max_rate: 300G") + (
        "defaults: {vendor: spectrum, platform: nvidia-sn5600}\n"
        'devices: {"leaf[1-2]": {ports: {"swp[1-2]": {speed: 400G, cable: 3m}}}, '
        "leaf2: {classes: {rdma: {max_rate: default}}}}\n"
    )
    write(tmp_path, {"fabric.yaml": text})
    shown = rocecfg(tmp_path, "show", "fabric.yaml").stdout
    assert shown.count("300G") == 1
