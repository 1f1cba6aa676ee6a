"""SR Linux: what is rendered is what Nokia's models take, and read back says what was meant; changes lead there."""

from __future__ import annotations

import json
import re
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from change_pairs import Case, lines
from conformance import lacking
from intents import POLICY, findings
from intents import fabric as fabric_in
from sampling import part as part_of

from rocecfg import Fabric
from rocecfg.drift.configurations import compare_configurations
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.model.catalogue import What
from rocecfg.model.switch import Switch
from rocecfg.rules import ALL
from rocecfg.source.document import Document, Sources
from rocecfg.vendors import part
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.running import fabric_of, read_drafts

BOXES = {
    "nokia-ixr7220-h4-64d": "7220-IXR-H4",
    "nokia-ixr7220-h4-32d": "7220-IXR-H4-32D",
    "nokia-ixr7220-d4": "7220-IXR-D4",
}
PLAIN = POLICY.replace("poll_interval: 100ms, ", "").replace(", action: drop", "")


def text_of_intent(platform: str, more: str = "", version: str = "25.3", mtu: int = 9000) -> str:
    return (
        f"{PLAIN}defaults: {{vendor: srlinux, platform: {platform}, version: '{version}', mtu: {mtu}}}\n{more}"
        "devices:\n  leaf01:\n    ports:\n"
        "      'ethernet-1/[1-3]': {speed: 400G, faces: host, cable: 3m}\n"
        "      'ethernet-1/[31-32]': {speed: 400G, faces: switch, cable: 30m}\n"
    )


def intent(folder: Path, platform: str = "nokia-ixr7220-h4-64d", more: str = "", version: str = "25.3") -> Fabric:
    return fabric_in(folder, text_of_intent(platform, more, version))


def text_of(fabric: Fabric) -> str:
    (file,) = render_files(fabric, "srlinux")
    return file.rendering.body


def whole(body: str) -> str:
    ports = "".join(f"set / interface ethernet-1/{n} subinterface 0 type routed\n" for n in (1, 2, 3, 31, 32))
    return f"set / system name host-name leaf01\n{body}{ports}"


@pytest.fixture(scope="module")
def judge_of(shared: Path) -> ModuleType:
    if find_spec("oopt_gnpy_libyang") is None:
        lacking("oopt_gnpy_libyang is not installed: pip install 'rocecfg[validate]'")
    loader = SourceFileLoader("validate_srlinux", str(shared / "tools" / "validate-srlinux"))
    module = module_from_spec(spec_from_loader("validate_srlinux", loader) or pytest.fail("no validator"))
    loader.exec_module(module)
    return module


@pytest.mark.conformance
def test_nokias_models_take_what_is_rendered(judge_of: ModuleType, shared: Path, tmp_path: Path) -> None:
    for models, version in (("v25.3.1", "25.3"), ("v24.10.3", "24.10")):
        folder = shared / "srlinux-yang" / models
        for platform, known in BOXES.items():
            features = folder / "platforms" / f"{known}.json"
            if not features.is_file():  # a box that is newer than the models
                continue
            validator = judge_of.Validator(str(folder), set(json.loads(features.read_text(encoding="utf-8"))))
            body = whole(text_of(intent(tmp_path, platform, version=version)))
            assert validator.check(body)[0] == [], (models, platform)
            wrong = body.replace("detection-timer 200", "detection-timer 5")
            assert validator.check(wrong)[0], (models, platform)


STANDS_FOR = {
    "NAME": "roce",
    "PORT": "ethernet-1/1",
    "CLASS": "fc3",
    "QUEUE": "unicast-3",
    "GROUP": "pfc-3",
    "N": "100",
    "P": "3",
}


@pytest.mark.conformance
def test_every_command_of_a_fix_is_one_of_nokias_models(judge_of: ModuleType, shared: Path) -> None:
    folder = shared / "srlinux-yang" / "v25.3.1"
    have = set(json.loads((folder / "platforms" / "7220-IXR-D5.json").read_text(encoding="utf-8")))
    validator = judge_of.Validator(str(folder), have)
    typed: dict[str, str] = {}
    for rule, fix in part("srlinux", "fixes").FIXES.items():
        for command in re.findall(r"`([^`]+)`", fix):
            for word, value in STANDS_FOR.items():
                number = "20" if " dscp N" in command else value
                command = re.sub(rf"(?<![A-Z]){word}(?![A-Z])", number if word == "N" else value, command)  # noqa: PLW2901
            typed[command] = rule
    assert all(each.startswith(("set / ", "delete / ", "commit ")) for each in typed)
    for each, rule in typed.items():
        if each.startswith("set "):
            errors = [message for _, message, _ in validator.read(f"{each}\n")[0].errors]
            assert errors == [], (rule, each)
    assert len(typed) > 30


