"""The Junos writer: what every output has to pass, and what is refused by name."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from junos_text import CLASSES, HEAD, INTENTS, LEAF, PFC, QFX5120, QFX5240, RELEASES, intent, rendered, switch, validate
from loops import loop
from seen import seen

from rocecfg.linting.rendering import render_device as render
from rocecfg.vendors.base import CannotRender


@pytest.mark.conformance
@loop(("form", "name", "release"), product(["curly", "set"], INTENTS, RELEASES))
def test_the_models_of_every_release_take_what_is_rendered(
    name: str, form: str, release: str, junos_validator: Path, tmp_path: Path
) -> None:
    stated = INTENTS[name].replace("defaults: {", f'defaults: {{version: "{release}", ')
    if name == "forward" and release == "23.4R1":
        with pytest.raises(CannotRender, match="no other action than drop before"):
            rendered(stated, tmp_path, form)
        return
    text = rendered(stated, tmp_path, form)
    status, reported = validate(junos_validator, "--strict", "--release", release, text=text)
    assert status == 0, reported


@pytest.mark.conformance
def test_the_validator_refuses_what_is_wrong(junos_validator: Path, tmp_path: Path) -> None:
    text = rendered(INTENTS["leaf"], tmp_path)
    for old, new in (
        ("no-loss pfc-priority 3", "pfc-priority 3"),
        ("fill-level [ 55 90 ]", "fill-level [ 90 55 ]"),
        ("scheduler-map ROCE-MAP;", "scheduler-map ROCE-MOP;"),
        ("detection 2", "detection two"),
        ("code-points 011010", "code-points 26"),
        ("priority strict-high", "priority stricthigh"),
    ):
        assert old in text
        assert validate(junos_validator, "--strict", text=text.replace(old, new, 1))[0] == 1, new


@loop("name", INTENTS)
def test_set_lines_say_the_same_as_braces(name: str, tmp_path: Path) -> None:
    curly, lines = (rendered(INTENTS[name], tmp_path, form) for form in ("curly", "set"))
    assert seen([switch(curly)]) == seen([switch(lines)])


def test_a_second_text_leaves_nothing_of_the_first(tmp_path: Path) -> None:
    """What is rocecfg's own by name is replaced, so that a code point that moves is not in two classes."""
    first = rendered(INTENTS["leaf"], tmp_path, "set")
    (tmp_path / "b").mkdir()
    moved = INTENTS["leaf"].replace("dscp: 26", "dscp: 24")
    second = rendered(moved, tmp_path / "b", "set")
    both, alone = switch(first + second), switch(second)
    assert {rule for rule, *_ in both.problems} == set()
    assert seen([both]) == seen([alone])


def test_five_numbers_agree(tmp_path: Path) -> None:
    """DSCP, class, priority in bits, queue, and the ports that have it."""
    text = rendered(INTENTS["other queue"], tmp_path)
    assert "class RDMA queue-num 4 no-loss pfc-priority 3;" in text
    assert "code-point 011 {\n                        flow-control-queue 4;" in text
    assert text.count("congestion-notification-profile ROCE-PFC;") == 4
    assert "cable-length 30;" in text


BYTES = INTENTS["leaf"].replace("kmin: 55%, kmax: 90%", "kmin: 400KB, kmax: 1600KB")


def test_bytes_are_a_percentage_of_what_a_dedicated_or_static_queue_holds(tmp_path: Path) -> None:
    text = rendered(BYTES + "buffers: {queue_limit: 1900KB}\n", tmp_path)
    assert "fill-level [ 21 84 ];" in text  # 400 / 1900 = 21.05 %, 1600 / 1900 = 84.2 %
    assert "100 x threshold / 1.9MB (buffers.queue_limit), in whole percent of 19KB" in text
    assert "dedicated or static buffers" in text


def test_bytes_of_a_queue_whose_limit_nobody_knows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotRender, match="drop profiles are in percent") as refusal:
        rendered(BYTES, tmp_path)
    assert "buffers.queue_limit" in refusal.value.help
    (tmp_path / "b").mkdir()
    with pytest.raises(CannotRender, match="holds less the fuller the others are"):
        rendered(BYTES + "buffers: {queue_limit: 1900KB, alpha: 1}\n", tmp_path / "b")


def test_an_mru_of_no_bytes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotRender, match="lossless_mtu from 1B to 9KiB, not 0B"):
        rendered(INTENTS["leaf"] + "buffers: {lossless_mtu: 0B}\n", tmp_path)
    (tmp_path / "b").mkdir()
    assert "mru 1;" in rendered(INTENTS["leaf"] + "buffers: {lossless_mtu: 1B}\n", tmp_path / "b")


def test_a_lag_has_the_cable_that_one_of_its_ports_states(tmp_path: Path) -> None:
    own = '"et-0/0/2": {speed: 800G, lag: ae1, cable: 30m}\n      "et-0/0/3": {speed: 800G, lag: ae1}'
    stated = INTENTS["leaf"].replace('"et-0/0/[2-3]": {speed: 800G, faces: switch, cable: 30m}', own)
    text = rendered(stated, tmp_path)
    assert text.count("cable-length 30;") == 1
    assert text.partition("\nclass-of-service {")[2].count(" ae1 {") == 1


@pytest.mark.parametrize(
    ("mtu", "physical"), [("9000", 9014), ("1500", 1514), ("9202", 9216)], ids=["9000", "1500", "the most"]
)
def test_the_physical_mtu_counts_the_ethernet_header(mtu: str, physical: int, tmp_path: Path) -> None:
    text = rendered(INTENTS["leaf"].replace("mtu: 9000", f"mtu: {mtu}"), tmp_path)
    assert text.count(f"mtu {physical};") == 7


