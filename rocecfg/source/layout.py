"""Where things stand in a YAML text: lines, their rests, commas, the true end of a block, and what a removal takes."""

from __future__ import annotations

from rocecfg.source.tree import MAP, SCALAR, SEQ, Node, Tree


class EditRefused(Exception):
    """The change cannot be made by itself: why, in words for the user."""


def find_line_start(text: str, offset: int) -> int:
    """Where the line of an offset begins."""
    return text.rfind("\n", 0, offset) + 1


def find_line_end(text: str, offset: int) -> int:
    """Where the line of an offset ends, before its line break."""
    at = text.find("\n", offset)
    if at < 0:
        return len(text)
    return at - 1 if at > offset and text[at - 1] == "\r" else at


def find_next_line(text: str, offset: int) -> int:
    """Where the next line begins; the offset itself where a line begins there already."""
    if offset and text[offset - 1] == "\n":  # behind the line breaks that a block scalar keeps
        return offset
    at = text.find("\n", offset)
    return len(text) if at < 0 else at + 1


def detect_newline(text: str) -> str:
    """The line break that a text uses."""
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def find_rest_end(tree: Tree, offset: int) -> int:
    """The end of the line if nothing but blanks and a comment follows; else the offset itself."""
    end = find_line_end(tree.text, offset)
    comment = next((a for a, _ in tree.comments if offset <= a < end), end)
    return offset if tree.text[offset:comment].strip() else end


def find_comma(tree: Tree, start: int, end: int) -> int | None:
    """Where a comma stands in a stretch between two nodes, comments aside."""
    at = tree.text.find(",", start, end)
    while at >= 0:
        inside = next((b for a, b in tree.comments if a <= at < b), None)
        if inside is None:
            return at
        at = tree.text.find(",", inside, end)
    return None


def find_node_end(tree: Tree, node: Node, *, kept: bool = True) -> int:
    """Where a node's own text ends: a block scalar's mark stands behind the blank lines that follow it.

    `kept`: line breaks that `|+` makes part of the value count.
    """
    while node.kind in (MAP, SEQ) and not node.flow and node.children:
        node = node.children[-1]
    if node.kind == SCALAR and node.style in ("|", ">"):
        written = tree.text[node.body : node.end]
        if not kept or "+" not in written.partition("\n")[0]:
            return node.body + len(written.rstrip())
    return node.end


def find_value_start(tree: Tree, node: Node) -> int:
    """Where the value of a key may begin on the key's own line; the node's start where something stands between."""
    if node.key is None:
        return node.start
    colon = tree.text.find(":", node.key.end, node.start)
    blank = colon >= 0 and not tree.text[colon + 1 : node.start].strip()
    return colon + 1 if blank else node.start


def find_removal(tree: Tree, around: Node, node: Node) -> tuple[int, int, str]:
    """The span to take out so that a pair (by its value) or an item is gone, and what stays. Raises Refused."""
    parts = [value for _, value in around.pairs] if around.kind == MAP else around.items
    n = next(i for i, part in enumerate(parts) if part is node)
    begin = _find_start(tree, around, parts, n)
    end = find_node_end(tree, node)
    follows = _find_start(tree, around, parts, n + 1) if n + 1 < len(parts) else None
    if around.flow:
        return (*_find_flow_removal(tree, around, (begin, end), parts[n - 1].end if n else None, follows), "")
    text = tree.text
    if len(parts) == 1:
        if around.anchor is not None:
            raise EditRefused(f"the block on line {tree.line(around.start)} has the anchor &{around.anchor}")
        start = find_value_start(tree, around)
        empty = "{}" if around.kind == MAP else "[]"
        end = find_node_end(tree, node, kept=False)  # what is left needs a line break behind it
        return start, find_rest_end(tree, end), empty if start == around.start else f" {empty}"
    line = find_line_start(text, begin)
    if text[line:begin].strip():  # the first one, behind the dash of a list: the next one moves up
        assert follows is not None
        if any(find_next_line(text, end) <= a < follows for a, _ in tree.comments):
            raise EditRefused(f"a comment is between line {tree.line(begin)} and the lines that would move up")
        return begin, follows, ""
    after = find_next_line(text, end)
    if after == len(text) and not text.endswith("\n") and line:  # no line break is left over at the end
        line -= 2 if text[line - 2 : line] == "\r\n" else 1
    return line, after, ""


def _find_start(tree: Tree, around: Node, parts: list[Node], n: int) -> int:
    """Where a pair or an item begins: its key, its dash."""
    part = parts[n]
    if part.key is not None:
        return part.key.start
    if around.flow:
        return part.start
    start = parts[n - 1].end if n else around.start
    at = tree.text.rfind("-", start, part.start)
    while any(a <= at < b for a, b in tree.comments):
        at = tree.text.rfind("-", start, at)
    return at


def _find_flow_removal(
    tree: Tree, around: Node, own: tuple[int, int], before: int | None, follows: int | None
) -> tuple[int, int]:
    text = tree.text
    begin, end = own
    line = find_line_start(text, begin)
    comma = find_comma(tree, end, follows if follows is not None else around.end)
    stop = end if comma is None else comma + 1
    rest = find_rest_end(tree, stop)
    if before is None and follows is None:  # the only one
        return begin, stop
    if not text[line:begin].strip() and line > around.body and rest == find_line_end(text, stop):
        return line, find_next_line(text, rest)  # alone on its lines; a comma may stay before the closing bracket
    if follows is not None and not text[stop:follows].strip(" \t"):
        return begin, follows
    joined = before is not None and not text[before:begin].strip(" \t,")
    if before is not None and joined and comma is None:
        return before, end
    if before is not None and joined:  # the last of its line: the comma behind it stays
        return (find_comma(tree, before, begin) or before), stop - 1
    return begin, stop
