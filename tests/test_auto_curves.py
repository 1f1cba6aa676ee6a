"""What `ecn: auto` keeps: a frame, one curve for a chip and speed, and small steps between numbers of senders."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from intents import CURVE, POLICY, fabric, findings
from sampling import part

from rocecfg.intent.derived import size_curves
from rocecfg.model import Default, Ecn
from rocecfg.physics.watchdog import effective_time, usual_restoration
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL
from rocecfg.sizing.marking import Aims, Demand, find_curve, find_limits, merge_demands

G = 10**9
HERE = Default("here")
CHIPS = SHIPPED.names("curves")
STEP, POINTS = 0.1, 2  # what one sender more may move a threshold by, and pmax in percentage points


def aims(incast: int | None = None, family: str = "hpcc") -> Aims:
    return Aims(SHIPPED.family(family), 0.008, None, incast, (), SHIPPED.curves_of)


def curve(chip: str, speed: int, *, incast: int | None = None, mtu: int = 9000, ports: int | None = None) -> Ecn:
    pool, alpha = (30_000_000, 0.0625) if ports is not None else (None, None)
    bounds = find_limits(pool, alpha, ports, speed, 5, aims(incast))
    return find_curve(aims(incast), SHIPPED.asic(chip), speed, Demand(bounds, mtu, ()), HERE)


def test_kmin_is_never_below_a_frame() -> None:
    for chip in CHIPS:
        for speed in SHIPPED.curves(chip).rows:
            for mtu in (1500, 4200, 9000, 9216, 16_000):
                for ports in (None, 16, 512):
                    found = curve(chip, speed, mtu=mtu, ports=ports)
                    assert mtu + 22 <= found.kmin < found.kmax, (chip, speed, mtu, ports)


def test_one_sender_more_is_a_small_step() -> None:
    for chip in CHIPS:
        table = SHIPPED.curves(chip)
        for speed in table.rows:
            curves = [table.curve(speed, senders) for senders in range(1, 1100)]
            for senders, (one, more) in enumerate(pairwise(curves), 2):
                assert one is not None
                assert more is not None
                assert 1 / (1 + STEP) < more.kmin / one.kmin < 1 + STEP, (chip, speed, senders)
                assert 1 / (1 + STEP) < more.kmax / one.kmax < 1 + STEP, (chip, speed, senders)
                assert abs(more.pmax - one.pmax) <= max(POINTS, STEP * one.pmax), (chip, speed, senders)
    for senders in (*range(14, 44), *range(62, 70), 256, 257):
        one, more = (curve("tomahawk5", 400 * G, incast=incast) for incast in (senders, senders + 1))
        assert abs(more.kmax - one.kmax) <= STEP * one.kmax
        assert abs(more.pmax - one.pmax) <= max(POINTS, STEP * one.pmax)


def test_what_the_model_was_asked_about_is_taken_as_it_is() -> None:
    for chip in CHIPS:
        table = SHIPPED.curves(chip)
        for speed, rows in table.rows.items():
            for of, row in rows.items():
                if of is not None and of[1] is not None:  # the most senders of a range
                    assert table.curve(speed, of[1]) == row
            assert table.curve(speed, None) == rows[None]


# Two kinds of switch with one chip: of 4 and of 64 ports that share the pool, whose share a small alpha bounds.
TWO = (
    POLICY.replace("{name: lab}", "{name: lab, mtu: 9000, rtt: 8us}").replace(CURVE, "auto")
    + """\
buffers: {alpha: 0.0078125}
defaults: {vendor: sonic, version: "202511", platform: arista-7060x6-64pe, speed: 400G, cable: 5m}
devices:
  leaf01: {ports: {"Ethernet[0-24/8]": {faces: host}}}
  leaf02: {ports: {"Ethernet[0-24/8]": {faces: host}}}
  spine01: {ports: {"Ethernet[0-504/8]": {faces: switch, mtu: 9100}}}
