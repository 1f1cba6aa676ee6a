"""Rails: which NICs belong on one leaf, and the swap that fixes two crossed cables."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import POLICY, findings
from intents import fabric as fabric_of

from rocecfg.analysis.rails import rails

RAIL = "{name: lab, topology: rail}"


def cabled(
    rows: list[tuple[str, int, str]], hosts: str = "", *, fabric: str = "{name: lab}", leaf_rails: bool = False
) -> str:
    """An intent of NICs at leaves: (host, NIC, leaf), a link each."""
    ports: dict[str, int] = {}
    links = []
    for host, nic, leaf in rows:
        number = ports[leaf] = ports.get(leaf, -1) + 1
        links.append(f'  - {{a: "{host}:nic{nic}", b: "{leaf}:Ethernet{number}"}}\n')
    devices = "".join(
        f'  {leaf}: {{{f"rail: {leaf[4:]}, " if leaf_rails else ""}ports: {{"Ethernet[0-{top}]": {{speed: 400G}}}}}}\n'
        for leaf, top in ports.items()
    )
    return POLICY.replace("{name: lab}", fabric) + "devices:\n" + devices + "links:\n" + "".join(links) + hosts


def hosts(count: int, nics: int, gpus: int | None = None) -> str:
    each = ", ".join(f"nic{n}: {{rail: {n}}}" for n in range(nics))
    return f'hosts: {{"gpu[0-{count - 1}]": {{{f"gpus: {gpus}, " if gpus else ""}ports: {{{each}}}}}}}\n'


def proper(count: int, nics: int) -> list[tuple[str, int, str]]:
    return [(f"gpu{h}", n, f"leaf{n}") for h in range(count) for n in range(nics)]


def reported(folder: Path, text: str) -> list[tuple[str, str, str, str]]:
    found = [f for f in findings(folder, text) if f.rule.startswith("topology-rail")]
    return [(f.severity, f.rule, f.message, f.help) for f in found]


def crossed(count: int, nics: int, host: int, a: int, b: int) -> list[tuple[str, int, str]]:
    swap = {(f"gpu{host}", a): f"leaf{b}", (f"gpu{host}", b): f"leaf{a}"}
    return [(h, n, swap.get((h, n), leaf)) for h, n, leaf in proper(count, nics)]


def test_two_crossed_cables_are_one_finding_with_the_swap(tmp_path: Path) -> None:
    text = cabled(crossed(4, 4, 2, 1, 3), hosts(4, 4))
    ((severity, rule, message, help),) = reported(tmp_path, text)
    assert (severity, rule) == ("error", "topology-rail-cross")
    assert "gpu2:nic1 (rail 1) is cabled to leaf3:Ethernet2, a leaf of rail 3" in message
    assert help == "swap the two cables: gpu2:nic1 to leaf1:Ethernet2, and gpu2:nic3 to leaf3:Ethernet2"


def test_hosts_that_are_crossed_alike_are_one_finding(tmp_path: Path) -> None:
    rows = [(h, n, f"leaf{1 - n}" if h in ("gpu7", "gpu8") else leaf) for h, n, leaf in proper(9, 2)]
    ((_, _, message, help),) = reported(tmp_path, cabled(rows, hosts(9, 2)))
    assert "gpu[7-8]:nic0 (rail 0) are cabled to leaf1" in message
    assert help == "swap the two cables at each of gpu[7-8]: nic0 to leaf0, and nic1 to leaf1"


def test_what_leaves_say_of_themselves_decides(tmp_path: Path) -> None:
    rows = [("gpu0", 0, "leaf1"), ("gpu0", 1, "leaf0")]  # one host: nothing to compare it with
    assert reported(tmp_path, cabled(rows, hosts(1, 2))) == []
    found = reported(tmp_path, cabled(rows, hosts(1, 2), leaf_rails=True))
    ((severity, rule, message, help),) = found
    assert (severity, rule) == ("error", "topology-rail-cross")
    assert "gpu0:nic0 (rail 0) is cabled to leaf1:Ethernet0, which is of rail 1" in message
    assert "the cables of two rails are swapped" in message
    assert help == "swap the two cables: gpu0:nic0 to leaf0:Ethernet0, and gpu0:nic1 to leaf1:Ethernet0"


def test_swapped_rails_of_several_hosts_are_one_finding_where_leaves_state_theirs(tmp_path: Path) -> None:
    rows = [(h, n, f"leaf{1 - n}" if h in ("gpu7", "gpu8") else leaf) for h, n, leaf in proper(9, 2)]
    ((_, _, message, help),) = reported(tmp_path, cabled(rows, hosts(9, 2), leaf_rails=True))
    assert "gpu[7-8]:nic0 (rail 0) are cabled to leaf1" in message
    assert help == "swap the two cables at each of gpu[7-8]: nic0 to leaf0, and nic1 to leaf1"


def test_three_rails_in_a_ring_are_no_swap(tmp_path: Path) -> None:
    """No two of them change places: each is told, where its leaf states another rail."""
    rows = [("gpu0", n, f"leaf{(n + 1) % 3}") for n in range(3)]
    found = reported(tmp_path, cabled(rows, hosts(1, 3), leaf_rails=True))
    assert [f[1] for f in found] == ["topology-rail-cross"] * 3
    assert not any("swap" in f[2] + f[3] for f in found)


def test_a_nic_on_the_right_rail_of_another_group(tmp_path: Path) -> None:
    rows = [(f"gpu{h}", n, f"leaf{n}" if h < 3 else f"leaf{n + 2}") for h in range(6) for n in range(2)]
    assert reported(tmp_path, cabled(rows, hosts(6, 2))) == []
    rows = [("gpu0", 1, "leaf3") if row == ("gpu0", 1, "leaf1") else row for row in rows]
    ((severity, rule, message, help),) = reported(tmp_path, cabled(rows, hosts(6, 2)))
    assert (severity, rule, help) == ("warning", "topology-rail", "cable it to leaf1")
    assert "gpu0:nic1 (rail 1) is on leaf3" in message


def test_numbers_of_nics_are_rails_only_where_the_fabric_is_of_rails(tmp_path: Path) -> None:
    rows = crossed(4, 2, 2, 0, 1)
    assert reported(tmp_path, cabled(rows, "hosts: {'gpu[0-3]': {nic: connectx-7}}\n")) == []
    ((severity, rule, _, _),) = reported(
        tmp_path, cabled(rows, "hosts: {'gpu[0-3]': {nic: connectx-7}}\n", fabric=RAIL)
    )[:1]
    assert (severity, rule) == ("warning", "topology-rail")


def test_racks_in_a_fabric_that_is_called_rail(tmp_path: Path) -> None:
    rows = [(f"gpu{h}", n, f"leaf{h // 2}") for h in range(4) for n in range(2)]
    text = cabled(rows, hosts(4, 2), fabric=RAIL)
    ((severity, rule, message, _),) = reported(tmp_path, text)
    assert (severity, rule) == ("warning", "topology-rail")
    assert "all NICs of a host are on one leaf" in message
    assert reported(tmp_path, text.replace(RAIL, "{name: lab, topology: clos}")) == []


def test_fewer_nics_than_gpus(tmp_path: Path) -> None:
    assert reported(tmp_path, cabled(proper(2, 2), hosts(2, 2, gpus=2))) == []
    ((severity, _, message, _),) = reported(tmp_path, cabled(proper(2, 2), hosts(2, 2, gpus=8)))
    assert severity == "info"
    assert "gpu[0-1] have 8 GPUs and 2 NIC ports for RDMA" in message


def test_hosts_that_are_not_all_cabled_yet_have_as_many_nics_as_they_say(tmp_path: Path) -> None:
    rows = [("gpu0", 0, "leaf0")]
    assert reported(tmp_path, cabled(rows, "hosts: {'gpu[0-1]': {gpus: 8}}\n")) == []
    assert reported(tmp_path, cabled(rows, hosts(2, 8, gpus=8))) == []
    assert [f[1] for f in reported(tmp_path, cabled(rows, hosts(2, 4, gpus=8)))] == ["topology-rail"]


def test_a_nic_that_is_not_cabled_is_not_astray(tmp_path: Path) -> None:
    rows = [row for row in proper(4, 4) if row[:2] != ("gpu3", 2)]
    of = fabric_of(tmp_path, cabled(rows, hosts(4, 4)))
    (group,) = rails(of).groups
    assert sorted(group.hosts) == [f"gpu{n}" for n in range(4)]
    assert rails(of).strays == ()


def test_two_planes_have_two_leaves_a_rail(tmp_path: Path) -> None:
    rows = [(f"gpu{h}", 2 * r + plane, f"p{plane}r{r}") for h in range(3) for r in range(2) for plane in range(2)]
    each = ", ".join(f"nic{n}: {{rail: {n // 2}}}" for n in range(4))
    of = fabric_of(tmp_path, cabled(rows, f'hosts: {{"gpu[0-2]": {{ports: {{{each}}}}}}}\n'))
    (group,) = rails(of).groups
    assert dict(group.leaves) == {0: ("p0r0", "p1r0"), 1: ("p0r1", "p1r1")}


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(data=st.data())
def test_any_swap_in_any_group_is_found_and_nothing_else(tmp_path: Path, data: st.DataObject) -> None:
    nics = data.draw(st.integers(2, 6))
    groups = data.draw(st.integers(1, 3))
    size = data.draw(st.integers(3, 5))
    rows = [
        (f"gpu{g * size + h}", n, f"leaf{g * nics + n}")
        for g in range(groups)
        for h in range(size)
        for n in range(nics)
    ]
    assert rails(fabric_of(tmp_path, cabled(rows, hosts(groups * size, nics)))).strays == ()
    host = data.draw(st.integers(0, groups * size - 1))
    a, b = data.draw(st.permutations(range(nics)))[:2]
    first = host // size * nics
    swap = {(f"gpu{host}", a): f"leaf{first + b}", (f"gpu{host}", b): f"leaf{first + a}"}
    rows = [(h, n, swap.get((h, n), leaf)) for h, n, leaf in rows]
    found = rails(fabric_of(tmp_path, cabled(rows, hosts(groups * size, nics)))).strays
    assert {(s.nic.host, s.nic.port) for s in found} == {(f"gpu{host}", f"nic{a}"), (f"gpu{host}", f"nic{b}")}
    assert all(s.swap is not None and s.swap.host == f"gpu{host}" for s in found)
