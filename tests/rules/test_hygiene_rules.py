"""Secrets in texts, lists out of order and classes that nothing uses."""

from __future__ import annotations

import random
import string
from pathlib import Path

import pytest
from intents import POLICY, findings, rocecfg, write
from loops import loop

from rocecfg.intent.secrets import find_secret

BODY = "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=80))  # noqa: S311 - no secret
CAPITALS = BODY.upper()


def _apart(prefix: str, body: str) -> str:
    """A token in two parts here, so that scanners of this repository see none."""
    return prefix + body


@loop(
    ("text", "kind"),
    [
        (_apart("ghp", "_" + BODY[:36]), "a GitHub token"),
        (_apart("github_pat", "_" + BODY[:22] + "_" + BODY[:50]), "a GitHub token"),
        (_apart("glpat", "-" + BODY[:20]), "a GitLab token"),
        (_apart("xoxb", "-123456789012-" + BODY[:24]), "a Slack token"),
        (_apart("AKIA", CAPITALS[:16]), "an AWS access key"),
        (_apart("AIza", BODY[:35]), "a Google API key"),
        (_apart("glsa", "_" + BODY[:32] + "_0a1b2c3d"), "a Grafana token"),
        (_apart("hvs", "." + BODY[:24]), "a Vault token"),
        (_apart("eyJ", BODY[:20] + ".eyJ" + BODY[:40] + "." + BODY[:43]), "a JSON web token"),
        (_apart("-----BEGIN", " OPENSSH PRIVATE KEY-----"), "a private key"),
        (_apart("$6$", "rounds=5000$" + BODY[:16] + "$" + BODY), "a password hash"),
        ("https://ops:Tr4ub0dor@wiki.example.net/a", "a password in a URL"),
        ("redis://:" + BODY[:12] + "@cache:6379", "a password in a URL"),
        ("password=Summer2031", "a password or token"),
        ("Password: Summer2031", "a password or token"),
        ("api key = a1b2c3d4e5", "a password or token"),
        ("token: " + BODY[:20], "a password or token"),
        (BODY[:40], "a key"),
        (f"({BODY[:44]}=)", "a key"),
    ],
)
def test_secrets(text: str, kind: str) -> None:
    assert find_secret(text) == kind
    assert find_secret(f"rack 7, {text} for the console") == kind


@loop(
    "text",
    [
        "",
        "two leaves, two spines, 32 hosts with 2 x 400G",
        "password rotation rack",
        "passwords: see the vault",
        "password: rotated weekly",
        "secret: vault/network/leaf01",
        "password=<from the vault>",
        "password=${LEAF01_PASSWORD}",
        "password: {{ vault.leaf01 }}",
        "token: NET-1234567",
        "token=A1234567",  # an asset's
        "tokens: 8192 per second",
        "secret rack12",
        "https://wiki.example.net/racks/7#u40",
        "https://admin:<password>@con05.example.net",
        "https://user:password@host",
        "ssh://git@example.net:7999/net/fabric.git",
        "mail ops@example.net: see https://wiki.example.net",
        "http://10.0.0.1:8080/@home",
        "ghp_" + "x" * 36,
        "AKIA" + "IOSFODNN7EXAMPLE",
        "5f4dcc3b5aa765d61d8327deb882cf99",  # a sum in hexadecimal
        "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08",
        "123e4567-e89b-12d3-a456-426614174000",
        "rail0-leaf1-Ethernet256-row4-RackB12-spine01-Ethernet1-1",
        "leaf01/Ethernet256/Spine01/Ethernet1/Row4RackB12PatchPanel3",
        "SN-MT2233X00123456789012345678901234567890",
        "ConnectX7FirmwareBundleForSpectrum4SwitchesRelease5Dot14",
        "costs $5 a metre, $6 with plugs",
        "the keyboard tray; the token ring of 1989",
        "4f:8a:12:9c:00:1b,4f:8a:12:9c:00:1c,4f:8a:12:9c:00:1d",
        "2001:db8:1f2a:3c4d:5e6f:7a8b:9c0d:1e2f",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_what_is_no_secret(text: str) -> None:
    assert find_secret(text) is None


def test_random_runs_are_seen_and_names_are_not() -> None:
    draw = random.Random(3)  # noqa: S311 - no secret
    letters = string.ascii_letters + string.digits + "+/"
    keys = ["".join(draw.choices(letters, k=40)) for _ in range(500)]
    assert sum(find_secret(key) == "a key" for key in keys) >= 450
    words = ["Leaf", "spine", "Ethernet", "RackB", "row", "Patch", "400G", "gpu", "MTP12", "OS2", "7", "12", "256"]
    names = ["".join(draw.choices(words, k=12)) for _ in range(500)]
    assert [name for name in names if find_secret(name)] == []


SECRET = "Tr4ub0dor3"  # noqa: S105 - no secret


@pytest.mark.parametrize(
    "section",
    [
        'devices: {leaf01: {description: "https://ops:%s@wiki.example.net"}}',
        'devices: {leaf01: {ports: {Ethernet0: {description: "password=%s"}}}}',
        "links: [{a: 'leaf01:Ethernet0', b: 'gpu01:nic0', description: password=%s}]",  # plain: read another way
        "links: [{a: 'leaf01:Ethernet0', b: 'gpu01:nic0', description: 'password=%s'}]",
        "devices:\n  leaf01:\n    description: |\n      password=%s\n      of the console",  # nor one line
    ],
)
def test_a_secret_is_found_wherever_texts_stand_and_not_repeated(section: str, tmp_path: Path) -> None:
    (found,) = findings(tmp_path, f"{POLICY}{section % SECRET}\n")
    assert (found.severity, found.rule) == ("error", "hygiene-secret")
    assert SECRET in found.text  # the place is the text that holds it
    assert SECRET not in found.message + found.help + "".join(word for _, word in found.related)


@pytest.mark.parametrize("form", ["concise", "json"])
def test_no_output_of_the_command_line_has_the_secret(form: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY.replace("{name: lab}", f'{{name: lab, description: "password={SECRET}"}}')})
    done = rocecfg(tmp_path, "lint", "fabric.yaml", "--format", form, expect=1)
    assert "hygiene-secret" in done.stdout
    assert SECRET not in done.stdout + done.stderr


def test_the_reason_for_no_congestion_control_is_a_text_too(tmp_path: Path) -> None:
    reason = f"congestion_control: {{kind: none, reason: 'token: {BODY[:24]}'}}"
    text = POLICY.replace("{name: lab}", f"{{name: lab, {reason}}}")
    assert "hygiene-secret" in [f.rule for f in findings(tmp_path, text)]


# -- order and use -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("listed", "found"), [("[3]", False), ("[3, 4]", False), ("[]", False), ("[4, 3]", True), ("[2, 6, 3]", True)]
)
def test_lists_of_priorities_ascend(listed: str, found: bool, tmp_path: Path) -> None:
    text = f"{POLICY}hosts: {{gpu01: {{pfc_priorities: {listed}}}}}\n"
    infos = [f for f in findings(tmp_path, text) if f.rule == "hygiene-order"]
    assert [f.severity for f in infos] == ["info"] * found


