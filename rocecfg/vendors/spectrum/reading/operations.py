"""A text of NVUE as one tree of what is set: operation lists, REST bodies, JSON and commands come to the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Scalar, Seq, compose
from rocecfg.vendors.spectrum.reading.commands import APPLY, IdleWords, NvCommand, are_commands, parse_commands
from rocecfg.vendors.spectrum.reading.nodes import GrowingTree, Node
from rocecfg.vendors.spectrum.reading.objects import EMPTY, ReadContext, shorten_word
from rocecfg.vendors.spectrum.reading.schema import ROOT
from rocecfg.vendors.spectrum.reading.spelling import Spelling, find_release

_YAML = re.compile(r"^(?:- )?[\"']?(?:header|set|unset|qos|interface|system)[\"']?:|\A\s*[\[{]", re.MULTILINE)
_OPERATIONS = ("header", "set", "unset")
HEADER = ("model", "version", "nvue-api-version", "rev-id")  # what `nv config show` writes there
_PLACE = Scalar(0, 0, "", plain=True)
_PORTS = ("swp", "bond")
_QOS_ALONE = frozenset(("qos", "acl"))
_CUMULUS = "Cumulus Linux"
_DEEPEST = 3  # keys that tools put around what a switch said
_LINE = re.compile(r"^[ \t]*nv[ \t]+(?:set|unset)[ \t]+([\w-]+)", re.MULTILINE)
_OBJECTS = frozenset((*ROOT.entries, *ROOT.never))
# The other objects at the root: a body of these alone says nothing of RoCE, and is one of NVUE all the same.
_ROOTS = _OBJECTS | {"bridge", "evpn", "maintenance", "mlag", "ptp", "service"}


_Operation = tuple[str, Scalar, Any]  # verb, its key, what it is about


class Configuration(NamedTuple):
    """What a text says."""

    tree: Node
    spelling: Spelling
    problems: list[Problem]
    whole: bool  # a switch's configuration; False: a part of one, whose silence says nothing
    steps: tuple[tuple[Node, ...], ...]  # of commands: what is set on ports before each apply; () otherwise
    model: str | None  # the box, as the header has it
    saved: bool  # written by a switch, not to be applied to one
    operations: tuple[_Operation, ...] | None = None  # of YAML and JSON; None: commands


def read_configuration(document: Document, release: str | None) -> Configuration:
    """The configuration that a text amounts to.

    `release`: where the text names none. Raises SourceError for what is neither YAML nor commands of NVUE.
    """
    text = document.text
    if not _YAML.search(text) and are_commands(text):
        return _read_commands(document, release)
    root = compose(document)
    if root is None or (type(root) is Map and not root.pairs):
        raise SourceError(document.path, "the file is empty", "NVUE writes it with nv config show")
    operations = list(_list_operations(root, document))
    problems = [*find_repeated_keys(root, document.number), *_check_is_list(root, document)]
    _check_sets_something(operations, document, root.start)
    problems += _check_headers(operations, document.number)
    inner = _list_objects(operations)
    header = next((node for verb, _, node in operations if verb == "header"), None)
    given = {**_read_header(inner.get("header")), **_read_header(header)}
    version = given.get("version")
    spelling = Spelling(
        (find_release(version.text) if version is not None else None) or release or _find_release_in_comments(text)
    )
    if version is not None and version.text and not version.text.startswith(_CUMULUS):
        problems.append(_report_other_system(version, document.number))
    tree = _apply_operations(operations, Span(document.number, root.start, root.start), problems, spelling)
    whole = bool(given) or _is_whole(inner.keys(), tree)
    model = given.get("model")
    return Configuration(
        tree, spelling, problems, whole, (), None if model is None else model.text, bool(given), tuple(operations)
    )


def _list_objects(operations: list[_Operation]) -> dict[str, Any]:
    """What is set of each object at the root, the last of those that are set again."""
    return {
        key.text: child
        for verb, _, node in operations
        if verb == "set" and type(node) is Map
        for key, child in node.pairs
    }


def _apply_operations(operations: list[_Operation], at: Span, problems: list[Problem], spelling: Spelling) -> Node:
    """What operations amount to, one after the other. Adds what is wrong to `problems`."""
    grown = GrowingTree(at)
    for verb, key, node in operations:
        if verb == "header":
            continue
        unset = verb == "unset"
        found = _read_node(node, key, ReadContext(at.doc, problems, spelling, commands=False, unset=unset))
        if found is not None:
            (grown.drop if unset else grown.put)(found)
    return grown.tree()


def _list_operations(root: Any, document: Document) -> Iterator[_Operation]:
    """Those of a list of operations, or of the body of a REST request."""
    if type(root) is Map:
        if all(key.text in _OPERATIONS for key, _ in root.pairs):
            yield from ((key.text, key, node) for key, node in root.pairs)
        elif any(key.text in _ROOTS for key, _ in root.pairs):
            yield "set", _PLACE, root
        else:
            yield from _list_operations(_unwrap(root, document), document)
        return
    items = root.items if type(root) is Seq else ()
    for item in items:
        known = type(item) is Map and all(key.text in _OPERATIONS for key, _ in item.pairs)
        if not known:
            raise _make_refusal(document, item)
        yield from ((key.text, key, node) for key, node in item.pairs)
    if not items:
        raise _make_refusal(document, root)


def _check_is_list(root: Any, document: Document) -> Iterator[Problem]:
    """Operations in a mapping, where NVUE takes a list of them. The bare tree of a REST body is another matter."""
    if type(root) is not Map or not all(key.text in _OPERATIONS for key, _ in root.pairs):
        return
    key = root.pairs[0][0]
    yield Problem(
        "device-value",
        Span(document.number, key.start, key.end),
        f"{key.text} is in a mapping, but NVUE needs a list of operations: it refuses the whole file",
        f"write `- {key.text}:`, with a dash before each operation",
    )


def _check_sets_something(operations: list[_Operation], document: Document, start: int) -> None:
    """Refuse a text in which nothing is set or unset: a switch has settings before anybody configures it."""
    if any(verb != "header" and not _is_empty(node) for verb, _, node in operations):
        return
    why, help = "nothing is set in the file", "nv config show writes what is set below `- set:`"
    inside = next(_list_below_headers(operations), None)
    if inside is not None:
        start = inside[1].start
        why += f": {shorten_word(inside[1].text)} is below header, which sets nothing"
        help = "write the line `- set:` above it"
    raise SourceError(document.path, why, help, *document.place(start))


def _is_empty(node: Any) -> bool:
    return node is None or (type(node) is Map and not node.pairs) or (type(node) is Scalar and node.text in EMPTY)


def _list_below_headers(operations: list[_Operation]) -> Iterator[tuple[Scalar, Scalar]]:
    """The keys below a header that are none of it, but objects; each behind the key of the header."""
    for verb, header, node in operations:
        for key, child in node.pairs if verb == "header" and type(node) is Map else ():
            if key.text not in HEADER and (type(child) in (Map, Seq) or key.text in _ROOTS):
                yield header, key


def _check_headers(operations: list[_Operation], doc: int) -> Iterator[Problem]:
    """Objects below a header, where nothing is set."""
    for header, key in _list_below_headers(operations):
        yield Problem(
            "device-unknown",
            Span(doc, key.start, key.end),
            f"{shorten_word(key.text)} is below header, which sets nothing",
            "write it below `- set:`",
            ((Span(doc, header.start, header.end), "the header"),),
            severity="error",
        )


def _unwrap(root: Any, document: Document) -> Any:
    """What a switch said, in a mapping that a tool put around it: `message` of an Ansible module, for one."""
    around = [root]
    for _ in range(_DEEPEST):
        inside = [node for outer in around for _, node in outer.pairs if type(node) is Map]
        found = [node for node in inside if any(key.text in _ROOTS or key.text in _OPERATIONS for key, _ in node.pairs)]
        if len(found) == 1:
            return found[0]
        if found:
            why = "more than one configuration of NVUE in one mapping"
            raise SourceError(document.path, why, "write each to a file of its own", *document.place(found[1].start))
        around = inside
    raise _make_refusal(document, root)


def _report_other_system(version: Scalar, doc: int) -> Problem:
    """NVUE is also in DPUs (HBN) and in InfiniBand switches (NVOS)."""
    wording = (
        f"{shorten_word(version.text)} is not a release of Cumulus Linux: the file is read anyway, without ports "
        "other than swp"
    )
    return Problem("device-unread", Span(doc, version.start, version.end), wording)


def _make_refusal(document: Document, node: Any) -> SourceError:
    return SourceError(
        document.path,
        "not NVUE: a list of operations has `- header:`, `- set:` and `- unset:`",
        "write what is set below `- set:`",
        *document.place(node.start),
    )


def _read_header(node: Any) -> dict[str, Scalar]:
    pairs = node.pairs if type(node) is Map else []
    return {key.text: value for key, value in pairs if type(value) is Scalar}


def _read_node(node: Any, key: Scalar, text: ReadContext) -> Node | None:
    return ROOT.read("", key, node, text)


def _is_whole(objects: Any, tree: Node) -> bool:
    """Whether a text is about the ports of a switch and more than QoS, and so a switch's whole configuration."""
    ports = [node for name, node in tree.items("interface") if name.startswith(_PORTS)]
    more = any(name not in _QOS_ALONE for name in objects if name != "interface")
    return bool(ports) and more


