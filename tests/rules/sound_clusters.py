"""Sound clusters, written from a few numbers each: no rule may find an error in them.

They are what an engineer would build: non-blocking or as oversubscribed as stated, marks before pauses (`ecn: auto`),
CNPs and control strict, watchdogs that wait longer the higher the tier, cables as long as they are.
"""

from __future__ import annotations

from typing import NamedTuple

CLASSES = """\
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: RDMA, ecn: CURVE}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
MORE  default: {carries: [default], dscp: rest, priority: 0, bandwidth: REST}
"""
STORAGE = "  storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 20}\n"
SECOND = "  escape: {carries: [rdma], dscp: 28, priority: 4, lossless: true, bandwidth: 20, ecn: CURVE}\n"
POOLS = "buffers: {pools: {lossless: 90%, lossy: 10%}}"


class Box(NamedTuple):
    """A switch under its system. `step`: what the numbers of SONiC's ports go up by from cage to cage."""

    vendor: str
    platform: str
    version: str
    step: int = 8
    more: str = ""  # keys of the device besides

    def ports(self, first: int, count: int) -> str:
        """The node set of `count` cages from the `first` on, counted from 0."""
        last = first + count - 1
        if self.vendor == "sonic":
            return f"Ethernet[{first * self.step}-{last * self.step}/{self.step}]" if count > 1 else self.port(first)
        before, after = ("swp", "") if self.vendor == "spectrum" else ("Ethernet", "/1")
        return f"{before}[{first + 1}-{last + 1}]{after}" if count > 1 else self.port(first)

    def port(self, number: int) -> str:
        """The name of one cage."""
        if self.vendor == "sonic":
            return f"Ethernet{number * self.step}"
        return f"swp{number + 1}" if self.vendor == "spectrum" else f"Ethernet{number + 1}/1"

    def device(self, name: str, role: str, detection: int, ports: list[str]) -> str:
        """The devices of that node set."""
        dog = f"{{detection_time: {detection}ms, poll_interval: 100ms, action: drop}}"
        more = f"    {self.more}\n" if self.more else ""
        return (
            f'  "{name}":\n    role: {role}\n    vendor: {self.vendor}\n    platform: {self.platform}\n'
            f'    version: "{self.version}"\n    pfc: {{watchdog: {dog}}}\n{more}    ports:\n'
            + "".join(f"      {port}\n" for port in ports)
        )


def text_of(
    name: str,
    devices: list[str],
    links: list[str],
    hosts: str,
    *,
    fabric: str = "kind: backend, workload: ai-training, topology: clos",
    curve: str = "auto",
    more: str = "",
    rdma: int = 80,
    rest: int = 20,
    routing: str = "algorithm: up-down",
    sections: str = "",
) -> str:
    """A whole intent."""
    classes = (
        CLASSES.replace("MORE", more).replace("CURVE", curve).replace("RDMA", str(rdma)).replace("REST", str(rest))
    )
    return (
        f"rocecfg: 1\nfabric: {{name: {name}, mtu: 9000, {fabric}}}\n{classes}routing: {{{routing}}}\n{sections}"
        f"devices:\n{''.join(devices)}links:\n{''.join(f'  - {link}' + chr(10) for link in links)}hosts:\n{hosts}"
    )


def host(names: str, nics: int, speed: str, nic: str, more: str = "", *, rails: bool = False) -> str:
    """A group of GPU servers with as many NICs as GPUs."""
    ports = ", ".join(f"nic{n}: {{{f'rail: {n}, ' if rails else ''}speed: {speed}}}" for n in range(nics))
    return (
        f'  "{names}": {{nic: {nic}, gpus: {nics}, ports: {{{ports}}}, rdma_dscp: 26, cnp_dscp: 48, '
        f"pfc_priorities: [3], trust: dscp, mtu: 9000{more}}}\n"
    )


