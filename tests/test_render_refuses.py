"""What a system does not take, render refuses by the rule that lint tells it by, whatever is waived or not linted.

Writers ask nothing of the kind: what passes the rules they write, and each system's own referee takes it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
import quick_yaml
from agreement_cases import BULK, CASES, HERE, LACKING, SWITCHES, lacking, written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import rocecfg
from loops import loop
from sampling import few, of_system, share, systems

from rocecfg.core.nodeset import node_set
from rocecfg.intent import load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import UnfitDevice, render_files
from rocecfg.profiles import SHIPPED, applies
from rocecfg.source.document import Sources


class Outcome(NamedTuple):
    """What lint refuses and what render does, each as (line, rule, message)."""

    errors: list[tuple[int, str, str]]
    refused: list[tuple[int, str, str]]


def outcome(text: str, vendor: str, folder: Path) -> Outcome:
    """Lint and render a text as `rocecfg lint` and `rocecfg render --no-lint --vendor` do."""
    path = folder / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    sources = Sources()
    loaded = load(str(path), sources, vendor)
    found, failed = judge(loaded)
    assert failed == []

    def shown(finding: Finding) -> tuple[int, str, str]:
        at = finding.at
        line = sources.documents[at.doc].place(at.start)[0] if at is not None else finding.line
        return line, finding.rule.name, finding.message

    errors = [shown(f) for f in found if f.severity == "error" or "render refuses it" in f.message]
    if loaded.fabric is None:
        return Outcome(errors, [])
    try:
        assert list(render_files(loaded.fabric, vendor))
    except UnfitDevice as refusal:
        return Outcome(errors, [shown(finding) for finding in refusal.findings])
    return Outcome(errors, [])


# -- any intent --------------------------------------------------------------------------------------------------------

Intent = dict[str, Any]
BOXES = {
    nos: [n for n in SHIPPED.names("platforms") if nos in SHIPPED.platform(n).boxes] for nos in SHIPPED.names("nos")
}
G = 10**9


def one_of(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


OF_SYSTEMS = ("nos-unsupported", "schema-nos-range")  # rules that say what a system does not take
WHOLE = 300  # intents a vendor
ABOUT = ("rocecfg/rules", "tests/test_render_refuses")
ECN = {"kmin": "400KB", "kmax": "1600KB", "pmax": "5%"}
DOG = {"detection_time": "200ms", "restoration_time": "400ms", "poll_interval": "100ms", "action": "drop"}
NUMBER = st.integers(0, 7)
SIZE = one_of("0B", "1B", "1000B", "18KB", "400KB", "1600KB", "34MB", "256MB", "257MB", "3GB")
SHARE = one_of("10G", "100G", "10%", "33.3%", "100%", "1500bit/s", "7bit/s", "0.00000001%", "5T")
TIME = one_of("9ms", "50ms", "100ms", "200ms", "205ms", "400ms", "250.5ms", "1s", "2s", "6s", "90s")
COLORS = one_of("all", ["green"], ["yellow", "red"], ["green", "yellow", "red"], [])
CURVE = st.fixed_dictionaries(
    {
        "kmin": one_of("1KB", "100KB", "400KB"),
        "kmax": one_of("400KB", "1600KB", "256MB", "257MB", "3GB"),
        "pmax": one_of("1%", "5%", "2.5%", "100%", "0.5%"),
    },
    optional={"weight": st.integers(0, 15), "colors": COLORS},
)
BANDWIDTH = one_of(60, 40, 20, 0, 0.3, 59.5, 39.5, "strict")
TIMERS = st.fixed_dictionaries(
    {"detection_time": TIME},
    optional={
        "restoration_time": TIME,
        "poll_interval": TIME,
        "action": one_of("drop", "forward", "alert", "errdisable"),
        "priorities": st.lists(NUMBER, max_size=2, unique=True),
    },
)
WATCHDOG = st.one_of(one_of("off", "vendor-default"), TIMERS)
ROOM = st.one_of(
    one_of("auto", "1B", "18KB", "40MB"),
    st.fixed_dictionaries(
        {"size": one_of("18KB", "40KB")}, optional={"xon": one_of("0B", "1KB", "20KB"), "xoff": one_of("0B", "17KB")}
    ),
)
BUFFERS = {
    "model": one_of("dynamic", "traditional"),
    "alpha": one_of(0.0078125, 0.25, 0.3, 1, 3, 8, 16, 128),
    "pools": st.fixed_dictionaries(
        {}, optional={p: one_of("0%", "40%", "50.5%", "60%", "100%") for p in ("lossless", "lossy")}
    ),
    "template": one_of("t0", "t1", "t9"),
    "queue_limit": one_of("1KB", "1MB", "1.9MB", "256MB"),
    "shared_headroom": one_of("off", "1MB", "34MB"),
    "oversubscribe": one_of(1, 2, 2.5, 65536),
    "lossless_mtu": one_of("0B", "1024B", "9216B", "9217B"),
    "small_packets": one_of("0%", "50%", "12.5%", "101%"),
}
CLASS = {
    "bandwidth": BANDWIDTH,
    "tc": NUMBER,
    "queue": NUMBER,
    "pg": NUMBER,
    "priority": NUMBER,
    "lossless": st.booleans(),
    "max_rate": SHARE,
    "guaranteed": SHARE,
    "ecn": st.one_of(
        one_of("off", "auto"), CURVE, CURVE.map(lambda c: {**c, "by_speed": {"400G": {**c, "kmax": "2MB"}}})
    ),
}
MAPS = st.dictionaries(
    one_of("rdma", "default", "cnp", "control"),
    st.one_of(
        one_of("off"),
        st.fixed_dictionaries(
            {},
            optional={
                "dscp": one_of([24], [26, 30], [48], [0]),
                "priority": NUMBER,
                "tc": NUMBER,
                "queue": NUMBER,
                "pg": NUMBER,
                "lossless": st.booleans(),
            },
        ).filter(bool),
    ),
    min_size=1,
    max_size=2,
)
PORT = {
    "flowcontrol": one_of("off", "rx", "tx", "on"),
    "trust": one_of("dscp", "pcp", "none"),
    "layer": one_of(2, 3),
    "faces": one_of("host", "switch", "storage", "management"),
    "cable": one_of("1m", "5m", "30.5m", "300m", "3km", "120km"),
    "lag": one_of("bond1", "LAG_10", "a-name-longer-than-15", "po.1", "1", "ae1"),
    "mtu": one_of(1500, 9000, 9214, 9300),
    "pfc": st.fixed_dictionaries({}, optional={"watchdog": WATCHDOG, "headroom": ROOM}),
    "classes": st.one_of(one_of(["default", "control"], ["rdma"], ["rdma", "bulk"], {"rdma": {"ecn": "off"}}), MAPS),
    "classes ": MAPS,  # as often again
}
DEVICE = {
    "dcbx": one_of("off", "auto", "willing", "on"),
    "switch_type": one_of("npu", "voq"),
    "mtu": one_of(1500, 9214, 9216),
}
FABRIC = {
    "mode": one_of("lossless", "semi-lossless"),
    "kind": one_of("backend", "converged"),
    "classification": one_of("explicit", "vendor"),
    "congestion_control": one_of("dcqcn", "none"),
    "dual_tor": st.booleans(),
}


PARTS = ("class", "bulk", "device", "fabric", "watchdog", "headroom", "buffers", "port", "no devices", "no platform")
ASICS = {
    "sonic": one_of("tomahawk5", "jericho2", "spectrum4", "silicon-one-g200"),
    "spectrum": one_of("spectrum3", "spectrum4"),
    "arista": one_of("tomahawk5", "jericho2"),
    "junos": one_of("tomahawk5", "trident3"),
    "nxos": one_of("cloud-scale-gx2", "silicon-one-g200"),
    "srlinux": one_of("tomahawk4", "trident4-8t"),
}


def changes(draw: st.DrawFn, of: dict[str, Any], most: int = 2) -> Intent:
    keys = draw(st.lists(st.sampled_from(sorted(of)), min_size=1, max_size=most, unique=True))
    return {key: draw(of[key]) for key in keys}


def box_of(draw: st.DrawFn, vendor: str, defaults: Intent) -> tuple[tuple[str, str], int]:
    """Choose platform and release, or chip; gives the names of two ports and their speed."""
    platform = SHIPPED.platform(draw(st.sampled_from(BOXES[vendor])))
    box = platform.boxes[vendor]
    releases = [r for r in SHIPPED.nos(vendor).releases if applies(box.since, None, vendor, r)]
    defaults["platform"] = platform.name
    defaults["version"] = draw(st.sampled_from(releases))
    cages = box.layout.cages if box.layout is not None else ()
    alike = [cage.whole or cage.names[0] for cage in cages if cage.of == cages[0].of]  # no part of one that is split
    first, *_, last = alike if len(alike) > 1 else node_set(box.ports).names
    return (first, last), draw(st.sampled_from(box.speeds or SHIPPED.asic(platform.asic).speeds or (400 * G,)))


@st.composite
def intents(draw: st.DrawFn, vendor: str) -> str:
    """A sound intent with a few changes, so that many stay without an error."""
    parts = draw(st.lists(st.sampled_from(PARTS), max_size=3, unique=True))
    classes: Intent = {
        "rdma": {"carries": ["rdma"], "dscp": 26, "priority": 3, "lossless": True, "bandwidth": 60, "ecn": dict(ECN)},
        "cnp": {"carries": ["cnp"], "dscp": 48, "priority": 6, "bandwidth": "strict"},
        "control": {"carries": ["control"], "dscp": 56, "priority": 7, "bandwidth": "strict"},
        "default": {"carries": ["default"], "dscp": "rest", "priority": 0, "bandwidth": 40},
    }
    defaults: Intent = {"vendor": vendor}
    stated: Intent = {
        "rocecfg": 1,
        "fabric": {"name": "t"},
        "classes": classes,
        "pfc": {"watchdog": dict(DOG)},
        "defaults": defaults,
    }
    if not SHIPPED.nos(vendor).knows("class.ecn.kmin"):
        classes["rdma"]["ecn"] = draw(one_of({"kmin": "55%", "kmax": "90%", "pmax": "100%"}, dict(ECN)))
        stated["buffers"] = (
            {} if "%" in classes["rdma"]["ecn"]["kmin"] else {"queue_limit": draw(one_of("1.9MB", "4MB"))}
        )
    if "bulk" in parts:
        kind = draw(one_of("rdma", "storage", "cnp", "control", "our-own"))
        classes["default"]["bandwidth"] = 20
        classes["bulk"] = {"carries": [kind], "dscp": 20, "priority": draw(NUMBER), "bandwidth": 20}
        classes["bulk"].update(changes(draw, CLASS))
    if "class" in parts:
        classes[draw(st.sampled_from(sorted(classes)))].update(changes(draw, CLASS))
    if "device" in parts:
        defaults.update(changes(draw, DEVICE, 1))
    if "fabric" in parts:
        stated["fabric"].update(changes(draw, FABRIC))
    if "watchdog" in parts:
        stated["pfc"]["watchdog"] = draw(WATCHDOG)
    if "headroom" in parts:
        stated["pfc"]["headroom"] = draw(ROOM)
    if "buffers" in parts:
        stated["buffers"] = stated.get("buffers", {}) | changes(draw, BUFFERS)
    names, speed = (
        {
            "sonic": ("Ethernet0", "Ethernet8"),
            "spectrum": ("swp1", "swp2"),
            "junos": ("et-0/0/0", "et-0/0/1"),
            "nxos": ("Ethernet1/1", "Ethernet1/2"),
            "srlinux": ("ethernet-1/1", "ethernet-1/2"),
        }.get(vendor, ("Ethernet1/1", "Ethernet2/1")),
        400 * G,
    )
    if "no platform" in parts:
        defaults["asic"] = draw(ASICS[vendor])
    else:
        names, speed = box_of(draw, vendor, defaults)
    if "no devices" not in parts:
        plain = {"speed": f"{speed // 10**6}M", "cable": "5m"}
        ports = {name: dict(plain) for name in names}
        if "port" in parts:
            for port in ports.values():
                port.update({key.strip(): value for key, value in changes(draw, PORT, 1).items()})
        stated["devices"] = {"leaf01": {"ports": ports}}
    return quick_yaml.dump(stated)


@pytest.mark.parametrize("vendor", systems(SHIPPED.names("nos"), *ABOUT))
def test_what_lint_passes_is_rendered_and_what_it_refuses_for_a_system_is_not(
    vendor: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp(vendor)
    tally = {"sound": 0, "all": 0}
    most = share(WHOLE, *ABOUT, *of_system(vendor))

    @settings(
        max_examples=most, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(intents(vendor))
    def agrees(text: str) -> None:
        errors, refused = outcome(text, vendor, folder)  # no writer raises anything else
        tally["all"] += 1
        tally["sound"] += not errors
        assert errors or not refused, f"lint passes, but: {refused}\n{text}"
        told = {error for error in errors if error[1] in OF_SYSTEMS}
        assert told <= set(refused), f"lint alone refuses: {told - set(refused)}\n{text}"

    agrees()
    assert tally["sound"] * (10 if most == WHOLE else 20) > tally["all"], (
        f"too few sound intents to say anything: {tally}"
    )


# -- each limit --------------------------------------------------------------------------------------------------------


@loop("case", CASES)
def test_a_limit_is_refused_by_its_rule_where_it_is_broken(case: str, tmp_path: Path) -> None:
    vendor, stated, fragment = CASES[case]
    text = written(vendor, stated)
    (line,) = (n for n, content in enumerate(text.splitlines(), 1) if HERE in content)
    errors, refused = outcome(text, vendor, tmp_path)
    for found in (errors, refused):
        assert [e[0] for e in found if e[1] in OF_SYSTEMS and fragment in e[2]] == [line], found


@loop("case", LACKING)
def test_what_nobody_states_is_told_by_lint_and_refused(case: str, tmp_path: Path) -> None:
    vendor, text, reported = lacking(case)
    errors, refused = outcome(text, vendor, tmp_path)
    assert errors
    assert any(reported in message for _, _, message in refused), refused


@loop("case", few(sorted({**CASES, **LACKING})))
def test_nothing_is_written_for_a_system_that_would_not_take_it(case: str, tmp_path: Path) -> None:
    """A limit of a system is no matter of taste: neither --no-lint nor settings that ignore the rules pass over it."""
    if case in LACKING:
        vendor, text, reported = lacking(case)
    else:
        vendor, stated, reported = CASES[case]
        text = written(vendor, stated)
    (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "rocecfg.toml").write_text('select = ["hygiene-unused"]\n', encoding="utf-8")
    linted = () if len(case) % 2 else ("--no-lint",)
    done = rocecfg(tmp_path, "render", "--vendor", vendor, "-o", "out", *linted, expect=2)
    assert reported in " ".join(done.stderr.split())
    assert "nothing rendered" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("vendor", SWITCHES)
def test_the_intent_that_cases_change_is_sound(vendor: str, tmp_path: Path) -> None:
    assert outcome(written(vendor, {}), vendor, tmp_path) == Outcome([], [])


@pytest.mark.parametrize(
    ("own", "trust"),
    [("priority: 1, tc: 0, queue: 1", "dscp"), ("priority: 0, tc: 1", "pcp")],
    ids=["queue of a traffic class", "traffic class of an 802.1p value"],
)
def test_a_map_of_sonic_has_one_value_a_key(own: str, trust: str, tmp_path: Path) -> None:
    """The map would silently hold the value of one of the classes."""
    stated = {
        **BULK,
        "more": f"own: {{carries: [our-own], dscp: 20, {own}, bandwidth: 20}}",
        "second": f"classes: [default]\n        trust: {trust}",
    }
    text = written("sonic", stated)
    errors, refused = outcome(text, "sonic", tmp_path)
    assert refused
    assert [(text.splitlines()[line - 1].strip(), rule) for line, rule, _ in errors] == [
        (stated["more"], "nos-unsupported")
    ]


@pytest.mark.parametrize("headroom", ["auto", "{size: 40KB, xon: 1KB, xoff: 20KB}"])
def test_a_hwsku_without_lossless_buffers_is_a_finding_whatever_the_headroom(headroom: str, tmp_path: Path) -> None:
    pfc = f"pfc: {{headroom: {headroom}, watchdog: {{detection_time: 200ms}}}}"
    switch = "platform: arista-7060x6-64pe\n  hwsku: Arista-7060X6-64PE\n  version: '202405'"
    text = written("sonic", {"pfc": pfc, "switch": switch, "rest": "buffers: {alpha: 1}"})
    errors, refused = outcome(text, "sonic", tmp_path)
    assert refused
    assert [(text.splitlines()[line - 1].strip(), rule) for line, rule, _ in errors] == [
        ("hwsku: Arista-7060X6-64PE", "schema-asic-nos")
    ]


def test_a_cable_or_speed_that_no_headroom_is_listed_for_is_a_finding(tmp_path: Path) -> None:
    text = written("sonic", {"switch": "platform: dell-z9332f\n  version: '202405'"})
    for old, new, stated in (("cable: 5m", "cable: 3km", "has no cable of 3000 m"), ("400G", "10G", "has no 10G in")):
        errors, refused = outcome(text.replace(old, new, 1), "sonic", tmp_path)
        assert refused
        ((line, rule, message),) = errors
        assert (rule, text.splitlines()[line - 1].strip()) == (
            "schema-asic-nos",
            old if ":" in old else f"speed: {old}",
        )
        assert stated in message


@pytest.mark.parametrize(
    ("switch", "stated", "reported"),
    [
        ("platform: dell-z9332f", "oversubscribe: 2", "buffers.oversubscribe 2"),
        ("platform: nvidia-sn5600", "pools: {lossless: 60%}\n  model: traditional", "buffers.pools without a template"),
        ("platform: dell-z9332f", "shared_headroom: off", "buffers.shared_headroom without a template off"),
    ],
)
def test_what_is_left_out_of_the_text_is_a_warning(switch: str, stated: str, reported: str, tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    path.write_text(written("sonic", {"switch": switch, "rest": f"buffers:\n  {stated}"}), encoding="utf-8")
    loaded = load(str(path), Sources(), "sonic")
    found, _ = judge(loaded)
    assert loaded.fabric is not None
    assert [f.message for f in found if f.severity == "warning" and f"cannot express {reported}:" in f.message]
    (file,) = render_files(loaded.fabric, "sonic")
    assert '"BUFFER_POOL":' not in file.text
    assert "over_subscribe_ratio" not in file.text
    assert any("the platform's buffer templates decide: buffers." in note for note in file.rendering.notes)
