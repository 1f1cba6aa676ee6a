"""Which devices change together, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rollout_cases import LOSSY, MARKED, MOVED, RDMA, Cable, clos, intent, planned, stage_of


def devices(tmp_path: Path, old: str, new: str) -> list[tuple[str, ...]]:
    return [stage.devices for stage in planned(tmp_path, old, new).plan.stages]


def test_leaves_come_before_spines_and_one_at_a_time(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=2)
    got = devices(tmp_path, intent(MARKED, *fabric), intent(RDMA, *fabric))
    assert got == [("leaf1",), ("leaf2",), ("spine1",), ("spine2",)]


def test_after_the_first_a_quarter_of_a_tier_changes_at_once(tmp_path: Path) -> None:
    fabric = clos(leaves=8, spines=2, hosts=1)
    got = devices(tmp_path, intent(MARKED, *fabric), intent(RDMA, *fabric))
    # 8 leaves: a quarter is 2
    assert got[:5] == [("leaf1",), ("leaf2", "leaf3"), ("leaf4", "leaf5"), ("leaf6", "leaf7"), ("leaf8",)]
    assert got[5:] == [("spine1",), ("spine2",)]


def test_the_two_leaves_of_a_host_never_change_together(tmp_path: Path) -> None:
    # each host is at a leaf and the next one: leaf2 and leaf3 share one, leaf2 and leaf4 do not
    fabric = clos(leaves=8, spines=2, homes=2, hosts=1)
    got = devices(tmp_path, intent(MARKED, *fabric), intent(RDMA, *fabric))
    assert got[1:3] == [("leaf2", "leaf4"), ("leaf3", "leaf5")]


def test_at_once_is_the_users(tmp_path: Path) -> None:
    fabric = clos(leaves=8, spines=2, hosts=1)
    new = intent(RDMA, *fabric, "rollout: {at_once: 50%}\n")
    got = devices(tmp_path, intent(MARKED, *fabric), new)
    assert got[:3] == [("leaf1",), ("leaf2", "leaf3", "leaf4", "leaf5"), ("leaf6", "leaf7", "leaf8")]


def test_without_links_one_device_at_a_time(tmp_path: Path) -> None:
    roles, cables = clos(leaves=8, spines=2, hosts=1)
    old, new = (intent(rdma, roles, cables).partition("links:")[0] for rdma in (MARKED, RDMA))
    made = planned(tmp_path, old, new).plan
    assert [len(stage.devices) for stage in made.stages] == [1] * 10
    assert any("the intent has no links" in note for note in made.notes)


def test_a_priority_that_moves_takes_both_ends_of_each_link(tmp_path: Path) -> None:
    """Two planes that no link joins: each is one stage."""
    roles = {"leaf1": "leaf", "leaf2": "leaf", "spine1": "spine", "spine2": "spine"}
    cables = [
        Cable("leaf1", 0, "spine1", 0),
        Cable("leaf2", 0, "spine2", 0),
        Cable("gpu1", 0, "leaf1", 1),
        Cable("gpu1", 1, "leaf2", 1),
    ]
    made = planned(tmp_path, intent(RDMA, roles, cables), intent(MOVED, roles, cables)).plan
    assert [stage.devices for stage in made.stages] == [("leaf1", "spine1"), ("leaf2", "spine2")]
    assert [stage.together for stage in made.stages] == [
        ("leaf1:Ethernet0 -- spine1:Ethernet0",),
        ("leaf2:Ethernet0 -- spine2:Ethernet0",),
    ]
    assert all(part.drain == ("sudo config bgp shutdown all",) for stage in made.stages for part in stage.parts)
    assert [stage.hosts for stage in made.stages] == [("gpu1",), ("gpu1",)]
    assert not any(stage.breaks for stage in made.stages)


def test_in_a_full_mesh_it_takes_all_and_says_the_way_around(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=2)
    (stage,) = planned(tmp_path, intent(RDMA, *fabric), intent(MOVED, *fabric)).plan.stages
    assert set(stage.devices) == {"leaf1", "leaf2", "spine1", "spine2"}
    assert len(stage.breaks) == 2
    assert all("second lossless class" in line for line in stage.breaks)


@pytest.mark.parametrize(("old", "new"), [(LOSSY, RDMA), (RDMA, LOSSY)])
def test_pfc_that_comes_or_goes_needs_no_such_stage(tmp_path: Path, old: str, new: str) -> None:
    fabric = clos(leaves=2, spines=2)
    stages = planned(tmp_path, intent(old, *fabric), intent(new, *fabric)).plan.stages
    assert [stage.devices for stage in stages] == [("leaf1",), ("leaf2",), ("spine1",), ("spine2",)]
    assert not any(stage.together for stage in stages)
    assert stages[0].split == ("leaf1:Ethernet0 -- spine1:Ethernet0", "leaf1:Ethernet8 -- spine2:Ethernet0")


def test_given_stages_win_and_what_they_break_is_said(tmp_path: Path) -> None:
    fabric = clos(leaves=2, spines=2, homes=2)
    more = 'rollout: {stages: [{devices: "leaf[1-2]"}, {devices: "spine1"}]}\n'
    stages = planned(tmp_path, intent(RDMA, *fabric), intent(MOVED, *fabric, more)).plan.stages
    assert [stage.devices for stage in stages] == [("leaf1", "leaf2"), ("spine1",), ("spine2",)]
    assert [stage.given for stage in stages] == [True, True, False]
    first, second, _ = ("\n".join(stage.breaks) for stage in stages)
    assert "ops-both-ends: a lossless priority moves on leaf1:Ethernet0 -- spine1:Ethernet0" in first
    assert "ops-stage: all switches of tier leaf change at once" in first
    assert "lose all paths at once" in first  # every host is at both leaves
    assert "ops-both-ends" in second


CHANGES = ((MARKED, RDMA), (MOVED, RDMA), (LOSSY, RDMA), (RDMA, LOSSY))


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    leaves=st.integers(1, 7),
    spines=st.integers(1, 5),
    homes=st.integers(1, 2),
    change=st.sampled_from(CHANGES),
    cut=st.sets(st.integers(0, 34)),
)
def test_properties_of_any_plan(
    tmp_path: Path, leaves: int, spines: int, homes: int, change: tuple[str, str], cut: set[int]
) -> None:
    roles, cables = clos(leaves, spines, min(homes, leaves), hosts=1)
    up = leaves * spines
    cables = [c for n, c in enumerate(cables) if n >= up or n not in cut]
    cabled = {end for c in cables for end in (c.a, c.b)}
    roles = {name: role for name, role in roles.items() if name in cabled}
    made, differing, _ = planned(tmp_path, intent(change[0], roles, cables), intent(change[1], roles, cables))
    stage = stage_of(made)
    assert stage.keys() == differing.keys() == roles.keys()
    moves = change == (MOVED, RDMA)
    for a, _, b, _ in cables:
        if moves and a in roles and b in roles:
            assert stage[a] is stage[b], "both ends of a link whose lossless priority moves"
    for each in made.stages:
        for role in ("leaf", "spine"):
            tier = [name for name in roles if roles[name] == role]
            assert len(tier) < 2 or each.together or not set(tier) <= set(each.devices), "some of a tier stays"
    homes_of: dict[str, set[str]] = {}
    for a, _, b, _ in cables:
        below, above = (a, b) if a not in roles or roles[a] == "leaf" else (b, a)
        homes_of.setdefault(below, set()).add(above)
    for above in homes_of.values():
        if len(above) > 1 and not moves:
            assert len({stage[name].number for name in above}) > 1, "something stays for everyone who has a choice"
    numbers = {role: [stage[name].number for name in roles if roles[name] == role] for role in ("leaf", "spine")}
    assert moves or max(numbers["leaf"]) < min(numbers["spine"], default=len(stage) + 1)
