"""`rocecfg advise`: what it says, what it does not guess, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from advice_cases import AS_PUBLISHED, PAPER, SWITCH, advised
from checkout import ROOT
from intents import CURVE, POLICY, rocecfg, write

# -- published cases ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("incast", "mean", "deviation"), [(10, 59_800, 74_600), (16, 61_900, 82_600)])
def test_the_dcqcn_papers_curve_swings_as_packets_do(incast: int, mean: int, deviation: int, tmp_path: Path) -> None:
    # figures of a packet simulator (tests/advice/referee); the papers' fluid rests at 122.6 KB with 10 senders
    (kind,) = advised(tmp_path, PAPER, "--incast", str(incast), *AS_PUBLISHED)["kinds"]
    now = kind["prediction"]["now"]
    assert now["queue_mean_bytes"] == pytest.approx(mean, rel=0.1)
    assert now["queue_sd_bytes"] == pytest.approx(deviation, rel=0.1)
    assert now["delay_us"] == pytest.approx(now["queue_mean_bytes"] * 8 / 40e3, rel=1e-3)
    assert (now["settles"], now["simulated"]) == (False, True)
    assert 90 < now["utilisation_percent"] < 99


def test_beyond_the_ramp_no_queue_marks_enough(tmp_path: Path) -> None:
    (kind,) = advised(tmp_path, PAPER, "--incast", "16", *AS_PUBLISHED)["kinds"]
    now = kind["prediction"]["now"]
    assert now["marking_percent"] > 1  # pmax
    assert now["queue_bytes"] is None
    assert now["queue_low_bytes"] == 0
    assert now["above_kmax_percent"] > 1
    assert now["largest_incast"] in {11, 12}  # the fluid has 14


def test_lint_and_advise_have_one_p(tmp_path: Path) -> None:
    text = PAPER.replace("{name: lab}", "{name: lab, incast: 64}")
    (kind,) = advised(tmp_path, text)["kinds"]
    output = rocecfg(tmp_path, "lint", expect=None).stdout
    (needed,) = re.findall(r"which needs ([0-9.]+)%", output)
    now = kind["prediction"]["now"]
    assert now["marking_percent"] == pytest.approx(float(needed), rel=2e-3)
    assert f"enough for {now['largest_incast']} senders" in output


BETTER = "train-256"  # its leaves have the curve that packets call better than what a fluid calls better


def test_a_curve_that_packets_call_better_is_kept() -> None:
    # 400G, 48 senders: packets hold 463 +- 45 KB with 400KB/1.4MB/20 %, and swing over 391 +- 518 KB with
    # 737KB/1.46MB/3 %, of which a fluid says that it settles
    done = rocecfg(ROOT, "advise", f"examples/{BETTER}", "--incast", "48", "--format", "json", expect=0)
    kind = json.loads(done.stdout)["fabrics"][0]["kinds"][0]
    assert [kind["settings"][key]["same"] for key in ("kmin_bytes", "kmax_bytes", "pmax_percent")] == [True] * 3
    now = kind["prediction"]["now"]
    assert now["queue_mean_bytes"] == pytest.approx(463_000, rel=0.05)
    assert now["queue_sd_bytes"] == pytest.approx(45_000, rel=0.25)
    assert now["settles"] is True


def test_a_curve_that_swings_gives_way_to_one_that_does_not(tmp_path: Path) -> None:
    # 400G, 48 senders: 391 +- 518 KB by packets, with the link 98 % used
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 737280B, kmax: 1462272B, pmax: 3%}")
    kind = advised(tmp_path, text, "--incast", "48", "--packet", "4160B")["kinds"][0]
    now, other = (kind["prediction"][side] for side in ("now", "advised"))
    assert now["queue_sd_bytes"] == pytest.approx(518_000, rel=0.15)
    assert other["queue_sd_bytes"] < now["queue_sd_bytes"] / 1.5
    assert other["utilisation_percent"] >= now["utilisation_percent"]
    assert kind["verdict"]["change"] is True
    assert kind["settings"]["kmin_bytes"]["same"] is False
    out = rocecfg(tmp_path, "advise", "--incast", "48", "--packet", "4160B", expect=0).stdout
    assert re.search(r"=> change [^\n]*ECN kmin", out)
    assert "it swings less" in " ".join(out.split())


def test_a_change_that_late_answers_make_a_loss_is_not_advised(tmp_path: Path) -> None:
    # under SONiC's stock thresholds the queue swings by 739 KB; but where marks are answered late, more of the link is
    # used with them than with what `ecn: auto` gives
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 1048576B, kmax: 2097152B, pmax: 5%}")
    kind = advised(tmp_path, text, "--incast", "48")["kinds"][0]
    assert kind["verdict"]["change"] is False
    assert kind["settings"]["kmin_bytes"]["same"] is True
    assert "less of the link would be used if receivers answer a mark" in kind["verdict"]["why"]
    # a ConnectX waits 4 us: hardly a mark falls there, and the verdict is by one kind of sender
    card = advised(tmp_path, text, "--incast", "48", "--nic", "connectx-7")["kinds"][0]
    assert "late" not in card["verdict"]["why"]


def test_confirming_shows_both_kinds_of_receivers(tmp_path: Path) -> None:
    # 400G, 48 senders, 400 KB / 1.4 MB / 20 %: 463 +- 45 KB where marks within 50 us are lost; the same senders swing
    # by 246 KB about 189 KB with answers at their end, by the packet simulator with that changed
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 400KB, kmax: 1400KB, pmax: 20%}")
    now = advised(tmp_path, text, "--incast", "48", "--packet", "4160B", "--confirm")["kinds"][0]["prediction"]["now"]
    assert now["queue_mean_bytes"] == pytest.approx(463_000, rel=0.05)
    assert now["answered_late"]["queue_mean_bytes"] == pytest.approx(189_000, rel=0.1)
    assert now["answered_late"]["queue_sd_bytes"] == pytest.approx(246_000, rel=0.1)
    for more in ((), ("--details",)):
        write(tmp_path, {"fabric.yaml": PAPER})
        out = rocecfg(tmp_path, "advise", "--incast", "4", "--confirm", *AS_PUBLISHED, *more, expect=0).stdout
        assert "now, where marks soon after a CNP are answered late: queue " in " ".join(out.split())


def test_advice_that_was_followed_is_the_end_of_it(tmp_path: Path) -> None:
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 737280B, kmax: 1462272B, pmax: 3%}")
    settings = advised(tmp_path, text, "--incast", "48")["kinds"][0]["settings"]
    curve = ", ".join(f"{key}: {settings[f'{key}_bytes']['advised']}B" for key in ("kmin", "kmax"))
    curve += f", pmax: {settings['pmax_percent']['advised']:g}%"
    again = advised(tmp_path, SWITCH.replace("ecn: auto", f"ecn: {{{curve}}}"), "--incast", "48")["kinds"][0]
    assert again["settings"]["kmin_bytes"]["same"] is True


def test_a_cards_own_parameters_are_taken_where_asked(tmp_path: Path) -> None:
    fabric = advised(tmp_path, PAPER, "--incast", "8", "--nic", "connectx-7")
    assert fabric["dcqcn"]["nic"] == "connectx-7"
    assert fabric["dcqcn"]["hyper_increase_bit_per_s"] == 50_000_000
    assert fabric["dcqcn"]["alpha_timer_us"] == 1
    assert advised(tmp_path, PAPER)["dcqcn"]["nic"] is None
    for name, words in (("thor2", "nobody publishes it"), ("connectx", "connectx")):
        assert words in rocecfg(tmp_path, "advise", "--incast", "8", "--nic", name, expect=2).stderr


def test_published_curves_are_told_beside(tmp_path: Path) -> None:
    fabric = advised(tmp_path, PAPER, "--incast", "17", "--published", *AS_PUBLISHED)
    (kind,) = fabric["kinds"]
    found = {one["family"]: one for one in kind["published"]}
    assert {"hpcc", "nvidia", "sonic", "azure", "arista-community", "dcqcn"} <= set(found)
    assert (found["hpcc"]["kmin_bytes"], found["hpcc"]["kmax_bytes"]) == (160_000, 640_000)  # 100/400 KB at 25G
    # the paper's curve is the one that is stated
    for key in ("queue_mean_bytes", "queue_sd_bytes"):
        assert found["dcqcn"][key] == kind["prediction"]["now"][key]
    assert advised(tmp_path, PAPER)["kinds"][0]["published"] == []
    out = rocecfg(tmp_path, "advise", "--incast", "17", "--published", *AS_PUBLISHED, expect=0).stdout
    queue, sd = (found["dcqcn"][key] / 1e3 for key in ("queue_mean_bytes", "queue_sd_bytes"))
    assert f"DCQCN paper 5KB / 200KB / 1% {queue:.1f}KB, {sd:.1f}KB " in " ".join(out.split())
    unknown = rocecfg(tmp_path, "advise", "--published", expect=0).stdout
    assert "DCQCN paper                                  5KB / 200KB / 1%          not predicted" in unknown
    assert "exclude each other" in rocecfg(tmp_path, "advise", "--published", "--details", expect=2).stderr


def test_the_heading_names_what_auto_begins_with(tmp_path: Path) -> None:
    def heading(text: str) -> str:
        write(tmp_path, {"fabric.yaml": text})
        return " ".join(rocecfg(tmp_path, "advise", expect=0).stdout.split("\n1.")[0].split())

    assert ", `ecn: auto` from the chip's table; DCQCN" in heading(SWITCH)
    assert ", ECN family sonic; DCQCN" in heading(SWITCH.replace("incast: 32", "incast: 32, ecn_family: sonic"))


def test_confirming_simulates_senders_where_noise_would_do(tmp_path: Path) -> None:
    calm = SWITCH.replace("incast: 32", "incast: 32, ecn_family: hpcc")
    quick, confirmed = (
        advised(tmp_path, calm, "--incast", "32", *more)["kinds"][0]["prediction"]["now"]
        for more in ((), ("--confirm",))
    )
    assert (quick["simulated"], confirmed["simulated"]) == (False, True)
    assert confirmed["queue_mean_bytes"] == pytest.approx(quick["queue_mean_bytes"], rel=0.02)
    assert confirmed["queue_sd_bytes"] == pytest.approx(quick["queue_sd_bytes"], rel=0.5)


def test_the_tables_own_numbers_are_what_is_advised(tmp_path: Path) -> None:
    fabric = advised(tmp_path, SWITCH)
    assert fabric["asked"]["incast"] == 32
    assert fabric["asked"]["rtt_us"] == 8
    host, up = fabric["kinds"]
    assert (host["reach"], host["ports"]) == ([{"devices": "leaf[01-02]", "ports": "Ethernet[0-248/8]"}], 64)
    assert (up["speed_bit_per_s"], up["cable_m"], up["faces"]) == (800_000_000_000, 40, "switch")
    assert host["ports_sharing_pool"] == 48
    for kind in (host, up):
        rooms = kind["settings"]
        assert rooms["headroom_xoff_bytes"]["now"] == rooms["headroom_xoff_bytes"]["advised"]
        assert kind["checks"]["xoff_covers_link"]["advised"]["holds"] is True
        n, pool, alpha = 48, kind["pool_bytes"], rooms["alpha"]["advised"]
        limits = {key: check["advised"]["limit_bytes"] for key, check in kind["checks"].items()}
        assert limits["kmax_before_pause"] == pytest.approx(alpha * pool / (1 + alpha), rel=1e-5)
        assert limits["kmin_before_pause"] == pytest.approx(alpha * pool / (n * (1 + alpha)), rel=1e-5)
        assert limits["kmax_before_pause_all_ports"] == pytest.approx(alpha * pool / (1 + n * alpha), rel=1e-5)
        assert limits["kmin_fills_link"] == pytest.approx(kind["speed_bit_per_s"] * 8e-6 / 8 / 7, rel=1e-5)
        bounds = [check["advised"]["holds"] for key, check in kind["checks"].items() if key != "kmax_delay"]
        assert bounds == [True] * 6
        assert kind["prediction"]["advised"]["time_to_pause_us"] == pytest.approx(
            8e6 * limits["kmax_before_pause"] / kind["speed_bit_per_s"], rel=1e-4
        )
        assert kind["first_burst_bytes"] == pytest.approx(31 * kind["speed_bit_per_s"] * 50e-6 / 8)
        assert all(setting["why"] for setting in rooms.values())
        assert any("arista-7060x6-64pe" in source for source in rooms["headroom_xoff_bytes"]["sources"])


# -- now and advised ---------------------------------------------------------------------------------------------------


def everything_same(fabric: dict[str, Any]) -> None:
    for kind in fabric["kinds"]:
        differing = {k: v for k, v in kind["settings"].items() if v["advised"] is not None and not v["same"]}
        assert differing == {}
        assert kind["prediction"]["now"] == kind["prediction"]["advised"]


def test_what_auto_comes_to_is_what_is_advised(tmp_path: Path) -> None:
    everything_same(advised(tmp_path, SWITCH))


@pytest.mark.parametrize(("vendor", "platform"), [("spectrum", "nvidia-sn5600"), ("sonic", "nvidia-sn5600")])
def test_advice_that_was_followed_is_given_again(vendor: str, platform: str, tmp_path: Path) -> None:
    ports = {"spectrum": ("swp[1-32]", "swp[33-48]"), "sonic": ("Ethernet[0-248/8]", "Ethernet[256-376/8]")}[vendor]
    text = SWITCH.replace("200ms, res", "600ms, res")
    text = text.replace('vendor: sonic, version: {sonic: "202505"}', f"vendor: {vendor}")
    text = text.replace("arista-7060x6-64pe", platform).replace("restoration_time: 400ms", "restoration_time: 800ms")
    for old, new in zip(("Ethernet[0-248/8]", "Ethernet[256-376/8]"), ports, strict=True):
        text = text.replace(old, new)
    kinds = advised(tmp_path, text)["kinds"]
    curves = []
    for kind in kinds:
        reported = kind["settings"]
        speed = kind["speed_bit_per_s"] // 10**9
        curve = f"kmin: {reported['kmin_bytes']['advised']}B, kmax: {reported['kmax_bytes']['advised']}B"
        curves.append(f"{speed}G: {{{curve}, pmax: {reported['pmax_percent']['advised']:g}%}}")
    timers = {key: kinds[0]["settings"][f"watchdog_{key}_ms"]["advised"] for key in ("detection", "restoration")}
    assert timers == {"detection": 200, "restoration": 400}
    followed = text.replace("ecn: auto", f"ecn: {{by_speed: {{{', '.join(curves)}}}}}")
    followed = followed.replace("600ms", "200ms").replace("restoration_time: 800ms", "restoration_time: 400ms")
    everything_same(advised(tmp_path, followed))


def test_headroom_below_what_the_link_needs_is_raised(tmp_path: Path) -> None:
    # 2 x 5 ns/m x 40 m x 800G / 8 = 40 000, response 3840, PFC frame 84, two RoCE frames of 4198: 52 320 B at least
    stated = "headroom: {size: 50KB, xon: 1KB, xoff: 49KB}"
    host, up = advised(tmp_path, SWITCH.replace("headroom: auto", stated))["kinds"]
    assert up["checks"]["xoff_covers_link"]["now"] == {"limit_bytes": 52_320, "holds": False}
    assert "40000 cable 40 m" in up["checks"]["xoff_covers_link"]["formula"]
    assert host["checks"]["xoff_covers_link"]["now"]["holds"] is True
    for kind in (host, up):
        xoff = kind["settings"]["headroom_xoff_bytes"]
        assert xoff["now"] == 49_000
        assert xoff["advised"] >= kind["checks"]["xoff_covers_chip"]["advised"]["limit_bytes"] > 49_000
        assert kind["checks"]["xoff_covers_chip"]["now"]["holds"] is False


def test_without_a_table_headroom_is_what_the_link_needs(tmp_path: Path) -> None:
    # a chip and no box
    text = SWITCH.replace("platform: arista-7060x6-64pe", "asic: tomahawk4").replace("vendor: sonic, ", "")
    text = text.replace('version: {sonic: "202505"}, ', "").replace(
        "headroom: auto", "headroom: {size: 400KB, xon: 2KB, xoff: 398KB}"
    )
    text = text.replace("speed: 800G", "speed: 100G")
    kinds = advised(tmp_path, text)["kinds"]
    first = {kind["speed_bit_per_s"]: kind for kind in kinds}[400 * 10**9]
    rooms = first["settings"]
    xoff = rooms["headroom_xoff_bytes"]["advised"]
    assert xoff % 254 == 0
    assert 0 <= xoff - first["checks"]["xoff_covers_chip"]["advised"]["limit_bytes"] < 254
    assert rooms["headroom_xon_bytes"]["advised"] == 2_000
    assert rooms["headroom_size_bytes"]["advised"] == xoff + 2_000
    followed = text.replace("size: 400KB, xon: 2KB, xoff: 398KB", f"size: {xoff + 2_000}B, xon: 2KB, xoff: {xoff}B")
    again = {kind["speed_bit_per_s"]: kind for kind in advised(tmp_path, followed)["kinds"]}[400 * 10**9]
    assert [again["settings"][f"headroom_{part}_bytes"]["same"] for part in ("xoff", "xon", "size")] == [True] * 3


def test_a_measured_curve_is_kept(tmp_path: Path) -> None:
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 10KB, kmax: 4MB, pmax: 1%, profiled: true}")
    for kind in advised(tmp_path, text)["kinds"]:
        assert kind["settings"]["kmin_bytes"]["advised"] == 10_000
        assert "measured" in kind["settings"]["kmin_bytes"]["why"]
        assert kind["checks"]["kmax_before_pause_all_ports"]["advised"]["holds"] is False


@pytest.mark.parametrize(("role", "timers"), [("leaf", (200, 400)), ("spine", (400, 800)), ("superspine", (600, 1200))])
def test_upper_tiers_wait_until_the_tier_below_has_acted(role: str, timers: tuple[int, int], tmp_path: Path) -> None:
    kind = advised(tmp_path, SWITCH.replace("role: leaf", f"role: {role}"))["kinds"][0]
    reported = [kind["settings"][f"watchdog_{key}_ms"]["advised"] for key in ("detection", "restoration", "poll")]
    assert reported == [*timers, 100]


def test_options_stand_in_for_the_intent(tmp_path: Path) -> None:
    fabric = advised(tmp_path, SWITCH, "--incast", "4", "--rtt", "100us", "--family", "dcqcn")
    assert fabric["asked"]["incast"] == 4
    assert fabric["asked"]["rtt_us"] == 100
    assert fabric["asked"]["ecn_family"] == "dcqcn"
    assert fabric["asked"]["sources"] == ["--rtt", "--incast"]
    kind = fabric["kinds"][0]
    assert kind["checks"]["kmin_fills_link"]["advised"]["limit_bytes"] == pytest.approx(400e9 * 100e-6 / 56, rel=1e-5)
    assert any("ecn/dcqcn" in source for source in kind["settings"]["kmin_bytes"]["sources"])


# -- another curve only for figures ------------------------------------------------------------------------------------

STATED = SWITCH.replace("ecn: auto", "ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}")
OFF = SWITCH.replace("ecn: auto", "ecn: off")


def test_without_an_incast_a_stated_curve_is_not_replaced(tmp_path: Path) -> None:
    stated = STATED.replace(", incast: 32", "")
    for kind in advised(tmp_path, stated)["kinds"]:
        for key, number in (("kmin_bytes", 150_000), ("kmax_bytes", 1_500_000), ("pmax_percent", 100)):
            reported = kind["settings"][key]
            assert (reported["now"], reported["advised"], reported["same"]) == (number, number, True)
            assert reported["why"].startswith("stated, and kept: ")
        assert kind["prediction"]["now"] == kind["prediction"]["advised"]
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert "ecn: auto" not in out.partition("\n1.")[2]
    assert not re.search(r"change[^\n]*ECN", out)


@pytest.mark.parametrize("example", ["converged", "policy", "rail-1024", "train-256", "train-256-as-published"])
def test_the_examples_curves_are_stated_and_stay(example: str) -> None:
    done = rocecfg(ROOT, "advise", f"examples/{example}", "--format", "json", expect=0)
    kinds = [kind for fabric in json.loads(done.stdout)["fabrics"] for kind in fabric["kinds"]]
    assert kinds
    for kind in kinds:
        reported = [kind["settings"][key] for key in ("kmin_bytes", "kmax_bytes", "pmax_percent", "weight")]
        assert [one["advised"] for one in reported] == [one["now"] for one in reported]


def test_where_no_curve_is_stated_auto_is_shown_for_information(tmp_path: Path) -> None:
    would = advised(tmp_path, SWITCH)["kinds"]
    for kind, auto in zip(advised(tmp_path, OFF)["kinds"], would, strict=True):
        for key in ("kmin_bytes", "kmax_bytes", "pmax_percent"):
            reported = kind["settings"][key]
            assert (reported["now"], reported["advised"]) == ("off", auto["settings"][key]["now"])
            assert reported["why"].startswith("what `ecn: auto` gives: ")
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert out.count("=> nothing to change; for information: the curve that `ecn: auto` gives\n") == 2


# -- what is not known -------------------------------------------------------------------------------------------------


def test_unknown_figures_are_said_and_not_guessed(tmp_path: Path) -> None:
    text = POLICY.replace(CURVE, "auto")
    write(tmp_path, {"fabric.yaml": text})
    out = rocecfg(tmp_path, "advise", "--details", expect=0).stdout
    assert "not computed: the chip is unknown: name a platform or an asic" in out.replace("\n" + " " * 53, " ")
    assert "prediction now: not computed: ecn: auto is not resolved: chip or speed is unknown" in out
    (kind,) = advised(tmp_path, text)["kinds"]
    assert kind["prediction"]["now"]["queue_bytes"] is None
    assert [s["advised"] for key, s in kind["settings"].items() if not key.startswith("watchdog")] == [None] * 8


def test_without_an_incast_nothing_is_predicted(tmp_path: Path) -> None:
    (kind,) = advised(tmp_path, PAPER)["kinds"]
    assert "no incast is stated" in kind["prediction"]["now"]["not_computed"]
    assert kind["prediction"]["now"]["largest_incast"] > 1


def test_a_chip_whose_packing_is_unknown_has_no_need(tmp_path: Path) -> None:
    text = SWITCH.replace("platform: arista-7060x6-64pe", "asic: silicon-one-q200").replace(
        "headroom: auto", "headroom: 1MB"
    )
    kind = advised(tmp_path, text)["kinds"][0]
    assert "the packing factor of " in kind["checks"]["xoff_covers_chip"]["formula"]
    assert kind["checks"]["xoff_covers_chip"]["now"]["holds"] is None
    assert kind["settings"]["headroom_xoff_bytes"]["advised"] is None
    assert kind["checks"]["xoff_covers_link"]["now"]["holds"] is True


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("lossless: true", "lossless: false"), "no lossless class crosses a port"),
        (("{name: two, kind: backend,", "{name: two, mode: lossy,"), "fabric.mode is lossy"),
    ],
)
def test_no_lossless_port_is_said(change: tuple[str, str], why: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SWITCH.replace(*change)})
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert out == f"fabric two (fabric.yaml): no kinds of lossless port\n  note: no lossless port: {why}\n"
    assert advised(tmp_path, SWITCH.replace(*change))["kinds"] == []


def test_without_congestion_control_nothing_is_predicted(tmp_path: Path) -> None:
    text = SWITCH.replace("incast: 32", "incast: 32, congestion_control: none")
    for kind in advised(tmp_path, text)["kinds"]:
        assert "congestion_control is none" in kind["prediction"]["now"]["not_computed"]


def test_values_that_could_not_be_read_are_said(tmp_path: Path) -> None:
    fabric = advised(tmp_path, SWITCH.replace("ecn: auto", "ecn: {kmin: 1, kmax: 4MB, pmax: 1%}"))
    assert fabric["notes"] == ["values of class rdma could not be read; `rocecfg lint` lists them"]


# -- text --------------------------------------------------------------------------------------------------------------


def test_the_text_shows_now_advised_and_why(tmp_path: Path) -> None:
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 10KB, kmax: 4MB, pmax: 20%}")
    write(tmp_path, {"fabric.yaml": text})
    out = rocecfg(tmp_path, "advise", "--details", expect=0).stdout
    assert max(map(len, out.splitlines())) <= 110
    assert "1. leaf[01-02]:Ethernet[0-248/8]" in out
    assert re.search(r"^ +now +advised +why$", out, re.MULTILINE)
    assert re.search(r"^  ECN kmin +10KB +same +stated, and kept: ", out, re.MULTILINE)
    assert re.search(r"^  ECN pmax +20% +same +as above", out, re.MULTILINE)
    assert re.search(r"^  watchdog +200/400/100ms +same ", out, re.MULTILINE)
    assert re.search(r"^  kmax < \S+ +beyond +beyond ", out, re.MULTILINE)
    assert "=> nothing to change; 2 exceeded now" in out
    left_out = out[out.index("It leaves out:") : out.index("Sources:")]
    for word in ("one bottleneck", "equal senders", "PFC", "firmware", "first burst"):
        assert word in left_out
    numbers = {int(n) for group in re.findall(r"\[([\d,]+)\]$", out, re.MULTILINE) for n in group.split(",")}
    listed = [int(n) for n in re.findall(r"^  \[(\d+)\] ", out, re.MULTILINE)]
    assert listed == list(range(1, len(listed) + 1))
    assert numbers <= set(listed)
    assert "fabric.yaml:5" in out


def test_a_kind_of_port_is_one_block_and_equal_kinds_are_told_once(tmp_path: Path) -> None:
    # two pairs of leaves that differ in their cables alone
    more = SWITCH[SWITCH.index('  "leaf[01-02]"') :].replace("leaf[01-02]", "leaf[03-04]").replace("5m", "7m")
    write(tmp_path, {"fabric.yaml": SWITCH + more})
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert max(map(len, out.splitlines())) <= 110
    body = out[out.index("1. leaf") :]
    assert body.count("=> nothing to change") == 2  # hosts and uplinks
    host = " ".join(body[: body.index("=>")].split())
    assert "leaf[01-02]:Ethernet[0-248/8]: 64 ports, 400G, to host, class rdma" in host
    assert "leaf[03-04]:Ethernet[0-248/8]: 64 ports, 400G, to host, class rdma" in host
    assert len(re.findall(r"; link [0-9.]+% used; PFC pauses at ", body)) == 2
    assert len(out.splitlines()) < 30 < len(rocecfg(tmp_path, "advise", "--details", expect=0).stdout.splitlines())


def test_what_changes_is_told_with_both_values_and_why(tmp_path: Path) -> None:
    text = SWITCH.replace("detection_time: 200ms", "detection_time: 600ms")
    write(tmp_path, {"fabric.yaml": text})
    out = " ".join(rocecfg(tmp_path, "advise", expect=0).stdout.split())
    assert "=> change watchdog" in out
    assert "watchdog 600/400/100ms -> 200/400/100ms: detection, restoration, poll" in out


def test_the_same_intent_gives_the_same_bytes(tmp_path: Path) -> None:
    calm = SWITCH.replace("incast: 32", "incast: 32, ecn_family: hpcc")  # each call is a process: none simulates
    write(tmp_path, {"fabric.yaml": calm})
    for format_ in ("text", "json"):
        one, other = (
            rocecfg(tmp_path, "advise", "--format", format_, "--svg", "out", expect=0, PYTHONHASHSEED=seed).stdout
            for seed in ("1", "2")
        )
        assert one == other


def test_several_fabrics_are_told_one_by_one(tmp_path: Path) -> None:
    write(tmp_path, {"a/fabric.yaml": POLICY, "b/fabric.yaml": POLICY.replace("lab", "other")})
    found = json.loads(rocecfg(tmp_path, "advise", "--format", "json", expect=0).stdout)
    assert [fabric["fabric"] for fabric in found["fabrics"]] == ["lab", "other"]


# -- refused -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["gone.yaml"], "gone.yaml:1:1: cannot be read"),
        (["broken.yaml"], "broken.yaml:2:1: not YAML"),
        (["stray.yaml"], "stray.yaml belongs to no intent"),
        (["fabric.yaml", "--rtt", "8"], "--rtt: 8 has no unit; did you mean 8us?"),
        (["fabric.yaml", "--rtt", "0us"], "--rtt 0us: it must be above 0"),
        (["fabric.yaml", "--packet", "1B"], "--packet 1B: it must be from 64B"),
        (["fabric.yaml", "--incast", "0"], "0 is not in the range"),
        (["fabric.yaml", "--family", "hpc"], "--family hpc: "),
        (["fabric.yaml", "--jobs", "2"], "give --sweep too"),
        (["fabric.yaml", "--sweep", "kmin=1KB:2KB:2"], "neither swept nor known"),
        (["fabric.yaml", "--svg", "fabric.yaml"], "fabric.yaml cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER, "stray.yaml": "x: 1\n", "broken.yaml": "rocecfg: [\n", ".git/x": ""})
    done = rocecfg(tmp_path, "advise", *arguments, expect=2)
    assert word in done.stderr
    assert done.stdout == ""


def test_marks_of_a_long_cable_come_back_late(tmp_path: Path) -> None:
    long = STATED.replace("incast: 32", "incast: 8").replace("cable: 40m", "cable: 10km")
    near, far = advised(tmp_path, long)["kinds"]
    assert near["further_feedback_delay_us"] == 0
    assert far["further_feedback_delay_us"] == 100  # 10 km there and back, 5 ns a metre
    late = advised(tmp_path, long.replace("cable: 10km", "cable: 30m"), "--feedback-delay", "150us")["kinds"][1]
    for key in ("queue_mean_bytes", "queue_sd_bytes"):
        assert far["prediction"]["now"][key] == late["prediction"]["now"][key]
    write(tmp_path, {"fabric.yaml": long})
    out = " ".join(rocecfg(tmp_path, "advise", expect=0).stdout.split())
    assert out.count("marks come back 100us later, over 10000m of cable") == 1
