"""Arista EOS: from one device of the model to the lines of its running-config that RoCEv2 needs."""

from __future__ import annotations

from functools import lru_cache
from traceback import extract_tb
from typing import TYPE_CHECKING

from rocecfg.model import Device, Fabric
from rocecfg.vendors.arista.notes import notes_of
from rocecfg.vendors.arista.view import View, view_of
from rocecfg.vendors.base import CannotRender, Text, environment

if TYPE_CHECKING:
    from jinja2 import Template, TemplateError

FORMS = ("cli",)


def render(
    fabric: Fabric, device: Device, *, form: str = "cli", templates: str | None = None, running: str | None = None
) -> Text:
    """The configuration of one device, without its name: equal devices share it.

    `templates` is a user's folder whose `arista/*.j2` win over ours. EOS merges lines into what runs, so `running`
    is refused. Raises CannotRender for what EOS cannot say, or not surely.
    """
    if form not in FORMS:
        raise CannotRender(f"EOS has no form {form!r}", f"known: {', '.join(FORMS)}")
    if running is not None:
        raise CannotRender("EOS text needs no running configuration: its lines are merged", "leave out --running")
    view = view_of(device)
    return Text(_print(templates, view), notes_of(fabric, device, view), "! ", ".cfg")


@lru_cache(maxsize=16)
def _template(overrides: str | None) -> Template:
    """The outermost template, compiled once per process and folder; so are those it includes."""
    env = environment("arista", overrides)
    env.auto_reload = False
    return env.get_template("eos.j2")


def _print(overrides: str | None, view: View) -> str:
    from jinja2 import TemplateError

    try:
        return _template(overrides).render(view=view)
    except TemplateError as problem:
        if overrides is None:
            raise
        raise CannotRender(
            f"template {_place(problem)}: {type(problem).__name__}: {problem.message}",
            f"mend it in {overrides}/arista, or remove it there and ours is used",
        ) from problem


def _place(problem: TemplateError) -> str:
    """The template, and the line if one is known, that a problem comes from."""
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    if isinstance(problem, TemplateSyntaxError):
        return f"{problem.filename or problem.name}:{problem.lineno}"
    if isinstance(problem, TemplateNotFound):
        return str(problem.name)
    lines = [(f.filename, f.lineno) for f in extract_tb(problem.__traceback__) if f.filename.endswith(".j2")]
    return "{}:{}".format(*lines[-1]) if lines else "eos.j2"
