"""The command line as a page: what `--help` prints of every command, apart from the width of anybody's terminal."""

from __future__ import annotations

from inspect import cleandoc

import click


def make_page(group: click.Group) -> str:
    """Every command of a group with its arguments and options."""
    ctx = click.Context(group, info_name="rocecfg")
    lines = []
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        if command is None:
            continue
        lines += [f"## rocecfg {name}", "", "```", _make_usage(name, command), "```", ""]
        lines += _unwrap_prose(command.help or "")
        options = [param for param in command.params if isinstance(param, click.Option) and not param.hidden]
        if options:
            lines += ["| option | does |", "|---|---|", *map(_make_row, options), ""]
    return "\n".join(lines).rstrip() + "\n"


def _make_usage(name: str, command: click.Command) -> str:
    words = ["rocecfg", name, "[OPTIONS]"]
    for param in command.params:
        if isinstance(param, click.Argument):
            word = (param.metavar or _list_choices(param) or (param.name or "").upper()).strip("[]")
            word += "…" if param.nargs == -1 else ""
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


def _make_row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag else f" `{option.metavar or _list_choices(option) or option.type.name.upper()}`"
    description = " ".join((option.help or "").split())
    if option.show_default and option.default is not None:
        description = "; ".join(filter(None, (description, f"default: {option.default}")))
    cells = (cell.replace("|", "\\|") for cell in (f"{names}{value}", description))
    return f"| {' | '.join(cells)} |"
