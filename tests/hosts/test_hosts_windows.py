"""Output of Windows hosts, Get-NetAdapterQos and Get-NetQos*: what is read of it, and found in it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import FABRIC, Found, _as_seen, rocecfg, write
from loops import loop

from rocecfg.hosts.reading import read
from rocecfg.hosts.state import NicState
from rocecfg.linting.discover import discover
from rocecfg.linting.run import lint
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors.detect import is_host_output, vendor_of

# as Microsoft's reference prints them (Get-NetAdapterQos, example 1; Data Center Bridging in Windows Server)
ADAPTER = """\
Name                       : {name}
Enabled                    : True
Capabilities               :                       Hardware     Current
                                                   --------     -------
                             MacSecBypass        : NotSupported NotSupported
                             DcbxSupport         : IEEE         None
                             NumTCs(Max/ETS/PFC) : 8/8/8        8/8/8

OperationalTrafficClasses  : TC TSA    Bandwidth Priorities
                             -- ---    --------- ----------
                              0 ETS    40%       0-2,4-7
                              1 ETS    60%       3

OperationalFlowControl     : {pfc}
OperationalClassifications : Protocol  Port/Type Priority
                             --------  --------- --------
                             Default             0
                             NetDirect 445       {priority}

"""
DISABLED = """\
Name         : Embedded NIC 1
Enabled      : False
Capabilities :                       Hardware     Current
                                     --------     -------
               MacSecBypass        : NotSupported NotSupported
               DcbxSupport         : None         None
               NumTCs(Max/ETS/PFC) : 0/0/0        0/0/0

"""
TRAFFIC_CLASSES = """\
Name        Algorithm Bandwidth(%) Priority         PolicySet        IfIndex IfAlias
----        --------- ------------ --------         ---------        ------- -------
[Default]   ETS       40           0-2,4-7          Global
SMB         ETS       60           3                Global
"""


def adapter(pfc: str = "Priority 3 Enabled", priority: int = 3, name: str = "SLOT 2 Port 1") -> str:
    return ADAPTER.format(name=name, pfc=pfc, priority=priority)


def flow_control(*paused: int, alias: str = "") -> str:
    """Get-NetQosFlowControl; of one adapter where `alias` names it."""
    lines = [
        "Priority   Enabled    PolicySet        IfIndex IfAlias",
        "--------   -------    ---------        ------- -------",
    ]
    whose = f"AdapterSpecific  4       {alias}" if alias else "Global"
    lines += [f"{n}          {n in paused!s:5}      {whose}" for n in range(8)]
    return "\n".join(lines) + "\n"


def policy(priority: str = "3", match: str = "NetDirectPort  : 445") -> str:
    return (
        "Name           : SMBDirect\nOwner          : Group Policy (Machine)\nNetworkProfile : All\n"
        f"Precedence     : 127\nJobObject      :\n{match}\nPriorityValue  : {priority}\n\n"
    )


def states(text: str) -> list[NicState]:
    return read(Document(0, "x.txt", text)).nics


def found(folder: Path, outputs: dict[str, str], intent: str | None = FABRIC) -> list[Found]:
    write(folder, {**outputs, **({"fabric.yaml": intent} if intent is not None else {})})
    paths = [str(folder / name) for name in (*(["fabric.yaml"] if intent is not None else []), *outputs)]
    sources = Sources()
    run = lint(discover(tuple(paths), sources, running=True).fabrics, sources, today="2026-06-30")
    assert not run.failed
    seen = (_as_seen(f, sources, folder) for f in run.findings)
    return [f for f in seen if f.rule.startswith("nic-") or f.rule.startswith("schema-")]


@pytest.mark.parametrize(
    ("words", "pfc"),
    [
        ("Priority 3 Enabled", (3,)),
        ("Priorities 3-4 Enabled", (3, 4)),
        ("Priorities 2,4-5 Enabled", (2, 4, 5)),
        ("All Priorities Disabled", ()),
        ("All Priorities Enabled", tuple(range(8))),
    ],
)
def test_flow_control_of_an_adapter_is_read(words: str, pfc: tuple[int, ...]) -> None:
    (nic,) = states(adapter(words, 4))
    assert (nic.interface, nic.pfc, nic.rdma_priority) == ("SLOT 2 Port 1", pfc, 4)


def test_flow_control_of_the_host_is_that_of_its_adapters_where_none_says_its_own() -> None:
    (nic,) = states("PS C:\\> Get-NetQosFlowControl\n\n" + flow_control(3))
    assert (nic.interface, nic.pfc) == (None, (3,))
    (one,) = states(flow_control(4, alias="SLOT 2 Port 1"))
    assert (one.interface, one.pfc) == ("SLOT 2 Port 1", (4,))
    (own,) = states(flow_control(3) + "\n" + adapter("All Priorities Disabled"))
    assert (own.interface, own.pfc) == ("SLOT 2 Port 1", ())  # what the adapter runs, not what it should


@loop(
    ("text", "told"),
    [
        (adapter().replace("60%       3", "1%        3"), "1 %"),
        (adapter().replace("ETS    60%       3", "Strict           3"), "strict priority"),
        (adapter().replace("0-2,4-7", "0-2,4-6").replace("60%       3", "60%       3,7"), "with priorities 7"),
        (flow_control(3) + TRAFFIC_CLASSES.replace("60           3 ", "1            3 "), "1 %"),
        (flow_control(3) + TRAFFIC_CLASSES, None),
        (adapter(), None),
    ],
)
def test_traffic_classes_are_compared_with_the_switchs(text: str, told: str | None, tmp_path: Path) -> None:
    seen = found(tmp_path, {"gpu01.txt": text})
    assert [f.rule for f in seen] == (["nic-queue"] if told else [])
    assert told is None or told in seen[0].message


def test_what_an_adapter_has_goes_before_what_is_set_for_all(tmp_path: Path) -> None:
    """Microsoft, Enable-NetQosFlowControl -InterfaceAlias: an adapter's own settings replace the global ones."""
    two = flow_control(3, alias="M1") + flow_control(3, alias="M2")
    assert [(n.interface, n.pfc) for n in states(flow_control(4) + two)] == [("M1", (3,)), ("M2", (3,))]
    assert [f.rule for f in found(tmp_path / "a", {"gpu01.txt": flow_control(4) + two})] == ["nic-unread"]
    assert found(tmp_path / "b", {"gpu01.txt": flow_control(3) + two}) == []
    off = flow_control(3) + flow_control(alias="M1") + flow_control(3, alias="M2")
    (one,) = [f for f in found(tmp_path / "c", {"gpu01.txt": off}) if f.rule == "nic-pfc"]
    assert "gpu01:M1" in one.message
    assert [f.rule for f in found(tmp_path / "d", {"gpu01.txt": flow_control(4)})] == ["nic-pfc"]


