"""What `rocecfg lint` does: options have been parsed, or there were none."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
from functools import partial

from rocecfg.cli.common import (
    check_output,
    print_message,
    save,
    stop,
    stop_unread,
    stop_unwritten,
    use_color,
)
from rocecfg.cli.terminal import show_work
from rocecfg.config.find import Finder
from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import house_rule_name
from rocecfg.intent import Loaded
from rocecfg.linting.discover import Overlaid, discover
from rocecfg.linting.run import Run, lint
from rocecfg.source.document import MAX_BYTES, SourceError, Sources

TYPE_CHECKING = False
if TYPE_CHECKING:  # loaded where there are settings, options that stand for them, or fixes to make
    from collections.abc import Callable, Mapping

    from rocecfg.config.policy import Policies
    from rocecfg.config.values import Choice, ConfigValue
    from rocecfg.linting.changed import Lines
    from rocecfg.linting.fixes import Fixed

FORMATS = {
    "full": ("text", "render_full"),
    "concise": ("text", "render_concise"),
    "json": ("json_format", "render"),
    "sarif": ("sarif", "render"),
    "github": ("github", "render"),
    "gitlab": ("gitlab", "render"),
    "junit": ("junit", "render"),
    "rdjson": ("rdjson", "render"),
}
_FOR_PEOPLE = ("full", "concise")
_STDIN = "<stdin>"


def lint_paths(
    paths: tuple[str, ...],
    *,
    format_: str | None = None,
    outputs: tuple[str, ...] = (),
    select: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
    fail_on: str | None = None,
    fix: bool = False,
    unsafe_fixes: bool = False,
    fix_below: str | None = None,
    diff: bool = False,
    no_ignores: bool = False,
    baseline: str | None = None,
    since: str | None = None,
    update_baseline: bool = False,
    statistics: bool = False,
    list_unjudged: bool = False,
    quiet: bool = False,
    color: str = "auto",
    stdin_filename: str | None = None,
    config: str | None = None,
    no_config: bool = False,
    environment: str | None = None,
    show_settings: bool = False,
    written_by: str | None = None,
    jobs: int | None = None,
    only_intents: bool = False,
    no_shapes: bool = False,
    no_models: bool = False,
    allow_outside: tuple[str, ...] = (),
) -> None:
    """Judge what is at some paths, print and write what was found, and end the process with the exit code."""
    gc.disable()  # a short life, and no cycles worth a collection
    asked = [(word, f"--output {word}") for word in (*([format_] if format_ else []), *outputs)]
    wanted = _parse_outputs(asked)
    _check_fixing(fix or diff, unsafe=unsafe_fixes, update=update_baseline)
    try:
        finder = Finder(given=config, isolated=no_config)
        piped = _name_piped_file(paths, stdin_filename)
        paths, sources = _open_sources(paths, stdin_filename, allow_outside)
        sources.by_shape = not no_shapes
        with show_work(sources):
            found = discover(paths, sources, running=not only_intents, written_by=written_by, jobs=jobs, finder=finder)
            fabrics = found.fabrics + [_make_unowned(path, sources) for path in found.unowned if not only_intents]
            if not no_models:
                fabrics = ask_models(fabrics, sources, finder, jobs)
            policies = _choose_policies(fabrics, finder, select, ignore, fail_on, baseline, environment)
            if policies is not None and not asked:
                wanted = _read_set_outputs(policies, fabrics)
            if show_settings:
                _show_settings(policies, fabrics, wanted, given=bool(asked))
                return
            for _, file in wanted:
                if file is not None:
                    check_output(file)
            if update_baseline:
                _check_baselines(policies, fabrics)
            judge = partial(
                lint,
                focus=found.focus,
                passed=found.passed,
                waivers=not no_ignores,
                today=time.strftime("%Y-%m-%d"),
                policies=policies,
                update_baselines=update_baseline,
                changed=_read_changed_lines(since, update=update_baseline) if since is not None else None,
            )
            fixed = _fix(fabrics, sources, judge, unsafe=unsafe_fixes, only=piped) if fix or diff else None
            if fixed is not None:
                run = fixed.run
            else:
                run = judge(fabrics, sources, jobs=jobs)
    except SourceError as error:
        stop_unread(error)
    if fixed is not None:
        from rocecfg.cli.fixing import write_fixes

        wanted = write_fixes(fixed, wanted, diff=diff, piped=piped, below=fix_below)
    paint = _Style(color, quiet=quiet)
    if list_unjudged:
        _print_unjudged(run, wanted)
    _write_outputs(run, wanted, paint, statistics=statistics, follow=bool(asked))
    _write_baselines(run)
    for failure in run.failed:
        print_message(f"internal error: {failure}")
    _note_slow_parser()
    sys.exit(3 if run.failed else 2 if run.unreadable else int(run.failing))


def ask_models(fabrics: list[Loaded], sources: Sources, finder: Finder, jobs: int | None) -> list[Loaded]:
    """What the models of switches' systems refuse; what judges is loaded where there are configurations alone."""
    if not any(one.fabric is not None and one.fabric.running for one in fabrics):
        return fabrics
    try:
        from rocecfg.validation.in_lint import add_verdicts
    except ModuleNotFoundError as error:
        if error.name not in ("rocecfg.validation", "rocecfg.validation.in_lint"):  # which the playground leaves out
            raise
        return [one._replace(unmodelled="no models are part of the playground") for one in fabrics]

    def find_models(root: str) -> str | None:
        settings = finder.find_settings(root)
        return settings.yang.value if settings is not None and settings.yang is not None else None

    return add_verdicts(fabrics, sources, find_models, jobs)


