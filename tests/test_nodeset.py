"""Node sets: ClusterShell's notation, in written order."""

from __future__ import annotations

import itertools
import subprocess
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop

from rocecfg.core.nodeset import (
    MAX_NAMES,
    NodeSetError,
    disjoint,
    fold,
    fold_for_shell,
    fold_set,
    name_set,
    names_of,
    node_set,
)


@loop(
    ("text", "names"),
    [
        ("leaf01", ["leaf01"]),
        ("leaf[1-3]", ["leaf1", "leaf2", "leaf3"]),
        ("leaf[08-11]", ["leaf08", "leaf09", "leaf10", "leaf11"]),
        ("leaf[8-11]", ["leaf8", "leaf9", "leaf10", "leaf11"]),
        ("leaf[001-002]", ["leaf001", "leaf002"]),
        ("leaf[0-2]", ["leaf0", "leaf1", "leaf2"]),
        ("leaf[7,3,5]", ["leaf7", "leaf3", "leaf5"]),
        ("leaf[3-4,1]", ["leaf3", "leaf4", "leaf1"]),
        ("Ethernet[0-24/8]", ["Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24"]),
        ("Ethernet[0-25/8]", ["Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24"]),
        ("Ethernet[1-2]/1", ["Ethernet1/1", "Ethernet2/1"]),
        ("r[1-2]-l[1-2]", ["r1-l1", "r1-l2", "r2-l1", "r2-l2"]),
        ("a[1-2]b[1-2]c[1-2]", ["a1b1c1", "a1b1c2", "a1b2c1", "a1b2c2", "a2b1c1", "a2b1c2", "a2b2c1", "a2b2c2"]),
        ("b,a", ["b", "a"]),
        ("b[1-2],a[1,0]", ["b1", "b2", "a1", "a0"]),
        ("leaf01, leaf02", ["leaf01", "leaf02"]),
        ("leaf[1, 3 - 5 / 2]", ["leaf1", "leaf3", "leaf5"]),
        ("leaf[01,1]", ["leaf01", "leaf1"]),
        ("leaf[5-5]", ["leaf5"]),
        ("[1-2]x", ["1x", "2x"]),
    ],
)
def test_names_come_as_written(text: str, names: list[str]) -> None:
    nodes = node_set(text)
    assert list(nodes) == names
    assert len(nodes) == len(names)
    assert list(names_of(text)) == names
    assert name_set(text) == set(names)


@loop(
    ("text", "word"),
    [
        ("leaf[3-1]", "runs backwards; write 1-3"),
        ("leaf[01-003]", "pads its ends to different widths"),
        ("leaf[1-010]", "pads its ends to different widths"),
        ("leaf[1-3/0]", "step 0"),
        ("leaf[1-3", "lacks a closing ]"),
        ("leaf1-3]", "do not match"),
        ("leaf[1-[2]]", "do not match"),
        ("leaf[]", "is not a number"),
        ("leaf[1-]", "is not a number"),
        ("leaf[-3]", "is not a number"),
        ("leaf[a-c]", "is not a number"),
        ("leaf[1-3/x]", "is not a number"),
        ("leaf[1.5]", "is not a number"),
        ("leaf[\u0661-\u0663]", "is not a number"),  # Arabic digits are digits to Python
        ("leaf[1--3]", "is not a number"),
        ("leaf[1-3/2/2]", "is not a number"),
        ("leaf1,,leaf2", "empty name"),
        ("leaf1,", "empty name"),
        ("", "empty name"),
        ("@leaves", "groups"),
        ("leaf[1-4]!leaf2", "set operators"),
        ("leaf[1-4]&leaf2", "set operators"),
        ("leaf[1-4]^leaf2", "set operators"),
        ("leaf 1", "blanks"),
        ("leaf [1-2]", "blanks"),
        ("leaf[0-999999999]", "stands for 1000000000 names"),
        ("leaf[0-99999][0-99999]", "stands for 10000000000 names"),
        ("leaf[0-9999999999]", "is not a number"),
    ],
)
def test_what_is_no_node_set_says_why(text: str, word: str) -> None:
    with pytest.raises(NodeSetError) as caught:
        node_set(text)
    assert word in str(caught.value)


