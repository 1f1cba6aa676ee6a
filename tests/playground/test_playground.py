"""The playground: rocecfg in Pyodide, under node and in a browser, as it is served.

Needs node, npm's `pyodide` (`npm ci --prefix docs/playground`, or ROCECFG_PYODIDE), and for the page Chromium and the
extra `browser`. It is built here, unless ROCECFG_BUILT_PLAYGROUND names one that is. Nothing is fetched: what is
missing is said by the reason of a skip, and by .ci/run.
"""

from __future__ import annotations

import gzip
import http.server
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from checkout import HANG, ROOT, clean_environment, run, wait_until

from rocecfg.vendors import TABLE

PYODIDE = Path(os.environ.get("ROCECFG_PYODIDE") or ROOT / "docs" / "playground" / "node_modules" / "pyodide")
CHROMIUM = os.environ.get("ROCECFG_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SLOW = 1000 * HANG  # ms until a page hangs: no measure of speed

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (PYODIDE / "pyodide.mjs").is_file(),
    reason="needs node, and npm's pyodide: npm ci --prefix docs/playground, or ROCECFG_PYODIDE=DIR",
)
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or importlib.util.find_spec("playwright") is None,
    reason="needs Chromium, and the extra browser: pip install '.[browser]'",
)
BROKEN = (ROOT / "examples" / "train-256-as-published" / "fabric.yaml").read_text(encoding="utf-8")
POLICY = (ROOT / "examples" / "policy" / "fabric.yaml").read_text(encoding="utf-8")
EOS = "! device: l1 (DCS-7060X6-64PE, EOS-4.33.2F)\nhostname l1\ninterface Ethernet1/1\n   pfc enable\nend\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if named := os.environ.get("ROCECFG_BUILT_PLAYGROUND"):
        return Path(named)
    folder = tmp_path_factory.mktemp("playground") / "site"
    build = (ROOT / "docs" / "playground" / "build.py", folder, "--pyodide", PYODIDE, "--quick")
    run(sys.executable, *build, cwd=ROOT, env=clean_environment(PYTHONPATH=str(ROOT)))
    return folder


# -- node --------------------------------------------------------------------------------------------------------------

_SCRIPT = """\
import fs from "node:fs";
const folder = process.argv[2], calls = JSON.parse(process.argv[3]);
const { loadPyodide } = await import(`file://${folder}/pyodide.mjs`);
const { start } = await import(`file://${folder}/start.mjs`);
const python = await loadPyodide({ indexURL: `${folder}/` });
const driver = start(python, fs.readFileSync(`${folder}/app.bin`));
const answers = calls.map(([what, ...args]) => JSON.parse(driver[what](...args)));
console.log(JSON.stringify([...answers, python.runPython(fs.readFileSync(process.argv[4], "utf8"))]));
"""
_ALL = """\
import importlib, os
lacking = []
for top in ("rocecfg", "click", "jinja2", "markupsafe", "netaddr", "yaml"):
    for place, _, names in os.walk(f"/app/{top}"):
        for name in sorted(names):
            if name.endswith(".pyc") and name != "__main__.pyc":
                module = os.path.relpath(os.path.join(place, name), "/app").removesuffix(".pyc").replace("/", ".")
                try:
                    importlib.import_module(module.removesuffix(".__init__"))
                except Exception:
                    lacking.append(module)
" ".join(sorted(lacking))
"""


def _under_node(folder: Path, script: Path, *calls: tuple[str, ...]) -> list[Any]:
    """What the calls answer, and last the modules that cannot be imported. What is compressed is not, for node."""
    served = script.with_suffix("")
    shutil.copytree(folder, served)
    for name, packed in (("pyodide.asm.wasm", "wasm.bin"), ("python_stdlib.zip", "stdlib.bin")):
        (served / name).write_bytes(gzip.decompress((folder / packed).read_bytes()))
    script.write_text(_SCRIPT, encoding="utf-8")
    (served / "all.py").write_text(_ALL, encoding="utf-8")
    done = subprocess.run(
        ["node", str(script), str(served), json.dumps(calls), str(served / "all.py")],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
        env=clean_environment(),
    )
    assert done.returncode == 0, done.stderr[-2000:]
    answers: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return answers


def _junos(folder: Path) -> str:
    """A starter: most examples state thresholds in bytes, which Junos does not take."""
    (folder / "starter").mkdir()
    init = ("-m", "rocecfg", "init", "--vendor", "junos", ".")
    run(sys.executable, *init, cwd=folder / "starter", env=clean_environment(PYTHONPATH=str(ROOT)))
    return (folder / "starter" / "fabric.yaml").read_text(encoding="utf-8")


