"""Of configurations that differ in names and addresses alone one is read, with the result of reading each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from intents import rocecfg
from loops import loop
from page_cases import SWITCHES, blocks

from rocecfg.source.document import Document, SourceError
from rocecfg.vendors.alike import Batch, Read, VendorText
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.running import read_drafts

EOS = """\
! device: leaf01 (DCS-7060X6-64PE, EOS-4.32.1F)
hostname leaf01
!
interface Ethernet1/1
   description rack 7 port 1
   mtu 9214
   speed 400g-8
   no switchport
   ip address 10.0.0.0/31
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   qos trust dscp
!
interface Ethernet2/1
   description to spine01 Ethernet5/1
   ip address 10.0.0.2/31
   qos trust dscp
!
router bgp 65001
   router-id 10.255.0.1
   neighbor 10.0.0.1 remote-as 64001
!
end
"""
NV = """\
nv set system hostname leaf01
nv set interface swp1 ip address 10.0.0.0/31
nv set interface swp2 ip address 10.0.0.2/31
nv set interface swp1-2 link speed 400G
nv set qos roce mode lossless
nv set qos roce enable on
nv set router bgp autonomous-system 65001
"""
NVUE = """\
- set:
    system:
      hostname: leaf01
    qos:
      roce:
        enable: on
        mode: lossless
    router:
      bgp:
        autonomous-system: 65001
    interface:
      swp1:
        ip:
          address:
            10.0.0.0/31: {}
      swp2:
        ip:
          address:
            10.0.0.2/31: {}
"""
SONIC = """\
{
    "DEVICE_METADATA": {"localhost": {
        "hostname": "leaf01",
        "bgp_asn": "65001"
    }},
    "PORT": {"Ethernet0": {"lanes": "1,2,3,4", "speed": "400000", "mtu": "9100"}},
    "INTERFACE": {
        "Ethernet0": {},
        "Ethernet0|10.0.0.0/31": {},
        "Ethernet0|fc00::0/127": {}
    },
    "BGP_NEIGHBOR": {
        "10.0.0.1": {"asn": "64001", "local_addr": "10.0.0.0"}
    },
    "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3", "dscp_to_tc_map": "AZURE"}},
    "DSCP_TO_TC_MAP": {"AZURE": {"26": "3", "0": "0"}}
}
"""
JUNOS = """\
set system host-name leaf01
set interfaces et-0/0/0 description "port 1"
set protocols bgp group up neighbor 10.0.0.1 peer-as 65001
set interfaces et-0/0/0 unit 0 family inet address 10.0.0.0/31
set class-of-service forwarding-classes class rdma queue-num 3 no-loss
set class-of-service interfaces et-0/0/0 congestion-notification-profile cnp
"""
TEXTS = {"eos": EOS, "nv": NV, "nvue": NVUE, "sonic": SONIC, "junos": JUNOS}
OTHERS = (  # what may stand for a word in a text like it
    ("leaf01", "leaf2-0b"),
    ("10.0.0.0", "10.12.200.4"),
    ("10.0.0.2/31", "10.0.200.2/31"),
    ("65001", "4200000001"),
    ("10.255.0.1", "10.255.111.1"),
    ("rack 7", "rack 112"),
)


def _in_full(texts: list[VendorText]) -> Iterator[Read]:
    for text in texts:
        try:
            yield read_drafts(*text)
        except SourceError as error:
            yield error


def _all_of(value: Any) -> Any:
    """A value with all its places, which two of the model's values need not agree in to be equal."""
    if isinstance(value, dict):
        return [(_all_of(key), _all_of(part)) for key, part in value.items()]
    if isinstance(value, tuple | list):
        return type(value), [_all_of(part) for part in value]
    if isinstance(value, SourceError):
        return str(value)
    if "__dataclass_fields__" in vars(type(value)):
        return type(value), [(name, _all_of(getattr(value, name))) for name in type(value).__slots__]
    return value


def _read(texts: list[str]) -> int:
    """Read texts by shape, and each in full; how many needed no reading. Fails where that is not the same."""
    read: list[VendorText] = []
    batch = Batch(read.append, by_shape=True)
    for number, text in enumerate(texts):
        ours = batch.add(Document(number, f"{number}.txt", text), vendor_of)
        assert ours == (vendor_of(text) is not None)

    def reading(more: list[VendorText]) -> Iterator[Read]:
        read.extend(more)
        return _in_full(more)

    found = batch.read(_in_full(read.copy()), reading)
    for (document, vendor), got, whole in zip(batch.texts, found, _in_full(batch.texts), strict=True):
        assert vendor == vendor_of(document.text)
        assert _all_of(got) == _all_of(whole), document.text
    return len(found) - len(read)


