"""Measure rocecfg as installed, against things a reader can judge it by; print a table of ratios.

    python benchmarks/run.py                   # builds the wheel into a venv of its own, measures all
    python benchmarks/run.py --rocecfg PATH    # measures that console script, and yamllint and pyavd beside it

What each ratio means, and the targets: benchmarks/README.md. Nothing here is a test: a busy machine makes it noisy.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import generate
from measure import Case, CommandFailed, Median, environment, interleaved, once

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FULL = 10_000  # switches for which the targets of the large fabrics are meant
CHANGED = 1000  # files of the fabric of which one is changed
MIXED = 1000  # configurations of switches in one folder
FABRICS = 16  # in one folder
READERS = {
    "eos": "EOS running-config",
    "sonic": "config_db.json",
    "nvue": "NVUE YAML",
    "nv": "nv set text",
    "junos": "Junos configuration",
    "set": "Junos set lines",
    "nxos": "NX-OS running-config",
}
TARGETS = {"eos": 3.0, "sonic": 10.0}  # ms a file
IN_BULK = {"eos": 1.5, "sonic": 6.0}  # multiples of a plain parser
BESIDE = (
    "yamllint>=1.35",
    "ryl>=0.26",
    "pyavd==6.4.0",
    "pre-commit>=3.5",
    "netutils>=1.9",
)  # compared with, and run by


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Row(NamedTuple):
    """One line of the table: a measured figure, what it is compared with, and the target, if there is one."""

    group: str
    what: str
    value: float
    unit: str
    base: str = ""
    ratio: float | None = None  # of the value to the base, or of the base to the value where `faster`
    target: float | None = None  # for the ratio; for the value where there is no ratio
    faster: bool = False  # the target is a least ratio, not a greatest

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None without one."""
        if self.target is None:
            return None
        figure = self.value if self.ratio is None else self.ratio
        return figure >= self.target if self.faster else figure <= self.target


class Bench:
    """What all groups of measurements share: the tools, a scratch folder, how often to run, how large, which time."""

    def __init__(self, rocecfg: Path, scratch: Path, rounds: int, switches: int, *, cpu: bool) -> None:
        self.rocecfg = str(rocecfg)
        self.python = str(rocecfg.parent / "python")
        self.scratch = scratch
        self.rounds = rounds
        self.switches = switches
        self.cpu = cpu
        self.env = environment(scratch / "cache")
        self.log = scratch / "output.txt"

    def target(self, figure: float) -> float | None:
        """A target of the large fabrics: at smaller sizes start-up outweighs what is meant, and there is none."""
        return figure if self.switches >= FULL else None

    def beside(self, tool: str) -> str | None:
        """The path of a tool installed in the same environment as rocecfg."""
        path = Path(self.rocecfg).parent / tool
        return str(path) if path.exists() else None

    def has(self, module: str) -> bool:
        """Whether rocecfg's Python can import a module."""
        found = subprocess.run([self.python, "-c", f"import {module}"], env=self.env, capture_output=True, check=False)
        return found.returncode == 0

    def run(self, argv: list[str]) -> str:
        """What a command prints. Raises CommandFailed."""
        return once(Case(argv), self.env, self.log, cpu=self.cpu).out

    def compare(self, cases: dict[str, Case], *, long: bool = False) -> dict[str, Median]:
        """Run commands interleaved; long ones in a seventh of the rounds, three at least."""
        rounds = max(3, self.rounds // 7) if long else self.rounds
        return interleaved(cases, rounds, self.env, self.log, cpu=self.cpu)

    def aside(self, folder: Path) -> Callable[[], None]:
        """An action that puts a folder aside, so that each round writes all of it.

        It is removed at the end: right after as many files were removed, ext4 takes ten times as long to make one.
        """

        def put() -> None:
            if folder.exists():
                folder.rename(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=self.scratch))

        return put

    def fabric(self, layout: str, vendor: str, switches: int) -> Path:
        """The root file of a generated fabric."""
        folder = self.scratch / f"{vendor}-{layout}-{switches}"
        return folder / "fabric.yaml" if folder.exists() else generate.write(folder, switches, layout, vendor)


