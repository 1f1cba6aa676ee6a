"""What mkdocs does beside its own: the address of the site, a page for each rule, links that lead out of docs/.

The pages of rules stay where they are run as tests, in rocecfg/rules/pages; the site takes them as rules/NAME.md.
"""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # this checkout, whatever is installed

from mkdocs.structure.files import File  # noqa: E402

from rocecfg.core.site import SITE, is_published  # noqa: E402
from rocecfg.report.pages import read_page as page_of  # noqa: E402
from rocecfg.rules import ALL, Rule  # noqa: E402

_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")
_ROW = re.compile(r"^\|.*$", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]+`")
_SHORT = re.compile(r"(?<!<pre>)<code>([^<]{1,30})</code>")  # fits a line of a telephone
_NAMES = {rule.name for rule in ALL}
_PAGES = "../rocecfg/rules/pages/"


def on_config(config: Any) -> Any:
    """The address is that which findings name; until the site has one, its pages lead to none."""
    config["site_url"] = f"{SITE}/" if is_published() else ""
    if is_published():
        config["nav"].append({"Playground": f"{SITE}/playground/"})  # built beside it: docs/playground/build.py
    return config


def on_files(files: Any, config: Any) -> Any:
    """A page for each rule."""
    for rule in ALL:
        files.append(File.generated(config, f"rules/{rule.name}.md", content=_rule_page(rule)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to files that are no pages become their names; names of rules lead to the pages of the rules.

    A bar of code in a table has a backslash for GitHub, which Python's Markdown would print.
    """
    rows = _ROW.sub(lambda row: _CODE.sub(lambda code: code[0].replace(r"\|", "|"), row[0]), markdown)
    return _LINK.sub(lambda link: _led(link, page.file.src_uri), rows)


def on_page_content(html: str, **_: Any) -> str:
    """Short code stays in one line, which else ends behind the first dash of an option."""
    return _SHORT.sub(r'<code class="short">\1</code>', html)


def _led(link: re.Match[str], here: str) -> str:
    words, target = link.groups()
    if "://" in target or target.startswith(("#", "mailto:")):
        return link[0]
    path = posixpath.normpath(posixpath.join(posixpath.dirname(here), target.partition("#")[0]))
    if path.startswith("..") and not path.startswith(_PAGES):  # of the repository, and not on the site
        return words
    if path in ("rules.md", f"{_PAGES}{words}.md") and words in _NAMES:
        return f"[{words}]({posixpath.relpath(f'rules/{words}.md', posixpath.dirname(here) or '.')})"
    return link[0]


def _rule_page(rule: Rule) -> str:
    title, _, rest = page_of(rule).partition("\n")
    kinds = "".join(f", on {kind} fabrics {severity}" for kind, severity in sorted(rule.by_kind.items()))
    facts = f"Severity: {rule.severity}{kinds}. [All rules](../rules.md)"
    return f"{title}\n\n{facts}\n{rest}"
