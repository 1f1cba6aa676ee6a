"""`rocecfg validate` and `rocecfg render --validate`, as a user has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest
from checkout import ROOT
from conformance import SonicYang, lacking
from intents import POLICY, rocecfg, write
from junos_text import INTENTS

from rocecfg.validation.json_format import json_schema

EXAMPLE = ROOT / "examples" / "converged"
NVUE = """\
- header:
    model: SN5600
    version: Cumulus Linux 5.14.0
- set:
    qos:
      roce:
        enable: on
      mapping:
        default-global:
          dscp:
            '26':
              switch-priority: 3
"""
EOS = """\
! device: leaf01 (DCS-7280SR3-48YC8, EOS-4.33.2F)
!
qos map dscp 26 to traffic-class 3
!
interface Ethernet1/1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   ip address 10.0.0.1/31
   ip ospf cost 10
!
end
"""
JUNOS = """\
version 24.4R1;
system { host-name leaf01; }
class-of-service {
    schedulers {
        S {
            transmit-rate percent 40;
        }
    }
    scheduler-maps {
        M { forwarding-class best-effort scheduler S; }
    }
    interfaces {
        et-0/0/0 { scheduler-map M; }
    }
}
"""


@pytest.fixture(autouse=True)
def installed() -> None:
    if find_spec("nvueschema") is None:
        lacking("nvueschema is not installed: pip install 'rocecfg[validate]'")


def without(folder: Path, package: str) -> dict[str, str]:
    """An environment in which a package is not installed."""
    line = f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')\n"
    write(folder / "hidden", {f"{package}.py": line})
    return {"PYTHONPATH": f"{folder / 'hidden'}:{ROOT}"}


# -- what is judged, and by what ---------------------------------------------------------------------------------------


def test_valid_files_say_what_judged_them(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.yaml": NVUE, "leaf02.cfg": EOS})
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", "leaf02.cfg", expect=0)
    assert "valid: leaf01.yaml\n  checked by NVUE's schema of Cumulus Linux 5.14 (nvueschema 0.1.0)\n" in done.stdout
    assert "valid: leaf02.cfg\n  checked by rocecfg's grammar of EOS lines" in done.stdout
    assert "sand: Jericho (7280R, 7500R, 7800R); of no release, and no model of the vendor's\n" in done.stdout
    assert "not checked: 1 of 6 lines, which are about something else" in done.stdout
    assert done.stdout.endswith("2 files checked: 2 valid\n")
    assert done.stderr == ""


def test_a_fault_has_its_line_and_what_is_meant(tmp_path: Path) -> None:
    wrong = NVUE.replace("'26'", "'64'").replace("enable: on", "enabel: on")
    write(tmp_path, {"leaf01.yaml": wrong})
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", expect=1)
    lines = done.stdout.splitlines()
    assert "leaf01.yaml:7: qos roce enabel: no such key in this release; near: enable" in lines
    assert "leaf01.yaml:11: qos mapping default-global dscp 64: the key '64' must be 0..63" in lines
    assert lines[-1] == "1 file checked: 0 valid, 1 refused with 2 faults"


def test_commands_of_nv(tmp_path: Path) -> None:
    lines = ("sudo nv set qos roce mode lossless", "nv set qos roce mode lossles", "nv sett a b")
    write(tmp_path, {"leaf01.nv": "\n".join(("# leaf01: for Cumulus Linux 5.14", *lines, ""))})
    done = rocecfg(tmp_path, "validate", "leaf01.nv", expect=1)
    assert "leaf01.nv:3: qos roce mode: 'lossles': " in done.stdout
    assert "must be lossy|lossless|lossless-single-ipool|" in done.stdout
    assert "leaf01.nv:2:" not in done.stdout
    assert "not checked: a line that is neither nv set nor nv unset (line 4: nv sett a b)" in done.stdout


def test_junos_says_line_place_and_what_is_meant(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.conf": JUNOS})
    done = rocecfg(tmp_path, "validate", "leaf01.conf", expect=0)
    assert "valid: leaf01.conf\n  checked by Juniper's configuration models of QFX, 24.4R1\n" in done.stdout
    assert "not checked: 2 of 5 statements, which the models here do not follow" in done.stdout
    wrong = JUNOS.replace("scheduler-map M;", "scheduler-map N;").replace("percent 40", "percentage 40")
    write(tmp_path, {"leaf01.conf": wrong})
    done = rocecfg(tmp_path, "validate", "leaf01.conf", expect=1)
    lines = done.stdout.splitlines()
    assert any(line.startswith("leaf01.conf:6: ") and "percentage" in line for line in lines)
    assert "leaf01.conf:13: class-of-service interfaces et-0/0/0 scheduler-map: no scheduler map 'N'" in done.stdout
    assert lines[-1] == "1 file checked: 0 valid, 1 refused with 2 faults"
    done = rocecfg(tmp_path, "validate", "--strict", "--release", "23.4R2-EVO", "leaf01.conf", expect=1)
    assert "leaf01.conf:2: system: is not followed by the models here" in done.stdout
    assert "checked by Juniper's configuration models of QFX, 23.4R2" in done.stdout


def test_what_a_later_junos_may_have_is_not_judged(tmp_path: Path) -> None:
    lines = "set version {}\nset class-of-service {} x\nset class-of-service schedulers S transmit-rate percent 5\n"
    for release, word, status in (
        ("26.2R1", "of-tomorrow", 0),
        ("24.4R1", "of-tomorrow", 1),  # the models are of that release
        ("26.2R1", "scheduler-mpas", 1),  # a slip is one in any
    ):
        write(tmp_path, {"leaf01.conf": lines.format(release, word)})
        done = rocecfg(tmp_path, "validate", "leaf01.conf", expect=status)
        assert word in done.stdout
        assert ("not checked: line 2: no 'of-tomorrow' below" in done.stdout) is (status == 0)
    # of no release that is said, and of the outermost level
    write(tmp_path, {"leaf01.conf": "".join(lines.format("26.2R1", "of-tomorrow").splitlines(keepends=True)[1:])})
    done = rocecfg(tmp_path, "validate", "leaf01.conf", expect=0)
    assert "of-tomorrow" in done.stdout
    assert ": a later release may have it" in done.stdout
    rocecfg(tmp_path, "validate", "--strict", "leaf01.conf", expect=1)
    write(tmp_path, {"leaf01.conf": lines.format("26.2R1", "of-tomorrow") + "set of-tomorrow x\n"})
    told = rocecfg(tmp_path, "validate", "leaf01.conf", expect=0).stdout
    assert (
        "not checked: line 4: 'of-tomorrow' is not the start of a configuration statement: 26.2R1 may have it" in told
    )


def test_a_part_of_junos_may_use_what_is_defined_elsewhere(tmp_path: Path) -> None:
    write(tmp_path, {"part.set": "set class-of-service interfaces et-0/0/0 scheduler-map M\n"})
    done = rocecfg(tmp_path, "validate", "part.set", expect=0)
    assert "assumed: defined elsewhere, as this is a part of a configuration: scheduler map M" in done.stdout
    assert "assumed: release 24.4R1, the newest with models here: --release sets another" in done.stdout


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (lambda text: text[: text.index("scheduler-maps") + 20], "'{' without '}'"),
        (
            lambda text: f"{text}set class-of-service forwarding-classes class X queue-num 3\n",
            "'set' is not the start of a configuration statement",
        ),
        (lambda text: text.replace("schedulers {", "scheduler {"), "no 'scheduler' below 'class-of-service'"),
        (lambda text: text.replace("system {", "sistem {"), "'sistem' is not the start of a configuration statement"),
    ],
    ids=["truncated", "set in braces", "hierarchy", "unknown"],
)
def test_bad_junos_is_refused_with_its_place(text: Callable[[str], str], word: str, tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.conf": text(JUNOS)})
    done = rocecfg(tmp_path, "validate", "leaf01.conf", expect=1)
    assert word in done.stdout
    assert done.stdout.startswith("leaf01.conf:")


def test_a_template_of_junos_is_not_judged(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.conf": JUNOS.replace("et-0/0/0", "{{ port }}")})
    done = rocecfg(tmp_path, "validate", "--from", "juniper", "leaf01.conf", expect=2)
    assert "line 13 has markup of a template" in done.stderr


def test_eos_of_another_system_or_chip(tmp_path: Path) -> None:
    text = EOS.replace("pause", "").replace("control on", "control mode on").replace("end", "   tx-queue 3\n")
    write(tmp_path, {"leaf01.cfg": text + "interface Ethernet2\n   uc-tx-queue 3\n"})
    done = rocecfg(tmp_path, "validate", "leaf01.cfg", expect=1)
    assert "leaf01.cfg:6: priority-flow-control mode on: a form of old EOS" in done.stdout
    assert "uc-tx-queue 3: strata alone has it, and the switch is sand" in done.stdout
    assert rocecfg(tmp_path, "validate", "leaf01.cfg", "--family", "strata").stdout.count("alone has it") == 0


def test_strict_takes_no_line_that_it_does_not_know(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.cfg": EOS})
    rocecfg(tmp_path, "validate", "leaf01.cfg", expect=0)
    done = rocecfg(tmp_path, "validate", "--strict", "leaf01.cfg", expect=1)
    assert "leaf01.cfg:9: ip ospf cost 10: no line that the grammar knows" in done.stdout


def test_the_release_comes_from_the_file_or_the_option(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.yaml": NVUE[NVUE.index("- set") :]})
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", expect=2)
    assert "leaf01.yaml:1:1: names no release of Cumulus Linux" in done.stderr
    assert "(say it: --release 5.14)" in done.stderr
    assert "0 files checked: 0 valid; not checked: 1 file that should have been" in done.stdout
    rocecfg(tmp_path, "validate", "leaf01.yaml", "--release", "5.14.2", expect=0)
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", "--release", "5.16", expect=1)
    assert "leaf01.yaml:4: qos roce enable: no such key in this release; near: state" not in done.stderr
    assert "qos roce enable: no such key" in done.stdout
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", "--release", "202405", "--release", "5.14", expect=0)
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", "--release", "new", expect=2)
    assert (
        "--release new: write one as 5.14 or 5.14.1 of Cumulus Linux, 202405 or master of SONiC, 24.4R1 of Junos"
        in done.stderr
    )
    done = rocecfg(tmp_path, "validate", "leaf01.yaml", "--release", "4.4", expect=2)
    assert "has no schema of Cumulus Linux 4.4 (it has 5.0 to 5.18" in done.stderr


def test_what_a_later_nvue_may_have_is_not_judged(tmp_path: Path) -> None:
    lines = "# leaf01: for Cumulus Linux {}\nnv set qos {}\n"
    for release, setting, status in (
        ("5.19", "roce of-tomorrow on", 0),
        ("6.0.1", "roce mode tomorrows", 0),
        ("5.18", "roce of-tomorrow on", 1),  # the schema is of that release
        ("5.18", "roce mode tomorrows", 1),
    ):
        write(tmp_path, {"leaf01.nv": lines.format(release, setting)})
        done = rocecfg(tmp_path, "validate", "leaf01.nv", expect=status)
        assert "tomorrow" in done.stdout
        assert ("not checked: line 2: qos roce" in done.stdout) is (status == 0)


def test_json_is_as_described(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": NVUE.replace("'26'", "'64'"), "b.yaml": "- set: {qos: {}}\n"})
    done = rocecfg(tmp_path, "validate", "--format", "json", "a.yaml", "b.yaml", expect=2)
    found = json.loads(done.stdout)
    jsonschema.validate(found, json_schema())
    (one,) = found["files"]
    assert (one["path"], one["valid"], one["release"]) == ("a.yaml", False, "5.14.0")
    assert one["faults"] == [
        {"line": 11, "where": "qos mapping default-global dscp 64", "message": "the key '64' must be 0..63"}
    ]
    assert [(each["path"], each["help"]) for each in found["errors"]] == [("b.yaml", "say it: --release 5.14")]
    assert found["summary"]["refused"] == found["summary"]["errors"] == 1


def test_a_folder_says_what_it_passed_over(tmp_path: Path) -> None:
    write(
        tmp_path, {"out/leaf01.yaml": NVUE, "out/notes.txt": "to do\n", "out/old/x.yaml": NVUE, ".gitignore": "old\n"}
    )
    (tmp_path / ".git").mkdir()
    done = rocecfg(tmp_path, "validate", "out", expect=0)
    passed = "1 file of folders that are not a configuration, 1 file or folders that .gitignore or `exclude`"
    assert f"1 file checked: 1 valid; not checked: {passed} of the settings name\n" in done.stdout


def test_a_rendered_folder_is_valid(tmp_path: Path) -> None:
    rocecfg(tmp_path, "render", EXAMPLE, "--vendor", "arista", "-o", "out", expect=0)
    rocecfg(tmp_path, "render", EXAMPLE, "--vendor", "spectrum", "-o", "out", expect=0)
    done = rocecfg(tmp_path, "validate", "--strict", "out", expect=0)
    assert "valid: out/leaf[01-02].yaml\n  checked by NVUE's schema of Cumulus Linux 5.14" in done.stdout
    assert "4 files checked: 4 valid; not checked: 1 file of folders that are not a configuration\n" in done.stdout


def test_standard_input(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "validate", "-", stdin=NVUE.replace("3", "9"), expect=1)
    assert "/dev/stdin:12: qos mapping default-global dscp 26 switch-priority: 9: " in done.stdout


# -- bad input ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (POLICY, "1:1", "is an intent, but models are for configurations (rocecfg render INTENT --validate"),
        ("hello\n", "1:1", "is not a switch configuration that is known"),
        (NVUE + "    qos: {}\n", "13:5", "the key 'qos' appears twice here"),
        (NVUE + "   x: [\n", "13:4", "not YAML: "),
        ('{"PORT": {"Ethernet0": {}}', "1:27", "not JSON: the text ends too soon"),
        ("# Cumulus Linux 5.14\nnv set interface swp1 description 'a\n", "2:1", "a quote that is never closed"),
    ],
)
def test_what_cannot_be_judged_has_its_place_and_ends_with_2(
    text: str, place: str, message: str, tmp_path: Path
) -> None:
    write(tmp_path, {"file": text, "leaf01.cfg": EOS})
    done = rocecfg(tmp_path, "validate", "file", "leaf01.cfg", expect=2)
    assert f"file:{place}: {message}" in done.stderr
    assert "valid: leaf01.cfg" in done.stdout  # one does not hide the others


def test_a_missing_package_is_named_once(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write(tmp_path, {"leaf01.yaml": NVUE, "leaf02.yaml": NVUE, "spine.cfg": EOS})
    done = rocecfg(tmp_path, "validate", ".", expect=2, **without(tmp_path_factory.mktemp("none"), "nvueschema"))
    message = "leaf[01-02].yaml: not checked: NVUE's schema is not here: there is no nvueschema"
    assert f"rocecfg: {message} (pip install 'rocecfg[validate]')\n" in done.stderr
    assert "valid: spine.cfg" in done.stdout


def test_sonic_without_models_says_what_to_name(tmp_path: Path) -> None:
    write(tmp_path, {"leaf01.json": '{"PORT": {"Ethernet0": {"speed": "400000"}}}'})
    done = rocecfg(tmp_path, "validate", "leaf01.json", expect=2)
    assert (
        "SONiC's YANG models are not part of rocecfg (name a folder of them with --yang DIR, or in rocecfg.toml:"
        in (done.stderr)
    )
    done = rocecfg(tmp_path, "validate", "--yang", "nowhere", "leaf01.json", expect=2)
    assert "nowhere: there is no such folder of YANG models" in done.stderr
    write(tmp_path, {"empty/README": ""})
    done = rocecfg(tmp_path, "validate", "--yang", "empty", "leaf01.json", expect=2)
    assert "empty: there are no .yang files here" in done.stderr


def test_a_setting_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"rocecfg.toml": '[validate]\nyang = "/usr/share"\n', "leaf01.json": '{"PORT": {"Ethernet0": {}}}'})
    done = rocecfg(tmp_path, "validate", "leaf01.json", expect=2)
    assert "rocecfg.toml:2:1: /usr/share is not below the folder of the settings" in done.stderr
    write(tmp_path, {"rocecfg.toml": '[validate]\nyangs = "x"\n'})
    assert (
        "unknown setting 'yangs' (did you mean yang?)" in rocecfg(tmp_path, "validate", "leaf01.json", expect=2).stderr
    )


# -- render --validate -------------------------------------------------------------------------------------------------


def test_what_is_rendered_is_judged_first(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "render", EXAMPLE, "--vendor", "spectrum", "-o", "out", "--validate", expect=0)
    assert (
        "valid: leaf[01-02].yaml\n  checked by NVUE's schema of Cumulus Linux 5.14 (nvueschema 0.1.0)\n" in done.stderr
    )
    assert (tmp_path / "out" / "leaf01.yaml").exists()


def test_junos_is_judged_before_it_is_written(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": INTENTS["leaf"]})
    done = rocecfg(tmp_path, "render", "fabric.yaml", "-o", "out", "--validate", expect=0)
    assert "valid: leaf01.conf\n  checked by Juniper's configuration models of QFX, 23.4R2\n" in done.stderr
    own = (ROOT / "templates" / "junos" / "junos.j2").read_text(encoding="utf-8")
    write(tmp_path, {"own/junos/junos.j2": own.replace("class-of-service {", "class-of-services {")})
    arguments = ("render", "fabric.yaml", "-o", "new", "--templates", "own", "--validate")
    done = rocecfg(tmp_path, *arguments, expect=1)
    assert (
        "'class-of-services' is not the start of a configuration statement (meant 'class-of-service'?)" in done.stderr
    )
    assert not (tmp_path / "new").exists()


def test_nothing_is_written_of_what_a_model_refuses(tmp_path: Path) -> None:
    """A team's own template that prints what NVUE has not: one device is refused, and none is written."""
    own = (ROOT / "templates" / "spectrum" / "nvue.yaml.j2").read_text(encoding="utf-8")
    write(tmp_path, {"own/spectrum/nvue.yaml.j2": own.replace("switch-priority:", "switch-prio:")})
    arguments = ("render", EXAMPLE, "--vendor", "spectrum", "-o", "out", "--templates", "own")
    done = rocecfg(tmp_path, *arguments, "--validate", expect=1)
    assert "no such key in this release; near: switch-priority" in done.stderr
    assert "and in 1 file more" in done.stderr
    assert "nothing rendered: a switch would refuse it" in done.stderr
    assert not (tmp_path / "out").exists()
    done = rocecfg(tmp_path, *arguments[:-4], "--device", "leaf01", "--templates", "own", "--validate", expect=1)
    assert done.stdout == ""
    rocecfg(tmp_path, *arguments, expect=0)


