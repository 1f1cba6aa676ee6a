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


@pytest.mark.parametrize(("incast", "queue"), [(2, 20_150), (4, 41_810), (10, 122_620)])
def test_the_dcqcn_papers_curve_rests_at_the_fixed_point(incast: int, queue: int, tmp_path: Path) -> None:
    # CoNEXT'16, section 3: 20.2, 41.8 and 122.6 KB, to 0.1 KB
    (kind,) = advised(tmp_path, PAPER, "--incast", str(incast), *AS_PUBLISHED)["kinds"]
    now = kind["prediction"]["now"]
    assert now["queue_bytes"] == pytest.approx(queue, abs=50)
    assert now["queue_mean_bytes"] == pytest.approx(queue, abs=100)
    assert now["delay_us"] == pytest.approx(queue * 8 / 40e3, rel=1e-3)
    assert now["utilisation_percent"] == pytest.approx(100, abs=0.1)


def test_beyond_the_ramp_no_queue_marks_enough(tmp_path: Path) -> None:
    # p* of 16 senders is 1.09 %, above pmax 1 %: 0 to 247 KB
    (kind,) = advised(tmp_path, PAPER, "--incast", "16", *AS_PUBLISHED)["kinds"]
    now = kind["prediction"]["now"]
    assert now["marking_percent"] == pytest.approx(1.09, abs=0.01)
    assert now["queue_bytes"] is None
    assert now["delay_us"] is None
    assert now["queue_low_bytes"] == 0
    assert now["queue_high_bytes"] == pytest.approx(247_000, rel=0.02)
    assert now["largest_incast"] in {14, 15}


@pytest.mark.parametrize(("incast", "low", "high"), [(2, 19_700, 20_600), (10, 0, 272_000), (64, 1_156_000, 1_156_500)])
def test_the_fluid_models_extremes_are_the_papers(incast: int, low: float, high: float, tmp_path: Path) -> None:
    # CoNEXT'16: 85 us of feedback delay, the same slope on a longer ramp
    text = PAPER.replace("kmax: 200KB, pmax: 1%", "kmax: 1955KB, pmax: 10%")
    arguments = ("--incast", str(incast), "--feedback-delay", "85us", *AS_PUBLISHED)
    (kind,) = advised(tmp_path, text, *arguments)["kinds"]
    now = kind["prediction"]["now"]
    assert low <= now["queue_low_bytes"] <= low + 1_000
    assert now["queue_high_bytes"] == pytest.approx(high, rel=0.02)


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
        told = kind["settings"]
        speed = kind["speed_bit_per_s"] // 10**9
        curve = f"kmin: {told['kmin_bytes']['advised']}B, kmax: {told['kmax_bytes']['advised']}B"
        curves.append(f"{speed}G: {{{curve}, pmax: {told['pmax_percent']['advised']:g}%}}")
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
    told = [kind["settings"][f"watchdog_{key}_ms"]["advised"] for key in ("detection", "restoration", "poll")]
    assert told == [*timers, 100]


def test_options_stand_in_for_the_intent(tmp_path: Path) -> None:
    fabric = advised(tmp_path, SWITCH, "--incast", "4", "--rtt", "100us", "--family", "dcqcn")
    assert fabric["asked"]["incast"] == 4
    assert fabric["asked"]["rtt_us"] == 100
    assert fabric["asked"]["ecn_family"] == "dcqcn"
    assert fabric["asked"]["sources"] == ["--rtt", "--incast"]
    kind = fabric["kinds"][0]
    assert kind["checks"]["kmin_fills_link"]["advised"]["limit_bytes"] == pytest.approx(400e9 * 100e-6 / 56, rel=1e-5)
    assert any("ecn/dcqcn" in source for source in kind["settings"]["kmin_bytes"]["sources"])


# -- no verdict, and no other curve than the one that is stated --------------------------------------------------------

STATED = SWITCH.replace("ecn: auto", "ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}")
OFF = SWITCH.replace("ecn: auto", "ecn: off")
CAVEAT = "a fluid model; it cannot tell whether this settles"
VERDICT = re.compile(r"oscillat|settle|stable|steady", re.IGNORECASE)


def without_caveat(text: str) -> str:
    return " ".join(text.split()).replace(CAVEAT, "").replace('"settles": null', "")


