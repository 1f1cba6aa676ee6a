"""The command line."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from rocecfg.cli.group import cli

__all__ = ["cli", "main"]


def __getattr__(name: str) -> Any:
    """The commands are loaded when somebody asks for them: what parses options takes long to load."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # `from rocecfg.cli import group` would ask here for `group`

    return getattr(import_module("rocecfg.cli.group"), name)


def main() -> NoReturn:
    """Entry point. Exit codes: 0 nothing found, 1 findings, 2 could not run, 3 internal error."""
    try:
        from rocecfg.cli.terminal import prepare_streams

        prepare_streams()
        code = _run_command()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        code = 130
    except OSError as error:  # the disk is full, the terminal is gone
        code = _report_os_error(error)
    except Exception as error:  # noqa: BLE001 - never a traceback: it would hide what was already found
        import traceback

        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(last.filename)}:{last.lineno}"
        _print_message(f"internal error, please report it: {type(error).__name__}: {error} ({place})")
        code = 3
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _report_os_error(error)
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(code)  # freeing a fabric of 10,000 switches object by object takes a tenth of the run


def _run_command() -> int:
    if sys.argv[1:] == ["--version"]:  # tools ask often, and what parses options takes longer to load than Python
        from rocecfg import __version__, facts_day

        sys.stdout.write(f"rocecfg, version {__version__}\nnewest source of its facts: {facts_day}\n")
        return 0
    if _is_plain_lint(sys.argv[1:]):
        return _run_plain_lint(sys.argv[2:])
    from rocecfg.cli.group import run_cli

    return run_cli()


_OF_HOOKS = "--only-intents"


def _is_plain_lint(words: list[str]) -> bool:
    """Whether a command line asks for a lint of paths, as hooks do on every commit: no option has to be parsed."""
    if words[:1] != ["lint"] or "_ROCECFG_COMPLETE" in os.environ or os.name == "nt":  # there click expands patterns
        return False
    return all(word == _OF_HOOKS or not word.startswith("-") for word in words[1:])


def _run_plain_lint(words: list[str]) -> int:
    gc.disable()  # before modules are loaded: they stay, and looking for what does not takes a tenth of loading them
    from rocecfg.cli.linted import lint_paths

    try:
        lint_paths(tuple(word for word in words if word != _OF_HOOKS), only_intents=_OF_HOOKS in words)
    except Exception as error:
        from rocecfg.cli.common import stop_if_missing

        stop_if_missing(error)
        raise
    return 0


def _report_os_error(error: OSError) -> int:
    _print_message(f"{error.filename or 'standard output'}: {error.strerror or error}")
    return 2


def _print_message(message: str) -> None:
    from rocecfg.cli.common import print_message

    with contextlib.suppress(OSError):
        print_message(message)
