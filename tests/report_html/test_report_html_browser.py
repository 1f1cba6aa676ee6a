"""A real browser shows the page without complaint, and its filter runs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import page_of, parsed
from intents import FABRIC, write

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--enable-logging=stderr", "--log-level=0"),
)


@pytest.fixture
def browser() -> str:
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    return CHROMIUM


def loaded(browser: str, file: Path, *flags: str) -> tuple[str, list[str]]:
    """The page once its script has run, and what it printed to the console."""
    command = [browser, *FLAGS, *flags, f"--user-data-dir={file.parent / 'profile'}", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, stdin=subprocess.DEVNULL)
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
    form = whole.one("form", id_="filter")
    assert "hidden" not in form.attributes  # the script ran, under the page's own policy
    findings = sum(1 for _ in whole.all("li", "finding"))
    assert form.one("output").text == f"{findings} of {findings} shown"
    assert list(whole.all("svg", "fabric"))
