"""`rocecfg init`: a starter intent that lints clean and renders, whatever is asked for; and nothing overwritten."""

from __future__ import annotations

import os
import pty
import re
import select
import stat
import subprocess
import sys
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Self

import pytest
import sampling
import yaml
from checkout import HANG, ROOT, clean_environment, run, wait_until
from intents import judged, rocecfg, write

from rocecfg import load
from rocecfg.cli.starter import TAKEN, Cluster, StarterChoices, list_platforms, list_speeds, make_starter
from rocecfg.core.nodeset import names_of
from rocecfg.linting.rendering import render_files
from rocecfg.model import Fabric
from rocecfg.profiles import SHIPPED
from rocecfg.vendors import VENDORS

ASKS_VENDOR = f"vendor ({', '.join(VENDORS)}) [sonic]: "

STARTER = "fabric.yaml"
SCHEMA = "intent.schema.json"
HOOKS = ".pre-commit-config.yaml"
G = 10**9


def written(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and ".git/" not in str(p))


def offers(vendor: str) -> list[tuple[str | None, int]]:
    """Each platform that init offers for a vendor, with each port speed."""
    policy: list[tuple[str | None, int]] = [] if vendor == "arista" else [(None, 400 * G), (None, 25 * G)]
    return policy + [
        (name, speed) for name in list_platforms(SHIPPED, vendor) for speed in list_speeds(SHIPPED, vendor, name)
    ]


# -- the text ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_offer_lints_clean_and_renders(vendor: str, tmp_path: Path) -> None:
    free = [dscp for dscp in range(1, 64) if dscp not in TAKEN]
    wrong = []
    every = offers(vendor)
    asked = sampling.part(every, "rocecfg/cli/starter.py", "profiles/platforms", f"templates/{vendor}")
    for n, (platform, speed) in enumerate(asked):  # DSCP and priority vary along the way
        wanted = StarterChoices(
            vendor, platform, SHIPPED.assumed_release(vendor, platform), "lab", free[n % len(free)], 1 + n % 5, speed
        )
        text = make_starter(wanted, SHIPPED, "")
        found, checked = judged(tmp_path, text)
        named = [f.rule for f in found if (f.rule, f.severity) != ("hygiene-absent", "info")]
        fabric = load(str(tmp_path / STARTER))
        rendered = [file.text for file in render_files(fabric, vendor)]
        cls = fabric.devices[0].cls("rdma")
        if named or checked.failed or len(rendered) != 1 or not rendered[0]:
            wrong.append((platform, speed, named))
        assert (cls.dscps, cls.priority, cls.lossless) == ((wanted.dscp,), wanted.priority, True)
        if platform is not None:
            assert {port.speed for port in fabric.devices[0].ports} == {speed}
    assert wrong == []
    assert len({platform for platform, _ in every}) > {"spectrum": 10, "junos": 4, "nxos": 5, "srlinux": 2}.get(
        vendor, 25
    )


@pytest.mark.parametrize(
    ("vendor", "platform", "ports"),
    [  # as the switches name their cages
        ("sonic", "nvidia-sn5600", ["Ethernet[0-56/8]", "Ethernet[64-120/8]"]),
        ("sonic", "nvidia-sn2700", ["Ethernet[0-28/4]", "Ethernet[32-60/4]"]),
        ("sonic", "micas-m2-w6940-64oc", ["Ethernet[1-57/8]", "Ethernet[65-121/8]"]),
        ("sonic", "nvidia-sn2010", ["Ethernet[0-28/4]", "Ethernet[32-60/4]"]),
        ("sonic", "dell-s5448f", ["Ethernet[32-46/2]", "Ethernet[48-62/2]"]),  # before them are cages of 400G
        ("sonic", "nokia-ixr7220-d4", ["Ethernet[0-14/2]", "Ethernet[16-44/4]"]),
        ("spectrum", "nvidia-sn5600", ["swp[1-8]", "swp[9-16]"]),
        ("arista", "arista-7060x6-64pe", ["Ethernet[1-8]/1", "Ethernet[9-16]/1"]),
        ("arista", "arista-7050sx3-48yc8", ["Ethernet[1-8]", "Ethernet[9-16]"]),
        ("arista", "arista-7808r3", ["Ethernet3/[1-8]/1", "Ethernet3/[9-16]/1"]),
    ],
)
def test_whole_ports_are_named(vendor: str, platform: str, ports: list[str]) -> None:
    top = list_speeds(SHIPPED, vendor, platform)[-1]
    wanted = StarterChoices(vendor, platform, SHIPPED.assumed_release(vendor, platform), "lab", 26, 3, top)
    assert re.findall(r'^ {6}"(.*?)":', make_starter(wanted, SHIPPED, ""), re.MULTILINE) == ports


