"""What the pointer is told: what a key means, what may stand there, and what it came to."""

from __future__ import annotations

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from rocecfg.lsp import schema
from rocecfg.lsp.buffers import Buffer
from rocecfg.lsp.fabrics import Judged
from rocecfg.lsp.pointed import Pointed, pointed
from rocecfg.lsp.values import Value, effective
from rocecfg.report.plan import Origins

_MOST = 40  # values that fit a popup


def hover(buffer: Buffer, offset: int, path: str, judged: Judged | None, kind: MarkupKind) -> Hover | None:
    """About the key or value at an offset of a file; `judged`: a fabric of it, of this very text."""
    place = pointed(buffer.text, offset)
    if place is None or not schema.at(place.path):
        return None
    plain = kind == MarkupKind.PlainText
    values = _values(place, path, judged)
    parts = [_meaning(place, plain=plain)]
    if values:
        shown = [_line(value, plain=plain) for value in values[:_MOST]]
        parts.append("\n".join([*shown, *([f"- … {len(values) - _MOST} more"] if len(values) > _MOST else [])]))
    return Hover(MarkupContent(kind, "\n\n".join(parts)), buffer.lines.range(place.start, place.end))


def _meaning(place: Pointed, *, plain: bool) -> str:
    keys = tuple(part for part in place.path if part != schema.ITEM)
    name, told, wanted = keys[-1] if keys else "", schema.about(keys), schema.wants(place.path)
    if not plain:
        name, told, wanted = f"**{_escaped(name)}**", _escaped(told), _escaped(wanted)
    head = f"{name}: {told}" if told else name
    return "".join([head, ("\n" if plain else "  \n") + wanted if wanted else ""])


def _line(value: Value, *, plain: bool) -> str:
    where = f" on {value.where}" if value.where else ""
    why = f": {value.why}" if value.why else ""
    if plain:
        return f"- {value.name} {value.text}{where}{why}"
    return f"- `{value.name}` **{_escaped(value.text)}**{_escaped(where)}{_escaped(why)}"


def _escaped(text: str) -> str:
    """For Markdown; an underscore inside a word and brackets without a link mean nothing to it."""
    return "".join(f"\\{c}" if c in "\\`*<" else c for c in text)


def _values(place: Pointed, path: str, judged: Judged | None) -> list[Value]:
    if judged is None or judged.loaded.fabric is None:
        return []
    document = judged.where.document(path)
    if document is None:
        return []
    say = Origins(judged.where.sources, judged.where.folder, inputs=False)
    return effective(judged.loaded.fabric, document.number, place, say)
