"""Fixes what findings know the fix of: in rounds, since one fix may show or hide the next, until nothing changes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.core.visible import visible_diff
from rocecfg.intent import Loaded, load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.linting.run import Run
from rocecfg.linting.suppressions import MARK
from rocecfg.model import Device, Fabric
from rocecfg.model.fix import Change, Fix, Table
from rocecfg.model.fix import Value as Plain
from rocecfg.rules import ERROR
from rocecfg.source.document import Sources
from rocecfg.source.edit import Edit, apply, overlap, put, recomment, remove, rename, replace
from rocecfg.source.layout import EditRefused
from rocecfg.source.tree import NotYaml, Tree, parse
from rocecfg.source.write import Value

_MOST_ROUNDS = 20
_OF_FABRIC = ("name", "kind", "mode", "congestion_control", "cc_reason", "topology", "classification", "dual_tor")

Lint = Callable[[list[Loaded], Sources], Run]
_Error = tuple[str, str, str, str]  # rule, file, device and class of a finding
_Protection = tuple[int, str, str]  # number of the fabric, device, what protects there


class FixedText(NamedTuple):
    """A file's text before and after."""

    path: str
    before: str
    after: str


class Fixed(NamedTuple):
    """What fixing came to."""

    run: Run  # what is found afterwards
    texts: tuple[FixedText, ...]  # those that changed, in the order they were read
    fixed: int  # findings that are gone
    refused: tuple[tuple[Finding, str], ...]  # findings whose fix was not made, and why; placed in the final texts
    unsafe: int  # findings left whose fix is unsafe and was not asked for


def fix(fabrics: list[Loaded], sources: Sources, lint: Lint, *, unsafe: bool, only: str | None = None) -> Fixed:
    """Make the safe fixes of all findings that `lint` gives, with `unsafe` the others too. Writes nothing.

    Fixes that touch the same place wait for the next round. One that would bring an error that was not there, by any
    rule, or what it fixes to another device or class, or would remove protection or a comment, is not made. `only`:
    the path of the only file that may change.
    """
    state = _State(fabrics, sources, lint)
    originals = state.collect_texts()
    found = Counter(map(state.stable_key, state.run.findings))
    reasons: dict[tuple[str, ...], str] = {}
    seen = [originals.copy()]
    changed_since = False  # whether something was fixed since fixes were refused
    for _ in range(_MOST_ROUNDS):
        refusals = len(reasons)
        made = _make_round(state, reasons, unsafe=unsafe, only=only)
        if made is None:
            if len(reasons) > refusals:
                continue  # what touches the same place as a refused fix has waited for it
            if not (changed_since and reasons):
                break
            reasons.clear()  # what was refused then may do no harm now
            changed_since = False
            continue
        state = made
        changed_since = True
        texts = state.collect_texts()
        for path, text in texts.items():
            originals.setdefault(path, text)  # included only now
        if texts in seen:  # two fixes that undo each other: their rules disagree
            break
        seen.append(texts)
    refused = tuple((f, reasons[mark]) for f in state.run.findings if (mark := state.exact_key(f)) in reasons)
    left = sum(f.fix is not None and not f.fix.safe for f in state.run.findings) if not unsafe else 0
    final = state.collect_texts()
    changed = tuple(FixedText(path, text, final[path]) for path, text in originals.items() if final[path] != text)
    fixed = (found - Counter(map(state.stable_key, state.run.findings))).total()
    return Fixed(state.run, changed, fixed, refused, left)


