"""`rocecfg render`."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from rocecfg.cli import inputs
from rocecfg.cli.common import print_message, print_note, stop, stop_unread, use_color
from rocecfg.cli.files import text_below, write_below
from rocecfg.cli.inputs import VendorChoice
from rocecfg.config.find import Finder
from rocecfg.core.nodeset import fold
from rocecfg.core.visible import visible, visible_diff
from rocecfg.intent import Loaded
from rocecfg.intent.values import UNREADABLE
from rocecfg.linting.run import Run, lint
from rocecfg.model import Fabric, spans_of
from rocecfg.rules import Rule, named
from rocecfg.source.document import SourceError, Sources, decode, read_bytes
from rocecfg.vendors import VENDORS
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.rendering import File, files

if TYPE_CHECKING:  # loaded where there are settings
    from rocecfg.config.policy import Policies

HOST = "host"  # beside the vendors: the NIC end
PROMETHEUS = "prometheus"  # and what watches the fabric


@click.command("render")
@click.argument("path", default=".", type=click.Path())
@click.option("--vendor", type=VendorChoice(HOST, PROMETHEUS, "all"), required=True)
@click.option("-o", "--output", "folder", type=click.Path(), metavar="DIR", help="write one file a device here")
@click.option("--device", help="only this device; of hosts: only the group it is in")
@click.option(
    "--as",
    "form",
    help="sonic: config_db, patch; spectrum: nvue, commands; arista: cli; host: script, systemd, env, kubernetes",
)
@click.option("--running", type=click.Path(), metavar="FILE", help="what the device runs now, for --as patch")
@click.option("--check", is_flag=True, help="exit 1 where a file in DIR is not what would be rendered")
@click.option("--diff", "diff_", is_flag=True, help="show how files in DIR differ; writes nothing")
@click.option(
    "--templates", type=click.Path(), metavar="DIR", help="own templates; default: rocecfg-templates beside the intent"
)
@click.option("--no-lint", is_flag=True, help="render despite findings; what cannot be read still stops it")
@inputs.allow_outside_option
def command(
    path: str,
    vendor: str,
    folder: str | None,
    device: str | None,
    form: str | None,
    running: str | None,
    check: bool,
    diff_: bool,
    templates: str | None,
    no_lint: bool,
    allow_outside: tuple[str, ...],
) -> None:
    """Render the devices of a vendor: all where the intent names none. Refuses where lint, as set, finds errors.

    `--vendor host` renders the NIC end: for each group of hosts a script, a systemd unit, the environment of jobs, and
    a resource of NVIDIA's nic-configuration-operator. `all` is all switches. `--vendor prometheus` renders what watches
    the fabric: recording and alert rules, a test of them for promtool, and a Grafana dashboard.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    if (check or diff_) and folder is None:
        stop("--check and --diff need -o DIR, the folder to compare with")
    if templates is not None and not os.path.isdir(templates):
        stop(f"--templates {templates}: there is no such folder")
    _refuse_options(vendor, form, running, device)
    only = None if vendor in ("all", HOST, PROMETHEUS) else vendor
    sources = Sources(allow_outside)
    switch = device if vendor != HOST else None  # what is wrong with any switch matters to hosts
    fabrics = inputs.fabrics(path, sources, only)
    policies = _policies(fabrics) if not no_lint else None
    try:
        running_text = decode(running, read_bytes(running)) if running is not None else None
    except SourceError as error:
        stop_unread(error)
    out: list[File] = []
    for loaded in fabrics:
        fabric = loaded.fabric
        if fabric is None:
            continue
        if not no_lint:
            _refuse_errors(
                _judged(loaded, sources, policies), fabric, only, switch, "mend these errors, or say --no-lint"
            )
        unread = lint([loaded], sources, rules=_unread(fabric), waivers=False)
        _refuse_errors(unread, fabric, only, switch, "what cannot be read cannot be rendered")
        own = templates or inputs.own_templates(loaded, sources)
        if running is not None and running_text is not None and form == "patch":
            _refuse_parts(fabric, only, device, running, running_text, sources, own)
        try:
            out += _rendered(loaded, fabric, vendor, form, own, running_text, device, sources.allowed)
        except CannotRender as error:
            _stop_refused(error, sources)
    if not out:
        stop(_nothing(path, vendor, device))
    if folder is None:
        _to_stdout(out, vendor)
        return
    twice = [name for name, count in Counter(file.name for file in out).items() if count > 1]
    if twice:
        stop(f"{len(twice)} names stand for devices of several fabrics ({twice[0]}): render each fabric by itself")
    if check or diff_:
        sys.exit(_compare(out, folder, show=diff_))
    else:
        _write(out, folder)


