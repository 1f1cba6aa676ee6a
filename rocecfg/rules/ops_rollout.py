"""How a change is rolled out, and what it is rolled out on: rules OPS707 and OPS708."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rocecfg.analysis.graph import graph
from rocecfg.core.nodeset import fold, names_of
from rocecfg.model import Device, Fabric
from rocecfg.rules.base import INFO, OFF, WARNING, Hit, Rule, rule

_TOPS = ("superspine", "spine")  # the highest first: all that is below hangs on it
_MOST_NAMES = 8  # in a message


def _names_by_role(fabric: Fabric) -> dict[str | None, dict[str, None]]:
    """The names of the devices of each role, in written order."""
    out: dict[str | None, dict[str, None]] = {}
    for device in fabric.devices:
        out.setdefault(device.role, {}).update(dict.fromkeys(device.names))
    return out


def _format_names(names: Iterable[str]) -> str:
    """Devices as a node set, whatever order they were written in; their number where that is long."""
    names = sorted(names, key=lambda name: (len(name), name))
    folded = fold(tuple(names))
    return folded if folded.count(",") < _MOST_NAMES else f"{len(names)} devices"


@rule(
    "OPS707",
    "ops-stage",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 5; Bai et al., NSDI'23, section 8.1: lab, test cluster, ToR, podset, spine",
    needs=("rollout",),
)
def ops_stage(fabric: Fabric) -> Iterator[Hit]:
    """A stage changes all devices of a role at once, all switches of a host, or the top tier together with another."""
    rollout = fabric.facts.get("rollout")
    stages = rollout.get("stages") if isinstance(rollout, dict) else None
    if stages is None:
        return
    roles = _names_by_role(fabric)
    top = next((role for role in _TOPS if role in roles), None)
    for stage in stages.value:
        stated = stage.value.get("devices")
        if stated is None:
            continue
        changed = frozenset(names_of(stated.value))
        reason = _explain_too_wide(changed, roles, top) or _explain_cut_off(fabric, changed)
        if reason:
            yield Hit(
                reason,
                (stated.at,),
                "split the stage: few devices of one tier first, the top tier last and part by part",
            )


def _explain_too_wide(changed: frozenset[str], roles: Mapping[str | None, Mapping[str, None]], top: str | None) -> str:
    """Why a stage touches more than one failure domain; empty where it does not."""
    touched = {role: [name for name in names if name in changed] for role, names in roles.items()}
    touched = {role: names for role, names in touched.items() if names}
    total = sum(map(len, roles.values()))
    if total > 1 and sum(map(len, touched.values())) == total:
        return f"the stage changes all {total} devices at once: a wrong change hits the whole fabric"
    if top is not None and top in touched and len(touched) > 1:
        others = [name for role, names in touched.items() if role != top for name in names]
        return (
            f"the stage changes the {top} tier ({_format_names(touched[top])}) together with {_format_names(others)}: "
            f"every path crosses that tier, so its failure cannot be told apart from theirs"
        )
    for role, names in sorted(touched.items(), key=str):
        if role is not None and len(names) == len(roles[role]) > 1:
            return f"the stage changes all {len(names)} devices with role {role} at once: none is left as it was"
    return ""


def _explain_cut_off(fabric: Fabric, changed: frozenset[str]) -> str:
    """The hosts with ports on several switches, of which a stage changes every one; empty where there are none."""
    found = graph(fabric)
    taken = {n for name in changed if (n := found.numbers.get(name)) is not None and n < found.switches}
    cut = [
        host
        for host in range(found.switches, len(found.names))
        if len(found.near[host]) > 1 and taken.issuperset(found.near[host])
    ]
    if not cut:
        return ""
    switches = dict.fromkeys(found.names[n] for host in cut for n in found.near[host])
    hosts = _format_names(found.names[host] for host in cut)
    return (
        f"the stage changes all switches of {hosts} ({_format_names(switches)}): a wrong change cuts these hosts off, "
        "since no redundant switch is left as it was"
    )


def _group_by_system(devices: Iterable[Device]) -> dict[str, tuple[list[Device], list[Device]]]:
    """The devices without and with a release, by their network operating system."""
    out: dict[str, tuple[list[Device], list[Device]]] = {}
    for device in devices:
        if device.nos is not None and device.names:
            bare, pinned = out.setdefault(device.nos.name, ([], []))
            (bare if device.version is None else pinned).append(device)
    return out


@rule(
    "OPS708",
    "ops-nos-pin",
    INFO,
    source="defaults, limits and syntax differ by release: profiles/nos",
    by_kind={"running": OFF},  # not every switch writes it into its configuration
)
def ops_nos_pin(fabric: Fabric) -> Iterator[Hit]:
    """Some switches of a vendor state their release and others do not."""
    if not any(bare and pinned for bare, pinned in _group_by_system(fabric.devices).values()):
        return
    for vendor, (bare, pinned) in sorted(_group_by_system(fabric.devices).items()):
        if not bare or not pinned:
            continue
        first, example = (min(devices, key=lambda d: d.names) for devices in (bare, pinned))
        yield Hit(
            f"no version for {_format_names(name for d in bare for name in d.names)}: linted and rendered as "
            f"{vendor} {first.assumed}, while {_format_names(example.names)} has {example.version}",
            (first.at(),),
            "state version for these too, quoted: syntax and defaults differ by release",
            ((example.at("version"), "a release that is stated"),),
        )


RULES: tuple[Rule, ...] = (ops_stage, ops_nos_pin)
