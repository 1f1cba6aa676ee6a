"""What a plan starts from: for each device that differs, what is meant, what runs, and what is to be mended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.drift.differences import Difference
from rocecfg.drift.run import Compared, Refused, drift
from rocecfg.intent import Loaded
from rocecfg.records import NamedTuple
from rocecfg.source.document import SourceError, Sources


class Basis(NamedTuple):
    """The devices of an intent against what they run, or ran by an older intent."""

    origin: str | None  # the older intent; None: running configurations
    differing: list[Compared]
    same: tuple[str, ...]  # devices with nothing to do
    absent: tuple[str, ...]  # devices of which nothing is known: they are not planned
    gone: tuple[str, ...]  # devices of the older intent that the new one does not have
    differences: list[Difference]  # the widest first, those on ports that are down left out
    notes: tuple[str, ...]  # what else is to be known of what runs
    refused: tuple[str, ...]  # what could not be compared, and why: the plan is not whole


def of_running(
    fabrics: Iterable[Loaded],
    paths: Iterable[str],
    sources: Sources,
    *,
    templates: Mapping[str, str],
) -> Basis:
    """The basis that running configurations are: files and folders of them, as `rocecfg drift` takes them."""
    found = drift(fabrics, paths, sources, templates=templates)
    changing = {one.name for one in found.differing}
    notes = [f"{name} {note}" for note, names in found.notes.items() for name in names]
    notes += [f"{path} is no device of the intent" for path, _ in found.strangers]
    notes += [f"{name} has PFC on ports that the intent does not name" for name in found.extra]
    notes += [
        f"{name}: the intent names no ports for it, so only what holds for the switch as a whole is compared"
        for name, means in found.compared.items()
        if any(port.implied for port in means.device.ports)
    ]
    refused = [*map(_refused, found.refused), *map(str, found.running.errors)]
    return Basis(
        None,
        found.differing,
        tuple(name for name in found.compared if name not in changing),
        found.absent,
        (),
        [d for d in found.differences if not d.down],
        tuple(notes),
        tuple(refused),
    )


def _refused(each: Refused) -> str:
    error = each.error
    if isinstance(error, SourceError):
        return f"{each.name}: {error}"
    return f"{each.name}: {error.message}" + (f" ({error.help})" if error.help else "")
