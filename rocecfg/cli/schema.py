"""`rocecfg schema`."""

from __future__ import annotations

import json

import click

from rocecfg.cli.common import stop
from rocecfg.profiles import KINDS


@click.command("schema")
@click.option("--profile", "kind", type=click.Choice(list(KINDS)), help="schema of this kind of profile instead")
@click.option("--settings", is_flag=True, help="schema of rocecfg.toml instead")
def command(kind: str | None, settings: bool) -> None:
    """Print the JSON Schema (2020-12) of the intent, for editors."""
    if kind is not None and settings:
        stop("--profile and --settings are two schemas: ask for one")
    if settings:
        from rocecfg.config.schema import json_schema
    elif kind is not None:
        from rocecfg.profiles.schema import json_schema as of_profile

        _print_schema(of_profile(kind))
        return
    else:
        from rocecfg.intent.schema import json_schema
    _print_schema(json_schema())


def _print_schema(schema: object) -> None:
    click.echo(json.dumps(schema, indent=1, ensure_ascii=False))
