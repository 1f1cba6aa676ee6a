"""Write what the model says of the referee's networks: to set beside `network.csv`.

    nice python make_network_model.py > network_model.csv

Three seeds a case, of which these are the means; three minutes on one core. A port that its receiver pauses is one that
carries what the receiver takes.
"""

from __future__ import annotations

import csv
import sys
from statistics import fmean

import make_network

from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.physics.dcqcn_network import LinkQueue, NetworkRun, SenderGroup, simulate

SEEDS = (1, 2, 3)


def run(network: make_network.Network, seed: int) -> NetworkRun:
    """One run of the model."""
    speeds = [speed for speed, _ in network.queues]
    receivers = {behind for _, behind, *_ in network.pauses}
    for held, behind, *_ in network.pauses:
        speeds[held] = speeds[behind]
    queues = [
        LinkQueue(speed * 1e9, Curve(kmin * 1e3, kmax * 1e3, pmax))
        for speed, (_, (kmin, kmax, pmax)) in zip(speeds, network.queues, strict=True)
    ]
    groups = [
        SenderGroup(flows, line * 1e9, tuple(queue for queue in path if queue not in receivers))
        for flows, line, path in network.senders
    ]
    params = PAPER._replace(packet=make_network.PACKET, delay_us=network.delay)
    return simulate(queues, groups, params, seed=seed)


def figures(network: make_network.Network) -> list[tuple[str, int, tuple[float, ...]]]:
    """Of each kind of queue and of senders what a row of the table has, but for receivers."""
    runs = [run(network, seed) for seed in SEEDS]
    receivers = {behind for _, behind, *_ in network.pauses}
    queues, senders = network.alike
    out: list[tuple[str, int, tuple[float, ...]]] = []
    for like in queues:
        if like[0] not in receivers:
            seen = [one.queues[n] for one in runs for n in like]
            rows = [(q.mean / 1e3, q.sd / 1e3, q.utilisation * 100, q.beyond * 100) for q in seen]
            out.append(("Q", like[0], tuple(map(fmean, zip(*rows, strict=True)))))
    out.extend(("F", like[0], (fmean(one.rates[n] / 1e9 for one in runs for n in like),)) for like in senders)
    return out


def main() -> None:
    """All networks, as CSV on standard output."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("network", "curve", "what", "number", "mean", "sd", "used", "beyond"))
    for name, curve, network in make_network.networks():
        for what, number, row in figures(network):
            shown = [f"{figure:.2f}" for figure in row]
            out.writerow((name, curve, what, number, *(shown if what == "Q" else ("", "", *shown, ""))))


if __name__ == "__main__":
    main()
