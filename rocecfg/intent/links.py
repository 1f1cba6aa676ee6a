"""Links: node sets of equal size, or files of them; and what they add to what ports say of themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter

from rocecfg.core.nodeset import MAX_NAMES, are_plain, bracket_ranges, fold, fold_some, names_of
from rocecfg.core.records import NamedTuple
from rocecfg.intent.foreign_links import COLUMNS, is_foreign, read_foreign_links
from rocecfg.intent.nodeset_merge import MergedNames
from rocecfg.intent.read import Read
from rocecfg.intent.shapes import DEVICES, PORTS
from rocecfg.intent.types import LENGTH
from rocecfg.intent.values import Context, is_one_slip, near
from rocecfg.model import Link, Links, Span
from rocecfg.model.stated import MISSING, Problem, Val
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.source.patterns import TooMany, is_pattern
from rocecfg.source.yaml import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LETTERS = re.compile(r"[^A-Za-z]+")  # what is taken out of names to compare them
_LONG_STEM = 4  # letters of a name that is no chance
_MOST_HELPED = 20  # unknown names that are compared with all known ones of their kind
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are 100,000s
_LONG = 100_000  # characters of a line
_DEVICES, _PORTS = DEVICES.good, PORTS.good  # texts that passed
_ENDS = itemgetter(0, 1, 2, 3)
_UNNAMED = "neither in devices nor in hosts"


def resolve_links(
    val: Val | None, switches: frozenset[str] | None, known: frozenset[str] | None, sources: Sources, read: Read
) -> Links:
    """The links of an intent.

    `switches`: names of devices, None where some could not be read. `known`: these and the hosts, None where hosts are
    not listed: then links may lead to others.
    """
    out: list[Link] = []
    before = len(read.problems), len(read.errors)
    ours = known if known is not None else switches
    foreign: dict[str, Document] = {}
    items = val.value if val is not None and val.value is not MISSING else ()
    single: bool | None = True
    for kind, some in groupby(items, type):
        if kind is Link:
            links = list(some)
            found = _list_paired(links, read.problems)
            single = single and found is links
            out += found
            continue
        single = None
        for item in some:
            out += _read_files(item, foreign, ours, sources, read)
    if foreign:
        out += read_foreign_links(foreign.values(), ours, read)
    if known is not None:
        read.problems += report_unknown_names(_find_unknown(out, known), known)
    elif switches:
        read.problems += _report_slips(_find_unknown(out, switches), switches)
    if (len(read.problems), len(read.errors)) != before:
        read.nameless.add("links")
    all_links = Links(out)
    all_links.single = single
    return all_links


def _find_unknown(found: list[Link], known: frozenset[str]) -> dict[str, Span]:
    """The names at the ends of links that are not known, each with its first place."""
    if known.issuperset(map(itemgetter(0), found)) and known.issuperset(map(itemgetter(2), found)):
        return {}
    unknown: dict[str, Span] = {}
    for link in found:
        for devices, at in ((link.a_device, link.a_at), (link.b_device, link.b_at)):
            for name in names_of(devices):
                if name not in known:
                    unknown.setdefault(name, at)
    return unknown


def _report_slips(unknown: dict[str, Span], switches: frozenset[str]) -> Iterator[Problem]:
    """A problem for each place with names that are a letter off those of devices, where hosts are not listed."""
    stems: dict[str, list[str]] = {}
    for name in sorted(switches) if unknown else ():
        stems.setdefault(_LETTERS.sub("", name), []).append(name)
    alike: dict[str, str | None] = {}  # letters of unknown names, and of the devices that differ from them in one
    by_place: dict[Span, list[tuple[str, str]]] = {}
    for name, at in unknown.items():
        stem = _LETTERS.sub("", name)
        if stem not in alike:
            slip = len(stem) >= _LONG_STEM and stem not in stems
            alike[stem] = next((ours for ours in stems if slip and is_one_slip(stem, ours)), None)
        ours = alike[stem]
        if ours is not None:
            by_place.setdefault(at, []).append((name, ours))
    for at, found in by_place.items():
        names = [name for name, _ in found]
        meant = [near(name, stems[ours]) for name, ours in found[:_MOST_HELPED]]
        yield Problem(
            "schema-ref",
            at,
            f"no device is called {fold_some(tuple(names))}: taken for hosts",
            _suggest_fix(names, [name for name in meant if name is not None]),
            severity="warning",
            alike=_UNNAMED,
        )


def _read_files(
    item: Val, foreign: dict[str, Document], ours: frozenset[str] | None, sources: Sources, read: Read
) -> Iterator[Link]:
    """The links of our own files that an item names; files of others go to `foreign`."""
    for document in _open_files(item, sources, read):
        if is_foreign(document.text):
            foreign[document.path] = document
            continue
        rows = _list_paired(_read_csv(document, read), read.problems)
        if rows and ours is not None and (strange := _report_foreign(item, rows, ours)) is not None:
            read.problems.append(strange)
        else:
            yield from rows


def _report_foreign(item: Val, rows: list[Link], known: frozenset[str]) -> Problem | None:
    """The one thing to say of a file of links that names nothing of this fabric."""
    names: dict[str, None] = {}
    for link in rows:
        for name in (*names_of(link.a_device), *names_of(link.b_device)):
            if name in known:
                return None
            names[name] = None
    count = f"its {len(rows)} links join" if len(rows) != 1 else "its link joins"
    return Problem(
        "schema-ref",
        item.at,
        f"{item.value} names no device or host of this fabric: {count} {fold_some(tuple(sorted(names)))}",
        "name the file of this fabric's cables, or list what it joins under devices and hosts",
        ((rows[0].a_at, "its first link"),),
    )


def report_unknown_names(unknown: dict[str, Span], known: frozenset[str]) -> Iterator[Problem]:
    """A problem for each place with names that are not among the known ones. `unknown`: where each name is first."""
    alike: dict[str, list[str]] = {}  # what could be meant, by length and first letter: there may be 10,000s
    for name in sorted(known) if unknown else ():
        alike.setdefault(f"{name[0]}{len(name)}", []).append(name)
    by_place: dict[Span, list[str]] = {}
    for name, at in unknown.items():
        by_place.setdefault(at, []).append(name)
    left = _MOST_HELPED
    for at, names in by_place.items():
        meant = [_guess_meant(name, alike) for name in names[:left]]
        left -= len(meant)
        several = len(names) > 1
        yield Problem(
            "schema-ref",
            at,
            f"{fold_some(tuple(names))} {'are' if several else 'is'} {_UNNAMED}",
            _suggest_fix(names, [name for name in meant if name is not None]),
            alike=_UNNAMED,
        )


def _guess_meant(name: str, alike: dict[str, list[str]]) -> str | None:
    lengths = range(len(name) - 1, len(name) + 2)
    return near(name, [k for size in lengths for k in alike.get(f"{name[0]}{size}", [])])


def _suggest_fix(names: list[str], meant: list[str]) -> str:
    """What to write instead of unknown names; several are slips only where each is one of another name."""
    if meant and len(set(meant)) == min(len(names), _MOST_HELPED):
        more = f" for {names[0]}, and so on" if len(meant) < len(names) else ""
        return f"did you mean {meant[0] if more else fold_some(tuple(meant))}{more}?"
    return f"name {'them' if len(names) > 1 else 'it'} under devices or hosts"


def find_bare_ranges(named: Iterable[tuple[str, Span]], links: Iterable[object]) -> Iterator[tuple[Problem, bool]]:
    """Names such as `leaf01-02` that are intended for a range, and whether links say so, which name what is in it.

    A scheme of names has others like it: `leaf1-1`, `leaf1-2`. Links that lead to the very name mean it.
    """
    places = dict(named)
    ranges = bracket_ranges(places)
    if not ranges:
        return
    ends = {name for link in links if type(link) is Link for device in (link[0], link[2]) for name in names_of(device)}
    for name, meant in ranges.items():
        if name in ends:
            continue
        sure = not ends.isdisjoint(names_of(meant))
        yield (
            Problem(
                "schema-nodeset",
                places[name],
                f"{name} is one name: a range needs brackets, {meant}",
                f"write {meant}",
                severity=None if sure else "warning",
            ),
            sure,
        )


def _list_paired(links: list[Link], problems: list[Problem]) -> list[Link]:
    """Those of links whose two ends stand for equally many ports; the very list where each stands for one."""
    if are_plain(chain.from_iterable(map(_ENDS, links))):
        return links
    return [link for link in links if _is_paired(link, problems)]


def _is_paired(link: Link, problems: list[Problem]) -> bool:
    a = len(names_of(link.a_device)) * len(names_of(link.a_port))
    b = len(names_of(link.b_device)) * len(names_of(link.b_port))
    if max(a, b) > MAX_NAMES:
        at, count = (link.a_at, a) if a > b else (link.b_at, b)
        what = f"this end of a link stands for {count} ports; at most {MAX_NAMES} are taken"
        problems.append(Problem("schema-nodeset", at, what))
        return False
    if a != b:
        problems.append(
            Problem(
                "schema-pair",
                link.b_at,
                f"the ends of a link do not pair: {a} ports at a, {b} at b",
                "list the same number of ports at both ends; they pair in order, all ports of the first device first",
                ((link.a_at, f"{a} ports"),),
            )
        )
    return a == b


def _open_files(item: Val, sources: Sources, read: Read) -> Iterator[Document]:
    """The files that an item of `links` names, or its pattern means; what is wrong with it goes to `read`."""
    folder = os.path.dirname(sources.documents[item.at.doc].path)
    if not is_pattern(item.value):
        yield from _open_file(item, item.value, folder, sources, read)
        return
    try:
        names = sorted(read.expansion.list_paths(item.value, folder))
    except TooMany as many:
        named = sources.documents[item.at.doc]
        read.errors.append(SourceError(named.path, f"links: {many}", many.help, *named.place(item.at.start)))
        return
    if not names:
        message = f"links {item.value!r} matches no file"
        read.problems.append(Problem("schema-ref", item.at, message, f"looked in {folder or os.curdir}"))
    for name in names:
        yield from _open_file(item, name, folder, sources, read)


def _open_file(item: Val, name: str, folder: str, sources: Sources, read: Read) -> Iterator[Document]:
    path = os.path.join(folder, name)
    if not read.bounds.hold(path):
        named = sources.documents[item.at.doc]
        refusal = read.bounds.describe_refusal(f"links: {name}", path)
        read.errors.append(SourceError(named.path, *refusal, *named.place(item.at.start)))
        return
    if not os.path.isfile(path):
        lack = Problem("schema-ref", item.at, f"there is no file {name}", f"looked for {path}")
        read.problems.append(lack)
        return
    try:
        document = sources.read(path)
    except SourceError as error:
        read.errors.append(error)
        return
    if document not in read.files:
        read.files.append(document)
    yield document


def _read_csv(document: Document, read: Read) -> list[Link]:
    context = Context(document.number, read.problems)
    doc, out = document.number, list[Link]()
    wrong: list[tuple[Scalar, int]] = []  # rows of other columns: a file that has one has many
    offset = 0
    for line in document.text.splitlines(keepends=True):
        # row by row, so that a row's place is its line; a quoted field that spans lines is then a wrong row
        start, offset = offset, offset + len(line)
        body = line.rstrip("\r\n")
        end = start + len(body)
        cells = body.split(",")
        if start and len(cells) == len(COLUMNS):  # nearly all rows are words that were seen before; the first may not
            a, a_port, b, b_port, length = cells
            try:
                known = _DEVICES[a], _PORTS[a_port], _DEVICES[b], _PORTS[b_port], LENGTH.known[length]
            except KeyError:
                known = None
            if known is not None:
                out.append(_new(Link, (*known, doc, start, end, start, end, start, end)))
                continue
        row = [cell.strip() for cell in _split_cells(line)]
        if not row or row[0].startswith("#") or (not start and tuple(row[:4]) == COLUMNS[:4]):
            continue
        if len(row) not in (4, 5):
            wrong.append((Scalar(start, end, "", plain=False), len(row)))
        elif (link := _read_row(row, start, end, context)) is not None:
            out.append(link)
    if wrong:
        where, count = wrong[0]
        more = f", and {len(wrong) - 1} more lines like it" if len(wrong) > 1 else ""
        context.report("schema-pair", where, f"{count} columns where {','.join(COLUMNS)} are wanted{more}")
    return out


def _split_cells(line: str) -> list[str]:
    """The cells of a line of CSV."""
    if '"' not in line and len(line) < _LONG:  # nearly all: a reader for each takes five times as long
        return line.split(",") if line.rstrip("\r\n") else []
    import csv

    try:
        return next(csv.reader((line,)), [])
    except csv.Error:  # a field of more than 131,072 characters
        return [""]


def _read_row(row: list[str], start: int, end: int, context: Context) -> Link | None:
    names: list[Any] | tuple[str, ...]
    try:
        names = _DEVICES[row[0]], _PORTS[row[1]], _DEVICES[row[2]], _PORTS[row[3]]
    except KeyError:  # a name for the first time
        names = [
            kind.read(Scalar(start, end, text, plain=True), context)
            for kind, text in zip((DEVICES, PORTS, DEVICES, PORTS), row, strict=False)
        ]
        if any(n is MISSING for n in names):
            return None
    cable = None
    if len(row) == 5 and row[4]:
        cable = LENGTH.known.get(row[4])
        if cable is None:
            cable = LENGTH.read(Scalar(start, end, row[4], plain=True), context)
        if cable is MISSING:
            cable = None
    return _new(Link, (*names, cable, context.doc, start, end, start, end, start, end))


class End(NamedTuple):
    """What a link adds to a port: whether it leads to a switch (None: stated, or no link), and its cable."""

    to_switch: bool | None
    cable: Val | None


NOTHING = End(None, None)
Stated = dict[str, tuple[bool, float | None]]  # port -> whether its far end is stated, and its cable
_NO_PORTS: Stated = {}
_UNKNOWN = (False, None)


def find_link_ends(all_links: Iterable[Link], stated: dict[str, Stated]) -> dict[str, dict[str, End]]:
    """What links add to the ports of each device, where they add anything: device -> port -> End."""
    out: dict[str, dict[str, End]] = {}
    a_before = b_before = ""
    a_ports = b_ports = _NO_PORTS
    for link in all_links:
        # the names are single in most links, and their ports say all themselves: this runs for every cable there is
        a_device, a_port, b_device, b_port, length = link[:5]
        if a_device != a_before or b_device != b_before:  # the cables between two devices are mostly together
            a_before, b_before = a_device, b_device
            a_ports, b_ports = stated.get(a_device, _NO_PORTS), stated.get(b_device, _NO_PORTS)
        a, b = a_ports.get(a_port, _UNKNOWN), b_ports.get(b_port, _UNKNOWN)
        if a[0] and b[0] and (length is None or length == a[1] == b[1]):
            continue
        text = a_device + a_port + b_device + b_port
        if "[" not in text and "," not in text and not (_adds_to_port(a, length) or _adds_to_port(b, length)):
            continue
        cable = Val(length, link.cable_at) if length is not None else None
        for x, y in zip(_list_ports(a_device, a_port), _list_ports(b_device, b_port), strict=True):
            for (device, port), (far, _) in ((x, y), (y, x)):
                have = stated.get(device, _NO_PORTS).get(port)
                if have is None:
                    continue
                faces_stated, metres = have
                same = cable is None or length == metres
                if not (faces_stated and same):
                    end = End(None if faces_stated else far in stated, None if same else cable)
                    out.setdefault(device, {})[port] = end
    return out


def _adds_to_port(port: tuple[bool, float | None], length: float | None) -> bool:
    """Whether a link with a cable of some length says what its port does not; nothing is said to a port of others."""
    faced, metres = port
    return port is not _UNKNOWN and not (faced and (length is None or length == metres))


def split_by_link_ends(group: MergedNames, own: dict[str, End]) -> list[tuple[MergedNames, End]]:
    """A port group, apart where links differ. `own`: what links add to the device's ports."""
    apart: dict[object, tuple[list[str], End]] = {}
    for port in group.names:
        end = own.get(port, NOTHING)
        apart.setdefault((end.to_switch, end.cable.value if end.cable else None), ([], end))[0].append(port)
    if len(apart) == 1:
        return [(group, end) for _, end in apart.values()]
    return [(group._replace(key=fold(tuple(ports)), names=tuple(ports)), end) for ports, end in apart.values()]


def _list_ports(devices: str, ports: str) -> list[tuple[str, str]]:
    names = names_of(ports)
    return [(d, p) for d in names_of(devices) for p in names]
