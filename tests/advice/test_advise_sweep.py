"""`rocecfg advise --sweep`: here, and in several processes."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from advice_cases import AS_PUBLISHED, PAPER, SWITCH, advised
from checkout import HANG, ROOT, clean_environment, wait_until
from intents import rocecfg, write

from rocecfg.advice.sweep import Point, parse_ranges, split_points

# more than 16 senders are simulated once, and not three times
SWEEP = ("--sweep", "n=2,17", "--sweep", "pmax=1%,10%", "--sweep", "kmax=200KB,1955KB", "--sweep", "kmin=5KB")
# more points than one process takes at a time, of which only the last is simulated
SMALL = ("--sweep", "n=4,5,6,8,17", "--sweep", "kmin=1MB", "--sweep", "kmax=40MB", "--sweep", "pmax=5%")


# -- ranges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("kmin=100KB:1600KB:5", (100_000, 200_000, 400_000, 800_000, 1_600_000)),
        ("kmin=100KB:500KB:5:linear", (100_000, 200_000, 300_000, 400_000, 500_000)),
        ("kmax=1MB,400KB,1MB", (400_000, 1_000_000)),
        ("pmax=1%:16%:5", (1, 2, 4, 8, 16)),
        ("pmax=0.5%", (0.5,)),
        ("n=2:512:9", (2, 4, 8, 16, 32, 64, 128, 256, 512)),
        ("n=1:4:9:geometric", (1, 2, 3, 4)),
    ],
)
def test_ranges_are_geometric_linear_or_a_list(text: str, values: tuple[float, ...]) -> None:
    (found,) = parse_ranges([text]).values()
    assert found == pytest.approx(values)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("kmin", "write kmin=, kmax=, pmax= or n="),
        ("alpha=1:2:3", "write kmin=, kmax=, pmax= or n="),
        ("kmin=1:2:3", "needs a unit"),
        ("kmin=2KB:1KB:3", "the range must rise"),
        ("kmin=0B:1KB:3", "the range must rise"),
        ("kmin=1KB:2KB", "write LOW:HIGH:COUNT"),
        ("kmin=1KB:2KB:1", "'1' is not a count"),
        ("kmin=1KB:2KB:99999999999999999999", "is not a count"),
        ("kmin=1KB:2KB:3:log", "write LOW:HIGH:COUNT"),
        ("pmax=1%:200%:2", "200 is not from"),
        ("n=0", "0 is not from 1"),
        ("n=1.5", "is not a number of senders"),
        ("n=", "is not a number of senders"),
    ],
)
def test_other_ranges_are_refused(text: str, word: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(word)):
        parse_ranges([text])
    write(tmp_path, {"fabric.yaml": PAPER})
    done = rocecfg(tmp_path, "advise", "--sweep", text, expect=2)
    assert done.stderr.startswith("rocecfg: --sweep ")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--sweep", "n=1", "--sweep", "n=2"), "n is swept twice"),
        (("--sweep", "kmin=1KB:1GB:1000", "--sweep", "kmax=1KB:1GB:1000"), "1000000 points; at most 100000"),
    ],
)
def test_other_sweeps_are_refused(arguments: tuple[str, ...], word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER})
    assert word in rocecfg(tmp_path, "advise", "--incast", "4", *arguments, expect=2).stderr


# -- on this machine ---------------------------------------------------------------------------------------------------


def test_a_sweep_finds_the_published_points_in_the_order_of_the_grid(tmp_path: Path) -> None:
    asked = (*SWEEP, "--feedback-delay", "85us", *AS_PUBLISHED, "--jobs", "1")
    (table,) = advised(tmp_path, PAPER, *asked)["sweep"]
    points = table["points"]
    names = ("kmin_bytes", "kmax_bytes", "pmax_percent", "incast")
    assert [tuple(p[name] for name in names) for p in points] == [
        (5_000, kmax, pmax, n) for kmax in (200_000, 1_955_000) for pmax in (1, 10) for n in (2, 17)
    ]
    short = {p["incast"]: p for p in points if (p["kmax_bytes"], p["pmax_percent"]) == (200_000, 1)}
    assert short[17]["queue_bytes"] is None  # off the ramp
    assert short[2]["queue_mean_bytes"] < short[17]["queue_mean_bytes"]
    assert {p["ecn_before_pfc"] for p in points} == {None}  # the chip is not known


def test_a_sweep_is_the_same_whatever_the_number_of_processes(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER})
    assert len(list(split_points(Point(1, 1, 2, 1, flows) for flows in range(5)))) == 2
    for format_ in ("text", "json"):
        one, two = (
            rocecfg(tmp_path, "advise", "--format", format_, *SMALL, "--jobs", jobs, expect=0) for jobs in ("1", "2")
        )
        assert one.stdout == two.stdout
        assert "sweep" in one.stdout
        assert one.stderr == two.stderr == ""


def test_what_is_not_swept_is_as_advised(tmp_path: Path) -> None:
    fabric = advised(tmp_path, SWITCH, "--sweep", "n=4", "--sweep", "kmax=1KB,3MB,50MB")
    host, up = fabric["kinds"]
    tables = fabric["sweep"]
    assert [table["kinds"] for table in tables] == [[1], [2]]
    for kind, table in zip((host, up), tables, strict=True):
        assert table["left_out_points"] == 1  # 1KB is below kmin
        small, large = table["points"]
        assert small["kmin_bytes"] == kind["settings"]["kmin_bytes"]["advised"]
        assert small["pmax_percent"] == kind["settings"]["pmax_percent"]["advised"]
        assert small["ecn_before_pfc"] is True
        assert large["ecn_before_pfc"] is False


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER})
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rocecfg", "advise", *SMALL, "--jobs", "1"],
            cwd=tmp_path,
            env=clean_environment(PYTHONPATH=str(ROOT), TERM="xterm"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=theirs,
            timeout=HANG,
            check=True,
        )
        shown = os.read(ours, 65536).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "sweep  [" in shown
    assert "100%" in shown
    assert b"sweep  [" not in done.stdout


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER})
    command = [sys.executable, "-m", "rocecfg", "advise", "--sweep", "n=2:500:400", "--jobs", "2"]
    more = ["--sweep", "kmin=5KB", "--sweep", "kmax=200KB:2MB:50", "--sweep", "pmax=1%"]
    mark = str(tmp_path)
    with subprocess.Popen(
        [*command, *more],
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(ROOT), ADVISE_TEST=mark),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        try:
            wait_until(lambda: len(_with(mark)) >= 3)
        finally:
            run.send_signal(signal.SIGKILL)
    wait_until(lambda: not _with(mark), lambda: _with(mark))


def _with(mark: str) -> list[str]:
    """The processes that have the mark in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if entry.name.isdigit() and mark.encode() in (entry / "environ").read_bytes():
                found.append(entry.name)
    return found


def test_a_cluster_that_was_named_is_answered_and_the_sweep_runs_here(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": PAPER, "none/distributed.py": "raise SystemExit('loaded')\n"})
    path = os.pathsep.join((str(tmp_path / "none"), str(ROOT)))
    asked = ("advise", *SMALL, "--jobs", "1")
    here, named = (
        rocecfg(tmp_path, *asked, *more, expect=0, PYTHONPATH=path) for more in ((), ("--dask", "tcp://127.0.0.1:9"))
    )
    assert named.stdout == here.stdout
    assert (here.stderr, named.stderr) == (
        "",
        "rocecfg: --dask has no effect any longer: the sweep runs on the cores of this machine\n",
    )
