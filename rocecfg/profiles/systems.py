"""A network operating system: its releases, limits, lacks and known faults, and the figures of what it does itself."""

from __future__ import annotations

from math import inf

from rocecfg.model.facts import ERRATA_WHEN, Erratum, Lack, Limit, Nos
from rocecfg.profiles.files import Entry
from rocecfg.profiles.format import NOS, figures
from rocecfg.profiles.releases import release_key
from rocecfg.profiles.settings import SETTINGS, UNITS, parse_number, parse_refusal, parse_what

_SEVERITIES = ("error", "warning", "info")


def system(chips: list[str], name: str, _: str, said: Entry) -> Nos:
    """A network operating system. `chips`: the profiles of chips there are, which lacks and errata may name."""
    said.cited()
    values, sources, marks = figures(said, NOS)
    for key in ("stock_small_packets", "headroom_generations", "stock_timers"):
        _ascending(said, key, [_key_of(name, said, first) for first, _ in values[key]])
    if values["counts_marks"] is not None:
        _key_of(name, said, values["counts_marks"])
    kinds = (*values["families"], *values["buffer_models"], *chips)
    nos = Nos(
        name=name,
        title=said.text("title"),
        releases=said.texts("releases"),
        default_release=said.text("default_release"),
        limits=tuple(_limit(name, limit) for limit in said.entries("limits")),
        lacks=tuple(_lack(name, lack, kinds) for lack in said.entries("lacks")),
        errata=tuple(_erratum(name, erratum, tuple(chips)) for erratum in said.entries("errata")),
        refuses=frozenset(map(_refused, said.entries("refuses"))),
        sources=sources,
        marks=marks,
        **values,
    )
    said.done()
    return nos


def _release(nos: str, said: Entry, key: str) -> str | None:
    """The release under a key that may be absent: one that nobody can place would never hold."""

    def placed(text: str) -> str:
        release_key(nos, text)
        return text

    return said.maybe_quantity(key, placed)


def _key_of(nos: str, said: Entry, release: str) -> tuple[int, ...]:
    """The key of a release that a profile names."""
    try:
        return release_key(nos, release)
    except ValueError as error:
        raise said.fail(str(error)) from None


def _ascending(said: Entry, key: str, releases: list[tuple[int, ...]]) -> None:
    if releases != sorted(set(releases)):
        raise said.fail(f"{key}: its releases do not ascend", "write the oldest first")


def _limit(nos: str, said: Entry) -> Limit:
    what = said.quantity("what", parse_number)
    unit = SETTINGS[what].unit or ""
    if "unit" in said:
        said.word("unit", (unit,))
    low = said.maybe_quantity("low", UNITS[unit])
    high = said.maybe_quantity("high", UNITS[unit])
    if low is None and high is None:
        raise said.fail("a limit has neither low nor high", "write at least one of them")
    source, _ = said.cited()
    limit = Limit(
        what=what,
        low=-inf if low is None else low,
        high=inf if high is None else high,
        unit=unit,
        since=_release(nos, said, "since"),
        until=_release(nos, said, "until"),
        source=source,
    )
    said.done()
    return limit


def _erratum(nos: str, said: Entry, chips: tuple[str, ...]) -> Erratum:
    source, mark = said.cited()
    erratum = Erratum(
        number=said.text("number"),
        when=said.word("when", ERRATA_WHEN),
        on=said.words("on", chips),
        severity=said.word("severity", _SEVERITIES),
        message=said.text("message"),
        mend=said.text("mend"),
        since=_release(nos, said, "since"),
        until=_release(nos, said, "until"),
        source=source,
        mark=mark,
    )
    said.done()
    return erratum


def _refused(said: Entry) -> str:
    said.cited()
    what = said.quantity("what", parse_refusal)
    said.done()
    return what


def _lack(nos: str, said: Entry, kinds: tuple[str, ...]) -> Lack:
    """`kinds`: what `on` may name; a lack on a kind of switch that nobody has would never be found."""
    source, _ = said.cited()
    what, step = said.quantity("what", parse_what)
    lack = Lack(
        what=what,
        values=said.texts("values"),
        severity=said.word("severity", _SEVERITIES),
        message=said.text("message"),
        since=_release(nos, said, "since"),
        until=_release(nos, said, "until"),
        source=source,
        mend=said.text("mend"),
        on=said.words("on", kinds),
        step=step,
    )
    said.done()
    return lack
