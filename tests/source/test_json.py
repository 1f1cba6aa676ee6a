"""JSON with positions: the same values as the standard library, every place exact, and every mistake with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from loops import loop

from rocecfg.source.document import Document, SourceError
from rocecfg.source.json import MAX_DEPTH, Array, Left, Object, parse

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=30,
)
layouts = st.sampled_from([{}, {"indent": 4}, {"indent": 1, "separators": (" , ", " : ")}, {"ensure_ascii": False}])


def doc(text: str) -> Document:
    return Document(0, "config_db.json", text)


def plain(value: Any) -> Any:
    """What was read, without places."""
    if isinstance(value, Object):
        return {m.key: plain(m.value) for m in value.members}
    if isinstance(value, Array):
        return [plain(item.value) for item in value.items]
    return value


def check_places(value: Any, text: str) -> None:
    """Each place holds the text of what is said to stand there."""
    if isinstance(value, Object):
        for member in value.members:
            key = text[value.start + member.key_start : value.start + member.key_end]
            assert json.loads(key) == member.key
            held = text[value.start + member.start : value.start + member.end]
            assert json.loads(held) == plain(member.value)
            check_places(member.value, text)
    elif isinstance(value, Array):
        for item in value.items:
            assert json.loads(text[value.start + item.start : value.start + item.end]) == plain(item.value)
            check_places(item.value, text)


@settings(max_examples=300, deadline=None)
@given(values, layouts)
def test_the_same_values_as_the_standard_library_and_exact_places(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    read = parse(doc(text))
    assert plain(read) == json.loads(text)
    check_places(read, text)


@settings(max_examples=500, deadline=None)
@given(st.text(st.sampled_from('{}[]":, \\ntrue0-1.eE\nA/*#'), max_size=40))
@example('{"a": {"b": "c" "d": "e"}}')
@example('{"a": {"b": "c",}}')
@example('{"a": {"b": 01}}')
@example('{"a": {"b": "\x01"}}')
@example('{"a" "b"}')
def test_a_text_is_taken_if_the_standard_library_takes_it(text: str) -> None:
    try:
        want = json.loads(text, parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        with pytest.raises(SourceError):
            parse(doc(text))
    else:
        assert plain(parse(doc(text))) == want


@settings(max_examples=200, deadline=None)
@given(values, st.data())
def test_a_text_cut_off_is_an_error_with_a_place_in_it(value: Any, data: st.DataObject) -> None:
    text = json.dumps({"PORT": value}, indent=2)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    with pytest.raises(SourceError) as caught:
        parse(doc(cut))
    assert 1 <= caught.value.line <= cut.count("\n") + 1


@loop(
    ("text", "line", "column", "words", "fix"),
    [
        ("", 1, 1, "the file is empty", ""),
        ("  \n", 1, 1, "the file is empty", ""),
        ('{"PORT": {\n  "Ethernet0": {"mtu": "9100",}\n}}', 2, 30, "a comma before }", "remove it"),
        ('{"PORT": {},\n}', 1, 12, "a comma before }", "remove it"),
        ('{"a": ["3", ]}', 1, 11, "a comma before ]", "remove it"),
        ('{\n  // lossless\n  "PORT": {}\n}', 2, 3, "a comment", "remove it"),
        ('{"PORT": {} # lossless\n}', 1, 13, "a comment", "remove it"),
        ("{'PORT': {}}", 1, 2, "single quotes", "double quotes"),
        ('{"a": {"b": NaN}}', 1, 13, "no number that JSON knows", "null"),
        ('{"a": [1, -Infinity]}', 1, 11, "no number that JSON knows", "null"),
        ('{"a": {"b": True}}', 1, 13, "a word of Python's", "true"),
        ("{PORT: {}}", 1, 2, "a word without quotes", "quote it"),
        ('{"a": {"b": "c"\n "d": "e"}}', 2, 2, "expected a comma or a closing bracket", ""),
        ('{"a": {"b": "c"}', 1, 17, "the text ends too soon, 1 bracket still open", "cut off"),
        ('{"a": {"b": "c', 1, 13, "the text ends too soon, 2 brackets still open", "cut off"),
        ('{"a": "b\n"}', 1, 9, "a line break, tab or other control character", "escape it"),
        ('{"a": "b\\x"}', 1, 9, "an escape that JSON does not know", "backslash"),
        ('{"a": 1}\n{"b": 2}', 2, 1, "text continues after the end", "one JSON value"),
        ("{“a”: 1}", 1, 2, "typographic quotes", "plain"),
        ('{"a": 07}', 1, 8, "instead of '7'", ""),
    ],
)
def test_mistakes_are_named_with_their_place(text: str, line: int, column: int, words: str, fix: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(doc(text))
    error = caught.value
    assert (error.line, error.column) == (line, column), error
    assert words in error.message
    assert fix in error.help


def test_duplicates_are_kept_in_order() -> None:
    read = parse(doc('{"a": {"x": "1", "x": "2"}, "a": 3}'))
    assert [m.key for m in read.members] == ["a", "a"]
    assert [m.value for m in read.members[0].value.members] == ["1", "2"]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 100_000])
@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_deep_nesting_is_an_error(depth: int, brackets: str) -> None:
    opened = '{"a":' if brackets == "{}" else "["
    with pytest.raises(SourceError, match="nested deeper"):
        parse(doc(opened * depth + "1" + brackets[1] * depth))
    with pytest.raises(SourceError, match="nested deeper"):
        parse(doc('{"BGP": ' + opened * 100_000 + "1" + brackets[1] * 100_000 + "}"), lambda _depth, _key: False)


def test_numbers_of_any_length_are_read() -> None:
    read = parse(doc('{"a": {"b": ' + "9" * 10_000 + ', "c": 1e999}, "d": [' + "9" * 10_000 + "]}"))
    assert read.members[0].value.members[0].value == float("inf")


def test_lone_surrogates_become_something_that_can_be_printed() -> None:
    read = parse(doc('{"\\ud800": "\\udfff", "a": "\\ud83d\\ude00"}'))
    assert plain(read) == {"\ufffd": "\ufffd", "a": "😀"}


def test_what_is_not_wanted_is_checked_and_left_out() -> None:
    text = '{"BGP_NEIGHBOR": {"10.0.0.1": {"x": ["}", "{"]}}, "PORT": {"Ethernet0": {"mtu": "9100"}}}'
    read = parse(doc(text), lambda depth, key: depth > 0 or key == "PORT")
    left, port = read.members
    assert left.value == Left(17, 48)
    assert text[17:48] == '{"10.0.0.1": {"x": ["}", "{"]}}'
    assert plain(port.value) == {"Ethernet0": {"mtu": "9100"}}
    with pytest.raises(SourceError) as caught:
        parse(doc('{"BGP_NEIGHBOR": {"10.0.0.1": {"x": [1,]}}}'), lambda _depth, _key: False)
    assert (caught.value.line, caught.value.column) == (1, 39)
    with pytest.raises(SourceError, match="no number"):
        parse(doc('{"A": [NaN]}'), lambda _depth, _key: False)


def test_equal_objects_share_their_members() -> None:
    read = parse(doc('{"a": {"x": "1"}, "b": {"x": "1"}, "c": {"x": "2"}}'))
    a, b, c = (m.value for m in read.members)
    assert a.members is b.members
    assert a.members is not c.members
    assert (a.start, b.start) == (6, 23)
