"""Changes to a YAML text that leave everything else as it is: comments, quotes, anchors, layout, line ends.

Each operation finds a node by its place and gives an Edit: which spans of the text become what, and which nodes are
thereby meant to change. `apply` makes edits that do not overlap and then proves the result: read again, it must hold
the intended change and nothing else, and every comment.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.source.layout import (
    EditRefused,
    detect_newline,
    find_comma,
    find_line_end,
    find_line_start,
    find_next_line,
    find_node_end,
    find_removal,
    find_value_start,
)
from rocecfg.source.tree import ALIAS, MAP, SCALAR, SEQ, Node, NotYaml, Tree, parse
from rocecfg.source.write import Value, format_flow, format_scalar

Shape = tuple[Any, ...]  # a value with its style and anchor: what two texts are compared by


class Piece(NamedTuple):
    """A span of the text and what takes its place."""

    start: int
    end: int
    text: str


class Edit(NamedTuple):
    """One change: its pieces, and what it means for the nodes."""

    pieces: tuple[Piece, ...]
    replaced: tuple[tuple[Node, Shape], ...] = ()
    added: tuple[tuple[Node, Shape, Shape], ...] = ()  # mapping, key, value
    removed: tuple[Node, ...] = ()  # items, and values of pairs
    comment: tuple[int, str] | None = None  # where a comment starts, and what it becomes


# -- operations ----------------------------------------------------------------------------------------------------


def replace(tree: Tree, start: int, end: int, value: Value, *, quote: bool = False) -> Edit:
    """Put `value` where the value at this place stands (or that of the key at this place). Raises Refused.

    A scalar for a scalar keeps the quotes it had; `quote` asks for double ones.
    """
    node = _find_value(_find_node(tree, start, end))
    return _plan_replacement(tree, node, value, '"' if quote else None)


def put(tree: Tree, start: int, end: int, path: tuple[str, ...], value: Value) -> Edit:
    """Set a key below the mapping at this place (or of the key at this place; 0, 0: the whole text). Raises Refused.

    Keys of `path` that are absent are added, a scalar on the way gives way to a mapping.
    """
    top = start == end == 0
    node = tree.root if top else _find_value(_find_node(tree, start, end))
    if node is None:
        raise EditRefused("the file is empty")
    for n, name in enumerate(path):
        rest: Value = value
        for outer in reversed(path[n:] if node.kind == SCALAR else path[n + 1 :]):
            rest = {outer: rest}
        if node.kind == SCALAR:
            return _plan_replacement(tree, node, rest, None)
        if node.kind != MAP:
            raise EditRefused(f"line {tree.line(node.start)} holds no mapping to put {name} in")
        here = [v for k, v in node.pairs if k.kind == SCALAR and k.text == name]
        if len(here) > 1:
            raise EditRefused(f"{name} appears twice in the mapping on line {tree.line(node.start)}")
        if not here:
            return _plan_insertion(tree, node, name, rest)
        node = here[0]
    return _plan_replacement(tree, node, value, None)


def remove(tree: Tree, start: int, end: int, empties: tuple[str, ...] = ()) -> Edit:
    """Remove the pair or the list item that stands at this place, with the rest of its line. Raises Refused.

    Mappings that it leaves empty go too, as far as their keys are among `empties`.
    """
    node = _find_node(tree, start, end)
    node = node if node.key is not None or node.parent is None or node.parent.kind != MAP else _find_value(node)
    if node.parent is None:
        raise EditRefused("the whole text would go")
    _refuse_shared(tree, node)
    around = node.parent
    while around.parent is not None and len(around.pairs) == 1 and around.key and around.key.text in empties:
        node, around = around, around.parent
    start, end, left = find_removal(tree, around, node)
    return Edit((Piece(start, end, _keep_comments(tree, start, end, left)),), removed=(node,))


def _keep_comments(tree: Tree, start: int, end: int, left: str) -> str:
    """What takes the place of a removed span: what is left of it, and its comments, each on a line of its own."""
    comments = [tree.text[a:b] for a, b in tree.comments if start <= a < end]
    if not comments:
        return left
    newline = detect_newline(tree.text)
    line = start + len(newline) if tree.text.startswith(newline, start) else find_line_start(tree.text, start)
    indent = " " * (len(tree.text[line:]) - len(tree.text[line:].lstrip(" ")))
    if tree.text[line:start].strip() and not left:  # behind the dash of an item, where the next key moves up to
        return "".join(f"{comment}{newline}{' ' * (start - line)}" for comment in comments)
    if left:  # on the line of the key
        return f"{left}  {f'{newline}{indent}'.join(comments)}"
    lines = [f"{indent}{comment}" for comment in comments]
    return newline.join(["", *lines] if line > start else [*lines, ""])


def rename(tree: Tree, start: int, end: int, name: str) -> Edit:
    """Give the key at this place another name. Raises Refused where that name is taken."""
    key = _find_node(tree, start, end)
    mapping = key.parent
    if mapping is None or all(k is not key for k, _ in mapping.pairs):
        raise EditRefused(f"there is no key on line {tree.line(start)}")
    if any(k.text == name for k, _ in mapping.pairs):
        raise EditRefused(f"there is a {name} next to it")
    return _plan_replacement(tree, key, name, None)


def recomment(tree: Tree, start: int, end: int, text: str) -> Edit:
    """Replace this part of a comment; an empty `text` takes it away, a line that holds nothing else with it."""
    around = next(((a, b) for a, b in tree.comments if a <= start and end <= b), None)
    if around is None:
        raise EditRefused(f"there is no comment on line {tree.line(start)}")
    begin, stop = around
    left = tree.text[begin:start] + text + tree.text[end:stop]
    if left.strip("# \t"):
        left = left.rstrip()
        return Edit((Piece(begin, stop, left),), comment=(begin, left))
    line = find_line_start(tree.text, begin)
    if tree.text[line:begin].strip():  # a value before it
        blanks = len(tree.text[line:begin]) - len(tree.text[line:begin].rstrip())
        return Edit((Piece(begin - blanks, stop, ""),), comment=(begin, ""))
    return Edit((Piece(line, find_next_line(tree.text, stop), ""),), comment=(begin, ""))


def overlap(a: Edit, b: Edit) -> bool:
    """Whether two edits touch the same part of the text."""
    return any(_overlaps(p, q) for p in a.pieces for q in b.pieces)


def _overlaps(a: Piece, b: Piece) -> bool:
    if a.start == a.end or b.start == b.end:  # an insertion, also at the edge of the other: the order would matter
        return a.start <= b.end and b.start <= a.end
    return a.start < b.end and b.start < a.end


# -- making them ---------------------------------------------------------------------------------------------------


def apply(tree: Tree, edits: Iterable[Edit]) -> str:
    """The text with edits made. Raises Refused where two overlap, or the result is not what they mean."""
    edits = list(edits)
    pieces = sorted(p for edit in edits for p in edit.pieces)
    for before, after in pairwise(pieces):
        if _overlaps(before, after):
            raise EditRefused(f"two changes to line {tree.line(after.start)}")
    parts: list[str] = []
    at = 0
    for piece in pieces:
        parts += (tree.text[at : piece.start], piece.text)
        at = piece.end
    text = "".join([*parts, tree.text[at:]])
    _check_result(tree, edits, text)
    return text


def _check_result(tree: Tree, edits: list[Edit], text: str) -> None:
    try:
        after = parse(text)
    except NotYaml as error:
        raise EditRefused(f"the result would not be YAML ({error})") from None
    intended = _Intended(edits)
    if _build_shape(tree.root, intended) != _build_shape(after.root, _Intended([])):
        raise EditRefused("the result would differ from what is intended")
    new = {edit.comment[0]: edit.comment[1] for edit in edits if edit.comment is not None}
    kept = [new.get(start, tree.text[start:end]) for start, end in tree.comments]
    if [c for c in kept if c] != [after.text[start:end] for start, end in after.comments]:
        raise EditRefused("a comment would be lost")


class _Intended:
    def __init__(self, edits: list[Edit]) -> None:
        self.replaced = {id(node): shape for edit in edits for node, shape in edit.replaced}
        self.removed = {id(node) for edit in edits for node in edit.removed}
        self.added: dict[int, list[tuple[Shape, Shape]]] = {}
        for edit in edits:
            for mapping, key, value in edit.added:
                self.added.setdefault(id(mapping), []).append((key, value))


def _build_shape(node: Node | None, intended: _Intended) -> Shape:
    if node is None:
        return ()
    known = intended.replaced.get(id(node))
    if known is not None:
        return known
    if node.kind == SCALAR:
        return SCALAR, node.anchor, node.text, node.style
    if node.kind == ALIAS:
        return ALIAS, node.text
    if node.kind == SEQ:
        return (
            SEQ,
            node.anchor,
            *(_build_shape(item, intended) for item in node.items if id(item) not in intended.removed),
        )
    pairs = [
        (_build_shape(k, intended), _build_shape(v, intended)) for k, v in node.pairs if id(v) not in intended.removed
    ]
    return MAP, node.anchor, *pairs, *intended.added.get(id(node), ())


def _parse_shape(source: str, anchor: str | None = None, *, flow: bool, key: bool = False) -> Shape:
    """The shape that a piece of source will have where it is put."""
    text = f"{source}: x" if key else f"x: {source}"
    root = parse(f"{{{text}}}" if flow else text).root
    assert root is not None
    found = _build_shape(root.pairs[0][0 if key else 1], _Intended([]))
    return (found[0], anchor, *found[2:])


# -- finding -------------------------------------------------------------------------------------------------------


def _find_node(tree: Tree, start: int, end: int) -> Node:
    node = tree.node_at(start, end)
    if node is None:
        raise EditRefused(f"nothing on line {tree.line(start)} can be changed")
    return node


def _find_value(node: Node) -> Node:
    """The value of a key; any other node itself."""
    if node.parent is not None and node.parent.kind == MAP and node.key is None:
        return next(value for key, value in node.parent.pairs if key is node)
    return node


def _refuse_shared(tree: Tree, node: Node) -> None:
    """Raise where what is changed stands for other places too, through an alias."""
    above: Node | None = node.parent if node.kind == ALIAS else node
    while above is not None:
        if above.users:
            lines = ", ".join(str(tree.line(user.start)) for user in above.users)
            raise EditRefused(f"*{above.anchor} repeats it on line {lines}: it must be changed by hand")
        above = above.parent
    below = [node]
    while below:
        inner = below.pop()
        if inner.users:
            raise EditRefused(f"line {tree.line(inner.users[0].start)} repeats a part of it as *{inner.anchor}")
        below += inner.children


# -- writing -------------------------------------------------------------------------------------------------------


def _is_in_flow(node: Node) -> bool:
    above = node.parent
    return above is not None and above.flow


def _plan_replacement(tree: Tree, node: Node, value: Value, style: str | None) -> Edit:
    _refuse_shared(tree, node)
    flow, is_key = _is_in_flow(node), node.parent is not None and node.parent.kind == MAP and node.key is None
    anchor = node.anchor
    if node.kind == SCALAR and isinstance(value, str):
        wanted = node.style if style is None else style
        source = format_scalar(value, "" if wanted in "|>" else wanted, flow=flow, key=is_key)
    else:
        source = format_flow(value, flow=flow)
    shape = _parse_shape(source, anchor, flow=flow, key=is_key)
    start, end = node.body, find_node_end(tree, node, kept=False)
    if node.kind in (MAP, SEQ) and not node.flow:
        if anchor is not None:
            raise EditRefused(f"the block on line {tree.line(node.start)} has the anchor &{anchor}")
        start = find_value_start(tree, node)
        source = " " + source if start != node.start else source
    elif node.kind == SCALAR and start == end:
        source = " " + source  # it takes the place of nothing: right behind a colon or dash
    if any(start <= a < end for a, _ in tree.comments):
        raise EditRefused(f"a comment is inside the block that line {tree.line(start)} begins")
    return Edit((Piece(start, end, source),), replaced=((node, shape),))


def _plan_insertion(tree: Tree, mapping: Node, name: str, value: Value) -> Edit:
    """Add a pair behind the last one."""
    _refuse_shared(tree, mapping)
    text = tree.text
    key, source = format_scalar(name, flow=mapping.flow, key=True), format_flow(value, flow=mapping.flow)
    added = ((mapping, _parse_shape(key, flow=mapping.flow, key=True), _parse_shape(source, flow=mapping.flow)),)
    pair = f"{key}: {source}"
    if mapping.flow:
        if text[mapping.body : mapping.body + 1] != "{":
            raise EditRefused(f"the mapping on line {tree.line(mapping.start)} has no brackets")
        if not mapping.pairs:
            return Edit((Piece(mapping.body + 1, mapping.body + 1, pair),), added=added)
        last = mapping.pairs[-1][1]
        comma = find_comma(tree, last.end, mapping.end)
        if comma is not None:
            return Edit((Piece(comma + 1, comma + 1, f" {pair}"),), added=added)
        return Edit((Piece(last.end, last.end, f", {pair}"),), added=added)
    first, last = mapping.pairs[0][0], mapping.pairs[-1][1]
    begin = find_line_start(text, first.start)
    indent = " " * (first.start - begin)
    end = find_node_end(tree, last)
    if end and text[end - 1] == "\n":  # behind the line breaks that a block scalar keeps
        return Edit((Piece(end, end, f"{indent}{pair}{detect_newline(text)}"),), added=added)
    at = find_line_end(text, end)
    return Edit((Piece(at, at, f"{detect_newline(text)}{indent}{pair}"),), added=added)
