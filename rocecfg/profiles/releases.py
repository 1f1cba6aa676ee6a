"""Releases of the network operating systems, made comparable."""

from __future__ import annotations

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeVar

    T = TypeVar("T")

_SIZE = 4  # numbers of a key: EOS has up to four (4.28.3.1M)
_NEWEST = 999999  # SONiC's master branch
_TRAIN = 2  # numbers of a release that say which train it is of: 5.18, 4.36, 24.4
_YEARS = range(2015, 2100)
MASTER = "master"


def release_key(nos: str, version: str) -> tuple[int, ...]:
    """A key that sorts the releases of one NOS.

    sonic: `202405`, `202505.1`, a build date `20240510.02`, `master` (newest); spectrum: `5.14`, `5.16.1`; arista:
    `4.33.2F`, `4.28.10.1M`, `4.33`; junos: `23.4R2`, `23.4R2-S3`, `23.4X100-D31`; nxos: `10.3(4a)`, `9.3(13)`; srlinux:
    `25.3.1`. ValueError for anything else, and for another NOS.
    """
    numbers = _parse_release(nos, version)
    return numbers + (0,) * (_SIZE - len(numbers))


def applies(since: str | None, until: str | None, nos: str, version: str) -> bool:
    """Whether `version` lies in `since` to `until`, both included; `until` 5.14 takes in 5.14.2. None: unbounded."""
    key = release_key(nos, version)
    if since is not None and key < release_key(nos, since):
        return False
    if until is None:
        return True
    last = _parse_release(nos, until)
    return key[: len(last)] <= last


def value_in_release(steps: tuple[tuple[str, T], ...], nos: str, version: str) -> T | None:
    """What holds in a release of what came with some, `((first release, value), ...)`, which ascend.

    None before the first of them, and for a release that nobody can place.
    """
    try:
        key = release_key(nos, version)
    except ValueError:
        return None
    held = [value for first, value in steps if release_key(nos, first) <= key]
    return held[-1] if held else None


def nearest_release(known: tuple[str, ...], nos: str, version: str | None, since: str | None) -> str | None:
    """Of some releases, which ascend, the one to take for another: itself, or that of which it is a build.

    Else the last before it; the first for one older than all, the last for one newer than all but the branch that has
    no number yet, for None, and for one that nobody can place. Before `since`, the one for `since`. None: none known.
    """
    if not known:
        return None
    if version is None:
        return known[-1]
    try:
        if since is not None and release_key(nos, version) < release_key(nos, since):
            version = since
        key = release_key(nos, version)
    except ValueError:
        return known[-1]
    built = [r for r in known if is_build_of(nos, version, r)]
    later = [r for r in known if release_key(nos, r) > key]
    if built or later in ([], [MASTER]):
        return built[-1] if built else known[-1]
    return known[max(0, len(known) - len(later) - 1)]


def newest_before(known: tuple[str, ...], nos: str, version: str) -> str | None:
    """The newest of the known releases, where another one is of a later train than all of them: 5.19 after 5.18.

    None for one that is known, for one of a known train, such as 5.18.1 or 4.36.2F, and for one that nobody can place.
    """
    newest = newest_known(known)
    if newest is None or version in known:
        return None
    try:
        train = _parse_release(nos, newest)[:_TRAIN]
        return newest if _parse_release(nos, version)[: len(train)] > train else None
    except ValueError:
        return None


def newest_known(known: tuple[str, ...]) -> str | None:
    """The newest of some releases, which ascend, that has a number."""
    return next((r for r in reversed(known) if r != MASTER), None)


def is_no_branch(branches: Collection[str], nos: str, version: str) -> bool:
    """Whether a release, placed among branches all of which are known, is of none of them: 202404."""
    return bool(branches) and not any(is_build_of(nos, version, branch) for branch in branches)


