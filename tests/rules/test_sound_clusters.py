"""Sound clusters lint without error, and each warning on one is what an engineer would act on, or waive with a reason.

Systems of three vendors alone and together, 100G to 800G, 32 to 2048 hosts; two and three tiers, rails, dragonfly,
torus; training, inference, storage, converged with storage on the GPU leaves or on its own; thresholds worked out, and
as vendors publish them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from intents import findings, judged
from loops import loop
from sound_clusters import POOLS, Box, clos, converged, dragonfly, rail, three_tiers, torus

from rocecfg.linting.causes import fold_by_cause

BACKEND = "kind: backend, topology: clos"
TWO = ("100G", "100G"), ("200G", "200G"), ("400G", "400G"), ("800G", "800G")
G100, G200, G400, G800 = TWO
FASTER = ("400G", "800G")


def nvue(platform: str, version: str = "5.14") -> Box:
    return Box("spectrum", platform, version, more=POOLS)


def sonic(platform: str, version: str = "202505", step: int = 8) -> Box:
    return Box("sonic", platform, version, step)


def eos(platform: str) -> Box:
    return Box("arista", platform, "4.33.2F")


SN5600, SN5600_SONIC = nvue("nvidia-sn5600"), sonic("nvidia-sn5600")
Z9864F, X6 = sonic("dell-z9864f", "202605"), eos("arista-7060x6-64pe")
PUBLISHED = {
    "nvidia": "{kmin: 150KB, kmax: 1500KB, pmax: 100%}",
    "arista": "{kmin: 256KB, kmax: 512KB, pmax: 100%}",
    "sonic": "{kmin: 1MiB, kmax: 2MiB, pmax: 5%}",
    "nxos": "{kmin: 950KB, kmax: 3000KB, pmax: 7%}",
}


class Cluster(NamedTuple):
    name: str
    text: Callable[[str], str]
    findings: Mapping[tuple[str, str], str] = MappingProxyType({})  # severity and rule: why it is right


def alike(name: str, box: Box, size: tuple[int, int, int, int], speeds: tuple[str, str], nic: str) -> Cluster:
    """Two tiers of one box: leaves, spines, hosts a leaf, links from each leaf to each spine."""
    return Cluster(name, lambda _: clos(name, box, box, *size, speeds, nic=nic))


SMALL, LARGE = (2, 2, 16, 8), (4, 4, 32, 8)
ASSUMED = {("info", "topology-vc-count"): "that priorities change at global links is assumed until `dateline` says so"}
CLUSTERS = [
    # -- two tiers of one box, by vendor and chip
    alike("nvue-sn2700", nvue("nvidia-sn2700"), SMALL, G100, "connectx-5"),
    alike("nvue-sn3700", nvue("nvidia-sn3700"), (4, 2, 16, 8), G200, "connectx-6"),
    alike("nvue-sn4600c", nvue("nvidia-sn4600c"), LARGE, G100, "connectx-6-dx"),
    alike("nvue-sn4700", nvue("nvidia-sn4700"), (4, 2, 16, 8), G400, "connectx-7"),
    alike("nvue-sn5400", nvue("nvidia-sn5400"), (8, 4, 32, 8), G400, "connectx-7"),
    alike("nvue-sn5600", nvue("nvidia-sn5600", "5.16"), (8, 4, 32, 8), G800, "connectx-8"),
    alike("nvue-sn5600-bluefield", SN5600, LARGE, G400, "bluefield-3"),
    alike("sonic-sn2700", sonic("nvidia-sn2700", "202405", 4), SMALL, G100, "connectx-5"),
    alike("sonic-sn3700", sonic("nvidia-sn3700", "202405", 4), (4, 2, 16, 8), G200, "connectx-6"),
    alike("sonic-sn4700", sonic("nvidia-sn4700"), (4, 2, 16, 8), G400, "connectx-7"),
    alike("sonic-sn5640", sonic("nvidia-sn5640"), (4, 2, 32, 16), G400, "connectx-7"),
    alike("sonic-z9100", sonic("dell-z9100", "202311", 4), SMALL, G100, "connectx-5"),
    alike("sonic-s5232f", sonic("dell-s5232f", "202405", 4), SMALL, G100, "connectx-6-dx"),
    alike("sonic-z9264f", sonic("dell-z9264f", "202405", 4), LARGE, G100, "thor"),
    alike("sonic-z9332f", sonic("dell-z9332f", "202405"), SMALL, G400, "connectx-7"),
    alike("sonic-z9664f", sonic("dell-z9664f", "202511", 4), LARGE, G400, "thor2"),
    alike("sonic-7260cx3", sonic("arista-7260cx3-64", "202405", 4), LARGE, G100, "connectx-6-dx"),
    alike("sonic-7060x6", sonic("arista-7060x6-64pe", "202511"), LARGE, G800, "connectx-8"),
    alike("sonic-h4-64d", sonic("nokia-ixr7220-h4-64d", "202405"), LARGE, G400, "thor2"),
    alike("sonic-h5-64d", sonic("nokia-ixr7220-h5-64d"), LARGE, G400, "connectx-7"),
    alike("sonic-h5-64o", sonic("nokia-ixr7220-h5-64o"), LARGE, G800, "connectx-8"),
    alike("sonic-ix9", sonic("quanta-ix9-32x", "202405"), SMALL, G400, "connectx-7"),
    alike("sonic-t7132s", sonic("supermicro-sse-t7132s", "202405"), SMALL, G400, "connectx-7"),
    alike("sonic-dbmvtx9180", sonic("marvell-dbmvtx9180"), LARGE, G800, "connectx-8"),
    alike("sonic-as9516", sonic("accton-as9516-32d", "202405"), SMALL, G400, "connectx-7"),
    alike("sonic-h6-128", sonic("nokia-ixr7220-h6-128", "202511"), (4, 4, 64, 16), G800, "connectx-8"),
    alike("eos-7050cx3", eos("arista-7050cx3-32s"), SMALL, G100, "connectx-5"),
    alike("eos-7260cx3", eos("arista-7260cx3-64"), (4, 2, 32, 16), G100, "connectx-6-dx"),
    alike("eos-7060dx4", eos("arista-7060dx4-32"), SMALL, G400, "connectx-7"),
    alike("eos-7060dx5", eos("arista-7060dx5-64s"), LARGE, G400, "connectx-7"),
    alike("eos-7060x6", X6, LARGE, G800, "connectx-8"),
    # -- leaves and spines of two chips or vendors
    Cluster("nvue-under-eos", lambda n: clos(n, SN5600, X6, 4, 2, 32, 8, FASTER)),
    Cluster("sonic-under-eos", lambda n: clos(n, Z9864F, X6, 4, 2, 32, 8, FASTER)),
    Cluster("nvue-under-sonic", lambda n: clos(n, SN5600, Z9864F, 4, 2, 32, 8, FASTER)),
    Cluster("sonic-under-nvue", lambda n: clos(n, SN5600_SONIC, SN5600, 4, 2, 32, 8, FASTER)),
    Cluster(
        "jericho2-spines", lambda n: clos(n, eos("arista-7060dx5-64s"), eos("arista-7280dr3a-36"), 2, 2, 32, 16, G400)
    ),
    Cluster("jericho3-spines", lambda n: clos(n, X6, eos("arista-7280r4-32qf-32df"), 2, 2, 32, 8, FASTER)),
    # -- sizes, cables, servers
    Cluster("servers-of-eight", lambda n: clos(n, SN5600, SN5600, 2, 2, 32, 8, FASTER, nics=8)),
    Cluster("long-cables", lambda n: clos(n, SN5600, SN5600, 2, 2, 16, 8, G400, cables=("10m", "300m"))),
    Cluster("sixteen-leaves", lambda n: clos(n, Z9864F, Z9864F, 16, 4, 32, 4, FASTER)),
    Cluster("hosts-1024", lambda n: clos(n, SN5600, SN5600, 32, 16, 32, 1, FASTER)),
    Cluster("hosts-2048", lambda n: clos(n, X6, X6, 64, 32, 32, 1, G800, nic="connectx-8")),
    Cluster(
        "oversubscribed-as-meant",
        lambda n: clos(n, SN5600, SN5600, 4, 2, 32, 4, FASTER, fabric=f'{BACKEND}, oversubscription: "2:1"'),
        {("warning", "topology-n-1"): "two spines: one lost leaves half of what is little already"},
    ),
    # -- rails
    Cluster("rails-nvue", lambda n: rail(n, SN5600, SN5600, 8, 4, 32, 4, FASTER)),
    Cluster("rails-eos", lambda n: rail(n, X6, X6, 8, 4, 32, 4, FASTER)),
    Cluster("rails-sonic-eos", lambda n: rail(n, Z9864F, X6, 8, 4, 32, 4, FASTER)),
    Cluster("rails-of-four", lambda n: rail(n, sonic("nvidia-sn4700"), sonic("nvidia-sn4700"), 4, 2, 16, 8, G400)),
    Cluster(
        "rails-800g",
        lambda n: rail(
            n, sonic("nokia-ixr7220-h5-64o"), sonic("nokia-ixr7220-h5-64o"), 8, 4, 32, 8, G800, nic="connectx-8"
        ),
    ),
    # -- three tiers
    Cluster("three-tiers-nvue", lambda n: three_tiers(n, nvue("nvidia-sn5400"), 2, "400G")),
    Cluster("three-tiers-sonic", lambda n: three_tiers(n, SN5600_SONIC, 3, "400G")),
    Cluster("three-tiers-eos", lambda n: three_tiers(n, X6, 2, "800G")),
    # -- dragonfly and torus
    Cluster("dragonfly-nvue", lambda n: dragonfly(n, SN5600, 4, "400G"), ASSUMED),
    Cluster("dragonfly-eos", lambda n: dragonfly(n, X6, 3, "400G"), ASSUMED),
    Cluster("torus-nvue", lambda n: torus(n, SN5600, 4, "400G")),
    Cluster("torus-eos", lambda n: torus(n, X6, 6, "400G")),
    # -- what else a cluster is for
    Cluster("converged-nvue", lambda n: converged(n, SN5600, SN5600, "400G")),
    Cluster("converged-eos", lambda n: converged(n, X6, X6, "400G")),
    Cluster("storage-leaf-mixed", lambda n: converged(n, SN5600, X6, "400G", own=nvue("nvidia-sn5400", "5.11"))),
    Cluster("storage-leaf-sonic", lambda n: converged(n, Z9864F, Z9864F, "400G", own=sonic("nokia-ixr7220-h4-64d"))),
    Cluster(
        "storage",
        lambda n: clos(
            n,
            nvue("nvidia-sn3700"),
            nvue("nvidia-sn3700"),
            *SMALL,
            G200,
            nic="connectx-6",
            fabric=f"{BACKEND}, workload: storage-rdma",
        ),
    ),
    Cluster(
        "storage-100g",
        lambda n: clos(
            n,
            sonic("arista-7260cx3-64", "202405", 4),
            sonic("arista-7260cx3-64", "202405", 4),
            4,
            2,
            16,
            8,
            G100,
            nic="connectx-6-dx",
            fabric=f"{BACKEND}, workload: storage-rdma",
        ),
    ),
    Cluster(
        "inference",
        lambda n: clos(n, SN5600, SN5600, 2, 2, 32, 16, G400, fabric=f"{BACKEND}, workload: ai-inference"),
    ),
    Cluster(
        "receivers-admit",
        lambda n: clos(
            n,
            SN5600,
            SN5600,
            2,
            2,
            32,
            16,
            G400,
            curve="off",
            fabric=f"{BACKEND}, congestion_control: {{kind: none, reason: receivers admit, admission_control: true}}",
        ),
    ),
    Cluster(
        "lossy",
        lambda n: (
            clos(n, SN5600, SN5600, 4, 2, 32, 8, FASTER, fabric=f"{BACKEND}, mode: lossy")
            .replace("lossless: true, ", "")
            .replace("pfc_priorities: [3]", "pfc_priorities: [], selective_repeat: true")
        ),
    ),
    # -- thresholds as published
    Cluster(
        "nvidia-as-published",
        lambda n: clos(n, SN5600._replace(more=""), SN5600._replace(more=""), *SMALL, G400, curve=PUBLISHED["nvidia"]),
        {("warning", "ecn-vendor-default"): "stock values know neither speed nor workload"},
    ),
    Cluster(
        "arista-as-published",
        lambda n: clos(n, X6, X6, *SMALL, G400, curve=PUBLISHED["arista"]),
    ),
    Cluster(
        "sonic-as-shipped",
        lambda n: clos(n, SN5600_SONIC, SN5600_SONIC, *SMALL, G400, curve=PUBLISHED["sonic"]),
        {
            ("warning", "ecn-vendor-default"): "stock values know neither speed nor workload",
            ("info", "ecn-before-pfc"): "with all 32 ports congested, pauses come before full marking",
        },
    ),
    Cluster("nxos-scripts", lambda n: clos(n, X6, X6, *SMALL, G400, curve=PUBLISHED["nxos"])),
    Cluster(
        "measured",
        lambda n: clos(n, SN5600, SN5600, *SMALL, G400, curve="{kmin: 300KB, kmax: 1MB, pmax: 10%, profiled: true}"),
    ),
]


def found(text: str, folder: Path) -> Counter[tuple[str, str]]:
    return Counter((f.severity, f.rule) for f in findings(folder, text) if f.rule != "hygiene-absent")


@loop("cluster", CLUSTERS, lambda cluster: cluster.name)
def test_no_error_and_only_warnings_that_are_right(cluster: Cluster, tmp_path: Path) -> None:
    assert set(found(cluster.text(cluster.name), tmp_path)) == set(cluster.findings)


@loop("cluster", CLUSTERS[::7], lambda cluster: cluster.name)
def test_what_is_silent_was_looked_at(cluster: Cluster, tmp_path: Path) -> None:
    """The same clusters with hosts that mark otherwise, and with shares that sum to more."""
    text = cluster.text(cluster.name)
    assert ("error", "mix-host-tc") in found(text.replace("rdma_dscp: 26", "rdma_dscp: 34"), tmp_path)
    assert ("error", "ets-sum") in found(text.replace("bandwidth: 20}", "bandwidth: 30}"), tmp_path)


def test_there_are_at_least_sixty() -> None:
    assert len({cluster.name for cluster in CLUSTERS}) == len(CLUSTERS) >= 60


@loop("box", [SN5600, SN5600_SONIC, X6, sonic("nokia-ixr7220-h5-64d")], lambda box: f"{box.vendor} {box.platform}")
def test_one_fault_of_cables_is_one_finding_on_each_box(box: Box, tmp_path: Path) -> None:
    lines = clos("lab", box, box, 4, 2, 16, 8, G400).splitlines()
    first, second = (
        next(n for n, line in enumerate(lines) if f'a: "{a}:' in line and f'b: "{b}:' in line)
        for a, b in (("leaf1", "spine1"), ("leaf2", "spine2"))
    )
    crossed = list(lines)
    halves = [lines[n].partition(", b: ") for n in (first, second)]
    crossed[first], crossed[second] = (halves[n][0] + ", b: " + halves[1 - n][2] for n in (0, 1))
    missing = [line for n, line in enumerate(lines) if n != first]
    for text, rule in ((crossed, "topology-crossed"), (missing, "topology-uneven-uplinks")):
        _, run = judged(tmp_path, "\n".join(text) + "\n")
        told = [f for f in fold_by_cause(run.findings) if f.severity != "info"]
        assert [f.rule.name for f in told if f.rule.name.startswith(("topology-", "link-"))] == [rule]
        assert "leaf1" in told[0].message
        assert "spine1" in told[0].message
