"""Complete SONiC switches that run what an intent means, with the stock rows that every box has beside it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from drift_cases import WHOLE
from intents import POLICY

from rocecfg.drift.run import Drift, find_drift
from rocecfg.intent import Loaded, load
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources

Config = dict[str, Any]

_HEAD = POLICY.replace("{name: lab}", "{name: lab, kind: backend, mtu: 9000}")
_PORTS = 'devices:\n  leaf01: {{role: leaf, ports: {{"Ethernet[0-8/8]": {{faces: host, speed: 400G, cable: 5m{}}}}}}}\n'
_SIZES = ", pfc: {headroom: {size: 200KB, xoff: 180KB, xon: 20KB}}"
_SPECTRUM = 'defaults: {vendor: sonic, platform: nvidia-sn4700, version: "202505"}\n'
INTENTS = {  # how headroom comes about
    "computed": f"{_HEAD}{_SPECTRUM}buffers: {{model: dynamic, alpha: 1, oversubscribe: 2}}\n{_PORTS.format('')}",
    "sized": f"{_HEAD}{_SPECTRUM}buffers: {{model: dynamic, alpha: 1, shared_headroom: 4MB, "
    f"pools: {{lossless: 70%, lossy: 20%}}}}\n{_PORTS.format(_SIZES)}",
    "looked up": f'{_HEAD}defaults: {{vendor: sonic, platform: arista-7060x6-64pe, version: "202511"}}\n'
    f"buffers: {{model: traditional}}\n{_PORTS.format('')}",
    "traditional": f'{_HEAD}defaults: {{vendor: sonic, platform: arista-7060x6-64pe, version: "202505"}}\n'
    f"buffers: {{model: traditional, alpha: 1}}\n{_PORTS.format(_SIZES)}",
}
_OTHERWISE = {  # a second map of each kind, which no port binds: RDMA's entry leads elsewhere
    "DSCP_TO_TC_MAP": {"26": "1"},
    "TC_TO_QUEUE_MAP": {"3": "1"},
    "TC_TO_PRIORITY_GROUP_MAP": {"3": "0"},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"3": "4"},
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"3": "4"},
}


@cache
def _made(name: str, folder: Path) -> tuple[Loaded, Sources, str]:
    (folder / "fabric.yaml").write_text(INTENTS[name], encoding="utf-8")
    sources = Sources()
    loaded = load(str(folder / "fabric.yaml"), sources)
    assert loaded.fabric is not None
    (file,) = render_files(loaded.fabric, "sonic")
    device = loaded.fabric.devices[0]
    config = json.loads(WHOLE["sonic"]("leaf01", device, file.text))
    model = "traditional" if "model: traditional" in INTENTS[name] else "dynamic"
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = model
    return loaded, sources, json.dumps(_with_stock_rows(config))


def _with_stock_rows(config: Config) -> Config:
    pools, profiles = config.setdefault("BUFFER_POOL", {}), config.setdefault("BUFFER_PROFILE", {})
    pools.setdefault("ingress_lossless_pool", {"type": "ingress", "mode": "dynamic"})
    pools["egress_lossless_pool"] = {"type": "egress", "mode": "dynamic", "size": "60817392"}
    pools.setdefault("egress_lossy_pool", {"type": "egress", "mode": "dynamic", "size": "60817392"})
    profiles["egress_lossless_profile"] = {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"}
    profiles["egress_lossy_profile"] = {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "3"}
    static = {"pool": "ingress_lossless_pool", "size": "9728", "xon": "9728", "xoff": "90000", "dynamic_th": "0"}
    profiles["static_lossless"] = static
    lossless, lossy = {"profile": "egress_lossless_profile"}, {"profile": "egress_lossy_profile"}
    config["BUFFER_QUEUE"] = {
        f"{port}|{queues}": dict(lossless if queues == "3" else lossy)
        for port in config["PORT"]
        for queues in ("0-2", "3", "4-7")
    }
    for table, entries in _OTHERWISE.items():
        if table in config:
            config[table]["OTHER"] = {**config[table]["AZURE"], **entries}
    return config


class Case:
    """One switch, and the intent that it runs."""

    def __init__(self, name: str, folder: Path) -> None:
        self.loaded, self.sources, self._text = _made(name, folder)
        self.path = folder / "leaf01.json"

    def config(self) -> Config:
        """What it runs, to be changed."""
        config: Config = json.loads(self._text)
        return config

    def against(self, config: Config | str) -> Drift:
        """The intent against what the switch runs."""
        text = config if isinstance(config, str) else json.dumps(config, indent=1)
        self.path.write_text(text, encoding="utf-8")
        sources = Sources()
        sources.documents = list(self.sources.documents)  # what is added stays out of the next run
        return find_drift([self.loaded], [str(self.path)], sources)
