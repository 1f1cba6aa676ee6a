"""Reference exports that makers published, reduced: lint says of each what it says of the whole, import takes it."""

from __future__ import annotations

from pathlib import Path

import sampling
from imported import check_import
from loops import loop
from one_switch import findings_of, loaded_as

_HEAD, *_TEXTS = (Path(__file__).parent / "exports.txt").read_text(encoding="utf-8").split("\n== ")
ARGUED = {
    rule for line in _HEAD.splitlines() if line.startswith("#! ") for rule in line[3:].partition(":")[0].split(", ")
}
EXPORTS = {head: rest for head, _, rest in (text.partition("\n") for text in _TEXTS)}
NO_CLASS = ("SCH020.*cannot express lossless classes alone",)  # a switch for management has no class: import says so
NAMES = {"spectrum": "switch.nv", "junos": "switch.conf", "arista": "switch.cfg"}


def named(vendor: str, text: str) -> str:
    """The name of a file with a text: NVUE is written as commands or as YAML."""
    return "switch.yaml" if text.startswith("- header") else NAMES[vendor]


@loop("export", EXPORTS)
def test_what_is_said_of_it(export: str, tmp_path: Path) -> None:
    grave, light, text = EXPORTS[export].split("\n", maxsplit=2)
    vendor = export.split(" ", maxsplit=1)[0]
    found = findings_of(loaded_as(vendor, named(vendor, text), text)[0])
    assert {f.rule.name for f in found if f.severity != "info"} == set(grave[1:].split())
    assert {f.rule.name for f in found if f.severity == "info"} == set(light[1:].split())
    if export not in sampling.part(EXPORTS, "tests/corpora/exports.txt", "rocecfg/importing"):
        return
    file = tmp_path / named(vendor, text)
    file.write_text(text, encoding="utf-8")
    check_import(file, tmp_path / "made", NO_CLASS)


def test_each_error_and_warning_is_argued() -> None:
    assert {rule for text in EXPORTS.values() for rule in text.partition("\n")[0][1:].split()} == ARGUED
