"""Reads EOS text back for the tests: as (mode path, line) pairs, and as what a switch would do on each port."""

from __future__ import annotations

from typing import Any, NamedTuple

Line = tuple[tuple[str, ...], str]


def lines_of(text: str) -> list[Line]:
    """Every line with the headers it stands under, by indentation; comments and separators are left out."""
    stack: list[tuple[int, str]] = []
    found = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith("!"):
            continue
        indent = len(raw) - len(raw.lstrip())
        while stack and stack[-1][0] >= indent:
            stack.pop()
        found.append((tuple(header for _, header in stack), line))
        stack.append((indent, line))
    return found


class Switch(NamedTuple):
    """What a switch does that had nothing configured before."""

    tc_of: dict[int, int]  # DSCP -> traffic class
    queue_of: dict[int, int]  # traffic class -> queue
    globals: list[str]
    profiles: dict[str, dict[str, Any]]
    interfaces: dict[str, list[str]]


def read(text: str) -> Switch:
    """The switch that a text makes; fails on a code point or traffic class said twice."""
    switch = Switch({}, {}, [], {}, {})
    for path, line in lines_of(text):
        words = line.split()
        if not path:
            switch.globals.append(line)
            _read_map(switch, words)
            if words[:2] == ["qos", "profile"]:
                switch.profiles[words[2]] = {"lines": [], "queues": {}}
            elif words[0] == "interface":
                switch.interfaces[words[1]] = []
        elif path[0].startswith("qos profile"):
            profile = switch.profiles[path[0].split()[2]]
            if len(path) == 2:
                profile["queues"][int(path[1].split()[1])].append(line)
            elif "tx-queue" in words[0]:
                profile["queues"][int(words[1])] = []
            else:
                profile["lines"].append(line)
        elif path[0].startswith("interface") and len(path) == 1:
            switch.interfaces[path[0].split()[1]].append(line)
    return switch


def _read_map(switch: Switch, words: list[str]) -> None:
    if words[:3] == ["qos", "map", "dscp"]:
        end = words.index("to")
        for dscp in map(int, words[3:end]):
            assert dscp not in switch.tc_of, f"DSCP {dscp} twice"
            switch.tc_of[dscp] = int(words[end + 2])
    elif words[:3] == ["qos", "map", "traffic-class"]:
        tc = int(words[3])
        assert tc not in switch.queue_of, f"traffic class {tc} twice"
        switch.queue_of[tc] = int(words[6])


def profile_of(switch: Switch, interface: str) -> dict[str, Any]:
    """The profile attached to an interface."""
    (name,) = [line.split()[1] for line in switch.interfaces[interface] if line.startswith("service-profile")]
    return switch.profiles[name]


def no_drop(profile: dict[str, Any]) -> tuple[int, ...]:
    """The priorities that PFC protects."""
    lines = profile["lines"]
    if "priority-flow-control on" not in lines:
        return ()
    return tuple(int(line.split()[2]) for line in lines if line.endswith("no-drop"))


def watchdog_times(switch: Switch, profile: dict[str, Any]) -> dict[str, str]:
    """The watchdog's times in seconds as a port has them: its own, else the switch's; {} if it is off."""
    if "priority-flow-control pause watchdog" not in profile["lines"]:
        return {}
    prefix = "priority-flow-control pause watchdog "
    times: dict[str, str] = {}
    for line in switch.globals:
        if line.startswith(f"{prefix}default "):
            key, value = line.split()[-2:]
            times[key] = value
        elif line.startswith(f"{prefix}action "):
            times["action"] = line.split()[-1]
    for line in profile["lines"]:
        words = line.removeprefix(f"{prefix}port ").split()
        if line.startswith(f"{prefix}port timer "):
            times |= dict(zip(words[1::2], words[2::2], strict=True))
        elif line.startswith(f"{prefix}port action "):
            times["action"] = words[-1]
    return times
