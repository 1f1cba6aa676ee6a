"""YAML with positions: every value knows its place, and whatever the text, reading it ends in nodes or SourceError."""

from __future__ import annotations

from typing import Any

import pytest
import yaml as pyyaml
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop

from rocecfg.source.document import MAX_BYTES, Document, SourceError, Sources, decode, read_bytes
from rocecfg.source.yaml import MAX_DEPTH, Map, Node, Scalar, Seq, compose

TEXT = """\
# a comment
plain: value
spaced :   two words   # and a comment
"double": "quo\\tted \\u00e9"
'single': 'it''s'
long: a plain scalar
  over two lines
folded: >-
  one
  two

  three
literal: |
  first
    second

after: x
flow: {a: leaf01:Ethernet0, "b": [1, two, {c: d}], e: }
multi: [
  one,
  two   # two
]
block:
  - first
  -   second: 2
      third: 3
  - - nested
    - list
empty:
tilde: ~
über: ÄÖÜ
日本: {語: 本}
anchored: &anchor {deep: 1}
again: *anchor
last: end"""


def composed(text: str) -> Node:
    node = compose(Document(0, "x.yaml", text))
    assert node is not None
    return node


def walk(node: Node) -> list[Node]:
    if isinstance(node, Scalar):
        return [node]
    parts = node.items if isinstance(node, Seq) else [part for pair in node.pairs for part in pair]
    return [node, *(found for part in parts for found in walk(part))]


