"""SONiC releases: the branch a device runs, and what differs between branches for RoCE."""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.vendors.base import CannotRender

MASTER = 999912  # after every branch
FIRST_PATCHED = 202111  # the first whose `config apply-patch` works: the one of 202106 raises NotImplementedError
_FALLBACK = "202405"  # where no profile names a default
_NAME = r"(?:sonic(?:[-_ ]os)?[-_. ]+)?"
_VERSION = re.compile(rf"{_NAME}(20\d\d(?:0[1-9]|1[0-2]))(\d\d)?(?!\d)", re.IGNORECASE)
_MASTER = re.compile(rf"{_NAME}master\b", re.IGNORECASE)


class Release(NamedTuple):
    """A branch as a number (202405; master sorts last) and the limits that came or went with it."""

    name: str
    number: int
    date: str | None  # "20240531" of a dated build: the update gate compares it
    assumed: bool  # the intent names none

    @property
    def bracketed(self) -> bool:
        """References are `[TABLE|name]` up to 202106 and plain names, brackets refused, from 202111."""
        return self.number <= 202106

    @property
    def watch_mask(self) -> bool:
        """PORT_QOS_MAP has pfcwd_sw_enable: 202012 (late builds) and from 202205, not 202106 and 202111."""
        return self.number == 202012 or self.number >= 202205

    @property
    def watched_by(self) -> str:
        """The field of PORT_QOS_MAP that has the priorities for which a row of PFC_WD arms the watchdog."""
        return "pfcwd_sw_enable" if self.watch_mask else "pfc_enable"

    @property
    def watch_history(self) -> bool:
        """`pfcwd start` writes pfc_stat_history, and orchagent takes it: from 202511; before, it refuses the row."""
        return self.number >= 202511

    @property
    def empty_mask(self) -> bool:
        """An empty pfc_enable or pfcwd_sw_enable is legal (YANG pattern, from 202505)."""
        return self.number >= 202505

    @property
    def poll_max(self) -> int:
        """Largest PFC_WD POLL_INTERVAL in ms (sonic-pfcwd.yang)."""
        return 1000 if self.number >= 202511 else 3000

    @property
    def ecn_counters(self) -> bool:
        """WRED_ECN_QUEUE and WRED_ECN_PORT count and are shown (sonic-swss, sonic-utilities: branches from 202505)."""
        return self.number >= 202505

    @property
    def trims(self) -> bool:
        """Packets can be trimmed: sonic-trimming.yang, from 202505."""
        return self.number >= 202505

    @property
    def cable_acts(self) -> bool:
        """The traditional model looks a new CABLE_LENGTH up at once (buffermgr.cpp, doCableTask, from 202511)."""
        return self.number >= 202511

    def ref(self, table: str, name: str) -> str:
        """A reference to a row, spelt as this release wants it."""
        return f"[{table}|{name}]" if self.bracketed else name


def release_of(device: Device) -> Release:
    """The release a device runs; CannotRender if its version names no community branch."""
    text = device.version
    if text is None:
        return assume_release(device.release or _FALLBACK)
    found = parse_release(text)
    if found is None:
        raise CannotRender(
            f"{text!r} names no SONiC branch, so what the switch accepts is unknown",
            'write the community branch the image was built from, e.g. version: "202405", or "master"',
            (device.at("version"),),
        )
    return found


def parse_release(text: str) -> Release | None:
    """The branch that a version names; None for one that names none."""
    if _MASTER.match(text):
        return Release("master", MASTER, None, assumed=False)
    found = _VERSION.match(text)
    if found is None:
        return None
    branch, day = found[1], found[2]
    return Release(branch, int(branch), branch + day if day else None, assumed=False)


def assume_release(text: str = _FALLBACK) -> Release:
    """The release to go by where nobody says which."""
    found = parse_release(text) or Release(_FALLBACK, int(_FALLBACK), None, assumed=True)
    return found._replace(assumed=True)