def plain_release(nos: str, version: str) -> str:
    """A release as the tool writes it, from how its switch shows it: its name before it, its build behind.

    `SONiC.202405.123-abc` is `202405.123`, `EOS-4.33.2F` is `4.33.2F`, `Cumulus Linux 5.14` is `5.14`, `v25.3.1` is
    `25.3.1`; in any case.
    ValueError for what is not a release of that NOS, and for another NOS.
    """
    if nos not in _WRITTEN:
        raise ValueError(f"{nos!r} is not a NOS whose releases are known")
    rest = _without_name(nos, version)
    if nos == "srlinux" and rest[:1] in ("v", "V"):  # as `show version` has it
        rest = rest[1:]
    end = next((n for n, c in enumerate(rest) if c not in "0123456789."), len(rest))
    body, tail = rest[:end], rest[end:]
    if nos == "sonic" and not body and tail[: len(MASTER)].casefold() == MASTER:
        body, tail = MASTER, tail[len(MASTER) :].lstrip(".0123456789")
    elif nos == "arista":
        letters = next((n for n, c in enumerate(tail) if not ("A" <= c.upper() <= "Z")), len(tail))
        body, tail = body + tail[:letters].upper(), tail[letters:]
    elif nos == "junos":
        for letter in ("R", "X", "-S", "-D"):
            if tail.startswith(letter):
                more, tail = _split_digits(tail[len(letter) :])
                body += letter + more
        tail = _split_digits(tail[1:])[1] if tail.startswith(".") else tail  # 23.4R2-S3.9-EVO: the build
    elif nos == "nxos":
        body, tail = _split_nxos(body, tail)
    good = _numbers_of(nos, body) and (not tail or tail[0] in _BEFORE_BUILD)
    if not good:
        raise ValueError(f"{version[:32]!r} is not a release of {nos}; {_WRITTEN[nos].like}")
    return body


def _split_nxos(body: str, tail: str) -> tuple[str, str]:
    """10.3(4a), and of an older train 7.0(3)I7(9), with what is behind it."""
    for _ in range(2):
        train = tail[:1].upper() + _split_digits(tail[1:])[0] if "A" <= tail[:1].upper() <= "Z" else ""
        inner, closed, rest = tail[len(train) :].partition(")")
        if closed and inner.startswith("("):
            body, tail = f"{body}{train}{inner.lower()})", rest
    if body.endswith(")") and tail[:1].upper() in ("F", "M"):  # 10.5(1)F: a release of features, or of maintenance
        tail = tail[1:]
    return ("", tail) if tail.startswith("(") else (body, tail)  # a bracket that is not closed


def _split_digits(text: str) -> tuple[str, str]:
    """The digits that a text begins with, and what is behind them."""
    end = next((n for n, c in enumerate(text) if c not in "0123456789"), len(text))
    return text[:end], text[end:]


def _without_name(nos: str, version: str) -> str:
    text = version.strip()
    folded = text.casefold()
    for name in _WRITTEN[nos].names:
        if folded.startswith(name) and text[len(name) : len(name) + 1] in _AFTER_NAME:
            return text[len(name) :].lstrip(_AFTER_NAME)
    return text


def is_build_of(nos: str, version: str, stated: str) -> bool:
    """Whether a release is the stated one, or a build of it: 202405.123 and 20240510.04 are of 202405."""
    try:
        numbers, wanted = _parse_release(nos, version), _parse_release(nos, stated)
    except ValueError:
        return version == stated
    return numbers[: len(wanted)] == wanted


def _parse_release(nos: str, version: str) -> tuple[int, ...]:
    """The numbers that stand in a release."""
    return _numbers_of(nos, plain_release(nos, version))


def _numbers_of(nos: str, text: str) -> tuple[int, ...]:
    """The numbers of a release without its name and build; () where it is none."""
    return _WRITTEN[nos].numbers(text)


_AFTER_NAME = "-_. "
_BEFORE_BUILD = "-_+ ("  # 202405.123-0a1b2c3d, 4.33.2F-38195967.4332F


def _parse_sonic(version: str) -> tuple[int, ...]:
    if version == MASTER:
        return (_NEWEST,)
    head, *tail = _parse_dotted(version) or (0,)
    day: tuple[int, ...] = ()
    if len(version.partition(".")[0]) == len("20240510"):
        head, of_month = divmod(head, 100)
        day = (of_month,)
    year, month = divmod(head, 100)
    good = year in _YEARS and 1 <= month <= 12 and len(tail) + len(day) < _SIZE
    return (head, *day, *tail) if good else ()


def _parse_dotted(text: str) -> tuple[int, ...]:
    """`5.16.1` -> (5, 16, 1); () where it is anything but short numbers between dots."""
    parts = text.split(".")
    if not all(is_number(p, len("20240510")) for p in parts):
        return ()
    return tuple(map(int, parts))


def _parse_spectrum(version: str) -> tuple[int, ...]:
    numbers = _parse_dotted(version)
    return numbers if 2 <= len(numbers) <= 3 and 3 <= numbers[0] <= 9 else ()


