"""What a rule is: a pure function from one element of the model to hits, and what is known about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Origin, PortGroup, Span
from rocecfg.model.fix import Change, Fix
from rocecfg.model.frozen import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ERROR = "error"
WARNING = "warning"
INFO = "info"
OFF = "off"
SEVERITIES = (INFO, WARNING, ERROR)  # ascending
ANY = "any"  # judges intents and what switches run
RUNNING = "running"  # finds something in a switch's own configuration alone: no intent has what it looks at
OWN_CLASS = "own"  # what it finds stands where the class that it names could be read
ALL_CLASSES = "all"  # it judges classes together: a hit that names none stands only where all could be read
EVERY_CLASS = "every"  # and one that names a class too: another one, unread, may be what it lacks


class Hit(NamedTuple):
    """One thing a rule found. The engine adds which rule, device and port."""

    message: str
    at: tuple[Origin, ...]  # candidates for the place, best first; the first one in a source text is shown
    help: str = ""  # the fix
    related: tuple[tuple[Origin, str], ...] = ()  # second places: "the watchdog is set here"
    severity: str | None = None  # where a rule has two levels; None: the rule's own
    cls: str | None = None  # name of the class concerned
    fix: Fix | None = None  # where the fix has only one answer
    vendors: frozenset[str | None] = frozenset()  # of the switches concerned, where the rule is given no device
    variant: str = ""  # which of the fixes for a switch's own configuration, where its vendor has several for the rule
    fill: tuple[tuple[str, str], ...] = ()  # what words in capitals stand for in that fix: ("PRIORITY", "4"); the
    # priority of `cls`, and those with PFC on the ports, are filled in without it
    ports: tuple[PortGroup, ...] = ()  # of the device, those that it is so of; (): by where it is, else all
    alike: str = ""  # what hits of one kind have in common, so that a file's are one finding; empty: the whole message
    explains: tuple[
        str, ...
    ] = ()  # names of rules: what they find at one of its places, or on its ports, follows from it
    missing: bool = False  # it is about what an intent does not say: silent where something could not be read
    refused: str = ""  # a contradiction that some systems refuse (`refuses` of their profiles): the message says which


def unsafe_fix(description: str, how: Callable[..., Change], at: Origin | None, *values: Any) -> Fix | None:
    """A fix that changes what the switch does, by one change; None where nobody wrote what would be changed.

    Give an origin by field as `x.origins.get(field)`: `x.at(field)` may be the place of the whole.
    """
    return Fix(description, safe=False, changes=(how(at, *values),)) if isinstance(at, Span) else None


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule's function and what `rules`, `explain` and the engine need to know about it."""

    check: Callable[..., Iterator[Hit]] | None  # None: found while reading, not by looking at the model
    code: str
    name: str
    severity: str
    worst: str  # the most severe that a hit can be which names a level of its own
    summary: str
    source: str
    scope: str  # source | fabric | device | cls | port
    ignorable: bool = True  # False: cannot be silenced in a line
    on: str = ANY  # ANY | RUNNING
    by_kind: Mapping[str, str] = field(default_factory=dict)  # kind of fabric -> severity there, OFF included
    needs: tuple[str, ...] = ()  # sections of the intent without which the rule is silent
    vendors: tuple[str, ...] = ()  # (): every vendor, and a policy without one
    graph: bool = False  # judges the fabric as a graph: silent where names or links could not be read whole
    classes: str = OWN_CLASS  # OWN_CLASS | ALL_CLASSES | EVERY_CLASS
    by_maps: bool = False  # judges how packets are sorted: the device is given to it as some of its ports sort
    of_tables: tuple[str, ...] = ()  # room, alpha, pools: it judges these, which may be of a box's tables


def rule(
    code: str,
    name: str,
    severity: str,
    *,
    source: str,
    by_kind: Mapping[str, str] | None = None,
    needs: tuple[str, ...] = (),
    vendors: tuple[str, ...] = (),
    ignorable: bool = True,
    on: str = ANY,
    graph: bool = False,
    classes: str = OWN_CLASS,
    by_maps: bool = False,
    of_tables: tuple[str, ...] = (),
    worst: str | None = None,
) -> Callable[[Callable[..., Iterator[Hit]]], Rule]:
    """Make a rule of a generator function.

    The scope is the name of its last parameter: `(fabric)`, `(fabric, device)`, `(fabric, device, cls)` or
    `(fabric, device, port)`; the first docstring line is the summary. `by_kind` changes the severity on kinds
    of fabric: `backend`, `converged`, `lossy`, `semi-lossless`, `no-cc`, `dual-tor`. `on`, `graph` and `classes` tell
    the engine when the rule can be asked at all. `by_maps`: what is wrong may be so on some ports
    alone, and the rule is asked for each way in which ports sort packets, with a device that has these ports, their
    classes and their maps; other rules have the whole device before them. `of_tables`: which of `room`, `alpha`
    and `pools` it judges: where they come from tables of another release than the device's, the engine adds that to the
    message. `worst`: where some hits name a level above `severity`, that one; none counts for more.
    """

    def make(check: Callable[..., Iterator[Hit]]) -> Rule:
        code_object: Any = check.__code__
        scope = code_object.co_varnames[code_object.co_argcount - 1]
        return Rule(
            check,
            code,
            name,
            severity,
            worst or severity,
            (check.__doc__ or "").partition("\n")[0],
            source,
            scope,
            ignorable,
            on,
            by_kind or {},
            needs,
            vendors,
            graph,
            classes,
            by_maps,
            of_tables,
        )

    return make


def source_rule(
    code: str, name: str, severity: str, summary: str, *, source: str, ignorable: bool = True, on: str = ANY
) -> Rule:
    """A rule whose findings come from reading the text, not from the model."""
    return Rule(None, code, name, severity, severity, summary, source, "source", ignorable, on)


def running_rule(code: str, name: str, severity: str, summary: str, *, source: str) -> Rule:
    """One whose findings come from reading a switch's own configuration."""
    return source_rule(code, name, severity, summary, source=source, on=RUNNING)