class _State:
    """Fabrics as read from some texts, and what is found in them."""

    def __init__(self, fabrics: list[Loaded], sources: Sources, lint: Lint) -> None:
        self.fabrics = fabrics
        self.sources = sources
        self.lint = lint
        self.run = lint(fabrics, sources)
        self._found: list[tuple[_Error, bool]] | None = None
        self._protection: Counter[_Protection] | None = None
        self._trees: dict[int, Tree] = {}

    def collect_texts(self) -> dict[str, str]:
        return {d.path: d.text for d in self.sources.documents}

    def parse_tree(self, number: int) -> Tree:
        if number not in self._trees:
            try:
                self._trees[number] = parse(self.sources.documents[number].text)
            except NotYaml as error:
                raise EditRefused(f"{self.sources.documents[number].path} cannot be edited: {error}") from None
        return self._trees[number]

    def stable_key(self, finding: Finding) -> tuple[str, ...]:
        """A finding by what stays the same when lines move."""
        path = self.sources.documents[finding.at.doc].path if finding.at is not None else finding.path
        return finding.rule.name, path, finding.message

    def exact_key(self, finding: Finding) -> tuple[str, ...]:
        """The same, told apart from one that says the same of other devices and ports."""
        return (*self.stable_key(finding), finding.cls or "", *finding.devices, "", *finding.ports)

    def count_errors(self, rules: frozenset[str]) -> Counter[_Error]:
        """Errors by all rules and whatever these rules find, waived, asked for or not; once a device."""
        if self._found is None:
            paths = [d.path for d in self.sources.documents]
            self._found = [
                (
                    (f.rule.name, paths[f.at.doc] if f.at is not None else f.path, device, f.cls or ""),
                    f.severity == ERROR,
                )
                for loaded in self.fabrics
                for f in judge(loaded)[0]
                for device in f.devices or ("",)
            ]
        return Counter(found for found, is_error in self._found if is_error or found[0] in rules)

    def count_protection(self) -> Counter[_Protection]:
        """Ports by what keeps packets from being lost or the fabric from freezing there; no fix may take any of it."""
        if self._protection is None:
            self._protection = Counter()
            for number, loaded in enumerate(self.fabrics):
                for device in loaded.fabric.devices if loaded.fabric is not None else ():
                    ports = _count_protected_ports(device)
                    for name in device.names or ("",):
                        self._protection.update({(number, name, what): count for what, count in ports.items()})
        return self._protection

    def apply_edits(self, edits: Iterable[tuple[int, Edit]]) -> _State:
        """The state after edits, each with the number of its text. Raises Refused."""
        by_text: dict[int, list[Edit]] = {}
        for number, edit in edits:
            by_text.setdefault(number, []).append(edit)
        sources = Sources(self.sources.allowed)
        sources.by_shape = self.sources.by_shape
        for document in self.sources.documents:
            number = document.number
            text = apply(self.parse_tree(number), by_text[number]) if number in by_text else document.text
            sources.add(document.path, text)
        # one that was not read at all has no text to read again
        fabrics = [load(f.root, sources) if f.files else f for f in self.fabrics]
        return _State(fabrics, sources, self.lint)


def _count_protected_ports(device: Device) -> Counter[str]:
    """How many ports of the device have each kind of protection."""
    out: Counter[str] = Counter()
    for port in device.ports:
        count = len(port.names) or 1  # one that stands for every port
        if port.watchdog is not None:
            out["the PFC watchdog"] += count
        for cls in device.classes_on(port):
            if cls.lossless:
                out[f"PFC of class {cls.name}"] += count
            if cls.ecn_at(port.speed) is not None:
                out[f"ECN of class {cls.name}"] += count
    return out


class _Job(NamedTuple):
    """A fix with the findings that ask for it, and the edits that make it."""

    fix: Fix
    findings: list[Finding]
    edits: tuple[tuple[int, Edit], ...]


def _make_round(state: _State, reasons: dict[tuple[str, ...], str], *, unsafe: bool, only: str | None) -> _State | None:
    """The state after all fixes that do not conflict; None where there is none to make."""
    asked: dict[Fix, list[Finding]] = {}
    for finding in state.run.findings:
        if finding.fix is not None and (finding.fix.safe or unsafe) and state.exact_key(finding) not in reasons:
            asked.setdefault(finding.fix, []).append(finding)
    jobs: list[_Job] = []
    for wanted, findings in asked.items():
        try:
            edits = _plan_edits(state, wanted, only)
        except EditRefused as error:
            reasons.update((state.exact_key(f), str(error)) for f in findings)
            continue
        if not any(a == b and overlap(x, y) for job in jobs for a, x in job.edits for b, y in edits):
            jobs.append(_Job(wanted, findings, edits))
    batch = _Batch(state, reasons)
    for safe in (True, False):  # apart, since what safe fixes leave as it was can only be seen without the others
        batch.add_jobs([job for job in jobs if job.fix.safe is safe])
    return batch.after if batch.after is not state else None


