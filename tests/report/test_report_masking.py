"""A line that is quoted beside a finding shows no secret of the switch, and what is marked stays where it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from intents import rocecfg, write
from loops import loop

from rocecfg.report.masking import mask_secrets

WORD = "Zq4pLm9x"  # the secret in every line


@loop(
    "line",
    [
        f"enable secret sha512 {WORD}",
        f"enable password 7 {WORD}",
        f"username admin privilege 15 role network-admin secret 5 {WORD}",
        f"   neighbor 10.0.0.1 password 7 {WORD}",
        f"radius-server host 10.0.0.1 vrf MGMT key 7 {WORD}",
        f"radius-server key {WORD}",
        f"tacacs-server host 10.0.0.2 key 8a {WORD}",
        f"tacacs-server key 7 {WORD}",
        f"snmp-server community {WORD} ro",
        f"snmp-server host 10.0.0.3 version 2c {WORD}",
        f"snmp-server user ops group v3 auth sha {WORD} priv aes {WORD}",
        f"ntp authentication-key 1 md5 7 {WORD}",
        f"   ip ospf message-digest-key 1 md5 7 {WORD}",
        f"   key 7 {WORD}",
        f"   pre-shared-key {WORD}",
        f'"TACPLUS": {{"global": {{"passkey": "{WORD}"}}}}, "PFC_WD": {{}}',
        f'{{"RADIUS_SERVER": {{"10.0.0.1": {{"passkey":"{WORD}"}}}}, "QUEUE": {{"Ethernet0|3": {{}}}}}}',
        f'{{"SNMP_COMMUNITY": {{"{WORD}": {{"TYPE": "RO"}}}}, "QUEUE": {{}}}}',
        f'{{"BGP_NEIGHBOR": {{"10.0.0.1": {{"auth_password": "{WORD}"}}}}}}',
        f'{{"SNMP_USER": {{"ops": {{"SNMP_USER_AUTH_PASSWORD": "{WORD}", "SNMP_USER_TYPE": "priv"}}}}}}',
        f'{{"NTP_KEY": {{"1": {{"value": "{WORD}", "type": "md5"}}}}}}',
        f'{{"MACSEC_PROFILE": {{"p": {{"primary_cak": "{WORD}"}}}}}}',
        f'{{"USER": {{"admin": {{"password": "a\\"{WORD}"}}}}}}',
        f"user: {{cumulus: {{hashed-password: {WORD}, role: admin}}}}",
        f"server: {{10.0.0.1: {{secret: '{WORD}'}}}}",
        f"snmp-server: {{readonly-community: {{{WORD}: {{access: any}}}}, state: enabled}}",
        f"nv set system aaa user cumulus hashed-password '{WORD}'",
        f"nv set system aaa tacacs server 5 secret {WORD}",
        f"nv set service snmp-server default readonly-community {WORD} access any",
        f"nv set vrf default router bgp neighbor swp1 password {WORD}",
        f"password={WORD}",
    ],
)
def test_secrets_of_switches_are_masked(line: str) -> None:
    shown = mask_secrets(line)
    assert WORD not in shown
    assert len(shown) == len(line)
    assert shown[0] == line[0]


@pytest.mark.parametrize(
    "line",
    [
        "   priority-flow-control priority 3 no-drop",
        "  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true}  # PFC keys off DSCP",
        '"BUFFER_PG": {"Ethernet0|3": {"profile": "pg_lossless_400000_5m_profile"}},',
        '"key_from_here": "x", "passes": 3',
        "nv set qos roce mode lossless",
        "mac-address-table aging-time 300",
        '"DSCP_TO_TC_MAP": {"AZURE": {"26": "3"}}',
        "  description: passes the keystone rack",
    ],
)
def test_other_lines_are_as_they_are(line: str) -> None:
    assert mask_secrets(line) == line


def test_no_quoted_line_shows_a_secret(tmp_path: Path) -> None:
    """A short configuration on one line: the finding's place is marked, and what stands beside it is masked."""
    table = {
        "TACPLUS": {"global": {"passkey": WORD}},
        "SNMP_COMMUNITY": {WORD: {"TYPE": "RO"}},
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf01"}},
        "PORT": {"Ethernet0": {"speed": "400000", "lanes": "1", "mtu": "9100"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "9", "dscp_to_tc_map": "AZURE"}},
    }
    nvue = (
        f"- set: {{system: {{hostname: leaf02, aaa: {{user: {{cumulus: {{hashed-password: {WORD}}}}}}}}}, "
        "qos: {roce: {mode: lossles}}}\n"
    )
    write(tmp_path, {"config_db.json": json.dumps(table), "leaf02.yaml": nvue})
    for file, at in (("config_db.json", "9"), ("leaf02.yaml", "lossles")):
        for form in ("full", "concise"):
            done = rocecfg(tmp_path, "lint", "--format", form, file)
            assert WORD not in done.stdout + done.stderr
        lines = rocecfg(tmp_path, "lint", "--format", "full", file).stdout.splitlines()
        marks = [number for number, line in enumerate(lines) if line.strip("| ^") == "" and "^" in line]
        marked = {lines[n - 1][lines[n].index("^") : lines[n].rindex("^") + 1].strip('"') for n in marks}
        assert at in marked
        rocecfg(tmp_path, "report", file, "-o", "page.html")
        assert WORD not in (tmp_path / "page.html").read_text(encoding="utf-8")
