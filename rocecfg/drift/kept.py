"""Configurations against configurations that are kept: of the day before, or as somebody wants them to be.

Here no intent says what is meant. Each switch of the kept files is compared with the one of its name that runs, setting
by setting; a pair of single files is compared whatever their names are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from rocecfg.drift.configurations import count_settings, differences
from rocecfg.drift.files import Found, Running
from rocecfg.drift.run import Counts, Drift, Refused, Stranger
from rocecfg.linting.roots import is_root, peek
from rocecfg.model.switch import Switch
from rocecfg.source.document import SourceError, Sources
from rocecfg.vendors import row
from rocecfg.vendors.detect import vendor_of


def is_configuration(path: str) -> bool:
    """Whether a path is a file that a switch wrote, and no intent."""
    data = peek(path)
    return not is_root(data) and vendor_of(data.decode("utf-8", "replace")) is not None


def drift_from(kept: str, paths: Iterable[str], sources: Sources) -> Drift:
    """What runs against the configurations in a file. `paths`: files and folders that run, `-` for standard input."""
    meant = Running((kept,), {}, sources)
    before = _named(meant)
    running = Running(paths, {}, sources)
    after = _named(running)
    running.errors[:0] = meant.errors
    if len(before) == len(after) == 1 and not before.keys() & after.keys():
        after = dict.fromkeys(before, *after.values())
    both = [(name, found, after[name]) for name, found in before.items() if name in after]
    refused = [_of_another_system(name, now) for name, was, now in both if was.vendor != now.vendor]
    pairs = [(name, was.switch, now.switch) for name, was, now in both if was.vendor == now.vendor]
    found, differing = differences(pairs)
    counted = [count_settings(switch) for _, switch, _ in pairs]
    settings, ports = (sum(each) for each in zip(*counted, strict=True)) if counted else (0, 0)
    return Drift(
        differences=found,
        compared={},
        differing=[],
        settings=settings,
        ports=ports,
        counts=Counts(len(pairs), ports, len(differing)),
        uncovered=[],
        unclear=[],
        absent=tuple(name for name in before if name not in after),
        strangers=[Stranger(one.document.path, one.switch.name) for name, one in after.items() if name not in before],
        notes={},
        extra={},
        refused=refused,
        running=running,
        sources=sources,
    )


def _named(running: Running) -> dict[str, Found]:
    """Each switch by its host name, else by its file's; of two of one name the first."""
    out: dict[str, Found] = {}
    for found in running:
        out.setdefault(_name(found.switch, found.document.path), found)
    return out


def _name(switch: Switch, path: str) -> str:
    return switch.name or os.path.splitext(os.path.basename(path))[0]


def _of_another_system(name: str, found: Found) -> Refused:
    message = f"is a configuration of {row(found.vendor).title}, and the one that is kept of {name} is not"
    return Refused(name, SourceError(found.document.path, message, "compare it with one of the same system"))
