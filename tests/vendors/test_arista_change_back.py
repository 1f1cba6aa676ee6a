"""EOS: one line is another on a switch, or is not there, and the change that is shown is that line and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import arista_factory as make
import pytest
from change_pairs import Case, lines
from test_arista_change import running

from rocecfg.model import Buffers, Headroom

SIZE = Headroom(64_000)
CLASSES = (replace(make.RDMA, max_percent=90, guaranteed_rate=20 * make.GBIT), *make.CLASSES[1:])
DEVICE = make.device(
    classes=CLASSES,
    ports=(
        make.ports("Ethernet1/1", ("Ethernet1/1",), headroom=SIZE),
        make.ports("Ethernet2/1", ("Ethernet2/1",), headroom=SIZE, trust="pcp", watchdog=make.SLOW_WATCHDOG),
        replace(make.STORAGE_PORT, trust="none"),
    ),
    buffers=Buffers(alpha=0.5, shared_headroom=2_000_000),
)
OTHER = (  # what is another value, where a line that is not there would say the same
    (r"( uc-tx-queue) 7$", r"\1 6"),
    (r"( uc-tx-queue) \d$", r"\1 7"),
    (r"^(qos map .* traffic-class) \d$", r"\1 5"),
    (r"no priority$", "priority strict"),
    (r"priority strict$", "no priority"),
    (r"no random-detect ecn$", "random-detect ecn minimum-threshold 9 kbytes maximum-threshold 90 kbytes"),
    (r"priority-flow-control pause watchdog$", "no priority-flow-control pause watchdog"),
    (r"no priority-flow-control$", "priority-flow-control on"),
    (r"no (priority-flow-control priority \d)$", r"\1 no-drop"),
    (r"(flowcontrol \w+) off$", r"\1 on"),
    (r"watchdog action drop$", "watchdog action errdisable"),
)

SILENT = {
    *(f"qos map traffic-class {tc} to uc-tx-queue {tc}" for tc in (1, 4, 5)),  # which no packet is sorted to
    "qos trust cos",  # as a port does unless told
    "no priority-flow-control",  # on without a priority pauses nothing
}


def other(line: str) -> str | None:
    """The same line with another value; None: the switch has no such line."""
    found = (re.sub(pattern, by, line) for pattern, by in OTHER if re.search(pattern, line))
    return next((each for each in found if each != line), None)


def one_by_one() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each line that is rendered, a text in which it is another or lacks, and what is typed where that matters."""
    text = running(DEVICE).splitlines()
    openers: dict[int, str] = {}
    seen = set()
    for n, line in enumerate(text):
        indent = len(line) - len(line.lstrip())
        openers = {at: opener for at, opener in openers.items() if at < indent} | {indent: line}
        below = n + 1 < len(text) and len(text[n + 1]) - len(text[n + 1].lstrip()) > indent
        if line.lstrip()[:1] in ("!", "") or below or line.startswith("hostname") or line in seen:
            continue
        seen.add(line)
        changed = other(line)
        stated = [*text[:n], *([] if changed is None else [changed]), *text[n + 1 :], ""]
        yield line, "\n".join(stated), tuple(openers[at] for at in sorted(openers))


def test_no_more_is_typed_than_the_one_line_that_is_another_or_not_there() -> None:
    case = Case(make.fabric(DEVICE), DEVICE)
    silent = set()
    for line, text, expected in one_by_one():
        fixed = case.fixed(text)
        assert (fixed.left, fixed.change.beyond) == ({}, ()), line
        made = tuple(each for each in lines(fixed) if each != "!")
        if not made:
            silent.add(line.strip())
        else:
            assert made == expected, line
    assert silent == SILENT


ONE = "interface Ethernet1/1\n   "
RDMA = "qos profile ROCE-HOST-400G\n   uc-tx-queue 3\n      "
DROPS = "random-detect drop minimum-threshold 9 kbytes maximum-threshold 90 kbytes drop-probability 9"
OTHER_MMU = "platform trident mmu queue profile OTHER"


@pytest.mark.parametrize(
    ("more", "typed"),
    [
        (f"{ONE}qos cos 3\n", f"{ONE}no qos cos 3\n!"),
        (f"{ONE}flowcontrol send on\n", f"{ONE}flowcontrol send off\n!"),
        (f"{ONE}mtu 1500\n", f"{ONE}mtu 9000\n!"),
        (f"{ONE}no qos trust\n", f"{ONE}default qos trust\n!"),
        (
            f"{ONE}priority-flow-control pause watchdog port timer timeout 2 polling-interval 1 recovery-time 4\n",
            f"{ONE}no priority-flow-control pause watchdog port timer\n!",
        ),
        (f"{ONE}uc-tx-queue 3\n      bandwidth percent 30\n", f"{ONE}uc-tx-queue 3\n      no bandwidth percent\n!"),
        (f"{RDMA}{DROPS}\n", f"{RDMA}no random-detect drop\n!"),
        (
            f"{OTHER_MMU}\n    ingress threshold 1/8\n{OTHER_MMU} apply\n",
            f"platform trident mmu queue profile ROCE apply\nno {OTHER_MMU}",
        ),
        (  # a port's own
            f"{OTHER_MMU}\n    ingress headroom bytes 1000\n{ONE}{OTHER_MMU.replace('profile', 'interface-profile')}\n",
            f"{ONE}no {OTHER_MMU.replace('profile', 'interface-profile')}\n!\nno {OTHER_MMU}",
        ),
        ("qos map traffic-class 1 to uc-tx-queue 3\n", ""),  # no packet is sorted to it
        (f"{ONE}uc-tx-queue 3\n      random-detect ecn count\n", ""),  # as its profile has it
    ],
)
def test_what_is_typed_besides_is_taken_back(more: str, typed: str) -> None:
    fixed = Case(make.fabric(DEVICE), DEVICE).fixed(running(DEVICE) + more)
    assert (fixed.left, fixed.change.beyond) == ({}, ())
    assert "\n".join(lines(fixed)) == typed
