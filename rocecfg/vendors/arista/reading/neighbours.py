"""The far ends of ports, as far as descriptions name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.model import Span
from rocecfg.model.switch import Neighbour
from rocecfg.vendors.descriptions import far_end

_LINE = re.compile(
    r"^(?:interface (?P<port>Ethernet[0-9/]+)[ \r]*|[ \t]+description (?P<words>.*)|(?P<other>[^ \t!\n].*))$",
    re.MULTILINE,
)


def neighbours(text: str, doc: int, start: int) -> Iterator[Neighbour]:
    """The far ends that the text of a switch names. `start`: where in its document the text begins."""
    port: str | None = None
    for line in _LINE.finditer(text):
        if line["words"] is None:
            port = line["port"]  # None: a line of something else
            continue
        far = far_end(line["words"].strip('" \r'))
        if port is not None and far is not None:
            yield Neighbour(port, *far, Span(doc, start + line.start("words"), start + line.end("words")))
