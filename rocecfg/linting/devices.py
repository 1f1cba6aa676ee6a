"""Files that switches wrote: which of those given are any, and the fabric that they make up together."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.intent import Loaded
from rocecfg.linting.workers import Shared, count_cores, map_in_processes
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import VENDORS, join_names
from rocecfg.vendors.alike import Batch, Read, VendorText
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.running import fabric_of, read_drafts

_MANY = 96  # texts that are worth a second process, which starts in the time that so many of EOS, the quickest, take


def find_vendor(text: str) -> str | None:
    """The vendor whose switch wrote a text; None where it is not a configuration that is known.

    For rooms that know nothing of vendors: the language server asks here.
    """
    return vendor_of(text)


def load(
    root: str,
    paths: Iterable[str],
    sources: Sources,
    vendor: str | None,
    *,
    given: bool,
    jobs: int | None = None,
    others: list[Document] | None = None,
) -> Loaded | None:
    """The fabric of the switches whose configurations are in these files; None where none of them is one.

    `vendor`: what they all are, whatever they look like. `given`: the user named each of these files, so that one
    which is not a configuration, or cannot be read, is an error instead of something that stands beside others.
    `jobs`: most processes that read, where there are files enough; None: as many as there are cores. `others` gets the
    texts that are no such configuration.
    """
    paths = list(paths)
    sources.awaited += len(paths)
    jobs = jobs or count_cores()
    errors: list[SourceError] = []
    with Shared(_read_text, jobs, _MANY) as shared:
        batch = Batch(shared.add, by_shape=sources.by_shape)
        for path in paths:
            try:
                document = sources.read(path)
                if batch.add(document, vendor_of if vendor is None else lambda _: vendor):
                    continue
                if given:
                    raise _no_configuration(path)
                if others is not None:
                    others.append(document)
            except SourceError as error:
                errors.append(error)
        found = batch.read(
            shared.collect_results(),
            lambda texts: map_in_processes(_read_text, texts, jobs if len(texts) >= _MANY else 1),
        )
    read: list[tuple[Document, list[Draft]]] = []
    for (document, _), drafts in zip(batch.texts, found, strict=True):
        if isinstance(drafts, SourceError):
            errors.append(drafts)
        else:
            read.append((document, drafts))
    if not read and not errors:
        return None
    try:
        return fabric_of(root, read, errors, sources)._replace(alike=batch.find_alike())
    except SourceError as error:  # a profile of the user's
        return Loaded(root, None, tuple(d.path for d, _ in read), [], [*errors, error])


def _read_text(text: VendorText) -> Read:
    try:
        return read_drafts(*text)
    except SourceError as error:
        return error


def _no_configuration(path: str) -> SourceError:
    return SourceError(
        path,
        "is neither an intent nor a known switch configuration",
        f"an intent has the key rocecfg: 1; give --from {join_names(VENDORS, 'or')} for a switch configuration",
    )
