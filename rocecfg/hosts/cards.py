"""The NICs that are known: which driver they have, and what sets them."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple


class Card(NamedTuple):
    """A family of NICs."""

    template: str  # of the script
    driver: str  # of its Ethernet ports
    kubernetes: bool  # whether NVIDIA's operator sets them


MLX5 = Card("mlx5.sh.j2", "mlx5_core", kubernetes=True)
BNXT = Card("bnxt.sh.j2", "bnxt_en", kubernetes=False)
_BY_NAME = {"connectx-": MLX5, "bluefield-": MLX5, "thor": BNXT}

# PCI device IDs of vendor 15b3, as the PCI ID repository has them; where a name stands for several, none is here
PCI_TYPES = {
    "connectx-6": "101b",
    "connectx-6-dx": "101d",
    "connectx-7": "1021",
    "connectx-8": "1023",
    "bluefield-3": "a2dc",
}


def card(nic: str) -> Card | None:
    """The family of a NIC by the name of its profile; None where its tools are not known."""
    return next((found for begin, found in _BY_NAME.items() if nic.startswith(begin)), None)
