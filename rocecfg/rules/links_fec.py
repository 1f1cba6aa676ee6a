"""Forward error correction: what speeds cannot do without. Rule LNK930."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_rate
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.rules.base import ERROR, Hit, Rule, rule

# as systems spell them: SONiC, NVUE and EOS
FEC = {"rs": "rs", "fc": "fc", "baser": "fc", "fire-code": "fc", "none": "none", "off": "none", "disabled": "none"}
_NEEDS_RS = 200 * 10**9  # bit/s: lanes of such ports are PAM4


@rule(
    "LNK930",
    "link-fec",
    ERROR,
    source="IEEE 802.3 clauses 119 and 172: RS(544,514) is part of 200G to 800G; sonic-buildimage issue 23561",
)
def link_fec(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A port of 200G or more without Reed-Solomon error correction: its link does not come up."""
    kind = FEC.get((port.fec or "").lower())
    if port.speed is None or port.speed < _NEEDS_RS or kind not in ("none", "fc"):
        return
    yield Hit(
        f"fec is {port.fec} on a {show_rate(port.speed)} port: links of 200G and more run with Reed-Solomon error "
        "correction alone, and the other end expects it, so the link stays down",
        (port.at("fec"), port.at()),
        "fec: rs, or leave it out",
        ((port.at("speed"), "the speed"),),
    )


RULES: tuple[Rule, ...] = (link_fec,)
