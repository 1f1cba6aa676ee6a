"""Offsets, positions and edits: the arithmetic between texts and editors."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsp_client import edited
from lsprotocol.types import Position, PositionEncodingKind, Range, TextEdit

from rocecfg.lsp.protocol import Lines, make_text_edits, path_of, uri_of
from rocecfg.lsp.texts import Cache, Stale, Texts

CODECS = {
    PositionEncodingKind.Utf8: "utf-8",
    PositionEncodingKind.Utf16: "utf-16-le",
    PositionEncodingKind.Utf32: "utf-32-le",
}
TEXTS = st.lists(st.sampled_from(["a", "é", "🚀", "\n", "\r\n", "b: c", " "]), max_size=30).map("".join)


@settings(max_examples=150, deadline=None)
@given(before=TEXTS, after=TEXTS, encoding=st.sampled_from(sorted(CODECS)))
def test_edits_make_the_one_text_of_the_other(before: str, after: str, encoding: PositionEncodingKind) -> None:
    edits = make_text_edits(before, after, Lines(before, encoding))
    plain = [{"range": _plain(edit), "newText": edit.new_text} for edit in edits]
    assert edited(before, plain, CODECS[encoding]) == after


def _plain(edit: TextEdit) -> dict[str, dict[str, int]]:
    ends = {"start": edit.range.start, "end": edit.range.end}
    return {name: {"line": at.line, "character": at.character} for name, at in ends.items()}


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, encoding=st.sampled_from(sorted(CODECS)), data=st.data())
def test_a_position_leads_back_to_its_offset(text: str, encoding: PositionEncodingKind, data: st.DataObject) -> None:
    lines = Lines(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    if text[offset - 1 : offset + 1] == "\r\n":  # between the two is no place
        offset -= 1
    at = lines.position(offset)
    assert lines.offset(at) == offset
    assert at.line == text.count("\n", 0, offset)
    before = text[:offset].rpartition("\n")[2]
    assert at.character == len(before.encode(CODECS[encoding])) // len("x".encode(CODECS[encoding]))


def test_positions_beyond_what_there_is() -> None:
    lines = Lines("ab\r\nc", PositionEncodingKind.Utf16)
    assert lines.offset(Position(0, 99)) == 2
    assert lines.offset(Position(9, 0)) == 5
    assert lines.changed(Range(Position(1, 1), Position(7, 7)), "d") == "ab\r\ncd"
    assert lines.changed(None, "all") == "all"


def test_half_of_a_character_is_the_whole() -> None:
    assert Lines("🚀x", PositionEncodingKind.Utf16).offset(Position(0, 1)) == 1
    assert Lines("🚀x", PositionEncodingKind.Utf8).offset(Position(0, 2)) == 1


@pytest.mark.parametrize("name", ["plain.yaml", "a b.yaml", "100%.yaml", "Jörg#1?.yaml", "🚀.yaml", "c:\\x.yaml"])
def test_a_path_survives_its_uri(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert path_of(uri_of(str(path))) == str(path)
    assert path_of(path.as_uri()) == str(path)


@pytest.mark.parametrize("uri", ["untitled:x", "http://h/x.yaml", "file://", "", "x.yaml", "file:///a%00b", "http://["])
def test_uris_of_no_file(uri: str) -> None:
    assert path_of(uri) is None


def test_a_file_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("a: 1\n", encoding="utf-8")
    cache = Cache()
    first = Texts({}, cache, lambda: False).read(str(path))
    second = Texts({}, cache, lambda: False).read(str(path))
    assert first.text is second.text  # the very same one: it was not decoded again
    path.write_text("a: 2\n", encoding="utf-8")
    assert Texts({}, cache, lambda: False).read(str(path)).text == "a: 2\n"
    cache.keep(())
    assert Texts({}, cache, lambda: False).read(str(path)).text == "a: 2\n"


def test_reading_ends_when_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("a: 1\n", encoding="utf-8")
    with pytest.raises(Stale):
        Texts({}, Cache(), lambda: True).read(str(tmp_path / "x.yaml"))