def test_traffic_classes_of_an_adapter_go_before_those_of_all(tmp_path: Path) -> None:
    own = "".join(
        line.replace("Global", "AdapterSpecific  4       M1") + "\n" for line in TRAFFIC_CLASSES.splitlines()[2:]
    )
    few = own.replace("60           3 ", "1            3 ")
    few_of_all = TRAFFIC_CLASSES.replace("60           3 ", "1            3 ")
    for number, (text, told) in enumerate(
        (
            (flow_control(3) + TRAFFIC_CLASSES + few, "gpu01:M1"),
            (flow_control(3, alias="M1") + TRAFFIC_CLASSES + few, "gpu01:M1"),
            (TRAFFIC_CLASSES + few, "gpu01:M1"),
            (few_of_all, "gpu01"),
            (flow_control(3) + few_of_all + own, None),
            (TRAFFIC_CLASSES, None),
        )
    ):
        seen = found(tmp_path / str(number), {"gpu01.txt": text})
        assert [f.rule for f in seen] == (["nic-queue"] if told else []), number
        assert told is None or seen[0].message.startswith(f"{told} gives RDMA's traffic class 1 a share of 1 %")


def test_a_policy_puts_rdma_on_its_priority() -> None:
    (nic,) = states(policy("4") + flow_control(3))
    assert (nic.pfc, nic.rdma_priority) == ((3,), 4)
    (tight,) = states(policy("4").replace(" : ", " :") + flow_control(3))  # as some consoles print it
    assert tight.rdma_priority == 4
    (default,) = states(policy("5", match="Template       : Default") + flow_control(3))
    assert default.rdma_priority == 5
    (other,) = states(policy("5", match="Template       : SMB") + flow_control(3))  # TCP, and not RDMA
    assert other.rdma_priority is None


def test_hosts_of_prompts_and_of_what_is_run_on_several() -> None:
    text = f"[gpu01]: PS C:\\> Get-NetAdapterQos\n\n{adapter()}[gpu02]: PS C:\\> Get-NetAdapterQos\n\n{adapter()}"
    assert [nic.host for nic in states(text)] == ["gpu01", "gpu02"]
    text = "".join(f"{adapter().rstrip()}\nPSComputerName             : gpu0{n}\n\n" for n in (1, 2))
    assert [nic.host for nic in states(text)] == ["gpu01", "gpu02"]


@pytest.mark.parametrize("text", [adapter(), DISABLED, flow_control(3), policy(), TRAFFIC_CLASSES])
def test_output_of_windows_is_recognised_and_no_switchs(text: str) -> None:
    for each in (text, text.replace("\n", "\r\n"), "PS C:\\> Get-Net...\n\n" + text):
        assert is_host_output(each)
        assert vendor_of(each) is None
        read(Document(0, "x.txt", each))


