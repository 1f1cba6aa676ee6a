"""Ours and the other hand's validators give one verdict: on what is rendered, on real samples, on slips in both."""

from __future__ import annotations

import importlib.util
import json
import random
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import junos_text
import own_validators
import pytest
from checkout import ROOT
from conformance import SonicYang, lacking
from junos_text import INTENTS
from mutants import mutants, without_a_line
from sampling import part as part_of_cases

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.validation import arista, junos, sonic, spectrum
from rocecfg.validation.junos_schema import releases
from rocecfg.validation.sonic_tables import complete_tables, is_whole, read
from rocecfg.validation.verdict import JudgeOptions
from rocecfg.vendors import VENDORS, part
from rocecfg.vendors.base import CannotRender

pytestmark = pytest.mark.conformance

EXAMPLES = sorted((ROOT / "examples").glob("*/fabric.yaml"))
SLIPS = 6  # of each text: one word or number changed
LINES = 2  # and lines left out
FEW = 5
RELEASES = {"arista": "4.33.2F", "junos": "24.4R1", "sonic": "202505", "spectrum": "5.14"}


class Judges(NamedTuple):
    """Two judges of a text: whether each takes it."""

    theirs: Callable[[str], bool]
    ours: Callable[[str], bool]


def tool(path: Path) -> ModuleType:
    name = f"shared_{path.name.replace('-', '_')}"
    if name not in sys.modules:
        loader = SourceFileLoader(name, str(path))
        spec = importlib.util.spec_from_loader(name, loader)
        assert spec is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        loader.exec_module(sys.modules[name])
    return sys.modules[name]


@cache
def rendered(vendor: str, release: str) -> dict[str, str]:
    """What the examples render to for a release of one system: a text of each kind of device and form, by name."""
    forms = part(vendor, "writer").FORMS
    out: dict[str, str] = {}
    for path in EXAMPLES:
        fabric = load(str(path), Sources(), vendor).fabric
        assert fabric is not None
        for device in (each for each in fabric.devices if each.vendor == vendor):
            for form in forms if vendor == "spectrum" else forms[:1]:
                with suppress(CannotRender):  # the policy for EOS names no chip; a chip may be too new for a release
                    text = render_device(fabric, replace(device, version=release), form=form)
                    out[f"{path.parent.name}/{device.key}.{form}"] = text.file(None)
    return out


def taken(judge: Callable[[Document, JudgeOptions], object], text: str, asked: JudgeOptions) -> bool:
    try:
        verdict = judge(Document(0, "text", text), asked)
    except SourceError:
        return False
    return not verdict.faults  # type: ignore[attr-defined]


def differing(texts: dict[str, str], judges: Judges) -> list[str]:
    """The texts and changes of them on which the judges differ.

    Asserts that they do not agree by taking everything, or nothing.
    """
    every = [
        (f"{name}: {change}", changed)
        for name, text in texts.items()
        for change, changed in (("as it is", text), *mutants(text, SLIPS, name), *without_a_line(text, LINES, name))
    ]
    tried = part_of_cases(every, "rocecfg/validation", "rocecfg/vendors/validate", "templates/")
    verdicts = [(what, judges.theirs(changed), judges.ours(changed)) for what, changed in tried]
    count = sum(theirs for _, theirs, _ in verdicts)
    assert len(tried) < len(every) or FEW < count < len(verdicts) - FEW  # a part may hold none that is taken
    return [f"{what}: theirs {theirs}, ours {ours}" for what, theirs, ours in verdicts if theirs != ours]


def test_every_referee_is_held_to_another() -> None:
    referees = {path.stem for path in (ROOT / "rocecfg" / "validation").glob("*.py")} & set(VENDORS)
    assert referees == RELEASES.keys()  # a test below is of each
    assert all(rendered(vendor, release) for vendor, release in RELEASES.items() if vendor != "junos")  # see `written`


# -- NVUE --------------------------------------------------------------------------------------------------------------


