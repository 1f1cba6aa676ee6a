"""A real browser shows the page without complaint, and its filter runs."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from checkout import HANG, ROOT
from html_pages import page_of, parsed
from intents import FABRIC, rocecfg, write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr", "--log-level=0"),
)
BAR = ("share", "track")  # a queue's, and what would be all of the port


@pytest.fixture
def browser() -> str:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    return CHROMIUM


def loaded(browser: str, file: Path, *flags: str) -> tuple[str, list[str]]:
    """The page once its script has run, and what it printed to the console."""
    command = [browser, *FLAGS, *flags, f"--user-data-dir={file.parent / 'profile'}", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=True, stdin=subprocess.DEVNULL)
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


@pytest.mark.parametrize("name", ["converged", "wrong"])
def test_a_browser_shows_it_without_complaint(
    name: str, browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples" if name == "converged" else tmp_path)
    if name == "wrong":
        write(tmp_path, {"wrong/fabric.yaml": FABRIC.replace("bandwidth: 60", "bandwidth: 50")})
    file = tmp_path / "page.html"
    file.write_text(page_of(name), encoding="utf-8")
    dom, console = loaded(browser, file)
    assert console == []
    whole = parsed(dom)
    if name == "wrong":  # nothing is found in the other, and there is nothing to filter
        form = whole.one("form", id_="filter")
        assert "hidden" not in form.attributes  # the script ran, under the page's own policy
        findings = sum(1 for _ in whole.all("li", "finding"))
        assert form.one("output").text == f"{findings} of {findings} shown"
    assert list(whole.all("svg", "fabric"))


@pytest.mark.parametrize("wide", [1400, 390])
def test_the_schedulers_bars_are_drawn_as_wide_as_the_shares(
    wide: int, browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    measure = f"document.documentElement.style.width = '{wide}px';"  # a window cannot be as narrow as a telephone
    measure += (
        "for (const e of document.querySelectorAll('.share, .track')) e.dataset.px = e.getBoundingClientRect().width"
    )
    file = tmp_path / "page.html"
    file.write_text(page_of("converged").replace("</body>", f"<script>{measure}</script></body>"), encoding="utf-8")
    dom, _ = loaded(browser, file, "--window-size=1400,3000")
    rows = [row for shares in parsed(dom).all("div", "shares") for row in shares.all("li")]
    pixels = {
        row.one("span", "label").text: [float(row.one("span", c).attributes["data-px"] or 0) for c in BAR]
        for row in rows
    }
    assert len(pixels) >= 5  # queues with 5 to 50 %
    for label, (bar, track) in pixels.items():
        assert 200 < track < wide
        assert bar == pytest.approx(track * float(label.rpartition(", ")[2].removesuffix("%")) / 100, abs=0.1)


PHONE = 390  # px, of a screen that many telephones have
MEASURE = """
const wide = document.documentElement.clientWidth, out = [];
for (const e of document.querySelectorAll('body *')) {
  const box = e.getBoundingClientRect();
  if (box.width && box.right > wide + 1 && !e.closest('svg')) out.push(`${e.tagName} ${e.className} to ${box.right}`);
}
const small = [];
for (const e of document.querySelectorAll('svg text')) {
  const svg = e.closest('svg'), box = svg.getBoundingClientRect();
  const px = parseFloat(getComputedStyle(e).fontSize) * box.width / svg.viewBox.baseVal.width;
  if (box.width && px < 10) small.push(e.textContent + ' at ' + px);
  const own = e.getBoundingClientRect();
  if (box.width && (own.left < box.left - 1 || own.right > box.right + 1)) out.push('text ' + e.textContent);
}
const shown = selector => [...document.querySelectorAll(selector)].filter(e => e.clientWidth);
const blocks = shown('p, li, td:not(.dscp td), th, dd').filter(e => e.textContent.trim().length > 12);
const thin = blocks.filter(e => e.clientWidth < 60).map(e => e.textContent);
parent.postMessage({wide, out, small, thin, svgs: shown('svg').length}, '*');
"""
FRAME = """<!DOCTYPE html><body style="margin:0"><script>
onmessage = e => { const pre = document.createElement('pre'); pre.id = 'seen'; pre.textContent = JSON.stringify(e.data);
  document.body.append(pre); };
</script><iframe src="page.html" style="border:0;width:%dpx;height:2000px"></iframe>"""


def measured(browser: str, folder: Path, text: str, wide: int) -> dict[str, Any]:
    """What a page is like in a frame of that width: a window cannot be as narrow as a telephone."""
    opened = text.replace("<details>", "<details open>")
    script = f"<script>{MEASURE}</script></body>"
    (folder / "page.html").write_text(opened.replace("</body>", script), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(FRAME % wide, encoding="utf-8")
    dom, console = loaded(browser, frame, "--window-size=1400,2400", "--hide-scrollbars")
    assert console == []
    seen: dict[str, Any] = json.loads(parsed(dom).one("pre", id_="seen").text)
    assert seen["wide"] == wide
    return seen


@pytest.mark.parametrize("name", ["converged", "rail-1024", "train-256-as-published", "running"])
def test_a_phone_shows_all_of_it_without_scrolling_sideways(
    name: str, browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples" if name != "running" else tmp_path)
    if name == "running":
        write(tmp_path, {"in/fabric.yaml": FABRIC})
        rocecfg(tmp_path, "render", "in", "--vendor", "sonic", "-o", "running", "--no-lint", expect=0)
    seen = measured(browser, tmp_path, page_of(name), PHONE)
    assert seen["out"] == []
    assert seen["thin"] == []  # no column of single letters
    assert seen["small"] == []  # text of drawings, px
    assert seen["svgs"] >= 2


def test_a_wide_screen_shows_the_wide_drawings(browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    text = page_of("converged")
    seen = measured(browser, tmp_path, text, 1300)
    assert (seen["out"], seen["small"]) == ([], [])
    assert seen["svgs"] == sum("roomy" in e.classes for e in parsed(text).all("figure"))


def test_what_is_folded_is_open_on_paper_and_closed_again(
    browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    script = """<script>const open = () => document.querySelectorAll('details[open]').length, seen = [open()];
    for (const name of ['beforeprint', 'afterprint']) { window.dispatchEvent(new Event(name)); seen.push(open()); }
    document.body.dataset.seen = seen.join(' ');</script></body>"""
    text = page_of("converged")
    file = tmp_path / "page.html"
    file.write_text(text.replace("</body>", script), encoding="utf-8")
    dom, _ = loaded(browser, file)
    first, printed, again = map(int, (parsed(dom).one("body").attributes["data-seen"] or "").split())
    assert first < printed == sum(1 for _ in parsed(text).all("details"))
    assert again == first


def test_a_keyboard_reaches_what_scrolls_and_folds(
    browser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    script = """<script>const stuck = [];
    for (const e of document.querySelectorAll('body *')) {
      const flow = getComputedStyle(e).overflowX;
      if ((flow === 'auto' || flow === 'scroll') && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0) {
        stuck.push(e.tagName + ' ' + e.className);
      }
    }
    document.body.dataset.seen = stuck.join(', ');</script></body>"""
    file = tmp_path / "page.html"
    file.write_text(page_of("converged").replace("</body>", script), encoding="utf-8")
    dom, _ = loaded(browser, file, "--window-size=700,900")  # wider than a phone: tables and drawings scroll
    assert parsed(dom).one("body").attributes["data-seen"] == ""
