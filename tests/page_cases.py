"""Intents and configurations in Markdown, and what is found in them: pages of rules and incidents are their tests."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from plain import find_long, find_slips

from rocecfg.intent import load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.linting.suppressions import apply
from rocecfg.rules import ALL
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.source.yaml import Map, compose
from rocecfg.vendors.running import fabric_of, read_drafts

TODAY = "2026-06-30"
PAGES = Path(__file__).resolve().parent.parent / "rocecfg" / "rules" / "pages"

# What a block leaves out comes from here: the smallest policy.
TOP = {
    "rocecfg": "rocecfg: 1\n",
    "fabric": "fabric: {name: page}\n",
    "pfc": "pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}\n",
}
CLASSES = {
    "rdma": "{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, "
    "ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}",
    "cnp": "{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}",
    "control": "{carries: [control], dscp: 56, priority: 7, bandwidth: strict}",
    "default": "{carries: [default], dscp: rest, priority: 0, bandwidth: 40}",
}
INTENT = "yaml"
SWITCHES = {  # how a page marks a switch's configuration: whose it is, and the name of its file
    "json": ("sonic", "leaf01.json"),
    "nvue": ("spectrum", "leaf01.yaml"),
    "nv": ("spectrum", "leaf01.nv"),
    "eos": ("arista", "leaf01.cfg"),
    "junos": ("junos", "leaf01.conf"),
    "nxos": ("nxos", "leaf01.cfg"),
    "srlinux": ("srlinux", "leaf01.cli"),
}
EXPECTED = re.compile(r"#\s*(error|warning|info):\s*([a-z0-9-]+)")


class Block(NamedTuple):
    """An intent or a switch's configuration in a page."""

    section: str
    number: int
    kind: str  # yaml, or one of SWITCHES
    text: str


def blocks(page: str) -> list[Block]:
    """The blocks of a page that are linted, with the heading they stand under."""
    out = []
    section = ""
    lines = page.splitlines()
    i = 0
    while i < len(lines):
        if lines[i].startswith("## "):
            section = lines[i][3:].strip().lower()
        kind = lines[i].strip().removeprefix("```")
        if lines[i].startswith("```") and (kind == INTENT or kind in SWITCHES):
            j = lines.index("```", i + 1)
            out.append(Block(section, len(out), kind, "\n".join(lines[i + 1 : j]) + "\n"))
            i = j
        i += 1
    return out


@cache
def pages() -> dict[str, list[Block]]:
    """The blocks of each rule's page that has any, by the rule's name."""
    found = {rule.name: blocks((PAGES / f"{rule.name}.md").read_text(encoding="utf-8")) for rule in ALL}
    return {name: every for name, every in found.items() if every}


def laid_out(folder: Path, text: str) -> Path:
    """The files of an intent's block, in a folder of its own: it, and what it leaves out. The intent's path."""
    missing = base(text)
    # a block that shows reading trouble or includes of its own is taken as it stands
    alone = not missing or re.search(r"^include:", text, re.MULTILINE)
    here = folder / str(sum(1 for _ in folder.iterdir()))
    here.mkdir()
    (here / "fabric.yaml").write_text(text if alone else f"{text}include: [base.yaml]\n", encoding="utf-8")
    (here / "base.yaml").write_text(missing or "{}\n", encoding="utf-8")
    return here / "fabric.yaml"


def base(text: str) -> str:
    """What the block does not say itself."""
    try:
        node = compose(Document(0, "block", text))
    except SourceError:
        return ""
    if not isinstance(node, Map):
        return ""
    stated = {key.text: value for key, value in node.pairs}
    out = "".join(line for key, line in TOP.items() if key not in stated)
    classes = stated.get("classes")
    own = {key.text for key, _ in classes.pairs} if isinstance(classes, Map) else set()
    lines = [f"  {name}: {body}\n" for name, body in CLASSES.items() if name not in own]
    return out + ("classes:\n" + "".join(lines) if lines else "")


def findings(text: str, folder: Path) -> set[tuple[str, int, str, str]]:
    """(file, line, severity, rule) of everything found in a block, completed from the smallest policy."""
    sources = Sources()
    loaded = load(str(laid_out(folder, text)), sources)
    found, failed = judge(loaded)
    assert not failed, failed
    assert not (clumsy := find_clumsy(found)), clumsy
    found, _ = apply(found, sources.documents, TODAY)
    out = set()
    for f in found:
        if f.at is None:
            out.add((Path(f.path).name, f.line, f.severity, f.rule.name))
            continue
        document = sources.documents[f.at.doc]
        out.add((Path(document.path).name, document.place(f.at.start)[0], f.severity, f.rule.name))
    return {f for f in out if f[3] != "hygiene-absent"}


def found_on_switch(kind: str, text: str) -> set[str]:
    """The names of the rules that find something in a switch's configuration."""
    vendor, name = SWITCHES[kind]
    sources = Sources()
    document = sources.add(name, text)
    found, failed = judge(fabric_of(name, [(document, read_drafts(document, vendor))], [], sources))
    assert not failed, failed
    assert not (clumsy := find_clumsy(found)), clumsy
    return {f.rule.name for f in found}


def find_clumsy(found: Iterable[Finding]) -> list[str]:
    """Messages and helps that are not written as docs/contributing/style.md says, with what is wrong."""
    wrong = [(f, word) for f in found for word in (*find_slips(f.message), *find_slips(f.help), *find_long(f.message))]
    return [f"{f.rule.name}: {word}: {f.message} | {f.help}" for f, word in wrong]


def expected(text: str) -> set[tuple[str, int, str, str]]:
    """The findings that a block's comments name."""
    return {
        ("fabric.yaml", number, severity, name)
        for number, line in enumerate(text.splitlines(), 1)
        for severity, name in EXPECTED.findall(line)
    }