def nvue_judges(shared: Path, release: str) -> Judges:
    if importlib.util.find_spec("nvueschema") is None:
        lacking("nvueschema is not installed: pip install 'rocecfg[validate]'")
    theirs = tool(shared / "tools" / "validate-nvue")
    options = SimpleNamespace(version=release, schema_only=False, only=None)

    def check(text: str) -> bool:
        try:
            return not theirs.check("text", text, options)[1]
        except (LookupError, ValueError, theirs.yaml.YAMLError):  # its exit code 2
            return False

    return Judges(check, lambda text: taken(spectrum.judge, text, JudgeOptions((release,))))


@pytest.mark.parametrize("release", ["5.6", "5.14", "5.16"])
def test_one_verdict_on_nvue(shared: Path, release: str) -> None:
    texts = rendered("spectrum", release) | {
        path.name: path.read_text(encoding="utf-8") for path in (shared / "samples" / "nvue").iterdir()
    }
    judges = nvue_judges(shared, release)
    assert differing(texts, judges) == []


# -- EOS ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["any", "strata", "sand"])
@pytest.mark.parametrize("strict", [True, False])
def test_one_verdict_on_eos(shared: Path, family: str, strict: bool) -> None:
    theirs = tool(shared / "tools" / "validate-eos")
    rules, negative = theirs.build()

    def check(text: str) -> bool:
        found, _ = theirs.validate(text, rules, negative, family, None, strict)
        return all(each["severity"] != "error" for each in found)

    asked = JudgeOptions((RELEASES["arista"],), None if family == "any" else family, strict=strict)
    judges = Judges(check, lambda text: taken(arista.judge, text, asked))
    texts = rendered("arista", RELEASES["arista"]) | {
        path.name: path.read_text(encoding="utf-8") for path in (shared / "samples" / "eos").iterdir()
    }
    # of comments ours takes the chip family where nobody names it
    bare = {
        name: "".join(line for line in text.splitlines(keepends=True) if not line.startswith("!"))
        for name, text in texts.items()
    }
    assert differing(bare, judges) == []


OURS_ALONE = "queue-monitor length[ threshold[s] "  # of a port: Arista's manual on LANZ


def test_one_verdict_on_every_form_of_eos(shared: Path) -> None:
    """The forms are the same, but for what the other hand lacks; and so are those that stand behind `no` alone."""
    theirs = tool(shared / "tools" / "validate-eos")
    assert [form for form in own_validators.GRAMMAR if not form[1].startswith(OURS_ALONE)] == theirs.GRAMMAR
    assert own_validators.NEG == theirs.NEG


# -- Junos -------------------------------------------------------------------------------------------------------------


OPTIONS = SimpleNamespace(release=None, strict=False, snippet=False)
OF_A_KIND = 8
STILL_RIGHT = re.compile(  # a code point of no PFC, a percentage of the whole buffer, a profile that nothing uses yet
    " pfc$|^wrong level: without (buffer-partition|interfaces|unit) |^wrong place: egress percent "
)
KINDS = 15  # of mistakes that a configuration has room for


def written(folder: Path) -> dict[str, str]:
    """What is rendered of every intent for Junos, by name and form."""
    forms = part("junos", "writer").FORMS
    return {
        f"{name}.{form}": junos_text.rendered(text, folder, form) for name, text in INTENTS.items() for form in forms
    }


def junos_judges(shared: Path, release: str, *, strict: bool = False) -> Judges:
    theirs = tool(shared / "tools" / "validate-junos")

    def check(text: str) -> bool:
        # whether a text is a part the other hand is told; ours sees it
        part = not re.search(r"^(?:set )?(?:version|system)\b|^# .*\bJunos (OS )?(Evolved )?\d", text, re.MULTILINE)
        try:
            found = theirs.Check("text", text, SimpleNamespace(release=release, strict=strict, snippet=part))
        except SystemExit:  # its exit code 2
            return False
        return not found.errors and found.judged + found.skipped > 0

    return Judges(check, lambda text: taken(junos.judge, text, JudgeOptions((release,), strict=strict)))


