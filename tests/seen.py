"""What of a switch's configuration a user is shown: its settings as drift compares them, and all that reading notes."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.model.switch import Switch
from rocecfg.model.values import Facts, of_device, of_port

Seen = frozenset[tuple[str, ...]]


def seen(switches: Iterable[Switch]) -> Seen:
    """The settings of switches without their places, by port, and what is said of statements beside them."""
    found: set[tuple[str, ...]] = set()
    for switch in switches:
        _add(found, "", of_device(switch))
        for port in switch.ports:
            facts = of_port(port, switch if port.chain is not None else None)
            for name in port.names or ("",):
                _add(found, name, facts)
        found |= noted((switch,))
    return frozenset(found)


def noted(switches: Iterable[Switch]) -> Seen:
    """What is said of statements that are unknown, refused, or not judged."""
    found: set[tuple[str, ...]] = set()
    for switch in switches:
        found |= {("problem", problem.rule, problem.message) for problem in switch.problems}
        for one in switch.unread:
            found.add(("unread", one.message, *one.topics, *one.ports, str(one.queue)))
    return frozenset(found)


def _add(found: set[tuple[str, ...]], port: str, facts: Facts) -> None:
    found |= {(port, *map(str, what), repr(fact.value)) for what, fact in facts.items()}
