"""`rocecfg plan`."""

from __future__ import annotations

import gc
import os
import sys
import time
from typing import TYPE_CHECKING

import click

from rocecfg.cli import inputs
from rocecfg.cli.common import (
    check_output,
    print_errors,
    print_message,
    print_note,
    save,
    save_below,
    stop,
    stop_unread,
    stop_unwritten,
)
from rocecfg.cli.terminal import show_work
from rocecfg.cli.validate import find_models, yang_option
from rocecfg.config.find import Finder
from rocecfg.intent import Loaded, load
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import SourceError, Sources

if TYPE_CHECKING:
    from rocecfg.rollout.baseline import PlanBasis
    from rocecfg.rollout.config import RolloutSettings
    from rocecfg.rollout.types import Plan

_OWN = "ops-"  # rules on the rollout itself: what stages break is said in the plan
_FIX = "give --running DIR, or --running-intent OLD_INTENT, or state it in the intent: rollout: {from: old.yaml}"


@click.command("plan")
@inputs.intent_and_running
@click.option(
    "--running-intent",
    "older",
    type=click.Path(),
    metavar="OLD_INTENT",
    help="the intent that runs now, instead of --running",
)
@click.option("--from", "as_before", type=click.Path(), hidden=True)  # its name before
@inputs.vendor_option
@click.option("--format", "format_", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE|DIR",
    help="write the plan there; into a folder (existing, or ending in /) also each device's changes as files",
)
@click.option("--no-lint", is_flag=True, help="plan even if the intent has errors")
@yang_option
@inputs.allow_outside_option
def command(
    intent: str,
    more: tuple[str, ...],
    paths: tuple[str, ...],
    older: str | None,
    as_before: str | None,
    vendor: str | None,
    format_: str,
    output: str | None,
    no_lint: bool,
    yang: str | None,
    allow_outside: tuple[str, ...],
) -> None:
    """Plan the rollout of a change, stage by stage: from the running configuration to the intent.

    The running state is read from switch configurations (--running), or rendered from an older intent
    (--running-intent, or rollout.from in the intent). A switch is not planned if the change would touch a setting
    that its file does not contain: give its whole configuration, not a part. The plan lists which devices change
    together and in which order, what each step disturbs, what to save, drain and check, and how to roll back. Nothing
    is applied. Give SONiC's YANG models (--yang) to check the running configuration of SONiC switches: without them
    the switch may refuse the patch and its rollback.

    Exit codes: 0 a plan, or nothing to do; 2 could not run, or not for all devices; 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    from rocecfg.rollout.config import read_rollout
    from rocecfg.rollout.plan import make_plan

    if as_before is not None:
        print_message("--from is called --running-intent now: elsewhere --from names the system of a file")
        older = older or as_before
    if paths and older is not None:
        stop("give --running or --running-intent, not both")
    if more and not paths:
        stop(f"{more[0]}: files of what runs follow --running")
    sources = Sources(allow_outside)
    loaded = _find_one_fabric(intent, sources, vendor)
    assert loaded.fabric is not None
    asked = read_rollout(loaded.fabric, sources)
    if not paths and older is None and asked.older is None:
        stop(f"what runs now is unknown: {_FIX}")
    if not no_lint:
        _refuse_errors(loaded, sources)
    if paths:
        basis = _compare_with_running(loaded, (*paths, *more), sources)
    else:
        basis = _compare_with_older(loaded, older or _find_older_intent(loaded, asked, sources), sources, vendor)
    models = yang or _find_models(loaded)
    sources.progress.start("working out the stages")
    with show_work(sources):
        plan = make_plan(loaded.fabric, basis, asked, models)
    _write_plan(plan, format_, output)
    for line in basis.refused:
        print_message(str(line))
    sys.exit(2 if basis.refused else 0)


def _find_models(loaded: Loaded) -> str | None:
    """The folder of YANG models that the settings name, by which what runs is judged."""
    try:
        return find_models(Finder(report=lambda _: None), loaded.root)  # lint told what is not taken
    except SourceError as error:
        stop_unread(error)


def _find_one_fabric(path: str, sources: Sources, vendor: str | None) -> Loaded:
    """The one fabric that a path means."""
    with show_work(sources):
        found = inputs.find_fabrics(path, sources, vendor)
    if len(found) != 1:
        roots = ", ".join(loaded.root for loaded in found[:3])
        stop(f"{path} holds {len(found)} fabrics ({roots} ...): plan one at a time")
    return inputs.require_readable(found[0], sources)


def _refuse_errors(loaded: Loaded, sources: Sources) -> None:
    """Stop where the intent has errors: a plan would carry them to the switches."""
    from rocecfg.linting.run import lint

    try:
        with show_work(sources):
            run = lint([loaded], sources, today=time.strftime("%Y-%m-%d"))
    except SourceError as error:
        stop_unread(error)
    errors = [f for f in run.findings if f.severity == "error" and not f.rule.name.startswith(_OWN)]
    if errors:
        print_errors(run, errors)
        stop("nothing planned: fix the intent, or give --no-lint")


def _compare_with_running(loaded: Loaded, paths: tuple[str, ...], sources: Sources) -> PlanBasis:
    from rocecfg.rollout.baseline import compare_with_running

    templates = inputs.index_templates(sources, loaded)
    with show_work(sources):
        basis = compare_with_running([loaded], paths, sources, templates=templates)
    if not basis.differing and not basis.same:
        for line in basis.refused:
            print_message(str(line))
        stop("nothing planned" if basis.refused else "nothing to plan: no configuration is of a device of the intent")
    return basis


def _find_older_intent(loaded: Loaded, rollout: RolloutSettings, sources: Sources) -> str:
    """The older intent that the intent itself names; stops where it is outside the repository."""
    path = rollout.older or ""
    bounds = Bounds(os.path.dirname(loaded.root), sources.allowed)
    if not bounds.hold(path) and rollout.older_at is not None:
        document = sources.documents[rollout.older_at.doc]
        refusal = bounds.describe_refusal(f"rollout: from: {path}", path)
        stop_unread(SourceError(document.path, *refusal, *document.place(rollout.older_at.start)))
    return path


def _compare_with_older(loaded: Loaded, path: str, sources: Sources, vendor: str | None) -> PlanBasis:
    from rocecfg.rollout.previous import compare_with_older

    before = (
        _find_one_fabric(path, sources, vendor)
        if os.path.isdir(path)
        else inputs.require_readable(load(path, sources, vendor), sources)
    )
    if os.path.abspath(before.root) == os.path.abspath(loaded.root):
        stop(f"{path} is the intent itself: give an older one, or --running")
    return compare_with_older(loaded, before, sources, templates=inputs.index_templates(sources, before, loaded))


def _write_plan(plan: Plan, format_: str, output: str | None) -> None:
    from rocecfg.rollout import folder, json_format, markdown

    if output is None or not (os.path.isdir(output) or output.endswith(("/", os.sep))):
        text = json_format.render(plan) if format_ == "json" else markdown.render(plan)
        if output is None:
            sys.stdout.write(text)
        else:
            _write_file(output, text)
        return
    text = json_format.render(plan) if format_ == "json" else markdown.render(plan, folder.name_files(plan))
    name = "plan.json" if format_ == "json" else "plan.md"
    written = [(name, text), *folder.render_files(plan)]
    save_below(output, written)
    print_note(f"{len(written)} files written to {output}")


def _write_file(path: str, text: str) -> None:
    check_output(path)
    try:
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        stop_unwritten(path, error)
    save(path, text)
