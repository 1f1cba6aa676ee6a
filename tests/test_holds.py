"""Every fact says when it holds: without that, an interval of nothing and facts that contradict are errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from loops import loop

from rocecfg.profiles import SHIPPED, Library
from rocecfg.profiles.kinds import KINDS
from rocecfg.profiles.releases import newest_known
from rocecfg.source.document import SourceError

FAMILY = "title: T\nholds: HOLDS\nkmin: 1MB\nkmax: 2MB\npmax: 5%\njudged: j\nmark: V\nsource: s\n"


def test_every_shipped_profile_says_when_it_holds_and_a_system_up_to_where_it_is_known() -> None:
    for kind in KINDS:
        for name in SHIPPED.names(kind):
            assert SHIPPED.holds(kind, name), f"{kind}/{name}"
    for name in SHIPPED.names("nos"):
        nos, span = SHIPPED.nos(name), SHIPPED.holds("nos", name).spans[name]
        assert span.until in ("master", newest_known(nos.releases))
        assert nos.known_since == span.since in nos.releases


def test_a_headroom_table_holds_in_the_releases_in_which_a_box_has_it() -> None:
    held: dict[str, set[str]] = {}
    commits = SHIPPED.nos("sonic").commits
    for platform in SHIPPED.names("platforms"):
        for sku in SHIPPED.hwskus(platform, "sonic"):
            for release in commits:
                box = SHIPPED.box(platform, "sonic", sku, release)
                if box is not None and box.headroom is not None and box.release == release and not box.skipped:
                    held.setdefault(box.headroom.file.partition("/")[2], set()).add(release)
    assert held.keys() == set(SHIPPED.names("headroom"))
    for name, releases in held.items():
        holds = SHIPPED.holds("headroom", name)
        assert {release for release in commits if holds.at("sonic", release)} == releases, name
        assert not holds.at("spectrum", "5.14")


def test_a_fact_is_asked_for_in_a_release() -> None:
    table = "arista-7060x6-64pe-b-o128"
    assert SHIPPED.fact("headroom", table, "sonic", "202511.4") is SHIPPED.headroom(table)
    assert SHIPPED.fact("headroom", table, "sonic", "202605") is None
    assert SHIPPED.fact("headroom", table, "arista", "4.33.2F") is None
    assert SHIPPED.fact("asics", "tomahawk5", "arista", "4.33.2F") is SHIPPED.asic("tomahawk5")
    assert SHIPPED.fact("asics", "tomahawk5", "sonic", "202205") is None  # what is known of SONiC begins later


@loop(
    ("holds", "told"),
    [
        ("any", ""),
        ("known", ""),
        ('{sonic: {since: "202405"}, arista: {until: "4.33"}}', ""),
        ('{sonic: {since: "202405", until: "202405"}}', ""),
        ('{sonic: {since: "202405", until: master, except: ["202505"]}}', ""),
        ("often", "holds is often"),
        ("", "holds is to be a text"),
        ("{onyx: {}}", "onyx is no system"),
        ('{sonic: {since: "202505", until: "202405"}}', "is not a release"),
        ('{sonic: {since: "202599"}}', "is not a release of sonic"),
        ('{sonic: {until: "202505", except: ["202511"]}}', "outside of it"),
        ('{sonic: {sinse: "202505"}}', "sinse"),
        (None, "holds is missing"),
    ],
)
def test_what_a_profile_says_of_that_is_read_or_an_error_with_its_place(
    holds: str | None, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "ecn"
    folder.mkdir(exist_ok=True)
    text = FAMILY.replace("HOLDS", holds) if holds is not None else FAMILY.replace("holds: HOLDS\n", "")
    (folder / "own.yaml").write_text(text, encoding="utf-8")
    if told:
        with pytest.raises(SourceError, match=told) as raised:
            Library(str(tmp_path)).family("own")
        assert raised.value.path.endswith("own.yaml")
        assert raised.value.line is not None
    else:
        assert Library(str(tmp_path)).holds("ecn", "own").word == (holds if holds in ("any", "known") else "")


LIMITS = "extends: sonic\nlimits:\n  - {what: port.mtu, high: 9216B, BOUNDS, mark: V, source: s}\n"


@loop(
    ("first", "second", "told"),
    [
        ('until: "202405"', 'since: "202411"', ""),
        ('until: "202405"', 'since: "202405"', "two ranges of port.mtu hold in 202405"),
        ('until: "202405"', 'until: "202411"', "two ranges of port.mtu hold"),
        ('since: "202405"', 'since: "202411"', "two ranges of port.mtu hold in 202411"),
        ('since: "202411", until: "202405"', 'since: "202505"', "is not a release"),
    ],
)
def test_two_facts_that_hold_in_one_release_and_differ_are_an_error(
    first: str, second: str, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "nos"
    folder.mkdir(exist_ok=True)
    one, two = (LIMITS.partition("limits:\n")[2].replace("BOUNDS", bounds) for bounds in (first, second))
    (folder / "sonic.yaml").write_text(f"extends: sonic\nlimits:\n{one}{two.replace('9216', '1500')}")
    if told:
        with pytest.raises(SourceError, match=told):
            Library(str(tmp_path)).nos("sonic")
    else:
        assert Library(str(tmp_path)).nos("sonic").limits


def test_two_tables_of_a_hwsku_in_one_release_are_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "platforms"
    folder.mkdir()
    rows = [f'      - {{table: {t}, hwskus: {{X: "202405"}}}}\n' for t in ("montara", "newport")]
    (folder / "dell-z9864f.yaml").write_text(
        f"extends: dell-z9864f\nnos:\n  sonic:\n    hwsku: X\n    headroom:\n{''.join(rows)}"
    )
    with pytest.raises(SourceError, match="two headroom tables of X hold in 202405: montara and newport"):
        Library(str(tmp_path)).platform("dell-z9864f")
