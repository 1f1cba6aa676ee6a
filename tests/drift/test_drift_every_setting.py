"""Each setting that an intent can state, on each system: another value that runs is drift, or it is said not to be."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml
from drift_cases import ROOT, WHOLE
from intents import rocecfg
from sampling import is_whole, part, systems

from rocecfg import CannotRender, IntentError
from rocecfg.drift.intended import read_intended_settings, read_switches
from rocecfg.drift.match import SwitchComparer
from rocecfg.drift.run import find_drift
from rocecfg.drift.uncompared import find_uncompared
from rocecfg.intent import Loaded, load
from rocecfg.intent.schema import CLASS, DEVICE, PORT
from rocecfg.linting.rendering import render_files
from rocecfg.model import Device
from rocecfg.model.catalogue import CATALOGUE, NO_SWITCH, list_plain, setting
from rocecfg.model.values import OF_LINK
from rocecfg.profiles import SHIPPED
from rocecfg.source.document import Sources
from rocecfg.vendors import TABLE, VENDORS
from rocecfg.vendors.uncompared import UNCOMPARED, find_why_uncompared

ABOUT = ("rocecfg/drift", "rocecfg/model", "rocecfg/intent", "docs/support.py", "tests/drift/test_drift_every_setting")
BY_PARTS = ("ports[].headroom",)  # sections, of which each part has a row
SECOND = {  # a setting that none of the two values of its row changes on a system, as an intent of it may be
    "spectrum": {"device.mtu", "ports[].mtu"},
    "sonic": {
        *("device.mtu", "ports[].mtu"),
        "device.trimming.classes",  # by the platform's buffer profiles, which are not rendered: test_trimming.py
    },
}
NO_ROWS = {  # keys of an intent without a row of the catalogue, by element, and why
    "device": {"description": "for people", "address": "how a person reaches it", "faces": "of its ports"},
    "port": {"description": "for people", "address": "of routing", "asic": "which of a switch's chips has it"},
    "class": {},
}
OF_PORTS = {*list_plain("ports[]"), "cable", "pfc", "ports", "classes"}  # a device's, for its


@pytest.fixture(scope="module")
def support() -> Iterator[ModuleType]:
    """The module that gives each setting two values, of which docs/support.md is made."""
    sys.path.insert(0, str(ROOT / "docs"))
    yield importlib.import_module("support")
    sys.path.remove(str(ROOT / "docs"))


def _run(text: str, device: Device) -> str:
    whole = WHOLE[device.vendor or ""]("leaf01", device, text)
    if device.vendor == "junos":  # where no MTU is stated no interfaces are rendered, and no switch is without
        rows = "".join(f"    {port} {{\n        mtu 9216;\n    }}\n" for group in device.ports for port in group.names)
        whole = whole if "\ninterfaces {" in whole else f"{whole}interfaces {{\n{rows}}}\n"
    return whole


def _list_columns(vendor: str, support: ModuleType) -> list[Any]:
    """The release that is rendered by default, and another one: each commit takes one."""
    nos, title = SHIPPED.nos(vendor), next(row.title for row in TABLE if row.name == vendor)
    usual = support.Column(vendor, title, nos.default_release)
    every = (support.Column(vendor, title, release) for release in nos.releases if release != usual.release)
    about = (f"profiles/nos/{vendor}", "rocecfg/vendors/uncompared", f"rocecfg/vendors/{vendor}/release")
    others = part([column for column in every if support.is_rendered(column)], *about)
    return [usual, *(others if is_whole(*about) else others[:1])]


@pytest.mark.parametrize("vendor", systems(VENDORS, *ABOUT))
def test_another_value_is_drift_or_said_not_to_be_compared(vendor: str, support: ModuleType, tmp_path: Path) -> None:
    """The ratchet: a new setting is compared, or stands in `UNCOMPARED`, or has a reason to be no switch's."""
    found = [_find_uncovered(column, support, str(tmp_path)) for column in _list_columns(vendor, support)]
    assert [path for missed, _ in found for path in missed] == []
    assert [path for _, idle in found for path in idle] == []  # compared after all


