"""What is printed to type on a host: each form by card, tool and release, with where it was looked up."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from intents import findings

from rocecfg.rules.hosts_commands import BNXT as BNXT_EN
from rocecfg.rules.hosts_commands import ICE as ICE_
from rocecfg.rules.hosts_commands import IONIC as IONIC_
from rocecfg.rules.hosts_commands import MLX5 as MLX
from rocecfg.rules.hosts_commands import cable_command, map_command, pfc_command, trust_command


class Form(NamedTuple):
    """A form of command: digits stand for themselves, words in capitals for any one word."""

    tool: str
    form: str
    cards: tuple[str, ...]
    release: str
    source: str


MLX5, BNXT, ICE, IONIC = ("connectx-7", "bluefield-3"), ("thor", "thor2"), ("intel-e810",), ("amd-pollara-400",)
MLNX_TOOLS = "Mellanox/mlnx-tools 8fbfd9c python/mlnx_qos"
IPROUTE = "iproute2, dcb-pfc(8) and dcb-app(8); Linux, bnxt_dcb.c and ice_dcb_nl.c: ieee_setpfc, setapp, delapp"
AMD = "ROCm/device-config-manager 98b720c2 pkg/config_manager/configmanager.go, ApplyPortProfile"
FORMS = (
    Form("mlnx_qos", r"-i DEVICE --pfc LIST", MLX5, "any", MLNX_TOOLS),
    # 83b87d93 (2024-02-06): before it, --cable_len without --pfc in the call sets pfc_en to 0
    Form("mlnx_qos", r"-i DEVICE --pfc LIST --cable_len=\d+", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE --trust dscp", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"--buffer_size", MLX5, "any", MLNX_TOOLS),
    Form("mlxconfig", r"-d DEVICE set (?:\w+=\d ?)+", MLX5, "any", "NVIDIA, Firmware Tools: mlxconfig"),
    Form("dcb", r"pfc set dev DEVICE prio-pfc all:off(?: \d:on)*", (*BNXT, *ICE), "iproute2 5.11", IPROUTE),
    Form("dcb", r"app add dev DEVICE dscp-prio \d+:\d", (*BNXT, *ICE), "iproute2 5.11", IPROUTE),
    Form("dcb", r"app del dev DEVICE dscp-prio \d+:\d", (*BNXT, *ICE), "iproute2 5.11", IPROUTE),
    Form("mlnx_qos", r"-i DEVICE --dscp2prio set,\d+,\d", MLX5, "any", MLNX_TOOLS),
    Form("ethtool", r"--set-priv-flags DEVICE fw-lldp-agent off", ICE, "any", "Intel, README of the ice driver"),
    Form("ethtool", r"-A DEVICE rx off tx off", (*MLX5, *BNXT, *ICE), "any", "ethtool(8)"),
    Form("nicctl", r"update qos pfc --priority \d --no-drop enable", IONIC, "any", AMD),
    Form("nicctl", r"update qos pfc --priority PRIORITY --no-drop disable.*", IONIC, "any", AMD),
    Form("nicctl", r"update qos dscp-to-priority --dscp \d+ --priority \d", IONIC, "any", AMD),
    Form("nicctl", r"update qos --classification-type DSCP", IONIC, "any", AMD),
)
TOOLS = ("mlnx_qos", "mlxconfig", "dcb", "ethtool", "nicctl", "bnxt_setupcc.sh", "niccli", "lldptool", "cma_roce_tos")
CARDS = (*MLX5, *BNXT, *ICE, *IONIC, "some-card", None)
_PRINTED = re.compile(
    rf"(?<![\w-])(?P<tool>{'|'.join(map(re.escape, TOOLS))}) (?P<rest>[^;,()]*(?:(?<=\w),(?=\d)[^;,()]*)*)"
)

FABRIC = """rocecfg: 1
fabric: {name: lab, kind: converged, mtu: 9000}
defaults: {vendor: sonic, version: "202505", platform: nvidia-sn3700, speed: 100G, cable: 30m}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: auto}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
devices:
  leaf01: {role: leaf, ports: {"Ethernet[0-4/4]": {faces: host}}}
