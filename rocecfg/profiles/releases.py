"""Releases of the network operating systems, made comparable."""

from __future__ import annotations

_SIZE = 4  # numbers of a key: EOS has up to four (4.28.3.1M)
_NEWEST = 999999  # SONiC's master branch
_YEARS = range(2015, 2100)


def release_key(nos: str, version: str) -> tuple[int, ...]:
    """A key that sorts the releases of one NOS.

    sonic: `202405`, `202505.1`, a build date `20240510.02`, `master` (newest); spectrum: `5.14`, `5.16.1`; arista:
    `4.33.2F`, `4.28.10.1M`, `4.33`. ValueError for anything else, and for another NOS.
    """
    numbers = _written(nos, version)
    return numbers + (0,) * (_SIZE - len(numbers))


def applies(since: str | None, until: str | None, nos: str, version: str) -> bool:
    """Whether `version` lies in `since` to `until`, both included; `until` 5.14 takes in 5.14.2. None: unbounded."""
    key = release_key(nos, version)
    if since is not None and key < release_key(nos, since):
        return False
    if until is None:
        return True
    last = _written(nos, until)
    return key[: len(last)] <= last


def _written(nos: str, version: str) -> tuple[int, ...]:
    """The numbers that stand in a release."""
    if nos == "sonic":
        numbers = _sonic(version)
    elif nos == "spectrum":
        numbers = _numbers(version)
        if not (2 <= len(numbers) <= 3 and 3 <= numbers[0] <= 9):
            numbers = ()
    elif nos == "arista":
        digits = version.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        numbers = _numbers(digits)
        if not (2 <= len(numbers) <= _SIZE and numbers[0] == 4):
            numbers = ()
    else:
        raise ValueError(f"{nos!r} is no NOS whose releases are known")
    if not numbers:
        raise ValueError(f"{version[:32]!r} is no release of {nos}; {_LIKE[nos]}")
    return numbers


_LIKE = {
    "sonic": 'write it as "202405", "202505.1" or "master"',
    "spectrum": 'write it as "5.14" or "5.16.1"',
    "arista": 'write it as "4.33.2F"',
}


def _sonic(version: str) -> tuple[int, ...]:
    if version == "master":
        return (_NEWEST,)
    head, *tail = _numbers(version) or (0,)
    day: tuple[int, ...] = ()
    if len(version.partition(".")[0]) == len("20240510"):
        head, of_month = divmod(head, 100)
        day = (of_month,)
    year, month = divmod(head, 100)
    good = year in _YEARS and 1 <= month <= 12 and len(tail) + len(day) < _SIZE
    return (head, *day, *tail) if good else ()


def _numbers(text: str) -> tuple[int, ...]:
    """`5.16.1` -> (5, 16, 1); () where it is anything but short numbers between dots."""
    parts = text.split(".")
    if not all(p.isascii() and p.isdigit() and len(p) <= len("20240510") for p in parts):
        return ()
    return tuple(map(int, parts))
