"""Numbers of the advice as people read them, and where they are from."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.advice.port_kinds import Value
from rocecfg.core.units import show_number, show_size, show_time
from rocecfg.model import Computed, Origin, ProfileFact, Span
from rocecfg.source.document import Sources


def show_value(key: str, of: Value) -> str:
    """A setting's value with the unit that its key ends in."""
    if of is None:
        return "unknown"
    if isinstance(of, str):
        return of
    if key.endswith("_bytes"):
        return show_size(int(of))
    if key.endswith("_ms"):
        return show_time(of)
    if key.endswith("_percent"):
        return f"{show_number(of)}%"
    return show_number(of)


def show_about(size: float) -> str:
    """A size that a model came to: 20.2KB, 1.94MB."""
    for unit, factor, digits in (("GB", 1e9, 2), ("MB", 1e6, 2), ("KB", 1e3, 1)):
        if size >= factor * 0.99995:
            return f"{size / factor:.{digits}f}{unit}"
    return f"{size:.0f}B"


def show_about_time(us: float) -> str:
    """A time that a model came to: 4.52us, 1.5ms."""
    return f"{us / 1000:.3g}ms" if us >= 999.5 else f"{us:.3g}us"


def show_share(part: float) -> str:
    """A part of the whole in percent, three digits of it: 0.596%."""
    return f"{part * 100:.3g}%"


_SURE = {"M": ", from memory of the source", "D": ", derived", "U": ", unverified"}


def show_origins(origins: Iterable[Origin | None], sources: Sources) -> list[str]:
    """The places, profile figures and defaults behind origins, each once, in order."""
    found: dict[str, None] = {}
    for origin in origins:
        if origin is None:
            continue
        if isinstance(origin, Computed):
            found.update(dict.fromkeys(show_origins(origin.inputs, sources)))
        else:
            found[_show_origin(origin, sources)] = None
    return list(found)


def _show_origin(origin: Origin, sources: Sources) -> str:
    if isinstance(origin, Span):
        document = sources.documents[origin.doc]
        return f"{document.path}:{document.place(origin.start)[0]}"
    if isinstance(origin, ProfileFact):
        return f"profile {origin.profile} {origin.key}: {origin.source}{_SURE.get(origin.mark, '')}"
    assert not isinstance(origin, Computed)
    return origin.why


class Citations:
    """Numbers for sources, in the order in which they are first named."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.words: dict[str, int] = {}

    def __call__(self, origins: Iterable[Origin | None]) -> str:
        """` [1,4]`, or nothing."""
        numbers = [self.words.setdefault(word, len(self.words) + 1) for word in show_origins(origins, self._sources)]
        return f" [{','.join(map(str, numbers))}]" if numbers else ""