def _find_uncovered(column: Any, support: ModuleType, folder: str) -> tuple[list[str], list[str]]:
    """The settings that drift passes over unsaid on a release, and those that it compares and says it does not."""
    vendor, watchdog = column.vendor, support.find_watchdog(column)
    missed, idle = [], []
    for row in support.settings():
        path, place = row.path, f"{column.release}: {row.path}"
        if row.where == NO_SWITCH or row.compared in OF_LINK or path in BY_PARTS:
            continue
        if support.is_judged_only(path):
            missed += [] if vendor in UNCOMPARED.get(path, ()) else [place]
            continue
        first, *others = support.SAMPLES[path]
        for other in others:
            try:
                one, two = (support.resolve_side(row, column, v, watchdog, folder) for v in (first, other))
            except (CannotRender, IntentError):
                continue  # its system refuses it, and so does drift
            if one.text == two.text and support.find_refusal(one.fabric, two.fabric):
                lacks = [each for side in (one, two) for each in find_uncompared(side.fabric, side.device)]
                assert any(not each.titles for each in lacks), place
                continue
            sources = Sources()
            document = sources.add("leaf01", _run(two.text, two.device))
            means = read_intended_settings(one.fabric, one.device, sources, None)
            found = SwitchComparer().find_differing(means, read_switches(document, one.device)[0])
            if find_why_uncompared(path, one.device) is not None:
                idle += [place] if found else []
                titles = {title for each in find_uncompared(one.fabric, one.device) for title in each.titles}
                assert (setting(path).title or row.intent.replace("_", " ")) in titles, place
            elif not found and path not in SECOND.get(vendor, ()):
                missed.append(place)
            break
    return missed, idle


def test_what_one_release_has_and_another_lacks(support: ModuleType, tmp_path: Path) -> None:
    """A mask of watched priorities: in 202012, then gone for two releases; small packets: compared from 5.17 on."""
    row, takes = setting("ports[].watchdog.priorities"), {}
    for release in ("202006", "202012", "202106", "202111", "202205"):
        column = support.Column("sonic", "SONiC", release)
        try:
            support.resolve_side(row, column, [3], support.find_watchdog(column), str(tmp_path))
            takes[release] = True
        except CannotRender as error:
            takes[release] = False
            assert "the watchdog watches every priority" in str(error)  # noqa: PT017
    assert takes == {"202006": False, "202012": True, "202106": False, "202111": False, "202205": True}
    told = []
    for release in ("5.16", "5.17"):
        column = support.Column("spectrum", "Cumulus Linux", release)
        side = support.resolve_side(setting("device.buffers.small_packets"), column, "50%", "off", str(tmp_path))
        told.append([title for each in find_uncompared(side.fabric, side.device) for title in each.titles])
    assert told == [["small packets"], []]


def test_every_row_of_the_catalogue_has_a_place() -> None:
    """What an intent states is of a switch, or says why not; nothing is listed that an intent cannot state."""
    stated = {row.path for row in CATALOGUE if row.intent}
    assert UNCOMPARED.keys() <= stated
    assert not [path for path in UNCOMPARED if setting(path).where == NO_SWITCH]
    assert all(vendor in VENDORS and why.text for of in UNCOMPARED.values() for vendor, why in of.items())


def test_every_key_of_an_element_has_a_row() -> None:
    """A key that has none stands in `NO_ROWS` with its reason, and that list may only shrink."""
    stated: dict[str, set[str]] = {name: set() for name in NO_ROWS}
    for row in CATALOGUE:
        scope = {"device": "device", "classes[]": "class", "ports[]": "port"}.get(row.path.partition(".")[0])
        if scope is not None and row.intent:
            stated[scope].add(row.intent.partition(".")[0])
    keys = {"device": DEVICE.keys.keys() - OF_PORTS, "port": PORT.keys.keys(), "class": CLASS.keys.keys()}
    assert {name: of - stated[name] for name, of in keys.items()} == {name: set(of) for name, of in NO_ROWS.items()}


# -- the link of a port, which nothing is rendered of ------------------------------------------------------------------

