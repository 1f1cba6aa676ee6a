"""What a fix leaves of a text: exactly the change meant, written as the user writes."""

from __future__ import annotations

import pytest
from loops import loop

from rocecfg.source.edit import Edit, EditRefused, apply, overlap, put, recomment, remove, rename, replace
from rocecfg.source.tree import Tree, parse


def at(tree: Tree, words: str, nth: int = 0) -> tuple[int, int]:
    """Where these words stand for the nth time."""
    start = -1
    for _ in range(nth + 1):
        start = tree.text.index(words, start + 1)
    return start, start + len(words)


def made(tree: Tree, *edits: Edit) -> str:
    return apply(tree, edits)


@loop(
    ("text", "place", "value", "after"),
    [
        ("a: 400KB  # why\n", "400KB", "1MB", "a: 1MB  # why\n"),
        ("a: '400KB'\n", "'400KB'", "1MB", "a: '1MB'\n"),
        ('a: "400KB"\n', '"400KB"', "1MB", 'a: "1MB"\n'),
        ("{a: 400KB, b: 2}\n", "400KB", "x, y", '{a: "x, y", b: 2}\n'),
        ("a: 400KB\n", "400KB", "x, y", "a: x, y\n"),
        ("a: 400KB\n", "400KB", "- x: y # z", 'a: "- x: y # z"\n'),
        ("a: 400KB\n", "400KB", "", 'a: ""\n'),
        ("a: &low 400KB\n", "&low 400KB", "1MB", "a: &low 1MB\n"),
        ("a: !!str 3\n", "!!str 3", "4", "a: !!str 4\n"),
        ("a:   # why\nb: 1\n", "a", "2", "a: 2   # why\nb: 1\n"),
        ("a:\n  b: 1\n  c: 2\nd: 3\n", "a", {"e": ["1", "x, y"]}, 'a: {e: [1, "x, y"]}\nd: 3\n'),
        ("- off\n- b\n", "off", {"a": "1"}, "- {a: 1}\n- b\n"),
        ("a: |\n  text\n  more\n\nb: 1\n", "a", "2", "a: 2\n\nb: 1\n"),
        ("a: 1\r\nb: 2\r\n", "1", "3", "a: 3\r\nb: 2\r\n"),
        ("a: [1, 2]\n", "a", ["1"], "a: [1]\n"),
    ],
)
def test_replace(text: str, place: str, value: str, after: str) -> None:
    tree = parse(text)
    assert made(tree, replace(tree, *at(tree, place), value)) == after


def test_quote() -> None:
    tree = parse("a: on  # why\nb: {c: 03}\n")
    edits = [replace(tree, *at(tree, word), word, quote=True) for word in ("on", "03")]
    assert made(tree, *edits) == 'a: "on"  # why\nb: {c: "03"}\n'


@loop(
    ("text", "place", "path", "after"),
    [
        ("pfc: {}\n", "pfc", ("watchdog",), "pfc: {watchdog: off}\n"),
        ("pfc: {a: 1}\n", "pfc", ("watchdog",), "pfc: {a: 1, watchdog: off}\n"),
        ("pfc: {a: 1,}  # why\n", "pfc", ("watchdog",), "pfc: {a: 1, watchdog: off}  # why\n"),
        ("pfc: { a: 1 }\n", "pfc", ("watchdog",), "pfc: { a: 1, watchdog: off }\n"),
        (
            "pfc: {\n  a: 1,  # x, y\n  b: 2  # z\n}\n",
            "pfc",
            ("c",),
            "pfc: {\n  a: 1,  # x, y\n  b: 2, c: off  # z\n}\n",
        ),
        ("pfc:\n    a: 1  # why\n\nb: 2\n", "pfc", ("c",), "pfc:\n    a: 1  # why\n    c: off\n\nb: 2\n"),
        ("pfc:\n  a:\n    b: 1\nc: 2\n", "pfc", ("d",), "pfc:\n  a:\n    b: 1\n  d: off\nc: 2\n"),
        ("pfc:\n  a: |\n    text\n\nc: 2\n", "pfc", ("d",), "pfc:\n  a: |\n    text\n  d: off\n\nc: 2\n"),
        ("pfc:\n  a: |+\n    text\n\nc: 2\n", "pfc", ("d",), "pfc:\n  a: |+\n    text\n\n  d: off\nc: 2\n"),
        ("pfc:\n  a: 1", "pfc", ("d",), "pfc:\n  a: 1\n  d: off"),
        ("pfc:\r\n  a: 1\r\n", "pfc", ("d",), "pfc:\r\n  a: 1\r\n  d: off\r\n"),
        ("pfc:\nb: 1\n", "pfc", ("c", "d"), "pfc: {c: {d: off}}\nb: 1\n"),
        ("pfc: off\n", "pfc", ("c", "d"), "pfc: {c: {d: off}}\n"),
        ("pfc: {c: 1}\n", "pfc", ("c",), "pfc: {c: off}\n"),
        ("pfc: {c: {e: 1}}\n", "pfc", ("c", "d"), "pfc: {c: {e: 1, d: off}}\n"),
        ("- a: 1\n  b: 2\n- c\n", "a: 1\n  b: 2", ("d",), "- a: 1\n  b: 2\n  d: off\n- c\n"),
        ('"leaf[01-02]": {a: 1}\n', '"leaf[01-02]"', ("Eth[0]",), '"leaf[01-02]": {a: 1, "Eth[0]": off}\n'),
        ("leaf[01-02]:\n  a: 1\n", "leaf[01-02]", ("Eth[0]",), "leaf[01-02]:\n  a: 1\n  Eth[0]: off\n"),
    ],
)
def test_put(text: str, place: str, path: tuple[str, ...], after: str) -> None:
    tree = parse(text)
    assert made(tree, put(tree, *at(tree, place), path, "off")) == after