def test_a_tagged_port_has_room_for_its_tag(tmp_path: Path) -> None:
    text = rendered(INTENTS["tagged"], tmp_path)
    assert text.count("mtu 9018;") == 4
    assert "input {\n                cable-length 3;\n                ieee-802.1 {" in text


def test_classes_are_not_named_as_those_that_are_lossless_by_themselves(tmp_path: Path) -> None:
    text = rendered(INTENTS["leaf"].replace("  default:", "  no-loss:"), tmp_path)
    assert "class NO-LOSS-CLASS queue-num 0;" in text


@loop(
    ("text", "reported"),
    [
        (
            INTENTS["leaf"].replace("kmin: 55%, kmax: 90%", "kmin: 400KB, kmax: 1600KB"),
            "drop profiles are in percent",
        ),
        (
            INTENTS["leaf"].replace("kmin: 55%, kmax: 90%", "kmin: 55.5%, kmax: 90%"),
            "a fill level is a whole percentage",
        ),
        (INTENTS["leaf"].replace("kmin: 55%, kmax: 90%", "kmin: 90%, kmax: 90%"), "fill levels rise"),
        (INTENTS["leaf"].replace("{kmin: 55%, kmax: 90%, pmax: 100%}", "auto"), "in percent of the queue's buffer"),
        (INTENTS["leaf"].replace("pmax: 100%", "pmax: 100%, weight: 4"), "averaged"),
        (INTENTS["leaf"].replace("pmax: 100%", "pmax: 100%, colors: [green]"), "every packet of a class"),
        (
            INTENTS["leaf"].replace("action: drop", "action: errdisable"),
            "the watchdog drops or forwards",
        ),
        (INTENTS["leaf"].replace("drop}", "drop, priorities: [4]}"), "which are all lossless ones"),
        (INTENTS["leaf"] + "buffers: {shared_headroom: 1MB}\n", "a partition in percent"),
        (INTENTS["leaf"] + "buffers: {alpha: 3}\n", "powers of 2"),
        (INTENTS["leaf"] + "buffers: {alpha: 16}\n", "0.007812 to 8, not 16"),
        (INTENTS["leaf"] + "buffers: {pools: {lossless: 66%}}\n", "add up to 100"),
        (INTENTS["leaf"] + "buffers: {pools: {lossless: 90%, lossy: 10%}}\n", "up to 99%, not 100%"),
        (INTENTS["junos os"] + "buffers: {pools: {lossless: 66%, lossy: 10%}}\n", "multicast"),
        (
            INTENTS["leaf"].replace("bandwidth: 40}", "bandwidth: 40, guaranteed: 1G}"),
            "statement for a guarantee",
        ),
        (INTENTS["leaf"].replace("pfc: {", "pfc: {headroom: 80KB, "), "XOFF cannot be set"),
        (INTENTS["leaf"].replace("et-0/0/64", "Ethernet1/1"), "not a port of a QFX"),
        (INTENTS["leaf"].replace("faces: host,", "faces: host, flowcontrol: rx,"), "no 802.3x pause"),
        (INTENTS["leaf"].replace("faces: host,", "faces: host, lag: bond1,"), "ae and its number"),
        (INTENTS["leaf"].replace("faces: host,", "faces: host, trust: none,"), "trust of ports with PFC none"),
        (INTENTS["leaf"].replace("role: leaf", "dcbx: on"), "dcbx"),
        (INTENTS["two lossless"].replace("priority: 4,", "priority: 3, queue: 4,"), "would pause both"),
        (INTENTS["shared queue"].replace("queue: 0,", "queue: 3,"), "lossless and lossy classes on a queue"),
        (INTENTS["leaf"].replace("juniper-qfx5240-64od", "nvidia-sn5600"), "not known to run on"),
        (HEAD + CLASSES + PFC + QFX5120.replace("}", ', version: "23.Z"}') + LEAF, "not a release of junos"),
        (
            HEAD + CLASSES + PFC + QFX5240 + LEAF.replace("3m}", "3m, pfc: {watchdog: {action: forward}}}"),
            "a switch has one",
        ),
    ],
)
def test_what_junos_cannot_say_is_refused_by_name(text: str, reported: str, tmp_path: Path) -> None:
    fabric = intent(text, tmp_path)
    with pytest.raises(CannotRender) as error:
        render(fabric, fabric.devices[0])
    assert reported in error.value.message
    assert error.value.at


def test_no_other_form_and_no_running_configuration(tmp_path: Path) -> None:
    fabric = intent(INTENTS["leaf"], tmp_path)
    with pytest.raises(CannotRender, match="no form 'cli'"):
        render(fabric, fabric.devices[0], form="cli")
    with pytest.raises(CannotRender, match="needs no running configuration"):
        render(fabric, fabric.devices[0], running="{}")


def test_queue_7_is_told_of_where_the_others_leave_it_nothing(tmp_path: Path) -> None:
    """A share that is not stated, as of a strict class, is none: 60 and 40 percent are all there is."""
    told = "Queue 7 (network-control)"
    whole = INTENTS["leaf"]
    assert told not in rendered(whole, tmp_path)  # control has it
    without = re.sub(r"\n  control: .*", "", whole)
    assert told in rendered(without, tmp_path)
    assert told not in rendered(without.replace("bandwidth: 40", "bandwidth: 39"), tmp_path)
