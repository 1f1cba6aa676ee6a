"""The site, built as it is published: strict, whole, and without anything from elsewhere."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from checkout import ROOT, clean_environment, run

from rocecfg.core.site import SITE, rule_url
from rocecfg.rules import ALL

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("material") is None,
    reason="mkdocs-material is not installed (pip install '.[docs]'): the site is not built here",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = os.environ.get("ROCECFG_BUILT_SITE")
    if built:  # as .ci/run has just done
        return Path(built)
    folder = tmp_path_factory.mktemp("site")
    build = ("-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder)
    run(sys.executable, *build, cwd=ROOT, env=clean_environment(NO_MKDOCS_2_WARNING="1"))
    return folder


class _Page(HTMLParser):
    """What a page fetches, and the anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors.add(given.get("id", ""))
        if tag in ("script", "img", "iframe", "source"):
            self.fetched.append(given.get("src", ""))
        elif tag == "link" and given.get("rel") not in ("canonical", "prev", "next"):
            self.fetched.append(given.get("href", ""))


def test_every_finding_leads_to_a_page_of_the_site(site: Path) -> None:
    for rule in ALL:
        page = site / urlsplit(rule_url(rule.name)).path.strip("/") / "index.html"
        assert page.is_file(), rule.name
        assert rule.code in page.read_text(encoding="utf-8")
    anchors = _Page(site / "rules" / "watchdog-missing" / "index.html").anchors
    assert anchors >= {"why", "fires", "silent", "near-miss", "fix", "source"}
    table = (site / "rules" / "index.html").read_text(encoding="utf-8")
    assert set(re.findall(r'href="([a-z0-9-]+)/"', table)) >= {rule.name for rule in ALL}


def test_schemas_are_served_where_their_ids_say(site: Path) -> None:
    schemas = list((ROOT / "docs").rglob("*.schema.json"))
    assert len(schemas) > 10
    for schema in schemas:
        text = schema.read_text(encoding="utf-8")
        served = json.loads(text)["$id"].removeprefix(f"{SITE}/")
        assert (site / served).read_text(encoding="utf-8") == text


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    for path in (site / "index.html", site / "explanation" / "ecn" / "index.html", site / "rules" / "index.html"):
        fetched = _Page(path).fetched
        assert len(fetched) > 3
        assert [address for address in fetched if urlsplit(address).netloc] == []


def test_a_site_without_an_address_leads_to_none(site: Path) -> None:
    """The schemas have it in their names alone, and the file for the catalogue of schemas is for who has one."""
    named = [path for path in site.rglob("*") if path.suffix in (".html", ".xml", ".gz")]
    assert len(named) > len(ALL)
    leading = [path for path in named if b".invalid" in path.read_bytes()]
    assert SITE.endswith(".invalid") is not bool(leading), leading[:3]


def test_no_code_has_a_backslash_that_only_github_wants(site: Path) -> None:
    pages = [path for path in site.rglob("*.html") if "rules" not in path.relative_to(site).parts]
    assert len(pages) > 30
    code = {path: re.findall(r"<code[^>]*>([^<]*)</code>", path.read_text(encoding="utf-8")) for path in pages}
    assert [(path.parent.name, each) for path, found in code.items() for each in found if r"\|" in each] == []
    missing = (site / "rules" / "watchdog-missing" / "index.html").read_text(encoding="utf-8")
    assert '<code class="short">--ignore</code>' in missing, "no line ends within an option"
    assert any("text|json" in found for found in code[site / "cli" / "index.html"])


def test_no_script_or_source_is_published(site: Path) -> None:
    assert [path for path in site.rglob("*") if path.suffix in (".py", ".md")] == []
