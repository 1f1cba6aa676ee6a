"""Types that only one key of the format has: shares, transports, path MTUs, prefixes, releases, ends of links."""

from __future__ import annotations

import re

from rocecfg.core import units
from rocecfg.core.digits import is_number
from rocecfg.core.nodeset import fold, names_of
from rocecfg.intent.secrets import find_secret
from rocecfg.intent.shapes import DEVICES, PORTS, ByShape, Key, Keyed, Obj
from rocecfg.intent.types import (
    LENGTH,
    PATH,
    PERCENT,
    PROSE,
    SIZE,
    VERSION,
    WORD,
    Int,
    Number,
    Quantity,
    Text,
    Type,
    Words,
)
from rocecfg.intent.values import Context
from rocecfg.model import Link, Span
from rocecfg.model.stated import MISSING, Problem, Val
from rocecfg.profiles.releases import SYSTEMS
from rocecfg.source.yaml import Map, Node, Scalar, Seq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _parse_share(text: str) -> float:
    """A rate in bit/s, or a share as Percent."""
    return units.Percent(units.parse_percent(text)) if text.endswith("%") else units.parse_rate(text)


class _Share(Quantity):
    """A rate, or a share of at most 100 %."""

    def read(self, node: Node, ctx: Context) -> Any:
        value = super().read(node, ctx)
        if type(node) is Scalar and isinstance(value, units.Percent) and float(value) > _WHOLE:
            return ctx.report("schema-range", node, f"{node.text} is out of range: {self.wants}")
        return value


_WHOLE = 100  # percent
SHARE = _Share(
    "a rate such as 10G, or a percentage", _parse_share, "^[0-9]+(\\.[0-9]+)? ?(%|[KMGT](bit/s|bps)?|bit/s)$"
)


def _parse_threshold(text: str) -> float:
    """A size in bytes, or a share of the queue's buffer as Percent."""
    return units.Percent(units.parse_percent(text)) if text.endswith("%") else units.parse_size(text)


class _Threshold(_Share):
    """A size, or a share of at most 100 %. What is neither is told as no size: nearly all thresholds are sizes."""

    def read(self, node: Node, ctx: Context) -> Any:
        return super().read(node, ctx) if type(node) is Scalar and node.text.endswith("%") else SIZE.read(node, ctx)


THRESHOLD = _Threshold(
    "a size such as 800KB, or a percentage of the queue's buffer where the system counts so",
    _parse_threshold,
    "^([0-9]+(\\.[0-9]+)?) ?(%|B|[KMG]B|[KMG]iB)$",
    0,
    SIZE.high,
)


class _Part(Type):
    """A share in percent, with `%` or without: 60 and 60% are the same.

    Above 0, a bare number must be larger than `above`: where all shares are whole parts of 1, 0.5 may mean half of it.
    """

    def __init__(self, high: float, *, above: float) -> None:
        self.wants = "a share in percent, such as 60 or 60%"
        self._bare = Number(0, high)
        pattern = PERCENT.pattern if high > _WHOLE else "^(100|[0-9]{1,2}([.][0-9]+)?) ?%$"
        self._marked = Quantity(self.wants, units.parse_percent, pattern, 0, high)
        self._above = above

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Scalar and node.text.endswith("%"):
            return self._marked.read(node, ctx)
        if type(node) is Scalar and re.fullmatch(r"[0-9.]+[KMGT]\S*", node.text):
            return self.report_wrong(node, ctx, "a rate is what max_rate and guaranteed take")
        value = self._bare.read(node, ctx)
        if type(node) is Scalar and isinstance(value, int | float) and 0 < value <= self._above:
            return self._marked.read(node, ctx)  # which says what either could mean
        return value

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self._bare.schema(), self._marked.schema()]}


WEIGHT = _Part(_WHOLE, above=0)  # of a class, by which half a percent is a share
PART = _Part(PERCENT.high, above=1)


_MOST_RATIO = 10_000
_EVEN = frozenset({"none", "no", "nonblocking", "non-blocking", "line-rate"})  # what people call 1:1


