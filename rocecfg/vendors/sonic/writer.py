"""Renders a device for SONiC: the RoCE tables of its config_db.json, or a patch from what it runs."""

from __future__ import annotations

from rocecfg.model import Device, Fabric
from rocecfg.vendors import row
from rocecfg.vendors.base import Text, fill
from rocecfg.vendors.sonic import notes, view
from rocecfg.vendors.sonic.release import release_of
from rocecfg.vendors.sonic.text import PORT, template

FORMS = row("sonic").forms
WATCHED_FLOOR: int | None = None  # bit/s: no queue is guaranteed any by itself


def render(
    fabric: Fabric,
    device: Device,
    *,
    form: str = "config_db",
    templates: str | None = None,
    running: str | None = None,
) -> Text:
    """The text for one device, without its name.

    `form` is one of FORMS; `templates` is the user's folder of templates that win over ours; `running` is the text of
    the device's whole config_db.json, which the form "patch" needs. Raises CannotRender for what this release, this
    platform or `config apply-patch` would refuse or misread, ValueError for an unknown form.
    """
    if form not in FORMS:
        raise ValueError(f"{form!r} is no form of SONiC text; known: {', '.join(FORMS)}")
    plan = view.build(fabric, device, release_of(device))
    body = fill(template, "config_db.json.j2", templates, **_shown(plan.view))
    if form == "config_db":
        return Text(body, notes.for_load(device, plan), None, ".json")
    from rocecfg.vendors.sonic import patch  # only this form needs them
    from rocecfg.vendors.sonic.change import finish

    made = patch.make(device, plan, body, running)
    text = fill(template, "patch.json.j2", templates, operations=made.operations)
    return Text(text, notes.for_patch(device, plan, made.operations, finish(made, device, body)), None, ".json")


def _shown(values: view.View) -> dict[str, object]:
    """The template's variables: the view, and which tables have rows at all."""
    groups = values["groups"]
    return {
        **values,
        "PORT": PORT,
        "has": {
            "cable": any(g["cable"] for g in groups),
            "groups": any(g["groups"] for g in groups),
            "queues": any(g["queues"] for g in groups),
            "watchdog": any(g["watchdog"] for g in groups),
        },
    }
