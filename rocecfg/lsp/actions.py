"""What an editor can do about findings: the fixes that they know, and waivers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from lsprotocol import types

from rocecfg.core.records import NamedTuple
from rocecfg.intent import Loaded
from rocecfg.linting.finding import Finding
from rocecfg.linting.fixes import Fixed, fix
from rocecfg.linting.run import Run
from rocecfg.linting.suppressions import MARK
from rocecfg.lsp.diagnostics import make_diagnostic
from rocecfg.lsp.fabrics import JudgedFabric, lint_fabrics
from rocecfg.lsp.protocol import make_text_edits
from rocecfg.lsp.texts import OpenText
from rocecfg.source.document import SourceError, Sources
from rocecfg.source.yaml import Node, Scalar, Seq, compose

FIX_ALL = "source.fixAll.rocecfg"
_QUICK = types.CodeActionKind.QuickFix


class NotFixed(Exception):
    """A fix that is not made, and why."""


class ClientAbilities(NamedTuple):
    """What the editor understands."""

    resolves: bool  # asks for an action's edit once it was chosen
    versions: bool  # takes edits with the version of the text that they are for


def list_actions(
    known: Iterable[JudgedFabric], path: str, buffer: OpenText, params: types.CodeActionParams, able: ClientAbilities
) -> list[types.CodeAction]:
    """What can be done about the findings at a range of a file, and about all of it. `known`: the file's fabrics."""
    out: list[types.CodeAction] = []
    for judged in known:
        if judged.run is None:
            continue
        if _is_wanted(params, _QUICK):
            for finding in _select_findings_at(judged, path, buffer, params):
                out += _offer_actions(finding, judged, path, able)
        if _is_wanted(params, FIX_ALL) and any(
            f.fix is not None and f.fix.safe for f in _select_findings(judged.run, judged, path)
        ):
            action = types.CodeAction(title="Make all safe fixes of rocecfg in this file", kind=FIX_ALL)
            out += _add_edit(action, judged, path, None, able)
    return [one for n, one in enumerate(out) if all(one.title != e.title or one.edit != e.edit for e in out[:n])]


def is_ours(action: types.CodeAction) -> bool:
    """Whether an action is one that was offered, by what it says of itself."""
    data: Any = action.data
    if not isinstance(data, dict) or not all(isinstance(data.get(key), str) for key in ("root", "path")):
        return False
    return data.get("finding") is None or isinstance(data["finding"], list)


def resolve_action(known: Iterable[JudgedFabric], action: types.CodeAction, able: ClientAbilities) -> types.CodeAction:
    """The action with its edit. Raises NotFixed."""
    data: Any = action.data
    for judged in known:
        if judged.root != data["root"] or judged.run is None:
            continue
        named = data.get("finding")
        finding = next((f for f in judged.run.findings if _make_key(f) == tuple(named)), None) if named else None
        if finding is not None or named is None:
            action.edit = _make_fix_edit(judged, data["path"], finding, able)
            return action
    raise NotFixed("the text has changed since")


def _is_wanted(params: types.CodeActionParams, kind: str) -> bool:
    only = params.context.only
    return only is None or any(kind == wanted or kind.startswith(f"{wanted}.") or not wanted for wanted in only)


def _select_findings(run: Run, judged: JudgedFabric, path: str) -> Iterator[Finding]:
    return (f for f in run.findings if f.at is not None and judged.where.path(f.at.doc) == path)


def _select_findings_at(
    judged: JudgedFabric, path: str, buffer: OpenText, params: types.CodeActionParams
) -> Iterator[Finding]:
    start, end = buffer.lines.offset(params.range.start), buffer.lines.offset(params.range.end)
    asked = {(str(d.code), d.range.start.line, d.range.start.character) for d in params.context.diagnostics}
    assert judged.run is not None
    for finding in _select_findings(judged.run, judged, path):
        assert finding.at is not None
        at = buffer.lines.position(finding.at.start)
        touched = finding.at.start <= end and start <= finding.at.end
        if touched or (finding.rule.code, at.line, at.character) in asked:
            yield finding


def _offer_actions(
    finding: Finding, judged: JudgedFabric, path: str, able: ClientAbilities
) -> Iterator[types.CodeAction]:
    about = [make_diagnostic(finding, judged.where)]
    if finding.fix is not None:
        description = finding.fix.description
        unsafe = "" if finding.fix.safe else " (unsafe)"
        yield from _add_edit(
            types.CodeAction(
                title=f"{description[:1].upper()}{description[1:]} [{finding.rule.code}]{unsafe}",
                kind=_QUICK,
                diagnostics=about,
                is_preferred=finding.fix.safe or None,
            ),
            judged,
            path,
            finding,
            able,
        )
    edit = _make_waiver_edit(finding, judged, path) if finding.rule.ignorable else None
    if edit is not None:
        title = f"Waive {finding.rule.code} on this line: a reason must follow"
        yield types.CodeAction(
            title=title, kind=_QUICK, diagnostics=about, edit=_make_workspace_edit(judged, {path: [edit]}, able)
        )