def junos_texts(shared: Path, *, lines: bool = False) -> dict[str, str]:
    """The samples that others publish. `lines`: what they say as lines, as the other hand prints them."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in (shared / "samples" / "junos").glob("*.conf")}
    if not lines:
        return texts
    theirs = tool(shared / "tools" / "validate-junos")
    out = {}
    for name, text in texts.items():
        read = theirs.Check(name, text, OPTIONS)
        trees = [(read.root, [])] + [(root, ["groups", group]) for group, root in read.groups.items()]
        words = [
            ["set", *line] for root, prefix in trees for line in theirs.setlines(root, prefix) if line[0] != "#off"
        ]
        out[name] = "".join(" ".join(line) + "\n" for line in words)
    return out


@pytest.mark.parametrize("release", releases())
def test_one_verdict_on_junos(shared: Path, release: str, tmp_path: Path) -> None:
    texts = junos_texts(shared) | {name: text for name, text in written(tmp_path).items() if name.startswith("leaf.")}
    assert differing(texts, junos_judges(shared, release)) == []


def test_one_verdict_on_lines_of_junos(shared: Path) -> None:
    assert differing(junos_texts(shared, lines=True), junos_judges(shared, RELEASES["junos"])) == []


def test_one_verdict_on_what_is_followed_of_junos(shared: Path, tmp_path: Path) -> None:
    assert differing(written(tmp_path), junos_judges(shared, RELEASES["junos"], strict=True)) == []


@pytest.mark.parametrize("name", ["mtb-leaf1-qfx5240.conf", "5stage-compute-leaf1-qfx5120.conf", "leaf.curly"])
def test_mistakes_in_class_of_service_are_refused(shared: Path, name: str, tmp_path: Path) -> None:
    """Mistakes of every kind that an engineer makes: slips, levels, ranges, names, braces."""
    mistakes = tool(shared / "tools" / "mutate-junos")
    theirs = mistakes.vj
    read = theirs.Check(name, (junos_texts(shared) | written(tmp_path))[name], OPTIONS)
    section = theirs.I(read.root.g, "")
    section.kids = {("class-of-service", ()): read.root.one("class-of-service")}
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, what, text in mistakes.mutants(list(mistakes.lines(section, [])), random.Random(name)):  # noqa: S311
        found.setdefault(kind, []).append((what, text))
    assert len(found) >= KINDS
    asked = JudgeOptions((read.g.release,))
    accepted = []
    for kind, those in part_of_cases(found.items(), "rocecfg/validation"):
        for what, text in random.Random(kind).sample(those, min(OF_A_KIND, len(those))):  # noqa: S311
            whole = ("version 24.4R1;\n" if kind.startswith("brace-") else "set version 24.4R1\n") + text
            if taken(junos.judge, whole, asked) and STILL_RIGHT.search(f"{kind}: {what}") is None:
                accepted.append(f"{kind}: {what}")
    assert accepted == []


# -- SONiC -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("release", ["202311", "202505", "202605"])
def test_one_verdict_on_sonic(shared: Path, sonic_yang: SonicYang, tmp_path: Path, release: str) -> None:
    theirs = tool(shared / "tools" / "validate-sonic")
    named = str(sonic_yang.models / release)
    options = SimpleNamespace(yang_mgmt=None, models=named, buildimage=None, rev=None)
    models, _ = theirs.prepare_models(options, str(tmp_path))
    backend = theirs.WheelBackend(models)

    def check(text: str) -> bool:
        try:
            tables, _ = theirs.nest(json.loads(text))
            (mine,) = read(Document(0, "text", text)).spaces.values()
            if not is_whole(mine):  # what the other hand is told by options: --fragment, --meta buffer_model=dynamic
                local = complete_tables(mine)[0].get("DEVICE_METADATA", {}).get("localhost", {})
                if "buffer_model" in local:
                    tables.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {}).update(local)
                tables = theirs.add_stubs(tables)
            errors, _ = backend.check(tables)
        except (ValueError, SourceError, AttributeError, TypeError):  # its exit code 2, and tracebacks of its
            return False
        return not errors

    texts = rendered("sonic", release) | {
        path.name: path.read_text(encoding="utf-8") for path in (shared / "samples" / "sonic").iterdir()
    }
    judges = Judges(check, lambda text: taken(sonic.judge, text, JudgeOptions((release,), models=named)))
    assert differing(texts, judges) == []
