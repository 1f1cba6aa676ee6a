"""Junos: from one device of the model to the statements of its configuration that RoCEv2 needs."""

from __future__ import annotations

import re
from functools import partial

from rocecfg.model import Device, Fabric
from rocecfg.source.document import Document
from rocecfg.vendors import ansible, row
from rocecfg.vendors.base import RenderedText, fill_template, load_template
from rocecfg.vendors.junos.notes import apply_of, notes_of
from rocecfg.vendors.junos.reading.statements import join_words, parse_statements
from rocecfg.vendors.junos.view import view_of

FORMS = row("junos").forms
WATCHED_FLOOR: int | None = None
_template = partial(load_template, "junos")
_CURLY, _SET, _ANSIBLE = FORMS


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = _CURLY,
    templates: str | None = None,
) -> RenderedText:
    """The configuration of one device, without its name: equal devices share it.

    `templates` is a user's folder whose `junos/*.j2` win over ours; set lines are those of the text with braces.
    """
    view = view_of(device)
    as_set = form != _CURLY
    notes = notes_of(fabric, device, view, _SET if as_set else _CURLY)
    body = fill_template(_template, "junos.j2", templates, view=view)
    suffix = ".conf"
    if as_set:
        lines = tuple(join_words(line.words) for line in parse_statements(Document(0, "junos.j2", body)).active)
        body = fill_template(_template, "set.j2", templates, deleted=_replaced_paths(body), lines=lines)
        suffix = ".set"
    text = RenderedText(body, notes, "# ", suffix, apply_of(notes, _SET if as_set else _CURLY))
    return ansible.make_task_list("junos", text) if form == _ANSIBLE else text


def _replaced_paths(body: str) -> tuple[str, ...]:
    """What `replace:` stands before, from the top of the hierarchy down."""
    out = []
    path: list[str] = []
    for line in body.splitlines():
        text = line.strip()
        if text.endswith("{"):
            words = text[:-1].strip()
            path.append(words.removeprefix("replace:").strip())
            if words.startswith("replace:"):
                out.append(" ".join(path))
        elif re.fullmatch(r"\}", text):
            path.pop()
    return tuple(out)