def test_a_million_names_are_the_most() -> None:
    assert len(node_set(f"x[1-{MAX_NAMES}]")) == MAX_NAMES
    with pytest.raises(NodeSetError):
        node_set(f"x[0-{MAX_NAMES}]")
    with pytest.raises(NodeSetError):
        node_set(f"x[1-{MAX_NAMES}],y")


def test_disjoint_sees_a_name_in_two_sets_and_twice_in_one() -> None:
    assert disjoint(("leaf[1-3]", "leaf[4-6]", "spine1"))
    assert not disjoint(("leaf[1-3]", "leaf[3-6]"))
    assert not disjoint(("leaf[1,1]",))
    assert disjoint(("leaf[01-03]", "leaf[1-3]"))  # padded names are other names


# -- ClusterShell as oracle --------------------------------------------------------------------------------------------


@st.composite
def _range(draw: st.DrawFn) -> str:
    low = draw(st.integers(0, 40))
    if draw(st.booleans()):
        return str(low)
    high = low + draw(st.integers(0, 12))
    width = draw(st.sampled_from([0, 0, len(str(high)), len(str(high)) + 1]))
    text = f"{low:0{width}d}-{high:0{width}d}" if width else f"{low}-{high}"
    step = draw(st.integers(1, 4))
    return f"{text}/{step}" if step > 1 else text


@st.composite
def _term(draw: st.DrawFn) -> str:
    parts = [draw(st.sampled_from(["leaf", "eth", "r", "Ethernet"]))]
    for _ in range(draw(st.integers(0, 2))):
        ranges = draw(st.lists(_range(), min_size=1, max_size=3))
        parts.append(f"[{','.join(ranges)}]")
        parts.append(draw(st.sampled_from(["-", "/", "p", "-x"])))
    return "".join(parts)


_SETS = st.lists(_term(), min_size=1, max_size=3).map(",".join)


@given(_SETS)
@settings(max_examples=300, deadline=None)
def test_clustershell_reads_the_same_names(text: str) -> None:
    theirs = pytest.importorskip("ClusterShell.NodeSet")
    try:
        expected = set(theirs.NodeSet(text))
    except theirs.NodeSetParseError:
        with pytest.raises(NodeSetError):
            node_set(text)
        return
    ours = node_set(text)
    assert set(ours) == expected
    assert len(ours) == len(ours.names)
    if len(set(ours)) == len(ours):  # it counts a name once, however often it is written
        assert len(ours) == len(theirs.NodeSet(text))


