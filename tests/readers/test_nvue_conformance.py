"""The reader's NVUE against the published one, release by release: what one has the other has, and no more."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from conformance import lacking, run_validator
from nvue_text import switch

from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL, OFF
from rocecfg.vendors.spectrum.domain import LINK_BESIDE
from rocecfg.vendors.spectrum.fixes import FIXES
from rocecfg.vendors.spectrum.reading.leaves import Integer, LeafType, OneOf
from rocecfg.vendors.spectrum.reading.objects import Keyed, Obj, SchemaType, SetMember
from rocecfg.vendors.spectrum.reading.schema import ROOT

pytestmark = pytest.mark.conformance

RELEASES = [(5, minor) for minor in (0, 2, 3, 4, 5, 6, 9, 10, 11, 12, 14, 15, 16, 17, 18)]  # where something changed
# A key that any collection of that name takes.
KEYS = {
    "interface": "swp1", "traffic-pool": "default-lossy", "priority-group": "bulk", "switch-priority": "3",
    "traffic-class": "3", "dscp": "26", "pcp": "3", "multicast-switch-priority": "3", "ingress-pool": "1",
    "egress-pool": "1", "ingress-service-pool": "1", "egress-service-pool": "1",
}  # fmt: skip
LAX = {("cable-length", "2001"), ("memory-percent", "0")}  # ranges that changed in 5.1 and 5.9
Path_ = tuple[str, ...]


@pytest.fixture(scope="module", autouse=True)
def published() -> None:
    if find_spec("nvueschema") is None:
        lacking("nvueschema is not installed: pip install 'rocecfg[validate]'")


def leaves_of(release: tuple[int, int]) -> dict[Path_, str]:
    """Every path below `qos` and `interface/swp1/qos` of the published model, with a value that it takes."""
    model = importlib.import_module(f"nvueschema.models.v{release[0]}_{release[1]}").NvueConfig
    qos = model.model_fields["qos"].annotation
    interface = _values(model.model_fields["interface"].annotation)
    found = dict(_leaves(qos, ("qos",)))
    for part in _models(interface):
        if "qos" in part.model_fields:
            found.update(_leaves(part.model_fields["qos"].annotation, ("interface", "swp1", "qos")))
    return found


def _plain(kind: Any) -> Any:
    while get_origin(kind) is Union:
        others = [arg for arg in get_args(kind) if arg is not type(None)]
        if len(others) != 1:
            break
        kind = others[0]
    return kind


def _models(kind: Any) -> list[Any]:
    kind = _plain(kind)
    if hasattr(kind, "model_fields"):
        return [kind]
    return [m for arg in get_args(kind) for m in _models(arg)] if get_origin(kind) is Union else []


def _values(kind: Any) -> Any:
    kind = _plain(kind)
    if get_origin(kind) is dict:
        return get_args(kind)[1]
    if get_origin(kind) is Union:
        return next((v for arg in get_args(kind) if (v := _values(arg)) is not None), None)
    return None


def _leaves(kind: Any, path: Path_) -> Iterator[tuple[Path_, str]]:
    inner = _values(kind)
    if inner is not None:
        below = (*path, KEYS.get(path[-1], "default-global"))
        if _models(inner):
            yield from _leaves(inner, below)
        else:
            yield below, ""
        return
    models = _models(kind)
    for model in models:
        for name, part in model.model_fields.items():
            yield from _leaves(part.annotation, (*path, part.alias or name))
    if not models:
        yield path, _sample(_plain(kind))


def _bare(kind: Any) -> tuple[Any, int | None, int | None]:
    """A leaf's type, its least and its most."""
    if get_origin(kind) is not Annotated:
        return kind, None, None
    plain, *notes = get_args(kind)
    bounds = [m for note in notes for m in getattr(note, "metadata", ())]
    low = next((m.ge for m in bounds if hasattr(m, "ge")), None)
    return plain, low, next((m.le for m in bounds if hasattr(m, "le")), None)


def _sample(kind: Any) -> str:
    plain, low, _ = _bare(kind)
    if get_origin(plain) is Literal:
        return str(get_args(plain)[0])
    return str(low) if low is not None else "1" if plain is int else "default-global"


