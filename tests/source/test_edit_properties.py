"""Whatever the text: an edit changes what it says, and no other value, comment or line. PyYAML is the judge."""

from __future__ import annotations

import re
from typing import Any

import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from yaml_texts import KEYS, WORDS, texts

from rocecfg.source.edit import EditRefused, apply, put, remove, rename, replace
from rocecfg.source.tree import MAP, SCALAR, Node, Tree, parse

SLOW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# the only reasons for which a text without anchors may be left alone
MAY = re.compile(r"a comment is inside|has no brackets|there is a .* next to it")


def justified(text: str, why: EditRefused) -> None:
    """Fail unless this is a good reason; blank lines that move up to a text which keeps them (`|+`) are one, too."""
    assert MAY.search(str(why)) or ("|+" in text and "something else" in str(why)), why


class Place:
    """A node with its path of keys and positions from the root."""

    def __init__(self, node: Node, path: tuple[Any, ...]) -> None:
        self.node = node
        self.path = path


def places(tree: Tree) -> list[Place]:
    out = []

    def below(node: Node, path: tuple[Any, ...]) -> None:
        out.append(Place(node, path))
        for key, value in node.pairs:
            below(value, (*path, key.text))
        for n, item in enumerate(node.items):
            below(item, (*path, n))

    assert tree.root is not None
    below(tree.root, ())
    return out


def data(text: str) -> Any:
    """What a text says, all scalars as text."""
    return yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 - a loader of nothing but text


def holder(root: Any, path: tuple[Any, ...]) -> Any:
    for step in path[:-1]:
        root = root[step]
    return root


def comment_texts(text: str) -> list[str]:
    return [text[a:b] for a, b in parse(text).comments]


def assert_only(before: str, after: str, lines: set[int]) -> None:
    """Fail where what stands before the first of these lines (numbers from 0), or behind the last, is not as it was."""
    old, new = before.splitlines(), after.splitlines()
    first, behind = min(lines), len(old) - 1 - max(lines)
    assert new[:first] == old[:first]
    assert behind <= 0 or new[-behind:] == old[-behind:]


def own_lines(text: str, start: int, end: int) -> set[int]:
    return set(range(text.count("\n", 0, start), text.count("\n", 0, end) + 1))


def extent(tree: Tree, node: Node) -> tuple[int, int]:
    """Where a pair (by its value) or an item begins, with its key or dash, and where it ends."""
    if node.key is not None:
        return node.key.start, node.end
    start = node.start
    if node.parent is not None and not node.parent.flow:
        start = tree.text.rfind("-", 0, start)
        while any(a <= start < b for a, b in tree.comments):
            start = tree.text.rfind("-", 0, start)
    return start, node.end


def may_change(tree: Tree, node: Node, *, last: bool) -> set[int]:
    """The lines that removing a node may change: its own, and those that it shares with what stands around it."""
    around = node.parent
    assert around is not None
    parts = [value for _, value in around.pairs] if around.pairs else around.items
    n = next(i for i, part in enumerate(parts) if part is node)
    start, end = extent(tree, node)
    if last:  # {} or [] takes its place, behind the key
        start, end = (around.key or around).start, around.end
    elif n + 1 < len(parts) and tree.text[tree.text.rfind("\n", 0, start) + 1 : start].strip():
        end = extent(tree, parts[n + 1])[0]  # the next one moves up
    return own_lines(tree.text, start, end) | own_lines(tree.text, max(0, start - 1), end + 1)


@given(texts(), st.data())
@SLOW
def test_replace(text: str, draw: st.DataObject) -> None:
    tree = parse(text)
    found = [p for p in places(tree) if p.path and tree.node_at(p.node.start, p.node.end) is p.node]
    place = draw.draw(st.sampled_from(found)) if found else None
    if place is None:
        return
    value = draw.draw(st.one_of(st.sampled_from(WORDS), st.just({"a": ["1", "x, y"]}), st.text(max_size=5)))
    want = data(text)
    holder(want, place.path)[place.path[-1]] = value
    try:
        after = apply(tree, [replace(tree, place.node.start, place.node.end, value)])
    except EditRefused as why:
        justified(text, why)
        return
    assert data(after) == want
    assert comment_texts(after) == comment_texts(text)
    if place.node.kind == SCALAR:
        assert_only(text, after, own_lines(text, *extent(tree, place.node)))


