"""Plain values as YAML source: scalars quoted only where they must be, collections in brackets."""

from __future__ import annotations

from rocecfg.source.tree import MAP, SCALAR, NotYaml, parse

Value = str | list["Value"] | dict[str, "Value"]

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def format_scalar(text: str, style: str = "", *, flow: bool, key: bool = False) -> str:
    """A scalar that reads as `text`: in the style asked for (plain where it is empty) or, where that fails, quoted.

    `flow`: it stands inside brackets; `key`: it is a mapping's key.
    """
    if style == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if style == "" and _is_plain_safe(text, flow=flow, key=key):
        return text
    return '"' + "".join(_escape(c) for c in text) + '"'


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _is_plain_safe(text: str, *, flow: bool, key: bool) -> bool:
    if not text or text != text.strip() or not text.isprintable():
        return False
    inner = f"{text}: x" if key else f"x: {text}"
    try:
        root = parse(f"{{{inner}}}" if flow else inner).root
    except NotYaml:
        return False
    if root is None or root.kind != MAP or len(root.pairs) != 1:
        return False
    node = root.pairs[0][0 if key else 1]
    return node.kind == SCALAR and node.text == text and node.style == "" and node.start == node.body


def format_flow(value: Value, *, flow: bool) -> str:
    """A value on one line: collections as {a: b} and [a, b]. `flow`: the place is inside brackets already."""
    if isinstance(value, str):
        return format_scalar(value, flow=flow)
    if isinstance(value, dict):
        pairs = (f"{format_scalar(k, flow=True, key=True)}: {format_flow(v, flow=True)}" for k, v in value.items())
        return "{" + ", ".join(pairs) + "}"
    return "[" + ", ".join(format_flow(item, flow=True) for item in value) + "]"
