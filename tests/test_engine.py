"""The engine: one cause is one finding, in a stable order, whatever runs beside it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from intents import FABRIC, POLICY, TODAY, findings, judged, loaded, rocecfg, rules, write

from rocecfg.linting.judge import judge
from rocecfg.linting.run import Run, lint
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules import ALL, Hit, Rule
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, rule
from rocecfg.rules.index import ROWS
from rocecfg.rules.registry import list_declared

# -- one cause, one finding --------------------------------------------------------------------------------------------


def test_a_mistake_that_a_thousand_devices_inherit_is_one_finding(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")
    text += 'devices:\n  leaf[0001-1000]: {ports: {"Ethernet[0-31]": {speed: 400G, faces: host}}}\n'
    read, sources = loaded(tmp_path, text)
    run = lint([read], sources, today=TODAY)
    (found,) = run.findings
    assert found.rule.name == "ets-sum"
    assert (len(found.devices), found.port_count) == (1000, 32_000)
    assert (run.summary.devices, run.summary.ports, run.summary.errors) == (1000, 32_000, 1)


def test_a_mistake_that_a_thousand_keys_inherit_is_one_finding(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40}", "bandwidth: 30}") + "devices:\n"
    text += "".join(
        f"  leaf{n}: {{mtu: {5000 + n}, ports: {{Ethernet0: {{speed: 400G, faces: host}}}}}}\n" for n in range(1000)
    )
    read, sources = loaded(tmp_path, text)
    (found,) = lint([read], sources, today=TODAY).findings
    assert (len(found.devices), found.port_count) == (1000, 1000)


def test_two_causes_are_two_findings(tmp_path: Path) -> None:
    text = POLICY + (
        "devices:\n"
        "  leaf1: {classes: {default: {bandwidth: 30}}}\n"
        "  leaf2: {classes: {default: {bandwidth: 35}}}\n"
        "  leaf3: {}\n"
    )
    assert [(f.rule, f.line) for f in findings(tmp_path, text)] == [("ets-sum", 12), ("ets-sum", 13)]


def test_equal_devices_under_two_keys_share_a_finding(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40}", "bandwidth: 30}") + "devices:\n  leaf1: {}\n  spine1: {}\n"
    read, sources = loaded(tmp_path, text)
    (found,) = lint([read], sources, today=TODAY).findings
    assert found.devices == ("leaf1", "spine1")


# -- order -------------------------------------------------------------------------------------------------------------

FAULTY = FABRIC.replace("bandwidth: 60", "bandwidth: 50").replace("[storage, default, control]", "[storage, dfault]")


def seen(tmp_path: Path, text: str) -> set[tuple[str, str, str]]:
    return {(f.rule, f.text, f.message) for f in findings(tmp_path, text)}


def test_the_order_of_keys_makes_no_difference(tmp_path: Path) -> None:
    head, *_ = FAULTY.partition("fabric:")
    sections = ["\n".join(block) for block in _blocks(FAULTY.removeprefix(head))]
    expected = seen(tmp_path, FAULTY)
    assert len(expected) > 1
    for seed in range(5):
        random.Random(seed).shuffle(sections)  # noqa: S311 - not a secret
        assert seen(tmp_path, "\n".join([*sections, head])) == expected


def _blocks(text: str) -> list[list[str]]:
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line[:1] not in {" ", ""}:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def test_which_file_says_what_makes_no_difference(tmp_path: Path) -> None:
    head, *_ = FAULTY.partition("fabric:")
    sections = ["\n".join(block) + "\n" for block in _blocks(FAULTY.removeprefix(head))]
    files: dict[str, str | bytes] = {f"part{n}.yaml": text for n, text in enumerate(sections)}
    names = list(files)
    outcomes = []
    for order in (names, names[::-1]):
        found = findings(tmp_path, f"{head}include: [{', '.join(order)}]\n", files)
        assert {(f.rule, f.text, f.message) for f in found} == seen(tmp_path, FAULTY)
        outcomes.append([(f.path, f.line, f.rule) for f in found])
    assert outcomes[0] == outcomes[1]
    assert outcomes[0] == sorted(outcomes[0])


def test_findings_come_by_file_and_place(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 3", "priority: 9").replace("200ms", "200").replace("name: lab", "nam: lab")
    places = [(f.line, f.column) for f in findings(tmp_path, text)]
    assert places == sorted(places)
    assert len(places) == 3


@pytest.mark.parametrize("format_", ["full", "concise", "json"])
def test_output_is_the_same_bytes_each_time(format_: str, tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(FAULTY)
    outs = {
        rocecfg(tmp_path, "lint", "--format", format_, PYTHONHASHSEED=seed, expect=1).stdout
        for seed in ("0", "1", "42")
    }
    assert len(outs) == 1


# -- rules that raise --------------------------------------------------------------------------------------------------


@rule("TST901", "test-raises", ERROR, source="a test")
def raises(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Breaks."""
    yield Hit("before it breaks", (device.at(""),))
    raise KeyError(fabric.name)


