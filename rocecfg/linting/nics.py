"""Output of hosts among the files that were given: judged with the intent that lists these hosts, else alone."""

from __future__ import annotations

from rocecfg.hosts.compare import Placed, alone, names, placed, problems
from rocecfg.hosts.reading import read
from rocecfg.intent import Loaded
from rocecfg.model.frozen import replace
from rocecfg.source.document import Document, SourceError


def taken(fabrics: list[Loaded], outputs: list[Document]) -> list[Loaded]:
    """The fabrics with what is wrong with their NICs, and what stands alone or cannot be read behind them."""
    known = [names(f.fabric) if f.fabric is not None and not f.fabric.running else frozenset[str]() for f in fabrics]
    own: dict[int, tuple[list[str], list[Placed]]] = {}  # by number of the fabric
    rest: list[Loaded] = []
    for document in outputs:
        path = document.path
        try:
            found = read(document)
        except SourceError as error:
            rest.append(Loaded(path, None, (path,), [], [error]))
            continue
        for n, hosts in enumerate(known):
            nics = placed(found, path, hosts)
            if nics:
                paths, theirs = own.setdefault(n, ([], []))
                paths.append(path)
                theirs += nics
                break
        else:
            rest.append(Loaded(path, None, (path,), list(alone(placed(found, path, None))), []))
    return [*(_with(loaded, *own[n]) if n in own else loaded for n, loaded in enumerate(fabrics)), *rest]


def _with(loaded: Loaded, paths: list[str], nics: list[Placed]) -> Loaded:
    """The fabric with what its hosts say, and the files that say it."""
    fabric = loaded.fabric
    assert fabric is not None
    return loaded._replace(
        fabric=replace(fabric, sections=fabric.sections | {"hosts"}),
        problems=[*loaded.problems, *problems(fabric, nics)],
        files=(*loaded.files, *paths),
    )