def _parse_arista(version: str) -> tuple[int, ...]:
    numbers = _parse_dotted(version.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return numbers if 2 <= len(numbers) <= _SIZE and numbers[0] == 4 else ()


def _parse_junos(version: str) -> tuple[int, ...]:
    """`23.4R2-S3` -> (23, 4, 2, 3), `23.4X100-D31` -> (23, 4, 100, 31): X trains have numbers above those of R."""
    train, kind, rest = version.partition("R") if "R" in version else version.partition("X")
    update, mark, service = rest.partition("-S" if kind == "R" else "-D")
    parts = [*train.split("."), *([update] if kind else []), *([service] if mark else [])]
    if not all(is_number(p, 3) for p in parts) or len(train.split(".")) != 2:
        return ()
    numbers = tuple(map(int, parts))
    return numbers if numbers[0] >= 11 else ()


def _parse_nxos(version: str) -> tuple[int, ...]:
    """`10.3(4a)` -> (10, 3, 4, 1), `9.3` -> (9, 3), `7.0(3)I7(9)` -> (7, 0, 3, 709): a train and its release last."""
    train, opened, rest = version.partition("(")
    numbers = _parse_dotted(train)
    if len(numbers) != _TRAIN or not 5 <= numbers[0] <= 99:
        return ()
    if not opened:
        return numbers
    inner, closed, later = rest.partition(")")
    digits, letter = _split_digits(inner)
    if not closed or not is_number(digits, 3) or (letter and not (len(letter) == 1 and "a" <= letter <= "z")):
        return ()
    build = ord(letter) - ord("a") + 1 if letter else 0
    if later:
        branch, update = _split_digits(later[1:])
        last = _split_digits(update[1:])[0]
        if not (is_number(branch, 3) and is_number(last, 3)):
            return ()
        build = 100 * int(branch) + int(last)
    return (*numbers, int(digits), *((build,) if build else ()))


def _parse_srlinux(version: str) -> tuple[int, ...]:
    numbers = _parse_dotted(version)
    return numbers if 2 <= len(numbers) <= 3 and 19 <= numbers[0] <= 99 and 1 <= numbers[1] <= 12 else ()


class _Releases(NamedTuple):
    """What a system is called beside its name, and how its releases are written."""

    called: tuple[str, ...]  # by people; the command line takes it, intents have one name for a thing
    like: str  # what to write, for whoever wrote something else
    names: tuple[str, ...]  # what stands before a release, the longest first
    numbers: Callable[[str], tuple[int, ...]]  # of one without its name and build; () where it is none


_WRITTEN = {
    "sonic": _Releases(
        (), 'write it as "202405", "202505.1" or "master"', ("sonic-os", "sonic_os", "sonic os", "sonic"), _parse_sonic
    ),
    "spectrum": _Releases(
        ("cumulus", "nvue", "nvidia"),
        'write it as "5.14" or "5.16.1"',
        ("cumulus-linux", "cumulus_linux", "cumulus linux", "cumulus", "cl"),
        _parse_spectrum,
    ),
    "arista": _Releases(
        ("eos",), 'write it as "4.33.2F"', ("arista eos", "veos-lab", "veos", "ceos", "eos"), _parse_arista
    ),
    "junos": _Releases(
        ("juniper", "qfx"),
        'write it as "23.4R2", "23.4R2-S3" or "23.4X100-D31"',
        ("junos os evolved", "junos os", "junos"),
        _parse_junos,
    ),
    "nxos": _Releases(
        ("cisco", "nexus", "nx-os"),
        'write it as "10.4(3)" or "9.3(13)"',
        ("cisco nx-os", "nx-os", "nxos"),
        _parse_nxos,
    ),
    "srlinux": _Releases(
        ("nokia", "srl"), 'write it as "25.3" or "25.3.1"', ("sr linux", "srlinux", "srl"), _parse_srlinux
    ),
}
SYSTEMS = tuple(_WRITTEN)  # of which an intent may speak
ALSO_CALLED = {name: system.called for name, system in _WRITTEN.items()}
UNKNOWN_SYSTEMS = {  # that people ask for by these words, and that are neither written nor read
    "dell": "Dell SmartFabric OS10",
    "os10": "Dell SmartFabric OS10",
    **dict.fromkeys(("onyx", "mlnx-os", "mlnxos"), "NVIDIA Onyx"),
    **dict.fromkeys(("huawei", "vrp"), "Huawei VRP"),
    **dict.fromkeys(("h3c", "comware"), "H3C Comware"),
}
