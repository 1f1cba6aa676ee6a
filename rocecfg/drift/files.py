"""The configurations that switches run: which files they are, and which device of an intent each is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.drift.intended import read_switches
from rocecfg.linting.roots import peek
from rocecfg.model import Device
from rocecfg.model.switch import Switch
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import MAX_BYTES, Document, SourceError, Sources, decode, read_bytes
from rocecfg.source.walk import walk_files
from rocecfg.vendors import KNOWN_TEXTS, part
from rocecfg.vendors.apply import is_apply
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.unsupported import identify_unsupported

STDIN = "<stdin>"


class RunningConfiguration(NamedTuple):
    """One running configuration."""

    document: Document
    vendor: str
    switch: Switch
    name: str | None  # of the device of the intent that it is; None: of none
    alone: bool  # no other switch is in the same text


class RunningConfigurations:
    """The configurations among given files and folders, read one after the other while they are asked for."""

    def __init__(
        self, paths: Iterable[str], devices: Mapping[str, Device], sources: Sources, only: str | None = None
    ) -> None:
        """`paths`: files, folders, `-` for standard input; `only`: the device that every file is."""
        self._called = {device.hostname: name for name, device in devices.items() if device.hostname}
        self.skipped: list[str] = []  # files of folders that are no switch's configuration
        self.errors: list[SourceError] = []  # files that could not be read
        self._paths = paths
        self._devices = devices
        self._sources = sources
        self._only = only

    def __iter__(self) -> Iterator[RunningConfiguration]:
        files = list(_walk_files(self._paths, self.errors, self._sources.allowed))
        self._sources.progress.start("files compared", len(files))
        for path, asked in files:
            try:
                document = self._open_document(path, asked=asked)
                vendor = vendor_of(document.text) if document is not None else None
                if document is not None and vendor is not None:
                    yield from self._read_switches(document, vendor)
                elif asked:
                    name = STDIN if path == "-" else path
                    self.errors.append(SourceError(name, *_explain_unknown(document)))
                else:
                    self.skipped.append(path)
            except SourceError as error:
                self.errors.append(error)
            self._sources.progress.step()

    def _read_switches(self, document: Document, vendor: str) -> Iterator[RunningConfiguration]:
        """The switches of a text, each read as the device of the intent that it is."""
        stem = os.path.splitext(os.path.basename(document.path))[0]
        likely = self._only or self._find_device(stem)
        if likely is not None and self._devices[likely].vendor != vendor:
            likely = None
        switches = self._read_text(document, vendor, likely)
        for number, switch in enumerate(switches):
            alone = len(switches) == 1
            name = self._only or self._find_device(switch.name) or (self._find_device(stem) if alone else None)
            if name is not None and name != likely and self._devices[name].vendor == vendor:
                switch = read_switches(document, self._devices[name])[number]  # noqa: PLW2901 - the same, its release known
            yield RunningConfiguration(document, vendor, switch, name, alone)

    def _read_text(self, document: Document, vendor: str, name: str | None) -> list[Switch]:
        if name is not None:
            return read_switches(document, self._devices[name])
        return part(vendor, "reader").read(document)

    def _find_device(self, called: str | None) -> str | None:
        """The intent's device that a switch or file is called after; a host name may carry its domain."""
        for word in (called, (called or "").partition(".")[0]):
            if word and (word in self._called or word in self._devices):
                return self._called.get(word, word)
        return None

    def forget_text(self, found: RunningConfiguration) -> None:
        """Drop a text to which nothing points: fabrics have 10,000 switches."""
        document = found.document
        if found.alone:
            self._sources.documents[document.number] = Document(document.number, document.path, "")

    def _open_document(self, path: str, *, asked: bool) -> Document | None:
        """The text of a file; None for one of a folder that is no text of a switch, and so concerns nobody."""
        name, data = (STDIN, read_stdin()) if path == "-" else (path, read_bytes(path))
        try:
            text = decode(name, data)
        except SourceError:
            if not asked and vendor_of(data.decode("latin-1")) is None:
                return None
            raise
        document = Document(len(self._sources.documents), name, text)
        self._sources.documents.append(document)
        return document


def _walk_files(paths: Iterable[str], errors: list[SourceError], allowed: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each file, and whether it was asked for by name. One that a link brings from elsewhere is an error."""
    for path in paths:
        if not os.path.isdir(path):
            yield path, True
            continue
        empty = True
        bounds = Bounds(path, allowed)
        for full in walk_files(path):
            empty = False
            if is_apply(full):
                continue
            if not os.path.islink(full) or bounds.hold(full):
                yield full, False
            elif vendor_of(peek(full).decode("latin-1")) is not None:
                errors.append(SourceError(full, *bounds.describe_refusal(full, full)))
        if empty:
            errors.append(SourceError(path, "no file here or below"))


def read_stdin() -> bytes:
    """What comes on standard input. Raises SourceError for more than is read of any file."""
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise SourceError(STDIN, f"is larger than the limit of {MAX_BYTES} bytes")
    return data


def _explain_unknown(document: Document | None) -> tuple[str, str]:
    """What to say of a text that no switch of a known kind wrote, and the fix."""
    wording = "is not a switch configuration that is known"
    alike = identify_unsupported(document.text) if document is not None else None
    if alike is None:
        return wording, KNOWN_TEXTS
    return f"{wording}: it is {alike.what}", alike.fix or KNOWN_TEXTS
