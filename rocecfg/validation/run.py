"""Files given to referees: which of them are configurations, what judges each, and what came of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from rocecfg.core.records import NamedTuple
from rocecfg.linting.config_files import find_config_files
from rocecfg.linting.ignored import Ignored
from rocecfg.linting.roots import is_root
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.validation.referee import judge
from rocecfg.validation.verdict import INSTALL, CannotJudge, JudgeOptions, Verdict
from rocecfg.vendors import KNOWN_TEXTS
from rocecfg.vendors.apply import is_apply
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.unsupported import identify_unsupported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.model import Fabric
    from rocecfg.vendors.base import File


class JudgedFile(NamedTuple):
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


class ValidationRun:
    """What came of all files."""

    def __init__(self) -> None:
        self.judged: list[JudgedFile] = []
        self.errors: list[SourceError] = []  # files that could not be read, or not judged
        self.unable: list[Unable] = []
        self.others: list[str] = []  # files of folders that are no configuration, or say how to apply one
        self.ignored = 0  # what of folders .gitignore or settings pass over

    @property
    def refused(self) -> list[JudgedFile]:
        """The files in which a model finds faults."""
        return [one for one in self.judged if not one.valid]

    @property
    def code(self) -> int:
        """The exit code: 2 where something was not checked that should have been, 1 where something is refused."""
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
            self.judged.append(JudgedFile(path, vendor, verdict))
            return verdict
        return None


def validate(
    paths: Sequence[str],
    sources: Sources,
    asked: Callable[[str], JudgeOptions],
    ignored: Callable[[str], Ignored],
    written_by: str | None = None,
) -> ValidationRun:
    """Judge files, and those below folders. `written_by`: the vendor of all of them; None: as each one's content tells.

    `asked`: what is known beside a text, by the path that was given; `ignored`: what is passed over below a folder.
    """
    run = ValidationRun()
    known: dict[tuple[str, str, JudgeOptions], Verdict] = {}  # switches that are alike have files that are equal
    for path in dict.fromkeys(paths):
        beside = asked(path)
        for file, given in _find_files(path, sources, ignored, run):
            try:
                document = sources.read(file)
            except SourceError as error:
                run.errors.append(error)
                continue
            vendor = written_by or vendor_of(document.text)
            if vendor is None:
                if given:
                    run.errors.append(_unrecognised_error(document))
                else:
                    run.others.append(file)
                continue
            key = (vendor, document.text, beside)
            before = known.get(key)
            if before is not None:
                run.judged.append(JudgedFile(file, vendor, before))
                continue
            verdict = run.take(file, vendor, partial(judge, document, vendor, beside))
            if verdict is not None:
                known[key] = verdict
    return run


def _find_files(
    path: str, sources: Sources, ignored: Callable[[str], Ignored], run: ValidationRun
) -> Iterator[tuple[str, bool]]:
    """The files of a path, and whether each was named."""
    if not os.path.isdir(path):
        yield path, True
        return
    passing = ignored(path)
    found = False
    for file in find_config_files(path, sources, passing):
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


def _unrecognised_error(document: Document) -> SourceError:
    """What to say of a named file that no switch of a known kind wrote."""
    if is_root(document.text.encode("utf-8", "replace")):
        fix = "rocecfg render INTENT --validate validates its rendered files"
        return SourceError(document.path, "is an intent, but models are for configurations", fix)
    what = "is not a switch configuration that is known"
    alike = identify_unsupported(document.text)
    if alike is None:
        return SourceError(document.path, what, KNOWN_TEXTS)
    place = document.place(alike.at)
    return SourceError(document.path, f"{what}: it is {alike.what}", alike.fix or KNOWN_TEXTS, *place)


def group_alike_faults(judged: Iterable[JudgedFile]) -> Iterator[list[tuple[JudgedFile, int]]]:
    """The faults of all files, those that are alike together: each as its file and its number there."""
    found: dict[tuple[str, str], list[tuple[JudgedFile, int]]] = {}
    for one in judged:
        for number, fault in enumerate(one.verdict.faults):
            found.setdefault((one.verdict.model, fault.alike or repr(fault)), []).append((one, number))
    yield from found.values()


# -- what is rendered, judged before it is written ---------------------------------------------------------------------


def judge_rendered(
    run: ValidationRun,
    fabric: Fabric,
    files: Iterable[File],
    models: str | None,
    *,
    strict: bool,
    running: tuple[str, str] | None = None,
) -> None:
    """Add the verdicts of a fabric's files to a run. Devices that are alike have one text, and one verdict.

    `models`: the folder that the user names; `strict`: what no model knows is a fault too, as nothing of that is in our
    own templates; `running`: path and text of what a device runs, where the files are patches of it. What a patch makes
    of that is checked, and all of it: so does the switch before it takes a patch.
    """
    by_name = {(device.vendor, name): device for device in fabric.devices for name in (device.names or (None,))}
    known: dict[int, Verdict] = {}
    for file in files:
        release = by_name[file.vendor, file.device].release
        asked = JudgeOptions((release,) if release is not None else (), None, models, strict=strict and running is None)
        before = known.get(id(file.rendering))
        found = run.take(file.name, file.vendor, partial(_judge_file, file, asked, running, before))
        if found is not None:
            known[id(file.rendering)] = found


def _judge_file(file: File, asked: JudgeOptions, running: tuple[str, str] | None, before: Verdict | None) -> Verdict:
    if before is not None:
        return before
    if running is None:
        return judge(Document(0, file.name, file.text), file.vendor, asked)
    found = judge(Document(0, file.name, _apply_patch(file.text, *running)), file.vendor, asked)
    faults = tuple(fault._replace(line=None) for fault in found.faults)  # the text judged is in no file
    return found._replace(model=f"{found.model}, of {running[0]} after the patch", faults=faults)


def _apply_patch(patch: str, path: str, text: str) -> str:
    """A running configuration after a patch (RFC 6902). Raises SourceError where it does not apply."""
    import json

    try:
        import jsonpatch
    except ImportError:
        raise CannotJudge("patches cannot be applied here: there is no jsonpatch", INSTALL) from None
    try:
        return json.dumps(jsonpatch.apply_patch(json.loads(text), json.loads(patch)), indent=4)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, ValueError) as error:
        fix = "if the patch needs commands before it, validate the running configuration after them"
        raise SourceError(path, f"the patch does not apply to it: {error}", fix) from None
