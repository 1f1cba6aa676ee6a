"""rocecfg's own referees behind the command lines of the validators that CI has (see conformance.py)."""

# ruff: noqa: T201 - scripts print

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from rocecfg.source.document import Document
from rocecfg.validation import arista, junos, sonic, spectrum
from rocecfg.validation.eos_forms import FORMS, NEGATIVE
from rocecfg.validation.eos_patterns import CompiledForm
from rocecfg.validation.sonic_tables import ports_of, read
from rocecfg.validation.verdict import JudgeOptions, Verdict
from rocecfg.validation.yang_models import find_models

__all__ = [
    "GRAMMAR",
    "NEG",
    "build",
    "compile_pattern",
    "eos",
    "iface_mode",
    "junos_cli",
    "nvue",
    "sonic_yang",
    "validate",
]


def nvue(arguments: list[str]) -> int:
    """`validate-nvue --version RELEASE FILE...`."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--version")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    worst = 0
    for file in options.files:
        verdict = spectrum.judge(_document(file), JudgeOptions((options.version,) if options.version else ()))
        for fault in verdict.faults:
            print(f"{file}: line {fault.line}: {fault.where.replace(' ', '/')}: {fault.message}")
        count = len(verdict.faults)
        print(f"{file}: {f'INVALID, {count} errors' if count else 'valid'} (Cumulus Linux {verdict.release})")
        worst |= bool(count)
    return worst


def sonic_yang(arguments: list[str]) -> int:
    """`validate-sonic --models DIR [--fragment] [--strict-tables] [--meta K=V] [--patch FILE] FILE...`."""
    parser = argparse.ArgumentParser()
    for flag in ("--fragment", "--strict-tables", "--json"):
        parser.add_argument(flag, action="store_true")
    for option in ("--models", "--backend", "--patch"):
        parser.add_argument(option)
    parser.add_argument("--meta", action="append", default=[])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    library = sonic.library_of(find_models(options.models, None))
    worst = 0
    for file in options.files:
        text = Path(file).read_text(encoding="utf-8")
        if options.patch:
            import jsonpatch

            operations = json.loads(Path(options.patch).read_text(encoding="utf-8"))
            text = json.dumps(jsonpatch.apply_patch(json.loads(text), operations))
        tables = read(Document(0, file, text)).spaces[""]
        for pair in options.meta:
            field, _, value = pair.partition("=")
            tables.setdefault("DEVICE_METADATA", {}).setdefault("localhost", {})[field] = value
        if options.fragment:
            ports, _ = ports_of(tables)
            tables = {**tables, "PORT": ports} if ports else tables
        wrong, unknown, _ = library.check(tables)
        errors = [f"{'|'.join(one.path)}: {one.message}" for one in wrong]
        errors += [f"{table}: no model" for table in unknown if options.strict_tables]
        worst |= bool(errors)
        print(json.dumps({"file": file, "valid": not errors, "errors": errors, "tables_without_model": unknown}))
    return worst


def eos(arguments: list[str]) -> int:
    """`validate-eos [--strict] [--platform FAMILY] [--json] FILE...`; - is standard input."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--platform", default="any")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    reports = []
    for file in options.files:
        document = Document(0, file, sys.stdin.read()) if file == "-" else _document(file)
        verdict = _judged(document, options.platform, strict=options.strict)
        reports.append({"file": file, "findings": _findings(verdict)})
        if not options.json:
            for fault in verdict.faults:
                print(f"{file}:{fault.line}: error: {fault.message}\n    {fault.where}")
            for doubt in verdict.unjudged:
                print(f"{file}: warning: {doubt}" if doubt.startswith("line ") else f"{file}: {doubt}")
            print(f"{file}: {len(verdict.faults)} errors")
    if options.json:
        print(json.dumps(reports))
    return int(any(report["findings"] for report in reports))


def junos_cli(arguments: list[str]) -> int:
    """`validate-junos [--strict] [--snippet] [--release RELEASE] FILE...`; - is standard input."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--release")
    for flag in ("--strict", "--snippet"):  # whether a text is a part ours sees
        parser.add_argument(flag, action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    worst = 0
    for file in options.files:
        document = Document(0, file, sys.stdin.read()) if file == "-" else _document(file)
        verdict = junos.judge(
            document, JudgeOptions((options.release,) if options.release else (), strict=options.strict)
        )
        for fault in verdict.faults:
            print(f"{file}:{fault.line}: {fault.message}")
        worst |= bool(verdict.faults)
    return worst


# -- the grammar of EOS as tests of readers look at it -----------------------------------------------------------------

GRAMMAR = [(f.modes, f.pattern, f.enters, f.seen, "plain" if f.plain else f.only) for f in FORMS]
NEG = [(f.modes, f.pattern, f.seen) for f in NEGATIVE]
iface_mode = arista.interface_mode


def build() -> tuple[None, None]:
    """What `validate` is given; ours has no need of it."""
    return None, None


def validate(
    text: str, rules: None, negative: None, platform: str, shapes: None, *, strict: bool
) -> tuple[list[dict[str, Any]], None]:
    """The findings in a text."""
    assert rules is negative is shapes is None
    return _findings(_judged(Document(0, "text", text), platform, strict=strict)), None


def compile_pattern(pattern: str) -> tuple[re.Pattern[str], None]:
    """The regular expression of a form's pattern."""
    form = next(each for each in (*FORMS, *NEGATIVE) if each.pattern == pattern)
    return re.compile(f"^{CompiledForm(form).regex.pattern}$"), None


def _judged(document: Document, platform: str, *, strict: bool) -> Verdict:
    text = re.sub("^!.*$", "!", document.text, flags=re.MULTILINE)  # which chip it is the command line says alone
    family = None if platform == "any" else platform
    return arista.judge(Document(0, document.path, text), JudgeOptions(("4.33.2F",), family, strict=strict))


def _findings(verdict: Verdict) -> list[dict[str, Any]]:
    return [
        {"line": fault.line, "severity": "error", "text": fault.where, "message": fault.message}
        for fault in verdict.faults
    ]


def _document(file: str) -> Document:
    return Document(0, file, Path(file).read_text(encoding="utf-8"))
