"""Names in texts: what each stands for, and when two stand for the same."""

from __future__ import annotations

from rocecfg.core.nodeset import NodeSetError, name_set
from rocecfg.core.records import NamedTuple
from rocecfg.source.yaml import Scalar

CLASS, NODE, PORT, ROLE, LAG, RULE, FILE = "class", "node", "port", "role", "lag", "rule", "file"
PROFILE = "profile:"  # and the kind of profile


class Mention(NamedTuple):
    """A name where it stands in a text."""

    kind: str
    text: str  # the name, or the node set
    start: int
    end: int
    declared: bool = False  # whether it stands for itself here
    of: str = ""  # the devices whose port it is, as a node set


_NODE_SETS = (NODE, PORT, LAG)


def mean_the_same(one: Mention, other: Mention) -> bool:
    """Whether two names stand for the same, or node sets for something in common."""
    if one.kind != other.kind:
        return False
    if one.kind not in _NODE_SETS:
        return one.text == other.text
    return have_in_common(one.text, other.text) and have_in_common(one.of, other.of)


def have_in_common(one: str, other: str) -> bool:
    """Whether two node sets have a name in common; one that is wrong has it with its like."""
    if one == other:
        return True
    if not _is_set(one) and not _is_set(other):
        return False
    try:
        return not name_set(one).isdisjoint(name_set(other))
    except NodeSetError:
        return False


def narrow_to_name(mention: Mention, text: str, offset: int) -> Mention:
    """Of several names with commas between them, the one at an offset. `text`: in which the mention stands."""
    if mention.kind not in _NODE_SETS or "," not in mention.text or text[mention.start : mention.end] != mention.text:
        return mention
    depth, start = 0, mention.start
    for at in range(mention.start, mention.end + 1):
        here = text[at] if at < mention.end else ","
        depth += (here == "[") - (here == "]")
        if here == "," and not depth:
            if offset <= at:
                return mention._replace(text=text[start:at].strip(), start=start, end=at)
            start = at + 1
    return mention


def find_inner(text: str, scalar: Scalar) -> tuple[int, int]:
    """The place of a scalar's text, its quotes aside where nothing in them is escaped."""
    start, end = scalar.start, scalar.end
    if not scalar.plain and text[start : start + 1] in ("'", '"') and text[start + 1 : end - 1] == scalar.text:
        return start + 1, end - 1
    return start, end


def _is_set(text: str) -> bool:
    return "[" in text or "," in text
