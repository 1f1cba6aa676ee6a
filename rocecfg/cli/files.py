"""Writing files so that nobody ever sees half of one.

A text is written beside its file under a hidden name, and renamed over it when the disk has it. Where the process is
killed meanwhile, that name stays: no command reads it, and the next one that writes to the folder removes it. Until
then a lock on it says that its writer lives.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import signal
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EISDIR
from typing import NamedTuple, NoReturn

from rocecfg.source.bounds import find_repository_folder, is_below
from rocecfg.source.document import SourceError, read_bytes
from rocecfg.source.walk import PREFIX, SUFFIX

_AT_ONCE = 128  # files that are open together: the disk is waited for once for all of them
_WAITING = 16  # threads that wait for the disk
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_Flush = Callable[[Sequence[int]], None]
_OLD = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def write_atomically(path: str, text: str, *, follow: bool = True) -> None:
    """Write beside the file and rename over it. Raises OSError; then the old file stands as it was.

    The file keeps its mode; a new one gets what the umask leaves. A symbolic link stays one: its target is written,
    but for those that `check_links` refuses. What is not a regular file (a pipe, /dev/stdout) is written to as it is.
    Without `follow`, for names that the command line did not give, links and these are refused.
    """
    check_links(path)
    if follow and _is_special(path):
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
            stream.write(text)
        return
    write_all([(os.path.realpath(path) if follow else path, text)])


def check_links(path: str) -> None:
    """Raises OSError where a path passes a link that is in a repository: whoever wrote a branch says where it leads.

    That holds for links within the repository too, which may lead to a hook of git or to a script.
    """
    here = os.path.realpath("/" if os.path.isabs(path) else os.curdir)
    for part in path.split(os.sep):
        step = os.path.join(here, part)
        if part == os.pardir:
            here = os.path.dirname(here)
        elif part not in ("", os.curdir):
            if os.path.islink(step) and find_repository_folder(here) is not None:
                reason = f"{step} is a link in a repository, and no output goes through one; name where it leads"
                raise OSError(None, reason, path)
            here = os.path.realpath(step)


def write_all(files: Sequence[tuple[str, str]], wrote: Callable[[int], None] | None = None) -> None:
    """Write texts to files, each as `write_atomically` without following links. Raises OSError.

    `wrote` hears how many are written, whenever some are.
    """
    with _ending_on_sigterm(), _open_flusher(len(files)) as flush:
        for folder in dict.fromkeys(os.path.dirname(path) for path, _ in files):
            _clean_folder(folder or os.curdir)
        for start in range(0, len(files), _AT_ONCE):
            _write_some(files[start : start + _AT_ONCE], flush)
            if wrote is not None:
                wrote(min(start + _AT_ONCE, len(files)))


def write_below(folder: str, files: Sequence[tuple[str, str]], wrote: Callable[[int], None] | None = None) -> None:
    """Write texts to files of a folder, by their names in it; folders are made where there are none.

    `wrote`: as of `write_all`. Links within the folder stay, and their targets are written. Raises OSError, also for a
    link that leads out, and for those that `check_links` refuses.
    """
    check_links(folder)
    os.makedirs(folder, exist_ok=True)
    names: dict[str, str] = {}
    whole = os.path.realpath(folder)
    for name, _ in files:
        real = _resolve_inside(folder, whole, name)
        if real != os.path.join(whole, name):
            check_links(os.path.join(folder, name))
        if real in names:
            raise OSError(None, f"it is a link to {names[real]}, which is written too", os.path.join(folder, name))
        names[real] = name
    for above in dict.fromkeys(map(os.path.dirname, names)):
        os.makedirs(above, exist_ok=True)
    try:
        write_all([(path, text) for path, (_, text) in zip(names, files, strict=True)], wrote)
    except OSError as error:
        named = names.get(error.filename)
        shown = os.path.join(folder, named) if named is not None else folder
        raise OSError(error.errno, error.strerror, shown) from None


def read_below(folder: str, whole: str, name: str) -> str | None:
    """What a file of a folder holds; None where there is none. `whole`: the real path of the folder.

    Raises OSError for what is not a regular file (a pipe would be waited for, a device may have no end), is larger than
    what is read anywhere, or is a link that leads out of the folder.
    """
    path = _resolve_inside(folder, whole, name)
    if not os.path.lexists(path):
        return None
    if os.path.isdir(path):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), os.path.join(folder, name))
    try:
        return read_bytes(path).decode("utf-8", "surrogateescape")
    except SourceError as error:
        message = error.message.removeprefix("cannot be read: ")
        raise OSError(None, message, os.path.join(folder, name)) from None


def create_file(path: str, text: str) -> None:
    """A new file that appears whole. Raises OSError, FileExistsError where there is one. Links: see `check_links`."""
    check_links(os.path.dirname(path))
    with _ending_on_sigterm():
        _clean_folder(os.path.dirname(path) or os.curdir)
        partial = _open_partial(path)
        try:
            _fill_partial(partial, text, None)
            os.fsync(partial.handle)
            _link_new(partial.path, path)
        finally:
            _drop_partial(partial, renamed=False)


class _Partial(NamedTuple):
    handle: int
    path: str


def _write_some(files: Sequence[tuple[str, str]], flush: _Flush) -> None:
    staged: list[_Partial] = []
    renamed = 0
    try:
        for path, text in files:
            mode = _get_mode(path)
            staged.append(_open_partial(path))
            _fill_partial(staged[-1], text, mode)
        flush([partial.handle for partial in staged])
        for partial, (path, _) in zip(staged, files, strict=True):
            os.replace(partial.path, path)
            renamed += 1
    finally:
        for number, partial in enumerate(staged):
            _drop_partial(partial, renamed=number < renamed)


@contextmanager
def _open_flusher(number: int) -> Iterator[_Flush]:
    """What waits for the disk to have a number of files: else a crash may leave an empty file under the name."""
    if number == 1:
        yield _sync_files
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(_WAITING) as pool:

        def flush(handles: Sequence[int]) -> None:
            try:  # what is asked for at one time the disk does in one go
                list(pool.map(_sync_files, [handles[first::_WAITING] for first in range(_WAITING)]))
            except RuntimeError:  # no more threads here: a limit of the machine, or a browser that has none
                _sync_files(handles)

        yield flush


def _sync_files(handles: Sequence[int]) -> None:
    for handle in handles:
        os.fsync(handle)


def _resolve_inside(folder: str, whole: str, name: str) -> str:
    """Where a name in a folder leads, `whole` being its real path. Raises OSError where that is not in it."""
    if os.path.dirname(name) == "" and name not in ("", os.curdir, os.pardir):
        path = os.path.join(whole, name)
        if not os.path.islink(path):
            return path
    real = os.path.realpath(os.path.join(whole, name))
    if not is_below(real, whole):
        raise OSError(None, "it is a link that leads out of the folder", os.path.join(folder, name))
    return real


def _is_special(path: str) -> bool:
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except FileNotFoundError:  # also a link that leads nowhere
        return False


def _get_mode(path: str) -> int | None:
    """The mode of a regular file; None where there is none. Raises OSError for anything else."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
    if not stat.S_ISREG(mode):
        raise OSError(None, "it is a link, a pipe or a device, and only a regular file is written over", path)
    return stat.S_IMODE(mode)


