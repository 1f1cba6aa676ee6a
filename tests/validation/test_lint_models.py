"""`rocecfg lint` asks the models of switches' systems: what one refuses is not clean, and is said once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import eos_sound
import junos_text
import nvue_sound
import pytest
from checkout import ROOT
from conformance import lacking
from intents import rocecfg, write
from loops import loop
from mutants import mutants
from one_switch import findings_of, loaded_as
from sampling import part

from rocecfg.linting.finding import Finding
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document, SourceError
from rocecfg.validation import in_lint
from rocecfg.validation.referee import judge
from rocecfg.validation.verdict import JudgeOptions

JUNOS = """version 24.4R1.9;
system { host-name leaf01; }
interfaces { et-0/0/0 { mtu 9216; speed 400g; } }
class-of-service {
    schedulers {
        s1 { transmit-rate percent 40; priority low; explicit-congestion-notification; }
    }
}
"""
NV = """# leaf02: for Cumulus Linux 5.14
nv set interface swp1 link mtu 9216
nv set qos roce mode lossless
nv set system hostname leaf02
"""
EOS = """hostname leaf03
!
interface Ethernet1/1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
"""
QUEUE = {"PORT": {"Ethernet0": {"lanes": "1"}}, "QUEUE": {"Ethernet0|3": {"scheduler": "s"}}}
YANG = """module sonic-queue {
  yang-version 1.1; namespace "http://example.org/queue"; prefix q;
  container sonic-queue {
    container PORT { list PORT_LIST { key name; leaf name { type string; } leaf lanes { type string; }
      leaf speed { type string; } } }
    container QUEUE { list QUEUE_LIST { key "ifname qindex";
      leaf ifname { type string; } leaf qindex { type string { pattern "[0-7]"; } }
      leaf scheduler { type leafref { path "/q:sonic-queue/q:SCHEDULER/q:SCHEDULER_LIST/q:name"; } } } }
    container SCHEDULER { list SCHEDULER_LIST { key name; leaf name { type string; } } }
  }
}
"""


HIDDEN = """from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *more: None if name == "nvueschema" else find(name, *more)
"""


class _Wrong(NamedTuple):
    base: str
    before: str
    after: str
    line: int


MODELS = ("device-value", "device-unknown")
WRONG = (
    _Wrong(JUNOS, "mtu 9216", "mtu 99999", 3),
    _Wrong(JUNOS, "speed 400g", "speed 450g", 3),
    _Wrong(JUNOS, "priority low", "priority lowest", 6),
    _Wrong(JUNOS, "percent 40", "percent 140", 6),
    _Wrong(JUNOS, "percent 40", "percnt 40", 6),
    _Wrong(JUNOS, "explicit-congestion-notification", "explicit-congestion-notify", 6),
    _Wrong(JUNOS, "schedulers {", "schedulrs {", 5),
    _Wrong(NV, "mtu 9216", "mtu 92160", 2),
    _Wrong(NV, "mtu 9216", "mtuu 9216", 2),
    _Wrong(NV, "mode lossless", "mode lossles", 3),
    _Wrong(NV, "hostname leaf02", "hostname leaf_02", 4),
    _Wrong(EOS, "priority 3 no-drop", "priority 8 no-drop", 5),
    _Wrong(EOS, "priority-flow-control on", "priority-flow-contrl on", 4),
)


@pytest.fixture(autouse=True)
def _schema() -> None:
    if find_spec("nvueschema") is None:
        lacking("nvueschema is not installed: pip install 'rocecfg[validate]'")


def _judge(vendor: str, text: str) -> tuple[list[Problem], list[Finding]]:
    """What the models refuse of a text, and what lint finds with them."""
    loaded, sources = loaded_as(vendor, "leaf01.txt", text)
    (loaded,) = in_lint.add_verdicts([loaded], sources, lambda _: None)
    assert loaded.unmodelled == ""
    return list(loaded.refused), findings_of(loaded)


def _sound_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Configurations that their switches take."""
    yield from (("arista", text) for text in (eos_sound.LEAF, eos_sound.SPINE, eos_sound.MIXED, eos_sound.GUIDE))
    yield from (("spectrum", text) for text in (nvue_sound.LEAF, nvue_sound.SPINE, nvue_sound.STATED))
    yield from (("junos", junos_text.rendered(text, folder)) for text in junos_text.INTENTS.values())


