"""Effective values that stem from a place in a text, for the pointer: each once, with what it reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.lsp.pointed import Pointed
from rocecfg.model import Fabric, Origin, Span
from rocecfg.report.plan import Element, Origins, Row, elements
from rocecfg.source.yaml import Scalar

_WIDEST = 60  # characters of a node set
_Hit = tuple[Element, Row]


class Value(NamedTuple):
    """A value in effect, in words; `where` and `why` are empty where they are the place itself."""

    name: str
    text: str
    where: str  # what it is in effect on
    why: str  # where it came from


def effective(fabric: Fabric, doc: int, place: Pointed, say: Origins) -> list[Value]:
    """What is in effect because of a key or value of document `doc`, each value once.

    Of the key of a device, a class or ports: all that is in effect there. Of `auto`: what it came to.
    """
    if place.key is None or place.value is None:
        return []
    own = Span(doc, place.key.start, place.key.end)
    if place.is_key and not isinstance(place.value, Scalar):
        whole = [(e, row) for e in elements(fabric) if e.kind != "fabric" and e.at == own for row in e.rows]
        if whole:
            return _folded(whole, lambda row: say(row.origin), own)
    if isinstance(place.value, Scalar):
        set_here = Span(doc, place.value.start, place.value.end)
        hits = list(_hits(fabric, lambda origin: origin in (set_here, own)))
    else:
        start, end = place.key.start, place.value.end

        def inside(origin: Origin) -> bool:
            return isinstance(origin, Span) and origin.doc == doc and start <= origin.start and origin.end <= end

        hits = list(_hits(fabric, inside)) if len(place.path) > 1 else []
    return _folded(hits, lambda row: "" if isinstance(row.origin, Span) else say(row.origin), own)


def _hits(fabric: Fabric, wanted: Callable[[Origin], bool]) -> Iterator[_Hit]:
    for element in elements(fabric):
        for row in element.rows:
            if wanted(row.origin):
                yield element, row
                if row.value == "auto":
                    yield from ((element, r) for r in element.rows if r.name.startswith(f"{row.name}."))


def _folded(hits: Iterable[_Hit], origin: Callable[[Row], str], own: Span) -> list[Value]:
    folded: dict[tuple[str, str, str, str], list[Element]] = {}
    for element, row in hits:
        cls = element.name if element.kind == "class" and element.at != own else ""
        why = f"{origin(row)} {row.note}".strip()
        folded.setdefault((cls, row.name, row.text, why), []).append(element)
    variants = Counter((cls, name) for cls, name, _, _ in folded)
    return [
        Value(name, text, _reach(cls, of) if variants[cls, name] > 1 or any(e.at != own for e in of) else "", why)
        for (cls, name, text, why), of in folded.items()
    ]


def _reach(cls: str, where: list[Element]) -> str:
    if where[0].kind == "fabric":
        return "the fabric"
    names = dict.fromkeys(n for e in where if e.device is not None for n in e.device.names)
    devices = _short(fold(tuple(names))) if names else "every device"
    parts = [f"class {cls}"] if cls else []
    if where[0].kind == "ports":
        keys = dict.fromkeys(e.name for e in where)
        count = sum(len(e.ports.names) * len(e.device.names) for e in where if e.ports and e.device)
        parts.append((_short(next(iter(keys))) or "every port") if len(keys) == 1 else f"{count} ports")
    return " of ".join([*parts, devices])


def _short(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