def own_leaves(of: SchemaType, path: Path_) -> Iterator[Path_]:
    """Every path of the reader's own objects."""
    if isinstance(of, Obj):
        for key, entry in of.entries.items():
            yield from own_leaves(entry.type, (*path, key))
    elif isinstance(of, Keyed):
        yield from own_leaves(of.of, (*path, KEYS.get(path[-1], "default-global")))
    elif isinstance(of, LeafType | SetMember):
        yield path


def reported(commands: Iterable[tuple[Path_, str]], release: tuple[int, int]) -> set[tuple[Path_, str]]:
    """Those that the reader finds fault with."""
    commands = list(commands)
    text = "".join(f"nv set {' '.join((*path, value))}\n" for path, value in commands)
    problems = switch(text, f"{release[0]}.{release[1]}").problems
    return {commands[text.count("\n", 0, p.at.start)] for p in problems if p.rule in ("device-unknown", "device-value")}


def own_value(path: Path_) -> str:
    """A value that the reader's type takes."""
    of: SchemaType = ROOT
    for word in path:
        of = of.entries[word].type if isinstance(of, Obj) else of.of if isinstance(of, Keyed) else of
    if isinstance(of, OneOf):
        return next(iter(of.words))
    return str(of.low) if isinstance(of, Integer) else "" if isinstance(of, SetMember) else "default-global"


@pytest.mark.sweep("rocecfg/vendors/spectrum")
@pytest.mark.parametrize("release", RELEASES, ids=lambda r: f"{r[0]}.{r[1]}")
def test_what_is_published_is_taken(release: tuple[int, int]) -> None:
    assert reported(leaves_of(release).items(), release) == set()


@pytest.mark.sweep("rocecfg/vendors/spectrum")
@pytest.mark.parametrize("release", RELEASES, ids=lambda r: f"{r[0]}.{r[1]}")
def test_what_is_not_published_is_told(release: tuple[int, int]) -> None:
    known = leaves_of(release)
    qos, port = ROOT.entries["qos"].type, ROOT.entries["interface"].type
    assert isinstance(port, Keyed)
    assert isinstance(port.of, Obj)
    own = [*own_leaves(qos, ("qos",)), *own_leaves(port.of.entries["qos"].type, ("interface", "swp1", "qos"))]
    found = reported(((path, own_value(path)) for path in own), release)
    assert {path for path, _ in found} == {path for path in own if path not in known}


@pytest.mark.sweep("rocecfg/vendors/spectrum")
@pytest.mark.parametrize("release", RELEASES, ids=lambda r: f"{r[0]}.{r[1]}")
def test_every_setting_of_links_is_judged_or_listed(release: tuple[int, int]) -> None:
    model = importlib.import_module(f"nvueschema.models.v{release[0]}_{release[1]}").NvueConfig
    parts = _models(_values(model.model_fields["interface"].annotation))
    links = [leaf for part in parts if "link" in part.model_fields for leaf in _leaves(_link(part), ("link",))]
    judged = ROOT.entries["interface"].type.of.entries["link"].type.entries  # type: ignore[attr-defined]
    assert {path[1] for path, _ in links} - judged.keys() - LINK_BESIDE == set()
    assert links


def _link(part: Any) -> Any:
    return part.model_fields["link"].annotation


@pytest.mark.sweep("rocecfg/vendors/spectrum")
@pytest.mark.parametrize("release", RELEASES, ids=lambda r: f"{r[0]}.{r[1]}")
def test_words_and_ranges_are_the_published_ones(release: tuple[int, int]) -> None:
    model = importlib.import_module(f"nvueschema.models.v{release[0]}_{release[1]}").NvueConfig
    right: list[tuple[Path_, Any]] = []
    wrong: list[tuple[Path_, Any]] = []
    for path, words, low, high in _limits(model.model_fields["qos"].annotation, ("qos",)):
        right += [(path, word) for word in (*words, low, high) if word is not None]
        wrong += [(path, "nonsense")] * bool(words)
        wrong += [(path, low - 1)] if low else []
        wrong += [(path, high + 1)] if high is not None else []
    right, wrong = ([(path, str(value)) for path, value in values] for values in (right, wrong))
    assert reported(right, release) == set()
    taken = set(wrong) - reported(wrong, release)
    assert {(path[-1], value) for path, value in taken} <= LAX