def test_it_finds_renders_and_reports_what_the_command_does(built: Path, tmp_path: Path) -> None:
    networks = POLICY.replace("carries: [rdma],", "carries: [rdma], networks: ['2001:db8::/32', 10.0.0.0/8],")
    assert networks != POLICY
    found, again, page, eos, files, junos, refused, html, broken, named, lacking = _under_node(
        built,
        tmp_path / "calls.mjs",
        ("lint", BROKEN),
        ("lint", BROKEN),
        ("explain", "watchdog-missing"),
        ("lint", EOS),
        ("render", (ROOT / "examples" / "auto" / "fabric.yaml").read_text(encoding="utf-8"), "all"),
        ("render", _junos(tmp_path), "all"),
        ("render", BROKEN, "all"),
        ("report", BROKEN),
        ("lint", "rocecfg: 1\nfabric: {name: x"),
        ("lint", networks),
    )
    (tmp_path / "fabric.yaml").write_text(BROKEN, encoding="utf-8")
    lint = ("-m", "rocecfg", "lint", "--format", "json", "fabric.yaml")
    native = run(sys.executable, *lint, cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT)), expect=1)
    assert found == again == json.loads(native.stdout)
    assert page == (ROOT / "rocecfg" / "rules" / "pages" / "watchdog-missing.md").read_text(encoding="utf-8")
    assert [f["name"] for f in eos["findings"] if f["line"] == 4] == ["device-unknown"]
    assert any(name.endswith(".json") and "BUFFER_POOL" in text for name, text in files["files"].items())
    assert any("forwarding-classes" in text for text in junos["files"].values())
    assert "nothing rendered" in refused["error"]
    assert html["html"].lower().startswith("<!doctype html>")
    assert "watchdog-missing" in html["html"]
    assert [f["name"] for f in broken["findings"]] == ["schema-syntax"]
    assert named["summary"]["errors"] == 0
    # of other systems and of C, command lines and data of netaddr, the process that a user's templates are filled in
    netaddr = ["netaddr.cli", "netaddr.ip.iana"]
    other = ["click._termui_impl", "click._winconsole", *netaddr, "rocecfg.vendors.bounded", "yaml.cyaml"]
    assert lacking.split() == other


def test_it_is_as_small_as_was_measured(built: Path) -> None:
    """Of what is served: the tool and its packages, and all of it; as gzip. A leap here is a mistake in build.py."""
    spec = importlib.util.spec_from_file_location("build", ROOT / "docs" / "playground" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    small = {name: size for name, _, size in module.sizes(built)}
    assert small["app.bin"] < 3_600_000
    assert small["together"] < 8_600_000


# -- browser -----------------------------------------------------------------------------------------------------------


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def _idle(page: Any) -> None:
    page.wait_for_selector("body[data-state=idle]", timeout=SLOW)


def _until(page: Any, true: str) -> None:
    """Wait until an expression is true: the page's own policy forbids to wait for it in the page."""
    wait_until(lambda: page.evaluate(true), lambda: true)


def _type(page: Any, text: str) -> None:
    page.evaluate("document.body.dataset.state = 'busy'")
    page.fill("#text", text)
    _idle(page)


@needs_browser
def test_the_page_judges_what_is_pasted(address: str, browser: Any, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(address)
    _idle(page)
    assert re.match(r"5 errors, 3 warnings, 3 infos: 4 devices, 72 ports", page.inner_text("#status"))
    assert page.locator("#gutter div[data-severity=error]").first.inner_text() == "17"
    first = page.locator("#findings details").first
    assert "watchdog-missing" in first.inner_text()
    first.locator("summary").click()
    _until(page, "document.querySelector('#findings pre')?.textContent.includes('## Why')")
    selected = page.evaluate(
        "text => text.value.slice(text.selectionStart, text.selectionEnd)", page.query_selector("#text")
    )
    assert selected.strip().startswith("lossless: true")

    _type(page, EOS)
    assert "priority-flow-control on" in page.inner_text("#findings")
    _type(page, POLICY)
    assert page.inner_text("#status").startswith("Clean: ")
    page.select_option("#example", "auto")
    _until(page, "document.querySelector('#text').value.includes('headroom')")
    page.click("#tab-render")
    page.wait_for_selector("#render details", timeout=SLOW)
    assert "leaf01.json" in page.inner_text("#render")
    assert page.locator("#vendor option").all_inner_texts() == ["each its own", *(row.title for row in TABLE)]
    page.select_option("#example", "policy")
    page.select_option("#vendor", "junos")
    _until(page, "document.querySelector('#render').textContent.includes('in percent of the queue')")
    page.select_option("#example", "auto")
    _idle(page)
    page.click("#tab-report")
    page.wait_for_selector("#report iframe", timeout=SLOW)
    assert page.frame_locator("#report iframe").locator("h1").first.inner_text()
    with page.expect_download() as download:
        page.click("#report button")
    download.value.save_as(tmp_path / "report.html")
    assert "<!doctype html>" in (tmp_path / "report.html").read_text(encoding="utf-8").lower()

    page.click("#share")
    _until(page, "location.hash.startsWith('#z=')")
    link = page.url
    other = context.new_page()
    other.goto(link)
    _idle(other)
    assert other.input_value("#text") == page.input_value("#text")

    assert [url for url in asked if not url.startswith((address, "blob:", "data:", "about:"))] == []
    assert [words for words in wrong if "about:srcdoc" not in words] == []  # the report is shown without its script
    context.close()


@needs_browser
def test_after_the_first_visit_it_needs_no_network(address: str, browser: Any) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-offline=ready]", timeout=SLOW)
    context.set_offline(offline=True)
    page.reload()
    _idle(page)
    assert page.inner_text("#status").startswith("5 errors")
    context.close()


@needs_browser
def test_nothing_is_wider_than_the_screen(address: str, browser: Any, tmp_path: Path) -> None:
    """In both schemes; the pictures are for people to look at (ROCECFG_SCREENSHOTS=DIR keeps them)."""
    shots = Path(os.environ.get("ROCECFG_SCREENSHOTS") or tmp_path)
    page = browser.new_page()
    page.goto(address)
    _idle(page)
    for tab in ("findings", "render", "report"):
        page.click(f"#tab-{tab}")
        _until(page, f"!document.querySelector('#{tab}').textContent.includes('Working')")
        for width in (1400, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)
                page.screenshot(path=shots / f"playground-{tab}-{width}-{scheme}.png")
    page.close()
