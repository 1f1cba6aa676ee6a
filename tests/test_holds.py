"""Every fact says when it holds: without that, an interval of nothing and facts that contradict are errors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import ROOT
from loops import loop

from rocecfg.intent import load
from rocecfg.linting.judge import _Run, judge
from rocecfg.model import Box, Device, PortGroup
from rocecfg.profiles import SHIPPED, Library
from rocecfg.profiles.kinds import KINDS
from rocecfg.profiles.releases import newest_known
from rocecfg.rules import ALL, Rule
from rocecfg.source.document import SourceError, Sources

CHIP = "title: T\nholds: HOLDS\nnos: {value: [sonic], mark: V, source: s}\nshallow: {value: true, mark: V, source: s}\n"


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
        ("", "holds is empty: it is to be a word or a mapping"),
        ("[any]", "is to be a mapping"),
        ("{nxos: {}}", "nxos names no release"),
        ("{onyx: {}}", "onyx is no system"),
        ("{}", "holds is empty"),
        ('{sonic: {since: "202505", until: "202505", except: ["202505"]}}', "its first or its last"),
        ('{sonic: {since: "202505", until: "202405"}}', "until 202405 is before since 202505"),
        ('{sonic: {since: "202599"}}', "is not a release of sonic"),
        ('{sonic: {until: "202505", except: ["202511"]}}', "outside of it"),
        ('{sonic: {sinse: "202505"}}', "sinse"),
        (None, "holds is missing"),
    ],
)
def test_what_a_profile_says_of_that_is_read_or_an_error_with_its_place(
    holds: str | None, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "asics"
    folder.mkdir(exist_ok=True)
    text = CHIP.replace("HOLDS", holds) if holds is not None else CHIP.replace("holds: HOLDS\n", "")
    (folder / "own.yaml").write_text(text, encoding="utf-8")
    if told:
        with pytest.raises(SourceError, match=told) as raised:
            Library(str(tmp_path)).asic("own")
        assert raised.value.path.endswith("own.yaml")
        assert raised.value.line is not None
    else:
        assert Library(str(tmp_path)).holds("asics", "own").word == (holds if holds in ("any", "known") else "")


LIMITS = "extends: sonic\nlimits:\n  - {what: port.mtu, high: 9216B, BOUNDS, mark: V, source: s}\n"


@loop(
    ("first", "second", "told"),
    [
        ('until: "202405"', 'since: "202411"', ""),
        ('until: "202405"', 'since: "202405"', "two ranges of port.mtu hold in 202405"),
        ('until: "202405"', 'until: "202411"', "two ranges of port.mtu hold"),
        ('since: "202405"', 'since: "202411"', "two ranges of port.mtu hold in 202411"),
        ('since: "202411", until: "202405"', 'since: "202505"', "until 202405 is before since 202411"),
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


@loop(
    ("first", "second", "told"),
    [
        ("", "", "in all releases that no other entry names"),
        (", releases: ['202505']", ", releases: ['202511', '202505']", "in 202505"),
        (", releases: ['202505']", ", releases: ['202511']", ""),
        (", releases: ['202505']", "", ""),  # the second holds in all but that
    ],
)
def test_two_sets_of_pools_of_a_template_in_one_release_are_an_error(
    first: str, second: str, told: str, tmp_path: Path
) -> None:
    folder = tmp_path / "platforms"
    folder.mkdir(exist_ok=True)
    row = "      - {hwskus: [X], templates: [t0, TWO], mode: dynamic, mark: V, source: s"
    rows = f"{row.replace('TWO', 't1')}{first}}}\n{row.replace('TWO', 't2')}{second}}}\n"
    (folder / "dell-z9864f.yaml").write_text(f"extends: dell-z9864f\nnos:\n  sonic:\n    pools:\n{rows}")
    if told:
        with pytest.raises(SourceError, match=f"two sets of pools of X, template t0, hold {told}") as raised:
            Library(str(tmp_path)).platform("dell-z9864f")
        assert raised.value.line is not None
    else:
        assert Library(str(tmp_path)).platform("dell-z9864f")


def test_two_tables_of_a_hwsku_in_one_release_are_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "platforms"
    folder.mkdir()
    rows = [f'      - {{table: {t}, hwskus: {{X: "202405"}}}}\n' for t in ("montara", "newport")]
    (folder / "dell-z9864f.yaml").write_text(
        f"extends: dell-z9864f\nnos:\n  sonic:\n    hwsku: X\n    headroom:\n{''.join(rows)}"
    )
    with pytest.raises(SourceError, match="two headroom tables of X hold in 202405: montara and newport"):
        Library(str(tmp_path)).platform("dell-z9864f")


def test_what_no_rule_asks_for_in_a_release_names_none(tmp_path: Path) -> None:
    """Nobody would look at the bounds of a workload, so that they would seem to hold and did not."""
    (tmp_path / "nics").mkdir()
    (tmp_path / "nics" / "own.yaml").write_text('title: T\nholds: {sonic: {since: "202505"}}\n', encoding="utf-8")
    with pytest.raises(SourceError, match="holds is to be a text"):
        Library(str(tmp_path)).nic("own")


# -- what a rule says that uses facts of another release than the device's ---------------------------------------------

OF_TABLES = {  # rule -> box, speed, cable and what else is written, so that it fires by a number of its tables
    "buffer-headroom": ("nvidia-sn4700", "400G", "5m", "buffers: {model: traditional, response: 802.3}", ""),
    "buffer-pool": ("dell-z9264f", "100G", "300m", "buffers: {oversubscribe: 1}", ""),
    "buffer-shared-left": ("nvidia-sn4700", "400G", "300m", "buffers: {model: traditional}", ""),
    "buffer-alpha": ("arista-7060x6-64pe", "400G", "5m", "buffers: {alpha: 0.015625}", ""),
    "buffer-xon": ("arista-7060x6-64pe", "400G", "5m", "", ", headroom: {size: 40KB, xon: 73.7MB, xoff: 600KB}"),
    "ecn-before-pfc": ("nvidia-sn4700", "400G", "300m", "buffers: {model: traditional}", ""),
}
ARGUED = {  # rules that see a number of the tables without resting on it
    "nos-unsupported": "names the tables by the setting's topic",
    "schema-nos-range": "as nos-unsupported",
    "buffer-long-link": "silent where the tables give any headroom",
    "buffer-port-limit": "of headroom by the formula",
    "ecn-low": "says so itself where the tables bound it",
    "ecn-long-rtt": "compares with the round trip; the fix alone goes up to what the tables bound",
    "ecn-scale": "compares with a family; the fix alone goes up to what the tables bound",
    "ecn-vendor-default": "compares with stock curves",
    "ecn-color": "compares classes",
    "role-skew": "compares switches",
    "ecn-role-skew": "compares what is rendered",
    "watchdog-tier": "compares switches",
}


def _judged(folder: Path, release: str, box: str, speed: str, cable: str, more: str, pfc: str) -> dict[str, list[str]]:
    ports = {"100G": "Ethernet[0-252/4]", "400G": "Ethernet[0-248/8]"}[speed]
    (folder / "fabric.yaml").write_text(
        "rocecfg: 1\nfabric: {name: t, mtu: 9000}\nclasses:\n  rdma: {carries: [rdma], dscp: 26, priority: 3, "
        "lossless: true, bandwidth: 60, ecn: {kmin: 1.6MB, kmax: 2MB, pmax: 5%}}\n"
        "  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}\npfc: {watchdog: {detection_time: "
        f"200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}{pfc}}}\n{more}\n"
        f'defaults: {{vendor: sonic, platform: {box}, version: "{release}", speed: {speed}, cable: {cable}}}\n'
        f'devices: {{leaf01: {{ports: {{"{ports}": {{}}}}}}}}\n',
        encoding="utf-8",
    )
    found, failed = judge(load(str(folder / "fabric.yaml"), Sources()))
    assert not failed
    out: dict[str, list[str]] = {}
    for each in found:
        out.setdefault(each.rule.name, []).append(each.message)
    return out


def test_a_rule_that_rests_on_tables_of_another_release_says_so(tmp_path: Path) -> None:
    declared = {rule.name for rule in ALL if rule.of_tables}
    assert declared == set(OF_TABLES)
    for rule, case in OF_TABLES.items():
        for release, words in (("202505", ""), ("202508", " of 202505, taken for 202508")):
            told = _judged(tmp_path, release, *case)[rule]
            assert told, rule
            for message in told:
                assert ("taken for" in message) is bool(words), message
                assert words in message, message
                assert message.count(f"tables{words}") <= 1, message


def test_a_number_that_is_stated_is_of_no_tables(tmp_path: Path) -> None:
    stated = ", headroom: {size: 60KB, xon: 20KB, xoff: 30KB}"
    case = ("nvidia-sn4700", "400G", "5m", "buffers: {model: traditional, response: 802.3}", stated)
    (message,) = _judged(tmp_path, "202508", *case)["buffer-headroom"]
    assert "taken for" not in message


def test_no_rule_sees_a_number_of_tables_without_a_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rule that reads headroom, alpha or pools is declared to rest on tables, or argued not to."""
    asked, seen = [""], set[str]()

    def watch(owner: type, field: str) -> None:
        slot = owner.__dict__[field]

        def get(self: object) -> object:
            seen.add(asked[0])
            return slot.__get__(self, owner)

        monkeypatch.setattr(owner, field, property(get, slot.__set__))

    def ask(run: Any, rule: Rule, *rest: Any) -> bool:
        asked[0] = rule.name
        try:
            return bool(usual(run, rule, *rest))
        finally:
            asked[0] = ""

    usual = _Run._ask_rule  # noqa: SLF001 - which rule it is that reads
    monkeypatch.setattr(_Run, "_ask_rule", ask)
    for owner, field in ((PortGroup, "room"), (PortGroup, "alpha"), (Device, "pools"), (Box, "headroom")):
        watch(owner, field)
    for case in OF_TABLES.values():
        _judged(tmp_path, "202508", *case)
    of_box = {"", "schema-asic-nos"}  # which has words of its own
    assert seen - of_box <= {rule.name for rule in ALL if rule.of_tables} | set(ARGUED), seen


