"""What one family of chips takes and the other does not, where the text says which switch it is from."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.stated import Problem
from rocecfg.vendors.arista.limits import SAND, STRATA
from rocecfg.vendors.arista.reading.blocks import IN_QUEUE, Block
from rocecfg.vendors.arista.reading.curves import TIMES
from rocecfg.vendors.arista.reading.parse import quoted
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_QUEUE_7_SINCE = (4, 33)


def strangers(switch: Switchwide) -> Iterator[Problem]:
    """The first line of each kind that is the other family's."""
    if switch.family is None:
        return
    yield from _platform(switch)
    reported: set[str] = set()
    passed: set[str] = set()  # ports have most lines in common
    for block in (*switch.config.profiles.values(), *switch.config.ports):
        for index, line in enumerate(block.lines):
            if line in passed:
                continue
            passed.add(line)
            stranger = _stranger(switch, line)
            if stranger is not None and stranger[0] not in reported:
                reported.add(stranger[0])
                yield _problem(block, index, *stranger)


_OF_CHIPS = {SAND: ("platform trident ",), STRATA: ("platform sand ", "platform fap ")}


def _platform(switch: Switchwide) -> Iterator[Problem]:
    """The first line that is about the other family's chips."""
    assert switch.family is not None
    foreign = _OF_CHIPS[switch.family]
    lines = ((text, block.span(n)) for block in (switch.config.globals,) for n, text in enumerate(block.lines))
    opened = ((f"platform trident mmu queue profile {name}", block.at) for name, block in switch.config.mmu.items())
    for text, at in (*lines, *opened):
        if text.startswith(foreign):
            kinds = "Jericho" if switch.family == STRATA else "Trident and Tomahawk"
            yield Problem(
                "device-unknown",
                at,
                f"{quoted(text)} is about {kinds} switches, and {switch.head.model or 'this switch'} is none",
                "take it out: the switch refuses it, and buffers stay as they come",
            )
            return


def _problem(block: Block, index: int, message: str, help: str, severity: str | None) -> Problem:
    return Problem("device-unknown", block.span(index), message, help, severity=severity)


def _stranger(switch: Switchwide, line: str) -> tuple[str, str, str | None] | None:
    """What is wrong with a line on such a switch, the fix, and how bad it is, where not as the rule has it."""
    head, inside, text = line.rpartition(IN_QUEUE)
    model = switch.head.model or "this switch"
    if switch.family == SAND:
        if not inside and text.startswith(("uc-tx-queue", "mc-tx-queue")):
            kind = text.split(" ", maxsplit=1)[0]
            return f"{kind} is a queue of Trident and Tomahawk switches, and {model} is none", "write tx-queue N", None
        if inside and " segments " in f"{text} ":
            message = f"ECN thresholds in segments are for Trident and Tomahawk switches, and {model} is none"
            return message, "write them in bytes or kbytes", None
        if head == "tx-queue 7" and _before(switch.release) and text != "priority strict":
            message = f"{model} with EOS {switch.release} has queue 7 fixed: it can be set from 4.33.0F on"
            return message, "use another queue, or a later release", None
    elif (
        switch.family == STRATA and inside and text.startswith("random-detect") and TIMES.intersection(text.split(" "))
    ):
        message = f"thresholds in units of time are known of Jericho switches only, and {model} is none"
        return message, "write them in bytes or kbytes", "info"
    return None


def _before(release: str | None) -> bool:
    """Whether a release is known to be older than the one that let queue 7 be set."""
    numbers = (release or "").split(".")
    if len(numbers) < 2 or not (numbers[0].isdigit() and numbers[1].isdigit()):
        return False
    return (int(numbers[0]), int(numbers[1])) < _QUEUE_7_SINCE
