"""What the statements below `/qos` define: objects by kind and name, each value with its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.vendors.srlinux.reading.statements import Statement, Words
from rocecfg.vendors.srlinux.settings import QOS, TABLE, OneOf, Whole, is_beside, take_dscp
from rocecfg.vendors.table import KEY, PROFILE, VALUE, N, Row

OWN_QUEUE = re.compile(r"unicast-([0-7])")  # names that the system has by itself
OWN_PFC_QUEUE = re.compile(r"pfc([0-7])")
OWN_CLASS = re.compile(r"fc([0-7])")
Names = tuple[str, ...]


class Values(dict[str, Val]):
    """What is said of one object. `at`: where it is said that there is one."""

    def __init__(self, at: Span) -> None:
        super().__init__()
        self.at = at
        self.several: dict[str, list[Val]] = {}  # of leaves that have several values


class Objects:
    """What `/qos` says."""

    def __init__(self) -> None:
        self.kinds: dict[str, dict[Names, Values]] = {}
        self.unknown: list[Statement] = []  # statements in no row
        self.wrong: list[tuple[Span, str, str]] = []  # values that none can be: where, what, the fix
        self.unjudged: list[tuple[Statement, Row]] = []
        self.lines: list[Statement] = []
        self.whole = True

    def of(self, kind: str) -> dict[Names, Values]:
        """The objects of a kind, by their names."""
        return self.kinds.get(kind, {})

    def get(self, kind: str, *names: str) -> Values | None:
        """One object; None: there is none of that name."""
        return self.kinds.get(kind, {}).get(names)

    def below(self, kind: str, *names: str) -> dict[Names, Values]:
        """The objects of a kind that begin with these names, by the rest of theirs."""
        many = len(names)
        return {rest[many:]: own for rest, own in self.of(kind).items() if rest[:many] == names}

    def queue_of(self, name: str) -> int | None:
        """The number of an output queue, where it is one of the eight for unicast."""
        stated = self.get("queues", name)
        if stated is not None and "index" in stated:
            return int(stated["index"].value) if stated["index"].value < 8 else None
        found = OWN_QUEUE.fullmatch(name)
        return int(found[1]) if found is not None else None

    def pfc_queue_of(self, name: str) -> int | None:
        """The number of a PFC queue."""
        stated = self.get("pfc-queues", name)
        if stated is not None and "index" in stated:
            return int(stated["index"].value)
        found = OWN_PFC_QUEUE.fullmatch(name)
        return int(found[1]) if found is not None else None

    def queue_of_class(self, name: str) -> int | None:
        """The number of the queue of a forwarding class; None: it is not known."""
        stated = self.get("classes", name)
        if stated is not None and "queue" in stated:
            return self.queue_of(stated["queue"].value)
        found = OWN_CLASS.fullmatch(name)
        return int(found[1]) if found is not None else None


def read_objects(lines: Sequence[Statement]) -> Objects:
    """What the statements below `/qos` define."""
    objects = Objects()
    objects.lines = [line for line in lines if line.words[0] == QOS]
    named: set[Words] = set()
    for line in objects.lines:
        _name_objects(objects, line, named)
        row = TABLE.find_whole(line.words)
        if row is not None and row.unjudged:
            objects.unjudged.append((line, row))
        if row is None or not (row.into or row.unjudged):
            upper = TABLE.find(line.words)
            if upper is not None and upper.unjudged:
                objects.unjudged.append((line, upper))
            elif not is_beside(line.words):
                objects.unknown.append(line)
        elif row.into:
            _read_row(objects, row, line)
    return objects


def _name_objects(objects: Objects, line: Statement, named: set[Words]) -> None:
    """The objects that a statement stands below: they are there, whatever is said of them."""
    for end in range(len(line.words) - 1, 2, -1):
        above = line.words[:end]
        if above in named:
            return
        named.add(above)
        row = TABLE.find_whole(above)
        if row is not None and row.into and not row.key:
            _read_row(objects, row, Statement(above, line.at))


def _read_row(objects: Objects, row: Row, line: Statement) -> None:
    words = line.words
    pairs = list(zip(row.path, words, strict=True))
    names = tuple(word for hole, word in pairs if hole in (PROFILE, KEY))
    if N in row.path:
        text = next(word for hole, word in pairs if hole == N)
        code = (take_dscp if row.into == "dscp" else Whole(0, 7))(text)
        if code is None:
            what = "DSCP" if row.into == "dscp" else "802.1p value"
            message = f"{what} {text[:40]} of {names[0][:40]} does not exist"
            objects.wrong.append((line.at, message, "write a number, or a name such as AF31"))
            return
        names = (*names, str(code))
    own = objects.kinds.setdefault(row.into, {}).setdefault(names, Values(line.at))
    if not row.key:
        return
    if VALUE not in row.path:
        own[row.key] = Val(value=True, at=line.at)
        return
    text = words[-1]
    value = row.take(text) if row.take is not None else text
    if value is None:
        objects.wrong.append((line.at, f"{words[-2]} {text[:40]} is {_say_range(row)}", "correct the value"))
    elif row.key.endswith("[]"):
        own.several.setdefault(row.key, []).append(Val(value, line.at))
    else:
        own[row.key] = Val(value, line.at)


def _say_range(row: Row) -> str:
    if isinstance(row.take, Whole):
        return f"not a number from {row.take.low} to {row.take.high}"
    if isinstance(row.take, OneOf):
        return f"none of {', '.join(row.take.words)}"
    return "no DSCP"
