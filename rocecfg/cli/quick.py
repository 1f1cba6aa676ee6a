"""`rocecfg lint FILE...` of files whose fabric is known, as hooks and editors run it: with nothing loaded but that.

Whatever else is asked for, or found, is left to the command itself, which prints the same.
"""

from __future__ import annotations

import gc
import sys
import time

from rocecfg.cli.common import use_color
from rocecfg.engine.cache import cached, keep
from rocecfg.settings.find import Finder
from rocecfg.source.document import SourceError
from rocecfg.source.yaml import has_c_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.settings.policies import Policies

_KNOWN = frozenset({"--only-intents"})  # options that change nothing about files of an intent


def lint(arguments: list[str]) -> int | None:
    """The exit code of a lint, which was printed; None, and nothing printed, where the command has to run."""
    paths = tuple(word for word in arguments if word not in _KNOWN)
    if any(path.startswith("-") or not path for path in paths):
        return None
    known = cached(paths)
    if known is None:
        return None
    gc.disable()  # a short life, and no cycles worth a collection
    try:
        passed_over: list[str] = []
        finder = Finder(tell=passed_over.append)
        asked = finder.settings(known.root)
        if passed_over or (asked is not None and asked.output):  # other formats
            return None
        recalled = known.recall(paths)
        if recalled is None or not has_c_parser():  # of which the user is told
            return None
        from rocecfg.engine.run import lint

        policies = _policies(finder) if asked is not None else None
        found, sources, _ = recalled
        run = lint(found.fabrics, sources, focus=found.focus, today=time.strftime("%Y-%m-%d"), policies=policies)
        if not recalled.holds(run, policies):
            return None
        from rocecfg.report.text import full

        text = full(run, color=use_color(), width=_width())
    except SourceError:
        return None
    sys.stdout.write(text)
    keep(found, sources, recalled)
    return int(run.failing)


def _policies(finder: Finder) -> Policies:
    from rocecfg.settings.policies import Policies
    from rocecfg.settings.values import Layer

    return Policies(finder, Layer())


def _width() -> int | None:
    """The columns of the terminal, if that is where it is shown."""
    if not sys.stdout.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns
