"""EOS lines as tasks of Ansible: one configuration session, looked at, committed with a timer, confirmed.

`arista.eos.eos_config` commits at once and has no timer, so `eos_command` types the session, as a person does.
Sessions are new ones each time: EOS does not open one again that was committed. So `keep` asks for the session of an
earlier `try`: where that put all in force already, nothing differs, and its timer would bring the old back.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.vendors.ansible import KEPT, TRIED, Expression, Task, Tasks, say_tried, show_value
from rocecfg.vendors.arista.procedure import PROCEDURE, SAVE, TIMER, VERIFY
from rocecfg.vendors.base import RenderedText

_COMMAND = "arista.eos.eos_command"
_DIFFERS = "roce_loaded.stdout[-1] | trim | length > 0"
# napalm ee70e634, napalm/eos/eos.py: the sessions and their states in JSON
_SESSIONS = {"command": "show configuration sessions detail", "output": "json"}
_WAITING = "(roce_sessions.stdout[0].sessions | dict2items | selectattr('value.state', 'search', 'pendingCommitTimer')"
_OURS = f"{_WAITING} | map(attribute='key') | select('match', 'roce-') | list)"


def make_tasks(whole: RenderedText) -> Tasks:
    """The tasks for a text of EOS lines."""
    lines = [line.strip() for line in whole.body.splitlines() if line.strip(" !")]
    return Tasks(
        _session_tasks(lines),
        "arista.eos",
        "ansible_connection: ansible.netcommon.network_cli, ansible_network_os: arista.eos.eos, ansible_become: true, "
        "ansible_become_method: enable",
        "Show what it would change; nothing takes effect.",
        say_tried(PROCEDURE),
        VERIFY,
    )


def _session_tasks(lines: Sequence[str]) -> list[Task]:
    session = "'configure session ' ~ roce_session"
    return [
        {
            "name": "Name the configuration session",
            "ansible.builtin.set_fact": {
                "roce_session": Expression("roce-{{ now(utc=true).strftime('%Y%m%d-%H%M%S') }}")
            },
        },
        {
            "name": "Load the lines into a session, where nothing takes effect, and show what it would change",
            "vars": {"roce_lines": list(lines)},
            "block": [
                {
                    "name": "Load the lines",
                    _COMMAND: {
                        "commands": Expression(
                            f"{{{{ [{session}] + roce_lines + "
                            "['end', 'show session-config named ' ~ roce_session ~ ' diffs'] }}"
                        )
                    },
                    "register": "roce_loaded",
                    "check_mode": False,
                    "changed_when": False,
                }
            ],
            "rescue": [
                {"name": "Leave the session", "ansible.builtin.meta": "reset_connection"},
                _abort_task(session),
                {
                    "name": "Show which line the switch refuses",
                    "ansible.builtin.fail": {
                        "msg": Expression("nothing was changed: {{ ansible_failed_result.msg | default('') }}")
                    },
                },
            ],
        },
        show_value("What changes", "roce_loaded.stdout[-1].splitlines()"),
        {**_abort_task(session), "when": f"not ({TRIED}) or not ({_DIFFERS})"},
        {
            "name": "Apply the configuration; it rolls back unless confirmed",
            _COMMAND: {"commands": [Expression(f"{{{{ {session} }}}}"), TIMER]},
            "when": [TRIED, _DIFFERS],
            "changed_when": True,
        },
        {"name": "Connect again: the switch is still reachable", "ansible.builtin.meta": "reset_connection"},
        {
            "name": "Ask which sessions wait for confirmation",
            _COMMAND: {"commands": [_SESSIONS]},
            "register": "roce_sessions",
            "changed_when": False,
            "when": KEPT,
        },
        {
            "name": "Look at PFC, its watchdog, ECN and queues",
            _COMMAND: {"commands": [Expression("{{ item }}")]},
            "loop": list(VERIFY),
            "register": "roce_checks",
            "ignore_errors": True,
        },
        show_value(
            "How it works now",
            "roce_checks.results | map(attribute='stdout_lines', default=[['no such counters here']]) | list",
        ),
        {
            "name": "Confirm and save it",
            _COMMAND: {"commands": [Expression(f"{{{{ {session} ~ ' commit' }}}}"), SAVE]},
            "when": [KEPT, _DIFFERS],
            "changed_when": True,
        },
        {
            "name": "Confirm what an earlier try applied, else it rolls back",
            _COMMAND: {"commands": [Expression("{{ 'configure session ' ~ item ~ ' commit' }}")]},
            "loop": Expression(f"{{{{ {_OURS} if roce_sessions.stdout is defined else [] }}}}"),
            "when": [KEPT, f"not ({_DIFFERS})"],
            "changed_when": True,
        },
        {
            "name": "Save what is already applied",
            _COMMAND: {"commands": [SAVE]},
            "when": [KEPT, f"not ({_DIFFERS})"],
        },
        show_value(
            "How to keep it",
            f"'In effect for {PROCEDURE.minutes} minutes. To keep it, type on the switch: ' ~ {session} ~ ' commit; "
            f"{SAVE}'",
            f"roce | default('look') == 'try' and not ansible_check_mode and {_DIFFERS}",
        ),
    ]


def _abort_task(session: str) -> dict[str, object]:
    return {
        "name": "Drop the session",
        _COMMAND: {"commands": [Expression(f"{{{{ {session} }}}}"), "abort"]},
        "check_mode": False,
        "changed_when": False,
    }