# -- commands ----------------------------------------------------------------------------------------------------------


def _read_commands(document: Document, release: str | None) -> Configuration:
    spelling = Spelling(release or _find_release_in_comments(document.text))
    problems: list[Problem] = []
    nowhere = Span(document.number, 0, 0)
    grown = GrowingTree(nowhere)
    steps: list[list[Node]] = [[]]
    texts = {
        verb: ReadContext(document.number, problems, spelling, commands=True, unset=verb == "unset")
        for verb in ("set", "unset")
    }
    silent = True
    idle = IdleWords()
    for command in parse_commands(document, _OBJECTS, idle):
        silent = silent and command.verb == APPLY
        if command.slip is not None:
            message = f"nv has no `{shorten_word(command.slip.text)}`: the line sets nothing"
            texts[command.verb].report(
                "device-unknown", command.slip, message, f"did you mean {command.verb}?", "error"
            )
        if command.verb == APPLY:
            steps.append([])
            idle.forget()  # what is set again belongs to the next step, too
            continue
        before = len(problems)
        found = _read_node(command.tree, _PLACE, texts[command.verb])
        if found is None:
            continue
        if command.verb == "unset":
            grown.drop(found)
            idle.forget()
        else:
            grown.put(found)
            if "interface" in found.below:
                steps[-1].append(found)
            if len(problems) == before and command.slip is None:
                _remember_idle_words(idle, command, found)
    if silent:
        problems += _check_quoted_commands(document)
    tree = grown.tree()
    whole = _is_whole(tree.below, tree)
    return Configuration(tree, spelling, problems, whole, tuple(map(tuple, steps)), None, saved=False)


