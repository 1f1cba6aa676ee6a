"""What rocecfg says to type on a switch with Junos: Juniper's models take it, and each rule that can fire has some."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conformance import validator
from junos_text import RELEASES, findings, validate

from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL, OFF
from rocecfg.vendors.junos.fixes import FIXES

STANDS_FOR = {"NAME": "ROCE", "PORT": "et-0/0/1", "CLASS": "RDMA", "PPP": "011", "DDDDDD": "011010"}
DELETED = {  # what stands behind such words where they are set
    "congestion-notification-profile": " ROCE", "priority": " high", "shaping-rate": " percent 3",
    "transmit-rate": " percent 3",
}  # fmt: skip
VERBS = ("set ", "delete ", "show ", "commit ")


def commands(fix: str) -> list[str]:
    """The commands in a fix, with what their words in capitals stand for."""
    out = []
    for command in re.findall(r"`([^`]+)`", fix):
        for word, value in STANDS_FOR.items():
            command = re.sub(rf"(?<![A-Z]){word}(?![A-Z])", value, command)  # noqa: PLW2901
        number = "9216" if " mtu " in command else "400" if "recovery" in command else "3"
        out.append(re.sub(r"\bN\b", number, command))
    return out


@pytest.mark.conformance
@pytest.mark.parametrize("release", RELEASES)
def test_every_command_of_a_fix_is_one_of_junos(release: str, tmp_path: Path) -> None:
    tool = validator("junos", tmp_path)
    texts = set()
    for fix in FIXES.values():
        typed = commands(fix)
        assert all(each.startswith(VERBS) for each in typed), fix
        texts.add("".join(f"{each}\n" for each in typed if each.startswith("set ")))
        for statement in (each.removeprefix("delete ") for each in typed if each.startswith("delete ")):
            texts.add(f"set {statement}{DELETED.get(statement.split()[-1], '')}\n")  # it has to be one that can be set
    for text in texts - {""}:
        status, messages = validate(tool, "--release", release, "--strict", "--snippet", text=text)
        assert status == 0, (text, messages)


# Of systems whose profile says how full a group is when it pauses, what a missing cable length comes to, how timers
# grow with the ports, or which faults are known; of what is not read; and, since Junos marks at shares of what a queue
# may take, of thresholds in bytes.
NEVER = {
    *("buffer-cable-missing", "buffer-xon", "buffer-zero-shared", "nos-erratum", "watchdog-default-scale"),
    *("watchdog-poll-eos", "mix-trimmed-class", "mix-trimmed-dscp", "mix-trimmed-queue"),
    *("ecn-cell", "ecn-deep", "ecn-delay", "ecn-fixed-point", "ecn-long-rtt", "ecn-low", "ecn-scale"),
    *("ecn-static-xoff", "ecn-vendor-default", "ecn-weight"),
}


def test_each_rule_that_can_fire_has_a_fix() -> None:
    judging = {
        rule.name
        for rule in ALL
        if rule.check is not None
        and rule.by_kind.get("running") != OFF
        and (not rule.vendors or "junos" in rule.vendors)
        and not set(rule.needs) & {"hosts", "telemetry", "rollout", "routing"}
        and not rule.name.startswith(("ops-", "hygiene-"))
    }
    assert judging - FIXES.keys() == NEVER
    nos = SHIPPED.nos("junos")
    assert (nos.pauses_at, nos.stock_cable, nos.buffer_models, nos.errata, nos.stock_timers) == (None, None, (), (), ())
    assert nos.watchdog_polls == 1
    assert {rule.partition(":")[0] for rule in FIXES} - {rule.name for rule in ALL} == set()


def test_a_hash_without_the_source_port_is_mended_where_it_is_said() -> None:
    told = "set forwarding-options enhanced-hash-key inet no-l4-source-port"
    (found,) = findings(
        f"set system host-name leaf01\nset interfaces et-0/0/1 mtu 9216\n{told}\n{told.replace('inet', 'inet6')}\n"
    )
    assert found.rule.name == "topology-hash"
    assert f"`{told.replace('set', 'delete', 1)}`" in found.help
