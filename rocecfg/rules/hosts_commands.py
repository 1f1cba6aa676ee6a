"""What to type on a Linux host to set a NIC, by card; for a card whose tools are not known, what to set.

Sources, form by form, are in `tests/hosts/test_host_commands.py`: a form that is not there fails that test.
"""

from __future__ import annotations

import re

from rocecfg.analysis.hosts import HostNics

MLX5, BNXT, ICE, IONIC = "mlx5", "bnxt", "ice", "ionic"  # drivers
_DRIVER_OF = (
    (re.compile(r"connectx-?[4-9]|bluefield"), MLX5),
    (re.compile(r"thor|bcm57"), BNXT),
    (re.compile(r"e810"), ICE),
    (re.compile(r"pollara"), IONIC),
)
_DCB = {  # what `dcb` of iproute2 needs with the driver
    BNXT: "with the driver's DCBX on the host",
    ICE: "after ethtool --set-priv-flags {device} fw-lldp-agent off, for ice refuses it before; each change stops "
    "the interface for a moment",
}


def driver_of(nics: HostNics | None) -> str | None:
    """The driver of a kind of NIC by its card's name; None where the intent does not say it, or it is another."""
    card = nics.value.get("nic") if nics is not None else None
    name = str(card.value).casefold() if card is not None else ""
    return next((driver for pattern, driver in _DRIVER_OF if pattern.search(name)), None)


def pfc_command(driver: str | None, wanted: tuple[int, ...], device: str = "DEVICE") -> str:
    """What leaves PFC on these priorities alone."""
    if driver == MLX5:
        return f"mlnx_qos -i {device} --pfc {format_pfc_list(wanted)}"
    if driver in _DCB:
        on = "".join(f" {priority}:on" for priority in wanted)
        return f"dcb pfc set dev {device} prio-pfc all:off{on}, {_DCB[driver].format(device=device)}"
    if driver == IONIC:
        on = "; ".join(f"nicctl update qos pfc --priority {p} --no-drop enable" for p in wanted)
        others = "--no-drop disable for each other priority that has it"
        return f"{on}; {others}" if on else f"nicctl update qos pfc --priority PRIORITY {others}"
    on = f"on for {','.join(map(str, wanted))} alone" if wanted else "off"
    return f"{on}, by the card's own tool"


def trust_command(driver: str | None, dscp: int | None, priority: int, device: str = "DEVICE") -> str:
    """What has a NIC sort packets by DSCP, where it sorts them by PCP; `dscp`: of RDMA, if one is known."""
    if driver == MLX5:
        return f"mlnx_qos -i {device} --trust dscp"
    if driver in _DCB:  # with an entry, the driver sorts by DSCP
        point = "DSCP" if dscp is None else str(dscp)
        return f"dcb app add dev {device} dscp-prio {point}:{priority}, {_DCB[driver].format(device=device)}"
    if driver == IONIC:
        mapped = f"; {map_command(driver, dscp, 0, priority)}" if dscp is not None else ""
        return f"nicctl update qos --classification-type DSCP{mapped}"
    return "by the card's own tool"


def map_command(driver: str | None, dscp: int, old: int, new: int, device: str = "DEVICE") -> str:
    """What puts a DSCP on another priority."""
    if driver == MLX5:
        return f"mlnx_qos -i {device} --dscp2prio set,{dscp},{new}"
    if driver in _DCB:
        moved = f"dcb app del dev {device} dscp-prio {dscp}:{old}; dcb app add dev {device} dscp-prio {dscp}:{new}, "
        lost = (  # it takes no second entry for a code point, so there is no other order
            f"; then dcb pfc show dev {device}, and PFC again if it is off: without an entry ice has none"
            if driver == ICE
            else ""
        )
        return moved + _DCB[driver].format(device=device) + lost
    if driver == IONIC:
        return f"nicctl update qos dscp-to-priority --dscp {dscp} --priority {new}"
    return f"put DSCP {dscp} on priority {new}, by the card's own tool"


def cable_command(driver: str | None, metres: int, pfc: tuple[int, ...], device: str = "DEVICE") -> str:
    """What tells a NIC the length of its cable; before mlnx-tools 24.04 a call without PFC turns PFC off."""
    if driver == MLX5:
        return f"mlnx_qos -i {device} --pfc {format_pfc_list(pfc)} --cable_len={metres}"
    return f"{metres} m, by the card's own tool if it has such a setting"


def lldp_off_command(driver: str | None, device: str = "DEVICE") -> str:
    """What turns off the LLDP agent of a NIC's firmware."""
    if driver == MLX5:
        return f"mlxconfig -d {device} set LLDP_NB_TX_MODE_P1=0 LLDP_NB_RX_MODE_P1=0 LLDP_NB_DCBX_P1=0, and a reset"
    if driver == ICE:
        return (
            f"ethtool --set-priv-flags {device} fw-lldp-agent off, which stops the interface for a moment and "
            f"leaves it without PFC: set PFC then, and look at dcb pfc show dev {device}"
        )
    return "by the card's own tool"


def format_pfc_list(numbers: tuple[int, ...]) -> str:
    """Priorities as mlnx_qos and NVIDIA's operator want them: `0,0,0,1,0,0,0,0`."""
    return ",".join(str(int(p in numbers)) for p in range(8))
