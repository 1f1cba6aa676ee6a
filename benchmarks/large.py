"""Write single texts that are large: links as CSV and as one flow list, `nv set` lines, many classes.

    python large.py OUT [PART]

PART: write only so large a part, such as 0.01, to try it out. The same arguments give the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

CABLES = 300_000  # lines of CSV
FLOW = 48_000_000  # bytes of one flow list
COMMANDS = 40_000_000  # bytes of `nv set` lines
CLASSES = (100, 1000)
PORTS = 64  # of a switch

_FABRIC = """rocecfg: 1
fabric: {{name: large, mtu: 9000}}
classes:
  rdma:
    {{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 80, ecn: {{kmin: 400KB, kmax: 1MB, pmax: 9%}}}}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  control: {{carries: [control], dscp: 56, priority: 7, bandwidth: strict}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 20}}
pfc: {{watchdog: {{detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}}}
defaults: {{vendor: sonic, version: "202505", role: switch}}
devices:
  "leaf[00001-{count:05d}]": {{ports: {{"Ethernet[0-504/8]": {{speed: 400G, faces: switch, cable: 30m}}}}}}
  "spine[00001-{count:05d}]": {{ports: {{"Ethernet[0-504/8]": {{speed: 400G, faces: switch, cable: 30m}}}}}}
"""


def cables(count: int) -> Iterator[tuple[str, str, str, str]]:
    """Cables of pods of 64 leaves and 64 spines, each joined to each once: device and port at both ends."""
    for number in range(count):
        leaf, port = divmod(number, PORTS)
        spine = leaf // PORTS * PORTS + port
        yield f"leaf{leaf + 1:05d}", f"Ethernet{port * 8}", f"spine{spine + 1:05d}", f"Ethernet{leaf % PORTS * 8}"


def fabric(count: int) -> str:
    """An intent with switches enough for so many cables."""
    pods = -(-count // (PORTS * PORTS))
    return _FABRIC.format(count=pods * PORTS)


def commands(size: int) -> Iterator[str]:
    """Lines of `nv set`: a third about ports, the others about routing. 64 ports get theirs again and again."""
    written = number = 0
    while written < size:
        port = number % PORTS
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        lines = (
            f"nv set interface swp{port + 1} ip address 10.0.0.{port * 2}/31\n"
            f"nv set vrf default router bgp neighbor {address} remote-as {64000 + number % 1000}\n"
            f"nv set router policy prefix-list own rule {number} match {address}/32\n"
        )
        yield lines
        written += len(lines)
        number += 1


def main(out: str, part: str = "1") -> None:
    """Write them; print nothing."""
    share, folder = float(part), Path(out)
    for name in ("csv", "flow", "nv", *map(str, CLASSES)):
        (folder / name).mkdir(parents=True)
    count = int(CABLES * share)
    (folder / "csv" / "fabric.yaml").write_text(f"{fabric(count)}links: [links.csv]\n", encoding="utf-8")
    with (folder / "csv" / "links.csv").open("w", encoding="utf-8") as file:
        file.writelines(f"{','.join(ends)},30m\n" for ends in cables(count))
    row = '{{a: "{}:{}", b: "{}:{}", cable: 30m}}'
    count = int(FLOW * share) // (len(row.format(*next(cables(1)))) + 4)
    links = ", ".join(row.format(*ends) for ends in cables(count))
    (folder / "flow" / "fabric.yaml").write_text(f"{fabric(count)}links: [{links}]\n", encoding="utf-8")
    with (folder / "nv" / "leaf.nv").open("w", encoding="utf-8") as file:
        file.writelines(commands(int(COMMANDS * share)))
    for number in CLASSES:
        lines = (
            f"  c{n:04d}: {{carries: [own{n}], priority: {n % 8}, bandwidth: 12.5{'' if n else ', dscp: rest'}}}\n"
            for n in range(number)
        )
        text = f"rocecfg: 1\nfabric: {{name: a, mtu: 9000}}\nclasses:\n{''.join(lines)}"
        (folder / str(number) / "fabric.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
