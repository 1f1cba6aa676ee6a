"""What an intent means for a device, in the terms in which running configurations are read.

The device is rendered and the text is read back: so what its system or release cannot express, or rounds, is no drift.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.drift.uncompared import is_compared
from rocecfg.linting.rendering import render_device
from rocecfg.model import AUTO, Device, Fabric, PortGroup, Span
from rocecfg.model.catalogue import What
from rocecfg.model.stated import OFF
from rocecfg.model.switch import Chain, Port, Switch
from rocecfg.model.values import (
    KEEPS,
    LAG_MTU,
    OF_LINK,
    TRIMS_BY_PROFILE,
    Fact,
    Facts,
    Least,
    find_chain_queues,
    find_used_queues,
    of_device,
    of_port,
)
from rocecfg.sizing.templates import buffer_model
from rocecfg.source.document import Document, Sources
from rocecfg.vendors import part, row
from rocecfg.vendors.protocol import ImplyingReader

_MTU = What("mtu")
_MODEL = What("buffers", None, "model")
_MODE = What("load_balancing", None, "mode")
_UNSTATED = "unstated"  # how PFC frames go over MACsec
_TRIMMING, _TRIMMED = What("trimming"), What("trimmed")


class IntendedPort(NamedTuple):
    """Ports of one group of the intent that are rendered alike."""

    group: PortGroup
    facts: Facts
    used: frozenset[int] | None  # queues that carry something here, where ports of the switch differ in that


class IntendedDevice(NamedTuple):
    """What is intended for devices that are equal."""

    fabric: Fabric
    device: Device
    text: str  # as rendered
    switch: Switch  # as read back
    facts: Facts
    used: frozenset[int]  # queues that carry something
    ports: dict[str, IntendedPort]  # by name of the port, in the intent's order

    @property
    def sorts_by_port(self) -> bool:
        """Whether ports sort packets by several maps: then these are intended of each port, and not of the switch."""
        return any(port.used is not None for port in self.ports.values())


def read_intended_settings(
    fabric: Fabric, device: Device, sources: Sources, templates: str | None, *, rendered_alone: bool = False
) -> IntendedDevice:
    """What a device is to run. `templates`: the user's folder of templates, as for rendering. Raises CannotRender.

    `rendered_alone`: it is held against a rendered text, which has nothing of links but what its system has to name.
    """
    body = render_device(fabric, device, templates=templates).body
    document = Document(len(sources.documents), f"<rendered {device.key}>", body)
    sources.documents.append(document)
    switch = read_switches(document, device, rendered=True)[0]
    by_port = any(port.chain is not None for port in switch.ports)
    ports = _index_intended_ports(device, switch, by_port=by_port, rendered_alone=rendered_alone)
    facts = _find_switch_facts(device, switch, by_port=by_port)
    return IntendedDevice(fabric, device, body, switch, facts, find_used_queues(switch), ports)


def _index_intended_ports(
    device: Device, switch: Switch, *, by_port: bool, rendered_alone: bool
) -> dict[str, IntendedPort]:
    """What is intended for each port that is rendered. `by_port`: ports of the switch sort packets by several maps."""
    rendered = {name: port for port in switch.ports for name in port.names}
    known: dict[object, IntendedPort] = {}
    ports: dict[str, IntendedPort] = {}
    for number, group in enumerate(device.ports):
        for name in group.names:
            port = rendered.get(name) or rendered.get(group.lag or "")  # Junos: a LAG is rendered for its members
            if port is None:
                continue
            chain = (port.chain or switch.chain) if by_port else None
            facts = _find_port_facts(device, group, switch, port, chain)
            link = _state_link(device, group, port.at)
            speeds = device.nos is not None and bool(device.nos.port_speeds)
            facts |= {w: f for w, f in link.items() if not rendered_alone or (w.topic == "speed" and speeds)}
            used = find_chain_queues(switch, chain, port.pfc) if chain is not None else None
            key = (number, tuple((what, fact.value) for what, fact in facts.items()))
            ports[name] = known.setdefault(key, IntendedPort(group, facts, used))
    return ports


def _find_port_facts(device: Device, group: PortGroup, switch: Switch, port: Port, chain: Chain | None) -> Facts:
    """What is intended for a port as it is rendered. `chain`: the maps that it sorts by; None: those of the switch."""
    facts = of_port(port, switch if chain is not None else None)
    facts = {what: fact for what, fact in facts.items() if what.topic not in OF_LINK}
    facts = _add_implied_facts(device, group, facts, port.at)
    of_lag = group.lag is not None and device.nos is not None and device.nos.lag_mtu
    if group.mtu is not None and _MTU not in facts and not of_lag:
        # Not rendered: a switch may keep its own, larger one (SONiC 9100, Cumulus Linux 9216).
        facts[_MTU] = Fact(Least(group.mtu), port.at)
    return facts


def _find_switch_facts(device: Device, switch: Switch, *, by_port: bool) -> Facts:
    """What is intended for the switch as a whole."""
    facts = of_device(switch, sorts=not by_port)
    model = buffer_model(device)
    if model is not None and device.nos is not None and device.nos.buffer_models:
        facts[_MODEL] = Fact(model, switch.at)
    return facts | _facts_of_disabled(device, switch)


def _facts_of_disabled(device: Device, switch: Switch) -> Facts:
    """What is intended to be off, and is so where nothing is rendered of it."""
    out: Facts = {}
    balancing = device.load_balancing
    if balancing is not None and balancing.mode == "ecmp":
        out[_MODE] = Fact(balancing.mode, switch.at)
    if device.trimming is None and "trimming" in device.origins and switch.running.kind not in TRIMS_BY_PROFILE:
        out[_TRIMMING] = Fact(OFF, switch.at)
    return out


def _find_trimmed_queues(device: Device, group: PortGroup) -> tuple[int, ...] | None:
    """The queues of a port whose packets are intended to be trimmed; None: nobody states whose."""
    trimming = device.trimming
    if trimming is None:
        return () if "trimming" in device.origins else None
    if not trimming.classes:
        return None
    return tuple(sorted({cls.queue for cls in device.classes_on(group) if cls.name in trimming.classes}))


def _add_implied_facts(device: Device, group: PortGroup, facts: Facts, at: Span) -> Facts:
    """With what is intended for a port and not rendered: its headroom where that is looked up, lossless queues.

    These have a lossless profile, and the numbers of their priorities, or the device is not rendered. Which of it its
    system has is its profile's to say. Headroom whose sizes are intended is compared by these, whoever made them.
    """
    nos = device.nos
    if nos is None:
        return facts
    trimmed = _find_trimmed_queues(device, group)
    out = {w: f for w, f in facts.items() if w.part != "computed" or w._replace(part="size") not in facts}
    if nos.by_priority:
        out |= {What("egress", queue): Fact(KEEPS, at) for queue in group.pfc}
        if buffer_model(device) == "traditional":
            looked_up = [n for n in group.pfc if What("group", n) not in facts]
            out |= {What("group", n, "computed"): Fact(value=True, at=at) for n in looked_up}
    if trimmed is not None:
        out[_TRIMMED] = Fact(trimmed, at)
    elif (told := out.get(_TRIMMED)) is not None and told.value == AUTO:  # the platform decides: nothing is meant
        out.pop(_TRIMMED, None)
    return out


def _state_link(device: Device, group: PortGroup, at: Span) -> Facts:
    """What is stated of ports and their cables, and rendered for none."""
    compared = (key for key in OF_LINK if is_compared(f"ports[].{key}", device))
    out = {What(key): Fact(value, at) for key in compared if (value := getattr(group, key)) not in (None, _UNSTATED)}
    if group.lag is not None and group.mtu is not None:
        out[LAG_MTU] = Fact(Least(group.mtu), at)
    return out


def restrict_to_pfc_ports(device: Device, switch: Switch) -> Device:
    """A policy, which names no ports, for a switch: it is held to those that have PFC."""
    ports = tuple(port for group in switch.ports if group.pfc for port in group.names)
    if not ports:
        return device
    return replace(
        device, ports=tuple(replace(g, names=ports, key=fold(ports), implied=False) for g in device.ports[:1])
    )


def read_switches(document: Document, device: Device, *, rendered: bool = False) -> list[Switch]:
    """The switches in a text, read as a configuration of a device. Raises SourceError for what cannot be read.

    `rendered`: it is what the device is to have, so ports of the device that it does not name are told nothing more.
    """
    reader = part(device.vendor or "", "reader")
    switches = reader.read(document, device.release)
    whole = all(switch.running.whole for switch in switches)
    if row(device.vendor or "").ports_implied:
        implying = cast("ImplyingReader", reader)
        names = tuple(name for group in device.ports for name in group.names) if rendered or whole else ()
        # what is rendered, and other parts, say nothing of LAGs, to which profiles of their ports are bound
        lags = (
            {name: g.lag for g in device.ports if g.lag is not None for name in g.names}
            if rendered or not whole
            else {}
        )
        if lags or not set(names) <= {name for switch in switches for port in switch.ports for name in port.names}:
            switches = implying.read(document, device.release, names, lags)
    return switches
