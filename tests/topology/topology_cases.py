"""Small fabrics for tests on the fabric as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from intents import POLICY

Row = tuple[str, str, str, str]  # device, port, device, port


class Wiring:
    """Cables between ports that are handed out one after another; ends as an intent."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.ports: dict[str, dict[str, tuple[str, str]]] = {}  # device -> port -> speed, faces
        self.roles: dict[str, str] = {}
        self.hosts: dict[str, int] = {}

    def switch(self, name: str, role: str | None = None) -> str:
        """A switch, with its role if it is to have one."""
        self.ports.setdefault(name, {})
        if role is not None:
            self.roles[name] = role
        return name

    def cable(self, low: str, high: str, speed: str = "400G", count: int = 1) -> None:
        """Cables from a switch to one above."""
        for _ in range(count):
            self.rows.append((low, self._port(low, speed, "switch"), high, self._port(high, speed, "switch")))

    def host(self, name: str, leaf: str, speed: str = "400G") -> None:
        """The next NIC of a host, on a leaf."""
        nic = self.hosts[name] = self.hosts.get(name, -1) + 1
        self.rows.append((name, f"nic{nic}", leaf, self._port(leaf, speed, "host")))

    def _port(self, switch: str, speed: str, faces: str) -> str:
        ports = self.ports[switch]
        name = f"Ethernet{len(ports)}"
        ports[name] = speed, faces
        return name

    def text(self, fabric: str = "{name: lab}", *, rows: bool = True, extra: str = "") -> str:
        """The intent. `rows`: with its links."""
        out = [POLICY.replace("{name: lab}", fabric), "devices:\n"]
        for name, ports in self.ports.items():
            role = f"role: {self.roles[name]}, " if name in self.roles else ""
            listed = ", ".join(f"{p}: {{speed: {speed}, faces: {faces}}}" for p, (speed, faces) in ports.items())
            out.append(f"  {name}: {{{role}ports: {{{listed}}}}}\n")
        if rows:
            out.append("links:\n")
            out += [f'  - {{a: "{a}:{p}", b: "{b}:{q}"}}\n' for a, p, b, q in self.rows]
        return "".join(out) + extra


def clos(
    leaves: int, spines: int, hosts: int, *, cables: int = 1, host_speed: str = "400G", up_speed: str = "400G"
) -> Wiring:
    """Two tiers, `hosts` on each leaf and `cables` from each leaf to each spine."""
    wiring = Wiring()
    for n in range(spines):
        wiring.switch(f"spine{n}", "spine")
    for n in range(leaves):
        leaf = wiring.switch(f"leaf{n}", "leaf")
        for h in range(hosts):
            wiring.host(f"gpu{n}x{h}", leaf, host_speed)
        for s in range(spines):
            wiring.cable(leaf, f"spine{s}", up_speed, cables)
    return wiring


def reported(found: Iterable[tuple[str, ...]]) -> list[str]:
    """The names of rules on the topology, of findings as (severity, rule, ...)."""
    return sorted(f[1] for f in found if f[1].startswith("topology-"))
