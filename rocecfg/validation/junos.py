"""Junos of QFX switches by Juniper's own configuration models, with their commit checks and names.

Every statement of class-of-service, and what RoCE needs of interfaces, firewall, forwarding-options, chassis and
protocols, is looked up in the models; what they do not follow is counted. A text that is a part of a configuration,
such as a configlet or the change of a running one, may use names that stand elsewhere: these are said.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from rocecfg.core.nodeset import fold_some
from rocecfg.source.document import Document, SourceError
from rocecfg.validation.junos_commit import ReadConfig, find_refusals
from rocecfg.validation.junos_names import Missing, find_missing, find_missing_filters
from rocecfg.validation.junos_schema import Grammar, grammar, nearest_release, release_key, releases
from rocecfg.validation.junos_text import (
    JunosLine,
    JunosStatement,
    SyntaxFault,
    Word,
    are_set_lines,
    join_words,
    parse_blocks,
    parse_set_lines,
    strip_prompts,
    template_line,
)
from rocecfg.validation.junos_tree import Groups, JunosNode
from rocecfg.validation.junos_walk import MEANT, NO_WORD, PlacedStatement, RefusedStatement, StatementWalk, suggest_word
from rocecfg.validation.verdict import Fault, JudgeOptions, Verdict

RELEASE = re.compile(r"\d{1,3}\.\d{1,3}[RX]\d{1,3}\S*")  # how one is written
_VERSION = re.compile(r"^\s*(?:set )?version \"?(\d{1,3}\.\d{1,3}[RX][^\s;\"]*)", re.MULTILINE)
_RENDERED = re.compile(  # as our own files begin
    r"^# .*\bJunos (?:OS )?(?:Evolved )?(\d{1,3}\.\d{1,3}[RX]\S*?)[,;]?(?:\s|$)", re.MULTILINE
)
_PORT = re.compile(r"\b(?:et|xe|ge)-\d+/\d+/\d+(?::\d+)?")
_NO_TOP = "is not the start of a configuration statement"  # how it is said that they lack one of the outermost level
_QUOTED = re.compile(r"'([^']*)'")
_SLIP = 0.8  # of difflib's likeness: above, a word is another one misspelt in any release
_NOT_TOPS = ("groups", "apply-groups", "apply-flags")


def judge(document: Document, asked: JudgeOptions) -> Verdict:
    """Judge by the release of `asked.releases`, else by the one that the text names, else by the newest.

    `asked.strict`: a statement that the models do not follow is a fault too. Raises SourceError for a template.
    """
    text = strip_prompts(document.text)
    line = template_line(text)
    if line is not None:
        fix = "validate the filled-in template, as the switch gets it"
        raise SourceError(document.path, f"line {line} has markup of a template, which is not a configuration", fix)
    given = _RENDERED.search(text)
    stated = _VERSION.search(text) or given
    release = next(filter(RELEASE.fullmatch, asked.releases), None) or (stated[1] if stated is not None else None)
    by = nearest_release(release) if release is not None else releases()[-1]
    reader, undefined = _read(document, text, by, rendered=given is not None, strict=asked.strict)
    faults = sorted(reader.faults, key=lambda fault: fault.line or 0)
    later = release is not None and not asked.strict and _is_newer(release, by)
    maybe = later or (release is None and not asked.strict)
    newer = [fault for fault in faults if (maybe and fault.unknown) or (later and fault.may_be_newer())]
    after = releases()[releases().index(by) + 1 :][:1]
    if newer and later and after:  # what the models on both sides of a release refuse, it refuses
        refused = _read(document, text, after[0], rendered=given is not None, strict=False)[0].faults
        again = {(fault.line, fault.where) for fault in refused}
        newer = [fault for fault in newer if (fault.line, fault.where) not in again]
    return Verdict(
        f"Juniper's configuration models of QFX, {by}",
        release or by,
        tuple(fault for fault in faults if fault not in newer),
        tuple(_list_assumptions(release, by, undefined)),
        (
            *(f"line {one.line}: {one.message}: {release or 'a later release'} may have it" for one in newer),
            *_list_unjudged(reader),
        ),
        exact=None if release is None or not (later or release.startswith(by)) else not later,
        newer=tuple(newer),
    )


def _read(document: Document, text: str, by: str, *, rendered: bool, strict: bool) -> tuple[_Reader, list[Missing]]:
    """A text as the models of a release read it, and the names that it uses and does not define."""
    reader = _Reader(grammar(by), strict=strict)
    reader.read(text)
    if not reader.judged and not reader.others and not reader.faults:
        raise SourceError(document.path, "has no statement of Junos", "give what show configuration prints")
    return reader, reader.commit(part=not rendered and not {"version", "system"} & reader.tops)


def _is_newer(release: str, by: str) -> bool:
    """Whether a release came after the one of the models: of a later quarter, or of a train of its own, as 23.4X100."""
    return release_key(release)[:2] > release_key(by)[:2] or (release_key(release) > release_key(by) and "X" in release)


def _is_unknown(message: str) -> bool:
    """Whether a fault is that the models have no such word, and none like it: those of a later release may have it."""
    if MEANT not in message:
        return message.startswith(NO_WORD) or message.endswith(_NO_TOP)
    words = _QUOTED.findall(message)
    likeness = difflib.SequenceMatcher(None, words[0], words[-1]).ratio()
    return (message.startswith(NO_WORD) or _NO_TOP in message) and likeness < _SLIP


def _list_assumptions(release: str | None, by: str, undefined: Iterable[Missing]) -> list[str]:
    out = []
    if release is None:
        out.append(f"release {by}, the newest with models here: --release sets another")
    elif not release.startswith(by):
        out.append(f"that {release} accepts what {by} accepts: the models here are of {', '.join(releases())}")
    names: dict[str, list[str]] = {}
    for each in undefined:
        names.setdefault(each.what, []).append(each.name)
    for what, those in names.items():
        out.append(
            f"defined elsewhere, as this is a part of a configuration: {what} {fold_some(tuple(dict.fromkeys(those)))}"
        )
    return out


def _list_unjudged(reader: _Reader) -> list[str]:
    out = []
    if reader.others:
        count = reader.judged + reader.others
        out.append(f"{reader.others} of {count} statements, which the models here do not follow")
    out.append("which model of switch has a feature (rocecfg lint knows some)")
    return out


class _Reader:
    """A configuration statement by statement. `others`: statements that are not followed."""

    def __init__(self, models: Grammar, *, strict: bool) -> None:
        self.judged = self.others = 0
        self.tops: set[str] = set()
        self._faults: dict[tuple[int, str, str], Fault] = {}
        self._models = models
        self._strict = strict
        self._root = JunosNode(models.root, "")
        self._groups = Groups()
        self._broken: set[JunosNode] = set()

    @property
    def faults(self) -> list[Fault]:
        """What is refused."""
        return list(self._faults.values())

    def read(self, text: str) -> None:
        """Read a text of either form."""
        wrong: list[SyntaxFault] = []
        if are_set_lines(text):
            lines, others = parse_set_lines(text, wrong)
            self.others += others
            for line in lines:
                self._read_line(line)
        else:
            for statement in parse_blocks(text, wrong):
                self._read_top(statement)
        for each in wrong:
            self._refuse(each.line, "", each.message)

    def commit(self, *, part: bool) -> list[Missing]:
        """Ask what a commit asks. `part`: names may be defined elsewhere; those that are not here are returned."""
        root = self._groups.merged(self._root, self._broken)
        for each in find_refusals(ReadConfig(root, self._broken, self.tops, part)):
            self._refuse(*each)
        undefined = [Missing(line, "apply-groups", "group", name, ()) for line, name in self._groups.unknown]
        undefined += find_missing(root)
        if part:
            return undefined
        filters = list(find_missing_filters(root)) if {"interfaces", "system"} <= self.tops else []
        cut = self.tops.isdisjoint({"version", "firewall"})  # the filters may have been left out of the text
        for name in undefined + ([] if cut else filters):
            self._refuse(name.line, name.where, f"no {name.what} '{name.name}'{suggest_word(name.name, name.known)}")
        return filters if cut else []

    def _refuse(self, line: int, where: str, message: str) -> None:
        alike = f"{_PORT.sub('*', where)}\n{_PORT.sub('*', message)}"
        self._faults.setdefault((line, where, message), Fault(line, where, message, alike, _is_unknown(message)))

    def _note_unfollowed(self, line: int, what: str) -> None:
        if self._strict:
            self._refuse(line, what, "is not followed by the models here")

    # -- braces

    def _read_top(self, statement: JunosStatement) -> None:
        word = statement.words[0].text
        if word == "configuration" and statement.block is not None:
            for each in statement.block:
                self._read_top(each)
        elif word == "groups":
            self._read_groups(statement)
        else:
            self._read_outermost(self._root, statement, wild=False)

    def _read_groups(self, statement: JunosStatement) -> None:
        words = statement.words
        if statement.block is None or len(words) > 2:
            self._refuse(words[0].line, "", "groups needs a name and a block")
            return
        named = [(words[1].text, statement.block)] if len(words) == 2 else []
        if not named:
            named = [(each.words[0].text, each.block or []) for each in statement.block]
        for name, block in named:
            root = self._groups.root(name, self._models.root)
            for each in block:
                self._read_outermost(root, each, wild=True)

    def _read_outermost(self, root: JunosNode, statement: JunosStatement, *, wild: bool) -> None:
        """A statement of the outermost level, of the configuration or of a group."""
        first = statement.words[0]
        self.tops.add(first.text)
        if first.text == "apply-groups":
            root.inherit([word.text for word in statement.words[1:] if word.place != "["], first.line)
        elif self._is_followed(first, wild_top=first.text.startswith("<")):
            self._read_statement(root, statement, wild=wild)
        elif first.text in self._models.tops or first.text in _NOT_TOPS or first.text.startswith("<"):
            self.others += _count_statements(statement)

    def _is_followed(self, first: Word, *, wild_top: bool = False) -> bool:
        """Whether the models follow what a word begins; a fault where no configuration has it."""
        if first.text in self._models.root.children:
            return True
        if first.text not in self._models.tops and first.text not in _NOT_TOPS and not wild_top:
            meant = suggest_word(first.text, self._models.tops)
            self._refuse(first.line, "", f"'{first.text}' {_NO_TOP}{meant}")
        elif first.text not in ("version", "groups"):
            self._note_unfollowed(first.line, first.text)
        return False

    def _read_statement(self, node: JunosNode, statement: JunosStatement, *, wild: bool) -> None:
        block = statement.block
        placed = self._place_statement(
            StatementWalk(node, statement.words, wild=wild, block=block is not None, braces=True)
        )
        if placed is None:
            return
        if statement.out and placed.node is not node:
            placed.node.active = False
        if placed.opaque:
            self.others += _count_statements(statement)
            self._note_unfollowed(statement.words[0].line, join_words(statement.words))
            return
        if not block:
            self.judged += placed.entries is None or block is None
            return
        for each in block:
            if placed.entries is not None and not each.words[0].text.startswith("apply-"):
                entry = JunosStatement()
                entry.words = [Word(placed.entries[0], each.words[0].line), *each.words]
                entry.block, entry.out = each.block, each.out or statement.out
                self._read_statement(placed.node, entry, wild=wild)
            elif placed.entries is not None:
                self._apply_groups(placed.node, each)
            else:
                self._read_statement(placed.node, each, wild=wild)

    @staticmethod
    def _apply_groups(node: JunosNode, statement: JunosStatement) -> None:
        if statement.words[0].text == "apply-groups":
            names = [word.text for word in statement.words[1:] if word.place != "["]
            node.inherit(names, statement.words[0].line)

    def _place_statement(self, walk: StatementWalk) -> PlacedStatement | None:
        try:
            return walk.place()
        except RefusedStatement as error:
            self._refuse(error.line, error.where, error.message)
            self._broken.add(walk.here)
            return None

    # -- lines

    def _read_line(self, line: JunosLine) -> None:
        path, root, wild = line.path, self._root, False
        if path[0].text == "groups" and len(path) > 2:
            root, wild = self._groups.root(path[1].text, self._models.root), True
            path = path[2:]
        self.tops.add(path[0].text)
        if path[0].text == "apply-groups":
            root.inherit([word.text for word in path[1:] if word.place != "["], line.number)
        elif not self._is_followed(path[0]):
            known = path[0].text in self._models.tops or path[0].text in _NOT_TOPS
            self.others += known
        elif line.verb == "set":
            placed = self._place_statement(StatementWalk(root, path, wild=wild, block=False, braces=False))
            if placed is None:
                return
            if placed.opaque:
                self.others += 1
                self._note_unfollowed(line.number, join_words(path))
            else:
                self.judged += 1
        else:
            self._walk_path(path, wild=wild)
            self._take_out(line.verb, root, path)

    def _walk_path(self, path: list[Word], *, wild: bool) -> None:
        """`delete`, `deactivate`, `edit`: a path may end where a statement may not."""
        try:
            StatementWalk(JunosNode(self._models.root, ""), path, wild=wild, block=True, braces=False).place()
        except RefusedStatement as error:
            if not error.early:
                self._refuse(error.line, error.where, error.message)
                return
        self.judged += 1

    def _take_out(self, verb: str, root: JunosNode, path: list[Word]) -> None:
        """What `delete`, `deactivate` and `activate` make of what was read so far."""
        try:
            found = (
                StatementWalk(JunosNode(self._models.root, ""), path, wild=True, block=True, braces=False).place().node
            )
        except RefusedStatement:
            return
        node = root
        for step in found.trail():
            below = node.below.get(step.name, {}).get(step.key)
            if below is None:
                return
            node = below
        if node is root:
            return
        if verb == "delete":
            kept = [value for value in node.values if value not in found.values]
            if found.values and kept and node.kind == "F":
                node.values = kept
            else:
                node.remove()
        elif verb in ("deactivate", "activate"):
            node.active = verb == "activate"


def _count_statements(statement: JunosStatement) -> int:
    """The statements that one holds, itself where it holds none."""
    count = 0
    waiting = [statement]
    while waiting:
        one = waiting.pop()
        waiting += one.block or []
        count += not one.block
    return count
