"""From one text to another by few small edits, so that cursors and folds in the editor stay where they are."""

from __future__ import annotations

from difflib import SequenceMatcher

from lsprotocol.types import TextEdit

from rocecfg.lsp.lines import Lines


def text_edits(before: str, after: str, lines: Lines) -> list[TextEdit]:
    """The edits that make `after` of `before`, whose places `lines` knows; none overlap."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    out = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        was, now = "".join(old[i:j]), "".join(new[k:m])
        head = _common(was, now, "\r\n")
        tail = _common(was[head:][::-1], now[head:][::-1], "\n\r")
        at = lines.range(starts[i] + head, starts[j] - tail)
        out.append(TextEdit(at, now[head : len(now) - tail]))
    return out


def _common(a: str, b: str, whole: str) -> int:
    """How many characters two texts have in common at their beginning; `whole`, two characters, is not torn apart."""
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n - int(n > 0 and a[n - 1 : n + 1] == whole)
