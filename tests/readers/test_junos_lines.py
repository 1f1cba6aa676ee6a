"""Several leaves on one line of Junos, wherever its grammar allows it, say what they say on lines of their own."""

from __future__ import annotations

from pathlib import Path

from intents import rocecfg, write
from junos_text import INTENTS, device, displayed, findings, rendered, switch, switches
from loops import loop
from sampling import part
from seen import seen

from rocecfg.validation.junos_schema import grammar
from rocecfg.validation.junos_text import Word
from rocecfg.validation.junos_tree import JunosNode
from rocecfg.validation.junos_walk import RefusedStatement, StatementWalk

_SEEN_IN_VLANS = """\
set firewall family inet filter F term t from protocol udp
set firewall family inet filter F term t from destination-port 3260
set firewall family inet filter F term t then count c
set firewall family inet filter F term t then accept
set interfaces et-0/0/2 description host
set interfaces et-0/0/2 ether-options no-flow-control
set interfaces et-0/0/2 ether-options fec fec91
set interfaces et-0/0/2 unit 0 family inet mtu 4000
set interfaces et-0/0/2 unit 0 family inet filter input F
"""


def takes(line: str) -> bool:
    """Whether Juniper's models take a set line: those that `rocecfg validate` walks, which no reader knows."""
    words = [Word(word, 1) for word in line.split()[1:]]
    try:
        StatementWalk(JunosNode(grammar("24.4R1").root, ""), words, wild=False, block=False, braces=False).place()
    except RefusedStatement:
        return False
    return True


def joined(text: str) -> str:
    """The same with as many leaves on a line as the models allow."""
    out: list[str] = []
    for line in displayed(text).splitlines():
        words = line.split()
        for at, other in enumerate(out):
            have = other.split()
            common = next((n for n, pair in enumerate(zip(have, words, strict=False)) if len(set(pair)) == 2), 0)
            both = next(
                (
                    longer
                    for cut in range(common, 2, -1)
                    if takes(longer := f"{other} {' '.join(words[cut:])}") and takes(" ".join(words[:cut]))
                ),
                None,
            )
            if both is not None and words[1] not in ("version", "system"):
                out[at] = both
                break
        else:
            out.append(line)
    return "".join(f"{line}\n" for line in out)


def bracketed(text: str) -> str:
    """The same with lists in brackets, and what follows them on the line."""
    fills = [line for line in text.splitlines() if "interpolate" in line]
    out = [line for line in text.splitlines() if line not in fills]
    for name in dict.fromkeys(line.split()[3] for line in fills):
        own = [line.split() for line in fills if line.split()[3] == name]
        ends = {key: [w[-1] for w in own if w[-2] == key] for key in ("fill-level", "drop-probability")}
        both = " ".join(f"{key} [ {' '.join(values)} ]" for key, values in ends.items())
        out.append(f"set class-of-service drop-profiles {name} interpolate {both}")
    return "".join(f"{line}\n" for line in out)


def told(text: str) -> set[tuple[str, str]]:
    """What is found, without the places."""
    return {(found.rule.name, found.message) for found in findings(text)}


@loop("name", part([name for name in INTENTS if name != "policy"], "rocecfg/vendors/junos"))
def test_lines_that_are_joined_say_the_same(name: str, tmp_path: Path) -> None:
    text = displayed(rendered(INTENTS[name], tmp_path, "set")) + _SEEN_IN_VLANS
    line = joined(text)
    assert len(line.splitlines()) < 0.8 * len(text.splitlines())
    for other in (line, bracketed(text)):
        assert seen(switches(other)) == seen(switches(text))
        assert told(other) == told(text)