def test_a_rule_that_raises_is_named_and_the_others_run(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 40}", "bandwidth: 30}") + "devices:\n  leaf1: {}\n  leaf2: {mtu: 9000}\n"
    read, _ = loaded(tmp_path, text)
    found, failed = judge(read, (*ALL, raises))
    assert [str(f) for f in failed] == ["rule test-raises failed on leaf1: KeyError: 'lab'"]
    assert "ets-sum" in {f.rule.name for f in found}
    assert "before it breaks" in {f.message for f in found}


def test_a_rule_that_raises_ends_a_run_with_3(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 40}", "bandwidth: 30}")})
    write(
        tmp_path,
        {
            "sitecustomize.py": (
                "import rocecfg.rules.ets as ets\n"
                "def breaks(fabric, device):\n    raise KeyError('x')\n"
                "ets.RULES[0].check = breaks\n"
            )
        },
    )
    for arguments in (["lint", "fabric.yaml"], ["render", "fabric.yaml", "--vendor", "sonic"]):
        done = rocecfg(tmp_path, *arguments, expect=3, PYTHONPATH=f"{tmp_path}:{Path(__file__).parent.parent}")
        assert "internal error: rule ets-sum failed" in done.stderr


# -- scopes, needs, severities -----------------------------------------------------------------------------------------