HELD = 'holds: {sonic: {since: "202505", until: "202511"}}\n'


@loop(
    ("kind", "name", "rule"),
    [
        ("asics", "tomahawk5", "buffer-alpha"),
        ("platforms", "nvidia-sn4700", "buffer-headroom"),
        ("headroom", "acs-msn4410", "buffer-headroom"),
    ],
)
def test_facts_that_do_not_hold_in_a_release_are_not_used_and_that_is_said_once(
    kind: str, name: str, rule: str, tmp_path: Path
) -> None:
    case = OF_TABLES[rule]
    releases = {"202405": False, "202505": True, "202711": False}  # whether it holds there
    assert all(rule in _judged(tmp_path, release, *case) for release in releases)
    folder = tmp_path / "rocecfg-profiles" / kind
    folder.mkdir(parents=True)
    (folder / f"{name}.yaml").write_text(f"extends: {name}\n{HELD}", encoding="utf-8")
    for release, held in releases.items():
        found = _judged(tmp_path, release, *case)
        said = [message for message in found.get("nos-release-unknown", []) if f"{kind}/{name} holds" in message]
        assert (len(said), rule in found) == (not held, held), (release, found)
        assert all("from 202505 to 202511" in message for message in said), said


def test_what_is_not_published_names_nothing_that_has_a_profile() -> None:
    """The index page lists it; what is found later leaves the list."""
    rows = yaml.safe_load((ROOT / "profiles" / "unpublished.yaml").read_text(encoding="utf-8"))
    page = (ROOT / "docs" / "profiles.md").read_text(encoding="utf-8")
    titles = {SHIPPED.title(kind, name) for kind in ("asics", "platforms", "nics") for name in SHIPPED.names(kind)}
    for row in rows:
        assert row.keys() == {"what", "month", "told"}, row
        assert re.fullmatch(r"20\d\d-(0[1-9]|1[0-2])", row["month"]), row
        assert f"- {row['what']} (looked for in {row['month']})" in page
        if "under" not in row["what"]:
            assert not [title for title in titles if title.split(",")[0] in row["what"]], row
