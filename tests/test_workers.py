"""Work in several processes: as in one, but sooner."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from itertools import islice
from multiprocessing import parent_process
from pathlib import Path

import pytest
from checkout import HANG, ROOT, clean_environment, wait_until

from rocecfg.linting.workers import Shared, count_cores, map_in_processes
from rocecfg.source.document import SourceError


class Fussy(Exception):
    """Cannot be made from what it says."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(f"{one} and {two}")


def square(number: int) -> int:
    return number * number


def process_of(_: int) -> int:
    return os.getpid()


def process_of_each(item: tuple[int, Path]) -> int:
    """The first waits until this process is at the last."""
    number, begun = item
    if number == 59:
        begun.touch()
    elif number == 0:
        wait_until(begun.exists)
    return os.getpid()


def leave_mark(path: str) -> str:
    Path(path).touch()
    return path


def checked(number: int, wrong: int, error: Exception) -> int:
    if number == wrong:
        raise error
    return number


def fussy(number: int) -> int:
    if number == 2:
        raise Fussy("this", "that")
    return number


def dies(number: int, at: int, dead: Path) -> int:
    if parent_process() is None:
        wait_until(dead.exists)
    elif number == at:
        dead.touch()
        os._exit(7)
    return number


@pytest.mark.parametrize(("jobs", "count"), [(1, 0), (1, 40), (2, 0), (2, 1), (2, 2), (2, 40), (200, 3)])
def test_results_come_in_the_order_of_the_items(jobs: int, count: int) -> None:
    assert list(map_in_processes(square, range(count), jobs)) == [n * n for n in range(count)]


def test_this_process_and_another_work(tmp_path: Path) -> None:
    found = list(map_in_processes(process_of_each, [(n, tmp_path / "begun") for n in range(60)], 2))
    assert found[0] != found[-1] == os.getpid()  # the other one from the first, this one from the last
    assert len(set(found)) == 2


@pytest.mark.parametrize(("jobs", "count"), [(1, 5), (4, 1)])
def test_one_job_or_item_is_done_here(jobs: int, count: int) -> None:
    assert set(map_in_processes(process_of, range(count), jobs)) == {os.getpid()}


def test_there_is_a_core() -> None:
    assert count_cores() >= 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_when_its_turn_comes(jobs: int) -> None:
    wrong = SourceError("leaf17.json", "is not JSON", "look at line 3", 3, 9)
    results = map_in_processes(partial(checked, wrong=17, error=wrong), range(40), jobs)
    assert list(islice(results, 17)) == list(range(17))
    with pytest.raises(SourceError) as raised:
        next(results)
    assert str(raised.value) == str(wrong)
    assert (raised.value.path, raised.value.line, raised.value.column) == ("leaf17.json", 3, 9)


def test_an_error_tells_where_it_was_raised() -> None:
    with pytest.raises(ValueError, match="no number") as raised:
        list(map_in_processes(partial(checked, wrong=1, error=ValueError("no number")), range(4), 2))
    assert "in checked" in "".join(raised.value.__notes__)


def test_an_error_that_cannot_be_sent_says_the_same() -> None:
    with pytest.raises(RuntimeError, match="Fussy: this and that"):
        list(map_in_processes(fussy, range(4), 2))


@pytest.mark.parametrize("at", [0, 1, 3])
def test_a_worker_that_dies_costs_time_and_no_result(at: int, tmp_path: Path) -> None:
    """At one of the first four, which it gets before this process begins."""
    results = map_in_processes(partial(dies, at=at, dead=tmp_path / "dead"), range(60), 2)
    assert list(results) == list(range(60))
    assert (tmp_path / "dead").exists()


def test_others_begin_before_the_last_has_come(tmp_path: Path) -> None:
    marks = [str(tmp_path / name) for name in "abcd"]
    with Shared(leave_mark, 2, enough=3) as shared:
        for mark in marks[:3]:
            shared.add(mark)
        wait_until(Path(marks[0]).exists)
        shared.add(marks[3])
        assert list(shared.collect_results()) == marks


def test_too_few_are_done_here() -> None:
    with Shared(process_of, 2, enough=3) as shared:
        shared.add(1)
        shared.add(2)
        assert set(shared.collect_results()) == {os.getpid()}


# -- as a program ------------------------------------------------------------------------------------------------------

SLOW = """\
import os, signal, threading
from rocecfg.linting.workers import map_in_processes

def slow(number):
    os.write(1, b"working\\n")  # at once: the others write too
    threading.Event().wait()  # forever

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    list(map_in_processes(slow, range(8), 2))
"""


def program(folder: Path, text: str) -> subprocess.Popen[str]:
    path = folder / "program.py"
    path.write_text(text, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, str(path)],
        env=clean_environment(PYTHONPATH=str(ROOT)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def is_gone(group: int) -> bool:
    """Whether no process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


def test_ctrl_c_ends_it_at_once_and_says_so_once(tmp_path: Path) -> None:
    running = program(tmp_path, SLOW)
    assert running.stdout is not None
    assert running.stdout.readline() == "working\n"
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, stated = running.communicate(timeout=HANG)
    assert stated.count("Traceback") == stated.count("KeyboardInterrupt") == 1, stated
    wait_until(lambda: is_gone(running.pid))


EAGER = """\
import os, signal
from rocecfg.linting.workers import map_in_processes

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    results = map_in_processes(abs, range(64), 4)
    print(next(results), flush=True)  # others are still starting
    os.killpg(0, signal.SIGINT)
    list(results)
"""


def test_ctrl_c_while_workers_start_says_so_once_too(tmp_path: Path) -> None:
    running = program(tmp_path, EAGER)
    _, stated = running.communicate(timeout=HANG)
    assert stated.count("Traceback") == stated.count("KeyboardInterrupt") == 1, stated
    wait_until(lambda: is_gone(running.pid))


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    running = program(tmp_path, SLOW)
    assert running.stdout is not None
    assert running.stdout.readline() == "working\n"
    running.kill()
    running.communicate(timeout=HANG)
    wait_until(lambda: is_gone(running.pid))


WITHOUT = """\
import os, sys
sys.modules["_multiprocessing"] = None  # as Python is built where the system has no semaphores
from rocecfg.linting.workers import map_in_processes

def process(number):
    return os.getpid()

if __name__ == "__main__":
    print(set(map_in_processes(process, range(8), 4)) == {os.getpid()})
"""


def test_without_semaphores_all_is_done_in_one_process(tmp_path: Path) -> None:
    stated, errors = program(tmp_path, WITHOUT).communicate(timeout=HANG)
    assert (stated, errors) == ("True\n", "")


CLOSED = """\
import threading
from multiprocessing import parent_process
from rocecfg.linting.workers import map_in_processes

def slow(number):
    if number and parent_process() is not None:  # what is begun here is ended here
        threading.Event().wait()

if __name__ == "__main__":
    results = map_in_processes(slow, range(13), 2)
    next(results)
    results.close()
    print("closed")
"""


def test_who_wants_no_more_waits_for_nothing(tmp_path: Path) -> None:
    assert program(tmp_path, CLOSED).communicate(timeout=HANG) == ("closed\n", "")


UNUSED = """\
import sys
from rocecfg.linting.workers import map_in_processes
costly = {"multiprocessing", "concurrent", "threading", "signal"}
print(list(map_in_processes(abs, [-1, -2], 1)), sorted(costly & set(sys.modules)))
"""


def test_one_job_loads_nothing(tmp_path: Path) -> None:
    assert program(tmp_path, UNUSED).communicate(timeout=HANG) == ("[1, 2] []\n", "")