def test_the_fix_of_a_list_is_the_list_in_order(tmp_path: Path) -> None:
    text = f"{POLICY}hosts: {{gpu01: {{pfc_priorities: [6, 2, 3]}}}}\n"
    (info,) = (f for f in findings(tmp_path, text) if f.rule == "hygiene-order")
    assert info.help == "write [2, 3, 6]"


@pytest.mark.parametrize(
    ("listed", "found"), [("[3]", False), ("[3, 4]", False), ("[]", False), ("[4, 3]", True), ("[2, 6, 3]", True)]
)
def test_priorities_of_a_watchdog_ascend(listed: str, found: bool, tmp_path: Path) -> None:
    text = POLICY.replace("action: drop", f"action: drop, priorities: {listed}")
    infos = [f for f in findings(tmp_path, text) if f.rule == "hygiene-order"]
    assert [(f.severity, f.text) for f in infos] == [("info", listed)] * found


def test_a_list_that_devices_inherit_is_told_once(tmp_path: Path) -> None:
    text = POLICY.replace("action: drop", "action: drop, priorities: [4, 3]") + (
        "devices: {leaf01: {ports: {Ethernet0: {}}}, leaf02: {pfc: {watchdog: {action: alert}}}}\n"
    )
    (info,) = (f for f in findings(tmp_path, text) if f.rule == "hygiene-order")
    assert (info.text, info.help) == ("[4, 3]", "write [3, 4]")


LINKED = """\
devices:
  leaf01: {ports: {Ethernet0: {classes: CLASSES}, Ethernet4: {classes: [default]}}}
  leaf02: {ports: {Ethernet0: {classes: CLASSES}}}
links: [{a: "leaf01:Ethernet0", b: "leaf02:Ethernet0"}]
"""


@pytest.mark.parametrize(
    ("classes", "unused"),
    [
        ("[rdma, cnp, control, default]", []),
        ("[rdma, cnp, control]", []),  # default crosses Ethernet4
        ("[rdma, control]", ["cnp"]),
        ("[cnp, control]", ["rdma"]),
    ],
)
def test_a_class_that_no_port_lists(classes: str, unused: list[str], tmp_path: Path) -> None:
    found = [f for f in findings(tmp_path, POLICY + LINKED.replace("CLASSES", classes)) if f.rule == "hygiene-unused"]
    assert [f.text for f in found] == unused


def test_a_class_is_used_where_a_switch_names_no_ports(tmp_path: Path) -> None:
    text = POLICY + LINKED.replace("CLASSES", "[rdma, control]").replace("links:", "  spine01: {}\nlinks:")
    assert "hygiene-unused" not in [f.rule for f in findings(tmp_path, text)]
