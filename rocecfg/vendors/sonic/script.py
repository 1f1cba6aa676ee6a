"""What the notes of SONiC say, as lines of bash: the same commands in the same order, with every port written out.

What has to print nothing before the next command is waited for, and where it goes on printing, or a command fails, the
script stops: nothing is saved then. The lines use what `rocecfg.vendors.apply` puts above them: $FILE, ask, say, stop,
until_silent.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from rocecfg.model import Device, PortGroup
from rocecfg.vendors.base import Do
from rocecfg.vendors.sonic import commands, stock
from rocecfg.vendors.sonic.change.held import LOOK
from rocecfg.vendors.sonic.change.written import start_commands
from rocecfg.vendors.sonic.view import Plan

_LOAD = 'sudo config load -y "$FILE"'
_ON_SONIC = "command -v sonic-db-cli > /dev/null || stop 'run it on the switch: this is not SONiC'"
_WERE = (
    'case " $WERE_UP " in *" $PORT "*) STATE=up ;; *) STATE=down ;; esac',
    '[ "$STATE" != "$WHICH" ] || echo "$PORT"',
)
_SETTLE = 5  # s until buffermgrd has worked off what was loaded; only then is its row looked for
_TRIES = 3
_MODEL = "$(sonic-db-cli CONFIG_DB HGET 'DEVICE_METADATA|localhost' buffer_model)"


def script_for_load(device: Device, plan: Plan) -> tuple[str, ...]:
    """The lines for the form that `config load` takes."""
    odd = stock.find_unfit(plan)
    shut = [port for port in odd if stock.is_taken_down(port)]
    return (
        _ON_SONIC,
        *_check_buffer_model(plan),
        *_name_other_ports(plan),
        *_name_other_actions(device, plan),
        *_ask_for_window(stock.ports_started(plan, shut)),
        *_record_ports_up(stock.ports_started(plan, shut)),
        *(_load(plan, odd, shut) if plan.ports else ("say 'Load the file'", _LOAD)),
        *_start_ports(plan, shut),
        *_finish_load(device, plan),
        *_check_and_save(plan),
    )


def script_for_patch(before: Sequence[Do], patch: Sequence[Do], after: Sequence[Do], plan: Plan) -> tuple[str, ...]:
    """The lines for a patch with what is typed before and after it."""
    lines = [_ON_SONIC, "ask 'PFC and buffers change under traffic, and ports may flap: is the switch drained?'"]
    for number, each in enumerate((*before, *patch, *after), 1):
        lines.append(f"say {shlex.quote(f'{number}. {each.words}')}")
        typed = [line.replace(" FILE", ' "$FILE"') for line in each.lines] if each in patch else list(each.lines)
        lines += _wait_until_silent(typed, f"left_{number}") if each.words.startswith(LOOK) else typed
    return (*lines, *_check_and_save(plan))


def _check_buffer_model(plan: Plan) -> Iterator[str]:
    """Stops on a switch with the other model, whose headroom works otherwise."""
    model = plan.buffers.model
    if model is None or not any(port.pfc for port in plan.ports):
        return
    yield f'if [ "{_MODEL}" {"!=" if model == "dynamic" else "="} dynamic ]; then'
    yield f"  stop 'this switch does not run the {model} buffer model that the file needs'"
    yield "fi"


def _name_other_ports(plan: Plan) -> Iterator[str]:
    """The ports that the intent does not name, and that bind what the load rewrites."""
    what = stock.rewritten(plan)
    if not plan.ports or not what:
        return
    yield "OTHERS="
    yield "for KEY in $(sonic-db-cli CONFIG_DB KEYS 'PORT_QOS_MAP|*'); do"
    yield f"  case ' {' '.join(_port_names(plan.ports))} global ' in"
    yield '    *" ${KEY#*|} "*) ;;'
    yield '    *) OTHERS="$OTHERS ${KEY#*|}" ;;'
    yield "  esac"
    yield "done"
    words = shlex.quote(f"the load rewrites {what}; ports not in the intent that may bind them:")
    yield f'[ -z "$OTHERS" ] || echo {words} $OTHERS'


def _name_other_actions(device: Device, plan: Plan) -> Iterator[str]:
    """The ports that the intent does not name, and that are watched with another action."""
    action = stock.one_action(device, plan)
    if action is None:
        return
    yield "OTHERS="
    yield "for KEY in $(sonic-db-cli CONFIG_DB KEYS 'PFC_WD|*'); do"
    yield f"  case ' {' '.join(_port_names(plan.ports))} GLOBAL ' in"
    yield '    *" ${KEY#*|} "*) ;;'
    yield f'    *) [ "$(sonic-db-cli CONFIG_DB HGET "$KEY" action)" = {action} ] || OTHERS="$OTHERS ${{KEY#*|}}" ;;'
    yield "  esac"
    yield "done"
    yield f'[ -z "$OTHERS" ] || echo {shlex.quote(stock.say_one_action(action))}: $OTHERS'


def _ask_for_window(down: Sequence[PortGroup]) -> Iterator[str]:
    ports = len(_port_names(down))
    yield (
        f"ask '{ports} ports go down if they are up, PFC and buffers change: is the switch drained?'"
        if ports
        else "ask 'PFC and buffers change under traffic: is this the window?'"
    )


def _record_ports_up(down: Sequence[PortGroup]) -> Iterator[str]:
    """Which ports are up now: only these go down, and are started again.

    A run that stops in between leaves the record for the next one, which would take what is down for meant to be so.
    """
    names = " ".join(_port_names(down))
    if not names:
        return
    yield "say 'Record which ports are up'"
    yield f"RECORD={commands.RECORD}"
    yield ': >> "$RECORD"'
    yield f"for PORT in {names}; do"
    yield '  STATUS=$(sonic-db-cli CONFIG_DB HGET "PORT|$PORT" admin_status)'
    yield '  [ "$STATUS" != up ] || echo "$PORT" >> "$RECORD"'
    yield "done"
    yield "WERE_UP=$(sort -u \"$RECORD\" | tr '\\n' ' ')"
    yield from _define_function(
        "were", ('WHICH=$1; shift; for PORT in "$@"; do', *(f"  {line}" for line in _WERE), "done")
    )
    yield f"LEFT=$(were down {names})"
    yield '[ -z "$LEFT" ] || echo "administratively down, and left down:" $LEFT'


def _for_each_port_up(ports: Sequence[str], command: str) -> str:
    """A command with $PORT in it, for each port that was up."""
    return f"for PORT in $(were up {' '.join(ports)}); do {command}; done"


def _load(plan: Plan, odd: Sequence[PortGroup], shut: Sequence[PortGroup]) -> Iterator[str]:
    """The load, with ports down, the stock row gone and the watchdog stopped; once more where the row came back.

    The watchdog is stopped by name, as without names that is every port's, and last: orchagent serves the table that
    it served longest ago first, so the priorities come before the rows of PFC_WD. It is restarted after the load,
    since where nothing ran before the rows may have come first.
    """
    stop = commands.stop_watchdog(_port_names(plan.ports))
    if shut:
        yield "say 'Shut ports'"
        yield _for_each_port_up(_port_names(shut), commands.SHUT)
    if not odd:
        yield from ("say 'Stop the PFC watchdog of these ports, load the file'", stop, _LOAD, *_start_watchdog(plan))
        return
    ports, keys = _port_names(odd), stock.keys_freed(shut)
    yield from _define_function(
        "delete_stock", [line for key in keys for line in commands.delete_rows("BUFFER_PG", _keys_of(ports, key))]
    )
    bound = commands.print_still_bound("BUFFER_PG", [key for group in keys for key in _keys_of(ports, group)])
    yield from _define_function("still_bound", bound)
    yield from _define_function("load", ("delete_stock", "until_silent still_bound", stop, _LOAD))
    yield (
        f"say 'Delete the stock row BUFFER_PG PORT|{stock.GROUPS}, wait until it is gone, stop the PFC watchdog of "
        "these ports, load the file'"
    )
    yield "load"
    if plan.buffers.model == "traditional":
        look = commands.for_each_port(ports, commands.print_row("BUFFER_PG", stock.GROUPS))
        yield from _define_function("stock_row", [look])
        yield "TRY=1"
        yield f'while sleep {_SETTLE}; [ -n "$(stock_row)" ]; do'
        yield f"  [ \"$TRY\" -lt {_TRIES} ] || stop 'the stock row of BUFFER_PG comes back after each load'"
        yield "  TRY=$((TRY + 1))"
        yield "  load"
        yield "done"
    yield from _start_watchdog(plan)


def _start_watchdog(plan: Plan) -> Iterator[str]:
    """Started once more than the load does: for the priorities that the ports have by then."""
    rows = stock.watchdog_rows(plan)
    if rows:
        yield "say 'Start the PFC watchdog for the current priorities of the ports'"
        yield from start_commands(rows, plan.release)


def _start_ports(plan: Plan, shut: Sequence[PortGroup]) -> Iterator[str]:
    """Ports are started, those for which a cable length waits for that too, and each lossless group has its profile."""
    for port, group in zip(plan.ports, plan.view["groups"], strict=True):
        if port in stock.ports_restarted(plan) and port not in shut and port.pfc:
            yield f"say 'Restart ports whose headroom is for another length than {group['cable']}'"
            yield _for_each_port_up(port.names, commands.restart_for_length(port.pfc, group["cable"] or ""))
    if shut:
        yield "say 'Start ports'"
        yield _for_each_port_up(_port_names(shut), commands.START)
    if stock.ports_started(plan, shut):
        yield 'rm -f "$RECORD"'
    lossless = {name: port.pfc for port in stock.ports_started(plan, shut) for name in port.names if port.pfc}
    if lossless:
        yield "say 'Check that each lossless priority group has its buffer profile'"
        yield from _wait_until_silent(commands.print_unbound(lossless, _for_each_port_up), "unbound")


def _finish_load(device: Device, plan: Plan) -> Iterator[str]:
    """What of the stock configuration must go, an MTU that is too small, and the watchdog that the switch starts."""
    for what, key, fields, ports in stock.stale_fields(plan):
        if ports:
            yield f"say {shlex.quote(f'Remove the stock {what}')}"
            yield commands.for_each_port(_port_names(ports), f'{commands.REMOVE} "{key}" {fields}')
    queues = ", ".join(map(str, stock.unbound_queues(plan)))
    if queues:
        yield f"say 'NOT done here: BUFFER_QUEUE of queue {queues}, lossy in the stock row; see the notes'"
    for mtu, here, ports in stock.other_mtus(device, plan):
        if mtu > here:
            yield f"say 'Set MTU {mtu}'"
            yield commands.for_each_port(_port_names(ports), f"sudo config interface mtu $PORT {mtu}")
    if plan.view["default_watchdog"]:
        yield from ("say 'Start the watchdog of the switch'", "sudo pfcwd start_default")
        names = [name for port in plan.ports if port.pfc and port.watchdog is not None for name in port.names]
        look = '[ -n "$(sonic-db-cli CONFIG_DB HGET "PFC_WD|$PORT" detection_time)" ]'
        if names:
            yield commands.for_each_port(names, f'{look} || echo "without watchdog, not in DEVICE_NEIGHBOR: $PORT"')


def _check_and_save(plan: Plan) -> Iterator[str]:
    yield commands.LOOK
    yield from (f"{line} || true" for line in commands.verify_commands(ecn_counters=plan.release.ecn_counters))
    yield (
        f"ask 'Save it? Without {commands.SAVE} a reboot restores the saved configuration; drain settings are saved "
        "too.'"
    )
    yield commands.SAVE


def _wait_until_silent(lines: Sequence[str], name: str) -> Iterator[str]:
    """Waits until commands print nothing."""
    yield from _define_function(name, lines)
    yield f"until_silent {name}"


def _define_function(name: str, lines: Iterable[str]) -> Iterator[str]:
    yield from (f"{name}() {{", *(f"  {line}" for line in lines), "}")


def _port_names(ports: Iterable[PortGroup]) -> list[str]:
    return [name for port in ports for name in port.names]


def _keys_of(ports: Iterable[str], group: str) -> list[str]:
    return [f"{port}|{group}" for port in ports]
