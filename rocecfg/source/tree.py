"""YAML as it is written: what an edit must know and reading does not, such as styles, anchors, aliases, comments.

Built only where a text is to be changed. Reading an intent takes `rocecfg.source.yaml`, which is several times faster.
"""

from __future__ import annotations

from typing import Any

SCALAR, MAP, SEQ, ALIAS = "scalar", "map", "seq", "alias"


class NotYaml(Exception):
    """The text cannot be parsed, or is more than one document."""


class Node:
    """A node: `start` counts its anchor and tag in, `body` does not; a block ends where its last child does."""

    __slots__ = (
        "anchor",
        "body",
        "end",
        "flow",
        "items",
        "key",
        "kind",
        "pairs",
        "parent",
        "start",
        "style",
        "text",
        "users",
    )

    def __init__(self, kind: str, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.body = start
        self.end = end
        self.text = ""  # of a scalar, unquoted; of an alias, its name
        self.style = ""  # of a scalar: "" plain, ' " | >
        self.flow = False  # of a collection: in brackets
        self.anchor: str | None = None
        self.pairs: list[tuple[Node, Node]] = []
        self.items: list[Node] = []
        self.parent: Node | None = None
        self.key: Node | None = None  # of a mapping's value
        self.users: list[Node] = []  # the aliases that stand for it

    @property
    def children(self) -> list[Node]:
        """Keys and values of a mapping, items of a list; in written order."""
        return [part for pair in self.pairs for part in pair] if self.kind == MAP else self.items


class Tree:
    """A text and its nodes."""

    __slots__ = ("_places", "comments", "root", "text")

    def __init__(self, text: str, root: Node | None, nodes: list[Node]) -> None:
        self.text = text
        self.root = root
        self.comments = _find_comments(text, nodes)  # where they stand, from their # to the end of the line
        self._places: dict[tuple[int, int], Node] = {}
        for node in nodes:  # a scalar wins over a collection that holds nothing else, an inner one over an outer
            known = self._places.setdefault((node.start, node.end), node)
            if node.kind == SCALAR and known.kind != SCALAR:
                self._places[node.start, node.end] = node

    def node_at(self, start: int, end: int) -> Node | None:
        """The node of this place: a scalar, or else the smallest collection that begins and ends there."""
        return self._places.get((start, end))

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return self.text.count("\n", 0, offset) + 1


def _find_comments(text: str, nodes: list[Node]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    at = 0
    leaves = sorted((n.start, n.end) for n in nodes if n.kind in (SCALAR, ALIAS))
    for start, end in [*leaves, (len(text), len(text))]:
        while (found := text.find("#", at, start)) >= 0:
            at = text.find("\n", found)
            at = len(text) if at < 0 else at
            out.append((found, found + len(text[found:at].rstrip("\r"))))
        at = max(at, end)
    return out


def parse(text: str) -> Tree:
    """The tree of a text of one document. Raises NotYaml."""
    import yaml

    parser: Any = yaml.CLoader if yaml.__with_libyaml__ else yaml.Loader
    try:
        return _build(text, parser(text))
    except yaml.YAMLError as error:
        raise NotYaml(str(getattr(error, "problem", None) or error)) from None


def _build(text: str, parser: Any) -> Tree:
    import yaml

    nodes: list[Node] = []
    anchors: dict[str, Node] = {}
    stack: list[Node] = []
    root: Node | None = None
    documents = 0
    while not isinstance(event := parser.get_event(), yaml.StreamEndEvent):
        node: Node | None = None
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise NotYaml("a second YAML document")
        elif isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent | yaml.AliasEvent):
            node = _build_node(text, event)
            if event.anchor is not None and node.kind == ALIAS:
                if event.anchor not in anchors:
                    raise NotYaml(f"the alias *{event.anchor} has no anchor before it")
                anchors[event.anchor].users.append(node)
            elif event.anchor is not None:
                anchors[event.anchor] = node
            node.parent = stack[-1] if stack else None
            if node.kind in (MAP, SEQ):
                stack.append(node)
                continue
        elif isinstance(event, yaml.CollectionEndEvent):
            node = _close_node(stack.pop(), event)
        if node is not None:
            nodes.append(node)
            if node.parent is None:
                root = node
            else:
                node.parent.items.append(node)
    return Tree(text, root, nodes)


def _build_node(text: str, event: Any) -> Node:
    import yaml

    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, yaml.AliasEvent):
        node = Node(ALIAS, start, end)
        node.text = str(event.anchor)
        return node
    if isinstance(event, yaml.ScalarEvent):
        node = Node(SCALAR, start, end)
        node.text = event.value
        node.style = event.style or ""
    else:
        node = Node(MAP if isinstance(event, yaml.MappingStartEvent) else SEQ, start, end)
        node.flow = bool(event.flow_style)
    node.anchor = event.anchor
    if node.kind == SCALAR or node.flow:
        last = end if node.kind == SCALAR else len(text)
        while node.body < last and text[node.body] in "&!" and (event.anchor is not None or event.tag is not None):
            while node.body < last and not text[node.body].isspace():
                node.body += 1
            while node.body < last and text[node.body].isspace():
                node.body += 1
    return node


def _close_node(node: Node, event: Any) -> Node:
    inner = node.items
    if node.flow:
        node.end = max(event.end_mark.index, inner[-1].end if inner else 0)
    elif inner:
        node.end = inner[-1].end
    if node.kind == MAP:
        node.pairs = list(zip(inner[::2], inner[1::2], strict=True))
        node.items = []
        for key, value in node.pairs:
            value.key = key
    return node
