"""Fabrics that can deadlock and fabrics that cannot, as intents say them: the cases of the literature, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, fabric
from intents import findings as found_in
from topology_cases import clos as wired_clos
from wiring import is_circle

from rocecfg.analysis import deadlock
from rocecfg.analysis.deadlock import Failures, has_ranks, judge_deadlock, judge_failures
from rocecfg.analysis.graph import graph
from rocecfg.analysis.routes import Lossless, routing, up_down_turns
from rocecfg.analysis.tiers import tiers
from rocecfg.rules.topology_deadlock import RULES

NAMES = {rule.name for rule in RULES}


def head(topology: str) -> str:
    before, _, after = POLICY.partition("fabric: {")
    return f"{before}fabric: {{topology: {topology}, {after}"


def ring(count: int, topology: str = "custom", more: str = "routing: {algorithm: shortest}") -> str:
    last = count - 1
    return head(topology) + (
        f'devices:\n  "ring[0-{last}]": {{ports: {{"Ethernet[0-8/8]": {{speed: 400G, faces: switch}}, '
        f"Ethernet16: {{speed: 400G, faces: host}}}}}}\n{more}\n"
        f'links: [{{a: "ring[0-{last}]:Ethernet0", b: "ring[1-{last},0]:Ethernet8"}}]\n'
    )


def clos(leaves: int, spines: int, more: str = "", classes: str = "") -> str:
    text = head("clos")
    if classes:
        text = text.replace("classes:\n", f"classes:\n{classes}\n", 1).replace("bandwidth: 60", "bandwidth: 50", 1)
    links = "".join(
        f'  - {{a: "leaf[1-{leaves}]:to{s}", b: "spine{s}:to[1-{leaves}]"}}\n' for s in range(1, spines + 1)
    )
    return text + (
        f'devices:\n  "leaf[1-{leaves}]": {{role: leaf, ports: {{"to[1-{spines}]": {{faces: switch}}, '
        f'host1: {{faces: host}}}}}}\n  "spine[1-{spines}]": {{role: spine, ports: {{"to[1-{leaves}]": '
        f"{{faces: switch}}}}}}\n{more}\nlinks:\n{links}"
    )


def bounce(at: str, remap: str = "") -> str:
    return f'routing: {{bounces: [{{at: "{at}"{remap}}}]}}'


SECOND = "  second: {carries: [rdma], dscp: 18, priority: 2, lossless: true, bandwidth: 10, ecn: off}"


def deadlocks(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """Severity, rule and the text it points at, of what the rules on deadlock find."""
    return [(f.severity, f.rule, f.text) for f in found_in(folder, text) if f.rule in NAMES]


# -- rings, tori, meshes -----------------------------------------------------------------------------------------------


def test_shortest_routes_around_four_switches_close_a_circle(tmp_path: Path) -> None:
    of = fabric(tmp_path, ring(4))
    found = graph(of)
    hops = judge_deadlock(of).cycle
    assert judge_deadlock(of).how == "links"
    assert judge_failures(of) == Failures((), (), 0, 0)  # no loss is needed
    assert len(hops) == 4
    assert {p for _, _, p in hops} == {3}
    for (u, v, _), (v2, w, _) in zip(hops, [*hops[1:], hops[0]], strict=True):
        assert v == v2
        assert w != u
        assert v in found.near[u]  # a cable
    (stated,) = [f for f in found_in(tmp_path, ring(4)) if f.rule in NAMES]
    assert (stated.severity, stated.rule, stated.text) == ("error", "topology-cbd", "shortest")
    assert "in priority 3 can deadlock in a cycle of 4 links" in stated.message
    clockwise = [f"ring{n}:Ethernet0 -> ring{(n + 1) % 4}:Ethernet8" for n in range(4)]
    other = [f"ring{(n + 1) % 4}:Ethernet8 -> ring{n}:Ethernet0" for n in range(4)]
    assert all(hop in stated.message for hop in clockwise) or all(hop in stated.message for hop in other)


def test_around_three_switches_no_packet_passes_one(tmp_path: Path) -> None:
    assert judge_deadlock(fabric(tmp_path, ring(3))).cycle == ()
    assert deadlocks(tmp_path, ring(3)) == []


def test_a_dateline_opens_the_circle_of_a_ring_by_shortest_routes_too(tmp_path: Path) -> None:
    text = ring(6, "torus", "routing: {algorithm: shortest, dateline: true}")
    text = text.replace("classes:\n", f"classes:\n{SECOND}\n", 1).replace("bandwidth: 60", "bandwidth: 50", 1)
    assert deadlocks(tmp_path, text) == []
    assert judge_deadlock(fabric(tmp_path, text)).cycle == ()
    without = text.replace(", dateline: true", "")
    assert deadlocks(tmp_path, without) == [("error", "topology-cbd", "shortest")]


def test_a_ring_without_a_stated_algorithm_is_not_judged(tmp_path: Path) -> None:
    assert deadlocks(tmp_path, ring(4, more="")) == []
    unknown = ring(4, more="routing: {algorithm: segment-routing}")
    assert deadlocks(tmp_path, unknown) == []  # schema-undefined tells of the word


def test_a_table_of_routes_is_not_taken_for_up_down(tmp_path: Path) -> None:
    of = fabric(tmp_path, clos(4, 2, "routes: table.csv"), {"table.csv": ""})
    assert judge_deadlock(of).how == ""
    assert "no known routing algorithm" in judge_deadlock(of).unknown


@pytest.mark.parametrize(
    ("second", "routes", "expected"),
    [
        ("", "{algorithm: dimension-order}", [("error", "topology-cbd", "dimension-order")]),
        ("", "{algorithm: dimension-order, dateline: true}", [("error", "topology-vc-count", "true")]),
        (SECOND, "{algorithm: dimension-order, dateline: true}", []),
        (SECOND, "{algorithm: dimension-order}", [("error", "topology-cbd", "dimension-order")]),
    ],
)
def test_a_torus_needs_a_dateline_and_two_priorities(
    tmp_path: Path, second: str, routes: str, expected: list[tuple[str, str, str]]
) -> None:
    text = ring(6, "torus", f"routing: {routes}")
    if second:
        text = text.replace("classes:\n", f"classes:\n{second}\n", 1).replace("bandwidth: 60", "bandwidth: 50", 1)
    assert deadlocks(tmp_path, text) == expected


MESH = """devices:
  "m[0-3]-[0-3]": {ports: {"to[1-4]": {faces: switch}, host1: {faces: host}}}