def _lint(folder: Path, *options: str) -> list[tuple[str, int, str, str]]:
    """File, line, severity and rule of each finding, in a folder of configurations."""
    done = rocecfg(folder, "lint", "--format", "json", *options, ".", expect=None)
    found = json.loads(done.stdout)["findings"]
    return [(each["path"], each["line"], each["severity"], each["name"]) for each in found]


def _said(found: list[tuple[str, int, str, str]], path: str, line: int) -> list[str]:
    return [rule for file, at, severity, rule in found if (file, at) == (path, line) and severity != "info"]


def test_what_a_model_refuses_is_found_and_said_once(tmp_path: Path) -> None:
    names = {JUNOS: "conf", NV: "nv", EOS: "cfg"}
    for number, one in enumerate(WRONG):
        assert one.base.count(one.before) == 1
        write(tmp_path, {f"{number:02}.{names[one.base]}": one.base.replace(one.before, one.after)})
    write(tmp_path, {f"sound.{suffix}": base for base, suffix in names.items()})
    found = _lint(tmp_path)
    for number, one in enumerate(WRONG):
        said = _said(found, f"{number:02}.{names[one.base]}", one.line)
        assert [rule for rule in said if rule in MODELS] == said[:1] != [], (one, said)
    assert [each for each in found if each[0].startswith("sound") and each[3] in MODELS] == []
    before = _lint(tmp_path, "--no-models")
    assert ("00.conf", 3, "warning", "schema-nos-range") in before  # the model is sure, and says so in its place
    assert not _said(before, "01.conf", 3)


def test_what_models_refuse_is_never_clean_and_never_told_twice(tmp_path: Path) -> None:
    """One word or number of sound texts changed: nothing of the models beside a finding of lint's on that line."""
    refused = 0
    for vendor, text in _sound_texts(tmp_path):
        loaded, sources = loaded_as(vendor, "leaf01.txt", text)
        assert in_lint.add_verdicts([loaded], sources, lambda _: None)[0].refused == [], text[:200]  # never cry wolf
        head = sum(line.startswith(("#", "!")) for line in text.splitlines()[:6])
        for what, changed in part(list(mutants(text, 3, f"{vendor} {len(text)}", head=head)), "rocecfg/validation"):
            problems, findings = _judge(vendor, changed)
            refused += bool(problems)
            lines = [changed.count("\n", 0, each.at.start) for each in findings if each.at is not None]
            assert {changed.count("\n", 0, problem.at.start) for problem in problems} <= set(lines), (vendor, what)
            by_line: dict[int, set[bool]] = {}  # whether errors are of models
            for each in findings:
                if each.severity == "error" and each.at is not None:
                    line = changed.count("\n", 0, each.at.start)
                    by_line.setdefault(line, set()).add(each.message.endswith((" refuses this", " lacks this")))
            assert all(len(kinds) == 1 for kinds in by_line.values()), (vendor, what)
    assert refused


def test_a_statement_newer_than_the_model_is_told_and_refuses_nothing(tmp_path: Path) -> None:
    newer = JUNOS.replace("24.4R1.9", "26.2R1.5").replace("speed 400g", "speed 1600g")
    newer = newer.replace("priority low;", "priority low; quantum-pause on;")
    # a line whose setting lint knows no more of is told once
    write(tmp_path, {"leaf01.conf": newer, "leaf02.nv": NV.replace("5.14", "5.19").replace("mode", "of-tomorrow")})
    found = _lint(tmp_path)
    assert not [each for each in found if each[2] == "error" and each[3] != "watchdog-missing"]
    for path, line in (("leaf01.conf", 3), ("leaf01.conf", 6), ("leaf02.nv", 3)):
        told = [rule for file, at, _, rule in found if (file, at) == (path, line) and rule.startswith("device-")]
        assert len(told) == 1, (path, told)


