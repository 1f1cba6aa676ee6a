"""Whatever was changed: what is shown leads back to what is meant, and nothing changed is no drift."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from drift_cases import apply, change, compared, rendered, running, set_lines, stated, typed_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MOST = 25
QUICK = settings(
    max_examples=MOST, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
SONIC = [("auto", "leaf01"), ("converged", "leaf03"), ("rail-1024", "rail0-leaf1")]
SPECTRUM = [("train-256", "leaf01"), ("train-256", "spine01"), ("converged", "leaf01"), ("auto", "spine01")]
ARISTA = [("auto", "spine02"), ("converged", "spine01"), ("rail-1024", "spine1")]
JUNOS = [("rail-512", "rail0-leaf1")]
MAPS = ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE")
TABLES = (*MAPS, "SCHEDULER", "WRED_PROFILE", "CABLE_LENGTH", "PORT_QOS_MAP", "QUEUE", "PFC_WD")
OTHERS = {  # other values that fields take
    "pfc_enable": ("3,4", "4", "0,1,2,3"),
    "pfcwd_sw_enable": ("3,4", "4"),
    "weight": ("1", "15", "50", "100"),
    "type": ("STRICT", "DWRR"),
    "action": ("alert", "forward"),
    "detection_time": ("100", "400", "3200"),
    "restoration_time": ("1000", "60000"),
    "POLL_INTERVAL": ("100", "200"),
    "ecn": ("ecn_none", "ecn_green", "ecn_red"),
}


def check(example_name: str, file: str, text: str, folder: Path) -> None:
    found = compared(example_name, {file: text}, folder)
    if not found.differences:
        return
    fixed = change(found)
    assert fixed.left == {}, (stated(found), [step.lines or step.operations for step in fixed.change.steps])
    after = apply(text, fixed.change.steps, folder)
    assert stated(compared(example_name, {file: after}, folder)) == []


@QUICK
@given(data=st.data())
def test_sonic(tmp_path: Path, data: st.DataObject) -> None:
    name, device = data.draw(st.sampled_from(SONIC))
    config: dict[str, Any] = json.loads(running(name, device))
    for _ in range(data.draw(st.integers(1, 5))):
        table = data.draw(st.sampled_from([t for t in TABLES if config.get(t)]))
        key = data.draw(st.sampled_from(sorted(config[table])))
        row = config[table][key]
        if not row or data.draw(st.integers(0, 5)) == 0:
            if table in ("QUEUE", "PFC_WD", "PORT_QOS_MAP"):  # rows that no other refers to
                del config[table][key]
            continue
        field = data.draw(st.sampled_from(sorted(row)))
        value = row[field]
        names = sorted(config.get({"scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE"}.get(field, ""), {}))
        if field in OTHERS:
            row[field] = data.draw(st.sampled_from(OTHERS[field]))
        elif names:
            row[field] = data.draw(st.sampled_from(names))
        elif field.endswith("_enable"):
            row[field] = "false"
        elif field.endswith("_map") or table == "CABLE_LENGTH":
            row[field] = "300m" if table == "CABLE_LENGTH" else value
        elif table.endswith(("_MAP", "_QUEUE")):
            row[field] = str(data.draw(st.integers(0, 7)))
        else:
            row[field] = str(data.draw(st.integers(1, 3 * int(value) + 1)) if "prob" not in field else 50)
    check(name, f"{device}.json", json.dumps(config), tmp_path)


@QUICK
@given(data=st.data())
def test_spectrum(tmp_path: Path, data: st.DataObject) -> None:
    name, device = data.draw(st.sampled_from(SPECTRUM))
    lines = typed_in(name, device)
    kept = [x for x in lines if " roce " not in x and "hostname" not in x and "breakout" not in x]
    for _ in range(data.draw(st.integers(1, 4))):
        line = data.draw(st.sampled_from(kept))
        if line not in lines:
            continue
        at = lines.index(line)
        number = re.fullmatch(r"(.*(?:threshold|percent|probability|length|interval|robustness)) (\d+)", line)
        chain = re.fullmatch(r"(.* switch-priority|.* traffic-class) (\d)", line)
        if number is not None and data.draw(st.booleans()):
            most = 100 if "percent" in line or "probability" in line else 5000
            lines[at] = f"{number[1]} {data.draw(st.integers(max(1, most // 10), most))}"
        elif chain is not None and "pool" not in line and " pfc " not in line:
            lines[at] = f"{chain[1]} {data.draw(st.integers(0, 7))}"
        else:
            del lines[at]
    check(name, f"{device}.nv", "\n".join([*lines, ""]), tmp_path)


@QUICK
@given(data=st.data())
def test_arista(tmp_path: Path, data: st.DataObject) -> None:
    name, device = data.draw(st.sampled_from(ARISTA))
    lines = running(name, device).splitlines()
    words = ("bandwidth", "random-detect", "priority", "qos", "service-profile", "mtu", "flowcontrol", "no ", "shape")
    inside = [
        n for n, line in enumerate(lines) if line.strip().startswith(words) and not line.startswith("qos profile")
    ]
    for n in sorted(data.draw(st.lists(st.sampled_from(inside), min_size=1, max_size=4, unique=True)), reverse=True):
        line = lines[n]
        how = data.draw(st.integers(0, 3))
        number = re.fullmatch(r"(.*(?:percent|threshold|mtu|traffic-class|uc-tx-queue)) (\d+)(.*)", line)
        if how and number is not None:
            most = 7 if number[1].endswith(("traffic-class", "queue")) else 100 if "percent" in line else 9214
            least = 0 if most == 7 else 68 if "mtu" in line else 1
            lines[n] = f"{number[1]} {data.draw(st.integers(least, most))}{number[3]}"
        elif how > 1 and re.match(r"no priority-flow-control priority \d", line.strip()):
            lines[n] = line.replace("no ", "", 1) + " no-drop"
        else:
            del lines[n]
    check(name, f"{device}.cfg", "\n".join([*lines, ""]), tmp_path)


@settings(QUICK, max_examples=10)  # of 64 ports each
@given(data=st.data())
def test_junos(tmp_path: Path, data: st.DataObject) -> None:
    name, device = data.draw(st.sampled_from(JUNOS))
    lines = set_lines(name, device).splitlines()
    own = re.compile(r"set (?:class-of-service )?interfaces et-0/0/(?!0 |32 )")  # a port of each kind stands for all
    inside = [n for n, line in enumerate(lines) if not line.startswith("set system") and own.match(line) is None]
    for n in sorted(data.draw(st.lists(st.sampled_from(inside), min_size=1, max_size=4, unique=True)), reverse=True):
        number = re.fullmatch(r"(.* (?:percent|fill-level|mtu|detection|recovery|cable-length)) (\d+)", lines[n])
        if data.draw(st.booleans()) and number is not None:
            most = 9216 if number[1].endswith("mtu") else 100
            lines[n] = f"{number[1]} {data.draw(st.integers(256 if most > 100 else 1, most))}"
        else:
            del lines[n]
    check(name, f"{device}.conf", "\n".join([*lines, ""]), tmp_path)


@pytest.mark.parametrize(("name", "device"), SONIC + SPECTRUM + ARISTA + JUNOS)
def test_the_devices_are_there(name: str, device: str) -> None:
    assert device in rendered(name)