def made(scope: str, **more: object) -> Rule:
    """A rule that finds something wherever it is asked."""

    def of_fabric(fabric: Fabric) -> Iterator[Hit]:
        """Finds."""
        yield Hit("fabric", (fabric.at(""),))

    def of_device(fabric: Fabric, device: Device) -> Iterator[Hit]:
        """Finds."""
        yield Hit(f"device {device.key} of {fabric.name}", (device.at(""),))

    def of_cls(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
        """Finds."""
        yield Hit(f"class {cls.name} of {fabric.name} {device.key}", (cls.at(""),))

    def of_port(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
        """Finds."""
        yield Hit(f"port {port.key} of {fabric.name} {device.key}", (port.at(""),))

    of = {"fabric": of_fabric, "device": of_device, "cls": of_cls, "port": of_port}[scope]
    return rule("TST902", "test-finds", ERROR, source="a test", **more)(of)  # type: ignore[arg-type]


TWO = POLICY + (
    "devices:\n"
    "  leaf1: {vendor: sonic, ports: {Ethernet0: {speed: 400G, faces: host}, Ethernet8: {speed: 100G, faces: host}}}\n"
    "  leaf2: {vendor: arista}\n"
)


def asked(tmp_path: Path, of: Rule, text: str = TWO) -> list[tuple[str, str]]:
    read, _ = loaded(tmp_path, text)
    found, failed = judge(read, (of,))
    assert failed == []
    return [(f.severity, f.message) for f in found]


def test_a_rule_runs_once_for_each_thing_of_its_scope(tmp_path: Path) -> None:
    assert asked(tmp_path, made("fabric")) == [(ERROR, "fabric")]
    assert [m for _, m in asked(tmp_path, made("device"))] == ["device leaf1 of lab", "device leaf2 of lab"]
    assert len(asked(tmp_path, made("cls"))) == 8
    assert [m for _, m in asked(tmp_path, made("port"))] == [
        "port Ethernet0 of lab leaf1",
        "port Ethernet8 of lab leaf1",
        "port  of lab leaf2",
    ]


def test_a_rule_of_one_vendor_leaves_the_others_alone(tmp_path: Path) -> None:
    assert [m for _, m in asked(tmp_path, made("device", vendors=("arista",)))] == ["device leaf2 of lab"]


def test_a_rule_that_needs_an_absent_section_is_silent_and_listed(tmp_path: Path) -> None:
    from rocecfg.rules import BY_NAME

    needy = made("fabric", needs=("routing",))
    assert asked(tmp_path, needy) == []
    read, _ = loaded(tmp_path, TWO)
    found, _ = judge(read, (needy, BY_NAME["hygiene-absent"]))
    assert [(f.severity, f.rule.name) for f in found] == [("info", "hygiene-absent")]
    assert "routing (1 rule)" in found[0].message
    assert asked(tmp_path, needy, TWO + "routing: {algorithm: up-down}\n") == [(ERROR, "fabric")]


def test_one_info_lists_all_that_is_absent_where_it_is_asked_for(tmp_path: Path) -> None:
    got, run = judged(tmp_path, POLICY, absent=True)
    assert [(f.severity, f.rule) for f in got] == [("info", "hygiene-absent")]
    assert (run.summary.errors, run.summary.infos) == (0, 1)


def test_what_is_absent_is_no_finding_unless_asked_for(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    silent = json.loads(rocecfg(tmp_path, "lint", "--format", "json", expect=0).stdout)
    assert [f["name"] for f in silent["findings"]] == ["nos-erratum"]
    plain = rocecfg(tmp_path, "lint", "--fail-on", "info", "--ignore", "nos-erratum", expect=0).stdout
    assert plain.endswith(f"; {silent['summary']['silent_rules']} rules skipped: no rollout, routing, telemetry\n")
    named = rocecfg(tmp_path, "lint", "--statistics", "--ignore", "nos-erratum", expect=0).stdout.splitlines()
    absent = {line.split(",")[0]: line.partition("skipped: ")[2].split(", ") for line in named[:-1]}
    assert list(absent) == ["no rollout", "no routing", "no telemetry"]
    assert sum(map(len, absent.values())) == silent["summary"]["silent_rules"]
    write(tmp_path, {"whole/fabric.yaml": FABRIC + "telemetry: none\n"})
    assert "no telemetry" not in rocecfg(tmp_path / "whole", "lint", "--statistics").stdout


@pytest.mark.parametrize("how", ["--select=hygiene-absent", "--select=pfc,topology,hygiene-absent", "settings"])
def test_what_is_absent_is_told_where_it_is_asked_for(how: str, tmp_path: Path) -> None:
    settings = '[severity]\nhygiene-absent = "warning"\n' if how == "settings" else ""
    write(tmp_path, {"fabric.yaml": FABRIC, "rocecfg.toml": settings})
    done = rocecfg(
        tmp_path, "lint", *([how] if not settings else []), "--format", "concise", "--fail-on=info", expect=1
    )
    assert f" {'warning' if settings else 'info'} HYG910 hygiene-absent: " in done.stdout
    assert re.search(r"routing \(\d+ rules\)", done.stdout)
    assert ("telemetry" in done.stdout) is ("topology" not in how)


def test_the_index_of_rules_is_what_they_declare() -> None:
    assert tuple((r.code, r.name, module, r.needs, r.on, r.worst) for module, r in list_declared()) == ROWS
    assert len({row[0] for row in ROWS}) == len({row[1] for row in ROWS}) == len(ROWS) == len(ALL)


def test_rules_that_are_loaded_with_their_section_are_counted_without_it(tmp_path: Path) -> None:
    (without,) = (sections for _, sections in linted(tmp_path, POLICY).silent)
    (with_one,) = (sections for _, sections in linted(tmp_path, POLICY + "telemetry: none\n").silent)
    assert with_one == {section: names for section, names in without.items() if section != "telemetry"}
    (chosen,) = (sections for _, sections in linted(tmp_path, POLICY, ALL).silent)
    assert {section: sorted(names) for section, names in chosen.items()} == {
        section: sorted(names) for section, names in without.items()
    }


def test_a_waiver_is_unused_of_a_rule_that_was_not_loaded_too(tmp_path: Path) -> None:
    text = POLICY.replace("pmax: 5%}}", "pmax: 5%}}  # rocecfg: ignore[link-pfc] -- none", 1)
    assert "hygiene-waiver-unused" in {r for r, _ in reported(tmp_path, text)}


def reported(folder: Path, text: str, rules: tuple[Rule, ...] | None = None) -> list[tuple[str, str]]:
    """Rule and message of all findings."""
    return [(f.rule.name, f.message) for f in linted(folder, text, rules).findings]


def linted(folder: Path, text: str, rules: tuple[Rule, ...] | None = None) -> Run:
    read, sources = loaded(folder, text)
    return lint([read], sources, rules=rules, today=TODAY)


@pytest.mark.parametrize(
    ("stated", "severity"),
    [
        ("", ERROR),
        ("kind: backend", ERROR),
        ("kind: converged", INFO),
        ("mode: lossy", None),
        ("mode: semi-lossless", WARNING),
        ("mode: lossless", ERROR),
        ("congestion_control: none", WARNING),
        ("congestion_control: {kind: none, reason: tests}", WARNING),
        ("congestion_control: dcqcn", ERROR),
        ("dual_tor: true", INFO),
        ("dual_tor: false", ERROR),
    ],
)
def test_the_kind_of_fabric_lowers_a_severity(stated: str, severity: str | None, tmp_path: Path) -> None:
    by_kind = {"converged": INFO, "lossy": OFF, "semi-lossless": WARNING, "no-cc": WARNING, "dual-tor": INFO}
    text = TWO.replace("name: lab", f"name: lab, {stated}") if stated else TWO
    found = asked(tmp_path, made("fabric", by_kind=by_kind), text)
    assert found == ([(severity, "fabric")] if severity else [])


# -- what could not be read --------------------------------------------------------------------------------------------


def test_a_class_that_could_not_be_read_is_judged_no_further_and_the_others_are(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 6", "priority: 66").replace("kmax: 1600KB", "kmax: 300KB")
    assert sorted(rules(tmp_path, text)) == ["ecn-order", "schema-priority-range"]


def test_the_same_problem_on_many_devices_is_one_finding(tmp_path: Path) -> None:
    text = POLICY.replace("dscp: 48", "dscp: rest") + "devices:\n"
    text += "".join(f"  leaf{n}: {{classes: {{rdma: {{bandwidth: {n}}}}}}}\n" for n in range(1, 50))
    assert [r for r in rules(tmp_path, text) if r.startswith("schema")] == ["schema-rest"]


def test_an_unreadable_fabric_beside_a_good_one_hides_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": POLICY.replace("bandwidth: 40}", "bandwidth: 30}"), "b.yaml": "rocecfg: 1\nx: [\n"})
    done = rocecfg(tmp_path, "lint", "--format", "concise", expect=2)
    assert [line.split(": ")[0] for line in done.stdout.splitlines()[:-1] if "hygiene" not in line] == [
        "a.yaml:8:69",
        "b.yaml:3:1",
    ]
