"""Junos: one thing is changed on a switch, and the change that is shown changes it back and nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from change_pairs import Case, lines
from checkout import ROOT
from junos_text import INTENTS, displayed, intent, rendered, typed, validate
from loops import loop
from test_junos_change import CLASSIFIER, case, whole

from rocecfg.model.catalogue import What
from rocecfg.vendors.junos.change.target import list_unsettable

COS = "class-of-service"
IF = f"{COS} interfaces"
CNP = f"{COS} congestion-notification-profile"
CLASS = f"{COS} forwarding-classes class"
CN = "congestion-notification-profile"
OTHER_MAP = f"{IF} et-0/0/40 scheduler-map OTHER"


def plus(*statements: str) -> Callable[[str], str]:
    """A text with more statements."""
    return lambda text: text + "".join(f"set {each}\n" for each in statements)


def minus(*words: str) -> Callable[[str], str]:
    """A text without the lines that have any of these words."""
    return lambda text: "".join(f"{line}\n" for line in text.splitlines() if not any(each in line for each in words))


def with_(old: str, new: str) -> Callable[[str], str]:
    """A text with other words."""
    return lambda text: text.replace(old, new)


def shown(name: str, folder: Path, *without: str) -> str:
    """What a switch shows that runs an intent, without the lines that have any of these words."""
    return minus("delete ", *without)(displayed(whole(name, folder)))


def change(name: str, text: str, folder: Path) -> tuple[str, ...]:
    """The change that leads from a text to an intent, with which nothing is left."""
    fixed = case(name, folder).fixed(text)
    assert fixed.left == {}
    return lines(fixed)


class Row(NamedTuple):
    """A row of junos_one_change.txt."""

    name: str
    why: str
    edits: list[str]
    expected: tuple[str, ...]

    def edited(self, text: str) -> str:
        """A text with the change."""
        for edit in self.edits:
            words = edit[2:].replace("\\n", "\n")
            if edit[0] in "+-":
                text = (plus if edit[0] == "+" else minus)(words)(text)
            else:
                before, old, new, after = re.split(r"\[| => |\]", words)
                text = with_(f"{before}{old}{after}", f"{before}{new}{after}")(text)
        return text


def several(line: str) -> list[str]:
    """A line for each of the words in braces."""
    before, _, rest = line.partition("{")
    inside, _, after = rest.partition("}")
    return [f"{before}{each}{after}" for each in inside.split(",")]


def rows() -> list[Row]:
    """The changes of junos_one_change.txt."""
    out = []
    for part in (Path(__file__).parent / "junos_one_change.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        head, *stated = part.splitlines()
        name, _, why = head.partition(": ")
        every = [each for line in stated for each in several(line)]
        expected = tuple(line for line in every if line.startswith(("set ", "delete ")))
        out.append(Row(name, why, [line for line in every if line not in expected], expected))
    return out


ONE_CHANGE = rows()


@loop("row", ONE_CHANGE)
def test_what_was_changed_is_changed_back(row: Row, tmp_path: Path) -> None:
    of, before = case(row.name, tmp_path), shown(row.name, tmp_path)
    text = row.edited(before)
    assert text != before
    fixed = of.fixed(text)
    assert lines(fixed) == row.expected
    assert fixed.left == {}
    after = typed(text, row.expected)
    assert of.drift(after) == {}
    assert set(fixed.change.after.splitlines()) == set(after.splitlines())


def test_the_table_is_read_whole() -> None:
    """Each row has edits, of a kind that there is, and a change."""
    assert len(ONE_CHANGE) > 80
    assert [row for row in ONE_CHANGE if not row.edits or not row.expected] == []
    assert {edit[:2] for row in ONE_CHANGE for edit in row.edits} == {"+ ", "- ", "~ "}


@pytest.mark.conformance
def test_what_is_changed_back_is_taken_by_the_models(junos_validator: Path) -> None:
    for old in (True, False):  # two names of the class of a queue, which are no one configuration
        cases = (row.expected for row in ONE_CHANGE if any("class OLD" in line for line in row.expected) is old)
        body = "".join(f"{line}\n" for expected in cases for line in expected)
        status, reported = validate(junos_validator, "--snippet", "--release", "24.4R1", text=body)
        assert status == 0, reported


def test_schedulers_that_are_not_there_come_as_a_whole(tmp_path: Path) -> None:
    of, before = case("leaf", tmp_path), shown("leaf", tmp_path)
    fixed = of.fixed(minus("scheduler")(before))
    assert sorted(lines(fixed)) == sorted(line for line in before.splitlines() if "scheduler" in line)
    assert fixed.left == {}


def test_a_classifier_by_tag_beside_one_by_dscp_is_none_of_the_mtu(tmp_path: Path) -> None:
    tags = (f"{IF} et-0/0/* unit * classifiers ieee-802.1 T", f"{COS} classifiers ieee-802.1 T import default")
    assert case("leaf", tmp_path).drift(plus(*tags)(displayed(whole("leaf", tmp_path)))) == {}


@pytest.mark.parametrize(
    "part",
    [
        "set interfaces et-0/0/2 mtu 1514\nset interfaces et-0/0/3 mtu 9014\n",
        "interfaces {\n    et-0/0/2 {\n        mtu 1514;\n    }\n    et-0/0/3 {\n        mtu 9014;\n    }\n}\n",
    ],
)
def test_the_first_statement_of_a_part_is_no_silence(part: str, tmp_path: Path) -> None:
    """What nothing says there is not compared; the MTU is said, though it is all that is said of the port."""
    assert case("leaf", tmp_path).drift(part) == {"et-0/0/2": frozenset({What("mtu")})}


@pytest.mark.conformance
def test_a_name_that_another_class_has_is_not_taken(junos_validator: Path, tmp_path: Path) -> None:
    """RDMA is a class of another queue there, which keeps its code points."""
    text = shown("leaf", tmp_path, "class RDMA")
    code = "loss-priority low code-points"
    more = (
        *(f"{CLASS} RDMA queue-num 6", f"{CLASS} RDMA-2 queue-num 7"),
        *(f"{COS} classifiers dscp ROCE forwarding-class RDMA {code} 110000",),
        *(f"{COS} classifiers dscp ROCE forwarding-class RDMA-2 {code} 111000",),
    )
    taken = minus("class CNP", "class CONTROL")(text)
    fixed = case("leaf", tmp_path).fixed(plus(*more)(taken))
    assert fixed.left == {}
    assert f"set {CLASS} RDMA-3 queue-num 3" in lines(fixed)
    assert not [line for line in lines(fixed) if f" {CLASS} RDMA queue" in line]
    status, reported = validate(junos_validator, "--release", "24.4R1", text=fixed.change.after)
    assert status == 0, reported


def test_a_class_moves_for_one_class_alone(tmp_path: Path) -> None:
    """Its code points are meant for two."""
    text = shown("leaf", tmp_path, "code-points 100010").replace("RDMA queue-num 3", "RDMA queue-num 5")
    text = text.replace("class RDMA", "class OLD")
    more = plus(f"{COS} classifiers dscp ROCE forwarding-class OLD loss-priority low code-points 100010")
    made = change("two lossless", more(text), tmp_path)
    queues = [line for line in made if "queue-num" in line]
    assert queues == [f"set {CLASS} OLD queue-num 3", f"set {CLASS} STORAGE queue-num 4"]


def test_schedulers_of_ports_that_nobody_means_are_left_alone(tmp_path: Path) -> None:
    text = shown("leaf", tmp_path)
    text = re.sub(r"(?m)^.* scheduler-map ROCE-MAP\n", "", text).replace("maps ROCE-MAP ", "maps OTHER ")
    text = plus("interfaces et-0/0/40 mtu 9014", OTHER_MAP)(text.replace("percent 60", "percent 10", 1))
    made = change("leaf", text, tmp_path)
    assert f"set {COS} schedulers RDMA-SCHED-3 transmit-rate percent 60" in made
    touched = (f"{COS} schedulers RDMA-SCHED ", f"{COS} drop-profiles RDMA-ECN ", f"{COS} scheduler-maps OTHER ")
    assert not [line for line in made if any(each in line for each in touched)]


def test_a_scheduler_of_their_own_has_all_that_the_shared_one_says(tmp_path: Path) -> None:
    """Another port has the map too, and nobody means anything of the buffer that its scheduler has."""
    text = shown("leaf", tmp_path, "explicit-congestion")
    own = f"{COS} schedulers RDMA-SCHED-3"
    text = plus(
        *("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 scheduler-map ROCE-MAP"),
        f"{COS} schedulers RDMA-SCHED buffer-size percent 20",
    )(text)
    made = change("leaf", text, tmp_path)
    assert {line for line in made if f"{own} " in line} == {
        *(f"set {own} transmit-rate percent 60", f"set {own} priority low", f"set {own} buffer-size percent 20"),
        f"set {own} drop-profile-map loss-priority any protocol any drop-profile RDMA-ECN-2",
        f"set {own} explicit-congestion-notification",
    }


def test_a_drop_profile_of_a_scheduler_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    of = f"{COS} schedulers OTHER-SCHED"
    text = shown("leaf", tmp_path).replace("fill-level 55", "fill-level 40")
    text = plus(
        *("interfaces et-0/0/40 mtu 9014", OTHER_MAP, f"{of} explicit-congestion-notification"),
        *(f"{COS} scheduler-maps OTHER forwarding-class RDMA scheduler OTHER-SCHED",),
        *(f"{of} drop-profile-map loss-priority any protocol any drop-profile RDMA-ECN",),
    )(text)
    made = change("leaf", text, tmp_path)
    assert f"set {COS} drop-profiles RDMA-ECN-2 interpolate fill-level 55" in made
    assert not [line for line in made if " RDMA-ECN interpolate" in line]


@pytest.mark.parametrize("stated", ["mtu 9014", "speed 100g"])
def test_a_map_of_ports_that_nobody_means_is_left_alone(stated: str, tmp_path: Path) -> None:
    """Those that are meant get one of their own, in which all classes keep their schedulers."""
    text = shown("leaf", tmp_path)
    text = text.replace("MAP forwarding-class RDMA scheduler RDMA-SCHED\n", "MAP forwarding-class RDMA scheduler X\n")
    text = plus(
        f"interfaces et-0/0/40 {stated}", f"{IF} et-0/0/40 scheduler-map ROCE-MAP", f"{COS} schedulers X priority low"
    )(text)
    of = case("leaf", tmp_path)
    made = lines(of.fixed(text))
    assert of.drift(typed(text, made)) == {}
    rows = [line.split() for line in made if " scheduler-maps " in line]
    assert {row[3] for row in rows} == {"ROCE-MAP-3"}
    assert {row[5] for row in rows} == {"DEFAULT", "RDMA", "CNP", "CONTROL"}
    assert not [line for line in made if " schedulers X " in line]


def test_a_map_of_their_own_has_the_classes_that_are_right_too(tmp_path: Path) -> None:
    """RDMA lacks ECN alone, and the others keep the schedulers that they have."""
    text = shown("leaf", tmp_path)
    text = text.replace("MAP forwarding-class RDMA scheduler RDMA-SCHED\n", "MAP forwarding-class RDMA scheduler X\n")
    own = (f"{COS} schedulers X priority low", f"{COS} schedulers X transmit-rate percent 60")
    text = plus("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 scheduler-map ROCE-MAP", *own)(text)
    made = change("leaf", text, tmp_path)
    rows = {tuple(line.split()[3:]) for line in made if " scheduler-maps " in line}
    assert rows == {
        ("ROCE-MAP-3", "forwarding-class", of, "scheduler", f"{of}-SCHED")
        for of in ("DEFAULT", "RDMA", "CNP", "CONTROL")
    }


@pytest.mark.parametrize(("runs", "means"), [("leaf", "untrusted"), ("untrusted", "leaf")])
def test_what_a_port_sorts_by_is_taken_back(runs: str, means: str, tmp_path: Path) -> None:
    of, at = case(means, tmp_path), f"{IF} et-0/0/64 unit *"
    classified, fixed = f"{at} classifiers dscp ROCE", f"{at} forwarding-class DEFAULT"
    gone, new = (fixed, classified) if means == "leaf" else (classified.removesuffix(" dscp ROCE"), fixed)
    text = shown(runs, tmp_path)
    assert lines(of.fixed(text)) == (f"delete {gone}", f"set {new}")


@pytest.mark.parametrize(
    ("name", "wild", "word"),
    [
        ("leaf", "congestion-notification-profile ROCE-PFC", "congestion-notification-profile"),
        ("untrusted", "unit * classifiers dscp ROCE", "dscp"),
    ],
)
def test_what_a_wildcard_binds_is_left_to_the_user(name: str, wild: str, word: str, tmp_path: Path) -> None:
    fixed = case(name, tmp_path).fixed(plus(f"{IF} et-0/0/6* {wild}")(displayed(whole(name, tmp_path))))
    assert fixed.change.steps == ()
    assert fixed.change.beyond == (
        f"et-0/0/64: its {word} comes from a wildcard of class-of-service interfaces: name the ports instead",
    )


def test_a_port_alone_gets_a_profile_of_its_own_with_all_that_it_had(tmp_path: Path) -> None:
    """Another port, which nobody means, has the same one: what is meant of the watchdog is no matter of it."""
    name = "junos os paused"
    text = shown(name, tmp_path).replace("detection 2", "detection 5")
    xon = "input dscp code-point 011010 xon 5"  # which nobody means
    other = f"{IF} et-0/0/40 congestion-notification-profile ROCE-PFC"
    text = plus("interfaces et-0/0/40 mtu 9014", other, f"{CNP} ROCE-PFC {xon}")(text)
    made = change(name, text, tmp_path)
    own = [line for line in made if f" {CNP} ROCE-PFC-2 " in f" {line} "]
    assert {f"set {CNP} ROCE-PFC-2 input dscp code-point 011010 pfc", f"set {CNP} ROCE-PFC-2 {xon}"} <= set(own)
    assert f"set {IF} et-0/0/48 congestion-notification-profile ROCE-PFC-2" in made


def test_what_stands_beside_pfc_stays_where_it_is_changed(tmp_path: Path) -> None:
    """An xon and an mru that nobody means: of the code point that stays; without pfc they would be refused."""
    text = displayed(whole("leaf", tmp_path))
    point = f"{CNP} ROCE-PFC input dscp code-point"
    more = (f"{point} 011010 xon 5", f"{point} 011010 mru 4200", f"{point} 011011 pfc", f"{point} 011011 xon 7")
    text = plus(*more, f"{COS} classifiers dscp ROCE forwarding-class RDMA loss-priority low code-points 011011")(
        minus("code-points 011011")(text)
    )
    assert lines(case("leaf", tmp_path).fixed(text)) == (
        f"delete {point} 011011",
        f"delete {COS} classifiers dscp ROCE forwarding-class RDMA loss-priority low code-points 011011",
        f"set {COS} classifiers dscp ROCE forwarding-class DEFAULT loss-priority low code-points 011011",
    )


def test_a_port_that_only_class_of_service_names_keeps_what_it_has(tmp_path: Path) -> None:
    """Its interface may be configured any day: what it shares with ports that are meant is theirs no longer."""
    name = "leaf"
    other = f"{IF} et-0/0/40 congestion-notification-profile ROCE-PFC"
    text = plus(other)(
        displayed(whole(name, tmp_path)).replace(
            "ROCE-PFC pfc-watchdog detection 2", "ROCE-PFC pfc-watchdog detection 5"
        )
    )
    of = case(name, tmp_path)
    fixed = of.fixed(text)
    assert fixed.left == {}
    assert not any(f"{CNP} ROCE-PFC pfc-watchdog" in line for line in lines(fixed))
    assert of.drift(typed(text, lines(fixed))) == {}


def test_a_scheduler_of_which_nothing_is_left_is_as_rendered(tmp_path: Path) -> None:
    """A map names it: without a statement it would not be there, and commit refuses the map."""
    fabric = intent(INTENTS["leaf"].replace(", bandwidth: 40", ""), tmp_path)
    text = rendered(INTENTS["leaf"].replace(", bandwidth: 40", ""), tmp_path, "set")
    scheduler = f"{COS} schedulers DEFAULT-SCHED"
    runs = displayed(f"set system host-name leaf01\n{text}").replace(
        f"{scheduler} priority low", f"{scheduler} shaping-rate percent 5"
    )
    fixed = Case(fabric, fabric.devices[0]).fixed(runs)
    assert lines(fixed) == (f"delete {scheduler} shaping-rate", f"set {scheduler} priority low")


def test_what_no_statement_sets_is_said() -> None:
    of_switch = ("dscp", "pcp", "buffers", "remarks", "stops", "pauses", "load_balancing")
    of_port = (
        *("dscp", "pcp", "trust", "unmarked", "pfc", "obeys", "sends", "stops", "pauses", "watchdog", "cable"),
        *("shares", "guaranteed", "max_rate", "ecn", "discards", "mtu", "flowcontrol"),
    )
    scope = {
        None: frozenset({What("roce"), *map(What, of_switch)}),
        "et-0/0/2": frozenset({What("dcbx"), What("speed"), *map(What, of_port)}),
    }
    assert list_unsettable(scope) == (
        "roce is not set by a statement on queues or PFC",
        "et-0/0/2: dcbx is not set by a statement on queues or PFC",
        "et-0/0/2: speed is not set by a statement on queues or PFC",
    )


def test_one_statement_of_class_of_service_from_a_group_is_one_too_many(tmp_path: Path) -> None:
    text = shown("leaf", tmp_path, "ROCE-PFC pfc-watchdog detection")
    grouped = plus(f"{COS} apply-groups G", f"groups G {CNP} ROCE-PFC pfc-watchdog detection 5")(text)
    fixed = case("leaf", tmp_path).fixed(grouped)
    assert fixed.change.steps == ()
    assert "come from groups" in fixed.change.beyond[0]


def test_all_of_it_comes_in_the_order_in_which_it_is_named(tmp_path: Path) -> None:
    ports = plus(*(f"interfaces et-0/0/{port} mtu 9014" for port in (2, 3, 64)))
    made = change("buffers", ports("set system host-name leaf01\n"), tmp_path)
    rows = [line.split() for line in made]
    assert {row[0] for row in rows} == {"set"}
    sections = dict.fromkeys(row[2] if row[1] == COS else row[1] for row in rows)
    assert list(sections) == [
        *("interfaces", "forwarding-classes", "classifiers", "drop-profiles", "schedulers", "scheduler-maps"),
        *("shared-buffer", "congestion-notification-profile"),
    ]
    assert rows[-1][2:4] == ["interfaces", "et-0/0/64"]


def test_settings_in_one_line_are_changed_one_by_one(tmp_path: Path) -> None:
    text = minus("delete ")(whole("leaf", tmp_path))
    apart = "".join(f"set {CLASS} RDMA {each}\n" for each in ("queue-num 3", "no-loss", "pfc-priority 3"))
    assert apart in text
    one = f"set {CLASS} RDMA queue-num 3 no-loss pfc-priority 4\n"
    assert lines(case("leaf", tmp_path).fixed(text.replace(apart, one))) == (f"set {CLASS} RDMA pfc-priority 3",)


@pytest.mark.parametrize(
    ("balancing", "runs", "expected"),
    [
        (
            "mode: adaptive",
            ("ecmp-dlb assigned-flow",),
            ("delete H ecmp-dlb assigned-flow", "set H ecmp-dlb per-packet"),
        ),
        (
            "mode: adaptive",
            ("ecmp-dlb flowlet inactivity-interval 128",),
            ("delete H ecmp-dlb flowlet", "set H ecmp-dlb per-packet"),
        ),
        (
            "hash: [src-ip, dst-ip, protocol, src-port, dst-port]",
            ("hash-mode layer2-payload", "inet no-protocol", "inet6 no-next-header", "inet6 no-flow-label"),
            ("delete H inet no-protocol", "delete H inet6 no-next-header"),
        ),
        (
            "hash: [src-ip, dst-ip, protocol, src-port]",
            *(("hash-mode layer2-header", "inet no-protocol", "inet6 no-l4-destination-port"),),
            (
                *("delete H hash-mode layer2-header", "delete H inet no-protocol", "set H hash-mode layer2-payload"),
                "set H inet no-l4-destination-port",
            ),
        ),
    ],
)
def test_what_spreads_packets_is_changed_back(
    balancing: str, runs: tuple[str, ...], expected: tuple[str, ...], tmp_path: Path
) -> None:
    at = "forwarding-options enhanced-hash-key"
    fabric = intent(f"{INTENTS['leaf']}load_balancing: {{{balancing}}}\n", tmp_path)
    text = plus(*(f"{at} {each}" for each in runs))(shown("leaf", tmp_path))
    fixed = Case(fabric, fabric.devices[0]).fixed(text)
    assert lines(fixed) == tuple(line.replace(" H ", f" {at} ") for line in expected)
    assert fixed.left == {}


def test_a_classifier_of_ports_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    """Those that are meant, and sorted otherwise, get one of their own, whatever one of another kind is called."""
    tags, right = f"{COS} classifiers ieee-802.1", f"{IF} et-0/0/0:1 unit * classifiers ieee-802.1"
    text = shown("tagged", tmp_path)
    own = [line.replace(" ROCE ", " OWN ") for line in text.splitlines() if f"{tags} ROCE" in line]
    text = with_("RDMA loss-priority low code-points 011\n", "CNP loss-priority low code-points 011\n")(text)
    text = plus(
        *("interfaces et-0/0/40 mtu 9018", f"{IF} et-0/0/40 unit * classifiers ieee-802.1 ROCE"),
        *("interfaces et-0/0/41 mtu 9018", f"{IF} et-0/0/41 unit * classifiers ieee-802.1 OWN"),
        f"{COS} classifiers dscp ROCE-2 forwarding-class DEFAULT loss-priority low code-points 000000",
    )(text.replace(f"{right} ROCE", f"{right} OWN") + "".join(f"{line}\n" for line in own))
    made = change("tagged", text, tmp_path)
    assert f"set {tags} ROCE-2 forwarding-class RDMA loss-priority low code-points 011" in made
    ports = ("et-0/0/0:0", "et-0/0/1:0", "et-0/0/1:1")
    bound = tuple(f"set {IF} {port} unit * classifiers ieee-802.1 ROCE-2" for port in ports)
    assert tuple(line for line in made if f"{tags} ROCE-2 " not in line) == bound


def test_the_length_of_packets_of_ports_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    """Those that are meant get a profile of their own, whole; the management port, which has none, gets none."""
    text = shown("mru", tmp_path).replace("mru 4200", "mru 2000")
    text = plus("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 {CN} ROCE-PFC")(text)
    made = lines(case("mru", tmp_path).fixed(text))
    assert f"set {CNP} ROCE-PFC-3 input dscp code-point 011010 mru 4200" in made
    assert f"set {CNP} ROCE-PFC-3 input dscp code-point 011010 pfc" in made
    ports = [line.split()[3] for line in made if line.startswith(f"set {IF} ")]
    assert ports == ["et-0/0/0:0", "et-0/0/0:1", "et-0/0/1:0", "et-0/0/1:1"]
    assert not [line for line in made if f" {CNP} ROCE-PFC " in f" {line}"]


def test_the_first_name_that_is_free_is_taken(tmp_path: Path) -> None:
    text = shown("leaf", tmp_path, "class RDMA", "class CNP")
    other = f"{COS} classifiers dscp ROCE forwarding-class RDMA loss-priority low code-points 110000"
    made = change("leaf", plus(f"{CLASS} RDMA queue-num 6", other)(text), tmp_path)
    assert [line for line in made if "queue-num" in line] == [f"set {CLASS} RDMA-2 queue-num 3"]


def test_a_template_of_ones_own_may_name_a_class_of_junos(tmp_path: Path) -> None:
    """best-effort is there on every switch, and defined by no statement."""
    shutil.copytree(ROOT / "templates" / "junos", tmp_path / "own" / "junos")
    path = tmp_path / "own" / "junos" / "classifiers.j2"
    shipped = path.read_text(encoding="utf-8")
    own = 'forwarding-class {{ "best-effort" if class.name == "DEFAULT" else class.name }} {'
    path.write_text(shipped.replace("forwarding-class {{ class.name }} {", own), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != shipped
    text, fabric = displayed(whole("leaf", tmp_path)), intent(INTENTS["leaf"], tmp_path)
    of = Case(fabric, fabric.devices[0], str(tmp_path / "own"))
    meant = text.replace("forwarding-class DEFAULT loss-priority", "forwarding-class best-effort loss-priority")
    strayed = meant.replace(f"{CLASSIFIER} forwarding-class best-effort", f"{CLASSIFIER} forwarding-class RDMA")
    assert strayed != meant
    made = [line for line in lines(of.fixed(strayed)) if line.startswith("set ")]
    assert len(made) == 61  # all code points but RDMA's, that of CNPs and that of control traffic
    assert all(line.startswith(f"{CLASSIFIER} forwarding-class best-effort ") for line in made)
