"""Build the playground, a folder of static files.

python docs/playground/build.py OUT [--pyodide DIR] [--quick] needs node, and npm's package `pyodide`, which
`npm ci --prefix docs/playground` gets. The Python packages are those that are installed here.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from html import escape
from importlib.metadata import distribution
from pathlib import Path

from rocecfg.vendors import TABLE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
PAGE = ("app.css", "app.js", "start.mjs", "worker.js")
PACKAGES = {"click": "click", "jinja2": "jinja2", "markupsafe": "markupsafe", "netaddr": "netaddr", "PyYAML": "yaml"}
LEFT_OUT = (
    *(f"rocecfg/{room}/" for room in ("drift", "importing", "lsp", "mcp", "rollout", "validation")),
    "click/testing.py",
    "netaddr/eui/",
    "netaddr/tests/",
)  # what the page cannot ask for
EXAMPLES = {
    "train-256-as-published": "A published configuration, with findings",
    "policy": "A policy: the smallest intent",
    "auto": "Headroom and ECN worked out",
}


def main() -> int:
    """Exit code: 0 built, 1 something is missing."""
    parser = argparse.ArgumentParser(description="Build the playground, a folder of static files.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--pyodide", type=Path, default=HERE / "node_modules" / "pyodide")
    parser.add_argument("--quick", action="store_true", help="a tenth larger, in half the time: to try it")
    given = parser.parse_args()
    missing = [name for name in PYODIDE if not (given.pyodide / name).is_file()]
    if missing or shutil.which("node") is None:
        print(
            f"no {missing[0]} in {given.pyodide}: npm ci --prefix docs/playground" if missing else "no node",
            file=sys.stderr,
        )
        return 1
    build(given.out, given.pyodide, level=9 if given.quick else 19)
    for name, size, small in sizes(given.out):
        print(f"{size:>10,} B  {small:>10,} B as gzip  {name}")
    return 0


def build(out: Path, pyodide: Path, *, level: int) -> None:
    """Write the playground into a folder. `level`: how hard Zstandard tries, from 1 to 22."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        shutil.copyfile(pyodide / name, out / name)
    (out / "wasm.bin").write_bytes(gzip.compress((pyodide / "pyodide.asm.wasm").read_bytes(), 9, mtime=0))
    for name in PAGE:
        shutil.copyfile(HERE / name, out / name)
    page = (HERE / "index.html").read_text(encoding="utf-8")
    options = "".join(f'<option value="{row.name}">{escape(row.title)}</option>' for row in TABLE)
    (out / "index.html").write_text(page.replace("<!-- VENDORS -->", options), encoding="utf-8")
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    (out / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")  # none is loaded
    examples = {
        name: {"title": title, "text": (ROOT / "examples" / name / "fabric.yaml").read_text(encoding="utf-8")}
        for name, title in EXAMPLES.items()
    }
    (out / "examples.json").write_text(json.dumps(examples, ensure_ascii=False), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "sources.zip"
        _pack(sources)
        command = ("node", str(HERE / "compile.mjs"), str(pyodide), str(sources), str(out), str(level))
        subprocess.run(command, check=True, timeout=600)
    _service_worker(out)


def _pack(target: Path) -> None:
    """All Python that runs in the page, and the data of rocecfg, as sources."""
    with zipfile.ZipFile(target, "w") as archive:
        archive.write(HERE / "driver.py", "playground_driver.py")
        for top, there in (
            ("rocecfg", "rocecfg"),
            ("profiles", "rocecfg/_data/profiles"),
            ("templates", "rocecfg/_data/templates"),
        ):
            for path in sorted((ROOT / top).rglob("*")):
                name = f"{there}/{path.relative_to(ROOT / top).as_posix()}"
                if path.is_file() and "__pycache__" not in name and not name.startswith(LEFT_OUT):
                    archive.write(path, name)
        for project, package in PACKAGES.items():
            for file in distribution(project).files or ():
                name = file.as_posix()
                if name.startswith(f"{package}/") and name.endswith(".py") and not name.startswith(LEFT_OUT):
                    archive.write(file.locate(), name)
        archive.writestr("netaddr/eui/__init__.py", _NO_EUI)


_NO_EUI = '''"""Left out: MAC addresses and their 10 MB of vendors. Nothing of rocecfg asks for them."""


class EUI:
    """A name that netaddr exports."""


class IAB(EUI):
    """A name that netaddr exports."""


class OUI(EUI):
    """A name that netaddr exports."""
'''


def _service_worker(out: Path) -> None:
    names = sorted(path.name for path in out.iterdir())
    digest = hashlib.sha256(b"".join((out / name).read_bytes() for name in names)).hexdigest()[:16]
    text = (HERE / "sw.js").read_text(encoding="utf-8")
    text = text.replace("@VERSION@", digest).replace("@FILES@", json.dumps(["./", *names]))
    (out / "sw.js").write_text(text, encoding="utf-8")


def sizes(out: Path) -> list[tuple[str, int, int]]:
    """Name, bytes, and bytes as gzip of each file and of all."""
    found = []
    for path in sorted(out.iterdir()):
        data = path.read_bytes()
        found.append((path.name, len(data), min(len(data), len(gzip.compress(data, 9)))))
    return [*found, ("together", sum(each[1] for each in found), sum(each[2] for each in found))]


if __name__ == "__main__":
    sys.exit(main())
