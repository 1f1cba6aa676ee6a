"""`rocecfg completion`, and what completes the words that click knows nothing of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class, split_arg_string
from click.types import StringParamType

from rocecfg.cli.common import stop

VARIABLE = "_ROCECFG_COMPLETE"
_SHELLS = ("bash", "zsh", "fish")
_LOOP = "for type key descr in ${response}; do\n"  # of click's zsh script
_ASKED = 'COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD'  # and of its bash script
# bash takes --option=word for three words, unless somebody took = out of COMP_WORDBREAKS: then for one.
_REJOINED = """\
    local response words=() cword=$COMP_CWORD at
    for ((at = 0; at < ${#COMP_WORDS[@]}; at++)); do
        if [[ ${COMP_WORDS[at]} == '=' && $at -lt $COMP_CWORD && ${COMP_WORDS[at - 1]} == --* ]]; then
            ((cword -= 1))
        else
            words+=("${COMP_WORDS[at]}")
        fi
    done
    local option=
    [[ ${COMP_WORDS[COMP_CWORD]} == --*=* ]] && option="${COMP_WORDS[COMP_CWORD]%%=*}="
"""
_FIXES = {  # of click's scripts: commas within a word, and --option=word, where shells would replace both
    "bash": (
        ("    local response\n", _REJOINED),
        (_ASKED, 'COMP_WORDS="${words[*]}" COMP_CWORD=$cword'),
        ("COMPREPLY+=($value)", 'COMPREPLY+=("$option$value")'),
    ),
    "zsh": ((_LOOP, _LOOP + '        [[ "${words[CURRENT]}" == --*=* ]] && key="${words[CURRENT]%%=*}=$key"\n'),),
    "fish": (
        ('string split "," $completion', 'string split --max 1 "," $completion'),
        (
            "echo $metadata[2];",
            "echo (string replace --regex -- '^(--[^=]*=)?.*' '$1' (commandline -t))$metadata[2];",
        ),
    ),
}


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that completes rocecfg's commands, options, rules, profiles and devices in a shell.

    \b
    bash   in ~/.bashrc: eval "$(rocecfg completion bash)"
    zsh    in ~/.zshrc, after compinit: eval "$(rocecfg completion zsh)"
    fish   rocecfg completion fish > ~/.config/fish/completions/rocecfg.fish
    """  # noqa: D301 - \b keeps click from joining the lines
    of = get_completion_class(shell)
    if of is None:
        stop(f"this release of click has no completion for {shell}")
    script = of(ctx.find_root().command, {}, "rocecfg", VARIABLE).source()
    for theirs, ours in _FIXES.get(shell, ()):
        script = script.replace(theirs, ours)
    click.echo(script)


class _Words(StringParamType):
    """A word of a list that is made only when somebody asks."""

    def __init__(self, words: Callable[[], Iterable[tuple[str, str]]], *, several: bool = False) -> None:
        self._words = words  # with a few words about each
        self._several = several  # between commas

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",") if self._several else ("", "", incomplete)
        return [
            CompletionItem(f"{before}{comma}{word}", help=about)
            for word, about in self._words()
            if word.startswith(last)
        ]


class _Devices(StringParamType):
    """The name of a device of the intent that the words before it name, or that is here."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from rocecfg.linting.discover import discover
        from rocecfg.source.document import SourceError, Sources

        # where the option that is completed ends the line, click has not got to the arguments
        typed = split_arg_string(os.environ.get("COMP_WORDS", ""))[2:]
        path = next((word for word in typed if os.path.exists(word)), ".")
        try:
            found = discover((path,), Sources(), running=False).fabrics
        except SourceError:  # told when the command runs
            return []
        devices = [device for loaded in found if loaded.fabric is not None for device in loaded.fabric.devices]
        return [
            CompletionItem(name, help=device.role or "")
            for device in devices
            for name in device.names
            if name.startswith(incomplete)
        ]


def _list_rules() -> list[tuple[str, str]]:
    from rocecfg.rules import ALL

    return [(rule.name, rule.summary) for rule in ALL]


def _make_profile_lister(*kinds: str) -> Callable[[], list[tuple[str, str]]]:
    def list_profiles() -> list[tuple[str, str]]:
        from rocecfg.profiles import KINDS, library_in

        library = library_in(".")
        return [(name, kind) for kind in kinds or KINDS for name in library.names(kind)]

    return list_profiles


_KNOWN = {  # command and parameter
    ("explain", "rule"): _Words(_list_rules),
    ("lint", "select"): _Words(_list_rules, several=True),
    ("lint", "ignore"): _Words(_list_rules, several=True),
    ("profiles", "name"): _Words(_make_profile_lister()),
    ("advise", "family"): _Words(_make_profile_lister("ecn")),
    ("advise", "nic"): _Words(_make_profile_lister("nics")),
    ("init", "nic"): _Words(_make_profile_lister("nics")),
    ("init", "platform"): _Words(_make_profile_lister("platforms")),
    ("show", "device"): _Devices(),
    ("render", "device"): _Devices(),
    ("drift", "device"): _Devices(),
}


def set_completions(name: str, of: click.Command) -> None:
    """Give parameters of a command their words. Only while completing: it takes time that others need not spend."""
    for param in of.params:
        words = _KNOWN.get((name, param.name or ""))
        if words is not None:
            param.type = words
