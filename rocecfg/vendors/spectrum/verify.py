"""Commands of NVUE that show what is looked at after a change."""

from __future__ import annotations

from rocecfg.vendors.spectrum.ranges import fold_ports, parse_port

_COUNTERS = (5, 5)  # `counters qos`; before it, `qos counters`


def verify(ports: tuple[str, ...], release: tuple[int, ...]) -> list[str]:
    """Commands that show PFC, its watchdog and ECN as they work: for the first port, and a comment with the others."""
    front = tuple(port for port in ports if parse_port(port) is not None)
    keys = fold_ports(front)
    out: list[str] = []
    counters = "qos counters" if release and release < _COUNTERS else "counters qos"
    for key in keys[:1]:
        first = front[0]
        out += [f"nv show interface {first} qos pfc", f"nv show interface {first} {counters} pfc-stats"]
        out += [f"nv show interface {first} qos pfc-watchdog", f"nv show interface {first} qos roce counters"]
        if key != first:
            out.append(f"# the same for each of {key}")
    return out