@given(st.text(alphabet="a1[]-,/0 9x@!&^", max_size=14))
@settings(max_examples=400, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        nodes = node_set(text)
    except NodeSetError:
        return
    assert len(nodes) == len(nodes.names) > 0
    assert all(name and not set(name) & set("[],") for name in nodes)


@given(st.lists(st.lists(_range(), min_size=1, max_size=2), min_size=2, max_size=3))
@settings(max_examples=100, deadline=None)
def test_the_last_bracket_runs_fastest(brackets: list[list[str]]) -> None:
    text = "n" + "-".join(f"[{','.join(b)}]" for b in brackets)
    parts = [list(node_set(f"[{','.join(b)}]")) for b in brackets]
    assert list(node_set(text)) == ["n" + "-".join(choice) for choice in itertools.product(*parts)]


# -- back to short text ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["leaf01", "leaf02", "leaf03"], "leaf[01-03]"),
        (["leaf9", "leaf10", "leaf11"], "leaf[9-11]"),
        (["leaf09", "leaf10"], "leaf[09-10]"),
        ([f"Ethernet{n}" for n in range(0, 256, 8)], "Ethernet[0-248/8]"),
        ([f"Ethernet{n}/1" for n in range(1, 9)], "Ethernet[1-8]/1"),
        (["leaf1"], "leaf1"),
        (["leaf3", "leaf1"], "leaf[3,1]"),
        (["leaf1", "leaf3"], "leaf[1,3]"),
        (["leaf1", "spine1"], "leaf1,spine1"),
        (["leaf1", "leaf2", "leaf4"], "leaf[1-2,4]"),
        ([f"p{p:04}-leaf{n}" for p in range(1, 1001) for n in range(1, 9)], "p[0001-1000]-leaf[1-8]"),
        ([f"r{r}p{p}s{s}" for r in (1, 2) for p in (3, 4) for s in (5, 7)], "r[1-2]p[3-4]s[5,7]"),
        ([f"swp{n}s{s}" for n in (1, 2) for s in (0, 1)] + ["swp3s0"], "swp[1-2]s[0-1],swp3s0"),
        ([f"swp{n}s{s}" for s in (0, 1) for n in (1, 2)], "swp[1-2]s0,swp[1-2]s1"),  # the last bracket is fastest
    ],
)
def test_fold_is_what_an_engineer_would_write(names: list[str], text: str) -> None:
    assert fold(tuple(names)) == text


@pytest.mark.parametrize(
    "text", ["swp[1-32]s[0-1]", "swp[12-32]s[0-1],swp[33-64]", "Ethernet[0-248/8]", "Ethernet[1-5,7-16]/1", "a,b"]
)
def test_a_folded_set_folds_to_itself(text: str) -> None:
    assert fold(node_set(text).names) == text


def test_names_of_one_form_fold_together_where_the_order_means_nothing() -> None:
    pods = [f"p{p}-{role}" for p in (1, 2, 3) for role in ("leaf1", "leaf2", "spine1")]
    assert fold_set(tuple(pods)) == "p[1-3]-leaf[1-2],p[1-3]-spine1"
    assert sorted(node_set(fold_set(tuple(pods)))) == sorted(pods)
    assert fold_set(("leaf10", "leaf2", "spine1", "leaf1", "leaf11")) == "leaf[1-2,10-11],spine1"  # by number


_NAMES = st.from_regex(r"[a-z]{1,2}([0-9]{0,3}|[0-9]{9,12})(/[0-9]{1,2})?", fullmatch=True)
_DENSE = st.from_regex(r"a[1-3]-[1-3](x[12])?", fullmatch=True)


@given(st.one_of(st.lists(_NAMES, min_size=1, max_size=12), st.lists(_DENSE, min_size=4, max_size=24)))
@settings(max_examples=500, deadline=None)
def test_fold_keeps_names_and_their_order(names: list[str]) -> None:
    assert list(node_set(fold(tuple(names)))) == names


@given(_SETS)
@settings(max_examples=200, deadline=None)
def test_folding_the_names_of_a_set_gives_the_same_names(text: str) -> None:
    try:
        names = node_set(text).names
    except NodeSetError:
        return
    assert node_set(fold(names)).names == names


def test_bash_makes_of_names_for_a_shell_the_same_names() -> None:
    texts = ("leaf01", "leaf[01-03]", "Ethernet[0-248/8,256-508/4]", "a,b[1,3-5]x[0-1]", "swp[1-2]s[0-1],swp[33,35]")
    typed = "\n".join(f"echo {fold_for_shell(names_of(text))}" for text in texts)
    done = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, check=True)
    assert [tuple(line.split()) for line in done.stdout.splitlines()] == [names_of(text) for text in texts]


def test_names_are_made_when_asked_for() -> None:
    """A set of a million names costs nothing until somebody wants them."""
    nodes: Any = node_set("lazy[0-999999]")
    assert len(nodes) == 1_000_000
    assert nodes._names is None  # noqa: SLF001 - that no names were made cannot be seen otherwise