LAG = {
    "sonic": "PortChannel{}",
    "spectrum": "bond{}",
    "arista": "Port-Channel{}",
    "junos": "ae{}",
    "nxos": "port-channel{}",
    "srlinux": "lag{}",
}
LINK = {"speed": "400G", "fec": "rs", "autoneg": "on", "layer": 3, "mtu": 9000}
OTHER: dict[str, Any] = {"speed": "100G", "fec": "fc", "autoneg": "off", "layer": 2, "mtu": 1500}


def _sonic(config: str, links: dict[str, dict[str, Any]]) -> str:
    tables = json.loads(config)
    for port, of in links.items():
        speed = str(int(of["speed"].rstrip("G")) * 1000) if "speed" in of else None
        cells = {"speed": speed, "mtu": str(of["mtu"]) if "mtu" in of else None}
        cells |= {key: of.get(key) for key in ("fec", "autoneg")}
        cells["adv_speeds"] = speed if of.get("autoneg") == "on" else None  # else the port has what both ends can
        tables["PORT"][port] = {**tables["PORT"][port], **{key: cell for key, cell in cells.items() if cell}}
        lag = LAG["sonic"].format(of["lag"]) if "lag" in of else None
        if lag is not None:
            tables.setdefault("PORTCHANNEL", {})[lag] = {"admin_status": "up", "mtu": str(of.get("mtu", 9100))}
            tables.setdefault("PORTCHANNEL_MEMBER", {})[f"{lag}|{port}"] = {}
        if of.get("layer") == 2:
            tables.setdefault("VLAN_MEMBER", {})[f"Vlan20|{lag or port}"] = {"tagging_mode": "untagged"}
        elif "layer" in of:
            tables.setdefault("PORTCHANNEL_INTERFACE" if lag else "INTERFACE", {})[lag or port] = {}
    return json.dumps(tables, indent=1)


def _spectrum(config: str, links: dict[str, dict[str, Any]]) -> str:
    interfaces: dict[str, Any] = {}
    for port, of in links.items():
        words = {"rs": "rs", "fc": "baser"}
        link = {key: words.get(of[key], of[key]) for key in ("speed", "fec", "mtu") if key in of}
        link |= {"auto-negotiate": of["autoneg"]} if "autoneg" in of else {}
        own: dict[str, Any] = {"ip": {"address": {f"192.0.2.{len(interfaces)}/31": {}}}}
        layer = own if of.get("layer") == 3 else {"bridge": {"domain": {"br_default": {}}}} if "layer" in of else {}
        interfaces[port] = {"link": link, **({} if "lag" in of else layer)}
        if "lag" in of:
            bond = interfaces.setdefault(LAG["spectrum"].format(of["lag"]), {"bond": {"member": {}}, **layer})
            bond["bond"]["member"][port] = {}
    return config + yaml.safe_dump([{"set": {"interface": interfaces}}])


def _arista(config: str, links: dict[str, dict[str, Any]]) -> str:
    lines: list[str] = []
    words = {"rs": "reed-solomon", "fc": "fire-code"}
    for port, of in links.items():
        layer = ["no switchport"] if of.get("layer") == 3 else ["switchport access vlan 20"] if "layer" in of else []
        lines += [f"interface {port}"]
        way = {"on": "auto {}-8", "off": "forced {}full"}.get(of.get("autoneg", ""), "{}-8")
        lines += [f"   speed {way.format(of['speed'].lower())}"] if "speed" in of else []
        lines += [f"   error-correction encoding {words[of['fec']]}"] if "fec" in of else []
        lines += [f"   mtu {of['mtu']}"] if "mtu" in of else []
        if "lag" in of:
            lines += [f"   channel-group {of['lag']} mode active", f"interface Port-Channel{of['lag']}"]
        lines += [f"   {line}" for line in layer]
    return "\n".join([config.rstrip(), *lines, ""])


