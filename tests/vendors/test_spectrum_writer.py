"""The NVUE writer: what it prints, in which spelling, and what it refuses to print."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import spectrum_devices as make
from spectrum_short import changed, config, notes, one_port, only, rendered
from spectrum_tree import Config, check_asked, check_whole, from_commands, from_yaml, from_yaml_1_1, value

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Computed, Device, Headroom, Span, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.writer import FORMS as ALL_FORMS

FORMS = tuple(form for form in ALL_FORMS if form != "ansible")  # its tasks carry the form nvue

KINDS = make.every_kind()

# -- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_both_forms_and_both_yamls_say_the_same(kind: str) -> None:
    fabric, device = KINDS[kind]
    text = render(fabric, device).body
    leaves = from_yaml(text)
    assert leaves == from_yaml_1_1(text)
    assert leaves == from_commands(render(fabric, device, form="commands").body)


@pytest.mark.parametrize("kind", KINDS)
def test_it_makes_sense_and_is_what_was_asked(kind: str) -> None:
    fabric, device = KINDS[kind]
    leaves = from_yaml(render(fabric, device).body)
    whole = check_whole(leaves, every_dscp=fabric.classification == "explicit")
    check_asked(whole, fabric, device)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("nothing lossless", "vendor's map")])
def test_nothing_that_roce_implies_is_left_unsaid(kind: str) -> None:
    """The rows of NVIDIA's table of what `qos roce` sets, each on a port that is bound to nothing."""
    found = Config(from_yaml(render(*KINDS[kind]).body))
    mapping = found.on(None, "mapping")
    assert "trust" in mapping
    assert len(mapping.get("dscp", {})) == 64 or value(mapping["trust"]) == "l2"
    assert len(found.on(None, "egress-queue-mapping")["switch-priority"]) == 8
    assert {"0", "3", "6"} <= set(found.on(None, "egress-scheduler")["traffic-class"])
    assert {"0", "3"} <= set(found.on(None, "congestion-control")["traffic-class"])
    assert {"switch-priority", "tx", "rx", "cable-length"} <= set(found.on(None, "pfc"))
    for pool in ("default-lossy", "roce-lossless"):
        assert set(found.qos["traffic-pool"][pool]) == {"memory-percent", "switch-priority"}
    assert value(found.qos["roce"]["mode"]) == "lossless"


def test_the_neighbours_of_26_and_48_are_not_lossless() -> None:
    dscp = config(make.policy()).qos["mapping"]["default-global"]["dscp"]
    priorities = {int(d): value(stated["switch-priority"]) for d, stated in dscp.items()}
    assert {d for d, sp in priorities.items() if sp == "3"} == {26}
    assert {d for d, sp in priorities.items() if sp == "6"} == {48}
    assert sorted(priorities) == list(range(64))


def test_moving_the_priority_moves_all_five_objects() -> None:
    qos = config(make.moved()).qos
    queues = qos["egress-queue-mapping"]["default-global"]["switch-priority"]
    assert set(qos["pfc"]["default-global"]["switch-priority"]) == {"5"}
    assert (value(queues["5"]["traffic-class"]), value(queues["3"]["traffic-class"])) == ("5", "0")
    assert value(qos["mapping"]["default-global"]["trust"]) == "l3"
    assert value(qos["mapping"]["default-global"]["dscp"]["40"]["switch-priority"]) == "5"
    assert set(qos["traffic-pool"]["roce-lossless"]["switch-priority"]) == {"5"}
    assert "3" in qos["traffic-pool"]["default-lossy"]["switch-priority"]
    assert value(qos["congestion-control"]["default-global"]["traffic-class"]["3"]["ecn"]) == "disable"
    assert set(qos["egress-scheduler"]["default-global"]["traffic-class"]["3"]) == {"mode"}  # of roce's 50 % nothing


