"""The notes that go with the text, since JSON has no comments: how to apply it, for which release, and what to mind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from rocecfg.model import Computed, Default, Device, Ecn, Headroom, Origin, PortGroup, ProfileFact, Span, TrafficClass
from rocecfg.model.facts import WATCHDOG_STOPPED
from rocecfg.profiles.systems import tell_errata
from rocecfg.sizing.templates import known_template
from rocecfg.vendors import join_some
from rocecfg.vendors.base import Apply, Do, name_facts
from rocecfg.vendors.changes import Step
from rocecfg.vendors.sonic import commands, script, stock
from rocecfg.vendors.sonic.change.steps import FLAPPING
from rocecfg.vendors.sonic.change.written import start_commands
from rocecfg.vendors.sonic.keys import join_priorities
from rocecfg.vendors.sonic.procedure import PROCEDURE
from rocecfg.vendors.sonic.view import Plan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.vendors.sonic.patch import Folded


def notes_for_load(device: Device, plan: Plan) -> tuple[tuple[str, ...], Apply]:
    """Notes for the config_db form, and how it is applied: `config load` merges, so what it leaves behind is named."""
    odd = stock.find_unfit(plan)
    shut = [p for p in odd if stock.is_taken_down(p)]
    flaps = "No port flaps, but" if not shut and not stock.ports_restarted(plan) else "Ports are shut below, and"
    about = f"{_name_release(plan)}: the RoCE part of config_db.json."
    disturbs = f"{flaps} PFC and buffers change under traffic: use a window."
    more: list[str] = []
    if not plan.ports:
        more.append(
            "A policy names no ports: rows of QUEUE, CABLE_LENGTH, BUFFER_PG, PFC_WD and PORT_QOS_MAP (pfc_enable "
            "too) need `devices` with ports; until then every port keeps its settings."
        )
        if device.box is None and any(c.lossless for c in device.classes):
            more.append("NVIDIA and Tofino switches also need PFC_PRIORITY_TO_PRIORITY_GROUP_MAP: name the platform.")
    elif stock.rewritten(plan):
        more.append(f"The load rewrites {stock.rewritten(plan)}, also for ports not in the intent that bind them.")
    if plan.ports and (action := stock.one_action(device, plan)) not in (None, "drop"):  # what start_default gives all
        more.append(f"W{stock.say_one_action(action)[1:]}: show pfcwd config.")
    if plan.ports and stock.unbound_queues(plan):
        queues = ", ".join(map(str, stock.unbound_queues(plan)))
        more.append(
            f"Stock BUFFER_QUEUE binds only queues {stock.GROUPS} to egress_lossless_profile: bind queue {queues} too, "
            "and split the stock row that covers it (form patch does so)."
        )
    mtus = [(mtu > here, _instruct_mtu(mtu, here, ports)) for mtu, here, ports in stock.other_mtus(device, plan)]
    more += [f"{do.words}; for just that: {'; '.join(do.lines)}" for raised, do in mtus if not raised]
    more += _notes_for_both(device, plan)
    load = Do("Load the file. It merges, and nothing validates it.", ("sudo config load -y FILE",))
    own = Do("Let the switch start its own watchdog.", ("sudo pfcwd start_default",))
    order = (
        *(_instruct_before_load(device, plan, odd, shut) if plan.ports else ()),
        load,
        *(_instruct_after_load(plan, odd, shut) if plan.ports else ()),
        *_instruct_on_stock_fields(plan),
        *(do for raised, do in mtus if raised),
        *((own,) if plan.view["default_watchdog"] else ()),
    )
    order = tuple(do._replace(lines=commands.fold_ports(do.lines, plan.ports)) for do in order)
    lines = (
        about,
        *name_facts(device),
        "Apply with: sudo config load -y FILE; check; then: sudo config save -y. It merges, without a check.",
        disturbs,
        *(line for do in order if plan.ports for line in (do.words, *(f"   {line}" for line in do.lines))),
        *more,
    )
    return lines, Apply(
        about,
        disturbs,
        order,
        (_instruct_check(plan),),
        PROCEDURE.save,
        tuple(more),
        script.script_for_load(device, plan),
    )


def notes_for_patch(device: Device, plan: Plan, folded: Folded) -> tuple[tuple[str, ...], Apply]:
    """Notes for the patch form, and how it is applied: what is typed around it, in order; the last of it saves."""
    operations, before, after, beyond = folded
    left = tuple(f"Not fixed: {line}" for line in beyond)
    around_it = tuple(_instruct_steps(before)), tuple(_instruct_patch(operations)), tuple(_instruct_steps(after))
    order = tuple(chain.from_iterable(around_it))
    if not operations and not after:
        runs = "the patch is empty" if beyond else "the device already runs this; the patch is empty"
        about = f"{_name_release(plan)}: {runs}."
        return (about, *left), Apply(about, "Nothing: there is nothing to apply.", (), (), None, left)
    if not operations:
        about = f"{_name_release(plan)}: the patch is empty."
        notes = (about, _AROUND, *_number_steps(after, 1), *left)
        return notes, Apply(
            about,
            _AROUND,
            order,
            (_instruct_check(plan),),
            PROCEDURE.save,
            left,
            script.script_for_patch(*around_it, plan),
        )
    flapping = {port: None for op in operations for port in _flapping_ports(op)}
    ours = {port: n for n, port in enumerate(port for group in plan.view["groups"] for port in group["ports"])}
    ports = sorted(flapping, key=lambda port: ours.get(port, len(ours)))
    when = (
        "in its place in the list below"
        if before
        else "then what is listed below"
        if after
        else "then: sudo config save -y"
    )
    about = f"{_name_release(plan)}: an RFC 6902 patch for the running configuration that it was made from."
    flaps = (
        f"Ports flap: apply-patch shuts {len(ports)} port{'s' * (len(ports) > 1)} that are admin up and starts them "
        f"again: {join_some(ports, 6)}."
        if ports
        else "No port flaps."
    )
    lines = [
        about,
        *name_facts(device),
        f"Try: sudo config apply-patch -d FILE; apply: sudo config apply-patch FILE; {when}.",
        flaps,
    ]
    around = (_AROUND,) if before or after else ()
    lines += around
    lines += _number_steps(before, 1)
    if before:
        lines.append(f"{len(before) + 1}. Apply the patch.")
    lines += _number_steps(after, len(before) + 1 + bool(before))
    always = _notes_for_both(device, plan)
    more = (*left, *always)
    disturbs = " ".join((flaps, *around))
    typed = script.script_for_patch(*around_it, plan)
    return (*lines, *more), Apply(about, disturbs, order, (_instruct_check(plan),), PROCEDURE.save, more, typed)


def _instruct_steps(steps: Iterable[Step]) -> Iterator[Do]:
    for step in steps:
        yield Do(f"{step.how}: {step.why}", step.lines)


def _instruct_patch(operations: Sequence[Mapping[str, object]]) -> Iterator[Do]:
    if operations:
        yield Do("Try the patch, then apply it.", (f"{commands.PATCH} -d FILE", f"{commands.PATCH} FILE"))


def _instruct_check(plan: Plan) -> Do:
    """What shows whether it works as intended."""
    return Do("Check that it works as intended.", commands.verify_commands(ecn_counters=plan.release.ecn_counters))


_AROUND = (
    "Overlapping rows, headroom of another cable length and the watchdog of other priorities need an order, but "
    "apply-patch sorts its input. So apply these steps in a window, drained, one after the other:"
)


def _number_steps(steps: Sequence[Step], first: int) -> Iterator[str]:
    for number, step in enumerate(steps, first):
        yield f"{number}. {step.told}: {step.why}"
        yield from (f"   {line}" for line in step.lines)


def _name_release(plan: Plan) -> str:
    assumed = " (assumed: no version is stated)" if plan.release.assumed else ""
    return f"For SONiC {plan.release.name}{assumed}"


def _instruct_before_load(
    device: Device, plan: Plan, odd: Sequence[PortGroup], shut: Sequence[PortGroup]
) -> Iterator[Do]:
    """The stock row of BUFFER_PG is deleted before the load, and that is seen: see `overlap`."""
    if shut:
        record = f"{commands.IS_UP} && echo $PORT"
        yield Do(
            f"Drain the switch. Record which of {_name(shut)} are up, and shut these. A priority group without a "
            "profile has no headroom and drops packets that arrive after a pause.",
            (
                f"{commands.for_each_port(_port_names(shut), record)} >> {commands.RECORD}",
                f"for PORT in $(sort -u {commands.RECORD}); do {commands.SHUT}; done",
            ),
        )
    if odd:
        why = {f"overlaps {g}" for p in shut for g in join_priorities(p.pfc)}
        if len(shut) < len(odd):
            why.add("holds headroom without PFC")
        keys = [[f"{port}|{group}" for port in _port_names(odd)] for group in stock.keys_freed(shut)]
        yield Do(
            f"Remove the stock row {stock.GROUPS} of BUFFER_PG ({', '.join(sorted(why))}), and the others if present, "
            f"for {_name(odd)}. Deleted after the load, it would also take the profile of the loaded row, and "
            "orchagent skips that row when it is loaded again.",
            tuple(line for alike in keys for line in commands.delete_rows("BUFFER_PG", alike)),
        )
        bound = commands.print_still_bound("BUFFER_PG", chain.from_iterable(keys))
        yield Do("Load only when this prints nothing.", tuple(bound))
    for told in tell_errata(device, WATCHDOG_STOPPED):
        yield Do(f"{told[:1].upper()}{told[1:]}", ("show pfcwd stats",))
    yield Do(
        f"Directly before the load, stop the PFC watchdog of {_name(plan.ports)}. Otherwise it keeps watching the old "
        "priorities. Without a name it stops the watchdog of every port, also of ports not in the intent.",
        (commands.stop_watchdog(_port_names(plan.ports)),),
    )


def _instruct_after_load(plan: Plan, odd: Sequence[PortGroup], shut: Sequence[PortGroup]) -> Iterator[Do]:
    """What is looked at after the load, the start of what was stopped, and what must hold before the save."""
    if odd and plan.buffers.model == "traditional":
        why = ": from 202511 on CABLE_LENGTH may be read before pfc_enable" if plan.release.cable_acts else ""
        yield Do(
            f"After the load the stock row must not be back{why}. If this prints a row: delete it as before, check "
            "that nothing is printed, stop the watchdog, load again.",
            (commands.for_each_port(_port_names(odd), commands.print_row("BUFFER_PG", stock.GROUPS)),),
        )
    if rows := stock.watchdog_rows(plan):
        yield Do("Restart the PFC watchdog for the new priorities of the ports.", start_commands(rows, plan.release))
    if rest := stock.left_unwatched(plan):
        yield Do(f"The intent has no watchdog for {_name(rest)}: it stays stopped there.")
    yield from _instruct_restart(plan, shut)
    if shut:
        yield Do(
            "Start the ports that were up.",
            (f"for PORT in $(sort -u {commands.RECORD}); do {commands.START}; done", f"rm {commands.RECORD}"),
        )
    lossless = {name: p.pfc for p in stock.ports_started(plan, shut) for name in p.names if p.pfc}
    if lossless:
        yield Do(
            "Save only when this prints nothing: then each lossless priority group has its buffer profile.",
            tuple(
                commands.print_unbound(
                    lossless, lambda ports, line: commands.for_each_port(ports, f"if {commands.IS_UP}; then {line}; fi")
                )
            ),
        )


def _instruct_restart(plan: Plan, shut: Sequence[PortGroup]) -> Iterator[Do]:
    """Of ports whose headroom is looked up when they start."""
    rest = [p for p in stock.ports_restarted(plan) if p not in shut]
    lines = [
        commands.for_each_port(
            p.names, f"{commands.IS_UP} && {commands.restart_for_length(p.pfc, group['cable'] or '')}"
        )
        for p, group in zip(plan.ports, plan.view["groups"], strict=True)
        if p in rest and p.pfc
    ]
    if lines:
        yield Do(
            f"Restart those ports of {_name(rest)} that are up and whose headroom is for another length: up to 202505 "
            "buffermgrd only stores a new length, and looks up headroom when the port starts.",
            tuple(lines),
        )


def _instruct_mtu(mtu: int, here: int, ports: Sequence[PortGroup]) -> Do:
    """The MTU is not written: a port keeps its own, which may be larger than what is intended."""
    line = commands.for_each_port(_port_names(ports), f"sudo config interface mtu $PORT {mtu}")
    if mtu < here:
        words = (
            f"MTU is not written: a port keeps its own ({here} B by default), which works too; the intent has {mtu} B "
            f"for {_name(ports)}"
        )
        return Do(words, commands.fold_ports((line,), ports))
    return Do(
        f"Set the MTU: the file does not, and a port keeps its own ({here} B by default), less than the {mtu} B of the "
        f"intent for {_name(ports)}.",
        (line,),
    )


def _instruct_on_stock_fields(plan: Plan) -> Iterator[Do]:
    """Fields of the stock configuration that the load leaves."""
    for what, key, fields, ports in stock.stale_fields(plan):
        if ports:
            line = commands.for_each_port(_port_names(ports), f'{commands.REMOVE} "{key}" {fields}')
            yield Do(f"Remove the stock {what} for {_name(ports)}.", (line,))


def _notes_for_both(device: Device, plan: Plan) -> list[str]:
    """What holds for both forms."""
    lossless = [p for p in plan.ports if p.pfc]
    lines = [*_notes_on_buffer_model(device, plan, lossless), *_notes_on_headroom(device, plan, lossless)]
    if plan.view["default_watchdog"]:
        lines.append(
            "The watchdog is left to the switch: run sudo pfcwd start_default; it takes only ports in DEVICE_NEIGHBOR, "
            "and its timers grow with the port count (200 ms for each 32 ports begun)."
        )
    lines += _notes_on_scheduling(device, plan)
    lines += _notes_on_trimming(device)
    if plan.buffers.unsaid:
        names = ", ".join(f"buffers.{name}" for name in plan.buffers.unsaid)
        lines.append(f"Not written, the platform's buffer templates decide: {names}.")
    return lines


def _notes_on_buffer_model(device: Device, plan: Plan, lossless: Sequence[PortGroup]) -> list[str]:
    """What the switch makes of buffers by itself, and needs for that."""
    lines: list[str] = []
    if lossless and plan.buffers.model is not None:
        lines.append(f"The switch must run the {plan.buffers.model} buffer model; buffer_model is not written.")
        if plan.buffers.model == "traditional":
            guess = "" if isinstance(device.origins.get("hwsku"), Span) else " (assumed: the platform's default)"
            lines.append(
                "buffermgrd makes the pg_lossless profiles from CABLE_LENGTH, if a port has speed and admin_status; "
                f"the lengths are those that HwSKU {device.hwsku or 'of the platform'}{guess} lists."
            )
    if plan.buffers.unsized:
        lines.append(
            f"Headroom is left to the CABLE_LENGTH that the switch has for {_name(plan.buffers.unsized)}: the intent "
            "states no cable length, or no platform to compute headroom. Without that row they have PFC but no "
            "headroom."
        )
    return lines


def _notes_on_scheduling(device: Device, plan: Plan) -> list[str]:
    """What of scheduling and marking is written otherwise than stated."""
    lines: list[str] = []
    silent = sorted({q for p in plan.ports or (None,) for q in _unscheduled_queues(device, plan, p)})
    if silent:
        lines.append(
            f"Queue {', '.join(map(str, silent))}: the switch's own scheduler stays; the intent states no bandwidth."
        )
    rounded = [c.name for c in device.classes if c.bandwidth is not None and c.bandwidth != int(c.bandwidth)]
    if rounded:
        lines.append(f"Bandwidth is rounded to a whole DWRR weight: {', '.join(rounded)}.")
    weighted = [c.name for c in device.classes if any(curve.weight for curve in _stated_curves(c))]
    if weighted:
        lines.append(
            f"ECN weight of {', '.join(weighted)} cannot be set: orchagent marks on the instantaneous queue (0)."
        )
    return lines


def _notes_on_trimming(device: Device) -> Iterator[str]:
    """Which queues trim is said by the platform's own buffer profiles, which only a running configuration names."""
    if device.trimming is None:
        return
    queues = [f"{device.cls(name).queue} ({name})" for name in device.trimming.classes if device.has(name)]
    of = f"of queue {', '.join(queues)}" if queues else "of each queue that is to trim"
    yield (
        "SWITCH_TRIMMING sets the size, DSCP and queue of trimmed packets; a queue trims if its buffer profile does. "
        f"Given the running configuration, drift and --as patch set packet_discard_action in the profile {of}, which "
        "BUFFER_QUEUE names; by hand: sudo config mmu -p PROFILE -t on. To see whether the chip trims: show "
        "switch-trimming global and the log of orchagent. The row can be changed, but not removed: a queue stops "
        "with -t off"
    )


