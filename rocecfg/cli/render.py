"""`rocecfg render`."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from rocecfg.cli import inputs
from rocecfg.cli.common import (
    describe_no_device,
    locate_refused,
    print_errors,
    print_message,
    print_note,
    stop,
    stop_unread,
)
from rocecfg.cli.inputs import VendorChoice
from rocecfg.cli.rendered import Rendered, compare_folder, write_folder
from rocecfg.cli.terminal import show_work
from rocecfg.cli.validate import find_models, refuse_invalid, yang_option
from rocecfg.config.find import Finder, find_policies
from rocecfg.core.nodeset import fold_some
from rocecfg.core.records import NamedTuple
from rocecfg.intent import Loaded
from rocecfg.intent.values import UNREADABLE
from rocecfg.linting.rendering import UnfitDevice, render_files
from rocecfg.linting.run import Run, lint
from rocecfg.model import Device, Fabric
from rocecfg.rules import ERROR, get_rule
from rocecfg.source.document import SourceError, Sources, decode, read_bytes
from rocecfg.vendors import TABLE, VENDORS
from rocecfg.vendors.ansible import FORM as ANSIBLE
from rocecfg.vendors.apply import Group, Mark, group_files
from rocecfg.vendors.base import CannotRender, File, RenderedText

if TYPE_CHECKING:  # loaded where there are settings
    from rocecfg.config.policy import Policies

HOST = "host"  # beside the vendors: the NIC end
PROMETHEUS = "prometheus"  # and what watches the fabric
ALL = "all"  # switches of every vendor


@click.command("render")
@click.argument("path", default=".", type=click.Path())
@click.option(
    "--vendor",
    type=VendorChoice(HOST, PROMETHEUS, ALL),
    help="default: the vendor of each device in the intent, same as all",
)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(),
    metavar="DIR",
    help="write one file per device here, and an APPLY-* runbook and script for each group of devices with the same "
    "procedure",
)
@click.option("--device", help="only this device; with --vendor host: only its group")
@click.option(
    "--as",
    "form",
    help="; ".join(f"{vendor.name}: {', '.join(form for form in vendor.forms if form != ANSIBLE)}" for vendor in TABLE)
    + "; every system also takes ansible (a task list); host: script, systemd, env, kubernetes",
)
@click.option(
    "--running", type=click.Path(), metavar="FILE", help="running configuration of the device, for --as patch"
)
@click.option("--check", is_flag=True, help="exit 1 if a file in DIR differs from the rendered one")
@click.option("--diff", "diff_", is_flag=True, help="show how files in DIR differ, and write nothing")
@click.option(
    "--templates",
    type=click.Path(),
    metavar="DIR",
    help="your own templates; default: rocecfg-templates beside the intent",
)
@click.option("--exit-non-zero-on-write", is_flag=True, help="exit 1 if a file was written or removed, as hooks must")
@click.option(
    "--validate",
    "judged",
    is_flag=True,
    help="validate each file first (rocecfg validate); if one is refused, write none",
)
@yang_option
@click.option(
    "--no-lint",
    is_flag=True,
    help="render despite findings; still stops at input that cannot be read or that a system refuses",
)
@inputs.allow_outside_option
def command(
    path: str,
    vendor: str | None,
    folder: str | None,
    device: str | None,
    form: str | None,
    running: str | None,
    check: bool,
    diff_: bool,
    templates: str | None,
    exit_non_zero_on_write: bool,
    judged: bool,
    yang: str | None,
    no_lint: bool,
    allow_outside: tuple[str, ...],
) -> None:
    """Render the switches of an intent, each for its vendor. Refuses if lint finds errors.

    With -o, rocecfg writes one file per device into the folder, and an APPLY-NAME.md runbook and an APPLY-NAME.sh
    script for each group of devices with the same procedure. The runbook lists the steps in order, what they disturb,
    what to check and how to save.

    `--vendor` renders the devices of one vendor and those without a vendor. `--vendor host` renders the NIC end: for
    each group of hosts a script, a systemd unit, the environment of jobs, and a resource of NVIDIA's
    nic-configuration-operator. `--vendor prometheus` renders the monitoring: recording and alert rules, a promtool
    test of them, and a Grafana dashboard.
    """
    gc.disable()  # a short life, and no cycles worth a collection
    _refuse_folders(folder, templates, compared=check or diff_, written=exit_non_zero_on_write)
    vendor = vendor or ALL
    _refuse_options(vendor, form, running, device)
    validator = _make_validator(vendor, form, yang, judged=judged)
    wanted = _Wanted(vendor, device, form, running, templates)
    sources = Sources(allow_outside)
    with show_work(sources):
        fabrics = inputs.find_fabrics(path, sources, wanted.only)
    policies = _find_policies(fabrics) if not no_lint else None
    running_text = _read_running(running) if running is not None else None
    out: list[File] = []
    how: list[Group] = []
    marks: list[Mark] = []
    for loaded in fabrics:
        if not no_lint:
            run = _lint_fabric(loaded, sources, policies)
            _refuse_errors(run, loaded, wanted, "fix these errors, or give --no-lint")
        run = _refuse_unread(loaded, wanted, sources)
        made = _render_fabric(loaded, wanted, running_text, run)
        out += made
        if validator is not None and loaded.fabric is not None:
            validator.judge(loaded, loaded.fabric, made, wanted, running_text, sources)
        if folder is not None and loaded.fabric is not None:
            how += _group_files(loaded, loaded.fabric, wanted, made, sources)
            marks += _list_marks(loaded.fabric, wanted)
    if not out:
        stop(_explain_nothing(path, vendor, device, fabrics))
    if validator is not None:
        refuse_invalid(validator.run)
    if folder is None:
        _print_file(out, vendor)
        return
    rendered = Rendered(out, how, marks)
    if check or diff_:
        sys.exit(compare_folder(rendered, folder, show=diff_))
    sys.exit(write_folder(rendered, folder, strict=exit_non_zero_on_write))


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
        return None if self.vendor in (ALL, HOST, PROMETHEUS) else self.vendor

    def select_names(self, device: Device) -> frozenset[str]:
        """The names of devices that are rendered, or without which nothing else is."""
        if self.only is not None and device.vendor != self.only:
            return frozenset()
        if self.device is None or self.vendor == HOST:
            return frozenset(device.names)
        return frozenset(name for name in device.names if name == self.device)


def _make_validator(vendor: str, form: str | None, yang: str | None, *, judged: bool) -> _Validator | None:
    """Who judges what is rendered, where that is asked for."""
    if not judged:
        if yang is not None:
            stop("--yang is for --validate")
        return None
    if form == ANSIBLE:
        stop(
            "--validate checks configurations: render without --as ansible, whose tasks contain the same configurations"
        )
    if vendor in (HOST, PROMETHEUS):
        stop("--validate is for switches: their systems have models")
    return _Validator(yang)


class _Validator:
    """What models say of what is rendered."""

    def __init__(self, yang: str | None) -> None:
        """`yang`: the folder of models that the command line names."""
        from rocecfg.validation.run import ValidationRun as Verdicts

        self.run = Verdicts()
        self._yang = yang
        self._finder = Finder(report=lambda _: None)  # lint told it

    def judge(
        self, loaded: Loaded, fabric: Fabric, made: list[File], wanted: _Wanted, running: str | None, sources: Sources
    ) -> None:
        """Judge the files of a fabric."""
        from rocecfg.validation.run import judge_rendered

        try:
            models = self._yang or find_models(self._finder, loaded.root)
        except SourceError as error:
            stop_unread(error)
        own = wanted.templates or inputs.find_templates(loaded, sources)
        patched = wanted.form == "patch" and wanted.running is not None and running is not None
        before = (wanted.running or "", running or "") if patched else None
        judge_rendered(self.run, fabric, made, models, strict=own is None, running=before)


def _read_running(path: str) -> str:
    try:
        return decode(path, read_bytes(path))
    except SourceError as error:
        stop_unread(error)


def _refuse_folders(folder: str | None, templates: str | None, *, compared: bool, written: bool) -> None:
    """Stop where a folder is missing: the one of templates, or that which is to be compared with or written to."""
    if compared and folder is None:
        stop("--check and --diff need -o DIR, the folder to compare with")
    if templates is not None and not os.path.isdir(templates):
        stop(f"--templates {templates}: there is no such folder")
    if written and folder is None:
        stop("--exit-non-zero-on-write needs -o DIR, the folder that is written to")


def _refuse_options(vendor: str, form: str | None, running: str | None, device: str | None) -> None:
    """Stop at options that what is to be rendered has no use for."""
    if vendor == HOST and running is not None:
        stop("--running is for --as patch, and hosts have none")
    if vendor == PROMETHEUS and (running or form or device):
        stop("--as, --device and --running are for switches: Prometheus watches the fabric as a whole")


def _render_fabric(loaded: Loaded, wanted: _Wanted, running: str | None, run: Run) -> list[File]:
    """The files of a fabric; `running`: the text of what runs. Stops where something cannot be rendered."""
    fabric, sources = loaded.fabric, run.sources
    if fabric is None:
        return []
    own = wanted.templates or inputs.find_templates(loaded, sources)
    try:
        return list(_make_files(loaded, fabric, wanted, running, own, sources))
    except UnfitDevice as error:
        print_errors(run, error.findings)
        stop("nothing rendered: the system of these devices does not accept it")
    except CannotRender as error:
        stop(f"{locate_refused(error, sources)}{error}")
    except SourceError as error:
        stop_unread(error)


def _group_files(loaded: Loaded, fabric: Fabric, wanted: _Wanted, made: list[File], sources: Sources) -> list[Group]:
    """How what was made is applied. Of one device as its whole group has it: the files are the same then."""
    if wanted.device is None or wanted.form == "patch" or wanted.vendor in (HOST, PROMETHEUS):
        return group_files(fabric, made)
    own = wanted.templates or inputs.find_templates(loaded, sources)
    whole = render_files(fabric, wanted.only, form=wanted.form, templates=own, leave_out=True)
    alike = {file.rendering.apply for file in made}
    return group_files(fabric, (file for file in whole if file.rendering.apply in alike))


def _list_marks(fabric: Fabric, wanted: _Wanted) -> list[Mark]:
    """What files of groups that are no more are known by; nothing is known of other groups where one device is made."""
    if wanted.device is not None or wanted.vendor in (HOST, PROMETHEUS):
        return []
    return [Mark(fabric.name or "", vendor) for vendor in (VENDORS if wanted.only is None else (wanted.only,))]


def _make_files(
    loaded: Loaded, fabric: Fabric, wanted: _Wanted, running: str | None, own: str | None, sources: Sources
) -> Iterable[File]:
    """The files of a fabric. Raises CannotRender, and SourceError for what runs."""
    if wanted.vendor == HOST:
        from rocecfg.hosts.files import render_files as host_files

        return host_files(fabric, form=wanted.form, templates=own, device=wanted.device)
    if wanted.vendor == PROMETHEUS:
        return _render_telemetry(loaded, fabric, own, sources.allowed)
    path = wanted.running
    if wanted.form != "patch" or path is None or running is None:
        return render_files(fabric, wanted.only, form=wanted.form, templates=own, running=running, device=wanted.device)
    from rocecfg.drift.changes import render_patch

    def patch_device(device: Device) -> RenderedText:
        return render_patch(fabric, device, path, running, sources, own)

    return render_files(
        fabric, wanted.only, form=wanted.form, templates=own, running=running, device=wanted.device, patch=patch_device
    )


def _render_telemetry(loaded: Loaded, fabric: Fabric, own: str | None, allowed: tuple[str, ...]) -> list[File]:
    """The rules, their test and the dashboard; the names of metrics are those of profiles, the user's own first."""
    from rocecfg.profiles import library_in
    from rocecfg.telemetry.rendering import render_files as telemetry_files

    try:
        return telemetry_files(fabric, library_in(os.path.dirname(loaded.root), allowed), templates=own)
    except SourceError as error:  # a profile of the user's
        stop_unread(error)


