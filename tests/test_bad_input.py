"""Bad input through the real command line: one clear error with file and place, the right exit code, and no hanging.

`rocecfg()` fails on a traceback, and where a command hangs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from intents import FABRIC, POLICY, rocecfg, write


def report(folder: Path, *arguments: str, expect: int) -> dict[str, object]:
    done = rocecfg(folder, "lint", "--format", "json", *arguments, expect=expect)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def every(folder: Path) -> list[str]:
    """The names of all findings, those under others too."""
    found = report(folder, expect=1)["findings"]
    return [one["name"] for f in found for one in (f, *(f["folded"] or ()))]  # type: ignore[attr-defined]


def only(folder: Path, *arguments: str, expect: int = 2) -> tuple[str, str, int, int, str]:
    """Name, path, line, column and message of the one finding."""
    (found,) = report(folder, *(arguments or ("fabric.yaml",)), expect=expect)["findings"]  # type: ignore[misc]
    return found["name"], found["path"], found["line"], found["column"], found["message"]


def unread(folder: Path, text: str | bytes) -> tuple[int, int, str]:
    """Line, column and message of the one error, the same in words."""
    write(folder, {"fabric.yaml": text})
    name, path, line, column, message = only(folder)
    assert (name, path) == ("schema-syntax", "fabric.yaml")
    words = rocecfg(folder, "lint", "fabric.yaml", expect=2).stdout
    assert words.splitlines()[0] == f"error[SCH000] schema-syntax: {message}"
    assert f"--> fabric.yaml:{line}:{column}" in words.splitlines()[1]
    return line, column, message


@pytest.mark.parametrize(
    ("text", "line", "column", "word"),
    [
        (POLICY + "x: [1, 2\n", 12, 1, "not YAML"),
        (POLICY + "x: y: z\n", 11, 5, "not YAML"),
        (POLICY + "x: 'open\n", 12, 1, "not YAML"),
        (POLICY + "\tx: 1\n", 11, 1, "not YAML"),
        (POLICY + "devices: {leaf[01-02]: {}}\n", 11, 15, "not YAML"),
        (POLICY + "x: \x00\n", 11, 4, "control characters"),
        (POLICY + "é: 'ü\x1b[2J'\n", 11, 6, "control characters"),
        (POLICY + "---\nrocecfg: 1\n", 11, 1, "second YAML document"),
        (POLICY + "x: *nowhere\n", 11, 4, "has no anchor"),
        (POLICY + "x: &x [*x]\n", 11, 8, "stands in itself"),
        (POLICY.encode() + b"x: caf\xe9\n", 11, 7, "byte 0xe9 is not UTF-8"),
        (b"rocecfg: 1\n" + bytes(range(128, 256)) * 50, 2, 1, "byte 0x80 is not UTF-8"),
        ("rocecfg: 1\nx: " + "[" * 50_000, 2, 67, "nested deeper than 64"),
        ("rocecfg: 1\nx: " + "[" * 50_000 + "]" * 50_000, 2, 67, "nested deeper than 64"),
        ("rocecfg: 1\nx: " + "{a: " * 50_000, 2, 256, "nested deeper than 64"),
        ("rocecfg: 1\nx:\n" + "- " * 50_000, 3, 127, "nested deeper than 64"),
        ("rocecfg: 1\n" + "".join(" " * n + "a:\n" for n in range(4000)), 66, 65, "nested deeper than 64"),
        (POLICY + "include: [fabric.yaml]\n", 11, 11, "include loop: fabric.yaml -> fabric.yaml"),
    ],
)
def test_what_cannot_be_read(text: str | bytes, line: int, column: int, word: str, tmp_path: Path) -> None:
    at_line, at_column, message = unread(tmp_path, text)
    assert (at_line, at_column) == (line, column)
    assert word in message


@pytest.mark.parametrize("text", ["rocecfg: 1\nx: [\n", b"rocecfg: 1\nx: \xff", "rocecfg: 1\ninclude: fabric.yaml\n"])
def test_every_command_says_the_same_in_a_line(text: str | bytes, tmp_path: Path) -> None:
    line, column, message = unread(tmp_path, text)
    for command in (["render", "fabric.yaml", "--vendor", "sonic", "-o", "out"], ["show", "fabric.yaml"]):
        done = rocecfg(tmp_path, *command, expect=2)
        assert done.stderr.startswith(f"rocecfg: fabric.yaml:{line}:{column}: {message}")
        assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_an_alias_bomb(tmp_path: Path) -> None:
    lines = ["rocecfg: 1", "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 20)]
    _, _, message = unread(tmp_path, "\n".join(lines))
    assert "aliases expand to more than 1000000 values" in message


def test_a_bomb_of_classes(tmp_path: Path) -> None:
    """Aliases within bounds, each a whole class with a mistake: one mistake, one finding."""
    many = "".join(f"  c{n}: *c\n" for n in range(300))
    text = POLICY.replace("  rdma: ", "  c: &c {dscp: 10, priority: 1, bandwidht: 5}\n" + many + "  rdma: ")
    write(tmp_path, {"fabric.yaml": text})
    assert only(tmp_path, expect=1)[0] == "schema-unknown-key"


def test_a_hundred_megabytes(tmp_path: Path) -> None:
    with (tmp_path / "fabric.yaml").open("wb") as stream:
        stream.write(b"rocecfg: 1\n")
        stream.truncate(100 * 1024 * 1024)
    for path in ("fabric.yaml", "."):
        name, where, line, column, message = only(tmp_path, path)
        assert (name, where, line, column) == ("schema-syntax", "fabric.yaml", 1, 1)
        assert "more than the 67108864 bytes" in message
    done = rocecfg(tmp_path, "render", "--vendor", "sonic", expect=2)
    assert "split an intent with `include:`" in done.stderr


def test_an_include_of_what_cannot_be_read_names_that_file(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY + "include: [parts/bad.yaml]\n", "parts/bad.yaml": "a: [\n"})
    assert only(tmp_path)[:4] == ("schema-syntax", "parts/bad.yaml", 2, 1)
    write(tmp_path, {"parts/bad.yaml": b"\xff"})
    assert only(tmp_path)[:4] == ("schema-syntax", "parts/bad.yaml", 1, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        ("nothing", "cannot be read: No such file or directory"),
        ("pipe", "is not a file"),
        ("loop", "cannot be read: Too many levels of symbolic links"),
        ("dangling", "cannot be read: No such file or directory"),
        ("empty", "belongs to no intent, and is empty"),
        ("folder", "no intent and no configuration of a switch here or below"),
        ("utf16", "byte 0xff is not UTF-8"),
        ("device", "is not a file"),
    ],
)
def test_what_is_no_intent(make: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "fabric.yaml"
    if make == "pipe":
        os.mkfifo(path)
    elif make == "loop":
        path.symlink_to("fabric.yaml")
    elif make == "dangling":
        path.symlink_to("nowhere.yaml")
    elif make == "empty":
        path.touch()
    elif make == "folder":
        path.mkdir()
    elif make == "utf16":
        path.write_bytes(POLICY.encode("utf-16"))
    elif make == "device":
        path.symlink_to("/dev/zero")
    assert only(tmp_path) == ("schema-syntax", "fabric.yaml", 1, 1, message)


def test_a_file_that_vanishes(tmp_path: Path) -> None:
    """Between being listed and being read: as an include that is a dangling link."""
    write(tmp_path, {"fabric.yaml": POLICY + "include: [gone.yaml]\n"})
    (tmp_path / "gone.yaml").symlink_to("nowhere.yaml")
    assert only(tmp_path, expect=1)[0] == "schema-ref"


# -- wrong values, in numbers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "instead", "rule"),
    [
        ("priority: 3", "priority: " + "9" * 100_000, "schema-type"),
        ("priority: 3", "priority: 0x" + "f" * 100_000, "schema-type"),
        ("bandwidth: 60", "bandwidth: " + "9" * 100_000, "schema-range"),
        ("detection_time: 200ms", "detection_time: " + "9" * 100_000 + "ms", "schema-unit"),
        ("detection_time: 200ms", "detection_time: " + "9" * 400 + ".5us", "schema-unit"),
        ("pmax: 5%", "pmax: " + "1" * 5000 + ".5%", "schema-unit"),
        ("dscp: 26", "dscp: " + "9" * 100_000, "schema-value"),
        ("name: lab", "name: " + "x" * 1_000_000, "schema-name"),
        ("action: drop", "action: " + "x" * 1_000_000, "schema-value"),
        ("name: lab", "name: lab, ? " + "x" * 1_000_000 + " : 1", "schema-unknown-key"),
        ("name: lab", 'name: "la\\nb"', "schema-name"),
        ("name: lab", 'name: "la\\0b"', "schema-name"),
        ("name: lab", "name: 'la\"b'", "schema-name"),
        ("name: lab", 'name: "\\u202elab"', "schema-name"),
        ("carries: [cnp]", 'carries: ["c\\r\\nnp"]', "schema-name"),
    ],
)
def test_a_monstrous_value_is_a_finding_of_a_sane_length(there: str, instead: str, rule: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace(there, instead, 1)})
    name, _, _, _, message = only(tmp_path, expect=1)
    assert name == rule
    assert len(message) < 1000
    out = rocecfg(tmp_path, "lint", "fabric.yaml", expect=1).stdout
    assert max(map(len, out.splitlines())) < 1200
    assert out.replace("\n", "").isprintable()


@pytest.mark.sweep("rocecfg/intent", "rocecfg/linting")
@pytest.mark.parametrize(
    ("keys", "rule", "count"),
    [
        ("devices: {'leaf[0-999999999]': {}}", "schema-nodeset", 1),
        ("devices: {'leaf[0-99999]-[0-99999]': {}}", "schema-nodeset", 1),
        ("devices:\n" + "".join(f"  {c}[0-999999]: {{}}\n" for c in "abcdefgh"), "schema-nodeset", 6),
        ("links: [{a: 'x[0-9999]:e[0-9999]', b: 'y[0-9999]:e[0-9999]'}]", "schema-nodeset", 1),
        ("".join(f"unknown_key_{n}: 1\n" for n in range(10_000)), "schema-unknown-key", 10_000),
        ("x: 1\n" + "telemetry: none\n" * 10_000, "schema-duplicate-key", 9_999),
        ("devices:\n" + "".join(f"  leaf{n}: {{clases: 1}}\n" for n in range(10_000)), "schema-unknown-key", 10_000),
        ("defaults:\n  classes:\n" + "".join(f"    foo{n}: off\n" for n in range(10_000)), "schema-ref", 10_000),
        (
            "devices:\n" + "".join(f"  'leaf[1-2],x{n}': {{mtu: {n % 99 + 100}}}\n" for n in range(3_000)),
            "schema-overlap",
            2,
        ),
        ("hosts: {h: {pfc_priorities: [" + "9, " * 20_000 + "9]}}", "schema-priority-range", 20_001),
    ],
)
def test_a_great_many_mistakes_take_no_longer_than_their_number(
    keys: str, rule: str, count: int, tmp_path: Path
) -> None:
    write(tmp_path, {"fabric.yaml": f"{POLICY}{keys}\n"})
    names = every(tmp_path)
    if rule == "schema-overlap":
        assert rule in names
    else:
        assert names.count(rule) == count


def test_ten_thousand_links_to_nowhere(tmp_path: Path) -> None:
    text = POLICY + "hosts: {gpu1: {}}\ndevices:\n" + "".join(f"  leaf{n}: {{}}\n" for n in range(10_000))
    text += "links:\n" + "".join(f"  - {{a: lef{n}:Ethernet0, b: leaf1:Ethernet{n}}}\n" for n in range(10_000))
    write(tmp_path, {"fabric.yaml": text})
    assert every(tmp_path).count("schema-ref") == 10_000


@pytest.mark.sweep("rocecfg/linting", "rocecfg/source", "rocecfg/vendors/unsupported", "rocecfg/vendors/detect")
@pytest.mark.parametrize(
    "text",
    [
        "\n" * 2_000_000,
        " " * 2_000_000,
        "# c\n" * 500_000,
        "{" * 1000,
        "\n{" * 500_000,
        "'rocecfg'\n" * 200_000,
        "\n \n" * 500_000,
    ],
)
def test_looking_for_the_key_does_not_hang(text: str, tmp_path: Path) -> None:
    """Of so many lines a search that is quadratic in them would take hours."""
    write(tmp_path, {"fabric.yaml": text, "good.yaml": POLICY})
    assert only(tmp_path)[0] == "schema-syntax"
    rocecfg(tmp_path, "lint", expect=0)
    rocecfg(tmp_path, "lint", "good.yaml", expect=0)


# -- wrong places to write ---------------------------------------------------------------------------------------------


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "lint", "--output", "json=/proc/rocecfg.json", expect=2)
    assert done.stderr.startswith("rocecfg: /proc/rocecfg.json cannot be written: ")


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": FABRIC})
    done = rocecfg(tmp_path, "render", "--vendor", "all", "-o", "/proc/out", expect=2)
    assert done.stderr.startswith("rocecfg: /proc/out cannot be written: ")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["fabric.yaml"]


def test_a_path_with_a_slip_is_answered_with_the_one_beside_it(tmp_path: Path) -> None:
    write(tmp_path, {"train/fabric.yaml": POLICY, "a": ""})
    assert "did you mean train?" in rocecfg(tmp_path, "lint", "trian").stdout
    assert "did you mean train/fabric.yaml?" in rocecfg(tmp_path, "render", "train/fabrik.yaml").stderr
    assert "did you mean" not in rocecfg(tmp_path, "lint", "b").stdout
    assert "did you mean watchdog?" in rocecfg(tmp_path, "explain", "watchdg").stderr
