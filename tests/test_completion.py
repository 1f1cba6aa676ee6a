"""`rocecfg completion`: the words a shell offers, as the shell itself gets them."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, run
from click.shell_completion import ShellComplete
from intents import POLICY, rocecfg, write

from rocecfg.cli import _COMMANDS, cli
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL
from rocecfg.vendors import VENDORS

BASH = shutil.which("bash")


@pytest.fixture(scope="module")
def bash_env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `rocecfg` is this checkout's."""
    shim = tmp_path_factory.mktemp("bin") / "rocecfg"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rocecfg "$@"\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return clean_environment(PYTHONPATH=str(ROOT), PATH=f"{shim.parent}:{os.environ['PATH']}")


def offered(env: dict[str, str], cwd: Path, *words: str) -> list[str]:
    """What bash completes the last of these words to."""
    if BASH is None:
        pytest.skip("bash is not installed")
    line = " ".join(map(shlex.quote, words))
    script = (
        'eval "$(rocecfg completion bash)"; complete -p rocecfg >&2; compopt() { :; }\n'
        f"COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _rocecfg_completion rocecfg\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = run(BASH, "-c", script, cwd=cwd, env=env)
    assert "-F _rocecfg_completion rocecfg" in done.stderr  # bash knows whom to ask
    return done.stdout.split()


def test_bash_completes_commands(bash_env: dict[str, str], tmp_path: Path) -> None:
    assert offered(bash_env, tmp_path, "rocecfg", "") == list(_COMMANDS)
    assert offered(bash_env, tmp_path, "rocecfg", "re") == [name for name in _COMMANDS if name.startswith("re")]
    assert offered(bash_env, tmp_path, "rocecfg", "--v") == ["--version"]


def test_bash_completes_options_and_their_words(bash_env: dict[str, str], tmp_path: Path) -> None:
    assert offered(bash_env, tmp_path, "rocecfg", "lint", "--fail") == ["--fail-on"]
    assert offered(bash_env, tmp_path, "rocecfg", "lint", "--fail-on", "") == ["error", "warning", "info"]
    begins = [vendor for vendor in VENDORS if vendor.startswith("s")]
    assert offered(bash_env, tmp_path, "rocecfg", "render", "--vendor", "s") == begins
    assert offered(bash_env, tmp_path, "rocecfg", "completion", "") == ["bash", "zsh", "fish"]


def test_bash_completes_the_word_of_an_option_behind_its_sign(bash_env: dict[str, str], tmp_path: Path) -> None:
    lint = ("rocecfg", "lint", "--fail-on")
    assert offered(bash_env, tmp_path, *lint, "=", "w") == ["warning"]  # = ends a word for bash
    assert offered(bash_env, tmp_path, *lint, "=") == ["error", "warning", "info"]
    assert offered(bash_env, tmp_path, *lint, "=", "error", "--sel") == ["--select"]
    assert offered(bash_env, tmp_path, "rocecfg", "lint", "--fail-on=w") == ["--fail-on=warning"]  # unless told not to


def test_bash_completes_rules(bash_env: dict[str, str], tmp_path: Path) -> None:
    ets = [rule.name for rule in ALL if rule.name.startswith("ets-")]
    assert offered(bash_env, tmp_path, "rocecfg", "explain", "ets-") == ets
    assert offered(bash_env, tmp_path, "rocecfg", "lint", "--select", "ets-") == ets
    assert offered(bash_env, tmp_path, "rocecfg", "lint", "--ignore", "pfc-missing,ets-su") == ["pfc-missing,ets-sum"]


def test_bash_completes_profiles_and_those_of_the_folder(bash_env: dict[str, str], tmp_path: Path) -> None:
    own = "title: a fabric of ours\nextends: hpcc\n"
    write(tmp_path, {"rocecfg-profiles/ecn/ours.yaml": own})
    assert offered(bash_env, tmp_path, "rocecfg", "profiles", "nvidia-sn56") == [
        name for name in SHIPPED.names("platforms") if name.startswith("nvidia-sn56")
    ]
    assert "ours" in offered(bash_env, tmp_path, "rocecfg", "advise", "--family", "")
    assert offered(bash_env, tmp_path, "rocecfg", "init", "--platform", "arista-7060x6-64p") == ["arista-7060x6-64pe"]


def test_devices_of_the_intent_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = "devices: {'leaf[01-02]': {}, spine01: {}}\n"
    write(tmp_path, {"lab/fabric.yaml": POLICY + ours, "fabric.yaml": POLICY + ours.replace("leaf", "tor")})
    write(tmp_path, {"torn/fabric.yaml": "rocecfg: ["})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("_ROCECFG_COMPLETE", "bash_complete")

    def offer(*words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", shlex.join(("rocecfg", *words)))
        found = ShellComplete(cli, {}, "rocecfg", "_ROCECFG_COMPLETE").get_completions(list(words[:-1]), words[-1])
        return [item.value for item in found]

    assert offer("show", "lab", "l") == ["leaf01", "leaf02"]
    assert offer("render", "lab", "--device", "") == ["leaf01", "leaf02", "spine01"]
    assert offer("render", "--device", "tor") == ["tor01", "tor02"]
    assert offer("drift", "lab", "--device", "s") == ["spine01"]
    assert offer("show", "torn", "") == []


@pytest.mark.parametrize(("shell", "words"), [("zsh", "#compdef rocecfg"), ("fish", "complete --no-files")])
def test_other_shells_get_a_script(shell: str, words: str, tmp_path: Path) -> None:
    script = rocecfg(tmp_path, "completion", shell, expect=0).stdout
    assert words in script
    assert f"_ROCECFG_COMPLETE={shell}_complete" in script
    found = shutil.which(shell)
    if found is not None:
        subprocess.run([found, "-n"], input=script, text=True, check=True)


def by_zsh(env: dict[str, str], cwd: Path, *words: str) -> list[str]:
    """What zsh completes the last of these words to, as it is handed to zsh's own functions."""
    script = (
        'compdef() {}; eval "$(rocecfg completion zsh)"\n'
        '_describe() { print -rl -- "${(@)${(@P)3}%%:*}"; }; compadd() { print -rl -- "${(@P)@[-1]}"; }\n'
        f"words=({' '.join(map(shlex.quote, words))}); CURRENT={len(words)}; _rocecfg_completion\n"
    )
    return run("zsh", "-f", "-c", script, cwd=cwd, env=env).stdout.split()


def by_fish(env: dict[str, str], cwd: Path, *words: str) -> list[str]:
    """What fish completes the last of these words to."""
    script = f"rocecfg completion fish | source; complete -C {shlex.quote(' '.join(words))}"
    done = run("fish", "--no-config", "-c", script, cwd=cwd, env={**env, "HOME": str(cwd)})
    return [line.partition("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (("lint", "--fail-on", "w"), ["warning"]),
        (("lint", "--fail-on=w"), ["--fail-on=warning"]),
        (("lint", "--fail-on="), ["--fail-on=error", "--fail-on=info", "--fail-on=warning"]),
        (("explain", "ets-su"), ["ets-sum"]),
        (("lint", "--ignore", "pfc-count,ets-su"), ["pfc-count,ets-sum"]),
        (("lint", "--ignore=pfc-count,ets-su"), ["--ignore=pfc-count,ets-sum"]),
        (("comp",), ["completion"]),
        (("render", "--device", "le"), ["leaf01", "leaf02"]),
        (("show", "fabric.yaml", "spine"), ["spine01"]),
    ],
)
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_zsh_and_fish_complete(
    shell: str, words: tuple[str, ...], wanted: list[str], bash_env: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    write(tmp_path, {"fabric.yaml": POLICY + "devices: {'leaf[01-02]': {}, spine01: {}}\n"})
    found = {"zsh": by_zsh, "fish": by_fish}[shell](bash_env, tmp_path, "rocecfg", *words)
    assert sorted(found) == wanted


def test_zsh_and_fish_are_answered(tmp_path: Path) -> None:
    answer = rocecfg(
        tmp_path, _ROCECFG_COMPLETE="zsh_complete", COMP_WORDS="rocecfg explain watchdog-mis", COMP_CWORD="2", expect=0
    )
    kind, name, about = answer.stdout.splitlines()
    assert (kind, name) == ("plain", "watchdog-missing")
    assert about == next(rule.summary for rule in ALL if rule.name == name)
    answer = rocecfg(tmp_path, _ROCECFG_COMPLETE="fish_complete", COMP_WORDS="rocecfg li", COMP_CWORD="li", expect=0)
    assert answer.stdout.startswith("plain,lint\t")


def test_an_unknown_shell_is_refused(tmp_path: Path) -> None:
    assert "'bash', 'zsh', 'fish'" in rocecfg(tmp_path, "completion", "tcsh", expect=2).stderr


def test_commands_are_completed_without_loading_one(tmp_path: Path) -> None:
    script = (
        "import os, sys\n"
        "sys.argv = ['rocecfg']\n"
        "os._exit = lambda code: print('loaded', code, *sorted(m for m in sys.modules if m.startswith('rocecfg')))\n"
        "from rocecfg.cli import main\n"
        "main()\n"
    )
    env = clean_environment(
        PYTHONPATH=str(ROOT), _ROCECFG_COMPLETE="bash_complete", COMP_WORDS="rocecfg ", COMP_CWORD="1"
    )
    done = run(sys.executable, "-c", script, cwd=tmp_path, env=env)
    assert done.stdout.count("plain,") == len(_COMMANDS)
    assert done.stdout.splitlines()[-1] == "loaded 0 rocecfg rocecfg.cli rocecfg.cli.group rocecfg.cli.terminal"


def test_other_runs_know_nothing_of_it(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    code = (
        "import sys\nfrom rocecfg.cli import cli\n"
        "try:\n    cli(['lint', 'fabric.yaml'])\n"
        "except SystemExit:\n    print([m for m in sys.modules if 'completion' in m])\n"
    )
    done = run(sys.executable, "-c", code, cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT)))
    assert done.stdout.splitlines()[-1] == "[]"
