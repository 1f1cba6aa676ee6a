"""What an import writes is read alike by every YAML: by ours, by ruamel.yaml (1.2) and by PyYAML (1.1)."""

from __future__ import annotations

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rocecfg.importing.format import Quoted
from rocecfg.importing.page import GAP, PageKey, write_page
from rocecfg.source.document import Document
from rocecfg.source.yaml import Map, Scalar, Seq, compose

TEXTS = st.one_of(
    st.sampled_from(
        ["on", "off", "yes", "NO", "y", "11:11", "010", "0x1A", "1e3", "0o7", "1_000", "~", "null", "=", "<<"]
    ),
    st.sampled_from(
        ["2026-11-23", ".5", "+5", "- a", "a: b", "a #b", "#a", "{a", "[a]", "a,b", "*a", "&a", "!a", "%a", "@a"]
    ),
    st.text(st.characters(exclude_categories=("Cs",), max_codepoint=0xFFFF), min_size=1, max_size=12),
    st.text("aZ09_.-+:,%/#&*!|>'\"?[]{} \t\n", min_size=1, max_size=8),
).filter(lambda text: not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?|true|false", text))  # these are no texts here


def ours(text: str) -> object:
    """The values as this project reads them: every scalar is its text."""

    def value(node: object) -> object:
        if isinstance(node, Map):
            return {value(pair[0]): value(pair[1]) for pair in node.pairs}
        if isinstance(node, Seq):
            return [value(item) for item in node.items]
        assert isinstance(node, Scalar)
        return node.text

    return value(compose(Document(0, "x.yaml", text)))


@given(st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=4))
def test_texts_are_texts_to_every_reader(values: dict[str, str]) -> None:
    entries = [PageKey("flow", dict(values)), PageKey("quoted", {"a": Quoted("26")}), GAP]
    entries += [PageKey("block", tuple(PageKey(key, text) for key, text in values.items()))]
    text = write_page(entries, ["head"])
    meant = {"flow": values, "quoted": {"a": "26"}, "block": values}
    assert YAML(typ="safe", pure=True).load(text) == meant
    assert yaml.safe_load(text) == meant
    assert ours(text) == meant
    assert not any(line != line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize(("text", "value"), [("26", 26), ("-3", -3), ("0.5", 0.5), ("true", True), ("false", False)])
def test_numbers_and_truth_are_so_to_every_reader(text: str, value: object) -> None:
    written = write_page([PageKey("a", text), PageKey("b", [text])])
    assert yaml.safe_load(written) == YAML(typ="safe", pure=True).load(written) == {"a": value, "b": [value]}
    assert f"a: {text}\nb: [{text}]\n" == written


def test_a_flow_is_one_line_however_long_and_a_long_mapping_is_a_block() -> None:
    long = {f"key{n}": "x" * 20 for n in range(9)}
    text = write_page([PageKey("list", [long, long]), PageKey("map", long)])
    assert [len(line) for line in text.splitlines() if line.startswith("  - {")] == [
        len(f"  - {{{', '.join(f'{k}: {v}' for k, v in long.items())}}}")
    ] * 2
    assert "map:\n  key0: xxxx" in text
