"""The smallest change that makes a switch's config_db.json what is meant: rows that differ, and no others."""

from __future__ import annotations

import json
from copy import deepcopy

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.mending import Change, Step, Wanted
from rocecfg.vendors.sonic.change.settings import Rows
from rocecfg.vendors.sonic.change.steps import Switch, steps
from rocecfg.vendors.sonic.change.tables import in_their_names, tables_in, text_with
from rocecfg.vendors.sonic.looked_up import is_traditional, length_of, stale
from rocecfg.vendors.sonic.patch import Made
from rocecfg.vendors.sonic.release import release_of

_SEVERAL = "the file is of a switch with several ASICs: which of them a row belongs to is not worked out"


def changes(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`.

    The rows that `config apply-patch` takes are a patch, in the order in which they are made; what its gate refuses of
    this release and HwSKU is written to CONFIG_DB directly, as `config load` does.
    """
    config = tables_in(running)
    if config is None:
        return Change((), running.text, (_SEVERAL,))
    meant = in_their_names(json.loads(meant_text), config)
    mtus = {name: group.mtu for group in device.ports for name in group.names}
    rows = Rows(meant, deepcopy(config), mtus, looked_up=is_traditional(config, device))
    for port, settings in wanted.items():
        for what in sorted(settings, key=lambda w: (w.topic, w.number or 0, w.part)):
            rows.mend(port, what)
    switch = Switch(release_of(device), device, config, frozenset(meant.get("BUFFER_PG", {})))
    return Change(steps(switch, rows.target), text_with(running, rows.target), tuple(rows.beyond))


def finish(made: Made, device: Device, body: str) -> tuple[Step, ...]:
    """What is left to do after a patch, in order: rows that overlap, and ports whose length is not looked up yet.

    `body`: the rendering, whose rows of BUFFER_PG the switch does not make by itself.
    """
    rendered = json.loads(body)
    own, release = rendered.get("BUFFER_PG", {}), release_of(device)
    target = deepcopy(made.target)
    for key, profile in stale(made.target) if is_traditional(made.after, device) else ():
        port = key.rpartition("|")[0]
        acts = release.cable_acts and length_of(made.before, port) != length_of(made.after, port)
        if key not in own and port in rendered.get("PORT_QOS_MAP", {}) and not acts:
            target["BUFFER_PG"][key] = {"profile": profile}
    return steps(Switch(release, device, made.after, frozenset(own)), target)


__all__ = ["changes", "finish"]
