"""LAGs: ports that differ in nothing else share a row, in an intent and in an import."""

from __future__ import annotations

from pathlib import Path

from importing_switches import G, import_of, loaded, ports, switch
from intents import POLICY, fabric, findings

ROWS = POLICY + "devices:\n  leaf1:\n    ports:\n"


def lags(folder: Path, rows: str) -> dict[str, str | None]:
    """The LAG of each port that rows of `ports` amount to."""
    found = fabric(folder, ROWS + rows)
    return {name: group.lag for device in found.devices for group in device.ports for name in group.names}


def test_lags_pair_with_the_ports_of_their_row(tmp_path: Path) -> None:
    rows = '      "swp[1-2]s[0-1]": {speed: 400G, lag: "bond[1-2]s[0-1]"}\n      swp3: {lag: bond3}\n'
    assert lags(tmp_path, rows) == {
        "swp1s0": "bond1s0",
        "swp1s1": "bond1s1",
        "swp2s0": "bond2s0",
        "swp2s1": "bond2s1",
        "swp3": "bond3",
    }


def test_one_lag_holds_for_all_ports_of_its_row(tmp_path: Path) -> None:
    assert lags(tmp_path, '      "swp[1-2]": {lag: bond1}\n') == {"swp1": "bond1", "swp2": "bond1"}


def test_ports_of_two_rows_are_in_the_same_lags(tmp_path: Path) -> None:
    rows = '      "swp[1-2]": {lag: "bond[1-2]"}\n      "swp[3-4]": {lag: "bond[1-2]"}\n'
    assert lags(tmp_path, rows) == {"swp1": "bond1", "swp2": "bond2", "swp3": "bond1", "swp4": "bond2"}


def test_a_narrower_row_takes_a_port_out_of_its_lag(tmp_path: Path) -> None:
    rows = '      "swp[1-3]": {lag: "bond[1-3]"}\n      swp2: {lag: bond9}\n'
    assert lags(tmp_path, rows) == {"swp1": "bond1", "swp2": "bond9", "swp3": "bond3"}


def test_lags_that_do_not_pair_are_an_error_at_their_place(tmp_path: Path) -> None:
    (one,) = findings(tmp_path, ROWS + '      "swp[1-4]": {speed: 400G, cable: 3m, lag: "bond[1-2]"}\n')
    assert (one.rule, one.severity, one.text) == ("schema-pair", "error", '"bond[1-2]"')
    assert "2 LAGs for 4 ports" in one.message
    assert one.related[0][1] == "4 ports"


def test_a_row_of_lags_is_one_finding_where_it_is_wrong(tmp_path: Path) -> None:
    text = ROWS[: ROWS.index("pfc:")] + ROWS[ROWS.index("devices:") :]
    rows = '      "swp[1-8]": {speed: 400G, cable: 3m, lag: "bond[1-8]"}\n'
    assert [found.rule for found in findings(tmp_path, text + rows)].count("watchdog-missing") == 1


def row_of(*members: tuple[tuple[str, ...], str | None]) -> list[str]:
    """The rows of ports that an import has for ports of these LAGs."""
    found = switch("leaf1", *[ports(",".join(names), speed=400 * G, lag=lag) for names, lag in members])
    lines = import_of([found]).text.splitlines()
    return [line.strip() for line in lines[lines.index("    ports:") + 1 :]]


def test_lags_of_one_port_each_are_one_row() -> None:
    members = [((f"swp{n}s{k}",), f"bond{n}s{k}") for n in range(1, 5) for k in range(2)]
    assert row_of(*members) == ['"swp[1-4]s[0-1]": {speed: 400G, lag: "bond[1-4]s[0-1]"}']


def test_lags_of_two_ports_are_two_rows_and_ports_without_one_a_third() -> None:
    members: list[tuple[tuple[str, ...], str | None]] = [((f"swp{n}", f"swp{n + 8}"), f"bond{n}") for n in range(1, 5)]
    assert row_of(*members, (("swp20", "swp21"), None)) == [
        '"swp[1-4]": {speed: 400G, lag: "bond[1-4]"}',
        '"swp[9-12]": {speed: 400G, lag: "bond[1-4]"}',
        '"swp[20-21]": {speed: 400G}',
    ]


def test_a_lag_of_many_ports_stays_one_row() -> None:
    wide = tuple(f"swp{n}" for n in range(1, 9))
    assert row_of((wide, "bond1")) == ['"swp[1-8]": {speed: 400G, lag: bond1}']


def test_lags_come_back_as_they_were() -> None:
    members = [((f"swp{n}", f"swp{n + 8}"), f"bond{n}") for n in range(1, 5)]
    found = switch("leaf1", *[ports(",".join(names), speed=400 * G, lag=lag) for names, lag in members])
    again = loaded(import_of([found]).text).fabric
    assert again is not None
    got = {name: group.lag for device in again.devices for group in device.ports for name in group.names}
    assert got == {name: lag for names, lag in members for name in names}