def _limits(kind: Any, path: Path_) -> Iterator[tuple[Path_, tuple[str, ...], int | None, int | None]]:
    """Path, closed words, least and most of the published leaves."""
    inner = _values(kind)
    if inner is not None:
        yield from _limits(inner, (*path, KEYS.get(path[-1], "default-global"))) if _models(inner) else ()
        return
    models = _models(kind)
    for model in models:
        for name, part in model.model_fields.items():
            yield from _limits(part.annotation, (*path, part.alias or name))
    if not models:
        plain, low, high = _bare(_plain(kind))
        yield path, tuple(map(str, get_args(plain))) if get_origin(plain) is Literal else (), low, high


# -- fixes -------------------------------------------------------------------------------------------------------------

STANDS_FOR = {
    "PORTS": "swp1-4", "PROFILE": "default-global", "SP": "3", "TC": "3", "DSCP": "26", "BYTES": "400000",
    "PERCENT": "50", "METRES": "40", "BOND": "bond1", "TEXT": "leaf02",
}  # fmt: skip


def commands_of(fix: str) -> list[str]:
    """The commands in a fix, what its words in capitals stand for filled in."""
    found = [part.split(",")[0].strip() for part in fix.split(";")]
    return [re.sub(r"\b[A-Z]{2,}\b", lambda m: STANDS_FOR[m[0]], part) for part in found if part.startswith("nv ")]


# Intents alone give cause for these, or switches of others, or what NVUE does not say or does not let anyone say.
NEVER = {
    *("nos-erratum", "watchdog-default-scale", "watchdog-poll-eos"),  # of systems whose profile says so: not this one
    *("pfc-dcbx", "pfc-edge", "pfc-macsec", "pfc-mgmt-port", "schema-nos-range"),
    *("watchdog-action", "watchdog-counter-poll", "watchdog-fast", "watchdog-multiple", "watchdog-poll"),
    *("watchdog-priorities", "watchdog-restore"),
    *("ecn-color", "ecn-deep", "ecn-delay", "ecn-fixed-point", "ecn-long-rtt", "ecn-low", "ecn-queue", "ecn-weight"),
    *("mix-cnp", "mix-cnp-control", "mix-dscp-dup", "mix-k8s", "mix-map-total", "mix-mcast", "mix-pg-shared"),
    "mix-storage-roce",
    *("ets-cnp", "ets-cnp-cap", "ets-rdma-share"),
    *("buffer-cable-bucket", "buffer-cable-missing", "buffer-egress-drop", "buffer-gearbox", "buffer-lossy-group"),
    *("buffer-lossy-pool", "buffer-mtu", "buffer-zero-shared"),
}


def test_each_rule_that_can_fire_has_a_fix() -> None:
    judging = {
        rule.name
        for rule in ALL
        if rule.check is not None
        and rule.by_kind.get("running") != OFF
        and (not rule.vendors or "spectrum" in rule.vendors)
        and not set(rule.needs) & {"hosts", "telemetry", "rollout", "links", "routing"}
        and not rule.name.startswith(("ops-", "hygiene-"))
    }
    assert judging - FIXES.keys() - {"nos-erratum"} == NEVER - {"nos-erratum"}
    nos = SHIPPED.nos("spectrum")
    assert (nos.stock_timers, nos.watchdog_polls) == ((), 1)
    fixes = [
        fault.fix for fault in nos.errata if fault.when == "ports are broken out"
    ]  # the one that shows on a switch
    assert all(fix.startswith("upgrade to ") for fix in fixes)
    assert fixes
    assert {rule.partition(":")[0] for rule in FIXES} - {rule.name for rule in ALL} == set()


@pytest.mark.parametrize("release", ["5.14", "5.18"])
def test_fixes_are_commands_that_nvue_has(tmp_path: Path, nvue_validator: Path, release: str) -> None:
    lines = [command for fix in FIXES.values() for command in commands_of(fix)]
    assert len(lines) >= len(FIXES)
    path = tmp_path / "fixes.nv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run_validator(nvue_validator, "--version", release, path)
    assert done.returncode == 0, done.stdout + done.stderr
