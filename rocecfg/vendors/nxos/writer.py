"""NX-OS: from one device of the model to the lines of its running-config that RoCEv2 needs."""

from __future__ import annotations

from functools import partial

from rocecfg.model import Device, Fabric
from rocecfg.vendors import ansible, row
from rocecfg.vendors.base import RenderedText, fill_template, load_template
from rocecfg.vendors.nxos.notes import apply_of, notes_of
from rocecfg.vendors.nxos.view import view_of

FORMS = row("nxos").forms
WATCHED_FLOOR: int | None = None
_template = partial(load_template, "nxos")


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = "cli",
    templates: str | None = None,
) -> RenderedText:
    """The configuration of one device, without its name: equal devices share it.

    `templates` is a user's folder whose `nxos/*.j2` win over ours.
    """
    view = view_of(device)
    notes = notes_of(fabric, device, view)
    text = RenderedText(fill_template(_template, "nxos.j2", templates, view=view), notes, "! ", ".cfg", apply_of(notes))
    return ansible.make_task_list("nxos", text) if form == ansible.FORM else text
