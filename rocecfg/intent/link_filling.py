"""Links of texts of one shape: the words of all are cut out of a text at once, since a fabric has 100,000s of links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from struct import Struct

from rocecfg.intent.fields import LINK
from rocecfg.intent.fills import UnfitFill, is_digital
from rocecfg.intent.secrets import could_hold
from rocecfg.intent.shapes import DEVICES, PORTS
from rocecfg.intent.types import LENGTH
from rocecfg.intent.values import Context
from rocecfg.model import Link
from rocecfg.source.yaml import Map, Node, Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rocecfg.intent.fills import Bind, Fill, Places

_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are millions
# whether its ends are unquoted; where its five words begin and end; where the ends and the cable's length stand
Row = tuple[bool, bool, tuple[int, ...], tuple[int, ...]]


def find_link_parts(node: Node) -> tuple[Scalar, Scalar, Node | None, Scalar | None] | None:
    """The ends of a link, its cable and its description; None of one with anything else in it."""
    parts = {key.text: child for key, child in node.pairs} if type(node) is Map else {}
    a, b, cable, prose = (parts.pop(name, None) for name in ("a", "b", "cable", "description"))
    if type(node) is not Map or parts or type(a) is not Scalar or type(b) is not Scalar:
        return None
    if len(node.pairs) != 2 + (cable is not None) + (prose is not None):
        return None
    if prose is not None and (type(prose) is not Scalar or not prose.plain or could_hold(prose.text)):
        return None
    if any(is_digital(key.text) for key, _ in node.pairs):
        return None
    return a, b, cable, prose


def plan_links(rows: list[Row]) -> Bind:
    """How to read links whose parts stand so."""
    spans = itemgetter(*(mark for row in rows for mark in row[2]))
    frames = [(itemgetter(*around), a_plain, b_plain) for a_plain, b_plain, _, around in rows]

    def bind(places: Places) -> Fill:
        edges = spans(places)
        bound = [(*around(places), a_plain, b_plain) for around, a_plain, b_plain in frames]
        cuts: list[Callable[[bytes], Iterable[bytes]]] = []  # one, made of the first text

        def fill(text: str, ctx: Context) -> Any:
            if not cuts:
                cuts.append(_plan_cut(text, edges))
            doc = ctx.doc
            out = []
            devices, ports, lengths = _DEVICES, _PORTS, _LENGTHS
            words = iter(cuts[0](_encode(text)))
            for a, a_port, b, b_port, length, (a0, a1, b0, b1, c0, c1, a_plain, b_plain) in zip(
                words, words, words, words, words, bound, strict=False
            ):
                try:
                    parts = devices[a], ports[a_port], devices[b], ports[b_port], lengths[length]
                except KeyError:  # a name for the first time
                    a_end = _read_end(a, a_port, a0, a1, ctx, plain=a_plain)
                    b_end = _read_end(b, b_port, b0, b1, ctx, plain=b_plain)
                    parts = *a_end, *b_end, _read_length(length, c0, c1, ctx)
                out.append(_new(Link, (*parts, doc, a0, a1, b0, b1, c0, c1)))
            return out

        return fill

    return bind


# names and lengths that passed, as they are written; no length: no cable
_DEVICES: dict[bytes, str] = {}
_PORTS: dict[bytes, str] = {}
_LENGTHS: dict[bytes, float | None] = {b"": None}


def _plan_cut(text: str, edges: Sequence[int]) -> Callable[[bytes], Iterable[bytes]]:
    """What takes the words between pairs of edges out of texts, in UTF-8, of the shape of this one.

    Digits have one byte each, so that all else stands at the same bytes: one call of `struct` cuts a whole text.
    """
    at = edges if text.isascii() else [len(_encode(text[:edge])) for edge in edges]
    spans = list(zip(at[::2], at[1::2], strict=True))
    order = sorted(range(len(spans)), key=spans.__getitem__)
    layout = ["<"]
    done = 0
    for start, end in map(spans.__getitem__, order):
        layout.append(f"{start - done}x{end - start}s")
        done = end
    unpack = Struct("".join(layout)).unpack_from
    if order == list(range(len(spans))):
        return unpack
    as_written = itemgetter(*sorted(order, key=order.__getitem__))
    return lambda data: as_written(unpack(data))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(word: bytes) -> str:
    return word.decode("utf-8", "surrogatepass")


def _read_end(device: bytes, port: bytes, start: int, end: int, ctx: Context, *, plain: bool) -> tuple[str, str]:
    d, p = _decode(device), _decode(port)
    if d not in DEVICES.good or p not in PORTS.good:
        LINK.end.read(Scalar(start, end, f"{d}:{p}", plain), ctx)
        if ctx.problems:
            raise UnfitFill
    _DEVICES[device], _PORTS[port] = ends = DEVICES.good[d], PORTS.good[p]
    return ends


def _read_length(word: bytes, start: int, end: int, ctx: Context) -> float | None:
    if word not in _LENGTHS:
        length = LENGTH.read(Scalar(start, end, _decode(word), plain=True), ctx)
        if ctx.problems:
            raise UnfitFill
        _LENGTHS[word] = length
    return _LENGTHS[word]
