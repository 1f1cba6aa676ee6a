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
