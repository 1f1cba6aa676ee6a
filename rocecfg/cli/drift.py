"""`rocecfg drift`."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import click

from rocecfg.cli import inputs
from rocecfg.cli.common import describe_no_device, locate_refused, print_message, print_note, stop, use_color
from rocecfg.cli.terminal import show_work
from rocecfg.core.nodeset import NodeSetError, fold_set, name_set, names_of
from rocecfg.core.visible import visible
from rocecfg.intent import Loaded
from rocecfg.source.document import SourceError, Sources

if TYPE_CHECKING:
    from rocecfg.drift.changes import SharedFix
    from rocecfg.drift.run import Drift, Refused


@click.command("drift")
@inputs.intent_and_running
@click.option(
    "--cabling",
    multiple=True,
    type=click.Path(),
    metavar="DIR|FILE",
    help="compare only links, with the cables that LLDP, NetBox, ... report (docs/cabling.md); may be repeated",
)
@click.option("--device", metavar="NAME", help="device of the file, if the file does not name it")
@inputs.vendor_option
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", help="default: text")
@click.option(
    "--known-ports",
    is_flag=False,
    flag_value="*",
    multiple=True,
    metavar="[PORTS]",
    help="ports in use that the intent may leave out, as a node set; last and without PORTS: any; may be repeated",
)
@click.option("--partial", is_flag=True, help="compare only settings present in the (partial) file")
@click.option(
    "--unstated", is_flag=True, help="list running settings that the intent does not state, or that are not compared"
)
@click.option("--patch", is_flag=True, help="print only the fix of a device, ready to apply")
@inputs.allow_outside_option
def command(
    intent: str,
    more: tuple[str, ...],
    paths: tuple[str, ...],
    cabling: tuple[str, ...],
    device: str | None,
    vendor: str | None,
    format_: str,
    known_ports: tuple[str, ...],
    partial: bool,
    unstated: bool,
    patch: bool,
    allow_outside: tuple[str, ...],
) -> None:
    """Compare an intent with the running configuration of each device, and show the smallest change that fixes it.

    INTENT may also be a saved configuration, for instance yesterday's backup: then drift compares the two setting by
    setting, including settings that an intent has no key for, and shows no change.

    A configuration is matched to its device by its host name or file name. Drift compares what the configuration
    does, not its text: other profile names, another order or another spelling are no drift.

    Drift also lists which settings of the intent it could not compare: part of a configuration may not contain them,
    and a statement may not be understood. If a fix would touch a setting that the file does not contain, drift
    reports the difference but prints no fix.

    A port that is up and in use but not in the intent counts as drift, and as an error if PFC is on for it;
    --known-ports lists exceptions.

    With --cabling, drift compares the links of the intent with the neighbours that switches see: swapped and miswired
    cables, crossed rails, missing cables and unexpected ones.

    Exit codes: 0 no drift, and all was compared; 1 drift, or not all was compared; 2 could not run, or a change is
    withheld (not with --partial, which asks for none); 3 internal error.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    if cabling:
        if paths or patch or device is not None:
            stop("--cabling compares links alone: leave --running, --device and --patch out")
        _compare_cables(intent, (*cabling, *more), Sources(allow_outside), vendor, format_, partial=partial)
    if not paths:
        raise click.UsageError("Missing option '--running' (a folder or file of what switches run) or '--cabling'.")
    from rocecfg.drift.run import is_configuration

    if is_configuration(intent):
        _compare_with_kept(
            intent,
            (*paths, *more),
            Sources(allow_outside),
            format_,
            refused=patch or device is not None,
            unstated=unstated,
        )
    _compare_with_intent(
        intent,
        (*paths, *more),
        device,
        vendor,
        Sources(allow_outside),
        format_,
        _expand_ports(known_ports),
        partial=partial,
        unstated=unstated,
        patch=patch,
    )


def _compare_with_intent(
    intent: str,
    paths: Sequence[str],
    device: str | None,
    vendor: str | None,
    sources: Sources,
    format_: str,
    known_ports: frozenset[str],
    *,
    partial: bool,
    unstated: bool,
    patch: bool,
) -> NoReturn:
    """Compare what runs with what an intent means, print the change, and end."""
    from rocecfg.drift.changes import fix_devices, group_fixes
    from rocecfg.drift.impact import add_broken_rules
    from rocecfg.drift.run import find_drift

    with show_work(sources):
        fabrics = inputs.find_fabrics(intent, sources, vendor)
    read = [inputs.require_readable(loaded, sources) for loaded in fabrics]
    if device is not None and not _has_device(read, device):
        stop(describe_no_device(device, read))
    templates = inputs.index_templates(sources, *read)
    with show_work(sources):
        found = find_drift(read, paths, sources, only=device, templates=templates, known_ports=known_ports)
        sources.progress.start("working out the change")
        changed = fix_devices(found)
        found, failed = add_broken_rules(found, changed)
        fixing = group_fixes(changed)
    if patch:
        _print_patch(fixing)
    else:
        _print_drift(found, fixing, format_, partial=partial, unstated=unstated)
    _print_refused(found, sources)
    for failure in failed:
        print_message(f"internal error: {failure}")
    withheld = [fix for fix in fixing if fix.unknown] if not partial else []
    for fix in withheld:
        print_message(_explain_withheld(fix))
    sys.exit(_choose_exit_code(found, failed, partial=partial) if not withheld else 3 if failed else 2)