def test_ports_that_differ_are_bound_to_profiles() -> None:
    found = config(make.leaf())
    assert found.bound["swp33"] == {"pfc": "rocecfg-pfc-30m", "congestion-control": "rocecfg-ecn-800g"}
    assert found.bound["swp49"] == {"pfc": "rocecfg-pfc-off", "congestion-control": "rocecfg-ecn-off"}
    assert "swp1s0" not in found.bound  # the most ports: theirs is default-global
    off = found.qos["pfc"]["rocecfg-pfc-off"]
    assert (value(off["tx"]), value(off["rx"]), set(off)) == ("disable", "disable", {"tx", "rx"})
    assert {p for p, state in found.watchdog.items() if state == "enable"} == {*make.HOSTS.names, *make.UPLINKS.names}


def test_default_global_is_lossless_however_few_ports_are() -> None:
    many = make.ports("swp[1-60]", [f"swp{n}" for n in range(1, 61)], (make.STORAGE, make.CONTROL, make.DEFAULT))
    found = config(make.device(groups=(many, make.ports("swp61", ["swp61"]))))
    assert set(found.on(None, "pfc")["switch-priority"]) == {"3"}
    assert found.bound["swp60"]["pfc"] == "rocecfg-pfc-off"
    assert "swp61" not in found.bound


def test_trusted_pcp_of_no_class_goes_to_the_default() -> None:
    classes = make.with_rest(make.RDMA, replace(make.DEFAULT, priority=1, tc=1, queue=1))
    mapping = config(only(*classes, trust="pcp")).qos["mapping"]["default-global"]
    assert value(mapping["trust"]) == "l2"
    assert {pcp: value(stated["switch-priority"]) for pcp, stated in mapping["pcp"].items()} == {
        "0": "1", "1": "1", "2": "1", "3": "3", "4": "1", "5": "1", "6": "1", "7": "1",
    }  # fmt: skip
    assert value(mapping["port-default-sp"]) == "1"


def test_port_ranges_are_short_and_in_front_panel_order() -> None:
    lines = rendered(make.leaf(), "commands").body.splitlines()
    keys = [line.split(" ")[3] for line in lines if " pfc-watchdog state enable" in line]
    assert keys[0].startswith("swp1s0-1,swp2s0-1,swp3s0-1,")
    assert keys[-1] == "swp33-48"
    shuffled = make.device(groups=(make.ports("x", ["swp10", "swp2", "swp1", "swp3", "swp2"]),))
    assert "nv set interface swp1-3,swp10 qos pfc-watchdog state enable" in rendered(shuffled, "commands").body


def test_no_line_is_longer_than_a_terminal_takes() -> None:
    scattered = make.device(groups=(make.ports("x", [f"swp{n}s{m}" for n in range(1, 65) for m in (0, 2, 4, 6)]),))
    text = rendered(scattered).body
    assert max(map(len, text.splitlines())) <= 120
    assert len(Config(from_yaml(text)).watchdog) == 256


@pytest.mark.parametrize(
    ("metres", "stated"), [(0.2, "1"), (0, "1"), (3, "3"), (29.2, "30"), (1500, "1500"), (None, "100")]
)
def test_cable_is_rounded_up_and_never_0(metres: float | None, stated: str) -> None:
    found = config(one_port(cable=metres))
    assert value(found.qos["pfc"]["default-global"]["cable-length"]) == stated
    assert ("Cable length not stated: 100 m" in notes(one_port(cable=metres))) == (metres is None)


@pytest.mark.parametrize(
    ("detection", "poll", "stated"),
    [(200, 100, ("100", "2")), (250, 100, ("100", "3")), (1000, 200, ("200", "5")), (100, 100, ("100", "1"))],
)
def test_timers_become_polling_and_robustness(detection: float, poll: float, stated: tuple[str, str]) -> None:
    device = one_port(watchdog=Watchdog(detection, None, poll, "drop"))
    found = config(device).qos["pfc-watchdog"]
    assert (value(found["polling-interval"]), value(found["robustness"])) == stated
    assert ("detection_time 250ms becomes 300ms" in notes(device)) == (detection == 250)


