"""What several lines show together: names that nothing defines or uses, halves of PFC, what is not judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.curves import TIMES
from rocecfg.vendors.arista.reading.odd_ports import find_odd_ports
from rocecfg.vendors.arista.reading.parse import quote_line
from rocecfg.vendors.arista.reading.port_groups import AlikePorts
from rocecfg.vendors.arista.reading.ports import find_no_drop
from rocecfg.vendors.arista.reading.queues import find_unsure_queues
from rocecfg.vendors.arista.reading.rdma_policies import check_policies
from rocecfg.vendors.arista.reading.sorting import check_sorting
from rocecfg.vendors.arista.reading.switchwide import Switchwide
from rocecfg.vendors.arista.reading.units import check_units
from rocecfg.vendors.arista.release import SAND, STRATA

_NAMED = 5  # names that one message lists


def find_problems(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """What is wrong with the text as a whole. `kinds`: the ports in it."""
    yield from _check_profiles(switch, kinds)
    yield from check_policies(switch, kinds)
    yield from _check_mmu_profiles(switch, kinds)
    yield from _check_pfc_halves(switch, kinds)
    yield from check_sorting(switch, kinds)
    yield from find_odd_ports(switch, kinds)
    yield from check_units(switch, kinds)
    yield from find_unsure_queues(kinds)
    _note_virtual_interfaces(switch)
    _note_tunnels(switch)
    yield from (
        Problem(
            "device-unread",
            lines[0],
            f"{topic}: recognised, not checked{_format_line_count(len(lines))}",
            places=(*lines[1:],),
        )
        for topic, lines in switch.unread.items()
    )


def _format_line_count(lines: int) -> str:
    return "" if lines == 1 else f" ({lines} lines)"


def _join_names(names: Iterable[str]) -> str:
    """`a, b and 3 more`."""
    known = list(names)
    more = f" and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return ", ".join(name[:100] for name in known[:_NAMED]) + more


def _check_profiles(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    bound: dict[str, Val] = {}
    for kind in kinds:
        if kind.profile is not None:
            bound.setdefault(kind.profile.value, kind.profile)
    if switch.whole or switch.profiles:
        for name, val in bound.items():
            if name not in switch.profiles:
                yield Problem(
                    "device-ref",
                    val.at,
                    f"service-profile {name[:100]}: there is no `qos profile` of that name, so the port has no profile",
                    f"define qos profile {name[:100]}, or name an existing one",
                )
    free = {name: block.at for name, block in switch.config.profiles.items() if name not in bound}
    if free and kinds and (switch.whole or bound):
        word = "qos profile" if len(free) == 1 else "qos profiles"
        yield Problem(
            "device-unbound",
            next(iter(free.values())),
            f"{word} {_join_names(free)}: no port has service-profile with this name",
            "write service-profile NAME below its interfaces, or remove the profile",
            places=(*free.values(),)[1:],
        )


def _check_mmu_profiles(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    applied = [
        val for val in (switch.globals.get("mmu"), *(kind.state.get("mmu") for kind in kinds)) if val is not None
    ]
    for val in applied:
        if val.value not in switch.mmus and (switch.whole or switch.mmus):
            yield Problem(
                "device-ref",
                val.at,
                f"MMU queue profile {val.value[:100]} is applied but not defined",
                f"define platform trident mmu queue profile {val.value[:100]}",
            )
    names = {val.value for val in applied}
    free = {name: block.at for name, block in switch.config.mmu.items() if name not in names}
    if free:
        yield Problem(
            "device-unbound",
            next(iter(free.values())),
            f"platform trident mmu queue profile {_join_names(free)}: never applied, so it does nothing",
            "write platform trident mmu queue profile NAME apply, or remove it",
            places=(*free.values(),)[1:],
        )


def _check_pfc_halves(switch: Switchwide, kinds: list[AlikePorts]) -> Iterator[Problem]:
    """PFC that is on for nothing, and lossless priorities where it is off."""
    off = switch.globals.get("all off")
    for kind in kinds:
        on, priorities = kind.state.get("pfc"), find_no_drop(kind.state)
        words = f"priority {', '.join(map(str, priorities))}"
        if off is not None:
            if on is not None and priorities:
                yield Problem(
                    "eos-pfc-half",
                    off.at,
                    "priority-flow-control all off: PFC is off on every port, though some have it on: under "
                    "congestion lossless classes drop",
                    "write `no priority-flow-control all off`, or take the no-drop lines out if PFC should be off",
                    ((next(iter(priorities.values())), f"{words} is no-drop here"),),
                    severity="error",
                )
                return
        elif on is not None and not priorities:
            yield Problem(
                "eos-pfc-half",
                on.at,
                "PFC is on, but no priority is no-drop: no packet is lossless",
                "write `priority-flow-control priority N no-drop` for RDMA's priority",
            )
        elif priorities and on is None:
            yield Problem(
                "eos-pfc-half",
                next(iter(priorities.values())),
                f"{words} is no-drop, but PFC is off: no packet is lossless",
                "write priority-flow-control on",
            )


_ROCE = ("qos", "priority-flow-control", "service-profile")
_COPYING = ("vxlan qos ecn propagation", "vxlan qos dscp ecn rewrite bridged enabled")


def _note_virtual_interfaces(switch: Switchwide) -> None:
    """Settings on interfaces that have no queues of their own, or that ports take from an interface profile."""
    for block in switch.config.virtual:
        for index, line in enumerate(block.lines):
            words = line.removeprefix("command ").split(" ")
            if words[0] in _ROCE or words[:3] in (["service-policy", "type", "qos"], ["service-policy", "input"]):
                switch.note_unjudged(f"{quote_line(line)} below interface {block.name[:100]}", block.span(index))


def _note_tunnels(switch: Switchwide) -> None:
    """Which DSCP tunnelled packets have, and are sorted by, beyond whether ECN bits are copied."""
    for block in switch.config.vxlan:
        for index, line in enumerate(block.lines):
            if line.startswith("vxlan qos ") and line not in _COPYING:
                switch.note_unjudged(f"{quote_line(line)} below interface {block.name[:100]}", block.span(index))


def read_vxlan(blocks: list[Block]) -> tuple[bool | None, dict[str, Span], Span | None]:
    """Whether there is a VXLAN tunnel, the lines by which it copies ECN bits, and where the first thing is said."""
    if not blocks:
        return None, {}, None
    copying: dict[str, Span] = {}
    for block in blocks:
        for index, line in enumerate(block.lines):
            if line in _COPYING:
                copying[line] = block.span(index)
            elif line.startswith(("no vxlan qos", "default vxlan qos")):
                given = line.partition(" ")[2]
                copying = {each: at for each, at in copying.items() if not each.startswith(given)}
    return True, copying, next(iter(copying.values()), blocks[0].at)


# -- what one family of chips takes and the other does not -------------------------------------------------------------


_QUEUE_7_SINCE = (4, 33)


def find_foreign_lines(switch: Switchwide) -> Iterator[Problem]:
    """The first line of each kind that is the other family's."""
    if switch.family is None:
        return
    yield from _check_platform_lines(switch)
    reported: set[str] = set()
    passed: set[str] = set()  # ports have most lines in common
    for block in (*switch.config.profiles.values(), *switch.config.ports):
        for index, line in enumerate(block.lines):
            if line in passed:
                continue
            passed.add(line)
            stranger = _explain_foreign_line(switch, line)
            if stranger is not None and stranger[0] not in reported:
                reported.add(stranger[0])
                yield _report_foreign_line(block, index, *stranger)


