"""Headroom tables and pools are those of the device's release.

`sonic_tables.csv` has them as seven branches of sonic-net/sonic-buildimage ship them, at the commits that
profiles/nos/sonic.yaml names: the rows of each pg_profile_lookup.ini (size/xon/xoff/threshold/xon_offset), the pools of
each buffers_defaults_*.j2 as Jinja renders it (ingress lossless/xoff/ingress lossy/egress lossless/egress lossy/mode),
which HwSKUs have no such rows (lossy), and which a branch does not have (absent). Figures `=` are those above.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from math import ceil
from pathlib import Path

import agreement_cases
import pytest

from rocecfg.core.units import show_rate
from rocecfg.intent import load
from rocecfg.linting.judge import judge
from rocecfg.model import Box
from rocecfg.model.frozen import replace
from rocecfg.profiles import SHIPPED, Library, library_in, release_key
from rocecfg.profiles.releases import nearest_release
from rocecfg.rules.nos import asic_nos
from rocecfg.source.document import Sources
from tests.intents import rocecfg
from tests.sampling import part

COMMITS = SHIPPED.nos("sonic").commits
P32O64 = "Arista-7060X6-64PE-B-P32O64"
G = 10**9
INTENT = """
rocecfg: 1
fabric: {name: t, mtu: 9000}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: {kmin: 1MB, kmax: 2MB, pmax: 20%}}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
"""


def _facts() -> Iterator[tuple[str, str, str, str, str]]:
    """What, its figures, and of which platform, HwSKU (with its template) and release."""
    last = ""
    with (Path(__file__).parent / "sonic_tables.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            last = last if row["figures"] == "=" else row["figures"]
            for of in row["of"].split():
                for release in COMMITS if row["releases"] == "all" else row["releases"].split():
                    platform, _, sku = of.partition("/")
                    yield row["fact"], last, platform, sku, release


def _rows(box: Box) -> str:
    """As the file has them."""
    assert box.headroom is not None, box
    return " ".join(
        f"{show_rate(speed)}/{metres}m={row.size}/{row.xon}/{row.xoff}/{row.dynamic_th}/"
        f"{'' if row.xon_offset is None else row.xon_offset}"
        for speed, cables in box.headroom.rows.items()
        for metres, row in cables.items()
    )


def _pools(box: Box, template: str) -> list[str]:
    found = [p for p in box.pools if template in p.templates]
    figures = [
        (p.ingress_lossless, p.shared_headroom or None, p.ingress_lossy, p.egress_lossless, p.egress_lossy, p.mode)
        for p in found
    ]
    return ["/".join("" if f is None else str(f) for f in of) for of in figures]


def test_tables_and_pools_of_each_release_are_those_that_it_ships() -> None:
    seen = dict.fromkeys(("headroom", "pools", "lossy", "absent"), 0)
    for what, figures, platform, of, release in _facts():
        sku, _, template = of.partition("/")
        box = SHIPPED.box(platform, "sonic", sku, release)
        assert box is not None
        where = f"{platform} {of} in {release}"
        seen[what] += 1
        if what in ("lossy", "absent"):
            later = box.since is not None and release_key("sonic", release) < release_key("sonic", box.since)
            lossy = what == "lossy" and box.headroom is None and not box.lossless
            assert later or box.skipped is (what == "absent"), where
            assert later or box.skipped or lossy, where
            continue
        assert (box.release, box.skipped) == (release, False), where
        assert box.lossless, where
        if what == "headroom":
            assert _rows(box) == figures, where
            assert box.headroom is not None
            assert COMMITS[release] in box.headroom.source, where
        elif template:
            assert _pools(box, template) == [figures], where
        else:
            assert not box.pools, where
    assert all(count > 200 for count in seen.values()), seen


def test_each_template_is_told_once_a_release() -> None:
    known = {(platform, of.partition("/")[0]) for _, _, platform, of, _ in _facts()}
    shipped = {(*where.split(" "), release) for where, release in _templates()}
    for platform, sku in known:
        for release in COMMITS:
            box = SHIPPED.box(platform, "sonic", sku, release)
            assert box is not None
            told = [template for pools in box.pools for template in pools.templates]
            assert len(told) == len(set(told)), f"{sku} in {release}"
            here = {t for p, s, t, r in shipped if (p, s, r) == (platform, sku, release)}
            if here and box.release == release:
                assert set(told) == here, f"{sku} in {release}"


def _templates() -> Iterator[tuple[str, str]]:
    for what, _, platform, of, release in _facts():
        sku, _, template = of.partition("/")
        if what == "pools" and template:
            yield f"{platform} {sku} {template}", release


# -- which release is taken --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "since", "taken"),
    [
        ("202505", None, "202505"),
        ("202505.3", None, "202505"),
        ("20250510.02", None, "202505"),
        ("202506", None, "202505"),
        ("202012", None, "202311"),
        ("202612", None, "master"),
        ("master", None, "master"),
        (None, None, "master"),
        ("our-own", None, "master"),
        ("202405", "202505", "202505"),
        ("202511", "202505", "202511"),
        ("202405", "202605", "202605"),
        ("202405", "master", "master"),
    ],
)
def test_the_nearest_release_is_taken_for_one_that_is_not_known(
    version: str | None, since: str | None, taken: str
) -> None:
    assert nearest_release(tuple(COMMITS), "sonic", version, since) == taken


def _shown(folder: Path, version: str, cable: str) -> str:
    text = (
        f"{INTENT}buffers: {{template: lt2}}\ndefaults: {{vendor: sonic, platform: arista-7060x6-64pe, hwsku: {P32O64}"
    )
    text += f"{version}, speed: 800G, cable: {cable}}}\ndevices: {{a: {{ports: {{Ethernet0: {{faces: host}}}}}}}}\n"
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    return rocecfg(folder, "show", "fabric.yaml").stdout


@pytest.mark.parametrize(
    ("version", "row", "pool", "taken"),
    [
        (', version: "202505"', "row 800G, 5 m", "147226020B", ""),
        (', version: "202511"', "row 800G, 5 m", "164619432B", ""),
        (', version: "202511.7"', "row 800G, 5 m", "164619432B", ""),
        (', version: "202609"', "row 800G, 5 m", "164619432B", " of master, taken for 202609"),
        (', version: "202405"', "row 800G, 5 m", "147226020B", " of 202505, taken for 202405"),
        ("", "row 800G, 5 m", "147226020B", " of 202505, assumed"),
    ],
)
def test_show_has_the_figures_of_the_release_and_says_which_it_took(
    tmp_path: Path, version: str, row: str, pool: str, taken: str
) -> None:
    shown = _shown(tmp_path, version, "5m")
    assert f"{row} of the headroom table{taken}\n" in shown
    assert f"template lt2{taken}\n" in shown.replace("buffers.template", "template lt2")
    assert pool in shown


@pytest.mark.parametrize(("version", "length"), [("202511", "40m"), ("202605", "300m"), ("master", "40m")])
def test_render_writes_a_length_that_the_table_of_the_release_has(tmp_path: Path, version: str, length: str) -> None:
    _shown(tmp_path, f', version: "{version}"', "40m")
    done = rocecfg(tmp_path, "render", "fabric.yaml", "--device", "a")
    assert json.loads(done.stdout[done.stdout.index("{") :])["CABLE_LENGTH"] == {"AZURE": {"Ethernet0": length}}


# -- lint --------------------------------------------------------------------------------------------------------------


def _differing() -> list[tuple[str, str]]:
    """The HwSKUs that look headroom up in tables which differ between releases."""
    tables: dict[tuple[str, str], set[str]] = {}
    for what, figures, platform, sku, _ in _facts():
        box = SHIPPED.platform(platform).boxes["sonic"]
        if what in ("headroom", "lossy") and box.buffer_model == "traditional":
            tables.setdefault((platform, sku), set()).add(figures)
    return sorted(of for of, figures in tables.items() if len(figures) > 1)


@pytest.mark.parametrize(
    ("platform", "sku"), part(_differing(), "rocecfg/profiles", "rocecfg/rules/nos.py", "profiles/")
)
def test_lint_reports_a_cable_if_and_only_if_the_table_of_the_release_ends_before_it(
    tmp_path: Path, platform: str, sku: str
) -> None:
    tables = {r: f for what, f, p, of, r in _facts() if what == "headroom" and (p, of) == (platform, sku)}
    longest: dict[str, dict[str, int]] = {}
    for release, figures in tables.items():
        for row in figures.split():
            speed, _, rest = row.partition("/")
            least = longest.setdefault(release, {})
            least[speed] = max(least.get(speed, 0), int(rest.partition("m")[0]))
    cases = {(speed, m + more) for least in longest.values() for speed, m in least.items() for more in (0, 0.5)}
    box = SHIPPED.box(platform, "sonic", sku)
    assert box is not None
    ports = "".join(
        f"  p{n}: {{ports: {{Ethernet0: {{faces: host, speed: {speed}, cable: {metres}m}}}}}}\n"
        for n, (speed, metres) in enumerate(sorted(cases))
    )
    for release, least in longest.items():
        text = f"{INTENT}defaults: {{vendor: sonic, platform: {platform}, hwsku: {sku}, version: '{release}'}}\n"
        (tmp_path / "fabric.yaml").write_text(f"{text}devices:\n{ports}", encoding="utf-8")
        fabric = load(str(tmp_path / "fabric.yaml"), Sources()).fabric
        assert fabric is not None
        assert asic_nos.check is not None
        reported = {d.names[0] for d in fabric.devices if list(asic_nos.check(fabric, d))}
        wanted = {f"p{n}" for n, (speed, metres) in enumerate(sorted(cases)) if ceil(metres) > least.get(speed, 0)}
        assert reported == wanted, f"{sku} in {release}: {sorted(cases)}"


def test_a_switch_of_no_stated_release_lacks_only_what_all_releases_lack(tmp_path: Path) -> None:
    """40 m at 800G is in the tables of 202511 and master, and in no other."""
    missing = {}
    for release in ("", "202505", "202511", "202605"):
        for metres in (40, 7):
            config = {
                "DEVICE_METADATA": {"localhost": {"hwsku": P32O64, "buffer_model": "traditional"}},
                "PORT": {"Ethernet0": {"speed": "800000", "lanes": "1", "admin_status": "up"}},
                "CABLE_LENGTH": {"AZURE": {"Ethernet0": f"{metres}m"}},
                "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
                "BUFFER_POOL": {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "164619432"}},
            }
            if release:
                config["VERSIONS"] = {"DATABASE": {"VERSION": f"version_{release}_01"}}
            (tmp_path / "config_db.json").write_text(json.dumps(config), encoding="utf-8")
            done = rocecfg(tmp_path, "lint", "--no-config", "config_db.json")
            missing[release, metres] = "has no row for 800G" in done.stdout
    assert missing == {
        ("", 40): False,
        ("", 7): True,
        ("202505", 40): True,
        ("202505", 7): True,
        ("202511", 40): False,
        ("202511", 7): True,
        ("202605", 40): True,
        ("202605", 7): True,
    }


# -- a user's own ------------------------------------------------------------------------------------------------------


def test_own_tables_may_differ_by_release_too(tmp_path: Path) -> None:
    own = tmp_path / "rocecfg-profiles" / "platforms"
    own.mkdir(parents=True)
    (own / "dell-z9864f.yaml").write_text(
        """