def _read_changed_lines(since: str, *, update: bool) -> Mapping[str, Lines]:
    from rocecfg.linting.changed import NoChanges, find_changed_lines

    if update:
        stop("--update-baseline: not together with --since: a baseline holds all that is found")
    try:
        return find_changed_lines(since, os.curdir)
    except NoChanges as error:
        stop(f"--since: {error}")


def _open_sources(
    paths: tuple[str, ...], name: str | None, allowed: tuple[str, ...]
) -> tuple[tuple[str, ...], Sources]:
    """The paths to look at, `-` by the name it stands for; and the sources, standard input among them."""
    if "-" not in paths:
        if name is not None:
            stop("--stdin-filename: give - as PATH to read standard input")
        return paths, Sources(allowed)
    path = os.path.normpath(name) if name else _STDIN
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    return tuple(dict.fromkeys(path if p == "-" else p for p in paths)), Overlaid(path, data, allowed)


def _name_piped_file(paths: tuple[str, ...], name: str | None) -> str | None:
    """The file that standard input is, if it is read."""
    return os.path.normpath(name or _STDIN) if "-" in paths else None


def _check_fixing(wanted: bool, *, unsafe: bool, update: bool) -> None:
    if unsafe and not wanted:
        stop("--unsafe-fixes: give --fix or --diff too")
    if wanted and update:
        stop("--update-baseline: not together with --fix or --diff: fix first")


def _fix(
    fabrics: list[Loaded], sources: Sources, judge: Callable[..., Run], *, unsafe: bool, only: str | None
) -> Fixed:
    from rocecfg.linting.fixes import fix

    return fix(fabrics, sources, judge, unsafe=unsafe, only=only)


def _make_unowned(path: str, sources: Sources) -> Loaded:
    from rocecfg.vendors import LANGUAGES, join_names
    from rocecfg.vendors.unsupported import identify_unsupported

    document = sources.find_known(path)
    alike = identify_unsupported(document.text) if document is not None else None
    known = join_names(LANGUAGES, "or")
    fix = f"it lacks rocecfg: 1, no intent includes it, and it is not a configuration of {known} (see --from)"
    if alike is None or document is None:
        error = SourceError(path, "belongs to no intent", fix)
    else:
        place = document.place(alike.at)
        error = SourceError(path, f"belongs to no intent, and is {alike.what}", alike.fix or fix, *place)
    return Loaded(path, None, (), [], [error])


def _choose_policies(
    fabrics: list[Loaded],
    finder: Finder,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    baseline: str | None,
    environment: str | None,
) -> Policies | None:
    """None where nobody asked for anything: what reads settings is not even loaded. Raises SourceError."""
    given = select or ignore or fail_on or baseline or environment
    if not given and all(finder.find_settings(fabric.root) is None for fabric in fabrics):
        return None
    from rocecfg.config.policy import Policies
    from rocecfg.config.values import ConfigValue, Layer

    layer = Layer(
        _choose_rules(select, "--select", fabrics),
        _choose_rules(ignore, "--ignore", fabrics),
        ConfigValue(fail_on, "--fail-on") if fail_on else None,
        baseline=ConfigValue(os.path.abspath(baseline), "--baseline") if baseline else None,
    )
    return Policies(finder, layer, environment)


def _choose_rules(items: tuple[str, ...], option: str, fabrics: list[Loaded]) -> Choice | None:
    if not items:
        return None
    from rocecfg.config.values import UnknownRule, choose_rules

    words = [word for item in items for word in item.split(",") if word]
    try:
        chosen = choose_rules(words, option)
    except UnknownRule as error:
        stop(f"{option}: {error} ({error.fix})")
    own = [(word, name) for word in words if (name := house_rule_name(word)) is not None]
    if own:
        from rocecfg.custom_rules.rules import names_for

        known = names_for(fabric.root for fabric in fabrics)
        for word, name in own:
            if not any(each.startswith(name) for each in known):
                stop(f"{option}: there is no rule {word!r}; house rules here: {', '.join(known) or 'none'}")
    return chosen


def _parse_outputs(asked: list[tuple[str, str]]) -> list[tuple[str, str | None]]:
    """Formats, each with its file or None for standard output; `asked`: the words, and how a message says them."""
    wanted: list[tuple[str, str | None]] = []
    for item, option in asked:
        name, _, file = item.partition("=")
        if name not in FORMATS:
            stop(f"{option}: no format {name!r}; known: {', '.join(FORMATS)}")
        wanted.append((name, file or None))
    if sum(file is None for _, file in wanted) > 1:
        stop("two formats for standard output: give all but one a file, --output FORMAT=FILE")
    return wanted or [("full", None)]


