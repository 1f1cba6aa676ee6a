"""`rocecfg show`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from rocecfg.cli.common import describe_no_device, stop
from rocecfg.cli.inputs import allow_outside_option, find_fabrics, find_templates, vendor_option
from rocecfg.cli.paged import print_lines
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.intent import Loaded
from rocecfg.intent.values import near
from rocecfg.model import Computed, Device, Ecn, Family
from rocecfg.profiles import SHIPPED
from rocecfg.report.plan import Origins, PlanElement, list_elements, make_path, select_elements
from rocecfg.sizing.marking import scale_family
from rocecfg.source.document import Sources
from rocecfg.source.walk import walk_files

_DEPTHS = {"fabric": 1, "device": 1, "class": 2, "ports": 2}
_BEFORE_ORIGIN = 52  # columns: where origins begin, and go on in the next line


@click.command("show")
@click.argument("path", default=".", type=click.Path())
@click.argument("device", required=False)
@vendor_option
@click.option("--key", metavar="PATH", help="only these values: a name or a path, as watchdog, ecn.kmin, classes.rdma")
@click.option(
    "--origins", "full", is_flag=True, help="show the full origin of each value: sources of figures, inputs of formulas"
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--topology", is_flag=True, help="the fabric as a whole: tiers, capacity, rails, pauses, losses")
@allow_outside_option
def command(
    path: str,
    device: str | None,
    vendor: str | None,
    key: str | None,
    full: bool,
    format_: str,
    topology: bool,
    allow_outside: tuple[str, ...],
) -> None:
    """Print the resolved plan of an intent, or of a switch's configuration: every value and where it came from.

    On a terminal, long plans go through a pager (PAGER).
    """
    sources = Sources(allow_outside)
    if topology:
        if device is not None or key is not None or format_ != "text":
            stop("--topology shows the fabric as a whole, as text: name no device, no --key and no --format")
        print_lines(
            line for loaded in find_fabrics(path, sources, vendor, running=True) for line in _render_topology(loaded)
        )
        return
    if device is None and path != "." and not os.path.exists(path):
        path, device = ".", path  # `rocecfg show leaf01`
    fabrics = find_fabrics(path, sources, vendor, running=True)
    origins = Origins(sources, inputs=full, citations=full)
    plans = [(loaded, _select_elements(loaded, device, key)) for loaded in fabrics]
    if not any(plan for _, plan in plans):
        stop(_explain_nothing(fabrics, device, key))
    if format_ == "json":
        from rocecfg.report.plan_json import render

        found = (element for _, plan in plans for element in plan)
        click.echo(
            render(found, origins, [each.fates for each in fabrics if each.fates is not None], sources), nl=False
        )
        return
    print_lines(
        (
            line
            for loaded, plan in plans
            for line in (
                *_render_elements(loaded, plan, origins, sources, whole=key is None),
                *(_render_fates(loaded, sources) if key is None else ()),
            )
        ),
        indent=_BEFORE_ORIGIN,
    )


def _select_elements(loaded: Loaded, device: str | None, key: str | None) -> list[PlanElement]:
    """The elements of a fabric that are asked for; none, if it has not the device."""
    fabric = loaded.fabric
    if fabric is None or (device is not None and all(device not in d.names for d in fabric.devices)):
        return []
    found = [e for e in list_elements(fabric) if device is None or e.device is None or device in e.device.names]
    return found if key is None else list(select_elements(found, key))


def _explain_nothing(fabrics: list[Loaded], device: str | None, key: str | None) -> str:
    """Why nothing is shown."""
    every = [element for loaded in fabrics for element in _select_elements(loaded, device, None)]
    if key is not None and every:
        parts = {part for element in every for row in element.rows for part in make_path(element, row).split(".")}
        meant = near(key, parts)
        offer = f"did you mean {meant}?" if meant is not None else "`rocecfg show` without --key lists all"
        return f"nothing has a value {key!r}; {offer}"
    return describe_no_device(device or "", fabrics)


def _render_topology(loaded: Loaded) -> Iterator[str]:
    from rocecfg.report.topology import render_topology

    if loaded.fabric is not None:
        yield from render_topology(loaded.fabric)


def _render_fates(loaded: Loaded, sources: Sources) -> Iterator[str]:
    """What became of the statements of configurations."""
    if loaded.fates is not None:
        from rocecfg.report.fates import describe_fates  # an intent has none

        yield describe_fates(loaded.fates, sources)


def _render_elements(
    loaded: Loaded, plan: list[PlanElement], origins: Origins, sources: Sources, *, whole: bool
) -> Iterator[str]:
    device = None
    for element in plan:
        if element.device is not None and element.device is not device:
            device = element.device
            yield _render_device_heading(device)
        if element.kind != "device":
            yield _render_heading(element)
        depth = _DEPTHS[element.kind]
        for row in element.rows:
            yield _format_line(depth, row.name, row.text, f"{origins(row.origin)} {row.note}")
        if element.kind == "fabric" and whole:
            yield from _render_templates(loaded, sources)
        if element.kind == "class" and whole:
            yield from _render_published_curves(element)


def _render_device_heading(device: Device) -> str:
    ports = sum(len(p.names) for p in device.ports)
    devices = len(device.names)
    of = f" ({devices} device{'s' * (devices != 1)}, {ports} port{'s' * (ports != 1)} each)" if devices else ""
    return f"device {device.key or 'every device'}{of}"


def _render_heading(element: PlanElement) -> str:
    if element.kind == "ports":
        return f"  ports {element.name or 'every port'}"
    return f"  class {element.name}" if element.kind == "class" else f"fabric {element.name}"


def _render_published_curves(element: PlanElement) -> Iterator[str]:
    """What others set for ports for which `ecn: auto` came to a curve: a line for each speed."""
    assert element.device is not None
    for speed, curve in element.device.cls(element.name).ecn_by_speed:
        if isinstance(curve, Ecn) and isinstance(curve.at("kmin"), Computed):
            others = ", ".join(
                f"{family.name} {_format_curve(family, speed)}" for family in SHIPPED.compared_families()
            )
            wording = f"profile ecn: {others}; `rocecfg advise --published` tells how they fare"
            yield _format_line(_DEPTHS["class"], f"ecn.{show_rate(speed)}.published", "", wording)


def _format_curve(family: Family, speed: int) -> str:
    kmin, kmax = scale_family(family, speed)
    return f"{show_size(round(kmin))}/{show_size(round(kmax))}/{show_number(family.pmax)}%"


def _render_templates(loaded: Loaded, sources: Sources) -> Iterator[str]:
    templates = find_templates(loaded, sources)
    for file in walk_files(templates) if templates is not None else ():
        yield _format_line(1, "template", file, "the repository's own, used instead of ours")


def _format_line(depth: int, name: str, text: str, origin: str) -> str:
    return f"{'  ' * depth}{name:<{26 - 2 * depth}} {text:<24} {origin}".rstrip()
