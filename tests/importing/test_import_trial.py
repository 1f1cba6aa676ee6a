"""An intent that lints clean, rendered: lint finds no error in it, nor in the intent that import makes of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sampling import of_system, share, systems
from test_render_refuses import intents, outcome

from rocecfg.importing import check_loads, import_intent, read_configurations
from rocecfg.importing.refusals import find_refusals, try_out
from rocecfg.intent import load
from rocecfg.linting import suppressions
from rocecfg.linting.discover import Overlaid
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ERROR
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

CONFIGURATIONS = (".json", ".yaml", ".cfg", ".conf", ".cli")
NOT_SAID = "without the family of the chip|without a known buffer model"  # which no rendered text tells
NOT_JUDGED = {"nvue-explicit-buffer"}  # a headroom that the intent states has no rule on where it pauses
MOST = 60  # intents a vendor
ABOUT = ("rocecfg/importing", "rocecfg/intent", "tests/importing/test_import_trial")


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


@pytest.mark.parametrize("vendor", systems(SHIPPED.names("nos"), *ABOUT))
def test_what_lints_clean_is_rendered_and_imported_without_an_error(
    vendor: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp(vendor)
    tried = set()
    most = share(MOST, *ABOUT, *of_system(vendor))

    @settings(
        max_examples=most,
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
    assert len(tried) > most // 12


OLD = """\
rocecfg: 1
fabric: {name: lab, mtu: 9000}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60,
         ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
devices:
  leaf01: {platform: nvidia-sn3700, vendor: sonic, version: "RELEASE",
           ports: {"Ethernet[0,4]": {speed: 100G, cable: 5m}}}
"""


def test_old_sonic_that_states_no_release_has_no_false_error(tmp_path: Path) -> None:
    """CONFIG_DB names none: what only some releases get wrong is no error."""
    intent = tmp_path / "fabric.yaml"
    told = {}
    for release in ("201911", "202012", "202106", "202111", "202205", "202311"):
        intent.write_text(OLD.replace("RELEASE", release), encoding="utf-8")
        fabric = load(str(intent), Sources(), "sonic").fabric
        assert fabric is not None
        (file,) = (each for each in render_files(fabric, "sonic") if each.name == "leaf01.json")
        path = tmp_path / file.name
        path.write_text(file.rendering.body, encoding="utf-8")
        assert errors_of_running(path, "sonic") == [], release
        assert errors_of_import(path, "sonic") == [], release
        sources = Sources()
        (draft,) = read_drafts(sources.read(str(path)), "sonic")
        told[release] = {(one.severity, one.rule) for one in draft.problems if "release" in one.message}
    assert told.pop("202111") == {("warning", "watchdog-priorities")}  # nobody knows whether anything is watched
    assert set().union(*told.values()) == {("info", "watchdog-priorities")}
    # of one that has the field in another row, a row without it is watched by nothing
    rows = json.loads(path.read_text(encoding="utf-8"))
    del rows["PORT_QOS_MAP"]["Ethernet4"]["pfcwd_sw_enable"]
    path.write_text(json.dumps(rows), encoding="utf-8")
    assert [each.partition(":")[0] for each in errors_of_running(path, "sonic")] == ["watchdog-priorities"]


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


def test_what_no_writer_renders_is_told(tmp_path: Path) -> None:
    """A shared headroom pool where no template has one: the intent keeps it, and no switch gets it."""
    pool = {"type": "ingress", "mode": "dynamic", "size": "7719936", "xoff": "1032192"}
    path = tmp_path / "leaf1.json"
    ports = {"Ethernet0": {"lanes": "0,1,2,3", "speed": "100000"}}
    path.write_text(json.dumps({"PORT": ports, "BUFFER_POOL": {"ingress_lossless_pool": pool}}), encoding="utf-8")
    sources = Sources()
    made = import_intent(str(path), read_configurations([str(path)], sources, "sonic"), sources)
    tried = try_out("new.yaml", made)
    assert "shared_headroom: 1008KiB" in tried.made.text
    guessed, told = tried.messages
    assert guessed.startswith("guessed: the release of leaf1")
    assert told.startswith("kept in the intent: ")
    assert "1008KiB" in told
    assert told.endswith("so it is not rendered")


NUMBERS = st.one_of(st.integers(0, 7), st.integers(0, 2**33)).map(str)
PORT_NAMES = st.one_of(
    st.from_regex(r"Ethernet(0|[1-9][0-9]{0,11})", fullmatch=True),
    st.sampled_from(["x y", "Ethernet0/[1", "é", "a" * 80]),
)


@settings(max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(
    maps=st.fixed_dictionaries({name: st.lists(NUMBERS, min_size=8, max_size=8) for name in ("queue", "pg", "tc")}),
    ports=st.lists(PORT_NAMES, min_size=1, max_size=3, unique=True),
)
def test_any_numbers_and_names_of_sonic_are_imported_or_told(
    maps: dict[str, list[str]], ports: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Queue 9 (there since 202411), priority group 15 and Ethernet4294967296 ended in an intent that did not load."""
    bound = {
        "dscp_to_tc_map": "M",
        "tc_to_queue_map": "M",
        "tc_to_pg_map": "M",
        "pfc_to_queue_map": "M",
        "pfc_enable": "3",
    }
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "hwsku": "DellEMC-Z9664f-O64"}},
        "PORT": {port: {"lanes": "1,2", "speed": "400000"} for port in ports},
        "PORT_QOS_MAP": dict.fromkeys(ports, bound),
        "DSCP_TO_TC_MAP": {"M": {str(code): maps["tc"][code % 8] for code in range(64)}},
        "TC_TO_QUEUE_MAP": {"M": {str(tc): queue for tc, queue in enumerate(maps["queue"])}},
        "TC_TO_PRIORITY_GROUP_MAP": {"M": {str(tc): group for tc, group in enumerate(maps["pg"])}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"M": {str(n): str(n) for n in range(8)}},
    }
    path = tmp_path_factory.mktemp("sonic") / "leaf01.json"
    path.write_text(json.dumps(tables), encoding="utf-8")
    sources = Sources()
    made = import_intent(str(path), read_configurations([str(path)], sources, "sonic"), sources)
    assert try_out("new.yaml", made).made.text


def test_a_queue_that_no_intent_has_is_told(tmp_path: Path) -> None:
    path = Path(tmp_path / "leaf01.json")
    maps = {"DSCP_TO_TC_MAP": {"M": {"0": "0"}}, "TC_TO_QUEUE_MAP": {"M": {"0": "9"}}}
    bound = {"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "M", "tc_to_queue_map": "M"}}}
    path.write_text(json.dumps({**maps, **bound, "PORT": {"Ethernet0": {"speed": "400000"}}}), encoding="utf-8")
    sources = Sources()
    text = import_intent(str(path), read_configurations([str(path)], sources, "sonic"), sources).text
    assert "queue 9 of tc 0: an intent has 0 to 7" in text
