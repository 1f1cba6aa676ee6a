"""What is said of a release that nobody has seen is as of the newest known; no error rests on what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from agreement_cases import CASES, SWITCHES, written
from intents import POLICY, rocecfg, write
from loops import loop

from rocecfg.intent import load
from rocecfg.linting.judge import judge
from rocecfg.model.frozen import replace
from rocecfg.profiles import SHIPPED
from rocecfg.profiles.releases import newest_before
from rocecfg.profiles.settings import SETTINGS
from rocecfg.rules import nos
from rocecfg.source.document import Sources

_LATER = {"sonic": "202711", "spectrum": "6.2", "arista": "4.41.1F", "junos": "27.2R1", "nxos": "11.2(1)"}
_OF_A_KNOWN_TRAIN = {
    "sonic": "20260510.04",
    "spectrum": "5.18.4",
    "arista": "4.36.7M",
    "junos": "24.4R2-S3",
    "nxos": "10.6(2)",
}
_NONE = {"sonic": "202613", "spectrum": "5.18.1.2", "arista": "5.1F", "junos": "R1", "nxos": "10.6(x)"}


def _findings(folder: Path, vendor: str, text: str) -> list[tuple[str, str, str]]:
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    loaded = load(str(folder / "fabric.yaml"), Sources(), vendor)
    return [(f.severity, f.rule.name, f.message) for f in judge(loaded)[0]]


def _in_release(text: str, release: str) -> str:
    lines = [line for line in text.splitlines() if not line.strip().startswith("version:")]
    at = next(n for n, line in enumerate(lines) if line.startswith("  vendor:"))
    return "\n".join([*lines[: at + 1], f'  version: "{release}"', *lines[at + 1 :]]) + "\n"


@loop("vendor", SWITCHES)
def test_each_release_is_known_or_told(vendor: str, tmp_path: Path) -> None:
    newest = [r for r in SHIPPED.nos(vendor).releases if r != "master"][-1]
    sound = written(vendor, {})

    def told(release: str) -> list[tuple[str, str]]:
        found = _findings(tmp_path, vendor, _in_release(sound, release))
        return [
            (level, rule)
            for level, rule, text in found
            if release in text and rule not in ("nos-unsupported", "nos-erratum")
        ]

    assert told(newest) == []
    assert told(_OF_A_KNOWN_TRAIN[vendor]) == []
    assert ("info", "nos-release-unknown") in told(_LATER[vendor])
    assert [level for level, _ in told(_LATER[vendor]) if level == "error"] == []
    assert told(_NONE[vendor]) == [("error", "schema-ref")]


_EARLIER = {"sonic": "202205", "spectrum": "4.4.5", "arista": "4.21.1F", "junos": "22.4R3", "nxos": "9.2(4)"}


@loop("vendor", SWITCHES)
def test_a_release_before_all_that_sources_were_read_of_is_told(vendor: str, tmp_path: Path) -> None:
    oldest = SHIPPED.nos(vendor).known_since
    for release, told in ((_EARLIER[vendor], True), (oldest, False)):
        found = _findings(tmp_path, vendor, _in_release(written(vendor, {}), str(release)))
        said = [(level, text) for level, rule, text in found if rule == "nos-release-unknown"]
        assert bool(said) is told, said
        assert all(level == "info" and f"earlier than {oldest}, " in text for level, text in said), said


def test_a_branch_that_sonic_does_not_have_is_told(tmp_path: Path) -> None:
    for release, known in (("202404", False), ("202405", True), ("20240510.02", True), ("master", True)):
        found = _findings(tmp_path, "sonic", _in_release(written("sonic", {}), release))
        assert any(rule == "nos-release-unknown" for _, rule, _ in found) is not known, release


@loop("case", CASES)
def test_what_a_later_release_cannot_is_never_an_error(case: str, tmp_path: Path) -> None:
    vendor, stated, _ = CASES[case]
    text = _in_release(written(vendor, stated), _LATER[vendor])
    for level, rule, message in _findings(tmp_path, vendor, text):
        if rule in ("nos-unsupported", "schema-nos-range"):
            assert level != "error", message
            assert f" as of {newest_before(SHIPPED.nos(vendor).releases, vendor, _LATER[vendor])}, " in message
        if rule == "nos-unsupported" and "is not known to express" in message and level == "warning":
            assert any(f" {lack.source}; " in message for lack in SHIPPED.nos(vendor).lacks), message


def test_that_no_folder_of_a_repository_has_a_box_is_a_warning_that_names_it(tmp_path: Path) -> None:
    for vendor, version, level in (("sonic", "202505", "warning"), ("arista", "4.33.2F", "error")):
        switch = f"vendor: {vendor}, version: '{version}', platform: juniper-qfx5230-64cd"
        text = f"{POLICY}devices:\n  leaf01: {{{switch}, ports: {{Ethernet0: {{speed: 400G}}}}}}\n"
        found = [(level, text) for level, rule, text in _findings(tmp_path, vendor, text) if rule == "schema-asic-nos"]
        assert [each for each, _ in found] == [level], found
        assert ("sonic-net/sonic-buildimage of 2026-" in found[0][1]) is (vendor == "sonic")


@loop("case", CASES)
def test_no_error_rests_on_a_fact_that_is_not_verified(case: str, tmp_path: Path) -> None:
    vendor, stated, _ = CASES[case]
    nos = SHIPPED.nos(vendor)
    unsure = [lack.message for lack in nos.lacks if lack.mark != "V"]
    unsure += [f"({limit.source}" for limit in nos.limits if limit.mark != "V"]
    for level, rule, message in _findings(tmp_path, vendor, written(vendor, stated)):
        if rule in ("nos-unsupported", "schema-nos-range") and any(each in message for each in unsure):
            verified = [f.message for f in nos.lacks if f.mark == "V"] + [
                f"({f.source})" for f in nos.limits if f.mark == "V"
            ]
            assert level != "error" or any(each in message for each in verified), message


def test_a_running_switch_of_a_later_release_is_told(tmp_path: Path) -> None:
    rows = '{"DEVICE_METADATA": {"localhost": {"hwsku": "ACS-MSN4700"}}, "PORT": {"Ethernet0": {"lanes": "0"}},\n'
    rows += '"VERSIONS": {"DATABASE": {"VERSION": "version_202711_01"}}}'
    (tmp_path / "a.json").write_text(rows, encoding="utf-8")
    assert "202711" in rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "a.json").stdout


@loop("stated", ["", ', version: "202505"'])
def test_what_the_tables_of_an_assumed_release_lack_is_no_error(stated: str, tmp_path: Path) -> None:
    """Another release may run, with tables of its own; nothing is rendered all the same."""
    for platform, ports in (("arista-7060x6-64pe", "Ethernet[0-8/8]"), ("accton-as7712-32x", "Ethernet[0-4/4]")):
        speed = "10G" if platform.startswith("arista") else "100G"  # no row of the table; a box without any
        box = f"{{vendor: sonic, platform: {platform}, speed: {speed}, cable: 5m{stated}}}"
        text = f'{POLICY}defaults: {box}\ndevices: {{leaf01: {{ports: {{"{ports}": {{}}}}}}}}\n'
        write(tmp_path, {"fabric.yaml": text})
        done = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "fabric.yaml", expect=int(bool(stated)))
        (told,) = (line for line in done.stdout.splitlines() if "schema-asic-nos" in line)
        assert (" error " in told, "(assumed)" in told) == (bool(stated), not stated), told
        rocecfg(tmp_path, "render", "--no-lint", "fabric.yaml", "-o", "out", expect=2)


@loop(
    ("vendor", "box", "port", "rule"),
    [
        ("spectrum", "platform: dell-z9864f", "swp1", "schema-asic-nos"),
        ("spectrum", "platform: nvidia-sn5600, speed: 300G", "swp1", "schema-port-speed"),
        ("sonic", "platform: arista-7060x6-64pe, speed: 10G, cable: 5m", "Ethernet0", "schema-asic-nos"),
        ("sonic", "platform: accton-as7712-32x, speed: 100G, cable: 5m", "Ethernet0", "schema-asic-nos"),
        ("arista", "asic: spectrum4", "Ethernet1/1", "schema-asic-nos"),
    ],
)
def test_what_no_known_release_has_is_an_error_up_to_the_newest_and_none_beyond(
    vendor: str, box: str, port: str, rule: str, tmp_path: Path
) -> None:
    nos = SHIPPED.nos(vendor)
    newest = [r for r in nos.releases if r != "master"][-1]
    for release, wanted in ((newest, "error"), (_LATER[vendor], "warning")):
        device = f"{{vendor: {vendor}, {box}, version: '{release}'}}"
        text = f'{POLICY}defaults: {device}\ndevices: {{leaf01: {{ports: {{"{port}": {{}}}}}}}}\n'
        found = [(level, text) for level, name, text in _findings(tmp_path, vendor, text) if name == rule]
        assert {level for level, _ in found} == {wanted}, found
        assert all((f"as of {newest}" in text) == (wanted == "warning") for _, text in found), found


@loop("vendor", SWITCHES)
def test_what_is_rendered_names_the_facts_that_it_rests_on(vendor: str, tmp_path: Path) -> None:
    nos = SHIPPED.nos(vendor)
    newest = [r for r in nos.releases if r != "master"][-1]
    for release in (newest, _LATER[vendor]):
        write(tmp_path, {"fabric.yaml": _in_release(written(vendor, {}), release)})
        done = rocecfg(tmp_path, "render", "--no-lint", "fabric.yaml")
        (told,) = {line.strip("#!* ") for line in (done.stdout + done.stderr).splitlines() if "Facts: " in line}
        assert f"Facts: {nos.title} up to {newest}, as of {nos.as_of}" in told
        assert (f"; {release} is later" in told) == (release != newest)


def test_what_is_rendered_names_the_tables_that_it_rests_on(tmp_path: Path) -> None:
    box = "platform: arista-7060x6-64pe, hwsku: Arista-7060X6-64PE-B-P32O64, version: '202505', speed: 800G, cable: 5m"
    text = f"{POLICY}defaults: {{vendor: sonic, {box}}}\ndevices: {{leaf01: {{ports: {{Ethernet0: {{}}}}}}}}\n"
    write(tmp_path, {"fabric.yaml": text})
    done = rocecfg(tmp_path, "render", "--no-lint", "fabric.yaml")
    told = done.stdout + done.stderr
    assert f"tables of HwSKU Arista-7060X6-64PE-B-P32O64 of 202505 ({SHIPPED.nos('sonic').commits['202505']})" in told


@loop("vendor", SWITCHES)
def test_every_fact_that_is_not_verified_is_a_warning_that_names_whose_silence_it_is(
    vendor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of a system's, whether or not an intent among these tests brings them up."""
    (tmp_path / "fabric.yaml").write_text(written(vendor, {}), encoding="utf-8")
    fabric = load(str(tmp_path / "fabric.yaml"), Sources(), vendor).fabric
    assert fabric is not None
    (device,) = fabric.devices
    unsure = [lack for lack in SHIPPED.nos(vendor).lacks if lack.mark != "V"]
    assert unsure
    monkeypatch.setattr(nos, "_filter_by_hardware", lambda _, lacks: lacks)
    monkeypatch.setattr(nos, "is_reported_elsewhere", lambda *_: False)
    monkeypatch.setattr(nos, "read_differences", lambda _: ())
    for lack in unsure:
        low = max((limit.low for limit in SHIPPED.nos(vendor).limits if limit.what == lack.what), default=0)
        between = max(low, lack.step) + lack.step / 2 if lack.step else 3.0  # two multiples of its step
        value = lack.values[0] if lack.values else "" if lack.step is None else between
        device_of = replace(device, version=lack.until or lack.since or device.version)
        reading = (lack.what, value, device_of, "", None)
        monkeypatch.setattr(nos, "read_settings", lambda *_, reading=reading: (reading,))
        hits = [hit for hit in nos.find_inexpressible(fabric, device_of) if lack.message in hit.message]
        assert hits, lack
        for hit in hits:
            assert hit.severity != "error", lack
            assert "is not known to express" in hit.message
            assert lack.severity != "error" or SETTINGS[lack.what].missing or lack.source in hit.message, lack


@loop("case", CASES)
def test_what_is_said_of_a_release_before_all_that_are_known_names_the_oldest(case: str, tmp_path: Path) -> None:
    vendor, stated, _ = CASES[case]
    oldest, earlier = SHIPPED.nos(vendor).known_since, _EARLIER[vendor]
    for _, rule, message in _findings(tmp_path, vendor, _in_release(written(vendor, stated), earlier)):
        if rule in ("nos-unsupported", "schema-nos-range"):
            assert f" as of {oldest}, the oldest that is known after {earlier}, " in message
