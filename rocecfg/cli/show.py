"""`rocecfg show`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from rocecfg.cli.common import stop, stop_unread
from rocecfg.cli.inputs import allow_outside_option, own_templates, vendor_option
from rocecfg.core.visible import visible
from rocecfg.intent import Loaded
from rocecfg.linting.discover import discover
from rocecfg.report.plan import Element, Origins, elements
from rocecfg.source.document import Sources
from rocecfg.source.walk import files_below

_DEPTHS = {"fabric": 1, "device": 1, "class": 2, "ports": 2}


@click.command("show")
@click.argument("path", default=".", type=click.Path())
@click.argument("device", required=False)
@vendor_option
@click.option("--topology", is_flag=True, help="the fabric as a whole: tiers, capacity, rails, pauses, losses")
@allow_outside_option
def command(path: str, device: str | None, vendor: str | None, topology: bool, allow_outside: tuple[str, ...]) -> None:
    """Print the resolved plan of an intent, or of a switch's configuration: every value and where it came from."""
    sources = Sources(allow_outside)
    if topology and device is not None:
        stop("--topology shows the fabric as a whole: name no device")
    if device is None and path != "." and not topology and not os.path.exists(path):
        path, device = ".", path  # `rocecfg show leaf01`
    found = discover((path,), sources, vendor, running=True)
    if found.unowned:
        stop(f"{path} belongs to no intent")
    shown = 0
    for loaded in found.fabrics:
        if loaded.errors:
            stop_unread(loaded.errors[0])
        for line in _topology(loaded) if topology else _fabric(loaded, sources, device):
            shown += 1
            click.echo(visible(line))
    if not shown:
        stop(f"there is no device {device}")


def _topology(loaded: Loaded) -> Iterator[str]:
    from rocecfg.report.topology import lines

    if loaded.fabric is not None:
        yield from lines(loaded.fabric)


def _fabric(loaded: Loaded, sources: Sources, wanted: str | None) -> Iterator[str]:
    fabric = loaded.fabric
    if fabric is None or (wanted is not None and all(wanted not in d.names for d in fabric.devices)):
        return
    say = Origins(sources)
    for element in elements(fabric):
        if wanted is not None and element.device is not None and wanted not in element.device.names:
            continue
        yield _heading(element)
        depth = _DEPTHS[element.kind]
        for row in element.rows:
            yield _line(depth, row.name, row.text, f"{say(row.origin)} {row.note}")
        if element.kind == "fabric":
            yield from _templates(loaded, sources)


def _heading(element: Element) -> str:
    device = element.device
    if element.kind == "device" and device is not None:
        ports = sum(len(p.names) for p in device.ports)
        of = f" ({len(device.names)} devices, {ports} ports each)" if device.names else ""
        return f"device {device.key or 'every device'}{of}"
    if element.kind == "ports":
        return f"  ports {element.name or 'every port'}"
    return f"  class {element.name}" if element.kind == "class" else f"fabric {element.name}"


def _templates(loaded: Loaded, sources: Sources) -> Iterator[str]:
    templates = own_templates(loaded, sources)
    for file in files_below(templates) if templates is not None else ():
        yield _line(1, "template", file, "the repository's own, used instead of ours")


def _line(depth: int, name: str, text: str, origin: str) -> str:
    return f"{'  ' * depth}{name:<{26 - 2 * depth}} {text:<24} {origin}".rstrip()
