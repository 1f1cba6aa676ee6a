"""The house does not grow unseen: lines of each room, modules that spell a setting's name, each with a limit."""

from __future__ import annotations

import ast
import csv
import re
from collections import Counter
from functools import cache
from pathlib import Path

from checkout import ROOT

from rocecfg.model.catalogue import CATALOGUE

PACKAGE = ROOT / "rocecfg"
LIMITS = ROOT / "tests" / "room_lines.csv"
AIM = 95_000  # lines of all rooms
LOOSE = 300  # lines that a limit may be above its room: after that it is lowered
OF_VENDORS = re.compile(r"vendors/\w+/|validation/")  # what a setting is called there, its tables say
NAMED = {  # modules outside the vendors' packages that spell a setting's name; a setting's row of the catalogue is one
    "fec": 15,
    "autoneg": 3,
    "restoration_time": 11,
    "flowcontrol": 8,
    "macsec": 12,
    "shared_headroom": 20,
}

OF_SYSTEMS = re.compile(r"\b(?:SONiC|NVUE|Cumulus|EOS|Junos)\b")
SPOKEN = {"rules/": 36, "": 42}  # modules that name a system, but for those whose it is
FEW, LISTING = 4, 38  # names that make a list of settings; such lists outside the catalogue
ALIKE = 22  # names that several classes have
BUILT = {  # where the model's classes are made, for intents and for running switches alike
    "TrafficClass": ["intent/classes.py"],
    "QosMaps": ["intent/classes.py"],
    "PortGroup": ["intent/port_settings.py", "vendors/sonic/view.py"],  # there of a policy without ports
    "Buffers": ["intent/platforms.py"],
    "Trimming": ["intent/platforms.py"],
    "LoadBalancing": ["intent/platforms.py"],
    "Device": ["intent/resolve.py", "vendors/draft.py"],  # what is stated; `Boxes.complete` adds the rest
}
FRAGMENT, FRAGMENTS = 90, 10  # lines of a module that is mostly a part of the only one that imports it; such modules
_IMPORT = re.compile(r"^ *from (rocecfg[\w.]*) import (?:\(([^)]*)\)|([^\n]*))", re.MULTILINE)
ITS_OWN = ("vendors/", "profiles/", "validation/")


@cache
def _read_modules() -> dict[str, str]:
    """Every module's text by its path below the package."""
    files = (file for file in sorted(PACKAGE.rglob("*.py")) if "_data" not in file.parts)
    return {file.relative_to(PACKAGE).as_posix(): file.read_text(encoding="utf-8") for file in files}


def _count_lines() -> dict[str, int]:
    """Lines by room: the nearest package of CONTRIBUTING's table, or rocecfg itself."""
    found: Counter[str] = Counter()
    for path, text in _read_modules().items():
        found[Path("rocecfg", path).parent.as_posix()] += text.count("\n")
    return dict(found)


def test_a_room_does_not_grow_beyond_its_lines() -> None:
    """Who needs more writes it into the table, and says in the commit what for; what shrank keeps what it gained."""
    with LIMITS.open(encoding="utf-8", newline="") as file:
        limits = {row["room"]: int(row["lines"]) for row in csv.DictReader(file)}
    lines = _count_lines()
    assert limits.keys() == lines.keys()
    assert {room: (n, limits[room]) for room, n in lines.items() if n > limits[room]} == {}
    assert {room: (n, limits[room]) for room, n in lines.items() if n < limits[room] - LOOSE} == {}
    assert sum(lines.values()) > AIM  # reached: drop the table, and hold the sum


def test_ever_fewer_modules_spell_the_name_of_a_setting() -> None:
    """What is added to this number, everybody pays who adds a setting."""
    modules = [text for path, text in _read_modules().items() if not OF_VENDORS.match(path)]
    _check_falls(NAMED, {name: sum(bool(re.search(rf"\b{name}\b", text)) for text in modules) for name in NAMED})


def test_ever_fewer_literals_list_settings() -> None:
    """Four names of settings in a row: what each of them is for belongs in their rows of the catalogue."""
    ends = (text.rpartition(".")[2] for row in CATALOGUE for text in (row.path, row.compared, row.intent))
    names = {end.removesuffix("[]") for end in ends} - {"", "*"}
    found = [
        path
        for path, text in _read_modules().items()
        if not OF_VENDORS.match(path) and path != "model/catalogue.py"
        if len(names.intersection(re.findall(r'"(\w+)"', text))) >= FEW
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.Tuple, ast.List, ast.Set, ast.Dict)) and _lists_settings(node, names)
    ]
    assert LISTING - 1 <= len(found) <= LISTING, found


def _lists_settings(node: ast.Tuple | ast.List | ast.Set | ast.Dict, names: set[str]) -> bool:
    parts = node.keys if isinstance(node, ast.Dict) else node.elts
    words = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return len(words) == len(parts) and sum(word in names for word in words) >= FEW


def test_ever_fewer_modules_speak_of_a_system() -> None:
    """In comments and messages, too: what a system does is asked of its profile, or its package."""
    spoken = {
        path for path, text in _read_modules().items() if OF_SYSTEMS.search(text) and not path.startswith(ITS_OWN)
    }
    counted = Counter(next(room for room in SPOKEN if path.startswith(room)) for path in spoken)
    _check_falls(SPOKEN, {room: counted[room] for room in SPOKEN})


def test_ever_fewer_classes_have_the_name_of_another() -> None:
    """One meaning a name; the packages of vendors mirror each other, and what is called alike there is one."""
    places: dict[str, set[str]] = {}
    for path, text in _read_modules().items():
        for name in re.findall(r"^class ([A-Z]\w*)", text, re.MULTILINE):
            places.setdefault(name, set()).add(re.sub(r"^vendors/\w+/.*", "vendors/*", path))
    alike = sorted(name for name, of in places.items() if len(of) > 1)
    assert len(alike) <= ALIKE, alike
    assert len(alike) >= ALIKE - 1  # lower the limit


def test_an_intent_and_a_running_switch_are_made_by_one_function() -> None:
    """A second one would know a setting that the first does not, or the other way round."""
    for name, modules in BUILT.items():
        made = re.compile(rf"(?<!class )\b{name}\(\n|= {name}\(|return {name}\(")
        of_model = re.compile(rf"from rocecfg\.model import (?:\([^)]*|[^\n]*)\b{name}\b")
        texts = _read_modules().items()
        assert [path for path, text in texts if made.search(text) and of_model.search(text)] == modules, name


def test_ever_fewer_modules_are_a_part_of_another() -> None:
    """Vendors' packages are left out: their modules are called alike for the same tasks, however small."""
    importers: dict[str, set[str]] = {}
    for path, text in _read_modules().items():
        for of, *names in _IMPORT.findall(text):
            for module in (of, *(f"{of}.{name}" for name in re.findall(r"\w+", "".join(names)))):
                importers.setdefault(f"{module.removeprefix('rocecfg.').replace('.', '/')}.py", set()).add(path)
    found = [
        path
        for path, text in _read_modules().items()
        if not path.startswith("vendors/") and len(importers.get(path, ())) == 1 and text.count("\n") < FRAGMENT
    ]
    assert FRAGMENTS - 1 <= len(found) <= FRAGMENTS, found


def _check_falls(limits: dict[str, int], found: dict[str, int]) -> None:
    assert {name: n for name, n in found.items() if n > limits[name]} == {}
    assert {name: n for name, n in found.items() if n < limits[name] - 1} == {}  # lower the limit
