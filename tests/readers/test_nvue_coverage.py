"""Every setting of NVUE configurations taken out, changed and refused: a difference names it, or it is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from changed_configurations import DELETED, Missed, Original, missed, unfounded
from conformance import run_validator
from nvue_changes import commands_of, in_domain, made, normal, release_of, statements, whole_switches
from nvue_text import lint, switch
from seen import Seen
from test_nvue_conformance import own_leaves, published
from test_nvue_every_setting import settings

from rocecfg.model import Span
from rocecfg.model.catalogue import find_compared_setting
from rocecfg.model.switch import Switch
from rocecfg.source.document import Document
from rocecfg.vendors.spectrum.domain import BESIDE, is_beside, settings_of
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.operations import read_configuration
from rocecfg.vendors.spectrum.reading.schema import ROOT

pytestmark = pytest.mark.conformance
__all__ = ["published"]

ABOUT = "rocecfg/vendors/spectrum"
MOST = 30  # exceptions
# Settings that may be taken out in silence, since the model has no place for what they say: which, why, and who says
# so. Of all others it is held that the setting is the same, and is a default.
_QOS = "Cumulus Linux 5.14 user guide, Quality of Service"
_ROCE = "Cumulus Linux 5.14 user guide, RDMA over Converged Ethernet - RoCE"
_POOLS = f"{_QOS}, Advanced Buffer Tuning, Service Pools: the table of traffic pools"
USUAL = (
    (
        r"roce (?:enable on|state enabled)",
        "it is on where its mode is said",
        f"{_ROCE}, RoCE lossless: nv set qos roce is nv set qos roce mode lossless",
    ),
    (
        r"traffic-pool roce-lossless switch-priority 3",
        "a service pool stands for it",
        f"{_POOLS}; {_ROCE}, Default RoCE Configuration: switch priority 3 is in the lossless pool",
    ),
    (
        r"mapping \S+ pcp 3 switch-priority 3",
        "no port is sorted by 802.1p here",
        f"{_QOS}, Trust 802.1p Marking: the table, where PCP 3 is switch priority 3",
    ),
    (
        r"pfc \S+ [rt]x enable",
        "pauses are sent and obeyed unless that is turned off",
        f"{_QOS}, Priority Flow Control (PFC): tx and rx are enabled by default",
    ),
    (
        r"link-pause \S+ [rt]x enable",
        "both ways are on in a profile that a port binds",
        "unverified: NVUE schema of 5.14, /qos/link-pause/{profile-id}, has no default, and the guide states both",
    ),
    (
        r"egress-scheduler \S+ traffic-class \S+ mode dwrr",
        "a share is of round robin",
        f"{_QOS}, Egress Scheduler: a bandwidth percent is of mode dwrr; that it may stand alone: unverified",
    ),
    (
        r"advance-buffer-config \S+ .* switch-priority 0",
        "the bulk group is that of priority 0",
        f"{_POOLS}, where default-lossy's priorities are those of priority-group bulk",
    ),
    (
        r"advance-buffer-config \S+ .* service-pool 1",
        "what every port buffer draws from",
        f"{_POOLS}, where the lossless pools are service pool 1",
    ),
    (
        r"pfc-watchdog polling-interval 100",
        "100 ms by default",
        f"{_QOS}, PFC Watchdog: the default polling interval is 100 milliseconds",
    ),
    (
        r"egress-shaper \S+ mode kbps",
        "by default",
        "NVUE schema of 5.16, /qos/egress-shaper/{profile-id}: mode kbps or pps; that of 5.14 has rates in kbps alone",
    ),
)
# Where packets of a priority go, and what pauses them, follows from what is paused.
FOLLOWING = ("group_of", "priority_of")
FAMILIES = ((5, 9), (5, 14), (5, 18))  # before service pools, with `enable`, and with `state`
LEAF, SPINE = "p0001-leaf1", "p0001-spine2"
SAMPLE = "era-2-8-9-400-core-01"


def judged(text: str) -> Seen:
    return frozenset((reported.rule, reported.message) for reported in lint(text))


def read(text: str) -> list[Switch]:
    return [switch(text)]


def implying(text: str) -> Callable[[Span], bool]:
    """The places of objects, and of `qos roce`: what is not set in one, or not beside the other, is a default."""
    tree = read_configuration(Document(0, "leaf01", text), None).tree
    places = set(_objects(tree))
    places |= {node.at for _, node in tree.items("qos", "roce")}
    return places.__contains__


def _objects(node: Node) -> Iterator[Span]:
    yield node.at
    for name, below in node.below.items():
        if below.value is None and (below.below or not name.isdigit()):  # else a member of a list
            yield from _objects(below)


def original(text: str) -> Original:
    return Original(text, read, judged, implying)


def check(text: str, *, every: bool = True) -> None:
    found: list[Missed]
    text = normal(text)
    found, tried = missed(original(text), statements(text, every=every), ABOUT)
    assert [one for one in found if not excused(one)] == []
    assert tried


def excused(one: Missed) -> bool:
    """Whether a setting may be taken out in silence: another value of it is shown."""
    return one.kind == DELETED and one.counts and any(re.fullmatch(f"qos {of}", one.words) for of, *_ in USUAL)


@pytest.mark.parametrize("release", FAMILIES)
def test_every_path_of_the_models_is_in_the_domain(release: tuple[int, int]) -> None:
    """It bears on settings, or there is a reason why not: so the domain cannot shrink."""
    paths = [each.path for each in settings(release)]
    assert len(paths) > 75
    assert [path for path in paths if not (is_beside(path) or settings_of(path))] == []
    named = {setting for path in paths for setting in settings_of(path)}
    assert {setting for setting in named if find_compared_setting(setting) is None} == set()


def test_every_path_that_is_read_is_in_the_domain() -> None:
    paths = [path for path in own_leaves(ROOT, ()) if in_domain(path)]
    assert len(paths) > 100
    assert [path for path in paths if not (is_beside(path) or settings_of(path))] == []


def test_what_the_domain_leaves_out_has_a_reason() -> None:
    assert len(BESIDE) + len(USUAL) <= MOST
    assert all(one.why and one.source for one in BESIDE)
    assert all(why and source for _, why, source in USUAL)


@pytest.mark.parametrize("release", FAMILIES)
def test_the_configuration_with_every_setting_is_valid(
    release: tuple[int, int], nvue_validator: Path, tmp_path: Path
) -> None:
    (tmp_path / "made.yaml").write_text(made(release), encoding="utf-8")
    done = run_validator(nvue_validator, "--version", f"{release[0]}.{release[1]}", tmp_path / "made.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.sweep(ABOUT)
@pytest.mark.parametrize("release", FAMILIES)
def test_a_setting_of_the_configuration_with_every_setting(release: tuple[int, int]) -> None:
    check(made(release))


@pytest.mark.sweep(ABOUT)
@pytest.mark.parametrize("release", FAMILIES)
def test_a_setting_of_a_leaf(release: tuple[int, int]) -> None:
    text = whole_switches(version=f"{release[0]}.{release[1]}")[LEAF]
    assert release_of(text) == release
    check(text, every=False)


def test_what_a_setting_says_is_no_default() -> None:
    """Of a part of a configuration nobody takes a default for granted: what passes for one is not compared."""
    text = normal(made(FAMILIES[-1]))
    found = unfounded(original(text), statements(text, every=False), ABOUT)
    assert {each for each in found if each[0] not in FOLLOWING} == set()


def test_a_setting_of_a_spine() -> None:
    check(whole_switches()[SPINE], every=False)


def test_a_setting_of_a_sample(shared: Path) -> None:
    check((shared / "samples" / "nvue" / f"{SAMPLE}.yaml").read_text(encoding="utf-8"))


def test_a_command_of_a_leaf() -> None:
    text = whole_switches("nv")[LEAF]
    found, tried = missed(original(text), commands_of(text, (5, 14)), ABOUT)
    assert [one for one in found if not excused(one)] == []
    assert tried > 150


def test_a_command_of_a_sample(shared: Path) -> None:
    text = (shared / "samples" / "nvue" / f"{SAMPLE}.nv").read_text(encoding="utf-8")
    found, tried = missed(original(text), commands_of(text, (5, 13)), ABOUT)
    assert [one for one in found if not excused(one)] == []
    assert tried


def test_every_sample_is_here(shared: Path) -> None:
    names = sorted(path.name for path in (shared / "samples" / "nvue").iterdir())
    assert names == [f"{SAMPLE}.nv", f"{SAMPLE}.yaml"]