def _remember_idle_words(idle: IdleWords, command: NvCommand, found: Node) -> None:
    """Take note of the words of a command that were read, where they only make objects."""
    words = []
    child, node = command.tree, found
    while child is not None:
        word, child = child.pairs[0] if type(child) is Map else (child, None)
        words.append(word.text)
        if node.value is not None or word.text in EMPTY:  # an empty word says nothing, where it is the last one
            return
        if not node.below:  # the word is none that is read
            idle.add(words, whole=False)
            return
        node = next(iter(node.below.values()))
    if node.value is None:
        idle.add(words, whole=True)


def _check_quoted_commands(document: Document) -> Iterator[Problem]:
    """Commands inside quotes, as in `ssh leaf01 "..."`: they are for another shell."""
    for match in _LINE.finditer(document.text):
        if match[1] in _OBJECTS:
            wording = "no command was read: the NVUE commands here are inside quotes, for another shell"
            fix = "lint the output of `nv config show -o commands`"
            yield Problem("device-unread", Span(document.number, match.start(1), match.end()), wording, fix)
            return


def _find_release_in_comments(text: str) -> str | None:
    """The release that comments at the head of a text name, where it is not only assumed."""
    head = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            break
        if "assumed" not in line:
            head.append(line)
    return find_release("\n".join(head))


_QUOTABLE = re.compile(r"[\w.,'\"-]{1,40}")  # settings and names of ports; what else a key may be is not repeated


def find_repeated_keys(root: Any, doc: int) -> Iterator[Problem]:
    """A finding for each key that stands again in its mapping, with what is lost at the first one."""
    waiting = [root]
    done: set[int] = set()  # an alias stands at several places
    while waiting:
        node = waiting.pop()
        if id(node) in done:
            continue
        done.add(id(node))
        if type(node) is Seq:
            waiting += node.items
        if type(node) is not Map:
            continue
        known: dict[str, tuple[Any, Any]] = {}
        for key, value in node.pairs:
            waiting.append(value)
            before = known.get(key.text)
            if before is not None:
                first, lost = before
                yield Problem(
                    "schema-duplicate-key",
                    Span(doc, key.start, key.end),
                    f"{_quote_key(key.text)} appears twice in one mapping: most YAML readers keep this one and "
                    f"silently drop {_format_count(_count_leaves(lost))} below the first; others refuse the file",
                    "merge both below one key",
                    ((Span(doc, first.start, first.end), "the first one"),),
                )
            known[key.text] = key, value


def _quote_key(key: str) -> str:
    return key if _QUOTABLE.fullmatch(key) else "one key"


def _format_count(leaves: int) -> str:
    return f"{leaves} setting{'s' * (leaves != 1)}"


def _count_leaves(node: Any) -> int:
    """How many settings stand at a node and below it."""
    if type(node) is Map and node.pairs:
        return sum(_count_leaves(value) for _, value in node.pairs)
    return len(node.items) if type(node) is Seq else 1
