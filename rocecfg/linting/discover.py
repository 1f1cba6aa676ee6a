"""Which intents a user means: the root files below a folder, or the fabric that a given file belongs to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch

from rocecfg.config.find import Finder
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import files_of, folder_of
from rocecfg.intent import Loaded, load, load_read, read_texts
from rocecfg.intent.read import Read
from rocecfg.linting.ignored import Ignored, PassedOver, count_passed_over
from rocecfg.linting.roots import ROOT_KEY, is_including, is_root, is_yaml, list_folders_above, peek
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import MAX_BYTES, Document, SourceError, Sources, decode, read_bytes
from rocecfg.source.walk import walk_files


class Discovered(NamedTuple):
    """The fabrics meant, each loaded once, and the files asked about (None: all)."""

    fabrics: list[Loaded]
    focus: frozenset[str] | None
    unowned: list[str]  # given files that belong to no intent
    passed: PassedOver = PassedOver()  # below the given folders


class Overlaid(Sources):
    """Sources in which given bytes stand for one file, by whatever path it is reached."""

    __slots__ = ("_data", "_path")

    def __init__(self, path: str, data: bytes, allowed: Iterable[str] = ()) -> None:
        super().__init__(allowed)
        self._path = os.path.abspath(path)
        self._data = data

    def read_bytes_of(self, path: str) -> bytes:
        """What the file holds, or what stands for it. Raises SourceError."""
        if os.path.abspath(path) != self._path:
            return read_bytes(path)
        if len(self._data) > MAX_BYTES:
            raise SourceError(path, f"is larger than the limit of {MAX_BYTES} bytes")
        return self._data

    def read(self, path: str) -> Document:
        """As of any sources."""
        self.admit(path)
        return self.find_known(path) or self.add(path, decode(path, self.read_bytes_of(path)))


def discover(
    paths: tuple[str, ...],
    sources: Sources,
    vendor: str | None = None,
    *,
    running: bool = False,
    written_by: str | None = None,
    jobs: int | None = None,
    finder: Finder | None = None,
) -> Discovered:
    """The fabrics of the given files and folders (none: the current folder).

    Below folders, what .gitignore and `exclude` of the settings name is passed over. `finder`: of these settings.

    What cannot be read, or holds no intent, is a fabric with that error, so that it does not hide the others.
    `running`: configurations of switches are taken too. The files among `paths` make up one fabric, and so do those
    below a folder that has no intent. `written_by`: all that is given are such configurations, of that vendor.
    `jobs`: processes that read configurations; None: as many as are worth it.
    """
    passing = _Passing(finder)
    if written_by is not None:
        return passing.count_passed(_load_running(paths or (".",), sources, written_by, jobs, passing))
    seen = _Seen(sources, vendor)
    roots: dict[str, Loaded] = {}
    focus: set[str] = set()
    unowned: list[str] = []
    for path in paths or (".",):
        try:
            folder = path if os.path.isdir(path) else folder_of(path)
            owners = (
                _find_fabrics_below(folder, seen, passing(folder)) if folder is not None else _find_owners(path, seen)
            )
        except SourceError as error:
            owners = [Loaded(path, None, (), [], [error])]
        if not owners:
            unowned.append(path)
        focus.add(os.path.abspath(path))
        for owner in owners:
            roots.setdefault(os.path.abspath(owner.root), owner)
            if os.path.isdir(path) or os.path.abspath(owner.root) == os.path.abspath(path):
                # a root stands for its fabric: what is wrong in a file it includes is wrong with it
                focus |= list_member_paths(owner)
    found = Discovered(list(roots.values()), frozenset(focus), unowned)
    return passing.count_passed(_add_running(found, sources, jobs, passing) if running else found)


def _add_running(found: Discovered, sources: Sources, jobs: int | None, passing: _Passing) -> Discovered:
    """What was found, with configurations of switches and output of hosts: what no intent owns, and other folders."""
    folders = [f for f in found.fabrics if not f.files and os.path.isdir(f.root)]
    if not folders and not found.unowned:
        return found
    from rocecfg.linting import devices
    from rocecfg.linting.config_files import find_config_files
    from rocecfg.vendors.detect import is_host_output, vendor_of

    outputs: list[Document] = []
    fabrics = [f for f in found.fabrics if f not in folders]
    focus = set(found.focus or ())
    for empty in folders:
        others: list[Document] = []
        loaded = devices.load(
            os.path.join(empty.root, ""),
            find_config_files(empty.root, sources, passing(empty.root)),
            sources,
            None,
            given=False,
            jobs=jobs,
            others=others,
        )
        hosts = [document for document in others if is_host_output(document.text)]
        outputs += hosts
        if loaded is not None:
            told = list(_list_second_ways(others))
            loaded.problems.extend(told)
            focus.update(os.path.abspath(sources.documents[one.at.doc].path) for one in told)
            fabrics.append(loaded)
        elif not hosts:
            fabrics.append(empty._replace(errors=[_nothing_found_error(empty.root, passing)]))
        focus.update(map(os.path.abspath, (*(loaded.files if loaded else ()), *(d.path for d in hosts))))
    ours: list[str] = []
    beside: list[Document] = []
    unowned: list[str] = []
    for path in found.unowned:
        try:
            document = sources.read(path)
        except SourceError as error:
            fabrics.append(Loaded(path, None, (), [], [error]))
            continue
        if vendor_of(document.text) is not None:
            ours.append(path)
        elif is_host_output(document.text):
            outputs.append(document)
        else:
            beside.append(document)
            unowned.append(path)
    if ours:
        loaded = devices.load(_find_common_root(ours), ours, sources, None, given=True, jobs=jobs)
        if loaded is not None:
            told = list(_list_second_ways(beside))
            loaded.problems.extend(told)
            unowned = [path for path in unowned if all(sources.documents[one.at.doc].path != path for one in told)]
            fabrics.append(loaded)
    if outputs:
        from rocecfg.hosts.compare import with_nics

        fabrics = with_nics(fabrics, outputs)
    return Discovered(fabrics, frozenset(focus), unowned)


def _list_second_ways(documents: Iterable[Document]) -> Iterator[Problem]:
    """Files of a switch beside its configuration that may change QoS, each once."""
    from rocecfg.vendors.unsupported import find_second_way

    for document in documents:
        found = find_second_way(document.text)
        if found is not None:
            at = Span(document.number, found.at, found.at + 1)
            yield Problem("device-second-way", at, f"{found.what}; not checked", found.fix)


def _nothing_found_error(folder: str, passing: _Passing) -> SourceError:
    from rocecfg.vendors import LANGUAGES, join_names

    known = join_names(LANGUAGES)
    fix = f"an intent is a YAML file with the key rocecfg: 1; {known} are recognised by their content"
    return SourceError(
        folder, f"no intent and no configuration of a switch here or below{passing.describe(folder)}", fix
    )


def _load_running(
    paths: tuple[str, ...], sources: Sources, vendor: str, jobs: int | None, passing: _Passing
) -> Discovered:
    """The fabric that given files, and those in given folders, make up, all written by switches of one vendor."""
    from rocecfg.linting import devices
    from rocecfg.linting.config_files import find_config_files

    files: list[str] = []
    for path in paths:
        files += find_config_files(path, sources, passing(path)) if os.path.isdir(path) else [path]
    loaded = devices.load(_find_common_root(list(paths)), dict.fromkeys(files), sources, vendor, given=True, jobs=jobs)
    if loaded is None:
        error = SourceError(paths[0], "no file here or below that could be a switch's configuration")
        loaded = Loaded(paths[0], None, (), [], [error])
    return Discovered([loaded], frozenset(map(os.path.abspath, files)), [])


def _find_common_root(paths: list[str]) -> str:
    """What stands for files given together: the one, or the folder that holds them all, with a slash at its end."""
    if len(paths) == 1:
        return os.path.join(paths[0], "") if os.path.isdir(paths[0]) else paths[0]
    return os.path.join(os.path.relpath(os.path.commonpath([os.path.abspath(os.path.dirname(p)) for p in paths])), "")


class _Passing:
    """What is passed over below each folder that is asked of."""

    def __init__(self, finder: Finder | None) -> None:
        self._finder = finder or Finder()
        self._known: dict[str, Ignored] = {}

    def __call__(self, folder: str) -> Ignored:
        """What is passed over below a folder. Raises SourceError for settings that are wrong."""
        if folder not in self._known:
            settings = self._finder.find_settings(folder)
            patterns = [(settings.folder, line) for line in settings.exclude] if settings is not None else []
            self._known[folder] = Ignored(folder, patterns)
        return self._known[folder]

    def describe(self, folder: str) -> str:
        """That something is passed over, where it is: whoever finds nothing has to know."""
        return ", beside what .gitignore and `exclude` of the settings name" if self(folder).found else ""

    def count_passed(self, found: Discovered) -> Discovered:
        """What was found, with how much was passed over."""
        judged = (os.path.abspath(path) for loaded in found.fabrics for path in loaded.files)
        return found._replace(passed=count_passed_over(self._known.values(), judged))


class _Seen:
    """What was looked at, so that no file is read and no fabric loaded twice."""

    def __init__(self, sources: Sources, vendor: str | None) -> None:
        self._sources = sources
        self._vendor = vendor
        self._loaded: dict[str, Loaded] = {}  # by absolute path of the root
        self._read: dict[str, Read] = {}  # by absolute path of the root: what its texts say, without its links
        self._including: dict[str, list[str]] = {}  # folder -> root files with includes in it

    def load(self, root: str) -> Loaded:
        """The fabric of a root that was given."""
        key = os.path.abspath(root)
        if key not in self._loaded:
            self._loaded[key] = load(root, self._sources, self._vendor)
        return self._loaded[key]

    def load_found(self, root: str) -> Loaded:
        """The fabric of a root that was found, and may be a link that leads elsewhere."""
        try:
            Bounds(os.path.dirname(root), self._sources.allowed).check(root)
        except SourceError as error:
            return Loaded(root, None, (), [], [error])
        return self.load(root)

    def load_above(self, root: str, own: str) -> Loaded | None:
        """The fabric of a root found above a file, by the file's absolute path; None where it does not name the file.

        Roots above may be a stranger's, with links from an export of all there is: these are read where `own` is one.
        """
        key = os.path.abspath(root)
        if key in self._loaded:
            return self._loaded[key]
        if os.path.islink(root):
            return self.load_found(root)
        if key not in self._read:
            self._read[key] = read_texts(root, self._sources)
        if not _may_hold(self._read[key], own):
            return None
        self._loaded[key] = load_read(self._read.pop(key), self._sources, self._vendor)
        return self._loaded[key]

    def read_bytes_of(self, path: str) -> bytes:
        """What a given file holds. Raises SourceError."""
        return self._sources.read_bytes_of(path) if isinstance(self._sources, Overlaid) else read_bytes(path)

    def find_including_roots(self, folder: str) -> list[str]:
        """The root files in a folder that include others; none where the folder may not be read."""
        if folder not in self._including:
            found = []
            try:
                names = sorted(os.listdir(folder))
            except OSError:
                names = []
            for name in names:
                path = os.path.normpath(os.path.join(folder, name))
                if is_yaml(name) and self._is_including(path):
                    found.append(path)
            self._including[folder] = found
        return self._including[folder]

    def _is_including(self, path: str) -> bool:
        """Whether a file looks like a root that includes others. What was read as part of a fabric is at hand."""
        known = self._sources.find_known(path)
        if known is not None and known.is_read:
            return ROOT_KEY in known.text and is_including(known.text.encode("utf-8", "surrogatepass"))
        return is_including(peek(path))


def _find_owners(path: str, seen: _Seen) -> list[Loaded]:
    """The fabrics that a file is part of: those further up that include it, else its own."""
    own = os.path.abspath(path)
    root = is_root(seen.read_bytes_of(path))  # raises where there is no such file
    roots: list[Loaded] = []
    for folder in reversed(list(list_folders_above(path))):  # the highest first: it has most of the files below read
        here = [seen.load_above(c, own) for c in seen.find_including_roots(folder) if os.path.abspath(c) != own]
        roots[:0] = [loaded for loaded in here if loaded is not None]
    owners = [loaded for loaded in roots if _has_file(loaded, own)]
    return owners or ([seen.load(path)] if root else [])


def _may_hold(found: Read, own: str) -> bool:
    """Whether the texts of a fabric are, include, or as files of links name, a file by its absolute path."""
    paths = (*(document.path for document in found.files), *(e.path for e in found.errors), *files_of(found.root))
    if own in map(os.path.abspath, paths):
        return True
    stated = found.section.get("links")
    items = stated.value if stated is not None and isinstance(stated.value, list) else []
    name = os.path.basename(own)
    patterns = [each.value for each in items if isinstance(each, Val) and isinstance(each.value, str)]
    return any(fnmatch(name, os.path.basename(pattern)) for pattern in patterns)


def list_member_paths(loaded: Loaded) -> set[str]:
    """The absolute paths of a fabric's files: of those that could not be read and of house rules too."""
    return {os.path.abspath(file) for file in _list_files(loaded)}


def _has_file(loaded: Loaded, own: str) -> bool:
    """Whether a file, by its absolute path, is one of a fabric's."""
    name = os.path.basename(own)
    return any(file.endswith(name) and os.path.abspath(file) == own for file in _list_files(loaded))


def _list_files(loaded: Loaded) -> tuple[str, ...]:
    return (loaded.root, *loaded.files, *(e.path for e in loaded.errors), *files_of(loaded.root))


def _find_fabrics_below(path: str, seen: _Seen, ignored: Ignored) -> list[Loaded]:
    """The fabrics in a folder and below it. Raises SourceError where there is none."""
    found: list[Loaded] = []
    included: set[str] = set()
    for full in walk_files(path, ignored):
        if not is_yaml(full) or os.path.abspath(full) in included:
            continue  # what a root above includes need not be looked at again: it may be 10,000 files
        if is_root(peek(full)):
            found.append(seen.load_found(full))
            included |= list_member_paths(found[-1]) - {os.path.abspath(full)}
    if not found:
        raise SourceError(path, "no intent here or below", "an intent is a YAML file with the key rocecfg: 1")
    return sorted((one for one in found if os.path.abspath(one.root) not in included), key=lambda one: one.root)
