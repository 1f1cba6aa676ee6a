"""Messages, helps and docs are written as docs/contributing/style.md says, as far as a machine can tell.

What is left from before is counted: a number below may only fall.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = 30  # of a message, before the first full stop, colon or semicolon

HOUSE = {  # words of our own -> how often they are left, in messages and in docs
    r"(is|are|was) said": (0, 13),
    r"(is|are|was) told": (1, 15),
    r"unless told": (0, 1),
    r"(is|are|was) meant": (1, 9),
    r"by custom": (0, 0),
    r"nobody mark(s|ed)": (1, 1),
    r"otherwise than": (0, 1),
    r"DSCPs? [^.:;]{0,20}\bleads? to": (0, 6),
    r"stormed": (0, 4),
    r"judged": (3, 7),
    r"worked out": (0, 7),
    r"gear": (0, 0),
    r"beside PFC": (0, 0),
    r"whatever PFC does": (0, 0),
    r"no multiple of": (0, 0),
    r"nothing to look at": (0, 0),
    r"stands? there": (0, 2),
}
LONG = 0  # messages of rules whose first clause has more than WORDS words


def texts_of(node: ast.expr) -> str:
    """The text of an expression, a figure for what is filled in; of two ways the longer."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(v.value if isinstance(v, ast.Constant) else "0" for v in node.values)
    if isinstance(node, ast.BinOp):
        return texts_of(node.left) + texts_of(node.right)
    if isinstance(node, ast.IfExp):
        return max(texts_of(node.body), texts_of(node.orelse), key=len)
    return "0"


def docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and isinstance(node.body[0], ast.Expr):
            yield node.body[0].value


def messages() -> Iterator[tuple[Path, ast.Module]]:
    folders = ("rocecfg/rules", "rocecfg/cli")
    for path in (*(p for of in folders for p in (ROOT / of).glob("*.py")), *ROOT.glob("rocecfg/vendors/*/fixes.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def docs() -> Iterator[str]:
    generated = (
        "docs/rules.md",
        "docs/profiles/",
        "docs/support.md",
        "docs/advised.md",
        "docs/cli.md",
        "docs/published",
    )
    own = ("docs/contributing/style.md",)
    for path in (ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("rocecfg/rules/pages/*.md")):
        if not path.relative_to(ROOT).as_posix().startswith((*generated, *own)):
            yield re.sub(r"(?ms)^```.*?^```|`[^`]*`", "", path.read_text(encoding="utf-8"))


def test_house_words_become_fewer() -> None:
    said = []
    for _, tree in messages():
        aside = set(map(id, docstrings(tree)))
        said += [
            texts_of(node)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in aside
            if isinstance(node, ast.JoinedStr) or isinstance(node.value, str)
        ]
    written = " ".join(" ".join(docs()).split())
    left = Counter[str]()
    for word, (in_messages, in_docs) in HOUSE.items():
        found = re.compile(rf"\b{word}\b", re.IGNORECASE)
        left[f"{word} in messages"] = sum(bool(found.search(text)) for text in said) - in_messages
        left[f"{word} in docs"] = len(found.findall(written)) - in_docs
    assert {word: more for word, more in left.items() if more > 0} == {}, "see docs/contributing/style.md"
    assert {word: less for word, less in left.items() if less < 0} == {}, "lower the numbers"


def test_a_message_begins_with_a_short_clause() -> None:
    long = []
    for path, tree in messages():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Hit" and node.args:
                clause = re.split(r"[:;] |\. ", texts_of(node.args[0]))[0]
                if len(clause.split()) > WORDS:
                    long.append(f"{path.name}:{node.lineno}: {clause}")
    assert len(long) <= LONG, "\n".join(long)
    assert len(long) == LONG, "lower LONG"
