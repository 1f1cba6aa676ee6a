"""The values that the templates of the NIC end take: plain, and worked out, since templates do no arithmetic."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.units import show_number
from rocecfg.hosts.cards import PCI_TYPES, Card
from rocecfg.hosts.plan import Nics, Plan
from rocecfg.hosts.shares import Shares
from rocecfg.profiles import UnknownProfile
from rocecfg.profiles.library import Library
from rocecfg.rules.hosts import pfc_list
from rocecfg.vendors.base import CannotRender

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST = 50  # characters of a name: node labels in Kubernetes have 63
_US = 1000  # in a millisecond
_ACK_UNIT = 4.096e-3  # ms, of the ACK timeout 4.096 us * 2^n


def stem(key: str, label: str | None) -> str:
    """The name of the files of a group of hosts: its node set without brackets, `gpu01-32-roce`."""
    short = "".join(_SPELLED.get(c, c) for c in key)
    if len(short) > _LONGEST:
        short = f"{short[: _LONGEST - 5].rstrip('-_.')}-more"
    return f"{short}-{label}-roce" if label is not None else f"{short}-roce"


_SPELLED = {"[": "", "]": "", ",": "_", "/": "by", " ": ""}


def values(nics: Nics, host: Mapping[str, Any], card: Card, name: str) -> dict[str, object]:
    """What the templates take, of NIC ports that are set alike. Raises CannotRender."""
    plan = nics.plan
    shares = plan.shares if isinstance(plan.shares, Shares) else None
    timeout, retry = host.get("ib_timeout"), host.get("ib_retry")
    discover = nics.alone and nics.label is None and nics.ports is not None
    if not card.kubernetes:
        _refuse_bnxt(nics)
    return {
        "hosts": nics.key,
        "title": str(host["nic"].value),
        "label": nics.label,
        "where": nics.where,
        "name": name,
        "driver": card.driver,
        "ports": nics.ports,
        "discover": discover,
        "no_discovery": "not all NIC ports of these hosts carry RDMA alike" if nics.ports else "the intent lists none",
        "example": "[INTERFACE...]" if discover else "INTERFACE...",
        "notes": tuple(_notes(plan, host, card)),
        "pfc": pfc_list(plan.pfc),
        "pfc_on": plan.pfc,
        "trust": plan.trust,
        "rdma_priority": plan.rdma_priority,
        "rdma_dscp": plan.rdma_dscp,
        "rdma_share": plan.rdma_share,
        "tos": plan.tos,
        "ect": _ect(plan),
        "cnp": plan.cnp,
        "cnp_interval": None if plan.cnp_interval is None else max(1, round(plan.cnp_interval * _US)),
        "answering": plan.answering,
        "dcqcn": int(plan.dcqcn),
        "dcqcn_word": "true" if plan.dcqcn else "false",
        # fresh firmware answers on all priorities: without a place for it, on is what is there and off is not
        "unset_dcqcn": "say" if plan.dcqcn else "lack",
        "mode": 3 if plan.dcqcn else 1,
        "mode_words": "-m 3: PFC and congestion control" if plan.dcqcn else "-m 1: PFC alone",
        "dscp_map": plan.dscp_map,
        "shares": shares,
        "cable": plan.cable,
        "mtu": plan.mtu,
        "dcbx": plan.dcbx,
        "ib_timeout": timeout.value if timeout is not None else None,
        "timeout_words": _timeout(timeout.value) if timeout is not None else "",
        "ib_retry": retry.value if retry is not None else None,
        "node_label": name.removesuffix("-roce"),
        "resource": name.lower().replace("_", "-"),
        "nic_type": PCI_TYPES.get(str(host["nic"].value), "${NIC_TYPE}"),
        **_variables(nics, str(host["nic"].value)),
    }


def _variables(nics: Nics, nic: str) -> dict[str, object]:
    """What the Kubernetes resource leaves open, since no intent says it."""
    found = {"NUM_VFS": "NUM_VFS: virtual functions of each NIC, 0 for none."}
    if nic not in PCI_TYPES:
        found["NIC_TYPE"] = f"NIC_TYPE: PCI device ID, since several are sold as {nic} (lspci -nn -d 15b3:)."
    if nics.label is not None:
        found["PCI_ADDRESS"] = f"PCI_ADDRESS: of NIC port {nics.label} on these nodes, as 0000:03:00.0."
    return {"variables": " ".join(f"{word}=..." for word in found), "variable_words": tuple(found.values())}


def _ect(plan: Plan) -> str:
    bits = plan.tos - plan.rdma_dscp * 4
    if bits == 0:
        return ""
    return f" + {bits} (ECN bits)" if 0 < bits <= 3 else f", as the intent states it: that is DSCP {plan.tos >> 2}"


def _timeout(exponent: int) -> str:
    if exponent == 0:
        return "0: connections wait for an answer without end"
    return f"the ACK timeout, 4.096 us x 2^{exponent} = {_ACK_UNIT * (1 << exponent):.0f} ms"


def _notes(plan: Plan, host: Mapping[str, Any], card: Card) -> list[str]:
    """What is left as it is, and why."""
    out = []
    if card.kubernetes:
        if isinstance(plan.shares, str):
            out.append(f"ETS is left as it is: {plan.shares}.")
        if plan.cable is None:
            out.append("The cable length is left as it is: it is not known, or more than the 999 m that mlx5 takes.")
    else:
        out.append("Not set, since no documented command is known: cable length, receive buffer, DCQCN's parameters.")
        if plan.rdma_share is None:
            out.append("RDMA's share is bnxt_setupcc.sh's own, 50 %: the intent has none in whole percents below 100.")
        if plan.cnp_interval is not None:
            out.append("The interval between CNPs is left as it is: no command for it is known.")
    if plan.mtu is None:
        out.append("The MTU is left as it is: the intent states none.")
    if plan.dcbx and card.kubernetes:
        out.append("DCBX is left as it is: the switch offers its settings by it.")
    for word, what in (("buffer", "The receive buffer"), ("storm_prevention", "Storm prevention")):
        said = host.get(word)
        if said is not None:
            out.append(f"{what} is left as it is: {word} is compared, not set.")
    if card.kubernetes:
        fresh = _fresh(str(host["nic"].value))
        out.append(f"DCQCN's parameters are left as the card has them, but for what is set below.{fresh}")
    if plan.cable is not None and card.kubernetes:
        out.append(f"Cable length: {show_number(plan.cable)} m, by which the driver sizes the NIC's own headroom.")
    return out


def _fresh(nic: str) -> str:
    """What a card of that kind comes with, as its profile has it; empty where none is shipped."""
    try:
        found = Library().nic(nic)
    except UnknownProfile:
        return ""
    if not found.dcqcn:
        return ""
    return f" A fresh one has {', '.join(f'{word} {value}' for word, value in found.dcqcn.items())} ({found.file})."


def _refuse_bnxt(nics: Nics) -> None:
    """What bnxt_setupcc.sh cannot be told."""
    plan = nics.plan
    why = None
    if plan.trust != "dscp":
        why = "ports that trust pcp: it sets PFC by DSCP"
    elif plan.pfc != (plan.rdma_priority,):
        why = f"PFC on {plan.pfc or 'no priority'}: it has PFC on RDMA's priority alone"
    if why is not None:
        raise CannotRender(f"bnxt_setupcc.sh cannot set the NICs of {nics.key} to {why}", "set these NICs by hand")
