"""CONFIG_DB configurations as a text that is short and can be read: equal tables stand once, equal ports are one row.

```
=0 rows                           those that several tables have: ~0, ~1 and so on
=12 BUFFER_PG                     a table, and its number
@|3-4 profile=ingress_lossy       a row of each port of PORT at the front
Ethernet[0-124/4]|0 profile=..    a row of each of these; &Ethernet[0-124/4]|0: one row with all of them in its key
:: 1 2 12                         a configuration: the tables it has
! ecn-missing watchdog-slow       the rules that find an error or a warning where it is called as in what follows
@ 202311 202405                   the releases of the names in what follows; none stands for master
platform/{HwSKU,HwSKU} {t0,t1}    its names, with what differs in braces
```

`pg_lossless_*_profile` is the one that buffermgrd names after the port's speed and cable, and `lanes=*4` stands for the
next four lanes of the chip. `=3 PORT|`: rows beside the tables, as `PORT|Ethernet0`.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from rocecfg.core.nodeset import fold, names_of

Rows = dict[str, Any]
Config = dict[str, Rows]

_FIRST = {"PORT": 0, "CABLE_LENGTH": 1}  # tables that rows of others are made of
_FREE = 2001  # a lane that no port of a corpus names
_LONG = 16  # characters of a row that stands once where several tables have it
_OWN = "pg_lossless_*_profile"
_WORD = re.compile(r'(\S+?)=("(?:[^"\\]|\\.)*"|\S*)(?: |$)')
_PORT = re.compile(r"(Ethernet(?:-BP)?)(\d+)")
_OF_PORT = re.compile(r"((?:.*\|)?)(Ethernet(?:-BP)?\d+)((?:\|.*)?)")
_SET = re.compile(r"((?:.*\|)?)(&?)(@|Ethernet(?:-BP)?\[[^|]*)((?:\|.*)?)")
_SEVERAL = re.compile(r"(Ethernet\d+(?:,Ethernet\d+)+)((?:\|.*)?)")
_BRACES = re.compile(r"\{([^}]*)\}|([^{]+)")


class Reduced(NamedTuple):
    """A configuration, and all that have it: by name the rules that find an error or a warning."""

    names: dict[str, frozenset[str]]
    tables: tuple[tuple[str, tuple[str, ...]], ...]

    def config(self) -> Config:
        """Its tables, as JSON has them."""
        out: Config = {}
        lanes = iter(range(_FREE, 100 * _FREE))
        for table, lines in sorted(self.tables, key=lambda each: _FIRST.get(each[0], len(_FIRST))):
            rows: Rows = {}
            every = _plain(out.get("PORT", ()))
            for line in lines:
                key, _, rest = line.partition(" ")
                fields = _fields(rest, every)
                for name in _keys(key, every):
                    rows[name] = dict(fields)
                    if fields.get("profile") == _OWN:
                        rows[name]["profile"] = _own_profile(out, name)
                    if str(fields.get("lanes", "")).startswith("*"):
                        rows[name]["lanes"] = ",".join(str(next(lanes)) for _ in range(int(fields["lanes"][1:])))
            if table.endswith("|"):
                out |= {f"{table}{name}": row for name, row in rows.items()}
            else:
                out[table] = rows
        return out


def _own_profile(config: Config, key: str) -> str | None:
    """The profile of headroom that buffermgrd gives the port of a row; None where it cannot."""
    port = key.split("|", maxsplit=1)[0]
    lengths: Rows = next(iter(config.get("CABLE_LENGTH", {}).values()), {})
    speed, cable = config.get("PORT", {}).get(port, {}).get("speed"), lengths.get(port)
    return f"pg_lossless_{speed}_{cable}_profile" if speed and cable else None


def _number(port: str) -> int:
    found = _PORT.fullmatch(port)
    assert found is not None
    return int(found[2])


def _plain(ports: Iterable[str]) -> tuple[str, ...]:
    """The ports that @ stands for: those of the front."""
    return tuple(sorted((p for p in ports if (found := _PORT.fullmatch(p)) and found[1] == "Ethernet"), key=_number))


@cache
def _names(text: str) -> tuple[str, ...]:
    return names_of(text)


def _keys(key: str, every: tuple[str, ...]) -> Iterator[str]:
    found = _SET.fullmatch(key)
    if found is None:
        yield key
    else:
        head, joined, ports, tail = found.groups()
        names = every if ports == "@" else _names(ports)
        yield from (f"{head}{port}{tail}" for port in ([",".join(names)] if joined else names))


def _fields(text: str, every: tuple[str, ...]) -> Rows:
    out: Rows = {}
    for name, value in _WORD.findall(text):
        for each in _keys(name, every):
            out[each] = json.loads(json.loads(value)) if value[:1] == '"' else value
    return out


def read(path: Path) -> list[Reduced]:
    """The configurations of a file."""
    tables: dict[str, tuple[str, list[str]]] = {}
    made: list[tuple[list[str], list[str]]] = []
    here: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("="):
            number, table = line[1:].split(" ")
            here = []
            tables[number] = table, here
        elif line.startswith(":: "):
            here = []
            made.append((here, line[3:].split()))
        elif not line.startswith("#"):
            here.append(line)
    shared = tables["0"][1]
    for _, rows in tables.values():
        rows[:] = [shared[int(row[1:])] if row.startswith("~") else row for row in rows]
    return [Reduced(_named(lines), tuple((tables[n][0], tuple(tables[n][1])) for n in taken)) for lines, taken in made]


def _named(lines: list[str]) -> dict[str, frozenset[str]]:
    out: dict[str, frozenset[str]] = {}
    rules: frozenset[str] = frozenset()
    releases = [""]
    for line in lines:
        if line.startswith("!"):
            rules, releases = frozenset(line[1:].split()), [""]
        elif line.startswith("@"):
            releases = [f" @{release}" for release in line.split()[1:]]
        else:
            out |= dict.fromkeys((name + release for name in _full(line) for release in releases), rules)
    return out


def _written(value: Any) -> str:
    if isinstance(value, str) and value and not re.search(r'\s|^"', value):
        return value
    return json.dumps(json.dumps(value))


def _folded(ports: list[str], every: tuple[str, ...]) -> str:
    ordered = tuple(sorted(ports, key=_number))
    return "@" if every and ordered == every else fold(ordered)


def _kind(name: str) -> str:
    """Of the front, of the backplane, or no port."""
    found = _PORT.fullmatch(name)
    return found[1] if found else ""


def _joined(key: str, every: tuple[str, ...]) -> str:
    """A key of several ports in its short form, where that has them in their order."""
    several = _SEVERAL.fullmatch(key)
    if several is None:
        return key
    short = f"&{_folded(several[1].split(','), every)}{several[2]}"
    return short if [*_keys(short, every)] == [key] else key


def _lines(table: str, rows: Mapping[str, Mapping[str, Any]], every: tuple[str, ...]) -> list[str]:
    alike: dict[tuple[str, str, str, str], list[str]] = {}
    for key, row in ((_joined(key, every), row) for key, row in rows.items()):
        found = _OF_PORT.fullmatch(key)
        head, port, tail = (found[1], found[2], found[3]) if found else (key, "", "")
        values: dict[tuple[str, str], list[str]] = {}
        for name, value in sorted(row.items()):
            values.setdefault((_written(value), _kind(name)), []).append(name)
        words = []
        for (value, kind), names in values.items():
            words += [f"{_folded(names, every)}={value}"] if kind else [f"{n}={value}" for n in names]
        alike.setdefault((head, _kind(port), tail, " ".join(words)), []).append(port)
    known = () if table.strip("|") == "PORT" else every
    return sorted(
        f"{head}{_folded(ports, known) if ports[0] else ''}{tail} {words}".rstrip()
        for (head, _, tail, words), ports in alike.items()
    )


def _few_lanes(ports: Rows) -> Rows:
    """With the count of lanes in their place, where a port shares none."""
    taken = Counter(lane for row in ports.values() for lane in str(row.get("lanes", "")).split(","))

    def short(row: Rows) -> Rows:
        own = [lane for lane in str(row.get("lanes", "")).split(",") if lane]
        return {**row, "lanes": f"*{len(own)}"} if own and all(taken[lane] == 1 for lane in own) else row

    return {name: short(row) for name, row in ports.items()}


def _tables(config: Config) -> Config:
    """Table -> rows; those that stand beside tables under a name with a bar."""
    out: Config = {}
    for name, rows in config.items():
        table, bar, key = name.partition("|")
        if bar:
            out.setdefault(f"{table}|", {})[key] = rows
        else:
            out[name] = rows
    return out


def _own(config: Config, key: str, row: Rows) -> Rows:
    profile = row.get("profile")
    return {"profile": _OWN} if profile is not None and profile == _own_profile(config, key) else {}


def _short(names: list[str]) -> list[str]:
    """Names with what differs in braces: HwSKUs of a platform, and then roles of the same HwSKUs."""
    by: dict[tuple[str, str], list[str]] = {}
    for name in names:
        path, _, role = name.partition(" ")
        folder, _, last = path.rpartition("/")
        by.setdefault((folder, role), []).append(last)
    again: dict[tuple[str, str], list[str]] = {}
    for (folder, role), lasts in by.items():
        again.setdefault((folder, _braces(lasts)), []).append(role)
    return [
        f"{folder}{'/' if folder else ''}{lasts} {_braces(roles)}".strip() for (folder, lasts), roles in again.items()
    ]


def _braces(words: list[str]) -> str:
    return words[0] if len(words) == 1 else "{" + ",".join(words) + "}"


def _full(line: str) -> list[str]:
    parts = [found[1].split(",") if found[2] is None else [found[2]] for found in _BRACES.finditer(line)]
    return ["".join(words) for words in product(*parts)]


def written(configs: Mapping[str, Config], found: Mapping[str, frozenset[str]]) -> str:
    """The text of configurations by name, with the rules that find something in them."""
    tables: dict[str, int] = {}
    alike: dict[tuple[int, ...], list[str]] = {}
    for name, config in configs.items():
        every = _plain(config.get("PORT", ()))
        numbers = []
        for table, rows in _tables(config).items():
            kept = _few_lanes(rows) if table.strip("|") == "PORT" else rows
            if table == "BUFFER_PG":
                kept = {key: row | _own(config, key, row) for key, row in rows.items()}
            text = "\n".join([table, *_lines(table, kept, every)])
            numbers.append(tables.setdefault(text, len(tables) + 1))
        alike.setdefault(tuple(numbers), []).append(name)
    rows = Counter(row for text in tables for row in text.splitlines()[1:])
    shared = {row: n for n, row in enumerate(row for row, count in rows.items() if count > 1 and len(row) > _LONG)}
    out = ["=0 rows", *shared]
    for text, number in tables.items():
        name, *lines = text.splitlines()
        out += [f"={number} {name}", *(f"~{shared[row]}" if row in shared else row for row in lines)]
    for chosen, names in alike.items():
        out.append(":: " + " ".join(map(str, chosen)))
        for rules in dict.fromkeys(found[name] for name in names):
            out.append(" ".join(["!", *sorted(rules)]))
            releases: dict[str, list[str]] = {}
            for name, _, release in (name.partition(" @") for name in names if found[name] == rules):
                releases.setdefault(name, []).append(release)
            several = {name: " ".join(["@", *its] if "" not in its else []) for name, its in releases.items()}
            for line in sorted({*several.values()}):
                out += [line] * bool(line) + _short([name for name, its in several.items() if its == line])
    return "\n".join(out) + "\n"
