"""A box is found by what people call it at every entry point, and each names the same one."""

from __future__ import annotations

from pathlib import Path

from intents import POLICY, rocecfg
from loops import loop

from rocecfg.profiles import SHIPPED

_CALLED = {  # as people write it -> the platform, and a vendor that runs on it
    "SN5600": ("nvidia-sn5600", "spectrum"),
    "sn-5600": ("nvidia-sn5600", "sonic"),
    "NVIDIA SN5600": ("nvidia-sn5600", "sonic"),
    "nvidia-sn560": ("nvidia-sn5600", "spectrum"),
    "ACS-MSN4700": ("nvidia-sn4700", "sonic"),  # a HwSKU
    "Z9864F": ("dell-z9864f", "sonic"),
    "DCS-7060X6-64PE-F": ("arista-7060x6-64pe", "arista"),  # a product's full name
    "QFX5240-64OD": ("juniper-qfx5240-64od", "junos"),
}


@loop("word", _CALLED)
def test_each_entry_point_names_the_same_box(word: str, tmp_path: Path) -> None:
    name, vendor = _CALLED[word]
    asked = {
        "profiles": rocecfg(tmp_path, "profiles", word, expect=2).stderr,
    }
    if " " not in word:  # no word of an intent has one
        (tmp_path / "a.yaml").write_text(
            POLICY + f"defaults: {{vendor: {vendor}, platform: {word}}}\n", encoding="utf-8"
        )
        asked["lint"] = rocecfg(tmp_path, "lint", "--no-config", "a.yaml", expect=1).stdout
    made = rocecfg(tmp_path, "init", "lab", "--vendor", vendor, "--platform", word, "--yes")
    if made.returncode == 0:  # a name but for its vendor is enough
        assert name.partition("-")[2] == word.lower()
        assert f"platform: {name} " in (tmp_path / "lab" / "fabric.yaml").read_text(encoding="utf-8")
    else:
        asked["init"] = made.stderr
    for where, told in asked.items():
        assert f"did you mean {name}" in told, (where, told)


def test_a_chip_leads_to_its_boxes(tmp_path: Path) -> None:
    for chip in SHIPPED.names("asics"):
        boxes = [name for name in SHIPPED.names("platforms") if SHIPPED.platform(name).asic == chip]
        assert SHIPPED.list_boxes(chip) == boxes
    told = rocecfg(tmp_path, "profiles", "tomahawk5", expect=0).stdout
    assert "dell-z9864f" in told
    assert "arista-7060x6-64pe" in told


def test_render_and_show_name_the_device_that_is_meant(tmp_path: Path) -> None:
    text = POLICY + "defaults: {vendor: sonic}\ndevices: {leaf01: {role: leaf}}\n"
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    for command in (("render", "--no-lint", "a.yaml", "--device"), ("show", "a.yaml")):
        told = rocecfg(tmp_path, *command, "leaf1", expect=2)
        assert "did you mean leaf01?" in told.stderr, command
        assert "did you mean" not in rocecfg(tmp_path, *command, "somewhere-else", expect=2).stderr
