"""What a finding on a SONiC switch tells to type: each rule that can fire there has it, and the switch takes it."""

from __future__ import annotations

import re

import pytest
import sonic_text
from sonic_clean import PORTS, changed, each

from rocecfg.rules import ALL, OFF
from rocecfg.vendors.sonic.mends import MENDS

# What a command begins with, and how it goes on: the usage of sonic-utilities, 202311 to 202605.
COMMANDS = (
    r"sudo pfcwd start --action (drop|forward|alert) PORT (DETECTION|\d+) --restoration-time (RESTORATION|\d+)",
    r"sudo pfcwd interval \d+",
    r"sudo pfcwd stop PORT",
    r"sudo pfcwd counter_poll enable",
    r"sudo pfcwd big_red_switch disable",
    r"sudo config ecn -profile NAME -gmin BYTES -gmax BYTES -gdrop PERCENT",
    r"sudo config mmu -p PROFILE -a -?\d",
    r"sudo config interface pfc (priority PORT PRIORITY (on|off)|asymmetric PORT off)",
    r"sudo config interface cable-length PORT \d+m",
    r"sudo config interface speed PORT MBPS",
    r"sudo config interface mtu PORT \d+",
    r"sudo config interface fec PORT rs",
    r"sudo config qos reload --dry_run FILE",
    r"sonic-db-cli CONFIG_DB (HSET|HDEL|DEL) '[A-Z_]+\|[A-Za-z_]+(\|[A-Z0-9-]+)?'",
)
# Intents alone give cause for these: what classes carry, and what hosts, telemetry and rollouts are.
_OTHERS = {
    "mix-storage-roce",
    "mix-cnp",
    "mix-cnp-control",
    "mix-k8s",
    "mix-mcast",
    "ets-cnp-cap",
    "ecn-weight",
    "pfc-global-pause",
    "pfc-dcbx",
    "pfc-macsec",
    "pfc-lossy-cc-only",
}


def on_sonic() -> set[str]:
    """The rules that a SONiC switch's own configuration can break."""
    return {
        r.name
        for r in ALL
        if r.scope not in ("source", "fabric")  # of the former, what is wrong tells its mend itself
        and r.by_kind.get("running") != OFF
        and (not r.vendors or "sonic" in r.vendors)
        and not set(r.needs) & {"hosts", "telemetry", "rollout", "links", "routing"}
        and not r.name.startswith(("ops-", "hygiene-"))
    }


def test_every_rule_that_can_fire_has_a_mend() -> None:
    assert on_sonic() - MENDS.keys() - _OTHERS == set()


def test_every_mend_is_of_a_rule() -> None:
    assert MENDS.keys() - {r.name for r in ALL} == set()


@pytest.mark.parametrize("rule", sorted(MENDS))
def test_a_mend_is_one_line_that_the_switch_would_take(rule: str) -> None:
    text = MENDS[rule]
    assert text.isprintable()
    assert len(text) < 240
    assert not re.search(r"\b(kmin|kmax|pmax|fabric\.|lossless: true|carries|headroom:)", text), "words of an intent"
    for found in re.finditer(r"sudo \S+|sonic-db-cli", text):
        assert any(re.match(command, text[found.start() :]) for command in COMMANDS), text[found.start() :]


def test_mends_stand_beside_findings() -> None:
    (missing,) = sonic_text.findings(changed(PFC_WD=None))
    assert missing.help.startswith("sudo pfcwd start --action drop PORT 200 --restoration-time 400")
    (asym,) = sonic_text.findings(changed(PORT=each({"pfc_asym": "on"})))
    assert asym.help == "sudo config interface pfc asymmetric PORT off"
    assert asym.ports == PORTS
