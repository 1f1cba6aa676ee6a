"""`rocecfg validate`."""

from __future__ import annotations

import gc
import os
import re
import sys
from typing import TYPE_CHECKING

import click

from rocecfg.cli import inputs
from rocecfg.cli.common import print_message, print_note, stop, stop_unread
from rocecfg.cli.inputs import VendorChoice
from rocecfg.config.find import Finder
from rocecfg.core.nodeset import fold_some
from rocecfg.source.document import SourceError, Sources

if TYPE_CHECKING:
    from rocecfg.linting.ignored import Ignored
    from rocecfg.validation.run import ValidationRun
    from rocecfg.validation.verdict import JudgeOptions

_STDIN = "/dev/stdin"
_RELEASE = re.compile(r"\d{1,3}\.\d{1,3}(?:\.\d{1,3}[A-Z]?|[RX]\d{1,3}\S*)?|\S*20\d{4}\S*|master", re.IGNORECASE)
_FAMILIES = ("strata", "sand")
yang_option = click.option(
    "--yang",
    type=click.Path(),
    metavar="DIR",
    help="SONiC's YANG models: src/sonic-yang-models of sonic-buildimage, or a folder with one for each release; "
    "default: yang of [validate] in the settings",
)


@click.command("validate")
@click.argument("paths", nargs=-1, required=True, type=click.Path())
@click.option(
    "--from", "written_by", type=VendorChoice(), help="system of the files; default: recognised by their content"
)
@click.option(
    "--release",
    "releases",
    multiple=True,
    metavar="RELEASE",
    help="release of the switches, 5.14, 202405, 24.4R1 or 4.33.2F; default: from the file; may be repeated, once per "
    "system",
)
@yang_option
@click.option("--family", type=click.Choice(_FAMILIES), help="chip family of EOS switches; default: from the file")
@click.option(
    "--strict",
    is_flag=True,
    help="report tables without a model, and EOS and Junos statements that no grammar covers, as faults",
)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="default: text")
@inputs.allow_outside_option
def command(
    paths: tuple[str, ...],
    written_by: str | None,
    releases: tuple[str, ...],
    yang: str | None,
    family: str | None,
    strict: bool,
    format_: str,
    allow_outside: tuple[str, ...],
) -> None:
    """Validate configurations, rendered or running, by the models of the switches' own systems.

    PATHS are files, folders, or - for standard input. NVUE is checked by NVIDIA's published schema of its release,
    SONiC by the YANG models of a folder that you name, Junos by Juniper's configuration models with their commit
    checks, EOS by a grammar of its lines on QoS, PFC, ECN and buffers: Arista publishes no model. NVUE and SONiC need
    more packages: pip install 'rocecfg[validate]'. NX-OS and SR Linux are not checked yet.

    A model knows what a system accepts, not whether it is right for RDMA: that is `rocecfg lint`. Lists what no model
    covers, and every assumption, such as the ports of a part of SONiC's configuration.

    Exit codes: 0 all valid; 1 something is refused; 2 something could not be checked: it cannot be read, its release
    is unknown, or a package or the models are missing; 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    from rocecfg.linting.ignored import Ignored
    from rocecfg.validation.run import validate
    from rocecfg.validation.verdict import JudgeOptions

    for word in releases:
        if _RELEASE.fullmatch(word) is None:
            stop(
                f"--release {word}: write one as 5.14 or 5.14.1 of Cumulus Linux, 202405 or master of SONiC, "
                "24.4R1 of Junos, 4.33.2F of EOS"
            )
    finder = Finder()

    def choose_models(path: str) -> JudgeOptions:
        return JudgeOptions(releases, family, yang or find_models(finder, path), strict)

    def read_ignored(folder: str) -> Ignored:
        settings = finder.find_settings(folder)
        return Ignored(folder, [(settings.folder, line) for line in settings.exclude] if settings is not None else [])

    given = [_STDIN if path == "-" else path for path in paths]
    try:
        run = validate(given, Sources(allow_outside), choose_models, read_ignored, written_by)
    except SourceError as error:  # settings
        stop_unread(error)
    if format_ == "json":
        from rocecfg.validation.json_format import render as as_json

        sys.stdout.write(as_json(run))
    else:
        from rocecfg.validation.text import render as as_text

        sys.stdout.write(as_text(run))
    print_unjudged(run)
    sys.exit(run.code)


def find_models(finder: Finder, path: str) -> str | None:
    """The folder of YANG models that settings name for a path. Raises SourceError for settings that are wrong."""
    settings = finder.find_settings(path)
    return None if settings is None or settings.yang is None else os.path.relpath(settings.yang.value)


def print_unjudged(run: ValidationRun) -> None:
    """What could not be checked, to standard error; a missing package once for all files."""
    for error in run.errors:
        print_message(str(error))
    for unable in run.unable:
        print_message(f"{fold_some(tuple(unable.paths))}: not checked: {unable.error}")


def refuse_invalid(run: ValidationRun) -> None:
    """Stop where what was rendered is refused, or could not be checked; else say by what it was judged."""
    from rocecfg.validation import text

    for line in text.faults(run):
        print_note(line)
    print_unjudged(run)
    if run.code == 2:
        stop("nothing rendered: not all of it could be validated")
    for line in text.verdicts(run):
        print_note(line)
    if run.code:
        stop("nothing rendered: a switch would refuse it", 1)
