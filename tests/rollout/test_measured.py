"""What perftest and nccl-tests measured, set against what the intent predicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, rocecfg
from intents import fabric as fabric_of

from rocecfg.model import Fabric
from rocecfg.physics.goodput import goodput
from rocecfg.rollout.measured import MeasuredResult, judge_result, render_verdict
from rocecfg.rollout.results import Nccl, Perftest, read_result
from rocecfg.source.document import Document, SourceError

INTENT = POLICY + (
    "defaults: {vendor: sonic, platform: nvidia-sn5600}\n"
    'devices: {leaf1: {ports: {"Ethernet[0-24/8]": {speed: 400G, faces: host, cable: 3m}}}}\n'
    'hosts: {"gpu[1-2]": {nic: connectx-7, gpus: 2}}\n'
    'links: [{a: "gpu[1-2]:nic[0-1]", b: "leaf1:Ethernet[0-24/8]"}]\n'
)
# As perftest writes it: some releases leave names unquoted and put a comma behind the last.
QUOTED = (
    '{"test_info": {"test": "RDMA_Write_BW", "Number_of_qps": 4, "Mtu": 4096}, '
    '"results": {"MsgSize": 65536, "BW_average": %s}}'
)
UNQUOTED = (
    "{\ntest_info: {\ntest: RDMA_Write_BW,\nNumber_of_qps: 4,\nMtu: 4096,\n},\n"
    "results: {\nMsgSize: 65536,\nBW_average: %s,\n}\n}\n"
)
HEAD = "".join(
    f"#  Rank {n:2} Group  0 Pid {n} on gpu{1 + n // 2} device  {n % 2} [0x0f] NVIDIA H100\n" for n in range(4)
)
TABLE = (
    f"{HEAD}#       size         count      type   redop    root     time   algbw   busbw #wrong"
    "     time   algbw   busbw #wrong\n"
    "  4294967296  1073741824  float  sum  -1  70527  60.90  99.99  0  70570  60.86  91.29  0\n"
    "[1,0]<stdout>: 8589934592  2147483648  float  sum  -1  141223  60.83  {busbw}  {wrong}  141004  60.92  80.00  0\n"
    "# Avg bus bandwidth    : 91.3\n# Collective test concluded: all_reduce_perf\n"
)


@pytest.fixture
def lab(tmp_path: Path) -> Fabric:
    return fabric_of(tmp_path, INTENT)


def judged(lab: Fabric, text: str, speed: int | None = None) -> MeasuredResult:
    return judge_result(lab, read_result(Document(0, "result", text)), speed=speed, least=90)


def test_goodput_is_the_speed_less_headers() -> None:
    assert goodput(400e9, 4096) / 1e9 == pytest.approx(392.149, abs=0.001)
    assert goodput(400e9, 1024) / 1e9 == pytest.approx(370.343, abs=0.001)


@pytest.mark.parametrize("form", [QUOTED, UNQUOTED])
def test_perftest_is_read_in_either_form(form: str) -> None:
    assert read_result(Document(0, "r", form % "371.22")) == Perftest("RDMA_Write_BW", 4, 4096, 65536, 371.22)


def test_nccl_tests_are_read_behind_the_words_of_a_launcher() -> None:
    found = read_result(Document(0, "r", TABLE.format(busbw="91.24", wrong=0)))
    assert found == Nccl("all_reduce_perf", 4, 2, 8589934592, 91.24, 0)


@pytest.mark.parametrize(("average", "good"), [("371.22", True), ("353.0", True), ("352.0", False), ("45000", False)])
def test_perftest_against_the_link(lab: Fabric, average: str, good: bool) -> None:
    verdict = judged(lab, QUOTED % average)
    assert verdict.good is good
    stated = list(render_verdict(verdict, 90))
    assert f"of 392.1 Gbit/s ({float(average) * 100 / 392.149:.0f} %" in stated[0]
    assert stated[1] == "  predicted: 400G x 4096 B / (4096 B + 82 B of headers and gap)"
    assert any("--report_gbits" in line for line in stated) is (average == "45000")


def test_the_speed_may_be_said(lab: Fabric) -> None:
    assert judged(lab, QUOTED % "180", 200 * 10**9).good


def test_several_speeds_are_not_guessed_between(tmp_path: Path) -> None:
    two = fabric_of(tmp_path, INTENT.replace("cable: 3m}}}", 'cable: 3m}, "Ethernet32": {speed: 200G, faces: host}}}'))
    verdict = judged(two, QUOTED % "180")
    assert (verdict.good, verdict.predicted) == (False, None)
    assert "give --speed" in verdict.notes[0]


def test_a_collective_is_bounded_by_the_nics_of_a_host(lab: Fabric) -> None:
    verdict = judged(lab, TABLE.format(busbw="91.24", wrong=0))
    assert verdict.predicted is not None
    assert verdict.predicted.value == pytest.approx(2 * 392.149 / 8, abs=0.001)  # GB/s
    assert verdict.good
    assert not judged(lab, TABLE.format(busbw="85.00", wrong=0)).good
    wrong = judged(lab, TABLE.format(busbw="97.00", wrong=3))
    assert not wrong.good
    assert "3 values are wrong" in wrong.notes[0]


def test_one_host_says_nothing_of_the_fabric(lab: Fabric) -> None:
    verdict = judged(lab, TABLE.format(busbw="300.00", wrong=0).replace("on gpu2", "on gpu1"))
    assert verdict.predicted is None


@pytest.mark.parametrize("text", ["", "hello", '{"results": {}}', '{"a": [', "# busbw\n", "[1]", '{"results": 4}'])
def test_what_is_no_result_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(SourceError, match=r"^r:\d+:\d+: "):
        read_result(Document(0, "r", text))


def test_the_command_says_it_and_exits_1_for_what_is_not_good(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(INTENT, encoding="utf-8")
    (tmp_path / "good.json").write_text(QUOTED % "371.22", encoding="utf-8")
    (tmp_path / "bad.txt").write_text(TABLE.format(busbw="40.00", wrong=0), encoding="utf-8")
    assert "(95 %)" in rocecfg(tmp_path, "measured", "fabric.yaml", "good.json", expect=0).stdout
    both = rocecfg(tmp_path, "measured", "fabric.yaml", "good.json", "bad.txt", expect=1)
    assert "less than 90 %" in both.stdout
    assert "no-such-file" in rocecfg(tmp_path, "measured", "fabric.yaml", "no-such-file", expect=2).stderr
