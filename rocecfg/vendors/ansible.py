"""Task lists for Ansible: what a vendor's notes tell people to do, as tasks that do it.

Every list takes one word, `roce`: `look` (where nothing is said) changes nothing, `try` puts the configuration in
force until a timer brings the old one back, or a reboot where the system has no timer, `keep` confirms and saves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.vendors import load_part
from rocecfg.vendors.base import Apply, Do, RenderedText
from rocecfg.vendors.procedure import Procedure, Save

FORM = "ansible"
SUFFIX = ".tasks.yml"
MARK = ", as tasks of Ansible ("  # in the first line of a list
COMMAND = "ansible.builtin.command"
TRIED = "roce | default('look') in ['try', 'keep'] and not ansible_check_mode"
KEPT = "roce | default('look') == 'keep' and not ansible_check_mode"
_ASKED = "roce | default('look') in ['look', 'try', 'keep']"
_PLAY = (  # roce.yml
    "- hosts: SWITCHES",
    "  gather_facts: false",
    "  serial: 1",
    "  tasks:",
    '    - ansible.builtin.include_tasks: "rendered/{{ inventory_hostname }}.tasks.yml"',
)
_RUN = "ansible-playbook roce.yml --limit SWITCH -e roce="
_JINJA = ("{{", "{%", "{#")
_WIDTH = 4096  # no line of a configuration is folded

Task = Mapping[str, Any]


class Tasks(NamedTuple):
    """What a vendor does with its text in Ansible."""

    tasks: Sequence[Task]
    collection: str  # whose modules are used, for whoever installs them
    inventory: str  # what the inventory has to say of the switches
    looked: str  # what `look` shows, a sentence
    tried: str  # what `try` leaves behind, and how it returns
    checks: Sequence[str]  # what is shown before the save


class Expression(str):
    """A text with expressions that Ansible is to fill in; in any other text they are not looked for."""

    __slots__ = ()


def make_task_list(vendor: str, whole: RenderedText) -> RenderedText:
    """The task list of a device, from its text and how its vendor applies it."""
    tasks: Tasks = load_part(vendor, f"rocecfg.vendors.{vendor}.ansible").make_tasks(whole)
    kept = whole.apply
    assert kept is not None  # a configuration of a switch has it
    about = kept.about.rstrip(".")
    notes = (
        f"{about}{MARK}{tasks.collection})",
        f"Disturbs: {kept.disturbs}",
        "A play includes it, one switch after the other: ansible.builtin.include_tasks",
        f"Give -e roce=look (or nothing): changes nothing; roce=try: {tasks.tried}; roce=keep: confirmed and saved",
        f"Inventory: {tasks.inventory}",
    )
    apply = Apply(
        notes[0],
        kept.disturbs,
        (
            Do(f"Set in the inventory, with the switch names of the intent: {tasks.inventory}."),
            Do("Write a play that includes it, as roce.yml next to the folder of these files.", _PLAY),
            Do(tasks.looked, (f"{_RUN}look",)),
            Do(f"Try it: {tasks.tried}.", (f"{_RUN}try",)),
        ),
        (Do("Check that it works as intended; the tasks print these.", tuple(tasks.checks)),),
        Save((f"{_RUN}keep",), f"Until then: {tasks.tried}.", ""),
        kept.more,
        drained=kept.drained,
    )
    body = _dump([_check_word(), *tasks.tasks])
    return RenderedText(body, notes, "# ", SUFFIX, apply)


def show_value(name: str, value: str, when: str | None = None) -> Task:
    """A task that prints the value of an expression."""
    task = {"name": name, "ansible.builtin.debug": {"msg": Expression(f"{{{{ {value} }}}}")}}
    return {**task, "when": when} if when else task


def say_tried(procedure: Procedure) -> str:
    """What is in force after `try` on a system that returns by itself."""
    return f"in effect for {procedure.minutes} minutes, then the previous configuration returns"


def run_checks(name: str, checks: Sequence[str]) -> list[Task]:
    """Tasks that run commands on the switch itself, and print what these say."""
    return [
        {
            "name": name,
            COMMAND: {"cmd": Expression("{{ item }}")},
            "loop": list(checks),
            "register": "roce_checks",
            "changed_when": False,
            "ignore_errors": True,
        },
        show_value(
            "How it works now", "roce_checks.results | map(attribute='stdout_lines', default=['no answer']) | list"
        ),
    ]


def remove_temporary(kind: str, register: str) -> Task:
    """A task that removes the file or folder that `ansible.builtin.tempfile` made; `register`: its variable."""
    return {
        "name": f"Remove the {kind}",
        "ansible.builtin.file": {"path": Expression(f"{{{{ {register}.path }}}}"), "state": "absent"},
        "when": f"{register}.path is defined",
    }


def _check_word() -> Task:
    return {
        "name": "roce is look, try or keep",
        "ansible.builtin.assert": {"that": [_ASKED], "fail_msg": "give -e roce=look, -e roce=try or -e roce=keep"},
    }


def _dump(tasks: Sequence[Task]) -> str:
    """YAML as people write it. A text with what Jinja would fill in, and that is not an expression, is marked so."""
    import yaml

    class Dumper(yaml.SafeDumper):
        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT002 - PyYAML's
            super().increase_indent(flow, False)  # noqa: FBT003 - items of a list stand in from its key

        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's
            return True

    def represent_text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        tag = "!unsafe" if any(mark in value for mark in _JINJA) else "tag:yaml.org,2002:str"
        return dumper.represent_scalar(tag, value, style="|" if "\n" in value else None)

    def represent_expression(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(value), style='"')

    Dumper.add_representer(str, represent_text)
    Dumper.add_representer(Expression, represent_expression)
    return "---\n" + yaml.dump(
        list(tasks), Dumper=Dumper, sort_keys=False, width=_WIDTH, allow_unicode=True, default_flow_style=False
    )