def _read_set_outputs(policies: Policies, fabrics: list[Loaded]) -> list[tuple[str, str | None]]:
    """The outputs that settings ask for; their files are beside the settings. Raises SourceError."""
    words, settings = policies.find_outputs([fabric.root for fabric in fabrics])
    wanted = _parse_outputs([(word.value, f"{word.at}: output {word.value}") for word in words])
    folder = settings.folder if settings else ""
    placed = [(name, os.path.join(folder, file) if file else None) for name, file in wanted]
    for word, (name, path) in zip(words, placed, strict=False):
        if path is not None and os.path.lexists(path):
            _stop_if_foreign(name, path, word)
    return placed


def _stop_if_foreign(name: str, path: str, word: ConfigValue) -> None:
    """Stops where settings would have a file written over that is not a report of ours."""
    from rocecfg.report.own import is_report

    try:
        if is_report(path, name):
            return
    except OSError as error:
        stop_unwritten(path, error)
    fix = "name a new file, or remove this one; --output FORMAT=FILE of the command line writes over any"
    stop(f"{word.at}: output {word.value}: the file is not a report of rocecfg's as {name} ({fix})")


def _show_settings(
    policies: Policies | None, fabrics: list[Loaded], wanted: list[tuple[str, str | None]], *, given: bool
) -> None:
    from rocecfg.config.policy import PLAIN, show_policy
    from rocecfg.config.values import ConfigValue

    for number, fabric in enumerate(fabrics):
        policy = policies(fabric.root) if policies is not None else PLAIN
        at = "--output" if given else "default"
        if not given and policy.settings is not None and policy.settings.output:
            outputs = policy.settings.output
        else:
            outputs = tuple(ConfigValue(name if file is None else f"{name}={file}", at) for name, file in wanted)
        sys.stdout.write("\n" * (number > 0) + show_policy(fabric.root, policy, outputs))


def _check_baselines(policies: Policies | None, fabrics: list[Loaded]) -> None:
    for fabric in fabrics:
        if fabric.errors:
            stop(f"the baseline stays as it is: {fabric.errors[0]}")
        baseline = policies(fabric.root).baseline if policies is not None else None
        if baseline is None:
            stop(f"--update-baseline: {fabric.root} has none: give --baseline FILE, or set it in rocecfg.toml")
        check_output(baseline.value)


class _Style(NamedTuple):
    """How what people read is printed."""

    color: str  # auto | always | never
    quiet: bool

    @property
    def colored(self) -> bool:
        """Whether in colour."""
        return use_color() if self.color == "auto" else self.color == "always"


def _write_outputs(
    run: Run, wanted: list[tuple[str, str | None]], paint: _Style, *, statistics: bool, follow: bool
) -> None:
    """Print or write the run in each format; with `statistics` counts stand for the findings that people read."""
    if statistics:
        _print_statistics(run, wanted, paint)
        wanted = [(name, file) for name, file in wanted if file is not None or name not in _FOR_PEOPLE]
    for name, file in wanted:
        _write_output(run, name, file, paint, follow=follow)


def _write_output(run: Run, name: str, file: str | None, paint: _Style, *, follow: bool) -> None:
    """`follow`: the command line names the file, which may then be a link or a pipe."""
    module, function = FORMATS[name]
    make = getattr(importlib.import_module(f"rocecfg.report.{module}"), function)
    if name in _FOR_PEOPLE and file is None:
        make = partial(make, quiet=paint.quiet)
    if name == "full" and file is None and sys.stdout.isatty():
        import shutil

        text: str = make(run, color=paint.colored, width=shutil.get_terminal_size().columns)
    else:
        text = make(run, color=file is None and paint.colored)
    if file is None:
        sys.stdout.write(text)
        return
    save(file, text, follow=follow)


def _print_unjudged(run: Run, wanted: list[tuple[str, str | None]]) -> None:
    """Above what people read; where a report for programs is on standard output, on standard error."""
    import click

    from rocecfg.report.fates import list_unjudged

    busy = any(file is None and name not in _FOR_PEOPLE for name, file in wanted)
    for line in list_unjudged([run.summary.fates] if run.summary.fates is not None else (), run.sources):
        click.echo(line, err=busy)


def _print_statistics(run: Run, wanted: list[tuple[str, str | None]], paint: _Style) -> None:
    """On standard output; where that holds a report for programs, on standard error."""
    import click

    from rocecfg.report.text import render_statistics

    busy = any(file is None and name not in _FOR_PEOPLE for name, file in wanted)
    click.echo(render_statistics(run, color=not busy and paint.colored), err=busy, nl=False)


def _write_baselines(run: Run) -> None:
    """Write the baselines that were asked for."""
    for path, text in run.baselines:
        save(path, text)
        print_message(f"{path}: {run.known} finding{'s' * (run.known != 1)} known")


def _note_slow_parser() -> None:
    from rocecfg.source.yaml import has_c_parser

    if not has_c_parser():
        print_message("PyYAML has no C parser here; large fabrics load some twenty times slower")
