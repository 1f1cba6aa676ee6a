"""Fates of statements in all outputs, and of what is rendered: it runs, differs, or differs to the same effect."""

from __future__ import annotations

import json
import re
from pathlib import Path

from drift_cases import EXAMPLES, SUFFIX, WHOLE, compared, running
from intents import rocecfg
from junos_statements import changes
from junos_text import INTENTS, displayed, rendered
from sampling import part
from statements import OF_TOMORROW, count_statements

from rocecfg.drift.labels import label_settings
from rocecfg.drift.run import Drift, find_drift, find_drift_from_kept
from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.model.catalogue import CATALOGUE, What
from rocecfg.model.fates import FATES
from rocecfg.source.document import Sources


def test_each_output_prints_the_fates(tmp_path: Path) -> None:
    """The same total as text and as JSON, of all that reads what a switch runs."""
    text = f"{running('auto', 'spine02')}of-tomorrow 3\n"
    (tmp_path / "spine02.cfg").write_text(text, encoding="utf-8")
    total = f"{count_statements('arista', text)} statements: "
    file, runs = ("spine02.cfg",), (EXAMPLES / "auto", "--running", "spine02.cfg")
    kept = ("drift", "spine02.cfg", "--running", "spine02.cfg")
    for words in (("lint", *file), ("show", *file), ("import", *file), ("report", *file, "-o", "-")):
        done = rocecfg(tmp_path, *words, expect=None)
        assert total in done.stdout + done.stderr, words
        assert "1 unknown (line " in done.stdout + done.stderr, words
    for words in (("lint", *file), ("show", *file), ("drift", *runs), kept, ("plan", *runs, "--no-lint")):
        if words[0] in ("drift", "plan"):
            assert total in rocecfg(tmp_path, *words, expect=None).stdout, words
        told = json.loads(rocecfg(tmp_path, *words, "--format", "json", expect=None).stdout)["statements"]
        named = [told[name.replace(" ", "_")] for name in FATES]
        assert f"{told['total']} statements: " == total, words
        assert sum(named) == told["total"], words
        assert [each["text"] for each in told["unjudged"] if each["fate"] == "unknown"] == ["of-tomorrow 3"], words


def test_each_statement_of_junos_is_told_or_listed(tmp_path: Path) -> None:
    """Changed in turn; of the other systems test_drift_each.py and test_drift_sonic_every_value.py."""
    (tmp_path / "fabric.yaml").write_text(INTENTS["two lossless"], encoding="utf-8")
    sources = Sources()
    loaded = load(str(tmp_path / "fabric.yaml"), sources)
    assert loaded.fabric is not None
    file, device = next(iter(render_files(loaded.fabric, "junos"))), loaded.fabric.devices[0]
    name = device.names[0]
    text = displayed(WHOLE["junos"](name, device, file.text))

    def against(runs: str) -> Drift:
        (tmp_path / f"{name}.conf").write_text(runs, encoding="utf-8")
        return find_drift([loaded], [str(tmp_path / f"{name}.conf")], sources)

    kept = against(text)
    assert (kept.differences, kept.uncovered, kept.others.same, kept.others.statements) == ([], [], {}, {})
    silent = []
    for statement in part(list(changes(text)), "rocecfg/vendors/junos", "rocecfg/drift"):
        for change in statement.changes[1:2]:  # taken out is the first
            found = against(change.text)
            told = found.differences or found.uncovered or found.refused or found.running.errors
            if not (told or found.others.same or found.others.statements):
                silent.append((statement.words, change.new))
    assert silent == []