def test_what_the_fix_of_missing_pfc_says_to_type_brings_it(tmp_path: Path) -> None:
    """Typed on a switch that has all else: the class is paused, and the queue obeys."""
    sound = whole(text_of(intent(tmp_path)))
    bare = "".join(line for line in sound.splitlines(keepends=True) if " pfc-mapping-profile" not in line)
    typed = re.findall(r"`(set / [^`]+)`", part("srlinux", "fixes").FIXES["pfc-missing-rdma"])
    for word, value in STANDS_FOR.items():
        typed = [re.sub(rf"(?<![A-Z]){word}(?![A-Z])", value, line) for line in typed]

    def paused(text: str) -> set[int]:
        (switch,) = part("srlinux", "reader").read(Document(0, "leaf01", text))
        return {n for port in switch.ports if "ethernet-1/1" in port.names for n in port.pfc}

    assert (paused(bare), paused(bare + "\n".join(typed))) == (set(), {3})


def test_each_rule_that_fires_on_such_a_switch_has_a_fix(tmp_path: Path) -> None:
    """Of SR Linux's own rules, and of those that its mistakes of the first day bring."""
    fixes = part("srlinux", "fixes").FIXES
    assert {one.name for one in ALL if one.name.startswith("srlinux-")} <= fixes.keys()
    sound = whole(text_of(intent(tmp_path)))
    for old, new in (("enable-pfc true", "enable-pfc false"), ("deadlock enable true", "deadlock enable false"),
                     ("subinterface 0 ip-mtu 9000", "subinterface 0 ip-mtu 1500"),
                     ("dscp 48 forwarding-class fc6", "dscp 48 forwarding-class fc3"),
                     ("max-threshold 1600000", "max-threshold 300000")):  # fmt: skip
        assert old in sound
        sources = Sources()
        document = sources.add("leaf01.cli", sound.replace(old, new))
        found, failed = judge(fabric_of("leaf01.cli", [(document, read_drafts(document, "srlinux"))], [], sources))
        assert not failed
        told = {one.rule.name for one in found} - {"hygiene-absent"}
        assert told, new
        assert told <= {key.partition(":")[0] for key in fixes}, told


def test_read_back_it_says_what_was_meant(tmp_path: Path) -> None:
    fabric = intent(tmp_path)
    meant = fabric.devices[0]
    sources = Sources()
    document = sources.add("leaf01.cli", whole(text_of(fabric)))
    (got,) = fabric_of("leaf01.cli", [(document, read_drafts(document, "srlinux"))], [], sources).fabric.devices  # type: ignore[union-attr]
    by_queue = {cls.queue: cls for cls in got.classes}
    for cls in meant.classes:
        own = by_queue[cls.queue]
        assert (own.dscps, own.lossless, own.strict, own.bandwidth) == (
            cls.dscps,
            cls.lossless,
            cls.strict,
            cls.bandwidth,
        )
        assert own.ecn == cls.ecn
        assert not cls.lossless or own.priority == cls.priority
    for port in got.ports:
        assert (port.pfc, port.mtu, port.layer) == ((3,), 9000, 3)
        assert port.watchdog is not None
        assert (port.watchdog.detection, port.watchdog.restoration) == (200, 400)
        (group,) = port.running.groups if port.running is not None else ()
        assert isinstance(group.static, int)
        assert group.static > 1_600_000  # above kmax, so that ECN marks first


def test_what_the_models_of_a_release_say_is_written_so(tmp_path: Path) -> None:
    assert "pfc-pause-frame-priority [ 3 ]" in text_of(intent(tmp_path, version="24.10"))
    assert "pfc-pause-frame-priority 3\n" in text_of(intent(tmp_path))
    with pytest.raises(CannotRender, match="rocecfg does not write"):
        text_of(intent(tmp_path, version="25.10"))