def test_nothing_is_written_of_what_cannot_be_judged(tmp_path: Path) -> None:
    done = rocecfg(tmp_path, "render", EXAMPLE, "-o", "out", "--validate", expect=2)
    assert "leaf[03-04].json: not checked: SONiC's YANG models are not part of rocecfg" in done.stderr
    assert "nothing rendered: not all of it could be validated" in done.stderr
    assert not (tmp_path / "out").exists()
    write(tmp_path, {"fabric.yaml": POLICY})
    hidden = without(tmp_path, "nvueschema")
    done = rocecfg(tmp_path, "render", "fabric.yaml", "--vendor", "spectrum", "--validate", expect=2, **hidden)
    assert "pip install 'rocecfg[validate]'" in done.stderr
    assert done.stdout == ""


def test_validate_is_for_switches(tmp_path: Path) -> None:
    assert "--validate is for switches" in rocecfg(
        tmp_path, "render", EXAMPLE, "--vendor", "host", "--validate", expect=2
    ).stderr  # fmt: skip
    assert "--yang is for --validate" in rocecfg(tmp_path, "render", EXAMPLE, "--yang", "x", expect=2).stderr


# -- SONiC -------------------------------------------------------------------------------------------------------------


def test_sonic_by_the_models_of_its_release(sonic_yang: SonicYang, tmp_path: Path) -> None:
    models = sonic_yang.models
    done = rocecfg(tmp_path, "render", EXAMPLE, "-o", "out", "--validate", "--yang", models, expect=0)
    assert f"checked by SONiC's YANG models in {models}/202505 (202505)\n" in done.stderr
    assert "assumed: rows of PORT: Ethernet[" in done.stderr
    done = rocecfg(tmp_path, "validate", "out", "--yang", models, expect=2)
    assert "and the SONiC release is unknown (give it: --release 202405, " in done.stderr
    done = rocecfg(tmp_path, "validate", "out/leaf03.json", "out/leaf04.json", "--yang", models / "202405", expect=1)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("out/leaf03.json:320: PORT_QOS_MAP|Ethernet96|pfc_enable: Unsatisfied pattern")
    assert lines[0].endswith(", ..., and in 1 file more]")
    assert len([line for line in lines if ": PORT_QOS_MAP|" in line]) == 2  # faults alike are told once
    assert "refused: out/leaf[03-04].json" in lines
    assert lines[-1] == "2 files checked: 0 valid, 2 refused with 64 faults"