def test_drift_import_and_lint_of_joined_lines(tmp_path: Path) -> None:
    text = "set system host-name leaf01\n" + displayed(rendered(INTENTS["leaf"], tmp_path, "set"))
    write(tmp_path, {"fabric.yaml": INTENTS["leaf"], "a/leaf01.conf": text, "b/leaf01.conf": joined(text)})
    drift = [rocecfg(tmp_path, "drift", "fabric.yaml", "--running", folder).stdout for folder in "ab"]
    assert drift[0] == drift[1].replace("b/", "a/")
    assert "no drift" in drift[1]
    imported = [rocecfg(tmp_path, "import", f"{folder}/leaf01.conf").stdout for folder in "ab"]
    assert imported[0] == imported[1].replace("b/", "a/")


HEAD = "set system host-name leaf01\nset interfaces et-0/0/0 unit 0 family inet address 192.0.2.0/31\n"


def mtu(text: str) -> int:
    """The IP MTU of the first port."""
    return int(switch(HEAD + text).ports[0].section["mtu"].value)


def test_delete_and_deactivate_reach_a_leaf_of_a_joined_line() -> None:
    both = "set interfaces et-0/0/0 description x mtu 9216\n"
    assert mtu(both) == 9202
    assert mtu(both + "deactivate interfaces et-0/0/0 mtu\n") == 1500
    assert mtu(both + "delete interfaces et-0/0/0 mtu\n") == 1500
    assert mtu(both + "delete interfaces et-0/0/0 description\n") == 9202
    assert mtu(both + "edit interfaces et-0/0/0\nset description y mtu 4014\ntop\n") == 4000


def test_the_last_of_several_values_of_a_leaf_counts() -> None:
    lines = "".join(f"set interfaces et-0/0/0 mtu {number}\n" for number in (9216, 1514, 9216))
    assert mtu(lines) == 9202


def test_groups_take_joined_lines() -> None:
    group = "set groups G interfaces <et-*> speed 100g mtu 9216 unit <*> family inet mtu 4000\nset apply-groups G\n"
    assert mtu(group) == 4000
    assert mtu(group.replace(" unit <*> family inet mtu 4000", "")) == 9202
    applied = "set groups G mtu 9216\n".replace("G mtu", "G interfaces <*> mtu")
    assert mtu(applied + "set interfaces et-0/0/0 apply-groups G description x\n") == 9202
    ranged = "set interfaces interface-range R member et-0/0/0 mtu 9216\n"
    assert mtu(ranged) == 9202


def test_a_value_that_has_the_name_of_a_leaf_is_a_value() -> None:
    assert mtu("set interfaces et-0/0/0 description mtu mtu 9216\n") == 9202
    assert mtu('set interfaces et-0/0/0 description "mtu 1514" mtu 9216\n') == 9202
    assert mtu("set interfaces et-0/0/0 optics-options mtu 9216\n") == 1500  # below what is not known


def test_a_slip_on_a_joined_line_is_told_alone() -> None:
    text = HEAD + "set class-of-service forwarding-classes class A queue-num 4 no-loss pfc-prio 3\n"
    assert device(text).running is not None
    (slip,) = [found for found in findings(text) if found.rule.name == "device-unknown"]
    assert "pfc-prio" in slip.message
    assert "no-loss" not in slip.message


def test_the_queue_of_the_switch_itself_beside_others_that_take_all() -> None:
    text = (
        HEAD
        + "set class-of-service forwarding-classes class A queue-num 0\n"
        + "set class-of-service scheduler-maps M forwarding-class A scheduler S\n"
        + "set class-of-service schedulers S transmit-rate percent 100\n"
        + "set class-of-service interfaces et-0/0/0 scheduler-map M\n"
    )
    told_of = [found for found in findings(text) if found.rule.name == "junos-unscheduled"]
    assert [(found.severity, "network-control (queue 7)" in found.message) for found in told_of] == [("info", True)]
    own = "set class-of-service scheduler-maps M forwarding-class network-control scheduler T\n"
    for silent in (text.replace("100", "95"), text + own + "set class-of-service schedulers T priority strict-high\n"):
        assert not [found for found in findings(silent) if "queue 7" in found.message]
