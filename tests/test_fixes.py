"""Fixes: what a page shows is fixed, nothing else in the text changes and, where safe, nothing in the output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import FABRIC, POLICY, TODAY, write
from loops import loop
from page_cases import laid_out, pages

import rocecfg
from rocecfg.hosts.files import render_files as host_files
from rocecfg.intent import Loaded, load
from rocecfg.linting.fixes import Fixed, fix, format_diff
from rocecfg.linting.run import Run, lint
from rocecfg.rules import ERROR
from rocecfg.source.document import Sources
from rocecfg.source.tree import NotYaml, parse
from rocecfg.vendors import VENDORS

SAFE = {
    "schema-yaml-trap",
    "schema-priority-range",
    "schema-kib",
    "schema-dead-override",
    "hygiene-waiver-unused",
    "hygiene-order",
}
UNSAFE = {
    "schema-unknown-key",
    "schema-ref",
    "schema-value",
    "schema-platform",
    "pfc-missing-rdma",
    "pfc-global-pause",
    "watchdog-missing",
    "watchdog-host",
    "watchdog-priorities",
    "watchdog-multiple",
    "watchdog-action-hw",
    "ecn-weight",
    "ecn-color",
    "mix-map-total",
    "mix-into-lossless",
    "mix-tc-chain",
    "mix-pg-shared",
    "mix-sonic-stock",
    "mix-trust",
    "ets-sum",
    "ets-cnp",
    "ets-shaper",
    "buffer-mtu",
    "buffer-xon",
    "buffer-gearbox",
    "hygiene-unknown-traffic",
}


CASES = {name: [b.text for b in blocks if b.section == "fires"] for name, blocks in pages().items()}


def judged(fabrics: list[Loaded], sources: Sources) -> Run:
    return lint(fabrics, sources, today=TODAY)


def fixed(path: Path, *, unsafe: bool = False) -> tuple[Run, Fixed]:
    """What is found, and what fixing comes to."""
    sources = Sources()
    loaded = [load(str(path), sources)]
    before = judged(loaded, sources)
    # what stands is judged before anything is fixed: by then it was
    return before, fix(loaded, sources, lambda f, s: before if f is loaded else judged(f, s), unsafe=unsafe)


def save(done: Fixed) -> None:
    for text in done.texts:
        Path(text.path).write_bytes(text.after.encode())


def rules(run: Run) -> list[str]:
    return sorted(f.rule.name for f in run.findings)


def errors(run: Run) -> set[str]:
    return {f.rule.name for f in run.findings if f.severity == ERROR}


def rendered(path: Path) -> dict[str, object]:
    """Every vendor's output and that for hosts, or why there is none."""
    out: dict[str, object] = {}
    fabric = load(str(path), Sources()).fabric
    if fabric is not None:
        out["host"] = output(lambda: [(file.name, file.text) for file in host_files(fabric)])
    for vendor in VENDORS:
        loaded = load(str(path), Sources(), vendor)
        if loaded.fabric is None or any(d.vendor not in (None, vendor) for d in loaded.fabric.devices):
            continue
        out[vendor] = output(partial(rocecfg.render, loaded.fabric, vendor))
    return out


def output(render: Callable[[], object]) -> object:
    """What is rendered, or the reason why a writer refuses it."""
    try:
        return render()
    except Exception as error:  # noqa: BLE001 - whatever it is, a safe fix leaves it
        return f"{type(error).__name__}: {error}"


@loop("rule", CASES)
def test_what_a_page_shows_is_fixed(rule: str, tmp_path: Path) -> None:
    for text in CASES[rule]:
        path = laid_out(tmp_path, text)
        check_fixes(path)
        check_safe_fixes(rule, laid_out(tmp_path, text))


def check_fixes(path: Path) -> None:
    """All that is found and can be fixed is, once, and nothing else comes up."""
    before, done = fixed(path, unsafe=True)
    assert done.refused == ()
    assert not [f for f in done.run.findings if f.fix is not None]
    assert errors(done.run) <= errors(before)
    fixable = Counter(f.rule.name for f in before.findings if f.fix is not None)
    assert done.fixed >= fixable.total()
    assert not Counter(rules(done.run)) - (Counter(rules(before)) - fixable)
    save(done)
    assert fixed(path, unsafe=True)[1].texts == ()


