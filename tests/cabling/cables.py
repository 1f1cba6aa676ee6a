"""Foreign files of cables, and what is read of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.cabling import Cabling, put_together, statements_of
from rocecfg.source.document import Document, Sources

_EOS = """\
Port          Neighbor Device ID       Neighbor Port ID       TTL
---------- ------------------------ ---------------------- ---
"""


def eos(*rows: tuple[str, str, str]) -> str:
    """What `show lldp neighbors` of EOS prints: port, neighbour and its port a row."""
    return _EOS + "".join(f"{port:13} {device:24} {far:22} 120\n" for port, device, far in rows)


def cabling_of(documents: Iterable[Document], *, management: bool = False) -> Cabling:
    """What texts say of cables, put together; `management`: with the cables of the management network."""
    return put_together([(document, statements_of(document)) for document in documents], management=management)


def cabling(files: Mapping[str, str], *, management: bool = False) -> Cabling:
    """What files say, by their names."""
    sources = Sources()
    return cabling_of([sources.add(name, text) for name, text in files.items()], management=management)


def links(found: Cabling) -> dict[str, float | None]:
    """Cables by their ends, in the order of their names, with the length in metres."""
    return {" ".join(sorted(map(str, (cable.a, cable.b)))): cable.metres for cable in found.cables}


def read(text: str, name: str = "leaf1.txt", *, management: bool = False) -> dict[str, float | None]:
    """The cables of one file."""
    return links(cabling({name: text}, management=management))


def notes(found: Cabling) -> list[tuple[str, str]]:
    """Kind and reason of each note, in their order."""
    return [(note.kind, note.why) for note in found.notes]
