"""The page of `rocecfg report`: whole, self-contained, the same bytes each time, and safe whatever names say."""

from __future__ import annotations

import copy
import json
import re
import tempfile
from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import Element, page, page_of, parsed
from hypothesis import given, settings
from hypothesis import strategies as st
from intents import FABRIC, POLICY, rocecfg, write
from slipped_intents import BOXES, SLIPS, slipped, sound

from rocecfg import facts_day

EXAMPLES = ("train-256", "rail-1024", "converged", "policy", "auto", "train-256-as-published")
WRONG = FABRIC.replace("kmin: 700KB", "kmin: 7KB").replace("action: drop}", "action: alert}", 1)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module", params=EXAMPLES)
def example(request: pytest.FixtureRequest) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT / "examples")
        return page_of(str(request.param))


def test_examples_give_well_formed_pages(example: str) -> None:
    assert example.startswith("<!DOCTYPE html>\n<html lang=")
    whole = parsed(example)
    assert [e.tag for e in whole.children] == ["html"]
    ids = [e.attributes["id"] for e in whole.all() if "id" in e.attributes]
    assert len(set(ids)) == len(ids)
    links = [e.attributes["href"] for e in whole.all("a")]
    assert links
    assert {f"#{i}" for i in ids} >= set(links)


def test_a_page_asks_nothing_of_a_network(example: str) -> None:
    assert "default-src 'none'" in example
    for element in parsed(example).all():
        assert element.tag not in ("link", "img", "iframe", "object", "embed", "base", "use", "image"), element.tag
        assert "src" not in element.attributes
        assert (element.attributes.get("href") or "#").startswith("#")
        assert not any(name.startswith("on") for name in element.attributes)
    styles = "".join(e.text for e in parsed(example).all("style"))
    assert not re.search(r"@import|url\(", styles)


def test_a_page_is_for_light_dark_and_paper(example: str) -> None:
    (style,) = (e.text for e in parsed(example).all("style"))
    assert "prefers-color-scheme: dark" in style
    paper = style.partition("@media print")[2]
    assert re.search(r"h2, h3[^}]*break-after: avoid", paper), "no heading stands at the end of a page"
    used = set(re.findall(r"var\((--[a-z0-9]+)\)", style))
    blocks = re.findall(r":root \{([^}]*)\}", style)
    assert len(blocks) == 3  # light, dark, and light again on paper
    for block in blocks:
        assert used <= set(re.findall(r"(--[a-z0-9]+):", block))


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    out = set()
    for name, seed in (("a", "1"), ("b/c", "2")):
        write(tmp_path / name, {"fabric.yaml": WRONG})
        out.add(rocecfg(tmp_path / name, "report", "fabric.yaml", "-o", "-", expect=0, PYTHONHASHSEED=seed).stdout)
    (text,) = out
    assert str(tmp_path) not in text
    assert set(re.findall(r"20\d\d-\d\d-\d\d", text)) == {facts_day}


# -- findings ----------------------------------------------------------------------------------------------------------


