"""What is rendered, cut into parts: none differs from its intent, and lint finds no error that the whole has not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from drift_cases import SUFFIX, compared, rendered
from intents import rocecfg


def _cut_junos(text: str) -> Iterator[str]:
    body = text[text.index("class-of-service {") :].replace("replace: ", "")
    sections = re.findall(r"\n    [a-z-]+ \{.*?\n    \}", body, re.DOTALL)
    assert len(sections) > 5
    for n, section in enumerate(sections):
        for kept in ([section], sections[:n] + sections[n + 1 :]):
            yield f"class-of-service {{{''.join(kept)}\n}}\n"


def _cut_eos(text: str) -> Iterator[str]:
    blocks = re.findall(r"^[^ !\n].*\n(?:[ ].*\n)*", text, re.MULTILINE)
    kinds: dict[str, list[str]] = {}
    for block in blocks:
        kinds.setdefault(" ".join(block.split()[: 1 if block.startswith("interface") else 3]), []).append(block)
    assert len(kinds) > 3
    for kind, own in kinds.items():
        yield "!\n".join(own)
        yield "!\n".join(block for other, of in kinds.items() if other != kind for block in of)


def _cut_sonic(text: str) -> Iterator[str]:
    config = json.loads(text)
    for table in config:
        yield json.dumps({table: config[table]}, indent=1)
        yield json.dumps({other: rows for other, rows in config.items() if other != table}, indent=1)


_CUT = {"junos": ("rail-512", _cut_junos), "arista": ("auto", _cut_eos), "sonic": ("auto", _cut_sonic)}


@pytest.mark.parametrize("system", _CUT)
def test_a_part_of_what_is_rendered_is_as_meant(system: str, tmp_path: Path) -> None:
    example, cut = _CUT[system]
    device, text = next((name, text) for name, (_, of, text) in rendered(example).items() if of == system)
    for n, part in enumerate(cut(text)):
        found = compared(example, {f"{device}{SUFFIX[system]}": part}, tmp_path)
        assert found.differences == [], part
        (tmp_path / f"part{n}{SUFFIX[system]}").write_text(part, encoding="utf-8")
    (tmp_path / f"{device}{SUFFIX[system]}").unlink()
    told = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", ".", expect=None).stdout
    assert [line for line in told.splitlines() if re.match(r"\S+: error ", line)] == []
