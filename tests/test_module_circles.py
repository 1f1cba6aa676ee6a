"""No circle between modules, also none that an import inside a function hides: what needs what can be read off."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from checkout import ROOT


def _modules(package: Path) -> dict[str, Path]:
    files = (f for f in package.rglob("*.py") if "_data" not in f.parts)
    return {".".join(f.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): f for f in files}


def _imported(tree: ast.AST, modules: dict[str, Path]) -> Iterator[str]:
    """The modules that one imports anywhere; what only a type checker reads is none of them."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from (name for part in node.orelse for name in _imported(part, modules))
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield from (name for name in (full if full in modules else node.module,) if name in modules)
        else:
            yield from _imported(node, modules)


def _circle(package: Path) -> list[str]:
    modules = _modules(package)
    needs = {m: set(_imported(ast.parse(f.read_text(encoding="utf-8")), modules)) - {m} for m, f in modules.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_needs_one_that_needs_it() -> None:
    assert len(_modules(ROOT / "rocecfg")) > 100
    assert _circle(ROOT / "rocecfg") == []


def test_a_circle_behind_a_function_is_found(tmp_path: Path) -> None:
    package = tmp_path / "some"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "a.py").write_text("from some.b import one\n", encoding="utf-8")
    (package / "b.py").write_text("def one():\n    from some import a\n    return a\n", encoding="utf-8")
    assert sorted(set(_circle(package))) == ["some.a", "some.b"]
