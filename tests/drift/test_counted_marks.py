"""Jericho counts marked packets once a counter feature is on: what is meant has its line, and a switch may lack it."""

from __future__ import annotations

from pathlib import Path

from intents import POLICY, rocecfg, write

INTENT = POLICY + (
    'defaults: {vendor: arista, platform: arista-7280dr3a-36, version: "4.33.2F"}\n'
    'devices: {spine01: {role: spine, ports: {"Ethernet[1-2]/1": {speed: 400G, faces: switch, cable: 30m}}}}\n'
)
LINE = "hardware counter feature ecn out\n"
HEAD = "! Command: show running-config\n! device: spine01 (DCS-7280DR3A-36, EOS-4.33.2F)\nhostname spine01\n!\n"


def test_counters_that_a_switch_lacks_are_named(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": INTENT})
    rocecfg(tmp_path, "render", "fabric.yaml", "-o", "rendered", "--no-lint", expect=0)
    text = (tmp_path / "rendered" / "spine01.cfg").read_text(encoding="utf-8")
    assert text.count(LINE) == 1
    for running, expect in ((text, 0), (text.replace(LINE, ""), 1)):
        write(tmp_path, {"run/spine01.cfg": HEAD + running})
        out = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "run", expect=expect).stdout
        assert ("drift: counters of marked packets on spine01" in out) == bool(expect)
        assert (LINE.strip() in out) == bool(expect)
