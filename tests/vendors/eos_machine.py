"""A switch with EOS as far as its command line goes: lines are typed, modes are entered, a line replaces its like.

Written against Arista's manual and the running-configs of AVD, not against the code that makes changes. A statement
is known by what it is about (its words less its arguments); `no` and `default` take away what begins with their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_DOG = "priority-flow-control pause watchdog"
_KEYS = tuple(  # what a line is about; {} is a part of that, all behind it the argument
    re.compile(pattern)
    for pattern in (
        r"priority-flow-control priority \d",
        rf"{_DOG} (?:port timer|port action|default \S+|action|override)",
        _DOG,
        r"priority-flow-control all",
        r"priority-flow-control(?= on$)",
        r"qos trust",
        r"qos (?:cos|dscp)",
        r"qos map traffic-class \d to (?:tx-queue|uc-tx-queue|dscp)",
        r"qos map (?:dscp|cos) \d+",
        r"random-detect ecn count",
        r"random-detect ecn",
        r"random-detect drop",
        r"bandwidth (?:percent|guaranteed)",
        r"shape rate",
        r"priority(?= strict|$)",
        r"mtu|service-profile|dcbx mode|flowcontrol (?:send|receive)",
        r"ingress (?:threshold|headroom|priority-group \d)",
        r"platform trident mmu headroom-pool limit",
        r"platform trident mmu queue profile(?= \S+ apply)",
        r"hostname",
    )
)
_SIGNED = re.compile(rf"priority$|{_DOG}$|qos trust$|flowcontrol |dcbx mode")  # whose `no` says something of its own
_MODES = re.compile(r"(?:interface|qos profile) \S+|platform trident mmu queue profile \S+")
_QUEUE = re.compile(r"(?:uc-)?tx-queue \d")
_LIST = re.compile(r"((?:no |default )?qos map (?:dscp|cos|traffic-class)) ([\d ]+?)( to .*)?")

Path = tuple[str, ...]


class Switch:
    """Its running-config: by mode, each statement by what it is about."""

    def __init__(self, text: str) -> None:
        self.modes: dict[Path, dict[str, str]] = {(): {}}
        for _ in self.type(text.splitlines()):
            pass

    def type(self, lines: Iterable[str]) -> Iterator[None]:
        """Types lines at the global prompt; yields after each that is no mode."""
        mode: Path = ()
        for raw in lines:
            line = raw.strip()
            if not line or line.startswith("!"):
                continue
            if _MODES.fullmatch(line):
                mode = (line,)
                self.modes.setdefault(mode, {})
                continue
            if mode and _QUEUE.fullmatch(line):
                mode = (mode[0], line)
                self.modes.setdefault(mode, {})
                continue
            if not raw.startswith(" "):
                mode = ()
            elif len(mode) == 2 and not raw.startswith("      "):
                mode = mode[:1]
            for each in _one_by_one(line):
                self._statement(mode, each)
            yield

    def _statement(self, mode: Path, line: str) -> None:
        sign = line.split(" ", 1)[0] if line.startswith(("no ", "default ")) else ""
        body = line.removeprefix(f"{sign} ") if sign else line
        stated = self.modes[mode]
        if sign and _MODES.fullmatch(body):
            self.modes = {path: lines for path, lines in self.modes.items() if path[:1] != (body,)}
            return
        if not sign:
            stated[_about(line)] = line
            return
        about = _about(body)
        stated.pop(about, None)
        if sign == "no" and _SIGNED.match(about):
            stated[about] = f"no {about}"

    def text(self) -> str:
        """The running-config."""
        out = [*self.modes[()].values()]
        for mode, stated in self.modes.items():
            if len(mode) == 1:
                out += ["!", mode[0], *(f"   {line}" for line in stated.values())]
                for inner, lines in self.modes.items():
                    if len(inner) == 2 and inner[0] == mode[0]:
                        out += [f"   {inner[1]}", *(f"      {line}" for line in lines.values())]
        return "\n".join([*out, ""])

    # -- what ports do -------------------------------------------------------------------------------------------------

    def ports(self) -> list[str]:
        return [mode[0].split()[1] for mode in self.modes if len(mode) == 1 and mode[0].startswith("interface ")]

    def profile(self, port: str) -> str | None:
        """The profile that a port names, defined or not."""
        line = self.modes[(f"interface {port}",)].get("service-profile")
        return line.split()[1] if line else None

    def states(self, port: str) -> dict[str, str]:
        """What holds on a port, of what is stated of it and in its profile: its own wins."""
        return {**self.modes.get((f"qos profile {self.profile(port)}",), {}), **self.modes[(f"interface {port}",)]}

    def unwatched(self) -> set[tuple[str, str]]:
        """Ports and their lossless priorities without a watchdog."""
        out = set()
        for port in self.ports():
            stated = self.states(port)
            on = "priority-flow-control" in stated and "priority-flow-control all" not in self.modes[()]
            if on and stated.get(_DOG, "").startswith("no "):
                out |= {(port, key) for key, line in stated.items() if line.endswith(" no-drop")}
        return out

    def dangling(self) -> set[str]:
        """Ports whose profile is not defined, and an MMU profile that is applied but not defined."""
        out = {
            port for port in self.ports() if (name := self.profile(port)) and (f"qos profile {name}",) not in self.modes
        }
        applied = self.modes[()].get("platform trident mmu queue profile", "").removesuffix(" apply")
        return out | ({applied} if applied and (applied,) not in self.modes else set())


def _about(line: str) -> str:
    for key in _KEYS:
        found = key.match(line)
        if found is not None:
            return found[0]
    return line


def _one_by_one(line: str) -> Iterator[str]:
    """A line on several numbers as lines on one each."""
    found = _LIST.fullmatch(line)
    if found is None:
        yield line
        return
    for number in found[2].split():
        yield f"{found[1]} {number}{found[3] or ''}"
