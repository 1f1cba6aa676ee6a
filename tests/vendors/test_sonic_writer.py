"""What the SONiC writer prints for hand-made devices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sonic_checks
from sonic_factory import (
    CLASSES,
    CNP,
    CONTROL,
    CURVE,
    RDMA,
    REST,
    TIMERS,
    G,
    asic,
    cls,
    device,
    dynamic,
    fabric,
    lossy,
    policy,
    ports,
)

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Ecn, Fabric, Headroom, Span, Watchdog
from rocecfg.profiles import SHIPPED
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.writer import FORMS

GOLDEN = Path(__file__).parent / "sonic"


def config(dev: Device, fab: Fabric | None = None) -> dict[str, Any]:
    """The rendered configuration, free of the mistakes that every one of a current release must be free of."""
    found = sonic_checks.load(render(fab or fabric(dev), dev).body)
    if dev.version is None or dev.version >= "202205":
        assert sonic_checks.problems(found) == []
    return found


def notes(dev: Device) -> str:
    return "\n".join(render(fabric(dev), dev).notes)


GOLDENS = {
    "policy": policy(),
    "leaf-traditional": device(ports("Ethernet0", "Ethernet8"), lossy("Ethernet16")),
    "leaf-dynamic": dynamic(
        ports("Ethernet0"),
        ports("Ethernet8", speed=800 * G, cable=29.5),
        lossy("Ethernet16"),
        version="202511",
        classes=(
            replace(RDMA, ecn_by_speed=((800 * G, Ecn(800_000, 3_200_000, 10)),)),
            *CLASSES[1:],
            cls("storage", 2, (18, 20), bandwidth=20),
        ),
    ),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_golden(name: str) -> None:
    """Byte for byte what a reviewer has read once; the notes stand above the body."""
    dev = GOLDENS[name]
    text = render(fabric(dev), dev)
    whole = "".join(f"// {line}\n" for line in text.notes) + text.body
    assert whole == (GOLDEN / f"{name}.golden").read_text(encoding="utf-8")


def test_text_is_json_without_comments_and_without_the_device_s_name() -> None:
    dev = device(names=("leaf-with-a-name",), key="leaf-with-a-name")
    text = render(fabric(dev), dev)
    assert (text.comment, text.suffix) == (None, ".json")
    assert "leaf-with-a-name" not in text.body + "".join(text.notes)


def test_all_64_code_points_are_mapped() -> None:
    mapping = config(device())["DSCP_TO_TC_MAP"]["AZURE"]
    assert list(mapping) == [str(d) for d in range(64)]
    assert {d: tc for d, tc in mapping.items() if tc != "0"} == {"26": "3", "48": "6", "56": "7"}


def test_lossy_classes_share_priority_group_0_and_all_eight_are_mapped() -> None:
    groups = config(device())["TC_TO_PRIORITY_GROUP_MAP"]["AZURE"]
    assert groups == {"0": "0", "1": "0", "2": "0", "3": "3", "4": "0", "5": "0", "6": "0", "7": "7"}


def test_pfc_to_priority_group_map_only_where_the_platform_uses_it() -> None:
    assert "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP" not in config(device())
    found = config(dynamic())
    assert found["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"]["AZURE"]["3"] == "3"
    assert found["PORT_QOS_MAP"]["Ethernet0"]["pfc_to_pg_map"] == "AZURE"


class TestWatchdog:
    def test_rows_and_mask_of_a_lossless_port(self) -> None:
        found = config(device())
        assert found["PFC_WD"]["GLOBAL"] == {"POLL_INTERVAL": "100"}
        assert found["PFC_WD"]["Ethernet0"] == {
            "action": "drop",
            "detection_time": "200",
            "restoration_time": "400",
        }
        assert found["PORT_QOS_MAP"]["Ethernet0"]["pfcwd_sw_enable"] == "3"

    def test_named_priorities_are_the_ones_watched(self) -> None:
        both = (RDMA, cls("gpu", 4, (34,), lossless=True, bandwidth=20), *CLASSES[1:])
        only = replace(TIMERS, priorities=(4,))
        row = config(device(ports("Ethernet0", pfc=(3, 4), watchdog=only), classes=both))["PORT_QOS_MAP"]["Ethernet0"]
        assert (row["pfc_enable"], row["pfcwd_sw_enable"]) == ("3,4", "4")

    def test_ports_without_a_lossless_class_have_no_row(self) -> None:
        found = config(device(ports("Ethernet0"), lossy("Ethernet8", watchdog=TIMERS)))
        assert "Ethernet8" not in found["PFC_WD"]

    def test_nothing_to_watch_is_no_row(self) -> None:
        assert "PFC_WD" not in config(device(ports("Ethernet0", watchdog=replace(TIMERS, priorities=()))))

    def test_lossless_port_with_the_watchdog_off_has_no_row(self) -> None:
        dev = device(ports("Ethernet0", watchdog=None))
        found = config(dev)
        assert "PFC_WD" not in found
        assert "pfcwd_sw_enable" not in found["PORT_QOS_MAP"]["Ethernet0"]
        assert "\n   sudo pfcwd stop Ethernet0\n" in notes(dev)
        assert "has no watchdog for Ethernet0: it stays stopped there" in notes(dev)

    def test_vendor_default_is_left_to_start_default(self) -> None:
        dev = device(ports("Ethernet0", watchdog=Watchdog(None, None, None, None, vendor_default=True)))
        found = config(dev)
        assert "PFC_WD" not in found
        assert found["DEVICE_METADATA"] == {"localhost": {"default_pfcwd_status": "enable"}}
        assert found["PORT_QOS_MAP"]["Ethernet0"]["pfcwd_sw_enable"] == "3"
        assert "pfcwd start_default" in notes(dev)


class TestEcn:
    def test_main_profile_overwrites_the_stock_one_in_every_field(self) -> None:
        row = config(device())["WRED_PROFILE"]["AZURE_LOSSLESS"]
        assert row["ecn"] == "ecn_all"
        for color in ("green", "yellow", "red"):
            assert row[f"wred_{color}_enable"] == "true"
            assert row[f"{color}_min_threshold"] == "400000"
            assert row[f"{color}_max_threshold"] == "1600000"
            assert row[f"{color}_drop_probability"] == "5"

    def test_colours_that_are_not_marked_are_not_dropped_either(self) -> None:
        green = replace(RDMA, ecn=replace(CURVE, colors=("green",)))
        row = config(device(classes=(green, *CLASSES[1:])))["WRED_PROFILE"]["AZURE_LOSSLESS"]
        enabled = [row[f"wred_{color}_enable"] for color in ("green", "yellow", "red")]
        assert (row["ecn"], enabled) == ("ecn_green", ["true", "false", "false"])

    def test_a_curve_by_speed_gets_a_profile_of_its_own(self) -> None:
        fast = replace(RDMA, ecn_by_speed=((800 * G, Ecn(1, 2, 7)),))
        found = config(device(ports("Ethernet0"), ports("Ethernet8", speed=800 * G), classes=(fast, *CLASSES[1:])))
        assert list(found["WRED_PROFILE"]) == ["AZURE_LOSSLESS", "rdma_800G"]
        assert found["QUEUE"]["Ethernet0|3"]["wred_profile"] == "AZURE_LOSSLESS"
        assert found["QUEUE"]["Ethernet8|3"]["wred_profile"] == "rdma_800G"

    def test_a_curve_that_no_port_uses_is_not_printed_but_a_policy_prints_all(self) -> None:
        fast = (replace(RDMA, ecn_by_speed=((800 * G, Ecn(1, 2, 7)),)), *CLASSES[1:])
        assert list(config(device(classes=fast))["WRED_PROFILE"]) == ["AZURE_LOSSLESS"]
        assert list(config(policy(classes=fast))["WRED_PROFILE"]) == ["AZURE_LOSSLESS", "rdma_800G"]

    def test_equal_curves_share_a_profile_and_a_lossy_class_never_takes_the_stock_name(self) -> None:
        storage = cls("storage", 2, (18,), bandwidth=20, ecn=Ecn(5, 6, 7))
        backup = cls("backup", 1, (8,), bandwidth=20, ecn=Ecn(5, 6, 7))
        quiet = replace(RDMA, ecn=None)
        everything = (storage, backup, quiet, *CLASSES[1:])
        crossing = tuple(c.name for c in everything)
        found = config(device(ports("Ethernet0", classes=crossing), classes=everything))
        assert list(found["WRED_PROFILE"]) == ["storage"]
        assert found["QUEUE"]["Ethernet0|1"]["wred_profile"] == found["QUEUE"]["Ethernet0|2"]["wred_profile"]

    def test_profile_names_are_legal_for_any_class_name(self) -> None:
        long = cls("_große Klasse, sehr lang und noch länger", 2, (18,), bandwidth=20, ecn=Ecn(5, 6, 7))
        everything = (*CLASSES, long)
        found = config(device(ports("Ethernet0", classes=tuple(c.name for c in everything)), classes=everything))
        (name,) = [name for name in found["WRED_PROFILE"] if name != "AZURE_LOSSLESS"]
        assert len(name) <= 32
        assert name[0].isalnum()
        assert all(c.isascii() and (c.isalnum() or c in "-_") for c in name)

    def test_a_port_that_rdma_does_not_cross_marks_nothing_there(self) -> None:
        dev = device(ports("Ethernet0"), lossy("Ethernet8"))
        assert config(dev)["QUEUE"]["Ethernet8|3"] == {"scheduler": "scheduler.dwrr60"}
        assert 'HDEL "QUEUE|Ethernet8|3" wred_profile' in notes(dev)

    def test_weight_is_said_to_be_lost(self) -> None:
        heavy = replace(RDMA, ecn=replace(CURVE, weight=4))
        assert "weight of rdma cannot be set" in notes(device(classes=(heavy, *CLASSES[1:])))


class TestSchedulers:
    def test_percent_becomes_a_dwrr_weight_and_strict_stays_strict(self) -> None:
        found = config(device())
        assert found["SCHEDULER"] == {
            "scheduler.dwrr40": {"type": "DWRR", "weight": "40"},
            "scheduler.dwrr60": {"type": "DWRR", "weight": "60"},
            "scheduler.strict": {"type": "STRICT"},
        }
        assert found["QUEUE"]["Ethernet0|6"] == {"scheduler": "scheduler.strict"}

    def test_queues_that_no_class_uses_have_no_row(self) -> None:
        assert {key.split("|")[1] for key in config(device())["QUEUE"]} == {"0", "3", "6", "7"}

    def test_rates_are_bytes_a_second_and_a_maximum_alone_guarantees_next_to_nothing(self) -> None:
        capped = replace(CNP, max_rate=10 * G)
        both = replace(REST, guaranteed_percent=10, max_percent=50)
        found = config(device(classes=(RDMA, capped, CONTROL, both)))["SCHEDULER"]
        assert found["scheduler.strict_cir1_pir1250000000"] == {
            "type": "STRICT",
            "meter_type": "bytes",
            "cir": "1",
            "pir": "1250000000",
        }
        assert found["scheduler.dwrr40_cir5000000000_pir25000000000"]["weight"] == "40"

    def test_a_class_without_bandwidth_keeps_what_the_switch_has_and_says_so(self) -> None:
        dev = device(classes=(replace(RDMA, bandwidth=None), *CLASSES[1:]))
        assert config(dev)["QUEUE"]["Ethernet0|3"] == {"wred_profile": "AZURE_LOSSLESS"}
        assert "Queue 3: the switch's own scheduler stays" in notes(dev)

    def test_a_fraction_is_rounded_and_said(self) -> None:
        dev = device(classes=(replace(RDMA, bandwidth=59.6), *CLASSES[1:]))
        assert "scheduler.dwrr60" in config(dev)["SCHEDULER"]
        assert "rounded to a whole DWRR weight: rdma" in notes(dev)

    def test_classes_that_share_a_queue_share_its_scheduler(self) -> None:
        twin = cls("bulk", 1, (10,), queue=0, bandwidth=40)
        found = config(device(classes=(*CLASSES, twin)))
        assert found["QUEUE"]["Ethernet0|0"]["scheduler"] == "scheduler.dwrr40"
        assert "Ethernet0|1" not in found["QUEUE"]


class TestBuffers:
    def test_traditional_takes_the_next_listed_length_and_makes_no_profiles(self) -> None:
        found = config(
            device(ports("Ethernet0", cable=3), ports("Ethernet8", cable=5.1), ports("Ethernet16", cable=40))
        )
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "5m", "Ethernet8": "40m", "Ethernet16": "40m"}
        assert "BUFFER_PG" not in found
        assert "BUFFER_PROFILE" not in found

    def test_headroom_that_is_not_stated_and_cannot_be_known_is_left_to_the_switch(self) -> None:
        bare = ports("Ethernet0", headroom=None, cable=None)
        for dev in (device(bare), dynamic(bare), device(replace(bare, cable=5), box=None)):
            text = render(fabric(dev), dev)
            assert "CABLE_LENGTH" not in text.body
            assert "Headroom is left to the CABLE_LENGTH that the switch has for Ethernet0" in "\n".join(text.notes)

    def test_headroom_that_is_not_stated_follows_a_known_cable(self) -> None:
        found = config(device(ports("Ethernet0", headroom=None)))
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "5m"}
        assert "Headroom is left" not in notes(device(ports("Ethernet0", headroom=None)))

    def test_an_assumed_hwsku_is_said_to_be_one(self) -> None:
        assert "HwSKU Arista-7060X6-64PE (assumed: the platform's default)" in notes(device())
        stated = device(origins={"hwsku": Span(0, 1, 2)})
        assert "HwSKU Arista-7060X6-64PE lists" in notes(stated)

    def test_lossless_length_is_never_0(self) -> None:
        assert config(dynamic(ports("Ethernet0", cable=0.2)))["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "1m"}

    def test_dynamic_rounds_up_and_asks_for_the_headroom(self) -> None:
        found = config(dynamic(ports("Ethernet0", cable=29.5)))
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "30m"}
        assert found["BUFFER_PG"] == {"Ethernet0|3": {"profile": "NULL"}}

    def test_neighbouring_priorities_are_one_row_as_stock_has_it(self) -> None:
        both = (RDMA, cls("gpu", 4, (34,), lossless=True, bandwidth=20), *CLASSES[1:])
        dev = dynamic(ports("Ethernet0", pfc=(3, 4)), classes=both)
        assert list(config(dev)["BUFFER_PG"]) == ["Ethernet0|3-4"]
        assert "BUFFER_PG PORT|3-4" not in notes(dev)

    def test_dynamic_parameters_only_where_stated(self) -> None:
        assert "LOSSLESS_TRAFFIC_PATTERN" not in config(dynamic())
        buffers = Buffers(alpha=0.25, oversubscribe=2, lossless_mtu=4096, shared_headroom=4_000_000)
        found = config(dynamic(buffers=buffers))
        assert found["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"] == {
            "default_dynamic_th": "-2",
            "over_subscribe_ratio": "2",
        }
        assert found["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"] == {"mtu": "4096", "small_packet_percentage": "100"}
        assert found["BUFFER_POOL"]["ingress_lossless_pool"] == {
            "type": "ingress",
            "mode": "dynamic",
            "xoff": "4000000",
        }

    def test_small_packets_default_follows_the_release(self) -> None:
        found = config(dynamic(version="202411", buffers=Buffers(lossless_mtu=1024)))
        assert found["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"]["small_packet_percentage"] == "50"

    def test_stated_headroom_in_the_dynamic_model_is_a_profile_of_its_own(self) -> None:
        room = Headroom(200_704, 38_912, 161_792)
        found = config(dynamic(ports("Ethernet0", headroom=room), buffers=Buffers(alpha=1)))
        (profile,) = found["BUFFER_PROFILE"].values()
        assert profile == {
            "size": "200704",
            "xon": "38912",
            "xoff": "161792",
            "dynamic_th": "0",
            "pool": "ingress_lossless_pool",
        }
        assert found["BUFFER_PG"]["Ethernet0|3"]["profile"] in found["BUFFER_PROFILE"]
        assert "ingress_lossless_pool" in found["BUFFER_POOL"]

    def test_stated_headroom_in_the_traditional_model_takes_the_name_that_buffermgrd_looks_for(self) -> None:
        room = Headroom(1270, 0, 446_024)
        found = config(device(ports("Ethernet0", headroom=room, cable=7), buffers=Buffers(alpha=0.25)))
        assert list(found["BUFFER_PROFILE"]) == ["pg_lossless_400000_7m_profile"]
        assert found["BUFFER_PG"] == {"Ethernet0|3": {"profile": "pg_lossless_400000_7m_profile"}}
        assert found["CABLE_LENGTH"]["AZURE"] == {"Ethernet0": "7m"}

    def test_one_pool_for_both_directions_on_jericho(self) -> None:
        dev = device(
            ports("Ethernet0", headroom=Headroom(1, 2, 3)),
            asic=asic("jericho2", families={"sonic": "broadcom-dnx"}),
            buffers=Buffers(alpha=1),
        )
        assert config(dev)["BUFFER_POOL"]["ingress_lossless_pool"]["type"] == "both"

    def test_what_the_platform_decides_is_said(self) -> None:
        assert "buffers.oversubscribe, buffers.lossless_pool" in notes(
            device(buffers=Buffers(lossless_pool=50, oversubscribe=2))
        )


class TestReleases:
    def test_empty_masks_only_from_202505(self) -> None:
        old, new = (
            config(device(lossy("Ethernet0"), version=v))["PORT_QOS_MAP"]["Ethernet0"] for v in ("202411", "202505")
        )
        assert not {"pfc_enable", "pfcwd_sw_enable"} & old.keys()
        assert (new["pfc_enable"], new["pfcwd_sw_enable"]) == ("", "")

    def test_before_202505_the_stock_mask_is_named(self) -> None:
        assert 'HDEL "PORT_QOS_MAP|Ethernet0" pfc_enable' in notes(device(lossy("Ethernet0"), version="202411"))
        assert "HDEL 'PORT_QOS_MAP|PORT' pfc_enable" not in notes(device(lossy("Ethernet0"), version="202505"))

    def test_references_have_brackets_up_to_202106(self) -> None:
        found = config(dynamic(version="202106"))
        assert found["PORT_QOS_MAP"]["Ethernet0"]["dscp_to_tc_map"] == "[DSCP_TO_TC_MAP|AZURE]"
        assert found["QUEUE"]["Ethernet0|3"] == {
            "scheduler": "[SCHEDULER|scheduler.dwrr60]",
            "wred_profile": "[WRED_PROFILE|AZURE_LOSSLESS]",
        }
        assert found["BUFFER_PG"]["Ethernet0|3"] == {"profile": "NULL"}
        assert config(device(version="202111"))["PORT_QOS_MAP"]["Ethernet0"]["dscp_to_tc_map"] == "AZURE"

    @pytest.mark.parametrize(
        ("version", "has"), [("202012", True), ("202106", False), ("202111", False), ("202205", True)]
    )
    def test_the_watch_mask_came_went_and_came(self, version: str, has: bool) -> None:
        dev = device(version=version)
        row = sonic_checks.load(render(fabric(dev), dev).body)["PORT_QOS_MAP"]["Ethernet0"]
        assert ("pfcwd_sw_enable" in row) is has

    def test_ecn_counters_from_202505(self) -> None:
        assert "WRED_ECN_QUEUE" not in config(device(version="202411"))["FLEX_COUNTER_TABLE"]
        assert "WRED_ECN_QUEUE" in config(device(version="202505"))["FLEX_COUNTER_TABLE"]

    def test_a_missing_version_is_assumed_and_said_so(self) -> None:
        assert "For SONiC 202405 (assumed" in notes(device(version=None))
        assert "For SONiC 202405: " in notes(device())

    @pytest.mark.parametrize("version", ["20240531.05", "SONiC.202405.1-abc", "202405"])
    def test_spellings_of_one_branch(self, version: str) -> None:
        assert "For SONiC 202405:" in notes(device(version=version))


def test_policy_prints_the_fabric_wide_tables_and_says_what_is_missing() -> None:
    dev = policy()
    found = config(dev)
    assert found["PORT_QOS_MAP"] == {"global": {"dscp_to_tc_map": "AZURE"}}
    assert found["PFC_WD"] == {"GLOBAL": {"POLL_INTERVAL": "100"}}
    assert not {"QUEUE", "CABLE_LENGTH", "BUFFER_PG"} & found.keys()
    assert "names no ports" in notes(dev)


def test_a_policy_that_trusts_pcp_maps_802_1p_values() -> None:
    dev = policy()
    found = config(replace(dev, ports=(replace(dev.ports[0], trust="pcp"),)))
    assert "PORT_QOS_MAP" not in found
    assert len(found["DOT1P_TO_TC_MAP"]["AZURE"]) == 8


def test_a_device_without_ports_is_rendered_like_a_policy() -> None:
    dev = policy(names=("leaf01",), key="leaf01")
    assert config(dev) == config(policy())


def test_vendor_classification_keeps_the_switch_s_own_map() -> None:
    dev = device()
    found = config(dev, fabric(dev, classification="vendor"))
    assert "DSCP_TO_TC_MAP" not in found
    assert "dscp_to_tc_map" not in found["PORT_QOS_MAP"]["Ethernet0"]


def test_trust_pcp_maps_all_eight_802_1p_values() -> None:
    dev = device(ports("Ethernet0", trust="pcp"))
    found = config(dev)
    assert found["DOT1P_TO_TC_MAP"]["AZURE"] == {
        **dict.fromkeys("01245", "0"),
        "3": "3",
        "6": "6",
        "7": "7",
    }
    assert "DSCP_TO_TC_MAP" not in found
    row = found["PORT_QOS_MAP"]["Ethernet0"]
    assert ("dscp_to_tc_map" in row, row["dot1p_to_tc_map"]) == (False, "AZURE")
    assert 'HDEL "PORT_QOS_MAP|Ethernet0" dscp_to_tc_map' in notes(dev)


def test_lossless_queues_that_stock_has_as_lossy_are_named() -> None:
    five = replace(RDMA, priority=5, tc=5, queue=5, pg=5)
    text = notes(device(ports("Ethernet0", pfc=(5,)), classes=(five, *CLASSES[1:])))
    assert "bind queue 5 too" in text
    assert "3-4 of BUFFER_PG (holds headroom without PFC)" in text


def test_stock_rows_that_must_go_are_named() -> None:
    assert "Remove the stock row 3-4 of BUFFER_PG (overlaps 3)" in notes(device())
    assert 'HDEL "QUEUE|$PORT|4" wred_profile' in notes(device())


def order(text: str, *words: str) -> None:
    found = [text.index(word) for word in words]
    assert found == sorted(found), dict(zip(words, found, strict=True))


def test_stock_rows_of_groups_go_before_the_load_with_the_port_down_and_a_check_between() -> None:
    """sonic-swss, bufferorch.cpp: the DEL of 3-4 takes the profile off 3, and a second SET of 3 is skipped."""
    order(
        notes(device()),
        "shutdown $PORT",
        'DEL "BUFFER_PG|$PORT|3-4"',
        'DEL "BUFFER_PG|$PORT|3"',
        "Load only when this prints nothing",
        "sonic-db-cli APPL_DB KEYS",
        "After the load the stock row must not be back",
        "startup $PORT",
        "SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE",
    )
    assert "no headroom" in notes(device())


def test_from_202511_the_load_itself_may_bring_the_stock_row_back() -> None:
    assert "CABLE_LENGTH may be read before pfc_enable" in notes(device(version="202511"))
    assert "CABLE_LENGTH may be read before pfc_enable" not in notes(device(version="202505"))


def test_the_dynamic_model_makes_no_row_by_itself() -> None:
    text = notes(dynamic(ports("Ethernet0")))
    assert "Load only when this prints nothing" in text
    assert "must not be back" not in text


@pytest.mark.parametrize(("version", "needed"), [("202311", True), ("202505", True), ("202511", False)])
def test_a_new_cable_length_needs_the_port_s_start_up_to_202505(version: str, needed: bool) -> None:
    """Where 3 and 4 are lossless as in the stock configuration, so no port is shut for its rows."""
    four = replace(RDMA, name="storage", priority=4, tc=4, queue=4, pg=4, dscps=(18,), carries=())
    dev = device(ports("Ethernet0", pfc=(3, 4)), classes=(RDMA, four, *CLASSES[1:]), version=version)
    assert ("buffermgrd only stores a new length" in notes(dev)) == needed


@pytest.mark.parametrize(
    ("mtu", "words"), [(9000, "keeps its own (9100 B by default)"), (9216, "less than the 9216 B"), (9100, "")]
)
def test_the_mtu_that_a_port_keeps_is_said(mtu: int, words: str) -> None:
    text = notes(replace(device(ports("Ethernet0", mtu=mtu)), nos=SHIPPED.nos("sonic")))
    assert (f"sudo config interface mtu Ethernet0 {mtu}" in text) == bool(words)
    assert words in text


def test_a_user_s_template_wins(tmp_path: Path) -> None:
    (tmp_path / "sonic").mkdir()
    (tmp_path / "sonic" / "config_db.json.j2").write_text('{"POLL": "{{ poll_interval }}"}\n')
    assert render(fabric(device()), device(), templates=str(tmp_path)).body == '{"POLL": "100"}\n'
    assert "DSCP_TO_TC_MAP" in render(fabric(device()), device()).body


def test_unknown_form_is_a_caller_s_mistake() -> None:
    assert FORMS == ("config_db", "patch", "ansible")
    with pytest.raises(CannotRender, match="no form 'minigraph'"):
        render(fabric(device()), device(), form="minigraph")