def _stated_curves(cls: TrafficClass) -> Iterable[Ecn]:
    return (curve for curve in (cls.ecn, *(curve for _, curve in cls.ecn_by_speed)) if isinstance(curve, Ecn))


def _notes_on_headroom(device: Device, plan: Plan, lossless: Sequence[PortGroup]) -> list[str]:
    """What profiles and pools of ours rest on, where the intent does not say it."""
    lines = []
    if plan.buffers.beyond:
        lines.append(
            f"The cable of {_name(plan.buffers.beyond)} is longer than any in pg_profile_lookup.ini, so rocecfg "
            "computes its profile; buffermgrd logs `No PG profile configured` for these ports, and keeps it."
        )
    ours = [p for p in lossless if isinstance(p.headroom, Headroom) or p in plan.buffers.beyond]
    if device.buffers.alpha is None:
        for alpha, why in dict.fromkeys((p.alpha, _explain_origin(p.at("alpha"))) for p in ours):
            lines.append(f"Alpha of headroom profiles is not stated: {alpha:g}, {why}.")
    if "over_subscribe_ratio" in plan.view["parameter"] and device.buffers.shared_headroom:
        lines.append("The shared headroom pool has the stated size; over_subscribe_ratio does nothing with a size.")
    sizes = [name for name, row in plan.view["pools"].items() if "size" in row]
    if sizes:
        lines.append(
            f"Sizes of {', '.join(sizes)}: those of template {_name_templates(device)} of HwSKU "
            f"{device.hwsku or 'of the platform'}, divided again."
        )
    return lines


