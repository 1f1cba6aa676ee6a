"""`ecn: auto` and `headroom: auto`: what they come to, checked by hand, and that `show` explains every number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fixed_point import find_queue
from intents import CURVE, POLICY, rocecfg, write

from rocecfg.intent import load
from rocecfg.model import AUTO, Computed, Device, Ecn, Headroom, PortGroup, TrafficClass
from rocecfg.physics import dcqcn
from rocecfg.physics.dcqcn_linear import needed_marking

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
G = 10**9
INTENT = (
    POLICY.replace("{name: lab}", "{name: auto, workload: ai-training}").replace(CURVE, "auto")
    + """\
  headroom: auto
defaults: {vendor: sonic, platform: dell-z9864f, version: "202505", cable: 40m, faces: switch}
devices:
  leaf01:
    ports:
      "Ethernet[0-504/8]": {speed: 800G}
"""
)
OF_FAMILY = INTENT.replace("workload: ai-training", "workload: ai-training, ecn_family: hpcc")


def device(folder: Path, text: str) -> Device:
    write(folder, {"fabric.yaml": text})
    loaded = load(str(folder / "fabric.yaml"))
    assert not loaded.problems
    assert loaded.fabric is not None
    return loaded.fabric.devices[0]


def rdma(of: Device) -> TrafficClass:
    return of.cls("rdma")


def curve(of: Device, speed: int) -> Ecn:
    found = rdma(of).ecn_at(speed)
    assert isinstance(found, Ecn)
    return found


def room(port: PortGroup) -> Headroom:
    assert port.room is not None
    return port.room


def working(room_or_curve: Headroom | Ecn, field: str) -> str:
    origin = room_or_curve.at(field)
    assert isinstance(origin, Computed)
    return origin.formula


# -- ECN ---------------------------------------------------------------------------------------------------------------


def test_the_family_is_scaled_by_speed_and_kept_before_pfc(tmp_path: Path) -> None:
    """TH5, 64 x 800G, B 162 539 680 B, alpha 1: the bounds are B/128 = 1 269 841 B and B/65 = 2 500 610 B."""
    found = curve(device(tmp_path, OF_FAMILY), 800 * G)
    assert (found.kmin, found.kmax) == (4999 * 254, 9844 * 254)
    # 1.23 MB is left of a ramp of 9.6 MB: 20 % x 0.128 = 2.6 %, as steep as was meant; 5 % is the least in print
    assert found.pmax == 5
    assert "the least that is published" in working(found, "pmax")
    assert found.kmin < 162_539_680 / 128 < found.kmin + 254
    assert found.kmax < 162_539_680 / 65 < found.kmax + 254
    assert "100KB at 25G x 800G/25G = 3.2MB" in working(found, "kmin")
    assert "alpha 1, B 162539680B, n 64" in working(found, "kmax")


def test_few_ports_leave_the_family_as_it_is_but_for_the_cells(tmp_path: Path) -> None:
    """Four lossless ports at 400G: 16 x (100 KB, 400 KB), rounded to 254 B cells."""
    few = OF_FAMILY.replace('"Ethernet[0-504/8]": {speed: 800G}', '"Ethernet[0-24/8]": {speed: 400G}')
    found = curve(device(tmp_path, few), 400 * G)
    assert (found.kmin, found.kmax) == (6299 * 254, 25197 * 254)
    assert abs(found.kmin - 1_600_000) <= 127
    assert abs(found.kmax - 6_400_000) <= 127


def test_more_senders_than_the_family_holds_raise_pmax(tmp_path: Path) -> None:
    many = INTENT.replace("workload: ai-training", "workload: ai-training, ecn_family: sonic, incast: 512")
    found = curve(device(tmp_path, many), 800 * G)
    # DCQCN at 800G, 4 KB packets: 512 senders need a marking probability above SONiC's 5 %
    assert 5 < found.pmax <= 100
    assert "512 senders need p* of" in working(found, "pmax")
    assert "above sonic 5%" in working(found, "pmax")


def test_a_shortened_ramp_still_holds_the_senders(tmp_path: Path) -> None:
    """pmax falls with the ramp, and the queue that marks p* is on it still."""
    found = curve(device(tmp_path, OF_FAMILY.replace("ai-training", "ai-training, incast: 32")), 800 * G)
    params = dcqcn.PAPER._replace(packet=4096)
    needed = needed_marking(800 * G, 32, params)
    rests = find_queue(needed, dcqcn.Curve(found.kmin, found.kmax, found.pmax / 100))
    assert found.pmax < 20
    assert rests is not None
    assert found.kmin < rests < found.kmax


def test_a_family_of_ones_own_is_taken(tmp_path: Path) -> None:
    folder = tmp_path / "rocecfg-profiles" / "ecn"
    folder.mkdir(parents=True)
    (folder / "ours.yaml").write_text(
        "title: Ours\nkmin: 508KB\nkmax: 1016KB\npmax: 7%\njudged: measured\nmark: V\nsource: our own tests\n"
    )
    found = curve(device(tmp_path, INTENT.replace("ai-training", "ai-training, ecn_family: ours")), 800 * G)
    assert (found.kmin, found.kmax, found.pmax) == (508_000, 1_016_000, 7)


def test_auto_on_some_ports_is_worked_out_for_them(tmp_path: Path) -> None:
    text = OF_FAMILY.replace("ecn: auto}", "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}").replace(
        '"Ethernet[0-504/8]": {speed: 800G}',
        '"Ethernet[0-24/8]": {speed: 800G}\n      "Ethernet[32-56/8]": {speed: 400G, classes: {rdma: {ecn: auto}}}',
    )
    found = device(tmp_path, text)
    assert curve(found, 800 * G).kmin == 400_000
    (changed,) = found.ports[1].overrides
    on_port = changed.ecn_at(400 * G)
    assert isinstance(on_port, Ecn)
    assert abs(on_port.kmin - 1_600_000) <= 127


def test_a_policy_with_a_chip_counts_the_ports_that_the_chip_carries(tmp_path: Path) -> None:
    """51.2T at 400G are 128 ports: kmin below alpha B / (128 (1 + alpha)) with what TH5's tables usually give."""
    head = OF_FAMILY[: OF_FAMILY.index("defaults:")]
    found = device(tmp_path, f"{head}defaults: {{vendor: arista, asic: tomahawk5, speed: 400G}}\n")
    assert "n 128" in working(curve(found, 400 * G), "kmin")


