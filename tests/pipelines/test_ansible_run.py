"""Task lists run by Ansible itself: which tasks a switch sees with `roce` as look, try and keep, and in what order.

ansible-core is real, and so are its modules. Collections for EOS and Junos talk to switches alone: a module of the same
name and options writes down what it is given, and Ansible judges the options by the published facts.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import HANG, ROOT, clean_environment
from intents import rocecfg

FACTS = json.loads((ROOT / "tests" / "vendors" / "ansible_modules.json").read_text(encoding="utf-8"))
PLAY = """\
- hosts: all
  gather_facts: false
  serial: 1
  tasks:
    - ansible.builtin.include_tasks: "rendered/{{ inventory_hostname }}.tasks.yml"
"""
MODULE = """\
import json, os
from ansible.module_utils.basic import AnsibleModule

def main():
    module = AnsibleModule(argument_spec=json.loads(%r), supports_check_mode=True)
    given = {key: value for key, value in module.params.items() if value is not None}
    with open(os.environ["SWITCH_LOG"], "a") as log:
        log.write(json.dumps([%r, given, module.check_mode]) + "\\n")
    asked = given.get("commands") or []  # a command, or a mapping of it and the form of its output
    said = [line if isinstance(line, str) else line["command"] for line in asked]
    if any("refuse-me" in line for line in said + (given.get("lines") or [])):
        module.fail_json(msg="%% Invalid input at refuse-me")
    differs = os.environ.get("SWITCH_DIFFERS") == "yes"
    out = ["+ mtu 9000" if differs and "session-config" in line else "" for line in said]
    waits = {name: {"state": "pendingCommitTimer"} for name in os.environ["SWITCH_WAITS"].split()}
    if any(line != text for line, text in zip(asked, said)):
        assert said == ["show configuration sessions detail"], said
        out = [{"sessions": {"roce-0": {"state": "completed"}, **waits}}]
    module.exit_json(changed=differs, stdout=out, stdout_lines=[str(line).splitlines() for line in out])