routing: {algorithm: ALGORITHM}
links:
  - {a: "m[0-2]-[0-3]:to1", b: "m[1-3]-[0-3]:to2"}
  - {a: "m[0-3]-[0-2]:to3", b: "m[0-3]-[1-3]:to4"}
"""


def mesh(algorithm: str) -> str:
    return head("mesh") + MESH.replace("ALGORITHM", algorithm)


def test_dimension_order_in_a_mesh_needs_one_priority(tmp_path: Path) -> None:
    assert deadlocks(tmp_path, mesh("dimension-order")) == []
    assert deadlocks(tmp_path, mesh("shortest")) == [("error", "topology-cbd", "shortest")]


def dragonfly(algorithm: str, classes: str = "") -> str:
    """Four groups of three switches; one link between any two groups."""
    links = []
    for g in range(4):
        links += [(f"g{g}r{a}", f"g{g}r{b}") for a, b in ((0, 1), (0, 2), (1, 2))]
    free = {g: [0, 1, 2] for g in range(4)}
    for g in range(4):
        links += [(f"g{g}r{free[g].pop(0)}", f"g{h}r{free[h].pop(0)}") for h in range(g + 1, 4)]
    used: dict[str, int] = {}
    rows = ""
    for a, b in links:
        ports = []
        for name in (a, b):
            used[name] = used.get(name, 0) + 1
            ports.append(f"{name}:to{used[name]}")
        rows += f'  - {{a: "{ports[0]}", b: "{ports[1]}"}}\n'
    text = head("dragonfly")
    if classes:
        text = text.replace("classes:\n", f"classes:\n{classes}\n", 1).replace("bandwidth: 60", "bandwidth: 50", 1)
    return text + (
        'devices:\n  "g[0-3]r[0-2]": {ports: {"to[1-3]": {faces: switch}, host1: {faces: host}}}\n'
        f"routing: {{algorithm: {algorithm}}}\nlinks:\n{rows}"
    )


def test_a_dragonfly_needs_two_priorities_for_minimal_routes_and_three_for_others(tmp_path: Path) -> None:
    assert deadlocks(tmp_path, dragonfly("minimal")) == [("error", "topology-vc-count", "minimal")]
    assert deadlocks(tmp_path, dragonfly("minimal, dateline: true", SECOND)) == []
    (stated,) = [f for f in found_in(tmp_path, dragonfly("non-minimal", SECOND)) if f.rule in NAMES]
    assert stated.rule == "topology-vc-count"
    assert "need 3 lossless priorities" in stated.message
    assert "have 2 (priority 2, 3)" in stated.message


def test_a_dragonfly_that_passes_on_an_assumption_says_which(tmp_path: Path) -> None:
    """Two priorities are enough only where switches change from one to the other, which nothing in the intent says."""
    (stated,) = [f for f in found_in(tmp_path, dragonfly("minimal", SECOND)) if f.rule in NAMES]
    assert (stated.severity, stated.rule) == ("info", "topology-vc-count")
    assert "to the next lossless priority at each global link" in stated.message
    assert "g0r0:to3 -> g1r0:to3" in stated.message  # a global link of the circle that can wait otherwise
    assert "dateline: true" in stated.help


# -- Clos --------------------------------------------------------------------------------------------------------------


def test_a_clean_clos_is_proved_by_ranks(tmp_path: Path) -> None:
    assert judge_deadlock(fabric(tmp_path, clos(4, 2))).how == "ranks"
    assert deadlocks(tmp_path, clos(4, 2)) == []


THREE = """devices:
  "p[1-3]-leaf[1-2]": {role: leaf, ports: {"up[1-2]": {faces: switch}, host1: {faces: host}}}
  "p[1-3]-spine[1-2]": {role: spine, ports: {"down[1-2]": {faces: switch}, "up[1-2]": {faces: switch}}}
  "core[1-4]": {role: superspine, ports: {"pod[1-3]": {faces: switch}}}
