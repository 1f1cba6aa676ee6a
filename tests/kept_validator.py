"""Loads a validator once and has it answer one command line after another: `kept_validator.py TOOL`.

`conformance.run_validator` asks it.
Most of what a validator costs is its start: NVUE's schema of a release takes more than a second to load, and SONiC's
models half of one; a verdict takes less than a tenth of that. It has a process of its own, as a shell would start it:
what it does to the recursion limit or to warnings, and its memory, are no part of the tests.

A question is a line of JSON: `arguments`, `text` (standard input, or null) and `folder` (where relative paths lie).
So is its answer: `status`, `output`, `errors`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
from argparse import Namespace
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any


def _loaded(path: Path) -> ModuleType:
    loader = SourceFileLoader("validator", str(path))
    spec = importlib.util.spec_from_loader("validator", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _keep_models(module: ModuleType, folder: Path) -> None:
    """SONiC's validator reads its models again for every command line; of the same models they are kept."""
    prepare = module.prepare_models
    ready: dict[tuple[str | None, ...], Any] = {}

    def prepared(options: Namespace, _: str) -> Any:
        which = (options.models, options.buildimage, options.rev, options.yang_mgmt)
        if which not in ready:
            ready[which] = prepare(options, tempfile.mkdtemp(dir=folder))
        return ready[which]

    module.prepare_models = prepared  # type: ignore[attr-defined]
    module.WheelBackend = cache(module.WheelBackend)  # type: ignore[attr-defined]


def _answer(module: ModuleType, path: str, question: dict[str, Any]) -> dict[str, Any]:
    sys.argv = [path, *question["arguments"]]
    sys.stdin = io.StringIO(question["text"] or "")
    os.chdir(question["folder"])
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status = module.main()
        except SystemExit as end:
            status = end.code
    return {"status": status or 0, "output": output.getvalue(), "errors": errors.getvalue()}


def main() -> None:
    path = Path(sys.argv[1]).resolve()
    questions, answers = sys.stdin, os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing but answers is among the answers
    module = _loaded(path)
    with tempfile.TemporaryDirectory(prefix="validator-") as folder:
        if hasattr(module, "prepare_models"):
            _keep_models(module, Path(folder))
        for line in questions:
            answers.write(json.dumps(_answer(module, str(path), json.loads(line))) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
