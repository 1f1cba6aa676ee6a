"""`rocecfg schema`."""

from __future__ import annotations

import json

import click

from rocecfg.intent.schema import json_schema


@click.command("schema")
def command() -> None:
    """Print the JSON Schema (2020-12) of the intent, for editors."""
    click.echo(json.dumps(json_schema(), indent=1, ensure_ascii=False))