def _select_rules(out: list[File]) -> list[File]:
    """What of the files goes to stdout: the rules of the first fabric, if there is only one."""
    rules = [file for file in out if file.name.endswith("-rules.yaml")]
    if len(rules) > 1:
        stop(f"rules of {len(rules)} fabrics: give -o DIR")
    print_note(f"# -o DIR writes {', '.join(file.name for file in out if file not in rules)} as well")
    return rules


def _explain_nothing(path: str, vendor: str, device: str | None, fabrics: list[Loaded]) -> str:
    if vendor == HOST:
        where = f"{device} is in no group of hosts that RDMA reaches" if device else f"RDMA reaches no hosts in {path}"
        return f"{where}: there is nothing to set"
    if device:
        return describe_no_device(device, fabrics)
    return f"no device of {vendor} in {path}" if vendor != ALL else f"no device in {path}"


def _find_policies(fabrics: list[Loaded]) -> Policies | None:
    """What `rocecfg lint` would judge them by; None where there are no settings. Stops where these are wrong."""
    try:
        return find_policies(Finder(), [loaded.root for loaded in fabrics])
    except SourceError as error:
        stop_unread(error)


def _lint_fabric(loaded: Loaded, sources: Sources, policies: Policies | None) -> Run:
    """What lint finds, where errors are what matters: rules that find none are asked only where others found some.

    These are shown as lint shows them, which is with what they follow from.
    """
    today = time.strftime("%Y-%m-%d")
    try:
        run = lint([loaded], sources, today=today, policies=policies, least=ERROR)
        if any(finding.severity == ERROR for finding in run.findings):
            return lint([loaded], sources, today=today, policies=policies)
    except SourceError as error:  # settings or a baseline
        stop_unread(error)
    return run


