"""Buffers of SONiC as an intent states them: pools, shared headroom, profiles by speed and cable length."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sonic_checks
from sonic_factory import CLASSES, RDMA, TABLE, G, box, device, dynamic, fabric, policy, pools, ports, single

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Computed, Default, Device, Ecn, Headroom, PoolSet, PortGroup

POOL = {"type": "ingress", "mode": "dynamic"}


def config(dev: Device) -> dict[str, Any]:
    found = sonic_checks.load(render(fabric(dev), dev).body)
    assert sonic_checks.problems(found) == []
    return found


def notes(dev: Device) -> str:
    return "\n".join(render(fabric(dev), dev).notes)


def spectrum(*templates: PoolSet, **stated: Any) -> Device:
    return dynamic(box=box("dynamic", pools=templates), buffers=Buffers(**stated))


def broadcom(*templates: PoolSet, **stated: Any) -> Device:
    return device(box=box(pools=templates), buffers=Buffers(**stated))


class TestDynamicPools:
    def test_nothing_stated_nothing_said(self) -> None:
        found = config(spectrum(pools()))
        assert "BUFFER_POOL" not in found
        assert "DEFAULT_LOSSLESS_BUFFER_PARAMETER" not in found

    def test_shared_headroom_of_a_size(self) -> None:
        found = config(spectrum(single(), shared_headroom=4_000_000))
        assert found["BUFFER_POOL"] == {"ingress_lossless_pool": {**POOL, "xoff": "4000000"}}
        assert "DEFAULT_LOSSLESS_BUFFER_PARAMETER" not in found

    def test_shared_headroom_by_ratio_leaves_the_size_to_the_switch(self) -> None:
        found = config(spectrum(single(), oversubscribe=2))
        assert "BUFFER_POOL" not in found
        assert found["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"] == {
            "default_dynamic_th": "0",
            "over_subscribe_ratio": "2",
        }

    def test_a_size_beside_a_ratio_is_said_to_win(self) -> None:
        assert "does nothing with a size" in notes(spectrum(oversubscribe=2, shared_headroom=1_000_000))
        assert "with a size" not in notes(spectrum(oversubscribe=2))

    def test_off_turns_off_the_size_and_the_ratio(self) -> None:
        found = config(spectrum(single(), shared_headroom=0))
        assert found["BUFFER_POOL"]["ingress_lossless_pool"]["xoff"] == "0"
        assert found["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"]["over_subscribe_ratio"] == "0"

    def test_shares_are_percentages_and_lossy_egress_follows(self) -> None:
        found = config(spectrum(pools(), lossless_pool=80))
        assert found["BUFFER_POOL"] == {
            "ingress_lossless_pool": {**POOL, "percentage": "80"},
            "ingress_lossy_pool": {**POOL, "percentage": "20"},
            "egress_lossy_pool": {"type": "egress", "mode": "dynamic", "percentage": "20"},
        }

    def test_shares_beside_shared_headroom(self) -> None:
        found = config(spectrum(pools(egress_lossy=None), lossless_pool=70, lossy_pool=10, shared_headroom=1_000_000))
        assert found["BUFFER_POOL"] == {
            "ingress_lossless_pool": {**POOL, "xoff": "1000000", "percentage": "70"},
            "ingress_lossy_pool": {**POOL, "percentage": "10"},
        }

    def test_templates_that_differ_in_size_are_divided_alike(self) -> None:
        sizes = dict.fromkeys(("ingress_lossless", "ingress_lossy", "egress_lossy"), 40_000_000)
        other = pools(templates=("t1",), **sizes)
        rows = config(spectrum(pools(), other, lossy_pool=25))["BUFFER_POOL"]
        assert {name: row["percentage"] for name, row in rows.items()} == {
            "ingress_lossless_pool": "75",
            "ingress_lossy_pool": "25",
            "egress_lossy_pool": "25",
        }

    def test_shares_of_unknown_templates_are_left_out_and_named(self) -> None:
        dev = spectrum(lossless_pool=80)
        assert "BUFFER_POOL" not in config(dev)
        assert "the platform's buffer templates decide: buffers.lossless_pool." in notes(dev)

    def test_one_template_divided_and_one_not_need_its_name(self) -> None:
        both = (pools(), single(templates=("t1",)))
        assert "BUFFER_POOL" not in config(spectrum(*both, lossless_pool=80))
        assert "BUFFER_POOL" in config(spectrum(*both, lossless_pool=80, template="t0"))


class TestTraditionalPools:
    def test_what_shared_headroom_gains_the_lossless_pool_loses(self) -> None:
        dev = broadcom(single(), shared_headroom=10_000_000)
        assert config(dev)["BUFFER_POOL"] == {
            "ingress_lossless_pool": {**POOL, "size": "48000000", "xoff": "10000000"}  # of 50 MB and 8 MB
        }
        assert "Sizes of ingress_lossless_pool: those of template t0 of HwSKU Arista-7060X6-64PE" in notes(dev)

    def test_a_pool_that_may_hold_the_headroom_keeps_its_size_and_the_headroom_only_shrinks(self) -> None:
        overcommitted = single(ingress_lossless=60_000_000)
        smaller = broadcom(overcommitted, shared_headroom=6_000_000)
        assert config(smaller)["BUFFER_POOL"] == {"ingress_lossless_pool": {**POOL, "xoff": "6000000"}}
        larger = broadcom(overcommitted, shared_headroom=9_000_000)
        assert "BUFFER_POOL" not in config(larger)
        assert "decide: buffers.shared_headroom." in notes(larger)

    def test_shared_headroom_is_not_made_where_tables_have_private_headroom_nor_the_other_way_round(self) -> None:
        for dev in (broadcom(pools(), shared_headroom=1), broadcom(single(), shared_headroom=0)):
            assert "BUFFER_POOL" not in config(dev)
            assert "decide: buffers.shared_headroom." in notes(dev)
        already = broadcom(pools(), shared_headroom=0)
        assert "BUFFER_POOL" not in config(already)
        assert "templates decide" not in notes(already)

    def test_shares_divide_what_the_template_divides(self) -> None:
        found = config(broadcom(pools(), lossless_pool=75))
        assert {name: row["size"] for name, row in found["BUFFER_POOL"].items()} == {
            "ingress_lossless_pool": "90000000",
            "ingress_lossy_pool": "30000000",
            "egress_lossy_pool": "30000000",
        }

    def test_shares_and_shared_headroom_together_take_what_the_template_has(self) -> None:
        template = pools(shared_headroom=8_000_000)
        rows = config(broadcom(template, lossless_pool=50, shared_headroom=10_000_000))["BUFFER_POOL"]
        sizes = [int(rows[name]["size"]) for name in ("ingress_lossless_pool", "ingress_lossy_pool")]
        assert rows["ingress_lossless_pool"]["xoff"] == "10000000"
        assert sum(sizes) + 10_000_000 == 60_000_000 + 60_000_000 + 8_000_000

    def test_sizes_need_one_template(self) -> None:
        other = single(templates=("t1",), ingress_lossless=40_000_000)
        assert "BUFFER_POOL" not in config(broadcom(single(), other, shared_headroom=9_000_000))
        chosen = config(broadcom(single(), other, shared_headroom=9_000_000, template="t1"))
        assert chosen["BUFFER_POOL"]["ingress_lossless_pool"]["size"] == "39000000"


class TestTraditionalProfiles:
    def test_the_table_makes_its_own_rows_for_each_speed_and_length(self) -> None:
        groups = (ports("Ethernet0", speed=100 * G, cable=4), ports("Ethernet8", cable=4), ports("Ethernet16", cable=6))
        found = config(device(*groups))
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "5m", "Ethernet8": "5m", "Ethernet16": "40m"}
        assert "BUFFER_PROFILE" not in found

    def test_a_stated_alpha_rewrites_the_rows_of_the_table(self) -> None:
        dev = device(ports("Ethernet0", cable=4), ports("Ethernet8", speed=800 * G), buffers=Buffers(alpha=0.25))
        found = config(dev)
        row = TABLE.rows[400 * G][5]
        assert found["BUFFER_PROFILE"] == {
            "pg_lossless_400000_5m_profile": {
                "size": str(row.size),
                "xon": "0",
                "xoff": str(row.xoff),
                "dynamic_th": "-2",
                "pool": "ingress_lossless_pool",
            },
            "pg_lossless_800000_5m_profile": {
                **found["BUFFER_PROFILE"]["pg_lossless_400000_5m_profile"],
                "xoff": str(TABLE.rows[800 * G][5].xoff),
            },
        }
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "5m", "Ethernet8": "5m"}
        assert found["BUFFER_PG"]["Ethernet8|3"] == {"profile": "pg_lossless_800000_5m_profile"}
        assert "templates decide" not in notes(dev)

    def test_the_alpha_that_the_table_has_needs_no_row(self) -> None:
        dev = device(buffers=Buffers(alpha=1))
        assert "BUFFER_PROFILE" not in config(dev)
        assert "templates decide" not in notes(dev)

    def test_an_offset_of_the_table_stays_in_its_row(self) -> None:
        row = TABLE.rows[400 * G][5]._replace(xon_offset=2288)
        table = TABLE._replace(rows={400 * G: {5: row}})
        found = config(device(box=box(headroom=table), buffers=Buffers(alpha=2)))
        assert found["BUFFER_PROFILE"]["pg_lossless_400000_5m_profile"]["xon_offset"] == "2288"

    def test_a_cable_beyond_the_table_gets_the_computed_headroom(self) -> None:
        working = Computed("620000 B for 300 m + 200 m more")
        room = Headroom(1270, 0, 700_000, {"": working})
        far = ports("Ethernet0", cable=499.5, room=room, alpha=0.5, origins={"alpha": Computed("2^-1, the table's")})
        dev = device(far, ports("Ethernet8"))
        found = config(dev)
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "500m", "Ethernet8": "5m"}
        assert found["BUFFER_PROFILE"] == {
            "pg_lossless_400000_500m_profile": {
                "size": "1270",
                "xon": "0",
                "xoff": "700000",
                "dynamic_th": "-1",
                "pool": "ingress_lossless_pool",
            }
        }
        assert found["BUFFER_PG"] == {"Ethernet0|3": {"profile": "pg_lossless_400000_500m_profile"}}
        stated = notes(dev)
        assert "The cable of Ethernet0 is longer than any in pg_profile_lookup.ini" in stated
        assert "Alpha of headroom profiles is not stated: 0.5, 2^-1, the table's." in stated

    def test_stated_headroom_takes_the_effective_alpha(self) -> None:
        stated = ports(
            "Ethernet0",
            cable=7,
            headroom=Headroom(1270, 0, 446_024),
            alpha=0.25,
            origins={"alpha": Default("the usual one")},
        )
        found = config(device(stated))
        assert found["BUFFER_PROFILE"]["pg_lossless_400000_7m_profile"]["dynamic_th"] == "-2"
        assert "0.25, the usual one." in notes(device(stated))
        louder = device(stated, buffers=Buffers(alpha=1))
        assert config(louder)["BUFFER_PROFILE"]["pg_lossless_400000_7m_profile"]["dynamic_th"] == "0"

    def test_stated_headroom_by_speed_makes_a_row_for_each(self) -> None:
        groups = tuple(
            ports(f"Ethernet{n}", speed=speed * G, cable=7, headroom=Headroom(1270, 0, 1000 * speed), alpha=1)
            for n, speed in ((0, 100), (8, 400), (16, 800))
        )
        found = config(device(*groups))
        assert {name: row["xoff"] for name, row in found["BUFFER_PROFILE"].items()} == {
            "pg_lossless_100000_7m_profile": "100000",
            "pg_lossless_400000_7m_profile": "400000",
            "pg_lossless_800000_7m_profile": "800000",
        }


def broken_out() -> PortGroup:
    """A cage as eight ports of 100G."""
    return ports(*(f"Ethernet{lane}" for lane in range(8)), speed=100 * G, cable=3)


def test_breakout_ports_each_have_their_rows() -> None:
    found = config(device(broken_out(), ports("Ethernet8", speed=800 * G)))
    cage = [f"Ethernet{lane}" for lane in range(8)]
    assert {name: found["CABLE_LENGTH"]["AZURE"][name] for name in cage} == dict.fromkeys(cage, "5m")
    assert all(found["PORT_QOS_MAP"][name]["pfc_enable"] == "3" for name in cage)
    dynamic_rows = config(dynamic(broken_out()))["BUFFER_PG"]
    assert list(dynamic_rows) == [f"{name}|3" for name in cage]


class TestEcnAuto:
    SLOW, FAST = Ecn(400_050, 1_600_200, 5), Ecn(800_100, 3_200_400, 5)
    AUTO = (replace(RDMA, ecn="auto", ecn_by_speed=((400 * G, SLOW), (800 * G, FAST))), *CLASSES[1:])

    def test_each_port_takes_the_curve_of_its_speed(self) -> None:
        dev = device(ports("Ethernet0"), ports("Ethernet8", speed=800 * G), classes=self.AUTO)
        found = config(dev)
        for port, curve in (("Ethernet0", self.SLOW), ("Ethernet8", self.FAST)):
            row = found["WRED_PROFILE"][found["QUEUE"][f"{port}|3"]["wred_profile"]]
            assert (row["green_min_threshold"], row["green_max_threshold"]) == (str(curve.kmin), str(curve.kmax))

    def test_a_policy_has_the_curves_of_its_speeds(self) -> None:
        found = config(policy(classes=self.AUTO))
        assert [row["green_min_threshold"] for row in found["WRED_PROFILE"].values()] == ["400050", "800100"]