def test_what_hangs_on_a_difference_has_not_the_same_effect(tmp_path: Path) -> None:
    """A port that loses PFC loses its watchdog, too: nothing says that this is as meant."""
    (tmp_path / "fabric.yaml").write_text(INTENTS["two lossless"], encoding="utf-8")
    text = f"set system host-name leaf01\n{rendered(INTENTS['two lossless'], tmp_path, 'set')}"
    line = next(line for line in text.splitlines() if re.search(r"interfaces \S+ congestion-notification-prof", line))
    (tmp_path / "leaf01.set").write_text(text.replace(f"{line}\n", ""), encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.set", expect=1).stdout
    assert "\ndrift: PFC priorities on leaf01" in f"\n{done}"
    assert "same effect: PFC watchdog" not in done


def test_other_names_are_no_reason_of_the_table(tmp_path: Path) -> None:
    """A reason that holds for what is left out of a map is not told of a map that is called otherwise."""
    text = running("auto", "spine02").replace("ROCE-SWITCH", "OURS")
    (tmp_path / "spine02.cfg").write_text(text, encoding="utf-8")
    done = rocecfg(tmp_path, "drift", EXAMPLES / "auto", "--running", "spine02.cfg", expect=0)
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("differs, same effect: "))
    assert " on spine02: in other words" in line
    assert " and " in line  # as many as the profile has lines
    assert "no drift in " in done.stdout


def test_a_line_of_a_later_eos_is_named_by_drift(tmp_path: Path) -> None:
    silent = []
    for statement in (words for vendor, words in OF_TOMORROW if vendor == "arista"):
        lines = "".join(f"{'   ' * depth}{line}\n" for depth, line in enumerate(statement.split("; ")))
        found = compared("auto", {"spine02.cfg": running("auto", "spine02") + lines}, tmp_path)
        assert (found.refused, found.running.errors) == ([], []), statement
        told = [*(one.what for one in found.fates.unjudged), *(one.why for one in found.uncovered)]
        silent += [] if any("of-tomorrow" in each for each in told) else [statement]
    assert silent == []


def tomorrow_in_all(vendor: str, text: str, value: str = "3") -> str:
    """A configuration with every statement of tomorrow at once."""
    if vendor == "sonic":
        config = json.loads(text)
        for table, key, field in (words.split() for of, words in OF_TOMORROW if of == vendor):
            config.setdefault(table, {}).setdefault(key, {})[field] = value
        return json.dumps(config, indent=1)
    if vendor == "junos":
        return text + "".join(f"set {words} {value}\n" for of, words in OF_TOMORROW if of == vendor)
    for words in (words for of, words in OF_TOMORROW if of == vendor):
        if vendor == "arista":
            *above, last = words.split("; ")
            lines = (*above, f"{last} {value}")
            text += "".join(f"{'   ' * depth}{line}\n" for depth, line in enumerate(lines))
        else:
            keys = words.split()
            text += f"- set: {''.join(f'{{{key}: ' for key in keys)}{value}{'}' * len(keys)}\n"
    return text


def test_statements_of_tomorrow_are_counted_by_drift_of_each_system(tmp_path: Path) -> None:
    """Each is neither judged nor foreign, none refuses, and drift does not say that there is none."""
    (tmp_path / "junos.yaml").write_text(INTENTS["two lossless"], encoding="utf-8")
    for vendor, file in (("sonic", "leaf01.json"), ("spectrum", "spine01.yaml"), ("junos", "leaf01.set")):
        intent = str(tmp_path / "junos.yaml" if vendor == "junos" else EXAMPLES / "auto" / "fabric.yaml")
        text = f"set system host-name leaf01\n{rendered(INTENTS['two lossless'], tmp_path, 'set')}"
        text = text if vendor == "junos" else running("auto", file.partition(".")[0])
        found = []
        for one in (text, tomorrow_in_all(vendor, text)):
            (tmp_path / file).write_text(one, encoding="utf-8")
            sources = Sources()
            drift = find_drift([load(intent, sources)], [str(tmp_path / file)], sources)
            assert (drift.refused, drift.running.errors) == ([], []), vendor
            assert drift.fates.total == count_statements(vendor, one)
            found.append(drift)
        before, after = found
        statements = [words for of, words in OF_TOMORROW if of == vendor]
        assert sum(after.fates.counts[2:]) - sum(before.fates.counts[2:]) >= len(statements), vendor
        assert after.uncovered, vendor


