"""The reference of the intent as a page: every key, its type, what it means, and its default where there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.intent.schema import INTENT
from rocecfg.intent.shapes import ByShape, Either, Inherited, Key, Keyed, Listed, Nodes, Obj
from rocecfg.intent.types import Int, Quantity, Text, Type
from rocecfg.profiles.releases import SYSTEMS

_EXAMPLE = re.compile(r"\ba (size|time|length|rate|percentage|share in percent),? such as [\w%]+( or [\w%]+)?")
_BOUNDS = re.compile(r"\ba whole number from (\d+) to (\d+)")
_LEAST_SHARED = 4  # rows that another section has too: from so many on they are named and not repeated


class _Section(NamedTuple):
    obj: Obj
    paths: list[str]  # where it may stand


def render_page() -> str:
    """All sections as Markdown tables, the outermost first."""
    sections = _collect_sections()
    anchors = {id(s.obj): s.paths[0] for s in sections}
    lines = []
    before: dict[str, dict[str, str]] = {}  # heading -> rows by key, of the sections so far
    for section in sections:
        heading = section.paths[0] or "The file"
        rows = {name: _format_row(name, key, section.obj, anchors) for name, key in section.obj.keys.items()}
        lines += [f"## {heading}", ""]
        if len(section.paths) > 1:
            lines += [f"Also {', '.join(f'`{path}`' for path in section.paths[1:])}.", ""]
        like = max(before, key=lambda other: len(before[other].items() & rows.items()), default="")
        shared = [name for name, row in rows.items() if before.get(like, {}).get(name) == row]
        own = rows
        if len(shared) >= _LEAST_SHARED:
            lines += [f"As in [{like}](#{_make_slug(like)}): {', '.join(f'`{name}`' for name in shared)}.", ""]
            own = {name: row for name, row in rows.items() if name not in shared}
        before[heading] = rows
        lines += ["| key | type | means |", "|---|---|---|", *own.values(), ""] if own else []
    return "\n".join(lines).rstrip() + "\n"


def _make_slug(heading: str) -> str:
    return "".join(c for c in heading.lower() if c.isalnum() or c in "_-")


def collect_docs() -> set[str]:
    """What the page says of keys."""
    return {key.doc for section in _collect_sections() for key in section.obj.keys.values()}


def _collect_sections() -> list[_Section]:
    """Each mapping with known keys, once, with all the places where it may stand."""
    found: dict[int, _Section] = {}
    queue = [("", INTENT)]
    while queue:
        path, obj = queue.pop(0)
        if id(obj) in found:
            found[id(obj)].paths.append(path)
            continue
        taken = any(section.paths[0] == path for section in found.values())  # a place where either may stand
        found[id(obj)] = _Section(obj, [f"{path}.{obj.wants.split()[-1]}" if taken else path])
        for name, key in obj.keys.items():
            queue += _walk_mappings(f"{path}.{name}" if path else name, key.type)
    return list(found.values())


def _walk_mappings(path: str, of: Type) -> Iterator[tuple[str, Obj]]:
    """The mappings with known keys that a type leads to, each with its path."""
    if isinstance(of, Obj):
        if not _is_by_vendor(of):
            yield path, of
    elif isinstance(of, Keyed):
        yield from _walk_mappings(f"{path}.{_name_key(of.key)}", of.of)
    else:
        for inner in _list_parts(of):
            yield from _walk_mappings(f"{path}[]" if isinstance(of, Listed) else path, inner)


def _is_by_vendor(of: Obj) -> bool:
    return set(of.keys) == set(SYSTEMS)


def _list_parts(of: Type) -> list[Type]:
    """The types that a type is made of."""
    if isinstance(of, (Either, Inherited, Listed)):
        return [of.of]
    if isinstance(of, ByShape):
        return [t for t in (of.scalar, of.mapping, of.listed) if t is not None]
    return [part for part in vars(type(of)).values() if isinstance(part, Type)]  # of a type for one key alone


def _name_key(key: Type) -> str:
    """What stands for a key that the user chooses."""
    if isinstance(key, Nodes):
        return "NODES" if key.what == "device" else "PORTS"
    if isinstance(key, Quantity):
        return "SPEED"
    return "NUMBER" if isinstance(key, Int) else "NAME"


def _format_row(name: str, key: Key, of: Obj, anchors: dict[int, str]) -> str:
    means = key.doc or name.replace("_", " ")
    if means.startswith("default"):
        means = f"{name.replace('_', ' ')}; {means}"
    shown = f"**`{name}`**" if name in of.required else f"`{name}`"
    cells = (cell.replace("|", "\\|") for cell in (shown, _format_type(key.type, anchors), means))
    return f"| {' | '.join(cells)} |"


def _format_type(of: Type, anchors: dict[int, str]) -> str:
    """A type in words; mappings with known keys by a link to their section."""
    if isinstance(of, Obj):
        anchor, (first, *_) = anchors.get(id(of), ""), of.keys.values()
        by_vendor = f"by {', '.join(of.keys)}: {_format_type(first.type, anchors)}" if _is_by_vendor(of) else ""
        return by_vendor or f"[{anchor}](#{_make_slug(anchor)})"
    if isinstance(of, Keyed):
        return f"by {_name_key(of.key)}: {_format_type(of.of, anchors)}"
    if isinstance(of, Inherited):
        return _format_type(of.of, anchors)
    if isinstance(of, Listed):
        each = _format_type(of.of, anchors)
        return f"{each}, or a list of such" if of.single else f"list, each {each}"
    if isinstance(of, Either):
        return f"{' | '.join(f'`{word}`' for word in of.words)} | {_format_type(of.of, anchors)}"
    if isinstance(of, ByShape):
        return " | ".join(dict.fromkeys(_format_type(part, anchors) for part in _list_parts(of)))
    wants = _BOUNDS.sub(r"\1 to \2", _EXAMPLE.sub(r"\1", of.wants)).removeprefix("a ")
    if isinstance(of, Text) and of.quoted:
        return f"{wants}, quoted"
    links = [_format_type(obj, anchors) for _, obj in _walk_mappings("", of)]
    return f"{wants}: {', '.join(links)}" if links else wants