def start(bench: Bench) -> Iterator[Row]:
    """Start-up and one small file, in multiples of a Python that does nothing."""
    small = bench.scratch / "small"
    shutil.copytree(ROOT / "examples" / "policy", small)
    one = str(small / "fabric.yaml")
    cases = {
        "python -c pass": Case([bench.python, "-c", "pass"]),
        "rocecfg --version": Case([bench.rocecfg, "--version"]),
        "rocecfg lint, one file": Case([bench.rocecfg, "lint", one]),
    }
    for tool, argv in _linters(bench).items():
        cases[f"{tool}, the same file"] = Case([*argv, one])
    taken = bench.compare(cases)
    base = taken.pop("python -c pass").seconds
    yield Row("start", "python -c pass", base * 1000, "ms")
    targets = {"rocecfg --version": 3.5, "rocecfg lint, one file": 7.0}
    for name, got in taken.items():
        yield Row("start", name, got.seconds * 1000, "ms", "python -c pass", got.seconds / base, targets.get(name))


def _linters(bench: Bench) -> dict[str, list[str]]:
    """Linters of YAML, those that are installed beside rocecfg: how each is called, but for the path."""
    calls = {
        "yamllint": ["-d", "relaxed"],
        "ryl (yamllint in Rust)": ["check", "--no-cache", "--no-warnings", "-d", "extends: relaxed"],
    }
    found = {name: (bench.beside(name.split()[0]), more) for name, more in calls.items()}
    return {name: [tool, *more] for name, (tool, more) in found.items() if tool is not None}


def commit(bench: Bench) -> Iterator[Row]:
    """One changed file of many: by the command, and by pre-commit."""
    folder = bench.fabric("files", "sonic", min(bench.switches, CHANGED)).parent
    subprocess.run(["git", "init", "-q", str(folder)], env=bench.env, check=True)
    edit = _Edit(folder)
    one = [bench.rocecfg, "lint", "--only-intents"]
    taken = bench.compare(
        {
            "pass": Case([bench.python, "-c", "pass"]),
            "lint": Case([*one, edit.name], folder, edit),
        },
        long=True,
    )
    base, lint = (taken[name].seconds for name in ("pass", "lint"))
    what = f"one changed file of {edit.count}"
    yield Row("commit", f"rocecfg lint, {what}", lint * 1000, "ms", "python -c pass", lint / base, 25.0)
    if bench.has("pre_commit"):
        run = [bench.python, "-m", "pre_commit", "run", "--files", edit.name, "--config"]
        hooks = {"alone": "true", "hook": " ".join(one)}
        cases = {name: Case([*run, _hook(bench.scratch, name, entry)], folder, edit) for name, entry in hooks.items()}
        taken = bench.compare(cases)
        yield Row("commit", "pre-commit, with a hook that does nothing", taken["alone"].seconds * 1000, "ms")
        alone, hook = taken["alone"].seconds, taken["hook"].seconds
        wording = f"pre-commit with rocecfg-lint, {what}"
        yield Row("commit", wording, hook * 1000, "ms", "a hook that does nothing", hook / alone, 1.6)