extends: dell-z9864f
nos:
  sonic:
    headroom:
      - {table: dell-z9864f-o64, hwskus: {Dell-Z9864f-O64: "202405"}}
      - {table: nokia-ixr7220-h5-32d, hwskus: {Dell-Z9864f-O64: "202405"}, releases: ["202505"]}
""",
        encoding="utf-8",
    )
    library = library_in(str(tmp_path))
    files = {}
    for release in COMMITS:
        box = library.box("dell-z9864f", "sonic", "Dell-Z9864f-O64", release)
        assert box is not None
        assert box.headroom is not None
        files[release] = box.headroom.file
    assert files.pop("202505") == "headroom/nokia-ixr7220-h5-32d"
    assert set(files.values()) == {"headroom/dell-z9864f-o64"}


_BOXES = ("arista-7060x6-64pe", "nokia-ixr7220-d4", "dell-s5248f", "arista-7050cx3-32s")
_WITHOUT_TABLES = ("202412", "202506", "202711")  # releases of which no branch is known


@pytest.mark.parametrize("release", part(list(_WITHOUT_TABLES)))
def test_what_rests_on_tables_of_another_release_says_whose_they_are(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = Library._find_box  # noqa: SLF001 - what a box without tables does not have rests on its tables

    def find_bare(self: Library, platform: str, nos: str, hwsku: str | None, at: str | None) -> Box | None:
        box = find(self, platform, nos, hwsku, at)
        return replace(box, headroom=None, pools=(), lossless=True) if box is not None else None

    def judge_all(text: str, look_up: object) -> set[str]:
        monkeypatch.setattr(Library, "_find_box", look_up)
        monkeypatch.setattr(SHIPPED, "_asked", {})
        (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
        return {f.message for f in judge(load(str(tmp_path / "fabric.yaml"), Sources()))[0]}

    rules = set()
    for name, (vendor, stated, _) in agreement_cases.CASES.items():
        if vendor == "sonic" and ("buffers" in str(stated) or "headroom" in str(stated) or "kmax" in name):
            written = re.sub("'202...'", f"'{release}'", agreement_cases.written("sonic", stated))
            for platform in _BOXES if "platform" not in str(stated) else ("",):
                text = written.replace("arista-7060x6-64pe", platform)
                for message in judge_all(text, find) - judge_all(text, find_bare):
                    assert re.search(f" of (20[0-9]{{4}}|master), taken for {release}|assumed", message), message
                    rules.add(message.partition(":")[0])
    assert len(rules) > 3  # no case of that list would be too few
