"""Reference exports that makers published, reduced: lint says of each what it says of the whole, import takes it."""

from __future__ import annotations

from pathlib import Path

import sampling
from imported import check_import
from loops import loop
from one_switch import findings_of, loaded_as

_TEXTS = (Path(__file__).parent / "exports.txt").read_text(encoding="utf-8").split("\n== ")[1:]
EXPORTS = {head: rest for head, _, rest in (text.partition("\n") for text in _TEXTS)}
NAMES = {"spectrum": "switch.nv", "junos": "switch.conf", "arista": "switch.cfg"}


@loop("export", EXPORTS)
def test_what_is_said_of_it(export: str, tmp_path: Path) -> None:
    grave, light, text = EXPORTS[export].split("\n", maxsplit=2)
    vendor = export.split(" ", maxsplit=1)[0]
    found = findings_of(loaded_as(vendor, NAMES[vendor], text)[0])
    assert {f.rule.name for f in found if f.severity != "info"} == set(grave[1:].split())
    assert {f.rule.name for f in found if f.severity == "info"} == set(light[1:].split())
    if export not in sampling.part(EXPORTS, "tests/corpora/exports.txt", "rocecfg/importing"):
        return
    (tmp_path / NAMES[vendor]).write_text(text, encoding="utf-8")
    check_import(tmp_path / NAMES[vendor], tmp_path / "made")
