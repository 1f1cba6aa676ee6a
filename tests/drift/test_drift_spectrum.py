"""Cumulus Linux: what was changed on the switch is found, and the change that is shown leads back to what is meant."""

from __future__ import annotations

from pathlib import Path

from drift_cases import apply, as_operations, change, compared, running, stated, typed_in
from loops import loop
from sampling import part

Setting = tuple[str, int | None, str]
TIMERS = "detection_time restoration_time poll_interval"
OWN = "qos egress-scheduler"
CASES: list[tuple[str, list[Setting]]] = [  # what is typed, and what then differs
    ("set qos pfc default-global switch-priority 5", [("pfc", None, "")]),
    ("set qos pfc rocecfg-pfc-30m tx disable", [("sends", None, "")]),
    ("set qos pfc rocecfg-pfc-30m cable-length 100", [("cable", None, "")]),
    ("unset qos pfc default-global cable-length", [("cable", None, "")]),
    ("set interface swp33-40 qos pfc profile default-global", [("cable", None, "")]),
    ("unset interface swp33 qos congestion-control profile", [("ecn", 3, "kmin")]),
    ("set qos congestion-control default-global traffic-class 3 min-threshold 150000", [("ecn", 3, "kmin")]),
    ("set qos congestion-control default-global traffic-class 3 ecn disable", [("ecn", 3, "")]),
    ("set qos congestion-control default-global traffic-class 0 ecn enable", [("ecn", 0, "")]),
    ("set qos congestion-control rocecfg-ecn-800g traffic-class 3 probability 100", [("ecn", 3, "pmax")]),
    ("set qos egress-scheduler default-global traffic-class 3 bw-percent 45", [("shares", None, "0 3")]),
    ("set qos egress-scheduler default-global traffic-class 3 mode strict", [("shares", None, "0 3")]),
    ("set qos mapping default-global trust l2", [("trust", None, "")]),
    ("set qos mapping default-global dscp 24-31 switch-priority 3", [("dscp", None, "")]),
    (
        "set interface swp33 qos mapping profile own; nv set qos mapping own trust l3",
        [("dscp", None, "")],  # NVIDIA's own map: all code points in eights
    ),
    ("set qos egress-queue-mapping default-global switch-priority 6 traffic-class 0", [("dscp", None, "")]),
    ("set qos traffic-pool roce-lossless memory-percent 50", [("buffers", None, "pools.lossless")]),
    ("set qos pfc-watchdog polling-interval 1000", [("watchdog", None, TIMERS)]),
    ("unset interface swp33-64 qos pfc-watchdog", [("watchdog", None, "")]),
    ("set interface swp1s0 qos pfc-watchdog state disable", [("watchdog", None, "")]),
    ("unset qos traffic-pool", [("buffers", None, "pools.lossless pools.lossy")]),
    ("unset qos congestion-control default-global", [("ecn", 0, ""), ("ecn", 3, "kmin kmax pmax")]),
    ("unset qos egress-scheduler", [("shares", None, "0 3 7")]),
    ("unset qos mapping", [("dscp", None, "")]),
    (
        f"set interface swp1s1 {OWN} profile own; nv set {OWN} own traffic-class 3 mode strict",
        [("shares", None, "0 3 6 7")],
    ),
    (
        "set qos remark default-global rewrite l3; nv set qos remark default-global switch-priority 3 dscp 10",
        [("remarks", None, "")],
    ),
]
WHOLE = "train-256"
SORTED = "set interface swp33 qos mapping profile own; nv set qos mapping own trust l3; nv set qos mapping own dscp"


def typed(command: str) -> str:
    """The configuration of leaf01 with a command behind it."""
    return "\n".join([*typed_in(WHOLE, "leaf01"), f"nv {command}", ""])


@loop(("command", "expected"), CASES)
def test_is_found_and_fixed(tmp_path: Path, command: str, expected: list[Setting]) -> None:
    text = typed(command)
    found = compared(WHOLE, {"leaf01.nv": text}, tmp_path)
    assert set(stated(found)) == set(expected)
    fixed = change(found)
    assert fixed.left == {}
    after = apply(text, fixed.change.steps, tmp_path)
    assert stated(compared(WHOLE, {"leaf01.nv": after}, tmp_path)) == []


@loop("command", part([command for command, _ in CASES], "rocecfg/vendors/spectrum", "rocecfg/drift", "rocecfg/model"))
def test_the_same_in_yaml(tmp_path: Path, command: str) -> None:
    more = as_operations(f"nv {each}" for each in command.split("; nv "))
    text = running(WHOLE, "leaf01") + "\n".join([*more, ""])
    found = compared(WHOLE, {"leaf01.yaml": text}, tmp_path)
    assert stated(found) == stated(compared(WHOLE, {"leaf01.nv": typed(command)}, tmp_path))
    fixed = change(found)
    assert fixed.left == {}
    after = apply(text, fixed.change.steps, tmp_path)
    assert stated(compared(WHOLE, {"leaf01.yaml": after}, tmp_path)) == []


def mapping_of_its_own(**codes: str) -> str:
    """A profile for one port that maps all code points as the intent does, but for `codes`."""
    to = {26: "3", 48: "6", 56: "7"} | {int(code.removeprefix("d")): sp for code, sp in codes.items()}
    rest = ",".join(str(d) for d in range(64) if d not in to)
    lines = [f"{SORTED} {rest} switch-priority 0"]
    lines += [f"nv set qos mapping own dscp {d} switch-priority {sp}" for d, sp in to.items()]
    return typed("; nv ".join(line.removeprefix("nv ") for line in lines)).replace("; nv ", "\nnv ")


def test_a_ports_own_mapping_that_leads_rdma_elsewhere(tmp_path: Path) -> None:
    """The drift is that port's: it is bound to the usual profile, and its own, which nothing else is bound to, goes."""
    found = compared(WHOLE, {"leaf01.nv": mapping_of_its_own(d26="0")}, tmp_path)
    (difference,) = found.differences
    assert (difference.topic, difference.codes) == ("dscp", (26,))
    assert difference.reach == ((("leaf01",), ("swp33",)),)
    fixed = change(found)
    assert [line for step in fixed.change.steps for line in step.lines] == [
        "nv unset interface swp33 qos mapping",
        "nv unset qos mapping own",
    ]
    assert fixed.left == {}


def test_a_ports_own_mapping_that_says_the_same(tmp_path: Path) -> None:
    assert stated(compared(WHOLE, {"leaf01.nv": mapping_of_its_own()}, tmp_path)) == []


def test_a_part_that_turns_pfc_off_says_so(tmp_path: Path) -> None:
    """A profile without priorities may have them elsewhere; one that neither sends nor obeys has no use for any."""
    own = "nv set interface swp33 qos pfc profile own\nnv set qos pfc own cable-length 30\n"
    off = "".join(f"nv set qos pfc own {way} disable\n" for way in ("tx", "rx"))
    found = [stated(compared(WHOLE, {"leaf01.nv": text}, tmp_path)) for text in (own, own + off)]
    assert [("pfc", None, "") in each for each in found] == [False, True]


def test_a_code_point_of_the_default_class_by_another_priority_has_the_same_effect(tmp_path: Path) -> None:
    """Priority 2 leads to queue 0 as priority 0 does: the class is in use, and so no reason says that none is."""
    found = compared(WHOLE, {"leaf01.nv": typed("set qos mapping default-global dscp 0 switch-priority 2")}, tmp_path)
    assert stated(found) == []
    (why,) = [reason for reason, (settings, _) in found.others.same.items() if "dscp" in {s.topic for s in settings}]
    assert "go to the intended queue" in why