def _refuse_options(vendor: str, form: str | None, running: str | None, device: str | None) -> None:
    """Stop at options that what is to be rendered has no use for."""
    if vendor == HOST and running is not None:
        stop("--running is for --as patch, and hosts have none")
    if vendor == PROMETHEUS and (running or form or device):
        stop("--as, --device and --running are for switches: Prometheus watches the fabric as a whole")


def _refuse_parts(
    fabric: Fabric, vendor: str | None, device: str | None, path: str, text: str, sources: Sources, own: str | None
) -> None:
    """Stop where what runs is a part of a configuration that does not say what a patch would have to touch."""
    from rocecfg.drift.parts import unsaid

    for each in fabric.devices:
        if (
            vendor not in (None, each.vendor)
            or each.vendor is None
            or (device is not None and device not in each.names)
        ):
            continue
        try:
            settings, mend = unsaid(fabric, each, path, text, sources, own)
        except CannotRender:
            continue  # which rendering it says too
        except SourceError as error:
            stop_unread(error)
        if settings:
            who = device or each.key or "any device"
            told = f"a part of a configuration of {who}, and a patch would have to touch what it does not say"
            stop(f"{path}: {told}: {', '.join(settings)}; {mend}")


def _rendered(
    loaded: Loaded,
    fabric: Fabric,
    vendor: str,
    form: str | None,
    own: str | None,
    running: str | None,
    device: str | None,
    allowed: tuple[str, ...],
) -> Iterable[File]:
    """The files of a fabric; raises CannotRender."""
    if vendor == HOST:
        from rocecfg.hosts.files import files as host_files

        return host_files(fabric, form=form, templates=own, device=device)
    if vendor == PROMETHEUS:
        return _watching(loaded, fabric, own, allowed)
    only = vendor if vendor in VENDORS else None
    return files(fabric, only, form=form, templates=own, running=running, device=device)


def _watching(loaded: Loaded, fabric: Fabric, own: str | None, allowed: tuple[str, ...]) -> list[File]:
    """The rules, their test and the dashboard; the names of metrics are those of profiles, the user's own first."""
    from rocecfg.profiles import library_in
    from rocecfg.telemetry.rendering import files as telemetry_files

    try:
        return telemetry_files(fabric, library_in(os.path.dirname(loaded.root), allowed), templates=own)
    except SourceError as error:  # a profile of the user's
        stop_unread(error)


def _rules_only(out: list[File]) -> list[File]:
    """What of the files goes to stdout: the rules of the first fabric, if there is only one."""
    rules = [file for file in out if file.name.endswith("-rules.yaml")]
    if len(rules) > 1:
        stop(f"rules of {len(rules)} fabrics: say -o DIR")
    print_note(f"# -o DIR writes {', '.join(file.name for file in out if file not in rules)} as well")
    return rules


def _nothing(path: str, vendor: str, device: str | None) -> str:
    if vendor == HOST:
        where = f"{device} is in no group of hosts that RDMA reaches" if device else f"RDMA reaches no hosts in {path}"
        return f"{where}: there is nothing to set"
    return f"no device {device}" if device else f"no device of {vendor} in {path}"


def _policies(fabrics: list[Loaded]) -> Policies | None:
    """What `rocecfg lint` would judge them by; None where there are no settings. Stops where these are wrong."""
    finder = Finder()
    try:
        if all(finder.settings(loaded.root) is None for loaded in fabrics):
            return None
    except SourceError as error:
        stop_unread(error)
    from rocecfg.config.policy import Policies
    from rocecfg.config.values import Layer

    return Policies(finder, Layer())


