"""Whatever comes as a configuration: findings, or one clear error; never a traceback, and never out of proportion."""

from __future__ import annotations

from pathlib import Path

import pytest
from eos_text import device, findings, loaded, rules, switches
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rocecfg.model import Span
from rocecfg.model.stated import MISSING
from rocecfg.source.document import SourceError
from rocecfg.vendors.arista.reading.commands import FORMS
from rocecfg.vendors.arista.reading.grammar import format_pattern

WORDS = sorted({word for forms in FORMS.values() for form in forms for word in format_pattern(form.pattern).split()})
_words = st.one_of(
    st.sampled_from(
        [*WORDS, "no", "default", "exit", "end", "!", "interface", "Ethernet1/1", "qos profile P", "0", "3"]
    ),
    st.integers(-1, 300).map(str),
    st.text(max_size=6),
)
_lines = st.lists(_words, min_size=1, max_size=8).map(" ".join)
_texts = st.lists(
    st.tuples(st.sampled_from(["", " ", "   ", "      ", "\t", " \t "]), _lines), min_size=1, max_size=12
).map(lambda lines: "\n".join(indent + line for indent, line in lines))


def _read(text: str) -> None:
    """Reads and judges; every problem stands somewhere in the text."""
    try:
        found = loaded(text)
    except SourceError:
        return
    for problem in found.problems:
        assert 0 <= problem.at.start <= problem.at.end <= len(text)
    findings(text)


@settings(max_examples=300, deadline=None)
@given(_texts)
@example("interface Ethernet1/1\n\ttx-queue 3\n  \t random-detect ecn minimum-threshold 1 bytes")
@example("no interface")
@example("interface")
@example("qos profile")
@example("interface Ethernet1-999999999")
@example("interface Ethernet1/1-2/9")
@example("qos map dscp 5-99999999999 to traffic-class 3")
@example("tx-queue 3\n no priority")
@example("#")
@example("> >")
@example("qos map dscp 26 to traffic-class 9")
def test_random_words_are_no_trouble(text: str) -> None:
    _read(text)


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_random_characters_are_no_trouble(text: str) -> None:
    _read(text)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_damaged_configurations_are_no_trouble(shared: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(p.name for p in (shared / "samples/eos").iterdir())))
    text = (shared / "samples/eos" / name).read_text()
    start = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 200))
    _read(text[:start] + data.draw(st.sampled_from(["", "\n", "\x00", "no ", "}", " 99 "])) + text[start + length :])


@pytest.mark.parametrize(
    "text",
    [
        "", "\n\n", "!\n! nothing\n", "lorem ipsum dolor", "router bgp 65000\n   neighbor 10.0.0.1 remote-as 65001\n",
        '{"PORT": {"Ethernet0": {"mtu": "9100"}}}', "- set:\n    qos: {}\n", "\x00\x01\x02", "<html></html>",
    ],
)  # fmt: skip
def test_a_text_without_any_command_of_eos_is_refused(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        switches(text)
    assert caught.value.path == "leaf01.cfg"
    assert "show running-config" in caught.value.help


NX_OS = """feature lldp
hostname nexus1
class-map type network-qos c-8q-nq3
  match qos-group 3
policy-map type network-qos custom-8q-nq
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
interface Ethernet1/1
  mtu 9216
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input QOS_CLASSIFICATION
  no shutdown
"""


def test_another_systems_text_is_told_as_such() -> None:
    reported = [f for f in findings(NX_OS) if f.rule.name == "device-unknown"]
    assert len(reported) == 4  # the two maps and the two lines of PFC
    assert any("NX-OS" in f.message for f in reported)


def test_tabs_and_blanks_mixed() -> None:
    text = (
        "hostname x\ninterface Ethernet1/1\n\tno switchport\n   priority-flow-control on\n  \tpriority-flow-control "
        "priority 3   no-drop\n\ttx-queue 3\n\t\tno\tpriority\n        bandwidth percent 40\n"
    )
    found = device(text)
    assert found.ports[0].pfc == (3,)
    assert found.cls("tc3").bandwidth == 40
    assert "device-unknown" not in rules(text)


def test_comments_behind_commands() -> None:
    text = (
        "hostname x\ninterface Ethernet1/1 ! to host 1\n   no switchport\n   priority-flow-control on   !! PFC\n"
        "   priority-flow-control priority 3 no-drop ! RDMA\n"
    )
    assert device(text).ports[0].pfc == (3,)
    assert not {"device-unknown", "device-unread"} & rules(text)


def test_a_text_without_indentation() -> None:
    text = (
        "hostname x\nqos profile P\nqos trust dscp\npriority-flow-control on\n"
        "priority-flow-control priority 3 no-drop\nuc-tx-queue 3\nno priority\nbandwidth percent 40\n"
        "interface Ethernet1/1\nload-interval 5\nmtu 9214\nno switchport\nip address 10.0.0.1/31\nservice-profile P\n"
        "router bgp 65000\nneighbor 10.0.0.2 remote-as 65001\nmtu 1500\n"
        "ip routing\nqos map dscp 26 to traffic-class 3\n"
    )
    (port,) = device(text).ports
    assert (port.pfc, port.mtu, port.layer) == ((3,), 9214, 3)
    assert "device-unknown" not in rules(text)


def test_a_line_of_a_megabyte_is_no_trouble() -> None:
    for line in (
        "qos map dscp " + "1 " * 300_000,
        "interface Ethernet" + "1," * 300_000,
        "x" * 1_000_000,
        "no " * 300_000,
    ):
        _read(f"hostname x\ninterface Ethernet1/1\n   {line}\n{line}\n")


def test_nothing_unreadable_is_left_in_what_is_read() -> None:
    (found,) = switches("hostname x\ninterface Ethernet1/1\n   mtu 9214\n")
    assert all(val.value is not MISSING for val in found.ports[0].section.values())
    assert found.at == Span(0, 0, 10)
