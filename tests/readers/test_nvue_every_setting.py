"""Every setting of NVUE's published models below `qos` and interfaces' `qos` and `link`: none passes in silence."""

from __future__ import annotations

import importlib
import json
import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conformance import run_validator
from nvue_text import lint, switch
from sampling import part
from seen import Seen, noted, seen
from test_nvue_conformance import Path_, _limits, _models, _values, published

from rocecfg.model.switch import Switch

pytestmark = pytest.mark.conformance
__all__ = ["published"]


def operation(path: Path_, value: Any) -> str:
    """What sets a path, as one operation; `value`: text, or {} of a member."""
    node: Any = value
    for word in reversed(path):
        node = {word: node}
    return f"- set: {json.dumps(node)}\n"


def text_of(release: tuple[int, int], **qos: Any) -> str:
    """A switch with two ports."""
    head = {"model": "SN5600", "nvue-api-version": "nvue_v1", "version": f"Cumulus Linux {release[0]}.{release[1]}.0"}
    body = {
        "system": {"hostname": "leaf01"},
        "interface": {"swp1-2": {"link": {"mtu": 9216}, "type": "swp"}},
        "qos": qos,
    }
    return f"- header: {json.dumps(head)}\n- set: {json.dumps(body)}\n"


TRIED = ((5, 9), (5, 18))  # before and after service pools, `state` for `enable`, and relative thresholds
STATE, SERVICE_POOLS, SHARED_HEADROOM = (5, 15), (5, 11), (5, 17)
# What nobody is shown, and why.
SILENT = {
    r"qos advance-buffer-config \S+ ingress-lossy-buffer priority-group \S+ name": "a label",
    r"qos link-pause \S+ cable-length": "802.3x, which PFC excludes: that a port has it is told",
    r"interface \S+ link (fec|state down|breakout 2x)": "of the link alone: checked where both ends are known",
}

_PROFILES = {  # of their own, which ports may bind
    "mapping": {"P": {"trust": "l3", "port-default-sp": 1, "dscp": {"26": {"switch-priority": 4}}}},
    "pfc": {"P": {"switch-priority": {"4": {}}, "cable-length": 30}},
    "congestion-control": {
        "P": {"traffic-class": {"3": {"ecn": "enable", "min-threshold": 1000, "max-threshold": 9000, "probability": 7}}}
    },
    "egress-scheduler": {
        "P": {"traffic-class": {"3": {"mode": "dwrr", "bw-percent": 70}, "0": {"mode": "dwrr", "bw-percent": 30}}}
    },
    "egress-shaper": {"P": {"traffic-class": {"3": {"max-rate": 1000000}}}},
    "remark": {"P": {"rewrite": "l3", "switch-priority": {"3": {"dscp": 10}}}},
    "link-pause": {"P": {"tx": "enable", "rx": "enable"}},
}


def _below(kind: str, settings: Any) -> str:
    """An operation on the global profile of a kind."""
    return operation(("qos", kind, "default-global"), settings)


@cache
def bases(release: tuple[int, int]) -> tuple[str, ...]:
    """Switches on which a setting may show: what a setting needs beside it, some of them have."""
    on = {"enable": "on"} if release < STATE else {"state": "enabled"}
    roce = text_of(release, roce={**on, "mode": "lossless"}, **_PROFILES)
    plain = text_of(release, **_PROFILES)
    relative = {"mode": "relative"} if release >= SHARED_HEADROOM else {}
    kinds = (
        ("ingress-service-pool", "egress-service-pool") if release >= SERVICE_POOLS else ("ingress-pool", "egress-pool")
    )
    return (
        roce,
        plain,
        plain + _below("mapping", {"trust": "l2"}) + _below("pfc", {"switch-priority": {"3": {}}}),
        plain + _below("congestion-control", {"traffic-class": {"3": {"ecn": "enable", **relative}}}),
        roce + operation(("interface", "swp1-2", "qos", "pfc-watchdog", "state"), "enable"),
        plain + operation(("interface", "swp1-2", "qos", "link-pause", "profile"), "default-global"),
        plain + _below("remark", {"rewrite": "both"}),
        plain + _below("remark", {"switch-priority": {"3": {"dscp": 9, "pcp": 4}}}),
        plain + _below("advance-buffer-config", {pool: {"1": {"memory-percent": 30}} for pool in kinds}),
    )


class Setting(NamedTuple):
    """A setting, values that it takes, and one that it does not."""

    path: Path_
    values: tuple[Any, ...]
    refused: Any

    @property
    def name(self) -> str:
        return " ".join(self.path)