def _parse_ratio(text: str) -> float:
    """`2:1` as 2.0, `1:1.125` as 0.889: what comes from below by what goes up."""
    down, colon, up = (part.strip() for part in text.partition(":"))
    if not colon and down.isdigit():
        raise units.WrongUnit(f"{text!r} is not a ratio such as 2:1", f'"{down}:1"')
    if down.casefold() in _EVEN:
        raise units.WrongUnit(f"{text!r} is not a ratio such as 2:1", '"1:1"')
    try:
        top, bottom = float(down), float(up)
    except ValueError:
        colon = ""
        top = bottom = 1
    if not colon or not 0 < bottom < _MOST_RATIO or not 0 <= top < _MOST_RATIO:
        raise ValueError(f"{text!r} is not a ratio such as 2:1")
    return top / bottom


RATIO = Quantity(
    "a ratio such as 2:1", _parse_ratio, "^ *[0-9]+([.][0-9]+)? *: *[0-9]+([.][0-9]+)? *$", 1 / _MOST_RATIO, _MOST_RATIO
)


_UEC = "its endpoints reorder, retransmit and control congestion by themselves, on fabrics that may drop, so PFC, its "
_UEC += "headroom and DCQCN's thresholds are not what it needs"
_NOT_ROCE = {  # other transports, as they are written, and why the rules here do not govern them
    **dict.fromkeys(("infiniband", "ib", "efa", "srd"), "PFC, DSCP and ECN do not govern it"),
    **dict.fromkeys(("uec", "uet", "ultra-ethernet"), _UEC),
}


class Transport(Words):
    """rocev2; other transports are refused with the reason."""

    def read(self, node: Node, ctx: Context) -> Any:
        why = _NOT_ROCE.get(node.text.lower()) if type(node) is Scalar else None
        if type(node) is Scalar and why is not None:
            return ctx.report(
                "schema-transport-scope",
                node,
                f"{node.text} is not RoCEv2: {why}",
                "leave that fabric out of the intent",
            )
        return super().read(node, ctx)


class PathMtu(Int):
    """The RoCE path MTUs that InfiniBand's architecture knows."""

    def __init__(self) -> None:
        super().__init__(256, 4096)
        self.wants = "256, 512, 1024, 2048 or 4096"

    def read(self, node: Node, ctx: Context) -> Any:
        value = super().read(node, ctx)
        if isinstance(value, int) and value & (value - 1):
            return ctx.report("schema-range", node, f"{value} is not {self.wants}")
        return value

    def schema(self) -> dict[str, Any]:
        return {"enum": [256, 512, 1024, 2048, 4096]}


class _Prefix(Text):
    """An IP prefix; netaddr, which takes as long to load as all else, is asked only where the form is not plain."""

    def __init__(self) -> None:
        super().__init__("an IP prefix such as 10.0.0.0/24", _is_prefix, "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$")


def _is_prefix(text: str) -> bool:
    address, slash, bits = text.partition("/")
    plain = _is_ipv6(address) if ":" in address else _is_ipv4(address)
    if plain and (not slash or _is_number(bits, 128 if ":" in address else 32)):
        return True
    from netaddr import AddrFormatError, IPNetwork

    try:
        IPNetwork(text)
    except (AddrFormatError, ValueError):
        return False
    return True


def _is_ipv4(text: str) -> bool:
    """Whether it is an address as everybody writes it: four numbers, none of them padded."""
    numbers = text.split(".")
    return len(numbers) == 4 and _OCTETS.issuperset(numbers)


_OCTETS = frozenset(map(str, range(256)))


def _is_ipv6(text: str) -> bool:
    from _socket import AF_INET6, inet_pton  # without what `socket` adds to it, which takes long to load

    try:
        inet_pton(AF_INET6, text)
    except (OSError, ValueError):
        return False
    return True


def _is_number(text: str, most: int) -> bool:
    return is_number(text, 3) and int(text) <= most and str(int(text)) == text


class Version(Type):
    """One release for all, or one a vendor."""

    wants = "a quoted release, or one for each vendor"
    each = Obj("version", {v: Key(VERSION, f"release of {v}") for v in SYSTEMS})

    def read(self, node: Node, ctx: Context) -> Any:
        return (VERSION if type(node) is Scalar else self.each).read(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [VERSION.schema(), self.each.schema()]}


PREFIX = _Prefix()