def _judged(loaded: Loaded, sources: Sources, policies: Policies | None) -> Run:
    try:
        return lint([loaded], sources, today=time.strftime("%Y-%m-%d"), policies=policies)
    except SourceError as error:  # settings or a baseline
        stop_unread(error)


def _unread(fabric: Fabric) -> tuple[Rule, ...]:
    """What not even --no-lint passes over: without a value there is nothing to render but a guess."""
    slips = {"schema-unknown-key", "schema-required"} if fabric.broken else set()
    return tuple(map(named, sorted(UNREADABLE | slips)))


def _refuse_errors(run: Run, fabric: Fabric, vendor: str | None, device: str | None, mend: str) -> None:
    """Stop where a run found errors that concern what is to be rendered."""
    meant = {
        name
        for d in fabric.devices
        if vendor is None or d.vendor == vendor
        for name in d.names
        if device is None or name == device
    }
    errors = [f for f in run.findings if f.severity == "error" and (not f.devices or meant & set(f.devices))]
    for failure in run.failed:
        print_message(f"internal error: {failure}")
    if run.failed:
        sys.exit(3)
    if errors:
        from rocecfg.report.text import full

        kept = run._replace(findings=errors, summary=run.summary._replace(errors=len(errors), warnings=0, infos=0))
        click.echo(full(kept, color=use_color() and sys.stderr.isatty()), err=True, nl=False)
        print_message(f"nothing rendered: {mend}")
        sys.exit(1)


def _stop_refused(error: CannotRender, sources: Sources) -> None:
    where = next((s for origin in error.at for s in spans_of(origin)), None)
    place = ""
    if where is not None:
        document = sources.documents[where.doc]
        line, column = document.place(where.start)
        place = f"{document.path}:{line}:{column}: "
    stop(f"{place}{error.message}" + (f" ({error.help})" if error.help else ""))


def _to_stdout(out: list[File], vendor: str) -> None:
    if vendor == HOST and len(out) > 1:
        stop(f"{len(out)} files: say -o DIR, or --as script and --device HOST")
    if vendor == PROMETHEUS:
        out = _rules_only(out)
    if len(out) > 1:
        names = fold(tuple(f.device or "" for f in out))
        stop(f"{len(out)} devices ({names[:80]}): say -o DIR, or --device NAME")
    sys.stdout.write(out[0].text)
    if out[0].rendering.comment is None:
        for line in out[0].rendering.notes:
            print_note(f"# {line}")


def _compare(out: list[File], folder: str, *, show: bool) -> int:
    differing = 0
    for file in out:
        path = os.path.join(folder, file.name)
        try:
            have = text_below(folder, file.name)
        except OSError as error:
            stop(f"{path} cannot be read: {error.strerror or error}")
        if have == file.text:
            continue
        differing += 1
        if show:
            sys.stdout.write(visible_diff(have or "", file.text, path, f"{path} (rendered)"))
        else:
            click.echo(visible(f"{path}: {'missing' if have is None else 'not what the intent says'}"))
    return int(differing > 0)


def _write(out: list[File], folder: str) -> None:
    """Everything is rendered before the first file is touched; each file appears whole."""
    try:
        # all of them first: a name that is taken by a folder shows before anything is written
        changed = [(file.name, file.text) for file in out if text_below(folder, file.name) != file.text]
        write_below(folder, changed)
    except OSError as error:
        stop(f"{error.filename or folder} cannot be written: {error.strerror or error}")
    print_note(f"{len(changed)} of {len(out)} files written to {folder}")
    told: dict[tuple[str, ...], list[str]] = {}
    for file in out:
        if file.rendering.comment is None:
            told.setdefault(file.rendering.notes, []).append(file.name)
    for notes, names in told.items():
        print_note(f"{fold(tuple(names))}:")
        for line in notes:
            print_note(f"  {line}")
