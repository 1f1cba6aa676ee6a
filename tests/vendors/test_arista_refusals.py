"""What EOS cannot say is refused with the fix, never dropped; and what stands at the head of a file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import arista_factory as make
import pytest
from arista_lines import lines_of, profile_of, read
from arista_render import body, refused, text

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import AUTO, Buffers, Device, Headroom, Span
from rocecfg.vendors.arista.writer import FORMS
from rocecfg.vendors.base import CannotRender

# --- what cannot be said


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"ecn": AUTO}, "express ecn auto"),
        ({"ecn": replace(make.CURVE, colors=("green",))}, "colour"),
        ({"ecn": replace(make.CURVE, pmax=0.5)}, "accepts ecn.pmax from 1% to 100%, not 0.5%"),
        ({"ecn": replace(make.CURVE, kmin=3_000_000)}, "above kmax"),
        ({"ecn": replace(make.CURVE, kmax=300_000_000)}, "accepts ecn.kmax up to 256MB"),
        ({"bandwidth": 33.3}, "33.3%"),
        ({"bandwidth": 0}, "accepts bandwidth from 1% to 100%"),
        ({"max_rate": 1_500}, "max_rate 1.5K"),
        ({"guaranteed_percent": 2.5}, "guaranteed in percent"),
        ({"tc": 4, "queue": 4}, "queue of a lossless class (4"),
        ({"queue": 4}, "queue of a lossless class (4"),
        ({"pg": 4}, "pg of a lossless class (4"),
    ],
)
def test_class_settings_that_eos_lacks_are_refused(changes: dict[str, object], word: str) -> None:
    assert word in refused(make.with_class(**changes)).message


def test_half_a_percent_is_to_be_rounded() -> None:
    assert refused(make.with_class(ecn=replace(make.CURVE, pmax=5.5))).help == "write a whole percentage, 1% or more"


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"strict": True, "bandwidth": None}, "bandwidth"),
        ({"bandwidth": 30}, "bandwidth"),
        ({"bandwidth": 25, "ecn": make.CURVE}, "ecn"),
        ({"bandwidth": 25, "max_percent": 10}, None),
    ],
)
def test_classes_that_share_a_queue_must_agree(changes: dict[str, object], word: str | None) -> None:
    extra = make.traffic_class("telemetry", (), 0, **changes)
    port = replace(make.HOSTS, classes=(*make.HOSTS.classes, "telemetry"))
    device = make.device(classes=(*make.CLASSES, extra), ports=(port,))
    if word is None:
        assert "shape rate 10 percent" in body(device)
    else:
        problem = refused(device)
        assert "queue 0: " in problem.message
        assert word in problem.message


def test_queue_7_takes_nothing_but_control() -> None:
    assert (
        "queue 7 for another tc"
        in refused(make.device(classes=(*make.CLASSES[:2], replace(make.STORAGE, queue=7), make.DEFAULT))).message
    )


def test_queue_7_is_fixed_on_sand_before_4_33() -> None:
    version = "4.32.5M"
    weighted = (*make.CLASSES[:2], replace(make.CONTROL, strict=False, bandwidth=10), *make.CLASSES[3:])
    assert "4.33.0F" in refused(make.spine(classes=weighted, version=version)).message
    assert "bandwidth percent 10" in body(make.spine(classes=weighted, version="4.33.0F"))
    assert "bandwidth percent 10" in body(make.device(classes=weighted, version=version))
    assert 7 not in profile_of(read(body(make.spine(version=version))), "Ethernet1/1")["queues"]


def test_maps_that_contradict_a_class_are_refused() -> None:
    twice = make.device(classes=(*make.CLASSES, make.traffic_class("other", (26,), 1, bandwidth=5)))
    assert "DSCP 26" in refused(twice).message
    chain = make.device(classes=(*make.CLASSES, make.traffic_class("other", (), 1, tc=2, bandwidth=5)))
    assert "TC 2: storage, other" in refused(chain).message
    shared = make.one_port(trust="pcp")
    shared = replace(shared, classes=(*shared.classes, replace(make.traffic_class("other", (), 2), tc=1, queue=1)))
    assert "different TCs of one priority, trust pcp" in refused(shared).message


# --- buffers


def test_one_headroom_for_all_lossless_ports_of_strata() -> None:
    headroom = Headroom(size=64_000)
    ports = (*(replace(p, headroom=headroom) for p in (make.HOSTS, make.UPLINKS)), make.STORAGE_PORT)
    written = text(make.device(ports=ports, buffers=Buffers(alpha=0.125, shared_headroom=2_000_000)))
    pairs = lines_of(written.body)
    mmu = ("platform trident mmu queue profile ROCE",)
    assert (mmu, "ingress headroom bytes 64000") in pairs
    assert (mmu, "ingress threshold 1/8") in pairs
    assert pairs[-2:] == [
        ((), "platform trident mmu queue profile ROCE apply"),
        ((), "platform trident mmu headroom-pool limit bytes 2000000"),
    ]
    assert not any("sizes it" in note for note in written.notes)


def test_automatic_headroom_prints_nothing_and_says_so() -> None:
    written = text(make.device())
    assert "mmu" not in written.body
    assert "Headroom: EOS sizes it itself" in written.notes


@pytest.mark.parametrize(
    ("device", "word"),
    [
        (make.spine(ports=(make.ports("all", ("Ethernet1/1",), headroom=Headroom(64_000)),)), "Jericho-class"),
        (make.device(ports=(replace(make.HOSTS, headroom=Headroom(64_000)), make.UPLINKS)), "one headroom"),
        (make.device(ports=(replace(make.HOSTS, headroom=Headroom(64_000)), make.SMALL_HEADROOM)), "one headroom"),
        (make.one_port(headroom=Headroom(64_000), pfc=(2, 3)), "headroom of several priorities 2,3"),
        (make.one_port(headroom=Headroom(64_000, xon=18_000)), "xon"),
        (make.one_port(headroom=Headroom(40_000_000)), "headroom from 1B to 32MiB"),
        (make.device(buffers=Buffers(alpha=0.3)), "alpha"),
        (make.spine(buffers=Buffers(alpha=0.125)), "alpha"),
        (make.device(buffers=Buffers(lossless_pool=50)), "buffers.lossless_pool"),
        (make.device(buffers=Buffers(shared_headroom=0)), "shared_headroom"),
        (make.device(buffers=Buffers(oversubscribe=2)), "oversubscribe"),
    ],
)
def test_buffers_that_eos_lacks_are_refused(device: Device, word: str) -> None:
    assert word in refused(device).message


def test_what_belongs_to_another_systems_buffer_model_is_no_obstacle() -> None:
    plain = body(make.device())
    assert body(make.device(buffers=Buffers(model="traditional", template="t0", lossless_mtu=9000))) == plain


# --- the file


def test_the_head_names_release_family_and_how_to_apply() -> None:
    head = text(make.device()).file("leaf01").split("!\n")[0].splitlines()
    assert head[0] == "! leaf01: RoCE settings for EOS 4.33.2F, chip family strata"
    assert any("configure session" in line and "commit" in line for line in head)
    assert any(line.startswith("! Disturbs:") for line in head)
    assert all(line.startswith("! ") for line in head)


def test_a_release_nobody_stated_is_called_assumed() -> None:
    assert "the intent states no release" in text(make.device(version=None)).notes[0]


def test_equal_devices_get_equal_text_whatever_they_are_called() -> None:
    assert text(make.device(names=("zz",), key="zz")) == text(make.device())


def test_unused_forms_and_a_running_configuration_are_refused() -> None:
    device = make.device()
    assert FORMS == ("cli", "ansible")
    with pytest.raises(CannotRender, match="patch"):
        render(make.fabric(device), device, form="patch")
    with pytest.raises(CannotRender, match="merged"):
        render(make.fabric(device), device, running="leaf01.cfg")


def test_a_problem_points_at_its_place() -> None:
    span = Span(1, 10, 20)
    problem = refused(make.with_class(ecn=AUTO, origins={"ecn": span}))
    assert problem.at[0] == span


def test_a_users_template_wins_and_a_broken_one_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "arista"
    folder.mkdir()
    (folder / "interfaces.j2").write_text("! {{ view.interfaces | length }} ports by hand\n")
    device = make.device()
    written = render(make.fabric(device), device, templates=str(tmp_path))
    assert "! 64 ports by hand\n" in written.body
    assert "interface Ethernet" not in written.body
    for name, broken, word in (("a", "{{ view.nonsense }}", "nonsense"), ("b", "{% if %}", "interfaces.j2:1")):
        other = tmp_path / name / "arista"
        other.mkdir(parents=True)
        (other / "interfaces.j2").write_text(broken)
        with pytest.raises(CannotRender) as caught:
            render(make.fabric(device), device, templates=str(other.parent))
        assert word in caught.value.message
        assert str(other) in caught.value.help
