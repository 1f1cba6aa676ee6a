"""rocecfg: generate and lint RoCEv2 switch configuration from one intent.

From Python: `load(path)` gives a Fabric, `read_config(text, kind)` that of a switch's own configuration, `lint(fabric)`
the findings, `render(fabric, vendor)` the files. The types of what they take, give and raise are here too; each is
loaded when it is asked for.
"""

from __future__ import annotations

__version__ = "0.2.0"
facts_day = "2026-11-23"  # of the newest source of all facts, as `rocecfg profiles --age` has it
__all__ = [
    "CannotRender",
    "Device",
    "Ecn",
    "Fabric",
    "Finding",
    "Headroom",
    "IntentError",
    "Link",
    "PortGroup",
    "RuleFailed",
    "SourceError",
    "Span",
    "TrafficClass",
    "Watchdog",
    "__version__",
    "lint",
    "load",
    "read_config",
    "render",
]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.linting.finding import Finding
    from rocecfg.linting.judge import RuleFailed
    from rocecfg.model import Device, Ecn, Fabric, Headroom, Link, PortGroup, Span, TrafficClass, Watchdog
    from rocecfg.source.document import SourceError
    from rocecfg.vendors.base import CannotRender

_HOMES = {
    "CannotRender": "rocecfg.vendors.base",
    "Finding": "rocecfg.linting.finding",
    "RuleFailed": "rocecfg.linting.judge",
    "SourceError": "rocecfg.source.document",
}


if not TYPE_CHECKING:  # which knows them from above, and any other name for a mistake

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_HOMES.get(name, "rocecfg.model")), name)


class IntentError(ValueError):
    """An intent that says something the format does not mean; the text names file, line and column."""


def load(path: str, *, vendor: str | None = None) -> Fabric:
    """The resolved fabric of an intent file. `vendor` is taken for devices that name none.

    Raises IntentError for the first thing that is wrong in the text, SourceError for a file that cannot be read.
    """
    from rocecfg.intent import load as load_intent
    from rocecfg.rules import BY_NAME, ERROR
    from rocecfg.source.document import Sources

    sources = Sources()
    loaded = load_intent(path, sources, vendor)
    if loaded.errors:
        raise loaded.errors[0]
    for problem in loaded.problems:
        if (problem.severity or BY_NAME[problem.rule].severity) == ERROR:
            document = sources.documents[problem.at.doc]
            line, column = document.place(problem.at.start)
            raise IntentError(f"{document.path}:{line}:{column}: {problem.message}")
    if loaded.fabric is None:
        raise IntentError(f"{path}: nothing to load")
    return loaded.fabric


def read_config(text: str, kind: str | None = None, *, name: str = "switch", release: str | None = None) -> Fabric:
    """The fabric of one switch as its own configuration has it, and what its profiles add.

    `kind`: a vendor's name, as in an intent; None: told by the text. `name`: for a switch whose text has no host name.
    `release`: of its operating system, where the text does not tell. What is wrong in the text is for `rocecfg lint`
    to report. Raises SourceError for a text that cannot be read.
    """
    from rocecfg.source.document import SourceError, Sources
    from rocecfg.vendors import VENDORS, join_names
    from rocecfg.vendors.detect import vendor_of
    from rocecfg.vendors.running import fabric_of, read_drafts

    sources = Sources()
    document = sources.add(name, text)
    vendor = kind or vendor_of(text)
    if vendor is None:
        raise SourceError(name, "no configuration of a switch that is known", f"say which: {join_names(VENDORS, 'or')}")
    loaded = fabric_of(name, [(document, read_drafts(document, vendor, release))], [], sources)
    if loaded.fabric is None:
        raise SourceError(name, "no switch in it")
    return loaded.fabric


def lint(fabric: Fabric) -> list[Finding]:
    """What the rules find in a fabric. Raises RuleFailed where a rule itself breaks."""
    from rocecfg.intent import Loaded
    from rocecfg.linting.judge import judge

    findings, failed = judge(Loaded("", fabric, (), [], []))
    if failed:
        raise failed[0]
    return findings


def render(fabric: Fabric, vendor: str) -> dict[str, str]:
    """File name -> text of the devices of a vendor. Raises CannotRender."""
    from rocecfg.linting.rendering import render_files

    return {file.name: file.text for file in render_files(fabric, vendor)}
