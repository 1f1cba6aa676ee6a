"""The configurations that a user means: files, folders of them, standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from rocecfg.linting.devices import below
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import KNOWN_TEXTS, VENDORS, listed
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.running import stated
from rocecfg.vendors.unsupported import stranger

_INTENT = re.compile(r"^rocecfg\s*:", re.MULTILINE)
_SAY = f"say --from {listed(VENDORS, 'or')}"


def gather(paths: Sequence[str], sources: Sources, vendor: str | None) -> list[tuple[Document, list[Draft]]]:
    """What the readers make of each file. `vendor`: what all of them are, however they look.

    Of a folder, what is no configuration is passed over. Raises SourceError for the first file that cannot be read,
    and for a path that holds no configuration.
    """
    out: dict[str, tuple[Document, list[Draft]]] = {}
    for path in paths:
        found = False
        for file in below(path, sources) if os.path.isdir(path) else (path,):
            if file in out:
                continue
            document = sources.read(file)
            kind = None if _INTENT.search(document.text) else vendor or vendor_of(document.text)
            if kind is not None:
                found = True
                out[file] = document, stated(document, kind)
        if not found:
            raise SourceError(path, *_none(path, sources))
    return list(out.values())


def _none(path: str, sources: Sources) -> tuple[str, str]:
    """What to say of a path without a configuration, and the fix."""
    document = sources.known(path)
    if document is None:
        return "no configuration of a switch in it or below", f"name the files, and {_SAY}"
    if _INTENT.search(document.text):
        return "is an intent already", "`rocecfg show` prints what it comes to"
    alike = stranger(document.text)
    if alike is None:
        return "is no configuration of a switch that is known", _SAY
    wording = f"is no configuration of a switch that is known: it is {alike.what}"
    return wording, alike.fix or KNOWN_TEXTS