def test_lint_and_render_say_the_same_of_a_release_and_of_an_mtu(tmp_path: Path) -> None:
    for version, mtu, written, told in (
        ("v25.3.1", 9398, True, set()),
        ("25.7.2", 9000, True, {"nos-release-unknown"}),
        ("25.10", 9000, False, {"nos-release-unknown"}),
        ("23.10", 9000, False, {"nos-release-unknown"}),
        ("25.3", 9400, False, {"schema-nos-range"}),
    ):
        text = text_of_intent("nokia-ixr7220-h4-64d", version=version, mtu=mtu)
        found = {f.rule: f.message for f in findings(tmp_path, text)}
        fabric = fabric_in(tmp_path, text)
        assert found.keys() & {"nos-release-unknown", "schema-nos-range"} == told, version
        assert ("rendered as" in found.get("nos-release-unknown", "rendered as")) is (written or mtu == 9400), version
        if written:
            assert text_of(fabric)
        else:
            with pytest.raises(CannotRender):
                text_of(fabric)


def test_thresholds_that_the_buffer_cannot_hold_together_are_told(tmp_path: Path) -> None:
    """113 MB less 10 percent is 101.8 MB: 64 queues that pause above 1.6 MB are 102.4 MB; 32 of them fit."""
    text = text_of_intent("nokia-ixr7220-h4-64d")
    for ports, told in (("1-30,33-64", True), ("1-30", False)):
        fabric = fabric_in(tmp_path, text.replace("ethernet-1/[1-3]", f"ethernet-1/[{ports}]"))
        (file,) = render_files(fabric, "srlinux")
        assert any("beside headroom" in note for note in file.rendering.notes) is told, ports


def test_where_no_port_is_named_notes_say_what_each_needs(tmp_path: Path) -> None:
    (file,) = render_files(fabric_in(tmp_path, f"{PLAIN}defaults: {{vendor: srlinux}}\n"), "srlinux")
    named = text_of(intent(tmp_path)).replace("ethernet-1/1", "PORT").splitlines()
    assert [line for line in named if " PORT" in line and "/ qos" in line] == [
        note for note in file.rendering.notes if note.startswith("set / ")
    ]


def change(running: str, fabric: Fabric, *wanted: tuple[str | None, What]) -> tuple[tuple[str, ...], str]:
    scope: dict[str | None, frozenset[What]] = {}
    for port, what in wanted:
        scope[port] = scope.get(port, frozenset()) | {what}
    made = part("srlinux", "change").plan_change(text_of(fabric), Document(0, "r", running), scope, fabric.devices[0])
    assert made.beyond == ()
    return tuple(line for step in made.steps for line in step.lines), made.after


def test_a_change_sets_what_is_wanted_under_the_switchs_own_names(tmp_path: Path) -> None:
    fabric = intent(tmp_path)
    sound = whole(text_of(fabric)).replace("roce-pfc", "lossless").replace("unicast-3", "rdma").replace(" fc3", " gold")
    assert change(sound, fabric) == ((), sound.replace("[ gold ]", "[ gold ]")) or change(sound, fabric)[0] == ()
    ports = [f"ethernet-1/{n}" for n in (1, 2, 3, 31, 32)]
    base = "set / qos"
    for old, new, what, typed in (
        ("detection-timer 200", "detection-timer 100", What("watchdog", None, "detection_time"),
         (f"{base} pfc-mapping-profile lossless received-pfc-pause-frames deadlock detection-timer 200",)),
        ("dscp 26 forwarding-class gold", "dscp 26 forwarding-class fc0", What("dscp", 26),
         (f"{base} classifiers dscp-policy roce dscp 26 forwarding-class gold",)),
        ("input q3 weight 60", "input q3 weight 30", What("shares"),
         (f"{base} scheduler-policies scheduler-policy roce scheduler 1 input q3 weight 60",)),
        ("pfc pfc-enable true", "pfc pfc-enable false", What("pfc"),
         tuple(f"{base} interfaces interface {port} pfc pfc-enable true" for port in ports)),
        (" mtu 9014", " mtu 1514", What("mtu"), tuple(f"set / interface {port} mtu 9014" for port in ports)),
    ):  # fmt: skip
        assert old in sound
        running = sound.replace(old, new)
        wanted = [(None, what)] if what.topic == "dscp" else [(port, what) for port in ports]
        got, after = change(running, fabric, *wanted)
        assert got == typed, what
        assert change(after, fabric, *wanted)[0] == ()