def _open_partial(target: str) -> _Partial:
    """A new hidden file beside another, locked. Raises OSError about that."""
    while True:
        path = os.path.join(os.path.dirname(target), f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}")
        try:
            handle = os.open(path, _NEW, 0o666)
        except OSError as error:
            raise OSError(error.errno, error.strerror, target) from None
        try:
            if _lock(handle) and os.path.lexists(path):
                return _Partial(handle, path)
        except BaseException:
            _drop_partial(_Partial(handle, path), renamed=False)
            raise
        _drop_partial(_Partial(handle, path), renamed=False)  # another writer took it for a dead one's, and cleans up


def _lock(handle: int) -> bool:
    """Say that the writer of a file lives. False: another has the lock, to remove the file."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # without locks on that file system nobody removes it either
        return True
    return True


def _fill_partial(partial: _Partial, text: str, mode: int | None) -> None:
    left = memoryview(text.encode("utf-8", "backslashreplace"))
    while left:
        left = left[os.write(partial.handle, left) :]
    if mode is not None:
        os.fchmod(partial.handle, mode)


def _drop_partial(partial: _Partial, *, renamed: bool) -> None:
    if not renamed:
        with suppress(OSError):
            os.unlink(partial.path)
    with suppress(OSError):
        os.close(partial.handle)


def _clean_folder(folder: str) -> None:
    """Remove what writers that are dead left in a folder."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(PREFIX) and name.endswith(SUFFIX):
                _remove_dead(os.path.join(folder, name))


def _remove_dead(path: str) -> None:
    with suppress(OSError):
        handle = os.open(path, _OLD)
        try:
            about = os.fstat(handle)
            if stat.S_ISREG(about.st_mode) and about.st_uid == os.geteuid():
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(path)
        finally:
            os.close(handle)


def _link_new(partial: str, path: str) -> None:
    try:
        os.link(partial, path)  # a rename would overwrite
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(partial, path)


@contextmanager
def _ending_on_sigterm() -> Iterator[None]:
    """While files are written, SIGTERM ends the process as an exception does, so that nothing half written stays."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _exit_on_signal(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)
