"""Each mistake of that page is found by the rule that it names, and what is nearest to it is silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_cases import Block, blocks, found_on_switch

PAGE = Path(__file__).parent / "corpora" / "published_junos.md"
TABLE = Path(__file__).parent.parent / "docs" / "published.md"


def cases() -> Iterator[tuple[str, list[Block]]]:
    """The rule that a section names, and its blocks."""
    text = PAGE.read_text(encoding="utf-8")
    named = {
        part.partition("\n")[0].strip().lower(): re.findall(r"^It finds `([a-z0-9-]+)`\.$", part, re.MULTILINE)
        for part in text.split("\n## ")[1:]
    }
    by_title: dict[str, list[Block]] = {}
    for block in blocks(text):
        by_title.setdefault(block.section, []).append(block)
    for title, found in by_title.items():
        (rule,) = named[title]
        yield rule, found


CASES = [pytest.param(rule, *found, id=rule) for rule, found in cases()]


@pytest.mark.parametrize(("rule", "bad", "near"), CASES)
def test_a_mistake_is_found_and_its_near_miss_is_silent(rule: str, bad: Block, near: Block) -> None:
    assert rule in found_on_switch(bad.kind, bad.text)
    assert rule not in found_on_switch(near.kind, near.text)


def test_there_are_as_many_as_were_reviewed() -> None:
    assert len(CASES) == 8
    told = TABLE.read_text(encoding="utf-8").partition("\n## Junos")[2]
    assert sorted(re.findall(r"\(`([a-z0-9-]+)`", told)) == sorted(rule for rule, _ in cases())
