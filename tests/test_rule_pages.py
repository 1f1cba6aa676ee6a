"""Each rule's page is its test.

Intents under "Fires" give exactly the findings named in their comments; in configurations of switches the page's rule
finds something under "Fires" and nothing under "Silent" and "Near miss", whatever else others find there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from loops import loop
from page_cases import INTENT, PAGES, Block, blocks, expected, findings, found_on_switch

from rocecfg.rules import ALL, Rule

SECTIONS = {"fires", "silent", "near miss"}

ABOUT_FILES = (
    "schema-syntax",
    "hygiene-absent",
    "hygiene-baseline",
    "ops-drift",
    "nic-queue",
    "nic-unread",
)  # shown as text, not as one block
HEADINGS = ("## Why", "## Fires", "## Silent", "## Near miss", "## Fix", "## Source")


@loop("rule", ALL, lambda rule: rule.name)
def test_page(rule: Rule, tmp_path: Path) -> None:
    text = (PAGES / f"{rule.name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {rule.name} ({rule.code})\n")
    assert [heading for heading in HEADINGS if f"\n{heading}\n" not in text] == []
    found = [block for block in blocks(text) if block.section in SECTIONS]
    assert {block.section for block in found} == SECTIONS or rule.name in ABOUT_FILES
    wrong = [(block, why) for block in found for why in mistakes(rule, block, tmp_path)]
    assert wrong == []


def mistakes(rule: Rule, block: Block, folder: Path) -> Iterator[str]:
    """What a block shows otherwise than its heading and comments say."""
    fires = block.section == "fires"
    if block.kind != INTENT:
        if (rule.name in found_on_switch(block.kind, block.text)) != fires:
            yield f"{rule.name} found: {not fires}"
        return
    want = expected(block.text)
    if (rule.name in {w[3] for w in want}) != fires:
        yield "a block under Fires names its rule, no other does"
    if (found := findings(block.text, folder)) != want:
        yield f"found {found}, the comments say {want}"


def test_no_page_without_a_rule() -> None:
    assert {p.stem for p in PAGES.glob("*.md")} <= {r.name for r in ALL}


def test_codes_and_names_are_unique() -> None:
    assert len({r.code for r in ALL}) == len(ALL) == len({r.name for r in ALL})
