"""From a fabric to files: which devices, whether their systems take them, one rendering for all that are equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rocecfg.analysis.ports import alike_devices
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import find_first_place
from rocecfg.model import Device, Fabric, Origin, spans_of
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ERROR
from rocecfg.rules.refusals import list_refused
from rocecfg.vendors import VENDORS, part, row
from rocecfg.vendors.base import CannotRender, File, RenderedText

PATCH = "patch"  # the form that starts from what a device runs


class UnfitDevice(CannotRender):
    """A device that its system would not take so: all that lint finds of that."""

    def __init__(self, findings: list[Finding], at: tuple[Origin, ...]) -> None:
        first = findings[0]
        super().__init__(first.message, first.help, at)
        self.findings = findings

    def __str__(self) -> str:
        return f"{self.findings[0].rule.name}: {super().__str__()}"


def refuse_unfit(fabric: Fabric, device: Device) -> None:
    """Raise UnfitDevice where the system of a device does not take what is asked of it; no waiver counts here."""
    if device.nos is None and device.vendor is not None:  # a model made by hand
        device = replace(device, nos=SHIPPED.nos(device.vendor))
    hits = list(list_refused(fabric, device))
    found: dict[tuple[object, ...], Finding] = {}
    for rule, hit in hits:
        at = find_first_place(hit)
        related = tuple((span, text) for origin, text in hit.related for span in spans_of(origin)[:1])
        finding = Finding(rule, ERROR, hit.message, hit.help, at, related, device.names, cls=hit.cls)
        found.setdefault((rule.name, at, hit.message, hit.cls), finding)
    if hits:
        raise UnfitDevice(list(found.values()), hits[0][1].at)


def render_device(
    fabric: Fabric,
    device: Device,
    *,
    form: str | None = None,
    templates: str | None = None,
    running: str | None = None,
) -> RenderedText:
    """The text of one device, without its name. Raises CannotRender."""
    of = row(device.vendor or "")
    if form is not None and form not in of.forms:
        raise CannotRender(f"{of.name} has no form {form!r}", f"--as takes {', '.join(of.forms)}")
    if running is not None and PATCH not in of.forms:
        raise CannotRender(f"{of.name} needs no running configuration: its text is merged", "leave out --running")
    refuse_unfit(fabric, device)
    return part(of.name, "writer").render(fabric, device, form=form or of.forms[0], templates=templates)


def render_files(
    fabric: Fabric,
    vendor: str | None,
    *,
    form: str | None = None,
    templates: str | None = None,
    running: str | None = None,
    device: str | None = None,
    patch: Callable[[Device], RenderedText] | None = None,
    leave_out: bool = False,
) -> Iterator[File]:
    """The files of a vendor's devices (None: of all), in the intent's order; `device` picks one.

    Devices that are equal are rendered once. `patch` makes the form "patch", which starts from what runs. Raises
    CannotRender; with `leave_out` devices that cannot be rendered are left out.
    """
    done: dict[int, RenderedText] = {}
    kind = {id(one): number for number, devices in enumerate(alike_devices(fabric)) for one in devices}
    for group in fabric.devices:
        if group.vendor is None:
            raise CannotRender(
                f"{group.key or 'the policy'} names no vendor",
                f"give --vendor {'|'.join(VENDORS)}, or in the intent: defaults: {{vendor: {VENDORS[0]}}}",
                (group.at(""),),
            )
        if vendor is not None and group.vendor != vendor:
            continue
        names: tuple[str | None, ...] = group.names or (None,)
        if device is not None:
            names = tuple(n for n in names if n == device)
        if not names:
            continue
        key = kind[id(group)]
        text = done.get(key)
        if text is None:
            try:
                if form == PATCH and patch is not None:
                    refuse_unfit(fabric, group)
                    text = done[key] = patch(group)
                else:
                    text = done[key] = render_device(fabric, group, form=form, templates=templates, running=running)
            except CannotRender:
                if leave_out:
                    continue
                raise
        for name in names:
            stem = name if name is not None else f"{fabric.name or 'fabric'}-{group.vendor}"
            yield File(_check_stem(stem) + text.suffix, text.file(name, stem + text.suffix), name, group.vendor, text)


def _check_stem(stem: str) -> str:
    """The schema admits no other names; a model made by hand might bring one."""
    if not stem or stem[0] == "." or any(not (c.isalnum() or c in "._-") for c in stem):
        raise CannotRender(
            f"{stem!r} cannot be the name of a file", "device names are letters, digits, dot, dash, underscore"
        )
    return stem
