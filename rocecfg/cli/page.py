"""The command line as a page: what `--help` prints of every command, apart from the width of anybody's terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from inspect import cleandoc

import click

_NAME = re.compile(r"`-[^`]*`")
_SHARED = 2  # commands that have the same option: from so many on it is explained once


def make_page(group: click.Group, told: Mapping[str, str]) -> str:
    """Every command of a group with its arguments and options; those that many have stand once, ahead.

    `told`: commands whose help a page tells at length -> the link to it.
    """
    ctx = click.Context(group, info_name="rocecfg")
    commands = {name: of for name in group.list_commands(ctx) if (of := group.get_command(ctx, name))}
    rows = {name: dict(map(_make_row, _list_options(command))) for name, command in commands.items()}
    counted = Counter(item for of in rows.values() for item in of.items())
    shared = {option: does for (option, does), count in counted.items() if count >= _SHARED}
    lines = ["## Options of several commands", "", *_make_table(shared)]
    for name, command in commands.items():
        lines += [f"## rocecfg {name}", "", f"`{_make_usage(name, command)}`", ""]
        help_ = _unwrap_prose(command.help or "")
        lines += help_ if name not in told else [*_shorten(help_), f"More: {told[name]}.", ""]
        own = {option: does for option, does in rows[name].items() if shared.get(option) != does}
        lines += _make_table(own) if own else []
        others = ", ".join(word for option in rows[name] if option not in own for word in _NAME.findall(option))
        lines += [f"{'And' if own else 'Options:'} {others}.", ""] if others else []
    return "\n".join(lines).rstrip() + "\n"


def _list_options(command: click.Command) -> list[click.Option]:
    return [param for param in command.params if isinstance(param, click.Option) and not param.hidden]


def _make_table(rows: dict[str, str]) -> list[str]:
    return ["| option | does |", "|---|---|", *(f"| {option} | {does} |" for option, does in rows.items()), ""]


def _make_usage(name: str, command: click.Command) -> str:
    words = ["rocecfg", name, "[OPTIONS]"]
    for param in command.params:
        if isinstance(param, click.Argument):
            word = (param.metavar or _list_choices(param) or (param.name or "").upper()).strip("[]")
            word = word.rstrip(".…") + ("…" if param.nargs == -1 else "")
            words.append(word if param.required else f"[{word}]")
    return " ".join(words)


def _list_choices(param: click.Parameter) -> str:
    return "|".join(map(str, getattr(param.type, "choices", ())))  # click's Choice has them, and VendorChoice


def _unwrap_prose(text: str) -> list[str]:
    """The paragraphs of a docstring; those that click keeps as they are stay so."""
    out: list[str] = []
    for paragraph in cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            out += ["```", paragraph.removeprefix("\b").strip("\n"), "```", ""]
        else:
            out += [" ".join(paragraph.split()), ""]
    return out


def _shorten(lines: list[str]) -> list[str]:
    """The first paragraph of a help, and its exit codes."""
    return [*lines[:2], *(part for line in lines[2:] if line.startswith("Exit codes") for part in (line, ""))]


def _make_row(option: click.Option) -> tuple[str, str]:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" `{option.metavar or _list_choices(option) or option.type.name.upper()}`"
    description = " ".join((option.help or "").split())
    if option.show_default and option.default is not None:
        description = "; ".join(filter(None, (description, f"default: {option.default}")))
    return f"{names}{value}".replace("|", "\\|"), description.replace("|", "\\|")