def test_numbers_are_left_to_rocecfg_where_they_are_known(tmp_path: Path) -> None:
    rocecfg(tmp_path, "init", "box", "--vendor", "sonic", "--platform", "nvidia-sn5600", expect=0)
    rocecfg(tmp_path, "init", "policy", "--vendor", "sonic", "--platform", "none", "--speed", "100G", expect=0)
    box = yaml.safe_load((tmp_path / "box" / STARTER).read_text(encoding="utf-8"))
    policy = yaml.safe_load((tmp_path / "policy" / STARTER).read_text(encoding="utf-8"))
    assert box["classes"]["rdma"]["ecn"] == "auto"
    assert box["pfc"]["headroom"] == "auto"
    assert policy["classes"]["rdma"]["ecn"] == {"kmin": "100KB", "kmax": "400KB", "pmax": "5%"}
    assert "devices" not in policy


# -- what is written ---------------------------------------------------------------------------------------------------


def test_from_nothing_to_a_rendered_switch(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "init", "train", "--vendor", "arista", "--dscp", "24", "--priority", "4", expect=0)
    assert written(tmp_path) == [f"train/{name}" for name in (HOOKS, STARTER, SCHEMA)]
    for path in written(tmp_path):
        assert f"wrote {path}\n" in done.stdout
    clean = rocecfg(tmp_path, "lint", "train", "--fail-on", "info", expect=0)
    assert clean.stdout.startswith("clean in 1 fabric")
    assert "traffic-class 4 to" in rocecfg(tmp_path, "render", "train", "--vendor", "arista", expect=0).stdout
    assert (tmp_path / "train" / SCHEMA).read_text(encoding="utf-8") == rocecfg(tmp_path, "schema").stdout
    text = (tmp_path / "train" / STARTER).read_text(encoding="utf-8")
    assert text.startswith(f"# yaml-language-server: $schema=./{SCHEMA}\n")
    intent = yaml.safe_load(text)
    assert intent["fabric"]["name"] == "train"
    assert (intent["classes"]["rdma"]["dscp"], intent["classes"]["rdma"]["priority"]) == (24, 4)


def test_into_the_current_folder(tmp_path: Path) -> None:
    rocecfg(tmp_path, "init", "--yes", "--name", "on", expect=0)
    assert written(tmp_path) == sorted((HOOKS, STARTER, SCHEMA))
    rocecfg(tmp_path, "lint", "--fail-on", "info", expect=0)


@pytest.mark.parametrize(
    ("name", "content"), [(STARTER, "rocecfg: 1\n"), (SCHEMA, "{}\n"), (STARTER, None), (SCHEMA, None)]
)
def test_nothing_is_overwritten(name: str, content: str | None, tmp_path: Path) -> None:
    if content is None:
        (tmp_path / name).symlink_to("gone")  # writing through it would make a file elsewhere
    else:
        write(tmp_path, {name: content})
    before = [(p, p.lstat().st_mtime_ns) for p in sorted(tmp_path.iterdir())]
    done = rocecfg(tmp_path, "init", "--yes", expect=2)
    assert done.stderr.startswith(f"rocecfg: {name} exists")
    assert [(p, p.lstat().st_mtime_ns) for p in sorted(tmp_path.iterdir())] == before


def test_a_schema_that_is_the_same_is_kept(tmp_path: Path) -> None:
    write(tmp_path, {SCHEMA: rocecfg(tmp_path, "schema").stdout})
    rocecfg(tmp_path, "init", "--yes", expect=0)
    assert (tmp_path / STARTER).exists()


def test_hooks_of_others_are_left_alone(tmp_path: Path) -> None:
    own = "repos:\n  - repo: https://git.example.org/other\n    rev: v1\n    hooks: [{id: other}]\n"
    (tmp_path / ".git").mkdir()
    write(tmp_path, {HOOKS: own})
    done = rocecfg(tmp_path, "init", "fabrics/train", "--yes", expect=0)
    assert (tmp_path / HOOKS).read_text(encoding="utf-8") == own
    assert written(tmp_path / "fabrics") == [f"train/{STARTER}", f"train/{SCHEMA}"]
    stanza = done.stdout.partition("`repos:`\n")[2].partition("try ")[0]
    both = yaml.safe_load(own + stanza)["repos"]
    assert [hook["id"] for repo in both for hook in repo["hooks"]] == ["other", "rocecfg-lint"]


