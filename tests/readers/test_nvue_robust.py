"""Whatever the text is: a switch and its problems, or an error with its place; never an exception of another kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nvue_text import loaded

from rocecfg.linting.judge import judge
from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.spectrum.reader import read

VOCABULARY = """
qos interface system roce pfc mapping congestion-control egress-scheduler egress-shaper egress-queue-mapping
traffic-pool advance-buffer-config pfc-watchdog link-pause remark default-global default-lossy roce-lossless
switch-priority traffic-class dscp pcp trust mode enable state on off enabled l3 lossless lossy strict dwrr
bw-percent min-threshold max-threshold probability ecn red tx rx cable-length port-buffer xoff-threshold
xon-threshold memory-percent ingress-service-pool ingress-lossy-buffer ingress-lossless-buffer priority-group
bulk shared-alpha alpha_1 shared-bytes service-pool profile polling-interval robustness swp1 swp1-4 swp1s0-1
swp3,5 bond1 bond member link breakout 4x speed 400G mtu description type ip address vrf bridge domain router
adaptive-routing forwarding packet-trim hostname leaf01 nve vxlan header version 0 1 3 3-5 0-7 26 63 64 100 9216
-1 1e9 ³ 1² 99999999999999999999 swp9999999999 a-b 'x' {} swp4-1 0-999999
"""
words = st.sampled_from(VOCABULARY.split())
scalars = words | st.integers() | st.booleans() | st.none() | st.text(max_size=5) | st.floats(allow_nan=False)
trees = st.recursive(
    scalars, lambda inner: st.dictionaries(words, inner, max_size=4) | st.lists(inner, max_size=3), max_leaves=25
)
lines = st.lists(st.lists(words | st.text(max_size=6), min_size=1, max_size=9).map(" ".join), max_size=12)


def refused(text: str) -> SourceError | None:
    """Why a text cannot be read at all."""
    try:
        read(Document(0, "leaf01", text))
    except SourceError as error:
        return error
    return None


def survive(text: str) -> None:
    """Read, resolve and judge; a text that cannot be read says where."""
    error = refused(text)
    if error is not None:
        assert 1 <= error.line <= text.count("\n") + 1
        assert error.column >= 1
        return
    fabric, sources = loaded(text)
    found, failed = judge(fabric)
    assert not failed, failed
    for finding in found:
        assert finding.at is not None
        assert 0 <= finding.at.start <= finding.at.end <= len(text)
        assert finding.message
        sources.documents[finding.at.doc].place(finding.at.start)


@settings(max_examples=150, deadline=None)
@given(st.text())
def test_any_text(text: str) -> None:
    survive(text)


@settings(max_examples=200, deadline=None)
@given(lines)
def test_any_commands(commands: list[str]) -> None:
    survive("".join(f"nv set {line}\n" for line in commands))
    survive("nv set qos roce mode lossless\n" + "".join(f"nv set qos {line}\n" for line in commands))
    survive("nv set interface swp1-4 type swp\n" + "".join(f"nv unset {line}\n" for line in commands))


@pytest.mark.parametrize("number", ["1²", "³", "٣", "9" * 5000])
def test_a_digit_that_makes_no_number(number: str) -> None:
    survive(f"nv set qos congestion-control default-global traffic-class {number} red disable\n")
    survive(
        f"nv set qos roce mode lossless\nnv set qos mapping default-global dscp {number} switch-priority {number}\n"
    )


@settings(max_examples=200, deadline=None)
@given(trees, trees)
def test_any_tree(qos: Any, interface: Any) -> None:
    survive(json.dumps({"qos": qos, "interface": interface}))
    survive(json.dumps([{"set": {"qos": qos}}, {"unset": {"qos": interface}}, {"set": {"interface": interface}}]))


@pytest.fixture(scope="module")
def sample(shared: Path) -> dict[str, str]:
    folder = shared / "samples" / "nvue"
    return {form: (folder / f"era-2-8-9-400-core-01.{form}").read_text(encoding="utf-8") for form in ("yaml", "nv")}


@pytest.mark.parametrize("form", ["yaml", "nv"])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_damaged_file(sample: dict[str, str], form: str, data: st.DataObject) -> None:
    text = sample[form]
    start = data.draw(st.integers(0, len(text) - 1))
    length = data.draw(st.integers(0, 400))
    survive(text[:start] + data.draw(st.text(max_size=20)) + text[start + length :])
    survive(text[: data.draw(st.integers(0, len(text)))])


@pytest.mark.parametrize(
    "text",
    [
        "- set: &a\n    qos: *a\n",
        "- set:\n    qos: {roce: {? [a] : b}}\n",
        "- set:\n" + "".join("  " * n + "    a:\n" for n in range(100)),
        "qos: !!python/object:os.system {}\n",
        "qos:\n\troce: {}\n",
        "- set: {}\n---\n- set: {}\n",
        "nv set interface swp0-999999999 qos pfc-watchdog\n",
        "nv set interface " + ",".join(f"swp{n}" for n in range(1, 3000)) + " qos pfc-watchdog\n",
        "nv set qos mapping default-global dscp 0-63,0-63 switch-priority 3\n" * 50,
        "nv set\nnv\nnv set qos\nnv unset qos\n\\",
        "nv set qos roce mode lossless\\",
        'nv set qos roce "mode',
        "\ufeffnv set qos roce mode lossless\n",
        "nv set qos roce mode lossless\x00\n",
        "set: set\n",
        "header: {}\nset: {}\n",
        "- header: {version: [1]}\n- set: {qos: }\n",
    ],
)
def test_odd_texts(text: str) -> None:
    survive(text)