def plainly(node: Node) -> Any:
    """A tree of the texts alone."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Seq):
        return [plainly(item) for item in node.items]
    return [(key.text, plainly(value)) for key, value in node.pairs]


def value(node: Node, *path: str | int) -> Node:
    for step in path:
        if isinstance(step, int):
            assert isinstance(node, Seq)
            node = node.items[step]
        else:
            assert isinstance(node, Map)
            node = next(v for k, v in node.pairs if k.text == step)
    return node


def source(text: str, *path: str | int) -> str:
    """The source text of the value at a path."""
    node = value(composed(text), *path)
    return text[node.start : node.end]


@loop(
    ("path", "text"),
    [
        (("plain",), "value"),
        (("spaced",), "two words"),
        (("double",), '"quo\\tted \\u00e9"'),
        (("single",), "'it''s'"),
        (("long",), "a plain scalar\n  over two lines"),
        (("after",), "x"),
        (("flow", "a"), "leaf01:Ethernet0"),
        (("flow", "b"), "[1, two, {c: d}]"),
        (("flow", "b", 2), "{c: d}"),
        (("flow", "b", 2, "c"), "d"),
        (("flow",), '{a: leaf01:Ethernet0, "b": [1, two, {c: d}], e: }'),
        (("multi",), "[\n  one,\n  two   # two\n]"),
        (("multi", 1), "two"),
        (("block",), "- first\n  -   second: 2\n      third: 3\n  - - nested\n    - list"),
        (("block", 1), "second: 2\n      third: 3"),
        (("block", 2), "- nested\n    - list"),
        (("block", 2, 1), "list"),
        (("empty",), ""),
        (("tilde",), "~"),
        (("über",), "ÄÖÜ"),
        (("日本", "語"), "本"),
        (("anchored", "deep"), "1"),
        (("last",), "end"),
    ],
)
def test_a_value_spans_its_own_text(path: tuple[str | int, ...], text: str) -> None:
    assert source(TEXT, *path) == text


@pytest.mark.parametrize(
    ("path", "text", "plain"),
    [
        (("spaced",), "two words", True),
        (("double",), "quo\tted é", False),
        (("single",), "it's", False),
        (("long",), "a plain scalar over two lines", True),
        (("folded",), "one two\nthree", False),
        (("literal",), "first\n  second\n", False),
        (("flow", "a"), "leaf01:Ethernet0", True),
        (("flow", "e"), "", True),
        (("empty",), "", True),
        (("tilde",), "~", True),
        (("日本", "語"), "本", True),
    ],
)
def test_scalars_are_text_as_yaml_folds_it(path: tuple[str | int, ...], text: str, plain: bool) -> None:
    node = value(composed(TEXT), *path)
    assert isinstance(node, Scalar)
    assert (node.text, node.plain) == (text, plain)


def test_an_alias_is_what_its_anchor_is_and_stands_there() -> None:
    root = composed(TEXT)
    assert value(root, "again") is value(root, "anchored")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_and_columns_count_from_one_in_code_points(end: str) -> None:
    text = TEXT.replace("\n", end)
    document = Document(0, "x.yaml", text)
    root = compose(document)
    assert root is not None
    places = {plainly(v) if isinstance(v, Scalar) else k.text: document.place(v.start) for k, v in _pairs(root)}
    assert places["value"] == (2, 8)
    assert places["ÄÖÜ"] == (31, 7)
    assert places["end"] == (35, 7)
    assert document.place(value(root, "日本", "語").start) == (32, 9)
    assert document.line(32) == "日本: {語: 本}"
    assert document.line(1) == "# a comment"


def _pairs(root: Node) -> list[tuple[Scalar, Node]]:
    assert isinstance(root, Map)
    return root.pairs


def test_crlf_and_lf_read_the_same() -> None:
    assert plainly(composed(TEXT)) == plainly(composed(TEXT.replace("\n", "\r\n")))


def test_a_byte_order_mark_is_no_text() -> None:
    text = decode("x.yaml", b"\xef\xbb\xbfa: 1\n")
    assert text == "a: 1\n"
    assert compose(Document(0, "x.yaml", text)) == Map(0, 4, [(Scalar(0, 1, "a", True), Scalar(3, 4, "1", True))])  # noqa: FBT003


def test_duplicate_keys_are_kept() -> None:
    assert plainly(composed("a: 1\nb: 2\na: 3\n")) == [("a", "1"), ("b", "2"), ("a", "3")]


@pytest.mark.parametrize(
    "text", ["on", "no", "03", "11:11", "0x10", "1_000", "1e3", "null", "~", "2026-03-31", "=", ""]
)
def test_no_scalar_changes_type(text: str) -> None:
    assert plainly(composed(f"key: {text}")) == [("key", text)]


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "--- # nothing\n...\n"])
def test_nothing_is_nothing(text: str) -> None:
    root = compose(Document(0, "x.yaml", text))
    assert root is None or plainly(root) == ""


# -- ruamel.yaml as oracle for YAML 1.2 --------------------------------------------------------------------------------


def _oracle(node: Any) -> Any:
    """(kind, line, column, content) of a node of ruamel.yaml's tree."""
    at = (node.start_mark.line + 1, node.start_mark.column + 1)
    if node.id == "scalar":
        return ("scalar", *at, node.value) if node.value else "nothing"
    if node.id == "sequence":
        return ("seq", *at, [_oracle(item) for item in node.value])
    return ("map", *at, [(_oracle(key), _oracle(item)) for key, item in node.value])


def _ours(node: Node, document: Document) -> Any:
    at = document.place(node.start)
    if isinstance(node, Scalar):  # where nothing stands is a matter of taste
        return ("scalar", *at, node.text) if node.text else "nothing"
    if isinstance(node, Seq):
        return ("seq", *at, [_ours(item, document) for item in node.items])
    return ("map", *at, [(_ours(key, document), _ours(item, document)) for key, item in node.pairs])


_WORD = st.sampled_from(["leaf01", "400KB", "on", "03", "a b", "é", "日本", "leaf01:Ethernet0", "5%", "~"])
_LEAF = st.one_of(
    _WORD,
    _WORD.map(lambda w: f"'{w}'"),
    _WORD.map(lambda w: f'"{w}"'),
    st.just(">-\n  a\n  b"),
    st.just("|\n  a\n\n  b"),
)
_FLOW = st.recursive(
    _WORD,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda items: "{" + ", ".join(f"k{i}: {item}" for i, item in enumerate(items)) + "}"
        ),
    ),
    max_leaves=8,
)


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