"""
)


def test_a_chip_has_one_curve_at_a_speed_whatever_the_number_of_ports(tmp_path: Path) -> None:
    devices = fabric(tmp_path, TWO).devices
    curves = {device.cls("rdma").ecn_at(400 * G) for device in devices}
    (found,) = curves
    assert isinstance(found, Ecn)
    spine = devices[-1]
    alpha, pool = spine.ports[0].alpha, spine.pools.lossless
    assert alpha is not None
    assert pool is not None
    tightest = find_limits(pool, alpha, 64, 400 * G, 5, aims())
    assert tightest.kmax is not None
    assert found.kmax < tightest.kmax
    assert found.kmin >= 9122
    alone = fabric(tmp_path, TWO.split("  spine01")[0]).devices[0].cls("rdma").ecn_at(400 * G)
    assert isinstance(alone, Ecn)
    assert alone.kmax > found.kmax, "the number of ports does not matter here: the case shows nothing"
    assert [f for f in findings(tmp_path, TWO) if f.rule == "ecn-role-skew"] == []


def test_equal_devices_stay_copies_of_the_first(tmp_path: Path) -> None:
    first, second, _ = fabric(tmp_path, TWO).devices
    copies = {id(second): (second, first)}
    out = size_curves([first, second], copies, aims)
    assert copies == {id(out[1]): (out[1], out[0])}
    assert out[1].cls("rdma") is out[0].cls("rdma")


def test_merged_bounds_are_those_of_the_tightest() -> None:
    few, many = (
        Demand(find_limits(10**7, 1.0, n, 400 * G, m, aims()), mtu, ()) for n, m, mtu in ((4, 100, 1500), (64, 5, 9000))
    )
    merged = merge_demands([few, many])
    assert (merged.bounds.kmin, merged.bounds.kmax) == (many.bounds.kmin, many.bounds.kmax)
    assert merged.mtu == 9000
    assert merge_demands([few]) == few
    unknown = few._replace(bounds=find_limits(None, None, None, 400 * G, None, aims()))
    assert merge_demands([unknown, many]).bounds.kmax == many.bounds.kmax


# All rules on a curve; what hosts state and switches of a role have is not asked about, nor a family that is named.
JUDGED = re.compile(
    r"ecn-(order|step|before-pfc|low|below-packet|delay|deep|vendor-default|scale|cell|fixed-point|pmax)"
)


def test_every_rule_on_curves_takes_what_auto_gives_on_every_chip(tmp_path: Path) -> None:
    judged = {rule.name for rule in ALL if JUDGED.fullmatch(rule.name)}
    assert len(judged) == 12
    aims = (
        "",
        *(f", incast: {n}, rtt: 8us, mtu: 9000" for n in (1, 5, 40, 600)),
        ", workload: ai-training",
    )
    cases = [(name, aim) for name in SHIPPED.names("asics") for aim in aims]
    for name, aim in part(cases):
        asic = SHIPPED.asic(name)
        vendor = "sonic" if "sonic" in asic.nos else min(asic.nos)
        switches = "".join(
            f"  sw{speed // G}: {{ports: {{'Ethernet[0-24/8]': {{speed: {speed // G}G, faces: switch}}}}}}\n"
            for speed in asic.speeds or (100 * G,)
        )
        text = POLICY.replace("{name: lab}", f"{{name: lab{aim}}}").replace(CURVE, "auto")
        text += f"defaults: {{vendor: {vendor}, asic: {name}, cable: 30m}}\ndevices:\n{switches}"
        wrong = [(f.rule, f.message) for f in findings(tmp_path, text) if f.rule in judged]
        assert wrong == [], (name, aim)


def test_a_restoration_time_that_is_worked_out_is_whole_polls() -> None:
    for poll in (7, 100, 150, 333, 1000):
        for detection in range(poll, 5000, 35):
            restoration = usual_restoration(detection, poll)
            assert 2 * detection <= restoration == effective_time(restoration, poll)


def test_no_rule_passes_over_a_curve_because_auto_gave_it(tmp_path: Path) -> None:
    named = TWO.replace("rtt: 8us", "rtt: 8us, ecn_family: sonic").replace("buffers: {alpha: 0.0078125}\n", "")
    named = named.replace("arista-7060x6-64pe, speed: 400G", "arista-7050cx3-32s, speed: 100G").split("  spine01")[0]
    stock = [f for f in findings(tmp_path, named) if f.rule == "ecn-vendor-default"]
    assert stock
    assert "ecn: auto without ecn_family" in stock[0].help
    assert not [
        f for f in findings(tmp_path, TWO) if f.rule in {"ecn-vendor-default", "ecn-deep", "ecn-cell", "ecn-scale"}
    ]
