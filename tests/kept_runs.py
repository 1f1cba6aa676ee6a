"""Simulations of DCQCN that tests ask for, and what came of each: in `kept_runs.txt`.

    python tests/kept_runs.py      writes that file, in three minutes of one core

A simulation takes half a second, and tests of what `advise` and `report` make of it, and whether packets do the same,
ask for some 200. The file begins with checksums of the simulation's source and of the C library's arithmetic: where one
is another, nothing kept is used, and each is run again, once for all workers of a test run. Where the source is another
`tests/advice/test_kept_runs.py` asks for a new file. Courses are not kept: a run is made where one is drawn. Tests of
the simulation itself use none of this.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import math
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from checkout import ROOT

FOLDER = "ROCECFG_TESTS_KEPT_RUNS"  # names the folder where all workers of a test run keep other simulations
FILE = Path(__file__).with_suffix(".txt")
MODELS = ("rocecfg.physics.dcqcn_random", "rocecfg.physics.dcqcn_network")
USERS = ("rocecfg.advice.predict", "rocecfg.advice.series")
ASKING = (
    "advice/test_advise_* advice/test_advised_page.py advice/test_referee_[fn]* "
    "report_html/test_report_html_[fq]* topology/test_traffic.py"
)
_COURSES = ("times_us", "queues")


def sources(root: Path) -> list[Path]:
    """The files of the simulation: its modules, and all of rocecfg that they import."""
    waiting, found = list(MODELS), set()
    while waiting:
        path = root.joinpath(*waiting.pop().split(".")).with_suffix(".py")
        if path.exists() and path not in found:
            found.add(path)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    of = node.module or "" if isinstance(node, ast.ImportFrom) else ""
                    waiting += [of, *(f"{of}.{name.name}".lstrip(".") for name in node.names)]
    return sorted(found)


def head(root: Path = ROOT) -> list[str]:
    """Checksums of the source of the simulation, and of last digits, which change what follows in a run."""
    texts = [path.read_bytes().replace(b"\r\n", b"\n") for path in sources(root)]
    digits = repr([(math.exp(-n / 997), math.log1p(-n / 3001)) for n in range(3000)]).encode()
    return [f"# {hashlib.sha256(of).hexdigest()}" for of in (b"\0".join(texts), digits)]


@cache
def read(file: Path = FILE, root: Path = ROOT) -> dict[str, str]:
    """Runs by what was asked; none where they are of another source or arithmetic."""
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(line.split("\t") for line in lines[2:]) if lines[:2] == head(root) else {}  # type: ignore[misc]


def from_text(text: str) -> Any:
    """A question or a run, as they are written."""
    one, other = (vars(importlib.import_module(module)) for module in MODELS)
    return eval(text, {**one, **other})  # noqa: S307 - our own file


def to_text(run: Any) -> str:
    """A run without its courses."""
    return repr(run._replace(**dict.fromkeys(_COURSES, ())) if set(_COURSES) <= set(run._fields) else run)


class _Course(Sequence[float]):
    """What is not kept of a run: simulated where somebody looks at it."""

    def __init__(self, look: Callable[[], Any]) -> None:
        self._look = look

    def __getitem__(self, number: Any) -> Any:
        return self._look()[number]

    def __len__(self) -> int:
        return len(self._look())


def keeping(module: Any, folder: Path, kept: dict[str, str]) -> Callable[..., Any]:
    """`simulate` of a module, which returns what is kept there or in the folder, or keeps it in the folder."""

    def simulate(*given: Any, **named: Any) -> Any:
        question = repr((module.__name__, given, named))

        @cache
        def run() -> Any:
            path = folder / hashlib.sha256(question.encode()).hexdigest()
            if not path.exists():
                part = folder / f"{path.name}.{os.getpid()}"
                part.write_bytes(pickle.dumps((question, module.simulate(*given, **named))))
                part.rename(path)
            return pickle.loads(path.read_bytes())[1]  # noqa: S301 - a folder of this test run alone

        if question not in kept:
            return run()
        found = from_text(kept[question])
        empty = [name for name in _COURSES if getattr(found, name, None) == ()]
        return found._replace(**{name: _Course(lambda name=name: getattr(run(), name)) for name in empty})

    return simulate


def use(users: Iterable[Any], folder: Path, put: Callable[[Any, str, Any], object] = setattr) -> None:
    """Have modules that simulate take runs from the file and the folder."""
    for user in users:
        put(user, "simulate", keeping(sys.modules[user.simulate.__module__], folder, read()))


def main() -> None:
    """Run the tests that ask for simulations, and write the file with what came of those."""
    FILE.unlink(missing_ok=True)
    files = [str(path) for pattern in ASKING.split() for path in sorted((ROOT / "tests").glob(pattern))]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "--all", *files]
        subprocess.run(command, cwd=ROOT, env={**os.environ, FOLDER: folder}, check=True)
        runs = [pickle.loads(path.read_bytes()) for path in Path(folder).iterdir()]  # noqa: S301 - just written
    lines = [*head(), *sorted(f"{question}\t{to_text(run)}" for question, run in runs)]
    FILE.write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