_TREE = st.recursive(
    st.one_of(_LEAF, _FLOW),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(
            lambda items: "\n" + "\n".join(f"- {_indented(item.lstrip(chr(10)))}" for item in items)
        ),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda items: "\n" + "\n".join(f"k{i}:  {_indented(item)}" for i, item in enumerate(items))
        ),
    ),
    max_leaves=10,
)


@given(_TREE)
@settings(max_examples=150, deadline=None)
def test_a_yaml_1_2_reader_sees_the_same_nodes_at_the_same_places(tree: str) -> None:
    ruamel = pytest.importorskip("ruamel.yaml")
    text = f"root:  {_indented(tree)}\n"
    reader = ruamel.YAML(typ="safe", pure=True)
    theirs = reader.compose(text)
    document = Document(0, "x.yaml", text)
    ours = compose(document)
    assert ours is not None
    assert _ours(ours, document) == _oracle(theirs)


def test_the_example_reads_the_same_under_yaml_1_2() -> None:
    ruamel = pytest.importorskip("ruamel.yaml")
    document = Document(0, "x.yaml", TEXT)
    ours = compose(document)
    assert ours is not None
    assert _ours(ours, document) == _oracle(ruamel.YAML(typ="safe", pure=True).compose(TEXT))


# -- without libyaml ---------------------------------------------------------------------------------------------------

BROKEN = [
    "a: [1\n",
    "a: {leaf[01-02]: 1}\n",
    "a: 1\n\tb: 2\n",
    "a: @x\n",
    "a: b: c\n",
    "a: 'open\n",
    "a: 1\n b: 2\n",
    "a: \x07\n",
    "é: \x00\n",
    "a: *nowhere\n",
    "a: &x [*x]\n",
    "a: 1\n---\nb: 2\n",
    "[a, b]: c\n",
    "%TAG ! x\n",
    "a: !!python/object:os.system [x\n",
    "{",
    "a: " + "[" * (MAX_DEPTH + 1),
]


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n"), "{a: leaf01:Ethernet0}", "- {a: [b, c: d]}\n- x"])
def test_the_pure_parser_gives_the_same_nodes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    document = Document(0, "x.yaml", text)
    with_c = _ours(composed(text), document)
    spans = [(n.start, n.end) for n in walk(composed(text)) if n.start < n.end]
    monkeypatch.setattr(pyyaml, "__with_libyaml__", False)
    assert _ours(composed(text), document) == with_c
    assert [(n.start, n.end) for n in walk(composed(text)) if n.start < n.end] == spans


@pytest.mark.parametrize("text", BROKEN)
@loop("c_parser", [True, False])
def test_what_cannot_be_read_names_file_and_place(
    text: str,
    c_parser: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not c_parser:
        monkeypatch.setattr(pyyaml, "__with_libyaml__", False)
    with pytest.raises(SourceError) as caught:
        compose(Document(0, "x.yaml", text))
    error = caught.value
    assert error.path == "x.yaml"
    assert error.message
    lines = text.split("\n")
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert str(error).startswith(f"x.yaml:{error.line}:{error.column}: ")


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("a: 1\nb: {leaf[01-02]: {}}\n", (2, 9), "quote node sets inside {…}"),
        ("a:\n\tb: 1\n", (2, 1), "indent with blanks"),
        ("# ü\na: é\x00\n", (2, 5), "control characters"),
        ("a: 1\n---\nb: 2\n", (2, 1), "second YAML document"),
        ("a: *x\n", (1, 4), "has no anchor before it"),
        ("a: &x\n  b: *x\n", (2, 6), "stands in itself"),
        ("a: 1\n? [x, y]\n: 2\n", (2, 3), "single word"),
    ],
)
def test_the_common_slips_are_told_where_and_how(text: str, place: tuple[int, int], word: str) -> None:
    with pytest.raises(SourceError) as caught:
        compose(Document(0, "x.yaml", text))
    assert word in f"{caught.value.message} {caught.value.help}"
    assert (caught.value.line, caught.value.column) == place