@pytest.mark.parametrize("kind", TEXTS)
def test_other_names_and_addresses_need_no_reading(kind: str) -> None:
    text = TEXTS[kind]
    others = []
    for old, new in OTHERS:
        other = text.replace(old, new)
        if other != text:
            others.append(other)
    whole = text
    for old, new in OTHERS:
        whole = whole.replace(old, new)
    assert _read([text, *others, whole]) == len(others) + 1
    assert _read([whole, text, *others]) == len(others) + 1


ONE_TEXT = """\
{"localhost": {"DEVICE_METADATA": {"localhost": {"hostname": "leaf01"}}},
 "asic0": {"PORT": {"Ethernet0": {"speed": "400000"}}, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}},
 "asic1": {"PORT": {"Ethernet4": {"speed": "400000"}}, "BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65001"}}}}
"""
READ_ONE_BY_ONE = {  # of which no text can be made from another of its shape
    "two switches": ONE_TEXT,
    "cut off": SONIC[:-3],
    "a quoted address": EOS.replace("   qos trust dscp\n", "   qos tomorrow 10.0.0.2/31\n", 1),
}
ODD = {  # what may stand among texts of one shape
    "another digit": lambda text: text.replace("3", "4"),
    "another system": lambda text: NV if "set class-of-service" in text else JUNOS,
    "nobody's": lambda _: "a shopping list\n",
    "more lines": lambda text: f"{text}\n",
    "cut off": lambda text: text[: len(text) // 2],
    "the far end's address": lambda text: text.replace("10.0.0.1", "10.0.0.0", 1),
}


@loop("kind", [*TEXTS, *READ_ONE_BY_ONE])
def test_many_alike_with_one_in_the_middle_that_is_not(kind: str) -> None:
    """All come to what each does that is read alone; what is alike on both sides of the odd one needs no reading."""
    text = (TEXTS | READ_ONE_BY_ONE)[kind]
    alike = [
        text.replace("leaf01", f"leaf{n}b7").replace("10.0.0.", f"10.{n}.0.").replace("65001", f"{4200000000 + n}")
        for n in range(6, 12)
    ]
    filled = 0 if kind in READ_ONE_BY_ONE else len(alike) - 1
    assert _read(alike) == filled
    for odd, change in ODD.items() if filled else ():
        if change(text) != text:
            assert _read([*alike[:3], change(text), *alike[3:]]) == filled, odd


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("eos", "10.0.0.2/31", "10.0.0.0/31"),  # two addresses become one
        ("eos", "EOS-4.32.1F", "EOS-4.29.1F"),
        ("eos", "priority 3", "priority 4"),
        ("eos", "mtu 9214", "mtu 1500"),
        ("eos", "spine01 Ethernet5/1", "spine02 Ethernet5/1"),
        ("eos", "rack 7 port 1", "to spine01 Ethernet5/1"),
        ("eos", "leaf01 (DCS", "leaf\ud80001 (DCS"),
        ("eos", "hostname leaf01", "hostname leaf02"),  # the comment still has the other name
        ("nv", "10.0.0.2/31", "10.0.0.0/31"),
        ("nv", "swp1-2", "swp1-3"),
        ("nvue", "10.0.0.2/31", "10.0.0.0/31"),
        ("nvue", "      swp1:\n", "      swp2:\n"),
        ("nvue", "hostname: leaf01", "hostname: on"),
        ("sonic", '"26": "3"', '"26": "4"'),
        ("sonic", "400000", "100000"),
        ("sonic", '"local_addr": "10.0.0.0"', '"local_addr": "10.0.0.6"'),  # it is the port's, which has its own
        ("sonic", '"10.0.0.1":', '"10.0.0.0":'),
        ("sonic", "Ethernet0|10.0.0.0/31", "Ethernet4|10.0.0.0/31"),
        ("sonic", '"65001"', "65001"),
        ("junos", "queue-num 3", "queue-num 4"),
        ("junos", "port 1", "spine 1"),  # by that it is told to be an uplink
    ],
)
def test_what_may_mean_something_is_read(kind: str, old: str, new: str) -> None:
    text = TEXTS[kind]
    assert old in text
    assert _read([text, text.replace(old, new, 1)]) == 0