def test_each_statement_of_tomorrow_is_compared_between_two_configurations(tmp_path: Path) -> None:
    """What nothing judges is compared as it is written; what cannot touch RoCE is not."""
    texts = {vendor: running("auto", name) for vendor, name in (("sonic", "leaf01"), ("arista", "spine02"))}
    texts["spectrum"] = running("auto", "spine01")
    texts["junos"] = f"set system host-name leaf01\n{rendered(INTENTS['two lossless'], tmp_path, 'set')}"
    for vendor, text in texts.items():
        for name, value in (("kept", "4711"), ("now", "4712")):
            (tmp_path / name).write_text(tomorrow_in_all(vendor, text, value), encoding="utf-8")
        found = find_drift_from_kept(str(tmp_path / "kept"), [str(tmp_path / "now")], Sources())
        told = [
            {*re.findall(r"[\w.-]+", f"{one.topic} {each.part} {each.meant} {each.running}")}
            for one in found.differences
            for each in one.values
        ]
        silent = [
            words
            for of, words in OF_TOMORROW
            if of == vendor and not any({*re.split(r"[ ;|]+", words)[-2:], "4711"} <= each for each in told)
        ]
        assert silent == [], vendor
    beside = "tomorrow password {}\nlogging host 192.0.2.{}\n"
    for name, word in (("kept", "hunter1"), ("now", "hunter2")):
        (tmp_path / name).write_text(texts["arista"] + beside.format(word, word[-1]), encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "kept", "--running", "now", expect=0)
    assert "hunter" not in done.stdout
    assert " 1 unknown (line " in done.stdout


ODD = {  # by system: a device, and statements that are not understood of its ports, with the words that tell each once
    "spectrum": (
        "spine01",
        "- set: {qos: {pfc: {default-global: {of-tomorrow: 4711}}}}\n",
        "pfc default-global of-tom",
    ),
    "arista": ("spine02", "priority-flow-control pause watchdog of-tomorrow 4711\n", "watchdog of-tomorrow 4711"),
}


def test_without_a_difference_lines_are_named_too(tmp_path: Path) -> None:
    """A text that differs in nothing is not dropped where a line of it is told."""
    unstated = 0
    for vendor, name in (("sonic", "leaf01"), ("arista", "spine02"), ("spectrum", "spine01")):
        text = running("auto", name)
        if vendor == "sonic":
            text = json.dumps({**json.loads(text), "OF_TOMORROW": {"x": {"y": "3"}}}, indent=1)
        else:
            text += {"spectrum": "- set: {of-tomorrow: {mode: 3}}\n", "arista": "of-tomorrow 3\n"}[vendor]
        file = f"{name}{SUFFIX[vendor]}"
        (tmp_path / file).write_text(text, encoding="utf-8")
        words = ("drift", EXAMPLES / "auto", "--running", file, "--unstated")
        found = rocecfg(tmp_path, *words, expect=None).stdout
        assert "\ndrift: " not in f"\n{found}"
        assert "no drift" not in found  # which would be said of all that stands there
        linted = rocecfg(tmp_path, "lint", "--no-models", file, expect=None).stdout
        assert not linted.splitlines()[-1].startswith("clean"), vendor
        (line,) = re.findall(r" 1 unknown \(line (\d+)\)", found)
        assert "tomorrow" in text.splitlines()[int(line) - 1].lower(), vendor
        unstated += len(re.findall(rf"unstated: .*\({file}:(?!1\))", found))
    assert unstated > 3


def test_a_statement_of_many_ports_is_told_once_between_two_configurations(tmp_path: Path) -> None:
    """With its own words: what stands beside it and on both sides is no difference."""
    for vendor, (name, more, words) in ODD.items():
        text = running("auto", name)
        (tmp_path / "kept").write_text(text, encoding="utf-8")
        (tmp_path / "now").write_text(text + more, encoding="utf-8")
        found = find_drift_from_kept(str(tmp_path / "kept"), [str(tmp_path / "now")], Sources())
        told = [each.part for one in found.differences if one.topic == "unread" for each in one.values]
        assert len(told) == 1, (vendor, told)
        assert words in told[0], (vendor, told)


def test_a_setting_of_each_queue_has_a_name_without_its_number() -> None:
    for row in CATALOGUE:
        if row.compared:
            topic = row.compared.partition(".")[0]
            (name,) = label_settings([What(topic, None)])
            assert "{" not in name, row
