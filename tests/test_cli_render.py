"""`rocecfg render`: what is written where, and that a failure leaves everything as it was."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.vendors import VENDORS

LEAVES = ["leaf01.json", "leaf02.json"]
FILES = [*LEAVES, "spine01.cfg", "spine02.cfg"]
HOW_LEAVES = ["APPLY-leaf.md", "APPLY-leaf.sh"]
HOW = [*HOW_LEAVES, "APPLY-spine.md"]
NOT_ROOT = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


def listed(folder: Path) -> list[str]:
    """Every file of a folder, hidden and partial ones too."""
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


@pytest.fixture
def fabric(tmp_path: Path) -> Path:
    write(tmp_path, {"fabric.yaml": FABRIC})
    return tmp_path


# -- what is rendered --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("vendor", "files"),
    [("sonic", [*HOW_LEAVES, *LEAVES]), ("arista", [HOW[-1], *FILES[2:]]), ("all", [*HOW, *FILES])],
)
def test_a_file_for_each_device_of_the_vendor(vendor: str, files: list[str], fabric: Path) -> None:
    done = rocecfg(fabric, "render", "--vendor", vendor, "-o", "out", expect=0)
    assert listed(fabric / "out") == files
    assert f"{len(files)} of {len(files)} files written to out" in done.stderr
    assert done.stdout == ""


def test_without_vendor_each_device_is_rendered_for_its_own(fabric: Path) -> None:
    rocecfg(fabric, "render", "-o", "out", expect=0)
    assert listed(fabric / "out") == [*HOW, *FILES]
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--check", expect=0)
    assert rocecfg(fabric, "render", "--device", "spine01", expect=0).stdout == (fabric / "out/spine01.cfg").read_text()


def test_without_vendor_a_policy_that_names_one_is_rendered_for_it(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": f"{POLICY}defaults: {{vendor: spectrum}}\n"})
    assert rocecfg(tmp_path, "render", expect=0).stdout.startswith("# ")


def test_policy_for_eos_says_which_words_it_lacks_and_they_do(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    refused = rocecfg(tmp_path, "render", "--vendor", "arista", expect=2).stderr
    chips = re.findall(r"(\w+) \((strata|sand)\)", refused)
    assert len(chips) == 2
    for chip, family in chips:
        write(tmp_path, {"fabric.yaml": f"{POLICY}defaults: {{asic: {chip}}}\n"})
        assert f"chip family {family}" in rocecfg(tmp_path, "render", "--vendor", "arista", expect=0).stdout


def test_device_that_names_no_vendor_is_named_where_others_do(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": f"{POLICY}devices: {{a1: {{vendor: spectrum}}, b1: {{}}}}\n"})
    done = rocecfg(tmp_path, "render", "-o", "out", expect=2)
    assert "b1 names no vendor (give --vendor sonic|" in done.stderr
    rocecfg(tmp_path, "render", "-o", "out", "--vendor", "arista", "--check", "--no-lint", expect=2)


def test_no_device_of_the_vendor_is_an_error(fabric: Path) -> None:
    done = rocecfg(fabric, "render", "--vendor", "spectrum", "-o", "out", expect=2)
    assert done.stderr == "rocecfg: no device of spectrum in .\n"
    assert not (fabric / "out").exists()


def test_one_device_goes_to_standard_output_as_to_its_file(fabric: Path) -> None:
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    for name in ("leaf01.json", "spine02.cfg"):
        done = rocecfg(fabric, "render", "--vendor", "all", "--device", name.split(".")[0], expect=0)
        assert done.stdout == (fabric / "out" / name).read_text()
    json.loads((fabric / "out" / "leaf01.json").read_text())


def test_several_devices_need_a_folder(fabric: Path) -> None:
    done = rocecfg(fabric, "render", "--vendor", "sonic", expect=2)
    assert done.stderr == "rocecfg: 2 devices (leaf[01-02]): give -o DIR to write a file for each, or --device NAME\n"
    assert done.stdout == ""


def test_a_policy_renders_for_every_device(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "render", "--vendor", "sonic", expect=0)
    assert "DSCP_TO_TC_MAP" in json.loads(done.stdout)
    rocecfg(tmp_path, "render", "--vendor", "sonic", "-o", "out", expect=0)
    assert listed(tmp_path / "out") == ["APPLY-lab-sonic.md", "APPLY-lab-sonic.sh", "lab-sonic.json"]
    for arguments in ([], ["--vendor", "all"]):
        refused = rocecfg(tmp_path, "render", *arguments, expect=2)
        assert (
            f"names no vendor (give --vendor {'|'.join(VENDORS)}, or in the intent: defaults: {{vendor: "
            in refused.stderr
        )
    family = rocecfg(tmp_path, "render", "--vendor", "arista", expect=2)
    assert "fabric.yaml" in family.stderr
    assert "platform" in family.stderr


def test_every_text_begins_with_how_to_apply_it_or_says_it_beside(fabric: Path) -> None:
    sonic = rocecfg(fabric, "render", "--vendor", "sonic", "--device", "leaf01", expect=0)
    assert sonic.stderr.startswith("# ")
    arista = rocecfg(fabric, "render", "--vendor", "arista", "--device", "spine01", expect=0)
    assert arista.stdout.startswith("! ")
    assert arista.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--vendor", "nobody"], "'nobody' is not one of"),
        (["--vendor", "sonic", "--device", "leaf99"], "no device leaf99"),
        (["--vendor", "sonic", "--device", "spine01"], "no device spine01"),
        (["--vendor", "sonic", "--check"], "--check and --diff need -o DIR"),
        (["--vendor", "sonic", "--diff"], "--check and --diff need -o DIR"),
        (["--vendor", "sonic", "--as", "cli", "-o", "out"], "--as takes config_db, patch"),
        (["--vendor", "sonic", "--as", "patch", "-o", "out"], "--running FILE"),
        (
            ["--vendor", "sonic", "--as", "patch", "--running", "gone.json", "-o", "out"],
            "gone.json:1:1: cannot be read",
        ),
        (["--vendor", "sonic", "--templates", "gone", "-o", "out"], "--templates gone: there is no such folder"),
        (["gone.yaml", "--vendor", "sonic"], "gone.yaml:1:1: cannot be read"),
        (["empty", "--vendor", "sonic"], "empty:1:1: no intent here or below"),
        (["stray.yaml", "--vendor", "sonic"], "stray.yaml belongs to no intent"),
        (["broken.yaml", "--vendor", "sonic"], "broken.yaml:1:11: not YAML"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(arguments: list[str], word: str, tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/fabric.yaml": FABRIC,
            "a/empty/x": "",
            "a/stray.yaml": "x: 1\n",
            "a/broken.yaml": "rocecfg: [",
            "a/.git/x": "",
        },
    )
    (tmp_path / "a" / "broken.yaml").rename(tmp_path / "broken.yaml")
    cwd = tmp_path if "broken.yaml" in arguments else tmp_path / "a"
    done = rocecfg(cwd, "render", *arguments, expect=2)
    assert word in done.stderr
    assert done.stdout == ""
    assert not (cwd / "out").exists()


# -- lint first --------------------------------------------------------------------------------------------------------


def test_errors_are_refused_with_the_finding_and_no_file_is_touched(fabric: Path) -> None:
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    before = {name: (fabric / "out" / name).read_bytes() for name in [*HOW, *FILES]}
    write(
        fabric, {"fabric.yaml": FABRIC.replace("bandwidth: 60", "bandwidth: 50").replace("priority: 6", "priority: 5")}
    )
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=1)
    assert "ets-sum" in done.stderr
    assert "nothing rendered" in done.stderr
    assert {name: (fabric / "out" / name).read_bytes() for name in listed(fabric / "out")} == before
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--no-lint", expect=0)
    assert {name: (fabric / "out" / name).read_bytes() for name in [*HOW, *FILES]} != before


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("kmin: 700KB", "kmin: 700"),
        ("priority: 3", "priority: 9"),
        ("lossless: true", "losless: true"),
        ("detection_time: 200ms", "detection_time: 200"),
        ("headroom: auto", "headroom: {size: 5}"),
        ("  leaf[01-02]:", "  leaf[02-01]:"),
        ('sonic: "202511"', 'sonic: "20 2505"'),
    ],
)
def test_what_cannot_be_read_is_not_rendered_even_without_lint(there: str, instead: str, fabric: Path) -> None:
    write(fabric, {"fabric.yaml": FABRIC.replace(there, instead, 1)})
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--no-lint", expect=1)
    assert "error[SCH" in done.stderr
    assert "what cannot be read cannot be rendered" in done.stderr
    assert not (fabric / "out").exists()


def test_errors_of_devices_that_are_not_meant_do_not_matter(fabric: Path) -> None:
    spine = FABRIC.replace("kmin: 1MB, kmax: 2400KB", "kmin: 3MB, kmax: 2400KB")
    write(fabric, {"fabric.yaml": spine})
    assert "ecn-order" in rocecfg(fabric, "render", "--vendor", "arista", "-o", "out", expect=1).stderr
    rocecfg(fabric, "render", "--vendor", "sonic", "-o", "out", expect=0)
    rocecfg(fabric, "render", "--vendor", "all", "--device", "leaf01", expect=0)


def test_a_waived_error_does_not_stop_rendering(fabric: Path) -> None:
    text = FABRIC.replace("bandwidth: 60", "bandwidth: 50")
    write(fabric, {"fabric.yaml": text})
    report = rocecfg(fabric, "lint", "--format", "json", "--ignore", "hygiene-absent,nos-erratum", expect=1).stdout
    (found,) = json.loads(report)["findings"]
    lines = text.splitlines()
    lines[found["line"] - 1] += "  # rocecfg: ignore[ets-sum] -- shares change next week"
    write(fabric, {"fabric.yaml": "\n".join(lines) + "\n"})
    rocecfg(fabric, "render", "--vendor", "sonic", "-o", "out", expect=0)


# -- writing -----------------------------------------------------------------------------------------------------------


def test_rendering_again_writes_nothing(fabric: Path) -> None:
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    before = {name: (fabric / "out" / name).stat().st_mtime_ns for name in [*HOW, *FILES]}
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    assert "0 of 7 files written to out" in done.stderr
    assert {name: (fabric / "out" / name).stat().st_mtime_ns for name in [*HOW, *FILES]} == before


def test_check_and_diff_tell_and_write_nothing(fabric: Path) -> None:
    out = fabric / "out"
    assert rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--check", expect=1).stdout.splitlines() == [
        f"out/{name}: missing" for name in [*FILES, *HOW]
    ]
    assert not out.exists()
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    assert rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--check", expect=0).stdout == ""
    assert rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--diff", expect=0).stdout == ""
    (out / "spine01.cfg").write_text((out / "spine01.cfg").read_text() + "extra\n")
    (out / "leaf01.json").unlink()
    (out / "spine02.cfg").write_bytes(b"\xff\xfe")
    before = {name: (out / name).read_bytes() for name in listed(out)}
    check = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", "--check", expect=1)
    assert check.stdout.splitlines() == [
        "out/leaf01.json: missing",
        "out/spine01.cfg: not what the intent says",
        "out/spine02.cfg: not what the intent says",
    ]
    diff = rocecfg(
        fabric, "render", "--vendor", "arista", "--device", "spine01", "-o", "out", "--diff", expect=1
    ).stdout
    assert diff.startswith("--- out/spine01.cfg\n+++ out/spine01.cfg (rendered)\n")
    assert "\n-extra\n" in diff
    assert {name: (out / name).read_bytes() for name in listed(out)} == before


def test_a_name_that_is_taken_by_a_folder_stops_before_the_first_file(fabric: Path) -> None:
    write(fabric, {"out/spine02.cfg/x": ""})
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=2)
    assert done.stderr == "rocecfg: out/spine02.cfg cannot be written: Is a directory\n"
    assert listed(fabric / "out") == ["spine02.cfg/x"]


def test_a_folder_that_is_a_file_is_an_error(fabric: Path) -> None:
    write(fabric, {"out": "mine"})
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=2)
    assert done.stderr.startswith("rocecfg: out cannot be written")
    assert (fabric / "out").read_text() == "mine"


@NOT_ROOT
def test_a_folder_that_may_not_be_written_is_an_error(fabric: Path) -> None:
    (fabric / "out").mkdir(mode=0o500)
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=2)
    assert done.stderr == "rocecfg: out/leaf01.json cannot be written: Permission denied\n"
    assert listed(fabric / "out") == []


def test_a_folder_below_proc_is_an_error(fabric: Path) -> None:
    """What even root may not write."""
    done = rocecfg(fabric, "render", "--vendor", "all", "-o", "/proc/rocecfg", expect=2)
    assert done.stderr.startswith("rocecfg: /proc/rocecfg cannot be written: ")


def test_a_failure_between_files_leaves_each_whole(fabric: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rocecfg.cli import files

    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    before = (fabric / "out" / "leaf01.json").read_text()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        files.write_atomically(str(fabric / "out" / "leaf01.json"), "new")
    assert (fabric / "out" / "leaf01.json").read_text() == before
    assert listed(fabric / "out") == [*HOW, *FILES]


def test_a_link_within_the_folder_is_followed_and_stays(fabric: Path) -> None:
    write(fabric, {"out/kept/leaf01.json": "old"})
    (fabric / "out" / "leaf01.json").symlink_to("kept/leaf01.json")
    rocecfg(fabric, "render", "--vendor", "sonic", "-o", "out", expect=0)
    assert (fabric / "out" / "leaf01.json").is_symlink()
    assert "DSCP_TO_TC_MAP" in (fabric / "out" / "kept" / "leaf01.json").read_text()


def test_devices_of_one_name_in_two_fabrics_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a/fabric.yaml": FABRIC, "b/fabric.yaml": FABRIC})
    done = rocecfg(tmp_path, "render", "--vendor", "all", "-o", "out", expect=2)
    assert "render each fabric by itself" in done.stderr
    assert not (tmp_path / "out").exists()


def test_rendering_from_any_file_of_the_fabric_renders_the_fabric(tmp_path: Path) -> None:
    head, _, rest = FABRIC.partition("links:")
    write(tmp_path, {"fabric.yaml": f"include: [links.yaml]\n{head}", "links.yaml": f"links:{rest}", ".git/x": ""})
    rocecfg(tmp_path, "render", "links.yaml", "--vendor", "all", "-o", "out", expect=0)
    assert listed(tmp_path / "out") == [*HOW, *FILES]


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["../../etc/x", "/etc/x", "..", ".hidden", "a/b", "a\\nb", 'a"b', "a b", "", "-rf", "a\\0b"]
)
def test_no_device_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    quoted = '"' + name.replace('"', '\\"') + '"'
    write(tmp_path, {"in/fabric.yaml": POLICY + f"defaults: {{vendor: sonic}}\ndevices:\n  {quoted}: {{}}\n"})
    for arguments in ([], ["--no-lint"]):
        done = rocecfg(tmp_path / "in", "render", "--vendor", "sonic", "-o", "out", *arguments, expect=1)
        assert "schema-" in done.stderr
        assert listed(tmp_path) == ["in/fabric.yaml"]


@pytest.mark.parametrize(
    ("there", "instead"),
    [
        ("name: train-64", 'name: "train\\n64"'),
        ("role: leaf", "role: 'a\"b'"),
        ('sonic: "202511"', 'sonic: "2025\\n05"'),
        ("carries: [storage]", 'carries: ["x\\ny"]'),
        ("  storage: {", '  "sto\\nrage": {'),
        ('"Ethernet[384]"', "'Ethernet384\"'"),
        ("description: two leaves", 'description: "two\\nleaves'),
    ],
)
def test_no_value_breaks_out_of_a_line_or_a_string(there: str, instead: str, tmp_path: Path) -> None:
    text = FABRIC.replace(there, instead, 1)
    if instead.startswith("description"):
        text = text.replace("2 x 400G", '2 x 400G"')
    write(tmp_path, {"fabric.yaml": text})
    done = rocecfg(tmp_path, "render", "--vendor", "all", "-o", "out", expect=1)
    assert "schema-name" in done.stderr
    assert not (tmp_path / "out").exists()


def test_prose_reaches_no_configuration(tmp_path: Path) -> None:
    prose = 'two "leaves" \\\\ {{ 7 * 7 }} ! # $(id)'
    write(tmp_path, {"fabric.yaml": FABRIC.replace("description: two leaves", f"description: '{prose}'  #")})
    rocecfg(tmp_path, "render", "--vendor", "all", "-o", "out", expect=0)
    json.loads((tmp_path / "out" / "leaf01.json").read_text())
    assert "49" not in (tmp_path / "out" / "spine01.cfg").read_text().splitlines()[0]


# -- templates ---------------------------------------------------------------------------------------------------------


def test_a_template_beside_the_intent_wins_and_is_shown(fabric: Path) -> None:
    write(fabric, {"rocecfg-templates/sonic/config_db.json.j2": '{"mine": true}\n'})
    rocecfg(fabric, "render", "--vendor", "all", "-o", "out", expect=0)
    assert json.loads((fabric / "out" / "leaf01.json").read_text()) == {"mine": True}
    assert "traffic-class" in (fabric / "out" / "spine01.cfg").read_text()
    shown = rocecfg(fabric, "show", expect=0).stdout
    assert "rocecfg-templates/sonic/config_db.json.j2" in shown
    write(fabric, {"own/sonic/config_db.json.j2": '{"own": true}\n'})
    rocecfg(fabric, "render", "--vendor", "sonic", "-o", "out", "--templates", "own", expect=0)
    assert json.loads((fabric / "out" / "leaf01.json").read_text()) == {"own": True}


@pytest.mark.parametrize(
    ("template", "word"),
    [
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ cycler.__init__.__globals__.os.system('touch pwned') }}", "unsafe"),
        ("{{ self.__init__.__globals__ }}", "unsafe"),
        ("{{ ().__class__.__bases__[0].__subclasses__() }}", "unsafe"),
        ("{{ lipsum.__globals__['os'].popen('touch pwned') }}", "unsafe"),
        ("{{ joiner.__init__.__globals__ }}", "unsafe"),
        ("{{ 'a'.format.__globals__ }}", "unsafe"),
        ("{{ '{0.__class__}'.format(1) }}", "unsafe"),
        ("{{ maps.append(1) }}", "template"),
        ("{{ nothing_of_that_name }}", "undefined"),
        ("{% if %}", "Expected an expression"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ 1 + 'a' }}", "unsupported operand"),
        ("{% include '../../../../etc/passwd' %}", "/etc/passwd"),
        ("{% include '/etc/passwd' %}", "/etc/passwd"),
        ("{% include 'gone.j2' %}", "gone.j2"),
        ("{% import 'os' as os %}", "os"),
        ("{{ range(999999999) | list }}", "Range too big"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion"),
        (b"\xff", "utf-8"),
    ],
)
def test_a_template_that_reaches_out_or_breaks_is_an_error_of_one_line(
    template: str | bytes, word: str, fabric: Path
) -> None:
    write(fabric, {"rocecfg-templates/sonic/config_db.json.j2": template, "out/leaf01.json": "old"})
    done = rocecfg(fabric, "render", "--vendor", "sonic", "-o", "out", expect=2)
    assert word in done.stderr
    assert done.stderr.startswith("rocecfg: the template ")
    assert "rocecfg-templates" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert listed(fabric / "out") == ["leaf01.json"]
    assert not (fabric / "pwned").exists()