def test_hooks_go_to_the_top_of_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    rocecfg(tmp_path, "init", "fabrics/train", "--yes", "--hooks-from", "https://git.example.org/a b", expect=0)
    (repo,) = yaml.safe_load((tmp_path / HOOKS).read_text(encoding="utf-8"))["repos"]
    assert (repo["repo"], repo["hooks"]) == ("https://git.example.org/a b", [{"id": "rocecfg-lint"}])
    assert repo["rev"] == f"v{rocecfg(tmp_path, '--version').stdout.split()[2]}"


def test_the_hook_runs(tmp_path: Path) -> None:
    shim = tmp_path / "bin" / "rocecfg"
    write(tmp_path, {"bin/rocecfg": f'#!/bin/sh\nexec "{sys.executable}" -m rocecfg "$@"\n'})
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    repository = tmp_path / "user"
    repository.mkdir()
    env = clean_environment(
        PYTHONPATH=str(ROOT),
        PATH=f"{shim.parent}:{os.environ['PATH']}",
        PRE_COMMIT_HOME=str(tmp_path / "pre-commit"),
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
    )
    run("git", "init", "-q", cwd=repository, env=env)
    rocecfg(repository, "init", "--yes", expect=0)
    run("git", "add", "--all", cwd=repository, env=env)
    hook = (sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert "Passed" in run(*hook, cwd=repository, env=env).stdout
    text = (repository / STARTER).read_text(encoding="utf-8")
    write(repository, {STARTER: text.replace("  watchdog: {", "  watchdog: off # {")})
    output = run(*hook, cwd=repository, env=env, expect=1).stdout
    assert "watchdog-missing" in output


def test_without_a_terminal_it_takes_defaults_and_tells_which(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "init", "lab", "--speed", "200G", expect=0)
    reported = done.stdout.splitlines()[0]
    assert "--vendor sonic, --platform nvidia-sn5600, --release 202405, --name lab, --dscp 26, --priority 3" in reported
    assert "--speed" not in reported
    assert "defaults" in reported
    rocecfg(tmp_path, "lint", "lab", expect=0)
    rocecfg(tmp_path, "render", "lab", expect=0)
    rocecfg(tmp_path, "init", "again", *re.findall(r"--\w+ [^,]+(?=,)", reported)[0].split(), expect=0)


@pytest.mark.parametrize(
    ("of", "took"),
    [
        ("--platform QFX5240-64OD", "--vendor junos"),
        ("--platform sn5600 --release 5.14", "--vendor spectrum"),
        ("--vendor EOS", "--platform arista-7060x6-64pe"),
        ("--vendor nvidia --leaves 2 --spines 2 --hosts-per-leaf 4 --nic cx7", "--gpus 8, --rails 1"),
    ],
)
def test_names_are_taken_as_people_write_them(of: str, took: str, tmp_path: Path) -> None:
    """What follows from what is named is taken, and told: the system of a box, or of a release."""
    assert took in rocecfg(tmp_path, "init", "lab", *of.split(), expect=0).stdout.splitlines()[0]


# -- a whole cluster ---------------------------------------------------------------------------------------------------


def _list_cables(fabric: Fabric) -> set[frozenset[tuple[str, str]]]:
    return {
        frozenset(ends)
        for link in fabric.links
        for ends in zip(
            [(d, p) for d in names_of(link.a_device) for p in names_of(link.a_port)],
            [(d, p) for d in names_of(link.b_device) for p in names_of(link.b_port)],
            strict=True,
        )
    }


def _list_ports(fabric: Fabric) -> dict[tuple[str, str], tuple[int | None, str | None]]:
    return {
        (name, port): (group.speed, group.faces)
        for device in fabric.devices
        for name in device.names
        for group in device.ports
        for port in group.names
    }


def test_the_example_of_256_gpus_is_one_line(tmp_path: Path) -> None:
    """Its devices, ports and cables are those of examples/train-256, which was written by hand."""
    of = ("--leaves", "4", "--spines", "2", "--hosts-per-leaf", "32", "--gpus", "8", "--rails", "4")
    done = rocecfg(tmp_path, "init", "--yes", "--vendor", "spectrum", "--platform", "SN5600", *of, expect=0)
    tries = re.findall(r"^try +rocecfg (.+)$", done.stdout, re.MULTILINE)
    assert [line.split()[0] for line in tries] == ["lint", "show", "render"]
    ran = [rocecfg(tmp_path, *line.split(), expect=0).stdout for line in (f"{tries[0]} --fail-on info", *tries[1:])]
    assert ran[0].startswith("clean in 1 fabric")
    assert (tmp_path / "rendered" / "APPLY-spine.md").is_file()
    made, known = load(str(tmp_path / STARTER)), load(str(ROOT / "examples" / "train-256" / "fabric.yaml"))
    assert len(_list_cables(made)) == 4 * 64 + 4 * 32
    assert _list_cables(made) == _list_cables(known)
    assert _list_ports(made) == _list_ports(known)


@pytest.mark.parametrize(
    ("vendor", "platform", "of"),
    [
        ("sonic", "arista-7060x6-64pe", (16, 4, 16, 8, 8)),
        ("arista", "arista-7060x6-64pe", (8, 4, 32, 8, 4)),
        ("junos", "juniper-qfx5240-64od", (4, 4, 8, 4, 2)),
        ("spectrum", "nvidia-sn5600", (3, 5, 7, 8, 1)),
        ("srlinux", "nokia-ixr7220-h4-64d", (2, 2, 1, 8, 1)),
        ("nxos", "cisco-9364d-gx2a", (2, 2, 1, 8, 1)),
    ],
)
def test_a_cluster_lints_clean_and_each_port_has_one_cable(
    vendor: str, platform: str, of: tuple[int, ...], tmp_path: Path
) -> None:
    wanted = StarterChoices(vendor, platform, SHIPPED.assumed_release(vendor, platform), "x", 26, 3, 400 * G)
    text = make_starter(wanted._replace(cluster=Cluster(*of, "connectx-7")), SHIPPED, str(tmp_path))
    write(tmp_path, {STARTER: text})
    made = load(str(tmp_path / STARTER))
    leaves, spines, hosts, gpus, rails = of
    cables = _list_cables(made)
    ends = [end for cable in cables for end in cable]
    assert len(ends) == len(set(ends))
    assert {end for end in ends if not end[0].startswith("gpu")} == _list_ports(made).keys()
    to_hosts = sum(any(name.startswith("gpu") for name, _ in cable) for cable in cables)
    assert to_hosts == leaves * hosts * gpus // rails
    names = [frozenset(name for name, _ in cable) for cable in cables]
    pairs = Counter(pair for pair in names if not any(name.startswith("gpu") for name in pair))
    assert len(pairs) == leaves * spines
    assert len(set(pairs.values())) == 1


@pytest.mark.parametrize(
    ("of", "reason"),
    [
        ("--leaves 6 --spines 2 --hosts-per-leaf 2 --rails 4", "must both be multiples of 4 rails"),
        ("--leaves 100 --spines 2 --hosts-per-leaf 2", "a spine needs one for each of 100 leaves"),
        ("--leaves 8", "give --spines and --hosts-per-leaf too"),
        ("--leaves 8 --spines 2 --hosts-per-leaf 2 --nic connectx-70", "did you mean connectx-7"),
    ],
)
def test_a_cluster_that_cannot_be_is_refused(of: str, reason: str, tmp_path: Path) -> None:
    done = rocecfg(
        tmp_path, "init", "--yes", "--vendor", "spectrum", "--platform", "nvidia-sn5600", *of.split(), expect=2
    )
    assert reason in done.stderr
    assert written(tmp_path) == []


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--vendor", "arista", "--platform", "none"], "a starter for arista needs a platform"),
        (["--vendor", "arista", "--platform", "SN5600"], "nvidia-sn5600 runs sonic or spectrum"),
        (["--platform", "SN5601"], "did you mean nvidia-sn5600?"),
        (["--platform", "tomahawk 5"], "is a chip: name a box, arista-7060x6"),
        (
            ["--platform", "SN5640", "--release", "202311"],
            "does not support nvidia-sn5640: the first release that does is 202505",
        ),
        (
            ["--platform", "none", "--leaves", "2", "--spines", "1", "--hosts-per-leaf", "1"],
            "a cluster needs a platform",
        ),
        (["--vendor", "spectrum", "--platform", "nvidia-sn560"], "did you mean nvidia-sn5600?"),
        (["--vendor", "sonic", "--release", "4.33.2F"], "4.33.2F is one of arista"),
        (["--vendor", "sonic", "--release", "201911"], "the first release that does is 202211"),
        (["--vendor", "sonic", "--speed", "400"], "needs a unit; did you mean 400G?"),
        (["--vendor", "sonic", "--speed", "1600G"], "the first ports of nvidia-sn5600 run at 10G, 25G"),
        (["--yes", "--dscp", "48"], "DSCP 48 is that of CNPs"),
        (["--yes", "--dscp", "64"], "'64' is not a whole number from 0 to 63"),
        (["--yes", "--priority", "7"], "'7' is not a whole number from 1 to 5"),
        (["--yes", "--name", "a b"], "'a b' is not a name"),
        (["file/below", "--yes"], "file/below cannot be written"),
        (["file", "--yes"], "file is not a folder"),
    ],
)
def test_what_cannot_be_is_refused_by_name(arguments: list[str], reason: str, tmp_path: Path) -> None:
    write(tmp_path, {"file": ""})
    done = rocecfg(tmp_path, "init", *arguments, expect=2)
    assert reason in done.stderr
    assert written(tmp_path) == ["file"]