def test_a_priority_that_is_a_list_is_emptied_before_it_is_set(tmp_path: Path) -> None:
    """In 24.10 it is a list of at most one: a set line adds to what it has."""
    fabric = intent(tmp_path, version="24.10")
    sound = whole(text_of(fabric))
    sent = "qos pfc-mapping-profile roce-pfc received-traffic unicast-mapping pfc-queue pfc-3 pfc-pause-frame-priority"
    running = sound.replace(f"{sent} [ 3 ]", f"{sent} [ 4 ]")
    assert running != sound
    wanted = ("ethernet-1/1", What("pfc"))
    assert change(running, fabric, wanted)[0] == (f"delete / {sent}", f"set / {sent} [ 3 ]")


SILENT = (  # what the system has by itself, also under these names; of a slope nobody knows it
    " queue-index ", " output unicast-queue ", " interface-ref interface ", " slope-enabled true", " input-type ",
    " drop-probability low", " weight-factor 0",
    " mtu 9014", " type routed",  # the port's own is larger than what IP has, and an MTU of IP shows that it is routed
)  # fmt: skip


def test_each_statement_that_is_changed_or_gone_shows(tmp_path: Path) -> None:
    """In what two configurations are compared in, as a finding, or as what is not understood."""
    lines = [
        line
        for line in whole(text_of(intent(tmp_path))).splitlines()
        if not re.search(r"ethernet-1/(?:2|3|31|32)\b", line)
    ]

    def read(given: list[str]) -> Switch:
        (switch,) = part("srlinux", "reader").read(Document(0, "leaf01", "\n".join(given)))
        return switch

    first, quiet = read(lines), []
    for n, line in enumerate(lines[1:], 1):  # behind its name
        number = re.search(r"\d+(?= \]$|$)", line)
        other = line.replace(" true", " false") if line.endswith(" true") else f"{line.removesuffix(' ]')}x"
        if number is not None and number[0] != "0":
            other = f"{line[: number.start()]}{int(number[0]) - 1}{line[number.end() :]}"
        for changed in (other, None):
            got = read([*lines[:n], *([changed] if changed else []), *lines[n + 1 :]])
            told = {problem.message for problem in got.problems} - {problem.message for problem in first.problems}
            if not (told or got.unread or compare_configurations(first, got)):
                quiet.append((changed, line))
    assert [line for changed, line in quiet if changed is not None] == []
    assert [line for _, line in quiet if not any(word in line for word in SILENT)] == []


def test_the_change_leads_to_what_is_meant(tmp_path: Path) -> None:
    """Whatever statement is another one, or gone: what is typed makes up for it, and says no more."""
    fabric = intent(tmp_path)
    of = Case(fabric, fabric.devices[0])
    sound = whole(text_of(fabric)).splitlines()
    changed = []
    for n, line in enumerate(sound):
        if not line.startswith("set / system") and not re.search(r"ethernet-1/(?:3|31|32)\b| type routed", line):
            number = re.search(r"[1-9]\d*(?= \]$|$)", line)
            other = line.replace(" true", " false")
            if number is not None:
                other = f"{line[: number.start()]}{int(number[0]) - 1}{line[number.end() :]}"
            changed += [(n, other), (n, None)] if other != line else [(n, None)]
    for n, other in part_of(changed, "rocecfg/vendors/srlinux/change", "rocecfg/drift")[::2]:
        text = "".join(f"{line}\n" for line in [*sound[:n], *([other] if other else []), *sound[n + 1 :]])
        fixed = of.fixed(text)
        typed = lines(fixed)
        assert fixed.change.beyond == (), (other, sound[n])
        assert bool(typed) == bool(of.drift(text)), (other, sound[n])
        assert of.drift(text + "".join(f"{line}\n" for line in typed)) == {}, (other, sound[n], typed)


