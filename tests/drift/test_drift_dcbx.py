"""DCBX is rendered for EOS where an intent states it, so drift compares it: a peer may turn PFC off by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, rocecfg, write

INTENT = (
    POLICY
    + """\
defaults: {vendor: arista, platform: arista-7060x6-64pe, version: "4.33.2F"DCBX}
devices:
  leaf01: {ports: {"Ethernet[1-2]/1": {speed: 800G, faces: host, cable: 3m}}}
"""
)
HEAD = "! Command: show running-config\n! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)\nhostname leaf01\n!\n"


def drift(folder: Path, stated: str, running: str, expect: int) -> str:
    """What drift says of a switch that was rendered with DCBX, its lines changed to `running`."""
    write(folder, {"on.yaml": INTENT.replace("DCBX", ', dcbx: "on"'), "fabric.yaml": INTENT.replace("DCBX", stated)})
    rocecfg(folder, "render", "on.yaml", "--vendor", "arista", "-o", "rendered", expect=0)
    text = (folder / "rendered" / "leaf01.cfg").read_text(encoding="utf-8")
    assert text.count("   dcbx mode ieee\n") == 2
    write(folder, {"run/leaf01.cfg": HEAD + text.replace("   dcbx mode ieee\n", running)})
    return rocecfg(folder, "drift", "fabric.yaml", "--running", "run", expect=expect).stdout


@pytest.mark.parametrize("running", ["", "   no dcbx mode\n", "   dcbx mode none\n"])
def test_dcbx_that_is_meant_to_be_on_and_is_off(tmp_path: Path, running: str) -> None:
    out = drift(tmp_path, ', dcbx: "on"', running, expect=1)
    assert "drift: DCBX on leaf01 Ethernet[1-2]/1 (2 ports)\n  meant on (fabric.yaml:11), running " in out
    assert "    interface Ethernet1/1\n       dcbx mode ieee\n" in out


def test_dcbx_that_is_meant_to_be_off_and_is_on(tmp_path: Path) -> None:
    out = drift(tmp_path, ', dcbx: "off"', "   dcbx mode cee\n", expect=1)
    assert "meant off (fabric.yaml:11), running on (run/leaf01.cfg:" in out
    assert "    interface Ethernet1/1\n       no dcbx mode\n" in out


@pytest.mark.parametrize(
    ("stated", "running"),
    [
        (', dcbx: "on"', "   dcbx mode ieee\n"),
        (', dcbx: "on"', "   dcbx mode cee\n"),  # which of the two an intent does not say
        (', dcbx: "off"', ""),  # off unless it is said
        (', dcbx: "off"', "   no dcbx mode\n"),
        ("", "   dcbx mode ieee\n"),  # nothing is meant
    ],
)
def test_dcbx_as_it_is_meant_or_of_which_nothing_is_meant(tmp_path: Path, stated: str, running: str) -> None:
    assert drift(tmp_path, stated, running, expect=0).splitlines()[-1].startswith("no drift in ")
