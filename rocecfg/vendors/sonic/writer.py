"""Renders a device for SONiC: the RoCE tables of its config_db.json, or a patch from what it runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from rocecfg.model import Device, Fabric
from rocecfg.source.document import Document
from rocecfg.vendors import ansible, row
from rocecfg.vendors.base import CannotRender, RenderedText, environment, fill_template
from rocecfg.vendors.changes import Change
from rocecfg.vendors.sonic import notes, view
from rocecfg.vendors.sonic.release import release_of

FORMS = row("sonic").forms
WATCHED_FLOOR: int | None = None  # bit/s: no queue is guaranteed any by itself


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = "config_db",
    templates: str | None = None,
) -> RenderedText:
    """The text for one device, without its name.

    `form` is one of FORMS but "patch", which `patch` makes; `templates` is the user's folder of templates that win over
    ours. Raises ValueError for an unknown form.
    """
    if form not in FORMS:
        raise ValueError(f"{form!r} is not a form of SONiC text; known: {', '.join(FORMS)}")
    if form == "patch":
        raise CannotRender(
            "a patch starts from what the device runs", "give its whole config_db.json with --running FILE"
        )
    plan = view.plan_rows(fabric, device, release_of(device))
    body = fill_template(_template, "config_db.json.j2", templates, **_template_values(plan.view))
    lines, apply = notes.notes_for_load(device, plan)
    text = RenderedText(body, lines, None, ".json", apply)
    return ansible.make_task_list("sonic", text) if form == ansible.FORM else text


def check_patch(device: Device, running: str) -> None:
    """Raises CannotRender for a release without apply-patch, and for a configuration that no patch starts from."""
    from rocecfg.vendors.sonic.patch import check_start

    check_start(device, release_of(device), running)


def patch(fabric: Fabric, device: Device, running: Document, change: Change, templates: str | None) -> RenderedText:
    """A change of what runs as an RFC 6902 patch, with what goes around it as notes.

    Raises CannotRender where the gate of apply-patch refuses an operation.
    """
    from rocecfg.vendors.sonic.patch import check_gate, fold_change

    plan = view.plan_rows(fabric, device, release_of(device))
    check_gate(
        device,
        running,
        change,
        rendered=fill_template(_template, "config_db.json.j2", templates, **_template_values(plan.view)),
    )
    folded = fold_change(change)
    text = fill_template(_template, "patch.json.j2", templates, operations=folded.operations)
    lines, apply = notes.notes_for_patch(device, plan, folded)
    return RenderedText(text, lines, None, ".json", apply)


def _template_values(values: view.View) -> dict[str, object]:
    """The template's variables: the view, and which tables have rows at all."""
    groups = values["groups"]
    return {
        **values,
        "PORT": _PORT,
        "has": {key: any(group.get(key) for group in groups) for key in view.GroupView.__annotations__},
    }


if TYPE_CHECKING:
    from jinja2 import Template

# -- templates, compiled once a process, with the filters that give JSON its shape -------------------------------------


_PORT = "\x00"  # stands for the port's name in a block; no name of CONFIG_DB can hold it


@cache
def _template(name: str, overrides: str | None) -> Template:
    """A compiled template; `overrides` is the user's folder, whose files win over ours."""
    env = environment("sonic", overrides)
    env.filters.update(
        row=_format_row, lines=_format_fields, each_port=_repeat_for_ports, no_last_comma=_drop_last_comma
    )
    return env.get_template(name)


def _format_row(value: object) -> str:
    return json.dumps(value)


def _format_fields(mapping: Mapping[str, str], indent: int) -> str:
    pad = "\n" + " " * indent
    body = json.dumps(mapping, separators=("," + pad + "    ", ": "))
    return "{" + pad + "    " + body[1:-1] + pad + "}"


def _repeat_for_ports(block: str, ports: Sequence[str]) -> str:
    """The loop over ports, done outside the template: the block is rendered once for all ports of a group."""
    parts = block.split(_PORT)
    return "".join([port.join(parts) for port in ports])


def _drop_last_comma(block: str) -> str:
    head, _, tail = block.rpartition(",")
    return head + tail