RDMA = "  rdma: {carries: [rdma], dscp: 26, ecn: {kmin: 400KB, kmax: 1MB, pmax: 5%%}%s\n"
CNP = "  cnp: {carries: [cnp], dscp: 48}\n"


@pytest.mark.parametrize("c_parser", [True, False])
@loop(
    ("text", "line", "help"),
    [
        # a brace or bracket that is not closed, at the end of its line or of the text
        (f"classes:\n{RDMA % ''}{CNP}", 3, "the { of line 2, column 9 is not closed: write } at the end of line 2"),
        ("a: {b: 1, c: 2\nd: 3\n", 2, "the { of line 1, column 4 is not closed: write } at the end of line 1"),
        ("a: 1\nb: {c: 1, d: {e: 2}\n", 3, "the { of line 2, column 4 is not closed: write } at the end of line 2"),
        (
            "a:\n- {b: 1,\n   c: 2\n- {b: 3}\n",
            4,
            "the { of line 2, column 3 is not closed: write } at the end of line 3",
        ),
        ("a: [1, 2\nb: 3\n", 2, "the [ of line 1, column 4 is not closed: write ] at the end of line 1"),
        ("a: {b: 1  # one\nc: 3\n", 2, "the { of line 1, column 4 is not closed: write } at the end of line 1"),
        # a comma that is missing
        ("a: {b: 1 c: 2}\n", 1, "a comma is missing before c, in the { of line 1, column 4"),
        ("x:\n  a: {b: {c: 1} d: 2}\n", 2, "a comma is missing before d, in the { of line 2, column 6"),
        ("a: {b: 1,\n    c: {z: 1}\n    d: 2}\n", 3, "a comma is missing before d, in the { of line 1, column 4"),
        ('a: ["x" "y"]\n', 1, 'a comma is missing before "y", in the [ of line 1, column 4'),
        (
            'devices: {"leaf[1-2]": {role: leaf} "spine1": {}}\n',
            1,
            'a comma is missing before "spine1", in the { of line 1, column 10',
        ),
        (
            "ports:\n  Ethernet[0-8/8]: {speed: 400G cable: 3m}\n",
            2,
            "a comma is missing before cable, in the { of line",
        ),
        # another one closes it, or one closes nothing
        ("a: {b: [1, 2}\n", 1, "the [ of line 1, column 8 is not closed: write ] before this }"),
        ("a: [1, {b: 2]\n", 1, "the { of line 1, column 8 is not closed: write } before this ]"),
        ("a: {b: 1}}\nc: 2\n", 1, "this } closes nothing: take it out"),
        ("a: [1]]\n", 1, "this ] closes nothing: take it out"),
        ('a: "b\nc: 2\n', None, "the quote of line 1, column 4 is not closed"),
        # and what it was taken for whenever there was a bracket in the line
        ("devices: {leaf[01-02]: {role: leaf}}\n", 1, 'quote node sets inside {…}: {"leaf[01-02]": …}'),
        ("links:\n  - {a: leaf[01-02]:Ethernet0, b: x}\n", 2, 'quote node sets inside {…}: {"leaf[01-02]": …}'),
    ],
)
def test_a_missing_brace_or_comma_is_told_as_such(
    text: str,
    line: int | None,
    help: str,
    c_parser: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not c_parser:
        monkeypatch.setattr(pyyaml, "__with_libyaml__", False)
    with pytest.raises(SourceError) as caught:
        compose(Document(0, "x.yaml", text))
    assert caught.value.help.startswith(help)
    assert line is None or caught.value.line == line


# -- bounds ------------------------------------------------------------------------------------------------------------


def _nested(depth: int, kind: str) -> str:
    if kind == "flow":
        return "[" * depth + "]" * depth
    if kind == "block":
        return "".join(f"{' ' * i}a:\n" for i in range(depth - 1)) + " " * (depth - 1) + "a: x\n"
    return "- " * depth + "x\n"


@pytest.mark.parametrize("kind", ["flow", "block", "dashes"])
def test_depth_is_bounded(kind: str) -> None:
    assert compose(Document(0, "x.yaml", _nested(MAX_DEPTH, kind))) is not None
    for depth in (MAX_DEPTH + 1, 3000):
        with pytest.raises(SourceError, match=f"deeper than {MAX_DEPTH}"):
            compose(Document(0, "x.yaml", _nested(depth, kind)))


def test_an_alias_bomb_is_refused_before_it_goes_off() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 12)]
    with pytest.raises(SourceError, match="aliases expand to more than") as caught:
        compose(Document(0, "x.yaml", "\n".join(lines)))
    assert caught.value.line < 9


