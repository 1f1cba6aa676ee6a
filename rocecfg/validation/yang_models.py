"""The folder of YANG models that a user names: which release of SONiC it has, and its templates filled in.

It may be `src/sonic-yang-models` of a checkout of sonic-buildimage, that checkout, a folder of `.yang` files as a
switch has in /usr/local/yang-models, or a folder that has one of these for each release, by the name of its branch.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from rocecfg.core.records import NamedTuple
from rocecfg.source.bounds import is_below
from rocecfg.source.document import decode, read_bytes
from rocecfg.validation.verdict import CannotJudge
from rocecfg.validation.yang import list_model_files

_BRANCH = re.compile(r"(?<!\d)(20\d\d(?:0[1-9]|1[0-2]))(?!\d{3})|\bmaster\b", re.IGNORECASE)
_IN_CHECKOUT = os.path.join("src", "sonic-yang-models")
_MODELS, _TEMPLATES, _TEMPLATE = "yang-models", "yang-templates", ".yang.j2"
_NO_MODEL = "sonic-extension"  # what SONiC's own loader leaves out
GET = (
    'name a folder of them with --yang DIR, or in rocecfg.toml: [validate] yang = "DIR"; it is src/sonic-yang-models '
    "of github.com/sonic-net/sonic-buildimage in the branch of the release"
)


class Models(NamedTuple):
    """A folder of models. `release`: the branch that the name of its folder says; None: it says none."""

    folder: str
    release: str | None


def branch_of(text: str) -> str | None:
    """The branch in the name of a release: 202405 of `SONiC.202405.17`, master."""
    found = _BRANCH.search(text)
    return None if found is None else found[0].lower()


def find_models(named: str | None, release: str | None) -> Models:
    """The models for a release in a folder that the user names. Raises CannotJudge where there are none."""
    if named is None:
        raise CannotJudge("SONiC's YANG models are not part of rocecfg", GET)
    if not os.path.isdir(named):
        raise CannotJudge(f"{named}: there is no such folder of YANG models", GET)
    wanted = branch_of(release) if release is not None else None
    inside = os.path.join(named, _IN_CHECKOUT)
    if os.path.isdir(inside):
        return Models(inside, None)
    if _has_models(named):
        base = os.path.basename(os.path.abspath(named))
        return Models(named, branch_of(base) if _is_branch(base) else None)
    by_release = {
        name: found
        for name in sorted(os.listdir(named))
        if _is_branch(name)
        for found in (os.path.join(named, name), os.path.join(named, name, _IN_CHECKOUT))
        if _has_models(found)
    }
    if not by_release:
        raise CannotJudge(f"{named}: there are no .yang files here", GET)
    if wanted in by_release:
        return Models(by_release[wanted], wanted)
    if wanted is None:
        message = f"{named} has models of {', '.join(by_release)}, and the SONiC release is unknown"
        raise CannotJudge(message, "give it: --release 202405, or name the folder of one release")
    raise CannotJudge(f"{named} has models of {', '.join(by_release)}, but none of {wanted}", GET)


@contextmanager
def prepare_models(models: Models) -> Iterator[str]:
    """A folder with these models and nothing else, their templates filled in. Raises SourceError, CannotJudge."""
    inside = os.path.join(models.folder, _MODELS)
    source = inside if os.path.isdir(inside) else models.folder
    with TemporaryDirectory(prefix="rocecfg-yang-") as folder:
        for name in list_model_files(source):
            _refuse_link_out(os.path.join(source, name), models.folder)
            shutil.copyfile(os.path.join(source, name), os.path.join(folder, name))
        templates = os.path.join(models.folder, _TEMPLATES)
        if os.path.isdir(templates):
            _fill_templates(templates, folder)
        yield folder


def modules_in(folder: str) -> list[str]:
    """The modules of a folder that are loaded."""
    return [name.removesuffix(".yang") for name in list_model_files(folder) if not name.startswith(_NO_MODEL)]


def _is_branch(name: str) -> bool:
    return branch_of(name) == name.lower()


def _has_models(folder: str) -> bool:
    return any(os.path.isdir(each) and list_model_files(each) for each in (os.path.join(folder, _MODELS), folder))


def _refuse_link_out(path: str, folder: str) -> None:
    """Raises CannotJudge for a link that leads out of the folder of models: settings of a branch may have named it."""
    if not is_below(os.path.realpath(path), os.path.realpath(folder)):
        raise CannotJudge(f"{path} is a link that leads out of {folder}", "copy the models themselves there")


def _fill_templates(templates: str, folder: str) -> None:
    """Write what the templates of models give for a switch: other uses of them have another type."""
    from jinja2 import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(trim_blocks=True, autoescape=False)  # YANG, not HTML
    for name in sorted(os.listdir(templates)):
        if not name.endswith(_TEMPLATE):
            continue
        path = os.path.join(templates, name)
        _refuse_link_out(path, os.path.dirname(templates))
        try:
            text = environment.from_string(decode(path, read_bytes(path))).render(yang_model_type="py")
        except TemplateError as error:
            raise CannotJudge(f"{path} is not a template of a model: {error}", GET) from None
        with open(os.path.join(folder, name.removesuffix(".j2")), "w", encoding="utf-8") as stream:
            stream.write(text)
