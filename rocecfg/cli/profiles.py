"""`rocecfg profiles`."""

from __future__ import annotations

import click

from rocecfg.cli.common import stop
from rocecfg.data import data_path
from rocecfg.profiles import known

_KINDS = ("platforms", "asics", "nos", "nics", "workloads")


@click.command("profiles")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List the platforms, ASICs, operating systems and workloads known; NAME prints one, with its sources."""
    if name is None:
        for kind in _KINDS:
            click.echo(f"{kind}: {' '.join(known(kind))}")
        return
    for kind in _KINDS:
        if name in known(kind):
            with open(data_path("profiles", kind, f"{name}.yaml"), encoding="utf-8") as stream:
                click.echo(stream.read(), nl=False)
            return
    stop(f"there is no profile {name!r}; `rocecfg profiles` lists them")
