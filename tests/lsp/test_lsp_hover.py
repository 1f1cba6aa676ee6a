"""What the pointer is told, checked against what the intent says and what `rocecfg show` prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from checkout import HANG, ROOT, clean_environment
from intents import POLICY
from lsp_client import Client, spot

AUTO = ROOT / "examples" / "auto" / "fabric.yaml"


def test_a_key_is_explained(editor: Client, tmp_path: Path) -> None:
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    reported = editor.hover(uri, *spot(POLICY, "kmin"))
    assert reported.startswith("**kmin**: queue length at which marking begins")
    assert "a size such as 800KB" in reported
    action = editor.hover(uri, *spot(POLICY, "action"))
    assert "drop | forward | alert | errdisable" in action
    assert "true or false" in editor.hover(uri, *spot(POLICY, "lossless"))
    assert "a whole number from 0 to 7" in editor.hover(uri, *spot(POLICY, "priority"))
    assert editor.hover(uri, *spot(POLICY, "  rdma: ")) == ""  # blanks before it
    assert editor.hover(uri, 99, 99) == ""


def test_a_value_says_what_it_reaches(editor: Client) -> None:
    text = AUTO.read_text(encoding="utf-8")
    uri = editor.open(AUTO)
    assert "- `mtu` **9000** on leaf[01-02],spine[01-02]" in editor.hover(uri, *spot(text, "9000"))
    assert "- `cable` **3m**" in editor.hover(uri, *spot(text, "3m"))
    assert "`watchdog.detection` **200ms** on 96 ports of leaf[01-02]" in editor.hover(uri, *spot(text, "200ms"))


def test_auto_says_what_it_came_to_and_how(editor: Client) -> None:
    text = AUTO.read_text(encoding="utf-8")
    uri = editor.open(AUTO)
    shown = subprocess.run(
        [sys.executable, "-m", "rocecfg", "show", str(AUTO), "leaf01"],
        capture_output=True,
        text=True,
        check=True,
        timeout=HANG,
        env=clean_environment(PYTHONPATH=str(ROOT)),
    ).stdout
    ecn = editor.hover(uri, *spot(text, "ecn: auto", 6))
    headroom = editor.hover(uri, *spot(text, "headroom: auto", 12))
    for name, reported in (("ecn.400G.kmin", ecn), ("ecn.800G.kmax", ecn), ("headroom.xoff", headroom)):
        line = next(line for line in shown.splitlines() if line.split()[:1] == [name])
        value, formula = line.split()[1], line.partition("computed: ")[2].partition(" [")[0]
        assert formula
        assert f"- `{name}` **{value}** on" in reported
        assert f": computed: {formula}" in reported


def test_a_device_a_class_and_ports_say_what_is_in_effect(editor: Client) -> None:
    text = AUTO.read_text(encoding="utf-8")
    uri = editor.open(AUTO)
    leaf = editor.hover(uri, *spot(text, "leaf[01-02]:\n"))
    assert f"- `mtu` **9000**: fabric.yaml:{spot(text, '9000')[0] + 1}" in leaf
    assert "- `asic` **tomahawk5**: profile platforms/arista-7060x6-64pe asic" in leaf
    rdma = editor.hover(uri, *spot(text, "rdma:"))
    assert "- `pg` **3**: computed: the priority, since it is lossless" in rdma
    ports = editor.hover(uri, *spot(text, '"Ethernet[0-248/8]"'))
    assert "- `pfc` **3**: computed: priorities of the lossless classes that cross it" in ports
    assert "- `headroom.xoff` **425958B**: computed: row 400G, 5 m of the headroom table" in ports


def test_a_text_that_cannot_be_parsed_is_still_explained(editor: Client, tmp_path: Path) -> None:
    text = POLICY + "defaults:\n  vendor: sonic\n  plat\n"
    uri = editor.open(tmp_path / "fabric.yaml", text)
    assert editor.hover(uri, *spot(text, "vendor")).startswith("**vendor**: network operating system")
    assert editor.hover(uri, *spot(text, "kmax")).startswith("**kmax**")


def test_plain_text_where_the_editor_shows_no_markdown(tmp_path: Path) -> None:
    editor = Client(tmp_path, textDocument={"hover": {"contentFormat": ["plaintext"]}})
    uri = editor.open(tmp_path / "fabric.yaml", POLICY)
    reported = editor.hover(uri, *spot(POLICY, "400KB"))
    assert reported.startswith("kmin: queue length at which marking begins\na size")
    assert "- ecn.kmin 400KB on class rdma of every device" in reported
    assert editor.stop() == (0, "")
