"""What is printed to type on a host, in messages and on pages: each form by card, tool and release, and its source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from checkout import ROOT
from intents import findings, loaded
from printed_commands import PAGES, texts_in

from rocecfg.hosts.files import render_files
from rocecfg.rules.hosts_commands import BNXT as BNXT_EN
from rocecfg.rules.hosts_commands import ICE as ICE_
from rocecfg.rules.hosts_commands import IONIC as IONIC_
from rocecfg.rules.hosts_commands import MLX5 as MLX
from rocecfg.rules.hosts_commands import cable_command, lldp_off_command, map_command, pfc_command, trust_command


class Form(NamedTuple):
    """A form of command: digits stand for any number, words in capitals for any one word."""

    tool: str
    form: str
    cards: tuple[str, ...]
    release: str
    source: str
    then: str = ""  # of what turns off, takes out or stays: what then holds


MLX5, BNXT, ICE, IONIC = ("connectx-7", "bluefield-3"), ("thor", "thor2"), ("intel-e810",), ("amd-pollara-400",)
DCB, WINDOWS, ANY = (*BNXT, *ICE), ("windows",), (*MLX5, *BNXT, *ICE, *IONIC)
MLNX_TOOLS = "Mellanox/mlnx-tools 8fbfd9c python/mlnx_qos"
ROCE_TOS = "Mellanox/mlnx-tools 8fbfd9c sbin/cma_roce_tos"
IPROUTE = "iproute2/iproute2 1574756b man/man8/dcb-app.8, dcb-pfc, -ets, -maxrate; Linux, bnxt_dcb.c, ice_dcb_nl.c"
IP_LINK = "iproute2/iproute2 1ab0f02f man/man8/ip-link.8.in, VLAN Type Support"
ICE_RST = "Linux 037dd130 Documentation/networking/device_drivers/ethernet/intel/ice.rst"
ICE_LLDP = (
    f"{ICE_RST}, DCB and FW-LLDP; 2612e3bb ice_dcb_lib.c, 2a87bd73 ice_dcb_nl.c: what is refused, and what is reset"
)
NETQOS = "MicrosoftDocs/windows-powershell-docs 68be6be7 docset/winserver2022-ps/dcbqos"
AMD = "ROCm/device-config-manager 98b720c2 pkg/config_manager/configmanager.go, ApplyPortProfile"
MSTFLINT = "Mellanox/mstflint b9d9e844 mlxconfig/mlxconfig_dbs/mlxconfig_host.db (names, values), man/mstconfig.md"
OPERATOR = "Mellanox/nic-configuration-operator 6d7c089a pkg/configuration/utils.go: mlxconfig set, mlxfwreset reset"
SETUPCC = "Hinokami-Kagura/bnxt_re-ofed bdda40d2 bnxt_setupcc.sh, Broadcom's release 236.1.155.0: its usage"
ECN_PAGE = "https://docs.nvidia.com/networking/display/mlnxofedv24103250lts/explicit+congestion+notification+(ecn)"
QOS_PAGE = "not verified: in guides and code of others alone; the script looks whether it is there"
CONG = "torvalds/linux 03826bc1 drivers/infiniband/hw/mlx5/cong.c"
UNTIL = "until a reboot"
_ETS = r"(?: \d:\w+){8}"
IN_SCRIPTS = (
    Form("mlnx_qos", r"-i DEVICE --trust (?:dscp|pcp)", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE MAP", MLX5, "any", f"{MLNX_TOOLS}: --dscp2prio set,DSCP,PRIORITY, each code point"),
    Form(
        "mlnx_qos",
        r"-i DEVICE --prio_tc (?:\d,?)+ --tsa [a-z,]+ --tcbw (?:\d+,?)+",
        MLX5,
        "any",
        f"{MLNX_TOOLS}: 8 of each",
    ),
    Form("mlnx_qos", r"-i DEVICE --pfc LIST --cable_len \d+", MLX5, "any", MLNX_TOOLS, f"PFC on these alone, {UNTIL}"),
    Form("dcb", r"dcbx set dev DEVICE host ieee", MLX5, "iproute2 5.11", IPROUTE),
    Form("dcb", r"app replace dev DEVICE dscp-prio MAP", MLX5, "iproute2 5.11", IPROUTE),
    Form("dcb", r"app flush dev DEVICE dscp-prio", MLX5, "iproute2 5.11", IPROUTE, f"PCP decides, {UNTIL}"),
    Form("dcb", rf"ets set dev DEVICE prio-tc{_ETS} tc-tsa{_ETS} tc-bw{_ETS}", MLX5, "iproute2 5.11", IPROUTE),
    Form(
        "dcb",
        r"pfc set dev DEVICE prio-pfc all:off(?: \d:on)+ delay \d+",
        MLX5,
        "iproute2 5.11",
        f"{IPROUTE}; delay as mlx5 takes it: Linux, en_dcbnl.c",
        f"PFC on these alone, {UNTIL}",
    ),
    Form("dcb", r"pfc show dev DEVICE prio-pfc", BNXT, "iproute2 5.11", IPROUTE),
    Form("ip", r"link set dev DEVICE mtu \d+", ANY, "any", IP_LINK),
    Form(
        "bnxt_setupcc.sh",
        r"-d DEVICE -i DEVICE -m [123] -r \d -s \d+(?: -c \d -p \d+)?(?: -b \d+)?",
        BNXT,
        "236.1.155.0",
        SETUPCC,
        "all entries and PFC go first; on the one priority then",
    ),
    Form("mlxconfig", r"-d DEVICE q ROCE_ADAPTIVE_ROUTING_EN", MLX5, "any", MSTFLINT),
    Form(
        "mlxconfig",
        r"-y -d DEVICE set ROCE_ADAPTIVE_ROUTING_EN=[01]",
        MLX5,
        "any",
        f"{MSTFLINT}; {OPERATOR}",
        "it stays, and holds from the next reset on",
    ),
    Form("mlxfwreset", r"-d DEVICE reset", MLX5, "any", OPERATOR, "the link goes down meanwhile"),
)
WRITTEN = {  # files that scripts write, and who says what they are
    r"/sys/class/net/DEVICE/ecn/roce_np/(?:cnp_dscp|cnp_802p_prio|min_time_between_cnps)": ECN_PAGE,
    r"/sys/class/net/DEVICE/ecn/DEVICE/enable/DEVICE": ECN_PAGE,
    r"/sys/kernel/debug/mlx5/DEVICE/cc_params/np_(?:cnp_dscp|cnp_prio|min_time_between_cnps)": CONG,
    r"/sys/class/infiniband/DEVICE/tc/1/traffic_class": QOS_PAGE,
    r"/sys/kernel/config/rdma_cm/DEVICE/ports/1/default_roce_tos": ROCE_TOS,
}
FORMS = (
    Form("mlnx_qos", r"-i DEVICE(?: > gpu01-nic0.txt)?", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE --pfc LIST", MLX5, "any", MLNX_TOOLS, f"PFC on these alone, {UNTIL}"),
    # 83b87d93 (2024-02-06): before it, --cable_len without --pfc in the call sets pfc_en to 0
    Form("mlnx_qos", r"-i DEVICE --pfc LIST --cable_len=\d+", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE (?:-d|--dcbx) (?:os|fw)(?: --pfc LIST)?", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE --trust dscp", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE --ratelimit 0(?:,0){7}", MLX5, "any", MLNX_TOOLS, f"no limit, {UNTIL}"),
    Form("mlnx_qos", r"--buffer_size|--tcbw|--prio2buffer|--tsa", MLX5, "any", MLNX_TOOLS),
    Form("mlnx_qos", r"-i DEVICE --dscp2prio set,\d+,\d", MLX5, "any", MLNX_TOOLS),
    Form("cma_roce_tos", r"(?:-d DEVICE )?-t \d+", MLX5, "any", ROCE_TOS),
    *IN_SCRIPTS,
    Form("mlxconfig", r"-d DEVICE q", MLX5, "any", MSTFLINT),
    Form("mstconfig", r"-d DEVICE q", MLX5, "any", MSTFLINT),
    Form(
        "mlxconfig", r"-d DEVICE set (?:\w+=\d ?)+", MLX5, "any", MSTFLINT, "it stays, and holds from the next reset on"
    ),
    Form(
        "dcb",
        r"pfc set dev DEVICE prio-pfc all:off(?: \d:on|X)*",
        DCB,
        "iproute2 5.11",
        IPROUTE,
        f"PFC on these, {UNTIL}",
    ),
    Form("dcb", r"app add dev DEVICE dscp-prio \d+:\d", DCB, "iproute2 5.11", IPROUTE),
    Form(
        "dcb",
        r"app del dev DEVICE dscp-prio \d+:\d",
        DCB,
        "iproute2 5.11",
        ICE_LLDP,
        "of the last, ice turns PFC off too",
    ),
    Form(
        "dcb",
        r"app del dev DEVICE dgram-port-prio \d+:\d",
        DCB,
        "iproute2 5.11",
        IPROUTE,
        "its DSCP decides, or its PCP",
    ),
    Form("dcb", r"maxrate set dev DEVICE tc-maxrate all:0", DCB, "iproute2 5.11", IPROUTE, f"no limit, {UNTIL}"),
    Form("dcb", r"maxrate set|ets set(?: tc-bw)?|app del|pfc set", DCB, "iproute2 5.11", IPROUTE),
    Form("dcb", r"(?:pfc|app|ets|maxrate|buffer) show(?: dev DEVICE)?", DCB, "iproute2 5.11", IPROUTE),
    Form(
        "ethtool",
        r"--set-priv-flags DEVICE fw-lldp-agent off",
        ICE,
        "Linux 5.4",
        ICE_LLDP,
        "it stays; no PFC until it is set",
    ),
    Form("ethtool", r"-A DEVICE rx off tx off", ANY, "any", f"{ICE_RST}, Flow Control", f"no 802.3x pause, {UNTIL}"),
    Form("ethtool", r"-a(?: DEVICE)?|-A|--show-priv-flags", ANY, "any", f"{ICE_RST}, Flow Control"),
    Form("ip", r"link set VLAN type vlan egress-qos-map PRIORITY:\d", ANY, "any", IP_LINK),
    Form("nicctl", r"update qos pfc --priority \d --no-drop enable", IONIC, "any", AMD),
    Form("nicctl", r"update qos pfc --priority PRIORITY (?:X|--no-drop disable.*)", IONIC, "any", AMD, "it is lossy"),
    Form("nicctl", r"update qos dscp-to-priority --dscp \d+ --priority \d", IONIC, "any", AMD),
    Form("nicctl", r"update qos --classification-type DSCP(?:X)?", IONIC, "any", AMD),
    Form(
        "Get-NetQosFlowControl|Get-NetAdapterQos|Get-NetQosPolicy|Get-NetQosTrafficClass", "", WINDOWS, "2012", NETQOS
    ),
    Form("Set-NetQosTrafficClass", "", WINDOWS, "2012", NETQOS),
    Form("Enable-NetQosFlowControl", '-Priority [0-7X,]+(?: -InterfaceAlias ".*")?', WINDOWS, "2012", NETQOS),
    Form(
        "Disable-NetQosFlowControl",
        '-Priority [0-7X,]+(?: -InterfaceAlias ".*")?',
        WINDOWS,
        "2012",
        NETQOS,
        "no PFC on these",
    ),
    Form(
        "Enable-NetAdapterQos",
        r'-Name "DEVICE"',
        WINDOWS,
        "2012",
        "MicrosoftDocs/windows-powershell-docs 68be6be7, netadapter",
    ),
    Form(
        "Set-NetQosPolicy",
        r"-Name POLICY -PriorityValue8021Action \d",
        WINDOWS,
        "2012",
        NETQOS.replace("dcbqos", "netqos"),
    ),
    Form(
        "New-NetQosPolicy",
        r'"SMBDirect" -NetDirectPortMatchCondition \d+ -PriorityValue8021Action \d',
        WINDOWS,
        "2012",
        NETQOS.replace("dcbqos", "netqos"),
    ),
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
    return re.fullmatch(_pattern(form), rest.strip()) is not None


def _pattern(form: Form) -> str:
    """X: what a text of the code fills in."""
    listed = re.sub(r"\\d\+?", r"(?:\\d+|X|[A-Z]+)", form.form).replace("LIST", r"(?:[01](?:,[01]){7}|X)")
    return re.sub(r"\bDEVICE\b", r"[\\w.{}]+", listed)


_TYPED = re.compile(  # a command, by its first words: a tool alone is only named
    r"(?<![\w.-])(?P<tool>mlnx_qos|mlxconfig|mstconfig|cma_roce_tos|ethtool|bnxt_setupcc\.sh|lldptool|sysctl)(?= -)"
    r"|(?<![\w.-])(?P<dcb>dcb)(?= (?:pfc|app|ets|maxrate|buffer|dcbx|apptrust) (?:set|add|del|show|flush|replace)\b)"
    r"|(?<![\w.-])(?P<other>ip(?= link )|nicctl(?= )|niccli(?= )|(?:Get|Set|New|Enable|Disable|Remove)-Net\w+)"
)


def _told() -> Iterator[tuple[str, str, str, bool]]:
    """Commands for hosts on pages and in the code that judges hosts; False: prose may go on behind it."""
    for path in PAGES:
        where = str(path.relative_to(ROOT))
        blocks, rest = [], path.read_text(encoding="utf-8")
        if _TYPED.search(rest) is None:
            continue
        for block in re.findall(r"^```[^\n]*\n.*?^```", rest, re.DOTALL | re.MULTILINE):
            blocks += block.splitlines()
            rest = rest.replace(block, "")
        for text in (*blocks, *re.findall(r"`([^`]+)`", rest)):
            line = re.sub(r"^(?:[\w@.-]+:~[#$]|PS C:\\>|\$) ", "", " ".join(text.split()))
            if (match := _TYPED.match(line)) is not None:
                yield where, match[0], line[match.end() :].strip(), True
    for path in (*ROOT.glob("rocecfg/rules/*.py"), *ROOT.glob("rocecfg/hosts/*.py")):
        code = path.read_text(encoding="utf-8")
        for text in texts_in(ast.parse(code)) if _TYPED.search(code) else ():
            for match in _TYPED.finditer(text):
                yield str(path.relative_to(ROOT)), match[0], text[match.end() :].strip(), False


def _stands(tool: str, rest: str, whole: bool) -> bool:
    of = [form for form in FORMS if re.fullmatch(form.tool, tool)]
    if whole:
        return any(allows(form, rest) for form in of)
    named = "-Net" in tool and not rest.startswith(("-", '"'))  # a cmdlet alone, in prose
    return bool(of) and (named or any(re.match(rf"(?:{_pattern(form)})(?![\w-])", rest) for form in of))


def test_each_command_for_a_host_on_a_page_or_in_the_code_stands_in_the_table() -> None:
    told = list(_told())
    assert [each for each in told if not _stands(*each[1:])] == []
    pages = {"docs/hosts.md", "rocecfg/rules/pages/pfc-dcbx.md", "rocecfg/hosts/queues.py"}
    assert pages <= {where for where, *_ in told}


def _scripts(folder: Path) -> Iterator[tuple[str, str]]:
    """Scripts that are rendered for hosts, and the card."""
    shares = FABRIC.replace("  cnp:", "  other: {carries: [storage], dscp: 18, priority: 2, bandwidth: 10}\n  cnp:")
    for card, more in (
        ("connectx-7", "cable_len: 3m, adaptive_routing: true, cnp_interval: 4us"),
        ("bluefield-3", "trust: pcp, adaptive_routing: false"),
        ("thor2", "mtu: 9000"),
    ):
        trusts = shares.replace("cable: 30m}", "cable: 30m, trust: pcp}") if "pcp" in more else shares
        text = trusts.replace("NICrdma_dscp: 26, pfc_priorities: [4], trust: pcp, cable_len: 3m, buffer: 10KB, ", "NIC")
        text = (
            text.replace("mtu: 9000, MORE", more)
            .replace("NIC", f"nic: {card}, ")
            .replace("bandwidth: 40", "bandwidth: 30")
        )
        fabric = loaded(folder, text)[0].fabric
        assert fabric is not None, text
        yield from ((card, file.text) for file in render_files(fabric) if file.name.endswith(".sh"))


_FILLED = {'"$PFC"': "0,0,0,1,0,0,0,0", '"$TOS"': "106", '"${map[@]}"': "MAP", '"$config"': "mlxconfig"}
_IN_BASH = re.compile(
    r'(?:^|quiet |\|\| |"\$\(|\{ |after )(mlnx_qos|dcb|ip|ethtool|cma_roce_tos|bnxt_setupcc\.sh|mlxconfig|mlxfwreset)'
    r" ([^|;)]*)"
)


def _typed_in(script: str) -> Iterator[tuple[str, str]]:
    """Tools with what they are given, in a script of bash; a variable is a device."""
    for line in script.replace("\\\n", " ").splitlines():
        text = "" if line.startswith("#") else re.sub(r"\s#\s.*", "", line.strip())
        for old, new in _FILLED.items():
            text = text.replace(old, new)
        for match in _IN_BASH.finditer(re.sub(r'"\$\w+"|\$\d', "DEVICE", text)):
            yield match[1], " ".join(match[2].partition(", ")[0].split())


def test_what_scripts_for_hosts_type_and_write_stands_in_the_table(tmp_path: Path) -> None:
    """Each command with its source, none of another card's, and no row without a command; files of the kernel, too."""
    used: set[object] = set()
    for card, script in _scripts(tmp_path):
        typed = list(_typed_in(script))
        assert len(typed) >= 3, card
        for tool, rest in typed:
            of = [form for form in FORMS if form.tool == tool and card in form.cards and allows(form, rest)]
            assert of, f"{tool} {rest} for {card}"
            used.update(of)
        paths = dict(re.findall(r"(\w+)=(/sys/\S+)", script))
        for name, below in re.findall(r'>"\$(\w+)([\w/]*)"', script):
            file = re.sub(r"\$\w+", "DEVICE", paths[name] + below)
            rows = [row for row in WRITTEN if re.fullmatch(row, file)]
            assert rows, file
            used.update(rows)
    told = "\n".join(path.read_text(encoding="utf-8") for path in PAGES)
    files = re.findall(r"`echo \d+ > ?(/sys/[^`\s]+)`", told)
    assert len(files) >= 2
    for file in files:
        shape = re.sub(r"(?<=/)(?:DEVICE|IF|\d+)(?=/|$)", "DEVICE", file).replace(
            "/ecn/roce_np/enable", "/ecn/DEVICE/enable"
        )
        assert any(re.fullmatch(row, shape) for row in WRITTEN), file
    assert [form for form in IN_SCRIPTS if form not in used] == []
    assert [row for row in WRITTEN if row not in used] == []
    assert all(re.search(r"\b[0-9a-f]{7,}\b|https://|not verified", source) for source in WRITTEN.values())


def test_each_form_has_its_source_and_what_turns_off_says_what_then_holds() -> None:
    undoes = re.compile(r"\b(?:off|del .*|disable|flush)\b|Disable-|Remove-|--ratelimit 0|:0$|DEVICE set ")
    for form in FORMS:
        assert re.search(r"\b[0-9a-f]{7,}\b", form.source), form
        assert form.then or not undoes.search(f"{form.tool} {form.form}"), form


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


def test_what_turns_pfc_off_beside_what_it_is_for_says_so() -> None:
    """The driver ice: without the last entry it sorts by PCP with its defaults, as after its agent is turned off."""
    assert "PFC again" in map_command(ICE_, 26, 0, 3, "ens1f0")
    assert "without PFC" in lldp_off_command(ICE_, "ens1f0")
    assert all("PFC again" not in map_command(driver, 26, 0, 3, "ens1f0") for driver in (MLX, BNXT_EN, IONIC_))
