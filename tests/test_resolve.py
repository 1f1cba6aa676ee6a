"""From values to the model: which layer wins, what overlapping keys give, and what profiles add."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from intents import FABRIC, POLICY, device, fabric, findings, loaded, port, rules

from rocecfg.model import Computed, Default, Headroom, ProfileFact, Span

# -- layers ------------------------------------------------------------------------------------------------------------


def mtu(folder: Path, own: str = "", defaults: str = "", dev: str = "", prt: str = "") -> tuple[int | None, int | None]:
    """The MTU of a device and of its port, stated at some of four layers."""
    text = POLICY.replace("name: lab", f"name: lab{own}")
    text += f"defaults: {{vendor: sonic{defaults}}}\n"
    text += f"devices:\n  leaf1: {{role: leaf{dev}, ports: {{Ethernet0: {{speed: 400G, faces: host{prt}}}}}}}\n"
    of = fabric(folder, text)
    return device(of, "leaf1").mtu, port(of, "leaf1", "Ethernet0").mtu


def test_the_narrower_layer_wins(tmp_path: Path) -> None:
    assert mtu(tmp_path) == (None, None)
    assert mtu(tmp_path, own=", mtu: 1500") == (1500, 1500)
    assert mtu(tmp_path, own=", mtu: 1500", defaults=", mtu: 6000") == (6000, 6000)
    assert mtu(tmp_path, own=", mtu: 1500", defaults=", mtu: 6000", dev=", mtu: 4000") == (4000, 4000)
    assert mtu(tmp_path, own=", mtu: 1500", dev=", mtu: 4000", prt=", mtu: 9000") == (4000, 9000)
    assert mtu(tmp_path, prt=", mtu: 9000") == (None, 9000)


def test_a_workload_fills_only_what_the_fabric_leaves_out(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf1: {ports: {Ethernet0: {speed: 400G, faces: host}}}\n"
    assert device(fabric(tmp_path, text), "leaf1").mtu is None
    filled = fabric(tmp_path, text.replace("name: lab", "name: lab, workload: ai-training"))
    leaf, eth = device(filled, "leaf1"), port(filled, "leaf1", "Ethernet0")
    assert filled.workload is not None
    assert (filled.workload.name, leaf.mtu, eth.mtu) == ("ai-training", 9000, 9000)
    for origin in (filled.at("mtu"), leaf.at("mtu"), eth.at("mtu")):
        assert isinstance(origin, ProfileFact)
        assert origin.profile == "workloads/ai-training"
    stated = fabric(tmp_path, text.replace("name: lab", "name: lab, workload: ai-training, mtu: 1500"))
    assert device(stated, "leaf1").mtu == 1500
    assert isinstance(device(stated, "leaf1").at("mtu"), Span)
    own = fabric(
        tmp_path, text.replace("name: lab", "name: lab, workload: ai-training").replace("ports", "mtu: 4000, ports")
    )
    assert device(own, "leaf1").mtu == 4000
    assert isinstance(device(own, "leaf1").at("mtu"), Span)


def test_maps_of_a_device_merge_key_by_key(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf1: {pfc: {watchdog: {detection_time: 300ms}}, classes: {rdma: {bandwidth: 50}}}\n"
    read, _ = loaded(tmp_path, text)
    assert read.fabric is not None
    leaf = device(read.fabric, "leaf1")
    dog = leaf.ports[0].watchdog
    assert dog is not None
    assert (dog.detection, dog.restoration, dog.poll, dog.action) == (300, 400, 100, "drop")
    rdma = leaf.cls("rdma")
    assert (rdma.bandwidth, rdma.priority, rdma.lossless, rdma.dscps) == (50, 3, True, (26,))


def test_only_ecn_replaces_the_inherited_one_whole(tmp_path: Path) -> None:
    of = fabric(tmp_path, FABRIC)
    leaf, spine = device(of, "leaf01").cls("rdma"), device(of, "spine01").cls("rdma")
    assert leaf.ecn_at(400 * 10**9) == leaf.ecn
    at_800 = leaf.ecn_at(800 * 10**9)
    assert at_800 not in (None, "auto", leaf.ecn)
    assert spine.ecn_by_speed == ()
    assert spine.ecn_at(800 * 10**9) == spine.ecn
    assert getattr(spine.ecn, "kmin", None) == 1_000_000


def test_a_narrower_key_replaces_an_ecn_whole_too(tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n"
        "  leaf[1-2]: {classes: {rdma: {ecn: {kmin: 1MB, kmax: 2MB, pmax: 1%, weight: 3}}}}\n"
        "  leaf1: {classes: {rdma: {ecn: {kmin: 3MB, kmax: 4MB, pmax: 2%}}}}\n"
    )
    of = fabric(tmp_path, text)
    one, two = device(of, "leaf1").cls("rdma").ecn, device(of, "leaf2").cls("rdma").ecn
    assert (getattr(one, "kmin", 0), getattr(one, "weight", 0)) == (3_000_000, 0)
    assert (getattr(two, "kmin", 0), getattr(two, "weight", 0)) == (1_000_000, 3)


def test_every_value_says_where_it_came_from(tmp_path: Path) -> None:
    read, sources = loaded(tmp_path, FABRIC)
    assert read.fabric is not None
    leaf, host = device(read.fabric, "leaf01"), port(read.fabric, "leaf01", "Ethernet0")

    def text(origin: object) -> str:
        assert isinstance(origin, Span)
        return sources.documents[origin.doc].text[origin.start : origin.end]

    assert text(leaf.at("vendor")) == "sonic"
    assert text(leaf.at("version")) == '"202511"'
    assert text(leaf.at("role")) == "leaf"
    assert text(host.at("speed")) == "400G"
    assert text(host.at("cable")) == "3m"
    assert text(leaf.cls("rdma").at("dscp")) == "[26]" or text(leaf.cls("rdma").at("dscp")) == "dscp"
    assert isinstance(leaf.at("asic"), ProfileFact)
    assert isinstance(leaf.at("hwsku"), ProfileFact)
    assert isinstance(host.at("pfc"), Computed)
    assert isinstance(host.at("trust"), Default)
    assert isinstance(leaf.cls("rdma").at("tc"), Computed)


# -- overlapping keys --------------------------------------------------------------------------------------------------

KEYS = {
    "leaf[1-4]": "{mtu: 5000, role: leaf}",
    "leaf[3-4]": "{mtu: 6000}",
    "leaf4": "{mtu: 7000, role: edge}",
}


@pytest.mark.parametrize("order", list(permutations(KEYS)))
def test_a_proper_subset_wins_wherever_it_is_written(order: tuple[str, ...], tmp_path: Path) -> None:
    of = fabric(tmp_path, POLICY + "devices:\n" + "".join(f"  {key}: {KEYS[key]}\n" for key in order))
    assert [device(of, f"leaf{n}").mtu for n in (1, 2, 3, 4)] == [5000, 5000, 6000, 7000]
    assert [device(of, f"leaf{n}").role for n in (1, 3, 4)] == ["leaf", "leaf", "edge"]


def test_what_two_keys_dispute_shows_both_places(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf[1-4]: {mtu: 5000}\n  leaf[3-6]: {mtu: 6000}\n"
    (found,) = findings(tmp_path, text)
    assert (found.rule, found.text, found.line) == ("schema-overlap", "6000", 13)
    assert "leaf3" in found.message
    assert "mtu" in found.message
    assert found.related == ((12, "the other value"),)


@pytest.mark.parametrize(
    "keys",
    [
        "  leaf[1-4]: {mtu: 5000}\n  leaf[3-6]: {mtu: 5000}\n",  # the same value twice
        "  leaf[1-4]: {mtu: 5000}\n  leaf[3-6]: {role: leaf}\n",  # two settings
        "  leaf[1-4]: {mtu: 5000}\n  leaf[3-6]: {mtu: 6000}\n  leaf[3-4]: {mtu: 7000}\n",  # settled by a key of its own
        "  leaf[1-4]: {mtu: 5000}\n  leaf[5-6]: {mtu: 6000}\n",
    ],
)
def test_what_agrees_or_is_settled_is_no_dispute(keys: str, tmp_path: Path) -> None:
    assert rules(tmp_path, POLICY + "devices:\n" + keys) == []


def test_equal_sets_written_differently_are_no_subsets(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf[1-2]: {mtu: 5000}\n  'leaf1,leaf2': {mtu: 6000}\n"
    assert rules(tmp_path, text) == ["schema-overlap"]


def test_ports_overlap_as_devices_do(tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n  leaf1:\n    ports:\n"
        "      Ethernet[0-3]: {speed: 400G, faces: host}\n      Ethernet[3]: {speed: 100G}\n"
    )
    of = fabric(tmp_path, text)
    assert port(of, "leaf1", "Ethernet2").speed == 400 * 10**9
    assert port(of, "leaf1", "Ethernet3").speed == 100 * 10**9
    assert port(of, "leaf1", "Ethernet3").faces == "host"
    disputed = text.replace("Ethernet[3]", "Ethernet[3-4]")
    assert rules(tmp_path, disputed) == ["schema-overlap"]


def test_a_value_that_cannot_be_read_is_no_dispute(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf[1-4]: {mtu: 5000}\n  leaf[3-6]: {mtu: 6000B}\n"
    assert rules(tmp_path, text) == ["schema-type"]


def test_devices_come_in_written_order(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  spine[2,1]: {}\n  leaf[1-2]: {}\n  admin1: {}\n"
    names = [name for d in fabric(tmp_path, text).devices for name in d.names]
    assert names == ["spine2", "spine1", "leaf1", "leaf2", "admin1"]


# -- platforms, chips, releases ----------------------------------------------------------------------------------------


def test_a_platform_gives_chip_box_and_hwsku(tmp_path: Path) -> None:
    leaf = device(fabric(tmp_path, FABRIC), "leaf01")
    assert leaf.platform is not None
    assert leaf.asic is not None
    assert leaf.box is not None
    assert (leaf.platform.name, leaf.asic.name, leaf.box.nos) == ("arista-7060x6-64pe", "tomahawk5", "sonic")
    assert leaf.hwsku == leaf.box.hwsku
    spine = device(fabric(tmp_path, FABRIC), "spine01")
    assert spine.box is not None
    assert (spine.box.nos, spine.family) == ("arista", "strata")


def test_a_hwsku_may_be_stated(tmp_path: Path) -> None:
    text = FABRIC.replace("    role: leaf\n", "    role: leaf\n    hwsku: Arista-7060X6-64PE-B-O128\n")
    leaf = device(fabric(tmp_path, text), "leaf01")
    assert leaf.hwsku == "Arista-7060X6-64PE-B-O128"
    assert isinstance(leaf.at("hwsku"), Span)


def test_an_asic_without_a_platform_leaves_port_names_alone(tmp_path: Path) -> None:
    text = (
        POLICY + "devices:\n  leaf1: {vendor: sonic, asic: tomahawk5, ports: {whatever7: {speed: 400G, faces: host}}}\n"
    )
    leaf = device(fabric(tmp_path, text), "leaf1")
    assert leaf.platform is None
    assert leaf.asic is not None
    assert leaf.asic.name == "tomahawk5"


def test_an_asic_that_is_the_platforms_own_is_fine_and_another_is_an_error(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf1: {vendor: sonic, platform: arista-7060x6-64pe, asic: tomahawk5}\n"
    assert rules(tmp_path, text) == []
    (found,) = findings(tmp_path, text.replace("tomahawk5", "tomahawk4"))
    assert (found.rule, found.text) == ("schema-platform", "tomahawk4")
    assert found.related == ((12, "the platform"),)


@pytest.mark.parametrize(
    ("vendor", "ports", "ok"),
    [
        ("sonic", "Ethernet[0-504/8]", True),
        ("sonic", "Ethernet[1-3]/1", False),
        ("arista", "Ethernet[1-64]/1", True),
        ("arista", "Ethernet0", False),
        ("arista", "swp1", False),
    ],
)
def test_ports_exist_under_the_nos_of_the_device(vendor: str, ports: str, ok: bool, tmp_path: Path) -> None:
    text = POLICY + (
        f"devices:\n  leaf1: {{vendor: {vendor}, platform: arista-7060x6-64pe, "
        f'ports: {{"{ports}": {{speed: 400G, faces: host}}}}}}\n'
    )
    found = rules(tmp_path, text)
    assert ("schema-port-name" in found) is not ok


def test_a_version_is_one_for_all_or_one_a_vendor(tmp_path: Path) -> None:
    of = fabric(tmp_path, FABRIC)
    assert device(of, "leaf01").version == "202511"
    assert device(of, "spine01").version == "4.33.2F"
    text = FABRIC.replace("    role: spine\n", '    role: spine\n    version: "4.34.1F"\n')
    assert device(fabric(tmp_path, text), "spine01").version == "4.34.1F"
    partly = FABRIC.replace("    role: spine\n", '    role: spine\n    version: {sonic: "202411"}\n')
    assert device(fabric(tmp_path, partly), "spine01").version == "4.33.2F"


def test_a_vendor_asked_for_is_that_of_devices_without_one(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf1: {}\n  leaf2: {vendor: arista}\n"
    of = fabric(tmp_path, text, vendor="spectrum")
    assert device(of, "leaf1").vendor == "spectrum"
    assert device(of, "leaf2").vendor == "arista"


# -- watchdog, headroom, buffers ---------------------------------------------------------------------------------------


def dog(folder: Path, fabric_pfc: str, device_pfc: str = "", port_pfc: str = "") -> object:
    """The watchdog of a port; pfc as said for the fabric, the device and the port."""
    text = POLICY[: POLICY.index("pfc:")] + (f"pfc: {fabric_pfc}\n" if fabric_pfc else "")
    dev = f"pfc: {device_pfc}, " if device_pfc else ""
    prt = f", pfc: {port_pfc}" if port_pfc else ""
    text += f"devices:\n  leaf1: {{{dev}ports: {{Ethernet0: {{speed: 400G, faces: host{prt}}}}}}}\n"
    read, _ = loaded(folder, text)
    assert read.fabric is not None
    return port(read.fabric, "leaf1", "Ethernet0").watchdog


FULL = "{watchdog: {detection_time: 200ms, restoration_time: 500ms, poll_interval: 50ms, action: forward}}"


def timers(of: object) -> tuple[object, ...]:
    return tuple(getattr(of, k) for k in ("detection", "restoration", "poll", "action", "vendor_default"))


def test_a_watchdog_merges_through_the_layers(tmp_path: Path) -> None:
    assert dog(tmp_path, "") is None
    assert timers(dog(tmp_path, FULL)) == (200, 500, 50, "forward", False)
    assert timers(dog(tmp_path, FULL, "{watchdog: {action: drop}}")) == (200, 500, 50, "drop", False)
    both = dog(tmp_path, FULL, "{watchdog: {action: drop}}", "{watchdog: {detection_time: 300ms}}")
    assert timers(both) == (300, 500, 50, "drop", False)


def test_a_watchdog_goes_off_and_on_again(tmp_path: Path) -> None:
    assert dog(tmp_path, FULL, "{watchdog: off}") is None
    again = dog(tmp_path, FULL, "{watchdog: off}", "{watchdog: {detection_time: 300ms}}")
    assert timers(again) == (300, 600, 100, "drop", False)  # off ends what was inherited: the rest are defaults
    assert timers(dog(tmp_path, FULL, "{watchdog: vendor-default}")) == (None, None, None, None, True)
    own = dog(tmp_path, "{watchdog: vendor-default}", "{watchdog: {detection_time: 300ms}}")
    assert timers(own) == (300, 600, 100, "drop", False)


def test_a_watchdog_needs_a_detection_time(tmp_path: Path) -> None:
    text = POLICY[: POLICY.index("pfc:")] + "pfc: {watchdog: {action: drop}}\n"
    (found,) = findings(tmp_path, text)
    assert (found.rule, found.message) == ("schema-required", "the watchdog has no detection_time")


def headrooms(folder: Path, fabric_pfc: str, port_pfc: str = "") -> list[object]:
    """The headroom of a 400G and an 800G port."""
    prt = f", pfc: {port_pfc}" if port_pfc else ""
    text = POLICY.replace("pfc:\n", f"pfc:\n  headroom: {fabric_pfc}\n") + (
        "devices:\n  leaf1:\n    ports:\n"
        f"      Ethernet0: {{speed: 400G, faces: host{prt}}}\n      Ethernet8: {{speed: 800G, faces: host}}\n"
    )
    of = fabric(folder, text)
    return [port(of, "leaf1", name).headroom for name in ("Ethernet0", "Ethernet8")]


def test_headroom_is_auto_a_size_its_parts_or_by_speed(tmp_path: Path) -> None:
    assert headrooms(tmp_path, "auto") == ["auto", "auto"]
    assert headrooms(tmp_path, "300KB") == [Headroom(300_000)] * 2
    assert headrooms(tmp_path, "{size: 300KB, xon: 10KB, xoff: 90KB}") == [Headroom(300_000, 10_000, 90_000)] * 2
    assert headrooms(tmp_path, "{by_speed: {400G: 300KB, 800G: auto}}") == [Headroom(300_000), "auto"]
    assert headrooms(tmp_path, "{by_speed: {400G: 300KB}}") == [Headroom(300_000), None]
    narrower = headrooms(tmp_path, "auto", "{headroom: {by_speed: {400G: {size: 1MB}}}}")
    assert narrower == [Headroom(1_000_000), "auto"]
    elsewhere = headrooms(tmp_path, "{size: 2MB}", "{headroom: {by_speed: {100G: 1MB}}}")
    assert elsewhere == [Headroom(2_000_000)] * 2


def test_buffers_merge_and_the_model_comes_from_the_platform(tmp_path: Path) -> None:
    text = FABRIC + "buffers: {alpha: 0.25, pools: {lossless: 60%}, shared_headroom: off}\n"
    text = text.replace("    role: leaf\n", "    role: leaf\n    buffers: {pools: {lossy: 30%}}\n")
    leaf = device(fabric(tmp_path, text), "leaf01").buffers
    assert (leaf.alpha, leaf.lossless_pool, leaf.lossy_pool, leaf.shared_headroom) == (0.25, 60, 30, 0)
    assert leaf.model in {"dynamic", "traditional"}
    assert isinstance(leaf.at("model"), ProfileFact)


# -- overrides that say nothing ----------------------------------------------------------------------------------------


def test_an_override_that_repeats_is_an_info_and_one_that_differs_is_none(tmp_path: Path) -> None:
    text = POLICY + "defaults: {mtu: 9000}\ndevices:\n  leaf1: {mtu: 9000, classes: {rdma: {priority: 3}}}\n"
    found = findings(tmp_path, text)
    assert [(f.severity, f.rule, f.line) for f in found] == [("info", "schema-dead-override", 13)] * 2
    assert [f.related[0][0] for f in found] == [11, 4]
    assert (
        rules(tmp_path, text.replace("leaf1: {mtu: 9000", "leaf1: {mtu: 9100").replace("priority: 3}}}", "pg: 4}}}"))
        == []
    )


def test_an_equal_ecn_is_a_repeat_only_as_a_whole(tmp_path: Path) -> None:
    same = POLICY + "devices:\n  leaf1: {classes: {rdma: {ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}}}\n"
    assert rules(tmp_path, same) == ["schema-dead-override"]
    partly = POLICY + "devices:\n  leaf1: {classes: {rdma: {ecn: {kmin: 400KB, kmax: 1700KB, pmax: 5%}}}}\n"
    assert rules(tmp_path, partly) == []
