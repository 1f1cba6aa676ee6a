"""A real browser shows the page without complaint, and its filter runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from checkout import HANG, ROOT
from html_pages import page_of, parsed
from intents import FABRIC, write

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
