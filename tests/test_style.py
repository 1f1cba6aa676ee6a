"""Messages, helps and docs are written as docs/contributing/style.md says, as far as a machine can tell.

Messages as they are printed, with their values, are looked at by `page_cases`, which lints the pages of all rules.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from plain import BANNED, find_long, find_slips

ROOT = Path(__file__).parents[1]

DOCS = {  # words that prose of docs and rule pages still has: a number may only fall
    r"(is|are|was|were|be) (said|told|meant)(?! apart)|(as|unless|until) (told|meant)|nothing says": 12,
    r"judg(e[sd]?|ing)": 12,
    r"stormed": 0,
    r"works? (it |them )?out|worked out": 1,
}


def find_texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts that code may print, a figure for what is filled in; docstrings and sources of facts are left out."""
    aside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and isinstance(node.body[0], ast.Expr):
            aside.add(id(node.body[0].value))
        if isinstance(node, ast.keyword) and node.arg in ("source", "reference"):
            aside.update(map(id, ast.walk(node.value)))
        if isinstance(node, ast.JoinedStr):
            aside.update(id(part) for part in ast.walk(node) if part is not node)
    for node in ast.walk(tree):
        if id(node) in aside:
            continue
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(v.value) if isinstance(v, ast.Constant) else "0" for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def test_what_is_printed_has_no_words_of_our_own() -> None:
    wrong = []
    for path in sorted((ROOT / "rocecfg").rglob("*.py")):
        for line, text in find_texts(ast.parse(path.read_text(encoding="utf-8"))):
            if "\n\n" not in text:  # a page, whose prose is that of the docs
                wrong += [f"{path.relative_to(ROOT)}:{line}: {slip}: {text[:90]}" for slip in find_slips(text)]
    assert wrong == [], "see docs/contributing/style.md"


def test_docs_come_to_have_none_either() -> None:
    left = Counter[str]()
    for path in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("rocecfg/rules/pages/*.md")):
        if path.name != "style.md":
            prose = re.sub(r"(?ms)^```.*?^```|`[^`]*`", "", path.read_text(encoding="utf-8"))
            for word in DOCS:
                left[word] += len(re.findall(rf"\b(?:{word})\b", prose, re.IGNORECASE))
    assert DOCS.keys() <= BANNED.keys()
    assert {word: more for word, more in left.items() if more > DOCS[word]} == {}, "see docs/contributing/style.md"


def test_slips_are_told_from_plain_sentences() -> None:
    """Sentences that readers stumbled over, and what an engineer wrote instead."""
    for slip in (
        "ECN: recognised, not judged",
        "RDMA is lossy on it, unless all of the fabric is meant so",
        "queues are strict unless told otherwise",
        "DSCP 26, 46 lead to traffic class 3, which is lossless",
        "restoration of a stormed queue",
        "250ms is no multiple of 100ms",
        "'dtection' is none of action, detection_time",
        "header stands in the list, and NVUE takes a mapping",
        "the watchdog has to be started anew",
        "Of a device that is not whole it is said what was compared",
        "Whether the fabric is whole is said",
        "look what it does to PFC",
    ):
        assert find_slips(slip), slip
    for plain in (
        "ECN: recognised, not checked",
        "kmax (1.5MB) is above the PFC threshold with all 112 ports congested (700KB), so PFC pauses before ECN",
        "100 of 148 PFC ports have no watchdog; the 48 that do are L2, non-LAG ports",
        "there is no class rmda",
        "no more than 32 ports are listed, so a failure cannot be told apart",
        "write `judged` below `stormed`",
        "the link is no longer lossless",
        "Which value an 800G peer has is not published",
    ):
        assert not find_slips(plain), plain
    assert find_long(" ".join(["word"] * 31) + ": short")
    assert not find_long("short: " + " ".join(["word"] * 30) + ". Sum: " + " ".join(["1 +"] * 50) + " = 2")
