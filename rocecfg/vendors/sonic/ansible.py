"""CONFIG_DB as tasks of Ansible: the file and the script that loads it in the planner's order, copied, run, saved.

`dellemc.enterprise_sonic` is not a way to it: its modules speak the CLI and REST of Dell's own SONiC, which have no
CONFIG_DB tables.
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
    show_value,
)
from rocecfg.vendors.apply import script_of
from rocecfg.vendors.base import Apply, RenderedText
from rocecfg.vendors.sonic import commands

_FILE, _SCRIPT = "roce.json", "roce.sh"


def make_tasks(whole: RenderedText) -> Tasks:
    """The tasks for a text that `config load` takes."""
    assert whole.apply is not None
    checks = [line for do in whole.apply.check for line in do.lines]
    return Tasks(
        [
            {
                "name": "Copy, load in order, look, save",
                "block": _load_tasks(whole, whole.apply, checks),
                "always": [remove_temporary("folder", "roce_folder")],
            }
        ],
        "modules of ansible-core: dellemc.enterprise_sonic supports only the CLI of Dell's own SONiC",
        "ansible_become: true",
        "Check that the switch answers; `rocecfg drift` shows what would change.",
        "in effect until a reboot or `sudo config reload -y` loads the saved configuration: drain the switch first",
        checks,
    )


def _load_tasks(whole: RenderedText, apply: Apply, checks: Sequence[str]) -> list[Task]:
    ask = next(i for i, line in enumerate(apply.script) if line == commands.LOOK)
    script = script_of(apply._replace(script=apply.script[:ask]), "sonic", _FILE)
    files = {_FILE: whole.body, _SCRIPT: script}
    return [
        {
            "name": "A temporary folder on the switch",
            "ansible.builtin.tempfile": {"state": "directory"},
            "register": "roce_folder",
            "when": TRIED,
        },
        *(
            {
                "name": f"Copy {name}",
                "ansible.builtin.copy": {
                    "content": text,
                    "dest": Expression(f"{{{{ roce_folder.path }}}}/{name}"),
                    "mode": "0600",
                },
                "when": TRIED,
            }
            for name, text in files.items()
        ),
        {
            "name": "Load it, in the order that keeps headroom and PFC together; waits for each check",
            COMMAND: {"argv": ["bash", Expression(f"{{{{ roce_folder.path }}}}/{_SCRIPT}"), "--yes"]},
            "register": "roce_loaded",
            "when": TRIED,
        },
        show_value("What was done", "roce_loaded.stdout_lines", TRIED),
        *run_checks("Look at PFC, its watchdog, ECN and headroom", checks),
        {"name": "Save it", COMMAND: {"argv": commands.SAVE.split()}, "when": KEPT},
        show_value(
            "How to keep it",
            f"'Applied, but not saved. To keep it, type on the switch: {commands.SAVE}; to go back, with all links "
            "down: sudo config reload -y'",
            "roce | default('look') == 'try' and not ansible_check_mode",
        ),
    ]
