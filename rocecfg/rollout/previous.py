"""An older intent as what runs now: what it renders for each device, completed to a whole configuration and read back.

So the same comparison and the same changes serve as for the configurations of switches. What a switch runs beyond
that intent is not known, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from rocecfg.core.nodeset import fold_set
from rocecfg.drift.differences import Folding
from rocecfg.drift.files import RunningConfiguration
from rocecfg.drift.intended import IntendedDevice, read_intended_settings, read_switches
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.intent import Loaded
from rocecfg.model import Device, Fabric
from rocecfg.model.switch import Switch
from rocecfg.rollout.baseline import PlanBasis
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import part
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import Wanted


def compare_with_older(new: Loaded, old: Loaded, sources: Sources, *, templates: Mapping[str, str]) -> PlanBasis:
    """The basis that an older intent is. Both must have been read: `fabric` is not None."""
    return _OlderIntent(new, old, sources, templates).compare()


class _OlderIntent:
    def __init__(self, new: Loaded, old: Loaded, sources: Sources, templates: Mapping[str, str]) -> None:
        assert new.fabric is not None
        assert old.fabric is not None
        self.new, self.old = new.fabric, old.fabric
        self.root = old.root
        self.sources = sources
        self.templates = templates.get(new.root), templates.get(old.root)
        self.comparer = SwitchComparer()
        self.refused: dict[str, list[str]] = {}  # why, and the devices
        self.known: dict[Hashable, tuple[IntendedDevice, RunningConfiguration, Wanted] | str] = {}

    def compare(self) -> PlanBasis:
        before = _index_devices(self.old)
        after = _index_devices(self.new)
        folding = Folding({name: n for n, name in enumerate(after)})
        differing: list[Compared] = []
        same: list[str] = []
        counts: dict[str, int] = {}
        for name, device in after.items():
            was = before.get(name)
            if was is None:
                continue
            found = self._compare_device(name, was, device)
            if isinstance(found, str):
                self.refused.setdefault(found, []).append(name)
                continue
            means, running, wanted = found
            counts[name] = len(means.ports)
            if not wanted:
                same.append(name)
                continue
            differing.append(Compared(name, means, running._replace(name=name), wanted))
            for each in self.comparer.find_differing(means, running.switch):
                if each.ports is None:
                    folding.add_device(name, each.seen)
                else:
                    folding.add_ports(name, each.ports, each.seen, down=each.down)
        absent = tuple(name for name in after if name not in before)
        gone = tuple(name for name in before if name not in after)
        notes = ("unknown what else the switches run beyond the older intent: compare with --running before you begin",)
        return PlanBasis(
            self.root,
            differing,
            tuple(same),
            absent,
            gone,
            folding.fold(counts),
            notes,
            tuple(f"{fold_set(tuple(names))}: {why}" for why, names in self.refused.items()),
        )

    def _compare_device(
        self, name: str, was: Device, device: Device
    ) -> tuple[IntendedDevice, RunningConfiguration, Wanted] | str:
        """What is intended, what ran and what differs, or why that is not known.

        Worked out once for devices that are alike in both intents.
        """
        key = (was, device, *(tuple(port.names for port in each.ports) for each in (was, device)))
        if key not in self.known:
            self.known[key] = self._compare_anew(name, was, device)
        return self.known[key]

    def _compare_anew(
        self, name: str, was: Device, device: Device
    ) -> tuple[IntendedDevice, RunningConfiguration, Wanted] | str:
        if device.vendor is None:
            return "the intent names no vendor for it: give --vendor, or defaults: {vendor: ...}"
        if any(port.implied for each in (was, device) for port in each.ports):
            return "the intent names no ports for it, so port changes are unknown: name them, or give --running"
        if was.vendor != device.vendor:
            vendors = f"{was.vendor or 'no vendor'} to {device.vendor}"
            fix = "this is not a change of settings; reinstall the switch with the output of rocecfg render"
            return f"goes from {vendors}: {fix}"
        try:
            means = read_intended_settings(self.new, device, self.sources, self.templates[0], rendered_alone=True)
            text = self._render_whole(name, was, self.templates[1])
            document = Document(len(self.sources.documents), f"<rendered {name}>", text)
            self.sources.documents.append(document)
            switch: Switch = read_switches(document, device)[0]
        except (CannotRender, SourceError) as error:
            return str(error)
        found = RunningConfiguration(document, device.vendor, switch, name, alone=True)
        return means, found, wanted_of(self.comparer.find_differing(means, switch))

    def _render_whole(self, name: str, was: Device, templates: str | None) -> str:
        body = read_intended_settings(self.old, was, self.sources, templates).text
        return part(was.vendor or "", "rollout").complete_config(body, name, was)


def _index_devices(fabric: Fabric) -> dict[str, Device]:
    """Devices by name; a policy that names none goes by the fabric's."""
    return {name: device for device in fabric.devices for name in device.names or (fabric.name or "policy",)}
