"""A function of many things, in several processes. Nothing is loaded for it until there is more than one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_Done = tuple[list[_Result], BaseException | None]  # of a portion: the results up to an error, and that

_PORTIONS = 8  # a worker's: few enough to cost little, many enough that none waits long for the last


def count_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_in_processes(function: Callable[[_Item], _Result], items: Sequence[_Item], jobs: int) -> Iterator[_Result]:
    """The function of each item, in their order, worked out in up to `jobs` processes.

    Function, items and results have to be picklable, the function one of a module's own; the processes are spawned,
    so they know nothing of this one. What the function raises is raised here when its turn comes, as by `map`. With
    one job or item, and where the system has no semaphores or no room for more processes, all of it runs here; so
    does what was left when a process died.
    """
    jobs = min(jobs, len(items))
    pool = _start_pool(jobs) if jobs > 1 else None
    if pool is None:
        return map(function, items)
    return _collect_results(pool, function, _split_portions(items, jobs))


def _split_portions(items: Sequence[_Item], jobs: int) -> list[Sequence[_Item]]:
    size = -(-len(items) // (jobs * _PORTIONS))
    return [items[start : start + size] for start in range(0, len(items), size)]


def _start_pool(jobs: int) -> ProcessPoolExecutor | None:
    """None where the system cannot have one: containers without /dev/shm, a sandbox, a process that is a worker."""
    try:
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import current_process, get_context

        if current_process().daemon:
            return None
        # spawn: the same on every system, and no locks that another thread of this process holds
        return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start_worker)
    except (ImportError, NotImplementedError, OSError):
        return None


def _collect_results(
    pool: ProcessPoolExecutor, function: Callable[[_Item], _Result], portions: list[Sequence[_Item]]
) -> Iterator[_Result]:
    from multiprocessing import active_children

    others = set(active_children())
    finished = False
    try:
        waiting = _submit_portions(pool, function, portions)
        for portion, future in zip(portions, waiting, strict=True):
            results, error = _await_result(future, function, portion)
            yield from results
            if error is not None:
                raise error
        finished = True
    finally:
        if not finished:  # Ctrl-C, or nobody wants the rest: without this, leaving waits for what workers are at
            for child in set(active_children()) - others:
                child.terminate()
        # waits: as Python exits, it writes to a pool whose thread has not ended, maybe just as that closes its pipe
        pool.shutdown(cancel_futures=True)


def _submit_portions(
    pool: ProcessPoolExecutor, function: Callable[[_Item], _Result], portions: list[Sequence[_Item]]
) -> list[Future[_Done[_Result]] | None]:
    """The portions on their way; None for those that no process can be started for."""
    import signal
    from concurrent.futures import BrokenExecutor

    out: list[Future[_Done[_Result]] | None] = []
    # Workers inherit what is blocked: Ctrl-C reaches none while it starts, and this process a moment later.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for portion in portions:
            out.append(pool.submit(_run_in_worker, function, portion))  # noqa: PERF401 - those before an error count
    except (OSError, BrokenExecutor):
        out += [None] * (len(portions) - len(out))
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return out


def _await_result(
    future: Future[_Done[_Result]] | None, function: Callable[[_Item], _Result], portion: Sequence[_Item]
) -> _Done[_Result]:
    from concurrent.futures import BrokenExecutor, CancelledError

    try:
        return future.result() if future is not None else _run_here(function, portion)
    except (BrokenExecutor, CancelledError):  # a worker died
        return _run_here(function, portion)


def _run_here(function: Callable[[_Item], _Result], portion: Sequence[_Item]) -> _Done[_Result]:
    results: list[_Result] = []
    try:
        for item in portion:
            results.append(function(item))  # noqa: PERF401 - those before an error count
    except Exception as error:  # noqa: BLE001 - it is raised when its turn comes
        return results, error
    return results, None


# -- in a worker -------------------------------------------------------------------------------------------------------


def _run_in_worker(function: Callable[[_Item], _Result], portion: Sequence[_Item]) -> _Done[_Result]:
    """As `_run_here`, with an error that can be sent."""
    results, error = _run_here(function, portion)
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
