"""From a fabric to files: which devices, one rendering for all that are equal, and the names of the files."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rocecfg.analysis.ports import alike_devices
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric
from rocecfg.vendors import VENDORS, part, row
from rocecfg.vendors.base import CannotRender, RenderedText


class File(NamedTuple):
    """One file to write: its name, which is safe below any folder, its text, and the rendering behind it."""

    name: str
    text: str
    device: str | None  # None: the policy, for every device
    vendor: str
    rendering: RenderedText


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
                f"say --vendor {'|'.join(VENDORS)}, or in the intent: defaults: {{vendor: {VENDORS[0]}}}",
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
                text = done[key] = _render_device(fabric, group, form, templates, running, patch)
            except CannotRender:
                if leave_out:
                    continue
                raise
        for name in names:
            stem = name if name is not None else f"{fabric.name or 'fabric'}-{group.vendor}"
            yield File(_check_stem(stem) + text.suffix, text.file(name), name, group.vendor, text)


def _render_device(
    fabric: Fabric,
    device: Device,
    form: str | None,
    templates: str | None,
    running: str | None,
    patch: Callable[[Device], RenderedText] | None,
) -> RenderedText:
    of = row(device.vendor or "")
    if form is not None and form not in of.forms:
        raise CannotRender(f"{of.name} has no form {form!r}", f"--as takes {', '.join(of.forms)}")
    if form == "patch" and patch is not None:
        return patch(device)
    return part(of.name, "writer").render(
        fabric, device, form=form or of.forms[0], templates=templates, running=running
    )


def _check_stem(stem: str) -> str:
    """The schema admits no other names; a model made by hand might bring one."""
    if not stem or stem[0] == "." or any(not (c.isalnum() or c in "._-") for c in stem):
        raise CannotRender(
            f"{stem!r} cannot be the name of a file", "device names are letters, digits, dot, dash, underscore"
        )
    return stem
