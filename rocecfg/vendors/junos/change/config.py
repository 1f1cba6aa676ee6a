"""A configuration as the planner sees it: its statements, one setting each, and what they define and bind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.binding import bound
from rocecfg.vendors.junos.reading.cos import read_cos, split
from rocecfg.vendors.junos.reading.groups import expanded
from rocecfg.vendors.junos.reading.interfaces import interfaces
from rocecfg.vendors.junos.reading.statements import Statement, Words, statements, written

COS = "class-of-service"
Lines = dict[Words, None]  # in written order


class Config:
    """The statements of a text, and what is defined there."""

    def __init__(self, document: Document) -> None:
        stated = statements(document)
        own = [line for line in stated.active if line.words[0] != "groups"]
        everything = expanded(stated.active).statements
        self.inherits = sum(line.words[0] == COS for line in everything) > sum(line.words[0] == COS for line in own)
        self.lines: Lines = dict.fromkeys(words for line in own for words in _split_settings(line.words))
        self.cos = read_cos(everything)
        self.ports = interfaces(everything)
        self._inactive: Sequence[Statement] = stated.inactive
        self._groups = [line for line in stated.active if line.words[0] == "groups"]
        self.named = any(line.words[:2] == ("system", "host-name") for line in own)

    def lag_of(self, port: str) -> str | None:
        """The LAG that a port is in."""
        known = self.ports.get(port)
        return known.stated["lag"].value if known is not None and "lag" in known.stated else None

    def name_in_cos(self, port: str) -> str:
        """The name under which class-of-service has a port: its own, or its LAG's."""
        return self.lag_of(port) or port

    def bound_to(self, port: str, key: str) -> str | None:
        """What is bound to a port, by wildcards too: profile, map, dscp, ieee-802.1, fixed, rewrite."""
        stated = bound(self.cos, port, self.lag_of(port)).get(key)
        return stated.value if stated is not None else None

    def statements_below(self, *path: str) -> list[Words]:
        """The statements that begin with these words."""
        return [words for words in self.lines if words[: len(path)] == path]

    def text_with(self, lines: Iterable[Words]) -> str:
        """The whole configuration as set lines, with other statements in the place of its own."""
        out = [f"set {written(line.words)}" for line in self._groups]
        out += [f"set {written(words)}" for words in lines]
        for line in self._inactive:
            out += [f"set {written(line.words)}", f"deactivate {written(line.words)}"]
        return "".join(f"{line}\n" for line in out)


def _split_settings(words: Words) -> Iterable[Words]:
    """A statement as one for each setting that it has."""
    if words[0] != COS or len(words) < 2:
        return (words,)
    return ((COS, *each) for each in split(words[1:]))