main()
"""
SHIM = '#!/bin/bash\necho "$(basename "$0") $*" >> "$SWITCH_LOG"\n'
SHOW = {
    # as 5.14.0, whose `nv config diff` returns 1 for changes that it shows (NVIDIA 4616352)
    "nv": '[ "$*" != "config diff" ] || [ "$SWITCH_DIFFERS" != yes ] || { echo "- set: qos"; exit 1; }\n'
    # where nothing waits to be confirmed
    '[ "$*" != "config apply --confirm-yes" ] || [ "$SWITCH_DIFFERS$SWITCH_WAITS" != no ] || exit 1\n',
    "sonic-db-cli": 'case "$*" in *buffer_model*) echo dynamic;; *admin_status) echo up;; *pfc_wd*) ;;'
    ' "APPL_DB HGET "*) echo "[p]";; "COUNTERS_DB HGET "*|"ASIC_DB HGET "*) echo oid:0x1a;; esac\n',
    "sudo": 'exec "$@"\n',
}


def _ansible() -> str:
    """ansible-playbook of the folder that ROCECFG_ANSIBLE names, or of the PATH."""
    folder = os.environ.get("ROCECFG_ANSIBLE", "")
    found = shutil.which("ansible-playbook", path=f"{folder}/bin") or shutil.which("ansible-playbook")
    if found is None:
        pytest.skip("no ansible-playbook: ROCECFG_ANSIBLE names a virtual environment that has ansible-core")
    return found


def _fakes(folder: Path) -> None:
    for collection in ("arista.eos", "junipernetworks.junos"):
        modules = folder / "ansible_collections" / collection.replace(".", "/") / "plugins" / "modules"
        modules.mkdir(parents=True)
        for name, options in FACTS[collection]["modules"].items():
            spec = json.dumps(
                {key: {k: v for k, v in stated.items() if k != "default"} for key, stated in options.items()}
            )
            (modules / f"{name}.py").write_text("#!/usr/bin/python\n" + MODULE % (spec, name), encoding="utf-8")


def _play(
    folder: Path, vendor: str, roce: str | None, *, differs: bool = True, waits: str = "", expect: int = 0
) -> list[str]:
    """What a switch was told, one line each; a module of a collection as `name {options} check`.

    `waits`: what an earlier run put in force, and what returns unless it is confirmed.
    """
    log, bin_ = folder / "log", folder / "bin"
    if not bin_.exists():
        _fakes(folder)
        bin_.mkdir()
        for name in ("nv", "sonic-db-cli", "sudo", "config", "show", "pfcwd"):
            (bin_ / name).write_text(SHIM + SHOW.get(name, ""), encoding="utf-8")
            (bin_ / name).chmod(0o755)
        (folder / "roce.yml").write_text(PLAY, encoding="utf-8")
        rocecfg(folder, "init", "--yes", "--vendor", vendor, expect=0)
        rocecfg(folder, "render", "--as", "ansible", "-o", "rendered", expect=0)
    log.write_text("", encoding="utf-8")
    extra = ["-e", f"roce={roce}"] if roce else []
    python = ["-e", f"ansible_python_interpreter={sys.executable}"]
    done = subprocess.run(
        [_ansible(), "-i", "leaf01,", "-c", "local", "roce.yml", *python, *extra],
        cwd=folder,
        env=clean_environment(
            PATH=f"{bin_}:{os.environ['PATH']}",
            SWITCH_LOG=str(log),
            SWITCH_DIFFERS="yes" if differs else "no",
            SWITCH_WAITS=waits,
            ANSIBLE_COLLECTIONS_PATH=str(folder),
            HOME=str(folder),
            ANSIBLE_HOME=str(folder / "home"),
            ANSIBLE_LOCALHOST_WARNING="False",
            ANSIBLE_PIPELINING="True",  # one process a task
            LC_ALL="C.UTF-8",
        ),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == expect, done.stdout[-4000:] + done.stderr[-2000:]
    assert "Unsupported parameters" not in done.stdout
    return log.read_text(encoding="utf-8").splitlines()


def _typed(log: list[str]) -> list[list[str]]:
    all_given = [given["commands"] for name, given, _ in map(json.loads, log) if name.endswith("_command")]
    return [[line if isinstance(line, str) else line["command"] for line in commands] for commands in all_given]


def test_eos_looks_tries_and_keeps(tmp_path: Path) -> None:
    look = _typed(_play(tmp_path, "arista", None))
    assert "service-profile ROCE" in look[0]
    assert [line.split("-")[0] for line in look[1]] == ["configure session roce", "abort"]
    assert all(typed[0].startswith("show ") for typed in look[2:])
    tried = _typed(_play(tmp_path, "arista", "try"))
    session = tried[0][0]
    assert tried[1] == [session, "commit timer 00:05:00"]
    assert all(typed[0].startswith("show ") for typed in tried[2:])
    kept = _typed(_play(tmp_path, "arista", "keep"))
    session = kept[0][0]
    assert kept[1] == [session, "commit timer 00:05:00"]
    assert kept[-1] == [f"{session} commit", "copy running-config startup-config"]
    nothing = _typed(_play(tmp_path, "arista", "keep", differs=False))
    assert not any("commit" in line for typed in nothing for line in typed)
    assert nothing[1][1:] == ["abort"]
    earlier = _typed(_play(tmp_path, "arista", "keep", differs=False, waits="roce-17 of-others"))
    commits = [line for typed in earlier for line in typed if "commit" in line]
    assert commits == ["configure session roce-17 commit"]
    assert earlier[-1] == ["copy running-config startup-config"]


def test_a_line_that_eos_refuses_leaves_no_session(tmp_path: Path) -> None:
    _play(tmp_path, "arista", None)
    listed = tmp_path / "rendered" / "leaf01.tasks.yml"
    listed.write_text(listed.read_text(encoding="utf-8").replace("- qos trust dscp", "- refuse-me"), encoding="utf-8")
    typed = _typed(_play(tmp_path, "arista", "keep", expect=2))
    assert len(typed) == 2
    assert typed[1] == [typed[0][0], "abort"]


def test_junos_looks_tries_and_keeps(tmp_path: Path) -> None:
    (look,) = [entry for entry in map(json.loads, _play(tmp_path, "junos", None)) if entry[0] == "junos_config"]
    assert look[2] is True, "check mode: loaded, compared and dropped"
    assert look[1]["lines"][0].startswith("delete class-of-service ")
    tried = [e for e in map(json.loads, _play(tmp_path, "junos", "try")) if e[0] == "junos_config"]
    assert [(e[1].get("confirm"), e[2]) for e in tried] == [(None, True), (5, False)]
    kept = list(map(json.loads, _play(tmp_path, "junos", "keep")))
    assert kept[-1] == ["junos_config", {"confirm_commit": True}, False]
    assert [e[1].get("confirm") for e in kept if e[0] == "junos_config"] == [None, 5, None]


def test_cumulus_looks_tries_and_keeps(tmp_path: Path) -> None:
    assert all(line.startswith("nv show ") for line in _play(tmp_path, "spectrum", None))
    tried = _play(tmp_path, "spectrum", "try")
    assert tried[0].startswith("nv config patch /")
    assert tried[1:3] == ["nv config diff", "nv config apply --assume-yes --confirm"]
    assert not any("save" in line or "confirm-yes" in line for line in tried)
    kept = _play(tmp_path, "spectrum", "keep")
    assert kept[-2:] == ["nv config apply --confirm-yes", "nv config save"]
    assert not Path(kept[0].split()[-1]).exists(), "the file is removed"
    for waits in ("", "an earlier try"):  # that nothing waits is no failure
        nothing = _play(tmp_path, "spectrum", "keep", differs=False, waits=waits)
        assert [line for line in nothing if "apply" in line] == ["nv config apply --confirm-yes"]
        assert nothing[-1] == "nv config save"


def test_sonic_looks_tries_and_keeps(tmp_path: Path) -> None:
    assert all(line.startswith("show ") for line in _play(tmp_path, "sonic", "look"))
    tried = _play(tmp_path, "sonic", "try")
    load = next(at for at, line in enumerate(tried) if line.startswith("config load -y /"))
    shut = [at for at, line in enumerate(tried) if line.startswith("config interface shutdown")]
    start = [at for at, line in enumerate(tried) if line.startswith("config interface startup")]
    assert max(shut) < load < min(start), "the planner's order"
    assert "config save -y" not in tried
    assert _play(tmp_path, "sonic", "keep")[-1] == "config save -y"
