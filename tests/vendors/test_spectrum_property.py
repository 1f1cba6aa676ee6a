"""Random devices: whatever the writer prints makes sense as a whole and is what was asked."""

from __future__ import annotations

from dataclasses import replace

import spectrum_devices as make
from hypothesis import given, settings
from hypothesis import strategies as st
from spectrum_tree import check_asked, check_whole, from_commands, from_yaml

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Ecn, PortGroup, TrafficClass, Watchdog
from rocecfg.vendors.spectrum.ranges import fold_ports

SPEEDS = (100 * make.G, 400 * make.G, 800 * make.G)


@st.composite
def curves(draw: st.DrawFn) -> Ecn:
    kmin = draw(st.integers(1, 5_000_000))
    return Ecn(kmin, kmin + draw(st.integers(0, 5_000_000)), draw(st.integers(1, 100)))


@st.composite
def tables(draw: st.DrawFn) -> tuple[TrafficClass, ...]:
    """Two to six classes, each with a priority and a queue of its own, at most two of them lossless."""
    size = draw(st.integers(2, 6))
    priorities = draw(st.permutations(range(8)))[:size]
    queues = draw(st.permutations(range(8)))[:size]
    points = draw(st.lists(st.integers(0, 63), unique=True, max_size=20))
    lossless = draw(st.integers(0, min(2, size - 1)))
    share = 100 // size
    classes = []
    for n, (priority, queue) in enumerate(zip(priorities, queues, strict=True)):
        strict = n >= lossless and draw(st.booleans())
        curve = draw(st.none() | curves())
        by_speed = tuple((s, draw(curves())) for s in SPEEDS if draw(st.booleans()))
        classes.append(
            make.a_class(
                f"class{n}",
                priority,
                tuple(sorted(points[n::size])),
                queue=queue,
                lossless=n < lossless,
                rest=n == size - 1,
                strict=strict,
                bandwidth=None if strict else share,
                ecn=curve,
                ecn_by_speed=by_speed,
            )
        )
    return make.with_rest(*classes)


@st.composite
def devices(draw: st.DrawFn) -> Device:
    classes = draw(tables())
    numbers = iter(draw(st.permutations(range(1, 65))))
    watchdog = draw(
        st.none() | st.builds(Watchdog, st.integers(100, 5000), st.none(), st.integers(100, 400), st.just("drop"))
    )
    groups: list[PortGroup] = []
    for n in range(draw(st.integers(1, 4))):
        crossing = tuple(c for c in classes if draw(st.booleans())) or classes
        fronts = [next(numbers) for _ in range(draw(st.integers(1, 10)))]
        lanes = draw(st.integers(0, 4))
        names = [f"swp{f}s{lane}" for f in fronts for lane in range(lanes)] if lanes else [f"swp{f}" for f in fronts]
        groups.append(
            make.ports(
                f"group{n}",
                names,
                crossing,
                speed=draw(st.sampled_from(SPEEDS)),
                cable=draw(st.none() | st.floats(0, 2000, allow_nan=False)),
                trust=draw(st.sampled_from(("dscp", "dscp", "pcp", "none"))),
                watchdog=watchdog if draw(st.booleans()) else None,
                lag=draw(st.sampled_from((None, None, f"bond{n}"))),
            )
        )
    pools = draw(st.none() | st.integers(1, 99))
    return make.device(
        classes, tuple(groups), buffers=Buffers(lossless_pool=pools), version=draw(st.sampled_from(("5.9", "5.16")))
    )


@settings(max_examples=80, deadline=None)
@given(devices())
def test_any_device(device: Device) -> None:
    fabric = make.fabric(device)
    leaves = from_yaml(render(fabric, device).body)
    assert leaves == from_commands(render(fabric, device, form="commands").body)
    check_asked(check_whole(leaves), fabric, device)


@settings(max_examples=80, deadline=None)
@given(devices())
def test_the_order_of_ports_and_groups_changes_no_port(device: Device) -> None:
    """Which settings become global depends on how many ports have them, never on the order of the intent."""
    turned = replace(device, ports=tuple(replace(g, names=g.names[::-1]) for g in device.ports))
    fabric = make.fabric(device)
    assert render(fabric, device).body == render(fabric, turned).body


@settings(max_examples=100, deadline=None)
@given(st.sets(st.tuples(st.integers(1, 64), st.none() | st.integers(0, 7)), min_size=1))
def test_folded_ports_are_the_same_ports(ports: set[tuple[int, int | None]]) -> None:
    names = tuple(f"swp{front}" if lane is None else f"swp{front}s{lane}" for front, lane in ports)
    lines = [f"nv set interface {key} type swp" for key in fold_ports(names)]
    assert {leaf[1] for leaf in from_commands("\n".join(lines))} == set(names)
