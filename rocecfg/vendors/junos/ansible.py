"""Junos statements as tasks of Ansible: loaded as set lines, compared, committed with a timer, confirmed."""

from __future__ import annotations

from rocecfg.vendors.ansible import KEPT, TRIED, Expression, Task, Tasks, say_tried, show_value
from rocecfg.vendors.base import RenderedText
from rocecfg.vendors.junos.procedure import PROCEDURE, VERIFY

_CONFIG = "junipernetworks.junos.junos_config"
_COMMAND = "junipernetworks.junos.junos_command"
_COMMENT = "RoCE settings"


def make_tasks(whole: RenderedText) -> Tasks:
    """The tasks for a text of set lines. `junos_config` locks, has them checked, and passes over deletes of nothing."""
    return Tasks(
        _commit_tasks([line for line in whole.body.splitlines() if line.strip()]),
        "junipernetworks.junos",
        "ansible_connection: ansible.netcommon.netconf, ansible_network_os: junipernetworks.junos.junos (over "
        "network_cli the module passes no minutes to commit confirmed)",
        "Show what it would change; nothing takes effect.",
        say_tried(PROCEDURE),
        VERIFY,
    )


def _commit_tasks(lines: list[str]) -> list[Task]:
    load = {"lines": Expression("{{ roce_lines }}"), "comment": _COMMENT}
    differs = "roce_loaded.changed"
    return [
        {
            "name": "Load, compare, commit",
            "vars": {"roce_lines": lines},
            "block": [
                {
                    "name": "Load the lines, check them, show what they change, drop them",
                    _CONFIG: load,
                    "register": "roce_loaded",
                    "check_mode": True,
                    "diff": True,
                },
                {
                    "name": "Apply the configuration; it rolls back unless confirmed",
                    _CONFIG: {**load, "confirm": PROCEDURE.minutes},
                    "when": [TRIED, differs],
                },
            ],
        },
        {"name": "Connect again: the switch is still reachable", "ansible.builtin.meta": "reset_connection"},
        {
            "name": "Look at classes, PFC, ECN, buffers and queues",
            _COMMAND: {"commands": [Expression("{{ item }}")], "display": "text"},
            "loop": list(VERIFY),
            "register": "roce_checks",
            "ignore_errors": True,
        },
        show_value(
            "How it works now",
            "roce_checks.results | map(attribute='stdout_lines', default=[['no answer']]) | list",
        ),
        # also where nothing differs: an earlier try may have put it in force, and its timer would bring the old back
        {"name": "Confirm it", _CONFIG: {"confirm_commit": True}, "when": KEPT},
        show_value(
            "How to keep it",
            (
                f"'In effect for {PROCEDURE.minutes} minutes. To keep it, type on the switch before that: configure; "
                "commit'"
            ),
            f"roce | default('look') == 'try' and not ansible_check_mode and {differs}",
        ),
    ]