def test_all_or_nothing(tmp_path: Path) -> None:
    """The hooks cannot be written: the intent is not left behind without them."""
    (tmp_path / ".git").mkdir()
    script = (
        "import os, sys, rocecfg.cli.init as init\n"
        "os.link = os.rename = lambda a, b: (_ for _ in ()).throw(OSError(28, 'No space left on device'))"
        f" if b.endswith('{HOOKS}') else os.replace(a, b)\n"
        "init.command(['--yes'])\n"
    )
    env = clean_environment(PYTHONPATH=str(ROOT))
    done = run(sys.executable, "-c", script, cwd=tmp_path, env=env, expect=2)
    assert done.stderr == f"rocecfg: {HOOKS} cannot be written: No space left on device\n"
    assert written(tmp_path) == []


# -- on a terminal -----------------------------------------------------------------------------------------------------


class Terminal:
    """`rocecfg init` on a terminal of its own."""

    def __init__(self, cwd: Path, *arguments: str) -> None:
        self.fd, far = pty.openpty()
        env = clean_environment(PYTHONPATH=str(ROOT), TERM="xterm")
        command = [sys.executable, "-m", "rocecfg", "init", *arguments]
        begin = (  # with a terminal that Ctrl-C comes from, and heeding it whatever runs the tests
            "import os, signal; os.login_tty(0); signal.signal(signal.SIGINT, signal.SIG_DFL);"
            f" os.execv({sys.executable!r}, {command!r})"
        )
        self.process = subprocess.Popen([sys.executable, "-c", begin], cwd=cwd, env=env, stdin=far)
        os.close(far)
        self.stated = ""
        self.seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.fd)

    def wait_for(self, text: str) -> None:
        """Read until it says that, after what was waited for before."""
        while text not in self.stated[self.seen :]:
            ready, _, _ = select.select([self.fd], [], [], HANG)
            assert ready, self.stated
            try:
                self.stated += os.read(self.fd, 4096).decode().replace("\r\n", "\n")
            except OSError:  # the other end is closed
                break
        assert text in self.stated[self.seen :], self.stated
        self.seen = self.stated.index(text, self.seen) + len(text)

    def answer(self, question: str, text: str) -> None:
        self.wait_for(question)
        os.write(self.fd, text.encode())

    def end(self) -> int:
        return self.process.wait(timeout=HANG)

    def press(self, key: str) -> int:
        """A key once it waits for one; and again where that had no effect, as just before Python waits."""
        seen = count()

        def ended() -> bool:
            if self._sleeps() and next(seen) % 50 == 0:
                os.write(self.fd, key.encode())
            return self.process.poll() is not None

        wait_until(ended)
        return self.end()

    def _sleeps(self) -> bool:
        """Whether it waits for something, which a key that it takes ends."""
        try:
            return Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
        except OSError:  # a system without
            return True


