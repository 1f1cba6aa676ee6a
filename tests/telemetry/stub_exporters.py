"""Exporters of a small fabric on loopback: what its switches and hosts count, calm or with a port paused by a storm."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

HOST_PORTS = [f"Ethernet{n}" for n in (0, 8, 16, 24)]
LEAF_PORTS = [*HOST_PORTS, "Ethernet256", "Ethernet264"]
Sample = tuple[str, dict[str, str], float]


class Fabric:
    """What is counted on the fabric of watched_intents.WHOLE; `storm` names the switch and port that one pauses."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._struck: float | None = None
        self._where: tuple[str, str] | None = None

    def storm(self, device: str, port: str) -> None:
        """From now on the port receives 20 000 PFC frames/s, is paused 95% of the time, and its watchdog acted once."""
        self._where, self._struck = (device, port), time.monotonic()

    def pages(self) -> dict[str, Callable[[], list[Sample]]]:
        """Each exporter by the last part of its address."""
        leaves = {name: lambda name=name: list(self._leaf(name)) for name in ("leaf01", "leaf02")}
        return {**leaves, "collector": self._collector, "gnmic": self._gnmic, "gpu01": self._host}

    def _leaf(self, device: str) -> Iterator[Sample]:
        now = time.monotonic()
        for port in LEAF_PORTS:
            queue = {"port": port, "queue": "3"}
            struck = now - self._struck if self._struck is not None and (device, port) == self._where else 0.0
            hit = float(struck > 0)
            calm = now - self._start
            yield "our_pfc3_total", {"port": port}, int(300 * calm + 20_000 * struck)
            yield "our_paused_us", {"port": port, "prio": "3"}, int(2_000 * calm + 950_000 * struck)
            yield "our_storms", queue, hit
            yield "our_restored", queue, 0
            yield "our_marked", queue, int(100 * calm)
            yield "our_xoff_room", {"port": port, "pg": "3"}, 10_000
            yield "sonic_queue_dropped_packets_total", {"device": port, "queue": "3"}, 0
            watermark = {"device": port, "queue": "3", "type": "periodic", "watermark": "shared"}
            yield "sonic_queue_watermark_bytes_total", watermark, 200_000
            yield "sonic_interface_operational_status", {"device": port}, 1

    def _collector(self) -> list[Sample]:
        now = time.monotonic()
        calm = now - self._start
        found: list[Sample] = []
        for port in ("swp1", "swp2"):
            at = {"host_name": "spine01", "interface": port}
            found += [
                ("nvswitch_interface_sp_rx_pause", at, int(300 * calm)),
                ("nvswitch_interface_tc_tx_ecn_marked_tc", at | {"tc": "3"}, int(100 * calm)),
                ("nvswitch_interface_tc_tx_no_buffer_discard_uc", at | {"tc": "3"}, 0),
                ("nvswitch_interface_sp_rx_discard", at, 0),
                ("nvswitch_interface_carrier_changes_total", at, 2),
            ]
        return found

    def _gnmic(self) -> list[Sample]:
        name = "interfaces_interface_state_counters_carrier_transitions"
        return [(name, {"source": "spine02", "interface_name": f"Ethernet{n}/1"}, 2) for n in (1, 2)]

    def _host(self) -> list[Sample]:
        now = time.monotonic()
        calm = now - self._start
        card = {"device": "mlx5_0", "port": "1"}
        return [
            ("node_infiniband_np_ecn_marked_roce_packets_received_total", card, int(100 * calm)),
            ("node_infiniband_np_cnp_packets_sent_total", card, int(50 * calm)),
            ("node_infiniband_out_of_sequence_packets_received_total", card, 0),
            ("node_ethtool_received_prio3_pause", {"device": "eth0"}, int(300 * calm)),
            ("node_ethtool_received_prio3_pause_duration", {"device": "eth0"}, int(2_000 * calm)),
        ]


def served(fabric: Fabric) -> http.server.ThreadingHTTPServer:
    """The exporters, each at /NAME of a port of loopback; the caller shuts it down."""
    pages = fabric.pages()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path.lstrip("/"))
            samples = page() if page is not None else []
            body = "".join(f"{name}{{{_labels(labels)}}} {value}\n" for name, labels, value in samples)
            with suppress(ConnectionError):  # Prometheus did not wait for the answer
                self.send_response(200 if page is not None else 404)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.end_headers()
                self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def _labels(labels: dict[str, str]) -> str:
    return ",".join(f'{name}="{value}"' for name, value in labels.items())
