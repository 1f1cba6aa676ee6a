"""Whatever valid device is rendered, the result hangs together, and a patch leads exactly there."""

from __future__ import annotations

import json
from dataclasses import replace

import sonic_checks
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sonic_factory import G, asic, box, cls, fabric, maps, ports, stock
from sonic_meaning import amounts_to

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Ecn, PortGroup, TrafficClass, Watchdog
from rocecfg.profiles import SHIPPED
from rocecfg.vendors.base import CannotRender

SPEEDS = (100 * G, 400 * G, 800 * G)
RELEASES = ("202205", "202305", "202311", "202405", "202411", "202505", "202511", "202605", "master")

curves = st.builds(
    lambda kmin, more, pmax, colors: Ecn(kmin, kmin + more, pmax, colors=tuple(sorted(colors))),
    st.integers(1, 10**7),  # 0 is no threshold: chips take it for their whole buffer
    st.integers(0, 10**8),
    st.integers(0, 100),
    st.sets(st.sampled_from(["green", "yellow", "red"]), min_size=1),
)


@st.composite
def watchdogs(draw: st.DrawFn) -> Watchdog:
    detection = draw(st.integers(100, 5000))
    restoration = draw(st.integers(100, 60000))
    return Watchdog(detection, restoration, 100, draw(st.sampled_from(["drop", "forward", "alert", None])))


@st.composite
def traffic(draw: st.DrawFn) -> tuple[TrafficClass, ...]:
    """Up to eight classes of distinct priorities, up to three of them lossless, one taking the rest."""
    priorities = draw(st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=True))
    points = iter(draw(st.permutations(range(64))))
    found = []
    for i, n in enumerate(priorities):
        lossless = i < 3 and draw(st.booleans())
        strict = draw(st.booleans())
        by_speed = draw(st.dictionaries(st.sampled_from(SPEEDS), curves, max_size=2))
        found.append(
            cls(
                f"c{n}",
                n,
                tuple(next(points) for _ in range(draw(st.integers(1, 5)))),
                lossless=lossless,
                strict=strict,
                bandwidth=None if strict else draw(st.integers(1, 100) | st.none()),
                ecn=draw(st.none() | curves),
                ecn_by_speed=tuple(sorted(by_speed.items())),
            )
        )
    return tuple(found)


@st.composite
def devices(draw: st.DrawFn) -> Device:
    classes = draw(traffic())
    names = [f"Ethernet{i * 8}" for i in range(draw(st.integers(1, 9)))]
    groups: list[PortGroup] = []
    while names:
        count = draw(st.integers(1, len(names)))
        crossing = tuple(c for c in classes if draw(st.booleans()))
        pfc = tuple(sorted(c.priority for c in crossing if c.lossless))
        groups.append(
            ports(
                *names[:count],
                classes=tuple(c.name for c in crossing),
                pfc=pfc,
                speed=draw(st.sampled_from(SPEEDS)),
                cable=draw(st.floats(0.1, 300)),
                watchdog=draw(watchdogs()),
                trust=draw(st.sampled_from(["dscp", "dscp", "pcp", "none"])),
            )
        )
        names = names[count:]
    model = draw(st.sampled_from(["traditional", "dynamic"]))
    hwsku = "Arista-7260CX3-C64" if model == "traditional" else "ACS-MSN4700"
    return Device(
        names=("leaf01",),
        key="leaf01",
        vendor="sonic",
        role=None,
        classes=classes,
        maps=maps(classes),
        ports=tuple(groups),
        version=draw(st.sampled_from(RELEASES)),
        box=box(model, hwsku=hwsku),
        asic=asic(),
        hwsku=hwsku,
        nos=SHIPPED.nos("sonic"),
    )


@settings(max_examples=60, deadline=None)
@given(devices())
def test_every_device_hangs_together(dev: Device) -> None:
    config = sonic_checks.load(render(fabric(dev), dev).body)
    assert sonic_checks.problems(config) == []
    for table in ("DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP"):
        if table in config:
            assert len(config[table]["AZURE"]) == (64 if table.startswith("DSCP") else 8)
    for port in dev.ports:
        row = config["PORT_QOS_MAP"][port.names[0]]
        assert row.get("pfc_enable", "") == ",".join(map(str, port.pfc))


@settings(max_examples=60, deadline=None)
@given(devices())
def test_a_patch_leads_to_what_is_rendered_or_is_refused(dev: Device) -> None:
    names = [name for port in dev.ports for name in port.names]
    model = "dynamic" if dev.box is not None and dev.box.buffer_model == "dynamic" else "traditional"
    before = stock(*names, hwsku=dev.hwsku or "", model=model)
    before["PFC_WD"] = {"GLOBAL": {"POLL_INTERVAL": "100"}}
    new = replace(dev, version="202511") if dev.version and dev.version < "202511" else dev
    after = sonic_checks.after(sonic_checks.patched(fabric(new), new, json.dumps(before)), before)
    assert all(after.values())
    wanted = sonic_checks.load(render(fabric(new), new).body)
    for name in names:
        assert sonic_checks.lacks(amounts_to(after, name), amounts_to(wanted, name)) == {}
    assert not [p for p in sonic_checks.problems(after) if "overlaps" in p or "names no row" in p]
    assert json.loads(sonic_checks.patched(fabric(new), new, json.dumps(after)).body) == []


@settings(max_examples=30, deadline=None)
@given(devices())
def test_an_hwsku_that_no_gate_lists_is_refused_what_the_gate_looks_at(dev: Device) -> None:
    names = [name for port in dev.ports for name in port.names]
    assume(any(port.pfc for port in dev.ports))
    before = json.dumps(stock(*names, hwsku="Homemade") | {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}})
    message, operations = "an HwSKU that it does not list", []
    try:
        operations = json.loads(sonic_checks.patched(fabric(dev), dev, before).body)
    except CannotRender as error:
        message = error.message
    assert "an HwSKU that it does not list" in message
    looked_at = ("/PFC_WD", "/BUFFER_POOL/", "/BUFFER_PROFILE/")  # in every release that has a gate
    assert not [op for op in operations if op["op"] == "replace" and op["path"].startswith(looked_at)]
