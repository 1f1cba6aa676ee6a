"""Each name that an intent takes from elsewhere is looked up: none that nothing defines is silent, or "clean"."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from intents import rocecfg, write
from loops import loop

from rocecfg.intent.fields import LINK, Links, Version
from rocecfg.intent.schema import INTENT
from rocecfg.intent.shapes import ByShape, Either, Inherited, Keyed, Listed, Nodes, Obj
from rocecfg.intent.types import HWSKU, NAME, PATH, VERSION, WORD, Known, Profile, Type
from rocecfg.intent.values import near
from rocecfg.vendors import VENDORS

_TOP = """rocecfg: 1
fabric: {name: lab, mtu: 9000%s}
classes:
  rdma: {carries: [rdma], dscp: 26, lossless: true, priority: 3, bandwidth: 90, ecn: off}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 10}
"""
_BOX = 'vendor: sonic, platform: nvidia-sn4700, version: "202505"'
_DEVICES = "devices: {leaf01: {role: leaf, ports: {Ethernet0: {faces: host%s}}}}\n"
# path of a key in the schema -> an intent with NAME there, a name that nothing defines, and one that something does
LOOKED_UP = {
    "fabric.workload": (_TOP % ", workload: NAME", "ai-trainin", "ai-training"),
    "fabric.ecn_family": (_TOP % ", ecn_family: NAME", "dcqn", "dcqcn"),
    "fabric.oversubscription.*": (_TOP % ", oversubscription: {NAME: '2:1'}" + _DEVICES % "", "laef", "leaf"),
    "defaults.platform": (_TOP % "" + "defaults: {vendor: sonic, platform: NAME}\n", "nvidia-sn470", "nvidia-sn4700"),
    "defaults.asic": (_TOP % "" + "defaults: {vendor: sonic, asic: NAME}\n", "tomahwak5", "tomahawk5"),
    "defaults.version": (_TOP % "" + 'defaults: {vendor: sonic, version: "NAME"}\n', "banana", "202505"),
    "defaults.version.*": (_TOP % "" + 'defaults: {vendor: sonic, version: {sonic: "NAME"}}\n', "202599", "202505"),
    "defaults.hwsku": (_TOP % "" + f"defaults: {{{_BOX}, hwsku: NAME}}\n", "ACS-MSN47OO", "ACS-MSN4700"),
    "defaults.buffers.template": (_TOP % "" + f"defaults: {{{_BOX}, buffers: {{template: NAME}}}}\n", "t7", "t0"),
    "defaults.fec": (_TOP % "" + "defaults: {vendor: sonic, fec: NAME}\n", "reed", "rs"),
    "devices.*.ports.*.asic": (_TOP % "" + _DEVICES % ", asic: NAME", "banana", "asic0"),
    "devices.*.ports.*.classes": (_TOP % "" + _DEVICES % ", classes: [NAME, default]", "rmda", "rdma"),
    "trimming.classes": (_TOP % "" + "trimming: {size: 256B, dscp: 20, classes: [NAME]}\n", "defalt", "default"),
    "vlans.*.class": (_TOP % "" + _DEVICES % "" + "vlans: {10: {devices: leaf01, class: NAME}}\n", "rmda", "rdma"),
    "hosts.*.nic": (_TOP % "" + "hosts: {gpu01: {nic: NAME}}\n", "conectx-7", "connectx-7"),
    "hosts.*.nics.*.kind": (_TOP % "" + "hosts: {gpu01: {nics: {eth0: {kind: NAME}}}}\n", "conectx-7", "connectx-7"),
    "routing.algorithm": (_TOP % "" + "routing: {algorithm: NAME}\n", "up-donw", "up-down"),
    "telemetry.exporter": (_TOP % "" + "telemetry: {exporter: NAME}\n", "node-exporter", "sonic-exporter"),
    "telemetry.exporter.*": (_TOP % "" + "telemetry: {exporter: {sonic: NAME}}\n", "sonic-exportr", "sonic-exporter"),
    "telemetry.hosts": (_TOP % "" + "telemetry: {hosts: NAME}\n", "node-exportr", "node-exporter"),
    "telemetry.alerts": (_TOP % "" + "telemetry: {alerts: [NAME]}\n", "asymetry", "pfc-storm"),
    "devices.*.role": (_TOP % "" + (_DEVICES % "").replace("leaf,", "NAME,"), "leef", "leaf"),
    "devices.*.hwsku": (  # without a platform
        _TOP % "" + "defaults: {vendor: sonic}\n" + (_DEVICES % "").replace("leaf,", "leaf, hwsku: NAME,"),
        "ACS-MSN47OO",
        None,
    ),
    "devices.*.version": (_TOP % "" + (_DEVICES % "").replace("leaf,", 'leaf, version: "NAME",'), "20251", "202505"),
    "routing.bounces.at": (
        _TOP % "" + _DEVICES % "" + "routing: {bounces: [{at: NAME, remap: {3: 4}}]}\n",
        "laef01",
        "leaf01",
    ),
    "vlans.*.devices": (_TOP % "" + _DEVICES % "" + "vlans: {10: {devices: NAME}}\n", "laef01", "leaf01"),
    "rollout.stages.devices": (
        _TOP % "" + _DEVICES % "" + "rollout: {stages: [{devices: NAME}]}\n",
        "laef01",
        "leaf01",
    ),
    "rollout.from": (_TOP % "" + "rollout: {from: NAME}\n", "oldr.yaml", "older.yaml"),
    "include": ("include: [NAME]\n" + _TOP % "", "prat.yaml", "part.yaml"),
    "links": (_TOP % "" + _DEVICES % "" + "links: [NAME]\n", "cabels.csv", "cables.csv"),
    "links.a": (
        _TOP % "" + _DEVICES % "" + 'hosts: {gpu1: {}}\nlinks: [{a: "NAME:Ethernet0", b: "gpu1:n0"}]\n',
        "laef01",
        "leaf01",
    ),
    "links.b": (
        _TOP % "" + _DEVICES % "" + 'hosts: {gpu1: {}}\nlinks: [{a: "leaf01:Ethernet0", b: "NAME:n0"}]\n',
        "gup1",
        "gpu1",
    ),
    "routes": (_TOP % "" + _DEVICES % "" + "routes: NAME\n", "ruotes.csv", "routes.csv"),
    "telemetry.metrics": (_TOP % "" + "telemetry: {metrics: [NAME]}\n", "noc-17", "fec-errors"),
}
FILES = {
    "older.yaml": _TOP % "",
    "part.yaml": "defaults: {vendor: sonic}\n",
    "cables.csv": "device,port,device,port\nleaf01,Ethernet0,gpu1,n0\n",
    "routes.csv": "device,destination,next_hop\nleaf01,leaf01,leaf01\n",
}
FREE = {  # names that are the intent's own
    "fabric.name": "the fabric's",
    "classes.*.carries": "hygiene-unknown-traffic tells",
    "telemetry.device_label": "a label of the collector",
    "telemetry.device_label.*": "likewise",
    "lag": "the name of a LAG of the device",
    "firmware": "a release of a card, told apart only from those with a known fault",
}
_SAME = (
    "defaults",
    "devices.*",
    "devices.*.ports.*",
    "devices.*.classes.*",
    "devices.*.ports.*.classes.*",
    "defaults.classes.*",
)


def _names(of: Type, path: str) -> Iterator[tuple[str, Type]]:
    """Every key whose value is a name, a word, a path or devices: its path, and its type."""
    if isinstance(of, Known | Profile | Nodes) or of in (WORD, NAME, VERSION, HWSKU, PATH):
        yield path, of
    elif isinstance(of, Either | Inherited | Listed):
        yield from _names(of.of, path)
    elif isinstance(of, Keyed):
        yield from _names(of.of, f"{path}.*")
    elif isinstance(of, ByShape):
        for one in (of.scalar, of.mapping, of.listed):
            yield from _names(one, path) if one is not None else ()
    elif isinstance(of, Obj):
        for name, key in of.keys.items():
            yield from _names(key.type, f"{path}.{name}".lstrip("."))
    elif isinstance(of, Version):
        yield path, WORD
        yield from _names(of.each, path)
    elif isinstance(of, Links):
        yield path, PATH
        yield from _names(LINK, path)
    elif of is LINK.end:
        yield path, of


def _found_below(path: str) -> list[str]:
    """The path, and those of the same key in other sections."""
    head, _, key = path.rpartition(".")
    vendors = "." in path and key in VENDORS
    of = f"{head}.*" if vendors else path
    rests = [of, *(of.removeprefix(f"{one}.") for one in _SAME)]
    return [*rests, *(f"{place}.{rest}" for place in _SAME for rest in rests)]


def test_every_name_of_the_schema_is_looked_up_or_free() -> None:
    known = LOOKED_UP.keys() | FREE.keys()
    left = [
        path
        for path, _ in _names(INTENT, "")
        if known.isdisjoint(_found_below(path)) and path.rpartition(".")[2] not in FREE
    ]
    assert left == []


@loop("path", LOOKED_UP)
def test_a_name_that_nothing_defines_is_told_at_its_line(path: str, tmp_path: Path) -> None:
    text, slip, known = LOOKED_UP[path]
    write(tmp_path, FILES)
    (tmp_path / "slip.yaml").write_text(text.replace("NAME", slip), encoding="utf-8")
    (tmp_path / "good.yaml").write_text(text.replace("NAME", known or slip), encoding="utf-8")
    line = text[: text.index("NAME")].count("\n") + 1

    def told(file: str, word: str) -> list[str]:
        out = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", file).stdout.splitlines()
        return [
            each
            for each in out
            if each.startswith(f"{file}:{line}:")
            and word in each
            and any(code in each for code in ("SCH", "MIX4", "OPS712"))
        ]

    found = told("slip.yaml", slip)
    assert len(found) == 1, found
    if known is not None:
        assert not [
            each for each in told("good.yaml", known) if any(code in each for code in ("SCH008", "SCH029", "OPS712"))
        ]


def test_what_render_refuses_is_an_error(tmp_path: Path) -> None:
    for vendor, release in (
        ("sonic", "202599"),
        ("spectrum", "5.99.9.9"),
        ("arista", "5.1F"),
        ("junos", "banana"),
        ("nxos", "mango"),
    ):
        (tmp_path / "a.yaml").write_text(
            _TOP % "" + f'defaults: {{vendor: {vendor}, version: "{release}"}}\n' + _DEVICES % "", encoding="utf-8"
        )
        assert rocecfg(tmp_path, "render", "--no-lint", "a.yaml", expect=2).stderr
        assert release in rocecfg(tmp_path, "lint", "--no-config", "a.yaml", expect=1).stdout


def test_a_card_of_ones_own_is_told_once_and_is_no_error(tmp_path: Path) -> None:
    hosts = "hosts:\n" + "".join(f"  gpu{n}: {{nic: in-house-400g}}\n" for n in range(9))
    (tmp_path / "a.yaml").write_text(_TOP % "" + hosts, encoding="utf-8")
    out = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "a.yaml").stdout
    assert out.count("in-house-400g") == 1
    own = tmp_path / "rocecfg-profiles" / "nics"
    own.mkdir(parents=True)
    (own / "in-house-400g.yaml").write_text("extends: connectx-7\ntitle: Our own\n", encoding="utf-8")
    out = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "a.yaml").stdout
    assert "in-house-400g" not in out


@pytest.mark.parametrize(
    ("name", "level"), [("connectx7", "warning"), ("ConnectX-7", "warning"), ("connectx-9", "info")]
)
def test_another_model_is_no_slip(name: str, level: str, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(_TOP % "" + f"hosts: {{gpu01: {{nic: {name}}}}}\n", encoding="utf-8")
    out = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "a.yaml").stdout
    assert f"{level} SCH029" in out


@loop(
    ("word", "meant"), [("xcascadde", "cascade"), ("ascade", "cascade"), ("csacade", "cascade"), ("xxcascadde", None)]
)
def test_a_slip_is_two_letters_at_most_wherever_they_stand(word: str, meant: str | None) -> None:
    assert near(word, ["cascade", "something else"]) == meant


@loop(
    "given",
    [("sonic", "20251", "202511"), ("sonic", "2025-05", "202505"), ("spectrum", "5.14x", "5.14"), ("sonic", "x", "")],
)
def test_a_slip_of_a_release_names_the_one_that_is_meant(given: tuple[str, str, str], tmp_path: Path) -> None:
    vendor, slip, meant = given
    write(tmp_path, {"fabric.yaml": _TOP % "" + f'defaults: {{vendor: {vendor}, version: "{slip}"}}\n'})
    said = rocecfg(tmp_path, "lint", "fabric.yaml", expect=1).stdout
    assert f"'{slip}' is not a release of {vendor}" in said
    assert (f"did you mean {meant}?" in said) if meant else "did you mean" not in said


def test_a_slip_of_rdma_in_a_lossy_class_is_answered_with_all_that_rdma_needs(tmp_path: Path) -> None:
    """The word alone would be an error of the next rule."""
    lossy = _TOP % ", ecn_family: dcqcn"
    for carries, lossless, needs in (("rmda", "false", True), ("roce", "false", True), ("rmda", "true", False)):
        text = lossy.replace("carries: [rdma]", f"carries: [{carries}]").replace(
            "lossless: true", f"lossless: {lossless}"
        )
        write(tmp_path, {"fabric.yaml": text})
        told = rocecfg(tmp_path, "lint", "--no-config", "fabric.yaml", expect=None).stdout
        assert ("carries: [rdma], and lossless: true" in told) is needs, told
