"""Pairs of what a switch runs and what is meant for it, the change between them, and what lint has against a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from hypothesis import strategies as st

from rocecfg.core.nodeset import fold
from rocecfg.drift.changes import DeviceFix, work_out_fix
from rocecfg.drift.files import RunningConfiguration
from rocecfg.drift.intended import IntendedDevice, read_intended_settings, read_switches
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.linting.judge import judge
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import Wanted
from rocecfg.vendors.running import fabric_of, read_drafts


def on_ports_of(
    draw: st.DrawFn, other: Device, box: Device, same: Callable[[PortGroup, PortGroup], PortGroup]
) -> Device:
    """What `other` is for the box and the ports of `box`: each of these is given the settings of one of its groups.

    `same`: a group of `other` with what no change of QoS sets, taken from the port's own group.
    """
    groups: dict[PortGroup, list[str]] = {}
    for group in box.ports:
        for name in group.names:
            chosen = draw(st.sampled_from(other.ports))
            groups.setdefault(replace(same(chosen, group), names=(), key=""), []).append(name)
    ports = tuple(replace(group, names=tuple(names), key=fold(names)) for group, names in groups.items())
    return replace(other, ports=ports, version=box.version, asic=box.asic, platform=box.platform)


class Case:
    """A device that is meant to be one thing, against texts that it runs."""

    def __init__(self, fabric: Fabric, device: Device, templates: str | None = None) -> None:
        """Rendered with own templates, if any. Raises CannotRender."""
        self.sources = Sources()
        self.device = device
        self.meant: Final[IntendedDevice] = read_intended_settings(fabric, device, self.sources, templates)

    def compared(self, text: str) -> Compared:
        """The outcome of a comparison."""
        document = self.sources.add("running", text)
        (switch,) = read_switches(document, self.device)
        parts = SwitchComparer().find_differing(self.meant, switch)
        found = RunningConfiguration(document, self.device.vendor or "", switch, self.device.names[0], alone=True)
        return Compared(self.device.names[0], self.meant, found, wanted_of(parts))

    def drift(self, text: str) -> Wanted:
        """What differs."""
        return self.compared(text).wanted

    def fixed(self, text: str) -> DeviceFix:
        """The change for what differs, as drift shows it."""
        return work_out_fix(self.compared(text))


Finding = tuple[str, str, str]  # severity, rule, and port; "" where a finding is about none


def findings(text: str, vendor: str) -> set[Finding]:
    """What lint has against a configuration."""
    sources = Sources()
    document = sources.add("running.txt", text)
    found, failed = judge(fabric_of("", [(document, read_drafts(document, vendor))], [], sources))
    assert not failed
    return {(each.severity, each.rule.name, port) for each in found for port in each.ports or ("",)}


def lines(fixed: DeviceFix) -> tuple[str, ...]:
    """All that is typed."""
    return tuple(line for step in fixed.change.steps for line in step.lines)


def turned(scope: Wanted) -> Any:
    """The same scope, its settings in another order: what is typed does not depend on it."""
    return {port: tuple(sorted(settings, key=repr, reverse=True)) for port, settings in scope.items()}