_OF_CHIPS = {SAND: ("platform trident ",), STRATA: ("platform sand ", "platform fap ")}


def _check_platform_lines(switch: Switchwide) -> Iterator[Problem]:
    """The first line that is about the other family's chips."""
    assert switch.family is not None
    foreign = _OF_CHIPS[switch.family]
    lines = ((text, block.span(n)) for block in (switch.config.globals,) for n, text in enumerate(block.lines))
    opened = ((f"platform trident mmu queue profile {name}", block.at) for name, block in switch.config.mmu.items())
    for text, at in (*lines, *opened):
        if text.startswith(foreign):
            kinds = "Jericho" if switch.family == STRATA else "Trident and Tomahawk"
            yield Problem(
                "device-unknown",
                at,
                f"{quote_line(text)} is about {kinds} switches, but this is {switch.head.model or 'another one'}",
                "remove it: the switch refuses it, and its buffers keep their defaults",
            )
            return


def _report_foreign_line(block: Block, index: int, message: str, help: str, severity: str | None) -> Problem:
    return Problem("device-unknown", block.span(index), message, help, severity=severity)


def _explain_foreign_line(switch: Switchwide, line: str) -> tuple[str, str, str | None] | None:
    """What is wrong with a line on such a switch, the fix, and how bad it is, where not as the rule has it."""
    head, inside, text = line.rpartition(IN_QUEUE)
    model = switch.head.model or "this switch"
    if switch.family == SAND:
        if not inside and text.startswith(("uc-tx-queue", "mc-tx-queue")):
            kind = text.split(" ", maxsplit=1)[0]
            return f"{kind} is a queue of Trident and Tomahawk switches, but this is {model}", "write tx-queue N", None
        if inside and " segments " in f"{text} ":
            message = f"ECN thresholds in segments exist only on Trident and Tomahawk switches, but this is {model}"
            return message, "write them in bytes or kbytes", None
        if head == "tx-queue 7" and _is_before_queue_7(switch.release) and text != "priority strict":
            message = f"{model} with EOS {switch.release} fixes queue 7: it can be set from 4.33.0F on"
            return message, "use another queue, or a later release", None
    elif (
        switch.family == STRATA and inside and text.startswith("random-detect") and TIMES.intersection(text.split(" "))
    ):
        message = f"thresholds in units of time are known only for Jericho switches, but this is {model}"
        return message, "write them in bytes or kbytes", "info"
    return None


def _is_before_queue_7(release: str | None) -> bool:
    """Whether a release is known to be older than the one that let queue 7 be set."""
    numbers = (release or "").split(".")
    if len(numbers) < 2 or not (numbers[0].isdigit() and numbers[1].isdigit()):
        return False
    return (int(numbers[0]), int(numbers[1])) < _QUEUE_7_SINCE
