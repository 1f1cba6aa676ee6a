"""NVUE's YAML as tasks of Ansible: one pending change, applied with a timer, confirmed, saved.

They type `nv`, which every release has: the collection `nvidia.nvue` is not among those of PyPI's `ansible`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.vendors.ansible import (
    COMMAND,
    KEPT,
    TRIED,
    Expression,
    Task,
    Tasks,
    remove_temporary,
    run_checks,
    say_tried,
    show_value,
)
from rocecfg.vendors.base import RenderedText
from rocecfg.vendors.spectrum.procedure import APPLY, CONFIRM, DIFF, MINUTES, SAVE, procedure_in

# 5.14.0 returns 1 for changes that it shows (NVIDIA 4616352): only one that shows none has failed
_NO_DIFF = "roce_diff.rc != 0 and roce_diff.stdout | default('') | trim | length == 0"


def make_tasks(whole: RenderedText) -> Tasks:
    """The tasks for a text that `nv config patch` takes."""
    assert whole.apply is not None
    checks = [line for do in whole.apply.check[:1] for line in do.lines]
    return Tasks(
        [
            {
                "name": "Patch, compare, apply",
                "block": _patch_tasks(whole.body, checks),
                "always": [remove_temporary("file", "roce_file")],
            }
        ],
        "modules of ansible-core: nvidia.nvue is not needed",
        "ansible_become: true, or a user who may run nv; pending changes of that user are included",
        "Check that the switch answers; `rocecfg drift` shows what would change.",
        say_tried(procedure_in(())),
        checks,
    )


def _patch_tasks(body: str, checks: Sequence[str]) -> list[Task]:
    go = [TRIED, "roce_diff.stdout | default('') | trim | length > 0"]
    return [
        {
            "name": "A temporary file on the switch",
            "ansible.builtin.tempfile": {"suffix": ".yaml"},
            "register": "roce_file",
            "when": TRIED,
        },
        {
            "name": "Copy the configuration",
            "ansible.builtin.copy": {"content": body, "dest": Expression("{{ roce_file.path }}"), "mode": "0600"},
            "when": TRIED,
        },
        {
            "name": "Make it the pending change",
            COMMAND: {"argv": ["nv", "config", "patch", Expression("{{ roce_file.path }}")]},
            "when": TRIED,
        },
        {
            "name": "What it changes",
            COMMAND: {"argv": DIFF.split()},
            "register": "roce_diff",
            "changed_when": False,
            "failed_when": _NO_DIFF,
            "when": TRIED,
        },
        show_value("What changes", "roce_diff.stdout_lines", TRIED),
        {
            "name": "Apply the configuration; it rolls back unless confirmed",
            COMMAND: {"argv": [*APPLY.split(), "--assume-yes", "--confirm"]},
            "when": go,
        },
        {"name": "Connect again: the switch is still reachable", "ansible.builtin.meta": "reset_connection"},
        *run_checks("Look at PFC, its watchdog and ECN", checks),
        {
            # also where nothing differs: an earlier try may have put it in force, and its timer would bring the old
            # back; where none did, that nothing waits is no failure
            "name": "Confirm it",
            COMMAND: {"argv": CONFIRM.split()},
            "register": "roce_confirmed",
            "failed_when": f"roce_confirmed.rc != 0 and {go[1]}",
            "when": KEPT,
        },
        {"name": "Save it", COMMAND: {"argv": SAVE.split()}, "when": KEPT},
        show_value(
            "How to keep it",
            f"'In effect for {MINUTES} minutes. To keep it, type on the switch before that: {CONFIRM}; {SAVE}'",
            " and ".join(["roce | default('look') == 'try'", "not ansible_check_mode", go[1]]),
        ),
    ]