def _refuse_unread(loaded: Loaded, wanted: _Wanted, sources: Sources) -> Run:
    """Stop at what not even --no-lint passes over: without a value there is nothing to render but a guess."""
    slips = {"schema-unknown-key", "schema-required"} if loaded.fabric is not None and loaded.fabric.broken else set()
    rules = tuple(map(get_rule, sorted(UNREADABLE | slips)))
    run = lint([loaded], sources, rules=rules, waivers=False)
    _refuse_errors(run, loaded, wanted, "what cannot be read cannot be rendered")
    return run


def _refuse_errors(run: Run, loaded: Loaded, wanted: _Wanted, fix: str) -> None:
    """Stop where a run found errors that concern what is to be rendered."""
    devices = loaded.fabric.devices if loaded.fabric is not None else ()
    names = {name for device in devices for name in wanted.select_names(device)}
    errors = [f for f in run.findings if f.severity == ERROR and (not f.devices or names & set(f.devices))]
    for failure in run.failed:
        print_message(f"internal error: {failure}")
    if run.failed:
        sys.exit(3)
    if errors:
        print_errors(run, errors)
        print_message(f"nothing rendered: {fix}")
        sys.exit(1)


def _print_file(out: list[File], vendor: str) -> None:
    if vendor == HOST and len(out) > 1:
        stop(f"{len(out)} files: give -o DIR, or --as script and --device HOST")
    if vendor == PROMETHEUS:
        out = _select_rules(out)
    if len(out) > 1:
        names = fold_some(tuple(dict.fromkeys(f.device or "" for f in out)))
        stop(f"{len(out)} devices ({names}): give -o DIR to write a file for each, or --device NAME")
    sys.stdout.write(out[0].text)
    if out[0].rendering.comment is None:
        for line in out[0].rendering.notes:
            print_note(f"# {line}")
