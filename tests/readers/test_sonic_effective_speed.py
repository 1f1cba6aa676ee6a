"""SONiC: the speed that counts is the one that the port may come up with, which PORT.speed is not where autoneg is on.

sonic-swss e6b0c5b5, cfgmgr/buffermgrdyn.cpp (needRefreshPortDueToEffectiveSpeed): the largest of adv_speeds, else of
what the port supports; cfgmgr/buffermgr.cpp looks headroom up by PORT.speed, whatever autoneg does.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sonic_sound
from intents import rocecfg
from loops import loop
from sonic_clean import PORTS, changed, each, lay
from sonic_text import device, findings

LANES = {p: {"lanes": ",".join(str(8 * n + lane) for lane in range(8))} for n, p in enumerate(PORTS)}


def sized(speed: str, **fields: str) -> tuple[int | None, int | None]:
    """What dynamic headroom of the first port is for: its speed in Gbit/s, and bytes."""
    config = lay(sonic_sound.dynamic(), {"PORT": LANES})
    port = device(lay(config, {"PORT": each({"speed": speed, **fields})})).ports[0]
    assert port.fastest is not None
    assert port.room is not None
    return port.fastest // 10**9, port.room.xoff


@loop(
    ("speed", "fields", "effective"),
    [
        ("100000", {"autoneg": "on", "adv_speeds": "400000"}, "400000"),
        ("400000", {"autoneg": "on", "adv_speeds": "100000"}, "100000"),
        ("100000", {"autoneg": "on", "adv_speeds": "100000,200000,400000"}, "400000"),
        ("100000", {"autoneg": "on", "adv_speeds": "all"}, "800000"),  # eight lanes of 100G
        ("100000", {"autoneg": "on"}, "800000"),
        ("100000", {"autoneg": "off", "adv_speeds": "400000"}, "100000"),
        ("100000", {"adv_speeds": "400000"}, "100000"),
    ],
)
def test_the_dynamic_model_sizes_for_the_fastest_speed_on_offer(
    speed: str, fields: dict[str, str], effective: str
) -> None:
    assert sized(speed, **fields) == sized(effective)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"autoneg": "on", "adv_speeds": "400000"}, True),
        ({"autoneg": "on", "adv_speeds": "100000,400000"}, True),
        ({"autoneg": "on", "adv_speeds": "100000"}, False),
        ({"autoneg": "on"}, False),  # what the port supports, the text does not say
        ({"autoneg": "off", "adv_speeds": "400000"}, False),
    ],
)
def test_the_traditional_model_looks_up_the_configured_speed(fields: dict[str, str], *, told: bool) -> None:
    """A link that comes up faster than that has too little headroom."""
    profile = "pg_lossless_100000_40m_profile"
    config = changed(
        PORT=each({"speed": "100000", **fields}),
        BUFFER_PROFILE={profile: {"pool": "ingress_lossless_pool", "size": "1270", "xon": "0", "xon_offset": "2540"}},
        BUFFER_PG={f"{p}|3": {"profile": profile} for p in PORTS},
    )
    config["BUFFER_PROFILE"][profile] |= {"xoff": "177800", "dynamic_th": "0"}
    found = [f.message for f in findings(config) if f.rule.name == "buffer-cable-bucket"]
    assert any("the link has 400G by autonegotiation over 40 m" in message for message in found) is told, found


@loop(
    ("here", "there", "differ"),
    [
        ({"speed": "400000"}, {"speed": "100000"}, True),
        ({"speed": "400000", "autoneg": "on", "adv_speeds": "100000"}, {"speed": "100000"}, False),
        ({"autoneg": "on", "adv_speeds": "100000,400000"}, {"autoneg": "on", "adv_speeds": "200000,400000"}, False),
        ({"autoneg": "on", "adv_speeds": "100000"}, {"autoneg": "on", "adv_speeds": "400000"}, True),
        ({"autoneg": "on"}, {"speed": "100000"}, False),  # what the port supports, the text does not say
    ],
)
def test_ends_differ_where_no_speed_is_on_offer_at_both(
    here: dict[str, str], there: dict[str, str], *, differ: bool, tmp_path: Path
) -> None:
    leaf, spine = sonic_sound.linked(), sonic_sound.linked()
    spine["DEVICE_METADATA"]["localhost"] |= {"hostname": "spine1", "type": "LeafRouter"}
    spine["DEVICE_NEIGHBOR"] = {
        end: {"name": "leaf01", "port": port}
        for end, port in (("Ethernet0", "Ethernet16"), ("Ethernet8", "Ethernet24"))
    }
    for config, ports, fields in (
        (leaf, ("Ethernet16", "Ethernet24"), here),
        (spine, ("Ethernet0", "Ethernet8"), there),
    ):
        lay(config, {"PORT": each(fields, *ports)})
        host = config["DEVICE_METADATA"]["localhost"]["hostname"]
        (tmp_path / f"{host}.json").write_text(json.dumps(config))
    told = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", ".").stdout
    assert ("link-speed" in told) is differ, told
