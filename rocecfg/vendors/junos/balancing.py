"""Load balancing: what `enhanced-hash-key` hashes, and what its `ecmp-dlb` spreads over equal paths.

Junos hashes addresses, protocol and ports unless they are taken out one by one, of IPv4 and of IPv6 (Juniper,
enhanced-hash-key of QFX5000; Juniper/yang, junos-qfx). Where a switch can, the queue pair of RDMA is hashed besides,
without a statement for it (Juniper, queue-pair hashing for RDMA flows).
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device

PATH = ("forwarding-options", "enhanced-hash-key", "ecmp-dlb")
HASH = PATH[:2]
MODE = ("hash-mode", "layer2-payload")  # the default: it says that fields of IP are hashed
EXCLUDED = {  # by field of an intent, what takes it out for IPv4 and for IPv6
    "src-ip": ("no-ipv4-source-address", "no-ipv6-source-address"),
    "dst-ip": ("no-ipv4-destination-address", "no-ipv6-destination-address"),
    "protocol": ("no-protocol", "no-next-header"),
    "src-port": ("no-l4-source-port", "no-l4-source-port"),
    "dst-port": ("no-l4-destination-port", "no-l4-destination-port"),
}
FAMILIES = ("inet", "inet6")
KINDS = {"flowlet": "flowlet", "per-packet": "adaptive"}  # statements, and the mode of an intent that each is
OTHERS = ("assigned-flow",)  # that exclude these, and are no mode of an intent
INTERVAL = (
    128  # us without a packet, after which what follows may take another path: Juniper's validated design, QFX5240
)


class Balanced(NamedTuple):
    """What is said below `enhanced-hash-key`."""

    dlb: tuple[str, ...]  # statements below `ecmp-dlb`; (): a hash alone, which is what Junos does by itself
    hashed: bool  # what is hashed is stated
    excluded: tuple[tuple[str, tuple[str, ...]], ...]  # by family, the fields that are taken out


def balanced_of(device: Device) -> Balanced | None:
    """What a device is told; None: nothing."""
    stated = device.load_balancing
    if stated is None:
        return None
    dlb = {"flowlet": (f"flowlet inactivity-interval {INTERVAL}",), "adaptive": ("per-packet",)}
    out = [words for field, words in EXCLUDED.items() if stated.hash and field not in stated.hash]
    excluded = tuple((family, tuple(words[n] for words in out)) for n, family in enumerate(FAMILIES) if out)
    found = Balanced(dlb.get(stated.mode or "", ()), bool(stated.hash), excluded)
    return found if found.dlb or found.hashed else None