HEADS = {  # a text's beginning, which names its release: a known one, and a later one
    "arista": ("! device: leaf03 (DCS-7280SR3-48YC8, EOS-{})\n", "4.33.2F", "4.50.1F"),
    "junos": ("version {};\n", "24.4R1", "31.2R1"),
    "spectrum": ("# leaf02: for Cumulus Linux {}\n", "5.18", "6.1"),
    "sonic": ('{{"VERSIONS": {{"DATABASE": {{"VERSION": "version_{}_01"}}}},\n', "202405", "203005"),
}
STATEMENT = "class-of-service {{ schedulers {{ S {{ {} }} }} }}\n".format
QUEUES = '"SCHEDULER": {{"t": {{}}}}, "PORT": {{"Ethernet0": {{"lanes": "1"}}}}, "QUEUE": {{{}}}}}'.format
NEWER = [
    # system, statement, whether validate refuses it: at a known release, at a later one, without one
    ("arista", "priority-flow-control pause headroom 40\n{}", "yes no no"),  # known words in another form
    ("arista", "{}   priority-flow-control priority 3 no-drop headroom 9\n", "yes no no"),
    ("arista", "{}   qos trust pcp\n", "yes no no"),
    ("arista", "priority-flow-control pause watchdog action trim\n{}", "yes no no"),
    ("arista", "{}   priority-flow-control quota 3 of-tomorrow\n", "no no no"),  # a word that is none of EOS
    ("arista", "{}   tx-queue 11\n", "yes no yes"),  # a value that no known release takes
    ("arista", "priority-flow-control pause watchdog default timeout 90\n{}", "yes no yes"),
    ("arista", "{}   uc-tx-queue 3\n", "yes no no"),  # of the other chip family; without a head no family is known
    ("arista", "{}   priority-flow-control priority 9 no-drop\n", "yes yes yes"),  # three bits in any release
    ("arista", "qos map dscp 64 to traffic-class 3\n{}", "yes yes yes"),
    ("arista", "{}   tx-queue 3\n      bandwidth percent 140\n", "yes yes yes"),
    ("arista", "{}   priority-flow-control priorty 3 no-drop\n", "yes yes yes"),  # a slip
    ("arista", "priority-flow-control watchdog on\n{}", "yes yes yes"),  # of another system
    ("junos", STATEMENT("priority of-tomorrow;"), "yes no yes"),
    ("junos", STATEMENT("transmit-rate percent 140;"), "yes no yes"),
    ("junos", STATEMENT("explicit-congestion-notification l4s;"), "yes no yes"),
    ("junos", STATEMENT("quantum-pause 3;"), "yes no no"),
    ("junos", STATEMENT("explicit-congestion-notify;"), "yes yes yes"),  # a slip
    ("junos", STATEMENT("explicit-congestion-notification\npriority low;"), "yes yes yes"),  # no ';'
    ("spectrum", "nv set qos roce mode of-tomorrow\n", "yes no -"),  # without a release nothing is judged
    ("spectrum", "nv set qos roce of-tomorrow on\n", "yes no -"),
    ("spectrum", "nv set qos mapping default-global dscp 26 switch-priority 12\n", "yes no -"),
    ("sonic", QUEUES('"Ethernet0|9": {}'), "yes no yes"),
    ("sonic", QUEUES('"Ethernet0|3|x": {}'), "yes no yes"),
    ("sonic", QUEUES('"Ethernet0|3": {"of_tomorrow": "1"}'), "yes no yes"),
    ("sonic", QUEUES('"Ethernet0|3": {"scheduler": "gone"}'), "yes yes yes"),  # a name that nothing defines
]


@loop(("vendor", "statement", "refused"), NEWER)
def test_only_what_is_wrong_at_the_release_is_refused(
    vendor: str, statement: str, refused: str, tmp_path: Path
) -> None:
    """What a release later than the model may have is named as not checked, and refused by nobody."""
    if vendor == "sonic":
        pytest.importorskip("oopt_gnpy_libyang")
    write(tmp_path, {"202405/sonic-queue.yang": YANG})
    head, *releases = HEADS[vendor]
    text = statement.format(EOS[EOS.index("interface") :]) if vendor == "arista" else statement
    none = "{\n" if vendor == "sonic" else "\n"
    for begin, expected in zip((*map(head.format, releases), none), refused.split(), strict=True):
        document = Document(0, "leaf.txt", begin + text)
        if expected == "-":
            with pytest.raises(SourceError):
                judge(document, vendor, JudgeOptions())
            continue
        verdict = judge(document, vendor, JudgeOptions(models=str(tmp_path / "202405")))
        assert bool(verdict.faults) is (expected == "yes"), (begin, verdict)
        assert verdict.faults or any("may have it" in each or "--family" in each for each in verdict.unjudged), (
            begin,
            verdict,
        )
        if vendor != "spectrum" and "uc-tx" not in text:  # schemas are of one release; the family is not known
            strict = judge(document, vendor, JudgeOptions(models=str(tmp_path / "202405"), strict=True))
            assert strict.faults, begin


