"""The refresh of facts from a clone: what differs is a diff with commit and day, and what is not sure is an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import refresh

BOARD = "device/arista/x86_64-arista_7060x6_64pe_b"
SKU, MORE = "Arista-7060X6-64PE-B-O128", "Arista-7060X6-64PE-B-NEW"
TABLE = """# speed cable size xon xoff threshold xon_offset
400000 5m   18796 0 445770 0 3556
400000 40m  18796 0 445770 0 3556
400000 150m 18796 0 445770 0 3556
"""


def git(folder: Path, *words: str) -> str:
    name = ("-c", "user.name=t", "-c", "user.email=t@example.net", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", "-C", str(folder), *name, *words], check=True, capture_output=True, text=True).stdout


def commit(folder: Path, table: str) -> str:
    file = folder / BOARD / SKU / "pg_profile_lookup.ini"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(table, encoding="utf-8")
    link = folder / BOARD / MORE
    if not link.is_symlink():
        link.symlink_to(SKU)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "a table", "--date", "2026-08-20T00:00:00Z")
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-08-20T00:00:00Z")
    folder = tmp_path / "clone"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "202505")
    monkeypatch.setattr(refresh, "COMMITS", {"202505": commit(folder, TABLE)[:8]})
    return folder


def told(capsys: pytest.CaptureFixture[str], clone: Path, *wanted: str) -> tuple[int, list[str], str]:
    """The exit code, what is printed of the one HwSKU, and errors."""
    code = refresh.main(str(clone), *wanted)
    out, err = capsys.readouterr()
    parts = [part for part in out.split("\n\n") if SKU in part or MORE in part or "becomes" in part]
    return code, "\n".join(parts).splitlines(), err


def test_what_a_profile_says_already_is_no_difference(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, lines, _ = told(capsys, clone)
    assert [line for line in lines if f" {SKU}" in line] == []
    assert any(f"{MORE} (not known)" in line for line in lines)  # behind a link


def test_what_differs_is_a_diff_of_yaml_with_commit_and_day(clone: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = commit(clone, TABLE.replace("150m 18796", "150m 20000"))
    code, lines, _ = told(capsys, clone)
    assert code == 1
    assert f"--- profiles/headroom/{SKU.lower()}-202505.yaml" in lines
    table = f"{BOARD}/{SKU}/pg_profile_lookup.ini"
    assert f"+++ sonic-net/sonic-buildimage {at[:8]} of 2026-08-20 {table}" in lines
    assert '-    150m: {size: 18796B, xon: 0B, xoff: 445770B, xon_offset: 3556B, dynamic_th: "0"}' in lines
    assert '+    150m: {size: 20000B, xon: 0B, xoff: 445770B, xon_offset: 3556B, dynamic_th: "0"}' in lines
    assert any(f"becomes {at[:8]} of 2026-08-20" in line for line in lines)


def test_pools_and_ports_and_curves_are_compared_as_templates_make_them(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = clone / BOARD / SKU
    (clone / BOARD / "platform_asic").write_text("broadcom\n", encoding="utf-8")
    ports = "# name lanes alias index speed\nEthernet0 1,2,3,4 a 1 400000\nEthernet600 5,6,7,8 b 2 400000\n"
    (folder / "port_config.ini").write_text(ports, encoding="utf-8")
    lossless = '"ingress_lossless_pool": {"size": "%s", "mode": "dynamic", "xoff": "22010624"}'
    both = '{"BUFFER_POOL": {%s, "egress_lossless_pool": {"size": "164075364"}}}'
    (folder / "buffers_defaults_t0.j2").touch()
    (folder / "buffers.json.j2").write_text(both % lossless % "164075364", encoding="utf-8")
    green = '"wred_green_enable": "true", "green_min_threshold": "7", "green_max_threshold": "9"'
    (folder / "qos.json.j2").write_text(f'{{"WRED_PROFILE": {{"A_LOSSLESS": {{{green}}}}}}}', encoding="utf-8")
    commit(clone, TABLE)
    (folder / "buffers.json.j2").write_text(both % lossless % "164000000", encoding="utf-8")
    at = commit(clone, TABLE)
    _, lines, _ = told(capsys, clone)
    assert "-  ingress_lossless: 164075364B" in lines
    assert "+  ingress_lossless: 164000000B" in lines
    assert "   shared_headroom: 22010624B" in lines
    assert "-ports: Ethernet[0-511],Ethernet[512-513]" in lines or "-ports: Ethernet[0-513]" in lines
    assert "+ports: Ethernet[0-513],Ethernet600" in lines or "+ports: Ethernet[0-513,600]" in lines
    assert any(f"{at[:8]} of 2026-08-20 {BOARD}/{SKU}/qos.json.j2" in line for line in lines)
    assert "+    - {nos: sonic, kmin: 7B, kmax: 9B, pmax: 100%}  # stock_ecn in profiles/asics/tomahawk5.yaml" in lines
    (folder / "buffers.json.j2").write_text("{% if %}", encoding="utf-8")
    commit(clone, TABLE)
    _, lines, errors = told(capsys, clone)
    assert f"does not render, not compared: {BOARD}/{SKU}/buffers_defaults_t0.j2" in errors
    assert not any("ingress_lossless" in line for line in lines)


def test_a_release_that_nobody_knew_is_compared_with_the_nearest(
    clone: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(clone, "branch", "202608")
    _, lines, _ = told(capsys, clone, "202608=202608")
    assert any("202608: not known becomes" in line for line in lines)


def test_nothing_is_said_of_a_clone_that_is_not_whole_or_of_another_repository(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shallow = tmp_path / "shallow"
    commit(clone, TABLE.replace("150m", "151m"))
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{clone}", str(shallow)], check=True)
    plain = tmp_path / "plain"
    plain.mkdir()
    cases = [
        ((str(shallow),), "is a shallow clone"),
        ((str(plain),), "not a git repository"),
        ((str(clone), "202505=nowhere"), "has no nowhere"),
        ((str(clone), "202605"), "has no branch 202605"),
        ((str(clone), "banana"), "is not a release of sonic"),
    ]
    for words, wanted in cases:
        assert refresh.main(*words) == 2
        out, err = capsys.readouterr()
        assert wanted in err
        assert not out
    commit(clone, TABLE + "400000 long 1 2 3 4\n")
    assert refresh.main(str(clone)) == 2
    assert "is not a row of a headroom table" in capsys.readouterr().err
    monkeypatch.setattr(refresh, "COMMITS", {"202505": "0123abcd"})
    assert refresh.main(str(clone)) == 2
    assert "has no commit 0123abcd" in capsys.readouterr().err
