"""Output of mlnx_qos, dcb and ethtool of hosts: what is found in it, where, with an intent and without."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import FABRIC, Found, _as_seen, loaded, rocecfg, write
from loops import loop

from rocecfg.hosts.compare import find_nic_problems
from rocecfg.hosts.files import render_files
from rocecfg.hosts.reading import read
from rocecfg.hosts.state import NicState, listed_hosts, place_nics
from rocecfg.linting.discover import discover
from rocecfg.linting.run import lint
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors.detect import is_host_output, vendor_of

OURS = ("nic-pfc", "nic-trust", "nic-global-pause", "buffer-nic", "nic-queue", "nic-unread", "nic-lldp-agent")


def mlnx_qos(
    pfc: tuple[int, ...] = (3,), trust: str = "dscp", cable: int = 3, priority_of: tuple[int, ...] | None = None
) -> str:
    """As mlnx_qos of mlnx-tools prints it (python/mlnx_qos, pretty_print)."""
    of = priority_of or tuple(d >> 3 for d in range(64))
    lines = ["DCBX mode: OS controlled", f"Priority trust state: {trust}"]
    if trust == "dscp":
        lines.append("dscp2prio mapping:")
        for priority in range(8):
            own = [f"{d:02d}," for d in range(64) if of[d] == priority]
            lines += [f"\tprio:{priority} dscp:{''.join(own[n : n + 8])}" for n in range(0, len(own), 8)]
    lines += [
        "Receive buffer size (bytes): 19872,456064,0,0,0,0,0,0,max_buffer_size=4151520",
        f"Cable len: {cable}",
        "PFC configuration:",
        "\tpriority    0   1   2   3   4   5   6   7",
        "\tenabled     " + "".join(f"{int(p in pfc)}   " for p in range(8)),
        "\tbuffer      " + "".join(f"{int(p in pfc)}   " for p in range(8)),
        "tc: 0 ratelimit: unlimited, tsa: ets, bw: 20%",
        "\t priority:  0",
        "tc: 3 ratelimit: unlimited, tsa: ets, bw: 60%",
        f"\t priority:  {pfc[0] if pfc else 3}",
    ]
    return "\n".join(lines) + "\n"


DCB = """\
root@gpu02:~# dcb pfc show dev ens2f0np0
pfc-cap 8 macsec-bypass off delay 7
prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off
root@gpu02:~# dcb app show dev ens2f0np0
dscp-prio default:0 AF31:3 CS6:6
root@gpu02:~# dcb ets show dev ens2f0np0
willing off ets-cap 8 cbs off
tc-bw 0:20 1:0 2:20 3:60 4:0 5:0 6:0 7:0
root@gpu02:~# ethtool -a ens2f0np0
Pause parameters for ens2f0np0:
Autonegotiate:\toff
RX:\t\toff
TX:\t\toff

