"""The reader's commands against an independent grammar of EOS: each knows the lines of the other."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from conformance import run_validator
from eos_grammar import UNDER, line_of, load_grammar, text_below
from eos_text import switch
from loops import loop

from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL
from rocecfg.vendors.arista.fixes import FIXES
from rocecfg.vendors.arista.reading.commands import FORMS, GONE, spell_undo
from rocecfg.vendors.arista.reading.grammar import Placeholder, expand_pattern
from rocecfg.vendors.arista.reading.modes import GLOBAL, MMU, PORT, PROFILE, QUEUE
from rocecfg.vendors.arista.reading.parse import parse_line

pytestmark = pytest.mark.conformance

OWN = {GLOBAL: "global", PORT: "eth", PROFILE: "qos-profile", QUEUE: "tx-queue", MMU: "mmu"}


@pytest.fixture
def grammar(eos_validator: Path) -> Any:
    return load_grammar(str(eos_validator))


def test_the_reader_knows_every_line_of_the_grammar(grammar: Any) -> None:
    chance = random.Random(1)  # noqa: S311 - the same every time
    tried = 0
    for modes, pattern, _, _, _ in grammar.GRAMMAR:
        for mode in modes:
            for _ in range(4 if mode in UNDER else 0):
                text = f"hostname x\n{text_below(mode, line_of(pattern, chance))}"
                reported = [p for p in switch(text).problems if p.rule in ("device-unknown", "device-value")]
                assert not reported, (text, reported)
                tried += 1
    assert tried > 500


def test_the_reader_knows_the_negative_forms(grammar: Any) -> None:
    chance = random.Random(2)  # noqa: S311 - the same every time
    for modes, pattern, _ in grammar.NEG:
        for mode in modes:
            for sign in ("no", "default") if mode in UNDER else ():
                text = f"hostname x\n{text_below(mode, f'{sign} {line_of(pattern, chance)}')}"
                reported = [p for p in switch(text).problems if p.rule in ("device-unknown", "device-value")]
                assert not reported, (text, reported)


def _ours(pattern: str) -> list[str]:
    """Lines of a form of ours, with and without what may be left out; none where anything may follow."""
    out = []
    for tokens in expand_pattern(pattern):
        words = []
        for token in tokens:
            if isinstance(token, str):
                words.append(token)
            elif isinstance(token, Placeholder) and token.rest:
                return []
            else:
                words.append(token.words[0] if token.words else "NAME" if token.low is None else _inside(token))
        out.append(" ".join(words))
    return out


def _inside(token: Placeholder) -> str:
    assert token.low is not None
    return str(token.low) if token.places else str(int(token.low) + (1 if token.high > token.low else 0))


BEYOND = (  # what the grammar leaves out, or knows in another form; each seen elsewhere
    "service-policy", "switchport", "hostname NAME", "dcbx mode none", "speed", "ip a", "channel-group",
    "switchport mode", "abort", "commit", "configure", "error-correction",
    "ipv6 access-group", "mac access-group",
)  # fmt: skip


def test_the_grammar_knows_every_command_of_the_reader(grammar: Any) -> None:
    rules, negative = grammar.build()
    unknown = []
    for mode, forms in FORMS.items():
        if mode not in OWN:
            continue
        for form in forms:
            for line in _ours(form.pattern):
                if line.startswith(BEYOND):
                    continue
                found, _ = grammar.validate(text_below(OWN[mode], line), rules, negative, "any", None, strict=True)
                unknown += [(line, f["message"]) for f in found]
    assert unknown == []


def test_what_we_type_to_take_a_command_back_takes_all_of_it_back(grammar: Any) -> None:
    """By our own table, and in a form that the grammar has, but for `default`, typed where `no` says more."""
    rules, negative = grammar.build()
    tried = 0
    for mode, form in ((mode, form) for mode, forms in FORMS.items() for form in forms if form.by and form.head):
        for line in _ours(form.pattern):
            undo = spell_undo(mode, line)
            said, gone = (dict(parse_line(mode, each).sets) for each in (line, undo))
            assert {*gone.values()} <= {GONE, form.no}, undo
            assert said.keys() <= gone.keys(), (line, undo)
            found, _ = grammar.validate(text_below(OWN[mode], undo), rules, negative, "any", None, strict=True)
            assert not found or undo.startswith("default ") or line.startswith(BEYOND), (undo, found)
            tried += 1
    assert tried > 30


def test_both_find_the_same_samples_fault(shared: Path, eos_validator: Path) -> None:
    sample = (shared / "samples" / "eos" / "avd-qos.cfg").read_text()
    done = run_validator(eos_validator, "--json", "-", text=sample)
    (report,) = json.loads(done.stdout)
    theirs = {found["line"] for found in report["findings"]}
    ours = {
        sample.count("\n", 0, p.at.start) + 1
        for p in switch(sample).problems
        if p.rule in ("device-unknown", "device-value")
    }
    assert ours == theirs


# -- fixes -------------------------------------------------------------------------------------------------------------


def commands() -> list[tuple[str, str]]:
    """The commands in fixes, by rule, with numbers in the places of N."""
    return [
        (rule, command)
        for rule, fix in FIXES.items()
        for command in re.findall(r"`([^`]+)`", fix)
        if not command.startswith(("show ", "interface "))
    ]


def _filled(command: str) -> str:
    for pattern, value in (("MIN", "256"), ("MAX", "512"), ("P", "5"), ("NAME", "ROCE"), ("TC", "6")):
        command = re.sub(rf"\b{pattern}\b", value, command)
    if "watchdog default" in command:
        return command.replace(" N", " 0.40")
    return command.replace("mtu N", "mtu 9214").replace(" N", " 3")


@loop(("rule", "command"), commands())
def test_every_command_of_a_fix_is_known_to_the_grammar(grammar: Any, rule: str, command: str) -> None:
    rules, negative = grammar.build()
    line = _filled(command)
    errors = []
    for mode in UNDER:
        found, _ = grammar.validate(text_below(mode, line), rules, negative, "any", None, strict=True)
        errors.append([f for f in found if f["text"] == line])
    assert [] in errors, (rule, line)


NOT_FROM_EOS = frozenset({"hosts", "telemetry", "rollout", "routing", "routes", "vlans"})
TRIMS = {"topology-hash", "mix-trimmed-queue", "mix-trimmed-dscp", "mix-trimmed-class"}  # of what is not read
# Of systems whose profile says how full a group is when it pauses, what a missing cable length comes to, how timers
# grow with the ports, or which faults are known: not EOS's.
NEVER = {*TRIMS, "buffer-cable-missing", "buffer-xon", "buffer-zero-shared", "nos-erratum", "watchdog-default-scale"}


def test_every_rule_that_can_fire_has_a_fix() -> None:
    concerned = {
        r.name
        for r in ALL
        if r.check is not None
        and (not r.vendors or "arista" in r.vendors)
        and r.by_kind.get("running") != "off"
        and not NOT_FROM_EOS.intersection(r.needs)
        and not r.name.startswith("ops-")
    }
    assert concerned - set(FIXES) == NEVER
    nos = SHIPPED.nos("arista")
    assert (nos.pauses_at, nos.stock_cable, nos.buffer_models, nos.errata) == (None, None, (), ())
    assert not nos.stock_timers
    assert {rule.partition(":")[0] for rule in FIXES} - {r.name for r in ALL} == set()
