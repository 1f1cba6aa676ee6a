"""A team's own rules: what they find, where, and how they are chosen, waived and carried about."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from intents import FABRIC, POLICY, TODAY, loaded, rocecfg, write
from loops import loop

from rocecfg.custom_rules.rules import rules_for
from rocecfg.linting.run import lint
from rocecfg.report.json_format import render
from rocecfg.source.document import Sources

RULES = "rocecfg-rules.yaml"
SLOW = "{name: slow, for: port, expect: {watchdog.detection: {le: 100ms}}}"


def file(*rules: str) -> str:
    return "rules:\n" + "".join(f"  - {rule}\n" for rule in rules)


def findings(folder: Path, *rules: str, text: str = FABRIC) -> list[dict[str, Any]]:
    """The findings of house rules, as the JSON report has them."""
    write(folder, {RULES: file(*rules)})
    read, sources = loaded(folder, text)
    run = lint([read], sources, today=TODAY)
    assert run.failed == []
    assert not run.unreadable
    found: list[dict[str, Any]] = json.loads(render(run))["findings"]
    return [f for f in found if f["name"].startswith("house/")]


def by_command(folder: Path, *rules: str, arguments: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """The same by way of the command line, with options and settings."""
    write(folder, {"fabric.yaml": FABRIC, RULES: file(*rules)})
    done = rocecfg(folder, "lint", "--format", "json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return [f for f in found if f["name"].startswith("house/")]


def stated(folder: Path, rule: str, text: str = FABRIC) -> list[str]:
    return [f["message"] for f in findings(folder, rule, text=text)]


# -- what operators find -----------------------------------------------------------------------------------------------


@loop(
    ("of", "path", "operator", "good", "bad"),
    [  # FABRIC: leaves detect after 200 ms, 64 ports of 400G, 800G and 100G, with 3, 30 and 10 m
        ("port", "watchdog.detection", "eq", "[200ms, 400ms]", "200ms"),
        ("port", "watchdog.detection", "ge", "200ms", "300ms"),
        ("port", "watchdog.detection", "gt", "199ms", "200ms"),
        ("port", "watchdog.detection", "le", "400ms", "399ms"),
        ("port", "watchdog.detection", "lt", "0.5s", "400ms"),
        ("port", "watchdog.detection", "between", "[200ms, 400ms]", "[200ms, 300ms]"),
        ("port", "watchdog.detection", "in", "[200ms, 400ms]", "[200ms]"),
        ("port", "watchdog.detection", "not-in", "[300ms]", "[400ms]"),
        ("port", "watchdog.detection", "ne", "300ms", "400ms"),
        ("port", "speed", "ge", "100G", "400G"),
        ("port", "cable", "le", "30m", "29m"),
        ("port", "cable", "lt", "0.1km", "30m"),
        ("port", "faces", "in", "[host, switch, storage]", "[host, switch]"),
        ("port", "trust", "eq", "dscp", "pcp"),
        ("port", "watchdog", "eq", "on", "vendor-default"),
        ("port", "headroom", "eq", "auto", "stated"),
        ("port", "mtu", "eq", "9000", "9214"),
        ("port", "classes", "contains", "[default, control]", "rdma"),
        ("port", "classes", "lacks", "other", "[other, storage]"),
        ("port", "pfc", "in", "[3, 4]", "[4]"),
        ("port", "name", "matches", "Ethernet.*", "'Ethernet[0-9]+'"),
        ("port", "fabric.name", "matches", "'train-[0-9]+'", "train"),
        ("device", "role", "in", "[leaf, spine]", "[leaf]"),
        ("device", "vendor", "ne", "spectrum", "arista"),
        ("device", "version", "ge", '"202511"', '"202605"'),
        ("device", "platform", "matches", "arista-7060x6.*", "nvidia.*"),
        ("device", "buffers.alpha", "absent", "true", None),
        ("fabric", "kind", "eq", "backend", "converged"),
        ("fabric", "rtt", "exists", "true", None),
        ("fabric", "topology", "absent", None, "true"),
        ("class", "bandwidth", "le", "60", "59.5%"),
        ("class", "bandwidth", "in", "[strict, 60%, 20%]", "[60%, 20%]"),
        ("class", "ecn.pmax", "eq", "5%", "10%"),
        ("class", "ecn.kmin", "ge", "700KB", "800KB"),
        ("class", "priority", "unique", "true", None),
        ("class", "pg", "unique", None, "true"),
        ("class", "lossless", "absent", None, "true"),
        ("class", "dscp", "exists", "true", None),
        ("class", "marks", "exists", None, "true"),
    ],
)
def test_an_operator_passes_and_finds(
    of: str, path: str, operator: str, good: str | None, bad: str | None, tmp_path: Path
) -> None:
    rule = f"{{name: one, for: {of}, expect: {{{path}: {{{operator}: VALUE}}}}}}"
    if good is not None and not (operator == "eq" and good.startswith("[")):
        assert stated(tmp_path, rule.replace("VALUE", good)) == []
    if bad is not None:
        assert stated(tmp_path, rule.replace("VALUE", bad)) != []


def test_a_value_that_is_absent_is_not_judged(tmp_path: Path) -> None:
    rule = "{name: one, for: device, expect: {buffers.alpha: {OP: 2}}}"
    for operator in ("eq", "ne", "lt", "ge"):
        assert stated(tmp_path, rule.replace("OP", operator)) == []


def test_a_rule_may_expect_several_values(tmp_path: Path) -> None:
    rule = (
        "{name: one, for: port, where: {faces: host}, expect: {watchdog.detection: {ge: 1ms, le: 100ms}, trust: pcp}}"
    )
    said = ["watchdog.detection is 200ms and must be at most 100ms", "trust is dscp and must be pcp"]
    assert sorted(set(stated(tmp_path, rule))) == sorted(said)


def test_a_rule_as_it_was_written_before_is_judged_alike(tmp_path: Path) -> None:
    pairs = {
        "path: watchdog.detection, operator: le, value: 100ms": "expect: {watchdog.detection: {le: 100ms}}",
        "path: fec, operator: exists": "expect: {fec: {exists: true}}",
    }
    for before, now in pairs.items():
        told = [stated(tmp_path, f"{{name: one, for: port, {rule}}}") for rule in (before, now)]
        assert told[0] == told[1] != []


def test_releases_are_compared_as_releases_of_their_own_system(tmp_path: Path) -> None:
    rule = "{name: one, for: device, expect: {version: {ge: '4.34.0F'}}}"
    assert stated(tmp_path, rule) == ["version is 4.33.2F and must be at least 4.34.0F"]  # 202511 is no release of EOS
    assert stated(tmp_path, rule.replace("4.34.0F", "4.4.1F")) == []


# -- where it applies --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "ports"),
    [
        ("{}", 130),
        ("{faces: host}", 64),
        ("{speed: {ge: 400G}}", 128),
        ("{speed: {ge: 400G}, device.role: leaf}", 96),
        ("{device.role: [leaf, spine], fabric.kind: backend, pfc: {exists: true}}", 128),
        ("{pfc: {absent: true}}", 2),
        ("{cable: {gt: 3m, lt: 30m}}", 2),
        ("{classes: {contains: rdma}}", 128),
        ("{rdma.ecn.kmin: {ge: 900KB}}", 64),
        ("{fec: rs}", 0),
    ],
)
def test_conditions_narrow_a_rule(where: str, ports: int, tmp_path: Path) -> None:
    rule = f"{{name: one, for: port, where: {where}, expect: {{trust: pcp}}}}"
    write(tmp_path, {"fabric.yaml": FABRIC, RULES: file(rule)})
    read, sources = loaded(tmp_path, FABRIC)
    found = [f for f in lint([read], sources, today=TODAY).findings if f.rule.name == "house/one"]
    assert sum(f.port_count for f in found) == ports


def test_a_mistake_made_once_is_one_finding_where_it_was_made(tmp_path: Path) -> None:
    rule = SLOW.replace(
        "}}}", "}}, where: {device.role: leaf}, severity: warning, help: 'set {wanted}', source: NET-12}"
    )
    (found,) = findings(tmp_path, rule)
    line = 1 + next(n for n, text in enumerate(FABRIC.splitlines()) if "detection_time: 200ms" in text)
    assert (Path(found["path"]).name, found["line"], found["severity"]) == ("fabric.yaml", line, "warning")
    assert found["rule"] == "HOUSE-slow"
    assert found["message"] == "watchdog.detection is 200ms and must be at most 100ms"
    assert found["device"] == "leaf[01-02]"
    (related,) = found["related"]
    assert (Path(related["path"]).name, related["line"], related["message"]) == (RULES, 2, "the house rule: NET-12")
    assert "help: set 100ms" in rocecfg(tmp_path, "lint").stdout


def test_each_curve_is_judged_where_it_stands(tmp_path: Path) -> None:
    rule = "{name: one, for: class, expect: {ecn.kmin: {ge: 2MB}}}"
    text = FABRIC.replace("faces: host, cable: 3m}", "faces: host, cable: 3m, classes: {rdma: {ecn: auto}}}")
    found = findings(tmp_path, rule, text=text)
    at = {f["line"]: f["message"].partition(" is ")[0] for f in found}
    lines = text.splitlines()
    assert {lines[n - 1].strip().partition(":")[0]: word for n, word in at.items()} == {
        "kmin": "ecn.kmin",
        "800G": "ecn.kmin of 800G",
        "rdma": "ecn.kmin",
        '"Ethernet[0-248/8]"': "ecn.kmin of 400G ports Ethernet[0-248/8]",
    }


def test_message_says_what_the_team_wants_said(tmp_path: Path) -> None:
    message = "'{{{class}}} on {device}/{port} of {fabric}: {path} {value}, not {wanted}; {speed} {device.role} {lag}'"
    rule = (
        "{name: one, for: port, where: {faces: storage}, expect: {storage.priority: {eq: 4}},"
        f" message: {message}}}"
    )
    assert stated(tmp_path, rule) == [
        "{storage} on leaf[01-02]/Ethernet[384] of train-64: storage.priority 2, not 4; 100G leaf absent"
    ]


def test_names_that_do_not_fit_are_named(tmp_path: Path) -> None:
    rule = "{name: one, for: device, expect: {name: {matches: '(leaf|spine)[0-9]*1'}}}"
    assert stated(tmp_path, rule) == [
        "name is leaf02 and must match (leaf|spine)[0-9]*1",
        "name is spine02 and must match (leaf|spine)[0-9]*1",
    ]


def test_classes_that_share_are_shown_both(tmp_path: Path) -> None:
    text = FABRIC.replace("dscp: rest, priority: 0", "dscp: rest, priority: 2")
    (found,) = findings(tmp_path, "{name: own-queue, for: class, expect: {queue: {unique: true}}}", text=text)
    assert found["class"] == "default"
    assert [r["message"] for r in found["related"]] == ["class storage has it too", "the house rule"]


def test_a_policy_is_judged_too(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, SLOW.replace("}}}", "}}, message: '{device}, {port}'}"), text=POLICY)
    assert found["message"] == "every device, every port"


def test_a_class_that_nobody_has_is_told_at_the_rule(tmp_path: Path) -> None:
    rule = "{name: one, for: port, expect: {rmda.priority: {eq: 3}}}"
    (found,) = findings(tmp_path, rule)
    assert (Path(found["path"]).name, found["line"]) == (RULES, 2)
    assert found["message"] == "house rule one speaks of a class 'rmda', which the fabric does not have"
    assert "did you mean rdma?" in rocecfg(tmp_path, "lint").stdout


# -- as other rules ----------------------------------------------------------------------------------------------------

TWO = (SLOW, "{name: role, for: device, expect: {role: {eq: tor}}}")


def names(found: list[dict[str, Any]]) -> list[str]:
    return sorted({f["name"] for f in found})


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ((), ["house/role", "house/slow"]),
        (("--select", "house"), ["house/role", "house/slow"]),
        (("--select", "house/sl"), ["house/slow"]),
        (("--select", "HOUSE-role"), ["house/role"]),
        (("--select", "ets"), []),
        (("--ignore", "house/slow"), ["house/role"]),
        (("--ignore", "house"), []),
    ],
)
def test_they_are_chosen_as_others(arguments: tuple[str, ...], left: list[str], tmp_path: Path) -> None:
    assert names(by_command(tmp_path, *TWO, arguments=arguments)) == left


def test_a_name_that_nobody_has_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC, RULES: file(*TWO)})
    done = rocecfg(tmp_path, "lint", "--select", "ets,house/slwo", expect=2)
    assert done.stderr == "rocecfg: --select: there is no rule 'house/slwo'; house rules here: house/slow, house/role\n"
    (tmp_path / RULES).unlink()
    assert "house rules here: none" in rocecfg(tmp_path, "lint", "--ignore", "house", expect=2).stderr


def test_settings_change_them(tmp_path: Path) -> None:
    settings = '[severity]\n"house/slow" = "info"\n"house/role" = "off"\n'
    write(tmp_path, {"rocecfg.toml": settings})
    assert {f["name"]: f["severity"] for f in by_command(tmp_path, *TWO)} == {"house/slow": "info"}
    write(tmp_path, {"rocecfg.toml": '[per-file-ignores]\n"fabric.yaml" = ["house/slow"]\n'})
    assert names(by_command(tmp_path, *TWO)) == ["house/role"]


def test_they_are_waived_in_a_line(tmp_path: Path) -> None:
    waiver = "  # rocecfg: ignore[house/slow] -- until the new optics are in"
    lines = [line + (waiver if "detection_time" in line else "") for line in FABRIC.splitlines()]
    text = "\n".join(lines) + "\n"
    assert names(findings(tmp_path, *TWO, text=text)) == ["house/role"]
    report = json.loads(rocecfg(tmp_path, "lint", "--format", "json", "--select", "hygiene,ets").stdout)
    assert report["findings"] == []  # not judged now, and yet no unknown rule
    write(tmp_path, {RULES: file(TWO[1])})
    reported = json.loads(rocecfg(tmp_path, "lint", "--format", "json").stdout)["findings"]
    assert {f["name"] for f in reported} - {"hygiene-absent", "nos-erratum"} == {"house/role", "hygiene-waiver-unknown"}


def test_a_baseline_knows_them(tmp_path: Path) -> None:
    findings(tmp_path, *TWO)
    rocecfg(tmp_path, "lint", "--baseline", "known.json", "--update-baseline", expect=0)
    rocecfg(tmp_path, "lint", "--baseline", "known.json", expect=0)
    part = rocecfg(tmp_path, "lint", "--baseline", "known.json", "--select", "ets,hygiene-baseline", expect=0)
    assert "hygiene-baseline" not in part.stdout  # a rule that was not judged is not gone
    write(tmp_path, {RULES: file(SLOW)})
    assert "house/role" in rocecfg(tmp_path, "lint", "--baseline", "known.json", "--fail-on", "warning").stdout


def test_findings_are_pickled(tmp_path: Path) -> None:
    write(tmp_path, {RULES: file(SLOW)})
    read, sources = loaded(tmp_path, FABRIC)
    found = [f for f in lint([read], sources, today=TODAY).findings if f.rule.name == "house/slow"]
    assert len(found) == 2
    back = pickle.loads(pickle.dumps(found))  # noqa: S301 - our own
    assert [tuple(f)[1:] for f in back] == [tuple(f)[1:] for f in found]
    assert [(f.rule.name, f.rule.code, f.rule.severity, f.rule.summary) for f in back] == [
        (f.rule.name, f.rule.code, f.rule.severity, f.rule.summary) for f in found
    ]


@pytest.mark.parametrize("format_", ["full", "concise", "json", "sarif", "github", "gitlab", "junit"])
def test_every_format_shows_them(format_: str, tmp_path: Path) -> None:
    findings(tmp_path, SLOW)
    out = rocecfg(tmp_path, "lint", "--format", format_, expect=1).stdout
    assert "must be at most 100ms" in out
    assert "slow" in out


def test_render_refuses_what_they_refuse(tmp_path: Path) -> None:
    findings(tmp_path, SLOW)
    rocecfg(tmp_path, "render", ".", "--vendor", "sonic", "--device", "leaf01", expect=1)
    rocecfg(tmp_path, "render", ".", "--vendor", "sonic", "--device", "leaf01", "--no-lint", expect=0)
    findings(tmp_path, SLOW.replace("}}}", "}}, severity: warning}"))
    rocecfg(tmp_path, "render", ".", "--vendor", "sonic", "--device", "leaf01", expect=0)


def test_explain_prints_one(tmp_path: Path) -> None:
    write(tmp_path, {RULES: file(SLOW.replace("}}}", "}}, source: NET-12}"))})
    page = rocecfg(tmp_path, "explain", "house/slow", expect=0).stdout
    assert page.startswith("# house/slow\n\nwatchdog.detection of a port must be at most 100ms.\n")
    assert "Source: NET-12" in page
    done = rocecfg(tmp_path, "explain", "house/fast", expect=2)
    assert done.stderr == "rocecfg: there is no rule 'house/fast' in this folder; known: house/slow\n"
    assert "there is no rule 'house/fast'" in rocecfg(tmp_path.parent, "explain", "house/fast", expect=2).stderr


# -- files -------------------------------------------------------------------------------------------------------------


def test_a_folder_of_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/fabric.yaml": FABRIC,
            "a/rocecfg-rules/10-timers.yaml": file(SLOW),
            "a/rocecfg-rules/20-roles.yml": file(TWO[1]),
            "a/rocecfg-rules/README.md": "no rules",
            "b/fabric.yaml": POLICY,
        },
    )
    report = json.loads(rocecfg(tmp_path, "lint", "--format", "json", expect=1).stdout)
    found = [f for f in report["findings"] if f["name"].startswith("house/")]
    assert {(f["path"], f["name"]) for f in found} == {("a/fabric.yaml", "house/slow"), ("a/fabric.yaml", "house/role")}
    assert report["summary"]["files"] == 4


@pytest.mark.parametrize("name", [RULES, "rocecfg-rules/more.yaml"])
def test_a_changed_rule_is_judged_as_a_changed_intent(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"lab/fabric.yaml": POLICY.replace("bandwidth: 40", "bandwidth: 30"), f"lab/{name}": file(SLOW)})
    done = rocecfg(tmp_path, "lint", "--only-intents", "--format", "concise", f"lab/{name}", expect=1)
    assert [line.split()[3] for line in done.stdout.splitlines()[:-1]] == ["house/slow:"]
    within = rocecfg(tmp_path / "lab", "lint", "--format", "concise", name, expect=1)
    assert "house/slow" in within.stdout


P = "{name: one, for: port, expect: {"


@loop(
    ("rule", "words"),
    [  # > stands where the slip is
        (P + ">watchdog.detecton: {le: 1s}}}", "(did you mean watchdog.detection?)"),
        ("{name: one, for: class, expect: {>speed: {le: 1G}}}", "it is one of a port"),
        ("{name: one, for: >link, expect: {speed: {le: 1G}}}", "'link' is not one of fabric | device | class"),
        (P + "speed: {>less: 1G}}}", "there is no operator 'less'"),
        (P + "faces: {>le: host}}}", "le cannot be asked of a host | storage"),
        (P + "speed: {>contains: 1G}}}", "it is a single value"),
        (P + "speed: {>matches: 1G}}}", "it is not free text"),
        (P + "speed: {>unique: true}}}", "only the classes of a device"),
        (P + "speed: {le: >400}}}", "400 has no unit (write 400G if that is intended)"),
        ("{name: one, for: port, path: >sped, operator: le, value: 1G}", "(did you mean speed?)"),
        ("{name: one, for: port, path: speed, operator: le, value: >400}", "(write 400G if that is intended)"),
        ("{name: one, for: port, >expect: {}}", "(write expect: {PATH: VALUE})"),
        (P + "speed: {in: >1G}}}", "in takes a list (write [a, b])"),
        (P + "speed: {eq: >[1G]}}}", "eq takes one value"),
        (P + "speed: {between: >[2G, 1G]}}}", "between runs from high to low"),
        (P + "speed: {between: >1G}}}", "between takes two values"),
        (P + "speed: {exists: >1G}}}", "exists takes no value but true"),
        (P + "rdma.bandwidth: {le: >strict}}}", "strict has no place in the order of le"),
        (P + "fec: {matches: >'a('}}}", "is not a regular expression"),
        (P + "faces: {eq: >hosts}}}", "'hosts' is not one of host | storage"),
        (P + "mtu: {le: >9000B}}}", "expected a whole number"),
        ("{name: one, for: port, where: {>sped: 1G}, expect: {mtu: {exists: true}}}", "(did you mean speed?)"),
        ("{name: one, for: port, where: {speed: {>above: 1G}}, expect: {mtu: {exists: true}}}", "no operator 'above'"),
        ("{name: one, for: port, where: {>name: Ethernet0}, expect: {mtu: {exists: true}}}", "are checked once"),
        ("{name: one, for: port, where: {speed: >{}}, expect: {mtu: {exists: true}}}", "an operator is missing here"),
        (P + "mtu: {exists: true}}, message: >'a {prot}'}", "nothing to put for {prot} (did you mean port?)"),
        (P + "mtu: {exists: true}}, help: >'a {prot}'}", "nothing to put for {prot} (did you mean port?)"),
        (P + "mtu: {exists: true}}, message: >'a { b'}", "a single brace"),
        (P + "mtu: {exists: true}}, >severty: info}", "(did you mean severity?)"),
        ("{name: >One, for: port, expect: {mtu: {exists: true}}}", "'One' is not a name"),
        (">{for: port, expect: {mtu: {exists: true}}}", "a house rule lacks name"),
        ("{name: one, for: port, expect: {mtu: 9000}, >expect: {speed: 1G}}", "'expect' appears twice"),
    ],
)
def test_slips_are_told_with_place_and_fix(rule: str, words: str, tmp_path: Path) -> None:
    write(tmp_path, {RULES: file(rule.replace(">", ""))})
    house = rules_for(str(tmp_path / "fabric.yaml"), Sources())
    reported = [str(error) for error in house.errors]
    assert len(reported) == 1, reported
    assert reported[0].startswith(f"{tmp_path / RULES}:2:{file(rule).splitlines()[1].index('>') + 1}: ")
    assert words in reported[0]


def test_all_slips_are_told_and_the_other_rules_still_judge(tmp_path: Path) -> None:
    slips = (P + "speeds: {exists: true}}}", P.replace("one", "two") + "speed: {le: 1}}}")
    write(tmp_path, {"fabric.yaml": POLICY, RULES: file(*slips, SLOW)})
    done = rocecfg(tmp_path, "lint", "--format", "concise", expect=2)
    assert [line.split()[3] for line in done.stdout.splitlines()[:-1] if "hygiene-absent" not in line] == [
        "house/slow:",
        "schema-syntax:",
        "schema-syntax:",
    ]
    assert rocecfg(tmp_path, "render", ".", "--vendor", "sonic").returncode != 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: [", "not YAML"),
        ("", "the file is empty"),
        ("rule: []\n", "unknown key 'rule'"),
        ("rules: 3\n", "expected a list of a house rule, not '3'"),
        ("rules: {a: b}\n", "expected a list"),
        (b"rules: \xff\n", "is not UTF-8"),
        (file(SLOW, SLOW), "a second house rule 'slow'"),
    ],
)
def test_a_file_that_cannot_be_used_stops_nothing_else(text: str | bytes, words: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 40", "bandwidth: 30"), RULES: text})
    done = rocecfg(tmp_path, "lint", "--format", "concise", expect=2)
    assert words in done.stdout
    assert "ets-sum" in done.stdout


def test_lint_without_house_rules_loads_nothing_of_them(tmp_path: Path) -> None:
    import subprocess
    import sys

    from checkout import ROOT, clean_environment

    write(tmp_path, {"fabric.yaml": POLICY})
    code = (
        "import sys\nfrom rocecfg.cli import cli\n"
        "try:\n    cli(['lint', 'fabric.yaml'])\n"
        "except SystemExit:\n    print([m for m in sys.modules if m.startswith('rocecfg.custom_rules')])\n"
    )
    env = clean_environment(PYTHONPATH=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "['rocecfg.custom_rules', 'rocecfg.custom_rules.files']"


def test_a_class_is_judged_by_the_numbers_of_ports_too(tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n  leaf1:\n    ports:\n      Ethernet0: {speed: 400G, faces: host, cable: 3m}\n"
        "      Ethernet8: {speed: 400G, faces: host, cable: 3m, classes: {rdma: {priority: 4}}}\n"
    )
    rule = "{name: three, for: class, expect: {priority: {ne: 4}}}"
    (found,) = findings(tmp_path, rule, text=text)
    assert "Ethernet8" in found["message"]
    assert not findings(tmp_path, rule.replace("4", "5"), text=text)


WHOLE = {
    "name": "slow",
    "for": "port",
    "where": "{faces: host}",
    "expect": "{watchdog.detection: {le: 100ms}}",
    "message": "waits {value}",
    "severity": "warning",
    "help": "see NET-12",
    "source": "NET-12",
}


@pytest.mark.parametrize("key", WHOLE)
@pytest.mark.parametrize("slip", ["a letter less", "null", "a list", "a mapping", "a number"])
def test_any_slip_in_a_rule_is_an_error_with_its_line(key: str, slip: str, tmp_path: Path) -> None:
    """Never a failure of ours: `vale:` in place of a key was one."""
    values = {"null": "", "a list": "[[]]", "a mapping": "{a: {b: 1}}", "a number": "-1"}
    lines = [
        f"{k[1:] if k == key and slip not in values else k}: {values.get(slip, v) if k == key else v}"
        for k, v in WHOLE.items()
    ]
    write(tmp_path, {"fabric.yaml": FABRIC, RULES: "rules:\n  - " + "\n    ".join(lines) + "\n"})
    done = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "fabric.yaml")
    assert done.returncode in (0, 1, 2), done.stderr
    if slip == "a letter less":
        assert f"{RULES}:{2 + list(WHOLE).index(key)}:5: error" in done.stdout