def test_findings_stand_by_severity_with_line_help_and_reach(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": WRONG})
    rules = list(whole.all("details", "rule"))
    levels = [rule.attributes["data-severity"] for rule in rules]
    assert levels == sorted(levels, key=["error", "warning", "info"].index)
    lines = WRONG.splitlines()
    shown = 0
    for rule in rules:
        for finding in rule.all("li", "finding"):
            place = next(finding.all("span", "place")).text
            path, line, column = place.split(":")
            assert path == "fabric.yaml"
            for excerpt in finding.all("pre"):
                marked = excerpt.one("mark").text
                assert lines[int(line) - 1][int(column) - 1 :].startswith(marked)
                shown += 1
    assert shown >= 2
    low = next(r for r in rules if "ecn-low" in r.text)
    assert [e.one("mark").text for e in low.all("pre")] == ["7KB"]
    assert re.search(r"help kmin: \d+KB or more", low.text)
    assert "reaches leaf[01-02] Ethernet[0-248/8] (2 devices, 64 ports)" in low.text


def test_totals_are_those_of_lint(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": WRONG})
    done = rocecfg(tmp_path, "lint", "fabric.yaml", "--format", "json")
    summary = json.loads(done.stdout)["summary"]
    reported = whole.one("p", "totals").text
    for count, word in ((summary["errors"], "error"), (summary["warnings"], "warning"), (summary["infos"], "info")):
        assert re.search(rf"\b{count} {word}{'' if count == 1 else 's'}\b", reported)
    listed = sum(1 for _ in whole.all("li", "finding"))
    assert listed == summary["errors"] + summary["warnings"] + summary["infos"]


def test_very_many_findings_of_a_rule_are_cut_and_said(tmp_path: Path) -> None:
    keys = "\n".join(f"  unknown{n}: 1" for n in range(250))
    whole = page(tmp_path, {"fabric.yaml": POLICY.replace("fabric: {name: lab}", f"fabric:\n  name: lab\n{keys}")})
    (rule,) = (r for r in whole.all("details", "rule") if "schema-unknown-key" in r.text)
    assert sum(1 for _ in rule.all("li", "finding")) == 200
    assert "50 more are not shown" in rule.one("li", "more").text
    assert rule.one("span", "number").text == "250"


def test_what_cannot_be_read_is_told_beside_the_rest(tmp_path: Path) -> None:
    write(tmp_path, {"bad.yaml": "rocecfg: [\n"})
    whole = page(tmp_path, {"fabric.yaml": POLICY}, "fabric.yaml", "bad.yaml")
    assert "bad.yaml:2:1: not YAML" in whole.one("p", "notice").text
    assert [h.text.split()[0] for h in whole.all("h2")] == ["Findings", "lab"]


# -- what is shown -----------------------------------------------------------------------------------------------------


def test_a_policy_has_no_drawing_but_its_classes(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": POLICY})
    assert not list(whole.all("svg", "fabric"))
    assert "nothing to draw" in whole.text
    assert len(list(whole.all("table", "dscp"))) == 1
    assert "no switch is named" in whole.text


def test_several_fabrics_are_sections_of_one_page(tmp_path: Path) -> None:
    files = {f"{name}/fabric.yaml": POLICY.replace("name: lab", f"name: {name}") for name in ("east", "west")}
    whole = page(tmp_path, files, ".")
    assert whole.one("h1").text == "east, west"
    assert [s.attributes["id"] for s in whole.all("section")] == ["findings", "fabric-1", "fabric-2"]


def test_configurations_of_switches_make_a_page(tmp_path: Path) -> None:
    write(tmp_path, {"in/fabric.yaml": FABRIC})
    rocecfg(tmp_path, "render", "in", "--vendor", "sonic", "-o", "run", "--no-lint", expect=0)
    whole = parsed(page_of("run"))
    assert "the switches' own configurations" in whole.text
    assert {e.one("title").text.partition(":")[0] for e in whole.one("svg", "fabric").all("g", "box")} == {
        "leaf01",
        "leaf02",
    }
    text = whole.text
    assert "kmin" in text
    assert "700KB" in text


def facts(whole: Element) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in next(whole.all("table", "facts")).rows()}


def test_facts_say_where_they_come_from(tmp_path: Path) -> None:
    got = facts(page(tmp_path, {"fabric.yaml": FABRIC.partition("links:")[0]}))
    assert got["size"][0] == "4 switches, 130 ports"  # 2 x (32 + 16 + 1) + 2 x 16
    assert got["kind"] == ["backend", "fabric.yaml:5"]
    assert got["mode"] == ["lossless", "default: lossless unless stated"]


# -- what a user writes is text ----------------------------------------------------------------------------------------

EVIL = '</script><script>alert(1)</script><img src=x onerror=alert(2)>\\" onload=\\"x'


def test_markup_in_an_intent_stays_text(tmp_path: Path) -> None:
    text = (
        FABRIC.replace("name: train-64", f'name: "{EVIL}"')
        .replace("description: two leaves", f"{json.dumps(EVIL)}: 1\n  description: two leaves")
        .replace("role: leaf", f'role: "{EVIL}"')
        .replace("[storage, default, control]", f'[storage, default, control, "{EVIL}"]')
        + f"# {EVIL}\n"
    ).replace(
        "classes:\n  rdma:", f'classes:\n  "{EVIL}": {{carries: [x], dscp: 30, priority: 1, bandwidth: 0}}\n  rdma:', 1
    )
    whole = page(tmp_path, {"fabric.yaml": text})
    assert "<script>alert(1)</script>" in whole.one("section", id_="findings").text
    scripts = list(whole.all("script"))
    assert len(scripts) == 1
    assert "alert" not in scripts[0].text
    assert not list(whole.all("img"))
    assert not [e for e in whole.all() if any(a.startswith("on") for a in e.attributes)]


def test_characters_that_steer_are_blanks(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("name: lab", 'name: "a\\u202eb\\x1bc", peak: 1')})
    text = page_of("fabric.yaml")
    assert not any(ord(c) < 32 and c not in "\n\t" for c in text)
    assert "\u202e" not in text


PLAIN = "Zk81QpL0vN3aRtQ7jYc2"


@pytest.mark.parametrize(
    "text",
    [
        POLICY.replace("name: lab", f"name: 'password={PLAIN}'"),
        POLICY.replace("name: lab", f"name: lab, description: 'api key: {PLAIN}', peak: 1"),
        POLICY.replace("lossless: true", f"lossless: true, carried: 'token={PLAIN}'"),
        POLICY + f"# password={PLAIN}\n",
    ],
)
def test_secrets_of_an_intent_are_not_repeated(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": text})
    assert PLAIN in text
    assert PLAIN not in page_of("fabric.yaml")


def test_secrets_of_switches_are_not_repeated(tmp_path: Path) -> None:
    digest = "$6$rounds=5000$Zx81kQpL0vNm3aRt$Qq7PjYc2sWm8eLd5fGh1JkZ9xVb3NrTu6IoAy0XcE4"
    write(tmp_path, {"in/fabric.yaml": FABRIC})
    rocecfg(tmp_path, "render", "in", "--vendor", "all", "-o", "run", "--no-lint", expect=0)
    for path in (tmp_path / "run").glob("*.cfg"):
        path.write_text(f"username admin secret sha512 {digest}\n" + path.read_text())
    tables = json.loads((tmp_path / "run" / "leaf01.json").read_text())
    tables["TACPLUS"] = {"global": {"passkey": PLAIN}}
    tables["PFC_WD"] = {"Ethernet0": {"action": f"password={PLAIN}"}}
    (tmp_path / "run" / "leaf01.json").write_text(json.dumps(tables))  # one line: it is the line of every finding
    text = page_of("run")
    assert "leaf01" in text
    assert PLAIN not in text
    assert digest[:20] not in text


# -- whatever is wrong with an intent ----------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_slips_make_no_broken_page(data: st.DataObject) -> None:
    others = {vendor: sound(box) for box, (vendor, *_) in BOXES.items()}
    slip = data.draw(st.sampled_from(SLIPS))
    text = data.draw(slipped(slip, lambda vendor: st.just(others[vendor]).map(copy.deepcopy))).text
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fabric.yaml"
        file.write_text(text, encoding="utf-8")
        whole = parsed(page_of(str(file)))
    assert whole.one("section", id_="findings")
