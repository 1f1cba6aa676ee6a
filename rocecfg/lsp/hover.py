"""What the pointer is told: what a key means, what may stand there, and what it came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from lsprotocol.types import Hover, MarkupContent, MarkupKind

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.lsp import schema
from rocecfg.lsp.cursor import Pointed, find_pointed
from rocecfg.lsp.fabrics import JudgedFabric
from rocecfg.lsp.texts import OpenText
from rocecfg.model import Fabric, Origin, Span
from rocecfg.report.plan import Origins, PlanElement, PlanRow, list_elements
from rocecfg.source.yaml import Scalar

_MOST = 40  # values that fit a popup


def make_hover(buffer: OpenText, offset: int, path: str, judged: JudgedFabric | None, kind: MarkupKind) -> Hover | None:
    """About the key or value at an offset of a file; `checked`: a fabric of it, of this very text."""
    place = find_pointed(buffer.text, offset)
    if place is None or not schema.find_schemas(place.path):
        return None
    plain = kind == MarkupKind.PlainText
    values = _find_values(place, path, judged)
    parts = [_describe_meaning(place, plain=plain)]
    if values:
        shown = [_format_line(value, plain=plain) for value in values[:_MOST]]
        parts.append("\n".join([*shown, *([f"- … {len(values) - _MOST} more"] if len(values) > _MOST else [])]))
    return Hover(MarkupContent(kind, "\n\n".join(parts)), buffer.lines.range(place.start, place.end))


def _describe_meaning(place: Pointed, *, plain: bool) -> str:
    keys = tuple(part for part in place.path if part != schema.ITEM)
    name, meaning, wanted = keys[-1] if keys else "", schema.describe_key(keys), schema.describe_place(place.path)
    if not plain:
        name, meaning, wanted = f"**{_escape_markdown(name)}**", _escape_markdown(meaning), _escape_markdown(wanted)
    head = f"{name}: {meaning}" if meaning else name
    return "".join([head, ("\n" if plain else "  \n") + wanted if wanted else ""])


def _format_line(value: EffectiveValue, *, plain: bool) -> str:
    where = f" on {value.where}" if value.where else ""
    why = f": {value.why}" if value.why else ""
    if plain:
        return f"- {value.name} {value.text}{where}{why}"
    return f"- `{value.name}` **{_escape_markdown(value.text)}**{_escape_markdown(where)}{_escape_markdown(why)}"


def _escape_markdown(text: str) -> str:
    """For Markdown; an underscore inside a word and brackets without a link mean nothing to it."""
    return "".join(f"\\{c}" if c in "\\`*<" else c for c in text)


def _find_values(place: Pointed, path: str, judged: JudgedFabric | None) -> list[EffectiveValue]:
    if judged is None or judged.loaded.fabric is None:
        return []
    document = judged.where.document(path)
    if document is None:
        return []
    say = Origins(judged.where.sources, judged.where.folder, inputs=False)
    return find_effective_values(judged.loaded.fabric, document.number, place, say)


# -- effective values --------------------------------------------------------------------------------------------------

# Effective values that stem from a place in a text, for the pointer: each once, with what it reaches.


_WIDEST = 60  # characters of a node set
_Hit = tuple[PlanElement, PlanRow]


class EffectiveValue(NamedTuple):
    """A value in effect, in words; `where` and `why` are empty where they are the place itself."""

    name: str
    text: str
    where: str  # what it is in effect on
    why: str  # where it came from


def find_effective_values(fabric: Fabric, doc: int, place: Pointed, say: Origins) -> list[EffectiveValue]:
    """What is in effect because of a key or value of document `doc`, each value once.

    Of the key of a device, a class or ports: all that is in effect there. Of `auto`: what it came to.
    """
    if place.key is None or place.value is None:
        return []
    own = Span(doc, place.key.start, place.key.end)
    if place.is_key and not isinstance(place.value, Scalar):
        whole = [(e, row) for e in list_elements(fabric) if e.kind != "fabric" and e.at == own for row in e.rows]
        if whole:
            return _fold_hits(whole, lambda row: say(row.origin), own)
    if isinstance(place.value, Scalar):
        set_here = Span(doc, place.value.start, place.value.end)
        hits = list(_find_hits(fabric, lambda origin: origin in (set_here, own)))
    else:
        start, end = place.key.start, place.value.end

        def inside(origin: Origin) -> bool:
            return isinstance(origin, Span) and origin.doc == doc and start <= origin.start and origin.end <= end

        hits = list(_find_hits(fabric, inside)) if len(place.path) > 1 else []
    return _fold_hits(hits, lambda row: "" if isinstance(row.origin, Span) else say(row.origin), own)


def _find_hits(fabric: Fabric, wanted: Callable[[Origin], bool]) -> Iterator[_Hit]:
    for element in list_elements(fabric):
        for row in element.rows:
            if wanted(row.origin):
                yield element, row
                if row.value == "auto":
                    yield from ((element, r) for r in element.rows if r.name.startswith(f"{row.name}."))


def _fold_hits(hits: Iterable[_Hit], origin: Callable[[PlanRow], str], own: Span) -> list[EffectiveValue]:
    folded: dict[tuple[str, str, str, str], list[PlanElement]] = {}
    for element, row in hits:
        cls = element.name if element.kind == "class" and element.at != own else ""
        why = f"{origin(row)} {row.note}".strip()
        folded.setdefault((cls, row.name, row.text, why), []).append(element)
    variants = Counter((cls, name) for cls, name, _, _ in folded)
    return [
        EffectiveValue(
            name, text, _describe_reach(cls, of) if variants[cls, name] > 1 or any(e.at != own for e in of) else "", why
        )
        for (cls, name, text, why), of in folded.items()
    ]


def _describe_reach(cls: str, where: list[PlanElement]) -> str:
    if where[0].kind == "fabric":
        return "the fabric"
    names = dict.fromkeys(n for e in where if e.device is not None for n in e.device.names)
    devices = _shorten(fold(tuple(names))) if names else "every device"
    parts = [f"class {cls}"] if cls else []
    if where[0].kind == "ports":
        keys = dict.fromkeys(e.name for e in where)
        count = sum(len(e.ports.names) * len(e.device.names) for e in where if e.ports and e.device)
        parts.append((_shorten(next(iter(keys))) or "every port") if len(keys) == 1 else f"{count} ports")
    return " of ".join([*parts, devices])


def _shorten(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
