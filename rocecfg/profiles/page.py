"""A profile as a page for people: every figure with its source and how sure it is, and what nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rocecfg.core.visible import visible_text
from rocecfg.profiles.exporters import SUBJECTS
from rocecfg.profiles.format import ASIC, NIC, NOS, WORKLOAD, Figure
from rocecfg.profiles.holds import ANY, KNOWN
from rocecfg.profiles.kinds import KINDS, MARKS
from rocecfg.profiles.library import Library
from rocecfg.profiles.settings import POWER_OF_2, PREDICATES, REFUSALS, SETTINGS, STEP

_FIGURES: dict[str, tuple[Figure, ...]] = {"asics": ASIC, "nics": NIC, "nos": NOS, "workloads": WORKLOAD}
_ROWS = {
    "ecn": {
        "scaled": "whether the thresholds grow with the port's speed",
        "speed": "the speed they are stated for",
        "kmin": "below it nothing is marked",
        "kmax": "above it everything is marked",
        "pmax": "probability of a mark at kmax",
        "judged": "remarks",
    }
}


def page(library: Library, kind: str, name: str) -> str:
    """The page of a profile, as Markdown. Raises UnknownProfile and SourceError as the library does."""
    library.load(kind, name)  # nothing is printed of one that does not keep to its format
    stated = library.entry(kind, name).everything()
    lines = [f"# {stated['title']}", "", f"{KINDS[kind]} profile `{name}`: {library.file(kind, name)}.yaml", ""]
    lines += [_show_holds(stated["holds"]), ""]
    lines += _BODIES[kind](kind, stated)
    boxes = library.list_boxes(name) if kind == "asics" else []
    lines += ["", f"Platforms with it: {', '.join(boxes)}."] if boxes else []
    return visible_text(lines).rstrip() + "\n"


def _show_holds(holds: Any) -> str:
    if isinstance(holds, str):
        return {
            ANY: "These facts do not depend on a release.",
            KNOWN: "In the releases that are known of its systems.",
        }[holds]
    return f"Known of {'; '.join(f'{nos}: {_show_span(span)}' for nos, span in holds.items())}."


def _show_span(span: dict[str, Any]) -> str:
    since, until = span.get("since", "the first"), span.get("until", "the newest that is known")
    told = f"{since} to {until}" if since != until else since
    return f"{told}, except {_show_value(span['except'])}" if span.get("except") else told


def settings_page() -> str:
    """What `what` of a NOS profile may be, as a section of Markdown: the settings and the predicates."""
    lines = [
        "### what: of limits, lacks and refuses",
        "",
        "`what` is the path of a setting, its name in `rocecfg show` after its scope, with at most one predicate:",
        "`port.watchdog.poll`, `port.watchdog.poll by port`, `class.ecn.pmax step 1`. A limit needs one with a unit;",
        f"in a lack, those may have `{STEP} N` or `{POWER_OF_2}` too. Anything else is an error.",
        "",
    ]
    lines += _table(
        ("setting, with its condition", "unit", "what messages call it"),
        [
            (f"`{asked}`", "number" if of.unit == "" else of.unit or "", of.words.replace("{}", "N"))
            for asked, of in SETTINGS.items()
        ],
    )
    lines += ["", *_table(("predicate", "meaning"), [(f"`{word}`", means) for word, means in PREDICATES.items()])]
    lines += ["", f"`refuses` has the contradictions that rules look for: {', '.join(f'`{w}`' for w in REFUSALS)}."]
    return "\n".join(lines)


def _show_figures(kind: str, stated: dict[str, Any]) -> Iterator[str]:
    known = [f for f in _FIGURES[kind] if f.key in stated]
    if kind == "workloads":
        yield from (f"- {line}" for line in stated.get("judged_by", []))
        yield ""
        if stated.get("intent"):
            yield f"Recommended: `{_show_inline(stated['intent'])}`, since {stated['why']} {_show_source(stated)}"
            yield ""
    yield from _table(
        ("figure", "value", "meaning", "how sure", "source"),
        [
            (f.key, _show_value(stated[f.key]["value"]), f.means, MARKS[stated[f.key]["mark"]], stated[f.key]["source"])
            for f in known
        ],
    )
    computed = "headroom_formula" in stated
    unknown = [f.key for f in _FIGURES[kind] if f.key not in stated and f.formula in (None, computed)]
    if unknown:
        yield ""
        yield f"Unknown: {', '.join(unknown)}."


def _show_plain(kind: str, stated: dict[str, Any]) -> Iterator[str]:
    rows = _ROWS[kind]
    yield from _table(("figure", "value", "meaning"), [(key, stated[key], rows[key]) for key in rows if key in stated])
    yield ""
    yield _show_source(stated)


def _show_headroom(_: str, stated: dict[str, Any]) -> Iterator[str]:
    keys = ("size", "xon", "xoff", "xon_offset", "dynamic_th")
    rows = [
        (speed, cable, *(row.get(key, "") for key in keys))
        for speed, cables in stated["rows"].items()
        for cable, row in cables.items()
    ]
    yield from _table(("speed", "cable", *keys), rows)
    yield ""
    yield _show_source(stated)


def _show_curves(_: str, stated: dict[str, Any]) -> Iterator[str]:
    yield "What `ecn: auto` takes where the intent names no `ecn_family`. `any`: no incast is stated, or the switch"
    yield "is a spine or above, where no one receiver's senders meet."
    yield ""
    keys = ("kmin", "kmax", "pmax", "used", "wait")
    head = ("speed", "senders", *keys[:3], "link used, at the least", "1 % of packets wait longer than, at the most")
    rows = [
        (speed, senders, *(row[key] for key in keys))
        for speed, ranges in stated["rows"].items()
        for senders, row in ranges.items()
    ]
    yield from _table(head, rows)
    yield ""
    yield _show_source(stated)


def _show_platform(_: str, stated: dict[str, Any]) -> Iterator[str]:
    asic = stated["asic"]
    yield f"Chip: `{asic['value']}`. {_show_source(asic)}"
    if "cages" in stated:
        cages = stated["cages"]
        columns = ("count", "lanes", "lane", "fewest")
        yield ""
        rows = [tuple(_show_value(row.get(key, "")) for key in columns) for row in cages["value"]]
        yield from _table(("cages", "lanes of each", "fastest lane", "lanes taken, if more"), rows)
        yield ""
        yield _show_source(cages)
    for nos, part in stated["nos"].items():
        yield ""
        yield f"## {nos}"
        yield ""
        hidden = ("headroom", "pools", "mark", "source")
        yield from _table(("figure", "value"), [(k, _show_value(v)) for k, v in part.items() if k not in hidden])
        yield ""
        yield _show_source(part)
        if "headroom" in part:
            yield ""
            tables: list[tuple[str, ...]] = []
            for table in part["headroom"]:
                also = _show_releases(part["headroom"], table)
                tables += [(sku, first, table["table"], *also) for sku, first in table["hwskus"].items()]
            yield from _table(("HwSKU", "since", "headroom table", *_name_releases(part["headroom"])), tables)
        if "pools" in part:
            keys = ("ingress_lossless", "shared_headroom", "ingress_lossy", "egress_lossless", "egress_lossy", "mode")
            yield ""
            yield from _table(
                ("HwSKUs", "template", *_name_releases(part["pools"]), *keys, "how sure", "source"),
                [
                    (
                        _show_value(pool["hwskus"]),
                        _show_value(pool["templates"]),
                        *_show_releases(part["pools"], pool),
                        *(pool.get(key, "") for key in keys),
                        MARKS[pool["mark"]],
                        pool["source"],
                    )
                    for pool in part["pools"]
                ],
            )


def _name_releases(entries: list[dict[str, Any]]) -> tuple[str, ...]:
    """The head of the column that says in which releases an entry holds; () where all hold in all."""
    return ("in releases",) if any("releases" in entry for entry in entries) else ()


def _show_releases(entries: list[dict[str, Any]], entry: dict[str, Any]) -> tuple[str, ...]:
    return tuple(_show_value(entry.get("releases", "others")) for _ in _name_releases(entries))


def _show_nos(_: str, stated: dict[str, Any]) -> Iterator[str]:
    yield f"Releases: {_show_value(stated['releases'])}; rendered for {stated['default_release']} where none is stated."
    yield f"Facts as of {stated['as_of']}."
    yield _show_source(stated)
    yield ""
    limits = [
        (x["what"], *(x.get(key, "") for key in ("low", "high", "since", "until")), MARKS[x["mark"]], x["source"])
        for x in stated.get("limits", [])
    ]
    lacks = [
        (
            x["what"],
            _show_value([*x.get("values", []), *x.get("on", [])]),
            *(x[key] for key in ("severity", "message", "fix")),
            MARKS[x["mark"]],
            x["source"],
        )
        for x in stated.get("lacks", [])
    ]
    if limits:
        yield from _table(("setting", "from", "to", "since", "until", "how sure", "source"), limits)
        yield ""
    if lacks:
        yield from _table(("lacks", "of", "severity", "what", "fix", "how sure", "source"), lacks)
        yield ""
    if stated.get("errata"):
        yield from _show_errata("nos", stated)
        yield ""
    yield from _show_figures("nos", stated)
    if stated.get("refuses"):
        yield ""
        yield from _table(
            ("refuses", "how sure", "source"),
            [(x["what"], MARKS[x["mark"]], x["source"]) for x in stated["refuses"]],
        )


def _show_errata(_: str, stated: dict[str, Any]) -> Iterator[str]:
    yield from _table(
        ("erratum", "when", "on", "since", "until", "what", "fix", "looked at", "how sure", "source"),
        [
            (
                *(x[key] for key in ("number", "when")),
                _show_value([*x.get("on", []), *x.get("boxes", [])]),
                *(x.get(key, "") for key in ("since", "until", "message", "fix", "looked")),
                MARKS[x["mark"]],
                x["source"],
            )
            for x in stated["errata"]
        ],
    )


def _show_exporter(_: str, stated: dict[str, Any]) -> Iterator[str]:
    device = stated.get("device")
    if device is None:
        yield f"The label that names the {stated['on']} is unknown: state it in the intent, telemetry.device_label."
    else:
        yield f"Label that names the {stated['on']}: `{device['value']}`. {_show_source(device)}"
    yield ""
    yield from _table(
        ("subject", "metric", "labels", "only where", "unit", "needs", "how sure", "source"),
        [
            (
                key,
                f"`{m['value']}`",
                _show_value(m["labels"]),
                _show_value(m.get("where", {})),
                m.get("unit", "not known" if SUBJECTS[key].units else ""),
                m.get("needs", ""),
                MARKS[m["mark"]],
                m["source"],
            )
            for key, m in stated["metrics"].items()
        ],
    )
    unknown = [s.key for s in SUBJECTS.values() if s.side == stated["on"] and s.key not in stated["metrics"]]
    if unknown:
        yield ""
        yield f"Unknown: {', '.join(unknown)}."


_BODIES: dict[str, Callable[[str, dict[str, Any]], Iterator[str]]] = {
    "nos": _show_nos,
    "asics": _show_figures,
    "platforms": _show_platform,
    "headroom": _show_headroom,
    "workloads": _show_figures,
    "ecn": _show_plain,
    "curves": _show_curves,
    "nics": _show_figures,
    "exporters": _show_exporter,
    "errata": _show_errata,
}


def _show_source(stated: dict[str, Any]) -> str:
    return f"Source ({MARKS[stated['mark']]}): {stated['source']}"


def _show_inline(stated: Any) -> str:
    if isinstance(stated, dict):
        return "{" + ", ".join(f"{key}: {_show_inline(value)}" for key, value in stated.items()) + "}"
    return str(stated)


def _show_value(value: Any) -> str:
    """A value in words: lists with commas, mappings as `a: b`."""
    if isinstance(value, list):
        return ", ".join(map(_show_value, value))
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_show_value(inner)}" for key, inner in value.items())
    return str(value)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """A Markdown table whose columns line up in a terminal too; the last column is not padded."""
    cells = [head, *([_escape_cell(c) for c in row] for row in rows)]
    wide = [max(len(row[i]) for row in cells) for i in range(len(head))]
    wide[-1] = 0
    for n, row in enumerate(cells):
        yield ("| " + " | ".join(c.ljust(w) for c, w in zip(row, wide, strict=True))).rstrip() + " |"
        if n == 0:
            yield "|" + "|".join("-" * (max(w, 3) + 2) for w in wide) + "|"


def _escape_cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())