class _Edit:
    """Somebody's change of a value in a file of a fabric; each call makes another one."""

    def __init__(self, folder: Path) -> None:
        found = sorted((folder / "devices").iterdir())
        self.count = len(found)
        self.path = next(path for path in found[self.count // 2 :] if "leaf" in path.name)
        self.name = str(self.path.relative_to(folder))
        self.metres = 5

    def __call__(self) -> None:
        text = self.path.read_text(encoding="utf-8")
        old, self.metres = self.metres, self.metres % 50 + 1
        self.path.write_text(text.replace(f"cable: {old}m,", f"cable: {self.metres}m,"), encoding="utf-8")


def _hook(folder: Path, name: str, entry: str) -> str:
    """The path of settings with a hook that is run where it is, without being installed."""
    wording = f"id: {name}, name: {name}, language: system, entry: '{entry}', require_serial: true"
    path = folder / f"{name}.yaml"
    path.write_text(f"repos: [{{repo: local, hooks: [{{{wording}}}]}}]\n", encoding="utf-8")
    return str(path)


def tree(bench: Bench) -> Iterator[Row]:
    """A tree of one file a switch, read cold, against PyYAML's C event loop on the same bytes."""
    folder = bench.fabric("files", "sonic", bench.switches).parent
    whole = bench.fabric("nodesets", "sonic", bench.switches)
    taken = bench.compare(
        {
            "loop": Case([bench.python, str(HERE / "event_loop.py"), str(folder)]),
            "lint": Case([bench.rocecfg, "lint", str(folder)]),
            "full": Case([bench.rocecfg, "lint", "--no-shapes", str(folder)]),
            "sets": Case([bench.rocecfg, "lint", str(whole)]),
        },
        long=True,
    )
    # in all of this yamllint takes minutes: once is enough
    others = {
        name: once(Case([*argv, str(folder)]), bench.env, bench.log, cpu=bench.cpu)
        for name, argv in _linters(bench).items()
    }
    files, size = map(int, taken["loop"].outs[0].split())
    base, lint, full, sets = (taken[name].seconds for name in ("loop", "lint", "full", "sets"))
    yield Row("tree", f"C event loop, {files} files, {size / 1e6:.1f} MB", base, "s")
    yield Row("tree", f"rocecfg lint, {files} files", lint, "s", "C event loop", lint / base, bench.target(1.5))
    yield Row("tree", "its peak memory", taken["lint"].peak / 1e6, "MB", target=bench.target(150.0))
    yield Row("tree", "the same, each file read in full (--no-shapes)", full, "s", "C event loop", full / base)
    for name, got in others.items():
        yield Row("tree", f"{name}, the same files, one run", got.seconds, "s", "C event loop", got.seconds / base)
    what = f"rocecfg lint, one file of node sets, {bench.switches} switches"
    yield Row("tree", what, sets, "s", "C event loop", sets / base)


def large(bench: Bench) -> Iterator[Row]:
    """Single texts that are large: links, commands, classes."""
    folder = bench.scratch / "large"
    share = min(1.0, bench.switches / FULL)
    bench.run([bench.python, str(HERE / "large.py"), str(folder), str(share)])
    files = {"csv": "csv", "flow": "flow", "nv": "nv/leaf.nv", "few": "100", "many": "1000"}
    cases = {name: Case([bench.rocecfg, "lint", str(folder / path)]) for name, path in files.items()}
    taken = bench.compare(cases, long=True)
    seconds = {name: got.seconds for name, got in taken.items()}
    what = f"{300_000 * share:.0f} links in a file of CSV"
    yield Row("large", f"rocecfg lint, {what}", seconds["csv"], "s", target=bench.target(5.0))
    yield Row("large", f"rocecfg lint, {48 * share:.0f} MB of links in one flow list", seconds["flow"], "s")
    yield Row("large", "its peak memory", taken["flow"].peak / 1e6, "MB", target=bench.target(600.0))
    what = f"{40 * share:.0f} MB of nv set commands"
    yield Row("large", f"rocecfg lint, {what}", seconds["nv"], "s", target=bench.target(12.0))
    few, many = seconds["few"], seconds["many"]
    yield Row("large", "rocecfg lint, 1000 classes", many, "s", "100 classes", many / few, 10.0)


def render(bench: Bench) -> Iterator[Row]:
    """EOS configuration by device: the renderers alone, then whole processes with reading, lint and writing."""
    switches = min(bench.switches, 1000)
    out = bench.scratch / "rendered"
    roots = {"apart": _apart(bench, switches), "alike": bench.fabric("files", "arista", switches)}
    cases = {
        name: Case(
            [bench.rocecfg, "render", str(root), "--vendor", "arista", "-o", str(out / name)],
            before=bench.aside(out / name),
        )
        for name, root in roots.items()
    }
    cases["rocecfg"] = Case([bench.python, str(HERE / "rocecfg_render.py"), str(roots["apart"])])
    if bench.has("pyavd"):
        cases["pyavd"] = Case([bench.python, str(HERE / "pyavd_render.py"), str(out / "apart")])
    taken = bench.compare(cases, long=True)
    for name in roots:
        written = len(list((out / name).glob("*.cfg")))  # beside them it says how they are applied
        if written != switches:
            raise CommandFailed(f"render wrote {written} files for {switches} switches")
    rows = [
        Row("render", "rocecfg's renderer, by device, all different", _printed(bench, taken["rocecfg"]) * 1000, "ms"),
        *(
            Row(
                "render",
                f"rocecfg render -o, whole process, by device, {what}",
                taken[name].seconds / switches * 1000,
                "ms",
            )
            for name, what in (("apart", "all different"), ("alike", "leaves alike, spines alike"))
        ),
    ]
    if "pyavd" in taken:
        base = _printed(bench, taken["pyavd"]) * 1000
        common = float(taken["pyavd"].outs[0].split()[2])
        yield Row("render", f"pyavd's renderer, by device; it prints {common:.0%} of rocecfg's lines", base, "ms")
        rows = [row._replace(base="pyavd", ratio=base / row.value, faster=True) for row in rows]
        targets = (40.0, 35.0, 70.0)  # the renderer; whole processes with devices that differ, and that are alike
        rows = [row._replace(target=bench.target(t)) for row, t in zip(rows, targets, strict=True)]
    yield from rows


def _printed(bench: Bench, got: Median) -> float:
    """The median of the seconds that a script measured itself and printed: wall time, CPU time."""
    return median(float(out.split()[bench.cpu]) for out in got.outs)


def _apart(bench: Bench, switches: int) -> Path:
    """A fabric whose devices all have marking thresholds of their own, so that no two are rendered at once."""
    root = generate.write(bench.scratch / "arista-apart", switches, "files", "arista")
    for number, path in enumerate(sorted((root.parent / "devices").iterdir())):
        text = path.read_text(encoding="utf-8")
        own = f"    classes: {{rdma: {{ecn: {{kmin: {300 + number}KB, kmax: {1500 + number}KB, pmax: 20%}}}}}}\n"
        path.write_text(text.replace("    ports:\n", own + "    ports:\n", 1), encoding="utf-8")
    return root


def equal(bench: Bench) -> Iterator[Row]:
    """Equal devices rendered to files, against merely writing the same files."""
    root = bench.scratch / "equal" / "fabric.yaml"
    root.parent.mkdir()
    leaf = generate.nodesets(generate.POD, "arista").partition('  "p[0001-0001]-spine')[0]
    root.write_text(leaf.replace("p[0001-0001]-leaf[1-8]", f"leaf[00001-{bench.switches:05d}]"), encoding="utf-8")
    out, copy = bench.scratch / "equal-out", bench.scratch / "equal-copy"
    taken = bench.compare(
        {
            "render": Case(
                [bench.rocecfg, "render", str(root), "--vendor", "arista", "-o", str(out)], before=bench.aside(out)
            ),
            "write": Case([bench.python, str(HERE / "write_files.py"), str(out), str(copy)], before=bench.aside(copy)),
        },
        long=True,
    )
    files = list(out.glob("*.cfg"))
    if len(files) != bench.switches:
        raise CommandFailed(f"render wrote {len(files)} files for {bench.switches} switches")
    base = _printed(bench, taken["write"])
    seconds = taken["render"].seconds
    size = sum(path.stat().st_size for path in files)
    yield Row("equal", f"merely writing {len(files)} files, {size / 1e6:.1f} MB", base, "s")
    what = f"rocecfg render -o, {len(files)} equal devices"
    yield Row("equal", what, seconds, "s", "writing", seconds / base, bench.target(3.0))


def readers(bench: Bench) -> Iterator[Row]:
    """Configurations of switches: what reading one takes, and a mixed folder with one process and with all cores."""
    folder = bench.scratch / "configurations"
    count = min(bench.switches, MIXED) // len(READERS) // generate.POD * generate.POD or generate.POD
    bench.run([bench.python, str(HERE / "configurations.py"), str(folder), str(count)])
    for line in bench.run([bench.python, str(HERE / "read_files.py"), str(folder)]).splitlines():
        got = json.loads(line)
        kind, taken, base = got["kind"], got["read"] * 1000, got["base"] * 1000
        what = f"{READERS[kind]} of {got['lines']:.0f} lines, {got['bytes'] / 1000:.1f} kB"
        yield Row("readers", f"{got['against']}, {what}", base, "ms")
        yield Row("readers", f"rocecfg's reader, {what}", taken, "ms", target=TARGETS.get(kind))
        yield Row("readers", "the same, as a multiple", taken, "ms", got["against"], taken / base)
        bulk, base = got["bulk"] * 1000, got["bulk_base"] * 1000
        what = f"the same, {got['all']} such files read together, a file"
        yield Row("readers", what, bulk, "ms", got["against"], bulk / base, IN_BULK.get(kind))
    jobs = cores()
    if jobs > 1:
        loop = [bench.python, "-c", "for _ in range(10_000_000): pass"]
        runs = interleaved({str(n): Case(_at_once(loop, n)) for n in (1, jobs)}, 5, bench.env, bench.log, cpu=False)
        one, many = runs["1"].seconds, runs[str(jobs)].seconds
        yield Row("readers", f"{jobs} Pythons that count, at once", many, "s", "one", jobs * one / many, faster=True)
    folders = {
        "a part of each kind": (folder, 0.95),
        "25 shapes of each kind": (_shapes(folder, bench.scratch / "shapes"), 1.6),
        "all EOS, few kinds": (folder / "eos", 0.95),
        "each read in full": (folder, 1.6),
    }
    base = 0.0
    for what, (path, target) in folders.items():
        number = len([one for one in path.rglob("*") if one.is_file()])
        more = ["--no-shapes"] if what == "each read in full" else []
        rows = _by_jobs(bench, "readers", f"{number} configurations, {what}", [str(path), *more], target)
        one = rows[0].value
        base = base or one
        yield from rows
        if what == "each read in full":
            yield Row("readers", "a part of each kind, by shape", base, "s", "in full", one / base, 3.0, faster=True)


def fabrics(bench: Bench) -> Iterator[Row]:
    """Large fabrics in one folder, judged by one process and by as many as there are cores."""
    folder = bench.scratch / "fabrics"
    for number in range(FABRICS):
        generate.write(folder / str(number), bench.switches, "nodesets")
    yield from _by_jobs(bench, "fabrics", f"{FABRICS} fabrics of node sets", [str(folder)], 1.3)


def _by_jobs(bench: Bench, group: str, what: str, paths: list[str], target: float) -> list[Row]:
    """What lint takes with one job and with as many as cores: wall time, as CPU time does not tell what that saves."""
    jobs = cores()
    cases = {str(n): Case([bench.rocecfg, "lint", *paths, "--jobs", str(n)]) for n in dict.fromkeys((1, jobs))}
    runs = interleaved(cases, 3, bench.env, bench.log, cpu=False)
    one, many = runs["1"].seconds, runs[str(jobs)].seconds
    rows = [Row(group, f"rocecfg lint, {what}, --jobs 1, wall time", one, "s")]
    if jobs > 1:
        rows.append(Row(group, f"the same, --jobs {jobs}", many, "s", "--jobs 1", one / many, target, faster=True))
    return rows


def _at_once(argv: list[str], times: int) -> list[str]:
    """A command that runs another several times at once: what the cores of this machine give at most."""
    return ["sh", "-c", f"{' & '.join([shlex.join(argv)] * times)} & wait"]


def _shapes(folder: Path, out: Path) -> Path:
    """The configurations of a folder, 25 shapes of each kind: a comment tells them apart, in JSON an MTU."""
    for kind in READERS:
        (out / kind).mkdir(parents=True)
        for number, path in enumerate(sorted((folder / kind).iterdir())):
            text, shape = path.read_text(encoding="utf-8"), number % 25
            if kind == "sonic":
                text = text.replace('"mtu": "9100"', f'"mtu": "{9100 + shape}"')
            else:
                text += f"{'!' if kind == 'eos' else '#'} kept in {'x' * (shape + 1)}\n"
            (out / kind / path.name).write_text(text, encoding="utf-8")
    return out


GROUPS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "start": start,
    "commit": commit,
    "tree": tree,
    "large": large,
    "render": render,
    "equal": equal,
    "readers": readers,
    "fabrics": fabrics,
}


def install(folder: Path) -> Path:
    """Install the checkout's wheel, and what it is compared with, into a new venv; return the console script."""
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(ROOT), *BESIDE], check=True
    )
    return folder / "bin" / "rocecfg"


