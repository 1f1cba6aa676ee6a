"""Several fabrics judged in several processes: the same bytes come out as of one."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from checkout import ROOT
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.intent import Loaded, load
from rocecfg.linting import parallel
from rocecfg.linting.judge import judge
from rocecfg.rules import select_rules
from rocecfg.source.document import Sources

BAD = POLICY.replace("lossless: true", "lossless: false").replace("kmin: 400KB", "kmin: 4MB")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Fabrics that are clean, broken, waived, judged by settings and by a team's own rules, and no intent at all."""
    for example in ("policy", "auto", "converged"):
        for path in (ROOT / "examples" / example).rglob("*.yaml"):
            write(tmp_path, {f"{example}/{path.relative_to(ROOT / 'examples' / example)}": path.read_text("utf-8")})
    write(
        tmp_path,
        {
            "bad/fabric.yaml": BAD,
            "unread/fabric.yaml": "rocecfg: 1\nfabric: {name: lab\n",
            "waived/fabric.yaml": BAD.replace(
                "rocecfg: 1\n", "# rocecfg: ignore[ecn-order] -- as agreed\nrocecfg: 1\n"
            ),
            "set/fabric.yaml": BAD,
            "set/rocecfg.toml": 'ignore = ["ecn"]\n',
            "house/fabric.yaml": FABRIC,
            "house/rocecfg-rules.yaml": "rules:\n"
            "  - {name: slow, for: port, expect: {watchdog.detection: {le: 100ms}}}\n",
        },
    )
    return tmp_path


@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_any_number_of_jobs_gives_the_same_bytes(tree: Path, form: str) -> None:
    one = rocecfg(tree, "lint", "--format", form, "--jobs", "1")
    three = rocecfg(tree, "lint", "--format", form, "--jobs", "3")
    assert one.stdout.count("ecn-order") > 0
    assert "house/slow" in one.stdout
    assert (three.stdout, three.stderr, three.returncode) == (one.stdout, one.stderr, one.returncode)


def _tasks(folder: Path, texts: list[str]) -> list[parallel.Task]:
    tasks: list[parallel.Task] = []
    sources = Sources()
    for number, text in enumerate(texts):
        path = folder / f"{number}.yaml"
        path.write_text(text, encoding="utf-8")
        loaded = load(str(path), sources)
        tasks.append(
            (loaded, select_rules(loaded.fabric.sections if loaded.fabric is not None else frozenset()).rules, {})
        )
    return tasks


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_outcomes_come_in_the_order_of_the_fabrics(tmp_path: Path, jobs: int) -> None:
    tasks = _tasks(tmp_path, [POLICY, BAD, FABRIC, BAD, POLICY])
    assert list(parallel.judge_in_processes(tasks, jobs)) == [judge(*task) for task in tasks]


def test_processes_are_started_only_where_time_is_left_to_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []

    def watched(function: object, items: list[object], jobs: int) -> object:
        started.append(len(items))
        return real(function, items, jobs)  # type: ignore[arg-type]

    real = parallel.map_in_processes
    monkeypatch.setattr(parallel, "map_in_processes", watched)
    monkeypatch.setattr(parallel, "count_cores", lambda: 2)
    tasks = _tasks(tmp_path, [POLICY, BAD, POLICY, BAD])
    wanted = [judge(*task) for task in tasks]
    paces = ((0.0, []), (1.0, []), (1.1, [3]), (7.0, [3]))  # seconds a fabric; 3 of 4 are left once one tells the pace
    for seconds, expected in paces:
        started.clear()
        assert list(parallel.judge_in_processes(tasks, None, clock=count(0, seconds).__next__)) == wanted
        assert started == expected, seconds


def test_what_cannot_be_sent_is_judged_here(tmp_path: Path) -> None:
    tasks = _tasks(tmp_path, [POLICY, BAD])
    unread = (Loaded("x", None, (), [], []), tasks[0][1], {})
    assert list(parallel.judge_in_processes([unread, *tasks, unread], 2)) == [
        judge(*t) for t in (unread, *tasks, unread)
    ]


def test_a_failure_of_a_rule_keeps_its_words() -> None:
    failure = parallel._rebuild_failure(  # noqa: SLF001 - no rule of ours fails
        "pfc-count", "rule pfc-count failed on leaf01: KeyError: 3"
    )
    assert str(failure) == "rule pfc-count failed on leaf01: KeyError: 3"
    assert failure.rule.name == "pfc-count"
