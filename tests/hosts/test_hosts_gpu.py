"""Queue pairs that GPUs post to by themselves: no ToS forced on a NIC reaches them; their library marks them, or "
"nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import FABRIC, findings, loaded, rocecfg, write

from rocecfg.hosts.files import render_files

RULE = "nic-gpu-initiated"
FORCED = FABRIC.replace("    rdma_dscp: 26\n", "    tos: 106\n    {}\n")


def found(folder: Path, words: str, text: str = FORCED) -> list[tuple[str, str, str]]:
    """The findings on marks of hosts that say `words`: severity, rule, what is underlined."""
    kinds = (RULE, "mix-host-tc", "mix-nic-tos")
    stated = findings(folder, text.replace("{}\n", f"{words}\n"))
    return [
        (f.severity, f.rule, f.text)
        for f in stated
        if f.rule in kinds or f.rule.startswith("schema-")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("qps: 4", []),  # nobody says that GPUs post by themselves
        ("gpu_initiated: nvshmem", [("warning", RULE, "nvshmem")]),
        ("gpu_initiated: mori", [("warning", RULE, "mori")]),
        ("gpu_initiated: nccl", [("warning", RULE, "nccl")]),
        ("gpu_initiated: nvshmem\n    nvshmem_ib_traffic_class: 106", []),
        ("gpu_initiated: nvshmem\n    nvshmem_ib_traffic_class: 104", []),  # DSCP 26 without ECT(0): the NIC sets it
        ("gpu_initiated: nvshmem\n    nvshmem_ib_traffic_class: 26", [("error", RULE, "26")]),  # DSCP 6
        ("gpu_initiated: nvshmem\n    nvshmem_ib_traffic_class: 0", [("error", RULE, "0")]),
        ("gpu_initiated: nccl\n    nccl_ib_tc: 106", []),  # GIN falls back to NCCL_IB_TC
        ("gpu_initiated: nccl\n    nccl_ib_tc: 106\n    nccl_gin_ib_tc: 40", [("error", RULE, "40")]),
        # for its other queue pairs the NIC overwrites it; for these it does not
        ("gpu_initiated: nccl\n    nccl_ib_tc: 40", [("error", RULE, "40")]),
        ("gpu_initiated: [nvshmem, mori]\n    mori_rdma_tc: 106", [("warning", RULE, "gpu_initiated")]),
        ("gpu_initiated: nvshmen", [("error", "schema-value", "nvshmen")]),
        ("gpu_initiated: [mori, mori]\n    mori_rdma_tc: 106", [("error", "schema-value", "mori")]),
        ("gpu_initiated: mori\n    mori_rdma_tc: 256", [("error", "schema-range", "256")]),
        # without GPUs that post by themselves, the forced ToS holds for whatever the library asks for
        ("nvshmem_ib_traffic_class: 40", []),
    ],
)
def test_gpu_initiated_queue_pairs_must_be_marked_by_their_library(
    words: str, expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    assert found(tmp_path, words) == expected


def test_the_message_says_what_the_forced_tos_does_not_do(tmp_path: Path) -> None:
    (one,) = [f for f in findings(tmp_path, FORCED.replace("{}\n", "gpu_initiated: nvshmem\n")) if f.rule == RULE]
    assert "NVSHMEM" in one.message
    assert "DSCP 0" in one.message
    assert "ToS 106" in one.message
    assert "class default (queue 0)" in one.message
    assert "NVSHMEM_IB_TRAFFIC_CLASS=106" in one.help


def test_dscp_0_for_rdma_is_no_fault(tmp_path: Path) -> None:
    text = FORCED.replace("dscp: [26]", "dscp: [0]").replace("tos: 106", "tos: 2")
    assert found(tmp_path, "gpu_initiated: [nccl, nvshmem, mori]", text) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("nvshmem_ib_traffic_class: 40", [("error", "mix-host-tc", "40")]),
        ("mori_rdma_tc: 26", [("error", "mix-host-tc", "26")]),
        ("ucx_ib_traffic_class: 106", []),
        ("ucx_ib_traffic_class: 26", [("error", "mix-host-tc", "26")]),
        ("nccl_ib_fifo_tc: 106", []),
        ("nccl_ib_fifo_tc: 192", []),  # DSCP 48, with CNPs, as AMD's and Meta's guides have it
        ("nccl_ib_fifo_tc: 40", [("warning", "mix-host-tc", "40")]),  # DSCP 10, among bulk traffic
    ],
)
def test_what_libraries_ask_for_is_judged_where_no_nic_forces_a_tos(
    words: str, expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    assert found(tmp_path, words, FORCED.replace("    tos: 106\n", "")) == expected


def env(folder: Path, words: str = "qps: 4") -> dict[str, str]:
    fabric = loaded(folder, FORCED.replace("{}\n", f"{words}\n").replace("    tos: 106\n", ""))[0].fabric
    assert fabric is not None
    (file,) = render_files(fabric, form="env")
    return dict(line.split("=", 1) for line in file.text.splitlines() if line and not line.startswith("#"))


def test_the_environment_marks_every_library(tmp_path: Path) -> None:
    """Each takes the whole byte, DSCP << 2 and the ECN bits: their sources shift it by two themselves."""
    names = (
        "NCCL_IB_TC",
        "NCCL_GIN_IB_TC",
        "NCCL_IB_FIFO_TC",
        "NVSHMEM_IB_TRAFFIC_CLASS",
        "MORI_RDMA_TC",
        "UCX_IB_TRAFFIC_CLASS",
    )
    assert env(tmp_path) == dict.fromkeys(names, "106")


def test_what_the_host_states_of_a_library_goes_first(tmp_path: Path) -> None:
    found = env(tmp_path, "nccl_ib_fifo_tc: 192\n    mori_rdma_tc: 104")
    assert (found["NCCL_IB_FIFO_TC"], found["MORI_RDMA_TC"], found["NCCL_IB_TC"]) == ("192", "104", "106")


def test_nccls_other_bytes_follow_its_first(tmp_path: Path) -> None:
    found = env(tmp_path, "nccl_ib_tc: 104")
    assert {name: byte for name, byte in found.items() if name.startswith("NCCL")} == {
        "NCCL_IB_TC": "104",
        "NCCL_GIN_IB_TC": "104",
        "NCCL_IB_FIFO_TC": "104",
    }


def test_no_topology_file_is_written_and_it_is_said_why(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    rocecfg(tmp_path, "render", "fabric.yaml", "--vendor", "host", "-o", "out", expect=0)
    assert not list((tmp_path / "out").glob("*.xml"))
    text = (tmp_path / "out" / "gpu01-32-roce.env").read_text(encoding="utf-8")
    assert "NCCL_TOPO_FILE" in text
    assert "PCI" in text


def test_what_is_rendered_is_a_shell_environment(tmp_path: Path) -> None:
    import subprocess

    fabric = loaded(tmp_path, FABRIC)[0].fabric
    assert fabric is not None
    (file,) = render_files(fabric, form="env")
    (tmp_path / "job.env").write_text(file.text, encoding="utf-8")
    script = "set -aeu; . ./job.env; echo $NCCL_GIN_IB_TC $NVSHMEM_IB_TRAFFIC_CLASS"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["106", "106"]