def span(name: str, first: int, count: int) -> str:
    """Numbered names as a node set."""
    return f"{name}[{first}-{first + count - 1}]" if count > 1 else f"{name}{first}"


def clos(
    name: str,
    leaf: Box,
    spine: Box,
    leaves: int,
    spines: int,
    down: int,
    each: int,
    speeds: tuple[str, str],
    *,
    nic: str = "connectx-7",
    cables: tuple[str, str] = ("3m", "30m"),
    nics: int = 1,
    **more: str | int,
) -> str:
    """Two tiers: `down` ports to hosts a leaf, `each` links from each leaf to each spine; a host is on one leaf."""
    slow, fast = speeds
    near, far = cables
    devices = [
        leaf.device(
            span("leaf", 1, leaves),
            "leaf",
            200,
            [
                f'"{leaf.ports(0, down)}": {{speed: {slow}, faces: host, cable: {near}}}',
                f'"{leaf.ports(down, spines * each)}": {{speed: {fast}, faces: switch, cable: {far}}}',
            ],
        ),
        spine.device(
            span("spine", 1, spines),
            "spine",
            400,
            [f'"{spine.ports(0, leaves * each)}": {{speed: {fast}, faces: switch, cable: {far}}}'],
        ),
    ]
    links = [
        f'{{a: "leaf{m + 1}:{leaf.ports(down + n * each, each)}", b: "spine{n + 1}:{spine.ports(m * each, each)}"}}'
        for m in range(leaves)
        for n in range(spines)
    ]
    servers = down // nics
    ends = [f"{span('gpu', m * servers + 1, servers)}:{span('nic', 0, nics)}" for m in range(leaves)]
    links += [f'{{a: "{end}", b: "leaf{m}:{leaf.ports(0, down)}"}}' for m, end in enumerate(ends, 1)]
    hosts = host(span("gpu", 1, leaves * servers), nics, slow, nic, f", cable_len: {near}")
    return text_of(name, devices, links, hosts, **more)  # type: ignore[arg-type]


def rail(
    name: str,
    leaf: Box,
    spine: Box,
    rails: int,
    spines: int,
    servers: int,
    each: int,
    speeds: tuple[str, str],
    *,
    nic: str = "connectx-7",
    **more: str | int,
) -> str:
    """Rail-optimised: NIC n of every server is on leaf n of its group; spines join the rails."""
    slow, fast = speeds
    ports = [
        f'"{leaf.ports(0, servers)}": {{speed: {slow}, faces: host, cable: 5m}}',
        f'"{leaf.ports(servers, spines * each)}": {{speed: {fast}, faces: switch, cable: 50m}}',
    ]
    devices = [leaf._replace(more=f"rail: {n}").device(f"rail{n}", "rail", 200, ports) for n in range(rails)] + [
        spine.device(
            span("spine", 1, spines),
            "spine",
            400,
            [f'"{spine.ports(0, rails * each)}": {{speed: {fast}, faces: switch, cable: 50m}}'],
        )
    ]
    links = [
        f'{{a: "rail{m}:{leaf.ports(servers + n * each, each)}", b: "spine{n + 1}:{spine.ports(m * each, each)}"}}'
        for m in range(rails)
        for n in range(spines)
    ]
    links += [f'{{a: "{span("gpu", 1, servers)}:nic{n}", b: "rail{n}:{leaf.ports(0, servers)}"}}' for n in range(rails)]
    more.setdefault("fabric", "kind: backend, workload: ai-training, topology: rail")
    hosts = host(span("gpu", 1, servers), rails, slow, nic, ", cable_len: 5m", rails=True)
    return text_of(name, devices, links, hosts, **more)  # type: ignore[arg-type]


