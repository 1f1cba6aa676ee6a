"""What switches and hosts of a small fabric count by a moment, calm or with a port that a storm pauses."""

from __future__ import annotations

from collections.abc import Iterator

HOST_PORTS = [f"Ethernet{n}" for n in (0, 8, 16, 24)]
LEAF_PORTS = [*HOST_PORTS, "Ethernet256", "Ethernet264"]
STRUCK = ("leaf01", "Ethernet8")
EXPORTERS = ("leaf01", "leaf02", "collector", "gnmic", "gpu01")
Sample = tuple[str, dict[str, str], int]


def count(exporter: str, calm: int, struck: int) -> list[Sample]:
    """What one of them shows of the fabric of watched_intents.WHOLE, `calm` seconds after its start.

    `struck`: for so many seconds the port has received 20 000 PFC frames/s more and been paused 95% of the time, and
    its watchdog acted once.
    """
    if exporter.startswith("leaf"):
        return list(_count_leaf(exporter, calm, struck))
    return {"collector": _count_spine, "gnmic": _count_changes, "gpu01": _count_host}[exporter](calm)


def _count_leaf(device: str, calm: int, struck: int) -> Iterator[Sample]:
    for port in LEAF_PORTS:
        queue = {"port": port, "queue": "3"}
        here = struck if (device, port) == STRUCK else 0
        yield "our_pfc3_total", {"port": port}, 300 * calm + 20_000 * here
        yield "our_paused_us", {"port": port, "prio": "3"}, 2_000 * calm + 950_000 * here
        yield "our_storms", queue, int(here > 0)
        yield "our_restored", queue, 0
        yield "our_marked", queue, 100 * calm
        yield "our_xoff_room", {"port": port, "pg": "3"}, 10_000
        yield "sonic_queue_dropped_packets_total", {"device": port, "queue": "3"}, 0
        watermark = {"device": port, "queue": "3", "type": "periodic", "watermark": "shared"}
        yield "sonic_queue_watermark_bytes_total", watermark, 200_000
        yield "sonic_interface_operational_status", {"device": port}, 1


def _count_spine(calm: int) -> list[Sample]:
    found: list[Sample] = []
    for port in ("swp1", "swp2"):
        at = {"host_name": "spine01", "interface": port}
        found += [
            ("nvswitch_interface_sp_rx_pause", at, 300 * calm),
            ("nvswitch_interface_tc_tx_ecn_marked_tc", at | {"tc": "3"}, 100 * calm),
            ("nvswitch_interface_tc_tx_no_buffer_discard_uc", at | {"tc": "3"}, 0),
            ("nvswitch_interface_sp_rx_discard", at, 0),
            ("nvswitch_interface_carrier_changes_total", at, 2),
        ]
    return found


def _count_changes(_: int) -> list[Sample]:
    name = "interfaces_interface_state_counters_carrier_transitions"
    return [(name, {"source": "spine02", "interface_name": f"Ethernet{n}/1"}, 2) for n in (1, 2)]


def _count_host(calm: int) -> list[Sample]:
    card = {"device": "mlx5_0", "port": "1"}
    return [
        ("node_infiniband_np_ecn_marked_roce_packets_received_total", card, 100 * calm),
        ("node_infiniband_np_cnp_packets_sent_total", card, 50 * calm),
        ("node_infiniband_out_of_sequence_packets_received_total", card, 0),
        ("node_ethtool_received_prio3_pause", {"device": "eth0"}, 300 * calm),
        ("node_ethtool_received_prio3_pause_duration", {"device": "eth0"}, 2_000 * calm),
    ]