def test_put_at_the_root() -> None:
    tree = parse("# head\na: 1\n\n# tail\n")
    assert made(tree, put(tree, 0, 0, ("pfc", "watchdog"), "off")) == ("# head\na: 1\npfc: {watchdog: off}\n\n# tail\n")


@loop(
    ("text", "place", "after"),
    [
        ("a: 1\nb: 2  # why\nc: 3\n", "b", "a: 1\n# why\nc: 3\n"),
        ("a: 1\r\nb: 2  # why\r\nc: 3\r\n", "b", "a: 1\r\n# why\r\nc: 3\r\n"),
        ("x:\n  a: 1\n  b:  # of b\n    # of c\n    c: 2  # why", "b", "x:\n  a: 1\n  # of b\n  # of c\n  # why"),
        ("a: 1\n# about b\nb: 2\nc: 3\n", "2", "a: 1\n# about b\nc: 3\n"),
        ("a: 1\nb:\n  c: 2\n  d: 3\ne: 4\n", "b", "a: 1\ne: 4\n"),
        ("a: 1\nb: 2", "b", "a: 1"),
        ("a: 1\r\nb: 2\r\nc: 3\r\n", "b", "a: 1\r\nc: 3\r\n"),
        ("a:\n  b: 1  # why\nc: 2\n", "b", "a: {}  # why\nc: 2\n"),
        ("a:\n  - b\nc: 2\n", "b", "a: []\nc: 2\n"),
        ("a:\n  b: |+\n    1\n\nc: 2\n", "b", "a: {}\n\nc: 2\n"),
        ("- a\n- b\n- c\n", "b", "- a\n- c\n"),
        ("- a: 1\n  b: 2\n- c\n", "a", "- b: 2\n- c\n"),
        ("- a: 1\n  b: 2\n- c\n", "a: 1\n  b: 2", "- c\n"),
        ("[a, b, c]\n", "a", "[b, c]\n"),
        ("[a, b, c]\n", "b", "[a, c]\n"),
        ("[a, b, c]\n", "c", "[a, b]\n"),
        ("[a]\n", "a", "[]\n"),
        ("{a: 1, b: 2}\n", "b", "{a: 1}\n"),
        ("{a: 1, b: 2}\n", "1", "{b: 2}\n"),
        ("x: {a: [1, 2], b: 2}\n", "a", "x: {b: 2}\n"),
        ("[\n  a,  # first\n  b   # second\n]\n", "b", "[\n  a,  # first\n  # second\n]\n"),
        ("[\n  a,  # first\n  b   # second\n]\n", "a", "[\n  # first\n  b   # second\n]\n"),
        ("[a, b,\n c, d]\n", "b", "[a,\n c, d]\n"),
        ("[a, b,\n c, d]\n", "c", "[a, b,\n d]\n"),
        ("a: 1\nb: 2\nb: 3\n", "b: 3", "a: 1\nb: 2\n"),
    ],
)
def test_remove(text: str, place: str, after: str) -> None:
    tree = parse(text)
    start, end = at(tree, place)
    if place == "b: 3":
        end = start + 1
    assert made(tree, remove(tree, start, end)) == after