@pytest.mark.parametrize("kind", TEXTS)
def test_one_byte_changed_anywhere(kind: str) -> None:
    """Each text with one character changed, in twos and threes, beside the one that it was."""
    draw = random.Random(20261123)  # noqa: S311 - for the same cases each time
    text = TEXTS[kind]
    digits = [at for at, character in enumerate(text) if character.isdigit()]
    filled = 0
    for _ in range(30):
        changed = []
        for _ in range(3):
            at = draw.choice(digits) if draw.random() < 0.8 else draw.randrange(1, len(text))
            changed.append(text[:at] + draw.choice('0123456789\n .:/-\t"') + text[at + 1 :])
        filled += _read([text, *changed])
    assert filled > 5


def test_every_block_of_the_rules_pages() -> None:
    draw = random.Random(7)  # noqa: S311 - for the same cases each time
    pages = sorted((ROOT / "rocecfg" / "rules" / "pages").glob("*.md"))
    texts = [b.text for page in pages for b in blocks(page.read_text(encoding="utf-8")) if b.kind in SWITCHES]
    assert len(texts) > 300
    for text in draw.sample(texts, 100):
        at = [n for n, c in enumerate(text) if c.isdigit()]
        changed = [text[:n] + draw.choice("0123456789") + text[n + 1 :] for n in draw.sample(at, min(2, len(at)))]
        _read([text, text, *changed])


def test_lint_prints_the_same_bytes(tmp_path: Path) -> None:
    for number in range(12):
        for kind, text in TEXTS.items():
            name = f"{kind}-leaf{number}"
            own = text.replace("leaf01", name).replace("10.0.0.", f"10.{number * 20}.0.")
            (tmp_path / f"{name}{Path(SWITCHES.get(kind, ('', 'a.json'))[1]).suffix}").write_text(own, encoding="utf-8")
    by_shape = rocecfg(tmp_path, "lint", "--format", "json", ".")
    in_full = rocecfg(tmp_path, "lint", "--format", "json", "--no-shapes", ".")
    assert by_shape.stdout == in_full.stdout
    assert by_shape.returncode == in_full.returncode == 1
    assert "eos-leaf11" in by_shape.stdout


def test_of_long_texts_the_latest_are_kept_to_compare_others_with(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [EOS, SONIC, JUNOS]
    sizes = list(map(len, texts))
    for room, known in (
        (sum(sizes), texts),
        (sum(sizes) - 1, [SONIC, JUNOS]),
        (sum(sizes[1:]), [SONIC, JUNOS]),
        (sizes[2], [JUNOS]),
        (1, [JUNOS]),  # the last, however long it is
    ):
        monkeypatch.setattr("rocecfg.vendors.alike._KEPT", room)
        assert [text for text in texts if _read([*texts, text.replace("leaf01", "leaf02")])] == known, room


def test_what_a_system_could_refuse_is_not_as_sound_as_a_text_like_it() -> None:
    for old, sound, unsound in (
        ("10.0.0.2/31", ("10.0.0.255/31",), ("10.0.0.256/31", "10.0.0.00/31")),
        ("65001", ("1", str(2**32 - 1)), ("0", str(2**32))),
        ("leaf01", ("l" + "1" * 62,), ("l" + "1" * 63,)),
        ("rack 7 port 1", ("1" * 63,), ("1" * 64,)),
    ):
        for new in (*sound, *unsound):
            batch = Batch(lambda _: None, by_shape=True)
            for number, text in enumerate((EOS, EOS.replace(old, new))):
                batch.add(Document(number, f"{number}.txt", text), vendor_of)
            assert batch.find_alike() == ({1: 0} if new in sound else {}), new


def test_a_name_that_stands_elsewhere_is_more_than_a_name() -> None:
    text = EOS.replace("router bgp", "ip prefix-list leaf01 seq 10 permit 10.0.0.0/8\nrouter bgp")
    other = text.replace("hostname leaf01", "hostname leaf02").replace("device: leaf01", "device: leaf02")
    assert _read([text, other]) == 0