_DEVICES_READ = DEVICES.good  # bound once: these are asked for every end of every link
_PORTS_READ = PORTS.good
_new = tuple.__new__


class _LinkEnd(Type):
    """`leaf01:Ethernet[0-8]`: devices, a colon, ports; read as the two node sets."""

    wants = "DEVICE:PORT, both node sets"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar:
            return self.report_wrong(node, ctx)
        device, colon, port = node.text.partition(":")
        d, p = _DEVICES_READ.get(device), _PORTS_READ.get(port)
        if d is not None and p is not None:
            return d, p
        if not colon:
            parts = re.split(r"[/ ,.;@]+", node.text, maxsplit=1)
            known = len(parts) == 2 and all(of.is_one(part) for of, part in zip((DEVICES, PORTS), parts, strict=True))
            help = f"write {':'.join(parts)}" if known else "write leaf01:Ethernet0"
            return ctx.report("schema-nodeset", node, f"{node.text!r} is not {self.wants}", help)
        quote = 0 if node.plain else 1
        cut = node.start + quote + len(device)
        d = DEVICES.read(Scalar(node.start + quote, cut, device, node.plain), ctx)
        p = PORTS.read(Scalar(cut + 1, node.end - quote, port, node.plain), ctx)
        return (d, p) if isinstance(d, str) and isinstance(p, str) else MISSING

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": "^[^:]+:.+$"}


class _Link(Obj):
    """A link, read as a Link at once: a fabric has 100,000s of them, too many for sections."""

    end = _LinkEnd()

    def __init__(self) -> None:
        super().__init__(
            "a link",
            {
                "a": Key(self.end, "one end", "from src source left local"),
                "b": Key(
                    self.end,
                    "the other end, as many ports, paired in written order",
                    "to dst dest destination right peer remote",
                ),
                "cable": Key(LENGTH, "cable length"),
                "description": Key(PROSE, "for people"),
            },
            required=("a", "b"),
        )

    def read(self, node: Node, ctx: Context) -> Any:
        a_node = b_node = cable_node = None
        for key, child in node.pairs if type(node) is Map else ():
            name = key.text
            if name == "a" and a_node is None:
                a_node = child
            elif name == "b" and b_node is None:
                b_node = child
            elif name == "cable" and cable_node is None:
                cable_node = child
            elif name != "description" or type(child) is not Scalar or not child.plain or find_secret(child.text):
                break  # unknown, there twice, or a text to be looked at
        else:
            if a_node is not None and b_node is not None:
                return self._build_link(ctx, a_node, b_node, cable_node)
        return self._read_slowly(node, ctx)

    def make_early_reader(self, doc: int) -> Callable[[Map], Link | None]:
        """What reads a link of a document before the rest is; None of one with which something may be wrong."""
        ctx = Context(doc, [])

        def read(node: Map) -> Link | None:
            link = self.read(node, ctx)
            if ctx.problems:  # all of it is read, and reported, in its turn
                ctx.problems.clear()
                return None
            return link if type(link) is Link else None

        return read

    def _read_slowly(self, node: Node, ctx: Context) -> Any:
        """By way of a section, which reports whatever is wrong."""
        given = super().read(node, ctx)
        if given is MISSING or "a" not in given or "b" not in given or MISSING in (given["a"].value, given["b"].value):
            return MISSING
        parts = {key.text: child for key, child in reversed(node.pairs)} if type(node) is Map else {}
        return self._build_link(ctx, parts["a"], parts["b"], parts.get("cable"))

    def _build_link(self, ctx: Context, a_node: Node, b_node: Node, cable_node: Node | None) -> Any:
        a, b = self.end.read(a_node, ctx), self.end.read(b_node, ctx)
        cable = LENGTH.read(cable_node, ctx) if cable_node is not None else None
        if a is MISSING or b is MISSING:
            return MISSING
        if cable is MISSING or cable_node is None:
            cable, cable_node = None, a_node
        return _new(
            Link,
            (
                *a,
                *b,
                cable,
                ctx.doc,
                a_node.start,
                a_node.end,
                b_node.start,
                b_node.end,
                cable_node.start,
                cable_node.end,
            ),
        )


LINK = _Link()
_MESH = "mesh"


