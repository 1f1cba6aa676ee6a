"""What a configuration says of pools and thresholds, in place of what profiles expect of such a switch."""

from __future__ import annotations

from rocecfg.model import Device, Pools, PortGroup, RunningGroup, RunningPool
from rocecfg.model.frozen import replace


def configured(device: Device) -> Device:
    """A device with the pool sizes and the alphas that its own configuration states."""
    ports = tuple(map(_port, device.ports))
    pools = _pools(device)
    if pools is device.pools and all(mine is before for mine, before in zip(ports, device.ports, strict=True)):
        return device
    return replace(device, ports=ports, pools=pools)


def _port(port: PortGroup) -> PortGroup:
    """Alpha as the lossless priority groups have it; none where they pause at a fixed size."""
    bound = [group for group in _lossless(port) if group.alpha is not None or group.static is not None]
    if not bound:
        return port
    lowest = min(bound, key=lambda group: -1 if group.alpha is None else group.alpha)
    return replace(port, alpha=lowest.alpha, origins={**port.origins, "alpha": lowest.at("alpha", "static")})


def _lossless(port: PortGroup) -> list[RunningGroup]:
    groups = port.running.groups if port.running is not None else ()
    return [group for group in groups if group.lossless and group.number in port.pfc]


def _pools(device: Device) -> Pools:
    """The pools as stated: what lossless priority groups draw from, and the headroom that they share."""
    pool = _drawn_from(device)
    if pool is None or pool.size is None:
        return device.pools
    known = device.pools
    shared = pool.shared_headroom or 0
    if not shared and device.buffers.shared_headroom is not None:
        shared = device.buffers.shared_headroom
    origins = {**known.origins, "lossless": pool.at("size"), "shared_headroom": pool.at("shared_headroom", "size")}
    return Pools(known.total, pool.size, shared, origins)


def _drawn_from(device: Device) -> RunningPool | None:
    """The ingress pool of the lossless priority groups; None: none is stated, or there are several."""
    running = device.running
    if running is None:
        return None
    named = {group.pool for port in device.ports for group in _lossless(port) if group.pool is not None}
    ingress = [pool for pool in running.pools if pool.direction in ("ingress", "both")]
    found = [pool for pool in ingress if (pool.name in named if named else pool.lossless)]
    return found[0] if len(found) == 1 else None
