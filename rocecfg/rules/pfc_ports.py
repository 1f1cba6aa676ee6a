"""PFC where its surroundings undo it: rules PFC110 to PFC114, on edge, VLANs, DCBX, MACsec and lossy fabrics."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, each_stated, host_nics
from rocecfg.model import Device, Fabric, Origin, PortGroup
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, format_priorities, is_management, join_words

_OUTSIDE = frozenset(("firewall", "load-balancer"))  # roles of boxes that are no part of a lossless fabric
_OUTWARD = frozenset(("wan", "dci", "border", "border-leaf"))  # roles of switches that lead out of it
_HOSTS = frozenset(("host", "storage"))


@rule(
    "PFC110",
    "pfc-edge",
    WARNING,
    source="Bai et al., NSDI'23, section 7.1: headroom for links that leave a site took switches with deep buffers",
    by_kind={"lossy": OFF, "semi-lossless": OFF},
    needs=("devices",),
)
def pfc_edge(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on a port that connects outside the fabric, to devices without headroom for pauses."""
    if not port.pfc or is_management(port):
        return
    here: tuple[Origin, ...]
    if port.faces == "edge":
        where, here = "the edge of the fabric", (port.at("classes"), port.at("faces"))
    elif _leads_out(device):
        where, here = f"a device with role {device.role}", (device.at("role"),)
    else:
        return
    classes = device.classes_on(port)
    lossless = [c.name for c in classes if c.lossless]
    lossy = [c.name for c in classes if not c.lossless]
    yield Hit(
        f"PFC is on for {format_priorities(port.pfc)} on ports of {where}: pauses reach devices that keep no "
        "headroom for them, and the pauses of those devices spread into the fabric",
        here,
        f"remove {join_words(lossless) if lossless else 'the lossless classes'} from the classes of these ports"
        + (f": classes: [{', '.join(lossy)}]" if lossy else ""),
    )


def _leads_out(device: Device) -> bool:
    """Whether the switch is there to leave the fabric: not one that has RDMA hosts, or the buffer for long links."""
    role = (device.role or "").casefold()
    if role in _OUTSIDE:
        return True
    if role not in _OUTWARD or (device.asic is not None and not device.asic.shallow):
        return False
    return not any(p.pfc and p.faces in _HOSTS for p in device.ports)


@rule(
    "PFC111",
    "pfc-vlan-l3",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 3: the 802.1p priority of a VLAN tag is not kept over a routed hop",
    by_kind=LOSSY_OFF,
    needs=("devices",),
)
def pfc_vlan_l3(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A switch receives lossless packets by 802.1p priority and routes them on, which loses the priority."""
    if port.trust != "pcp" or port.layer != 2 or not port.pfc or is_management(port):
        return  # on routed ports trust: pcp is mix-trust's
    for cls in device.classes_on(port):
        if not cls.lossless:
            continue
        routed = [
            p
            for p in device.ports
            if p.layer == 3 and cls.name in p.classes and p.pfc and p.at("trust") != port.at("trust")
        ]  # stated in one place for both, mix-trust's fix is the fix here
        if routed:
            yield Hit(
                f"class {cls.name} is classified by 802.1p priority {cls.priority} on switched ports, but routed "
                "ports of the same switch send it without a tag: the priority is lost, and PFC at the next hop "
                "does not protect it",
                (port.at("trust"),),
                "set trust: dscp, and have the senders mark DSCP",
                ((routed[0].at("layer"), "these ports are routed"),),
                cls=cls.name,
            )
            return


@rule(
    "PFC112",
    "pfc-dcbx",
    WARNING,
    source="IEEE 802.1Qaz: a willing port takes over the PFC setting of its peer; NICs come willing (NVIDIA mlnx_qos)",
    by_kind=LOSSY_OFF,
)
def pfc_dcbx(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The switch takes over PFC settings from its peers (DCBX willing), so its own may not apply."""
    if device.dcbx != "willing":
        return
    if device.nos is not None and not device.nos.takes("device.dcbx", "willing"):
        return  # nos-unsupported
    lossless = sorted({p for port in device.ports if not is_management(port) for p in port.pfc})
    if lossless:
        yield Hit(
            f"{'DCBX is willing' if fabric.running else 'dcbx: willing'} on a switch with PFC on priority "
            f"{', '.join(map(str, lossless))}: the switch takes over the PFC setting of its peer; if the peer is "
            "willing too (the default of NICs), PFC stays off without a warning",
            (device.at("dcbx"),),
            "set dcbx: on, so that the switch sends its PFC setting to its peers, or dcbx: off with PFC configured "
            "at both ends",
        )


@rule(
    "PFC113",
    "pfc-macsec",
    WARNING,
    source="Bai et al., NSDI'23, section 8.3: switches differ in whether MACsec encrypts PFC frames",
    by_kind=LOSSY_OFF,
    needs=("devices",),
)
def pfc_macsec(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """MACsec on a port with PFC, and nothing states whether PFC frames are encrypted."""
    if port.macsec != "unstated" or not port.pfc or is_management(port):
        return
    yield Hit(
        f"ports have MACsec and PFC on {format_priorities(port.pfc)}, but nothing states whether PFC frames are "
        "encrypted: switches differ, and an end that expects the other form drops every pause",
        (port.at("macsec"),),
        "set both ends the same way, and state it: macsec: {pfc_frames: clear} or {pfc_frames: encrypted}",
    )


@rule(
    "PFC114",
    "pfc-lossy-cc-only",
    INFO,
    worst=WARNING,
    source="NVIDIA Cumulus Linux, RoCE: lossy mode has ECN and no PFC; NICs with go-back-N resend a window for a loss",
    needs=("hosts",),
)
def pfc_lossy_cc_only(fabric: Fabric) -> Iterator[Hit]:
    """A lossy fabric whose NICs are not known to retransmit single packets."""
    if fabric.mode != "lossy" or not any(device.rdma for device in fabric.devices):
        return
    first = FirstKind()
    lossy = dict.fromkeys(cls.name for device in fabric.devices for cls in device.rdma if not cls.lossless)
    also = f" and lossless: true on class {join_words(lossy)}" if lossy else ""
    for nics, repeat in each_stated(fabric, "selective_repeat"):
        if repeat.value is False and first.takes(repeat.at, nics):
            yield Hit(
                f"fabric.mode is lossy, but the NICs of {nics.key} have no selective repeat: for each lost packet "
                "they resend the whole window",
                (repeat.at,),
                f"turn selective repeat on (or use NICs that have it), or set fabric.mode: lossless{also}",
                ((fabric.at("mode"), "the fabric drops RDMA under congestion"),),
                severity=WARNING,
            )
    unknown = [nics.key for nics in host_nics(fabric) if "selective_repeat" not in nics.value]
    if unknown:
        yield Hit(
            f"fabric.mode is lossy, but the intent does not state that the NICs of {join_words(unknown)} have "
            "selective repeat: without it they resend the whole window for each lost packet",
            (fabric.at("mode"),),
            "state selective_repeat: true in hosts once it is on",
        )


RULES: tuple[Rule, ...] = (
    pfc_edge,
    pfc_vlan_l3,
    pfc_dcbx,
    pfc_macsec,
    pfc_lossy_cc_only,
)
