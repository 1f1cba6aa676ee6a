"""What holds of `--fix` and `--unsafe-fixes` on any intent: what they fix is gone, and nothing else is touched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from slipped_intents import SLIPS, TOO_MUCH, WAIVER, Slip, Written, slipped
from test_fixes import SAFE, UNSAFE, VENDORS, comments, fixed, save
from test_lint_properties import intents

import rocecfg
from rocecfg.intent import load
from rocecfg.linting.finding import Finding
from rocecfg.linting.fixes import Fixed
from rocecfg.linting.run import Run
from rocecfg.model import Fabric
from rocecfg.rules import ERROR
from rocecfg.source.document import Sources
from rocecfg.vendors.base import CannotRender

MOST = 5  # texts a slip, the first with nothing else wrong
RUN = settings(
    max_examples=MOST,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)


def fabric_of(path: Path, vendor: str) -> Fabric | None:
    return load(str(path), Sources(), vendor).fabric


def output(fabric: Fabric | None, vendor: str) -> object:
    """What is rendered, or why nothing is."""
    if fabric is None or any(d.vendor not in (None, vendor) for d in fabric.devices):
        return None
    try:
        return rocecfg.render(fabric, vendor)
    except CannotRender as refused:
        return refused.message


def outputs(path: Path) -> dict[str, object]:
    return {vendor: output(fabric_of(path, vendor), vendor) for vendor in VENDORS}


Error = tuple[str, str, str | None]


def errors(run: Run) -> set[Error]:
    """Errors by rule, device and class."""
    return {(f.rule.name, d, f.cls) for f in run.findings if f.severity == ERROR for d in f.devices or ("",)}


def reported(finding: Finding) -> tuple[object, ...]:
    """A finding by all but its place, which moves."""
    return finding.rule.name, finding.message, finding.cls, finding.devices, finding.ports


class DeviceFix(NamedTuple):
    before: Run
    done: Fixed


def fix_text(path: Path, written: Written, *, unsafe: bool) -> DeviceFix:
    """Fix a text; whatever is asked for, this holds."""
    path.write_text(written.text, encoding="utf-8")
    protected = protected_ports(path)
    before, done = fixed(path, unsafe=unsafe)
    save(done)
    assert not protected - protected_ports(path)
    assert errors(done.run) <= errors(before), "a new error"
    refused = Counter(reported(f) for f, _ in done.refused)
    left = Counter(reported(f) for f in done.run.findings if f.fix is not None and (f.fix.safe or unsafe))
    assert not left - refused, "not fixed, and no word about it"
    asked = {reported(f) for f in before.findings if f.fix is not None and (f.fix.safe or unsafe)}
    assert not asked & {reported(f) for f in done.run.findings} - set(refused), "fixed, but still there"
    again, second = fixed(path, unsafe=unsafe)
    assert second.texts == ()
    assert list(map(reported, again.findings)) == list(map(reported, done.run.findings))
    check_comments(path.read_text(encoding="utf-8"), written)
    return DeviceFix(before, done)


def check_comments(after: str, written: Written) -> None:
    """No comment goes, not even with the key or item that it stands beside; but for a waiver, where that is the fix."""
    assert [c for c in comments(after) if WAIVER not in c] == [c.text for c in written.comments]


@pytest.mark.sweep("rocecfg/rules", "rocecfg/linting", "rocecfg/source")
@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.rule)
def test_fixes_fix_and_do_no_harm(slip: Slip, tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    drawn: set[str] = set()
    made: set[str] = set()

    @RUN
    @given(slipped(slip, intents))
    def holds(written: Written) -> None:
        safe = fix_text(path, written, unsafe=False)
        if safe.done.texts:  # else it is the same text
            after = outputs(path)
            path.write_text(written.text, encoding="utf-8")
            assert after == outputs(path), "a safe fix changed the configuration"
        both = fix_text(path, written, unsafe=True)
        for of in (safe, both):
            fixable = {f.rule.name for f in of.before.findings if f.fix is not None}
            drawn.update(fixable)
            made.update(fixable - {f.rule.name for f in of.done.run.findings if f.fix is not None})

    holds()
    assert slip.rule in drawn, "the slip is none"
    assert slip.rule in made


def test_every_fix_has_a_slip() -> None:
    assert {slip.rule for slip in SLIPS} == SAFE | UNSAFE


def protected_ports(path: Path) -> Counter[tuple[str, str]]:
    """Ports by device and what protects there: PFC and ECN of each class, the watchdog."""
    out: Counter[tuple[str, str]] = Counter()
    fabric = load(str(path), Sources()).fabric
    for device in fabric.devices if fabric is not None else ():
        for port in device.ports:
            found = [f"PFC {c.name}" for c in device.classes_on(port) if c.lossless]
            found += [f"ECN {c.name}" for c in device.classes_on(port) if c.ecn or c.ecn_by_speed]
            found += ["watchdog"] * (port.watchdog is not None)
            out.update({(name, what): len(port.names) or 1 for name in device.names or ("",) for what in found})
    return out


@pytest.mark.parametrize("slip", TOO_MUCH, ids=lambda slip: slip.rule)
def test_no_fix_removes_protection(slip: Slip, tmp_path: Path) -> None:
    """Not where none belongs either: that is taken off by hand. `fix_text` looks, here and for every slip."""

    @RUN
    @given(slipped(slip, intents))
    def holds(written: Written) -> None:
        fix_text(tmp_path / "fabric.yaml", written, unsafe=True)

    holds()


HARMFUL = """\
rocecfg: 1
fabric: {name: lab, mtu: 9000}
classes:
  rdma: {carries: [WORD], dscp: 26, lossless: true, priority: 3, bandwidth: 90, ecn: {kmin: 3MB, kmax: 6MB, pmax: 20%}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 10}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
defaults: {vendor: sonic, version: "202505", platform: nvidia-sn4700}
devices:
  leaf01:
    classes: {rdma: {bandwidth: 80}}
    ports: {Ethernet0: {speed: 400G, faces: host, cable: 3m}}
"""


@pytest.mark.parametrize(
    ("word", "after"),
    [*[(word, "rdma") for word in ("RDMA", "roce", "RoCEv2", "RoCE-v2", "nccl", "gpu")], ("fast", "fast")],
)
def test_a_class_of_rdma_under_another_name_stays_lossless(word: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    path.write_text(HARMFUL.replace("WORD", word), encoding="utf-8")
    save(fixed(path, unsafe=True)[1])
    (device,) = load(str(path), Sources()).fabric.devices
    assert [port.pfc for port in device.ports] == [(3,)]
    assert device.cls("rdma").carries == (after,)


def test_a_fix_that_would_switch_a_class_off_is_refused_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    text = HARMFUL.replace("WORD", "rdma").replace("classes: {rdma: {bandwidth: 80}}", "classes: {rdam: 'off'}")
    path.write_text(text, encoding="utf-8")
    done = fixed(path, unsafe=True)[1]
    assert not [t for t in done.texts if "rdma: 'off'" in t.after]
    assert [why for _, why in done.refused if "protection" in why and "rdma" in why]