class _Mesh(Obj):
    """Cables from each device of a tier to each of the next; read as the Links it stands for, one an upper device.

    The ports of a lower device are in as many runs as there are upper devices, and the first run leads to the first of
    them; those of an upper device are in runs, too, the first for the first lower device.
    """

    tiers = Keyed(
        "the two tiers of a mesh, the lower one first: {leaf: DEVICE:PORT, spine: DEVICE:PORT}", WORD, LINK.end
    )

    def __init__(self) -> None:
        super().__init__(
            "a mesh",
            {
                _MESH: Key(
                    self.tiers, "two tiers, the lower one first: each device of one to each device of the other"
                ),
                "cable": Key(LENGTH, "length of each cable"),
                "description": Key(PROSE, "for people"),
            },
            required=(_MESH,),
        )

    def read(self, node: Node, ctx: Context) -> Any:
        given = super().read(node, ctx)
        tiers = given[_MESH].value if given is not MISSING else MISSING
        if tiers is MISSING or any(end.value is MISSING for end in tiers.values()):
            return MISSING
        if len(tiers) != _TIERS:
            return ctx.report(
                "schema-value", node, f"a mesh joins two tiers, and here are {len(tiers)}", self.tiers.wants
            )
        (low, lower), (high, upper) = tiers.items()
        (devices, ports), (uppers, upper_ports) = lower.value, upper.value
        names, facing = names_of(ports), names_of(uppers)
        most = len(names_of(devices)), len(names_of(upper_ports))
        runs, rest = divmod(len(names), len(facing))
        if rest or runs * most[0] != most[1]:
            ctx.problems.append(
                _refuse_mesh(low, high, lower.at, upper.at, (most[0], len(names)), (len(facing), most[1]))
            )
            return MISSING
        cable = given.get("cable")
        length, far = (cable.value, cable.at) if cable is not None and cable.value is not MISSING else (None, lower.at)
        places = (lower.at.start, lower.at.end, upper.at.start, upper.at.end, far.start, far.end)
        out = []
        for n, name in enumerate(facing):
            run = PORTS.read(Scalar(0, 0, fold(names[n * runs : (n + 1) * runs]), plain=False), ctx)
            out.append(_new(Link, (devices, run, name, upper_ports, length, ctx.doc, *places)))
        return out


_TIERS = 2


def _refuse_mesh(
    low: str, high: str, at: Span, upper_at: Span, lower: tuple[int, int], upper: tuple[int, int]
) -> Problem:
    """What to say of a mesh that does not come out even. `lower`, `upper`: devices, and ports of each."""
    (lows, ports), (highs, upper_ports) = lower, upper
    if ports % highs:
        words = f"{ports} ports of each {low} cannot be shared evenly by {highs} x {high}"
        help = f"give each {low} as many ports for each {high}: {highs}, or {2 * highs}, and so on"
    else:
        each = ports // highs
        words = (
            f"{lows} x {low}, {each} to each {high}, take {lows * each} ports of a {high}, and here are {upper_ports}"
        )
        help = f"give each {high} {lows * each} ports"
    return Problem(
        "schema-pair", upper_at, f"the mesh does not come out even: {words}", help, ((at, f"ports of each {low}"),)
    )


MESH = _Mesh()


class Links(Type):
    """Links, and names of files of links as Val."""

    wants = "a list of links, meshes and files of links"
    _each = ByShape("a link, or a file of links", PATH, LINK)
    _meshes = MESH

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Seq:
            listed = f"write links: [{node.text}]" if type(node) is Scalar else "begin each of them with - and a blank"
            return self.report_wrong(node, ctx, listed)
        out: list[Link | Val] = []
        read = LINK.read
        for item in node.items:
            if type(item) is Link:  # read as soon as its nodes were there
                out.append(item)
                continue
            if type(item) is Map and any(key.text.startswith(_MESH) for key, _ in item.pairs):
                value = self._meshes.read(item, ctx)
            else:
                value = read(item, ctx) if type(item) is Map else self._each.read(item, ctx)
            if value is MISSING:
                ctx.nameless.add("links")
            elif type(value) is list:
                out += value
            else:
                out.append(Val(value, ctx.span(item)) if isinstance(value, str) else value)
        return out

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"anyOf": [self._each.schema(), self._meshes.schema()]}}
