"""Under Cumulus Linux a pause that begins below one packet: an intent and what is rendered from it are judged alike."""

from __future__ import annotations

from pathlib import Path

from intents import judged, rocecfg, write
from loops import loop

FABRIC = """rocecfg: 1
fabric: {name: lab, mtu: MTU}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: auto}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 300ms, poll_interval: 100ms}, headroom: {size: 600KB, xoff: XOFF, xon: 500B}}
defaults: {vendor: spectrum, platform: nvidia-sn5600, version: "5.14", speed: 400G, cable: 5m}
devices:
  leaf01: {ports: {"swp[1-4]": {faces: host}}}
"""


@loop(
    ("mtu", "begins", "wrong"),
    [(9216, 9000, True), (9216, 29000, False), (1500, 1000, True), (1500, 5000, False)],
)
def test_it_is_told_of_both_or_of_neither(mtu: int, begins: int, *, wrong: bool, tmp_path: Path) -> None:
    """MTUs are set with the interfaces, which no rendering names: they stand beside it."""
    text = FABRIC.replace("MTU", str(mtu)).replace("XOFF", f"{600_000 - begins}B")
    told = {f.rule for f in judged(tmp_path, text)[0] if f.severity == "error"}
    assert told == ({"buffer-xon"} if wrong else set())
    write(tmp_path, {"fabric.yaml": text})
    rocecfg(tmp_path, "render", "--vendor", "spectrum", "-o", "out", "--as", "commands", "--no-lint", expect=0)
    (rendered,) = (tmp_path / "out").glob("leaf01*")
    lines = "".join(f"nv set interface swp{n} link mtu {mtu}\n" for n in range(1, 5))
    rendered.write_text(rendered.read_text(encoding="utf-8") + lines, encoding="utf-8")
    of_switch = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", rendered).stdout
    assert ("error NVU805" in of_switch) == wrong, of_switch
