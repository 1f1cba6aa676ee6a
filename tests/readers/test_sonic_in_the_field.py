"""What switches in the field have and the usual configuration has not: judged as they take it, or not at all."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
import sonic_text
from sonic_clean import CLEAN, PORTS, changed, clean, each

from rocecfg.linting.judge import judge
from rocecfg.model.switch import Chain
from rocecfg.source.document import Sources
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.running import fabric_of, read_drafts

UPLINKS, DOWNLINKS = PORTS[:1], PORTS[1:]


def two_tors() -> dict[str, Any]:
    """A ToR of two a rack: uplinks pause 2 and 6 too, for what comes through the tunnel, with a map of their own."""
    own = {str(n): str(n) for n in range(8)}
    more = {"pfc_enable": "2,3,4,6", "pfcwd_sw_enable": "2,3,4,6", "tc_to_queue_map": "AZURE_UPLINK"}
    queues = {f"{p}|{q}": {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"} for p in PORTS for q in (3, 4)}
    queues |= {f"{p}|{q}": dict(queues[f"{p}|3"]) for p in UPLINKS for q in (2, 6)}
    dscps = {str(d): {2: "2", 3: "3", 4: "4", 6: "6"}.get(d, "1") for d in range(64)}
    return changed(
        DSCP_TO_TC_MAP={"AZURE": dscps},
        TC_TO_QUEUE_MAP={"AZURE": {**own, "2": "1", "6": "1"}, "AZURE_UPLINK": own},
        TC_TO_PRIORITY_GROUP_MAP={"AZURE": {str(n): str(n) if n in (2, 3, 4, 6) else "0" for n in range(8)}},
        PORT_QOS_MAP=each(more, *UPLINKS) | each({"pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"}, *DOWNLINKS),
        QUEUE=queues,
    )


def uplinks(config: dict[str, Any] | str) -> Chain:
    """How the ports of two ToRs sort that pause what bounces."""
    (chain,) = {id(p.chain): p.chain for p in sonic_text.switch(config).ports if p.chain is not None}.values()
    return chain


def test_a_class_is_judged_by_the_map_of_the_ports_that_pause_it() -> None:
    config = two_tors()
    assert [val.value for val in uplinks(config).queue] == [0, 1, 2, 3, 4, 5, 6, 7]
    found = sonic_text.findings(config)
    assert not [f.message for f in found if f.rule.name == "mix-tc-chain"]
    assert not [f.message for f in found if f.rule.name == "ecn-missing"]
    # the place of an entry is that of the map that it is in
    text = json.dumps(config, indent=4)
    at = uplinks(text).queue[2].at
    assert text.rindex('"TC_TO_QUEUE_MAP"', 0, at.start) < text.index('"AZURE_UPLINK": {') < at.start


def test_a_class_that_ports_with_the_usual_map_pause_is_judged_by_that_one() -> None:
    config = two_tors()
    for port in DOWNLINKS[:1]:  # pauses priority 2, and sends it from queue 1
        config["PORT_QOS_MAP"][port] |= {"pfc_enable": "2,3,4", "pfcwd_sw_enable": "2,3,4"}
    assert sonic_text.switch(config).chain.queue[2].value == 1
    assert "mix-tc-chain" in sonic_text.names(config)


def marked_alone(**metadata: str) -> dict[str, Any]:
    off = {f"wred_{color}_enable": "false" for color in ("green", "yellow", "red")}
    return changed(WRED_PROFILE={"AZURE_LOSSLESS": off}, DEVICE_METADATA={"localhost": metadata})


@pytest.mark.parametrize(
    ("hwsku", "onie"),
    [
        ("ACS-MSN4700", "x86_64-mlnx_msn4700-r0"),
        ("Mellanox-SN5600-C256S1", "x86_64-nvidia_sn5600-r0"),
        ("Mellanox-SN5600-C256S1", ""),
        ("Somebodys-Own", "x86_64-nvidia_sn5600-r0"),
    ],
)
def test_chips_of_nvidia_mark_with_wred_off(hwsku: str, onie: str) -> None:
    config = marked_alone(hwsku=hwsku, platform=onie)
    assert sonic_text.reported(config, "ecn-color") == []
    lossless = next(cls for cls in sonic_text.device(config).classes if cls.lossless)
    assert lossless.ecn is not None
    assert lossless.ecn.kmin == 400_000
    assert "ecn-missing" not in sonic_text.names(config)


def test_other_chips_do_not_mark_with_wred_off() -> None:
    (problem,) = sonic_text.reported(marked_alone(), "ecn-color")
    assert "nothing is marked" in problem.message


def test_a_profile_that_is_parked_is_meant_to_mark_nothing() -> None:
    config = marked_alone()
    config["WRED_PROFILE"]["AZURE_LOSSLESS"] |= {f"{c}_drop_probability": "0" for c in ("green", "yellow", "red")}
    assert sonic_text.reported(config, "ecn-color") == []
    assert "ecn-missing" in sonic_text.names(config)  # the class is lossless all the same


def test_a_profile_whose_headroom_is_computed_needs_no_size() -> None:
    mine = {"pool": "ingress_lossless_pool", "dynamic_th": "1", "headroom_type": "dynamic"}
    config = changed(BUFFER_PROFILE={"mine": mine}, BUFFER_PG={"Ethernet0|3": {"profile": "mine"}})
    (problem,) = [p for p in sonic_text.reported(config, "device-value") if "mine" in p.message]
    assert "size is missing; buffermgrd computes it" in problem.message
    assert problem.severity == "info"
    del mine["headroom_type"]
    config["BUFFER_PROFILE"]["mine"] = mine
    (problem,) = [p for p in sonic_text.reported(config, "device-value") if "mine" in p.message]
    assert "the row is refused" in problem.message
    assert problem.severity is None  # as the rule has it: error


def test_a_part_may_name_what_the_switch_has_already() -> None:
    part = {
        "BUFFER_PROFILE": {"mine": CLEAN["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]},
        "BUFFER_POOL": {"ingress_lossless_pool": CLEAN["BUFFER_POOL"]["ingress_lossless_pool"]},
        "BUFFER_PG": {"Ethernet0|3": {"profile": "mine"}, "Ethernet8|3": {"profile": "pg_lossless_100000_5m_profile"}},
    }
    (problem,) = sonic_text.reported(part, "device-ref")
    assert problem.severity == "warning"
    part["BUFFER_PG"]["Ethernet8|3"]["profile"] = "mime"  # a slip of a name that the part itself defines
    (problem,) = sonic_text.reported(part, "device-ref")
    assert problem.severity is None
    assert "mine" in problem.help
    whole = changed(BUFFER_PG={"Ethernet0|3": {"profile": "pg_lossless_100000_5m_profile"}})
    assert {p.severity for p in sonic_text.reported(whole, "device-ref")} == {None}


def test_speeds_that_a_later_release_has_tell_that_it_runs() -> None:
    config = clean()
    for row in config["PORT"].values():
        row["speed"] = "1600000"
    assert "schema-nos-range" not in sonic_text.names(config)
    assert "schema-nos-range" in sonic_text.names(config, "202405")
    for row in config["PORT"].values():
        row["speed"] = "3200000"  # of none
    assert "schema-nos-range" in sonic_text.names(config)


def test_lists_for_swssconfig_are_recognised() -> None:
    pools = [{"BUFFER_POOL_TABLE:ingress_lossless_pool": {"type": "ingress", "mode": "dynamic"}, "OP": "SET"}]
    assert vendor_of(json.dumps(pools)) == "sonic"
    assert vendor_of(json.dumps([{"ROUTE_TABLE:10.0.0.0/8": {"nexthop": "10.1.1.1"}, "OP": "SET"}])) is None
    assert vendor_of(json.dumps({"BUFFER_POOL_TABLE:ingress_lossless_pool": {"type": "ingress"}})) is None  # of APPL_DB


def test_a_profile_with_an_offset_alone_resumes_at_zero() -> None:
    config = clean()
    profile = config["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]
    usual = sonic_text.device(config)
    del profile["xon"]
    found = sonic_text.device(config)
    assert [port.headroom for port in found.ports] == [port.headroom for port in usual.ports]
    assert sonic_text.names(config) == sonic_text.names(clean())


def test_what_another_process_read_is_judged_alike() -> None:
    """A length of 0m is a value of which nothing is known, and stays one when it is handed from process to process."""
    config = changed(CABLE_LENGTH={"AZURE": dict.fromkeys(PORTS, "0m")})
    sources = Sources()
    document = sources.add("leaf01.json", json.dumps(config, indent=4))
    handed = pickle.loads(pickle.dumps(read_drafts(document, "sonic")))  # noqa: S301 - our own
    found, failed = judge(fabric_of("leaf01.json", [(document, handed)], [], sources))
    assert not failed
    told = [f.message for f in found if f.rule.name != "nos-erratum"]
    assert told == [f.message for f in sonic_text.findings(config)]