def test_a_name_that_nothing_defines_is_told_once_with_all_its_places() -> None:
    """The model refuses each line that has it: that is the same fault."""
    ports = "".join(f"et-0/0/{n} {{\ncongestion-notification-profile GONE;\n}}\n" for n in range(4))
    loaded, sources = loaded_as("junos", "leaf.conf", f"{JUNOS}class-of-service {{\ninterfaces {{\n{ports}}}\n}}\n")
    (loaded,) = in_lint.add_verdicts([loaded], sources, lambda _: None)
    told = [each for each in findings_of(loaded) if "GONE" in each.message]
    assert [each.rule.name for each in told] == ["device-ref"]
    assert len(told[0].folded) + len(told[0].related) >= 1
    assert len([each for each in loaded.refused if "GONE" in each.message]) == 4  # each is refused


def test_the_text_of_a_snippet_is_refused_by_no_schema() -> None:
    """NVUE does not look at it (NVIDIA, NVUE Snippets); other objects whose names are free take no value, as before."""
    head = "- header:\n    version: Cumulus Linux 5.14.0\n- set:\n    qos: {roce: {mode: lossless}}\n"
    for more, refused in (
        ("    system:\n      config:\n        snippet:\n          frr.conf: |\n            router bgp 1\n", 0),
        ("    qos:\n      traffic-pool: {default-lossy: {switch-priority: {'0': on}}}\n", 1),
    ):
        text = head.replace("    qos: {roce: {mode: lossless}}\n", "") + more
        loaded, sources = loaded_as("spectrum", "leaf01.yaml", text if "qos" in more else head + more)
        (loaded,) = in_lint.add_verdicts([loaded], sources, lambda _: None)
        assert len(loaded.refused) == refused, more


def test_lines_are_counted_as_files_have_them() -> None:
    """Not as Python splits a text: a switch's descriptions may hold what it takes for the end of a line."""
    odd = "odd \u2028\x0c\x85\x1c\r\n"
    sets = "set version 24.4R1.9\nset system host-name leaf01\nset interfaces et-0/0/0 mtu 99999\n"
    for vendor, mark, text, wrong, right in (
        ("junos", "#", JUNOS.replace("mtu 9216", "mtu 99999"), "mtu 99999", "mtu 9000"),
        ("junos", "#", sets, "mtu 99999", "mtu 9000"),
        ("spectrum", "#", NV.replace("leaf02\n", "leaf_02\n"), "leaf_02", "leaf02"),
        ("arista", "!", EOS.replace("priority 3", "priority 9"), "priority 9", "priority 3"),
    ):
        changed = f"{mark} {odd}{text}"
        for given in (changed, changed.replace("\r\n", "\n").replace("\n", "\r\n")):
            (problem,) = _judge(vendor, given)[0]
            assert wrong in given[problem.at.start : problem.at.end], (vendor, problem)
            assert _judge(vendor, given.replace(wrong, right))[0] == []


def test_nvue_of_no_release_is_refused_what_every_release_refuses() -> None:
    text = NV.partition("\n")[2]
    for changed, line, rules in (
        (text, 0, []),
        (text.replace("mode lossless", "enable on"), 0, []),  # up to 5.14
        (text.replace("mode lossless", "state enabled"), 0, []),  # later
        (text.replace("qos roce mode lossless", "system hostname leaf_02"), 2, ["device-value"]),
        (text.replace("qos roce mode lossless", "system of-tomorrow x"), 2, ["device-unknown"]),
    ):
        problems, findings = _judge("spectrum", changed)
        assert [problem.rule for problem in problems] == rules, changed
        assert [(p.severity or "error", changed.count("\n", 0, p.at.start) + 1) for p in problems] == [
            ("error" if rule == "device-value" else "info", line) for rule in rules
        ]
        assert all(any(each.at == problem.at for each in findings) for problem in problems)


def test_what_is_rendered_is_refused_by_no_model(tmp_path: Path) -> None:
    rocecfg(tmp_path, "render", str(ROOT / "examples" / "converged"), "-o", "out")
    said = rocecfg(tmp_path, "lint", "--format", "concise", "out", expect=None).stdout
    assert "3 files" not in said
    assert " refuses this" not in said
    assert " lacks this" not in said


