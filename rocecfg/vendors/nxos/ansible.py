"""NX-OS lines as tasks of Ansible: looked at, typed after a checkpoint, kept or returned to it.

`cisco.nxos.nxos_config` would compare line by line and type what differs; `nxos_command` types all of it in order, as a
person does, and lines that are there already change nothing.
"""

from __future__ import annotations

from rocecfg.vendors.ansible import KEPT, TRIED, Expression, Task, Tasks, show_value
from rocecfg.vendors.base import RenderedText
from rocecfg.vendors.nxos.procedure import PROCEDURE, SAVE, VERIFY

_COMMAND = "cisco.nxos.nxos_command"
_LABEL = "roce"
_TRIED = "in effect until a reload, or until rollback running-config checkpoint roce"


def make_tasks(whole: RenderedText) -> Tasks:
    """The tasks for a text of NX-OS lines."""
    return Tasks(
        _list_tasks([line.strip() for line in whole.body.splitlines() if line.strip(" !")]),
        "cisco.nxos",
        "ansible_connection: ansible.netcommon.network_cli, ansible_network_os: cisco.nxos.nxos",
        "Show what runs, and the lines; nothing is typed.",
        _TRIED,
        VERIFY,
    )


def _list_tasks(lines: list[str]) -> list[Task]:
    return [
        {
            "name": "Ask what runs",
            _COMMAND: {"commands": ["show running-config ipqos"]},
            "register": "roce_before",
            "check_mode": False,
            "changed_when": False,
        },
        show_value("What runs", "roce_before.stdout_lines[0]"),
        {
            "name": "Type the lines",
            "vars": {"roce_lines": lines},
            "block": [
                {
                    "name": "Keep what runs, to return to",
                    _COMMAND: {"commands": [PROCEDURE.aside[0].format(label=_LABEL)]},
                    "when": TRIED,
                },
                {
                    "name": "Type the lines; each takes effect at once",
                    _COMMAND: {"commands": Expression("{{ ['configure terminal'] + roce_lines + ['end'] }}")},
                    "when": TRIED,
                    "changed_when": True,
                },
            ],
            "rescue": [
                {
                    "name": "Return to what ran",
                    _COMMAND: {"commands": ["end", PROCEDURE.back[0].format(label=_LABEL)]},
                    "when": TRIED,
                },
                {
                    "name": "Show which line the switch refuses",
                    "ansible.builtin.fail": {
                        "msg": Expression("returned to the checkpoint: {{ ansible_failed_result.msg | default('') }}")
                    },
                },
            ],
        },
        {"name": "Connect again: the switch is still reachable", "ansible.builtin.meta": "reset_connection"},
        {
            "name": "Look at PFC, its watchdog and queues",
            _COMMAND: {"commands": [Expression("{{ item }}")]},
            "loop": list(VERIFY),
            "register": "roce_checks",
            "ignore_errors": True,
        },
        show_value(
            "How it works now",
            "roce_checks.results | map(attribute='stdout_lines', default=[['no answer']]) | list",
        ),
        {"name": "Save it", _COMMAND: {"commands": [SAVE]}, "when": KEPT, "changed_when": True},
        show_value(
            "How to keep it",
            f"'In effect until a reload. To keep it, type on the switch: {SAVE}'",
            "roce | default('look') == 'try' and not ansible_check_mode",
        ),
    ]