def test_rename() -> None:
    tree = parse("'a': {b: 1}  # why\nc: 2\n")
    assert made(tree, rename(tree, *at(tree, "'a'"), "d"), rename(tree, *at(tree, "b"), "e f")) == (
        "'d': {e f: 1}  # why\nc: 2\n"
    )
    with pytest.raises(EditRefused, match="there is a c next to it"):
        rename(tree, *at(tree, "'a'"), "c")


@pytest.mark.parametrize(
    ("text", "place", "new", "after"),
    [
        ("a: 1  # gone\nb: 2\n", "# gone", "", "a: 1\nb: 2\n"),
        ("# gone\na: 1\n", "# gone", "", "a: 1\n"),
        ("a: 1\n  # gone\nb: 2\n", "# gone", "", "a: 1\nb: 2\n"),
        ("a: 1  # stays # gone\n", "# gone", "", "a: 1  # stays\n"),
        ("a: 1  # ignore[x, y]\n", "x, y", "y", "a: 1  # ignore[y]\n"),
        ("a: 1  # gone\r\nb: 2\r\n", "# gone", "", "a: 1\r\nb: 2\r\n"),
    ],
)
def test_recomment(text: str, place: str, new: str, after: str) -> None:
    tree = parse(text)
    assert made(tree, recomment(tree, *at(tree, place), new)) == after


def test_what_an_alias_repeats_is_left_alone() -> None:
    tree = parse("a: &low {kmin: 1, kmax: 2}\nb: *low\nc: {d: *low}\n")
    for refused in (
        lambda: replace(tree, *at(tree, "1"), "3"),
        lambda: put(tree, *at(tree, "a"), ("pmax",), "1%"),
        lambda: remove(tree, *at(tree, "kmin")),
        lambda: rename(tree, *at(tree, "kmin"), "k"),
        lambda: remove(tree, *at(tree, "a")),
    ):
        with pytest.raises(EditRefused, match=r"low"):
            refused()
    # the place that repeats may change: it stands for itself alone
    assert made(tree, remove(tree, *at(tree, "d"))) == "a: &low {kmin: 1, kmax: 2}\nb: *low\nc: {}\n"
    assert made(tree, replace(tree, *at(tree, "b"), "5")) == "a: &low {kmin: 1, kmax: 2}\nb: 5\nc: {d: *low}\n"


def test_an_anchor_that_nobody_uses_is_no_hindrance() -> None:
    tree = parse("a: &low {kmin: 1}\n")
    assert made(tree, replace(tree, *at(tree, "1"), "3")) == "a: &low {kmin: 3}\n"


def test_a_comment_inside_what_would_be_replaced_is_not_lost() -> None:
    tree = parse("a:\n  b: 1\n  # why not\n  c: 2\n")
    with pytest.raises(EditRefused, match="a comment is"):
        replace(tree, *at(tree, "a"), "off")


def test_two_edits_of_one_place_are_refused() -> None:
    tree = parse("a: {b: 1, c: 2}\n")
    inner, outer = replace(tree, *at(tree, "1"), "3"), replace(tree, *at(tree, "a"), "off")
    assert overlap(inner, outer)
    with pytest.raises(EditRefused, match="two changes to line 1"):
        made(tree, inner, outer)
    first, second = put(tree, *at(tree, "a"), ("d",), "1"), put(tree, *at(tree, "a"), ("e",), "1")
    assert overlap(first, second)


def test_edits_that_would_together_say_something_else_are_refused() -> None:
    tree = parse("a:\n  b: 1\n  c: 2\nd: 3\n")
    with pytest.raises(EditRefused, match="differ from what is intended"):
        made(tree, remove(tree, *at(tree, "b")), remove(tree, *at(tree, "c")))  # a would become null


def test_a_place_where_nothing_stands() -> None:
    tree = parse("a: 1\n")
    for refused in (
        lambda: replace(tree, 1, 3, "x"),
        lambda: recomment(tree, 0, 1, ""),
        lambda: rename(tree, 3, 4, "x"),
    ):
        with pytest.raises(EditRefused, match="line 1"):
            refused()


def test_the_only_mapping_without_brackets_inside_brackets() -> None:
    tree = parse("[a: 1]\n")
    with pytest.raises(EditRefused, match="has no brackets"):
        put(tree, 1, 5, ("b",), "2")