def test_what_lint_has_against_a_switch_is_no_same_effect(tmp_path: Path) -> None:
    """ECN off on the whole switch, rows of subinterfaces that are not there, headroom of nothing: each is drift."""
    fabric = intent(tmp_path)
    of = Case(fabric, fabric.devices[0])
    sound = whole(text_of(fabric))
    row, port = (
        "set / qos interfaces interface ethernet-1/1.0 interface-ref",
        "set / interface ethernet-1/1 subinterface",
    )
    pause = "set / qos buffer-management buffer-allocation-profile roce-in queues pfc-queue pfc-3"
    for old, new, topic, ports, typed in (
        ("set / qos explicit-congestion-notification\n", "", "ecn", 5, ("set / qos explicit-congestion-notification",)),
        (f"{row} subinterface 0", f"{row} subinterface 1", "dscp", 1, (f"{row} subinterface 0",)),
        (f"{port} 0 ip-mtu 9000\n", "", "dscp", 1, None),
        (f"{pause} maximum-burst-size", f"{pause} maximum-pfc-reserved-share-bytes 0\n{pause} maximum-burst-size",
         "headroom", 5, (f"{pause} maximum-pfc-reserved-share-bytes".replace("set", "delete", 1),)),
    ):  # fmt: skip
        assert old in sound
        running = sound.replace(old, new)
        if typed is None:  # all that is said of subinterface 0 is said of 1
            running = running.replace(f"{port} 0 type routed", f"{port} 1 type routed\n{port} 1 ip-mtu 9000")
        wanted = of.drift(running)
        assert len(wanted) == ports, old
        assert all(topic in {what.topic for what in settings} for settings in wanted.values()), old
        got = lines(of.fixed(running))
        assert typed in (None, got), old
        assert of.drift(running + "".join(f"{line}\n" for line in got)) == {}, old


def test_a_slope_marks_packets_of_its_drop_probability_alone(tmp_path: Path) -> None:
    fabric = intent(tmp_path)
    of = Case(fabric, fabric.devices[0])
    sound = whole(text_of(fabric))
    low = sound.replace(
        "wred-slope traffic-type all drop-probability all", "wred-slope traffic-type all drop-probability low"
    )
    high = low.replace("dscp 26 drop-probability low", "dscp 26 drop-probability high")
    assert len({sound, low, high}) == 3
    assert of.drift(low) == {}
    assert of.drift(sound.replace("dscp 26 drop-probability low", "dscp 26 drop-probability high")) == {}
    wanted = of.drift(high)
    assert {what.topic for settings in wanted.values() for what in settings} == {"ecn"}
    typed = "".join(f"{line}\n" for line in lines(of.fixed(high)))
    assert of.drift(high + typed) == {}


def test_a_subinterface_that_sorts_by_itself_is_not_compared(tmp_path: Path) -> None:
    sound = whole(text_of(intent(tmp_path)))
    more = f"{sound}set / interface ethernet-1/1 subinterface 1 ip-mtu 9000\n"
    down = "set / interface ethernet-1/1 subinterface 1 admin-state disable\n"
    for text, ports in ((sound, []), (more, [("ethernet-1/1",)]), (more + down, [])):
        (switch,) = part("srlinux", "reader").read(Document(0, "leaf01", text))
        assert [one.ports for one in switch.unread] == ports


def test_why_another_statement_has_the_same_effect_is_true_of_the_class_of_rdma() -> None:
    """DSCP 26 is RDMA's: its drop probability is of no matter, since one slope is for all of them."""
    rows = dict(part("srlinux", "stating").REASONS)
    drop = rows[("qos", "classifiers", "dscp-policy", "*", "dscp", "*", "drop-probability")]
    assert "all drop probabilities" in drop
    assert all("or no class of the intent" in why for why in rows.values() if why != drop)


def test_what_stands_there_besides_stays(tmp_path: Path) -> None:
    fabric = intent(tmp_path)
    sound = whole(text_of(fabric))
    more = "set / qos pfc-mapping-profile other received-pfc-pause-frames deadlock enable true\n"
    running = sound.replace("enable-pfc true", "enable-pfc false") + more
    typed, after = change(running, fabric, *((f"ethernet-1/{n}", What("obeys")) for n in (1, 2, 3, 31, 32)))
    assert typed == (
        "set / qos pfc-mapping-profile roce-pfc received-pfc-pause-frames queue unicast-3 enable-pfc true",
    )
    assert "pfc-mapping-profile other" in after
    extra = sound.replace("[ fc3 ]", "[ fc3 fc6 ]")
    typed, after = change(extra, fabric, *((f"ethernet-1/{n}", What("pfc")) for n in (1, 2, 3, 31, 32)))
    below = "/ qos pfc-mapping-profile roce-pfc received-traffic unicast-mapping pfc-queue pfc-3 forwarding-class"
    assert typed == (f"delete {below}", f"set {below} [ fc3 ]")