def test_without_speed_or_chip_auto_stays_open_and_rendering_says_so(tmp_path: Path) -> None:
    head = INTENT[: INTENT.index("defaults:")]
    for defaults in ("defaults: {vendor: sonic, asic: tomahawk5}", "defaults: {vendor: sonic, speed: 400G}"):
        found = device(tmp_path, f"{head}{defaults}\n")
        assert rdma(found).ecn_at(None) == AUTO
        done = rocecfg(tmp_path, "render", "--vendor", "sonic", expect=2)
        assert "express ecn" in done.stderr


def test_an_unknown_pool_is_said(tmp_path: Path) -> None:
    head = INTENT[: INTENT.index("defaults:")]
    found = device(tmp_path, f"{head}defaults: {{vendor: sonic, asic: silicon-one-g200, speed: 400G}}\n")
    assert curve(found, 400 * G).kmin == 1_600_000
    assert "not bounded by PFC" in working(curve(found, 400 * G), "kmin")


# -- headroom ----------------------------------------------------------------------------------------------------------


def test_a_table_gives_the_next_length_it_lists(tmp_path: Path) -> None:
    """SONiC, DellEMC Z9864f, 800G: 5, 40 and 300 m are listed; xoff at 40 m is 835 406 B."""
    for cable, xoff in (("40m", 835_406), ("39.5m", 835_406), ("5m", 729_488), ("41m", 1_621_536)):
        (port,) = device(tmp_path, INTENT.replace("cable: 40m", f"cable: {cable}")).ports
        assert room(port).xoff == xoff
        assert port.alpha == 1


def test_beyond_the_table_the_chips_slope_goes_on(tmp_path: Path) -> None:
    """300 m of it: 1 621 536 B; then 2 x 5 ns/m x 100 B/ns x 3.024 = 3024 B/m, in cells of 254 B."""
    (port,) = device(tmp_path, INTENT.replace("cable: 40m", "cable: 500m")).ports
    wanted = 1_621_536 + 200 * 2 * 5 * 100 * 254 / 84
    xoff = room(port).xoff
    assert xoff is not None
    assert xoff % 254 == 0
    assert 0 <= xoff - wanted < 254 + 200  # a cell, and what rounding 254/84 to 3.024 leaves over 200 m
    assert "3024" in working(room(port), "xoff")


@pytest.mark.parametrize(
    ("platform", "speed", "version", "size", "xoff"),
    [
        # SONiC's own script, 50 % small packets, no shared headroom, MTU 9100; master adds 2 KiB to what was before
        ("nvidia-sn2700", "100G", "master", 67_584, 48_128),
        ("nvidia-sn2700", "100G", "202511", 65_536, 46_080),
        ("nvidia-sn5600", "400G", "master", 139_264, 119_808),
    ],
)
def test_the_dynamic_model_computes_as_the_switch_does(
    platform: str, speed: str, version: str, size: int, xoff: int, tmp_path: Path
) -> None:
    text = INTENT.replace("dell-z9864f", platform).replace("202505", version)
    text = text.replace("name: auto", "name: auto, mtu: 9100").replace("[0-504/8]", "[0-24/8]").replace("800G", speed)
    (port,) = device(tmp_path, text).ports
    assert (room(port).size, room(port).xoff) == (size, xoff)


@pytest.mark.parametrize("release", ["202405", "202405.3", "20240510.02"])
def test_a_build_of_a_release_has_the_headroom_of_the_release(release: str, tmp_path: Path) -> None:
    """small_packet_percentage is 100 up to 202405: with 50, xoff would come out less than half of what is needed."""
    text = INTENT.replace("dell-z9864f", "nvidia-sn5600").replace("202505", release).replace("[0-504/8]", "[0-24/8]")
    assert "100% small packets" in working(room(device(tmp_path, text).ports[0]), "xoff")


def test_a_stated_headroom_stays_as_stated(tmp_path: Path) -> None:
    text = INTENT.replace("headroom: auto", "headroom: {size: 1MB, xon: 20KB, xoff: 900KB}")
    (port,) = device(tmp_path, text).ports
    assert port.room == port.headroom == Headroom(1_000_000, 20_000, 900_000)


# -- show --------------------------------------------------------------------------------------------------------------

EXPLAINED = re.compile(r"(\S+\.ya?ml:\d+|default: \S|computed: \S|profile \S+/\S+ )")


@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.iterdir()))
def test_show_explains_each_number_of_each_example(name: str, tmp_path: Path) -> None:
    lines = rocecfg(tmp_path, "show", str(EXAMPLES / name), expect=0).stdout.splitlines()
    numbers = [line for line in lines if re.match(r"\s+\S+\s+\S*\d", line) and not line.strip().startswith("ports ")]
    assert len(numbers) > 10
    for line in numbers:
        assert EXPLAINED.search(line), line