def _add_edit(
    action: types.CodeAction, judged: JudgedFabric, path: str, finding: Finding | None, able: ClientAbilities
) -> Iterator[types.CodeAction]:
    """The action, to be resolved or with its edit; none where that cannot be made."""
    if able.resolves:
        named = list(_make_key(finding)) if finding is not None else None
        action.data = {"root": judged.root, "path": path, "finding": named}
        yield action
        return
    try:
        action.edit = _make_fix_edit(judged, path, finding, able)
    except NotFixed:
        return
    yield action


def _make_key(finding: Finding) -> tuple[str, int, int, str]:
    at = finding.at
    return finding.rule.name, at.start if at is not None else -1, at.end if at is not None else -1, finding.message


def _make_fix_edit(
    judged: JudgedFabric, path: str, finding: Finding | None, able: ClientAbilities
) -> types.WorkspaceEdit:
    """The fix of one finding, or all safe ones that change nothing but the file. Raises NotFixed."""
    if finding is None:
        name = next((d.path for d in judged.where.sources.documents if os.path.abspath(d.path) == path), path)
        fixed = _fix_texts(judged, None, name)
    else:
        fixed = _fix_texts(judged, finding, None)
    if not fixed.texts:
        why = fixed.refused[0][1] if fixed.refused else "nothing is left to be changed"
        raise NotFixed(why)
    changes = {}
    for text in fixed.texts:
        full = os.path.abspath(text.path)
        changes[full] = make_text_edits(text.before, text.after, judged.where.lines(text.path))
    return _make_workspace_edit(judged, changes, able)


def _fix_texts(judged: JudgedFabric, finding: Finding | None, only: str | None) -> Fixed:
    run = judged.run
    assert run is not None

    def lint(fabrics: list[Loaded], sources: Sources) -> Run:
        if finding is None:
            return run if sources is run.sources else lint_fabrics(fabrics, sources)
        wanted = [finding] if sources is run.sources else []  # once it is fixed, nothing else is
        return run._replace(findings=wanted, sources=sources)

    unsafe = finding is not None and finding.fix is not None and not finding.fix.safe
    try:
        return fix([judged.loaded], run.sources, lint, unsafe=unsafe, only=only)
    except SourceError as error:  # settings that were changed meanwhile
        raise NotFixed(str(error)) from None


def _make_waiver_edit(finding: Finding, judged: JudgedFabric, path: str) -> types.TextEdit | None:
    """A waiver at the end of the line; above it where the end is part of a text of several lines."""
    document = judged.where.document(path)
    if document is None or finding.at is None:
        return None
    text = document.text
    begin = text.rfind("\n", 0, finding.at.start) + 1
    end = text.find("\n", begin)
    end = len(text) if end < 0 else end
    end -= int(end > begin and text[end - 1] == "\r")
    lines = judged.where.lines(path)
    mark = f"# {MARK}["
    named = text.find(mark, begin, end)
    if named >= 0:  # one more name for the waiver that is there
        at = named + len(mark)
        return types.TextEdit(lines.range(at, at), f"{finding.rule.name}, ")
    try:
        over = _find_scalar_over(compose(document), end)
    except SourceError:
        over = None
    if over is None:
        return types.TextEdit(lines.range(end, end), f"  {mark}{finding.rule.name}] -- ")
    if over.start < begin:
        return None
    indent = text[begin : begin + len(text[begin:end]) - len(text[begin:end].lstrip(" "))]
    return types.TextEdit(lines.range(begin, begin), f"{indent}{mark}{finding.rule.name}] -- \n")


def _find_scalar_over(node: Node | None, offset: int) -> Scalar | None:
    """The scalar that goes on beyond an offset."""
    nodes = [node] if node is not None else []
    while nodes:
        one = nodes.pop()
        if isinstance(one, Scalar):
            if one.start < offset < one.end:
                return one
        elif one.start <= offset <= one.end:
            nodes += one.items if isinstance(one, Seq) else [part for pair in one.pairs for part in pair]
    return None


def _make_workspace_edit(
    judged: JudgedFabric, changes: dict[str, list[types.TextEdit]], able: ClientAbilities
) -> types.WorkspaceEdit:
    where = judged.where
    if not able.versions:
        return types.WorkspaceEdit(changes={where.uri(path): edits for path, edits in changes.items()})
    out = []
    for path, edits in changes.items():
        buffer = where.snapshot.get(path)
        of = types.OptionalVersionedTextDocumentIdentifier(
            uri=where.uri(path), version=buffer.version if buffer is not None else None
        )
        out.append(types.TextDocumentEdit(of, list(edits)))
    return types.WorkspaceEdit(document_changes=list(out))
