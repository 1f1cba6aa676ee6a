"""Each rule's page is its test.

Intents under "Fires" give exactly the findings named in their comments; in configurations of switches the page's rule
finds something under "Fires" and nothing under "Silent" and "Near miss", whatever else others find there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from page_cases import INTENT, Block, blocks, expected, findings, found_on_switch

from rocecfg.rules import ALL, Rule

PAGES = Path(__file__).parent.parent / "rocecfg" / "rules" / "pages"

CASES = [
    pytest.param(rule, block, id=f"{rule.name}-{block.section.replace(' ', '-')}-{block.number}-{block.kind}")
    for rule in ALL
    if (PAGES / f"{rule.name}.md").is_file()
    for block in blocks((PAGES / f"{rule.name}.md").read_text(encoding="utf-8"))
    if block.section in ("fires", "silent", "near miss")
]


@pytest.mark.parametrize(("rule", "block"), CASES)
def test_block(rule: Rule, block: Block, tmp_path: Path) -> None:
    if block.kind != INTENT:
        assert (rule.name in found_on_switch(block.kind, block.text)) == (block.section == "fires")
        return
    want = expected(block.text)
    assert (rule.name in {w[3] for w in want}) == (block.section == "fires"), (
        "a block under Fires names its rule, no other does"
    )
    assert findings(block.text, tmp_path) == want


@pytest.mark.parametrize("rule", ALL, ids=lambda r: r.name)
def test_every_rule_has_a_page_with_all_parts(rule: Rule) -> None:
    text = (PAGES / f"{rule.name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {rule.name} ({rule.code})\n")
    for heading in ("## Why", "## Fires", "## Silent", "## Near miss", "## Fix", "## Source"):
        assert f"\n{heading}\n" in text, heading
    sections = {b.section for b in blocks(text)}
    # shown as text: they are about files, not one block
    if rule.name not in ("schema-syntax", "hygiene-absent", "hygiene-baseline", "ops-drift"):
        assert {"fires", "silent", "near miss"} <= sections


def test_no_page_without_a_rule() -> None:
    assert {p.stem for p in PAGES.glob("*.md")} <= {r.name for r in ALL}


def test_codes_and_names_are_unique() -> None:
    assert len({r.code for r in ALL}) == len(ALL) == len({r.name for r in ALL})