hosts:
  gpu[01-02]: {NICrdma_dscp: 26, pfc_priorities: [4], trust: pcp, cable_len: 3m, buffer: 10KB, mtu: 9000, MORE}
links:
  - {a: "gpu[01-02]:ens4np0", b: "leaf01:Ethernet[0-4/4]"}
"""
SPREADS = (("devices:", "load_balancing: {mode: spray}\ndevices:"),)
NEGOTIATES = (
    ('sonic, version: "202505"', 'spectrum, version: "5.14"'),
    ("role: leaf", "role: leaf, dcbx: auto"),
    ("Ethernet[0-4/4]", "swp[1-2]"),
)
MORE = ("global_pause: false", "global_pause: true", "lldp_agents: [firmware, os]", "adaptive_routing: false")


def printed(folder: Path, card: str | None) -> tuple[set[str], str]:
    """The rules that say how to set a NIC, and all that they say."""
    rules, words = set(), []
    for more in MORE:
        text = FABRIC.replace("NIC", f"nic: {card}, " if card is not None else "").replace("MORE", more)
        for old, new in NEGOTIATES if "lldp" in more else SPREADS:
            text = text.replace(old, new)
        for found in findings(folder, text):
            if found.rule.startswith(("nic-", "buffer-nic", "pfc-global", "lb-")):
                rules.add(found.rule)
                words.append(found.help or "")
    return rules, "\n".join(words)


def allows(form: Form, rest: str) -> bool:
    pattern = re.sub(r"\bDEVICE\b", r"[\\w.]+", form.form).replace("LIST", r"[01](?:,[01]){7}")
    return re.fullmatch(pattern, rest.strip()) is not None


@pytest.mark.parametrize("card", CARDS)
def test_a_command_for_a_host_is_of_its_card_and_stands_in_the_table(card: str | None, tmp_path: Path) -> None:
    rules, words = printed(tmp_path, card)
    assert {"nic-pfc", "nic-trust", "buffer-nic", "nic-lldp-agent"} <= rules
    for match in _PRINTED.finditer(words):
        of = [f for f in FORMS if f.tool == match["tool"] and allows(f, match["rest"])]
        assert of, match[0]
        own = card in of[0].cards or (of[0].tool == "ethtool" and "-A" in match["rest"])
        assert own, f"{match[0]} for {card}"
    for tool in TOOLS:
        known = any(card in f.cards for f in FORMS if f.tool == tool) or tool == "ethtool"
        named = re.search(rf"(?<![\w-]){re.escape(tool)}(?!\w)", words)
        assert known or named is None, f"{tool} is named for {card}"


@pytest.mark.parametrize("card", CARDS)
def test_each_card_is_told_what_to_set(card: str | None, tmp_path: Path) -> None:
    """A command where the card's tool is known, else that it is the card's own."""
    _, words = printed(tmp_path, card)
    tool = {MLX5: "mlnx_qos", BNXT: "dcb pfc", ICE: "dcb pfc", IONIC: "nicctl"}
    wanted = next((name for cards, name in tool.items() if card in cards), "by the card's own tool")
    assert wanted in words


@pytest.mark.parametrize(("driver", "cards"), [(MLX, MLX5), (BNXT_EN, BNXT), (ICE_, ICE), (IONIC_, IONIC)])
def test_what_output_of_a_nic_is_answered_with_stands_in_the_table(driver: str, cards: tuple[str, ...]) -> None:
    said = (
        pfc_command(driver, (3,), "ens1f0"),
        pfc_command(driver, (), "ens1f0"),
        map_command(driver, 26, 0, 3, "ens1f0"),
        trust_command(driver, 26, 3, "ens1f0"),
        cable_command(driver, 30, (3,), "ens1f0"),
    )
    found = [(match["tool"], match["rest"]) for words in said for match in _PRINTED.finditer(words)]
    assert len(found) >= 4
    for tool, rest in found:
        of = [f for f in FORMS if f.tool == tool and allows(f, rest)]
        assert [f for f in of if cards[0] in f.cards], f"{tool} {rest}"