"""
DCB_AS_PRINTED = "".join(  # dcb ends its lines with a blank
    f"{line} \n" if ":" in line and line[0].islower() and "@" not in line else f"{line}\n" for line in DCB.splitlines()
)


def stated(text: str) -> list[NicState]:
    return read(Document(0, "x.txt", text)).nics


def found(folder: Path, outputs: dict[str, str], intent: str | None = FABRIC) -> list[Found]:
    """What is found in output of hosts given beside an intent."""
    write(folder, {**outputs, **({"fabric.yaml": intent} if intent is not None else {})})
    paths = [str(folder / name) for name in (*(["fabric.yaml"] if intent is not None else []), *outputs)]
    sources = Sources()
    fabrics = discover(tuple(paths), sources, running=True).fabrics
    run = lint(fabrics, sources, today="2026-06-30")
    assert not run.failed
    return [f for f in (_as_seen(f, sources, folder) for f in run.findings) if f.rule in OURS]


# -- what is read ------------------------------------------------------------------------------------------------------


def test_mlnx_qos_is_read() -> None:
    (nic,) = stated(mlnx_qos((3, 4), cable=7))
    assert (nic.pfc, nic.trust, nic.cable, nic.interface) == ((3, 4), "dscp", 7, None)
    assert nic.priority_of == {d: d >> 3 for d in range(64)}


def test_dcb_and_ethtool_are_read_with_their_prompts() -> None:
    (nic,) = stated(DCB_AS_PRINTED)
    assert (nic.host, nic.interface, nic.pfc, nic.trust) == ("gpu02", "ens2f0np0", (3,), "dscp")
    assert nic.priority_of == {0: 0, 26: 3, 48: 6}  # default, AF31 and CS6 by RFC 2474 and RFC 2597
    assert nic.pauses == ()


def test_several_interfaces_in_one_file() -> None:
    text = f"$ mlnx_qos -i ens1f0\n{mlnx_qos((3,))}$ sudo mlnx_qos -i ens2f0\n{mlnx_qos((4,))}"
    assert [(nic.interface, nic.pfc) for nic in stated(text)] == [("ens1f0", (3,)), ("ens2f0", (4,))]


@pytest.mark.parametrize(
    "text",
    [
        mlnx_qos(),
        mlnx_qos(trust="pcp"),
        DCB,
        DCB.splitlines()[2] + "\n",
        "tc-maxrate 0:0bit 1:0bit 2:0bit 3:10Gbit 4:0bit 5:0bit 6:0bit 7:0bit\n",
        "prio-buffer 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:0\nbuffer-size 0:10000b 1:0b\n",
        "Private flags for ens2f0np0:\nlink-down-on-close     : off\nfw-lldp-agent          : on\n",
    ],
)
def test_output_of_hosts_is_recognised_and_no_switchs(text: str) -> None:
    assert is_host_output(text)
    assert vendor_of(text) is None


@pytest.mark.parametrize(
    "text", ["", "hello\n", "rocecfg: 1\n", "interface Ethernet1\n", "PFC is configured\n", "RX: on\n"]
)
def test_other_texts_are_not(text: str) -> None:
    assert not is_host_output(text)


@pytest.mark.parametrize(
    ("old", "new", "line", "column"),
    [
        ("enabled     0   0   0   1", "enabled     0   0   1", 16, 14),
        ("enabled     0", "enabled     7", 16, 14),
        ("state: dscp", "state: dcsp", 2, 23),
        ("len: 3", "len: long", 13, 12),
    ],
)
def test_what_is_cut_off_or_changed_is_an_error_with_its_place(old: str, new: str, line: int, column: int) -> None:
    text = mlnx_qos().replace(old, new)
    with pytest.raises(SourceError) as caught:
        stated(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert "expected " in caught.value.message


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=300), st.integers(0, 400), st.integers(0, 40))
def test_no_text_breaks_the_reader(text: str, at: int, cut: int) -> None:
    whole = mlnx_qos() + DCB
    for broken in (text, whole[:at] + text + whole[at + cut :]):
        with suppress(SourceError):
            stated(broken)


# -- with an intent ----------------------------------------------------------------------------------------------------


def test_a_nic_like_its_switch_port_is_silent(tmp_path: Path) -> None:
    assert found(tmp_path, {"gpu01-nic0.txt": mlnx_qos(), "gpu02/nic1.txt": DCB}) == []


def test_each_difference_is_found_where_it_stands(tmp_path: Path) -> None:
    of = tuple(0 if d == 26 else d >> 3 for d in range(64))
    one = mlnx_qos((4,), trust="pcp", cable=1).replace("priority:  4", "priority:  3")
    two = mlnx_qos(priority_of=of)
    first, second, third, fourth = found(tmp_path, {"gpu01-nic0.txt": one, "gpu32.nic1.txt": two})
    assert (first.rule, first.severity, first.path, first.line, first.text) == (
        "nic-trust",
        "error",
        "gpu01-nic0.txt",
        2,
        "pcp",
    )
    assert (second.rule, second.text) == ("buffer-nic", "1")
    assert "the cable at leaf01:Ethernet0 has 3 m" in second.message
    assert (third.rule, third.text) == ("nic-pfc", "0   0   0   0   1   0   0   0")
    assert "gpu01:nic0 has PFC on priority 4, but the switch has it on priority 3 at leaf01:Ethernet0" in third.message
    assert third.help == "mlnx_qos -i DEVICE --pfc 0,0,0,1,0,0,0,0"
    switch, intent = third.related  # both places: the class, and what the intent says of the host
    assert FABRIC.splitlines()[switch[0] - 1].strip() == "priority: 3"
    assert FABRIC.splitlines()[intent[0] - 1].strip() == "pfc_priorities: [3]"
    assert (fourth.rule, fourth.path, fourth.text) == ("nic-trust", "gpu32.nic1.txt", "26")
    assert "puts DSCP 26 on priority 0, but class rdma has priority 3 at leaf02:Ethernet248" in fourth.message


CHANGES = (  # in mlnx_qos(): old, new, and the rule that tells
    ("trust state: dscp", "trust state: pcp", "nic-trust"),
    ("19872,456064,0", "19872,0,456064", "buffer-nic"),
    ("19872,456064,0", "19872,2048,0", "buffer-nic"),
    ("19872,456064,0", "N/A,", "nic-unread"),
    ("Cable len: 3", "Cable len: 1", "buffer-nic"),
    ("enabled     0   0   0   1", "enabled     0   0   0   0", "nic-pfc"),
    ("enabled     0   0   0   1", "enabled     1   0   0   1", "nic-pfc"),
    ("buffer      0   0   0   1", "buffer      0   0   0   0", "buffer-nic"),
    ("buffer      0   0   0   1", "buffer      0   0   0   2", "buffer-nic"),
    ("buffer      0   0", "buffer      1   0", "buffer-nic"),
    ("tc: 3 ratelimit: unlimited", "tc: 3 ratelimit: 10.0 Gbps", "nic-queue"),
    ("tsa: ets, bw: 60%", "tsa: ets, bw: 1%", "nic-queue"),
    ("tsa: ets, bw: 60%", "tsa: strict", "nic-queue"),
    ("tsa: ets, bw: 20%", "tsa: strict", "nic-queue"),
    ("tsa: ets, bw: 60%", "tsa: vendor", "nic-unread"),
    ("tsa: ets, bw: 20%", "tsa: vendor", "nic-unread"),
    ("priority:  3", "priority:  5", "nic-queue"),
    ("priority:  3", "priority:  3\n\t priority:  0", "nic-queue"),
    ("PFC configuration", "default priority: 3\nPFC configuration", "nic-unread"),
    # what RDMA is not in, and what the switch sends first as well
    ("priority:  0\ntc: 3", "priority:  0\ntc: 6 ratelimit: unlimited, tsa: strict\n\t priority:  6\ntc: 3", None),
    ("tc: 0 ratelimit: unlimited", "tc: 0 ratelimit: 10.0 Gbps", None),
)
OF_DCB = (
    ("3:on", "3:off", "nic-pfc"),
    ("0:off", "0:on", "nic-pfc"),
    ("AF31:3", "AF31:4", "nic-trust"),
    ("CS6:6", "CS6:3", "nic-trust"),
    ("default:0", "default:3", "nic-trust"),
    ("dscp-prio", "dgram-port-prio 4791:5\ndscp-prio", "nic-trust"),
    ("dscp-prio", "dgram-port-prio 4791:3\ndscp-prio", None),
    ("dscp-prio", "dgram-port-prio 53:3\ndscp-prio", "nic-unread"),
    ("dscp-prio", "default-prio 3\ndscp-prio", "nic-unread"),
    ("dscp-prio", "stream-port-prio 4791:5\ndscp-prio", "nic-unread"),
    ("willing off", "willing on", "nic-unread"),
    ("3:60 4:0 5:0 6:0 7:0", "3:1 4:0 5:0 6:0 7:59\nprio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7", "nic-queue"),
    ("7:0\n", "7:0\ntc-maxrate 3:10Gbit\nprio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7\n", "nic-queue"),
    ("7:0\n", "7:0\ntc-maxrate 3:0bit\nprio-tc 0:0 1:1 2:2 3:3 4:4 5:5 6:6 7:7\n", None),
    ("7:0\n", "7:0\ntc-tsa 0:ets 3:vendor\n", "nic-unread"),
    ("7:0\n", "7:0\nprio-tc 0:0 1:1 2:2 3:3 4:3 5:5 6:6 7:7\n", "nic-queue"),
    ("7:0\n", "7:0\nprio-buffer 0:0 1:0 2:0 3:0 4:0 5:0 6:0 7:0\n", "nic-unread"),
    ("RX:\t\toff", "RX:\t\ton", "nic-global-pause"),
    ("Pause", "Private flags for ens2f0np0:\nfw-lldp-agent          : on\nPause", "nic-lldp-agent"),
    ("Pause", "Private flags for ens2f0np0:\nfw-lldp-agent          : off\nPause", None),
)


@loop(
    ("name", "text", "old", "new", "rule"),
    [("gpu01-nic0.txt", mlnx_qos(), *row) for row in CHANGES] + [("gpu02-nic1.txt", DCB, *row) for row in OF_DCB],
    ids=lambda row: row[2:],
)
def test_each_value_of_an_output_is_judged_or_named(
    name: str, text: str, old: str, new: str, rule: str | None, tmp_path: Path
) -> None:
    assert text.count(old) == 1
    assert {f.rule for f in found(tmp_path, {name: text.replace(old, new)})} == ({rule} if rule else set())


@loop(
    ("dscp", "priority", "alone", "severity"),
    [
        (48, 3, True, "error"),
        (48, 4, False, "warning"),
        (0, 3, False, "warning"),
        (18, 3, False, "warning"),
        (26, 4, False, "error"),
        (3, 4, False, None),
    ],
)
def test_each_code_point_that_leads_elsewhere_is_told(
    dscp: int, priority: int, alone: bool, severity: str | None, tmp_path: Path
) -> None:
    output = mlnx_qos(priority_of=tuple(priority if d == dscp else d >> 3 for d in range(64)))
    seen = found(tmp_path / "intent", {"gpu01-nic0.txt": output})
    assert [(f.rule, f.severity, f.text) for f in seen] == ([("nic-trust", severity, f"{dscp:02}")] if severity else [])
    assert [f.rule for f in found(tmp_path / "alone", {"x.txt": output}, None)] == ["nic-trust"] * alone


def test_alone_a_nic_tells_what_holds_back_what_it_pauses(tmp_path: Path) -> None:
    for number, (old, new, rule) in enumerate(
        (
            ("19872,456064,0", "19872,0,456064", "buffer-nic"),
            ("tc: 3 ratelimit: unlimited", "tc: 3 ratelimit: 10.0 Gbps", "nic-queue"),
            ("tsa: ets, bw: 60%", "tsa: ets, bw: 1%", "nic-queue"),
            ("tsa: ets, bw: 60%", "tsa: ets, bw: 50%", None),
        )
    ):
        seen = found(tmp_path / str(number), {"x.txt": mlnx_qos().replace(old, new)}, None)
        assert {f.rule for f in seen} == ({rule} if rule else set()), old


def test_link_pause_beside_pfc(tmp_path: Path) -> None:
    text = DCB.replace("RX:\t\toff", "RX:\t\ton")
    (one,) = found(tmp_path, {"out.log": text})  # the host is told by the prompt
    assert (one.rule, one.text) == ("nic-global-pause", "on")
    assert "gpu02:ens2f0np0 has 802.3x pause on (RX)" in one.message
    assert one.help == "ethtool -A ens2f0np0 rx off tx off"


def test_a_nic_that_rdma_does_not_cross_may_be_set_as_it_likes(tmp_path: Path) -> None:
    intent = FABRIC.replace("hosts:\n", "  - {a: 'gpu01:eth0', b: 'leaf01:Ethernet384'}\nhosts:\n")
    output = mlnx_qos((), trust="pcp")
    assert found(tmp_path, {"gpu01-eth0.txt": output}, intent) == []
    assert found(tmp_path, {"gpu01.txt": output}, intent) == []  # which of its three ports that is cannot be told
    assert [f.rule for f in found(tmp_path, {"gpu01-nic1.txt": output}, intent)] == ["nic-trust", "nic-pfc"]


def test_a_lossy_fabric_wants_no_pfc(tmp_path: Path) -> None:
    intent = FABRIC.replace("  mtu: 9000\n", "  mtu: 9000\n  mode: lossy\n", 1)
    assert found(tmp_path, {"gpu01-nic0.txt": mlnx_qos(())}, intent) == []


def test_a_host_that_the_intent_does_not_list_stands_alone(tmp_path: Path) -> None:
    (one,) = found(tmp_path, {"gpu99-nic0.txt": mlnx_qos(trust="pcp")})
    assert (one.rule, one.severity) == ("nic-trust", "error")
    assert "at leaf" not in one.message


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(priority=st.integers(1, 5), dscp=st.sampled_from([8, 16, 24, 26, 34, 46]), cable=st.integers(1, 300))
def test_what_is_rendered_reads_back_clean(priority: int, dscp: int, cable: int, tmp_path: Path) -> None:
    """The output of NICs that were set as the script sets them has no finding."""
    intent = FABRIC.replace("dscp: [26]", f"dscp: [{dscp}]").replace("    priority: 3", f"    priority: {priority}")
    intent = intent.replace("rdma_dscp: 26", f"rdma_dscp: {dscp}").replace("cable_len: 3m", f"cable_len: {cable}m")
    intent = intent.replace("faces: host, cable: 3m", f"faces: host, cable: {cable}m")
    intent = intent.replace("dscp: [18, 20], priority: 2", f"dscp: [18, 20], priority: {5 if priority == 2 else 2}")
    fabric = loaded(tmp_path, intent)[0].fabric
    assert fabric is not None
    script = next(f.text for f in render_files(fabric, form="script"))
    pfc = script.split("\nPFC=")[1].split(" ")[0].split(",")
    body = script.split("PRIORITY_OF=(")[1].split("\n)")[0].split("\n", 1)[1]
    output = mlnx_qos(
        tuple(n for n, word in enumerate(pfc) if word == "1"),
        cable=int(script.split("--cable_len ")[1].split()[0]),
        priority_of=tuple(map(int, body.split())),
    )
    nics = place_nics(stated(output), "gpu07-nic1.txt", listed_hosts(fabric))
    assert [nic.name for nic in nics] == ["gpu07:nic1"]
    assert list(find_nic_problems(fabric, nics)) == []
    wrong = place_nics(stated(mlnx_qos(((priority + 1) % 8,), cable=cable)), "gpu07-nic1.txt", listed_hosts(fabric))
    assert "nic-pfc" in {p.rule for p in find_nic_problems(fabric, wrong)}


# -- alone, and on the command line ------------------------------------------------------------------------------------


def test_alone_it_says_what_it_can(tmp_path: Path) -> None:
    assert found(tmp_path, {"a.txt": mlnx_qos()}, None) == []
    none, both = found(tmp_path, {"a.txt": mlnx_qos(()), "b.txt": mlnx_qos((3, 4))}, None)
    assert (none.rule, none.severity, both.rule, both.severity) == ("nic-pfc", "warning", "nic-pfc", "warning")
    assert "PFC on no priority" in none.message
    assert "PFC on priorities 3, 4" in both.message


def test_the_command_line_takes_files_and_folders_of_output(tmp_path: Path) -> None:
    bad = mlnx_qos().replace("enabled     0   0", "enabled     0")
    write(tmp_path, {"fabric.yaml": FABRIC, "nics/gpu01/nic0.txt": mlnx_qos((4,)), "cut/gpu02.txt": bad})
    done = rocecfg(tmp_path, "lint", "fabric.yaml", "nics", "--format", "concise", expect=1)
    assert "nics/gpu01/nic0.txt:16:14: error NIC901 nic-pfc: gpu01:nic0 has PFC on priority 4" in done.stdout
    assert "1 error" in done.stdout
    cut = rocecfg(tmp_path, "lint", "fabric.yaml", "cut/gpu02.txt", "--format", "concise", expect=2)
    assert "cut/gpu02.txt:16:14:" in cut.stdout
    assert "for each of the priorities 0 to 7" in cut.stdout
