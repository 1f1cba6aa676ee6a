"""What `groups` and `apply-groups` amount to, and interface ranges: statements as if each were written in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.vendors.junos.reading.statements import Statement, Words

_GROUPS, _APPLY, _EXCEPT = "groups", "apply-groups", "apply-groups-except"
_RANGE = ("interfaces", "interface-range")
_RESERVED = ("junos-",)  # groups that every switch has
_Tree = dict[str, "_Tree"]


class Expanded(NamedTuple):
    """The statements in force: those of groups before those that stand in their place."""

    statements: list[Statement]
    missing: list[Statement]  # apply-groups of a name that nothing defines


def expand_groups(active: Sequence[Statement]) -> Expanded:
    """The statements of a configuration with those that it takes from groups."""
    own = [one for one in active if one.words[0] != _GROUPS and not {_APPLY, _EXCEPT} & set(one.words)]
    applied = [one for one in active if _APPLY in one.words and one.words[0] != _GROUPS]
    own = list(_expand_ranges(own))
    if not applied:
        return Expanded(own, [])
    groups: dict[str, list[Statement]] = {}
    for one in active:
        if one.words[0] == _GROUPS and len(one.words) > 2:
            groups.setdefault(one.words[1], []).append(one._replace(words=one.words[2:]))
    excepted = [(words[: words.index(_EXCEPT)], words[-1]) for words in (o.words for o in active) if _EXCEPT in words]
    tree = _build_tree(own)
    taken: list[tuple[int, int, list[Statement]]] = []
    missing = []
    for n, one in enumerate(applied):
        cut = one.words.index(_APPLY)
        place, name = one.words[:cut], one.words[-1]
        if name not in groups:
            if not name.startswith(_RESERVED) and "$" not in name:
                missing.append(one)
            continue
        not_at = [path for path, of in excepted if of == name]
        found = [each for line in _order_last_first(groups[name]) for each in _put_in_place(line, place, tree, not_at)]
        taken.append((cut, -n, found))  # deeper ones count before wider ones, the first of several before the next
    inherited = [each for _, _, found in sorted(taken, key=lambda t: t[:2]) for each in found]
    return Expanded([*inherited, *own], missing)


def _order_last_first(lines: Sequence[Statement]) -> Iterator[Statement]:
    """The statements of a group so that what counts comes last: the first name or wildcard of it that fits a port.

    Names that fit give a port what the ones before them do not say (Juniper, Using Wildcards with Configuration
    Groups). Values of one list stay in order.
    """
    runs = [list(run) for _, run in groupby(lines, key=lambda line: line.words[:-1])]
    yield from (line for run in reversed(runs) for line in run)


def _build_tree(lines: Sequence[Statement]) -> _Tree:
    tree: _Tree = {}
    for line in lines:
        node = tree
        for word in line.words:
            node = node.setdefault(word, {})
    return tree


def _put_in_place(line: Statement, place: Words, tree: _Tree, not_at: list[Words]) -> Iterator[Statement]:
    """A statement of a group at each place that it matches at or below the one where the group is applied."""
    for words in _match_paths(line.words, 0, place, tree):
        if words[: len(place)] == place and not any(words[: len(path)] == path for path in not_at):
            yield Statement(words, line.at)


def _match_paths(words: Words, at: int, place: Words, node: _Tree) -> Iterator[Words]:
    if at == len(words):
        yield ()
        return
    word = words[at]
    if not is_wild(word):
        if at < len(place) and word != place[at]:
            return
        for rest in _match_paths(words, at + 1, place, node.get(word, {})):
            yield (word, *rest)
        return
    names = [place[at]] if at < len(place) else list(node)
    for name in names:
        if fits(word, name):
            for rest in _match_paths(words, at + 1, place, node.get(name, {})):
                yield (name, *rest)


def is_wild(word: str) -> bool:
    """Whether a word of a group stands for all names that it fits: `<*>`, `<et-*>`."""
    return word.startswith("<") and word.endswith(">")


def fits(pattern: str, name: str) -> bool:
    """Whether a name fits `<et-*>`, or a wildcard without the angle brackets."""
    return _compile_pattern(pattern.strip("<>")).fullmatch(name) is not None


@lru_cache(maxsize=256)
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    out = []
    for part in re.split(r"(\[[^\]]*\]|[*?])", pattern):
        if part == "*":
            out.append(".*")
        elif part == "?":
            out.append(".")
        elif part.startswith("["):
            numbers = re.fullmatch(r"\[(\d+)-(\d+)\]", part)
            out.append(_spell_number_range(int(numbers[1]), int(numbers[2])) if numbers else part.replace("!", "^", 1))
        else:
            out.append(re.escape(part))
    try:
        return re.compile("".join(out))
    except re.error:
        return re.compile(re.escape(pattern))


def _spell_number_range(low: int, high: int) -> str:
    """`[0-31]` stands for numbers, of which none is a port beyond 1024."""
    return f"(?:{'|'.join(map(str, range(low, min(high, 1024) + 1)))})"


def _expand_ranges(lines: list[Statement]) -> Iterator[Statement]:
    """`interface-range` written out: its statements for each of its members, before those of the members' own."""
    members: dict[str, list[str]] = {}
    for line in lines:
        if line.words[:2] == _RANGE and len(line.words) > 4:
            found = members.setdefault(line.words[2], [])
            if line.words[3] == "member":
                found.extend(_expand_member(line.words[4]))
            elif line.words[3] == "member-range" and len(line.words) > 6:
                found.extend(_expand_member_range(line.words[4], line.words[6]))
    for line in lines:
        if line.words[:2] == _RANGE and len(line.words) > 3 and not line.words[3].startswith("member"):
            for port in members.get(line.words[2], ()):
                yield Statement(("interfaces", port, *line.words[3:]), line.at)
    yield from (line for line in lines if line.words[:2] != _RANGE)


def _expand_member(member: str) -> list[str]:
    """`et-0/0/[0-3]` or `et-0/0/[0,2]` as names; a wildcard says nothing of which ports there are."""
    found = re.fullmatch(r"([^\[\]*]+)(?:\[([\d,-]+)\])?", member)
    if found is None:
        return []
    if found[2] is None:
        return [member]
    out = []
    for part in found[2].split(","):
        low, _, high = part.partition("-")
        if is_number(low) and is_number(high or low):
            out += [f"{found[1]}{n}" for n in range(int(low), min(int(high or low), int(low) + 1024) + 1)]
    return out


def _expand_member_range(first: str, last: str) -> list[str]:
    head, _, low = first.rpartition("/")
    high = last.rpartition("/")[2]
    return (
        [f"{head}/{n}" for n in range(int(low), min(int(high), int(low) + 1024) + 1)]
        if is_number(low) and is_number(high)
        else []
    )
