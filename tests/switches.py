"""Switches as readers give them, built by hand: every value has a place of its own in a text that says nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.model import Running, RunningPort, Span
from rocecfg.model.stated import OFF, Problem, Section, Val
from rocecfg.model.switch import Chain, Port, Switch
from rocecfg.source.document import Sources
from rocecfg.vendors.draft import draft_of
from rocecfg.vendors.running import fabric_of

G = 10**9
LENGTH = 100_000  # of a text, one place a character


class Places:
    """Places in one file, each handed out once."""

    def __init__(self, doc: int = 0) -> None:
        self.doc = doc
        self._taken = 0

    def next(self) -> Span:
        self._taken += 1
        return Span(self.doc, self._taken, self._taken + 1)

    def val(self, value: Any) -> Val:
        return Val(value, self.next())


def chain(at: Places) -> Chain:
    """DSCP 26 leads to traffic class 3, 48 to 6, all else to 0; numbers map to themselves."""
    same = tuple(at.val(n) for n in range(8))
    groups = tuple(at.val(3 if n == 3 else 0) for n in range(8))
    return Chain(tuple(at.val({26: 3, 48: 6}.get(d, 0)) for d in range(64)), same, groups, same)


def queues(at: Places) -> dict[int, Section]:
    """Queue 3 marks and has half of the bandwidth, queue 0 the other half, queue 6 is strict."""
    curve = at.val({"kmin": at.val(900_000), "kmax": at.val(3_000_000), "pmax": at.val(10)})
    off = at.val(OFF)
    return {
        queue: {"bandwidth": at.val(share), "ecn": ecn}
        for queue, share, ecn in ((3, 50, curve), (0, 50, off), (6, "strict", off))
    }


def port(at: Places, *names: str, dog: dict[str, Any] | str | None = None, **section: Any) -> Port:
    """Lossless ports of 400G over 40 m with a watchdog.

    `dog`: what differs in it, or `off`; `section`: keys of an intent that differ, None for without; `up` and `groups`:
    of RunningPort.
    """
    timers = {
        "detection_time": 200, "restoration_time": 400, "poll_interval": 100, "action": "drop",
        "priorities": [at.val(3)], **(dog if isinstance(dog, dict) else {}),
    }  # fmt: skip
    watchdog = OFF if dog == OFF else {key: at.val(value) for key, value in timers.items()}
    running = RunningPort(up=section.pop("up", None), groups=section.pop("groups", ()))
    given = {"speed": 400 * G, "mtu": 9100, "cable": 40.0, "pfc": {"watchdog": at.val(watchdog)}, **section}
    kept = {key: at.val(value) for key, value in given.items() if value is not None}
    return Port(names, at.next(), kept, {3: at.next()}, queues(at), running)


def switch(
    at: Places,
    ports: Iterable[Port],
    *,
    name: str = "leaf01",
    problems: tuple[Problem, ...] = (),
    running: Running | None = None,
    **section: Any,
) -> Switch:
    """A switch with these ports. `section`: keys of an intent's device."""
    given: dict[str, Any] = {"vendor": "sonic", "version": "202405", **section}
    kept = {key: at.val(value) for key, value in given.items()}
    return Switch(name, at.next(), kept, chain(at), tuple(ports), running or Running("config_db"), problems)


def loaded(*switches: Switch) -> Loaded:
    """The fabric of switches, each in a file of its own, in the order of their places."""
    sources = Sources()
    read = []
    for one in switches:
        document = sources.add(f"{one.name}.json", "." * LENGTH)
        assert document.number == one.at.doc
        read.append((document, [draft_of(one)]))
    return fabric_of("switches", read, [], sources)


def found(*switches: Switch) -> list[Finding]:
    """What all rules find."""
    findings, failed = judge(loaded(*switches))
    assert not failed, failed
    return findings


def interfaces(count: int) -> Iterator[str]:
    """Names as SONiC gives them."""
    return (f"Ethernet{4 * n}" for n in range(count))
