"""Event handlers and scheduled commands of EOS, which may change the configuration beside what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread
from rocecfg.vendors.fates import WRITES

_BEGINS = re.compile(r"^(?:event-handler \S+|schedule \S+ .*\bcommand\b.*)", re.MULTILINE)
_TOUCHES = re.compile(  # PFC, queues and ports; what configures, or writes into a chip; files that are not here
    r"priority-flow-control|\bqos\b|tx-queue|random-detect|service-profile|traffic-polic|\bmtu\b|\bmmu\b|\bpfc\b|\becn\b|"
    rf"\bconf(?:ig(?:ure)?)?\b|running-config|configlet|\S+\.(?:sh|py)\b|\bbcm\w*\b|{WRITES.pattern}",
    re.IGNORECASE,
)


def list_scripts(text: str, doc: int, start: int) -> Iterator[tuple[Span, str, str]]:
    """Those that may touch what is checked: the place, what is said of them, their lines."""
    for found in _BEGINS.finditer(text):
        lines = [found[0].rstrip()]
        until = ""
        for line in text[found.end() :].split("\n")[1:]:
            if until:
                until = "" if line.strip() == until else until
            elif line[:1] not in (" ", "\t") or lines[0].startswith("schedule"):
                break
            elif line.strip() == "action bash":
                until = "EOF"
            lines.append(line.strip())
        if any(_TOUCHES.search(line.partition(" ")[2] if n == 0 else line) for n, line in enumerate(lines)):
            what = " ".join(lines[0].split()[:2])[:80]
            message = (
                f"{what} runs commands outside the configuration, which may change PFC, queues or ports: not checked"
            )
            yield Span(doc, start + found.start(), start + found.start() + len(lines[0])), message, "\n".join(lines)


def check_scripts(text: str, doc: int, start: int) -> Iterator[Problem]:
    """Each as what is not judged."""
    for at, message, _ in list_scripts(text, doc, start):
        yield Problem("device-second-way", at, message, "put it into the configuration itself, if possible")


def list_unread_scripts(text: str, doc: int, start: int) -> Iterator[Unread]:
    """Each as what drift does not compare."""
    for at, message, lines in list_scripts(text, doc, start):
        yield Unread(at, message, (), (), None, lines)
