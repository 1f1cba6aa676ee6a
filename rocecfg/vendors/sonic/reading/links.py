"""What a port is part of and leads to: LAGs, VLANs, addresses, neighbours."""

from __future__ import annotations

from rocecfg.model import Span
from rocecfg.model.stated import Section, Val
from rocecfg.model.switch import Neighbour
from rocecfg.vendors.sonic.reading.context import Context
from rocecfg.vendors.sonic.reading.rows import parse_number, shorten

_LAG = "PortChannel"
_STOCK_MTU = 9100  # of a LAG that states none: DEFAULT_MTU_STR of sonic-swss cfgmgr/teammgr.cpp
_KEYS = ("lag", "layer", "faces")


class Links:
    """The tables on links of a switch."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._lags: dict[str, tuple[str, Span]] = {}
        self._layers: dict[str, tuple[int, Span]] = {}
        self._faces: dict[str, tuple[str, Span]] = {}
        for key, row in ctx.table("PORTCHANNEL_MEMBER").items():
            lag, _, port = key.partition("|")
            if lag.startswith(_LAG) and port:
                self._lags[port] = shorten(lag), row.at
        for table, layer in (("VLAN_MEMBER", 2), ("PORTCHANNEL_INTERFACE", 3), ("INTERFACE", 3)):
            for key, row in ctx.table(table).items():
                first, _, second = key.partition("|")
                self._layers[second if layer == 2 else first] = layer, row.at
        kinds = {name: row.get("type") or "" for name, row in ctx.table("DEVICE_NEIGHBOR_METADATA").items()}
        for port, row in ctx.table("DEVICE_NEIGHBOR").items():
            kind = kinds.get(row.get("name") or "", "")
            faces = "host" if kind.lower() == "server" else "switch" if kind.endswith("Router") else None
            if faces is not None:
                self._faces[port] = faces, row.at

    def signature(self, port: str) -> tuple[str | int | None, ...]:
        """What the tables say of a port: equal for ports of which they say the same."""
        return tuple([given[0] if given is not None else None for given in self._find_links(port)])

    def read_section(self, port: str) -> Section:
        """What the intent has of it: lag, layer, faces."""
        return {key: Val(*given) for key, given in zip(_KEYS, self._find_links(port), strict=True) if given is not None}

    def find_lag_mtu(self, lag: str) -> tuple[int, Span] | None:
        """The MTU of a LAG, which teammgrd gives its ports; None where a part of a configuration leaves it open."""
        row = self._ctx.row("PORTCHANNEL", lag)
        if row is None:
            return None
        mtu = parse_number(row.get("mtu"))
        if mtu is None:
            return (_STOCK_MTU, row.at) if self._ctx.whole and "mtu" not in row.cells else None
        return mtu, row.locate("mtu")

    def _find_links(self, port: str) -> tuple[tuple[str | int, Span] | None, ...]:
        lag = self._lags.get(port)
        layer = self._layers.get(port) or (self._layers.get(lag[0]) if lag is not None else None)
        return lag, layer, self._faces.get(port)


def list_neighbours(ctx: Context) -> tuple[Neighbour, ...]:
    """The far ends that DEVICE_NEIGHBOR tells."""
    return tuple(
        Neighbour(port, name, row.get("port"), row.at)
        for port, row in ctx.table("DEVICE_NEIGHBOR").items()
        if (name := row.get("name"))
    )