_LINK = tuple(  # in all releases; that no other key is passed over, a test of the schema sees to
    Setting(("interface", "swp1", "link", *path), values, refused)
    for path, values, refused in (
        (("mtu",), (1500, 9000), 100),
        (("speed",), ("100G", "400G"), "fast"),
        (("fec",), ("rs", "off"), "nonsense"),
        (("state", "down"), ({},), "nonsense"),
        (("breakout", "2x"), ({},), ["x"]),
    )
)


@cache
def settings(release: tuple[int, int]) -> tuple[Setting, ...]:
    """All that a release has below `qos` and a port's `qos`, and what is read of its `link`."""
    model = importlib.import_module(f"nvueschema.models.v{release[0]}_{release[1]}").NvueConfig
    found = list(_limits(model.model_fields["qos"].annotation, ("qos",)))
    for below in _models(_values(model.model_fields["interface"].annotation)):
        if "qos" in below.model_fields:
            found += _limits(below.model_fields["qos"].annotation, ("interface", "swp1", "qos"))
    out = {each.path: each for each in _LINK}
    for path, words, low, high in found:
        if path[-1] in ("profile", "name"):
            out[path] = Setting(path, ("default-global", "P", "NOWHERE"), {"a": "b"})
        elif words:
            out[path] = Setting(path, words, "nonsense")
        else:
            least, most = low if low is not None else 1, high if high is not None else 10**6
            out[path] = Setting(path, tuple(dict.fromkeys((least, (least + most) // 2, most))), "nonsense")
    return tuple(out.values())


@cache
def _switch(text: str) -> Switch:
    return switch(text)


@cache
def _shown(text: str) -> Seen:
    return seen((_switch(text),))


@cache
def _noted(text: str) -> Seen:
    return noted((_switch(text),))


@cache
def _judged(text: str) -> Seen:
    return frozenset((reported.rule, reported.message) for reported in lint(text))


def differ(release: tuple[int, int], one: str, other: str) -> bool:
    """Whether it shows on some switch which of two operations it has, or is said that neither is judged.

    It shows by settings and notes; or by what lint finds, on the first of the switches.
    """
    found = bases(release)
    return any(
        _shown(base + one) != _shown(base + other) or (unjudged(base, one) and unjudged(base, other)) for base in found
    ) or any(_judged(base + one) != _judged(base + other) for base in found[:2])


def unjudged(base: str, line: str) -> bool:
    """Whether it is said that what is set is refused, unknown, or not judged."""
    return bool(_noted(base + line) - _noted(base))


def excused(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in SILENT)


@pytest.mark.parametrize("release", TRIED, ids=lambda r: f"{r[0]}.{r[1]}")
def test_no_setting_passes_in_silence(release: tuple[int, int]) -> None:
    """Each, and each of its values, shows on one of the switches at least; what is refused is told."""
    tried, missed, taken = 0, set(), set()
    every = settings(release)
    chosen = part(every, "rocecfg/vendors/spectrum")
    for each in chosen:
        lines = [operation(each.path, value) for value in each.values]
        if not any(differ(release, "", line) for line in lines):
            missed.add(each.name)
        for one, other in pairwise(lines):
            tried += 1
            if not differ(release, one, other):
                missed.add(each.name)
        if not any(unjudged(base, operation(each.path, each.refused)) for base in bases(release)):
            taken.add(each.name)
    assert len(every) > 75
    assert tried > len(chosen)
    assert len(chosen) < len(every) or tried > 200
    assert {name for name in missed if not excused(name)} == set()
    assert taken == set()
    if len(chosen) == len(every):
        assert [pattern for pattern in SILENT if not any(re.fullmatch(pattern, name) for name in missed)] == []
    assert len(SILENT) <= 30


@pytest.mark.parametrize("release", TRIED, ids=lambda r: f"{r[0]}.{r[1]}")
def test_the_switches_are_valid(nvue_validator: Path, tmp_path: Path, release: tuple[int, int]) -> None:
    """With every setting of the release at its last value; profiles of no name are left out."""
    paths = []
    for number, base in enumerate(bases(release)[:1]):
        whole = base + "".join(
            operation(each.path, each.values[-1])
            for each in settings(release)
            if each.path[-1] not in ("profile", "name")
        )
        paths.append(tmp_path / f"{number}.yaml")
        paths[-1].write_text(whole, encoding="utf-8")
    done = run_validator(nvue_validator, "--version", f"{release[0]}.{release[1]}", *paths)
    assert done.returncode == 0, done.stdout + done.stderr
