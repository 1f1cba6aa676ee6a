"""`render --as ansible`: task lists that say what the notes for people say, in words that modules of Ansible take."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible_facts import facts
from intents import POLICY, rocecfg, write
from jinja2 import Environment

from rocecfg.vendors import TABLE
from rocecfg.vendors.ansible import FORM

KNOWN = json.loads((Path(__file__).parent / "ansible_modules.json").read_text(encoding="utf-8"))
MODULES = {
    f"{'ansible.builtin' if collection == 'ansible-core' else collection}.{name}": options
    for collection, of in KNOWN.items()
    for name, options in of["modules"].items()
}
KEYWORDS = {
    "name",
    "when",
    "register",
    "check_mode",
    "changed_when",
    "failed_when",
    "diff",
    "ignore_errors",
    "loop",
    "vars",
}
BLOCK = {"name", "block", "rescue", "always", "vars", "when"}
PLAIN = {"sonic": "config_db", "spectrum": "nvue", "arista": "cli", "junos": "set", "nxos": "cli"}
TYPES: dict[str, type | tuple[type, ...]] = {
    "bool": bool,
    "int": int,
    "list": (list, str),
    "str": str,
    "path": str,
    "raw": str,
}
JINJA = re.compile(r"^\{\{.*\}\}$", re.DOTALL)


class Reader(yaml.SafeLoader):
    """Knows Ansible's mark of a text in which nothing is filled in."""


Reader.add_constructor("!unsafe", lambda loader, node: loader.construct_scalar(node))


def tasks_in(text: str) -> list[dict[str, Any]]:
    return list(yaml.load(text, Reader))  # noqa: S506 - a SafeLoader


