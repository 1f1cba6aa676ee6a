"""An intent that lints clean, rendered: lint finds no error in it, nor in the intent that import makes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from test_lint_render_agree import intents, outcome

from rocecfg.importing import check_loads, import_intent, read_configurations
from rocecfg.importing.refusals import find_refusals, try_out
from rocecfg.intent import load
from rocecfg.linting import suppressions
from rocecfg.linting.discover import Overlaid
from rocecfg.linting.judge import judge
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ERROR
from rocecfg.source.document import Sources
from rocecfg.vendors.rendering import render_files
from rocecfg.vendors.running import fabric_of, read_drafts

CONFIGURATIONS = (".json", ".yaml", ".cfg", ".conf")
NOT_SAID = "chip family is unknown|buffer model of the switch is unknown"  # which no rendered text tells
NOT_JUDGED = {"nvue-explicit-buffer"}  # a headroom that the intent states has no rule on where it pauses
MOST = 60  # intents a vendor


def errors_of_running(path: Path, vendor: str) -> list[str]:
    """The errors that lint finds in a configuration."""
    sources = Sources()
    document = sources.read(str(path))
    found, _ = judge(fabric_of(str(path), [(document, read_drafts(document, vendor))], [], sources))
    return [f"{f.rule.name}: {f.message}" for f in found if f.severity == ERROR and f.rule.name not in NOT_JUDGED]


def errors_of_import(path: Path, vendor: str) -> list[str]:
    """The errors that lint finds in the intent that a configuration amounts to, and why it cannot be rendered."""
    sources = Sources()
    made = import_intent(str(path), read_configurations([str(path)], sources, vendor), sources)
    text = try_out("new.yaml", made).made.text
    again = Overlaid("new.yaml", text.encode())
    loaded = check_loads("new.yaml", text, made.running, again)
    found, _ = suppressions.apply(judge(loaded)[0], again.documents, "2026-06-30")
    errors = [f"{f.rule.name}: {f.message}" for f in found if f.severity == ERROR]
    assert not [f for f in found if f.rule.name.startswith("hygiene-waiver")]
    return [*errors, *(why for each in find_refusals(loaded.fabric) if not re.search(NOT_SAID, why := str(each)))]


@pytest.mark.parametrize("vendor", SHIPPED.names("nos"))
def test_what_lints_clean_is_rendered_and_imported_without_an_error(
    vendor: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp(vendor)
    tried = set()

    @settings(
        max_examples=MOST,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(intents(vendor))
    def holds(text: str) -> None:
        if any(outcome(text, vendor, folder)):
            return
        fabric = load(str(folder / "fabric.yaml"), Sources(), vendor).fabric
        if fabric is None or not any(device.names for device in fabric.devices):
            return  # a policy: a part of no switch
        for file in render_files(fabric, vendor):
            if file.name.endswith(CONFIGURATIONS) and not file.name.startswith("APPLY"):
                path = folder / file.name
                path.write_text(file.rendering.body, encoding="utf-8")
                assert errors_of_running(path, vendor) == []
                assert errors_of_import(path, vendor) == []
                tried.add(text)

    holds()
    assert len(tried) > MOST // 12


STRICT = """\
set system host-name leaf1
set class-of-service classifiers dscp D forwarding-class NO-LOSS loss-priority low code-points 011010
set class-of-service classifiers dscp D forwarding-class CNP loss-priority low code-points 110000
set class-of-service forwarding-classes class NO-LOSS queue-num 4 no-loss pfc-priority 3
set class-of-service forwarding-classes class CNP queue-num 3
set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile P pfc-watchdog
set class-of-service congestion-notification-profile P output ieee-802.1 code-point 011 flow-control-queue 4
set class-of-service scheduler-maps M forwarding-class NO-LOSS scheduler S1
set class-of-service scheduler-maps M forwarding-class CNP scheduler S2
set class-of-service schedulers S1 transmit-rate percent 95
set class-of-service schedulers S2 transmit-rate percent 5
set class-of-service schedulers S2 priority strict-high
set class-of-service schedulers S2 shaping-rate 10g
set class-of-service interfaces et-0/0/0 congestion-notification-profile P
set class-of-service interfaces et-0/0/0 scheduler-map M
set class-of-service interfaces et-0/0/0 unit 0 classifiers dscp D
set interfaces et-0/0/0 mtu 9216
"""


def test_what_the_system_cannot_express_is_left_out_and_told(tmp_path: Path) -> None:
    """A guarantee of a strict queue, as Juniper's validated designs have it, is no setting of an intent on Junos."""
    path = tmp_path / "leaf1.set"
    path.write_text(STRICT, encoding="utf-8")
    sources = Sources()
    made = import_intent(str(path), read_configurations([str(path)], sources, "junos"), sources)
    tried = try_out("new.yaml", made)
    assert "guaranteed:" not in tried.made.text
    assert "pg:" not in tried.made.text
    assert "lossless: true" in tried.made.text
    assert [m for m in tried.messages if m.startswith("left out: guaranteed of class cnp")]
    assert not [m for m in tried.messages if "cannot be rendered" in m]