def test_aliases_within_reason_are_read() -> None:
    text = "a: &a [1, 2, 3]\n" + "".join(f"b{i}: *a\n" for i in range(1000))
    assert len(walk(composed(text))) > 1000


@given(st.text(max_size=60) | st.text(alphabet="ab:{}[],&*'\"|>-?#! \t\n\r%@\u0085\u2028\ufeffé\x00", max_size=40))
@settings(max_examples=600, deadline=None)
def test_any_text_ends_in_nodes_or_a_source_error(text: str) -> None:
    document = Document(0, "x.yaml", text)
    root: Node | None = None
    refused: SourceError | None = None
    try:
        root = compose(document)
    except SourceError as error:
        refused = error
    if refused is not None:
        assert 1 <= refused.line <= text.count("\n") + 1
        assert 1 <= refused.column <= len(document.line(refused.line)) + 2
        return
    for node in walk(root) if root is not None else []:
        assert 0 <= node.start <= len(text)
        assert node.end <= len(text)


@given(st.text(alphabet="ab:{}[],&*'\"|>-?# \n", max_size=30))
@settings(max_examples=200, deadline=None)
def test_both_parsers_agree_on_what_they_both_take(text: str) -> None:
    with_c = _result(text)
    pyyaml.__with_libyaml__ = False
    try:
        without = _result(text)
    finally:
        pyyaml.__with_libyaml__ = True
    if with_c is not None and without is not None:
        assert with_c == without


def _result(text: str) -> Any:
    try:
        root = compose(Document(0, "x.yaml", text))
    except SourceError:
        return None
    return ("read", plainly(root) if root is not None else None)


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "place"),
    [(b"a: \xff", (1, 4)), (b"a: 1\nb: \xc3\xa9\xc3(", (2, 5)), (b"\xef\xbb\xbfa: \xed\xa0\x80", (1, 5))],
)
def test_what_is_not_utf8_names_the_first_bad_byte(data: bytes, place: tuple[int, int]) -> None:
    with pytest.raises(SourceError, match="is not UTF-8") as caught:
        decode("x.yaml", data)
    assert (caught.value.line, caught.value.column) == place


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path: Any) -> None:
    big = tmp_path / "big.yaml"
    with big.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(SourceError, match=f"more than the {MAX_BYTES} bytes"):
        read_bytes(str(big))
    with big.open("wb") as stream:
        stream.truncate(10)
    assert read_bytes(str(big)) == b"\0" * 10


def test_each_file_is_read_once(tmp_path: Any) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\n")
    sources = Sources()
    first = sources.read(str(path))
    path.write_text("a: 2\n")
    assert sources.read(str(path)) is first
    assert first.text == "a: 1\n"