def _name_templates(device: Device) -> str:
    pools = known_template(device)
    return "/".join(pools.templates) if pools is not None else ""


def _explain_origin(origin: Origin) -> str:
    if isinstance(origin, Default):
        return origin.why
    if isinstance(origin, Computed):
        return origin.formula
    return f"from {origin.profile}" if isinstance(origin, ProfileFact) else "as stated"


def _unscheduled_queues(device: Device, plan: Plan, port: PortGroup | None) -> Iterable[int]:
    """Queues in use that get no scheduler."""
    used = {c.queue for c in (device.classes if port is None else device.all_classes_on(port))}
    if port is None:
        stated = {c.queue for c in device.classes if c.strict or c.bandwidth is not None}
        return used - stated
    group = plan.view["groups"][plan.ports.index(port)]
    return used - {int(q) for q, row in group["queues"].items() if "scheduler" in row}


def _port_names(ports: Iterable[PortGroup]) -> list[str]:
    return [name for port in ports for name in port.names]


def _name(ports: Iterable[PortGroup]) -> str:
    return ", ".join(port.key for port in ports)


def _flapping_ports(operation: Mapping[str, object]) -> Iterable[str]:
    """The ports that apply-patch shuts for an operation: those whose queues, priority groups or maps it touches."""
    _, table, *rest = str(operation["path"]).split("/")
    if table not in FLAPPING:
        return
    value = operation.get("value")
    keys = rest[:1] or (value if isinstance(value, dict) else ())
    for key in keys:
        port = key.split("|")[0].replace("~1", "/").replace("~0", "~")
        if port != "global":
            yield port
