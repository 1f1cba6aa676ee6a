"""What became of the statements of configurations, in words: the total, and a list of those that are not judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.core.visible import visible
from rocecfg.model.fates import FATES, JUDGED, UNKNOWN, Fates, UnjudgedStatements
from rocecfg.report.masking import mask_secrets
from rocecfg.report.places import locate_span
from rocecfg.source.document import Sources

_FEW = 3  # places that are named
_SHOWN = 80  # characters of a statement
_WORDS = {JUDGED: "checked"}  # what people read; the name in JSON stays
_LONG = 2000  # characters of a line that may be a whole file: what stands beside a statement may be anything


def describe_fates(fates: Fates, sources: Sources) -> str:
    """`412 statements: 371 checked, 29 foreign, 9 as text, 2 unknown (lines 80, 1312)`."""
    counts = [
        f"{n:,} {_WORDS.get(name, name)}" for name, n in zip(FATES, fates.counts, strict=True) if n or name == JUDGED
    ]
    unknown = [group for group in fates.unjudged if group.fate == UNKNOWN]
    where = f" ({_list_places(unknown, sources)})" if unknown else ""
    return f"{fates.total:,} statement{'s' * (fates.total != 1)}: {', '.join(counts)}{where}"


def _list_places(groups: list[UnjudgedStatements], sources: Sources) -> str:
    """Lines of the one file, or of several files with their paths."""
    places = [locate_span(group.at, sources) for group in groups[: _FEW + 1]]
    more = " ..." if len(groups) > _FEW else ""
    if len({group.at.doc for group in groups}) == 1:
        lines = dict.fromkeys(str(place.line) for place in places[:_FEW])
        return f"line{'s' * (len(lines) != 1)} {', '.join(lines)}{more}"
    return visible(", ".join(f"{place.path}:{place.line}" for place in places[:_FEW])) + more


def list_unjudged(fates: Iterable[Fates], sources: Sources) -> Iterator[str]:
    """A line for each kind of statement that is neither checked nor foreign, the same in other files folded."""
    folded: dict[tuple[str, str, str], list[UnjudgedStatements]] = {}
    for one in fates:
        for group in one.unjudged:
            folded.setdefault((group.fate, quote_statement(group, sources), group.why), []).append(group)
    for (fate, words, why), groups in folded.items():
        at = locate_span(groups[0].at, sources)
        count = sum(group.number for group in groups)
        several = f" and {count - 1} more" if count > 1 else ""
        files = len({group.at.doc for group in groups})
        where = f" in {files} files" if files > 1 else ""
        yield visible(f"{at.path}:{at.line}: {fate}: {words}{several}{where}: {why}")


def quote_statement(group: UnjudgedStatements, sources: Sources) -> str:
    """The first statement of a kind as it is written, without secrets."""
    document = sources.documents[group.at.doc]
    line = document.line(document.place(group.at.start)[0])
    if len(line) > _LONG or not all(word in line for word in group.what.split()):
        line = group.what
    words = mask_secrets(line).strip()
    return words if len(words) <= _SHOWN else f"{words[:_SHOWN]}..."
