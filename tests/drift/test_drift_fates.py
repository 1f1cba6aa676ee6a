"""Fates of statements in all outputs, and of what is rendered: it runs, differs, or differs to the same effect."""

from __future__ import annotations

import json
from pathlib import Path

from drift_cases import EXAMPLES, running
from intents import rocecfg
from statements import count_statements

from rocecfg.model.fates import FATES


def test_each_output_prints_the_fates(tmp_path: Path) -> None:
    """The same total as text and as JSON, of all that reads what a switch runs."""
    text = f"{running('auto', 'spine02')}of-tomorrow 3\n"
    (tmp_path / "spine02.cfg").write_text(text, encoding="utf-8")
    total = f"{count_statements('arista', text)} statements: "
    file, runs = ("spine02.cfg",), (EXAMPLES / "auto", "--running", "spine02.cfg")
    for words in (("lint", *file), ("show", *file), ("import", *file), ("report", *file, "-o", "-")):
        done = rocecfg(tmp_path, *words, expect=None)
        assert total in done.stdout + done.stderr, words
        assert "1 unknown (line " in done.stdout + done.stderr, words
    for words in (("lint", *file), ("show", *file), ("drift", *runs), ("plan", *runs, "--no-lint")):
        if words[0] in ("drift", "plan"):
            assert total in rocecfg(tmp_path, *words, expect=None).stdout, words
        told = json.loads(rocecfg(tmp_path, *words, "--format", "json", expect=None).stdout)["statements"]
        named = [told[name.replace(" ", "_")] for name in FATES]
        assert f"{told['total']} statements: " == total, words
        assert sum(named) == told["total"], words
        assert [each["text"] for each in told["unjudged"] if each["fate"] == "unknown"] == ["of-tomorrow 3"], words
