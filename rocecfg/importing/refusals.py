"""The trial of an imported intent: what lint and the writer of its own system refuse of it.

What the system cannot express and gives by itself is left out; the rest is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing import Imported, check_loads
from rocecfg.importing.portsets import by_number, fold_short
from rocecfg.intent import Loaded
from rocecfg.linting import suppressions
from rocecfg.linting.discover import Overlaid
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_device
from rocecfg.model import Fabric
from rocecfg.rules import ERROR
from rocecfg.rules.nos import REFUSED
from rocecfg.source.edit import apply, remove
from rocecfg.source.layout import EditRefused
from rocecfg.source.tree import parse
from rocecfg.vendors.base import CannotRender

_MAY_GO = {"pg": False, "guaranteed": True}  # keys of a class that protect nothing, and whether the switch said them
_UNRENDERED = "so it is not rendered"  # ends what is said of a setting that a system cannot be given
_NO_DAY = "0001-01-01"  # what import waives has no end


class CannotImport(NamedTuple):
    """Why switches cannot be rendered, and what there is to do."""

    switches: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        switches = fold_short(sorted(self.switches, key=by_number))
        return f"{switches} cannot be rendered, nor compared by drift: {self.reason}"


class Tried(NamedTuple):
    """An import after its trial."""

    made: Imported
    messages: tuple[str, ...]  # what was left out, what lint finds, which switches cannot be rendered


def try_out(path: str, made: Imported) -> Tried:
    """The import as it passes lint and the writers as far as it can. `path`: the file as which it is tried.

    Raises WouldNotLoad.
    """
    text, left_out = _leave_out(path, made.text, made.running)
    fabric = check_loads(path, text, made.running).fabric
    guessed, refused = _tell_guessed_releases(fabric), tuple(map(str, find_refusals(fabric)))
    warnings = (*guessed, *left_out, *refused)
    if warnings:
        text, _ = _leave_out(path, made.with_warnings(warnings).text, made.running)
    return Tried(made._replace(text=text), (*guessed, *left_out, *_describe_faults(path, text, made.running), *refused))


def _tell_guessed_releases(fabric: Fabric | None) -> tuple[str, ...]:
    """Which release is taken of switches whose configuration tells none, and why that one."""
    found: dict[str, list[str]] = {}
    for device in fabric.devices if fabric is not None else ():
        if device.version is None and device.nos is not None:
            usual = device.assumed == device.nos.default_release
            why = f"the first that knows {device.hwsku or (device.platform and device.platform.name)}"
            taken = f"{device.nos.title} {device.assumed}, {'the usual one here' if usual else why}"
            found.setdefault(taken, []).extend(device.names)
    return tuple(
        f"guessed: the release of {fold_short(sorted(names, key=by_number))}, which no configuration states: {taken}; "
        "state version, as limits, headroom tables and known faults differ by release"
        for taken, names in found.items()
    )


def find_refusals(fabric: Fabric | None) -> Sequence[CannotImport]:
    """The switches of a fabric that their writer refuses, by reason."""
    found: dict[str, list[str]] = {}
    for device in fabric.devices if fabric is not None else ():
        try:
            if fabric is not None and device.vendor is not None:
                render_device(fabric, device)
        except CannotRender as error:
            found.setdefault(str(error), []).extend(device.names)
    return [CannotImport(tuple(names), reason) for reason, names in found.items()]


def _leave_out(path: str, text: str, running: Loaded) -> tuple[str, tuple[str, ...]]:
    """The text without what the switches' own system cannot express, and words on each."""
    left: dict[str, None] = {}
    while True:
        tree = parse(text)
        edits = []
        for finding in judge(check_loads(path, text, running))[0]:
            node = tree.node_at(finding.at.start, finding.at.end) if finding.at is not None else None
            refused = finding.severity == ERROR or REFUSED in finding.message
            if finding.rule.name != "nos-unsupported" or not refused or node is None:
                continue
            key = (node.key or node).text
            if key in _MAY_GO:
                edits.append(remove(tree, node.start, node.end))
                if _MAY_GO[key]:
                    left[f"left out: {key} of class {finding.cls}: {finding.message}"] = None
        if not edits:
            return text, tuple(left)
        try:
            text = apply(tree, list(dict.fromkeys(edits)))
        except EditRefused:
            return text, ()


def _describe_faults(path: str, text: str, running: Loaded) -> tuple[str, ...]:
    """What lint finds that renders otherwise than it is written, or not at all."""
    sources = Overlaid(path, text.encode())
    found_in = judge(check_loads(path, text, running, sources))[0]
    standing, _ = suppressions.apply(found_in, sources.documents, _NO_DAY)
    silent = (f for f in standing if f.rule.name == "nos-unsupported" and f.message.endswith(_UNRENDERED))
    kept = tuple(dict.fromkeys(f"kept in the intent: {f.message}" for f in silent))
    found = Counter(f.rule.name for f in standing if f.severity == ERROR)
    if not found:
        return kept
    count = found.total()
    return (*kept, f"lint finds {count} error{'s' * (count != 1)} in what is written: {', '.join(found)}")
