"""When fabrics are checked: a moment after the last change, one run at a time, and never for a text that is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from rocecfg.lsp.fabrics import Job, JudgedFabric, Judgement
from rocecfg.lsp.texts import Cache, OpenTexts, Stale


class Work:
    """What is known of the fabrics of open files, and the thread that finds it out."""

    def __init__(
        self,
        buffers: OpenTexts,
        done: Callable[[Judgement], None],
        failed: Callable[[Exception], None],
        allowed: tuple[str, ...] = (),
    ) -> None:
        """`done` is called in the loop when fabrics were checked, `failed` when that raised.

        `allowed`: folders outside the repository that files of a fabric may be in.
        """
        self.known: dict[str, JudgedFabric] = {}  # by root
        self._buffers = buffers
        self._done = done
        self._failed = failed
        self._cache = Cache(allowed)
        self._dirty: dict[str, bool] = {}  # path -> whether its fabrics are to be looked for anew
        self._due = 0.0
        self._hurry = asyncio.Event()
        self._stale = Event()
        self._task: asyncio.Task[None] | None = None
        self._pool = ThreadPoolExecutor(1, "rocecfg-lint")

    def touch(self, path: str, delay: float, *, anew: bool) -> None:
        """Have a path's fabrics checked in `delay` seconds, counted from the last call; what runs now is given up."""
        loop = asyncio.get_running_loop()
        self._dirty[path] = anew or self._dirty.get(path, False)
        self._stale.set()
        self._due = loop.time() + delay
        if delay == 0:
            self._hurry.set()
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._run())

    async def wait_until_settled(self) -> None:
        """Wait until nothing is left to be checked, without the delay."""
        while self._task is not None and not self._task.done():
            if self._dirty:
                self._hurry.set()
            await asyncio.shield(self._task)

    def fabrics_of(self, path: str) -> list[JudgedFabric]:
        """The fabrics that a file belongs to."""
        return [judged for judged in self.known.values() if path in judged.members]

    def stop(self) -> None:
        """Give up what runs."""
        self._dirty.clear()
        self._stale.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self) -> None:
        while self._dirty:
            await self._wait_for_pause()
            wanted, self._dirty = self._dirty, {}
            self._stale = stale = Event()
            job = Job(
                wanted, dict(self.known), self._buffers.snapshot(), self._cache, self._buffers.encoding, stale.is_set
            )
            try:
                outcome = await asyncio.get_running_loop().run_in_executor(self._pool, job.run)
            except Stale:
                outcome = None
            except Exception as error:  # noqa: BLE001 - the next change may be judged again
                self._failed(error)
                continue
            if outcome is None or stale.is_set():
                for path, anew in wanted.items() if self._dirty else ():
                    self._dirty[path] = anew or self._dirty.get(path, False)
                continue
            for root in outcome.gone:
                self.known.pop(root, None)
            self.known.update(outcome.judged)
            self._done(outcome)

    async def _wait_for_pause(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._hurry.is_set() and (left := self._due - loop.time()) > 0:
            try:
                await asyncio.wait_for(self._hurry.wait(), left)
            except TimeoutError:
                continue
        self._hurry.clear()