MORElinks:
  - {a: "p[1-3]-leaf[1-2]:up1", b: "p[1-3]-spine1:down[1-2]"}
  - {a: "p[1-3]-leaf[1-2]:up2", b: "p[1-3]-spine2:down[1-2]"}
  - {a: "p[1-3]-spine1:up1", b: "core1:pod[1-3]"}
  - {a: "p[1-3]-spine1:up2", b: "core2:pod[1-3]"}
  - {a: "p[1-3]-spine2:up1", b: "core3:pod[1-3]"}
  - {a: "p[1-3]-spine2:up2", b: "core4:pod[1-3]"}
"""


def three(more: str = "") -> str:
    return head("clos") + THREE.replace("MORE", more and f"{more}\n")


def test_three_tiers_are_clean_and_stay_so_by_shortest_routes(tmp_path: Path) -> None:
    assert judge_deadlock(fabric(tmp_path, three())).how == "ranks"
    assert deadlocks(tmp_path, three()) == []
    of = fabric(tmp_path, three("routing: {algorithm: shortest}"))
    assert judge_deadlock(of).cycle == ()
    assert judge_deadlock(of).turns_up is None
    assert judge_failures(of).cycle == ()
    assert judge_failures(of).tried == judge_failures(of).classes > 0


SHORTEST = "routing: {algorithm: shortest}"


def chain(topology: str, *through: int, peer: bool = False) -> str:
    """leaf1 hangs on spine1 and leaf4 on spine2; what one sends the other passes these leaves, which hang on both.

    `peer`: leaf1 has no spine, but a cable to leaf2.
    """
    leaves = {1: (1,), 4: (2,), **dict.fromkeys(through, (1, 2))}
    links = [(f"leaf{n}:to{s}", f"spine{s}:to{n}") for n, spines in sorted(leaves.items()) for s in spines]
    if peer:
        links[0] = ("leaf1:to1", "leaf2:to3")
    names = ",".join(f"leaf{n}" for n in sorted(leaves))
    return head(topology) + (
        f'devices:\n  "{names}": {{role: leaf, ports: {{"to[1-3]": {{faces: switch}}, host1: {{faces: host}}}}}}\n'
        f'  "spine[1-2]": {{role: spine, ports: {{"to[1-4]": {{faces: switch}}}}}}\n{SHORTEST}\nlinks:\n'
        + "".join(f'  - {{a: "{a}", b: "{b}"}}\n' for a, b in links)
    )


@pytest.mark.parametrize(("topology", "warned"), [("clos", True), ("rail", True), ("custom", False)])
def test_shortest_routes_that_turn_back_up_are_warned_of_where_routes_should_go_up_and_down(
    tmp_path: Path, topology: str, warned: bool
) -> None:
    of = fabric(tmp_path, chain(topology, 2))
    judged = judge_deadlock(of)
    assert (judged.how, judged.cycle, judged.unknown) == ("links", (), "")
    assert (None if judged.turns_up is None else graph(of).names[judged.turns_up]) == ("leaf2" if warned else None)


def test_where_shortest_routes_close_a_circle_that_is_said_alone(tmp_path: Path) -> None:
    """By leaf2 and by leaf3 packets go both ways between the spines: down, up, and round again."""
    judged = judge_deadlock(fabric(tmp_path, chain("clos", 2, 3)))
    assert (len(judged.cycle), judged.turns_up) == (4, None)


def test_up_from_a_switch_of_the_same_tier_is_no_turn_back_up(tmp_path: Path) -> None:
    judged = judge_deadlock(
        fabric(
            tmp_path, chain("clos", 2, peer=True).replace("leaf4:to2", "leaf4:to1").replace("spine2:to4", "spine1:to4")
        )
    )
    assert (judged.cycle, judged.turns_up) == ((), None)


@pytest.mark.parametrize("at", ["leaf[1-2]", "leaf[2,4]", "leaf[1-4]"])
def test_two_leaves_that_bounce_close_a_circle(tmp_path: Path, at: str) -> None:
    text = clos(4, 2, bounce(at))
    of = fabric(tmp_path, text)
    found = graph(of)
    hops = judge_deadlock(of).cycle
    turns = list(up_down_turns(found, tiers(of), routing(of, found), Lossless(found), range(found.switches)))
    assert len(hops) == 4
    assert is_circle(hops, turns)
    assert {found.names[n].rstrip("1234") for n, _, _ in hops} == {"leaf", "spine"}
    assert deadlocks(tmp_path, text) == [("error", "topology-cbd", f'"{at}"')]


def test_two_leaves_of_different_pods_close_a_circle_too(tmp_path: Path) -> None:
    assert len(judge_deadlock(fabric(tmp_path, three(bounce("p[1-2]-leaf1")))).cycle) == 8
    assert judge_deadlock(fabric(tmp_path, three(bounce("p1-leaf1")))).cycle == ()


def test_one_leaf_that_bounces_closes_none_but_is_warned_of(tmp_path: Path) -> None:
    text = clos(4, 2, bounce("leaf1"))
    assert judge_deadlock(fabric(tmp_path, text)).cycle == ()
    assert deadlocks(tmp_path, text) == [("warning", "topology-valley", '"leaf1"')]


def test_one_leaf_that_bounces_into_another_priority_is_proved_by_switches(tmp_path: Path) -> None:
    of = fabric(tmp_path, clos(4, 2, bounce("leaf1", ", remap: {3: 2}"), SECOND))
    judged = judge_deadlock(of)
    assert (judged.how, judged.cycle) == ("switches", ())
    assert graph(of).names[judged.turns_up or 0] == "leaf1"


def test_a_spine_without_a_tier_above_has_nowhere_to_bounce_to(tmp_path: Path) -> None:
    assert deadlocks(tmp_path, clos(4, 2, bounce("spine[1-2]"))) == []


def test_another_priority_after_the_bounce_breaks_the_circle(tmp_path: Path) -> None:
    remap = ", remap: {3: 2}"
    assert deadlocks(tmp_path, clos(4, 2, bounce("leaf[1-2]", remap), SECOND)) == []
    again = clos(4, 2, bounce("leaf[1-2]", ", remap: {3: 2, 2: 2}"), SECOND)  # bounced packets bounce again
    (stated,) = [f for f in found_in(tmp_path, again) if f.rule in NAMES]
    assert stated.rule == "topology-cbd"
    assert "in priority 2" in stated.message


def test_a_remap_into_a_lossy_priority_lacks_one(tmp_path: Path) -> None:
    (stated,) = [f for f in found_in(tmp_path, clos(4, 2, bounce("leaf[1-2]", ", remap: {3: 2}"))) if f.rule in NAMES]
    assert stated.rule == "topology-vc-count"
    assert "leaf1:to1 -> spine1:to1 has no PFC on 2" in stated.message


# -- failures ----------------------------------------------------------------------------------------------------------


def test_the_loss_of_a_link_closes_a_circle_by_shortest_routes(tmp_path: Path) -> None:
    # leaf1 hangs on spine1 alone, leaf2 on both: once leaf4 -- spine1 is down, leaf1 reaches leaf4 down and up again
    text = clos(4, 2, "routing: {algorithm: shortest}").replace(
        '"leaf[1-4]:to2", b: "spine2:to[1-4]"', '"leaf[2-4]:to2", b: "spine2:to[2-4]"'
    )
    of = fabric(tmp_path, text)
    assert judge_deadlock(of).cycle == ()
    case = judge_failures(of)
    assert len(case.lost) == 2
    assert case.cycle
    # links: leaf1's, and those of the others to each spine, of which one to spine1 is the second that is tried;
    # switches: leaf1, a leaf as the others, each spine
    assert (case.tried, case.classes) == (2, 7)
    (stated,) = [f for f in found_in(tmp_path, text) if f.rule in NAMES]
    assert (stated.severity, stated.rule) == ("warning", "topology-fail-cbd")
    assert judge_failures(fabric(tmp_path, text.replace("shortest", "minimal"))).lost == case.lost
    assert deadlocks(tmp_path, text.replace("shortest", "up-down")) == []


@pytest.mark.parametrize(("leaves", "spines", "classes"), [(8, 2, 2), (3, 2, 3), (8, 6, 1), (4, 2, 3), (5, 2, 2)])
def test_a_switch_of_which_there_are_few_is_a_case_of_its_own(
    tmp_path: Path, leaves: int, spines: int, classes: int
) -> None:
    """Links between leaves and spines are one class; a kind of switch is one where losing one leaves few."""
    case = judge_failures(fabric(tmp_path, clos(leaves, spines, "routing: {algorithm: shortest}")))
    assert (case.lost, case.tried, case.classes) == ((), classes, classes)


def test_the_loss_of_one_of_two_cables_is_no_case(tmp_path: Path) -> None:
    """What is left still joins the two: only the switches are tried."""
    case = judge_failures(
        fabric(tmp_path, wired_clos(3, 2, 1, cables=2).text(extra="routing: {algorithm: shortest}\n"))
    )
    assert (case.lost, case.classes) == ((), 2)
    case = judge_failures(
        fabric(tmp_path, wired_clos(3, 2, 1, cables=1).text(extra="routing: {algorithm: shortest}\n"))
    )
    assert (case.lost, case.classes) == ((), 3)


def test_the_one_leaf_with_a_single_cable_is_tried_though_many_have_two(tmp_path: Path) -> None:
    """leaf1 hangs on spine1 alone: it reaches leaf9 down and up again once leaf9 has lost its one cable to spine1."""
    links = ["leaf1:to1 spine1:a1", "leaf9:to1 spine1:a9", "leaf9:to3 spine2:a9", "leaf9:to4 spine2:b9"]
    ends = tuple(zip("1234", "1122", "abab", strict=True))
    links += [f"leaf{n}:to{to} spine{s}:{at}{n}" for n in range(2, 9) for to, s, at in ends]
    of = fabric(
        tmp_path,
        head("clos")
        + 'devices:\n  "leaf[1-9]": {role: leaf, ports: {"to[1-4]": {faces: switch}, host1: {faces: host}}}\n'
        + '  "spine[1-2]": {role: spine, ports: {"a[1-9],b[1-9]": {faces: switch}}}\n'
        + "routing: {algorithm: shortest}\nlinks:\n"
        + "".join("  - {{a: {}, b: {}}}\n".format(*(f'"{end}"' for end in link.split())) for link in links),
    )
    assert judge_deadlock(of).cycle == ()
    assert sorted(graph(of).names[n] for n in judge_failures(of).lost) == ["leaf9", "spine1"]


def test_the_ttl_that_a_loop_of_two_needs(tmp_path: Path) -> None:
    text = clos(2, 2, "routing: {ttl: 64}").replace("{faces: switch}", "{faces: switch, speed: 400G}")
    (stated,) = [f for f in found_in(tmp_path, text) if f.rule in NAMES]
    assert stated.severity == "info"
    assert "12.5G flows into it" in stated.message  # 2 * 400 / 64


# -- the proofs --------------------------------------------------------------------------------------------------------


def test_ranks_that_do_not_rise_prove_nothing(tmp_path: Path) -> None:
    """With the highest tier taken for lower than it is, a way down has no greater rank than the way up before it."""
    of = fabric(tmp_path, clos(4, 2))
    found, level = graph(of), tiers(of)
    assert has_ranks(found, level)
    assert not has_ranks(found, level._replace(top=level.top - 1))


def test_what_is_too_large_to_be_looked_at_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turns of a switch are its cables squared; of switches that are alike four are looked at."""
    anywhere = "routing: {algorithm: non-minimal}"
    monkeypatch.setattr(deadlock, "_MOST_TURNS", 15)
    assert judge_deadlock(fabric(tmp_path, ring(4, more=anywhere))).unknown == "16 turns are too many to look at"
    monkeypatch.setattr(deadlock, "_MOST_TURNS", 16)
    assert judge_deadlock(fabric(tmp_path, ring(4, more=anywhere))).unknown == ""
    bounces = clos(4, 2, bounce("leaf[1-2]"))
    monkeypatch.setattr(deadlock, "_MOST_TURNS", 39)
    assert judge_deadlock(fabric(tmp_path, bounces)).unknown == "40 turns are too many to look at"
    monkeypatch.setattr(deadlock, "_MOST_TURNS", 40)
    assert judge_deadlock(fabric(tmp_path, bounces)).unknown == ""
    monkeypatch.setattr(deadlock, "_MOST_STEPS", 0)
    text = clos(8, 2, "routing: {algorithm: shortest}")
    assert "shortest routes to 4 unlike switches are too many" in judge_deadlock(fabric(tmp_path, text)).unknown


