"""The examples: they lint as their READMEs say, their arithmetic holds, and what is rendered from them is valid."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from conformance import SonicYang, run_validator
from loops import loop
from ruamel.yaml import YAML

from rocecfg import load
from rocecfg.cli import cli
from rocecfg.cli.starter import StarterChoices, make_starter
from rocecfg.core.nodeset import node_set
from rocecfg.model import Fabric
from rocecfg.profiles import library_in
from rocecfg.vendors import VENDORS, row

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CLEAN = ("policy", "auto", "train-256", "rail-1024", "rail-512", "converged", "nexus-h4")
PUBLISHED = "train-256-as-published"
IN_BYTES = tuple(vendor for vendor in VENDORS if vendor != "junos")  # as the policy states thresholds
RELEASES = {
    "sonic": ("202311", "202405", "202411", "202505", "202511", "202605", "master"),
    "spectrum": ("5.9", "5.14", "5.16"),
    "arista": ("4.33.2F",),
    "junos": ("23.4R1", "23.4R2", "24.4R1"),
}
FAMILIES = {"strata": "tomahawk5", "sand": "jericho2"}  # and a chip of each, for the policy
G = 1_000_000_000


def _run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def _findings(path: Path) -> tuple[int, list[dict[str, Any]]]:
    result = _run("lint", "--format", "json", str(path))
    assert result.stdout, result.stderr
    return result.exit_code, json.loads(result.stdout)["findings"]


# -- lint ----------------------------------------------------------------------------------------------------------


OF_RELEASE = ("auto", "rail-1024")  # SONiC on Tomahawk 5, where no intent avoids what 29203 tells


@pytest.mark.parametrize("name", CLEAN)
def test_lints_clean(name: str) -> None:
    code, findings = _findings(EXAMPLES / name / "fabric.yaml")
    assert code == 0
    found = [(f["severity"], f["name"], f["message"]) for f in findings]
    assert [f for f in found if name not in OF_RELEASE or f[1] != "nos-erratum"] == []


def test_published_architecture_is_faulted() -> None:
    path = EXAMPLES / PUBLISHED / "fabric.yaml"
    lines = path.read_text(encoding="utf-8").splitlines()
    code, findings = _findings(path)
    assert code == 1
    assert {f["name"]: len(f["folded"]) for f in findings if f["folded"]} == {  # of leaves and of spines
        "buffer-cable-missing": 1,
        "schema-port-speed": 1,
    }
    findings += [one for f in findings for one in f["folded"] or ()]
    named = {(f["severity"], f["name"], lines[f["line"] - 1].partition("#")[0].strip()) for f in findings}
    assert named == {
        ("error", "watchdog-missing", "lossless: true"),
        ("warning", "mix-cnp", "dscp: rest"),
        ("info", "ecn-before-pfc", "ecn: {kmin: 150KB, kmax: 1500KB, pmax: 100%}"),
        ("warning", "buffer-cable-missing", '"leaf[01-02]":'),
        ("warning", "buffer-cable-missing", '"spine[01-02]":'),
        ("error", "schema-port-speed", '"leaf[01-02]":'),  # 14.4 Tbit/s on a 12.8 Tbit/s chip
        (
            "error",
            "schema-port-name",
            '"Ethernet[256,264]": {speed: 800G, faces: switch}',
        ),  # the 33rd and 34th of 32 ports
        ("error", "schema-port-speed", '"Ethernet[256,264]": {speed: 800G, faces: switch}'),
        ("error", "schema-port-speed", '"Ethernet[0,8]": {speed: 800G, faces: switch}'),
        ("error", "topology-oversub", '"Ethernet[256,264]": {speed: 800G, faces: switch}'),  # 8:1
        ("warning", "ets-control-missing", "dscp: rest"),  # BGP and BFD are in the default class
        ("info", "topology-rail", "gpus: 8"),  # two ports for eight GPUs
        ("info", "schema-undefined", "telemetry: {exporter: prometheus}"),  # a database, and what exports is not said
    }
    assert len(findings) == len(named)


def test_published_architecture_is_not_rendered() -> None:
    result = _run("render", str(EXAMPLES / PUBLISHED / "fabric.yaml"), "--vendor", "sonic")
    assert result.exit_code == 1
    assert result.stdout == ""


def _reported() -> list[tuple[str, str]]:
    """Every command that a README tells the reader to run."""
    return [
        (readme.parent.name, line.removeprefix("$ rocecfg ").partition("#")[0].strip())
        for readme in sorted(EXAMPLES.glob("*/README.md"))
        for line in readme.read_text(encoding="utf-8").splitlines()
        if line.startswith("$ rocecfg ")
    ]


@pytest.mark.parametrize(("name", "command"), _reported())
def test_commands_of_the_readmes_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, command: str) -> None:
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    result = _run(*command.split())
    assert result.exit_code == (1 if name == PUBLISHED else 0), result.output


def test_every_readme_tells_how_to_lint() -> None:
    assert {name for name, command in _reported() if command.startswith("lint ")} == {*CLEAN, PUBLISHED}


# -- form ----------------------------------------------------------------------------------------------------------


def _yaml_files() -> list[Path]:
    return sorted(EXAMPLES.rglob("*.yaml"))


@cache
def _schema() -> jsonschema.Draft202012Validator:
    """What `rocecfg schema` prints, which is a schema: to see that takes longer than to validate all examples."""
    schema = json.loads(_run("schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@loop("path", _yaml_files())
def test_fits_the_json_schema(path: Path) -> None:
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in _schema().iter_errors(_plain(path))]
    assert errors == []


def test_json_schema_refuses_a_typo() -> None:
    intent = _plain(EXAMPLES / "policy" / "fabric.yaml")
    intent["classes"]["rdma"]["losless"] = True
    with pytest.raises(jsonschema.ValidationError, match="losless"):
        _schema().validate(intent)


def _plain(path: Path) -> Any:
    """A file as any YAML 1.2 reader has it."""
    return YAML(typ="safe", pure=True).load(path)


# -- arithmetic ----------------------------------------------------------------------------------------------------


def _speeds(fabric: Fabric) -> dict[tuple[str, str], int]:
    """Speed in bit/s of each port of each switch."""
    return {
        (name, port): group.speed or 0
        for device in fabric.devices
        for name in device.names
        for group in device.ports
        for port in group.names
    }


def _ends(devices: str, ports: str) -> list[tuple[str, str]]:
    return [(device, port) for device in node_set(devices) for port in node_set(ports)]


def _wires(fabric: Fabric) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    wires: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for link in fabric.links:
        wires += zip(_ends(link.a_device, link.a_port), _ends(link.b_device, link.b_port), strict=True)
    return wires


SIZES = {  # links to hosts, between switches
    "train-256": (256, 128),
    "rail-1024": (1024, 512),
    "rail-512": (512, 512),
    "converged": (112, 64),
}


@pytest.mark.parametrize("name", SIZES)
def test_every_port_is_cabled_once(name: str) -> None:
    fabric = load(str(EXAMPLES / name / "fabric.yaml"))
    speeds, wires = _speeds(fabric), _wires(fabric)
    ends = Counter(end for wire in wires for end in wire)
    assert set(ends.values()) == {1}
    assert set(speeds) <= set(ends), "a switch port has no cable"
    assert sum(a in speeds and b in speeds for a, b in wires) == SIZES[name][1]
    assert sum((a in speeds) != (b in speeds) for a, b in wires) == SIZES[name][0]
    assert all(speeds[a] == speeds[b] for a, b in wires if a in speeds and b in speeds)


@pytest.mark.parametrize("name", SIZES)
def test_no_leaf_is_oversubscribed(name: str) -> None:
    up, down = _up_and_down(load(str(EXAMPLES / name / "fabric.yaml")))
    assert up == down
    assert len(up) == {"train-256": 4, "rail-1024": 16, "rail-512": 16, "converged": 4}[name]


def test_published_architecture_is_8_to_1() -> None:
    text = (EXAMPLES / PUBLISHED / "fabric.yaml").read_text(encoding="utf-8")
    keys = _plain(EXAMPLES / PUBLISHED / "fabric.yaml")["devices"]["leaf[01-02]"]["ports"]
    down = len(node_set("Ethernet[0-248/8]")) * 400
    up = len(node_set("Ethernet[256,264]")) * 800
    assert list(keys) == ["Ethernet[0-248/8]", "Ethernet[256,264]"]
    assert (down, up, down // up) == (12_800, 1_600, 8)
    assert "3.2 Tbit/s of bisection" in text


def _up_and_down(fabric: Fabric) -> tuple[dict[str, int], dict[str, int]]:
    """Speed in bit/s of the links of each leaf to switches, and to hosts."""
    speeds = _speeds(fabric)
    leaves = {name for device in fabric.devices if device.role == "leaf" for name in device.names}
    up: dict[str, int] = defaultdict(int)
    down: dict[str, int] = defaultdict(int)
    for wire in _wires(fabric):
        for here, there in (wire, wire[::-1]):
            if here[0] in leaves:
                (up if there in speeds else down)[here[0]] += speeds[here]
    return dict(up), dict(down)


@pytest.mark.parametrize(("name", "nics"), [("train-256", 8), ("rail-1024", 8), ("rail-512", 8), ("converged", 4)])
def test_rails_stay_on_their_leaves(name: str, nics: int) -> None:
    """NIC n of every server is on the leaves of one rail, and spread evenly over them."""
    fabric = load(str(EXAMPLES / name / "fabric.yaml"))
    speeds = _speeds(fabric)
    leaves: dict[str, Counter[str]] = defaultdict(Counter)
    for a, b in _wires(fabric):
        nic, port = (a, b) if b in speeds else (b, a)
        if nic[0].startswith("gpu") and nic not in speeds:
            leaves[nic[1]][port[0]] += 1
    assert sorted(leaves) == [f"nic{n}" for n in range(nics)]
    for counts in leaves.values():
        assert len(set(counts.values())) == 1
        assert len(counts) == (2 if name.startswith("rail-") else 1)


def test_spines_wait_longer_than_leaves() -> None:
    for name in SIZES:
        fabric = load(str(EXAMPLES / name / "fabric.yaml"))
        timers: dict[str, set[tuple[float, float]]] = defaultdict(set)
        for device in fabric.devices:
            for port in device.ports:
                if port.pfc:
                    assert port.watchdog is not None
                    assert port.watchdog.detection is not None
                    assert port.watchdog.poll is not None
                    timers[device.role or ""].add((port.watchdog.detection, port.watchdog.poll))
        assert max(d + p for d, p in timers["leaf"]) <= min(d for d, _ in timers["spine"]), name


def test_converged_keeps_traffic_apart() -> None:
    fabric = load(str(EXAMPLES / "converged" / "fabric.yaml"))
    for device in fabric.devices:
        for field in ("tc", "queue", "priority"):
            values = [getattr(c, field) for c in device.classes]
            assert len(set(values)) == len(values)
        lossless = [c for c in device.classes if c.lossless]
        assert [c.carries for c in lossless] == [("rdma",)]
        assert [c.pg for c in device.classes].count(lossless[0].pg) == 1
        for port in device.ports:
            carried = {kind for c in device.classes_on(port) for kind in c.carries}
            assert ("rdma" in carried) == (port.pfc == (3,))
            assert not (port.faces in ("storage", "management") and "rdma" in carried)


# -- render --------------------------------------------------------------------------------------------------------


def _copy(name: str, to: Path, vendor: str, release: str, chip: str | None = None) -> Path:
    """An example in a folder of its own, for another release of a vendor; the policy also for a chip."""
    shutil.copytree(EXAMPLES / name, to)
    root = to / "fabric.yaml"
    text = root.read_text(encoding="utf-8")
    if name == "policy":
        asic = f", asic: {chip}" if chip else ""
        root.write_text(f'{text}defaults: {{version: "{release}"{asic}}}\n', encoding="utf-8")
        return root
    changed, times = re.subn(rf'({vendor}: |version: )"[^"]+"', rf'\g<1>"{release}"', text)
    assert times == 1
    root.write_text(changed, encoding="utf-8")
    return root


def _render(root: Path, vendor: str, out: Path) -> list[Path]:
    result = _run("render", str(root), "--vendor", vendor, "-o", str(out))
    assert result.exit_code == 0, result.output
    return [p for p in sorted(out.rglob("*")) if p.is_file() and not p.name.startswith("APPLY-")]


RENDERED = {
    "auto": {"sonic": 2, "spectrum": 1, "arista": 1},
    "train-256": {"spectrum": 6},
    "rail-1024": {"sonic": 16, "arista": 8},
    "rail-512": {"junos": 20},
    "converged": {"sonic": 2, "spectrum": 2, "arista": 2},
    "nexus-h4": {"nxos": 2, "srlinux": 2},
}


@pytest.mark.parametrize(("name", "vendor"), [(n, v) for n, vs in RENDERED.items() for v in vs])
def test_renders_a_file_a_device(tmp_path: Path, name: str, vendor: str) -> None:
    files = _render(EXAMPLES / name / "fabric.yaml", vendor, tmp_path / "out")
    assert len(files) == RENDERED[name][vendor]
    assert all(path.stat().st_size > 500 for path in files)


@pytest.mark.parametrize("vendor", [vendor for vendor in IN_BYTES if not row(vendor).chip_matters])
def test_policy_renders_without_devices(vendor: str) -> None:
    result = _run("render", str(EXAMPLES / "policy" / "fabric.yaml"), "--vendor", vendor)
    assert result.exit_code == 0, result.output
    assert "26" in result.stdout


def test_policy_for_eos_asks_for_the_chip() -> None:
    result = _run("render", str(EXAMPLES / "policy" / "fabric.yaml"), "--vendor", "arista")
    assert result.exit_code != 0
    assert "defaults.platform" in result.stderr or "asic" in result.stderr
    assert result.stdout == ""


# -- conformance ---------------------------------------------------------------------------------------------------


def _validate(tool: Path, *args: str) -> None:
    done = run_validator(tool, *args)
    assert done.returncode == 0, done.stdout + done.stderr


def _cases(vendor: str) -> list[tuple[str, str]]:
    names = [name for name, vendors in RENDERED.items() if vendor in vendors]
    names += ["policy"] if vendor in IN_BYTES else []
    return [(name, release) for name in names for release in RELEASES[vendor]]


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "release"), _cases("sonic"))
def test_sonic_fits_its_yang_models(tmp_path: Path, sonic_yang: SonicYang, name: str, release: str) -> None:
    root = _copy(name, tmp_path / "intent", "sonic", release)
    files = _render(root, "sonic", tmp_path / "out")
    assert files
    _validate(
        sonic_yang.tool,
        "--fragment",
        "--strict-tables",
        "--models",
        str(sonic_yang.models / release),
        *map(str, files),
    )


@pytest.mark.conformance
@pytest.mark.parametrize("form", ["nvue", "commands"])
@pytest.mark.parametrize(("name", "release"), _cases("spectrum"))
def test_nvue_fits_its_schema(tmp_path: Path, nvue_validator: Path, name: str, release: str, form: str) -> None:
    root = _copy(name, tmp_path / "intent", "spectrum", release)
    result = _run("render", str(root), "--vendor", "spectrum", "-o", str(tmp_path / "out"), "--as", form)
    assert result.exit_code == 0, result.output
    files = [p for p in sorted((tmp_path / "out").iterdir()) if not p.name.startswith("APPLY-")]
    assert files
    _validate(nvue_validator, "--version", release, *map(str, files))


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("name", "family"), [("policy", "strata"), ("policy", "sand"), ("rail-1024", "strata"), ("converged", "sand")]
)
@pytest.mark.parametrize("release", RELEASES["arista"])
def test_eos_fits_its_grammar(tmp_path: Path, eos_validator: Path, name: str, family: str, release: str) -> None:
    root = _copy(name, tmp_path / "intent", "arista", release, FAMILIES[family])
    files = _render(root, "arista", tmp_path / "out")
    assert files
    _validate(eos_validator, "--strict", "--platform", family, *map(str, files))


@pytest.mark.conformance
@pytest.mark.parametrize("form", ["curly", "set"])
@pytest.mark.parametrize(("name", "release"), _cases("junos"))
def test_junos_fits_its_models(tmp_path: Path, junos_validator: Path, name: str, release: str, form: str) -> None:
    root = _copy(name, tmp_path / "intent", "junos", release)
    result = _run("render", str(root), "--vendor", "junos", "-o", str(tmp_path / "out"), "--as", form)
    assert result.exit_code == 0, result.output
    leaf, *_, spine = [p for p in sorted((tmp_path / "out").iterdir()) if not p.name.startswith("APPLY-")]
    _validate(junos_validator, "--strict", "--release", release, str(leaf), str(spine))  # one of each tier


def test_where_bgp_and_bfd_go_is_said_truly() -> None:
    """FRR and EOS mark BGP and BFD CS6 = 48, as NICs mark CNPs: 56 holds for routers told to mark it."""
    texts = {str(path.relative_to(EXAMPLES)): path.read_text(encoding="utf-8") for path in EXAMPLES.rglob("*.yaml")}
    library = library_in("")
    for vendor in VENDORS:
        platform = row(vendor).platform
        wanted = StarterChoices(vendor, platform, library.assumed_release(vendor, platform), "lab", 26, 3, 400 * G)
        texts[f"starter {vendor}"] = make_starter(wanted, library, "")
    with_control = {name: text for name, text in texts.items() if re.search(r"^  control:", text, re.MULTILINE)}
    assert len(with_control) == len(CLEAN) + len(VENDORS)
    for name, text in with_control.items():
        above = text.partition("\n  control:")[0].rpartition("\n  cnp:")[2]
        words = " ".join(above.replace("#", " ").split())
        assert "FRR and EOS send BGP and BFD as CS6 = 48" in words, name
        assert "carries: [cnp, control]" in words, name
        assert "LACP" not in text, name


def test_both_on_48_in_one_capped_class_is_clean(tmp_path: Path) -> None:
    """What the comments advise where routers stay on CS6."""
    text = (EXAMPLES / "policy" / "fabric.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^  control: .*\n", "", text, flags=re.MULTILINE)
    both = text.replace("carries: [cnp]", "carries: [cnp, control]")
    (tmp_path / "fabric.yaml").write_text(both, encoding="utf-8")
    found = CliRunner().invoke(cli, ["lint", "--format", "concise", str(tmp_path)])
    assert found.exit_code == 0
    assert "mix-cnp-control: class cnp carries CNPs and control, without a cap" in found.output
    found = CliRunner().invoke(cli, ["explain", "mix-cnp-control"])
    assert "bgp session-dscp 56" in found.output
    capped = both.replace("priority: 6, bandwidth: strict", "priority: 6, bandwidth: strict, max_rate: 5%")
    (tmp_path / "fabric.yaml").write_text(capped, encoding="utf-8")
    found = CliRunner().invoke(cli, ["lint", "--format", "concise", str(tmp_path)])
    assert found.output.startswith("clean in 1 fabric, 1 file; ")
