"""Junos: whatever runs and whatever is meant, the change leads there, in one commit that the models take."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from change_pairs import Case, findings, lines
from junos_text import INTENTS, displayed, intent, rendered, typed, validate
from loops import loop
from sampling import part

from rocecfg.model.catalogue import What
from rocecfg.vendors.changes import MARKS, PORT_FLAP
from rocecfg.vendors.junos.procedure import PROCEDURE
from rocecfg.vendors.procedure import judge_commands

SAME_PORTS = [
    *("leaf", "buffers", "mru", "own watchdog", "no watchdog", "forward", "odd detection", "two lossless"),
    *("other queue", "shared queue", "by speed", "tagged", "partial"),
]
PAIRS = [(a, b) for n, (a, b) in enumerate(permutations(SAME_PORTS, 2)) if "leaf" in (a, b) or n % 4 == 0]
HEAD = "set system host-name leaf01\n"
CLASSIFIER = "set class-of-service classifiers dscp ROCE"


# Of the same intents many changes are asked.
WHOLE: dict[tuple[str, str], str] = {}
MEANT: dict[str, Case] = {}


def whole(name: str, folder: Path, form: str = "set") -> str:
    """What a switch runs that has all of an intent."""
    if (name, form) not in WHOLE:
        (folder / name).mkdir(exist_ok=True)
        text = rendered(INTENTS[name], folder / name, form)
        WHOLE[name, form] = HEAD + text if form == "set" else "system {\n    host-name leaf01;\n}\n" + text
    return WHOLE[name, form]


def case(name: str, folder: Path) -> Case:
    """What an intent means."""
    if name not in MEANT:
        (folder / f"meant {name}").mkdir(exist_ok=True)
        fabric = intent(INTENTS[name], folder / f"meant {name}")
        MEANT[name] = Case(fabric, fabric.devices[0])
    return MEANT[name]


@loop(("runs", "means"), part(PAIRS, "rocecfg/vendors/junos", "rocecfg/drift"))
def test_the_change_leads_to_what_is_meant(runs: str, means: str, tmp_path: Path) -> None:
    of = case(means, tmp_path)
    text = displayed(whole(runs, tmp_path))
    fixed = of.fixed(text)
    assert fixed.left == {}
    assert fixed.change.beyond == ()
    assert of.drift(fixed.change.after) == {}
    after = typed(text, lines(fixed))
    assert of.drift(after) == {}, lines(fixed)
    assert lines(of.fixed(after)) == ()
    assert bool(lines(fixed)) == bool(of.drift(text))
    new = findings(after, "junos") - findings(text, "junos") - findings(displayed(whole(means, tmp_path)), "junos")
    assert {each for each in new if each[0] == "error"} == set()


def test_what_a_part_of_a_configuration_says_first_is_compared_as_all_that_it_says(tmp_path: Path) -> None:
    """Without a host name, the place of the first statement stood for what is not said."""
    of = case("leaf", tmp_path)
    text = rendered(INTENTS["two lossless"], tmp_path, "set").replace("mtu 9014", "mtu 4014")
    rows = [row for row in text.splitlines() if row.startswith("set ")]
    wanted = of.drift("\n".join(rows))
    assert {what.topic for settings in wanted.values() for what in settings} >= {"mtu", "dscp", "pfc", "shares"}
    for n, row in list(enumerate(rows))[::3]:
        if " interpolate " not in row:  # values of one list, whose order counts
            assert of.drift("\n".join([row, *rows[:n], *rows[n + 1 :]])) == wanted, row
    (alone,) = of.drift("set interfaces et-0/0/2 mtu 4014\n").items()
    assert alone == ("et-0/0/2", frozenset({What("mtu")}))


@pytest.mark.conformance
@loop(("runs", "means"), PAIRS[::3])
def test_what_a_change_leaves_is_taken_by_the_models(
    runs: str, means: str, junos_validator: Path, tmp_path: Path
) -> None:
    fixed = case(means, tmp_path).fixed(displayed(whole(runs, tmp_path)))
    release = ("--release", "24.4R1")
    status, reported = validate(junos_validator, *release, text=fixed.change.after)
    assert status == 0, reported
    body = "".join(f"{line}\n" for line in lines(fixed))
    if body:
        status, reported = validate(junos_validator, "--snippet", *release, text=body)
        assert status == 0, reported


@pytest.mark.parametrize("name", SAME_PORTS)
def test_nothing_changes_where_nothing_differs(name: str, tmp_path: Path) -> None:
    of = case(name, tmp_path)
    for form in ("set", "curly"):
        text = whole(name, tmp_path, form)
        assert of.drift(text) == {}
        assert of.fixed(text).change.steps == ()


def test_names_of_the_switch_are_kept(tmp_path: Path) -> None:
    of = case("leaf", tmp_path)
    text = displayed(whole("leaf", tmp_path))
    for old, new in (
        ("ROCE-PFC", "cnp"),
        ("ROCE-MAP", "sm1"),
        ("RDMA-SCHED", "s1"),
        ("RDMA-ECN", "dp1"),
        ("dscp ROCE", "dscp d1"),
    ):
        text = text.replace(old, new)
    text = re.sub(r"\bRDMA\b", "NO-LOSS", text)
    assert of.drift(text) == {}
    (step,) = of.fixed(
        text.replace("fill-level 55", "fill-level 40").replace("detection 2", "detection 5")
    ).change.steps
    assert step.lines == (
        "delete class-of-service drop-profiles dp1",
        "set class-of-service drop-profiles dp1 interpolate fill-level 55",
        "set class-of-service drop-profiles dp1 interpolate fill-level 90",
        "set class-of-service drop-profiles dp1 interpolate drop-probability 0",
        "set class-of-service drop-profiles dp1 interpolate drop-probability 100",
        "set class-of-service congestion-notification-profile cnp pfc-watchdog detection 2",
        "set class-of-service congestion-notification-profile cnp-2 pfc-watchdog detection 2",
    )


def without(text: str, words: str) -> str:
    return "".join(f"{line}\n" for line in text.splitlines() if words not in line)


def test_what_is_rendered_anew_names_the_classes_of_the_switch(tmp_path: Path) -> None:
    of = case("leaf", tmp_path)
    text = re.sub(r"\bRDMA\b", "NO-LOSS", without(displayed(whole("leaf", tmp_path)), "classifiers"))
    found = lines(of.fixed(text))
    assert f"{CLASSIFIER} forwarding-class NO-LOSS loss-priority low code-points 011010" in found
    assert not [line for line in found if "forwarding-class RDMA" in line]


def test_what_is_defined_stands_before_what_names_it(tmp_path: Path) -> None:
    found = lines(case("leaf", tmp_path).fixed(without(displayed(whole("leaf", tmp_path)), "schedul")))
    sections = dict.fromkeys(line.split()[2] for line in found)
    assert list(sections) == ["schedulers", "scheduler-maps", "interfaces"]


def test_pfc_on_a_port_that_is_meant_to_have_none_is_taken_away(tmp_path: Path) -> None:
    at = "class-of-service interfaces et-0/0/64 congestion-notification-profile"
    text = f"{displayed(whole('leaf', tmp_path))}set {at} ROCE-PFC\n"
    assert lines(case("leaf", tmp_path).fixed(text)) == (f"delete {at}",)


def test_a_code_point_of_another_class_is_taken_out_of_it(tmp_path: Path) -> None:
    text = displayed(whole("leaf", tmp_path))
    rdma = "forwarding-class RDMA loss-priority low code-points"
    found = lines(case("leaf", tmp_path).fixed(text.replace(f"{rdma} 011010", f"{rdma} 011011")))
    assert found == (f"{CLASSIFIER.replace('set', 'delete')} {rdma} 011011", f"{CLASSIFIER} {rdma} 011010")


def test_a_marked_queue_that_nothing_is_meant_for_leaves_the_map(tmp_path: Path) -> None:
    text = displayed(whole("leaf", tmp_path)) + (
        "set class-of-service forwarding-classes class EXTRA queue-num 5\n"
        "set class-of-service schedulers X explicit-congestion-notification\n"
        "set class-of-service schedulers X drop-profile-map loss-priority any protocol any drop-profile RDMA-ECN\n"
        "set class-of-service scheduler-maps ROCE-MAP forwarding-class EXTRA scheduler X\n"
    )
    fixed = case("leaf", tmp_path).fixed(text)
    assert fixed.left == {}
    assert "delete class-of-service scheduler-maps ROCE-MAP forwarding-class EXTRA" in lines(fixed)
    assert "delete class-of-service schedulers X" in lines(fixed)


def test_a_classifier_of_one_unit_makes_room_for_that_of_the_port(tmp_path: Path) -> None:
    at = "class-of-service interfaces et-0/0/2 unit"
    text = displayed(whole("leaf", tmp_path)).replace(f"{at} * classifiers dscp ROCE", f"{at} 0 classifiers dscp OTHER")
    text += "set class-of-service classifiers dscp OTHER forwarding-class CNP loss-priority low code-points 011010\n"
    found = lines(case("leaf", tmp_path).fixed(text))
    assert found == (f"delete {at} 0", f"set {at} * classifiers dscp ROCE")


def test_a_profile_shared_with_ports_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    of = case("leaf", tmp_path)
    text = displayed(whole("leaf", tmp_path)).replace("detection 2", "detection 5")
    text += (
        "set interfaces et-0/0/40 mtu 9014\n"
        "set class-of-service interfaces et-0/0/40 congestion-notification-profile ROCE-PFC\n"
    )
    fixed = of.fixed(text)
    assert fixed.left == {}
    assert not [line for line in lines(fixed) if "congestion-notification-profile ROCE-PFC pfc-watchdog" in line]
    assert "congestion-notification-profile ROCE-PFC pfc-watchdog detection 5" in fixed.change.after


@pytest.mark.conformance
@pytest.mark.parametrize("runs", ["leaf", "no watchdog"])
def test_a_watchdog_gets_the_queues_that_it_watches(runs: str, junos_validator: Path, tmp_path: Path) -> None:
    """Queue 3 obeys priority 3 without an output side; the watchdog watches nothing, and commit refuses it."""
    of = case("leaf", tmp_path)
    text = displayed(whole(runs, tmp_path))
    bare = "".join(f"{line}\n" for line in text.splitlines() if " output ieee-802.1 " not in line)
    assert bare != text
    fixed = of.fixed(bare)
    assert fixed.left == {}
    assert any(line.endswith("output ieee-802.1 code-point 011 flow-control-queue 3") for line in lines(fixed))
    status, reported = validate(junos_validator, "--release", "24.4R1", text=typed(bare, lines(fixed)))
    assert status == 0, reported


def test_what_comes_from_groups_is_not_guessed_at(tmp_path: Path) -> None:
    of = case("leaf", tmp_path)
    text = displayed(whole("leaf", tmp_path)).replace("detection 2", "detection 5")
    grouped = text.replace("set class-of-service congestion", "set groups G class-of-service congestion")
    fixed = of.fixed(grouped + "set apply-groups G\n")
    assert fixed.change.steps == ()
    assert "come from groups" in fixed.change.beyond[0]


def test_what_is_inactive_stays_so(tmp_path: Path) -> None:
    of = case("leaf", tmp_path)
    text = displayed(whole("leaf", tmp_path)).replace("detection 2", "detection 5")
    off = "set class-of-service schedulers OLD transmit-rate percent 5\ndeactivate class-of-service schedulers OLD\n"
    after = of.fixed(text + off).change.after
    assert "deactivate class-of-service schedulers OLD" in after


@loop(
    ("before", "off", "activated"),
    [
        ("", "class-of-service congestion-notification-profile ROCE-PFC pfc-watchdog", True),
        ("poll-interval 100", "class-of-service congestion-notification-profile ROCE-PFC pfc-watchdog", True),
        ("", "class-of-service interfaces et-0/0/0:0 congestion-notification-profile", True),
        ("", "class-of-service schedulers RDMA-SCHED", True),
        ("", "interfaces et-0/0/0:0 mtu", True),
        ("mtu 9014", "interfaces et-0/0/0:0 mtu", True),
        ("", "class-of-service classifiers dscp ROCE forwarding-class RDMA", True),
        # it holds more than what is intended, and may be off on purpose
        ("", "interfaces et-0/0/0:0", False),
    ],
)
def test_what_is_deactivated_and_intended_is_activated(before: str, off: str, activated: bool, tmp_path: Path) -> None:
    """What is set at a statement that is deactivated stays inactive: Junos takes back the tag by activate alone."""
    of = case("leaf", tmp_path)
    text = displayed(whole("leaf", tmp_path)) + "set interfaces et-0/0/0:0 unit 0 family inet address 192.0.2.0/31\n"
    assert f"set {off}" in text
    text = text.replace(before, f"{before.split(maxsplit=1)[0]} 5000", 1) if before else text
    fixed = of.fixed(f"{text}deactivate {off}\n")
    printed = lines(fixed)
    if not activated:
        assert not any(line.startswith("activate") or off in line for line in printed)
        assert f"activate {off}, if it is to run" in fixed.change.beyond[0]
        return
    assert f"activate {off}" in printed
    assert of.drift(fixed.change.after) == {}
    assert of.drift(typed(f"{text}deactivate {off}\n", printed)) == {}  # as the switch has it then


def mark_of(command: str) -> str:
    return judge_commands(PROCEDURE, [command]).mark


def test_a_change_of_pfc_or_buffers_stops_traffic() -> None:
    worst = "set class-of-service interfaces et-0/0/0 congestion-notification-profile X"
    assert mark_of(worst) == mark_of("set class-of-service shared-buffer ingress percent 50") == PORT_FLAP
    dog = mark_of("set class-of-service congestion-notification-profile X pfc-watchdog detection 2")
    assert MARKS.index(dog) < MARKS.index(mark_of("set class-of-service schedulers S transmit-rate percent 5"))


@loop("word", ["exact", "rate-limit"])
def test_a_rate_that_is_a_cap_is_a_maximal_rate_and_goes_with_the_share(word: str, tmp_path: Path) -> None:
    """`exact` caps the rate that is the share; it has no line of its own to take away that leaves the share alone."""
    of = case("leaf", tmp_path)
    sound = displayed(whole("leaf", tmp_path))
    share = re.search(r"(set class-of-service schedulers DEFAULT-SCHED transmit-rate percent) \d+", sound)
    assert share is not None
    capped = f"{sound}{share[1].removesuffix(' percent')} {word}\n"
    assert {what.topic for settings in of.drift(capped).values() for what in settings} == {"max_rate"}
    for text in (capped, capped.replace(share[0], f"{share[1]} 7")):
        fixed = of.fixed(text)
        assert of.drift(typed(text, lines(fixed))) == {}, lines(fixed)
        assert not re.search(f"(?m)transmit-rate {word}$", typed(text, lines(fixed)))