def test_sonic_is_judged_where_settings_name_models(tmp_path: Path) -> None:
    pytest.importorskip("oopt_gnpy_libyang")
    text = json.dumps(QUEUE, indent=1).replace("Ethernet0|3", "Ethernet0|9")
    write(tmp_path, {"leaf.json": text, "m/sonic-queue.yang": YANG})
    said = rocecfg(tmp_path, "lint", "leaf.json", expect=None).stdout
    assert "Unsatisfied pattern" not in said
    assert said.splitlines()[-1].endswith("; syntax not checked: settings name no folder of SONiC's models")
    write(tmp_path, {"rocecfg.toml": '[validate]\nyang = "m"\n'})
    said = rocecfg(tmp_path, "lint", "leaf.json", expect=1).stdout
    assert "Unsatisfied pattern" in said
    assert "syntax not checked" not in said
    # the scheduler may be defined elsewhere where the part has no table of them
    for more, status, message in (
        ({}, 0, "tables that this part lacks: SCHEDULER"),
        ({"SCHEDULER": {"t": {}}}, 1, "leafref"),
    ):
        write(tmp_path, {"leaf.json": json.dumps({**QUEUE, **more})})
        assert message in rocecfg(tmp_path, "validate", "leaf.json", expect=status).stdout


def test_sonic_models_of_another_release_are_sure_of_nothing(tmp_path: Path) -> None:
    pytest.importorskip("oopt_gnpy_libyang")
    write(tmp_path, {"202405/sonic-queue.yang": YANG})
    wrong = {"QUEUE": {"Ethernet0|9": {}}, "PORT": {"Ethernet0": {"lanes": "1"}}}
    for version, severity in (("202405_01", None), ("202605_01", "info"), ("3_0_1", "info"), (None, None)):
        rows = {"VERSIONS": {"DATABASE": {"VERSION": f"version_{version}"}}} if version else {}
        loaded, sources = loaded_as("sonic", "leaf.json", json.dumps({**wrong, **rows}))
        (loaded,) = in_lint.add_verdicts([loaded], sources, lambda _: str(tmp_path / "202405"))
        assert [problem.severity for problem in loaded.refused] == [severity], version


def test_without_the_package_the_last_line_says_that_syntax_was_not_judged(tmp_path: Path) -> None:
    write(tmp_path, {"hidden/sitecustomize.py": HIDDEN, "leaf.nv": NV, "leaf.conf": JUNOS.replace("9216", "92160")})
    path = {"PYTHONPATH": f"{tmp_path / 'hidden'}:{ROOT}"}
    said = rocecfg(tmp_path, "lint", "leaf.nv", "leaf.conf", expect=1, **path).stdout
    assert said.splitlines()[-1].endswith("; syntax not checked: install rocecfg[validate]")
    assert "leaf.conf:3" in said  # Junos needs no package
    for words in (("lint", "--no-models", "leaf.nv", "leaf.conf"), ("lint", "leaf.conf")):
        assert "syntax not checked" not in rocecfg(tmp_path, *words, expect=1, **path).stdout
    assert "syntax not checked" not in rocecfg(tmp_path, "lint", "leaf.nv", "leaf.conf", expect=1).stdout


def test_files_of_a_shape_seen_before_are_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocecfg.linting.devices import load
    from rocecfg.source.document import Sources

    sound = JUNOS.replace("mtu 9216;", "mtu 9216; unit 0 { family inet { address 10.0.0.1/31; } }")
    texts = {f"{n}.conf": sound.replace("leaf01", f"leaf0{n}").replace("0.0.1/", f"0.0.{n}/") for n in range(1, 7)}
    texts["6.conf"] = texts["6.conf"].replace("10.0.0.6/", "10.0.0.666/")
    texts |= {f"{n}.conf": f"# leaf{n}: RoCE settings\n{JUNOS.replace('leaf01', f'leaf{n}')}" for n in range(71, 75)}
    write(tmp_path, texts)
    judged: list[str] = []
    judge = in_lint.judge
    monkeypatch.setattr(in_lint, "judge", lambda text, *more: judged.append(text.path) or judge(text, *more))
    sources = Sources()
    loaded = load(str(tmp_path), [str(tmp_path / name) for name in texts], sources, None, given=True)
    assert loaded is not None
    in_lint.add_verdicts([loaded], sources, lambda _: None)
    assert [Path(path).name for path in judged] == ["1.conf", "6.conf", "71.conf"]  # 6 has what is no address
