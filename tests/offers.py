"""What helps tell to write, tried out: the value is written into the intent, and the intent is linted again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rocecfg.intent import load
from rocecfg.intent.schema import json_schema
from rocecfg.linting.finding import Finding
from rocecfg.linting.fixes import plan_edit
from rocecfg.linting.judge import judge
from rocecfg.model import Span
from rocecfg.rules import SEVERITIES
from rocecfg.source import edit
from rocecfg.source.document import Sources
from rocecfg.source.tree import MAP, SEQ, Node, Tree, parse
from rocecfg.source.write import Value

_VALUE = r'(?:\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\]]*\]|"[^"]*"|[^\s,;(){}\[\]]*[^\s,;(){}\[\]:.])'
_END = r"(?=$|\.$|[,;)]| (?:or|to|on|there|where|for|in|if|and|under|here|\())"
_PAIR = re.compile(
    rf"(?<![\w.-])(?P<key>[a-z][a-z_0-9.]*[a-z0-9]): (?P<value>{_VALUE}){_END}"
    rf"(?: (?:or|to) (?P<other>\d[\w.%/]*|\{{[^{{}}]*\}}){_END})?"
)
_BARE = re.compile(rf"(?:^|; |, |else )write (?P<value>{_VALUE})(?= or (?:more|less|later)| if that|$|;| \()")
_NEAREST = re.compile(r"did you mean (?P<value>[^\s?,]+)\?")
_ALTERNATIVES = re.compile(
    r"; or |, or |; else |; (?=on these alone)|, else (?!write)|; otherwise |; where |; if | or (?=[a-z_.]+: )"
)
_MORE = re.compile(
    r"of (?:its|their) own|on these alone|, and (?!\w+: )(?!(?:set|state|write|say)\b)|,? with (?!traffic)|"
    r"in hosts\)"
)  # what else to do in the intent, in words
_AGAINST = re.compile(r"(?:remove|take|leave|known|drop|not) $")  # what follows is not to be written
_PROSE = frozenset({"that", "those", "the", "it", "its", "they", "a", "then", "percent", "correct"})
_REVEALS = re.compile(r"if it carries RDMA|(?:where|if) one moves|where NICs")
_BELOW = {  # what is written below a device or port where a help names the key alone
    **dict.fromkeys(("detection_time", "restoration_time", "poll_interval", "action"), ("pfc", "watchdog")),
}
# A text that could not be read hid what else is wrong: only what is read of it now is judged.
_UNREAD = frozenset({"schema-unit", "schema-ref", "schema-type", "schema-range", "schema-value", "schema-unknown-key"})
_IGNORED = {  # new findings that are none of the advice's
    ("schema-unit", "schema-value"),  # a size beside a percentage, which nobody could tell before
    ("", "schema-dead-override"),  # the default that is written out was stated above, too
    ("nos-unsupported", "topology-adaptive"),  # the mode that spreads better is none of the system's
    ("nos-unsupported", "topology-entropy"),  # the same
    ("nos-unsupported", "topology-balancing-conflict"),  # nor what routing states beside it
    ("junos-per-packet", "topology-adaptive"),  # order is what it asks for, and a dragonfly gives up
    ("junos-per-packet", "topology-balancing-conflict"),  # with flows kept together the hash counts
    ("junos-per-packet", "topology-hash"),  # the same
}
_MOST = 40  # places tried for one help


class Offer(NamedTuple):
    """What one alternative of a help tells to write. A key of "" is the place itself."""

    pairs: tuple[tuple[str, Value], ...]
    reveals: bool = False  # it names what was not known: more is judged from then on

    def __str__(self) -> str:
        return ", ".join(f"{key}: {value}" if key else str(value) for key, value in self.pairs)


class Linted(NamedTuple):
    """What is found in an intent."""

    findings: list[Finding]
    sources: Sources

    def count(self, least: str) -> Counter[str]:
        """Findings of at least that severity, by rule; but for what an intent leaves out that render asks for."""
        worst = SEVERITIES.index(least)
        told = (f for f in self.findings if SEVERITIES.index(f.severity) >= worst)
        return Counter(f.rule.name for f in told if (f.rule.name, f.severity) != ("nos-unsupported", "info"))


def lint(path: Path, vendor: str | None) -> Linted:
    sources = Sources()
    findings, failed = judge(load(str(path), sources, vendor))
    assert not failed, failed
    return Linted(findings, sources)


# -- what a help offers ------------------------------------------------------------------------------------------------


@cache
def _keys() -> frozenset[str]:
    """Every key of the schema."""
    keys: set[str] = set()
    todo: list[Any] = [json_schema()]
    for one in todo:
        if isinstance(one, dict):
            keys |= set(one.get("properties", {}))
            todo += one.values()
        elif isinstance(one, list):
            todo += one
    return frozenset(keys)


def _read(text: str) -> Value | None:
    """A value as it is written; None where it holds a gap to fill in, or is prose."""
    if "..." in text or text in _PROSE or re.search(r"[A-Z]{4}|<|\*|^\d-\d$", text) or text.endswith("-"):
        return None
    try:
        value: Any = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - all scalars stay texts
    except yaml.YAMLError:
        return None
    return None if isinstance(value, dict) and "" in value.values() else value


def list_offers(help: str, message: str) -> Iterator[Offer]:
    """What each alternative of a help tells to write, at either end of a range."""
    for part in _ALTERNATIVES.split(help):
        if _MORE.search(part):
            continue
        bare = _BARE.search(part)
        found = (
            []
            if bare is not None and bare["value"].startswith("{")
            else [
                m
                for m in _PAIR.finditer(part)
                if _keys().issuperset(m["key"].split(".")) and not _AGAINST.search(part[: m.start()])
            ]
        )
        for end in ("value", "other"):
            pairs = [(m["key"], _read((m[end] or m["value"]).rstrip(".:"))) for m in found]
            kept = tuple((key, value) for key, value in pairs if value is not None)
            if kept and len(kept) == len(pairs) and (end == "value" or any(m["other"] for m in found)):
                yield Offer(kept, _REVEALS.search(part) is not None)
        if bare is not None and not found and (value := _read(bare["value"])) is not None:
            yield Offer((("", value),))
    nearest = _NEAREST.search(f"{help} {message}")
    if nearest is not None:
        yield Offer((("", nearest["value"].strip("\"'")),), reveals=True)


# -- where it may belong -----------------------------------------------------------------------------------------------


def _is_key(node: Node) -> bool:
    return node.parent is not None and node.parent.kind == MAP and node.key is None


def _key_of(node: Node) -> str:
    """The key whose value a node is, or which it is; "" of an item."""
    return node.text if _is_key(node) else node.key.text if node.key is not None else ""


def _iter_above(node: Node | None) -> Iterator[Node]:
    """The mapping that is the node's value, and those that it stands in, the innermost first."""
    if node is not None and _is_key(node):
        node = next(value for key, value in node.parent.pairs if key is node)
    while node is not None:
        if node.kind == MAP:
            yield node
        node = node.parent