def three_tiers(name: str, box: Box, pods: int, speed: str, **more: str | int) -> str:
    """Pods of two leaves and two spines under two superspines, 1:1 at each tier; sixteen hosts a leaf."""
    devices, links = [], []
    ports = [
        f'"{box.ports(0, 16)}": {{speed: {speed}, faces: host, cable: 3m}}',
        f'"{box.ports(16, 16)}": {{speed: {speed}, faces: switch, cable: 30m}}',
    ]
    devices.append(box.device(span("leaf", 1, 2 * pods), "leaf", 200, ports))
    ports = [
        f'"{box.ports(0, 16)}": {{speed: {speed}, faces: switch, cable: 30m}}',
        f'"{box.ports(16, 16)}": {{speed: {speed}, faces: switch, cable: 100m}}',
    ]
    devices.append(box.device(span("spine", 1, 2 * pods), "spine", 400, ports))
    ports = [f'"{box.ports(0, 16 * pods)}": {{speed: {speed}, faces: switch, cable: 100m}}']
    devices.append(box.device(span("core", 1, 2), "superspine", 600, ports))
    for pod in range(pods):
        for m in (1, 2):
            leaf = 2 * pod + m
            links += [
                f'{{a: "leaf{leaf}:{box.ports(8 + 8 * n, 8)}", b: "spine{2 * pod + n}:{box.ports(8 * m - 8, 8)}"}}'
                for n in (1, 2)
            ]
            links += [
                f'{{a: "spine{leaf}:{box.ports(8 + 8 * n, 8)}", b: "core{n}:{box.ports(16 * pod + 8 * m - 8, 8)}"}}'
                for n in (1, 2)
            ]
            links.append(f'{{a: "{span("gpu", 16 * leaf - 15, 16)}:nic0", b: "leaf{leaf}:{box.ports(0, 16)}"}}')
    card = "connectx-8" if speed == "800G" else "connectx-7"  # which has 400G at most
    hosts = host(span("gpu", 1, 32 * pods), 1, speed, card, ", cable_len: 3m")
    return text_of(name, devices, links, hosts, **more)  # type: ignore[arg-type]


def converged(name: str, leaf: Box, spine: Box, speed: str, *, own: Box | None = None, **more: str | int) -> str:
    """Leaves with GPU servers and storage; `own`: storage hangs on a leaf of its own, which shares the role word."""
    down = 24 if own is None else 32
    to_storage = f"{{speed: {speed}, faces: storage, cable: 10m, classes: [storage, default, control]}}"
    up = f"{{speed: {speed}, faces: switch, cable: 30m}}"
    ports = [f'"{leaf.ports(0, down)}": {{speed: {speed}, faces: host, cable: 3m}}']
    if own is None:
        ports.append(f'"{leaf.ports(24, 8)}": {to_storage}')
    devices = [leaf.device("leaf[1-4]", "leaf", 200, [*ports, f'"{leaf.ports(32, 32)}": {up}'])]
    boxes = [leaf] * 4
    if own is not None:
        boxes.append(own)
        devices.append(
            own.device("leaf5", "leaf", 300, [f'"{own.ports(0, 32)}": {to_storage}', f'"{own.ports(32, 32)}": {up}'])
        )
    devices.append(spine.device("spine[1-4]", "spine", 400, [f'"{spine.ports(0, 8 * len(boxes))}": {up}']))
    links = [
        f'{{a: "leaf{m}:{box.ports(32 + 8 * (n - 1), 8)}", b: "spine{n}:{spine.ports(8 * (m - 1), 8)}"}}'
        for m, box in enumerate(boxes, 1)
        for n in range(1, 5)
    ]
    gpus = [span("gpu", (m - 1) * down + 1, down) for m in range(1, 5)]
    links += [f'{{a: "{names}:nic0", b: "leaf{m}:{leaf.ports(0, down)}"}}' for m, names in enumerate(gpus, 1)]
    if own is not None:
        links.append(f'{{a: "disk[1-32]:eth0", b: "leaf5:{own.ports(0, 32)}"}}')
    else:
        links += [f'{{a: "{span("disk", m * 8 - 7, 8)}:eth0", b: "leaf{m}:{leaf.ports(24, 8)}"}}' for m in range(1, 5)]
    hosts = host(span("gpu", 1, 4 * down), 1, speed, "connectx-7", ", cable_len: 3m")
    hosts += f'  "disk[1-32]": {{ports: {{eth0: {{speed: {speed}}}}}}}\n'
    usual = {"fabric": "kind: converged, workload: converged, topology: clos", "more": STORAGE, "rdma": 60}
    return text_of(name, devices, links, hosts, **{**usual, **more})  # type: ignore[arg-type]