def check_safe_fixes(rule: str, path: Path) -> None:
    """They change no output, and lose no comment."""
    old = path.read_text(encoding="utf-8")
    _, done = fixed(path)
    if done.texts:
        was = rendered(path)
        save(done)
        assert rendered(path) == was
    assert done.unsafe == len([f for f in done.run.findings if f.fix is not None and not f.fix.safe])
    assert not [f for f in done.run.findings if f.fix is not None and f.fix.safe]
    if rule != "hygiene-waiver-unused":
        assert comments(path.read_text(encoding="utf-8")) == comments(old)


def comments(text: str) -> list[str]:
    try:
        return [text[start:end] for start, end in parse(text).comments]
    except NotYaml:
        return []


def test_which_rules_have_fixes(tmp_path: Path) -> None:
    safe, unsafe = set(), set()
    for text in (text for texts in CASES.values() for text in texts):
        for finding in fixed(laid_out(tmp_path, text))[0].findings:
            if finding.fix is not None:
                (safe if finding.fix.safe else unsafe).add(finding.rule.name)
    assert safe == SAFE
    assert unsafe - safe == UNSAFE


# -- slips in a policy, alone and together -----------------------------------------------------------------------------

SLIPS = [
    ("priority: 3,", "priority: 03,"),
    ("lossless: true", "lossless: yes"),
    ("lossless: true", "lossles: true"),
    ("bandwidth: 60", "bandwith: 60"),
    ("bandwidth: 60", "bandwidth: 80"),
    ("pmax: 5%}}", "pmax: 5%, weight: 3}}  # why"),
    ("priority: 6, bandwidth: strict", "priority: 6, lossless: true, bandwidth: strict"),
    ("priority: 6, bandwidth: strict", "priority: 6, bandwidth: 10"),
    ("dscp: rest", 'dscp: "0-25"'),
    ("dscp: 26,", "dscp: [26, 26],"),
    ("fabric: {name: lab}", "fabric: {name: lab}  # rocecfg: ignore[ecn-weight, ets-sum] -- once"),
    ("detection_time: 200ms", "detection_time: 250ms"),
    ("action: drop", "action: dropp"),
    ("pfc:\n  watchdog: {", "pfc:\n  # the usual\n  watchdog: {priorities: [4],  "),
    ("pfc:", "buffers: {lossless_mtu: 1KiB}\npfc:"),
]
TWO = """\
devices:
  leaf[1-2]:  # both
    pfc: {watchdog: {detection_time: 200ms}}
    ports:
      "Ethernet[0-8/4]": {speed: 100G, cable: 3m, flowcontrol: rx}
  spine1:
    ports:
      Ethernet0: {speed: 100G, cable: 3m, faces: switch}
"""


@given(st.sets(st.sampled_from(range(len(SLIPS)))), st.booleans(), st.booleans())
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
def test_slips_together(tmp_path: Path, chosen: set[int], devices: bool, unsafe: bool) -> None:
    text = POLICY + (TWO if devices else "")
    for number in sorted(chosen):
        text = text.replace(*SLIPS[number])
    path = tmp_path / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    was = rendered(path)
    before, done = fixed(path, unsafe=unsafe)
    assert not Counter(all_errors(done.run)) - Counter(all_errors(before))
    save(done)
    again = fixed(path, unsafe=unsafe)[1]
    assert again.texts == ()
    if not unsafe:
        assert rendered(path) == was
    kept = [c for c in comments(text) if "rocecfg: ignore" not in c]
    assert [c for c in comments(path.read_text(encoding="utf-8")) if "rocecfg: ignore" not in c] == kept


def all_errors(run: Run) -> list[str]:
    return [f.rule.name for f in run.findings if f.severity == ERROR]


# -- one by one --------------------------------------------------------------------------------------------------------


def fix_file(folder: Path, text: str, *, unsafe: bool = False) -> tuple[str, Fixed]:
    path = folder / "fabric.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    done = fixed(path, unsafe=unsafe)[1]
    save(done)
    return path.read_bytes().decode(), done


def test_a_watchdog_is_added_once_for_the_fabric(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "pfc:\n  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, "
        "action: drop}\n  headroom: auto\n",
        "pfc:  # to come\n  headroom: auto\n",
    )
    text = text.replace("    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}\n", "")
    assert fix_file(tmp_path, text)[0] == text  # what is rendered would change: only when asked for
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert after == text.replace(
        "  headroom: auto\n",
        "  headroom: auto\n  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, "
        "action: drop}\n",
    )
    assert "watchdog-missing" not in rules(done.run)