class _Batch:
    """The fixes of a round that bring no error and, where they are safe, leave the configuration as it was."""

    def __init__(self, state: _State, reasons: dict[tuple[str, ...], str]) -> None:
        self.before = state
        self.after = state
        self._reasons = reasons
        self._edits: list[tuple[int, Edit]] = []

    def add_jobs(self, jobs: list[_Job]) -> None:
        """Add these to what was taken; where they cannot all be, halve by halve."""
        if not jobs:
            return
        edits = [*self._edits, *(edit for job in jobs for edit in job.edits)]
        try:
            tried = self.before.apply_edits(edits)
            self._refuse_harm(tried, jobs)
        except EditRefused as error:
            half = len(jobs) // 2
            if half:
                self.add_jobs(jobs[:half])
                self.add_jobs(jobs[half:])
            elif not self._edits:  # else it may be what was taken before it, and the next round will tell
                self._reasons.update((self.before.exact_key(f), str(error)) for f in jobs[0].findings)
            return
        self.after, self._edits = tried, edits

    def _refuse_harm(self, tried: _State, jobs: list[_Job]) -> None:
        """Raise Refused for what must not be."""
        own = frozenset(f.rule.name for job in jobs for f in job.findings)
        more = tried.count_errors(own) - self.before.count_errors(own)
        errors = more.keys() & tried.count_errors(frozenset()).keys()
        if errors:
            raise EditRefused(f"it would cause a new error: {', '.join(sorted({error[0] for error in errors}))}")
        if more:  # else rules could fix one device at the cost of another, in turns
            where = {error[2] or error[1] for error in more}
            raise EditRefused(f"it would cause the same finding elsewhere: {', '.join(sorted(where))}")
        asked = Counter(self.before.exact_key(f) for job in jobs for f in job.findings)
        was, still = (Counter(map(state.exact_key, state.run.findings)) for state in (self.before, tried))
        lost = next(iter(self.before.count_protection() - tried.count_protection()), None)
        if lost is not None:
            raise EditRefused(f"it would remove protection: {lost[2]}{f' on {lost[1]}' if lost[1] else ''}")
        if any(still[mark] > was[mark] - number for mark, number in asked.items()):
            raise EditRefused("it would still be found")
        if all(job.fix.safe for job in jobs) and not is_same_model(self.after.fabrics, tried.fabrics):
            raise EditRefused("it would change the configuration")
        now = tried.collect_texts()
        if all(now[path] == text for path, text in self.after.collect_texts().items()):
            raise EditRefused("it would change nothing")


def is_same_model(before: list[Loaded], after: list[Loaded]) -> bool:
    """Whether the same configuration comes of both."""
    return all(_is_same_fabric(a.fabric, b.fabric) for a, b in zip(before, after, strict=True))


def _is_same_fabric(a: Fabric | None, b: Fabric | None) -> bool:
    if a is None or b is None:
        return a is b
    if len(a.devices) != len(b.devices) or any(getattr(a, field) != getattr(b, field) for field in _OF_FABRIC):
        return False
    if [link[:5] for link in a.links] != [link[:5] for link in b.links]:
        return False
    return all(
        one == other and one.names == other.names and [p.names for p in one.ports] == [p.names for p in other.ports]
        for one, other in zip(a.devices, b.devices, strict=True)
    )


def _plan_edits(state: _State, wanted: Fix, only: str | None) -> tuple[tuple[int, Edit], ...]:
    """The edits that make a fix. Raises Refused."""
    out: list[tuple[int, Edit]] = []
    for change in wanted.changes:
        number = change.at.doc
        path = state.sources.documents[number].path
        if only is not None and os.path.abspath(path) != os.path.abspath(only):
            raise EditRefused(f"it would change {path}")
        tree = state.parse_tree(number)
        edit = plan_edit(tree, change)
        if any(n == number and overlap(edit, other) for n, other in out):
            raise EditRefused("its changes touch the same place")
        out.append((number, edit))
    return tuple(out)


def plan_edit(tree: Tree, change: Change) -> Edit:
    """What a change of a fix does to the text. Raises EditRefused."""
    _, start, end = change.at
    value = _to_value(change.value)
    if change.how == "put":
        return put(tree, start, end, change.path, value)
    if change.how == "remove":
        edit = remove(tree, start, end, change.path)
        for a, b in tree.comments:
            if MARK in tree.text[a:b] and any(piece.start <= a < piece.end for piece in edit.pieces):
                raise EditRefused(f"the waiver on line {tree.line(a)} would apply to the next lines")
        return edit
    if change.how in ("rename", "recomment"):
        assert isinstance(value, str)
        return (rename if change.how == "rename" else recomment)(tree, start, end, value)
    return replace(tree, start, end, value, quote=change.how == "quote")


def _to_value(plain: Plain) -> Value:
    if isinstance(plain, Table):
        return {key: _to_value(value) for key, value in plain}
    if isinstance(plain, str):
        return plain
    return [_to_value(item) for item in plain]


def format_diff(texts: Iterable[FixedText]) -> str:
    """The changes as a unified diff, as `patch` and git read it."""
    return "".join(visible_diff(before, after, path, path) for path, before, after in texts)