def torus(name: str, box: Box, switches: int, speed: str, **more: str | int) -> str:
    """A ring with a dateline: two lossless priorities for RDMA, eight hosts a switch."""
    devices = [
        box.device(
            span("ring", 0, switches),
            "ring",
            200,
            [
                f'"{box.ports(0, 8)}": {{speed: {speed}, faces: switch, cable: 5m}}',
                f'"{box.ports(8, 8)}": {{speed: {speed}, faces: switch, cable: 5m}}',
                f'"{box.ports(16, 8)}": {{speed: {speed}, faces: host, cable: 3m}}',
            ],
        )
    ]
    links = [
        f'{{a: "ring{n}:{box.ports(0, 8)}", b: "ring{(n + 1) % switches}:{box.ports(8, 8)}"}}' for n in range(switches)
    ]
    links += [f'{{a: "{span("gpu", 8 * n + 1, 8)}:nic0", b: "ring{n}:{box.ports(16, 8)}"}}' for n in range(switches)]
    hosts = host(span("gpu", 1, 8 * switches), 1, speed, "connectx-7", ", cable_len: 3m")
    routing = "algorithm: dimension-order, dateline: true"
    more = {
        "fabric": "kind: backend, topology: torus",
        "more": SECOND,
        "rdma": 60,
        "routing": routing,
        **more,
    }
    return text_of(name, devices, links, hosts, **more).replace("pfc_priorities: [3]", "pfc_priorities: [3, 4]")  # type: ignore[arg-type]


def dragonfly(name: str, box: Box, groups: int, speed: str, **more: str | int) -> str:
    """Groups of two switches, each group joined to every other; minimal and adaptive, two lossless priorities."""
    globals_ = groups - 1
    devices, links = [], []
    for group in range(groups):
        ports = [
            f'"{box.ports(0, 16)}": {{speed: {speed}, faces: host, cable: 3m}}',
            f'"{box.ports(16, 16)}": {{speed: {speed}, faces: switch, cable: 5m}}',
            f'"{box.ports(32, 4 * globals_)}": {{speed: {speed}, faces: switch, cable: 50m}}',
        ]
        devices.append(box.device(f"g{group}s[0-1]", "group", 200, ports))
        links.append(f'{{a: "g{group}s0:{box.ports(16, 16)}", b: "g{group}s1:{box.ports(16, 16)}"}}')
        for s in (0, 1):
            first = (2 * group + s) * 16 + 1
            links.append(f'{{a: "{span("gpu", first, 16)}:nic0", b: "g{group}s{s}:{box.ports(0, 16)}"}}')
            for other in range(group + 1, groups):
                a, b = box.ports(32 + 4 * (other - 1), 4), box.ports(32 + 4 * group, 4)
                links.append(f'{{a: "g{group}s{s}:{a}", b: "g{other}s{s}:{b}"}}')
    of_hosts = ", cable_len: 3m, adaptive_routing: true"  # at the NICs too: packets overtake each other
    hosts = host(span("gpu", 1, 32 * groups), 1, speed, "connectx-7", of_hosts)
    more = {
        "fabric": "kind: backend, topology: dragonfly",
        "more": SECOND,
        "rdma": 60,
        "routing": "algorithm: minimal, adaptive: true",
        **more,
    }
    return text_of(name, devices, links, hosts, **more).replace("pfc_priorities: [3]", "pfc_priorities: [3, 4]")  # type: ignore[arg-type]