def test_a_watchdog_is_added_where_it_is_missing_if_others_have_their_own(tmp_path: Path) -> None:
    text = (
        POLICY[: POLICY.index("pfc:")]
        + """\
devices:
  leaf[1-2]:
    pfc: {watchdog: {detection_time: 300ms, restoration_time: 600ms}}
    ports: {Ethernet0: {faces: host}}
  spine1:  # none
    ports:
      Ethernet0: {faces: switch}
"""
    )
    after, done = fix_file(tmp_path, text, unsafe=True)
    new = "pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}"
    assert after == text.replace("{faces: switch}", f"{{faces: switch, {new}}}")
    assert done.fixed == 1


def test_a_watchdog_turned_off_by_hand_stays_off(tmp_path: Path) -> None:
    text = POLICY[: POLICY.index("pfc:")] + "pfc: {watchdog: off}\n"
    after, done = fix_file(tmp_path, text)
    assert after == text
    assert done.unsafe == 1
    after, _ = fix_file(tmp_path, text, unsafe=True)
    assert "watchdog: {detection_time: 200ms" in after


def test_what_only_looks_like_a_repeat_stays(tmp_path: Path) -> None:
    """leaf1 says what defaults say, but without it leaf[1-2] would win."""
    text = POLICY + "defaults: {mtu: 9100}\ndevices:\n  leaf[1-2]: {mtu: 9000}\n  leaf1: {mtu: 9100}\n"
    after, done = fix_file(tmp_path, text)
    assert after == text
    assert [why for f, why in done.refused if f.rule.name == "schema-dead-override"] == [
        "it would change the configuration"
    ] * len(done.refused)


def test_an_override_goes_with_the_sections_that_it_leaves_empty(tmp_path: Path) -> None:
    text = (
        POLICY
        + """\
devices:
  leaf1:  # here
    pfc:
      watchdog:
        detection_time: 200ms
        poll_interval: 100ms  # the same
    classes:
      rdma: {bandwidth: 60}
    ports:
      Ethernet0: {speed: 100G, cable: 3m}
"""
    )
    after, _ = fix_file(tmp_path, text)
    ports = "    ports:\n      Ethernet0: {speed: 100G, cable: 3m}\n"
    assert after == f"{POLICY}devices:\n  leaf1:  # here\n    # the same\n{ports}"


def test_headroom_is_inherited_whole_so_its_parts_are_no_repeats(tmp_path: Path) -> None:
    text = (
        POLICY
        + "  headroom: {size: 100KB, xon: 10KB}\ndevices:\n  leaf1:\n"
        + ("    pfc: {headroom: {size: 100KB, xon: 20KB}}\n    ports: {Ethernet0: {speed: 100G, cable: 3m}}\n")
    )
    after, done = fix_file(tmp_path, text)
    assert after == text
    assert "schema-dead-override" not in rules(done.run)


def test_one_of_two_names_of_a_waiver_goes(tmp_path: Path) -> None:
    text = POLICY.replace("pmax: 5%}}", "pmax: 5%, weight: 3}}  # rocecfg: ignore[ets-sum, ecn-weight] -- old chips")
    after, _ = fix_file(tmp_path, text)
    assert after == text.replace("ets-sum, ", "")
    after, _ = fix_file(tmp_path, text.replace(", weight: 3", ""))
    assert after == POLICY