def test_of_a_fabric_that_is_too_large_some_losses_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To each of 3 leaves the links of all switches are looked at, 6 from either end."""
    text = clos(3, 2, "routing: {algorithm: shortest}")
    for most, tried in ((36, 1), (2 * 36, 2), (4 * 36, 3)):
        monkeypatch.setattr(deadlock, "_MOST_STEPS", most)
        case = judge_failures(fabric(tmp_path, text))
        assert (case.tried, case.classes) == (tried, 3)


def test_leaves_that_only_each_other_join_are_routed_between_them(tmp_path: Path) -> None:
    """As switches do where no spine joins them: a ring of four can deadlock, and no up-down route leads round it."""

    def leaves(text: str) -> str:
        return text.replace("{ports: {", "{role: leaf, ports: {")

    for more, rule in (("", "topology-cbd"), ("routing: {algorithm: up-down}", "topology-disconnected")):
        for topology in ("clos", "rail"):
            assert {f.rule for f in found_in(tmp_path, leaves(ring(4, topology, more)))} >= {rule}, (topology, more)
    for text in (leaves(ring(3, "clos", "")), clos(4, 2)):
        names = {f.rule for f in found_in(tmp_path, text)}
        assert not names & {"topology-cbd", "topology-disconnected"}
    peers = clos(4, 2) + '  - {a: "leaf[1,3]:peer", b: "leaf[2,4]:peer"}\n'
    peers = peers.replace("host1: {faces: host}", "host1: {faces: host}, peer: {faces: switch}")
    of = fabric(tmp_path, peers)
    assert routing(of, graph(of)).algorithm == "up-down"