@given(texts(), st.data())
@SLOW
def test_remove(text: str, draw: st.DataObject) -> None:
    tree = parse(text)
    place = draw.draw(st.sampled_from([p for p in places(tree) if p.path]))
    node = place.node.key or place.node
    if tree.node_at(node.start, node.end) is not node:
        return
    want = data(text)
    inside = holder(want, place.path)
    inside.pop(place.path[-1])
    try:
        after = apply(tree, [remove(tree, node.start, node.end)])
    except EditRefused as why:
        justified(text, why)
        return
    assert data(after) == want
    assert_only(text, after, may_change(tree, place.node, last=not inside))
    assert comment_texts(after) == comment_texts(text)


@given(texts(), st.data())
@SLOW
def test_put(text: str, draw: st.DataObject) -> None:
    tree = parse(text)
    place = draw.draw(st.sampled_from([p for p in places(tree) if p.node.kind == MAP]))
    key = place.node.key
    at = (key.start, key.end) if key is not None else (place.node.start, place.node.end)
    if key is None and (place.path and tree.node_at(*at) is not place.node):
        return
    path = tuple(draw.draw(st.lists(st.sampled_from([*KEYS, "fresh"]), min_size=1, max_size=2)))
    value = draw.draw(st.sampled_from(["5%", "# x", {"action": "drop"}, ["3", "4"]]))
    want = data(text)
    inside = want
    for step in place.path:
        inside = inside[step]
    for step in path[:-1]:
        if isinstance(inside.get(step), list):
            return
        if not isinstance(inside.get(step), dict):
            inside[step] = {}
        inside = inside[step]
    inside[path[-1]] = value
    start, end = at if place.path else (0, 0)
    try:
        after = apply(tree, [put(tree, start, end, path, value)])
    except EditRefused as why:
        justified(text, why)
        return
    assert data(after) == want
    assert comment_texts(after) == comment_texts(text)
    assert after.count("\r\n") in (0, after.count("\n"))


@given(texts(), st.data())
@SLOW
def test_rename(text: str, draw: st.DataObject) -> None:
    tree = parse(text)
    keyed = [p for p in places(tree) if p.node.key is not None]
    place = draw.draw(st.sampled_from(keyed))
    key = place.node.key
    assert key is not None
    name = draw.draw(st.sampled_from(["fresh", "a, b", "leaf[1]", "#", *KEYS]))
    try:
        after = apply(tree, [rename(tree, key.start, key.end, name)])
    except EditRefused as why:
        justified(text, why)
        return
    want = data(text)
    inside = holder(want, place.path)
    renamed = {name if k == key.text else k: v for k, v in inside.items()}
    inside.clear()
    inside.update(renamed)
    assert data(after) == want
    assert list(holder(data(after), place.path)) == list(renamed)
    assert comment_texts(after) == comment_texts(text)
    assert_only(text, after, own_lines(text, key.start, key.end))


@given(texts(), st.data())
@SLOW
def test_several_at_once_are_each_made_or_refused_together(text: str, draw: st.DataObject) -> None:
    tree = parse(text)
    want = data(text)
    scalars = [p for p in places(tree) if p.node.kind == SCALAR and p.node.start < p.node.end]
    chosen = draw.draw(st.lists(st.sampled_from(scalars), unique_by=id, max_size=4)) if scalars else []
    edits = []
    for place in chosen:
        edits.append(replace(tree, place.node.start, place.node.end, "9"))
        holder(want, place.path)[place.path[-1]] = "9"
    after = apply(tree, edits)
    assert data(after) == want
    assert comment_texts(after) == comment_texts(text)