def test_asks_on_a_terminal(tmp_path: Path) -> None:
    with Terminal(tmp_path, "train", "--priority", "4") as terminal:
        terminal.answer(ASKS_VENDOR, "nobody\n")
        terminal.wait_for("'nobody' is not one of sonic")
        terminal.answer("[sonic]: ", "Cumulus\n")
        terminal.answer("platform (? lists them) [nvidia-sn5600]: ", "?\n")
        terminal.wait_for("nvidia-sn2010, nvidia-sn2100")
        terminal.answer("[nvidia-sn5600]: ", "SN4701\n")
        terminal.answer("did you mean nvidia-sn4700?", "SN4700\n")
        terminal.answer("release of Cumulus Linux that runs [5.14]: ", "202405\n")
        terminal.answer("202405 is one of sonic", "5.1\n")
        terminal.wait_for("Cumulus Linux 5.1 cannot express qos")
        terminal.answer("[5.14]: ", "\n")
        terminal.answer("200G, 400G) [400G]: ", "200G\n")
        terminal.answer("leaves (1: one alone, without a cluster) [1]: ", "4\n")
        terminal.answer("spines, each linked to each leaf [2]: ", "60\n")
        terminal.answer("hosts at each leaf [8]: ", "\n")
        terminal.answer("GPUs per host, one NIC each [8]: ", "\n")
        terminal.answer("rails: leaves that each host connects to [1]: ", "3\n")
        terminal.answer("must both be multiples of 3 rails", "4\n")
        terminal.answer("NIC of the hosts [connectx-7]: ", "CX6\n")
        terminal.wait_for("and one for each of 60 spines")
        terminal.answer("leaves (1: one alone, without a cluster) [1]: ", "4\n")
        terminal.answer("[2]: ", "4\n")
        terminal.answer("[8]: ", "\n")
        terminal.answer("[8]: ", "\n")
        terminal.answer("[1]: ", "4\n")
        terminal.answer("[connectx-7]: ", "\n")
        terminal.answer("name of the fabric [train]: ", "lab-7\n")
        terminal.answer("DSCP of RDMA packets [26]: ", "56\n")
        terminal.wait_for("DSCP 56 is that of network control")
        terminal.answer("[26]: ", "30\n")
        terminal.wait_for("rocecfg render train --vendor spectrum")
        assert terminal.end() == 0
    assert "priority of RDMA" not in terminal.stated  # an option said it
    intent = yaml.safe_load((tmp_path / "train" / STARTER).read_text(encoding="utf-8"))
    assert intent["fabric"]["name"] == "lab-7"
    assert intent["defaults"] == {"vendor": "spectrum", "version": "5.14", "platform": "nvidia-sn4700"}
    rdma = intent["classes"]["rdma"]
    assert (rdma["dscp"], rdma["priority"]) == (30, 4)
    ports = intent["devices"]["leaf[01-04]"]["ports"].values()
    assert {port["speed"] for port in ports if port["faces"] == "host"} == {"200G"}
    assert len(names_of(next(iter(intent["hosts"])))) == 8
    rocecfg(tmp_path, "lint", "train", "--fail-on", "info", expect=0)