def test_watchdog_off_and_left_to_cumulus() -> None:
    off = config(one_port(watchdog=None))
    assert (off.watchdog, "pfc-watchdog" in off.qos) == ({"swp1": "disable"}, False)
    left = config(one_port(watchdog=Watchdog(None, None, None, None, vendor_default=True)))
    assert (left.watchdog, "pfc-watchdog" in left.qos) == ({"swp1": "enable"}, False)


def test_restoration_time_is_told_only_where_it_was_asked_for() -> None:
    asked = replace(make.WATCHDOG, origins={"restoration": Span(0, 1, 2)})
    worked_out = replace(make.WATCHDOG, origins={"restoration": Computed("2 x detection_time")})
    assert "restoration_time 400ms has no counterpart" in notes(one_port(watchdog=asked))
    assert "restoration" not in notes(one_port(watchdog=worked_out))


def test_pools() -> None:
    def percents(buffers: Buffers) -> dict[str, str]:
        pools = config(make.plain_leaf(buffers=buffers)).qos["traffic-pool"]
        return {name: value(pool["memory-percent"]) for name, pool in pools.items()}

    assert percents(Buffers()) == {"default-lossy": "50", "roce-lossless": "50"}
    assert percents(Buffers(lossless_pool=90, lossy_pool=10)) == {"default-lossy": "10", "roce-lossless": "90"}
    assert percents(Buffers(lossless_pool=70)) == {"default-lossy": "30", "roce-lossless": "70"}
    assert percents(Buffers(lossy_pool=20)) == {"default-lossy": "20", "roce-lossless": "80"}
    assert "Traffic pools 50/50" in notes(make.plain_leaf())
    assert "Traffic pools" not in notes(make.plain_leaf(buffers=Buffers(lossless_pool=70)))


def test_headroom_is_counted_from_nvue_s_end() -> None:
    room = Headroom(size=300_000, xon=20_000, xoff=250_000)  # pause at 50 000, resume at 20 000: 30 000 below
    pfc = config(one_port(headroom=room)).qos["pfc"]["default-global"]
    assert {k: value(pfc[k]) for k in ("port-buffer", "xoff-threshold", "xon-threshold")} == {
        "port-buffer": "300000",
        "xoff-threshold": "50000",
        "xon-threshold": "30000",
    }
    assert "port-buffer" not in config(one_port(headroom="auto")).qos["pfc"]["default-global"]
    alone = config(one_port(headroom=Headroom(300_000))).qos["pfc"]["default-global"]
    assert (value(alone["port-buffer"]), "xoff-threshold" in alone) == ("300000", False)
    assert "NVIDIA advises" in notes(one_port(headroom=room))


def test_rates_become_a_bound_shaper_in_kbit() -> None:
    found = config(changed("cnp", max_rate=10 * make.G, guaranteed_percent=0.5))
    rates = found.qos["egress-shaper"][found.bound["swp1"]["egress-shaper"]]["traffic-class"]
    assert {k: value(v) for k, v in rates["6"].items()} == {"max-rate": "10000000", "min-rate": "2000000"}
    assert set(rates) == {"6"}


def test_small_packets_from_5_17_on_every_lossless_profile() -> None:
    device = make.leaf(buffers=Buffers(small_packets=20), version="5.17")
    profiles = config(device).qos["pfc"]
    lossless = [p for p in profiles.values() if "cable-length" in p]
    assert len(lossless) == 2
    assert {value(p["small-packet-probability"]) for p in lossless} == {"20"}
    assert not any("small-packet-probability" in p for p in profiles.values() if p not in lossless)
    assert "small_packets" not in notes(device)
    older = replace(device, version="5.16")
    assert "small-packet-probability" not in rendered(older).body
    assert "left out: buffers small_packets" in notes(older)


def test_alpha() -> None:
    buffer = config(make.plain_leaf(buffers=Buffers(alpha=1 / 16))).qos["advance-buffer-config"]["default-global"]
    assert value(buffer["ingress-lossless-buffer"]["shared-alpha"]) == "alpha_1_16"
    assert "advance-buffer-config" not in config(make.plain_leaf()).qos


