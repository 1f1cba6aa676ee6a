"""One cause is one finding, whatever shows it: text, JSON, SARIF; what it stands for besides is listed, and counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from intents import FABRIC, POLICY, judged, rocecfg, write
from loops import loop

from rocecfg.report import github, sarif, text

Json = dict[str, Any]


def report(folder: Path, *paths: str, expect: int = 1) -> Json:
    """What `lint --format json` says of a folder, or of files in it."""
    done = rocecfg(folder, "lint", "--no-config", "--format", "json", *paths, expect=expect)
    value: Json = json.loads(done.stdout)
    return value


def names(of: Json) -> list[tuple[str, str]]:
    return [(f["severity"], f["name"]) for f in of["findings"]]


def folded(finding: Json) -> Counter[str]:
    return Counter(one["name"] for one in finding["folded"] or ())


# -- the same mistake at many places of a file -------------------------------------------------------------------------

BARE = POLICY.partition("pfc:")[0] + (
    "devices:\n  leaf1:\n    ports:\n"
    + "".join(f"      Ethernet{n}: {{speed: 400G, faces: host, cable: {n + 1}m}}\n" for n in range(45))
    + "      Ethernet45: {faces: host, pfc: {watchdog: {detection_time: 200ms}}}\n"
)


def test_ports_that_each_lack_a_watchdog_are_one_finding(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BARE})
    whole = report(tmp_path)
    (missing,) = (f for f in whole["findings"] if f["name"] == "watchdog-missing")
    assert (missing["line"], missing["device"], missing["port"], missing["ports"]) == (
        12,
        "leaf1",
        "Ethernet[0-44]",
        45,
    )
    assert [(f["line"], f["port"]) for f in missing["folded"]] == [(12 + n, f"Ethernet{n}") for n in range(1, 45)]
    assert [r["line"] for r in missing["related"]] == [13, 14, 15]
    assert missing["related"][-1]["message"] == "the same here, and at 41 more places"
    assert (whole["summary"]["errors"], whole["summary"]["folded"]) == (1, 44)


def test_every_format_folds_alike(tmp_path: Path) -> None:
    run = judged(tmp_path, BARE)[1]
    assert Counter(f.rule.name for f in run.findings)["watchdog-missing"] == 45
    assert [f.rule.name for f in run.causes].count("watchdog-missing") == run.summary.errors == 1
    (line,) = (line for line in text.render_concise(run).splitlines() if "watchdog-missing" in line)
    assert line.endswith("[leaf1 Ethernet[0-44] (1 device, 45 ports); at 44 more places]")
    assert text.render_full(run).count("] watchdog-missing: ") == 1
    assert text.render_statistics(run).splitlines()[0].split() == ["1", "error", "WDG201", "watchdog-missing"]
    (result,) = (r for r in json.loads(sarif.render(run))["runs"][0]["results"] if r["ruleId"] == "WDG201")
    assert result["properties"]["folded"] == 44
    assert len(result["relatedLocations"]) == 3
    assert github.render(run).count("::error ") == 1


def test_what_is_waived_or_known_or_fixed_is_so_place_by_place(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "fabric.yaml": FABRIC.replace("pmax: 5%}}", "pmax: 5%, weight: 2}}").replace(
                "kmax: 2300KB\n", "kmax: 2300KB\n      weight: 2\n"
            )
        },
    )
    (weight,) = (f for f in report(tmp_path, expect=0)["findings"] if f["name"] == "ecn-weight")
    assert len(weight["folded"]) == 1
    waived = (
        (tmp_path / "fabric.yaml")
        .read_text()
        .replace("weight: 2\n", "weight: 2  # rocecfg: ignore[ecn-weight] -- a trial\n")
    )
    write(tmp_path, {"waived/fabric.yaml": waived})
    (other,) = (f for f in report(tmp_path / "waived", expect=0)["findings"] if f["name"] == "ecn-weight")
    assert (other["folded"], other["line"]) == (None, weight["folded"][0]["line"])
    known = ("--baseline", "known.json")
    rocecfg(tmp_path / "waived", "lint", *known, "--update-baseline", expect=0)
    write(tmp_path, {"waived/fabric.yaml": (tmp_path / "fabric.yaml").read_text()})
    (new,) = json.loads(rocecfg(tmp_path / "waived", "lint", *known, "--format", "json", expect=0).stdout)["findings"]
    assert (new["name"], new["line"], new["folded"]) == ("ecn-weight", weight["line"], None)
    rocecfg(tmp_path, "lint", "fabric.yaml", "--fix", "--unsafe-fixes", expect=0)
    assert (tmp_path / "fabric.yaml").read_text().count("weight: 0") == 2


def test_two_fabrics_with_the_same_names_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, {"a/fabric.yaml": BARE, "b/fabric.yaml": BARE})
    assert names(report(tmp_path)).count(("error", "watchdog-missing")) == 2


# -- links -------------------------------------------------------------------------------------------------------------

WIDE = FABRIC.replace("[01-32]", "[01-64]").replace("[0-248/8]", "[0-252/4]")  # 64 hosts at each leaf
NIC1 = '{a: "gpu[01-64]:nic1", b: "leaf02:Ethernet[0-252/4]"}'


def test_a_link_line_that_names_ports_which_are_taken_is_one_finding(tmp_path: Path) -> None:
    text = WIDE.replace(NIC1, NIC1.replace("leaf02", "leaf01"))
    (found,) = (f for f in judged(tmp_path, text)[0] if f.rule == "link-one-end")
    assert found.message == (
        "two links end at each of leaf01:Ethernet[0-252/4]: one leads to gpu[01-64]:nic0, the other to gpu[01-64]:nic1"
    )
    assert (found.line, found.related) == (54, ((53, "the link to gpu[01-64]:nic0"),))


def test_a_link_line_with_the_wrong_hosts_is_one_finding(tmp_path: Path) -> None:
    text = WIDE.replace(NIC1, NIC1.replace("gpu[", "gqu["))
    (found,) = (f for f in judged(tmp_path, text)[0] if f.severity == "error")
    assert (found.rule, found.line, found.text) == ("schema-ref", 54, '"gqu[01-64]:nic1"')
    assert found.message == "gqu[01-64] are neither in devices nor in hosts"
    assert found.help == "did you mean gpu01 for gqu01, and so on?"


def test_the_same_mistake_row_by_row_is_one_finding_that_lists_the_rows(tmp_path: Path) -> None:
    rows = "".join(f"gpu{n:02},nic1,leaf01,Ethernet{4 * n - 4}\n" for n in range(1, 65))
    write(tmp_path, {"fabric.yaml": WIDE.replace(NIC1, "cables.csv"), "cables.csv": rows})
    (found,) = (f for f in report(tmp_path)["findings"] if f["name"] == "link-one-end")
    assert (found["path"], found["line"]) == ("cables.csv", 1)
    assert [f["line"] for f in found["folded"]] == [*range(2, 65)]
    assert found["folded"][0]["message"] == (
        "two links end at leaf01:Ethernet4: one leads to gpu02:nic0, the other to gpu02:nic1"
    )
    assert found["related"][-1]["message"].endswith("the other to gpu04:nic1, and at 60 more places")


def test_hosts_that_are_not_listed_are_one_finding(tmp_path: Path) -> None:
    text = FABRIC.replace("  gpu[01-32]:\n    nic:", "  gpu[01-16]:\n    nic:")
    (found,) = judged(tmp_path, text)[0]
    assert (found.rule, found.line) == ("schema-ref", 53)
    assert found.message == "gpu[17-32] are neither in devices nor in hosts"
    assert found.help == "name them under devices or hosts"  # none of them is a slip of another


FOREIGN = "a_device,a_port,b_device,b_port,cable\n" + "".join(
    f"srv{n:04},eth0,tor{n % 40:02},swp{n},3m\n" for n in range(1000)
)


def test_a_cable_file_of_another_fabric_is_one_finding_where_it_is_named(tmp_path: Path) -> None:
    listed, _, hosts = FABRIC.partition("hosts:\n")
    for intent in (f"{listed}  - x.csv\nhosts:\n{hosts}", f"{listed}  - x.csv\n"):
        (found,) = judged(tmp_path, intent, {"x.csv": FOREIGN})[0]
        assert (found.severity, found.rule, found.path, found.text) == ("error", "schema-ref", "fabric.yaml", "x.csv")
        assert found.message == (
            "x.csv names no device or host of this fabric: its 1000 links join srv[0000-0999],tor[00-39]"
        )


def test_a_cable_file_with_one_name_that_is_known_is_no_foreign_one(tmp_path: Path) -> None:
    listed, _, hosts = FABRIC.partition("hosts:\n")
    known = FOREIGN.replace("srv0007,eth0", "leaf01,Ethernet384")
    write(tmp_path, {"fabric.yaml": f"{listed}  - x.csv\nhosts:\n{hosts}", "x.csv": known})
    (found,) = (f for f in report(tmp_path)["findings"] if f["name"] == "schema-ref")
    assert (found["path"], found["line"], len(found["folded"])) == ("x.csv", 2, 999)
    write(tmp_path, {"fabric.yaml": f"{listed}  - x.csv\n"})  # hosts are not listed: any name may be one
    assert "schema-ref" not in {f["name"] for f in report(tmp_path, expect=0)["findings"]}


# -- causes, and what follows from them --------------------------------------------------------------------------------

EIGHT = "classes:\n" + "".join(
    f"  c{n}: {{carries: [{carried}], dscp: {8 * n}-{8 * n + 7}, priority: {n}, lossless: true, bandwidth: {share}}}\n"
    for n, (carried, share) in enumerate(
        [
            ("default", 20),
            ("storage", 20),
            ("telemetry", 10),
            ("rdma", 40),
            ("kubernetes", 5),
            ("video", 5),
            ("cnp", "strict"),
            ("control", "strict"),
        ]
    )
)
SWITCHES = (
    "pfc:"
    + POLICY.partition("pfc:")[2]
    + 'defaults: {vendor: sonic, platform: arista-7060x6-64pe, version: "202505"}\n'
    'devices: {"leaf[1-4]": {ports: {"Ethernet[0-248/8]": {speed: 400G, faces: host, cable: 3m}}}}\n'
)


def test_pfc_on_eight_priorities_is_one_finding_a_switch(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.partition("classes:")[0] + EIGHT + SWITCHES})
    rocecfg(tmp_path, "render", "--vendor", "sonic", "-o", "out", "--no-lint", expect=0)
    whole = report(tmp_path, "out")
    assert names(whole) == [("error", "pfc-all")] * 4
    (first, *_) = whole["findings"]
    assert first["device"] == "leaf1"
    follow = folded(first)
    assert follow["ecn-missing"] == 8
    assert whole["summary"]["folded"] == 4 * follow.total() >= 40
    text = rocecfg(tmp_path, "lint", "--no-config", "out", expect=1).stdout
    assert text.count("pfc-all") == 1
    assert "= 40 findings follow from it, in --format json: ecn-missing (32), ets-rdma-strict (8)\n" in text


def test_what_eight_lossless_classes_do_not_explain_stays(tmp_path: Path) -> None:
    text = POLICY.partition("classes:")[0] + EIGHT + SWITCHES
    run = judged(tmp_path, text)[1]
    assert {f.rule.name for f in run.causes if f.severity == "error"} == {"pfc-all", "ecn-missing"}  # RDMA has no curve
    own = text.replace("cable: 3m}}", "cable: 3m, flowcontrol: on}, Ethernet256: {speed: 400G, classes: [c0, c1]}}")
    kept = {f.rule.name: {one.rule.name for one in f.folded} for f in judged(tmp_path, own)[1].causes}
    assert "pfc-global-pause" in kept
    assert "pfc-rdma-only" in kept["pfc-all"]  # of the one port with two: it stands at a class that makes up the eight


OFF = FABRIC.replace("      rdma: {ecn: {kmin: 1MB, kmax: 2400KB, pmax: 5%}}", "      rdma: off")


def test_a_class_that_a_tier_takes_off_is_told_of_where_it_does(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": OFF})
    (found,) = (f for f in report(tmp_path)["findings"] if f["name"] != "nos-erratum")
    line = OFF.splitlines().index("      rdma: off") + 1
    assert (found["name"], found["line"]) == ("link-pfc", line)
    assert [(f["name"], f["line"]) for f in found["folded"]] == [("path-map", line)]


def test_shares_that_a_class_leaves_when_it_is_taken_off_are_no_mistake(tmp_path: Path) -> None:
    def sums(text: str) -> list[tuple[int, str]]:
        return [(f.line, f.message.partition(":")[0]) for f in judged(tmp_path, text)[0] if f.rule == "ets-sum"]

    assert sums(OFF) == []  # 20 % and 20 % of the 40 % that are left
    stated = OFF.replace("      rdma: off", "      rdma: off\n      storage: {bandwidth: 50}")
    (line,) = (n for n, text in enumerate(stated.splitlines(), 1) if "storage: {bandwidth" in text)
    assert sums(stated) == [(line, "shares sum to 70%, not 100%")]
    assert sums(stated.replace("bandwidth: 50}", "bandwidth: 80}")) == []


# -- reach and place ---------------------------------------------------------------------------------------------------


def reaches(folder: Path, text: str, rule: str) -> list[tuple[str | None, str | None, int, int]]:
    """Devices, ports, how many ports and the line of what a rule finds."""
    write(folder, {"fabric.yaml": text})
    found = json.loads(rocecfg(folder, "lint", "--no-config", "--format", "json").stdout)["findings"]
    return [(f["device"], f["port"], f["ports"], f["line"]) for f in found if f["name"] == rule]


def test_a_curve_by_speed_reaches_the_ports_of_that_speed(tmp_path: Path) -> None:
    line = FABRIC.splitlines().index("        800G: {kmin: 900KB, kmax: 2500KB, pmax: 5%}") + 1
    wrong = FABRIC.replace("800G: {kmin: 900KB", "800G: {kmin: 2900KB")
    assert reaches(tmp_path, wrong, "ecn-order") == [("leaf[01-02]", "Ethernet[256-376/8]", 32, line)]
    usual = FABRIC.replace("kmin: 700KB", "kmin: 2700KB")
    assert reaches(tmp_path, usual, "ecn-order") == [("leaf[01-02]", "Ethernet[0-248/8]", 64, line - 4)]


def test_a_bound_that_only_the_ports_of_one_speed_break_reaches_these(tmp_path: Path) -> None:
    whole = "".join(
        f"{line}\n" for line in FABRIC.splitlines() if "by_speed:" not in line and "800G: {kmin" not in line
    )
    low = whole.replace("workload: ai-training", "workload: ai-training, rtt: 20us".replace(", rtt", "\n  rtt"))
    found = reaches(tmp_path, low.replace("kmin: 700KB", "kmin: 200KB"), "ecn-low")
    assert [(device, port, ports) for device, port, ports, _ in found] == [("leaf[01-02]", "Ethernet[256-376/8]", 32)]


ONE_PORT = '      "Ethernet[384]":       {speed: 400G, faces: host, cable: 3m, classes: {rdma: {CHANGED}}}'


def test_what_one_port_changes_of_a_class_reaches_that_port(tmp_path: Path) -> None:
    for changed, rule in (
        ("ecn: {kmin: 2MB, kmax: 1MB, pmax: 5%}", "ecn-order"),
        ("ecn: {kmin: 1MB, kmax: 2MB, pmax: 5%, weight: 3}", "ecn-weight"),
        ("ecn: off", "ecn-missing"),
    ):
        line = next(n for n, row in enumerate(FABRIC.splitlines()) if "Ethernet[384]" in row)
        rows = FABRIC.splitlines()
        rows[line] = ONE_PORT.replace("CHANGED", changed)
        text = "\n".join(rows) + "\n"
        assert reaches(tmp_path, text, rule) == [("leaf[01-02]", "Ethernet384", 2, line + 1)], rule


def test_a_curve_of_all_ports_names_none(tmp_path: Path) -> None:
    text = POLICY.replace("kmin: 400KB", "kmin: 4MB")
    text += 'devices: {"leaf[1-2]": {ports: {"Ethernet[0-31]": {speed: 400G, faces: host}}}}\n'
    assert reaches(tmp_path, text, "ecn-order") == [("leaf[1-2]", None, 64, 5)]


def test_a_poll_interval_that_does_not_fit_is_told_of_where_it_is_set(tmp_path: Path) -> None:
    changed = FABRIC.replace("    role: leaf\n", "    role: leaf\n    pfc: {watchdog: {poll_interval: 80ms}}\n")
    (found,) = (f for f in judged(tmp_path, changed)[0] if f.rule == "watchdog-multiple")
    assert (found.text, found.message.partition(":")[0]) == (
        "80ms",
        "detection_time 200ms is not a multiple of poll_interval 80ms",
    )
    assert [line for line, _ in found.related] == [27, 27]
    whole = FABRIC.replace("poll_interval: 100ms", "poll_interval: 150ms")
    write(tmp_path, {"fabric.yaml": whole})
    (found_,) = (f for f in report(tmp_path, expect=0)["findings"] if f["name"] == "watchdog-multiple")
    assert (found_["line"], found_["device"]) == (27, "leaf[01-02],spine[01-02]")  # one line sets it for both tiers
    slow = FABRIC.replace("detection_time: 400ms", "detection_time: 450ms")
    (found,) = (f for f in judged(tmp_path, slow)[0] if f.rule == "watchdog-multiple")
    assert found.text == "450ms"


SONIC = {
    "DEVICE_METADATA": {"localhost": {"hostname": "tor7"}},
    "SCHEDULER": {f"s{n}": {"type": "DWRR", "weight": "5", "colour": "red"} for n in range(5)},
    "QUEUE": {"Ethernet0|3": {"scheduler": "gone"}},
}


def test_what_reading_finds_names_the_switch_and_all_its_lines(tmp_path: Path) -> None:
    write(tmp_path, {"config_db.json": json.dumps(SONIC, indent=1)})
    found = {f["name"]: f for f in report(tmp_path, expect=0)["findings"] if f["rule"].startswith("DEV7")}
    assert {f["device"] for f in found.values()} == {"tor7"}
    lines = (tmp_path / "config_db.json").read_text().splitlines()
    rows = [n for n, line in enumerate(lines, 1) if '"colour"' in line]
    unknown = found["device-unknown"]
    assert [unknown["line"], *(f["line"] for f in unknown["folded"])] == rows
    unbound = found["device-unbound"]
    assert [unbound["line"], *(f["line"] for f in unbound["folded"])] == [n - 3 for n in rows]


def test_lines_of_eos_that_are_not_judged_are_all_listed(tmp_path: Path) -> None:
    ports = "".join(f"interface Ethernet{n}/1\n   shape rate 1000000\n" for n in range(1, 6))
    write(tmp_path, {"sw1.cfg": f"hostname sw1\n!\n{ports}"})
    (found,) = (f for f in report(tmp_path, expect=0)["findings"] if f["name"] == "device-unread")
    assert (found["device"], found["line"]) == ("sw1", 4)
    assert [f["line"] for f in found["folded"]] == [6, 8, 10, 12]


# -- the same mistake in many files ------------------------------------------------------------------------------------

RACKS = POLICY.replace("classes:", "include: [racks/*.yaml]\nclasses:", 1) + "defaults: {vendor: sonic, cable: 5m}\n"
RACK = "devices:\n  NAME:\n    pfc: {watchdog: off}\n    ports:\n      Ethernet[0-7]: {speed: 400G, faces: host}\n"


def racks(folder: Path) -> None:
    """A fabric whose 24 leaves have a file each, all with the same line."""
    leaves = [f"p{pod:02}-leaf{leaf}" for pod in range(1, 4) for leaf in range(1, 9)]
    files = {f"racks/{name}.yaml": RACK.replace("NAME", name) for name in leaves}
    write(folder, {"fabric.yaml": RACKS, **files})


def test_the_same_in_many_files_is_one_finding_for_people(tmp_path: Path) -> None:
    racks(tmp_path)
    shown = rocecfg(tmp_path, "lint", "--no-config", expect=1).stdout
    assert shown.count("watchdog-missing") == 1
    assert " --> racks/p01-leaf1.yaml:3:21" in shown
    assert "reaches p[01-03]-leaf[1-8] Ethernet[0-7] (24 devices, 192 ports)" in shown
    assert "racks/p01-leaf2.yaml:3:21: the same here" in shown
    assert "the same here, and at 20 more places" in shown
    assert shown.splitlines()[-1].startswith("1 error in 1 fabric, 25 files")
    short = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", expect=1).stdout
    (line,) = (line for line in short.splitlines() if "watchdog-missing" in line)
    assert line.startswith("racks/p01-leaf1.yaml:3:21: error WDG201 watchdog-missing: ")
    assert line.endswith("[p[01-03]-leaf[1-8] Ethernet[0-7] (24 devices, 192 ports); at 23 more places]")
    counts = rocecfg(tmp_path, "lint", "--no-config", "--statistics", expect=1).stdout
    assert counts.splitlines()[0].split() == ["1", "error", "WDG201", "watchdog-missing"]


def test_machines_are_told_of_each_file(tmp_path: Path) -> None:
    racks(tmp_path)
    whole = report(tmp_path)
    found = [f for f in whole["findings"] if f["name"] == "watchdog-missing"]
    assert len({f["path"] for f in found}) == len(found) == whole["summary"]["errors"] == 24
    assert whole["summary"]["folded"] == 0
    for form, mark in (("sarif", '"ruleId": "WDG201"'), ("github", "::error "), ("rdjson", '"value": "WDG201')):
        done = rocecfg(tmp_path, "lint", "--no-config", "--format", form, expect=1)
        assert done.stdout.count(mark) == 24, form


def test_what_differs_in_its_words_stays_apart(tmp_path: Path) -> None:
    racks(tmp_path)
    path = tmp_path / "racks/p02-leaf3.yaml"
    path.write_text(path.read_text().replace("watchdog: off", "watchdog: {detection_time: 50ms}"))
    shown = rocecfg(tmp_path, "lint", "--no-config", expect=1).stdout
    assert shown.count("watchdog-missing") == 1
    assert "(23 devices, 184 ports)" in shown
    assert " --> racks/p02-leaf3.yaml:3:" in shown


# -- slips of the hand -------------------------------------------------------------------------------------------------


@loop(
    ("old", "new", "rule"),
    [
        ("  leaf[01-02]:\n", "  leaf01-02:\n", "schema-nodeset"),
        ("  spine[01-02]:\n", "  spine01-02:\n", "schema-nodeset"),
        ("  gpu[01-32]:\n", "  gpu01-32:\n", "schema-nodeset"),
        ('"Ethernet[0-248/8]":', '"Ethernet0-248/8":', "schema-nodeset"),
        ('"leaf01:Ethernet[0-248/8]"', '"leaf01:Ethernet0-248/8"', "schema-nodeset"),
        ("priority: 3\n", "priority: TC3\n", "schema-type"),
        ("priority: 3\n", "priority: 8\n", "schema-priority-range"),
        ("priority: 6,", "priority: six,", "schema-type"),
        ("dscp: [26]", "dscp: [104]", "schema-dscp-range"),
        ("bandwidth: 60\n", "bandwidth: sixty\n", "schema-type"),
        ("lossless: true", "losless: true", "schema-unknown-key"),
        ("kmax: 2300KB\n", "kmx: 2300KB\n", "schema-unknown-key"),
        ("poll_interval: 100ms", "poll_interval: 100", "schema-unit"),
        ("trust: dscp", "trust: dcsp", "schema-value"),
        ('b: "spine01:Ethernet[1-8]/1"', 'b: "spine1:Ethernet[1-8]/1"', "schema-ref"),
        ('b: "spine02:Ethernet[1-8]/1"', 'b: "spine01:Ethernet[1-8]/1"', "link-one-end"),
        ('"leaf02:Ethernet[320-376/8]"', '"leaf01:Ethernet[320-376/8]"', "link-one-end"),
        ('"leaf01:Ethernet[320-376/8]"', '"leaf01:Ethernet[256-312/8]"', "link-one-end"),
    ],
)
def test_one_slip_is_one_finding_at_its_line(old: str, new: str, rule: str, tmp_path: Path) -> None:
    text = FABRIC.replace(old, new, 1)
    run = judged(tmp_path, text)[1]
    (one,) = [f for f in run.causes if f.severity != "info"]
    assert (one.rule.name, one.severity) == (rule, "error")
    assert one.at is not None
    assert text[: one.at.start].count("\n") == FABRIC[: FABRIC.index(old)].count("\n")


@loop(
    ("keys", "told"),
    [
        (["leaf01-02"], ["leaf[01-02]"]),
        (["leaf1-8"], ["leaf[1-8]"]),
        (["leaf01-02", "leaf03-04"], ["leaf[01-02]", "leaf[03-04]"]),
        (["leaf1-1", "leaf1-2"], []),  # a scheme of names: rack and place
        (["leaf1-2", "leaf1-3"], []),
        (["leaf2-1"], []),
        (["leaf-1-2", "rack1-leaf"], []),
    ],
)
def test_a_range_without_brackets_is_told_and_a_scheme_of_names_is_not(
    keys: list[str], told: list[str], tmp_path: Path
) -> None:
    devices = "".join(f"  {key}: {{role: leaf, ports: {{Ethernet0: {{speed: 400G}}}}}}\n" for key in keys)
    found = [
        f for f in judged(tmp_path, POLICY + f"devices:\n{devices}")[1].findings if f.rule.name == "schema-nodeset"
    ]
    assert [(f.severity, f.help) for f in found] == [("warning", f"write {meant}") for meant in told]


def test_a_name_that_links_lead_to_is_meant(tmp_path: Path) -> None:
    text = (
        FABRIC.replace("  leaf[01-02]:\n", "  leaf01-02:\n")
        .replace("leaf01:", "leaf01-02:")
        .replace("leaf02:", "gpu99:")
    )
    assert "schema-nodeset" not in [f.rule.name for f in judged(tmp_path, text)[1].findings]


def test_a_line_that_pairs_device_by_device_is_one_finding(tmp_path: Path) -> None:
    paired = '  - {a: "leaf[01-02]:Ethernet[256-312/8]", b: "spine[01-02]:Ethernet[1-8]/1"}\n'
    hosts = '  - {a: "gpu[01-32]:nic0", b: "leaf[01-02]:Ethernet[0-120/8]"}\n'
    before, rest = FABRIC.split("links:\n")
    run = judged(tmp_path, f"{before}links:\n{paired}{hosts}hosts:\n{rest.partition('hosts:')[2]}")[1]
    (one,) = [f for f in run.causes if f.rule.name.startswith("topology-") and f.severity != "info"]
    assert one.rule.name == "topology-disconnected"
    assert "pairs device by device" in str(one.related)
    assert one.help == "write a line for each pair of switches, with ports of its own"
