"""What fixes each device: the smallest change in its vendor's terms, proven by reading what it leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import cast

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.drift.coverage import Uncovered
from rocecfg.drift.files import RunningConfiguration
from rocecfg.drift.intended import read_intended_settings, read_switches, restrict_to_pfc_ports
from rocecfg.drift.labels import label_settings
from rocecfg.drift.match import NO_PORT, SwitchComparer, wanted_of
from rocecfg.drift.notes import note_kept_headroom
from rocecfg.drift.run import Compared, Drift
from rocecfg.model import Device, Fabric
from rocecfg.model.catalogue import What
from rocecfg.model.switch import Switch
from rocecfg.model.values import LAG_MTU, OF_LINK
from rocecfg.source.document import Document, Sources
from rocecfg.vendors import part, row
from rocecfg.vendors.base import CannotRender, RenderedText
from rocecfg.vendors.changes import Change, Step, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.vendors.protocol import PatchWriter

_MOST = 4  # rounds: a change of one setting may show another, as a profile shared with other ports does


_NO_PORT = "not configured for traffic: no QoS setting fixes that, but breakouts, LAGs, VLANs and addresses do"


_SEVERAL = "its file holds several switches: give it a file of its own to get the change"


class SharedFix(NamedTuple):
    """What fixes devices that need the same."""

    devices: tuple[str, ...]
    steps: tuple[Step, ...]
    beyond: tuple[str, ...]  # what it does not fix, and why
    left: int  # settings that differ even then
    unknown: tuple[str, ...] = ()  # settings that a change would have to touch; then none is given
    fix: str = ""  # how these become known


class DeviceFix(NamedTuple):
    """What fixes one device, and what it then runs."""

    change: Change
    after: Switch | None  # None: it could not be read
    left: Wanted  # what differs even then
    unknown: tuple[str, ...] = ()  # settings that it would have to touch: it is not to be shown
    fix: str = ""  # how these become known


def fix_devices(drift: Drift) -> dict[str, DeviceFix]:
    """What fixes each device that differs, by name."""
    return {one.name: work_out_fix(one) for one in drift.differing}


def group_fixes(changed: Mapping[str, DeviceFix]) -> list[SharedFix]:
    """Devices that the same change fixes, together."""
    alike: dict[Hashable, tuple[SharedFix, list[str]]] = {}
    for name, (change, _, left, unknown, remedy) in changed.items():
        found = SharedFix((), change.steps, change.beyond, sum(map(len, left.values())), unknown, remedy)
        if unknown:  # half a change, or one on top of what nobody understood
            found = SharedFix((), (), (), 0, unknown, remedy)
        alike.setdefault(repr(found), (found, []))[1].append(name)
    return [found._replace(devices=tuple(names)) for found, names in alike.values()]


def work_out_fix(one: Compared, *, patched: bool = False) -> DeviceFix:
    """The change for what differs, widened until what it leads to is what is intended.

    `patched`: on ports that are down too, and with the counters that are polled, as `render --as patch` has it.
    """
    if not one.found.alone:
        return DeviceFix(Change((), "", (_SEVERAL,)), None, one.wanted)
    module = part(one.found.vendor, "change")
    more_than_settings = {"polled": True} if patched else {}
    wanted, missing = _drop_missing_ports(_order_ports(one, one.wanted))
    for _ in range(_MOST):
        change = module.plan_change(one.meant.text, one.found.document, wanted, one.meant.device, **more_than_settings)
        after = _read_changed(one, change.after)
        find_differing = SwitchComparer().find_differing(one.meant, after) if after is not None else None
        left, _ = _drop_missing_ports(wanted_of(find_differing, down=patched) if find_differing is not None else wanted)
        more = _merge_wanted(wanted, left)
        if not left or more == wanted:
            break
        wanted = _order_ports(one, more)
    if after is not None:
        change = change._replace(beyond=(*change.beyond, *note_kept_headroom(one.meant, after, one.found.switch)))
    if missing:
        change = change._replace(beyond=(f"{fold(missing)}: {_NO_PORT}", *change.beyond))
    return DeviceFix(change, after, left, *find_unknown_settings(one))


def find_unknown_settings(one: Compared) -> tuple[tuple[str, ...], str]:
    """The settings that a change of a device would have to touch and that are not known; and how they become so.

    Of a part of a configuration all that it does not say: each may have to follow what the change moves. Of a whole
    one what statements that were not understood share with what is to be fixed.
    """
    if one.found.switch.running.whole:
        touching = [each for each in one.uncovered if _may_touch(each, one.wanted)]
        remedy = "check the statements that were not understood, and write them in a form that rocecfg reads"
    else:
        touching = list(one.uncovered)
        remedy = f"give the whole configuration: {row(one.found.vendor).fetch}"
    settings = _drop_untouched(one.meant.device, (what for each in touching for what in each.settings))
    return tuple(label_settings(settings)), remedy if settings else ""


def _drop_untouched(device: Device, settings: Iterable[What]) -> dict[What, None]:
    """Without the settings of links that no change touches; the speed it needs where headroom is looked up by it."""
    by_speed = device.nos is not None and bool(device.nos.port_speeds)
    untouched = {LAG_MTU.topic, *OF_LINK} - ({"speed"} if by_speed else set())
    return dict.fromkeys(what for what in settings if what.topic not in untouched)


def _may_touch(each: Uncovered, wanted: Wanted) -> bool:
    topics = {what.topic for what in each.settings}
    return any(
        (port is None or each.ports is None or port in each.ports) and any(what.topic in topics for what in settings)
        for port, settings in wanted.items()
    )


def _drop_missing_ports(wanted: Wanted) -> tuple[Wanted, tuple[str, ...]]:
    """What a change of settings can fix, and the ports that are not there to have any."""
    missing = tuple(port for port, settings in wanted.items() if port is not None and NO_PORT in settings)
    return {port: settings for port, settings in wanted.items() if port not in missing}, missing


def _order_ports(one: Compared, wanted: Wanted) -> Wanted:
    """With the ports as the intent has them."""
    return {port: wanted[port] for port in (None, *one.meant.ports) if port in wanted}


def _read_changed(one: Compared, text: str) -> Switch | None:
    """The switch as it is with the change."""
    document = Document(one.found.document.number, one.found.document.path, text)
    switches = read_switches(document, one.meant.device)
    return next((switch for switch in switches if switch.name == one.found.switch.name), None)


def _merge_wanted(a: Wanted, b: Wanted) -> dict[str | None, frozenset[What]]:
    return {port: a.get(port, frozenset()) | b.get(port, frozenset()) for port in {**a, **b}}


# -- a change as one patch ---------------------------------------------------------------------------------------------


def render_patch(
    fabric: Fabric, device: Device, path: str, text: str, sources: Sources, templates: str | None
) -> RenderedText:
    """What leads from `text`, the whole configuration of a device, to what is intended for it; `path` is its file.

    It is what drift would fix, on ports that are down too: it is empty where nothing differs, and else has the steps of
    drift's change. Counters that the intent has polled are no setting that drift compares; a patch brings them.
    Raises CannotRender for what cannot be patched or is not known well enough, SourceError for what cannot be read.
    """
    vendor = row(device.vendor or "")
    writer = cast("PatchWriter", part(vendor.name, "writer"))  # the only ones that have this form
    writer.check_patch(device, text)
    document = Document(len(sources.documents), path, text)
    sources.documents.append(document)
    switches = read_switches(document, device)
    switch = switches[0]
    if not device.names:
        device = restrict_to_pfc_ports(device, switch)
    means = read_intended_settings(fabric, device, sources, templates)
    parts, coverage = SwitchComparer().compare(means, switch)
    unsaid = (what for one in coverage.uncovered if one.silent for what in one.settings)
    silent = _drop_untouched(device, unsaid)
    if silent:
        raise CannotRender(
            f"{path}: a part of a configuration of {device.key or 'any device'}, but a patch would touch settings "
            f"that it does not contain: {', '.join(label_settings(silent))}",
            f"give the whole configuration: {vendor.fetch}",
        )
    found = RunningConfiguration(document, vendor.name, switch, device.key, alone=len(switches) == 1)
    fixed = work_out_fix(
        Compared(device.key, means, found, wanted_of(parts, down=True), coverage.uncovered), patched=True
    )
    if fixed.unknown:
        raise CannotRender(f"{path}: a patch would touch unknown settings: {', '.join(fixed.unknown)}", fixed.fix)
    return writer.patch(fabric, device, document, fixed.change, templates)
