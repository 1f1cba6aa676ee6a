"""A function of many things, in several processes. Nothing is loaded for it until there is more than one."""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock  # `threading` takes longer to load
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.process import BaseProcess
    from typing import Self

_AHEAD = 4  # items that each worker has or will have next: enough to go on while this process is at one

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Outcome = tuple[list[_Result], BaseException | None]  # of an item: its result, or what was raised


def count_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_processes(function: Callable[[_Item], _Result], items: Iterable[_Item], jobs: int) -> Iterator[_Result]:
    """The function of each item, in their order, computed in up to `jobs` processes; see `Shared`."""
    with Shared(function, jobs) as shared:
        for item in items:
            shared.add(item)
        yield from shared.collect_results()


class Shared(Generic[_Item, _Result]):
    """A function of items that come one by one: other processes begin with the first, this one with the last.

    Function, items and results have to be picklable, the function one of a module's own; the processes are spawned,
    so they know nothing of this one. What the function raises is raised here when its turn comes, as by `map`. With
    one job, and where the system has no semaphores or no room for more processes, all of it runs here; so does what
    was left when a process died. Used with `with`, so that no process is left where results are not wanted.
    """

    def __init__(self, function: Callable[[_Item], _Result], jobs: int, enough: int = 2) -> None:
        """`jobs`: processes, this one among them. `enough`: so many items are worth starting the others."""
        self._function = function
        self._workers = jobs - 1
        self._enough = enough
        self._items: list[_Item] = []
        self._pool: ProcessPoolExecutor | None = None
        self._started: set[BaseProcess] = set()
        self._futures: list[Future[_Outcome[_Result]]] = []  # of the first items
        self._done_here: list[_Outcome[_Result]] = []  # of the last items, the last of all first
        self._left = 0  # how many items, from the first, are not done here
        self._finished = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is None:
            return
        if not self._finished:  # Ctrl-C, or nobody wants the rest: without this, leaving waits for what workers are at
            for worker in self._started:
                worker.terminate()
        # waits: as Python exits, it writes to a pool whose thread has not ended, maybe just as that closes its pipe
        with _safe_path():
            self._pool.shutdown(cancel_futures=True)

    def add(self, item: _Item) -> None:
        """Take another item; none may come once results are collected."""
        self._items.append(item)
        self._left += 1
        if len(self._items) == self._enough and self._workers > 0:
            self._pool = _start_pool(self._workers)
        self._hand_out()

    def collect_results(self) -> Iterator[_Result]:
        """The function of each item, in the order in which they came."""
        for number, item in enumerate(self._items):
            results, error = self._await_outcome(number, item)
            if error is not None:
                raise error
            yield from results
        self._finished = True

    def _await_outcome(self, number: int, item: _Item) -> _Outcome[_Result]:
        self._hand_out()
        while number < len(self._futures):
            if self._futures[number].done() or not self._take_last():
                return self._await_worker(self._futures[number], item)
            self._hand_out()
        return self._done_here.pop() if number >= self._left else _run_here(self._function, item)

    def _take_last(self) -> bool:
        """Do the last item that is left; False where there is none."""
        if self._left == len(self._futures):
            return False
        self._left -= 1
        self._done_here.append(_run_here(self._function, self._items[self._left]))
        return True

    def _hand_out(self) -> None:
        """See that the other processes have something to do, but no more: what they have is not taken back.

        Futures are not cancelled: a pool of Python 3.11 stops for good if a process dies then.
        """
        if self._pool is None:
            return
        busy = sum(not future.done() for future in self._futures[-self._workers * _AHEAD :])
        for _ in range(min(self._left - len(self._futures), self._workers * _AHEAD - busy)):
            future = self._submit(self._pool, self._items[len(self._futures)])
            if future is None:
                break
            self._futures.append(future)

    def _submit(self, pool: ProcessPoolExecutor, item: _Item) -> Future[_Outcome[_Result]] | None:
        """None where no process can be started, or all have died."""
        import signal
        from concurrent.futures import BrokenExecutor
        from multiprocessing import active_children

        others = set(active_children()) - self._started
        # Workers inherit what is blocked: Ctrl-C reaches none while it starts, and this process a moment later.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with _safe_path():
                return pool.submit(_run_in_worker, self._function, item)
        except (OSError, BrokenExecutor):
            return None
        finally:
            self._started = set(active_children()) - others
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _await_worker(self, future: Future[_Outcome[_Result]], item: _Item) -> _Outcome[_Result]:
        from concurrent.futures import BrokenExecutor

        try:
            return future.result()
        except BrokenExecutor:  # a worker died
            return _run_here(self._function, item)


_SAFE_PATH = "PYTHONSAFEPATH"
_environment = allocate_lock()


@contextmanager
def _safe_path() -> Iterator[None]:
    """What multiprocessing starts meanwhile, workers and what watches over them, takes no module of the current folder.

    That folder may be a branch of others. multiprocessing has no option for it, and starts Python with `-c`, which
    looks there first; but an environment variable does what `-P` does.
    """
    with _environment:
        before = os.environ.get(_SAFE_PATH)
        os.environ[_SAFE_PATH] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[_SAFE_PATH]
            else:
                os.environ[_SAFE_PATH] = before


def _start_pool(workers: int) -> ProcessPoolExecutor | None:
    """None where the system cannot have one: containers without /dev/shm, a sandbox, a process that is a worker.

    And where it would not be safe: with `python -E` no worker would see the variable of `_safe_path`.
    """
    if sys.flags.ignore_environment and not sys.flags.safe_path:
        return None
    try:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import current_process, get_context

        if current_process().daemon:
            return None
        # spawn: the same on every system, and no locks that another thread of this process holds
        with _safe_path():  # its locks start a process too
            return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_start_worker)
    except (ImportError, NotImplementedError, OSError):
        return None


def _run_here(function: Callable[[_Item], _Result], item: _Item) -> _Outcome[_Result]:
    try:
        return [function(item)], None
    except Exception as error:  # noqa: BLE001 - it is raised when its turn comes
        return [], error


# -- in a worker -------------------------------------------------------------------------------------------------------


def _run_in_worker(function: Callable[[_Item], _Result], item: _Item) -> _Outcome[_Result]:
    """As `_run_here`, with an error that can be sent."""
    results, error = _run_here(function, item)
    return results, error if error is None else _make_sendable(error)


def _make_sendable(error: BaseException) -> BaseException:
    """The error itself, or one that says the same where it cannot be pickled; either tells where it was raised."""
    import pickle
    import traceback

    trace = "".join(traceback.format_exception(error))
    try:
        again: Any = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - whatever a class of errors makes of being pickled
        again = RuntimeError(f"{type(error).__name__}: {error}")
    again.add_note(f"in a worker process:\n{trace}")
    sendable: BaseException = again
    return sendable


def _start_worker() -> None:
    """A worker leaves Ctrl-C to its parent, and ends with it."""
    import signal
    import threading

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