def _iter_maps(node: Node | None) -> Iterator[Node]:
    """Every mapping of a text."""
    nodes = [node] if node is not None else []
    for one in nodes:
        if one.kind == MAP:
            yield one
            nodes += [value for _, value in one.pairs]
        elif one.kind == SEQ:
            nodes += one.items


def _list_edits(trees: dict[int, Tree], places: list[Span], key: str, value: Value) -> list[tuple[int, edit.Edit]]:
    """The ways to write a key's value, with the text that each changes; first where a reader would look first."""
    out: list[tuple[int, edit.Edit]] = []

    def attempt(of: int, how: Any, *arguments: Any, **more: Any) -> None:
        with suppress(edit.EditRefused):
            out.append((of, how(trees[of], *arguments, **more)))

    path = tuple(key.split(".")) if key else ()
    maps: list[tuple[int, Node]] = []
    for place in places:
        node = trees[place.doc].node_at(place.start, place.end)
        if node is None:
            continue
        if not key and _is_key(node):
            attempt(place.doc, edit.rename, place.start, place.end, value)
        if not key or _key_of(node) == path[-1]:
            bare = node.style == "" and value == node.text  # "write "5.14"": its quotes are the advice
            attempt(place.doc, edit.replace, place.start, place.end, value, quote=bare)
        above = list(_iter_above(node))
        if not key and isinstance(value, dict) and above:
            attempt(place.doc, edit.replace, above[0].start, above[0].end, value)
        maps += [(place.doc, one) for one in above]
    if not key:
        return out
    maps += [(doc, one) for doc, tree in trees.items() for one in _iter_maps(tree.root)]
    once: dict[int, tuple[int, Node]] = {}
    for doc, one in maps:
        once.setdefault(id(one), (doc, one))
    for doc, one in sorted(once.values(), key=lambda spot: all(of.text != path[0] for of, _ in spot[1].pairs)):
        span = (0, 0) if one is trees[doc].root else (one.start, one.end)
        attempt(doc, edit.put, *span, path, _merge(one, path, value))
    below = _BELOW.get(key)
    for doc, one in once.values() if below is not None else ():
        attempt(doc, edit.put, one.start, one.end, (*below, *path), value)
    return out


def _merge(node: Node | None, path: tuple[str, ...], value: Value) -> Value:
    """The value beside what stands there already: what a help does not name stays."""
    for name in path:
        node = next((of for key, of in node.pairs if key.text == name), None) if node is not None else None
    if node is None or node.kind != MAP or not isinstance(value, dict):
        return value
    kept = {key.text: _to_value(of) for key, of in node.pairs}
    return {**kept, **{name: _merge(node, (name,), inner) for name, inner in value.items()}}


