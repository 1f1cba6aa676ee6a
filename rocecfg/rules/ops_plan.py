"""How a change is applied, checked and taken back, as the section `rollout` says: rules OPS709 to OPS714.

A key that the section does not have leaves it to `rocecfg plan`: the rules are silent. What a plan makes of given
stages it says itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.analysis.ports import PortPlan, list_wires, plans
from rocecfg.core.nodeset import names_of
from rocecfg.model import Fabric, Origin, PortGroup
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule, source_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DISTURBING = {"buffers": "buffers and headroom", "pfc": "PFC", "priority": "the priority of a lossless class"}
_WITH_TRAFFIC = ("perftest", "nccl-tests")


def _rollout_section(fabric: Fabric) -> Mapping[str, Any]:
    stated = fabric.facts.get("rollout")
    return stated if isinstance(stated, dict) else {}


def _list_words(stated: Mapping[str, Any], key: str) -> list[str]:
    return [each.value for each in stated[key].value] if key in stated else []


def _stages_with_devices(stated: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The stages that name devices."""
    return [stage.value for stage in stated["stages"].value if "devices" in stage.value] if "stages" in stated else []


@rule(
    "OPS709",
    "ops-order",
    WARNING,
    source="a lossless priority without headroom drops, without a map holds nothing, and without ECN pauses first",
    needs=("rollout",),
)
def ops_order(fabric: Fabric) -> Iterator[Hit]:
    """PFC is switched on before the settings that it needs."""
    stated = _rollout_section(fabric)
    order = _list_words(stated, "order")
    later = order[order.index("pfc") + 1 :] if "pfc" in order else []
    if later:
        at = next(each.at for each in stated["order"].value if each.value == "pfc")
        yield Hit(
            f"pfc comes before {', '.join(later)}: the switch sends pauses for a class that has no "
            f"{' and no '.join(later)} of its own yet",
            (at, stated["order"].at),
            "put pfc last; if PFC is only removed, rocecfg plan reverses the order by itself",
        )


@rule(
    "OPS710",
    "ops-disruptive",
    WARNING,
    source="Juniper: a change of buffers stops traffic on all ports; NVIDIA: one of buffers or PFC may lose packets; "
    "SONiC: config apply-patch shuts ports whose queues, priority groups or maps change",
    needs=("rollout",),
)
def ops_disruptive(fabric: Fabric) -> Iterator[Hit]:
    """A change that disturbs traffic has no maintenance window."""
    stated = _rollout_section(fabric)
    disturbing = [each for each in stated["changes"].value if each.value in _DISTURBING] if "changes" in stated else []
    if not disturbing or "window" in stated:
        return
    stages = _stages_with_devices(stated)
    bare = [stage for stage in stages if "window" not in stage]
    if stages and not bare:
        return
    related: tuple[tuple[Origin, str], ...] = ()
    if bare and len(bare) < len(stages):
        related = ((bare[0]["devices"].at, "a stage without a window"),)
    what = " and ".join(_DISTURBING[each.value] for each in disturbing)
    yield Hit(
        f"the rollout changes {what} but has no window: packets may be lost, and ports may flap",
        (disturbing[0].at,),
        "set rollout: {window: ...}, or a window for each stage",
        related,
    )


@rule(
    "OPS711",
    "ops-rollback",
    WARNING,
    source="SONiC config checkpoint, NVUE's revisions, EOS checkpoints: each returns in one command to what was saved",
    needs=("rollout",),
)
def ops_rollback(fabric: Fabric) -> Iterator[Hit]:
    """No configuration is saved to roll back to."""
    stated = _rollout_section(fabric)
    if "rollback" in stated and stated["rollback"].value == "none":
        yield Hit(
            "rollback: none: the configuration before the change is not saved, so a wrong change must be undone "
            "line by line while jobs wait",
            (stated["rollback"].at,),
            "remove it, or set rollback: saved: rocecfg plan then prints the command for each system",
        )