def _junos(config: str, links: dict[str, dict[str, Any]]) -> str:
    lines: list[str] = []
    words = {"rs": "fec91", "fc": "fec74"}
    for port, of in links.items():
        name = f"ae{of['lag']}" if "lag" in of else port
        lines += [f"set interfaces {port} speed {of['speed'].lower()}"] if "speed" in of else []
        lines += [f"set interfaces {port} ether-options fec {words[of['fec']]}"] if "fec" in of else []
        way = {"on": "auto-negotiation", "off": "no-auto-negotiation"}.get(of.get("autoneg", ""))
        lines += [f"set interfaces {port} ether-options {way}"] if way else []
        lines += [f"set interfaces {port} ether-options 802.3ad {name}"] if "lag" in of else []
        lines += [f"set interfaces {name} mtu {of['mtu'] + 14}"] if "mtu" in of else []
        family = "inet address 192.0.2.1/31" if of.get("layer") == 3 else "ethernet-switching"
        lines += [f"set interfaces {name} unit 0 family {family}"] if "layer" in of else []
    return "\n".join([config.rstrip(), *lines, ""])


def _srlinux(config: str, links: dict[str, dict[str, Any]]) -> str:
    lines: list[str] = []
    words = {"rs": "rs-528", "fc": "base-r"}
    for port, of in links.items():
        name, own = f"lag{of['lag']}" if "lag" in of else port, f"set / interface {port} ethernet"
        lines += [f"{own} port-speed {of['speed']}"] if "speed" in of else []
        lines += [f"{own} forward-error-correction fec-option {words[of['fec']]}"] if "fec" in of else []
        lines += [f"{own} auto-negotiate {'true' if of['autoneg'] == 'on' else 'false'}"] if "autoneg" in of else []
        lines += [f"{own} aggregate-id {name}"] if "lag" in of else []
        lines += [f"set / interface {name} mtu {of['mtu'] + 14}"] if "mtu" in of else []
        kind = "routed" if of.get("layer") == 3 else "bridged"
        lines += [f"set / interface {name} subinterface 0 type {kind}"] if "layer" in of else []
        lines += [f"set / interface {name} subinterface 0 ip-mtu {of['mtu']}"] if of.get("layer") == 3 else []
    return "\n".join([config.rstrip(), *lines, ""])


def _nxos(config: str, links: dict[str, dict[str, Any]]) -> str:
    lines: list[str] = []
    for port, of in links.items():
        words = {"rs": "rs-fec", "fc": "fc-fec"}
        lag = [f"interface port-channel{of['lag']}"] if "lag" in of else []
        layer = ["no switchport"] if of.get("layer") == 3 else ["switchport access vlan 20"] if "layer" in of else []
        lines += [*lag, *(f"  {line}" for line in layer if lag), f"interface {port}"]
        lines += [f"  {line}" for line in layer]
        lines += [f"  speed {int(of['speed'].rstrip('G')) * 1000}"] if "speed" in of else []
        lines += [f"  fec {words[of['fec']]}"] if "fec" in of else []
        lines += [f"  {'' if of['autoneg'] == 'on' else 'no '}negotiate auto"] if "autoneg" in of else []
        lines += [f"  mtu {of['mtu']}"] if "mtu" in of else []
        lines += [f"  channel-group {of['lag']} mode active"] if "lag" in of else []
    return "\n".join([config.rstrip(), *lines, ""])


SAY: dict[str, Callable[[str, dict[str, dict[str, Any]]], str]] = {
    "sonic": _sonic,
    "spectrum": _spectrum,
    "arista": _arista,
    "junos": _junos,
    "nxos": _nxos,
    "srlinux": _srlinux,
}


def _intend(vendor: str, support: ModuleType, folder: Path) -> tuple[Loaded, tuple[str, str], str]:
    """An intent of two ports that states all of their links, the second in a LAG; and the switch without these."""
    column = next(
        c for c in support.columns() if (c.vendor, c.release) == (vendor, SHIPPED.nos(vendor).default_release)
    )
    intent = support.make_intent(column, setting("device.role"), "leaf", support.find_watchdog(column))
    ports = intent["devices"]["leaf01"]["ports"]
    first, second = ports
    for port in ports.values():
        port.update(LINK)
    ports[second]["lag"] = LAG[vendor].format(1)
    path = folder / "fabric.yaml"
    path.write_text(json.dumps(intent), encoding="utf-8")
    loaded = load(str(path), Sources())
    assert loaded.fabric is not None
    (file,) = render_files(loaded.fabric, vendor, form="set" if vendor == "junos" else None)
    device = loaded.fabric.devices[0]
    bare = replace(device, ports=tuple(replace(group, lag=None, layer=None) for group in device.ports))
    return loaded, (first, second), WHOLE[vendor]("leaf01", bare, file.text)


