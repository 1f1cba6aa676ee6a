"""Shares in percent are read with and without the sign; what could be a part of 1 is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import FABRIC, POLICY, device, fabric, findings, loaded


@pytest.mark.parametrize("share", ["60", "60%", "60 %", '"60%"', "60.0%"])
def test_a_class_has_the_same_bandwidth_with_and_without_the_sign(share: str, tmp_path: Path) -> None:
    text = POLICY.replace("bandwidth: 60", f"bandwidth: {share}")
    assert findings(tmp_path, text) == []
    of = fabric(tmp_path, text)
    assert of.devices[0].classes[0].bandwidth == 60


@pytest.mark.parametrize("shares", ["{lossless: 50, lossy: 40}", "{lossless: 50%, lossy: 40%}"])
def test_pools_too(shares: str, tmp_path: Path) -> None:
    text = FABRIC.replace("defaults:\n", f"defaults:\n  buffers: {{pools: {shares}}}\n")
    leaf = device(fabric(tmp_path, text), "leaf01")
    assert (leaf.buffers.lossless_pool, leaf.buffers.lossy_pool) == (50, 40)


@pytest.mark.parametrize("part", ["25", "25%"])
def test_parts_of_a_rollout_and_of_a_blast_too(part: str, tmp_path: Path) -> None:
    text = FABRIC.replace("  mtu: 9000\n", f"  mtu: 9000\n  blast_radius: {part}\n", 1)
    text += f"rollout: {{at_once: {part}}}\n"
    stated, sources = loaded(tmp_path, text)
    assert stated.fabric is not None
    assert sources
    assert stated.fabric.facts["blast_radius"] == 25
    assert stated.fabric.facts["rollout"]["at_once"].value == 25
    assert not stated.problems


@pytest.mark.parametrize(
    ("old", "new", "rule", "help"),
    [
        # of all bytes or of one: both are meant where somebody writes 0.5
        ("defaults:\n", "defaults:\n  buffers: {pools: {lossless: 0.5}}\n", "schema-unit", "50%"),
        ("defaults:\n", "defaults:\n  buffers: {pools: {lossless: 1}}\n", "schema-unit", "1%"),
        # a rate may stand there too, so that 20 could be percent or Gbit/s
        ("bandwidth: 60\n", "bandwidth: 60\n    guaranteed: 20\n", "schema-unit", "20"),
        # a probability: 0.05 and 5% are both usual
        ("pmax: 5%\n", "pmax: 5\n", "schema-unit", "5%"),
        ("bandwidth: 60\n", "bandwidth: 60percent\n", "schema-type", ""),
        ("bandwidth: 60\n", "bandwidth: -5%\n", "schema-unit", ""),
        ("bandwidth: 60\n", "bandwidth: 101%\n", "schema-range", ""),
    ],
)
def test_what_could_mean_two_things_is_an_error(old: str, new: str, rule: str, help: str, tmp_path: Path) -> None:
    (one,) = [f for f in findings(tmp_path, FABRIC.replace(old, new, 1)) if f.rule.startswith("schema-")]
    assert (one.rule, one.severity) == (rule, "error")
    assert help in one.help