def show(rows: list[Row]) -> None:
    """Print the table, in Markdown."""
    print("| measured | median | against | ratio | target |")
    print("|---|---:|---|---:|---|")
    for row in rows:
        sign = "≥" if row.faster else "≤"
        unit = "" if row.ratio is not None else f" {row.unit}"
        target = "" if row.target is None else f"{sign} {row.target:g}{unit or ' ×'}, {'met' if row.met else 'MISSED'}"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f} ×" + (" faster" if row.faster else "")
        print(f"| {row.what} | {row.value:.3g} {row.unit} | {row.base} | {ratio} | {target} |")


def main() -> int:
    """The command line. Exit code 0 whatever the figures are, 1 if something could not be measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--rocecfg", type=Path, help="an installed console script; default: a venv made from this checkout"
    )
    parser.add_argument("--only", choices=tuple(GROUPS), action="append", help="a group of measurements; repeatable")
    parser.add_argument("--switches", type=int, default=FULL, help=f"size of the large fabrics; default {FULL}")
    parser.add_argument(
        "--rounds", type=int, default=21, help="rounds of the short commands; default 21, a seventh for the long ones"
    )
    parser.add_argument(
        "--cpu", action="store_true", help="CPU time instead of wall time, for a machine that is not idle"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    args = parser.parse_args()
    try:
        generate.check(args.switches)
    except ValueError as error:
        parser.error(str(error))
    rows: list[Row] = []
    failed = False
    with tempfile.TemporaryDirectory(prefix="rocecfg-bench-") as name:
        scratch = Path(name)
        rocecfg = args.rocecfg.absolute() if args.rocecfg else install(scratch / "venv")
        bench = Bench(rocecfg, scratch, args.rounds, args.switches, cpu=args.cpu)
        for group in args.only or GROUPS:
            try:
                rows += GROUPS[group](bench)
            except CommandFailed as error:
                print(f"{group}: {error}", file=sys.stderr)
                failed = True
    if args.json:
        reported = [{**row._asdict(), "met": row.met} for row in rows]
        print(
            json.dumps(
                {"python": platform.python_version(), "cpus": os.cpu_count(), "cpu_time": args.cpu, "rows": reported},
                indent=2,
            )
        )
    else:
        show(rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
