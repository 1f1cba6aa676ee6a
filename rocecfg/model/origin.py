"""Where a value came from: every effective value of the model can say it."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple


class Span(NamedTuple):
    """A place in a source text: document number and code point offsets, end exclusive."""

    doc: int
    start: int
    end: int


class ProfileFact(NamedTuple):
    """A figure of a profile: the profile's name, the key in it, the source it cites, and how sure that is."""

    profile: str
    key: str
    source: str
    mark: str = "V"  # V verified | M from memory of the source | D derived | U unverified


class Default(NamedTuple):
    """A value nobody wrote: what the format says then, and why."""

    why: str


class Computed(NamedTuple):
    """A value computed from others: the formula with its numbers, and the inputs' origins."""

    formula: str
    inputs: tuple[Origin, ...] = ()


Origin = Span | ProfileFact | Default | Computed


def spans_of(origin: Origin | None) -> list[Span]:
    """The places in source texts behind an origin, nearest first; empty for profile facts and defaults."""
    if origin is None:
        return []
    if isinstance(origin, Span):
        return [origin]
    if isinstance(origin, Computed):
        return [span for part in origin.inputs for span in spans_of(part)]
    return []
