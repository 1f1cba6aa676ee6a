"""Slips of a first intent: one finding at the slip, whose help says what to write; written so, it is gone."""

from __future__ import annotations

import json
from pathlib import Path

from intents import POLICY, rocecfg
from loops import loop

INTENT = POLICY + "devices:\n  leaf01:\n    ports:\n      Ethernet[0-120/8]: {speed: 400G, faces: host, cable: 3m}\n"

SLIPS = {  # what stands there -> what is written instead, what the help says
    "priority: 3": ("priority: TC3", "write 3"),
    "rocecfg: 1": ("rocecfg: 2", "2 is not 1"),
    "Ethernet[0-120/8]": ("Ethernet0-Ethernet120", "write Ethernet[0-120], or with a step, Ethernet[0-120/8]"),
    "Ethernet[0-120/8]:": ("Ethernet0-120/8:", "write Ethernet[0-120/8]"),
    " Ethernet[0-120/8]": (' "Ethernet0,8,16"', "write Ethernet[0,8,16]"),
    "cable: 3m": ("cable: 10ft", "10ft is 3.1m, rounded up"),
    "cable: 3m}": ("cable: 118in}", "118in is 3m, rounded up"),
    "faces: host": ("faces: spine", "known: host, storage, switch"),
    "  leaf01:\n": ("   leaf01:\n  leaf02:\n", "indent it to column 1, as line"),
}


def _find(folder: Path, text: str) -> dict[str, str]:
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "lint", "fabric.yaml", "--format", "json")
    found = json.loads(done.stdout)["findings"]
    return {f["name"]: f"{f['message']} {f.get('help') or ''}" for f in found if f["name"].startswith("schema-")}


@loop(("right", "slip", "told"), [(right, *of) for right, of in SLIPS.items()])
def test_the_help_says_what_to_write(right: str, slip: str, told: str, tmp_path: Path) -> None:
    assert INTENT.count(right) == 1, right
    assert _find(tmp_path, INTENT) == {}
    found = _find(tmp_path, INTENT.replace(right, slip))
    assert len(found) == 1, found
    assert told in next(iter(found.values()))


def test_a_section_at_the_wrong_level_is_sent_where_it_belongs(tmp_path: Path) -> None:
    moved = INTENT.replace("pfc:\n  watchdog:", "watchdog:")
    assert moved != INTENT
    assert "move it below pfc: pfc: {watchdog: ...}" in _find(tmp_path, moved)["schema-unknown-key"]


def test_no_column_is_named_where_the_indentation_is_right(tmp_path: Path) -> None:
    found = _find(tmp_path, INTENT.replace("speed: 400G", "speed: 400G: 1"))
    assert "indent" not in found["schema-syntax"]
