"""A network operating system: its releases, limits, lacks and known faults, and the figures of what it does itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import inf

from rocecfg.model.facts import ERRATA_WHEN, Erratum, Lack, Limit, Nos
from rocecfg.profiles.files import Entry
from rocecfg.profiles.format import NOS, read_figures
from rocecfg.profiles.holds import meet, read_bounds
from rocecfg.profiles.releases import applies, release_key
from rocecfg.profiles.settings import SETTINGS, UNITS, parse_number, parse_refusal, parse_what

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.model import Device

_DAY = re.compile("20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_SEVERITIES = ("error", "warning", "info")


def load_system(chips: list[str], boxes: list[str], name: str, _: str, stated: Entry) -> Nos:
    """A network operating system. `chips`, `boxes`: the profiles there are, which lacks and errata may name."""
    stated.cited()
    values, sources, marks = read_figures(stated, NOS)
    for key in ("stock_small_packets", "headroom_generations", "stock_timers", "commits"):
        _require_ascending(stated, key, [_release_sort_key(name, stated, first) for first in dict(values[key])])
    for key in ("counts_marks", "written_since", "written_until"):
        if values[key] is not None:
            _release_sort_key(name, stated, values[key])
    limits: list[Limit] = []
    for entry in stated.entries("limits"):
        limits.append(_read_limit(name, entry))
        _refuse_overlap(name, entry, limits)
    kinds = (*values["families"], *values["buffer_models"], *chips)
    nos = Nos(
        name=name,
        title=stated.text("title"),
        releases=stated.texts("releases"),
        default_release=stated.text("default_release"),
        as_of=stated.quantity("as_of", _read_day),
        limits=tuple(limits),
        lacks=tuple(_read_lack(name, lack, kinds) for lack in stated.entries("lacks")),
        errata=tuple(_read_erratum(name, erratum, chips, boxes) for erratum in stated.entries("errata")),
        refuses=frozenset(map(_read_refusal, stated.entries("refuses"))),
        sources=sources,
        marks=marks,
        **values,
    )
    stated.done()
    return nos


def _read_day(text: str) -> str:
    if not _DAY.fullmatch(text):
        raise ValueError(f"{text!r} is not a day: write it as 2026-08-23")
    return text


def load_errata(
    systems: list[str], chips: list[str], boxes: list[str], name: str, _: str, stated: Entry
) -> tuple[Erratum, ...]:
    """The known faults of the system that a table is named for, each once for what shows it."""
    if name not in systems:
        raise stated.fail(f"{name} is not a system", f"name the file for one: {', '.join(systems)}")
    stated.text("title")
    rows: dict[tuple[str, str], Erratum] = {}
    for row in stated.entries("errata"):
        erratum = _read_erratum(name, row, chips, boxes)
        if erratum.looked is None:
            raise row.fail("an erratum without looked", 'write the month its tracker was looked at: looked: "2026-08"')
        if rows.setdefault((erratum.number, erratum.when), erratum) is not erratum:
            raise row.fail(f"{erratum.number} is there twice for what shows it", "leave one of them")
    stated.done()
    return tuple(rows.values())


def find_errata(device: Device) -> Iterator[Erratum]:
    """The known faults of the system, in the release that a device runs or is assumed to, and on its chip and box."""
    nos = device.nos
    for erratum in nos.errata if nos is not None else ():
        assert nos is not None
        if erratum.on and (device.asic is None or device.asic.name not in erratum.on):
            continue
        if erratum.boxes and (device.platform is None or device.platform.name not in erratum.boxes):
            continue
        try:
            if applies(erratum.since, erratum.until, nos.name, device.release or nos.default_release):
                yield erratum
        except ValueError:  # a release that nobody can place: schema tells
            return


def tell_errata(device: Device, *when: str) -> tuple[str, ...]:
    """A sentence for each known fault that a change would show which does one of `ERRATA_OF_CHANGES`."""
    found = (erratum for erratum in find_errata(device) if erratum.when in when)
    return tuple(f"{erratum.message} ({erratum.number}): {erratum.fix}" for erratum in found)


def _release_sort_key(nos: str, stated: Entry, release: str) -> tuple[int, ...]:
    """The key of a release that a profile names."""
    try:
        return release_key(nos, release)
    except ValueError as error:
        raise stated.fail(str(error)) from None


def _require_ascending(stated: Entry, key: str, releases: list[tuple[int, ...]]) -> None:
    if releases != sorted(set(releases)):
        raise stated.fail(f"{key}: its releases do not ascend", "write the oldest first")


def _refuse_overlap(nos: str, stated: Entry, limits: list[Limit]) -> None:
    """Refuse the last of some limits, where another one holds in a release as well."""
    *before, last = limits
    for other in before:
        both = meet(nos, (other.since, other.until), (last.since, last.until)) if other.what == last.what else None
        if both is not None:
            told = f"in {both}" if both else "up to one release"
            raise stated.fail(f"two ranges of {last.what} hold {told}", "write since and until that do not overlap")


def _read_limit(nos: str, stated: Entry) -> Limit:
    what = stated.quantity("what", parse_number)
    unit = SETTINGS[what].unit or ""
    if "unit" in stated:
        stated.word("unit", (unit,))
    low = stated.maybe_quantity("low", UNITS[unit])
    high = stated.maybe_quantity("high", UNITS[unit])
    if low is None and high is None:
        raise stated.fail("a limit has neither low nor high", "write at least one of them")
    source, mark = stated.cited()
    since, until = read_bounds(nos, stated)
    limit = Limit(
        what=what,
        low=-inf if low is None else low,
        high=inf if high is None else high,
        unit=unit,
        since=since,
        until=until,
        source=source,
        mark=mark,
    )
    stated.done()
    return limit


def _read_erratum(nos: str, stated: Entry, chips: list[str], boxes: list[str]) -> Erratum:
    source, mark = stated.cited()
    since, until = read_bounds(nos, stated)
    erratum = Erratum(
        number=stated.text("number"),
        when=stated.word("when", ERRATA_WHEN),
        on=stated.words("on", tuple(chips)),
        boxes=stated.words("boxes", tuple(boxes)),
        severity=stated.word("severity", _SEVERITIES),
        message=stated.text("message"),
        fix=stated.text("fix"),
        since=since,
        until=until,
        source=source,
        mark=mark,
        looked=stated.maybe_quantity("looked", _parse_month),
    )
    stated.done()
    return erratum


def _parse_month(text: str) -> str:
    if re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", text) is None:
        raise ValueError(f"{text!r} is not a month, such as 2026-08")
    return text


def _read_refusal(stated: Entry) -> str:
    stated.cited()
    what = stated.quantity("what", parse_refusal)
    stated.done()
    return what


def _read_lack(nos: str, stated: Entry, kinds: tuple[str, ...]) -> Lack:
    """`kinds`: what `on` may name; a lack on a kind of switch that nobody has would never be found."""
    source, mark = stated.cited()
    what, step = stated.quantity("what", parse_what)
    since, until = read_bounds(nos, stated)
    lack = Lack(
        what=what,
        values=stated.texts("values"),
        severity=stated.word("severity", _SEVERITIES),
        message=stated.text("message"),
        since=since,
        until=until,
        source=source,
        fix=stated.text("fix"),
        on=stated.words("on", kinds),
        step=step,
        mark=mark,
    )
    stated.done()
    return lack
