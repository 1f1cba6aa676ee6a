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
from rocecfg.cli.common import (
    place_refused,
    print_errors,
    print_message,
    print_note,
    stop,
    stop_unread,
    stop_unwritten,
)
from rocecfg.cli.files import text_below, write_below
from rocecfg.cli.inputs import VendorChoice
from rocecfg.config.find import Finder, policies_of
from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible, visible_diff
from rocecfg.intent import Loaded
from rocecfg.intent.values import UNREADABLE
from rocecfg.linting.run import Run, lint
from rocecfg.model import Device, Fabric
from rocecfg.rules import named
from rocecfg.source.document import SourceError, Sources, decode, read_bytes
from rocecfg.vendors.base import CannotRender, Text
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
    wanted = _Wanted(vendor, device, form, running, templates)
    sources = Sources(allow_outside)
    fabrics = inputs.find_fabrics(path, sources, wanted.only)
    policies = _policies(fabrics) if not no_lint else None
    running_text = _read(running) if running is not None else None
    out: list[File] = []
    for loaded in fabrics:
        if not no_lint:
            run = _judged(loaded, sources, policies)
            _refuse_errors(run, loaded, wanted, "mend these errors, or say --no-lint")
        _refuse_unread(loaded, wanted, sources)
        out += _rendered(loaded, wanted, running_text, sources)
    if not out:
        stop(_nothing(path, vendor, device))
    if folder is None:
        _to_stdout(out, vendor)
        return
    _refuse_twice(out)
    if check or diff_:
        sys.exit(_compare(out, folder, show=diff_))
    _write(out, folder)


class _Wanted(NamedTuple):
    """What is to be rendered."""

    vendor: str  # HOST, PROMETHEUS and all too
    device: str | None
    form: str | None
    running: str | None  # the file of what a device runs now
    templates: str | None  # the user's folder, where an option says it

    @property
    def only(self) -> str | None:
        """The vendor of the devices that matter; None: all of them, for what is wrong with any matters to hosts."""
        return None if self.vendor in ("all", HOST, PROMETHEUS) else self.vendor

    def concerns(self, device: Device) -> frozenset[str]:
        """The names of devices that are rendered, or without which nothing else is."""
        if self.only is not None and device.vendor != self.only:
            return frozenset()
        if self.device is None or self.vendor == HOST:
            return frozenset(device.names)
        return frozenset(name for name in device.names if name == self.device)


def _read(path: str) -> str:
    try:
        return decode(path, read_bytes(path))
    except SourceError as error:
        stop_unread(error)


def _refuse_twice(out: list[File]) -> None:
    """Stop where two fabrics have a device of one name."""
    twice = [name for name, count in Counter(file.name for file in out).items() if count > 1]
    if twice:
        stop(f"{len(twice)} names stand for devices of several fabrics ({twice[0]}): render each fabric by itself")


def _refuse_options(vendor: str, form: str | None, running: str | None, device: str | None) -> None:
    """Stop at options that what is to be rendered has no use for."""
    if vendor == HOST and running is not None:
        stop("--running is for --as patch, and hosts have none")
    if vendor == PROMETHEUS and (running or form or device):
        stop("--as, --device and --running are for switches: Prometheus watches the fabric as a whole")


def _rendered(loaded: Loaded, wanted: _Wanted, running: str | None, sources: Sources) -> list[File]:
    """The files of a fabric; `running`: the text of what runs. Stops where something cannot be rendered."""
    fabric = loaded.fabric
    if fabric is None:
        return []
    own = wanted.templates or inputs.own_templates(loaded, sources)
    try:
        return list(_files(loaded, fabric, wanted, running, own, sources))
    except CannotRender as error:
        stop(f"{place_refused(error, sources)}{error.message}" + (f" ({error.help})" if error.help else ""))
    except SourceError as error:
        stop_unread(error)


def _files(
    loaded: Loaded, fabric: Fabric, wanted: _Wanted, running: str | None, own: str | None, sources: Sources
) -> Iterable[File]:
    """The files of a fabric. Raises CannotRender, and SourceError for what runs."""
    if wanted.vendor == HOST:
        from rocecfg.hosts.files import files as host_files

        return host_files(fabric, form=wanted.form, templates=own, device=wanted.device)
    if wanted.vendor == PROMETHEUS:
        return _watching(loaded, fabric, own, sources.allowed)
    path = wanted.running
    if wanted.form != "patch" or path is None or running is None:
        return files(fabric, wanted.only, form=wanted.form, templates=own, running=running, device=wanted.device)
    from rocecfg.drift.patch import patch

    def patched(of: Device) -> Text:
        return patch(fabric, of, path, running, sources, own)

    return files(
        fabric, wanted.only, form=wanted.form, templates=own, running=running, device=wanted.device, patch=patched
    )


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
    try:
        return policies_of(Finder(), [loaded.root for loaded in fabrics])
    except SourceError as error:
        stop_unread(error)


def _judged(loaded: Loaded, sources: Sources, policies: Policies | None) -> Run:
    try:
        return lint([loaded], sources, today=time.strftime("%Y-%m-%d"), policies=policies)
    except SourceError as error:  # settings or a baseline
        stop_unread(error)


def _refuse_unread(loaded: Loaded, wanted: _Wanted, sources: Sources) -> None:
    """Stop at what not even --no-lint passes over: without a value there is nothing to render but a guess."""
    slips = {"schema-unknown-key", "schema-required"} if loaded.fabric is not None and loaded.fabric.broken else set()
    rules = tuple(map(named, sorted(UNREADABLE | slips)))
    run = lint([loaded], sources, rules=rules, waivers=False)
    _refuse_errors(run, loaded, wanted, "what cannot be read cannot be rendered")


def _refuse_errors(run: Run, loaded: Loaded, wanted: _Wanted, mend: str) -> None:
    """Stop where a run found errors that concern what is to be rendered."""
    devices = loaded.fabric.devices if loaded.fabric is not None else ()
    names = {name for device in devices for name in wanted.concerns(device)}
    errors = [f for f in run.findings if f.severity == "error" and (not f.devices or names & set(f.devices))]
    for failure in run.failed:
        print_message(f"internal error: {failure}")
    if run.failed:
        sys.exit(3)
    if errors:
        print_errors(run, errors)
        print_message(f"nothing rendered: {mend}")
        sys.exit(1)


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
        stop_unwritten(error.filename or folder, error)
    print_note(f"{len(changed)} of {len(out)} files written to {folder}")
    noted: dict[tuple[str, ...], list[str]] = {}  # files by what a comment in them would say
    for file in out:
        if file.rendering.comment is None:
            noted.setdefault(file.rendering.notes, []).append(file.name)
    for notes, names in noted.items():
        print_note(f"{fold(tuple(names))}:")
        for line in notes:
            print_note(f"  {line}")