def test_no_lossless_class_turns_roce_off() -> None:
    lossy = tuple(replace(c, lossless=False) for c in make.CLASSES)
    found = config(only(*lossy))
    assert value(found.qos["roce"]["enable"]) == "off"
    assert not {"pfc", "pfc-watchdog"} & set(found.qos)
    assert value(found.qos["traffic-pool"]["default-lossy"]["memory-percent"]) == "100"
    assert "mode" not in found.qos["roce"]


def test_semi_lossless_obeys_pauses_and_sends_none() -> None:
    pfc = config(make.plain_leaf(), mode="semi-lossless").qos["pfc"]["default-global"]
    assert (value(pfc["tx"]), value(pfc["rx"])) == ("disable", "enable")


def test_bond_takes_the_profiles_and_its_members_the_watchdog() -> None:
    uplinks = replace(make.UPLINKS, lag="bond7")
    found = config(make.leaf(ports=(make.HOSTS, uplinks)))
    assert found.bound["bond7"] == {"pfc": "rocecfg-pfc-30m", "congestion-control": "rocecfg-ecn-800g"}
    assert not set(uplinks.names) & set(found.bound)
    assert {found.watchdog[p] for p in uplinks.names} == {"enable"}


def test_vendor_s_map_keeps_what_no_class_claims() -> None:
    fabric, device = KINDS["vendor's map"]
    text = render(fabric, device)
    assert set(Config(from_yaml(text.body)).qos["mapping"]["default-global"]["dscp"]) == {"18", "20", "26", "48", "56"}
    assert "keep the vendor's map" in "\n".join(text.notes)


def test_policy_covers_every_port_and_tells_what_it_cannot() -> None:
    text = rendered(make.policy())
    assert "interface" not in Config(from_yaml(text.body)).tree
    assert "pfc-watchdog state enable" in "\n".join(text.notes)


def test_eth0_is_left_alone() -> None:
    eth0 = make.ports("eth0", ["eth0"], (make.CONTROL, make.CLASSES[-1]), faces="management")
    device = make.device(groups=(make.HOSTS, eth0))
    assert "eth0" not in rendered(device).body
    assert "Not ports of the switch chip, so nothing is set there: eth0" in notes(device)


def test_shares_nobody_states_are_equal() -> None:
    fabric, device = KINDS["no shares"]
    turns = Config(from_yaml(render(fabric, device).body)).qos["egress-scheduler"]["default-global"]["traffic-class"]
    assert {tc: value(t["bw-percent"]) for tc, t in turns.items() if "bw-percent" in t} == {
        "0": "34",
        "2": "33",
        "3": "33",
    }


# -- releases --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "roce"),
    [
        ("5.6", ("enable", "on")), ("5.9", ("enable", "on")), ("5.14", ("enable", "on")), ("5.14.2", ("enable", "on")),
        ("5.15", ("state", "enabled")), ("5.16.1", ("state", "enabled")), ("6.0", ("state", "enabled")),
    ],
)  # fmt: skip
def test_spelling_by_release(release: str, roce: tuple[str, str]) -> None:
    text = rendered(make.plain_leaf(version=release))
    leaves = from_yaml(text.body)
    assert {leaf for leaf in leaves if leaf[:2] == ("qos", "roce")} == {
        ("qos", "roce", *roce),
        ("qos", "roce", "mode", "lossless"),
    }
    assert ("interface", "swp1", "qos", "pfc-watchdog", "state", "enable") in leaves
    assert f"Cumulus Linux {release}, NVUE" in text.notes[0]


def test_an_assumed_release_is_said_to_be() -> None:
    assert "(assumed: the intent states no version)" in rendered(make.plain_leaf(version=None)).notes[0]
    assert "assumed" not in rendered(make.plain_leaf()).notes[0]