def flat(tasks: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for task in tasks:
        parts = [task[key] for key in ("block", "rescue", "always") if key in task]
        if parts:
            assert set(task) <= BLOCK
            for part in parts:
                yield from flat(part)
        else:
            yield task


def module_of(task: dict[str, Any]) -> str:
    (module,) = set(task) - KEYWORDS
    return module


@pytest.fixture(params=[of.name for of in TABLE if FORM in of.forms], scope="module")
def rendered(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, str]:
    """Vendor, task list and plain text of a starter intent."""
    tmp_path = tmp_path_factory.mktemp("starter")
    rocecfg(tmp_path, "init", "--yes", "--vendor", request.param, expect=0)
    listed = rocecfg(tmp_path, "render", "--as", "ansible", expect=0).stdout
    plain = rocecfg(tmp_path, "render", "--as", PLAIN[request.param], expect=0).stdout
    return request.param, listed, plain


def test_every_task_is_one_that_its_module_takes(rendered: tuple[str, str, str]) -> None:
    vendor, listed, _ = rendered
    modules = set()
    for task in flat(tasks_in(listed)):
        module = module_of(task)
        modules.add(module)
        options, given = MODULES[module], task[module]
        if module == "ansible.builtin.meta":
            assert given in options["free_form"]["choices"]
            continue
        if module == "ansible.builtin.set_fact":
            continue
        assert not {name for name, stated in options.items() if stated.get("required")} - set(given), task["name"]
        for name, value in given.items():
            if name == "msg" and module.endswith("debug"):
                continue
            stated = options.get(name, {}) if name != "cmd" or module != "ansible.builtin.command" else {"type": "str"}
            assert name in options, (module, name)
            if "choices" in stated:
                assert value in stated["choices"]
            assert isinstance(value, TYPES[stated.get("type", "str")]), (module, name)
            if isinstance(value, str) and stated.get("type") == "list":
                assert JINJA.match(value), (module, name)
    own = {"arista": "arista.eos.", "junos": "junipernetworks.junos.", "nxos": "cisco.nxos."}.get(
        vendor, "ansible.builtin."
    )
    assert any(module.startswith(own) for module in modules)
    assert not any("enterprise_sonic" in module or "nvue" in module for module in modules)


def test_the_list_carries_what_is_rendered(rendered: tuple[str, str, str]) -> None:
    vendor, listed, plain = rendered
    wanted = [line.strip() for line in plain.splitlines() if line.strip() and line[0] not in "!#"]
    tasks = tasks_in(listed)
    if PLAIN[vendor] in ("cli", "set"):
        (lines,) = [task["vars"]["roce_lines"] for task in tasks if "vars" in task]
        assert lines == [line for line in wanted if line != "!"]
        return
    contents = [task[module_of(task)]["content"] for task in flat(tasks) if module_of(task).endswith(".copy")]
    assert [line.strip() for line in contents[0].splitlines() if line.strip()] == wanted
    if vendor == "sonic":
        assert json.loads(contents[0]) == json.loads(plain)


def test_nothing_that_changes_a_switch_runs_unasked(rendered: tuple[str, str, str]) -> None:
    """Each task that is not bound to `try` or `keep` only looks, or is undone by a task that always runs."""
    vendor, listed, _ = rendered
    for task in flat(tasks_in(listed)):
        module, when = module_of(task), json.dumps(task.get("when", ""))
        given = json.dumps(task[module])
        if "'try', 'keep']" in when or "== 'keep'" in when or "roce_" in when or task.get("check_mode") is not None:
            continue
        if module.rpartition(".")[2] in ("assert", "debug", "set_fact", "meta", "fail"):
            continue
        looped = task.get("loop", [])
        assert looped or "'end', 'show session-config" in given, (vendor, task["name"])
        assert all(re.match(r"(nv )?show ", line) for line in looped)


def test_the_save_comes_last_and_only_where_it_is_kept(rendered: tuple[str, str, str]) -> None:
    _, listed, _ = rendered
    tasks = list(flat(tasks_in(listed)))
    saves = [
        at
        for at, task in enumerate(tasks)
        if "debug" not in module_of(task)
        and re.search(r"startup-config|config.{1,8}save|confirm_commit", json.dumps(task[module_of(task)]))
    ]
    looks = [at for at, task in enumerate(tasks) if isinstance(task.get("loop"), list)]
    assert saves
    assert looks
    assert min(saves) > max(looks)
    for at in saves:
        assert "== 'keep'" in json.dumps(tasks[at]["when"])


def test_it_returns_by_itself_where_the_system_can(rendered: tuple[str, str, str]) -> None:
    vendor, listed, _ = rendered
    timer = {"arista": "commit timer 00:05:00", "junos": '"confirm": 5', "spectrum": '"--confirm"'}.get(vendor)
    if vendor == "nxos":
        assert "rollback running-config checkpoint roce" in listed
    elif timer is None:
        assert "config reload" in listed, "SONiC has no timer: the list says what brings the old configuration back"
    if timer is None:
        return
    tasks = list(flat(tasks_in(listed)))
    at = [number for number, task in enumerate(tasks) if timer in json.dumps(task[module_of(task)])]
    assert len(at) == 1
    again = [number for number, task in enumerate(tasks) if task.get("ansible.builtin.meta") == "reset_connection"]
    assert max(again) > at[0], "the switch is reached again before anything is confirmed"


def run_in(listed: str, known: dict[str, Any]) -> list[str]:
    """What tasks that change a switch are given, those that run where these variables stand. As Ansible has it."""
    ansible = Environment(autoescape=False)  # noqa: S701 - no HTML
    ansible.tests |= {"search": lambda text, part: part in text, "match": lambda text, part: text.startswith(part)}
    ansible.filters["dict2items"] = lambda of: [{"key": key, "value": value} for key, value in of.items()]
    done = []
    for task in flat(tasks_in(listed)):
        when = task.get("when", "true")
        each_of = [when] if isinstance(when, str) else when
        if not all(ansible.compile_expression(each, undefined_to_none=False)(**known) for each in each_of):
            continue
        looped = task.get("loop", [None])
        items = ansible.compile_expression(looped.strip("{} "))(**known) if isinstance(looped, str) else looped
        given = json.dumps(task[module_of(task)])
        done += [given.replace("item", str(item)) for item in items if "debug" not in module_of(task)]
    return done


@pytest.mark.parametrize("asked", ["try", "keep"])
def test_what_a_try_put_in_force_is_confirmed_by_the_keep_that_follows(
    rendered: tuple[str, str, str], asked: str
) -> None:
    """By then nothing differs, but the timer runs: unconfirmed, the old would return after it was saved and told."""
    vendor, listed, _ = rendered
    confirms = {"arista": "roce-1 ~ ' commit'", "junos": '"confirm_commit": true', "spectrum": '"--confirm-yes"'}
    if vendor not in confirms:
        return
    sessions = {"roce-1": {"state": "pendingCommitTimer"}, "roce-0": {"state": "completed"}}
    known = {
        "roce": asked,
        "ansible_check_mode": False,
        "roce_session": "roce-2",
        "roce_file": {"path": "/tmp/f"},  # noqa: S108 - a name alone
        "roce_diff": {"rc": 0, "stdout": ""},
        "roce_loaded": {"changed": False, "stdout": [""]},
        "roce_sessions": {"stdout": [{"sessions": sessions | {"theirs": {"state": "pendingCommitTimer"}}}]},
    }
    done = run_in(listed, known)
    confirmed = [at for at, given in enumerate(done) if confirms[vendor] in given]
    assert len(confirmed) == (asked == "keep")
    saved = [at for at, given in enumerate(done) if re.search('startup-config|"save"', given)]
    assert all(at > confirmed[0] for at in saved)
    assert not any("theirs" in given or "roce-0" in given for given in done)
    if vendor == "spectrum":  # without a try before it nothing waits, which is no failure
        (task,) = (task for task in flat(tasks_in(listed)) if task["name"] == "Confirm it")
        assert "roce_confirmed.rc != 0 and roce_diff" in task["failed_when"]


def test_the_collection_of_dell_is_refused_by_name(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY + "defaults: {vendor: sonic}\n"})
    out = rocecfg(tmp_path, "render", "--as", "ansible", "-o", "out", expect=0)
    assert "dellemc.enterprise_sonic supports only the CLI of Dell's own SONiC" in "".join(
        path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()
    )
    assert out.returncode == 0