def test_a_nic_like_its_switch_port_is_silent(tmp_path: Path) -> None:
    text = adapter() + DISABLED + flow_control(3) + policy() + TRAFFIC_CLASSES
    assert found(tmp_path, {"gpu01.txt": text}) == []
    assert found(tmp_path, {"gpu01.txt": text.replace("\n", "\r\n")}) == []


def test_each_difference_is_found_where_it_stands_and_fixed_in_powershell(tmp_path: Path) -> None:
    text = adapter("Priority 4 Enabled", 4)
    pfc, rdma = found(tmp_path, {"gpu01.txt": text})
    assert (pfc.rule, pfc.text, pfc.severity) == ("nic-pfc", "Priority 4 Enabled", "error")
    assert "Enable-NetQosFlowControl -Priority 3" in pfc.help
    assert "Disable-NetQosFlowControl -Priority 0,1,2,4,5,6,7" in pfc.help
    assert "mlnx_qos" not in pfc.help
    assert (rdma.rule, rdma.text) == ("nic-trust", "4")
    assert "priority 4" in rdma.message
    assert "-PriorityValue8021Action 3" in rdma.help


def test_qos_that_is_off_on_the_only_adapter_is_pfc_on_no_priority(tmp_path: Path) -> None:
    (one,) = found(tmp_path, {"gpu01.txt": DISABLED})
    assert (one.rule, one.text) == ("nic-pfc", "False")
    assert 'Enable-NetAdapterQos -Name "Embedded NIC 1"' in one.help
    # beside others it is one for management
    assert found(tmp_path, {"gpu01.txt": DISABLED + adapter()}) == []
    # unless links say that it is one of theirs
    named = FABRIC.replace(":nic0", ":SLOT2").replace("nic0:", "SLOT2:")
    text = adapter(name="nic1") + DISABLED.replace("Embedded NIC 1", "SLOT2")
    assert [f.rule for f in found(tmp_path, {"gpu01.txt": text}, named)] == ["nic-pfc"]


def test_the_name_of_a_file_makes_no_nic_of_another_adapter(tmp_path: Path) -> None:
    """Whether an adapter that is called otherwise is that NIC port nothing says: it is told, and not judged."""
    for name, pfc, told in (
        ("nic0", "Priority 4 Enabled", ["nic-pfc"]),
        ("NIC 0", "Priority 4 Enabled", ["nic-pfc"]),
        ("nic1", "Priority 4 Enabled", ["nic-pfc"]),  # it is cabled by that name
        ("Management", "All Priorities Disabled", ["nic-unread"]),
        ("Management", "Priority 3 Enabled", ["nic-unread"]),
    ):
        reported = found(tmp_path, {"gpu01-nic0.txt": adapter(pfc, name=name)})
        assert [f.rule for f in reported if f.rule in ("nic-pfc", "nic-unread")] == told, name
        assert all(f"gpu01:{'nic0' if name == 'NIC 0' else name} " in f.message for f in reported if f.rule in told)


def test_alone_it_says_what_it_can(tmp_path: Path) -> None:
    assert found(tmp_path, {"a.txt": adapter() + DISABLED}, None) == []
    (one,) = found(tmp_path, {"a.txt": adapter("All Priorities Disabled")}, None)
    assert (one.rule, one.severity) == ("nic-pfc", "warning")
    # RDMA on a priority that is not paused: lossy, whatever the switch is
    (two,) = found(tmp_path, {"b.txt": flow_control(3) + policy("4")}, None)
    assert (two.rule, two.severity) == ("nic-trust", "error")
    assert "RDMA" in two.message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (adapter("Priority nine Enabled"), 14),
        (adapter("Priority 8 Enabled"), 14),
        (flow_control(3).replace("4          False      Global\n", ""), 1),  # a row is missing
        (flow_control(3).replace("True ", "Yes  "), 6),
        (policy("nine"), 7),
        (adapter().replace("Enabled                    : True", "Enabled                    : Yes"), 2),
    ],
)
def test_what_is_cut_off_or_changed_is_an_error_with_its_place(text: str, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        states(text)
    assert caught.value.line == line
    assert "expected " in caught.value.message


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=300), st.integers(0, 1200), st.integers(0, 40))
def test_no_text_breaks_the_reader(text: str, at: int, cut: int) -> None:
    whole = adapter() + flow_control(3) + policy()
    for broken in (text, whole[:at] + text + whole[at + cut :]):
        with suppress(SourceError):
            states(broken)


def test_utf_16_as_powershell_writes_it_is_an_error_with_the_way_out(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC, "nics/gpu01.txt": adapter().encode("utf-16")})
    for paths in (("nics/gpu01.txt",), ("nics",)):  # of a folder too: it is not passed over as no text
        done = rocecfg(tmp_path, "lint", "fabric.yaml", *paths, expect=2)
        assert "Out-File -Encoding utf8" in done.stdout + done.stderr