def test_ports_between_switches_have_ecn_of_their_own_where_no_curve_is_known(tmp_path: Path) -> None:
    size = "--speed 100G --leaves 4 --spines 2 --hosts-per-leaf 32"
    rocecfg(tmp_path, "init", "x", "--vendor", "sonic", "--platform", "SN5600", *size.split(), expect=0)
    intent = yaml.safe_load((tmp_path / "x" / STARTER).read_text(encoding="utf-8"))
    ports = [port for device in intent["devices"].values() for port in device["ports"].values()]
    assert {port["speed"]: "ecn" in port.get("classes", {}).get("rdma", {}) for port in ports} == {
        "100G": False,
        "800G": True,
    }
    rocecfg(tmp_path, "lint", "x", "--fail-on", "warning", expect=0)


@pytest.mark.parametrize("key", ["\x03", "\x04"])  # Ctrl-C, Ctrl-D
def test_leaving_in_the_middle_writes_nothing(key: str, tmp_path: Path) -> None:
    with Terminal(tmp_path, "train") as terminal:
        terminal.answer(ASKS_VENDOR, "\n")
        terminal.wait_for("platform (? lists them) [nvidia-sn5600]: ")
        assert terminal.press(key) == 130
    assert written(tmp_path) == []


def test_yes_asks_nothing_on_a_terminal(tmp_path: Path) -> None:
    with Terminal(tmp_path, "--yes") as terminal:
        terminal.wait_for("rocecfg render --vendor sonic")
        assert terminal.end() == 0
    assert "[sonic]" not in terminal.stated
