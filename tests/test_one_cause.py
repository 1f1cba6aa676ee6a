"""One cause is one finding, whatever shows it: text, JSON, SARIF; what it stands for besides is listed, and counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from intents import FABRIC, POLICY, judged, rocecfg, write

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
    (line,) = (line for line in text.concise(run).splitlines() if "watchdog-missing" in line)
    assert line.endswith("[leaf1 (1 device, 45 ports); at 44 more places]")
    assert text.full(run).count("] watchdog-missing: ") == 1
    assert text.statistics(run).splitlines()[0].split() == ["1", "error", "WDG201", "watchdog-missing"]
    (result,) = (r for r in json.loads(sarif.render(run))["runs"][0]["results"] if r["ruleId"] == "WDG201")
    assert result["properties"]["folded"] == 44
    assert len(result["relatedLocations"]) == 3
    assert github.render(run).count("::error ") == 1


def test_what_is_waived_or_known_or_fixed_is_so_place_by_place(tmp_path: Path) -> None:
    text = FABRIC.replace(
        "speed: 800G, faces: switch, cable: 30m}", "speed: 800G, faces: switch, fec: none, cable: 30m}"
    )
    write(
        tmp_path,
        {
            "fabric.yaml": text.replace("pmax: 5%}}", "pmax: 5%, weight: 2}}").replace(
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
    assert "= 10 findings follow from it, in --format json: ecn-missing (8), ets-rdma-strict (2)\n" in text


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
    (found,) = report(tmp_path)["findings"]
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