@pytest.mark.parametrize(
    ("release", "device", "lacking"),
    [
        ("5.2", make.plain_leaf(), "qos"),
        ("4.4", make.plain_leaf(), "qos"),
        ("5.5", make.plain_leaf(), "PFC watchdog"),
        ("5.3", changed("cnp", max_rate=make.G), "egress shaper"),
        ("5.3", make.plain_leaf(buffers=Buffers(alpha=0.5)), "alpha"),
    ],
)
def test_an_old_release_is_refused_by_what_it_lacks(release: str, device: Device, lacking: str) -> None:
    groups = device.ports if lacking == "PFC watchdog" else tuple(replace(g, watchdog=None) for g in device.ports)
    known = release if release != "4.4" else "as of 5.0, the oldest that is known after 4.4,"
    with pytest.raises(CannotRender, match=f"Cumulus Linux {known} cannot express .*{lacking}"):
        rendered(replace(device, version=release, ports=groups))


def test_5_5_renders_without_watchdog() -> None:
    assert config(replace(one_port(watchdog=None), version="5.5")).watchdog == {}


# -- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_the_name_of_the_device_is_not_in_the_text(form: str) -> None:
    device = make.leaf(names=("zebra-07",), key="zebra-07")
    text = rendered(device, form)
    assert "zebra" not in text.body + "".join(text.notes)
    assert text.file("zebra-07").startswith("# zebra-07: RoCE settings for Cumulus Linux 5.14")
    assert text.suffix == {"nvue": ".yaml", "commands": ".nv"}[form]


def test_the_head_tells_how_to_apply_and_what_it_disturbs() -> None:
    head = rendered(make.leaf()).notes
    assert any("nv config patch" in n and "nv config apply" in n and "nv config diff" in n for n in head)
    assert any("packets may be lost" in n and "window" in n for n in head)
    assert any("apply the breakout before" in n for n in head)
    assert not any("breakout" in n for n in rendered(make.plain_leaf()).notes)
    assert any("bash" in n for n in rendered(make.leaf(), "commands").notes)


def test_a_comment_does_not_disturb_either_form() -> None:
    device = make.leaf()
    assert from_yaml(rendered(device).file("leaf01")) == from_yaml(rendered(device).body)
    lines = rendered(device, "commands").file("leaf01").splitlines()
    assert all(line.startswith(("# ", "nv set ")) for line in lines)


def test_equal_devices_give_equal_text() -> None:
    assert rendered(make.leaf()) == rendered(make.leaf(names=("leaf02",), key="leaf02"))


def test_user_s_template_wins(tmp_path: Path) -> None:
    (tmp_path / "spectrum").mkdir()
    (tmp_path / "spectrum" / "nvue.yaml.j2").write_text("- set: {qos: {roce: {mode: {{ view.alpha or 'mine' }}}}}\n")
    device = make.plain_leaf()
    fabric = make.fabric(device)
    assert render(fabric, device, templates=str(tmp_path)).body == "- set: {qos: {roce: {mode: mine}}}\n"
    assert render(fabric, device, form="commands", templates=str(tmp_path)).body == rendered(device, "commands").body


@pytest.mark.parametrize(
    ("template", "reported"),
    [
        ("- set: {{ view.nosuch }}\n", "nvue.yaml.j2:1: UndefinedError"),
        ("\n{% for x %}\n", "nvue.yaml.j2:2: TemplateSyntaxError"),
        ("{{ ''.__class__.__mro__ }}", "SecurityError"),
    ],
)
def test_user_s_broken_template_is_told_with_its_place(tmp_path: Path, template: str, reported: str) -> None:
    (tmp_path / "spectrum").mkdir()
    (tmp_path / "spectrum" / "nvue.yaml.j2").write_text(template)
    device = make.plain_leaf()
    with pytest.raises(CannotRender) as refusal:
        render(make.fabric(device), device, templates=str(tmp_path))
    assert reported in refusal.value.message
    assert str(tmp_path) in refusal.value.message + refusal.value.help
