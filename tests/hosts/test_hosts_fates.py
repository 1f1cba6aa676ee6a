"""Each line of a NIC's output has exactly one fate, and what is not known is named."""

from __future__ import annotations

import json
import random
from pathlib import Path

from intents import FABRIC, rocecfg, write
from test_hosts_lldp import mlxconfig
from test_hosts_reading import DCB, DCB_AS_PRINTED, mlnx_qos
from test_hosts_windows import DISABLED, TRAFFIC_CLASSES, adapter, flow_control, policy

from rocecfg.hosts.fates import find_unread
from rocecfg.hosts.reading import read
from rocecfg.model.fates import FATES, Fates
from rocecfg.source.document import Document, SourceError

FLAGS = "Private flags for ens2f0np0:\nlink-down-on-close     : off\nfw-lldp-agent          : off\n"
CARD = mlxconfig().replace("        CNP_DSCP_P1", "*       SRIOV_EN                     True(1)\n        CNP_DSCP_P1")
OUTPUTS = {
    "mlnx_qos": mlnx_qos(),
    "dcb": DCB,
    "dcb as printed": DCB_AS_PRINTED,
    "flags": FLAGS,
    "card": CARD,
    "adapter": adapter(),
    "disabled": adapter() + DISABLED,
    "shares": TRAFFIC_CLASSES,
    "flow control": flow_control(3),
    "policy": policy(),
    "prompts": f"$ uname -r\n6.8.0-45-generic\n$ sudo mlnx_qos -i ens1f0\n# taken on Monday\n{mlnx_qos()}",
    "dos": mlnx_qos().replace("\n", "\r\n"),
}


def fates(text: str) -> Fates:
    return read(Document(0, "gpu01.txt", text)).fates


def told(text: str) -> list[tuple[str, str]]:
    """The first words of what is neither judged nor foreign, with its fate."""
    return [(text[one.at.start : one.at.end].split(maxsplit=1)[0], one.fate) for one in fates(text).unjudged]


def count_lines(text: str) -> int:
    return sum(line.strip() != "" for line in text.splitlines())


def test_the_counts_add_up_to_the_lines() -> None:
    """Of whole outputs, and of what is left of them where lines are cut out and shuffled."""
    chosen = random.Random("fates")  # noqa: S311 - the same cases each time
    tried = 0
    for text in OUTPUTS.values():
        lines = text.splitlines(keepends=True)
        for cut in (text, *("".join(chosen.sample(lines, chosen.randint(1, len(lines)))) for _ in range(5))):
            try:
                found = fates(cut)
            except SourceError:
                assert cut is not text
                continue
            tried += 1
            assert sum(found.counts) == found.total == count_lines(cut), cut
            assert sum(one.number for one in found.unjudged) == sum(found.counts[2:]), cut
    assert tried > len(OUTPUTS) * 3


def test_of_usual_output_nothing_is_unknown() -> None:
    assert {name: told(text) for name, text in OUTPUTS.items() if told(text)} == {"card": [("CNP_DSCP_P1", "as text")]}
    assert dict(zip(FATES, fates(mlnx_qos()).counts, strict=True))["judged"] > 15


TOMORROW = {
    "mlnx_qos": ("Cable len: 3\n", "Cable len: 3\nTomorrow: on\n\tof-tomorrow 0 0 0 1\n"),
    "dcb": ("dscp-prio", "tomorrow-prio 3:4\ndscp-prio"),
    "flags": ("fw-lldp", "of-tomorrow  : on\nfw-lldp"),
    "card": ("        CNP", "        OF_TOMORROW_P1         3\n        CNP"),
    "adapter": ("OperationalFlow", "OperationalTomorrow : 3\nOperationalFlow"),
    "shares": ("SMB", "of-tomorrow\nSMB"),
    "policy": ("Precedence", "TomorrowAction : 3\nPrecedence"),
    "prompts": ("# taken", "$ tomorrow --now\nsome output\n# taken"),
}


def test_a_line_of_tomorrow_is_named(tmp_path: Path) -> None:
    for name, (old, new) in TOMORROW.items():
        text = OUTPUTS[name].replace(old, new, 1)
        unknown = [one for one in fates(text).unjudged if one.fate == "unknown"]
        assert unknown, name
        assert "omorrow" in text[unknown[0].at.start : unknown[0].at.end].lower(), name
        document = Document(0, "gpu01.txt", text)
        problems = list(find_unread([], read(document).fates, document))
        assert any("omorrow" in each.message.lower() for each in problems), name
    write(tmp_path, {"gpu01.txt": f"{mlnx_qos()}Tomorrow: on\n"})
    done = rocecfg(tmp_path, "lint", "gpu01.txt", expect=0)
    assert "'Tomorrow: on' is not checked" in done.stdout
    assert ", 1 unknown (line " in done.stdout


def test_queues_and_filters_of_the_host_are_second_ways() -> None:
    text = f"# tc qdisc show\nqdisc mq 0: root\nqdisc fq 0: parent :1\n# mlnx_qos -i ens1f0\n{mlnx_qos()}"
    assert [(one.fate, one.number) for one in fates(text).unjudged] == [("second way", 1), ("second way", 2)]
    assert told("# cma_roce_tos -d mlx5_0\n106\n" + DCB)[0] == ("#", "as text")


def test_what_is_written_for_the_driver_is_a_second_way() -> None:
    written = "/sys/class/infiniband/mlx5_0/tc/1/traffic_class"
    for line, way in (
        (f"$ echo 106 > {written}", True),
        (f"# echo 106 >{written}", True),
        (f"root@gpu01:~# echo 106 | sudo tee {written}", True),
        ("$ echo done > /tmp/log", False),
        ("$ echo /sys/class/net", False),
    ):
        assert told(f"{line}\n{mlnx_qos()}") == ([(line.split()[0], "second way")] if way else []), line


def test_each_output_prints_the_lines_of_hosts(tmp_path: Path) -> None:
    """Beside an intent and without one, and as JSON."""
    text = f"{mlnx_qos()}Tomorrow: on\n"
    write(tmp_path, {"fabric.yaml": FABRIC, "gpu01-nic0.txt": text})
    total = count_lines(text)
    for files in (("gpu01-nic0.txt",), ("fabric.yaml", "gpu01-nic0.txt")):
        assert f"{total} statements: " in rocecfg(tmp_path, "lint", *files, expect=None).stdout
        listed = rocecfg(tmp_path, "lint", *files, "--list-unjudged", expect=None).stdout
        assert f"gpu01-nic0.txt:{total}: unknown: Tomorrow: on: in no list" in listed
        done = json.loads(rocecfg(tmp_path, "lint", *files, "--format", "json", expect=None).stdout)
        assert (done["statements"]["total"], done["statements"]["unknown"]) == (total, 1)