@rule(
    "OPS712",
    "ops-both-ends",
    ERROR,
    source="IEEE 802.1Qbb: a pause names a priority, and stops only what the other end sends with it",
    needs=("rollout",),  # without links nothing is cut
)
def ops_both_ends(fabric: Fabric) -> Iterator[Hit]:
    """A lossless priority moves at one end of a link in one stage, and at the other end in another."""
    stated = _rollout_section(fabric)
    stages = _stages_with_devices(stated)
    before = fabric.facts.get("previous")
    moves = "priority" in _list_words(stated, "changes")
    if before is not None and before.fabric is None and (not moves or before.meant is not None):
        lost = "whether a lossless priority moves at one end of a link before the other is not checked"
        yield Hit(
            f"{before.name}, which the rollout starts from, could not be read ({before.why}): "
            f"{lost if stages else 'rocecfg plan starts from it, unless it is given another'}",
            (before.at,),
            f"did you mean {before.meant}?"
            if before.meant is not None
            else "put the file there, or set rollout: {changes: [priority]} if one moves",
            severity=INFO if before.meant is None else WARNING,
        )
    if not moves and (before is None or before.fabric is None):
        return
    older = plans(before.fabric) if before is not None and not moves else None
    cut: dict[int, list[tuple[int, str]]] = {}  # by the later stage: the earlier one, and the link
    for earlier, later, ends, name in _iter_parted_links(fabric, stages):
        if older is None or any(_moves_priority(older, *end) for end in ends):
            cut.setdefault(later, []).append((earlier, name))
    for later, links in sorted(cut.items()):
        (earlier, first), more = links[0], len(links) - 1
        others = f" and {more} more link{'s' * (more != 1)}" if more else ""
        related = [(stages[earlier]["devices"].at, "the other end changes here")]
        if before is not None and not moves:
            related.append((before.at, "where the priority is another one"))
        yield Hit(
            f"a lossless priority moves, but the ends of {first}{others} change in different stages: in between "
            "each end pauses a priority that the other does not send, and lossless packets are dropped",
            (stages[later]["devices"].at,),
            "put both ends into one stage, drained; or add the new priority as a second class with its own DSCP, "
            "move the hosts to it, and remove the old one",
            tuple(related),
        )


def _iter_parted_links(
    fabric: Fabric, stages: list[Mapping[str, Any]]
) -> Iterator[tuple[int, int, tuple[tuple[str, str, PortGroup], ...], str]]:
    """The links with PFC whose ends change in two stages: these, both ends as name, port and settings, and words."""
    of: dict[str, int] = {}
    for number, stage in enumerate(stages):
        for name in names_of(stage["devices"].value):
            of.setdefault(name, number)
    known = plans(fabric)
    for wire in list_wires(fabric.links):
        a, b = wire[:2], wire[2:4]
        stage_a, stage_b = of.get(a[0]), of.get(b[0])
        if stage_a is None or stage_b is None or stage_a == stage_b:
            continue
        ends = [(name, port, known[name].end(port) if name in known else None) for name, port in (a, b)]
        paused = tuple((name, port, end.port) for name, port, end in ends if end is not None and end.port.pfc)
        if len(paused) == 2:
            yield min(stage_a, stage_b), max(stage_a, stage_b), paused, f"{':'.join(a)} -- {':'.join(b)}"


def _moves_priority(older: Mapping[str, PortPlan], name: str, port: str, now: PortGroup) -> bool:
    """Whether a port pauses another priority than before in the place of one; what only comes or goes does not move."""
    end = older[name].end(port) if name in older else None
    before, after = frozenset(end.port.pfc if end is not None else ()), frozenset(now.pfc)
    return bool(before - after) and bool(after - before)


@rule(
    "OPS713",
    "ops-validation",
    INFO,
    source="linux-rdma/perftest and NVIDIA/nccl-tests: traffic shows what neither lint nor idle counters do",
    needs=("rollout",),
)
def ops_validation(fabric: Fabric) -> Iterator[Hit]:
    """No stage is checked with RDMA traffic."""
    given = _rollout_section(fabric)
    stated = [part["validate"] for part in (given, *_stages_with_devices(given)) if "validate" in part]
    if not stated or (
        "validate" not in given and any("validate" not in stage for stage in _stages_with_devices(given))
    ):
        return  # what says nothing is checked with traffic
    if any(each.value != "none" and any(word.value in _WITH_TRAFFIC for word in each.value) for each in stated):
        return
    what = "nothing is checked" if all(each.value == "none" for each in stated) else "only counters are looked at"
    yield Hit(
        f"after the change {what}: counters of an idle fabric do not move, right or wrong",
        (stated[0].at,),
        "validate with traffic: validate: [counters, perftest, nccl-tests]",
    )


ops_drift = source_rule(
    "OPS714",
    "ops-drift",
    ERROR,
    "A switch runs something else than the intent states: found by `rocecfg drift`.",
    source="Guo et al., SIGCOMM'16, section 5: running configurations are compared with what is desired",
)

RULES: tuple[Rule, ...] = (ops_order, ops_disruptive, ops_rollback, ops_both_ends, ops_validation, ops_drift)