def _to_value(node: Node) -> Value:
    if node.kind == MAP:
        return {key.text: _to_value(of) for key, of in node.pairs}
    return [_to_value(one) for one in node.items] if node.kind == SEQ else node.text


def _list_attempts(before: Linted, finding: Finding, offer: Offer) -> Iterator[dict[str, str]]:
    """The texts with what is offered written where it may belong, by the path of the file."""
    documents = {document.number: document for document in before.sources.documents}
    trees = {number: parse(document.text) for number, document in documents.items()}
    stated = (finding.at, *(span for span, _ in finding.related))
    places = [place for place in stated if place is not None and place.doc in trees]
    ways = [_list_edits(trees, places, key, value) for key, value in offer.pairs]
    ranks = sorted(islice(product(*(range(len(way)) for way in ways)), 5000), key=sum)
    for chosen in ([way[n] for way, n in zip(ways, rank, strict=True)] for rank in ranks[:_MOST]):
        try:
            yield {
                documents[doc].path: edit.apply(trees[doc], [one for of, one in chosen if of == doc])
                for doc in {doc for doc, _ in chosen}
            }
        except edit.EditRefused:
            continue


# -- whether it holds --------------------------------------------------------------------------------------------------


def list_faults(path: Path, vendor: str | None, known: set[tuple[str, ...]]) -> Iterator[str]:
    """What helps and fixes on an intent offer that does not hold.

    The finding stays, or one of its severity or above is new. `known`: what was tried before, by rule, help and offer.
    """
    before = lint(path, vendor)
    for finding in before.findings:
        for offer in (*list_offers(finding.help, finding.message), *([None] if finding.fix is not None else [])):
            one = finding.rule.name, finding.message, finding.help, str(offer)
            if one in known:
                continue
            known.add(one)
            texts = _list_attempts(before, finding, offer) if offer is not None else _list_fixed(before, finding)
            why = _judge_texts(path, vendor, before, finding, texts, reveals=_is_hidden(finding, offer))
            if why:
                what = offer if offer is not None or finding.fix is None else f"fix: {finding.fix.description}"
                yield f"{finding.severity} {finding.rule.name}: {finding.message} -> {finding.help} [{what}]: {why}"


def _list_fixed(before: Linted, finding: Finding) -> Iterator[dict[str, str]]:
    """The texts after the finding's fix; none where it is refused."""
    assert finding.fix is not None
    trees = {document.number: parse(document.text) for document in before.sources.documents}
    made: dict[int, list[edit.Edit]] = {}
    try:
        for change in finding.fix.changes:
            made.setdefault(change.at.doc, []).append(plan_edit(trees[change.at.doc], change))
        documents = [document for document in before.sources.documents if document.number in made]
        yield {document.path: edit.apply(trees[document.number], made[document.number]) for document in documents}
    except edit.EditRefused:
        return


def _judge_texts(
    path: Path, vendor: str | None, before: Linted, finding: Finding, tried: Iterable[dict[str, str]], *, reveals: bool
) -> str:
    """Why what is offered helps nowhere; the best of the places is told of."""
    name = finding.rule.name
    old = before.count(finding.severity)
    faults: list[tuple[int, str]] = []
    kept = {document.path: document.text for document in before.sources.documents}
    for texts in tried:
        for file, text in texts.items():
            Path(file).write_text(text, encoding="utf-8")
        after = lint(path, vendor)
        for file in texts:
            Path(file).write_text(kept[file], encoding="utf-8")
        count = after.count(finding.severity)
        new = Counter(
            {
                rule: more
                for rule, more in (count - old).items()
                if (not reveals or rule in _UNREAD) and not {("", rule), (name, rule)} & _IGNORED
            }
        )
        stays = count[name] >= old[name] and not (reveals and _is_other(after, finding))
        if not new and not stays:
            return ""
        told = [f"{f.rule.name}: {f.message}" for f in after.findings if f.rule.name in {*new, name}]
        words = f"{'stays, ' * stays}new: {sorted(new.elements())} ({'; '.join(told)[:700]})"
        faults.append((new.total() + stays, words))
    return min(faults)[1] if faults else "" if finding.fix is not None else "no place to write it"


def _is_hidden(finding: Finding, offer: Offer | None) -> bool:
    """Whether what is offered lets more be judged than before."""
    return finding.rule.name in _UNREAD or (offer is not None and offer.reveals)


def _is_other(after: Linted, finding: Finding) -> bool:
    """Whether what a rule finds now is not what it found."""
    return all(f.message != finding.message for f in after.findings if f.rule is finding.rule)
