"""NVIDIA Spectrum with Cumulus Linux: from one device of the model to NVUE YAML or `nv set` commands."""

from __future__ import annotations

from functools import lru_cache
from traceback import extract_tb
from typing import TYPE_CHECKING

from rocecfg.model import Device, Fabric
from rocecfg.vendors.base import CannotRender, Text, environment
from rocecfg.vendors.spectrum.notes import notes_of
from rocecfg.vendors.spectrum.view import View, view_of

if TYPE_CHECKING:
    from jinja2 import Template, TemplateError

FORMS = ("nvue", "commands")
_FILES = {"nvue": ("nvue.yaml.j2", ".yaml"), "commands": ("commands.nv.j2", ".nv")}


def render(
    fabric: Fabric, device: Device, *, form: str = "nvue", templates: str | None = None, running: str | None = None
) -> Text:
    """The configuration of one device, without its name: equal devices share it.

    `form` is "nvue" (the YAML of `nv config patch`) or "commands" (`nv set` lines); both say the same. `templates` is
    a user's folder whose `spectrum/*.j2` win over ours. NVUE merges what is set, so `running` is refused. Raises
    CannotRender for what NVUE cannot say, or would refuse.
    """
    if form not in FORMS:
        raise CannotRender(f"NVUE has no form {form!r}", f"known: {', '.join(FORMS)}")
    if running is not None:
        raise CannotRender("NVUE text needs no running configuration: it is merged", "leave out --running")
    view = view_of(fabric, device)
    name, suffix = _FILES[form]
    return Text(_print(name, templates, view), notes_of(fabric, device, view, form), "# ", suffix)


@lru_cache(maxsize=16)
def _template(name: str, overrides: str | None) -> Template:
    """A template, compiled once per process and folder."""
    env = environment("spectrum", overrides)
    env.auto_reload = False
    return env.get_template(name)


def _print(name: str, overrides: str | None, view: View) -> str:
    from jinja2 import TemplateError

    try:
        return _template(name, overrides).render(view=view)
    except TemplateError as problem:
        if overrides is None:
            raise
        raise CannotRender(
            f"template {_place(problem, name)}: {type(problem).__name__}: {problem.message}",
            f"mend it in {overrides}/spectrum, or remove it there and ours is used",
        ) from problem


def _place(problem: TemplateError, name: str) -> str:
    """The template, and the line if one is known, that a problem comes from."""
    from jinja2 import TemplateSyntaxError

    if isinstance(problem, TemplateSyntaxError):
        return f"{problem.filename or name}:{problem.lineno}"
    lines = [(f.filename, f.lineno) for f in extract_tb(problem.__traceback__) if f.filename.endswith(".j2")]
    return "{}:{}".format(*lines[-1]) if lines else name
