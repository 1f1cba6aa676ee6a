"""Each published incident of docs/incidents.md, as an intent, gives the finding that would have prevented it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_cases import Block, blocks, expected, findings

PAGE = Path(__file__).parent / "corpora" / "incidents.md"
TOLD = Path(__file__).parent.parent / "docs" / "incidents.md"


def incidents() -> Iterator[tuple[str, list[Block]]]:
    by_title: dict[str, list[Block]] = {}
    for block in blocks(PAGE.read_text(encoding="utf-8")):
        by_title.setdefault(block.section, []).append(block)
    yield from by_title.items()


CASES = [pytest.param(*found, id=title.replace(" ", "-")) for title, found in incidents() if len(found) == 2]


def test_each_incident_has_a_near_miss() -> None:
    assert [title for title, found in incidents() if len(found) != 2] == []
    assert len(CASES) >= 16


def test_the_page_names_each_incident_and_the_rules_that_find_it() -> None:
    sections = TOLD.read_text(encoding="utf-8").split("\n## ")[1:]
    told = {s.partition("\n")[0].lower(): set(re.findall(r"\[([a-z0-9-]+)\]\(rules\.md\)", s)) for s in sections}
    assert told == {title: {rule for *_, rule in expected(found[0].text)} for title, found in incidents()}


@pytest.mark.parametrize(("bad", "near"), CASES)
def test_an_incident_is_found_and_its_near_miss_is_silent(bad: Block, near: Block, tmp_path: Path) -> None:
    stated = expected(bad.text)
    assert stated
    assert findings(bad.text, tmp_path) == stated
    reported = {(rule, severity) for _, _, severity, rule in stated}
    assert not reported & {(rule, severity) for _, _, severity, rule in findings(near.text, tmp_path)}
    assert findings(near.text, tmp_path) == expected(near.text)