@pytest.mark.parametrize("vendor", systems(VENDORS, *ABOUT))
def test_each_setting_of_a_link(vendor: str, support: ModuleType, tmp_path: Path) -> None:
    """Stated and otherwise on the switch: named with port and value; as stated, or left to the port: no drift."""
    loaded, (first, second), config = _intend(vendor, support, tmp_path)

    def differ(links: dict[str, dict[str, Any]]) -> tuple[set[tuple[str, str]], set[str]]:
        file = tmp_path / "leaf01.txt"
        file.write_text(SAY[vendor](config, links), encoding="utf-8")
        found = find_drift([loaded], [str(file)], Sources())
        assert found.compared
        assert found.refused == found.uncovered == found.running.errors == []
        gone = {(d.topic, port) for d in found.differences for reach in d.reach for port in reach.ports}
        return gone, {what.topic for each in found.own for what in each.settings}

    same: dict[str, dict[str, Any]] = {first: dict(LINK), second: {**LINK, "lag": 1}}
    assert differ(same) == (set(), set())
    for key, value in OTHER.items():
        assert differ({**same, first: {**LINK, key: value}}) == ({(key, first)}, set()), key
    for link in ({**LINK, "lag": 2}, LINK):  # with it go profiles that are bound to the LAG
        assert ("lag", second) in differ({**same, second: link})[0]
    assert differ({**same, first: {**LINK, "lag": 1}}) == ({("lag", first)}, set())  # one more than the LAG is to have
    cut = {key for key, _ in differ({**same, second: {**LINK, "lag": 1, "mtu": 1500}})[0]}
    assert cut & {"mtu", "lag_mtu"}
    assert cut <= {"mtu", "lag_mtu"}
    unsaid = differ({**same, first: {key: value for key, value in LINK.items() if key in ("layer", "mtu")}})
    if vendor == "sonic":  # which names the speed of every port: the helper's own is that of the intent
        assert unsaid == (set(), {"fec", "autoneg"})
    else:
        assert unsaid == (set(), {"speed", "fec", "autoneg"})


# -- ports that the intent does not name -------------------------------------------------------------------------------

