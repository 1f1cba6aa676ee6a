"""What is rendered and runs otherwise to the same effect is listed, and what no intent states is counted."""

from __future__ import annotations

import json
from pathlib import Path

from intents import rocecfg
from sonic_switches import INTENTS, Case

CHANGED = {  # table, row, field and value that runs: what is said of it
    ("WRED_PROFILE", "AZURE_LOSSLESS", "wred_green_enable", "false"): "the chip marks by `ecn`",
    ("MAP_PFC_PRIORITY_TO_QUEUE", "AZURE", "6", "3"): "PFC is off for this priority",
    ("TC_TO_QUEUE_MAP", "AZURE", "2", "0"): "packets of each class still go to the intended queue",
}


def test_what_runs_otherwise_to_the_same_effect_is_listed(tmp_path: Path) -> None:
    case = Case("computed", tmp_path)
    assert case.against(case.config()).others.same == {}
    config = case.config()
    for (table, key, field, value), why in CHANGED.items():
        one = case.config()
        config[table][key][field] = one[table][key][field] = value
        found = case.against(one)
        assert not found.differing
        assert not found.uncovered
        assert [reason for reason in found.others.same if reason.startswith(why)]
    (tmp_path / "leaf01.json").write_text(json.dumps(config), encoding="utf-8")
    (tmp_path / "intent.yaml").write_text(INTENTS["computed"], encoding="utf-8")
    words = ("drift", "intent.yaml", "--running", "leaf01.json")
    lines = rocecfg(tmp_path, *words, expect=0).stdout.splitlines()
    assert sum(line.startswith("differs, same effect: ") for line in lines) == len(CHANGED)
    reported = json.loads(rocecfg(tmp_path, *words, "--format", "json", expect=0).stdout)
    assert len(reported["apart"]["same_effect"]) == len(CHANGED)


def test_what_the_intent_does_not_state_is_counted_and_listed(tmp_path: Path) -> None:
    case = Case("computed", tmp_path)
    config = {**case.config(), "FOO_OF_TOMORROW": {"x": {"y": "1"}}, "LLR_PORT": {"Ethernet0": {"llr": "on"}}}
    (tmp_path / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    (tmp_path / "intent.yaml").write_text(INTENTS["computed"], encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "leaf01.json", "--unstated", expect=1)
    *_, stands, last = done.stdout.splitlines()
    assert "not compared: 1 setting (leaf01.json:" in last  # the table without a model
    assert "1 unknown (line " in stands
    assert stands.endswith(" running settings that the intent does not state")
    assert 'unknown: "FOO_OF_TOMORROW"' in done.stdout
    assert "as text: LLR_PORT" in done.stdout
    assert "unstated: egress.headroom_type 0-7: static on leaf01" in done.stdout


def test_beside_a_difference_and_in_a_part_it_is_counted_too(tmp_path: Path) -> None:
    """What else runs otherwise is told with the difference, not after it is fixed; of a part, what it has."""
    case = Case("computed", tmp_path)
    config = case.config()
    more = {
        "BUFFER_POOL": {"spare": {"type": "ingress", "mode": "dynamic", "size": "4096"}},
        "SCHEDULER": {"spare": {"type": "DWRR", "weight": "3"}},
    }
    for table, rows in more.items():
        config.setdefault(table, {}).update(rows)
    config["FLEX_COUNTER_TABLE"]["QUEUE_WATERMARK"] = {"FLEX_COUNTER_STATUS": "disable", "POLL_INTERVAL": "777"}
    before = case.against(config)
    assert (before.differing, [one.settings[0].topic for one in before.uncovered]) == ([], ["counters"])
    config["PORT_QOS_MAP"]["Ethernet0"]["pfc_enable"] = "4"
    found = case.against(config)
    assert "pfc" in {one.topic for one in found.differences}
    assert "counters" in {setting.topic for one in found.uncovered for setting in one.settings}
    assert {key for key in before.others.unstated if "spare" in str(key)} <= set(found.others.unstated)
    (tmp_path / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    (tmp_path / "intent.yaml").write_text(INTENTS["computed"], encoding="utf-8")
    words = ("drift", "intent.yaml", "--running", "leaf01.json", "--unstated")
    lines = rocecfg(tmp_path, *words, expect=1).stdout.splitlines()
    for line in ("pool.spare.size: 4KiB", "idle.SCHEDULER|spare: type DWRR, weight 3", "counters.QUEUE_WATERMARK.POLL"):
        assert any(each.startswith(f"unstated: {line}") for each in lines), line
    (tmp_path / "leaf01.json").write_text(json.dumps(more, indent=1), encoding="utf-8")
    of_part = rocecfg(tmp_path, *words, "--partial", expect=None).stdout
    assert "unstated: pool.spare.size: 4KiB on leaf01" in of_part
    assert "differs, same effect" not in of_part


def test_what_a_difference_tells_is_not_told_again_as_not_compared(tmp_path: Path) -> None:
    """One field, one difference; and what hangs on a field that is not understood is told as not sure."""
    config = Case("computed", tmp_path).config()
    (tmp_path / "intent.yaml").write_text(INTENTS["computed"], encoding="utf-8")
    (tmp_path / "kept.json").write_text(json.dumps(config), encoding="utf-8")
    config["FLEX_COUNTER_TABLE"]["PFCWD"]["FLEX_COUNTER_STATUS"] = "disable"
    (tmp_path / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    for intended in ("intent.yaml", "kept.json"):  # of the latter in the field's own words alone
        lines = rocecfg(tmp_path, "drift", intended, "--running", "leaf01.json", expect=1).stdout.splitlines()
        assert lines[-1] == "1 difference on 1 of 1 device", intended
        assert not [line for line in lines if line.startswith("not compared: counters")], intended
    config["FLEX_COUNTER_TABLE"]["PFCWD"]["FLEX_COUNTER_STATUS"] = "enable"
    port = next(key for key in config["PFC_WD"] if key != "GLOBAL")
    config["PFC_WD"][port]["of_tomorrow"] = "3"
    (tmp_path / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    lines = rocecfg(tmp_path, "drift", "intent.yaml", "--running", "leaf01.json", expect=2).stdout.splitlines()
    (at,) = (n for n, line in enumerate(lines) if line.startswith("drift: PFC watchdog"))
    assert lines[at + 2].startswith("  not sure: a statement that is not understood may set it (leaf01.json:")
