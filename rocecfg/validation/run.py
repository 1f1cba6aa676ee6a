"""Files given to referees: which of them are configurations, what judges each, and what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from rocecfg.core.records import NamedTuple
from rocecfg.linting.devices import below
from rocecfg.linting.ignored import Ignored
from rocecfg.linting.roots import is_root
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.validation.verdict import Asked, CannotJudge, Verdict
from rocecfg.vendors import KNOWN_TEXTS, MissingPart, load_part, row
from rocecfg.vendors.apply import is_apply
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.unsupported import stranger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.validation.verdict import Referee


class Judged(NamedTuple):
    """A file and its verdict."""

    path: str
    vendor: str
    verdict: Verdict

    @property
    def valid(self) -> bool:
        """Whether the model takes it."""
        return not self.verdict.faults


class Unable(NamedTuple):
    """Files for which no referee works here."""

    error: CannotJudge
    paths: list[str]


class Run:
    """What came of all files."""

    def __init__(self) -> None:
        self.judged: list[Judged] = []
        self.errors: list[SourceError] = []  # files that could not be read, or not judged
        self.unable: list[Unable] = []
        self.others: list[str] = []  # files of folders that are no configuration, or say how to apply one
        self.ignored = 0  # what of folders .gitignore or settings pass over

    @property
    def refused(self) -> list[Judged]:
        """The files in which a model finds faults."""
        return [one for one in self.judged if not one.valid]

    @property
    def code(self) -> int:
        """The exit code: 2 where something was not judged that should have been, 1 where something is refused."""
        return 2 if self.errors or self.unable else int(bool(self.refused))

    def take(self, path: str, vendor: str, judge: Callable[[], Verdict]) -> Verdict | None:
        """Add a file's verdict and give it, or add why there is none."""
        try:
            verdict = judge()
        except SourceError as error:
            self.errors.append(error)
        except CannotJudge as error:
            known = next((each for each in self.unable if str(each.error) == str(error)), None)
            if known is None:
                self.unable.append(known := Unable(error, []))
            known.paths.append(path)
        else:
            self.judged.append(Judged(path, vendor, verdict))
            return verdict
        return None


def judge(document: Document, vendor: str, asked: Asked) -> Verdict:
    """What the referee of a vendor says of a text. Raises SourceError, CannotJudge."""
    try:
        referee: Referee = load_part(vendor, f"{__package__}.{vendor}")
    except MissingPart as error:
        raise CannotJudge(f"nobody judges {row(vendor).title} here yet", str(error)) from None
    return referee.judge(document, asked)


def validate(
    paths: Sequence[str],
    sources: Sources,
    asked: Callable[[str], Asked],
    ignored: Callable[[str], Ignored],
    written_by: str | None = None,
) -> Run:
    """Judge files, and those below folders. `written_by`: the vendor of all of them; None: as each one's content tells.

    `asked`: what is known beside a text, by the path that was given; `ignored`: what is passed over below a folder.
    """
    run = Run()
    known: dict[tuple[str, str, Asked], Verdict] = {}  # switches that are alike have files that are equal
    for path in dict.fromkeys(paths):
        beside = asked(path)
        for file, given in _files(path, sources, ignored, run):
            try:
                document = sources.read(file)
            except SourceError as error:
                run.errors.append(error)
                continue
            vendor = written_by or vendor_of(document.text)
            if vendor is None:
                if given:
                    run.errors.append(_no_configuration(document))
                else:
                    run.others.append(file)
                continue
            key = (vendor, document.text, beside)
            before = known.get(key)
            if before is not None:
                run.judged.append(Judged(file, vendor, before))
                continue
            verdict = run.take(file, vendor, partial(judge, document, vendor, beside))
            if verdict is not None:
                known[key] = verdict
    return run


def _files(path: str, sources: Sources, ignored: Callable[[str], Ignored], run: Run) -> Iterator[tuple[str, bool]]:
    """The files of a path, and whether each was named."""
    if not os.path.isdir(path):
        yield path, True
        return
    passing = ignored(path)
    found = False
    for file in below(path, sources, passing):
        if is_apply(file):
            run.others.append(file)
            continue
        found = True
        yield file, False
    run.ignored += len(passing.found)
    if not found:
        run.errors.append(
            SourceError(path, "no file here or below that could be a switch's configuration", KNOWN_TEXTS)
        )


def _no_configuration(document: Document) -> SourceError:
    """What to say of a named file that no switch of a known kind wrote."""
    if is_root(document.text.encode("utf-8", "replace")):
        fix = "rocecfg render INTENT --validate judges what is rendered from it"
        return SourceError(document.path, "is an intent, and models are of configurations", fix)
    what = "is no switch configuration that is known"
    alike = stranger(document.text)
    if alike is None:
        return SourceError(document.path, what, KNOWN_TEXTS)
    place = document.place(alike.at)
    return SourceError(document.path, f"{what}: it is {alike.what}", alike.fix or KNOWN_TEXTS, *place)


def faults_alike(judged: Iterable[Judged]) -> Iterator[list[tuple[Judged, int]]]:
    """The faults of all files, those that are alike together: each as its file and its number there."""
    found: dict[tuple[str, str], list[tuple[Judged, int]]] = {}
    for one in judged:
        for number, fault in enumerate(one.verdict.faults):
            found.setdefault((one.verdict.model, fault.alike or repr(fault)), []).append((one, number))
    yield from found.values()