def test_a_fix_that_would_bring_an_error_is_not_made_and_says_why(tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 60,", "bandwidth: 60, max_rat: 400,")
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert after == text
    ((finding, why),) = done.refused
    assert finding.rule.name == "schema-unknown-key"
    assert why == "it would cause a new error: schema-unit"


def test_fixes_that_hinder_each_other_are_made_in_turn(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 3,", "priority: 03,").replace("priority: 7, bandwidth", "prioriti: 07, bandwidth")
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert after == POLICY
    assert "schema-yaml-trap" not in rules(done.run)


def test_a_fix_that_waited_for_a_refused_one_is_made(tmp_path: Path) -> None:
    """Both touch the end of one mapping: lossless: true goes behind the share."""
    text = POLICY.replace("  cnp: ", "  bulk: {carries: [rdma], dscp: 20, priority: 2, bandwidth: 60}\n  cnp: ")
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert [(f.rule.name, why) for f, why in done.refused] == [
        ("pfc-missing-rdma", "it would cause a new error: ecn-missing")
    ]
    assert "ets-sum" not in rules(done.run)
    assert "priority: 2, bandwidth: 37}" in after  # 37.5, 37.5 and 25 as whole percents: 38, 37 and 25


def test_what_was_refused_is_tried_again_when_something_else_is_fixed(tmp_path: Path) -> None:
    """A watchdog for the fabric is an error while hosts have theirs off, and that is what the other fix fixes."""
    ports = "Ethernet0: {faces: host, pfc: {watchdog: off}}, Ethernet8: {faces: switch}"
    text = (
        POLICY[: POLICY.index("pfc:")]
        + f"devices: {{leaf1: {{ports: {{{ports}}}}}, spine1: {{ports: {{Ethernet0: {{faces: switch}}}}}}}}\n"
    )
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert done.refused == ()
    assert errors(done.run) == set()
    assert fix_file(tmp_path, after, unsafe=True)[1].texts == ()


def test_a_finding_is_not_moved_to_another_device(tmp_path: Path) -> None:
    """A time of all devices, rounded to the poll interval of one, is no multiple of the others' any more."""
    text = POLICY.replace("restoration_time: 400ms", "restoration_time: 500ms") + (
        "devices:\n  leaf1: {ports: {Ethernet0: {}}}\n  spine1:\n"
        "    pfc: {watchdog: {detection_time: 410ms, poll_interval: 205ms}}\n    ports: {Ethernet0: {}}\n"
    )
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert after == text
    ((finding, why),) = done.refused
    assert (finding.rule.name, finding.devices) == ("watchdog-multiple", ("spine1",))
    assert why == "it would cause the same finding elsewhere: leaf1"


def test_what_an_alias_repeats_is_told(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 3,", "priority: &three 03, pg: *three,")
    after, done = fix_file(tmp_path, text)
    assert after == text
    assert {f.rule.name for f, why in done.refused if "*three repeats it" in why} == {"schema-yaml-trap"}


def test_line_ends_quotes_and_comments_stay(tmp_path: Path) -> None:
    text = (
        POLICY.replace("5%}}", "'5%'}}  # three")
        .replace("name: lab", 'name: "lab"')
        .replace("kmin: 400KB", "kmin: '400KB'")
        .replace("lossless: true", "lossless: yes")
        .replace("\n", "\r\n")
    )
    after, _ = fix_file(tmp_path, text)
    assert after == text.replace("lossless: yes", "lossless: true")


def test_a_file_that_is_included_is_fixed_too(tmp_path: Path) -> None:
    root, part = POLICY.split("pfc:")
    write(
        tmp_path, {"fabric.yaml": f"{root}include: [pfc.yaml]\n", "pfc.yaml": f"pfc:{part}".replace(" drop", " dorp")}
    )
    _, done = fixed(tmp_path / "fabric.yaml", unsafe=True)
    assert [(Path(t.path).name, t.after) for t in done.texts] == [("pfc.yaml", f"pfc:{part}")]


def test_only_one_file_may_change(tmp_path: Path) -> None:
    root, part = POLICY.split("pfc:")
    write(
        tmp_path, {"fabric.yaml": f"{root}include: [pfc.yaml]\n", "pfc.yaml": f"pfc:{part}".replace(" drop", " dorp")}
    )
    sources = Sources()
    loaded = [load(str(tmp_path / "fabric.yaml"), sources)]
    done = fix(loaded, sources, judged, unsafe=True, only=str(tmp_path / "fabric.yaml"))
    assert done.texts == ()
    assert [why for _, why in done.refused] == [f"it would change {tmp_path / 'pfc.yaml'}"]


def test_one_finding_on_many_devices_is_fixed_on_each(tmp_path: Path) -> None:
    hosts = "faces: host, pfc: {watchdog: off}"
    text = POLICY.replace("  watchdog:", "  # one\n  watchdog:") + (
        f"devices:\n  leaf1: {{ports: {{Ethernet0: {{{hosts}}}, Ethernet4: {{faces: switch}}}}}}\n"
        f"  leaf2: {{ports: {{Ethernet0: {{{hosts}}}, Ethernet4: {{faces: switch}}}}}}\n"
    )
    after, done = fix_file(tmp_path, text, unsafe=True)
    assert after == text.replace(", pfc: {watchdog: off}", "")
    assert "watchdog-host" not in rules(done.run)


def test_the_diff_is_one_that_patch_reads(tmp_path: Path) -> None:
    text = POLICY.replace("action: drop}\n", "action: dorp}")
    _, done = fix_file(tmp_path, text, unsafe=True)
    shown = format_diff(done.texts)
    path = tmp_path / "fabric.yaml"
    assert shown == (
        f"--- {path}\n+++ {path}\n@@ -7,4 +7,4 @@\n"
        + "".join(f" {line}\n" for line in text.split("\n")[6:9])
        + f"-{text.split(chr(10))[9]}\n\\ No newline at end of file\n"
        + f"+{done.texts[0].after.split(chr(10))[9]}\n\\ No newline at end of file\n"
    )
