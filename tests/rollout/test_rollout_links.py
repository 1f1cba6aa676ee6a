"""Plans from an older intent: what no text renders of links is no change between two of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, rocecfg

PORTS = {
    "sonic": ("dell-z9664f", "202505", "Ethernet0", "Ethernet8", "PortChannel1"),
    "spectrum": ("nvidia-sn5600", "5.14", "swp1", "swp2", "bond1"),
    "arista": ("arista-7060dx5-64s", "4.33.2F", "Ethernet1/1", "Ethernet2/1", "Port-Channel1"),
}


@pytest.mark.parametrize("vendor", PORTS)
def test_links_that_both_intents_state(tmp_path: Path, vendor: str) -> None:
    platform, version, first, second, lag = PORTS[vendor]
    link = "speed: 400G, fec: rs, layer: 3, cable: 5m"
    new = (
        f'{POLICY}defaults: {{vendor: {vendor}, platform: {platform}, version: "{version}"}}\n'
        f"devices:\n  leaf1:\n    ports:\n      {first}: {{{link}}}\n      {second}: {{{link}, lag: {lag}}}\n"
    )
    (tmp_path / "new.yaml").write_text(new, encoding="utf-8")
    (tmp_path / "old.yaml").write_text(new.replace("kmax: 1600KB", "kmax: 2000KB"), encoding="utf-8")
    done = rocecfg(tmp_path, "plan", "new.yaml", "--from", "old.yaml", expect=0)
    _, _, changes = done.stdout.partition("## What changes")
    told = [line for line in changes.partition("## Mind")[0].splitlines() if line.startswith("- ")]
    assert len(told) == 1
    assert told[0].startswith("- ECN of queue 3 on leaf1")


def test_what_no_step_changes_makes_no_stage_and_is_told_as_work_by_hand(tmp_path: Path) -> None:
    """No plan sets the speed of a port: a stage with nothing in it saved, tested and rolled back nothing."""
    ports = "{Ethernet0: {speed: 400G, cable: 5m}, Ethernet8: {speed: 400G, cable: 5m}}"
    old = (
        f'{POLICY}defaults: {{vendor: sonic, platform: dell-z9664f, version: "202505"}}\n'
        f"devices:\n  leaf1: {{ports: {ports}}}\n  leaf2: {{ports: {ports}}}\n"
    )
    slow = old[::-1].replace("G004 :deeps{ :8", "G002 :deeps{ :8", 1)[::-1]  # of the last port
    both = slow.replace("kmax: 1600KB", "kmax: 2000KB")
    for name, text in (("old", old), ("slow", slow), ("both", both)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    shown = rocecfg(tmp_path, "plan", "slow.yaml", "--running-intent", "old.yaml", expect=0).stdout
    assert "## Stage" not in shown
    assert "as intended" not in shown.partition("\n## ")[0] or "1 device as intended" in shown
    assert "- port speed on leaf2 Ethernet8 (1 port): port speed 400G becomes 200G" in shown
    (line,) = (line for line in shown.splitlines() if "no stage of this plan" in line)
    assert "leaf2" in line
    assert "sudo config interface speed PORT MBIT" in line
    shown = rocecfg(tmp_path, "plan", "both.yaml", "--running-intent", "old.yaml", expect=0).stdout
    assert shown.count("## Stage") == 2  # ECN of both: what is left by hand stands in the stage that changes the rest
    assert "no stage of this plan" not in shown
