"""When the facts of a profile hold: in which releases of which systems, unless one of them says so itself.

`holds: any`: no release bears on them, as on a chip's cells. `holds: known`: in the releases of their systems that are
known at all. Else by system: `holds: {sonic: {since: "202405", until: "202605", except: ["202505"]}}`, bounds included.
The profile of a system says by its own what is known at all. Only what rules ask of in a release, kinds of BOUNDED, can
name releases: nobody would look at those of a workload or of a network card.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.profiles.files import Entry
from rocecfg.profiles.releases import SYSTEMS, applies, is_build_of, release_key

HOLDS = "holds"
ANY, KNOWN = "any", "known"
BOUNDED = ("nos", "asics", "platforms", "headroom")


class Interval(NamedTuple):
    """The releases of a system in which facts hold, both bounds included; None: unbounded."""

    since: str | None
    until: str | None
    but: tuple[str, ...] = ()  # releases between them in which they do not

    def covers(self, nos: str, release: str) -> bool:
        """Whether a release is among them; ValueError for one that nobody can place."""
        return applies(self.since, self.until, nos, release) and not any(is_build_of(nos, release, b) for b in self.but)


class Holds(NamedTuple):
    """When the facts of a profile hold."""

    word: str  # any | known | "": as `spans` has it
    spans: dict[str, Interval]  # by system; systems that are not named are none of theirs

    def at(self, nos: str, release: str) -> bool:
        """Whether they hold in a release, as far as the profile says; ValueError for one that nobody can place."""
        return bool(self.word) or (nos in self.spans and self.spans[nos].covers(nos, release))

    def describe(self, nos: str) -> str:
        """In which releases of a system they hold, in words."""
        span = self.spans.get(nos)
        if span is None:
            return f"in no release of {nos}" if self.spans else "in any release"
        words = {
            (True, True): f"from {span.since} to {span.until}",
            (True, False): f"from {span.since} on",
            (False, True): f"up to {span.until}",
            (False, False): "in all releases",
        }[span.since is not None, span.until is not None]
        return f"{words} without {', '.join(span.but)}" if span.but else words


def read_holds(kind: str, stated: Entry) -> Holds:
    """What a profile says of that, which it must."""
    help = f"write holds: any, holds: known{', or holds: {sonic: {since: ...}}' if kind in BOUNDED else ''}"
    if HOLDS not in stated:
        raise stated.fail("holds is missing: when these facts hold", help)
    if kind in BOUNDED and stated.is_empty(HOLDS):
        raise stated.fail("holds is empty: it is to be a word or a mapping of systems to releases", help)
    if stated.is_text(HOLDS) or kind not in BOUNDED:
        return Holds(stated.word(HOLDS, (ANY, KNOWN)), {})
    spans = {}
    for nos, span in stated.named(HOLDS):
        if nos not in SYSTEMS:
            raise span.fail(f"{nos} is no system", f"write one of {', '.join(SYSTEMS)}")
        since, until = read_bounds(nos, span)
        spans[nos] = Interval(since, until, span.texts("except"))
        if spans[nos] == (None, None, ()) and span.is_done():
            raise span.fail(f"{nos} names no release", "write since, until or both; holds: known is all known releases")
        for release in spans[nos].but:
            try:
                inside = applies(since, until, nos, release)
            except ValueError as error:
                raise span.fail(str(error)) from None
            if not inside:
                raise span.fail(f"except {release}, which is outside of it", "leave it out")
            if release in (since, until):
                raise span.fail(f"except {release}, which is its first or its last", "write the next one as bound")
        span.done()
    return Holds("", spans)


def read_bounds(nos: str, stated: Entry) -> tuple[str | None, str | None]:
    """`since` and `until` of what stands in a profile: none that nobody can place, no interval of nothing."""

    def placed(release: str) -> str:
        release_key(nos, release)
        return release

    since, until = stated.maybe_quantity("since", placed), stated.maybe_quantity("until", placed)
    if since is not None and until is not None and release_key(nos, since) > release_key(nos, until):
        raise stated.fail(f"until {until} is before since {since}: no release is between", "swap the two")
    return since, until


def meet(nos: str, one: tuple[str | None, str | None], other: tuple[str | None, str | None]) -> str | None:
    """The first release in which two intervals both hold, "" where both have no first; None: they do not meet."""
    begins = [since for since, _ in (one, other) if since is not None]
    begin = max(begins, key=lambda release: release_key(nos, release), default=None)
    ends = [until for _, until in (one, other) if until is not None]
    return (begin or "") if begin is None or all(applies(None, end, nos, begin) for end in ends) else None