SRL_PORT = "set / qos interfaces interface ethernet-1/30"
JUNOS_PORT = "set class-of-service interfaces et-0/0/30"
MORE = {  # on a switch: what stands of a port besides, and whether it is in use
    "sonic": (
        ({"PORT": {"Ethernet80": {"admin_status": "up"}}, "INTERFACE": {"Ethernet80": {}}}, "warning"),
        (
            {"PORT": {"Ethernet80": {"admin_status": "up"}}, "PORT_QOS_MAP": {"Ethernet80": {"pfc_enable": "3"}}},
            "error",
        ),
        ({"PORT": {"Ethernet80": {"admin_status": "up"}}, "VLAN_MEMBER": {"Vlan9|Ethernet80": {}}}, "warning"),
        ({"PORT": {"Ethernet80": {"admin_status": "up", "mtu": "9100", "speed": "400000"}}}, ""),
        ({"PORT": {"Ethernet80": {"admin_status": "down"}}, "INTERFACE": {"Ethernet80": {}}}, ""),
        ({"PORT": {"Ethernet80": {}}, "INTERFACE": {"Ethernet80": {}}}, ""),  # down unless it is said
        ({"LOOPBACK_INTERFACE": {"Loopback0": {}}, "MGMT_INTERFACE": {"eth0|192.0.2.9/24": {}}}, ""),
        ({"PORT": {"Ethernet-BP0": {"admin_status": "up"}}, "PORT_QOS_MAP": {"Ethernet-BP0": {"pfc_enable": "3"}}}, ""),
    ),
    "spectrum": (
        ({"swp60": {"ip": {"address": {"192.0.2.9/31": {}}}}}, "error"),  # qos roce is of all ports
        ({"swp60": {"bridge": {"domain": {"br_default": {}}}}}, "error"),
        ({"swp60": {"link": {"state": {"up": {}}}}}, "error"),
        ({"swp60": {"type": "swp"}}, ""),
        ({"swp60": {"link": {"state": {"down": {}}}, "ip": {"address": {"192.0.2.9/31": {}}}}}, ""),
        ({"eth0": {"ip": {"address": {"192.0.2.9/31": {}}}}, "lo": {"ip": {"address": {"192.0.2.8/32": {}}}}}, ""),
    ),
    "arista": (
        ("interface Ethernet30/1\n   no switchport\n   ip address 192.0.2.9/31\n", "warning"),
        ("interface Ethernet30/1\n   switchport access vlan 20\n", "warning"),
        ("interface Ethernet30/1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n", "error"),
        ("interface Ethernet30/1\n   description spare\n   mtu 9214\n", ""),
        ("interface Ethernet30/1\n   shutdown\n   no switchport\n", ""),
        ("interface Management1\n   ip address 192.0.2.9/24\ninterface Loopback0\n   ip address 192.0.2.8/32\n", ""),
    ),
    "junos": (
        ("set interfaces et-0/0/30 unit 0 family inet address 192.0.2.9/31\n", "warning"),
        (
            f"{JUNOS_PORT} congestion-notification-profile ROCE-PFC\n{JUNOS_PORT} unit 0 classifiers dscp ROCE\n",
            "error",
        ),
        ("set interfaces et-0/0/30 mtu 9216\n", ""),
        ("set interfaces et-0/0/30 disable\nset interfaces et-0/0/30 unit 0 family inet address 192.0.2.9/31\n", ""),
        (
            "set interfaces lo0 unit 0 family inet address 192.0.2.9/32\nset interfaces em0 unit 0 family inet dhcp\n",
            "",
        ),
    ),
    "srlinux": (
        ("set / interface ethernet-1/30 subinterface 0 type routed\n", "warning"),
        (f"{SRL_PORT} pfc pfc-mapping-profile roce-pfc\n{SRL_PORT} pfc pfc-enable true\n", "error"),
        ("set / interface ethernet-1/30 mtu 9216\n", ""),
        (
            "set / interface ethernet-1/30 admin-state disable subinterface 0 type routed\n",
            "",
        ),
        ("set / interface mgmt0 subinterface 0 ipv4 admin-state enable\n", ""),
    ),
    "nxos": (
        ("interface Ethernet1/30\n  no switchport\n  ip address 192.0.2.9/31\n", "warning"),
        ("interface Ethernet1/30\n  switchport access vlan 20\n", "warning"),
        ("interface Ethernet1/30\n  priority-flow-control mode on\n", "error"),
        ("interface Ethernet1/30\n  description spare\n  mtu 9216\n", ""),
        ("interface Ethernet1/30\n  shutdown\n  no switchport\n", ""),
        ("interface mgmt0\n  ip address 192.0.2.9/24\ninterface loopback0\n  ip address 192.0.2.8/32\n", ""),
    ),
}


@pytest.mark.parametrize("vendor", systems(VENDORS, *ABOUT))
def test_ports_that_the_intent_does_not_name(vendor: str, support: ModuleType, tmp_path: Path) -> None:
    loaded, (first, second), config = _intend(vendor, support, tmp_path)
    base = SAY[vendor](config, {first: dict(LINK), second: {**LINK, "lag": 1}})
    for more, severity in MORE[vendor]:
        if vendor == "sonic":
            tables = json.loads(base)
            for table, rows in more.items():
                tables.setdefault(table, {}).update(rows)
            text = json.dumps(tables, indent=1)
        else:
            text = base + (yaml.safe_dump([{"set": {"interface": more}}]) if vendor == "spectrum" else str(more))
        (tmp_path / "leaf01.txt").write_text(text, encoding="utf-8")
        found = find_drift([loaded], [str(tmp_path / "leaf01.txt")], Sources())
        assert [d for d in found.differences if d.topic != "port"] == [], more
        assert [each.severity for kinds in found.unnamed.values() for each in kinds] == [severity] * bool(severity), (
            more
        )
        done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.txt", expect=1 if severity else 0)
        assert ("no drift" in done.stdout) == (not severity)
        rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.txt", "--known-ports", expect=0)