def _compare_with_kept(
    kept: str, paths: Sequence[str], sources: Sources, format_: str, *, refused: bool, unstated: bool
) -> NoReturn:
    """Compare what runs with a configuration that is kept, and end."""
    from rocecfg.drift.run import find_drift_from_kept

    if refused:
        stop(f"--device and --patch are for an intent: {kept} is a configuration")
    with show_work(sources):
        found = find_drift_from_kept(kept, paths, sources)
    _print_drift(found, (), format_, partial=False, unstated=unstated)
    _print_refused(found, sources)
    if found.running.errors or found.refused:
        sys.exit(2)
    if not found.counts.devices:
        stop(f"nothing to compare: no configuration is of a switch that {kept} has")
    sys.exit(int(bool(found.differences or found.absent)))


def _compare_cables(
    intent: str, paths: Sequence[str], sources: Sources, vendor: str | None, format_: str, *, partial: bool
) -> NoReturn:
    """Compare the links of an intent with the cables that files tell of, and end."""
    from rocecfg.cabling import put_together
    from rocecfg.cli.cabling import read_cables
    from rocecfg.drift.cabling import compare_cables
    from rocecfg.drift.cabling_text import render_json, render_text, select_doubts

    fabrics = [inputs.require_readable(each, sources).fabric for each in inputs.find_fabrics(intent, sources, vendor)]
    fabric = next((each for each in fabrics if each is not None and each.links), None)
    if fabric is None or len(fabrics) > 1:
        stop(f"{intent}: " + ("holds several intents: name one" if len(fabrics) > 1 else "the intent has no links"))
    ends = {name for link in fabric.links for of in (link.a_device, link.b_device) for name in names_of(of)}
    names = ends | {name for each in fabric.devices for name in each.names}
    found = put_together(read_cables(paths, sources), names=names)
    compared = compare_cables(fabric, found)
    unsure = select_doubts(found, names)
    write = render_json if format_ == "json" else render_text
    sys.stdout.write(write(compared, unsure, sources.documents))
    sys.exit(int(bool(compared.findings or unsure) or (bool(compared.unseen) and not partial)))


def _print_drift(found: Drift, fixing: Sequence[SharedFix], format_: str, *, partial: bool, unstated: bool) -> None:
    if format_ == "json":
        from rocecfg.drift.json_format import render as render_json

        sys.stdout.write(render_json(found, fixing))
    else:
        from rocecfg.drift.text import render as render_text

        sys.stdout.write(render_text(found, fixing, partial=partial, unstated=unstated, color=use_color()))


def _print_refused(found: Drift, sources: Sources) -> None:
    """What could not be read or compared, to standard error."""
    for error in found.running.errors:
        print_message(str(error))
    for refused in found.refused:
        print_message(_explain_refused(refused, sources))


def _choose_exit_code(found: Drift, failed: Sequence[object], *, partial: bool) -> int:
    if failed:
        return 3
    if found.running.errors or found.refused:
        return 2
    if not found.compared:
        print_message("nothing to compare: no configuration is of a device of the intent")
        return 2
    return int(bool(found.differing or found.unnamed) or any(not (partial and each.silent) for each in found.uncovered))


def _expand_ports(stated: Sequence[str]) -> frozenset[str]:
    """The ports of node sets; `*` is any."""
    try:
        return frozenset(port for each in stated for port in ((each,) if each == "*" else name_set(each)))
    except NodeSetError as error:
        stop(f"--known-ports: {error}")


def _has_device(read: list[Loaded], device: str) -> bool:
    return any(device in d.names for loaded in read if loaded.fabric is not None for d in loaded.fabric.devices)


def _print_patch(fixing: Sequence[SharedFix]) -> None:
    """The change alone, on standard output: operations as one RFC 6902 patch, lines as they are typed."""
    if not fixing:
        return
    if len(fixing) > 1:
        who = "; ".join(fold_set(fix.devices) for fix in fixing)
        stop(f"--patch: the devices need different changes ({who[:80]}): give the configurations of one at a time")
    (fix,) = fixing
    if fix.unknown:
        stop(f"--patch: {_explain_withheld(fix)}")
    operations = [operation for step in fix.steps for operation in step.operations]
    if operations and any(step.ordered for step in fix.steps):
        stop(
            "--patch: the change has an order that one patch does not keep (ports shut, rows deleted and checked in "
            "between): leave --patch out, and take it step by step; rocecfg plan -o DIR writes each step as a file"
        )
    if operations:
        sys.stdout.write("[\n" + ",\n".join(f"    {json.dumps(operation)}" for operation in operations) + "\n]\n")
    for step in fix.steps:
        print_note(f"# {step.mark}: {step.told}")
        if step.refused:
            print_note(f"# not in the patch: {step.refused}")
        for line in step.lines:
            click.echo(visible(line), err=bool(operations))
    for line in fix.beyond:
        print_note(f"# not fixed: {line}")


def _explain_withheld(fix: SharedFix) -> str:
    who, what = fold_set(fix.devices), ", ".join(fix.unknown)
    return f"no fix for {who}, since it would touch settings that the file does not contain: {what}; {fix.fix}"


def _explain_refused(refused: Refused, sources: Sources) -> str:
    error = refused.error
    if isinstance(error, SourceError):
        return str(error)
    place = locate_refused(error, sources)
    return f"{place}{refused.name} cannot be rendered: {error}"
