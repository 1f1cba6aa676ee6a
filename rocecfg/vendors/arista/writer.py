"""Arista EOS: from one device of the model to the lines of its running-config that RoCEv2 needs."""

from __future__ import annotations

from functools import partial

from rocecfg.model import Device, Fabric
from rocecfg.vendors import ansible, row
from rocecfg.vendors.arista.notes import apply_of, notes_of
from rocecfg.vendors.arista.release import FLOOR_KBPS
from rocecfg.vendors.arista.view import view_of
from rocecfg.vendors.base import RenderedText, fill_template, load_template

FORMS = row("arista").forms
WATCHED_FLOOR: int | None = FLOOR_KBPS * 1000  # bit/s that a watched queue is guaranteed where nothing is said
_template = partial(load_template, "arista")


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = "cli",
    templates: str | None = None,
) -> RenderedText:
    """The configuration of one device, without its name: equal devices share it.

    `templates` is a user's folder whose `arista/*.j2` win over ours.
    """
    view = view_of(device)
    notes = notes_of(fabric, device, view)
    text = RenderedText(fill_template(_template, "eos.j2", templates, view=view), notes, "! ", ".cfg", apply_of(notes))
    return ansible.make_task_list("arista", text) if form == ansible.FORM else text