def test_what_jinja_would_fill_in_is_left_alone(tmp_path: Path) -> None:
    """A template of the user's whose text has braces is configuration, not an expression of Ansible."""
    rocecfg(tmp_path, "init", "--yes", "--vendor", "arista", expect=0)
    write(tmp_path, {"rocecfg-templates/arista/eos.j2": "banner {{ '{{' }} lookup('pipe', 'id') {{ '}}' }}\n"})
    listed = rocecfg(tmp_path, "render", "--as", "ansible", expect=0).stdout
    assert "- !unsafe banner {{ lookup('pipe', 'id') }}" in listed.replace("'banner", "banner").replace("''", "'")


def test_a_folder_of_task_lists_is_no_fabric(tmp_path: Path) -> None:
    """Commands that read a folder of switches pass over the lists beside their configurations."""
    rocecfg(tmp_path, "init", "--yes", "--vendor", "arista", expect=0)
    for form in ("ansible", "cli"):
        rocecfg(tmp_path, "render", "--as", form, "-o", "out", expect=0)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "APPLY-leaf01.md",
        "leaf01.cfg",
        "leaf01.tasks.yml",
    }
    assert "1 device" in rocecfg(tmp_path, "lint", "out").stdout
    drift = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "out").stdout
    assert "tasks.yml" not in drift


def test_no_model_judges_a_task_list(tmp_path: Path) -> None:
    rocecfg(tmp_path, "init", "--yes", "--vendor", "arista", expect=0)
    refused = rocecfg(tmp_path, "render", "--as", "ansible", "--validate", expect=2)
    assert "render without --as ansible" in refused.stderr


def test_the_facts_are_those_of_the_collections() -> None:
    """ROCECFG_ANSIBLE names a folder with the wheels of `ansible` and `ansible-core`."""
    folder = os.environ.get("ROCECFG_ANSIBLE")
    if not folder or not any(Path(folder).glob("ansible-*.whl")):
        pytest.skip("no wheels of ansible: ROCECFG_ANSIBLE names the folder that `pip download` filled")
    assert facts(Path(folder)) == KNOWN