@pytest.mark.parametrize("text", [SWITCH, STATED], ids=["auto", "stated"])
@pytest.mark.parametrize("format_", ["text", "json"])
def test_no_verdict_is_given_of_a_fluid_model(format_: str, text: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": text})
    sweep = ("--sweep", "n=2,32", "--jobs", "1")
    out = rocecfg(tmp_path, "advise", "--format", format_, "--svg", "out", *sweep, expect=0).stdout
    drawn = [file.read_text(encoding="utf-8") for file in (tmp_path / "out").iterdir()]
    assert len(drawn) == 2
    for told in (out, *drawn):
        assert CAVEAT in " ".join(told.split())
        assert VERDICT.findall(without_caveat(told)) == []
    if format_ == "text":
        assert " ".join(out.split()).count(CAVEAT) == 1 + 2 + 2  # at the end, for each kind, above each table


def test_a_stated_curve_is_not_to_be_replaced(tmp_path: Path) -> None:
    for kind in advised(tmp_path, STATED)["kinds"]:
        for key, number in (("kmin_bytes", 150_000), ("kmax_bytes", 1_500_000), ("pmax_percent", 100)):
            told = kind["settings"][key]
            assert (told["now"], told["advised"], told["same"]) == (number, number, True)
            assert told["why"].startswith("stated, and kept: ")
        assert kind["prediction"]["now"] == kind["prediction"]["advised"]
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert "ecn: auto" not in out
    assert not re.search(r"change[^\n]*ECN", out)


@pytest.mark.parametrize("example", ["converged", "policy", "rail-1024", "train-256", "train-256-as-published"])
def test_the_examples_curves_are_stated_and_stay(example: str) -> None:
    done = rocecfg(ROOT, "advise", f"examples/{example}", "--format", "json", expect=0)
    kinds = [kind for fabric in json.loads(done.stdout)["fabrics"] for kind in fabric["kinds"]]
    assert kinds
    for kind in kinds:
        told = [kind["settings"][key] for key in ("kmin_bytes", "kmax_bytes", "pmax_percent", "weight")]
        assert [one["advised"] for one in told] == [one["now"] for one in told]


def test_where_no_curve_is_stated_auto_is_shown_for_information(tmp_path: Path) -> None:
    would = advised(tmp_path, SWITCH)["kinds"]
    for kind, auto in zip(advised(tmp_path, OFF)["kinds"], would, strict=True):
        for key in ("kmin_bytes", "kmax_bytes", "pmax_percent"):
            told = kind["settings"][key]
            assert (told["now"], told["advised"]) == ("off", auto["settings"][key]["now"])
            assert told["why"].startswith("what `ecn: auto` gives: ")
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert out.count("=> nothing to change; for information: the curve that `ecn: auto` gives\n") == 2


# -- what is not known -------------------------------------------------------------------------------------------------


def test_unknown_figures_are_said_and_not_guessed(tmp_path: Path) -> None:
    text = POLICY.replace(CURVE, "auto")
    write(tmp_path, {"fabric.yaml": text})
    out = rocecfg(tmp_path, "advise", expect=0).stdout
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
    assert fabric["notes"] == ["values of class rdma could not be read; `rocecfg lint` tells which"]


# -- text --------------------------------------------------------------------------------------------------------------


def test_the_text_shows_now_advised_and_why(tmp_path: Path) -> None:
    text = SWITCH.replace("ecn: auto", "ecn: {kmin: 10KB, kmax: 4MB, pmax: 20%}")
    write(tmp_path, {"fabric.yaml": text})
    out = rocecfg(tmp_path, "advise", expect=0).stdout
    assert max(map(len, out.splitlines())) <= 110
    assert "1. leaf[01-02]:Ethernet[0-248/8]" in out
    assert re.search(r"^ +now +advised +why$", out, re.MULTILINE)
    assert re.search(r"^  ECN kmin +10KB +same +stated, and kept: ", out, re.MULTILINE)
    assert re.search(r"^  ECN pmax +20% +same +as above", out, re.MULTILINE)
    assert re.search(r"^  watchdog +200/400/100ms +same ", out, re.MULTILINE)
    assert re.search(r"^  kmax < \S+ +beyond +beyond ", out, re.MULTILINE)
    assert "=> nothing to change; 2 exceeded now" in out
    left_out = out[out.index("It leaves out:") : out.index("Sources:")]
    for word in ("one bottleneck", "equal senders", "PFC", "fluid", "firmware", "first burst"):
        assert word in left_out
    numbers = {int(n) for group in re.findall(r"\[([\d,]+)\]$", out, re.MULTILINE) for n in group.split(",")}
    listed = [int(n) for n in re.findall(r"^  \[(\d+)\] ", out, re.MULTILINE)]
    assert listed == list(range(1, len(listed) + 1))
    assert numbers <= set(listed)
    assert "fabric.yaml:5" in out


def test_the_same_intent_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": SWITCH})
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
        (["fabric.yaml", "--rtt", "8"], "--rtt: a time needs a unit"),
        (["fabric.yaml", "--rtt", "0us"], "--rtt 0us: it must be above 0"),
        (["fabric.yaml", "--packet", "1B"], "--packet 1B: it must be from 64B"),
        (["fabric.yaml", "--incast", "0"], "0 is not in the range"),
        (["fabric.yaml", "--family", "hpc"], "--family hpc: "),
        (["fabric.yaml", "--jobs", "2"], "say --sweep too"),
        (["fabric.yaml", "--sweep", "kmin=1KB:2KB:2"], "neither swept nor known"),
        (["fabric.yaml", "--svg", "fabric.yaml"], "fabric.yaml cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: list[str], word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER, "stray.yaml": "x: 1\n", "broken.yaml": "rocecfg: [\n", ".git/x": ""})
    done = rocecfg(tmp_path, "advise", *arguments, expect=2)
    assert word in done.stderr
    assert done.stdout == ""
