"""SR Linux: from one device of the model to the set lines that RoCEv2 needs."""

from __future__ import annotations

from functools import partial

from rocecfg.model import Device, Fabric
from rocecfg.vendors import row
from rocecfg.vendors.base import RenderedText, fill_template, load_template
from rocecfg.vendors.srlinux.notes import apply_of, notes_of
from rocecfg.vendors.srlinux.view import view_of

FORMS = row("srlinux").forms
WATCHED_FLOOR: int | None = None
_template = partial(load_template, "srlinux")


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = FORMS[0],  # noqa: ARG001 - there is one
    templates: str | None = None,
) -> RenderedText:
    """The configuration of one device, without its name: equal devices share it.

    `templates` is a user's folder whose `srlinux/*.j2` win over ours.
    """
    view = view_of(device)
    notes = notes_of(fabric, device, view)
    body = fill_template(_template, "srlinux.j2", templates, view=view)
    return RenderedText(body, notes, "# ", row("srlinux").suffix, apply_of(notes))
