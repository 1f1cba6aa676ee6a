"""Whatever stands in a file: it is read, or refused with its place; no rule fails, and no secret is told."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import sonic_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sonic_factory import stock

from rocecfg.model.fates import Fates
from rocecfg.source.document import SourceError

WHOLE: dict[str, Any] = stock("Ethernet0", "Ethernet8") | {
    "PFC_WD": {
        "GLOBAL": {"POLL_INTERVAL": "100"},
        "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
    },
    "VERSIONS": {"DATABASE": {"VERSION": "version_202405_02"}},
    "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet0": {}},
    "PORTCHANNEL_INTERFACE": {"PortChannel1": {}},
    "VLAN_MEMBER": {"Vlan10|Ethernet8": {"tagging_mode": "tagged"}},
    "DEVICE_NEIGHBOR": {"Ethernet0": {"name": "gpu01", "port": "nic0"}},
    "DEVICE_NEIGHBOR_METADATA": {"gpu01": {"type": "Server"}},
    "TUNNEL": {"MuxTunnel0": {"dscp_mode": "uniform", "decap_dscp_to_tc_map": "AZURE"}},
    "SWITCH_TRIMMING": {"GLOBAL": {"size": "256"}},
    "LOSSLESS_TRAFFIC_PATTERN": {"AZURE": {"mtu": "1024", "small_packet_percentage": "100"}},
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"default_dynamic_th": "0"}},
}
odd = st.one_of(
    st.sampled_from(
        ["", " ", "-1", "8", "3-4", "4-3", "3,4", "3, 4", "99", "[WRED_PROFILE|X]", "NULL", "0m", "40m", "x", "9" * 30]
    ),
    st.sampled_from(
        ["\u0000", "\x1b[31m", "é", "\U0001f600", "a" * 5000, "Ethernet[0", "Ethernet0,", "|", "||3", "Vlan", "\n"]
    ),
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(),
    st.lists(st.sampled_from(["3", "4", 3, None, {}]), max_size=3),
    st.dictionaries(
        st.sampled_from(["a", "profile", "scheduler", "3"]), st.sampled_from(["x", 1, None, []]), max_size=2
    ),
)
words = st.sampled_from(
    [
        "",
        "|",
        "GLOBAL",
        "global",
        "Ethernet0",
        "Ethernet0|3",
        "Ethernet0|4-3",
        "Ethernet0|x",
        "a|b|c|3",
        "Ethernet0,Ethernet8",
        "CPU|3",
        "AZURE",
        "3",
        "63",
        "64",
        "07",
        "-1",
        "pfc_enable",
        "PFC_WATCHDOG",
        "BUFFER_PROFILES",
        "QUEUE|Ethernet0|3",
        "x" * 300,
    ]
)


@st.composite
def mutants(draw: st.DrawFn) -> Any:
    """A whole configuration with a few things changed for the worse."""
    config = copy.deepcopy(WHOLE)
    for _ in range(draw(st.integers(1, 6))):
        where: Any = config
        for _ in range(draw(st.integers(0, 3))):
            inner = [key for key, value in where.items() if isinstance(value, dict) and value]
            if not inner:
                break
            where = where[draw(st.sampled_from(inner))]
        keys = list(where)
        how = draw(st.sampled_from(["replace", "remove", "add", "rename"]))
        if how == "add" or not keys:
            where[draw(words)] = draw(odd)
            continue
        key = draw(st.sampled_from(keys))
        if how == "replace":
            where[key] = draw(odd)
        elif how == "remove":
            del where[key]
        else:
            where[draw(words)] = where.pop(key)
    return config


def check(text: str, release: str | None = None) -> None:
    """Read and judged; every finding has a place in the text, and words that can be printed."""
    try:
        found = sonic_text.findings(text, release)
    except SourceError:
        return
    for f in found:
        f.message.encode("utf-8")
        f.help.encode("utf-8")
        assert f.message.isprintable(), f.message
        assert len(f.message) < 1000
        assert f.at is None or 0 <= f.at.start <= f.at.end <= len(text)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutants(), st.sampled_from([None, "202012", "202106", "202405", "202511", "master", "9.9", "\x00"]))
def test_a_configuration_changed_for_the_worse_is_read_all_the_same(config: Any, release: str | None) -> None:
    check(json.dumps(config, indent=2, allow_nan=False) if _finite(config) else "{}", release)


def _finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if isinstance(value, list):
        return all(map(_finite, value))
    return not isinstance(value, float) or abs(value) < float("inf")


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        odd.filter(lambda v: not isinstance(v, float)),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from([*WHOLE, "asic0", "localhost", "op", "path", "value", "OP", "x"]) | words,
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_is_read_or_refused(value: Any) -> None:
    check(json.dumps(value))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "op": st.sampled_from(["add", "replace", "remove", "test", "move", "copy", "x", 3]),
                "path": st.sampled_from(
                    [
                        "",
                        "/",
                        "/PFC_WD",
                        "/PFC_WD/Ethernet0",
                        "/PFC_WD/Ethernet0/action",
                        "/asic0/QUEUE/Ethernet0|3/scheduler",
                        "/PORT_QOS_MAP/Ethernet0/pfc_enable",
                        "/QUEUE/Ethernet0~13",
                        "/localhost",
                        "/BGP/x",
                        "PORT",
                        "/PORT/a/b/c",
                        7,
                    ]
                ),
            },
            optional={"value": odd | st.just({"Ethernet0": {"action": "drop"}}), "from": st.just("/PORT")},
        ),
        max_size=5,
    )
)
def test_any_patch_is_read_or_refused(operations: Any) -> None:
    check(json.dumps(operations) if _finite(operations) else "[]")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00\x01\x02",
        "PK\x03\x04 not json at all",
        '{"PORT": {"Ethernet0": {"speed": "400000"',
        '{"PORT": ' * 10_000,
        "[" * 100_000,
        '{"PORT": {"Ethernet0": {"speed": ' + "9" * 100_000 + "}}}",
        '"PORT"',
        "3",
        "null",
        "[]",
        "{}",
        '{"PORT": 3, "QUEUE": [], "PFC_WD": null, "PORT_QOS_MAP": "x"}',
        '[{"op": "add", "path": "/PFC_WD", "value": 3}]',
    ],
)
def test_what_is_no_configuration(text: str) -> None:
    check(text)


def test_a_truncated_sample_is_refused_with_its_place(shared: Path) -> None:
    text = (shared / "samples" / "sonic" / "qos-dell9332-th3.json").read_text(encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        sonic_text.findings(text[:20_000])
    assert caught.value.path == "leaf01.json"
    assert caught.value.line == text[:20_000].count("\n") + 1
    assert "ends too soon" in caught.value.message


SECRETS = ["hunter2", "s3cr3t-community", "$6$abcdefgh$0123456789abcdef"]


def test_secrets_are_never_told() -> None:
    config = copy.deepcopy(WHOLE) | {
        "SNMP_COMMUNITY": {SECRETS[1]: {"TYPE": "RO"}},
        "TACPLUS": {"global": {"passkey": SECRETS[0]}},
        "USER_TABLE": {"admin": {"password": SECRETS[2]}},
        "BGP_NEIGHBOR": {"10.0.0.1": {"password": SECRETS[0], "auth_password": SECRETS[0]}},
    }
    config["PORT"]["Ethernet0"] |= {"description": f"password {SECRETS[0]}", "alias": SECRETS[0]}
    config["DEVICE_METADATA"]["localhost"] |= {"cloudtype": SECRETS[0], "bgp_asn": SECRETS[0]}
    config["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] = "3-4"
    for found in sonic_text.findings(config):
        for secret in SECRETS:
            assert secret not in found.message + found.help
    switch = sonic_text.switch(config)
    kept = repr(switch._replace(weigh=Fates)) + repr(switch.fates)  # what weighs fates holds the text
    assert not any(secret in kept for secret in SECRETS)
