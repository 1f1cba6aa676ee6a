"""What the rules on the fabric as a graph take: a Clos of three tiers, 10,656 switches and 310,400 cables.

    python benchmarks/topology.py [--pods 100]

The adjacency is what any of it needs: switches by number, and the bundle of cables between two of them. The verdict on
deadlock is compared with it.
Times are CPU seconds, the least of three runs.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import rocecfg
from rocecfg.analysis import blast, bundles, deadlock, graph, ports, tiers
from rocecfg.model import Fabric, Link
from rocecfg.report import topology

LEAVES, SPINES, CORES = 64, 32, 33  # in a pod; and of each spine's plane
CLASSES = """classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60,
         ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
"""


class Case(NamedTuple):
    """What the fabric's intent says of routing."""

    name: str
    routing: str


CASES = (
    Case("up-down", ""),
    Case("two leaves bounce", 'routing: {bounces: [{at: "p001-leaf[01-02]"}]}\n'),
    Case("every leaf bounces", 'routing: {bounces: [{at: "p[001-PODS]-leaf[01-64]"}]}\n'),
    Case("shortest ways", "routing: {algorithm: shortest}\n"),
)


def device(names: str, role: str, *ports: tuple[str, str]) -> str:
    """Switches with ports and what these face."""
    wording = "".join(f'      "{name}": {{speed: 800G, faces: {faces}}}\n' for name, faces in ports)
    return f'  "{names}":\n    role: {role}\n    ports:\n{wording}'


def intent(pods: int, routing: str) -> str:
    """The fabric as an intent of node sets."""
    p = f"p[001-{pods:03d}]"
    lines = [
        "rocecfg: 1\nfabric: {name: large, topology: clos}\n",
        CLASSES,
        routing.replace("PODS", f"{pods:03d}"),
        "devices:\n",
        device(f"{p}-leaf[01-{LEAVES}]", "leaf", (f"up[1-{SPINES}]", "switch"), ("host[1-32]", "host")),
        device(f"{p}-spine[1-{SPINES}]", "spine", (f"down[1-{LEAVES}]", "switch"), (f"up[1-{CORES}]", "switch")),
        device(f"core[1-{SPINES}]-[1-{CORES}]", "superspine", (f"pod[1-{pods}]", "switch")),
        "links:\n",
    ]
    for s in range(1, SPINES + 1):
        lines.append(f'  - {{a: "{p}-leaf[01-{LEAVES}]:up{s}", b: "{p}-spine{s}:down[1-{LEAVES}]"}}\n')
        lines += [f'  - {{a: "{p}-spine{s}:up{c}", b: "core{s}-{c}:pod[1-{pods}]"}}\n' for c in range(1, CORES + 1)]
    return "".join(lines)


def adjacency(links: list[Link]) -> dict[str, list[str]]:
    """The names next to each name."""
    out: dict[str, list[str]] = {}
    for link in links:
        out.setdefault(link.a_device, []).append(link.b_device)
        out.setdefault(link.b_device, []).append(link.a_device)
    return out


def timed(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """CPU seconds of the fastest of three runs; `before` runs untimed ahead of each."""
    taken = []
    for _ in range(3):
        before()
        gc.collect()
        start = process_time()
        work()
        taken.append(process_time() - start)
    return min(taken)


def fresh(fabric: Fabric, *known: Callable[[Fabric], object]) -> None:
    """Forget what was worked out of a fabric, and work out what the next step stands on."""
    fabric.forget()
    for work in known:
        work(fabric)


def singly(fabric: Fabric) -> list[Link]:
    """Each cable as a link of its own, as a cabling file has them."""
    return [
        link._replace(a_device=a_device, a_port=a_port, b_device=b_device, b_port=b_port)
        for a_device, a_port, b_device, b_port, link in ports.list_wires(fabric.links)
    ]


def judge(case: Case, fabric: Fabric, base: float) -> None:
    """Print the verdict on one case, and what it takes."""
    taken = timed(lambda: deadlock.judge_deadlock(fabric), lambda: fresh(fabric, graph.graph, tiers.tiers))
    found = deadlock.judge_deadlock(fabric)
    word = f"a circle of {len(found.cycle)} links" if found.cycle else found.unknown or f"no circle, by {found.how}"
    print(f"{case.name}: {word}: {taken:.2f} s, {taken / base:.2f} times the adjacency")


def main() -> None:
    """Print what each step takes, and the verdict in times of the adjacency."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pods", type=int, default=100)
    pods = parser.parse_args().pods
    fabrics = []
    for case in CASES:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "fabric.yaml"
            path.write_text(intent(pods, case.routing), encoding="utf-8")
            fabrics.append(rocecfg.load(str(path)))
    fabric = fabrics[0]
    links = singly(fabric)
    names = timed(lambda: adjacency(links))
    print(f"{fabric.extent()[0]} switches, {len(links)} cables: lists of names {names:.2f} s")
    object.__setattr__(fabric, "links", tuple(links))
    base = timed(lambda: graph.graph(fabric), lambda: fresh(fabric, bundles.link_groups))
    print(f"adjacency with bundles, ports and speeds: {base:.2f} s")
    for case, one in zip(CASES, fabrics, strict=True):
        judge(case, one, base)
    spread = timed(lambda: blast.worst_blast(fabric), lambda: fresh(fabric, tiers.tiers, deadlock.judge_deadlock))
    print(f"blast radius of the worst host port: {spread:.2f} s")
    shown = timed(lambda: list(topology.render_topology(fabric)))
    print(f"what `rocecfg show --topology` prints: {shown:.2f} s")


if __name__ == "__main__":
    main()
