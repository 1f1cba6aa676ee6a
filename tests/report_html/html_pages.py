"""Pages read back as a browser reads them: elements with their attributes and their text."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from intents import TODAY, write

from rocecfg.linting.discover import discover
from rocecfg.linting.run import lint
from rocecfg.report.html.page import render
from rocecfg.source.document import Sources

_VOID = frozenset(("meta", "input", "br"))


class Element:
    """An element of a page."""

    def __init__(self, tag: str, attributes: dict[str, str | None], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.children: list[Element] = []
        self.texts: list[str] = []
        self.content: list[Element | str] = []  # texts and elements, in their order

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    @property
    def text(self) -> str:
        """All text in it, blanks folded."""
        return " ".join(" ".join((*self.texts, *(text for child in self.all() for text in child.texts))).split())

    @property
    def prose(self) -> str:
        """All text in it as it is read, in order."""
        return " ".join("".join(one if isinstance(one, str) else one.prose for one in self.content).split())

    def all(self, tag: str = "", cls: str = "") -> Iterator[Element]:
        """The elements below, by tag and class."""
        for child in self.children:
            if (not tag or child.tag == tag) and (not cls or cls in child.classes):
                yield child
            yield from child.all(tag, cls)

    def one(self, tag: str = "", cls: str = "", id_: str = "") -> Element:
        found = [e for e in self.all(tag, cls) if not id_ or e.attributes.get("id") == id_]
        assert len(found) == 1, (tag, cls, id_, len(found))
        return found[0]

    def rows(self) -> list[list[str]]:
        """The cells of the rows of a table."""
        return [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in self.all("tr")]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), (tag, names)
        element = Element(tag, dict(attrs), self.at)
        self.at.children.append(element)
        self.at.content.append(element)
        if tag not in _VOID:
            self.at = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.at.children.append(Element(tag, dict(attrs), self.at))

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}> at {self.getpos()}"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.texts.append(data)
        self.at.content.append(data)


def parsed(text: str) -> Element:
    """The page; fails where tags do not nest or are not closed."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is never closed"
    return reader.root


def page_of(*paths: str, waivers: bool = True) -> str:
    """The page on fabrics of the current folder."""
    sources = Sources()
    found = discover(paths, sources, running=True)
    assert found.unowned == []
    run = lint(found.fabrics, sources, today=TODAY, waivers=waivers)
    return render(found.fabrics, run, version="0")


def page(folder: Path, files: dict[str, str], *paths: str) -> Element:
    """The page on some files, read back."""
    write(folder, dict(files))
    return parsed(page_of(*(paths or ("fabric.yaml",))))