def test_sonic_says_which_tables_no_model_has(sonic_yang: SonicYang, tmp_path: Path) -> None:
    tables = {
        "TC_TO_QUEUE_MAP": {"AZURE": {"0": "0"}},
        "OURS": {"a": {}},
        "VERSIONS": {"DATABASE": {"VERSION": "version_202405_01"}},
    }
    write(tmp_path, {"a.json": json.dumps(tables)})
    done = rocecfg(tmp_path, "validate", "a.json", "--yang", sonic_yang.models, expect=0)
    assert "(202405)" in done.stdout
    assert "not checked: OURS, of which there is no model" in done.stdout
    done = rocecfg(tmp_path, "validate", "--strict", "a.json", "--yang", sonic_yang.models, expect=1)
    assert "a.json:1: OURS: no model has this table" in done.stdout
    write(tmp_path, {"b.json": json.dumps({**tables, "QUEUE": {"Ethernet0|9": {"scheduler": "gone"}, "x": {}}})})
    done = rocecfg(tmp_path, "validate", "b.json", "--yang", sonic_yang.models, expect=1)
    assert "not checked: references, which are checked once every row fits its table" in done.stdout
    assert "no target instance" not in done.stdout  # what it refers to may be a row that fits none
    wrong = {"SCHEDULER": {"S": {"type": "DWRR", "weight": "400"}}}
    odd_rows = {"QUEUE": {"x": {}}}, {"SCHEDULER": {"S": {**wrong["SCHEDULER"]["S"], "of_tomorrow": "3"}}}
    for odd in odd_rows:  # neither a row that fits no list nor a field that is not known hides a value
        write(tmp_path, {"c.json": json.dumps({**tables, **wrong, **odd})})
        done = rocecfg(tmp_path, "validate", "c.json", "--yang", sonic_yang.models, expect=1)
        assert "c.json:1: SCHEDULER|S|weight: Value" in done.stdout


