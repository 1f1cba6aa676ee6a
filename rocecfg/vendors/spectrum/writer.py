"""NVIDIA Spectrum with Cumulus Linux: from one device of the model to NVUE YAML or `nv set` commands."""

from __future__ import annotations

from functools import partial

from rocecfg.model import Device, Fabric
from rocecfg.vendors import ansible, row
from rocecfg.vendors.base import RenderedText, fill_template, load_template
from rocecfg.vendors.spectrum.notes import apply_of, notes_of
from rocecfg.vendors.spectrum.view import view_of

FORMS = row("spectrum").forms
WATCHED_FLOOR: int | None = None  # bit/s: no queue is guaranteed any by itself
_template = partial(load_template, "spectrum")
_FILES = {"nvue": ("nvue.yaml.j2", ".yaml"), "commands": ("commands.nv.j2", ".nv")}


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = "nvue",
    templates: str | None = None,
) -> RenderedText:
    """The configuration of one device, without its name: equal devices share it.

    `form` is "nvue" (the YAML of `nv config patch`) or "commands" (`nv set` lines); both say the same. `templates` is
    a user's folder whose `spectrum/*.j2` win over ours.
    """
    view = view_of(fabric, device)
    written = "nvue" if form == ansible.FORM else form
    name, suffix = _FILES[written]
    notes = notes_of(fabric, device, view, written)
    body = fill_template(_template, name, templates, view=view)
    text = RenderedText(body, notes, "# ", suffix, apply_of(device, view, written, notes))
    return ansible.make_task_list("spectrum", text) if form == ansible.FORM else text
