"""Each statement of a Junos configuration taken out, changed, misspelt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from changed_configurations import CHANGED, DELETED, REFUSED, Change, Statement

from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.statements import join_words, parse_statements
from rocecfg.vendors.junos.settings import settings_of

COS = "class-of-service"
HEAD = "set system host-name leaf01\n"
OF_INTERFACES = {
    "mtu": ("mtu",),
    "speed": ("speed",),
    "ether-options": ("flowcontrol", "fec", "lag", "layer", "mtu"),
    "unit": ("mtu", "layer", "trust"),
    "disable": ("up",),
}
WORDS = {"strict-high": "low", "low": "strict-high", "drop": "forward", "af31": "af41", "100g": "400g", "400g": "100g"}
SPELT = {"pfc": "pcf", "no-loss": "noloss"}


def other(word: str) -> str:
    """Another value of the same kind."""
    if re.fullmatch(r"[01]{3}|[01]{6}", word):
        return word[:-1] + ("0" if word[-1] == "1" else "1")
    if word.isdigit():
        return str(int(word) + 1) if word not in ("7", "100") else str(int(word) - 1)
    return WORDS.get(word, f"{word}X")


def lines_of(text: str) -> list[str]:
    """The statements of a text as set lines."""
    return [join_words(line.words) for line in parse_statements(Document(0, "leaf01.conf", text)).active]


def changes(text: str) -> Iterator[Statement]:
    """Each statement of QoS and of ports, and what is done to it."""
    lines = lines_of(text)
    for n, line in enumerate(lines):
        words = tuple(line.split())
        if words[0] not in (COS, "interfaces") or words[1:2] in (("irb",), ("lo0",)) or "description" in words:
            continue
        bears = settings_of(words[1:]) if words[0] == COS else OF_INTERFACES.get(words[2] if len(words) > 2 else "", ())

        def whole(*new: str, at: int = n) -> str:
            return HEAD + "".join(f"set {each}\n" for each in (*lines[:at], *new, *lines[at + 1 :]))

        made = [Change(DELETED, "", whole())]
        if len(words) > 2 and words[-1] not in ("no-loss", "pfc", "explicit-congestion-notification", "pfc-watchdog"):
            new = " ".join((*words[:-1], other(words[-1])))
            made.append(Change(CHANGED, new, whole(new)))
        if words[0] == COS and len(words) > 3:
            slip = " ".join((*words[:-2], f"{words[-2]}z", words[-1]))
            if words[-2] not in ("dscp", "class") and not words[-2].isdigit():
                made.append(Change(REFUSED, slip, whole(slip)))
        form = " ".join(words[:2])
        if "code-points" in words and lines[n - 2 : n - 1] and lines[n - 2].split()[:-1] == line.split()[:-1]:
            continue  # two of a class will do
        yield Statement(form, line, frozenset({*bears, "port", "pcp", "dscp"}), tuple(made))