def test_sonic_models_by_the_settings(sonic_yang: SonicYang, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": '[tool.rocecfg.validate]\nyang = "models/202405"\n'})
    write(tmp_path, {"a.json": '{"DSCP_TO_TC_MAP": {"AZURE": {"64": "0"}}}'})
    for kind in ("yang-models", "yang-templates"):
        for path in (sonic_yang.models / "202405" / kind).iterdir():
            write(tmp_path / "models" / "202405" / kind, {path.name: path.read_text(encoding="utf-8")})
    done = rocecfg(tmp_path, "validate", "a.json", expect=1)
    assert "a.json:1: DSCP_TO_TC_MAP|AZURE|" in done.stdout
    assert "models/202405 (202405)" in done.stdout


def test_a_patch_is_judged_by_what_it_makes(sonic_yang: SonicYang, tmp_path: Path) -> None:
    """The switch validates the whole target of a patch, also what was wrong before it."""
    intent = ROOT / "examples" / "auto"
    rocecfg(tmp_path, "render", intent, "--vendor", "sonic", "--device", "leaf01", "-o", "out", expect=0)
    tables = json.loads((tmp_path / "out" / "leaf01.json").read_text(encoding="utf-8"))
    ports = sorted(tables["PORT_QOS_MAP"].keys() - {"global"})
    tables["PORT"] = {port: {"lanes": str(n), "speed": "400000"} for n, port in enumerate(ports)}
    tables["DEVICE_METADATA"] = {"localhost": {"hwsku": "Mellanox-SN5600-V256", "buffer_model": "dynamic"}}
    tables["WRED_PROFILE"][next(iter(tables["WRED_PROFILE"]))]["green_max_threshold"] = "1000001"
    arguments = ("render", intent, "--vendor", "sonic", "--device", "leaf01", "--as", "patch", "--running", "run.json")
    write(tmp_path, {"run.json": json.dumps(tables)})
    done = rocecfg(tmp_path, *arguments, "--validate", "--yang", sonic_yang.models, expect=0)
    assert json.loads(done.stdout)
    assert "of run.json after the patch" in done.stderr
    tables["LOOPBACK_INTERFACE"] = {"Loopback0|10.0.0.999/32": {}}
    write(tmp_path, {"run.json": json.dumps(tables)})
    done = rocecfg(tmp_path, *arguments, "--validate", "--yang", sonic_yang.models, expect=1)
    assert "leaf01.json: LOOPBACK_INTERFACE|Loopback0|10.0.0.999/32|ip-prefix: " in done.stderr
    assert done.stdout == ""
