"""From the hosts of an intent to files: a script, a systemd unit, the environment of jobs, a Kubernetes resource."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rocecfg.analysis.balancing import find_reordering
from rocecfg.analysis.hosts import host_nics, stated_hosts
from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import dscp_of, show_number
from rocecfg.hosts.plan import NicPlan, Nics, Shares, plan_nics
from rocecfg.model import Fabric
from rocecfg.physics.watchdog import ack_timeout
from rocecfg.profiles import UnknownProfile
from rocecfg.profiles.library import Library
from rocecfg.rules.hosts_commands import format_pfc_list
from rocecfg.rules.hosts_gpu import VARIABLES
from rocecfg.vendors.base import CannotRender, File, RenderedText, fill_template, load_template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Form(NamedTuple):
    """A kind of file."""

    template: str  # "": the card's own
    suffix: str


FORMS = {
    "script": _Form("", ".sh"),
    "systemd": _Form("service.j2", ".service"),
    "env": _Form("env.j2", ".env"),
    "kubernetes": _Form("kubernetes.yaml.j2", ".k8s.yaml"),
}


def render_files(
    fabric: Fabric, *, form: str | None = None, templates: str | None = None, device: str | None = None
) -> Iterator[File]:
    """The files of each group of hosts that RDMA reaches, in the intent's order.

    `form` picks one kind of file; `device` one group: by its key, or by a host in it. Raises CannotRender.
    """
    if form is not None and form not in FORMS:
        raise CannotRender(f"host has no form {form!r}", f"--as takes {', '.join(FORMS)}")
    if not stated_hosts(fabric):
        raise CannotRender(
            "the intent lists no hosts",
            "add the section hosts: what NICs they have, and what they mark",
            (fabric.at(""),),
        )
    for nics in host_nics(fabric):
        if device is not None and device not in (nics.key, nics.hosts) and device not in name_set(nics.hosts):
            continue
        found = plan_nics(fabric, nics)
        if not found:
            continue  # no RDMA crosses their ports: there is nothing to set
        nic = nics.value.get("nic")
        if nic is None:
            raise CannotRender(
                f"{nics.key} names no NIC: its tools are unknown",
                "state nic, such as connectx-7",
                (nics.at,),
            )
        family = card_family(nic.value)
        if family is None:
            raise CannotRender(
                f"the tools of a NIC {nic.value} are unknown",
                "ConnectX, BlueField (mlx5) and Thor (bnxt) are",
                (nic.at,),
            )
        for alike in found:
            yield from _render_forms(fabric, alike, family, form, templates)


def _render_forms(fabric: Fabric, nics: Nics, family: Card, form: str | None, templates: str | None) -> Iterator[File]:
    name = file_stem(nics.of.hosts, nics.label or nics.of.nics)
    given = template_values(fabric, nics, family, name)
    for word, (template, suffix) in FORMS.items():
        if (form is not None and form != word) or (word == "kubernetes" and not family.kubernetes):
            continue
        if word == "env" and not nics.of.of_gpus:
            continue  # a job has one environment, and its libraries send on the GPUs' NICs
        file = template or family.template
        body = fill_template(partial(load_template, "host"), file, templates, **given)
        yield File(name + suffix, body, nics.of.key, "host", RenderedText(body, (), "# ", suffix))


# -- the values that templates take ------------------------------------------------------------------------------------


_LONGEST = 50  # characters of a name: node labels in Kubernetes have 63
_US = 1000  # in a millisecond


def file_stem(key: str, ports: str | None) -> str:
    """The name of the files of a group of hosts: its node set without brackets, `gpu01-32-roce`.

    `ports`: node set of the NIC ports that they are for, `gpu01-32-nic0-roce`; None: all.
    """
    short, part = (_spell_out(text) for text in (key, ports or ""))
    if len(short) > _LONGEST:
        short = f"{short[: _LONGEST - 5].rstrip('-_.')}-more"
    return f"{short}-{part}-roce" if part else f"{short}-roce"


def _spell_out(text: str) -> str:
    return "".join(_SPELLED.get(c, c) for c in text)


_SPELLED = {"[": "", "]": "", ",": "_", "/": "by", " ": ""}


def template_values(fabric: Fabric, nics: Nics, card: Card, name: str) -> dict[str, object]:
    """What the templates take, of NIC ports that are set alike. Raises CannotRender."""
    plan, host = nics.plan, nics.of.value
    label = nics.label or nics.of.nics
    shares = plan.shares if isinstance(plan.shares, Shares) else None
    timeout, retry = nics.of.host.get("ib_timeout"), nics.of.host.get("ib_retry")
    split = _splits_data(fabric, nics)
    discover = nics.alone and label is None and nics.ports is not None
    if not card.kubernetes:
        _refuse_bnxt(nics)
    return {
        "hosts": nics.of.hosts,
        "title": str(host["nic"].value),
        "label": label,
        "where": nics.where,
        "name": name,
        "driver": card.driver,
        "ports": nics.ports,
        "discover": discover,
        "no_discovery": ("the NIC ports of these hosts carry RDMA differently")
        if nics.ports
        else "the intent lists none",
        "example": "[INTERFACE...]" if discover else "INTERFACE...",
        "notes": (*_write_notes(plan, host, card), *_note_vlans(plan)),
        "pfc": format_pfc_list(plan.pfc),
        "pfc_on": plan.pfc,
        "trust": plan.trust,
        "rdma_priority": plan.rdma_priority,
        "rdma_dscp": plan.rdma_dscp,
        "rdma_share": plan.rdma_share,
        "tos": plan.tos,
        "ect": _describe_ect(plan),
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
        "adaptive": None if plan.adaptive is None else int(plan.adaptive),
        "nccl_adaptive": None if split is None else int(split),
        "marks": tuple(_mark_variables(nics)),
        "ib_timeout": timeout.value if timeout is not None else None,
        "timeout_words": _describe_timeout(timeout.value) if timeout is not None else "",
        "ib_retry": retry.value if retry is not None else None,
        # of the nodes, not of their NICs: a node has one value for it, and several such resources
        "node_label": file_stem(nics.of.hosts, None).removesuffix("-roce"),
        "resource": name.lower().replace("_", "-"),
        "nic_type": PCI_TYPES.get(str(host["nic"].value), "${NIC_TYPE}"),
        **_open_variables(nics, str(host["nic"].value)),
    }


def _mark_variables(nics: Nics) -> Iterator[tuple[str, int, str]]:
    """The variables by which libraries mark RDMA: name, byte, and what is to be said of it."""
    host = nics.of.host
    of_nccl = host.get("nccl_ib_tc")
    for key, name in VARIABLES.items():
        stated = host.get(key, of_nccl if key.startswith("nccl_") else None)
        byte = stated.value if stated is not None and (key in host or stated.value) else nics.plan.tos
        words = "" if byte == nics.plan.tos else f"as the intent states it: DSCP {dscp_of(byte)}"
        yield name, byte, words


def _splits_data(fabric: Fabric, nics: Nics) -> bool | None:
    """Whether NCCL is to send data apart from what completes it; None: as it does by itself.

    As stated of the host; else where packets overtake each other, and the NICs are stated to take them so.
    """
    stated = nics.of.host.get("nccl_ib_adaptive_routing")
    if stated is not None:
        split: bool = stated.value
        return split
    return True if nics.plan.adaptive and find_reordering(fabric) is not None else None


def _open_variables(nics: Nics, nic: str) -> dict[str, object]:
    """What the Kubernetes resource leaves open, since no intent says it."""
    found = {"NUM_VFS": "NUM_VFS: virtual functions per NIC, 0 for none."}
    if nic not in PCI_TYPES:
        found["NIC_TYPE"] = f"NIC_TYPE: PCI device ID, since several are sold as {nic} (lspci -nn -d 15b3:)."
    label = nics.label or nics.of.nics
    if label is not None and len(name_set(label)) > 1:
        found["PCI_ADDRESSES"] = (
            f'PCI_ADDRESSES: of NIC ports {label} on these nodes, as "0000:03:00.0", "0000:04:00.0" with the quotes.'
        )
    elif label is not None:
        found["PCI_ADDRESS"] = f"PCI_ADDRESS: of NIC port {label} on these nodes, as 0000:03:00.0."
    return {"variables": " ".join(f"{word}=..." for word in found), "variable_words": tuple(found.values())}


def _describe_ect(plan: NicPlan) -> str:
    bits = plan.tos - plan.rdma_dscp * 4
    if bits == 0:
        return ""
    return f" + {bits} (ECN bits)" if 0 < bits <= 3 else f", as the intent states it: that is DSCP {plan.tos >> 2}"


def _describe_timeout(exponent: int) -> str:
    if exponent == 0:
        return "0: connections wait for an answer forever"
    return f"the ACK timeout, 4.096 us x 2^{exponent} = {ack_timeout(exponent):.0f} ms"


def _note_vlans(plan: NicPlan) -> Iterator[str]:
    if plan.trust == "pcp":
        yield (
            f"VLANs are unchanged: RDMA has PCP {plan.rdma_priority} only in a VLAN whose egress map sets it (ip link "
            f"set VLAN type vlan egress-qos-map PRIORITY:{plan.rdma_priority})."
        )


def _write_notes(plan: NicPlan, host: Mapping[str, Any], card: Card) -> list[str]:
    """What is left as it is, and why."""
    out = []
    if card.kubernetes:
        if isinstance(plan.shares, str):
            out.append(f"ETS is unchanged: {plan.shares}.")
        if plan.cable is None:
            out.append("The cable length is unchanged: it is unknown, or above the 999 m that mlx5 accepts.")
    else:
        out.append("Not set (no documented command is known): cable length, receive buffer, DCQCN's parameters.")
        if plan.rdma_share is None:
            out.append(
                "RDMA's share is the default of bnxt_setupcc.sh, 50 %: the intent has none in whole percents below 100."
            )
        if plan.adaptive is not None:
            out.append("adaptive_routing is unchanged: no command for it is known.")
        if plan.cnp_interval is not None:
            out.append("The interval between CNPs is unchanged: no command for it is known.")
    if plan.mtu is None:
        out.append("The MTU is unchanged: the intent states none.")
    if plan.dcbx and card.kubernetes:
        out.append("DCBX is unchanged: the switch offers its settings through it.")
    for word, what in (("buffer", "The receive buffer"), ("storm_prevention", "Storm prevention")):
        value = host.get(word)
        if value is not None:
            out.append(f"{what} is unchanged: {word} is compared, not set.")
    if card.kubernetes:
        fresh = _describe_fresh_card(str(host["nic"].value))
        out.append(f"DCQCN's parameters keep the card's values, except those set below.{fresh}")
    if plan.cable is not None and card.kubernetes:
        out.append(f"Cable length: {show_number(plan.cable)} m; the driver sizes the NIC's headroom by it.")
    return out


def _describe_fresh_card(nic: str) -> str:
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
        why = f"PFC on {plan.pfc or 'no priority'}: it sets PFC only on RDMA's priority"
    if why is not None:
        raise CannotRender(f"bnxt_setupcc.sh cannot set the NICs of {nics.of.key} to {why}", "set these NICs by hand")


# -- cards -------------------------------------------------------------------------------------------------------------


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


def card_family(nic: str) -> Card | None:
    """The family of a NIC by the name of its profile; None where its tools are not known."""
    return next((found for begin, found in _BY_NAME.items() if nic.startswith(begin)), None)
