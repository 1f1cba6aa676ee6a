"""Every statement of a configuration has exactly one fate, and the counts add up to the file."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import eos_sound
import nvue_sound
import pytest
import yaml
from junos_text import INTENTS, rendered
from one_switch import loaded_as
from sampling import part
from sonic_clean import clean
from statements import count_statements

from rocecfg.model.fates import FATES, Fates
from rocecfg.report.fates import quote_statement
from rocecfg.source.document import SourceError

CORPORA = Path(__file__).parents[1] / "corpora"


def fates(vendor: str, text: str) -> Fates:
    found = loaded_as(vendor, "leaf01.txt", text)[0].fates
    assert found is not None
    return found


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Configurations of all systems."""
    for of in (eos_sound.LEAF, eos_sound.SPINE, eos_sound.MIXED, eos_sound.GUIDE, eos_sound.SORTED):
        yield "arista", of
    for of in (nvue_sound.LEAF, nvue_sound.SPINE, nvue_sound.STATED):
        yield "spectrum", of
    for name in list(INTENTS)[:3]:
        for form in ("curly", "set"):
            yield "junos", re.sub(r"(?m)^#.*\n", "", rendered(INTENTS[name], folder, form))
    yield "sonic", json.dumps(clean())
    for text in (CORPORA / "exports.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        head, _, _, body = text.split("\n", maxsplit=3)
        yield head.partition(" ")[0], body


def test_the_counts_add_up_to_the_file(tmp_path: Path) -> None:
    for vendor, text in texts(tmp_path):
        found = fates(vendor, text)
        assert sum(found.counts) == found.total == count_statements(vendor, text), (vendor, text[:200])
        of = dict(zip(FATES, found.counts, strict=True))
        assert sum(group.number for group in found.unjudged) == of["as text"] + of["second way"] + of["unknown"]


@pytest.mark.conformance
def test_the_counts_add_up_to_every_sample_and_few_are_unknown(shared: Path) -> None:
    total = unknown = 0
    for path in sorted(shared.glob("samples/*/*")):
        vendor = {"eos": "arista", "nvue": "spectrum"}.get(path.parent.name, path.parent.name)
        if vendor not in FUTURE or path.suffix not in (".json", ".yaml", ".nv", ".cfg", ".conf"):
            continue
        text = path.read_text(encoding="utf-8")
        found = fates(vendor, text)
        assert found.total == count_statements(vendor, text), path
        total += found.total
        unknown += found.counts[-1]
    assert total > 10_000
    assert unknown < total / 1000


def test_the_counts_add_up_to_a_file_that_is_cut_and_shuffled(tmp_path: Path) -> None:
    chosen = random.Random("fates")  # noqa: S311 - the same cases each time
    tried = 0
    for vendor, text in texts(tmp_path):
        lines = text.splitlines()
        if vendor == "sonic" or (vendor == "junos" and not text.startswith("set ")):
            continue
        if vendor == "spectrum" and not lines[0].startswith("nv "):
            continue
        for _ in range(2):
            mixed = [line for line in chosen.sample(lines, len(lines) // 2) if line.strip()]
            try:
                found = fates(vendor, "\n".join(mixed))
            except SourceError:
                continue
            tried += 1
            assert found.total == count_statements(vendor, "\n".join(mixed)), (vendor, mixed)
    assert tried > 8


# Statements that no system has yet, one for each section: none is refused, and none is passed over in silence.
FUTURE = {
    "sonic": """TABLE_OF_TOMORROW x y
        BUFFER_OF_TOMORROW x y
        PORT Ethernet0 of_tomorrow
        PFC_WD Ethernet0 of_tomorrow
        BUFFER_POOL ingress_lossless_pool of_tomorrow
        QUEUE Ethernet0|3 of_tomorrow
        SCHEDULER s of_tomorrow
        WRED_PROFILE w of_tomorrow
        SWITCH_HASH GLOBAL of_tomorrow
        SWITCH_TRIMMING GLOBAL of_tomorrow
        DEVICE_METADATA localhost of_tomorrow
        PORTCHANNEL PortChannel1 of_tomorrow
        ACL_RULE A|R OF_TOMORROW
        TUNNEL t of_tomorrow
        INTERFACE Ethernet0 of_tomorrow
        FLEX_COUNTER_TABLE PFCWD OF_TOMORROW""",
    "spectrum": """of-tomorrow x
        qos of-tomorrow x
        qos roce of-tomorrow
        qos pfc default-global of-tomorrow
        qos congestion-control default-global traffic-class 3 of-tomorrow
        qos mapping default-global of-tomorrow
        qos egress-scheduler default-global traffic-class 3 of-tomorrow
        qos egress-shaper p of-tomorrow
        qos link-pause p of-tomorrow
        qos remark default-global of-tomorrow
        qos traffic-pool roce-lossless of-tomorrow
        qos advance-buffer-config default-global of-tomorrow
        qos pfc-watchdog of-tomorrow
        interface swp1 of-tomorrow x
        interface swp1 qos of-tomorrow
        interface swp1 link of-tomorrow
        interface swp1 packet-trim of-tomorrow
        interface swp1 router adaptive-routing of-tomorrow
        router of-tomorrow x
        router adaptive-routing of-tomorrow
        system of-tomorrow x
        system config of-tomorrow
        system forwarding of-tomorrow
        system forwarding ecmp-hash of-tomorrow
        nve vxlan of-tomorrow
        service of-tomorrow x""",
    "arista": """of-tomorrow 3
        qos of-tomorrow 3
        priority-flow-control of-tomorrow
        platform of-tomorrow 3
        hardware of-tomorrow
        load-balance of-tomorrow
        errdisable of-tomorrow
        ip of-tomorrow
        qos map of-tomorrow 3
        qos profile P; of-tomorrow 3
        platform trident mmu queue profile P; of-tomorrow 3
        interface Vxlan1; vxlan of-tomorrow
        interface Ethernet1/1; of-tomorrow 3
        interface Ethernet1/1; priority-flow-control of-tomorrow
        interface Ethernet1/1; qos of-tomorrow
        interface Ethernet1/1; tx-queue 3; of-tomorrow 3
        interface Ethernet1/1; dcbx of-tomorrow
        interface Ethernet1/1; mtu of-tomorrow
        interface Ethernet1/1; ip of-tomorrow
        interface Ethernet1/1; hardware of-tomorrow""",
    "junos": """of-tomorrow x
        class-of-service of-tomorrow x
        class-of-service schedulers s of-tomorrow 3
        class-of-service forwarding-classes class C of-tomorrow 3
        class-of-service congestion-notification-profile P of-tomorrow 3
        class-of-service congestion-notification-profile P input dscp code-point 011010 of-tomorrow
        class-of-service congestion-notification-profile P pfc-watchdog of-tomorrow 3
        class-of-service shared-buffer of-tomorrow 3
        class-of-service interfaces et-0/0/0 of-tomorrow x
        class-of-service drop-profiles p of-tomorrow 3
        class-of-service classifiers dscp D of-tomorrow 3
        class-of-service rewrite-rules dscp D of-tomorrow 3
        class-of-service scheduler-maps m of-tomorrow 3
        interfaces et-0/0/0 of-tomorrow 3
        interfaces et-0/0/0 ether-options of-tomorrow 3
        interfaces et-0/0/0 unit 0 of-tomorrow 3
        interfaces et-0/0/0 unit 0 family inet of-tomorrow 3
        forwarding-options of-tomorrow
        forwarding-options enhanced-hash-key of-tomorrow
        firewall of-tomorrow
        system of-tomorrow 3
        chassis of-tomorrow 3
        protocols of-tomorrow 3
        protocols dcbx of-tomorrow
        vlans V of-tomorrow 3""",
}


def of_tomorrow(vendor: str, statement: str, sound: str) -> str:
    """A sound configuration with a statement more."""
    if vendor == "sonic":
        table, key, field = statement.split()
        config = clean()
        config.setdefault(table, {}).setdefault(key, {})[field] = "3"
        return json.dumps(config, indent=1)
    if vendor == "spectrum":
        tree: Any = {}
        for word in reversed(statement.split()):
            tree = {word: tree}
        return sound + yaml.safe_dump([{"set": tree}])
    if vendor == "arista":
        lines = statement.split("; ")
        return sound + "".join(f"{' ' * 3 * depth}{line}\n" for depth, line in enumerate(lines))
    return f"{sound}set {statement}\n"


CASES = [(vendor, line.strip()) for vendor, lines in FUTURE.items() for line in lines.splitlines()]


def test_a_statement_of_tomorrow_is_named(tmp_path: Path) -> None:
    sound = {"arista": eos_sound.LEAF, "spectrum": nvue_sound.LEAF, "sonic": ""}
    sound["junos"] = rendered(next(iter(INTENTS.values())), tmp_path, "set")
    silent = []
    for vendor, statement in part(CASES, "rocecfg/vendors"):
        loaded, sources = loaded_as(vendor, "leaf01.txt", of_tomorrow(vendor, statement, sound[vendor]))
        assert loaded.fates is not None
        told = [*(quote_statement(group, sources) for group in loaded.fates.unjudged)]
        told += [problem.message for problem in loaded.problems]
        silent += [] if any("tomorrow" in each.lower() for each in told) else [(vendor, statement)]
    assert not silent
