"""What is imported means what was read: for the examples, and for switches of any kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importing_switches import AT, HERE, import_of, linted, loaded, meaning, section, switches_of, val

from rocecfg import load
from rocecfg.core.units import Percent
from rocecfg.model import Running
from rocecfg.model.stated import OFF, Section, Val, make_section
from rocecfg.model.switch import Chain, Port, Switch

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FABRICS = ("auto", "train-256", "rail-1024", "rail-512", "converged")
G = 1_000_000_000


@pytest.mark.parametrize("name", FABRICS)
def test_examples_come_back_as_they_were(name: str) -> None:
    fabric = load(str(EXAMPLES / name / "fabric.yaml"))
    made = import_of(switches_of(fabric))
    again = loaded(made.text)
    assert again.problems == []
    assert again.fabric is not None
    assert meaning(again.fabric) == meaning(fabric)
    assert made.running.fabric is not None
    assert meaning(again.fabric) == meaning(made.running.fabric)


@pytest.mark.parametrize("name", FABRICS)
def test_examples_are_grouped_as_their_authors_grouped_them(name: str) -> None:
    fabric = load(str(EXAMPLES / name / "fabric.yaml"))
    again = loaded(import_of(switches_of(fabric)).text).fabric
    assert again is not None
    # no more groups than the author made, who also parts ports by what they lead to
    assert len(again.devices) <= len(fabric.devices)
    assert {n: d.role for d in again.devices for n in d.names} == {n: d.role for d in fabric.devices for n in d.names}
    assert sum(len(d.ports) for d in again.devices) <= sum(len(d.ports) for d in fabric.devices)


@pytest.mark.parametrize("name", FABRICS)
def test_an_import_of_an_import_is_the_same(name: str) -> None:
    first = import_of(switches_of(load(str(EXAMPLES / name / "fabric.yaml")))).text
    fabric = loaded(first).fabric
    assert fabric is not None
    assert import_of(switches_of(fabric)).text.replace(" # guessed from the hostname", "") == first.replace(
        " # guessed from the hostname", ""
    )


# -- switches of any kind ----------------------------------------------------------------------------------------------

NUMBER = st.integers(0, 7)
POINT = st.one_of(st.sampled_from([8, 26, 48, 56]), st.integers(0, 63))
SIZE = st.one_of(st.integers(1, 4000).map(lambda n: n * 1000), st.integers(1, 4000).map(lambda n: n * 1024))
TIMES = st.sampled_from([100, 200, 400, 800, 1500.5, 30_000])


def maybe(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), of)


@st.composite
def curves(draw: st.DrawFn) -> Val:
    kmin = draw(SIZE)
    keys = {"kmin": kmin, "kmax": kmin + draw(SIZE), "pmax": draw(st.sampled_from([1, 5, 12.5, 100]))}
    keys["weight"] = draw(st.sampled_from([None, 0, 4]))
    return val(section(keys))


CURVES = curves()


@st.composite
def parts(draw: st.DrawFn) -> tuple[st.SearchStrategy[Section], st.SearchStrategy[Any]]:
    """What switches of one fabric are made of: few values, as in any fabric, so that some of it is common."""
    palette = draw(st.lists(CURVES, min_size=1, max_size=3))
    sendings = st.builds(
        make_section,
        bandwidth=maybe(st.sampled_from(["strict", "strict", 10, 100 / 3, 60]).map(val)),
        ecn=maybe(st.sampled_from([*palette, val(OFF)])),
        max_rate=maybe(st.sampled_from([10 * G, Percent(50)]).map(val)),
        guaranteed=maybe(st.just(val(Percent(10)))),
    )
    return sendings, maybe(watchdogs())


@st.composite
def fabrics(draw: st.DrawFn) -> list[Switch]:
    names = draw(st.lists(st.sampled_from(["leaf1", "leaf2", "spine1", "spine2", "sw-9"]), unique=True, min_size=1))
    made = draw(parts())
    return [draw(switches(name, *made)) for name in names]


@st.composite
def kindred(draw: st.DrawFn) -> list[Switch]:
    """Switches of which most are alike, and some differ in little."""
    made = draw(parts())
    usual = draw(switches("leaf1", *made))
    out = [usual._replace(name=f"leaf{n}") for n in range(1, draw(st.integers(3, 6)))]
    for n in range(draw(st.integers(1, 2))):
        other = draw(switches("leaf9", *made))
        keys = draw(st.sets(st.sampled_from(["section", "chain", "ports"]), max_size=2))
        changes = {key: getattr(other, key) for key in keys - {"ports"}}
        ports = [draw(st.sampled_from([p, *(o for o in other.ports if o.names == p.names)])) for p in usual.ports]
        ports += other.ports[len(ports) :] if "ports" in keys else ()
        out.append(usual._replace(name=f"leaf{7 + n}", ports=tuple(ports), **changes))
    return out


@st.composite
def watchdogs(draw: st.DrawFn) -> Any:
    if draw(st.booleans()):
        return draw(st.sampled_from([OFF, "vendor-default"]))
    watched = draw(st.sampled_from([(3,), (4,), (3, 4)]))
    return section(
        {
            "detection_time": draw(TIMES),
            "restoration_time": draw(TIMES),
            "poll_interval": draw(TIMES),
            "action": draw(st.sampled_from(["drop", "alert", "forward"])),
            "priorities": [val(priority) for priority in watched],
        }
    )


@st.composite
def switches(draw: st.DrawFn, name: str, sendings: st.SearchStrategy[Section], dogs: st.SearchStrategy[Any]) -> Switch:
    spots = draw(st.one_of(st.just({26: 3, 48: 6, 56: 7}), st.dictionaries(POINT, NUMBER, max_size=6)))
    usual = draw(NUMBER)
    straight = draw(st.booleans())  # as most switches have it: each number leads to itself
    chain = Chain(
        tuple(val(spots.get(point, usual)) for point in range(64)),
        *(tuple(val(n if straight else draw(NUMBER)) for n in range(8)) for _ in range(3)),
    )
    vendor, releases = draw(st.sampled_from(RUN))
    keys = section(
        {
            "vendor": vendor,
            "version": draw(maybe(st.sampled_from(releases))),
            "buffers": draw(maybe(st.sampled_from([{"model": val("dynamic")}, {"alpha": val(0.125)}]))),
        }
    )
    queues = draw(st.dictionaries(NUMBER, sendings, max_size=8))
    ports = [
        draw(ports_named(tuple(f"Ethernet{n}" for n in range(8 * group, 8 * group + 4)), queues, sendings, dogs))
        for group in range(draw(st.integers(0, 3)))
    ]
    return Switch(name, HERE, keys, chain, tuple(ports), Running("config_db"))


@st.composite
def ports_named(
    draw: st.DrawFn,
    names: tuple[str, ...],
    queues: dict[int, Section],
    sendings: st.SearchStrategy[Section],
    dogs: st.SearchStrategy[Any],
) -> Port:
    pfc: Section = section(
        {"watchdog": draw(dogs), "headroom": draw(st.sampled_from([None, "auto", 20_480, HEADROOM]))}
    )
    keys = section(
        {
            "speed": draw(st.sampled_from([None, 400 * G, 800 * G, 100 * G])),
            "cable": draw(st.sampled_from([None, 3, 0.5, 40])),
            "mtu": draw(st.sampled_from([None, 9000, 1500])),
            "trust": draw(st.sampled_from([None, "dscp", "pcp"])),
            "flowcontrol": draw(st.sampled_from([None, "off", "rx"])),
            "fec": draw(st.sampled_from([None, "rs"])),
            "pfc": pfc or None,
        }
    )
    own = {**queues, **draw(st.dictionaries(NUMBER, sendings, max_size=1))}
    priorities = draw(st.sampled_from([(), (3,), (3, 4), (0, 6)]))
    return Port(names, HERE, keys, dict.fromkeys(priorities, AT), own)


RUN = [("sonic", ["202405", "202505"])] * 2 + [("spectrum", ["5.14", "5.16"]), ("arista", ["4.33.2F", "4.34.0F"])]
HEADROOM = section({"size": 60_000, "xon": 20_000, "xoff": 40_000})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(fabrics(), kindred()))
def test_any_switches_come_back_as_they_were(found: list[Switch]) -> None:
    made = import_of(found)
    again = loaded(made.text)
    assert again.errors == []
    assert again.problems == [], made.text
    assert made.running.fabric is not None
    assert again.fabric is not None
    assert meaning(again.fabric) == meaning(made.running.fabric), made.text
    assert linted(made.text).failed == []
