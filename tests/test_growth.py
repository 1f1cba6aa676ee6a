"""Twice the text takes twice the steps: no branch makes lint slow by more than its size."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from intents import POLICY, rocecfg, write
from steps import assert_linear

from rocecfg.cabling.xmltree import from_xml
from rocecfg.linting.devices import load
from rocecfg.linting.discover import discover
from rocecfg.linting.run import lint
from rocecfg.linting.suppressions import apply
from rocecfg.report.text import render_full
from rocecfg.source.document import Sources
from rocecfg.vendors.spectrum.reading.names import NotNames, expand_names

NVUE = """\
nv set qos egress-scheduler P{n} traffic-class 3 mode dwrr
nv set qos egress-scheduler P{n} traffic-class 3 bw-percent 50
nv set qos pfc P{n} switch-priority 3
nv set interface swp{n} qos egress-scheduler profile P{n}
nv set interface swp{n} qos pfc profile P{n}
"""
EOS = """\
qos profile P{n}
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
interface Ethernet{n}/1
   service-profile P{n}
!
"""


def _nvue(size: int) -> str:
    return "nv set system hostname x\n" + "".join(NVUE.format(n=n) for n in range(1, size + 1))


def _eos(size: int) -> str:
    return "hostname x\n" + "".join(EOS.format(n=n) for n in range(1, size + 1))


def _bare(size: int) -> str:
    """Ports that are each a group of its own: with PFC, without any QoS, and with another FEC than most."""
    profile = EOS.partition("!\n")[0].format(n="P")
    fec = "   error-correction encoding "
    kinds = (f"   service-profile PP\n{fec}reed-solomon\n", f"{fec}reed-solomon\n", f"{fec}fire-code\n")
    return f"hostname x\n{profile}!\n" + "".join(
        f"interface Ethernet{n}/1\n   mtu {1600 + n}\n   no switchport\n{kinds[n % 3]}!\n" for n in range(1, size + 1)
    )


def _curves(size: int) -> str:
    """A curve a port, each with a finding of its own."""
    curve = (
        "   !\n   uc-tx-queue 3\n      random-detect ecn minimum-threshold {n} kbytes maximum-threshold 1 kbytes\n!\n"
    )
    curve = curve.replace("kbytes\n!", "kbytes max-mark-probability 5 weight 0\n!")
    text = EOS.replace("no-drop\n!\n", f"no-drop\n{curve}")
    return "hostname x\n" + "".join(text.format(n=n) for n in range(1, size + 1))


def _maps(size: int) -> str:
    """A scheduler map a port of Junos."""
    of, lines = "set class-of-service", ["set version 23.4R2", "set system host-name x"]
    lines += [f"{of} forwarding-classes class RDMA queue-num 3 no-loss pfc-priority 3"]
    for n in range(1, size + 1):
        lines += [
            f"{of} schedulers S{n} transmit-rate percent {n % 60 + 1}",
            f"{of} scheduler-maps M{n} forwarding-class RDMA scheduler S{n}",
            f"{of} interfaces et-0/0/{n} scheduler-map M{n}",
        ]
    return "\n".join((*lines, ""))


def _wred(size: int) -> str:
    ports = [f"Ethernet{4 * n}" for n in range(size)]
    tables = {
        "PORT": {port: {"speed": "100000", "lanes": str(n)} for n, port in enumerate(ports)},
        "WRED_PROFILE": {
            f"W{n}": {"ecn": "ecn_all", "green_min_threshold": "100000", "green_max_threshold": str(2000000 + n)}
            for n in range(size)
        },
        "QUEUE": {f"{port}|3": {"wred_profile": f"W{n}"} for n, port in enumerate(ports)},
        "PORT_QOS_MAP": {port: {"pfc_enable": "3"} for port in ports},
    }
    return json.dumps({"DEVICE_METADATA": {"localhost": {"hostname": "x"}}, **tables})


def _unpaused(size: int) -> str:
    """The same without PFC: whether other ports pause is asked for each."""
    tables = json.loads(_wred(size))
    queues = {key: {"profile": "egress_lossless_profile"} for key in tables["QUEUE"]}
    groups = {key: {"profile": "pg_lossless_100000_5m_profile"} for key in tables["QUEUE"]}
    maps = {key: {"tc_to_queue_map": "AZURE"} for key in tables["PORT"]}
    return json.dumps({**tables, "PORT_QOS_MAP": maps, "BUFFER_QUEUE": queues, "BUFFER_PG": groups})


def _one_key(size: int) -> str:
    ports = ",".join(f"Ethernet{4 * n}" for n in range(size))
    return json.dumps({"PORT": {"Ethernet0": {"lanes": "1"}}, "PORT_QOS_MAP": {ports: {"pfc_enable": "3"}}})


@pytest.mark.parametrize("text_of", [_nvue, _eos, _bare, _curves, _maps, _wred, _unpaused, _one_key])
def test_profiles_and_ports_of_a_switch(text_of: Callable[[int], str], tmp_path: Path) -> None:
    def work(size: int) -> Callable[[], object]:
        path = tmp_path / f"switch{size}"
        path.write_text(text_of(size), encoding="utf-8")

        def judge() -> None:
            sources = Sources()
            read = load(str(path), [str(path)], sources, None, given=True, jobs=1)
            assert read is not None
            render_full(lint([read], sources, jobs=1))

        return judge

    assert_linear(work, {_bare: 15, _curves: 8, _unpaused: 25}.get(text_of, 40))  # three with many steps for each


@pytest.mark.parametrize("each", [300, 3000])
def test_a_step_for_each_pair_is_noticed_beside_many_for_each(each: int) -> None:
    def work(size: int) -> Callable[[], object]:
        pairs = [(a, b) for a in range(size) for b in range(size)]
        return lambda: [sum(n for n in range(each // 3 * size)), *(pair for pair in pairs)]

    with pytest.raises(AssertionError, match="times"):
        assert_linear(work, 40)
    assert_linear(lambda size: lambda: sum(n for n in range(each * size)), 40)


def test_comments_that_waive() -> None:
    def work(size: int) -> Callable[[], object]:
        comments = "# rocecfg: ignore[ecn-order] -- because\n" * size
        document = Sources().add("fabric.yaml", f"{comments}a: 1\n{comments}")
        return lambda: apply([], [document], "2026-06-30")

    assert_linear(work, 100)


def test_a_comment_with_many_names_counts_each_once() -> None:
    document = Sources().add("fabric.yaml", f"a: 1 # rocecfg: ignore[{'ecn-order, ' * 5000}] -- because\n")
    found, _ = apply([], [document], "2026-06-30")
    assert [finding.rule.name for finding in found] == ["hygiene-waiver-unused"]


def test_the_line_that_comments_waive_is_the_next_one() -> None:
    texts = {
        "# rocecfg: ignore[ecn-order] -- x\n# note\n# rocecfg: ignore[ecn-pmax] -- y\n\na: 1\n": [5, 5],
        "a: 1 # rocecfg: ignore[ecn-order] -- x\n# rocecfg: ignore[ecn-pmax] -- y\nb: 1\n": [1, 3],
        "a: 1\n# rocecfg: ignore[ecn-order] -- x\n# rocecfg: ignore[ecn-order] -- y\n": [2, 3],  # nothing follows
    }
    for text, lines in texts.items():
        found, _ = apply([], [Sources().add("fabric.yaml", text)], "2026-06-30")
        assert [
            int(one.message.rpartition(" ")[2]) for one in found if one.rule.name == "hygiene-waiver-unused"
        ] == lines


def test_line_ends_of_xml() -> None:
    def work(size: int) -> Callable[[], object]:
        text = "<a>" + "x\n" * size + "</a>"
        return lambda: from_xml(text)

    assert_linear(work, 1000)
    element = from_xml("<a>one\n<b>two\n three</b>\nfour</a>")
    assert (element.text, element.children[0].text) == ("one\n\nfour", "two\n three")


def test_a_list_of_ranges_is_bounded() -> None:
    assert len(expand_names("swp1-64,swp65s0-3")) == 68
    with pytest.raises(NotNames, match="more names than any switch has"):
        expand_names(",".join(f"swp{n}-{n + 4000}" for n in range(20_000)))


@pytest.mark.parametrize(
    "text",
    ["#" * 72, "//" * 40, "/**/" * 40, "\n" * 3000, "# banner\n\n" * 300, "#" * 72 + "\n" + " \n" * 60, "/*" * 5000],
    ids=lambda text: repr(text[:8]),
)
def test_what_stands_above_cables_is_passed_over_once(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"cables.txt": f"{text}\nmotd of the day\n"})
    done = rocecfg(tmp_path, "import", "--links", "cables.txt", expect=2)
    assert "has no cables that rocecfg understands" in done.stderr
    graph = 'graph x { "leaf01":"swp1" -- "spine01":"swp1" }\n'
    write(tmp_path, {"cables.dot": ("/* */ // x\n" * 30) + "#" * 72 + "\n" + graph})
    assert "leaf01" in rocecfg(tmp_path, "import", "--links", "cables.dot", expect=0).stdout


def test_links_of_a_fabric_above_are_read_for_its_own_files_alone(tmp_path: Path) -> None:
    """Above a file may lie a stranger's intent, with an export of all his cables: which cost 64 seconds once."""
    texts = "fabric: {name: other, mtu: 9000}\ninclude: [part.yaml]\nlinks: [cables.csv, {a: 'a:1', b: 'b:1'}]\n"
    stranger = f"rocecfg: 1\n{texts}"
    rows = "a_device,a_port,b_device,b_port,cable\n" + "".join(f"s{n},e{n},t{n},e{n},3m\n" for n in range(300))
    write(
        tmp_path,
        {
            ".git/x": "",
            "stranger.yaml": stranger,
            "part.yaml": "classes: {}\n",
            "cables.csv": rows,
            "a/b/own.yaml": POLICY,
        },
    )

    def read_for(name: str) -> tuple[set[str], list[str]]:
        sources = Sources()
        found = discover([str(tmp_path / name)], sources)
        owners = [Path(loaded.root).name for loaded in found.fabrics]
        return {Path(document.path).name for document in sources.documents}, owners

    assert read_for("a/b/own.yaml") == ({"stranger.yaml", "part.yaml", "own.yaml"}, ["own.yaml"])
    assert read_for("part.yaml") == ({"stranger.yaml", "part.yaml", "cables.csv"}, ["stranger.yaml"])
    assert read_for("cables.csv") == ({"stranger.yaml", "part.yaml", "cables.csv"}, ["stranger.yaml"])
